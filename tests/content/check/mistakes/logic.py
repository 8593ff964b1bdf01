"""Logic: haunts of the right shape that cannot be played as their author meant them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

from content.vocabulary.effects import CounterChange, Effect, PlaceMonster, RollEach, Trap
from content.vocabulary.pack import Action, Barrier, Book, Haunt, Monster, Seek, Tile, Trigger
from content.vocabulary.values import Condition, Number, Rooms
from tests.content.check.mistakes.planters import kind
from tests.content.check.mistakes.text import At, Edit, Source, in_braces


def _haunt(at: At[Any]) -> Haunt | None:
    found = at.spot.inside(Haunt)
    return found.value if found is not None else None


def _book(at: At[Any]) -> str:
    """Return in which of two books something stands; empty if there is one, or it stands in none."""
    haunt = _haunt(at)
    if haunt is None or haunt.traitor_book is None or at.spot.inside(Book) is None:
        return ""
    return "heroes" if at.spot.trail[2] == "heroes" else "traitor"


def _other(book: str) -> str:
    return "traitor" if book == "heroes" else "heroes"


@kind("an action has the other side's `side`")
def wrong_side(source: Source, _rng: Random) -> Iterator[Edit]:
    """Heroes read the book, and the traitor may do it."""
    for at in source.of(Action):
        if _book(at) and at.value.side is None and at.value.for_ == "explorers":
            yield at.add(f"side: {_other(_book(at))}")


@kind("a condition asks for somebody of the other side")
def wrong_you(source: Source, _rng: Random) -> Iterator[Edit]:
    """`you: hero` in the traitor's book."""
    for at in source.of(Action):
        if _book(at) and at.value.if_ is not None and at.value.for_ == "explorers" and at.value.if_.you is None:
            yield at.add("you: hero" if _book(at) == "traitor" else "you: traitor", "if")


@kind("monsters that only stunned are to be gone")
def never_gone(source: Source, _rng: Random) -> Iterator[Edit]:
    """Nothing kills them."""
    for at in source.of(Haunt):
        kills = any(step.spot.trail[:2] == at.spot.trail and step.value.kill is not None for step in source.of(Effect))
        kinds = [name for name, monster in at.value.monsters.items() if not monster.dies]
        for node in at.written("heroes", "wins-when"):
            if kinds and not kills:
                yield at.replace(node.value, f"{{monsters-gone: {kinds[0]}}}")


@kind("nobody is the traitor of whom a step speaks")
def no_traitor(source: Source, _rng: Random) -> Iterator[Edit]:
    """`who: traitor` where nobody betrays; `each: monster` where there are none."""
    for at in source.of(Effect):
        haunt = _haunt(at)
        if haunt is not None and haunt.kind == "no-traitor" and at.value.who is None and at.value.damage is None:
            yield at.add("who: traitor")
        if haunt is not None and not haunt.monsters and at.value.who is None:
            yield at.add("who: {each: monster}")


@kind("a goal asks about `you`")
def goal_of_you(source: Source, _rng: Random) -> Iterator[Edit]:
    """Whoever sits first would be asked."""
    for at in source.of(Book):
        for node in at.written("wins-when"):
            yield at.replace(node.value, "{you: hero, in: entrance-hall}")


@kind("a trigger comes to nobody")
def wrong_for(source: Source, _rng: Random) -> Iterator[Edit]:
    """A round begins for no monster, and monsters alone are stunned."""
    for at in source.of(Trigger):
        if at.spot.inside(Book) is not None and at.value.when == "round-started":
            for node in at.written("for"):
                yield at.replace(node.value, "monsters")
            haunt = _haunt(at)
            for node in at.written("when"):
                if haunt is not None and all(monster.dies for monster in haunt.monsters.values()):
                    yield at.replace(node.value, "monster-stunned", anywhere=True)


@kind("a clock stands still in some rounds")
def half_clock(source: Source, _rng: Random) -> Iterator[Edit]:
    """It goes on only where the first in the round is a hero."""
    for at in source.of(Trigger):
        if at.spot.inside(Book) is not None and at.value.when == "round-started" and _book(at):
            for node in at.written("for"):
                yield at.replace(node.value, "heroes")


@kind("a clock stops before the end")
def stopped_clock(source: Source, _rng: Random) -> Iterator[Edit]:
    """It moves once in the game."""
    for at in source.of(Trigger):
        moved = [step.count.counter for step in at.value.do if step.count is not None]
        asked = [
            one
            for one in source.of(Condition)
            if one.spot.trail[:2] == at.spot.trail[:2]
            and one.value.counter in moved
            and isinstance(one.value.at_least, int)
        ]
        if at.value.when == "round-started" and at.value.once is None and asked:
            yield at.add("once: {per: game}")._replace(anywhere=True)


