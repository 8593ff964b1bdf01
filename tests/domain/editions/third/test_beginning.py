"""How a haunt of the third edition begins: turn's end, volunteers, introductions and setup aloud, then apart (rulebook 2022, The Haunt)."""

from collections.abc import Callable

import msgspec
import pytest
import yaml

from content.vocabulary.pack import TraitorRule
from domain.engine.external import empty_sheet
from domain.engine.rules import Rules
from domain.facts.audience import SPECTATORS, seat_bit
from domain.facts.commands import Choose, EndTurn, Enter, Explore, Move, Trade
from domain.facts.events import (
    BookEntered,
    CardDiscarded,
    CardDrawn,
    CardGained,
    DiceRolled,
    FiguresSwapped,
    HauntBegun,
    HauntRolled,
    Moved,
    RuleApplied,
    ScenarioChosen,
    SideTold,
    TextTold,
    TilePlaced,
    TileRemoved,
    TokenPlaced,
    Told,
    TraitChanged,
    TraitorReplaced,
)
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR
from domain.game import rules_for
from domain.rulebook.haunt.entering import BOOK
from projections.books.book import book_of
from projections.view.game import view_of
from tests.support.packs import rules, rules_with
from tests.support.table import Table, events, kinds, the
from tests.support.third import FRIENDS, bring_on, discover, get_ready, third


def leading_to(rules: Rules, haunt: str, *, number: int, traitor: str = "{revealer: true}") -> Rules:
    """The rules with a number of the chart that leads to this haunt of a test's own, with this rule on the traitor (YAML)."""
    chart = rules.pack.chart
    named = msgspec.convert(yaml.safe_load(traitor), TraitorRule)
    redrawn = msgspec.structs.replace(
        chart,
        haunts={**chart.haunts, str(number): haunt},
        traitors={**chart.traitors, str(number): named},
    )
    return rules_for(msgspec.structs.replace(rules.pack.source, chart=redrawn))


def two_books(heroes: str = "[]", traitor: str = "[]") -> str:
    """A haunt `h` with one traitor, which ends by itself only late, with these steps of setup."""
    return f"""
      id: h
      title: H
      stage: draft
      kind: one-traitor
      counters: {{hours: {{title: Hours}}}}
      tokens: [{{id: salt, title: Salt}}, {{id: ash, title: Ash}}]
      heroes: {{story: They hear it., goal: Leave., right-now: {heroes}}}
      traitor-book: {{story: It hears them., goal: Stay., right-now: {traitor}}}
    """


QUIET = two_books()
"""Nothing is set up."""


def begun(
    haunt: str = QUIET, *, omen: str = "dog", traitor: str = "{revealer: true}", seats: int = 3, first: int = 0
) -> Table:
    """The haunt has been revealed by seat `first` in the scenario For Sale, and its first question is open."""
    rules = leading_to(rules_with("third-edition", haunt=haunt), "h", number=4, traitor=traitor)
    table = third(first, scenario="for-sale", seats=seats, game=rules)
    bring_on(table, omen)
    return table


def texts(table: Table, seat: int) -> list[str]:
    """What a seat has read, in order."""
    return table.view(seat).texts


# -- which haunt ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-SCEN-001", case=1)
@pytest.mark.parametrize("omen, number", [("dog", 4), ("armor", 10)])
def test_the_scenario_for_sale_leads_from_the_omen_to_the_haunt(omen: str, number: int) -> None:
    told = bring_on(third(scenario="for-sale"), omen)
    assert the(told, HauntBegun).number == number


@pytest.mark.rule("3E-SCEN-001", case=2)
@pytest.mark.parametrize("scenario, number", [("for-sale", 4), ("a-mysterious-invitation", 8)])
def test_one_omen_leads_to_another_haunt_in_another_scenario(scenario: str, number: int) -> None:
    assert the(bring_on(third(scenario=scenario), "dog"), HauntBegun).number == number


@pytest.mark.rule("3E-SCEN-001", case=3)
def test_the_room_of_the_omen_has_no_influence_on_the_haunt() -> None:
    numbers = {
        the(bring_on(third(scenario="cursed"), "book", tile=tile), HauntBegun).number
        for tile in ("ballroom", "charred-room", "specimen-room")
    }
    assert numbers == {39}


def test_a_game_from_before_scenarios_were_chosen_asks_for_one_when_its_haunt_begins() -> None:
    table = third()
    table.state.scenario = ""
    bring_on(table, "dog")
    assert table.asked(0).options == list(table.rules.pack.scenarios)
    told = table.choose(0, "for-sale")
    assert (the(told, ScenarioChosen).scenario, the(told, HauntBegun).number) == ("for-sale", 4)


