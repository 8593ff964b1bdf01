"""A table at which a game is played in process."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from domain import local
from domain.engine.rules import REVISION
from domain.facts import refusal
from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from domain.facts.chance import Seeded
from domain.facts.commands import AnyCommand
from domain.facts.events import AnyEvent
from domain.facts.state import MODERATOR, Decision, State
from domain.queries.characters import winning_seats
from domain.rulebook.desk.rulings import consent
from domain.rulebook.turn.options import legal
from domain.worlds import NoWorld
from omenlog.actions import Action
from omenlog.errors import Invalid, Refused, refused, unknown
from omenlog.opening import NAME, Opening, answer_of, drawn_scenario, opened, source_of
from omenlog.packs import rules_of
from omenlog.records import Given, Record, checksum, recorded
from projections.choices.decisions import Decisions, decisions_of
from projections.naming.labels import Labels
from projections.naming.questions import in_names
from projections.view.game import GameView, view_after, view_of

Role: TypeAlias = int | str
"""Who looks: a seat by its number or as `seat:2`, `spectators`, or `referee`, who is told everything."""

TURN_LIMIT = 400
"""Random play wins hardly one game of a hundred later than this."""


class Commit(msgspec.Struct, frozen=True):
    """One accepted command with what a role was told of it."""

    number: int
    """Counted from 1. That there is a commit everybody knows."""
    actor: int | None
    """The seat, or `MODERATOR`; None for the opening, and for a hidden traitor's deeds that nobody may see to be its own."""
    command: AnyCommand | None
    """For whoever gave it, and for the referee."""
    events: tuple[AnyEvent, ...]


