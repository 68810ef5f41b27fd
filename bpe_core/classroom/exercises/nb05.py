"""Notebook 05, word markers and bytes: exercises and quiz."""

import codecs
import random
import re
import string

from ...exchange import CHARACTER_TO_BYTE, to_printable
from ..spec import ChooseExercise, FunctionExercise, Lesson, Option, PredictExercise, Question, WrongAnswer

NEEDS = "from bpe_core.exchange import CHARACTER_TO_BYTE\n\n\n"
ALPHABET = "ab é€水🙂\nà\ufffdĠ"  # one to four bytes a character, and two that invite mistakes


def random_text(rng: random.Random, letters: str = ALPHABET, longest: int = 7) -> str:
    """Return a random text of 1 to ``longest`` characters."""
    return "".join(rng.choice(letters) for _ in range(rng.randint(1, longest)))


def random_cut(rng: random.Random, data: bytes) -> list[bytes]:
    """Cut bytes into tokens of 1 to 4 bytes, without regard to characters."""
    tokens = []
    while data:
        size = rng.randint(1, 4)
        tokens.append(data[:size])
        data = data[size:]
    return tokens


# --- 5.1 -------------------------------------------------------------------------------------


def _tokens_with_space():
    from bpe_core import load

    return load("gpt2").tokens("low low\nlow low").count(b" low")


PREDICT_SPACE = PredictExercise(
    id="5.1",
    title="Predict: which words carry their space",
    points=10,
    question='GPT-2 has two tokens for this word: "low" alone, and " low" with\nits space in front. '
    "Four words stand on two lines; \\n is the line end:\n"
    '    "low low\\nlow low"\n'
    "How many of the four words become the token with the space?",
    variable="words_with_space",
    answer=2,
    expects="a whole number",
    why="The second and the fourth word have a space before them. The first has nothing before it, and the third a line "
    "break, which is a token of its own. So one word has two ids, and the model has to learn that they mean the same.",
    proof=_tokens_with_space,
    hints=(
        "Which character stands directly before each of the words?",
        "A line end is no space. It is a character of its own, and becomes a token of its own here.",
        "Cut the text by hand: each space goes to the word on its right, the line end stays alone.",
    ),
    wrong_answers=(
        WrongAnswer(
            "line-break-as-space",
            3,
            "You also count the word after the line end. What stands before it is white space, but not a space.",
        ),
        WrongAnswer(
            "same-word",
            4,
            "It is the same word each time, but a word at the start of a line has no space before it.",
        ),
        WrongAnswer("one-line-only", 1, "Both lines hold a word with a space before it."),
        WrongAnswer(
            "spaces-dropped",
            0,
            "The spaces are not dropped, as they are when a text is split into words. Each becomes part of the token "
            "on its right.",
        ),
    ),
)

# --- 5.2 -------------------------------------------------------------------------------------


def count_unknown(text: str, known: set) -> int:
    """Count the characters of a text that a character vocabulary lacks.

    A character that occurs three times counts three times. White space
    of any kind (spaces, tabs, line ends, no-break spaces) only separates
    words: it is never unknown.

    Args:
        text: any text.
        known: the characters that have an id, a set of str.

    Returns:
        How many characters would become <unk>, an int.

    Example:
        >>> count_unknown("slow", {"l", "o", "w"})
        1
        >>> count_unknown("pizza pizza", {"p", "i"})
        6
    """
    count = 0
    for character in text:
        if not character.isspace() and character not in known:
            count += 1
    return count


def _unknown(text: str, known: set) -> list[str]:
    return [character for character in text if not character.isspace() and character not in known]


def _texts_and_alphabets(rng: random.Random) -> list:
    probes = [("", {"a"}), ("a", {"a"}), ("a", set()), ("b", {"a"}), ("bb", {"a"}), ("a b", {"a", "b"}), (" ", {"a"})]
    probes += [("a\nb", {"a"}), ("A", {"a"}), ("é", {"e"}), ("水水", {"a"}), ("ab!", {"a", "b"}), ("ab cd ef", {"a"})]
    # White space of other kinds, and what is none; two forms of é; digits, signs, long texts.
    probes += [
        ("a\tb", {"a"}),
        ("a\u00a0b", {"b"}),
        ("a\r\nb\u3000\u2028\x1ca\v", {"a", "b"}),
        ("a\u200bb\u200d\ufeff", {"a", "b"}),
    ]
    probes += [
        ("cafe\u0301", {"c", "a", "f", "é"}),
        ("É ß ss", {"é", "s"}),
        ("7 8 ٣ ² ½", {"7", "3", "2"}),
        ("“a” 'b'", {'"', "'", "a"}),
    ]
    probes += [("b-c]d^_\\.", {"a", "-", "z", "]", "^", "\\"}), ("a\x00b\x7f🙂🙃ж", {"a", "🙂"}), ("abc " * 40, {"b"})]
    probes += [("a\\b<", {"a", "b", "n", "&"}), ("zzzzz\u0301", {"a"})]
    probes += [("п木", {"水"}), ("½", {"²"}), ("<|im_end|>", {"a"}), ("a</w>", {"a"})]
    for _ in range(30):
        known = set(rng.sample("abcé水", rng.randint(0, 4)))
        probes.append((random_text(rng, "abcABé水🙂! \n", 9), known))
    return probes