# -- haunt rolls ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-HROLL-001", case=1)
def test_nothing_else_is_accepted_until_the_haunt_roll_is_made() -> None:
    table = third()
    table.stack("tiles", "ballroom")
    table.stack("omen", "dog")
    table.fate.pending = True
    table.explore("east")
    while table.asked(MODERATOR).about != "dice:haunt":
        table.moderate(pick=table.asked(MODERATOR).options[0])
    for command in (EndTurn(decision=table.now), Move(decision=table.now, to="hallway")):
        with table.refuses("3E-HROLL-001", problem="decision-closed"):
            table.play(0, command)


@pytest.mark.rule("3E-HROLL-002", case=1)
def test_the_third_omen_is_rolled_with_three_dice_whoever_holds_the_others() -> None:
    told = bring_on(third(), "book", holder=2)
    assert len(the(told, DiceRolled).faces) == 3


@pytest.mark.rule("3E-HROLL-002", case=2)
def test_an_events_haunt_roll_counts_omens_and_not_itself() -> None:
    table = third()
    table.hold(1, "armor", "ring")
    table.hold(2, "book")
    table.turn(0)
    table.draw(0, "event", "a-splash-of-crimson")
    assert len(the(table.rolls((0, 0, 0)).choose(0, "yes"), DiceRolled).faces) == 3


@pytest.mark.rule("3E-HROLL-002", case=3)
def test_an_omen_that_is_buried_again_still_counts() -> None:
    table = third()
    table.hold(1, "armor", "ring")
    table.bereave(1, "ring", "bury")
    table.turn(0)
    table.stack("omen", "dog")
    table.rolls((0, 0, 0)).draw(0, "omen")
    rolled = [one for commit in table.commits for one in events(commit, HauntRolled)]
    assert (rolled[-1].omens, rolled[-1].begins) == (3, False)


@pytest.mark.rule("3E-HROLL-002")
@pytest.mark.parametrize("to", ["bury", "deck"])
def test_an_omen_that_is_put_back_and_drawn_again_counts_once(to: str) -> None:
    table = third()
    table.hold(1, "armor", "ring")
    table.bereave(1, "ring", to)
    table.turn(0)
    table.stack("omen", "ring")
    table.rolls((0, 0)).draw(0, "omen")
    rolled = [one for commit in table.commits for one in events(commit, HauntRolled)]
    assert (rolled[-1].omens, rolled[-1].begins) == (2, False)


@pytest.mark.rule("3E-HROLL-003", case=1)
@pytest.mark.parametrize("faces, begins", [((2, 2, 1), True), ((2, 2, 0), False)])
def test_five_begins_the_haunt_and_four_does_not(faces: tuple[int, ...], *, begins: bool) -> None:
    table = third()
    table.hold(1, "mask", "ring")
    table.turn(0)
    told = discover(table.rolls(faces), "ballroom", omen="dog")
    assert the(told, HauntRolled).begins == begins
    assert (table.state.haunt is not None) == begins


@pytest.mark.rule("3E-HROLL-003", case=2)
@pytest.mark.parametrize("omens", [1, 2])
def test_one_omen_or_two_can_t_begin_it(omens: int) -> None:
    table = third()
    if omens == 2:
        table.hold(1, "mask")
        table.turn(0)
    told = discover(table.rolls((2,) * omens), "ballroom", omen="dog")
    rolled = the(told, HauntRolled)
    assert (rolled.total, rolled.begins) == (2 * omens, False)


@pytest.mark.rule("3E-HROLL-004", case=1)
@pytest.mark.parametrize("first", [0, 2])
def test_the_revealer_is_whoever_made_the_roll(first: int) -> None:
    told = bring_on(third(first))
    assert the(told, HauntRolled).seat == first
    assert the(told, HauntBegun).revealer == first


@pytest.mark.rule("3E-HROLL-005", case=1)
def test_the_ninth_omen_begins_the_haunt_without_a_roll() -> None:
    table = third(scenario="for-sale")
    table.hold(1, *(card for card in table.rules.pack.decks["omen"] if card != "dog"))
    table.turn(0)
    told = discover(table, "ballroom", omen="dog")
    assert not events(told, DiceRolled)
    assert the(told, HauntRolled).begins
    assert (the(told, HauntBegun).number, the(told, HauntBegun).revealer) == (4, 0)


@pytest.mark.rule("3E-HROLL-006", case=1)
def test_a_tile_with_an_omen_after_the_last_omen_gives_none_and_the_turn_ends() -> None:
    table = third()
    table.hold(1, *table.rules.pack.decks["omen"])
    table.turn(0)
    told = discover(table, "ballroom")
    assert not events(told, CardDrawn)
    assert not events(told, HauntRolled)
    assert table.state.haunt is None
    assert table.seat == 1


def in_the_haunt() -> Table:
    """A haunt without setup in which seat 1 is the traitor, in the turn of seat 0."""
    table = third(game=rules_with("third-edition", haunt=QUIET))
    table.haunt("h", traitor=1)
    return table


