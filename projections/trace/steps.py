"""Step by step: one commit after the other, each told from what one role knew right before it and was told by it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

import msgspec

from domain.decide import goes_back
from domain.engine.rules import Rules
from domain.facts.audience import REFEREE, Mask, seat_bit
from domain.facts.commands import AnyCommand, Enter
from domain.facts.desk_commands import AnyDeskCommand
from domain.facts.events import (
    BackSeen,
    CardDrawn,
    ChanceAnswered,
    CoinFlipped,
    DecisionClosed,
    DecisionOpened,
    DiceRerolled,
    DiceRolled,
    DisputeClosed,
    DisputeOpened,
    EvidenceFiled,
    EvidenceGiven,
    GameStarted,
    HauntRolled,
    MonstersRolled,
    OptionsTold,
    ResultNamed,
    Rewound,
    RuleApplied,
    RulingConsented,
    RulingProposed,
    RulingRefused,
    RulingWithdrawn,
    SandboxBegun,
    SlotSeen,
    Suspended,
    TileDrawn,
    Told,
    TurnStarted,
    VerdictConsented,
    VerdictDropped,
    VerdictProposed,
)
from domain.facts.events.base import Event
from domain.facts.ids import split_id
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, UNNAMED, Decision, State
from domain.rulebook.desk.rulings import consent
from projections.choices.decisions import decisions_of
from projections.naming.labels import Labels
from projections.naming.names import Names, readable
from projections.naming.questions import Asking
from projections.sentences.history import worded
from projections.sentences.sums import made_of
from projections.sentences.wording import audience, capital
from projections.trace.boxes import NOWHERE, Place, decided_again, pieces, places_told, spoke
from projections.trace.changes import Figures, changes, figures
from projections.trace.citing import citations, told
from projections.trace.inforce import decisive, in_force
from projections.trace.shapes import Attempt, Happened, InForce, Legal, Player, RuleTold, TraceStep
from projections.trace.sifting import ALL, Wanted, in_changes, names_of
from projections.view.waiting import Awaited, awaited, who_is_awaited

SHOWN = {
    "State": ("open", "turn", "explorers", "monsters", "haunt", "seats"),
    "Decision": ("seat",),
    "Turn": ("seat", "number", "monsters", "active"),
    "Explorer": ("room",),
    "Haunt": ("round",),
}
"""The fields of a role's state that are read here, besides those that the parts of a trace name; all others stay hidden."""

CHANCE = (
    BackSeen,
    CardDrawn,
    CoinFlipped,
    DiceRerolled,
    DiceRolled,
    HauntRolled,
    MonstersRolled,
    ResultNamed,
    SlotSeen,
    TileDrawn,
)
QUESTIONS = (DecisionOpened,)
NOTES = (ChanceAnswered, DecisionClosed, OptionsTold, RuleApplied, Suspended)
WHOLE = (GameStarted, Rewound, SandboxBegun)
"""Events that name all that there is, rooms and cards: of them only what has changed is about any."""
BESIDE = (
    *(DisputeClosed, DisputeOpened, EvidenceFiled, EvidenceGiven, VerdictConsented, VerdictDropped, VerdictProposed),
    *(RulingConsented, RulingProposed, RulingRefused, RulingWithdrawn),
)
"""What a seat does beside the game, wherever its explorer stands: a step that begins with one of them is done in no room."""

PEOPLE = {"host": "The host", "moderator": "The referee", "co-moderator": "The co-referee"}
"""Who acts without a seat, in words."""
INSTEAD = {"auto": "A standing order of {}", "clock": "The clock, for {}"}
"""What acts in a seat's place."""

KEPT = 500
"""After this many events the state is kept, to restart from where a command is decided differently today."""
OTHERWISE = 16
"""After this many commands decided differently no more are tried: the game is an older revision's."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(State).decode


class Committed(msgspec.Struct, frozen=True, kw_only=True):
    """A commit as one role was told of it."""

    number: int
    at: str
    actor: str
    """As the log names it: `seat:1`; empty where the role was not told."""
    command: AnyCommand | None = None
    """The command of the game that was done, where the role was told."""
    desk: AnyDeskCommand | None = None
    """What was done at the referee's desk, where the role was told."""
    raw: object = None
    """What was posted, as JSON has it."""
    said: str = ""
    """What was done, in words, where it is no command of the game."""
    told: Sequence[Told]


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt that was refused, to be worded."""

    at: str
    by: str
    command: AnyCommand | None
    """None for what was tried at the desk, and for what was too long to keep."""
    raw: object
    said: str = ""
    """What was tried at the desk, in words."""
    problem: str
    because: str
    rule: str


class Telling(msgspec.Struct, frozen=True, kw_only=True):
    """What is told of which steps."""

    wanted: Wanted = ALL
    """Settled (see `Wanted.settled`)."""
    commits: Collection[int] | None = None
    """Only these are told; None: all."""
    legal: bool = True
    """Whether it is told what was legal."""
    players: Mapping[int, Player] = MappingProxyType({})
    """By seat, where players' names are shown."""
    told: bool = False
    """Whether it is told who was told of each event: for the referee alone."""


