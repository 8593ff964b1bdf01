"""What one role knows, folded from what it was told; and waymarks, so that looking back needs no fold from the beginning.

A waymark is what a role knew at some commit of the past, kept encoded. A fold from the first commit is right at any time, and costs about 6 us a
commit; waymarks only make it shorter. They are made from the role's own fold and asked for by the role, so that nobody's are anybody else's. They
are kept in memory alone: what a store keeps of a game are a few snapshots of the engine's state, which know more than any role.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import msgspec

from domain.evolve import fold_commit
from domain.facts.audience import Mask
from domain.facts.events import Told
from domain.facts.state import State

SPACING = 128
"""Commits between two waymarks: folding half as many costs what decoding a waymark does, about 0.4 ms (`./dev bench --only moment`)."""
KEPT = 1024
"""Waymarks kept, of all games together; one is 4 to 15 KB."""

_decode = msgspec.json.Decoder(State).decode
_encode = msgspec.json.Encoder().encode


class RoleFold:
    """What one role knows, as of a commit."""

    __slots__ = ("number", "state")

    def __init__(self, number: int = 0, state: State | None = None) -> None:
        """Begin with what the role knew as of a commit; by default with nothing."""
        self.number = number
        self.state = state or State()

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
        """Keep a waymark if the fold has come to where one stands."""
        if fold.number % SPACING or not fold.number:
            return
        key = (serial, principal, fold.number)
        if key not in self._kept:
            self._kept[key] = _encode(fold.state)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
