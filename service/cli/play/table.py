"""A table in the terminal: what has happened, the house, your cards, numbered choices; and it waits for the others, live."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import httpx
from rich.text import Text

from domain.engine.rules import Rules
from domain.facts.audience import SPECTATORS, Mask, seat_bit
from domain.facts.commands import AnyCommand, Demand
from domain.facts.events import AnyEvent, CardDrawn, SeatClaimed, TextTold, Used
from domain.facts.state import State
from domain.rulebook.haunt.demanding import PARTS
from projections.books.book import book_of
from projections.books.pages import as_markdown, sections
from projections.choices.decisions import Decisions, OpenDecision
from projections.choices.families import Field
from projections.naming.names import Names, counted, enumerated, readable
from projections.naming.questions import Asking
from projections.naming.standings import verdict
from projections.sentences.history import worded
from projections.sentences.sums import made_of
from projections.text.picture import house_as_text
from projections.trace.steps import NOTES, QUESTIONS
from projections.view.game import GameView, view_of
from projections.view.waiting import who_is_awaited
from service.bots.client import LATER, Api, ApiError, new_key
from service.cli.common import columns, console, say, typed
from service.cli.play.invites import HOST, SavedPlace, saved_place
from service.cli.play.prompts import RETRY_AFTER, Choice, Lines, StreamListener, choices_of, explained, number, parsed
from service.cli.play.show import card_lines, print_markdown, self_lines
from service.games.lobby.answers import EventPage, GameShown
from service.log.facts import OVER

T = TypeVar("T")

PATIENCE = 2.0
"""Seconds of retries before the player is told that the service is away."""
LOOK = 20.0
"""Seconds between two looks when no stream reports anything."""
RACES = frozenset({"stale-version", "conflict", "decision-closed"})
"""Errors that mean: somebody else was faster."""
LATEST = 12
"""Events shown to a player who comes back."""
UNTOLD = (*NOTES, *QUESTIONS, Used)
"""Events that only keep the record; what they lead to is shown or asked."""
WIDTH = 80
"""The width of the picture in a pipe, and its greatest width."""

KEYS = "a number chooses · b book of the haunt · c cards · d demand a text · p picture · t take back · q leave · ? help"
MEMBERS = {"gives": "You give", "wants": "You want", "chosen": "Dice", "to": "Where to"}
"""Names of commands' members, for players."""


class PlayerLeft(Exception):
    """The player leaves the table. The message says why; `code` is the exit code."""

    def __init__(self, why: str, code: int) -> None:
        super().__init__(why)
        self.code = code


class TokenEnded(Exception):
    """The token is no longer valid."""


