"""Every piece of a pack by its id, with its rules in words."""

from __future__ import annotations

from collections.abc import Collection

from content.vocabulary.pack import Haunt, Pack
from domain.editions import Edition
from projections.wording import haunts, pieces
from projections.wording.pieces import RuleText
from projections.wording.wording import Wording
from projections.wording.words.speech import Numbers


class Library:
    """The rules of a pack's pieces: `card:bell`, `tile:crypt`, `token:safe`, `explorer:…`, `haunt:…`."""

    def __init__(
        self,
        pack: Pack,
        *,
        rulings: Collection[str] = (),
        numbers: Numbers | None = None,
        edition: Edition | None = None,
    ) -> None:
        """Make the tables once; all else as for `Wording`."""
        self.pack = pack
        self.edition = edition
        self.rulings = rulings
        self.numbers = numbers
        self.wording = Wording(pack, rulings=rulings, numbers=numbers, edition=edition)
        self.cards = {card.id: card for card in pack.cards}
        self.tiles = {tile.id: tile for tile in pack.tiles}
        self.tokens = {token.id: token for token in pack.tokens}
        self.explorers = {explorer.id: explorer for explorer in pack.explorers}
        self.haunts = {haunt.id: haunt for haunt in pack.haunts}
        self._inside: dict[str, Wording] = {}
        """By haunt: its words, made when they are first asked for."""

    def piece(self, piece: str) -> list[RuleText]:
        """The rules of a piece, in the order in which a card has them.

        Args:
            piece: its kind and id. A haunt alone is what lies on the table; `haunt:the-bell-below#heroes` is a side's book.

        Raises:
            KeyError: the pack has no such piece, or the haunt no such book.
        """
        what, _, name = piece.partition(":")
        if what == "card":
            return pieces.card(self.wording, self.cards[name])
        if what == "tile":
            return pieces.tile(self.wording, self.tiles[name])
        if what == "token":
            return pieces.token(self.wording, self.tokens[name])
        if what == "explorer":
            return pieces.explorer(self.wording, self.explorers[name])
        if what == "haunt":
            name, _, side = name.partition("#")
            return self._haunt(self.haunts[name], side)
        raise KeyError(piece)

    def _haunt(self, haunt: Haunt, side: str) -> list[RuleText]:
        inside = self._inside.get(haunt.id)
        if inside is None:
            inside = Wording(self.pack, within=haunt, rulings=self.rulings, numbers=self.numbers, edition=self.edition)
            self._inside[haunt.id] = inside
        if not side:
            return haunts.haunt(inside, haunt)
        whose, book = next((one, book) for one, book in haunt.books.items() if one == side)
        return haunts.book(inside, book, whose, shared=haunt.one_book)

    def alternatives(self, piece: str) -> dict[str, list[RuleText]]:
        """By ruling that the table may choose for a card or room, told by what holds then: the rules that it changes."""
        what, _, name = piece.partition(":")
        rulings = self.cards[name].rulings if what == "card" else self.tiles[name].rulings if what == "tile" else []
        usual = self.piece(piece)
        found: dict[str, list[RuleText]] = {}
        for ruling in rulings:
            for choice in ruling.alternatives:
                if not isinstance(choice, str):
                    chosen = [*self.rulings, choice.id]
                    other = Library(self.pack, rulings=chosen, numbers=self.numbers, edition=self.edition).piece(piece)
                    parts = {rule.part for rule in other}
                    gone = [RuleText(rule.part, f"Left out: {rule.text}") for rule in usual if rule.part not in parts]
                    found[choice.text] = [*(rule for rule in other if rule not in usual), *gone]
        return found


def rules_in_words(pack: Pack, edition: Edition | None = None) -> dict[str, list[str]]:
    """The rules of a pack's rooms and cards, by `tile:crypt` and `card:bell`; of an edition that plays it, if not the pack's own."""
    library = Library(pack, edition=edition)
    pieces = [*(f"tile:{tile.id}" for tile in pack.tiles), *(f"card:{card.id}" for card in pack.cards)]
    return {piece: [rule.text for rule in library.piece(piece)] for piece in pieces}
