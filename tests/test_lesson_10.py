"""What lesson 10 says and no cell of it prints: cuts of GPT-4o's list, genres, where the valley of bits per byte lies."""

import math
from collections import Counter
from functools import cache

import pytest

from bpe_core import ByteBPE, datasets, load

STRAIGHT = str.maketrans("‘’“”", "''\"\"")
TEXTS = {genre: datasets.prose(genre).translate(STRAIGHT) for genre in datasets.genres()}
SIZES = [round(256 * 2 ** (k / 2)) for k in range(9)]


def cut(tokenizer, size):
    merges = dict(list(tokenizer.merges.items())[: size - 256])
    vocab = {i: token for i, token in tokenizer.vocab.items() if i < size}
    return ByteBPE(vocab, merges, pattern=tokenizer.pattern)


def bits(learned, unseen, size, memory=1):
    """Bits of a model that remembers so many tokens, each context backed off to the shorter one."""
    counts, followed, kinds = Counter(), Counter(), Counter()
    for length in range(memory + 1):
        for place in range(length, len(learned)):
            context, token = tuple(learned[place - length : place]), learned[place]
            kinds[context] += (context, token) not in counts
            counts[context, token] += 1
            followed[context] += 1
    found = 0
    for place in range(1, len(unseen)):
        share = (counts[(), unseen[place]] + 1) / (len(learned) + size)
        for length in range(1, min(memory, place) + 1):
            context = tuple(unseen[place - length : place])
            if followed[context]:
                pairs = counts[context, unseen[place]]
                share = (pairs + kinds[context] * share) / (followed[context] + kinds[context])
        found -= math.log2(share)
    return found


@cache
def bits_per_byte(share_of_text=1, memory=1):
    """{genre: {size: bits per byte}}, each genre held out in turn."""
    found = {}
    for genre, text in TEXTS.items():
        rest = "\n\n".join(other for name, other in TEXTS.items() if name != genre)
        rest = rest[: int(share_of_text * len(rest))]
        whole = ByteBPE.train(rest, SIZES[-1], pattern="gpt2")
        cuts = {size: cut(whole, size) for size in SIZES if size <= whole.vocab_size}
        found[genre] = {
            size: bits(one.encode(rest), one.encode(text), size, memory) / len(text.encode())
            for size, one in cuts.items()
        }
    return found


def means(found):
    return {size: sum(row[size] for row in found.values()) / len(found) for size in found["talk"]}


def test_the_valley_of_a_bigram_model_is_between_the_ends_in_each_genre():
    found = bits_per_byte()
    for row in found.values():
        assert min(row, key=row.get) in (1024, 1448)
        assert min(row.values()) < 0.97 * min(row[256], row[4096])
    mean = means(found)
    assert [size for size in SIZES if mean[size] < 1.01 * min(mean.values())] == [724, 1024, 1448]


def test_less_text_and_a_longer_memory_move_the_valley_to_the_left():
    whole = means(bits_per_byte())
    for moved in (bits_per_byte(share_of_text=0.25), bits_per_byte(memory=2)):
        mean = means(moved)
        assert min(mean, key=mean.get) < min(whole, key=whole.get)


def test_most_pairs_of_a_new_text_were_seen_once_or_never():
    for genre, text in TEXTS.items():
        rest = "\n\n".join(other for name, other in TEXTS.items() if name != genre)
        whole = ByteBPE.train(rest, SIZES[-1], pattern="gpt2")
        learned, unseen = whole.encode(rest), whole.encode(text)
        pairs = Counter(zip(learned, learned[1:]))
        rare = sum(pairs[pair] <= 1 for pair in zip(unseen, unseen[1:]))
        assert rare > 0.7 * len(unseen)


def test_letters_and_talk_are_the_ends_of_the_held_out_genres():
    held = {}
    for genre, text in TEXTS.items():
        rest = "\n\n".join(other for name, other in TEXTS.items() if name != genre)
        whole = ByteBPE.train(rest, SIZES[-1], pattern="gpt2")
        for size in SIZES[1:]:
            held[size, genre] = len(text.encode()) / len(cut(whole, size).encode(text))
    for size in SIZES[1:]:
        ordered = sorted(TEXTS, key=lambda genre: held[size, genre])
        assert ordered[0] == "talk" and ordered[-1] == "letters"


def test_each_cut_of_gpt_4o_makes_its_tokens_from_earlier_ones():
    ids = {token: i for i, token in load("o200k_base").vocab.items()}
    for token, i in ids.items():
        if len(token) > 1:
            assert any(ids.get(token[:k], i) < i and ids.get(token[k:], i) < i for k in range(1, len(token)))


@pytest.mark.parametrize("genre", TEXTS)
def test_only_the_story_has_typographic_quotes(genre):
    assert (TEXTS[genre] != datasets.prose(genre)) == (genre == "story")
