"""Telling the template's control tokens from the content, and messages from each other; for a second reading.

Before a template runs, each control token that stands in its own text is replaced by one
character that no content can hold: a lone surrogate, half of a character, which check_text
refuses. In the output these characters are the control tokens, and nothing else is. Content
itself goes through the template untouched, so trimming, splitting or tojson work as ever. If the
output, with the characters written out again, is not what the plain run gave, the template
looked into its own markers or compared them with content, and there is an error.

Which message an id belongs to is found in the same way: content is wrapped in two marks, and each turn of a
loop over the messages writes a mark with the number of its message. Without the marks, the output must
be as before.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from itertools import groupby

from .byte_bpe import ByteBPE
from .patterns import special_regex
from .sandbox import BEGIN, DIGITS, END, POP, PUSH, TURN, Job, compile_job, digits, run

# Two of the marks have the number of a message behind them.
MARKS = re.compile(f"([{BEGIN}{TURN}][{chr(DIGITS)}-{chr(DIGITS + 255)}]{{3}}|[{END}{PUSH}{POP}])")


def separate(tokenizer: ByteBPE, job: Job, text: str) -> tuple[str, dict[str, str]]:
    """Find the control tokens that the template wrote.

    Args:
        tokenizer: the one that is to encode the text.
        job: what gave the text.
        text: the rendered text.

    Returns:
        The text with one character for each control token, and {that character: control token}.

    Raises:
        ValueError: the tokenizer lacks a control token, or the template mixes them with the content.
    """
    flat = run(job, apart=True)
    codes = compile_job(job, apart=True, marked=False).codes
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
    _check_whole(tokenizer, job, flat)
    return flat, written


def _check_whole(tokenizer: ByteBPE, job: Job, flat: str) -> None:
    # Markers left in the text come from content, which is why encode exists, or from a template
    # that joins pieces, as '<|' + role + '|>' does. To know, look whether they are there without content.
    if not tokenizer.special_tokens:
        return
    special = special_regex(tokenizer.special_tokens)
    if not special.search(flat):
        return
    filler = next((character for character in "x0_\xb7\u4e00" if character not in "".join(job.markers)), " ")
    messages, extras = (_blank(data, filler, job.markers) for data in (job.messages, job.extras))
    try:
        match = special.search(run(job._replace(messages=messages, extras=extras), apart=True))
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


def encode_parts(tokenizer: ByteBPE, flat: str, codes: Mapping[str, str]) -> Iterator[tuple[list[int], str]]:
    """Yield the ids of each part, and the part: a control token's character, or ordinary text.

    Args:
        tokenizer: the one that encodes.
        flat: a text, as ``separate`` gives it.
        codes: {character: control token}, as ``separate`` gives it.
    """
    pattern = f"([{''.join(codes)}])" if codes else "(?!)()"
    for part in re.split(pattern, flat):
        if part in codes:
            yield [tokenizer.special_tokens[codes[part]]], part
        elif part:
            yield tokenizer.encode_ordinary(part), part


def assign(
    tokenizer: ByteBPE, job: Job, flat: str, codes: Mapping[str, str]
) -> tuple[list[int], list[int | None], list[int]]:
    """Say which message each id belongs to, and which ids a model would have to produce.

    Args:
        tokenizer: the one that encodes.
        job: what gave the text.
        flat: the text, as ``separate`` gives it.
        codes: {character: control token}, as ``separate`` gives it.

    Returns:
        The ids, and for each the message or None, and 1 or 0, as in ``chat.Encoded``.

    Raises:
        ValueError: the template looks into the content, so that the messages cannot be told apart.
    """
    wrapped = job._replace(messages=[_wrap(message, i) for i, message in enumerate(job.messages)])
    seen, owners, content = _read_marks(run(wrapped, apart=True, marked=True))
    if seen != flat:
        raise ValueError(
            f"{job.label} looks into the content, so that it cannot be said "
            "which message each id belongs to; ask without details"
        )
    mask = _mask(job, owners, content, flat, codes)
    ids, index, assistant, place = [], [], [], 0
    for part_ids, part in encode_parts(tokenizer, flat, codes):
        end = place + len(part)
        labels = list(zip(owners[place:end], mask[place:end]))
        if part not in codes:
            labels = _token_labels(tokenizer, part, part_ids, labels)
        ids += part_ids
        index += [owner for owner, _ in labels]
        assistant += [masked for _, masked in labels]
        place = end
    return ids, index, assistant


def _wrap(message: dict, i: int) -> dict:
    # White space at the ends stays outside of the marks, where the template can trim it.
    def wrap(text: str) -> str:
        core = text.strip()
        return text.replace(core, BEGIN + digits(i) + core + END, 1) if core else text

    content = message.get("content")
    if isinstance(content, str):
        return message | {"content": wrap(content)}
    if isinstance(content, list):
        has_text = [isinstance(part, dict) and isinstance(part.get("text"), str) for part in content]
        parts = [part | {"text": wrap(part["text"])} if has else part for has, part in zip(has_text, content)]
        return message | {"content": parts}
    return message


def _read_marks(marked: str) -> tuple[str, list[int | None], list[bool]]:
    # Returns the text without marks, and for each of its characters the message and whether it is content.
    text, owners, content = [], [], []
    stack: list[int | None] = [None]
    inside = None
    for piece in MARKS.split(marked):
        if not MARKS.match(piece):
            text.append(piece)
            owners += [stack[-1] if inside is None else inside] * len(piece)
            content += [inside is not None] * len(piece)
        elif piece == PUSH:
            stack.append(stack[-1])
        elif piece == POP:
            del stack[max(1, len(stack) - 1) :]  # never the lowest, whatever a template does with a mark
        elif piece == END:
            inside = None
        else:
            number = int.from_bytes((ord(digit) - DIGITS for digit in piece[1:]), "big")
            if piece[0] == BEGIN:
                inside = number
            else:
                stack[-1] = number
    return "".join(text), owners, content


def _mask(job: Job, owners: list[int | None], content: list[bool], flat: str, codes: Collection[str]) -> list[int]:
    # Returns for each character 1 if a model would have to produce it, else 0.
    opening = _generation_prompt(job, flat)
    mask = [0] * len(flat)
    place = 0
    for owner, turn in groupby(owners):
        begin, place = place, place + len(list(turn))
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


def _generation_prompt(job: Job, flat: str) -> str:
    # What opens the assistant's turn, with one character for each control token; "" if that is unknown.
    try:
        other = run(job._replace(prompt=not job.prompt), apart=True)
    except ValueError:
        return ""
    longer, shorter = (flat, other) if job.prompt else (other, flat)
    return longer[len(shorter) :] if longer.startswith(shorter) else ""


def _token_labels(tokenizer: ByteBPE, part: str, ids: list[int], labels: list) -> list:
    # Returns for each token the label of the character in which it begins. Normalizing moves the
    # characters: a label then reaches as far as the normal form of the text up to its end.
    if tokenizer.normalization:
        form = tokenizer.normalization
        normal = unicodedata.normalize(form, part)
        if normal != part:
            moved, end = [], 0
            for label, same in groupby(labels):
                end += len(list(same))
                moved += [label] * (len(unicodedata.normalize(form, part[:end])) - len(moved))
            part, labels = normal, (moved + moved[-1:] * len(normal))[: len(normal)]
    by_byte = [label for label, character in zip(labels, part) for _ in range(len(character.encode("utf-8")))]
    starts, place = [], 0
    for i in ids:
        starts.append(place)
        place += len(tokenizer.vocab[i])
    return [by_byte[start] for start in starts]
