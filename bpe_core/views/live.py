"""The parts of views that need a running kernel: widgets."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import ipywidgets
from markupsafe import Markup

from .look import View, join, shorten, tag

PLAY_SECONDS = 30  # a whole run of the play button takes about this long at most
PLAY_INTERVAL = 400  # milliseconds between two steps
WIDE = {"width": "60%", "min_width": "300px"}


class StillBox(ipywidgets.VBox):
    """A box of widgets that has something to show where there are no widgets.

    A notebook is saved without the state of its widgets, so a static page shows this
    box as the HTML, or the text, that was given for it.
    """

    def __init__(self, children=(), still_html: str = "", still_text: str = "", **options):
        """Take the widgets inside and what stands in for them."""
        super().__init__(children, **options)
        self._still = {"text/html": still_html, "text/plain": still_text}

    def _repr_mimebundle_(self, **options):
        bundle = super()._repr_mimebundle_(**options)
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        return {**(data or {}), **self._still}


def follow(draw: Callable[..., View], inputs: Mapping[str, Any], run_me: str, view_class: str, shown=None) -> StillBox:
    """Return widgets and, below them, a view that is drawn anew whenever one of them changes.

    A hidden line with the role "status" says the first line of each view, so that it is heard.

    Args:
        draw: takes the values of the inputs, in their order, and returns a View.
        inputs: {name: widget}; the box has each of them as an attribute, and ``view``.
        run_me: what a page without widgets says above the first view.
        view_class: of the element that changes.
        shown: what stands above the view, if it is not the inputs as they are.
    """

    def drawn(_=None) -> View:
        return draw(*(widget.value for widget in inputs.values()))

    def spoken(view: View) -> Markup:
        first = shorten(view.text.partition("\n")[0], 200)
        return join([tag("div", first, role="status", look="unseen"), view.html])

    first = drawn()
    view = ipywidgets.HTML(spoken(first))
    view.add_class(view_class)
    for widget in inputs.values():
        widget.observe(lambda _: setattr(view, "value", spoken(drawn())), "value")
    box = StillBox(
        [*(shown or inputs.values()), view],
        still_html=join([tag("div", tag("i", run_me)), first.html]),
        still_text=f"{run_me}\n{first.text}",
    )
    vars(box).update(inputs, view=view)
    return box


def number_slider(
    name: str, value: int, most: int, least: int = 0
) -> tuple[ipywidgets.BoundedIntText, ipywidgets.IntSlider]:
    """Return a field, which has its name for those who hear the page too, and a slider that goes with it."""
    field = ipywidgets.BoundedIntText(value=value, min=least, max=most, description=name, layout={"width": "180px"})
    slider = ipywidgets.IntSlider(value=value, min=least, max=most, readout=False, layout={"width": "50%"})
    ipywidgets.jslink((field, "value"), (slider, "value"))
    return field, slider


def choice_slider(name: str, options: Sequence, value: Any) -> tuple[ipywidgets.Dropdown, ipywidgets.SelectionSlider]:
    """Return a menu of some values, [(label, value)], which has its name, and a slider that goes with it."""
    menu = ipywidgets.Dropdown(options=options, value=value, description=name, layout={"width": "220px"})
    slider = ipywidgets.SelectionSlider(options=options, value=value, readout=False, layout={"width": "50%"})
    ipywidgets.jslink((menu, "index"), (slider, "index"))
    return menu, slider


def play_button(slider: ipywidgets.IntSlider) -> tuple[ipywidgets.ToggleButton, ipywidgets.Play]:
    """Return a button that moves a slider to its end, in half a minute at most, and the clock behind it.

    The buttons of ipywidgets.Play have no names for those who hear the page: it stays hidden.
    """
    step = max(1, round(slider.max * PLAY_INTERVAL / (PLAY_SECONDS * 1000)))
    hidden = {"display": "none"}
    play = ipywidgets.Play(
        value=slider.value, min=slider.min, max=slider.max, step=step, interval=PLAY_INTERVAL, layout=hidden
    )
    button = ipywidgets.ToggleButton(description="Play", layout={"width": "80px"})
    button.observe(lambda change: setattr(button, "description", "Pause" if change["new"] else "Play"), "value")
    ipywidgets.jslink((play, "value"), (slider, "value"))
    ipywidgets.jslink((button, "value"), (play, "playing"))
    return button, play
