"""Cards, tiles, tokens and explorers in words, rule by rule."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from content.vocabulary.abilities import Link
from content.vocabulary.base import TRAITS
from content.vocabulary.cards import Card, CardSet, TokenKind
from content.vocabulary.pack import Barrier, Explorer, Tile
from projections.wording.abilities import led
from projections.wording.wording import Wording
from projections.wording.words.english import capital, listed, plain, quoted, sentence, sentences
from projections.wording.words.titles import FLOOR_NAMES, trait


class RuleText(msgspec.Struct, frozen=True):
    """One rule of a piece."""

    part: str
    """Where it stands in the content: `do`, `on.0`, `actions.SEARCH`; in a haunt's book `heroes.wins-when`."""
    text: str


def kept(rules: Sequence[RuleText]) -> list[RuleText]:
    """Rules without those of which the table's rulings leave nothing."""
    return [rule for rule in rules if rule.text]


def card(w: Wording, one: Card) -> list[RuleText]:
    """A card, or an item token of a haunt."""
    drawn = w.effects(one.do) if one.do else ""
    if one.do_if is not None:
        otherwise = f" Otherwise: {_lower(w.effects(one.otherwise))}" if one.otherwise else ""
        drawn = led(f"if {w.if_(one.do_if)}", drawn) + otherwise
    if drawn and one.deck != "event":
        drawn = led("when you draw this card", drawn)
    return kept(
        [
            RuleText("kinds", sentences([*one.kinds, *(["not an item"] if one.no_item else [])])),
            RuleText("do", drawn),
            RuleText("declinable", "The traitor may decline this." if one.declinable and drawn else ""),
            RuleText("lasting", "This card stays out as long as its token is in the house." if one.lasting else ""),
            RuleText("states", _states(one)),
            RuleText("barred", _barred(one)),
            *(RuleText(f"always.{number}", w.standing(rule)) for number, rule in enumerate(one.always)),
            RuleText("attack", w.attack(one.attack) if one.attack is not None else ""),
            *(RuleText(f"actions.{rule.word}", w.action(rule)) for rule in one.actions),
            *(RuleText(f"on.{number}", w.trigger(rule)) for number, rule in enumerate(one.on)),
            RuleText("set", _set(w, one.set) if one.set is not None else ""),
        ]
    )


def _lower(words: str) -> str:
    return f"{words[:1].lower()}{words[1:]}"


BARRED: dict[str, str] = {"drop": "dropped", "trade": "traded", "steal": "stolen"}


def _barred(one: Card) -> str:
    return f"It cannot be {listed([BARRED[deed] for deed in one.barred], 'or')}." if one.barred else ""


def _states(one: Card) -> str:
    if not one.states:
        return ""
    lasting = ", and it stays as it is when it changes hands" if one.keeps_state else ""
    states = listed([quoted(plain(state)) for state in one.states], "or")
    return f"It is {states}: you gain it {quoted(plain(one.states[0]))}{lasting}."


def _set(w: Wording, together: CardSet) -> str:
    others = listed([w.titles.card(name) for name in together.with_])
    whole = led(f"as soon as you also have {others}", w.effects(together.whole))
    return f"{whole} {led('as soon as you lose one of them', w.effects(together.broken))}"


def token(w: Wording, one: TokenKind) -> list[RuleText]:
    """A token, for its room."""
    whose = ", but not for monsters" if one.explorers_only else ""
    alike = f"From here a way leads to the other room with a {w.titles.token(one.id)}, for 1 space{whose}."
    return kept(
        [
            RuleText("links-alike", alike if one.links_alike else ""),
            *(RuleText(f"links.{number}", link(w, way)) for number, way in enumerate(one.links)),
            *(RuleText(f"always.{number}", w.standing(rule)) for number, rule in enumerate(one.always)),
            *(RuleText(f"actions.{rule.word}", w.action(rule)) for rule in one.actions),
            *(RuleText(f"on.{number}", w.trigger(rule, "token")) for number, rule in enumerate(one.on)),
        ]
    )


