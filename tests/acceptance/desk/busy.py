"""A game at which the desk is busy: taken back, refused, disputed, ruled, rewound; and all that anybody can read of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import httpx

from tests.acceptance.driving import Table

CLAIM = "Ottilie-Quastenflosser has looked under a tile."
NOTE = "Bartholomew-Nightjar has seen it, too."
ASIDE = "It is the table's own affair, says Wilhelmina-Zeppelin."
TEXTS = (CLAIM, NOTE, ASIDE)
"""What people wrote in disputes: it lies beside the log."""
REASONS = "It was not that seat's turn."
"""Why play went back: it stands in the log."""


def done(answer: httpx.Response) -> dict[str, Any]:
    """What was done."""
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def take_back(table: Table, seed: int = 5) -> None:
    """Let somebody move and take it back."""
    for attempt in range(40):
        token = table.awaited()
        step = next((one for one in table.listed(token) if one["type"] == "move"), None)
        if step is None:
            table.play(1, seed + attempt)
            continue
        done(table.command(token, step))
        offered = table.get("decisions", token).json()["take_back"]
        if offered is not None:
            done(table.command(token, offered["command"]))
            return
    raise AssertionError("nobody could take a step back")


def refuse(table: Table, seat: int = 2) -> None:
    """Let a seat try what can't be done."""
    answer = table.command(table.seats[seat], {"type": "end-turn", "decision": "turn-99"})
    assert answer.status_code == 409, answer.text


def dispute(table: Table, seat: int, first: int, last: int, **more: object) -> int:
    """Open a dispute; its number."""
    done(table.post("disputes", table.seats[seat], {"from": first, "to": last, "claim": CLAIM, **more}))
    return len(table.get("disputes", table.referee).json()["disputes"])


def rewind(table: Table, number: int, to: int, token: str = "", **more: object) -> dict[str, Any]:
    """Rule that play goes back, or propose it; what was answered."""
    body = {"outcome": "rewind", "to": to, "reasons": REASONS, "rules": ["2E-TURN-001"], **more}
    return done(table.post(f"disputes/{number}/ruling", token or table.referee, body))


def consent(table: Table, number: int, proposer: int) -> dict[str, Any]:
    """Let all other seats agree to a proposal; the last answer."""
    last: dict[str, Any] = {}
    for seat, token in enumerate(table.seats):
        if seat != proposer:
            agree = {"type": "choose", "decision": f"dispute-{number}-1", "option": "agree"}
            last = done(table.command(token, agree))
    return last


def now(table: Table) -> int:
    """The latest commit, also where the public lags behind."""
    version: int = table.get("decisions", table.referee).json()["version"]
    return version


def busy(table: Table) -> None:
    """Play a while, with everything that a desk knows."""
    table.play(6)
    take_back(table)
    refuse(table)
    begun = now(table)
    table.play(4, 2)
    first = dispute(table, 1, begun, now(table))
    evidence = {"commits": [begun], "rules": ["2E-MOVE-001"], "note": NOTE}
    done(table.post(f"disputes/{first}/evidence", table.seats[1], evidence))
    stands = {"outcome": "stands", "reasons": "So it is played.", "rules": ["2E-MOVE-001"], "precedent": True}
    done(table.post(f"disputes/{first}/ruling", table.referee, stands))
    table.play(5, 3)
    second = dispute(table, 0, begun + 1, now(table))
    rewind(table, second, begun + 2)
    table.play(5, 4)
    refuse(table, 0)
    third = dispute(table, 2, now(table) - 1, now(table), addressed="table", claim=ASIDE)
    rewind(table, third, now(table) - 3, table.seats[0])
    told = consent(table, third, 0)["commit"]["data"]["events"]
    assert any(event["type"] == "Rewound" for event in told)
    fourth = dispute(table, 1, 5, 6)
    amend = {"outcome": "amend", "you": 1, "do": [{"gain": {"trait": "speed"}}], "reasons": "It was forgotten."}
    while table.post(f"disputes/{fourth}/ruling", table.referee, amend).status_code == 409:
        table.play(1, 5)  # something that was asked has to be answered before
    assert not any(one["dispute"]["outcome"] == "" for one in table.get("disputes", table.referee).json()["disputes"])
    table.play(4, 5)
    done(table.post(f"disputes/{dispute(table, 1, 5, 5)}/withdrawal", table.seats[1]))


def everything(table: Table, only: Sequence[str] = ()) -> dict[tuple[str, str, str], tuple[int, bytes]]:
    """All that roles read of the game, some or all of them: status and body by role, question and form."""
    last = now(table)
    asked = [("", ""), ("disputes", ""), ("disputes/2", ""), ("events?limit=1000", ""), ("export", "")]
    asked += [("events", "application/x-ndjson"), ("view", ""), ("decisions", ""), ("heads", "")]
    asked += [(f"trace?from=1&to={last}&limit=1000", form) for form in ("", "text/markdown")]
    asked += [(f"diff?from={before}&to={last}", "") for before in (5, last - 3)]
    for moment in range(5, last + 1, 15):
        asked += [(f"{what}?at={moment}", "") for what in ("view", "decisions", "board.svg")]
    roles = {"spectator": table.spectator, "referee": table.referee}
    roles |= {f"seat:{seat}": token for seat, token in enumerate(table.seats)}
    found = {}
    for role in only or roles:
        for what, form in asked:
            answer = table.get(what, roles[role], **({"Accept": form} if form else {}))
            found[role, what, form] = (answer.status_code, answer.content)
    return found
