"""How effects become sentences: modifiers, branches, the rows of a roll.

A step is told in one of three ways. At the top each is a sentence: `Roll Speed. 4+: gain 1 Might. 0 to 3: nothing.` In a row steps
are divided by semicolons. Within those they are joined like any list, and the rows of a roll stand in parentheses.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

import msgspec

from content.vocabulary import outcomes
from content.vocabulary.effects import Effect
from content.vocabulary.values import Each
from projections.wording.house import FALLBACKS, HOUSE
from projections.wording.people import PEOPLE
from projections.wording.words.english import (
    THEY,
    YOU,
    Person,
    agreed,
    capital,
    deed,
    enumerated,
    sentence,
    somebody,
    unbent,
)
from projections.wording.words.speech import Speech

IGNORED = "traitor and monsters may ignore this"

DEEDS = {**PEOPLE, **HOUSE}
"""By verb: its deed. `choose` and `run` are told here, as branches."""

SAFE_THEN = frozenset({"lose_card", "take"})
"""Verbs after which `then` follows only where they could be done."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One effect on its way to a sentence."""

    said: str = ""
    """The deed about `person`, agreed; empty for a bare `if`."""
    condition: str = ""
    person: Person = YOU
    rows: list[tuple[str, list[Step]]] = []
    """Results, and what follows each."""
    options: list[tuple[str, list[Step]]] = []
    """Of `choose`: when each is offered, and what it does."""
    then: list[Step] = []
    if_done: bool = False
    """`then` follows only if the step was done."""
    each: bool = False
    """`then` follows each time that it was done."""
    otherwise: list[Step] = []
    otherwise_if: str = ""
    """When `otherwise` follows; empty after an `if`."""
    after: list[Step] = []
    """What a roll of several traits gives in the end."""
    after_if: str = ""
    fallback: list[Step] = []
    """What happens where the deed comes to nothing."""
    fallback_if: str = ""

    @property
    def plain(self) -> bool:
        """Whether it fits into a clause as it is."""
        return not (self.rows or self.options or self.then or self.otherwise or self.after or self.fallback)


def steps_of(s: Speech, effects: Sequence[Effect], person: Person = YOU) -> list[Step]:
    """Effects as steps; those that are repeated are told once."""
    told: list[Step] = []
    effects = list(effects)
    while effects:
        effect, alike = effects[0], _alike(effects)
        times = len(list(takewhile(effect.__eq__, effects)))
        if alike > 1:
            told.append(_each_card(s, effects[:alike], person))
        else:
            once = (
                _shared(s, effect.run, person)
                if effect.run is not None and _bare(effect)
                else [step_of(s, effect, person)]
            )
            told += once if times == 1 else _repeated(once, times)
        effects = effects[max(alike, times) :]
    return told


def _alike(effects: Sequence[Effect]) -> int:
    """How many steps from the first on lose one certain card each, and are the same otherwise."""
    first = effects[0]
    if first.lose_card is None or first.lose_card.card is None:
        return 1
    alike = 1
    for effect in effects[1:]:
        if effect.lose_card is None or effect.lose_card.card is None:
            break
        card = msgspec.structs.replace(effect.lose_card, card=first.lose_card.card)
        if msgspec.structs.replace(effect, lose_card=card) != first:
            break
        alike += 1
    return alike


def _each_card(s: Speech, effects: Sequence[Effect], person: Person) -> Step:
    """Several cards that are lost alike, in one step."""
    step = step_of(s, effects[0], person)
    cards = [
        effect.lose_card.card
        for effect in effects
        if effect.lose_card is not None and effect.lose_card.card is not None
    ]
    first, *_ = titles = [s.titles.card(card) for card in cards]
    return msgspec.structs.replace(
        step, said=step.said.replace(first, f"each of {enumerated(titles)} that you have"), each=True
    )


def _bare(effect: Effect) -> bool:
    return set(effect.stated()) - {"harmful"} <= {"run"} and not effect.harmful


def _repeated(steps: list[Step], times: int) -> list[Step]:
    last = steps[-1]
    if len(steps) == 1 and last.plain:
        return [msgspec.structs.replace(last, said=f"{last.said}, {times} times")]
    return [Step(said=f"do this {times} times: {clause(steps)}")]


def _shared(s: Speech, block: str, person: Person) -> list[Step]:
    """The steps of a block that several pieces share."""
    if block in s.telling or block not in s.titles.blocks:
        return [Step(said="do all of this again")]
    return steps_of(s.inside(block), s.titles.blocks[block], person)


