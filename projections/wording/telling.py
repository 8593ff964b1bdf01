"""How steps become sentences.

At the top each step is a sentence: `Roll Speed. 4+: gain 1 Might. 0 to 3: nothing happens.` In a row steps are divided by semicolons.
Within those they are joined like any list, and the rows of a roll stand in parentheses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from projections.wording.words.english import YOU, Person, capital, enumerated, sentence

IGNORED = "traitor and monsters may ignore this"


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One effect on its way to a sentence."""

    said: str = ""
    """The deed about `person`, agreed; empty for a bare `if`."""
    condition: str = ""
    scope: str = ""
    """For which rooms `then` is done; there is no deed beside it."""
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
    note: str = ""
    """What is told once behind all, however often the step is among the results: what holds a captive."""

    @property
    def begin(self) -> str:
        """What stands before the deed: when it is done, and for what."""
        return ", ".join(part for part in (f"if {self.condition}" if self.condition else "", self.scope) if part)

    @property
    def plain(self) -> bool:
        """Whether it fits into a clause as it is."""
        return not (self.rows or self.options or self.then or self.otherwise or self.after or self.fallback)


# ---- a sentence each --------------------------------------------------------------------------------------------------


def told(steps: Sequence[Step]) -> str:
    """Steps as sentences, and their notes behind them."""
    return " ".join([_sentences(steps), *dict.fromkeys(_notes(steps))]).strip()


def _notes(steps: Sequence[Step]) -> Iterator[str]:
    for step in steps:
        if step.note:
            yield step.note
        for _, branch in (*step.rows, *step.options):
            yield from _notes(branch)
        for branch in (step.then, step.otherwise, step.after, step.fallback):
            yield from _notes(branch)


def _sentences(steps: Sequence[Step]) -> str:
    said: list[str] = []
    scoped = False
    for step in steps:
        words = _told(step)
        if scoped:
            words = f"Then{',' if words.startswith('If ') else ''} {words[:1].lower()}{words[1:]}"
        said.append(words)
        scoped = bool(
            step.rows
            or step.options
            or step.otherwise
            or step.after
            or step.scope
            or (step.condition and len(step.then) > 1)
        )
    return " ".join(said)


def _told(step: Step) -> str:
    if not step.said:
        parts = [_lined(step.begin, step.then) if _tabled(step.then) else _branch(step.begin, step.then)]
    else:
        parts = [_head(step, step.begin)]
        parts += [f"{capital(key)}: {row(steps)}." for key, steps in step.rows]
        if step.after:
            parts.append(sentence(f"if {step.after_if}, {clause(step.after)}"))
        if step.then:
            parts.append(_after(step))
    if step.otherwise:
        parts.append(_else(step))
    return " ".join(parts)


def _after(step: Step) -> str:
    begin = "for each of them" if step.each else _done(step) if step.if_done else "then" if step.rows else ""
    if _tabled(step.then):
        return _lined(begin, step.then)
    return _branch(begin, step.then)


def _done(step: Step) -> str:
    return "if you do" if step.person == YOU else "if they do"


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
    words = _sentences(steps)
    return f"{capital(condition)}{mark} {words[:1].lower()}{words[1:]}" if condition else words


def _else(step: Step) -> str:
    begin = f"if {step.otherwise_if}" if step.otherwise_if else "otherwise"
    if _tabled(step.otherwise) or any(one.otherwise for one in step.otherwise):
        return _lined(begin, step.otherwise, "," if len(step.otherwise) == 1 and step.otherwise[0].condition else ":")
    return _branch(begin, step.otherwise)


def _branch(begin: str, steps: Sequence[Step]) -> str:
    if not begin:
        return sentence(row(steps))
    if all(step.plain and not step.begin for step in steps):
        return sentence(f"{begin}, {clause(steps)}")
    comma = "," if len(steps) == 1 and not steps[0].begin else ":"
    return sentence(f"{begin}{comma} {row(steps)}")


# ---- a row ------------------------------------------------------------------------------------------------------------


def row(steps: Sequence[Step]) -> str:
    """Steps divided by semicolons; without any, nothing happens."""
    return (
        "; ".join(_clause(step, last=number == len(steps)) for number, step in enumerate(steps, 1)) or "nothing happens"
    )


def clause(steps: Sequence[Step]) -> str:
    """Steps as one list."""
    if len(steps) > 1:
        return enumerated([_bracketed(step) if step.scope else _clause(step) for step in steps])
    return "".join(map(_clause, steps)) or "do nothing"


def _bracketed(step: Step) -> str:
    """A step for several rooms beside others, which are not for them."""
    return f"{step.begin} ({clause(step.then)})"


def _clause(step: Step, *, last: bool = False) -> str:
    begun = f"{step.begin}, " if step.begin else ""
    if not step.said:
        words = clause(step.then)
        if step.otherwise and any(one.otherwise for one in step.then):  # whose `otherwise` it is, has to be seen
            words = f"({words})"
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
            begin = ", and for each of them " if step.each else f", and {_done(step)}, " if step.if_done else ", then "
            words = f"{words}{begin}{clause(step.then)}"
    if step.otherwise:
        begin = f"if {step.otherwise_if}" if step.otherwise_if else "otherwise"
        words = (
            f"{words}, {begin} {clause(step.otherwise)}"
            if begin == "otherwise"
            else f"{words} ({begin}, {clause(step.otherwise)})"
        )
    return f"{begun}{words}"


def _options(step: Step) -> str:
    said = [f"{f'if {condition}, ' if condition else ''}{clause(steps)}" for condition, steps in step.options]
    return f"{'; '.join(said[:-1])}; or {said[-1]}" if len(said) > 1 else "".join(said)
