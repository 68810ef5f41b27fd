r"""Chat templates: how a list of messages becomes one text, and that text becomes ids.

A chat model was trained on texts of one form, in which control tokens say where a turn
begins and ends. The form is a small program in the Jinja2 language, the chat template.
``render`` runs it, ``encode`` turns the result into ids. Whatever a message says, even
``<|im_end|>``, stays ordinary text in the ids: only the template makes control tokens.

How that is done: inside the messages, each control token is broken by a character that no text can
hold, and then the template runs. The control tokens that are whole in its output are its own. The
breaks are taken out, and what lies between is encoded as ordinary text.

The templates of three families are in ``chat_templates``, what counts as bad input in ``chat_checks``.
"""

import re
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate
from json import dumps
from typing import NamedTuple

from jinja2 import TemplateError, TemplateSyntaxError, ext, nodes, sandbox

from .byte_bpe import ByteBPE
from .chat_checks import change_texts, check_messages
from .chat_templates import FAMILIES, ROLES, TEMPLATES, TOKEN_NAMES, Family, Template, load_template  # noqa: F401
from .checks import check_text
from .patterns import special_regex

# Lone surrogates, halves of a character: check_text refuses them, so that no message can hold one.
BREAK, BEGIN, END, PROBE = "\ud800\ud801\ud802\ud803"
DISGUISE = 0xDC00  # from here on they stand for the letters of control tokens
KINDS = {TemplateError: "refuses the messages", TemplateSyntaxError: "has a syntax error"}


class Encoded(NamedTuple):
    """The ids of a conversation, and where each comes from.

    Attributes:
        ids: the token ids.
        message_index: for each id the index of the message whose turn it belongs to, its markers
            included; None for what belongs to no message: BOS, a default system message, the
            generation prompt. A token belongs where its first byte does.
        assistant_mask: for each id 1 if a model would have to produce it, else 0: what the template
            has between ``{% generation %}`` and ``{% endgeneration %}``.
        text: the rendered text.
    """

    ids: list[int]
    message_index: list[int | None]
    assistant_mask: list[int]
    text: str


class Overhead(NamedTuple):
    """How many tokens a template adds.

    Attributes:
        per_message: for each message, the tokens of its turn less those of its content alone. It can
            be below the number of markers where the template trims the content.
        outside: tokens that belong to no message.
        content: for each message, the tokens of its content alone.
        total: all tokens of the conversation, content and template.
    """

    per_message: list[int]
    outside: int
    content: list[int]
    total: int


class Job(NamedTuple):
    """A template and what it is to be run on, checked and copied."""

    label: str  # what errors call the template
    source: str
    variables: dict  # messages and all else that the template knows
    markers: tuple[str, ...]  # control tokens that the tokenizer must have if the template writes them


class Generation(ext.Extension):
    """The tag {% generation %}: what stands in it is what a model has to produce."""

    tags = {"generation"}

    def parse(self, parser) -> nodes.Node:
        """Make a call of the tag's body."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("mark"), [], [], body).set_lineno(line)

    def mark(self, caller: Callable[[], str]) -> str:
        """Return what the tag's body prints, between two marks if they are asked for."""
        return BEGIN + caller() + END if self.environment.marked else caller()


def render(messages: Sequence[Mapping], template: str | Template, add_generation_prompt: bool = False, **extras) -> str:
    r"""Turn messages into one text, as the template says.

    Args:
        messages: a list of mappings with ``"role"`` and ``"content"``, both str. An assistant's message
            may have ``"tool_calls"`` where the template knows them, and then no content. For a template
            of one's own, content may be a list of parts too.
        template: a name in ``TEMPLATES``, or Jinja2 source.
        add_generation_prompt: end with the words that open the assistant's turn, so that a model
            goes on with an answer.
        extras: more variables for the template: ``tools=[...]`` for ``qwen2.5``; anything that JSON
            can hold for a template of one's own, with ``bos_token`` and the like as control tokens.
            ``now``, a datetime, is the time that ``strftime_now`` tells; without it there is none, so that
            the outcome is the same every day.

    Returns:
        The text. Encoded naively, a marker in a message's content would become a control token:
        use ``encode`` for ids.

    Raises:
        TypeError: messages, one of them or a part of it is of the wrong type.
        ValueError: no messages; a message without role or content; a role unknown or out of turn; a
            template with a syntax error, one that refuses the messages, or one that fails. The
            message says which.

    Example:
        >>> render([{"role": "user", "content": " hi "}], "llama3")
        '<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nhi<|eot_id|>'

    A template is a program. Jinja2's sandbox keeps it from files and from Python's insides, but not from taking
    all time and memory that there is: run those of makers you trust, and others in a process of
    their own. Interrupting the cell stops a template that does not end.

    Source: the set-up of Jinja2 in Hugging Face transformers, ``chat_template_utils.py``.
    """
    return _run(_prepare(messages, template, extras, add_generation_prompt))


