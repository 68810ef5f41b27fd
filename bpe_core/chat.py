r"""Chat templates: how a list of messages becomes one text, and that text becomes ids.

A chat model was trained on texts of one form, in which control tokens say where a turn
begins and ends. The form is a small program in the Jinja2 language, the chat template.
``render`` runs it, ``encode`` turns the result into ids. Whatever a message says, even
``<|im_end|>``, stays ordinary text in the ids: only the template makes control tokens.

The templates of three families are in ``chat_templates``. How it is done safely is in three more files:
``chat_checks`` (what counts as bad input), ``sandbox`` (running a template that nobody has
checked) and ``chat_spans`` (telling control tokens from content); skip them on a first reading.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from .byte_bpe import ByteBPE
from .chat_checks import check_messages, check_str, copy_plain
from .chat_spans import assign, encode_parts, separate
from .chat_templates import FAMILIES, GEMMA, LLAMA, QWEN, ROLES, TEMPLATES, TOKEN_NAMES, Family, Template  # noqa: F401
from .checks import check_special_names, check_text
from .sandbox import MAX_SOURCE, Job, run


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
    return run(_prepare(messages, template, extras, add_generation_prompt))


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
    job = _prepare(messages, template, extras, add_generation_prompt)
    text = run(job)
    markers = {*tokenizer.special_tokens, *job.markers, *job.tokens.values()} - {""}
    job = job._replace(markers=tuple(sorted(markers)))
    flat, codes = separate(tokenizer, job, text)
    if details:
        return Encoded(*assign(tokenizer, job, flat, codes), text)
    return [i for ids, _ in encode_parts(tokenizer, flat, codes) for i in ids]


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


def _text_of(content: object) -> str:
    if isinstance(content, str) or content is None:
        return content or ""
    return "".join(part["text"] for part in content if isinstance(part.get("text"), str))


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
            tokens[key] = check_str(value, f"{path}: {key}")
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
    return check_str(named[name], f"{path}: the chat template {name!r}")


# What comes in, checked and copied


def _prepare(messages: Sequence[Mapping], template: str | Template, extras: Mapping, prompt: bool) -> Job:
    label, source, family = _find_template(template)
    tokens = dict(getattr(template, "tokens", {}))
    tokens |= {key: check_str(value, key) for key, value in extras.items() if key in TOKEN_NAMES}
    rest = {key: copy_plain(value, key) for key, value in extras.items() if key not in TOKEN_NAMES}
    unknown = [key for key in extras if not (key == "tools" and family.tools)] if family else []
    if unknown:
        raise ValueError(f"{label} has no use for {', '.join(unknown)}")
    markers = family.markers if family else ()
    return Job(label, source, check_messages(messages, label, family), rest, tokens, markers, bool(prompt))


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
