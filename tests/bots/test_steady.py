"""The steady bot: what it does on its turn and how it answers, scene by scene."""

from domain.facts.commands import (
    Act,
    Allocate,
    Attack,
    BreakFree,
    Choose,
    EndTurn,
    Explore,
    Loot,
    Move,
    PickUp,
    ProposeRuling,
    Reveal,
    Select,
)
from domain.facts.events import ExplorerHeld
from domain.facts.state import MonsterId
from service.bots.brain import Memory
from tests.bots.seated import does, sees, would
from tests.support.table import FOUR, Table, strewn
from tests.support.third import bring_on, haunted, third
from tests.support.third_haunts import DUEL, RIVALS, strike, table_in

BELL, TIDE, GUEST = "the-bell-below", "the-gnawing-tide", "the-hollow-guest"


# -- exploring and belongings -------------------------------------------------------------------------------------------


def test_it_explores_where_it_stands() -> None:
    assert isinstance(would(Table()), Explore)


def test_it_walks_to_the_nearest_doorway_into_the_unknown() -> None:
    table = Table()
    table.put(0, "grand-staircase")
    table.turn(0)

    assert would(table) in (Move(decision=table.now, to="foyer"), Move(decision=table.now, to="upper-landing"))


def test_it_ends_its_turn_when_there_is_nothing_left_to_do() -> None:
    table = Table()
    table.draw(0, "item")

    while not isinstance(would(table), EndTurn):
        does(table)

    assert table.explorer(0).stopped


def test_it_picks_up_everything_that_lies_there() -> None:
    table = Table()
    table.pile("entrance-hall", "axe", "idol")

    assert would(table) == PickUp(decision=table.now, cards=["axe", "idol"])


def test_it_takes_a_weapon_from_a_corpse_before_anything_else_there() -> None:
    table = haunted()
    table.hold(2, "map", "machete", "mirror")
    table.put(1, "upper-landing")
    table.die(2)
    table.turn(0)

    assert would(table) == Loot(decision=table.now, corpse=2, card="machete")


def test_it_opens_its_puzzle_box_once_a_turn() -> None:
    table = Table()
    table.hold(0, "puzzle-box")
    table.turn(0)
    table.rolls([0] * table.value(0, "knowledge"))

    assert does(table) == Act(decision=table.now, source="card:puzzle-box", word="OPEN")
    assert not isinstance(would(table), Act)


def test_it_leaves_the_safe_alone_when_it_is_weak() -> None:
    table = Table()
    table.token("safe", "entrance-hall")
    table.clips(0, might=1, speed=1)

    assert not isinstance(would(table), Act)


def test_it_frees_itself_and_others_who_are_held() -> None:
    table = Table()
    table.happen(ExplorerHeld(seat=1, card="webs", trait="might", at_least=4, tries_left=3))

    assert would(table) == BreakFree(decision=table.now, seat=1)


def test_it_mends_a_friend_who_has_suffered_but_not_a_scratch() -> None:
    table = Table()
    table.hold(0, "healing-salve")
    table.turn(0)
    assert not isinstance(would(table), Act)

    table.clips(1, might=1, speed=1)
    assert would(table) == Act(decision=table.now, source="card:healing-salve", word="HEAL", target=1)


def test_it_does_not_try_the_same_thing_for_ever() -> None:
    table = Table()
    view, _ = sees(table, 0)
    command = would(table)
    assert command is not None
    memory = Memory(seed="test").after(view, command).after(view, command)

    assert would(table, memory=memory) != command


# -- answers ------------------------------------------------------------------------------------------------------------


def test_damage_goes_where_most_is_left_above_the_skull() -> None:
    table = Table()
    table.clips(0, might=6, speed=2)
    table.haunt(BELL, traitor=1)
    table.monster("sexton-1", "entrance-hall", might=8)
    table.turn(1, monsters=True)
    table.let_move(3, "sexton-1")
    table.rolls([2, 2, 0, 0, 0, 0, 0, 0], [0] * table.value(0, "might"))
    table.attack(0, monster="sexton-1")

    assert would(table) == Allocate(decision=table.asked(0).id, points={"might": 4})


def test_it_agrees_to_what_people_settle_and_goes_on_with_its_turn() -> None:
    table = Table()
    table.play(1, ProposeRuling(decision="table", text="A dropped candle goes out."))
    assert would(table) == Choose(decision="ruling-1", option="agree")
    table.play(0, Choose(decision="ruling-1", option="agree"))
    assert would(table) != Choose(decision="ruling-1", option="agree")
    assert would(table, seat=2, brain="random") in table.offers(2)


def test_it_takes_gifts_and_swaps_nothing() -> None:
    table = Table()
    table.hold(0, "axe")
    table.hold(1, "idol")
    table.turn(0)
    table.trade(1, ["axe"])
    assert would(table, 1) == Choose(decision=table.asked(1).id, option="yes")
    table.choose(1, "no")

    table.trade(1, ["axe"], ["idol"])
    assert would(table, 1) == Choose(decision=table.asked(1).id, option="no")


