"""Items and omens of the third edition that do more than adjust a roll."""

import pytest

from domain.facts.commands import Act, Trade
from domain.facts.events import (
    CardDrawn,
    DamageTaken,
    DiceRolled,
    ExplorerDied,
    ExtraTurnGiven,
    HauntRolled,
    MovementSpent,
    TileSetAside,
    TraitChanged,
)
from tests.support.fate import showing
from tests.support.table import Table, events, the
from tests.support.third import discover, haunted, third


def holding(*cards: str) -> Table:
    """Seat 0 has these cards since an earlier turn, and it is its turn."""
    table = third()
    table.hold(0, *cards)
    table.turn(0)
    return table


def act_on(table: Table, source: str, word: str, target: str) -> None:
    """Act on a room."""
    table.play(0, Act(decision=table.now, source=source, word=word, target=target))


def test_a_brooch_turns_damage_into_general_damage() -> None:
    table = holding("brooch")
    table.rolls(showing(table.value(0, "speed"), 0))
    table.draw(0, "event", "behind-you")
    table.choose(0, "card:brooch#CONVERT")
    assert set(table.asked(0).caps) == {"might", "speed", "sanity", "knowledge"}


@pytest.mark.rule("3E-TRAIT-008", asserts=True)
def test_a_first_aid_kit_heals_what_is_critical_and_nothing_else() -> None:
    table = third()
    table.hold(0, "first-aid-kit")
    table.clips(1, might=1, speed=2)
    table.turn(0)
    told = table.act("card:first-aid-kit", "HEAL", target=1)
    assert [(one.seat, one.trait) for one in events(told, TraitChanged)] == [(1, "might")]


@pytest.mark.parametrize("option, more", [("card:flashlight#SHINE", 2), ("pass", 0)])
def test_a_flashlight_adds_two_dice_once_to_trait_rolls_of_events_if_its_holder_likes(option: str, more: int) -> None:
    table = holding("flashlight")
    table.rolls(showing(table.value(0, "speed") + more, 4))
    table.draw(0, "event", "behind-you")
    table.choose(0, option)
    assert not table.fate.dice


def test_new_blanks_of_a_lucky_coin_hurt() -> None:
    table = holding("lucky-coin")
    speed = table.value(0, "speed")
    table.rolls([0] * speed, [0, 0, *[1] * (speed - 2)], [1])
    table.draw(0, "event", "behind-you")
    table.choose(0, "card:lucky-coin#REROLL")
    assert (table.asked(0).about, table.asked(0).total) == ("damage:mental", 2)


def test_a_camera_rolls_sanity_where_knowledge_is_asked_for_with_what_helps_sanity() -> None:
    table = holding("magic-camera", "ring")
    sanity = table.value(0, "sanity")
    table.rolls(showing(sanity, 0))
    table.draw(0, "event", "alien-geometry")
    told = table.choose(0, "card:magic-camera#LOOK")
    rolled = the(told, DiceRolled)
    assert (rolled.trait, len(rolled.faces), rolled.bonus) == ("sanity", sanity, 1)


def test_a_camera_is_of_no_use_where_sanity_is_asked_for() -> None:
    table = holding("magic-camera")
    table.rolls(showing(table.value(0, "sanity"), 4))
    table.draw(0, "event", "clown-room")
    assert not table.state.open


def test_a_book_that_was_read_makes_the_next_trait_roll_one_of_knowledge() -> None:
    table = holding("book")
    read = table.act("card:book", "READ")
    assert the(read, TraitChanged).trait == "sanity"
    table.stack("event", "a-bite", "behind-you")
    table.rolls(showing(table.value(0, "knowledge"), 3), showing(table.value(0, "speed"), 4))
    told = events(table.commits[-1], DiceRolled)
    table.draw(0, "event")
    told = events(table.commits[-1], DiceRolled)
    assert [(one.trait, one.total) for one in told] == [("knowledge", 4)]
    table.draw(0, "event")
    assert the(table.commits[-1], DiceRolled).trait == "speed"


def test_a_stopwatch_gives_one_more_turn_in_the_haunt_alone() -> None:
    table = holding("mystical-stopwatch")
    with table.refuses("3E-ACT-001"):
        table.act("card:mystical-stopwatch", "STOP")
    table.haunt("the-false-light", traitor=1)
    table.turn(0)
    assert the(table.act("card:mystical-stopwatch", "STOP"), ExtraTurnGiven).seat == 0


def test_a_necklace_raises_a_critical_trait_when_the_turn_ends_if_its_holder_likes() -> None:
    table = third()
    table.hold(0, "necklace-of-teeth")
    table.clips(0, might=1, sanity=1)
    table.turn(0)
    table.end_turn()
    table.choose(0, "yes")
    assert set(table.asked(0).options) == {"might", "sanity"}
    table.choose(0, "sanity")
    assert (table.explorer(0).at[0], table.explorer(0).at[2]) == (1, 2)


def test_a_necklace_asks_nothing_of_the_hale() -> None:
    table = holding("necklace-of-teeth")
    table.end_turn()
    assert table.seat == 1


def test_a_skeleton_key_leads_through_a_wall_for_a_space() -> None:
    table = third()
    table.hold(0, "skeleton-key")
    table.turn(0)
    rooms = [one.target for one in table.offers(0, Act) if isinstance(one, Act) and one.word == "PASS"]
    assert rooms
    table.rolls([0])
    before = len(table.commits)
    act_on(table, "card:skeleton-key", "PASS", str(rooms[0]))
    told = table.since(before)
    assert the(told, MovementSpent).spaces == 1
    assert table.explorer(0).room == rooms[0]
    assert table.explorer(0).cards == []


