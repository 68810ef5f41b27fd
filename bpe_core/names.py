"""The same things in many languages: own sentences, CLDR's names, published premiums.

A cost across languages can only be compared on texts that say the same. Two such sources
come with the course: sentences written for it (``data/parallel``), and the names of
countries and languages that the Unicode project CLDR keeps, through the package Babel.
"""

from functools import cache
from typing import NamedTuple

from .datasets import read_table


class Language(NamedTuple):
    """A language of the own sentences.

    Attributes:
        code: its CLDR code. Indonesian is ``id_ID``, because the column ``id`` is the row's number.
        name: its English name, from CLDR.
        script: the script it is written in.
        spaced: whether spaces separate its words.
    """

    code: str
    name: str
    script: str
    spaced: bool


SCRIPTS = {
    code: script
    for script, codes in {
        "Latin": "en es fr de pt it vi tr sw yo fi id_ID pl",
        "Cyrillic": "ru uk",
        "Greek": "el",
        "Arabic": "ar fa",
        "Hebrew": "he",
        "Devanagari": "hi",
        "Bengali": "bn",
        "Tamil": "ta",
        "Telugu": "te",
        "Thai": "th",
        "Myanmar": "my",
        "Khmer": "km",
        "Ethiopic": "am",
        "Georgian": "ka",
        "Armenian": "hy",
        "Han": "zh",
        "Japanese": "ja",
        "Hangul": "ko",
    }.items()
    for code in codes.split()
}

# No spaces between words; in Vietnamese a space stands between syllables.
NOT_SPACED = frozenset("zh ja th my km vi".split())

# Codes that name no territory: unknown, unions, outlying islands, test codes.
NO_TERRITORIES = frozenset("ZZ EU QO XA XB UN EZ".split())
# Two-letter languages that CLDR names in English but not in all of the languages above.
RARELY_NAMED = frozenset("aa ae cr ho ik kg oj pi sh tl tw".split())
KINDS = ("territories", "languages")


def parallel_sentences() -> dict[str, list[str]]:
    """Return the own sentences, {language code: sentences}, aligned: number 5 says the same in each.

    Example:
        >>> sentences = parallel_sentences()
        >>> sentences["en"][27]
        'Please send me a message when you get home.'
        >>> sentences["fr"][27]
        "Envoie-moi un message quand tu seras rentré, s'il te plaît."
    """
    rows = read_table("parallel/sentences.csv")
    return {code: [row[code] for row in rows] for code in rows[0] if code not in ("id", "topic")}


@cache
def languages() -> dict[str, Language]:
    """Return what is known of the languages of the own sentences, {code: Language}, English first.

    Example:
        >>> languages()["ka"]
        Language(code='ka', name='Georgian', script='Georgian', spaced=True)
    """
    english = _locale("en").languages
    return {
        code: Language(code, english[code.partition("_")[0]], SCRIPTS[code], code not in NOT_SPACED)
        for code in parallel_sentences()
    }


def language(code: str) -> Language:
    """Return what is known of one language of the own sentences.

    Raises:
        ValueError: there are no own sentences in it.

    Example:
        >>> language("zh").spaced
        False
    """
    known = languages()
    if code not in known:
        hint = "; Indonesian is 'id_ID'" if code == "id" else ""
        raise ValueError(f"language is {code!r}; it must be one of {', '.join(known)}{hint}")
    return known[code]


def _locale(code: str):
    from babel import Locale, UnknownLocaleError  # here, because importing bpe_core stays light

    try:
        return Locale.parse(code)
    except (UnknownLocaleError, ValueError, TypeError):
        raise ValueError(f"code is {code!r}, which is no locale of CLDR, such as 'hi' or 'pt_PT'") from None


@cache
def cldr_codes(kind: str = "territories") -> tuple[str, ...]:
    """Return the codes whose names are compared, in Babel's order.

    Args:
        kind: ``"territories"``: countries and other territories with a code of two letters,
            257 in Babel 2.19. ``"languages"``: languages with one, 173.

    Raises:
        ValueError: the kind is neither.

    Example:
        >>> cldr_codes()[:3]
        ('AC', 'AD', 'AE')
    """
    if kind not in KINDS:
        raise ValueError(f"kind is {kind!r}; it must be one of {', '.join(map(repr, KINDS))}")
    left_out = NO_TERRITORIES if kind == "territories" else RARELY_NAMED
    return tuple(code for code in getattr(_locale("en"), kind) if len(code) == 2 and code not in left_out)


def cldr_names(code: str, kind: str = "territories") -> list[str]:
    """Return the names of all territories, or of languages, in one language.

    Args:
        code: a CLDR locale; far more than the languages of the own sentences will do.
        kind: ``"territories"`` or ``"languages"``, see ``cldr_codes``.

    Returns:
        The names, aligned: place 12 is the same territory in each language.

    Raises:
        ValueError: CLDR has no such locale, or lacks a name in it.

    Example:
        >>> cldr_names("es")[:3]
        ['Isla de la Ascensión', 'Andorra', 'Emiratos Árabes Unidos']

    Source: Unicode CLDR (Unicode License v3), through Babel.
    """
    codes = cldr_codes(kind)
    names = getattr(_locale(code), kind)
    if missing := [c for c in codes if c not in names]:
        raise ValueError(
            f"code is {code!r}, for which CLDR lacks {len(missing)} names of {kind}, the first {missing[0]}"
        )
    return [names[c] for c in codes]


def cldr_text(code: str, kind: str = "territories") -> str:
    """Return the names of ``cldr_names`` as one text, joined by "; ".

    Example:
        >>> cldr_text("es")[:29]
        'Isla de la Ascensión; Andorra'
    """
    return "; ".join(cldr_names(code, kind))


def published_premiums(method: str = "mean of ratios") -> dict[str, dict[str, float]]:
    """Return published premiums against English on FLORES-200, {tokenizer: {code: premium}}.

    Args:
        method: ``"mean of ratios"``: four tokenizers, each sentence's ratio averaged;
            ``"ratio of totals"``: GPT-2 and GPT-4 only, as ``costs.premium`` counts.

    Raises:
        ValueError: the method is neither.

    Example:
        >>> published_premiums()["gpt2"]["my"], published_premiums("ratio of totals")["gpt2"]["my"]
        (17.1, 16.89)

    Source: each row of data/flores_premiums.csv names its own.
    """
    rows = [row for row in read_table("flores_premiums.csv") if row["method"] == method]
    if not rows:
        raise ValueError(f"method is {method!r}; it must be 'mean of ratios' or 'ratio of totals'")
    return {
        tokenizer: {row["code"]: float(row["premium"]) for row in rows if row["tokenizer"] == tokenizer}
        for tokenizer in dict.fromkeys(row["tokenizer"] for row in rows)
    }
