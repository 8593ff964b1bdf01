"""What `decide` is given besides state, command and chance: the edition's policy, the compiled pack, the rules' revision."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from content.vocabulary.pack import Barrier, Pack, Tile
from content.vocabulary.pack import Haunt as Sheet
from domain.editions.edition import Edition
from domain.engine.block import Block
from domain.engine.books import unread, without
from domain.engine.external import EXTERNAL, key_of, sheet_of
from domain.engine.parts import close_boxes, kind_of_box, part_of_box, unread_boxes
from domain.engine.tables import Tables
from domain.facts.desk import AMEND, Amendment, Desk, block_of
from domain.facts.state import UNNAMED, Figure, Haunt, SavedFrame, State, is_explorer

REVISION = 9
"""The revision of the rules as coded here; a game pins the one that it was opened with, and its commits bear it.

It is raised once for each published state of the code under which some recorded command would be decided differently (other events,
or a refusal) than under the state published before: golden games that change show it. Games of an older revision go on under the
newest: their logs fold as ever, as events keep their meaning. Only the audit is weaker: where it decides differently from
an older revision, it goes on to check the chain alone and says UNVERIFIED in place of DIVERGED.
"""

TWINS = 64
"""How many compiled haunts from people's own books are cached, one for each state of the entries that some role knows."""


