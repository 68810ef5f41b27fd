"""Two ways to train on one corpus, compared: a table, and a picture of what stays unknown."""

from collections.abc import Mapping
from typing import Any

from .chips import CELL, NUMBER, TABLE
from .look import INK, OKABE_ITO, View, escape
from .picture import Picture, canvas, drawable

_LOOK = ((OKABE_ITO["vermillion"], "o"), (OKABE_ITO["blue"], "s"))


def side_by_side(columns: Mapping[str, Mapping[str, Any]]) -> View:
    """Show the same facts about several things, one column each.

    Args:
        columns: {name: {fact: value}}; numbers are written as ``3,000`` or ``1.61``.

    Returns:
        A View; ``data`` is {name: {fact: value}}.

    Example:
        >>> side_by_side({"one": {"size": 3000, "gives": "text"}, "other": {"size": 1.614, "gives": "bytes"}})
               one    other
        size   3,000  1.61
        gives  text   bytes
    """
    data = {name: dict(facts) for name, facts in columns.items()}
    facts = list(dict.fromkeys(fact for column in data.values() for fact in column))
    rows = [[fact, *(_written(column.get(fact, "")) for column in data.values())] for fact in facts]
    table = [["", *data], *rows]
    wide = [max(len(row[place]) for row in table) for place in range(len(table[0]))]
    text = "\n".join("  ".join(cell.ljust(size) for cell, size in zip(row, wide)).rstrip() for row in table)
    head = "".join(f'<th style="{CELL}">{escape(name)}</th>' for name in ["", *data])
    body = "".join(
        f'<tr style="background-color:transparent"><td style="{CELL}"><b>{escape(fact)}</b></td>'
        + "".join(_cell(column.get(fact, "")) for column in data.values())
        + "</tr>"
        for fact in facts
    )
    return View(f'<table style="{TABLE}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>', text, data)


def _written(value: Any) -> str:
    if isinstance(value, bool) or isinstance(value, str):
        return {True: "yes", False: "no"}.get(value, value)
    return f"{value:,.2f}" if isinstance(value, float) else f"{value:,}"


def _cell(value: Any) -> str:
    style = CELL if isinstance(value, (str, bool)) else NUMBER.replace("right", "left", 1)
    return f'<td style="{style};max-width:300px">{escape(_written(value))}</td>'


def unknown_shares(measured: Mapping[str, Mapping[str, tuple[float, float]]], *, title: str | None = None) -> Picture:
    """Draw, for several languages and two tokenizers, what stays unknown and what the text costs.

    Args:
        measured: {language: {tokenizer: (share of characters without a token, tokens per word)}}.
        title: the finding; by default the language with the highest share, and the most tokens per word.

    Returns:
        A Picture; ``data`` is [(language, {tokenizer: (share, tokens per word)})] in the order
        drawn: the share of the first tokenizer rises, equals keep their order.
    """
    data = sorted(((language, dict(row)) for language, row in measured.items()), key=lambda item: _first(item[1])[0])
    names = list(data[0][1])
    caption = _in_words(data, names)
    with canvas(8.6, 1.5 + 0.3 * len(data), title or _finding(data, names), panels=2) as (figure, axes):
        for side, axis in enumerate(axes):
            for place, (_, row) in enumerate(data):
                values = [row[name][side] * (100 if side == 0 else 1) for name in names]
                axis.plot(values, [place] * len(values), color="#8A949B", linewidth=1.2, zorder=1)
                for value, (color, marker) in zip(values, _LOOK):
                    axis.plot(value, place, marker, color=color, markersize=7, zorder=2)
            axis.invert_yaxis()
            axis.spines["left"].set_visible(False)
            axis.tick_params(axis="y", length=0)
            axis.set_xlabel(("characters without a token, %", "tokens per word")[side])
        axes[0].set_xlim(-3, 105)
        axes[1].set_xlim(left=0)
        axes[0].set_yticks(range(len(data)), [drawable(language) for language, _ in data])
        axes[1].set_yticks([])
        _name_markers(axes[0], data, names)
    return Picture(figure, data, caption)


def _first(row: Mapping[str, tuple[float, float]]) -> tuple[float, float]:
    return next(iter(row.values()))


def _finding(data: list, names: list[str]) -> str:
    worst, row = data[-1]
    dearest = max((row[names[1]][1], language) for language, row in data)
    return (
        f"{names[0]}: {100 * row[names[0]][0]:.1f}% of {worst} is unknown; {names[1]}: "
        f"{100 * max(row[names[1]][0] for _, row in data):.0f}% anywhere, but up to {dearest[0]:.1f} tokens per word "
        f"({dearest[1]})"
    )


def _name_markers(axis, data: list, names: list[str]) -> None:
    # Beside the last row, where the two are far apart.
    values = [100 * data[-1][1][name][0] for name in names]
    for name, value in zip(names, values):
        right = value < 50
        axis.annotate(
            drawable(name),
            (value, len(data) - 1),
            xytext=(8 if right else -8, 0),
            textcoords="offset points",
            ha="left" if right else "right",
            va="center",
            color=INK,
            fontsize=9.5,
            bbox={"facecolor": "#FFFFFF", "edgecolor": "none", "pad": 1},
        )


def _in_words(data: list, names: list[str]) -> str:
    said = [
        f"{language}: "
        + ", ".join(
            f"{name} {100 * row[name][0]:.1f}% unknown and {row[name][1]:.2f} tokens per word" for name in names
        )
        for language, row in data
    ]
    return "Left: characters without a token. Right: tokens per word. " + "; ".join(said) + "."
