"""Every problem that a caller can meet, as `problems.toml` lists them. RFC 9457 gives the form.

A problem's `type` is the address of its page, `/v1/problems/<code>`, which says what it means and what to do about it. Title and
status are constant for a type, `detail` speaks of the occurrence, further members are named in `Problem`. Nothing raises a problem that
isn't listed.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import msgspec

from content.errors import Mistake
from content.ledger import ledger
from domain.facts.refusal import Refused

PAGES = "/v1/problems/"
"""What the types of problems begin with, on whichever host the service is."""


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of problem."""

    code: str
    status: int
    title: str
    meaning: str
    """What has happened, in a sentence or two."""
    remedy: str
    """What whoever meets it can do."""


def _read_kinds() -> dict[str, Kind]:
    table = tomllib.loads(files(__package__).joinpath("problems.toml").read_text())
    return {code: msgspec.convert({"code": code, **said}, Kind) for code, said in table.items()}


KINDS = _read_kinds()
"""By code."""


class FieldError(msgspec.Struct, frozen=True):
    """A mistake in a request."""

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
    findings: list[Mistake] = []
    """What is wrong with a pack that was sent: file, line, column and reason."""
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
        """`detail` is a sentence about this occurrence, from nothing but what the caller may know."""
        super().__init__(detail)
        kind = KINDS[code]
        self.code = code
        self.status = kind.status
        self.headers = headers or {}
        self.problem = Problem(
            type=PAGES + code, title=kind.title, status=kind.status, detail=detail, code=code, **members
        )

    def body(self) -> bytes:
        return msgspec.json.encode(self.problem)


def forbidden() -> ProblemError:
    """The same for another's game and for one that doesn't exist."""
    return ProblemError("forbidden", "This token does not allow that.")


def unauthorized() -> ProblemError:
    """The same for a token that is missing, unknown, ended or malformed."""
    return ProblemError(
        "unauthorized", "Send a token that holds: Authorization: Bearer …", headers={"WWW-Authenticate": "Bearer"}
    )


def refused_invite() -> ProblemError:
    """The same for an invite that is unknown, spent, revoked or for something else."""
    return ProblemError("invite-refused", "This invite does not allow that.")


def ahead(head: int) -> ProblemError:
    """The caller speaks of a commit that doesn't exist (yet, or not for it)."""
    return ProblemError("ahead-of-log", f"The game is at version {head}.", current_version=head)


def stale(current: int) -> ProblemError:
    """The game is not at a version that `If-Match` names."""
    return ProblemError("stale-version", f"The game is at version {current}.", current_version=current)


def problem_of(refusal: Refused, rule: RuleCited | None, legal: object) -> ProblemError:
    """The problem that tells a caller of a refusal; `legal` is what the caller could do, from the caller's own view."""
    code = refusal.problem if refusal.problem in KINDS else "illegal-command"
    errors = [FieldError(pointer, detail) for pointer, detail in refusal.errors]
    return ProblemError(code, refusal.detail, rule=rule, legal=legal, errors=errors)
