"""Two ways to train on one corpus, compared: a table, and a picture of what stays unknown."""

from collections.abc import Mapping
from typing import Any

from .look import INK, OKABE_ITO, PALE, View, readable, sheet
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
    return sheet(["", *map(readable, data)], rows, [["cell", "bold"], *[["cell", "limited"]] * len(data)], data)


def _written(value: Any) -> str:
    if isinstance(value, bool) or isinstance(value, str):
        return readable({True: "yes", False: "no"}.get(value, value))
    return f"{value:,.2f}" if isinstance(value, float) else f"{value:,}"


def unknown_shares(measured: Mapping[str, Mapping[str, tuple[float, float]]], *, title: str | None = None) -> Picture:
    """Draw, for several languages and two tokenizers, what stays unknown and what the text costs.

    Args:
        measured: {language: {tokenizer: (share of characters without a token, tokens per word)}}.
        title: the finding; by default the language with the highest share.

    Returns:
        A Picture; ``data`` is [(language, {tokenizer: (share, tokens per word)})] in the order
        drawn: the share of the first tokenizer rises, equals keep their order.

    Example:
        >>> measured = {"Thai": {"words": (1.0, 9.0), "bytes": (0.0, 4.0)}}
        >>> unknown_shares(measured).data == list(measured.items())
        True
    """
    data = sorted(
        ((language, dict(row)) for language, row in measured.items()), key=lambda item: next(iter(item[1].values()))[0]
    )
    names = list(data[0][1])
    with canvas(7.6, 1.5 + 0.3 * len(data), title or _finding(data, names), panels=2) as (figure, axes):
        for side, axis in enumerate(axes):
            for place, (_, row) in enumerate(data):
                values = [row[name][side] * (100 if side == 0 else 1) for name in names]
                axis.plot(values, [place] * len(values), color=PALE, linewidth=1.2, zorder=1)
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
        _name_dearest(axes[1], data, names)
    return Picture(figure, data, _in_words(data, names))


def _finding(data: list, names: list[str]) -> str:
    worst, row = data[-1]
    most = max(row[names[1]][0] for _, row in data)
    lost = f"at most {100 * most:.1f}%" if most else "nothing"
    return f"{names[0].capitalize()} lose {100 * row[names[0]][0]:.1f}% of {worst}, {names[1]} {lost}"


def _name_dearest(axis, data: list, names: list[str]) -> None:
    # The price, as a number beside the point farthest to the right.
    value, place = max((row[name][1], place) for place, (_, row) in enumerate(data) for name in names)
    axis.annotate(
        f"{value:.1f}",
        (value, place),
        xytext=(0, 7),
        textcoords="offset points",
        ha="right",
        va="bottom",
        color=INK,
        fontsize=9.5,
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
    one, other = names
    least, most = (f"{100 * side(row[other][0] for _, row in data):.1f}%" for side in (min, max))
    said = [f"{language} {100 * row[one][0]:.1f}%, {row[one][1]:.2f} / {row[other][1]:.2f}" for language, row in data]
    return (
        f"Characters without a token with {one}, then tokens per word with {one} / {other}: {'; '.join(said)}. "
        f"With {other} {least if least == most else f'{least} to {most}'} of the characters have no token."
    )
