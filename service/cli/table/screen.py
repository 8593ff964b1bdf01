"""A table in the terminal: what has happened, the house, one's own cards, numbered choices; and it waits for the others, live."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import httpx
import msgspec
from rich.text import Text

from domain.engine.rules import Rules
from domain.facts.audience import SPECTATORS, Mask, seat_bit
from domain.facts.commands import AnyCommand
from domain.facts.events import AnyEvent, CardDrawn, SeatClaimed, TextTold, Used
from domain.facts.state import State
from projections.choices.decisions import Decisions, OpenDecision
from projections.choices.families import Field
from projections.naming.names import Names, counted, enumerated, readable
from projections.naming.questions import Asking
from projections.naming.standings import fate, verdict
from projections.sentences.history import worded
from projections.text.picture import house_as_text
from projections.trace.steps import NOTES, QUESTIONS
from projections.view.game import GameView, view_of
from projections.view.haunts import BookView
from projections.view.stacks import CardView
from projections.view.waiting import who_is_awaited
from service.bots.client import LATER, Api, Refusal, new_key
from service.cli.screen import columns, console, say, typed
from service.cli.table.places import HOST, Place, place_in
from service.cli.table.typing import AGAIN, MEMBERS, Choice, Ear, Lines, choices_of, explained, number, parsed
from service.games.lobby.answers import EventPage, GameShown
from service.log.facts import OVER

T = TypeVar("T")

PATIENCE = 2.0
"""Seconds for which a request is tried again before the player is told that the service is away."""
LOOK = 20.0
"""Seconds after which one looks even where no stream has told of anything."""
RACES = frozenset({"stale-version", "conflict", "decision-closed"})
"""Refusals that say: somebody else was faster."""
LATEST = 12
"""Events that somebody who comes back is told."""
UNTOLD = (*NOTES, *QUESTIONS, Used)
"""Events that keep the record and tell a player nothing: what they lead to is told or asked."""
WIDTH = 80
"""Columns of the picture in a pipe, and at the most."""

KEYS = "a number chooses · b book of the haunt · c cards · p picture · t take back · q leave · ? help"


class Left(Exception):
    """The player leaves the table. The message says how to come back; `code` is the exit code."""

    def __init__(self, why: str, code: int) -> None:
        super().__init__(why)
        self.code = code


class TokenEnded(Exception):
    """The token holds no longer."""


class Table:
    """A player's side of one game."""

    def __init__(self, api: Api, place: Place, facts: GameShown, rules: Rules, lines: Lines) -> None:
        """Sit down.

        Args:
            api: of the service.
            place: the player's own.
            facts: of the game, with the players' names.
            rules: those of the game.
            lines: what the player types.
        """
        self._api = api
        self._place = place
        self._path = f"/v1/games/{place.game}"
        self._rules = rules
        self._lines = lines
        self._screen = console()
        self._principal: Mask = SPECTATORS if place.seat is None else seat_bit(place.seat)
        self._state = State()
        self._facts = facts
        self._drawn = ""
        self._said = ""
        self._away = False
        self._greeted = False

    def play(self) -> str:
        """Play until the game is over; returns how it ended.

        Raises:
            Left: the player leaves first.
            TokenEnded: the token holds no longer.
            Refusal: the service refuses to show the game.
        """
        Ear(self._place, self._lines.wake).start()
        while True:
            self._catch_up()
            facts = self._look()
            if facts.status in OVER:
                self._catch_up()  # it may have ended since one looked
                self._end()
                return facts.status
            if facts.status == "open":
                self._gather(facts)
                continue
            self._greet()
            decisions = self._trying(lambda: self._api.decisions(self._place.game, self._place.token))
            if decisions.version != self._state.commit:
                continue  # something has happened since
            if any(one.kind != "reveal" for one in decisions.yours):
                self._ask(decisions)
            else:
                self._wait(decisions)

    # -- the service ----------------------------------------------------------------------------------------------------

    def _trying(self, call: Callable[[], T]) -> T:
        """What the service answers, however long it is away."""
        while True:
            try:
                found = call()
            except (httpx.TransportError, Refusal) as fault:
                if isinstance(fault, Refusal) and fault.status == httpx.codes.UNAUTHORIZED:
                    raise TokenEnded from fault
                if isinstance(fault, Refusal) and fault.status not in LATER:
                    raise
                if not self._away:
                    self._tell(f"{self._place.url} does not answer. Waiting for it; Ctrl-C leaves.", "yellow")
                self._away = True
                time.sleep(AGAIN)
                continue
            if self._away:
                self._tell("The service is back.", "green")
            self._away = False
            return found

    def _do(self, what: str, token: str, body: object = None, *, version: int | None = None) -> None:
        """Post a deed, which is done once however long the service is away: all its attempts carry one key."""
        key = new_key()
        self._trying(lambda: self._api.post(f"{self._path}{what}", token, body, if_match=version, key=key))

    def _get(self, what: str, kind: type[T], **parameters: int) -> T:
        """Read something of the game."""
        body = self._trying(lambda: self._api.get(f"{self._path}{what}", self._place.token, **parameters))
        return msgspec.json.decode(body, type=kind)

    def _look(self) -> GameShown:
        """The public facts, and with them the players' names."""
        self._facts = self._get("", GameShown)
        return self._facts

    def _catch_up(self) -> None:
        """Read what has happened, and tell it."""
        behind = self._state.commit == 0
        told: list[AnyEvent] = []
        while True:
            page = self._get("/events", EventPage, after=self._state.commit, limit=500)
            for commit in page.events:
                for event in commit.data.events:
                    event.apply(self._state)
                self._state.commit = commit.data.number
                told += [event for event in commit.data.events if not isinstance(event, UNTOLD)]
            if not page.events or page.next >= page.version:
                break
        if told:
            # whoever comes back is not told the whole game again
            self._recount(told[-LATEST:] if behind else told, more=len(told) - LATEST if behind else 0)

    # -- telling --------------------------------------------------------------------------------------------------------

    def _tell(self, text: str = "", style: str = "", indent: int = 0, hang: int = 0) -> None:
        say(Text(text, style=style), screen=self._screen, indent=indent, hang=hang)

    def _recount(self, told: Sequence[AnyEvent], more: int) -> None:
        """Say what happened, a sentence for each event, and what cards and books say that were opened with it."""
        asking = Asking(self._rules.of(self._state), self._state)
        if any(isinstance(event, SeatClaimed) for event in told):
            self._look()  # whoever has joined has a name now
        self._tell()
        if more > 0:
            self._tell(f"(… {counted(more, 'event')} before)", "dim")
        for event in told:
            self._tell(f"· {self._worded(asking, event)}", hang=2)
            if isinstance(event, CardDrawn):
                self._tell(self._rules.of(self._state).pack.card(event.card).text, "italic", indent=4)
            if isinstance(event, TextTold) and event.text.endswith(".book"):
                self._book()

    def _worded(self, asking: Asking, event: AnyEvent) -> str:
        """What happened, with the player's name where the game's log has none."""
        if not isinstance(event, SeatClaimed) or not self._facts.seats[event.seat].name:
            return worded(asking, event)
        character = f" as {asking.names.character(event.explorer)}" if event.explorer else ""
        return f"{self._facts.seats[event.seat].name} has joined{character}."

    def _view(self) -> GameView:
        return view_of(self._rules, self._state, self._principal)

    def _picture(self, *, again: bool = False) -> None:
        """The house, unless it looks as it did when it was last shown."""
        width = min(WIDTH, columns(self._screen)) if self._screen.is_terminal else WIDTH
        drawn = house_as_text(self._rules.of(self._state), self._state, width)
        if again or drawn != self._drawn:
            self._tell()
            for line in drawn.splitlines():
                self._screen.print(Text(line), soft_wrap=True)
        self._drawn = drawn

    def _greet(self) -> None:
        """Who plays whom, once."""
        if not self._greeted and self._state.explorers:
            players = [self._called(one.seat) for one in self._state.explorers]
            self._tell(f"At the table: {enumerated(players)}.", "bold")
            self._greeted = True

    def _me(self) -> None:
        """Who the player is, and what it carries."""
        seat = self._place.seat
        view = self._view()
        if seat is None or seat >= len(view.explorers):
            return
        me = view.explorers[seat]
        side = {"heroes": ", a hero", "traitor": ", the traitor"}.get(me.side, "")
        rooms = {room.id: room.title for room in view.rooms}
        where = f"in {rooms.get(me.room, me.room)}" if me.alive else fate(me)
        self._tell(f"You are {me.title}{side}, {where}.", "bold")
        if me.cards:
            self._tell(f"Your cards: {enumerated([view.cards[card].title for card in me.cards])}.")

    def _cards(self) -> None:
        """What lies open before each explorer, one's own cards first and with their texts."""
        view = self._view()
        mine = [one for one in view.explorers if one.seat == self._place.seat]
        others = [one for one in view.explorers if one.seat != self._place.seat]
        for one in [*mine, *others]:
            self._tell(f"{one.title}: {'' if one.cards else 'no cards'}", "bold")
            for card in one.cards:
                self._card(view.cards[card])

    def _card(self, card: CardView) -> None:
        self._tell(f"{card.title}: {card.text}" if card.text else card.title, indent=2)

    def _book(self) -> None:
        """What this player reads of the haunt: the story, and the book of its own side."""
        haunt = self._view().haunt
        if haunt is None:
            self._tell("No haunt has begun yet.")
            return
        self._tell()
        self._tell(f"Haunt {haunt.number}: {haunt.title}", "bold")
        self._tell(haunt.story)
        for book in haunt.books:
            self._read(book)
        for note in haunt.notes:
            self._tell(f"{readable(note.name)}: {note.text}")

    def _read(self, book: BookView) -> None:
        self._tell()
        self._tell({"heroes": "The heroes' book", "traitor": "The traitor's book"}.get(book.side, "The book"), "bold")
        for text in (book.story, f"Goal: {book.goal}" if book.goal else ""):
            if text:
                self._tell(text)
        for action in book.actions:
            self._tell(f"- {action.title}")
        for note in book.notes:
            self._tell(f"- {readable(note.name)}: {note.text}")

    def _called(self, seat: int) -> str:
        """A player's name with its explorer: `Ben (Zoe Ingstrom)`."""
        title = Names(self._rules.of(self._state), self._state).figure(seat)
        name = self._facts.seats[seat].name
        return f"{name} ({title})" if name else title

    # -- waiting --------------------------------------------------------------------------------------------------------

    def _once(self, text: str) -> None:
        """Say it, unless it was the last thing to be waited for."""
        if text != self._said:
            self._tell(text, "dim")
        self._said = text

    def _gather(self, facts: GameShown) -> None:
        """Wait until everybody has joined; where the game was opened here, begin it then."""
        missing = [one.name or f"seat {one.seat}" for one in facts.seats if not one.claimed]
        host = place_in(self._place.game, HOST)
        if missing:
            self._once(f"Waiting for {enumerated(missing)} to join.")
        elif host is not None:
            self._tell("Everybody is here: the game begins.", "bold")
            try:
                self._do("/start", host.token)
            except Refusal as refusal:
                if refusal.code not in ("not-open", *RACES):
                    raise
            return
        else:
            self._once(
                f"Everybody is here. The game begins when `{typed()} play` runs on the machine on which it was opened."
            )
        self._pass_time()

    def _wait(self, decisions: Decisions) -> None:
        """Wait for whoever is awaited."""
        waits = [
            f"{who}: {one.text}" if one.kind != "turn" else who
            for one in decisions.waiting
            for who in [who_is_awaited(one, self._called)]
        ]
        reveal = " You are the hidden traitor: r reveals you." if revealing(decisions) is not None else ""
        self._once((f"Waiting for {enumerated(waits)}." if waits else "Waiting for a ruling.") + reveal)
        self._pass_time(decisions)

    def _pass_time(self, decisions: Decisions | None = None) -> None:
        """Until something happens; meanwhile the player may look at things."""
        line = self._lines.next(LOOK, asked=False)
        if line:
            self._said = ""
            if not self._key(line, decisions):
                self._tell(f"There is nothing for you to choose now. {KEYS}")

    # -- choosing -------------------------------------------------------------------------------------------------------

    def _ask(self, decisions: Decisions) -> None:
        """Show what can be chosen, and do what is."""
        self._said = ""
        self._picture()
        self._tell()
        self._me()
        choices: list[Choice] = []
        for decision in decisions.yours:
            due = due_of(decisions, decision)
            self._tell(f"{decision.text}{f' (until {due})' if due else ''}", "bold")
            for choice in choices_of(decision):
                choices.append(choice)
                self._tell(f"{len(choices):3}  {choice.label}", hang=len(f"{len(choices)}  "))
        if decisions.take_back is not None:
            self._tell(f"  t  {decisions.take_back.label}")
        while True:
            self._prompt(f"Your choice ({'1 to ' if len(choices) > 1 else ''}{len(choices)}, ? for help): ")
            line = self._line()
            if line is None:
                self._tell()
                return
            if self._key(line, decisions):
                if line.lower() == "t":
                    return
                continue
            chosen = number(line, len(choices))
            if chosen is None:
                self._tell(f"Type a number from 1 to {len(choices)}, or ? for help." if line else "Type a number.")
                continue
            command = self._filled(choices[chosen - 1])
            if command is not None:
                self._post(command, decisions.version)
                return

    def _line(self) -> str | None:
        """What is typed, or None where there is news instead.

        Raises:
            Left: the input has ended.
        """
        while True:
            try:
                line = self._lines.next(LOOK, asked=True)
            except EOFError:
                self._tell()
                raise Left("The input has ended", 1) from None
            if line is not None or self._changed():
                return line

    def _changed(self) -> bool:
        page = self._get("/events", EventPage, after=self._state.commit, limit=1)
        return page.version > self._state.commit

    def _prompt(self, text: str) -> None:
        self._screen.print(Text(text, style="bold"), end="", soft_wrap=True)
        sys.stdout.flush()

    def _key(self, line: str, decisions: Decisions | None) -> bool:
        """Do what a letter asks for; returns whether it was one."""
        match line.lower():
            case "b":
                self._book()
            case "c":
                self._cards()
            case "p":
                self._picture(again=True)
            case "?" | "h" | "help":
                self._tell(KEYS)
            case "q" | "quit" | "exit":
                raise Left("You have left the table", 0)
            case "t":
                if decisions is None or decisions.take_back is None:
                    self._tell("There is nothing that you could take back.")
                else:
                    self._post(decisions.take_back.command, decisions.version)
            case "r" if decisions is not None and (command := revealing(decisions)) is not None:
                self._post(command, decisions.version)
            case _:
                return False
        return True

    def _filled(self, choice: Choice) -> Any | None:  # noqa: ANN401 -- a command as JSON has it
        """The command with everything said that is still open; None where the player thought better of it."""
        command = choice.command
        for field in choice.fields:
            value = self._value(field)
            if value is None:
                return None
            command = {**command, field.field: value}
        return command

    def _value(self, field: Field) -> Any | None:  # noqa: ANN401 -- what the member is
        """What the player says for a member of a command; None after an empty line."""
        while True:
            for told in explained(field, self._title):
                self._tell(told)
            self._prompt(f"{MEMBERS.get(field.field, readable(field.field))} (an empty line goes back): ")
            line = self._line()
            if not line:
                return None
            try:
                return parsed(field, line)
            except ValueError as fault:
                self._tell(str(fault), "yellow")

    def _title(self, member: str, value: str) -> str:
        """What is called by an id in a member of a command."""
        names = Names(self._rules.of(self._state), self._state)
        if member in ("gives", "wants", "cards"):
            return names.card(value)
        return names.room(value) if member == "to" else readable(value)

    def _post(self, command: object, version: int) -> None:
        """Do it; what is refused is told, and the choices are shown again."""
        try:
            self._do("/commands", self._place.token, command, version=version)
        except Refusal as refusal:
            if refusal.code in RACES:
                self._tell("Somebody else was faster: look again.", "yellow")
            elif refusal.code in ("game-over", "not-started") or refusal.status == httpx.codes.CONFLICT:
                self._tell(f"That can't be done: {refusal.detail}", "yellow")
            else:
                raise

    def _end(self) -> None:
        """How it ended."""
        self._picture()
        self._tell()
        for sentence in verdict(self._rules.of(self._state), self._state).splitlines():
            self._tell(sentence, "bold")
        haunt = self._view().haunt
        if haunt is not None and haunt.ending:
            self._tell(haunt.ending)


def due_of(decisions: Decisions, decision: OpenDecision) -> str:
    """When it runs out, for people."""
    due = next((one.due for one in decisions.waiting if one.decision == decision.id), None)
    return f"{due[:10]} {due[11:16]} UTC" if due else ""


def revealing(decisions: Decisions) -> AnyCommand | None:
    """What reveals a hidden traitor, for who is one."""
    return next((one.commands[0].command for one in decisions.yours if one.kind == "reveal" and one.commands), None)