def test_it_rolls_blanks_again() -> None:
    table = Table()
    table.hold(0, "rabbits-foot")
    table.token("safe", "entrance-hall")
    table.turn(0)
    table.rolls([1, 0, 2])
    table.act("token:safe", "OPEN")
    table.choose(0, "card:rabbits-foot#REROLL")

    assert would(table) == Select(decision=table.asked(0).id, chosen=[1])


def test_it_passes_reactions_that_are_not_worth_it() -> None:
    table = Table()
    table.hold(0, "lucky-stone")
    table.token("safe", "entrance-hall")
    table.turn(0)
    table.rolls([0, 0, 2])
    table.act("token:safe", "OPEN")

    assert would(table) == Choose(decision=table.asked(0).id, option="pass")


# -- the haunt ----------------------------------------------------------------------------------------------------------


def test_a_hero_does_the_work_of_the_book_where_it_can() -> None:
    table = Table()
    table.haunt(TIDE, traitor=1)
    table.put(1, "upper-landing")
    table.token("nest", "entrance-hall")
    table.turn(0)

    assert would(table) == Act(decision=table.now, source="haunt:heroes", word="CHANT")


def test_a_hero_goes_where_the_book_says() -> None:
    table = Table()
    table.haunt(TIDE, traitor=1)
    table.put(1, "basement-landing")
    table.token("nest", "upper-landing")
    table.turn(0)

    assert would(table) == Move(decision=table.now, to="foyer")


def test_a_hero_fetches_what_a_dead_one_has_lost_before_it_explores() -> None:
    table = Table()
    table.haunt(BELL, traitor=1)
    table.put(1, "basement-landing")
    table.pile("upper-landing", "clapper")
    table.turn(0)

    assert would(table) == Move(decision=table.now, to="foyer")


def test_who_carries_the_clapper_brings_it_to_the_rope() -> None:
    table = Table()
    table.haunt(BELL, traitor=1)
    table.put(1, "basement-landing")
    table.token("bell-rope", "entrance-hall")
    table.hold(0, "clapper")
    table.put(0, "foyer")
    table.turn(0)

    assert would(table) == Move(decision=table.now, to="entrance-hall")


def test_the_traitor_hunts_and_attacks_the_weak() -> None:
    table = Table()
    table.haunt(BELL, traitor=0)
    table.traits(0, might=6)
    table.put(1, "foyer")
    table.put(2, "foyer")
    table.turn(0)
    assert does(table) == Move(decision=table.now, to="foyer")

    table.clips(2, might=1, speed=1)
    assert would(table) == Attack(decision=table.now, target=2)


def test_nobody_attacks_against_long_odds() -> None:
    table = Table()
    table.haunt(BELL, traitor=1)
    table.clips(0, might=1)
    table.traits(1, might=6)

    assert not isinstance(would(table), Attack)


def test_monsters_run_towards_heroes_and_attack_them() -> None:
    table = Table()
    table.haunt(BELL, traitor=1)
    table.put(1, "basement-landing")
    table.put(2, "basement-landing")
    table.clips(0, might=1)
    table.monster("sexton-1", "grand-staircase")
    table.turn(1, monsters=True)
    table.let_move(3, "sexton-1")

    assert [does(table, 1) for _ in range(2)] == [
        Move(decision=table.now, to="foyer", monster=MonsterId("sexton-1")),
        Move(decision=table.now, to="entrance-hall", monster=MonsterId("sexton-1")),
    ]
    assert would(table, 1) == Attack(decision=table.now, target=0, monster=MonsterId("sexton-1"))


def test_a_hero_never_attacks_while_it_does_not_know_whom() -> None:
    table = Table(FOUR)
    table.haunt(GUEST, traitor=1)
    table.traits(0, might=6)
    for seat in (1, 2, 3):
        table.clips(seat, might=1)

    assert any(isinstance(command, Attack) for command in table.offers(0))
    assert not isinstance(would(table), Attack)


def test_the_hidden_traitor_reveals_in_company_on_its_own_turn() -> None:
    table = Table(FOUR)
    table.haunt(GUEST, traitor=1)
    assert would(table, 1) is None

    table.put(1, "upper-landing")
    table.turn(1)
    assert not isinstance(would(table, 1), Reveal)

    table.put(2, "upper-landing")
    assert would(table, 1) == Reveal(decision="reveal")


def test_the_hidden_traitor_does_not_do_the_heroes_work() -> None:
    table = Table(FOUR)
    table.haunt(GUEST, traitor=1)
    table.lay("balcony", "upper", 0, 1)
    table.lay("bedroom", "upper", 1, 0)
    table.put(1, "bedroom")
    table.turn(1)

    assert any(isinstance(command, Act) and command.word == "LIGHT" for command in table.offers(1))
    assert not isinstance(would(table, 1), Act)


