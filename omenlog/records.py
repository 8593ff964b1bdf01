"""A game as it is kept in a file: how it was opened, every command, and what chance answered to each."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence

import msgspec

from domain.facts.chance import Answer, Request
from domain.facts.commands import AnyCommand
from domain.facts.events import ChanceAnswered, Told
from domain.local import Done
from omenlog.opening import Opening


class Answered(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True):
    """What chance answered to one request of a game."""

    index: int
    faces: tuple[int, ...] = ()
    pick: str = ""


class Moved(msgspec.Struct, frozen=True, omit_defaults=True):
    """A command that was accepted, and what chance answered."""

    seat: int
    command: AnyCommand
    told: int
    """A checksum of its events, by which a replay notices that it was decided otherwise."""
    chance: list[Answered] = []


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game, and what answers for chance after it."""

    revision: int
    """Of the rules that decided it."""
    opening: Opening
    chance: list[Answered]
    """What chance answered as the game began."""
    moves: list[Moved]
    seed: str | None = None
    tape: list[Answer] | None = None


class Given:
    """Chance that answers what a record says, and waits where it says nothing."""

    def __init__(self, answers: Iterable[Answered]) -> None:
        self._answers = {one.index: Answer(one.faces, one.pick) for one in answers}

    def ask(self, request: Request) -> Answer | None:
        return self._answers.get(request.index)


def recorded(log: Sequence[Done]) -> tuple[list[Answered], list[Moved]]:
    """What chance answered before the first command, and the commands."""
    began = [one for done in log if done.command is None for one in _answers(done.told)]
    return began, [
        Moved(one.actor, one.command, checksum(one.told), _answers(one.told)) for one in log if one.command is not None
    ]


def checksum(told: Sequence[Told]) -> int:
    """The CRC-32 of the events of a commit."""
    return zlib.crc32(_encode(told))


_encode = msgspec.json.Encoder().encode


def _answers(told: Iterable[Told]) -> list[Answered]:
    found = (one.event for one in told if isinstance(one.event, ChanceAnswered))
    return [Answered(one.index, tuple(one.faces), one.pick) for one in found]
