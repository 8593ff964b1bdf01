"""Audits of an exported game, offline and from the file alone.

Of a full export, every commit's place in the hash chain is checked and every command is decided again (`redecide`). Of a role's own export,
what the role was told must be in the chain (`role_chain`). Heads that somebody witnessed while the game was played, and the opened log,
say whether it is the chain that everybody saw. The outcome is `EXACT`, `UNVERIFIED` (nothing contradicts the record, but something in it
cannot be checked) or `DIVERGED`.

The chain of a long export is checked by further processes. Each takes a stretch of the commits and trusts the hash before it, which the
stretch before must produce; together they check what one walk along the chain would.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Sequence
from enum import Enum
from itertools import pairwise
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

import msgspec

from projections.naming.names import counted
from service.audit.redecide import Decided, Difference, Diverged
from service.audit.role_chain import Linked, WitnessedHead
from service.log.chain import FIRST, Broken, Salts, verify
from service.log.commits import hash_of
from service.log.exported import Damaged, Export

if TYPE_CHECKING:
    from multiprocessing.context import ForkProcess


PATIENCE = 600.0
"""Seconds that a stretch may take."""


class Break(msgspec.Struct, frozen=True):
    """Where the chain breaks first."""

    commit: int
    because: str


class Linking:
    """The chain of an export being checked elsewhere."""

    def __init__(self, lines: Sequence[bytes], salts: Salts, processes: int) -> None:
        """Begin to check, in 1 or more forked processes: this one should have no other threads."""
        context = multiprocessing.get_context("fork")
        borders = [len(lines) * part // processes for part in range(processes + 1)]
        self._at_work: list[tuple[ForkProcess, Connection]] = []
        for first, last in pairwise(borders):
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_work, args=(lines, salts, first, last, theirs), daemon=True)
            process.start()
            theirs.close()
            self._at_work.append((process, ours))

    def first(self) -> Break | None:
        """Where the chain breaks first, or None if it holds. Waits for the answer; raises `RuntimeError` if a process gives none."""
        found: list[Break] = []
        for process, ours in self._at_work:
            try:
                if not ours.poll(PATIENCE):
                    raise RuntimeError("a process that checks the chain is silent")
                answer = ours.recv()
            except EOFError:
                raise RuntimeError("a process that checks the chain has died") from None
            finally:
                ours.close()
            process.join()
            if isinstance(answer, Break):
                found.append(answer)
        return min(found, key=lambda one: one.commit, default=None)


def _work(lines: Sequence[bytes], salts: Salts, first: int, last: int, pipe: Connection) -> None:
    pipe.send(broken(lines, salts, first, last))


def broken(lines: Sequence[bytes], salts: Salts, first: int, last: int) -> Break | None:
    """Where the chain breaks first in the stretch `lines[first:last]`."""
    try:
        before = FIRST if first == 0 else hash_of(lines[first - 1])
    except ValueError:
        return None  # the stretch before has more to say about it
    for at in range(first, last):
        try:
            before = verify(lines[at], before, salts).hash
        except Broken as difference:
            return Break(at + 1, str(difference))
    return None


LONG = 300
"""Commits from which on it is worth while to start further processes."""
RUNNING = "RUNNING"
"""What is said of a game that is not over, where all that can be checked until then holds."""
TOLD = 50
"""Commits between two words on how far an audit has come."""

Progress = Callable[[int], None]
"""Is told how many commits were checked."""


def quietly(_: int) -> None:
    """Tell nobody how far it has come."""


class Outcome(Enum):
    """What an audit can find."""

    EXACT = "EXACT"
    """The record is whole, unaltered, and decided by the rules from first to last."""
    UNVERIFIED = "UNVERIFIED"
    """Nothing contradicts the record, but not all of it could be checked."""
    DIVERGED = "DIVERGED"
    """The record was altered, or the rules decide differently."""


class Verdict(msgspec.Struct, frozen=True):
    """The outcome of an audit."""

    outcome: Outcome
    commits: int
    """Commits that were checked and hold."""
    commit: int | None = None
    """The first that differs."""
    because: str = ""
    """What differs, or what couldn't be checked."""
    dice: str = ""
    """Of a full export that holds: where its dice and cards came from, and whether they were rolled again."""
    redecided: bool = False
    """Whether every command was decided again, to the same bytes."""
    heads: int = 0
    """Witnessed heads that agree."""
    differs: Difference | None = None
    """Side by side: the events that were altered, or the first that the rules of this revision decide differently."""
    running: bool = False
    """Of a full export that holds: whether it ends before the game does."""

    @property
    def word(self) -> str:
        """What people are told: the outcome, or RUNNING where the record holds and ends before the game does."""
        holds = self.outcome is not Outcome.DIVERGED
        return RUNNING if holds and self.running and self.redecided else self.outcome.value


