"""Notebook 09, where tokenization breaks: exercises and quiz."""

import random

from ...pretrained import load
from ..spec import ChooseExercise, FunctionExercise, Lesson, Option, PredictExercise, Question, WrongAnswer
from .odd_texts import ODD_TEXTS

NEEDS = "from bpe_core import load\n\n\n"

# --- 9.1 -------------------------------------------------------------------------------------

CHOOSE_LETTERS = ChooseExercise(
    id="9.1",
    title="Choose: why counting letters is hard",
    points=10,
    question="In a sentence, GPT-4 is given strawberry as one id, 73700. Why is it hard to say from the id how many r's the "
    "word has?",
    variable="why_letters_are_hard",
    options=(
        Option(
            "The tokenizer has thrown the letters away. From 73700 nobody can get them back.",
            False,
            "Decoding 73700 gives the word back, letter by letter. Nothing is lost, but what is needed to get it back is not "
            "part of the model.",
        ),
        Option(
            "The word is frequent, and tokens of frequent words are stored without their letters.",
            False,
            "Frequent or rare makes no difference: a token is a number, and the tokenizer keeps the bytes of all of them in the "
            "same table.",
        ),
        Option(
            "The tokenizer's table has the letters. The model gets the number, and must learn spelling from text.",
            True,
            "A number has no parts that could be counted. Spelling is knowledge about the token, as its meaning is, and has to "
            "be learned like it.",
        ),
        Option(
            "The cut falls inside the word, and the r's at the cut are counted twice or not at all, as the tokenizer "
            "decides.",
            False,
            "A cut puts every letter into exactly one token. And here there is no cut: the word is one token.",
        ),
    ),
    hints=(
        "Follow the word on its way: text, tokenizer, ids, model. Who has which table?",
        "Is there a way from 73700 back to the letters? Who can go it, and who cannot?",
        "Two of the options say that letters get lost or mixed up on the way. Decode the id and see.",
    ),
)

# --- 9.2 -------------------------------------------------------------------------------------


def _tokens_with_ones():
    from bpe_core import load

    gpt4 = load("gpt-4")
    return [gpt4.tokens(number)[-1].decode() for number in ("98765", "2718", "500", "7000000")]


PREDICT_ONES = PredictExercise(
    id="9.2",
    title="Predict: who holds the ones",
    points=15,
    question="Which of GPT-4's tokens holds the last digit, the ones, of each of these numbers?\n98765   2718   500   7000000",
    variable="tokens_with_ones",
    answer=["65", "8", "500", "0"],
    expects="a list of four str",
    why="GPT-4 cuts from the left: 987|65, 271|8, 500, 700|000|0. The ones stand in a token of two digits, of one, of three and "
    "of one. What the token means depends on the length of the whole number.",
    proof=_tokens_with_ones,
    hints=(
        "From which side does GPT-4 cut, and how many digits does it take at most?",
        "Write each number down and make a mark after every third digit, beginning at the left. What stands behind the last "
        "mark?",
        "How many digits are left over is the remainder of the length divided by 3; where there is no remainder, the last "
        "token is full.",
    ),
    wrong_answers=(
        WrongAnswer(
            "from-the-right",
            ["765", "718", "500", "000"],
            "You cut from the right, as commas would. GPT-4's pattern begins at the left, and what is left over stands at the end.",
        ),
        WrongAnswer(
            "digit-by-digit",
            ["5", "8", "0", "0"],
            "That is Qwen2.5, digit by digit. GPT-4 takes up to three digits at once.",
        ),
        WrongAnswer(
            "like-gpt2",
            ["765", "18", "500", "000000"],
            "That is GPT-2, whose merges decide. GPT-4's pattern allows three digits at most, and its cut is always the same.",
        ),
        WrongAnswer(
            "first-tokens",
            ["987", "271", "500", "700"],
            "These are the first tokens of each number. The ones stand at the other end.",
        ),
        WrongAnswer(
            "full-groups-only",
            ["987", "271", "500", "000"],
            "You name the last group of three. What is left over behind it is a token of its own, and holds the ones.",
        ),
        WrongAnswer(
            "even-halves",
            ["65", "18", "500", "000"],
            "The first and third are right. The others are cut from the left as well: three digits, three digits, and what is left.",
        ),
        WrongAnswer(
            "remainder-of-seven",
            ["65", "8", "500", "00"],
            "Nearly: the last number has seven digits. How many are left over after two groups of three?",
        ),
        WrongAnswer(
            "bytes",
            [b"65", b"8", b"500", b"0"],
            "The tokens are right. Write them as text, without b.",
        ),
        WrongAnswer(
            "numbers",
            [65, 8, 500, 0],
            "These are numbers. Tokens are pieces of text, so write them in quotes.",
        ),
        WrongAnswer(
            "pairs",
            lambda value: value[1] == "18",
            "Look at 2718 again: from the left GPT-4 takes as many digits as it can, three. How many are left?",
        ),
        WrongAnswer(
            "not-four",
            lambda value: type(value) is list and len(value) != 4,
            "Asked for are four tokens, one for each number: the one in which its last digit stands.",
        ),
        WrongAnswer(
            "one-of-four",
            lambda value: type(value) is list and all(type(part) is str for part in value),
            "At least one of the four is not right. Cut each number from the left, three digits at a time, and write down what "
            "stands last.",
        ),
    ),
)

# --- 9.3 -------------------------------------------------------------------------------------


def cut_in_thousands(digits: str) -> list[str]:
    """Cut digits into groups of three from the right, as commas would.

    Args:
        digits: any digits, also with zeros in front; perhaps none.

    Returns:
        The groups from left to right. Joined, they are the digits again.

    Example:
        >>> cut_in_thousands("12345678")
        ['12', '345', '678']
        >>> cut_in_thousands("500")
        ['500']
    """
    first = len(digits) % 3
    groups = [digits[:first]] if first else []
    for start in range(first, len(digits), 3):
        groups.append(digits[start : start + 3])
    return groups


