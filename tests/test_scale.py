"""Counting on several processes: the counts of one, whatever is cut, lost or wrong."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_core import ByteBPE, datasets, scale
from bpe_core.patterns import PATTERNS, count_words

distributed = pytest.importorskip("distributed", reason="Dask is not installed")

OTHERS = (None, r"[a-z]+|\s", r"\S+\n?")
SPECIALS = ((), ("<|end|>",), ("<a>", "<a>b"), ("a b",), ("x\n",), ("aa",), ("<", "b<"))
alphabet = "ab1é水 \u3000\t\n\r/'.<>|\u0301"
texts = st.text(
    st.sampled_from(alphabet) | st.sampled_from(["<|end|>", "<a>b", "x\n", "a b", ".\n", "aa"]), max_size=40
)
lists = st.lists(
    st.sampled_from(alphabet.split() + [" ", "\n", "<|end|>", "<a>b", "<a>", "x\n", "a b", "aa"]), max_size=30
)


def in_blocks(path, pattern, special_tokens):
    total = Counter()
    cuts = scale._places_to_cut(pattern, special_tokens)
    for begin, end in scale._blocks(path, cuts):
        _, counts, error = scale._count_block((0, path, begin, end), pattern, special_tokens)
        assert error is None
        total.update(counts)
    return total


@pytest.mark.parametrize("pattern", [*PATTERNS, *OTHERS])
@given(parts=lists, specials=st.sampled_from(SPECIALS), block=st.integers(2, 20))
@example(["a", "\n", "\n", "b"], (), 2)
@example(["a", "\r", "\n", "b"], (), 2)
@example(["水"] * 9, (), 4)
@example(["<a>b"] * 5, ("<a>", "<a>b"), 3)
@example(["aa"] * 9, ("aa",), 3)
def test_blocks_of_a_file_count_as_the_whole(tmp_path_factory, pattern, parts, specials, block):
    text = "".join(parts)
    path = tmp_path_factory.mktemp("scale") / "text"
    path.write_bytes(text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scale, "BLOCK", block)
        assert in_blocks(path, pattern, list(specials)) == count_words(text, pattern, special_tokens=specials)


def test_a_large_file_is_really_cut(tmp_path, monkeypatch):
    path = tmp_path / "text"
    path.write_text("low lower\n" * 10_000 + "<|end|>" + "x" * 9_000 + "\n水" * 9_000, encoding="utf-8", newline="\n")
    monkeypatch.setattr(scale, "BLOCK", 1000)
    size = path.stat().st_size
    for pattern, specials, most in (
        ("gpt2", [], size // 1000),
        ("gpt2", ["<|end|>"], size // 1000),
        (r"\w+", ["<|end|>"], 2),
    ):
        blocks = list(scale._blocks(path, scale._places_to_cut(pattern, specials)))
        assert most * 0.8 <= len(blocks) <= most + 1
        assert [end for _, end in blocks[:-1]] == [begin for begin, _ in blocks[1:]]
        assert blocks[0][0] == 0 and blocks[-1][1] == size
    assert scale._places_to_cut(r"\w+", []) is scale._places_to_cut("gpt2", ["a\nb", "b"]) is None


# With workers


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as started:
        yield started


@pytest.fixture
def files(tmp_path):
    """Several files of real text, one of them empty and one in other scripts."""
    paths = []
    for number, text in enumerate(
        ["", *(datasets.prose(name) for name in datasets.genres()), "наше 水 한국어\n" * 500]
    ):
        paths.append(tmp_path / f"{number}.txt")
        paths[-1].write_bytes(text.encode())
    return paths


def expected(paths, pattern="cl100k"):
    return sum((count_words(path.read_bytes().decode(), pattern) for path in paths), Counter())


def test_files_and_blocks_count_as_one_process_does(cluster, files, monkeypatch):
    monkeypatch.setattr(scale, "BLOCK", 10_000)
    found = scale.count_words(iter(files + files[:3]), "cl100k", scheduler=cluster.scheduler_address, progress=False)
    assert found == expected(files + files[:3])
    trained = ByteBPE.train_on_counts(found, 300, pattern="cl100k")
    assert (
        trained.merges
        == ByteBPE.train([p.read_bytes().decode() for p in files + files[:3]], 300, pattern="cl100k").merges
    )


def test_a_worker_that_dies_costs_no_count(cluster, tmp_path, monkeypatch):
    path = tmp_path / "text"
    path.write_bytes(datasets.prose().encode() * 100)
    monkeypatch.setattr(scale, "BLOCK", 20_000)
    killed = []
    with distributed.Client(cluster) as client:
        victim = min(client.run(os.getpid).values())

        def kill():
            while not any(client.processing().values()):
                time.sleep(0.01)
            os.kill(victim, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
            killed.append(time.monotonic())

        killer = threading.Thread(target=kill)
        killer.start()
        found = scale.count_words([path], "cl100k", scheduler=cluster.scheduler_address, progress=False)
        ended = time.monotonic()
        killer.join()
        assert found == expected([path])
        assert killed[0] < ended - 0.1, "the worker died when all was done"
        assert victim not in client.run(os.getpid).values()


def test_a_file_that_cannot_be_counted_is_named(cluster, files, monkeypatch):
    monkeypatch.setattr(scale, "BLOCK", 5_000)
    address, missing, wrong = cluster.scheduler_address, files[0].with_name("no.txt"), files[2]
    with pytest.raises(FileNotFoundError, match="no.txt"):
        scale.count_words([files[1], missing], "gpt2", scheduler=address, progress=False)
    good = wrong.read_bytes()
    wrong.write_bytes(good[:6_000].rsplit(b" ", 1)[0] + b" \xe9t\xe9 " + good[6_000:])
    place = wrong.read_bytes().index(b"\xe9t")
    with pytest.raises(ValueError, match=rf"2.txt is not UTF-8 text \(byte {place:,}\)"):
        scale.count_words(files, "gpt2", scheduler=address, progress=False)
    with pytest.warns(UserWarning) as told:
        found = scale.count_words([*files, missing], "gpt2", scheduler=address, on_error="skip", progress=False)
    assert [str(one.message).count("is not counted") for one in told] == [1, 1]
    assert "2.txt" in str(told[0].message) and "no.txt" in str(told[1].message)
    assert found == expected([path for path in files if path != wrong], "gpt2")


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        ({"workers": 0}, ValueError, "workers is 0; it must be 1 or more"),
        ({"on_error": "go on"}, ValueError, "on_error is 'go on'"),
        ({"pattern": r"\w*"}, ValueError, "matches the empty string"),
        ({"pattern": "gpt3"}, ValueError, "not the name of a pattern"),
        ({"files": "text.txt"}, TypeError, "one path"),
        ({"special_tokens": "<s>"}, TypeError, "one str"),
    ],
)
def test_wrong_arguments_are_told_before_work_starts(monkeypatch, arguments, error, words):
    monkeypatch.setattr(scale, "Client", None)
    with pytest.raises(error, match=words):
        scale.count_words(**{"files": [], "pattern": "gpt2", **arguments})


def test_without_dask_one_line_says_what_is_missing(monkeypatch):
    monkeypatch.setattr(scale, "Client", None)
    with pytest.raises(ImportError, match=r'needs Dask: pip install -e "\.\[scale\]"'):
        scale.count_words([], "gpt2")


SCRIPT = """
import sys
from bpe_core import scale

if __name__ == "__main__":
    scale.BLOCK = 50_000
    try:
        scale.count_words([sys.argv[1]] * 100, "cl100k")
    except KeyboardInterrupt:
        print("stopped")
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are sent in another way there")
def test_ctrl_c_stops_the_workers(tmp_path):
    import psutil  # comes with distributed

    (tmp_path / "text").write_bytes(datasets.prose().encode() * 20)
    (tmp_path / "count.py").write_text(SCRIPT, encoding="utf-8")
    command = [sys.executable, str(tmp_path / "count.py"), str(tmp_path / "text")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        seen = ""
        while not re.search(r" [1-9]\d*/\d+ \[", seen) and (read := process.stderr.read(1)):  # until the bar moves
            seen += read
        started = psutil.Process(process.pid).children(recursive=True)
        assert len(started) >= 2, seen
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    assert out.strip() == "stopped"
    assert psutil.wait_procs(started, timeout=10)[1] == []