COUNT_UNKNOWN = FunctionExercise(
    id="5.2",
    title="Count the unknown characters of a text",
    points=20,
    reference=count_unknown,
    expects="an int",
    make_probes=_texts_and_alphabets,
    hints=(
        "Go through the text with a pencil and cross out what is known. White space is crossed out as well. What is left?",
        "Two questions for each character: is it white space, and is it in the set? Only two times no adds one to the count.",
        "A str is a sequence of characters, so a `for` loop walks over it. A str of one character has a method that says "
        "whether it is white space; a line end is white space too.",
    ),
    wrong_answers=(
        WrongAnswer(
            "each-once",
            lambda text, known: len(set(_unknown(text, known))),
            "You count each unknown character once. Every place where one stands becomes an <unk>, so every place counts.",
        ),
        WrongAnswer(
            "counts-white-space",
            lambda text, known: sum(character not in known for character in text),
            "You count white space as unknown. It separates words, and is no symbol of any of them.",
        ),
        WrongAnswer(
            "spaces-only",
            tuple(
                lambda text, known, white=white: sum(
                    character not in known and character not in white for character in text
                )
                for white in (" ", " \n", " \n\t", string.whitespace)
            ),
            "Some white space is left out now, but not all of it: there are line ends, tabs, no-break spaces and more. No list is "
            "needed, a str can say of itself whether it is white space.",
        ),
        WrongAnswer(
            "counts-words",
            lambda text, known: sum(bool(_unknown(word, known)) for word in text.split()),
            "You count the words that hold something unknown. Asked for is characters: the rest of such a word is known.",
        ),
        WrongAnswer(
            "compares-words",
            lambda text, known: sum(word not in known for word in text.split()),
            "You look up whole words in a set of characters. Look up each character of the text.",
        ),
        WrongAnswer(
            "counts-bytes",
            lambda text, known: sum(len(character.encode()) for character in _unknown(text, known)),
            "You count the bytes of the unknown characters. Here a symbol is a character, however many bytes it takes.",
        ),
        WrongAnswer(
            "ignores-case",
            lambda text, known: len(_unknown(text.lower(), known)),
            "You turn the text into small letters first. A and a are two characters, and the one may be known without the "
            "other.",
        ),
        WrongAnswer(
            "letters-only",
            (
                lambda text, known: sum(character.isalpha() for character in _unknown(text, known)),
                lambda text, known: sum(character.isalnum() for character in _unknown(text, known)),
            ),
            "You count letters, or letters and digits, only. A sign or an emoji without an id is just as unknown.",
        ),
        WrongAnswer(
            "counts-known",
            lambda text, known: sum(character in known for character in text),
            "You count the characters that are known. Asked for are the others.",
        ),
        WrongAnswer(
            "share",
            lambda text, known: len(_unknown(text, known)) / len(text) if text else 0.0,
            "You return a share. Asked for is the number of characters.",
        ),
        WrongAnswer(
            "a-list",
            _unknown,
            "You return the unknown characters themselves. Asked for is how many they are.",
        ),
    ),
)

# --- 5.3 -------------------------------------------------------------------------------------


def _bytes_of_text():
    return len("Ödön 東京 🌸".encode())


PREDICT_BYTES = PredictExercise(
    id="5.3",
    title="Predict: the bytes of a text",
    points=10,
    question="How many bytes does this text have in UTF-8? Use the grid above.\n"
    '    "Ödön 東京 🌸"\n'
    "It has 9 characters: Ö d ö n, a space, two Chinese characters, a space,\na blossom.",
    variable="number_of_bytes",
    answer=18,
    expects="a whole number",
    why="d, n and the two spaces take 1 byte each, Ö and ö 2 each, 東 and 京 3 each, and the blossom 4: 4 + 4 + 6 + 4.",
    proof=_bytes_of_text,
    hints=(
        "Write the number of bytes over each character, and add up. Which rows of the grid do you need?",
        "d, n and the spaces are in the row of plain Latin letters. Ö and ö are like é, 東 and 京 like 水, the blossom like "
        "the other emoji.",
        "There are characters of one, two, three and four bytes in it. How many of each?",
    ),
    wrong_answers=(
        WrongAnswer(
            "characters",
            9,
            "That is the number of characters. Only the plain Latin letters and the spaces take a single byte.",
        ),
        WrongAnswer(
            "two-for-all-others",
            14,
            "You give two bytes to everything that is not plain Latin. Some of it takes more: look at 水 and at the emoji "
            "in the grid.",
        ),
        WrongAnswer(
            "three-for-all-others",
            19,
            "You give three bytes to everything that is not plain Latin. Ö and ö take fewer, the blossom takes more.",
        ),
        WrongAnswer("four-for-all-others", 24, "You give four bytes to everything that is not plain Latin: too many."),
        WrongAnswer("four-for-all", 36, "Four bytes for every character is another encoding, UTF-32."),
        WrongAnswer(
            "utf-16",
            20,
            "Two too many. Ö and ö take two bytes each, 東 and 京 three each. (UTF-16 needs 20 too, by accident.)",
        ),
        WrongAnswer(
            "no-spaces", 16, "Two too few. Check three rows of the grid: a space takes 1 byte, Ö takes 2, 東 takes 3."
        ),
        WrongAnswer("emoji-as-han", 17, "One too few. Count both spaces, and look at the emoji row of the grid."),
    ),
)

# --- 5.4 -------------------------------------------------------------------------------------


def _tokens_of_lower_cafe():
    from bpe_core import ByteBPE

    text = "low lower lowest low low newer newest wider widest wide " * 20
    return len(ByteBPE.train(text, 280, min_frequency=2).encode("lower café"))


