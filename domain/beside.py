"""A pack's tables with one haunt more: what was entered of the players' own books, beside what the pack has."""

from __future__ import annotations

from content.vocabulary.pack import Haunt
from domain.barring import bars_of
from domain.pack import Compiled


class Beside(Compiled):
    """The same tables with one haunt more. What the pack has stays as it is, and is shared."""

    def __init__(self, base: Compiled, haunt: Haunt) -> None:
        """Compile the haunt; its things may be called as those of other haunts of the pack, whose place they take."""
        for name, table in vars(base).items():
            setattr(self, name, table.copy() if isinstance(table, dict | set) else table)
        for source in (*(f"token:{one.id}" for one in haunt.tokens), *(f"card:{one.id}" for one in haunt.items)):
            self._forget(source)
        self.haunts[haunt.id] = haunt
        self._items.update({card.id: card for card in haunt.items})
        self._free_to = self._freely()
        for card in haunt.items:
            self._card(card)
        for token in haunt.tokens:
            self._token(token)
        self._haunt(haunt)
        self.bars.update(bars_of([haunt], self.cards.values()))
        self._look_around()

    def _forget(self, source: str) -> None:
        name = source.partition(":")[2]
        self.triggers = {moment: found for moment, found in self.triggers.items() if moment[0] != source}
        self.actions.pop(source, None)
        self.standing.pop(source, None)
        self.reactions.pop(name, None)
        self.sets.pop(name, None)
        self.opaque.discard(name)
        self.linking.discard(name)
