"""How a game of the third edition is set up (rulebook 2022, Setup, pp. 4-6)."""

from collections.abc import Sequence

import msgspec
import pytest

from domain.decide import decide
from domain.facts.audience import REFEREE
from domain.facts.commands import Choose, Move
from domain.facts.events import DiceRolled, GameOpened, RuleApplied, SeatClaimed, TurnStarted
from domain.facts.refusal import Refused
from domain.facts.state import State
from domain.game import claim, open_game, start_game
from tests.support.fate import Fate
from tests.support.packs import pack, rules
from tests.support.table import Table, events
from tests.support.third import third

BOX = pack("third-edition")
RULES = rules("third-edition")

SIX = (
    "oliver-swift",
    "stephanie-richter",
    "sammy-angler",
    "isa-valencia",
    "dan-nguyen-md",
    "michelle-monroe",
)


def opened(seats: int) -> State:
    """A game that is open, with this many seats."""
    state, _ = open_game(
        RULES,
        GameOpened(
            game="g",
            edition="third",
            pack="third-edition",
            pack_digest="",
            seats=seats,
            options={"scenario": "cursed"},
            source="tape",
        ),
    )
    return state


# -- characters -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-COMP-002", case=1, asserts=True)
def test_twelve_characters_share_six_boards_with_two_sides() -> None:
    other = {one.id: one.other_side for one in BOX.explorers}
    assert len(other) == 12
    assert all(other[there] == here for here, there in other.items())
    boards = {frozenset((here, there)) for here, there in other.items()}
    assert len(boards) == 6
    assert all(len(board) == 2 for board in boards)
    assert len({one.color for one in BOX.explorers}) == 6
    assert all(
        one.color == next(two.color for two in BOX.explorers if two.id == other[one.id]) for one in BOX.explorers
    )


CHARACTERS = (
    ("josef-brosef-hooper", 25, "02-25"),
    ("oliver-swift", 33, "07-03"),
    ("stephanie-richter", 40, "01-12"),
    ("persephone-puleri", 49, "04-15"),
    ("sammy-angler", 9, "09-18"),
    ("jaden-jones", 11, "10-04"),
    ("isa-valencia", 11, "03-30"),
    ("anita-hernandez", 12, "06-11"),
    ("father-warren-leung", 71, "11-17"),
    ("dan-nguyen-md", 60, "05-06"),
    ("michelle-monroe", 19, "08-19"),
    ("brittani-beat-box-bowen", 22, "12-01"),
)
"""Explorer, age and birthday, in the order of the rules 3E-CHAR-001 to 3E-CHAR-012."""


@pytest.mark.parametrize(
    "explorer, age, birthday",
    [
        pytest.param(*facts, marks=pytest.mark.rule(f"3E-CHAR-{number:03}", case=1, asserts=True))
        for number, facts in enumerate(CHARACTERS, 1)
    ],
)
def test_each_character_has_its_age_and_birthday(explorer: str, age: int, birthday: str) -> None:
    sheet = next(one for one in BOX.explorers if one.id == explorer)
    assert (sheet.age, sheet.birthday) == (age, birthday)


@pytest.mark.parametrize(
    "second",
    [
        pytest.param("oliver-swift", marks=pytest.mark.rule("3E-SETUP-003", case=1)),
        pytest.param("josef-brosef-hooper", marks=pytest.mark.rule("3E-SETUP-003", case=2)),
    ],
)
def test_a_board_serves_one_player(second: str) -> None:
    state = opened(3)
    claim(RULES, state, SeatClaimed(seat=0, explorer="oliver-swift"))
    with pytest.raises(Refused) as refused:
        claim(RULES, state, SeatClaimed(seat=1, explorer=second))
    assert refused.value.rule == "3E-SETUP-003"
    claim(RULES, state, SeatClaimed(seat=1, explorer="anita-hernandez"))


@pytest.mark.rule("3E-SETUP-004", case=1)
def test_every_clip_begins_on_the_starting_space_of_its_track() -> None:
    table = Table(SIX, game=RULES)
    for explorer in table.view(0).explorers:
        sheet = next(one for one in BOX.explorers if one.id == explorer.id)
        tracks = [sheet.tracks[trait] for trait in ("might", "speed", "sanity", "knowledge")]
        assert explorer.at == [track.start + 1 for track in tracks]
        assert [explorer.value(trait) for trait in ("might", "speed", "sanity", "knowledge")] == [
            track.values[track.start] for track in tracks
        ]


@pytest.mark.rule("3E-COMP-012", case=1)
@pytest.mark.parametrize("seats", [2, 7])
def test_fewer_than_three_or_more_than_six_do_not_play(seats: int) -> None:
    with pytest.raises(Refused) as refused:
        opened(seats)
    assert refused.value.rule == "3E-COMP-012"


@pytest.mark.rule("3E-COMP-012", case=1, asserts=True)
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_three_to_six_play(seats: int) -> None:
    table = Table(SIX[:seats], game=RULES)
    assert (table.state.status, len(table.state.explorers)) == ("started", seats)


# -- the house and the stacks ---------------------------------------------------------------------------------------


@pytest.mark.rule("3E-SETUP-001", case=1)
def test_nobody_moves_before_the_first_player_is_known() -> None:
    state = opened(3)
    for seat, explorer in enumerate(SIX[:3]):
        claim(RULES, state, SeatClaimed(seat=seat, explorer=explorer))
    for decision in ("turn-0", "turn-1"):
        with pytest.raises(Refused) as refused:
            decide(RULES, state, 0, Move(decision=decision, to="hallway"), Fate())
        assert refused.value.rule == "3E-SETUP-001"


