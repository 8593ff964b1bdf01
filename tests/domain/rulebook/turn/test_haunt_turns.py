"""Turns in the haunt: who comes after whom, and what may be done (rulebook: The Haunt, On Your Turn)."""

import pytest

from domain.facts.audience import SPECTATORS
from domain.facts.commands import Move
from domain.facts.events import CardDrawn, HauntBegun, RuleApplied, TextTold, TurnStarted
from domain.rulebook.desk.taking_back import quiet
from tests.domain.rulebook.haunt.test_beginning import reveal, traitors
from tests.support.packs import rules_with
from tests.support.table import FOUR, Table, events, heard, the


def round_of(table: Table, turns: int) -> list[int | str]:
    """Whose turns follow each other; `monsters` for theirs."""
    found: list[int | str] = []
    for _ in range(turns):
        turn = table.state.turn
        found.append("monsters" if turn.monsters else turn.seat)
        table.fate.dice = [(1, 1, 1, 1)]
        table.end_turn()
    return found


@pytest.mark.rule("2E-HTURN-001", case=1)
def test_the_revealer_plays_again_at_once_where_the_traitor_sits_to_the_right() -> None:
    """Seats A B C D, revealer C, traitor B (number 39, the highest Speed besides the revealer): C, D, A, B."""
    table = Table(FOUR, first=2)
    table.clips(1, speed=8)
    told = reveal(table, "spear", "kitchen")
    assert (the(told, HauntBegun).revealer, traitors(told)) == (
        2,
        [1],
    )
    table.all_ready()

    assert round_of(table, 3) == [2, 3, 0]
    assert table.seat == 1


@pytest.mark.rule("2E-HTURN-001", case=2)
def test_who_began_the_game_does_not_begin_the_haunt() -> None:
    """Seats A B C D, A began, revealer D, traitor B: the first turn of the haunt is C's."""
    table = Table(FOUR, first=0)
    table.clips(1, speed=8)
    for _ in range(3):
        table.end_turn()
    told = reveal(table, "spear", "kitchen")
    assert (the(told, HauntBegun).revealer, traitors(told)) == (
        3,
        [1],
    )
    table.all_ready()

    assert table.seat == 2


@pytest.mark.rule("2E-HTURN-002", case=(1, 2, 3))
@pytest.mark.parametrize(
    "monster, dead, order",
    [
        (True, False, [2, 3, 0, 1, "monsters", 2]),
        (False, False, [2, 3, 0, 1, 2, 3]),
        (True, True, [3, 0, 1, "monsters", 3, 0]),
    ],
)
def test_a_round_is_heroes_traitor_monsters(*, monster: bool, dead: bool, order: list[int | str]) -> None:
    table = Table(FOUR)
    table.haunt("the-bell-below", traitor=1)
    if monster:
        table.monster("sexton-1", "upper-landing")
    if dead:
        table.die(2)
    table.turn(3 if dead else 2)

    assert round_of(table, 6) == order


@pytest.mark.rule("2E-HTURN-001", "2E-HTURN-002")
def test_the_first_turn_is_that_of_the_player_on_the_traitors_left_and_monsters_come_last() -> None:
    """Seats A B C D, traitor B: C, D, A, B, the monsters, and C again."""
    table = Table(FOUR, first=1, options={"haunt": "the-bell-below"})
    reveal(table)
    table.all_ready()

    assert round_of(table, 6) == [2, 3, 0, 1, "monsters", 2]


@pytest.mark.rule("2E-HTURN-002", case=5, asserts=True)
def test_the_traitor_does_not_move_its_explorer_in_the_monsters_turn() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=0)
    table.monster("sexton-1", "upper-landing")
    table.turn(0, monsters=True)
    table.let_move(2, "sexton-1")

    assert not [one for one in table.offers(0) if isinstance(one, Move) and one.monster is None]
    with table.refuses("2E-TPOW-008"):
        table.move("foyer")


@pytest.mark.rule("2E-HTURN-002", case=4, asserts=True)
@pytest.mark.rule("2E-TPOW-008")
def test_the_traitor_moves_no_monster_in_its_own_turn() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=0)
    table.monster("sexton-1", "entrance-hall")
    table.let_move(2, "sexton-1")

    with table.refuses("2E-TPOW-008"):
        table.move("foyer", monster="sexton-1")


@pytest.mark.rule("2E-HTURN-003", case=1)
def test_the_traitor_discovers_rooms_and_draws_like_anybody() -> None:
    table = Table()
    table.put(1, "foyer")
    table.put(2, "foyer")
    table.haunt("the-bell-below", traitor=0)
    table.stack("tiles", "bloody-room")
    table.stack("item", "axe")

    assert the(table.explore("east"), CardDrawn).card == "axe"


