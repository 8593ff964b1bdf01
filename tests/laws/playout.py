"""Games played at random, from fixed seeds, with everything recorded that a law may want to look at again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from domain.decide import decide
from domain.engine.rules import Rules
from domain.evolve import fold, redact
from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from domain.facts.chance import DIE_FACES, Answer, Chance, Request, Seeded
from domain.facts.commands import AnswerChance, AnyCommand, EndTurn, Reveal
from domain.facts.desk_commands import AnyDeskCommand
from domain.facts.events import GameOpened, SeatClaimed, Told
from domain.facts.state import State
from domain.game import claim, open_game, start_game
from domain.rulebook.turn.options import is_unnamed, legal
from tests.support.scenarios import scenario_for

TODAY = "11-21"
TURN_LIMIT = 300
encode = msgspec.json.Encoder(order="deterministic").encode


def copy_of(state: State) -> State:
    """A state that shares nothing with the first: encoded and decoded."""
    return msgspec.json.decode(msgspec.json.encode(state), type=State)


def principals(seats: int) -> list[Mask]:
    """Every role of a game."""
    return [*[seat_bit(seat) for seat in range(seats)], SPECTATORS, REFEREE]


class Recorded:
    """A chance source that remembers what it answered."""

    def __init__(self, source: Chance) -> None:
        self.source = source
        self.answers: list[tuple[Request, Answer]] = []

    def ask(self, request: Request) -> Answer | None:
        answer = self.source.ask(request)
        if answer is not None:
            self.answers.append((request, answer))
        return answer


class ByHand:
    """Chance whose dice somebody rolls by hand: they wait for a command. All else is answered as by another source."""

    def __init__(self, source: Chance) -> None:
        self.source = source

    def ask(self, request: Request) -> Answer | None:
        return None if request.dice else self.source.ask(request)


@dataclass
class Game:
    """One game: its log, and the state after it."""

    name: str
    rules: Rules
    chance: Recorded
    state: State
    commits: list[list[Told]] = field(default_factory=list)
    acts: list[tuple[int, AnyCommand | AnyDeskCommand]] = field(default_factory=list)
    """Actor and command of each commit from the first turn on."""
    unnamed: set[int] = field(default_factory=set)
    """Which of these the hidden traitor did unseen."""

    def commit(self, told: list[Told]) -> None:
        self.state.commit += 1
        self.commits.append(told)

    def do(self, actor: int, command: AnyCommand | AnyDeskCommand) -> list[Told]:
        unnamed = is_unnamed(self.state, command.decision)
        told = decide(self.rules, self.state, actor, command, self.chance)
        self.unnamed |= {len(self.acts)} if unnamed else set()
        self.commit(told)
        self.acts.append((actor, command))
        return told


def open_table(
    rules: Rules,
    seed: int,
    *,
    seats: int = 4,
    haunt: str = "",
    chance: Chance | None = None,
    turn_limit: int = TURN_LIMIT,
    options: dict[str, object] | None = None,
    source: str = "seeded",
) -> Game:
    """A started game, seeded by a number; from a source that is not seeded, its dice wait for a command."""
    name = f"{rules.edition.id}-{seats}-{seed}"
    options = {**(options or {}), "turn_limit": turn_limit}
    if haunt:
        options["haunt"] = haunt
    chance = chance or Seeded(b"seed %d" % seed, name)
    answering = Recorded(chance if source == "seeded" else ByHand(chance))
    opened = GameOpened(
        game=name,
        edition=rules.edition.id,
        pack=rules.pack.head.id,
        pack_digest="",
        seats=seats,
        options=options,
        source=source,
    )
    state, told = open_game(rules, opened)
    game = Game(name, rules, answering, state)
    game.commit(told)
    for seat in range(seats):
        game.commit(claim(rules, state, SeatClaimed(seat=seat)))
    named = "" if "scenario" in options else scenario_for(rules, seed)
    game.commit(start_game(rules, state, answering, TODAY, named))
    return game


def awaited(state: State) -> int:
    """The seat whose answer is looked at first: of the oldest open decision, else of the turn."""
    for decision in state.open.values():
        return state.seat_of(decision.seat)
    return state.seat_of(state.turn.seat)


def pick(lot: random.Random, commands: list[AnyCommand]) -> AnyCommand:
    """Any command; turns are ended and tokens turned up a little less often, so that games have something in them.

    Dice are thrown anew, for only one throw of all is listed.
    """
    chosen = commands[int(lot.random() * len(commands))]
    if isinstance(chosen, EndTurn | Reveal) and len(commands) > 1 and lot.random() < 0.5:
        chosen = commands[int(lot.random() * len(commands))]
    if isinstance(chosen, AnswerChance) and not chosen.pick:
        faces = [lot.randrange(DIE_FACES) for _ in chosen.faces or chosen.rolled]
        posted = {"rolled": [face + 1 for face in faces], "total": sum(faces)}
        chosen = msgspec.structs.replace(chosen, **(posted if chosen.rolled else {"faces": faces}))
    return chosen


def steps(game: Game, lot: random.Random) -> Iterator[tuple[int, list[AnyCommand]]]:
    """Before each command: the actor and all its legal commands; the chosen one is done when the caller goes on."""
    while game.state.status == "started":
        actor = awaited(game.state)
        commands = legal(game.rules, game.state, actor)
        assert commands, f"{game.name}: nothing is legal for seat {actor} at commit {game.state.commit}"
        yield actor, commands
        game.do(actor, pick(lot, commands))


def play(rules: Rules, seed: int, *, seats: int = 4, haunt: str = "") -> Game:
    """A whole game at random."""
    game = open_table(rules, seed, seats=seats, haunt=haunt)
    for _ in steps(game, random.Random(seed)):
        pass
    return game


def role_states(game: Game) -> dict[Mask, State]:
    """What each role knows at the end, folded from what it was told."""
    return {
        principal: fold(State(), [redact(commit, principal) for commit in game.commits])
        for principal in principals(game.state.seats)
    }