def encode(
    tokenizer: ByteBPE,
    messages: Sequence[Mapping],
    template: str | Template,
    add_generation_prompt: bool = False,
    *,
    details: bool = False,
    **extras,
) -> list[int] | Encoded:
    """Turn messages into ids; nothing that a message says becomes a control token.

    A control token is one that the template wrote. All between two of them, the template's
    words and the content, is encoded as one piece of ordinary text. So the ids are those that the
    rendered text has in other libraries, as long as no content holds a marker. BOS comes from the
    template, once, and is not added again.

    Args:
        tokenizer: a tokenizer that has the control tokens of the template.
        messages: as in ``render``.
        template: as in ``render``.
        add_generation_prompt: as in ``render``.
        details: return an ``Encoded``, which says which message each id belongs to.
        extras: as in ``render``; they are content, but for ``bos_token`` and the like.

    Returns:
        A list of ids; with details, an ``Encoded``.

    Raises:
        TypeError, ValueError: as in ``render``, and for a tokenizer that lacks a control token which the
            template writes, for a template that looks for control tokens in the content, and where one is put
            together from content. With details, also where a turn changes when another
            follows, or the template does not mark its answers.

    Example:
        >>> from bpe_core import load
        >>> ids = encode(load("qwen2.5"), [{"role": "user", "content": "<|im_end|>"}], "qwen2.5")
        >>> ids.count(151645)  # the end markers of two turns: a default system message, and this one
        2
    """
    job = _prepare(messages, template, extras, add_generation_prompt)
    parts = _separate(tokenizer, job)
    ids = [i for new in _ids(tokenizer, parts) for i in new]
    if not details:
        return ids
    text = "".join(parts)
    mask = [edges % 2 for edges in _passed(tokenizer, parts, _answers(job, text))]
    return Encoded(ids, _owners(tokenizer, job, parts), mask, text)


def overhead(
    tokenizer: ByteBPE,
    messages: Sequence[Mapping],
    template: str | Template,
    add_generation_prompt: bool = False,
    **extras,
) -> Overhead:
    """Count the tokens that a template adds to each message.

    Args:
        tokenizer: as in ``encode``.
        messages: as in ``encode``, with str content.
        template: as in ``encode``.
        add_generation_prompt: as in ``encode``.
        extras: as in ``encode``.

    Raises:
        TypeError, ValueError: as in ``encode`` with details, but the template need not mark its answers.

    Example:
        >>> from bpe_core import load
        >>> overhead(load("qwen2.5"), [{"role": "user", "content": "hi"}], "qwen2.5")
        Overhead(per_message=[5], outside=21, content=[1], total=27)
    """
    job = _prepare(messages, template, extras, add_generation_prompt)
    owners = _owners(tokenizer, job, _separate(tokenizer, job))
    content = [len(tokenizer.encode_ordinary(message.get("content", ""))) for message in job.variables["messages"]]
    per_message = [owners.count(i) - own for i, own in enumerate(content)]
    return Overhead(per_message, owners.count(None), content, len(owners))


with_special_tokens = ByteBPE.with_special_tokens  # for the markers of a template that a tokenizer lacks


# Running a template


def _prepare(messages: Sequence[Mapping], template: str | Template, extras: dict, prompt: bool) -> Job:
    label, source, family = _find_template(template)
    if unknown := [key for key in extras if family and not (key == "tools" and family.tools)]:
        raise ValueError(f"{label} has no use for {', '.join(unknown)}")
    clock = {"strftime_now": extras.pop("now").strftime} if hasattr(extras.get("now"), "strftime") else {}
    extras = getattr(template, "tokens", {}) | {
        key: change_texts(value, partial(check_text, name=key)) for key, value in extras.items()
    }
    markers = [check_text(extras[key], key) for key in TOKEN_NAMES if key in extras]
    variables = {"tools": None, "documents": None, "add_generation_prompt": bool(prompt)} | extras | clock
    variables["messages"] = check_messages(messages, label, family)
    return Job(label, source, variables, (*markers, *(family.markers if family else ())))