@pytest.mark.rule("3E-HROLL-007", case=1)
def test_a_hero_who_discovers_an_omen_in_the_haunt_rolls_for_nothing() -> None:
    table = in_the_haunt()
    told = discover(table, "ballroom", omen="dog")
    assert the(told, CardGained).card == "dog"
    assert not events(told, HauntRolled)


@pytest.mark.rule("3E-HROLL-007", case=2, asserts=True)
def test_an_event_that_offers_a_haunt_roll_takes_its_other_branch_in_the_haunt() -> None:
    table = in_the_haunt()
    told = discover(table, "kitchen", event="eerie-mirror", item="machete")
    assert "machete" in table.explorer(0).cards
    assert not events(told, HauntRolled)


@pytest.mark.rule("3E-HROLL-007", case=3)
def test_the_last_omen_drawn_in_the_haunt_begins_no_second_one() -> None:
    table = in_the_haunt()
    table.hold(2, *(card for card in table.rules.pack.decks["omen"] if card != "dog"))
    table.turn(0)
    told = discover(table, "ballroom", omen="dog")
    assert "dog" in table.explorer(0).cards
    assert not events(told, HauntBegun)


def offered_roll(event: str, faces: tuple[int, ...], omens: int) -> tuple[Table, list[Told]]:
    """Seat 0 draws an event that offers a haunt roll and takes it, after so many omens."""
    table = third()
    table.hold(1, *table.rules.pack.decks["omen"][:omens])
    table.turn(0)
    table.draw(0, "event", event)
    return table, table.rolls(faces).choose(0, "yes")


@pytest.mark.rule("3E-HROLL-008", case=1)
def test_an_event_begins_the_haunt_that_it_names_with_its_drawer_as_revealer() -> None:
    table, told = offered_roll("a-splash-of-crimson", (2, 2, 1, 0), 4)
    begun = the(told, HauntBegun)
    assert (begun.number, begun.revealer, begun.omen) == (1, 0, "")
    assert table.view(2).haunt is not None


@pytest.mark.rule("3E-HROLL-008", case=2, asserts=True)
def test_a_low_roll_for_an_event_begins_nothing_and_the_event_says_what_follows() -> None:
    table, told = offered_roll("a-splash-of-crimson", (2, 1, 1, 0), 4)
    assert not events(told, HauntBegun)
    assert the(told, TraitChanged).trait == "speed"
    assert table.state.haunt is None


@pytest.mark.rule("3E-HROLL-008", case=3, asserts=True)
def test_without_an_omen_an_events_haunt_roll_is_nothing() -> None:
    table, told = offered_roll("a-splash-of-crimson", (), 0)
    rolled = the(told, HauntRolled)
    assert (rolled.omens, rolled.total, rolled.begins) == (0, 0, False)
    assert table.state.haunt is None


# -- the revealer's turn is over first ------------------------------------------------------------------------------------------


def haunt_in_the_furnace_room(**spaces: int) -> tuple[Table, list[Told]]:
    """Seat 0, with these traits, discovers the Furnace Room, whose event begins the haunt."""
    table = third(game=leading_to(rules_with("third-edition", haunt=QUIET), "h", number=7))
    table.put(0, "basement-landing")
    table.clips(0, **spaces)
    table.hold(1, "mask", "ring", "book")
    table.turn(0)
    discover(table, "furnace-room", event="eerie-mirror")
    return table, table.rolls((2, 2, 1)).choose(0, "yes")


@pytest.mark.rule("3E-TURN-007", case=5)
def test_the_furnace_harms_before_the_introduction_of_the_haunt() -> None:
    table, told = haunt_in_the_furnace_room()
    assert CardDiscarded in kinds(told), "the event is buried first"
    assert table.asked(0).kind == "allocation"
    told = table.allocate(0, might=1)
    told += table.choose(0, "accept")
    order = kinds(told)
    assert order.index(TraitChanged) < order.index(HauntBegun) < order.index(TextTold)


@pytest.mark.rule("3E-TURN-007", case=5)
def test_the_furnace_can_not_kill_whose_event_begins_the_haunt() -> None:
    table, told = haunt_in_the_furnace_room(might=1, speed=1)
    assert HauntBegun in kinds(told)
    assert table.explorer(0).alive
    assert table.explorer(0).at[:2] == [1, 1]


@pytest.mark.rule("3E-HPLAY-003", case=1)
def test_the_first_haunt_turn_is_that_of_the_next_player_after_the_revealer() -> None:
    table = begun(first=1)
    get_ready(table)
    turns = [table.seat]
    for _ in range(2):
        table.end_turn()
        turns.append(table.seat)
    assert turns == [2, 0, 1]


# -- who is the traitor -----------------------------------------------------------------------------------------------------------


