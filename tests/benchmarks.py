"""Benchmarks against other libraries: python tests/benchmarks.py, or make bench.

Every figure is a ratio from rounds in which this course and its peers run one after the other,
so that a busy machine slows all of them. A peer that is not installed gets one line. Table and
plot are written to dist/bench. ``--steps`` shows what each step from the naive loop on gains.
"""

import argparse
import gc
import gzip
import os
import platform
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections import Counter
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from bpe_core import ByteBPE, load, save_huggingface, save_tiktoken, to_tiktoken
from bpe_core.pairs import merge_pair
from bpe_core.patterns import pattern_regex, split
from bpe_core.portable import translate

OURS = "this course"
MANUAL_PAGES = ("ru", "uk", "ja", "zh_CN", "zh_TW", "ko", "sr")  # under /usr/share/man, where Debian has them
OUTPUT = Path("dist/bench")


class Row(NamedTuple):
    """One contender of one task: its times in seconds, and for each round the ratio to ours."""

    task: str
    who: str
    seconds: list[float]
    ratios: list[float]  # their time by ours: above 1, this course is faster
    note: str = ""


# Texts


def python_source(size):
    """Return so many characters of Python's own library, of the files that are in ASCII."""
    parts = []
    for path in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py")):
        if "site-packages" in path.parts or not path.read_bytes().isascii():
            continue
        parts.append(path.read_text(encoding="ascii"))
        size -= len(parts[-1])
        if size <= 0:
            break
    return "".join(parts)[: size or None]


def manual_pages():
    """Return the manual pages of this system in other scripts, or "" where there are none."""
    parts = []
    for language in MANUAL_PAGES:
        for path in sorted(Path("/usr/share/man", language).rglob("*.gz")):
            if path.is_file() and not path.is_symlink():
                text = gzip.decompress(path.read_bytes()).decode("utf-8", "ignore")
                parts += [text] if len(text) > 500 else []  # the short ones only name another page
    return "".join(dict.fromkeys(parts))


def in_parts(text, size=100_000):
    """Return the text as a list of texts of this size."""
    return [text[i : i + size] for i in range(0, len(text), size)]


# Measuring


def race(task, rounds, contenders, before=None):
    """Let all contenders run in each round, one after the other; return a Row for each."""
    seconds = {who: [] for who in contenders}
    for _ in range(rounds):
        for who, call in contenders.items():
            if before and who in before:
                before[who]()
            gc.collect()
            gc.freeze()  # what other tasks keep is no work of this one
            begin = time.perf_counter()
            call()
            seconds[who].append(time.perf_counter() - begin)
    ours = next(iter(contenders))
    rows = []
    for who, times in seconds.items():
        rows.append(Row(task, who, times, [peer / own for peer, own in zip(times, seconds[ours])]))
    show(rows)
    return rows


def show(rows):
    """Print the rows of one task."""
    print(
        f"\n{rows[0].task}\n  seconds: less is better; times as long as {rows[0].who}: more than 1 means that it is faster"
    )
    for row in rows:
        times = f"{statistics.median(row.seconds):9.3f} s ({min(row.seconds):.3f} to {max(row.seconds):.3f})"
        ratio = f"{statistics.median(row.ratios):8.2f} times as long ({min(row.ratios):.2f} to {max(row.ratios):.2f})"
        print(f"  {row.who:34} {times:32} {ratio if row is not rows[0] else ''} {row.note}", flush=True)


def known(name):
    """Return the peer's name with its version, or None and one line where it is missing."""
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        print(f"  ({name} is not installed; make bench installs what has a wheel for this Python)")
        return None


# minbpe's way: every occurrence of every piece is kept, counted and merged again for each merge.


def train_minbpes_way(text, vocab_size, pattern):
    """Learn merges as minbpe does."""
    chunks = [list(piece.encode("utf-8")) for piece in split(text, pattern)]
    merges = {}
    for new in range(256, vocab_size):
        counts = Counter()
        for chunk in chunks:
            counts.update(zip(chunk, chunk[1:]))
        pair = max(counts, key=counts.get)
        chunks = [merge_pair(chunk, pair, new) for chunk in chunks]
        merges[pair] = new
    return merges


def encode_minbpes_way(text, tokenizer):
    """Encode as minbpe does: in each round all pairs of the piece, and the one merged first."""
    merges, ids = tokenizer.merges, []
    for piece in split(text, tokenizer.pattern):
        symbols = tokenizer.base_symbols(piece)
        while len(symbols) > 1:
            pair = min(set(zip(symbols, symbols[1:])), key=lambda pair: merges.get(pair, sys.maxsize))
            if pair not in merges:
                break
            symbols = merge_pair(symbols, pair, merges[pair])
        ids += symbols
    return ids