def step_of(s: Speech, effect: Effect, person: Person = YOU) -> Step:
    """One effect with its modifiers."""
    about = person if effect.who is None else _whom(s, effect, person)
    again = about if effect.who is None else THEY
    verb = effect.verb()
    said, rows, options, then = "", [], [], steps_of(s, effect.then or [], again)
    otherwise, otherwise_if, after, after_if = steps_of(s, effect.else_ or [], person), "", [], ""
    fallback: list[Step] = []
    fallback_if = ""
    if verb is not None:
        name, node = verb
        one = _each_of(s, effect) if name == "run" else None
        if one is not None:
            return step_of(s.inside(node), one, person)
        if name == "run" and effect.may is not None:
            wish = f"{about.name} wish{'es' if about.third else ''}"
            then = [Step(condition=wish, then=[*_shared(s, node, again), *then])]
            said = ""
        elif name == "run":
            block = _shared(s, node, person if effect.who is None else YOU)
            then = [*block, *then] if effect.who is None else then
            said = "" if effect.who is None else f"for {about.name}: {clause(block)}"
        elif name == "choose":
            said = deed(_mayed("[choose] one", effect.may), about)
            options = [(s.if_(one.if_) if one.if_ is not None else "", steps_of(s, one.do)) for one in node]
        else:
            said = deed(_mayed(DEEDS[name](s, node), effect.may), about)
            if name in FALLBACKS and node.otherwise:
                fallback, fallback_if = steps_of(s, node.otherwise, again), FALLBACKS[name]
        if name == "roll_each":
            after = steps_of(s, node.then or [])
            after_if = f"all of these rolls are {node.all_at_least}+" if node.all_at_least is not None else ""
    rows = [
        (span(key), steps_of(s, effects)) for key, effects in sorted((effect.outcomes or {}).items(), key=_from_the_top)
    ]
    if effect.harmful:
        said = f"{said} ({IGNORED})" if said else said
    if effect.may is not None and otherwise and effect.if_ is None:
        otherwise_if = f"{'you' if about == YOU else 'they'} do not"
    return Step(
        said=said,
        condition=s.if_(effect.if_, person) if effect.if_ is not None else "",
        person=about,
        rows=rows,
        options=options,
        then=then,
        if_done=verb is not None and (verb[0] in SAFE_THEN or effect.may is not None),
        otherwise=otherwise,
        otherwise_if=otherwise_if,
        after=after,
        after_if=after_if,
        fallback=fallback,
        fallback_if=fallback_if,
    )


def _each_of(s: Speech, effect: Effect) -> Effect | None:
    """A shared block of one step, for several characters, as that step; None if it is more."""
    block = s.titles.blocks.get(effect.run or "", ())
    if effect.run in s.telling or effect.may is not None or len(block) != 1 or block[0].who is not None:
        return None
    step, who = block[0], effect.who
    if step.if_ is not None:
        then = step.then or []
        if not isinstance(who, Each) or who.if_ is not None or step.verb() is not None or step.else_ or len(then) != 1:
            return None
        step, who = then[0], msgspec.structs.replace(who, if_=step.if_)
        if step.who is not None or step.if_ is not None:
            return None
    if who is None or effect.then is not None or effect.else_ is not None:
        return None
    return msgspec.structs.replace(step, who=who, if_=effect.if_)


def _whom(s: Speech, effect: Effect, person: Person) -> Person:
    if effect.who == "you" or effect.who is None:
        return person
    return somebody(agreed(s.who(effect.who), person))


def _mayed(template: str, may: str | None) -> str:
    """A deed that may be declined: `you may draw an item card`."""
    return template if may is None else f"[you] may {unbent(template)}"


def _from_the_top(item: tuple[str, list[Effect]]) -> int:
    results = outcomes.parse(item[0])
    return -results.low if results is not None else -(item[0] == outcomes.AT_LEAST)


def span(key: str) -> str:
    """The results of a row: `5+`, `0 to 4`, `2 or 3`, `1`."""
    if key == outcomes.AT_LEAST:
        return "that many or more"
    if key == outcomes.LESS:
        return "fewer"
    results = outcomes.parse(key)
    if results is None:
        return key
    if results.high is None:
        return f"{results.low}+"
    if results.high == results.low:
        return str(results.low)
    return f"{results.low} {'or' if results.high == results.low + 1 else 'to'} {results.high}"


# ---- a sentence each --------------------------------------------------------------------------------------------------


