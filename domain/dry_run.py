"""A dry run: whether a command would be accepted, and what it would ask first; never what the answer would be.

It is decided on a role's own state, so nothing that the role doesn't know can steer it, with chance that answers nothing, and as if a book that
the role has not read were empty. Apart from what such a book says, what is asked first is certain; what comes after depends on the answer,
and is not told.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from domain.decide import decide
from domain.engine.machine import ASKED_BY_INDEX
from domain.engine.parts import kind_of_box, part_of_box
from domain.engine.rules import Rules
from domain.engine.witness import SEEN_BY
from domain.facts.audience import REFEREE
from domain.facts.chance import Request
from domain.facts.commands import AnyCommand, Choose
from domain.facts.desk_commands import AnyDeskCommand, RuleDispute
from domain.facts.events import DecisionOpened, SideTold, Told
from domain.facts.ids import split_id
from domain.facts.refusal import Endless, Refused
from domain.facts.state import Monster, State
from domain.past import Past
from domain.rulebook.desk.amending import hangs_on_the_traitor, lacking
from domain.rulebook.desk.disputing import check_ruling, decision_of, needs_consent
from domain.rulebook.desk.rulings import AGREE


class Consulted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a command would ask for."""

    kind: Literal["dice", "draw", "back", "look", "chance", "decision", "secret", "hidden"]
    """`dice`; a card or tile to `draw`; the `back` of a tile; to `look` at a place of a stack in secret; another `chance`; somebody's
    `decision`; a `secret` that was chosen; or something else `hidden` from the role, such as what is half-done."""
    about: str = ""
    """What it is for: `attack`, `coin`, `before-roll:attack`, the name of a secret."""
    dice: int = 0
    """How many."""
    stack: str = ""
    """`tiles`, `event`, `item` or `omen`."""
    seat: int = -1
    """Who looks, or decides; -1: nobody, the one who answers for chance, or a hidden traitor whom the role can't name."""


class Hidden(Exception):
    """The command depends on a fact that the role doesn't know."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Secrets(dict[str, str]):
    """Secrets as a role knows them; asking for one that it doesn't know raises `Hidden`."""

    def get(self, name: str, default: str = "") -> str:  # type: ignore[override]  # only text is ever asked for
        """The value, if the role knows it."""
        value = super().get(name, default)
        if name in self and not value:
            raise Hidden(name)
        return value

    def __getitem__(self, name: str) -> str:
        """The value, if the role knows it."""
        return self.get(name)


class Unread(dict[str, int]):
    """The numbers of a monster whose box a role has not read; asking for one that it has raises `Hidden`."""

    def __init__(self, monster: Monster) -> None:
        super().__init__()
        self._monster = monster

    def get(self, trait: str, default: int = 0) -> int:  # type: ignore[override]  # only numbers are ever asked for
        """Nothing, of a trait that everybody sees it lacks."""
        if trait in self._monster.has:
            raise Hidden(part_of_box(self._monster.kind))
        return default


class Probe:
    """Chance that notes what is asked and never answers."""

    def __init__(self) -> None:
        self.asked: list[Request] = []

    def ask(self, request: Request) -> None:
        """Keep what is asked; pending."""
        self.asked.append(request)


def dry_run(rules: Rules, state: State, actor: int, command: AnyCommand, past: Past | None = None) -> list[Consulted]:
    """What a command would ask first; nothing, if it is done without asking anybody.

    Args:
        rules: of the game.
        state: what the role knows, with what is half-done as far as that hides nothing; it is used up.
        actor: a seat, or the moderator.
        command: what is to be tried.
        past: see `decide`.

    Raises:
        Refused: it would be refused like this.
        Endless: it would cause more events than a command may.
    """
    _, consults = _tried(rules, state, [(actor, command)], past)
    return consults


def try_ruling(
    rules: Rules, state: State, actor: int, command: RuleDispute, past: Past | None = None
) -> tuple[list[Told], list[int], list[Consulted]]:
    """What a ruling would do if all who are asked agreed to it: the events, who is asked, and what its steps would ask first.

    Arguments and refusals are those of `dry_run`. Where the steps depend on what the role doesn't know, there are no events.
    """
    asked = check_ruling(state, actor, command)
    seats = (
        [seat for seat in range(state.seats) if seat != actor] if needs_consent(state, asked, command.outcome) else []
    )
    if _hangs_on_the_traitor(state, command, past):
        _tried(rules, state, [(actor, command)], past)  # whatever it is refused for now
        return [], seats, [Consulted(kind="hidden", about="traitor")]
    agree = Choose(decision=f"{decision_of(asked)}-{asked.proposals + 1}", option=AGREE)
    told, consults = _tried(rules, state, [(actor, command), *((seat, agree) for seat in seats)], past)
    return told, seats, consults


def _hangs_on_the_traitor(state: State, ruling: RuleDispute, past: Past | None) -> bool:
    again = [one.amendment for number in ruling.reapply for one in lacking(state, number, ruling.to or 0)]
    then = state if past is None else past.known[REFEREE]
    return any(hangs_on_the_traitor(then, do) for do in (ruling.do, *(one.do for one in again if one is not None)))


def _tried(
    rules: Rules, state: State, commands: Sequence[tuple[int, AnyCommand | AnyDeskCommand]], past: Past | None
) -> tuple[list[Told], list[Consulted]]:
    """The events of some commands, one after the other, and what they ask first; no events where something hidden decides."""
    if state.haunt is not None and state.haunt.secrets:
        state.haunt.secrets = Secrets(state.haunt.secrets)
    for monster in state.monsters.values():
        if monster.boxed:
            monster.traits = Unread(monster)
    probe, read = Probe(), rules.as_read(state)
    told: list[Told] = []
    try:
        for actor, command in commands:
            told += decide(read, state, actor, command, probe, past)
    except (Refused, Endless):
        raise
    except Hidden as fact:
        return [], [Consulted(kind="hidden" if kind_of_box(fact.name) else "secret", about=fact.name)]
    except Exception:  # noqa: BLE001 -- on the state of a role that was told less than everything; what is amiss is what it wasn't told
        return [], [Consulted(kind="hidden")]
    if any(isinstance(one.event, SideTold) and (one.event.seat < 0 or not one.event.side) for one in told):
        return [], [Consulted(kind="hidden", about="traitor")]
    return told, [*_decisions(state, told), *(_chance(request) for request in probe.asked)]


def _decisions(state: State, told: list[Told]) -> list[Consulted]:
    opened = [one.event.decision for one in told if isinstance(one.event, DecisionOpened)]
    return [
        Consulted(kind="decision", about=one.about, seat=max(state.seat_of(one.seat), -1))
        for one in opened
        if one.id[0] not in ASKED_BY_INDEX
    ]


def _chance(request: Request) -> Consulted:
    what, _, looker = request.what.partition(SEEN_BY)
    head, rest = split_id(what)
    if request.dice:
        return Consulted(kind="dice", about=rest, dice=request.dice)
    if head in ("card", "tile"):
        stack = rest or "tiles"
        return Consulted(kind="look", stack=stack, seat=int(looker)) if looker else Consulted(kind="draw", stack=stack)
    if head == "tile-back":
        return Consulted(kind="back", stack="tiles")
    return Consulted(kind="chance", about=what)
