"""Labels say what a choice leads to that nobody takes back."""

from __future__ import annotations

import pytest

from domain.facts.commands import Act
from domain.rulebook.turn.options import answers
from projections.naming.consequences import of_action
from projections.naming.labels import Labels
from tests.support.packs import heroes_may, rules, rules_with
from tests.support.table import Table


@pytest.mark.parametrize(
    "does,words",
    [
        ("[{kill: you}]", " (deadly)"),
        ("[{stop: turn}]", " (ends your turn)"),
        ("[{stop: moving}]", " (ends your movement)"),
        ("[{escape: you}]", " (you leave the house for good)"),
        ("[{kill: target}]", " (deadly for the target)"),
        ("[{if: {alone: true}, kill: you}]", " (may be deadly)"),
        ("[{may: 'End it?', stop: turn}]", " (may end your turn)"),
        ("[{roll: {dice: 2}, outcomes: {2+: [], 0-1: [{kill: you}]}}]", " (may be deadly)"),
        ("[{choose: [{id: a, do: [{stop: turn}]}, {id: b}]}]", " (may end your turn)"),
        ("[{stop: moving}, {if: {alone: true}, kill: you}]", " (ends your movement, may be deadly)"),
        ("[{gain: {trait: might}}]", ""),
        ("[{kill: you, who: {each: opponent, in: here}}]", ""),
    ],
)
def test_the_label_of_an_action_says_what_it_leads_to(does: str, words: str) -> None:
    game = rules_with(
        haunt=heroes_may(f"{{word: TRY, title: Try it, target: {{each: opponent, in: here}}, do: {does}}}")
    )
    assert of_action(game, "haunt:h#heroes", "TRY") == words


def test_a_card_s_use_of_the_turn_is_spent_and_a_card_used_up_is_not_spent_besides() -> None:
    game = rules("second-edition")
    assert of_action(game, "card:crystal-ball", "GAZE") == " (its use this turn)"
    assert of_action(game, "card:healing-salve", "HEAL") == " (uses the card up)"


def test_a_block_that_runs_itself_ends() -> None:
    haunt = heroes_may("{word: TRY, do: [{run: again}]}").replace(
        "stage:", "blocks: {again: [{run: again}]}\n      stage:"
    )
    assert of_action(rules_with(haunt=haunt), "haunt:h#heroes", "TRY") == ""


def test_nobody_reads_off_a_label_what_the_other_side_s_book_does() -> None:
    game = rules_with(haunt=heroes_may("{word: TRY, title: Try it, do: [{kill: you}]}"))
    table = Table(game=game)
    table.haunt("h", traitor=1)
    command = Act(decision="turn", source="haunt:heroes", word="TRY")
    assert Labels(table.rules, table.view(0)).of(command) == "Try it (deadly)"
    assert "deadly" not in Labels(table.rules, table.view(1)).of(command)


def test_options_say_it_too() -> None:
    game = rules_with(
        haunt=heroes_may("{word: TRY, do: [{choose: [{id: leave, title: Leave, do: [{escape: you}]}, {id: stay}]}]}")
    )
    table = Table(game=game)
    table.haunt("h", traitor=1)
    table.turn(0)
    table.act("haunt:heroes", "TRY")
    decision, labels = table.asked(0), Labels(table.rules, table.view(0))
    assert [labels.of(one, decision) for one in answers(table.rules, decision)] == [
        "Leave (you leave the house for good)",
        "Stay",
    ]
