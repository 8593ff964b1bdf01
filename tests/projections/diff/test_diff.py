"""What changed between two moments: nothing is left out, nothing is made up, and the words say what the data does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from projections.choices.decisions import decisions_of
from projections.diff.compare import Change, GameDiff, Moment, difference
from projections.diff.markdown import diff_as_markdown
from projections.diff.things import Things, things_of
from projections.shapes import Shape
from projections.view.game import view_of
from tests.projections.driver import Game, play
from tests.support.desk import Desk
from tests.support.table import Table

GAMES = [("second-edition", 5, ""), ("second-edition", 6, "the-hollow-guest"), ("third-edition", 7, "")]

NAMES = {"title", "id", "name", "token", "card"}
"""Members that only name a thing: when they change it is another thing."""
SHEET = {"text", "rules", "deck", "kinds", "attack", "trait", "damage", "dice", "result", "range", "of_haunt"}
"""What stands on a card and never changes."""
FIXED = {"game", "edition", "pack", "version", "role", "you"}


def moment(game: Game, mask: Mask) -> Moment:
    state = game.roles[mask]
    return Moment(view_of(game.rules, state, mask), decisions_of(game.rules, state, mask))


def at(table: Table, mask: Mask) -> Moment:
    return Moment(view_of(table.rules, table.roles[mask], mask), decisions_of(table.rules, table.roles[mask], mask))


def after(things: Things, changes: list[Change]) -> dict[tuple[str, str], dict[str, Any]]:
    """The members of things as the changes say that they became."""
    found = {key: dict(thing.members) for key, thing in things.items()}
    for change in changes:
        key = (change.topic, change.id)
        if change.after is None:
            assert found.pop(key) == change.before
            continue
        known = found.setdefault(key, {})
        assert (change.before is None) == (not known)
        assert all(known.get(name) == value for name, value in (change.before or {}).items())
        known.update(change.after)
    return found


@pytest.mark.parametrize("pack,seed,haunt", GAMES)
def test_changes_lead_from_one_moment_to_the_other_and_there_are_none_without_need(
    pack: str, seed: int, haunt: str
) -> None:
    kept: dict[Mask, Moment] = {}
    for game in play(pack, seed, haunt):
        if game.steps % 12:
            continue
        for mask in (seat_bit(1), SPECTATORS, REFEREE):
            now = moment(game, mask)
            before = kept.get(mask, now)
            kept[mask] = now
            found = difference(before, now)
            wanted = {key: thing.members for key, thing in things_of(now.view, now.decisions).items()}
            reached = after(things_of(before.view, before.decisions), found.changes)
            assert {key: {k: v for k, v in one.items() if v is not None} for key, one in reached.items()} == {
                key: {k: v for k, v in one.items() if v is not None} for key, one in wanted.items()
            }
            assert difference(now, now).changes == []
            assert all(
                change.text == " ".join(change.text.split()) for change in found.changes if change.topic != "ruling"
            )


def mutants(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:  # noqa: ANN401 -- any part of a view
    """The same with one leaf changed, for each leaf."""
    if isinstance(value, Shape):
        for name in value.__struct_fields__:
            for where, one in mutants(getattr(value, name), (*path, name)):
                yield where, msgspec.structs.replace(value, **{name: one})
    elif isinstance(value, list):
        for index, item in enumerate(value):
            for where, one in mutants(item, (*path, "[]")):
                yield where, [*value[:index], one, *value[index + 1 :]]
    elif isinstance(value, dict):
        for key, item in value.items():
            for where, one in mutants(item, (*path, key)):
                yield where, {**value, key: one}
    elif value is not None:
        yield path, other(value)


def other(leaf: int | str) -> int | str:
    if isinstance(leaf, bool):
        return not leaf
    return leaf + 1 if isinstance(leaf, int) else f"{leaf}x"


def test_whatever_changes_in_a_view_is_told() -> None:
    """But for what names a thing, what stands on a card, and what never changes in a game."""
    table = crowd()
    now = at(table, REFEREE)
    every = [
        (where, one)
        for where, one in mutants(now.view)
        if where[-1] not in NAMES
        and where[0] not in FIXED
        and not (where[0] == "cards" and where[2] in SHEET)
        and not (where[0] == "explorers" and where[-1] in ("seat", "character"))
        and not (where[0] == "haunt" and "rules" in where)  # numbers in them are those of counters and tokens
    ]
    assert len(every) > 300
    for where, one in every:
        assert difference(now, Moment(one, now.decisions)).changes, where


def crowd() -> Table:
    table = Table()
    table.lay("chasm", "basement", 1, 0)
    table.put(1, "chasm", part=0)
    table.hold(0, "spear")
    table.pile("upper-landing", "axe")
    table.haunt("the-gnawing-tide", traitor=1)
    table.token("nest", "entrance-hall")
    table.monster("rat-1", "foyer")
    return table


WORDS = """\
## Commits {first} to {last}, as seat 2 saw it

**Explorers**

- Ox Bellows: from the Entrance Hall to the Foyer

**Traits**

- Sanity of Ox Bellows: 4 (3 before)
- Sanity of Jenny LeClerc: 2 (4 before)

**Cards and items**

