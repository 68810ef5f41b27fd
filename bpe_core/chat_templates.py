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
"""

from collections.abc import Mapping
from typing import NamedTuple

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