# Tasks


def trainers(texts, vocab_size):
    """Return {who: call} of this course and the peers that train."""
    calls = {OURS: lambda: ByteBPE.train(texts, vocab_size, pattern="cl100k")}
    expression = translate(pattern_regex("cl100k"), "tiktoken")

    def hugging_face():
        from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

        peer = Tokenizer(models.BPE())
        byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        peer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(expression), "isolated"), byte_level])
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(vocab_size=vocab_size, initial_alphabet=alphabet, show_progress=False)
        peer.train_from_iterator(iter(texts), trainer)

    def rustbpe():
        import rustbpe

        rustbpe.Tokenizer().train_from_iterator(iter(texts), vocab_size, pattern=expression)

    def bpeasy():
        import bpeasy

        bpeasy.train_bpe(iter(texts), expression, 128, vocab_size)

    for name, call in (("tokenizers", hugging_face), ("rustbpe", rustbpe), ("bpeasy", bpeasy)):
        if label := known(name):
            calls[label] = call
    return calls


def training(text, rounds):
    """Train on the whole text, and on a little of it beside the naive loop."""
    rows = []
    for vocab_size in (8_000, 32_000):
        task = f"training, {len(text):,} characters, cl100k pattern, {vocab_size:,} ids"
        rows += race(task, rounds, trainers(in_parts(text), vocab_size))
    little = text[:200_000]
    calls = {
        OURS: lambda: ByteBPE.train(little, 600, pattern="cl100k"),
        "minbpe's way": lambda: train_minbpes_way(little, 600, "cl100k"),
    }
    return rows + race(f"training, {len(little):,} characters, 600 ids", 1, calls)


def gigatoken_of(tokenizer):
    """Return a gigatoken Tokenizer of the same vocabulary, without special tokens."""
    import gigatoken

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ranks.tiktoken")
        save_tiktoken(tokenizer, path)
        return gigatoken.Tokenizer.from_tiktoken(path, pretokenizer=tokenizer.pattern)


def huggingface_of(tokenizer):
    """Return a Hugging Face Tokenizer of the same vocabulary."""
    from tokenizers import Tokenizer

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tokenizer.json")
        save_huggingface(tokenizer, path)
        return Tokenizer.from_file(str(path))


def encoding(text, what, rounds):
    """Encode and decode with the cl100k vocabulary, cold and warm."""
    tokenizer, tiktoken = load("cl100k_base"), to_tiktoken(load("cl100k_base"))

    def forget():
        tokenizer._cache.clear()
        tokenizer.pair_ranks.clear()

    def encode():
        return tokenizer.encode_ordinary(text)

    label = f"tiktoken {version('tiktoken')}"
    size = f"{len(text.encode('utf-8')):,} bytes of {what}, cl100k"
    rows = []
    calls = {OURS: encode, label: lambda: tiktoken.encode_ordinary(text)}
    rows += race(f"encoding cold (nothing cached), {size}", rounds, calls, {OURS: forget})
    if giga := known("gigatoken"):
        fastest = gigatoken_of(tokenizer)
        calls[giga] = lambda: fastest.encode(text)
        if list(fastest.encode(text)) != encode():
            print(f"  ({giga}: its ids differ)")
    rows += race(f"encoding warm, {size}", rounds, calls)
    ids = encode()
    if tiktoken.encode_ordinary(text) != ids:
        print("  (tiktoken: its ids differ)")
    calls = {OURS: lambda: tokenizer.decode(ids), label: lambda: tiktoken.decode(ids)}
    rows += race(f"decoding, {len(ids):,} ids of {what}, cl100k", rounds, calls)
    return rows


def slower_encoders(text, rounds):
    """Encode a smaller text beside minbpe's way and Hugging Face tokenizers."""
    tokenizer = load("cl100k_base")
    tokenizer.merges  # noqa: B018  worked out when first asked for: not part of the race
    calls = {
        OURS: lambda: tokenizer.encode_ordinary(text),
        "minbpe's way": lambda: encode_minbpes_way(text, tokenizer),
    }
    if label := known("tokenizers"):
        peer = huggingface_of(tokenizer)
        calls[label] = lambda: peer.encode(text)
    task = f"encoding cold (nothing cached), {len(text):,} characters, cl100k"
    return race(task, rounds, calls, {OURS: tokenizer._cache.clear})


# Memory and start, each in a process of its own