def traitor_by(
    rule: str, *, seats: int = 4, revealer: int = 1, scene: Callable[[Table], None] = lambda _: None
) -> list[Told]:
    """What is told when a haunt whose traitor is named so is revealed, after a scene was set."""
    rules = leading_to(rules_with("third-edition", haunt=QUIET), "h", number=4, traitor=rule)
    table = third(revealer, scenario="for-sale", seats=seats, game=rules)
    scene(table)
    table.turn(revealer)
    told = bring_on(table)
    (traitor,) = [one.seat for one in events(told, SideTold) if one.side == "traitor"]
    assert table.asked(traitor).about == "traitor"
    return told


def named(told: list[Told]) -> int:
    """The seat that is named as the traitor."""
    return next(one.seat for one in events(told, SideTold) if one.side == "traitor")


@pytest.mark.rule("3E-SCEN-002", case=1)
@pytest.mark.rule("3E-TIE-001", case=1)
def test_the_scenario_s_entry_may_name_the_revealer_as_the_traitor() -> None:
    assert named(traitor_by("{revealer: true}")) == 1


@pytest.mark.rule("3E-SCEN-002", case=1)
def test_the_scenario_s_entry_may_name_whoever_has_the_highest_might() -> None:
    assert named(traitor_by("{highest: might}", scene=lambda table: table.clips(2, might=8))) == 2


@pytest.mark.rule("3E-TIE-002", case=1)
def test_the_highest_knowledge_of_4_6_and_5_is_6() -> None:
    def scene(table: Table) -> None:
        for seat, value in enumerate((4, 6, 5)):
            table.traits(seat, knowledge=value)

    assert named(traitor_by("{highest: knowledge}", seats=3, revealer=0, scene=scene)) == 1


def tied(*seats: int) -> Callable[[Table], None]:
    """These seats share the top space of Sanity."""

    def scene(table: Table) -> None:
        highest = min(table.explorer(seat).tracks[2][8] for seat in seats)
        for seat in range(table.state.seats):
            if seat in seats:
                table.traits(seat, sanity=highest)
            else:
                table.clips(seat, sanity=1)

    return scene


@pytest.mark.rule("3E-TIE-003", case=1)
def test_of_the_one_before_and_the_one_two_after_the_revealer_the_latter_is_the_traitor() -> None:
    assert named(traitor_by("{highest: sanity}", scene=tied(0, 3))) == 3


@pytest.mark.rule("3E-TIE-003", case=2)
def test_a_revealer_who_is_tied_is_the_traitor() -> None:
    assert named(traitor_by("{highest: sanity}", scene=tied(1, 2))) == 1


@pytest.mark.rule("3E-TIE-003", case=3)
def test_where_the_revealer_is_left_out_the_next_one_of_the_tied_is_the_traitor() -> None:
    assert named(traitor_by("{highest: sanity, besides-revealer: true}", scene=tied(0, 1, 2))) == 2


@pytest.mark.rule("3E-TIE-003", case=4)
def test_most_omens_are_tied_like_traits() -> None:
    def scene(table: Table) -> None:
        table.hold(0, "armor", "ring")
        table.hold(2, "mask", "book")

    rules = leading_to(rules_with("third-edition", haunt=QUIET), "h", number=43, traitor="{most-omens: true}")
    table = third(1, scenario="a-strange-disappearance", seats=3, game=rules)
    scene(table)
    table.turn(1)
    told = discover(table.rolls((2, 2, 2, 2, 2)), "ballroom", omen="dog")
    assert named(told) == 2


def test_whoever_holds_the_magic_camera_is_the_traitor_of_say_cheese() -> None:
    def reveal(holder: int | None) -> int:
        rules = leading_to(
            rules_with("third-edition", haunt=QUIET),
            "h",
            number=33,
            traitor="{holds: magic-camera, otherwise: {revealer: true}}",
        )
        table = third(seats=4, game=rules)
        if holder is not None:
            table.hold(holder, "magic-camera")
        table.hold(1, "mask", "ring", "book")
        table.turn(0)
        table.draw(0, "event", "say-cheese")
        return named(table.rolls((2, 2, 1)).choose(0, "yes"))

    assert (reveal(2), reveal(None)) == (2, 0)


def test_the_oldest_is_the_traitor_where_the_entry_says_so() -> None:
    assert named(traitor_by("{oldest: true}", seats=5)) == 3


@pytest.mark.rule("3E-TIE-004", case=1)
def test_the_player_on_the_revealer_s_left_is_the_traitor() -> None:
    assert named(traitor_by("{left-of-revealer: true}", seats=3, revealer=2)) == 0


# -- a reluctant traitor ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-TRAI-001", case=1)
def test_a_volunteer_takes_the_place_of_a_reluctant_traitor() -> None:
    table = begun()
    table.choose(0, "decline")
    table.choose(1, "volunteer")
    told = table.choose(2, "pass")
    assert the(told, TraitorReplaced).volunteer == 1
    assert [table.explorer(seat).side for seat in range(3)] == ["heroes", "traitor", "heroes"]
    assert "traitor.book" in texts(table, 1)
    assert "heroes.book" in texts(table, 0)


