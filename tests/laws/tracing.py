"""What holds for every trace: it cites rules for all that happens, and can begin anywhere. That it tells no secrets: `secrecy`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from content.ledger import ledger
from domain.engine.rules import Rules
from domain.evolve import fold, redact
from domain.facts.audience import REFEREE, Mask, seat_bit
from domain.facts.desk_commands import AnyDeskCommand
from domain.facts.state import MODERATOR, State
from projections.trace.shapes import TraceStep
from projections.trace.sifting import Wanted
from projections.trace.steps import Committed, Telling, Tracer
from tests.laws.playout import Game, copy_of, encode

BOOKKEEPING = {"Suspended", "GameArranged", "StackArranged", "Rewound"}
"""Events that are the service's own affair: no rulebook speaks of them. The end of a game that nobody won is another."""


def commits_of(game: Game, who: Mask) -> Iterator[Committed]:
    """A played game as a role was told of it, the command to its own seat and the referee alone."""
    before = len(game.commits) - len(game.acts)
    for number, told in enumerate(game.commits, 1):
        actor, command = game.acts[number - 1 - before] if number > before else (-1, None)
        shown = command if who in (REFEREE, seat_bit(max(actor, 0))) else None
        played, desk = (None, shown) if isinstance(shown, AnyDeskCommand) else (shown, None)
        by = "host" if command is None else "moderator" if actor == MODERATOR else f"seat:{actor}"
        by = "traitor" if number - 1 - before in game.unnamed else by
        raw = None if shown is None else msgspec.to_builtins(shown)
        yield Committed(number=number, at="", actor=by, command=played, desk=desk, raw=raw, told=redact(told, who))


def trace(rules: Rules, commits: Sequence[Committed], who: Mask, known: State | None = None) -> list[TraceStep]:
    """Tell commits from what is known before them."""
    tracer = Tracer(rules, known or State(), who)
    return [tracer.step(commit) for commit in commits]


def everything_cites(game: Game, who: Mask) -> int:
    """Every event in a role's trace names a rule that the ledger has, and the step tells its words. Returns how many."""
    events = 0
    for step in trace(game.rules, list(commits_of(game, who)), who):
        told = {rule.id for rule in step.rules}
        assert msgspec.json.decode(msgspec.json.encode(step), type=TraceStep) == step, "as the contract has it"
        for one in step.happened:
            events += 1
            if one.rule:
                assert one.rule in told, (step.number, one)
                assert one.rule in ledger(), (step.number, one)
            else:
                nobody_won = one.type == "GameEnded" and not game.state.winner
                assert one.type in BOOKKEEPING or nobody_won, (step.number, one)
    return events


def a_trace_begins_anywhere(game: Game, who: Mask, every: int) -> None:
    """Told from any commit on, from what the role knew by then, a trace is the same as the end of the whole one."""
    commits = list(commits_of(game, who))
    whole = trace(game.rules, commits, who)
    for first in range(1, len(commits), every):
        known = fold(State(), [[*one.told] for one in commits[:first]])
        part = trace(game.rules, commits[first : first + every], who, copy_of(known))
        assert encode(part) == encode(whole[first : first + every]), f"{game.name}: {who} from commit {first + 1}"


def a_filter_changes_no_step(game: Game, who: Mask) -> int:
    """What is found is told as in the whole trace, whatever was passed over before it. Returns how many steps were found."""
    commits = list(commits_of(game, who))
    whole = trace(game.rules, commits, who)
    found = 0
    for turn in {step.turn for step in whole[::40]}:
        steps = _found(game, who, commits, Wanted(turn=turn))
        assert [step for step in whole if step.turn == turn] == [step for step in steps if step.turn == turn]
        assert all(step == whole[step.number - 1] for step in steps)
        found += len(steps)
    for round_ in {step.round for step in whole}:
        steps = _found(game, who, commits, Wanted(round=round_))
        assert [step for step in whole if step.round == round_] == [step for step in steps if step.round == round_]
        found += len(steps)
    for seat in range(game.state.seats):
        steps = _found(game, who, commits, Wanted(seat=seat))
        assert {step.number for step in whole if step.by == f"seat:{seat}"} <= {step.number for step in steps}
        assert all(step == whole[step.number - 1] for step in steps)
    return found


def _found(game: Game, who: Mask, commits: Sequence[Committed], wanted: Wanted) -> list[TraceStep]:
    tracer = Tracer(game.rules, State(), who, Telling(wanted=wanted))
    return [step for commit in commits if (step := tracer.wanted(commit)) is not None]


def steps_are_found_in_their_boxes(game: Game) -> int:
    """To the referee every box that a trace names is one of the pack's, every path a step of it. Returns how many paths."""
    paths = 0
    for step in trace(game.rules, list(commits_of(game, REFEREE)), REFEREE):
        for one in step.happened:
            if not one.at:
                continue
            block = game.rules.of(game.state).blocks[one.box]
            assert any(path == one.at or path.startswith((f"{one.at}!", f"{one.at}~")) for path in block.paths), one
            paths += 1
    return paths
