"""What is bound in frames, as types: plain data that is saved with a half-done game, so no name here ever changes.

Each procedure of the rulebook has a `TypedDict` of its own in front of it. A name without `NotRequired` is bound by whoever calls the
procedure or by its first instruction; the others come on the way or not at all.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from domain.facts.state import Aim, Figure


class Waiting(TypedDict, total=False):
    """What the machine itself binds while an instruction waits for answers."""

    asked: list[str]
    """Ids of the decisions that it opened."""
    replies: dict[str, Any]
    """By decision: what has been answered so far."""
    claimed: Any
    """What one person said that chance was, while another is asked to confirm it."""


class Sparing(Waiting, total=False):
    """Where somebody may be spared what a card or room does."""

    choosing: bool
    """Whoever runs the character is asked whether harm is ignored."""
    declining: bool
    """The revealed traitor is asked whether a card affects it."""


class Bound(Sparing, total=False):
    """What content has bound: the names that its effects, conditions and places speak of."""

    you: Figure
    """Whom it happens to; each in turn while a step is done for several."""
    src: str
    """What speaks: `card:axe`, `tile:attic`, `token:safe`, `haunt:heroes`."""
    owner: int
    """Who acts, whoever `you` are meanwhile."""
    drawer: int
    """Who drew the card."""
    target: Aim
    """What the command named."""
    toll: int
    """Spaces that leaving the room costs, for an action that takes its doer elsewhere."""
    decided: dict[str, bool]
    """By seat: whether it is spared another's event."""
    bindings: dict[str, Any]
    """In a trigger whose condition is tested: what its own steps will have bound."""
    answered: Any
    """In the condition of a reaction: the bindings of the roll or damage that it would answer."""
    kind: str
    """The kind of the damage that set off a trigger."""
    by: str
    """What raised the trait that set off a trigger."""
    came_from: str
    """The room that somebody came from on foot."""
    by_choice: bool
    """The room is left on foot or by an action."""
    bonus: str
    """The card whose gain or loss changes traits."""
    attack: bool
    """The steps prepare an attack."""

    # bound by steps for those after them

    roll: int
    damage: int
    rolled: str
    """The trait of the latest roll."""
    against: int | None
    """What the latest roll has to come to, where the content names it so."""
    least: int
    """The lowest of several rolls."""
    blanks: int
    again: list[int]
    """Places of the dice that are rolled again."""
    deck: str
    foe: Figure | None
    spot: str
    """A room that was chosen, or empty."""
    part: int
    side: list[Any]
    """Room and part that were chosen for what was put there."""
    token: str
    placed: str
    """The tile that came into the house, or empty."""
    undiscovered: bool | str
    """Whoever enters the tile discovers it."""
    agreed: bool
    """`you` have said that they go."""
    stayed: bool
    begins: bool
    """The haunt begins."""


class Answerable(Waiting):
    """What a reaction may answer: a roll, or damage."""

    kind: str
    trait: NotRequired[str]
    event: NotRequired[bool]
    """An event drawn by the roller asks for the roll."""


class Seated(Waiting):
    """The one explorer that a procedure is about."""

    seat: int
