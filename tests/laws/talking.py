"""The laws hold at a table that talks: rulings are proposed, answered and withdrawn, and coins fall, at any moment of a game."""

from __future__ import annotations

import random
from collections.abc import Iterator

from domain.commands import AnyCommand, Choose, FlipCoin, ProposeRuling
from domain.refusal import Refused
from domain.rules import Rules
from domain.state import MODERATOR
from domain.turn.options import legal
from domain.turn.rulings import WITHDRAW
from tests.laws.completeness import every_question_has_its_frame, legality_is_the_roles_own
from tests.laws.playout import Game, awaited, open_table, pick

EXPECTED = {"ruling-open", "chance-open", "table-limit"}
"""Why the table may have to wait."""


def play_talking(rules: Rules, seed: int, *, seats: int = 4, haunt: str = "") -> tuple[Game, int]:
    """Play a random game in which people talk before every third command or so; returns it and how often they did."""
    game = open_table(rules, seed, seats=seats, haunt=haunt)
    said: list[bool] = []
    legality_is_the_roles_own(game, _steps(game, seed, said), every=1)
    return game, sum(said)


def _steps(game: Game, seed: int, said: list[bool]) -> Iterator[None]:
    talk, lot = random.Random(seed + 1), random.Random(seed)
    while game.state.status == "started":
        actor = awaited(game.state)
        game.do(actor, pick(lot, legal(game.rules, game.state, actor)))
        while game.state.status == "started" and talk.random() < 0.3:
            said.append(_say(game, talk))
            every_question_has_its_frame(game)
        yield


def _say(game: Game, talk: random.Random) -> bool:
    """Somebody says something; what is listed is accepted."""
    actor = talk.randrange(MODERATOR, game.state.seats)
    answers = [
        one
        for one in legal(game.rules, game.state, actor)
        if isinstance(one, Choose) and one.decision.startswith("ruling-")
    ]
    if answers:
        if answers[0].option == WITHDRAW and talk.random() < 0.8:
            return False
        game.do(actor, answers[0 if talk.random() < 0.9 else -1])
        return True
    command: AnyCommand = ProposeRuling(decision="table", text=f"So be it, {talk.randrange(100)}.")
    if talk.random() < 0.5:
        command = FlipCoin(decision="table", options=["yes", "no"])
    try:
        game.do(actor, command)
    except Refused as refusal:
        if refusal.problem not in EXPECTED:
            raise AssertionError(f"{game.name}: {command} was refused: {refusal.detail}") from None
        return False
    return True