@kind("a room lies on another floor")
def wrong_floor(source: Source, _rng: Random) -> Iterator[Edit]:
    """The Entrance Hall in the basement."""
    for at in source.of(Condition):
        if _haunt(at) is not None and at.value.in_ == "entrance-hall" and at.value.on is None:
            yield at.add("on: [basement]")
    for rooms in source.of(Rooms):
        if rooms.value.one_of and rooms.value.on is None:
            floors = {
                floor for tile in source.of(Tile) if tile.value.id in rooms.value.one_of for floor in tile.value.floors
            }
            missing = sorted({"basement", "ground", "upper"} - floors)
            if missing:
                yield rooms.add(f"on: [{missing[0]}]")


@kind("a room need not be in the house")
def not_there(source: Source, _rng: Random) -> Iterator[Edit]:
    """Monsters come to the Crypt, wherever that is."""
    for at in source.of(PlaceMonster):
        for node in at.written("at"):
            yield at.replace(node.value, "crypt")


@kind("a table by players falls")
def falling(source: Source, _rng: Random) -> Iterator[Edit]:
    """The more heroes, the fewer are needed."""
    for at in source.of(Number):
        table, above = at.value.players, at.spot.above
        if table is None or above is None or len(set(table.values())) < 2 or _haunt(at) is None:
            continue
        rises = isinstance(above.value, Monster | PlaceMonster)
        if rises or (isinstance(above.value, Condition) and at.spot.trail[2:4] == ("heroes", "wins-when")):
            turned = dict(zip(table, reversed(table.values()), strict=True))
            yield at.replace(at.node("players").value, "{" + ", ".join(f"{k}: {v}" for k, v in turned.items()) + "}")  # type: ignore[union-attr]


@kind("no roll comes to that")
def too_high(source: Source, _rng: Random) -> Iterator[Edit]:
    """17 with eight dice."""
    for struct in (Trap, Barrier):
        for at in source.of(struct):
            for node in at.written("at-least"):
                yield at.replace(node.value, "17")
    for each in source.of(RollEach):
        for node in each.written("all-at-least"):
            yield each.replace(node.value, "18")
    for step in source.of(Effect):
        if step.value.roll is not None and step.value.roll.dice == 3:
            for key in step.value.outcomes or {}:
                if key.endswith("+"):
                    yield step.rename(step.node("outcomes", key), "7+")  # type: ignore[arg-type]


@kind("more is needed than there can be")
def too_many(source: Source, _rng: Random) -> Iterator[Edit]:
    """Four keys, of which there are three; thirty tokens in thirteen rooms; more out of the house than came."""
    wanted = {"the-three-keys": "4", "the-house-dreams": "19", "the-brood-in-the-walls": "9", "the-unquiet-name": "30"}
    for at in source.of(Haunt):
        for node in at.written("heroes", "wins-when", "at-least"):
            if at.value.id in wanted:
                yield at.replace(node.value, wanted[at.value.id])
            elif at.value.id == "the-last-carriage":
                yield at.replace(node.value, "{players: {3: 3, 4: 4, 5: 5, 6: 6}}")


@kind("words of a goal that is none")
def idle_because(source: Source, _rng: Random) -> Iterator[Edit]:
    """`because`, and no `wins-when`."""
    for at in source.of(Book):
        if at.value.wins_when is None:
            yield at.add("because: It is over.")
        for step in source.of(Effect):
            if step.value.win is not None and step.spot.trail[:3] == at.spot.trail:
                yield from at.remove("wins-when", anywhere=True)


@kind("a hint leads where nothing is to be done")
def idle_hint(source: Source, _rng: Random) -> Iterator[Edit]:
    """The bots wait in a room that no action names."""
    for at in source.of(Seek):
        for field in ("token", "foes"):
            for node in at.written(field):
                start, end = node.key.start_mark.index, node.value.end_mark.index
                yield Edit(at.file, start, end, "room: pentagram-chamber")


@kind("the words of a goal say another number")
def wrong_number(source: Source, _rng: Random) -> Iterator[Edit]:
    """Ten in the text, nine in the rule."""
    words = {"thirteen": "twelve", "twelve": "eleven", "three": "four", "ten": "nine", "eleven": "ten"}
    words |= {"thirteenth": "tenth", "twelfth": "eleventh", "eleventh": "ninth"}
    for at in source.of(Book):
        for node in at.written("goal"):
            text = at.text_of(node.value)
            for found in re.finditer(r"\b(?:[5-9]|1\d|[a-z]+)\b", text):
                new = words.get(found.group(), str(int(found.group()) + 20) if found.group().isdecimal() else "")
                if new and not text[found.end() :].startswith((" explorers", ", 6", " or 6", ", 5")):
                    yield at.replace(node.value, text[: found.start()] + new + text[found.end() :])


