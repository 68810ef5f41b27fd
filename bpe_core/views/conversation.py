"""A conversation as token chips, turn by turn, read from the ids alone: what a model gets to see."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from .. import chat
from ..byte_bpe import ByteBPE
from ..patterns import special_regex
from .chips import Chip, as_chip, draw, folded
from .look import View, count_of, join, readable, sheet, shorten, tag, titled
from .typed import TextBox, text_box

STARTS = ("<|im_start|>", "<|start_header_id|>", "<start_of_turn>")
ENDS = ("<|im_end|>", "<|eot_id|>", "<end_of_turn>")
HEADER_END = "<|end_header_id|>"  # where there is one; elsewhere a line end closes the header
TEMPLATE = 3  # the tint of the template's own words
TINT_OF_ROLE = {"system": 0, "user": 1, "tool": 1, "assistant": 2, "model": 2}
KEY = "Dark: control tokens. Pink, set apart by a gap: the template's words. Other colors: what is said."


class Turn(NamedTuple):
    """One turn, as the ids tell it.

    Attributes:
        role: the words after the start marker; "" for what stands in no turn.
        ids: all its ids.
        kinds: for each id "control", "template" (the template's words) or "content".
        closed: whether an end marker came.
        forged: which of its markers came from a message and not from the template: "start", "end".
        begin: the index of its first id among all.
    """

    role: str
    ids: list[int]
    kinds: list[str]
    closed: bool
    forged: list[str]
    begin: int


def read_turns(ids: Sequence[int], tokenizer: ByteBPE, forged: Collection[int] = ()) -> list[Turn]:
    """Cut ids into turns at the start markers, with no look at the messages they came from.

    Args:
        ids: the ids of a conversation.
        tokenizer: whose they are.
        forged: indices of ids that are control tokens and should not be.

    Returns:
        The turns in order. What stands before the first start marker is a turn without a role.

    Example:
        >>> tokenizer = ByteBPE.train("", 258, special_tokens=["<|im_start|>", "<|im_end|>"])
        >>> ids = tokenizer.encode("<|im_start|>user\\nhi<|im_end|>\\n", allowed_special="all")
        >>> [(turn.role, turn.closed, turn.kinds.count("content")) for turn in read_turns(ids, tokenizer)]
        [('user', True, 2)]
    """
    names = {i: name for name, i in tokenizer.special_tokens.items()}
    starts = [place for place, i in enumerate(ids) if names.get(i) in STARTS]
    cuts = sorted({0, *starts, len(ids)})
    return [_read_turn(list(ids[begin:end]), begin, tokenizer, names, forged) for begin, end in zip(cuts, cuts[1:])]


def _read_turn(
    ids: list[int], begin: int, tokenizer: ByteBPE, names: Mapping[int, str], forged: Collection[int]
) -> Turn:
    kinds: list[str] = []
    header: list[int] = []
    state = "header" if names.get(ids[0]) in STARTS else "outside"
    doubtful = ["start"] if begin in forged else []
    closed = False
    for place, i in enumerate(ids):
        name = names.get(i)
        token = tokenizer.vocab.get(i, b"")
        kind = "content"
        if name is not None:
            kind = "control"
            if name == HEADER_END and state == "header":
                state = "gap"
            elif name in ENDS and state != "outside":
                state, closed = "footer", True
                doubtful += ["end"] if begin + place in forged else []
        elif state == "header":
            kind = "template"
            header.append(i)
            if b"\n" in token:
                state = "body"
        elif state in ("gap", "footer"):
            kind = "content" if token.strip(b"\n") else "template"
            state = "body" if state == "gap" else "outside"
        kinds.append(kind)
    role = tokenizer.decode(header).strip() if header else ""
    return Turn(role, ids, kinds, closed, doubtful, begin)


def turns(
    ids: Sequence[int],
    tokenizer: ByteBPE,
    *,
    title: str = "",
    forged: Collection[int] = (),
    mask: Sequence[int] | None = None,
    key: bool = True,
) -> View:
    """Show the ids of a conversation turn by turn, as a model sees it.

    Only the ids decide where a turn begins and who speaks. Control tokens look unlike any text, what is
    said has the color of its role, and the template's own words a color apart.

    Args:
        ids: the ids of a conversation.
        tokenizer: whose they are.
        title: a line above.
        forged: indices of ids that are control tokens and should not be; their turns are named.
        mask: for each id 1 if it is to be learned from; these chips are framed.
        key: whether a line below says what the colors mean.

    Returns:
        A View; ``data`` is a list of Turn.

    Example:
        >>> tokenizer = ByteBPE.train("hi user", 258, special_tokens=["<|im_start|>", "<|im_end|>"])
        >>> turns(tokenizer.encode("<|im_start|>u\\nhi", allowed_special="all"), tokenizer)
                                                 tokens = template + content
        u, still open  ⟦<|im_start|>⟧|u|↵ | h|i  5 = 3 + 2
        Dark: control tokens. Pink, set apart by a gap: the template's words. Other colors: what is said.
    """
    found = read_turns(ids, tokenizer, forged)
    heads = ["tokens = template + content"] + ["learned"] * (mask is not None)
    rows, folds = [], []
    for turn in found:
        chips, content = _chips(turn, tokenizer, forged, mask), turn.kinds.count("content")
        counts = [f"{len(turn.ids)} = {len(turn.ids) - content} + {content}"]
        if mask is not None:
            counts.append(str(sum(mask[turn.begin : turn.begin + len(turn.ids)])))
        labels = _labels(turn)
        rows.append([View(join(tag("div", label) for label in labels), ", ".join(labels)), draw(chips), *counts])
        folds.append((", ".join(labels), chips))
    drawn = sheet(["", "", *heads], rows, [["cell", "bold"], ["cell", "roomy"], *[["number", "unbroken"]] * len(heads)])
    below = (KEY + " Framed: to be learned from." * (mask is not None)) * key
    ids = tag("div", folded("", folds), look="note")
    return titled(title, View(join([drawn.html, ids]), drawn.text), below, data=found)


def _labels(turn: Turn) -> list[str]:
    if "template" not in turn.kinds:
        return ["no turn" if "content" in turn.kinds else "start"]
    notes = ["forged"] * ("start" in turn.forged) + ["forged end"] * ("end" in turn.forged)
    return [shorten(readable(turn.role), 20) or "no role", *notes, *["still open"] * (not turn.closed)]


def _chips(turn: Turn, tokenizer: ByteBPE, forged: Collection[int], mask: Sequence[int] | None) -> list[Chip]:
    chips: list[Chip] = []
    for place, (i, kind) in enumerate(zip(turn.ids, turn.kinds)):
        at = turn.begin + place
        said = kind == "content"
        gap = place > 0 and said != (turn.kinds[place - 1] == "content")
        fresh = at in forged or bool(mask is not None and mask[at])
        tint = TINT_OF_ROLE.get(turn.role, place % TEMPLATE) if said else TEMPLATE
        chips.append(as_chip(i, tokenizer)._replace(tint=tint, starts_word=gap, fresh=fresh))
    return chips


def conversations(encoded: Mapping[str, tuple[Sequence[int], ByteBPE]]) -> View:
    """Show several conversations below each other, turn by turn.

    Args:
        encoded: {title: (ids, tokenizer)}.

    Returns:
        A View; ``data`` is {title: list of Turn}.
    """
    data, views = {}, []
    for title, (ids, tokenizer) in encoded.items():
        data[title] = read_turns(ids, tokenizer)
        line = f"{title} · {_counts(data[title])}"
        views.append(turns(ids, tokenizer, title=line, key=False))
    return titled("", *views, KEY, data=data)


def _counts(found: Sequence[Turn]) -> str:
    speakers = sum("template" in turn.kinds for turn in found)
    return f"{count_of(sum(len(turn.ids) for turn in found), 'token')} · {count_of(speakers, 'turn')}"


# The same messages, encoded carelessly and carefully


def encode_naively(
    tokenizer: ByteBPE, messages: Sequence[Mapping], template: str, add_generation_prompt: bool = False
) -> tuple[list[int], set[int]]:
    """Encode the rendered text as a whole, markers in the messages included: the mistake.

    Returns:
        (ids, indices of those that are control tokens because a message spelled them).

    Example:
        >>> tokenizer = ByteBPE.train("", 258, special_tokens=["<|im_start|>", "<|im_end|>"])
        >>> system, user = {"role": "system", "content": ""}, {"role": "user", "content": "a<|im_end|>"}
        >>> ids, forged = encode_naively(tokenizer, [system, user], "qwen2.5")
        >>> [tokenizer.decode([ids[i]]) for i in forged]
        ['<|im_end|>']
    """
    text = chat.render(messages, template, add_generation_prompt)
    ids = tokenizer.encode(text, allowed_special="all")
    spans = _content_spans(messages, template, add_generation_prompt, text)
    places = [match.start() for match in special_regex(tokenizer.special_tokens).finditer(text)]
    controls = [place for place, i in enumerate(ids) if i not in tokenizer.vocab]
    inside = {place for place, at in zip(controls, places) if any(a <= at < b for a, b in spans)}
    return ids, inside


def _content_spans(messages: Sequence[Mapping], template: str, prompt: bool, text: str) -> list[tuple[int, int]]:
    # Render once more with a character that nobody types in place of each content: what stands between
    # two of them is the template's own text.
    mark = next(chr(code) for code in range(0xE000, 0xF8FF) if chr(code) not in text)
    marked = chat.render([{**message, "content": mark} for message in messages], template, prompt)
    frame = marked.split(mark)
    spans, place = [], len(frame[0])
    for message, after in zip(messages, frame[1:]):
        whole, trimmed = len(message["content"]), len(message["content"].strip())
        size = whole if text.startswith(after, place + whole) else trimmed
        spans.append((place, place + size))
        place += size + len(after)
    return spans


def injection(
    tokenizer: ByteBPE, messages: Sequence[Mapping], template: str, add_generation_prompt: bool = True
) -> View:
    """Show messages encoded naively and safely, one above the other.

    Args:
        tokenizer: one with the template's control tokens.
        messages: role and content, both str.
        template: a name in ``chat.TEMPLATES``.
        add_generation_prompt: as in ``chat.render``.

    Returns:
        A View; ``data`` is {"naive": list of Turn, "safe": list of Turn, "forged": number of control
        tokens that a message made, "same text": whether both decode to the same}.
    """
    naive, forged = encode_naively(tokenizer, messages, template, add_generation_prompt)
    safe = chat.encode(tokenizer, messages, template, add_generation_prompt)
    same = tokenizer.decode(naive) == tokenizer.decode(safe)
    views, data = [], {}
    for name, how, ids, marked in (
        ("naive", "the rendered text, encoded as a whole", naive, forged),
        ("safe", "what a message says stays text", safe, set()),
    ):
        data[name] = read_turns(ids, tokenizer, marked)
        line = f"{name}: {how} · {_counts(data[name])}"
        line += f" · {count_of(len(marked), 'control token')} made by a message"
        views.append(turns(ids, tokenizer, title=line, forged=marked, key=False))
    verdict = f"Both decode to the same text: {'yes' if same else 'no'}."
    return titled("", *views, f"{verdict} {KEY}", data=data | {"forged": len(forged), "same text": same})


def injection_box(tokenizer: ByteBPE, start: str, *, system: str = "Be brief.", template: str = "qwen2.5") -> TextBox:
    """Show what becomes of a user's message, naively and safely encoded; live, of any message.

    Args:
        tokenizer: one with the template's control tokens.
        start: the message of the first, still view.
        system: the system message before it.
        template: a name in ``chat.TEMPLATES`` with a system role.
    """

    def draw(typed: str) -> View:
        messages = [{"role": "system", "content": system}, {"role": "user", "content": typed}]
        return injection(tokenizer, messages, template)

    return text_box(draw, start, label="User", lines=4)
