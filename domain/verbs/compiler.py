"""From vocabulary to blocks: lists of effects become flat lists of instructions with jumps.

Modifiers (`if`, `who`, `may`, `then`, `else`, `outcomes`) are compiled here, once for all verbs; what a verb itself does
is in the modules beside this one. Every instruction has the path of its effect in the content, so that a saved frame
finds its place again after content was compiled anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from content.vocabulary.base import Word
from content.vocabulary.effects import Effect
from content.vocabulary.values import Each, Number
from domain.editions.citations import Citations
from domain.engine.block import WAIT, Block, Frame, Instruction, loops
from domain.engine.machine import Machine
from domain.facts.events import Declined, RowRead, RuleApplied
from domain.facts.ids import split_id
from domain.facts.state import is_explorer
from domain.queries.characters import as_option
from domain.queries.conditions import cast, places, test
from domain.rulebook.table.sparing import ignores, ignores_damage, may_be_spared

Verb = Callable[["Compiler", Any, Effect, str], None]
"""Compiles one verb: given the compiler, the verb's node in the content, the effect around it, and the path."""

HOUSE_VERBS = frozenset(
    {
        "place_token",
        "remove_token",
        "place_tile",
        "move_tile",
        "remove_tile",
        "place_monster",
        "count",
        "tell",
        "choose",
        "run",
        "each_room",
    }
)
"""Verbs that act on the house, not on `you`: a traitor who declines a card is spared, the house is not (2E-TPOW-005, ruling)."""


class Label:
    """A jump target: a place in the code that is known later."""

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at = -1