@kind("a step comes after the end")
def after_win(source: Source, _rng: Random) -> Iterator[Edit]:
    """The game is over."""
    for at in source.of(Effect):
        if at.value.win is None and at.value.verb() is not None and _haunt(at) is not None:
            yield at.before("{win: {side: heroes, because: It is over.}}")


@kind("nothing asks for what is counted")
def unread_counter(source: Source, _rng: Random) -> Iterator[Edit]:
    """A second clock runs, and nobody looks at it."""
    for at in source.of(CounterChange):
        haunt = _haunt(at)
        if haunt is None or haunt.traitor_book is None:
            continue
        for book in source.of(Book):
            same = book.spot.trail[:2] == at.spot.trail[:2]
            condition = book.value.wins_when
            if same and condition is not None and condition.counter == at.value.counter:
                asked = [one for one in source.of(Condition) if one.value.counter == at.value.counter]
                if len([one for one in asked if one.spot.trail[:2] == at.spot.trail[:2]]) == 1:
                    for node in book.written("wins-when"):
                        yield book.replace(node.value, "{round-at-least: 12}", anywhere=True)


@kind("an action has no limit")
def no_limit(source: Source, _rng: Random) -> Iterator[Edit]:
    """Its roll is no task, so it is made until it succeeds."""
    for at in source.of(Action):
        rolls = [number for number, step in enumerate(at.value.do) if step.roll is not None and step.roll.task]
        spends = [step for step in source.of(Effect) if step.spot.trail[: len(at.spot.trail)] == at.spot.trail]
        verbs = ("remove_token", "run", "lose_card", "win", "give", "place_token")
        if rolls and not any(getattr(step.value, verb) is not None for step in spends for verb in verbs):
            yield from at.remove("do", rolls[0], "roll", "task")


@kind("a condition holds whatever happens")
def always(source: Source, _rng: Random) -> Iterator[Edit]:
    """At least 0; from the first round on."""
    for at in source.of(Effect):
        condition = at.value.if_
        if _haunt(at) is not None and condition is not None and condition.counter is not None:
            for node in at.written("if", "at-least"):
                yield at.replace(node.value, "0")
        elif _haunt(at) is not None and condition is None and at.value.verb() is not None:
            yield at.add("if: {round-at-least: 1}")


@kind("two sides win by the same")
def same_goal(source: Source, _rng: Random) -> Iterator[Edit]:
    """The traitor's goal is that of the heroes."""
    for at in source.of(Haunt):
        heroes, traitor = at.node("heroes", "wins-when"), at.node("traitor-book", "wins-when")
        if heroes is not None and traitor is not None:
            yield at.replace(heroes.value, at.text_of(traitor.value), anywhere=True)


@kind("a secret is chosen and never asked for")
def idle_secret(source: Source, _rng: Random) -> Iterator[Edit]:
    """Nobody looks for it."""
    for at in source.of(Effect):
        if at.value.place_monster is not None:
            yield at.before("{choose-secret: {name: password, words: [ash, ember]}}")


@kind("every result of a roll leads to the same")
def same_results(source: Source, _rng: Random) -> Iterator[Edit]:
    """What failing does, succeeding does as well."""
    for at in source.of(Effect):
        keys = list(at.value.outcomes or {})
        if at.value.roll is not None and len(keys) == 2 and all((at.value.outcomes or {}).values()):
            first, second = (at.node("outcomes", key) for key in keys)
            if first is not None and second is not None and in_braces(first.value):
                yield at.replace(second.value, at.text_of(first.value))


@kind("a low roll succeeds")
def turned_round(source: Source, _rng: Random) -> Iterator[Edit]:
    """The two results are mixed up."""
    for at in source.of(Effect):
        outcomes = at.value.outcomes or {}
        gains = [key for key, steps in outcomes.items() if any(step.count or step.give for step in steps)]
        if at.value.roll is not None and at.value.roll.task and len(outcomes) == 2 and len(gains) == 1:
            high, low = (at.node("outcomes", key) for key in outcomes)
            if high is not None and low is not None and not outcomes[low.key.value] and in_braces(high.value):
                start, end = high.value.start_mark.index, low.value.end_mark.index
                between = source.texts[at.file][high.value.end_mark.index : low.value.start_mark.index]
                yield Edit(at.file, start, end, f"[]{between}{at.text_of(high.value)}")