PREDICT_TOKENS = PredictExercise(
    id="5.4",
    title="Predict: one word known, one word new",
    points=15,
    question="The tokenizer of this section learned 24 merges. The first ones are\n"
    "    l + o,  lo + w,  (space) + low,  ...  and later  e + r\n"
    "No merge holds a c, an a or an f, or a byte beyond plain Latin letters;\n"
    "no token is the whole word lower.\n"
    'How many tokens does "lower café" become? It has 11 bytes.',
    variable="tokens_of_lower_cafe",
    answer=8,
    expects="a whole number",
    why="low, er, then the space, c, a, f and the two bytes of é. Where training saw nothing, bytes stay bytes: more tokens, "
    "but nothing is lost.",
    proof=_tokens_of_lower_cafe,
    hints=(
        "Take the two words one after the other. Into how many tokens do the merges above fuse the first?",
        "l + o, lo + w and e + r all find their pair in the first word. In the second no pair was ever learned: count its "
        "bytes, and the space.",
        "The letter é is no single byte. Look it up in the grid.",
    ),
    wrong_answers=(
        WrongAnswer(
            "nothing-merges", 11, "That is one token for each byte. The first word was in the training text: it merges."
        ),
        WrongAnswer(
            "one-too-many",
            9,
            "One too many. Go through the first word again: three of the merges above find their pair in it.",
        ),
        WrongAnswer(
            "one-short",
            7,
            "One too few. Three slips lead here: the space is forgotten, though it is a token of its own here; é is taken as one "
            "token, though it is two bytes that no merge joins; or lower is taken as one, though no merge joins low and er.",
        ),
        WrongAnswer(
            "two-short",
            6,
            "Two too few. Two of three slips lead here: the space is forgotten; é is taken as one token; lower is taken as one.",
        ),
        WrongAnswer(
            "accent-unknown",
            5,
            "You let café vanish in part, or merge. No pair of its bytes was learned, and no byte is unknown.",
        ),
        WrongAnswer(
            "characters", 10, "That is the number of characters. Tokens are made of bytes, and some of them merge."
        ),
        WrongAnswer(
            "words", 2, "A word is one token only if the merges build it whole. Nothing of café was ever merged."
        ),
        WrongAnswer(
            "unknown-word", 3, "A word that was not seen does not become one unknown token: its bytes are known."
        ),
    ),
)

# --- 5.5 -------------------------------------------------------------------------------------

CHOOSE_BYTES = ChooseExercise(
    id="5.5",
    title="Choose: why bytes rather than characters",
    points=10,
    question="GPT-2 and many later models start from bytes, not characters. Why?",
    variable="why_bytes",
    options=(
        Option(
            "A text has fewer bytes than characters, so it begins shorter.",
            False,
            "No text has fewer: every character takes at least one byte. English stays equal, most languages get longer.",
        ),
        Option(
            "Bytes carry meaning, so the model learns from fewer examples.",
            False,
            "A single byte of 水 means nothing. Meaning begins where merges have made larger tokens.",
        ),
        Option(
            "256 symbols, known beforehand, write any text: nothing is unknown.",
            True,
            "The base is small, fixed and complete. Characters would need a base of many thousands, and one that was not "
            "seen would still be unknown.",
        ),
        Option(
            "With bytes every language costs the same number of tokens.",
            False,
            "The byte tax and the merges both differ by language: a character of Hindi begins as three tokens, one of "
            "English as one.",
        ),
    ),
    hints=(
        "What happened to the signs `$` and `£` when the base was the characters seen in training?",
        "How many different bytes can there be, and how many different characters?",
        "Look for the option that is about what can be written at all, not about length.",
    ),
)

# --- 5.6 -------------------------------------------------------------------------------------


def readable_text(tokens: list[str]) -> str:
    """Turn tokens in GPT-2's printable alphabet back into text.

    CHARACTER_TO_BYTE holds, for each character of the alphabet, its byte.

    Args:
        tokens: list of str; each character stands for one byte, and the
            bytes together are UTF-8.

    Returns:
        The text, a str.

    Example:
        >>> readable_text(["low", "Ġlow"])
        'low low'
        >>> readable_text(["caf", "Ã", "©"])
        'café'
    """
    data = bytes([CHARACTER_TO_BYTE[character] for token in tokens for character in token])
    return data.decode("utf-8")


def _replaces_space_only(tokens):
    text = "".join(tokens)
    return text.replace("Ġ", " ")


def _token_bytes(tokens) -> list[bytes]:
    return [bytes([CHARACTER_TO_BYTE[character] for character in token]) for token in tokens]


def _printable_tokens(rng: random.Random) -> list:
    texts = ["", "a", " a", "a b", "é", "à", "a\nb", "水", "🙂", " é", "a ", "Ġ", "a  b", "àé"]
    # Every byte of the alphabet, bytes that invite mistakes, the same tokens again, a long text.
    texts += [
        "".join(map(chr, range(0x180))),
        "\ufeffa\r\nb\x00\x7f\u00a0\t",
        "cafe\u0301 E\u0301 ²٣ „x“",
        "Ж жж ЖЖ",
        "🙂🙂🙂",
        "low " * 30,
    ]
    texts += [random_text(rng) for _ in range(25)]
    cuts = [random_cut(rng, text.encode()) for text in texts] + [[b" unbelievable....", "水🙂é".encode() * 5]]
    cuts += [[b"</w>"], [b"<|im_end|>"]]
    return [([to_printable(token) for token in tokens],) for tokens in cuts]


