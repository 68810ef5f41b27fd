"""Notebook 13, capstone: a scorecard that is measured again, and the parts that it rests on."""

import math
import random
from collections import Counter
from collections.abc import Mapping

from ... import ByteBPE, load, to_tiktoken
from ...exchange import huggingface_content
from ..spec import (
    ChooseExercise,
    FunctionExercise,
    Lesson,
    Option,
    PredictExercise,
    Question,
    WorkExercise,
    WrongAnswer,
)
from .odd_texts import ODD_TEXTS

# --- 13.2 ------------------------------------------------------------------------------------


def hold_out(documents: list, every: int) -> tuple:
    """Keep some documents back, whole, for the test.

    Args:
        documents: texts, in order.
        every: 2 or more; 3 means that each third document is held out.

    Returns:
        (training documents, held-out documents), two lists, in order. A
        text that is held out stands nowhere in training, even if it
        occurs a second time.

    Example:
        >>> hold_out(["a b", "c d", "e f", "g h"], 2)
        (['a b', 'e f'], ['c d', 'g h'])
    """
    held_out = documents[every - 1 :: every]
    train = [document for document in documents if document not in held_out]
    return train, held_out


def _by_line(documents: list, every: int) -> tuple:
    lines = "\n".join(documents).split("\n")
    held_out = lines[every - 1 :: every]
    train = [line for line in lines if line not in held_out]
    return train, held_out


def _document_lists(rng: random.Random) -> list:
    def document():
        return "\n".join(" ".join(rng.choices(["low", "lower", "new", "wide"], k=3)) for _ in range(rng.randint(1, 4)))

    probes = [
        ([], 2),
        (["a"], 2),
        (["a", "b"], 2),
        (["a\nb", "c"], 2),
        (["a", "b\nc", "d"], 3),
        (["a", "b", "a", "b", "c"], 2),
        (["x", "y", "x"], 3),
        (["a\nb\nc", "a\nd", "e"], 2),
        ([f"text {i}" for i in range(10)], 10),
    ]
    lists = [[document() for _ in range(rng.randint(3, 12))] for _ in range(20)]
    return probes + [(found + found[1:3] * (i % 2), rng.randint(2, 5)) for i, found in enumerate(lists)]