def audit(
    export: Export,
    heads: Sequence[WitnessedHead] = (),
    opened: Export | None = None,
    *,
    processes: int | None = 1,
    progress: Progress = quietly,
) -> Verdict:
    """Audit an exported game. Of a role's own export only the chain can be checked.

    `heads` were witnessed while the game was played; `opened` is the full export to hold a role's own against. With 2 or more `processes` the chain
    of a long full export is checked in processes forked from this one; None stands for one per processor, where processes can be forked.
    """
    if processes is None:
        processes = (os.cpu_count() or 1) if hasattr(os, "fork") else 1
    found, hashes = _checked(export, processes, progress)
    return _against(export, _seen(found, hashes, heads), hashes, opened)


def damaged(damage: Damaged) -> Verdict:
    """The verdict on an export whose first line can't be read: all that rests on it, from the first commit on."""
    return Verdict(Outcome.DIVERGED, 0, 1, str(damage))


def _checked(export: Export, processes: int = 1, progress: Progress = quietly) -> tuple[Verdict, list[str]]:
    """The verdict on the file by itself, and the hash of each commit that holds."""
    if processes == 1 or not export.full or len(export.lines) < LONG:
        return _walked(export, Decided(export) if export.full else Linked(export), progress)
    linking = Linking(export.lines, Salts(bytes.fromhex(export.header.salt_key or "")), processes - 1)
    verdict, hashes = _walked(export, Decided(export, linked=True), progress)
    broken = linking.first()
    if broken is None or (verdict.commit is not None and verdict.commit < broken.commit):
        return verdict, hashes
    before = broken.commit - 1
    return Verdict(Outcome.DIVERGED, before, broken.commit, broken.because), hashes[:before]


def _walked(export: Export, checker: Decided | Linked, progress: Progress) -> tuple[Verdict, list[str]]:
    hashes: list[str] = []
    try:
        if isinstance(checker, Decided):
            checker.begin()
        for number, line in enumerate(export.lines, 1):
            checker.check(number, line)
            hashes.append(checker.hash)
            if number % TOLD == 0:
                progress(number)
        held, said = len(hashes), export.header.version
        if held != said:
            first = min(held, said) + 1
            because = f"the header speaks of {counted(said, 'commit')}, the file has {held}"
            return Verdict(Outcome.DIVERGED, first - 1, first, because), hashes
        if not held:
            return Verdict(Outcome.DIVERGED, 0, 1, "there are no commits, not even the one that opens the game"), hashes
        if export.cut_off:
            return Verdict(Outcome.DIVERGED, held - 1, held, "the line feed behind the last commit is missing"), hashes
        found = checker.end()
    except Diverged as difference:
        first = difference.commit or len(hashes) + 1
        return Verdict(Outcome.DIVERGED, first - 1, first, str(difference), differs=difference.events), hashes
    except Broken as difference:
        return Verdict(Outcome.DIVERGED, len(hashes), len(hashes) + 1, str(difference)), hashes
    outcome = Outcome.UNVERIFIED if found.doubt else Outcome.EXACT
    told = msgspec.structs.asdict(found)
    return Verdict(outcome, held, because=told.pop("doubt"), **told), hashes


def _seen(found: Verdict, hashes: Sequence[str], heads: Sequence[WitnessedHead]) -> Verdict:
    """The verdict with what was witnessed beside it."""
    agreed = 0
    for head in sorted(heads, key=lambda one: one.number):
        if found.commit is not None and head.number >= found.commit:
            break
        if head.number > len(hashes):
            because = f"commit {head.number} was witnessed, but the file ends with commit {len(hashes)}"
            return Verdict(Outcome.DIVERGED, len(hashes), len(hashes) + 1, because, heads=agreed)
        if hashes[head.number - 1] != head.hash:
            because = (
                f"commit {head.number} has another hash than the one witnessed: this is another chain, which differs "
                f"there or since the head before"
            )
            return Verdict(Outcome.DIVERGED, head.number - 1, head.number, because, heads=agreed)
        agreed += 1
    return msgspec.structs.replace(found, heads=agreed)


def _against(export: Export, found: Verdict, hashes: Sequence[str], opened: Export | None) -> Verdict:
    """The verdict on a role's export with the opened log beside it."""
    if opened is None or found.outcome is Outcome.DIVERGED:
        return found
    if opened.header.game != export.header.game:
        because = f"the other file is of game {opened.header.game}, this one of {export.header.game}"
        return Verdict(Outcome.DIVERGED, 0, 1, because)
    whole, theirs = _checked(opened)
    for number, (mine, other) in enumerate(zip(hashes, theirs, strict=False), 1):
        if mine != other:
            because = f"commit {number}: what this role was told is in another chain than the opened log's"
            return Verdict(Outcome.DIVERGED, number - 1, number, because)
    if whole.outcome is Outcome.DIVERGED:
        return msgspec.structs.replace(whole, because=f"the opened log: {whole.because}")
    if len(hashes) > len(theirs):
        because = f"the opened log ends with commit {len(theirs)}, this role was told more"
        return Verdict(Outcome.DIVERGED, len(theirs), len(theirs) + 1, because)
    because = "" if whole.outcome is Outcome.EXACT else f"the opened log: {whole.because}"
    return msgspec.structs.replace(whole, commits=len(hashes), because=because, heads=found.heads)