PEAK = """
# Not getrusage: on Linux a child process begins with its parent's peak.
def peak():
    with open("/proc/self/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))
"""
PROCESSES = {
    "training 10 MB to 8,000 ids, the text read a part at a time": """
from benchmarks import in_parts, python_source
from bpe_core import ByteBPE
ByteBPE.train(in_parts(python_source(10_000_000)), 8000, pattern="cl100k")
print(peak(), "MB at most, less is better")""",
    "encode_iterable, 50 MB": """
from benchmarks import python_source
from bpe_core import load
text, tokenizer = python_source(1_000_000), load("cl100k_base")
count = sum(1 for _ in tokenizer.encode_iterable(text for _ in range(50)))
print(f"{count:,} ids, {peak()} MB at most, less is better")""",
    "load o200k_base": """
import time, bpe_core
begin = time.perf_counter()
bpe_core.load("o200k_base")
print(f"{time.perf_counter() - begin:.3f} s, {peak()} MB at most, less is better")""",
    "import bpe_core": """
import time
begin = time.perf_counter()
import bpe_core
print(f"{time.perf_counter() - begin:.3f} s, less is better")""",
    "encoding 1,000,000 equal letters": """
import time, bpe_core
tokenizer = bpe_core.load("cl100k_base")
begin = time.perf_counter()
tokenizer.encode("e" * 1_000_000)
print(f"{time.perf_counter() - begin:.2f} s, less is better")""",
}


def processes(rounds):
    """Run each process a few times and print what it says."""
    print("\nmemory and start", flush=True)
    if not os.path.exists("/proc/self/status"):
        print("  (not measured: this system does not tell peak memory in /proc)")
        return []
    lines = []
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    for what, code in PROCESSES.items():
        for _ in range(1 if "MB" in what else rounds):
            done = subprocess.run(
                [sys.executable, "-c", PEAK + code], capture_output=True, text=True, env=environment, check=False
            )
            lines.append(f"{what}: {done.stdout.strip() or done.stderr.strip().splitlines()[-1]}")
            print("  " + lines[-1], flush=True)
    return lines


# What is written


def write_table(rows, lines, folder):
    """Write all rows as a Markdown table."""
    system = (
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}"
    )
    table = [
        f"# Side by side\n\n{system}. Median of the rounds (least to greatest). Seconds: less is better. "
        "Ratio, their time by ours in the same round: above 1, this course is faster.\n",
        "| task | who | seconds | ratio |\n| --- | --- | --: | --: |",
    ]
    for task, who, seconds, ratios, _ in rows:
        figures = [
            f"{statistics.median(values):.3f} ({min(values):.3f} to {max(values):.3f})" for values in (seconds, ratios)
        ]
        table.append(f"| {task} | {who} | {figures[0]} | {figures[1]} |")
    table += ["", *(f"- {line}" for line in lines)]
    path = folder / "table.md"
    path.write_text("\n".join(table) + "\n", encoding="utf-8")
    return path


def draw(rows, folder):
    """Draw the ratio of each peer with its spread, on a logarithmic axis."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    peers = [row for row in rows if row.who != OURS][::-1]
    figure, axes = plt.subplots(figsize=(11, 1.2 + 0.42 * len(peers)), layout="constrained")
    for place, row in enumerate(peers):
        axes.plot([min(row.ratios), max(row.ratios)], [place, place], color="#0072B2", linewidth=3)
        axes.plot(statistics.median(row.ratios), place, "o", color="#D55E00")
    axes.axvline(1, color="black", linewidth=1)
    axes.set_xscale("log")
    axes.set_yticks(range(len(peers)), [f"{row.task}\n{row.who}" for row in peers], fontsize=7)
    axes.set_xlabel("their time by ours (right of the line this course is faster)")
    axes.set_title("Ratios to other libraries: median and spread of the rounds")
    path = folder / "ratios.png"
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return path


def main():
    """Run all benchmarks, or show the steps."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7, help="rounds in which all run (default 7)")
    parser.add_argument("--characters", type=int, default=10_000_000, help="of Python source (default 10,000,000)")
    parser.add_argument("--steps", action="store_true", help="what each step from the naive loop on gains")
    arguments = parser.parse_args()
    text = python_source(arguments.characters)
    if arguments.steps:
        from bench_steps import steps

        return steps(text)
    rows = encoding(text, "Python source", arguments.rounds)
    if other := manual_pages():
        rows += encoding(other, "manual pages in other scripts", arguments.rounds)
    else:
        print("(no manual pages in other scripts under /usr/share/man: that part is left out)")
    rows += slower_encoders(text[:1_000_000], min(3, arguments.rounds))
    rows += training(text, arguments.rounds)
    lines = processes(arguments.rounds)
    OUTPUT.mkdir(parents=True, exist_ok=True)
    print(f"\nwritten: {write_table(rows, lines, OUTPUT)}, {draw(rows, OUTPUT)}")


if __name__ == "__main__":
    main()
