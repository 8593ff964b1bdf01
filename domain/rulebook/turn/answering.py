"""Answers to open decisions: whose they are, of which kind, and within which bounds; and what comes first while one is open."""

from __future__ import annotations

from typing import Any

from content.errors import listed
from domain.editions.asking import rule_of_question
from domain.engine.machine import Machine, check_chance
from domain.engine.rules import Rules
from domain.facts.chance import Answer
from domain.facts.commands import (
    Allocate,
    AnswerChance,
    AnswerCommand,
    AnyCommand,
    Choose,
    Loot,
    Select,
)
from domain.facts.ids import id_kind, split_id
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, Decision
from domain.rulebook.fight.harm import KINDS
from domain.rulebook.fight.spoils import stealing
from domain.rulebook.haunt.beginning import rule_of_waiting
from domain.rulebook.haunt.traitor import VOLUNTEER
from domain.rulebook.table.posted_dice import thrown
from domain.rulebook.table.sparing import EXEMPTIONS, claimed


def perform_answer(m: Machine, actor: int, command: Choose | Allocate | Select | AnswerChance) -> None:
    """Answer an open decision.

    Raises:
        Refused: it is not open, not the actor's, or takes another answer.
    """
    decision = m.state.open.get(command.decision)
    if decision is None:
        rule = what_comes_first(m) or no_card_instead(m, command)
        if isinstance(command, Choose) and command.option in EXEMPTIONS:
            rule = claimed(m.rules, m.state, command.option) or rule
        if isinstance(command, Choose) and command.option == VOLUNTEER and m.rules.cite.volunteer:
            when = "it is too early" if m.state.haunt is None else "it is too late"
            why = f"{when} to volunteer: that is asked as the haunt begins, before anything of it is read"
            raise Refused(why, rule=m.rules.cite.volunteer, problem="decision-closed")
        raise Refused(f"the decision `{command.decision}` is not open", rule=rule, problem="decision-closed")
    _check_exemption(m, actor, decision, command)
    if m.state.seat_of(decision.seat) != actor:
        rolls = decision.seat == MODERATOR and decision.total
        rule = (
            m.rules.cite.moderator_rolls
            if rolls
            else no_card_instead(m, command) or _whose_answer(m.rules, decision) or _volunteering(m, decision, actor)
        )
        raise Refused("this decision is not yours to answer", rule=rule, problem="not-your-decision")
    m.answer(decision.id, _reply(m, decision, command))


def _check_exemption(m: Machine, actor: int, decision: Decision, command: AnswerCommand) -> None:
    """The hidden traitor claims no exemption before it has revealed (2E-HID-006, ruling); only its own refusal says why.

    Anybody else gets the refusal of any word that is not offered.
    """
    if not isinstance(command, Choose) or command.option not in EXEMPTIONS or command.option in decision.options:
        return
    if rule := claimed(m.rules, m.state, command.option):
        raise Refused(f"`{command.option}` is not possible here", rule=rule, problem="not-an-option")
    haunt = m.state.haunt
    if haunt is None or not haunt.hidden or actor == MODERATOR:
        return
    if m.state.explorers[actor].side == "traitor" and not m.state.explorers[actor].revealed:
        raise Refused(
            "only a revealed traitor is exempt: reveal yourself first",
            rule=m.rules.cite.reveal_escapes,
            problem="not-an-option",
        )


