"""Counting the pieces of many files at once, on Dask.

Counts of parts add up to the counts of the whole, so each worker counts a block of a file and only
counts travel. A block ends at a place where the pattern cuts whatever follows; where such places
are not known, a block is a whole file.

Needs the extra ``scale``: ``pip install -e ".[scale]"``. A script that calls ``count_words`` does so
under ``if __name__ == "__main__":``, since workers are processes that import it.
"""

import codecs
import os
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from typing import BinaryIO

import regex
from tqdm import tqdm

from .checks import check_special_names, check_whole_number
from .patterns import PATTERNS, compile_pattern, name_of, pattern_regex, splitter_of
from .patterns import count_words as count_in_one_process

try:
    from distributed import Client, as_completed
except ImportError:  # the functions that need no cluster still work
    Client = None

BLOCK = 1 << 23  # bytes that a worker reads at once; cut into pieces they take some twenty times as much

# Behind a line end that stands alone, before a visible character other than "/"; or before a space behind a
# visible character. The four named patterns cut there, and what they do on one side rests on that side alone.
_BETWEEN_WORDS = r"(?<=\S\n)(?=[^\s/])|(?<=\S)(?= )"


def count_words(
    files: Iterable[str | os.PathLike],
    pattern: str | None,
    *,
    special_tokens: Iterable[str] = (),
    scheduler: str | None = None,
    on_error: str = "stop",
    workers: int = 2,
    progress: bool = True,
) -> Counter:
    """Count the pieces of many text files, as ``patterns.count_words`` does, in several processes.

    Args:
        files: their paths; UTF-8, read with the line ends that they have. A remote worker must see them too.
        pattern: how text is cut, as in ``ByteBPE.train``. With a named pattern large files are counted in
            blocks of 8 MB, and memory is bounded by the counts; with another one a block ends at a
            special token, or is a whole file.
        special_tokens: cut out first, and not counted.
        scheduler: the address of a Dask scheduler; None starts a cluster on this machine and ends it.
        on_error: "stop" at a file that is missing or no UTF-8 text, or "skip" it with a warning.
        workers: processes of the cluster on this machine.
        progress: show a bar.

    Returns:
        Counter {piece: count}, for ``ByteBPE.train_on_counts``.

    Raises:
        ImportError: Dask is not there.
        TypeError, ValueError: an argument is not as said above, or a file is no UTF-8 text.
        OSError: a file cannot be read.

    Example:
        >>> count_words(["README.md"], "gpt2", workers=0)
        Traceback (most recent call last):
        ...
        ValueError: workers is 0; it must be 1 or more
    """
    check_whole_number("workers", workers, least=1)
    if on_error not in ("stop", "skip"):
        raise ValueError(f"on_error is {on_error!r}; it must be 'stop' or 'skip'")
    if isinstance(files, (str, os.PathLike)):
        raise TypeError("files is one path; it must be an iterable of paths, such as a list")
    special_tokens = check_special_names(special_tokens)
    if pattern is not None and splitter_of(pattern).match(""):
        raise ValueError(f"pattern {pattern!r} matches the empty string; write + in place of *")
    if Client is None:
        raise ImportError('counting on several processes needs Dask: pip install -e ".[scale]"')
    local = {} if scheduler else {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
    with Client(scheduler, **local) as client:
        return _count(client, files, pattern, special_tokens, on_error, progress)


def _count(client, files: Iterable, pattern, special_tokens: list[str], on_error: str, progress: bool) -> Counter:
    paths, wrong, blocks = list(map(os.fspath, files)), {}, []
    for number, path in enumerate(paths):
        try:
            blocks += [(number, path, *block) for block in _blocks(path, _places_to_cut(pattern, special_tokens))]
        except OSError as error:
            wrong[number] = error
    left, counts_of = Counter(block[0] for block in blocks), {}
    futures = client.map(_count_block, blocks, pattern=pattern, special_tokens=special_tokens, pure=False)
    total, done = Counter(), as_completed(futures, with_results=True)
    try:
        for future, (number, counts, error) in tqdm(done, disable=not progress, total=len(futures), unit="block"):
            future.release()  # no worker keeps what is added already
            wrong |= {number: error} if error else {}
            if wrong and on_error == "stop":
                break
            counts_of.setdefault(number, Counter()).update(counts)
            left[number] -= 1
            if not left[number]:
                counts = counts_of.pop(number)
                total.update(counts if number not in wrong else {})  # no part of a file that is wrong somewhere
    finally:
        client.cancel(futures)
    if wrong and on_error == "stop":
        raise wrong[min(wrong)]
    for number in sorted(wrong):
        warnings.warn(f"{paths[number]} is not counted: {wrong[number]}", stacklevel=3)
    return total


def _count_block(block: tuple, pattern: str | None, special_tokens: list[str]) -> tuple:
    # Runs in a worker; gives back (number, counts, error).
    number, path, begin, end = block
    try:
        with open(path, "rb") as file:
            file.seek(begin)
            text = file.read(end - begin).decode("utf-8")
        return number, count_in_one_process(text, pattern, special_tokens=special_tokens), None
    except UnicodeDecodeError as error:
        return number, {}, ValueError(f"{path} is not UTF-8 text (byte {begin + error.start:,})")
    except OSError as error:
        return number, {}, error


def _places_to_cut(pattern: str | None, special_tokens: list[str]) -> regex.Pattern | None:
    # What finds places where a text can be cut into parts that are counted apart; None: nowhere.
    if name_of(pattern_regex(pattern)) in PATTERNS and not any(map(str.isspace, "".join(special_tokens))):
        return compile_pattern(_BETWEEN_WORDS)
    overlapping = any(
        one[i:].startswith(other) or other.startswith(one[i:])
        for one, other in product(special_tokens, repeat=2)
        for i in range(1, len(one))
    )
    names = "|".join(map(regex.escape, special_tokens))
    return compile_pattern(f"(?={names})") if names and not overlapping else None


def _blocks(path: str, cuts: regex.Pattern | None) -> Iterator[tuple[int, int]]:
    # Where blocks begin and end, in bytes.
    with open(path, "rb") as file:
        begin, size = 0, file.seek(0, os.SEEK_END)
        while begin < size:
            end = size if cuts is None else min(size, _first_cut(file, begin + BLOCK, cuts))
            yield begin, end
            begin = end


def _first_cut(file: BinaryIO, place: int, cuts: regex.Pattern) -> int:
    # The first place to cut behind this byte of the file, or the file's end.
    window = 1 << 12
    while True:
        file.seek(place - 1)
        data = file.read(window)
        lead = next((i for i, byte in enumerate(data) if byte & 0xC0 != 0x80), 0)  # where a character begins
        # Bytes that are no UTF-8 stand for themselves here, and a character cut off at the end is left out.
        text = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode(data[lead:])
        if match := cuts.search(text, 2):  # two characters to look back at
            return place - 1 + lead + len(text[: match.start()].encode("utf-8", "surrogateescape"))
        if len(data) < window:
            return place - 1 + len(data)
        window *= 2
