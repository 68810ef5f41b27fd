"""What a learner looks at: token chips, plots, the merge tree and the merge explorer.

Each function takes data and returns something that shows itself in a notebook, says the
same as text, and keeps the data that was drawn in ``.data``. What needs matplotlib or
ipywidgets is loaded when first used, so that chips do not wait for it.
"""

# ruff: noqa: F401 - a name is listed once, where it is imported, and __all__ follows

import logging
from importlib import import_module

from .alphabet import byte_alphabet
from .breaks import digit_cuts, healing, indentation, token_rows
from .chips import Chip, Strip, chips, chips_of, compare, rows
from .explorer import MergeExplorer, merge_explorer
from .look import OKABE_ITO, View, money, percent, show, show_pair, visible
from .pieces import pattern_alternatives, pattern_box, pattern_comparison, pattern_rows, who_took
from .replay import Replay
from .staircase import cuts, staircase, two_ways
from .tree import merge_tree
from .typed import TextBox, pair_counter, text_box
from .utf8 import ByteCut, byte_cut, kind_of_byte, utf8_bytes, utf8_grid
from .words_or_parts import WordsOrParts, words_or_parts

# matplotlib's warnings (that it builds a font cache, that a home cannot be written) would stand in a
# lesson as an error. Said here, since some come while it is imported.
logging.getLogger("matplotlib").setLevel(logging.ERROR)

_LATER = {
    "conversation": (
        "Turn",
        "conversations",
        "encode_naively",
        "injection",
        "injection_box",
        "read_turns",
        "turns",
    ),
    "calculator": ("CostCalculator", "cost_calculator"),
    "premiums": ("mix_premiums", "premium_bars", "premium_slopes", "script_group", "two_factors"),
    "plots": ("bars", "lines", "pair_matrix", "tie_rules", "tokens_left", "top_pairs"),
    "picture": ("Picture", "canvas", "drawable", "label_ends"),
    "live": ("StillBox",),
    "lattices": ("lattice",),
    "report": ("save_report",),
    "number_map": ("digit_map",),
    "sizes": ("compression_curves", "costs_by_size", "size_explorer", "token_ranks"),
    "tradeoff": ("trade_off",),
    "trainers": ("side_by_side", "unknown_shares"),
}
_MODULES = {name: module for module, names in _LATER.items() for name in names}
__all__ = sorted(
    {name for name, value in vars().items() if getattr(value, "__module__", "").startswith(__name__)}
    | {*_MODULES, "OKABE_ITO"}
)


def __getattr__(name: str):
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
