"""A traitor dealt in secret: who knows, who may reveal, what it escapes (rulebook: Hidden Traitors)."""

import pytest

from domain.audience import REFEREE, SPECTATORS
from domain.commands import AnswerChance, Attack, Choose, Reveal
from domain.events import (
    ChanceAnswered,
    Declined,
    DiceRolled,
    ExplorerAttacked,
    ExplorerFreed,
    HarmIgnored,
    SideTold,
    TextTold,
    Told,
    TurnStarted,
)
from domain.refusal import Refused
from tests.support.packs import rules_with
from tests.support.table import FIVE, FOUR, Table, events, heard, the

GUEST = "the-hollow-guest"


def dealt(explorers: tuple[str, ...] = FOUR, *, traitor: int = 1, revealer: int = 2) -> Table:
    """A haunt with a hidden traitor begins: an omen, the haunt roll, the tokens dealt."""
    table = Table(explorers, first=revealer, options={"haunt": GUEST})
    table.stack("tiles", "charred-room")
    table.stack("omen", "skull")
    table.explore("east")
    table.picks(f"seat:{traitor}").rolls([0] * 6).end_turn()
    return table


def secret(traitor: int = 1) -> Table:
    """The haunt is on, nobody is revealed, and it is the turn of seat 0."""
    table = Table(FOUR)
    table.haunt(GUEST, traitor=traitor)
    return table


@pytest.mark.rule("2E-HID-001")
def test_tokens_are_dealt_one_each_and_everybody_sees_only_the_own() -> None:
    table = dealt(FIVE)

    for seat in range(5):
        sides = [one.side for one in table.view(seat).explorers]
        assert [bool(side) for side in sides] == [other == seat for other in range(5)]
    assert not any(one.side for one in table.roles[SPECTATORS].explorers)


@pytest.mark.rule("2E-HID-002", asserts=True)
def test_the_holder_of_number_one_is_the_traitor_and_nobody_else_knows() -> None:
    table = dealt(traitor=1)

    known = {mask: role.haunt.traitor for mask, role in table.roles.items() if role.haunt is not None}
    assert known == {1: -1, 2: 1, 4: -1, 8: -1, SPECTATORS: -1, REFEREE: 1}


@pytest.mark.rule("2E-HID-003")
def test_play_goes_on_clockwise_from_the_revealers_left() -> None:
    """Seats A B C D, revealer C: D, A, B, C."""
    table = dealt(revealer=2)
    table.all_ready()

    order = [table.seat]
    for _ in range(4):
        table.end_turn()
        order.append(table.seat)
    assert order == [3, 0, 1, 2, 3]


def test_the_order_stays_when_the_traitor_is_revealed() -> None:
    table = secret()
    table.reveal(1)
    assert the(table.end_turn(), TurnStarted).seat == 1


@pytest.mark.rule("2E-HID-004", asserts=True)
def test_everybody_reads_one_text() -> None:
    table = Table(FOUR, first=2, options={"haunt": GUEST})
    table.stack("tiles", "charred-room")
    table.stack("omen", "skull")
    table.explore("east")
    told = table.picks("seat:1").rolls([0] * 6).end_turn()
    for seat in range(4):
        assert [one.text for one in events(heard(told, seat), TextTold)] == ["story", "heroes.book"]


@pytest.mark.rule("2E-HID-005")
def test_the_traitor_reveals_in_another_players_turn() -> None:
    table = secret(traitor=1)
    assert table.offers(1) == [Reveal(decision="reveal")]

    table.reveal(1)

    for role in table.roles.values():
        assert [one.side for one in role.explorers] == ["heroes", "traitor", "heroes", "heroes"]


@pytest.mark.rule("2E-HID-008")
def test_nobody_else_turns_up_a_token() -> None:
    table = secret(traitor=1)
    for seat in (0, 2, 3):
        assert Reveal(decision="reveal") not in table.offers(seat)
        with table.refuses("2E-HID-008"):
            table.reveal(seat)


def in_the_furnace(seat: int, *, traitor: int) -> Table:
    """A turn is about to end in the Furnace Room, which hurts."""
    table = Table(FOUR)
    table.lay("furnace-room", "basement", 0, 1)
    table.put(seat, "furnace-room")
    table.haunt(GUEST, traitor=traitor)
    table.turn(seat)
    table.end_turn()
    return table


@pytest.mark.rule("2E-HID-006")
def test_the_traitor_reveals_before_harm_and_escapes_it() -> None:
    table = in_the_furnace(1, traitor=1)
    assert table.view(1).open[table.asked(1).id].options == ["pass", "reveal"]

    told = table.choose(1, "reveal")

    assert the(told, HarmIgnored).figure == 1
    assert events(told, SideTold)[0].revealed


def test_the_traitor_may_pass_and_take_the_harm() -> None:
    table = in_the_furnace(1, traitor=1)
    table.choose(1, "pass")
    assert table.asked(1).kind == "allocation"
    assert not table.explorer(1).revealed