def test_nothing_of_the_haunt_is_read_while_its_traitor_is_being_found() -> None:
    counted = QUIET.replace("{title: Hours}", "{title: Hours, public: true}")
    table = begun(counted.replace("kind: one-traitor", "kind: one-traitor\n      stealing: {granted: true}"))

    def known() -> tuple[list[str], bool, list[str], list[str], bool]:
        haunt = view_of(table.rules, table.view(2), seat_bit(2)).haunt
        book = book_of(table.rules, table.view(2), seat_bit(2))
        assert haunt is not None
        assert book is not None
        titles = [[one.title for one in found] for found in (haunt.counters, book.counters, haunt.needed)]
        return titles[0], haunt.stealing is not None, titles[1], titles[2], bool(book.rules)

    assert known() == ([], False, [], [], False)
    table.choose(0, "accept")
    assert known() == (["Hours"], True, ["Hours"], ["Salt", "Ash"], True)


@pytest.mark.rule("3E-TRAI-001", case=2)
def test_where_nobody_volunteers_the_reluctant_one_stays_the_traitor() -> None:
    table = begun()
    table.choose(0, "decline")
    table.choose(2, "pass")
    told = table.choose(1, "pass")
    assert not events(told, TraitorReplaced)
    assert table.explorer(0).side == "traitor"
    assert "traitor.book" in texts(table, 0)


@pytest.mark.rule("3E-TRAI-001")
def test_of_several_volunteers_the_table_decides() -> None:
    table = begun(seats=4)
    table.choose(0, "decline")
    for seat, answer in ((3, "volunteer"), (1, "pass"), (2, "volunteer")):
        table.choose(seat, answer)
    assert (table.asked(0).about, table.asked(0).options) == ("volunteers", ["seat:2", "seat:3"])
    assert the(table.choose(0, "seat:3"), TraitorReplaced).volunteer == 3


@pytest.mark.rule("3E-TRAI-001")
def test_nothing_of_the_haunt_is_read_before_the_traitor_is_get_readyd_and_then_it_is_too_late() -> None:
    early = third(scenario="for-sale", game=leading_to(rules_with("third-edition", haunt=QUIET), "h", number=4))
    with early.refuses("3E-TRAI-001", problem="decision-closed", says="too early"):
        early.play(2, Choose(decision="d1", option="volunteer"))
    table = begun()
    table.choose(0, "decline")
    late = table.asked(2).id
    assert [texts(table, seat) for seat in range(3)] == [[], [], []]
    table.choose(1, "pass")
    table.choose(2, "pass")
    with table.refuses("3E-TRAI-001", problem="decision-closed", says="too late"):
        table.play(2, Choose(decision=late, option="volunteer"))


@pytest.mark.rule("3E-TRAI-002", case=1)
def test_the_figures_change_places_without_entering_or_leaving() -> None:
    table = third(scenario="for-sale", game=leading_to(rules_with("third-edition", haunt=QUIET), "h", number=4))
    table.put(1, "hallway")
    table.turn(0)
    bring_on(table)
    table.choose(0, "decline")
    table.choose(1, "volunteer")
    told = table.choose(2, "pass")
    assert (the(told, FiguresSwapped).first, the(told, FiguresSwapped).second) == (0, 1)
    assert (table.explorer(0).room, table.explorer(1).room) == ("hallway", "ballroom")
    assert not events(told, Moved)


def test_the_swap_sets_off_no_text_of_rooms_or_tokens() -> None:
    trapped = """
      id: trapped
      title: Trapped Room
      floors: [ground]
      doors: [north, east, south, west]
      symbols: []
      on:
        - {when: entered, for: everyone, do: [{lose: {trait: might}}]}
        - {when: left, for: everyone, do: [{lose: {trait: might}}]}
    """
    table = third(
        scenario="for-sale", game=leading_to(rules_with("third-edition", haunt=QUIET, tile=trapped), "h", number=4)
    )
    table.lay("trapped", "ground", 0, -1)
    table.put(1, "trapped")
    table.turn(0)
    bring_on(table)
    before = [table.explorer(seat).at for seat in range(3)]
    table.choose(0, "decline")
    table.choose(1, "volunteer")
    table.choose(2, "pass")
    assert table.explorer(0).room == "trapped"
    assert [table.explorer(seat).at for seat in range(3)] == before


@pytest.mark.rule("3E-TRAI-003", case=1)
@pytest.mark.parametrize("traitor", ["{revealer: true}", "{left-of-revealer: true}"])
def test_the_omen_that_began_the_haunt_goes_to_the_volunteer_from_whoever_holds_it(traitor: str) -> None:
    table = begun(traitor=traitor, seats=4)
    named_ = next(one.seat for one in table.state.open.values())
    others = list(table.explorer(named_).cards)
    table.choose(named_, "decline")
    for decision in list(table.state.open.values()):
        table.choose(decision.seat, "volunteer" if decision.seat == 3 else "pass")
    assert "dog" in table.explorer(3).cards
    assert "dog" not in table.explorer(0).cards
    assert table.explorer(named_).cards == [card for card in others if card != "dog"]


