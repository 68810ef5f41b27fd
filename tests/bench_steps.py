"""What each step from the naive loop to the library gains: python tests/benchmarks.py --steps."""

import csv
import time
from collections import Counter

from benchmarks import (
    OURS,
    OUTPUT,
    encode_minbpes_way,
    gigatoken_of,
    huggingface_of,
    in_parts,
    known,
    train_minbpes_way,
    trainers,
)

from bpe_core import ByteBPE, load, to_tiktoken
from bpe_core.encoding import JoinedRanks, apply_merges, fuse_bytes
from bpe_core.pairs import learn_merges_naively
from bpe_core.patterns import count_words, split, splitter_of


def timed(call, repeat):
    """Return the least time of so many calls, in seconds, and the result."""
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - begin)
    return min(times), result


def ladder(title, steps):
    """Run [(name, call, repeat)] from slow to fast; print what each gains on the one before and on the first.

    A call that gives None is a library, whose result is compared elsewhere. Returns rows for a CSV file.
    """
    print(f"\n{title}\n  {'':52} {'seconds':>9} {'step':>7} {'in all':>7}   (less is better; gains: more is better)")
    first = last = expected = None
    rows = []
    for name, call, repeat in steps:
        seconds, result = timed(call, repeat)
        first, last = first or seconds, last or seconds
        expected = expected or result
        differs = "" if result in (None, expected) else "   THE RESULT DIFFERS"
        print(f"  {name:52} {seconds:9.3f} {last / seconds:7.1f} {first / seconds:7.1f}{differs}", flush=True)
        last = seconds
        rows.append((title, name, f"{seconds:.4f}"))
    return rows


def count_with_regex(text):
    """Count pieces as ``count_words`` does, all cut by the regex module."""
    counts = Counter(splitter_of("cl100k").findall(text))
    return Counter({piece.encode("utf-8").decode("latin-1"): n for piece, n in counts.items()})


def training_steps(text, vocab_size=600):
    """Learn the same merges in four ways."""
    base = [bytes([byte]) for byte in range(256)]

    def each_occurrence():
        # The first among equals wins there, so only the number of merges is compared.
        return len(train_minbpes_way(text, vocab_size, "cl100k"))

    def each_different_piece():
        words = {}
        for piece, count in Counter(splitter_of("cl100k").findall(text)).items():
            words[tuple(bytes([byte]) for byte in piece.encode("utf-8"))] = count
        return len(learn_merges_naively(words, vocab_size - 256, "lowest_id", base=base))

    def corrected_counts():
        return len(ByteBPE.train_on_counts(count_with_regex(text), vocab_size, pattern="cl100k").history)

    def ascii_by_re():
        return len(ByteBPE.train(text, vocab_size, pattern="cl100k").history)

    libraries = trainers(in_parts(text), vocab_size)
    del libraries[OURS]
    return ladder(
        f"training, {len(text):,} characters, {vocab_size} ids",
        [
            ("every occurrence of a piece, counted anew each time", each_occurrence, 1),
            ("each different piece once, with its frequency", each_different_piece, 1),
            ("counts corrected around each merge, words in str", corrected_counts, 5),
            ("ASCII cut by re", ascii_by_re, 5),
            *((name, call, 5) for name, call in libraries.items()),
        ],
    )