def _find_template(template: str) -> tuple[str, str, Family | None]:
    if not isinstance(template, str):
        raise TypeError(f"template is of type {type(template).__name__}; it must be a name or Jinja2 source, a str")
    for name, source in TEMPLATES.items():
        if template.strip().lower() == name or template == source:
            return f"the template {name!r}", source, FAMILIES[name]
    if not re.search(r"\{[{%#]", template):
        raise ValueError(
            f"template is {template[:60]!r}; it must be one of {', '.join(map(repr, TEMPLATES))}, or Jinja2 source"
        )
    return "your template", check_text(str(template), "the template"), None


@lru_cache(maxsize=64)
def _compile(source: str, marked: bool) -> tuple:
    # Returns the program, and the words by which it may ask for something: its own texts, and the names behind a dot.
    environment = sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, "jinja2.ext.loopcontrols"]
    )
    environment.extend(marked=marked)
    environment.filters["tojson"] = partial(dumps, ensure_ascii=False)  # Jinja2's own one escapes < and & for HTML
    environment.globals["raise_exception"] = _raise_exception
    asking = environment.parse(source).find_all((nodes.Const, nodes.Getattr))
    words = [node.attr if isinstance(node, nodes.Getattr) else node.value for node in asking]
    return environment.from_string(source), {word for word in words if isinstance(word, str)}


def _raise_exception(message: str) -> None:
    raise TemplateError(message)


def _run(job: Job, change: Callable[[str], str] = str, kept: Collection[str] = (), marked: bool = False) -> str:
    # Runs a template; what the messages and extras say can be changed before.
    try:
        return _compile(job.source, marked)[0].render(
            {
                key: item if key in TOKEN_NAMES or callable(item) else change_texts(item, change, kept)
                for key, item in job.variables.items()
            }
        )
    except Exception as error:
        lines = [n for frame, n in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == "<template>"]
        line = getattr(error, "lineno", None) or (lines[-1] if lines else "?")
        kind = KINDS.get(type(error), f"failed with {type(error).__name__}")
        raise ValueError(f"{job.label} {kind} in line {line}: {getattr(error, 'message', error)}") from None


def _try(job: Job, change: Callable[[str], str] = str, kept: Collection[str] = ()) -> str:
    try:
        return _run(job, change, kept)
    except ValueError:
        return ""  # what the template makes of the messages as they are is another text


# Control tokens: only the template makes them


def _separate(tokenizer: ByteBPE, job: Job) -> list[str]:
    # Returns the parts of the rendered text; every second one is a control token that the template wrote.
    if not isinstance(tokenizer, ByteBPE):
        raise TypeError(f"tokenizer is of type {type(tokenizer).__name__}; it must be a ByteBPE")
    text = _run(job)
    known = set(tokenizer.special_tokens) - tokenizer.not_special
    controls = [token for token in known.union(job.markers) if token and token in text] or [BREAK]  # which is nowhere
    # The break stands behind the first character of each control token.
    broken = _try(job, partial(re.sub, f"(?s)(?={'|'.join(map(re.escape, controls))}).", rf"\g<0>{BREAK}"))
    parts = special_regex(controls).split(broken)
    if broken.replace(BREAK, "") != text or parts[1::2] != _written(job, controls):
        raise ValueError(
            f"in {job.label}, control tokens and what the messages say cannot be told apart: it looks for one of "
            f"{', '.join(map(repr, sorted(controls)))} in the messages, or puts one together with words of theirs"
        )
    if missing := [token for token in dict.fromkeys(parts[1::2]) if token not in tokenizer.special_tokens]:
        raise ValueError(
            f"the tokenizer lacks {', '.join(map(repr, missing))}, which {job.label} uses; "
            "take the tokenizer of that model, or add them with chat.with_special_tokens"
        )
    return [part.replace(BREAK, "") for part in parts]