def _threes(digits: str) -> list[str]:
    return [digits[i : i + 3] for i in range(0, len(digits), 3)]


def _backward(digits: str) -> list[str]:
    return _threes(digits[::-1])


def _digit_probes(rng: random.Random) -> list:
    probes = [("",), ("7",), ("12",), ("123",), ("1234",), ("123456",), ("1000000",), ("007",), ("0001",), ("000",)]
    probes += [("000123",), ("1001",), ("9" * 12,), ("12" * 35,), ("٣٤٥٦",), ("111222333111",)]
    for _ in range(25):
        probes.append(("".join(rng.choice("0123456789") for _ in range(rng.randint(1, 11))),))
    return probes


CUT_IN_THOUSANDS = FunctionExercise(
    id="9.3",
    title="Cut digits from the right",
    points=20,
    reference=cut_in_thousands,
    expects="a list of str",
    make_probes=_digit_probes,
    hints=(
        "Where does the short group stand when you write a number with commas? How long can it be?",
        "All groups but the first have three digits. The length of the first is what is left over when you divide by 3. "
        "What if nothing is left over?",
        "Two steps: the short group, if there is one, and then slices of three from there to the end. `%` gives the remainder, "
        "and `range` takes a step.",
    ),
    wrong_answers=(
        WrongAnswer(
            "from-the-left",
            _threes,
            "You cut from the left, as GPT-4's pattern does: the short group stands at the end. It belongs to the front.",
        ),
        WrongAnswer(
            "reversed-order",
            lambda digits: [group[::-1] for group in _backward(digits)],
            "The groups are right, but they come from right to left. Joined, they must be the number again.",
        ),
        WrongAnswer(
            "reversed-digits",
            lambda digits: _backward(digits)[::-1],
            "The groups are at their places, but the digits inside them run backward. Turn each group around as well.",
        ),
        WrongAnswer(
            "reversed-all",
            _backward,
            "You turn the digits around and cut, but do not turn back: neither the groups nor the digits in them.",
        ),
        WrongAnswer(
            "start-below-zero",
            lambda digits: [digits[i - 3 : i] for i in range(len(digits), 0, -3)][::-1],
            "The full groups are right. For the short one your slice begins below 0, and Python counts such a place from the end. "
            "Let it begin at 0.",
        ),
        WrongAnswer(
            "empty-group",
            lambda digits: [digits[: len(digits) % 3], *_threes(digits[len(digits) % 3 :])],
            "Where the length is a multiple of 3 you put an empty group in front.",
        ),
        WrongAnswer(
            "loses-short-group",
            lambda digits: _threes(digits[len(digits) % 3 :]),
            "The short group in front is missing: joined, your groups are not the number.",
        ),
        WrongAnswer(
            "through-int",
            lambda digits: f"{int(digits):,}".split(",") if digits else [],
            "You turn the digits into a number on the way, and zeros in front get lost: 007 becomes 7.",
        ),
        WrongAnswer(
            "through-int-unguarded",
            lambda digits: f"{int(digits):,}".split(","),
            "You turn the digits into a number on the way. There may be no digits, which is no number; and zeros in front get lost. "
            "Stay with the text.",
        ),
        WrongAnswer(
            "padded",
            lambda digits: _threes("0" * (-len(digits) % 3) + digits),
            "You fill up the first group with zeros. The groups must hold the digits as they were given.",
        ),
        WrongAnswer(
            "thousands-only",
            lambda digits: [part for part in (digits[:-3], digits[-3:]) if part],
            "You cut once only. A group of more than three digits is left in front.",
        ),
        WrongAnswer(
            "with-commas",
            lambda digits: ",".join(group[::-1] for group in _backward(digits)[::-1]),
            "The cuts are right, but you return one text with commas. Asked for is the list of groups.",
        ),
    ),
)

# --- 9.4 -------------------------------------------------------------------------------------


def _count_both_ways():
    from bpe_core import load

    gpt4 = load("gpt-4")
    apart = len(gpt4.encode("The answer is ")) + len(gpt4.encode("yes"))
    return [apart, len(gpt4.encode("The answer is " + "yes"))]


PREDICT_JOINED = PredictExercise(
    id="9.4",
    title="Predict: a prompt and its answer",
    points=15,
    question="A prompt ends with a space: 'The answer is '. The answer is 'yes'.\n"
    "These are single tokens of GPT-4 (· is a space):\n"
    "    The  ·answer  ·is  yes  ·yes  ·\n"
    "How many tokens are the two texts when each is encoded by itself (add them up), and how many when the joined text is "
    "encoded?",
    variable="apart_and_joined",
    answer=[5, 4],
    expects="a list of two whole numbers",
    why="By itself the prompt is The|·answer|·is|· and ends with a lone space; yes is a fifth token. In the joined text the space "
    "goes with the word: The|·answer|·is|·yes.",
    proof=_count_both_ways,
    hints=(
        "Where does the last space go when nothing stands behind it? And where when a word does?",
        "Cut by hand: each space goes to the word on its right. In the prompt, one space has no word on its right.",
        "The two numbers are not the same. The joined text has as many tokens as words.",
    ),
    wrong_answers=(
        WrongAnswer(
            "same",
            [4, 4],
            "If they were the same, the trailing space would belong to a word in both cases. In the prompt, no word stands "
            "behind it.",
        ),
        WrongAnswer(
            "lone-space-stays",
            [5, 5],
            "In the joined text a word stands behind the space, and takes it.",
        ),
        WrongAnswer(
            "other-way-round",
            [4, 5],
            "The numbers are right, their order is not: the lone space costs a token where the texts are apart.",
        ),
        WrongAnswer(
            "spaces-are-tokens",
            [7, 7],
            "You count each space as a token. A space goes with the word behind it; only one that has no word stands alone.",
        ),
        WrongAnswer(
            "prompt-only",
            [4, 3],
            "You count the prompt alone. The answer is a token as well, in both cases.",
        ),
        WrongAnswer(
            "one-number",
            lambda value: type(value) is int,
            "Asked for are two numbers, in a list: apart first, then joined.",
        ),
        WrongAnswer(
            "joined-only",
            lambda value: type(value) is list and len(value) == 2 and value[1] == 4 and value[0] != 5,
            "The second number is right. For the first, cut the prompt by itself, with its space, and then add the tokens of the "
            "answer.",
        ),
        WrongAnswer(
            "apart-only",
            lambda value: type(value) is list and len(value) == 2 and value[0] == 5 and value[1] != 4,
            "The first number is right. For the second, cut the joined text: where does its last space go?",
        ),
    ),
)

