"""Labels say what a choice leads to that nobody takes back."""

from __future__ import annotations

import pytest

from domain.facts.commands import Act, Drop, Trade
from domain.rulebook.turn.options import answers
from projections.naming.consequences import ending, of_action
from projections.naming.labels import Labels
from tests.support.packs import heroes_may, rules, rules_with
from tests.support.table import Table

NAMES = ("Ox Bellows", "Father Rhinehardt", "Zoe Ingstrom")


def in_a_haunt(action: str) -> Table:
    """The turn of a hero who may do this, with a Might of 3 spaces; another hero with as little is there."""
    game = rules_with(haunt=heroes_may(action))
    table = Table(("ox-bellows", "father-rhinehardt", "zoe-ingstrom"), game=game)
    table.haunt("h", traitor=1)
    table.clips(0, might=3, speed=4)
    table.clips(2, might=3)
    table.turn(0)
    return table


def label(table: Table, seat: int = 0, **command: object) -> str:
    act = Act(decision="turn", source="haunt:heroes", word="TRY", **command)  # type: ignore[arg-type]  # a target
    return Labels(table.rules, table.view(seat)).of(act)


@pytest.mark.parametrize(
    "does,words",
    [
        ("[{kill: you}]", " (deadly)"),
        ("[{stop: turn}]", " (ends your turn)"),
        ("[{stop: moving}]", " (ends your movement)"),
        ("[{escape: you}]", " (you leave the house for good)"),
        ("[{kill: target}]", " (deadly for Zoe Ingstrom)"),
        ("[{if: {counter: c, at-least: 1}, kill: you}]", " (may be deadly)"),
        ("[{if: {alone: true}, kill: you}]", ""),
        ("[{may: 'End it?', stop: turn}]", " (may end your turn)"),
        ("[{roll: {dice: 2}, outcomes: {2+: [], 0-1: [{kill: you}]}}]", " (may be deadly)"),
        ("[{choose: [{id: a, do: [{stop: turn}]}, {id: b}]}]", " (may end your turn)"),
        ("[{stop: moving}, {if: {alone: true}, kill: you}]", " (ends your movement, may be deadly)"),
        ("[{gain: {trait: might}}]", ""),
        ("[{kill: you, who: {each: opponent, in: here}}]", ""),
        ("[{lose: {trait: might, steps: 3}}]", " (deadly)"),
        ("[{lose: {trait: might, steps: 2}}]", ""),
        ("[{gain: {trait: might}}, {lose: {trait: might, steps: 3}}]", ""),
        ("[{gain: {trait: might}}, {lose: {trait: might, steps: 4}}]", " (deadly)"),
        ("[{lose: {trait: speed, steps: 3}}]", ""),
        ("[{lose: {one-of: [might, speed], steps: 3}}]", " (may be deadly)"),
        ("[{lose: {trait: might, steps: 3}, who: target}]", " (deadly for Zoe Ingstrom)"),
        ("[{roll: {dice: 2}, outcomes: {2+: [], 0-1: [{lose: {trait: might, steps: 3}}]}}]", " (may be deadly)"),
        ("[{if: {phase: exploration}, lose: {trait: might, steps: 3}}]", ""),
        ("[{if: {phase: haunt}, lose: {trait: might, steps: 3}}]", " (deadly)"),
        ("[{if: {counter: c, at-least: 1}, stop: block}, {lose: {trait: might, steps: 3}}]", " (may be deadly)"),
        (
            "[{roll: {dice: 1}, outcomes: {1+: [{gain: {trait: might}}], 0: []}}, {lose: {trait: might, steps: 3}}]",
            " (may be deadly)",
        ),
        ("[{damage: {kind: physical, dice: 2}}]", ""),
        ("[{damage: {kind: physical, dice: 5}}]", " (may be deadly)"),
        ("[{draw: {deck: item}}]", " (ends your movement)"),
        ("[{trap: {trait: might, at-least: 4, tries: 3}}]", " (ends your movement)"),
    ],
)
def test_the_label_of_an_action_says_what_it_leads_to(does: str, words: str) -> None:
    table = in_a_haunt(f"{{word: TRY, title: Try it, target: {{each: explorer, in: here}}, do: {does}}}")
    assert label(table, target=2) == f"Try it on {NAMES[2]}{words}"