MEND_PRINTABLE = FunctionExercise(
    id="5.6",
    title="Find the bug: Ġ is not the only one",
    points=20,
    reference=readable_text,
    buggy=_replaces_space_only,
    needs=NEEDS,
    expects="a str",
    make_probes=_printable_tokens,
    hints=(
        "The first example is right, the second is not. What do the characters Ã and © stand for?",
        "Every character of these tokens stands for one byte, not only Ġ. Look up the byte of each.",
        "Three steps: all tokens to one list of byte values, the list to bytes (`bytes` takes a list of numbers), the bytes "
        "to text. Decode at the end, once: a character may lie in two tokens.",
    ),
    wrong_answers=(
        WrongAnswer(
            "replaces-space-only",
            _replaces_space_only,
            "The bug is still there: only Ġ is turned back. Every character of a token stands for a byte; Ã and © together "
            "are the two bytes of é.",
        ),
        WrongAnswer(
            "replaces-line-break-too",
            lambda tokens: "".join(tokens).replace("Ġ", " ").replace("Ċ", "\n"),
            "Space and line end are right now, but a list of replacements never ends: all characters beyond plain Latin "
            "letters are still in pieces.",
        ),
        WrongAnswer(
            "each-token-alone",
            lambda tokens: "".join(token.decode("utf-8", "replace") for token in _token_bytes(tokens)),
            "The bytes are right, but you decode each token by itself. A character whose bytes lie in two tokens is lost: "
            "first join, then decode.",
        ),
        WrongAnswer(
            "each-token-alone-strict",
            lambda tokens: "".join(token.decode("utf-8") for token in _token_bytes(tokens)),
            "You decode each token by itself, and that fails where a token holds half a character: first join, then decode.",
        ),
        WrongAnswer(
            "drops-halves",
            lambda tokens: "".join(token.decode("utf-8", "ignore") for token in _token_bytes(tokens)),
            "A character whose bytes lie in two tokens vanishes without a trace: you decode each token by itself and ignore "
            "what fails.",
        ),
        WrongAnswer(
            "code-point-modulo-256",
            lambda tokens: bytes(ord(character) % 256 for character in "".join(tokens)).decode("utf-8", "replace"),
            "You compute the byte from the code point. It works for Ġ and Ċ by luck: U+0120 is 256 + 32. From byte 7F on the "
            "hidden bytes are numbered on without a gap, so the sum is no longer right. Use the table.",
        ),
        WrongAnswer(
            "bytes-as-characters",
            lambda tokens: b"".join(_token_bytes(tokens)).decode("latin-1"),
            "The bytes are right, but each is read as a character of its own (that is Latin-1). They are UTF-8.",
        ),
        WrongAnswer(
            "strips",
            lambda tokens: b"".join(_token_bytes(tokens)).decode("utf-8").strip(),
            "Space at the start or end of the text is lost. It belongs to the text.",
        ),
        WrongAnswer(
            "spaces-between",
            lambda tokens: " ".join(token.decode("utf-8", "replace").strip() for token in _token_bytes(tokens)),
            "You put a space between all tokens. Spaces stand in the tokens, as Ġ; where there is none, there is no space.",
        ),
        WrongAnswer(
            "zero-bytes",
            lambda tokens: b"".join(bytes(CHARACTER_TO_BYTE[character]) for character in "".join(tokens)).decode(),
            "`bytes` of a number gives that many zero bytes, and not the byte with that value. Give it a list of numbers.",
        ),
        WrongAnswer(
            "replaces-then-looks-up",
            lambda tokens: bytes([CHARACTER_TO_BYTE[c] for c in "".join(tokens).replace("Ġ", " ")]).decode("utf-8"),
            "Ġ becomes a space first, and a space is no character of the alphabet, so the table does not have it.",
        ),
        WrongAnswer(
            "latin-letters-as-bytes",
            tuple(
                lambda tokens, encode=encode, decode=decode: (
                    "".join(tokens)
                    .replace("Ġ", " ")
                    .replace("Ċ", "\n")
                    .encode("latin-1", encode)
                    .decode("utf-8", decode)
                )
                for encode, decode in (("ignore", "ignore"), ("ignore", "replace"), ("replace", "replace"))
            ),
            "Encoding as Latin-1 gives the byte for most characters of the alphabet, but not for those that stand for hidden "
            "bytes: besides Ġ and Ċ there are 66 more. The table has them all.",
        ),
        WrongAnswer(
            "unchanged",
            lambda tokens: "".join(tokens),
            "The tokens are joined, and nothing is turned back.",
        ),
    ),
)

# --- 5.7 -------------------------------------------------------------------------------------


def text_of_tokens(tokens: list[bytes]) -> str:
    r"""Decode a list of tokens, each of them bytes, into one text.

    Bytes that are no text, such as half a character at the end or in the
    middle, are shown as the replacement character, U+FFFD.

    Args:
        tokens: list of bytes.

    Returns:
        The text, a str.

    Example:
        >>> text_of_tokens([b"low", b"er"])
        'lower'
        >>> text_of_tokens([b"\xf0\x9f\x91", b"\x8b"])
        '👋'
    """
    return b"".join(tokens).decode("utf-8", errors="replace")


def _decodes_each(tokens):
    text = ""
    for token in tokens:
        text += token.decode("utf-8", errors="replace")
    return text


def _stops_at_break(tokens):
    data = b"".join(tokens)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data[: error.start].decode("utf-8") + "\ufffd"


def _good_start(tokens):
    return _stops_at_break(tokens).removesuffix("\ufffd")


def _byte_tokens(rng: random.Random) -> list:
    probes = [[], [b"a"], [b"a", b"b"], [b"\xc3", b"\xa9"], [b"\xc3"], [b"a", b"\xe6\xb0"], ["é".encode(), b"!"]]
    probes += [[b"\xf0\x9f\x91", b"\x8b"], [b"\xf0\x9f", b"\x91", b"\x8b"], [b" ", b"a"], [b"a ", b" b"], [b"\n", b"a"]]
    probes += [["\ufffd".encode()], [b"\xe6\xb0", b"\xb4\xe6"], [b"x", b"\xf0\x9f", b"\x99"]]
    # Tokens that come again, other scripts, white space and marks that some decoders drop.
    probes += [[b"a", b"a"], [b"a", b"b", b"a"], [b"\xc3", b"\xa9", b"\xc3", b"\xa9", b"\xc3"], ["🙂".encode()] * 2]
    probes += [
        [b"\xef\xbb\xbfA\r\n", b"b\x00\x7f"],
        ["Жé e\u0301 É\u00a0".encode(), b"\t"],
        [b"\n"],
        [b" "],
        [b"low "] * 40,
    ]
    probes += [random_cut(rng, "é水🙂 ж\u200d".encode() * 5), [b" unbelievable...", "水🙂é".encode() * 5, b"aaaa"]]
    probes += [[b"<|im_end|>"]]
    for _ in range(25):
        data = random_text(rng).encode()
        probes.append(random_cut(rng, data[: len(data) - rng.choice([0, 0, 0, 1])]))
    return [(probe,) for probe in probes]