# --- 9.5 -------------------------------------------------------------------------------------


def heal_prompt(ids: list, vocab: dict) -> tuple:
    """Take the last token away, and find all that may come in its place.

    Args:
        ids: ids of the prompt, at least one. Leave this list as it is.
        vocab: {id: bytes}.

    Returns:
        (kept, candidates): the ids without the last one; and the ids of
        all tokens whose bytes begin with those of the last one, sorted.

    Example:
        >>> heal_prompt([1, 0], {0: b":", 1: b"http", 2: b"://", 3: b"s:"})
        ([1], [0, 2])
    """
    start = vocab[ids[-1]]
    candidates = sorted(i for i, token in vocab.items() if token.startswith(start))
    return ids[:-1], candidates


def _healed(ids, vocab, test, *, keep=1) -> tuple:
    start = vocab[ids[-1]]
    return ids[: len(ids) - keep], sorted(i for i, token in vocab.items() if test(token, start))


def _pops(ids, vocab):
    start = vocab[ids.pop()]
    return ids, sorted(i for i, token in vocab.items() if token.startswith(start))


def _pops_unsorted(ids, vocab):
    start = vocab[ids.pop()]
    return ids, [i for i, token in vocab.items() if token.startswith(start)]


def _removes_the_first_equal(ids, vocab):
    kept = list(ids)
    kept.remove(ids[-1])
    return kept, heal_prompt(ids, vocab)[1]


def _as_text(ids, vocab):
    start = vocab[ids[-1]].decode("utf-8", "replace")
    found = [i for i, token in vocab.items() if token.decode("utf-8", "replace").startswith(start)]
    return ids[:-1], sorted(found)


def _strictly(ids, vocab):
    start = vocab[ids[-1]].decode("utf-8")
    return ids[:-1], sorted(i for i, token in vocab.items() if token.decode("utf-8").startswith(start))


def _without_broken(ids, vocab):
    start = vocab[ids[-1]].decode("utf-8", "ignore")
    found = [i for i, token in vocab.items() if token.decode("utf-8", "ignore").startswith(start)]
    return ids[:-1], sorted(found)


SMALL_VOCAB = {
    9: b" York",
    2: b" ",
    5: b" Yor",
    1: b"New",
    7: b"new Yor",
    3: b"   ",
    12: b" yor",
    4: b"\xc3",
    6: b"\xc3\xa9",
    8: b"\xc3\xa8r",
    10: b"\xa9",
    11: b" \xc3",
    0: b"w",
}


def _prompts(rng: random.Random) -> list:
    probes = [([i], SMALL_VOCAB) for i in SMALL_VOCAB]
    probes += [([1, i], SMALL_VOCAB) for i in (2, 5, 4, 9)] + [([1, 2, 2], SMALL_VOCAB), ([5, 5, 5], SMALL_VOCAB)]
    probes += [
        ([2, 1, 2], SMALL_VOCAB),
        ([9, 1, 0, 1, 9, 0, 1, 0], SMALL_VOCAB),
        ([7], {7: b"a"}),
        ([3, 3], {1: b"A", 3: b"A"}),
    ]
    probes += [
        ([6], {6: b"A", 11: b"\nA", 4: b" A"}),
        ([291, 300], {291: b"b", 300: b"b.", 40_000: b"b.c", 2: b"b", 999: b"bxc"}),
        ([1, 0] * 7 + [2], SMALL_VOCAB),
        ([3], {3: b"<|", 5: b"<|im_end|>"}),
    ]
    for _ in range(20):
        tokens = {bytes(rng.choice(b"ab\xc3\xa9") for _ in range(rng.randint(1, 3))) for _ in range(rng.randint(2, 12))}
        numbers = rng.sample(range(40), len(tokens))
        vocab = dict(zip(numbers, sorted(tokens)))
        probes.append(([rng.choice(numbers) for _ in range(rng.randint(1, 4))], vocab))
    return probes


