"""The environment for learners: PettingZoo's own tests, its actions, observations, rewards and pictures, and what it refuses."""

from __future__ import annotations

import copy
import pickle
import random
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast

import numpy as np
import pytest

import omenlog
from domain.facts.audience import seat_bit
from domain.facts.commands import AnyCommand, Choose
from domain.facts.state import Decision
from omenlog import Invalid, Refused
from omenlog.packs import rules_of
from omenlog.rl.encoding import SAID, Encoding
from omenlog.rl.environment import Environment
from tests.laws import learning
from tests.omenlog.test_package import alone
from tests.support.lurking import SILENT
from tests.support.packs import rules_with

with (
    warnings.catch_warnings()
):  # it tries environments of its own, which warn where `./dev bench` has installed their packages
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test

HIDDEN = {"second": "the-hollow-guest", "third": "high-water"}
"""Haunts whose traitor is dealt in secret."""
HAUNTS = [(edition, haunt) for edition in omenlog.EDITIONS for haunt in ("", *omenlog.contents(edition).haunts)]
BROOD = "the-brood-in-the-walls"
"""Its monsters are many."""


@pytest.fixture(name="env")
def a_game(request: pytest.FixtureRequest) -> Environment:
    made = omenlog.env(**getattr(request, "param", {"seats": 3}))
    made.reset(seed=1)
    return made


@pytest.fixture(autouse=True)
def of_dictionaries() -> Iterator[None]:
    """PettingZoo names the environments whose observations may be dictionaries, and warns of all others."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation (is not a NumPy array|space for each agent probably)")
        warnings.filterwarnings("ignore", "Action mask numpy array is all zeros", UserWarning)
        warnings.filterwarnings("ignore", r"reset\(\) takes the options .* 'options' is ignored")
        yield


def at_random(env: Environment, seed: int = 1, steps: int = 10_000) -> Environment:
    lot = random.Random(seed)
    for agent in env.agent_iter(steps):
        if env.terminations[agent] or env.truncations[agent]:
            break
        env.step(lot.choice(np.flatnonzero(env.observe(agent)["action_mask"])))
    return env


# -- PettingZoo's own tests -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", omenlog.EDITIONS)
def test_it_passes_the_tests_of_pettingzoo(edition: str) -> None:
    api_test(omenlog.env(edition, seats=3, turn_limit=4), num_cycles=100)
    seed_test(partial(omenlog.env, edition, seats=3), num_cycles=20)


@pytest.mark.prove
def test_it_passes_the_test_of_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(omenlog.env, seats=3))  # type: ignore[arg-type]  # it says Gymnasium's, and means its own
    assert "Ground floor" in capsys.readouterr().out


@pytest.mark.prove
@pytest.mark.parametrize("edition", omenlog.EDITIONS)
def test_it_passes_the_tests_of_pettingzoo_at_full_length(edition: str) -> None:
    for seats in omenlog.contents(edition).seats:
        api_test(omenlog.env(edition, seats=seats, shaped=True))
        seed_test(partial(omenlog.env, edition, seats=seats))
    performance_benchmark(omenlog.env(edition))


# -- actions ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition, haunt", [("second", BROOD), ("third", ""), ("play-by-post", HIDDEN["second"])])
def test_every_legal_command_is_an_action_and_no_other(edition: str, haunt: str) -> None:
    others = learning.actions_are_the_legal_commands(omenlog.env(edition, seats=5, haunt=haunt), 3, every=5)
    assert others == {}


@pytest.mark.prove
@pytest.mark.parametrize("edition, haunt", HAUNTS)
def test_every_legal_command_of_all_haunts_is_an_action(edition: str, haunt: str) -> None:
    for seed, seats in enumerate((3, 5)):
        others = learning.actions_are_the_legal_commands(omenlog.env(edition, seats=seats, haunt=haunt), seed)
        assert others.total() < 20


def test_every_type_of_command_can_be_said() -> None:
    assert set(SAID) == set(AnyCommand.__args__)


def test_actions_and_observations_do_not_depend_on_the_haunt_or_the_game() -> None:
    one, other = omenlog.env(seats=4), omenlog.env(seats=4, haunt=BROOD, shaped=True)
    assert one.action_space("seat_0") == other.action_space("seat_3")
    assert one.encoding.words(17) == other.encoding.words(17)
    assert one.layout.slices == other.layout.slices
    words = {one.encoding.words(action) for action in range(one.encoding.size)}
    assert len(words) == one.encoding.size, "each means something else"
    factors = sum(len(row.targets) * row.actors for _, _, row in one.encoding.rows())
    assert factors == one.encoding.size < 10_000


def test_monsters_beyond_the_last_and_long_lists_are_shown_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for two monsters and three commands without words, still every command is an action."""
    monkeypatch.setattr("omenlog.rl.encoding.MONSTERS", 2)
    monkeypatch.setattr("omenlog.rl.encoding.OTHERS", 3)
    env = omenlog.env(seats=3, haunt=BROOD)
    env.encoding = Encoding(env.encoding.rules, 3)
    env.reset(seed=5)
    lot, turned = random.Random(5), 0
    while not env.table.over:
        commands = {repr(env.command(action)) for action in legal_now(env)}
        while "None" in commands:
            page = env.observe(env.agent_selection)["observation"][env.layout["asked"].at("", "page/8")]
            env.step(env.encoding.more)
            found = {repr(env.command(action)) for action in legal_now(env)}
            turned += 1
            assert env.observe(env.agent_selection)["observation"][env.layout["asked"].at("", "page/8")] > page
            if found <= commands:
                break
            commands |= found
        listed = env.table.legal(env.possible_agents.index(env.agent_selection))
        assert {repr(one.command) for one in listed} == commands - {"None"}
        env.step(lot.choice([action for action in legal_now(env) if env.command(action) is not None]))
    assert turned > 5


