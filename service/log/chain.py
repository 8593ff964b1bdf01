"""The hash chain of a game, made so that it proves everything and shows nothing.

There are always eight principals (six seats, the spectators, the referee), whoever knows what. For each, a salted
digest of what it was told of the commit; `root` is the digest of the eight, `hash` takes in the commit before. Whoever
is given its salt and the eight digests can check that what it was told is in the chain. Nobody can tell from them
what the others were told, nor how much.

    salts  = SHAKE-256(key + number), 256 bytes, 32 for each principal in order
    digest = SHA-256(salt + SHA-256(what the principal was told))
    root   = SHA-256(the eight digests)                        hash = SHA-256(prev + root + number), as text

To the seats and spectators belong the public header, the actor, the command and the events that they were told, a line
feed between each; to the referee all bytes before `root`, masks and key digest included, so that nothing stored is
outside the chain. What several were told is hashed once, which is why the salt comes second.

There is one way to write a commit: `verify` lays it out again from its parts and compares. A name that occurs twice, a blank or a capital in a
digest breaks the chain, though a parser would read the same; else one file could show two roles two things under one hash.
"""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

import msgspec

from content.patterns import whole
from domain.facts.audience import MAX_SEATS, REFEREE, Mask
from service.log.commits import VERSION, Draft, Parts, Stored, body_of, cut, encode_body, joined

FIRST = "0" * 64
"""The hash given for the commit before the first."""

TELLABLE = MAX_SEATS + 1
"""Principals whose part is made of pieces: the seats (0 to 5) and the spectators (6). The referee (7) sees all."""
PRINCIPALS = TELLABLE + 1
SALT = 32
"""Bytes of a salt."""

Digest = Annotated[str, msgspec.Meta(pattern=whole("^[0-9a-f]{64}$"))]
"""32 bytes as they are written, in one way only: a file altered in nothing but the case of a letter is an altered file."""

SHOWN = 20
"""Bytes of a line that a message shows."""

_sha256 = hashlib.sha256


class Salts:
    """The salts of one game: one call makes the eight of a commit, and no slice of its output tells of another."""

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        self._key = key

    def of(self, number: int) -> list[bytes]:
        """The salts of a commit, by principal."""
        made = hashlib.shake_256(b"%b%d" % (self._key, number)).digest(PRINCIPALS * SALT)
        return [made[at : at + SALT] for at in range(0, PRINCIPALS * SALT, SALT)]


class Sealed(msgspec.Struct, frozen=True):
    """A commit ready to be stored."""

    body: bytes
    hash: str
    parts: Parts


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Proof that one principal's part is in the chain."""

    salt: Digest
    digests: list[Digest]
    """Of all eight principals in order."""
    prev: Digest
    root: Digest
    hash: Digest


class Broken(ValueError):
    """The chain doesn't hold. The message says what differs."""


def seal(draft: Draft, prev: str, salts: Salts) -> Sealed:
    """Encode a commit and add its place in the chain; `prev` is the hash of the commit before, or `FIRST`."""
    body, parts = encode_body(draft, prev)
    root = _root(digests(body, parts, draft.number, salts))
    link = _link(prev, root, draft.number)
    return Sealed(b'%b,"root":"%b","hash":"%b"}' % (body, root.encode(), link.encode()), link, parts)


def verify(stored: bytes, prev: str, salts: Salts) -> Stored:
    """Check that stored bytes are the commit that follows on `prev`. Raises `Broken` if a bit was changed, or the place is another."""
    try:
        commit, parts = cut(stored)
        body = body_of(stored)
    except ValueError as error:
        raise Broken(f"no commit: {error}") from None
    if commit.v != VERSION:
        raise Broken(f"commit {commit.number} is of version {commit.v}, not {VERSION}")
    if commit.prev != prev:
        raise Broken(f"commit {commit.number} follows on another commit than the one before it")
    ends = b'%b,"root":"%b","hash":"%b"}' % (body, commit.root.encode(), commit.hash.encode())
    if stored != ends:
        raise Broken(
            f"commit {commit.number} was changed: behind what is hashed stands more than root and hash, {unlike(stored, ends)}"
        )
    if body != joined(commit, parts):
        # Otherwise a name that occurs twice in the object could tell one thing to a role and another to the referee.
        raise Broken(
            f"commit {commit.number} was changed: it isn't laid out as commits are, {unlike(body, joined(commit, parts))}"
        )
    root = _root(digests(body, parts, commit.number, salts))
    if root != commit.root:
        raise Broken(f"commit {commit.number} was changed: its bytes don't give its root")
    if _link(prev, root, commit.number) != commit.hash:
        raise Broken(f"commit {commit.number} was changed: its root and number don't give its hash")
    return commit