HEAL_PROMPT = FunctionExercise(
    id="9.5",
    title="Write token healing",
    points=30,
    reference=heal_prompt,
    expects="a tuple of two lists of int",
    make_probes=_prompts,
    hints=(
        "Three steps: which bytes does the last token have, what is left without it, and which tokens begin with these bytes?",
        "`ids[:-1]` makes a shorter list and leaves the old one alone. Go through the vocabulary with `.items()` and compare bytes "
        "with bytes. Should the token itself be among the candidates? Look at the example.",
        "bytes have a method `startswith`, like str. Collect the ids, not the tokens, and sort them at the end.",
    ),
    wrong_answers=(
        WrongAnswer(
            "without-itself",
            lambda ids, vocab: _healed(ids, vocab, lambda token, start: token.startswith(start) and token != start),
            "The last token itself is missing among the candidates. The prompt may have been right as it was; then the model must "
            "be able to write it again.",
        ),
        WrongAnswer(
            "holds-it-anywhere",
            lambda ids, vocab: _healed(ids, vocab, lambda token, start: start in token),
            "You take all tokens that hold these bytes somewhere. They must begin with them, or the text of the prompt changes.",
        ),
        WrongAnswer(
            "ends-with-it",
            lambda ids, vocab: _healed(ids, vocab, lambda token, start: token.endswith(start)),
            "You take the tokens that end with these bytes. They must begin with them.",
        ),
        WrongAnswer(
            "other-way-round",
            lambda ids, vocab: _healed(ids, vocab, lambda token, start: start.startswith(token)),
            "You ask whether the last token begins with the candidate. It is the candidate that must begin with the last token, and "
            "so is as long or longer.",
        ),
        WrongAnswer(
            "keeps-last",
            lambda ids, vocab: _healed(ids, vocab, lambda token, start: token.startswith(start), keep=0),
            "The last token is still in the prompt. Then its text would stand there twice.",
        ),
        WrongAnswer(
            "only-last",
            lambda ids, vocab: (ids[-1:], _healed(ids, vocab, lambda token, start: token.startswith(start))[1]),
            "You return the last token as what is kept. It is the one that goes; what stands before it stays.",
        ),
        WrongAnswer(
            "changes-argument",
            _pops,
            "The result is right, but `ids` has lost its last element: `pop` and `remove` change the list that you were given.",
        ),
        WrongAnswer(
            "changes-argument-unsorted",
            _pops_unsorted,
            "Two things: `ids` has lost its last element, since `pop` and `remove` change the list that you were given. And the "
            "candidates come in the order of the vocabulary; sort the ids.",
        ),
        WrongAnswer(
            "removes-the-first-equal",
            _removes_the_first_equal,
            "You take away the first id that is equal to the last one, as `remove` does. It may stand earlier in the prompt; what "
            "goes is the one at the end.",
        ),
        WrongAnswer(
            "sorted-by-bytes",
            lambda ids, vocab: (ids[:-1], sorted(heal_prompt(ids, vocab)[1], key=lambda i: (vocab[i], i))),
            "The candidates are right, but they come in the order of their bytes. Sort the ids themselves.",
        ),
        WrongAnswer(
            "decodes-first",
            _as_text,
            "You compare texts and not bytes. A token can be a part of a character; as text all of these look alike.",
        ),
        WrongAnswer(
            "decodes-strictly",
            _strictly,
            "You decode the tokens to compare them. A token can be a part of a character, which is no text; compare bytes with bytes.",
        ),
        WrongAnswer(
            "first-byte",
            lambda ids, vocab: _healed(ids, vocab, lambda token, start: token[:1] == start[:1]),
            "You compare the first byte only. The candidates must begin with all bytes of the last token.",
        ),
        WrongAnswer(
            "ignores-broken",
            _without_broken,
            "You compare texts and leave out bytes that are no text. A token that is part of a character becomes an empty text, and "
            "everything begins with that.",
        ),
        WrongAnswer(
            "ignores-case",
            lambda ids, vocab: _healed(ids, vocab, lambda token, start: token.lower().startswith(start.lower())),
            "You ignore the case of letters. What the candidate replaces must stand in it exactly.",
        ),
        WrongAnswer(
            "tokens-not-ids",
            lambda ids, vocab: (
                ids[:-1],
                sorted(token for token in vocab.values() if token.startswith(vocab[ids[-1]])),
            ),
            "The candidates are bytes here. Asked for are their ids.",
        ),
        WrongAnswer(
            "a-set",
            lambda ids, vocab: (ids[:-1], {i for i, token in vocab.items() if token.startswith(vocab[ids[-1]])}),
            "The candidates are right, but they are a set. Asked for is a sorted list.",
        ),
        WrongAnswer(
            "not-sorted",
            lambda ids, vocab: (ids[:-1], [i for i, token in vocab.items() if token.startswith(vocab[ids[-1]])]),
            "The candidates are right, but they come in the order of the vocabulary. Sort the ids.",
        ),
    ),
)

# --- 9.6 -------------------------------------------------------------------------------------


def fit_into(text: str, limit: int, model: str) -> str:
    """Return the text of the first tokens that a model makes of a text.

    A character that the cut goes through is left out.

    Args:
        text: any text.
        limit: the number of tokens to keep, 0 or more.
        model: a name that load() knows, such as "gpt-4".

    Returns:
        The beginning of the text: its first `limit` tokens, decoded.

    Example:
        >>> fit_into("            return", 2, "gpt-4")
        '            return'
        >>> fit_into("            return", 2, "gpt2")
        '  '
        >>> fit_into("Hi 👋", 2, "gpt-4")
        'Hi '
    """
    tokenizer = load(model)
    ids = tokenizer.encode_ordinary(text)[:limit]
    return tokenizer.decode(ids, errors="ignore")


def _cut_with_gpt2(text, limit, model):
    tokenizer = load("gpt2")
    ids = tokenizer.encode_ordinary(text)[:limit]
    return tokenizer.decode(ids)


def _fitted(text, limit, model, *, errors="ignore", decoder=None, more=0) -> str:
    ids = load(model).encode_ordinary(text)[: max(0, limit + more)]
    return load(decoder or model).decode(ids, errors=errors)


def _decoded_one_by_one(text, limit, model):
    tokenizer = load(model)
    ids = tokenizer.encode_ordinary(text)[:limit]
    return "".join(tokenizer.decode([i], errors="ignore") for i in ids)


def _last_tokens(text, limit, model):
    tokenizer = load(model)
    ids = tokenizer.encode_ordinary(text)
    return tokenizer.decode(ids[len(ids) - limit :] if limit < len(ids) else ids, errors="ignore")


