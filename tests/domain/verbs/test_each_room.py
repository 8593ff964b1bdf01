"""Steps that are done for each room of some: which rooms, in which order, and what a step can say of them."""

from domain.facts.commands import Act
from domain.facts.events import MonsterPlaced, TokenPlaced, TokenRemoved, TraitChanged
from domain.queries.numbers import counter
from tests.support.table import Table, events, strewn

SEALS = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  counters:
    broken: {title: Broken, start: 0, max: 9, public: true}
  tokens:
    - {id: seal, title: Seal, text: It holds.}
    - {id: shard, title: Shard, text: It held.}
  monsters:
    moth: {title: Moth, speed: 3, might: 2}
  blocks:
    break: [{remove-token: {token: seal, at: that-room}}, {place-token: {token: shard, at: that-room}}]
  heroes:
    story: S
    goal: G
    actions:
      - {word: HATCH, do: [{each-room: {rooms: {with-token: seal}, do: [{place-monster: {kind: moth, at: that-room}}]}}]}
      - word: BREAK
        do:
          - each-room:
              rooms: {with-token: seal}
              do:
                - {run: break}
                - {gain: {trait: might}, who: {each: explorer, in: that-room}}
          - if: {token: shard}
            count: {counter: broken, by: 1}
      - word: TRY
        do:
          - each-room:
              rooms: {with-token: seal}
              do:
                - roll: {trait: might}
                  outcomes:
                    2+: [{remove-token: {token: seal, at: that-room}}]
                    0-1: []
      - word: SPREAD
        do:
          - each-room:
              rooms: {with-token: seal}
              do:
                - each-room:
                    rooms: {with-token: shard}
                    do: [{place-token: {token: shard, at: that-room}}]
                - {place-token: {token: shard, at: that-room}}
      - {word: CREEP, do: [{each-room: {rooms: {next-to-token: seal}, do: [{place-token: {token: seal, at: that-room}}]}}]}
  traitor-book: {story: S, goal: G}
"""


def sealed(*rooms: str) -> Table:
    """Seals in these rooms; all are in the Entrance Hall, and seat 0 has the turn."""
    return strewn(SEALS, "seal", *rooms)


def lying(table: Table, token: str) -> list[str]:
    """Where tokens of a name lie, as seat 2 sees it, one entry for each."""
    return sorted(here.room for here in table.view(2).tokens for _ in range(here.count) if here.token == token)


def test_a_step_is_done_once_in_each_room_that_fits_and_in_no_other() -> None:
    table = sealed("foyer", "upper-landing")
    told = table.act("haunt:heroes", "HATCH")
    assert [one.room for one in events(told, MonsterPlaced)] == ["foyer", "upper-landing"]
    assert {one.room for one in table.view(2).monsters.values()} == {"foyer", "upper-landing"}


def test_rooms_come_in_the_order_in_which_they_came_into_the_house() -> None:
    table = sealed()
    table.lay("chapel", "ground", 1, 1)
    table.lay("attic", "upper", 1, 0)
    for room in ("attic", "chapel", "upper-landing"):
        table.token("seal", room)
    told = table.act("haunt:heroes", "HATCH")
    assert [one.room for one in events(told, MonsterPlaced)] == ["upper-landing", "chapel", "attic"]


def test_several_steps_are_all_done_in_one_room_before_the_next() -> None:
    table = sealed("entrance-hall", "foyer")
    told = [one.event for one in table.act("haunt:heroes", "BREAK")]
    kinds = [type(one) for one in told if isinstance(one, TokenRemoved | TokenPlaced | TraitChanged)]
    assert kinds == [TokenRemoved, TokenPlaced, *[TraitChanged] * 3, TokenRemoved, TokenPlaced]
    assert (lying(table, "seal"), lying(table, "shard")) == ([], ["entrance-hall", "foyer"])


def test_whoever_acts_stays_who_they_are_and_where_they_are() -> None:
    table = sealed("foyer")
    table.act("haunt:heroes", "BREAK")
    assert counter(table.view(0), "broken") == 0, "the shard lies in the Foyer, and seat 0 is in the Entrance Hall"
    table = sealed("foyer", "entrance-hall")
    table.act("haunt:heroes", "BREAK")
    assert counter(table.view(0), "broken") == 1


def test_which_rooms_they_are_is_settled_before_the_first() -> None:
    table = sealed("grand-staircase")
    table.act("haunt:heroes", "CREEP")
    assert lying(table, "seal") == ["foyer", "grand-staircase"], "the seal that comes to the Foyer spreads no further"


def test_a_loop_waits_for_each_roll_and_goes_on_with_its_room() -> None:
    table = sealed("entrance-hall", "foyer", "upper-landing")
    dice = table.value(0, "might")
    table.fate.pending = True
    table.act("haunt:heroes", "TRY")
    for first in (2, 0, 2):
        table.moderate([first, *[0] * (dice - 1)])
    assert lying(table, "seal") == ["foyer"]


def test_a_loop_in_a_loop_leaves_the_outer_one_its_room() -> None:
    table = sealed("entrance-hall")
    table.token("shard", "foyer")
    told = table.act("haunt:heroes", "SPREAD")
    assert [one.room for one in events(told, TokenPlaced)] == ["foyer", "entrance-hall"]


def test_where_no_room_fits_nothing_can_be_done() -> None:
    table = sealed()
    offered = {one.word for one in table.offers(0, Act) if isinstance(one, Act)}
    assert "HATCH" not in offered
    with table.refuses("2E-TURN-002"):
        table.act("haunt:heroes", "HATCH")