@pytest.mark.rule("3E-TRAI-003", case=2, asserts=True)
def test_where_an_event_began_the_haunt_no_card_changes_hands() -> None:
    table, _ = haunt_in_the_furnace_room(might=1, speed=1)
    held = [table.explorer(seat).cards for seat in range(3)]
    table.choose(0, "decline")
    table.choose(1, "volunteer")
    told = table.choose(2, "pass")
    assert the(told, TraitorReplaced).volunteer == 1
    assert [table.explorer(seat).cards for seat in range(3)] == held
    assert "eerie-mirror" not in table.state.cards_about()


@pytest.mark.rule("3E-TIE-004", case=2)
def test_a_revealer_whom_the_haunt_leaves_out_can_t_volunteer_but_another_can() -> None:
    table = begun(traitor="{left-of-revealer: true}")
    table.choose(1, "decline")
    assert not table.is_asked(0)
    with table.refuses("3E-TIE-004", problem="not-your-decision"):
        table.play(0, Choose(decision=table.asked(2).id, option="volunteer"))
    assert the(table.choose(2, "volunteer"), TraitorReplaced).volunteer == 2


def test_nobody_is_asked_to_volunteer_where_that_would_tell_who_is_the_traitor() -> None:
    table = third(scenario="cursed")
    told = bring_on(table, "ring")
    assert the(told, HauntBegun).hidden
    assert {one.about for one in table.state.open.values()} == {"haunt"}


# -- reading and setting up -----------------------------------------------------------------------------------------------------------


LAID = two_books(heroes="[{place-token: {token: salt, at: here}}]", traitor="[{place-token: {token: ash, at: here}}]")
"""Each side lays a token."""
CHOSEN = two_books(
    heroes="[{place-token: {token: salt, at: {on: [ground]}}}]",
    traitor="[{place-token: {token: ash, at: {on: [ground]}}}]",
)
"""Each side chooses where it lays one."""


@pytest.mark.rule("3E-START-001", case=1)
def test_what_was_not_read_aloud_of_a_book_only_its_side_reads() -> None:
    table = begun()
    get_ready(table)
    assert [table.explorer(seat).side for seat in range(3)] == ["traitor", "heroes", "heroes"]
    for seat in (1, 2):
        assert "heroes.book" in texts(table, seat)
        assert "traitor.book" not in texts(table, seat)
    assert "traitor.book" in texts(table, 0)
    assert "heroes.book" not in texts(table, 0)


@pytest.mark.rule("3E-START-003", case=2)
def test_a_book_shows_of_the_other_side_only_what_was_read_aloud() -> None:
    table = begun(LAID)
    get_ready(table)
    for seat, other in ((0, "heroes"), (1, "traitor")):
        book = book_of(table.rules, table.view(seat), 1 << seat)
        assert book is not None
        assert [one.side for one in book.books] == ["traitor" if other == "heroes" else "heroes"]
        assert [(one.side, bool(one.story), bool(one.setup)) for one in book.aloud] == [
            ("heroes", True, True),
            ("traitor", True, True),
        ]
        goal = "Leave." if other == "heroes" else "Stay."
        assert goal not in msgspec.json.encode(book).decode()


@pytest.mark.rule("3E-START-004", case=1)
def test_the_heroes_introduction_is_the_first_that_anybody_reads_of_the_haunt() -> None:
    table = begun()
    told = table.choose(0, "accept")
    first = events(told, TextTold)[0]
    assert (first.side, first.text) == ("all", "heroes.story")
    for seat in range(3):
        assert texts(table, seat)[0] == "heroes.story"
    haunt = view_of(table.rules, table.view(2), 1 << 2).haunt
    assert haunt is not None
    assert haunt.story.startswith("They hear it.")


@pytest.mark.rule("3E-START-005", case=1)
def test_the_traitor_sets_nothing_up_before_the_heroes_are_done() -> None:
    table = begun(CHOSEN)
    table.choose(0, "accept")
    asked = table.asked(1)
    assert asked.about.startswith("token:salt")
    assert "traitor.story" not in texts(table, 0)
    with table.refuses("3E-START-005", problem="decision-closed"):
        table.play(0, Choose(decision="d99", option="entrance-hall"))


@pytest.mark.rule("3E-START-005")
@pytest.mark.parametrize(
    "traitor, first, by",
    [("{revealer: true}", 0, 1), ("{revealer: true}", 2, 0), ("{left-of-revealer: true}", 0, 0)],
)
def test_a_hero_carries_out_the_heroes_setup(traitor: str, first: int, by: int) -> None:
    table = begun(CHOSEN, traitor=traitor, first=first)
    table.choose(table.state.haunt.traitor if table.state.haunt else -1, "accept")
    assert table.asked(by).about.startswith("token:salt")


