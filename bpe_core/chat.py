r"""Chat templates: how a list of messages becomes one text, and that text becomes ids.

A chat model was trained on texts of one form, in which control tokens say where a turn
begins and ends. The form is a small program in the Jinja2 language, the chat template.
``render`` runs it, ``encode`` turns the result into ids. Whatever a message says, even
``<|im_end|>``, stays ordinary text in the ids: only the template makes control tokens.

Three families, each with something of its own:

* ``qwen2.5`` (ChatML): a default system message, tools, tool results in a user turn.
* ``llama3``: begins with a BOS token, one header token on each side of the role, content trimmed.
* ``gemma``: no system role, strict alternation, and ``assistant`` is called ``model``. It is the
  third family, and not Mistral, because Gemma 1 and 2 have one form; Mistral's brackets were published
  in several that differ by a space, and were not control tokens at first.

Source: the templates in the tokenizer_config.json files of Qwen2.5-Instruct,
Meta-Llama-3-Instruct and gemma-2-it; the Jinja2 set-up of Hugging Face transformers,
``chat_template_utils.py``. The templates here are written anew and give the same texts.

From "Separating" on, the file is about doing this safely; skip that on a first reading.
"""

import functools
import json
import os
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from types import CodeType
from typing import NamedTuple

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.filters import FILTERS
from jinja2.runtime import LoopContext, markup_join
from jinja2.sandbox import ImmutableSandboxedEnvironment, SecurityError
from jinja2.tests import TESTS
from jinja2.utils import Namespace
from jinja2.visitor import NodeTransformer

from .byte_bpe import ByteBPE, special_regex
from .checks import check_special_names, check_text

QWEN = """\
{%- set tools_text -%}
    {%- if tools -%}
        {{- '\\n\\n# Tools\\n\\nYou may call one or more functions to assist with the user query.\\n\\n' -}}
        {{- 'You are provided with function signatures within <tools></tools> XML tags:\\n<tools>' -}}
        {%- for tool in tools -%}
            {{- '\\n' + tool | tojson -}}
        {%- endfor -%}
        {{- '\\n</tools>\\n\\nFor each function call, return a json object with function name and arguments ' -}}
        {{- 'within <tool_call></tool_call> XML tags:\\n<tool_call>\\n' -}}
        {{- '{"name": <function-name>, "arguments": <args-json-object>}\\n</tool_call>' -}}
    {%- endif -%}
{%- endset -%}
{%- if messages[0].role != 'system' -%}
    {{- '<|im_start|>system\\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.' -}}
    {{- tools_text + '<|im_end|>\\n' -}}
{%- endif -%}
{%- for message in messages -%}
    {%- if message.role == 'tool' -%}
        {{- '<|im_start|>user' if loop.first or loop.previtem.role != 'tool' -}}
        {{- '\\n<tool_response>\\n' + message.content + '\\n</tool_response>' -}}
        {{- '<|im_end|>\\n' if loop.last or loop.nextitem.role != 'tool' -}}
    {%- else -%}
        {%- set calls = message.tool_calls if message.role == 'assistant' -%}
        {{- '<|im_start|>' + message.role -}}
        {{- '\\n' + message.content if message.content or not calls -}}
        {%- for call in calls or [] -%}
            {%- set call = call.function or call -%}
            {{- '\\n<tool_call>\\n{"name": "' + call.name + '", "arguments": ' -}}
            {{- call.arguments | tojson + '}\\n</tool_call>' -}}
        {%- endfor -%}
        {{- tools_text if loop.first and message.role == 'system' -}}
        {{- '<|im_end|>\\n' -}}
    {%- endif -%}
{%- endfor -%}
{{- '<|im_start|>assistant\\n' if add_generation_prompt -}}
"""

LLAMA = """\
{{- '<|begin_of_text|>' -}}
{%- for message in messages -%}
    {{- '<|start_header_id|>' + message.role + '<|end_header_id|>\\n\\n' -}}
    {{- message.content | trim + '<|eot_id|>' -}}
{%- endfor -%}
{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' if add_generation_prompt -}}
"""

GEMMA = """\
{{- '<bos>' -}}
{%- for message in messages -%}
    {%- if message.role != ('assistant' if loop.index0 % 2 else 'user') -%}
        {{- raise_exception('roles must alternate user, assistant, user, ..., and there is no system role') -}}
    {%- endif -%}
    {{- '<start_of_turn>' + ('model' if message.role == 'assistant' else 'user') + '\\n' -}}
    {{- message.content | trim + '<end_of_turn>\\n' -}}
{%- endfor -%}
{{- '<start_of_turn>model\\n' if add_generation_prompt -}}
"""


class Family(NamedTuple):
    """What is known of a named template, beyond its source."""

    roles: tuple[str, ...]
    markers: tuple[str, ...]  # the control tokens without which it makes no sense
    alternates: bool = False
    tools: bool = False


