"""What every event is: a fact in the past tense, seen whole or not at all, that knows how it changes a state."""

from typing import ClassVar, Literal

import msgspec

from domain.facts.state import State

Informs = Literal["no", "chance", "secret"]
"""What an event lets somebody know that this one, or anybody, did not know before the command: nothing, what chance showed, or a secret."""
NOTHING: Informs = "no"
CHANCE: Informs = "chance"
HIDDEN: Informs = "secret"


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False, tag_field="type"):
    """Base of all events.

    An event carries resolved facts (numbers, places, faces): `apply` never consults rules, content or chance, and never fails
    on the state of a role that was told less than everything.
    """

    informs: ClassVar[Informs]
    """Whether the command can be taken back afterwards: every type says so, and a law compares games that differ in what is hidden."""

    rule: str = ""
    """The ledger rule that caused it, where one did (`2E-MOVE-003`)."""

    def apply(self, state: State) -> None:
        raise NotImplementedError  # every concrete event overrides it; the base class is never emitted
