"""Games as an environment of PettingZoo, in which agents take turns (AEC): one agent for each seat.

`docs/rl.md` shows how to use it. An observation and its mask are functions of what the seat was told, and of nothing else. Whose turn it is
PettingZoo tells everybody who steps the environment; a hidden traitor's agent is therefore to be kept from the policies of the others.
"""

from __future__ import annotations

import operator
import random
import secrets
import warnings
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any, SupportsIndex, TypeAlias, TypedDict

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from numpy.typing import NDArray
from pettingzoo import AECEnv

from content.errors import did_you_mean
from domain.facts.audience import SPECTATORS, seat_bit
from domain.facts.commands import AnyCommand
from domain.local import LocalGame
from omenlog.errors import Invalid, unknown
from omenlog.packs import rules_of
from omenlog.rl.encoding import Encoding, encoding_of
from omenlog.rl.observing import Layout, Vector, layout_of, relays
from omenlog.rl.picture import picture_of
from omenlog.table import TURN_LIMIT, Table
from projections.text.picture import house_as_text

MODES = ("human", "ansi", "rgb_array")
OPTIONS = ("haunt", "scenario", "seats")
"""What a reset may choose anew."""
LARGEST = 100_000
"""Actions that an environment may have: no learner chooses among more."""
Picture: TypeAlias = NDArray[np.uint8]


class Observation(TypedDict):
    """What an agent sees."""

    observation: Vector
    """Laid out as the environment's `layout` says."""
    action_mask: NDArray[np.int8]
    """1 for each action that is legal now."""


