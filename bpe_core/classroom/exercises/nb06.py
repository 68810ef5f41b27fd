"""Notebook 06, pre-tokenization: exercises and quiz."""

import random
import re
from re import findall, finditer

import regex

from ...patterns import pattern_regex
from ..spec import ChooseExercise, FunctionExercise, Lesson, Option, PredictExercise, Question, WrongAnswer

# --- 6.1 -------------------------------------------------------------------------------------


def count_glued_tokens(vocab: dict) -> int:
    r"""Count the tokens with visible characters on both sides of a space.

    A space, tab or line end inside a token glues what stands before it to
    what stands after it. At the start or the end of a token it glues
    nothing. A token need not be valid UTF-8: it may hold half a character.

    Args:
        vocab: {id: bytes}. The white space in it is " ", "\n" and "\t".

    Returns:
        How many tokens are glued, an int.

    Example:
        >>> count_glued_tokens({0: b" the", 1: b". The ", 2: b"of the"})
        2
        >>> count_glued_tokens({0: b"the ", 1: b"\xc3", 2: b"a b"})
        1
    """
    glued = 0
    for token in vocab.values():
        if len(token.split()) > 1:
            glued += 1
    return glued


def _count_tokens(vocab, is_glued) -> int:
    return sum(bool(is_glued(token)) for token in vocab.values())


def _is_text(token: bytes) -> bool:
    return token.decode("utf-8", "ignore").encode("utf-8") == token


def _vocabularies(rng: random.Random) -> list:
    tokens = [b" the", b"the ", b" the ", b"of the", b". The", b", and the ", b"  ", b"\n\n", b" ", b".\n\nA", b"a\tb"]
    tokens += [
        b"\xc3",
        b" \xe2\x80",
        b"x  y",
        b" a",
        b"a ",
        b"\ta",
        b"a\n",
        b"ab",
        b".",
        b" a b c ",
        b"",
        b"e ",
    ]
    probes = [({},), ({5: b"a b"},), ({7: b"a\nb"},), ({1: b" a "},), ({1: b"a  b"},), ({0: b"of the", 1: b"a b c"},)]
    probes += [({3: b"\xc3"},), ({0: b" ", 1: b"a"},), ({0: b". ", 1: b". T"},), ({0: b"a\n\nb", 1: b"\n\n"},)]
    for token in (
        b"  a",
        b"a  ",
        b"   ",
        b"\n\n\n",
        b"\n\n a",
        b". \ta",
        b"a\t\nb",
        b"a b\xc3",
        b"\xc3 b",
        b"\xa9 \xc3",
        b"<|im_end|>",
    ):
        probes.append(({4: token},))
    probes += [({0: b"\xe6\xa0\xa1", 9: b"\xc3\xa0"},), (dict.fromkeys(range(20), b"a b"),)]
    for _ in range(25):
        chosen = [rng.choice(tokens) for _ in range(rng.randint(1, 9))]
        probes.append((dict(enumerate(chosen, rng.randint(0, 300))),))
    return probes


COUNT_GLUED = FunctionExercise(
    id="6.1",
    title="Count the tokens that glue words",
    points=20,
    reference=count_glued_tokens,
    expects="a whole number, an int",
    make_probes=_vocabularies,
    hints=(
        "Write down which of these are glued: ` the`, `the `, `of the`, `. The`. What tells them apart?",
        "Cut a token at its white space. How many parts are left of a glued token, and how many of ` the `?",
        "`bytes` have a method `split`, just as `str` does. Without an argument it cuts at every run of spaces, tabs and line "
        "ends, and gives no empty parts. Nothing has to be decoded, and no byte looked at by itself, where it is a number.",
    ),
    wrong_answers=(
        WrongAnswer(
            "any-space",
            lambda vocab: _count_tokens(vocab, lambda token: b" " in token),
            "You count every token that holds a space. ` the` holds one and glues nothing: the space stands at its start.",
        ),
        WrongAnswer(
            "any-white-space",
            lambda vocab: _count_tokens(vocab, lambda token: re.search(rb"\s", token)),
            "You count every token that holds white space. At the start or the end of a token it glues nothing.",
        ),
        WrongAnswer(
            "inner-space-only",
            lambda vocab: _count_tokens(vocab, lambda token: b" " in token.strip()),
            "Right for spaces. A line end or a tab inside a token glues as well, as in a period, two line ends and a letter.",
        ),
        WrongAnswer(
            "not-at-the-ends",
            (
                lambda vocab: _count_tokens(vocab, lambda token: re.search(rb"\s", token[1:-1])),
                lambda vocab: _count_tokens(vocab, lambda token: b" " in token[1:-1]),
            ),
            "You ask for white space that is not the first or the last byte. Two spaces before a letter glue nothing either, and "
            "three spaces alone hold nothing visible.",
        ),
        WrongAnswer(
            "leaves-out-broken",
            (
                lambda vocab: _count_tokens(vocab, lambda token: _is_text(token) and len(token.split()) > 1),
                lambda vocab: _count_tokens(vocab, lambda token: len(token.decode("utf-8", "ignore").split()) > 1),
            ),
            "You leave out tokens that are no valid UTF-8, or their broken bytes. Half a character is visible, and a space may "
            "glue it to what stands beside it. Work on the bytes as they are.",
        ),
        WrongAnswer(
            "strict-decoding",
            (
                lambda vocab: _count_tokens(vocab, lambda token: len(token.decode("utf-8").split()) > 1),
                lambda vocab: _count_tokens(vocab, lambda token: " " in token.decode("utf-8")),
                lambda vocab: _count_tokens(vocab, lambda token: " " in token.decode("utf-8").strip()),
                lambda vocab: _count_tokens(vocab, lambda token: " " in token.decode("utf-8")[1:-1]),
            ),
            "You decode the tokens, and some of them are half a character, which is no UTF-8. Work on the bytes, or decode "
            'with `errors="replace"`.',
        ),
        WrongAnswer(
            "spaces-on-both-sides",
            lambda vocab: _count_tokens(vocab, lambda token: token[:1].isspace() and token[-1:].isspace()),
            "You count tokens with white space at both ends. Asked for is white space between visible characters.",
        ),
        WrongAnswer(
            "one-at-a-time",
            lambda vocab: _count_tokens(vocab, lambda token: re.search(rb"\S\s\S", token)),
            "You look for one space, tab or line end between visible characters. Two of them, such as two line ends, glue as well.",
        ),
        WrongAnswer(
            "letters-only",
            lambda vocab: _count_tokens(vocab, lambda token: len(re.findall(rb"[A-Za-z]+", token)) > 1),
            "You look for letters on both sides. A period or a comma is visible too: `. T` is glued.",
        ),
        WrongAnswer(
            "counts-words",
            lambda vocab: sum(len(token.split()) for token in vocab.values()),
            "You add up the parts of all tokens. Count the tokens that have more than one part.",
        ),
        WrongAnswer(
            "counts-joints",
            lambda vocab: sum(max(0, len(token.split()) - 1) for token in vocab.values()),
            "A token that glues three words counts twice with you. Each token counts once.",
        ),
        WrongAnswer(
            "exactly-two",
            lambda vocab: _count_tokens(vocab, lambda token: len(token.split()) == 2),
            "You count tokens with two parts only. A token that glues three is glued as well.",
        ),
        WrongAnswer(
            "looks-at-ids",
            lambda vocab: sum(len(token.split()) > 1 for token in vocab),
            "A loop over a dict gives its keys, and these are the ids. The tokens are its values.",
        ),
        WrongAnswer(
            "stops-at-first",
            lambda vocab: min(1, _count_tokens(vocab, lambda token: len(token.split()) > 1)),
            "You never count beyond one. Does a `return` or a `break` stand inside the loop?",
        ),
    ),
)

