"""Who does what: actions, triggers and conditions that no character of the haunt can ever be meant by.

Characters are told apart by role: heroes, traitors that are hidden or known, monsters of either side. A book, `side`, `for` and `each`
each leave some of them; a condition that none of those fulfils can never hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from content.check.play.possible import atoms_of
from content.errors import Finding, Trail, listed
from content.survey import Spot, Survey
from content.vocabulary.effects import Effect, Monsters, PlaceMonster, Shift, Tell, Win
from content.vocabulary.pack import Action, Attack, Bar, Book, Card, Haunt, Monster, Seek, Trigger
from content.vocabulary.values import Condition, Count, Each, Place, Who

Role = Literal["hero", "hidden traitor", "traitor", "rival", "monster of the heroes", "monster of the traitor"]

Roles = frozenset[Role]

HERO: Roles = frozenset({"hero"})
TRAITOR: Roles = frozenset({"hidden traitor", "traitor"})
FRIEND: Roles = frozenset({"monster of the heroes"})
FIEND: Roles = frozenset({"monster of the traitor"})
MONSTERS = FRIEND | FIEND
RIVALS: Roles = frozenset({"rival"})
"""Explorers who play against each other, in a free-for-all."""
EXPLORERS = HERO | TRAITOR | RIVALS
ALL = EXPLORERS | MONSTERS
UNREVEALED: Roles = frozenset({"hero", "hidden traitor"})
REVEALED: Roles = frozenset({"traitor"})

YOU: dict[str, Roles] = {
    "explorer": EXPLORERS,
    "drawer": EXPLORERS,
    "hero": UNREVEALED,
    "traitor": TRAITOR,
    "revealed-traitor": REVEALED,
    "monster": MONSTERS,
}
"""Whom `you` means in a condition."""

SIDE: dict[str, Roles] = {"heroes": HERO | FRIEND, "traitor": TRAITOR | FIEND}
"""Whom `side` means in a condition: the truth, known or not."""

MAY: dict[str, Roles] = {"heroes": UNREVEALED | FRIEND, "traitor": REVEALED | FIEND}
"""Whom `side` means in an action: as everybody sees it."""

FOR: dict[str, Roles] = {
    "explorers": EXPLORERS,
    "heroes": UNREVEALED,
    "traitor": TRAITOR,
    "monsters": MONSTERS,
    "everyone": ALL,
}
"""Whom `for` means."""

EACH: dict[str, Roles] = {"explorer": EXPLORERS, "hero": UNREVEALED, "traitor": TRAITOR, "monster": MONSTERS}
"""Whom `each` means, where it doesn't depend on who asks."""

COMES_TO: dict[str, Roles] = {
    "monster-stunned": MONSTERS,
    "round-started": EXPLORERS,
    "haunt-started": EXPLORERS,
    "monsters-ended": EXPLORERS,
    "turn-started": EXPLORERS,
    "died": EXPLORERS,
}
"""To whom a moment of a haunt comes, where not to everybody."""

READERS: dict[str, Roles] = {"heroes": HERO | FRIEND, "traitor-book": REVEALED | FIEND}
"""Who does what a book offers, where there are two."""


def doable(survey: Survey) -> Iterator[Finding]:
    """Somebody can do an action: nobody of the traitor's side reads the heroes' book, no monster acts where there is none."""
    casts = _casts(survey)
    for spot in survey.of(Action):
        haunt = spot.inside(Haunt)
        if haunt is None:
            continue
        action, there = spot.value, casts[haunt.trail]
        book = _book(spot)
        readers = there & (READERS[book] if book else ALL)
        if action.side is not None and not readers & MAY[action.side]:
            message, hint = _stranger(book, haunt.value)
            yield Finding(spot.at("side"), f"nobody can do this: {message}", hint)
        elif action.side == "traitor" and action.for_ == "explorers" and _while_hidden(action):
            message = "nobody can do this: a traitor who is hidden counts among the heroes"
            yield Finding(spot.at("side"), message, "write `if: {you: revealed-traitor}`")
        elif action.for_ == "monsters" and not readers & MONSTERS:
            whose = "" if not there & MONSTERS else " on the side that reads this book"
            yield Finding(spot.at("for"), f"nobody can do this: the haunt has no monsters{whose}")


