"""Labels: what a command does, in words that fit a button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.engine.rules import Rules
from domain.facts.commands import (
    Act,
    Allocate,
    AnswerChance,
    AnyCommand,
    Attack,
    BreakFree,
    Choose,
    Cross,
    Demand,
    Drop,
    EndTurn,
    Explore,
    FlipCoin,
    LookThrough,
    Loot,
    Move,
    PickUp,
    ProposeRuling,
    Reveal,
    Select,
    TakeBack,
    Trade,
)
from domain.facts.state import Decision, Figure, MonsterId, State
from domain.rulebook.explore.crossing import rolls_to_cross
from domain.rulebook.explore.moving import leaving_penalty, spaces_left
from projections.naming.names import Names, counted, enumerated
from projections.naming.questions import Asking

SHOWN = {
    "State": ("turn", "rooms", "explorers", "monsters", "options"),
    "Turn": ("seat", "monsters"),
    "Explorer": ("held",),
    "Held": ("trait", "at_least"),
}
"""The fields of a role's state that are read here, besides names and the cost of a step; all others stay hidden."""


LONGEST = 120
"""Characters of a label; a longer one, of eight cards that are dropped at once, has an ellipsis, before its warning if there is one."""


class Labels:
    """Labels for the commands of one seat, in one state."""

    __slots__ = ("asking", "costs", "names", "rules", "state")

    def __init__(self, rules: Rules, state: State, *, seen_only: bool = False) -> None:
        """Bind; `state` is the role's own, `seen_only` as for `Names`."""
        self.rules = rules
        self.state = state
        self.asking = Asking(rules, state, seen_only=seen_only)
        self.names: Names = self.asking.names
        self.costs: dict[Figure, str] = {}

    def of(self, command: AnyCommand, decision: Decision | None = None) -> str:
        """The label of a command, as long as the contract allows: `Move to the Attic (1 space)`, `Attack Rat 2 with Axe`.

        Args:
            command: one that the seat may post now.
            decision: the open decision that it answers; None for those of the turn.
        """
        label = TURN[type(command)](self, command) if decision is None else self._answer(command, decision)
        return label if len(label) <= LONGEST else _shortened(label)

    def _answer(self, command: AnyCommand, decision: Decision) -> str:
        if isinstance(command, Allocate):
            return _division(self, decision, command.points)
        if isinstance(command, Select):
            return _selection(decision, command.chosen)
        if isinstance(command, AnswerChance) and (command.faces or command.rolled):
            total = "" if command.total is None else f": {command.total}"
            return f"Rolled {' '.join(map(str, command.faces or command.rolled))}{total}"
        option = command.option if isinstance(command, Choose) else getattr(command, "pick", "")
        return f"{self.asking.option(decision, option)}{self.asking.option_leads_to(decision, option)}"

    def figure(self, monster: MonsterId | None) -> Figure:
        """Whom a command is about."""
        return self.state.turn.seat if monster is None else monster

    def actor(self, monster: MonsterId | None) -> str:
        """How a label begins: with the monster that acts, or with nothing."""
        return "" if monster is None else f"{self.names.monster(monster)}: "

    def cost(self, monster: MonsterId | None) -> str:
        """What leaving the room costs; the same for every way out."""
        figure = self.figure(monster)
        if figure not in self.costs:
            cost, left = (
                1 + leaving_penalty(self.rules, self.state, figure),
                spaces_left(self.rules, self.state, figure),
            )
            # a first step that costs more than is left takes all of it (2E-PAST-003)
            self.costs[figure] = "all movement left" if cost > left > 0 else counted(cost, "space")
        return self.costs[figure]


def _shortened(label: str) -> str:
    """A label that is too long, without what stands before its warning."""
    head, bracket, end = label.rpartition(" (")
    warning = f"{bracket}{end}" if label.endswith(")") and len(end) < LONGEST // 2 else ""
    return f"{(head if warning else label)[: LONGEST - 1 - len(warning)]}…{warning}"


def _move(a: Labels, command: Move) -> str:
    end = a.asking.endings.of_move(a.state.turn.seat, command.to) if command.monster is None else ""
    return f"{a.actor(command.monster)}Move to {a.names.the_room(command.to)} ({a.cost(command.monster)}){end}"


def _explore(a: Labels, command: Explore) -> str:
    return f"{a.actor(command.monster)}Explore through the {command.door} door ({a.cost(command.monster)})"


def _cross(a: Labels, command: Cross) -> str:
    figure = a.figure(command.monster)
    room, _part = a.state.stands_at(figure)
    barrier = a.rules.pack.tiles[room].barrier
    rolls = rolls_to_cross(a.state, figure)
    needs = f"{barrier.trait.capitalize()} {a.rules.to_cross(a.state, barrier)}+" if barrier and rolls else ""
    roll = a.asking.endings.of_crossing(figure, needs) if needs else ""
    return f"{a.actor(command.monster)}Cross {a.names.the_room(room)}{roll}"


