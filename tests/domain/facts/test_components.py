"""What is in the box, and what the words mean (rulebook: Game Components, Glossary)."""

import msgspec
import pytest

from content.errors import ContentErrors
from content.load.packs import builtin_packs, load_pack
from domain.evolve import redact
from domain.facts.audience import SPECTATORS, seat_bit
from domain.facts.commands import Act, Attack, Drop, Move, PickUp, Trade
from domain.facts.events import (
    ActionTaken,
    CardGained,
    CardLost,
    CounterMoved,
    DamageTaken,
    DiceRolled,
    Event,
    ExplorerAttacked,
    Moved,
    TileMoved,
    Told,
    TradeProposed,
)
from domain.facts.state import MODERATOR
from projections.view.game import GameView, view_of
from tests.domain.rulebook.haunt.test_beginning import reveal
from tests.domain.rulebook.haunt.test_own_book import enter, started
from tests.support.packs import pack, rules_with
from tests.support.table import FOUR, Table, events, the

BOX = pack("second-edition")

GRAVEYARD_SHIFT = """
  id: graveyard-shift
  title: Graveyard Shift
  stage: draft
  kind: one-traitor
  story: S
  monsters:
    zombie: {title: Zombie, might: 5, speed: 2, color: green}
    dracula: {title: Dracula, size: large, might: 7, speed: 4}
  heroes:
    story: S
    goal: G
    actions:
      - word: MARK
        target: {each: character, in: here, besides-you: true}
        do: [{roll: {trait: might}, who: target, outcomes: {0+: []}}]
      - {word: US, do: [{roll: {trait: might}, who: {each: explorer, in: here}, outcomes: {0+: []}}]}
  traitor-book: {story: S, goal: G}
"""


def views(table: Table) -> list[GameView]:
    """What each role sees: seats, spectators, referee."""
    return [view_of(table.rules, role, mask) for mask, role in table.roles.items()]


# -- 2E-COMP: Game Components --------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-COMP-002", case=2, asserts=True)
def test_after_setup_42_tiles_are_in_the_stack() -> None:
    assert [view.decks["tiles"].size for view in views(Table())] == [42] * 5


@pytest.mark.rule("2E-COMP-004", case=1, asserts=True)
def test_eight_dice_are_rolled_and_show_eight_faces() -> None:
    table = Table()
    table.clips(0, might=8)
    table.hold(0, "spear")
    table.haunt("the-bell-below", traitor=1)

    told = table.rolls([1] * 8, [0, 0, 0]).attack(1, "spear")

    assert len(events(told, DiceRolled)[0].faces) == 8


@pytest.mark.rule("2E-COMP-004", asserts=True)
@pytest.mark.parametrize("source", ["tape", "moderator"])
def test_nine_dice_are_rolled_in_full_where_no_text_names_a_maximum(source: str) -> None:
    """Knowledge 8, and 1 die more for the Book: the dice in the box are no limit."""
    table = Table(("ox-bellows", "professor-longfellow", "jenny-leclerc"), first=1)
    table.lay("charred-room", "ground", 1, 0)
    table.put(1, "charred-room")
    table.hold(1, "book")
    table.clips(1, knowledge=8)
    table.haunt("the-unquiet-name", traitor=0)
    table.turn(1)
    assert table.value(1, "knowledge") == 8

    if source == "tape":
        told = table.rolls([1] * 9).act("haunt:heroes", "SPELL")
    else:
        table.fate.pending = True
        table.act("haunt:heroes", "SPELL")
        with table.refuses(problem="chance-misfit"):
            table.moderate([1] * 8)
        told = table.moderate([1] * 9)

    assert (the(told, DiceRolled).faces, the(told, DiceRolled).total) == ([1] * 9, 9)


@pytest.mark.rule("2E-COMP-005", case=1, asserts=True)
def test_after_setup_the_stacks_hold_13_omens_22_items_and_45_events() -> None:
    for view in views(Table()):
        assert [view.decks[deck].size for deck in ("omen", "item", "event")] == [13, 22, 45]


