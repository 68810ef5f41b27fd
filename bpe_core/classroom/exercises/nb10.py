"""Notebook 10, how big a vocabulary: exercises and quiz."""

import random
from collections import Counter

from ..spec import ChooseExercise, FunctionExercise, Lesson, Option, PredictExercise, Question, WrongAnswer

# --- 10.1 ------------------------------------------------------------------------------------

CHOOSE_LATE_MERGES = ChooseExercise(
    id="10.1",
    title="Choose: what the last merges bring",
    points=15,
    question="The list goes on to 4,990 entries. On the training text the late merges still save tokens, on the held-out story "
    "hardly any. Why?",
    variable="why_late_merges",
    options=(
        Option(
            "The story holds words that the tokenizer does not know, and these become unknown tokens.",
            False,
            "A byte-level tokenizer has no unknown tokens. New words are cut into smaller tokens that it has.",
        ),
        Option(
            "Late merges are tried last, and by the time it is their turn the story has already been cut into its final tokens.",
            False,
            "On the training text they are tried last as well, and there they do find their pairs.",
        ),
        Option(
            "The story is much shorter than the training text, and a short text has less in it that could be compressed.",
            False,
            "Bytes per token is a ratio: it does not grow with the length of a text. The early merges compress the story nearly as "
            "well as the training text.",
        ),
        Option(
            "Late merges fuse pairs that occur once or twice in the training text, and rarely in the story.",
            True,
            "The counts fall from merge to merge. At the end the tokenizer learns single words of its training text by heart, and "
            "each of them still becomes a row of the embedding.",
        ),
    ),
    hints=(
        "Look at the count of a late merge in the cell above. How many places of the training text does it shorten?",
        "A merge that is made for one place in one text helps with another text only if the same word stands there too.",
        "It is not about bytes that are unknown, nor about the order, nor about length. Where do the late merges come from?",
    ),
)

# --- 10.2 ------------------------------------------------------------------------------------


def embedding_parameters(entries: int, width: int, tied: bool) -> int:
    """Count the parameters that a model spends on its vocabulary.

    The embedding has one row for each entry, of `width` numbers. The
    output layer has a table of the same shape. Tied, both use one table.

    Args:
        entries: the vocabulary size.
        width: numbers in one row.
        tied: whether the input and the output share one table.

    Returns:
        The number of parameters, an int.

    Example:
        >>> embedding_parameters(10, 4, True)
        40
        >>> embedding_parameters(10, 4, False)
        80
    """
    tables = 1 if tied else 2
    return tables * entries * width


def _shapes(rng: random.Random) -> list:
    shapes = [
        (1, 1),
        (2, 1),
        (1, 2),
        (2, 2),
        (3, 2),
        (7, 5),
        (0, 8),
        (50257, 768),
        (128000, 4096),
        (32000, 8192),
        (262_144, 12_288),
    ]
    shapes += [(rng.randint(3, 200_000), rng.randint(3, 9_000)) for _ in range(10)]
    return [(size, width, tied) for size, width in shapes for tied in (True, False)]