def test_an_amulet_warms_at_physical_damage_only() -> None:
    table = holding("strange-amulet")
    sanity = table.explorer(0).at[2]
    table.stack("event", "behind-you", "brain-food")
    table.rolls(showing(table.value(0, "speed"), 0))
    table.draw(0, "event")
    told = table.allocate(0, might=1)
    assert the(told, DamageTaken).kind == "physical"
    assert table.explorer(0).at[2] == sanity + 1

    table.rolls(showing(table.value(0, "might"), 0))
    table.draw(0, "event")
    table.allocate(0, might=1, speed=1)
    assert table.explorer(0).at[2] == sanity + 1


@pytest.mark.rule("3E-ATK-001")
def test_dynamite_is_not_thrown_before_the_haunt() -> None:
    table = holding("dynamite")
    assert not table.offers(0, Act)
    with table.refuses("3E-ATK-001"):
        act_on(table, "card:dynamite", "THROW", "hallway")


@pytest.mark.rule("3E-TRADE-004")
def test_a_dog_trades_for_its_holder_up_to_four_spaces_away() -> None:
    table = third()
    table.hold(0, "dog", "machete")
    table.put(1, "upper-landing")
    table.turn(0)
    assert 1 in {one.partner for one in table.offers(0, Trade) if isinstance(one, Trade)}
    table.swap(1, ["machete"])
    assert table.explorer(1).cards == ["machete"]


def test_a_holy_symbol_buries_a_tile_and_takes_the_next() -> None:
    table = holding("holy-symbol")
    ground = [face for face in table.rules.pack.decks["tiles"] if "ground" in table.rules.pack.tiles[face].floors]
    table.stack("tiles", *ground[:2])
    table.explore("east")
    assert table.asked(0).about == f"bury-tile:{ground[0]}"
    told = table.choose(0, "bury")
    assert (the(told, TileSetAside).face, the(told, TileSetAside).bury) == (ground[0], True)
    assert table.asked(0).about == f"bury-tile:{ground[1]}"
    assert ground[0] not in table.state.rooms


def test_an_idol_passes_over_an_event() -> None:
    table = holding("idol")
    discover(table, "kitchen", event="behind-you")
    told = table.choose(0, "pass-over")
    assert not events(told, CardDrawn)
    assert table.seat == 1


def test_a_mask_drives_everybody_else_out_where_its_holder_says() -> None:
    table = third()
    table.hold(0, "mask")
    for seat in range(3):
        table.put(seat, "hallway")
    table.turn(0)
    table.act("card:mask", "FRIGHTEN")
    for seat in (1, 2):
        assert table.asked(0).about == f"move-other:seat:{seat}"
        table.choose(0, table.asked(0).options[0])
    assert {table.explorer(seat).room for seat in (1, 2)}.isdisjoint({"hallway"})


def test_a_mask_alone_frightens_nobody() -> None:
    table = third()
    table.hold(0, "mask")
    for seat in (1, 2):
        table.put(seat, "upper-landing")
    table.turn(0)
    assert not [one for one in table.offers(0, Act) if isinstance(one, Act)]


@pytest.mark.parametrize("total, alive", [(4, True), (3, False)])
def test_a_skull_may_cheat_death(total: int, alive: bool) -> None:  # noqa: FBT001 -- parametrized
    table = haunted()
    table.hold(0, "skull")
    table.clips(0, might=1, speed=1)
    table.turn(0)
    table.rolls(showing(table.value(0, "speed"), 0), showing(3, total))
    table.draw(0, "event", "behind-you")
    before = len(table.commits)
    table.allocate(0, might=1)
    told = table.since(before)

    assert table.explorer(0).alive == alive
    assert bool(events(told, ExplorerDied)) != alive
    assert not alive or table.explorer(0).at == [1, 1, 1, 1]


def test_a_skull_is_rolled_for_once_where_one_harm_puts_two_traits_on_the_skull() -> None:
    table = haunted()
    table.hold(0, "skull")
    table.clips(0, might=1, speed=1)
    table.turn(0)
    table.rolls(showing(table.value(0, "might"), 0), showing(3, 4))
    table.draw(0, "event", "a-bite")
    told = table.commits[-1]

    assert [one.about for one in events(told, DiceRolled)] == ["card/a-bite#do", "card/skull#on.0"]
    assert table.explorer(0).alive
    assert table.explorer(0).at == [1, 1, 1, 1]


# -- events that can begin a haunt ------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-HROLL-003")
@pytest.mark.parametrize("total, begins", [(4, False), (5, True)])
def test_an_event_may_begin_a_haunt_of_its_own(total: int, begins: bool) -> None:  # noqa: FBT001 -- parametrized
    table = third()
    table.hold(0, "armor")
    table.hold(1, "dagger", "ring")
    sanity = table.explorer(0).at[2]
    table.turn(0)
    table.draw(0, "event", "eerie-mirror")
    told = table.rolls(showing(3, total)).choose(0, "yes")

    rolled = the(told, HauntRolled)
    assert (rolled.total, rolled.omens, rolled.begins, rolled.number) == (total, 3, begins, 7)
    assert (table.state.haunt is not None) == begins
    assert begins or table.explorer(0).at[2] == sanity + 1


def test_whoever_does_not_dare_takes_what_the_event_gives_instead() -> None:
    table = third()
    table.turn(0)
    table.stack("item", "machete")
    table.draw(0, "event", "say-cheese")
    table.choose(0, "no")
    assert table.explorer(0).cards == ["machete"]
