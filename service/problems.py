"""Every problem that a caller can meet, in one table: code, status, title. RFC 9457 gives the form.

A problem's `type` is `urn:omenlog:problem:<code>`; title and status are constant for a type, `detail` speaks of the
occurrence, further members are named in `Problem`. Nothing raises a problem that isn't in the table.
"""

from __future__ import annotations

from typing import Any

import msgspec

from content.ledger import ledger

URN = "urn:omenlog:problem:"


class Kind(msgspec.Struct, frozen=True):
    """A kind of problem."""

    code: str
    status: int
    title: str


KINDS: dict[str, Kind] = {
    kind.code: kind
    for kind in (
        # the request itself
        Kind("invalid-body", 400, "The body is not what this call takes"),
        Kind("invalid-parameter", 400, "A parameter is not what this call takes"),
        Kind("invalid-precondition", 400, "The If-Match or If-None-Match header is malformed"),
        Kind("invalid-idempotency-key", 400, "The Idempotency-Key header is malformed"),
        Kind("too-deep", 400, "The body is nested too deeply"),
        Kind("not-found", 404, "There is nothing here"),
        Kind("method-not-allowed", 405, "This method is not offered here"),
        Kind("request-timeout", 408, "The request took too long to arrive"),
        Kind("not-acceptable", 406, "None of the accepted media types is offered here"),
        Kind("body-too-large", 413, "The body is too large"),
        Kind("unsupported-media-type", 415, "The body is not declared as JSON"),
        Kind("too-many-requests", 429, "Too many requests"),
        Kind("too-many-streams", 429, "Too many open streams"),
        # identity
        Kind("unauthorized", 401, "A valid token is needed"),
        Kind("forbidden", 403, "This token is not good for that"),
        Kind("invite-refused", 403, "This invite is not good for that"),
        # opening a game
        Kind("unknown-edition", 422, "No such edition"),
        Kind("unknown-pack", 422, "No such pack"),
        Kind("unknown-character", 422, "No such character"),
        Kind("unfit-options", 422, "An option does not fit the game"),
        Kind("unfit-setup", 422, "The setup does not fit the game"),
        Kind("unfit-seats", 422, "The pack does not seat so many"),
        Kind("too-many-games", 429, "Too many games that have not begun"),
        Kind("unfit-tape", 422, "The tape holds no answers of chance"),
        # importing a game
        Kind("unfit-export", 422, "This is no export that can be imported"),
        Kind("newer-revision", 422, "A newer revision of the rules decided this game"),
        Kind("not-disclosed", 422, "The game still has secrets"),
        Kind("diverged-export", 422, "The export was altered, or the rules decide otherwise"),
        Kind("unverified-export", 422, "The export can not be verified"),
        Kind("game-exists", 409, "The game is here already"),
        # the life of a game
        Kind("not-open", 409, "The game has started"),
        Kind("not-started", 409, "The game has not started"),
        Kind("game-over", 409, "The game is over"),
        Kind("seat-taken", 409, "The seat is taken"),
        Kind("seats-free", 409, "Seats are still free"),
        Kind("character-taken", 409, "The character is taken"),
        # commands
        Kind("illegal-command", 409, "A rule forbids this"),
        Kind("decision-closed", 409, "The decision is not open"),
        Kind("not-your-decision", 409, "The decision is somebody else's"),
        Kind("not-an-option", 409, "That is none of the options"),
        Kind("wrong-answer-kind", 409, "The decision takes another kind of answer"),
        Kind("chance-misfit", 409, "The answer does not fit what chance was asked"),
        Kind("ruling-open", 409, "Another ruling waits for consent"),
        Kind("chance-open", 409, "Chance is asked already"),
        Kind("table-limit", 409, "No more rulings and coins in this turn"),
        Kind("take-back-closed", 409, "This can not be taken back"),
        Kind("play-paused", 409, "Play waits for a ruling"),
        Kind("dispute-open", 409, "The seat has an open dispute"),
        Kind("dispute-closed", 409, "The dispute is closed"),
        Kind("dispute-limit", 409, "There are disputes enough"),
        Kind("unfit-span", 422, "The game has no such commits"),
        Kind("unfit-evidence", 422, "The evidence names nothing"),
        Kind("unfit-ruling", 422, "The ruling does not fit together"),
        Kind("unfit-amendment", 422, "What is amended can't be done"),
        Kind("unknown-rule", 422, "No such rule"),
        Kind("nothing-to-enter", 409, "No haunt is played from a book of your own"),
        Kind("not-your-book", 409, "That book is the other side's"),
        Kind("unfit-entry", 422, "What was entered can't be played"),
        Kind("conflict", 409, "Another command came first"),
        Kind("stale-version", 412, "The game is no longer at that version"),
        Kind("key-reused", 422, "The idempotency key was used for another request"),
        # what if
        Kind("unfit-odds", 422, "These odds can't be told"),
        Kind("half-done", 409, "Something is half-done that hides what the role does not know"),
        Kind("is-fork", 409, "The game is a sandbox"),
        Kind("too-many-forks", 409, "The token has too many forks"),
        Kind("no-world", 500, "No world agrees with what the role knows"),
        # beside the log
        Kind("no-side", 409, "There is no such side"),
        Kind("stream-full", 409, "The stream holds no more"),
        Kind("account-full", 409, "The account follows no more tokens"),
        Kind("unfit-orders", 422, "Orders name what the game does not have"),
        # webhooks
        Kind("unfit-subscription", 422, "A subscription can't be for that"),
        Kind("endpoint-refused", 422, "The endpoint can't be subscribed"),
        Kind("subscription-exists", 409, "The endpoint is subscribed otherwise"),
        Kind("too-many-subscriptions", 409, "The token has too many subscriptions"),
        # positions
        Kind("ahead-of-log", 409, "The position is ahead of the game"),
        Kind("invalid-cursor", 400, "The cursor is not one of this stream"),
        # the service
        Kind("internal", 500, "Something went wrong inside"),
        Kind("damaged-log", 500, "The stored game is damaged"),
        Kind("archive-missing", 503, "The archive of this game cannot be read"),
        Kind("jobs-unavailable", 503, "Nobody takes jobs now"),
        Kind("store-unavailable", 503, "The store cannot be reached"),
        Kind("store-full", 507, "The store is full"),
    )
}
"""By code."""