@pytest.mark.rule("2E-COMP-006", case=1, asserts=True)
def test_149_tokens_are_of_five_kinds() -> None:
    box = BOX.head.components
    assert box is not None
    assert box.tokens == {"large-monster": 12, "small-monster": 91, "event-or-room": 14, "item": 14, "trait-roll": 18}
    assert sum(box.tokens.values()) == 149


@pytest.mark.rule("2E-COMP-007", case=1, asserts=True)
def test_three_zombies_of_one_color_have_three_numbers_for_all_to_see() -> None:
    table = Table(game=rules_with(haunt=GRAVEYARD_SHIFT))
    table.haunt("graveyard-shift", traitor=1)
    for number in (1, 2, 3):
        table.monster(f"zombie-{number}", "foyer")

    for view in views(table):
        assert [(one.title, one.color) for one in view.monsters] == [
            (f"Zombie {number}", "green") for number in (1, 2, 3)
        ]


@pytest.mark.rule("2E-COMP-007", case=3, asserts=True)
def test_two_item_piles_carry_two_numbers_and_keep_them() -> None:
    table = Table()
    table.hold(0, "axe", "bottle")
    table.turn(0)
    table.drop("axe")
    table.move("foyer")
    table.turn(0)
    table.drop("bottle")
    assert [{pile.room: pile.number for pile in view.piles} for view in views(table)] == [
        {"entrance-hall": 1, "foyer": 2}
    ] * 5

    table.put(1, "foyer")
    table.hold(1, "armor")
    table.turn(1)
    table.drop("armor")
    assert {pile.room: pile.number for pile in views(table)[0].piles} == {"entrance-hall": 1, "foyer": 2}

    table.put(2, "entrance-hall")
    table.turn(2)
    table.pick_up("axe")
    assert {pile.room: pile.number for pile in views(table)[0].piles} == {"foyer": 2}


@pytest.mark.rule("2E-COMP-008", case=1)
def test_a_task_that_succeeds_shows_one_trait_roll_token_more() -> None:
    table = Table()
    table.haunt("the-gnawing-tide", traitor=1)
    table.token("nest", "entrance-hall")

    def verses(view: GameView) -> int:
        assert view.haunt is not None
        return next(one.value for one in view.haunt.counters if one.name == "verses")

    before = verses(view_of(table.rules, table.view(0), seat_bit(0)))
    table.act("haunt:heroes", "CHANT")
    told = table.rolls([2, 2, 1]).choose(0, "sanity")

    assert the(told, CounterMoved).rule == "2E-COMP-008"
    assert verses(view_of(table.rules, table.view(0), seat_bit(0))) == before + 1


@pytest.mark.rule("2E-COMP-009", case=1, asserts=True)
def test_a_mystic_slide_stays_in_its_room_for_the_rest_of_the_game() -> None:
    table = Table()
    table.traits(0, speed=3)
    table.stack("tiles", "gardens")
    table.stack("event", "mystic-slide")

    def rooms() -> list[list[str]]:
        return [[here.room for here in view.tokens if here.token == "slide"] for view in views(table)]

    table.rolls([2, 2, 1, 0, 0]).explore("east")
    assert rooms() == [["gardens"]] * 5

    table.end_turn()
    table.move("gardens")
    table.rolls([2, 2, 1]).act("token:slide", "SLIDE")
    assert rooms() == [["gardens"]] * 5

    table.haunt("the-bell-below", traitor=1)
    assert rooms() == [["gardens"]] * 5
    table.die(0, 2)
    assert table.view(0).status == "finished"
    assert rooms() == [["gardens"]] * 5


