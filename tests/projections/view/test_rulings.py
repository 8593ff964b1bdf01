"""Rulings of the table as roles see them."""

from domain.facts.audience import REFEREE, SPECTATORS, seat_bit
from domain.facts.commands import Choose, FlipCoin, ProposeRuling
from domain.facts.state import MODERATOR
from projections.choices.decisions import decisions_of
from projections.naming.labels import Labels
from projections.view.game import view_of
from tests.support.table import Table

TEXT = "A dropped candle goes out."


def proposed(by: int = 1) -> Table:
    table = Table()
    table.play(by, ProposeRuling(decision="table", text=TEXT))
    return table


def test_the_others_are_asked_beside_their_turn_and_the_game_does_not_wait() -> None:
    table = proposed()
    seen = decisions_of(table.rules, table.view(0), seat_bit(0))
    assert [(one.id, one.kind) for one in seen.yours] == [("ruling-1", "consent"), (table.now, "turn")]
    asked = seen.yours[0]
    assert asked.text == f"Zoe Ingstrom proposes a ruling: {TEXT}"
    assert (asked.count, asked.families) == (2, [])
    assert [(one.label, one.command) for one in asked.commands] == [
        ("Agree", Choose(decision="ruling-1", option="agree")),
        ("Refuse", Choose(decision="ruling-1", option="refuse")),
    ]
    assert [one.decision for one in seen.waiting] == [table.now]


def test_whoever_proposed_is_offered_to_withdraw() -> None:
    table = proposed(by=MODERATOR)
    (own,) = decisions_of(table.rules, table.roles[REFEREE], REFEREE).yours
    assert own.text == f"All are asked to agree to your ruling: {TEXT}"
    assert [one.label for one in own.commands] == ["Withdraw"]
    (asked,) = decisions_of(table.rules, table.view(2), seat_bit(2)).yours
    assert asked.text == f"The referee proposes a ruling: {TEXT}"


def test_everybody_sees_what_is_proposed_and_who_has_not_answered() -> None:
    table = proposed()
    table.play(2, Choose(decision="ruling-1", option="agree"))
    for mask in (*(seat_bit(seat) for seat in range(3)), SPECTATORS, REFEREE):
        seen = view_of(table.rules, table.roles[mask], mask).rulings.proposed
        assert seen is not None
        assert (seen.number, seen.text, seen.by, seen.awaited) == (1, TEXT, 1, [0])
    assert decisions_of(table.rules, table.roles[SPECTATORS], SPECTATORS).yours == []


def test_rulings_and_coins_are_not_listed_but_have_labels() -> None:
    table = Table()
    commands = [one.command for own in decisions_of(table.rules, table.view(0), 1).yours for one in own.commands]
    assert not [one for one in commands if isinstance(one, ProposeRuling | FlipCoin)]
    labels = Labels(table.rules, table.view(0))
    assert labels.of(FlipCoin(decision="table", options=["it burns", "it goes out"])) == (
        "Flip a coin: it burns or it goes out"
    )
    assert labels.of(ProposeRuling(decision="table", text=TEXT)) == f"Propose the ruling: {TEXT}"


def test_a_moderator_is_asked_for_the_side_of_the_coin() -> None:
    table = Table()
    table.fate.pending = True
    table.play(0, FlipCoin(decision="table", options=["yes", "no"]))
    (asked,) = decisions_of(table.rules, table.roles[REFEREE], REFEREE).yours
    assert asked.text == "Flip a coin"
    assert [one.label for one in asked.commands] == ["Heads", "Tails"]
