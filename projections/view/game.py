"""The game as one role sees it: everything public, and what this role alone was told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from content.patterns import whole
from domain.engine.rules import Rules
from domain.facts import events
from domain.facts.audience import REFEREE, SPECTATORS, Mask, principal_name, seat_bit
from domain.facts.events.base import Event
from domain.facts.state import State
from domain.rulebook.explore.moving import spaces_left
from domain.rulebook.turn.options import turn_decision
from projections.naming.names import Names
from projections.naming.questions import Asking
from projections.shapes import Floor, Id, Name, Number, Part, Seat, Shape, Spaces, Text, Title
from projections.view.desk import DeskView, RulingsView, desk_of, rulings_of
from projections.view.ending import EndingView, ending_of
from projections.view.haunts import HauntView, haunt_of
from projections.view.people import ExplorerView, MonsterView, SeatView, explorers_of, monsters_of, seats_of
from projections.view.reminders import Card, RuleId, shared_cards
from projections.view.rooms import PileView, RoomView, TokenView, open_floors_of, piles_of, rooms_of, tokens_of
from projections.view.stacks import CardView, DeckView, cards_of, decks_of
from projections.view.waiting import TIMELESS, Awaited, Times, awaited

SHOWN = {
    "State": (
        "game",
        "edition",
        "pack",
        "commit",
        "status",
        "arranged",
        "options",
        "scenario",
        "seats",
        "turn",
        "haunt",
        "companions",
        "companion_parts",
        "omens_drawn",
        "winner",
        "because",
        "sandbox",
    ),
    "Sandbox": ("of", "at", "sampled"),
    "Turn": ("number", "seat", "monsters", "active", "finished", "recovered", "acting", "drawn"),
    "Explorer": ("tracks", "at", "spent", "allowance", "stopped", "held", "cards"),
    "Monster": ("left",),
}
"""The fields of a role's state that are read here, besides what the parts of a view name; all others stay hidden."""

Status = Annotated[str, Meta(extra_json_schema={"enum": ["open", "started", "finished", "abandoned"]})]
Phase = Annotated[str, Meta(extra_json_schema={"enum": ["setup", "exploration", "haunt", "over"]})]


class ScenarioView(Shape, frozen=True, kw_only=True):
    """Why the group has entered the house."""

    id: Id
    title: Title
    text: Text


Role = Annotated[str, Meta(pattern=whole("^(seat:[0-5]|spectators|referee)$"))]
Eyes = Annotated[str, Meta(pattern=whole("^(seat:[0-5]|spectator|referee)$"))]


class TurnView(Shape, frozen=True, kw_only=True):
    """Whose turn it is."""

    number: Number
    """0 before the first turn."""
    seat: Seat | None
    monsters: bool
    """The monsters' turn, played by `seat`; where that is null, by the hidden traitor, whom this role was not told of."""
    acting: bool
    """The active player may still act; false while a turn ends, and between turns."""
    decision: Name
    """The decision that turn commands name; empty while something else has to be answered first."""
    spaces_left: Spaces
    """Spaces of movement left for the active explorer or monster."""
    active: Name
    """In the monsters' turn: the monster that is acting; when another one acts, its turn is over."""
    finished: list[Id]
    """Monsters that have acted in this monsters' turn."""
    drawn: list[Id]
    """Cards drawn in this turn, the latest last, which were read out to everyone."""


class SandboxView(Shape, frozen=True):
    """A fork is a sandbox: nothing in it changes the game that it comes from."""

    of: Id
    """The game that it is a fork of."""
    at: Number
    """The commit at which it starts."""
    sampled: bool
    """Whether what was hidden from its maker is invented; if not, it is true."""


class GameView(Shape, frozen=True, kw_only=True):
    """The game as one role sees it."""

    game: Id
    edition: Id
    pack: Id
    version: Number
    """The number of the latest commit."""
    role: Role
    you: Seat | None
    """The seat of the role; null for spectators and the referee."""
    looks_as: list[Eyes]
    """As whom this role may look, besides as itself, by `?as=`: for the referee, and for all once the game is over and disclosed.

    In a view of the past it is what held then: the newest view has what holds now.
    """
    status: Status
    phase: Phase
    arranged: bool
    """Whether it was prepared by a tape or a setup, so that it proves nothing about luck."""
    options: dict[str, Any]
    """What the table chose when the game was opened."""
    scenario: ScenarioView | None
    """Null where the pack has none to choose from, and before the start."""
    seats: list[SeatView]
    turn: TurnView
    waiting: list[Awaited]
    """What the game is waiting for. What the role itself may do is in its decisions."""
    explorers: list[ExplorerView]
    """By seat; empty before the start."""
    monsters: list[MonsterView]
    rooms: list[RoomView]
    """In the order in which they came into the house."""
    open_floors: list[Floor]
    """Floors with tiles that are not in the house yet: only their doorways can be explored."""
    tokens: list[TokenView]
    piles: list[PileView]
    companions: dict[str, Id]
    """Companions who wait for a new custodian, and their rooms."""
    companion_parts: dict[str, Part]
    """The side of a barrier on which a companion waits; 0 for companions not listed."""
    cards: dict[str, CardView]
    """Every card in somebody's possession, in a pile, waiting for a custodian, or drawn in this turn, by id."""
    decks: dict[str, DeckView]
    """`tiles`, `event`, `item`, `omen`."""
    omens_drawn: Number
    haunt: HauntView | None
    rulings: RulingsView
    desk: DeskView
    winner: Name
    """The side that has won; empty while nobody has."""
    because: Text
    """Why the game ended; empty while it goes on."""
    ending: EndingView | None
    """How it ended: when, who has won, and by which words of the rules; null while it goes on."""
    reminders: dict[Card, list[RuleId]]
    """The reference cards that lie where everybody sees them, by card: ids of rules. `getReminders` has their words."""
    sandbox: SandboxView | None
    """Present if this is a sandbox."""


