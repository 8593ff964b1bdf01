"""Taking back: what may be, what may not any more, and that nobody has learned anything by it."""

from domain.facts.audience import EVERYBODY, SPECTATORS, seat_bit
from domain.facts.commands import Explore, ProposeRuling
from domain.facts.events import EVENT_TYPES, CardPicked, Moved, Rewound, TakenBack, Told
from domain.facts.events.base import CHANCE, HIDDEN, NOTHING
from domain.facts.state import MODERATOR
from domain.past import Passed
from domain.rulebook.desk.taking_back import offered
from tests.support.desk import Desk
from tests.support.gaps import place, report
from tests.support.packs import rules_with
from tests.support.table import the


def moved() -> tuple[Desk, int]:
    """Seat 0 has walked two rooms on."""
    table = Desk()
    before = table.now_at
    table.move("foyer", "grand-staircase")
    return table, before


def test_a_seat_takes_back_its_latest_step_or_all_of_them() -> None:
    table, before = moved()
    assert table.offered(0) == [before + 1, before]

    told = table.take_back(0, before + 1)
    assert the(told, TakenBack).last == before + 2
    assert table.explorer(0).room == "foyer"
    assert table.offered(0) == [before]
    table.take_back(0, before)

    assert table.explorer(0).room == "entrance-hall"
    assert table.offered(0) == []


def test_nobody_takes_back_what_another_did() -> None:
    table, before = moved()
    assert table.offered(1) == []
    with table.refuses(problem="take-back-closed"):
        table.take_back(1, before)


def test_a_referee_takes_nothing_back() -> None:
    """It rules on disputes."""
    table, before = moved()
    assert table.offered(MODERATOR) == []
    with table.refuses(problem="take-back-closed"):
        table.take_back(MODERATOR, before)


def test_the_end_of_a_turn_is_taken_back_until_the_next_player_acts() -> None:
    table, before = moved()
    table.end_turn()
    table.take_back(0, before + 2)
    assert table.seat == 0
    table.end_turn()

    table.move("foyer")

    assert table.offered(0) == []
    with table.refuses(problem="take-back-closed"):
        table.take_back(0, before + 2)


def doors(table: Desk) -> list[str]:
    """Doorways that seat 0 may explore."""
    return [one.door for one in table.offers(0) if isinstance(one, Explore)]


def test_what_chance_has_answered_stands_and_all_before_it() -> None:
    table = Desk()
    table.stack("tiles", "bloody-room")
    table.turn(0)
    before = table.now_at
    table.move("foyer", "entrance-hall")
    table.picks("bottle").explore("east")

    assert table.offered(0) == []
    with table.refuses(problem="take-back-closed"):
        table.take_back(0, before)


LITTER = """
  id: h
  title: Litter
  stage: draft
  kind: one-traitor
  traitor: {revealer: true}
  story: S
  heroes: {story: S, goal: G, actions: [{word: DROP, do: [{lose-card: {kind: item, how: random, to: floor}}]}]}
  traitor-book: {story: S, goal: G}
"""


def test_a_card_that_chance_has_picked_stays_picked() -> None:
    table = Desk(game=rules_with(haunt=LITTER))
    table.haunt("h", traitor=1)
    table.hold(0, "axe", "bell")
    before = table.now_at
    table.picks("axe")
    assert the(table.act("haunt:heroes", "DROP"), CardPicked).card == "axe"

    assert table.offered(0) == []
    with table.refuses(problem="take-back-closed"):
        table.take_back(0, before)


def test_the_only_card_that_could_be_lost_is_no_matter_of_chance() -> None:
    table = Desk(game=rules_with(haunt=LITTER))
    table.haunt("h", traitor=1)
    table.hold(0, "axe")
    before = table.now_at
    table.act("haunt:heroes", "DROP")
    table.take_back(0, before)
    assert table.explorer(0).cards == ["axe"]


def test_a_request_of_chance_that_waits_stands_too() -> None:
    table = Desk()
    table.hold(0, "axe")
    table.turn(0)
    before = table.now_at
    table.fate.pending = True
    table.explore(doors(table)[0])
    assert table.offered(0) == []
    with table.refuses(problem="take-back-closed"):
        table.take_back(0, before)


def test_an_offer_is_taken_back_while_nobody_has_answered_it() -> None:
    table = Desk()
    table.hold(0, "axe")
    table.turn(0)
    before = table.now_at
    table.trade(1, ["axe"])

    table.take_back(0, before)

    assert not table.is_asked(1)
    table.swap(1, ["axe"])
    assert table.offered(0) == []


def test_talk_at_the_table_is_in_nobodys_way_and_stays() -> None:
    table, before = moved()
    table.do(2, ProposeRuling(decision="table", text="Doors squeak."))
    table.dispute(1)

    table.take_back(0, before)

    assert table.explorer(0).room == "entrance-hall"
    assert table.state.rulings is not None
    assert table.state.rulings.proposed is not None
    assert table.state.desk is not None
    assert len(table.state.desk.open()) == 1


def test_a_game_may_be_opened_without() -> None:
    table = Desk(options={"take_back": False})
    before = table.now_at
    table.move("foyer")
    with table.refuses(problem="take-back-closed"):
        table.take_back(0, before)


def test_a_turn_has_room_for_twelve_even_if_it_ends_again_and_again() -> None:
    table = Desk()
    for _ in range(12):
        table.end_turn()
        table.take_back(0, table.offered(0)[0])
    table.end_turn()
    with table.refuses(problem="take-back-closed"):
        table.take_back(0, table.offered(0)[0])


def test_everybody_is_told_and_back_where_they_were() -> None:
    table, before = moved()
    told = table.take_back(0, before)
    for mask in (seat_bit(1), SPECTATORS):
        assert sum(isinstance(one.event, Rewound) for one in told if one.to & mask) == 1
    assert {state.commit for state in table.roles.values()} == {table.now_at}


def test_every_type_of_event_says_what_it_informs_of() -> None:
    report(
        f"{kind.__name__} ({place(kind)}) does not say what it informs of: write `informs: ClassVar[Informs] = NOTHING` "
        "into its class, or CHANCE or HIDDEN (domain/facts/events/base.py says which)."
        for kind in EVENT_TYPES
        if vars(kind).get("informs") not in (NOTHING, CHANCE, HIDDEN)
    )


def test_a_commit_of_another_of_which_nothing_is_told_stands_in_the_way() -> None:
    walked = Passed(5, 2, [Told(EVERYBODY, Moved(figure=2, room="foyer", spent=1))])
    hidden = Passed(6, 1, [])
    assert list(offered([walked], 2)) == [4]
    assert list(offered([walked, hidden], 2)) == []
