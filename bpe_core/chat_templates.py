r"""The chat templates of three families, written in Jinja2, and what else is known of each.

Each family has something of its own:

* ``qwen2.5`` (ChatML): a default system message, tools, tool results in a user turn.
* ``llama3``: begins with a BOS token, one header token on each side of the role, content trimmed.
* ``gemma``: no system role, strict alternation, and ``assistant`` is called ``model``. It is the
  third family, and not Mistral, because Gemma 1 and 2 have one form; Mistral's brackets were published
  in several that differ by a space, and were not control tokens at first.

Source: the templates in the tokenizer_config.json files of Qwen2.5-Instruct,
Meta-Llama-3-Instruct and gemma-2-it. The templates here are written anew and give the same texts.

To read one: ``{{ ... }}`` prints a value, ``{% ... %}`` is a statement, a minus sign inside
drops the white space on its side, and ``|`` passes a value through a filter, such as ``trim``.
``{% generation %}`` stands around what a model has to produce, as in Hugging Face transformers.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from .checks import check_text

TEMPLATES = {
    "qwen2.5": """\
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
    {%- elif message.role == 'assistant' -%}
        {{- '<|im_start|>assistant\\n' -}}
        {%- generation -%}
            {{- message.content -}}
            {%- for call in message.tool_calls or [] -%}
                {%- set call = call.function or call -%}
                {{- '\\n' if message.content or not loop.first -}}
                {{- '<tool_call>\\n{"name": "' + call.name + '", "arguments": ' -}}
                {{- call.arguments | tojson + '}\\n</tool_call>' -}}
            {%- endfor -%}
            {{- '<|im_end|>' -}}
        {%- endgeneration -%}
        {{- '\\n' -}}
    {%- else -%}
        {{- '<|im_start|>' + message.role + '\\n' + message.content -}}
        {{- tools_text if loop.first and message.role == 'system' -}}
        {{- '<|im_end|>\\n' -}}
    {%- endif -%}
{%- endfor -%}
{{- '<|im_start|>assistant\\n' if add_generation_prompt -}}
""",
    "llama3": """\
{{- '<|begin_of_text|>' -}}
{%- for message in messages -%}
    {{- '<|start_header_id|>' + message.role + '<|end_header_id|>\\n\\n' -}}
    {%- set said = message.content | trim + '<|eot_id|>' -%}
    {%- if message.role == 'assistant' -%}
        {%- generation -%}{{- said -}}{%- endgeneration -%}
    {%- else -%}
        {{- said -}}
    {%- endif -%}
{%- endfor -%}
{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' if add_generation_prompt -}}
""",
    "gemma": """\
{{- '<bos>' -}}
{%- for message in messages -%}
    {%- if message.role != ('assistant' if loop.index0 % 2 else 'user') -%}
        {{- raise_exception('roles must alternate user, assistant, user, ..., and there is no system role') -}}
    {%- endif -%}
    {%- set said = message.content | trim + '<end_of_turn>' -%}
    {%- if message.role == 'assistant' -%}
        {{- '<start_of_turn>model\\n' -}}{%- generation -%}{{- said -}}{%- endgeneration -%}
    {%- else -%}
        {{- '<start_of_turn>user\\n' + said -}}
    {%- endif -%}
    {{- '\\n' -}}
{%- endfor -%}
{{- '<start_of_turn>model\\n' if add_generation_prompt -}}
""",
}


class Family(NamedTuple):
    """What is known of a named template, beyond its source."""

    roles: tuple[str, ...]
    markers: tuple[str, ...]  # the control tokens without which it makes no sense
    alternates: bool = False
    tools: bool = False


FAMILIES = {
    "qwen2.5": Family(("system", "user", "assistant", "tool"), ("<|im_start|>", "<|im_end|>"), tools=True),
    "llama3": Family(
        ("system", "user", "assistant"),
        ("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
    ),
    "gemma": Family(("user", "assistant"), ("<bos>", "<start_of_turn>", "<end_of_turn>"), alternates=True),
}
ROLES = ("system", "developer", "user", "assistant", "tool")  # for a template of one's own
# Variables that hold control tokens.
TOKEN_NAMES = ("bos_token", "eos_token", "pad_token", "unk_token", "sep_token", "cls_token", "mask_token")


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
    text = check_text(Path(path).read_bytes().decode("utf-8-sig", "surrogateescape"), str(path))
    if Path(path).suffix != ".json":
        return Template(text)
    try:
        config = json.loads(text)
        named = config["chat_template"]
        named = {entry["name"]: entry["template"] for entry in named} if isinstance(named, list) else named
        named = named if isinstance(named, dict) else {"default": named}
        tokens = {key: config[key] for key in TOKEN_NAMES if config.get(key) is not None}
        tokens = {key: token["content"] if isinstance(token, dict) else token for key, token in tokens.items()}
        source = check_text(named[name or "default"], "chat_template")
        return Template(source, {key: check_text(token, key) for key, token in tokens.items()})
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        what = f"no chat_template {name or 'default'!r} can be read"
        raise ValueError(f"{path}: {what} ({type(error).__name__}: {error})") from None
