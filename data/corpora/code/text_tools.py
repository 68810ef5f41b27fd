"""Tools for plain text: wrapping, counting, comparing, and simple tables.

Every function takes strings and returns strings or plain containers, and
none of them prints anything.
"""

import re
import unicodedata
from collections import Counter

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
SENTENCE_END = re.compile(r"([.!?][\"')\]]*)\s+(?=[A-Z\"'(])")
SMALL_WORDS = frozenset("a an and as at but by for in nor of on or the to".split())
ROMAN = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"),
    (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
    (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]


def words(text):
    """Return the words of a text in lower case."""
    return [match.group().lower() for match in WORD.finditer(text)]


def sentences(text):
    """Split a text into sentences. Abbreviations may fool it."""
    marked = SENTENCE_END.sub("\\1\0", text.strip())
    return [part for part in marked.split("\0") if part]


def most_common(text, n=10, min_length=1):
    """Return the n most frequent words, longest first when counts are equal."""
    counts = Counter(word for word in words(text) if len(word) >= min_length)
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], -len(pair[0]), pair[0]))
    return ranked[:n]


def wrap(text, width=72, indent="", first_indent=None):
    """Break a paragraph into lines of at most the given width.

    A word that is longer than the width gets a line of its own.
    """
    if width < 1:
        raise ValueError("width must be at least 1")
    if first_indent is None:
        first_indent = indent
    lines = []
    current = first_indent
    empty = True
    for word in text.split():
        needed = len(word) if empty else len(word) + 1
        if not empty and len(current) + needed > width:
            lines.append(current)
            current = indent + word
        elif empty:
            current += word
        else:
            current += " " + word
        empty = False
    if not empty:
        lines.append(current)
    return "\n".join(lines)


def paragraphs(text):
    """Split a text at blank lines."""
    return [part for part in re.split(r"\n\s*\n", text.strip("\n")) if part.strip()]


def dedent(text):
    """Remove the spaces that all lines have in common on the left."""
    lines = text.split("\n")
    margins = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip()]
    margin = min(margins, default=0)
    return "\n".join(line[margin:] if line.strip() else "" for line in lines)


def title_case(text):
    """Capitalize a title, leaving small words alone except at the ends."""
    parts = text.lower().split()
    last = len(parts) - 1
    result = []
    for i, part in enumerate(parts):
        if part in SMALL_WORDS and i not in (0, last):
            result.append(part)
        else:
            result.append(part[:1].upper() + part[1:])
    return " ".join(result)


def slug(text):
    """Turn a title into something that can be part of an address."""
    decomposed = unicodedata.normalize("NFKD", text)
    plain = "".join(ch for ch in decomposed if not unicodedata.combining(ch))
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")


def plural(count, singular, many=None):
    """Return "1 cat", "2 cats", "3 boxes", "4 berries", and so on."""
    if count == 1:
        return f"1 {singular}"
    if many is None:
        if re.search(r"(s|x|z|ch|sh)$", singular):
            many = singular + "es"
        elif re.search(r"[^aeiou]y$", singular):
            many = singular[:-1] + "ies"
        else:
            many = singular + "s"
    return f"{count} {many}"


def join_list(items, conjunction="and"):
    """Join items the way they are joined in a sentence."""
    items = [str(item) for item in items]
    if len(items) <= 1:
        return "".join(items)
    if len(items) == 2:
        return f"{items[0]} {conjunction} {items[1]}"
    return ", ".join(items[:-1]) + f", {conjunction} {items[-1]}"


def to_roman(number):
    if not 0 < number < 4000:
        raise ValueError("number must be between 1 and 3999")
    result = []
    for value, letters in ROMAN:
        count, number = divmod(number, value)
        result.append(letters * count)
    return "".join(result)


def from_roman(text):
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    total = 0
    previous = 0
    for letter in reversed(text.upper()):
        if letter not in values:
            raise ValueError(f"not a Roman numeral: {text!r}")
        value = values[letter]
        if value < previous:
            total -= value
        else:
            total += value
            previous = value
    return total


def caesar(text, shift):
    """Shift the letters A-Z and a-z around the alphabet."""
    result = []
    for ch in text:
        if "a" <= ch <= "z":
            base = ord("a")
        elif "A" <= ch <= "Z":
            base = ord("A")
        else:
            result.append(ch)
            continue
        result.append(chr((ord(ch) - base + shift) % 26 + base))
    return "".join(result)


def edit_distance(a, b):
    """Return the number of single-letter changes that turn a into b."""
    if len(a) < len(b):
        a, b = b, a
    previous = list(range(len(b) + 1))
    for i, ch_a in enumerate(a, start=1):
        current = [i]
        for j, ch_b in enumerate(b, start=1):
            cost = 0 if ch_a == ch_b else 1
            current.append(min(
                previous[j] + 1,         # delete ch_a
                current[j - 1] + 1,      # insert ch_b
                previous[j - 1] + cost,  # replace or keep
            ))
        previous = current
    return previous[-1]


def closest(word, candidates, max_distance=2):
    """Return the candidate most like the word, or None."""
    best = None
    best_distance = max_distance + 1
    for candidate in candidates:
        distance = edit_distance(word, candidate)
        if distance < best_distance:
            best = candidate
            best_distance = distance
    return best


def anagrams(word_list):
    """Group the words that are made of the same letters."""
    groups = {}
    for word in word_list:
        key = "".join(sorted(word.lower()))
        groups.setdefault(key, []).append(word)
    return [group for group in groups.values() if len(group) > 1]


def table(rows, header=None, gap="  "):
    """Lay out rows in columns. Numbers go to the right, text to the left."""
    rows = [list(row) for row in rows]
    all_rows = ([list(header)] if header else []) + rows
    if not all_rows:
        return ""
    n_columns = max(len(row) for row in all_rows)
    for row in all_rows:
        row.extend([""] * (n_columns - len(row)))
    widths = [max(len(str(row[k])) for row in all_rows) for k in range(n_columns)]

    def format_row(row):
        cells = []
        for value, width in zip(row, widths):
            if isinstance(value, (int, float)):
                cells.append(str(value).rjust(width))
            else:
                cells.append(str(value).ljust(width))
        return gap.join(cells).rstrip()

    lines = [format_row(row) for row in all_rows]
    if header:
        lines.insert(1, gap.join("-" * width for width in widths))
    return "\n".join(lines)


def summary(text):
    """Return a few simple figures about a text."""
    all_words = words(text)
    n_sentences = max(len(sentences(text)), 1)
    return {
        "characters": len(text),
        "words": len(all_words),
        "different words": len(set(all_words)),
        "sentences": n_sentences,
        "paragraphs": len(paragraphs(text)),
        "words per sentence": round(len(all_words) / n_sentences, 1),
    }


if __name__ == "__main__":
    sample = "The cat sat. The dog, who was older, sat too! Was the cat pleased?"
    print(table(summary(sample).items(), header=("figure", "value")))
    print(join_list(f"{word} ({count})" for word, count in most_common(sample, 3)))
