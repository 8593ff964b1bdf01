"""Replay equals live, and audit equals log."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from domain.decide import decide
from domain.evolve import fold
from domain.facts.chance import Answer, Moderator, Request, Seeded, Tape
from domain.facts.commands import AnswerChance, AnyCommand
from domain.facts.events import AnyEvent, DecisionClosed, DecisionOpened, OptionsTold, Suspended, Told
from domain.facts.state import MODERATOR, State
from domain.rulebook.table.posted_dice import throw
from tests.laws.playout import Game, copy_of, encode, open_table


def fold_equals_live(game: Game, snapshots: int = 3) -> None:
    """Folding the log gives the live state, from the beginning and from any snapshot."""
    assert encode(fold(State(), game.commits)) == encode(game.state), (
        f"{game.name}: fold(log) differs from the live state"
    )
    stride = max(1, len(game.commits) // (snapshots + 1))
    for at in range(stride, len(game.commits), stride):
        snapshot = copy_of(fold(State(), game.commits[:at]))
        assert encode(fold(snapshot, game.commits[at:])) == encode(game.state), f"{game.name}: from a snapshot at {at}"


def log_round_trips(game: Game) -> None:
    """Encoded and decoded events are the events, byte for byte."""
    for commit in game.commits:
        raw = msgspec.json.encode(commit)
        assert msgspec.json.encode(msgspec.json.decode(raw, type=list[Told])) == raw, game.name


def redeciding_gives_the_log(game: Game) -> None:
    """Deciding every recorded command again gives byte-equal events, with the state reloaded before each."""
    source = Seeded(b"seed %d" % int(game.name.rpartition("-")[2]), game.name)
    opening = len(game.commits) - len(game.acts)
    state = fold(State(), game.commits[:opening])
    for number, (actor, command) in enumerate(game.acts, start=opening):
        state = copy_of(state)
        told = decide(game.rules, state, actor, command, source)
        state.commit += 1
        assert msgspec.json.encode(told) == msgspec.json.encode(game.commits[number]), (
            f"{game.name}: commit {number + 1} differs when {command} is decided again"
        )


def tape_gives_the_log(game: Game) -> None:
    """A tape with the recorded answers gives the same events."""
    answers = [answer for _, answer in game.chance.answers]
    again = open_table(
        game.rules,
        _seed(game),
        seats=game.state.seats,
        haunt=str(game.state.options.get("haunt", "")),
        chance=Tape(answers),
    )
    for actor, command in game.acts:
        again.do(actor, command)
    assert encode(again.commits) == encode(game.commits), f"{game.name}: the tape gave another game"


def moderator_gives_the_log(game: Game) -> None:
    """A moderator who gives the same answers gives the same events, up to the borders of commits and what waiting needs."""
    answers = iter(game.chance.answers)
    again = open_table(
        game.rules,
        _seed(game),
        seats=game.state.seats,
        haunt=str(game.state.options.get("haunt", "")),
        chance=Moderator(),
    )
    _answer_all(again, answers)
    for actor, command in game.acts:
        again.do(actor, command)
        _answer_all(again, answers)
    mine, theirs = _substance(game), _substance(again)
    assert mine == theirs, f"{game.name}: with a moderator event {_first_difference(mine, theirs)} differs"


def _answer_all(game: Game, answers: Iterator[tuple[Request, Answer]]) -> None:
    """The moderator answers whatever is asked; the state is put down and picked up at every question."""
    while any(decision.seat == MODERATOR for decision in game.state.open.values()):
        game.state = copy_of(game.state)
        game.do(MODERATOR, _told(game, *next(answers)))


def _seed(game: Game) -> int:
    return int(game.name.rpartition("-")[2])


def _told(game: Game, request: Request, answer: Answer) -> AnyCommand:
    decision = next(one for one in game.state.open.values() if one.seat == MODERATOR)
    assert decision.about == request.what, f"{game.name}: asked for {decision.about}, recorded was {request.what}"
    return (
        throw(game.rules, decision.id, answer.faces)
        if answer.faces
        else AnswerChance(decision=decision.id, pick=answer.pick)
    )


def _substance(game: Game) -> list[bytes]:
    """The events without what only waiting needs: frames, and decisions of the moderator."""
    found: list[bytes] = []
    for commit in game.commits:
        found += [msgspec.json.encode(told) for told in commit if not _is_waiting(told.event)]
    return found


def _is_waiting(event: AnyEvent) -> bool:
    if isinstance(event, Suspended):
        return True
    if isinstance(event, DecisionOpened):
        return event.decision.seat == MODERATOR
    return isinstance(event, DecisionClosed | OptionsTold) and event.decision.startswith("c")


def _first_difference(mine: list[bytes], theirs: list[bytes]) -> str:
    for number, (one, other) in enumerate(zip(mine, theirs, strict=False)):
        if one != other:
            return f"{number}: {one!r} / {other!r}"
    return f"{min(len(mine), len(theirs))}: one of them ends"