def _broken_tokens(rng: random.Random) -> list:
    # Bytes that are no text in the middle, one, several, at the start; and good ones behind them.
    broken = [
        [b"a\xc3", b"b"],
        [b"\x80", b"a"],
        [b"\xff"],
        [b"a", b"\xf0\x9f", b"b", b"\xe6\xb0", b"c"],
        [b"\xc3\xc3", b"\xa9\xa9"],
    ]
    broken += [
        [b"\xed\xa0\x80x"],
        [b"\xf0\x9f\x99\xf0\x9f\x99\x82!"],
        ["é".encode(), b"\xc3", "水".encode(), b"\xe6", b" "],
    ]
    return _byte_tokens(rng) + [(tokens,) for tokens in broken]


MEND_DECODER = FunctionExercise(
    id="5.7",
    title="Find the bug: a decoder that breaks characters",
    points=15,
    reference=text_of_tokens,
    buggy=_decodes_each,
    expects="a str",
    make_probes=_broken_tokens,
    hints=(
        "The first example is right, the second is not. What is different about its tokens?",
        "Each of the two tokens holds a part of one character. What does `decode` do with a part?",
        "Change the order of two steps: put the bytes together before anything is decoded. Bytes can be joined as texts can, "
        "with an empty one between them.",
    ),
    wrong_answers=(
        WrongAnswer(
            "each-token-alone",
            _decodes_each,
            "The bug is still there: each token is decoded by itself, and half a character is no text. The bytes belong "
            "together first.",
        ),
        WrongAnswer(
            "ignores-halves",
            lambda tokens: "".join(token.decode("utf-8", errors="ignore") for token in tokens),
            "The question marks are gone, and so is the character: you still decode each token by itself, and now ignore what "
            "fails.",
        ),
        WrongAnswer(
            "strict-halves",
            lambda tokens: "".join(token.decode("utf-8") for token in tokens),
            "Each token is still decoded by itself, and now half a character raises an error.",
        ),
        WrongAnswer(
            "hides-the-cut",
            lambda tokens: b"".join(tokens).decode("utf-8", errors="ignore"),
            "Joined first: good. But bytes that are no text, such as half a character at the end, vanish without a sign. They "
            "must show as U+FFFD.",
        ),
        WrongAnswer(
            "strict",
            lambda tokens: b"".join(tokens).decode("utf-8"),
            "Joined first: good. But half a character at the end, or in the middle, raises an error. It must show as U+FFFD.",
        ),
        WrongAnswer(
            "lost-behind-a-break",
            (_stops_at_break, _good_start),
            "Behind the first bytes that are no text everything is lost. What comes after them may be good text again: in `a`, "
            "half of é, `b` the b must be shown.",
        ),
        WrongAnswer(
            "one-sign-for-all",
            lambda tokens: re.sub("\ufffd+", "\ufffd", b"".join(tokens).decode("utf-8", errors="replace")),
            "Several broken places side by side, or signs U+FFFD that stand in the text, become a single U+FFFD.",
        ),
        WrongAnswer(
            "repeated-tokens-lost",
            lambda tokens: b"".join(dict.fromkeys(tokens)).decode("utf-8", errors="replace"),
            "A token that comes twice is used once. Join the tokens as they stand in the list.",
        ),
        WrongAnswer(
            "bytes-as-characters",
            lambda tokens: b"".join(tokens).decode("latin-1"),
            "Each byte becomes a character of its own: that is Latin-1. The bytes are UTF-8.",
        ),
        WrongAnswer(
            "spaces-between",
            lambda tokens: b" ".join(tokens).decode("utf-8", errors="replace"),
            "You join with a space between the tokens. Their spaces are in them already.",
        ),
        WrongAnswer(
            "printed-form",
            lambda tokens: str(b"".join(tokens))[2:-1],
            "`str` of bytes gives the way Python prints them, with \\x and all. It does not decode.",
        ),
        WrongAnswer(
            "strips",
            lambda tokens: b"".join(tokens).decode("utf-8", errors="replace").strip(),
            "White space at the start or end of the text is lost. It belongs to the text.",
        ),
    ),
)

# --- 5.8 -------------------------------------------------------------------------------------


def stream_text(tokens: list[bytes]) -> list[str]:
    r"""Decode tokens as they come, and never show half a character.

    For each token give the text that became complete with it. Bytes of
    a character that is not complete yet are held back until the rest has
    come. If some are left when the tokens end, one more item shows them
    as U+FFFD.

    Args:
        tokens: list of bytes; joined they are UTF-8, perhaps cut short.

    Returns:
        A list of str: one for each token, one more if bytes are left over.

    Example:
        >>> stream_text([b"Hi", b" \xf0\x9f\x91", b"\x8b"])
        ['Hi', ' ', '👋']
        >>> stream_text([b"a", b"\xc3"])
        ['a', '', '\ufffd']
    """
    shown = []
    held = b""
    for token in tokens:
        held += token
        try:
            whole = len(held)
            text = held.decode("utf-8")
        except UnicodeDecodeError as error:
            whole = error.start  # up to here the bytes are whole characters
            text = held[:whole].decode("utf-8")
        shown.append(text)
        held = held[whole:]
    if held:
        shown.append("\ufffd")
    return shown


def _held_until_all_is_whole(tokens, incomplete):
    shown, held = [], b""
    for token in tokens:
        held += token
        if incomplete(held):
            shown.append("")
        else:
            shown.append(held.decode("utf-8"))
            held = b""
    return shown + [held.decode("utf-8", "replace")] * bool(held)


def _no_utf8(data: bytes) -> bool:
    return data.decode("utf-8", "ignore").encode() != data


def _ends_in_replacement(data: bytes) -> bool:
    return data.decode("utf-8", "replace").endswith("\ufffd")