@pytest.mark.rule("2E-COMP-011", case=1, asserts=True)
def test_a_haunt_gets_the_turn_damage_track_as_one_counter_and_no_second_one() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    ends = []
    for view in views(table):
        assert view.haunt is not None
        assert [(one.name, one.value) for one in view.haunt.counters if one.track] == [("strokes", 0)]
        ends.append(view.haunt.counters[0].max)
    assert ends == [None, 13, None, None, 13], "how many strokes it takes stands in the traitor's book"

    own = started()
    enter(own, MODERATOR, {"counters": {"hours": {"title": "Hours", "track": True}}}, "heroes")
    with own.refuses(problem="unfit-entry"):
        enter(own, MODERATOR, {"counters": {"wounds": {"title": "Wounds", "track": True}}}, "traitor")
    for view in views(own):
        assert view.haunt is not None
        assert [(one.name, one.track) for one in view.haunt.counters] == [("hours", True)]


# -- 2E-TERM: Terminology, Glossary --------------------------------------------------------------------------------------


@pytest.mark.rule("2E-TERM-001", case=1, asserts=True)
def test_explorer_traitor_and_monster_all_slide_down_the_coal_chute() -> None:
    table = Table()
    table.lay("coal-chute", "ground", 1, 0, turns=3)
    table.move("coal-chute")
    assert table.explorer(0).room == "basement-landing"

    table.haunt("the-bell-below", traitor=1)
    table.turn(1)
    table.move("coal-chute")
    assert table.explorer(1).room == "basement-landing"

    table.monster("sexton-1", "entrance-hall")
    table.turn(1, monsters=True)
    table.let_move(2, "sexton-1")
    table.move("coal-chute", monster="sexton-1")
    assert table.seen(0, "sexton-1").room == "basement-landing"


@pytest.mark.rule("2E-TERM-001", case=2, asserts=True)
def test_only_a_hero_rolls_for_staying_in_the_elevator() -> None:
    table = Table()
    table.lay("mystic-elevator", "ground", 1, 0, turns=3)
    for seat in (0, 1):
        table.put(seat, "mystic-elevator")
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "mystic-elevator")

    told = table.rolls([1, 1]).end_turn()
    assert the(told, DiceRolled).who == 0
    table.choose(0, "stay")

    table.turn(1)
    told = table.rolls([0] * 4).end_turn()
    assert [roll.kind for roll in events(told, DiceRolled)] == ["movement"], "the monsters' turn begins"
    assert table.state.turn.monsters
    told = table.end_turn()
    assert not events(told, DiceRolled)
    assert not events(told, TileMoved)


@pytest.mark.rule("2E-TERM-001", case=3, asserts=True)
def test_a_monster_at_an_open_doorway_discovers_nothing() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "entrance-hall")
    table.turn(1, monsters=True)
    table.let_move(2, "sexton-1")

    with table.refuses("2E-MON-017"):
        table.explore("east", monster="sexton-1")


@pytest.mark.rule("2E-TERM-002", case=1, asserts=True)
def test_a_rule_for_characters_takes_an_explorer_a_monster_and_a_haunts_own_opponent() -> None:
    table = Table(game=rules_with(haunt=GRAVEYARD_SHIFT))
    table.haunt("graveyard-shift", traitor=1)
    table.monster("zombie-1", "entrance-hall")
    table.monster("dracula-1", "entrance-hall")

    for target, might in ((1, 3), ("zombie-1", 5), ("dracula-1", 7)):
        told = table.rolls([0] * might).act("haunt:heroes", "MARK", target)
        assert the(told, DiceRolled).who == target

    told = table.rolls([0] * 5, [0] * 3, [0] * 4).act("haunt:heroes", "US")
    assert [one.who for one in events(told, DiceRolled)] == [0, 1, 2], "a narrower word takes that kind only"


@pytest.mark.rule("2E-TERM-003", case=1, asserts=True)
def test_in_the_haunt_a_text_for_all_explorers_hits_heroes_and_traitor() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.stack("tiles", "gardens")
    table.stack("event", "hideous-shriek")

    table.rolls([1, 0, 0], [1]).explore("east")
    table.allocate(0, sanity=1)
    table.rolls([1, 0, 0, 0, 0], [1], [1, 0, 0, 0], [1]).choose(1, "be-affected")
    table.allocate(1, sanity=1)
    table.allocate(2, sanity=1)

    damaged = [one.seat for commit in table.commits for one in events(commit, DamageTaken)]
    assert [table.explorer(seat).side for seat in damaged] == ["heroes", "traitor", "heroes"]


