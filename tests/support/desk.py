"""A table with a referee's desk: commands of the desk, and those that go back, with the past that the log has."""

from collections.abc import Sequence

import msgspec

from domain.decide import decide, goes_back
from domain.facts.commands import AnyCommand, Choose, TakeBack
from domain.facts.desk_commands import (
    AnyDeskCommand,
    GiveEvidence,
    OpenDispute,
    ReopenDispute,
    RuleDispute,
    WithdrawDispute,
)
from domain.facts.events import Told
from domain.facts.state import MODERATOR
from domain.past import NOBODY, Passed, Past
from domain.rulebook.desk.disputing import disputes
from domain.rulebook.desk.taking_back import offered
from tests.support.table import Table

DIGEST = "a" * 64


class Desk(Table):
    """Remembers who did what, as a log does."""

    def commit(self, told: list[Told]) -> list[Told]:
        """Keep a commit; the engine's state knows its number."""
        if not hasattr(self, "actors"):
            self.actors: list[int] = []
        self.actors.append(NOBODY)
        done = super().commit(told)
        self.state.commit = len(self.commits)
        return done

    def play(self, actor: int, command: AnyCommand) -> list[Told]:
        """Post a command."""
        return self.do(actor, command)

    def do(self, actor: int, command: AnyCommand | AnyDeskCommand) -> list[Told]:
        """Do anything."""
        to = goes_back(self.state, actor, command)
        past = self.past(to) if to > 0 else None
        told = self.commit(decide(self.rules, self.state, actor, command, self.fate, past))
        self.actors[-1] = actor
        return told

    def goes_back(self, actor: int, command: AnyCommand | AnyDeskCommand) -> int:
        """To where play goes back by a command, by all that shows without the past."""
        return goes_back(self.state, actor, command)

    def without_past(self, actor: int, command: AnyCommand | AnyDeskCommand) -> list[Told]:
        """Do anything for which nobody has read the log."""
        return decide(self.rules, self.state, actor, command, self.fate)

    def past(self, to: int) -> Past:
        """The past, from the bytes of the log."""
        past = Past(to, self.state.seats)
        for actor, commit in zip(self.actors, self.commits, strict=True):
            past.add(actor, msgspec.json.decode(msgspec.json.encode(commit), type=list[Told]))
        return past

    @property
    def now_at(self) -> int:
        """The latest commit."""
        return len(self.commits)

    def offered(self, seat: int) -> list[int]:
        """To where a seat may take back."""
        passed = [
            Passed(n, actor, told) for n, (actor, told) in enumerate(zip(self.actors, self.commits, strict=True), 1)
        ]
        return list(offered(passed, seat))

    def take_back(self, seat: int, to: int) -> list[Told]:
        """Take back."""
        return self.do(seat, TakeBack(decision="take-back", to=to))

    def dispute(self, seat: int, first: int = 1, last: int = 1, *, table: bool = False) -> list[Told]:
        """Open a dispute."""
        return self.do(seat, OpenDispute(first=first, last=last, table=table, claim=DIGEST))

    def evidence(
        self, actor: int, commits: Sequence[int] = (), rules: Sequence[str] = (), number: int = 1
    ) -> list[Told]:
        """Give evidence."""
        return self.do(actor, GiveEvidence(number=number, commits=list(commits), rules=list(rules)))

    def withdraw(self, seat: int, number: int = 1) -> list[Told]:
        """Withdraw a dispute."""
        return self.do(seat, WithdrawDispute(number=number))

    def rule(self, outcome: str, *, actor: int = MODERATOR, number: int = 1, **more: object) -> list[Told]:
        """Rule."""
        made = {"number": number, "outcome": outcome, "text": "So it is.", **more}
        return self.do(actor, msgspec.convert(made, RuleDispute))

    def reopen(self, *, actor: int = MODERATOR, number: int = 1) -> list[Told]:
        """Reopen a dispute."""
        return self.do(actor, ReopenDispute(number=number, text="There is more to it."))

    def consent(self, seat: int, option: str = "agree", number: int = 1, proposal: int = 0) -> list[Told]:
        """Answer a proposed ruling, the latest unless an earlier one is named."""
        latest = disputes(self.state)[number - 1].proposals
        return self.do(seat, Choose(decision=f"dispute-{number}-{proposal or latest}", option=option))
