"""Hints for bots: where a seat's own books send it, for who asks, and in nothing that people look at."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec
import pytest

from content.vocabulary.pack import Haunt, Seek
from domain.engine.rules import Rules
from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from domain.facts.state import State
from domain.game import rules_for
from projections.board import board_of
from projections.choices.decisions import decisions_of
from projections.choices.hints import HintView, hints_of
from projections.diff.compare import Moment, difference
from projections.text.picture import house_as_text
from projections.text.post import status_post
from projections.view.game import view_of
from tests.support.packs import HAUNTS, TWO_BOOKS, pack, rules_with
from tests.support.table import FOUR, Table

ELSEWHERE = [Seek(room="attic"), Seek(for_="monsters", room="attic"), Seek(monsters="any")]


@cache
def with_other_hints(*sides: str) -> Rules:
    """The second edition with other hints in the books of these sides."""
    second = pack("second-edition")
    return rules_for(msgspec.structs.replace(second, haunts=[_changed(haunt, sides) for haunt in second.haunts]))


def _changed(haunt: Haunt, sides: Sequence[str]) -> Haunt:
    heroes, traitor = haunt.book("heroes"), haunt.traitor_book
    if "heroes" in sides:
        heroes = msgspec.structs.replace(heroes, seek=ELSEWHERE)
    if "traitor" in sides and traitor is not None:
        traitor = msgspec.structs.replace(traitor, seek=ELSEWHERE)
    return msgspec.structs.replace(haunt, heroes=heroes, traitor_book=traitor)


def haunted(haunt: str) -> Table:
    """A haunt that has just begun, with a monster of each kind."""
    table = Table(FOUR)
    sheet = table.rules.pack.haunts[haunt]
    table.haunt(haunt, traitor=-1 if sheet.kind == "no-traitor" else 1)
    for kind in sheet.monsters:
        table.monster(f"{kind}-1", "foyer")
    return table


def shown(rules: Rules, state: State, mask: Mask) -> dict[str, bytes]:
    """All that people look at."""
    view, listed = view_of(rules, state, mask), decisions_of(rules, state, mask)
    began = Moment(view_of(rules, State(), mask), decisions_of(rules, State(), mask))
    return {
        "view": msgspec.json.encode(view),
        "decisions": msgspec.json.encode(listed),
        "diff": msgspec.json.encode(difference(began, Moment(view, listed))),
        "board": board_of(view).encode(),
        "plan": house_as_text(rules, state).encode(),
        "post": status_post(rules, state, "markdown").encode(),
    }


@pytest.mark.parametrize("haunt", HAUNTS)
def test_other_hints_change_nothing_that_any_role_is_shown(haunt: str) -> None:
    table, otherwise = haunted(haunt), with_other_hints("heroes", "traitor")
    for mask, role in table.roles.items():
        assert shown(otherwise, role, mask) == shown(table.rules, role, mask)
    changed = [mask for mask, role in table.roles.items() if hints_of(otherwise, role, mask) != hints(table, mask)]
    assert changed, "bots are told"
    assert REFEREE not in changed
    assert SPECTATORS not in changed


@pytest.mark.parametrize("haunt", HAUNTS)
def test_no_view_of_a_haunt_has_hints(haunt: str) -> None:
    table = haunted(haunt)
    for mask, role in table.roles.items():
        view = view_of(table.rules, role, mask)
        assert view.haunt is not None
        assert [book.seek for book in view.haunt.books] == [[]] * len(view.haunt.books)
        assert decisions_of(table.rules, role, mask).hints is None, "nobody has asked"
        assert b"hints" not in b"".join(shown(table.rules, role, mask).values())


def hints(table: Table, mask: Mask) -> list[HintView]:
    """What a role is told who asks."""
    told = decisions_of(table.rules, table.roles[mask], mask, hints=True).hints
    assert told is not None
    return told


def brief(table: Table, seat: int) -> list[tuple[str, bool, bool, list[tuple[str, int]]]]:
    return [
        (one.side, one.explore, one.foes, [(place.room, place.part) for place in one.places])
        for one in hints(table, seat_bit(seat))
    ]


def test_a_heros_book_says_where_to_go_now() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.token("bell-rope", "entrance-hall")

    assert brief(table, 0) == [("heroes", False, False, []), ("heroes", True, False, [])]

    table.token("hiding-place", "foyer")
    table.hold(0, "clapper")

    assert brief(table, 0)[:2] == [
        ("heroes", False, False, [("entrance-hall", 0)]),
        ("heroes", False, False, [("foyer", 0)]),
    ]
    assert brief(table, 1) == [("traitor", False, True, [])]


@pytest.mark.parametrize("side,seats", [("heroes", [0, 2, 3]), ("traitor", [1])])
@pytest.mark.parametrize("haunt", TWO_BOOKS)
def test_each_seat_has_the_hints_of_its_own_book_alone(haunt: str, side: str, seats: list[int]) -> None:
    table, otherwise = haunted(haunt), with_other_hints(side)
    roles = table.roles.items()
    told = [mask for mask, role in roles if hints_of(otherwise, role, mask) != hints(table, mask)]
    assert told == [seat_bit(seat) for seat in seats], "whoever has read another book"
    for seat in seats:
        assert {one.side for one in hints(table, seat_bit(seat))} == {side}


@pytest.mark.parametrize("haunt", HAUNTS)
def test_spectators_and_the_referee_have_no_hints(haunt: str) -> None:
    table = haunted(haunt)
    assert (hints(table, SPECTATORS), hints(table, REFEREE)) == ([], [])


def test_before_a_haunt_and_before_the_books_are_read_there_are_no_hints() -> None:
    table = Table()
    role = table.roles[seat_bit(0)]
    assert hints(table, seat_bit(0)) == []
    table.haunt("the-bell-below", traitor=1)
    assert hints(table, seat_bit(0)) != []
    role.texts.remove("heroes.book")
    assert role.haunt is not None
    assert hints(table, seat_bit(0)) == []


def test_who_has_left_the_heroes_is_sent_after_them_and_not_on_their_errands() -> None:
    table = haunted("the-bell-below")
    me = table.roles[seat_bit(0)].explorers[0]
    me.side = "traitor"
    assert brief(table, 0) == [("heroes", False, True, [])]
    me.alive = False
    assert hints(table, seat_bit(0)) == []


def test_a_fallen_traitor_has_hints_for_its_monsters_alone() -> None:
    table = haunted("the-collectors")
    table.token("label", "foyer")
    assert [one.by for one in hints(table, seat_bit(1))] == [["collector-1"], []]
    table.roles[seat_bit(1)].explorers[1].alive = False
    assert [one.by for one in hints(table, seat_bit(1))] == [["collector-1"]]


WINDOWS = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  tokens: [{id: shutter, title: Shutter, text: It is closed.}]
  monsters: {moth: {title: Moth, speed: 3, might: 2}}
  heroes:
    story: S
    goal: G
    actions: [{word: CLOSE, if: {in: {window: true}, not: {token: shutter}}, do: [{place-token: {token: shutter}}]}]
    seek: [{rooms: {window: true, without-token: shutter}}]
  traitor-book: {story: S, goal: G, seek: [{for: monsters, rooms: {on: [upper], besides-here: true}}]}
"""


def test_a_hint_leads_to_rooms_like_those_that_it_names() -> None:
    table = Table(FOUR, game=rules_with(haunt=WINDOWS))
    table.haunt("h", traitor=1)
    table.lay("bedroom", "upper", 1, 0)
    table.lay("chapel", "ground", 1, 1)
    windows = {room.id for room in table.state.rooms.values() if room.windows}
    assert windows
    (hint,) = hints(table, seat_bit(0))
    assert {one.room for one in hint.places} == windows

    shut = min(windows)
    table.token("shutter", shut)
    (hint,) = hints(table, seat_bit(0))
    assert {one.room for one in hint.places} == windows - {shut}


def test_a_hint_for_monsters_says_of_each_where_it_is_to_go() -> None:
    table = Table(FOUR, game=rules_with(haunt=WINDOWS))
    table.haunt("h", traitor=1)
    table.lay("bedroom", "upper", 1, 0)
    table.monster("moth-1", "bedroom")
    table.monster("moth-2", "upper-landing")
    told = {tuple(hint.by): [one.room for one in hint.places] for hint in hints(table, seat_bit(1))}
    assert told == {("moth-1",): ["upper-landing"], ("moth-2",): ["bedroom"]}