# --- 6.2 -------------------------------------------------------------------------------------


def _cut_phrase():
    from bpe_core.patterns import split

    return split("They've 3 dogs,  2 cats!", "gpt2")


PREDICT_PIECES = PredictExercise(
    id="6.2",
    title="Predict: the pieces of a phrase",
    points=20,
    question="Into which pieces does GPT-2's pattern cut this phrase?\n"
    "They've 3 dogs,  2 cats!\n"
    "Two spaces stand before the 2, one before 3, dogs and cats.",
    variable="pieces_of_phrase",
    answer=["They", "'ve", " 3", " dogs", ",", " ", " 2", " cats", "!"],
    expects="a list of str",
    why="Alternative 1 takes 've, alternatives 2 to 4 take letters, digits and punctuation, each with one space before it. Of "
    "two spaces, alternative 5 takes the first and leaves the last for the digit.",
    proof=_cut_phrase,
    hints=(
        "Go from left to right. At each place ask: which of the six alternatives is the first that fits here?",
        "Where the place before a word is a space, the space is in the same piece as the word. That holds for digits and "
        "punctuation too.",
        "There are nine pieces. One of them is a single space.",
    ),
    wrong_answers=(
        WrongAnswer(
            "words",
            ["They've", "3", "dogs,", "2", "cats!"],
            "These are the words between spaces, as `split()` gives them. The spaces are lost, and no mark was cut off.",
        ),
        WrongAnswer(
            "spaces-lost",
            ["They", "'ve", "3", "dogs", ",", "2", "cats", "!"],
            "The cuts are right, but the spaces are lost. Joined, the pieces must be the text again.",
        ),
        WrongAnswer(
            "spaces-lost-but-one",
            ["They", "'ve", "3", "dogs", ",", " ", "2", "cats", "!"],
            "The cuts are right, but all spaces are lost except the lone one. Joined, the pieces must be the text again.",
        ),
        WrongAnswer(
            "digits-without-space",
            ["They", "'ve", " ", "3", " dogs", ",", "  ", "2", " cats", "!"],
            "That is how GPT-4's pattern treats digits. In GPT-2's the alternative for digits begins with ` ?` too.",
        ),
        WrongAnswer(
            "comma-with-a-space",
            ["They", "'ve", " 3", " dogs", ", ", " 2", " cats", "!"],
            "No alternative takes a space behind a comma. A space stands before what it goes with, or it is white space alone.",
        ),
        WrongAnswer(
            "space-after",
            ["They", "'ve ", "3 ", "dogs", ",", "  ", "2 ", "cats", "!"],
            "Your spaces stand at the end of pieces. The pattern says ` ?` before the letters: a space goes to what follows.",
        ),
        WrongAnswer(
            "contraction-whole",
            ["They've", " 3", " dogs", ",", " ", " 2", " cats", "!"],
            "An apostrophe is no letter, so alternative 2 stops before it, and alternative 1 takes what follows.",
        ),
        WrongAnswer(
            "apostrophe-alone",
            ["They", "'", "ve", " 3", " dogs", ",", " ", " 2", " cats", "!"],
            "At the apostrophe the first alternative that fits is number 1, and it takes the letters after it as well.",
        ),
        WrongAnswer(
            "both-spaces-with-the-digit",
            ["They", "'ve", " 3", " dogs", ",", "  2", " cats", "!"],
            "One space at most goes with a digit: ` ?` stands for one or none.",
        ),
        WrongAnswer(
            "both-spaces-alone",
            ["They", "'ve", " 3", " dogs", ",", "  ", "2", " cats", "!"],
            "Alternative 5 demands that no visible character follows. After both spaces one does, so it takes one less.",
        ),
        WrongAnswer(
            "spaces-alone",
            ["They", "'ve", " ", "3", " ", "dogs", ",", "  ", "2", " ", "cats", "!"],
            "Your spaces are pieces of their own. Alternatives 2, 3 and 4 begin with ` ?`, so one space goes with the word.",
        ),
        WrongAnswer(
            "comma-with-the-word",
            ["They", "'ve", " 3", " dogs,", " ", " 2", " cats!"],
            "Alternative 2 takes letters only. A comma is taken by alternative 4, in a piece of its own.",
        ),
        WrongAnswer(
            "one-space-twice",
            ["They", "'ve", " 3", " dogs", ",", "  ", " 2", " cats", "!"],
            "Joined, your pieces have three spaces before the 2, and the text has two.",
        ),
        WrongAnswer(
            "one-space-lost",
            ["They", "'ve", " 3", " dogs", ",", " 2", " cats", "!"],
            "One of the two spaces before the 2 is lost. Joined, the pieces must be the text again.",
        ),
        WrongAnswer(
            "one-text",
            lambda value: type(value) is str,
            "This is one text. Write the pieces as a list: the cuts between them are what is asked for.",
        ),
    ),
)

# --- 6.3 -------------------------------------------------------------------------------------

