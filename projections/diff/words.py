"""A change in words: one plain line, such as `Ox Bellows: from the Foyer to the Attic`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from projections.diff.members import FLOORS, YES_NO, parts_of
from projections.diff.things import Members
from projections.diff.titles import Titles
from projections.naming.names import counted, enumerated, position, readable


def words_of(titles: Titles, topic: str, title: str, before: Members | None, after: Members | None) -> str:
    """One line; empty if the change only follows from another one."""
    if before is None:
        come = CAME.get(topic, _told)
        return come(titles, title, after or {})
    if after is None:
        went = WENT.get(topic)
        return f"{title} is gone" if went is None else went(titles, title, before)
    if topic == "turn" and {"number", "seat", "monsters"} & after.keys():
        return _turn(titles)
    if topic == "card":
        return f"{title}: {_card(titles, before, after)}"
    if topic == "decision":
        return options_of(title, before, after) or f"{title}: asked differently"
    parts = parts_of(titles, topic, before, after)
    return f"{title}: {'; '.join(parts)}" if parts else ""


def _turn(titles: Titles) -> str:
    turn = titles.turn
    if turn.seat is None and not turn.monsters:
        return "No turn is played"
    player = "the hidden traitor" if turn.seat is None else titles.seat(turn.seat)
    return f"Turn {turn.number}: {f'the monsters, played by {player}' if turn.monsters else player}"


def _card(titles: Titles, before: Members, after: Members) -> str:
    """Where it is now, and its state."""
    parts = []
    if "where" in after:
        parts.append(f"{titles.where(after)} (before: {titles.where(before)})")
    elif "part" in after:
        parts.append("in the other part of the room")
    elif "pile" in after:
        parts.append(f"in item pile {after['pile']}")
    if "state" in after:
        parts.append(f"{after['state'] or 'in no state'} (before: {before['state'] or 'in none'})")
    return "; ".join(parts)


def options_of(title: str, before: Members, after: Members) -> str:
    """What has become possible, and what no longer is; empty if that is nothing."""
    old, new = before.get("commands", []), after.get("commands", [])
    came, went = [label for label in new if label not in old], [label for label in old if label not in new]
    parts = [f"now also {enumerated(came)}"] if came else []
    parts += [f"no longer {enumerated(went)}"] if went else []
    if not parts and after.get("count") != before.get("count"):
        parts = [f"{counted(after['count'], 'option')} ({before['count']} before)"]
    return f"{title}: {'; '.join(parts)}" if parts else ""


# -- come and gone ----------------------------------------------------------------------------------------------------

Say = Callable[[Titles, str, Members], str]


def _told(_titles: Titles, title: str, one: Members) -> str:
    return f"{title}: {one['text']}"


def _nothing(_titles: Titles, _title: str, _one: Members) -> str:
    """All explorers, seats and stacks come together, with the start of the game."""
    return ""


def _room(_titles: Titles, title: str, room: Members) -> str:
    turned = f", turned by {90 * room['turns']} degrees" if room["turns"] else ""
    return f"{title} comes into the house: {FLOORS[room['floor']]}, {position(room['x'], room['y'])}{turned}"


def _monster(titles: Titles, title: str, monster: Members) -> str:
    traits = ", ".join(f"{readable(trait)} {value}" for trait, value in monster["traits"].items())
    traits = traits or ", ".join(map(readable, monster["has"]))  # of a closed box only which it has
    return f"{title} comes into the house: {titles.place(monster)}; {traits}"


def _secret(titles: Titles, title: str, secret: Members) -> str:
    return f"{title} was chosen{': ' + titles.room(secret['value']) if secret['value'] else ' in secret'}"


def _counter(_titles: Titles, title: str, counter: Members) -> str:
    most = f" of {counter['max']}" if counter["max"] is not None else ""
    return f"{title}: {counter['value']}{most}"


CAME: Mapping[str, Say] = {
    "room": _room,
    "monster": _monster,
    "secret": _secret,
    "counter": _counter,
    "trait": _nothing,
    "seat": _nothing,
    "stack": _nothing,
    "explorer": lambda titles, title, one: f"{title} begins in {titles.the_room(one['room'])}",
    "card": lambda titles, title, one: f"{title}: {titles.where(one)} (before: out of sight)",
    "token": lambda _, title, one: f"{title}: {one['count']} (none before)",
    "haunt": lambda _, title, one: f"The haunt begins: {title} (number {one['number']} on the chart)",
    "ruling": lambda _, title, one: f"{title} is {YES_NO['agreed'][not one['agreed']]}: {one['text']}",
    "awaited": lambda _, title, one: f"The game waits for {title}: {one['text']}",
    "decision": lambda _, title, one: f"Open: {title} ({counted(one['count'], 'option')})",
    "enter": lambda _, title, one: f"{title} may be entered: {enumerated(one['books'])}",
    "book": lambda _, title, _one: f"{title} can be read",
}
"""What is said of something new; of anything else its text is told."""

WENT: Mapping[str, Say] = {
    "room": lambda _, title, one: f"{title} is gone from the house ({FLOORS[one['floor']]})",
    "monster": lambda titles, title, one: f"{title} is gone from the house ({titles.place(one)})",
    "card": lambda titles, title, one: f"{title}: out of sight (before: {titles.where(one)})",
    "token": lambda _, title, one: f"{title}: none ({one['count']} before)",
    "awaited": lambda _, title, one: f"The game no longer waits for {title}: {one['text']}",
    "decision": lambda _, title, _one: f"No longer open: {title}",
}
"""What is said of something that is gone; anything else is just `gone`."""
