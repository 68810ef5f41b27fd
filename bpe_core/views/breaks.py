"""Where cuts fall: tokens over the letters that they cover, digits in their places, indentation as blocks."""

import re
from collections.abc import Iterable, Mapping
from itertools import accumulate

from ..byte_bpe import ByteBPE
from ..checks import check_text
from .chips import chips_of
from .look import View, box, count_of, direction, readable, row, sheet, show, table, tag, titled, unseen, visible

MAX_BYTES = 64  # of a text drawn letter by letter
MAX_NUMBERS = 12
MAX_DIGITS = 24
MAX_LINES = 30


def token_rows(
    tokenizers: Mapping[str, ByteBPE], text: str, *, mark: str = "", shared: bool = False, title: str = ""
) -> View:
    """Show a text letter by letter and, under its letters, the ids that a model is given.

    Args:
        tokenizers: {name: tokenizer}.
        text: a short text, of 64 bytes at most.
        mark: a letter to be marked wherever it stands.
        shared: add a row with the stretches between the borders that all tokenizers share.
        title: a line above.

    Returns:
        A View; ``data`` is {"tokens": {name: [(id, token, bytes)]}, "shared": [place]},
        where a place is a number of bytes from the start.

    Raises:
        ValueError: the text is too long, or a tokenizer changes it before it cuts it.

    Example:
        >>> letters = ByteBPE.train("", 256)
        >>> token_rows({"bytes": letters, "pairs": ByteBPE.train("abab", 257)}, "abc", mark="b", shared=True)
        text   a [b] c
        bytes  a|b|c  97 98 99
        pairs  ab|c  256 99
        shared ab|c
    """
    data = check_text(text).encode("utf-8")
    if len(data) > MAX_BYTES:
        raise ValueError(f"the text has {len(data)} bytes; letter by letter {MAX_BYTES} can be shown at most")
    cut = {name: _tokens(tokenizer, text, name) for name, tokenizer in tokenizers.items()}
    borders = [set(accumulate(size for _, _, size in tokens)) for tokens in cut.values()]
    common = sorted(set.intersection(*borders)) if borders else []
    stretches = [data[start:end] for start, end in zip([0, *common], common)]
    letters = [f"[{visible(c)}]" if mark and c in mark else visible(c) for c in text]
    lines = [["text", " ".join(letters)]] + [
        [readable(name), f"{'|'.join(token for _, token, _ in tokens)}  {' '.join(str(i) for i, _, _ in tokens)}"]
        for name, tokens in cut.items()
    ]
    rows = [_letters(text, mark), *(_token_row(name, tokens) for name, tokens in cut.items())]
    if shared:
        lines.append(["shared", "|".join(map(show, stretches))])
        rows.append(_shared_row(stretches))
    drawn = table(rows, look="grid", dir=direction(text))
    wide = max(len(name) for name, _ in lines)
    twin = "\n".join(f"{name:{wide}} {line}" for name, line in lines)
    return titled(title, View(drawn, twin), data={"tokens": cut, "shared": common})


def _tokens(tokenizer: ByteBPE, text: str, name: str) -> list[tuple[int, str, int]]:
    ids = tokenizer.encode_ordinary(text)
    if tokenizer.decode_bytes(ids) != text.encode("utf-8"):
        raise ValueError(
            f"{name} changes this text before it cuts it ({tokenizer.normalization}), so letters would not fit"
        )
    return [(i, show(tokenizer.vocab[i]), len(tokenizer.vocab[i])) for i in ids]


def _label(name: str):
    return tag("th", tag("bdi", readable(name)), scope="row", look="label")


def _letters(text: str, mark: str):
    cells = []
    for character in text:
        is_marked = bool(mark) and character in mark
        look = ["grid cell", "letter", "marked" if is_marked else "row"]
        size = len(character.encode("utf-8"))
        cells.append(tag("td", unseen("marked " * is_marked), visible(character), colspan=size, look=look))
    return row(_label("what you see"), *cells)