class Environment(AECEnv[str, Observation, SupportsIndex | None], EzPickle):
    """Games in which `seat_0`, `seat_1`, … are agents. A copy or pickle of it is one like it, before its first game."""

    def __init__(  # noqa: PLR0913 -- all but the first by name, as a table is opened
        self,
        edition: str = "second",
        *,
        seats: int = 4,
        haunt: str = "",
        scenario: str = "",
        turn_limit: int = TURN_LIMIT,
        rulings: Mapping[str, str] | None = None,
        pack: str | Path = "",
        shaped: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """An environment, before its first game; arguments are those of `omenlog.env`."""
        super().__init__()  # type: ignore[no-untyped-call]  # PettingZoo's own
        fixed = {
            "turn_limit": turn_limit,
            "rulings": rulings,
            "pack": pack,
            "shaped": shaped,
            "render_mode": render_mode,
        }
        EzPickle.__init__(self, edition, seats=seats, haunt=haunt, scenario=scenario, **fixed)
        if render_mode is not None and render_mode not in MODES:
            raise unknown("render mode", render_mode, MODES)
        self._fixed: dict[str, Any] = {"turn_limit": turn_limit, "rulings": rulings, "pack": pack}
        self._usual: dict[str, Any] = {"haunt": haunt, "scenario": scenario, "seats": seats}
        Table(edition, seed=0, **self._usual, **self._fixed)  # refuses what cannot be played
        rules = rules_of(edition, pack)
        self.edition = edition
        self.shaped = shaped
        self.render_mode = render_mode
        self.metadata = {
            "name": f"omenlog_{edition}_v0",
            "render_modes": list(MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.encoding: Encoding = encoding_of(rules, seats)
        """What each action means."""
        if self.encoding.size > LARGEST:
            raise Invalid(
                f"This pack has {self.encoding.size} actions, and an environment at most {LARGEST}: leave haunts out."
            )
        self.layout: Layout = layout_of(rules, seats)
        """What each number of an observation means."""
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents = []
        self.agent_selection = self.possible_agents[0]
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(self.encoding.size) for agent in self.possible_agents
        }
        self.observation_spaces = {agent: self._seen() for agent in self.possible_agents}
        self._random = random.Random(secrets.token_bytes(16))  # noqa: S311 -- chooses seeds of games
        self._table: Table | None = None
        self._seats: dict[str, int] = {}
        self._seat = 0
        self._page = 0
        self._legal: dict[int, AnyCommand | None] | None = None
        self._houses: dict[int, array[float]] = {}

    def _seen(self) -> spaces.Space[Any]:
        return spaces.Dict(
            {
                "observation": spaces.Box(-1, 1, (self.layout.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (self.encoding.size,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    @property
    def table(self) -> Table:
        """The table of the game under way, for views, words and the log. Raises `Invalid` before the first `reset`."""
        if self._table is None:
            raise Invalid("No game is under way: call reset() first.")
        return self._table

    # -- a game ----------------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: of the game, as of a `Table`; without it another game each time, the same ones after the same seed.
            options: `haunt`, `scenario` and `seats` of this game, in place of the environment's own; of seats it may have fewer.

        Raises:
            Invalid: there is no such haunt, scenario or number of seats; the game under way goes on.
        """
        chosen = dict(options or {})
        for name in chosen.keys() - set(OPTIONS):
            near = did_you_mean(str(name), OPTIONS)
            warnings.warn(
                f"reset() takes the options {', '.join(OPTIONS)}; {name!r} is ignored{f': {near}' if near else '.'}",
                stacklevel=2,
            )
            del chosen[name]
        seats = chosen.get("seats", 0)
        if isinstance(seats, int) and seats > len(self.possible_agents):
            raise Invalid(f"This environment has {len(self.possible_agents)} seats: for {seats} make another one.")
        game_seed = self._random.getrandbits(64) if seed is None else operator.index(seed)
        lot = self._random if seed is None else random.Random(game_seed)  # noqa: S311 -- chooses seeds of games
        table = Table(self.edition, seed=game_seed, **{**self._usual, **chosen}, **self._fixed)
        self._random = lot
        self.begin(table)

    def begin(self, table: Table) -> None:
        """Play a table on from where it stands: a clone, a replayed record, or a sampled world.

        Raises `Invalid` if it is over, has more seats, belongs to another pack, or asks somebody for its dice; the game under way goes on.
        """
        if table.seats > len(self.possible_agents):
            raise Invalid(
                f"This environment has {len(self.possible_agents)} seats: for {table.seats} make another one."
            )
        if table.over:
            raise Invalid(f"This game is over: {table.because}")
        if (table._opening.edition, table._opening.pack) != (self.edition, str(self._fixed["pack"])):  # noqa: SLF001 -- of this package
            raise Invalid(
                "This table plays another edition or pack, whose actions are others: make an environment of it."
            )
        if table._seed is None or table._tape is not None:  # noqa: SLF001 -- the same
            raise Invalid("This table has dice of its own or asks for them: clone it with a seed.")
        self._table = table
        self.agents = self.possible_agents[: table.seats]
        self._seats = {agent: seat for seat, agent in enumerate(self.agents)}
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._houses.clear()
        self._worth = {agent: self._worth_of(agent) for agent in self.agents}
        self._await(table)

    def step(self, action: SupportsIndex | None) -> None:
        """Do what the selected agent has chosen.

        Raises:
            Invalid: the action is not in its mask; nothing has changed.
        """
        table, agent = self.table, self.agent_selection
        if not self.agents:
            raise Invalid("The game is over: call reset() to begin another.")
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise Invalid(f"The game is over: {agent} can only step with None.")
            self._was_dead_step(None)
            return
        command = self._command(agent, action)
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        if command is None:
            self._page += 1
            self._legal = None
        else:
            table.do(self._seat, command)
            if relays(self._game.log[-1].told):
                self._houses.clear()
            if self.shaped:
                self._reward_progress(over=table.over)
            if table.over:
                self._end(table)
            else:
                self._await(table)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What an agent's seat knows, and may do now."""
        game, seat = self._game, self._seats.get(agent, -1)
        if seat < 0:
            raise unknown("agent", agent, self._seats)
        state = game.known(seat_bit(seat))
        house = self._houses.get(seat)
        if house is None:
            house = self._houses[seat] = self.layout.house(state)
        mask = bytearray(self.encoding.size)
        for number in self._choices(seat):
            mask[number] = 1
        return {
            "observation": self.layout.vector(state, seat, self._page if seat == self._seat else 0, house),
            "action_mask": np.frombuffer(mask, dtype=np.int8),
        }

    def command(self, action: SupportsIndex) -> AnyCommand | None:
        """The command that an action of the selected agent's mask stands for now; None for `more`. Raises `Invalid` outside of the mask."""
        return self._command(self.agent_selection, action)

    def _command(self, agent: str, action: SupportsIndex | None) -> AnyCommand | None:
        choices = self._choices(self._seat)
        try:
            number = operator.index(action)  # type: ignore[arg-type]  # None and the like are what is caught
        except TypeError:
            offered = f"{agent} has {len(choices)} to choose from, which are 1 in its action_mask"
            raise Invalid(f"{action!r} is not an action: {offered}.") from None
        if number in choices:
            return choices[number]
        if not 0 <= number < self.encoding.size:
            raise Invalid(f"There is no action {number}: they are numbered from 0 to {self.encoding.size - 1}.")
        said = " ".join(filter(None, self.encoding.words(number)))
        raise Invalid(
            f"Action {number} ({said}) is not legal for {agent} now: choose one of the {len(choices)} that are 1 in its action_mask."
        )

    def _choices(self, seat: int) -> dict[int, AnyCommand | None]:
        game = self._game
        if seat == self._seat and self._legal is not None:
            return self._legal
        if game.over:
            return {}
        page = self._page if seat == self._seat else 0
        found = self.encoding.legal(game.known(seat_bit(seat)), seat, page)
        if seat == self._seat:
            self._legal = found
        return found

    def _await(self, table: Table) -> None:
        self._seat = table.awaited()[0]
        self._page = 0
        self._legal = None
        self.agent_selection = self.possible_agents[self._seat]

    def _end(self, table: Table) -> None:
        """Reward the seats of the side that has won with 1, the others with -1; without a winner the game is cut off."""
        self._legal = {}
        for seat, agent in enumerate(self.agents):
            self.terminations[agent] = bool(table.winner)
            self.truncations[agent] = not table.winner
            if table.winner:
                self.rewards[agent] += 1 if seat in table.winners else -1
        self._deads_step_first()

    @property
    def _game(self) -> LocalGame:
        return self.table._game  # noqa: SLF001 -- of this package

    # -- shaped rewards ----------------------------------------------------------------------------------------------------

    def _reward_progress(self, *, over: bool) -> None:
        for agent in self.agents:
            worth = 0.0 if over else self._worth_of(agent)
            self.rewards[agent] += worth - self._worth[agent]
            self._worth[agent] = worth

    def _worth_of(self, agent: str) -> float:
        """How well a seat stands, as far as it knows, between -0.2 and 0.8.

        Only differences of it are given, and it is 0 at the end, so that it changes no best policy (Ng, Harada and Russell, 1999).
        """
        if not self.shaped or self.table.over:
            return 0
        seat = self._seats[agent]
        state = self._game.known(seat_bit(seat))
        sides: dict[bool, list[float]] = {True: [], False: []}
        mine = state.explorers[seat]
        for one in state.explorers:
            sides[one.seat == seat or (bool(one.side) and one.side == mine.side)].append(
                sum(one.at) / 32 if one.alive else 0.0
            )
        own = sides[True]
        foes = sides[False] if state.haunt is not None and mine.side else []
        return (
            0.3 * (sum(mine.at) / 32 if mine.alive else 0)
            + 0.2 * sum(own) / len(own)
            - 0.2 * (sum(foes) / len(foes) if foes else 0)
            + 0.1 * min(1.0, len(mine.cards) / 8)
            + 0.2 * min(1.0, len(state.rooms) / len(self.encoding.rules.pack.tiles))
        )

    # -- pictures ------------------------------------------------------------------------------------------------------------

    def render(self) -> str | Picture | None:
        """The house as spectators see it: as text (`ansi`), printed (`human`), or as a picture of 960 by 720 (`rgb_array`)."""
        if self.render_mode is None:
            warnings.warn(f"Choose a render_mode when you make the environment: {', '.join(MODES)}.", stacklevel=2)
            return None
        if self.render_mode == "rgb_array":
            return picture_of(self.table.view("spectators"))
        text = house_as_text(self._game.rules, self._game.known(SPECTATORS))
        if self.render_mode == "ansi":
            return text
        print(text)  # noqa: T201 -- that is what this mode is for
        return None

    def close(self) -> None:
        """Nothing has to be released."""
