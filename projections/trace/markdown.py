"""A trace as Markdown, for pasting: a heading for each commit, what came of it with the rules, and at the end the rules' text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from projections.naming.names import commits_between, enumerated
from projections.text.post import plain
from projections.trace.shapes import Attempt, Happened, InForce, Legal, Player, RuleTold, Spoke, TraceStep

SHOWN: dict[str, tuple[str, ...]] = {}
"""Nothing of a role's state is read here: it words steps made before."""

IN_FORCE = {
    "alternative": "chosen at the opening for",
    "house": "agreed at the opening about",
    "table": "agreed in play,",
    "precedent": "precedent of",
}


class Markdown:
    """Writes a trace piece by piece; keeps nothing of it but the rules that were cited."""

    def __init__(
        self,
        wanted: str = "",
        players: Mapping[str, Player] = MappingProxyType({}),
        *,
        level: int = 2,
        ids: bool = True,
    ) -> None:
        """Begin with nothing.

        Args:
            wanted: which steps are told, in words; empty for all.
            players: by role (`seat:1`), where their names are shown beside attempts.
            level: of a step's heading.
            ids: whether the ids of boxes are shown, and of the steps in them.
        """
        self._wanted = wanted
        self._players = players
        self._level = level
        self._ids = ids
        self._told = False
        self._rules: dict[str, RuleTold] = {}

    def head(self, game: str, role: str, first: int, last: int, rulings: Iterable[InForce]) -> str:
        """The beginning: which game and span, through whose eyes, under which rulings."""
        held = [f"- {_ruling(one)}" for one in rulings]
        listed = ["", "Rulings in force:", "", *held] if held else []
        only = ["", f"Only steps with {plain(self._wanted)}."] if self._wanted else []
        return "\n".join([f"# Game {game}, {commits_between(first, last)}, as {role}", *only, *listed]) + "\n"

    def step(self, step: TraceStep) -> str:
        """One commit, after an empty line."""
        self._told = True
        for rule in (*step.rules, *[one.rule for one in step.refused if one.rule is not None]):
            self._rules.setdefault(rule.id, rule)
        heading = [str(step.number), _when(step), plain(step.who), step.at]
        lines = [f"{'#' * self._level} {' · '.join(part for part in heading if part)}", ""]
        if step.did:
            lines += [f"**{plain(step.did)}**", ""]
        lines += [f"- {self._happened(one)}" for one in _shown(step)]
        lines += [] if step.happened else ["- This role was told nothing."]
        lines += [f"- *changed* {plain(one.what)}: {plain(one.before)} → {plain(one.after)}" for one in step.changes]
        lines += [f"- *applied* {self._spoke(one)}" for one in step.spoke]
        lines += [f"- *by ruling* {_ruling(one)}" for one in step.rulings]
        others = [rule.id for rule in step.rules if not any(rule.id == one.rule for one in _shown(step))]
        lines += [f"- *also applied* {enumerated(others)}"] if others else []
        lines += [f"- *legal then* {_legal(step.legal)}"] if step.legal is not None else []
        lines += [f"- *refused after it* {self._refused(one, step.number)}" for one in step.refused]
        return "\n" + "\n".join(lines) + "\n"

    def foot(self) -> str:
        """The end: the text of all rules that were cited, by their ids; or that no step was what was looked for."""
        if not self._rules:
            return "" if self._told or not self._wanted else f"\nNo step has {plain(self._wanted)}.\n"
        listed = [f"- **{rule.id}** {plain(rule.title)}. {plain(rule.text)}" for _, rule in sorted(self._rules.items())]
        return "\n" + "\n".join(["## The rules", "", *listed]) + "\n"

    def _happened(self, one: Happened) -> str:
        where = f" `{one.box}{f' {one.at}' if one.at else ''}`" if one.box and self._ids else ""
        told = f" (told to {one.told})" if one.told else ""
        return f"{plain(one.words)}{f' [{one.rule}]' if one.rule else ''}{where}{told}"

    def _spoke(self, one: Spoke) -> str:
        said = " ".join(one.rules) or one.text
        where = f" (`{one.box}`)" if self._ids else ""
        return f"{plain(one.title)}{where}{f': {plain(said)}' if said else ''}"

    def _refused(self, one: Attempt, number: int) -> str:
        rule = f" [{one.rule.id}]" if one.rule is not None else ""
        name = self._players[one.by].named(number) if one.by in self._players else ""
        return f"{one.by}{f' ({plain(name)})' if name else ''} · {one.at} · {plain(one.did)}: {plain(one.because)} ({one.problem}){rule}"


def _when(step: TraceStep) -> str:
    turn = f"turn {step.turn}" if step.turn else ""
    return f"{turn}, round {step.round}" if step.round else turn


def _shown(step: TraceStep) -> list[Happened]:
    return [one for one in step.happened if one.kind != "note"]


def _ruling(one: InForce) -> str:
    return f"{IN_FORCE[one.kind]} {plain(one.title)}: {plain(one.text)}"


def _legal(legal: Legal) -> str:
    more = legal.count - len(legal.labels)
    labels = [plain(label) for label in legal.labels] + ([f"{more} more"] if more > 0 else [])
    return f"({plain(legal.text)}): {'; '.join(labels) or 'nothing'}"
