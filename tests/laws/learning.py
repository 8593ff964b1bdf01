"""Laws of the environment for learners: every legal command is an action, and twin games are observed alike."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import SupportsIndex

import numpy as np

from domain.facts.audience import REFEREE, seat_bit
from domain.facts.chance import Chance, Seeded
from domain.facts.commands import AnyCommand, Move, Reveal
from domain.facts.events import (
    ExplorerDied,
    GameEnded,
    MonsterShown,
    SideTold,
    SlotSeen,
    TileDrawn,
    Told,
)
from domain.rulebook.table.sparing import EXEMPTIONS
from domain.rulebook.turn.options import LISTED, legal
from omenlog import Table
from omenlog.opening import NAME, opened
from omenlog.rl.encoding import OTHER
from omenlog.rl.environment import Environment
from tests.laws.secrecy import Twisted


def commits(env: Environment) -> list[Sequence[Told]]:
    """What has happened in an environment's game."""
    return [done.told for done in env.table._game.log]  # noqa: SLF001 -- a law looks behind the scenes


# -- actions ---------------------------------------------------------------------------------------------------------------------


def actions_are_the_legal_commands(env: Environment, seed: int, steps: int = 10_000, every: int = 1) -> Counter[str]:
    """A game at random in which the mask is what the engine lists, looked at each so many steps; counts questions answered by `other`."""
    env.reset(seed=seed)
    lot, others = random.Random(seed), Counter[str]()
    for number, agent in enumerate(env.agent_iter(steps)):
        if env.terminations[agent] or env.truncations[agent]:
            break
        seen = env.observe(agent)
        actions = [int(action) for action in np.flatnonzero(seen["action_mask"])]
        if number % every == 0:
            others.update(_agrees(env, agent, actions))
            vector = seen["observation"]
            assert np.abs(vector).max() <= 1
            known = env.table._game.known(seat_bit(env.possible_agents.index(agent)))  # noqa: SLF001 -- as above
            fresh = env.layout.vector(known, env.possible_agents.index(agent))
            assert vector.tobytes() == fresh.tobytes(), "what was kept of the house is as it lies now"
        env.step(lot.choice(actions))
    return others


def _agrees(env: Environment, agent: str, actions: list[int]) -> list[str]:
    game, seat = env.table._game, env.possible_agents.index(agent)  # noqa: SLF001 -- as above
    listed = legal(game.rules, game.state, seat)
    commands = [env.command(action) for action in actions]
    if len(listed) <= LISTED:
        assert sorted(map(repr, commands)) == sorted(map(repr, listed)), "actions are what is listed, each once"
    else:
        assert {*map(repr, listed)} <= {*map(repr, commands)}, "and where the list is cut off, more"
    words = [env.encoding.words(action) for action in actions]
    assert [env.encoding.index(one) for one in words] == actions
    return [repr(env.command(action)) for action, one in zip(actions, words, strict=True) if one.verb == OTHER]


# -- secrecy ---------------------------------------------------------------------------------------------------------------------


def dealt(env: Environment, seed: int, chance: Chance) -> Environment:
    """The environment with a game that another source of chance has dealt."""
    env.reset(seed=seed)
    table: Table = env.table
    table._game = opened(table._opening, chance)  # noqa: SLF001 -- a game that no seed gives
    env.begin(table)
    return env


def hidden_traitors_are_observed_alike(make: Callable[[], Environment], seed: int, steps: int = 10_000) -> int:
    """Two games with another hidden traitor: others observe the same, until a death or a reveal tells. Returns steps compared."""
    envs = [dealt(make(), seed, Twisted(_rolled(seed), "roles", f"seat:{traitor}")) for traitor in (1, 2)]
    others = [seat for seat in range(len(envs[0].agents)) if seat not in (1, 2)]
    return _same_course(envs, others, seed, _tells_sides, steps=steps)


