"""What is in the box, and what the words mean (rulebook: Game Components, Glossary)."""

import pytest

from content.errors import ContentErrors
from content.load import builtin_packs, load_pack
from domain.events import DamageTaken, DiceRolled
from tests.support.packs import pack, rules_with
from tests.support.table import Table, events, the

BOX = pack("second-edition")


@pytest.mark.rule("2E-COMP-002", asserts=True)
def test_the_house_has_44_tiles_of_one_room_and_one_of_three() -> None:
    joined = {"entrance-hall", "foyer", "grand-staircase"}
    assert len([tile for tile in BOX.tiles if tile.id not in joined]) == 44
    assert joined <= {tile.id for tile in BOX.tiles}
    assert Table().view(0).decks["tiles"].size() == 42


@pytest.mark.rule("2E-COMP-003", asserts=True)
def test_twelve_explorers_are_on_six_cards() -> None:
    sides = {explorer.id: explorer.other_side for explorer in BOX.explorers}
    assert len(sides) == 12
    assert all(sides[other] == one for one, other in sides.items())
    colors = {explorer.id: explorer.color for explorer in BOX.explorers}
    assert len(set(colors.values())) == 6
    assert all(colors[one] == colors[other] for one, other in sides.items())
    assert all(len(explorer.birthday) == 5 for explorer in BOX.explorers)


@pytest.mark.rule("2E-COMP-005", asserts=True)
def test_the_stacks_hold_13_omens_and_at_most_22_items_and_45_events() -> None:
    decks = Table().view(0).decks
    assert decks["omen"].size() == 13
    # the pack says which cards are not in yet
    assert (decks["item"].size(), decks["event"].size()) == (22, 45)


@pytest.mark.rule("2E-COMP-009", asserts=True)
def test_a_token_marks_a_room_for_the_rest_of_the_game() -> None:
    table = Table()
    table.stack("tiles", "gardens")
    table.stack("event", "drip-drip-drip")
    table.explore("east")
    table.turn(1)
    assert [(here.token, here.room) for here in table.view(2).tokens] == [("drip", "gardens")]


@pytest.mark.rule("2E-COMP-010", asserts=True)
def test_fifty_haunts_are_on_the_chart() -> None:
    chart = BOX.chart
    assert chart is not None
    assert {int(number) for number in chart.haunts} == set(range(1, 51))
    assert {int(number) for number in chart.traitors} == set(range(1, 51))
    assert {number for row in chart.cells.values() for number in row} <= set(range(1, 51))


@pytest.mark.rule("2E-COMP-011", asserts=True)
def test_a_haunt_has_a_counter_that_only_it_moves() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    haunt = table.view(0).haunt
    assert haunt is not None
    assert (haunt.counters, haunt.maxima) == ({"strokes": 0}, {"strokes": 13})


@pytest.mark.rule("2E-TERM-001", "2E-TERM-002", asserts=True)
def test_a_text_for_characters_concerns_monsters_too_and_one_for_explorers_does_not() -> None:
    haunt = """
      id: h
      title: H
      stage: draft
      kind: one-traitor
      story: S
      monsters:
        ogre: {title: Ogre, might: 5, speed: 2}
      heroes:
        story: S
        goal: G
        actions:
          - {word: ALL, do: [{roll: {trait: might}, who: {each: character, in: here}, outcomes: {0+: []}}]}
          - {word: US, do: [{roll: {trait: might}, who: {each: explorer, in: here}, outcomes: {0+: []}}]}
      traitor-book: {story: S, goal: G}
    """
    table = Table(game=rules_with(haunt=haunt))
    table.haunt("h", traitor=1)
    table.monster("ogre-1", "entrance-hall")

    told = table.rolls([0] * 5, [0] * 3, [0] * 4, [0] * 5).act("haunt:heroes", "ALL")
    assert [one.who for one in events(told, DiceRolled)] == [0, 1, 2, "ogre-1"]
    told = table.rolls([0] * 5, [0] * 3, [0] * 4).act("haunt:heroes", "US")
    assert [one.who for one in events(told, DiceRolled)] == [0, 1, 2]


@pytest.mark.rule("2E-TERM-003", asserts=True)
def test_in_the_haunt_a_text_for_all_explorers_hits_heroes_and_traitor() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.stack("tiles", "gardens")
    table.stack("event", "hideous-shriek")
    told = table.rolls([2, 2, 0], [2, 2, 0, 0, 0], [2, 2, 0, 0]).explore("east")
    told += table.choose(1, "be-affected")
    assert [one.who for one in events(told, DiceRolled)] == [0, 1, 2]
    assert not events(told, DamageTaken)


@pytest.mark.rule("2E-TERM-006", asserts=True)
def test_a_haunt_says_how_each_side_wins() -> None:
    for haunt in BOX.haunts:
        assert haunt.heroes.goal
        assert haunt.heroes.wins_when is not None or any(
            effect.win is not None
            for action in haunt.heroes.actions
            for step in action.do
            for rows in [step.outcomes or {}]
            for effects in rows.values()
            for effect in effects
        )
        assert haunt.traitor_book is None or haunt.traitor_book.goal


@pytest.mark.rule("2E-TERM-007", asserts=True)
def test_a_stack_is_drawn_from_the_top() -> None:
    table = Table()
    table.stack("tiles", "gardens", "patio")
    table.stack("event", "drip-drip-drip", "smoke")
    table.explore("east")
    table.lay_anyhow()
    assert table.view(0).tokens[0].token == "drip"
    assert [slot.face for slot in table.state.decks["tiles"].top] == ["patio"]


@pytest.mark.rule("2E-SEC-002", asserts=True)
def test_what_is_done_is_seen_by_all_and_has_no_reason() -> None:
    table = Table()
    table.hold(0, "smelling-salts")
    table.haunt("the-bell-below", traitor=1)
    told = table.act("card:smelling-salts", "HEAL", 0)
    taken = next(one for one in told if type(one.event).__name__ == "ActionTaken")
    assert all(taken.to & role for role in table.roles)
    assert set(taken.event.__struct_fields__) == {"rule", "figure", "source", "word", "target"}


def test_the_built_in_pack_is_without_mistakes() -> None:
    try:
        load_pack(builtin_packs()["second-edition"])
    except ContentErrors as errors:
        pytest.fail(str(errors))


@pytest.mark.rule("2E-PREC-001")
def test_a_card_that_says_otherwise_holds_over_the_rulebook() -> None:
    """Armor takes a point off a damage that the rulebook would deal in full."""
    table = Table()
    table.hold(0, "armor")
    table.lay("furnace-room", "basement", 0, 1)
    table.put(0, "furnace-room")
    table.turn(0)

    told = table.end_turn()

    assert not events(told, DamageTaken)


@pytest.mark.rule("2E-COMP-008")
def test_a_counter_names_the_rule_of_trait_roll_tokens() -> None:
    table = Table()
    table.haunt("the-gnawing-tide", traitor=1)
    table.token("nest", "entrance-hall")
    table.act("haunt:heroes", "CHANT")
    told = table.rolls([2, 2, 1]).choose(0, "sanity")
    assert [one.event.rule for one in told if type(one.event).__name__ == "CounterMoved"] == ["2E-COMP-008"]
    assert the(told, DiceRolled).kind == "trait"