CHOOSE_LAST_SPACE = ChooseExercise(
    id="6.3",
    title="Choose: why the last space belongs to the next word",
    points=10,
    question="Of three spaces before a word, GPT-2's pattern makes one piece of two and leaves the last one for the word. "
    "What for?",
    variable="why_last_space",
    options=(
        Option(
            "A single space has no token of its own, so it must go with something.",
            False,
            "It has one: every byte is a token, the space too. GPT-2 writes a lone space with id 220.",
        ),
        Option(
            "Otherwise the space would be lost when the pieces are joined again.",
            False,
            "Nothing is lost either way: without this alternative the next one takes all three spaces as one piece.",
        ),
        Option(
            "To the merges, the word then looks the same after one space and after many, and gets the same ids.",
            True,
            "In running text nearly every word follows one space. The piece with one space is the one that the merges have "
            "learned, so the word keeps its usual token whatever stands before it.",
        ),
        Option(
            "Longer pieces always give fewer tokens, and the word's piece is longer now.",
            False,
            "The number of characters is the same: one piece got longer, the other shorter. And a long piece is no "
            "promise of one token: the merges fuse what they have learned, and the rest stays apart.",
        ),
    ),
    hints=(
        "Think of the word `dog` in a text. What stands before it nearly every time?",
        "Look at the ids of ` dog` and `dog` in the cell above: to a model these are two different things.",
        "Now indent a line of code by two, three, four spaces. Which token would you like its first word to have?",
    ),
)

# --- 6.4 -------------------------------------------------------------------------------------


def cut_by_kind(text: str) -> list:
    """Cut a text into runs of letters, of digits and of other characters.

    Each run takes one space with it if a space stands before it. Spaces
    beyond that one are a piece of their own, and so are all spaces at the
    end of the text. Try it without a regular expression.

    Args:
        text: any text; its only white space is " ". Letters are what
            `str.isalpha` says, digits what `str.isdigit` says.

    Returns:
        The pieces; joined, they are the text.

    Example:
        >>> cut_by_kind("3 dogs, no cat")
        ['3', ' dogs', ',', ' no', ' cat']
        >>> cut_by_kind("a   b2!? ")
        ['a', '  ', ' b', '2', '!?', ' ']
    """
    pieces = []
    previous = "start"
    for character in text:
        if character == " ":
            kind = "space"
        elif character.isalpha():
            kind = "letter"
        elif character.isdigit():
            kind = "digit"
        else:
            kind = "other"
        if kind == previous:
            pieces[-1] += character
        elif previous == "space" and len(pieces[-1]) > 1:
            pieces[-1] = pieces[-1][:-1]
            pieces.append(" " + character)
        elif previous == "space":
            pieces[-1] += character
        else:
            pieces.append(character)
        previous = kind
    return pieces


def _kinds(*, letter=str.isalpha, digit=str.isdigit):
    return lambda c: "space" if c == " " else "letter" if letter(c) else "digit" if digit(c) else "other"


_kind = _kinds()


def _runs(text, kind=_kind) -> list:
    runs = []
    for character in text:
        if runs and kind(runs[-1][-1]) == kind(character):
            runs[-1] += character
        else:
            runs.append(character)
    return runs


def _cut(text, *, kind=_kind, takes=("letter", "digit", "other"), split_end=False, keep_empty=False) -> list:
    pieces = []
    for run in _runs(text, kind):
        if pieces and set(pieces[-1]) == {" "} and kind(run[0]) in takes:
            pieces[-1] = pieces[-1][:-1]
            run = " " + run
            if not pieces[-1] and not keep_empty:
                pieces.pop()
        pieces.append(run)
    if split_end and pieces and set(pieces[-1]) == {" "} and len(pieces[-1]) > 1:
        pieces[-1:] = [pieces[-1][:-1], " "]
    return pieces


def _space_after(text) -> list:
    return [piece[::-1] for piece in _cut(text[::-1])][::-1]


def _single_spaces_only(text) -> list:
    pieces = []
    for run in _runs(text):
        if pieces and pieces[-1] == " ":
            pieces[-1] += run
        else:
            pieces.append(run)
    return pieces


def _all_spaces_to_the_run(text) -> list:
    pieces = []
    for run in _runs(text):
        if pieces and set(pieces[-1]) == {" "}:
            pieces[-1] += run
        else:
            pieces.append(run)
    return pieces


def _others_one_by_one(text) -> list:
    pieces = []
    for piece in _cut(text):
        if _kind(piece[-1]) == "other":
            body = piece.lstrip(" ")
            pieces += [piece[: len(piece) - len(body)] + body[0], *body[1:]]
        else:
            pieces.append(piece)
    return pieces


def _mixed_texts(rng: random.Random) -> list:
    texts = [
        "",
        " ",
        "  ",
        "a",
        " a",
        "  a",
        "a ",
        "a  ",
        "1",
        "a1",
        "1a",
        "!",
        "?!",
        "a!",
        "a !",
        "a  1",
        "a  !!",
        "12 34",
    ]
    texts += [
        "   a",
        "a b",
        "ab  cd",
        "x = 12",
        "don't",
        "é à",
        "a.b",
        "3.14",
        "a_b",
        "(a)",
        "  !",
        "a 1 !",
        "A1! B2?  ",
        "²",
        "½",
        "2²½.",
        "a٣!",
        " ٣٤",
        "水",
        "a水ь!",
        "ªa",
        "𝒳水",
        "e\u0301a",
        " \u0301",
        "a\u200b!\ufeff",
        "a\x07\x00b",
        "<|im_end|>",
        "</w>",
        "2a_ " * 8,
        "&lt; {{ x }} {% y %}",
        "a\\n \\",
        "don\u2019t 3\u2026",
        "the cat cat sat on the mat 123 123 ! !",
        "a" * 50,
    ]
    for _ in range(30):
        texts.append("".join(rng.choice("abé水12²٣½.!_   ") for _ in range(rng.randint(3, 14))))
    return [(text,) for text in texts]


