"""What every event is: a fact in the past tense, seen whole or not at all, that knows how it changes a state."""

from typing import ClassVar, Literal

import msgspec

from domain.facts.state import State

Informs = Literal["no", "chance", "secret"]
"""What an event lets somebody know that this one, or anybody, did not know before the command: nothing, what chance showed, or a secret."""
NOTHING: Informs = "no"
CHANCE: Informs = "chance"
HIDDEN: Informs = "secret"

TO_ALL = "Everybody."
TO_REFEREE = "The referee alone."

FIRST = "0.1.0"
UNRELEASED = "unreleased"
"""A release replaces it by its version here, and says `UNRELEASED` anew of what comes after it."""


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag_field="type"):
    """Base of all events.

    An event carries resolved facts (numbers, places, faces): `apply` never consults rules, content or chance, and never fails
    on the state of a role that was told less than everything.
    """

    informs: ClassVar[Informs]
    """Whether the command can be taken back afterwards: every type says so, and a law compares games that differ in what is hidden."""

    audience: ClassVar[str] = TO_ALL
    """Who is told, in words; golden games are held against it (`tests/golden/told.py`)."""
    since: ClassVar[str] = FIRST
    """The version of the changelog that brought it."""

    rule: str = ""
    """The rule of the ledger that caused it, where one did (`2E-MOVE-003`)."""

    def apply(self, state: State) -> None:
        raise NotImplementedError  # every concrete event overrides it; the base class is never emitted
