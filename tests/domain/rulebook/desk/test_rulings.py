"""Where no rule answers: the table agrees on something, or flips a coin (rulebook: What If There Isn't a Rule for That?)."""

import msgspec
import pytest

from domain.facts.audience import REFEREE, SPECTATORS
from domain.facts.commands import Allocate, AnswerChance, Choose, FlipCoin, Move, ProposeRuling
from domain.facts.events import (
    CoinCalled,
    CoinFlipped,
    GameEnded,
    Rewound,
    RulingAgreed,
    RulingConsented,
    RulingProposed,
    RulingRefused,
    RulingWithdrawn,
    Told,
)
from domain.facts.state import MODERATOR, State
from projections.view.desk import RulingsView, rulings_of
from tests.support.table import FOUR, Table, events, the
from tests.support.third import third

TEXT = "A dropped candle goes out."


def propose(table: Table, by: int = 1, text: str = TEXT) -> list[Told]:
    return table.play(by, ProposeRuling(decision="table", text=text))


def answer(table: Table, seat: int, option: str, number: int = 1) -> list[Told]:
    return table.play(seat, Choose(decision=f"ruling-{number}", option=option))


def flip(table: Table, *options: str, by: int = 2) -> list[Told]:
    return table.play(by, FlipCoin(decision="table", options=list(options)))


def shown(table: Table, mask: int = SPECTATORS) -> RulingsView:
    return rulings_of(table.roles[mask])


# -- rulings ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-NORULE-001", case=1)
def test_a_ruling_is_recorded_with_its_text_and_the_consent_of_all() -> None:
    table = Table(FOUR)
    told = propose(table, by=1)
    assert the(told, RulingProposed).asked == [0, 2, 3]
    for seat in (3, 0):
        assert not events(answer(table, seat, "agree"), RulingAgreed)

    told = answer(table, 2, "agree")

    agreed = the(told, RulingAgreed)
    assert (agreed.text, agreed.by, agreed.rule) == (TEXT, 1, "2E-NORULE-001")
    consents = [one.seat for commit in table.commits for one in events(commit, RulingConsented)]
    assert consents == [3, 0, 2]
    for mask in (1, 2, 4, 8, SPECTATORS, REFEREE):
        view = shown(table, mask)
        assert [(one.number, one.text, one.by) for one in view.agreed] == [(1, TEXT, 1)]
        assert view.proposed is None


@pytest.mark.rule("3E-META-001", case=1)
def test_in_the_third_edition_a_ruling_is_recorded_and_later_views_show_it() -> None:
    table = third()
    propose(table, by=0)
    answer(table, 1, "agree")
    answer(table, 2, "agree")
    table.end_turn()
    assert [one.text for one in shown(table).agreed] == [TEXT]


def test_all_others_are_asked_and_the_proposer_may_withdraw() -> None:
    table = Table()
    propose(table, by=1)

    assert table.offers(0, Choose) == [Choose(decision="ruling-1", option=one) for one in ("agree", "refuse")]
    assert table.offers(1) == [Choose(decision="ruling-1", option="withdraw")]
    assert the(answer(table, 1, "withdraw"), RulingWithdrawn).by == 1
    assert shown(table).proposed is None
    with table.refuses(problem="decision-closed"):
        answer(table, 0, "agree")


def test_whoever_has_agreed_is_asked_no_more() -> None:
    table = Table()
    propose(table, by=1)
    answer(table, 0, "agree")
    assert not table.offers(0, Choose)
    with table.refuses(problem="not-your-decision"):
        answer(table, 0, "refuse")
    proposed = shown(table).proposed
    assert proposed is not None
    assert (proposed.awaited, proposed.decision) == ([2], "ruling-1")


def test_one_who_does_not_agree_ends_it() -> None:
    table = Table(FOUR)
    propose(table, by=1)
    answer(table, 0, "agree")
    told = answer(table, 3, "refuse")
    assert the(told, RulingRefused).seat == 3
    assert shown(table) == RulingsView(agreed=[], proposed=None)
    assert the(propose(table, by=0, text="Another."), RulingProposed).number == 2


def test_the_player_of_a_dead_explorer_is_asked_too() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=0)
    table.die(2)
    assert the(propose(table, by=1), RulingProposed).asked == [0, 2]
    assert len(table.offers(2, Choose)) == 2


def test_the_referee_may_propose_and_then_everybody_is_asked() -> None:
    table = Table()
    assert the(propose(table, by=MODERATOR), RulingProposed).asked == [0, 1, 2]
    proposed = shown(table).proposed
    assert proposed is not None
    assert proposed.by is None
    answer(table, MODERATOR, "withdraw")
    assert shown(table).proposed is None


def test_a_turn_goes_on_while_a_ruling_waits() -> None:
    table = Table()
    propose(table, by=2)
    assert Move(decision=table.now, to="foyer") in table.offers(0)
    table.move("foyer")
    table.end_turn()
    answer(table, 0, "agree")
    assert the(answer(table, 1, "agree"), RulingAgreed).text == TEXT


def test_a_ruling_is_settled_while_somebody_is_asked_something() -> None:
    table = Table()
    table.lay("furnace-room", "basement", 0, 1)
    table.put(0, "furnace-room")
    table.turn(0)
    table.rolls([2]).end_turn()
    asked = dict(table.state.open)
    propose(table, by=0)
    answer(table, 1, "agree")
    answer(table, 2, "agree")
    assert table.state.open == asked
    table.allocate(0, might=1)
    assert [one.number for one in shown(table).agreed] == [1]


