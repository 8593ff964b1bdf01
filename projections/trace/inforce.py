"""Rulings of a game: what was chosen and agreed at its opening, what its edition holds to, and what has been settled since."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from content.ledger import ledger
from domain.engine.rules import Rules, chosen_rulings
from domain.facts.ids import id_name
from domain.facts.state import State
from domain.rulebook.desk.disputing import precedents
from projections.naming.names import Names
from projections.trace.shapes import InForce

SHOWN = {"State": ("status", "options", "rulings", "desk"), "Rulings": ("agreed",), "Ruling": ("number", "text")}
"""The fields of a role's state that are read here; all others stay hidden."""


def in_force(rules: Rules, state: State) -> list[InForce]:
    """All rulings that hold in a game as of the state's commit, as far as its role knows: those of the opening first."""
    chosen = tuple((piece, tuple(named)) for piece, named in chosen_rulings(state).items())
    return [*_alternatives(rules, chosen, opened=state.status != "none"), *_house(state), *settled(state)]


def settled(state: State) -> list[InForce]:
    """What has been settled in play, known at the state's commit, the oldest first.

    These are the rulings to which the table has agreed, and precedents by the rules that they cite.
    Whatever else comes to hold in the course of a game is listed here,
    with what it is about: a piece (`tile:chasm`) or a rule (`2E-ROOM-004`) lets the steps that it decides find it.
    """
    agreed = state.rulings.agreed if state.rulings is not None else []
    found = [
        InForce(kind="table", about=str(one.number), title=f"ruling {one.number}", text=one.text) for one in agreed
    ]
    return found + [
        InForce(kind="precedent", about=about, title=_precedent(one.number, about), text=one.text)
        for one in precedents(state)
        for about in one.rules or [f"dispute-{one.number}"]
    ]


def _precedent(number: int, about: str) -> str:
    return f"dispute {number}{f', about {_titled(about)}' if about in ledger() else ''}"


def _titled(rule: str) -> str:
    """A rule with its title: `2E-MOVE-006 (A discovery without a card does not stop movement)`."""
    known = ledger().get(rule)
    return rule if known is None else f"{rule} ({known.title})"


@lru_cache(maxsize=64)
def _alternatives(
    rules: Rules, rulings: tuple[tuple[str, tuple[str, ...]], ...], *, opened: bool
) -> tuple[InForce, ...]:
    offered, names = rules.pack.alternatives, Names(rules)
    table = State(options={"rulings": {piece: list(named) for piece, named in rulings}})
    chosen = [(piece, name) for piece, named in rulings for name in named]
    text_alone = [(piece, name) for name, (piece, _) in rules.pack.unofficial.items() if rules.plays_by(table, name)]
    return tuple(
        InForce(
            kind="alternative",
            about=f"{'tile' if piece in rules.pack.tiles else 'card'}:{piece}",
            title=names.room(piece) if piece in rules.pack.tiles else names.card(piece),
            text=offered.get(piece, {}).get(name) or str(name),
        )
        for piece, name in dict.fromkeys([*chosen, *(text_alone if opened else ())])
    )


def _house(state: State) -> list[InForce]:
    written = state.options.get("house_rulings")
    found = written if isinstance(written, list) else []
    return [InForce(kind="house", about=one["rule"], title=_titled(one["rule"]), text=one["ruling"]) for one in found]


def decisive(held: Iterable[InForce], rules: Collection[str], pieces: Collection[str]) -> list[InForce]:
    """Those that are about a rule that decided, or about a card or tile that spoke."""
    return [one for one in held if one.about in rules or id_name(one.about) in pieces]
