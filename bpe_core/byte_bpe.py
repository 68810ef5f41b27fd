"""ByteBPE: byte-pair encoding on UTF-8 bytes, with pre-tokenization and special tokens.

This is the form that GPT-2 and most models since have used. There are 256 bytes, so
every text in every script can be written, and no symbol is ever unknown.
"""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import chain

from .checks import (
    check_id_type,
    check_merges,
    check_special_names,
    check_special_tokens,
    check_text,
    check_vocab,
    check_whole_number,
    missing_byte,
)
from .encoding import LONG, JoinedRanks, MergeRanks, apply_merges, fuse_bytes, recover_merges
from .pairs import Merge
from .patterns import (
    count_words,
    name_of,
    pattern_regex,
    special_regex,
    split,
    splitter_of,
)
from .portable import translate
from .streaming import decode_parts, encode_parts
from .training import learn_merges

MAX_CACHED_PIECES = 100_000
MAX_CACHED_CHARACTERS = 2_000_000  # of all pieces together
MAX_CACHED_LENGTH = 1_000  # characters; a line drawn with 70 dashes comes again, longer pieces hardly ever
_finder = lru_cache(special_regex)  # of a frozenset of tokens
NORMALIZATIONS = (None, "NFC", "NFD", "NFKC", "NFKD")


class PieceCache(dict):
    """{piece: ids}, which merges a piece that it does not have, and keeps short ones.

    It holds at most MAX_CACHED_PIECES pieces and MAX_CACHED_CHARACTERS characters, and then begins
    anew: about 20 MB where ordinary text fills it, and never more than 100 MB.

    Example:
        >>> cache = PieceCache(lambda piece: [len(piece)])
        >>> cache["low"], cache
        ([3], {'low': [3]})
    """

    def __init__(self, merge: Callable[[str], list[int]]):
        """Take the function that gives the ids of a new piece."""
        super().__init__()
        self._merge = merge
        self._characters = 0

    def __missing__(self, piece: str) -> list[int]:
        ids = self._merge(piece)
        if len(piece) <= MAX_CACHED_LENGTH:
            if len(self) >= MAX_CACHED_PIECES or self._characters >= MAX_CACHED_CHARACTERS:
                self.clear()
            self._characters = self._characters + len(piece) if self else len(piece)
            self[piece] = ids
        return ids


