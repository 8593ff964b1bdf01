"""How a haunt of the third edition ends (rulebook 2022, Winning the Haunt, p. 16)."""

import pytest

from domain.facts.audience import REFEREE, SPECTATORS
from domain.facts.commands import EndTurn
from domain.facts.events import Disclosed, Fizzled, GameEnded, Told
from projections.books.book import book_of
from projections.sentences.history import sentence
from tests.support.packs import rules_with
from tests.support.table import Table, events, the
from tests.support.third import third
from tests.support.third_haunts import DUEL, HIDDEN, RIVALS, TOGETHER, begun, seen_by_all, table_in, view

VICTORY = """
  id: early-victory
  deck: event
  title: Early Victory
  text: You feel that you have won.
  do: [{win: {side: heroes, because: It is all over.}}]
"""


def endings(table: Table) -> set[str]:
    """What each role reads of closing texts."""
    seen = [*seen_by_all(table), view(table, SPECTATORS), view(table, REFEREE)]
    return {one.haunt.ending for one in seen if one.haunt is not None}


def ended(told: list[Told]) -> GameEnded:
    return the(told, GameEnded)


@pytest.mark.rule("3E-END-001", case=1)
def test_nothing_that_happens_before_the_haunt_ends_the_game() -> None:
    table = third(game=rules_with("third-edition", card=VICTORY))
    table.draw(0, "event", "early-victory")
    told = table.commits[-1]
    assert the(told, Fizzled).rule == "3E-END-001"
    assert events(told, GameEnded) == []
    assert (table.state.status, table.state.winner) == ("started", "")


@pytest.mark.rule("3E-END-002", case=1)
def test_the_heroes_win_as_soon_as_their_objective_is_reached_and_the_game_is_over() -> None:
    table = begun(TOGETHER)
    told = table.act("haunt:heroes", "PULL")
    assert (ended(told).winner, ended(told).rule) == ("heroes", "3E-END-002")
    for seat in range(3):
        assert table.offers(seat) == []
        with table.refuses(problem="decision-closed"):
            table.play(seat, EndTurn(decision=f"turn-{table.state.turn.number}"))


@pytest.mark.rule("3E-END-002", case=2)
def test_a_haunt_without_a_traitor_that_is_lost_has_no_winner() -> None:
    table = table_in(TOGETHER)
    table.die(0, 1, 2)
    told = table.commits[-1]
    assert (ended(told).winner, ended(told).because, ended(told).rule) == ("", "Nobody is left.", "3E-END-002")
    assert table.state.status == "finished"
    assert endings(table) == {""}
    assert "without a winner" in sentence(table.rules, ended(told), table.state)


@pytest.mark.rule("3E-END-002")
def test_when_both_objectives_are_reached_at_once_the_side_whose_turn_it_is_wins() -> None:
    both = DUEL.replace("{dead: traitor}", "{dead: any-explorer}").replace(
        "{count: {explorers: living-heroes}, at-most: 0}", "{dead: any-explorer}"
    )
    for active, winner in ((0, "heroes"), (1, "traitor")):
        table = table_in(both, traitor=1)
        table.turn(active)
        table.die(2)
        assert table.state.winner == winner


@pytest.mark.rule("3E-END-002")
def test_no_rule_decides_when_nobody_of_a_side_is_left_but_the_haunt_does() -> None:
    table = table_in(DUEL, traitor=1)
    table.die(0, 2)
    assert (table.state.winner, table.state.because) == ("traitor", "No hero is left.")
    silent = table_in(DUEL.replace("{count: {explorers: living-heroes}, at-most: 0}", "{round-at-least: 9}"), traitor=1)
    silent.die(0, 2)
    assert silent.state.status == "started", "the traitor still has to reach its objective"
    silent.die(1)
    assert (silent.state.status, silent.state.winner) == ("finished", "heroes")


@pytest.mark.rule("3E-END-002")
def test_a_game_ends_without_a_winner_when_nobody_is_left_to_play() -> None:
    for haunt, traitor in ((DUEL, 1), (HIDDEN, 1), (TOGETHER, -1), (RIVALS, -1)):
        never = haunt
        for goal in (
            "{dead: traitor}",
            "{count: {explorers: living-heroes}, at-most: 0}",
            "{count: {explorers: living}, at-most: 0}",
            "{any: [{counter: coins, at-least: 3}, {count: {explorers: living}, at-most: 1}]}",
        ):
            never = never.replace(goal, "{round-at-least: 99}")
        table = table_in(never, traitor=traitor)
        table.die(0, 1, 2)
        assert (table.state.status, table.state.winner, table.state.because) == ("finished", "", "Nobody is left.")