def test_the_dead_have_no_turn_and_a_dead_traitor_still_runs_the_monsters() -> None:
    table = Table(FOUR)
    table.haunt("the-bell-below", traitor=3)
    table.monster("sexton-1", "foyer")
    table.clips(1, might=0)
    table.clips(3, might=0)
    table.die(1, 3)

    assert round_of(table, 4) == [0, 2, "monsters", 0]


@pytest.mark.rule("2E-HTURN-005", "2E-WIN-004")
def test_after_the_traitors_death_the_monsters_go_on_and_may_win() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "foyer")
    table.die(2)
    table.counter("strokes", 12)
    table.end_turn()
    told = table.rolls([1, 1, 1, 1]).end_turn()
    assert the(told, TurnStarted).monsters

    table.end_turn()

    assert (table.view(0).status, table.view(0).winner) == ("finished", "traitor")


def test_rounds_are_counted_from_the_first_turn_of_the_haunt() -> None:
    table = Table(options={"haunt": "the-bell-below"})
    reveal(table)
    table.all_ready()
    haunt = table.view(1).haunt
    assert haunt is not None
    assert haunt.round == 1
    assert len([one for commit in table.commits for one in events(commit, TurnStarted) if one.round == 1]) == 1


@pytest.mark.rule("2E-SEC-003", case=(1, 2, 3), asserts=True)
@pytest.mark.parametrize("seat, faces, told_to", [(2, [1, 0, 0], [0, 2, 3]), (2, [0, 0, 0], []), (1, [1, 0, 0], [1])])
def test_what_a_hero_learns_all_heroes_learn_and_the_traitor_keeps_what_it_learns(
    seat: int, faces: list[int], told_to: list[int]
) -> None:
    """Seats A B C D, traitor B: a haunt in which either side may learn something by a roll of Knowledge."""
    haunt = """
      id: h
      title: H
      stage: draft
      kind: one-traitor
      story: S
      heroes:
        story: S
        goal: G
        texts: {secret: The key is under the stone.}
        actions:
          - word: STUDY
            do: [{roll: {trait: knowledge, task: true}, outcomes: {1+: [{tell: {side: heroes, text: secret}}], 0: []}}]
      traitor-book:
        story: S
        goal: G
        texts: {fear: They fear the bell.}
        actions:
          - word: LISTEN
            do: [{roll: {trait: knowledge, task: true}, outcomes: {1+: [{tell: {side: you, text: fear}}], 0: []}}]
    """
    table = Table(FOUR, game=rules_with(haunt=haunt))
    table.haunt("h", traitor=1)
    table.traits(1, knowledge=3)
    table.traits(2, knowledge=3)
    table.turn(seat)

    book, word = ("haunt:traitor", "LISTEN") if seat == 1 else ("haunt:heroes", "STUDY")
    told = table.rolls(faces).act(book, word)

    assert [one for one in range(4) if events(heard(told, one), TextTold)] == told_to
    assert not events([one for one in told if one.to & SPECTATORS], TextTold)
    learned = "fear" if seat == 1 else "secret"
    assert [one for one in range(4) if learned in table.view(one).texts] == told_to


LAIR = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  heroes: {story: S, goal: G}
  traitor-book:
    story: S
    goal: G
    actions:
      - {word: HIDE, do: [{choose-secret: {name: lair, words: [up, down]}}]}
      - {word: WHISPER, target: {each: hero}, do: [{tell: {side: you, secret: lair}, who: target}]}
"""


def test_a_secret_that_is_chosen_anew_is_known_no_longer() -> None:
    """Traitor B whispers to C where the lair is, then moves it: C must not take the old place for the new."""
    table = Table(FOUR, game=rules_with(haunt=LAIR))
    table.haunt("h", traitor=1)
    table.turn(1)

    table.act("haunt:traitor", "HIDE")
    table.choose(1, "up")
    assert [known(table, seat) for seat in range(4)] == ["", "up", "", ""]
    table.act("haunt:traitor", "WHISPER", target=2)
    assert [known(table, seat) for seat in range(4)] == ["", "up", "up", ""]
    table.act("haunt:traitor", "HIDE")
    table.choose(1, "down")
    assert [known(table, seat) for seat in range(4)] == ["", "down", "", ""]


def test_who_lets_somebody_know_a_secret_is_told_that_it_did() -> None:
    """So it knows why this can't be taken back; the others learn nothing."""
    table = Table(FOUR, game=rules_with(haunt=LAIR))
    table.haunt("h", traitor=1)
    table.turn(1)
    table.act("haunt:traitor", "HIDE")
    table.choose(1, "up")

    told = table.act("haunt:traitor", "WHISPER", target=2)

    assert [one.rule for one in events(heard(told, 1), RuleApplied)] == ["2E-SEC-003"]
    assert [seat for seat in (0, 3) if not quiet([one.event for one in heard(told, seat)])] == []


def known(table: Table, seat: int) -> str:
    """What a seat takes the secret for."""
    haunt = table.view(seat).haunt
    assert haunt is not None
    return haunt.secrets.get("lair", "")