@pytest.mark.rule("3E-START-005")
def test_a_revealer_whom_a_volunteer_replaces_carries_out_the_heroes_setup() -> None:
    table = begun(CHOSEN)
    table.choose(0, "decline")
    table.choose(1, "volunteer")
    table.choose(2, "pass")
    assert table.asked(0).about.startswith("token:salt")


@pytest.mark.rule("3E-START-006", case=1)
def test_the_traitor_s_introduction_is_read_to_all_after_the_heroes_setup() -> None:
    table = begun(LAID)
    told = table.choose(0, "accept")
    order = [one.event for one in told if isinstance(one.event, TokenPlaced | TextTold)]
    said = [one.token if isinstance(one, TokenPlaced) else one.text for one in order]
    assert said[:6] == ["heroes.story", "heroes.setup", "salt", "traitor.story", "traitor.setup", "ash"]
    for seat in range(3):
        assert "traitor.story" in texts(table, seat)


@pytest.mark.rule("3E-START-004", "3E-START-006")
def test_a_traitor_that_sets_up_first_reads_its_introduction_and_its_setup_before() -> None:
    table = begun(LAID.replace("kind: one-traitor", "kind: one-traitor\n      traitor-first: true"))
    told = table.choose(0, "accept")
    order = [one.event for one in told if isinstance(one.event, TokenPlaced | TextTold)]
    said = [one.token if isinstance(one, TokenPlaced) else one.text for one in order]
    assert said[:6] == ["heroes.story", "traitor.story", "traitor.setup", "ash", "heroes.setup", "salt"]


@pytest.mark.rule("3E-START-007", case=1)
def test_the_first_turn_waits_for_the_last_step_of_the_traitor_s_setup() -> None:
    table = begun(CHOSEN)
    table.choose(0, "accept")
    table.choose(1, "hallway")
    assert table.asked(0).about.startswith("token:ash")
    turn = table.state.turn.number + 1
    with table.refuses("3E-START-010", problem="decision-closed"):
        table.play(1, EndTurn(decision=f"turn-{turn}"))


@pytest.mark.rule("3E-START-008")
def test_nothing_but_readiness_is_awaited_while_the_sides_are_apart() -> None:
    table = begun()
    table.choose(0, "accept")
    assert [one.kind for one in table.state.open.values()] == ["ready"] * 3
    with table.refuses("3E-START-008", problem="decision-closed"):
        table.play(1, Choose(decision="d1", option="accept"))


@pytest.mark.rule("3E-START-009", case=1)
def test_both_setups_are_in_everybody_s_view_before_the_sides_part() -> None:
    table = begun(LAID)
    table.choose(0, "accept")
    for mask in (1, 2, 4, SPECTATORS):
        haunt = view_of(table.rules, table.roles[mask], mask).haunt
        assert haunt is not None
        assert not haunt.started
        assert ["Salt" in one.setup or "Ash" in one.setup for one in haunt.aloud] == [True, True]


@pytest.mark.rule("3E-START-010", case=1)
def test_no_turn_is_taken_between_steps_of_setup() -> None:
    table = begun(CHOSEN)
    table.choose(0, "accept")
    for seat in range(3):
        with table.refuses("3E-START-010", problem="decision-closed"):
            table.play(seat, Move(decision=table.now, to="hallway"))


@pytest.mark.rule("3E-START-010", case=2)
def test_setup_may_add_move_and_remove_tiles() -> None:
    steps = "{place-tile: {tile: catacombs}}, {place-tile: {tile: chapel}}, {move-tile: {tile: here, floor: own-first}}"
    table = begun(two_books(traitor=f"[{steps}, {{remove-tile: {{tile: chapel}}}}]"))
    old = table.state.rooms["ballroom"].floor, table.state.rooms["ballroom"].x, table.state.rooms["ballroom"].y
    table.choose(0, "accept")
    while table.asked(0).kind != "ready":
        with table.refuses("3E-START-010", problem="decision-closed"):
            table.play(1, Move(decision=table.now, to="hallway"))
        table.choose(0, next(option for option in table.asked(0).options if option != "stay"))
    assert "catacombs" in table.state.rooms
    told = [one for commit in table.commits for one in commit]
    assert {one.tile for one in events(told, TilePlaced)} >= {"catacombs", "chapel"}
    assert the(told, TileRemoved).tile == "chapel"
    assert "chapel" not in table.state.rooms
    moved = table.state.rooms["ballroom"]
    assert (moved.floor, moved.x, moved.y) != old


# -- then play goes on ------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-HPLAY-001", case=1, asserts=True)
def test_an_effect_on_all_explorers_is_one_on_the_traitor_too() -> None:
    event = """
      id: chill
      deck: event
      title: Chill
      text: All of you are cold.
      do: [{lose: {trait: might}, who: {each: explorer}}]
    """
    table = third(game=rules_with("third-edition", haunt=QUIET, card=event))
    table.haunt("h", traitor=1)
    before = [table.explorer(seat).at[0] for seat in range(3)]
    discover(table, "kitchen", event="chill")
    assert [table.explorer(seat).at[0] for seat in range(3)] == [at - 1 for at in before]