def fired(survey: Survey) -> Iterator[Finding]:
    """A trigger of a haunt comes to somebody: no traitor acts where there is none, only monsters are stunned."""
    casts = _casts(survey)
    for spot in survey.of(Trigger):
        haunt = spot.inside(Haunt)
        if haunt is None or spot.inside(Card) is not None:
            continue
        there, trigger = casts[haunt.trail], spot.value
        comes_to = COMES_TO.get(trigger.when, ALL)
        if not FOR[trigger.for_] & comes_to:
            hint = "write `for: monsters`" if comes_to == MONSTERS else "write `for: everyone`"
            yield Finding(spot.at("for"), f"`{trigger.when}` never comes to {_named(trigger.for_)}", hint)
        elif not there & FOR[trigger.for_] & comes_to:
            lacks = "monsters" if trigger.when == "monster-stunned" else _named(trigger.for_)
            yield Finding(spot.at("when"), f"this never happens: the haunt has no {lacks}")
        elif trigger.when == "monsters-ended" and not there & MONSTERS:
            yield Finding(spot.at("when"), "this never happens: the haunt has no monsters")
        elif trigger.when == "monster-stunned" and _all_die(survey, haunt):
            message = "this never happens: damage kills every monster of this haunt, and no step stuns one"
            yield Finding(spot.at("when"), message)
        elif trigger.when in {"round-started", "monsters-ended"} and not there & EXPLORERS <= FOR[trigger.for_]:
            message = f"`{trigger.when}` comes to one explorer of either side: with `for: {trigger.for_}` it is often left out"
            yield Finding(spot.at("for"), message, "write `for: everyone`", severity="warning")


def silent(survey: Survey) -> Iterator[Finding]:
    """A trigger's moment comes: monsters discover rooms only where they explore, a traitor killed at the start has no turns."""
    for spot in survey.of(Trigger):
        haunt, trigger = spot.inside(Haunt), spot.value
        if haunt is None or spot.inside(Card) is not None:
            continue
        explores = any(monster.explores for monster in haunt.value.monsters.values())
        if trigger.when == "discovered" and trigger.for_ == "monsters" and not explores:
            yield Finding(spot.at("for"), "no monster of this haunt discovers rooms", "write `for: heroes`")
        book = haunt.value.traitor_book
        killed = book is not None and any(step.kill == "you" and step.if_ is None for step in book.right_now)
        if trigger.when.startswith("turn-") and trigger.for_ == "traitor" and killed:
            message = "this never happens: the traitor dies as the haunt begins, and has no turns"
            yield Finding(spot.at("when"), message, "write `round-started`, `for: everyone`")


def meant(survey: Survey) -> Iterator[Finding]:
    """A condition about `you` can hold for whoever it is asked of: in the traitor's book nobody is a hero."""
    casts, turning = _casts(survey), turncoats(survey)
    for spot in survey.of(Condition):
        haunt = spot.inside(Haunt)
        if haunt is None or spot.above is None or isinstance(spot.above.value, Condition):
            continue
        turns = haunt.trail in turning and spot.inside(Effect) is not None
        roles = None if turns else _asked(spot, casts[haunt.trail])
        if roles is None:
            continue
        for atom in atoms_of(spot):
            named = _fulfilled_by(atom.field, atom.value)
            left = roles if named is None else roles & named if atom.holds else roles - named
            if not left:
                message = f"this never holds: it is asked of {_listed(roles)} only"
                hint = "leave it out, or move this to the other book" if _book(spot) else "leave it out"
                yield Finding(atom.trail, message, hint, key=True)


