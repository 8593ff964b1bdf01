"""What is tried agrees with what is done: dry runs with commands, and sampled worlds with what a role knows."""

from __future__ import annotations

import random

import msgspec
import pytest

from domain.decide import decide
from domain.dry_run import Consulted, dry_run
from domain.engine.machine import ASKED_BY_INDEX
from domain.engine.rules import Rules
from domain.evolve import redact
from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from domain.facts.chance import Answer, Request
from domain.facts.commands import AnyCommand
from domain.facts.events import DecisionOpened
from domain.facts.refusal import Refused
from domain.facts.state import State
from domain.rulebook.turn.options import legal
from domain.worlds import Guess, NoWorld, half_done, hides, suspects, unknown_secrets, unseen, world
from tests.laws.playout import Game, copy_of, encode, open_table, pick, principals, steps

EVERY = 5
"""Commands of which one is tried."""


class Stopping:
    """Chance that remembers the first request, and answers nothing."""

    def __init__(self) -> None:
        self.first: Request | None = None

    def ask(self, request: Request) -> Answer | None:
        self.first = self.first or request
        return None


def tried_is_done(rules: Rules, seed: int, *, seats: int = 4, haunt: str = "") -> int:
    """Whatever is listed a dry run finds legal, what it says is asked first is asked first, and nothing changes. Returns tries."""
    game, tries = open_table(rules, seed, seats=seats, haunt=haunt), 0
    roles = Roles(game)
    lot = random.Random(seed)
    for actor, commands in steps(game, lot):
        roles.follow()
        if game.state.commit % EVERY:
            continue
        known = roles.of(seat_bit(actor))
        before = encode(known)
        for command in lot.sample(commands, min(3, len(commands))):
            found = tried(rules, known, game.state, actor, command)
            assert encode(known) == before, f"{game.name}: a dry run of {command} changed what it was tried on"
            if not hides(known):
                _asks_that(rules.as_read(known), game.state, actor, command, found)
            tries += 1
        _refuses_alike(rules, known, game.state, (actor + 1) % seats, commands[0])
    return tries


def tried(rules: Rules, known: State, engine: State, actor: int, command: AnyCommand) -> list[Consulted]:
    """A dry run as the service makes one."""
    state = copy_of(known)
    if state.open and not half_done(rules, known):
        state.frames = list(engine.frames)
    return dry_run(rules, state, actor, command)


def _asks_that(rules: Rules, engine: State, actor: int, command: AnyCommand, found: list[Consulted]) -> None:
    """Hold a dry run against what the engine asks first, with all that is hidden: it may know a face that the role has to draw."""
    if [one for one in found if one.kind in ("draw", "look", "back", "hidden")]:
        return
    chance = Stopping()
    told = decide(rules, copy_of(engine), actor, command, chance)
    opened = [one.event.decision for one in told if isinstance(one.event, DecisionOpened)]
    asked = [(one.seat, one.about) for one in opened if one.id[0] not in ASKED_BY_INDEX]
    dice = 0 if chance.first is None else chance.first.dice
    assert [(one.seat, one.about) for one in found if one.kind == "decision"] == asked, command
    assert sum(one.dice for one in found) == dice, command
    assert bool(found) == bool(asked or chance.first is not None), command


def _refuses_alike(rules: Rules, known: State, engine: State, actor: int, command: AnyCommand) -> None:
    """What somebody else may not do is refused alike."""
    refusals = []
    for attempt in (
        lambda: tried(rules, known, engine, actor, command),
        lambda: decide(rules, copy_of(engine), actor, command, Stopping()),
    ):
        try:
            attempt()
            refusals.append("")
        except Refused as refusal:
            refusals.append(f"{refusal.rule} {refusal.problem} {refusal.detail}")
    assert refusals[0] == refusals[1], command


def worlds_agree(rules: Rules, seed: int, *, seats: int = 4, haunt: str = "") -> int:
    """A world made of what a role knows is that role's own again, can do what it can, and can be played on. Returns worlds."""
    game, made = open_table(rules, seed, seats=seats, haunt=haunt), 0
    roles = Roles(game)
    lot = random.Random(seed)
    for _ in steps(game, lot):
        roles.follow()
        if game.state.commit % (8 * EVERY):
            continue
        for principal in principals(seats)[:-1]:
            role, public = roles.of(principal), roles.of(SPECTATORS)
            if half_done(rules, role):
                continue
            if unseen(role):
                with pytest.raises(NoWorld, match="a monster hides"):
                    world(rules, role, public, principal, Guess())
                continue
            frames = game.state.frames if role.open else []
            for traitor in suspects(role) or [-1]:
                secrets = tuple((name, next(iter(role.rooms))) for name in unknown_secrets(role))
                found = world(rules, role, public, principal, Guess(traitor, secrets), frames)
                assert encode(found.roles[principal]) == encode(role), (
                    f"{game.name}: {principal} knows something else in a world"
                )
                assert encode(found.roles[SPECTATORS]) == encode(public)
                _plays_on(rules.as_read(role), found.engine, random.Random(seed))
                made += 1
    return made


def _plays_on(rules: Rules, engine: State, lot: random.Random) -> None:
    """Some commands in a world, whoever's they are."""
    state, chance = copy_of(engine), Anything(lot)
    for _ in range(4):
        if state.status != "started":
            return
        actor = next(iter(state.open.values())).seat if state.open else state.turn.seat
        decide(rules, state, actor, pick(lot, legal(rules, state, actor)), chance)
        state = copy_of(state)


class Anything:
    """Chance by a lot."""

    def __init__(self, lot: random.Random) -> None:
        self._lot = lot

    def ask(self, request: Request) -> Answer:
        if request.dice:
            return Answer(faces=tuple(self._lot.randrange(3) for _ in range(request.dice)))
        return Answer(pick=self._lot.choice(request.options))


class Roles:
    """What the roles of a game know, folded as it goes on."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._states = {principal: State() for principal in principals(game.state.seats)}

    def follow(self) -> None:
        """Fold what is new."""
        for commit in self._game.commits[self._states[REFEREE].commit :]:
            for principal, state in self._states.items():
                for told in redact(commit, principal):
                    told.event.apply(state)
                state.commit += 1

    def of(self, principal: Mask) -> State:
        """What a role knows now."""
        return self._states[principal]


def the_referee_knows_what_the_engine_does(game: Game) -> None:
    """Whatever happens the referee is told: so a fork can begin with what the referee knows."""
    roles = Roles(game)
    roles.follow()
    assert msgspec.json.encode(roles.of(REFEREE)) == msgspec.json.encode(game.state), game.name