WRITE_CUTTER = FunctionExercise(
    id="6.4",
    title="Write a pre-tokenizer without a regular expression",
    points=30,
    reference=cut_by_kind,
    expects="a list of str",
    make_probes=_mixed_texts,
    hints=(
        "Cut `a   b2!? ` by hand first. At each character ask two things: is it of the same kind as the one before it, and "
        "is the one before it a space?",
        "Begin without caring for spaces: walk through the text and make runs of the same kind, where a space is a kind of its "
        "own. Then let each run take the last space of the run of spaces before it.",
        "A run of spaces that has given away its last space gets shorter by one, and if nothing is left of it, it is no piece "
        "any more. At the end of the text there is no run that takes a space.",
    ),
    wrong_answers=(
        WrongAnswer(
            "words-only",
            lambda text: text.split(),
            "You cut at spaces and lose them. Joined, the pieces must be the text again.",
        ),
        WrongAnswer(
            "spaces-apart",
            _runs,
            "Your spaces are always pieces of their own. The last one before a run goes with the run.",
        ),
        WrongAnswer(
            "space-after",
            _space_after,
            "Your spaces go with the run before them. They go with what follows.",
        ),
        WrongAnswer(
            "all-spaces-to-the-run",
            _all_spaces_to_the_run,
            "You give a run all the spaces before it. It takes one; the others are a piece of their own.",
        ),
        WrongAnswer(
            "single-spaces-only",
            _single_spaces_only,
            "Right where one space stands before a run. Of several spaces you leave the last one with the others; it goes "
            "with the run.",
        ),
        WrongAnswer(
            "letters-take-only",
            lambda text: _cut(text, takes=("letter",)),
            "With you only letters take a space. Digits and other characters take one as well.",
        ),
        WrongAnswer(
            "others-take-none",
            lambda text: _cut(text, takes=("letter", "digit")),
            "Letters and digits take their space, other characters do not: ` !` is one piece.",
        ),
        WrongAnswer(
            "digits-as-letters",
            lambda text: _cut(text, kind=lambda c: "letter" if c.isalnum() else _kind(c)),
            "You make one run of letters and digits, as `isalnum` does. `b2` is two pieces.",
        ),
        WrongAnswer(
            "ascii-letters",
            lambda text: _cut(text, kind=lambda c: "other" if _kind(c) == "letter" and not c.isascii() else _kind(c)),
            "`é` is a letter too. A list of the letters a to z knows only English ones.",
        ),
        WrongAnswer(
            "some-letters",
            (
                lambda text: _cut(text, kind=_kinds(letter=lambda c: c.lower() != c.upper())),
                lambda text: _cut(text, kind=_kinds(letter=lambda c: c.islower() or c.isupper())),
                lambda text: _cut(text, kind=_kinds(letter=lambda c: c.isalpha() and ord(c) < 256)),
                lambda text: _cut(text, kind=_kinds(letter=lambda c: c.isalpha() and c.isascii() or c in "éà")),
            ),
            "Most letters of the world are none with you, such as `水`, which has no capital form. `str.isalpha` knows them all.",
        ),
        WrongAnswer(
            "some-digits",
            (
                lambda text: _cut(text, kind=_kinds(digit=lambda c: c in "0123456789")),
                lambda text: _cut(text, kind=_kinds(digit=str.isdecimal)),
            ),
            "Some digits are none with you: `str.isdigit` takes the raised `²` for one as well.",
        ),
        WrongAnswer(
            "numbers-as-digits",
            (
                lambda text: _cut(text, kind=_kinds(digit=str.isnumeric)),
                lambda text: _cut(text, kind=_kinds(letter=lambda c: c.isalnum() and not c.isdigit())),
            ),
            "`½` is a number, but to `str.isalpha` it is no letter and to `str.isdigit` no digit. So it is one of the other "
            "characters.",
        ),
        WrongAnswer(
            "drops-others",
            lambda text: [piece for piece in _cut(text) if _kind(piece[-1]) != "other"],
            "Characters that are neither letter nor digit nor space get lost.",
        ),
        WrongAnswer(
            "loses-last-run",
            lambda text: _cut(text)[:-1],
            "The last piece gets lost: you write a run down when the next one begins, and after the last one none does.",
        ),
        WrongAnswer(
            "loses-spaces-at-the-end",
            lambda text: _cut(text.rstrip(" ")),
            "Spaces at the end of the text get lost. No run takes them, so they are a piece.",
        ),
        WrongAnswer(
            "cuts-spaces-at-the-end",
            lambda text: _cut(text, split_end=True),
            "Spaces at the end of the text are one piece: nothing follows that could take the last one.",
        ),
        WrongAnswer(
            "empty-pieces",
            lambda text: _cut(text, keep_empty=True),
            "Where a run has taken the only space, an empty piece stays behind.",
        ),
        WrongAnswer(
            "others-one-by-one",
            _others_one_by_one,
            "You cut other characters one by one. `!?` is one run.",
        ),
    ),
)

# --- 6.5 -------------------------------------------------------------------------------------


def _cut_number():
    from bpe_core.patterns import split

    return split("Call 555-01234567", "cl100k")


PREDICT_DIGITS = PredictExercise(
    id="6.5",
    title="Predict: where a number is cut",
    points=15,
    question="Into which pieces does GPT-4's pattern, cl100k, cut this text?\nCall 555-01234567",
    variable="pieces_of_number",
    answer=["Call", " ", "555", "-", "012", "345", "67"],
    expects="a list of str",
    why="Digits go in threes from the left, what is left over stands at the end, and the alternative for digits takes no "
    "space: the space before 555 is a piece of its own.",
    proof=_cut_number,
    hints=(
        r"Read the alternative for digits once more: `\p{N}{1,3}`. Does it begin with a space?",
        "It takes as many digits as it can, three at most, and then the search begins anew after them. From which side is the "
        "number cut?",
        "There are seven pieces. The last one has two digits.",
    ),
    wrong_answers=(
        WrongAnswer(
            "space-with-digits",
            ["Call", " 555", "-", "012", "345", "67"],
            "GPT-2's pattern has a space before digits. This one has none: only letters and punctuation take one.",
        ),
        WrongAnswer(
            "from-the-right",
            ["Call", " ", "555", "-", "01", "234", "567"],
            "You group from the right, as people write large numbers. A pattern reads from the left.",
        ),
        WrongAnswer(
            "from-the-right-with-space",
            ["Call", " 555", "-", "01", "234", "567"],
            "Two things: digits take no space here, and a pattern reads from the left, so the short group stands elsewhere.",
        ),
        WrongAnswer(
            "whole-numbers",
            ["Call", " 555", "-", "01234567"],
            "That is GPT-2's pattern: digits, however many. In this one three is the most.",
        ),
        WrongAnswer(
            "whole-numbers-space-apart",
            ["Call", " ", "555", "-", "01234567"],
            "The space is right. But three digits at most go into one piece here.",
        ),
        WrongAnswer(
            "digit-by-digit",
            ["Call", " ", *"555", "-", *"01234567"],
            "That is Qwen2.5's pattern. GPT-4's takes up to three digits at once.",
        ),
        WrongAnswer(
            "space-behind-the-word",
            ["Call ", "555", "-", "012", "345", "67"],
            "The space has gone to the word before it. No alternative takes a space behind letters.",
        ),
        WrongAnswer(
            "hyphen-behind-digits",
            ["Call", " ", "555-", "012", "345", "67"],
            "The alternative for digits takes digits only. The hyphen is taken by another one, in a piece of its own.",
        ),
        WrongAnswer(
            "hyphen-with-digits",
            ["Call", " ", "555", "-012", "345", "67"],
            "One other character may stand before letters in this pattern, but not before digits.",
        ),
        WrongAnswer(
            "space-lost",
            ["Call", "555", "-", "012", "345", "67"],
            "The space is lost. Joined, the pieces must be the text again.",
        ),
        WrongAnswer(
            "one-text",
            lambda value: type(value) is str,
            "This is one text. Write the pieces as a list: the cuts between them are what is asked for.",
        ),
    ),
)

