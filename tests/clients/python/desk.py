"""Goes to the referee's desk by the client that openapi-python-client makes of the contract: `python desk.py URL`."""

import json
import sys
from typing import TypeVar

from omenlog_client import AuthenticatedClient, Client
from omenlog_client.api.disputes import get_dispute, give_evidence, open_dispute, rule_dispute
from omenlog_client.api.events import get_events
from omenlog_client.api.games import open_game, start_game
from omenlog_client.api.play import get_decisions, get_diff, post_command
from omenlog_client.api.referee import get_trace
from omenlog_client.api.what_if import dry_run, fork_game, get_odds, list_forks
from omenlog_client.models import (
    AskDispute,
    AskEvidence,
    AskRuling,
    AskRulingOutcome,
    Choose,
    ChooseType,
    CommitAnswer,
    DiceAsked,
    DiceAskedOf,
    Explore,
    ForkGame,
    OpenGame,
    Problem,
    Rewound,
    SeatWish,
)

T = TypeVar("T")


def need(answer: T | Problem | None) -> T:
    """What was answered, unless it is a problem."""
    if answer is None or isinstance(answer, Problem):
        raise SystemExit(repr(answer))
    return answer


class Table:
    """A hotseat game."""

    def __init__(self, url: str) -> None:
        wish = OpenGame(edition="second", seats=[SeatWish()] * 3, hotseat=True)
        opened = need(open_game.sync(client=Client(url), body=wish))  # type: ignore[arg-type, unused-ignore]  # no key is asked for here
        self.id, tokens = opened.game.id, opened.tokens
        given = [tokens.host, tokens.referee, *(tokens.seats or [])]
        self.host, self.referee, *self.seats = [AuthenticatedClient(url, token.secret) for token in given if token]
        self.version = need(start_game.sync(self.id, client=self.host)).version

    def step(self) -> None:
        """Explore where that can be done, else do what is listed first."""
        seat = need(get_decisions.sync(self.id, client=self.referee)).waiting[0].seat
        yours = need(get_decisions.sync(self.id, client=self.seats[seat])).yours
        listed = [one.command for each in yours if each.kind != "reveal" for one in each.commands]
        command = ([one for one in listed if isinstance(one, Explore)] or listed)[0]
        self.version = need(post_command.sync(self.id, client=self.seats[seat], body=command)).version

    def took_back(self) -> bool:
        """Whether whoever acted last could take that back, and did."""
        for seat in self.seats:
            offered = need(get_decisions.sync(self.id, client=seat)).take_back
            if offered is not None:
                self.version = need(post_command.sync(self.id, client=seat, body=offered.command)).version
                return True
        return False


def main(url: str) -> dict[str, object]:
    """Play, dispute, rule, look back and look ahead."""
    table = Table(url)
    took_back, started = 0, table.version
    for _ in range(8):
        table.step()
        took_back += table.took_back()
    game, referee, seat, disputed = table.id, table.referee, table.seats[1], table.version
    wrong = Choose(ChooseType.CHOOSE, decision="d99", option="pass")
    tried, refused = need(dry_run.sync(game, client=seat, body=wrong)), post_command.sync(game, client=seat, body=wrong)
    asked = AskDispute(from_=disputed - 1, to=disputed, claim="That was another room.")
    need(open_dispute.sync(game, client=seat, body=asked, idempotency_key="py-dispute"))
    need(give_evidence.sync(game, 1, client=seat, body=AskEvidence(commits=[disputed], rules=["2E-MOVE-001"])))
    ruling = AskRuling(outcome=AskRulingOutcome.REWIND, reasons="It was.", to=disputed - 2, rules=["2E-MOVE-001"])
    ruled = need(rule_dispute.sync(game, 1, client=referee, body=ruling, idempotency_key="py-ruling"))
    again = need(rule_dispute.sync(game, 1, client=referee, body=ruling, idempotency_key="py-ruling"))
    shown = need(get_dispute.sync(game, 1, client=seat))
    trace = need(get_trace.sync(game, client=referee, from_=disputed - 1))
    diff = need(get_diff.sync(game, client=seat, from_=started, to=disputed))
    odds = need(get_odds.sync(game, client=seat, body=DiceAsked(DiceAskedOf.DICE, dice=3, outcomes=["4+"])))
    fork = need(
        fork_game.sync(game, client=seat, body=ForkGame(at=disputed), idempotency_key="a-fork-of-the-python-client")
    )
    told = need(get_events.sync(game, client=seat, after=disputed)).events
    if not isinstance(ruled, CommitAnswer) or not isinstance(again, CommitAnswer):
        raise TypeError("what is not only tried is a commit")
    return {
        "game": game,
        "version": ruled.version,
        "again": again.version,
        "took_back": took_back,
        "legal": tried.legal,
        "refused": refused.code if isinstance(refused, Problem) else "",
        "rewound": sum(isinstance(event, Rewound) for commit in told for event in commit.data.events),
        "outcome": shown.dispute.outcome.value,
        "claim": [text.text for text in shown.texts],
        "steps": len(trace.steps),
        "refusals": sum(len(step.refused) for step in trace.steps),
        "changes": len(diff.changes),
        "odds": [[one.chance.numerator, one.chance.denominator] for one in odds.roll.outcomes] if odds.roll else [],
        "fork": fork.game.id,
        "forks": [one.game for one in need(list_forks.sync(game, client=referee)).forks],
    }


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1])))  # noqa: T201 -- a program
