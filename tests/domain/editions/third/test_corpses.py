"""Death, corpses, what they keep and how it is taken from them (rulebook 2022, Death, Trade)."""

import pytest

from content.vocabulary.values import Number
from domain.engine.block import Frame
from domain.engine.machine import Glance, Machine
from domain.facts.audience import SPECTATORS
from domain.facts.commands import Act, Attack, Choose, Loot, Trade
from domain.facts.events import (
    CardGained,
    CardLost,
    CorpseLooted,
    CorpseRemoved,
    DamageTaken,
    DecisionOpened,
    DiceRolled,
    ExplorerDied,
    RuleApplied,
    TraitChanged,
    TurnStarted,
)
from domain.queries.numbers import number
from domain.rulebook.cards.belongings import partners
from projections.board import board_of
from projections.choices.decisions import decisions_of
from projections.choices.odds import odds
from projections.choices.odds_asked import AttackAsked
from projections.choices.throws import Unfit
from projections.sentences.history import sentence
from projections.text.picture import house_as_text
from projections.text.post import status_post
from projections.view.game import view_of
from tests.support.fate import showing
from tests.support.table import Table, events, the
from tests.support.third import haunted, third


def fallen(*cards: str, room: str = "entrance-hall") -> Table:
    """Seat 2 has died in an earlier turn, with these cards; it is the turn of seat 0."""
    table = haunted()
    table.hold(2, *cards)
    table.put(2, room)
    table.die(2)
    table.turn(0)
    return table


def hit(table: Table, by: int, target: int, damage: int) -> None:
    """An attack that is won by so much."""
    table.turn(by)
    table.rolls(showing(table.value(by, "might"), damage), showing(table.value(target, "might"), 0))
    table.attack(target)


# -- death ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-DIE-001", case=1)
def test_damage_in_the_haunt_pushes_a_clip_from_critical_to_the_skull() -> None:
    table = haunted()
    table.clips(0, might=1, speed=5)
    hit(table, 1, 0, 1)
    told = table.allocate(0, might=1)
    moved = the(told, TraitChanged)
    assert (moved.trait, moved.to, moved.rule) == ("might", 0, "3E-DIE-001")
    assert not table.explorer(0).alive


@pytest.mark.rule("3E-DIE-002", case=1)
def test_a_sanity_at_the_skull_kills() -> None:
    table = haunted()
    table.hold(1, "ring")
    table.clips(0, sanity=1, knowledge=5)
    table.turn(1)
    table.rolls(showing(table.value(1, "sanity"), 1), showing(table.value(0, "sanity"), 1)).attack(0, "ring")
    assert table.asked(0).total == 1
    told = table.allocate(0, sanity=1)
    assert (the(told, ExplorerDied).seat, the(told, ExplorerDied).rule) == (0, "3E-DIE-002")


def test_damage_of_one_source_is_assigned_in_full_before_anybody_dies_and_stops_at_the_skull() -> None:
    table = haunted()
    table.clips(0, might=1, speed=2)
    hit(table, 1, 0, 3)
    told = table.commits[-1]
    assert [(one.trait, one.to) for one in events(told, TraitChanged)] == [("might", 0), ("speed", 0)]
    kinds = [type(one.event) for one in told]
    assert kinds.index(ExplorerDied) > max(at for at, kind in enumerate(kinds) if kind is TraitChanged)
    assert table.explorer(0).at[:2] == [0, 0]


@pytest.mark.rule("3E-DMG-007", case=3)
def test_with_both_critical_one_each_is_all_of_five() -> None:
    table = haunted()
    table.clips(0, might=1, speed=1)
    hit(table, 1, 0, 5)
    told = table.commits[-1]
    assert the(told, DamageTaken).amount == 5
    assert [(one.trait, one.by) for one in events(told, TraitChanged)] == [("might", -1), ("speed", -1)]
    table = haunted()
    table.clips(0, might=1, speed=2)
    hit(table, 1, 0, 2)
    with table.refuses("3E-DMG-007"):
        table.allocate(0, might=1)
    table.allocate(0, might=1, speed=1)