def _shrunk(text, limit, model, *, by_words=False) -> str:
    tokenizer = load(model)
    parts, gap = (text.split(" "), " ") if by_words else (list(text), "")
    while parts and len(tokenizer.encode_ordinary(gap.join(parts))) > limit:
        parts.pop()
    return gap.join(parts)


TEXTS = (
    "",
    "Hi",
    "low lower newest widest",
    "            return 12345678",
    "def f(x):\n        if x:\n            return x",
    "नमस्ते दुनिया",
    "東京は雨です。 🍕🍕",
    "café 👋 naïve 👋",
    "It costs 1,000,000 € in 2026.",
    "a\ufffdb \ufffd and strawberry",
    "STRAWBERRY strawberry",
    "𝒳𝒴𝒵 የኢትዮጵያ",
)
MODELS = ("gpt2", "gpt-4", "gpt-4o", "qwen2.5")


def _texts_and_limits(rng: random.Random) -> list:
    probes = [(text, limit, model) for text in TEXTS for limit, model in ((3, "gpt-4"), (4, "qwen2.5"))]
    probes += [(TEXTS[3], 0, "gpt-4"), (TEXTS[4], 10**6, "gpt2"), (TEXTS[5], 2, "gpt2"), (TEXTS[9], 50, "gpt-4o")]
    probes += [(TEXTS[9], 4, "gpt2"), (TEXTS[9], 3, "gpt2"), ("a", 0, "gpt2"), ("a", 1, "gpt2"), ("é", 1, "gpt-4")]
    probes += [(" low" * 130, 120, "gpt2")]
    probes += [(text, limit, MODELS[limit % 3]) for text in ODD_TEXTS for limit in (2, 5, 30)]
    for _ in range(30):
        probes.append((rng.choice(TEXTS[1:]), rng.randint(0, 9), rng.choice(MODELS)))
    return probes


MEND_FIT = FunctionExercise(
    id="9.6",
    title="Find the bugs: a text that does not fit",
    points=25,
    reference=fit_into,
    buggy=_cut_with_gpt2,
    needs=NEEDS,
    expects="a str",
    make_probes=_texts_and_limits,
    hints=(
        "There are two bugs. Which of the three arguments is never used?",
        "The model that will read the text must do the counting, and the same tokenizer must turn its ids back into text. After "
        "that, look at texts with emoji: what stands at the end?",
        "`decode` has a second argument that says what to do with bytes that are no text. Notebook 05 lists its values; one of "
        "them leaves the bytes out.",
    ),
    wrong_answers=(
        WrongAnswer(
            "counts-with-gpt2",
            _cut_with_gpt2,
            "The text is still counted by GPT-2's tokenizer, whatever the model. With code it comes out too short, with another "
            "model's limit it can come out too long.",
        ),
        WrongAnswer(
            "gpt2-without-half-characters",
            lambda text, limit, model: _fitted(text, limit, "gpt2"),
            "Half characters are left out now, but GPT-2's tokenizer is still the one that counts. The model has one of its own.",
        ),
        WrongAnswer(
            "half-character",
            lambda text, limit, model: _fitted(text, limit, model, errors="replace"),
            "The right tokenizer counts now. The second bug is left: where the cut goes through a character, the text ends with "
            "the replacement character.",
        ),
        WrongAnswer(
            "refuses-special-tokens",
            lambda text, limit, model: load(model).decode(load(model).encode(text)[:limit], errors="ignore"),
            "Your code stops with an error where a text spells a special token, as `encode` does unless it is told otherwise. Here "
            "any text is just text.",
        ),
        WrongAnswer(
            "allows-special-tokens",
            lambda text, limit, model: load(model).decode(
                load(model).encode(text, allowed_special="all")[:limit], errors="ignore"
            ),
            "You let a text make special tokens: `<|endoftext|>` counts as one. Somebody has typed it, so it is text and is cut "
            "like any other.",
        ),
        WrongAnswer(
            "strips-replacement",
            lambda text, limit, model: _fitted(text, limit, model, errors="replace").rstrip("\ufffd"),
            "You remove replacement characters from the end. If the text itself has one there, it is lost as well.",
        ),
        WrongAnswer(
            "removes-replacement",
            lambda text, limit, model: _fitted(text, limit, model, errors="replace").replace("\ufffd", ""),
            "You remove every replacement character, and a text may really hold some.",
        ),
        WrongAnswer(
            "decodes-with-gpt2",
            lambda text, limit, model: _fitted(text, limit, model, decoder="gpt2"),
            "You count with the right tokenizer and decode with GPT-2's. To it, the ids mean other tokens, or none at all.",
        ),
        WrongAnswer(
            "each-token-alone",
            _decoded_one_by_one,
            "You decode each token by itself, and characters that are made of several tokens get lost in the middle of the text.",
        ),
        WrongAnswer(
            "strict",
            lambda text, limit, model: _fitted(text, limit, model, errors="strict"),
            "Where the cut goes through a character, decoding stops with an error. Half a character should be left out.",
        ),
        WrongAnswer(
            "cuts-characters",
            lambda text, limit, model: text[:limit],
            "You keep so many characters. The limit counts tokens.",
        ),
        WrongAnswer(
            "four-characters-a-token",
            lambda text, limit, model: text[: 4 * limit],
            "Four characters for a token is a rule of thumb for English prose. In code and in other scripts it is far off.",
        ),
        WrongAnswer(
            "shrinks-until-it-fits",
            _shrunk,
            "You shorten the text until it has few enough tokens. The end of a word may then be cut anew, and more of it fits than the "
            "first tokens hold. Asked for is the text of the first tokens.",
        ),
        WrongAnswer(
            "whole-words",
            lambda text, limit, model: _shrunk(text, limit, model, by_words=True),
            "You leave out whole words until the rest fits. The last token that fits may be a part of a word, and it belongs to the "
            "result.",
        ),
        WrongAnswer(
            "last-tokens",
            _last_tokens,
            "You keep the end of the text. Asked for is its beginning.",
        ),
        WrongAnswer(
            "one-too-few",
            lambda text, limit, model: _fitted(text, limit, model, more=-1),
            "You keep one token too few: a slice up to `limit` holds `limit` elements.",
        ),
    ),
)