- Bell: with Ox Bellows (before: out of sight)
- Axe: on the floor in the Foyer (before: on the floor in the Upper Landing)

**Rooms**

- Foyer: east door: leads nowhere (before: into the unknown)
- Statuary Corridor comes into the house: ground floor, 1 east, 1 north

**Tokens**

- Nest in the Entrance Hall: 2 (1 before)
- Nest in the Foyer: 1 (none before)

**Monsters**

- Rat 1: stunned
- Rat 2 comes into the house: Foyer; Might 2, Speed 3, Sanity 1

**Haunt**

- Verses of the rite: 2 (0 before)

**Stacks**

- The item deck: 19 left (21 before)
- The room stack: 40 left (41 before)
"""


def test_what_changed_is_told_in_words_by_topic() -> None:
    table = crowd()
    before = at(table, seat_bit(2))
    table.lay("statuary-corridor", "ground", 1, 1, turns=0)
    table.put(0, "foyer")
    table.traits(2, sanity=2)
    table.hold(0, "bell")
    table.pile("upper-landing")
    table.pile("foyer", "axe")
    table.token("nest", "entrance-hall")
    table.token("nest", "foyer")
    table.stun("rat-1")
    table.monster("rat-2", "foyer")
    table.counter("verses", 2)

    told = diff_as_markdown(difference(before, at(table, seat_bit(2))))

    assert told == WORDS.format(first=before.view.version, last=at(table, seat_bit(2)).view.version)
    assert diff_as_markdown(difference(before, before)).endswith("Nothing changed.\n")


def test_a_question_that_is_only_asked_anew_is_told_by_what_one_can_do_now() -> None:
    table = Table()
    table.begin_turn(0)
    first = at(table, seat_bit(0))
    table.begin_turn(0)
    again = difference(first, at(table, seat_bit(0))).changes
    assert {(one.topic, one.kind, one.text) for one in again if one.topic in ("awaited", "decision")} == {
        (topic, kind, "") for topic in ("awaited", "decision") for kind in ("gone", "new")
    }
    table.put(0, "foyer")
    table.begin_turn(0)
    told = [
        one.text for one in difference(first, at(table, seat_bit(0))).changes if one.topic == "decision" and one.text
    ]
    assert told == [
        (
            "The turn of Ox Bellows: now also Move to the Grand Staircase (1 space) and Move to the Entrance Hall (1 space); "
            "no longer Move to the Foyer (1 space)"
        )
    ]


def test_what_is_on_the_referees_desk_is_told_in_words() -> None:
    table = Desk(options={"disputes": {"pause": True, "turns": 5}})
    said = []
    steps: list[Callable[[], object]] = [
        lambda: table.dispute(1),
        lambda: table.evidence(1, [1]),
        lambda: table.rule("stands", precedent=True),
        table.reopen,
        lambda: table.rule("stands"),
    ]
    for step in steps:
        before = at(table, seat_bit(1))
        step()
        (change,) = [one for one in difference(before, at(table, seat_bit(1))).changes if one.topic == "game"]
        said.append(change.text.removeprefix("The game: "))
    assert said == [
        "dispute 1 is open; play waits for a ruling",
        "dispute 1 has more evidence",
        "dispute 1 is no longer open; the ruling on dispute 1 is a precedent; play no longer waits for a ruling",
        "dispute 1 is open again; play waits for a ruling",
        "dispute 1 is no longer open; the ruling on dispute 1 is no longer a precedent; play no longer waits for a ruling",
    ]


def test_what_a_rewind_would_undo_is_no_change_of_other_disputes() -> None:
    """Neither when an amendment comes nor when it goes."""
    table = Desk()
    table.rolls([1])
    table.dispute(1)
    table.dispute(2)
    back = table.now_at
    rulings: list[Callable[[], object]] = [
        lambda: table.rule("amend", you=1, do=[{"gain": {"trait": "might", "steps": 1}}]),
        lambda: (table.dispute(0), table.rule("rewind", number=3, to=back)),
    ]
    for ruled in rulings:
        before = at(table, REFEREE)
        ruled()
        now = at(table, REFEREE)
        assert before.view.desk.disputes[-1].would_undo != now.view.desk.disputes[-1].would_undo
        said = [one.text for one in difference(before, now).changes if one.text]
        assert any("Might" in one for one in said)
        assert not any("undo" in one or "dispute 2" in one for one in said)


def test_a_text_that_somebody_wrote_stays_a_text_in_markdown() -> None:
    now = at(crowd(), SPECTATORS)
    because = "<b>`*_[link](x)"
    found = difference(now, Moment(msgspec.structs.replace(now.view, because=because), now.decisions))
    assert "\\<b\\>\\`\\*\\_\\[link\\](x)" in diff_as_markdown(found)


def test_the_published_shape_names_its_span_from_and_to() -> None:
    now = at(crowd(), SPECTATORS)
    body = msgspec.json.decode(msgspec.json.encode(difference(now, now)))
    assert (body["from"], body["to"], body["changes"]) == (now.view.version, now.view.version, [])
    assert msgspec.json.schema(GameDiff)["$defs"]["GameDiff"]["required"][:2] == ["game", "role"]