@pytest.mark.rule("3E-DMG-011", case=5, asserts=True)
def test_in_the_haunt_a_critical_trait_may_be_chosen_and_kills() -> None:
    table = haunted()
    table.clips(0, might=1, speed=5)
    hit(table, 1, 0, 1)
    assert table.asked(0).caps == {"might": 1, "speed": 1}
    told = table.allocate(0, might=1)
    assert the(told, ExplorerDied).seat == 0


@pytest.mark.rule("3E-DIE-003", case=1)
def test_a_tile_shows_the_corpse_that_lies_there() -> None:
    table = fallen(room="hallway")
    for principal in (1, 1 << 2, SPECTATORS):
        view = view_of(table.rules, table.roles[principal], principal)
        assert [(one.seat, one.room) for one in view.explorers if one.corpse] == [(2, "hallway")]
    assert "3E-DIE-003" in [one.rule for commit in table.commits for one in events(commit, RuleApplied)]


def test_a_corpse_takes_no_turns_and_slows_and_hears_nobody() -> None:
    table = fallen("map")
    table.put(1, "hallway")
    table.turn(0)
    assert not table.offers(2)
    table.move("hallway")
    assert table.explorer(0).spent == 1, "a corpse is no obstacle"
    told = table.end_turn()
    assert the(told, TurnStarted).seat == 1
    told = table.end_turn()
    assert 2 not in [one.seat for one in events(told, TurnStarted)]


def test_a_dead_players_seat_still_counts_for_values_by_players() -> None:
    table = fallen()
    by_players = number(Number(players={"3": 1, "4": 5, "5": 7, "6": 9}))
    assert by_players(Glance(table.rules, table.state), Frame(table.rules.block("act"), {"you": 0})) == 1


@pytest.mark.rule("3E-DIE-004", case=1)
def test_the_dead_keep_their_cards_for_all_to_see() -> None:
    table = haunted()
    table.hold(0, "machete", "book", "map")
    table.clips(0, might=1, speed=5)
    hit(table, 1, 0, 1)
    told = table.allocate(0, might=1)
    assert not events(told, CardLost)
    assert "3E-DIE-004" in [one.rule for one in events(told, RuleApplied)]
    for role in table.roles.values():
        assert role.explorers[0].cards == ["machete", "book", "map"]
        assert not role.piles


@pytest.mark.rule("3E-DIE-004", case=2)
def test_the_book_of_a_corpse_helps_nobody_until_it_is_taken() -> None:
    table = fallen("book")
    for seat in (0, 1):
        table.rolls(showing(table.value(seat, "knowledge"), 2))
        assert roll_knowledge(table, seat).bonus == 0
    table.loot(2, "book")
    table.rolls(showing(table.value(0, "knowledge"), 2))
    assert roll_knowledge(table, 0).total == 3


def roll_knowledge(table: Table, seat: int) -> DiceRolled:
    """A trait roll with Knowledge, which nothing else changes."""
    before = len(table.commits)

    def roll(machine: Machine) -> None:
        machine.call("roll", who=seat, kind="trait", trait="knowledge", about="act")

    table._run(roll)  # noqa: SLF001 -- a roll that nothing on the table asks for
    return the(table.since(before), DiceRolled)


@pytest.mark.rule("3E-DIE-005", case=1)
def test_an_action_that_needs_a_corpse_here_is_refused_where_there_is_none() -> None:
    table = haunted(
        "{word: RAISE, if: {with: {each: corpse}}, rule: 3E-DIE-005, target: {each: corpse, in: here},"
        " do: [{take: {from: target}}, {remove: target}]}"
    )
    table.hold(2, "map", "gun")
    table.put(2, "hallway")
    table.die(2)
    table.turn(0)
    assert not table.offers(0, Act)
    with table.refuses("3E-DIE-005"):
        table.act("haunt:heroes", "RAISE", 2)
    table.move("hallway")
    table.act("haunt:heroes", "RAISE", 2)
    told = table.choose(0, "map")
    assert the(told, CardGained).card == "map"
    assert the(told, CorpseRemoved).rule == "3E-DIE-005"
    table.turn(0)
    assert not table.offers(0, Loot)
    with table.refuses("3E-LOOT-001"):
        table.loot(2, "gun")


