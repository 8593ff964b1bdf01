"""Who saw what: each role's sentences from its own fold, and roles that saw the same put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from domain.audience import EVERYBODY, REFEREE, SPECTATORS, Mask, seat_bit
from domain.events import ChanceAnswered, DecisionClosed, Event, RuleApplied, Suspended, Told
from domain.rules import Rules
from domain.state import State
from projections.history import sentence
from projections.names import enumerated

Line = tuple[int, str]
"""A place in the order of things, and what was seen there."""

BOOKKEEPING = (ChanceAnswered, DecisionClosed, Suspended)
"""Told in full by a step's dice and picks, and by what comes next."""


def lines(
    rules: Rules, roles: Mapping[Mask, State], told: Sequence[Told], *, brief: bool
) -> list[tuple[str, Mask]]:
    """What happened in a commit: each sentence, and who was told it.

    Args:
        rules: of the game.
        roles: what each role knows, by its bit; the commit is in it.
        told: the commit.
        brief: leave out the rules.
    """
    found: dict[Line, Mask] = {}
    for role, state in roles.items():
        for place, one in enumerate(told):
            if one.to & role and not isinstance(one.event, BOOKKEEPING) and not (brief and _is_rule(one.event)):
                line = (place, _worded(rules, one.event, state, brief=brief))
                found[line] = found.get(line, 0) | role
    return [(words, found[place, words]) for place, words in sorted(found, key=lambda line: line[0])]


def merged(roles: Mapping[Mask, Sequence[str]]) -> list[tuple[str, Mask]]:
    """What each role sees of a position, each line once, with those who see it."""
    found: dict[str, Mask] = {}
    for role, seen in roles.items():
        for line in seen:
            found[line] = found.get(line, 0) | role
    return list(found.items())


def grouped(seen: Iterable[tuple[str, Mask]], state: State) -> dict[str, list[str]]:
    """Sentences by audience, as a reader calls it; what everybody saw comes first."""
    groups: dict[str, list[str]] = {}
    for words, mask in seen:
        groups.setdefault(audience(mask, state), []).append(words)
    return dict(sorted(groups.items(), key=lambda group: group[0] != "everybody"))


def audience(mask: Mask, state: State) -> str:
    """A set of roles in words; the referee, who sees whatever anybody sees, is named where there is nobody else."""
    seats = [seat for seat in range(state.seats) if mask & seat_bit(seat)]
    others = [seat for seat in range(state.seats) if seat not in seats]
    watched = bool(mask & SPECTATORS)
    if not others and watched:
        return "everybody"
    if watched and seats:
        return f"everybody but {_seats(others)}"
    if not seats:
        return "spectators" if watched else "referee"
    sides = [state.explorers[seat].side for seat in seats] if state.explorers and state.haunt is not None else []
    if sides == ["traitor"]:
        return f"the traitor ({_seats(seats)})"
    if sides and set(sides) == {"heroes"} and not any(state.explorers[seat].side == "heroes" for seat in others):
        return f"the heroes ({_seats(seats)})"
    return _seats(seats)


def roles_of(label: str, seats: int) -> Mask:
    """The roles that an audience in words means; the way back, for tests."""
    if label == "everybody":
        return EVERYBODY & (SPECTATORS | REFEREE | (1 << seats) - 1)
    named = sum(seat_bit(int(digit)) for digit in label if digit.isdigit())
    if label.startswith("everybody but"):
        return roles_of("everybody", seats) & ~named
    return named | REFEREE | (SPECTATORS if label == "spectators" else 0)


def _seats(seats: Sequence[int]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {enumerated([str(seat) for seat in seats])}"


def _worded(rules: Rules, event: Event, state: State, *, brief: bool) -> str:
    words = sentence(rules, event, state)
    return words if brief or not event.rule or _is_rule(event) else f"{words} ({event.rule})"


def _is_rule(event: Event) -> bool:
    return isinstance(event, RuleApplied)
