"""What if, without doing anything: dry runs of commands, and exact odds, each from what the caller's role knows."""

from __future__ import annotations

import asyncio

import msgspec

from domain.decide import goes_back
from domain.dry_run import Consulted, dry_run
from domain.facts.audience import REFEREE, SPECTATORS, Mask
from domain.facts.commands import AnyCommand, Enter
from domain.facts.refusal import Endless, Refused
from domain.facts.state import MODERATOR, State
from domain.past import Past
from domain.rulebook.haunt.entering import read_entry
from domain.worlds import copied, half_done
from projections.choices.odds import Odds, odds
from projections.choices.odds_asked import AnyAsked
from projections.choices.throws import Unfit
from projections.naming.questions import in_names
from service.games.play.submit import check_goes_on
from service.games.read.reading import DecisionsShown, Reading, Seen, decisions
from service.games.tables import Tables
from service.identity import Caller
from service.log.reader import past_of
from service.problems import FieldError, ProblemError, RuleCited, cited, problem_of


class Refusal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why a command would be refused."""

    code: str
    """The code of the problem that the command would get."""
    detail: str
    rule: RuleCited | None = None
    """The rule that forbids it."""
    errors: list[FieldError] = []


class DryRun(msgspec.Struct, frozen=True, kw_only=True):
    """What a command would do."""

    version: int
    """The commit as of which it was tried."""
    legal: bool
    refusal: Refusal | None
    """Why it is illegal, if it is."""
    instead: DecisionsShown | None
    """If it is illegal: what would be legal."""
    consults: list[Consulted]
    """If it is legal: what it would ask for first; empty if it would be done at once. What follows the first answer is not predicted."""


class WhatIf:
    """Tries commands and computes odds; nothing is done."""

    def __init__(self, tables: Tables, reading: Reading) -> None:
        self._tables = tables
        self._reading = reading

    async def dry_run(
        self, caller: Caller, command: AnyCommand, *, at: int | None = None, as_: Mask | None = None
    ) -> DryRun:
        """Try a command of the caller, or for the referee of another role.

        Raises `forbidden` for spectators, `ahead-of-log`, or `unfit-entry` for what is wrong in every game or would go on endlessly.
        """
        if isinstance(command, Enter):
            read_entry(command)
        seen = await self._reading.seen(caller, at=at, as_=as_)
        if seen.principal == SPECTATORS:
            raise ProblemError("forbidden", "Only seats and the referee can command.")
        state, shown = copied(seen.state), msgspec.structs.replace(seen, state=copied(seen.state))
        await self._add_frames(caller.game, state, seen)
        actor = MODERATOR if seen.principal == REFEREE else seen.principal.bit_length() - 1
        try:
            past = await self._past(caller.game, state, actor, command, seen)
            consults = _try(seen, state, actor, command, past)
        except Refused as found:
            refusal = in_names(found, shown.rules, shown.state)
            problem = problem_of(refusal, cited(refusal.rule), None).problem
            why = Refusal(code=problem.code, detail=problem.detail, rule=problem.rule, errors=problem.errors)
            return DryRun(version=seen.version, legal=False, refusal=why, instead=decisions(shown), consults=[])
        return DryRun(version=seen.version, legal=True, refusal=None, instead=None, consults=consults)

    async def _add_frames(self, game: str, state: State, seen: Seen) -> None:
        """What is half-done, where it hides nothing from the role."""
        if state.open and seen.principal != REFEREE and not half_done(seen.rules, state):
            live = await self._tables.live(game)
            state.frames = list((await self._tables.fold_for(game, live, REFEREE, seen.version)).frames)

    async def _past(self, game: str, state: State, actor: int, command: AnyCommand, seen: Seen) -> Past | None:
        """What the log says of the commit to which a command goes back; raises `Refused` if that proves pointless."""
        check_goes_on(state.status)
        started = (await self._tables.live(game)).facts.started_at
        to = goes_back(state, actor, command, seen.passed, started)
        return await past_of(self._tables.store, game, to, state.seats, seen.version) if to else None

    async def odds(self, caller: Caller, asked: AnyAsked, *, at: int | None = None, as_: Mask | None = None) -> Odds:
        """The odds asked for. Raises `unfit-odds` or `ahead-of-log`."""
        seen = await self._reading.seen(caller, at=at, as_=as_)
        state = copied(seen.state)
        try:
            # Dice rolled again may take a tenth of a second, in which nobody else would be answered.
            return await asyncio.to_thread(odds, seen.rules, state, asked)
        except Unfit as fault:
            raise ProblemError("unfit-odds", fault.detail, errors=[FieldError(fault.pointer, fault.detail)]) from None


def _try(seen: Seen, state: State, actor: int, command: AnyCommand, past: Past | None) -> list[Consulted]:
    try:
        return dry_run(seen.rules, state, actor, command, past)
    except Endless as endless:
        raise ProblemError("unfit-entry", f"{endless}.") from None