def _reply(m: Machine, decision: Decision, command: Choose | Allocate | Select | AnswerChance) -> Any:  # noqa: ANN401 -- by kind: an option, points, places or an answer of chance
    """The answer, if it is of the decision's kind and within its constraint."""
    if decision.kind == "chance" and isinstance(command, AnswerChance):
        told_dice = decision.total or command.faces or command.rolled or command.total is not None
        faces = thrown(m.rules, command, decision.total) if told_dice else []
        answer = check_chance(decision, Answer(faces=tuple(faces), pick=command.pick), m.rules.cite.die_roller)
        return {"faces": list(answer.faces), "pick": answer.pick}
    if decision.kind == "allocation" and isinstance(command, Allocate):
        return _check_allocation(m, decision, command.points)
    if decision.kind == "selection" and isinstance(command, Select):
        chosen = sorted(set(command.chosen))
        if (
            len(chosen) != len(command.chosen)
            or len(chosen) > decision.total
            or (chosen and chosen[-1] >= len(decision.options))
        ):
            detail = f"choose at most {decision.total} of {len(decision.options)}, none of them twice"
            raise Refused(detail, rule=_rule_of_question(m, decision), problem="not-an-option")
        return chosen
    if isinstance(command, Choose) and decision.kind not in ("chance", "allocation", "selection"):
        if command.option not in decision.options:
            detail = f"`{command.option}` is not an option here: choose one of {listed(decision.options)}"
            raise Refused(detail, rule=_rule_of_question(m, decision), problem="not-an-option")
        return command.option
    detail = f"this decision takes an answer of another kind: `{decision.kind}`"
    raise Refused(detail, rule=_rule_of_question(m, decision), problem="wrong-answer-kind")


def _rule_of_question(m: Machine, decision: Decision) -> str:
    return rule_of_question(m.rules.cite, decision, monsters=m.state.turn.monsters)


def _check_allocation(m: Machine, decision: Decision, points: dict[str, int]) -> dict[str, int]:
    if any(not 0 <= points[trait] <= decision.caps.get(trait, 0) for trait in points):
        limits = ", ".join(f"{trait.capitalize()} (up to {cap})" for trait, cap in decision.caps.items())
        rule = _spared(m, decision, points) or _damage_rule(m.rules, decision) or m.rules.cite.division
        raise Refused(f"divide the points among {limits}", rule=rule)
    given = sum(points.values())
    if given > decision.total or (given < decision.total and not decision.up_to):
        most = "at most " if decision.up_to else ""
        points_there = f"{decision.total} point{'' if decision.total == 1 else 's'}"
        raise Refused(f"divide {most}{points_there}, not {given}", rule=m.rules.cite.allotment)
    return points


def _whose_answer(rules: Rules, decision: Decision) -> str:
    """The rule on who answers, where there is one."""
    what, _ = split_id(decision.about)
    if what == "move-other":
        return rules.cite.forced_move
    return (rules.cite.who_divides if what == "damage" else "") or _damage_rule(rules, decision)


def _volunteering(m: Machine, decision: Decision, actor: int) -> str:
    """The rule by which somebody who is not asked can't volunteer: a revealer is left out only by the haunt."""
    if decision.about != VOLUNTEER or m.state.haunt is None:
        return ""
    return (
        m.rules.cite.traitor_left
        if actor == m.state.haunt.revealer != m.state.haunt.traitor
        else m.rules.cite.volunteer
    )


def _spared(m: Machine, decision: Decision, points: dict[str, int]) -> str:
    """The rule that spares critical traits before the haunt (3E-DMG-011), if only that bars the division."""
    what, kind = split_id(decision.about)
    if what != "damage" or m.state.haunt is not None:
        return ""
    fits = all(trait in KINDS[kind] and 0 <= number <= decision.total for trait, number in points.items())
    return m.rules.cite.spared_trait if fits else ""


def _damage_rule(rules: Rules, decision: Decision) -> str:
    """The rule on damage of this kind: who divides it, among which traits; empty for any other decision."""
    by_kind = {"damage:physical": rules.cite.physical_damage, "damage:mental": rules.cite.mental_damage}
    return by_kind.get(decision.about, "")


def what_comes_first(m: Machine) -> str:
    """The rule by which what is awaited comes first: a haunt roll, or a step of a haunt's beginning; or empty."""
    rolling = any(decision.about == "dice:haunt" for decision in m.state.open.values())
    return m.rules.cite.haunt_roll_due if rolling else rule_of_waiting(m)


def no_card_instead(m: Machine, command: AnyCommand) -> str:
    """The rule by which nobody takes a card in place of the damage that is being dealt; empty where that may be done."""
    asks = isinstance(command, Loot) or (isinstance(command, Choose) and command.option in m.rules.pack.cards)
    dealt = any(id_kind(decision.about) == "damage" for decision in m.state.open.values())
    return m.rules.cite.steal if asks and dealt and not stealing(m.rules, m.state) else ""
