"""Chance is a player: whatever is random is a request that a source answers, and the answer is recorded.

A source answers, or says *pending* (None): then the commit ends with the frames saved, and the answer comes as a command.
Nothing here uses a module-level generator: the result is the same on every platform, version and hash seed.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Protocol

import msgspec

from content.errors import listed

BYTE = 256
DIE_FACES = 3
"""A die shows 0, 1 or 2, equally likely (2E-ROLL-001)."""


class Request(msgspec.Struct, frozen=True, gc=False):
    """What chance is asked: a number of dice, or one of these options (by weight)."""

    index: int
    """How many requests this game answered before."""
    what: str
    """For people and for the tape: `dice`, `tile-back`, `tile`, `card:item`, `first-player`, `role`."""
    dice: int = 0
    options: tuple[str, ...] = ()
    weights: tuple[int, ...] = ()
    """As many as options, each at least 1; empty: all equal."""


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What chance answered: faces of all dice, or the option picked."""

    faces: tuple[int, ...] = ()
    pick: str = ""


class Misfit(Exception):
    """An answer (of a tape or a moderator) does not fit the request, which stays open."""


class Chance(Protocol):
    """A source of chance."""

    def ask(self, request: Request) -> Answer | None:
        """Answer, or None for pending. Must depend on the request and the source's own fixed data only."""


def check(request: Request, answer: Answer) -> Answer:
    """Return the answer if it fits the request.

    Raises:
        Misfit: with a sentence saying what was asked and what came.
    """
    if request.dice:
        if len(answer.faces) != request.dice or any(not 0 <= face < DIE_FACES for face in answer.faces):
            given = ", ".join(map(str, answer.faces)) or "none"
            dice = "1 die" if request.dice == 1 else f"{request.dice} dice"
            raise Misfit(f"expected the faces of {dice}, 0 to 2 each, not {given}")
        return Answer(faces=answer.faces)
    if request.options and answer.pick not in request.options:
        raise Misfit(f"`{answer.pick}` is not one of {listed(request.options)}")
    return Answer(pick=answer.pick)


class Seeded:
    """Dice from a secret seed: HMAC-SHA256 of game, entropy of the seats, index and block, by rejection sampling.

    The seed is committed to when the game opens (`commitment`) and revealed after it, so that anyone can roll every die again.
    """

    def __init__(self, seed: bytes, game: str, entropy: Sequence[str] = ()) -> None:
        """Bind seed, game and entropy; the key is derived and put into the hash once."""
        bound = "\x00".join((game, *entropy)).encode()
        self._keyed = hmac.new(hmac.digest(seed, bound, "sha256"), digestmod="sha256")

    def ask(self, request: Request) -> Answer:
        """Answer at once, always."""
        stream = _Stream(self._keyed, request.index)
        if request.dice:
            return Answer(faces=tuple(stream.below(DIE_FACES) for _ in range(request.dice)))
        if not request.weights:
            return Answer(pick=request.options[stream.below(len(request.options))])
        rest = stream.below(sum(request.weights))
        for option, weight in zip(request.options, request.weights, strict=True):
            if rest < weight:
                return Answer(pick=option)
            rest -= weight
        raise AssertionError(request)  # a number below the sum always falls within some weight


class _Stream:
    """Uniform numbers from HMAC blocks, for one request."""

    __slots__ = ("_at", "_block", "_bytes", "_index", "_keyed")

    def __init__(self, keyed: hmac.HMAC, index: int) -> None:
        self._keyed = keyed
        self._index = index
        self._fill(0)

    def _fill(self, block: int) -> None:
        keyed = self._keyed.copy()
        keyed.update(b"%d.%d" % (self._index, block))
        self._bytes = keyed.digest()
        self._block = block
        self._at = 0

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1 (at most 65,536), each equally likely: values in the last, incomplete span are thrown away."""
        size = 1 if bound <= BYTE else 2
        span = BYTE**size
        limit = span - span % bound
        while True:
            if self._at + size > len(self._bytes):
                self._fill(self._block + 1)
            value = int.from_bytes(self._bytes[self._at : self._at + size], "big")
            self._at += size
            if value < limit:
                return value % bound


def commitment(seed: bytes, salt: bytes) -> str:
    """The public promise of a seed: SHA-256 over salt and seed, both revealed after the game."""
    return hashlib.sha256(salt + seed).hexdigest()


class Tape:
    """A moderator with a prepared list of answers: for tests, puzzles and disputed turns.

    Answers are used in order, by the index of the request; beyond the end it is pending. A misfit leaves the request open.
    """

    def __init__(self, answers: Sequence[Answer], start: int = 0) -> None:
        """`start` is the index of the request that the first answer is for."""
        self._answers = answers
        self._start = start

    def ask(self, request: Request) -> Answer | None:
        """The prepared answer, if there is one and it fits.

        Raises:
            Misfit: the tape holds something else here.
        """
        at = request.index - self._start
        if not 0 <= at < len(self._answers):
            return None
        return check(request, self._answers[at])


class Continued:
    """A tape, with another source where it has no answer that fits: for sandboxes, which may have nobody to say what dice showed."""

    def __init__(self, tape: Tape, then: Chance) -> None:
        self._tape = tape
        self._then = then

    def ask(self, request: Request) -> Answer | None:
        """The prepared answer, else the other source's."""
        try:
            prepared = self._tape.ask(request)
        except Misfit:
            prepared = None
        return prepared or self._then.ask(request)


class Moderator:
    """The person who holds the real dice and cards, or all players at a table: every request waits for a command."""

    def ask(self, request: Request) -> None:
        """Always pending."""
