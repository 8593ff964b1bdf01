"""Traitors without a figure, the dead who change sides, monsters that play on (rulebook: The Haunt, Death)."""

from collections.abc import Sequence

import pytest

from domain.facts.commands import Act, Attack, EndTurn
from domain.facts.events import ExplorerDied, ExplorerRemoved, GameEnded, SideChanged, TextTold, TurnStarted
from domain.facts.state import State
from projections.view.haunts import haunt_of
from tests.support.packs import rules_with
from tests.support.table import FOUR, THREE, Table, events, heard, the

TURNS_TO_MIST = """
  id: mist
  title: Mist
  stage: draft
  kind: one-traitor
  traitor: {revealer: true}
  story: S
  counters: {chill: {title: Chill}}
  monsters:
    mist: {title: Mist, speed: 3, might: 3}
  heroes: {story: S, goal: G, wins-when: {dead: traitor}, because: It is gone.}
  traitor-book:
    story: S
    goal: G
    right-now:
      - {place-monster: {kind: mist, at: here}}
      - {remove: you}
    actions:
      - {word: CHILL, once: {per: turn}, do: [{count: {counter: chill, by: 1}}]}
    on:
      - {when: turn-started, for: traitor, do: [{count: {counter: chill, by: 1}}]}
"""


def mist(explorers: Sequence[str] = THREE, *, traitor: int = 0) -> Table:
    """A haunt begins whose traitor, with an Axe, turns to mist at once."""
    table = Table(explorers, first=traitor, game=rules_with(haunt=TURNS_TO_MIST), options={"haunt": "mist"})
    table.hold(traitor, "axe")
    table.stack("tiles", "charred-room")
    table.stack("omen", "ring")
    table.explore("east")
    table.lay_anyhow()
    table.rolls([0] * 6).end_turn()
    table.all_ready()
    return table


def counter(state: State, name: str) -> int:
    """A counter of the haunt."""
    assert state.haunt is not None
    return state.haunt.counters[name]


@pytest.mark.rule("2E-HTURN-004", case=1)
def test_a_traitor_without_a_figure_still_has_its_turn_after_all_heroes() -> None:
    """Seats A B C D, traitor B."""
    table = mist(FOUR, traitor=1)
    order = []
    for _ in range(6):
        order.append((table.seat, table.state.turn.monsters))
        table.fate.dice = [(1, 1, 1)]
        table.end_turn()

    assert order == [(2, False), (3, False), (0, False), (1, False), (1, True), (2, False)]


@pytest.mark.rule("2E-HTURN-004")
def test_a_traitor_without_a_figure_does_only_what_its_book_offers() -> None:
    table = mist()
    assert table.view(1).explorers[0].removed
    assert list(table.view(1).monsters) == ["mist-1"]
    assert table.view(1).piles[0].cards == ["axe", "ring"], "what it had lies where it was"
    table.end_turn()
    table.end_turn()
    chill = counter(table.view(0), "chill")
    assert chill == 1, "its turn has begun"

    assert table.offers(0) == [
        Act(decision=table.now, source="haunt:traitor", word="CHILL"),
        EndTurn(decision=table.now),
    ]
    with table.refuses("2E-HTURN-004"):
        table.move("foyer")
    table.act("haunt:traitor", "CHILL")

    assert counter(table.view(1), "chill") == chill + 1


def test_a_traitor_who_was_removed_is_not_dead() -> None:
    table = mist()
    assert table.state.status == "started"
    assert not events([told for commit in table.commits for told in commit], ExplorerDied)
    assert the([told for commit in table.commits for told in commit], ExplorerRemoved).seat == 0


DEAD_RISE = """
  id: rising
  title: Rising
  stage: draft
  kind: one-traitor
  story: S
  monsters:
    ghoul: {title: Ghoul, speed: 3, might: 3}
  heroes:
    story: S
    goal: G
    instead-of-death:
      - {heal: {traits: [might]}}
      - {change-side: traitor}
    actions:
      - {word: DIE, do: [{kill: you}]}
      - {word: WANE, do: [{lose: {trait: sanity, steps: 8}}]}
      - {word: WEAKEN, do: [{lose: {trait: might, steps: 8}}]}
  traitor-book:
    story: S
    goal: G
    actions:
      - {word: WANE, do: [{lose: {trait: sanity, steps: 8}}]}
      - {word: FADE, do: [{who: {each: monster}, change-side: heroes}]}
"""


