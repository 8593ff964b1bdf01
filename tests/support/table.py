"""A table with players: open a game, set a scene, play commands, look at what each player sees."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import msgspec
import pytest

from domain.decide import decide
from domain.engine.rules import Rules
from domain.evolve import fold, redact
from domain.facts.audience import REFEREE, SPECTATORS, Mask
from domain.facts.commands import (
    Act,
    Allocate,
    AnswerChance,
    AnyCommand,
    Attack,
    BreakFree,
    Choose,
    Cross,
    Drop,
    EndTurn,
    Explore,
    Loot,
    Move,
    PickUp,
    Reveal,
    Select,
    Trade,
)
from domain.facts.events import Event, GameOpened, SeatClaimed, Told
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, Aim, Decision, Explorer, Figure, Monster, MonsterId, State, is_explorer
from domain.game import claim, open_game, start_game
from domain.rulebook.turn.options import legal
from tests.support.arranging import Arranging
from tests.support.fate import Fate
from tests.support.packs import rules, rules_with
from tests.support.scenarios import scenario_for

E = TypeVar("E", bound=Event)

THREE = ("ox-bellows", "zoe-ingstrom", "jenny-leclerc")
FOUR = (*THREE, "vivian-lopez")
FIVE = (*FOUR, "father-rhinehardt")


class Table(Arranging):
    """A started game. Seats are numbered from 0, clockwise; `MODERATOR` answers chance."""

    def __init__(
        self,
        explorers: Sequence[str] = THREE,
        *,
        first: int | None = 0,
        game: Rules | None = None,
        options: dict[str, object] | None = None,
        source: str = "tape",
        setup: dict[str, object] | None = None,
        fate: Fate | None = None,
        today: str = "01-01",
    ) -> None:
        """Open, claim and start: by default the second edition, three explorers, seat 0 begins (None: the next birthday)."""
        self.rules = game or rules("second-edition")
        self.fate = fate or Fate()
        if fate is None:
            self.fate.pending = source == "table"
        self.commits: list[list[Told]] = []
        self.roles: dict[Mask, State] = {}
        opened = GameOpened(
            game="g",
            edition=self.rules.edition.id,
            pack=self.rules.pack.head.id,
            pack_digest="",
            seats=len(explorers),
            options=options or {},
            source=source,
            arranged=True,
        )
        self.state, told = open_game(
            self.rules, opened, {**({} if first is None else {"first_seat": first}), **(setup or {})}
        )
        for mask in (*(1 << seat for seat in range(len(explorers))), SPECTATORS, REFEREE):
            self.roles[mask] = State()
        self.commit(told)
        for seat, explorer in enumerate(explorers):
            self.commit(claim(self.rules, self.state, SeatClaimed(seat=seat, explorer=explorer)))
        named = "" if "scenario" in self.state.options else scenario_for(self.rules)
        self.commit(start_game(self.rules, self.state, self.fate, today, named))

    def commit(self, told: list[Told]) -> list[Told]:
        """Keep a commit and tell every role its part."""
        self.commits.append(told)
        for mask, role in self.roles.items():
            fold(role, [redact(told, mask)])
        return told

    # -- playing ----------------------------------------------------------------------------------------------------

    def rolls(self, *faces: Sequence[int]) -> "Table":
        """Prepare the next rolls, one list of faces each."""
        self.fate.dice += [tuple(one) for one in faces]
        return self

    def picks(self, *options: str) -> "Table":
        """Prepare what chance picks: tiles, cards, roles."""
        self.fate.picks += options
        return self

    def play(self, actor: int, command: AnyCommand) -> list[Told]:
        """Post a command."""
        return self.commit(decide(self.rules, self.state, actor, command, self.fate))

    @property
    def now(self) -> str:
        """The id of the turn's own decision."""
        return f"turn-{self.state.turn.number}"

    @property
    def seat(self) -> int:
        """Whose turn it is, the hidden traitor's own in the monsters'."""
        return self.state.seat_of(self.state.turn.seat)

    def move(self, *rooms: str, monster: str | None = None) -> list[Told]:
        """Walk from room to room."""
        told: list[Told] = []
        for room in rooms:
            told += self.play(self.seat, Move(decision=self.now, to=room, monster=_named(monster)))
        return told

    def explore(self, door: str, *, monster: str | None = None) -> list[Told]:
        """Go through a doorway into the unknown."""
        return self.play(self.seat, Explore(decision=self.now, door=door, monster=_named(monster)))

    def cross(self, *, monster: str | None = None) -> list[Told]:
        """Cross the barrier of the room."""
        return self.play(self.seat, Cross(decision=self.now, monster=_named(monster)))

    def act(self, source: str, word: str, target: Aim | None = None, *, monster: str | None = None) -> list[Told]:
        """Do what a card, tile, token or the haunt offers."""
        return self.play(
            self.seat, Act(decision=self.now, source=source, word=word, target=target, monster=_named(monster))
        )

    def attack(
        self,
        target: Aim,
        weapon: str | None = None,
        *,
        monster: str | None = None,
    ) -> list[Told]:
        """Attack."""
        return self.play(
            self.seat, Attack(decision=self.now, target=_figure(target), weapon=weapon, monster=_named(monster))
        )

    def trade(
        self, partner: int, gives: Sequence[str], wants: Sequence[str] = (), *, monster: str | None = None
    ) -> list[Told]:
        """Propose a trade."""
        offer = Trade(decision=self.now, partner=partner, gives=list(gives), wants=list(wants), monster=_named(monster))
        return self.play(self.seat, offer)

    def swap(self, partner: int, gives: Sequence[str], wants: Sequence[str] = ()) -> list[Told]:
        """Trade with an explorer who agrees."""
        self.trade(partner, gives, wants)
        return self.choose(partner, "yes")

    def drop(self, *cards: str, monster: str | None = None) -> list[Told]:
        """Put items down."""
        return self.play(self.seat, Drop(decision=self.now, cards=list(cards), monster=_named(monster)))

    def pick_up(self, *cards: str, monster: str | None = None) -> list[Told]:
        """Take items from the floor."""
        return self.play(self.seat, PickUp(decision=self.now, cards=list(cards), monster=_named(monster)))

    def loot(self, corpse: int, card: str, *, monster: str | None = None) -> list[Told]:
        """Take a card from a corpse."""
        return self.play(self.seat, Loot(decision=self.now, corpse=corpse, card=card, monster=_named(monster)))

    def break_free(self, captive: int) -> list[Told]:
        """Try to free somebody."""
        return self.play(self.seat, BreakFree(decision=self.now, seat=captive))

    def end_turn(self) -> list[Told]:
        """Be done."""
        return self.play(self.seat, EndTurn(decision=self.now))

    def begin_turn(self, seat: int) -> list[Told]:
        """The player before ends a turn, so that the turn of this seat begins with all that this brings."""
        self.turn((seat - 1) % self.state.seats)
        return self.end_turn()

    def reveal(self, seat: int) -> list[Told]:
        """Turn up the traitor's token."""
        return self.play(seat, Reveal(decision="reveal"))

    # -- answering --------------------------------------------------------------------------------------------------

    def is_asked(self, seat: int) -> bool:
        """Whether a decision is open for this seat."""
        return any(self.state.seat_of(one.seat) == seat for one in self.state.open.values())

    def asked(self, seat: int) -> Decision:
        """The one decision that is open for this seat."""
        mine = [one for one in self.state.open.values() if self.state.seat_of(one.seat) == seat]
        assert len(mine) == 1, f"open for seat {seat}: {mine}; in all: {list(self.state.open.values())}"
        return mine[0]

    def choose(self, seat: int, option: str) -> list[Told]:
        """Answer a choice."""
        return self.play(seat, Choose(decision=self.asked(seat).id, option=option))

    def lay_anyhow(self) -> list[Told]:
        """If the discoverer has to say how the new tile lies, it lies in the first way."""
        seat = self.seat
        if self.is_asked(seat) and self.asked(seat).about.startswith("place:"):
            return self.choose(seat, self.asked(seat).options[0])
        return []

    def allocate(self, seat: int, **points: int) -> list[Told]:
        """Divide points."""
        return self.play(seat, Allocate(decision=self.asked(seat).id, points=points))

    def select(self, seat: int, *chosen: int) -> list[Told]:
        """Choose some of the offered things by their places."""
        return self.play(seat, Select(decision=self.asked(seat).id, chosen=list(chosen)))

    def moderate(self, faces: Sequence[int] = (), pick: str = "") -> list[Told]:
        """Answer for chance; by post as the die roller shows these faces."""
        decision = self.asked(MODERATOR).id
        if self.rules.edition.dice.die_roller:
            return self.play(MODERATOR, AnswerChance(decision=decision, rolled=[one + 1 for one in faces], pick=pick))
        return self.play(MODERATOR, AnswerChance(decision=decision, faces=list(faces), pick=pick))

    def all_ready(self) -> None:
        """Everybody is ready for the haunt."""
        for decision in list(self.state.open.values()):
            self.play(decision.seat, Choose(decision=decision.id, option="ready"))

    def since(self, commit: int) -> list[Told]:
        """All that was told after so many commits."""
        return [one for later in self.commits[commit:] for one in later]

    # -- looking ----------------------------------------------------------------------------------------------------

    def explorer(self, seat: int) -> Explorer:
        """An explorer as everybody sees it."""
        return self.roles[SPECTATORS].explorers[seat]

    def view(self, seat: int) -> State:
        """What this seat knows."""
        return self.roles[1 << seat]

    def seen(self, seat: int, monster: str) -> Monster:
        """A monster as this seat sees it."""
        return self.view(seat).monsters[MonsterId(monster)]

    def value(self, seat: int, trait: str) -> int:
        """The number on which a clip stands."""
        return self.explorer(seat).value(trait)

    def offers(self, seat: int, kind: type[AnyCommand] | None = None) -> list[AnyCommand]:
        """What this seat may do, from what it knows."""
        found = legal(self.rules, self.view(seat), seat)
        return [one for one in found if kind is None or isinstance(one, kind)]

    def goals(self, seat: int) -> list[str]:
        """Rooms that this seat is offered to walk to."""
        return [one.to for one in self.offers(seat) if isinstance(one, Move)]

    @contextmanager
    def refuses(self, rule: str = "", *, problem: str = "", says: str = "") -> Iterator[None]:
        """What is done here is refused, by this rule or as this problem, and changes nothing."""
        before = msgspec.json.encode(self.state)
        asked = len(self.fate.asked)
        with pytest.raises(Refused) as caught:
            yield
        refused = caught.value
        assert refused.rule == rule, f"refused by {refused.rule or refused.problem}: {refused.detail}"
        assert not problem or refused.problem == problem, f"refused as {refused.problem}: {refused.detail}"
        assert says in refused.detail, f"refused for: {refused.detail}"
        assert refused.detail, "a refusal says why"
        assert msgspec.json.encode(self.state) == before, "a refusal changes nothing"
        assert len(self.fate.asked) == asked, "a refusal rolls nothing"