# --- 9.7 -------------------------------------------------------------------------------------


def shared_borders(first: list[bytes], second: list[bytes]) -> list[int]:
    """Find the places where two tokenizers both end a token.

    Args:
        first: the tokens of a text by one tokenizer.
        second: the tokens of the same text by another.

    Returns:
        The places, each a number of bytes from the start, in rising order.
        The end of the text is one of them; the start is none.

    Example:
        >>> shared_borders([b"str", b"aw", b"b"], [b"st", b"raw", b"b"])
        [5, 6]
        >>> shared_borders([b"ab", b"c"], [b"a", b"bc"])
        [3]
    """
    ends = []
    for tokens in (first, second):
        place, places = 0, set()
        for token in tokens:
            place += len(token)
            places.add(place)
        ends.append(places)
    return sorted(ends[0] & ends[1])


def _ends(tokens, size=len) -> list[int]:
    places, place = [], 0
    for token in tokens:
        place += size(token)
        places.append(place)
    return places


def _starts(tokens) -> set[int]:
    return {0, *_ends(tokens)[:-1]} if tokens else set()


def _spans(tokens) -> set[tuple]:
    ends = _ends(tokens)
    return set(zip([0, *ends], ends))


def _shared(first, second, size) -> list[int]:
    return sorted(set(_ends(first, size)) & set(_ends(second, size)))


def _two_cuts(rng: random.Random) -> list:
    def cut(data: bytes) -> list[bytes]:
        tokens = []
        while data:
            size = rng.randint(1, 4)
            tokens.append(data[:size])
            data = data[size:]
        return tokens

    probes = [
        ([], []),
        ([b"a"], [b"a"]),
        ([b"a", b"b"], [b"ab"]),
        ([b"ab"], [b"a", b"b"]),
        ([b"a", b"b"], [b"a", b"b"]),
    ]
    probes += [([b"a", b"b", b"c"], [b"ab", b"c"]), ([b"\xc3", b"\xa9", b"a"], [b"\xc3\xa9", b"a"])]
    probes += [([b"caf\xc3\xa9", b"!"], [b"caf", b"\xc3\xa9", b"!"]), ([b"aa", b"aa"], [b"a", b"aa", b"a"])]
    probes += [([b"ab"] * 16, [b"abab"] * 8), ([b"abab"] * 4, [b"ab"] * 8), ([b"  "], [b" ", b" "])]
    probes += [([b"x" * 300, b"y"], [b"x" * 299, b"x", b"y"]), ([b" ", b"a\n"], [b" a", b"\n"])]
    probes += [([b"a<|", b"im_end|>"], [b"a", b"<|im_end|>"])]
    for _ in range(25):
        text = "".join(rng.choice("abé水") for _ in range(rng.randint(1, 8))).encode()
        probes.append((cut(text), cut(text)))
    return probes


SHARED_BORDERS = FunctionExercise(
    id="9.7",
    title="Find the borders that two tokenizers share",
    points=25,
    reference=shared_borders,
    expects="a list of int",
    make_probes=_two_cuts,
    hints=(
        "Write the example on paper: 3, 5, 6 are the places where the first tokenizer ends a token. What are those of the second?",
        "A place is the sum of the lengths so far, in bytes; a token is bytes already, so `len` counts them. Do this for both lists, "
        "then ask which places are in both.",
        "Two sets and `&` find what they share; a set has no order, so sort it. `itertools.accumulate` adds up, if you like.",
    ),
    wrong_answers=(
        WrongAnswer(
            "with-the-start",
            lambda first, second: sorted({0, *_ends(first)} & {0, *_ends(second)}),
            "The start of the text, 0, is in your list. No token ends there.",
        ),
        WrongAnswer(
            "without-the-end",
            lambda first, second: sorted(set(_ends(first)[:-1]) & set(_ends(second)[:-1])),
            "The end of the text is missing. Both tokenizers end their last token there.",
        ),
        WrongAnswer(
            "starts",
            lambda first, second: sorted(_starts(first) & _starts(second)),
            "You return the places where tokens begin. Asked for is where they end.",
        ),
        WrongAnswer(
            "same-tokens-only",
            lambda first, second: sorted(end for _, end in _spans(first) & _spans(second)),
            "You find the tokens that both have. A border is shared as soon as both end some token there, even if the tokens differ, as "
            "str|aw and st|raw do.",
        ),
        WrongAnswer(
            "same-number",
            lambda first, second: [a for a, b in zip(_ends(first), _ends(second)) if a == b],
            "You compare the first border with the first, the second with the second. After one extra cut, all later borders are shifted "
            "in that count.",
        ),
        WrongAnswer(
            "counts-characters",
            (
                lambda first, second: _shared(first, second, lambda token: len(token.decode("utf-8", "replace"))),
                lambda first, second: _shared(first, second, lambda token: len(token.decode("utf-8", "ignore"))),
                lambda first, second: _shared(first, second, lambda token: len(token.decode("utf-8"))),
            ),
            "You count characters. A token may hold half a character, so the places must be counted in bytes.",
        ),
        WrongAnswer(
            "counts-tokens",
            lambda first, second: sorted(set(range(1, len(first) + 1)) & set(range(1, len(second) + 1))),
            "You number the tokens. A place is a number of bytes: add up the lengths.",
        ),
        WrongAnswer(
            "either",
            lambda first, second: sorted({*_ends(first), *_ends(second)}),
            "You return the borders of either tokenizer. Asked for are those that both have.",
        ),
        WrongAnswer(
            "only-one",
            lambda first, second: sorted(set(_ends(first)) ^ set(_ends(second))),
            "You return the borders that only one of them has. Asked for are those of both.",
        ),
        WrongAnswer(
            "lengths",
            lambda first, second: sorted({len(token) for token in first} & {len(token) for token in second}),
            "You compare the lengths of single tokens. A place is the sum of all lengths so far.",
        ),
        WrongAnswer(
            "how-many",
            lambda first, second: len(set(_ends(first)) & set(_ends(second))),
            "You return how many there are. Asked for are the places.",
        ),
    ),
)

