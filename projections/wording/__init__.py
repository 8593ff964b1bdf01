"""Rules in words, made from the data: what a card, a room or a haunt says, as a printed card would.

`Wording` speaks for one pack, or for one of its haunts (`within`), and tells numbers as they are in a game where one is given.
`Library` has every piece of a pack by its id. Rulings are told as the table has chosen them. Below: `words` are the nouns and
clauses, `people` and `house` the deeds by verb, `steps` puts these together, `abilities`, `pieces` and `haunts` tell what consists
of them.
"""

from projections.wording import haunts, pieces
from projections.wording.library import Library, rules_in_words
from projections.wording.pieces import RuleText
from projections.wording.wording import Wording
from projections.wording.words.numbers import GameNumbers

__all__ = ["GameNumbers", "Library", "RuleText", "Wording", "haunts", "pieces", "rules_in_words"]
