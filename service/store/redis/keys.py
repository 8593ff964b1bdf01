"""The keys of the Redis store, what is written into them, and what the scripts answer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any
from urllib.parse import quote

import msgspec
from redis.crc import key_slot

from service.store.port import (
    AlreadyApplied,
    Appended,
    Applied,
    Conflict,
    GameRecord,
    InviteSpent,
    NoSuchGame,
    RecordChanges,
    Snapshot,
    StoreDamaged,
    StoreError,
    StoreUnavailable,
    TokenRecord,
)

Argument = bytes | str | int

RECORD = ("created", "status", "facts", "version", "revision")
"""Fields of a game's hash that make its record."""

_NUMBER = 2**63 - 1  # the largest number of a commit that is asked for


class GameKeys(msgspec.Struct, frozen=True):
    """The keys of one game, all in one slot because all have one hash tag."""

    game: str
    """Hash: the record, version and revision, the key that it was opened under, and the number of each commit by its
    idempotency key (a colon before it)."""
    log: str
    """Stream: `<number>-0` with `c` (the commit) and, where it has a key, `k` and `f` (its fingerprint)."""
    tokens: str
    """Hash: name -> flags, hash and the rest of a token."""
    hashes: str
    """Hash: hash of a token -> name. This is authoritative; the pointers outside of the slot only lead here."""
    texts: str
    secret: str
    """Apart, so that no query of the record can tell it by mistake."""
    void: str
    """Set while nobody may create the game any more (see `opening`)."""
    snapshots: str
    """Hash: number -> body."""
    refused: str
    scripted: tuple[str, ...]
    """What most scripts take: game, log, tokens, hashes, texts."""
    appending: tuple[str, ...]
    slot: int


class Keys:
    """All keys, each beginning with the prefix."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self.of: Callable[[str], GameKeys] = lru_cache(maxsize=4096)(self._of)
        """The keys of a game; its id may hold anything."""
        self.schema = f"{prefix}:schema"
        self.packs = f"{prefix}:packs"
        self.listed = (f"{prefix}:{{games}}:pending", f"{prefix}:{{games}}:list", f"{prefix}:{{games}}:places")
        """Hash of games that are about to be created, stream of those that were, hash of their places in it: one slot."""

    def _of(self, name: str) -> GameKeys:
        tag = f"{self._prefix}:{{g:{name if name.isalnum() else quote(name, safe='')}}}:"
        game, log, tokens, hashes, texts = (f"{tag}{part}" for part in ("game", "log", "tokens", "hashes", "texts"))
        return GameKeys(
            game=game,
            log=log,
            tokens=tokens,
            texts=texts,
            hashes=hashes,
            secret=f"{tag}secret",
            void=f"{tag}void",
            snapshots=f"{tag}snapshots",
            refused=f"{tag}refused",
            scripted=(game, log, tokens, hashes, texts),
            appending=(game, log),
            slot=key_slot(game.encode()),
        )

    def news(self, game: str) -> str:
        """The channel on which a game's heads are published (the scripts know it as well)."""
        return f"{self.of(game).game}:news"

    def token(self, digest: bytes) -> str:
        return f"{self._prefix}:token:{digest.hex()}"

    def creation(self, creator: str, key: str) -> str:
        scoped = sha256(f"{len(creator)}:{creator}{key}".encode()).hexdigest()
        return f"{self._prefix}:creation:{scoped}"

    def probe(self, tag: str) -> str:
        return f"{self._prefix}:probe:{{{tag}}}"


def bounded(number: int) -> int:
    """A number within what Redis can hold, which compares the same with every commit that exists."""
    return min(max(number, -1), _NUMBER)


# ---- tokens ----

_encode = msgspec.json.Encoder().encode
_tokens = msgspec.json.Decoder(TokenRecord)


def token_value(token: TokenRecord) -> bytes:
    """A token as the scripts can read and flag it."""
    flags = f"{int(token.revoked)}{int(token.spent)}:{len(token.hash)}:"
    return flags.encode() + token.hash + _encode(token)


