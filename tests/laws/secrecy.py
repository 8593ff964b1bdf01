"""Non-interference: two games that differ only in what a role may not know tell that role the same bytes."""

from __future__ import annotations

import random

import msgspec

from domain.audience import Mask, seat_bit
from domain.chance import Answer, Chance, Request, Seeded
from domain.commands import AnyCommand, Reveal
from domain.events import ExplorerDied, GameEnded, SideTold, SlotSeen, TileDrawn, Told
from domain.evolve import fold, redact
from domain.refusal import Refused
from domain.rules import Rules
from domain.state import State
from domain.turn.options import legal
from tests.laws.playout import Game, awaited, encode, open_table, pick, principals
from tests.laws.tracing import twins_are_traced_alike


class Twisted:
    """Chance as in another game, but for one answer."""

    def __init__(self, source: Chance, what: str, answer: str) -> None:
        self.source = source
        self.what = what
        self.answer = answer
        self.twisted = False

    def ask(self, request: Request) -> Answer | None:
        told = self.source.ask(request)
        if request.what == self.what and not self.twisted and self.answer in request.options:
            self.twisted = True
            return Answer(pick=self.answer)
        return told


def hidden_roles_tell_nothing(rules: Rules, seed: int, haunt: str, *, seats: int = 4) -> int:
    """Two worlds with another hidden traitor: all others see the same, until a death or a reveal tells. Returns commits compared."""
    worlds = []
    for traitor in (1, 2):
        chance = Twisted(Seeded(b"seed %d" % seed, "twins"), "roles", f"seat:{traitor}")
        worlds.append(open_table(rules, seed, seats=seats, haunt=haunt, chance=chance))
    ignorant = [who for who in principals(seats) if who in (seat_bit(0), seat_bit(3), 1 << 6)]
    return _same_course(worlds, ignorant, random.Random(seed), _tells_roles)


def private_looks_tell_nothing(rules: Rules, seed: int, *, seats: int = 4) -> int:
    """Two worlds in which somebody saw another tile on top of the stack: all others see the same until it is drawn."""
    first = open_table(rules, seed, seats=seats)
    lot = random.Random(seed)
    looker, seen, others = -1, "", ""
    while first.state.status == "started" and looker < 0:
        actor = awaited(first.state)
        told = first.do(actor, pick(lot, legal(rules, first.state, actor)))
        for one in told:
            if isinstance(one.event, SlotSeen) and one.event.deck == "tiles":
                looker, seen = actor, one.event.face
    if looker < 0:
        return 0
    back = rules.pack.back_of(seen)
    others = next((face for face in first.state.decks["tiles"].pool if rules.pack.back_of(face) == back), "")
    if not others:
        return 0
    worlds = []
    for face in (seen, others):
        chance = Twisted(Seeded(b"seed %d" % seed, first.name), f"tile:seen-by:{looker}", face)
        world = open_table(rules, seed, seats=seats, chance=chance)
        world.name = first.name
        for actor, command in first.acts:
            world.do(actor, command)
        worlds.append(world)
    ignorant = [who for who in principals(seats)[:-1] if who != seat_bit(looker)]
    for who in ignorant:
        _compare(worlds, who, 0)
    return _same_course(worlds, ignorant, lot, _tells_tiles)


def _same_course(worlds: list[Game], ignorant: list[Mask], lot: random.Random, tells: object) -> int:
    """Play the same commands in both worlds and compare what the ignorant are told, until something is told rightly."""
    one, other = worlds
    compared = 0
    while one.state.status == "started":
        actor = awaited(one.state)
        commands = [command for command in legal(one.rules, one.state, actor) if not _gives_away(command)]
        command = pick(lot, commands)
        told = [_do(world, actor, command) for world in (one, other)]
        if any(tells(commit) for commit in told):  # type: ignore[operator]  # a predicate on commits
            _same_trace(worlds, ignorant, len(one.commits) - 1)
            return compared
        for who in ignorant:
            mine, theirs = (msgspec.json.encode(redact(commit, who)) for commit in told)
            assert mine == theirs, (
                f"{one.name}: {who} can tell the worlds apart at commit {one.state.commit}: {mine!r} / {theirs!r}"
            )
        compared += 1
    _same_trace(worlds, ignorant, len(one.commits))
    for who in ignorant:
        _compare(worlds, who, 0)
    return compared


def _same_trace(worlds: list[Game], ignorant: list[Mask], commits: int) -> None:
    """Compare what one of the ignorant is told by a trace: over many games it is each of them."""
    twins_are_traced_alike(worlds, [ignorant[commits % len(ignorant)]], commits)


def _do(world: Game, actor: int, command: AnyCommand) -> list[Told]:
    try:
        return world.do(actor, command)
    except Refused as refusal:
        raise AssertionError(
            f"{world.name}: legal in one world, refused in the other: {command}: {refusal.detail}"
        ) from None


def _compare(worlds: list[Game], who: Mask, start: int) -> None:
    views = [encode(fold(State(), [redact(commit, who) for commit in world.commits[start:]])) for world in worlds]
    assert views[0] == views[1], f"{worlds[0].name}: {who} has another view in the other world"


def _gives_away(command: AnyCommand) -> bool:
    return isinstance(command, Reveal) or getattr(command, "option", "") == "reveal"


def _tells_roles(commit: list[Told]) -> bool:
    return any(
        isinstance(told.event, ExplorerDied | GameEnded) or (isinstance(told.event, SideTold) and told.event.revealed)
        for told in commit
    )


def _tells_tiles(commit: list[Told]) -> bool:
    return any(isinstance(told.event, TileDrawn | SlotSeen | GameEnded) for told in commit)
