"""How effects become steps: modifiers, branches, the rows of a roll; `telling` makes sentences of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

import msgspec

from content.vocabulary import outcomes
from content.vocabulary.effects import Effect
from content.vocabulary.values import Condition, Each, Number
from content.vocabulary.verbs import Trap
from projections.wording.house import ENDS_WITH_FALLBACK, FALLBACKS, HOUSE
from projections.wording.people import PEOPLE, held
from projections.wording.telling import IGNORED, Step, clause
from projections.wording.words.english import (
    THEY,
    YOU,
    Person,
    agreed,
    deed,
    enumerated,
    sentences,
    somebody,
    unbent,
)
from projections.wording.words.selections import every
from projections.wording.words.speech import Speech
from projections.wording.words.values import by_players

DEEDS = {**PEOPLE, **HOUSE}
"""By verb: its deed. `choose`, `each-room` and `run` are told here, as branches."""

NOT_DONE = {"haunt_roll": "[you] [make] no haunt roll"}
"""By verb that may be declined: that it was not done, where `you do not` could mean something else."""

SAFE_THEN = frozenset({"lose_card", "take"})
"""Verbs after which `then` follows only where they could be done."""


def steps_of(s: Speech, effects: Sequence[Effect], person: Person = YOU) -> list[Step]:
    """Effects as steps; those that are repeated are told once."""
    told: list[Step] = []
    effects = list(effects)
    while effects:
        effect, alike = effects[0], _alike(effects)
        times = len(list(takewhile(effect.__eq__, effects)))
        more, table = _by_players(effects)
        if table:
            numbers, players = by_players(table)
            told += _repeated(steps_of(s, [effect], person), f"{numbers} times ({players})")
            effects = effects[more:]
            continue
        if alike > 1:
            told.append(_each_card(s, effects[:alike], person))
        else:
            once = (
                _shared(s, effect.run, person)
                if effect.run is not None and _bare(effect)
                else [step_of(s, effect, person)]
            )
            told += once if times == 1 else _repeated(once, f"{times} times")
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
        step,
        said=step.said.replace(
            first, f"each of {enumerated(titles)} that {'you' if step.person == YOU else 'they'} have"
        ),
        each=True,
    )


def _bare(effect: Effect) -> bool:
    return set(effect.stated()) - {"harmful"} <= {"run"} and not effect.harmful


def _by_players(effects: Sequence[Effect]) -> tuple[int, dict[str, int]]:
    """How many steps do the same as the first, some only with more players, and how often it is done with how many players."""
    first, length, always = effects[0], 0, 0
    tables: list[dict[str, int]] = []
    for effect in effects:
        table = {} if effect == first else _more_often(effect, first)
        if table is None:
            break
        length += 1
        always += effect == first
        tables += [table] if table else []
    players = sorted({number for table in tables for number in table}, key=int)
    return length, {number: always + sum(table.get(number, 0) for table in tables) for number in players}


def _more_often(effect: Effect, first: Effect) -> dict[str, int] | None:
    """How often an `if` by players does a step, by their number; None if it asks or does anything else."""
    then = effect.then or []
    if (
        set(effect.stated()) - {"harmful"} != {"if_", "then"}
        or effect.if_ is None
        or not all(one == first for one in then)
    ):
        return None
    number, least = effect.if_.number, effect.if_.at_least
    if (
        set(effect.if_.stated()) != {"number", "at_least"}
        or not isinstance(number, Number)
        or not isinstance(least, int)
    ):
        return None
    return {players: len(then) * (value >= least) for players, value in (number.players or {}).items()} or None


def _repeated(steps: list[Step], times: str) -> list[Step]:
    last = steps[-1]
    if len(steps) == 1 and last.plain:
        return [msgspec.structs.replace(last, said=f"{last.said}, {times}")]
    return [Step(said=f"do this {times}: {clause(steps)}")]


def _shared(s: Speech, block: str, person: Person) -> list[Step]:
    """The steps of a block that several pieces share."""
    if block in s.telling or block not in s.titles.blocks:
        return [Step(said="do all of this again")]
    return steps_of(s.inside(block), s.titles.blocks[block], person)


def _wish(about: Person) -> str:
    return f"{about.name} wish{'es' if about.third else ''}"


def _for_rooms(s: Speech, effect: Effect, person: Person) -> Step | None:
    """Steps that are done for each of some rooms, with what stands beside them."""
    node = effect.each_room
    if node is None:
        return None
    about, again = (person, person) if effect.who is None else (_whom(s, effect, person), THEY)
    rooms = Step(scope=f"for {agreed(every(s, node.rooms), about)}", then=steps_of(s, node.do, again))
    then = steps_of(s, effect.then or [], again)
    condition = s.if_(effect.if_, person) if effect.if_ is not None else ""
    told = msgspec.structs.replace(rooms, condition=condition)
    if effect.who is not None:
        told = Step(said=f"for {about.name}: {clause([rooms, *then])}", condition=condition, person=about)
    elif effect.may is not None:
        told = Step(condition=condition, then=[Step(condition=_wish(about), then=[rooms, *then])])
    elif then:
        told = Step(condition=condition, then=[rooms, *then])
    return msgspec.structs.replace(told, otherwise=steps_of(s, effect.else_ or [], person))


def step_of(s: Speech, effect: Effect, person: Person = YOU) -> Step:
    """One effect with its modifiers."""
    told = _placed(s, effect, person) or _for_rooms(s, effect, person)
    if told is not None:
        return told
    about = person if effect.who is None else _whom(s, effect, person)
    again = about if effect.who is None else THEY
    verb = effect.verb()
    node: Any = None
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
            then = [Step(condition=_wish(about), then=[*_shared(s, node, again), *then])]
            said = ""
        elif name == "run":
            block = _shared(s, node, person if effect.who is None else YOU)
            then = [*block, *then] if effect.who is None else then
            said = "" if effect.who is None else f"for {about.name}: {clause(block)}"
        elif name == "choose":
            options = [(s.if_(one.if_) if one.if_ is not None else "", steps_of(s, one.do)) for one in node]
            said = _wished(options, about) if effect.may is None else ""
            options = [] if said else options
            said = said or deed(_mayed("[choose] one", effect.may), about)
        else:
            said = _once_named(s, effect, deed(_mayed(DEEDS[name](s, node), effect.may), about))
            if name in FALLBACKS and node.otherwise:
                fallback, fallback_if = steps_of(s, node.otherwise, again), FALLBACKS[name]
                if name in ENDS_WITH_FALLBACK:
                    fallback.append(Step(said=deed("[skip] the rest", again), person=again))
        if name == "roll_each":
            after = steps_of(s, node.then or [])
            after_if = f"all of these rolls are {node.all_at_least}+" if node.all_at_least is not None else ""
    rows = [
        (span(key), steps_of(s, effects)) for key, effects in sorted((effect.outcomes or {}).items(), key=_from_the_top)
    ]
    if effect.harmful:
        said = f"{said} ({IGNORED})" if said else said
    if effect.may is not None and otherwise:
        otherwise_if = agreed(NOT_DONE.get(verb[0] if verb else "", "[you] do not"), YOU if about == YOU else THEY)
    return Step(
        said=said,
        condition=s.if_(effect.if_, person) if effect.if_ is not None and not _asks_for_its_card(effect) else "",
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
        note=sentences(agreed(one, YOU if about == YOU else THEY) for one in held(node))
        if isinstance(node, Trap)
        else "",
    )


def _placed(s: Speech, effect: Effect, person: Person) -> Step | None:
    """A room that is placed either way, and discovered only one way, in one step."""
    node, others = effect.place_tile, effect.else_ or []
    other = others[0].place_tile if len(others) == 1 else None
    if node is None or other is None or effect.if_ is None or effect.may is not None or effect.then is not None:
        return None
    if others[0] != Effect(place_tile=other) or other != msgspec.structs.replace(node, discovered=not node.discovered):
        return None
    step = step_of(
        s, msgspec.structs.replace(effect, place_tile=node if node.discovered else other, if_=None, else_=None), person
    )
    unless = f"unless {s.if_(effect.if_)}" if node.discovered else f"if {s.if_(effect.if_)}"
    return msgspec.structs.replace(step, said=f"{step.said}, without discovering it {unless}")


def _asks_for_its_card(effect: Effect) -> bool:
    """Whether a condition asks only for the card that may be given up: who has none does not give it up."""
    if effect.may is None or effect.lose_card is None or effect.lose_card.kind == "any":
        return False
    return effect.if_ == Condition(has_item="not-weapon" if effect.lose_card.kind == "not-weapon" else True)


def _wished(options: Sequence[tuple[str, list[Step]]], about: Person) -> str:
    """A choice between something and nothing: `you may draw an item card`; empty if it is another."""
    wanted = [steps for condition, steps in options if steps and not condition]
    if len(options) != 2 or len(wanted) != 1 or any(condition for condition, _ in options):  # noqa: PLR2004 -- do it or not
        return ""
    if not all(step.plain and not step.condition and step.person == YOU for step in wanted[0]):
        return ""
    return f"{about.name} may {clause(wanted[0])}"


def _once_named(s: Speech, effect: Effect, said: str) -> str:
    """A deed of whoever has a card, which is named once: `whoever has the Spear discards it`."""
    if not isinstance(effect.who, str) or not effect.who.startswith("holder:"):
        return said
    title = s.titles.card(effect.who.partition(":")[2])
    first, named, rest = said.partition(title)
    return f"{first}{named}{rest.replace(title, 'it')}"


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