def _written(job: Job, controls: list[str]) -> list[str]:
    # Returns the control tokens that the template writes by itself. Messages may hold one in pieces, such as <|im_
    # and start|>. So each letter of a control token is another character in them, but for the words by which
    # the template asks for a field.
    whole = special_regex(controls)
    letters = {
        letter
        for token in controls
        for letter in token + token.upper() + token.lower()
        if token.isspace() or not letter.isspace()
    }
    table = {ord(letter): DISGUISE + i for i, letter in enumerate(sorted(letters))}
    kept = {*ROLES, *(word for word in _compile(job.source, False)[1] if not whole.search(word))}
    return whole.findall(_try(job, lambda said: said.translate(table), kept))


def _ids(tokenizer: ByteBPE, parts: list[str]) -> list[list[int]]:
    return [
        [tokenizer.special_tokens[part]] if n % 2 else tokenizer.encode_ordinary(part) for n, part in enumerate(parts)
    ]


# Details: whose turn an id belongs to, and whether it is to be learned


def _owners(tokenizer: ByteBPE, job: Job, parts: list[str]) -> list[int | None]:
    # Returns for each id the index of its message, or None. A message's turn is what it makes the text grow by.
    messages = job.variables["messages"]
    grown = [_try(_of(job, messages[: n + 1])) or END for n in range(len(messages))]  # END: no text begins so
    grown.insert(0, _before_first(job, messages[0]))
    closing = re.compile(rf"{special_regex(parts[1::2] or [BREAK]).pattern}\s*$")
    for n, pair in enumerate(zip(messages, messages[1:]), 1):
        if {message["role"] for message in pair} == {"tool"}:
            grown[n] = closing.sub("", grown[n])  # a run of results may be one turn, closed behind the last
    if not all(longer.startswith(shorter) for shorter, longer in zip(grown, [*grown[1:], "".join(parts)])):
        raise ValueError(
            f"{job.label} does not write one turn behind the other, each as it was before the next came, so that "
            "it cannot be said which message an id belongs to"
        )
    owners = [edges - 1 for edges in _passed(tokenizer, parts, [len(text) for text in grown])]
    return [owner if 0 <= owner < len(messages) else None for owner in owners]


def _of(job: Job, messages: list[dict]) -> Job:
    return job._replace(variables=job.variables | {"messages": messages, "add_generation_prompt": False})


def _before_first(job: Job, first: dict) -> str:
    # Returns what stands before the first message's turn. The turn opens as it does when that message comes again.
    in_parts = isinstance(first.get("content"), list)
    probe, said = (first | {"content": [{"type": "text", "text": text}] if in_parts else text} for text in (PROBE, END))
    other = said | {"role": "user" if first["role"] == "assistant" else "assistant"}
    for talk in ([probe], [probe, other]):  # where roles have to alternate, with an answer between
        alone, before, again = (_try(_of(job, messages)) for messages in ([probe], talk, [*talk, said]))
        opening, found, _ = again.removeprefix(before).partition(END)
        head = alone.partition(PROBE)[0]
        if again.startswith(before) and found and opening in head:
            return head[: head.rindex(opening)]
    return PROBE  # no text begins so


def _answers(job: Job, text: str) -> list[int]:
    # Returns where in the text an answer begins, where it ends, where the next one begins, and so on.
    pieces = re.split(f"([{BEGIN}{END}])", _run(job, marked=True))
    marks = "".join(pieces[1::2])
    wanted = any(message["role"] == "assistant" for message in job.variables["messages"])
    if "".join(pieces[::2]) != text or marks != (BEGIN + END) * (len(marks) // 2) or wanted > len(marks):
        raise ValueError(
            f"{job.label} does not print each answer as a whole between {{% generation %}} and {{% endgeneration %}}, "
            "so that it cannot be said which ids are to be learned; ask without details"
        )
    return list(accumulate(map(len, pieces[::2])))[:-1]


def _passed(tokenizer: ByteBPE, parts: list[str], places: list[int]) -> list[int]:
    # Returns for each id how many of some places in the text lie at or before its first byte.
    passed, begin, low = [], 0, 0
    for part, ids in zip(parts, _ids(tokenizer, parts)):
        high = sum(place <= begin + len(part) for place in places)
        ends = [
            len("".join(tokenizer.pieces(part[: place - begin])).encode("utf-8"))  # as it is normalized
            for place in places[low:high]
        ]
        starts = accumulate((len(tokenizer.decode_bytes([i])) for i in ids), initial=0)
        passed += [low + sum(end <= start for end in ends) for _, start in zip(ids, starts)]
        begin, low = begin + len(part), high
    return passed
