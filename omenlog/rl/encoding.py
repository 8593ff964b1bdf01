"""Actions by number: every legal command of a seat is one of a fixed number of actions, which the data of the pack make.

An action has four words: verb, source, target, and who does it. Which there are depends on the pack and the number of seats alone, never on a
position. Three kinds of words stand for something of the position, so that their number is fixed:

- `monster:3` is the fourth monster of those that the seat knows to be in the house, in the order in which they came;
- `attic:north@2` is the place north of the Attic for a tile that is turned twice. Of several neighbors one counts, always the same;
- `other:5` is the sixth of the commands that no other action means, in the order in which they are listed: ways to lay out a floor anew or to
  divide nine points and more among four traits, and what monsters beyond the twentieth do. Of more than 64, `more` shows the next.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, SupportsIndex

import msgspec

from content.vocabulary.base import DECKS, TRAITS
from content.vocabulary.effects import ChooseSecret, Option
from content.vocabulary.pack import Action
from domain.engine.rules import Rules
from domain.engine.tables import Tables
from domain.facts.commands import (
    Act,
    Allocate,
    AnswerChance,
    AnyCommand,
    Attack,
    BreakFree,
    ByCharacter,
    Choose,
    Cross,
    Demand,
    Drop,
    EndTurn,
    Enter,
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
from domain.facts.grid import DIRECTIONS, STEP, cell
from domain.facts.state import Aim, MonsterId, State, is_explorer
from domain.house.placing import Spot
from domain.rulebook.explore.walls import CORNERS
from domain.rulebook.turn.acting import OWN_TURN
from domain.rulebook.turn.options import LISTED, divisions, legal
from projections.naming.questions import FIXED

MONSTERS = 20
"""Monsters that have actions and a place in observations of their own. In random play hardly a game has more than 13 at once."""
OTHERS = 64
"""Commands without an action of their own that are shown at once."""
LOOKED_AT = 4
"""Cards or tiles on top of a stack that can be put in another order."""
HIGHEST = 16
"""The highest number that can be named."""
POINTS = 8
"""Points divided among all traits; most ways to divide more of them are `other`."""
DICE = 8
"""Dice of a roll; with more of them some choices of dice to roll again are `other`."""
ALL = "all"
"""In place of a card: all of them at once."""
SELF = "self"
"""Who does it: the seat's own explorer, or whoever else is the only one who can."""
OTHER, MORE = "other", "more"
SIDES = dict(zip(DIRECTIONS, STEP, strict=True)) | {
    name: (STEP[one][0] + STEP[two][0], STEP[one][1] + STEP[two][1]) for name, (one, two) in CORNERS.items()
}
"""Where a cell lies, seen from its neighbor; corners count where no neighbor is beside it."""
ANSWERS = ("yes", "no", "pass", "reveal", "pay", "keep")


class Words(NamedTuple):
    """What an action means."""

    verb: str
    """The type of the command, or the word of what a piece offers: `DRINK`."""
    source: str
    """What it is done with: `card:axe`, `haunt:heroes`; empty for answers, as the observation says what is asked."""
    target: str
    """A room, a door, `seat:2`, `monster:0`, an answer, a division of points (`might=1+speed=1`); or empty."""
    actor: str
    """`self`, or the monster that does it: `monster:0`."""


class Row(NamedTuple):
    """Actions of one verb and source: for each target one for each who may do it."""

    start: int
    targets: Mapping[str, int]
    actors: int