def strewn(haunt: str, token: str, *rooms: str) -> Table:
    """A table in a haunt `h` of a test's own (YAML), with a token in each of these rooms.

    Seat 1 is the traitor, all are in the Entrance Hall, and seat 0 has the turn.
    """
    table = Table(game=rules_with(haunt=haunt))
    table.haunt("h", traitor=1)
    for room in rooms:
        table.token(token, room)
    return table


def _named(monster: str | None) -> MonsterId | None:
    return None if monster is None else MonsterId(monster)


def _figure(name: Aim) -> Figure:
    return name if is_explorer(name) else MonsterId(name)


def events(told: Sequence[Told], kind: type[E]) -> list[E]:
    """The events of one type in what was told."""
    return [one.event for one in told if isinstance(one.event, kind)]


def the(told: Sequence[Told], kind: type[E]) -> E:
    """The one event of a type in what was told."""
    found = events(told, kind)
    assert len(found) == 1, f"{len(found)} {kind.__name__} among {[type(one.event).__name__ for one in told]}"
    return found[0]


def kinds(told: Sequence[Told]) -> list[type[Event]]:
    """The types of the events in what was told, in their order."""
    return [type(one.event) for one in told]


def heard(told: Sequence[Told], seat: int) -> list[Told]:
    """What one seat was told of a commit."""
    return redact(told, 1 << seat)
