"""Folds kept beside a live game: what each role knows, and how far the public may see where it lags behind.

A waymark is what a role knew at some commit of the past, kept encoded, so that looking back needs no fold from the first commit (about 6 us a
commit). In the same way is kept what roles knew in a game that was forgotten, for when it comes back. Both are made from the role's own fold and
asked for by the role, so that no role ever gets another's. They are kept in memory alone: the snapshots in a store are of the engine's state, which
knows more than any role.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from domain.engine.machine import ASKED_BY_INDEX
from domain.evolve import fold_commit
from domain.facts.audience import Mask
from domain.facts.events import CoinCalled, CoinFlipped, DecisionClosed, DecisionOpened, Rewound, Told
from domain.facts.state import State
from domain.past import Passed
from domain.rulebook.desk.talk import of_play

SPACING = 128
"""Commits between two waymarks: folding half as many costs what decoding a waymark does, about 0.4 ms (`./dev bench --only moment`)."""
KEPT = 1024
"""Waymarks kept, of all games together; one is 4 to 15 KB."""
RESTING = 2048
"""Roles of forgotten games that are kept likewise."""

_decode = msgspec.json.Decoder(State).decode
_encode = msgspec.json.Encoder().encode


@dataclass(slots=True, eq=False)
class RoleFold:
    """What one role knows, as of a commit."""

    number: int = 0
    state: State = field(default_factory=State)

    def advance(self, number: int, events: Sequence[Told], principal: Mask) -> None:
        """Fold what the role was told in the next commit; one that was folded already is passed over."""
        if number != self.number + 1:
            return
        fold_commit(self.state, number, events, principal)
        self.number = number


class Waymarks:
    """The waymarks last used."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, Mask, int], bytes] = OrderedDict()

    def before(self, serial: int, principal: Mask, upto: int) -> RoleFold:
        """A fold of what the role knew, as near before a commit as there is a waymark, or else from the beginning."""
        fold = RoleFold()
        for number in range(upto - upto % SPACING, 0, -SPACING):
            key = (serial, principal, number)
            body = self._kept.get(key)
            if body is not None:
                self._kept.move_to_end(key)
                fold.number, fold.state = number, _decode(body)
                break
        return fold

    def pass_by(self, serial: int, principal: Mask, fold: RoleFold) -> None:
        if fold.number % SPACING or not fold.number:
            return
        key = (serial, principal, fold.number)
        if key not in self._kept:
            self._kept[key] = _encode(fold.state)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)


class Rested(NamedTuple):
    """What roles knew in a game whose log went to a link of its chain: by role, the commit and the encoded state."""

    link: str
    roles: Mapping[Mask, tuple[int, bytes]]


NOTHING = Rested("", {})


class Resting:
    """What roles knew in games that were forgotten lately, as far as it would take long to fold it again."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Rested] = OrderedDict()
        self._roles = 0

    def keep(
        self, game: str, link: str, roles: Mapping[Mask, RoleFold], rested: Mapping[Mask, tuple[int, bytes]]
    ) -> None:
        """Keep what roles know of a game whose log goes to a link of its chain, and what was kept of others before."""
        worth = {one: (fold.number, _encode(fold.state)) for one, fold in roles.items() if fold.number > SPACING // 2}
        self.take(game)
        if found := {**rested, **worth}:
            self._kept[game] = Rested(link, found)
            self._roles += len(found)
        while self._roles > RESTING:
            _, oldest = self._kept.popitem(last=False)
            self._roles -= len(oldest.roles)

    def take(self, game: str) -> Rested:
        """What is kept of the game, and is kept no longer; it holds if the log still has the link."""
        found = self._kept.pop(game, NOTHING)
        self._roles -= len(found.roles)
        return found


def woken(kept: tuple[int, bytes] | None) -> RoleFold:
    """A fold that goes on from what is kept, if anything is."""
    return RoleFold() if kept is None else RoleFold(kept[0], _decode(kept[1]))


COINS = (CoinCalled, CoinFlipped)
"""They decide nothing in the game, and anybody may flip one at any time."""


@dataclass(slots=True, eq=False)
class Lag:
    """The latest commit that is old enough, and when those behind it were made, as far as they were read."""

    number: int = 0
    times: deque[str] = field(default_factory=deque)


@dataclass(slots=True, eq=False)
class Course:
    """The course of a game, as far as it was read: which commits of play still hold, and how many of them come after one."""

    number: int = 0
    """The latest commit that was read."""
    shown: int = 0
    """The latest one that enough was played behind."""
    standing: list[int] = field(default_factory=list)
    """Commits of play that were not taken back."""

    def advance(self, commit: Passed, delay: int) -> None:
        """Take the next commit in; one that was read already is passed over.

        Talk, coins, changes of who plays, dice not yet confirmed and what is taken back bring nobody nearer; going back takes nothing from them.
        """
        if commit.number != self.number + 1:
            return
        self.number = commit.number
        back = next((one.event.to for one in commit.told if isinstance(one.event, Rewound)), None)
        if back is not None:
            while self.standing and self.standing[-1] > back:
                self.standing.pop()
        elif _brings_on(commit.told):
            self.standing.append(commit.number)
            if len(self.standing) >= delay:
                self.shown = max(self.shown, self.standing[-delay] - 1)


def _brings_on(told: Sequence[Told]) -> bool:
    return (
        bool(told) and of_play(told) and not any(isinstance(one.event, COINS) for one in told) and not _asks_again(told)
    )


def _asks_again(told: Sequence[Told]) -> bool:
    """Whether the same request of chance is open as before: its answer waits for a witness, or was denied. Players can go on so for ever."""
    closed = {one.event.decision for one in told if isinstance(one.event, DecisionClosed)}
    opened = {one.event.decision.id for one in told if isinstance(one.event, DecisionOpened)}
    return any(
        one[0] in ASKED_BY_INDEX and other[0] in ASKED_BY_INDEX and one[1:] == other[1:]
        for one in closed
        for other in opened
    )
