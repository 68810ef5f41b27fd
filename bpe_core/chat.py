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

import traceback
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import accumulate
from json import dumps
from typing import NamedTuple

import jinja2
import regex
from jinja2.ext import Extension
from jinja2.sandbox import ImmutableSandboxedEnvironment

from .byte_bpe import ByteBPE
from .chat_checks import check_messages, copy_plain
from .chat_templates import FAMILIES, GEMMA, LLAMA, QWEN, ROLES, TEMPLATES, TOKEN_NAMES, Family, Template, load_template  # noqa: F401  # noqa: F401
from .checks import check_special_names, check_text
from .patterns import special_regex

# Lone surrogates, halves of a character: check_text refuses them, so that no message can hold one.
BREAK, BEGIN, END, PROBE = "\ud800\ud801\ud802\ud803"
DISGUISE = 0xDC00  # from here on they stand for the letters of control tokens


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
    messages: list[dict]
    extras: dict  # more variables
    markers: tuple[str, ...]  # control tokens that the tokenizer must have if the template writes them
    prompt: bool  # whether to end with the words that open the assistant's turn


class Refused(jinja2.TemplateError):
    """What a template raises by raise_exception."""


class Generation(Extension):
    """The tag {% generation %}: what stands in it is what a model has to produce."""

    tags = {"generation"}

    def parse(self, parser: jinja2.parser.Parser) -> jinja2.nodes.Node:
        """Make a call of the tag's body."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("mark"), [], [], body).set_lineno(line)

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
    if not details:
        return [i for ids in _part_ids(tokenizer, parts) for i in ids]
    text = "".join(parts)
    ids, owners, mask = _label(tokenizer, parts, _turns(job, parts), _answers(job, text))
    return Encoded(ids, owners, mask, text)


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
        messages: as in ``encode``.
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
    parts = _separate(tokenizer, job)
    ids, owners, _ = _label(tokenizer, parts, _turns(job, parts), [])
    content = [len(tokenizer.encode_ordinary(_text_of(message.get("content", "")))) for message in job.messages]
    return Overhead(
        per_message=[owners.count(i) - own for i, own in enumerate(content)],
        outside=owners.count(None),
        content=content,
        total=len(ids),
    )


def _text_of(content: str | list) -> str:
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))


def with_special_tokens(tokenizer: ByteBPE, names: Iterable[str]) -> ByteBPE:
    """Return a tokenizer with more special tokens, which get the ids after the highest one.

    With the vocabulary of GPT-4 and the markers of Llama 3 one can try Llama's template. The ids
    are not Llama's own: its vocabulary is another one.

    Args:
        tokenizer: any ByteBPE; it stays as it is.
        names: the texts of the new special tokens.

    Raises:
        ValueError: a name that is a special token already, or stands there twice.

    Example:
        >>> tokenizer = with_special_tokens(ByteBPE.train("", 256), ["<bos>", "<end_of_turn>"])
        >>> tokenizer.special_tokens
        {'<bos>': 256, '<end_of_turn>': 257}
    """
    names = check_special_names(names)
    for name in names:
        if name in tokenizer.special_tokens:
            raise ValueError(f"{name!r} is a special token of the tokenizer already")
    free = max([*tokenizer.vocab, *tokenizer.special_tokens.values()], default=-1) + 1
    return ByteBPE(
        tokenizer.vocab,
        None if tokenizer.joins_by_rank else tokenizer.merges,
        pattern=tokenizer.pattern,
        special_tokens=tokenizer.special_tokens | {name: free + i for i, name in enumerate(names)},
        history=tokenizer.history,
        whole_pieces=tokenizer.whole_pieces,
        normalization=tokenizer.normalization,
    )


# Running a template


def _prepare(messages: Sequence[Mapping], template: str | Template, extras: dict, prompt: bool) -> Job:
    label, source, family = _find_template(template)
    unknown = [key for key in extras if not (key == "tools" and family.tools)] if family else []
    if unknown:
        raise ValueError(f"{label} has no use for {', '.join(unknown)}")
    tokens = getattr(template, "tokens", {}) | {key: extras[key] for key in extras if key in TOKEN_NAMES}
    tokens = {key: check_text(token, key) for key, token in tokens.items()}
    clock = {"strftime_now": extras.pop("now").strftime} if isinstance(extras.get("now"), datetime) else {}
    rest = {key: copy_plain(value, key) for key, value in extras.items()}
    markers = (*(family.markers if family else ()), *tokens.values())
    return Job(label, source, check_messages(messages, label, family), rest | tokens | clock, markers, bool(prompt))


def _find_template(template: str) -> tuple[str, str, Family | None]:
    if not isinstance(template, str):
        raise TypeError(f"template is of type {type(template).__name__}; it must be a name or Jinja2 source, a str")
    name = template.strip().lower()
    for known, source in TEMPLATES.items():
        if name == known or template == source:
            return f"the template {known!r}", source, FAMILIES[known]
    if not regex.search(r"\{[{%#]", template):
        raise ValueError(
            f"template is {template[:60]!r}; it must be one of {', '.join(map(repr, TEMPLATES))}, or Jinja2 source"
        )
    return "your template", check_text(str(template), "the template"), None


@lru_cache(maxsize=64)
def _compile(source: str, marked: bool) -> jinja2.Template:
    def raise_exception(message: str) -> None:
        raise Refused(message)

    def tojson(value: object, ensure_ascii=False, indent=None, separators=None, sort_keys=False) -> str:
        # Jinja2's own one would write < as \\u003c, for HTML.
        return dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, "jinja2.ext.loopcontrols"]
    )
    environment.extend(marked=marked)
    environment.filters["tojson"] = tojson
    environment.globals["raise_exception"] = raise_exception
    return environment.from_string(source)


def _run(job: Job, change: Callable[[str], str] | None = None, marked: bool = False) -> str:
    # Runs a template, on texts that are changed if that is asked for.
    try:
        template = _compile(job.source, marked)
        variables = {"tools": None, "documents": None, "messages": job.messages} | job.extras
        if change:
            kept = _words(job.source)
            variables = {
                key: item if key in TOKEN_NAMES else _changed(item, change, kept) for key, item in variables.items()
            }
        return template.render(variables, add_generation_prompt=job.prompt)
    except jinja2.TemplateSyntaxError as error:
        raise ValueError(f"{job.label} has a syntax error in line {error.lineno}: {error.message}") from None
    except Exception as error:
        lines = [n for frame, n in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == "<template>"]
        where = f" in line {lines[-1]}" if lines else ""
        if isinstance(error, Refused):
            raise ValueError(f"{job.label} refuses the messages{where}: {error}") from None
        raise ValueError(f"{job.label} failed{where}: {type(error).__name__}: {error}") from None


@lru_cache(maxsize=64)
def _words(source: str) -> frozenset[str]:
    # The words by which a template may ask for something: its own texts, and the names behind a dot.
    tree = jinja2.Environment(extensions=[Generation, "jinja2.ext.loopcontrols"]).parse(source)
    texts = {node.value for node in tree.find_all(jinja2.nodes.Const) if isinstance(node.value, str)}
    return frozenset({*ROLES, *texts, *(node.attr for node in tree.find_all(jinja2.nodes.Getattr))})


def _changed(value: object, change: Callable[[str], str], kept: Collection[str]) -> object:
    # What a template asks for by its name stays: a key, a role, the type of a part.
    if isinstance(value, list):
        return [_changed(item, change, kept) for item in value]
    if isinstance(value, dict):
        return {
            key if key in kept else change(key): (
                item if key in ("role", "type") and item in list(kept) else _changed(item, change, kept)
            )
            for key, item in value.items()
        }
    return change(value) if isinstance(value, str) else value


# Control tokens: only the template makes them


def _separate(tokenizer: ByteBPE, job: Job) -> list[str]:
    # Returns the parts of the rendered text; every second one is a control token that the template wrote.
    if not isinstance(tokenizer, ByteBPE):
        raise TypeError(f"tokenizer is of type {type(tokenizer).__name__}; it must be a ByteBPE")
    text = _run(job)
    known = set(tokenizer.special_tokens) - getattr(tokenizer, "not_special", frozenset())
    controls = [token for token in known.union(job.markers) if token and token in text]
    if not controls:
        return [text]
    whole = special_regex(controls)
    first_character = regex.compile(f"(?s)(?={whole.pattern}).")
    broken = _try(job, lambda said: first_character.sub(rf"\g<0>{BREAK}", said))
    if broken.replace(BREAK, "") != text:
        raise ValueError(
            f"{job.label} looks for control tokens in what the messages say and finds one, "
            "so that the two cannot be told apart"
        )
    parts = whole.split(broken)
    _check_origin(job, controls, parts[1::2])
    if missing := [token for token in dict.fromkeys(parts[1::2]) if token not in tokenizer.special_tokens]:
        raise ValueError(
            f"the tokenizer lacks {', '.join(map(repr, missing))}, which {job.label} uses; "
            "take the tokenizer of that model, or add them with chat.with_special_tokens"
        )
    return [part.replace(BREAK, "") for part in parts]


def _check_origin(job: Job, controls: list[str], found: list[str]) -> None:
    # A control token may come from the messages in pieces, as <|im_ and start|>. So run the template again on messages in
    # which each letter that a control token has is another character: the same ones must be there.
    letters = set("".join(token if token.isspace() else "".join(token.split()) for token in controls))
    letters |= set("".join(letters).upper() + "".join(letters).lower())
    table = {ord(letter): DISGUISE + i for i, letter in enumerate(sorted(letters))}
    written = special_regex(controls).findall(_try(job, lambda said: said.translate(table)))
    if written != found:
        pieced = Counter(found) - Counter(written) or Counter(written) - Counter(found)
        raise ValueError(
            f"{job.label} puts the control token {next(iter(pieced), found[:1])!r} together with words "
            "of the messages, so that the two cannot be told apart"
        )


def _try(job: Job, change: Callable[[str], str]) -> str:
    try:
        return _run(job, change)
    except ValueError:
        return ""  # no text that a template gives for messages as they are


def _part_ids(tokenizer: ByteBPE, parts: list[str]) -> Iterator[list[int]]:
    for n, part in enumerate(parts):
        yield [tokenizer.special_tokens[part]] if n % 2 else tokenizer.encode_ordinary(part)


# Details: whose turn an id belongs to, and whether it is to be learned


def _turns(job: Job, parts: list[str]) -> list[int]:
    # Returns where the first message's turn begins in the text, and where each turn ends.
    text = "".join(parts)
    closing = regex.compile(rf"(?:{special_regex(parts[1::2] or [BREAK]).pattern}\s*)$")
    grown = [_run(job._replace(messages=job.messages[: n + 1], prompt=False)) for n in range(len(job.messages))]
    before = _before_first(job)
    ends = [len(before)]
    for n, (shorter, longer) in enumerate(zip(grown, [*grown[1:], text])):
        if [message["role"] for message in job.messages[n : n + 2]] == ["tool", "tool"]:
            shorter = closing.sub("", shorter)  # a run of results may be one turn, closed behind the last
        if not longer.startswith(shorter) or not shorter.startswith(before):
            raise ValueError(
                f"{job.label} writes the turn of message {n} otherwise when more follows, "
                "so that it cannot be said which message each id belongs to; ask without details"
            )
        ends.append(len(shorter))
    return ends


def _before_first(job: Job) -> str:
    # Returns what stands before the first message's turn. A turn begins alike when the same message comes again.
    first = job.messages[0]
    content = [{"type": "text", "text": PROBE}] if isinstance(first.get("content"), list) else PROBE
    probe = first | {"content": content}
    answer = probe | {"role": "user" if first["role"] == "assistant" else "assistant"}
    for talk in ([probe], [probe, answer]):
        try:
            once, before, again = (
                _run(job._replace(messages=messages, prompt=False)) for messages in ([probe], talk, [*talk, probe])
            )
            opening = again[len(before) : again.index(PROBE, len(before))]
            if again.startswith(before):
                return once[: once.rindex(opening, 0, once.index(PROBE))]
        except ValueError:
            continue
    raise ValueError(
        f"{job.label} does not write one turn behind the other, "
        "so that it cannot be said which message each id belongs to; ask without details"
    )


def _answers(job: Job, text: str) -> list[int]:
    # Returns where in the text an answer begins, where it ends, where the next one begins, and so on.
    pieces = regex.split(f"([{BEGIN}{END}])", _run(job, marked=True))
    marks = "".join(pieces[1::2])
    if not marks and any(message["role"] == "assistant" for message in job.messages):
        raise ValueError(
            f"{job.label} has no {{% generation %}} around its answers, "
            "so that it cannot be said which ids are to be learned; ask without details"
        )
    if "".join(pieces[::2]) != text or marks != (BEGIN + END) * (len(marks) // 2):
        raise ValueError(
            f"{job.label} changes what stands in {{% generation %}} afterwards, "
            "so that it cannot be said which ids are to be learned; ask without details"
        )
    return list(accumulate(map(len, pieces[::2])))[:-1]


def _label(
    tokenizer: ByteBPE, parts: list[str], turns: list[int], answers: list[int]
) -> tuple[list[int], list[int | None], list[int]]:
    # Returns the ids, and for each the message and the mask. Places in the text become places in the bytes of
    # the ids, which are others where the tokenizer normalizes.
    def size(text: str) -> int:
        form = tokenizer.normalization
        return len((unicodedata.normalize(form, text) if form else text).encode("utf-8"))

    places = sorted({*turns, *answers})
    in_bytes: dict[int, int] = {}
    ids: list[int] = []
    starts: list[int] = []
    done = begin = byte = 0
    for part, new in zip(parts, _part_ids(tokenizer, parts)):
        upto = bisect_right(places, begin + len(part))
        in_bytes |= {place: byte + size(part[: place - begin]) for place in places[done:upto]}
        done, begin = upto, begin + len(part)
        for i in new:
            ids.append(i)
            starts.append(byte)
            byte += len(tokenizer.decode_bytes([i]))
    turns, answers = ([in_bytes[place] for place in edges] for edges in (turns, answers))
    owners = [bisect_right(turns, start) - 1 for start in starts]
    mask = [bisect_right(answers, start) % 2 for start in starts]
    return ids, [owner if 0 <= owner < len(turns) - 1 else None for owner in owners], mask