def nobody_there(survey: Survey) -> Iterator[Finding]:
    """Nobody is named whom the haunt doesn't have: a traitor where nobody betrays, monsters where there are none, sides in a free-for-all."""
    casts = _casts(survey)
    for haunt in survey.of(Haunt):
        there = casts[haunt.trail]
        if not there & TRAITOR:
            for spot, trail, text in [*survey.strings(Who), *survey.strings(Place)]:
                if text in {"traitor", "room-of:traitor"} and _is_in(haunt, spot):
                    yield _absent(trail, "traitor")
            alone = haunt.value.kind == "free-for-all"  # what names a side there is told below
            for spot in survey.inside(haunt, Each):
                if spot.value.each == "traitor" and not alone:
                    yield _absent(spot.at("each"), "traitor")
            for spot in survey.inside(haunt, Tell):
                if spot.value.side == "traitor" and not alone:
                    yield _absent(spot.at("side"), "traitor")
        if haunt.value.kind == "free-for-all":
            yield from _no_sides(survey, haunt)
        if not there & MONSTERS:
            yield from _no_monsters(survey, haunt)


def nobody_carries(survey: Survey) -> Iterator[Finding]:
    """An item is given to somebody who can have it: a monster only if it carries (2E-ITEM-010)."""
    for spot in survey.of(Effect):
        action, haunt = spot.inside(Action), spot.inside(Haunt)
        if spot.value.give is None or action is None or haunt is None or action.value.for_ != "monsters":
            continue
        if spot.value.who is None and not any(monster.carries for monster in haunt.value.monsters.values()):
            yield Finding(
                spot.at("give"), "nobody gets this: monsters of this haunt carry nothing", "write `carries: true`"
            )


def ruled(survey: Survey) -> Iterator[Finding]:
    """A haunt's rule for who is the traitor fits its kind: somebody is, and is hidden only where the kind says so."""
    for spot in survey.of(Haunt):
        rule, kind = spot.value.traitor, spot.value.kind
        for field, said, right in (
            ("none", rule and rule.none, "no-traitor"),
            ("hidden", rule and rule.hidden, "hidden-traitor"),
            ("free_for_all", rule and rule.free_for_all, "free-for-all"),
        ):
            if said and kind != right:
                yield Finding(spot.at("traitor", field), f"the kind is `{kind}`", f"write `kind: {right}`", key=True)


def _while_hidden(action: Action) -> bool:
    return action.if_ is not None and any(
        atom.holds and (atom.field, atom.value) == ("traitor", "hidden") for atom in atoms_of(Spot((), action.if_))
    )


def _no_sides(survey: Survey, haunt: Spot[Haunt]) -> Iterator[Finding]:
    """What names a side where each explorer is one."""
    named: list[tuple[Spot[Any], str, object, str]] = []
    named += [(spot, "side", spot.value.side, "`side: all` or `side: you`") for spot in survey.inside(haunt, Tell)]
    named += [(spot, "side", spot.value.side, "`side: you`") for spot in survey.inside(haunt, Win)]
    named += [(spot, "side", spot.value.side, "") for spot in survey.inside(haunt, Bar)]
    named += [(spot, "change-side", spot.value.change_side, "") for spot in survey.inside(haunt, Effect)]
    named += [(spot, "each", spot.value.each, "`each: explorer`") for spot in survey.inside(haunt, Each)]
    named += [(spot, "explorers", spot.value.explorers, "`living` or `all`") for spot in survey.inside(haunt, Count)]
    named += [
        (spot, "dead", spot.value.dead, "count explorers who are `living`") for spot in survey.inside(haunt, Condition)
    ]
    named += [
        (spot, "side", spot.value.side, "leave `side` out")
        for spot in survey.inside(haunt, Monster)
        if spot.value.side == "heroes"
    ]
    for spot, field, value, instead in named:
        if value in {"heroes", "hero", "living-heroes", "all-heroes", "traitor"} or (
            field == "side" and isinstance(spot.value, Monster)
        ):
            hint = (
                instead
                if instead.startswith(("leave", "count"))
                else f"write {instead}"
                if instead
                else f"leave `{field}` out"
            )
            yield Finding(
                spot.at(field),
                f"in a free-for-all nobody is meant by `{value}`: each explorer is a side of its own",
                hint,
            )


