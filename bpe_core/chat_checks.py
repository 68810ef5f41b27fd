"""What counts as a bad conversation, and how the error says so; skip this file on a first reading."""

from collections.abc import Mapping, Sequence

from .chat_templates import ROLES, Family
from .checks import check_text

THOUGHTS = (
    "reasoning_content",
    "thinking",
    "reasoning",
)  # what templates call a model's thinking, the usual name first


def check_messages(messages: Sequence[Mapping], label: str, family: Family | None) -> list[dict]:
    """Return a copy of the messages for a template, or raise TypeError or ValueError that names the message.

    As in Hugging Face transformers, a field that is None is left out, and a model's thinking is there under each
    of the names that templates know.

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
        copy = {key: value for key, value in copy_plain(message, f"message {i}").items() if value is not None}
        _check_role(i, copy, label, family)
        _check_content(i, copy, label, family)
        if thought := next((copy[name] for name in THOUGHTS if name in copy), None):
            copy = {"thinking": thought} | copy | {"reasoning_content": thought}
        copies.append(copy)
    return copies


def _check_role(i: int, message: dict, label: str, family: Family | None) -> None:
    roles = family.roles if family else ROLES
    known = ", ".join(map(repr, roles))
    if "role" not in message:
        raise ValueError(f"message {i} has no 'role'; it must be one of {known}")
    role = message["role"]
    if not isinstance(role, str):
        raise TypeError(f"message {i}: the role is of type {type(role).__name__}; it must be a str")
    if role == "system" and role not in roles:
        raise ValueError(
            f"message {i} has the role 'system'; this template has no system role; "
            f"put its text into the first user message ({label} knows {known})"
        )
    if role not in roles:
        raise ValueError(f"message {i} has the unknown role {role!r}; in {label} it must be one of {known}")
    turn = ("user", "assistant")[i % 2]
    if family and family.alternates and role != turn:
        raise ValueError(
            f"message {i} has the role {role!r}, but in {label} "
            f"roles alternate user, assistant, user, ...: it must be {turn!r}"
        )


def _check_content(i: int, message: dict, label: str, family: Family | None) -> None:
    calls = message.get("tool_calls")
    if calls and family:
        if not family.tools or message["role"] != "assistant":
            raise ValueError(f"message {i} has tool_calls; {label} has no place for them there")
        for call in calls:
            inner = (call.get("function") or call) if isinstance(call, dict) else None
            if not isinstance(inner, dict) or not isinstance(inner.get("name"), str) or "arguments" not in inner:
                raise ValueError(f"message {i}: a tool call must be a mapping with a 'name' (str) and 'arguments'")
    content = message.get("content")
    if content is None and not calls and not any(name in message for name in THOUGHTS):
        raise ValueError(f"message {i} (role {message['role']!r}) has no 'content'")
    if not isinstance(content, (str, type(None))) and (family or not isinstance(content, list)):
        raise TypeError(f"message {i}: the content is of type {type(content).__name__}; it must be a str")


def copy_plain(value: object, what: str) -> object:
    """Return a copy made of plain data: what a template can reach is what JSON can hold, and no more.

    Raises:
        TypeError: a value that JSON cannot hold, or a key that is no str.
        ValueError: a text holds a lone surrogate, or a value holds itself.

    Example:
        >>> copy_plain({"role": "user", "content": ("a", 1)}, "message 0")
        {'role': 'user', 'content': ['a', 1]}
    """
    try:
        if value is None or isinstance(value, (bool, int, float)):
            return value
        if isinstance(value, str):
            return check_text("".join([value]), what)  # a str, even if the value is of a class with methods of its own
        if isinstance(value, Mapping):
            if not all(isinstance(key, str) for key in value):
                raise TypeError(f"{what} holds a key that is no str")
            return {copy_plain(key, what): copy_plain(item, f"{what}, {key}") for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [copy_plain(item, what) for item in value]
    except RecursionError:
        raise ValueError(f"{what[:60]} is nested too deep") from None
    raise TypeError(f"{what} holds a value of type {type(value).__name__}; a template takes what JSON can hold")
