"""Where the steady bot wants to be: groups of places, the most important first."""

from collections.abc import Iterator

from projections.haunts import GoalView
from projections.people import ExplorerView
from service.bots.routes import unexplored
from service.bots.sight import Place, Sight


def wanted(sight: Sight) -> Iterator[list[Place]]:
    """Where the own side finds what it needs now; before the haunt, and where nothing else is left, the unexplored."""
    haunt = sight.view.haunt
    if haunt is not None:
        for book in haunt.books:
            yield from _by_the_book(sight, book.seek)
    yield unexplored(sight)


def errands(sight: Sight, monster: str) -> Iterator[list[Place]]:
    """Where a book sends a monster; whatever it says, in the end it hunts."""
    haunt = sight.view.haunt
    if haunt is not None:
        for book in haunt.books:
            for goal in book.seek:
                if monster in goal.by:
                    yield from _places(sight, goal)
    yield from prey(sight)


def prey(sight: Sight) -> Iterator[list[Place]]:
    """Where known opponents stand: first those who carry what the haunt has brought, then all."""
    foes = sight.foes()
    carriers = [one for one in foes if isinstance(one, ExplorerView) and sight.of_haunt(one.cards)]
    yield [(foe.room, foe.part) for foe in carriers]
    yield [(foe.room, foe.part) for foe in foes]


def _by_the_book(sight: Sight, seek: list[GoalView]) -> Iterator[list[Place]]:
    """The goals of a book in its order; what the haunt brought and somebody lost is fetched before new rooms are found."""
    for goal in seek:
        if goal.by:
            continue
        if goal.explore:
            yield _lost(sight)
            yield unexplored(sight)
        else:
            yield from _places(sight, goal)
    yield _lost(sight)


def _places(sight: Sight, goal: GoalView) -> Iterator[list[Place]]:
    if goal.foes:
        yield from prey(sight)
    elif goal.monsters is not None:
        yield [(one.room, one.part) for one in sight.view.monsters if goal.monsters in ("any", one.kind)]
    else:
        yield [(place.room, place.part) for place in goal.places]


def _lost(sight: Sight) -> list[Place]:
    return [(pile.room, pile.part) for pile in sight.view.piles if sight.of_haunt(pile.cards)]