def encoding_steps(text):
    """Encode the same text in seven ways; the last is the library's."""
    tokenizer = load("cl100k_base")
    tokenizer.merges  # noqa: B018  worked out when first asked for: not part of any step
    pattern, ids_of = splitter_of("cl100k"), tokenizer.id_of
    ranks = JoinedRanks(tokenizer.vocab, ids_of)

    def by_ids(piece):
        return apply_merges(tokenizer.base_symbols(piece), ranks, tokenizer.results)

    def lowest_rank():
        return [i for piece in pattern.findall(text) for i in by_ids(piece)]

    def with_cache(encode_piece):
        cache, ids = {}, []
        for piece in pattern.findall(text):
            if piece not in cache:
                cache[piece] = encode_piece(piece)
            ids += cache[piece]
        return ids

    def whole_or(merge):
        def encode_piece(piece):
            data = piece.encode("utf-8")
            return [ids_of[data]] if data in ids_of else merge(piece)

        return encode_piece

    def slices(piece):
        return fuse_bytes(piece.encode("utf-8"), ids_of)

    def library():
        tokenizer._cache.clear()
        return tokenizer.encode_ordinary(text)

    return ladder(
        f"encoding, {len(text):,} characters, cl100k",
        [
            ("all pairs of a piece, again for each merge", lambda: encode_minbpes_way(text, tokenizer), 1),
            ("only the pairs beside a merge looked up again", lowest_rank, 3),
            ("each different piece once", lambda: with_cache(by_ids), 3),
            ("a piece that is a token taken whole", lambda: with_cache(whole_or(by_ids)), 3),
            ("merging on slices of bytes", lambda: with_cache(whole_or(slices)), 3),
            ("no call for a known piece, ASCII cut by re (cold)", library, 3),
            ("the same, warm", lambda: tokenizer.encode_ordinary(text), 3),
            *((name, lambda call=call: [call(text)].clear(), 5) for name, call in encoders(tokenizer).items()),
        ],
    )


def encoders(tokenizer):
    """Return {name with version: encode} of the libraries that are installed."""
    calls = {}
    if label := known("tokenizers"):
        calls[label] = huggingface_of(tokenizer).encode
    if label := known("tiktoken"):
        calls[label] = to_tiktoken(tokenizer).encode_ordinary
    if label := known("gigatoken"):
        calls[label] = gigatoken_of(tokenizer).encode
    return calls


def decoding_steps(text):
    """Decode the same ids in three ways."""
    tokenizer = load("cl100k_base")
    ids = tokenizer.encode_ordinary(text)
    return ladder(
        f"decoding, {len(ids):,} ids, cl100k",
        [
            ("bytes added one token at a time", lambda: _added_up(ids, tokenizer), 1),
            ("a checked look-up for each id, one join", lambda: _joined(ids, tokenizer), 3),
            ("all types checked at once, str joined", lambda: tokenizer.decode(ids), 3),
        ],
    )


def _added_up(ids, tokenizer):
    data = bytearray()
    for i in ids:
        data += tokenizer._bytes_of(i)
    return bytes(data).decode("utf-8", "replace")


def _joined(ids, tokenizer):
    return b"".join(map(tokenizer._bytes_of, ids)).decode("utf-8", "replace")


def shares(text):
    """Print where the time of warm and cold encoding and of training goes."""
    tokenizer = load("cl100k_base")
    cutting, pieces = timed(lambda: split(text, "cl100k"), 3)
    different = set(pieces)
    merging, _ = timed(lambda: [tokenizer._merge(piece) for piece in different], 1)
    tokenizer.encode_ordinary(text)
    warm, _ = timed(lambda: tokenizer.encode_ordinary(text), 3)
    counting, words = timed(lambda: count_words(text, "cl100k"), 3)
    learning, _ = timed(lambda: ByteBPE.train_on_counts(words, 8_000, pattern="cl100k"), 1)
    print(f"\nwhere the time goes, {len(text):,} characters, {len(pieces):,} pieces, {len(different):,} different")
    print(f"  encoding: cutting {cutting:.3f} s, looking up {warm - cutting:.3f} s, merging new pieces {merging:.3f} s")
    print(f"    ({merging / len(different) * 1e6:.1f} microseconds a new piece)")
    print(f"  training to 8,000 ids: cutting and counting {counting:.3f} s, learning {learning:.3f} s", flush=True)


def steps(text):
    """Show all ladders, and write them to dist/bench/steps.csv: data/speed.csv is one such run."""
    rows = training_steps(text[:200_000]) + encoding_steps(text[:1_000_000]) + decoding_steps(text[:1_000_000])
    OUTPUT.mkdir(parents=True, exist_ok=True)
    with open(OUTPUT / "steps.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("task", "step", "seconds"), *rows])
    shares(text)