def test_ways_to_lay_out_a_floor_are_other_actions(env: Environment) -> None:
    state = env.table.clone()._game.known(seat_bit(0))  # noqa: SLF001 -- such a question is rare
    options = [f"foyer:ground:{x}:1@{turns}" for x in range(50) for turns in range(4)]
    state.open = {"d1": Decision("d1", 0, "choice", "rearrange:ground", options)}
    pages = [env.encoding.legal(state, 0, page) for page in range(4)]
    assert [len(page) for page in pages] == [65, 65, 65, 9]
    shown = [one for page in pages for one in page.values() if one is not None]
    assert shown == [Choose(decision="d1", option=option) for option in options]


def test_a_place_for_a_tile_is_named_by_its_neighbor(env: Environment) -> None:
    state = env.table.clone()._game.known(seat_bit(0))  # noqa: SLF001 -- a question of our own
    hall = state.rooms["entrance-hall"]
    options = [f"{hall.floor}:{hall.x + x}:{hall.y + y}@{x + 1}" for x, y in ((1, 0), (0, -1), (1, -1))]
    state.open = {"d1": Decision("d1", 0, "choice", "place:attic", options)}
    said = [env.encoding.words(action).target for action in env.encoding.legal(state, 0)]
    assert said == ["entrance-hall:east@2", "entrance-hall:south@1", "entrance-hall:south-east@2"]


def test_all_divisions_of_points_are_actions_even_where_the_list_is_cut_off(env: Environment) -> None:
    state = env.table.clone()._game.known(seat_bit(0))  # noqa: SLF001 -- a question of our own
    caps = {"might": 4, "speed": 4, "sanity": 4, "knowledge": 4}
    state.open = {"d1": Decision("d1", 0, "allocation", "damage:general", total=8, caps=caps)}
    found = env.encoding.legal(state, 0)
    assert len(found) == 85
    assert env.encoding.index(("allocate", "", "might=4+knowledge=4", "self")) in found


def legal_now(env: Environment) -> list[int]:
    return [int(action) for action in np.flatnonzero(env.observe(env.agent_selection)["action_mask"])]


# -- observations -----------------------------------------------------------------------------------------------------------


