"""A calculator: what a text of one's own costs, and what it would cost in other languages."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from .. import costs, names
from ..checks import check_text, check_whole_number
from ..datasets import TABLES, check_row
from .look import View, complaint, count_of, join, money, percent, readable, sheet, shorten, tag

Prices = str | PathLike | Iterable[Mapping] | None

VIEW_CLASS = "bpe-calculator-view"  # of the element that changes
RUN_ME = "Run this cell to type a text of your own, and to choose languages, a model and a price."
TOKENIZERS = {"GPT-2": "gpt2", "GPT-4": "cl100k_base", "GPT-4o": "o200k_base", "Qwen2.5": "qwen2.5"}
NOTE = (
    "Counted: your text. Estimated: your tokens times those of the course's own sentences in the other language, "
    "divided by those in yours; in brackets a range for one text of this length, if it is everyday talk as they are."
)
MOST_CHARACTERS = 20_000


class Offer(NamedTuple):
    """One row of data/prices.csv; prices are for a million tokens."""

    model: str
    tokenizer: str
    price: float
    cached: float
    output: float
    context: int
    date: str


def offers(prices: Prices = None) -> dict[str, Offer]:
    """Return the models of a table of prices, {name: Offer}.

    Args:
        prices: the path of a CSV file or a list of rows (dicts) with the columns of
            data/prices.csv; None for that file itself. Without a column ``cached_per_million``
            nothing is cheaper when it is sent again.

    Raises:
        ValueError: a column is missing, or a price is none; it names the row.

    Example:
        >>> offers()["GPT-4o"].tokenizer
        'o200k_base'
        >>> offers([offers()["GPT-4o"]._asdict()])
        Traceback (most recent call last):
        ValueError: prices, row 1: the column input_per_million is missing; there are model, tokenizer, price, cached, output, context, date
    """
    if prices is None or isinstance(prices, (str, PathLike)):
        rows = names.read_table("prices.csv" if prices is None else Path(prices), TABLES["prices.csv"])
    else:
        rows = [check_row(row, TABLES["prices.csv"], f"prices, row {number}") for number, row in enumerate(prices, 1)]
    return {
        row["model"]: Offer(
            row["model"],
            row["tokenizer"],
            float(row["input_per_million"]),
            float(row.get("cached_per_million", row["input_per_million"])),
            float(row["output_per_million"]),
            int(row["context"]),
            row["date"],
        )
        for row in rows
    }


class CostCalculator(View):
    """What a text costs, in its own language and in others; ``live()`` lets the reader change all of it.

    Attributes:
        settings: the first text and choices, a dict of the arguments of ``at``.
    """

    def __init__(self, **settings):
        """Draw the first view; see ``cost_calculator``."""
        self.settings = settings
        first = self.at()
        super().__init__(first.html, first.text, first.data)

    def at(self, **changes) -> View:
        """Return the view with some settings changed; what is wrong with them is said, never raised.

        Example:
            >>> cost_calculator("Good morning.").at(price=-1.0)
            The price per million tokens is -1.0; it must be 0 or more
        """
        try:
            return _bill(**{**self.settings, **changes})
        except (TypeError, ValueError, KeyError) as error:
            said = str(error.args[0]) if error.args else type(error).__name__
            return complaint(said)

    def live(self):
        """Return a widget: a text, two choices of language, a model, a price, and the bill below them."""
        from . import live  # here, because a still view needs no ipywidgets

        known = offers(self.settings["prices"])
        entry = _fields(self.settings, known)

        def draw(*values) -> View:
            chosen = dict(zip(entry, values))
            if chosen["price"] == known[chosen["model"]].price:
                chosen["price"] = None  # the listed price, which has a date
            return self.at(**chosen)

        def take_price(change):
            entry["price"].value = known[change["new"]].price

        entry["model"].observe(take_price, "value")
        numbers = live.ipywidgets.VBox([entry[name] for name in ("price", "cached", "answer", "requests")])
        rows = [entry["language"], entry["model"]], [entry["others"], numbers]
        box = live.follow(draw, entry, RUN_ME, VIEW_CLASS, [entry["text"], *map(live.ipywidgets.HBox, rows)])
        box.entry = entry
        return box


def cost_calculator(
    text: str,
    *,
    language: str = "en",
    others: Sequence[str] = ("es", "zh", "hi", "hy", "my"),
    model: str = "GPT-4o",
    price: float | None = None,
    cached: float = 0.0,
    answer: int = 0,
    requests: int = 10_000,
    prices: Prices = None,
) -> CostCalculator:
    """Show what a text costs to send, and what about the same text would cost in other languages.

    Args:
        text: any text.
        language: the code of its language, one of the own sentences.
        others: codes of the languages to estimate.
        model: a model of the table of prices.
        price: for a million tokens sent, cached or not; by default the model's own prices.
        cached: the share of the text that was sent shortly before, from 0 to 1.
        answer: tokens of the answer, in the text's own language.
        requests: how often the text is sent.
        prices: a table of your own, see ``offers``; by default data/prices.csv.

    Returns:
        A CostCalculator: a still view, ``.at(...)`` for other settings, and ``.live()``.
        ``data`` is [(language name, tokens, low, high, price, share of the context)], the own
        language first.

    Example:
        >>> cost_calculator("Good morning.", others=["hy"], requests=1_000_000)
        Good morning. · 13 characters · 13 bytes · GPT-2 3 · GPT-4 3 · GPT-4o 3 · Qwen2.5 3 tokens
        GPT-4o: $2.50 for a million tokens (2024-10-01), a context of 128,000, sent 1,000,000 times
        0% of it cached, at $1.25; an answer of 0 tokens, at $10.00
                             tokens            price of all  of the context
        English   counted    3                 $7.50         0.0023%
        Armenian  estimated  4.8 (3.4 to 6.8)  $12.04        0.0038%
        Counted: your text. Estimated: your tokens times those of the course's own sentences in the
        other language, divided by those in yours; in brackets a range for one text of this length,
        if it is everyday talk as they are.
    """
    return CostCalculator(
        text=text,
        language=language,
        others=tuple(others),
        model=model,
        price=price,
        cached=cached,
        answer=answer,
        requests=requests,
        prices=prices if prices is None or isinstance(prices, (str, PathLike)) else list(prices),
    )


def _bill(
    text: str,
    language: str,
    others: Sequence[str],
    model: str,
    price: float | None,
    cached: float,
    answer: int,
    requests: int,
    prices: Prices,
) -> View:
    if not check_text(text).strip():
        raise ValueError("Type a text.")
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"The text has {len(text):,} characters; the calculator takes {MOST_CHARACTERS:,} at most.")
    known = offers(prices)
    if model not in known:
        raise ValueError(f"The model is {model!r}; it must be one of {', '.join(known)}.")
    offer = known[model]
    charged = costs.check_price("The price per million tokens", offer.price if price is None else price)
    if costs.check_price("The cached share", cached) > 1:
        raise ValueError(f"The cached share is {cached}; it must be 1 at most")
    check_whole_number("The number of requests", requests)
    check_whole_number("The number of tokens of the answer", answer)
    own = costs.count_tokens(offer.tokenizer, text)
    again = offer.cached if price is None else float(charged)
    once = own * ((1 - cached) * float(charged) + cached * again) + answer * offer.output
    data = []
    for code in [language, *(other for other in others if other != language)]:
        factor, low, high = costs.language_factor(offer.tokenizer, code, language, own)
        tokens = own * factor
        data.append(
            (
                names.language(code).name,
                tokens,
                own * low,
                own * high,
                factor * once * requests / 1_000_000,
                costs.context_share(own + answer, offer.context) * factor,
            )
        )
    head = [
        f" · {count_of(len(text), 'character')} · "
        f"{count_of(len(text.encode('utf-8')), 'byte')} · "
        + " · ".join(f"{name} {costs.count_tokens(tokenizer, text):,}" for name, tokenizer in TOKENIZERS.items())
        + " tokens",
        f"{offer.model}: {money(charged, 12)} for a million tokens "
        f"({'your price' if price is not None else offer.date}), "
        f"a context of {offer.context:,}, sent {count_of(requests, 'time')}",
        f"{cached:.0%} of it cached, at {money(again, 12)}; an answer of {count_of(answer, 'token')}, "
        f"at {money(offer.output, 12)}",
    ]
    return _table(readable(shorten(" ".join(text.split()), 60)), head, data)


def _about(tokens: float) -> str:
    return f"{tokens:.1f}" if tokens < 100 else f"{tokens:,.0f}"


def _table(shown: str, head: list[str], data: list[tuple]) -> View:
    rows = []
    for number, (name, tokens, low, high, bill, share) in enumerate(data):
        written = f"{_about(tokens)} ({_about(low)} to {_about(high)})" if number else f"{tokens:,.0f}"
        rows.append([name, "estimated" if number else "counted", written, money(bill), percent(share)])
    columns = ["", "", "tokens", "price of all", "of the context"]
    drawn = sheet(columns, rows, ["cell", "cell", "number", "number", "number"])
    # What was typed stands in its own direction, and turns no number around.
    first = tag("div", tag("bdi", shown), head[0], look="line", dir="ltr")
    rest = [tag("div", line, look="line") for line in head[1:]]
    html = join([first, *rest, drawn.html, tag("div", tag("i", NOTE), look="fine")])
    return View(html, "\n".join([shown + head[0], *head[1:], drawn.text, NOTE]), data)


def _fields(settings: Mapping[str, Any], known: Mapping[str, Offer]) -> dict:
    # {argument of ``CostCalculator.at``: the widget that sets it}
    import ipywidgets

    by_name = sorted((language.name, code) for code, language in names.languages().items())
    wide = ipywidgets.Layout(width="95%")
    return {
        "text": ipywidgets.Textarea(value=settings["text"], description="Text", rows=3, layout=wide),
        "language": ipywidgets.Dropdown(options=by_name, value=settings["language"], description="Its language"),
        "others": ipywidgets.SelectMultiple(
            options=by_name, value=tuple(settings["others"]), description="Others", rows=6
        ),
        "model": ipywidgets.Dropdown(options=list(known), value=settings["model"], description="Model"),
        "price": ipywidgets.FloatText(
            value=known[settings["model"]].price if settings["price"] is None else settings["price"],
            description="$ / million",
        ),
        "cached": ipywidgets.BoundedFloatText(value=settings["cached"], min=0, max=1, step=0.05, description="Cached"),
        "answer": ipywidgets.IntText(value=settings["answer"], description="Answer"),
        "requests": ipywidgets.IntText(value=settings["requests"], description="Requests"),
    }
