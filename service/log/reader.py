"""Reading a game's log: its commits as they are stored, a page at a time, and the past that `decide` is handed where play goes back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

from domain.facts.audience import Mask
from domain.facts.lifecycle_commands import AnyRecorded, Life
from domain.facts.state import MODERATOR, UNNAMED, State
from domain.past import NOBODY, Passed, Past
from domain.rulebook.desk.taking_back import BEHIND
from domain.rulebook.desk.talk import talk
from domain.rulebook.turn.options import answering_seat
from service.identity import CO_REFEREE
from service.log.commits import read_folded
from service.store.port import LogStore, StoreDamaged

PAGE = 500
"""Commits read from a store at once."""


async def pages(
    store: LogStore, game: str, upto: int, *, after: int = 0, size: int = PAGE
) -> AsyncIterator[list[bytes]]:
    """The stored commits behind one, up to another, `size` at a time. Raises `StoreDamaged` if the log ends before `upto`."""
    while after < upto:
        page = await store.read(game, after, min(size, upto - after))
        if not page:
            raise StoreDamaged(f"the log of game {game} ends before commit {upto}")
        yield page
        after += len(page)


async def commits(store: LogStore, game: str, upto: int) -> AsyncIterator[tuple[int, bytes]]:
    """All stored commits up to one, each with its number. Raises as `pages` does."""
    number = 0
    async for page in pages(store, game, upto):
        for body in page:
            number += 1
            yield number, body


# -- the past ------------------------------------------------------------------------------------------------------------

MODERATOR_OF = {"referee": "moderator", CO_REFEREE: "co-moderator"}
"""As the log names the referees who answer for chance, by the names of their tokens."""
MODERATORS = tuple(MODERATOR_OF.values())
REFEREES = (*MODERATORS, "referee")
"""Moderators, and the referee as the log names whoever changes a game as a whole."""
AUTO, CLOCK = "auto", "clock"
"""As the log names who acts in a seat's place: a standing order that is due, a deadline that ran out."""
TRAITOR = "traitor"
"""A hidden traitor who runs the monsters, as the log names it to everybody (2E-HID-003)."""


def actor_number(actor: str) -> int:
    """Who acted, as the rules count: a seat, the referee, or nobody of these."""
    if actor.startswith("seat:"):
        return int(actor.removeprefix("seat:"))
    return MODERATOR if actor in REFEREES else NOBODY


def actor_of(state: State, actor: str, command: AnyRecorded) -> int:
    """In whose place a recorded command is decided: of a standing order, and of a hidden traitor, the seat behind it.

    Raises:
        Refused: a standing order whose decision is not open.
        ValueError: no actor of the log has this name.
    """
    if isinstance(command, Life):
        return NOBODY
    if actor == AUTO:
        return answering_seat(state, command.decision)
    if actor == TRAITOR:
        return state.seat_of(UNNAMED)
    return MODERATOR if actor in MODERATORS else int(actor.removeprefix("seat:"))


def past_in(bodies: Iterable[bytes], to: int, seats: int) -> Past:
    """The past up to some commit, from the stored commits 1, 2, 3 up to it. Raises `ValueError` for other bytes."""
    past = Past(to, seats)
    _fill(past, bodies)
    return past


async def past_of(store: LogStore, game: str, to: int, seats: int, version: int) -> Past:
    """The past of a game as of a version, read in pages. Raises `StoreDamaged` if the log ends before or can't be read."""
    past = Past(to, seats)
    async for page in pages(store, game, version):
        try:
            _fill(past, page)
        except ValueError as error:
            raise StoreDamaged(f"a commit of game {game} can't be read: {error}") from error
    return past


def passed(body: bytes) -> Passed:
    """A stored commit as one of the past. Raises `ValueError` for other bytes."""
    commit = read_folded(body)
    return Passed(commit.number, actor_number(commit.actor), commit.events)


def _fill(past: Past, bodies: Iterable[bytes]) -> None:
    for body in bodies:
        commit = passed(body)
        past.add(commit.actor, commit.told)


def latest_told(backwards: Iterable[Passed], principal: Mask) -> list[Passed]:
    """The same of a game that is recorded elsewhere, from its commits in reverse, as a role was told of them."""
    found: list[Passed] = []
    for one in backwards:
        if not talk([told.event for told in one.told if told.to & principal]):
            found.append(one)
        if len(found) >= BEHIND:
            break
    return found[::-1]