def test_an_observation_says_what_the_view_says() -> None:
    env = omenlog.env(seats=4, haunt=BROOD)
    env.reset(seed=2)
    lot = random.Random(2)
    while len(env.table.view(0).monsters) < 3:
        env.step(lot.choice(legal_now(env)))
    for seat in range(4):
        seen, view = env.observe(f"seat_{seat}")["observation"], env.table.view(seat)
        part = env.layout.__getitem__
        rooms = part("rooms").of(seen)
        lies = dict(zip(part("rooms").rows, rooms, strict=True))
        assert {room for room, row in lies.items() if row[0]} == {room.id for room in view.rooms}
        for one in view.explorers:
            assert seen[part("explorers").at(f"seat:{one.seat}", "alive")] == one.alive
            assert seen[part("explorers").at(f"seat:{one.seat}", "might/8")] == one.traits.might.value / 8
            assert seen[part("explorers").at(f"seat:{one.seat}", "sanity-clip/8")] == one.traits.sanity.position / 8
            for card in one.cards:
                assert seen[part("cards").at(card, f"seat:{one.seat}")] == 1
        assert view.haunt is not None
        assert seen[part("haunt").at(BROOD, "played")] == 1
        assert int(part("monsters").of(seen)[:, 0].sum()) == len(view.monsters)
        assert seen[part("me").at("", f"seat:{seat}")] == 1


def test_a_question_is_observed_with_what_it_is_about() -> None:
    env = omenlog.env(seats=3)
    env.reset(seed=4)
    lot, about, question, rooms = random.Random(4), Counter[str](), env.layout["question"], env.layout["rooms"]
    while not env.table.over:
        seat = env.possible_agents.index(env.agent_selection)
        seen, asked = env.observe(env.agent_selection)["observation"], env.table.decisions(seat).yours[0]
        key, _, what = asked.about.partition(":")
        named = ["turn"] if asked.kind == "turn" else [f"a {asked.kind}", key if key in question.rows else "else"]
        assert [row for row in question.rows if seen[question.at(row, "asked")]] == named
        marked = [room for room in rooms.rows if seen[rooms.at(room, "asked")]]
        assert marked == ([what] if what in rooms.rows else marked)
        about[what] += what in rooms.rows
        env.step(lot.choice(legal_now(env)))
    assert about.total() > 5


@pytest.mark.parametrize("edition", HIDDEN)
def test_nobody_observes_who_the_hidden_traitor_is(edition: str) -> None:
    make = partial(omenlog.env, edition, seats=4, haunt=HIDDEN[edition], shaped=True)
    assert learning.hidden_traitors_are_observed_alike(make, 1, steps=150) > 50


def test_nobody_observes_what_another_has_looked_at() -> None:
    make = partial(omenlog.env, seats=4, shaped=True)
    assert learning.private_looks_are_observed_alike(make, 37) > 5


def test_nobody_observes_where_a_monster_hides(monkeypatch: pytest.MonkeyPatch) -> None:
    lurking = rules_with(haunt=SILENT)
    for module in ("opening", "table", "rl.environment"):
        monkeypatch.setattr(f"omenlog.{module}.rules_of", lambda *_: lurking)
    make = partial(omenlog.env, seats=3, haunt="lurking")
    assert learning.hideouts_are_observed_alike(make, 0, steps=120) > 20


@pytest.mark.prove
@pytest.mark.parametrize("edition", omenlog.EDITIONS)
def test_nobody_observes_who_the_hidden_traitor_is_in_many_games(edition: str) -> None:
    for name, haunt in rules_of(edition).pack.haunts.items():
        if haunt.kind == "hidden-traitor":
            make = partial(omenlog.env, edition, seats=4, haunt=name, shaped=True)
            assert all(learning.hidden_traitors_are_observed_alike(make, seed) for seed in range(4))


@pytest.mark.prove
def test_nobody_observes_what_another_has_looked_at_in_many_games() -> None:
    make = partial(omenlog.env, seats=4, shaped=True)
    assert sum(learning.private_looks_are_observed_alike(make, seed) for seed in range(30, 60)) > 10