def read_token(value: bytes) -> TokenRecord:
    """The token that a script has kept. Raises `StoreDamaged`."""
    try:
        flags, length, rest = value.split(b":", 2)
        token = _tokens.decode(rest[int(length) :])
    except ValueError as error:
        raise StoreDamaged(f"a token in Redis can't be read: {error}") from error
    return msgspec.structs.replace(token, revoked=flags[:1] == b"1", spent=flags[1:] == b"1")


# ---- arguments of scripts ----


def changes_arguments(changes: RecordChanges) -> Iterable[Argument]:
    """Changes as `take_changes` in the scripts takes them."""
    yield b"" if changes.facts is None else b"+" + changes.facts
    yield "" if changes.status is None else f"+{changes.status}"
    yield len(changes.tokens)
    for token in changes.tokens:
        yield token.id
        yield token_value(token)
    yield from counted(changes.revoke)
    yield len(changes.texts)
    for name, text in changes.texts.items():
        yield name
        yield "" if text is None else f"+{text}"


def counted(values: Sequence[Argument]) -> Iterable[Argument]:
    """How many, then each."""
    yield len(values)
    yield from values


def read_record(game: str, values: Sequence[bytes | None]) -> GameRecord | None:
    """The record from the fields of `RECORD`. Raises `StoreDamaged` if some are missing."""
    created, status, facts, version, revision = values
    if version is None:
        return None
    if created is None or status is None or facts is None or revision is None:
        raise StoreDamaged(f"the record of game {game} in Redis lacks parts")
    return GameRecord(
        id=game,
        created=created.decode(),
        status=status.decode(),
        facts=facts,
        version=int(version),
        revision=int(revision),
    )


def read_snapshot(answer: Sequence[bytes], game: str) -> Snapshot | None:
    """The snapshot that `LATEST` found. Raises as `checked` does."""
    checked(answer, game)
    return Snapshot(int(answer[1]), answer[2]) if len(answer) > 1 else None


def read_texts(keys: Sequence[str], values: Sequence[bytes | None]) -> dict[str, str]:
    """Those of the texts that are there."""
    return {key: text.decode() for key, text in zip(keys, values, strict=True) if text is not None}


def read_entries(
    game: str, first: int, entries: Sequence[tuple[bytes, Mapping[bytes, bytes]]]
) -> list[dict[bytes, bytes]]:
    """The fields of a log's entries, which must be numbered from `first` on without a gap: else raises `StoreDamaged`."""
    found = []
    for number, (name, fields) in enumerate(entries, first):
        if name != b"%d-0" % number or b"c" not in fields:
            raise StoreDamaged(f"commit {number} of game {game} is missing from Redis: restore a backup")
        found.append(dict(fields))
    return found


def checked(answer: Sequence[bytes], game: str) -> bytes:
    """The word of a script's answer about a game; nothing, if it found nothing.

    Raises `StoreUnavailable` if it is about another game: the connection is out of step and nothing on it can be believed.
    """
    if answer[0] != game.encode():
        raise StoreUnavailable("an answer of Redis is about another game than was asked")
    return answer[1] if len(answer) > 1 else b""


def done(game: str, where: str, answer: Any) -> bytes:  # noqa: ANN401 -- what a script answers
    """The word of an answer; those that no adapter returns are raised, as `NoSuchGame` or `StoreError`."""
    word = checked(answer, game)
    if word == b"nowhere":
        raise NoSuchGame(game)
    if word == b"damaged":
        raise StoreDamaged(f"{where}: commit {int(answer[2])} of game {game} is missing: restore a backup")
    if word == b"clash":
        raise StoreError(f"{where}: token {answer[2].decode()} has the hash of another one")
    return word


def appended(game: str, where: str, answer: Any) -> Appended:  # noqa: ANN401 -- what a script answers
    """What became of an append. Raises as `done` does."""
    if isinstance(answer, bytes):
        owner, _, number = answer.rpartition(b" ")
        checked([owner], game)
        return Applied(int(number))
    word = done(game, where, answer)
    answers: dict[bytes, Callable[[], Appended]] = {
        b"applied": lambda: Applied(int(answer[2])),
        b"conflict": lambda: Conflict(int(answer[2])),
        b"known": lambda: AlreadyApplied(int(answer[2]), answer[3]),
        b"spent": lambda: InviteSpent(answer[2]),
    }
    return answers[word]()