def private_looks_are_observed_alike(make: Callable[[], Environment], seed: int) -> int:
    """Two games in which somebody saw another tile on top of the stack: others observe the same until it is drawn."""
    first = dealt(make(), seed, _rolled(seed))
    lot, looker, seen = random.Random(seed), -1, ""
    while not first.table.over and looker < 0:
        _step([first], lot)
        for one in commits(first)[-1]:
            if isinstance(one.event, SlotSeen) and one.event.deck == "tiles":
                looker, seen = (one.to & ~REFEREE).bit_length() - 1, one.event.face
    pack, back = first.encoding.rules.pack, first.encoding.rules.pack.back_of(seen)
    pool = first.table._game.state.decks["tiles"].pool  # noqa: SLF001 -- as above
    other = next((face for face in pool if pack.back_of(face) == back), "")
    if looker < 0 or not other:
        return 0
    twisted = [Twisted(_rolled(seed), f"tile:seen-by:{looker}", face) for face in (seen, other)]
    others = [seat for seat in range(len(first.agents)) if seat != looker]
    envs = [dealt(make(), seed, one) for one in twisted]
    return _same_course(envs, others, seed, _tells_tiles, begin=len(commits(first)))


def hideouts_are_observed_alike(make: Callable[[], Environment], seed: int, steps: int = 10_000) -> int:
    """Two games in which monsters hide elsewhere: others than the traitor observe the same until one shows itself."""
    envs = [dealt(make(), seed, _rolled(seed)) for _ in range(2)]
    return _same_course(envs, range(len(envs[0].agents)), seed, _tells_hideouts, steps=steps)


def _rolled(seed: int) -> Chance:
    return Seeded(b"%d" % seed, NAME)


def _same_course(
    envs: list[Environment],
    others: Sequence[int],
    seed: int,
    tells: Callable[[Told], bool],
    *,
    begin: int = 0,
    steps: int = 10_000,
) -> int:
    """Do the same in both and compare what others observe and are rewarded, until something is told rightly or for so many steps.

    With `begin` comparing begins after so many commits.
    """
    one, lot, compared = envs[0], random.Random(seed), 0
    while not one.table.over and compared < steps:
        _step(envs, lot)
        if len(commits(one)) > begin and any(tells(told) for env in envs for told in commits(env)[-1]):
            break
        haunt = one.table._game.state.haunt  # noqa: SLF001 -- as above
        for seat in others:
            if tells is _tells_hideouts and haunt is not None and haunt.traitor == seat:
                continue
            agent = one.possible_agents[seat]
            mine, theirs = (env.observe(agent) for env in envs)
            assert mine["observation"].tobytes() == theirs["observation"].tobytes(), f"{agent} observes more"
            assert mine["action_mask"].tobytes() == theirs["action_mask"].tobytes(), f"{agent} may do more"
            assert one.rewards[agent] == envs[1].rewards[agent]
        compared += len(commits(one)) >= begin
    return compared


def _step(envs: list[Environment], lot: random.Random) -> None:
    """The next step of each, whoever does it: the same action, but that a monster that hides goes elsewhere."""
    masks = [env.observe(env.agent_selection)["action_mask"] for env in envs]
    secret = [
        [action for action in np.flatnonzero(mask) if _hides(env, action)]
        for env, mask in zip(envs, masks, strict=True)
    ]
    if all(secret) and lot.random() < 0.8:
        chosen = [lot.choice(one) for one in secret]
        if len({env.encoding.words(action).actor for env, action in zip(envs, chosen, strict=True)}) == 1:
            for env, action in zip(envs, chosen, strict=True):
                env.step(action)
            return
    both = np.flatnonzero(np.logical_and.reduce(masks))
    public = [
        action for action in both if not any(_hides(env, action) or _gives_away(env.command(action)) for env in envs)
    ]
    action = lot.choice(public)
    for env in envs:
        env.step(action)


def _hides(env: Environment, action: SupportsIndex) -> bool:
    command = env.command(action)
    monsters = env.table._game.state.monsters  # noqa: SLF001 -- as above
    return isinstance(command, Move) and command.monster is not None and monsters[command.monster].hides


def _gives_away(command: AnyCommand | None) -> bool:
    """Whether the hidden traitor alone can do it."""
    return isinstance(command, Reveal) or getattr(command, "option", "") in ("reveal", *EXEMPTIONS)


def _tells_sides(told: Told) -> bool:
    return isinstance(told.event, ExplorerDied | GameEnded) or (
        isinstance(told.event, SideTold) and told.event.revealed
    )


def _tells_tiles(told: Told) -> bool:
    return isinstance(told.event, TileDrawn | SlotSeen | GameEnded)


def _tells_hideouts(told: Told) -> bool:
    return isinstance(told.event, MonsterShown | GameEnded)