def _token_row(name: str, tokens: list[tuple[int, str, int]]):
    cells = []
    for place, (i, token, size) in enumerate(tokens):
        inner = unseen("|" * bool(place)), tag("b", i, look="line"), tag("div", token, look=["tiny", "mono"])
        look = ["grid cell", "odd" if place % 2 else "even", "cut", "apart"]
        cells.append(tag("td", *inner, colspan=size, look=look, title=f"id {i} · {count_of(size, 'byte')}"))
    return row(_label(name), *cells)


def _shared_row(stretches: list[bytes]):
    cells = [
        tag("td", unseen("|" * bool(place)), show(part), colspan=len(part), look=["grid cell", "white", "mono", "fine"])
        for place, part in enumerate(stretches)
    ]
    return row(_label("borders of all"), *cells)


def digit_cuts(
    tokenizers: Mapping[str, ByteBPE], numbers: Iterable[str | int], *, before: str = "", title: str = ""
) -> View:
    """Show where numbers are cut, their digits in columns: ones under ones, tens under tens.

    Args:
        tokenizers: {name: tokenizer}.
        numbers: up to 12 of them; digits, commas and points.
        before: text that stands before each number when it is cut, such as a space. It is
            not drawn.
        title: a line above.

    Returns:
        A View; ``data`` is {name: {number: [parts of the number]}}.

    Raises:
        ValueError: something is no number, or there are too many.

    Example:
        >>> digit_cuts({"pairs": ByteBPE.train("1212", 257)}, [312, 12, "1,200"])
        number   pairs
           312    3|12
            12      12
         1,200 1|,|2|0|0
    """
    rows = [check_number(number) for number in numbers]
    if not 1 <= len(rows) <= MAX_NUMBERS:
        raise ValueError(f"type 1 to {MAX_NUMBERS} numbers with a space between them")
    data = {name: {row: _parts(tokenizer, before, row) for row in rows} for name, tokenizer in tokenizers.items()}
    wide = max(map(len, rows))
    head = [tag("th", look="label"), *(tag("th", name, colspan=wide + 1, look=["label", "right"]) for name in data)]
    body = [
        row(_label(number), *(cell for cut in data.values() for cell in _digit_cells(cut[number], wide)))
        for number in rows
    ]
    lines = [("number", *data)] + [(number, *("|".join(cut[number]) for cut in data.values())) for number in rows]
    widths = [max(map(len, column)) for column in zip(*lines)]
    twin = "\n".join(" ".join(f"{cell:>{width}}" for cell, width in zip(line, widths)) for line in lines)
    return titled(title, View(table(body, head, look="grid"), twin), data=data)


def check_number(number: str | int) -> str:
    """Return a number as text, or raise a ValueError that says what is wrong with it.

    Example:
        >>> check_number(1234), check_number("1,234.5")
        ('1234', '1,234.5')
    """
    written = str(number)
    if not re.fullmatch(r"[0-9][0-9.,]*", written):
        raise ValueError(f"{written[:20]!r} is no number: write digits, with commas or points between them")
    if len(written) > MAX_DIGITS:
        raise ValueError(f"a number has {len(written)} digits; {MAX_DIGITS} can be shown at most")
    return written


def _parts(tokenizer: ByteBPE, before: str, number: str) -> list[str]:
    # The tokens of the number, without what belongs to the text before it.
    start, end, parts = len(before.encode("utf-8")), 0, []
    for token in tokenizer.tokens(before + number):
        parts.append(token[max(0, start - end) :].decode("ascii"))
        end += len(token)
    return [part for part in parts if part]


def _digit_cells(parts: list[str], wide: int) -> list:
    cells = [tag("td", look=["grid cell", "digit"])] * (wide + 1 - sum(map(len, parts)))
    for place, part in enumerate(parts):
        for k, digit in enumerate(part):
            look = ["grid cell", "digit", "odd" if place % 2 else "even", "apart", "uncut" if k else "cut"]
            cells.append(tag("td", unseen("|" * (not k and place > 0)), digit, look=look))
    return cells