class Table:
    """A game in process: all seats are taken, and whoever holds the table plays them."""

    def __init__(  # noqa: PLR0913 -- all but the first by name, as a game is opened over HTTP
        self,
        edition: str = "second",
        *,
        seats: int = 4,
        haunt: str = "",
        scenario: str = "",
        seed: str | int | None = None,
        tape: Iterable[object] | None = None,
        explorers: Sequence[str] = (),
        first_seat: int | None = None,
        turn_limit: int = TURN_LIMIT,
        rulings: Mapping[str, str] | None = None,
        pack: str | Path = "",
    ) -> None:
        """Open a table, take all seats and start.

        Args:
            edition: one of `EDITIONS`.
            seats: how many play.
            haunt: the one to be played; empty: what the chart says.
            scenario: the one to be played, where the edition has some; empty: the seed draws one.
            seed: of the dice and of all that is shuffled: the same seed gives the same game. None: another game each time.
            tape: what chance is to answer, in this order: a list of faces from 0 to 2, or the name of what is picked, as JSON of the service
                (`{"faces": [2, 0]}`) too. At its end the seed goes on; without a seed the `MODERATOR` is asked, as for an answer that does not fit.
            explorers: by seat; empty where any will do.
            first_seat: who begins; None: whoever has the next birthday.
            turn_limit: after so many turns the game ends without a winner; 0: never.
            rulings: alternatives of the pack's rulings, by piece.
            pack: the folder of a pack of yours, or the file of a haunt.

        Raises:
            Invalid: there is no such edition, haunt, scenario, explorer, ruling or seat.
            Refused: the rules do not let so many play, or two seats have one explorer.
        """
        rules = rules_of(edition, pack)
        self._tape = None if tape is None else [answer_of(one) for one in tape]
        self._seed = secrets.token_hex(8) if seed is None and tape is None else None if seed is None else str(seed)
        self._opening = Opening(
            edition=edition,
            seats=seats,
            haunt=haunt,
            scenario=scenario or drawn_scenario(rules, self._seed or ""),
            explorers=tuple(explorers),
            first_seat=first_seat,
            turn_limit=turn_limit,
            rulings=dict(rulings or {}),
            pack=str(pack),
            taped=tape is not None,
        )
        self._game = opened(self._opening, source_of(self._seed, self._tape))
        self._views: dict[Mask, GameView] = {}

    # -- where the game stands ---------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self._game.over

    @property
    def winner(self) -> str:
        """The side that has won: `heroes`, `traitor`, `house` where there is none, `seat:2` of one who played alone; empty while nobody has."""
        return self._game.state.winner

    @property
    def winners(self) -> list[int]:
        """The seats of that side, the dead among them too; with the house only those win whom it has turned, and none where nobody has."""
        return winning_seats(self._game.state)

    @property
    def because(self) -> str:
        """Why the game is over, in a sentence."""
        return self._game.state.because

    @property
    def seats(self) -> int:
        return self._game.state.seats

    @property
    def version(self) -> int:
        """The number of the latest commit."""
        return self._game.state.commit

    def awaited(self) -> list[int]:
        """The seats that the game waits for, each once, or the one whose turn it is; none when it is over.

        `MODERATOR` is asked for dice and cards that neither a seed nor a tape gives.
        """
        return [] if self.over else self._game.awaited()

    # -- what a role sees --------------------------------------------------------------------------------------------

    def view(self, role: Role) -> GameView:
        """What a role sees: what `GET …/view` answers. `msgspec.to_builtins` makes plain dictionaries and lists of it.

        A view shares parts with other views, so change nothing in it.
        """
        mask, game = self._mask(role), self._game
        state, last = game.known(mask), self._views.get(mask)
        if last is None:
            self._views[mask] = view_of(game.rules, state, mask)
        else:
            self._views[mask] = view_after(last, game.told(mask, last.version), game.rules, state, mask)
        return self._views[mask]

    def events(self, role: Role, since: int = 0) -> list[Commit]:
        """The log as a role was told it, after the commit `since`."""
        mask, log = self._mask(role), self._game.log
        found = []
        for number, done in enumerate(log[max(0, since) :], max(0, since) + 1):
            own = done.command is not None and mask in (REFEREE, REFEREE if done.actor < 0 else seat_bit(done.actor))
            by = done.actor if own else done.by
            found.append(
                Commit(
                    number,
                    by if by in (MODERATOR, *range(self.seats)) else None,
                    done.command if own else None,
                    tuple(one.event for one in done.told if one.to & mask),
                )
            )
        return found

    # -- what a seat may do ------------------------------------------------------------------------------------------

    def legal(self, seat: int) -> list[Action]:
        """Everything that a seat may do now, from what it knows; nothing while others are awaited.

        Trades, drops and picking up by single cards and all at once, at most 65 ways to divide points; `decisions` describes the rest.
        """
        self._seat(seat)
        state = (
            self._game.state
        )  # its list is the seat's own, as a law says (tests/laws/completeness.py); the seat's fold would cost more
        asked = state.open
        return [
            Action(command, asked[command.decision].about if command.decision in asked else "")
            for command in legal(self._game.rules, state, seat)
        ]

    def decisions(self, seat: int, *, hints: bool = False) -> Decisions:
        """What a seat is asked and may do, in words: what `GET …/decisions` answers.

        `hints` adds where the books that the seat has read send it and its monsters.
        """
        mask = self._seat(seat)
        return decisions_of(self._game.rules, self._game.known(mask), mask, self._game.passed(), hints=hints)

    def label(self, seat: int, action: Action | AnyCommand) -> str:
        """What an action that is legal now does, in words: `Move to the Attic (1 space)`."""
        state = self._known(seat)
        command = action.command if isinstance(action, Action) else action
        return Labels(self._game.rules.of(state), state).of(command, _decision(state, seat, command))

    def do(self, seat: int, action: Action | AnyCommand | Mapping[str, Any]) -> list[AnyEvent]:
        """Do something: one of the actions listed, or any command, also as the JSON of the service.

        Returns:
            What the seat was told.

        Raises:
            Refused: it is against the rules, or not what is asked; nothing has changed.
            Invalid: no such seat, or no such command.
        """
        mask = self._seat(seat)
        command = action.command if isinstance(action, Action) else _command(action)
        try:
            told = self._game.give(seat, command)
        except refusal.Refused as error:
            raise refused(in_names(error, self._game.rules, self._game.known(mask))) from None
        except refusal.Endless as error:
            raise Refused(f"{error}; nothing has changed", "unfit-entry", None) from None
        return [one.event for one in told if one.to & mask]

    # -- other tables ------------------------------------------------------------------------------------------------

    def clone(self, seed: str | int | None = None) -> Table:
        """The same game once more: what is done there changes nothing here.

        The clone rolls the same dice; with a seed it rolls others from now on, and cards that nobody has seen yet come in another order.
        """
        return self._twin(self._game.clone(None if seed is None else Seeded(str(seed).encode(), NAME)), seed)

    def sample(self, seat: int, seed: str | int) -> Table:
        """A table in a world that agrees with all that a seat knows: what is hidden from it is invented, and dice are new.

        For search that does not look into others' cards. Where a haunt hides the traitor or a secret, whoever could be it is as likely as the rules
        make it. As in a sandbox of the service, nothing happens there that stands in a book which the seat has not read.

        Raises:
            Refused: `half-done` where what is under way may depend on what the seat doesn't know; `game-over`; `is-fork` for a sampled table.
        """
        self._seat(seat)
        if seat == MODERATOR:
            raise Invalid(f"The moderator knows everything: clone the table, or sample for {self._offered()}.")
        try:
            return self._twin(self._game.sampled(seat, str(seed).encode()), seed)
        except refusal.Refused as error:
            raise refused(error) from None
        except NoWorld as error:
            raise Refused(
                f"no world agrees with what the seat knows, which is our fault: {error}", "no-world", None
            ) from None

    def _twin(self, game: local.LocalGame, seed: str | int | None) -> Table:
        twin = copy(self)
        twin._game, twin._views = game, {}  # noqa: SLF001 -- another of this class
        if seed is not None:
            twin._seed, twin._tape = str(seed), None  # noqa: SLF001 -- the same
        return twin

    def record(self) -> bytes:
        """All that `replay` needs, as JSON: how the table was opened, what chance answered, and every command.

        Raises `Invalid` for a sampled table, which was never opened.
        """
        if self._game.state.sandbox is not None:
            raise Invalid("A sampled table was never opened: record the table that it comes from.")
        began, moves = recorded(self._game.log)
        return msgspec.json.encode(Record(REVISION, self._opening, began, moves, self._seed, self._tape))

    def _replay(self, record: Record, upto: int | None) -> None:
        self._opening, self._seed, self._tape = record.opening, record.seed, record.tape
        self._game, self._views = opened(record.opening, Given(record.chance)), {}
        for number, moved in enumerate(record.moves if upto is None else record.moves[:upto], 1):
            self._game.chance = Given(moved.chance)
            made = f"It was made under revision {record.revision} of the rules, and this Omenlog has {REVISION}."
            try:
                self.do(moved.seat, moved.command)
            except Refused as error:
                raise Invalid(f"Command {number} of this record is refused: {error}. {made}") from None
            if checksum(self._game.log[-1].told) != moved.told:
                raise Invalid(f"What follows from command {number} of this record is something else now. {made}")
        self._game.chance = source_of(record.seed, record.tape)

    # -- inside ------------------------------------------------------------------------------------------------------

    def _known(self, seat: int) -> State:
        return self._game.known(self._seat(seat))

    def _seat(self, seat: int) -> Mask:
        if seat == MODERATOR:
            return REFEREE
        if seat not in range(self.seats):
            raise Invalid(f"There is no seat {seat!r}: this table has {self._offered()}.")
        return seat_bit(seat)

    def _mask(self, role: Role) -> Mask:
        if not isinstance(role, str):
            return self._seat(role)
        named = {"spectators": SPECTATORS, "referee": REFEREE}
        named |= {f"seat:{seat}": seat_bit(seat) for seat in range(self.seats)}
        if role not in named:
            raise unknown("role", role, named)
        return named[role]

    def _offered(self) -> str:
        return f"the seats 0 to {self.seats - 1}"


def replay(record: bytes, upto: int | None = None) -> Table:
    """The table of a record, after all of its commands or the first `upto`; it can be played on.

    Raises `Invalid` if it is no record, or if the rules of this version of Omenlog decide it otherwise.
    """
    try:
        read = msgspec.json.decode(record, type=Record)
    except msgspec.DecodeError as error:
        raise Invalid(f"This is no record of a table: {error}") from None
    table = Table.__new__(Table)
    table._replay(read, upto)  # noqa: SLF001 -- of this module
    return table


def _command(action: AnyCommand | Mapping[str, Any]) -> AnyCommand:
    if isinstance(action, AnyCommand):
        return action
    try:
        command: AnyCommand = msgspec.convert(action, AnyCommand)
    except msgspec.ValidationError as error:
        raise Invalid(f"This is no command: {error}. `legal` and `decisions` list those that are legal.") from None
    return command


def _decision(state: State, seat: int, command: AnyCommand) -> Decision | None:
    """The open decision that a command answers; None for those of the turn."""
    found = state.open.get(command.decision)
    if found is None and state.rulings is not None:
        asked = consent(state, seat)
        return asked if asked is not None and asked.id == command.decision else None
    return found