# --- 6.6 -------------------------------------------------------------------------------------


def split_losing_nothing(text: str, expression: str) -> list:
    """Cut a text into what an expression matches and what it passes over.

    Text that the expression passes over, a gap, becomes a piece of its
    own, in its place. No piece is empty.

    Args:
        text: any text.
        expression: a regular expression for Python's `re`. It never
            matches an empty text. It may hold groups in round brackets,
            and look at what stands around a match.

    Returns:
        The pieces; joined, they are the text.

    Example:
        >>> split_losing_nothing("one, two", "[a-z]+")
        ['one', ', ', 'two']
        >>> split_losing_nothing("a café!", " ?[a-z]+")
        ['a', ' caf', 'é!']
    """
    pieces = []
    end = 0
    for match in finditer(expression, text):
        if match.start() > end:
            pieces.append(text[end : match.start()])
        pieces.append(match.group())
        end = match.end()
    if end < len(text):
        pieces.append(text[end:])
    return pieces


def _found_only(text, expression):
    return findall(expression, text)


def _walk(text, expression, *, first=True, between=True, last=True, gap=lambda text: [text], group=0) -> list:
    pieces, end = [], 0
    for match in re.finditer(expression, text):
        if match.start() > end and (between if end else first):
            pieces += gap(text[end : match.start()])
        pieces.append(match.group(min(group, match.re.groups)))
        end = match.end()
    if end < len(text) and last:
        pieces += gap(text[end:])
    return pieces


def _gaps_at_the_end(text, expression):
    gaps, end = [], 0
    for match in re.finditer(expression, text):
        gaps.append(text[end : match.start()])
        end = match.end()
    gaps.append(text[end:])
    return _walk(text, expression, first=False, between=False, last=False) + [gap for gap in gaps if gap]


def _with_empty_gaps(text, expression):
    pieces, end = [], 0
    for match in re.finditer(expression, text):
        pieces += [text[end : match.start()], match.group()]
        end = match.end()
    return [*pieces, text[end:]]


def _gap_with_the_piece_before(text, expression):
    pieces, end = [], 0
    for match in re.finditer(expression, text):
        if match.start() > end:
            pieces[-1:] = ["".join(pieces[-1:]) + text[end : match.start()]]
        pieces.append(match.group())
        end = match.end()
    if end < len(text):
        pieces[-1:] = ["".join(pieces[-1:]) + text[end:]]
    return pieces


def _gap_with_the_piece_after(text, expression):
    pieces, end = [], 0
    for match in re.finditer(expression, text):
        pieces.append(text[end : match.end()])
        end = match.end()
    return pieces + [text[end:]] * (end < len(text))


def _finds_the_first(text, expression):
    pieces, end = [], 0
    for match in re.finditer(expression, text):
        start = text.index(match.group())
        if start > end:
            pieces.append(text[end:start])
        pieces.append(match.group())
        end = start + len(match.group())
    return pieces + [text[end:]] * (end < len(text))


def _finds_the_next(text, expression):
    pieces = []
    for match in re.finditer(expression, text):
        gap, piece, text = text.partition(match.group())
        pieces += [gap, piece] if gap else [piece]
    return pieces + [text] * bool(text)


def _searches_the_rest(text, expression):
    pieces = []
    while match := re.search(expression, text):
        pieces += [gap, match.group()] if (gap := text[: match.start()]) else [match.group()]
        text = text[match.end() :]
    return pieces + [text] * bool(text)


def _matches_the_rest(text, expression):
    pieces, gap = [], ""
    while text:
        match = re.match(expression, text)
        if match:
            pieces += [gap, match.group()] if gap else [match.group()]
        gap, text = ("", text[match.end() :]) if match else (gap + text[0], text[1:])
    return pieces + [gap] * bool(gap)


def _texts_and_expressions(rng: random.Random) -> list:
    expressions = ["[a-z]+", " ?[a-z]+", " ?[a-z]+|[0-9]", "(a|b)+", r"\w\w?", "(a)(b)|c"]
    texts = [
        "",
        "a",
        "!",
        "ab",
        "a!",
        "!a",
        "!a!",
        "a b",
        "a  b",
        "a!a",
        "é",
        "aéb",
        "!?ab?!",
        "a1a1 a",
        "ab, ab, ab!",
        " ",
    ]
    probes = [(text, expressions[0]) for text in texts]
    probes += [("ab!ba", "(a|b)+"), ("ab, c!", "(a)(b)|c"), ("x1 y22", " ?[a-z]+|[0-9]"), ("\n\na\n", "[a-z]+")]
    probes += [
        ("aab", r"\ba"),
        ("aab", r"\Ba"),
        ("aaa", "^a"),
        ("\na", "^a"),
        ("aaa", "a$"),
        ("ab b", "(?<=a)b"),
        ("aab", "a(?=b)"),
    ]
    probes += [
        ("aB\nA", "[a-z]+"),
        ("aB", "[A-Z]"),
        ("a\n\nb", "."),
        ("aé", "é"),
        ("a1a", r"(?P<x>a)\d"),
        ("aab", r"(a)\1"),
    ]
    probes += [("水1水", r"\w+"), ("aaa", "a+?"), ("aaba", "a b|a"), ("a<b>&lt;", "<.>"), ("abab" * 20, "ab")]
    probes += [("e\u0301", r"\w+"), ("٣²½_’…\u00a0a", "a"), ("a</w> <|im_end|>", "[a-z]+")]
    for _ in range(30):
        text = "".join(rng.choice("abc1 !é") for _ in range(rng.randint(2, 12)))
        probes.append((text, rng.choice(expressions)))
    return probes


