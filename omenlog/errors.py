"""What can go wrong: a command is refused, or an argument makes no sense. Either way nothing has changed."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from content.errors import did_you_mean
from content.ledger import ledger
from domain.facts import refusal


class Rule(msgspec.Struct, frozen=True):
    """A rule of the rulebook, in words of our own."""

    id: str
    """`2E-DOOR-001`"""
    title: str
    text: str


class Refused(Exception):
    """A command is against the rules, or not what the game waits for. Nothing has changed."""

    def __init__(self, detail: str, code: str, rule: Rule | None) -> None:
        super().__init__(detail if rule is None else f"{detail} ({rule.id}: {rule.text})")
        self.detail = detail
        """Why, in a sentence."""
        self.code = code
        """What kind of refusal, as in the HTTP contract: `illegal-command`, `decision-closed`, `not-your-decision`, …"""
        self.rule = rule
        """The rule that forbids it; None where no rulebook says so."""


class Invalid(ValueError):
    """There is no such edition, haunt, seat or the like, or this is no command. The message says what would be right."""


def refused(found: refusal.Refused) -> Refused:
    written = ledger()[found.rule] if found.rule else None
    rule = None if written is None else Rule(found.rule, written.title, written.text)
    return Refused(found.detail, found.problem, rule)


def unknown(what: str, name: object, known: Iterable[str]) -> Invalid:
    """`There is no haunt the-quiet-gost: did you mean …? There are …`."""
    names = list(known)
    near = did_you_mean(str(name), names)
    offered = f"There are {', '.join(names)}." if names else "There are none."
    return Invalid(f"There is no {what} {name!r}{f': {near}' if near else '.'} {offered}")
