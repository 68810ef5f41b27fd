"""General mistakes: what can go wrong in any exercise, recognized by results and by the text of errors.

A row says something about results that is true whenever it is said: it must hold for every
wrong result. What may have caused them is put as a question. A row holds its name, a
function of the learner's result, the right one and the arguments, and words. The function
returns a key, the same for every wrong result, or None; ``{key}`` in the words is that key,
``{item}`` what the result consists of. Where the words name a cause, a fourth part says of a
right result whether that cause would have made it wrong.
"""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from .running import plain_function
from .values import holds

# --- Helpers -----------------------------------------------------------------------------------


def leaves(value: Any, change: Callable[[str], str]) -> Any:
    """Change every text inside a value.

    Example:
        >>> leaves([("A", 1)], str.lower)
        [('a', 1)]
    """
    if isinstance(value, dict):
        return {leaves(key, change): leaves(item, change) for key, item in value.items()}
    if isinstance(value, (list, tuple, set)):
        return type(value)(leaves(item, change) for item in value)
    return change(value) if isinstance(value, str) else value


def numbers(got: Any, right: Any) -> list[tuple]:
    """Return the numbers of two results side by side, or [] where they are not made of as many.

    Example:
        >>> numbers({"a": 1}, {"a": 2}), numbers(3, 4), numbers([1], [1, 2])
        ([(1, 2)], [(3, 4)], [])
    """
    if isinstance(got, dict) and isinstance(right, dict):
        pairs = [(got[key], right[key]) for key in right] if got.keys() == right.keys() else []
    elif isinstance(got, (list, tuple)) and isinstance(right, (list, tuple)):
        pairs = list(zip(got, right)) if len(got) == len(right) else []
    else:
        pairs = [(got, right)]
    plain = all(type(number) in (int, float) for pair in pairs for number in pair)
    return pairs if plain else []


def _numbers_after(change: Callable[[float], float]) -> Callable:
    def fits(got, right, _):
        pairs = numbers(got, right)
        return bool(pairs) and all(type(b) is float and a == change(b) for a, b in pairs) or None

    return fits


def _shows_in_numbers(change: Callable[[float], float]) -> Callable[[Any], bool]:
    return lambda right: any(change(a) != a for a, _ in numbers(right, right))


def _constant(relation: Callable, allowed: Callable) -> Callable:
    # The one number that relates all numbers of the result to the right ones.
    def fits(got, right, _):
        found = {relation(a, b) for a, b in numbers(got, right) if (a, b) != (0, 0)}
        return found.pop() if len(found) == 1 and allowed(*found) else None

    return fits


def _same_after(change: Callable[[str], str]) -> Callable:
    def fits(got, right, _):
        return leaves(got, change) == leaves(right, change) or None

    return fits


def _sequences(test: Callable) -> Callable:
    # A test of two lists, tuples, texts or bytes of one type; of a dict, its entries.
    def fits(got, right, _):
        if isinstance(got, dict) and isinstance(right, dict):
            got, right = list(got.items()), list(right.items())
        return type(got) is type(right) and isinstance(right, (list, tuple, str, bytes)) and test(got, right) or None

    return fits


def _bag(items: Iterable) -> list[str]:
    return sorted(map(repr, items))


def _is_within(few: Sequence, many: Sequence) -> bool:
    rest = iter(many)
    return len(few) < len(many) and all(any(item == other for other in rest) for item in few)


def _missing(got: Sequence, right: Sequence) -> str | None:
    if not _is_within(got, right):
        return None
    return "at the end" if right[: len(got)] == got else "at the start" if right[-len(got) :] == got else "in it"


def _one_part(got: tuple, right: tuple) -> str | None:
    wrong = [i for i, (mine, good) in enumerate(zip(got, right)) if mine != good]
    fits = isinstance(got, tuple) and isinstance(right, tuple) and len(got) == len(right) > len(wrong) == 1
    return ("first", "second", "third", "fourth")[wrong[0]] if fits else None


def _is_rising(items: list) -> bool:
    return holds(lambda: items == sorted(items))