def indentation(tokenizers: Mapping[str, ByteBPE], code: str, *, title: str = "") -> View:
    """Show code line by line, its white space as blocks: one block for each token.

    Line ends are cut with the code, but not drawn; a token with text on both sides of a
    line end is drawn in both lines.

    Args:
        tokenizers: {name: tokenizer}.
        code: some lines of code.
        title: a line above.

    Returns:
        A View; ``data`` is {name: {"lines": [[token]], "tokens": number, "white space": number}},
        where the last is the number of tokens that hold nothing but white space.

    Raises:
        ValueError: there are too many lines.

    Example:
        >>> indentation({"bytes": ByteBPE.train("", 256)}, "if x:\\n  y")
        bytes: 9 tokens, 4 of them white space
        i|f|·|x|:
        ·|·|y
    """
    lines = code.splitlines()
    if len(lines) > MAX_LINES:
        raise ValueError(f"the code has {len(lines)} lines; {MAX_LINES} can be shown at most")
    data = {name: _by_line(tokenizer.tokens(code), len(lines)) for name, tokenizer in tokenizers.items()}
    said = {
        name: f"{count_of(cut['tokens'], 'token')}, {cut['white space']} of them white space"
        for name, cut in data.items()
    }
    rows = [[_blocks(cut["lines"][number]) for cut in data.values()] for number in range(len(lines))]
    drawn = sheet(list(data), [*rows, said.values()])
    twin = "\n".join(
        line
        for name, cut in data.items()
        for line in (f"{name}: {said[name]}", *("|".join(map(show, tokens)) for tokens in cut["lines"]))
    )
    return titled(title, View(drawn.html, twin), data=data)


def _by_line(tokens: list[bytes], num_lines: int) -> dict:
    lines: list[list[bytes]] = [[] for _ in range(max(1, num_lines))]
    line = 0
    for token in tokens:
        for part in token.split(b"\n"):
            if part := part.rstrip(b"\r"):
                lines[min(line, len(lines) - 1)].append(part)
            line += 1
        line -= 1  # the last part stands in the line that the next token goes on with
    blank = sum(not token.strip() for token in tokens)
    return {"lines": lines, "tokens": len(tokens), "white space": blank}


def _blocks(tokens: list[bytes]) -> View:
    kinds = ["white" if token.strip() else "space" for token in tokens]
    marks = ["|" * bool(place) + "white space " * (kind == "space") for place, kind in enumerate(kinds)]
    boxes = [box(token, ["block", kind], mark=mark) for token, kind, mark in zip(tokens, kinds, marks)]
    return View(tag("div", *boxes, look="blocks", dir="ltr"), "")


def healing(tokenizer: ByteBPE, prompt: str, *, most: int = 8) -> View:
    """Show what token healing does to a prompt: the last token goes, and what may come in its place.

    Args:
        tokenizer: a ByteBPE.
        prompt: any text that is not empty.
        most: how many of the candidates are shown, the lowest ids first.

    Returns:
        A View; ``data`` is {"kept": [id], "last": id, "candidates": [id]}, where the
        candidates are all tokens that begin with the bytes of the last one.

    Raises:
        ValueError: the prompt is empty.

    Example:
        >>> healing(ByteBPE.train("abab abc", 258), "b a", most=1)
        kept        b|·
        last        a
        candidates  a    1 of 2 tokens that begin so
    """
    if not prompt:
        raise ValueError("the prompt is empty: there is no last token")
    *kept, last = tokenizer.encode_ordinary(prompt)
    start = tokenizer.vocab[last]
    candidates = sorted(i for i, token in tokenizer.vocab.items() if token.startswith(start))
    shown = candidates[:most]
    said = f"{len(shown):,} of {count_of(len(candidates), 'token')} that begin so"
    named = {"kept": (kept, ""), "last": ([last], ""), "candidates": (shown, said)}
    rows = [[name, chips_of(ids, tokenizer=tokenizer).row, note] for name, (ids, note) in named.items()]
    looks = [["cell", "unbroken", "bold"], "cell", ["cell", "unbroken"]]
    return sheet((), rows, looks, {"kept": kept, "last": last, "candidates": candidates})
