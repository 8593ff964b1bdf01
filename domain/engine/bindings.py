"""What is bound in frames, as types: plain data that is saved with a half-done game, so no name here ever changes.

Each procedure of the rulebook is preceded by its `TypedDict`. A name without `NotRequired` is bound by the caller
or by the first instruction; the others are bound later or never.
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
    """The outcome of chance that one person reported, while another is asked to confirm it."""


class Sparing(Waiting, total=False):
    """Procedures in which somebody may be spared what a card or room does."""

    power: str
    """How the player was asked whether to use a power of the traitor's."""

    choosing: bool
    """Whoever runs the character is asked whether harm is ignored."""
    declining: bool
    """The revealed traitor is asked whether a card affects it."""


class Bound(Sparing, total=False):
    """The names that content's effects, conditions and places refer to."""

    you: Figure
    """The character affected; each in turn while a step is done for several."""
    src: str
    """The source of the text: `card:axe`, `tile:attic`, `token:safe`, `haunt:heroes`."""
    owner: int
    """Who acts, even while `you` is somebody else."""
    drawer: int
    """Who drew the card."""
    target: Aim
    """What the command named."""
    toll: int
    """Spaces of movement that leaving the room costs, for an action that moves its actor."""
    decided: dict[str, bool]
    """By seat: whether it is spared another's event."""
    bindings: dict[str, Any]
    """While a trigger's condition is tested: the bindings that its steps will get."""
    answered: Any
    """While a reaction's condition is tested: the bindings of the roll or damage that it would answer."""
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
    """The target number of the latest roll, for outcomes `at-least` and `less`."""
    least: int
    """The lowest of several rolls."""
    blanks: int
    again: list[int]
    """Indices of the dice that are rolled again."""
    deck: str
    foe: Figure | None
    spot: str
    """A room that was chosen, or empty."""
    part: int
    side: list[Any]
    """The room and part chosen for the latest token or monster."""
    that: str
    """The room that steps for several rooms are done for now."""
    token: str
    placed: str
    """The tile that came into the house, or empty."""
    undiscovered: bool | str
    """Whoever enters the tile discovers it."""
    agreed: bool
    """`you` agreed to go."""
    stayed: bool
    begins: bool
    """The haunt begins."""


class Answerable(Waiting):
    """What a reaction may answer: a roll, or damage."""

    kind: str
    trait: NotRequired[str]
    event: NotRequired[bool]
    """An event drawn by the roller asks for the roll."""
    answered_by: NotRequired[list[str]]
    """Constant effects of cards that were chosen for a roll, each of which changes it once."""


class Seated(Waiting):
    """The one explorer that a procedure is about."""

    seat: int
