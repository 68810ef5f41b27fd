"""What counts as a bad conversation, and how the error says so; skip this file on a first reading."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from .chat_templates import ROLES, Family
from .checks import check_text

THOUGHTS = ("reasoning_content", "thinking", "reasoning")  # what templates call a model's thinking


def check_messages(messages: Sequence[Mapping], label: str, family: Family | None) -> list[dict]:
    """Return a copy of the messages for a template, or raise TypeError or ValueError that names the message.

    As in Hugging Face transformers, a field that is None is left out, and a model's thinking is there under
    the names that templates know.

    Args:
        messages: a list of mappings, if all is well.
        label: what errors call the template.
        family: what is known of the template; None for one of the learner's own.

    Example:
        >>> check_messages([{"role": "user"}], "your template", None)
        Traceback (most recent call last):
        ValueError: message 0 (role 'user') has no 'content'
    """
    if isinstance(messages, (str, bytes)) or not isinstance(messages, Sequence):
        raise TypeError(
            f"messages is of type {type(messages).__name__}; it must be a list of messages, "
            'each like {"role": "user", "content": "hi"}'
        )
    if not messages:
        raise ValueError("messages is empty; a conversation has at least one message")
    copies = []
    for i, message in enumerate(messages):
        if not isinstance(message, Mapping):
            raise TypeError(
                f"message {i} is of type {type(message).__name__}; "
                'it must be a mapping like {"role": "user", "content": "hi"}'
            )
        copy = change_texts(message, partial(check_text, name=f"a text in message {i}"))
        copy = {key: value for key, value in copy.items() if value is not None}
        _check_message(i, copy, label, family)
        if thought := next((copy[name] for name in THOUGHTS if name in copy), None):
            copy = {"thinking": thought} | copy | {"reasoning_content": thought}
        copies.append(copy)
    return copies


def _check_message(i: int, message: dict, label: str, family: Family | None) -> None:
    role, content, calls = (message.get(key) for key in ("role", "content", "tool_calls"))
    roles = family.roles if family else ROLES
    if family and family.alternates and role in roles:
        roles = roles[i % 2 :][:1]
    if role not in roles:
        raise ValueError(
            f"message {i} {f'has the role {role!r}' if role else 'has no role'}; in {label} it must be "
            f"{' or '.join(map(repr, roles))}{'; put its text into the first user message' * (role == 'system')}"
        )
    if calls and family and not (family.tools and role == "assistant"):
        raise ValueError(f"message {i} has tool_calls; {label} has no place for them there")
    if content is None and not calls and not any(name in message for name in THOUGHTS):
        raise ValueError(f"message {i} (role {role!r}) has no 'content'")
    if not isinstance(content, (str, type(None))) and (family or not isinstance(content, list)):
        raise TypeError(f"message {i}: the content is of type {type(content).__name__}; it must be a str")


def change_texts(value: object, change: Callable[[str], str], kept: Collection[str] = ()) -> object:
    """Return a copy of plain data in which every text is changed, keys included.

    Args:
        value: what JSON can hold.
        change: called with each text.
        kept: texts that stay where they are a key, a role or the type of something.

    Raises:
        TypeError: a value that JSON cannot hold; a template gets no other.

    Example:
        >>> change_texts({"type": "text", "text": ["a"]}, str.upper, {"type", "text"})
        {'type': 'text', 'text': ['A']}
    """
    if isinstance(value, str):
        return change(value)
    if isinstance(value, (list, tuple)):
        return [change_texts(item, change, kept) for item in value]
    if isinstance(value, Mapping):
        as_is = {key for key in value if key in ("role", "type") and isinstance(value[key], str) and value[key] in kept}
        return {
            key if key in kept else change(key): item if key in as_is else change_texts(item, change, kept)
            for key, item in value.items()
        }
    if value is None or isinstance(value, (bool, int, float)):
        return value
    raise TypeError(f"a template takes what JSON can hold, and no value of type {type(value).__name__}")