def view_of(rules: Rules, state: State, principal: Mask, times: Times = TIMELESS) -> GameView:
    """What a role sees.

    Args:
        rules: of the game.
        state: the role's own: the fold of what it was told. The engine's would show it everything.
        principal: the bit of a seat, of the spectators or of the referee.
        times: of what it waits for.
    """
    rules = rules.of(state)
    asking = Asking(rules, state)
    names = asking.names
    seat = _seat(principal)
    return GameView(
        game=state.game,
        edition=state.edition,
        pack=state.pack,
        version=state.commit,
        role=principal_name(principal),
        you=seat,
        looks_as=_looks_as(state, principal),
        status=state.status,
        phase=phase_of(state),
        arranged=state.arranged,
        options=dict(state.options),
        scenario=_scenario(rules, state),
        seats=seats_of(state),
        turn=_turn(rules, state),
        waiting=awaited(asking, state, times),
        explorers=explorers_of(names, state),
        monsters=monsters_of(rules, names, state),
        rooms=rooms_of(rules, state),
        open_floors=open_floors_of(rules, state),
        tokens=tokens_of(rules, names, state),
        piles=piles_of(state),
        companions=dict(state.companions),
        companion_parts=dict(state.companion_parts),
        cards=cards_of(rules, state),
        decks=decks_of(rules, state),
        omens_drawn=state.omens_drawn,
        haunt=haunt_of(rules, state, seat),
        rulings=rulings_of(state),
        desk=desk_of(state, seat),
        winner=state.winner,
        because=state.because,
        ending=ending_of(rules, state),
        reminders=shared_cards(rules.edition),
        sandbox=_sandbox(state),
    )


def _changes(*parts: str, by: Iterable[type[Event]]) -> dict[type[Event], frozenset[str]]:
    return dict.fromkeys(by, frozenset(parts))


CHANGES: dict[type[Event], frozenset[str]] = {
    **_changes(by=(events.ActionTaken, events.AttackDecided, events.ChanceAnswered, events.DamageTaken)),
    **_changes(by=(events.DecisionClosed, events.DecisionOpened, events.Declined, events.DiceRerolled)),
    **_changes(by=(events.DiceRolled, events.Fizzled, events.HarmIgnored, events.HauntRolled, events.MonsterChosen)),
    **_changes(by=(events.OmenOwed, events.OptionsTold, events.RuleApplied, events.StackLookedThrough)),
    **_changes(by=(events.Suspended, events.TradeProposed, events.TurnEnded, events.Used)),
    **_changes(by=(events.DamageReduced, events.ResultNamed)),
    **_changes("cards", by=(events.CardTurned, events.RowRead)),
    **_changes("cards", "decks", "haunt", "omens_drawn", by=(events.CardDrawn,)),
    **_changes("cards", "desk", "explorers", "haunt", "monsters", "rulings", by=(events.TurnStarted,)),
    **_changes("cards", "explorers", by=(events.CardGained, events.CardLost)),
    **_changes("cards", "monsters", by=(events.MonsterParted, events.MonsterTook)),
    **_changes("cards", "piles", by=(events.PileChanged,)),
    **_changes("decks", by=(events.BackSeen, events.CardDiscarded, events.StackContents, events.StackShuffled)),
    **_changes("decks", by=(events.SlotSeen, events.StackReordered, events.TileDrawn, events.TileSetAside)),
    **_changes("decks", "open_floors", "rooms", by=(events.TilePlaced,)),
    **_changes("explorers", by=(events.ExplorerFreed, events.ExplorerHeld, events.MovementSpent, events.TraitChanged)),
    **_changes("explorers", "monsters", by=(events.AttackSpent, events.ExplorerAttacked, events.Moved, events.Stopped)),
    **_changes("explorers", "monsters", "rooms", by=(events.TileMoved,)),
    **_changes("haunt", by=(events.CounterMoved, events.PartUsed, events.SecretChosen)),
    **_changes("haunt", "monsters", by=(events.MonsterPlaced,)),
    **_changes("haunt", "tokens", by=(events.TokenRemoved,)),
    **_changes("monsters", by=(events.MonsterRecovered, events.MonstersRolled, events.MonsterStunned)),
    **_changes("rooms", by=(events.WayClosed, events.WayOpened)),
    **_changes("cards", "companion_parts", "haunt", "piles", "rooms", "tokens", by=(events.TokenPlaced,)),
}
"""What frequent events change in a view besides `version`, `turn` and `waiting`; any other event may change everything."""