def _last_by_value(tokens):
    decoder, shown = codecs.getincrementaldecoder("utf-8")(), []
    for token in tokens:
        shown.append(decoder.decode(token))
        if token == tokens[-1] and decoder.getstate()[0]:
            shown.append("\ufffd")
    return shown


def _first_place_of_each(tokens):
    whole = [stream_text(tokens)[tokens.index(token)] for token in tokens]
    return whole + stream_text(tokens)[len(tokens) :]


def _all_so_far(tokens):
    return ["".join(stream_text(tokens)[: place + 1]) for place in range(len(stream_text(tokens)))]


def _one_sign_a_byte(tokens):
    shown = stream_text(tokens)
    whole = "".join(shown[: len(tokens)]).encode()
    left = len(b"".join(tokens)) - len(whole)
    return shown[: len(tokens)] + ["\ufffd" * left] * bool(left)


def _streams(rng: random.Random) -> list:
    probes = [tokens for (tokens,) in _byte_tokens(rng)]
    probes += [
        [b" caf\xc3", b"\xa9"],
        [b"a\xe6\xb0", b"\xb4b"],
        [b"\xef\xbf", b"\xbda"],
        [b"a", "\ufffd".encode(), b"b"],
    ]
    probes += [[b"\xf0", b"\x9f", b"\x91", b"\x8b"], [b"\xc3\xa9\xc3", b"\xa9"], [b"a\xf0\x9f\x91"]]
    probes += [
        [b"\xc3", b"\xa9", b"\xc3"],
        [b"a", b"\xe6", b"\xb0", b"\xb4", b"a", b"\xe6", b"\xb0"],
        [b"\xf0\x9f"],
        [b"\x00", b"\x00a"],
    ]
    # The same token completes another character the second time.
    probes += [[b"\xc3", b"\xa9", b"\xe6\xb0", b"\xa9"], [b"\xc3", b"\xa9b", b"b", b"\xc2", b"\xa9b"]]
    return [(probe,) for probe in probes]


WRITE_STREAM = FunctionExercise(
    id="5.8",
    title="Write a decoder for a stream",
    points=30,
    reference=stream_text,
    expects="a list of str, one for each token, and one more if bytes are left over",
    make_probes=_streams,
    hints=(
        "Keep a variable for the bytes that are held back. What do you do with it when the next token comes, and what is in "
        "it afterwards?",
        "After each token there are two cases: all held bytes are whole characters, or the last character is not complete. "
        "In the second case the whole characters before it are shown, and only the rest is held.",
        "Decoding without `errors` raises a UnicodeDecodeError where the bytes stop being whole characters, and the error's "
        "attribute `start` says at which byte. (Python's module `codecs` also has an incremental decoder that does all this.)",
    ),
    wrong_answers=(
        WrongAnswer(
            "each-token-alone",
            lambda tokens: [token.decode("utf-8", "replace") for token in tokens],
            "Each token is decoded by itself, and a character that lies in two of them becomes U+FFFD twice. Hold its first "
            "bytes back.",
        ),
        WrongAnswer(
            "ignores-halves",
            lambda tokens: [token.decode("utf-8", "ignore") for token in tokens],
            "The halves of a character are thrown away, and it never appears. Hold them back until the rest has come.",
        ),
        WrongAnswer(
            "strict",
            lambda tokens: [token.decode("utf-8") for token in tokens],
            "Half a character raises an error, since each token is decoded by itself. Hold its bytes back.",
        ),
        WrongAnswer(
            "all-at-the-end",
            lambda tokens: [""] * (len(tokens) - 1) + [b"".join(tokens).decode("utf-8", "replace")] * bool(tokens),
            "Nothing is shown until the last token has come. That is right as a text, but no stream: show what is complete.",
        ),
        WrongAnswer(
            "all-so-far",
            _all_so_far,
            "Each item repeats the text from the beginning. Give only what became complete with this token: what has been "
            "shown must not stay among the held bytes.",
        ),
        WrongAnswer(
            "holds-too-much",
            lambda tokens: _held_until_all_is_whole(tokens, _no_utf8),
            "Nearly: when the last character is incomplete you hold everything back, also the whole characters before it. "
            "After ` caf` and half of é, ` caf` can be shown.",
        ),
        WrongAnswer(
            "holds-and-drops",
            lambda tokens: _held_until_all_is_whole(tokens, _no_utf8)[: len(tokens)],
            "Two things: when the last character is incomplete you hold everything back, also the whole characters before it; and "
            "bytes that are left over at the end vanish. One more item must show them.",
        ),
        WrongAnswer(
            "repeated-tokens",
            (_first_place_of_each, lambda tokens: stream_text(list(dict.fromkeys(tokens)))),
            "Right until a token comes a second time. Do you ask for its place with `index`, or use it as a key? That finds the "
            "first place again.",
        ),
        WrongAnswer(
            "last-by-value",
            _last_by_value,
            "You know the last token by its value, and a token like it may come earlier: then U+FFFD is shown too soon. The end is "
            "where the loop is over.",
        ),
        WrongAnswer(
            "looks-for-replacement",
            lambda tokens: _held_until_all_is_whole(tokens, _ends_in_replacement),
            "You decode and look whether the text ends in U+FFFD. Two things go wrong: whole characters before it are held "
            "back, and a text may really hold the character U+FFFD, which is complete.",
        ),
        WrongAnswer(
            "drops-the-rest",
            lambda tokens: stream_text(tokens)[: len(tokens)],
            "Bytes that are left over at the end vanish. One more item must show them as U+FFFD.",
        ),
        WrongAnswer(
            "one-sign-a-byte",
            _one_sign_a_byte,
            "Bytes that are left over at the end are one character that was cut: show one U+FFFD, not one for each byte.",
        ),
        WrongAnswer(
            "skips-empty",
            lambda tokens: [text for text in stream_text(tokens) if text],
            "There must be one item for each token, also where it completes nothing: then it is an empty text.",
        ),
        WrongAnswer(
            "always-one-more",
            lambda tokens: stream_text(tokens) + [""] * (len(stream_text(tokens)) == len(tokens)),
            "One item too many: at the end there is another one only if bytes are left over.",
        ),
        WrongAnswer(
            "joined",
            lambda tokens: "".join(stream_text(tokens)),
            "The text is right, but asked for is a list: one item for each token.",
        ),
    ),
)