MEND_HOLD_OUT = FunctionExercise(
    id="13.2",
    title="Find the bug: a test that training has half seen",
    points=20,
    reference=hold_out,
    buggy=_by_line,
    expects="a tuple of two lists of str",
    make_probes=_document_lists,
    hints=(
        "Run it on two documents of three lines each. What stands in the two lists?",
        "Lines of one document share their names and phrases. What must be cut into parts, and what must stay whole?",
        "`documents` is a list already. Which of the four lines is not needed at all?",
    ),
    wrong_answers=(
        WrongAnswer(
            "by-line",
            _by_line,
            "You hold out single lines. Their neighbors, with the same names and phrases, are in the training text then. "
            "Hold out whole documents.",
        ),
        WrongAnswer(
            "twice-there",
            lambda documents, every: (
                [d for i, d in enumerate(documents, 1) if i % every],
                documents[every - 1 :: every],
            ),
            "A document that occurs twice can be on both sides with you: held out in one place, trained on in the other.",
        ),
        WrongAnswer(
            "from-the-first",
            lambda documents, every: ([d for d in documents if d not in documents[::every]], documents[::every]),
            "You hold out the first document and count on from there. With `every` = 2 it is the second, the fourth, ...",
        ),
        WrongAnswer(
            "sides-changed",
            lambda documents, every: hold_out(documents, every)[::-1],
            "The two lists have changed places: the training documents come first.",
        ),
        WrongAnswer(
            "the-last-ones",
            lambda documents, every: (
                [d for d in documents if d not in documents[len(documents) - len(documents) // every :]],
                documents[len(documents) - len(documents) // every :],
            ),
            "You hold out the documents at the end. Often they are of another kind (the newest, the last in the alphabet); "
            "asked for are documents from everywhere in the list.",
        ),
    ),
)

# --- 13.3 ------------------------------------------------------------------------------------


def _most_merges() -> int:
    tokenizer = ByteBPE.train("".join(map(chr, range(32, 3000))) * 3, 4096, special_tokens=["<|a|>", "<|b|>", "<|c|>"])
    return len(tokenizer.merges)


PREDICT_MERGES = PredictExercise(
    id="13.3",
    title="What the entries are spent on",
    points=10,
    question="A vocabulary of 4,096 entries is asked for, with three special tokens, on a text that does not run out of pairs. "
    "How many merges does ByteBPE.train learn?",
    variable="number_of_merges",
    answer=3837,
    expects="a whole number",
    why="4,096 entries less 256 bytes and three special tokens are 3,837 merges, one entry each.",
    proof=_most_merges,
    hints=(
        "What stands in a byte-level vocabulary before the first merge?",
        "Each merge adds one entry. Which entries are there without any merge?",
        "Take the bytes from the entries, and then what no merge makes either.",
    ),
    wrong_answers=(
        WrongAnswer(
            "forgets-special-tokens", 3840, "The bytes are taken off. What else takes an entry, without a merge?"
        ),
        WrongAnswer(
            "forgets-bytes", 4093, "The special tokens are taken off. What stands there before the first merge?"
        ),
        WrongAnswer("all-are-merges", 4096, "Not each entry is made by a merge. What is there from the start?"),
        WrongAnswer("one-byte-short", 3838, "A byte can be 0 as well as 255. How many are there?"),
        WrongAnswer("special-tokens-added", 3843, "Special tokens take entries; they add none."),
    ),
)

# --- 13.4 ------------------------------------------------------------------------------------


def costly_pieces(counts: dict, tokens: dict, number: int) -> list:
    """Find the pieces on which most tokens could be saved.

    A piece of 3 tokens that occurs 5 times could save 2 * 5 tokens, if it
    were one token.

    Args:
        counts: {piece: how often it occurs in the text}.
        tokens: {piece: how many tokens it takes}, the same pieces.
        number: how many pieces to return, at most.

    Returns:
        A list of pieces, those first that could save most; equals in
        alphabetical order. A piece that can save nothing is left out.

    Example:
        >>> costly_pieces({"a": 9, "tea": 3}, {"a": 1, "tea": 2}, 5)
        ['tea']
        >>> costly_pieces({"b": 3, "T": 2}, {"b": 2, "T": 3}, 1)
        ['T']
    """
    saved = {piece: counts[piece] * (tokens[piece] - 1) for piece in counts}
    order = sorted(saved, key=lambda piece: (-saved[piece], piece))
    return [piece for piece in order if saved[piece]][:number]


def _by(saving, keep_zero=False):
    def function(counts, tokens, number):
        saved = {piece: saving(counts[piece], tokens[piece]) for piece in counts}
        order = sorted(saved, key=lambda piece: (-saved[piece], piece))
        return [piece for piece in order if keep_zero or tokens[piece] > 1][:number]

    return function


def _equals_as_they_come(counts, tokens, number):
    saved = {piece: counts[piece] * (tokens[piece] - 1) for piece in counts}
    return [piece for piece in sorted(saved, key=saved.get, reverse=True) if saved[piece]][:number]


def _counted_pieces(rng: random.Random) -> list:
    probes = [
        ({}, {}, 3),
        ({"a": 5}, {"a": 1}, 2),
        ({"ab": 1}, {"ab": 2}, 0),
        ({"b": 1, "a": 1}, {"b": 2, "a": 2}, 2),
        ({"b": 2, "a": 4, "c": 9}, {"b": 3, "a": 2, "c": 1}, 3),
        ({" the": 50, "Zebra": 1}, {" the": 1, "Zebra": 5}, 5),
        ({"x": 10, "y": 3}, {"x": 2, "y": 4}, 1),
        ({"x": 3, "y": 10}, {"x": 4, "y": 2}, 2),
        ({"q": 1, "r": 6}, {"q": 7, "r": 2}, 2),
    ]
    for _ in range(20):
        pieces = rng.sample([" low", "lower", "New", "水", "é", " wide", "Wide", "12", ".\n", " a"], rng.randint(2, 8))
        probes.append(
            (
                {piece: rng.randint(1, 9) for piece in pieces},
                {piece: rng.randint(1, 5) for piece in pieces},
                rng.randint(1, 6),
            )
        )
    return probes


WRITE_COSTLY = FunctionExercise(
    id="13.4",
    title="Where the tokens go",
    points=20,
    reference=costly_pieces,
    expects="a list of str",
    make_probes=_counted_pieces,
    hints=(
        "A piece that is one token cannot get better. What could a piece of three tokens save, each time that it occurs?",
        "Compute for each piece what it could save in the whole text, then sort.",
        "`sorted` takes a `key` that gives a tuple: first what should be largest, with a minus sign, then the piece itself.",
    ),
    wrong_answers=(
        WrongAnswer(
            "all-tokens",
            _by(lambda count, tokens: count * tokens),
            "You rank by all tokens of a piece. One of them is needed always; only the others could be saved.",
        ),
        WrongAnswer(
            "once-each",
            _by(lambda count, tokens: tokens - 1),
            "You rank by the tokens of one occurrence. How often the piece occurs counts as well.",
        ),
        WrongAnswer(
            "most-frequent",
            _by(lambda count, tokens: count),
            "You rank by how often a piece occurs, whatever it costs.",
        ),
        WrongAnswer(
            "keeps-whole-ones",
            _by(lambda count, tokens: count * (tokens - 1), keep_zero=True),
            "Pieces that are one token are in your list. They can save nothing.",
        ),
        WrongAnswer(
            "equals-as-they-come",
            _equals_as_they_come,
            "Your order is right but among equals, which stand as they came. Asked for is alphabetical order.",
        ),
    ),
)

# --- 13.1 ------------------------------------------------------------------------------------

PUBLISHED = {"GPT-2": "gpt2", "GPT-4o": "o200k_base", "Qwen2.5": "qwen2.5"}
KEYS = ("domain", "tokenizer", "train", "held_out", "bytes_per_token", "cut_to_my_size", "tokens_per_word", "worst")
NEAR = 0.005  # of a number: two decimals of 3.46 are enough


def _cut(name: str, size: int) -> ByteBPE:
    published = load(name)
    return ByteBPE.from_ranks({t: i for i, t in published.vocab.items() if i < size}, pattern=published.pattern)


def _per_token(tokenizer: ByteBPE, text: str) -> float:
    return len(text.encode("utf-8")) / len(tokenizer.encode_ordinary(text))


def _near(said: object, measured: float) -> bool:
    return type(said) in (int, float) and math.isclose(said, measured, rel_tol=NEAR)


def _seen(train: str, held_out: str) -> float:
    lines = [line.strip() for line in held_out.splitlines() if len(line.strip()) >= 20]
    return sum(line in train for line in lines) / max(1, len(lines))


def _differing(said: object, measured: Mapping[str, float]) -> str:
    # The first entry of a table that is not what was measured, in words.
    for name, value in measured.items():
        if type(said) is not dict or name not in said:
            return f'There is no entry "{name}".'
        if not _near(said[name], value):
            return f'For "{name}" you have {said[name]!r}; measured here are {value:.2f}.'
    return ""


def look_at_scorecard(card: object, rng: random.Random) -> tuple[str | None, str]:
    """Measure a scorecard again, and say what is to be mended or could be better; see ``WorkExercise``."""
    if type(card) is not dict:
        return "no-card", ""
    if missing := [key for key in KEYS if key not in card]:
        return "missing-keys", f"Missing: {', '.join(missing)}."
    tokenizer, train, held_out = (card[key] for key in ("tokenizer", "train", "held_out"))
    if type(tokenizer) is not ByteBPE or not tokenizer.merges:
        return "no-tokenizer", ""
    if type(train) is not str or type(held_out) is not str:
        return "no-texts", ""
    if len(held_out.encode("utf-8")) < 500:
        return "too-short", f"Yours has {len(held_out.encode('utf-8'))} bytes."
    if (share := _seen(train, held_out)) > 0.1:
        return "seen-text", f"In training: {share:.0%} of its lines of 20 characters or more."
    if tokenizer.pattern is None:
        return "no-pattern", ""
    if not tokenizer.special_tokens:
        return "no-special-tokens", ""
    return _numbers(card, tokenizer, train, held_out)


def _numbers(card: dict, tokenizer: ByteBPE, train: str, held_out: str) -> tuple[str | None, str]:
    said, mine = card["bytes_per_token"], _per_token(tokenizer, held_out)
    own = said.get("mine") if type(said) is dict else None
    size = len(tokenizer.vocab)
    if not _near(own, mine):
        for name, value in (
            ("on-training-text", _per_token(tokenizer, train)),
            ("characters", mine * len(held_out) / len(held_out.encode("utf-8"))),
            ("upside-down", 1 / mine),
        ):
            if _near(own, value):
                return name, ""
    whole = {name: _per_token(load(path), held_out) for name, path in PUBLISHED.items()}
    if wrong := _differing(said, {"mine": mine, **whole}):
        return "other-numbers", wrong
    cut = {name: _per_token(_cut(path, size), held_out) for name, path in PUBLISHED.items()}
    if wrong := _differing(card["cut_to_my_size"], cut):
        return ("not-cut" if not _differing(card["cut_to_my_size"], whole) else "other-cut"), f"{wrong} Size: {size:,}."
    if not _near(card["tokens_per_word"], len(tokenizer.encode_ordinary(held_out)) / len(held_out.split())):
        return "other-fertility", ""
    counts = Counter(tokenizer.pieces(held_out))
    tokens = {piece: len(tokenizer.encode_ordinary(piece)) for piece in counts}
    if card["worst"] != costly_pieces(counts, tokens, 5):
        return "other-worst", ""
    return None, _advice(tokenizer, held_out, mine, whole, cut)


def _advice(tokenizer: ByteBPE, held_out: str, mine: float, whole: dict, cut: dict) -> str:
    used = {i for i in tokenizer.encode_ordinary(held_out) if i >= 256}
    ahead = [name for name, value in whole.items() if value > mine]
    fair = min(mine / value - 1 for value in cut.values())
    said = [
        f"All numbers hold. Against lists of your size you have {fair:+.0%} bytes per token or better",
        f"the whole list of {' and '.join(ahead)} is still ahead" if ahead else "no whole list is ahead",
        f"{len(used):,} of your {len(tokenizer.merges):,} merged tokens occur in the held-out text",
    ]
    short = len(held_out.encode("utf-8")) < 20_000
    return "; ".join(said) + ("; so short a text says little about the third decimal." if short else ".")


def my_scorecard() -> dict:
    """Train on Finnish words in sentences, and measure on the course's own Finnish ones."""
    import random
    from collections import Counter

    from bpe_core import ByteBPE, costs, datasets, load, names

    counts = datasets.word_counts("fi")
    words = random.Random(13).choices(list(counts), list(counts.values()), k=40_000)
    rows = [words[i : i + 8] for i in range(0, len(words), 8)]
    train = "\n".join(" ".join(row).capitalize() + "." for row in rows)
    held_out = "\n".join(names.parallel_sentences()["fi"])
    mine = ByteBPE.train(train, 2048, pattern="o200k", special_tokens=["<|endoftext|>"])
    lists = {"GPT-2": "gpt2", "GPT-4o": "o200k_base", "Qwen2.5": "qwen2.5"}
    whole = {name: load(path) for name, path in lists.items()}
    cut = {
        name: ByteBPE.from_ranks(
            {t: i for i, t in one.vocab.items() if i < len(mine.vocab)},
            pattern=one.pattern,
        )
        for name, one in whole.items()
    }
    pieces = Counter(mine.pieces(held_out))
    saved = {p: n * (len(mine.encode_ordinary(p)) - 1) for p, n in pieces.items()}
    order = sorted(saved, key=lambda piece: (-saved[piece], piece))
    tables = [{"mine": mine} | whole, cut]
    measured = [{name: costs.bytes_per_token(one, held_out) for name, one in table.items()} for table in tables]
    return {
        "domain": "Finnish",
        "tokenizer": mine,
        "train": train,
        "held_out": held_out,
        "bytes_per_token": measured[0],
        "cut_to_my_size": measured[1],
        "tokens_per_word": costs.count_tokens(mine, held_out) / len(held_out.split()),
        "worst": [piece for piece in order if saved[piece]][:5],
    }


def _with(**changes):
    return lambda card: {**card, **{key: change(card) for key, change in changes.items()}}


def _own_number(number):
    return _with(bytes_per_token=lambda card: {**card["bytes_per_token"], "mine": number(card)})


def _without_pattern(**options):
    return lambda card: ByteBPE.train(card["train"][:20_000], 400, **options)


WORK_SCORECARD = WorkExercise(
    id="13.1",
    title="The scorecard",
    points=60,
    question="Put your scorecard together: a dict with the keys domain, tokenizer, train, held_out, bytes_per_token "
    '("mine" and three published lists), cut_to_my_size (the three), tokens_per_word, worst (five pieces).',
    variable="scorecard",
    expects="a dict",
    look=look_at_scorecard,
    made=my_scorecard,
    hints=(
        "The cells above hold every part. Under which of the eight keys does each go?",
        "The numbers are measured again on your `held_out`, with your `tokenizer`. Were yours measured on the same text?",
        "`cut_to_my_size` takes the entries whose rank is below `len(tokenizer.vocab)`, each with its own pattern.",
    ),
    wrong_answers=(
        WrongAnswer(
            "no-card", lambda card: list(card.items()), "A scorecard is a dict with eight keys; this is something else."
        ),
        WrongAnswer(
            "missing-keys",
            lambda card: {key: card[key] for key in KEYS[:5]},
            "The scorecard is not complete.",
        ),
        WrongAnswer(
            "no-tokenizer",
            _with(tokenizer=lambda card: "my tokenizer"),
            "Under `tokenizer` stands no ByteBPE that has learned merges. Give the object itself.",
        ),
        WrongAnswer(
            "no-texts",
            _with(held_out=lambda card: card["held_out"].splitlines()),
            "Under `train` and `held_out` stand texts, each one str. Join a list of documents first.",
        ),
        WrongAnswer(
            "too-short",
            _with(held_out=lambda card: card["held_out"][:200]),
            "The held-out text is too short to measure anything: take 500 bytes or more.",
        ),
        WrongAnswer(
            "seen-text",
            _with(held_out=lambda card: card["train"][:5_000]),
            "Training has seen the held-out text. On seen text a tokenizer always looks better than it is.",
        ),
        WrongAnswer(
            "no-pattern",
            _with(tokenizer=_without_pattern(special_tokens=["<|end|>"])),
            "Your tokenizer was trained without a pattern, so its merges may cross words and lines (notebook 06).",
        ),
        WrongAnswer(
            "no-special-tokens",
            _with(tokenizer=_without_pattern(pattern="gpt2")),
            "Your tokenizer has no special token. A model needs one at least, which says where a text ends (notebook 07).",
        ),
        WrongAnswer(
            "on-training-text",
            _own_number(lambda card: _per_token(card["tokenizer"], card["train"])),
            "Your own number was measured on the training text. Measure it on the held-out one.",
        ),
        WrongAnswer(
            "characters",
            _own_number(lambda card: len(card["held_out"]) / len(card["tokenizer"].encode_ordinary(card["held_out"]))),
            "Your own number counts characters per token. Asked for are bytes.",
        ),
        WrongAnswer(
            "upside-down",
            _own_number(lambda card: 1 / card["bytes_per_token"]["mine"]),
            "Your own number is tokens per byte. Turn it over.",
        ),
        WrongAnswer(
            "other-numbers",
            _with(bytes_per_token=lambda card: {**card["bytes_per_token"], "GPT-2": 4.0}),
            "A number under `bytes_per_token` is not what comes out for your held-out text.",
        ),
        WrongAnswer(
            "not-cut",
            _with(cut_to_my_size=lambda card: {name: card["bytes_per_token"][name] for name in PUBLISHED}),
            "Under `cut_to_my_size` stand the numbers of the whole lists. Cut them to as many entries as yours has.",
        ),
        WrongAnswer(
            "other-cut",
            _with(cut_to_my_size=lambda card: {name: 1.5 for name in PUBLISHED}),
            "A number under `cut_to_my_size` is not what comes out. Bytes and merges of your tokenizer count, its special "
            "tokens do not.",
        ),
        WrongAnswer(
            "other-fertility",
            _with(tokens_per_word=lambda card: card["tokens_per_word"] + 0.5),
            "`tokens_per_word` is not what comes out: all tokens of the held-out text, divided by the words that `split()` finds.",
        ),
        WrongAnswer(
            "other-worst",
            _with(worst=lambda card: card["worst"][::-1]),
            "`worst` is not what 13.4 gives for the pieces of your held-out text, five of them.",
        ),
    ),
)

# --- 13.5 ------------------------------------------------------------------------------------

CHOOSE_CLAIM = ChooseExercise(
    id="13.5",
    title="What may be written",
    points=10,
    question="On 16 held-out Finnish sentences your 4,096 entries have 3.9 bytes per token, GPT-4o's list has 3.4, and "
    "GPT-4o's list cut to 4,096 entries has 2.0. Which sentence may stand in the report?",
    variable="claim",
    hints=(
        "Which things differ between the three: the number of entries, the training text, the test text?",
        "For each sentence ask what was measured, on which text, and what was not.",
        "GPT-4o's list serves many languages and code. Was any of that in the test?",
    ),
    options=(
        Option(
            "My tokenizer is better than GPT-4o's.",
            False,
            "Better at what? One kind of text in one language was measured. On code or Hindi it has not been tried.",
        ),
        Option(
            "On Finnish, 4,096 entries are enough: a larger vocabulary brings nothing.",
            False,
            "No larger vocabulary of this training was measured, and GPT-4o's was made for other text.",
        ),
        Option(
            "On these sentences a small list made for Finnish needs fewer tokens than a large list made for everything, and "
            "far fewer than that list's first 4,096 entries.",
            True,
            "It names the text, what was compared, and that the training text is the reason to expect it.",
        ),
        Option(
            "A model with my tokenizer will write better Finnish.",
            False,
            "No model was trained. Fewer tokens are a cheaper text, not a better model (notebook 10).",
        ),
    ),
)

# --- 13.6 ------------------------------------------------------------------------------------


def look_at_exports(work: object, rng: random.Random) -> tuple[str | None, str]:
    """Compare the ids of two opened exports with those of the tokenizer; see ``WorkExercise``."""
    import tiktoken
    import tokenizers

    if type(work) is not dict or set(work) != {"tokenizer", "tiktoken", "huggingface"}:
        return "no-dict", ""
    tokenizer = work["tokenizer"]
    if type(tokenizer) is not ByteBPE or not tokenizer.merges:
        return "no-tokenizer", ""
    for key, kind in (("tiktoken", tiktoken.Encoding), ("huggingface", tokenizers.Tokenizer)):
        if type(work[key]) is not kind:
            return "not-opened", f'Under "{key}" stands something else.'
    texts = [text for text in ODD_TEXTS if "<|" not in text]
    texts += [" ".join(rng.choices(list(map(bytes.decode, _readable(tokenizer))), k=50))]
    for text in texts:
        ids = tokenizer.encode_ordinary(text)
        if work["tiktoken"].encode_ordinary(text) != ids:
            return "tiktoken-differs", f"The first text that differs: {text[:40]!r}."
        if work["huggingface"].encode(text).ids != ids:
            return "huggingface-differs", f"The first text that differs: {text[:40]!r}."
    for name, i in tokenizer.special_tokens.items():
        if work["tiktoken"].encode(name, allowed_special="all") != [i] or work["huggingface"].token_to_id(name) != i:
            return "special-tokens-differ", f"The first that differs: {name}."
    return None, f"Equal ids on {len(texts)} texts, special tokens included."


def _readable(tokenizer: ByteBPE) -> list[bytes]:
    return [token for token in tokenizer.vocab.values() if token.isascii() and token.decode().isprintable()]


def my_exports() -> dict:
    """Train a small tokenizer and open it in the two libraries."""
    import tempfile
    from pathlib import Path

    import tokenizers

    from bpe_core import ByteBPE, datasets, save_huggingface, to_tiktoken

    tokenizer = ByteBPE.train(datasets.prose(), 1000, pattern="gpt2", special_tokens=["<|endoftext|>"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tokenizer.json"
        save_huggingface(tokenizer, path)
        opened = tokenizers.Tokenizer.from_file(str(path))
    return {
        "tokenizer": tokenizer,
        "tiktoken": to_tiktoken(tokenizer),
        "huggingface": opened,
    }


def _other_tokenizer(work: dict) -> ByteBPE:
    tokens = list(work["tokenizer"].special_tokens)
    return ByteBPE.train("low lower newest widest " * 40, 300, pattern="gpt2", special_tokens=tokens)


def _opened_in_huggingface(tokenizer: ByteBPE):
    import json

    import tokenizers

    return tokenizers.Tokenizer.from_str(json.dumps(huggingface_content(tokenizer)))


def _renamed_special(work: dict) -> dict:
    tokenizer = work["tokenizer"]
    tokens = [tokenizer.vocab[i] for i in sorted(tokenizer.vocab)]
    pairs = [(tokenizer.vocab[left], tokenizer.vocab[right]) for left, right in tokenizer.merges]
    other = ByteBPE.from_vocab_and_merges(
        dict(enumerate(tokens)), pairs, pattern=tokenizer.pattern, special_tokens={"<|stop|>": len(tokens)}
    )
    return {**work, "tokenizer": other}


WORK_EXPORTS = WorkExercise(
    id="13.6",
    title="Opened elsewhere",
    points=30,
    question='Open your tokenizer in both libraries: a dict with the keys "tokenizer" (your own), "tiktoken" (what to_tiktoken '
    'makes of it) and "huggingface" (the file of save_huggingface, opened with tokenizers.Tokenizer.from_file).',
    variable="opened",
    expects="a dict",
    look=look_at_exports,
    made=my_exports,
    hints=(
        "The two objects must come from the same tokenizer. From which one were yours made?",
        "`to_tiktoken(tokenizer)` gives an object at once. Hugging Face's library needs a file first.",
        "`tokenizers.Tokenizer.from_file` takes the path as a text: `str(path)`.",
    ),
    wrong_answers=(
        WrongAnswer(
            "no-dict",
            lambda work: list(work.values()),
            "Expected is a dict with three keys: tokenizer, tiktoken, huggingface.",
        ),
        WrongAnswer(
            "no-tokenizer",
            lambda work: {**work, "tokenizer": "tokenizer.json"},
            "Under `tokenizer` stands no ByteBPE that has learned merges. Give the object itself.",
        ),
        WrongAnswer(
            "not-opened",
            lambda work: {**work, "huggingface": "tokenizer.json"},
            "A file is not opened yet: what is expected is the library's own object, a tiktoken.Encoding or a "
            "tokenizers.Tokenizer.",
        ),
        WrongAnswer(
            "tiktoken-differs",
            lambda work: {**work, "tiktoken": to_tiktoken(_other_tokenizer(work))},
            "tiktoken gives other ids than your tokenizer: it was made of another one.",
        ),
        WrongAnswer(
            "huggingface-differs",
            lambda work: {**work, "huggingface": _opened_in_huggingface(_other_tokenizer(work))},
            "Hugging Face's library gives other ids than your tokenizer: the file was made of another one, or before you "
            "trained again.",
        ),
        WrongAnswer(
            "special-tokens-differ",
            _renamed_special,
            "All ordinary texts agree, a special token does not.",
        ),
    ),
)

# --- Quiz ------------------------------------------------------------------------------------

QUESTIONS = (
    Question(
        "Why is GPT-4o's list cut to your size before the two are compared?",
        (
            Option("A cut list encodes faster.", False, "It may, but speed is not what is compared."),
            Option(
                "Otherwise a long list meets a short one, and both the size and the training text differ.",
                True,
                "With the size equal, what is left is mostly what the lists were made from, and the pattern.",
            ),
            Option("The whole list cannot encode Finnish.", False, "It can: every byte is in it. It did so above."),
            Option(
                "Only the first entries are ever used.",
                False,
                "Later ones are used too; the whole list needed fewer tokens.",
            ),
        ),
    ),
    Question(
        "You find the costly pieces in the test text, train again to mend them, and measure on the same test text. What is "
        "wrong?",
        (
            Option(
                "Nothing, as long as the test text is not in the training text.",
                False,
                "Your eyes have carried it there.",
            ),
            Option("The training text is used twice.", False, "That is allowed: it is what training is for."),
            Option(
                "The test text has helped to choose, so its number is too good. Look for faults in a third part.",
                True,
                "That is what the part for looking is for: choose by it, then measure once on the part that nobody looked at.",
            ),
        ),
    ),
    Question(
        "A list of words in small letters trained the tokenizer. On which text does it do worst?",
        (
            Option(
                "On names of countries: each begins with a capital letter, which no merge has joined to anything.",
                True,
                "A capital letter is another byte. The merges of the small letters do not fit it.",
            ),
            Option("On long sentences.", False, "Length does not matter: pieces are encoded one by one."),
            Option("On words that it has never seen, in small letters.", False, "Those are cut into known parts."),
            Option("On the training text.", False, "There it does best."),
        ),
    ),
    Question(
        "Your tokenizer was saved for both libraries, and both give its ids on 40 texts. What is shown?",
        (
            Option(
                "That all three give equal ids on any text.",
                False,
                "40 texts show 40 texts; they were chosen to be hard.",
            ),
            Option(
                "That a model trained with one can be fed by the others.",
                False,
                "Only as far as the ids agree on its texts.",
            ),
            Option(
                "That the exports agree on these texts, among them the odd ones where exports usually differ.",
                True,
                "A test shows what it tried. Choose texts that would fail if something were lost.",
            ),
        ),
    ),
)

LESSON = Lesson(
    number=13,
    title="Capstone",
    exercises=(MEND_HOLD_OUT, PREDICT_MERGES, WRITE_COSTLY, WORK_SCORECARD, CHOOSE_CLAIM, WORK_EXPORTS),
    questions=QUESTIONS,
)
