"""A change in words: one plain line, such as `Ox Bellows: from Foyer to Attic`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from projections.diff.things import Members
from projections.names import counted, enumerated, readable
from projections.view import GameView

FLOORS = {"upper": "upper floor", "ground": "ground floor", "basement": "basement"}
SIDES = {"heroes": "a hero", "traitor": "the traitor", "": "on no known side"}
YES_NO = {
    "acting": ("may act", "can't act now"),
    "agreed": ("agreed upon", "proposed"),
    "arranged": ("prepared by somebody", "not prepared"),
    "attacked": ("has attacked", "has not attacked"),
    "escaped": ("has escaped", "has not escaped"),
    "hidden": ("the traitor is hidden", "the traitor is known"),
    "monsters": ("the monsters' turn", "an explorer's turn"),
    "removed": ("has left the house for good", "is back in the house"),
    "revealed": ("everybody knows the side", "not everybody knows the side"),
    "started": ("both sides are ready", "the sides get ready"),
    "stopped": ("its movement has ended", "may move"),
    "stunned": ("stunned", "no longer stunned"),
    "taken": ("taken", "free"),
}
"""What is said of a member that is true, and of one that is false."""
LONG = 60
"""A value that takes more characters is not quoted."""


class Words:
    """Words for the changes between two views of one role. Titles are looked up in both, the later one first."""

    def __init__(self, before: GameView, after: GameView) -> None:
        """Look titles up there."""
        views = (before, after)
        self._rooms = {room.id: room.title for view in views for room in view.rooms}
        self._new = {room.id for room in after.rooms} - {room.id for room in before.rooms}
        self._figures = {f"seat:{one.seat}": one.title for view in views for one in view.explorers}
        self._figures |= {f"monster:{one.id}": one.title for view in views for one in view.monsters}
        self._cards = {name: card.title for view in views for name, card in view.cards.items()}
        self._after = after

    def of(self, topic: str, title: str, before: Members | None, after: Members | None) -> str:
        """One line; empty where the change only follows from another one."""
        if before is None:
            return self._came(topic, title, after or {})
        if after is None:
            return self._went(topic, title, before)
        if topic == "turn" and {"number", "seat", "monsters"} & after.keys():
            return self._turn()
        if topic == "card":
            return f"{title}: {self._card(before, after)}"
        if topic == "decision":
            return _commands(title, before, after)
        parts = [part for member in after for part in self._member(topic, member, before.get(member), after[member])]
        return f"{title}: {'; '.join(parts)}" if parts else ""

    # -- come and gone ------------------------------------------------------------------------------------------------

    def _came(self, topic: str, title: str, members: Members) -> str:
        say = CAME.get(topic)
        return f"{title}: {members['text']}" if say is None else say(self, title, members)

    def _went(self, topic: str, title: str, members: Members) -> str:
        say = WENT.get(topic)
        return f"{title} is gone" if say is None else say(self, title, members)

    def room_came(self, title: str, room: Members) -> str:
        """A tile was placed."""
        turned = f", turned by {90 * room['turns']} degrees" if room["turns"] else ""
        return f"{title} comes into the house: {FLOORS[room['floor']]}, {_cell(room['x'], room['y'])}{turned}"

    def monster_came(self, title: str, monster: Members) -> str:
        """A monster was placed."""
        traits = ", ".join(f"{readable(trait)} {value}" for trait, value in monster["traits"].items())
        return f"{title} comes into the house: {self.place(monster)}; {traits}"

    def secret_came(self, title: str, secret: Members) -> str:
        """Something was chosen in secret."""
        return f"{title} was chosen{': ' + self._room(secret['value']) if secret['value'] else ' in secret'}"

    # -- changed ------------------------------------------------------------------------------------------------------

    def _turn(self) -> str:
        turn = self._after.turn
        if turn.seat is None:
            return "No turn is played"
        player = self._figures.get(f"seat:{turn.seat}", f"Seat {turn.seat}")
        return f"Turn {turn.number}: {f'the monsters, played by {player}' if turn.monsters else player}"

    def _card(self, before: Members, after: Members) -> str:
        parts = []
        if "where" in after or "part" in after:
            parts.append(
                f"{self.where(after)} (before: {self.where(before)})" if "where" in after else "in the other part"
            )
        if "state" in after:
            parts.append(f"{after['state'] or 'in no state'} (before: {before['state'] or 'in none'})")
        return "; ".join(parts)

    def _member(self, topic: str, member: str, old: Any, new: Any) -> Iterator[str]:  # noqa: ANN401 -- any member of a view
        """What is said of a member that differs; nothing where another change says it."""
        if member == "room" and topic in ("explorer", "monster"):
            yield f"from {self._room(old)} to {self._room(new)}"
        elif member in ("floor", "decision"):
            return
        elif member == "doors":
            yield from self._doors(old, new)
        elif member == "ways":
            yield from self._ways(old, new)
        elif member == "alive":
            yield "alive" if new else "no longer among the living in the house"
        elif member == "side":
            yield f"{SIDES[new]} (before: {SIDES[old]})"
        elif member == "held":
            yield (
                f"held back by {self._cards.get(new['card'], readable(new['card']))}" if new else "no longer held back"
            )
        elif member == "traits":
            yield from (
                f"{readable(name)} {value} ({old.get(name)} before)"
                for name, value in new.items()
                if value != old.get(name)
            )
        elif member in YES_NO and isinstance(new, bool):
            yield YES_NO[member][not new]
        elif member in ("seat", "traitor"):
            yield f"{readable(member).lower()}: {'nobody' if new is None else self._figures.get(f'seat:{new}', f'seat {new}')}"
        else:
            yield _plain(member, old, new)

    def _doors(self, old: dict[str, str], new: dict[str, str]) -> Iterator[str]:
        for side, behind in new.items():
            if behind != old[side] and behind not in self._new:
                yield f"{side} door: {self._behind(behind)} (before: {self._behind(old[side])})"

    def _behind(self, behind: str) -> str:
        plain = {"free": "into the unknown", "false": "leads nowhere", "wall": "none"}
        return plain.get(behind) or f"to {self._room(behind)}"

    def _ways(self, old: list[Members], new: list[Members]) -> Iterator[str]:
        """Ways that are no doors; of doors `doors` tells."""
        for ways, others, words in ((new, old, "a new way to"), (old, new, "no way any more to")):
            yield from (
                f"{words} {self._room(way['to'])} (by {readable(way['by'].rpartition(':')[2])})"
                for way in ways
                if way not in others and way["by"] != "door"
            )

    # -- places -------------------------------------------------------------------------------------------------------

    def _room(self, room: str) -> str:
        return self._rooms.get(room, readable(room))

    def place(self, members: Members) -> str:
        """The room that something is in."""
        return self._room(members["room"])

    def where(self, card: Members) -> str:
        """Where a card is."""
        kind, _, name = card["where"].partition(":")
        if kind in ("seat", "monster"):
            return f"with {self._figures.get(card['where'], readable(name))}"
        if kind == "discard":
            return "discarded"
        return f"{'on the floor' if kind == 'floor' else 'waiting'} in {self._room(name)}"


Say = Callable[[Words, str, Members], str]


def _nothing(_words: Words, _title: str, _members: Members) -> str:
    """All explorers, seats and stacks come together, with the start of the game."""
    return ""


CAME: Mapping[str, Say] = {
    "room": Words.room_came,
    "monster": Words.monster_came,
    "secret": Words.secret_came,
    "trait": _nothing,
    "seat": _nothing,
    "stack": _nothing,
    "explorer": lambda words, title, one: f"{title} begins in {words.place(one)}",
    "card": lambda words, title, one: f"{title}: {words.where(one)} (before: in nobody's sight)",
    "token": lambda words, title, one: f"{title}: {one['count']} in {words.place(one)} (none before)",
    "haunt": lambda _, title, one: f"The haunt begins: {title} (number {one['number']} of the chart)",
    "counter": lambda _, title, one: f"{title}: {_counter(one)}",
    "ruling": lambda _, title, one: f"{title} is {YES_NO['agreed'][not one['agreed']]}: {one['text']}",
    "awaited": lambda _, title, one: f"The game waits for {title}: {one['text']}",
    "decision": lambda _, title, one: f"Open: {title} ({counted(one['count'], 'way')})",
    "enter": lambda _, title, one: f"{title} may be entered: {enumerated(one['books'])}",
    "book": lambda _, title, _one: f"{title} can be read",
}
"""What is said of something new; of anything else its text is told."""
WENT: Mapping[str, Say] = {
    "room": lambda _, title, one: f"{title} is gone from the house ({FLOORS[one['floor']]})",
    "monster": lambda words, title, one: f"{title} is gone from the house ({words.place(one)})",
    "card": lambda words, title, one: f"{title}: in nobody's sight (before: {words.where(one)})",
    "token": lambda words, title, one: f"{title}: none in {words.place(one)} ({one['count']} before)",
    "awaited": lambda _, title, one: f"The game no longer waits for {title}: {one['text']}",
    "decision": lambda _, title, _one: f"No longer open: {title}",
}
"""What is said of something that is gone; all else just is."""


def _cell(x: int, y: int) -> str:
    """Where a room lies, counted from the middle of its floor."""
    across = f"{abs(x)} {'east' if x > 0 else 'west'}" if x else ""
    along = f"{abs(y)} {'north' if y > 0 else 'south'}" if y else ""
    return ", ".join(word for word in (across, along) if word) or "in the middle"


def _counter(members: Members) -> str:
    return f"{members['value']}" + (f" of {members['max']}" if members.get("max") is not None else "")


def _commands(title: str, before: Members, after: Members) -> str:
    """What can be done now and could not before, and the reverse."""
    old, new = before.get("commands", []), after.get("commands", [])
    came, went = [label for label in new if label not in old], [label for label in old if label not in new]
    parts = [f"now also {enumerated(came)}"] if came else []
    parts += [f"no longer {enumerated(went)}"] if went else []
    if not parts and "count" in after:
        parts = [f"{counted(after['count'], 'way')} ({before['count']} before)"]
    return f"{title}: {'; '.join(parts) or 'asked otherwise'}"


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