@pytest.mark.rule("2E-TERM-005", case=1, asserts=True)
def test_every_view_names_the_traitor() -> None:
    table = Table(options={"haunt": "the-bell-below"})
    reveal(table)
    for view in views(table):
        assert view.haunt is not None
        assert view.haunt.traitor == 0
        assert [one.side for one in view.explorers] == ["traitor", "heroes", "heroes"]


@pytest.mark.rule("2E-TERM-005", case=2, asserts=True)
def test_a_hidden_traitor_is_named_by_its_own_view_alone() -> None:
    table = Table(FOUR, options={"haunt": "the-hollow-guest"})
    table.picks("seat:2")
    reveal(table)
    for mask in (*map(seat_bit, range(4)), SPECTATORS):
        view = view_of(table.rules, table.roles[mask], mask)
        assert view.haunt is not None
        knows = mask == seat_bit(2)
        assert view.haunt.traitor == (2 if knows else None)
        assert ("traitor" in [one.side for one in view.explorers]) == knows


@pytest.mark.rule("2E-TERM-007", case=1, asserts=True)
def test_each_draw_takes_the_top_of_a_stack_and_the_rest_keeps_its_order() -> None:
    table = Table()
    table.stack("tiles", "bloody-room", "gardens", "patio")
    table.stack("item", "axe", "armor", "bell")

    def left(deck: str) -> list[str]:
        return [slot.face for slot in table.state.decks[deck].top]

    table.explore("east")
    assert table.explorer(0).room == "bloody-room"
    assert table.explorer(0).cards == ["axe"]
    assert (left("tiles"), left("item")) == (["gardens", "patio"], ["armor", "bell"])
    table.draw(0, "item")
    assert (table.explorer(0).cards, left("item")) == (["axe", "armor"], ["bell"])
    table.draw(0, "item")
    assert (table.explorer(0).cards, left("item")) == (["axe", "armor", "bell"], [])


@pytest.mark.rule("2E-SEC-002", case=1, asserts=True)
def test_what_is_done_is_seen_by_all_and_has_no_reason() -> None:
    """Whoever looks reads who did what, to whom and with what, and in no event or command is there a place for why."""
    table = Table()
    table.hold(0, "smelling-salts", "spear", "armor", "axe")
    table.pile("entrance-hall", "lucky-stone")
    table.put(2, "foyer")
    table.clips(1, knowledge=1)
    table.haunt("the-bell-below", traitor=1)
    deeds: list[tuple[list[Told], Event]] = [
        (
            table.act("card:smelling-salts", "HEAL", 1),
            ActionTaken(figure=0, source="card:smelling-salts", word="HEAL", target=1),
        ),
        (
            table.rolls([0] * 7, [1, 0, 0]).attack(1, "spear"),
            ExplorerAttacked(figure=0, target=1, trait="might", weapon="spear"),
        ),
    ]
    deeds += [
        (table.drop("axe"), CardLost(seat=0, card="axe")),
        (table.pick_up("lucky-stone"), CardGained(seat=0, card="lucky-stone")),
        (table.move("foyer"), Moved(figure=0, room="foyer", spent=2)),
        (table.trade(2, ["armor"]), TradeProposed(seat=0, partner=2, gives=["armor"], wants=[])),
    ]
    for told, deed in deeds:
        (shown,) = [one for one in told if isinstance(one.event, type(deed))]
        assert msgspec.structs.replace(shown.event, rule="") == deed
        for mask in table.roles:
            assert shown in redact(told, mask), f"{mask} is not told of {deed}"
    for command in (Act, Attack, Drop, PickUp, Move, Trade):
        assert not {"why", "reason", "purpose", "note", "text"} & set(command.__struct_fields__)


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
