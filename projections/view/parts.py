"""Parts of the books that were used for all to see, and what those say that this role may read (3E-INFO-002)."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.parts import has_read, kind_of_box, side_of_part
from domain.engine.rules import Rules
from domain.facts.state import State
from domain.rulebook.haunt.demanding import demandable
from projections.naming.names import Names
from projections.shapes import Name, Shape, Side, Text, Title
from projections.view.wording import book_rules, wording_of
from projections.wording import haunts

SHOWN = {"State": ("haunt", "texts"), "Haunt": ("id", "used", "disclosed")}
"""The fields of a role's state that are read here, besides names; all others stay hidden."""


class PartView(Shape, frozen=True, kw_only=True):
    """A part of a side's book that was used for all to see."""

    part: Name
    """Its id, as the command `demand` takes it: `heroes.actions.LIGHT`, `traitor.on.2`, `monster.ghoul`."""
    title: Title
    side: Side
    """Whose book has it."""
    disclosed: bool
    """It was read out to everybody."""
    demandable: bool
    """This role's player may have it read out, by `demand`."""
    text: list[Text]
    """What it says, in words; empty where this role has not read it."""


def parts_of(rules: Rules, state: State, seat: int | None) -> list[PartView]:
    """Those that were used, in this order; `seat` is the role's own, if it has one."""
    if state.haunt is None:
        return []
    names = Names(rules, state)
    mine = demandable(state, seat) if seat is not None else []
    return [
        PartView(
            part=part,
            title=names.part(part),
            side=side_of_part(part),
            disclosed=part in state.haunt.disclosed,
            demandable=part in mine,
            text=rules_of_part(rules, state, part) if knows_part(rules, state, part) else [],
        )
        for part in state.haunt.used
    ]


def knows_part(rules: Rules, state: State, part: str) -> bool:
    """Whether a role may read a part of a book of the haunt in play."""
    return state.haunt is not None and has_read(rules.pack.haunts[state.haunt.id], state, part)


def rules_of_part(rules: Rules, state: State, part: str) -> list[str]:
    """The whole text of a part, in words and in this game's numbers."""
    return list(_told(rules, state, part))


def _told(rules: Rules, state: State, part: str) -> Iterator[str]:
    if state.haunt is None:
        return
    sheet = rules.pack.haunts[state.haunt.id]
    if kind := kind_of_box(part):
        w, monster = wording_of(rules, state), sheet.monsters[kind]
        yield from [*haunts.box(w, kind, monster), *filter(None, [monster.text])]
        return
    side, _, rest = part.partition(".")
    told = book_rules(rules, state, sheet.id, "traitor" if side == "traitor" else "heroes")
    if rest in told:
        yield told[rest]