def test_a_card_s_use_of_the_turn_is_spent_and_a_card_used_up_is_not_spent_besides() -> None:
    game = rules("second-edition")
    assert ending(of_action(game, "card:crystal-ball", "GAZE").said()) == " (its use this turn)"
    assert ending(of_action(game, "card:healing-salve", "HEAL").said()) == " (uses the card up)"


def test_a_block_that_runs_itself_ends() -> None:
    haunt = heroes_may("{word: TRY, do: [{run: again}]}").replace(
        "stage:", "blocks: {again: [{run: again}]}\n      stage:"
    )
    assert ending(of_action(rules_with(haunt=haunt), "haunt:h#heroes", "TRY").said()) == ""


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


def test_dropping_or_trading_what_holds_somebody_up_is_deadly() -> None:
    table = in_a_haunt("{word: TRY, do: []}")
    table.clips(0, might=3, speed=8, sanity=8, knowledge=8)
    table.hold(0, "amulet-of-the-ages", "bell")
    table.clips(0, might=3, speed=8, sanity=8, knowledge=8)
    labels = Labels(table.rules, table.view(0))
    assert labels.of(Drop(decision="turn", cards=["amulet-of-the-ages"])) == "Drop Amulet of the Ages (deadly)"
    assert labels.of(Drop(decision="turn", cards=["bell"])) == "Drop Bell"
    offer = Trade(decision="turn", partner=2, gives=["amulet-of-the-ages"])
    assert labels.of(offer) == "Offer Amulet of the Ages to Zoe Ingstrom (may be deadly)"
    table.trade(2, ["amulet-of-the-ages"])
    asked, partner = table.asked(2), Labels(table.rules, table.view(2))
    assert [partner.of(one, asked) for one in answers(table.rules, asked)] == ["Yes (deadly for Ox Bellows)", "No"]


@pytest.mark.parametrize(
    "take,words",
    [
        ("{from: target}", "may be deadly for"),
        ("{from: target, card: amulet-of-the-ages}", "deadly for"),
        ("{from: 'holder:amulet-of-the-ages', card: amulet-of-the-ages}", "deadly for"),
        ("{from: {each: explorer, in: here, besides-you: true}, card: amulet-of-the-ages}", "may be deadly for"),
        ("{from: target, card: bell}", ""),
        ("{from: 'holder:medical-kit'}", ""),
    ],
)
def test_taking_what_holds_somebody_up_says_for_whom_it_is_deadly(take: str, words: str) -> None:
    """Whose cards are taken is said by `from`, not by whom the action is aimed at."""
    table = in_a_haunt(f"{{word: TRY, title: Try it, target: {{each: explorer, in: here}}, do: [{{take: {take}}}]}}")
    table.hold(1, "medical-kit")
    table.hold(2, "amulet-of-the-ages", "bell")
    table.clips(2, might=3, speed=8, sanity=8, knowledge=8)
    assert label(table, target=2) == f"Try it on Zoe Ingstrom{words and f' ({words} Zoe Ingstrom)'}"


def test_a_label_that_is_too_long_keeps_its_warning() -> None:
    table = in_a_haunt("{word: TRY, do: []}")
    cards = ["amulet-of-the-ages", "bell", "pickpockets-gloves", "adrenaline-shot", "smelling-salts", "healing-salve"]
    cards += ["angel-feather", "rabbits-foot", "medical-kit"]
    table.hold(0, *cards)
    table.clips(0, might=3)
    said = Labels(table.rules, table.view(0)).of(Drop(decision="turn", cards=cards))
    assert len(said) == 120
    assert said.endswith("… (deadly)")
