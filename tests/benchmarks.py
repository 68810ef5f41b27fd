"""Benchmarks: each figure is a ratio against a peer in the same run. Run with make bench."""

import os
import pydoc_data.topics
import subprocess
import sys
import time

from bpe_core import ByteBPE
from bpe_core.pairs import learn_merges_naively
from bpe_core.patterns import split


def seconds(call):
    """Return how long a call takes, the best of three, and what it gave."""
    best = float("inf")
    for _ in range(3):
        begin = time.perf_counter()
        result = call()
        best = min(best, time.perf_counter() - begin)
        if best > 5:
            break
    return best, result


def training(text, naive_merges=40):
    """Time the fast trainer against the naive loop and Hugging Face tokenizers."""
    from collections import Counter

    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

    from bpe_core.patterns import pattern_regex

    ours, tokenizer = seconds(lambda: ByteBPE.train(text, 2000, pattern="cl100k"))

    words = {}
    for piece, count in Counter(split(text, "cl100k")).items():
        words[tuple(bytes([byte]) for byte in piece.encode("utf-8"))] = count
    base = [bytes([byte]) for byte in range(256)]
    begin = time.perf_counter()
    merges = learn_merges_naively(words, naive_merges, "lowest_id", base=base)
    one_merge = (time.perf_counter() - begin) / naive_merges
    assert [merge.new for merge in merges] == [tokenizer.vocab[merge.new] for merge in tokenizer.history[:naive_merges]]
    naive = one_merge * len(tokenizer.history)

    def theirs():
        peer = Tokenizer(models.BPE())
        byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        expression = pattern_regex("cl100k").replace(r"\Z", r"\z")
        peer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(expression), "isolated"), byte_level])
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        peer.train_from_iterator(
            [text], trainers.BpeTrainer(vocab_size=2000, initial_alphabet=alphabet, show_progress=False)
        )
        return peer

    hugging_face, _ = seconds(theirs)
    print(f"training {len(text):,} characters, cl100k pattern, 2,000 ids")
    print(f"  this course          {ours:8.2f} s")
    print(
        f"  naive loop           {naive:8.2f} s  {naive / ours:6.0f} times as long ({naive_merges} merges timed, scaled)"
    )
    print(f"  Hugging Face         {hugging_face:8.2f} s  {hugging_face / ours:6.2f} times as long")
    for name, train in rust_peers(text).items():
        peer, _ = seconds(train)
        print(f"  {name:20} {peer:8.2f} s  {peer / ours:6.2f} times as long")
    return tokenizer


def rust_peers(text):
    """Return {name: training} of the peers in the extra "bench", where they are installed."""
    from bpe_core.patterns import pattern_regex

    expression = pattern_regex("cl100k").replace(r"\Z", r"\z")
    peers = {}
    try:
        import rustbpe

        peers["rustbpe"] = lambda: rustbpe.Tokenizer().train_from_iterator(iter([text]), 2000, pattern=expression)
    except ImportError:
        print("  (rustbpe is not installed)")
    try:
        import bpeasy

        peers["bpeasy"] = lambda: bpeasy.train_bpe(iter([text]), expression, 128, 2000)
    except ImportError:
        print("  (bpeasy is not installed)")
    return peers


def encoding(text, tokenizer):
    """Time encoding against tiktoken on the same vocabulary."""
    import tiktoken

    ranks = {token: i for i, token in tokenizer.vocab.items()}
    from bpe_core.patterns import pattern_regex

    expression = pattern_regex("cl100k").replace(r"\Z", "$")
    peer = tiktoken.Encoding("peer", pat_str=expression, mergeable_ranks=ranks, special_tokens={})
    theirs, expected = seconds(lambda: peer.encode_ordinary(text))
    tokenizer._cache.clear()
    begin = time.perf_counter()
    ids = tokenizer.encode_ordinary(text)
    cold = time.perf_counter() - begin
    warm, _ = seconds(lambda: tokenizer.encode_ordinary(text))
    assert ids == expected
    print(f"encoding the same text, {len(ids):,} ids, equal to tiktoken's")
    print(f"  tiktoken             {theirs:8.3f} s")
    print(f"  this course, cold    {cold:8.3f} s  {cold / theirs:6.2f} times as long")
    print(f"  this course, warm    {warm:8.3f} s  {warm / theirs:6.2f} times as long")
    run, ids = seconds(lambda: tokenizer.encode("e" * 1_000_000))
    print(f"encoding 1,000,000 equal letters: {run:.2f} s, {len(ids):,} ids")


STREAM = """
import sys
from bpe_core import ByteBPE
import pydoc_data.topics
text = "".join(pydoc_data.topics.topics.values())
pattern = sys.argv[1] if sys.argv[1] != "None" else None
tokenizer = ByteBPE.train(text[:100_000], 1000, pattern=pattern)
def parts():
    left = 50_000_000
    while left > 0:
        yield text
        left -= len(text)
count = sum(1 for _ in tokenizer.encode_iterable(parts()))
# Not getrusage: on Linux a child process begins with its parent's peak.
with open("/proc/self/status", encoding="utf-8") as status:
    memory = next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))
print(f"  pattern {pattern}: {count:,} ids, {memory} MB at most")
"""


def streaming():
    """Encode 50 MB from an iterator in a process of its own, and read its peak memory."""
    if not os.path.exists("/proc/self/status"):
        print("encode_iterable on 50 MB: not measured, this system does not tell peak memory in /proc")
        return
    print("encode_iterable on 50 MB", flush=True)
    for pattern in ("cl100k", "None"):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", STREAM, pattern], check=True)
        print(f"    {time.perf_counter() - begin:.1f} s")


def main():
    """Run all benchmarks."""
    text = "".join(pydoc_data.topics.topics.values())
    tokenizer = training(text)
    encoding(text, tokenizer)
    sys.stdout.flush()
    streaming()


if __name__ == "__main__":
    main()
