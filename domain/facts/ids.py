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
