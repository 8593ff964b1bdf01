"""Haunts and cards: goals that nobody can reach, actions that nobody can take, books that nobody reads, wrong decks."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from content.vocabulary.effects import CounterChange, Effect
from content.vocabulary.pack import Action, Attack, Book, Card, Counter, Haunt, Monster, Trigger
from content.vocabulary.values import Condition, Number
from tests.content.check.mistakes.planters import kind
from tests.content.check.mistakes.text import At, Edit, Source, in_braces


def _steps(source: Source, verb: str) -> Iterator[At[Effect]]:
    """Return the steps of haunts with a verb."""
    for at in source.of(Effect):
        if at.spot.inside(Haunt) is not None and getattr(at.value, verb) is not None:
            yield at


def _only(at: At[Effect], verb: str, field: str) -> bool:
    """Whether no other step of the haunt does the same to the same thing."""
    haunt = at.spot.inside(Haunt)
    assert haunt is not None
    name = getattr(getattr(at.value, verb), field, getattr(at.value, verb))
    same = [
        other
        for other in _steps(at.source, verb)
        if other.spot.trail[:2] == haunt.trail
        and getattr(getattr(other.value, verb), field, getattr(other.value, verb)) == name
    ]
    return len(same) == 1


@kind("a counter is never moved towards the goal")
def counters(source: Source, _rng: Random) -> Iterator[Edit]:
    """It falls where it should rise, or is set to where it stands."""
    for at in _steps(source, "count"):
        raised = [other for other in _steps(source, "count") if _raises(other.value.count, at.value.count)]
        if _raises(at.value.count, at.value.count) and len(raised) == 1:
            for node in at.written("count", "by"):
                yield at.replace(node.value, "-1", anywhere=True)
                yield at.replace(node.value, "0")
            for node in at.written("count"):
                yield at.replace(node.value, f"{{counter: {_counter(at)}, to: 0}}", anywhere=True)


def _counter(at: At[Effect]) -> str:
    return "" if at.value.count is None else at.value.count.counter


def _raises(change: CounterChange | None, like: CounterChange | None) -> bool:
    """Whether a step raises the same counter."""
    return (
        change is not None
        and like is not None
        and change.counter == like.counter
        and isinstance(change.by, int)
        and change.by > 0
    )


@kind("a token that is needed is never placed")
def tokens(source: Source, _rng: Random) -> Iterator[Edit]:
    """The step that puts it into the house is left out."""
    for at in _steps(source, "place_token"):
        if _only(at, "place_token", "token"):
            yield at.replace(at.here, "{stop: moving}", anywhere=True)


@kind("a monster never comes")
def monsters(source: Source, _rng: Random) -> Iterator[Edit]:
    """Nothing puts it into the house."""
    for at in _steps(source, "place_monster"):
        if _only(at, "place_monster", "kind"):
            yield at.replace(at.here, "{stop: moving}", anywhere=True)
    for haunt in source.of(Haunt):
        if haunt.value.monsters:
            yield haunt.add("ghost: {title: Ghost, speed: 3, might: 3}", "monsters")


@kind("an item that is needed is never given")
def items(source: Source, _rng: Random) -> Iterator[Edit]:
    """`give` is left out."""
    for at in _steps(source, "give"):
        yield at.replace(at.here, "{stop: moving}", anywhere=True)
    for item in source.of(Card):
        if item.spot.inside(Haunt) is not None:
            yield item.before("{id: lost-key, deck: item, title: Lost Key, text: Nobody knows what it opens.}")


@kind("a condition can never hold")
def never(source: Source, rng: Random) -> Iterator[Edit]:
    """The exploration in a haunt, a side that is the other, what is asked for and excluded."""
    for at in source.of(Condition):
        haunt = at.spot.inside(Haunt)
        if haunt is None or at.spot.inside(Card) is not None:
            continue
        if at.value.phase is None:
            yield at.add("phase: exploration")
        if at.value.not_ is None and at.value.token is not None:
            yield at.add(f"not: {{token: {at.value.token}}}")
        if haunt.value.kind == "one-traitor" and at.value.traitor is None:
            yield at.add("traitor: none")
            yield at.add("traitor: hidden")
        if at.value.you is None and at.value.side is None and at.value.counter is None:
            yield at.add(
                "you: revealed-traitor, side: heroes"
                if in_braces(at.here)
                else "all: [{you: revealed-traitor, side: heroes}]"
            )


@kind("a goal is beyond its counter")
def goals(source: Source, _rng: Random) -> Iterator[Edit]:
    """13 strokes of a bell that strikes 5 times; 40 verses with 4 explorers."""
    for book in source.of(Book):
        if book.value.wins_when is None:
            continue
        for at in source.of(Number):
            if at.spot.trail[: len(book.spot.trail)] == book.spot.trail and "wins-when" in at.spot.trail:
                for players in at.value.players or ():
                    for node in at.written("players", players):
                        yield at.replace(node.value, "40")
        for node in book.written("wins-when", "at-least"):
            if isinstance(book.value.wins_when.at_least, int):
                yield book.replace(node.value, "99")
    for counter in source.of(Counter):
        for node in counter.written("max"):
            yield counter.replace(node.value, "1", anywhere=True)


@kind("a goal is reached before anything happens")
def won_at_once(source: Source, _rng: Random) -> Iterator[Edit]:
    """At least 0 of a counter; its start at its end."""
    for book in source.of(Book):
        for node in book.written("wins-when", "at-least"):
            yield book.replace(node.value, "0")
    for at in source.of(Counter):
        for node in at.written("start"):
            end = at.value.end(3)
            if end is not None:
                yield at.replace(node.value, str(end), anywhere=True)


@kind("a side cannot win")
def no_win(source: Source, _rng: Random) -> Iterator[Edit]:
    """Neither a condition nor a step leads to its victory."""
    for at in source.of(Book):
        if at.value.wins_when is not None:
            yield from at.remove("wins-when", anywhere=True)
    for step in _steps(source, "win"):
        yield step.replace(step.here, "{stop: moving}", anywhere=True)


@kind("a victory has no words")
def no_because(source: Source, _rng: Random) -> Iterator[Edit]:
    """`wins-when` without `because`."""
    for at in source.of(Book):
        if at.value.wins_when is not None:
            yield from at.remove("because")


@kind("a haunt's books do not fit its kind")
def books(source: Source, _rng: Random) -> Iterator[Edit]:
    """A traitor without a book, a book without a traitor, a revelation of what is known."""
    for at in source.of(Haunt):
        for node in at.written("kind"):
            kinds = {"one-traitor", "no-traitor", "hidden-traitor"} - {at.value.kind}
            for other in sorted(kinds):
                yield at.replace(node.value, other, anywhere=True)
        if at.value.kind == "one-traitor":
            yield at.add("revealed: [{heal: {traits: [might]}}]")
    for step in _steps(source, "heal"):
        haunt = step.spot.inside(Haunt)
        if haunt is not None and haunt.value.kind == "one-traitor":
            yield step.before("{reveal: traitor}")


@kind("a monster lacks what it needs")
def monster_traits(source: Source, _rng: Random) -> Iterator[Edit]:
    """It attacks with a trait that it does not have, or has no Speed."""
    for at in source.of(Monster):
        yield from at.remove("might")
        yield from at.remove("speed")
        if at.value.knowledge is None and at.value.attack is None:
            yield at.add("attack: {trait: knowledge, damage: mental}")


@kind("a card is in the wrong deck")
def decks(source: Source, _rng: Random) -> Iterator[Edit]:
    """An item among the omens, a weapon among the events."""
    for at in source.of(Card):
        for node in at.written("deck"):
            if at.spot.inside(Haunt) is None:
                others = [deck for deck in ("event", "item", "omen") if deck != at.value.deck]
                for other in others:
                    yield at.replace(node.value, other)


@kind("a card does what its deck never does")
def deck_rules(source: Source, _rng: Random) -> Iterator[Edit]:
    """An event is a weapon, an item lasts, an event is stolen."""
    for at in source.of(Card):
        if at.value.deck == "event":
            yield at.add("attack: {dice: 1}")
            yield at.add("kinds: [weapon]")
            yield at.add("barred: [steal]")
            yield at.add("declinable: true")
        elif at.spot.inside(Haunt) is None:
            yield at.add("lasting: true")


@kind("an event does nothing")
def events(source: Source, _rng: Random) -> Iterator[Edit]:
    """It has a title and a text, and that is all."""
    for at in source.of(Card):
        if at.value.deck == "event":
            yield from at.remove("do")
            for node in at.written("do"):
                yield at.replace(node.value, "[]")


@kind("an attack makes no sense")
def attacks(source: Source, _rng: Random) -> Iterator[Edit]:
    """At most -8 dice; a range that is none; Courage."""
    for at in source.of(Attack):
        for node in at.written("range"):
            yield at.replace(node.value, "far")
        for node in at.written("trait"):
            yield at.replace(node.value, "courage")
        yield from (at.replace(node.value, "[{run: nothing}]") for node in at.written("cost"))


@kind("what only a haunt can do stands in a card")
def out_of_place(source: Source, _rng: Random) -> Iterator[Edit]:
    """An event wins the game, counts for a haunt, brings its monsters."""
    for at in source.of(Effect):
        home = at.spot.inside(Card, Haunt)
        if home is not None and isinstance(home.value, Card) and home.above is None and "blocks" not in at.spot.trail:
            yield at.before("{win: {side: heroes, because: It is over.}}")
            yield at.before("{count: {counter: hunger, by: 1}}")
            yield at.before("{place-monster: {kind: rat, at: here}}")
            yield at.before("{reveal: traitor}")


@kind("an action answers a roll, and belongs to no card")
def answers(source: Source, _rng: Random) -> Iterator[Edit]:
    """A tile's action is a reaction, which only cards can be."""
    for at in source.of(Action):
        if at.spot.inside(Card) is None and at.value.when == "own-turn":
            yield at.add("when: after-roll")


@kind("a trigger is for nobody")
def nobody(source: Source, _rng: Random) -> Iterator[Edit]:
    """`for: everybody`."""
    for at in source.of(Trigger):
        for node in at.written("for"):
            yield at.replace(node.value, "everybody")
