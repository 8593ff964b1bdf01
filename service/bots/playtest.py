"""Playtests: many games in process, on all cores, and what they say about a pack: who wins, how long it takes, what is reached.

The same games come in the same order on any number of processes. A rehearsal records the dice of a game, so that a real
game can repeat it.
"""

import multiprocessing
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

import msgspec

from content.load.packs import builtin_packs, load_pack
from domain.editions import EDITIONS
from domain.engine.rules import Rules
from domain.facts.audience import seat_bit
from domain.facts.chance import Chance, Seeded
from domain.facts.commands import AnyCommand
from domain.facts.events import ChanceAnswered, HauntBegun, TokenPlaced, Told, TurnStarted
from domain.facts.ids import seat_of_side
from domain.facts.state import State
from domain.game import rules_for
from domain.local import LocalGame, Opening
from domain.pack.reach import Reached, reached_by, watch
from projections.choices.decisions import decisions_of
from projections.text.playtests import TURN_LIMIT, Played, Why, why_won
from projections.view.game import view_of
from service.bots.brain import Brain, Memory
from service.bots.brains import BRAINS
from service.bots.scenarios import draw_scenario
from service.bots.searching import Searching, Worlds

P = TypeVar("P")
T = TypeVar("T")

CHUNK = 4
"""Games handed to a process at a time: enough to make the handover cheap, few enough for a smooth progress bar."""

SEARCHING = "searching"
IN_PROCESS = (*BRAINS, SEARCHING)
"""Every bot: the searching one plays only where its game is in process, for it samples worlds."""


def brain_of(bot: str, worlds: Worlds) -> Brain:
    """A bot's brain for one seat of one game."""
    return Searching(worlds) if bot == SEARCHING else BRAINS[bot]


class Stuck(AssertionError):
    """No bot that is asked has a command: a fault of a brain, or of the rules."""


def local_game(rules: Rules, chance: Chance, seats: int, options: Mapping[str, object], name: str) -> LocalGame:
    """A game for bots; `chance` must answer at once: seeded, or a tape that is long enough. Its name draws a scenario that no option names."""
    scenario = "" if "scenario" in options else draw_scenario(rules.pack.scenarios, name)
    return LocalGame.opened(rules, chance, Opening(name=name, seats=seats, options=options, scenario=scenario))


def play_out(
    game: LocalGame, bots: Sequence[str], seed: str, side: str = ""
) -> Iterator[tuple[AnyCommand, Sequence[Told]]]:
    """Let bots, one for each seat, play a game to its end; yields each command with its events. Raises Stuck and Refused.

    A bot sees what it would see over HTTP: views and decisions made from its seat's state, never from the engine's; and a searching one
    worlds sampled from that. If a side is named, seats that are not on it are steady, as all are before the haunt.
    """
    brains = [brain_of(bot, partial(game.sampled, seat)) for seat, bot in enumerate(bots)]
    memories = [Memory(seed=f"{seed}/{seat}") for seat in range(len(bots))]
    while not game.over:
        for seat in game.awaited():
            known, role = game.known(seat_bit(seat)), seat_bit(seat)
            view = view_of(game.rules, known, role)
            decisions = decisions_of(game.rules, known, role, hints=True)
            brain = brains[seat] if side in ("", view.explorers[seat].side) else BRAINS["steady"]
            command = brain(view, decisions, memories[seat])
            if command is not None:
                memories[seat] = memories[seat].after(view, command)
                yield command, game.give(seat, command)
                break
        else:
            raise Stuck(f"turn {game.state.turn.number}: {list(game.state.open.values())}")


def play_game(
    rules: Rules,
    bots: Sequence[str],
    *,
    seed: str,
    seats: int,
    options: Mapping[str, object] | None = None,
    side: str = "",
) -> Played:
    """Play one game with bots assigned to the seats in turn, those of one side if it is named; the same seed gives the same game.

    Raises as `play_out` does.
    """
    chance = Seeded(seed.encode(), "playtest")
    game = local_game(rules, chance, seats, {"turn_limit": TURN_LIMIT, **(options or {})}, f"playtest-{seed}")
    reached: Reached = Counter()
    tokens: Counter[str] = Counter()
    commands = turn_of_haunt = rounds = 0
    why: Why = ""
    for command, told in play_out(game, [bots[seat % len(bots)] for seat in range(seats)], seed, side):
        commands += 1
        reached.update(reached_by(rules, game.state, command, told))
        tokens.update(one.event.token for one in told if isinstance(one.event, TokenPlaced))
        if game.over:
            why = why_won(rules, game.state, told, rounds)
        elif game.state.haunt is not None:
            rounds = game.state.haunt.round
        if any(isinstance(one.event, HauntBegun) for one in told):
            turn_of_haunt = game.state.turn.number
    state = game.state
    return Played(
        seed=seed,
        seats=seats,
        haunt=state.haunt.id if state.haunt is not None else "",
        winner=state.winner,
        because=state.because,
        place=_place(state),
        why=why,
        turns=state.turn.number,
        rounds=state.haunt.round if state.haunt is not None else 0,
        turn_of_haunt=turn_of_haunt,
        commands=commands,
        reached=reached,
        tokens=tokens,
    )


