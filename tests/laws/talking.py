"""The laws hold at a table that talks: rulings are proposed, answered and withdrawn, and coins fall, at any moment of a game."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec

from domain.decide import decide
from domain.engine.rules import Rules
from domain.facts.chance import Moderator, Seeded
from domain.facts.commands import AnyCommand, Choose, FlipCoin, ProposeRuling
from domain.facts.desk_commands import AnyDeskCommand, GiveEvidence, OpenDispute, RuleDispute, WithdrawDispute
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, State
from domain.past import Passed
from domain.rulebook.desk.rulings import WITHDRAW
from domain.rulebook.desk.talk import of_play, talk
from domain.rulebook.turn.options import legal
from service.games.live_folds import Course
from tests.laws.completeness import every_question_has_its_frame, legality_is_the_roles_own
from tests.laws.playout import Game, awaited, copy_of, encode, open_table, pick, principals

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


# -- what is said while something is half-done ------------------------------------------------------------------------------

DIGEST = "a" * 64


def talk_is_talk_whatever_is_half_done(rules: Rules, seed: int, *, haunt: str, source: str) -> int:
    """Say everything there is to say wherever a random game waits, and find that nothing was played by it.

    Each place at which frames wait is tried once. Returns how many there were.
    """
    chance = Seeded(b"seed %d" % seed, "talk") if source == "seeded" else Moderator()
    game = open_table(rules, seed, seats=3, haunt=haunt, chance=chance, source=source)
    lot, places = random.Random(seed), set[tuple[tuple[str, str], ...]]()
    while game.state.status == "started":
        place = tuple((frame.block, frame.at) for frame in game.state.frames)
        if place not in places:
            places.add(place)
            for actor in range(MODERATOR, game.state.seats):
                _say_everything(game, actor)
        actor = awaited(game.state)
        game.do(actor, pick(lot, legal(game.rules, game.state, actor)))
    return len(places)


def _say_everything(game: Game, actor: int) -> None:
    seats = [seat for seat in range(game.state.seats) if seat != actor]
    agree = [(seat, "agree") for seat in seats]
    for ballots in (agree, [(seats[0], "refuse")], [(actor, "withdraw")]):
        table = copy_of(game.state)
        _said(game, table, actor, ProposeRuling(decision="table", text="So be it."))
        for seat, option in ballots:
            _said(game, table, seat, Choose(decision="ruling-1", option=option))
    if actor == MODERATOR:
        return
    for ballots in (agree, [(seats[0], "refuse")], [*agree[:1], (seats[0], "withdraw")], [(actor, "withdraw")]):
        desk = copy_of(game.state)
        _said(game, desk, actor, OpenDispute(first=1, last=1, table=True, claim=DIGEST))
        _said(game, desk, seats[0], GiveEvidence(number=1, commits=[1]))
        _said(game, desk, actor, RuleDispute(number=1, outcome="stands", text="It was so."))
        for seat, option in ballots:
            _said(game, desk, seat, Choose(decision="dispute-1-1", option=option))
    desk = copy_of(game.state)
    _said(game, desk, actor, OpenDispute(first=1, last=1, claim=DIGEST))
    for one in (actor, MODERATOR):
        _said(game, desk, one, GiveEvidence(number=1, rules=["2E-MOVE-001"], note=DIGEST))
    _said(game, desk, actor, WithdrawDispute(number=1))
    _said(game, desk, actor, OpenDispute(first=1, last=1, claim=DIGEST))
    _said(game, desk, MODERATOR, RuleDispute(number=2, outcome="stands", text="It was so."))


def _said(game: Game, state: State, actor: int, command: AnyCommand | AnyDeskCommand) -> None:
    """Decide it, and hold that everybody knows it for talk and nothing but what was said has changed."""
    before = _played(state)
    told = decide(game.rules, state, actor, command, Moderator())
    state.commit += 1
    where = f"{game.name}: {type(command).__name__} by {actor} at {state.frames}"
    assert not of_play(told), where
    for who in principals(state.seats):
        assert talk([one.event for one in told if one.to & who]), where
    assert _played(state) == before, where
    course = Course()
    course.advance(Passed(1, actor, told), 1)
    assert not course.standing, where


def _played(state: State) -> bytes:
    """A state but for what was said in it."""
    return encode(msgspec.structs.replace(state, rulings=None, desk=None, commit=0))
