"""The matrix of mechanisms: what each haunt of a pack is made of, read off its data, so that no two haunts play alike.

A mechanism is a word of the vocabulary where it makes a difference to play, or several that make the same difference.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from content.survey import Spot, walk
from content.vocabulary.base import Word
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action, Book, Card, Haunt, Monster, TokenKind, Trigger
from content.vocabulary.values import Condition, Rooms

W = TypeVar("W", bound=Word)

LEAST = 3
"""In how many mechanisms any two haunts differ at the least."""


class Made:
    """A haunt with all that stands in it, for questions about its mechanisms."""

    def __init__(self, haunt: Haunt) -> None:
        self.haunt = haunt
        self.spots = walk(Spot((), haunt))
        self.effects = [spot for spot in self.spots if isinstance(spot.value, Effect)]
        self.goals = [
            spot
            for spot in self.spots
            if isinstance(spot.value, Condition) and "wins-when" in spot.trail and spot.inside(Trigger, Action) is None
        ]

    def verb(self, *verbs: str) -> bool:
        """Whether some step has one of these verbs."""
        return any(getattr(spot.value, verb) is not None for spot in self.effects for verb in verbs)

    def says(self, kind: type[W], test: Callable[[W], object]) -> bool:
        """Whether something of this kind that stands in the haunt is like that."""
        return any(isinstance(spot.value, kind) and test(spot.value) for spot in self.spots)

    def each_round(self) -> list[Spot[Effect]]:
        """The steps that are done as a round begins."""
        return [
            spot
            for spot in self.effects
            if (trigger := spot.inside(Trigger)) is not None and trigger.value.when == "round-started"
        ]

    def clock(self) -> bool:
        """Whether a counter goes on with every round, whatever happens."""
        return any(
            spot.value.count is not None
            and spot.value.count.by is not None
            and spot.value.if_ is None
            and spot.above is not None
            and isinstance(spot.above.value, Trigger)
            for spot in self.each_round()
        )

    def traitor_acts(self, *, monsters: bool = False) -> bool:
        """Whether a book offers the traitor (or its monsters) an action."""
        return any(
            isinstance(spot.value, Action)
            and (book := spot.inside(Book)) is not None
            and (spot.value.side or book.trail[-1]) in ("traitor", "traitor-book")
            and monsters == (spot.value.for_ == "monsters")
            for spot in self.spots
        )


Test = Callable[[Made], object]

MECHANISMS: Mapping[str, Test] = {
    "no traitor": lambda it: it.haunt.kind == "no-traitor",
    "hidden traitor": lambda it: it.haunt.kind == "hidden-traitor",
    "traitor acts": lambda it: it.traitor_acts(),
    "traitor healed": lambda it: any(
        spot.value.heal is not None and {"traitor-book", "revealed"} & {*spot.trail} for spot in it.effects
    ),
    "clock": lambda it: it.clock(),
    "heroes' task rolls": lambda it: any(
        spot.value.roll is not None and spot.value.roll.task and "traitor-book" not in spot.trail for spot in it.effects
    ),
    "choices": lambda it: it.verb("choose"),
    "secrets": lambda it: it.verb("choose_secret"),
    "a figure named": lambda it: it.says(Action, lambda one: one.target is not None),
    "monsters": lambda it: bool(it.haunt.monsters),
    "large monster": lambda it: it.says(Monster, lambda one: one.size == "large"),
    "monsters die": lambda it: it.says(Monster, lambda one: one.dies),
    "monsters attack the mind": lambda it: it.says(
        Monster, lambda one: one.attack is not None and one.attack.damage == "mental"
    ),
    "monsters act": lambda it: it.traitor_acts(monsters=True) or it.says(Monster, lambda one: bool(one.actions)),
    "more monsters come": lambda it: any(
        spot.value.place_monster is not None and "right-now" not in spot.trail for spot in it.effects
    ),
    "items": lambda it: bool(it.haunt.items),
    "cards are lost": lambda it: it.verb("lose_card", "take"),
    "harm each round": lambda it: any(spot.value.damage or spot.value.lose for spot in it.each_round()),
    "rooms by event": lambda it: it.says(Rooms, lambda one: one.symbol == "event"),
    "rooms by omen": lambda it: it.says(Rooms, lambda one: one.symbol == "omen"),
    "rooms by item": lambda it: it.says(Rooms, lambda one: one.symbol == "item"),
    "open sky": lambda it: it.says(Rooms, lambda one: one.window is not None or one.outside is not None),
    "new rooms": lambda it: it.says(Trigger, lambda one: one.when == "discovered"),
    "tiles move": lambda it: it.verb("move_tile", "place_tile", "remove_tile"),
    "figures are moved": lambda it: it.verb("move", "escape", "remove"),
    "tokens with rules": lambda it: it.says(
        TokenKind, lambda one: one.links_alike or one.always or one.links or one.actions
    ),
    "items with rules": lambda it: it.says(Card, lambda one: one.always or one.actions or one.on),
    "no plain death": lambda it: it.says(Book, lambda one: one.instead_of_death),
    "a death that is meant": lambda it: it.verb("kill"),
    "company counts": lambda it: it.says(Condition, lambda one: one.alone is not None or one.with_ is not None),
    "where one stands still": lambda it: it.says(Condition, lambda one: one.moved is not None),
    "goal: tokens or monsters": lambda it: any(spot.value.count is not None for spot in it.goals),
    "goal: a death": lambda it: any(spot.value.dead is not None for spot in it.goals),
    "strength is given": lambda it: it.verb("gain"),
}
"""By name, in the order of the columns: whether a haunt has it."""


def mechanisms(haunt: Haunt) -> frozenset[str]:
    """The mechanisms of a haunt."""
    made = Made(haunt)
    return frozenset(name for name, has in MECHANISMS.items() if has(made))


def matrix(haunts: Iterable[Haunt]) -> list[str]:
    """The lines of a Markdown table: mechanisms down, haunts across by number, as many as there are."""
    found = {haunt.title: mechanisms(haunt) for haunt in haunts}
    numbers = {title: str(number) for number, title in enumerate(found, 1)}
    return [
        ", ".join(f"{number} {title}" for title, number in numbers.items()) + ".",
        "",
        "| mechanism | " + " | ".join(numbers.values()) + " |",
        "| --- |" + " --- |" * len(numbers),
        *(
            f"| {name} | " + " | ".join("x" if name in has else " " for has in found.values()) + " |"
            for name in MECHANISMS
        ),
    ]


def alike(haunts: Iterable[Haunt]) -> list[tuple[str, str, int]]:
    """Pairs of haunts that differ in fewer than `LEAST` mechanisms, by title, and in how many."""
    found = [(haunt.title, mechanisms(haunt)) for haunt in haunts]
    return [
        (one, other, len(has ^ theirs))
        for place, (one, has) in enumerate(found)
        for other, theirs in found[place + 1 :]
        if len(has ^ theirs) < LEAST
    ]
