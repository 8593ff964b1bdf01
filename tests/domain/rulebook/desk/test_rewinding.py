"""Play goes on from an earlier commit: what is restored, and what never goes back."""

import msgspec

from domain.facts.audience import REFEREE, Mask
from domain.facts.events import Rewound, Told
from domain.facts.state import State
from tests.support.table import Table

Known = dict[Mask, State]
"""What each principal knew at some commit."""


def copied(state: State) -> State:
    return msgspec.json.decode(msgspec.json.encode(state), type=State)


def known(table: Table) -> Known:
    """What everybody knows now."""
    return {mask: copied(role) for mask, role in table.roles.items()}


def rewind(table: Table, then: Known) -> list[Told]:
    """Back to that commit, told to each principal and read back from the bytes of a log; the referee's is the engine's too."""
    told = [Told(mask, Rewound(to=state.commit, state=state)) for mask, state in then.items()]
    told = msgspec.json.decode(msgspec.json.encode(told), type=list[Told])
    for one in told:
        if one.to == REFEREE:
            one.event.apply(table.state)
    return table.commit(told)


def played_on() -> tuple[Table, Known]:
    """Seat 0 has found the Bloody Room with an item in it, come back and offered its axe to seat 1; and what was known before."""
    table = Table()
    table.hold(0, "axe")
    table.stack("tiles", "bloody-room")
    table.turn(0)
    then = known(table)
    table.picks("bottle").explore("east")
    table.put(0, "entrance-hall")
    table.trade(1, ["axe"])
    return table, then


def test_house_hands_and_questions_are_for_everybody_as_they_were() -> None:
    table, then = played_on()
    assert table.is_asked(1)

    rewind(table, then)

    for role in (table.state, *table.roles.values()):
        assert "bloody-room" not in role.rooms
        assert role.explorers[0].cards == ["axe"]
        assert role.open == {}
        assert "bottle" in role.decks["item"].pool


def test_what_was_played_since_does_not_linger_in_a_role() -> None:
    table, then = played_on()

    rewind(table, then)

    for mask, role in table.roles.items():
        before, now = then[mask], copied(role)
        now.commit, now.chances, now.asked = before.commit, before.chances, before.asked
        assert now == before


def test_commits_are_numbered_on() -> None:
    table, then = played_on()
    last = len(table.commits)

    rewind(table, then)

    assert {role.commit for role in table.roles.values()} == {last + 1}


def test_chance_that_was_spent_stays_spent_and_no_decision_gets_an_old_id() -> None:
    table, then = played_on()
    spent, offered = table.state.chances, table.asked(1).id
    assert spent > then[REFEREE].chances

    rewind(table, then)

    table.trade(1, ["axe"])
    assert table.asked(1).id != offered
    table.choose(1, "no")
    table.fate.asked.clear()
    table.explore("east")
    assert table.state.chances > spent
    assert [one.index for one in table.fate.asked] == list(range(spent, table.state.chances))


def test_a_fold_that_begins_with_it_has_the_counts_of_the_restored_state() -> None:
    table, _ = played_on()
    table.choose(1, "no")
    later = copied(table.state)
    early = State()

    Rewound(to=1, state=later).apply(early)

    assert (early.chances, early.asked) == (later.chances, later.asked)


def test_play_goes_on_from_there_and_leaves_the_event_as_it_was_told() -> None:
    table, then = played_on()
    told = rewind(table, then)
    stored = msgspec.json.encode(told)

    table.move("foyer", "grand-staircase")
    table.end_turn()

    assert table.explorer(0).room == "grand-staircase"
    assert table.seat == 1
    assert msgspec.json.encode(told) == stored


def test_play_goes_back_to_a_commit_at_which_somebody_was_asked() -> None:
    table, _ = played_on()
    then = known(table)
    table.choose(1, "yes")
    assert table.explorer(1).cards == ["axe"]

    rewind(table, then)

    assert table.explorer(1).cards == []
    table.choose(1, "yes")
    assert table.explorer(1).cards == ["axe"]
