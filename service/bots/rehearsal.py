"""A rehearsal: a game played in process, whose dice can be laid out as a tape, so that the real game goes the same way."""

from collections.abc import Mapping, Sequence

import msgspec

from content.load import builtin_packs, load_pack
from domain.chance import Seeded
from domain.editions import EDITIONS
from domain.events import ChanceAnswered, TurnStarted
from domain.game import rules_for
from service.bots.playtest import play_out
from service.bots.table import Table


class Rehearsed(msgspec.Struct, frozen=True):
    """What the real game needs to go the same way."""

    first_seat: int
    answers: list[dict[str, object]]
    """The tape, as `POST /v1/games` takes it."""


def rehearse(edition: str, bots: Sequence[str], options: Mapping[str, object], seed: str) -> Rehearsed:
    """Play a game with the built-in pack that the edition is played with.

    Args:
        edition: `second`, `third` or `play-by-post`.
        bots: the brain of each seat.
        options: those of the game.
        seed: of dice and bots.
    """
    written_for = EDITIONS[edition].content or edition
    rules = rules_for(load_pack(builtin_packs()[f"{written_for}-edition"]), edition)
    table = Table(rules, Seeded(seed.encode(), "rehearsal"), len(bots), options, "rehearsal")
    for _ in play_out(table, bots, seed):
        pass
    told = [one.event for commit in table.log for one in commit]
    first = next(event.seat for event in told if isinstance(event, TurnStarted))
    answers = [_answer(event) for event in told if isinstance(event, ChanceAnswered)]
    return Rehearsed(first, answers)


def _answer(event: ChanceAnswered) -> dict[str, object]:
    return {"pick": event.pick} if event.pick else {"faces": list(event.faces)}
