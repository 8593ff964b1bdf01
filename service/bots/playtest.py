"""Playtests: many games in process, on all cores, and what they tell about a pack: who wins, how long it takes, what is reached.

The same games come in the same order, however many processes play them. A rehearsal is a game whose dice can be laid out as a tape, so that the
real game goes the same way.
"""

import multiprocessing
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from content.load.packs import builtin_packs, load_pack
from content.vocabulary.pack import Playtest
from domain.editions import EDITIONS
from domain.engine.rules import Rules
from domain.facts.chance import Seeded
from domain.facts.commands import AnyCommand
from domain.facts.events import ChanceAnswered, HauntBegun, Told, TurnStarted
from domain.game import rules_for
from service.bots.brain import Memory
from service.bots.brains import BRAINS
from service.bots.reach import Reached, reached_by, things, watch
from service.bots.table import Table

TURN_LIMIT = 400
"""Turns after which a playtest's game is given up; a game that gets so far is worth looking at."""


class Stuck(AssertionError):
    """No bot that is asked has anything to say: a fault of a brain, or of the rules."""


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was played to its end."""

    seed: str
    seats: int
    haunt: str
    """The haunt's id; empty where the game ended before one began."""
    winner: str
    """`heroes`, `traitor`, or empty."""
    because: str
    turns: int
    rounds: int
    """Rounds of the haunt."""
    turn_of_haunt: int
    """The turn in which it began."""
    commands: int
    reached: Reached
    """What happened how often, as `service.bots.reach` names it; no steps, unless the rules are watched."""


def play_game(
    rules: Rules, bots: Sequence[str], *, seed: str, seats: int, options: Mapping[str, object] | None = None
) -> Played:
    """Play one game.

    Args:
        rules: the edition and its pack.
        bots: names of brains, dealt to the seats in turn.
        seed: of the dice and of the bots; the same seed gives the same game.
        seats: how many play.
        options: of the game, besides the turn limit.

    Raises:
        Stuck: nobody knows what to do.
        Refused: a bot gave a command that is not legal.
    """
    chance = Seeded(seed.encode(), "playtest")
    table = Table(rules, chance, seats, {"turn_limit": TURN_LIMIT, **(options or {})}, f"playtest-{seed}")
    reached: Reached = Counter()
    commands = turn_of_haunt = 0
    for command, told in play_out(table, [bots[seat % len(bots)] for seat in range(seats)], seed):
        commands += 1
        reached.update(reached_by(rules, table.state, command, told))
        if any(isinstance(one.event, HauntBegun) for one in told):
            turn_of_haunt = table.state.turn.number
    state = table.state
    return Played(
        seed=seed,
        seats=seats,
        haunt=state.haunt.id if state.haunt is not None else "",
        winner=state.winner,
        because=state.because,
        turns=state.turn.number,
        rounds=state.haunt.round if state.haunt is not None else 0,
        turn_of_haunt=turn_of_haunt,
        commands=commands,
        reached=reached,
    )


def play_out(table: Table, bots: Sequence[str], seed: str) -> Iterator[tuple[AnyCommand, Sequence[Told]]]:
    """Let bots play a game to its end.

    Args:
        table: a game that has begun.
        bots: the brain of each seat.
        seed: of the bots.

    Yields:
        Each command, and what came of it.

    Raises:
        Stuck: nobody knows what to do.
        Refused: a bot gave a command that is not legal.
    """
    memories = [Memory(seed=f"{seed}/{seat}") for seat in range(len(bots))]
    while not table.over:
        for seat in table.awaited():
            view = table.view(seat)
            command = BRAINS[bots[seat]](view, table.decisions(seat), memories[seat])
            if command is not None:
                memories[seat] = memories[seat].after(view, command)
                yield command, table.give(seat, command)
                break
        else:
            raise Stuck(f"turn {table.state.turn.number}: {list(table.state.open.values())}")


class Tally(msgspec.Struct, kw_only=True):
    """Games of one haunt with one number of seats."""

    games: int = 0
    heroes: int = 0
    traitor: int = 0
    reasons: Counter[str] = msgspec.field(default_factory=Counter)
    """Why the games were over, in the words of the haunt."""
    turn_of_haunt: int = 0
    rounds: int = 0
    commands: int = 0
    """These three are sums."""

    def add(self, game: Played) -> None:
        """Count a game."""
        self.games += 1
        self.heroes += game.winner == "heroes"
        self.traitor += game.winner == "traitor"
        self.reasons[game.because] += 1
        self.turn_of_haunt += game.turn_of_haunt
        self.rounds += game.rounds
        self.commands += game.commands


