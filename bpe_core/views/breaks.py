"""Where cuts fall: tokens over the letters that they cover, digits in their places, indentation as blocks."""

import re
from collections.abc import Iterable, Mapping
from itertools import accumulate

from ..byte_bpe import ByteBPE
from .chips import chips_of
from .look import CELL, EDGE, INK, TABLE, TINTS, View, bar_of, count_of, escape, show, title_line, visible

MAX_BYTES = 64  # of a text drawn letter by letter
MAX_NUMBERS = 12
MAX_DIGITS = 24
MAX_LINES = 30

_GRID = f"{TABLE};border-collapse:separate;border-spacing:0"
_ROW = '<tr style="background-color:transparent">'
_LABEL = "text-align:left;white-space:nowrap;border:none;padding:1px 10px 1px 0;font-size:13px;vertical-align:middle"
_BOX = "border:none;padding:1px 2px;margin:0;text-align:center;vertical-align:middle;white-space:nowrap"
_DIGIT = f"{_BOX.replace('1px 2px', '0 1px')};font-family:monospace;font-size:13px;line-height:1.5"
_MARKED = f"background-color:#F0E442;color:{INK};text-decoration:underline;font-weight:bold"
_CUT = f"border-left:3px solid {INK}"
_BLANK = f"background-color:#FFFFFF;color:{INK};border:1px solid {EDGE}"
_COLORS = (TINTS["sky"], TINTS["orange"])


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
    data = text.encode("utf-8")
    if len(data) > MAX_BYTES:
        raise ValueError(f"the text has {len(data)} bytes; letter by letter {MAX_BYTES} can be shown at most")
    cut = {name: _tokens(tokenizer, text, name) for name, tokenizer in tokenizers.items()}
    borders = [set(accumulate(size for _, _, size in tokens)) for tokens in cut.values()]
    common = sorted(set.intersection(*borders)) if borders else []
    stretches = [data[start:end] for start, end in zip([0, *common], common)]
    letters = [f"[{visible(c)}]" if mark and c in mark else visible(c) for c in text]
    lines = [("text", " ".join(letters))]
    lines += [(name, _as_line(tokens)) for name, tokens in cut.items()]
    html = _letters(text, mark) + "".join(_token_row(name, tokens) for name, tokens in cut.items())
    if shared:
        lines.append(("shared", "|".join(map(show, stretches))))
        html += _shared_row(stretches)
    wide = max(len(name) for name, _ in lines)
    heading = title_line(title)
    return View(
        f'{heading}<table style="{_GRID}"><tbody>{html}</tbody></table>',
        "\n".join([title] * bool(title) + [f"{name:{wide}} {line}" for name, line in lines]),
        {"tokens": cut, "shared": common},
    )


def _tokens(tokenizer: ByteBPE, text: str, name: str) -> list[tuple[int, str, int]]:
    ids = tokenizer.encode_ordinary(text)
    if tokenizer.decode_bytes(ids) != text.encode("utf-8"):
        raise ValueError(
            f"{name} changes this text before it cuts it ({tokenizer.normalization}), so letters would not fit"
        )
    return [(i, show(tokenizer.vocab[i]), len(tokenizer.vocab[i])) for i in ids]


def _as_line(tokens: list[tuple[int, str, int]]) -> str:
    return f"{'|'.join(token for _, token, _ in tokens)}  {' '.join(str(i) for i, _, _ in tokens)}"


def _letters(text: str, mark: str) -> str:
    cells = ""
    for character in text:
        style = _MARKED if mark and character in mark else "background-color:transparent"
        size = len(character.encode("utf-8"))
        cells += (
            f'<td colspan="{size}" style="{_BOX};min-width:1.3em;font-family:monospace;font-size:16px;{style}">'
            f"{escape(visible(character))}</td>"
        )
    return f'{_ROW}<th scope="row" style="{_LABEL}">what you see</th>{cells}</tr>'


def _token_row(name: str, tokens: list[tuple[int, str, int]]) -> str:
    cells = ""
    for place, (i, token, size) in enumerate(tokens):
        style = f"{_BOX};background-color:{_COLORS[place % 2]};color:{INK};{_CUT};border-bottom:3px solid #FFFFFF"
        cells += (
            f'<td colspan="{size}" style="{style}" title="id {i} · {count_of(size, "byte")}">{bar_of() if place else ""}'
            f'<b style="font-size:13px">{i}</b><br>'
            f'<span style="font-size:11px;font-family:monospace">{escape(token)}</span></td>'
        )
    return f'{_ROW}<th scope="row" style="{_LABEL}">{escape(name)}</th>{cells}</tr>'