def test_one_ruling_is_proposed_at_a_time() -> None:
    table = Table()
    propose(table, by=1)
    with table.refuses(problem="ruling-open"):
        propose(table, by=2)


def test_a_consent_takes_one_of_its_options_and_nothing_else() -> None:
    table = Table()
    propose(table, by=1)
    with table.refuses("2E-NORULE-001", problem="not-an-option"):
        answer(table, 0, "withdraw")
    with table.refuses("2E-NORULE-001", problem="not-an-option"):
        answer(table, 1, "agree")
    with table.refuses(problem="not-your-decision"):
        answer(table, MODERATOR, "agree")
    with table.refuses("2E-NORULE-001", problem="wrong-answer-kind"):
        table.play(0, Allocate(decision="ruling-1", points={"might": 1}))
    with table.refuses(problem="decision-closed"):
        answer(table, 0, "agree", number=2)


def test_nobody_proposes_by_another_decision_or_when_the_game_is_over() -> None:
    table = Table()
    for decision in (table.now, "ruling-1", "d1"):
        with table.refuses(problem="decision-closed"):
            table.play(0, ProposeRuling(decision=decision, text=TEXT))
    propose(table)
    table.happen(GameEnded(winner="", because="enough"))
    assert shown(table).proposed is None
    with table.refuses(problem="game-over"):
        propose(table)


def test_a_turn_has_room_for_so_many_rulings_and_coins_and_the_next_for_more() -> None:
    table = Table()
    for number in range(1, 7):
        propose(table, by=1)
        answer(table, 1, "withdraw", number=number)
        flip(table, "yes", "no")
    with table.refuses(problem="table-limit"):
        propose(table, by=0)
    with table.refuses(problem="table-limit"):
        flip(table, "yes", "no")
    table.end_turn()
    assert the(propose(table), RulingProposed).number == 7


def test_a_rewind_takes_no_ruling_back() -> None:
    table = Table()
    before = msgspec.json.decode(msgspec.json.encode(table.state), type=State)
    propose(table, by=1)
    answer(table, 0, "agree")
    answer(table, 2, "agree")
    table.move("foyer")
    table.happen(Rewound(to=5, state=before))
    assert table.explorer(0).room == "entrance-hall"
    assert [one.text for one in shown(table).agreed] == [TEXT]


# -- coins --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-NORULE-002", case=1)
@pytest.mark.parametrize("face,chosen", [("heads", "It burns."), ("tails", "It goes out.")])
def test_a_coin_decides_between_two_options_with_equal_chance(face: str, chosen: str) -> None:
    table = Table()

    told = table.picks(face).play(2, FlipCoin(decision="table", options=["It burns.", "It goes out."]))

    request = table.fate.asked[-1]
    assert (request.what, request.options, request.weights) == ("coin", ("heads", "tails"), ())
    called, fell = the(told, CoinCalled), the(told, CoinFlipped)
    assert (called.by, called.heads, called.tails) == (2, "It burns.", "It goes out.")
    assert (fell.face, fell.chosen) == (face, chosen)
    assert all(one.to & role for one in told if isinstance(one.event, CoinCalled | CoinFlipped) for role in table.roles)


def test_a_coin_is_flipped_while_somebody_is_asked_and_nothing_is_lost() -> None:
    table = Table()
    table.lay("furnace-room", "basement", 0, 1)
    table.put(0, "furnace-room")
    table.turn(0)
    table.rolls([2]).end_turn()
    open_, frames = dict(table.state.open), list(table.state.frames)
    flip(table, "yes", "no", by=1)
    assert (table.state.open, table.state.frames) == (open_, frames)
    table.allocate(0, might=1)
    assert table.seat == 1


def test_a_moderator_flips_the_real_coin_and_the_game_waits_for_it() -> None:
    table = Table()
    table.fate.pending = True
    told = flip(table, "yes", "no", by=1)
    assert the(told, CoinCalled).heads == "yes", "what the sides mean is known before"
    assert table.asked(MODERATOR).options == ["heads", "tails"]
    with table.refuses(problem="chance-open"):
        flip(table, "yes", "no", by=1)
    told = table.moderate(pick="tails")
    assert the(told, CoinFlipped).chosen == "no"
    table.move("foyer")


def test_players_with_real_dice_say_how_the_coin_fell_and_another_confirms_it() -> None:
    table = Table(source="table")
    table.play(0, AnswerChance(decision=table.asked(0).id, pick=table.asked(0).options[0]))
    with table.refuses(problem="chance-open"):
        flip(table, "yes", "no")
    table.choose(1, "yes")

    flip(table, "yes", "no", by=2)
    table.play(0, AnswerChance(decision=table.asked(0).id, pick="heads"))
    with table.refuses(problem="chance-open"):
        flip(table, "yes", "no")

    assert the(table.choose(1, "yes"), CoinFlipped).chosen == "yes"


def test_two_sides_of_a_coin_are_different() -> None:
    table = Table()
    with table.refuses("2E-NORULE-002", problem="not-an-option"):
        flip(table, "yes", "yes")
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "flip-coin", "decision": "table", "options": ["yes"]}, FlipCoin)


@pytest.mark.parametrize("text", ["", "  ", "two\nlines", "x" * 501])
def test_a_ruling_is_a_line_of_at_most_500_characters(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "propose-ruling", "decision": "table", "text": text}, ProposeRuling)
