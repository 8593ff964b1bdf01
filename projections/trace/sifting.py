"""Which steps of a trace are wanted: those of a turn, a round or a seat, and those about a rule, a room, a card or some words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

import msgspec

from content.errors import did_you_mean
from content.ledger import no_rule
from domain.engine.rules import Rules
from domain.facts.audience import REFEREE, Mask
from domain.facts.state import State
from projections.naming.names import Names, enumerated
from projections.trace.shapes import Attempt, TraceStep

SHOWN: dict[str, tuple[str, ...]] = {}
"""Of a role's state nothing is read here but what titles depend on."""

BETWEEN_IDS = re.compile(r"[:/@#=+,]")
"""What an id has between the names in it: `card:axe`, `tile/attic#do`, `nest@attic`."""
UNSAID = ("rule", "decision")
"""Members of events and commands that name no room and no card."""


class Unfit(ValueError):
    """Nothing of that name is in the game. The message says what would be right."""

    def __init__(self, field: str, detail: str) -> None:
        """`field` is the member of `Wanted`."""
        super().__init__(detail)
        self.field = field


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What a step must have, all of it."""

    turn: int | None = None
    """It was done in this turn, or this turn began with it."""
    round: int | None = None
    """Likewise of the haunt; 0 is everything before its first turn."""
    seat: int | None = None
    """Whose deed it was, or who tried something after it and was refused."""
    rule: str = ""
    """Cited by something that happened, or by a refusal after it."""
    room: str = ""
    """Named in the command or in what happened, or who acted stood in it."""
    card: str = ""
    """Named in the command or in what happened."""
    grep: str = ""
    """A text in what is told of the step, whatever its case; what was legal and bookkeeping are not searched."""

    def __bool__(self) -> bool:
        """Whether anything is asked for."""
        return self != ALL

    def __str__(self) -> str:
        """In words: `turn 12 and the rule 2E-ATK-001`."""
        found = [f"{name} {value}" for name in ("turn", "round", "seat") if (value := getattr(self, name)) is not None]
        found += [f"the {name} {value}" for name in ("rule", "room", "card") if (value := getattr(self, name))]
        return enumerated(found + ([f"the text “{self.grep}”"] if self.grep else []))

    def in_doubt(self, rules: Rules, principal: Mask) -> bool:
        """Whether the card that is wanted may be one of a haunt: a role that doesn't see everything asks for those alone of which it was told."""
        return bool(self.card) and principal != REFEREE and not _found(self.card, _public(rules))

    def settled(self, rules: Rules, state: State, principal: Mask, seats: int, told: Collection[str] = ()) -> Wanted:
        """The same, with rooms and cards by their ids where they were named by their titles, and without blanks around texts.

        Args:
            rules: of the game.
            state: what the role knows at the end of the span.
            principal: the role's bit.
            seats: how many the game has.
            told: the names in all that the role was told and has read by then, if `in_doubt`.

        Raises:
            Unfit: there is no such rule, seat, room or card. What a role was not told of is not there for it.
        """
        rules, names = rules.of(state), Names(rules, state)
        if self.rule and (detail := no_rule(self.rule, rules.edition.rules_of())):
            raise Unfit("rule", detail)
        if self.seat is not None and self.seat >= seats:
            raise Unfit("seat", f"There is no seat {self.seat}: the game has seats 0 to {seats - 1}.")
        cards = {card: names.card(card) for card in rules.pack.titles} if self.card else {}
        if self.in_doubt(rules, principal):
            cards = _public(rules) | {card: title for card, title in cards.items() if card in told}
        return msgspec.structs.replace(
            self,
            room=_named("room", self.room, {room: names.room(room) for room in rules.pack.tiles}),
            card=_named("card", self.card, cards),
            grep=" ".join(self.grep.split()),
        )

    def in_names(self, names: Collection[str]) -> bool:
        """Whether the room and the card that are wanted are among what a step names."""
        return all(one in names for one in (self.room, self.card) if one)

    def in_words(self, step: TraceStep) -> bool:
        """Whether the rule and the text that are wanted are in what a step tells."""
        if self.rule and self.rule not in _rules(step):
            return False
        needle = self.grep.casefold()
        return not needle or any(needle in " ".join(line.split()).casefold() for line in _lines(step))


ALL = Wanted()


def names_of(*things: object) -> set[str]:
    """All names that events, commands or boxes name, by their ids."""
    return {name for said in _said(things) for name in BETWEEN_IDS.split(said)}


def _said(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, msgspec.Struct):
        yield from _said([getattr(value, field) for field in value.__struct_fields__ if field not in UNSAID])
    elif isinstance(value, dict):
        yield from _said([*value, *value.values()])
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _said(one)


def in_changes(step: TraceStep, title: str) -> bool:
    """Whether a room or card is named by its title in what a step changed."""
    whole = re.compile(rf"(?<!\w){re.escape(title)}(?!\w)")
    return any(whole.search(text) for one in step.changes for text in (one.what, one.before, one.after))


def _public(rules: Rules) -> dict[str, str]:
    """The cards that anybody may know of, with their titles: all but those that haunts bring."""
    in_haunts = {card.id for haunt in rules.pack.haunts.values() for card in haunt.items}
    return {card: title for card, title in rules.pack.titles.items() if card not in in_haunts}


def _found(name: str, known: Mapping[str, str]) -> str:
    """The id of what is named by its id or its title, in any case; empty if that is nothing."""
    asked = _alike(name)
    return next((one for one, title in known.items() if asked in (one, _alike(title))), "")


def _alike(name: str) -> str:
    return " ".join(name.replace("\u2019", "'").split()).casefold()


def _named(what: str, name: str, known: Mapping[str, str]) -> str:
    """The id of what is named by its id or its title; empty for a blank name. Raises `Unfit`."""
    if not name.strip():
        return ""
    found = _found(name, known)
    if not found:
        near = did_you_mean(_alike(name).replace(" ", "-"), known)
        raise Unfit(what, f"There is no {what} {name!r} in this game{f': {near}' if near else '.'}")
    return found


def _rules(step: TraceStep) -> Iterable[str]:
    yield from (one.rule for one in step.happened)
    yield from (one.rule.id for one in step.refused if one.rule is not None)


def _lines(step: TraceStep) -> Iterator[str]:
    """What is told of a step, line by line, but for what was legal and for bookkeeping."""
    yield f"{step.who}: {step.did}"
    for one in step.happened:
        yield f"{'' if one.kind == 'note' else one.words} [{one.rule}] {one.box}"
    yield from (f"{one.what}: {one.before} → {one.after}" for one in step.changes)
    for spoke in step.spoke:
        yield f"{spoke.title} ({spoke.box})"
        yield from (spoke.text, *spoke.rules)
    yield from (f"{one.title}: {one.text}" for one in step.rulings)
    yield from map(_attempt, step.refused)


def _attempt(one: Attempt) -> str:
    return f"{one.by} {one.did}: {one.because} ({one.problem})" + (f" [{one.rule.id}]" if one.rule is not None else "")