def test_an_innocent_is_asked_alike_and_has_nothing_to_reveal() -> None:
    guilty, innocent = in_the_furnace(1, traitor=1), in_the_furnace(1, traitor=2)
    for watcher in (0, 3):
        assert guilty.view(watcher) == innocent.view(watcher)
    assert innocent.view(1).open[innocent.asked(1).id].options == ["pass"]
    with innocent.refuses(problem="not-an-option"):
        innocent.choose(1, "reveal")


@pytest.mark.rule("2E-TPOW-005", "2E-HID-006")
def test_the_traitor_reveals_to_be_spared_an_event() -> None:
    table = secret(traitor=0)
    table.stack("tiles", "gardens")
    table.stack("event", "debris")
    table.explore("east")

    told = table.play(0, Choose(decision=table.asked(0).id, option="reveal"))

    assert the(told, Declined).seat == 0
    assert table.explorer(0).held is None


@pytest.mark.rule("2E-HID-007")
def test_a_death_turns_the_token_up() -> None:
    table = secret(traitor=1)
    table.die(3)
    for role in table.roles.values():
        assert (role.explorers[3].side, role.explorers[3].revealed) == ("heroes", True)


@pytest.mark.rule("2E-HID-009")
def test_everybody_may_attack_everybody() -> None:
    table = secret(traitor=1)
    assert {one.target for one in table.offers(0) if isinstance(one, Attack)} == {1, 2, 3}

    told = table.rolls([0] * 5, [0] * 4).attack(2)

    assert the(told, ExplorerAttacked).target == 2


def test_unrevealed_explorers_do_not_slow_each_other() -> None:
    table = secret(traitor=1)
    table.move("foyer")
    table.put(1, "foyer")
    table.put(2, "foyer")
    table.move("entrance-hall")
    assert table.explorer(0).spent == 2


@pytest.mark.rule("2E-TPOW-001")
def test_revealing_frees_from_what_holds_the_traitor_back() -> None:
    table = Table(FOUR)
    table.stack("tiles", "gardens")
    table.stack("event", "webs")
    table.rolls([0, 0, 0, 1, 1]).explore("east")
    table.haunt(GUEST, traitor=0)
    assert table.explorer(0).held is not None

    told = table.reveal(0)

    assert the(told, ExplorerFreed).seat == 0


def test_revealing_answers_no_other_decision() -> None:
    table = secret()
    for seat in range(table.state.seats):
        with pytest.raises(Refused) as refusal:
            table.play(seat, Reveal(decision="d1"))
        assert refusal.value.problem == "decision-closed", "the same for everyone, so that it tells nobody"


RISING = """
  id: rising
  title: Rising
  stage: draft
  kind: hidden-traitor
  story: S
  heroes: {story: S, goal: G}
  traitor-book: {story: S, goal: G}
  revealed:
    - {roll: {dice: 1}, outcomes: {0+: []}}
    - {roll: {dice: 2}, outcomes: {0+: []}}
"""


def answer(table: Table, decision: str, *faces: int) -> list[Told]:
    """Whoever is asked by this decision says what the dice show; where a neighbor has to confirm it, it does."""
    told = table.play(table.state.open[decision].seat, AnswerChance(decision=decision, faces=list(faces)))
    witness = table.state.open.get(f"w{decision[1:]}")
    return told if witness is None else table.play(witness.seat, Choose(decision=witness.id, option="yes"))


@pytest.mark.parametrize("source", ["moderator", "table"])
def test_what_a_reveal_rolls_while_dice_are_awaited_is_asked_apart(source: str) -> None:
    table = Table(FOUR, game=rules_with(haunt=RISING))
    table.haunt("rising", traitor=1)
    table.state.source = source
    table.fate.pending = True
    table.attack(2)
    (awaited,) = table.state.open

    table.reveal(1)
    (first,) = set(table.state.open) - {awaited}
    answer(table, first, 1)
    (second,) = set(table.state.open) - {awaited}
    told = answer(table, second, 2, 2)

    assert len({awaited, first, second}) == 3
    assert the(told, DiceRolled).faces == [2, 2]
    assert list(table.state.open) == [awaited]
    answer(table, awaited, *[0] * table.state.open[awaited].total)
    assert set(table.state.open).isdisjoint({awaited, first, second})
    numbers = [one.index for told in table.commits for one in events(told, ChanceAnswered)]
    assert numbers == list(range(len(numbers)))


@pytest.mark.parametrize("source", ["moderator", "table"])
def test_dice_answered_while_a_reveal_rolls_count_when_their_turn_comes(source: str) -> None:
    table = Table(FOUR, game=rules_with(haunt=RISING))
    table.haunt("rising", traitor=1)
    table.state.source = source
    table.fate.pending = True
    table.attack(2)
    (awaited,) = table.state.open
    table.reveal(1)
    (first,) = set(table.state.open) - {awaited}

    asked = table.state.open[awaited]
    table.play(asked.seat, AnswerChance(decision=awaited, faces=[1] * asked.total))
    assert list(table.state.open) == [first], "the reveal goes before"
    answer(table, first, 1)
    (second,) = table.state.open
    assert second not in (awaited, first)
    answer(table, second, 2, 2)

    assert set(table.state.open).isdisjoint({awaited, first, second})