@pytest.mark.rule("3E-HPLAY-002", case=1)
@pytest.mark.parametrize("seat", [0, 1])
def test_heroes_and_traitor_move_discover_trade_and_use_cards_in_the_haunt(seat: int) -> None:
    table = third(game=rules_with("third-edition", haunt=QUIET))
    table.hold(seat, "book", "machete")
    table.haunt("h", traitor=1)
    table.turn(seat)
    assert table.offers(seat, Trade)
    table.swap(2, ["machete"])
    assert "machete" in table.explorer(2).cards
    table.move("hallway")
    (door, *_) = [one.door for one in table.offers(seat, Explore) if isinstance(one, Explore)]
    told = discover(table, "ballroom", door=door)
    assert table.explorer(seat).room == "ballroom"
    assert "3E-HPLAY-002" in {one.event.rule for one in told}


# -- a haunt from the players' own books --------------------------------------------------------------------------------------------------


def test_people_s_own_books_are_asked_for_by_number_and_title_of_all_fifty() -> None:
    chart = rules("third-edition").pack.chart
    sheets = {number: empty_sheet(chart, number) for number in range(1, 51)}
    assert (sheets[4].title, sheets[4].kind) == ("Free the Realtor", "no-traitor")
    assert (sheets[33].title, sheets[33].kind) == ("Smile for the Camera", "one-traitor")
    assert (sheets[3].kind, sheets[12].kind) == ("hidden-traitor", "free-for-all")
    assert all(sheet.title != f"Haunt {number}" for number, sheet in sheets.items())


@pytest.mark.parametrize(
    "omen, number, title", [("skull", 22, "Operation: Underground"), ("armor", 10, "A Serious Offer")]
)
def test_an_external_haunt_is_the_one_of_scenario_and_omen(omen: str, number: int, title: str) -> None:
    table = Table(FRIENDS, game=rules("third-edition"), options={"haunt": "external", "scenario": "for-sale"})
    told = bring_on(table, omen)
    assert (the(told, HauntBegun).haunt, the(told, HauntBegun).number) == ("external", number)
    for decision in list(table.state.open.values()):
        if decision.about == "traitor":
            table.choose(decision.seat, "accept")
    haunt = view_of(table.rules.of(table.view(0)), table.view(0), 1).haunt
    assert haunt is not None
    assert haunt.title == title
    table.all_ready()
    assert table.seat == 1


RIGHT = {"number": 22, "scenario": "for-sale", "trigger": "skull", "traitor-rule": {"left-of-revealer": True}}
"""What is printed over the haunt to which a skull leads in this scenario."""
SEALS = {"counters": {"seals": {"title": "Seals", "max": 3}}}


def reading() -> Table:
    """A haunt of the players' own book has begun, by a skull, and nobody is ready yet."""
    table = Table(FRIENDS, game=rules("third-edition"), options={"haunt": "external", "scenario": "for-sale"})
    bring_on(table, "skull")
    for decision in list(table.state.open.values()):
        if decision.about == "traitor":
            table.choose(decision.seat, "accept")
    return table


@pytest.mark.rule("3E-START-002", case=1)
@pytest.mark.parametrize(
    "part, printed",
    [
        ("scenario", "house-party"),
        ("trigger", "dog"),
        ("traitor-rule", {"revealer": True}),
        ("number", 23),
    ],
)
def test_a_haunt_whose_heading_differs_from_what_led_to_it_is_refused_and_nothing_of_it_shown(
    part: str, printed: object
) -> None:
    table = reading()
    before = [view_of(table.rules, state, who) for who, state in table.roles.items()]
    with pytest.raises(Refused) as caught:
        table.play(0, Enter(decision=BOOK, entry={**RIGHT, **SEALS, part: printed}))
    assert caught.value.rule == "3E-START-002"
    assert [where for where, _ in caught.value.errors] == [f"/entry/{part}"]
    assert "turned to haunt 22" in caught.value.detail
    assert [view_of(table.rules, state, who) for who, state in table.roles.items()] == before


def test_a_haunt_with_the_right_heading_can_be_entered() -> None:
    table = reading()
    told = table.play(0, Enter(decision=BOOK, entry={**RIGHT, **SEALS}))
    assert [one.rule for one in events(told, RuleApplied)] == ["3E-START-002"]
    entered = the(told, BookEntered)
    assert (set(entered.entry.counters), entered.entry.number, entered.entry.trigger) == ({"seals"}, None, None)
    assert view_of(table.rules.of(table.view(1)), table.view(1), 1).haunt.counters[0].name == "seals"  # type: ignore[union-attr]
