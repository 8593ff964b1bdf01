"""The machine: a stack of frames that run blocks of instructions until the stack is empty or somebody has to answer.

An instruction does one thing. Whatever waits for a player or for chance is an instruction of its own: it asks, and when the
answer has come it is run again and uses it. So a game can be put down at any question and picked up elsewhere:
`Suspended` saves the frames, with a stable path in place of a counter that depends on the compiler. Frames and answers of chance are
events, so that folds, redaction and hashes treat them like all others; bindings are saved as bytes, so that a saved frame shares nothing with a
running one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from domain.engine.bindings import Waiting
from domain.engine.block import Block, Frame
from domain.engine.parts import AT_ONCE, READING_OUT, has_two_books, innermost_part, kind_of_box, side_of_part
from domain.engine.rules import Rules
from domain.engine.witness import NO, YES, addressee, confirmation, possible
from domain.facts.audience import EVERYBODY, REFEREE, Mask, seat_bit
from domain.facts.chance import Answer, Chance, Misfit, Request, check
from domain.facts.events import (
    BoxTold,
    ChanceAnswered,
    DecisionClosed,
    DecisionOpened,
    OptionsTold,
    PartDisclosed,
    PartUsed,
    RuleApplied,
    Suspended,
    Told,
)
from domain.facts.events.base import Event
from domain.facts.refusal import Endless, Refused
from domain.facts.state import MODERATOR, Decision, SavedFrame, State

MOST_EVENTS = 5_000
"""More events than any command has, unless some content triggers itself endlessly."""

ASKED_BY_INDEX = ("c", "w")
"""First letters of the ids of chance requests and their confirmations, which are not numbered as decisions."""


class Glance:
    """A read-only look at a state under its rules: all that conditions, numbers and selections need."""

    __slots__ = ("rules", "state")

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules = rules
        self.state = state


Watcher = Callable[["Machine", Event, int], None]
"""Is shown each event that a machine is about to apply, and its place among those told."""

watchers: list[Watcher] = []
"""Watch every machine of this process. Empty in play: tests note here which rules were cited."""


class Machine(Glance):
    """Runs one command: emits events, applies each at once, and keeps the stack of unfinished frames."""

    __slots__ = ("_parts", "_watchers", "actor", "source", "stack", "told")

    def __init__(
        self, rules: Rules, state: State, source: Chance, actor: int = MODERATOR, watch: Sequence[Watcher] = ()
    ) -> None:
        self.rules = rules
        self.state = state
        self._watchers = [*watchers, *watch]
        self.source = source
        self.actor = actor
        self._parts = rules.edition.secrets.parts
        self.told: list[Told] = []
        self.stack: list[Frame[Any]] = []
        for saved in state.frames:
            block = rules.block(saved.block)
            # "" is the end of a block: its last instruction called another block
            start = block.index[saved.at] if saved.at else len(block.code)
            self.stack.append(Frame(block, msgspec.json.decode(saved.vars), start))

    # -- events -----------------------------------------------------------------------------------------------------

    def emit(self, event: Event, to: Mask = EVERYBODY) -> None:
        """Append an event for these principals and apply it at once."""
        for watch in self._watchers:
            watch(self, event, len(self.told))
        event.apply(self.state)
        self.told.append(Told(to, event))
        if self._parts and self.stack and self.state.haunt is not None:
            part = innermost_part(self.stack)
            if part and part not in self.state.haunt.used:
                self.use_part(part, to)

    def use_part(self, part: str, to: Mask = EVERYBODY) -> None:
        """Say once that a part of a book was used, if these principals include somebody who hasn't read it; perhaps read it out at once."""
        state, haunt = self.state, self.state.haunt
        if (
            not self._parts
            or haunt is None
            or not part
            or part in haunt.used
            or not has_two_books(self.rules.pack.haunts[haunt.id])
        ):
            return
        if not to & ~state.side_mask(side_of_part(part)):
            return
        self.emit(PartUsed(part=part, rule=self.rules.cite.part_used))
        if state.options.get(READING_OUT) == AT_ONCE:
            self.disclose(part)

    def disclose(self, part: str, by: int = MODERATOR) -> None:
        """Read a part out to everybody; of a box also what the numbers of its monsters are."""
        rule = self.rules.cite.part_used
        self.emit(PartDisclosed(part=part, by=by, rule=rule))
        for name, monster in list(self.state.monsters.items()):
            if monster.kind == kind_of_box(part):
                told = BoxTold(monster=name, traits=dict(monster.traits), attacks=monster.attacks, rule=rule)
                self.emit(told)

    def emit_at(self, place: int, event: Event) -> None:
        """Insert an event before others of the same command, apply it, and tell everybody."""
        for watch in self._watchers:
            watch(self, event, place)
        event.apply(self.state)
        self.told.insert(place, Told(EVERYBODY, event))

    def apply_rule(self, source: str, rule: str, to: Mask = EVERYBODY) -> None:
        """Cite a rule that no other event mentions; do nothing if the edition has no such rule."""
        if rule:
            self.emit(RuleApplied(source=source, rule=rule), to)

    # -- blocks -----------------------------------------------------------------------------------------------------

    def call(self, block: Block | str, **vars_: Any) -> None:  # noqa: ANN401 -- bindings are plain data of any shape
        """Run a block next; the caller continues after it."""
        if isinstance(block, str):
            block = self.rules.block(block)
        if len(self.told) > MOST_EVENTS:
            said = (frame.block.id for frame in self.stack[::-1] if "/" in frame.block.id)
            raise Endless(next(said, block.id), MOST_EVENTS)
        self.stack.append(Frame(block, vars_))

    def call_last(self, block_id: str, **vars_: Any) -> None:  # noqa: ANN401 -- bindings are plain data of any shape
        """Run a block after everything that is under way."""
        self.stack.insert(0, Frame(self.rules.block(block_id), vars_))

    def give(self, name: str, value: object) -> None:
        """Bind a result in the frame that called the one now running."""
        if len(self.stack) > 1:
            self.stack[-2].vars[name] = value

    def nearest(self, *block_ids: str) -> Frame[Any] | None:
        """The innermost frame that runs one of these blocks; a reaction uses it to find the roll or damage it answers."""
        return next((frame for frame in self.stack[::-1] if frame.block.id in block_ids), None)

    def run(self) -> None:
        """Run until the stack is empty or an instruction waits; then save the frames."""
        stack = self.stack
        while stack:
            frame = stack[-1]
            code = frame.block.code
            at = frame.next
            if at >= len(code):
                stack.pop()
                continue
            frame.next = at + 1
            if code[at](self, frame):
                frame.next = at
                break
        # Not while dice are awaited: with automatic dice nothing is checked in between, and the game must come out the same.
        if self.state.haunt is not None and not self._awaits_chance() and self.rules.ended(self):
            stack.clear()
        self._save()

    def _awaits_chance(self) -> bool:
        return bool(self.state.open) and any(decision[0] in ASKED_BY_INDEX for decision in self.state.open)

    def _save(self) -> None:
        """Save the frames, unless there are none and none were saved."""
        if not self.stack:
            if self.state.frames:
                self.emit(Suspended(frames=[]), REFEREE)
            return
        saved = []
        for frame in self.stack:
            at = frame.block.paths[frame.next] if frame.next < len(frame.block.code) else ""
            saved.append(SavedFrame(block=frame.block.id, at=at, vars=msgspec.Raw(msgspec.json.encode(frame.vars))))
        self.emit(Suspended(frames=saved), REFEREE)

    # -- questions --------------------------------------------------------------------------------------------------

    def answer(self, decision: str, reply: object) -> None:
        """Close a decision and give its answer to the waiting instruction."""
        frame = next(frame for frame in self.stack[::-1] if decision in frame.vars.get("asked", ()))
        frame.vars.setdefault("replies", {})[decision] = reply
        self.emit(DecisionClosed(decision=decision))

    def ask(self, frame: Frame[Waiting], decision: Decision, *, secret: bool = False, rule: str = "") -> object | None:
        """Open one decision for this instruction, or return its answer when it has come (None: wait)."""
        replies = frame.vars.get("replies")
        if replies:
            frame.vars.pop("asked")
            reply: object = next(iter(frame.vars.pop("replies").values()))
            return reply
        if not frame.vars.get("asked"):
            frame.vars["asked"] = [self.open(decision, secret=secret, rule=rule)]
        return None

    def withdraw(self, frame: Frame[Waiting]) -> bool:
        """Close the unanswered decisions of this instruction; return whether there were any."""
        if not frame.vars.get("asked") or frame.vars.get("replies"):
            return False
        for decision in frame.vars.pop("asked"):
            self.emit(DecisionClosed(decision=decision))
        return True

    def open(self, decision: Decision, *, secret: bool = False, rule: str = "") -> str:
        """Open a decision and return its id; `secret` keeps its options to the addressee."""
        if not isinstance(decision.seat, int):
            raise TypeError(decision.seat)  # a step for explorers has happened to a monster: fail rather than ask it
        if not decision.id:
            decision.id = f"d{self.state.asked + 1}"
        options = decision.options
        if secret:
            decision.options = []
        self.emit(DecisionOpened(decision=decision, counts=decision.id[0] not in ASKED_BY_INDEX, rule=rule))
        if secret:
            seat = self.state.seat_of(decision.seat)
            to = REFEREE if seat < 0 else seat_bit(seat) | REFEREE
            self.emit(OptionsTold(decision=decision.id, options=options), to)
        return decision.id

    def choose(
        self,
        frame: Frame[Waiting],
        seat: int,
        about: str,
        options: list[str],
        *,
        kind: str = "choice",
        secret: bool = False,
        rule: str = "",
    ) -> str | None:
        """One of the options, chosen by a seat; a single option is taken without asking, except for reactions and consents."""
        if len(options) == 1 and kind == "choice" and "asked" not in frame.vars:
            return options[0]
        asked = Decision(id="", seat=seat, kind=kind, about=about, options=options)
        reply = self.ask(frame, asked, secret=secret, rule=rule)
        return None if reply is None else str(reply)

    # -- chance -----------------------------------------------------------------------------------------------------

    def dice(self, frame: Frame[Waiting], what: str, number: int) -> list[int] | None:
        """Faces of a number of dice, or None: wait. Zero dice have no faces."""
        if number <= 0:
            return []
        answer = self._chance(frame, Request(self.state.chances, what, dice=number))
        return None if answer is None else list(answer.faces)

    def pick(self, frame: Frame[Waiting], what: str, options: Sequence[str], weights: Sequence[int] = ()) -> str | None:
        """One of the options by chance, or None: wait. A single option is taken without asking chance."""
        if len(options) == 1:
            return options[0]
        answer = self._chance(frame, Request(self.state.chances, what, options=tuple(options), weights=tuple(weights)))
        return None if answer is None else answer.pick

    def _chance(self, frame: Frame[Waiting], request: Request) -> Answer | None:
        replies = frame.vars.get("replies")
        if replies:
            asked = frame.vars.pop("asked")[0]
            told = self._heard(frame, request, asked, next(iter(frame.vars.pop("replies").values())))
        else:
            if frame.vars.get("asked"):
                return None
            try:
                told = self.source.ask(request)
            except Misfit:
                told = None  # the prepared answer does not fit: leave the request to a person
        if told is None:
            if not frame.vars.get("asked"):
                frame.vars["asked"] = [self._ask_chance(frame, request)]
            return None
        answer = told
        self.emit(
            ChanceAnswered(index=request.index, what=request.what, faces=list(answer.faces), pick=answer.pick), REFEREE
        )
        return answer

    def _ask_chance(self, frame: Frame[Waiting], request: Request) -> str:
        """Ask the person who holds the dice and cards; everybody is told whose dice they are, as of every roll.

        A request has its number from how many were answered before it; its id also counts those waiting beneath it, because
        a traitor may reveal while dice are awaited (2E-HID-005), and what follows from that asks first.
        """
        beneath = sum(frame.vars["asked"][0][0] in ASKED_BY_INDEX for frame in self.stack if frame.vars.get("asked"))
        backs = self.rules.pack.tile_backs if self.rules.edition.exploration.stack else {}
        roll: Mapping[str, Any] = frame.vars if frame.block.id == "roll" else {}
        decision = Decision(
            id=f"c{request.index + beneath + 1}",
            seat=addressee(self.state, request),
            kind="chance",
            about=request.what,
            options=possible(self.state, request, backs),
            total=request.dice,
            who=roll.get("who"),
            trait=roll.get("trait", ""),
            cause=roll.get("about", ""),
        )
        rule = self.rules.cite.moderator_rolls if request.dice and decision.seat == MODERATOR else ""
        return self.open(decision, secret=bool(request.options), rule=rule)

    def _heard(self, frame: Frame[Waiting], request: Request, asked: str, reply: Any) -> Answer | None:  # noqa: ANN401 -- faces and a pick, or a word
        """The outcome that a person reported; None while another is asked to confirm it, or after that was denied."""
        if reply not in (YES, NO):
            confirming = confirmation(self.state, request, asked, reply)
            if confirming is None:
                return msgspec.convert(reply, Answer)
            frame.vars["claimed"] = reply
            frame.vars["asked"] = [self.open(confirming)]
            return None
        claimed = frame.vars.pop("claimed")
        return msgspec.convert(claimed, Answer) if reply == YES else None


def check_chance(decision: Decision, answer: Answer, rule: str = "") -> Answer:
    """Check that a moderator's answer fits an open chance decision.

    Raises:
        Refused: `chance-misfit`, saying what was asked; it cites `rule` where dice were.
    """
    try:
        return check(Request(0, decision.about, dice=decision.total, options=tuple(decision.options)), answer)
    except Misfit as misfit:
        raise Refused(str(misfit), rule=rule if decision.total else "", problem="chance-misfit") from None
