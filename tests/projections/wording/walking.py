"""Every rule of every pack, beside its sentence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import msgspec

from content.vocabulary.base import Word
from content.vocabulary.cards import Ruling
from content.vocabulary.pack import Book, Card, Haunt, Pack, Tile, TokenKind
from projections.wording import Library, Wording
from tests.support.packs import pack

PACKS = ("second-edition", "third-edition")


class Rule(NamedTuple):
    """One rule: what the content says, and what is read."""

    pack: str
    piece: str
    part: str
    said: Any
    """Effects, a trigger, an action, a condition …"""
    text: str
    """Empty if the piece has no sentence for it."""
    wording: Wording
    """Whose rulings and titles hold for it."""

    def __str__(self) -> str:
        return f"{self.pack}, {self.piece}, {self.part}: {self.text}"


def pieces(of: Pack) -> Iterator[tuple[str, Any, list[Ruling]]]:
    """The id of every piece, what the content says about it, and its rulings."""
    for card in of.cards:
        yield f"card:{card.id}", card, card.rulings
    for tile in of.tiles:
        yield f"tile:{tile.id}", tile, tile.rulings
    for token in of.tokens:
        yield f"token:{token.id}", token, []
    for haunt in of.haunts:
        yield f"haunt:{haunt.id}", haunt, []
        if haunt.heroes is not None:
            yield f"haunt:{haunt.id}#heroes", haunt.heroes, []
        if haunt.traitor_book is not None:
            yield f"haunt:{haunt.id}#traitor", haunt.traitor_book, []


def choices(rulings: list[Ruling]) -> list[tuple[str, ...]]:
    """Every way in which a table may choose among them."""
    ids = [choice.id for ruling in rulings for choice in ruling.alternatives if not isinstance(choice, str)]
    return [chosen for number in range(len(ids) + 1) for chosen in combinations(ids, number)]


@cache
def library(name: str, chosen: tuple[str, ...] = ()) -> Library:
    """A pack's pieces in words, by a table's choice of rulings."""
    return Library(pack(name), rulings=chosen)


@cache
def every_rule() -> tuple[Rule, ...]:
    """Every rule of every pack, by every choice of rulings."""
    return tuple(_rules())


def _rules() -> Iterator[Rule]:
    for name in PACKS:
        of = pack(name)
        within = {f"haunt:{haunt.id}": haunt for haunt in of.haunts}
        for piece, content, rulings in pieces(of):
            for chosen in choices(rulings):
                texts = {rule.part: rule.text for rule in library(name, chosen).piece(piece)}
                haunt = within.get(piece.partition("#")[0])
                wording = library(name, chosen).wording if haunt is None else Wording(of, within=haunt, rulings=chosen)
                for part, said in parts(content):
                    yield Rule(name, piece, part, said, texts.get(part, ""), wording)


def parts(content: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 -- any piece
    """What of a piece is a rule, by the name of its part."""
    if isinstance(content, Haunt):
        yield from _haunt(content)
        return
    if isinstance(content, Card) and content.do:
        yield "do", content.do
    if isinstance(content, Card) and content.attack is not None:
        yield "attack", content.attack
    if isinstance(content, Card) and content.set is not None:
        yield "set", content.set
    if isinstance(content, Tile):
        if content.barrier is not None:
            yield "barrier", content.barrier
        yield from ((f"unplaced.{action.word}", action) for action in content.unplaced)
    if isinstance(content, (Tile, TokenKind)):
        yield from ((f"links.{number}", link) for number, link in enumerate(content.links))
    if isinstance(content, Book):
        yield from _book(content)
    else:
        yield from ((f"always.{number}", standing) for number, standing in enumerate(content.always))
    yield from ((f"on.{number}", trigger) for number, trigger in enumerate(content.on))
    yield from ((f"actions.{action.word}", action) for action in content.actions)


def _book(book: Book) -> Iterator[tuple[str, Any]]:
    if book.right_now:
        yield "right-now", book.right_now
    if book.instead_of_death:
        yield "instead-of-death", book.instead_of_death
    conditions = (("wins-when", book.wins_when), ("loses-when", book.loses_when), ("plays-on", book.plays_on))
    for part, condition in conditions:
        if condition is not None:
            yield part, condition


def _haunt(haunt: Haunt) -> Iterator[tuple[str, Any]]:
    if haunt.revealed:
        yield "revealed", haunt.revealed
    if haunt.traitor is not None:
        yield "traitor", haunt.traitor
    for part, said in (
        ("reveal-if", haunt.reveal_if),
        ("stealing", haunt.stealing),
        ("monsters-turn", haunt.monsters_turn),
        ("traitor-powers", haunt.traitor_powers),
    ):
        if said is not None:
            yield part, said
    for kind, monster in haunt.monsters.items():
        yield f"monsters.{kind}", msgspec.structs.replace(monster, actions=[], on=[])
        yield from ((f"monsters.{kind}.actions.{action.word}", action) for action in monster.actions)
        yield from ((f"monsters.{kind}.on.{number}", trigger) for number, trigger in enumerate(monster.on))
    yield from ((f"counters.{name}", counter) for name, counter in haunt.counters.items())
    for token in haunt.tokens:
        yield from ((f"tokens.{token.id}.{part}", said) for part, said in parts(token))
    for item in haunt.items:
        yield from ((f"items.{item.id}.{part}", said) for part, said in parts(item))


def nodes(said: Any) -> Iterator[Word]:  # noqa: ANN401 -- any part of the vocabulary
    """Every Struct in a part of the content, the outer ones first."""
    if isinstance(said, Word):
        yield said
        for value in said.stated().values():
            yield from nodes(value)
    elif isinstance(said, list):
        for one in said:
            yield from nodes(one)
    elif isinstance(said, dict):
        for one in said.values():
            yield from nodes(one)
