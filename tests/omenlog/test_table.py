"""A table of the library: it is played as the service plays, shows a seat what that seat was told, and can be cloned, sampled and kept."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import omenlog
from content.authoring.first import write_first_haunt
from domain.engine.rules import REVISION
from domain.facts.events import ChanceAnswered, DiceRolled, SideTold
from omenlog import Invalid, Refused, Table
from tests.support.examples import example
from tests.support.menagerie import AVIARY
from tests.support.packs import rules_with

HIDDEN = "the-hollow-guest"
"""A haunt whose traitor is dealt in secret."""
encode = msgspec.json.encode


def steps(table: Table, seed: int = 1) -> Iterator[int]:
    """Play at random; before each command: who is to give it."""
    lot = random.Random(seed)
    while not table.over:
        seat = lot.choice(table.awaited())
        yield seat
        table.do(seat, lot.choice(table.legal(seat)))


def played(table: Table, seed: int = 1, commands: int = 10_000) -> Table:
    for done, _ in enumerate(steps(table, seed)):
        if done == commands:
            break
    return table


def seen(table: Table) -> list[bytes]:
    """All that anybody sees and may do."""
    roles = ["spectators", "referee", *range(table.seats)]
    found = [encode((table.view(role), table.events(role))) for role in roles]
    return [*found, *(encode(table.decisions(seat)) for seat in range(table.seats))]


# -- playing ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", omenlog.EDITIONS)
def test_random_play_comes_to_an_end_and_every_action_has_a_name_of_its_own(edition: str) -> None:
    table = Table(edition, seats=3, seed="end")
    for number, seat in enumerate(steps(table)):
        actions = table.legal(seat)
        assert len({(one.verb, one.source, one.target, one.monster) for one in actions}) == len(actions) > 0
        if number % 10 == 0 and len(actions) <= 64:
            listed = [found.command for one in table.decisions(seat).yours for found in one.commands]
            assert [one.command for one in actions] == listed, "the seat's own state lists the same"
    assert table.because
    assert table.awaited() == []
    assert [table.view(seat).winner for seat in range(3)] == [table.winner] * 3
    sides = [explorer.side for explorer in table.view("referee").explorers]
    assert [sides[seat] for seat in table.winners] == [table.winner] * len(table.winners)


def test_the_same_seed_gives_the_same_game_and_another_seed_another() -> None:
    one, same, other = (played(Table(seats=3, seed=seed), commands=40) for seed in (5, 5, 6))
    assert seen(one) == seen(same)
    assert one.record() == same.record()
    assert one.record() != other.record()


def test_labels_say_what_decisions_say() -> None:
    table = Table(seats=3, seed="words", haunt=HIDDEN)
    compared = 0
    for number, seat in enumerate(steps(table)):
        if number % 8 == 0:
            listed = [listed for one in table.decisions(seat).yours for listed in one.commands]
            assert [table.label(seat, one.command) for one in listed] == [one.label for one in listed]
            compared += len(listed)
    assert compared > 50


def test_json_of_the_service_is_done_too() -> None:
    table = Table(seats=3, seed=1, first_seat=2)
    table.do(2, {"type": "end-turn", "decision": "turn-1"})
    assert table.view(2).turn.seat == 0


def test_a_haunt_of_ones_own_is_played(tmp_path: Path) -> None:
    haunt, _ = write_first_haunt("my-haunt", tmp_path / "my-haunt.yaml")
    found = omenlog.contents("second", haunt)
    assert (found.pack, "my-haunt" in found.haunts) == ("my-haunt", True)
    table = played(Table(pack=haunt, haunt="my-haunt", seats=3, seed=2))
    assert omenlog.replay(table.record()).because == table.because


# -- what is refused ------------------------------------------------------------------------------------------------------


def test_a_refusal_cites_its_rule_and_changes_nothing() -> None:
    table = Table(seats=3, seed=1, first_seat=0)
    before = seen(table)
    with pytest.raises(Refused) as far:
        table.do(0, {"type": "move", "decision": "turn-1", "to": "attic"})
    with pytest.raises(Refused) as early:
        table.do(1, table.legal(0)[0])
    assert far.value.rule is not None
    assert far.value.rule.id == "2E-DOOR-001"
    assert far.value.rule.text in str(far.value)
    assert (early.value.code, early.value.detail) == ("illegal-command", "it is the turn of Brandon Jaspers")
    assert seen(table) == before


WRONG: dict[str, tuple[Callable[[Table], Any], str]] = {
    "edition": (
        lambda _: Table("secnd"),
        "no edition 'secnd': did you mean `second`? There are second, third, play-by-post.",
    ),
    "haunt": (lambda _: Table(haunt="the-hollow-gest"), "did you mean `the-hollow-guest`?"),
    "scenario": (lambda _: Table("third", scenario="cursd"), "did you mean `cursed`?"),
    "scenario of none": (lambda _: Table(scenario="cursed"), "There are none."),
    "explorer": (lambda _: Table(explorers=["ox-bellow"]), "did you mean `ox-bellows`?"),
    "explorers": (lambda _: Table(seats=3, explorers=["ox-bellows", "", "", ""]), "4 explorers for 3 seats"),
    "first seat": (lambda _: Table(first_seat=4), "the seats 0 to 3"),
    "seats": (lambda _: Table(seats="four"), "Expected `int`, got `str` - at `$.seats`"),  # type: ignore[arg-type]
    "turn limit": (lambda _: Table(turn_limit=-1), "0 stands for none"),
    "piece": (lambda _: Table(rulings={"junk-rom": "x"}), "did you mean `junk-room`?"),
    "ruling": (lambda _: Table(rulings={"junk-room": "x"}), "There are junk-room-on-4"),
    "tape": (lambda _: Table(tape=[[0], 7]), "7 is no answer of chance"),
    "pack": (lambda _: Table(pack="/nowhere/at-all.yaml"), "no such file or folder"),
    "seat": (lambda table: table.legal(4), "There is no seat 4: this table has the seats 0 to 3."),
    "seat that does": (lambda table: table.do(-2, table.legal(0)[0]), "There is no seat -2"),
    "role": (lambda table: table.view("seat:9"), "did you mean `seat:"),
    "command": (lambda table: table.do(0, {"type": "moove"}), "This is no command: "),
    "sample for nobody": (lambda table: table.sample(omenlog.MODERATOR, 1), "sample for the seats 0 to 3"),
    "record": (lambda _: omenlog.replay(b"{}"), "no record of a table"),
    "record of a sample": (lambda table: table.sample(0, 1).record(), "record the table that it comes from"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_does_not_exist_is_answered_with_what_does(wrong: str) -> None:
    call, says = WRONG[wrong]
    table = Table(seed=1, first_seat=0)
    before = seen(table)
    with pytest.raises(Invalid) as caught:
        call(table)
    assert says in str(caught.value)
    assert seen(table) == before


def test_too_many_seats_are_refused_by_the_rule() -> None:
    with pytest.raises(Refused, match=r"9 seats: this pack seats 3 to 6 \(2E-COMP-001"):
        Table(seats=9)


@pytest.mark.parametrize("edition, haunt", [("second", HIDDEN), ("third", "")])
def test_a_view_is_the_same_whether_or_not_its_role_has_looked_before(edition: str, haunt: str) -> None:
    table, lot = Table(edition, seats=3, seed="again", haunt=haunt), random.Random(2)
    for number, _ in enumerate(steps(table)):
        for role in ("spectators", "referee", *range(table.seats)):
            if lot.random() < 0.5:
                view = table.view(role)
                if number % 20 == 0:
                    assert view == table.clone().view(role), "a clone makes its first view anew"


# -- clones, samples --------------------------------------------------------------------------------------------------------


def test_what_is_done_in_a_clone_changes_nothing_here() -> None:
    table = Table(seats=3, seed="clone", haunt=HIDDEN)
    for number, _ in enumerate(steps(table)):
        if number % 25 == 0:
            before = seen(table)
            twin = table.clone()
            assert seen(twin) == before
            played(twin, number, 30)
            assert seen(table) == before


def test_a_clone_rolls_the_same_dice_unless_it_has_a_seed_of_its_own() -> None:
    table = played(Table(seats=3, seed="dice"), commands=20)
    same, other = table.clone(), table.clone(seed="other")
    assert seen(same) == seen(other)
    ends = [seen(played(one, 3, 60)) for one in (table, same, other)]
    assert ends[0] == ends[1] != ends[2]


def test_in_a_sampled_world_a_seat_sees_and_may_do_the_same() -> None:
    table = Table(seats=3, seed="worlds", haunt=HIDDEN)
    sampled = 0
    for number, seat in enumerate(steps(table)):
        if number % 10 == 0:
            try:
                world = table.sample(seat, number)
            except Refused as error:
                assert error.code == "half-done"  # noqa: PT017 -- most can be sampled, as is counted
                continue
            sampled += 1
            assert world.legal(seat) == table.legal(seat)
            mine, there = table.view(seat), world.view(seat)
            assert (mine.rooms, mine.explorers, mine.decks, mine.turn) == (
                there.rooms,
                there.explorers,
                there.decks,
                there.turn,
            )
            played(world, number, 10)
    assert sampled > 5
    with pytest.raises(Refused) as over:
        table.sample(0, 1)
    assert over.value.code == "game-over"


def hiding(traitor: int) -> Table:
    """A haunt that has just begun, whose hidden traitor is this one; the same game but for that."""
    table = Table(seats=4, seed="hidden", haunt=HIDDEN)
    commits: list[omenlog.Commit] = []
    for _ in steps(table):
        commits = table.events("referee")
        if table.view("referee").haunt is not None:
            break
    answers = [event for commit in commits for event in commit.events if isinstance(event, ChanceAnswered)]
    dealt = next(one.index for one in answers if one.what == "roles")
    tape = [one.pick or one.faces for one in answers[:dealt]]
    twin = Table(seats=4, seed="hidden", haunt=HIDDEN, tape=[*tape, f"seat:{traitor}"])
    for commit in commits:
        if commit.command is not None:
            assert commit.actor is not None
            twin.do(commit.actor, commit.command)
    while not twin.view("referee").turn.acting:
        twin.do(twin.awaited()[0], twin.legal(twin.awaited()[0])[0])
    return twin


def test_a_sample_gives_none_of_the_truth_away() -> None:
    """Two games that differ in their hidden traitor alone: an innocent samples the same worlds, in which it is now the one and now the other."""
    games = [hiding(traitor) for traitor in (1, 2)]
    sides = [[one.side for one in table.view("referee").explorers] for table in games]
    assert [one.index("traitor") for one in sides] == [1, 2]
    suspected = set()
    for seed in range(8):
        one, other = (table.sample(3, seed) for table in games)
        assert seen(one) == seen(other)
        suspected |= {who.seat for who in one.view("referee").explorers if who.side == "traitor"}
    assert len(suspected) > 1


# -- log, tape, record ------------------------------------------------------------------------------------------------------


def test_the_log_tells_each_role_what_it_was_told() -> None:
    table = played(Table(seats=3, seed="log", haunt=HIDDEN))
    logs = {role: table.events(role) for role in ("referee", "spectators", 0, 1, 2)}
    assert {tuple(commit.number for commit in log) for log in logs.values()} == {tuple(range(1, table.version + 1))}
    secret = [event for commit in logs["referee"] for event in commit.events if isinstance(event, SideTold)]
    for seat in range(3):
        mine = [event for commit in logs[seat] for event in commit.events if isinstance(event, SideTold)]
        assert mine == [event for event in secret if event.seat == seat or event.revealed]
        assert all(commit.command is None or commit.actor == seat for commit in logs[seat])
    assert all(commit.command is None for commit in logs["spectators"])
    assert table.events(1, since=table.version - 2) == logs[1][-2:]


def test_nobody_else_sees_who_runs_a_hidden_traitors_monsters(monkeypatch: pytest.MonkeyPatch) -> None:
    aviary = rules_with("third-edition", haunt=AVIARY.replace("RUN-BY", "traitor"))
    monkeypatch.setattr("omenlog.opening.rules_of", lambda *_: aviary)
    table = played(Table("third", seats=4, seed=1, haunt="aviary"))
    true = {one.number: one.actor for one in table.events("referee")}
    unseen = [one.number for one in table.events("spectators") if one.actor is None and true[one.number] is not None]
    assert len(unseen) > 1
    (traitor,) = {true[number] for number in unseen}
    for seat in range(4):
        mine = table.events(seat)
        told = [mine[number - 1].actor == seat and mine[number - 1].command is not None for number in unseen]
        assert told == [seat == traitor] * len(unseen)


def test_a_tape_is_dealt_and_then_the_moderator_is_asked() -> None:
    table = Table(seats=3, first_seat=0, tape=[{"pick": "basement"}])
    table.do(0, {"type": "explore", "decision": "turn-1", "door": "east"})
    assert table.awaited() == [omenlog.MODERATOR]
    (asked,) = table.decisions(omenlog.MODERATOR).yours
    table.do(omenlog.MODERATOR, table.legal(omenlog.MODERATOR)[0])
    kept = omenlog.replay(table.record())
    assert seen(kept) == seen(table)
    with pytest.raises(Refused):
        table.do(omenlog.MODERATOR, {"type": "answer-chance", "decision": asked.id, "pick": "attic"})


def test_after_a_tape_the_seed_goes_on() -> None:
    assert played(Table(seats=3, seed=4, tape=["basement"])).because


@pytest.mark.parametrize("edition", omenlog.EDITIONS)
def test_a_record_gives_the_game_back_whole_and_up_to_any_command(edition: str) -> None:
    table = played(Table(edition, seats=3, seed="kept"), commands=60)
    half = table.version // 2
    assert seen(omenlog.replay(table.record())) == seen(table)
    again = omenlog.replay(table.record(), upto=half - 5)
    assert again.events("referee") == table.events("referee")[:half]
    twin = table.clone(seed="new")
    assert seen(played(omenlog.replay(twin.record()), 9, 20)) == seen(played(twin, 9, 20))


def test_a_record_whose_commands_have_other_consequences_is_not_played() -> None:
    record = json.loads(played(Table(seats=3, seed=1), commands=5).record())
    record["moves"][2]["told"] += 1
    with pytest.raises(Invalid, match="What follows from command 3 of this record is something else now"):
        omenlog.replay(json.dumps(record).encode())


def test_what_was_taken_back_is_gone_and_the_record_knows_it() -> None:
    table = Table(seats=3, seed=1, first_seat=0)
    before = table.view(0)
    table.do(0, {"type": "move", "decision": "turn-1", "to": "foyer"})
    offered = table.decisions(0).take_back
    assert offered is not None
    table.do(0, offered.command)
    assert table.view(0).explorers == before.explorers
    assert seen(omenlog.replay(table.record())) == seen(table)
    assert table.sample(1, 1).legal(0) == table.legal(0)


def test_a_record_that_the_rules_decide_otherwise_is_not_played() -> None:
    record = json.loads(played(Table(seats=3, seed=1), commands=5).record())
    record["moves"][3]["command"] = {"type": "move", "decision": "turn-1", "to": "attic"}
    with pytest.raises(Invalid, match=f"Command 4 of this record is refused: .* revision {REVISION}"):
        omenlog.replay(json.dumps(record).encode())


# -- the example ------------------------------------------------------------------------------------------------------------


def test_the_example_plays_and_is_short() -> None:
    module = example("selfplay")
    table = module.play(1, worlds=1, steps=4, turns=8)
    assert (table.over, table.view(0).turn.number) == (True, 8)
    assert any(isinstance(event, DiceRolled) for commit in table.events(0) for event in commit.events)
    assert len(Path(module.__file__ or "").read_text("utf-8").splitlines()) <= 41