COUNT_EMBEDDING = FunctionExercise(
    id="10.2",
    title="Count the parameters of the embedding",
    points=15,
    reference=embedding_parameters,
    expects="a whole number, an int",
    make_probes=_shapes,
    hints=(
        "Draw the table for 10 entries and width 4. How many rows, how many numbers in a row, how many in all?",
        "How many such tables does a tied model keep, and how many an untied one?",
        "The result is rows times numbers in a row times tables, and only the last factor depends on `tied`.",
    ),
    wrong_answers=(
        WrongAnswer(
            "always-tied",
            lambda entries, width, tied: entries * width,
            "You always count one table. A model that is not tied keeps a second one, for the output layer.",
        ),
        WrongAnswer(
            "always-untied",
            lambda entries, width, tied: 2 * entries * width,
            "You always count two tables. A tied model uses one table at both ends.",
        ),
        WrongAnswer(
            "tied-means-two",
            lambda entries, width, tied: (2 if tied else 1) * entries * width,
            "It is the other way round: tied means that input and output share a table, so there is one.",
        ),
        WrongAnswer(
            "half-when-tied",
            lambda entries, width, tied: entries * width // 2 if tied else entries * width,
            "The factor between the two cases is right, but both are half of what they should be: one whole table is the least.",
        ),
        WrongAnswer(
            "adds-shape",
            lambda entries, width, tied: (1 if tied else 2) * (entries + width),
            "You add the number of rows and their width. Each of the rows has `width` numbers.",
        ),
        WrongAnswer(
            "doubled-rows-only",
            lambda entries, width, tied: entries * width + (0 if tied else entries),
            "Your second table has one number a row. It has the same shape as the first: each row holds `width` numbers.",
        ),
        WrongAnswer(
            "square-of-size",
            lambda entries, width, tied: (1 if tied else 2) * entries**2,
            "You square the vocabulary size. A row has `width` numbers, not one for each entry.",
        ),
        WrongAnswer(
            "square-of-width",
            lambda entries, width, tied: (1 if tied else 2) * entries * width**2,
            "You use the width twice. A row is a list of `width` numbers, not a square.",
        ),
        WrongAnswer(
            "squared-when-untied",
            lambda entries, width, tied: entries * width if tied else (entries * width) ** 2,
            "Two tables hold twice as many numbers as one. You multiply the sizes of the tables; they add up.",
        ),
    ),
)

# --- 10.3 ------------------------------------------------------------------------------------


def _one_table():
    return 128_000 * 4_096


PREDICT_EMBEDDING = PredictExercise(
    id="10.3",
    title="Predict: one large table",
    points=10,
    question="A vocabulary has exactly 128,000 entries, the model's width is 4,096, and input and output are tied. How many "
    "parameters does the embedding have? Estimate in your head first, then work it out exactly; Python may do the last step.",
    variable="embedding_count",
    answer=524_288_000,
    expects="a whole number",
    why="128,000 rows of 4,096 numbers. In the head: 128 times 4 is 512, and thousand times thousand is a million, so a bit "
    "more than 512 million. Exactly, 4,096 is 2 to the 12th and 128 is 2 to the 7th: a thousand times 2 to the 19th.",
    proof=_one_table,
    hints=(
        "One row for each entry, `width` numbers in a row. Is it rather millions, hundreds of millions or billions?",
        "Round the width to 4,000 for an estimate. The exact number is a few percent larger.",
        "It is one product of two factors, both of them in the question. Tied: nothing is doubled.",
    ),
    wrong_answers=(
        WrongAnswer(
            "untied",
            1_048_576_000,
            "This counts two tables. Tied means that the output uses the table of the input.",
        ),
        WrongAnswer(
            "rounded-width", 512_000_000, "A good estimate, with the width rounded to 4,000. Now exactly: it is 4,096."
        ),
        WrongAnswer("thousands-lost", 524_288, "A factor of a thousand is lost: 128,000 entries, not 128."),
        WrongAnswer("million-lost", 524, "That is the count in millions. Write it out."),
        WrongAnswer("adds-shape", 132_096, "You added. There are 128,000 rows, and each of them has 4,096 numbers."),
        WrongAnswer(
            "bytes",
            2_097_152_000,
            "That is the memory in bytes if a number takes four of them. Asked for is how many numbers there are.",
        ),
        WrongAnswer(
            "binary-thousand",
            536_870_912,
            "That is for 131,072 entries, 2 to the 17th. Here the vocabulary has 128,000.",
        ),
        WrongAnswer(
            "estimate",
            lambda value: type(value) in (int, float) and 480e6 < value < 580e6 and value != 524_288_000,
            "A good estimate. Now the exact number: Python multiplies it for you.",
        ),
        WrongAnswer("square-of-size", 16_384_000_000, "You squared the vocabulary size. A row has 4,096 numbers."),
    ),
)