MEND_SPLIT = FunctionExercise(
    id="6.6",
    title="Find the bug: a split that loses text",
    points=25,
    reference=split_losing_nothing,
    buggy=_found_only,
    needs="from re import findall, finditer\n\n\n",
    expects="a list of str",
    make_probes=_texts_and_expressions,
    hints=(
        "Run it on `one, two` and join the result. Which characters are missing, and where did they stand?",
        "`findall` tells what was found, not where. `finditer` gives matches that know both: `match.group()`, "
        "`match.start()` and `match.end()`.",
        "Keep the end of the last match. When the next match starts later than that, the text in between is a gap. There can "
        "be one more gap after the last match.",
    ),
    wrong_answers=(
        WrongAnswer(
            "finds-only",
            _found_only,
            "The bug is still there: what the expression does not match is lost, without a word.",
        ),
        WrongAnswer(
            "loses-the-end",
            lambda text, expression: _walk(text, expression, last=False),
            "Nearly: what stands after the last match is still lost.",
        ),
        WrongAnswer(
            "loses-the-start",
            lambda text, expression: _walk(text, expression, first=False),
            "Nearly: what stands before the first match is still lost.",
        ),
        WrongAnswer(
            "loses-what-is-between",
            lambda text, expression: _walk(text, expression, between=False),
            "The start and the end are kept, but what stands between two matches is lost.",
        ),
        WrongAnswer(
            "gap-by-character",
            lambda text, expression: _walk(text, expression, gap=list),
            "Nothing is lost, but you cut a gap into single characters. A gap is one piece.",
        ),
        WrongAnswer(
            "gaps-at-the-end",
            _gaps_at_the_end,
            "All the text is there, but the gaps stand at the end. Each belongs where it stood, or the text is another one.",
        ),
        WrongAnswer(
            "gap-with-the-piece-before",
            _gap_with_the_piece_before,
            "You glue a gap to the piece before it. It is a piece of its own.",
        ),
        WrongAnswer(
            "gap-with-the-piece-after",
            _gap_with_the_piece_after,
            "You glue a gap to the piece after it. It is a piece of its own.",
        ),
        WrongAnswer(
            "strips-gaps",
            lambda text, expression: _walk(text, expression, gap=lambda gap: [gap.strip()] if gap.strip() else []),
            "Gaps of white space get lost, or lose their spaces. A space is text like any other.",
        ),
        WrongAnswer(
            "finds-the-first",
            _finds_the_first,
            "You look for each piece from the start of the text. A piece that occurs twice is found at its first place again.",
        ),
        WrongAnswer(
            "searches-the-rest",
            (_searches_the_rest, _matches_the_rest),
            "You cut off what is done and look at the rest by itself. Then `^`, `\\b` and the like no longer see what stood "
            "before it. Let the expression work on the whole text.",
        ),
        WrongAnswer(
            "finds-the-next",
            _finds_the_next,
            "You look for each piece again in the rest of the text, and find the same letters at an earlier place, where the "
            "expression did not match. A match knows its own place.",
        ),
        WrongAnswer(
            "groups",
            lambda text, expression: _walk(text, expression, group=1),
            "Right until the expression has brackets: then you take the first group and not the whole match, which is "
            "`match.group()`.",
        ),
        WrongAnswer(
            "split-with-brackets",
            (
                lambda text, expression: re.split(f"({expression})", text),
                lambda text, expression: [piece for piece in re.split(f"({expression})", text) if piece],
            ),
            "`re.split` with brackets of your own keeps the matches. But it repeats what the expression's inner groups matched, "
            "and your brackets give these groups other numbers.",
        ),
        WrongAnswer(
            "empty-gaps",
            _with_empty_gaps,
            "You add a gap even where there is none, and an empty piece comes out. Look first whether something stands "
            "between the last match and the next one.",
        ),
        WrongAnswer(
            "gaps-only",
            lambda text, expression: re.split(expression, text),
            "`re.split` without brackets keeps the gaps and loses the matches.",
        ),
    ),
)

# --- 6.8 -------------------------------------------------------------------------------------


def _cut_code() -> list:
    return regex.findall(pattern_regex("o200k"), "She'll openURLFor_us 24")


PREDICT_CODE = PredictExercise(
    id="6.8",
    title="Predict: capitals in a line of code",
    points=15,
    question="Into which pieces does GPT-4o's pattern, o200k, cut this text?\nShe'll openURLFor_us 24",
    variable="pieces_of_code",
    answer=["She'll", " open", "URLFor", "_us", " ", "24"],
    expects="a list of str",
    why="The ending stays with its word. A piece ends where a capital follows a small letter, not where a small letter follows "
    "capitals: URLFor is capitals, then small letters. `_` goes with the letters after it, and digits take no space.",
    proof=_cut_code,
    hints=(
        "Alternative 1 takes one other character or none, then capitals (as many as there are, or none), then small letters. "
        "Try it at each place before you try the others.",
        "After the small letters of a word, which characters would go on with it, and which begin a new piece?",
        "There are six pieces. One of them is a single space.",
    ),
    wrong_answers=(
        WrongAnswer(
            "cut-before-last-capital",
            ["She'll", " open", "URL", "For", "_us", " ", "24"],
            "A person would cut there. The pattern reads from the left: capitals, however many, and then small letters.",
        ),
        WrongAnswer(
            "every-capital",
            ["She'll", " open", "U", "R", "L", "For", "_us", " ", "24"],
            "A capital begins a new piece only behind a small letter. Behind another capital the piece goes on.",
        ),
        WrongAnswer(
            "as-gpt4",
            ["She", "'ll", " openURLFor", "_us", " ", "24"],
            "That is how GPT-4's pattern cuts: it does not tell capitals from small letters, and cuts the ending off.",
        ),
        WrongAnswer(
            "ending-cut-off",
            ["She", "'ll", " open", "URLFor", "_us", " ", "24"],
            "In GPT-4o's pattern the ending stands behind the letters, inside the same alternative.",
        ),
        WrongAnswer(
            "space-with-digits",
            ["She'll", " open", "URLFor", "_us", " 24"],
            "The alternative for digits begins with no space here. GPT-2's did.",
        ),
        WrongAnswer(
            "underscore-alone",
            ["She'll", " open", "URLFor", "_", "us", " ", "24"],
            "One other character may stand before letters, and `_` is neither letter nor number nor line end.",
        ),
    ),
)

# --- 6.7 -------------------------------------------------------------------------------------

GPT2 = pattern_regex("gpt2")