def _no_monsters(survey: Survey, haunt: Spot[Haunt]) -> Iterator[Finding]:
    for each in survey.inside(haunt, Each):
        if each.value.each == "monster":
            yield _absent(each.at("each"), "monsters")
    for kind in survey.inside(haunt, Monsters):
        yield _absent(kind.trail, "monsters")
    for shift in survey.inside(haunt, Shift):
        if shift.value.monsters is not None:
            yield _absent(shift.at("monsters"), "monsters")
    for count in survey.inside(haunt, Count):
        if count.value.monsters is not None:
            yield _absent(count.at("monsters"), "monsters")
    for gone in survey.inside(haunt, Condition):
        if gone.value.monsters_gone is not None:
            yield _absent(gone.at("monsters-gone"), "monsters")


def nobody_asked(survey: Survey) -> Iterator[Finding]:
    """A goal asks nothing of `you`: it is nobody's own, and would be asked of whoever sits first."""
    about = {"you": "", "side": "", "carrying": "held", "token": "token-in-house", "in_": "there-is", "on": "there-is"}
    about |= {"has_item": "", "critical": "", "with_": "there-is", "moved": "", "alone": "", "discovered_now": ""}
    for book in survey.of(Book):
        haunt = book.inside(Haunt)
        alone = haunt is not None and haunt.value.kind == "free-for-all"
        decisive = [book.at("loses-when"), *([] if alone else [book.at("wins-when")])]
        for spot in survey.of(Condition):
            if spot.trail[: len(book.trail) + 1] not in decisive or spot.inside(Each) is not None:
                continue
            for name, instead in about.items():
                if getattr(spot.value, name) is not None:
                    field = "in" if name == "in_" else "with" if name == "with_" else name.replace("_", "-")
                    hint = f"write `{instead}: ...`" if instead else "ask `there-is: {each: explorer, if: {...}}`"
                    yield Finding(
                        spot.at(field), f"a goal has no `you` of whom `{field}` could be asked", hint, key=True
                    )


def killable(survey: Survey) -> Iterator[Finding]:
    """Monsters that are to be gone can go: damage kills them, or a step or an attack of the haunt does (2E-MON-004)."""
    everywhere = {name for spot in survey.of(Attack) if spot.inside(Haunt) is None for name in spot.value.kills}
    for haunt in survey.of(Haunt):
        kinds = haunt.value.monsters
        lasting = {name for name, monster in kinds.items() if not monster.dies}
        kills = [spot.value.kill for spot in survey.inside(haunt, Effect) if spot.value.kill is not None]
        killed = everywhere | {name for spot in survey.inside(haunt, Attack) for name in spot.value.kills}
        killed |= {kill.kind if isinstance(kill, Monsters) else "any" for kill in kills}
        lasting -= lasting if "any" in killed else killed
        for spot in survey.inside(haunt, Condition):
            condition = spot.value
            counted = condition.count.monsters if condition.count is not None and condition.at_most == 0 else None
            for field, name in (("monsters-gone", condition.monsters_gone), ("count", counted)):
                if stays := sorted(lasting) if name == "any" else sorted({name or ""} & lasting):
                    message = f"nothing kills {listed(stays)}: damage only stuns, and what is stunned is not gone"
                    yield Finding(spot.at(field), message, "say of the monster `dies: true`", key=True)