# --- 10.4 ------------------------------------------------------------------------------------


def attention_flops(tokens: int, width: int, layers: int) -> int:
    """Count what attention computes for a text, in FLOPs.

    In each layer every token looks at itself and at all tokens before
    it. One look takes 4 * width FLOPs: half to compare, half to mix.

    Args:
        tokens: the length of the text in tokens.
        width: the model's width.
        layers: the number of layers.

    Returns:
        The number of FLOPs, an int.

    Example:
        >>> attention_flops(1, 2, 3)
        24
        >>> attention_flops(2, 2, 3)
        72
    """
    looks = 0
    for position in range(tokens):
        looks += position + 1
    return 4 * width * looks * layers


def _last_looks_only(tokens, width, layers):
    looks = 0
    for position in range(tokens):
        looks = position + 1
    return 4 * width * looks * layers


def _looks(tokens: int) -> int:
    return tokens * (tokens + 1) // 2


def _models(rng: random.Random) -> list:
    probes = [(0, 4, 2), (1, 1, 1), (2, 1, 1), (3, 1, 1), (3, 2, 1), (3, 1, 2), (4, 1, 1), (5, 8, 2), (1000, 768, 12)]
    probes += [(6, 1, 3), (7, 5, 1), (2, 5, 4), (1, 12_288, 96), (2000, 4096, 1)]
    return probes + [(rng.randint(3, 400), rng.randint(2, 900), rng.randint(2, 40)) for _ in range(20)]


