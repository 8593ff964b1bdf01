"""Pictures: a plan that shows who is where, which doors are open, and fits the terminal."""

import re

import msgspec
import pytest

from domain.facts.audience import SPECTATORS
from domain.facts.events import GameEnded
from domain.facts.state import State
from projections.text.picture import GUTTER, MARK, house_as_text, houses_as_text
from projections.text.post import status_post
from tests.projections.driver import play
from tests.support.table import Table

TINY = """\
Turn 2: Ox Bellows
Haunt: The Gnawing Tide   Verses of the rite: 2

Upper floor
┏━━━━╸ ? ╺━━━━━┓
╹Upper Landing ╹
?      $2      ?
╻              ╻
┗━━━━╸ ? ╺━━━━━┛

Ground floor
┏━━━━━━━━━━━━━━┓
┃    Grand     ┃
┃  Staircase   ┃
┃              ┃
┣━━━╸     ╺━━━━╋━━━━╸ ? ╺━━━━━┓
╹    Foyer     ╹   Statuary   ┃
?   3r (r4)    x   Corridor   ┃
╻              ╻              ┃
┣━━━╸     ╺━━━━╋━━━━╸ ? ╺━━━━━┛
╹Entrance Hall ╹
?  OB* JL [n]  ?
╻              ╻
┗━━━━━━━━━━━━━━┛

Basement
┏━━━━╸ ? ╺━━━━━┳━━━━━━━━━━━━━━┓
╹   Basement   ╹    Chasm     ╹
?   Landing          ¦ ZI     ?
╻              ╻              ╻
┗━━━━╸ ? ╺━━━━━┻━━━━━━━━━━━━━━┛

"""

LEGEND = """\
OB    Ox Bellows (seat 0)     Might 5  Speed 4  Sanity 3  Knowledge 3  Spear
ZI    Zoe Ingstrom (seat 1)   Might 3  Speed 4  Sanity 5  Knowledge 3  TRAITOR
JL    Jenny LeClerc (seat 2)  Might 4  Speed 4  Sanity 4  Knowledge 3
r     Rat (Might 2, Speed 3, Sanity 1); 3r: 3 of them; in brackets: stunned
[n]   Nest
$     on the floor: Upper Landing: Axe and Armor
¦     barrier, between its west and east (or north and south) sides
      gap: open door   ?: doorway into the unknown   x: door that leads nowhere
ways  Grand Staircase <> Upper Landing
"""


def table() -> Table:
    scene = Table()
    scene.lay("statuary-corridor", "ground", 1, 1, turns=0)
    scene.lay("chasm", "basement", 1, 0)
    scene.put(1, "chasm", part=0)
    scene.hold(0, "spear")
    scene.pile("upper-landing", "axe", "armor")
    scene.haunt("the-gnawing-tide", traitor=1)
    scene.counter("verses", 2)
    scene.token("nest", "entrance-hall")
    for number in range(1, 5):
        scene.monster(f"rat-{number}", "foyer")
    scene.stun("rat-4")
    return scene


def test_a_tiny_house() -> None:
    scene = table()
    assert house_as_text(scene.rules, scene.roles[SPECTATORS]) == TINY + LEGEND


def halves(text: str) -> tuple[list[str], list[str]]:
    """The lines of both sides, without the first, which says what the mark is."""
    pairs = [line.partition(GUTTER.rstrip()) for line in text.splitlines()[1:]]
    return [left.rstrip() for left, _, _ in pairs], [right.strip() for _, _, right in pairs]


