"""The parts of views that need a running kernel: widgets."""

import ipywidgets

from .look import View, escape

PLAY_SECONDS = 30  # a whole run of the play button takes about this long at most
PLAY_INTERVAL = 400  # milliseconds between two steps


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


def still_box(children, run_me: str, first: View) -> StillBox:
    """Return a box of widgets that shows, where there are none, its first view and how to bring it to life."""
    return StillBox(
        children,
        still_html=f"<div><i>{escape(run_me)}</i></div>{first.html}",
        still_text=f"{run_me}\n{first.text}",
    )


def explorer_box(explorer, start: int, run_me: str, view_class: str) -> StillBox:
    """Build the live form of a MergeExplorer."""
    last = explorer.replay.num_merges
    first = explorer.at(start)
    slider = ipywidgets.IntSlider(
        value=start, min=0, max=last, description="Merges", layout=ipywidgets.Layout(width="60%", min_width="300px")
    )
    play = ipywidgets.Play(
        value=start,
        min=0,
        max=last,
        step=max(1, round(last * PLAY_INTERVAL / (PLAY_SECONDS * 1000))),
        interval=PLAY_INTERVAL,
        tooltip="Play the merges",
    )
    ipywidgets.jslink((play, "value"), (slider, "value"))
    view = ipywidgets.HTML(first.html)
    view.add_class(view_class)
    slider.observe(lambda change: setattr(view, "value", explorer.at(change["new"]).html), "value")
    box = still_box([ipywidgets.HBox([play, slider]), view], run_me, first)
    box.slider, box.play, box.view = slider, play, view
    return box


def typed_box(box, run_me: str, view_class: str) -> StillBox:
    """Build the live form of a TextBox: the text box and a view that follows it."""
    first = box.at(box.start)
    kind = ipywidgets.Text if box.lines == 1 else ipywidgets.Textarea
    entry = kind(
        value=box.start,
        description=box.label,
        continuous_update=True,
        layout=ipywidgets.Layout(width="95%", height="auto" if box.lines == 1 else f"{1.6 * box.lines}em"),
    )
    view = ipywidgets.HTML(first.html)
    view.add_class(view_class)
    entry.observe(lambda change: setattr(view, "value", box.at(change["new"]).html), "value")
    still = still_box([entry, view], run_me, first)
    still.entry, still.view = entry, view
    return still
