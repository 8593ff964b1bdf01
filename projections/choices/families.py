"""The grammar of constraints: whole families of commands in a few words, counted without listing them.

A family has *fixed* members, which all its commands share, and *fields*, each of which says in one of five shapes what one more
member may be. Every command that fits is accepted, and no other. Fields vary independently of each other.

| shape | the member is | how many |
| --- | --- | --- |
| `one-of` | one of `values` | as many as values |
| `division` | an object that gives each trait at most its cap, and all of them together from `least` to `total` | solutions of a bounded sum |
| `places` | a list of at most `most` different places of `of`, counted from 0 | a sum of binomial coefficients |
| `subset` | a list of at least `least` different words of `of` | a sum of binomial coefficients |
| `faces` | a list of exactly `dice` numbers from `least` to 2 above it | 3 to the power of `dice` |

Where a die roller throws the dice, the member is `rolled`, from 1 to 3; the command may have their `total` beside it.

The order of a list's elements, and a trait that is given 0 or left out, make no difference and are not counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, prod
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from domain.facts.chance import DIE_FACES
from domain.facts.commands import AnyCommand, Spaces
from projections.naming.places import Place
from projections.shapes import Shape, Title

SHOWN: dict[str, tuple[str, ...]] = {}
"""Nothing of a state is read here."""

Member = Annotated[str, Meta(min_length=1, max_length=40, description="The name of a member of the command.")]
Count = Annotated[int, Meta(ge=0, description="How many different commands, exactly.")]
Few = Annotated[int, Meta(ge=0, le=64)]


class Labeled(Shape, frozen=True, kw_only=True, omit_defaults=True):
    """A command that is told by a value alone."""

    label: Title
    at: list[Place] = []
    """As of a listed command."""


class OneOf(Shape, frozen=True, kw_only=True, tag_field="shape", tag="one-of"):
    """The member is one of these values."""

    field: Member
    values: list[int | str]
    each: list[Labeled] = []
    """In the order of `values`: the label of the command with this value, and what it is about. Older services have none."""

    def count(self) -> int:
        """As many as values."""
        return len(self.values)


class Division(Shape, frozen=True, kw_only=True, tag_field="shape", tag="division"):
    """The member divides points among traits: each at most its cap, all together at least `least` and at most the total."""

    field: Member = "points"
    least: Spaces
    """The same as the total if all points have to be divided."""
    total: Spaces
    caps: dict[str, Spaces]

    def count(self) -> int:
        """The coefficients of x^least to x^total in the product of (1 + x + ... + x^cap) over the traits, added up."""
        ways = [1] + [0] * self.total
        for cap in self.caps.values():
            ways = [sum(ways[max(0, total - cap) : total + 1]) for total in range(self.total + 1)]
        return sum(ways[self.least :])


class Places(Shape, frozen=True, kw_only=True, tag_field="shape", tag="places"):
    """The member lists different places of what is offered, at most this many."""

    field: Member = "chosen"
    of: list[str]
    """What lies at each place, the first at place 0: the faces of dice."""
    most: Few

    def count(self) -> int:
        """Choices of at most `most` places; choosing none is one of them."""
        return sum(comb(len(self.of), size) for size in range(min(self.most, len(self.of)) + 1))


class Subset(Shape, frozen=True, kw_only=True, tag_field="shape", tag="subset"):
    """The member lists distinct options, at least `least` of them."""

    field: Member
    of: list[str]
    least: Few

    def count(self) -> int:
        """Subsets that are large enough."""
        return sum(comb(len(self.of), size) for size in range(self.least, len(self.of) + 1))


class Faces(Shape, frozen=True, kw_only=True, tag_field="shape", tag="faces"):
    """The member lists what this many dice showed: 0, 1 or 2 each on real dice, 1, 2 or 3 from a die roller."""

    field: Member = "faces"
    dice: Few
    least: Few = 0
    """The lowest number of a die."""

    def count(self) -> int:
        """Every die shows one of three faces."""
        return int(DIE_FACES**self.dice)


Field = OneOf | Division | Places | Subset | Faces


class Family(Shape, frozen=True, kw_only=True, omit_defaults=True):
    """Commands that share all members except a few, each of which may be anything that its field allows."""

    label: Title
    fixed: dict[str, Any]
    """Members as they are in every command of the family, `type` and `decision` among them."""
    fields: list[Field]
    count: Count
    example: AnyCommand
    """One command of the family, ready to be posted."""
    at: list[Place] = []
    """What all its commands are about on the table; left out if that is nothing."""


def family(label: str, example: AnyCommand, *fields: Field, at: Sequence[Place] = ()) -> Family:
    """The family of an example: members without a field are fixed as they are there."""
    fixed: dict[str, Any] = msgspec.to_builtins(example)
    for field in fields:
        fixed.pop(field.field, None)
    return Family(
        label=label,
        fixed=fixed,
        fields=list(fields),
        count=prod(field.count() for field in fields),
        example=example,
        at=list(at),
    )