# -- things thrown, rung and turned ---------------------------------------------------------------------------------------


def test_it_throws_dynamite_where_only_opponents_are() -> None:
    table = Table()
    table.hold(0, "dynamite")
    table.put(1, "foyer")
    table.haunt(BELL, traitor=1)
    table.put(2, "foyer")
    table.turn(0)
    assert not isinstance(would(table), Act)

    table.put(2, "entrance-hall")
    table.turn(0)
    assert would(table) == Act(decision=table.now, source="card:dynamite", word="THROW", target="foyer")


def test_it_turns_the_wall_where_no_way_leads_on() -> None:
    table = Table()
    table.lay("crypt", "basement", 3, 3)
    table.lay("storeroom", "basement", 3, 4, turns=2)
    table.token("wall-switch", "storeroom")
    table.token("wall-switch", "entrance-hall")
    table.put(0, "storeroom")
    table.turn(0)

    assert would(table) == Act(decision=table.now, source="token:wall-switch", word="TURN")


THRONE = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  tokens:
    - {id: throne, title: Throne, text: A seat.}
  heroes:
    story: S
    goal: G
    seek:
      - {token: throne, stay: true}
  traitor-book: {story: S, goal: G}
"""


def test_it_stays_where_the_book_tells_it_to_stay() -> None:
    table = strewn(THRONE, "throne", "entrance-hall")
    table.put(1, "foyer")
    assert isinstance(would(table), EndTurn)


MOLES = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  tokens:
    - {id: hill, title: Hill, text: Earth.}
  monsters:
    mole: {title: Mole, speed: 3, might: 2, explores: true}
  heroes: {story: S, goal: G}
  traitor-book:
    story: S
    goal: G
    seek:
      - {for: monsters, explore: true}
"""


def test_monsters_explore_where_the_book_sends_them_to_explore() -> None:
    table = strewn(MOLES, "hill", "upper-landing")
    table.monster("mole-1", "grand-staircase")
    table.turn(1, monsters=True)

    table.let_move(3, "mole-1")

    assert isinstance(does(table, 1), Move)  # to the nearest doorway into the unknown
    found = would(table, 1)
    assert isinstance(found, Explore)
    assert found.monster == MonsterId("mole-1")


def test_it_goes_where_it_is_to_stay() -> None:
    table = strewn(THRONE, "throne", "foyer")
    table.put(1, "upper-landing")
    assert would(table) == Move(decision=table.now, to="foyer")


# -- everybody against everybody ----------------------------------------------------------------------------------------


def test_in_a_free_for_all_it_serves_its_own_goal_and_attacks_whoever_it_can_beat() -> None:
    table = table_in(RIVALS)
    assert would(table) == Act(decision=table.now, source="haunt:traitor", word="DIG")

    start, end = RIVALS.index("    actions:"), RIVALS.index("    wins-when:")
    bare = table_in(RIVALS[:start] + RIVALS[end:])
    bare.traits(0, might=7)
    bare.clips(1, might=1, speed=1)
    bare.turn(0)
    assert would(bare) == Attack(decision=bare.now, target=1)


def test_in_a_free_for_all_it_weighs_an_attack_before_what_would_take_its_place() -> None:
    table = table_in(RIVALS.replace("{word: DIG, ", "{word: DIG, when: instead-of-attack, "))
    table.traits(0, might=7)
    table.clips(1, might=1, speed=1)
    table.turn(0)
    assert would(table) == Attack(decision=table.now, target=1)


def test_it_steals_an_item_where_a_hint_says_so_and_else_wounds() -> None:
    for seek, chosen in (("{foes: true, steal: true}", "map"), ("{foes: true}", "damage")):
        table = table_in(f"{DUEL}    seek: [{seek}]\n  stealing: {{granted: true}}\n", traitor=0)
        table.hold(1, "map")
        strike(table, 1, hit=3)
        assert would(table) == Choose(decision=table.asked(0).id, option=chosen)


def named_in_a_haunt(*, might: int) -> Table:
    """Seat 0 is named as the traitor, with Might and Speed at this space; all others have theirs at the fourth, seat 2 at the sixth."""
    table = third(scenario="paranormal-investigators")
    for seat, space in enumerate((might, 4, 6)):
        table.clips(seat, might=space, speed=space)
    bring_on(table, "dagger")
    return table


def test_the_weakest_leaves_being_the_traitor_to_the_strongest() -> None:
    table = named_in_a_haunt(might=1)
    assert would(table) == Choose(decision=table.asked(0).id, option="decline")
    does(table)
    assert would(table, 1) == Choose(decision=table.asked(1).id, option="pass")
    assert would(table, 2) == Choose(decision=table.asked(2).id, option="volunteer")


def test_whoever_is_not_the_weakest_accepts_being_the_traitor() -> None:
    table = named_in_a_haunt(might=5)
    assert would(table) == Choose(decision=table.asked(0).id, option="accept")