def link(w: Wording, way: Link) -> str:
    """A way besides doors."""
    whose = "for monsters only, " if way.monsters_only else ""
    back = " and back" if way.both_ways else ""
    return sentence(f"{whose}a way leads to {w.titles.room(way.to)}{back}")


def tile(w: Wording, one: Tile) -> list[RuleText]:
    """A room."""
    return kept(
        [
            RuleText("floors", _layout(w, one)),
            RuleText("start", _start(one)),
            RuleText("barrier", _barrier(w, one.barrier, locked=one.locked) if one.barrier is not None else ""),
            *(RuleText(f"links.{number}", link(w, way)) for number, way in enumerate(one.links)),
            *(RuleText(f"always.{number}", w.standing(rule)) for number, rule in enumerate(one.always)),
            *(RuleText(f"on.{number}", w.trigger(rule, "tile")) for number, rule in enumerate(one.on)),
            *(RuleText(f"actions.{rule.word}", w.action(rule)) for rule in one.actions),
            *(RuleText(f"unplaced.{rule.word}", _unplaced(w.action(rule))) for rule in one.unplaced),
        ]
    )


def _unplaced(text: str) -> str:
    return f"{text} Only while this room is not in the house." if text else ""


def _layout(w: Wording, one: Tile) -> str:
    chosen = [doors for ruling, doors in one.doors_by_ruling.items() if ruling in w.rulings]
    doors = chosen[0] if chosen else one.doors
    said = [listed([FLOOR_NAMES[floor] for floor in one.floors], "or")]
    said.append(f"{'door' if len(doors) == 1 else 'doors'} {listed(doors)}" if doors else "no doors")
    if one.windows:
        said.append(f"{'window' if len(one.windows) == 1 else 'windows'} {listed(one.windows)}")
    if one.outside:
        said.append("outside the house")
    if one.symbols:
        said.append(_symbols(one))
    return sentence(capital("; ".join(said)))


def _symbols(one: Tile) -> str:
    first, several = one.symbols[0], len(one.symbols) > 1
    if several and set(one.symbols) == {first}:
        return f"{len(one.symbols)} {first} symbols"
    return f"{listed(one.symbols)} symbol{'s' if several else ''}"


def _start(one: Tile) -> str:
    if one.start is None:
        return ""
    said = "in the house from the start"
    if one.start.landing:
        said += f", as the landing of the {FLOOR_NAMES[one.start.floor]}"
    if one.start.passages:
        said += f"; open to the {listed(one.start.passages)}"
    if one.start.front_door is not None:
        said += f"; the front door is in the {one.start.front_door}"
    return sentence(said)


def _barrier(w: Wording, barrier: Barrier, *, locked: bool) -> str:
    chosen = [number for ruling, number in barrier.by_ruling.items() if ruling in w.rulings]
    number = chosen[0] if chosen else barrier.at_least
    opened = (
        f" It is open once the room has a {w.titles.token(barrier.opened_by)}." if barrier.opened_by is not None else ""
    )
    if locked:
        doors = listed([door for part in barrier.parts for door in part])
        return f"Whoever comes in by the {doors} door stands before a locked door, which opens with {trait(barrier.trait)} {number}+.{opened}"
    parts = " and ".join(f"the {listed(part)} {'door' if len(part) == 1 else 'doors'}" for part in barrier.parts)
    return f"To cross between {parts}, roll {trait(barrier.trait)} {number}+; if you fail, move no further this turn.{opened}"


def explorer(_w: Wording, one: Explorer) -> list[RuleText]:
    """A character: its tracks, the starting values in brackets."""
    told = [RuleText("age", f"{one.age} years old, born on {_day(one.birthday)}; {one.color} figure.")]
    for name in TRAITS:
        track = one.tracks[name]
        values = [f"[{value}]" if place == track.start else str(value) for place, value in enumerate(track.values)]
        told.append(RuleText(name, f"{trait(name)} {' '.join(values)}."))
    return told


MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def _day(birthday: str) -> str:
    month, _, day = birthday.partition("-")
    return f"{MONTHS[int(month) - 1]} {int(day)}"
