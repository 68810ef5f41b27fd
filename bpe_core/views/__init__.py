"""What a learner looks at: token chips, plots, the merge tree and the merge explorer.

Each function takes data and returns something that shows itself in a notebook, says the
same as text, and keeps the data that was drawn in ``.data``. What needs matplotlib or
ipywidgets is loaded when first used, so that chips do not wait for it.
"""

from importlib import import_module

from .alphabet import byte_alphabet
from .chips import Chip, Strip, chips, chips_of, compare, rows
from .explorer import MergeExplorer, merge_explorer
from .look import OKABE_ITO, View, contrast, show, show_pair, visible
from .pieces import pattern_alternatives, pattern_box, pattern_comparison, pattern_rows, who_took
from .replay import Replay
from .staircase import cuts, staircase, two_ways
from .tree import merge_tree
from .typed import TextBox, pair_counter, text_box
from .utf8 import ByteCut, byte_cut, kind_of_byte, utf8_bytes, utf8_grid

_LATER = {
    "plots": ("bars", "lines", "pair_matrix", "slopes", "tie_rules", "tokens_left", "top_pairs"),
    "picture": ("Picture", "canvas", "drawable", "label_ends"),
    "live": ("StillBox",),
    "sizes": ("costs_by_size", "least_size", "size_explorer", "token_ranks"),
    "trainers": ("side_by_side", "unknown_shares"),
}
_MODULES = {name: module for module, names in _LATER.items() for name in names}
__all__ = [
    "OKABE_ITO",
    "ByteCut",
    "Chip",
    "MergeExplorer",
    "Picture",
    "Replay",
    "StillBox",
    "Strip",
    "TextBox",
    "View",
    "bars",
    "byte_alphabet",
    "byte_cut",
    "canvas",
    "chips",
    "chips_of",
    "compare",
    "contrast",
    "costs_by_size",
    "cuts",
    "drawable",
    "kind_of_byte",
    "label_ends",
    "least_size",
    "lines",
    "merge_explorer",
    "merge_tree",
    "pair_counter",
    "pair_matrix",
    "pattern_alternatives",
    "pattern_box",
    "pattern_comparison",
    "pattern_rows",
    "rows",
    "show",
    "show_pair",
    "side_by_side",
    "size_explorer",
    "slopes",
    "staircase",
    "text_box",
    "tie_rules",
    "token_ranks",
    "tokens_left",
    "top_pairs",
    "two_ways",
    "unknown_shares",
    "utf8_bytes",
    "utf8_grid",
    "visible",
    "who_took",
]


def __getattr__(name: str):
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
