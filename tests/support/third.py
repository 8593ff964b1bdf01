"""The third edition's table, and a discovery there in one go."""

from domain.facts.events import Told
from tests.support.packs import rules
from tests.support.table import Table

FRIENDS = ("oliver-swift", "anita-hernandez", "michelle-monroe")


def third(first: int = 0) -> Table:
    """Three friends before the house."""
    return Table(FRIENDS, first=first, game=rules("third-edition"))


def discover(table: Table, tile: str, *, door: str = "east", **cards: str) -> list[Told]:
    """The active explorer goes through a door and finds this tile, laid as may be, with these cards on top of their decks."""
    table.stack("tiles", tile)
    for deck, card in cards.items():
        table.stack(deck, card)
    return [*table.explore(door), *table.lay_anyhow()]
