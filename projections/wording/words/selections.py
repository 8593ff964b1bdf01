"""Selections in words: characters (`who`) and rooms (`at`, `to`, `in`). Their words may hold `[your]`, for whoever acts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from content.vocabulary.base import FLOORS as EVERYWHERE
from content.vocabulary.values import Condition, Each, Place, Rooms, Who
from projections.wording.words.english import THEY, WHO, a, enumerated, plain
from projections.wording.words.speech import Speech
from projections.wording.words.titles import floors, trait, traits

ROLES: dict[str, str] = {
    "explorer": "explorer",
    "hero": "hero",
    "traitor": "traitor",
    "monster": "monster",
    "character": "character",
    "opponent": "opponent",
    "corpse": "corpse",
}

SOMEBODY: dict[str, str] = {
    "you": "you",
    "target": "the target",
    "traitor": "the traitor",
    "nearest-explorer": "the nearest other explorer",
    "left-of-you": "the explorer on [your] left",
    "right-of-you": "the explorer on [your] right",
}

PLACES: dict[str, str] = {
    "here": "[your] room",
    "target-room": "the chosen room",
    "placed-room": "the new room",
    "that-room": "that room",
    "other-token": "the room with the other token",
    "room-of-haunt": "the room where the haunt began",
}


def who(s: Speech, chosen: Who, article: str = "each") -> str:
    """Characters: `each hero in the basement`, `the target`; with `a` or `no` as article, somebody like that."""
    if isinstance(chosen, Each):
        return _each(s, chosen, article)
    if chosen.startswith("holder:"):
        return f"whoever has {s.titles.card(chosen.partition(':')[2])}"
    return SOMEBODY.get(chosen) or plain(chosen)


def _each(s: Speech, each: Each, article: str) -> str:
    noun = s.titles.monster(each.kind) if each.kind is not None else ROLES[each.each]
    if each.besides_you:
        noun = f"other {noun}"
    rest = [noun, *_narrowed(s, each)]
    if outstanding := _outstanding(s, each):
        return " ".join(["the", rest[0], f"with {outstanding}", *rest[1:]])
    if each.first:
        return " ".join(["the first", *rest, "(counting from [you] to the left)"])
    if each.one and article == "each":
        return " ".join([_article("a", rest[0]), "of [your] choice", *rest[1:]])
    return " ".join([_article(article, rest[0]), *rest[1:]])


def _outstanding(s: Speech, each: Each) -> str:
    """In what somebody comes first or last among those who fit; empty where nobody is compared."""
    most = f"the highest {s.titles.counter(each.most, own=False)}" if each.most is not None else ""
    lowest = f"the lowest {trait(each.lowest)}" if each.lowest is not None else ""
    return " and, of several, ".join(one for one in (most, lowest) if one)


def _article(article: str, noun: str) -> str:
    if article == "a":
        return noun.replace("other ", "another ", 1) if noun.startswith("other ") else a(noun)
    return f"{article} {noun}"


def _narrowed(s: Speech, each: Each) -> list[str]:
    said = []
    if each.having is not None:
        said.append(f"with {traits(each.having)}")
    if each.in_ is not None:
        said.append(f"in {s.place(each.in_)}")
    if each.on is not None:
        said.append(floors(each.on))
    if each.if_ is not None:
        said.append(relative(s, each.if_))
    return said


def relative(s: Speech, condition: Condition) -> str:
    """A condition on somebody: `who has the Spear`; `if …` where it is about something else."""
    clause = s.if_(condition, WHO)
    return clause if clause.startswith("who ") else f"if {s.if_(condition, THEY)}"


def place(s: Speech, chosen: Place, article: str = "a") -> str:
    """A room, or rooms to choose from: `the Crypt`, `a room with a window`."""
    if isinstance(chosen, Rooms):
        return _rooms(s, chosen, article)
    if chosen in PLACES:
        return PLACES[chosen]
    word, _, name = chosen.partition(":")
    if word == "token":
        return s.titles.room_with(name)
    if word == "room-of":
        whose = who(s, name)
        return "[your] room" if whose == "you" else f"the room of {whose}"
    return s.titles.room(chosen)


def _rooms(s: Speech, rooms: Rooms, article: str) -> str:
    stated = {name: told for name, told in rooms.stated().items() if told is not False or name in SAID_IF_FALSE}
    before = " ".join(BEFORE[name] for name in stated if name in BEFORE)
    after = _behind([AFTER[name](s, stated[name]) for name in AFTER if name in stated])
    if rooms.one_of is not None:
        named = s.titles.a_room_of(rooms.one_of)
        found = f"{named}, if it is {_as_room(before, after)}" if before or after else named
    else:
        found = " ".join(part for part in (_article(article, f"{before} room".strip()), after) if part)
    return f"[your] room or {found}" if rooms.or_here else found


def every(s: Speech, rooms: Rooms) -> str:
    """All of some rooms, for steps that are done for each: `each room with a Seal`."""
    if rooms.one_of is None:
        return place(s, rooms, "each").replace("[your] room or ", "[your] room and ", 1)
    rest = msgspec.structs.replace(rooms, one_of=None, or_here=False)
    named = f"each of {enumerated([s.titles.room(room) for room in rooms.one_of])}"
    found = named if rest == Rooms() else f"{named} that is {_rooms(s, rest, 'a')}"
    return f"[your] room and {found}" if rooms.or_here else found


def _behind(parts: list[str]) -> str:
    """What stands behind `room`; the second of what begins with `with` is joined by `and`."""
    said = ""
    for part in parts:
        mark = " and " if part.startswith("with") and "with" in said else " " if said else ""
        said += f"{mark}{part}"
    return said


def _as_room(before: str, after: str) -> str:
    return " ".join(part for part in (a(f"{before} room".strip()), after) if part)


def _on(_s: Speech, some: Any) -> str:  # noqa: ANN401 -- floors of the vocabulary
    return "in the house" if set(some) == set(EVERYWHERE) else floors(some)


def _with(s: Speech, whom: Who) -> str:
    return f"with {who(s, whom, 'a')}"


def _with_token(s: Speech, token: str) -> str:
    return f"with {a(s.titles.token(token))}"


def _next_to_token(s: Speech, token: str) -> str:
    return f"one door away from {a(s.titles.token(token))}"


def _without_token(s: Speech, token: str) -> str:
    return f"without {a(s.titles.token(token))}"


BEFORE: dict[str, str] = {
    "besides_here": "other",
    "adjacent": "adjacent",
    "connected": "connected",
}
"""By the vocabulary's field: what stands before `room`."""

AFTER: dict[str, Callable[[Speech, Any], str]] = {
    "next_door": lambda _s, _told: "behind a door of [your] room",
    "other_floor": lambda _s, _told: "on another floor",
    "lower_floor": lambda _s, _told: "on a lower floor",
    "on": _on,
    "symbol": lambda _s, symbol: f"with {a(f'{symbol} symbol')}",
    "outside": lambda _s, outside: "outside the house" if outside else "that is not outside",
    "window": lambda _s, window: "with a window" if window else "without a window",
    "with_token": _with_token,
    "without_token": _without_token,
    "next_to_token": _next_to_token,
    "with_": _with,
    "within": lambda _s, spaces: f"at most {spaces} {'space' if spaces == 1 else 'spaces'} away",
    "in_sight": lambda _s, _told: "in line of sight",
    "discovered_since_haunt": lambda _s, since: (
        "discovered since the haunt began" if since else "discovered before the haunt began"
    ),
}
"""By the vocabulary's field: what stands behind `room`."""

SAID_IF_FALSE = frozenset({"outside", "window", "discovered_since_haunt"})
"""Fields that ask for something also where they are false."""
