"""Who died of what, where and by whom, and who placed a tile: found from what everybody was told, and true."""

import msgspec
import pytest

from domain.evolve import fold_commit, redact
from domain.facts.audience import EVERYBODY
from domain.facts.events import (
    CardDrawn,
    ExplorerDied,
    HauntBegun,
    MonsterKilled,
    Rewound,
    SeatClaimed,
    TilePlaced,
    Told,
    TraitChanged,
    TurnStarted,
)
from domain.facts.state import State
from projections.facts import CommitFacts, Death, FactFold, KeptFacts, piece_of
from projections.trace.boxes import decided_again
from tests.golden import library
from tests.golden.script import Script
from tests.golden.stage import played
from tests.laws.playout import Game, copy_of, play, principals
from tests.support.packs import rules

GAMES = [
    ("second-edition", 1100, 3, "the-bell-below"),
    ("second-edition", 1201, 4, "the-borrowed-face"),
    ("third-edition", 1105, 4, "keep-it-fed"),
]


@pytest.fixture(scope="module", params=GAMES, ids=lambda one: one[3])
def game(request: pytest.FixtureRequest) -> Game:
    pack, seed, seats, haunt = request.param
    return play(rules(pack), seed, seats=seats, haunt=haunt)


def found_in(log: list[list[Told]]) -> tuple[dict[int, CommitFacts], State]:
    """The facts of a log's commits, from nothing but what it tells; those that tell nothing are passed over."""
    state, fold = State(), FactFold()
    for number, told in enumerate(log, 1):
        fold_commit(state, number, told)
        if told:
            fold.follow(number, told, state)
    return fold.found, state


def golden(name: str) -> list[list[Told]]:
    _, stage = played(Script(library.GAMES / f"{name}.yaml"))
    return stage.story


def test_every_role_finds_the_same_in_what_it_was_told(game: Game) -> None:
    whole, _ = found_in(game.commits)
    assert any(one.deaths for one in whole.values())
    for principal in principals(game.state.seats):
        assert found_in([redact(commit, principal) for commit in game.commits])[0] == whole


def test_each_death_and_each_tile_is_there_once_where_it_happened(game: Game) -> None:
    whole, _ = found_in(game.commits)
    state = State()
    for number, told in enumerate(game.commits, 1):
        found = whole.get(number, CommitFacts())
        deaths, placed = iter(found.deaths), iter(found.placed)
        for one in told:
            event = one.event
            if isinstance(event, ExplorerDied):
                death, room = next(deaths), state.explorers[event.seat].room
                assert (death.seat, death.room, death.floor) == (event.seat, room, state.rooms[room].floor)
                assert death.rules[-1] == event.rule
            elif isinstance(event, MonsterKilled):
                death = next(deaths)
                assert (death.monster, death.room) == (event.monster, state.monsters[event.monster].room)
            elif isinstance(event, TilePlaced):
                laid = next(placed)
                assert (laid.tile, laid.floor, laid.x, laid.y) == (event.tile, event.floor, event.x, event.y)
                assert laid.by is not None
            event.apply(state)
        assert [*deaths, *placed] == []


def test_a_line_of_the_game_marks_each_turn_omen_haunt_and_death_where_it_is(game: Game) -> None:
    whole, _ = found_in(game.commits)
    for number, told in enumerate(game.commits, 1):
        marks = whole.get(number, CommitFacts()).marks
        events = [one.event for one in told]
        turns = [(one.number, None if one.monsters else one.seat) for one in events if isinstance(one, TurnStarted)]
        assert [(one.turn, one.seat) for one in marks if one.kind == "turn"] == turns
        kinds = [one.kind for one in marks if one.kind != "turn"]
        assert len(kinds) == len(set(kinds))
        assert set(kinds) == {
            kind
            for kind, happened in {
                "omen": any(isinstance(one, CardDrawn) and one.deck == "omen" for one in events),
                "haunt": any(isinstance(one, HauntBegun) for one in events),
                "death": any(isinstance(one, ExplorerDied | MonsterKilled) for one in events),
                "seat": any(isinstance(one, SeatClaimed) for one in events),
            }.items()
            if happened
        }


