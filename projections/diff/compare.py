"""Two moments compared, thing by thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from projections.choices.decisions import Decisions
from projections.diff.things import TOPICS, Members, Thing, Things, Topic, things_of
from projections.diff.titles import Titles
from projections.diff.words import options_of, words_of
from projections.shapes import Id, Number, Seat, Shape, Text
from projections.view.game import GameView, Role


class Change(Shape, frozen=True, kw_only=True):
    """Something that came, went or changed between the two moments."""

    topic: Topic
    id: Annotated[str, Meta(max_length=200)]
    """Which one: `seat:1` (an explorer), `seat:1/might` (a trait), `rat-2`, `attic`, `nest@attic`, a decision; empty where there is only one."""
    title: Text
    kind: Annotated[str, Meta(extra_json_schema={"enum": ["new", "gone", "changed"]})]
    before: dict[str, Any] | None
    """What it was: the members that differ, or all if it is gone; null if it is new. Members are those of the view, and
    for cards `where`: `seat:0`, `monster:rat-2`, `floor:attic`, `waiting:attic`, `discard:event`; for a decision the labels of its commands."""
    after: dict[str, Any] | None
    """What it is now, likewise; null if it is gone."""
    text: Text
    """In words; empty where it only follows from another change (a door that leads to a new room)."""


class GameDiff(Shape, frozen=True, kw_only=True):
    """What changed for one role between two commits."""

    game: Id
    role: Role
    you: Seat | None
    from_: Number = msgspec.field(name="from")
    """The earlier commit."""
    to: Number
    """The later one."""
    changes: list[Change]
    """By topic: game, turn, seats, explorers, traits, cards, rooms, tokens, monsters, haunt, stacks, and finally what the game waits for."""


class Moment(msgspec.Struct, frozen=True):
    """What a role saw, and what it might do, as of one commit."""

    view: GameView
    decisions: Decisions


def difference(before: Moment, after: Moment) -> GameDiff:
    """Compare two moments of one game as one role saw them, the earlier one first."""
    titles = Titles(before.view, after.view)
    old, new = things_of(before.view, before.decisions), things_of(after.view, after.decisions)
    changes = _asked_again(sorted(_changes(titles, old, new), key=lambda change: TOPICS.index(change.topic)))
    return GameDiff(
        game=after.view.game,
        role=after.view.role,
        you=after.view.you,
        from_=before.view.version,
        to=after.view.version,
        changes=changes,
    )


def _changes(titles: Titles, old: Things, new: Things) -> Iterator[Change]:
    """What went, then what changed and came, each in the order of its view."""
    for key, thing in old.items():
        if key not in new:
            yield _change(titles, key, thing.title, thing.members, None)
    for key, thing in new.items():
        before = old.get(key)
        if before is None:
            yield _change(titles, key, thing.title, None, thing.members)
        elif before.members != thing.members:
            yield _change(titles, key, thing.title, *_differing(before, thing))


def _asked_again(changes: Sequence[Change]) -> list[Change]:
    """The same, but where a question is only asked anew, as after going back, its words tell what one can do now and could not before."""
    asked = [change for change in changes if change.topic in ("awaited", "decision")]
    gone = {_question(change): change for change in asked if change.kind == "gone"}
    anew = {_question(change): change for change in asked if change.kind == "new" and _question(change) in gone}
    found = []
    for change in changes:
        same = anew.get(_question(change)) if change in asked else None
        if same is None:
            found.append(change)
            continue
        before, after = gone[_question(change)].before or {}, same.after or {}
        told = change is same and change.topic == "decision"
        found.append(msgspec.structs.replace(change, text=options_of(change.title, before, after) if told else ""))
    return found


def _question(change: Change) -> tuple[str, str, str]:
    return change.topic, change.title, (change.before or change.after or {}).get("text", "")


def _differing(before: Thing, after: Thing) -> tuple[Members, Members]:
    names = [
        name for name in {**before.members, **after.members} if before.members.get(name) != after.members.get(name)
    ]
    return {name: before.members.get(name) for name in names}, {name: after.members.get(name) for name in names}


def _change(titles: Titles, key: tuple[str, str], title: str, before: Members | None, after: Members | None) -> Change:
    topic, name = key
    kind = "new" if before is None else "gone" if after is None else "changed"
    text = words_of(titles, topic, title, before, after)
    return Change(topic=topic, id=name, title=title, kind=kind, before=before, after=after, text=text)