def gpt2_encode(text: str, ranks: dict) -> list:
    """Turn a text into ids as GPT-2's tokenizer does.

    Cut the text by the pattern GPT2. A piece begins as single bytes.
    Among its neighbors whose joined bytes are a token, the two with the
    lowest rank become that token, the leftmost first; this goes on until
    no two fit.

    Args:
        text: any text, without lone surrogates.
        ranks: {token as bytes: rank}. The rank of a token is also its id.
            Every byte of the text has one.

    Returns:
        The ids, one list for the whole text.

    Example:
        >>> gpt2_encode("aab", {b"a": 0, b"b": 1, b"ab": 2, b"aa": 3})
        [0, 2]
        >>> gpt2_encode("o o", {b"o": 0, b" ": 1, b"o ": 2, b" o": 3})
        [0, 3]
    """
    ids = []
    for piece in regex.findall(GPT2, text):
        parts = [bytes([byte]) for byte in piece.encode("utf-8")]
        while True:
            joined = [left + right for left, right in zip(parts, parts[1:])]
            known = [token for token in joined if token in ranks]
            if not known:
                break
            best = min(known, key=ranks.get)
            i = joined.index(best)
            parts[i : i + 2] = [best]
        ids += [ranks[part] for part in parts]
    return ids


def _bytes_of(piece):
    return [bytes([byte]) for byte in piece.encode("utf-8")]


def _fused(parts, ranks, choose=lambda known, ranks: min(known, key=ranks.get), last=False, rounds=10**6):
    for _ in range(rounds):
        joined = [left + right for left, right in zip(parts, parts[1:])]
        known = [token for token in joined if token in ranks]
        if not known:
            break
        best = choose(known, ranks)
        i = len(joined) - 1 - joined[::-1].index(best) if last else joined.index(best)
        parts = [*parts[:i], best, *parts[i + 2 :]]
    return parts


def _tokens_of(text, ranks, cut=None, symbols=_bytes_of, **how) -> list:
    pieces = regex.findall(GPT2, text) if cut is None else cut(text)
    return [_fused(symbols(piece), ranks, **how) for piece in pieces]


def _encode(text, ranks, **how) -> list:
    return [ranks[token] for tokens in _tokens_of(text, ranks, **how) for token in tokens]


def _longest_match(text, ranks):
    ids = []
    for piece in regex.findall(GPT2, text):
        rest = piece.encode("utf-8")
        while rest:
            token = next(rest[:end] for end in range(len(rest), 0, -1) if rest[:end] in ranks)
            ids.append(ranks[token])
            rest = rest[len(token) :]
    return ids


def _whole_or_bytes(text, ranks):
    pieces = [piece.encode("utf-8") for piece in regex.findall(GPT2, text)]
    parts = [[piece] if piece in ranks else [bytes([byte]) for byte in piece] for piece in pieces]
    return [ranks[part] for piece in parts for part in piece]


def _characters(piece):
    return [character.encode("utf-8") for character in piece]


def _texts_and_ranks(rng: random.Random) -> list:
    from bpe_core import load

    vocab = {token: id for id, token in load("gpt2").vocab.items()}

    def real(text):  # GPT-2's ranks of all that stands in the text: enough for the right ids
        data = text.encode("utf-8")
        spans = {data[i:j] for i in range(len(data)) for j in range(i + 1, min(len(data), i + 16) + 1)}
        return text, {token: vocab[token] for token in sorted(spans) if token in vocab}

    def border(text):  # every two neighboring bytes are a token, so a missing cut shows
        data = text.encode("utf-8")
        tokens = dict.fromkeys([bytes([byte]) for byte in data] + [data[i : i + 2] for i in range(len(data) - 1)])
        return text, {token: rank for rank, token in enumerate(sorted(tokens, key=len))}

    toy = {b"a": 0, b"b": 1, b"c": 2, b"bc": 3, b"ab": 4, b"abc": 5, b"aa": 6, b"ca": 7}
    probes = [
        (text, toy) for text in ("", "a", "ab", "abc", "aaa", "aab", "bca", "cab", "caa", "aaaa", "abcabc", "caaab")
    ]
    right_first = {b"a": 0, b"b": 1, b"c": 2, b"d": 3, b"bc": 4, b"bcd": 5, b"abcd": 6, b"ab": 7}
    probes += [(text, right_first) for text in ("abcd", "abc", "bcdab", "dabcda")]
    probes += [("low", {b"l": 0, b"o": 1, b"w": 2, b"ow": 3, b"lo": 4})]
    for text in (
        "don't",
        "It's 42nd",
        "x-ray, ok.",
        "a\n\nb",
        "a  b",
        "DON'T",
        "a\u00a0b",
        "a\u3000b",
        "é1",
        " a ",
        "a_b",
    ):
        probes.append(border(text))
    texts = [
        "東京",
        "naïve café",
        "🙂",
        "lowest",
        "newer",
        "the  the",
        "It's here.",
        "strawberry",
        "1234567890",
        "yes\n\nno",
    ]
    texts += ["unhappily", "Привет", "हिन्दी", "  return x", "tokenization", "e\u0301", "a</w>", "<|endoftext|>"]
    texts += ["".join(rng.choice("thersin ") for _ in range(rng.randint(3, 12))) for _ in range(12)]
    return probes + [real(text) for text in texts]


