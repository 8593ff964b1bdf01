"""The third edition's table, a discovery there in one go, and the way to its haunt."""

from collections.abc import Sequence

from domain.engine.rules import Rules
from domain.facts.events import Told
from tests.support.packs import heroes_may, rules, rules_with
from tests.support.table import Table

FRIENDS = ("oliver-swift", "anita-hernandez", "michelle-monroe")
SIX = (*FRIENDS, "dan-nguyen-md", "stephanie-richter", "josef-brosef-hooper")
OMEN_ROOM = "ballroom"
"""A room with an omen symbol and no text."""


def third(
    first: int = 0, *, scenario: str = "", seats: int = 3, game: Rules | None = None, source: str = "tape"
) -> Table:
    """Friends before the house, there for the pack's first scenario if none is named."""
    options: dict[str, object] = {"scenario": scenario} if scenario else {}
    return Table(SIX[:seats], first=first, game=game or rules("third-edition"), options=options, source=source)


def discover(table: Table, tile: str, *, door: str = "east", **cards: str) -> list[Told]:
    """The active explorer goes through a door and finds this tile, laid as may be, with these cards on top of their decks."""
    table.stack("tiles", tile)
    for deck, card in cards.items():
        table.stack(deck, card)
    return [*table.explore(door), *table.lay_anyhow()]


def bring_on(table: Table, omen: str = "dog", *, holder: int | None = None, tile: str = OMEN_ROOM) -> list[Told]:
    """The active explorer discovers a room with this omen, and its roll begins the haunt; `holder` has two other omens already.

    What is asked before the first turn of the haunt is left open.
    """
    others = [card for card in table.rules.pack.decks["omen"] if card not in (omen, *table.state.cards_about())]
    table.hold((table.seat + 1) % table.state.seats if holder is None else holder, *others[:2])
    table.rolls((2, 2, 2))
    return discover(table, tile, omen=omen)


def settle(
    game: Rules, haunt: str, *, traitor: int = -1, revealer: int = 0, explorers: Sequence[str] = FRIENDS
) -> Table:
    """A table in a haunt, nothing of its setup done; all are in the Entrance Hall, and seat 0 has the turn."""
    table = Table(explorers, game=game)
    table.haunt(haunt, traitor=traitor, revealer=revealer)
    return table


ZOMBIE = "{zombie: {title: Zombie, might: 4, speed: 2, sanity: 2, knowledge: 2}}"
"""A kind of monsters with all traits."""


def haunted(
    *actions: str, monsters: str = ZOMBIE, haunt: str = "", card: str = "", friends: tuple[str, ...] = FRIENDS
) -> Table:
    """A haunt `h` in which there is nothing but these actions of the heroes; seat 1 is the traitor, and seat 0 has the turn.

    Args:
        actions: of the heroes, in YAML.
        monsters: kinds of monsters, in YAML.
        haunt: the whole haunt in place of these, in YAML.
        card: one that the pack has besides, in YAML.
        friends: who plays.
    """
    game = rules_with("third-edition", haunt=haunt or heroes_may(*actions, monsters=monsters), card=card)
    return settle(game, "h", traitor=1, explorers=friends)


def get_ready(table: Table) -> None:
    """Whoever is named as the traitor accepts it, and all are ready; then it is the first turn of the haunt."""
    for decision in list(table.state.open.values()):
        if decision.about == "traitor":
            table.choose(decision.seat, "accept")
    table.all_ready()
