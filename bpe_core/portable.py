r"""What three engines read alike in a pattern; everything else is refused by name.

A pattern is read here by Python's ``regex`` module, in tiktoken by fancy-regex, in Hugging
Face tokenizers by Oniguruma. One sign can mean three things: ``[a&&b]`` is three characters
here and an empty set there. No sample of texts proves two readings equal, so ``TOKEN`` lists
what was compared over all characters, and a pattern passes only if nothing else is in it.

The engines also know different releases of Unicode. A character that is newer than one of
them can be a letter for another; only those are cut differently.

Source: each construct in tiktoken 0.14.0, tokenizers 0.23.3 and regex 2026.11.19.
"""

import re

from .patterns import compile_pattern

SCRIPTS = (
    "Arabic Armenian Bengali Bopomofo Cherokee Common Coptic Cyrillic Devanagari Ethiopic Georgian Greek Gujarati "
    "Gurmukhi Han Hangul Hebrew Hiragana Inherited Kannada Katakana Khmer Lao Latin Malayalam Mongolian Myanmar "
    "Oriya Sinhala Syriac Tamil Telugu Thaana Thai Tibetan Tifinagh Yi"
).split()
CATEGORIES = "L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfon]?"
SET = rf"\\(?:[sSdD]|[pP]\{{(?:{CATEGORIES}|{'|'.join(SCRIPTS)})\}})"
# \< and \> are words' ends in tiktoken, and \x80 and above are halves of characters in Oniguruma.
ESCAPED = r"\\(?:[rntfva]|[ -/:;=?@\[-`{-~]|x[0-7][0-9A-Fa-f]|u(?![dD][89A-Fa-f])[0-9A-Fa-f]{4})"
ONE = rf"(?:{ESCAPED}|(?!&&|--|~~|\|\|)[^\\\[\]-])"
IN_CLASS = rf"(?:{SET}|{ONE}(?:-{ONE})?)"
CLASS = rf"\[\^?+-?{IN_CLASS}+-?\]"
CHARACTER = rf"(?:{SET}|{ESCAPED}|{CLASS}|[^\\\[\](){{}}*+?|^$])"
# Either case: i is also İ here, and ff, fi, fl, ss, st are also one letter (ﬀ, ß) in Oniguruma.
EITHER_CASE = r"\(\?i:(?:(?![Ff][FfLl]|[Ss][SsTt])[A-HJ-Za-hj-z'’|]|\[[A-HJ-Za-hj-z]+\])+\)"
COUNTED = r"\{\d+(?:,\d*)?\}\+|\{\d+\}\?"  # not in Hugging Face
REPEATED = rf"(?P<counted>{COUNTED})|[*+?][+?]?|\{{\d+,\d*\}}\??|\{{\d+\}}"
# A pattern is a row of these: an end, white space to the very end, a look ahead at one
# character, a character or a group's end (repeated or not), a group's start, a bar.
TOKEN = re.compile(
    rf"(?P<end>\\[zZ])|\\s\+\+\$|(?P<ahead>\(\?[=!]{CHARACTER}\)(?![*+?{{]))"
    rf"|(?:{CHARACTER}|{EITHER_CASE}|\))(?:{REPEATED})?|\((?:\?[:>]|(?![?*]))|\|"
)
# Beside (?i:...), releases of regex pass over places where a set that shuts out letters of one
# case could begin: "(?i:s)|[^ab]" finds no A. Sets that shut out both cases are right, but for U+0345.
ONE_CASE = re.compile(r"\[\^(?!(?:\\[rntsd]|\\p\{(?!L[ult]\})\w+\}|[0-9]|[^\w\\\[\]])+\])|\\P\{L[ult]\}")
# What is known of the rest: here is Python's regex module, there is tiktoken and Hugging Face.
MEANINGS = {
    r"&&|--|~~|\|\|": "a set operation there, two characters here",
    r"\[:\^?\w+:\]": "a POSIX class, in tiktoken of ASCII alone",
    r"\[": "a class inside a class there, a character here",
    r"\\[wWbB]": "a joiner is part of a word in tiktoken, ½ and ² are in Hugging Face",
    r"\\h": "a hexadecimal digit there, a space or tab here",
    r"\\N": "all but a line end there, the letter N here",
    r"\\K": "tiktoken fails on the empty match that is left",
    r"\\[pP]\w": "in Hugging Face the letter p, not a property",
    r"\\Z": "the end but for a line end there, the very end here",
    r"\$": "in Hugging Face the end of a line, in tiktoken the very end",
    r"\^": "in Hugging Face the start of a line",
    r"\(\?\w*m": "in Hugging Face a dot that takes line ends",
    r"\(\?\w*i[^)]*\)?": "i is also İ and I also ı here, and in Hugging Face ss is also ß, ff also ﬀ",
    COUNTED: "in Hugging Face it repeats instead",
}


def translate(expression: str, engine: str, *, reading: bool = False) -> str:
    r"""Write a pattern of this course as another engine spells it, or read one of its patterns.

    Only the end of the text is spelled otherwise: ``\Z`` here, ``\z`` in the others.

    Args:
        expression: a regular expression.
        engine: ``"tiktoken"`` or ``"Hugging Face"``.
        reading: the expression is the other engine's.

    Raises:
        ValueError: it holds what the engines do not read alike, at a place that the message
            names, or it can match nothing, at which tiktoken fails.

    Example:
        >>> translate(r"\s+\Z|\p{L}+", "tiktoken")
        '\\s+\\z|\\p{L}+'
        >>> translate(r"\w+", "tiktoken")
        Traceback (most recent call last):
        ValueError: the pattern holds '\\w' at character 1: a joiner is part of a word in tiktoken, ...
    """
    place, written, consuming = 0, [], []
    while place < len(expression):
        token = TOKEN.match(expression, place)
        if not token or (reading and token["end"] == r"\Z"):
            raise _refusal(expression, place)
        if token["counted"] and engine == "Hugging Face":
            raise _refusal(expression, token.start("counted"))
        end = token["end"] and (r"\Z" if reading else r"\z")
        written.append(end or token[0])
        consuming.append("(?:)" if end or token["ahead"] else token[0].replace(r"\s++$", r"\s++"))
        place = token.end()
    if "(?i:" in expression and (found := ONE_CASE.search(expression)):
        raise ValueError(
            f"the pattern holds {found[0]!r} at character {found.start() + 1}, a set that shuts out letters: beside "
            "(?i:...), it passes over the other case too here"
        )
    compile_pattern("".join(written) if reading else expression)
    if compile_pattern("".join(consuming)).fullmatch(""):
        raise ValueError(f"the pattern {expression!r} can match nothing, not one character; tiktoken fails on that")
    return "".join(written)


def _refusal(expression: str, place: int) -> ValueError:
    # Where a class cannot be read to its end, the fault is where reading stopped.
    if opened := re.compile(rf"\[\^?+-?{IN_CLASS}*+").match(expression, place):
        place = opened.end()
    for construct, meaning in MEANINGS.items():
        if found := re.compile(construct).match(expression, place):
            return ValueError(f"the pattern holds {found[0]!r} at character {place + 1}: {meaning}")
    compile_pattern(expression)  # what is no pattern at all is said by the engine itself
    found = re.compile(r"\(\?[^)]*\)?|\\.(?:\{[^}]*\})?|.?", re.DOTALL).match(expression, place)
    return ValueError(
        f"the pattern holds {found[0]!r} at character {place + 1}, which is not among what the engines read alike"
    )
