"""The merge tree: how one token grew, pair by pair."""

from typing import Any, NamedTuple

from ..byte_bpe import ByteBPE
from ..word_bpe import WordBPE
from .look import View, box, count_of, direction, join, row, shorten, show, table, tag, unseen
from .replay import merges_of

MAX_LEAVES = 48  # a token of more base symbols is shown as an indented list only
MAX_LINES = 60  # of that list


class Node(NamedTuple):
    """One symbol in the tree: its content, its merge (0 for a base symbol), its place.

    Attributes:
        content: str or bytes.
        step: the number of the merge that made it; 0 for a base symbol.
        depth: 0 at the root.
        start: its first base symbol, counted from 0.
        end: behind its last base symbol.
        middle: where its right half starts; for a base symbol the same as start.
    """

    content: Any
    step: int
    depth: int
    start: int
    end: int
    middle: int


def merge_tree(tokenizer: WordBPE | ByteBPE, symbol: str | bytes | int) -> View:
    """Show how a token grew from its base symbols.

    Args:
        tokenizer: a WordBPE or a ByteBPE.
        symbol: a symbol (str) of a WordBPE; an id or the bytes of a token of a ByteBPE.

    Returns:
        A View: a binary tree as HTML, an indented tree as text; ``data`` is the list of
        Nodes, each before its left and its right half.

    Raises:
        KeyError: the vocabulary does not have the symbol.

    Example:
        >>> merge_tree(WordBPE.train("low low lower", 2), "low")
        low  merge 2
        ├─ lo  merge 1
        │  ├─ l
        │  └─ o
        └─ w
    """
    nodes = grow(tokenizer, symbol)
    root, size = nodes[0], len(nodes) // 2
    title = f"{shorten(show(root.content))}: {count_of(size, 'merge')} on {count_of(size + 1, 'base symbol')}"
    text = as_text(nodes)
    if size + 1 > MAX_LEAVES:
        title += ", as a list because the tree would be too wide"
        drawing = tag("pre", text, look="list", dir="ltr")
    else:
        drawing = as_table(nodes)
    return View(join([tag("div", tag("b", title), look="line"), drawing]), text, nodes)


def grow(tokenizer: WordBPE | ByteBPE, symbol: str | bytes | int) -> list[Node]:
    """Return the nodes of the tree, each before its halves, left before right.

    Example:
        >>> [node.content for node in grow(WordBPE.train("low low", 2), "low")]
        ['low', 'lo', 'l', 'o', 'w']
    """
    content = _content(tokenizer, symbol)
    made: dict = {}
    for merge in merges_of(tokenizer):
        made.setdefault(merge.new, merge)
    nodes = []
    waiting = [(content, 0, 0)]  # (content, depth, start); a list, not recursion: trees may be deep
    while waiting:
        content, depth, start = waiting.pop()
        merge = made.get(content)
        if merge is None:
            nodes.append(Node(content, 0, depth, start, start + 1, start))
            continue
        left, right = merge.pair
        # How many base symbols the left half has is known when it is done; see below.
        nodes.append(Node(content, merge.step, depth, start, start, start))
        waiting += [(right, depth + 1, start), (left, depth + 1, start)]
    return _place(nodes)


def _place(nodes: list[Node]) -> list[Node]:
    # Base symbols come in reading order, so number them; then, from the back, give each
    # inner node the places of its halves, which wait on a stack.
    placed: list[Node] = []
    halves: list[Node] = []
    leaves = sum(node.step == 0 for node in nodes)
    for node in reversed(nodes):
        if node.step == 0:
            leaves -= 1
            node = node._replace(start=leaves, middle=leaves, end=leaves + 1)
        else:
            left, right = halves.pop(), halves.pop()
            node = node._replace(start=left.start, middle=left.end, end=right.end)
        halves.append(node)
        placed.append(node)
    return placed[::-1]


def _content(tokenizer: WordBPE | ByteBPE, symbol: str | bytes | int) -> str | bytes:
    if isinstance(tokenizer, WordBPE):
        content, known = symbol, tokenizer.vocab
    else:
        content, known = symbol.encode("utf-8") if isinstance(symbol, str) else symbol, tokenizer.id_of
        content = tokenizer.vocab.get(content, content)
    if content not in known:
        raise KeyError(f"the vocabulary does not have {symbol!r}: there is no tree to show")
    return content


def as_text(nodes: list[Node]) -> str:
    """Draw the tree with lines of text, one line for each node."""
    lines = []
    rails: list[str] = []  # what stands before the nodes of each depth
    seen = [0] * (1 + max(node.depth for node in nodes))  # nodes seen at each depth
    for node in nodes[:MAX_LINES]:
        label = shorten(show(node.content)) + (f"  merge {node.step}" if node.step else "")
        if node.depth == 0:
            lines.append(label)
            continue
        is_left = seen[node.depth] % 2 == 0  # both halves of a node come before the next node of that depth
        seen[node.depth] += 1
        del rails[node.depth - 1 :]
        lines.append("".join(rails) + ("├─ " if is_left else "└─ ") + label)
        rails.append("│  " if is_left else "   ")
    if len(nodes) > MAX_LINES:
        lines.append(f"… and {len(nodes) - MAX_LINES:,} more symbols")
    return "\n".join(lines)


def as_table(nodes: list[Node]):
    """Draw the tree as an HTML table: a row for each depth, and brackets between the rows.

    Each base symbol is two columns wide, so that the middle of any node falls between columns.
    """
    depths: dict[int, list[Node]] = {}
    for node in nodes:
        depths.setdefault(node.depth, []).append(node)
    width = 2 * nodes[0].end
    body = []
    for _, level in sorted(depths.items()):
        body.append(_line([(2 * node.start, 2 * node.end, _label(node), "tree cell") for node in level], width))
        brackets = [(node.start + node.middle, node.middle + node.end, "", "bracket") for node in level if node.step]
        if brackets:
            body.append(_line(brackets, width))
    way = direction(show(nodes[0].content))
    drawn = table(body, columns=[22] * width, look="tree", width=22 * width, dir=way)
    return tag("div", drawn, look="wide")


def _line(cells: list[tuple], width: int):
    # Cells are (first column, behind the last, content, look); what lies between stays empty.
    found, column = [], 0
    for start, end, content, look in [*cells, (width, width, "", "")]:
        gap = start - column
        found += [tag("td", colspan=gap, look="tree cell")] * bool(gap)
        found += [tag("td", content, colspan=end - start, look=look)] * (end > start)
        column = end
    return row(*found)


def _label(node: Node):
    kind = "white" if not node.step else "root" if node.depth == 0 else "text 0"
    number = tag("div", f"merge {node.step:,}", look="tiny") if node.step else ""
    return join([unseen("|" * bool(node.start)), box(join([show(node.content), number]), ["node", kind])])