_REMADE: dict[str, Callable[[Rules, Names, State, int | None], object]] = {
    "cards": lambda rules, _names, state, _seat: cards_of(rules, state),
    "companion_parts": lambda _rules, _names, state, _seat: dict(state.companion_parts),
    "decks": lambda rules, _names, state, _seat: decks_of(rules, state),
    "desk": lambda _rules, _names, state, seat: desk_of(state, seat),
    "explorers": lambda _rules, names, state, _seat: explorers_of(names, state),
    "haunt": lambda rules, _names, state, seat: haunt_of(rules, state, seat),
    "monsters": lambda rules, names, state, _seat: monsters_of(rules, names, state),
    "omens_drawn": lambda _rules, _names, state, _seat: state.omens_drawn,
    "open_floors": lambda rules, _names, state, _seat: open_floors_of(rules, state),
    "piles": lambda _rules, _names, state, _seat: piles_of(state),
    "rooms": lambda rules, _names, state, _seat: rooms_of(rules, state),
    "rulings": lambda _rules, _names, state, _seat: rulings_of(state),
    "tokens": lambda rules, names, state, _seat: tokens_of(rules, names, state),
}
"""How each of them is made."""


def view_after(last: GameView, told: Iterable[Event], rules: Rules, state: State, principal: Mask) -> GameView:
    """What a role sees after its `last` view: what `view_of` says, but parts that no event has changed are taken over.

    Args:
        last: of the same role, without deadlines.
        told: everything that it was told since.
        rules: of the game.
        state: as for `view_of`, with these events in it.
        principal: the role's bit.
    """
    changed: set[str] = set()
    for kind in {type(event) for event in told}:
        if kind not in CHANGES:
            return view_of(rules, state, principal)
        changed |= CHANGES[kind]
    rules = rules.of(state)
    asking, seat = Asking(rules, state), _seat(principal)
    return replace(
        last,
        version=state.commit,
        turn=_turn(rules, state),
        waiting=awaited(asking, state),
        **{part: _REMADE[part](rules, asking.names, state, seat) for part in changed},
    )


def _seat(principal: Mask) -> int | None:
    return None if principal in (SPECTATORS, REFEREE) else principal.bit_length() - 1


def _looks_as(state: State, principal: Mask) -> list[str]:
    is_disclosed = phase_of(state) == "over" and state.options.get("disclosure", "end") == "end"
    if principal != REFEREE and not is_disclosed:
        return []
    eyes = {
        REFEREE: "referee",
        **{seat_bit(seat): f"seat:{seat}" for seat in range(state.seats)},
        SPECTATORS: "spectator",
    }
    return [name for bit, name in eyes.items() if bit != principal]


def _sandbox(state: State) -> SandboxView | None:
    found = state.sandbox
    return None if found is None else SandboxView(found.of, found.at, found.sampled)


def _scenario(rules: Rules, state: State) -> ScenarioView | None:
    """Why the group has entered the house; nothing of where that leads."""
    chosen = rules.pack.scenarios.get(state.scenario)
    return None if chosen is None else ScenarioView(id=chosen.id, title=chosen.title, text=chosen.text)


def phase_of(state: State) -> str:
    """`setup`, `exploration`, `haunt` (from its revelation on) or `over`."""
    if state.status == "started":
        return "exploration" if state.haunt is None else "haunt"
    return "over" if state.status in ("finished", "abandoned") else "setup"


def _turn(rules: Rules, state: State) -> TurnView:
    turn = state.turn
    seat = state.seat_of(turn.seat)
    left = 0
    if turn.monsters:
        left = state.monsters[turn.active].left if turn.active in state.monsters else 0
    elif seat >= 0:
        left = spaces_left(rules, state, seat)
    return TurnView(
        number=turn.number,
        seat=seat if seat >= 0 else None,
        monsters=turn.monsters,
        acting=turn.acting,
        decision=turn_decision(state),
        spaces_left=max(0, left),
        active=turn.active,
        finished=[*turn.finished, *turn.recovered],
        drawn=list(turn.drawn),
    )
