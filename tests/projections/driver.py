"""Random games: every state that a role has on the way, as the fold of what it was told."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from domain.decide import decide
from domain.engine.rules import Rules
from domain.evolve import fold, redact
from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from domain.facts.chance import Request, Seeded
from domain.facts.commands import AnyCommand
from domain.facts.events import GameOpened, SeatClaimed, Told
from domain.facts.state import MODERATOR, State
from domain.game import claim, open_game, start_game
from domain.rulebook.turn.options import legal
from tests.support.packs import rules
from tests.support.scenarios import scenario_for

PRINCIPALS = (*(seat_bit(seat) for seat in range(4)), SPECTATORS, REFEREE)


class Game:
    """A game in progress, with the engine's state and every role's."""

    def __init__(self, game: Rules, seed: int, haunt: str, seats: int = 4) -> None:
        self.rules = game
        self.chance = Seeded(b"projections %d" % seed, "g1")
        self.choosing = Seeded(b"players %d" % seed, "g1")
        self.roles: dict[Mask, State] = {mask: State() for mask in PRINCIPALS}
        self.steps = 0
        options: dict[str, object] = {"turn_limit": 120}
        if haunt:
            options["haunt"] = haunt
        opened = GameOpened(
            game="g1",
            edition=game.edition.id,
            pack=game.pack.head.id,
            pack_digest="",
            seats=seats,
            options=options,
            source="seeded",
        )
        self.state, told = open_game(game, opened)
        self.told: list[list[Told]] = []
        self.tell(told)
        for seat in range(seats):
            self.tell(claim(game, self.state, SeatClaimed(seat=seat)))
        self.tell(start_game(game, self.state, self.chance, "01-01", scenario_for(game, seed)))

    def tell(self, told: list[Told]) -> None:
        """Let every role fold its part of a commit."""
        self.told.append(told)
        for mask, role in self.roles.items():
            fold(role, [redact(told, mask)])

    @property
    def actor(self) -> int:
        """Who is awaited first: a seat, or the moderator."""
        return next(iter(self.state.open.values())).seat if self.state.open else self.state.turn.seat

    @property
    def mask(self) -> Mask:
        """The principal who is awaited."""
        return REFEREE if self.actor == MODERATOR else seat_bit(self.actor)

    def copy(self) -> State:
        """The engine's state, to try something on."""
        return msgspec.json.decode(msgspec.json.encode(self.state), type=State)

    def try_on_a_copy(self, actor: int, command: AnyCommand) -> list[Told]:
        """What would come of a command."""
        return decide(self.rules, self.copy(), actor, command, self.chance)

    def step(self) -> None:
        """Somebody who is awaited does anything that is legal."""
        found = legal(self.rules, self.state, self.actor)
        options = tuple(str(number) for number in range(len(found)))
        answer = self.choosing.ask(Request(self.steps, "command", options=options))
        self.tell(decide(self.rules, self.state, self.actor, found[int(answer.pick)], self.chance))
        self.steps += 1


def play(pack: str, seed: int, haunt: str = "") -> Iterator[Game]:
    """Play a random game: give it before every command, and once more when it is over."""
    game = Game(rules(pack), seed, haunt)
    while game.state.status == "started":
        yield game
        game.step()
    yield game