class Encoding:
    """The actions of a pack for a number of seats. `action_space` is `Discrete(encoding.size)`."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self._rows: dict[tuple[str, str], Row] = {}
        self.size = 0
        for verb, source, targets, actors in _rows(rules, seats):
            self._rows[verb, source] = Row(self.size, {target: at for at, target in enumerate(targets)}, actors)
            self.size += len(targets) * actors
        self._numbers = {
            (verb, source, target): (row.start + at * row.actors, row.actors)
            for (verb, source), row in self._rows.items()
            for target, at in row.targets.items()
        }
        """By verb, source and target: the first action that means them, and how many may do it."""
        self._words = [
            Words(verb, source, target, f"monster:{actor - 1}" if actor else SELF)
            for verb, source, row in self.rows()
            for target in row.targets
            for actor in range(row.actors)
        ]
        self._others = self._rows[OTHER, ""].start
        self.more = self._rows[MORE, ""].start
        """The action that shows the next of the commands which have no action of their own."""

    # -- what actions mean ---------------------------------------------------------------------------------------------

    def words(self, action: SupportsIndex) -> Words:
        """What an action means, in words that do not depend on the position. Raises `IndexError` if there is no such action."""
        number = operator.index(action)
        if number < 0:
            raise IndexError(number)
        return self._words[number]

    def index(self, words: Words | Sequence[str]) -> int:
        """The action that means this. Raises `KeyError` if none does."""
        verb, source, target, actor = words
        row = self._rows[verb, source]
        place = 0 if actor == SELF else int(actor.removeprefix("monster:")) + 1
        if place >= row.actors:
            raise KeyError(words)
        return row.start + row.targets[target] * row.actors + place

    def rows(self) -> Iterator[tuple[str, str, Row]]:
        """Verb, source, and their actions: target `t` done by actor `a` is the number `start + targets[t] * actors + a`."""
        for (verb, source), row in self._rows.items():
            yield verb, source, row

    # -- what may be done ----------------------------------------------------------------------------------------------

    def legal(self, state: State, seat: int, page: int = 0) -> dict[int, AnyCommand | None]:
        """By action: the commands that a seat may give, from what it knows; None for `more`."""
        found: dict[int, AnyCommand | None] = {}
        others: list[AnyCommand] = []
        position = Position(state)
        for command in every(self.rules, state, seat):
            action = self._number(command, position)
            if action < 0 or action in found:
                others.append(command)
            else:
                found[action] = command
        if others:
            pages = -(-len(others) // OTHERS)
            begin = page % pages * OTHERS
            found |= dict(enumerate(others[begin : begin + OTHERS], self._others))
            if pages > 1:
                found[self.more] = None
        return found

    def _number(self, command: AnyCommand, position: Position) -> int:
        """The action of a command; -1 if it has none of its own."""
        found = self._numbers.get(SAID[type(command)](command, position))
        if found is None:
            return -1
        number, actors = found
        if actors == 1 or not isinstance(command, ByCharacter) or command.monster is None:
            return number
        actor = position.actor(command.monster)
        return number + actor if actor < actors else -1


class Position:
    """What the words of actions stand for in a position as a seat knows it."""

    __slots__ = ("monsters", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.monsters = {name: number for number, name in enumerate(state.monsters)}

    def aim(self, aim: Aim | None) -> str:
        if aim is None:
            return ""
        return f"seat:{aim}" if is_explorer(aim) else self.named(str(aim))

    def named(self, word: str) -> str:
        """A word as actions say it: of a monster its number."""
        number = self.monsters.get(MonsterId(word))
        return word if number is None else f"monster:{number}"

    def actor(self, monster: MonsterId) -> int:
        return self.monsters.get(monster, MONSTERS) + 1

    def answer(self, option: str) -> str:
        """An option as actions say it: of a place for a tile its neighbor."""
        if "@" in option and option.count(":") == 2:  # noqa: PLR2004 -- floor:x:y@turns
            spot = Spot.of(option)
            for side, (dx, dy) in SIDES.items():
                neighbor = self.state.grid.get(cell(spot.floor, spot.x - dx, spot.y - dy))
                if neighbor is not None:
                    return f"{neighbor}:{side}@{spot.turns}"
        return self.named(option)


Said = tuple[str, str, str]
"""Verb, source and target of a command."""


def _act(command: Act, position: Position) -> Said:
    return command.word, command.source, position.aim(command.target)


def _attack(command: Attack, position: Position) -> Said:
    return "attack", f"card:{command.weapon}" if command.weapon else "", position.aim(command.target)


def _trade(command: Trade, _position: Position) -> Said:
    if command.gives and command.wants:
        return "trade", "", ""
    verb, cards = ("trade", command.gives) if command.gives else ("ask", command.wants)
    return verb, _cards(cards), f"seat:{command.partner}"


def _plain(command: AnyCommand, _position: Position) -> Said:
    return str(command.__struct_config__.tag), "", ""


SAID: dict[type, Callable[[Any, Position], Said]] = {
    Move: lambda command, _: ("move", "", command.to),
    Choose: lambda command, position: ("choose", "", position.answer(command.option)),
    Explore: lambda command, _: ("explore", "", command.door),
    Act: _act,
    Attack: _attack,
    Trade: _trade,
    Drop: lambda command, _: ("drop", _cards(command.cards), ""),
    PickUp: lambda command, _: ("pick-up", _cards(command.cards), ""),
    Loot: lambda command, _: ("loot", _cards([command.card]), f"seat:{command.corpse}"),
    BreakFree: lambda command, _: ("break-free", "", f"seat:{command.seat}"),
    Allocate: lambda command, _: ("allocate", "", divided(command.points)),
    Select: lambda command, _: ("select", "", "+".join(map(str, command.chosen))),
    **dict.fromkeys((AnswerChance, Cross, Demand, EndTurn, Enter, FlipCoin), _plain),
    **dict.fromkeys((LookThrough, ProposeRuling, Reveal, TakeBack), _plain),
}
"""By type of command: how it is said. A test holds that no type is missing."""


def _cards(cards: Sequence[str]) -> str:
    return f"card:{cards[0]}" if len(cards) == 1 else ALL


def divided(points: Mapping[str, int]) -> str:
    """How points are divided: `might=1+speed=1`."""
    return "+".join(f"{trait}={points[trait]}" for trait in TRAITS if points.get(trait))


def every(rules: Rules, state: State, seat: int) -> list[AnyCommand]:
    """Every command that a seat may give, and of points all divisions, however many."""
    found = legal(rules, state, seat)
    if len(found) <= LISTED:
        return found
    cut = [one for one in state.open.values() if one.kind == "allocation" and state.seat_of(one.seat) == seat]
    for decision in cut:
        found = [one for one in found if one.decision != decision.id]
        for total in range(decision.total, -1 if decision.up_to else decision.total - 1, -1):
            found += [Allocate(decision=decision.id, points=points) for points in divisions(decision.caps, total)]
    return found


# -- which actions a pack has ----------------------------------------------------------------------------------------------------


def _rows(rules: Rules, seats: int) -> Iterator[tuple[str, str, Sequence[str], int]]:
    """Verb, source, targets, and how many may do it."""
    pack, cards_may = rules.pack, rules.edition.cards
    rooms = list(pack.tiles)
    everybody = 1 + MONSTERS
    figures = [f"seat:{seat}" for seat in range(seats)]
    alike = [*figures, *(f"monster:{number}" for number in range(MONSTERS))]
    kinds = [kind for haunt in pack.haunts.values() for kind in haunt.monsters.values()]
    carriers = everybody if any(kind.carries for kind in kinds) else 1
    armed = everybody if any(kind.uses_items for kind in kinds) else 1
    cards = {**pack.cards, **pack.items}
    held = [card for card, one in cards.items() if one.deck != "event" or card in pack.items]

    yield "move", "", rooms, everybody
    yield "explore", "", DIRECTIONS, everybody if any(kind.explores for kind in kinds) else 1
    yield "cross", "", [""], everybody
    for verb in ("end-turn", "look-through", "reveal"):
        yield verb, "", [""], 1
    yield "break-free", "", figures, 1
    yield "attack", "", alike, everybody
    for card, one in cards.items():
        if one.attack is not None:
            yield "attack", f"card:{card}", alike, armed
    for word, source, targets, by_monsters in _deeds(pack, rooms, alike):
        yield word, source, targets, everybody if by_monsters else 1
    for card in held:  # that is given or dropped by whoever has it
        yield "trade", f"card:{card}", figures, 1
        if cards_may.trade_any:
            yield "ask", f"card:{card}", figures, 1
        if cards_may.corpses_keep:
            yield "loot", f"card:{card}", figures, carriers
        if cards_may.piles:
            yield "drop", f"card:{card}", [""], 1
            yield "pick-up", f"card:{card}", [""], carriers
    if cards_may.piles:
        yield "drop", ALL, [""], carriers
        yield "pick-up", ALL, [""], carriers
    yield "allocate", "", _divisions(), 1
    yield "select", "", list(_selections()), 1
    yield "choose", "", list(dict.fromkeys(_answers(pack, rooms, alike, held))), 1
    yield OTHER, "", [str(number) for number in range(OTHERS)], 1
    yield MORE, "", [""], 1


def _offers(pack: Tables) -> Iterator[tuple[str, Action]]:
    """Source and action of all that is offered on turns; a book's source does not name its haunt."""
    for key, offers in [*pack.offers.items(), *pack.unplaced.items()]:
        kind, _, name = key.partition(":")
        _, _, book = name.partition("#")
        source = (
            key if not book else f"box:{book.removeprefix('monsters.')}" if "monsters." in book else f"{kind}:{book}"
        )
        yield from ((source, one.action) for one in offers if one.action.when in OWN_TURN)


