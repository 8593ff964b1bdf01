"""Golden games that bots play: played once, and from then on a file like any other, whatever becomes of the bots."""

from __future__ import annotations

from typing import Any

from domain.facts.chance import Seeded
from domain.facts.commands import AnyCommand
from domain.facts.events import ChanceAnswered, Told, TurnStarted
from domain.local import LocalGame, Opening
from service.bots.playtest import play_out
from tests.golden.script import Edition, Game, Step, plain
from tests.golden.stage import meant_decision, rules_by
from tests.golden.writing import text_of
from tests.support.scenarios import scenario_for

BRAIN = "steady"


class _Watched(LocalGame):
    """A bots' table that keeps each command as a step."""

    steps: list[Step]

    def give(self, actor: int, command: AnyCommand) -> list[Told]:
        written = plain(command)
        if meant_decision(self.state, actor, written) != command.decision:
            written["decision"] = command.decision
        told = list(super().give(actor, command))
        faces, picks = answers(told)
        by: Any = f"seat {actor}"
        self.steps.append(Step(by=by, does=written, dice=faces, picks=picks))
        return told


def bot_game(title: str, covers: list[str], edition: Edition, seats: int, *, haunt: str, seed: str, turns: int) -> str:
    """The text of a game that steady bots play to its end; what they saw is yet to be filled in.

    Args:
        title: of the game.
        covers: rules of the ledger that it is to show.
        edition: `second`, `third` or `play-by-post`.
        seats: how many play.
        haunt: which one; empty: what the chart says.
        seed: of dice and bots.
        turns: after so many the game ends; 0: never.

    Raises:
        ValueError: the pack has no such haunt, or seats not so many.
    """
    pack = rules_by(edition).pack
    if haunt and haunt not in pack.haunts:
        raise ValueError(f"no haunt {haunt}; there are {', '.join(pack.haunts) or 'none'}")
    if not pack.head.players[0] <= seats <= pack.head.players[-1]:
        raise ValueError(f"{seats} seats; this pack seats {pack.head.players[0]} to {pack.head.players[-1]}")
    wanted = {"scenario": scenario_for(rules_by(edition)), "haunt": haunt, "turn_limit": turns}
    options: dict[str, Any] = {name: value for name, value in wanted.items() if value}
    opening = Opening(name="golden", seats=seats, options=options)
    table = _Watched.opened(rules_by(edition), Seeded(seed.encode(), title), opening)
    table.steps = []
    told = [one for done in table.log for one in done.told]
    first = next(one.event.seat for one in told if isinstance(one.event, TurnStarted))
    for _ in play_out(table, [BRAIN] * seats, seed):
        pass
    made = Game(
        title=title,
        note=f"Played once with the seed {seed}; a file like any other since then.",
        made_by="bots",
        edition=edition,
        explorers=[explorer.id for explorer in table.state.explorers],
        covers=covers,
        options=options,
        setup={"first_seat": first},
        picks=answers(told)[1],
        steps=table.steps,
    )
    return text_of(made)


def answers(told: list[Told]) -> tuple[list[list[int]], list[str]]:
    """What chance answered: rolls, and picks."""
    found = [one.event for one in told if isinstance(one.event, ChanceAnswered)]
    return [list(one.faces) for one in found if not one.pick], [one.pick for one in found if one.pick]