# --- 5.9 -------------------------------------------------------------------------------------


def code_point_of(data: bytes) -> int:
    r"""Put a code point together from the bytes of one character.

    Try it without ``decode`` and ``ord``. ``f"{byte:08b}"`` writes a byte
    as its eight binary digits, and ``int(digits, 2)`` reads such a text
    as a number.

    Args:
        data: the UTF-8 bytes of one character, one to four.

    Returns:
        Its code point, an int.

    Example:
        >>> code_point_of(b"\xc3\xa9")
        233
        >>> code_point_of(b"\xe6\xb0\xb4")
        27700
    """
    bits = ""
    for byte in data:
        digits = f"{byte:08b}"
        mark = digits.index("0") + 1  # the mark ends with the first 0
        bits += digits[mark:]
    return int(bits, 2)


def _free_bits(data: bytes) -> list[str]:
    digits = [f"{byte:08b}" for byte in data]
    return [one[one.index("0") + 1 :] for one in digits]


def _characters(rng: random.Random) -> list:
    edges = [0, 1, 0x40, 0x7F, 0x80, 0xBF, 0x7FF, 0x800, 0xFFF, 0x1000, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF]
    edges += [0x10000, 0x1F44B, 0x3FFFF, 0x40000, 0x100000, 0x10FFFF]
    points = [*map(ord, "aé水👋 \n٣̀"), *edges]
    for low, high in ((0, 0x7F), (0x80, 0x7FF), (0x800, 0xD7FF), (0x10000, 0x10FFFF)):
        points += [rng.randint(low, high) for _ in range(6)]
    return [(chr(point).encode("utf-8"),) for point in points]


CODE_POINT = FunctionExercise(
    id="5.9",
    title="Put a code point together from its bits",
    points=20,
    reference=code_point_of,
    expects="a whole number",
    make_probes=_characters,
    hints=(
        "Write the bytes C3 and A9 as eight bits each, and strike out their marks by hand. Which bits are left?",
        "In every byte, of whichever kind, the mark ends with the first 0. What is behind it belongs to the code point.",
        "Collect the bits as one text, in the order of the bytes, zeros too. `str` has a method that finds the place of the "
        "first 0; read the bits as a number at the very end.",
    ),
    wrong_answers=(
        WrongAnswer(
            "marks-kept",
            lambda data: int.from_bytes(data, "big"),
            "The marks are still in: all bits of all bytes are read as one number. Only the bits behind the marks belong to the "
            "code point.",
        ),
        WrongAnswer(
            "zero-kept",
            lambda data: int("".join(f"{byte:08b}".lstrip("1") for byte in data), 2),
            "The ones at the front are struck out, and the 0 behind them is left. It belongs to the mark: a continuation byte "
            "brings six bits.",
        ),
        WrongAnswer(
            "two-bits-from-each",
            lambda data: int("".join(f"{byte:08b}"[2:] for byte in data), 2),
            "Two bits are struck out of every byte. That is the mark of a continuation byte; the first byte has another one.",
        ),
        WrongAnswer(
            "zeros-lost",
            lambda data: int("".join(f"{int(bits, 2):b}" for bits in _free_bits(data)), 2),
            "Zeros are lost at the front of what a byte brings. A continuation byte brings six bits, also where the first "
            "ones are 0.",
        ),
        WrongAnswer(
            "not-eight-digits",
            lambda data: int("".join(f"{byte:b}"[f"{byte:b}".index("0") + 1 :] for byte in data) or "0", 2),
            "Right for two bytes and more. A byte below 80 (hexadecimal) is written with fewer than eight binary digits here, "
            "and its first digits are taken for a mark.",
        ),
        WrongAnswer(
            "eight-bits-each",
            lambda data: sum(int(bits, 2) << 8 * place for place, bits in enumerate(reversed(_free_bits(data)))),
            "The marks are gone, but each byte moves the ones before it by eight places. A continuation byte brings six bits.",
        ),
        WrongAnswer(
            "added",
            lambda data: sum(int(bits, 2) for bits in _free_bits(data)),
            "What the bytes bring is added up. The bits belong side by side, as the digits of one number.",
        ),
        WrongAnswer(
            "last-byte-first",
            lambda data: int("".join(reversed(_free_bits(data))), 2),
            "The bytes are taken from the last to the first. The lead byte brings the highest bits.",
        ),
        WrongAnswer(
            "lead-byte-only",
            lambda data: int(_free_bits(data)[0], 2),
            "Only the first byte is read. The continuation bytes bring six bits each.",
        ),
        WrongAnswer(
            "without-lead-byte",
            lambda data: int("".join(_free_bits(data)[1:] or _free_bits(data)), 2),
            "The first byte is used for its mark alone. The bits behind the mark are the highest ones of the code point.",
        ),
        WrongAnswer(
            "one-mask-for-lead-bytes",
            tuple(
                lambda data, mask=mask: int(
                    "".join([f"{data[0] & (mask if len(data) > 1 else 127):b}", *_free_bits(data)[1:]]), 2
                )
                for mask in (0b11111, 0b1111, 0b111)
            ),
            "The same number of bits is taken from every lead byte. The more bytes follow, the longer its mark: 110, 1110, 11110.",
        ),
        WrongAnswer(
            "the-character",
            lambda data: data.decode("utf-8"),
            "That is the character. Asked for is its number, the code point.",
        ),
        WrongAnswer(
            "as-text",
            (
                lambda data: f"{ord(data.decode()):X}",
                lambda data: f"{ord(data.decode()):04X}",
                lambda data: f"U+{ord(data.decode()):04X}",
                lambda data: hex(ord(data.decode())),
                lambda data: "".join(_free_bits(data)),
            ),
            "That is the number written as a text. Asked for is the number itself, an int.",
        ),
    ),
)

