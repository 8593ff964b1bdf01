"""Contestants: random play of complete games, bare, and with every seat told after every command."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

import msgspec

from domain.facts.audience import EVERYBODY, REFEREE, seat_bit
from domain.facts.commands import AnyCommand
from domain.facts.events import Told
from domain.facts.state import State
from service.games.live_folds import RoleFold
from service.log.commits import Moment, Part, Parts, wire_parts
from tests.bench.games import SEATS, exact, play_out, table
from tests.bench.sample import Round, Sample, checksum, share
from tests.support.packs import rules

GAMES = 20
"""Games in a full round."""

NOW = "2026-01-01T00:00:00.000Z"

encode = msgspec.json.Encoder().encode


def bare(scale: int) -> AbstractContextManager[Round]:
    """Second edition: legal list, choice, decide, evolve."""
    return _bare("second-edition", scale)


def bare_third(scale: int) -> AbstractContextManager[Round]:
    """The same, third edition, the scenarios in turn."""
    return _bare("third-edition", scale)


@contextmanager
def _bare(name: str, scale: int) -> Iterator[Round]:
    pack = rules(name)

    def play_round() -> Sample:
        ends: list[State] = []
        commands = choices = 0
        begun = time.perf_counter()
        for seed in range(share(GAMES, scale)):
            state, chance, _ = table(pack, seed)
            played, chosen = play_out(pack, state, chance, random.Random(seed))
            commands += played
            choices += chosen
            ends.append(state)
        seconds = time.perf_counter() - begun
        return Sample(count=choices, seconds=seconds, proofs=_proofs(ends, name), notes=_notes(commands, seconds, ends))

    yield play_round


@contextmanager
def told(scale: int) -> Iterator[Round]:
    """The same, and after each command every seat's state folds what it was told, and its bytes are made."""
    pack = rules("second-edition")

    def play_round() -> Sample:
        ends: list[State] = []
        audiences: list[Audience] = []
        commands = choices = 0
        begun = time.perf_counter()
        for seed in range(share(GAMES, scale)):
            state, chance, commits = table(pack, seed)
            audience = Audience(state.game)
            for number, commit in enumerate(commits, 1):
                audience.tell(number, b'"host"', b"{}", EVERYBODY, commit)
            played, chosen = play_out(pack, state, chance, random.Random(seed), tell=audience.hear)
            commands += played
            choices += chosen
            ends.append(state)
            audiences.append(audience)
        seconds = time.perf_counter() - begun
        proofs = _proofs(ends, "second-edition")
        proofs["what four seats know in the end"] = checksum(
            exact(role.state) for audience in audiences for role in audience.roles
        )
        proofs["bytes sent to four seats"] = checksum(body for audience in audiences for body in audience.sent)
        return Sample(count=choices, seconds=seconds, proofs=proofs, notes=_notes(commands, seconds, ends))

    yield play_round


class Audience:
    """Four seats that follow a game: what each knows, and all bytes that were sent."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.roles = [RoleFold() for _ in range(SEATS)]
        self.sent: list[bytes] = []

    def hear(self, actor: int, command: AnyCommand, commit: list[Told]) -> None:
        """A seat's command, told as the service tells it: the command to its actor, each event to its audience."""
        number = self.roles[0].number + 1
        self.tell(number, b'"seat:%d"' % actor, encode(command), seat_bit(actor) | REFEREE, commit)

    def tell(self, number: int, actor: bytes, command: bytes, command_to: int, commit: Sequence[Told]) -> None:
        """Fold, filter and encode for each seat; each event is encoded once."""
        events = [Part(one.to, encode(one.event)) for one in commit]
        parts = Parts(b"", Part(EVERYBODY, actor), Part(command_to, command), events)
        for seat, role in enumerate(self.roles):
            bit = seat_bit(seat)
            role.advance(number, commit, bit)
            self.sent.append(wire_parts(self.game, number, NOW, parts, bit, Moment()))


def _proofs(ends: Sequence[State], pack: str) -> dict[str, str]:
    return {f"final states of the games played, {pack}": checksum(exact(state) for state in ends)}


def _notes(commands: int, seconds: float, ends: Sequence[State]) -> dict[str, float]:
    return {
        "commands": commands,
        "commands/s": commands / seconds,
        "us a command": 1e6 * seconds / commands,
        "games": len(ends),
        "haunted": sum(state.haunt is not None for state in ends),
        "won": sum(bool(state.winner) for state in ends),
    }
