"""One choice to be made: what the rules of the steady bot look at, and where it wants to be, the most important first."""

from collections.abc import Iterator
from typing import TypeVar

from domain.facts.commands import AnyCommand
from projections.choices.decisions import OpenDecision
from projections.choices.families import Field, OneOf
from projections.view.game import GameView
from projections.view.haunts import GoalView
from projections.view.people import ExplorerView
from service.bots.brain import Memory
from service.bots.sight import Place, Sight, unexplored

C = TypeVar("C")

OFTEN = 2
"""Times that the same command is given in one turn at the most: what has no limit of its own could go on for ever."""


class Moment(Sight):
    """A view, a decision in it, and the bot's memory."""

    __slots__ = ("commands", "decision", "memory")

    def __init__(self, view: GameView, decision: OpenDecision, memory: Memory) -> None:
        """The listed commands are those that have not been refused just now, nor given too often in this turn."""
        super().__init__(view)
        self.decision = decision
        self.memory = memory
        barred = memory.barred(view)
        self.commands: list[AnyCommand] = [
            listed.command
            for listed in decision.commands
            if listed.command not in barred and memory.times(view, listed.command) < OFTEN
        ]

    def listed(self, kind: type[C]) -> Iterator[C]:
        """The listed commands of one kind."""
        return (command for command in self.commands if isinstance(command, kind))

    @property
    def field(self) -> Field:
        """The constraint on an answer that divides or selects."""
        return self.decision.families[0].fields[0]

    @property
    def options(self) -> list[str]:
        """The options of a choice, listed or not."""
        for family in self.decision.families:
            for field in family.fields:
                if isinstance(field, OneOf):
                    return [str(option) for option in field.values]
        return [str(getattr(listed.command, "option", "")) for listed in self.decision.commands]


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
