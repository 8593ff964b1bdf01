"""Building the tables of a pack."""

from __future__ import annotations

from collections.abc import Iterable

from content.survey import Spot, walk
from content.vocabulary.pack import Action, Chart, Haunt, Pack, Tile, TokenKind, Trigger
from content.vocabulary.values import Rooms
from domain.engine.books import SIDES, known_to_all, named_in
from domain.engine.tables import Tables
from domain.facts.ids import id_name
from domain.pack import pieces
from domain.pack.blocks import REACTIONS, Blocks

NO_CHART = Chart(traitors={}, haunts={})


def compile_pack(pack: Pack) -> Tables:
    """Compile a pack into tables.

    They are built as a whole each time, so that nothing of another haunt is left in them where one haunt is put in place of
    the pack's own.
    """
    made = Blocks()
    made.compile(pack)
    tiles = {tile.id: tile for tile in pack.tiles}
    cards = {card.id: card for card in pack.cards}
    items = {card.id: card for haunt in pack.haunts for card in haunt.items}
    every_card = [*cards.values(), *items.values()]
    decks = pieces.decks_of(pack)
    for_monsters = _for_monsters(made)
    words = [(source, one.standing) for source, always in made.standing.items() for one in always]
    return Tables(
        source=pack,
        head=pack.head,
        tiles=tiles,
        cards=cards,
        items=items,
        explorers={explorer.id: explorer for explorer in pack.explorers},
        haunts={haunt.id: haunt for haunt in pack.haunts},
        tokens=made.tokens,
        chart=pack.chart or NO_CHART,
        scenarios={scenario.id: scenario for scenario in pack.scenarios},
        decks=decks,
        order={name: {face: number for number, face in enumerate(faces)} for name, faces in decks.items()},
        tiles_for={
            floor: [tile.id for tile in pack.tiles if tile.start is None and floor in tile.floors]
            for floor in ("basement", "ground", "upper")
        },
        tile_backs={tile.id: "+".join(tile.floors) for tile in pack.tiles},
        titles=pieces.titles_of(every_card),
        free_to=pieces.free_to(every_card),
        alternatives=pieces.alternatives_of(pack),
        unofficial=pieces.unofficial_of(pack),
        links=pieces.links_of(pack.tiles),
        left_by={card.id: pieces.tokens_left_by(card) for card in pack.cards if card.lasting},
        impeding=frozenset(card.id for card in pack.cards if card.deck == "event" and pieces.impedes(card)),
        sets=made.sets,
        blocks=made.blocks,
        written=made.written,
        triggers=made.triggers,
        trigger_of=made.trigger_of,
        trigger_tests=made.trigger_tests,
        bindings=made.bindings,
        offers=made.offers,
        reactions=made.reactions,
        unplaced=made.unplaced,
        standing=made.standing,
        goals=made.goals,
        goals_by_players=frozenset(made.goals_by_players),
        losses=made.losses,
        counters_named={(haunt.id, side): named_in(haunt, side) for haunt in pack.haunts for side in SIDES},
        counters_known={
            (haunt.id, aloud): known_to_all(haunt, aloud=aloud) for haunt in pack.haunts for aloud in (False, True)
        },
        traits=made.traits,
        instead=made.instead,
        plays_on=made.plays_on,
        reveals=made.reveals,
        bars=pieces.bars_of(pack.haunts, pack.cards),
        slows={token: sum(standing.slows or 0 for standing in kind.always) for token, kind in made.tokens.items()},
        opaque=frozenset(
            token for token, kind in made.tokens.items() if any(standing.blocks_sight for standing in kind.always)
        ),
        limiting=frozenset(
            card.id for card in every_card if any(standing.move_limit is not None for standing in card.always)
        ),
        linking=frozenset(token for token, kind in made.tokens.items() if kind.links_alike),
        alert=frozenset(source for source, when in made.triggers if source.startswith("token:") and when == "entered"),
        passed_through=frozenset(token for token, kind in made.tokens.items() if _leads_to_its_like(token, kind)),
        quiet=frozenset(
            tile
            for tile in tiles
            if (f"tile:{tile}", "left") not in made.triggers and (f"tile:{tile}", "entered") not in made.triggers
        ),
        moving=frozenset(
            f"tile:{tile.id}"
            for tile in pack.tiles
            if any(step.move_tile is not None for step in pieces.steps_of(tile.on))
        ),
        sliding=frozenset(
            tile.id
            for tile in pack.tiles
            if any(step.move is not None for step in pieces.steps_of(_moments(tile, "entered")))
        ),
        held_by_roll=frozenset(
            tile.id
            for tile in pack.tiles
            if any(step.roll is not None for step in pieces.steps_of(_moments(tile, "left")))
        ),
        locked=frozenset(name for name, tile in tiles.items() if tile.locked),
        offering=frozenset({"haunt:heroes", "haunt:traitor"})
        | {
            source
            for source, offers in (*made.offers.items(), *made.unplaced.items())
            if any(one.action.when not in REACTIONS for one in offers)
        },
        for_monsters=for_monsters,
        unplaced_for={
            side: [
                source
                for source, offers in made.unplaced.items()
                if any(one.action.side in (None, side) for one in offers)
            ]
            for side in ("heroes", "traitor")
        },
        with_busy_monsters=frozenset(
            haunt.id
            for haunt in pack.haunts
            if any(source.startswith("token:") for source in for_monsters) or _has_busy_monsters(haunt)
        ),
        explored_by_monsters=frozenset(
            haunt.id for haunt in pack.haunts if any(kind.explores for kind in haunt.monsters.values())
        ),
        reaching=_reaching(made),
        minds_raises=any(when == "trait-raised" for _source, when in made.triggers),
        trading={id_name(source): standing.trade_within for source, standing in words if standing.trade_within},
    )


def _moments(tile: Tile, when: str) -> list[Trigger]:
    return [trigger for trigger in tile.on if trigger.when == when]


def _leads_to_its_like(token: str, kind: TokenKind) -> bool:
    found = (spot.value for action in kind.actions for spot in walk(Spot((), action)))
    return any(isinstance(one, Rooms) and one.with_token == token for one in found)


def _for_monsters(made: Blocks) -> frozenset[str]:
    """Sources that may offer an action to monsters; a haunt's books are one source here."""
    return frozenset(
        (f"box:{path[9:]}" if path.startswith("monsters.") else f"haunt:{path}") if path else source
        for source, offers in made.offers.items()
        for path in [source.partition("#")[2]]
        if any(one.action.for_ != "explorers" for one in offers)
    )


def _has_busy_monsters(haunt: Haunt) -> bool:
    return any(kind.explores or kind.carries or kind.actions for kind in haunt.monsters.values()) or any(
        action.for_ != "explorers" for action in _book_actions(haunt)
    )


def _book_actions(haunt: Haunt) -> Iterable[Action]:
    """Actions of both books."""
    return [action for book in haunt.books.values() for action in book.actions]


def _reaching(made: Blocks) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for (source, when), triggers in made.triggers.items():
        if any(trigger.reach == "room" for _block, trigger in triggers):
            found.setdefault(when, []).append(id_name(source))
    return found