class TableScreen:
    """A player's side of one game."""

    def __init__(self, api: Api, place: SavedPlace, facts: GameShown, rules: Rules, lines: Lines) -> None:
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
        """Play until the game is over; returns its status. Raises PlayerLeft, TokenEnded, or an ApiError that shows no game."""
        StreamListener(self._place, self._lines.wake).start()
        while True:
            self._catch_up()
            self._refresh_facts()
            if self._facts.status in OVER:
                self._catch_up()  # it may have ended in between
                self._show_end()
                return self._facts.status
            if self._facts.status == "open":
                self._wait_for_players()
                continue
            self._greet()
            decisions = self._retrying(lambda: self._api.decisions(self._place.game, self._place.token))
            if decisions.version != self._state.commit:
                continue  # something happened in between
            if any(one.kind != "reveal" for one in decisions.yours):
                self._choose(decisions)
            else:
                self._wait_for_others(decisions)

    def _retrying(self, call: Callable[[], T]) -> T:
        while True:
            try:
                found = call()
            except (httpx.TransportError, ApiError) as fault:
                if isinstance(fault, ApiError) and fault.status == httpx.codes.UNAUTHORIZED:
                    raise TokenEnded from fault
                if isinstance(fault, ApiError) and fault.status not in LATER:
                    raise
                if not self._away:
                    self._tell(f"{self._place.url} does not answer. Waiting for it; Ctrl-C leaves.", "yellow")
                self._away = True
                time.sleep(RETRY_AFTER)
                continue
            if self._away:
                self._tell("The service is back.", "green")
            self._away = False
            return found

    def _post(self, what: str, token: str, body: object = None, *, version: int | None = None) -> None:
        """Post once, however long the service is away: all attempts share one key."""
        key = new_key()
        self._retrying(lambda: self._api.post(f"{self._path}{what}", token, body, if_match=version, key=key))

    def _read(self, kind: type[T], what: str, **parameters: int) -> T:
        return self._retrying(lambda: self._api.read(kind, f"{self._path}{what}", self._place.token, **parameters))

    def _refresh_facts(self) -> None:
        self._facts = self._read(GameShown, "")

    def _catch_up(self) -> None:
        """Read what has happened, and show it; to a player who comes back, only the latest of it."""
        returning = self._state.commit == 0
        told: list[tuple[AnyEvent, str]] = []
        while True:
            page = self._read(EventPage, "/events", after=self._state.commit, limit=500)
            for commit in page.events:
                for event in commit.data.events:
                    if not isinstance(event, UNTOLD):
                        told.append((event, made_of(self._rules, self._state, event)))
                    event.apply(self._state)
                self._state.commit = commit.data.number
            if not page.events or page.next >= page.version:
                break
        if told:
            self._recount(told[-LATEST:] if returning else told, more=len(told) - LATEST if returning else 0)

    # -- showing

    def _tell(self, text: str = "", style: str = "", indent: int = 0, hang: int = 0) -> None:
        say(Text(text, style=style), screen=self._screen, indent=indent, hang=hang)

    def _recount(self, told: Sequence[tuple[AnyEvent, str]], more: int) -> None:
        """Show a sentence for each event, with what its numbers are made of, and the text of cards and books that it opened."""
        asking = Asking(self._rules.of(self._state), self._state)
        if any(isinstance(event, SeatClaimed) for event, _ in told):
            self._refresh_facts()  # whoever joined has a name now
        self._tell()
        if more > 0:
            self._tell(f"(… {counted(more, 'event')} before)", "dim")
        for event, sums in told:
            self._tell(f"· {self._worded(asking, event, sums)}", hang=2)
            if isinstance(event, CardDrawn):
                self._tell(self._rules.of(self._state).pack.card(event.card).text, "italic", indent=4)
            if isinstance(event, TextTold) and event.text.endswith(".book"):
                self._show_haunt()

    def _worded(self, asking: Asking, event: AnyEvent, sums: str) -> str:
        """An event in words, with the player's name, which the log does not have."""
        if not isinstance(event, SeatClaimed) or not self._facts.seats[event.seat].name:
            return worded(asking, event, sums)
        character = f" as {asking.names.character(event.explorer)}" if event.explorer else ""
        return f"{self._facts.seats[event.seat].name} has joined{character}."

    def _view(self) -> GameView:
        return view_of(self._rules, self._state, self._principal)

    def _show_house(self, *, again: bool = False) -> None:
        """Draw the house if it has changed since the last drawing."""
        width = min(WIDTH, columns(self._screen)) if self._screen.is_terminal else WIDTH
        drawn = house_as_text(self._rules.of(self._state), self._state, width)
        if again or drawn != self._drawn:
            self._tell()
            for line in drawn.splitlines():
                self._screen.print(Text(line), soft_wrap=True)
        self._drawn = drawn

    def _greet(self) -> None:
        if not self._greeted and self._state.explorers:
            players = [self._called(one.seat) for one in self._state.explorers]
            self._tell(f"At the table: {enumerated(players)}.", "bold")
            self._greeted = True

    def _print(self, lines: Iterable[Text]) -> None:
        for line in lines:
            say(line, screen=self._screen)

    def _show_haunt(self) -> None:
        book = book_of(self._rules, self._state, self._principal)
        if book is None:
            self._tell("No haunt has begun yet.")
        else:
            print_markdown(as_markdown(sections(book)), self._screen)

    def _show_end(self) -> None:
        self._show_house()
        self._tell()
        for sentence in verdict(self._rules.of(self._state), self._state).splitlines():
            self._tell(sentence, "bold")
        haunt = self._view().haunt
        if haunt is not None and haunt.ending:
            self._tell(haunt.ending)

    def _called(self, seat: int) -> str:
        """A player's name with the explorer: `Ben (Zoe Ingstrom)`."""
        title = Names(self._rules.of(self._state), self._state).figure(seat)
        name = self._facts.seats[seat].name
        return f"{name} ({title})" if name else title

    # -- waiting

    def _tell_once(self, text: str) -> None:
        if text != self._said:
            self._tell(text, "dim")
        self._said = text

    def _wait_for_players(self) -> None:
        """Wait until everybody has joined; on the host's machine, then start the game."""
        missing = [one.name or f"seat {one.seat}" for one in self._facts.seats if not one.claimed]
        host = saved_place(self._place.game, HOST)
        if missing:
            self._tell_once(f"Waiting for {enumerated(missing)} to join.")
        elif host is not None:
            self._tell("Everybody is here: the game begins.", "bold")
            try:
                self._post("/start", host.token)
            except ApiError as error:
                if error.code not in ("not-open", *RACES):
                    raise
            return
        else:
            self._tell_once(f"Everybody is here. The game begins when `{typed()} play` runs on the host's machine.")
        self._idle()

    def _wait_for_others(self, decisions: Decisions) -> None:
        waits = [
            f"{who}: {one.text}" if one.kind != "turn" else who
            for one in decisions.waiting
            for who in [who_is_awaited(one, self._called)]
        ]
        reveal = " You are the hidden traitor: r reveals you." if revealing(decisions) is not None else ""
        self._tell_once((f"Waiting for {enumerated(waits)}." if waits else "Waiting for a ruling.") + reveal)
        self._idle(decisions)

    def _idle(self, decisions: Decisions | None = None) -> None:
        """Wait until something happens; meanwhile the player can look at things."""
        line = self._lines.next(LOOK, asked=False)
        if line:
            self._said = ""
            if not self._pressed(line, decisions):
                self._tell(f"You have no choice to make now. {KEYS}")

    # -- choosing

    def _choose(self, decisions: Decisions) -> None:
        self._said = ""
        self._show_house()
        self._tell()
        seat, view = self._place.seat, self._view()
        if seat is not None and seat < len(view.explorers):
            self._print(self_lines(view, seat))
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
            if self._pressed(line, decisions):
                if line.lower() in ("d", "t"):
                    return
                continue
            chosen = number(line, len(choices))
            if chosen is None:
                self._tell(f"Type a number from 1 to {len(choices)}, or ? for help." if line else "Type a number.")
                continue
            command = self._completed(choices[chosen - 1])
            if command is not None:
                self._give(command, decisions.version)
                return

    def _line(self) -> str | None:
        """What the player types, or None if there is news instead. Raises PlayerLeft at the end of the input."""
        while True:
            try:
                line = self._lines.next(LOOK, asked=True)
            except EOFError:
                self._tell()
                raise PlayerLeft("The input has ended", 1) from None
            if line is not None:
                return line
            if self._read(EventPage, "/events", after=self._state.commit, limit=1).version > self._state.commit:
                return None

    def _prompt(self, text: str) -> None:
        self._screen.print(Text(text, style="bold"), end="", soft_wrap=True)
        sys.stdout.flush()

    def _pressed(self, line: str, decisions: Decisions | None) -> bool:
        """Do what a letter asks for; returns whether the line is one."""
        match line.lower():
            case "b":
                self._show_haunt()
            case "c":
                self._print(card_lines(self._view(), self._place.seat))
            case "d":
                self._demand()
            case "p":
                self._show_house(again=True)
            case "?" | "h" | "help":
                self._tell(KEYS)
            case "q" | "quit" | "exit":
                raise PlayerLeft("You have left the table", 0)
            case "t":
                if decisions is None or decisions.take_back is None:
                    self._tell("There is nothing that you can take back.")
                else:
                    self._give(decisions.take_back.command, decisions.version)
            case "r" if decisions is not None and (command := revealing(decisions)) is not None:
                self._give(command, decisions.version)
            case _:
                return False
        return True

    def _demand(self) -> None:
        """Let the player choose a part of the other side's texts that was used, to be read out to all."""
        haunt = self._view().haunt
        parts = [] if haunt is None else [one for one in haunt.parts if one.demandable]
        if not parts:
            self._tell("Nothing was used whose text you could demand.")
            return
        for at, part in enumerate(parts, 1):
            self._tell(f"{at:3}  {part.title}")
        self._prompt("Which is to be read out (an empty line goes back): ")
        chosen = number(self._line() or "", len(parts))
        if chosen is not None:
            self._give(Demand(decision=PARTS, part=parts[chosen - 1].part), self._state.commit)

    def _completed(self, choice: Choice) -> Any | None:  # noqa: ANN401 -- a command as JSON has it
        """The command with all its members; None if the player changes their mind."""
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
        names = Names(self._rules.of(self._state), self._state)
        if member in ("gives", "wants", "cards"):
            return names.card(value)
        return names.room(value) if member == "to" else readable(value)

    def _give(self, command: object, version: int) -> None:
        """Post a command; if it is refused, say why, and the choices are shown again."""
        try:
            self._post("/commands", self._place.token, command, version=version)
        except ApiError as error:
            if error.code in RACES:
                self._tell("Somebody else was faster: look again.", "yellow")
            elif error.code in ("game-over", "not-started") or error.status == httpx.codes.CONFLICT:
                self._tell(f"Not possible: {error.detail}", "yellow")
            else:
                raise


def due_of(decisions: Decisions, decision: OpenDecision) -> str:
    """A decision's deadline, for people; empty if it has none."""
    due = next((one.due for one in decisions.waiting if one.decision == decision.id), None)
    return f"{due[:10]} {due[11:16]} UTC" if due else ""


def revealing(decisions: Decisions) -> AnyCommand | None:
    """The command that reveals the player as the hidden traitor, if it may."""
    return next((one.commands[0].command for one in decisions.yours if one.kind == "reveal" and one.commands), None)
