"""Who saw what: each role's sentences from its own fold, and roles that saw the same put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from domain.engine.rules import Rules
from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from domain.facts.events import (
    BackSeen,
    ChanceAnswered,
    DecisionClosed,
    DecisionOpened,
    Event,
    MonsterChosen,
    OmenOwed,
    Rewound,
    RuleApplied,
    SandboxBegun,
    Stopped,
    Suspended,
    Told,
    TurnEnded,
    Used,
)
from domain.facts.state import State
from projections.naming.names import enumerated
from projections.sentences.history import sentence

Line = tuple[int, str]
"""A place in the order of things, and what was seen there."""

BOOKKEEPING = (ChanceAnswered, DecisionClosed, Suspended)
"""Told in full by a step's dice and picks, and by what comes next."""

ASIDE = (BackSeen, DecisionOpened, MonsterChosen, OmenOwed, RuleApplied, Stopped, TurnEnded, Used)
"""What the story of a whole game does without: what comes next tells it."""


RESTORED = (Rewound, SandboxBegun)
"""Told to each role in an event of its own, with what it knew: one sentence for all of them."""


def lines(rules: Rules, roles: Mapping[Mask, State], told: Sequence[Told], *, brief: bool) -> list[tuple[str, Mask]]:
    """What happened in a commit: each sentence, and who was told it.

    Args:
        rules: of the game.
        roles: what each role knows, by its bit; the commit is in it.
        told: the commit.
        brief: the story alone, without the rules.
    """
    left_out = (*BOOKKEEPING, *ASIDE) if brief else BOOKKEEPING
    found: dict[Line, Mask] = {}
    for role, state in roles.items():
        for place, one in enumerate(told):
            if one.to & role and not isinstance(one.event, left_out):
                line = (_told_at(place, told), _worded(rules, one.event, state, brief=brief))
                found[line] = found.get(line, 0) | role
    return [(words, found[place, words]) for place, words in sorted(found, key=lambda line: line[0])]


def _told_at(place: int, told: Sequence[Told]) -> int:
    """The place of an event; of several that restore a state that of the first."""
    if not isinstance(told[place].event, RESTORED):
        return place
    return next(at for at, one in enumerate(told) if isinstance(one.event, RESTORED))


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
    """A set of roles in words.

    The referee sees whatever anybody sees, and is named only where that is otherwise: where names differ between books.
    """
    seats = [seat for seat in range(state.seats) if mask & seat_bit(seat)]
    others = [seat for seat in range(state.seats) if seat not in seats]
    unseen = "" if mask & REFEREE else ", not the referee"
    if mask & SPECTATORS:
        return f"everybody but {_seats(others)}{unseen}" if others else f"everybody{unseen}"
    if not seats:
        return "referee"
    if not others:
        return f"all seats{unseen}"
    return f"{_side(seats, others, state)}{unseen}"


def roles_of(label: str, seats: int) -> Mask:
    """The roles that an audience in words means; the way back, for tests."""
    named = sum(seat_bit(int(digit)) for digit in label if digit.isdigit())
    table = (1 << seats) - 1
    found = named
    if label.startswith("everybody"):
        found = (table & ~named) | SPECTATORS
    elif label.startswith("all seats"):
        found = table
    return found if label.endswith("not the referee") else found | REFEREE


def _side(seats: Sequence[int], others: Sequence[int], state: State) -> str:
    """Seats, called by their side where they are all of it."""
    if state.haunt is None:
        return _seats(seats)
    sides = {state.explorers[seat].side for seat in seats}
    whole = len(sides) == 1 and not any(state.explorers[seat].side in sides for seat in others)
    called = {"traitor": "the traitor", "heroes": "the heroes"}.get(sides.pop(), "") if whole else ""
    return f"{called} ({_seats(seats)})" if called else _seats(seats)


def _seats(seats: Sequence[int]) -> str:
    return f"seat{'s' if len(seats) > 1 else ''} {enumerated([str(seat) for seat in seats])}"


def _worded(rules: Rules, event: Event, state: State, *, brief: bool) -> str:
    words = sentence(rules, event, state)
    return words if brief or not event.rule or isinstance(event, RuleApplied) else f"{words} ({event.rule})"
