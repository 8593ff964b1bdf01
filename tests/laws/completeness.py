"""Listed commands are exactly the accepted ones: each is accepted, what lies one step outside is refused and changes nothing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import msgspec

from domain.decide import decide
from domain.engine.rules import Rules
from domain.evolve import fold, redact
from domain.facts.audience import seat_bit
from domain.facts.chance import Answer, Request
from domain.facts.commands import (
    Act,
    Allocate,
    AnyCommand,
    Attack,
    Choose,
    Cross,
    Drop,
    Explore,
    Loot,
    Move,
    PickUp,
    Reveal,
    Select,
    Trade,
)
from domain.facts.events import Told
from domain.facts.refusal import Refused
from domain.facts.state import State
from domain.pack.reach import NO_CHANGE
from domain.rulebook.turn.options import legal
from tests.laws.playout import Game, copy_of, encode, open_table, steps

OF_A_RULE = ("illegal-command", "not-an-option", "wrong-answer-kind")
"""Problems of which a rulebook speaks: what is forbidden, and what is answered otherwise than it was asked."""


def check_game(rules: Rules, seed: int, *, seats: int = 4, haunt: str = "", every: int = 1) -> tuple[Game, int, int]:
    """Play a game and check every `every`-th step; returns the game and how many commands were accepted and refused."""
    game = open_table(rules, seed, seats=seats, haunt=haunt)
    lot = random.Random(seed)
    accepted = refused = 0
    for number, (actor, commands) in enumerate(steps(game, lot)):
        every_question_has_its_frame(game)
        if number % every:
            continue
        raw = encode(game.state)
        for command in commands:
            try:
                decide(rules, copy_of(game.state), actor, command, game.chance.source)
            except Refused as refusal:
                raise AssertionError(
                    f"{game.name}: listed at commit {game.state.commit}, refused: {command}: {refusal.detail}"
                ) from None
            accepted += 1
        for mutant_actor, mutant in mutants(game.state, actor, commands, lot):
            _must_be_refused(game, mutant_actor, mutant)
            refused += 1
        assert encode(game.state) == raw, f"{game.name}: a refusal changed the state"
    return game, accepted, refused


def reveal_at_a_question(rules: Rules, seed: int, haunt: str, *, seats: int = 4) -> bool:
    """Let the hidden traitor reveal while somebody is being asked something, then play on; tells whether it came to that."""
    game = open_table(rules, seed, seats=seats, haunt=haunt)
    lot = random.Random(seed)
    revealed = False
    for _ in steps(game, lot):
        every_question_has_its_frame(game)
        hidden = game.state.haunt is not None and game.state.haunt.hidden and game.state.haunt.started
        if hidden and game.state.open and game.state.haunt is not None and lot.random() < 0.2:
            traitor = game.state.haunt.traitor
            reveal = [one for one in legal(rules, game.state, traitor) if isinstance(one, Reveal)]
            assert reveal, f"{game.name}: the hidden traitor can't reveal at commit {game.state.commit}"
            game.do(traitor, reveal[0])
            every_question_has_its_frame(game)
            revealed = True
            break
    for _ in steps(game, lot):
        every_question_has_its_frame(game)
    return revealed


class AllAlike:
    """Chance by which every die shows the same face, and of cards and tiles the first or the last one comes."""

    def __init__(self, face: int) -> None:
        self.face = face

    def ask(self, request: Request) -> Answer:
        if request.dice:
            return Answer(faces=(self.face,) * request.dice)
        return Answer(pick=request.options[0 if self.face else -1])


TRIES = 4
"""How often in a game each deed is looked at."""


def no_listed_deed_is_in_vain(rules: Rules, seed: int, *, seats: int = 4, haunt: str = "") -> int:
    """Whatever a card, room, token or book offers can come to something, whatever it takes of luck; returns how many deeds were tried."""
    game = open_table(rules, seed, seats=seats, haunt=haunt)
    looked_at: Counter[tuple[str, str]] = Counter()
    for actor, commands in steps(game, random.Random(seed)):
        for command in commands:
            if not isinstance(command, Act) or looked_at[command.source, command.word] >= TRIES:
                continue
            looked_at[command.source, command.word] += 1
            throws = (
                _thrown(game, actor, command, face, gifted=gifted)
                for gifted in (None, 0, 1, 2, 3)
                for face in (2, 1, 0)
            )
            assert any(not isinstance(one.event, NO_CHANGE) for told in throws for one in told), (
                f"{game.name}: at commit {game.state.commit} nothing can come of {command}"
            )
    return looked_at.total()


def _thrown(game: Game, actor: int, command: Act, face: int, *, gifted: int | None) -> list[Told]:
    """What comes of a deed where all dice show one face; somebody `gifted` has more of that trait, for luck has to do with it."""
    state = copy_of(game.state)
    if gifted is not None:
        state.explorers[actor].at[gifted] = 8
    try:
        return decide(game.rules, state, actor, command, AllAlike(face))
    except Refused:
        assert gifted is not None, f"{game.name}: listed and refused at commit {game.state.commit}: {command}"
        return []  # it was this trait that was to be healed


def every_question_has_its_frame(game: Game) -> None:
    """What is open is what some frame waits for: an answer always finds somebody to use it."""
    bound = [msgspec.json.decode(frame.vars) for frame in game.state.frames]
    asked = [name for one in bound for name in one.get("asked", []) if name not in one.get("replies", {})]
    assert sorted(asked) == sorted(game.state.open), f"{game.name}: open {list(game.state.open)}, awaited {asked}"


def _must_be_refused(game: Game, actor: int, command: AnyCommand) -> None:
    try:
        decide(game.rules, game.state, actor, command, game.chance.source)
    except Refused as refused:
        refusal = refused
    else:
        raise AssertionError(f"{game.name}: {command} by seat {actor} was accepted at commit {game.state.commit}")
    assert refusal.rule or refusal.problem not in OF_A_RULE, (
        f"{game.name}: {command} by seat {actor} was refused without a rule or a named problem: {refusal.detail}"
    )


def mutants(
    state: State, actor: int, commands: list[AnyCommand], lot: random.Random
) -> Iterator[tuple[int, AnyCommand]]:
    """Commands one step outside what is listed."""
    command = commands[int(lot.random() * len(commands))]
    if not isinstance(command, Reveal):
        yield (actor + 1) % state.seats, command  # the wrong seat
        yield actor, msgspec.structs.replace(command, decision="d99999")  # a stale decision
        yield actor, msgspec.structs.replace(command, decision="turn-1" if state.turn.number > 1 else "turn-2")
    if not isinstance(command, Reveal) and not any(isinstance(one, Reveal) for one in commands):
        yield actor, Reveal(decision="reveal")
    yield from _wrong_object(state, actor, command, commands)


def _wrong_object(  # noqa: C901, PLR0912 -- one branch a command
    state: State, actor: int, command: AnyCommand, commands: list[AnyCommand]
) -> Iterator[tuple[int, AnyCommand]]:
    if isinstance(command, Move):
        reachable = [one.to for one in commands if isinstance(one, Move) and one.monster == command.monster]
        for room in list(state.rooms)[:3]:
            if room not in reachable:
                yield actor, msgspec.structs.replace(command, to=room)
        yield actor, msgspec.structs.replace(command, to="nowhere")
        yield actor, msgspec.structs.replace(command, monster=None if command.monster else "rat-1")
    elif isinstance(command, Explore):
        open_doors = [one.door for one in commands if isinstance(one, Explore)]
        for door in ("north", "east", "south", "west"):
            if door not in open_doors:
                yield actor, msgspec.structs.replace(command, door=door)
    elif isinstance(command, Act):
        yield actor, msgspec.structs.replace(command, word="NOTHING")
        yield actor, msgspec.structs.replace(command, source="card:nothing")
        yield actor, msgspec.structs.replace(command, target="nobody-7")
    elif isinstance(command, Attack):
        at_oneself = msgspec.structs.replace(command, target=actor)
        if at_oneself not in commands:  # without a traitor, a monster may well attack whoever runs it
            yield actor, at_oneself
        yield actor, msgspec.structs.replace(command, weapon="nothing")
    elif isinstance(command, Trade):
        to_oneself = msgspec.structs.replace(command, partner=actor)
        if to_oneself not in commands:  # a monster may well trade with whoever runs it
            yield actor, to_oneself
        yield actor, msgspec.structs.replace(command, gives=["nothing"])
        if command.gives:
            yield actor, msgspec.structs.replace(command, gives=[*command.gives, *command.gives])
    elif isinstance(command, Loot):
        yield actor, msgspec.structs.replace(command, card="nothing")
        yield actor, msgspec.structs.replace(command, corpse=actor)
    elif isinstance(command, Drop | PickUp):
        yield actor, msgspec.structs.replace(command, cards=["nothing"])
        yield actor, msgspec.structs.replace(command, cards=[*command.cards, *command.cards])
    elif isinstance(command, Choose):
        yield actor, msgspec.structs.replace(command, option="no-such-option")
    elif isinstance(command, Allocate):
        yield actor, msgspec.structs.replace(command, points={"might": 60})
    elif isinstance(command, Select):
        yield actor, msgspec.structs.replace(command, chosen=[63])
    elif (
        not isinstance(command, Cross)
        and not any(isinstance(one, Cross) for one in commands)
        and state.turn.seat == actor
    ):
        yield actor, Cross(decision=f"turn-{state.turn.number}")


def legality_is_the_roles_own(game: Game, course: Iterator[object], *, every: int = 2) -> int:
    """What a seat may do, told from its own fold alone, is what the engine says.

    Args:
        game: to be played on.
        course: its steps, as `playout.steps` gives them.
        every: look at every so many steps.

    Returns:
        How many lists of commands were compared.

    Raises:
        AssertionError: a seat would list other commands than the engine.
    """
    known = {seat: State() for seat in range(game.state.seats)}
    folded = compared = 0
    for number, _ in enumerate(course):
        for commit in game.commits[folded:]:
            for seat, state in known.items():
                fold(state, [redact(commit, seat_bit(seat))])
        folded = len(game.commits)
        every_question_has_its_frame(game)
        if number % every:
            continue
        for seat, told in known.items():
            mine = encode(legal(game.rules, told, seat))
            assert mine == encode(legal(game.rules, game.state, seat)), (
                f"{game.name}: seat {seat} would list other commands than the engine at commit {game.state.commit}"
            )
            compared += 1
    return compared
