"""The games that are measured: four seats, played at random from fixed seeds, haunt included."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec

from domain.decide import decide
from domain.engine.rules import Rules
from domain.facts.chance import Answer, Chance, Request, Seeded
from domain.facts.commands import AnyCommand
from domain.facts.events import GameOpened, SeatClaimed, Told
from domain.facts.state import State
from domain.game import claim, open_game, start_game
from domain.rulebook.turn.options import legal
from tests.support.scenarios import scenario_for

SEATS = 4
TURN_LIMIT = 400
"""A game that nobody wins ends after so many turns; hardly one of a hundred gets there."""
TODAY = "11-21"

Tell = Callable[[int, AnyCommand, list[Told]], None]
"""Called after each commit with actor, command and what was told."""

exact = msgspec.json.Encoder(order="deterministic").encode


class Recorded:
    """A chance source that remembers its answers, for a tape."""

    def __init__(self, source: Chance) -> None:
        self._source = source
        self.answers: list[Answer] = []

    def ask(self, request: Request) -> Answer | None:
        """Pass on."""
        answer = self._source.ask(request)
        if answer is not None:
            self.answers.append(answer)
        return answer


class NoHaunt:
    """Chance whose haunt rolls show nothing but 2s: the haunt holds off until nearly all omens are drawn."""

    def __init__(self, source: Chance) -> None:
        self._source = source

    def ask(self, request: Request) -> Answer | None:
        """Answer."""
        if request.what == "dice:haunt":
            return Answer(faces=(2,) * request.dice)
        return self._source.ask(request)


def table(
    rules: Rules,
    seed: int,
    *,
    chance: Chance | None = None,
    turn_limit: int = TURN_LIMIT,
    first: int | None = None,
    haunt: str = "",
) -> tuple[State, Chance, list[list[Told]]]:
    """A started game: its state, its chance, the commits so far. Without a haunt's name the chart says which is played."""
    name = f"bench-{seed}"
    chance = chance or Seeded(b"bench %d" % seed, name)
    opened = GameOpened(
        game=name,
        edition=rules.edition.id,
        pack=rules.pack.head.id,
        pack_digest="",
        seats=SEATS,
        options={"turn_limit": turn_limit} | ({"haunt": haunt} if haunt else {}),
        source="seeded",
    )
    state, told = open_game(rules, opened, None if first is None else {"first_seat": first})
    commits = [told]
    commits += [claim(rules, state, SeatClaimed(seat=seat)) for seat in range(SEATS)]
    commits.append(start_game(rules, state, chance, TODAY, scenario_for(rules, seed)))
    state.commit = len(commits)
    return state, chance, commits


def play_out(
    rules: Rules, state: State, chance: Chance, lot: random.Random, *, tell: Tell | None = None, most: int = 1_000_000
) -> tuple[int, int]:
    """Play at random, each legal command as likely as any other, to the end or through so many commands.

    Returns:
        Commands, and those among them that were chosen from two or more.
    """
    commands = choices = 0
    while state.status == "started" and commands < most:
        actor = next(iter(state.open.values())).seat if state.open else state.turn.seat
        listed = legal(rules, state, actor)
        command = listed[int(lot.random() * len(listed))]
        told = decide(rules, state, actor, command, chance)
        state.commit += 1
        commands += 1
        choices += len(listed) > 1
        if tell is not None:
            tell(actor, command, told)
    return commands, choices