GPT2_ENCODE = FunctionExercise(
    id="6.7",
    title="GPT-2's tokenizer in twenty lines",
    points=30,
    reference=gpt2_encode,
    needs='import regex\n\nfrom bpe_core.patterns import pattern_regex\n\nGPT2 = pattern_regex("gpt2")\n\n\n',
    forbidden=("encoding", "ByteBPE", "dropout"),
    expects="a list of ids",
    make_probes=_texts_and_ranks,
    hints=(
        "Three steps: pieces, bytes, merges. Do the first example by hand: which two pairs of `a a b` are tokens, and which "
        "of them has the lower rank?",
        "`regex.findall(GPT2, text)` gives the pieces. `[bytes([b]) for b in piece.encode('utf-8')]` gives the bytes of one, "
        "each as a token. Work on one piece at a time, and collect the ids of all.",
        "In a loop: join all neighbors, keep what is in `ranks`, stop when nothing is left. Else take "
        "`min(..., key=ranks.get)`, and put it in the place of the two.",
    ),
    wrong_answers=(
        WrongAnswer(
            "longest-match",
            _longest_match,
            "You take the longest token from the left. The merges go by rank: the lowest first, wherever it stands.",
        ),
        WrongAnswer(
            "leftmost-pair",
            lambda text, ranks: _encode(text, ranks, choose=lambda known, ranks: known[0]),
            "You fuse the leftmost two that make a token. The two with the lowest rank go first.",
        ),
        WrongAnswer(
            "highest-rank",
            lambda text, ranks: _encode(text, ranks, choose=lambda known, ranks: max(known, key=ranks.get)),
            "You fuse the token with the highest rank first. It was learned last.",
        ),
        WrongAnswer(
            "smallest-bytes",
            lambda text, ranks: _encode(text, ranks, choose=lambda known, ranks: min(known)),
            "`min` of tokens compares their bytes. Compare their ranks: `min` takes a `key`.",
        ),
        WrongAnswer(
            "rightmost-of-equals",
            lambda text, ranks: _encode(text, ranks, last=True),
            "Where one token can be made in two places, you take the right one. The left one goes first: look at `aaa`.",
        ),
        WrongAnswer(
            "one-merge",
            lambda text, ranks: _encode(text, ranks, rounds=1),
            "You fuse once in each piece. Go on until no two neighbors make a token.",
        ),
        WrongAnswer(
            "no-pattern",
            lambda text, ranks: _encode(text, ranks, cut=lambda text: [text]),
            "You do not cut the text into pieces first, so tokens reach over the cuts.",
        ),
        WrongAnswer(
            "split-at-spaces",
            (
                lambda text, ranks: _encode(text, ranks, cut=str.split),
                lambda text, ranks: _encode(
                    text, ranks, cut=lambda text: [p.strip() for p in regex.findall(GPT2, text)]
                ),
            ),
            "The spaces are lost. `regex.findall(GPT2, text)` keeps them: one goes with the word after it.",
        ),
        WrongAnswer(
            "white-space-in-front",
            lambda text, ranks: _encode(text, ranks, cut=lambda text: re.findall(r"\s*\S+|\s+$", text)),
            "You cut at white space only. The pattern also cuts letters from digits and punctuation, and leaves all "
            "spaces but one in a piece of their own.",
        ),
        WrongAnswer(
            "word-characters",
            lambda text, ranks: _encode(
                text, ranks, cut=lambda text: re.findall(r" ?\w+| ?[^\w\s]+|\s+(?!\S)|\s+", text)
            ),
            "`\\w` takes letters, digits and `_` together. GPT-2's pattern keeps them apart.",
        ),
        WrongAnswer(
            "characters",
            lambda text, ranks: _encode(text, ranks, symbols=_characters),
            "A piece begins as characters with you. It begins as bytes: 東 is three of them.",
        ),
        WrongAnswer(
            "whole-or-bytes",
            _whole_or_bytes,
            "A piece that is no token as a whole stays single bytes with you. Its parts may be tokens.",
        ),
        WrongAnswer(
            "tokens-for-ids",
            lambda text, ranks: [token for tokens in _tokens_of(text, ranks) for token in tokens],
            "These are the tokens. Asked for are their ids, which are their ranks.",
        ),
        WrongAnswer(
            "a-list-for-each-piece",
            lambda text, ranks: [[ranks[token] for token in tokens] for tokens in _tokens_of(text, ranks)],
            "You give a list of ids for each piece. Asked for is one list for the whole text.",
        ),
        WrongAnswer(
            "last-piece-only",
            lambda text, ranks: [ranks[token] for token in (_tokens_of(text, ranks) or [[]])[-1]],
            "Only the ids of the last piece are left. Is the list begun again for each piece?",
        ),
        WrongAnswer(
            "first-piece-only",
            lambda text, ranks: [ranks[token] for token in (_tokens_of(text, ranks) or [[]])[0]],
            "Only the first piece is encoded. Does a `return` stand inside the loop?",
        ),
    ),
)

# --- Quiz ------------------------------------------------------------------------------------

QUESTIONS = (
    Question(
        "A tokenizer is trained with GPT-2's pattern, on a thousand times more text than ours. Can `. The` become one of its "
        "tokens?",
        (
            Option(
                "Yes, if it is frequent enough.",
                False,
                "However frequent: the period and the word are in two pieces, and pairs are counted inside pieces only.",
            ),
            Option(
                "No: the period and ` The` are always in two pieces, so no merge ever sees them side by side.",
                True,
                "The pattern decides which merges are possible, the counts decide which of these are made.",
            ),
            Option(
                "No, since a token never holds a space.",
                False,
                "Most tokens for words begin with one, such as ` The`.",
            ),
            Option(
                "Yes, but only where a text begins with it.",
                False,
                "The cut between a period and a letter is made everywhere.",
            ),
        ),
    ),
    Question(
        "Twelve spaces are one piece for GPT-2's pattern and for GPT-4's. Why 12 tokens in the one and 1 in the other?",
        (
            Option(
                "GPT-2 cuts the piece again, at every space.",
                False,
                "The piece is the same. No further cut is made before the merges.",
            ),
            Option("GPT-2 encodes characters and GPT-4 bytes.", False, "Both start from bytes. A space is one byte."),
            Option(
                "Inside the piece the merges decide, and GPT-2 has learned none that join two spaces.",
                True,
                "A pattern says where merges must stop. Whether there are any to stop is a matter of the text trained on.",
            ),
            Option(
                "GPT-4's pattern removes spaces that are not needed.",
                False,
                "A pattern removes nothing: the pieces, joined, are the text.",
            ),
        ),
    ),
    Question(
        "GPT-4's pattern cuts a Hindi word into 4 pieces at its marks. What could a vocabulary ten times as large "
        "change, with the same pattern?",
        (
            Option(
                "The word could become one token.",
                False,
                "No token reaches over the cut between two pieces, in a vocabulary of any size.",
            ),
            Option(
                "It could bring the word down to 4 tokens, and no further: the pieces are a floor.",
                True,
                "More merges can make each piece one token. To go below 4, the pattern must change, as it did for GPT-4o.",
            ),
            Option(
                "The word would be cut into more pieces.",
                False,
                "The pieces come from the pattern alone; the vocabulary has no say in them.",
            ),
        ),
    ),
    Question(
        "You load the published vocabulary of GPT-4 and give it GPT-2's pattern by mistake. What happens?",
        (
            Option(
                "An error: the pieces are not in the vocabulary.",
                False,
                "Any piece can be encoded, byte by byte if need be. No error is raised.",
            ),
            Option(
                "The decoded text has other spaces than the original.",
                False,
                "Decoding joins bytes, and all of them are there, whatever the cuts were.",
            ),
            Option(
                "The same ids, since the merges are the same.",
                False,
                "The same merges act inside other pieces, so other tokens come out.",
            ),
            Option(
                "Decoding gives the text back, but many ids are not those that the model was trained on.",
                True,
                "This is why it is hard to notice: nothing fails, and the model reads sequences that it has hardly ever seen.",
            ),
        ),
    ),
)

LESSON = Lesson(
    6,
    "Pre-tokenization",
    (
        COUNT_GLUED,
        PREDICT_PIECES,
        CHOOSE_LAST_SPACE,
        WRITE_CUTTER,
        PREDICT_CODE,
        GPT2_ENCODE,
        PREDICT_DIGITS,
        MEND_SPLIT,
    ),
    QUESTIONS,
)
