"""The rules in words that a view shows: by the rulings of the table, in the numbers of the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from content.vocabulary.base import Side, Word
from content.vocabulary.pack import Book, Card, Haunt
from content.vocabulary.values import Condition, Count, Number
from domain.engine.parts import has_read, kind_of_box
from domain.engine.rules import Rules, chosen_rulings
from domain.facts.state import State
from projections.wording import GameNumbers, Wording, haunts, pieces
from projections.wording.rows import as_read
from projections.wording.words.numbers import Known

SHOWN = {"State": ("seats", "options", "rows_read", "haunt", "texts"), "Haunt": ("id", "disclosed")}
"""What of a role's state is read here besides what `GameNumbers` reads; any other field stays hidden."""


def rulings(rules: Rules, state: State) -> frozenset[str]:
    """The alternatives that this table plays by."""
    return _rulings(rules, tuple((piece, tuple(named)) for piece, named in chosen_rulings(state).items()))


@lru_cache(maxsize=64)
def _rulings(rules: Rules, chosen: tuple[tuple[str, tuple[str, ...]], ...]) -> frozenset[str]:
    table = State(options={"rulings": {piece: list(named) for piece, named in chosen}})
    offered = (choice for choices in rules.pack.alternatives.values() for choice in choices)
    return frozenset(choice for choice in offered if rules.plays_by(table, choice))


def wording_of(rules: Rules, state: State) -> Wording:
    """The words inside the haunt in play, as this table plays; of numbers only how many play."""
    return _wording(rules, state.haunt.id if state.haunt is not None else "", rulings(rules, state), state.seats)


@lru_cache(maxsize=64)
def _wording(rules: Rules, haunt: str, chosen: frozenset[str], players: int) -> Wording:
    within = rules.pack.haunts[haunt] if haunt else None
    return Wording(rules.pack.source, within=within, rulings=chosen, numbers=Known(players), edition=rules.edition)


@lru_cache(maxsize=4096)
def _card(
    rules: Rules, haunt: str, card: str, chosen: frozenset[str], players: int, rows: tuple[str, ...] | None
) -> tuple[str, ...]:
    wording = _wording(rules, haunt, chosen, players)
    return tuple(rule.text for rule in pieces.card(wording, _sheet(rules, card, rows)))


def _sheet(rules: Rules, card: str, rows: tuple[str, ...] | None) -> Card:
    """A card, of an event that nobody reads as a whole only these rows."""
    sheet = rules.pack.card(card)
    return sheet if rows is None else as_read(sheet, rows)


def _rows(rules: Rules, state: State, card: str) -> tuple[str, ...] | None:
    """The rows of an event that were read, if the others stay unread (3E-CARD-004)."""
    if not rules.edition.cards.one_row or card not in rules.pack.decks["event"]:
        return None
    return tuple(dict.fromkeys(state.rows_read.get(card, ())))