MEND_ATTENTION = FunctionExercise(
    id="10.4",
    title="Find the bug: attention that grows too slowly",
    points=20,
    reference=attention_flops,
    buggy=_last_looks_only,
    expects="a whole number, an int",
    make_probes=_models,
    hints=(
        "Write the looks of a text of three tokens on paper: at what does the first token look, at what the second, at what the "
        "third?",
        "Run the loop by hand for three tokens. What is in `looks` after each turn, and what should be in it?",
        "Only the line inside the loop is wrong. What stands on its right side is how many looks one token takes, and that is "
        "right. What happens to the looks of the tokens before it?",
    ),
    wrong_answers=(
        WrongAnswer(
            "forgets-quadratic",
            _last_looks_only,
            "Your looks grow like the tokens: twice the text costs twice. Each token has looks of its own, at itself and at all "
            "before it, and the looks of all tokens add up.",
        ),
        WrongAnswer(
            "into-the-future",
            lambda tokens, width, layers: 4 * width * tokens**2 * layers,
            "Every token looks at every token here, those after it included. While a text is written they do not exist yet.",
        ),
        WrongAnswer(
            "not-at-itself",
            lambda tokens, width, layers: 4 * width * (_looks(tokens) - tokens) * layers,
            "The first token has nothing before it and gets no look with you. Each token also looks at itself.",
        ),
        WrongAnswer(
            "one-look-too-many",
            lambda tokens, width, layers: 4 * width * (_looks(tokens) + tokens) * layers,
            "One look too many for each token: itself and those before it, no more.",
        ),
        WrongAnswer(
            "half-a-square",
            (
                lambda tokens, width, layers: 4 * width * (tokens**2 // 2) * layers,
                lambda tokens, width, layers: 2 * width * tokens**2 * layers,
                lambda tokens, width, layers: 4 * width * layers * tokens**2 / 2,
            ),
            "Half of the square comes close for long texts, but each token looks at itself as well: a text of one token has one "
            "look.",
        ),
        WrongAnswer(
            "one-layer",
            lambda tokens, width, layers: 4 * width * _looks(tokens),
            "The looks are right. Every layer does them anew: where are the layers?",
        ),
        WrongAnswer(
            "no-width",
            lambda tokens, width, layers: 4 * _looks(tokens) * layers,
            "The looks are right. A look compares two rows of `width` numbers: where is the width?",
        ),
        WrongAnswer(
            "compare-only",
            (
                lambda tokens, width, layers: 2 * width * _looks(tokens) * layers,
                lambda tokens, width, layers: width * _looks(tokens) * layers,
                lambda tokens, width, layers: 8 * width * _looks(tokens) * layers,
            ),
            "The looks are right, but one look takes 4 FLOPs for each number of the width: two to compare and two to mix.",
        ),
        WrongAnswer(
            "width-twice",
            lambda tokens, width, layers: 4 * width**2 * _looks(tokens) * layers,
            "The looks are right, but the width stands there twice. A look compares two rows number by number, so it counts once.",
        ),
        WrongAnswer(
            "looks-only",
            lambda tokens, width, layers: _looks(tokens),
            "The looks of one layer are right. Asked for is FLOPs: a look takes 4 * width of them, in each layer.",
        ),
    ),
)

# --- 10.5 ------------------------------------------------------------------------------------


def _body_in_entries():
    layers, width = 12, 768
    return 12 * layers * width**2 // width


PREDICT_BODY = PredictExercise(
    id="10.5",
    title="Predict: the body, weighed in entries",
    points=20,
    question="GPT-2 small has 12 layers and width 768. Leave attention out. For one token the body costs 2 x 12 x layers x "
    "width x width FLOPs, the output layer 2 x entries x width. At how many entries does the output layer cost exactly as "
    "much as the body?",
    variable="entries_like_body",
    answer=110_592,
    expects="a whole number",
    why="Set both equal and divide by 2 and by one width: entries = 12 x layers x width = 12 x 12 x 768. GPT-2 has 50,257 "
    "entries, so its output layer costs nearly half as much as its body.",
    proof=_body_in_entries,
    hints=(
        "Write the two costs side by side with an equals sign between them. What stands on both sides and can go?",
        "The 2 goes, and one of the widths. What is left on the left side is the answer.",
        "Three factors are left: a fixed number, the layers, and the width once.",
    ),
    wrong_answers=(
        WrongAnswer(
            "body-parameters",
            84_934_656,
            "Those are the body's parameters. One entry of the output layer has 768 of its own: how many entries is that?",
        ),
        WrongAnswer(
            "one-twelve-forgotten",
            9_216,
            "12 x 768 holds one 12. There are two: the fixed 12 of the body, and the 12 layers.",
        ),
        WrongAnswer(
            "width-forgotten",
            144,
            "12 x 12, and no width. The left side has the width twice, the right side once: one is left.",
        ),
        WrongAnswer("two-left-over", 221_184, "A factor of 2 is left over. It stands on both sides and goes."),
        WrongAnswer("half", 55_296, "Half of it: the 2 stands on both sides, so it goes on both."),
        WrongAnswer(
            "its-own-size", 50_257, "That is the vocabulary that GPT-2 has. At that size the body still costs more."
        ),
        WrongAnswer(
            "width-twice",
            7_077_888,
            "A width is left over, and one 12 is missing. Divide both sides by the width once.",
        ),
        WrongAnswer(
            "width-squared", 589_824, "That is width x width. One of the widths goes, and 12 x layers comes in."
        ),
        WrongAnswer(
            "body-flops", 169_869_312, "Those are the body's FLOPs for one token. Divide by what one entry costs."
        ),
    ),
)

# --- 10.7 ------------------------------------------------------------------------------------


def cheapest_size(tokens: dict[int, int], width: int, layers: int) -> int:
    """Find the vocabulary size with which a model reads a text cheapest.

    A text of n tokens takes
        2 * n * 12 * layers * width * width FLOPs in the body,
        2 * n * (n + 1) * layers * width FLOPs in attention,
        2 * n * size * width FLOPs in the output layer.
    If two sizes cost the same, the smaller one is the result.

    Args:
        tokens: {vocabulary size: tokens of the text cut with it}.
        width: the model's width, 1 or more.
        layers: the number of layers, 1 or more.

    Returns:
        The vocabulary size with the least sum, an int.

    Example:
        >>> cheapest_size({256: 100, 1024: 40, 4096: 36}, 64, 2)
        1024
        >>> cheapest_size({256: 100, 1024: 40, 4096: 36}, 4096, 32)
        4096
    """
    sums = {}
    for size in sorted(tokens):
        n = tokens[size]
        per_token = 12 * layers * width + (n + 1) * layers + size
        sums[size] = 2 * n * width * per_token
    return min(sums, key=sums.get)


def _least(tokens, width, layers, body=1, attention=1, output=1, best=min, once=False):
    def cost(size):
        n = tokens[size]
        total = body * 12 * layers * width * n + attention * (n + 1) * layers * n
        return total + output * size * (1 if once else n)

    return best(sorted(tokens), key=cost)


def _at_last(tokens, width, layers):
    return -_least({-size: n for size, n in tokens.items()}, width, layers, output=-1)


def _token_tables(rng: random.Random) -> list:
    probes = [
        ({256: 10}, 4, 1),
        ({256: 10, 512: 10}, 4, 1),
        ({512: 10, 256: 10}, 4, 1),
        ({300: 0, 256: 0}, 8, 2),
        ({4096: 36, 256: 100, 1024: 40}, 64, 2),
        ({8: 2, 20: 1}, 1, 1),
        ({4: 6, 9: 5}, 1, 1),
        ({256: 90, 4096: 30, 65536: 25}, 768, 12),
        ({65536: 25, 4096: 30, 256: 90}, 4096, 32),
        ({256: 9000, 1024: 4000, 8192: 2500, 131072: 2100}, 64, 4),
        ({256: 9000, 1024: 4000, 8192: 2500, 131072: 2100}, 16, 90),
        ({300: 21_323, 256: 40_000}, 8, 6),
        ({256: 0, 300: 0}, 8, 2),
        ({256: 90, 4096: 30, 65536: 25}, 1, 1),
        ({65536: 25, 4096: 30, 256: 90}, 2, 1),
    ]
    for _ in range(
        24
    ):  # the larger size costs as much as the smaller one, or a little less; one entry more is too many
        width, layers, size, n = rng.randint(1, 9), rng.randint(1, 9), rng.randint(256, 900), rng.randint(20, 60)
        fewer = rng.randint(n // 2, n - 2)
        each = n * (12 * layers * width + (n + 1) * layers + size) // fewer
        other = each - 12 * layers * width - (fewer + 1) * layers
        probes += [({other: fewer, size: n}, width, layers), ({size: n, other + 1: fewer}, width, layers)]
    for _ in range(40):
        size, n, tokens = 256, rng.randint(50, 5000), {}
        for _ in range(rng.randint(2, 7)):
            tokens[size] = n
            size, n = int(size * rng.uniform(1.2, 3)), max(1, int(n * rng.uniform(0.6, 0.97)))
        sizes = rng.sample(sorted(tokens), len(tokens))
        probes.append(({size: tokens[size] for size in sizes}, rng.choice([8, 16, 64, 256]), rng.randint(1, 20)))
    return probes


FIND_CHEAPEST = FunctionExercise(
    id="10.7",
    title="Find the size with the least sum",
    points=20,
    reference=cheapest_size,
    expects="a whole number, an int",
    make_probes=_token_tables,
    hints=(
        "Take the first example by hand. What do the three parts cost at 256 entries, what at 1,024, and which sum is smaller?",
        "The sum is a function of one size: its n comes from `tokens`. Work it out for each size, and remember which size had "
        "the least so far.",
        "`min` takes a `key`, a function that says by what to compare. In which order must it see the sizes, so that the smaller "
        "one wins a tie?",
    ),
    wrong_answers=(
        WrongAnswer(
            "fewest-tokens",
            lambda tokens, width, layers: min(sorted(tokens), key=tokens.get),
            "You take the size with the fewest tokens. The output layer scores every entry for each token, so a larger size has "
            "its price.",
        ),
        WrongAnswer(
            "forgets-attention",
            lambda tokens, width, layers: _least(tokens, width, layers, attention=0),
            "Your sum has the body and the output layer. Attention is missing: in long texts it decides.",
        ),
        WrongAnswer(
            "attention-twice",
            lambda tokens, width, layers: _least(tokens, width, layers, attention=2),
            "Attention counts twice in your sum. A token looks at itself and at those before it, not at those behind it: the "
            "factor is 2, and the square is already in n * (n + 1).",
        ),
        WrongAnswer(
            "width-once",
            lambda tokens, width, layers: _least(tokens, width, layers, body=1 / width),
            "The body of your sum has the width once. A layer has about 12 * width * width parameters.",
        ),
        WrongAnswer(
            "forgets-body",
            lambda tokens, width, layers: _least(tokens, width, layers, body=0),
            "Your sum has attention and the output layer. The body is missing.",
        ),
        WrongAnswer(
            "output-layer-alone",
            lambda tokens, width, layers: _least(tokens, width, layers, body=0, attention=0),
            "You compare only what the output layer costs. The body and attention belong to the sum.",
        ),
        WrongAnswer(
            "output-once",
            lambda tokens, width, layers: _least(tokens, width, layers, once=True),
            "You count the output layer once for the whole text. It scores all entries again for each token.",
        ),
        WrongAnswer(
            "the-least-sum",
            lambda tokens, width, layers: min(
                2 * n * width * (12 * layers * width + (n + 1) * layers + size) for size, n in tokens.items()
            ),
            "That is the least sum itself. Asked for is the vocabulary size that has it.",
        ),
        WrongAnswer(
            "its-tokens",
            lambda tokens, width, layers: tokens[_least(tokens, width, layers)],
            "That is the number of tokens at the best size. Asked for is the size, the key of `tokens`.",
        ),
        WrongAnswer(
            "ties",
            (
                _at_last,
                lambda tokens, width, layers: min(
                    tokens, key=lambda size: tokens[size] * (12 * layers * width + (tokens[size] + 1) * layers + size)
                ),
            ),
            "Where two sizes cost the same, you do not always return the smaller one.",
        ),
        WrongAnswer(
            "dearest",
            lambda tokens, width, layers: _least(tokens, width, layers, best=max),
            "That is the size with the largest sum.",
        ),
    ),
)

# --- 10.6 ------------------------------------------------------------------------------------


def rare_tokens(ids: list[int], entries: int, fewer_than: int) -> int:
    """Count the tokens of a vocabulary that occur too rarely in a text.

    The vocabulary has the ids 0, 1, ... up to entries - 1. A token that
    never occurs is rare as well.

    Args:
        ids: the encoded text.
        entries: the vocabulary size.
        fewer_than: a token that occurs less often than this is rare.

    Returns:
        How many tokens are rare, an int.

    Example:
        >>> rare_tokens([0, 2, 2, 2, 3, 3], 5, 3)
        4
        >>> rare_tokens([0, 2, 2, 2, 3, 3], 5, 1)
        2
    """
    counts = [0] * entries
    for token in ids:
        counts[token] += 1
    return sum(count < fewer_than for count in counts)


def _encoded_texts(rng: random.Random) -> list:
    probes = [([], 3, 1), ([0], 1, 1), ([0], 1, 2), ([0, 0], 1, 2), ([1], 2, 1), ([0, 1, 1], 3, 2), ([2, 2, 2], 4, 0)]
    probes += [
        ([0, 0, 1], 2, 2),
        ([4, 4, 3, 3, 3], 6, 3),
        ([0, 1, 2, 3], 4, 1),
        ([0, 1, 2, 3], 4, 2),
        ([0, 0, 0, 1], 2, 9),
        ([], 4, 0),
        ([299, 7, 299], 300, 1),
        ([5] * 20 + [3] * 12, 6, 13),
        ([0] * 300 + [1] * 299, 2, 300),
        ([7], 12_345, 1),
    ]
    for _ in range(25):
        size = rng.randint(3, 12)
        ids = [min(rng.randrange(size), rng.randrange(size)) for _ in range(rng.randint(4, 30))]
        probes.append((ids, size, rng.randint(1, 4)))
    return probes


def _rare_seen(ids, fewer_than) -> list[int]:
    return [count for count in Counter(ids).values() if count < fewer_than]


COUNT_RARE = FunctionExercise(
    id="10.6",
    title="Count the rare tokens",
    points=20,
    reference=rare_tokens,
    expects="a whole number, an int",
    make_probes=_encoded_texts,
    hints=(
        "Take the first example and make a list of the ids 0 to 4 with their counts. Which of them are below 3?",
        "Counting the ids that stand in the text is not enough: an id that never occurs has a count too, and it is 0.",
        "Start with a list of zeros, one for each entry of the vocabulary, and add 1 at the place of each id. Then look at which "
        "counts are too small.",
    ),
    wrong_answers=(
        WrongAnswer(
            "seen-only",
            lambda ids, entries, fewer_than: len(_rare_seen(ids, fewer_than)),
            "You look only at tokens that occur in the text. Those that never occur are the rarest of all, and a Counter does not "
            "list them.",
        ),
        WrongAnswer(
            "at-most",
            lambda ids, entries, fewer_than: sum(Counter(ids)[i] <= fewer_than for i in range(entries)),
            "You also count tokens that occur exactly `fewer_than` times. Fewer than 3, for instance, means 0, 1 or 2 times.",
        ),
        WrongAnswer(
            "never-only",
            lambda ids, entries, fewer_than: entries - len(set(ids)),
            "You count only the tokens that never occur. Those that occur, but less often than asked for, are rare as well.",
        ),
        WrongAnswer(
            "occurrences",
            lambda ids, entries, fewer_than: sum(_rare_seen(ids, fewer_than)),
            "You count places in the text: a rare token that occurs twice is counted twice. Asked for is how many tokens of the "
            "vocabulary are rare, each once.",
        ),
        WrongAnswer(
            "the-frequent",
            lambda ids, entries, fewer_than: sum(Counter(ids)[i] >= fewer_than for i in range(entries)),
            "These are the tokens that are not rare. Asked for are the others.",
        ),
        WrongAnswer(
            "one-id-too-few",
            lambda ids, entries, fewer_than: sum(Counter(ids)[i] < fewer_than for i in range(1, entries)),
            "The token with id 0 is left out. The ids begin at 0.",
        ),
        WrongAnswer(
            "one-id-too-many",
            lambda ids, entries, fewer_than: sum(Counter(ids)[i] < fewer_than for i in range(entries + 1)),
            "One token too many: the last id is entries - 1.",
        ),
        WrongAnswer(
            "ids-from-one",
            lambda ids, entries, fewer_than: sum(Counter(ids)[i] < fewer_than for i in range(1, entries + 1)),
            "Your ids go from 1 to entries. They go from 0 to entries - 1.",
        ),
        WrongAnswer(
            "up-to-highest-seen",
            lambda ids, entries, fewer_than: sum(Counter(ids)[i] < fewer_than for i in range(max(ids, default=-1) + 1)),
            "You stop at the highest id of the text. The vocabulary goes on to entries - 1.",
        ),
        WrongAnswer(
            "exactly-so-many",
            lambda ids, entries, fewer_than: sum(Counter(ids)[i] == fewer_than - 1 for i in range(entries)),
            "You count one number of occurrences only. Fewer than 3, for instance, means 2 times, but also 1 and 0.",
        ),
    ),
)

# --- Quiz --------------------------------------------------------------------------------------

QUESTIONS = (
    Question(
        "You have trained a BPE tokenizer with 32,000 entries, and need one with 8,000 from the same text and settings. What do "
        "you do?",
        (
            Option(
                "Train again with the smaller size: a tokenizer that has room for fewer entries chooses other pairs.",
                False,
                "No merge looks ahead. Which pair is chosen depends on the text and on the merges before it, not on how many follow.",
            ),
            Option(
                "Keep the 8,000 most frequent tokens.",
                False,
                "A frequent token is built from others that hardly occur alone. Without these its merges cannot be done.",
            ),
            Option(
                "Cut the list: keep the 256 bytes and the first 7,744 merges.",
                True,
                "Training is a loop that adds one merge at a time. To stop it early is to have a shorter list.",
            ),
            Option(
                "Keep the 8,000 longest tokens, since they compress best.",
                False,
                "Long tokens need short ones to be built from, and most long tokens are rare.",
            ),
        ),
    ),
    Question(
        "A vocabulary grows from 8,192 to 65,536 entries, and a text becomes 20% shorter in tokens. Which cost of the model "
        "goes up for this text?",
        (
            Option(
                "That of the output layer: it scores every entry.",
                True,
                "It does so for each token. 8 times the scores for 0.8 times the tokens is 6.4 times the cost.",
            ),
            Option(
                "That of attention: each token has more entries to look at.",
                False,
                "Attention looks at the tokens of the text, not at the vocabulary. 0.8 times the tokens is 0.64 times the looks.",
            ),
            Option(
                "That of the body: it has to know more entries.",
                False,
                "The body's matrices do not depend on the vocabulary. Each token passes through them once, and there are fewer "
                "tokens.",
            ),
            Option(
                "None of them: with fewer tokens every part has less to do.",
                False,
                "True for the body and for attention. One part has a cost for each token that grows with the vocabulary.",
            ),
        ),
    ),
    Question(
        "Two models, one narrow with few layers, one wide with many. For which is the size with the least total cost larger, and "
        "why?",
        (
            Option(
                "For the narrow one: it computes little for each token, so it needs the help of long ones.",
                False,
                "In FLOPs it is the other way round: where the body is cheap, the output layer soon costs more than it saves.",
            ),
            Option(
                "For the wide one: a token costs more there, so saving one pays for more entries.",
                True,
                "The body costs as much as an output layer of 12 x layers x width entries. The larger this is, the less the entries "
                "weigh.",
            ),
            Option(
                "It is the same for both: compression depends on the text and the tokenizer, not on the model.",
                False,
                "Compression does not, but what a saved token is worth does.",
            ),
            Option(
                "For the narrow one: its table is small, so more entries cost it next to nothing.",
                False,
                "An entry costs less there, but so does everything else. Beside its small body the output layer weighs more.",
            ),
        ),
    ),
    Question(
        "Counted in FLOPs, Llama 3 8B's shape reads English cheapest with 98,304 of the twenty sizes that were tried. What may you conclude?",
        (
            Option(
                "98,304 entries make it the best model.",
                False,
                "The sum says what reading costs, not how well the model reads. For that, models of different sizes have to be trained and "
                "compared per byte.",
            ),
            Option(
                "Of these sizes, this one takes the fewest operations for this list, this text and this shape; how good the model gets is "
                "another question.",
                True,
                "Change the list, the text or the shape and the least point moves. Quality, memory and writing are not in the sum at all.",
            ),
            Option(
                "Its makers made a mistake when they chose 128,256.",
                False,
                "One list serves their whole family of models, many languages and code. Of these the sum knows nothing, and its valley is flat.",
            ),
            Option(
                "Every model of eight billion parameters should have about 98,304 entries.",
                False,
                "The least point depends on width, layers and body, and on the text too; for other languages it lies elsewhere.",
            ),
        ),
    ),
)

LESSON = Lesson(
    10,
    "How big a vocabulary",
    (
        CHOOSE_LATE_MERGES,
        COUNT_EMBEDDING,
        PREDICT_EMBEDDING,
        MEND_ATTENTION,
        PREDICT_BODY,
        FIND_CHEAPEST,
        COUNT_RARE,
    ),
    QUESTIONS,
)