def _deeds(pack: Tables, rooms: list[str], figures: list[str]) -> Iterator[tuple[str, str, list[str], bool]]:
    """Word and source, what that can be done to, and whether monsters do it: in any haunt."""
    aims: dict[tuple[str, str], dict[str, None]] = {}
    by_monsters: set[tuple[str, str]] = set()
    for source, action in _offers(pack):
        found = rooms if action.room is not None else figures if action.target is not None else [""]
        aims.setdefault((action.word, source), {}).update(dict.fromkeys(found))
        if action.for_ != "explorers" or source.startswith("box:"):
            by_monsters.add((action.word, source))
    for (word, source), targets in aims.items():
        yield word, source, list(targets), (word, source) in by_monsters


def _divisions() -> list[str]:
    """All ways to divide up to eight points, and any number between two traits of a kind."""
    found = [points for points in itertools.product(range(9), repeat=4) if sum(points) <= POINTS]
    pairs = itertools.product(range(9), repeat=2)
    found += [points for one, two in pairs if one + two > POINTS for points in ((one, two, 0, 0), (0, 0, one, two))]
    return [divided(dict(zip(TRAITS, points, strict=True))) for points in found]


def _selections() -> Iterator[str]:
    for size in range(DICE + 1):
        for places in itertools.combinations(range(DICE), size):
            yield "+".join(map(str, places))


