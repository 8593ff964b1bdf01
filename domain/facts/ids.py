"""Ids of the form `kind:name`: `card:axe`, `tile:attic`, `haunt:heroes`, `seat:2`, and subjects of questions (`part:attic`).

They are built where they are needed (`f"card:{card}"`) and split here. Only the first colon counts: the name may
contain others (`decline:card:bite`).
"""

from __future__ import annotations


def split_id(named: str) -> tuple[str, str]:
    """Kind and name; where there is no colon, all of it is the kind."""
    kind, _, name = named.partition(":")
    return kind, name


def id_kind(named: str) -> str:
    """What is named: `card` of `card:axe`."""
    return named.partition(":")[0]


def id_name(named: str) -> str:
    """Its name: `axe` of `card:axe`; empty where there is no colon."""
    return named.partition(":")[2]


def figure_id(figure: int | str) -> str:
    """The id of a character: `seat:2`, `monster:rat-1`."""
    return f"seat:{figure}" if isinstance(figure, int) else f"monster:{figure}"


OWN_SIDE = "seat"
"""The kind of a side that is one explorer alone: `seat:2`."""


HOUSE = "house"
"""Who wins in place of the traitor's side where a haunt has no traitor. Before revision 7 of the rules it was called `traitor`, too."""


def own_side(seat: int) -> str:
    """The side of an explorer who plays against everybody."""
    return f"{OWN_SIDE}:{seat}"


def is_own_side(side: str) -> bool:
    """Whether a side is one explorer alone, as in a free-for-all."""
    return id_kind(side) == OWN_SIDE


def seat_of_side(side: str) -> int:
    """The seat that is a side of its own; -1 of a side of several."""
    return int(id_name(side)) if is_own_side(side) else -1


def stance(side: str) -> str:
    """`heroes` or `traitor` for what knows no other sides.

    The book in the box is the traitor's for those who play against everybody, and for the house that wins where there is no traitor.
    """
    return "traitor" if is_own_side(side) or side == HOUSE else side