# -- a game -----------------------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_games_and_the_game_of_a_table(env: Environment) -> None:
    first = at_random(env, steps=40).table.record()
    env.reset()
    second = env.table.record()
    other = omenlog.env(seats=3)
    other.reset(seed=1)
    assert at_random(other, steps=40).table.record() == first
    other.reset()
    assert other.table.record() == second != first
    assert omenlog.Table("second", seats=3, seed=1).view(0) == omenlog.replay(first, upto=0).view(0)


def test_a_reset_chooses_haunt_scenario_and_seats() -> None:
    env = omenlog.env("third", seats=5)
    env.reset(seed=1, options={"haunt": "high-water", "seats": 3, "scenario": "cursed"})
    assert env.agents == ["seat_0", "seat_1", "seat_2"]
    assert env.observation_space("seat_0").contains(env.observe("seat_0"))
    assert env.table.view(0).scenario is not None
    at_random(env)
    assert env.table.view(0).haunt is not None
    env.reset(seed=1)
    assert len(env.agents) == 5


@pytest.mark.parametrize("env", [{"seats": 3, "haunt": BROOD}, {"seats": 3, "haunt": HIDDEN["second"]}], indirect=True)
def test_winners_get_one_and_losers_lose_one(env: Environment) -> None:
    at_random(env)
    assert env.terminations == dict.fromkeys(env.agents, True)
    assert [env.rewards[f"seat_{seat}"] for seat in range(3)] == [
        1 if seat in env.table.winners else -1 for seat in range(3)
    ]
    while env.agents:
        env.step(None)


@pytest.mark.parametrize("env", [{"seats": 3, "turn_limit": 3}], indirect=True)
def test_a_game_that_is_cut_off_is_truncated_and_rewards_nobody(env: Environment) -> None:
    at_random(env)
    assert env.truncations == dict.fromkeys(env.agents, True)
    assert not any(env.terminations.values())
    assert set(env.rewards.values()) == {0}


def test_shaped_rewards_add_up_to_the_end_alone() -> None:
    env = omenlog.env(seats=3, shaped=True)
    env.reset(seed=1)
    begun = {agent: env._worth_of(agent) for agent in env.agents}  # noqa: SLF001 -- what a seat has at first
    earned, steps, lot = dict.fromkeys(env.agents, 0.0), 0, random.Random(1)
    while not env.table.over:
        env.step(lot.choice(legal_now(env)))
        steps += any(env.rewards.values())
        for agent in env.agents:
            earned[agent] += env.rewards[agent]
    won = {agent: 1 if seat in env.table.winners else -1 for seat, agent in enumerate(env.agents)}
    assert earned == pytest.approx({agent: won[agent] - begun[agent] for agent in env.agents})
    assert steps > 30


def test_a_copy_or_pickle_is_an_environment_like_it(env: Environment) -> None:
    for twin in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):  # noqa: S301 -- our own
        assert (twin.agents, twin.possible_agents, twin.encoding.size) == ([], env.possible_agents, env.encoding.size)
        twin.reset(seed=cast("int", np.int64(1)))
        assert twin.table.record() == env.table.record()


def test_it_plays_on_from_a_table_of_the_library(env: Environment) -> None:
    at_random(env, steps=30)
    other = omenlog.env(seats=4)
    other.begin(env.table.sample(0, seed=1))
    assert other.agents == ["seat_0", "seat_1", "seat_2"]
    assert at_random(other).table.over
    assert not env.table.over


# -- what is refused ----------------------------------------------------------------------------------------------------------

