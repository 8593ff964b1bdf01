"""A game in process, for playtests and tests: the engine, and for each seat the state that its own events make.

A brain at this table sees what it would see over HTTP: views and decisions made from its seat's own state, never from the
engine's.
"""

from collections.abc import Mapping, Sequence

from domain.decide import decide
from domain.engine.rules import Rules
from domain.evolve import fold, redact
from domain.facts.audience import seat_bit
from domain.facts.chance import Chance
from domain.facts.commands import AnyCommand
from domain.facts.events import GameOpened, SeatClaimed, Told
from domain.facts.state import State
from domain.game import claim, open_game, start_game
from projections.choices.decisions import Decisions, decisions_of
from projections.view.game import GameView, view_of

TODAY = "01-01"
"""The day on which all these games are opened (MM-DD): whose birthday comes next begins."""


class Table:
    """A game that has begun, with all seats taken by whichever explorers come."""

    def __init__(self, rules: Rules, chance: Chance, seats: int, options: Mapping[str, object], name: str) -> None:
        """Open the game, take the seats, start.

        Args:
            rules: the edition and its pack.
            chance: what answers every request at once: seeded, or a tape that is long enough.
            seats: 1 to 6, as many as the pack allows.
            options: those of the game, such as `turn_limit` and `haunt`.
            name: of the game.
        """
        self.rules = rules
        self._chance = chance
        head = rules.pack.head
        opened = GameOpened(
            game=name,
            edition=rules.edition.id,
            pack=head.id,
            pack_digest="",
            seats=seats,
            options=dict(options),
            source="seeded",
        )
        self.seats: list[State] = [State() for _ in range(seats)]
        self.state, told = open_game(rules, opened)
        self.log: list[list[Told]] = []
        self._tell(told)
        for seat in range(seats):
            self._tell(claim(rules, self.state, SeatClaimed(seat=seat)))
        self._tell(start_game(rules, self.state, chance, TODAY))

    @property
    def over(self) -> bool:
        """The game has ended."""
        return self.state.status != "started"

    def awaited(self) -> list[int]:
        """The seats whose answer is awaited, each once; or else the one whose turn it is."""
        asked = dict.fromkeys(self.state.seat_of(decision.seat) for decision in self.state.open.values())
        return list(asked) or [self.state.seat_of(self.state.turn.seat)]

    def view(self, seat: int) -> GameView:
        """What a seat sees."""
        return view_of(self.rules, self.seats[seat], seat_bit(seat))

    def decisions(self, seat: int) -> Decisions:
        """What a seat may do."""
        return decisions_of(self.rules, self.seats[seat], seat_bit(seat))

    def give(self, seat: int, command: AnyCommand) -> Sequence[Told]:
        """Do a seat's command.

        Returns:
            What came of it, and who was told.

        Raises:
            Refused: it is not legal; nothing has changed.
        """
        told = decide(self.rules, self.state, seat, command, self._chance)
        self._tell(told)
        return told

    def _tell(self, told: list[Told]) -> None:
        self.log.append(told)
        self.state.commit += 1
        for seat, state in enumerate(self.seats):
            fold(state, [redact(told, seat_bit(seat))])
