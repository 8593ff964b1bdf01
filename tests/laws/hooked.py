"""What a receiver of webhooks must have got, when all is said: each message at least once, in order, as the role's own stream tells it."""

from __future__ import annotations

import json
import random
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from tests.support.receiving import Got, Receiver, Reply, receiving, verified

FAULTY = 0.03
"""How many of the messages are answered 500, and must come again."""
SLOW = 0.1
"""Seconds that an answer takes at the most, so that mostly somebody is waiting for one when something is killed."""


class Hooks:
    """A receiver with many endpoints, each at a path of its own, which is slow and now and then fails."""

    def __init__(self, receiver: Receiver, seed: int) -> None:
        self._receiver = receiver
        self._lot = random.Random(f"{seed} receiver")
        self._guard = threading.Lock()
        self.refused = 0
        """Messages that were answered 500."""
        self.slow = SLOW
        """Seconds that an answer takes at the most."""
        receiver.answering = self._answer

    def _answer(self, _: Got) -> Reply:
        with self._guard:  # each message has a thread of its own
            faulty, wait = self._lot.random() < FAULTY, self._lot.random() * self.slow
            self.refused += faulty
        return Reply(500 if faulty else 204, wait=wait)

    def url(self, name: str) -> str:
        """An endpoint."""
        return f"{self._receiver.url}/{name}"

    @property
    def count(self) -> int:
        """Messages taken so far."""
        return len(self._receiver.taken)

    def taken(self, name: str) -> list[Got]:
        """What an endpoint has taken."""
        return [got for got in list(self._receiver.taken) if got.path == f"/hook/{name}"]

    def reached(self) -> set[tuple[str, str, str, int]]:
        """All that was taken: endpoint, game, recipient, commit."""
        return {(got.path.rpartition("/")[2], *_line(got.json), got.number) for got in list(self._receiver.taken)}

    def again(self) -> int:
        """Messages taken that had been taken before."""
        taken = list(self._receiver.taken)
        return len(taken) - len({got.id for got in taken})


@contextmanager
def hooks(seed: int) -> Iterator[Hooks]:
    """Receive on a free port of the loopback."""
    with receiving() as receiver:
        yield Hooks(receiver, seed)


def _line(body: Mapping[str, Any]) -> tuple[str, str]:
    """The game that a message tells of, and whom."""
    return body["source"], body.get("recipient", "")


def check_line(taken: Sequence[Got], events: Sequence[Mapping[str, Any]], public_key: str, *, full: bool) -> None:
    """Hold what came of one game for one token against that token's own stream.

    Args:
        taken: messages in the order in which they were taken.
        events: what the stream tells, from the first commit on.
        public_key: `whpk_…` of the subscription.
        full: whether messages have what the stream has.

    Raises:
        AssertionError: a message is missing, overtook another, is another one when it comes again, or is not signed.
    """
    numbers = [number for number, _ in groupby(got.number for got in taken)]
    assert numbers == list(range(1, len(events) + 1)), f"a commit is missing or was overtaken: {numbers}"
    first: dict[int, Got] = {}
    for got in taken:
        known = first.setdefault(got.number, got)
        assert (got.id, got.body) == (known.id, known.body), "what comes again is the same message"
        assert verified(got, public_key), "and it is signed"
    assert len({got.id for got in first.values()}) == len(first), "different messages have different ids"
    for number, event in enumerate(events, 1):
        body = json.loads(first[number].body)
        if full:
            assert {**event, "timestamp": event["time"]} == {
                name: value for name, value in body.items() if name != "recipient"
            }
        else:
            when = {name: event["data"][name] for name in ("turn", "round")}
            assert body["data"] == {"number": number, **when}, (
                "a thin message tells when there is a commit, and no more"
            )


def by_recipient(taken: Sequence[Got]) -> dict[tuple[str, str], list[Got]]:
    """The messages to an account, by game and recipient."""
    found: defaultdict[tuple[str, str], list[Got]] = defaultdict(list)
    for got in taken:
        found[_line(got.json)].append(got)
    return dict(found)
