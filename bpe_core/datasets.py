"""The course's texts and tables: a toy corpus, prose and code from data/, real word counts.

Nothing is downloaded. The prose and the code were written for this course and lie in
``data/corpora``; the word counts in ``data/word_counts`` are an extract of wordfreq's.
"""

import csv
import io
import os
import re
from collections.abc import Mapping
from functools import cache
from itertools import islice
from pathlib import Path

LARGE_LISTS = ("en",)  # files that hold the large list; it begins with the small one
ONCE_IN_A_MILLION = 1000  # of a billion words: the words of the small lists are more frequent

# The columns that code reads in the tables that learners may edit, and what their cells hold.
CELLS = {"text": ".+", "number": r"(?i)\d*\.?\d+(e[-+]?\d+)?", "whole number": r"\d+"}
TABLES = {
    "prices.csv": {
        "model": "text",
        "tokenizer": "text",
        "input_per_million": "number",
        "output_per_million": "number",
        "context": "whole number",
        "date": "text",
    },
    "models.csv": {
        "model": "text",
        "vocabulary_size": "whole number",
        "width": "whole number",
        "parameters": "whole number",
        "active_parameters": "whole number",
        "tied_embeddings": "text",
    },
    "flores_premiums.csv": {"code": "text", "tokenizer": "text", "premium": "number", "method": "text"},
}


def data_folder() -> Path:
    """Return the folder data/ of the course.

    It lies beside the package in a clone of the repository, and inside it where a wheel was
    installed. The environment variable BPE_COURSE_DATA names another place.

    Raises:
        FileNotFoundError: there is no such folder.
    """
    package = Path(__file__).resolve().parent
    inside = package / "_data"
    folder = Path(os.environ.get("BPE_COURSE_DATA") or (inside if inside.is_dir() else package.parent / "data"))
    if not folder.is_dir():
        raise FileNotFoundError(
            f"the course's data folder is not at {folder}; install the course again, or set "
            "BPE_COURSE_DATA to the folder data/ of its repository"
        )
    return folder


def toy_words() -> dict[str, int]:
    """Return the toy corpus of the 2016 paper: four words and how often they occur.

    Example:
        >>> toy_words()
        {'low': 5, 'lower': 2, 'newest': 6, 'widest': 3}

    Source: Sennrich, Haddow and Birch (2016), Algorithm 1.
    """
    return {"low": 5, "lower": 2, "newest": 6, "widest": 3}


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


def read_text(path: str | os.PathLike) -> str:
    r"""Read a UTF-8 file as it is: ``open`` would turn ``\r\n`` into ``\n`` by default.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is not UTF-8; it names the file and the byte.

    Example:
        >>> len(read_text(data_folder() / "corpora" / "prose" / "news.txt"))
        10491
    """
    try:
        return Path(path).read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text (byte {error.start}); save it as UTF-8") from None


def read_table(name: str | os.PathLike, columns: Mapping[str, str] | None = None) -> list[dict[str, str]]:
    """Read a CSV file as a list of rows; every cell is a str.

    A file that Excel saved as "CSV UTF-8" is read too: it begins with a mark, and in many
    countries has semicolons between the cells and commas in the numbers (2,50), which become
    points here.

    Args:
        name: a file of data/, such as ``"prices.csv"``; anything else, or a Path, is the path
            of a file of your own.
        columns: the columns that must be there, {name: a key of CELLS}; by default those that
            TABLES has for a file of this name.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is not UTF-8, a column is missing, a row has more or fewer cells than
            the header, or a cell holds something else than it must; it names file, line and column.

    Example:
        >>> read_table("prices.csv")[0]["tokenizer"]
        'cl100k_base'
    """
    path = data_folder() / name
    if isinstance(name, os.PathLike) or not path.is_file():
        path = Path(name)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 (byte {error.start}); save it as CSV UTF-8") from None
    header = text.partition("\n")[0]
    semicolons = header.count(";") > header.count(",")
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=";" if semicolons else ",")
    rows = []
    for row in reader:
        place = f"{path}, line {reader.line_num}"
        if None in row or None in row.values():
            raise ValueError(f"{place}: more or fewer cells than the {len(reader.fieldnames)} of the header")
        if semicolons:
            row = {column: re.sub(r"^(\d+),(\d+)$", r"\1.\2", cell) for column, cell in row.items()}
        if any(row.values()):  # else it was emptied
            rows.append(check_row(row, TABLES.get(path.name, {}) if columns is None else columns, place))
    return rows


def check_row(row: Mapping, columns: Mapping[str, str], place: str) -> Mapping:
    """Return a row of a table, or raise ValueError for a column that is missing or a wrong cell.

    Example:
        >>> check_row({"model": "mine", "price": "2,50"}, {"price": "number"}, "prices.csv, line 2")
        Traceback (most recent call last):
        ValueError: prices.csv, line 2, column price: '2,50' is no number, such as 2.50
    """
    for column, kind in columns.items():
        if column not in row:
            raise ValueError(f"{place}: the column {column} is missing; there are {', '.join(map(str, row))}")
        if not re.fullmatch(CELLS[kind], str(row[column])):
            example = {"number": ", such as 2.50", "whole number": ", such as 128000"}.get(kind, "")
            raise ValueError(f"{place}, column {column}: {row[column]!r} is no {kind}{example}")
    return row


@cache
def _word_counts(language: str) -> dict[str, int]:
    lines = read_text(data_folder() / "word_counts" / f"{language}.txt").splitlines()
    return {word: int(count) for count, *words in map(str.split, lines) for word in words}


def word_counts(language: str = "en", *, wordlist: str = "small", most_frequent: int | None = None) -> dict[str, int]:
    """Return how often real words occur, per billion words of running text.

    The numbers are wordfreq's estimates, which it rounds to steps of about 2%, so many words
    have equal counts. Entries with digits are left out.

    Args:
        language: one of the 23 whose lists are in ``data/word_counts``, such as ``"en"`` or ``"ru"``.
        wordlist: ``"small"`` (words that occur more than once in a million) or, for English,
            ``"large"``.
        most_frequent: only so many words; None for all.

    Returns:
        {word: count}, the most frequent words first, equals in alphabetical order.

    Raises:
        ValueError: there is no such list.

    Example:
        >>> counts = word_counts("en", most_frequent=3)
        >>> counts
        {'the': 53703180, 'to': 26915348, 'and': 25703958}

    Source: Robyn Speer, wordfreq 3.1.1 (2022), CC BY-SA 4.0; the lists are frozen.
    """
    if wordlist not in ("small", "large"):
        raise ValueError(f"wordlist is {wordlist!r}; it must be 'small' or 'large'")
    here = sorted(path.stem for path in (data_folder() / "word_counts").glob("*.txt"))
    lists = here if wordlist == "small" else [code for code in here if code in LARGE_LISTS]
    if language not in lists:
        raise ValueError(f"language is {language!r}; the {wordlist} lists that are here are {', '.join(lists)}")
    least = ONCE_IN_A_MILLION if wordlist == "small" else 0
    counts = ((word, count) for word, count in _word_counts(language).items() if count > least)
    return dict(islice(counts, most_frequent))