TEMPLATES = {"qwen2.5": QWEN, "llama3": LLAMA, "gemma": GEMMA}
FAMILIES = {
    "qwen2.5": Family(("system", "user", "assistant", "tool"), ("<|im_start|>", "<|im_end|>"), tools=True),
    "llama3": Family(
        ("system", "user", "assistant"),
        ("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
    ),
    "gemma": Family(("user", "assistant"), ("<bos>", "<start_of_turn>", "<end_of_turn>"), alternates=True),
}
ROLES = ("system", "developer", "user", "assistant", "tool")  # for a template of one's own
TOKEN_NAMES = ("bos_token", "eos_token", "pad_token", "unk_token")  # variables that hold control tokens


class Template(str):
    """The Jinja2 source of a template, with the control tokens that its variables stand for.

    Attributes:
        tokens: such as {"bos_token": "<s>"}.
    """

    tokens: dict[str, str]

    def __new__(cls, source: str, tokens: Mapping[str, str] | None = None) -> "Template":
        """Make a template from its source and {variable: control token}."""
        self = super().__new__(cls, source)
        self.tokens = dict(tokens or {})
        return self


class Encoded(NamedTuple):
    """The ids of a conversation, and where each comes from.

    Attributes:
        ids: the token ids.
        message_index: for each id the index of the message whose turn it belongs to, its markers
            included; None for what belongs to no message: BOS, a default system message, the
            generation prompt. A token belongs where its first byte does.
        assistant_mask: for each id 1 if a model would have to produce it, else 0: in the turn of an
            assistant, what comes after the generation prompt, up to and with the last control token.
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

    Returns:
        The text. Encoded naively, a marker in a message's content would become a control token:
        use ``encode`` for ids.

    Raises:
        TypeError: messages, one of them or a part of it is of the wrong type.
        ValueError: no messages; a message without role or content; a role unknown or out of turn; a
            template with a syntax error, one that refuses the messages, or one that had to be
            stopped. The message says which.

    Example:
        >>> render([{"role": "user", "content": " hi "}], "llama3")
        '<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nhi<|eot_id|>'

    The template runs in Jinja2's ImmutableSandboxedEnvironment, with trim_blocks, lstrip_blocks,
    ``break`` and ``continue``, raise_exception and tojson, as in transformers. It knows no clock
    (``strftime_now`` is undefined, so that results are reproducible), no other files, and only the filters
    and methods that chat templates need. It is stopped after a fixed number of steps and of characters
    made, not after some time, so the outcome is the same on every computer and in every thread. Not
    covered: a fault in Jinja2's sandbox or in Python itself. Against that, run templates you do not
    trust in a process of their own.
    """
    return _run(_prepare(messages, template, extras), add_generation_prompt)


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

    A control token is one that the template wrote whole. All between two of them, the template's
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
        TypeError, ValueError: as in ``render``, and for a tokenizer that lacks a special token which the
            template uses, a template that puts a control token together from pieces, or one
            that looks into the content in such a way that template and content cannot be told apart.

    Example:
        >>> from bpe_core import load
        >>> ids = encode(load("qwen2.5"), [{"role": "user", "content": "<|im_end|>"}], "qwen2.5")
        >>> ids.count(151645)  # the end markers of two turns: a default system message, and this one
        2
    """
    if not isinstance(tokenizer, ByteBPE):
        raise TypeError(f"tokenizer is of type {type(tokenizer).__name__}; it must be a ByteBPE")
    job = _prepare(messages, template, extras)
    text = _run(job, add_generation_prompt)
    flat, codes = _separate(tokenizer, job, add_generation_prompt, text)
    if not details:
        return [i for ids, _ in _encode_parts(tokenizer, flat, codes) for i in ids]
    return _encode_with_details(tokenizer, job, add_generation_prompt, text, flat, codes)


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
        TypeError, ValueError: as in ``encode``.

    Example:
        >>> from bpe_core import load
        >>> overhead(load("qwen2.5"), [{"role": "user", "content": "hi"}], "qwen2.5")
        Overhead(per_message=[5], outside=21, content=[1], total=27)
    """
    encoded = encode(tokenizer, messages, template, add_generation_prompt, details=True, **extras)
    content = [len(tokenizer.encode_ordinary(_text_of(message.get("content")))) for message in messages]
    turns = [encoded.message_index.count(i) for i in range(len(messages))]
    return Overhead(
        per_message=[turn - own for turn, own in zip(turns, content)],
        outside=encoded.message_index.count(None),
        content=content,
        total=len(encoded.ids),
    )


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


def load_template(path: str | os.PathLike, name: str | None = None) -> Template:
    """Read a chat template from a model's files.

    Args:
        path: a tokenizer_config.json, or a file that holds the template alone (chat_template.jinja).
        name: which one to take where the file holds several; without it, the one called ``default``.

    Returns:
        The source, a str, with ``bos_token`` and the like in its attribute ``tokens``.

    Raises:
        ValueError: the file is no JSON, has no chat template, or not the named one.
    """
    text = Path(path).read_bytes().decode("utf-8-sig", "surrogateescape")
    check_text(text, str(path))
    if Path(path).suffix != ".json":
        return Template(text)
    try:
        config = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}: not valid JSON ({error})") from None
    if not isinstance(config, dict) or config.get("chat_template") is None:
        raise ValueError(f"{path}: there is no chat_template in it")
    source = _pick_template(config["chat_template"], name, path)
    tokens = {}
    for key in TOKEN_NAMES:
        value = config.get(key)
        value = value.get("content") if isinstance(value, dict) else value
        if value is not None:
            tokens[key] = _expect_str(value, f"{path}: {key}")
    return Template(source, tokens)


def _pick_template(field: object, name: str | None, path: str | os.PathLike) -> str:
    if isinstance(field, str):
        if name is not None:
            raise ValueError(f"{path}: chat_template is one template without a name; there is none called {name!r}")
        return field
    try:  # a list of {"name": ..., "template": ...}, or {name: template}
        named = dict(field) if isinstance(field, dict) else {entry["name"]: entry["template"] for entry in field}
    except (TypeError, KeyError):
        raise ValueError(f"{path}: chat_template must be a str, or a list of named templates") from None
    name = "default" if name is None else name
    if name not in named:
        raise ValueError(f"{path}: no chat template is called {name!r}; there are {', '.join(map(repr, named))}")
    return _expect_str(named[name], f"{path}: the chat template {name!r}")