def told(steps: Sequence[Step]) -> str:
    """Steps as sentences."""
    said: list[str] = []
    scoped = False
    for step in steps:
        words = _told(step)
        if scoped:
            words = f"Then{',' if words.startswith('If ') else ''} {words[:1].lower()}{words[1:]}"
        said.append(words)
        scoped = bool(
            step.rows or step.options or step.otherwise or step.after or (step.condition and len(step.then) > 1)
        )
    return " ".join(said)


def _told(step: Step) -> str:
    condition = f"if {step.condition}" if step.condition else ""
    if not step.said:
        parts = [_lined(condition, step.then) if _tabled(step.then) else _branch(condition, step.then)]
    else:
        parts = [_head(step, condition)]
        parts += [f"{capital(key)}: {row(steps)}." for key, steps in step.rows]
        if step.after:
            parts.append(sentence(f"if {step.after_if}, {clause(step.after)}"))
        if step.then:
            parts.append(_after(step))
    if step.otherwise:
        parts.append(_else(step))
    return " ".join(parts)


def _after(step: Step) -> str:
    begin = "for each of them" if step.each else "if this is done" if step.if_done else "then" if step.rows else ""
    if _tabled(step.then):
        return _lined(begin, step.then)
    return _branch(begin, step.then)


def _head(step: Step, condition: str) -> str:
    said = step.said
    if step.options:
        said = f"{said}: {_options(step)}"
    if step.fallback:
        said = f"{said}; if {step.fallback_if}, {clause(step.fallback)}"
    return sentence(f"{condition}, {said}" if condition else said)


def _tabled(steps: Sequence[Step]) -> bool:
    """Whether a roll or a choice is among them, whose rows need sentences."""
    return any(step.rows or step.options or _tabled(step.then) or _tabled(step.otherwise) for step in steps)


def _lined(condition: str, steps: Sequence[Step], mark: str = ":") -> str:
    """A branch that holds a roll: its sentences follow a colon."""
    words = told(steps)
    return f"{capital(condition)}{mark} {words[:1].lower()}{words[1:]}" if condition else words


def _else(step: Step) -> str:
    begin = f"if {step.otherwise_if}" if step.otherwise_if else "otherwise"
    if _tabled(step.otherwise) or any(one.otherwise for one in step.otherwise):
        return _lined(begin, step.otherwise, "," if len(step.otherwise) == 1 and step.otherwise[0].condition else ":")
    return _branch(begin, step.otherwise)


def _branch(begin: str, steps: Sequence[Step]) -> str:
    if not begin:
        return sentence(row(steps))
    comma = "," if len(steps) == 1 and not steps[0].condition else ":"
    return sentence(f"{begin}{comma} {row(steps)}")


# ---- a row ------------------------------------------------------------------------------------------------------------


def row(steps: Sequence[Step]) -> str:
    """Steps divided by semicolons; without any, nothing happens."""
    return (
        "; ".join(_clause(step, last=number == len(steps)) for number, step in enumerate(steps, 1)) or "nothing happens"
    )


def clause(steps: Sequence[Step]) -> str:
    """Steps as one list."""
    return enumerated([_clause(step) for step in steps]) or "do nothing"


def _clause(step: Step, *, last: bool = False) -> str:
    condition = f"if {step.condition}, " if step.condition else ""
    if not step.said:
        words = clause(step.then)
    else:
        words = step.said
        if step.rows:
            inner = "; ".join(f"{key}: {clause(steps)}" for key, steps in step.rows)
            inner = inner.replace(": do nothing", ": nothing happens")
            words = f"{words} ({inner})"
        if step.fallback:
            words = f"{words} (if {step.fallback_if}, {clause(step.fallback)})"
        if step.options:
            words = f"{words}: {_options(step)}" if last else f"{words} ({_options(step)})"
        if step.after:
            words = f"{words}; if {step.after_if}, {clause(step.after)}"
        if step.then:
            begin = ", and for each of them " if step.each else ", and if this is done, " if step.if_done else ", then "
            words = f"{words}{begin}{clause(step.then)}"
    if step.otherwise:
        begin = f"if {step.otherwise_if}" if step.otherwise_if else "otherwise"
        words = (
            f"{words}, {begin} {clause(step.otherwise)}"
            if begin == "otherwise"
            else f"{words} ({begin}, {clause(step.otherwise)})"
        )
    return f"{condition}{words}"


def _options(step: Step) -> str:
    said = [f"{f'if {condition}, ' if condition else ''}{clause(steps)}" for condition, steps in step.options]
    return f"{'; '.join(said[:-1])}; or {said[-1]}" if len(said) > 1 else "".join(said)