def test_no_cause_is_other_than_the_step_that_was_behind_it(game: Game) -> None:
    """The referee's trace decides a command again, and knows the box of each step."""
    whole, _ = found_in(game.commits)
    state, begun = State(), len(game.commits) - len(game.acts)
    seen = 0
    for number, told in enumerate(game.commits, 1):
        if number in whole and whole[number].deaths:
            again = decided_again(game.rules, copy_of(state), *game.acts[number - begun - 1], told)
            assert again is not None
            boxes = [box for box, _ in again[0]]
            fell = [
                boxes[place]
                for place, one in enumerate(told)
                if (isinstance(one.event, TraitChanged) and not one.event.to) or isinstance(one.event, MonsterKilled)
            ]
            for death in whole[number].deaths:
                if death.cause not in ("", "attack"):
                    seen += 1
                    haunt = death.cause.startswith("haunt:") and any(box.startswith("haunt/") for box in fell)
                    assert death.cause in map(piece_of, fell) or haunt, (number, death, fell)
        fold_commit(state, number, told)
    assert seen


def test_an_attack_is_by_whoever_rolled_more_with_its_weapon() -> None:
    """Its damage is divided in a later commit; of what the defender deals to an attacker no weapon is told."""
    bells, charted = found_in(golden("bots-bell-below"))[0], found_in(golden("bots-charted"))[0]
    assert bells[134].deaths == [
        Death(
            seat=2,
            room="gymnasium",
            floor="upper",
            cause="attack",
            by=1,
            weapon="spear",
            rules=["2E-ATK-005", "2E-ATK-006", "2E-DMG-001", "2E-TRAIT-003", "2E-DEATH-001"],
        )
    ]
    struck_back = charted[115].deaths[0]
    assert (struck_back.monster, struck_back.seat, struck_back.cause) == ("rat-1", None, "attack")
    assert (struck_back.by, struck_back.weapon) == (0, None)
    assert (charted[144].deaths[0].seat, charted[144].deaths[0].by) == (0, "rat-5")


def test_what_was_remembered_is_kept_with_a_snapshot() -> None:
    log = golden("bots-bell-below")
    state, fold = State(), FactFold()
    for number, told in enumerate(log, 1):
        fold_commit(state, number, told)
        fold.follow(number, told, state)
        kept = msgspec.json.decode(msgspec.json.encode(fold.kept()), type=KeptFacts)
        fold = FactFold(state, kept)
    assert fold.found == found_in(log)[0]


def test_where_play_goes_back_into_an_attack_it_is_remembered_who_attacked() -> None:
    log = golden("bots-bell-below")[:118]
    whole, then = found_in(log)[0], found_in(log[:116])[1]
    back = [Told(to=EVERYBODY, event=Rewound(to=116, state=then))]
    again, _ = found_in([*log, back, *log[116:]])
    assert again[121].deaths == whole[118].deaths
    assert [one.kind for one in again[119].marks] == ["rewind", "seat"]
    assert whole[118].deaths[0].by == 1


def test_where_play_goes_back_to_the_choice_of_a_place_it_is_known_whose_it_was() -> None:
    log = golden("explore-rotation")
    whole, _ = found_in(log)
    number = next(number for number, one in whole.items() if one.placed)
    then = found_in(log[: number - 1])[1]
    back = [Told(to=EVERYBODY, event=Rewound(to=number - 1, state=then))]
    for forgotten in (True, False):
        fold, state = FactFold(), State()
        for at, told in enumerate([*log[:number], back, log[number - 1]], 1):
            if forgotten and told is back:
                fold = FactFold(state)
            fold_commit(state, at, told)
            fold.follow(at, told, state)
        assert fold.found[number + 2].placed == whole[number].placed
        assert whole[number].placed[0].by is not None