def _expect_str(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{what} is of type {type(value).__name__}; it must be a str")
    return check_text(value, what)


# What comes in


class Job(NamedTuple):
    """A template and what it is to be run on, checked and copied."""

    label: str  # what errors call the template
    source: str
    family: Family | None
    messages: list[dict]
    extras: dict
    tokens: dict[str, str]


def _prepare(messages: Sequence[Mapping], template: str | Template, extras: Mapping) -> Job:
    label, source, family = _find_template(template)
    tokens = dict(getattr(template, "tokens", {}))
    for key in TOKEN_NAMES:
        if key in extras:
            tokens[key] = _expect_str(extras[key], key)
    rest = {key: _copy(value, key) for key, value in extras.items() if key not in TOKEN_NAMES}
    if family:
        unknown = [key for key in extras if not (key == "tools" and family.tools)]
        if unknown:
            raise ValueError(f"{label} has no use for {', '.join(unknown)}")
    return Job(label, source, family, _check_messages(messages, label, family), rest, tokens)


def _find_template(template: str) -> tuple[str, str, Family | None]:
    if not isinstance(template, str):
        raise TypeError(f"template is of type {type(template).__name__}; it must be a name or Jinja2 source, a str")
    name = template.strip().lower()
    for known, source in TEMPLATES.items():
        if name == known or template == source:
            return f"the template {known!r}", source, FAMILIES[known]
    if not re.search(r"\{[{%#]", template):
        raise ValueError(
            f"template is {template[:60]!r}; it must be one of {', '.join(map(repr, TEMPLATES))}, or Jinja2 source"
        )
    if len(template) > MAX_SOURCE:
        raise ValueError(f"the template has {len(template):,} characters; at most {MAX_SOURCE:,} are read")
    return "your template", check_text(str(template), "the template"), None


def _check_messages(messages: Sequence[Mapping], label: str, family: Family | None) -> list[dict]:
    if isinstance(messages, (str, bytes)) or not isinstance(messages, Sequence):
        raise TypeError(
            f"messages is of type {type(messages).__name__}; it must be a list of messages, "
            'each like {"role": "user", "content": "hi"}'
        )
    if not messages:
        raise ValueError("messages is empty; a conversation has at least one message")
    roles = family.roles if family else ROLES
    copies = []
    for i, message in enumerate(messages):
        if not isinstance(message, Mapping):
            raise TypeError(
                f"message {i} is of type {type(message).__name__}; "
                'it must be a mapping like {"role": "user", "content": "hi"}'
            )
        _check_role(i, message, label, roles)
        if family and family.alternates and message["role"] != ("user", "assistant")[i % 2]:
            raise ValueError(
                f"message {i} has the role {message['role']!r}, but in {label} "
                f"roles alternate user, assistant, user, ...: it must be {('user', 'assistant')[i % 2]!r}"
            )
        _check_content(i, message, label, family)
        copies.append(_copy(message, f"message {i}"))
    return copies


def _check_role(i: int, message: Mapping, label: str, roles: Collection[str]) -> None:
    if "role" not in message:
        raise ValueError(f"message {i} has no 'role'; it must be one of {', '.join(map(repr, roles))}")
    role = message["role"]
    if not isinstance(role, str):
        raise TypeError(f"message {i}: the role is of type {type(role).__name__}; it must be a str")
    if role not in roles:
        raise ValueError(
            f"message {i} has the unknown role {role!r}; in {label} it must be one of {', '.join(map(repr, roles))}"
        )


def _check_content(i: int, message: Mapping, label: str, family: Family | None) -> None:
    calls = message.get("tool_calls")
    if calls and family:
        if not family.tools or message["role"] != "assistant":
            raise ValueError(f"message {i} has tool_calls; {label} has no place for them there")
        for call in calls:
            inner = (call.get("function") or call) if isinstance(call, Mapping) else None
            if not isinstance(inner, Mapping) or not isinstance(inner.get("name"), str) or "arguments" not in inner:
                raise ValueError(f"message {i}: a tool call must be a mapping with a 'name' (str) and 'arguments'")
    content = message.get("content")
    if content is None:
        if not calls:
            raise ValueError(f"message {i} (role {message['role']!r}) has no 'content'")
    elif not isinstance(content, str) and (family or not isinstance(content, list)):
        raise TypeError(f"message {i}: the content is of type {type(content).__name__}; it must be a str")


def _copy(value: object, what: str, depth: int = 0) -> object:
    # Plain data only: what a template can reach must not lead anywhere else.
    if depth > 100:
        raise ValueError(f"{what} is nested more than 100 deep")
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return check_text("".join([value]), what)
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise TypeError(f"{what} holds a key that is no str")
        return {
            check_text("".join([key]), what): _copy(item, f"{what}, {key}", depth + 1) for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_copy(item, what, depth + 1) for item in value]
    raise TypeError(f"{what} holds a value of type {type(value).__name__}; a template takes what JSON can hold")


def _text_of(content: object) -> str:
    if isinstance(content, str) or content is None:
        return content or ""
    return "".join(part["text"] for part in content if isinstance(part.get("text"), str))


# Separating the template's control tokens from the content.
#
# Before a template runs, each control token that stands in its own text is replaced by one
# character that no content can hold: a lone surrogate, half of a character, which check_text
# refuses. In the output these characters are the control tokens, and nothing else is. Content
# itself goes through the template untouched, so trimming, splitting or tojson work as ever. If the
# output, with the characters written out again, is not what the plain run gave, the template
# looked into its own markers or compared them with content, and there is an error.

BEGIN, END, PUSH, POP, TURN = "\ud800\ud801\ud802\ud803\ud804"  # marks of places, for details
DIGITS = 0xD900  # message numbers are written with 3 digits from here on, base 256
CODES = 0xDC00  # control tokens, up to 1,024 in one template


def _separate(tokenizer: ByteBPE, job: Job, prompt: bool, text: str) -> tuple[str, dict[str, str]]:
    # Returns the text with one character for each control token, and {that character: control token}.
    markers = _markers(tokenizer, job)
    flat = _run(job, prompt, markers)
    codes = _compile(job.source, markers, tuple(job.tokens.values())).codes
    written = {code: marker for marker, code in codes.items() if code in flat}
    missing = [marker for marker in written.values() if marker not in tokenizer.special_tokens]
    if missing:
        raise ValueError(
            f"the tokenizer lacks {', '.join(map(repr, missing))}, which {job.label} uses; "
            "take the tokenizer of that model, or add them with chat.with_special_tokens"
        )
    if flat.translate(str.maketrans(written)) != text:
        raise ValueError(
            f"{job.label} compares or changes its control tokens or the content "
            "in such a way that the two cannot be told apart"
        )
    _check_whole(tokenizer, job, prompt, flat, markers)
    return flat, written


def _markers(tokenizer: ByteBPE, job: Job) -> tuple[str, ...]:
    found = {*tokenizer.special_tokens, *(job.family.markers if job.family else ()), *job.tokens.values()}
    return tuple(sorted(found - {""}))


def _check_whole(tokenizer: ByteBPE, job: Job, prompt: bool, flat: str, markers: tuple[str, ...]) -> None:
    # Markers left in the text come from content, which is why encode exists, or from a template
    # that joins pieces, as '<|' + role + '|>' does. To know, look whether they are there without content.
    if not tokenizer.special_tokens or not special_regex(tokenizer.special_tokens).search(flat):
        return
    filler = next((character for character in "x0_\xb7\u4e00" if character not in "".join(markers)), " ")
    blank = job._replace(messages=_blank(job.messages, filler, markers), extras=_blank(job.extras, filler, markers))
    try:
        match = special_regex(tokenizer.special_tokens).search(_run(blank, prompt, markers))
    except ValueError:
        return  # it needs its content; then what is left over stays ordinary text, which is safe
    if match:
        raise ValueError(
            f"{job.label} puts the control token {match.group()!r} together from pieces; "
            "to be told from content, it must stand in the template as a whole"
        )


def _blank(value: object, filler: str, markers: tuple[str, ...]) -> object:
    # Replaces every text but roles and types, and every key that no template would ask for.
    if isinstance(value, dict):
        return {
            key if key.isidentifier() and not any(marker in key for marker in markers) else filler: (
                item if key in ("role", "type") else _blank(item, filler, markers)
            )
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_blank(item, filler, markers) for item in value]
    return filler if isinstance(value, str) and value else value


def _encode_parts(tokenizer: ByteBPE, flat: str, codes: Mapping[str, str]) -> Iterator[tuple[list[int], str]]:
    # Yields the ids of each part, and the part: a control token's character, or ordinary text.
    pattern = f"([{''.join(codes)}])" if codes else "(?!)()"
    for part in re.split(pattern, flat):
        if part in codes:
            yield [tokenizer.special_tokens[codes[part]]], part
        elif part:
            yield tokenizer.encode_ordinary(part), part


# Which message an id belongs to: content is wrapped in two marks, and each turn of a loop over the
# messages writes a mark with the number of its message.


def _encode_with_details(
    tokenizer: ByteBPE, job: Job, prompt: bool, text: str, flat: str, codes: Mapping[str, str]
) -> Encoded:
    marked = job._replace(messages=[_wrap(message, i) for i, message in enumerate(job.messages)])
    seen, owners, content = _read_marks(_run(marked, prompt, _markers(tokenizer, job), marks=True))
    if seen != flat:
        raise ValueError(
            f"{job.label} looks into the content, so that it cannot be said "
            "which message each id belongs to; ask without details"
        )
    mask = _mask(job, owners, content, flat, codes, _generation_prompt(tokenizer, job, flat, prompt))
    ids, index, assistant, place = [], [], [], 0
    for part_ids, part in _encode_parts(tokenizer, flat, codes):
        end = place + len(part)
        if part in codes:
            labels = [(owners[place], mask[place])]
        else:
            labels = _token_labels(tokenizer, part, part_ids, list(zip(owners[place:end], mask[place:end])))
        ids += part_ids
        index += [owner for owner, _ in labels]
        assistant += [masked for _, masked in labels]
        place = end
    return Encoded(ids, index, assistant, text)


def _wrap(message: dict, i: int) -> dict:
    # White space at the ends stays outside of the marks, where the template can trim it.
    def wrap(text: str) -> str:
        core = text.strip()
        return text.replace(core, BEGIN + _digits(i) + core + END, 1) if core else text

    content = message.get("content")
    if isinstance(content, str):
        return message | {"content": wrap(content)}
    if isinstance(content, list):
        parts = [
            part | {"text": wrap(part["text"])}
            if isinstance(part, dict) and isinstance(part.get("text"), str)
            else part
            for part in content
        ]
        return message | {"content": parts}
    return message


def _digits(i: int) -> str:
    return "".join([chr(DIGITS + (i >> shift & 255)) for shift in (16, 8, 0)])


def _number(digits: str) -> int:
    first, second, third = (ord(digit) - DIGITS for digit in digits)
    return first << 16 | second << 8 | third


def _read_marks(marked: str) -> tuple[str, list[int | None], list[bool]]:
    # Returns the text without marks, and for each of its characters the message and whether it is content.
    text, owners, content = [], [], []
    stack: list[int | None] = [None]
    inside = None
    pieces = re.split(f"([{BEGIN}{TURN}][{chr(DIGITS)}-{chr(DIGITS + 255)}]{{3}}|[{END}{PUSH}{POP}])", marked)
    for piece in pieces:
        if piece[:1] == BEGIN:
            inside = _number(piece[1:])
        elif piece[:1] == TURN:
            stack[-1] = _number(piece[1:])
        elif piece == END:
            inside = None
        elif piece == PUSH:
            stack.append(stack[-1])
        elif piece == POP:
            del stack[max(1, len(stack) - 1) :]
        else:
            text.append(piece)
            owners += [stack[-1] if inside is None else inside] * len(piece)
            content += [inside is not None] * len(piece)
    return "".join(text), owners, content


def _generation_prompt(tokenizer: ByteBPE, job: Job, flat: str, prompt: bool) -> str:
    # What opens the assistant's turn, with one character for each control token; "" if that is unknown.
    try:
        other = _run(job, not prompt, _markers(tokenizer, job))
    except ValueError:
        return ""
    longer, shorter = (flat, other) if prompt else (other, flat)
    return longer[len(shorter) :] if longer.startswith(shorter) else ""


def _mask(
    job: Job, owners: list[int | None], content: list[bool], flat: str, codes: Collection[str], opening: str
) -> list[int]:
    mask = [0] * len(flat)
    place = 0
    for owner, run in groupby(owners):
        begin, place = place, place + len(list(run))
        if owner is None or job.messages[owner]["role"] != "assistant":
            continue
        if opening and flat.startswith(opening, begin):
            begin += len(opening)
        else:
            begin = next((i for i in range(begin, place) if content[i]), place)
        controls = [i for i in range(begin, place) if flat[i] in codes]
        end = controls[-1] + 1 if controls else place
        mask[begin:end] = [1] * (end - begin)
    return mask


def _token_labels(tokenizer: ByteBPE, part: str, ids: list[int], labels: list) -> list:
    # Returns for each token the label of the character in which it begins.
    if tokenizer.normalization:
        form = tokenizer.normalization
        normal = unicodedata.normalize(form, part)
        if normal != part:
            moved, end = [], 0
            for label, run in groupby(labels):
                end += len(list(run))
                moved += [label] * (len(unicodedata.normalize(form, part[:end])) - len(moved))
            part, labels = normal, (moved + moved[-1:] * len(normal))[: len(normal)]
    by_byte = [label for label, character in zip(labels, part) for _ in range(len(character.encode("utf-8")))]
    starts, place = [], 0
    for i in ids:
        starts.append(place)
        place += len(tokenizer.vocab[i])
    return [by_byte[start] for start in starts]


# Running a template that nobody has checked.
#
# Jinja2's sandbox keeps a template away from Python's internals, but not from using up time and
# memory: loops can be nested, and 'a' * 10**9 is one step. So every step is counted: the program is
# changed before it is compiled, so that each turn of a loop, each comparison, each joining
# asks for its share of a budget, and operators, filters, tests and methods are wrapped.
# What grows faster than its input is asked for before it is done.

MAX_SOURCE = 60_000  # characters; compiling takes time too
MAX_STEPS = 200_000  # and 200 for each value in the messages
MAX_CHARACTERS = 5_000_000  # and 50 for each character in the messages
MAX_BITS = 2_000  # of a whole number
MAX_WIDTH = 1_000  # of a number in a format, or of an indentation
STR_METHODS = frozenset(
    "strip lstrip rstrip split rsplit splitlines partition rpartition startswith endswith removeprefix removesuffix "
    "lower upper title capitalize swapcase casefold replace join find rfind index rindex count "
    "isalnum isalpha isascii isdecimal isdigit islower isnumeric isspace isupper".split()
)
SLOW_METHODS = frozenset(
    ("strip", "lstrip", "rstrip", "rsplit", "rpartition", "rfind", "rindex")
)  # text times argument
METHODS = {
    str: STR_METHODS,
    dict: frozenset(("get", "items", "keys", "values", "copy")),
    list: frozenset(("index", "count", "copy")),
    tuple: frozenset(("index", "count")),
}
# The filters that hand on values, or make them one by one, and those that work on the whole value.
LAZY_FILTERS = "count d default first items last length list map reject rejectattr reverse select selectattr".split()
WHOLE_FILTERS = (
    "abs capitalize dictsort e escape float format groupby indent int join lower max min replace safe sort string "
    "title tojson trim truncate unique upper wordcount".split()
)
# The tests that look at the type of a value, and those that look at the whole of it.
TYPE_TESTS = (
    "boolean callable defined escaped false filter float integer iterable mapping none number sameas sequence string "
    "test true undefined".split()
)
WHOLE_TESTS = (
    "== != < <= > >= divisibleby eq equalto even ge greaterthan gt in le lessthan lower lt ne odd upper".split()
)
NUMBER_TESTS = ("divisibleby", "even", "odd")  # they compute with %, which for a text would be a format


class Stopped(ValueError):
    """A template asked for more than it may have."""


class Program(NamedTuple):
    """A compiled template, and {control token: the character that stands for it}."""

    code: CodeType
    codes: dict[str, str]


def _run(job: Job, prompt: bool, markers: tuple[str, ...] = (), marks: bool = False) -> str:
    # With markers, the output has one character for each control token; with marks, it says which message is where.
    program = _compile(job.source, markers, tuple(job.tokens.values()) if markers else (), marks)
    values, characters = _measure([job.messages, job.extras])
    environment = Sandbox(MAX_STEPS + 200 * values, MAX_CHARACTERS + 50 * characters, job.messages)
    template = jinja2.Template.from_code(environment, program.code, environment.make_globals(None))
    variables = {"tools": None, "documents": None} | job.extras
    variables |= {key: program.codes.get(token, token) for key, token in job.tokens.items()}
    variables |= {"messages": job.messages, "add_generation_prompt": bool(prompt)}
    chunks = []
    try:
        for chunk in template.root_render_func(template.new_context(variables)):
            environment.spend(1, len(chunk))
            chunks.append(chunk)
    except (Stopped, OverflowError) as error:  # the latter for a range above the sandbox's own limit
        raise ValueError(f"{job.label} was stopped{_line_of(error)}: {error}") from None
    except SecurityError as error:
        raise ValueError(
            f"{job.label} was stopped{_line_of(error)}: it reaches for what it may not use: {error}"
        ) from None
    except (RecursionError, MemoryError):
        raise ValueError(f"{job.label} was stopped: it is nested too deep, or too large") from None
    except Refused as error:
        raise ValueError(f"{job.label} refuses the messages{_line_of(error)}: {error}") from None
    except Exception as error:  # whatever Python raises for the operations that a template asks for
        raise ValueError(f"{job.label} failed{_line_of(error)}: {type(error).__name__}: {str(error)[:500]}") from None
    return "".join(chunks)


def _measure(data: object) -> tuple[int, int]:
    # Returns how many values there are in plain data, and how many characters.
    values = characters = 0
    stack = [data]
    while stack:
        item = stack.pop()
        values += 1
        if isinstance(item, str):
            characters += len(item)
        elif isinstance(item, dict):
            stack += [*item, *item.values()]
        elif isinstance(item, list):
            stack += item
    return values, characters


def _line_of(error: Exception) -> str:
    line, trace = None, error.__traceback__
    while trace is not None:
        if template := trace.tb_frame.f_globals.get("__jinja_template__"):
            line = template.get_corresponding_lineno(trace.tb_lineno)
        trace = trace.tb_next
    return "" if line is None else f" in line {line}"


@functools.lru_cache(maxsize=64)
def _compile(source: str, markers: tuple[str, ...] = (), always: tuple[str, ...] = (), marks: bool = False) -> Program:
    environment = Sandbox(0, 0, [])  # with no budget, Jinja2 works nothing out ahead of the run
    codes: dict[str, str] = {}

    def code_of(marker: str) -> str:
        if marker not in codes and len(codes) == 1024:
            raise ValueError("the template writes more than 1,024 different control tokens")
        return codes.setdefault(marker, chr(CODES + len(codes)))

    for marker in always:
        if marker:
            code_of(marker)
    try:
        tree = environment.parse(source)
        found = special_regex(markers) if markers else None
        swap = (lambda text: found.sub(lambda match: code_of(match.group()), text)) if found else (lambda text: text)
        tree = Guard(swap, marks).visit(tree)
        tree.set_environment(environment)
        return Program(environment.compile(tree), codes)
    except jinja2.TemplateSyntaxError as error:
        raise ValueError(f"the template has a syntax error in line {error.lineno}: {error.message}") from None
    except (RecursionError, MemoryError, SyntaxError):  # Python's own, for what Jinja2 wrote
        raise ValueError("the template is nested too deep, or too large") from None


class Refused(jinja2.TemplateError):
    """What raise_exception raises."""


def raise_exception(message: str) -> None:
    """Let a template refuse its messages."""
    raise Refused(str(message)[:1000])


def to_json(value: object, ensure_ascii=False, indent=None, separators=None, sort_keys=False) -> str:
    """Write JSON as transformers does: no HTML escapes, characters as they are."""
    if indent is not None and not 0 <= (len(indent) if isinstance(indent, str) else indent) <= 16:
        raise Stopped("tojson with too wide an indent; it may be 0 to 16")
    if separators is not None and sum(map(len, separators)) > 16:
        raise Stopped("tojson with too long separators; together they may have 16 characters")
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


class Generation(Extension):
    """The tag {% generation %}, with which some templates surround an assistant's words; it changes no text."""

    tags = {"generation"}

    def parse(self, parser) -> list[nodes.Node]:
        """Return what stands between the tags."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja2's sandbox, with a budget of steps and of characters; made anew for each run."""

    intercepted_binops = frozenset(("+", "-", "*", "/", "//", "%", "**"))

    def __init__(self, steps: int, characters: int, messages: list[dict]):
        """Set the budget; messages are known by identity, to say whose turn it is."""
        self.steps, self.characters = steps, characters
        self.numbers = {id(message): i for i, message in enumerate(messages)}
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            optimized=False,
            extensions=["jinja2.ext.loopcontrols", Generation],
            finalize=self.printed,
            cache_size=0,
        )
        known = FILTERS | {"tojson": to_json}
        self.filters = {name: self.filter(known[name], False) for name in LAZY_FILTERS}
        self.filters |= {name: self.filter(known[name], True, name) for name in WHOLE_FILTERS}
        self.tests = {name: TESTS[name] for name in TYPE_TESTS}
        self.tests |= {name: self.test(TESTS[name], name) for name in WHOLE_TESTS}
        self.globals = {name: self.globals[name] for name in ("range", "dict", "namespace")}
        self.globals["raise_exception"] = raise_exception

    # The budget

    def spend(self, steps: int, characters: int = 0) -> None:
        """Take from the budget, or raise Stopped."""
        self.steps -= steps
        self.characters -= characters
        if self.steps < 0:
            raise Stopped("it takes too many steps")
        if self.characters < 0:
            raise Stopped("it makes too much text")

    def tick(self, characters: int) -> bool:
        """Pay for a turn of a loop, whose body holds that many characters of text."""
        self.spend(1, characters)
        return True

    def cost(self, value: object) -> int:
        """Pay for going through a value and all that is in it; return how much that was."""
        stack, total = [value], 0
        while stack:
            item = stack.pop()
            size = len(item) if isinstance(item, (str, dict, list, tuple, range)) else 1
            total += size + 1
            if isinstance(item, str):
                self.spend(1, size)
                continue
            self.spend(1 + size)
            if isinstance(item, dict):
                stack += [*item, *item.values()]
            elif isinstance(item, (list, tuple, type({}.items()), type({}.keys()), type({}.values()))):
                stack += item
            elif isinstance(item, int) and item.bit_length() > MAX_BITS:
                raise Stopped("it computes with too large a number")
            elif isinstance(item, Namespace):
                raise Stopped("a namespace can be neither printed nor compared, nor be in a list")
        return total

    def weigh(self, value: object) -> object:
        """Pay for a value and return it."""
        self.cost(value)
        return value

    def made(self, value: object) -> object:
        """Pay for what a step has made, not for what is in it; iterators pay as they go."""
        if isinstance(value, str):
            self.spend(0, len(value))
        elif isinstance(value, (list, tuple, dict)):
            self.spend(len(value))
        elif isinstance(value, Iterator) and not isinstance(value, LoopContext):
            return self.counted(value)
        return value

    def counted(self, values: Iterator) -> Iterator:
        """Pay for each value as it comes."""
        for value in values:
            self.spend(1)
            yield value

    # What the compiled template calls

    def printed(self, value: object) -> object:
        """Pay for a value that is printed; with marks in it, say whose turn it is."""
        self.cost(value)
        if isinstance(value, str) and BEGIN in value:
            owners = set(re.findall(f"{BEGIN}(...)", value, re.DOTALL))
            if len(owners) == 1:
                return PUSH + TURN + owners.pop() + value + POP
        return value

    def turn(self, *values: object) -> str:
        """Mark the turn of a message, if one of the values is one."""
        for value in values:
            if id(value) in self.numbers:
                return TURN + _digits(self.numbers[id(value)])
        return ""

    def joined(self, *values: object) -> str:
        """Do what ~ does."""
        self.cost(values)
        return markup_join(values)

    def call_binop(self, context, operator: str, left: object, right: object) -> object:
        """Do what an operator does, if it is not too much."""
        self.spend(1)
        for value in (left, right):
            if isinstance(value, int) and value.bit_length() > MAX_BITS:
                raise Stopped("it computes with too large a number")
        if operator == "**" and isinstance(left, int) and isinstance(right, int):
            if left.bit_length() * abs(right) > MAX_BITS:
                raise Stopped(f"{str(left)[:20]} ** {str(right)[:20]} is too large")
        elif operator == "*":
            for value, times in ((left, right), (right, left)):
                if isinstance(value, (str, list, tuple)) and isinstance(times, int):
                    self.spend_size(value, len(value) * max(times, 0))
        elif operator == "%" and isinstance(left, str):
            self.check_format(left, right)
        elif operator == "+" and isinstance(left, (str, list, tuple)) and isinstance(right, (str, list, tuple)):
            self.spend_size(left, len(left) + len(right))
        return super().call_binop(context, operator, left, right)

    def spend_size(self, like: object, size: int) -> None:
        """Pay for a str or a list of that size."""
        self.spend(*((0, size) if isinstance(like, str) else (size, 0)))

    def call(self, context, obj, /, *args, **kwargs) -> object:
        """Call a method, a macro, or a hook of this class, if it is not too much."""
        owner = getattr(obj, "__self__", None)
        if owner is self:
            return obj(*args)
        self.spend(1)
        for value in (*args, *kwargs.values()):
            if isinstance(value, tuple):
                self.cost(value)
        if isinstance(owner, str):
            self.spend(0, len(owner))
            args = self.check_method(owner, obj.__name__, args)
        elif isinstance(owner, (list, tuple, LoopContext)):  # index, count, changed: they compare
            self.cost([*args, *owner] if obj.__name__ in ("index", "count") else args)
        result = super().call(context, obj, *args, **kwargs)
        return self.weigh(result) if obj is dict else self.made(result)

    def check_method(self, owner: str, name: str, args: tuple) -> tuple:
        """Pay for a str method that may make more text than it was given, or look at it more than once."""
        if name in SLOW_METHODS and args and isinstance(args[0], str):
            self.spend(0, len(owner) * len(args[0]))
        if name == "replace" and len(args) >= 2 and all(isinstance(arg, str) for arg in args[:2]):
            self.spend(0, (owner.count(args[0]) + 1) * len(args[1]))
        elif name == "join" and args and not isinstance(args[0], str):
            args = (list(self.made(iter(args[0]))),)
            self.cost(args)
            self.spend(0, len(owner) * len(args[0]))
        elif name == "join" and args:
            self.spend(len(args[0]), len(owner) * len(args[0]))
        return args

    # Attributes and items

    def is_safe_attribute(self, obj: object, attr: str, value: object) -> bool:
        """Say whether a template may use an attribute: data, and the methods that chat templates need."""
        if not super().is_safe_attribute(obj, attr, value):
            return False
        if not callable(value) or isinstance(obj, (LoopContext, Namespace)):
            return True
        return any(isinstance(obj, kind) and attr in names for kind, names in METHODS.items())

    def wrap_str_format(self, value: object) -> None:
        """Make no exception for str.format: it is no method that chat templates need."""
        return None

    def unsafe_undefined(self, obj: object, attribute: str) -> jinja2.Undefined:
        """Stop at once, rather than when the value is used."""
        raise SecurityError(f"the attribute {attribute!r} of a value of type {type(obj).__name__}")

    def getitem(self, obj: object, argument: object) -> object:
        """Return an item; a tuple as key is paid for, as it has to be hashed."""
        self.spend(1)
        if isinstance(argument, tuple):
            self.cost(argument)
        return super().getitem(obj, argument)

    # Filters and tests

    def filter(self, function: Callable, whole: bool, name: str = "") -> Callable:
        """Wrap a filter: pay for what goes in (if it uses the whole of it) and for what comes out."""
        skip = 1 if hasattr(function, "jinja_pass_arg") else 0

        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            self.spend(1)
            if whole and len(args) > skip:
                value = args[skip]
                if isinstance(value, Iterator) and not isinstance(value, LoopContext):
                    value = list(self.made(value))
                args = (*args[:skip], value, *args[skip + 1 :])
                total = self.cost(args[skip:]) + self.cost(kwargs)
                self.check_filter(name, value, args[skip + 1 :], kwargs, total)
            return self.made(function(*args, **kwargs))

        return wrapped

    def check_filter(self, name: str, value: object, args: tuple, kwargs: dict, total: int) -> None:
        """Pay for a filter that may make more text than it was given."""
        if name == "format":
            self.check_format(str(value), args or kwargs)
        elif name == "trim":
            self.spend(0, len(str(value)) * len(str(args[0] if args else kwargs.get("chars") or "")))
        elif name == "indent":
            width = args[0] if args else kwargs.get("width", 4)
            width = len(width) if isinstance(width, str) else width
            if not isinstance(width, int) or not 0 <= width <= MAX_WIDTH:
                raise Stopped(f"indent by {width!r:.40}; it may be 0 to {MAX_WIDTH}")
            self.spend(0, width * (1 + len(str(value).splitlines())))
        elif name == "replace":
            old, new = ([*args, kwargs.get("old"), kwargs.get("new")] + ["", ""])[:2] if args else ("", "")
            self.spend(0, (str(value).count(str(old)) + 1) * len(str(new)))
            if kwargs:
                raise Stopped("replace takes what to replace, and by what, without names")
        elif name == "join":
            between = str(args[0] if args else kwargs.get("d", ""))
            self.spend(0, len(between) * (total if not hasattr(value, "__len__") else len(value)))

    def check_format(self, form: str, values: object) -> None:
        """Pay for a text made by %."""
        if re.search(r"%\([^()]*\(|%(\([^()]*\))?[^a-zA-Z%]*(\*|\d{4})", form):
            raise Stopped(f"a format with a width of {MAX_WIDTH} or more, or one given elsewhere")
        count = form.count("%")
        self.spend(0, len(form) + count * (MAX_WIDTH + self.cost(values)))

    def test(self, function: Callable, name: str) -> Callable:
        """Wrap a test that uses the whole of its values: pay for them."""

        @functools.wraps(function)
        def wrapped(*args):
            self.cost(args)
            if name in NUMBER_TESTS and not all(isinstance(value, (int, float)) for value in args):
                raise TypeError(f"the test {name!r} is for numbers")
            return function(*args)

        return wrapped