class Compiler:
    """Builds one block."""

    def __init__(self, block_id: str, verbs: Mapping[str, Verb], *, sparing: bool = False) -> None:
        """Begin an empty block; `sparing` for cards that somebody may decline."""
        self.block_id = block_id
        self.verbs = verbs
        self.sparing = sparing
        self.code: list[Instruction] = []
        self.paths: list[str] = []

    def block(self) -> Block:
        """The finished block."""
        return Block(self.block_id, self.code, self.paths)

    def add(self, path: str, instruction: Instruction) -> None:
        """Append an instruction; several at one path are told apart by a letter."""
        unique, letter = path, ord("b")
        while unique in self.paths:
            unique = f"{path}~{chr(letter)}"
            letter += 1
        self.code.append(instruction)
        self.paths.append(unique)

    def place(self, label: Label) -> None:
        """The label means the next instruction."""
        label.at = len(self.code)

    def jump(self, path: str, label: Label) -> None:
        """Jump to a label."""

        def jump(_m: Machine, f: Frame) -> None:
            f.next = label.at

        self.add(f"{path}!jump", jump)

    def steps(self, effects: Sequence[Effect], path: str) -> None:
        """Compile effects in order."""
        for number, effect in enumerate(effects):
            self.step(effect, f"{path}.{number}")

    def step(self, effect: Effect, path: str) -> None:
        """Compile one effect with its modifiers."""
        otherwise, end = Label(), Label()
        if effect.if_ is not None:
            self._unless(effect, path, otherwise)
        loop = None
        if effect.who is not None:
            loop = self._begin_loop(effect, path)
        if effect.may is not None:
            self._may(effect, effect.may, path, otherwise)
        if effect.harmful:
            self._harmful(path, otherwise)
        if effect.damage is not None:
            self._damaging(path, otherwise)
        if effect.rule is not None:
            self._cite(effect.rule, path)
        self._verb(effect, path, otherwise)
        if effect.then is not None and effect.lose_card is None:
            self.steps(effect.then, f"{path}.then")  # `lose-card` compiles its own `then`: there may be no card to lose
        if effect.else_ is None:
            self.place(otherwise)
        if loop is not None:
            self._end_loop(path, *loop)
        if effect.else_ is not None:
            self.jump(path, end)
            self.place(otherwise)
            self.steps(effect.else_, f"{path}.else")
            if loop is not None:
                self._end_loop(f"{path}!declined", *loop)
        self.place(end)

    def _unless(self, effect: Effect, path: str, otherwise: Label) -> None:
        holds = test(effect.if_)  # type: ignore[arg-type]  # checked by the caller: if_ is not None
        looped = effect.who is not None

        def unless(m: Machine, f: Frame) -> None:
            if not holds(m, f):
                f.next = otherwise.at
                if looped:
                    loops(f)[f"each@{path}"] = [
                        f.vars["you"]
                    ]  # what follows goes back to the loop, which has nobody left

        self.add(f"{path}!if", unless)

    def _unless_spared(self, path: str, otherwise: Label) -> None:
        def unless_spared(_m: Machine, f: Frame) -> None:
            if f.vars.get("decided", {}).get(str(f.vars["you"])):
                f.next = otherwise.at

        self.add(f"{path}!spared", unless_spared)

    def _verb(self, effect: Effect, path: str, otherwise: Label) -> None:
        said = effect.verb()
        if said is None:
            return
        verb, node = said
        if self.sparing and verb not in HOUSE_VERBS:
            self._unless_spared(path, otherwise)
        if _by_players(node):
            self._cite_topic(lambda cite: cite.by_players, path)
        self.verbs[verb](self, node, effect, path)
        if effect.outcomes is not None and verb == "roll":
            self.outcomes(effect.outcomes, path)

    def _cite(self, rule: str, path: str) -> None:
        def cite(m: Machine, f: Frame) -> None:
            m.emit(RuleApplied(source=f.vars.get("src", ""), rule=rule))

        self.add(f"{path}!rule", cite)

    def _cite_topic(self, topic: Callable[[Citations], str], path: str) -> None:
        def cite(m: Machine, f: Frame) -> None:
            m.apply_rule(f.vars.get("src", ""), topic(m.rules.cite))

        self.add(f"{path}!topic", cite)

    def _begin_loop(self, effect: Effect, path: str) -> tuple[Label, Label]:
        """`you` becomes each of the chosen characters in turn; who `you` were is kept."""
        whose = cast(effect.who)  # type: ignore[arg-type]  # checked by the caller: who is not None
        again, out = Label(), Label()
        register = f"each@{path}"
        one_only = effect.who == "nearest-explorer" or (isinstance(effect.who, Each) and effect.who.one)
        alike = isinstance(effect.who, Each) and effect.who.each == "character"
        about = "nearest" if effect.who == "nearest-explorer" else "who"

        def begin(m: Machine, f: Frame) -> bool | None:
            found = whose(m, f)
            if alike:
                m.apply_rule(f.vars.get("src", ""), m.rules.cite.characters)
            if one_only and len(found) > 1:
                option = m.choose(f, m.rules.controller(m.state, f.vars["you"]), about, list(map(as_option, found)))
                if option is None:
                    return WAIT
                found = [one for one in found if as_option(one) == option]
            loops(f)[register] = [f.vars["you"], *found]
            return None

        def each(m: Machine, f: Frame) -> bool | None:
            waiting = loops(f)[register]
            while len(waiting) > 1:
                you = waiting[1]
                if is_explorer(you) or you in m.state.monsters:
                    spared = may_be_spared(m, f, you)
                    if spared is None:
                        return WAIT
                    waiting.pop(1)
                    if not spared:
                        f.vars["you"] = you
                        return None
                else:
                    waiting.pop(1)
            f.vars["you"] = waiting[0]
            del loops(f)[register]
            f.next = out.at
            return None

        self.add(f"{path}!who", begin)
        self.place(again)
        self.add(f"{path}!each", each)
        return again, out

    def _end_loop(self, path: str, again: Label, out: Label) -> None:
        self.jump(f"{path}!again", again)
        self.place(out)

    def _may(self, effect: Effect, question: str, path: str, otherwise: Label) -> None:
        goal = effect.move.to if effect.move is not None else None

        def may(m: Machine, f: Frame) -> bool | None:
            you = f.vars["you"]
            if goal is not None and not places(m, f, goal):
                f.next = otherwise.at  # there is nowhere to go: nothing to ask
                return None
            seat = m.rules.controller(m.state, you)
            option = m.choose(f, seat, f"may:{question}", ["yes", "no"], kind="consent")
            if option is None:
                return WAIT
            if option == "no":
                m.emit(Declined(seat=seat, what=question))
                f.next = otherwise.at
            elif goal is not None:
                f.vars["agreed"] = True
            return None

        self.add(f"{path}!may", may)

    def _harmful(self, path: str, otherwise: Label) -> None:
        def harmful(m: Machine, f: Frame) -> bool | None:
            ignored = ignores(m, f)
            if ignored is None:
                return WAIT
            if ignored:
                f.next = otherwise.at
            return None

        self.add(f"{path}!harmful", harmful)

    def _damaging(self, path: str, otherwise: Label) -> None:
        def damaging(m: Machine, f: Frame) -> bool | None:
            ignored = ignores_damage(m, f)
            if ignored is None:
                return WAIT
            if ignored:
                f.vars["damage"] = 0
                f.next = otherwise.at
            return None

        self.add(f"{path}!damaging", damaging)

    def outcomes(self, table: dict[str, list[Effect]], path: str) -> None:
        """Go on with the row that the latest roll hits; rows are tried from the highest down."""
        end = Label()
        rows: list[tuple[int, int, Label, str]] = []
        for key in table:
            low, high = span_of(key)
            rows.append((low, high, Label(), key))

        def outcome(m: Machine, f: Frame) -> None:
            result = f.vars["roll"]
            against = f.vars.get("against")
            if against is not None:
                result = 1 if result >= against else 0
            # a named result can be past the end of the table (Angel Feather on two dice): the nearest row counts
            nearest = min(rows, key=lambda row: max(row[0] - result, result - row[1], 0), default=None)
            f.next = end.at if nearest is None else nearest[2].at
            if nearest is not None:
                read_row(m, f, path, nearest[3])

        self.add(f"{path}!outcome", outcome)
        for (key, effects), (_low, _high, label, _key) in zip(table.items(), rows, strict=True):
            self.place(label)
            self.steps(effects, f"{path}.{key}")
            self.jump(f"{path}.{key}", end)
        self.place(end)


def read_row(m: Machine, f: Frame, path: str, row: str) -> None:
    """Tell which row of an event's table is read, where the others stay unread (3E-CARD-004)."""
    if not m.rules.edition.cards.one_row:
        return
    what, card = split_id(str(f.vars.get("src", "")))
    if what == "card" and card in m.rules.pack.decks["event"]:
        m.emit(RowRead(card=card, row=row, path=f"{path}.{row}", rule=m.rules.cite.row_read))


def _by_players(node: object) -> bool:
    """Whether a verb names a number by the number of players itself, not in steps of its own."""
    if isinstance(node, Number) and node.players is not None:
        return True
    if isinstance(node, Word) and not isinstance(node, Effect):
        return any(_by_players(value) for value in node.stated().values())
    return isinstance(node, list) and any(_by_players(one) for one in node)


def span_of(key: str) -> tuple[int, int]:
    """Lowest and highest result of an outcome key: `5+`, `2-4`, `0`; `at-least` is 1 and `less` 0."""
    if key == "at-least":
        return 1, 1
    if key == "less":
        return 0, 0
    match = re.fullmatch(r"(\d+)(\+|-(\d+))?", key)
    if match is None:
        raise ValueError(key)
    low = int(match[1])
    if match[2] is None:
        return low, low
    return low, 10_000 if match[2] == "+" else int(match[3])