class ByteBPE:
    """A byte-level BPE tokenizer: trained here, or built from a published vocabulary.

    Attributes:
        vocab: {id: bytes}, without the special tokens.
        merges: {(left id, right id): new id}, in the order learned.
        history: list of Merge(step, pair, new, count), ids; empty if it was not trained here.
        special_tokens: {text: id}; added tokens that are no control tokens are among them.
        not_special: those of special_tokens that are no control tokens, a frozenset; they are found in any text.
        vocab_size: number of ids in use: bytes, merges and special tokens.
        pattern: the name of the pre-tokenization pattern, a regular expression, or None.
        normalization: None, or the Unicode form that text is brought to first, such as "NFC".
        id_of: {bytes: id}, ``vocab`` the other way round.
        byte_ids: the id of each of the 256 bytes, or None where the vocabulary lacks it.
        whole_pieces: whether a piece that is a token is taken at once, without merging.
        pair_ranks: {(left id, right id): rank} that gives NEVER for other pairs; the lowest is fused first.
        results: ``results[rank]`` is the id that a pair of that rank becomes.

    Example:
        >>> tokenizer = ByteBPE.train("low lower lowest " * 20, 260)
        >>> tokenizer.tokens("slow")
        [b's', b'low']
        >>> tokenizer.decode(tokenizer.encode("naïve 🙂"))
        'naïve 🙂'
    """

    def __init__(
        self,
        vocab: Mapping[int, bytes],
        merges: Mapping[tuple[int, int], int] | None,
        *,
        pattern: str | None = None,
        special_tokens: Mapping[str, int] | None = None,
        not_special: Collection[str] = (),
        history: Iterable[Merge] = (),
        whole_pieces: bool = False,
        normalization: str | None = None,
    ):
        """Build a tokenizer from its parts; learners use ``train`` or ``load``.

        Args:
            vocab: {id: bytes}.
            merges: {(left id, right id): new id} in the order learned, or None for
                tiktoken's rule: neighbors fuse whenever their joined bytes are a token.
            pattern: a name, a regular expression, or None.
            special_tokens: {text: id}.
            not_special: those of them that any text may hold, as Hugging Face's added tokens
                with special: false. They are cut out of every text before normalization.
            history: the record of the training.
            whole_pieces: take a piece that is a token at once, without merging.
            normalization: None, "NFC", "NFD", "NFKC" or "NFKD".

        Raises:
            TypeError, ValueError: the parts do not fit together; the message says where.
        """
        self.vocab = check_vocab(vocab)
        self.id_of = {token: i for i, token in self.vocab.items()}
        self.special_tokens = check_special_tokens(special_tokens or {}, self.vocab)
        self.not_special = frozenset(not_special)
        if unknown := self.not_special - self.special_tokens.keys():
            raise ValueError(f"not_special holds {min(unknown)!r}, which is none of the special tokens")
        self._special_bytes = {i: text.encode("utf-8") for text, i in self.special_tokens.items()}
        self.pattern = name_of(pattern_regex(pattern))
        self._splitter = splitter_of(self.pattern)
        if normalization not in NORMALIZATIONS:
            raise ValueError(f"normalization is {normalization!r}; it must be one of {NORMALIZATIONS}")
        self.normalization = normalization
        self.whole_pieces = bool(whole_pieces)
        self.history = [Merge(*merge) for merge in history]
        self.byte_ids = [self.id_of.get(bytes([byte])) for byte in range(256)]
        self._listed_merges = None if merges is None else check_merges(merges, self.vocab)
        if merges is None:
            self.pair_ranks = JoinedRanks(self.vocab, self.id_of)
            self.results = range(max(self.vocab, default=0) + 1)  # here a rank is an id
        else:
            self.pair_ranks = MergeRanks.from_merges(self._listed_merges)
            self.results = list(self._listed_merges.values())
        self._joins_bytes = merges is None and None not in self.byte_ids
        self._cache = PieceCache(self._merge)
        self._token_bytes = {**self.vocab, **self._special_bytes}

    @classmethod
    def train(
        cls,
        corpus: str | Iterable[str],
        vocab_size: int,
        *,
        pattern: str | None = None,
        special_tokens: Iterable[str] = (),
        tie_break: str = "lowest_id",
        min_frequency: int = 1,
        progress: bool = False,
    ) -> "ByteBPE":
        """Learn a vocabulary from text.

        Args:
            corpus: a text, or an iterable of texts; no merge reaches from one text into the next.
            vocab_size: ids wanted: 256 bytes, the merges and the special tokens. Fewer are
                made, without an error, when the pairs run out.
            pattern: how text is cut before counting: a name from ``patterns.PATTERNS``, a
                regular expression, or None for no cut (merges may then cross anything).
            special_tokens: texts that get ids of their own, the last ones. They are cut out
                of the corpus before counting.
            tie_break: who wins among equal counts, see ``best_pair``. Here the ids of the bytes
                are their values; Hugging Face numbers the bytes in another order, so its
                ``"lowest_id"`` decides some ties otherwise.
            min_frequency: stop when the best pair occurs less often than this.
            progress: show a bar.

        Returns:
            The trained tokenizer.

        Raises:
            TypeError: the corpus is no text, or a number is no int.
            ValueError: vocab_size is below 256 plus the special tokens, the pattern or the
                tie rule is unknown, a text holds a lone surrogate.

        Example:
            >>> ByteBPE.train("aaabdaaabac", 258).vocab[257]
            b'ab'
        """
        special_tokens = _check_room(vocab_size, special_tokens)  # before the counting, which can take long
        return cls.train_on_counts(
            count_words(corpus, pattern, special_tokens=special_tokens),
            vocab_size,
            pattern=pattern,
            special_tokens=special_tokens,
            tie_break=tie_break,
            min_frequency=min_frequency,
            progress=progress,
        )

    @classmethod
    def train_on_counts(
        cls,
        words: Mapping[str, int],
        vocab_size: int,
        *,
        pattern: str | None,
        special_tokens: Iterable[str] = (),
        tie_break: str = "lowest_id",
        min_frequency: int = 1,
        progress: bool = False,
    ) -> "ByteBPE":
        """Learn a vocabulary from pieces that are counted already.

        Args:
            words: {piece: count}, as from ``count_words``: a character for each byte.
            vocab_size: as in ``train``.
            pattern: the one that the pieces were cut with; new text will be cut the same way.
            special_tokens: as in ``train``.
            tie_break: as in ``train``.
            min_frequency: as in ``train``.
            progress: show a bar.

        Returns:
            The trained tokenizer.

        Raises:
            TypeError, ValueError: as in ``train``.

        Example:
            >>> counts = count_words("to be or ", "gpt2") + count_words("not to be", "gpt2")
            >>> ByteBPE.train_on_counts(counts, 259, pattern="gpt2").tokens("to be")
            [b'to', b' be']
        """
        special_tokens = _check_room(vocab_size, special_tokens)
        wanted = vocab_size - len(special_tokens)
        contents = [bytes([byte]) for byte in range(256)]
        learned = learn_merges(words, contents, tie_break=tie_break, min_frequency=min_frequency)
        history = []
        from tqdm import tqdm  # here, because importing bpe_core stays light

        with tqdm(total=wanted - 256, disable=not progress, unit="merge", desc="learning merges") as bar:
            # A merge that makes bytes already there adds no id, so count ids, not merges.
            while len(contents) < wanted and (merge := next(learned, None)):
                history.append(merge)
                bar.update(len(contents) - 256 - bar.n)
        merges = {merge.pair: merge.new for merge in history}  # one learned twice keeps its first place
        specials = {text: len(contents) + i for i, text in enumerate(special_tokens)}
        vocab = dict(enumerate(contents))
        return cls(vocab, merges, pattern=pattern, special_tokens=specials, history=history)

    @classmethod
    def from_vocab_and_merges(
        cls,
        vocab: Mapping[int, bytes],
        merges: Iterable[tuple[bytes, bytes]],
        *,
        pattern: str | None,
        special_tokens: Mapping[str, int] | None = None,
        not_special: Collection[str] = (),
        whole_pieces: bool = False,
        normalization: str | None = None,
    ) -> "ByteBPE":
        """Build a tokenizer from a vocabulary and a list of merges, as files hold them.

        Args:
            vocab: {id: bytes}. The ids of the bytes need not be the byte values.
            merges: [(left bytes, right bytes)] in the order learned. A pair that stands
                there twice keeps its first place.
            pattern: as in ``train``.
            special_tokens: {text: id}.
            not_special: those of them that any text may hold.
            whole_pieces: as Hugging Face's ignore_merges.
            normalization: None or a Unicode form.

        Raises:
            ValueError: a merge whose parts or whose result are not in the vocabulary.

        Example:
            >>> vocab = {0: b"a", 1: b"b", 2: b"ab"}
            >>> ByteBPE.from_vocab_and_merges(vocab, [(b"a", b"b")], pattern=None).encode("abba")
            [2, 1, 0]
        """
        ids = {token: i for i, token in vocab.items()}
        by_id: dict[tuple[int, int], int] = {}
        for number, (left, right) in enumerate(merges):
            for token in (left, right, left + right):
                if token not in ids:
                    raise ValueError(f"merge number {number}, {left!r} + {right!r}: {token!r} is not in the vocabulary")
            by_id[ids[left], ids[right]] = ids[left + right]
        return cls(
            vocab,
            by_id,
            pattern=pattern,
            special_tokens=special_tokens,
            not_special=not_special,
            whole_pieces=whole_pieces,
            normalization=normalization,
        )

    @classmethod
    def from_ranks(
        cls,
        ranks: Mapping[bytes, int],
        *,
        pattern: str | None,
        special_tokens: Mapping[str, int] | None = None,
        not_special: Collection[str] = (),
        normalization: str | None = None,
    ) -> "ByteBPE":
        """Build a tokenizer from {bytes: rank}, the form of tiktoken's rank files.

        A rank is an id. Neighbors fuse by tiktoken's rule, and a piece that is a token is
        taken whole.

        Raises:
            ValueError: two tokens share a rank, one of the 256 bytes is missing, or the pattern
                holds what tiktoken reads otherwise, see ``portable``.

        Example:
            >>> ranks = {bytes([i]): i for i in range(256)} | {b"ab": 256}
            >>> ByteBPE.from_ranks(ranks, pattern=None).encode("cab")
            [99, 256]
        """
        vocab = {rank: token for token, rank in ranks.items()}
        if len(vocab) < len(ranks):
            token, rank = next((token, rank) for token, rank in ranks.items() if vocab[rank] != token)
            raise ValueError(f"two tokens share the rank {rank}: {token!r} and {vocab[rank]!r}")
        if (byte := missing_byte(ranks)) is not None:
            raise ValueError(f"the byte {byte:#04x} has no rank; a rank file holds all 256 bytes")
        if (expression := pattern_regex(pattern)) is not None:
            translate(expression, "tiktoken")  # raises for what would be cut otherwise there
        return cls(
            vocab,
            None,
            pattern=pattern,
            special_tokens=special_tokens,
            not_special=not_special,
            whole_pieces=True,
            normalization=normalization,
        )

    def with_special_tokens(self, names: Iterable[str]) -> "ByteBPE":
        """Return a tokenizer with more special tokens, which get the ids after the highest one.

        With the vocabulary of GPT-4 and the markers of Llama 3 one can try Llama's chat template. The
        ids are not Llama's own: its vocabulary is another one.

        Args:
            names: the texts of the new special tokens.

        Raises:
            ValueError: a name that is a special token already, or stands there twice.

        Example:
            >>> ByteBPE.train("", 256).with_special_tokens(["<bos>", "<end_of_turn>"]).special_tokens
            {'<bos>': 256, '<end_of_turn>': 257}
        """
        names = check_special_names(names)
        if taken := [name for name in names if name in self.special_tokens]:
            raise ValueError(f"{taken[0]!r} is a special token of the tokenizer already")
        free = max([*self.vocab, *self.special_tokens.values()], default=-1) + 1
        new = {name: free + i for i, name in enumerate(names)}
        return ByteBPE(
            self.vocab,
            self._listed_merges,
            pattern=self.pattern,
            special_tokens=self.special_tokens | new,
            not_special=self.not_special,
            history=self.history,
            whole_pieces=self.whole_pieces,
            normalization=self.normalization,
        )

    @property
    def joins_by_rank(self) -> bool:
        """Whether neighbors fuse by tiktoken's rule, and not by a list of merges."""
        return self._listed_merges is None

    @property
    def vocab_size(self) -> int:
        """The number of ids in use."""
        return len(self.vocab) + len(self.special_tokens)

    @cached_property
    def merges(self) -> dict[tuple[int, int], int]:
        """The merges in the order learned; from ranks they are worked out when first asked for.

        Example:
            >>> ByteBPE.train("abab", 257).merges
            {(97, 98): 256}
        """
        return recover_merges(self.vocab) if self.joins_by_rank else self._listed_merges

    # Encoding

    def encode(
        self,
        text: str,
        *,
        allowed_special: str | Collection[str] = frozenset(),
        disallowed_special: str | Collection[str] = "all",
    ) -> list[int]:
        """Cut a text into ids, with special tokens where they are allowed.

        Of the tokens looked for, the longest of those that begin first is found. The tokens in
        ``not_special`` are always looked for, as in Hugging Face tokenizers.

        Args:
            text: any text.
            allowed_special: special tokens that become their ids when the text holds them;
                ``"all"`` for all of them.
            disallowed_special: texts that raise an error when the text holds them; ``"all"``
                for every control token that is not allowed. ``()`` lets them be encoded as
                ordinary text.

        Returns:
            A list of ids.

        Raises:
            TypeError: the text is no str.
            ValueError: the text holds a disallowed special token or a lone surrogate.

        Example:
            >>> tokenizer = ByteBPE.train("hello", 257, special_tokens=["<end>"])
            >>> tokenizer.encode("a<end>", allowed_special={"<end>"}), tokenizer.encode("<", disallowed_special=())
            ([97, 256], [60])

        Source: the rules of tiktoken's ``Encoding.encode``.
        """
        check_text(text)
        return self._encode_around(text, self._wanted_tokens(text, allowed_special, disallowed_special))

    def encode_ordinary(self, text: str) -> list[int]:
        """Cut a text into ids; the text of a control token is ordinary text here.

        Example:
            >>> ByteBPE.train("", 257, special_tokens=["<s>"]).encode_ordinary("<s>")
            [60, 115, 62]
        """
        return self._encode_around(check_text(text), self.not_special)

    def _encode_around(self, text: str, added: frozenset[str]) -> list[int]:
        # The text with these added tokens as their ids, and all between them as ordinary text.
        ids = []
        for i, part in enumerate(_finder(added).split(text) if added else [text]):
            if i % 2:  # the pattern has one group, so every second part is an added token
                ids.append(self.special_tokens[part])
            else:
                pieces = split(self.normalize(part), self._splitter)
                ids += chain.from_iterable(map(self._cache.__getitem__, pieces))
        return ids

    def encode_batch(self, texts: Iterable[str], **special) -> list[list[int]]:
        """Encode several texts; the keyword arguments are those of ``encode``.

        Example:
            >>> ByteBPE.train("aa", 257).encode_batch(["aaa", "b"])
            [[256, 97], [98]]
        """
        if isinstance(texts, str):
            raise TypeError("texts is one str; it must be an iterable of texts, such as a list")
        return [self.encode(text, **special) for text in texts]

    def pieces(self, text: str) -> list[str]:
        """Return the pieces that merges stay inside, after normalization.

        A token in ``not_special`` is a piece of its own.

        Example:
            >>> ByteBPE.train("", 256, pattern="gpt2").pieces("two words")
            ['two', ' words']
        """
        parts = _finder(self.not_special).split(check_text(text)) if self.not_special else [check_text(text)]
        cut = ([part] if i % 2 else split(self.normalize(part), self._splitter) for i, part in enumerate(parts))
        return [piece for pieces in cut for piece in pieces]

    def normalize(self, text: str) -> str:
        """Return the text in the Unicode form that it is brought to before it is cut.

        Example:
            >>> ByteBPE({}, {}, normalization="NFC").normalize("e\\u0301") == "é"
            True
        """
        return unicodedata.normalize(self.normalization, text) if self.normalization else text

    def tokens(self, text: str) -> list[bytes]:
        """Return the bytes of each token of a text, control tokens taken as ordinary text.

        Example:
            >>> ByteBPE.train("low low", 258).tokens("slow é")
            [b's', b'low', b' ', b'\\xc3', b'\\xa9']
        """
        return [self._bytes_of(i) for i in self.encode_ordinary(text)]

    def base_symbols(self, piece: str) -> list[int]:
        """Return the ids of the bytes of a piece, which merges start from.

        Raises:
            ValueError: the vocabulary has no token for one of the bytes.

        Example:
            >>> ByteBPE.train("", 256).base_symbols("é!")
            [195, 169, 33]
        """
        data = piece.encode("utf-8")
        ids = [self.byte_ids[byte] for byte in data]
        if None in ids:
            raise ValueError(f"the vocabulary has no token for the byte {data[ids.index(None)]:#04x} in {piece!r}")
        return ids

    def _merge(self, piece: str) -> list[int]:
        data = piece.encode("utf-8")
        if self.whole_pieces and (whole := self.id_of.get(data)) is not None:
            return [whole]
        if self._joins_bytes and len(data) < LONG:
            return fuse_bytes(data, self.id_of)
        return apply_merges(self.base_symbols(piece), self.pair_ranks, self.results)

    def _wanted_tokens(self, text: str, allowed_special, disallowed_special) -> frozenset[str]:
        # Returns the tokens to look for, or raises where the text holds a disallowed one.
        names = frozenset(self.special_tokens)
        allowed = _special_set("allowed_special", allowed_special, names)
        disallowed = _special_set("disallowed_special", disallowed_special, names - allowed - self.not_special)
        if disallowed and (match := _finder(disallowed).search(text)):
            raise ValueError(
                f"the text holds the special token {match.group()!r} at index {match.start()}. "
                f"To encode it as a special token, pass allowed_special={{{match.group()!r}}}; "
                "to encode it as ordinary text, pass disallowed_special=()"
            )
        return allowed & names | self.not_special

    def encode_iterable(
        self,
        texts: Iterable[str],
        *,
        allowed_special: str | Collection[str] = frozenset(),
        disallowed_special: str | Collection[str] = "all",
    ) -> Iterator[int]:
        """Encode a text that comes in parts, such as an open file, id by id.

        The ids are those of the joined text, wherever it was cut. Text is held back only
        until a place is known where the pieces cannot change any more, so memory stays
        small for ordinary text under the named patterns, and without a pattern where some
        two bytes never stand side by side in a token. For a pattern of your own no such
        place is known: then the whole text is held.

        Args:
            texts: an iterable of str.
            allowed_special: as in ``encode``.
            disallowed_special: as in ``encode``.

        Yields:
            Ids.

        Example:
            >>> tokenizer = ByteBPE.train("hello hello", 260)
            >>> list(tokenizer.encode_iterable(["hel", "lo"])) == tokenizer.encode("hello")
            True
        """
        return encode_parts(self, texts, allowed_special, disallowed_special)

    # Decoding

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Return the bytes that the ids stand for.

        Raises:
            KeyError: an id that stands for nothing, named in the message.
            TypeError: an id that is no int (bool and float are refused).

        Example:
            >>> ByteBPE.train("", 256).decode_bytes([226, 130])
            b'\\xe2\\x82'
        """
        ids = list(ids)
        if set(map(type, ids)) <= {int}:
            with suppress(KeyError):  # the way below names what is wrong
                return "".join(map(self._packed.__getitem__, ids)).encode("latin-1")
        return b"".join(map(self._bytes_of, ids))

    @cached_property
    def _packed(self) -> dict[int, str]:
        # Each token as a str with one character for each byte: Python joins str faster than bytes.
        return {i: token.decode("latin-1") for i, token in self._token_bytes.items()}

    def decode(self, ids: Iterable[int], errors: str = "replace") -> str:
        """Return the text that the ids stand for.

        Args:
            ids: token ids.
            errors: what to do where the bytes are no UTF-8, as in ``bytes.decode``:
                ``"replace"`` shows U+FFFD, ``"strict"`` raises UnicodeDecodeError.

        Example:
            >>> ByteBPE.train("", 256).decode([226, 130, 172])
            '€'
        """
        return self.decode_bytes(ids).decode("utf-8", errors)

    def decode_stream(self, ids: Iterable[int], errors: str = "replace") -> Iterator[str]:
        """Decode ids one at a time, as a model makes them, without ever showing half a character.

        Yields:
            For each id the text that has become complete, often one word, sometimes ``""``;
            at the end what was left over, if anything. Joined, this is ``decode(ids)``.

        Example:
            >>> list(ByteBPE.train("", 256).decode_stream([226, 130, 172, 33]))
            ['', '', '€', '!']
        """
        return decode_parts(map(self._bytes_of, ids), errors)

    def _bytes_of(self, i: int) -> bytes:
        if (token := self._token_bytes.get(check_id_type(i))) is None:
            raise KeyError(f"unknown id {i}: the vocabulary has no token with this id")
        return token

    def __eq__(self, other: object) -> bool:
        """Two tokenizers are equal when they cut every text alike, into the same ids."""
        if not isinstance(other, ByteBPE):
            return NotImplemented
        return self._parts() == other._parts()

    __hash__ = None

    def _parts(self) -> tuple:
        names = ("vocab", "special_tokens", "not_special", "pattern", "whole_pieces", "normalization", "history")
        return (self._listed_merges, list(self._listed_merges or ()), *(getattr(self, name) for name in names))

    def __repr__(self) -> str:
        """Say what it is in one line."""
        return (
            f"<ByteBPE: {self.vocab_size:,} ids, {len(self.special_tokens)} of them special, pattern={self.pattern!r}>"
        )


def _check_room(vocab_size: int, special_tokens: Iterable[str]) -> list[str]:
    # Returns the special tokens, if the vocabulary has room for them and the 256 bytes.
    names = check_special_names(special_tokens)
    if check_whole_number("vocab_size", vocab_size) < (least := 256 + len(names)):
        raise ValueError(
            f"vocab_size is {vocab_size}; it must be at least {least}: 256 bytes and {len(names)} special tokens"
        )
    return names


def _special_set(name: str, value: str | Collection[str], everything: frozenset[str]) -> frozenset[str]:
    if isinstance(value, str):
        if value != "all":
            raise TypeError(f'{name} is {value!r}; it must be "all" or a set of texts')
        return everything
    return frozenset(value)
