"""Cards and stacks as a role knows them: what is face up, how many are left, and the slots into which this role has looked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated

import msgspec
from msgspec import Meta

from domain.engine.rules import Rules, chosen_rulings
from domain.facts.pieces import Deck, Slot
from domain.facts.state import Haunt, State
from domain.rulebook.fight.spoils import dice_of
from projections.naming.names import readable
from projections.shapes import Floor, Id, Name, Number, Shape, Text, Title
from projections.view.wording import rules_of_cards

SHOWN = {
    "State": (
        "decks",
        "explorers",
        "monsters",
        "piles",
        "companions",
        "card_states",
        "rows_read",
        "turn",
        "rooms",
        "options",
        "seats",
        "haunt",
    ),
    "Haunt": ("id",),
    "Deck": ("top", "unknown", "bottom", "discard", "aside", "contents"),
    "Slot": ("back", "face"),
    "Explorer": ("cards",),
    "Monster": ("cards",),
    "Pile": ("cards",),
}
"""The fields of a role's state that are read here; all others stay hidden, above all the pool of faces not yet in any slot."""

STACKS_KEPT = 1024
"""Stacks whose views are cached: the roles of a game share most, and most commands leave them as they are."""

CARDS_KEPT = 4096
"""Cards whose views are cached."""

Word = Annotated[str, Meta(max_length=40)]


class SlotView(Shape, frozen=True, kw_only=True):
    """A place in a stack of which this role knows something."""

    index: Number
    """Counted from the top, which is 0; in the pile set aside, from the bottom up."""
    back: Name = ""
    """Tiles: the floors on the back, joined by `+`; empty where unknown."""
    face: Name = ""
    """The card or tile; empty where unknown."""


class TileInStack(Shape, frozen=True, kw_only=True):
    """A tile somewhere in the stack."""

    tile: Id
    floors: list[Floor]
    """The regions in which it can lie."""


class DeckView(Shape, frozen=True, kw_only=True):
    """A stack of cards or tiles."""

    size: Number
    """Cards or tiles left in the stack itself."""
    top_back: Name
    """For tiles: what the back of the next one shows, if anybody has looked."""
    known: list[SlotView]
    """The slots that this role knows something about."""
    discard: list[Id]
    """Latest last."""
    aside: list[SlotView]
    """Tiles set aside, the latest last."""
    contents: list[TileInStack]
    """What this role saw when it last looked through the stack, without those that have left it since, in no particular order."""
    titles: dict[Id, Title]
    """The titles of the cards and tiles that are named here."""


class AttackView(Shape, frozen=True, kw_only=True):
    """How a card attacks."""

    trait: Word
    damage: Word
    """`physical`, `mental` or `general`."""
    dice: Annotated[int, Meta(ge=-8, le=8)]
    """Dice that it adds."""
    result: Annotated[int, Meta(ge=-8, le=8)]
    """Points that it adds to the result."""
    range: Word
    """`room`, `line-of-sight` or `adjacent`."""
    safe: bool
    """Its bearer takes no damage from an attack."""
    safe_from_afar: bool
    """Its bearer takes none from an attack on another room."""


class CardView(Shape, frozen=True, kw_only=True):
    """A card that everybody can read."""

    title: Title
    text: Text
    rules: list[Text]
    """What it does, in words."""
    deck: Word
    kinds: list[Word]
    """`weapon`, `companion`."""
    state: Name
    """The state it is in, for cards with states (the Mask is `on` or `off`)."""
    attack: AttackView | None
    of_haunt: bool
    """An item that came with the haunt."""


def decks_of(rules: Rules, state: State) -> dict[str, DeckView]:
    """The stacks by name: `tiles`, `event`, `item`, `omen`."""
    return {name: _deck(rules, name, _encode(_shown(state, deck))) for name, deck in state.decks.items()}