@pytest.mark.rule("3E-END-002")
def test_a_hidden_traitor_wins_when_the_heroes_have_lost_and_everybody_learns_who_it_was() -> None:
    table = table_in(HIDDEN, traitor=1)
    table.die(0, 2)
    told = table.commits[-1]
    assert (ended(told).winner, ended(told).because) == ("traitor", "The guest is alone.")
    assert the(told, Disclosed).traitor == 1
    assert endings(table) == {"You are at home here."}


@pytest.mark.rule("3E-END-002")
def test_the_last_of_a_free_for_all_wins_and_nobody_if_all_die() -> None:
    table = table_in(RIVALS)
    table.die(0, 2)
    assert table.state.winner == "seat:1"
    dead = table_in(RIVALS.replace(", {count: {explorers: living}, at-most: 1}]", "]"))
    dead.die(0, 1)
    assert dead.state.status == "started", "being the last wins only where the haunt says so"
    dead.die(2)
    assert (dead.state.winner, dead.state.because) == ("", "The boat drifts off.")
    assert endings(dead) == {""}


SINKING = RIVALS.replace(
    "    actions:\n",
    "    actions:\n      - {word: SINK, do: [{damage: {kind: physical, points: 20}, who: {each: explorer}}]}\n"
    "      - {word: TIP, do: [{damage: {kind: physical, points: 20}, who: {each: opponent}}]}\n",
)


@pytest.mark.rule("3E-END-002")
def test_nobody_wins_as_the_last_who_falls_by_the_same_effect() -> None:
    table = table_in(SINKING)
    table.act("haunt:traitor", "SINK")
    assert (table.state.winner, table.state.because) == ("", "The boat drifts off.")
    spared = table_in(SINKING)
    spared.act("haunt:traitor", "TIP")
    assert (spared.state.winner, spared.state.because) == ("seat:0", "One seat is taken.")


FIRE = "{damage: {kind: physical, points: 20}, who: {each: explorer}}"
BURNING = DUEL.replace(
    "  traitor-book:\n",
    f"    actions:\n      - {{word: BURN, do: [{FIRE}]}}\n  traitor-book:\n    actions:\n      - {{word: BURN, do: [{FIRE}]}}\n",
)


@pytest.mark.rule("3E-END-002")
@pytest.mark.parametrize("active, winner", [(0, "heroes"), (1, "traitor")])
def test_an_effect_that_kills_both_sides_is_judged_when_all_have_fallen(active: int, winner: str) -> None:
    table = table_in(BURNING, traitor=1)
    table.turn(active)
    table.act("haunt:" + ("traitor" if active else "heroes"), "BURN")
    assert not any(one.alive for one in table.state.explorers)
    assert table.state.winner == winner


@pytest.mark.rule("3E-END-002")
def test_of_two_effects_of_one_moment_the_first_decides() -> None:
    burn = "{damage: {kind: physical, points: 20}, who: %s}"
    for first, second, winner in (("traitor", "{each: hero}", "heroes"), ("{each: hero}", "traitor", "traitor")):
        dawn = (
            f"    'on': [{{when: turn-started, do: [{burn % first}]}}, {{when: turn-started, do: [{burn % second}]}}]\n"
        )
        table = table_in(DUEL.replace("  traitor-book:\n", dawn + "  traitor-book:\n"), traitor=1)
        table.end_turn()
        assert table.state.winner == winner


@pytest.mark.rule("3E-END-003", case=1)
def test_the_winners_closing_text_is_read_to_all_and_not_before() -> None:
    for haunt, traitor, dead, text in (
        (DUEL, 1, (1,), "You bury what you can."),
        (DUEL, 1, (0, 2), "You have the house to yourself."),
        (HIDDEN, 1, (1,), "It was the guest."),
        (RIVALS, -1, (0, 1), "You row."),
    ):
        table = table_in(haunt, traitor=traitor)
        for who in table.roles:
            assert text not in repr(view(table, who))
            book = book_of(table.rules, table.roles[who], who)
            assert book is None or text not in repr(book)
        table.die(*dead)
        assert endings(table) == {text}


def test_the_haunt_that_begins_by_a_roll_can_be_played_to_its_end() -> None:
    table = begun(DUEL)
    assert table.state.haunt is not None
    table.die(table.state.haunt.traitor)
    assert table.state.winner == "heroes"