def _answers(pack: Tables, rooms: list[str], figures: list[str], held: list[str]) -> Iterator[str]:
    """Everything that an option can be called."""
    yield from ANSWERS
    yield from (option for _, option in FIXED)
    yield from map(str, range(HIGHEST + 1))
    yield from TRAITS
    yield from (*DECKS, "tiles")
    yield from SIDES
    for size in range(2, LOOKED_AT + 1):
        yield from ("-".join(map(str, order)) for order in itertools.permutations(range(1, size + 1)))
    yield from figures
    yield from rooms
    yield from (*pack.cards, *pack.items)
    yield from (f"{errand}:{card}" for errand in ("bring", "carry") for card in held)
    yield from pack.scenarios
    for card, offers in pack.reactions.items():
        yield from (f"card:{card}#{one.action.word}" for one in offers)
    for found in _found_in(pack.source):
        if isinstance(found, Option):
            yield found.id
        else:
            yield from found.words or ()
    for room in rooms:
        yield from (f"{room}:{side}@{turns}" for side in SIDES for turns in range(4))


def _found_in(node: Any) -> Iterator[Option | ChooseSecret]:  # noqa: ANN401 -- anything that content is made of
    """Every option and secret of a pack, at any depth."""
    if isinstance(node, Option | ChooseSecret):
        yield node
    if isinstance(node, msgspec.Struct):
        node = [getattr(node, field) for field in node.__struct_fields__]
    elif isinstance(node, dict):
        node = list(node.values())
    for inner in node if isinstance(node, list) else ():
        yield from _found_in(inner)


@lru_cache(maxsize=16)
def encoding_of(rules: Rules, seats: int) -> Encoding:
    """The encoding of a pack, made once."""
    return Encoding(rules, seats)
