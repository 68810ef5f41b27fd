"""Makes data/word_counts from the lists of wordfreq: python tests/make_word_counts.py

It needs wordfreq 3.1.1, which the course itself does not: install it into an environment
of its own. The files that are there become the same again, byte by byte.
"""

from itertools import groupby
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "data" / "word_counts"
LANGUAGES = "ar bn de el en es fa fi fr he hi id it ja ko pl pt ru ta tr uk vi zh".split()
LARGE = ["en"]  # the whole large list; it begins with the small one


def counts_of(language: str, wordlist: str) -> list[tuple[int, str]]:
    """Return (count per billion words, word), most frequent first, equals in alphabetical order."""
    import wordfreq  # here, because pytest looks for examples in this file too, where wordfreq is missing

    counts = [
        (round(frequency * 1e9), word)
        for word, frequency in wordfreq.get_frequency_dict(language, wordlist).items()
        # The lists write every digit as 0, so 1984 and 2026 are one "word", 0000.
        if word.split() == [word] and not any(character.isdigit() for character in word)
    ]
    return sorted((pair for pair in counts if pair[0]), key=lambda pair: (-pair[0], pair[1]))


def as_text(counts: list[tuple[int, str]]) -> str:
    """Return a line for each count: the count, then all words that have it."""
    groups = groupby(counts, key=lambda pair: pair[0])
    return "".join(f"{count} {' '.join(word for _, word in pairs)}\n" for count, pairs in groups)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for language in LANGUAGES:
        counts = counts_of(language, "large" if language in LARGE else "small")
        (FOLDER / f"{language}.txt").write_bytes(as_text(counts).encode("utf-8"))
        print(f"{language}: {len(counts):,} words")
