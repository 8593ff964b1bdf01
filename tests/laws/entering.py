"""Games with a haunt from people's own books: a scripted table enters a small one, and all play it at random."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from domain.engine.external import EXTERNAL, kind_of
from domain.engine.rules import Rules
from domain.evolve import redact
from domain.facts.audience import SPECTATORS, seat_bit
from domain.facts.commands import Act, AnyCommand, Choose, Enter
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, State
from domain.rulebook.haunt.entering import BOOK, books, may_enter
from domain.rulebook.turn.options import legal
from tests.laws.playout import Game, awaited, encode, open_table, pick
from tests.support.lamps import LIGHT, SCRIPT

OFTEN = 0.5

Script = Sequence[tuple[str, dict[str, Any]]]


def steps(game: Game, lot: random.Random, script: Script = SCRIPT) -> Iterator[tuple[int, list[AnyCommand]]]:
    """As a playout's steps; what the script says is entered as soon as that is possible, and consented to."""
    left = list(script)
    while game.state.status == "started":
        if left and game.state.haunt is not None and may_enter(game.state):
            book, entry = left.pop(0)
            actor, command = enter(game, book, entry)
            game.do(actor, command)
            continue
        actor = awaited(game.state)
        commands = legal(game.rules, game.state, actor)
        assert commands, f"{game.name}: nothing is legal for seat {actor} at commit {game.state.commit}"
        yield actor, commands
        game.do(actor, _agreeing(game.state, commands) or pick(lot, commands))


def enter(game: Game, book: str, entry: dict[str, Any]) -> tuple[int, Enter]:
    """By the first seat that may enter from this book; where all read one, it is entered there."""
    seats = range(game.state.seats)
    mine = {seat: books(game.rules, game.state, seat) for seat in seats}
    book = book if any(book in found for found in mine.values()) else "heroes"
    actor = next(seat for seat in seats if book in mine[seat])
    return actor, Enter(decision=BOOK, book="traitor" if book == "traitor" else "heroes", entry=entry)


def _agreeing(state: State, commands: list[AnyCommand]) -> AnyCommand | None:
    """Consent, where something was entered; what is refused on a whim would leave nothing to play."""
    first = commands[0]
    asked = state.open.get(first.decision)
    agreed = isinstance(first, Choose) and asked is not None and asked.about.startswith("entry:")
    return first if agreed else None


def play(rules: Rules, seed: int, *, seats: int = 4) -> Game:
    """A whole game at random."""
    game = open_table(rules, seed, seats=seats, haunt=EXTERNAL)
    for _ in steps(game, random.Random(seed)):
        pass
    return game


def anything_entered(rules: Rules, seed: int, said: Sequence[dict[str, Any]], *, seats: int = 4) -> tuple[Game, int]:
    """Between all turns a referee enters steps at random; each holds or is refused, and the game goes on.

    Args:
        rules: of a pack.
        seed: of the game and the lot.
        said: steps in the words of content.
        seats: players.

    Returns:
        The game, and how many entries held.
    """
    game, lot = open_table(rules, seed, seats=seats, haunt=EXTERNAL), random.Random(seed)
    held = 0
    while game.state.status == "started":
        actor = awaited(game.state)
        if game.state.haunt is not None and may_enter(game.state) and lot.random() < OFTEN:
            entry = {"you": lot.randrange(seats), "do": [said[lot.randrange(len(said))]]}
            before = encode(game.state)
            try:
                game.do(MODERATOR, Enter(decision=BOOK, entry=entry))
                held += 1
            except Refused:
                assert encode(game.state) == before, f"{game.name}: a refusal changed the state"
            continue
        game.do(actor, pick(lot, legal(game.rules, game.state, actor)))
    return game, held


def secret_entries_tell_nothing(rules: Rules, seed: int, *, seats: int = 4) -> int:
    """Two worlds in which the heroes enter another note and another action: traitor and spectators can't tell them apart.

    Returns:
        Commits compared.
    """
    other = msgspec.json.decode(msgspec.json.encode(LIGHT))
    other["notes"] = {"beware": "Not in the crypt."}
    other["actions"][0] |= {"word": "KINDLE", "title": "Kindle", "if": {"on": ["ground"]}}
    scripts = [[(book, other if world and entry is LIGHT else entry) for book, entry in SCRIPT] for world in (0, 1)]
    one, two = (open_table(rules, seed, seats=seats, haunt=EXTERNAL) for _ in scripts)
    courses = [steps(one, random.Random(seed), scripts[0]), steps(two, random.Random(seed), scripts[1])]
    for commands, others in zip(*courses, strict=True):
        for found in (commands[1], others[1]):
            found[:] = [command for command in found if not _of_the_haunt(command)]
    haunt = one.state.haunt
    if haunt is None or kind_of(rules.pack.chart, haunt.number, haunt.traitor) != "one-traitor":
        return 0  # where all read one book, nothing is secret
    for who in (seat_bit(haunt.traitor), SPECTATORS):
        mine, theirs = ([msgspec.json.encode(redact(commit, who)) for commit in game.commits] for game in (one, two))
        assert mine == theirs, f"{one.name}: {who} can tell the worlds apart"
    return len(one.commits)


def _of_the_haunt(command: AnyCommand) -> bool:
    return isinstance(command, Act) and command.source.startswith("haunt:")