WRONG: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "edition": (lambda: omenlog.env("secnd"), Invalid, "did you mean `second`?"),
    "seats": (lambda: omenlog.env(seats=9), Refused, "9 seats: this pack seats 3 to 6"),
    "haunt": (lambda: omenlog.env(haunt="the-hollow-gest"), Invalid, "did you mean `the-hollow-guest`?"),
    "pack": (lambda: omenlog.env(pack="/nowhere.yaml"), Invalid, "no such file or folder"),
    "render mode": (lambda: omenlog.env(render_mode="rgb"), Invalid, "There are human, ansi, rgb_array."),
    "too early": (lambda: omenlog.env(seats=3).last(), Invalid, "No game is under way: call reset() first."),
    "step too early": (lambda: omenlog.env(seats=3).step(0), Invalid, "call reset() first"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_an_environment_that_cannot_be_is_refused(wrong: str) -> None:
    call, kind, says = WRONG[wrong]
    with pytest.raises(kind) as caught:
        call()
    assert says in str(caught.value)


def test_a_pack_with_too_many_actions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("omenlog.rl.environment.LARGEST", 1000)
    with pytest.raises(Invalid, match=r"This pack has \d+ actions, and an environment at most 1000: leave haunts out."):
        omenlog.env(seats=3)


ILLEGAL: dict[str, tuple[Callable[[Environment], Any], str]] = {
    "outside the mask": (lambda env: env.step(env.encoding.more), "(more self) is not legal for"),
    "outside the space": (lambda env: env.step(10**6), "There is no action 1000000: they are numbered from 0 to"),
    "negative": (lambda env: env.step(-1), "There is no action -1"),
    "nothing": (lambda env: env.step(None), "None is not an action"),
    "half": (lambda env: env.step(cast("int", 0.5)), "0.5 is not an action"),
    "stranger": (lambda env: env.observe("seat_3"), "There is no agent 'seat_3': did you mean `seat_"),
    "haunt": (lambda env: env.reset(options={"haunt": "nowhere"}), "There is no haunt 'nowhere'"),
    "seats": (lambda env: env.reset(options={"seats": 4}), "This environment has 3 seats: for 4 make another one."),
    "seats in words": (lambda env: env.reset(options={"seats": "three"}), "Expected `int`, got `str`"),
    "larger table": (lambda env: env.begin(omenlog.Table(seats=4, seed=1)), "This environment has 3 seats"),
    "other edition": (lambda env: env.begin(omenlog.Table("third", seats=3, seed=1)), "another edition or pack"),
    "asking for dice": (lambda env: env.begin(omenlog.Table(seats=3, tape=[])), "clone it with a seed"),
    "finished": (lambda env: env.begin(finished()), "This game is over: The turn limit of 1 is reached."),
}


@pytest.mark.parametrize("illegal", ILLEGAL)
def test_what_is_illegal_is_refused_and_changes_nothing(illegal: str, env: Environment) -> None:
    call, says = ILLEGAL[illegal]
    before = standing(env)
    with pytest.raises(Invalid) as caught:
        call(env)
    assert says in str(caught.value)
    assert standing(env) == before


def finished() -> omenlog.Table:
    table = omenlog.Table(seats=3, seed=1, turn_limit=1)
    while not table.over:
        seat = table.awaited()[0]
        table.do(seat, table.legal(seat)[-1])
    return table


def standing(env: Environment) -> tuple[Any, ...]:
    return env.agent_selection, env.table.record(), dict(env.rewards), env.observe("seat_0")["observation"].tobytes()


def test_an_unknown_option_of_a_reset_is_warned_of(env: Environment) -> None:
    with pytest.warns(UserWarning, match=r"'haunts' is ignored: did you mean `haunt`\?"):
        env.reset(options={"haunts": BROOD})


def test_without_its_extra_it_says_what_to_install() -> None:
    ran = alone("""
OURS = {"omenlog", "domain", "projections", "content"}
import omenlog
try:
    omenlog.env("second", seats=4)
except ImportError as error:
    print(error)
""")
    assert ran.stdout.splitlines() == ["omenlog.env needs more than the library (numpy): pip install 'omenlog[rl]'"]


# -- pictures ---------------------------------------------------------------------------------------------------------------


def test_pictures_show_what_spectators_see() -> None:
    text, picture = (omenlog.env(seats=4, haunt=HIDDEN["second"], render_mode=mode) for mode in ("ansi", "rgb_array"))
    for env in (text, picture):
        env.reset(seed=1)
    assert "Entrance Hall" in str(text.render())
    first = picture.render()
    assert isinstance(first, np.ndarray)
    assert first.shape == (720, 960, 3)
    assert first.dtype.name == "uint8"
    assert 0 < np.count_nonzero(first < 128) < first.size / 2, "dark lines on a white sheet"
    second = at_random(picture, steps=30).render()
    assert isinstance(second, np.ndarray)
    assert not np.array_equal(first, second)