_Shown = tuple[list[Slot], int, list[Slot], list[str], list[Slot], list[str]]
"""What a role knows of a stack: its top, how many unknown slots follow, its bottom, what was discarded, set aside, and is inside."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Shown).decode


def _shown(state: State, deck: Deck) -> _Shown:
    rooms = state.rooms
    inside = [face for face in deck.contents if face not in rooms] if deck.contents else deck.contents
    return deck.top, deck.unknown, deck.bottom, deck.discard, deck.aside, inside


@lru_cache(maxsize=STACKS_KEPT)
def _deck(rules: Rules, name: str, encoded: bytes) -> DeckView:
    """A function of bytes, so that whatever a view depends on is part of the key."""
    top, unknown, bottom, discard, aside, inside = _decode(encoded)
    faces = [*inside, *discard, *(slot.face for slot in (*top, *bottom, *aside) if slot.face)]
    return DeckView(
        size=len(top) + unknown + len(bottom),
        top_back=top[0].back if top else "",
        known=[*_known(top, 0), *_known(bottom, len(top) + unknown)],
        discard=discard,
        aside=[SlotView(index=index, back=slot.back, face=slot.face) for index, slot in enumerate(aside)],
        contents=[TileInStack(tile=face, floors=list(rules.pack.tiles[face].floors)) for face in inside],
        titles={face: _title(rules, name, face) for face in faces},
    )


def _title(rules: Rules, name: str, face: str) -> str:
    """What lies in a stack: a tile, or a card, also one that came with a haunt."""
    pack = rules.pack
    found = pack.tiles[face].title if name == "tiles" and face in pack.tiles else pack.titles.get(face)
    return found or readable(face)


def _known(slots: list[Slot], start: int) -> Iterator[SlotView]:
    for index, slot in enumerate(slots, start):
        if slot.back or slot.face:
            yield SlotView(index=index, back=slot.back, face=slot.face)


def cards_of(rules: Rules, state: State) -> dict[str, CardView]:
    """Every card in somebody's possession, carried by a monster, in a pile, waiting for a custodian, or drawn in this turn."""
    cards = [card for explorer in state.explorers for card in explorer.cards]
    cards += [card for monster in state.monsters.values() for card in monster.cards]
    cards += [card for pile in state.piles for card in pile.cards]
    cards += (*state.companions, *state.turn.drawn)
    haunt = state.haunt.id if state.haunt is not None else ""
    table = rules, haunt, state.seats, _encode(chosen_rulings(state))
    states, rows = state.card_states, state.rows_read
    return {card: _card(*table, card, states.get(card, ""), tuple(rows.get(card, ()))) for card in dict.fromkeys(cards)}


_decode_chosen = msgspec.msgpack.Decoder(dict[str, list[str]]).decode


@lru_cache(maxsize=CARDS_KEPT)
def _card(  # noqa: PLR0917 -- the key of a cache
    rules: Rules, haunt: str, seats: int, chosen: bytes, card: str, state: str, rows: tuple[str, ...]
) -> CardView:
    """A card at a table, in one of its states, of which these rows were read."""
    table = State(
        seats=seats,
        options={"rulings": _decode_chosen(chosen)},
        rows_read={card: list(rows)},
        haunt=Haunt(id=haunt, number=0, omen="", room="", revealer=-1) if haunt else None,
    )
    sheet = rules.pack.card(card)
    attack = sheet.attack
    return CardView(
        title=sheet.title,
        text=sheet.text,
        rules=list(rules_of_cards(rules, table, [card])[card]),
        deck=sheet.deck,
        kinds=list(sheet.kinds),
        state=state,
        attack=None
        if attack is None
        else AttackView(
            trait=attack.trait,
            damage=attack.damage,
            dice=dice_of(rules, table, attack),
            result=attack.result,
            range=attack.range,
            safe=attack.safe,
            safe_from_afar=attack.safe or rules.edition.fight.distance_safe,
        ),
        of_haunt=card not in rules.pack.cards,
    )
