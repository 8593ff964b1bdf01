"""What `decide` is given besides state, command and chance: the edition's policy, the compiled pack, the rules' revision."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from domain.effects.machine import Block, Machine
from domain.state import Figure, State

if TYPE_CHECKING:
    from domain.editions.edition import Edition
    from domain.pack import Compiled

REVISION = 1
"""The revision of the rules as coded here; a game pins the one that it was opened with."""


class Rules:
    """Edition, pack and procedures, bound together once and never changed."""

    __slots__ = ("blocks", "cite", "edition", "ended", "pack", "revision", "steps")

    def __init__(
        self, edition: Edition, pack: Compiled, procedures: dict[str, Block], ended: Callable[[Machine], bool]
    ) -> None:
        """Bind; blocks of procedures and of content share one table, for a saved frame names either.

        `ended` ends the game if a side has won by now (2E-WIN-001) and tells whether it is over.
        """
        self.edition = edition
        self.ended = ended
        self.pack = pack
        self.cite = edition.cite
        self.revision = REVISION
        self.blocks = {**procedures, **pack.blocks}
        self.steps = {tile: self._step(tile) for tile in pack.tiles}
        """The rule behind an ordinary step into each room."""

    def _step(self, tile: str) -> str:
        """A symbol gives no second card (2E-CARD-003); where one slides on, that is no second space (2E-ROOM-017)."""
        rule = ""
        if tile in self.pack.sliding:
            rule = self.cite.slide
        elif self.pack.tiles[tile].symbols:
            rule = self.cite.symbol_once
        return rule or self.cite.step

    def controller(self, state: State, figure: Figure) -> int:
        """The seat that answers for a character: its player, or for a monster the traitor's, dead or alive (2E-TPOW-008).

        Where a haunt has no known traitor, monsters are run by the haunt revealer's player.
        """
        if isinstance(figure, int):
            return figure
        haunt = state.haunt
        if haunt is None:
            return max(state.turn.seat, 0)
        return haunt.traitor if haunt.traitor >= 0 and not haunt.hidden else haunt.revealer

    def block(self, block_id: str) -> Block:
        """The block of that id."""
        return self.blocks[block_id]
