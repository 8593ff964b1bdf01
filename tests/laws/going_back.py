"""The laws of going back: a table that takes back and is rewound at any moment, and still replays, audits and leaks as any other."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec

from domain.audience import REFEREE, Mask
from domain.chance import Seeded
from domain.commands import AnyCommand, TakeBack
from domain.decide import decide, goes_back
from domain.events import ChanceAnswered, Rewound, Told
from domain.evolve import fold, redact
from domain.past import NOBODY, Passed, Past
from domain.rules import Rules
from domain.state import State
from domain.turn.options import legal
from domain.turn.taking_back import BEHIND, TAKE_BACK, offered
from tests.laws.completeness import every_question_has_its_frame, legality_is_the_roles_own
from tests.laws.playout import Game, awaited, copy_of, encode, open_table, pick, principals

COUNTS = ("commit", "chances", "asked", "rulings", "desk")
"""What a rewind leaves as it is."""


def past_of(game: Game, to: int) -> Past:
    """The past of a game, read back from the bytes of its log."""
    past = Past(to, game.state.seats)
    opening = len(game.commits) - len(game.acts)
    actors = [NOBODY] * opening + [actor for actor, _ in game.acts]
    for actor, commit in zip(actors, game.commits, strict=True):
        past.add(actor, msgspec.json.decode(msgspec.json.encode(commit), type=list[Told]))
    return past


def latest(game: Game) -> list[Passed]:
    """The latest commits, as whoever asks what can be taken back looks at them."""
    first = len(game.commits) - len(game.acts)
    there = range(max(first, len(game.commits) - BEHIND), len(game.commits))
    return [Passed(number + 1, game.acts[number - first][0], game.commits[number]) for number in there]


def act(game: Game, actor: int, command: AnyCommand) -> list[Told]:
    """Do any command, those that go back too."""
    to = goes_back(game.state, command)
    past = past_of(game, to) if to > 0 else None
    told = decide(game.rules, game.state, actor, command, game.chance, past)
    game.commit(told)
    game.acts.append((actor, command))
    return told


def play_taking_back(rules: Rules, seed: int, *, seats: int = 4, haunt: str = "") -> tuple[Game, int]:
    """Play a random game in which every third command that can be taken back is; returns it and how often that was."""
    game = open_table(rules, seed, seats=seats, haunt=haunt)
    taken: list[int] = []
    legality_is_the_roles_own(game, _steps(game, seed, taken), every=7)
    return game, len(taken)


def _steps(game: Game, seed: int, taken: list[int]) -> Iterator[None]:
    lot, mind = random.Random(seed), random.Random(seed + 1)
    while game.state.status == "started":
        actor = awaited(game.state)
        act(game, actor, pick(lot, legal(game.rules, game.state, actor)))
        to = next(offered(latest(game), actor), 0) if mind.random() < 0.3 else 0
        if to and game.state.status == "started" and (game.state.desk is None or game.state.desk.taken < 12):
            act(game, actor, TakeBack(decision=TAKE_BACK, to=to))
            taken.append(to)
            every_question_has_its_frame(game)
        yield


def redeciding_gives_the_log(game: Game) -> None:
    """Every command decided again, with the state reloaded before each, gives the same bytes."""
    source = Seeded(b"seed %d" % int(game.name.rpartition("-")[2]), game.name)
    opening = len(game.commits) - len(game.acts)
    state = fold(State(), game.commits[:opening])
    for number, (actor, command) in enumerate(game.acts, start=opening):
        state = copy_of(state)
        to = goes_back(state, command)
        past = Past(to, state.seats) if to > 0 else None
        if past is not None:
            actors = [NOBODY] * opening + [one for one, _ in game.acts]
            for earlier in range(number):
                past.add(actors[earlier], game.commits[earlier])
        told = decide(game.rules, state, actor, command, source, past)
        state.commit += 1
        assert msgspec.json.encode(told) == msgspec.json.encode(game.commits[number]), (
            f"{game.name}: commit {number + 1} differs when {command} is decided again"
        )


def everybody_knows_what_they_knew(game: Game) -> int:
    """After each rewind every role knows exactly what it knew then, and counts go on; returns how many rewinds there were."""
    roles: dict[Mask, list[State]] = {who: [State()] for who in principals(game.state.seats)}
    found = 0
    for number, commit in enumerate(game.commits, 1):
        back = next((one.event for one in commit if isinstance(one.event, Rewound)), None)
        found += back is not None
        for who, states in roles.items():
            states.append(fold(copy_of(states[-1]), [redact(commit, who)]))
            if back is not None:
                before, now = copy_of(states[back.to]), copy_of(states[number])
                for name in COUNTS:
                    setattr(before, name, getattr(now, name))
                assert encode(before) == encode(now), f"{game.name}: {who} at commit {number}"
                assert sum(isinstance(one.event, Rewound) for one in redact(commit, who)) == 1
    assert encode(roles[REFEREE][-1]) == encode(game.state), f"{game.name}: the referee knows everything"
    return found


def no_die_is_dealt_twice(game: Game) -> None:
    """Every answer of chance has a number of its own, in the order of the log."""
    dealt = [one.event.index for commit in game.commits for one in commit if isinstance(one.event, ChanceAnswered)]
    assert dealt == sorted(set(dealt)), game.name