def _which(test: Callable) -> Callable:
    # The number of the argument for which the test holds.
    return lambda got, right, given: next((i for i, one in enumerate(given) if test(got, right, one)), None)


SPACES = str.maketrans({"·": " ", "Ġ": " ", "▁": " ", "␣": " ", "↵": "\n", "⏎": "\n", "Ċ": "\n", "→": "\t"})
EMPTY = ("", b"", [], ())

# --- By results ----------------------------------------------------------------------------------

STRONG = (
    (
        "cut-to-whole",
        _numbers_after(int),
        "The fraction is cut off. Is there a `//` or an `int(...)` where `/` should be?",
        _shows_in_numbers(int),
    ),
    *(
        (
            f"rounded-{k}",
            _numbers_after(partial(round, ndigits=k)),
            f"Right, but rounded to {places}. Return the number as it is.",
            _shows_in_numbers(partial(round, ndigits=k)),
        )
        for k, places in enumerate(("whole numbers", "one place", *(f"{k} places" for k in range(2, 7))))
    ),
    (
        "upside-down",
        _constant(lambda a, b: b != 0 and abs(a * b - 1) < 1e-9, lambda c: c is True),
        "Right, but upside down: what is divided by what?",
        _shows_in_numbers(lambda number: number and 1 / number),
    ),
    (
        "returns-total",
        _which(lambda got, right, one: hasattr(one, "__len__") and len(one) > 1 and abs(got / len(one) - right) < 1e-9),
        "Each wrong result is the right one times the length of `{key}`. Is a division missing?",
    ),
    (
        "bytes-shown",
        lambda got, right, _: "b'" in got and "b'" not in right or None,
        "There is a b'...' in your text: `str(...)` of bytes shows how Python writes them. `.decode()` makes text of them.",
    ),
    (
        "visible-spaces",
        _same_after(lambda text: text.translate(SPACES)),
        "Right, but for the marks: `·`, `Ġ` or `▁` only show where a space is, `↵` a line end. Write the space itself.",
    ),
    ("case", _same_after(str.lower), "Right, but capitals and small letters are mixed up."),
    (
        "empty-end",
        _sequences(lambda got, right: got[:-1] == right and got[-1] in EMPTY),
        "An empty {item} stands at the end. What is left over after the last turn may be empty: ask before you add it.",
    ),
    (
        "empty-items",
        _sequences(
            lambda got, right: any(x in EMPTY for x in got) and [x for x in got if x not in EMPTY] == list(right)
        ),
        "There are empty {item}s in your result. Ask before you add one.",
    ),
    (
        "only-first",
        _sequences(lambda got, right: len(right) > 1 and got == right[:1]),
        "Only the first {item} comes back. Does `return` stand inside the loop?",
        lambda right: len(right) > 1,
    ),
    (
        "only-last",
        _sequences(lambda got, right: len(right) > 1 and got == right[-1:]),
        "Only the last {item} comes back. Does the result begin anew in each turn of the loop?",
        lambda right: len(right) > 1,
    ),
    ("last-lost", _sequences(lambda got, right: got == right[:-1]), "The last {item} is lost.", bool),
    ("first-lost", _sequences(lambda got, right: got == right[1:]), "The first {item} is lost.", bool),
    ("one-more-at-end", _sequences(lambda got, right: got[:-1] == right), "One {item} too many, at the end."),
    ("one-more-at-start", _sequences(lambda got, right: got[1:] == right), "One {item} too many, at the start."),
    (
        "unsorted",
        _sequences(lambda got, right: got != right and _bag(got) == _bag(right) and _is_rising(list(right))),
        "The {item}s are right, but not in rising order.",
    ),
    (
        "reversed",
        _sequences(lambda got, right: got != right and got == right[::-1]),
        "The {item}s are right, but in reverse.",
        lambda right: right[::-1] != right,
    ),
    (
        "sorted",
        _sequences(lambda got, right: list(got) == sorted(right)),
        "The {item}s are sorted. They must keep the order in which they come.",
        lambda right: not _is_rising(list(right)),
    ),
    ("order", _sequences(lambda got, right: _bag(got) == _bag(right)), "The {item}s are right, their order is not."),
    (
        "repeats-lost",
        _sequences(lambda got, right: len(got) < len(right) and _bag(got) == _bag(set(right))),
        "What occurs more than once comes only once. Does a set or a dict swallow the repeats?",
        lambda right: len(set(map(repr, right))) < len(right),
    ),
    (
        "repeats-kept",
        _sequences(lambda got, right: len(got) > len(right) and list(dict.fromkeys(got)) == list(right)),
        "The same {item} comes more than once. Each should come once.",
    ),
    (
        "with-its-count",
        lambda got, right, _: isinstance(got, tuple) and len(got) == 2 and got[0] == right or None,
        "You return the right thing together with something else, its count perhaps. Return the thing alone.",
    ),
    (
        "pairs-with-counts",
        lambda got, right, _: isinstance(got, list) and [first for first, _ in got] == right or None,
        "Each item comes together with something else, its count perhaps. Return the items alone.",
    ),
    (
        "wrapped",
        lambda got, right, _: got in ([right], (right,)) or None,
        "The right result, but inside a list or tuple of its own. Return it without the brackets.",
    ),
    (
        "not-flat",
        _sequences(lambda got, right: [item for inner in got for item in inner] == list(right)),
        "The right items, but in lists inside a list: one flat list is asked for. `extend` or `+=` instead of `append`?",
    ),
    (
        "joined-keys",
        lambda got, right, _: got == {"".join(key): item for key, item in right.items()} or None,
        "Each key is one text. It must be a tuple: joined, (ab, c) and (a, bc) would be the same.",
    ),
    (
        "turned-keys",
        lambda got, right, _: got == {key[::-1]: item for key, item in right.items()} or None,
        "The two halves of each key are swapped.",
    ),
    (
        "turned-dict",
        lambda got, right, _: got == {item: key for key, item in right.items()} or None,
        "Keys and values are swapped.",
    ),
    (
        "counts-for-shares",
        lambda got, right, _: {key: n / sum(got.values()) for key, n in got.items()} == right or None,
        "These are counts. Asked for are shares: each count divided by the sum of all.",
    ),
    (
        "all-ones",
        lambda got, right, _: got.keys() == right.keys() and set(got.values()) == {1} or None,
        "Every count is 1, however often something occurs.",
        lambda right: set(right.values()) != {1},
    ),
    (
        "one-too-high",
        _constant(lambda a, b: round(a - b, 9), lambda c: c == 1),
        "Each wrong number is one too high. Look at where the count begins and where it ends.",
        lambda right: True,
    ),
    (
        "one-too-low",
        _constant(lambda a, b: round(b - a, 9), lambda c: c == 1),
        "Each wrong number is one too low. Look at where the count begins and where it ends.",
        lambda right: True,
    ),
    (
        "factor",
        _constant(
            lambda a, b: b and round(a / b, 9), lambda c: c and c != 1 and (c % 1 == 0 or round(1 / c, 6) % 1 == 0)
        ),
        "Each wrong number is the right one times {key:g}. Is a factor missing, or one too many?",
        lambda right: True,
    ),
)
WEAK = (
    (
        "white-space",
        _same_after(lambda text: "".join(text.split())),
        "Right, but for white space: spaces or line ends are lost, or there are too many.",
    ),
    (
        "returns-argument",
        _which(lambda got, right, one: type(one) is type(got) and one == got),
        "What comes back is `{key}`, as it was given.",
    ),
    (
        "returns-length",
        _which(lambda got, right, one: hasattr(one, "__len__") and len(one) == got),
        "What comes back is the length of `{key}`.",
    ),
    (
        "missing",
        _sequences(_missing),
        "What you return is right as far as it goes, but there are {item}s missing {key}.",
    ),
    (
        "too-many",
        _sequences(lambda got, right: _missing(right, got)),
        "All that is asked for is there, but there are {item}s too many {key}.",
    ),
    (
        "other-cuts",
        _sequences(lambda got, right: "".join(got) == "".join(right)),
        "Joined, your pieces are the whole text, but they are cut at other places.",
    ),
    (
        "text-lost",
        _sequences(lambda got, right: _is_within("".join(got), "".join(right))),
        "Something of the text is lost: joined, your pieces are not all of it.",
    ),
    (
        "one-part",
        lambda got, right, _: _one_part(got, right),
        "Of what you return, only the {key} part is wrong.",
    ),
    (
        "no-key-right",
        lambda got, right, _: bool(right) and not got.keys() & right.keys() or None,
        "None of the keys is right.",
    ),
    ("too-low", _constant(lambda a, b: a < b, bool), "Every wrong number is too low. What is not counted?"),
    (
        "too-high",
        _constant(lambda a, b: a > b, bool),
        "Every wrong number is too high. What is counted that should not be?",
    ),
    (
        "values-wrong",
        lambda got, right, _: got.keys() == right.keys() or None,
        "The keys are all right, their values are not.",
    ),
)