EVERYTHING = Telling()


class Tracer:
    """Tells the commits of a game one after the other, through one role's eyes."""

    def __init__(self, rules: Rules, state: State, principal: Mask, telling: Telling = EVERYTHING) -> None:
        """Begin after some commit.

        Args:
            rules: of the game.
            state: what the role knew by then. The tracer takes it over, and advances it by what is told.
            principal: the role's bit.
            telling: what is told.
        """
        self._rules = rules
        self._state = state
        self._principal = principal
        self._telling = telling
        self._figures: Figures | None = figures(state)
        """As of the state; None where commits were passed over."""
        self._tries = OTHERWISE if principal == REFEREE else 0
        """How many commands may still be decided differently than recorded before no more are decided again."""
        self._kept = b""
        self._behind: list[Event] = []

    def in_force(self) -> list[InForce]:
        """The rulings that hold so far."""
        return in_force(self._rules.of(self._state), self._state)

    def wanted(self, commit: Committed, refused: Sequence[Refusal] = ()) -> TraceStep | None:
        """Tell the next commit, as `step` does, if it is one that is wanted; else only take it in."""
        wanted, seat = self._telling.wanted, self._whose(commit)
        if self._telling.commits is not None and commit.number not in self._telling.commits:
            self._pass_over(commit)
            return None
        if not wanted:
            return self.step(commit, refused)
        by_seat = wanted.seat in (None, seat) or any(one.by == f"seat:{wanted.seat}" for one in refused)
        if not by_seat or not self._in_time(commit):
            self._pass_over(commit)
            return None
        beside = isinstance(commit.told[0].event, BESIDE) if commit.told else False
        stood = self._stands(seat) if wanted.room and not beside else ""
        step = self.step(commit, refused)
        if wanted.room or wanted.card:
            boxes = [one.box for one in step.happened]
            events = [one.event for one in commit.told if not isinstance(one.event, (*QUESTIONS, *NOTES, *WHOLE))]
            named = {stood, *names_of(commit.command, commit.desk, boxes, events)}
            if any(isinstance(one.event, WHOLE) for one in commit.told):
                named |= self._changed(step, wanted)
            if not wanted.in_names(named):
                return None
        return step if wanted.in_words(step) else None

    def _changed(self, step: TraceStep, wanted: Wanted) -> set[str]:
        """Of the room and the card that are wanted those that a step has changed."""
        names = Names(self._rules, self._state)
        titles = {wanted.room: names.room(wanted.room), wanted.card: names.card(wanted.card)}
        return {one for one, title in titles.items() if one and in_changes(step, title)}

    def _in_time(self, commit: Committed) -> bool:
        """Whether the next commit is of the turn and the round that are wanted, or one of them begins with it."""
        wanted = self._telling.wanted
        begun = [one.event for one in commit.told if isinstance(one.event, TurnStarted)]
        turns = {self._state.turn.number, *(event.number for event in begun)}
        rounds = {self._round(), *(event.round for event in begun)}
        return wanted.turn in (None, *turns) and wanted.round in (None, *rounds)

    def _round(self) -> int:
        return 0 if self._state.haunt is None else self._state.haunt.round

    def _stands(self, seat: int | None) -> str:
        """The room of whoever acts for a seat: its explorer, or in the monsters' turn the one that is acting."""
        state = self._state
        monster = state.monsters.get(state.turn.active) if state.turn.monsters else None
        if monster is not None and seat == state.seat_of(state.turn.seat):
            return monster.known_place()[0]
        return state.explorers[seat].room if seat is not None and 0 <= seat < len(state.explorers) else ""

    def _pass_over(self, commit: Committed) -> None:
        """Take a commit in without telling it."""
        for one in commit.told:
            one.event.apply(self._state)
        self._state.commit = commit.number
        self._figures = None
        if self._kept:
            self._behind += [one.event for one in commit.told]

    def step(self, commit: Committed, refused: Sequence[Refusal] = ()) -> TraceStep:
        """Tell the next commit.

        Args:
            commit: the one after all that was told.
            refused: what was tried and refused between it and the next.
        """
        seat = self._whose(commit)
        who, did = self._who(commit, seat), self._did(commit)
        waiting, legal = self._moment(commit.command, seat)
        turn, round_ = self._state.turn.number, self._round()
        held, asked = self.in_force(), dict(self._state.open)
        before = figures(self._state) if self._figures is None else self._figures
        places, sums = self._advance(commit, seat)
        state, rules = self._state, self._rules.of(self._state)
        self._figures = figures(state)
        asking = Asking(rules, state)
        happened = _happened(
            rules, asking, commit.told, places, sums, asked, seats=state.seats if self._telling.told else 0
        )
        if not did and all(one.kind == "note" for one in happened):
            # Who has answered is mostly bookkeeping; here it is all that the role was told.
            happened = [
                msgspec.structs.replace(one, kind="fact") if isinstance(sent.event, DecisionClosed) else one
                for one, sent in zip(happened, commit.told, strict=True)
            ]
        spoken = spoke(rules, state, places)
        cited = _cited(happened)
        return TraceStep(
            number=commit.number,
            turn=turn,
            round=round_,
            at=commit.at,
            by=commit.actor,
            who=who,
            did=did,
            command=commit.raw,
            waiting=waiting,
            legal=legal,
            happened=happened,
            changes=changes(asking.names, before, self._figures),
            spoke=spoken,
            rules=cited,
            rulings=decisive(held, {one.id for one in cited}, set(pieces(spoken))),
            refused=[self._attempt(one) for one in refused],
        )

    # -- who, and what ------------------------------------------------------------------------------------------------

    def _whose(self, commit: Committed) -> int | None:
        """The seat in whose place something was done, -1 for the moderator; None for the host, and where the role can't know."""
        kind, number = split_id(commit.actor)
        if kind == "seat":
            return int(number)
        if kind == "traitor":
            return self._state.seat_of(UNNAMED)
        if kind in ("moderator", "co-moderator"):
            return MODERATOR
        if commit.command is None:
            return None
        found = self._state.open.get(commit.command.decision)
        return self._state.seat_of(self._state.turn.seat if found is None else found.seat)

    def _who(self, commit: Committed, seat: int | None) -> str:
        if commit.actor in PEOPLE:
            return PEOPLE[commit.actor]
        names = Asking(self._rules, self._state).names
        called = "somebody" if seat is None else names.figure(seat)
        player = self._player(commit, seat)
        if seat is not None and seat != UNNAMED:
            called = f"{called} (seat {seat}{f', {player}' if player else ''})"
        if seat is not None and not self._state.explorers:
            called = f"Seat {seat}{f' ({player})' if player else ''}"
        return INSTEAD.get(commit.actor, "{}").format(called)

    def _player(self, commit: Committed, seat: int | None) -> str:
        player = None if seat is None else self._telling.players.get(seat)
        return "" if player is None else player.named(commit.number)

    def _did(self, commit: Committed) -> str:
        if commit.command is None:
            return commit.said
        asked = self._state.open.get(commit.command.decision)
        question = "" if asked is None else Asking(self._rules, self._state).question(asked)
        question += "" if not question else " " if question.endswith("?") else ": "
        return f"{commit.said}{question}{self._worded(commit.command)}"

    def _worded(self, command: AnyCommand, *, refused: bool = False) -> str:
        """A command as its button was labeled; one that made no sense by its type, and mere guesses by their ids."""
        state, rules = self._state, self._rules.of(self._state)
        if isinstance(command, Enter):
            return "Enter from the book"
        try:
            return Labels(rules, state, seen_only=refused).of(command, self._asked(command))
        except (LookupError, ValueError, TypeError, AttributeError):
            # What was refused may name rooms, seats and monsters that don't exist, so it has no label.
            kind = msgspec.to_builtins(command)["type"]
            return readable(str(kind))

    def _asked(self, command: AnyCommand) -> Decision | None:
        """The question that a command answers; None for those of the turn and of the table."""
        found = self._state.open.get(command.decision)
        if found is None and command.decision.startswith("ruling-"):
            seats = (MODERATOR, *range(self._state.seats))
            found = next((one for one in (consent(self._state, seat) for seat in seats) if one is not None), None)
        if found is None and not hasattr(command, "option"):
            return None
        return found or Decision(id=command.decision, seat=MODERATOR, kind="choice", about="")

    # -- before -------------------------------------------------------------------------------------------------------

    def _moment(self, command: AnyCommand | None, seat: int | None) -> tuple[list[str], Legal | None]:
        """What the game was waiting for, and what the actor could have done, as far as the role may know."""
        rules, state = self._rules, self._state
        mine = seat not in (None, UNNAMED) and self._principal in (REFEREE, seat_bit(max(seat or 0, 0)))
        if state.status != "started":
            return [], None
        if command is None or seat is None or not mine or not self._telling.legal:
            asking = Asking(rules.of(state), state)
            return _waiting(asking, awaited(asking, state)), None
        found = decisions_of(rules, state, REFEREE if seat == MODERATOR else seat_bit(seat))
        waiting = _waiting(Asking(rules.of(state), state), found.waiting)
        asked = next((one for one in found.yours if one.id == command.decision), None)
        if asked is None:
            return waiting, None
        labels = [one.label for one in asked.commands]
        return waiting, Legal(
            seat=None if seat == MODERATOR else seat, text=asked.text, count=asked.count, labels=labels
        )

    # -- on -----------------------------------------------------------------------------------------------------------

    def _advance(self, commit: Committed, seat: int | None) -> tuple[list[Place], list[str]]:
        """Take the commit in, and find for each event the box behind it, and what its numbers are made of."""
        events, sums = [one.event for one in commit.told], list[str]()
        exact = self._done_again(commit, seat)
        if exact is None:
            for event in events:
                sums.append(made_of(self._rules, self._state, event))
                event.apply(self._state)
        self._state.commit = commit.number
        named = places_told(self._rules.of(self._state), self._state, events)
        if exact is None:
            return named, sums
        places, sums = exact
        return [place if place != NOWHERE else (box, "") for place, (box, _) in zip(places, named, strict=True)], sums

    def _done_again(self, commit: Committed, seat: int | None) -> tuple[list[Place], list[str]] | None:
        """Decide the command again; if that fails, the state is as if it had not been tried."""
        places = None
        command = commit.command or commit.desk
        if self._tries and command is not None and seat is not None and not _wants_past(self._state, seat, command):
            if not self._kept or len(self._behind) > KEPT:
                self._kept, self._behind = _encode(self._state), []
            places = decided_again(self._rules, self._state, seat, command, commit.told)
            if places is None:
                self._tries -= 1
                self._state = _decode(self._kept)
                for event in self._behind:
                    event.apply(self._state)
        if not self._tries:
            self._kept, self._behind = b"", []
        elif self._kept:
            self._behind += [one.event for one in commit.told]
        return places

    # -- after --------------------------------------------------------------------------------------------------------

    def _attempt(self, refused: Refusal) -> Attempt:
        return Attempt(
            at=refused.at,
            by=refused.by,
            did=refused.said or "An attempt too long to keep"
            if refused.command is None
            else self._worded(refused.command, refused=True),
            command=refused.raw,
            problem=refused.problem,
            because=refused.because,
            rule=told(refused.rule),
        )