def test_two_moments_stand_side_by_side_and_what_differs_is_marked() -> None:
    scene = table()
    before = msgspec.json.decode(msgspec.json.encode(scene.roles[SPECTATORS]), type=State)
    text = houses_as_text(scene.rules, before, before, 160)
    left, right = halves(text)
    assert [one.strip() for one in left] == right
    assert MARK not in text
    assert text.startswith("What is shown of the house does not differ.\n")

    scene.traits(0, might=6)
    scene.counter("verses", 1)
    left, right = halves(houses_as_text(scene.rules, before, scene.roles[SPECTATORS], 160))
    for side, verses, might in ((left, 2, 5), (right, 1, 6)):
        assert f"{MARK} Haunt: The Gnawing Tide   Verses of the rite: {verses}" in side
        assert f"OB   {MARK}  Ox Bellows (seat 0)     Might {might}  Speed 4  Sanity 3  Knowledge 3  Spear" in side
        assert "JL      Jenny LeClerc (seat 2)  Might 4  Speed 4  Sanity 4  Knowledge 3" in side, "columns stay columns"
    scene.traits(0, might=5)
    scene.counter("verses", 2)

    scene.put(0, "foyer")
    scene.lay("attic", "upper", 0, 1)
    left, right = halves(houses_as_text(scene.rules, before, scene.roles[SPECTATORS], 160))
    marked = [[word for line in side for word in re.findall(rf"{MARK} (\w+)", line)] for side in (left, right)]
    assert marked == [["Upper", "Foyer", "Entrance"], ["Attic", "Upper", "Foyer", "Entrance"]]
    rooms = ("Grand", "Statuary", "Chasm", "Staircase", "Corridor")
    for room in rooms:
        assert {number for number, line in enumerate(left) if room in line} == {
            number for number, line in enumerate(right) if room in line
        }, room


@pytest.mark.parametrize("columns", [83, 100, 203])
def test_both_sides_fit_the_columns(columns: int) -> None:
    kept: State | None = None
    for game in play("second-edition", 8, "the-gnawing-tide"):
        if game.steps % 50:
            continue
        known = game.roles[SPECTATORS]
        if kept is not None:
            assert max(map(len, houses_as_text(game.rules, kept, known, columns).splitlines())) <= columns
        kept = msgspec.json.decode(msgspec.json.encode(known), type=State)


def test_what_stands_behind_the_door_of_the_vault_is_drawn_there_until_it_is_open() -> None:
    scene = Table()
    scene.lay("vault", "basement", 0, 1, turns=2)
    scene.put(0, "vault")
    scene.put(1, "vault", part=1)
    assert "ZI ¦ OB" in house_as_text(scene.rules, scene.roles[SPECTATORS])

    scene.token("vault-empty", "vault")

    assert "OB* ZI" in house_as_text(scene.rules, scene.roles[SPECTATORS])


@pytest.mark.parametrize("columns", [60, 100])
def test_a_picture_fits_its_columns_and_shows_every_living_explorer(columns: int) -> None:
    for game in play("second-edition", 8, "the-gnawing-tide"):
        if game.steps % 25:
            continue
        known = game.roles[SPECTATORS]
        picture = house_as_text(game.rules, known, columns)
        plan = picture.partition("gap: open door")[0]
        assert max(map(len, picture.splitlines())) <= columns
        for explorer in known.living():
            words = game.rules.pack.explorers[explorer.id].title.split()
            assert plan.count(words[0][0] + words[-1][0]) >= 2, "in its room, and in the legend"


def test_a_floor_that_is_too_wide_goes_on_below() -> None:
    scene = Table()
    for x, tile in enumerate(("creaky-hallway", "dusty-hallway", "furnace-room", "gymnasium", "larder"), start=1):
        scene.lay(tile, "basement", x, 0)
    lines = house_as_text(scene.rules, scene.roles[SPECTATORS], 40).splitlines()
    assert "Basement, further east" in lines
    assert max(map(len, lines)) <= 40


def test_a_hidden_traitor_is_marked_for_itself_alone() -> None:
    scene = Table()
    scene.haunt("the-hollow-guest", traitor=1)
    for seat in range(3):
        assert ("TRAITOR" in house_as_text(scene.rules, scene.view(seat))) == (seat == 1)


def test_a_finished_game_says_who_won_and_why() -> None:
    scene = table()
    scene.happen(GameEnded(winner="heroes", because="The last verse is spoken, and the tide runs back into the walls."))
    lines = house_as_text(scene.rules, scene.roles[SPECTATORS], 60).splitlines()
    assert lines[0] == "The heroes have won in turn 2: The last verse is spoken, and"
    assert max(map(len, lines)) <= 60


def test_an_old_log_cannot_steer_the_terminal() -> None:
    scene = table()
    scene.happen(GameEnded(winner="heroes", because="It is \x1b[31mred\x1b]0;x\x07 \u202enow."))
    picture = house_as_text(scene.rules, scene.roles[SPECTATORS])
    post = status_post(scene.rules, scene.roles[SPECTATORS], "markdown")
    assert "It is \u241b[31mred\u241b]0;x\u2407 \ufffdnow." in " ".join(picture.split())
    for text in (picture, post):
        assert all(sign == "\n" or sign.isprintable() for sign in text)