class Rules:
    """Edition, pack and procedures, bound together once and never changed."""

    __slots__ = (
        "_compile",
        "_root",
        "_twins",
        "blocks",
        "cite",
        "compile_amendment",
        "edition",
        "ended",
        "pack",
        "revision",
        "steps",
    )

    def __init__(
        self,
        edition: Edition,
        pack: Pack,
        procedures: Mapping[str, Block],
        *,
        ended: Callable[[Any], bool],
        compile_pack: Callable[[Pack], Tables],
        compile_amendment: Callable[[str, Amendment], Block],
    ) -> None:
        """Blocks of procedures and of content share one table, because a saved frame may name either.

        Args:
            edition: the policy.
            pack: the content.
            procedures: by name.
            ended: given a machine, ends the game if a side has won by now (2E-WIN-001) and tells whether it is over.
            compile_pack: makes the tables, anew for each haunt that replaces the pack's own.
            compile_amendment: makes the block with this id of a ruling's amendment.
        """
        self.edition = edition
        self.ended = ended
        self.pack = compile_pack(pack)
        self._compile = compile_pack
        self.compile_amendment = compile_amendment
        self.cite = edition.cite
        self.revision = REVISION
        self.blocks = {**procedures, **self.pack.blocks}
        self.steps = {tile: self._step(tile) for tile in self.pack.tiles}
        """By room: the rule cited for an ordinary step into it."""
        self._root = self
        self._twins: dict[bytes, Rules] = {}

    def of(self, state: State) -> Rules:
        """The rules for a state: beside the pack's tables those of what was entered of the players' own haunt book.

        Whoever decides, lists or shows asks first for these; where nothing can be entered they are the rules themselves.
        """
        haunt = state.haunt
        if haunt is None:
            rules = self._root
        elif haunt.id == EXTERNAL:
            rules = self._root._beside(haunt)  # noqa: SLF001 -- another of this class
        elif state.sandbox is not None:
            rules = self._root._closed(haunt.id, state.sandbox.unread.get(haunt.id, ()))  # noqa: SLF001 -- as above
        else:
            rules = self._root
        return rules if state.desk is None else rules._amended(state.desk, state.frames)  # noqa: SLF001 -- as above

    def _amended(self, desk: Desk, frames: Sequence[SavedFrame]) -> Rules:
        """With the blocks of amendments that wait for an answer, which are compiled anew each time."""
        waiting = [frame.block for frame in frames if frame.block.startswith(AMEND)]
        if not waiting:
            return self
        twin = copy.copy(self)
        steps = {
            block_of(ruling, rank): ruling.amendment
            for dispute in desk.disputes
            for rank, ruling in enumerate(dispute.rulings())
        }
        found = [
            self.compile_amendment(block, done)
            for block, done in steps.items()
            if block in waiting and done is not None
        ]
        twin.blocks = {**self.blocks, **{block.id: block for block in found}}
        return twin

    def _beside(self, haunt: Haunt) -> Rules:
        return self._twin(key_of(self.pack.chart, haunt), lambda: sheet_of(self.pack.chart, haunt))

    def _twin(self, key: bytes, sheet: Callable[[], Sheet]) -> Rules:
        """The same rules with another haunt in place of the pack's own, from a cache of the latest."""
        twin = self._twins.get(key)
        if twin is None:
            twin = copy.copy(self)
            twin.pack = self._compile(msgspec.structs.replace(self.pack.source, haunts=[sheet()]))
            twin.blocks = {**self.blocks, **twin.pack.blocks}
            while len(self._twins) >= TWINS:
                self._twins.pop(next(iter(self._twins)), None)  # odds and guesses are worked out in threads beside us
            self._twins[key] = twin
        return twin

    def unread(self, state: State) -> dict[str, list[str]]:
        """By the haunt in play: sides whose book a role has not read, and boxes that it has not (`monster.ghoul`)."""
        if state.haunt is None:
            return {}
        haunt = self.of(state).pack.haunts[state.haunt.id]
        shut = unread(haunt, state)
        if self.edition.secrets.boxes:
            shut += [part_of_box(kind) for kind in unread_boxes(haunt, state)]
        return {haunt.id: shut} if shut else {}

    def as_read(self, state: State) -> Rules:
        """The rules as a role knows them: books that it has not read do nothing (2E-SEC-001).

        For dry runs on a role's own state, which must not reveal what the other side's book says.
        """
        twin = self
        for haunt, sides in self.unread(state).items():
            twin = copy.copy(self._root._closed(haunt, sides))  # noqa: SLF001 -- another of this class
            twin._root = twin  # noqa: SLF001 -- as above
        return twin

    def _closed(self, haunt: str, sides: Sequence[str]) -> Rules:
        """With the books of these sides of a haunt empty, and these boxes closed; unchanged if there are none."""
        if not sides:
            return self

        def sheet() -> Sheet:
            unread, aloud = [side for side in sides if not kind_of_box(side)], self.edition.haunt.reads_aloud
            books = without(self.pack.haunts[haunt], unread, aloud=aloud)
            return close_boxes(books, [kind_of_box(side) for side in sides if kind_of_box(side)])

        return self._twin(f"{haunt} {sides}".encode(), sheet)

    def _step(self, tile: str) -> str:
        """A symbol gives no second card (2E-CARD-003); where one slides on, that is no second space (2E-ROOM-017)."""
        rule = ""
        if tile in self.pack.sliding:
            rule = self.cite.slide
        elif self.pack.tiles[tile].symbols:
            rule = self.cite.symbol_once
        return rule or self.cite.step

    def controller(self, state: State, figure: Figure) -> int:
        """The seat that answers for a character: its player's, or for a monster the one that runs the monsters."""
        return figure if is_explorer(figure) else self.runs_monsters(state)

    def runs_monsters(self, state: State) -> int:
        """The seat that runs the monsters: the traitor's, dead or alive (2E-TPOW-008, 3E-MON-001).

        While the traitor is hidden it is `UNNAMED` in every fold where the traitor's player does (2E-HID-003); where another does,
        that player also ends the turn in which the traitor is revealed. Without a traitor, the revealer runs them, unless the
        haunt names somebody else.
        """
        haunt = state.haunt
        if haunt is None:
            return max(state.turn.seat, 0)
        if haunt.traitor >= 0 and not haunt.hidden:
            sheet = self.pack.haunts[haunt.id]
            begun = sheet.kind == "hidden-traitor" and state.turn.monsters and state.turn.seat != UNNAMED
            return state.turn.seat if begun else haunt.traitor
        runs = self._stand_in(haunt)
        return self._seat_named(state, haunt, runs)

    def _stand_in(self, haunt: Haunt) -> str:
        """Who runs the monsters while nobody is known to be the traitor."""
        sheet = self.pack.haunts[haunt.id]
        if sheet.monsters_turn is not None:
            return sheet.monsters_turn.run_by if haunt.hidden or sheet.monsters_turn.run_by != "traitor" else "revealer"
        openly = sheet.revealer_runs or self.edition.monsters.after_traitor or not haunt.hidden
        return "revealer" if openly else "traitor"

    def _seat_named(self, state: State, haunt: Haunt, who: str) -> int:
        """The seat that a haunt names by a word."""
        step = {"left-of-revealer": 1, "right-of-revealer": -1}.get(who, 0)
        return UNNAMED if who == "traitor" else (haunt.revealer + step) % state.seats

    def monsters_follow(self, state: State) -> int:
        """The seat after whose turn the monsters act: the traitor's, dead or alive, or whom the haunt puts in its place; -1: the last."""
        haunt = state.haunt
        if haunt is not None and self.edition.monsters.after_traitor and haunt.traitor >= 0 and not haunt.hidden:
            return haunt.traitor
        return self.monsters_follow_without_traitor(state)

    def monsters_follow_without_traitor(self, state: State) -> int:
        """The seat after whose turn they act as long as nobody is known to be the traitor; -1: the last."""
        haunt = state.haunt
        if haunt is None:
            return -1
        said = self.pack.haunts[haunt.id].monsters_turn
        if said is not None:
            return self._seat_named(state, haunt, said.after)
        return haunt.revealer if self.edition.monsters.after_traitor else -1

    def plays_by(self, state: State, alternative: str) -> bool:
        """Whether this table plays by an alternative to a ruling.

        It may have chosen it when it opened the game. Where official rulings don't bind, the text without one is also what holds
        by itself, unless the table has chosen otherwise (PBP-BASE-002).
        """
        if any(alternative in named for named in chosen_rulings(state).values()):
            return True
        if self.edition.official_rulings or alternative not in self.pack.unofficial:
            return False
        piece, others = self.pack.unofficial[alternative]
        return others.isdisjoint(chosen_rulings(state).get(piece, ()))

    def to_cross(self, state: State, barrier: Barrier) -> int:
        """The target number for crossing at this table (2E-ROOM-005)."""
        for alternative, number in barrier.by_ruling.items():
            if self.plays_by(state, alternative):
                return number
        return barrier.at_least

    def tile(self, state: State, tile: str) -> Tile:
        """A tile with the doors that it has at this table."""
        printed = self.pack.tiles[tile]
        for alternative, doors in printed.doors_by_ruling.items():
            if self.plays_by(state, alternative):
                return msgspec.structs.replace(printed, doors=doors)
        return printed

    def block(self, block_id: str) -> Block:
        """The block of that id."""
        return self.blocks[block_id]


def chosen_rulings(state: State) -> dict[str, list[str]]:
    """By piece: what the table chose of its rulings when it opened the game, one id or several."""
    chosen = state.options.get("rulings")
    if not isinstance(chosen, dict):
        return {}
    return {piece: [named] if isinstance(named, str) else list(named) for piece, named in chosen.items()}