# --- 9.8 -------------------------------------------------------------------------------------


def comes_out_behind(i: int, starts: list) -> list:
    """Find the texts behind which a token of GPT-4o comes out.

    Args:
        i: the id of a token whose bytes are a text.
        starts: texts to put before the token's text, each by itself. What
            spells a special token is just text.

    Returns:
        Those of them with which the id is among the ids of the whole,
        in the order given.

    Example:
        >>> comes_out_behind(48235, ["", "a", "*/", ";"])
        ['*/']
    """
    gpt4o = load("gpt-4o")
    text = gpt4o.vocab[i].decode()
    return [start for start in starts if i in gpt4o.encode_ordinary(start + text)]


ODD_STARTS = [
    "İ",
    "é",
    "п",
    "٣",
    "²",
    "_",
    "…",
    "-\n//…",
    "\xa0我",
    "  ",
    "  -\n// a",
    "-\n//e\u0301 a",
    "\xa0",
    "<|endoftext|>",
    "</w>",
    "re " * 20,
    "水 ",
]
FAIL_ALONE = (3413, 3914, 24091, 48235, 63100, 65447, 99494, 125141, 147008, 175653, 182292, 193819)
SIGNS = list("!#$%&*+-;=~)")


def _coming_out(i, starts, test) -> list:
    gpt4o = load("gpt-4o")
    text = gpt4o.vocab[i].decode()
    return [start for start in starts if test(gpt4o, start, text)]


def _with_gpt4(i, starts) -> list:
    gpt4 = load("gpt-4")
    text = load("gpt-4o").vocab[i].decode()
    return [start for start in starts if i in gpt4.encode_ordinary(start + text)]


def _token_probes(rng: random.Random) -> list:
    probes = [
        (3914, SIGNS),
        (3914, []),
        (3914, ["-\n// a"]),
        (3914, ["-\n//-", "a"]),
        (3914, ["-", "a", "-", "-", "$"]),
        (3914, ["x" * n + "-" for n in range(40)]),
        (3914, ODD_STARTS),
        (0, ODD_STARTS),
        (264, ODD_STARTS),
        (3914, ["x = a -", " -", "- "]),
        (264, ["a", "ca", "re "]),
    ]
    probes += [(63100, ["<|endoftext|>", "-", "$"]), (193819, ["", "a", "我"]), (3413, ["", " I're", "x"])]
    probes += [(i, ["", *rng.sample(SIGNS, 4), "a", " "]) for i in FAIL_ALONE]
    plain = [i for i, token in load("gpt-4o").vocab.items() if i < 3000 and token.isascii()]
    probes += [(rng.choice(plain), ["", "a", " ", *rng.sample(SIGNS, 2)]) for _ in range(12)]
    return probes


COMES_OUT_BEHIND = FunctionExercise(
    id="9.8",
    title="Find a text in which a token comes out",
    points=20,
    reference=comes_out_behind,
    needs=NEEDS,
    expects="a list of str",
    make_probes=_token_probes,
    hints=(
        "What is the text of the token, and what becomes of it when something stands before it? Do one start by hand first.",
        "`vocab` of the tokenizer has the bytes of an id. A start belongs to the result if the id is anywhere among the ids of "
        "start and text together.",
        "`encode_ordinary` takes any text as text. A list with `if` keeps the starts that pass, in their order.",
    ),
    wrong_answers=(
        WrongAnswer(
            "alone",
            lambda i, starts: _coming_out(i, starts, lambda t, start, text: t.encode_ordinary(text) == [i]),
            "You encode the token's text alone, so the start makes no difference. Encode both together.",
        ),
        WrongAnswer(
            "last-id",
            lambda i, starts: _coming_out(i, starts, lambda t, start, text: t.encode_ordinary(start + text)[-1] == i),
            "You look at the last id only. The token may also come out earlier, inside the start.",
        ),
        WrongAnswer(
            "behind-the-token",
            lambda i, starts: _coming_out(i, starts, lambda t, start, text: i in t.encode_ordinary(text + start)),
            "You put the texts behind the token. Asked for is what stands before it.",
        ),
        WrongAnswer(
            "in-the-text",
            lambda i, starts: _coming_out(i, starts, lambda t, start, text: text in start + text),
            "You look for the token's characters in the text, and they are always there. Whether they come out as this one "
            "token, the ids say.",
        ),
        WrongAnswer(
            "one-token-more",
            lambda i, starts: _coming_out(
                i,
                starts,
                lambda t, start, text: len(t.encode_ordinary(start + text)) == len(t.encode_ordinary(start)) + 1,
            ),
            "You count: one token more than the start has. The cut of the start may change as well, so look for the id itself.",
        ),
        WrongAnswer(
            "whole-texts",
            lambda i, starts: [start + load("gpt-4o").vocab[i].decode() for start in comes_out_behind(i, starts)],
            "You return start and token together. Asked for are the starts.",
        ),
        WrongAnswer(
            "the-others",
            lambda i, starts: [start for start in starts if start not in comes_out_behind(i, starts)],
            "You return the texts behind which it does not come out.",
        ),
        WrongAnswer(
            "another-tokenizer",
            _with_gpt4,
            "You encode with GPT-4's tokenizer. There the id is another token.",
        ),
        WrongAnswer(
            "refuses-special-tokens",
            lambda i, starts: _coming_out(i, starts, lambda t, start, text: i in t.encode(start + text)),
            "Your code stops with an error where a text spells a special token, as `encode` does unless it is told otherwise. Here "
            "any text is just text.",
        ),
    ),
)