# -- looting --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-LOOT-001", case=1)
def test_one_card_a_turn_is_taken_from_one_corpse_or_another() -> None:
    table = haunted()
    table.hold(2, "map", "gun")
    table.hold(1, "mirror")
    table.die(1, 2)
    table.turn(0)
    table.loot(2, "map")
    assert not table.offers(0, Loot)
    for corpse, card in ((2, "gun"), (1, "mirror")):
        with table.refuses("3E-LOOT-001"):
            table.loot(corpse, card)
    table.turn(0)
    table.loot(1, "mirror")


@pytest.mark.rule("3E-LOOT-001", case=2)
def test_nothing_is_taken_from_a_corpse_next_door() -> None:
    table = fallen("map", room="hallway")
    assert not table.offers(0, Loot)
    with table.refuses("3E-LOOT-001"):
        table.loot(2, "map")
    table.move("hallway")
    table.loot(2, "map")


@pytest.mark.rule("3E-LOOT-001", case=3)
def test_a_trade_and_a_card_from_a_corpse_go_into_one_turn_and_the_card_into_the_trade() -> None:
    table = fallen("map")
    told = table.loot(2, "map")
    assert (the(told, CorpseLooted).figure, the(told, CorpseLooted).corpse) == (0, 2)
    assert [one.gives for one in table.offers(0, Trade) if isinstance(one, Trade) and one.gives] == [["map"]]
    table.swap(1, ["map"])
    assert table.explorer(1).cards == ["map"]


@pytest.mark.rule("3E-LOOT-001", case=4)
def test_the_traitor_takes_a_card_from_a_dead_hero() -> None:
    table = fallen("map")
    table.turn(1)
    table.loot(2, "map")
    assert table.explorer(1).cards == ["map"]


@pytest.mark.rule("3E-LOOT-001")
def test_nothing_is_taken_from_the_living_and_nothing_given_to_a_corpse() -> None:
    table = fallen("map")
    table.hold(1, "gun")
    table.hold(0, "mirror")
    table.turn(0)
    assert [(one.corpse, one.card) for one in table.offers(0, Loot) if isinstance(one, Loot)] == [(2, "map")]
    with table.refuses("3E-TRADE-007"):
        table.loot(1, "gun")
    for corpse, card in ((0, "mirror"), (2, "gun"), (5, "map")):
        with table.refuses("3E-LOOT-001"):
            table.loot(corpse, card)
    assert 2 not in partners(table.rules, table.state, 0)
    with table.refuses("3E-LOOT-001"):
        table.trade(2, ["mirror"])


@pytest.mark.rule("3E-LOOT-002", case=1)
def test_a_killer_waits_and_the_next_player_takes() -> None:
    table = haunted()
    table.hold(2, "map")
    table.clips(2, might=1, speed=1)
    hit(table, 1, 2, 1)
    table.allocate(2, might=1)
    assert table.seat == 1
    assert not table.offers(1, Loot)
    with table.refuses("3E-LOOT-002"):
        table.loot(2, "map")
    table.end_turn()
    while table.seat != 0:
        table.end_turn()
    table.loot(2, "map")


@pytest.mark.rule("3E-LOOT-003", case=1)
def test_the_player_of_the_dead_is_not_asked() -> None:
    table = fallen("map")
    told = table.loot(2, "map")
    assert the(told, CorpseLooted).rule == "3E-LOOT-003"
    assert not events(told, DecisionOpened)
    assert not table.state.open
    assert table.explorer(0).cards == ["map"]


