"""What events inform of, told from games instead of from what the events say of themselves.

Games that differ only in what is hidden are played by the same commands. The first thing by which a role can tell them apart is an event
that informs, of chance or of a secret. An event that says `no` of itself never is.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

import msgspec

from domain.decide import decide
from domain.engine.rules import Rules
from domain.evolve import fold, redact
from domain.facts.audience import Mask, seat_bit
from domain.facts.chance import Chance, Seeded
from domain.facts.events import AnyEvent, CardLost, Told
from domain.facts.refusal import Refused
from domain.facts.state import State
from domain.rulebook.desk.taking_back import quiet, tells
from domain.rulebook.turn.options import legal
from tests.laws.playout import Game, awaited, copy_of, open_table, pick, principals
from tests.laws.secrecy import Twisted

encode = msgspec.json.Encoder().encode


def worlds_differ(rules: Rules, seed: int, *, seats: int = 4, haunt: str = "") -> set[str]:
    """Play a game; before each command make worlds that differ in what is hidden, and do it there too.

    Other dice from now on, or another card where somebody has looked.

    Returns:
        The types of events by which roles that could not know told the worlds apart first.
    """
    game = open_table(rules, seed, seats=seats, haunt=haunt)
    lot, kinds = random.Random(seed), set[str]()
    known = {who: State() for who in principals(seats)[:-1]}
    folded = 0
    while game.state.status == "started":
        for commit in game.commits[folded:]:
            for who, state in known.items():
                fold(state, [redact(commit, who)])
        folded = len(game.commits)
        actor = awaited(game.state)
        command = pick(lot, legal(game.rules, game.state, actor))
        others: list[tuple[State, Chance, set[Mask]]]
        others = [(copy_of(game.state), Seeded(b"other %d" % lot.randrange(1000), game.name), set(known))]
        others += [(state, game.chance.source, who) for state, who in _exchanged(game.state, known)]
        told = game.do(actor, command)
        for state, chance, unaware in others:
            try:
                theirs = decide(rules, state, actor, command, chance)
            except Refused as refusal:
                raise AssertionError(f"{game.name}: {command} is legal in one world alone: {refusal.detail}") from None
            for who in unaware:
                kinds |= _told_apart(game, who, told, theirs)
    return kinds


def _exchanged(state: State, known: dict[Mask, State]) -> Iterator[tuple[State, set[Mask]]]:
    """Worlds in which a card that somebody has seen is another one of the same stack, and the roles that don't know which."""
    for name, deck in state.decks.items():
        for place, slot in enumerate(deck.top):
            if name == "tiles" or not slot.face or not deck.pool:
                continue  # tiles: their backs would have to be alike
            unaware = {who for who, role in known.items() if not _sees(role, name, place)}
            other = copy_of(state)
            there = other.decks[name]
            there.top[place].face, there.pool[0] = there.pool[0], there.top[place].face
            yield other, unaware


def _sees(role: State, deck: str, place: int) -> bool:
    top = role.decks[deck].top
    return place < len(top) and bool(top[place].face)


def traitors_differ(rules: Rules, seed: int, haunt: str, *, seats: int = 4) -> set[str]:
    """Two games with another hidden traitor, played alike; returns the types of events by which roles told them apart."""
    worlds = []
    for traitor in (1, 2):
        chance = Twisted(Seeded(b"seed %d" % seed, "twins"), "roles", f"seat:{traitor}")
        worlds.append(open_table(rules, seed, seats=seats, haunt=haunt, chance=chance))
    one, other = worlds
    lot, kinds = random.Random(seed), set[str]()
    unaware = set(principals(seats)[:-1])
    while unaware and one.state.status == "started":
        actor = awaited(one.state)
        commands = legal(one.rules, one.state, actor)
        if seat_bit(actor) not in unaware:  # who knows may do what is legal in both
            there = legal(other.rules, other.state, actor)
            commands = [command for command in commands if command in there]
        command = pick(lot, commands)
        mine, theirs = one.do(actor, command), other.do(actor, command)
        for who in list(unaware):
            found = _told_apart(one, who, mine, theirs)
            kinds |= found
            unaware -= {who} if found else set()
    return kinds


def _told_apart(game: Game, who: Mask, mine: list[Told], theirs: list[Told]) -> set[str]:
    """The types of the events by which a role can tell two commits apart; they have to say that they inform."""
    first = _first_difference(redact(mine, who), redact(theirs, who))
    informing = {str(event.__struct_config__.tag) for event in first if tells(event)}
    lot = first and all(isinstance(event, CardLost) for event in first)
    if lot and not _is_quiet(redact(mine, who)):
        return informing  # chance has picked a card to lose, behind something that informs
    assert informing or not first, (
        f"{game.name}: role {who} tells two worlds apart at commit {game.state.commit} by {first}, which inform of nothing"
    )
    return informing


def _first_difference(mine: list[Told], theirs: list[Told]) -> list[AnyEvent]:
    """The first events in which two commits differ: one of each, or one alone where a commit ends."""
    for here, there in zip(mine, theirs, strict=False):
        if encode(here.event) != encode(there.event):
            return [here.event, there.event]
    longer = mine if len(mine) > len(theirs) else theirs
    return [one.event for one in longer[min(len(mine), len(theirs)) :][:1]]


def who_acts_is_told(game: Game) -> int:
    """Whoever acts is told of all that its command lets anybody know; returns how many commands let somebody know something."""
    opening = len(game.commits) - len(game.acts)
    found = 0
    for number, (actor, command) in enumerate(game.acts, start=opening):
        told = game.commits[number]
        if actor < 0 or _is_quiet(told):
            continue
        found += 1
        assert not _is_quiet(redact(told, seat_bit(actor))), (
            f"{game.name}: seat {actor} isn't told that {command} at commit {number + 1} lets somebody know something"
        )
    return found


def _is_quiet(told: Iterable[Told]) -> bool:
    return quiet([one.event for one in told])
