"""A pack compiled for play: blocks of instructions, and tables that answer what procedures ask of content.

Built once for each pack digest and never changed. Nothing else of the domain walks the vocabulary's Structs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from content.vocabulary.effects import Effect
from content.vocabulary.pack import (
    Action,
    Alternative,
    Book,
    Card,
    Chart,
    Haunt,
    Link,
    Monster,
    Pack,
    Standing,
    Tile,
    TokenKind,
    Trigger,
)
from domain.barring import bars_of
from domain.effects.compiler import compile_block
from domain.effects.conditions import Test, test
from domain.effects.machine import Block
from domain.state import State

REACTIONS = frozenset({"before-roll", "instead-of-roll", "after-roll", "before-harm"})
NO_CHART = Chart(omens=[], rooms=[], cells={}, traitors={}, haunts={})


def _no_item(card: Card) -> bool:
    """Events are no items, even while somebody keeps one; nor are omens that say so (2E-ITEM-012)."""
    return card.no_item or card.deck == "event"


class Compiled:
    """Tables by id. `source` strings are typed: `card:axe`, `tile:attic`, `token:safe`, `haunt:the-bell-below`."""

    def __init__(self, pack: Pack) -> None:
        """Compile everything."""
        self.source = pack
        self.head = pack.head
        self.tiles = {tile.id: tile for tile in pack.tiles}
        self.cards = {card.id: card for card in pack.cards}
        self.explorers = {explorer.id: explorer for explorer in pack.explorers}
        self.haunts = {haunt.id: haunt for haunt in pack.haunts}
        self.chart = pack.chart or NO_CHART
        self.decks = {deck: [card.id for card in pack.cards if card.deck == deck] for deck in ("event", "item", "omen")}
        self.decks["tiles"] = [tile.id for tile in pack.tiles if tile.start is None]
        self.tiles_for = {
            floor: [tile.id for tile in pack.tiles if tile.start is None and floor in tile.floors]
            for floor in ("basement", "ground", "upper")
        }
        self.blocks: dict[str, Block] = {}
        self.written: dict[str, Sequence[Effect]] = {}
        """What each block was compiled from."""
        self.triggers: dict[tuple[str, str], list[tuple[str, Trigger]]] = {}
        self.trigger_of: dict[str, Trigger] = {}
        self.trigger_tests: dict[str, Test] = {}
        self.actions: dict[str, list[Action]] = {}
        self.action_tests: dict[tuple[str, str], Test] = {}
        self.reactions: dict[str, list[Action]] = {}
        self.standing: dict[str, list[Standing]] = {}
        self.standing_tests: dict[int, Test] = {}
        self.goals: dict[tuple[str, str], tuple[Test, str]] = {}
        self.goals_by_players: set[tuple[str, str]] = set()
        """Goals that ask for as many of something as there are explorers, the dead included (2E-DEATH-003)."""
        self._begin_haunts()
        self.unplaced = {f"tile:{tile.id}": list(tile.unplaced) for tile in pack.tiles if tile.unplaced}
        """What tiles offer while they are not in the house."""
        self.slows: dict[str, int] = {}
        self.opaque: set[str] = set()
        self.linking: set[str] = set()
        self._order = {name: {face: number for number, face in enumerate(faces)} for name, faces in self.decks.items()}
        self.tile_backs = {tile.id: "+".join(tile.floors) for tile in pack.tiles}
        """What `back_of` answers, for those who ask about a whole stack."""
        self._items = {card.id: card for haunt in pack.haunts for card in haunt.items}
        self._free_to = self._freely()
        self.sets: dict[str, list[tuple[str, frozenset[str]]]] = {}
        """By card: the cards that make a set with it, with the one that says so."""
        self.alternatives = self._collect_alternatives(pack)
        self._links = self._collect_links()
        self._compile(pack)
        self._note_what_rooms_do(pack)
        self._look_around()

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

    def _freely(self) -> dict[str, frozenset[str]]:
        """Cards that may be dropped, traded or stolen."""
        cards = (*self.cards.values(), *self._items.values())
        return {
            act: frozenset(card.id for card in cards if not _no_item(card) and act not in card.barred)
            for act in ("drop", "trade", "steal")
        }

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

    def _begin_haunts(self) -> None:
        """Tables of what some haunts order otherwise than the rulebook."""
        self.instead: dict[tuple[str, str], str] = {}
        """By haunt and side: the block of what happens in place of a death (2E-DEATH-002)."""
        self.plays_on: dict[str, Test] = {}
        """By haunt: whether the monsters can still win without their traitor (2E-HTURN-005)."""
        self.reveals: dict[str, Test] = {}
        """By haunt: when its hidden traitor may be revealed on its own wish, where that is not at any time (2E-HID-005)."""
        self.bans: dict[tuple[str, str], list[tuple[Test, str]]] = {}
        self.bars = bars_of(self.haunts.values(), self.cards.values())
        """By haunt: what it bars of all that cards, rooms and tokens permit, by source (2E-PREC-003)."""

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

    def _collect_alternatives(self, pack: Pack) -> dict[str, dict[str, str]]:
        """Answers that a table may choose in place of rulings: by piece, id and text."""
        found: dict[str, dict[str, str]] = {}
        pieces: list[Tile | Card] = [*pack.tiles, *pack.cards]
        for piece in pieces:
            offered = [one for ruling in piece.rulings for one in ruling.alternatives if isinstance(one, Alternative)]
            if offered:
                found[piece.id] = {one.id: one.text for one in offered}
        return found

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

    # -- compiling ------------------------------------------------------------------------------------------------------

    def _compile(self, pack: Pack) -> None:
        for name, effects in pack.head.blocks.items():
            self._block(f"pack#blocks.{name}", effects)
        for tile in pack.tiles:
            self._source(f"tile:{tile.id}", tile.on, tile.actions, tile.always)
            self._actions(f"tile/{tile.id}#", tile.unplaced)
        for card in (*pack.cards, *self._items.values()):
            self._card(card)
        self.tokens: dict[str, TokenKind] = {}
        for token in (*pack.tokens, *[token for haunt in pack.haunts for token in haunt.tokens]):
            self._token(token)
        for haunt in pack.haunts:
            self._haunt(haunt)

    def _block(self, block_id: str, effects: Sequence[Effect], *, sparing: bool = False) -> None:
        self.written[block_id] = effects
        self.blocks[block_id] = compile_block(block_id, list(effects), sparing=sparing)

    def _card(self, card: Card) -> None:
        self._source(f"card:{card.id}", card.on, card.actions, card.always)
        effects = card.do
        if card.do_if is not None:
            effects = [Effect(if_=card.do_if, then=card.do, else_=card.otherwise)]
        self._block(f"card/{card.id}#do", effects, sparing=card.deck == "event")
        if card.set is not None:
            self._block(f"card/{card.id}#set.whole", card.set.whole)
            self._block(f"card/{card.id}#set.broken", card.set.broken)
            members = frozenset((card.id, *card.set.with_))
            for member in members:
                self.sets[member] = [*self.sets.get(member, ()), (card.id, members)]
        if card.attack is not None and card.attack.cost:
            self._block(f"card/{card.id}#attack.cost", card.attack.cost)
        if card.attack is not None and card.attack.before:
            self._block(f"card/{card.id}#attack.before", card.attack.before)
        reactions = [action for action in card.actions if action.when in REACTIONS]
        if reactions:
            self.reactions[card.id] = reactions

    def _token(self, token: TokenKind) -> None:
        self.tokens[token.id] = token
        self._source(f"token:{token.id}", token.on, token.actions, token.always)
        self.slows[token.id] = sum(one.slows or 0 for one in token.always)
        if any(one.blocks_sight for one in token.always):
            self.opaque.add(token.id)
        if token.links_alike:
            self.linking.add(token.id)

    def _source(
        self, source: str, on: Iterable[Trigger], actions: Sequence[Action], always: Sequence[Standing], book: str = ""
    ) -> None:
        """Compile what hangs on one source; a haunt's two books are told apart by `book`."""
        owner = source.replace(":", "/", 1)
        prefix = f"{owner}#{book}." if book else f"{owner}#"
        for number, trigger in enumerate(on):
            block_id = f"{prefix}on.{number}"
            self._block(block_id, trigger.do)
            moment = (source, trigger.when)
            self.triggers[moment] = [*self.triggers.get(moment, ()), (block_id, trigger)]
            self.trigger_of[block_id] = trigger
            if trigger.if_ is not None:
                self.trigger_tests[block_id] = test(trigger.if_)
        if actions:
            self.actions[f"{source}#{book}" if book else source] = list(actions)
        self._actions(prefix, actions)
        if always:
            self.standing[source] = list(always)
            for standing in always:
                if standing.if_ is not None:
                    self.standing_tests[id(standing)] = test(standing.if_)

    def busy(self, state: State, monster: str) -> bool:
        """Whether a monster may have anything to do besides moving and attacking."""
        assert state.haunt is not None  # noqa: S101 -- monsters exist in a haunt only
        return state.haunt.id in self.with_busy_monsters or f"tile:{state.monsters[monster].room}" in self.for_monsters

    def _actions(self, prefix: str, actions: Sequence[Action]) -> None:
        for action in actions:
            self._block(f"{prefix}actions.{action.word}", action.do)
            if action.if_ is not None:
                self.action_tests[prefix, action.word] = test(action.if_)
            if action.forbidden:
                self.bans[prefix, action.word] = [(test(ban.if_), ban.rule) for ban in action.forbidden]

    def _haunt(self, haunt: Haunt) -> None:
        source = f"haunt:{haunt.id}"
        for name, effects in haunt.blocks.items():
            self._block(f"haunt/{haunt.id}#blocks.{name}", effects)
        self._block(f"haunt/{haunt.id}#revealed", haunt.revealed)
        if haunt.reveal_if is not None:
            self.reveals[haunt.id] = test(haunt.reveal_if)
        books: list[tuple[str, Book]] = [("heroes", haunt.heroes)]
        if haunt.traitor_book is not None:
            books.append(("traitor", haunt.traitor_book))
        for side, book in books:
            self._source(source, book.on, book.actions, [], side)
            self._block(f"haunt/{haunt.id}#{side}.right-now", book.right_now)
            if book.instead_of_death:
                self.instead[haunt.id, side] = f"haunt/{haunt.id}#{side}.instead-of-death"
                self._block(self.instead[haunt.id, side], book.instead_of_death)
            if book.plays_on is not None:
                self.plays_on[haunt.id] = test(book.plays_on)
            if book.wins_when is not None:
                self.goals[haunt.id, side] = (test(book.wins_when), book.because or book.goal)
                if b'"players"' in msgspec.json.encode(book.wins_when):
                    self.goals_by_players.add((haunt.id, side))

    def _collect_links(self) -> dict[str, list[tuple[str, Link]]]:
        found: dict[str, list[tuple[str, Link]]] = {}
        for tile in self.tiles.values():
            for link in tile.links:
                for end in (tile.id, link.to):
                    found.setdefault(end, []).append((tile.id, link))
        return found

    # -- questions ------------------------------------------------------------------------------------------------------

    def in_order(self, deck: str, faces: Iterable[str]) -> list[str]:
        """Faces in the pack's order, which tells nothing about theirs in the stack."""
        order = self._order[deck]
        return sorted(faces, key=lambda face: order[face])

    def back_of(self, face: str) -> str:
        """A tile's back: its floors joined by `+`; cards of a deck all look alike."""
        return self.tile_backs.get(face, "")

    def links_at(self, tile: str) -> list[tuple[str, Link]]:
        """Links that this tile makes or that lead to it, with their maker."""
        return self._links.get(tile, [])

    def links_alike(self, token: str) -> bool:
        """Whether rooms with this token are linked with each other."""
        return token in self.linking

    def card(self, _state: State, card: str) -> Card:
        """A card, or an item token of a haunt."""
        return self.cards[card] if card in self.cards else self._items[card]

    def _any_card(self, card: str) -> Card:
        return self.cards[card] if card in self.cards else self._items[card]

    def deck_of(self, _state: State, card: str) -> str:
        """The deck that a card belongs to; empty for item tokens."""
        return self.cards[card].deck if card in self.cards else ""

    def is_item(self, card: str) -> bool:
        """Whether item rules apply: item cards, most omens, item tokens (2E-ITEM-004, 2E-ITEM-012, 2E-ITEM-017)."""
        return not _no_item(self._any_card(card))

    def is_item_card(self, card: str) -> bool:
        """Whether it is a card of the item deck."""
        return card in self.cards and self.cards[card].deck == "item"

    def is_weapon(self, card: str) -> bool:
        """Whether it is a weapon (2E-ITEM-018)."""
        return "weapon" in self._any_card(card).kinds

    def is_companion(self, card: str) -> bool:
        """Whether it is a companion (2E-ITEM-022)."""
        return "companion" in self._any_card(card).kinds

    def can(self, card: str, act: str) -> bool:
        """Whether a card may be the object of `drop`, `trade` or `steal` (2E-ITEM-011, 2E-STEAL-002)."""
        return card in self._free_to[act]

    def card_block(self, card: str) -> str:
        """The block of what a card does when drawn."""
        return f"card/{card}#do"

    def monster(self, state: State, kind: str) -> Monster:
        """A kind of monster of the haunt in play."""
        assert state.haunt is not None  # noqa: S101 -- monsters exist in a haunt only
        return self.haunts[state.haunt.id].monsters[kind]

    def _action_key(self, state: State | None, source: str) -> str:
        """`haunt:heroes` and `haunt:traitor` mean a book of the haunt in play."""
        if source.startswith("haunt:") and state is not None and state.haunt is not None:
            return f"haunt:{state.haunt.id}#{source.partition(':')[2]}"
        return source

    def actions_of(self, state: State, source: str) -> list[Action]:
        """Actions that a source offers."""
        if source in self.unplaced and source.partition(":")[2] not in state.rooms:
            return self.unplaced[source]
        return self.actions.get(self._action_key(state, source), [])

    def _prefix(self, state: State | None, source: str) -> str:
        owner, _, book = self._action_key(state, source).replace(":", "/", 1).partition("#")
        return f"{owner}#{book}." if book else f"{owner}#"

    def action_block(self, source: str, word: str, state: State | None = None) -> str:
        """The block of an action."""
        return f"{self._prefix(state, source)}actions.{word}"

    def action_test(self, state: State, source: str, word: str) -> Test | None:
        """The condition of an action, if it has one."""
        return self.action_tests.get((self._prefix(state, source), word))

    def bans_on(self, state: State, source: str, word: str) -> list[tuple[Test, str]]:
        """What forbids an action by a rule of its own."""
        return self.bans.get((self._prefix(state, source), word), [])

    def link_rule(self, maker: str, to: str) -> str:
        """The rule that grants a way besides doors to monsters, by its maker (`tile:gallery`) and where it leads."""
        what, _, name = maker.partition(":")
        links = self.tiles[name].links if what == "tile" else self.tokens[name].links
        rules = [link.rule for link in links if link.rule and (what == "tile" or link.to == to)]
        return rules[0] if rules else ""

    def is_task(self, source: str, state: State, word: str) -> bool:
        """Whether an action makes a task roll of the haunt (2E-ROLL-011)."""
        if not source.startswith("haunt:"):
            return False
        action = next(one for one in self.actions_of(state, source) if one.word == word)
        return any(effect.roll is not None and effect.roll.task for effect in action.do)

    def test_standing(self, standing: Standing) -> Test:
        """The condition of a standing effect that has one."""
        return self.standing_tests[id(standing)]


def _book_actions(haunt: Haunt) -> Iterable[Action]:
    """Actions of both books."""
    return (*haunt.heroes.actions, *(haunt.traitor_book.actions if haunt.traitor_book is not None else ()))