# --- By what the reference makes of other arguments -------------------------------------------------


def _shifted(value: Any, step: int) -> Any:
    return [number + step for number in value] if isinstance(value, list) else value + step


# Where a change is not possible, it raises; where it changes nothing, it explains no wrong result.
AS_IF = (
    (
        "frequencies-ignored",
        lambda value: {key: min(n, 1) for key, n in value.items()},
        "if every frequency in `{key}` were 1: how often a word occurs is ignored",
    ),
    ("small-letters", lambda value: leaves(value, str.lower), "if `{key}` stood in small letters"),
    (
        "ascii-only",
        lambda value: leaves(value, lambda text: re.sub(r"[^\x00-\x7f]", "", text)),
        "if only ASCII counted",
    ),
    (
        "characters-for-bytes",
        lambda value: leaves(value, lambda text: re.sub(r"[^\x00-\x7f]", "x", text)),
        "if each character of `{key}` were one byte",
    ),
    ("stripped", lambda value: leaves(value, str.strip), "if white space at both ends of `{key}` were cut off"),
    ("first-ignored", lambda value: value[1:], "if the first item of `{key}` were not there"),
    ("last-ignored", lambda value: value[:-1], "if the last item of `{key}` were not there"),
    (
        "repeats-ignored",
        lambda value: type(value)(dict.fromkeys(value)),
        "if each item of `{key}` stood there only once",
    ),
    ("sorted-first", lambda value: type(value)(sorted(value)), "if `{key}` were sorted first"),
    ("turned-first", lambda value: value[::-1], "if `{key}` were turned round first"),
    ("turned-flag", lambda value: {bool: not value}[type(value)], "if `{key}` were the other way round"),
    ("one-less", lambda value: _shifted(value, -1), "if `{key}` were one less"),
    ("one-more", lambda value: _shifted(value, 1), "if `{key}` were one more"),
)


