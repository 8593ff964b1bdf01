"""Labels warn: whoever dies, stops, ends a turn or uses a card up by an own command has read on a label that it may come to that.

Exempt is what nobody can know: what a card or a tile does that comes up on the way, another turn, and what others answer. An attack
warns by its name: whoever loses the fight is hurt.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from domain.engine.rules import Rules
from domain.facts.audience import seat_bit
from domain.facts.commands import Act, AnyCommand, EndTurn, Explore
from domain.facts.events import (
    AnyEvent,
    CardDiscarded,
    CardDrawn,
    ExplorerDied,
    HauntBegun,
    Stopped,
    TileDrawn,
    TurnEnded,
    TurnStarted,
    Used,
)
from domain.facts.state import MODERATOR, State
from domain.rulebook.turn.options import legal
from projections.naming.labels import Labels
from tests.laws.playout import awaited, open_table, pick
from tests.laws.trying import Roles

SURE = re.compile(r"\((?:.*, )?deadly(?: for [^,)]*)?[,)]")
"""A label that promises a death."""
DARING = 0.3
"""How often a command is done that has a warning, where there is one: random play alone would seldom die of itself."""


@dataclass
class Chain:
    """What one player does until nothing is open: a command and the answers that it asks for."""

    actor: int = -1
    source: str = ""
    labels: list[str] = field(default_factory=list)
    stopped: bool = False
    """Movement was over before."""
    promised: str = ""
    """A label that promised a death which has not come yet."""
    beyond: bool = False
    """Something came up that no label can tell of."""

    def says(self, *words: str) -> bool:
        """Whether one of its labels has one of these words."""
        return any(word in label for label in self.labels for word in words)


def labels_warn(rules: Rules, seed: int, *, seats: int = 4, haunt: str = "") -> tuple[int, list[str]]:
    """Play a game at random.

    Returns:
        How many deaths, stops, ends of turns and uses were held against labels, and what was amiss.
    """
    game, lot = open_table(rules, seed, seats=seats, haunt=haunt), random.Random(seed)
    roles, chain = Roles(game), Chain()
    held, amiss = 0, []
    while game.state.status == "started":
        actor = awaited(game.state)
        roles.follow()
        known = game.state if actor == MODERATOR else roles.of(seat_bit(actor))
        command, label = _choose(lot, rules, known, legal(rules, game.state, actor))
        if not game.state.open:
            chain = Chain(actor, command.source if isinstance(command, Act) else "")
        chain.beyond |= actor != chain.actor or isinstance(command, EndTurn | Explore)
        chain.labels.append(label)
        if SURE.search(label):
            chain.promised = label
        monsters = game.state.turn.monsters
        chain.stopped = actor >= 0 and game.state.explorers[actor].stopped
        events = [one.event for one in game.do(actor, command)]
        for event in events:
            what = "" if monsters else _unsaid(chain, event, command)
            held += what is not None and not chain.beyond
            if what:
                amiss.append(f"{game.name} {haunt} {game.state.commit}: {what} after {chain.labels}")
            if isinstance(event, CardDrawn | TileDrawn | TurnEnded | TurnStarted | HauntBegun):
                chain.beyond = True
            if isinstance(event, ExplorerDied):
                chain.promised = ""
        if chain.promised and not game.state.open:
            amiss.append(f"{game.name} {haunt} {game.state.commit}: nobody died of {chain.promised!r}")
            chain.promised = ""
    return held, amiss


def _choose(lot: random.Random, rules: Rules, known: State, commands: list[AnyCommand]) -> tuple[AnyCommand, str]:
    """A command with its label, often one with a warning."""
    labels = Labels(rules.of(known), known)
    chosen = pick(lot, commands)
    if lot.random() < DARING:
        some = lot.sample(commands, min(12, len(commands)))
        daring = [one for one in some if "deadly" in labels.of(one, known.open.get(one.decision))]
        chosen = daring[0] if daring else chosen
    return chosen, labels.of(chosen, known.open.get(chosen.decision))


def _unsaid(chain: Chain, event: AnyEvent, command: AnyCommand) -> str | None:
    """What no label told of this event; empty: nothing; None: it is not one of which labels tell."""
    if chain.beyond and not isinstance(event, ExplorerDied):
        return None
    match event:
        case ExplorerDied() if event.seat == chain.actor:
            return "" if chain.beyond or chain.says("deadly", "skull", "Attack ") else "a death"
        case Stopped() if event.figure == chain.actor:
            return "" if chain.stopped or chain.says("movement", "turn", "deadly") else "a stop"
        case TurnEnded() if event.seat == chain.actor:
            return "" if chain.says("turn", "deadly", "skull", "leave the house", "Attack ") else "the end of a turn"
        case CardDiscarded() if chain.source == f"card:{event.card}":
            return "" if chain.says("the card up") else "a card used up"
        case Used() if (
            isinstance(command, Act) and event.key.split("#")[0] == chain.source and "haunt:" not in event.key
        ):
            return "" if chain.says("use this turn", "only use", "card up", "several times") else "a use"
    return None
