"""What people enter of a printed haunt book while they play it: the same words as in a content file, piece by piece."""

from __future__ import annotations

from content.vocabulary.base import Word
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action, Card, Counter, Monster, TokenKind, TraitorRule, Trigger
from content.vocabulary.values import Condition


class Entry(Word, frozen=True, kw_only=True):
    """Part of a haunt from a book of the players' own, for the command `enter`.

    Everybody learns what is on the table (`monsters`, `tokens`, `counters`, `items`); only the book's side learns the rest.
    What is entered again under its name takes the place of what was entered before.

    Example: `{counters: {seals: {title: Seals, max: 3}}, notes: {where: The seals are set in the crypt.}}`, `{traitor: 2}`.
    """

    number: int | None = None
    """The number that is printed over the haunt. With it, and the three that follow, a group checks that it has turned to the right haunt."""
    scenario: str | None = None
    """The id of the scenario that is printed there."""
    trigger: str | None = None
    """The id of the omen or event that is printed there."""
    traitor_rule: TraitorRule | None = None
    """Who becomes the traitor, as it is printed there."""
    monsters: dict[str, Monster] = {}
    """Kinds of monsters, by name."""
    tokens: list[TokenKind] = []
    """Kinds of tokens."""
    counters: dict[str, Counter] = {}
    """By name."""
    items: list[Card] = []
    """Item tokens, for `give`."""
    actions: list[Action] = []
    """What the side may do from now on."""
    on: list[Trigger] = []
    """What happens by itself from now on."""
    goal: str = ""
    """In words, when the side wins."""
    wins_when: Condition | None = None
    """The side wins as soon as this holds."""
    because: str = ""
    """Beside `wins-when`: the ending in a sentence."""
    plays_on: Condition | None = None
    """The traitor's book: after the traitor's death the monsters have turns only while this holds, and none where nothing is entered."""
    notes: dict[str, str] = {}
    """What the side is to know, by name; `tell` may tell it to others later."""
    traitor: int | None = None
    """The seat that is the traitor, if the book differs from the chart."""
    you: int | None = None
    """The seat that `do` is about. Default: who enters; for the referee whose turn it is. For monsters say `who` in a step."""
    do: list[Effect] = []
    """Steps that are done at once."""