def prove(stored: bytes, principal: int, salts: Salts) -> Proof:
    """What a principal needs to check its part of a commit: 0 to 5 for a seat, 6 for the spectators, 7 for the referee."""
    commit, parts = cut(stored)
    made = digests(body_of(stored), parts, commit.number, salts)
    salt = salts.of(commit.number)[principal]
    return Proof(salt.hex(), [one.hex() for one in made], commit.prev, commit.root, commit.hash)


def check_proof(told: bytes, number: int, principal: int, proof: Proof) -> None:
    """Check that what a principal (0 to 7) was told, as `told_to` makes it, is in the chain. Raises `Broken`."""
    try:
        made = [bytes.fromhex(one) for one in proof.digests]
        mine = _sha256(bytes.fromhex(proof.salt) + _sha256(told).digest()).digest()
    except ValueError as error:
        raise Broken(f"commit {number}: the proof is malformed: {error}") from None
    if len(made) != PRINCIPALS or made[principal] != mine:
        raise Broken(f"commit {number}: what was told doesn't give its digest")
    if _root(made) != proof.root or _link(proof.prev, proof.root, number) != proof.hash:
        raise Broken(f"commit {number}: the digests don't give the hash")


def digests(body: bytes, parts: Parts, number: int, salts: Salts) -> list[bytes]:
    """The salted digests of the eight principals."""
    groups, firsts = _alike((parts.actor.to, parts.command.to, *[part.to for part in parts.events]))
    told = [_sha256(told_to(parts, principal)).digest() for principal in firsts]
    *salts_, last = salts.of(number)
    made = [_sha256(salt + told[group]).digest() for salt, group in zip(salts_, groups, strict=True)]
    made.append(_sha256(last + _sha256(body).digest()).digest())
    return made


@lru_cache(maxsize=4096)
def _alike(masks: tuple[Mask, ...]) -> tuple[list[int], list[int]]:
    """Groups those who are told the same: each one's group, and the first of each. Kept, for few audiences make up nearly all commits."""
    groups: list[int] = []
    firsts: list[int] = []
    known: dict[tuple[int, ...], int] = {}
    for principal in range(TELLABLE):
        shown = tuple(mask >> principal & 1 for mask in masks)
        if shown not in known:
            known[shown] = len(firsts)
            firsts.append(principal)
        groups.append(known[shown])
    return groups, firsts


def told_to(parts: Parts, principal: int) -> bytes:
    """What a seat (0 to 5) or the spectators (6) were told of a commit, as it is hashed."""
    pieces = [part.body for part in (parts.actor, parts.command, *parts.events) if part.to >> principal & 1]
    return b"\n".join([parts.header, *pieces])


def unlike(line: bytes, expected: bytes) -> str:
    """From where on a line differs from how it should be written; empty if nowhere."""
    if line == expected:
        return ""
    at = next((at for at, (one, other) in enumerate(zip(line, expected, strict=False)) if one != other), None)
    at = min(len(line), len(expected)) if at is None else at
    return f"from byte {at + 1} on: {line[at : at + SHOWN].decode(errors='replace')!r}"


def position(principal: int) -> int:
    """The number of a principal, 0 to 7, from its single bit."""
    return principal.bit_length() - 1


def _root(made: Sequence[bytes]) -> str:
    return _sha256(b"".join(made)).hexdigest()


def _link(prev: str, root: str, number: int) -> str:
    return _sha256(f"{prev}{root}{number}".encode()).hexdigest()


assert 1 << TELLABLE == REFEREE  # noqa: S101 -- the layout of masks and the chain must agree; checked once, at import