class Guard(NodeTransformer):
    """Changes a parsed template: counts steps, puts characters for control tokens, marks turns."""

    def __init__(self, swap: Callable[[str], str], marks: bool):
        """Set what is to be done to the template's own texts, and whether turns are marked."""
        self.swap, self.marks = swap, marks
        self.quiet = 0  # above 0 where a text is compared, not printed
        self.captured = 0  # above 0 where output goes into a variable

    def quietly(self, node: nodes.Node | list | None) -> nodes.Node | list | None:
        """Visit a part whose texts are not for printing."""
        self.quiet += 1
        try:
            return [self.visit(item) for item in node] if isinstance(node, list) else node and self.visit(node)
        finally:
            self.quiet -= 1

    def hook(self, name: str, args: list[nodes.Expr], line: int) -> nodes.Call:
        """Make a call of a method of the Sandbox, by a way that a template cannot bend."""
        method = nodes.EnvironmentAttribute(name, lineno=line)
        return nodes.Call(method, args, [], None, None, lineno=line)

    def weighed(self, node: nodes.Expr) -> nodes.Expr:
        """Make a node that pays for the value."""
        return node if isinstance(node, nodes.Const) else self.hook("weigh", [node], node.lineno)

    # Texts

    def visit_TemplateData(self, node: nodes.TemplateData) -> nodes.Node:
        """Swap control tokens in what stands outside of the braces."""
        node.data = self.swap(node.data)
        return node

    def visit_Const(self, node: nodes.Const) -> nodes.Node:
        """Swap control tokens in a text, unless it is only looked for."""
        if isinstance(node.value, str) and not self.quiet:
            node.value = self.swap(node.value)
        return node

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:
        """Pay for both sides."""
        node.expr = self.weighed(self.quietly(node.expr))
        for operand in node.ops:
            operand.expr = self.weighed(self.quietly(operand.expr))
        return node

    def visit_Filter(self, node: nodes.Filter) -> nodes.Node:
        """Leave the texts in the arguments."""
        node.node = node.node and self.visit(node.node)
        return self.leave_arguments(node)

    def visit_Test(self, node: nodes.Test) -> nodes.Node:
        """Leave the texts in the arguments."""
        node.node = self.quietly(node.node)
        return self.leave_arguments(node)

    def visit_Call(self, node: nodes.Call) -> nodes.Node:
        """Leave the texts in the arguments of a method, such as split."""
        if not isinstance(node.node, (nodes.Getattr, nodes.Getitem)):
            return self.generic_visit(node)
        node.node = self.visit(node.node)
        return self.leave_arguments(node)

    def leave_arguments(self, node: nodes.Filter | nodes.Test | nodes.Call) -> nodes.Node:
        """Visit arguments without swapping."""
        node.args, node.kwargs = self.quietly(node.args), self.quietly(node.kwargs)
        node.dyn_args, node.dyn_kwargs = self.quietly(node.dyn_args), self.quietly(node.dyn_kwargs)
        return node

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:
        """Pay for a slice, which is a copy."""
        node.node, node.arg = self.visit(node.node), self.quietly(node.arg)
        return self.hook("made", [node], node.lineno) if isinstance(node.arg, nodes.Slice) else node

    # Values

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:
        """Let the sandbox do what ~ does."""
        return self.hook("joined", [self.visit(item) for item in node.nodes], node.lineno)

    def visit_List(self, node: nodes.List) -> nodes.Node:
        """Pay for a list."""
        return self.weighed(self.generic_visit(node))

    def visit_Tuple(self, node: nodes.Tuple) -> nodes.Node:
        """Pay for a tuple, unless it names variables."""
        node = self.generic_visit(node)
        return node if node.ctx == "store" else self.weighed(node)

    def visit_Dict(self, node: nodes.Dict) -> nodes.Node:
        """Pay for a dict, and for its keys before they are hashed."""
        for pair in node.items:
            pair.key, pair.value = self.weighed(self.quietly(pair.key)), self.visit(pair.value)
        return self.weighed(node)

    # Loops and macros

    def visit_For(self, node: nodes.For) -> nodes.Node | list[nodes.Node]:
        """Count the turns of a loop; mark whose turn it is, if it goes over messages."""
        line = node.lineno
        marked = self.marks and not self.captured
        node = self.generic_visit(node)
        if node.test is not None:
            node.test = nodes.And(self.ticker(node, line), node.test, lineno=line)
        names = [node.target, *node.target.find_all(nodes.Name)]
        names = [nodes.Name(name.name, "load", lineno=line) for name in names if isinstance(name, nodes.Name)]
        start = [nodes.ExprStmt(self.ticker(node, line), lineno=line)]
        if marked:
            start.append(nodes.Output([self.hook("turn", names, line)], lineno=line))
        node.body = start + node.body
        return [self.place(PUSH, line), node, self.place(POP, line)] if marked else node

    def place(self, mark: str, line: int) -> nodes.Output:
        """Make a node that prints a mark."""
        return nodes.Output([nodes.TemplateData(mark, lineno=line)], lineno=line)

    def ticker(self, node: nodes.Node, line: int) -> nodes.Call:
        """Make a call that pays for one turn and the texts in it."""
        size = sum(len(text.data) for text in node.find_all(nodes.TemplateData))
        size += sum(len(text.value) for text in node.find_all(nodes.Const) if isinstance(text.value, str))
        return self.hook("tick", [nodes.Const(size, lineno=line)], line)

    def visit_Macro(self, node: nodes.Macro) -> nodes.Node:
        """Count the calls of a macro."""
        node = self.capture(node)
        node.body = [nodes.ExprStmt(self.ticker(node, node.lineno), lineno=node.lineno), *node.body]
        return node

    def capture(self, node: nodes.Node) -> nodes.Node:
        """Visit a node whose output goes into a variable."""
        self.captured += 1
        try:
            return self.generic_visit(node)
        finally:
            self.captured -= 1

    visit_AssignBlock = visit_FilterBlock = capture

    def refuse(self, node: nodes.Node) -> nodes.Node:
        """Refuse what no chat template needs: other files, blocks."""
        kind = type(node).__name__.lower()
        raise jinja2.TemplateSyntaxError(f"a chat template has no use for {kind!r}", node.lineno)

    visit_Include = visit_Import = visit_FromImport = visit_Extends = visit_Block = visit_CallBlock = refuse
    visit_ScopedEvalContextModifier = visit_EvalContextModifier = refuse