class Report:
    """What many games tell."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.tallies: dict[tuple[str, int], Tally] = {}
        """By haunt and number of seats."""
        self.reached: Counter[str] = Counter()
        self.unfinished: list[Played] = []
        """Games that were given up."""

    def add(self, game: Played) -> None:
        """Count a game."""
        self.tallies.setdefault((game.haunt, game.seats), Tally()).add(game)
        self.reached.update(game.reached)
        if not game.winner and game.turns >= TURN_LIMIT:
            self.unfinished.append(game)

    def reasons(self) -> dict[str, Counter[str]]:
        """By haunt: why the games were over, in its own words."""
        found: dict[str, Counter[str]] = {}
        for (haunt, _), tally in self.tallies.items():
            found.setdefault(haunt, Counter()).update(tally.reasons)
        return found

    def figures(self, haunt: str) -> Playtest:
        """The haunt's figures, rounded, for the numbers of seats that were played; of each as many games."""
        found = {str(seats): tally for (name, seats), tally in sorted(self.tallies.items()) if name == haunt}
        return Playtest(
            games=min(tally.games for tally in found.values()),
            heroes={seats: round(100 * tally.heroes / tally.games) for seats, tally in found.items()},
            rounds={seats: round(tally.rounds / tally.games) for seats, tally in found.items()},
        )

    def never(self) -> list[str]:
        """What the pack has and no game has reached; of steps and their verbs `omenlog content reach` tells."""
        found = things(self._rules)
        return [
            name for topic in found if topic not in ("step", "verb") for name in found[topic] if not self.reached[name]
        ]


class Rehearsed(msgspec.Struct, frozen=True):
    """What the real game needs to go the same way."""

    first_seat: int
    answers: list[dict[str, object]]
    """The tape, as `POST /v1/games` takes it."""


def rehearse(edition: str, bots: Sequence[str], options: Mapping[str, object], seed: str) -> Rehearsed:
    """Play a game with the built-in pack that the edition is played with.

    Args:
        edition: `second`, `third` or `play-by-post`.
        bots: the brain of each seat.
        options: those of the game.
        seed: of dice and bots.
    """
    written_for = EDITIONS[edition].content or edition
    rules = rules_for(load_pack(builtin_packs()[f"{written_for}-edition"]), edition)
    table = Table(rules, Seeded(seed.encode(), "rehearsal"), len(bots), options, "rehearsal")
    for _ in play_out(table, bots, seed):
        pass
    told = [one.event for commit in table.log for one in commit]
    first = next(event.seat for event in told if isinstance(event, TurnStarted))
    answers = [_answer(event) for event in told if isinstance(event, ChanceAnswered)]
    return Rehearsed(first, answers)


def _answer(event: ChanceAnswered) -> dict[str, object]:
    return {"pick": event.pick} if event.pick else {"faces": list(event.faces)}


CHUNK = 4
"""Games that a process is handed at a time: enough that handing over costs nothing, few enough for a steady bar."""


class Order(msgspec.Struct, frozen=True):
    """A game to be played."""

    seed: str
    seats: int
    bots: tuple[str, ...]
    """Dealt to the seats in turn."""
    haunt: str = ""
    """Empty: as the chart says."""
    rulings: Mapping[str, str] = {}
    """Alternatives that the table has chosen in place of rulings, by piece."""


class _Player:
    """A process at work: its rules, and what they count if they are watched."""

    def __init__(self, folder: Path, edition: str, *, watched: bool) -> None:
        self._rules: Rules = rules_for(load_pack(folder), edition)
        self._steps: Reached = watch(self._rules) if watched else Counter()

    def play(self, order: Order) -> Played:
        """One game, with the steps that it took."""
        self._steps.clear()
        options: dict[str, object] = {"rulings": dict(order.rulings)} if order.rulings else {}
        if order.haunt:
            options["haunt"] = order.haunt
        game = play_game(self._rules, order.bots, seed=order.seed, seats=order.seats, options=options)
        game.reached.update(self._steps)
        return game


_player: list[_Player] = []
"""The one of this process, once it is one of ours."""


def play_all(
    orders: Iterable[Order], folder: Path, edition: str = "", *, jobs: int = 1, watched: bool = False
) -> Iterator[Played]:
    """Play games.

    Args:
        orders: the games.
        folder: of the pack.
        edition: to be played; empty: the pack's own.
        jobs: processes, 1 or more; with 1 the games are played in this one.
        watched: count the steps of content too, which takes a tenth more time.

    Yields:
        The games, in the order of the orders.
    """
    if jobs == 1:
        yield from map(_Player(folder, edition, watched=watched).play, orders)
        return
    # Fresh interpreters: nothing of this process, its threads or its open files, is in them.
    context = multiprocessing.get_context("spawn")
    with context.Pool(jobs, _begin, (folder, edition, watched)) as pool:
        yield from pool.imap(_play, orders, CHUNK)


def _begin(folder: Path, edition: str, watched: bool) -> None:  # noqa: FBT001 -- what Pool hands over has no names
    _player[:] = [_Player(folder, edition, watched=watched)]


def _play(order: Order) -> Played:
    return _player[0].play(order)