# --- 9.9 -------------------------------------------------------------------------------------

CHOOSE_UNREACHABLE = ChooseExercise(
    id="9.9",
    title="Choose: a token that no text gives",
    points=10,
    question="Each of these tokens fails when its text is encoded alone. Which one can come out of no text whatever?",
    variable="never_comes_out",
    options=(
        Option(
            "GPT-4o's token ·I', a space, a capital and an apostrophe",
            False,
            "Alone its apostrophe is cut off. But letters and the ending 're are one piece, and in ·I're the token comes out: try it.",
        ),
        Option(
            "GPT-4o's token of two line ends and two strokes",
            False,
            "It is like 3914: behind a sign, line ends and strokes are in the same piece, and behind some signs this token "
            "comes out.",
        ),
        Option(
            "Qwen2.5's token ที่, a Thai letter and two marks on it",
            True,
            "Only the alternative of the letters takes a Thai letter, and it takes letters to its end. So behind a letter the piece goes on "
            "with a letter or stops; a mark begins the next one. Merges stay inside a piece. That holds for every text.",
        ),
        Option(
            "GPT-4o's token 亚洲AV: two Chinese characters, then two capitals",
            False,
            "Alone it is cut before the capitals. Behind capitals the pattern may go on with characters that have no case: in "
            "亚洲AV天堂 all of it is one piece, and the token comes out.",
        ),
    ),
    hints=(
        "A trial that finds no text proves nothing. For three of them one text is enough to show that they come out.",
        "Encode ·I're with GPT-4o (the dot is a space), and 亚洲AV天堂.",
        "For the fourth, ask of each alternative of its pattern: can it take these characters in this order?",
    ),
)

# --- Quiz --------------------------------------------------------------------------------------

QUESTIONS = (
    Question(
        '"strawberry is three tokens for GPT-4." What is missing from this sentence?',
        (
            Option(
                "Nothing: a word has one tokenization in a given tokenizer.",
                False,
                "A piece of text has one, but with its space in front, in quotes or in capitals it is another text.",
            ),
            Option(
                "Where the word stands: with a space before it, as in a sentence, it is one token.",
                True,
                "str|aw|berry is the word without a space, at the very start of a text or after a quote.",
            ),
            Option(
                "The length of the text around it: the longer a text, the fewer tokens each of its words takes.",
                False,
                "Pieces are encoded one by one, and the length of the text changes nothing.",
            ),
            Option(
                "The version of the model: each update of GPT-4 cuts anew.",
                False,
                "The vocabulary is fixed before a model is trained. To change it is to train anew.",
            ),
        ),
    ),
    Question(
        "Why can 1,234 + 12,345 be easier for a model with GPT-4's tokenizer than 1234 + 12345?",
        (
            Option(
                "With commas there are fewer tokens.",
                False,
                "There are more: each comma is a token as well.",
            ),
            Option(
                "A comma tells the model that a calculation follows.",
                False,
                "Nothing about a comma says so. Look at which digits share a token.",
            ),
            Option(
                "Without commas, GPT-4 reads digit by digit and loses the place.",
                False,
                "GPT-4 takes three digits at a time, from the left. Digit by digit is Qwen2.5.",
            ),
            Option(
                "With commas, 234 stands against 345: the same places.",
                True,
                "Commas group from the right, so 234 and 345 both hold hundreds, tens and ones. Without commas 4 stands against 45.",
            ),
        ),
    ),
    Question(
        "A rule finds a token that no text of yours reaches and no dictionary knows. What do you know about the model?",
        (
            Option(
                "Not much yet: it is a candidate, and the weights decide.",
                True,
                "What the model has learned is in its weights, not in its vocabulary. Names of functions look just as odd, and a model that "
                "was trained on code knows them well.",
            ),
            Option(
                "The model has never seen the token in training, and cannot repeat it.",
                False,
                "You have not seen it in your texts. The model was trained on others.",
            ),
            Option(
                "The token can never occur, since no text produces it.",
                False,
                "Your texts do not, but its own text may. Encode it and see.",
            ),
            Option(
                "The tokenizer is damaged and must be replaced.",
                False,
                "Every merge in it was right for the text that it was trained on.",
            ),
        ),
    ),
    Question(
        "A program cuts a text after 1,000 tokens, counted with GPT-2's tokenizer, and sends it to a model with another one. What "
        "happens?",
        (
            Option(
                "Nothing: a token is about four characters everywhere.",
                False,
                "On code GPT-2 needs half as many tokens again, and in other scripts the counts lie much further apart.",
            ),
            Option(
                "The model refuses the text with an error, since the ids in it are not its own.",
                False,
                "What is sent is text, and any tokenizer can encode any text.",
            ),
            Option(
                "It has fewer tokens there, or more than the limit allows.",
                True,
                "How far off it is depends on the text. Count with the tokenizer of the model that reads.",
            ),
            Option(
                "The text is cut at the same place, because both are BPE.",
                False,
                "Same method, other merges: other tokens and other borders.",
            ),
        ),
    ),
)

LESSON = Lesson(
    9,
    "Where tokenization breaks",
    (
        CHOOSE_LETTERS,
        PREDICT_ONES,
        CUT_IN_THOUSANDS,
        COMES_OUT_BEHIND,
        CHOOSE_UNREACHABLE,
        PREDICT_JOINED,
        MEND_FIT,
        HEAL_PROMPT,
        SHARED_BORDERS,
    ),
    QUESTIONS,
)