class FieldError(msgspec.Struct, frozen=True):
    """One thing that is wrong in a request."""

    pointer: str
    """JSON pointer into the body, or the name of the parameter."""
    detail: str


class RuleCited(msgspec.Struct, frozen=True):
    """The rule that decided."""

    id: str
    title: str
    text: str


def cited(rule: str) -> RuleCited | None:
    """A rule of the ledger as a problem cites it; None for no rule."""
    found = ledger().get(rule)
    return None if found is None else RuleCited(found.id, found.title, found.text)


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """The body of every answer that is an error (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: list[FieldError] = []
    """Every part of the request that is wrong, as far as known."""
    rule: RuleCited | None = None
    """The rule that forbids it."""
    legal: Any = None
    """What the game waits for, and what the caller could do: the same as `decisions` answers."""
    current_version: int | None = None
    retry_after: int | None = None
    """Seconds, as in `Retry-After`."""


class ProblemError(Exception):
    """Raised anywhere in the service, answered as a problem."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        headers: dict[str, str] | None = None,
        **members: Any,  # noqa: ANN401 -- the members of `Problem`, which checks them
    ) -> None:
        """Name the kind of problem.

        Args:
            code: a key of `KINDS`.
            detail: a sentence about this occurrence, from nothing but what the caller may know.
            headers: sent with the answer.
            members: further members of `Problem`.
        """
        super().__init__(detail)
        kind = KINDS[code]
        self.code = code
        self.status = kind.status
        self.headers = headers or {}
        self.problem = Problem(
            type=URN + code, title=kind.title, status=kind.status, detail=detail, code=code, **members
        )

    def body(self) -> bytes:
        """The problem as JSON."""
        return msgspec.json.encode(self.problem)
