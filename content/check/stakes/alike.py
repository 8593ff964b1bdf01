"""Pieces that are alike: they lie apart, and a rule of one is a rule of the others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from content.errors import Finding, Trail
from content.survey import Survey, written
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Haunt

ROW = 3
RULES = ("always", "barred", "actions", "on", "dies", "attacks", "links_alike")


def apart(survey: Survey) -> Iterator[Finding]:
    """Of three tokens or more that are alike, and lie in rooms of their own, no two lie in one."""
    for haunt in survey.of(Haunt):
        kinds = {token.id: token for token in haunt.value.tokens}
        placed: dict[str, list[tuple[Trail, str, str]]] = {}
        for step in survey.of(Effect):
            laid = step.value.place_token
            if step.trail[:2] == haunt.trail and "right-now" in step.trail and laid and isinstance(laid.at, str):
                token = kinds.get(laid.token)
                if token is not None and laid.at != "here":
                    key = token.text or token.title.split()[-1]
                    placed.setdefault(key, []).append((step.at("place-token", "at"), laid.token, laid.at))
        for row in placed.values():
            rooms: dict[str, str] = {}
            for trail, token_id, room in row:
                other = rooms.setdefault(room, token_id)
                if other != token_id and len(row) >= ROW:
                    message = f"the `{other}` lies in `{room}` too, and all others like it lie in rooms of their own"
                    yield Finding(trail, message, "name another room", severity="warning")


def ruled(survey: Survey) -> Iterator[Finding]:
    """Two pieces whose titles differ in one word have both a rule, or neither."""
    for haunt in survey.of(Haunt):
        value = haunt.value
        families: list[list[tuple[Trail, Any]]] = [
            [(haunt.at("items", index), item) for index, item in enumerate(value.items)],
            [(haunt.at("tokens", index), token) for index, token in enumerate(value.tokens)],
            [(haunt.at("monsters", name), monster) for name, monster in value.monsters.items()],
        ]
        for family in families:
            for (trail, one), (other_trail, other) in combinations(family, 2):
                if not _akin(one.title, other.title):
                    continue
                for field in RULES:
                    mine, theirs = (getattr(piece, field, None) for piece in (one, other))
                    if bool(mine) != bool(theirs):
                        lacks, has = (trail, other) if theirs else (other_trail, one)
                        word = written(type(one), field)
                        message = f"`{has.title}` has `{word}`, and this has none"
                        hint = "give both the same, or titles that are less alike"
                        yield Finding((*lacks, "title"), message, hint, severity="warning")


def _akin(one: str, other: str) -> bool:
    first, second = one.lower().split(), other.lower().split()
    same = [a == b for a, b in zip(first, second, strict=False)]
    return len(first) == len(second) and len(first) >= ROW and same.count(False) == 1