def test_nobody_takes_anything_from_anybody_before_the_haunt() -> None:
    table = third()
    table.hold(1, "map")
    table.turn(0)
    with table.refuses("3E-LOOT-001"):
        table.loot(1, "map")


@pytest.mark.rule("3E-MON-016", case=1)
def test_a_monster_takes_nothing_from_a_corpse() -> None:
    table = fallen("map")
    table.monster("zombie-1", "entrance-hall")
    table.turn(1, monsters=True)
    assert not table.offers(1, Loot)
    with table.refuses("3E-MON-016"):
        table.loot(2, "map", monster="zombie-1")


# -- stealing -------------------------------------------------------------------------------------------------------

THIEVES = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  stealing: {granted: true}
  heroes: {story: S, goal: G}
  traitor-book: {story: S, goal: G}
"""


@pytest.mark.rule("3E-TRADE-007", case=1)
def test_a_winner_takes_a_card_in_place_of_damage_only_where_the_haunt_says_so() -> None:
    table = haunted()
    table.hold(1, "map")
    table.clips(1, might=5, speed=5)
    hit(table, 0, 1, 3)
    assert not table.is_asked(0), "the damage is all that there is to be had"
    for decision in (table.asked(1).id, table.now):
        with table.refuses("3E-TRADE-007", problem="not-your-decision" if decision != table.now else "decision-closed"):
            table.play(0, Choose(decision=decision, option="map"))
    with table.refuses("3E-TRADE-007", problem="decision-closed"):
        table.loot(1, "map")
    table.allocate(1, might=3)
    with table.refuses("3E-TRADE-007"):
        table.loot(1, "map")
    assert table.explorer(1).cards == ["map"]

    table = haunted(haunt=THIEVES)
    table.hold(1, "map")
    hit(table, 0, 1, 3)
    assert table.asked(0).options == ["damage", "map"]
    told = table.choose(0, "map")
    assert "3E-TRADE-007" in [one.rule for one in events(told, RuleApplied)]
    assert table.explorer(0).cards == ["map"]


def test_a_corpse_is_neither_attacked_nor_traded_with() -> None:
    table = fallen("map")
    assert 2 not in [one.target for one in table.offers(0, Attack) if isinstance(one, Attack)]
    assert 2 not in [one.partner for one in table.offers(0, Trade) if isinstance(one, Trade)]
    with table.refuses("3E-ATK-002", says="seat 2 is dead, and the dead are not attacked: loot the corpse"):
        table.attack(2)
    for asked in (AttackAsked(attacker=0, target=2), AttackAsked(attacker=2, target=0)):
        with pytest.raises(Unfit, match="Seat 2 is dead"):
            odds(table.rules, table.view(0), asked)


# -- pictures, posts and differences ----------------------------------------------------------------------------------------


def test_the_picture_and_the_plan_show_a_corpse_with_its_cards() -> None:
    table = fallen("map", room="hallway")
    view = view_of(table.rules, table.view(0), 1)
    picture = board_of(view)
    assert "Michelle Monroe (seat 2), dead" in picture
    assert "the corpse of Michelle Monroe" in picture
    plan = house_as_text(table.rules, table.view(0))
    assert "MM†" in plan
    assert "dead  Map" in plan
    post = status_post(table.rules, table.view(0), "markdown")
    assert "dead; Hallway; Map" in post


def test_what_somebody_took_from_a_corpse_is_told_and_traced() -> None:
    table = fallen("map")
    told = table.loot(2, "map")
    said = [sentence(table.rules, one.event, table.view(1)) for one in told]
    assert any(one.startswith("Oliver Swift takes Map from the corpse of Michelle Monroe.") for one in said)
    assert label(table) is None


def label(table: Table) -> str | None:
    """What the list of commands calls looting, where it is still offered."""
    turn = decisions_of(table.rules, table.view(0), 1).yours[0]
    return next((one.label for one in turn.commands if isinstance(one.command, Loot)), None)


def test_looting_is_listed_by_name() -> None:
    assert label(fallen("map")) == "Take Map from the corpse of Michelle Monroe"