def rising() -> Table:
    """A haunt in which heroes who would die join the traitor, seat 2; it is the turn of seat 0."""
    table = Table(game=rules_with(haunt=DEAD_RISE))
    table.haunt("rising", traitor=2)
    return table


@pytest.mark.rule("2E-DEATH-002", case=1)
def test_a_hero_whose_might_is_on_the_skull_changes_sides_and_drops_nothing() -> None:
    table = rising()
    table.hold(0, "axe", "girl")
    table.turn(0)

    told = table.act("haunt:heroes", "WEAKEN")

    assert (the(told, SideChanged).figure, the(told, SideChanged).rule) == (0, "2E-DEATH-002")
    assert not events(told, ExplorerDied)
    assert (table.explorer(0).alive, table.explorer(0).side) == (True, "traitor")
    assert table.explorer(0).cards == ["axe", "girl"]
    assert (table.view(0).piles, table.view(0).companions) == ([], {})
    haunt = haunt_of(table.rules, table.view(0))
    assert haunt is not None
    assert {book.side for book in haunt.books} == {"heroes", "traitor"}, "it keeps what it has read"
    assert [one.text for one in events(heard(told, 0), TextTold)] == ["traitor.book"]


@pytest.mark.rule("2E-DEATH-002", case=2, asserts=True)
def test_where_the_haunt_says_nothing_of_it_the_hero_dies() -> None:
    haunt = DEAD_RISE.replace(
        "    instead-of-death:\n      - {heal: {traits: [might]}}\n      - {change-side: traitor}\n", ""
    )
    table = Table(game=rules_with(haunt=haunt))
    table.haunt("rising", traitor=2)

    told = table.act("haunt:heroes", "WEAKEN")

    assert the(told, ExplorerDied).seat == 0
    assert not events(told, SideChanged)


@pytest.mark.rule("2E-DEATH-002", case=4, asserts=True)
def test_who_has_changed_sides_leaves_a_room_with_one_hero_for_two_spaces() -> None:
    table = rising()
    table.put(2, "foyer")
    table.traits(0, speed=4)
    table.turn(0)
    table.act("haunt:heroes", "WEAKEN")

    table.move("foyer")

    assert table.explorer(0).spent == 2


@pytest.mark.rule("2E-DEATH-002")
def test_a_hero_who_would_die_changes_sides_and_stays_in_play() -> None:
    table = rising()

    told = table.act("haunt:heroes", "WANE")

    assert not events(told, ExplorerDied)
    assert the(told, SideChanged).figure == 0
    explorer = table.explorer(0)
    assert (explorer.alive, explorer.side) == (True, "traitor")
    assert explorer.at[2] == 1, "the clip stands on the lowest number"
    assert table.seat == 0, "the turn goes on"
    assert "traitor.book" in table.view(0).texts
    assert "traitor.book" not in table.view(1).texts
    assert not any(isinstance(one.event, TextTold) for one in heard(told, 1))


def test_who_has_changed_sides_fights_the_heroes_and_acts_by_the_other_book() -> None:
    table = rising()
    table.act("haunt:heroes", "DIE")

    words = {one.word for one in table.offers(0) if isinstance(one, Act)}
    assert words == {"WANE", "FADE"}
    assert {one.target for one in table.offers(0) if isinstance(one, Attack)} == {1}
    table.turn(1)
    assert {one.target for one in table.offers(1) if isinstance(one, Attack)} == {0, 2}
    table.turn(2)
    with table.refuses("2E-ATK-004"):
        table.attack(0)


@pytest.mark.rule("2E-DEATH-002", case=3)
@pytest.mark.rule("2E-WIN-003")
def test_when_the_last_hero_has_changed_sides_the_traitor_has_won() -> None:
    table = rising()
    table.act("haunt:heroes", "DIE")
    table.turn(1)

    told = table.act("haunt:heroes", "DIE")

    assert [(one.alive, one.side) for one in table.state.explorers] == [(True, "traitor")] * 3
    assert (the(told, GameEnded).winner, the(told, GameEnded).rule) == ("traitor", "2E-WIN-003")


def test_those_of_the_traitors_side_die_as_ever() -> None:
    table = rising()
    table.act("haunt:heroes", "DIE")

    told = table.act("haunt:traitor", "WANE")

    assert the(told, ExplorerDied).seat == 0


