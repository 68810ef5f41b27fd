"""The course's texts: a toy corpus, prose and code from data/, real word counts.

Nothing is downloaded. The prose and the code were written for this course and lie in
``data/corpora``; the word counts come with the package wordfreq.
"""

import os
from functools import cache
from pathlib import Path

TOY_WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


def data_folder() -> Path:
    """Return the folder data/ of the course.

    It lies beside the package, as in a clone of the repository. The environment variable
    BPE_COURSE_DATA names another place.

    Raises:
        FileNotFoundError: there is no such folder.
    """
    folder = Path(os.environ.get("BPE_COURSE_DATA") or Path(__file__).resolve().parent.parent / "data")
    if not folder.is_dir():
        raise FileNotFoundError(
            f"the course's data folder is not at {folder}; install from a clone of the repository "
            "with pip install -e . or set BPE_COURSE_DATA to the folder data/"
        )
    return folder


def toy_words() -> dict[str, int]:
    """Return the toy corpus of the 2016 paper: four words and how often they occur.

    Example:
        >>> toy_words()
        {'low': 5, 'lower': 2, 'newest': 6, 'widest': 3}

    Source: Sennrich, Haddow and Birch (2016), Algorithm 1.
    """
    return dict(TOY_WORDS)


def genres() -> list[str]:
    """Return the names of the pieces of prose, sorted.

    Example:
        >>> genres()
        ['letters', 'manual', 'news', 'recipes', 'science', 'story', 'talk']
    """
    return sorted(path.stem for path in (data_folder() / "corpora" / "prose").glob("*.txt"))


def prose(genre: str | None = None) -> str:
    """Return one piece of English prose, or all of them in the order of their names.

    Args:
        genre: a name from ``genres()``, or None for everything (about 76,000 characters).

    Raises:
        ValueError: there is no such genre.

    Example:
        >>> len(prose().encode("utf-8"))
        76152
    """
    if genre is None:
        return "\n\n".join(prose(name) for name in genres())
    if genre not in genres():
        raise ValueError(f"genre is {genre!r}; it must be one of {', '.join(genres())}")
    return read_text(data_folder() / "corpora" / "prose" / f"{genre}.txt")


def code_files() -> dict[str, str]:
    """Return the source files written for the course, {file name: text}.

    Example:
        >>> sorted(code_files())
        ['inventory.py', 'matrix.js', 'queue.c', 'styles_and_page.html', 'text_tools.py']
    """
    folder = data_folder() / "corpora" / "code"
    return {path.name: read_text(path) for path in sorted(folder.iterdir()) if path.is_file()}


def read_text(path: Path) -> str:
    r"""Read a UTF-8 file as it is: ``open`` would turn ``\r\n`` into ``\n`` by default."""
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


@cache
def _word_counts(language: str, wordlist: str) -> dict[str, int]:
    import wordfreq  # here, because importing bpe_core stays light

    lists = wordfreq.available_languages(wordlist)
    if not lists:
        raise ValueError(f"wordlist is {wordlist!r}; it must be 'small' or 'large'")
    if language not in lists:
        raise ValueError(f"language is {language!r}; the {wordlist} lists are {', '.join(sorted(lists))}")
    counts = {}
    for word, frequency in wordfreq.get_frequency_dict(language, wordlist).items():
        if word.split() != [word] or any(character.isdigit() for character in word):
            continue  # the lists write every digit as 0, so 1984 and 2026 are one "word", 0000
        if count := round(frequency * 1e9):
            counts[word] = count
    return counts


def word_counts(language: str = "en", *, wordlist: str = "small", most_frequent: int | None = None) -> dict[str, int]:
    """Return how often real words occur, per billion words of running text.

    The numbers are wordfreq's estimates, which it rounds to steps of about 2%, so many words
    have equal counts. Entries with digits are left out.

    Args:
        language: a language of wordfreq, such as ``"en"`` or ``"ru"``.
        wordlist: ``"small"`` (words that occur once in a million or more) or ``"large"``.
        most_frequent: only so many words; None for all.

    Returns:
        {word: count}, the most frequent words first, equals in alphabetical order.

    Raises:
        ValueError: wordfreq has no such list.

    Example:
        >>> counts = word_counts("en", most_frequent=3)
        >>> counts
        {'the': 53703180, 'to': 26915348, 'and': 25703958}

    Source: Robyn Speer, wordfreq 3.1.1 (2022), CC BY-SA 4.0; the lists are frozen.
    """
    counts = _word_counts(language, wordlist)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return dict(ordered[:most_frequent])
