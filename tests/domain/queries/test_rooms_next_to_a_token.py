"""Rooms one door away from a token: what a room's filter finds, in conditions, for steps and for a command's room."""

from domain.facts.commands import Act
from domain.facts.events import MonsterPlaced, TokenPlaced
from tests.support.table import Table, events, strewn, the

CANDLES = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  tokens:
    - {id: flame, title: Flame, text: It burns.}
    - {id: dark, title: Dark, text: It grows.}
  monsters:
    moth: {title: Moth, speed: 3, might: 2}
  heroes:
    story: S
    goal: G
    actions:
      - {word: WARM, if: {in: {next-to-token: flame}}, do: [{gain: {trait: might}}]}
      - {word: SHINE, room: {next-to-token: flame}, do: [{place-token: {token: dark, at: target-room}}]}
      - {word: LURE, do: [{place-monster: {kind: moth, at: {next-to-token: flame, without-token: flame}}}]}
  traitor-book: {story: S, goal: G}
"""


def house(*flames: str) -> Table:
    """Flames in these rooms; seat 0 is in the Entrance Hall, and the Foyer lies behind its door."""
    return strewn(CANDLES, "flame", *flames)


def acts(table: Table) -> list[Act]:
    """What seat 0 is offered."""
    return [one for one in table.offers(0, Act) if isinstance(one, Act)]


def test_an_action_is_offered_one_door_away_from_a_token_and_not_beside_it_or_farther() -> None:
    for room, offered in {"foyer": True, "entrance-hall": False, "grand-staircase": False}.items():
        words = {one.word for one in acts(house(room))}
        assert ("WARM" in words) is offered, room


def test_a_room_with_a_token_counts_where_the_room_behind_its_door_has_one_too() -> None:
    assert "WARM" in {one.word for one in acts(house("entrance-hall", "foyer"))}


def test_stairs_lead_to_no_room_next_door() -> None:
    table = house("upper-landing")
    table.put(0, "grand-staircase")
    table.turn(0)
    assert "WARM" not in {one.word for one in acts(table)}


def test_a_command_names_a_room_next_to_a_token_and_no_other() -> None:
    table = house("foyer")
    rooms = {one.target for one in acts(table) if one.word == "SHINE"}
    assert rooms == {"entrance-hall", "grand-staircase"}

    assert the(table.act("haunt:heroes", "SHINE", target="grand-staircase"), TokenPlaced).room == "grand-staircase"
    with table.refuses("2E-TURN-002"):
        table.act("haunt:heroes", "SHINE", target="foyer")


def test_only_the_side_of_a_barrier_where_the_token_lies_has_the_doors_next_to_it() -> None:
    for part, offered in ((0, False), (1, True)):
        table = house()
        table.lay("tower", "upper", 1, 0)  # its second part has the door to the Upper Landing
        table.token("flame", "tower", part=part)
        table.put(0, "upper-landing")
        table.turn(0)
        assert table.view(0).rooms["tower"].divided
        assert ("WARM" in {one.word for one in acts(table)}) is offered, part


def test_where_no_token_lies_no_room_is_next_to_one_and_nothing_comes() -> None:
    table = house()
    assert {one.word for one in acts(table)} == {"LURE"}
    assert not events(table.act("haunt:heroes", "LURE"), MonsterPlaced)


def test_whoever_puts_something_next_to_a_token_chooses_among_those_rooms() -> None:
    table = house("foyer")
    table.act("haunt:heroes", "LURE")
    assert set(table.asked(0).options) == {"entrance-hall", "grand-staircase"}
    assert the(table.choose(0, "grand-staircase"), MonsterPlaced).room == "grand-staircase"
