"""What is trained or loaded here opens in gigatoken, where it knows the pattern, with equal ids.

gigatoken is no dependency: without it these tests are skipped. It finds special tokens in every
text, so its ids are those of ``allowed_special="all"``; a pattern that it does not know it refuses.
"""

import pytest

from bpe_core import ByteBPE, datasets, load, save_huggingface, save_tiktoken, to_tiktoken
from bpe_core.patterns import PATTERNS

gigatoken = pytest.importorskip("gigatoken", reason="gigatoken is installed by make bench")

TEXTS = [
    "It's 12345 naïve words,  and I'LL say\n\n  def f(x):\r\n\treturn x",
    "Привіт, світе! 水と空気 नमस्ते 🙂\u200d🙂 e\u0301\u1680\x1c\x1f.\n /x",
    "<|end|>a<|end|>",
    "",
]


def opened(tokenizer, folder):
    """The same vocabulary in gigatoken, handed over as a rank file."""
    path = folder / "ranks.tiktoken"
    save_tiktoken(tokenizer, path)
    return gigatoken.Tokenizer.from_tiktoken(
        path, pretokenizer=tokenizer.pattern, special_tokens=tokenizer.special_tokens
    )


def trained(name):
    corpus = [datasets.prose("story"), *TEXTS[:2]]
    return ByteBPE.train(corpus, 700, pattern=name, special_tokens=["<|end|>"])


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_a_trained_tokenizer_gives_equal_ids(name, tmp_path):
    tokenizer = trained(name)
    there, tiktoken = opened(tokenizer, tmp_path), to_tiktoken(tokenizer)
    for text in [*TEXTS, datasets.prose("story")]:
        ids = tokenizer.encode(text, allowed_special="all")
        assert there.encode(text).tolist() == ids == tiktoken.encode(text, allowed_special="all")
        assert bytes(there.decode(ids)) == text.encode("utf-8")


@pytest.mark.parametrize("name", ["gpt2", "o200k", "qwen2"])
def test_a_tokenizer_json_gives_equal_ids(name, tmp_path):
    tokenizer, path = trained(name), tmp_path / "tokenizer.json"
    save_huggingface(tokenizer, path)
    there = gigatoken.Tokenizer.from_json(path.read_text(encoding="utf-8"))
    for text in TEXTS:
        assert there.encode(text).tolist() == tokenizer.encode(text, allowed_special="all")


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base"])
def test_a_published_tokenizer_gives_equal_ids(name, tmp_path):
    tokenizer = load(name)
    there = opened(tokenizer, tmp_path)
    for text in [*TEXTS, datasets.prose("story"), "x" * 500 + " <|endoftext|>"]:
        assert there.encode(text).tolist() == tokenizer.encode(text, allowed_special="all")


def test_it_refuses_a_pattern_that_it_does_not_know(tmp_path):
    path = tmp_path / "tokenizer.json"
    for pattern in (r"[a-z]+|[^a-z]+", "cl100k"):  # cl100k as a rank file only: it knows it as \s++$, we write \s+\Z
        save_huggingface(ByteBPE.train("low lower", 258, pattern=pattern), path)
        with pytest.raises(RuntimeError, match="pre_tokenizer"):
            gigatoken.Tokenizer.from_json(path.read_text(encoding="utf-8"))
