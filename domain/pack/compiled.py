"""What is found by going through a pack's tables once, so that nobody looks for it in play where there is none."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from content.vocabulary.pack import Action, Haunt, Pack
from domain.pack.blocks import REACTIONS, Blocks
from domain.state import State


class Compiled(Blocks):
    """Tables by id. `source` strings are typed: `card:axe`, `tile:attic`, `token:safe`, `haunt:the-bell-below`."""

    def __init__(self, pack: Pack) -> None:
        super().__init__(pack)
        self._note_what_rooms_do(pack)
        self._look_around()

    def with_haunt(self, haunt: Haunt) -> Compiled:
        """The same pack with this haunt in place of its own: all tables are built anew, so nothing of another haunt is left in them."""
        return Compiled(msgspec.structs.replace(self.source, haunts=[haunt]))

    def _note_what_rooms_do(self, pack: Pack) -> None:
        self.quiet = frozenset(
            tile
            for tile in self.tiles
            if (f"tile:{tile}", "left") not in self.triggers and (f"tile:{tile}", "entered") not in self.triggers
        )
        """Tiles that do nothing to those who leave or enter: walking between them needs no procedure."""
        self.moving = frozenset(
            f"tile:{tile.id}" for tile in pack.tiles if b'"move-tile"' in msgspec.json.encode(tile.on)
        )
        """Tiles that go elsewhere with those who enter."""
        self.sliding = frozenset(
            tile.id
            for tile in pack.tiles
            if any(one.when == "entered" and b'"move":' in msgspec.json.encode(one.do) for one in tile.on)
        )
        """Tiles on which nobody who enters stays."""
        self.held_by_roll = frozenset(
            tile.id
            for tile in pack.tiles
            if any(one.when == "left" and b'"roll":' in msgspec.json.encode(one.do) for one in tile.on)
        )
        """Tiles that ask a roll of those who leave."""

    def _look_around(self) -> None:
        """What is found by going through the tables, so that nobody looks for it in play."""
        self.offering = {"haunt:heroes", "haunt:traitor"} | {
            source
            for source, actions in (*self.actions.items(), *self.unplaced.items())
            if any(one.when not in REACTIONS for one in actions)
        }
        """Sources that offer an action on the own turn."""
        self._note_what_is_rare()
        self.alert = frozenset(
            source for source, when in self.triggers if source.startswith("token:") and when == "entered"
        )
        """Tokens that do something to those who come in."""
        self.passed_through = frozenset(
            token
            for token, kind in self.tokens.items()
            if b'"with-token":"%b"' % token.encode() in msgspec.json.encode(kind.actions)
        )
        """Tokens that lead, by what they offer, to where their like lies (Revolving Wall)."""
        self._look_for_monsters()

    def _look_for_monsters(self) -> None:
        """What content grants to monsters, so that nobody looks for it where there is none."""
        self.for_monsters = {
            f"haunt:{source.rpartition('#')[2]}" if "#" in source else source
            for source, actions in self.actions.items()
            if any(one.for_ != "explorers" for one in actions)
        }
        """Sources that may offer an action to monsters."""
        self.unplaced_for = {
            side: [
                source for source, actions in self.unplaced.items() if any(one.side in (None, side) for one in actions)
            ]
            for side in ("heroes", "traitor")
        }
        """Tiles that offer something to a side while they are not in the house."""
        tokens_too = any(source.startswith("token:") for source in self.for_monsters)
        self.with_busy_monsters = frozenset(
            haunt.id
            for haunt in self.haunts.values()
            if tokens_too
            or any(kind.explores or kind.carries for kind in haunt.monsters.values())
            or any(action.for_ != "explorers" for action in _book_actions(haunt))
        )
        """Haunts whose monsters may do more than move and attack."""
        self.explored_by_monsters = frozenset(
            haunt.id for haunt in self.haunts.values() if any(kind.explores for kind in haunt.monsters.values())
        )
        """Haunts whose monsters discover rooms."""

    def _note_what_is_rare(self) -> None:
        """Words that few packs use, so that games without them do not look for them again and again."""
        self.reaching: dict[str, list[str]] = {}
        """By moment: cards whose text reaches whoever is in their room."""
        for (source, when), found in self.triggers.items():
            if any(trigger.reach == "room" for _block, trigger in found):
                self.reaching.setdefault(when, []).append(source.partition(":")[2])
        self.minds_raises = any(when == "trait-raised" for _source, when in self.triggers)
        """Whether some text waits for a trait to be raised."""
        words = [(source, one) for source, standing in self.standing.items() for one in standing]
        self.passing = frozenset(one.may_pass_over for _source, one in words if one.may_pass_over is not None)
        """Symbols that some card lets its holder pass over."""
        self.burying = any(one.may_bury_tile for _source, one in words)
        """Whether some card lets its holder bury a tile."""
        self.trading = {source.partition(":")[2]: one.trade_within for source, one in words if one.trade_within}
        """By card: how far its holder can trade."""
        self.locked = frozenset(name for name, tile in self.tiles.items() if tile.locked)
        """Tiles behind whose door nobody can be put (2E-ROOM-038)."""

    def busy(self, state: State, monster: str) -> bool:
        """Whether a monster may have anything to do besides moving and attacking."""
        assert state.haunt is not None  # noqa: S101 -- monsters exist in a haunt only
        return state.haunt.id in self.with_busy_monsters or f"tile:{state.monsters[monster].room}" in self.for_monsters


def _book_actions(haunt: Haunt) -> Iterable[Action]:
    """Actions of both books."""
    return (*haunt.heroes.actions, *(haunt.traitor_book.actions if haunt.traitor_book is not None else ()))
