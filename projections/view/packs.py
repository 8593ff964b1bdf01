"""A pack as far as it is public: its explorers, rooms and cards with their rules in words, and of its haunts no book."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TypeVar

import msgspec

from content.load.offers import Offered
from content.vocabulary.pack import Alternative, Card, Explorer, Tile
from domain.editions import EDITIONS
from domain.engine.rules import Rules
from projections.wording import rules_in_words

Shown = TypeVar("Shown", bound=msgspec.Struct)


class EditionShown(msgspec.Struct, kw_only=True):
    """Rules by which a pack can be played."""

    id: str
    title: str
    moderated: bool
    """A moderator runs its games, whoever rolls the dice."""


class PackShown(msgspec.Struct, kw_only=True):
    """A pack that games can be opened with."""

    id: str
    title: str
    version: str
    edition: str
    """The one that it was written for."""
    editions: list[EditionShown]
    """Those that it can be played by; a game is opened with the `id` of one of them."""
    stage: str
    """`draft`, `playtested` or `stable`."""
    digest: str
    """Of the canonical pack. A game pins it."""
    players: list[int]
    """The lowest and highest number of seats."""
    credits: str
    note: str


class PackList(msgspec.Struct, kw_only=True):
    """All packs."""

    packs: list[PackShown]


class CharacterShown(msgspec.Struct, kw_only=True):
    """An explorer that a seat can take."""

    id: str
    title: str
    color: str
    other_side: str
    """The explorer on the other side of the card; a game has at most one of the two."""
    age: int
    birthday: str
    traits: dict[str, list[int]]
    """By trait: its values in ascending order, without the skull."""
    starts: dict[str, int]
    """By trait: the index of its starting value, counted from 0."""


class TileShown(msgspec.Struct, kw_only=True):
    """A room."""

    id: str
    title: str
    text: str
    floors: list[str]
    doors: list[str]
    """As printed, before it is turned."""
    symbols: list[str]
    rules: list[str]
    """What it says and does, in words."""


class CardShown(msgspec.Struct, kw_only=True):
    """A card of the decks."""

    id: str
    deck: str
    title: str
    text: str
    rules: list[str]
    """What it does, in words; by rulings as the pack has them."""


class PlaytestShown(msgspec.Struct, kw_only=True):
    """Results of games between bots."""

    games: int
    """Games played for each number of seats."""
    heroes: dict[str, int]
    """By number of seats: how many of 100 games the heroes won."""
    rounds: dict[str, int]
    """By number of seats: the average number of rounds of the haunt."""


class HauntShown(msgspec.Struct, kw_only=True):
    """A haunt. Nothing else is shown before it begins."""

    id: str
    title: str
    stage: str
    playtest: PlaytestShown | None
    """Null if it has not been tested yet."""


class AlternativeShown(msgspec.Struct, kw_only=True):
    """What a table may choose in place of a ruling, with the game option `rulings`."""

    id: str
    text: str


class ScenarioShown(msgspec.Struct, kw_only=True):
    """A scenario: why the group enters the house. To which haunts it leads is shown to nobody before one begins."""

    id: str
    title: str
    text: str


class RulingShown(msgspec.Struct, kw_only=True):
    """How a question about a room or card was settled, and the alternatives."""

    piece: str
    """The id of the room or card."""
    by: str
    """In play by post the first alternative holds, unless the game chooses `official`."""
    text: str
    alternatives: list[AlternativeShown]


class PackDetails(PackShown, kw_only=True):
    """A pack and its contents."""

    characters: list[CharacterShown]
    tiles: list[TileShown]
    cards: list[CardShown]
    haunts: list[HauntShown]
    scenarios: list[ScenarioShown]
    """A game is started with one of these; empty where there are none."""
    rulings: list[RulingShown]
    """Only those with alternatives."""


def pack_shown(one: Offered) -> PackShown:
    """A pack as lists show it."""
    head = one.pack.head
    return shown_of(
        PackShown,
        head,
        id=one.name,
        editions=[shown_of(EditionShown, each) for each in EDITIONS.values() if each.plays(head.edition)],
        digest=one.digest,
        players=[head.players[0], head.players[-1]],
    )


@lru_cache(maxsize=64)
def _words(rules: Rules) -> Mapping[str, list[str]]:
    """The rules of a pack's rooms and cards; to word them takes a tenth of a second."""
    return rules_in_words(rules.pack.source, rules.edition)


def pack_details(one: Offered, rules: Rules) -> PackDetails:
    """A pack and its contents; `rules` are made of it."""
    pack, words = one.pack, _words(rules)
    return PackDetails(
        **msgspec.structs.asdict(pack_shown(one)),
        characters=[_character(who) for who in pack.explorers],
        tiles=[shown_of(TileShown, tile, rules=words[f"tile:{tile.id}"]) for tile in pack.tiles],
        cards=[shown_of(CardShown, card, rules=words[f"card:{card.id}"]) for card in pack.cards],
        haunts=[shown_of(HauntShown, haunt) for haunt in pack.haunts],
        scenarios=[shown_of(ScenarioShown, scenario) for scenario in pack.scenarios],
        rulings=list(_rulings(one)),
    )


def _character(who: Explorer) -> CharacterShown:
    tracks = {trait: getattr(who, trait) for trait in ("might", "speed", "sanity", "knowledge")}
    traits = {trait: track.values for trait, track in tracks.items()}
    return shown_of(CharacterShown, who, traits=traits, starts={trait: track.start for trait, track in tracks.items()})


def shown_of(kind: type[Shown], piece: object, **others: object) -> Shown:
    """What is shown of a piece: the fields with the same names here, and those that differ."""
    found = {name: getattr(piece, name) for name in kind.__struct_fields__ if name not in others}
    return msgspec.convert(found | others, kind, from_attributes=True)


def _rulings(one: Offered) -> Iterator[RulingShown]:
    """Rulings of rooms and cards for which a table may choose something else."""
    pieces: list[Tile | Card] = [*one.pack.tiles, *one.pack.cards]
    for piece in pieces:
        for ruling in piece.rulings:
            offered = [each for each in ruling.alternatives if isinstance(each, Alternative)]
            if offered:
                yield RulingShown(
                    piece=piece.id,
                    by=ruling.by,
                    text=ruling.text,
                    alternatives=[shown_of(AlternativeShown, each) for each in offered],
                )
