"""Token costs across languages as pictures: premiums, what they are made of, how training lowers them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .look import INK, OKABE_ITO, PALE
from .picture import COLORS, MARKERS, Picture, canvas, drawable, label_ends, listed

TICKS = (0.5, 1, 2, 4, 8, 16)
STYLES = ("-", "--", ":")
FAINT = {"color": PALE, "linewidth": 1, "zorder": 1}


def _line_look(place: int) -> dict[str, Any]:
    # After seven lines the colors begin anew, with other markers and dashes.
    lap = place // len(COLORS)
    return {
        "color": COLORS[place % len(COLORS)],
        "marker": MARKERS[(place + 3 * lap) % len(MARKERS)],
        "linestyle": STYLES[lap % len(STYLES)],
        "linewidth": 1.6,
        "markersize": 4.5,
    }


# Scripts that are drawn together, in the order of the panels.
SCRIPT_GROUPS = {
    "Latin": ("Latin",),
    "Greek, Cyrillic, Armenian, Georgian": ("Greek", "Cyrillic", "Armenian", "Georgian"),
    "Arabic, Hebrew, Ethiopic": ("Arabic", "Hebrew", "Ethiopic"),
    "Scripts of India": ("Devanagari", "Bengali", "Tamil", "Telugu"),
    "Thai, Khmer, Burmese": ("Thai", "Khmer", "Myanmar"),
    "Chinese, Japanese, Korean": ("Han", "Japanese", "Hangul"),
}


def script_group(script: str) -> str:
    """Return the group of a script, or the script itself if it is in none.

    Example:
        >>> script_group("Tamil"), script_group("Cherokee")
        ('Scripts of India', 'Cherokee')
    """
    return next((group for group, scripts in SCRIPT_GROUPS.items() if script in scripts), script)


def premium_bars(
    measured: Mapping[str, Mapping[str, tuple[float, float, float]]],
    scripts: Mapping[str, str],
    *,
    title: str,
    order_by: str | None = None,
    caption: str = "",
) -> Picture:
    """Draw premiums as sorted bars with their intervals, one panel for each tokenizer.

    Languages in Latin script are blue, all others orange, and each label names the script.

    Args:
        measured: {tokenizer: {language: (premium, low, high)}}; all hold the same languages.
        scripts: {language: script}.
        title: the finding.
        order_by: the tokenizer whose premiums give the order; by default the last one.
        caption: what one sees, in words; by default the title and the ends of each panel.

    Returns:
        A Picture; ``data`` is a dict: order [language], bars {tokenizer: [(premium, low, high)]}.

    Example:
        >>> measured = {"GPT-2": {"Thai": (9.0, 8.5, 9.5), "French": (1.6, 1.5, 1.7)}}
        >>> premium_bars(measured, {"Thai": "Thai", "French": "Latin"}, title="Thai pays most").data["order"]
        ['Thai', 'French']
    """
    leader = measured[order_by or list(measured)[-1]]
    order = sorted(leader, key=lambda language: -leader[language][0])
    bars = {name: [tuple(row[language]) for language in order] for name, row in measured.items()}
    farthest = max(high for rows in bars.values() for _, _, high in rows)
    with canvas(9.2, 1.2 + 0.205 * len(order), title, len(bars)) as (figure, axes):
        for number, (axis, (name, rows)) in enumerate(zip(listed(axes), bars.items())):
            for place, (language, (value, low, high)) in enumerate(zip(order, rows)):
                color = OKABE_ITO["sky" if scripts[language] == "Latin" else "orange"]
                axis.barh(place, value, 0.74, color=color, edgecolor=INK, linewidth=0.5)
                axis.plot([low, high], [place, place], color=INK, linewidth=1.4, marker="|", markersize=4)
                axis.text(high + farthest * 0.025, place, f"{value:.1f}", va="center", fontsize=8)
            axis.axvline(1, color=INK, linewidth=0.9, linestyle=":")
            axis.set_xlim(0, farthest * 1.13)
            axis.set_ylim(len(order) - 0.4, -0.6)
            axis.set_title(drawable(name))
            axis.set_xlabel("times English" if number else "premium: times English", fontsize=9)
            labels = [one if one == scripts[one] else f"{one} ({scripts[one]})" for one in order * (not number)]
            axis.set_yticks(range(len(labels)), map(drawable, labels), fontsize=8.5)
            axis.tick_params(axis="y", length=0)
    said = [f"{name}: from {_extreme(order, rows, min)} to {_extreme(order, rows, max)}" for name, rows in bars.items()]
    return Picture(
        figure,
        {"order": order, "bars": bars},
        caption or f"{title}. Bars are premiums, lines 95% intervals. " + "; ".join(said) + ".",
    )


def _extreme(order: Sequence[str], rows: Sequence[tuple], choose) -> str:
    return "{1} {0[0]:.1f}".format(*choose(zip(rows, order)))


def premium_slopes(
    premiums: Mapping[str, Sequence[float]],
    scripts: Mapping[str, str],
    columns: Sequence[str],
    *,
    title: str,
    caption: str = "",
    faint: Collection[str] = (),
) -> Picture:
    """Draw how premiums change from tokenizer to tokenizer, one panel for each group of scripts.

    Args:
        premiums: {language: one premium for each column}.
        scripts: {language: script}; see ``script_group``.
        columns: the names of the tokenizers, left to right; a new line may part name and year.
        title: the finding.
        caption: what one sees, in words; by default the title and the range of each group.
        faint: languages that get a thin gray line and no name, where a panel has many.

    Returns:
        A Picture; ``data`` is {group: {language: [(column, premium)]}}, the dearest language of
        the first column first.

    Example:
        >>> premium_slopes({"Thai": [9.0, 2.5]}, {"Thai": "Thai"}, ["GPT-2", "GPT-4o"], title="It falls")
        It falls. Ranges in GPT-2, GPT-4o: Thai, Khmer, Burmese 9.0, 2.5.
    """
    names = [column.replace("\n", " ") for column in columns]
    found: dict[str, dict] = {group: {} for group in SCRIPT_GROUPS}
    for language in sorted(premiums, key=lambda language: -premiums[language][0]):
        points = list(zip(names, premiums[language], strict=True))
        found.setdefault(script_group(scripts[language]), {})[language] = points
    data = {group: lines for group, lines in found.items() if lines}
    values = [value for lines in data.values() for points in lines.values() for _, value in points]
    with canvas(9.4, 8.2, title) as (figure, first):
        for number, (axis, (group, lines)) in enumerate(zip(_grid(figure, first, len(data)), data.items())):
            _log_axis(axis, "y", min(values) * 0.9, max(values) * 1.12)
            axis.axhline(1, color=INK, linewidth=0.9, linestyle=":")
            axis.set_title(drawable(group), fontsize=9.5)
            axis.set_xticks(range(len(columns)), _ticks(columns), fontsize=7.5)
            axis.set_xlim(-0.15, len(columns) - 0.9)
            if number % 3 == 0:
                axis.set_ylabel("premium: times English")
            ends = []
            for place, (language, points) in enumerate(lines.items()):
                ys = [y for _, y in points]
                axis.plot(range(len(ys)), ys, **(FAINT if language in faint else _line_look(place)))
                ends += [] if language in faint else [(f"{language} {ys[-1]:.1f}", ys[-1], INK)]
            label_ends(axis, len(columns) - 1, ends, size=8)
    said = [
        f"{group} " + ", ".join(_span([points[place][1] for points in lines.values()]) for place in range(len(names)))
        for group, lines in data.items()
    ]
    return Picture(figure, data, caption or f"{title}. Ranges in {', '.join(names)}: " + "; ".join(said) + ".")


def _ticks(names: Sequence[str]) -> list[str]:
    return ["\n".join(map(drawable, name.split("\n"))) for name in names]


def _span(values: Sequence[float]) -> str:
    low, high = f"{min(values):.1f}", f"{max(values):.1f}"
    return low if low == high else f"{low} to {high}"


def _grid(figure: Figure, first: Axes, number: int) -> list[Axes]:
    first.remove()
    rows = -(-number // 3)
    axes = [axis for row in figure.subplots(rows, 3, squeeze=False, sharey=True) for axis in row]
    for axis in axes[number:]:
        axis.set_visible(False)
    return axes[:number]


def _log_axis(axis: Axes, which: str, low: float, high: float) -> None:
    ticks = [tick for tick in TICKS if low <= tick <= high]
    getattr(axis, f"set_{which}scale")("log", base=2)
    getattr(axis, f"set_{which}lim")(low, high)
    getattr(axis, f"set_{which}ticks")(ticks, [f"{tick:g}" for tick in ticks])
    getattr(axis, f"{which}axis").minorticks_off()


def two_factors(factors: Mapping[str, tuple[float, Mapping[str, float]]], *, title: str, caption: str = "") -> Picture:
    """Draw premiums as a product: the byte tax to the right, the vocabulary's factor upward.

    Both axes are logarithmic, so that equal premiums lie on straight lines, which are
    drawn. The byte tax belongs to the text, not to the tokenizer: a language moves up and down only.

    Args:
        factors: {language: (byte tax, {tokenizer: vocabulary factor})}, the same tokenizers in each.
        title: the finding.
        caption: what one sees, in words; by default the title and all products.

    Returns:
        A Picture; ``data`` is {language: {tokenizer: (byte tax, vocabulary factor, premium)}}.

    Example:
        >>> two_factors({"Thai": (2.5, {"GPT-2": 3.0, "GPT-4o": 1.0})}, title="The merges differ")
        The merges differ. Byte tax, then vocabulary factor in GPT-2 and GPT-4o: Thai 2.50, then 3.00 and
        1.00. Their product is the premium.
    """
    data = {
        language: {name: (tax, factor, tax * factor) for name, factor in row.items()}
        for language, (tax, row) in factors.items()
    }
    names = list(next(iter(data.values())))
    points = [point for row in data.values() for point in row.values()]
    (left, right), (low, high) = ((min(values) / 1.25, max(values) * 1.22) for values in list(zip(*points))[:2])
    with canvas(8.4, 6.2, title) as (figure, axis):
        _log_axis(axis, "x", left, right)
        _log_axis(axis, "y", low, high)
        for premium in TICKS:
            axis.plot([left, right], [premium / left, premium / right], color=PALE, linewidth=1, zorder=0)
            _name_line(axis, premium, left, right, low, high)
        for language, row in data.items():
            xs, ys = [tax for tax, _, _ in row.values()], [factor for _, factor, _ in row.values()]
            axis.plot(xs, ys, color=PALE, linewidth=1.6, zorder=1)
            for x, y, color, marker in zip(xs, ys, COLORS, MARKERS):
                axis.plot(x, y, marker, color=color, markersize=7, zorder=2)
            axis.annotate(
                drawable(language),
                (xs[0], max(ys)),
                xytext=(0, 7),
                textcoords="offset points",
                ha="center",
                fontsize=9,
                bbox={"facecolor": "#FFFFFF", "edgecolor": "none", "pad": 0.6},
            )
        axis.plot(1, 1, "*", color=INK, markersize=11)
        axis.annotate("English", (1, 1), xytext=(-8, -11), textcoords="offset points", ha="right", fontsize=9)
        axis.set_xlabel("byte tax: bytes of the text / bytes of the English text")
        axis.set_ylabel("vocabulary factor: English bytes per token / bytes per token")
        for name, color, marker in zip(names, COLORS, MARKERS):
            axis.plot([], [], marker, color=color, label=drawable(name))
        figure.legend(loc="outside lower center", ncols=len(names), frameon=False)
    said = [
        f"{language} {next(iter(row.values()))[0]:.2f}, then " + " and ".join(f"{f:.2f}" for _, f, _ in row.values())
        for language, row in data.items()
    ]
    return Picture(
        figure,
        data,
        caption
        or f"{title}. Byte tax, then vocabulary factor in {' and '.join(names)}: {'; '.join(said)}. "
        "Their product is the premium.",
    )


def _name_line(axis: Axes, premium: float, left: float, right: float, low: float, high: float) -> None:
    # At the right edge, or at the bottom for a line that leaves there.
    x, y = (right, premium / right) if premium / right >= low else (premium / low, low)
    if x <= left or y >= high:
        return
    shift, align = ((4, 0), "left") if x == right else ((0, 3), "left")
    axis.annotate(
        f"premium {premium:g}",
        (x, y),
        xytext=shift,
        textcoords="offset points",
        ha=align,
        va="center" if x == right else "bottom",
        fontsize=8,
        color="#5B666D",
        annotation_clip=False,
    )


def mix_premiums(
    steps: Sequence[str],
    premiums: Mapping[str, Sequence[float]],
    joins: Mapping[str, int | None],
    reference: Sequence[float],
    *,
    title: str,
    reference_label: str = "English",
    caption: str = "",
) -> Picture:
    """Draw how premiums fall as languages join a training mix, and what the reference pays for it.

    A filled marker and a full line say that the language is in the mix, a hollow marker and a
    dashed line that it is not.

    Args:
        steps: the names of the mixes, left to right.
        premiums: {language: one premium for each mix}.
        joins: {language: the number of the mix that it joins, from 0, or None if it never does}.
        reference: tokens per sentence of the reference language for each mix.
        title: the finding.
        reference_label: the name of the reference language.
        caption: what one sees, in words; by default the title, and the ends of each line.

    Returns:
        A Picture; ``data`` is a dict: premiums {language: [(step, premium, in the mix)]} and
        reference [(step, tokens per sentence)].

    Example:
        >>> mix_premiums(["1", "2"], {"Thai": [4, 2]}, {"Thai": 1}, [10, 11], title="It falls").data["premiums"]
        {'Thai': [('1', 4, False), ('2', 2, True)]}
    """
    data: dict[str, Any] = {
        "premiums": {
            language: [
                (step, value, joins[language] is not None and number >= joins[language])
                for number, (step, value) in enumerate(zip(steps, row, strict=True))
            ]
            for language, row in premiums.items()
        },
        "reference": list(zip(steps, reference, strict=True)),
    }
    values = [value for points in data["premiums"].values() for _, value, _ in points]
    with canvas(9.2, 5.6, title) as (figure, first):
        first.remove()
        axis, side = figure.subplots(1, 2, width_ratios=[2.6, 1])
        _log_axis(axis, "y", min(values) * 0.7, max(values) * 1.15)  # room below for names
        for ax in (axis, side):
            ax.set_xticks(range(len(steps)), _ticks(steps))
            ax.set_xlabel("languages in the training mix")
        axis.set_ylabel("premium: times " + drawable(reference_label))
        axis.set_title("filled: in the mix; hollow: not", fontsize=9.5)
        _draw_mix(axis, data["premiums"])
        side.set_title(f"what {drawable(reference_label)} pays", fontsize=9.5)
        _draw_reference(side, reference)
    said = [
        f"{language} from {points[0][1]:.1f} to {points[-1][1]:.1f}" for language, points in data["premiums"].items()
    ]
    return Picture(
        figure,
        data,
        caption
        or f"{title}. {'; '.join(said)}. {reference_label} itself pays {reference[0]:.1f} tokens per sentence at first "
        f"and {reference[-1]:.1f} at last.",
    )


def _draw_mix(axis: Axes, premiums: Mapping[str, Sequence[tuple]]) -> None:
    axis.axhline(1, color=INK, linewidth=0.9, linestyle=":")
    ends = []
    for place, (language, points) in enumerate(premiums.items()):
        look = _line_look(place)
        _draw_joining(axis, points, look["color"], look["marker"])
        ends.append((f"{language} {points[-1][1]:.1f}", points[-1][1], INK))
    label_ends(axis, len(points) - 1, ends, size=8.5)


def _draw_reference(axis: Axes, tokens_per_sentence: Sequence[float]) -> None:
    places = range(len(tokens_per_sentence))
    axis.bar(places, tokens_per_sentence, 0.66, color=OKABE_ITO["sky"], edgecolor=INK, linewidth=0.6)
    for place, tokens in zip(places, tokens_per_sentence):
        axis.text(place, tokens, f"{tokens:.1f}", ha="center", va="bottom", fontsize=8.5)
    axis.set_ylim(0, max(tokens_per_sentence) * 1.1)
    axis.set_ylabel("tokens per sentence")


def _draw_joining(axis: Axes, points: Sequence[tuple], color: str, marker: str) -> None:
    for number, (_, value, inside) in enumerate(points):
        if number:
            whole = inside and points[number - 1][2]
            axis.plot(
                [number - 1, number],
                [points[number - 1][1], value],
                color=color,
                linewidth=1.6,
                linestyle="-" if whole else "--",
                zorder=1,
            )
    for number, (_, value, inside) in enumerate(points):
        axis.plot(number, value, marker, color=color, markerfacecolor=color if inside else "#FFFFFF", markersize=6.5)
