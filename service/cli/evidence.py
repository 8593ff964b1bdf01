"""Does an exported game show every role what the API showed it, and do the rules decide it again to the same bytes?"""

import time
from collections.abc import Iterator, Mapping

import msgspec

from domain.audience import Mask
from domain.rules import Rules
from projections.decisions import decisions_of
from projections.view import view_of
from service.audit.verdict import Outcome, Verdict, audit
from service.bots.client import Api
from service.log.exported import PRINCIPALS, Export, latest, replay

SAMPLES = 12
"""Versions at which each role's view is compared, spread evenly over the game; the last one is among them."""


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What was found."""

    verdict: Verdict
    roles: int
    compared: int
    """Answers of the API that were made again from the file."""
    differences: list[str]
    """Which of them were other bytes."""
    events: int
    seconds: float

    @property
    def exact(self) -> bool:
        """Everything agrees."""
        return self.verdict.outcome is Outcome.EXACT and not self.differences


def gather(api: Api, export: Export, rules: Rules, tokens: Mapping[str, str]) -> Evidence:
    """Replay an export for every role and audit it.

    Args:
        api: the service that the game was played on.
        export: the whole game.
        rules: those of the game.
        tokens: by role (`seat:0`, `spectators`, `referee`): what it may ask the API with.
    """
    began = time.perf_counter()
    differences: list[str] = []
    compared = 0
    for role, token in tokens.items():
        for at in versions(export.header.version):
            for what, again in _answers(rules, export, PRINCIPALS[role], at):
                compared += 1
                if api.get(f"/v1/games/{export.header.game}/{what}", token, at=at) != again:
                    differences.append(f"{what} of {role} at version {at}")
    verdict = audit(export)
    events = sum(len(msgspec.json.decode(line, type=_Line).events) for line in export.lines)
    return Evidence(
        verdict=verdict,
        roles=len(tokens),
        compared=compared,
        differences=differences,
        events=events,
        seconds=time.perf_counter() - began,
    )


def versions(last: int) -> list[int]:
    """Versions at which to compare: at most `SAMPLES`, evenly spread, the first and the last among them."""
    steps = min(SAMPLES, last)
    return sorted({1 + (last - 1) * step // max(1, steps - 1) for step in range(steps)})


def _answers(rules: Rules, export: Export, principal: Mask, at: int) -> Iterator[tuple[str, bytes]]:
    """The bodies of `view` and `decisions` as they follow from the file alone."""
    state = replay(export, principal, at)
    yield "view", msgspec.json.encode(view_of(rules, state, principal))
    yield "decisions", msgspec.json.encode(decisions_of(rules, state, principal, latest(export, principal, at)))


class _Line(msgspec.Struct):
    """What is counted of a commit."""

    events: list[msgspec.Raw]
