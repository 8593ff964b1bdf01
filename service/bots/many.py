"""Many games on all cores: the same games, in the same order, however many processes play them."""

import multiprocessing
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from content.load import load_pack
from domain.game import rules_for
from domain.rules import Rules
from service.bots.playtest import Played, play_game
from service.bots.reach import Reached, watch

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