def changed_arguments(parameters: Sequence[str]) -> Iterable[tuple[str, str, Callable[[tuple], tuple]]]:
    """Return each way to change one argument, or to swap the first two: name, words, function of the arguments.

    Example:
        >>> ways = changed_arguments(["text", "pair"])
        >>> [(words, change(("abc", ("a", "b")))) for name, words, change in ways if name == "last-ignored"][0]
        ('if the last item of `text` were not there', ('ab', ('a', 'b')))
    """
    for i, parameter in enumerate(parameters):
        for name, change, words in AS_IF:
            yield name, words.format(key=parameter), lambda given: (*given[:i], change(given[i]), *given[i + 1 :])  # noqa: B023
    if len(parameters) > 1:
        yield (
            "swapped-arguments",
            "if the first two arguments were swapped",
            lambda given: (given[1], given[0], *given[2:]),
        )


# --- By the text of the error -----------------------------------------------------------------------

ERRORS = (
    (r"^UnboundLocalError|^NameError: cannot access", "On this way through your function nothing was put into it before. "
     "Set it above the loop or the `if`."),
    (r"^NameError", "Is it spelled right? Has the cell that defines or imports it been run?"),
    (r"^KeyError", "The dict has no such key when you ask for it. `counts.get(key, 0)` gives 0 then; `if key in counts` asks."),
    (r"^IndexError", "On this input there is nothing at that place. Compare the index with the length."),
    (r"^RecursionError", "The function calls itself deeper than Python allows, about 1,000 times: without an end, or one call "
     "for each item of a long input. A loop can do it."),
    (r"unhashable type: 'list'", "A list cannot be a key of a dict or a member of a set. If a key is meant, write "
     "`tuple(...)`; else look which name holds a list there."),
    (r"unhashable type", "This type cannot be a key of a dict or a member of a set. Look which name holds it there."),
    (r"is not in list|not in tuple|substring not found", "`index` looks for an item and says where it is; not every input "
     "holds it. To get the item at place i, write `[i]`."),
    (r"values to unpack|cannot unpack", "The names on the left and the items on the right differ in number. A loop over a "
     "dict gives only its keys; `.items()` gives keys with values."),
    (r"^UnicodeDecodeError", "Not all bytes are whole characters: a token can end in the middle of one. Can you do without "
     "text here, or must broken bytes become something (`errors=`)?"),
    (r"^UnicodeEncodeError", "Not every character fits this encoding; UTF-8 has them all."),
    (r"(min|max)\(\).* empty|empty sequence", "There is nothing to choose from on this input. What should come out then?"),
    (r"^ZeroDivisionError", "On this input you divide by zero. What should come out then?"),
    (r"changed (size )?during iteration", "A dict or set must not change while a loop goes over it. Loop over `list(...)` of "
     "it, or build a new one."),
    (r"bytes-like object|concat (str|bytes)|not bytes|bytes, not|'bytes' object has no attribute 'encode'"
     r"|'str' object has no attribute 'decode'", "Text and bytes are mixed up: `.encode()` makes bytes of a text, "
     "`.decode()` a text of bytes."),
    (r"NoneType", "Something is None here. `append`, `sort`, `reverse`, `update` and `add` change their object and return "
     "None: write them on a line of their own. Or does a function of yours lack a `return`?"),
    (r"indices must be integers", "In the brackets must stand a place, a number. `for x in items` gives the items, not their "
     "places."),
    (r"has no attribute '(items|keys|values|get)'", "Only a dict has that."),
    (r"has no attribute '(append|extend|sort)'", "Only a list has that."),
    (r"'(int|float)' object is not iterable", "One cannot loop over a number; `range(n)` gives the numbers below n."),
    (r"not subscriptable", "Brackets need a list, a text or a dict in front of them. Is there one level too many?"),
    (r"does not support item assignment", "A tuple, a text and bytes cannot change. Build a new one."),
    (r"can only concatenate|unsupported operand|must be str, not", "Two types meet that do not go together: print both with "
     "`type(...)` in the line above."),
    (r"not supported between", "Things of different types cannot be compared by size, tuples not item by item either."),
    (r"argument of type '\w+' is not", "Right of `in` must stand something that holds items. A loop over a dict gives its "
     "keys."),
    (r"must be in range\(0, 256\)", "One byte is a number from 0 to 255."),
    (r"invalid literal for int", "Not every text is a number."),
    (r"required positional argument", "A function is called with too few arguments."),
    (r"not callable", "Round brackets call a function; to get an item, use `[...]`."),
    (r"expected str instance, (int|bytes|tuple|list)", "`join` joins texts only."),
)  # fmt: skip


