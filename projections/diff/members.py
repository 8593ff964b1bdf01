"""What is said of a member of a view that differs: `from the Foyer to the Attic`, `3 spaces spent (2 before)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from domain.facts.ids import is_own_side
from projections.diff.things import Members
from projections.diff.titles import Titles
from projections.naming.names import counted, enumerated, readable

FLOORS = {"upper": "upper floor", "ground": "ground floor", "basement": "basement"}
SIDES = {"heroes": "a hero", "traitor": "the traitor", "": "on no known side"}
BEHIND = {"free": "into the unknown", "false": "leads nowhere", "wall": "none"}
YES_NO = {
    "acting": ("may act", "can't act now"),
    "agreed": ("agreed upon", "proposed"),
    "alive": ("alive", "no longer alive in the house"),
    "arranged": ("prepared by somebody", "not prepared"),
    "critical": ("on the last space before the skull", "no longer on the last space before the skull"),
    "corpse": ("lies dead in the house", "its corpse is gone"),
    "attacked": ("has attacked", "has not attacked"),
    "escaped": ("has escaped", "has not escaped"),
    "defends": ("hurts whom it beats in defending", "hurts nobody in defending"),
    "hidden": ("the traitor is hidden", "the traitor is known"),
    "hides": ("hides", "no longer hides"),
    "monsters": ("the monsters' turn", "an explorer's turn"),
    "open": ("its barrier stands open", "its barrier is closed"),
    "removed": ("has left the house for good", "is back in the house"),
    "revealed": ("everybody knows the side", "not everybody knows the side"),
    "started": ("both sides are ready", "the sides get ready"),
    "stopped": ("its movement has ended", "may move"),
    "stunned": ("stunned", "no longer stunned"),
    "taken": ("taken", "free"),
}
"""What is said of a member that is true, and of one that is false."""
NUMBERS = {"spent": "space spent", "spaces_left": "space left", "left": "space left", "omens_drawn": "omen drawn"}
"""What a number counts."""
LONG = 60
"""A value that takes more characters is not quoted."""


def parts_of(titles: Titles, topic: str, before: Members, after: Members) -> list[str]:
    """What is said of each member that differs; nothing of one that follows from another, or from another change."""
    passed = {"floor", "decision"}
    if "room" in after:
        passed.add("part")
    if "stunned" in after:
        passed.add("defends")
    if topic == "trait" and "value" in after:
        passed.add("position")
    return [
        part
        for member, value in after.items()
        if member not in passed
        for part in _member(titles, member, before.get(member), value)
    ]


def _member(titles: Titles, member: str, old: Any, new: Any) -> Iterable[str]:  # noqa: ANN401 -- any member of a view
    say = SAID.get(member)
    if say is not None:
        return say(titles, old, new)
    if member in YES_NO and isinstance(new, bool):
        return [YES_NO[member][not new]]
    if member in NUMBERS:
        thing, rest = NUMBERS[member].split()
        return [f"{counted(new, thing)} {rest} ({old} before)"]
    return [_plain(member, old, new)]


def _doors(titles: Titles, old: dict[str, str], new: dict[str, str]) -> Iterator[str]:
    """Doors to new rooms are told with those."""
    for side, behind in new.items():
        if behind != old[side] and behind not in titles.new:
            yield f"{side} door: {_behind(titles, behind)} (before: {_behind(titles, old[side])})"


def _behind(titles: Titles, behind: str) -> str:
    return BEHIND.get(behind) or f"to {titles.the_room(behind)}"


def _ways(titles: Titles, old: list[Members], new: list[Members]) -> Iterator[str]:
    """Ways that are no doors."""
    for ways, others, words in ((new, old, "a new way to"), (old, new, "no longer a way to")):
        for way in ways:
            if way not in others and way["by"] != "door":
                yield f"{words} {titles.the_room(way['to'])} (by {readable(way['by'].rpartition(':')[2])})"


def _traits(_titles: Titles, old: dict[str, int], new: dict[str, int]) -> Iterator[str]:
    for name, value in new.items():
        if value != old.get(name):
            yield f"{readable(name)} {value} ({old.get(name)} before)"


def _held(titles: Titles, _old: Members | None, new: Members | None) -> list[str]:
    return ["no longer held back" if new is None else f"held back by {titles.card(new['card'])}"]


def _backs(_titles: Titles, _old: str, new: str) -> list[str]:
    floors = enumerated([f"the {FLOORS.get(floor, floor)}" for floor in new.split("+")], "or") if new else ""
    return [f"the next is for {floors}" if new else "nobody knows what the next is for"]


def _known(_titles: Titles, old: list[Members], new: list[Members]) -> list[str]:
    if len(old) == len(new):
        return ["what is known of it changed"]
    return [f"{counted(len(new), 'place')} known ({len(old)} before)"]


def _desk(_titles: Titles, old: Members, new: Members) -> Iterator[str]:
    """Disputes that were opened, changed or decided, and rulings that are precedents; their texts are not told here."""
    before, after = ({one["number"]: one for one in desk["disputes"]} for desk in (old, new))
    yield from (f"dispute {number} is no longer open" for number in before if number not in after)
    for number, one in after.items():
        yield from _dispute(number, before.get(number), one)
    held, holds = ([one["number"] for one in desk["precedents"]] for desk in (old, new))
    yield from (f"the ruling on dispute {number} is a precedent" for number in holds if number not in held)
    yield from (f"the ruling on dispute {number} is no longer a precedent" for number in held if number not in holds)
    if old["paused"] != new["paused"]:
        yield "play waits for a ruling" if new["paused"] else "play no longer waits for a ruling"


def _dispute(number: int, old: Members | None, new: Members) -> Iterator[str]:
    """What has come of a dispute; not what a rewind, of which nobody speaks, would undo now."""
    if old is None:
        yield f"dispute {number} is open{'' if new['reopened'] is None else ' again'}"
        return
    differs = {member for member, value in new.items() if value != old[member]}
    if len(new["evidence"]) > len(old["evidence"]):
        yield f"dispute {number} has more evidence"
    if "proposed" in differs:
        yield f"dispute {number} has {'no' if new['proposed'] is None else 'a'} ruling that waits for consent"
    if "turns_left" in differs and new["turns_left"] is not None:
        yield f"dispute {number} is to be decided within {counted(new['turns_left'], 'new turn')}"


def _side(side: str) -> str:
    return "against everybody" if is_own_side(side) else SIDES.get(side, side)


Say = Callable[[Titles, Any, Any], Iterable[str]]

SAID: Mapping[str, Say] = {
    "room": lambda titles, old, new: [f"from {titles.the_room(old)} to {titles.the_room(new)}"],
    "part": lambda *_: ["in the other part of the room"],
    "side": lambda _, old, new: [f"{_side(new)} (before: {_side(old)})"],
    "seat": lambda titles, _, new: [f"seat: {titles.seat(new)}"],
    "traitor": lambda titles, _, new: [f"traitor: {titles.seat(new)}"],
    "position": lambda _, old, new: [f"a space {'higher' if new > old else 'lower'}, with the same number"],
    "size": lambda _, old, new: [f"{new} left ({old} before)"],
    "aside": lambda _, old, new: [f"{len(new)} set aside ({len(old)} before)"],
    "known": _known,
    "top_back": _backs,
    "desk": _desk,
    "held": _held,
    "traits": _traits,
    "doors": _doors,
    "ways": _ways,
}
"""By member."""


def _plain(member: str, old: Any, new: Any) -> str:  # noqa: ANN401 -- any member of a view
    """A member for which there are no words of its own."""
    name = readable(member).lower() if member not in ("value", "count") else ""
    shown, before = _quoted(new), _quoted(old)
    if not shown or not before:
        return f"{name or 'it'} changed"
    return f"{name} {shown} ({before} before)".strip()


def _quoted(value: Any) -> str:  # noqa: ANN401 -- any member of a view
    """A value in words; empty where it is too long for a line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or value in ("", [], {}):
        return "none"
    if isinstance(value, list) and all(isinstance(one, str | int) for one in value):
        value = ", ".join(str(one) for one in value)
    text = str(value) if isinstance(value, str | int) else ""
    return text if len(text) <= LONG else ""