def rules_of_cards(rules: Rules, state: State, cards: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """What cards do, sentence by sentence."""
    chosen = rulings(rules, state)
    haunt = state.haunt.id if state.haunt is not None else ""
    return {
        card: _card(
            rules,
            "" if card in rules.pack.cards else haunt,
            card,
            chosen,
            state.seats,
            _rows(rules, state, card),
        )
        for card in cards
    }


def rules_of_box(rules: Rules, state: State, box: str) -> list[str]:
    """What a box of a card, a tile or a token says, or all of the piece: `card/rotten#do`; nothing for what has no words, and for books."""
    owner, _, path = box.partition("#")
    haunt = state.haunt.id if state.haunt is not None else ""
    what, _, name = owner.partition("/")
    rows = _rows(rules, state, name) if what == "card" else None
    told = _piece(rules, haunt, owner, rulings(rules, state), state.seats, rows)
    parts = dict.fromkeys((path, path.replace("actions.", "unplaced."), path.partition(".")[0]))
    return list(told.values()) if not path else [told[part] for part in parts if part in told][:1]


@lru_cache(maxsize=1024)
def _piece(
    rules: Rules, haunt: str, owner: str, chosen: frozenset[str], players: int, rows: tuple[str, ...] | None
) -> Mapping[str, str]:
    """The rules of a piece by their part."""
    what, _, name = owner.partition("/")
    wording, pack = _wording(rules, haunt, chosen, players), rules.pack
    told: list[pieces.RuleText] = []
    if what == "card" and name in pack.titles:
        told = pieces.card(wording, _sheet(rules, name, rows))
    elif what == "tile" and name in pack.tiles:
        told = pieces.tile(wording, pack.tiles[name])
    elif what == "token" and name in pack.tokens:
        told = pieces.token(wording, pack.tokens[name])
    return {rule.part: rule.text for rule in told}


def book_rules(rules: Rules, state: State, haunt: str, side: Side) -> Mapping[str, str]:
    """The rules of a side's book, by their part: `right-now`, `wins-when`, `actions.SEARCH`.

    Its goal says how far the game has come, as far as the role knows.
    """
    told = printed_rules(rules, state, haunt, side)
    return {**told, "wins-when": goal_of(rules, state, haunt, side)} if "wins-when" in told else told


def printed_rules(rules: Rules, state: State, haunt: str, side: Side) -> Mapping[str, str]:
    """The same, with a goal that does not say how far the game has come: a function of who plays and by which rulings."""
    return _book(rules, haunt, side, rulings(rules, state), state.seats)


def goal_of(rules: Rules, state: State, haunt: str, side: Side) -> str:
    """When a side wins, and how far the game has come, as far as the role knows; empty where its book does not say."""
    chosen = rulings(rules, state)
    if "wins-when" not in _book(rules, haunt, side, chosen, state.seats):
        return ""
    numbers = GameNumbers(state)
    counters, counts = _asked(rules, haunt, side)
    now = tuple(numbers.counter(name) for name in counters), tuple(numbers.count(one) for one in counts)
    return _goal(rules, haunt, side, chosen, state.seats, now)


def goal_by(rules: Rules, state: State, haunt: str, part: str, side: Side) -> str:
    """When a side wins by one part of a book: `heroes.wins-when`, `traitor.on.2`."""
    book, _, rest = part.partition(".")
    wording = _wording(rules, haunt, rulings(rules, state), state.seats)
    return haunts.goal_by(
        wording, _read(rules.pack.haunts[haunt], "traitor" if book == "traitor" else "heroes"), side, rest
    )


def knows_part(rules: Rules, state: State, part: str) -> bool:
    """Whether a role may read a part of a book of the haunt in play."""
    return state.haunt is not None and has_read(rules.pack.haunts[state.haunt.id], state, part)


def rules_of_part(rules: Rules, state: State, part: str) -> list[str]:
    """The whole text of a deed, a rule or a box in the books of the haunt in play, in words and in this game's numbers."""
    if state.haunt is None:
        return []
    sheet = rules.pack.haunts[state.haunt.id]
    if kind := kind_of_box(part):
        return list(_box(rules, sheet.id, kind, rulings(rules, state), state.seats))
    side, _, rest = part.partition(".")
    told = printed_rules(rules, state, sheet.id, "traitor" if side == "traitor" else "heroes")
    return [told[rest]] if rest in told else []


@lru_cache(maxsize=256)
def _box(rules: Rules, haunt: str, kind: str, chosen: frozenset[str], players: int) -> tuple[str, ...]:
    monster = rules.pack.haunts[haunt].monsters[kind]
    return (*haunts.box(_wording(rules, haunt, chosen, players), kind, monster), *filter(None, [monster.text]))


@lru_cache(maxsize=256)
def _book(rules: Rules, haunt: str, side: Side, chosen: frozenset[str], players: int) -> Mapping[str, str]:
    sheet = rules.pack.haunts[haunt]
    wording = _wording(rules, haunt, chosen, players)
    told = haunts.book(wording, _read(sheet, side), side, shared=sheet.one_book)
    return {rule.part: rule.text for rule in told}


Now = tuple[tuple[int | None, ...], tuple[int | None, ...]]
"""Where the counters stand, and how many there are of what is counted."""


@lru_cache(maxsize=4096)
def _goal(rules: Rules, haunt: str, side: Side, chosen: frozenset[str], players: int, now: Now) -> str:
    counters, counts = _asked(rules, haunt, side)
    known = Known(players, dict(zip(counters, now[0], strict=True)), dict(zip(counts, now[1], strict=True)))
    wording = _wording(rules, haunt, chosen, players).counting(known)
    return haunts.goal(wording, _read(rules.pack.haunts[haunt], side), side)


@lru_cache(maxsize=256)
def _asked(rules: Rules, haunt: str, side: Side) -> tuple[tuple[str, ...], tuple[Count, ...]]:
    """The counters and counts of which a side's goal speaks."""
    book = _read(rules.pack.haunts[haunt], side)
    words = list(words_in([book.wins_when, *(trigger.do for trigger in book.on)]))
    counters = [one.counter for one in words if isinstance(one, Condition | Number) and one.counter is not None]
    return tuple(dict.fromkeys(counters)), tuple(dict.fromkeys(one for one in words if isinstance(one, Count)))


def words_in(said: object) -> Iterator[Word]:
    """All words of the vocabulary in something, itself among them."""
    if isinstance(said, Word):
        yield said
        said = list(said.stated().values())
    if isinstance(said, dict):
        said = list(said.values())
    if isinstance(said, list):
        for one in said:
            yield from words_in(one)


def _read(sheet: Haunt, side: Side) -> Book:
    return sheet.book(side)
