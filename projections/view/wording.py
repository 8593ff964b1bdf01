"""The rules in words that a view shows: by the rulings of the table, in the numbers of the game."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from content.vocabulary.base import Side
from content.vocabulary.pack import Book, Haunt
from content.vocabulary.values import Count
from domain.engine.rules import Rules
from domain.facts.state import State
from projections.wording import GameNumbers, RuleText, Wording, haunts, pieces

SHOWN = {"State": ("seats", "options")}
"""What of a role's state is read here besides what `GameNumbers` reads; any other field stays hidden."""


class Players:
    """Of a game's numbers only that which never changes, for sentences that are kept."""

    def __init__(self, players: int) -> None:
        self.players = players

    def counter(self, _counter: str) -> None:
        """Counters are told by what they are called."""

    def count(self, _counted: Count) -> None:
        """What is counted is told by what it is."""


def rulings(rules: Rules, state: State) -> frozenset[str]:
    """The alternatives that this table plays by."""
    offered = (choice for choices in rules.pack.alternatives.values() for choice in choices)
    return frozenset(choice for choice in offered if rules.plays_by(state, choice))


@lru_cache(maxsize=64)
def _wording(rules: Rules, haunt: str, chosen: frozenset[str], players: int) -> Wording:
    within = rules.pack.haunts[haunt] if haunt else None
    return Wording(rules.pack.source, within=within, rulings=chosen, numbers=Players(players))


@lru_cache(maxsize=4096)
def _card(rules: Rules, haunt: str, card: str, chosen: frozenset[str], players: int) -> tuple[str, ...]:
    wording = _wording(rules, haunt, chosen, players)
    return tuple(rule.text for rule in pieces.card(wording, rules.pack.card(card)))


def rules_of_cards(rules: Rules, state: State, cards: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """What cards do, sentence by sentence."""
    chosen = rulings(rules, state)
    haunt = state.haunt.id if state.haunt is not None else ""
    return {card: _card(rules, "" if card in rules.pack.cards else haunt, card, chosen, state.seats) for card in cards}


@lru_cache(maxsize=256)
def _book(rules: Rules, haunt: str, side: Side, chosen: frozenset[str], players: int) -> tuple[RuleText, ...]:
    sheet = rules.pack.haunts[haunt]
    wording = _wording(rules, haunt, chosen, players)
    return tuple(haunts.book(wording, _read(sheet, side), side, shared=sheet.traitor_book is None))


def _read(sheet: Haunt, side: Side) -> Book:
    return sheet.traitor_book if side == "traitor" and sheet.traitor_book is not None else sheet.heroes


def book_rules(rules: Rules, state: State, sheet: Haunt, side: Side) -> dict[str, str]:
    """The rules of a side's book, by their part: `right-now`, `wins-when`, `actions.SEARCH`; its goal says how far the game has come."""
    chosen = rulings(rules, state)
    told = {rule.part: rule.text for rule in _book(rules, sheet.id, side, chosen, state.seats)}
    if "wins-when" in told:
        wording = _wording(rules, sheet.id, chosen, state.seats).counting(GameNumbers(state))
        told["wins-when"] = haunts.goal(wording, _read(sheet, side), side)
    return told
