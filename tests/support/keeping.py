"""Games that were played without a service, kept in the store of one as if it had been played there."""

from __future__ import annotations

from domain.facts.audience import EVERYBODY, REFEREE, seat_bit
from domain.facts.events import GameOpened, Told
from domain.facts.lifecycle_commands import Claimed, Life, Opened, Started
from domain.facts.state import MODERATOR
from service.bootstrap import Service
from service.log.chain import FIRST, Salts, seal
from service.log.commits import Draft
from service.log.facts import Facts, SeatFacts, Secret, encode
from service.log.requests import Options
from service.store.port import NewGame
from tests.laws.playout import TODAY, Game

OPENED = "2026-02-03T00:00:00.000Z"


async def keep(service: Service, game: Game, *, revision: int = 0) -> str:
    """Keep a game that has started; returns its id.

    Args:
        service: where.
        game: as it was played.
        revision: of the rules, as its commits bear it; by default today's.
    """
    state, name = game.state, game.name
    digest = next(one.digest for one in service.library.offered.values() if one.pack.head.id == game.rules.pack.head.id)
    facts = Facts(
        id=name,
        edition=game.rules.edition.id,
        pack=game.rules.pack.head.id,
        pack_digest=digest,
        rules=revision or game.rules.revision,
        seats=[SeatFacts(seat=one.seat, claimed=True, character=one.id) for one in state.explorers],
        options=Options(),
        source="seeded",
        hotseat=True,
        status=state.status,
        started_at=len(game.commits) - len(game.acts),
    )
    secret = Secret(seed=b"s" * 32, seed_salt=b"t" * 32, salt_key=b"k" * 32, token_key=b"o" * 32)
    bodies, prev = [], FIRST
    for number, told in enumerate(game.commits, 1):
        actor, command, to = _act(game, number, told)
        draft = Draft(
            game=name,
            number=number,
            at=OPENED,
            rules=facts.rules,
            pack=digest,
            actor=actor,
            command=command,
            command_to=to,
            told=told,
        )
        sealed = seal(draft, prev, Salts(secret.salt_key))
        bodies.append(sealed.body)
        prev = sealed.hash
    made = NewGame(
        id=name,
        created=OPENED,
        status=facts.status,
        facts=encode(facts),
        secret=encode(secret),
        commits=bodies,
    )
    await service.store.create(made, creator="test", key=None, fingerprint=b"")
    return name


def _act(game: Game, number: int, told: list[Told]) -> tuple[str, object, int]:
    """Who did what, and who is told of it."""
    opening = len(game.commits) - len(game.acts)
    if number <= opening:
        return "host", _life(number, opening, told), EVERYBODY
    actor, command = game.acts[number - opening - 1]
    if actor == MODERATOR:
        return "moderator", command, REFEREE
    return f"seat:{actor}", command, seat_bit(actor) | REFEREE


def _life(number: int, opening: int, told: list[Told]) -> Life:
    if number == 1:
        assert isinstance(told[0].event, GameOpened)
        return Opened()
    return Started(today=TODAY) if number == opening else Claimed(seat=number - 2)
