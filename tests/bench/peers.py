"""Contestants from PyPI: random players of catanatron, PettingZoo's chess, and aggregates of eventsourcing. Imported nowhere else."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import numpy as np
from catanatron import Color, Game, RandomPlayer
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from pettingzoo.classic.chess.chess import raw_env as chess_env

from domain.facts.events import CardGained, DiceRolled, Moved, TraitChanged
from service.log.commits import read_folded
from tests.bench.folder import FOLDER
from tests.bench.replaying import stored_logs
from tests.bench.sample import Round, Sample, checksum, share

CATAN_GAMES = 10
"""Games in a full round: they take about as long as ours."""
AGGREGATES = 10
"""Games of ours that are told to aggregates, and rebuilt in a full round."""

CHESS_GAMES = 5
"""Games of chess in a full round."""

COLORS = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)


class Counting(RandomPlayer):
    """A random player that counts its real choices."""

    choices = 0

    def decide(self, game: Any, playable_actions: Sequence[Any]) -> Any:  # noqa: ANN401 -- catanatron has no types
        """Choose as the base class does."""
        if len(playable_actions) > 1:
            Counting.choices += 1
        return super().decide(game, playable_actions)


@contextmanager
def catanatron(scale: int) -> Iterator[Round]:
    """Whole games of four random players."""

    def play_round() -> Sample:
        Counting.choices = 0
        played: list[Game] = []
        begun = time.perf_counter()
        for seed in range(1, share(CATAN_GAMES, scale) + 1):
            random.seed(seed)
            game = Game([Counting(color) for color in COLORS], seed=seed)
            game.play()
            played.append(game)
        seconds = time.perf_counter() - begun
        records = [game.state.actions for game in played]
        actions = sum(len(one) for one in records)
        return Sample(
            count=Counting.choices,
            seconds=seconds,
            proofs={"actions of the Catan games": checksum(repr(one).encode() for one in records)},
            notes={"actions": actions, "actions/s": actions / seconds},
        )

    yield play_round


@contextmanager
def chess(scale: int) -> Iterator[Round]:
    """Whole games of chess in PettingZoo with random actions of the mask; counts steps."""
    env = chess_env()

    def play_round() -> Sample:
        steps, ends = 0, []
        begun = time.perf_counter()
        for seed in range(share(CHESS_GAMES, scale)):
            env.reset(seed=seed)
            lot, last = random.Random(seed), b""
            for _ in env.agent_iter():
                seen, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                assert seen is not None
                last = seen["observation"].tobytes()
                actions = np.flatnonzero(seen["action_mask"].view(bool))
                env.step(int(actions[int(lot.random() * len(actions))]))
                steps += 1
            ends.append(last)
        seconds = time.perf_counter() - begun
        return Sample(
            count=steps,
            seconds=seconds,
            proofs={"the last observations of the games of chess": checksum(ends)},
            notes={"steps/s": steps / seconds},
        )

    yield play_round


class HouseAggregate(Aggregate):
    """A game as an aggregate with the four commonest of our events."""

    def __init__(self) -> None:
        self.rooms: dict[str, str] = {}
        self.traits: dict[str, int] = {}
        self.cards: dict[str, list[str]] = {}
        self.rolls = 0

    @event("Moved")
    def moved(self, figure: str, room: str, spent: int) -> None:  # noqa: ARG002 -- part of the event
        """A figure went to a room."""
        self.rooms[figure] = room

    @event("TraitChanged")
    def trait_changed(self, seat: int, trait: str, at: int) -> None:
        """A clip was slid."""
        self.traits[f"{seat}/{trait}"] = at

    @event("CardGained")
    def card_gained(self, seat: int, card: str) -> None:
        """A card came into a hand."""
        self.cards.setdefault(str(seat), []).append(card)

    @event("DiceRolled")
    def dice_rolled(self, who: str, faces: list[int]) -> None:  # noqa: ARG002 -- part of the event
        """Somebody rolled."""
        self.rolls += 1


@contextmanager
def eventsourcing(scale: int) -> Iterator[Round]:
    """Aggregates rebuilt from the stored events of an application on its in-memory recorder."""
    yield from _rebuilding(scale, Application())


@contextmanager
def eventsourcing_sqlite(scale: int) -> Iterator[Round]:
    """The same on its SQLite recorder, from a file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder:
        place = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": f"{folder}/aggregates.db"}
        app: Application[UUID] = Application(env=place)
        yield from _rebuilding(scale, app)
        app.close()


def _rebuilding(scale: int, app: Application[UUID]) -> Iterator[Round]:
    saved: list[HouseAggregate] = []
    for log in stored_logs(share(AGGREGATES, scale)):
        aggregate = HouseAggregate()
        for body in log:
            for told in read_folded(body).events:
                _tell(aggregate, told.event)
        app.save(aggregate)
        saved.append(aggregate)
    events = sum(one.version for one in saved)

    def play_round() -> Sample:
        begun = time.perf_counter()
        rebuilt: list[Any] = [app.repository.get(one.id) for one in saved]
        seconds = time.perf_counter() - begun
        made = [repr((one.rooms, one.traits, one.cards, one.rolls)).encode() for one in rebuilt]
        return Sample(count=events, seconds=seconds, proofs={"aggregates rebuilt": checksum(made)})

    yield play_round


def _tell(aggregate: HouseAggregate, happened: object) -> None:
    if isinstance(happened, Moved):
        aggregate.moved(str(happened.figure), happened.room, happened.spent)
    elif isinstance(happened, TraitChanged):
        aggregate.trait_changed(happened.seat, happened.trait, happened.to)
    elif isinstance(happened, CardGained):
        aggregate.card_gained(happened.seat, happened.card)
    elif isinstance(happened, DiceRolled):
        aggregate.dice_rolled(str(happened.who), list(happened.faces))