# --- 5.10 ------------------------------------------------------------------------------------

CHOOSE_LOST = ChooseExercise(
    id="5.10",
    title="Choose: what a mark behind words of bytes loses",
    points=10,
    question="A tokenizer begins with the 256 bytes and puts </w> behind each word.\n"
    "It cuts a text at white space, as in this section. Which of these texts\n"
    "does it not give back exactly? (\\n is a line end.)",
    variable="not_given_back",
    options=(
        Option(
            "naïve 水 🙂",
            False,
            "Its white space is one space between words, and that is what decoding puts there. The characters are bytes, "
            "and all of them are known.",
        ),
        Option(
            "if x:\\n    low",
            True,
            "The line end and four spaces become one space: the mark says that a word ended, not what stood behind it. "
            "Bytes have nothing to do with it.",
        ),
        Option(
            "ÖDÖN'S café",
            False,
            "Capitals, an apostrophe and accents are bytes like all others, and between the words stands one space.",
        ),
        Option(
            "None: with bytes every text comes back.",
            False,
            "Bytes write every character. Here the text is cut into words before it becomes bytes; look at what is thrown "
            "away at that step.",
        ),
    ),
    hints=(
        "Two things can be lost. Which decision costs which of them?",
        "Go through the first three texts, and ask of each: what stands between its words?",
        "Put the words of each text together again with one space between them.",
    ),
)

# --- Quiz ------------------------------------------------------------------------------------

QUESTIONS = (
    Question(
        "Two tokenizers learn from the same English text. One starts from the characters it saw, the other from bytes. A text "
        "in Greek comes along. What happens?",
        (
            Option(
                "Both return unknown tokens, since neither has seen Greek.",
                False,
                "The second has all 256 bytes from the start, seen or not, and Greek is written with bytes.",
            ),
            Option(
                "The first returns mostly unknown tokens; the second returns about two tokens for each letter.",
                True,
                "Characters that were not seen have no id. Bytes always have one, but without Greek in training no merge joins "
                "the two bytes of a letter.",
            ),
            Option(
                "The second needs fewer tokens, because bytes are smaller than characters.",
                False,
                "Smaller pieces mean more of them: two bytes for each Greek letter.",
            ),
            Option(
                "The first copies the Greek letters as they are, so nothing is lost.",
                False,
                "It can show them as symbols, but as ids they all become the same one, `<unk>`.",
            ),
        ),
    ),
    Question(
        "The byte-level tokenizer of section 4 left the 17 bytes of `naïve café 🙂` as 17 tokens. Why?",
        (
            Option(
                "Byte-level tokenizers cannot merge accented letters and emoji.",
                False,
                "GPT-2's joins the two bytes of é, and the four of 🙂 with the space before. Bytes of any kind can be merged.",
            ),
            Option(
                "The characters were unknown, and an unknown character becomes one token for each byte.",
                False,
                "No byte is unknown. n, a, v and e are plain letters and stayed single as well.",
            ),
            Option(
                "Its vocabulary of 280 was full, so no more merges could be applied.",
                False,
                "A full vocabulary stops training. When a text is encoded, every learned merge may be used, as often as it fits.",
            ),
            Option(
                "None of the 24 merges joins two bytes that stand side by side in this text.",
                True,
                "Merges come from the training text, which held nothing like it. With other training text the same bytes become "
                "4 tokens, as in GPT-2.",
            ),
        ),
    ),
    Question(
        "You print GPT-2's tokens and see `Ġlow`. What is the Ġ?",
        (
            Option(
                "The way in which its files write the byte 20 (hexadecimal), a space.",
                True,
                "Space, line end and 66 other bytes cannot be seen or would break the file, so each gets a visible character.",
            ),
            Option(
                "A special token that marks the start of a word.",
                False,
                "It is no token of its own and nothing was added to the text: the space is part of the token `·low`.",
            ),
            Option(
                "A letter that stood in the text.",
                False,
                "A letter Ġ in a text is two bytes, and is written `Äł` in this alphabet.",
            ),
            Option(
                "A sign that the token could not be decoded.",
                False,
                "That sign is U+FFFD. Ġ stands for a byte that is perfectly well known.",
            ),
        ),
    ),
    Question(
        "`naïve··水` has two spaces, drawn as dots, and a last character that training has not seen. A tokenizer gives back "
        "`naïve··<unk>`. Which decisions did its makers take?",
        (
            Option(
                "Characters, with a mark behind each word.",
                False,
                "The unknown character fits. But a mark behind the word does not know how many spaces stood there: one would "
                "have come back.",
            ),
            Option(
                "Characters, with the space in front of the word.",
                True,
                "Both spaces are there, so white space was kept; a character became `<unk>`, so the base was not complete.",
            ),
            Option(
                "Bytes, with a mark behind each word.",
                False,
                "It would be the other way round: 水 comes back, and one of the two spaces is lost.",
            ),
            Option(
                "Bytes, with the space in front of the word.",
                False,
                "Then nothing would be lost, neither spaces nor characters.",
            ),
        ),
    ),
)

LESSON = Lesson(
    5,
    "Word markers and bytes",
    (
        PREDICT_SPACE,
        COUNT_UNKNOWN,
        PREDICT_BYTES,
        CODE_POINT,
        PREDICT_TOKENS,
        CHOOSE_BYTES,
        CHOOSE_LOST,
        MEND_PRINTABLE,
        MEND_DECODER,
        WRITE_STREAM,
    ),
    QUESTIONS,
)