def test_a_monster_that_changes_sides_is_attacked_by_those_it_served() -> None:
    table = rising()
    table.monster("ghoul-1", "entrance-hall")
    table.turn(2)
    with table.refuses("2E-ATK-004"):
        table.attack("ghoul-1")

    table.act("haunt:traitor", "FADE")

    assert table.seen(0, "ghoul-1").side == "heroes"
    assert table.rolls([0] * 4, [0] * 3).attack("ghoul-1")


PLAYS_ON = """
  id: nest
  title: Nest
  stage: draft
  kind: one-traitor
  story: S
  monsters:
    wasp: {title: Wasp, speed: 3, might: 3, dies: true}
    drone: {title: Drone, speed: 3, might: 1}
  heroes: {story: S, goal: G, actions: [{word: SMOKE, do: [{kill: {kind: wasp}}]}]}
  traitor-book:
    story: S
    goal: G
    plays-on: {count: {monsters: wasp}, at-least: 1}
"""


def nest(*monsters: str) -> Table:
    """A haunt whose monsters can win without their traitor, seat 2, as long as a wasp is left; the traitor is dead."""
    table = Table(game=rules_with(haunt=PLAYS_ON))
    table.haunt("nest", traitor=2)
    for name in monsters:
        table.monster(name, "upper-landing")
    table.die(2)
    return table


@pytest.mark.rule("2E-HTURN-005")
def test_monsters_that_can_still_win_keep_their_turn_after_the_traitors_death() -> None:
    table = nest("wasp-1")
    table.end_turn()

    table.fate.dice = [(1, 1, 1)]
    told = table.end_turn()

    started = the(told, TurnStarted)
    assert (started.seat, started.monsters) == (2, True)
    assert table.move("grand-staircase", monster="wasp-1")
    table.end_turn()
    table.turn(2, monsters=True)
    with table.refuses("2E-TURN-001"):
        table.play(0, EndTurn(decision=table.now))


@pytest.mark.rule("2E-HTURN-005", case=(1, 2))
@pytest.mark.parametrize("monster, order", [("wasp-1", [2, 3, 0, "monsters", 2]), ("drone-1", [2, 3, 0, 2, 3])])
def test_the_dead_traitors_monsters_have_their_turn_while_they_can_win(monster: str, order: list[int | str]) -> None:
    """Seats A B C D, B is the dead traitor: monsters that can win have a turn, others have none, and nobody has won by that."""
    table = Table(FOUR, game=rules_with(haunt=PLAYS_ON))
    table.haunt("nest", traitor=1)
    table.monster(monster, "upper-landing")
    table.die(1)
    table.turn(2)
    found: list[int | str] = []
    for _ in order:
        turn = table.state.turn
        found.append("monsters" if turn.monsters else turn.seat)
        assert not turn.monsters or turn.seat == 1, "the traitor's player runs them"
        table.fate.dice = [(1, 1, 1)]
        table.end_turn()

    assert found == order
    assert not [one for commit in table.commits for one in events(commit, GameEnded)]


@pytest.mark.rule("2E-HTURN-005")
def test_where_the_haunt_says_nothing_a_dead_traitors_monsters_have_no_turn() -> None:
    silent = PLAYS_ON.replace("    plays-on: {count: {monsters: wasp}, at-least: 1}\n", "")
    assert silent != PLAYS_ON
    table = Table(FOUR, game=rules_with(haunt=silent))
    table.haunt("nest", traitor=1)
    table.monster("wasp-1", "upper-landing")
    table.turn(0)
    assert (the(table.rolls([1, 1, 1]).end_turn(), TurnStarted).seat, table.state.turn.monsters) == (1, False)
    assert the(table.end_turn(), TurnStarted).monsters, "while the traitor lives they have theirs"
    table.turn(2)
    table.die(1)

    found = [the(table.end_turn(), TurnStarted) for _ in range(3)]

    assert [(one.seat, one.monsters) for one in found] == [(3, False), (0, False), (2, False)]
    assert found[-1].rule == "2E-HTURN-005"
    assert table.view(0).status == "started"


@pytest.mark.rule("2E-HTURN-005")
def test_monsters_that_can_win_no_more_lose_their_turn_and_the_heroes_go_on() -> None:
    table = nest("wasp-1", "drone-1")
    told = table.act("haunt:heroes", "SMOKE")
    assert not events(told, GameEnded)
    table.end_turn()

    started = the(table.end_turn(), TurnStarted)

    assert (started.seat, started.monsters, started.rule) == (0, False, "2E-HTURN-005")