def _act(a: Labels, command: Act) -> str:
    target = ""
    if command.target is not None:
        itself = command.target == a.figure(command.monster)
        target = "yourself" if itself else a.names.figure(command.target)
    deed = a.asking.deed(command.source, command.word, target)
    end = a.asking.leads_to(a.figure(command.monster), command.source, command.word, command.target)
    return f"{a.actor(command.monster)}{deed}{end}"


def _break_free(a: Labels, command: BreakFree) -> str:
    held = a.state.explorers[command.seat].held
    roll = f" ({held.trait.capitalize()} {held.at_least}+)" if held is not None else ""
    whom = "Break free" if command.seat == a.state.turn.seat else f"Free {a.names.figure(command.seat)}"
    return f"{whom}{roll}{a.asking.endings.of_break_free(command.seat)}"


def _attack(a: Labels, command: Attack) -> str:
    weapon = f" with {a.names.card(command.weapon)}" if command.weapon is not None else ""
    end = a.asking.endings.of_attack(a.figure(command.monster), command.target, command.weapon) if weapon else ""
    return f"{a.actor(command.monster)}Attack {a.names.figure(command.target)}{weapon}{end}"


def _trade(a: Labels, command: Trade) -> str:
    partner, gives, wants = a.names.figure(command.partner), a.names.cards(command.gives), a.names.cards(command.wants)
    figure = a.figure(command.monster)
    end = a.asking.endings.of_trade(figure, command.partner, command.gives, command.wants)
    if not gives:
        return f"Ask {partner} for {wants}{end}"
    return f"{a.actor(command.monster)}Offer {gives} to {partner}{f' for {wants}' if wants else ''}{end}"


def _drop(a: Labels, command: Drop) -> str:
    end = a.asking.endings.of_drop(a.figure(command.monster), command.cards)
    return f"{a.actor(command.monster)}Drop {a.names.cards(command.cards)}{end}"


def _pick_up(a: Labels, command: PickUp) -> str:
    return f"{a.actor(command.monster)}Pick up {a.names.cards(command.cards)}"


def _look_through(_a: Labels, _command: LookThrough) -> str:
    return "Look through the stack of tiles, which is then shuffled"


def _loot(a: Labels, command: Loot) -> str:
    taken = f"Take {a.names.card(command.card)} from the corpse of {a.names.figure(command.corpse)}"
    return f"{a.actor(command.monster)}{taken}"


def _end_turn(a: Labels, _command: EndTurn) -> str:
    return "End the monsters' turn" if a.state.turn.monsters else f"End the turn{a.asking.endings.of_end_turn()}"


def _reveal(_a: Labels, _command: Reveal) -> str:
    return "Reveal yourself as the traitor"


def _take_back(_a: Labels, command: TakeBack) -> str:
    return f"Take back everything since commit {command.to}"


def _demand(a: Labels, command: Demand) -> str:
    return f"Have this read out: {a.names.part(command.part)}"


def _propose(_a: Labels, command: ProposeRuling) -> str:
    return f"Propose the ruling: {command.text}"


def _flip(_a: Labels, command: FlipCoin) -> str:
    return f"Flip a coin: {enumerated(command.options, 'or')}"


TURN: dict[type[Any], Callable[[Labels, Any], str]] = {
    Move: _move,
    Explore: _explore,
    Cross: _cross,
    Act: _act,
    BreakFree: _break_free,
    Attack: _attack,
    Trade: _trade,
    Drop: _drop,
    PickUp: _pick_up,
    LookThrough: _look_through,
    Loot: _loot,
    EndTurn: _end_turn,
    Reveal: _reveal,
    TakeBack: _take_back,
    Demand: _demand,
    ProposeRuling: _propose,
    FlipCoin: _flip,
}
"""By type: the label of a command that is not the answer to a question."""


def _division(a: Labels, decision: Decision, points: dict[str, int]) -> str:
    shares = {trait: share for trait, share in points.items() if share}
    if decision.about == "heal":
        return (
            f"Raise {enumerated([f'{trait.capitalize()} by {share}' for trait, share in shares.items()]) or 'nothing'}"
        )
    end = a.asking.endings.of_losses(decision.seat, shares)
    return f"Take {', '.join(f'{share} from {trait.capitalize()}' for trait, share in shares.items())}{end}"


def _selection(decision: Decision, chosen: list[int]) -> str:
    dice = [f"die {place + 1} (a {decision.options[place]})" for place in chosen]
    return f"Reroll {enumerated(dice)}" if dice else "Keep all dice"