def _all_die(survey: Survey, haunt: Spot[Haunt]) -> bool:
    """Tell whether no monster of a haunt is ever stunned."""
    stuns = [spot for spot in survey.of(Effect) if spot.value.stun is not None]
    return all(monster.dies for monster in haunt.value.monsters.values()) and not stuns


def _absent(trail: Trail, whom: str) -> Finding:
    return Finding(trail, f"this is nobody: the haunt has no {whom}")


def _stranger(book: str, haunt: Haunt) -> tuple[str, str]:
    """Say why nobody of a side could act here, and what would be right."""
    if book == "heroes":
        return "only heroes read this book", "move it to `traitor-book`, or leave `side` out"
    if book:
        return "only the traitor's side reads this book", "move it to `heroes`, or leave `side` out"
    return f"the kind is `{haunt.kind}`", "leave `side` out"


def _named(for_: str) -> str:
    return for_ if for_ in {"explorers", "heroes", "monsters"} else "traitor"


def _listed(roles: Roles) -> str:
    if roles in {HERO, UNREVEALED}:
        return "heroes"
    if roles <= RIVALS:
        return "explorers of whom each is a side of its own"
    if roles <= TRAITOR:
        return "the traitor"
    if roles <= MONSTERS:
        return "monsters"
    if roles <= SIDE["traitor"]:
        return "the traitor's side"
    return "the heroes' side" if roles <= SIDE["heroes"] else "explorers"


def turncoats(survey: Survey) -> set[Trail]:
    """Return the haunts in which somebody may change sides."""
    return {spot.trail[:2] for spot in survey.of(Effect) if spot.value.change_side is not None}


def _casts(survey: Survey) -> dict[Trail, Roles]:
    """Return which roles there are in each haunt."""
    turning = turncoats(survey)
    return {haunt.trail: _cast(haunt.value, turned=haunt.trail in turning) for haunt in survey.of(Haunt)}


def _cast(haunt: Haunt, *, turned: bool) -> Roles:
    roles: Roles = RIVALS if haunt.kind == "free-for-all" else HERO
    if haunt.kind not in {"no-traitor", "free-for-all"} or turned:
        roles |= REVEALED
    if haunt.kind == "hidden-traitor":
        roles |= TRAITOR
    for monster in haunt.monsters.values():
        roles |= MONSTERS if turned else FIEND if monster.side == "traitor" else FRIEND
    return roles


def _book(spot: Spot[Any]) -> str:
    """Return in which of two books something stands, empty where there is one, or it stands in none."""
    haunt = spot.inside(Haunt)
    if haunt is None or spot.inside(Book) is None or haunt.value.one_book:
        return ""
    return str(spot.trail[2])


def _asked(condition: Spot[Condition], there: Roles) -> Roles | None:
    """Return of whom a condition is asked, None where that can't be told."""
    spot = condition.above
    while spot is not None:
        match spot.value:
            case Effect(who=who) if who is not None:
                return None
            case Condition():
                return None
            case Each(each=each):
                return there & EACH.get(each, ALL)
            case Seek(for_=for_):
                return there & FOR[for_] & (READERS[_book(spot)] if _book(spot) else ALL)
            case Action(for_=for_, side=side):
                roles = there & FOR[for_] & (READERS[_book(spot)] if _book(spot) else ALL)
                return (roles & MAY[side] if side is not None else roles) or None
            case Trigger(for_=for_, when=when):
                return there & FOR[for_] & COMES_TO.get(when, ALL) or None
            case Card() | Monster() | Book() | PlaceMonster() as home:
                return there & RIVALS or None if isinstance(home, Book) else None
        spot = spot.above
    return None


def _fulfilled_by(field: str, value: Any) -> Roles | None:  # noqa: ANN401 - a field of any type
    if field == "you":
        return YOU[value]
    return SIDE[value] if field == "side" else None


def _is_in(haunt: Spot[Haunt], spot: Spot[Any]) -> bool:
    return spot.trail[:2] == haunt.trail
