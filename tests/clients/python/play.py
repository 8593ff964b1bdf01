"""Plays a game to the end by the client that openapi-python-client makes of the contract: `python play.py URL SEATS`."""

import json
import sys
from itertools import count
from typing import TypeVar

from omenlog_client import AuthenticatedClient, Client
from omenlog_client.api.events import get_events
from omenlog_client.api.games import get_game, open_game, start_game
from omenlog_client.api.play import get_decisions, post_command
from omenlog_client.models import Explore, GameEnded, OpenGame, Problem, SeatWish

T = TypeVar("T")


def need(answer: T | Problem | None) -> T:
    """What was answered, unless it is a problem."""
    if answer is None or isinstance(answer, Problem):
        raise SystemExit(repr(answer))
    return answer


def main(url: str, seats: int) -> dict[str, object]:
    """Open a game, play it, read it."""
    wish = OpenGame(edition="second", seats=[SeatWish()] * seats, hotseat=True)
    opened = need(open_game.sync(client=Client(url), body=wish))  # type: ignore[arg-type, unused-ignore]  # no key is asked for here
    game, tokens = opened.game.id, opened.tokens
    given = [tokens.host, tokens.referee, *(tokens.seats or [])]
    host, referee, *players = [AuthenticatedClient(url, token.secret) for token in given if token]
    need(start_game.sync(game, client=host))

    done, stale = 0, ""
    while waiting := need(get_decisions.sync(game, client=referee)).waiting:
        player = players[waiting[0].seat]
        decisions = need(get_decisions.sync(game, client=player))
        listed = [one.command for each in decisions.yours if each.kind != "reveal" for one in each.commands]
        # What explores first, else one after the other.
        among = [one for one in listed if isinstance(one, Explore)] or listed
        command, key = among[done * 7919 % len(among)], f"py-{done}"
        if not done:
            refused = post_command.sync(game, client=player, body=command, if_match=f'"{decisions.version - 1}"')
            stale = refused.code if isinstance(refused, Problem) else ""
        at = f'"{decisions.version}"'
        made = need(post_command.sync(game, client=player, body=command, idempotency_key=key, if_match=at))
        if made.commit.data.number != decisions.version + 1:
            raise SystemExit("somebody else was faster")
        done += 1

    events, after = [], 0
    for _ in count():
        page = need(get_events.sync(game, client=referee, after=after, limit=100))
        if not page.events:
            break
        events += [event for commit in page.events for event in commit.data.events]
        after = page.events[-1].data.number
    over = need(get_game.sync(game, client=host))
    ended = sum(isinstance(event, GameEnded) for event in events)
    told = {"game": game, "done": done, "stale": stale, "after": after, "events": len(events), "ended": ended}
    return {**told, "status": over.status, "because": over.because}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], int(sys.argv[2]))))  # noqa: T201 -- a program