def _shared_row(stretches: list[bytes]) -> str:
    cells = "".join(
        f'<td colspan="{len(part)}" style="{_BOX};{_BLANK};font-family:monospace;font-size:12px">'
        f"{bar_of() if place else ''}{escape(show(part))}</td>"
        for place, part in enumerate(stretches)
    )
    return f'{_ROW}<th scope="row" style="{_LABEL}">borders of all</th>{cells}</tr>'


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
    heads = "".join(f'<th colspan="{wide + 1}" style="{_LABEL};text-align:right">{escape(name)}</th>' for name in data)
    body = ""
    for row in rows:
        cells = "".join(_digit_cells(cut[row], wide) for cut in data.values())
        body += f'{_ROW}<th scope="row" style="{_LABEL};text-align:right;font-family:monospace">{row}</th>{cells}</tr>'
    heading = title_line(title)
    table = [("number", *data)] + [(row, *("|".join(cut[row]) for cut in data.values())) for row in rows]
    widths = [max(len(line[column]) for line in table) for column in range(len(data) + 1)]
    lines = [" ".join(f"{cell:>{width}}" for cell, width in zip(line, widths)) for line in table]
    return View(
        f'{heading}<table style="{_GRID}"><thead>{_ROW}<th style="{_LABEL}"></th>{heads}</tr></thead>'
        f"<tbody>{body}</tbody></table>",
        "\n".join([title] * bool(title) + lines),
        data,
    )


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


def _digit_cells(parts: list[str], wide: int) -> str:
    blank = f'<td style="{_DIGIT};min-width:1em"></td>'
    cells = blank * (wide + 1 - sum(map(len, parts)))
    for place, part in enumerate(parts):
        for k, digit in enumerate(part):
            style = f"{_DIGIT};background-color:{_COLORS[place % 2]};color:{INK};"
            style += f"border-left:2px solid {INK if k == 0 else _COLORS[place % 2]};border-bottom:2px solid #FFFFFF"
            cells += f'<td style="{style}">{bar_of() if k == 0 and place else ""}{digit}</td>'
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
    heads = "".join(f'<th style="{CELL}">{escape(name)}</th>' for name in data)
    body = ""
    for number in range(len(lines)):
        cells = "".join(f'<td style="{CELL}">{_blocks(cut["lines"][number])}</td>' for cut in data.values())
        body += f"{_ROW}{cells}</tr>"
    said = {
        name: f"{count_of(cut['tokens'], 'token')}, {cut['white space']} of them white space"
        for name, cut in data.items()
    }
    feet = "".join(f'<td style="{CELL}"><b>{line}</b></td>' for line in said.values())
    heading = title_line(title)
    text = [title] * bool(title)
    for name, cut in data.items():
        text += [f"{name}: {said[name]}", *("|".join(map(show, tokens)) for tokens in cut["lines"])]
    return View(
        f'{heading}<table style="{TABLE}"><thead>{_ROW}{heads}</tr></thead><tbody>{body}{_ROW}{feet}</tr></tbody></table>',
        "\n".join(text),
        data,
    )


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


def _blocks(tokens: list[bytes]) -> str:
    html = ""
    for place, token in enumerate(tokens):
        space = not token.strip()
        if space:
            style = f"background-color:{TINTS['orange']};color:{INK};border:2px solid #A66F00"
        else:
            style = f"background-color:#FFFFFF;color:{INK};border:1px solid {EDGE}"
        html += (
            f"{bar_of() if place else ''}"
            f'<span style="display:inline-block;border-radius:2px;padding:0;margin:0 1px 1px 0;{style}">{escape(show(token))}</span>'
        )
    return f'<div style="font-family:monospace;font-size:12px;line-height:1.5;white-space:nowrap">{html}</div>'


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
        candidates  a   1 of 2 tokens that begin so
    """
    if not prompt:
        raise ValueError("the prompt is empty: there is no last token")
    *kept, last = tokenizer.encode_ordinary(prompt)
    start = tokenizer.vocab[last]
    candidates = sorted(i for i, token in tokenizer.vocab.items() if token.startswith(start))
    shown = candidates[:most]
    said = f"{len(shown):,} of {count_of(len(candidates), 'token')} that begin so"
    strips = [
        (name, chips_of(ids, tokenizer=tokenizer))
        for name, ids in (("kept", kept), ("last", [last]), ("candidates", shown))
    ]
    notes = ("", "", said)
    body = "".join(
        f'{_ROW}<td style="{CELL};white-space:nowrap"><b>{name}</b></td><td style="{CELL}">{strip.row_html}</td>'
        f'<td style="{CELL};white-space:nowrap">{note}</td></tr>'
        for (name, strip), note in zip(strips, notes)
    )
    text = "\n".join(f"{name:10}  {strip.row_text}   {note}".rstrip() for (name, strip), note in zip(strips, notes))
    return View(
        f'<table style="{TABLE}"><tbody>{body}</tbody></table>',
        text,
        {"kept": kept, "last": last, "candidates": candidates},
    )