def _wants_past(state: State, seat: int, command: AnyCommand | AnyDeskCommand) -> bool:
    """Whether a command goes back, or proposes to: no box speaks then, which a law holds, so no log is folded for nothing.

    Nor could it be decided again from what the referee was told, who is not told of others' states.
    """
    try:
        return goes_back(state, seat, command) > 0
    except Refused:
        return False  # an older revision allowed it


def _waiting(asking: Asking, found: Collection[Awaited]) -> list[str]:
    return [
        one.text if one.kind == "turn" else f"{capital(who_is_awaited(one, asking.names.figure))}: {one.text}"
        for one in found
    ]


def _happened(
    rules: Rules,
    asking: Asking,
    told_: Sequence[Told],
    places: Sequence[Place],
    sums: Sequence[str],
    asked: Mapping[str, Decision],
    *,
    seats: int,
) -> list[Happened]:
    """All events in words; with whom they were told to, unless `seats` is 0."""
    events = [one.event for one in told_]
    rules_cited = citations(rules.cite, events, [box for box, _ in places], asked)
    return [
        Happened(
            type=str(type(one.event).__struct_config__.tag),
            kind=_kind(one.event),
            words=worded(asking, one.event, sum_, asked),
            rule=rule,
            box=box,
            at=at,
            told=audience(one.to, seats) if seats else "",
        )
        for one, rule, (box, at), sum_ in zip(told_, rules_cited, places, sums, strict=True)
    ]


def _kind(event: Event) -> str:
    if isinstance(event, CHANCE):
        return "chance"
    if isinstance(event, QUESTIONS):
        return "question"
    return "note" if isinstance(event, NOTES) else "fact"


def _cited(happened: Sequence[Happened]) -> list[RuleTold]:
    """The rules that were cited, each once."""
    return [rule for rule in map(told, dict.fromkeys(one.rule for one in happened if one.rule)) if rule is not None]