def joined(table: Table) -> set[frozenset[str]]:
    """Rooms of the house by the starting tile on which they are: those that lie side by side."""
    rooms = table.view(0).rooms
    groups = [{one} for one in rooms]
    for one in rooms.values():
        for near in filter(None, one.near):
            mine, theirs = (next(group for group in groups if name in group) for name in (one.id, near))
            if mine is not theirs:
                groups.remove(theirs)
                mine |= theirs
    return {frozenset(group) for group in groups}


TRIPLE = frozenset({"entrance-hall", "hallway", "ground-floor-staircase"})


@pytest.mark.rule("3E-SETUP-009", case=1)
def test_a_new_house_is_three_starting_tiles_that_do_not_touch() -> None:
    table = third()
    assert joined(table) == {TRIPLE, frozenset({"basement-landing"}), frozenset({"upper-landing"})}
    assert len({room.floor for room in table.view(0).rooms.values()}) == 3


@pytest.mark.rule("3E-COMP-009", case=1, asserts=True)
def test_a_new_house_has_three_tiles_on_the_table_and_42_in_the_stack() -> None:
    table = third()
    assert len(joined(table)) == 3
    assert table.view(0).decks["tiles"].size() == 42


@pytest.mark.rule("3E-SETUP-005", case=1, asserts=True)
def test_of_the_dice_that_lie_within_reach_nothing_is_recorded() -> None:
    recorded = [one.event for commit in third().commits for one in commit]
    assert recorded
    assert not [one for one in recorded if one.rule == "3E-SETUP-005" or isinstance(one, DiceRolled)]
    assert "3E-SETUP-005" not in msgspec.structs.astuple(RULES.cite)


@pytest.mark.rule("3E-SETUP-006", case=1)
def test_three_shuffled_stacks_of_cards_show_nobody_their_order() -> None:
    table = third()
    kinds = {card.id: card.deck for card in BOX.cards}
    for name in ("event", "item", "omen"):
        deck = table.state.decks[name]
        assert {kinds[face] for face in deck.pool} == {name}
        for role in table.roles.values():
            seen = role.decks[name]
            assert seen.size() == len(seen.pool) == deck.size()
            assert not [slot for slot in (*seen.top, *seen.bottom) if slot.face]
            assert seen.pool == sorted(seen.pool), "the faces are listed, not ordered"


@pytest.mark.rule("3E-SETUP-010", case=1)
def test_all_other_tiles_are_mixed_in_one_stack_that_shows_nobody_its_order() -> None:
    table = third()
    rest = {tile.id for tile in BOX.tiles if tile.start is None}
    floors = {floor for tile in BOX.tiles if tile.start is None for floor in tile.floors}
    assert floors == {"basement", "ground", "upper"}
    for role in table.roles.values():
        seen = role.decks["tiles"]
        assert set(seen.pool) == rest
        assert seen.size() == len(rest)
        assert not [slot.face for slot in (*seen.top, *seen.bottom) if slot.face]


@pytest.mark.rule("3E-SETUP-011", case=1)
def test_everybody_starts_in_the_entrance_hall() -> None:
    table = Table(SIX, game=RULES)
    for role in table.roles.values():
        assert {explorer.room for explorer in role.explorers} == {"entrance-hall"}


@pytest.mark.rule("3E-SETUP-014", case=1)
def test_no_token_is_in_a_new_house() -> None:
    table = third()
    assert all(role.tokens == [] for role in table.roles.values())


@pytest.mark.rule("3E-COMP-008", case=1, asserts=True)
def test_the_number_track_of_a_new_game_shows_nothing() -> None:
    assert BOX.head.components is not None
    assert BOX.head.components.number_tracks == 1
    assert third().view(0).haunt is None, "only a haunt puts its pointer anywhere"


# -- the first player -----------------------------------------------------------------------------------------------


def first_player(today: str, *explorers: str) -> str:
    """Who has the first turn of a game that starts on this date."""
    table = Table(explorers, first=None, game=RULES, today=today)
    started = events(table.commits[-1], TurnStarted)
    assert [one.rule for one in started] == ["3E-SETUP-015"]
    return table.state.explorers[started[0].seat].id


@pytest.mark.parametrize(
    "today, explorers, first",
    [
        pytest.param(
            "05-01",
            ("anita-hernandez", "dan-nguyen-md", "persephone-puleri"),
            "dan-nguyen-md",
            marks=pytest.mark.rule("3E-SETUP-015", case=1),
        ),
        pytest.param(
            "12-20",
            ("oliver-swift", "brittani-beat-box-bowen", "stephanie-richter"),
            "stephanie-richter",
            marks=pytest.mark.rule("3E-SETUP-015", case=2),
        ),
        pytest.param(
            "05-06",
            ("anita-hernandez", "dan-nguyen-md", "persephone-puleri"),
            "dan-nguyen-md",
            marks=pytest.mark.rule("3E-SETUP-015", case=3),
        ),
    ],
)
def test_the_next_birthday_begins(today: str, explorers: Sequence[str], first: str) -> None:
    assert first_player(today, *explorers) == first


def test_what_is_set_up_is_told_with_its_rules() -> None:
    state = opened(3)
    for seat, explorer in enumerate(SIX[:3]):
        claim(RULES, state, SeatClaimed(seat=seat, explorer=explorer))
    told = start_game(RULES, state, Fate(), "01-01")
    assert {one.rule for one in events(told, RuleApplied)} >= {
        "3E-SETUP-004",
        "3E-SETUP-006",
        "3E-SETUP-010",
        "3E-SETUP-011",
        "3E-SETUP-014",
    }
    assert all(one.to & REFEREE for one in told)
    with pytest.raises(Refused):
        decide(RULES, state, 0, Choose(decision="turn-0", option="ready"), Fate())