def _place(state: State) -> int:
    """How many places clockwise from the revealer the winner sits who played against everybody; -1 of a side of several."""
    seat = seat_of_side(state.winner)
    return -1 if seat < 0 or state.haunt is None else (seat - state.haunt.revealer) % state.seats


class Rehearsed(msgspec.Struct, frozen=True):
    """What makes a real game repeat a rehearsed one; the answers are the tape, as `POST /v1/games` takes it."""

    first_seat: int
    answers: list[dict[str, object]]


def builtin_of(edition: str) -> str:
    """The built-in pack with which an edition is played."""
    return f"{EDITIONS[edition].content or edition}-edition"


def rehearse(
    edition: str, bots: Sequence[str], options: Mapping[str, object], seed: str, haunt: Path | None = None
) -> Rehearsed:
    """Play a game with the built-in pack of an edition (`second`, `third`, `play-by-post`), and a haunt file if given, and record its dice."""
    base = builtin_of(edition)
    rules = rules_for(load_pack(haunt or builtin_packs()[base], base=base), edition)
    game = local_game(rules, Seeded(seed.encode(), "rehearsal"), len(bots), options, "rehearsal")
    for _ in play_out(game, bots, seed):
        pass
    events = [one.event for done in game.log for one in done.told]
    first = next(event.seat for event in events if isinstance(event, TurnStarted))
    answers = [event for event in events if isinstance(event, ChanceAnswered)]
    return Rehearsed(first, [{"pick": one.pick} if one.pick else {"faces": list(one.faces)} for one in answers])


class GamePlan(msgspec.Struct, frozen=True):
    """A game to play, with bots assigned to the seats in turn; without a haunt, the chart decides."""

    seed: str
    seats: int
    bots: tuple[str, ...]
    haunt: str = ""
    rulings: Mapping[str, str] = {}
    """Alternatives chosen instead of the pack's rulings, by piece."""
    side: str = ""
    """Only this side's seats are played by the bots, all others are steady; empty: all."""


def play_all(
    plans: Iterable[GamePlan], folder: Path, edition: str = "", *, jobs: int = 1, watched: bool = False
) -> Iterator[Played]:
    """Play games with the pack in a folder; yields them in the order of the plans.

    An empty edition is the pack's own; 1 job plays in this process; `watched` counts steps of content too, at a tenth more time.
    """
    return spread_out(partial(_play_planned, folder, edition, watched), plans, jobs, CHUNK)


def spread_out(play: Callable[[P], T], plans: Iterable[P], jobs: int, chunk: int = 1) -> Iterator[T]:
    """Play in so many processes, and yield what came of it in the order of the plans; 1 job plays in this process."""
    if jobs == 1:
        yield from map(play, plans)
        return
    # Fresh interpreters inherit no thread and no open file of this process, which alone answers Ctrl-C and then ends them.
    ignored = signal.SIGINT, signal.SIG_IGN
    with multiprocessing.get_context("spawn").Pool(jobs, signal.signal, ignored) as pool:
        yield from pool.imap(play, plans, chunk)


@cache
def _watchable_rules(folder: Path, edition: str, watched: bool) -> tuple[Rules, Reached]:  # noqa: FBT001 -- a cache's key
    """A pack's rules, loaded once in each process, and the steps that they count if they are watched."""
    rules = rules_for(load_pack(folder, base=builtin_of(edition) if edition else ""), edition)
    return rules, watch(rules) if watched else Counter()


def _play_planned(folder: Path, edition: str, watched: bool, plan: GamePlan) -> Played:  # noqa: FBT001 -- bound by `partial`
    rules, steps = _watchable_rules(folder, edition, watched)
    steps.clear()
    options: dict[str, object] = {"rulings": dict(plan.rulings)} if plan.rulings else {}
    if plan.haunt:
        options["haunt"] = plan.haunt
    game = play_game(rules, plan.bots, seed=plan.seed, seats=plan.seats, options=options, side=plan.side)
    game.reached.update(steps)
    return game
