"""Whether an action could change anything: one that everybody can see to have no effect is neither listed nor accepted.

An action's steps are looked through once, when its pack is compiled. Most can always change something, and are not tested in
play; for a few it shows from what is public. A price is not a change: an action that only costs has no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from content.vocabulary.effects import EachRoom, Effect
from content.vocabulary.values import Condition
from domain.engine.block import Frame, Test
from domain.queries.conditions import cast, places, test
from domain.verbs import cards, rolls, traits
from domain.verbs import places as moving


def _of_rooms(node: EachRoom) -> Test | None:
    """Whether there is such a room now; what can be done in each is not asked, for steps before may change it."""
    if _of_steps(node.do) is _never:
        return _never
    if node.rooms.with_ is not None:
        return None  # who is meant may depend on a secret
    return lambda m, f: bool(places(m, f, node.rooms))


ASKED: dict[str, Callable[[Any], Test | None]] = {
    "gain": traits.can_gain,
    "heal": traits.can_heal,
    "take": cards.can_take,
    "fetch": cards.can_fetch,
    "modify_roll": rolls.adds_dice,
    "draw": cards.can_draw,
    "reveal_until": cards.can_reveal,
    "search": cards.can_search,
    "look": cards.can_look,
    "shift": moving.can_shift,
    "move": moving.can_move,
    "each_room": _of_rooms,
}
"""By verb: the test of whether it would change something now, or None where it always would."""

PRICES = frozenset({"lose", "damage", "discard"})
"""Verbs that only cost whoever acts."""


def prospect(effects: Iterable[Effect]) -> Test | None:
    """Whether one of these steps could change something now; None: always, or it was never meant to."""
    could = _of_steps(effects)
    return None if could is _never else could


def _of_steps(effects: Iterable[Effect]) -> Test | None:
    return _any_of(_of_step(effect) for effect in effects)


def _never(_m: object, _f: Frame) -> bool:
    return False


def _any_of(found: Iterable[Test | None]) -> Test | None:
    tests = []
    for one in found:
        if one is None:
            return None
        if one is not _never:
            tests.append(one)
    if len(tests) <= 1:
        return tests[0] if tests else _never
    return lambda m, f: any(one(m, f) for one in tests)


def _of_step(effect: Effect) -> Test | None:
    """The prospect of one step with what may follow it."""
    done = _any_of((_of_verb(effect), _of_steps(effect.then or ())))
    declined = _of_steps(effect.else_ or ())
    settled = None if effect.if_ is None or effect.who not in (None, "you") else _settled(effect.if_)
    if settled is None:
        return _any_of((done, declined))  # which of the two it will be may be a secret, or depend on earlier steps
    if done is None and declined is None:
        return None
    holds = test(settled)
    if_it_may_hold = done if settled == effect.if_ else _any_of((done, declined))

    def of_step(m: Any, f: Frame) -> bool:  # noqa: ANN401 -- a Glance or a Machine
        branch = if_it_may_hold if holds(m, f) else declined
        return branch is None or branch(m, f)

    return of_step


def _settled(condition: Condition) -> Condition | None:
    """The part of a condition that everybody knows beforehand, and no step changes: rulings, the phase, the revealed traitor; None if nothing."""
    found = Condition(
        ruling=condition.ruling,
        phase=condition.phase,
        traitor=condition.traitor if condition.traitor == "none" else None,
        you=condition.you if condition.you == "revealed-traitor" else None,
        not_=condition.not_ if condition.not_ is not None and _settled(condition.not_) == condition.not_ else None,
        any=condition.any if condition.any and all(_settled(one) == one for one in condition.any) else None,
    )
    return None if found == Condition() else found


def _of_verb(effect: Effect) -> Test | None:
    """The prospect of the verb for those to whom it happens; always there for those who may be unknown, or not known yet."""
    said = effect.verb()
    if said is None:
        return _never
    verb, node = said
    if effect.who not in (None, "you", "target"):
        return None
    if verb == "roll":
        return _any_of(_of_steps(row) for row in (effect.outcomes or {}).values())
    if verb == "choose":
        return _any_of(_of_steps(option.do) for option in effect.choose or ())
    if verb in PRICES and effect.who != "target":
        return _never
    if verb not in ASKED:
        return None
    could = ASKED[verb](node)
    if could is None or effect.who != "target":
        return could
    whose, asked = cast("target"), could
    return lambda m, f: any(asked(m, Frame(f.block, {**f.vars, "you": one})) for one in whose(m, f))