def error_advice(failure: Any, empty: bool = False) -> str:
    """Return what helps with an error, by its name and text.

    Args:
        failure: a ``running.Failure``.
        empty: whether an argument is empty, so that no turn of a loop is to blame.

    Example:
        >>> from bpe_core.classroom.running import Failure
        >>> error_advice(Failure("error", "KeyError", "'a'"))[:42]
        ' The dict has no such key when you ask for'
    """
    if failure.name == "IndexError" and failure.loops and not empty:
        return " Look at the last turn of the loop: which index does it ask for?"
    text = f"{failure.name}: {failure.text}"
    return next((f" {words}" for pattern, words in ERRORS if re.search(pattern, text)), "")


# --- By the source ------------------------------------------------------------------------------------

RETURN_NONE = ("append", "extend", "insert", "sort", "reverse", "update", "add", "clear", "remove")


def parsed(answer: Any) -> ast.AST:
    """Return the syntax tree of the learner's function, an empty one where its source is not known."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(plain_function(answer))))
    except (OSError, TypeError, SyntaxError):  # a lambda within a line, a function of C
        return ast.Module([], [])


def none_method(tree: ast.AST) -> str | None:
    """Return the name of a method that gives None, where its result is returned or kept.

    Example:
        >>> none_method(ast.parse("names = names.sort()"))
        'sort'
    """
    for node in ast.walk(tree):
        called = getattr(node, "value", None) if isinstance(node, (ast.Return, ast.Assign)) else None
        if isinstance(called, ast.Call) and isinstance(called.func, ast.Attribute) and called.func.attr in RETURN_NONE:
            return called.func.attr
    return None


def leaves_at_once(tree: ast.AST) -> bool:
    """Say whether there is a loop that always ends in its first turn, by ``return``.

    Example:
        >>> leaves_at_once(ast.parse("for x in a: return x"))
        True
    """
    loops = [node for node in ast.walk(tree) if isinstance(node, (ast.For, ast.While))]
    goes_on = [loop for loop in loops if any(isinstance(node, ast.Continue) for node in ast.walk(loop))]
    return any(isinstance(loop.body[-1], ast.Return) and loop not in goes_on for loop in loops)


def list_against_tuple(tree: ast.AST, values: dict[str, Any]) -> str | None:
    """Return a comparison of a list with a tuple, which is never equal.

    Args:
        tree: of the function.
        values: {parameter: a value that it was given}.

    Example:
        >>> list_against_tuple(ast.parse("symbols[i:i + 2] == pair"), {"symbols": ["a"], "pair": ("a", "b")})
        'symbols[i:i + 2] == pair'
    """

    def kind(node: ast.AST) -> type | None:
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return kind(node.value)
        if isinstance(node, ast.Name):
            return type(values.get(node.id))
        return {ast.List: list, ast.ListComp: list, ast.Tuple: tuple}.get(type(node))

    assigned = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    values = {name: value for name, value in values.items() if name not in assigned}
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
            if {kind(node.left), kind(node.comparators[0])} == {list, tuple}:
                return ast.unparse(node)
    return None


# --- Finding one ----------------------------------------------------------------------------------------


def find_mistake(
    rows: Iterable[tuple], cases: list[tuple], parameters: Sequence[str] = (), others: Sequence = ()
) -> tuple[str, str] | None:
    """Return name and words of the first row that holds for every wrong result.

    Args:
        rows: STRONG or WEAK.
        cases: (result, right result, arguments) of each wrong run, of built-in types.
        parameters: the names of the arguments.
        others: the results that are right. A mistake that must have shown in more of them
            than there are wrong ones was not made.

    Example:
        >>> find_mistake(STRONG, [([1, 2], [1, 2, 3], ())])
        ('last-lost', 'The last item is lost.')
        >>> find_mistake(STRONG, [([1, 2], [1, 2, 3], ())], others=[[1], [2, 3]]) is None
        True
    """
    if any(got == right for got, right, _ in cases):  # only the type is wrong
        return None
    for name, test, words, *shows in rows:
        try:
            keys = [test(*case) for case in cases]
            silent = sum(shows[0](right) for right in others) if shows else 0
        except Exception:  # results of another type
            continue
        if silent > len(cases) or keys[0] is None or any(key is None or key != keys[0] for key in keys):
            continue
        key = parameters[keys[0]] if name.startswith("returns-") else keys[0]
        return name, words.format(key=key, item=item_word(cases[0][1])).replace("entrys", "entries")
    return None


def item_word(value: Any) -> str:
    """Return what a value consists of: items, entries, characters or bytes."""
    return {dict: "entry", str: "character", bytes: "byte"}.get(type(value), "item")
