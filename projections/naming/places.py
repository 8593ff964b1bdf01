"""What a command is about on the table: the rooms, doorways, figures and cards that one could point at to mean it.

Clients need it so that they never take an id or an option apart. It tells nothing that the command, its label, or the text behind them as far
as the role has read it does not tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any

from msgspec import Meta

from content.vocabulary.abilities import Action
from content.vocabulary.effects import Effect, Option, PlaceMonster
from content.vocabulary.values import Condition, Each
from content.vocabulary.verbs import Move as MoveTo
from content.vocabulary.verbs import Token
from domain.engine.block import Frame
from domain.engine.machine import Glance
from domain.facts.commands import (
    Act,
    AnyCommand,
    Attack,
    BreakFree,
    Character,
    Cross,
    Drop,
    Explore,
    Loot,
    Move,
    PickUp,
    Trade,
)
from domain.facts.grid import DIRECTIONS
from domain.facts.ids import split_id
from domain.facts.state import Aim, Decision, Figure, MonsterId, is_explorer
from domain.house.placing import Spot, laid
from domain.queries.characters import cards_of
from domain.queries.conditions import beside_you, cast, stands_in
from domain.rulebook.explore.moving import goals
from domain.rulebook.explore.walls import CORNERS
from projections.naming.labels import Labels
from projections.naming.names import compass
from projections.naming.needs import source_of
from projections.naming.questions import option_of
from projections.shapes import Compass, Floor, Id, Part, Shape, Title

SHOWN = {
    "State": ("explorers", "monsters", "rooms", "tokens", "piles", "decks", "turn", "companions"),
    "Turn": ("seat", "drawn"),
    "Explorer": ("room", "part", "cards"),
    "Monster": ("room", "part", "hides", "lair", "lair_part", "cards"),
    "Room": ("parts", "opened"),
    "TokenHere": ("token", "room", "part"),
    "Pile": ("room", "part", "cards"),
    "Deck": ("top",),
    "Slot": ("face",),
    "Decision": ("seat", "about", "offer"),
}
"""The fields of a role's state that are read here; all others stay hidden."""


class AtRoom(Shape, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="room"):
    """A room of the house."""

    room: Id
    part: Part | None = None
    """The part of a room that a barrier divides, 0 of any other room; left out where both parts are meant."""


class AtDoorway(Shape, frozen=True, kw_only=True, tag_field="kind", tag="doorway"):
    """A doorway that leads to no room yet."""

    room: Id
    door: Compass


class AtWall(Shape, frozen=True, kw_only=True, tag_field="kind", tag="wall"):
    """A wall of a room, or a corner."""

    room: Id
    side: Annotated[str, Meta(extra_json_schema={"enum": [*DIRECTIONS, *CORNERS]})]


class AtSpot(Shape, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="spot"):
    """Where, and turned how, a tile would lie; it is in the house already if it would be moved there."""

    tile: Id
    title: Title
    floor: Floor
    x: Annotated[int, Meta(ge=-100, le=100)]
    """To the east."""
    y: Annotated[int, Meta(ge=-100, le=100)]
    """To the north."""
    turns: Annotated[int, Meta(ge=0, le=3)]
    """Quarter turns clockwise from the printed position."""
    doors: list[Compass]
    """As they would be there."""
    windows: list[Compass] = []
    """Likewise; left out if it has none."""
    parts: list[list[Compass]] = []
    """Of a room that a barrier divides: the doors of each part, as they would be there; left out for other rooms."""


class AtFigure(Shape, frozen=True, kw_only=True, tag_field="kind", tag="figure"):
    """An explorer or a monster."""

    figure: Character
    """An explorer by its seat, a monster by its id."""


class AtCard(Shape, frozen=True, kw_only=True, tag_field="kind", tag="card"):
    """A card: one of the view's `cards`, or one that would come from a stack."""

    card: Id


class AtTile(Shape, frozen=True, kw_only=True, tag_field="kind", tag="tile"):
    """A tile that is not in the house."""

    tile: Id


class AtDeck(Shape, frozen=True, kw_only=True, tag_field="kind", tag="deck"):
    """A stack of cards or tiles, one of the view's `decks`."""

    deck: Id


class AtToken(Shape, frozen=True, kw_only=True, tag_field="kind", tag="token"):
    """Tokens of one name in (a part of) a room."""

    token: Id
    room: Id
    part: Part


class AtPile(Shape, frozen=True, kw_only=True, tag_field="kind", tag="pile"):
    """The items on the floor of (a part of) a room."""

    room: Id
    part: Part


Place = AtRoom | AtDoorway | AtWall | AtSpot | AtFigure | AtCard | AtTile | AtDeck | AtToken | AtPile


def places_of(a: Labels, command: AnyCommand, decision: Decision | None = None) -> list[Place]:
    """What a command is about, what it leads to or is done to first; nothing for most answers, or for the end of a turn.

    Args:
        a: for the state of the role that may post it.
        command: one that the role may post now.
        decision: the open decision that it answers; None for those of the turn.
    """
    if decision is None:
        of_turn = TURN.get(type(command))
        found = [] if of_turn is None else of_turn(a, command)
        monster: MonsterId | None = getattr(command, "monster", None)
        return found if monster is None else _each_once([*found, AtFigure(figure=monster)])
    option: str = getattr(command, "option", "") or getattr(command, "pick", "")
    key, rest = split_id(decision.about)
    of_option = OPTIONS.get(key) if option else None
    return [] if of_option is None else _each_once(of_option(a, decision, rest, option))


def shared(some: Sequence[Sequence[Place]]) -> list[Place]:
    """What all of several commands are about."""
    first, *others = some or [[]]
    return [one for one in first if all(one in places for places in others)]


def _each_once(places: Iterable[Place]) -> list[Place]:
    found: list[Place] = []
    found += (one for one in places if one not in found)
    return found


def _room(a: Labels, room: str, part: int | None = None) -> AtRoom:
    return AtRoom(room=room, part=part if a.state.rooms[room].divided else 0)


def _tile(a: Labels, tile: str, part: int | None = None) -> list[Place]:
    """A room, or the tile while it is not in the house; nothing for what is neither, such as a word that was chosen in secret."""
    if tile in a.state.rooms:
        return [_room(a, tile, part)]
    return [AtTile(tile=tile)] if tile in a.rules.pack.tiles else []


def _spot(a: Labels, tile: str, key: str) -> AtSpot:
    spot = Spot.of(key)
    there = laid(a.rules.tile(a.state, tile), spot)
    return AtSpot(
        tile=tile,
        title=a.names.room(tile),
        floor=spot.floor,
        x=spot.x,
        y=spot.y,
        turns=spot.turns,
        doors=compass(there.doors),
        windows=compass(there.windows),
        parts=[compass(doors) for doors in there.parts],
    )


def _aim(a: Labels, aim: Aim) -> list[Place]:
    if is_explorer(aim) or aim in a.state.monsters:
        return [AtFigure(figure=aim if is_explorer(aim) else MonsterId(aim))]
    return _tile(a, aim)


def _figure(a: Labels, option: str) -> list[Place]:
    """A character as options name it: `seat:2`, `2`, `rat-2`."""
    name = option.rpartition(":")[2]
    return _aim(a, int(name) if name.isdecimal() else name)


def _cards(cards: Iterable[str]) -> list[Place]:
    return [AtCard(card=card) for card in cards]


def _on_the_table(a: Labels, card: str) -> list[Place]:
    """A card that is not named by the label itself, if it lies where the role sees it."""
    state = a.state
    seen = card in state.turn.drawn or card in state.companions or card in state.cards_about()
    return [AtCard(card=card)] if seen else []


def _here(a: Labels, figure: Figure) -> AtRoom:
    return _room(a, *a.state.stands_at(figure))


def _tokens(a: Labels, token: str, place: tuple[str, int] | None = None) -> list[Place]:
    """Tokens of a name, there or anywhere."""
    lying = ((one.room, one.part) for one in a.state.tokens if one.token == token)
    return [AtToken(token=token, room=room, part=part) for room, part in lying if place in (None, (room, part))]


def _source(a: Labels, source: str, figure: Figure) -> list[Place]:
    """What offers something to a character: a card, the room, a token where it stands; a haunt's book is nowhere."""
    what, name = split_id(source)
    if what == "card":
        return _cards([name])
    if what == "tile":
        here, part = a.state.stands_at(figure)
        return _tile(a, name, part if here == name else None)
    if what == "token":
        return _tokens(a, name, a.state.stands_at(figure))
    return []


def _deed(a: Labels, source: str, word: str, figure: Figure) -> list[Place]:
    """What an action is about besides its target."""
    action = a.asking.action(source, word)
    return [*([] if action is None else _written(a, action, figure, source)), *_source(a, source, figure)]


# -- texts --------------------------------------------------------------------------------------------------------------


def _written(a: Labels, text: Action | Option, figure: Figure, source: str) -> list[Place]:
    """What a text names: where its own steps lead, without what comes of rolls and choices, then what its conditions ask for."""
    frame = Frame(a.rules.block("act"), {"you": figure, "src": source})
    return [*(place for step in text.do for place in _led_to(a, step, figure)), *_asked_for(a, text.if_, frame)]


def _led_to(a: Labels, step: Effect, figure: Figure) -> list[Place]:
    secret = step.if_.secret if step.if_ is not None else None
    if (secret is not None and secret.is_ == "here") or (isinstance(step.who, Each) and step.who.in_ == "here"):
        return [_here(a, figure)]
    _, deed = step.verb() or ("", None)
    place = deed.to if isinstance(deed, MoveTo) else deed.at if isinstance(deed, Token | PlaceMonster) else None
    if not isinstance(place, str):
        return []
    if place == "here":
        return [_here(a, figure)] if step.who in (None, "you") else []
    what, name = split_id(place)
    return _tokens(a, name) if what == "token" else [_room(a, place)] if place in a.state.rooms else []


def _asked_for(a: Labels, asked: Condition | None, frame: Frame[Any]) -> list[Place]:
    """What a condition asks for and is there; nothing of what must not be."""
    if asked is None:
        return []
    m, figure, found = Glance(a.rules, a.state), frame.vars["you"], list[Place]()
    if asked.with_ is not None:
        found += (AtFigure(figure=one) for one in beside_you(m, frame, cast(asked.with_)))
    if isinstance(asked.there_is, Each) and asked.there_is.kind is not None:
        found += (AtFigure(figure=one) for one in cast(asked.there_is)(m, frame))
    if asked.token is not None:
        found += _tokens(a, asked.token, a.state.stands_at(figure))
    if asked.in_ is not None and stands_in(m, frame, asked.in_):
        found.append(_here(a, figure))
    if asked.carrying is not None and asked.carrying in cards_of(a.state, figure):
        found.append(AtCard(card=asked.carrying))
    return found + [place for one in (*(asked.all or ()), *(asked.any or ())) for place in _asked_for(a, one, frame)]


# -- turns --------------------------------------------------------------------------------------------------------------


def _move(a: Labels, command: Move) -> list[Place]:
    part = None
    if a.state.rooms[command.to].divided:
        part = dict(goals(a.state, a.figure(command.monster))).get(command.to)
    return [_room(a, command.to, part)]


def _explore(a: Labels, command: Explore) -> list[Place]:
    return [AtDoorway(room=a.state.stands_at(a.figure(command.monster))[0], door=command.door)]


def _cross(a: Labels, command: Cross) -> list[Place]:
    room, part = a.state.stands_at(a.figure(command.monster))
    return [_room(a, room, 1 - part)]


def _act(a: Labels, command: Act) -> list[Place]:
    figure = a.figure(command.monster)
    aim = [] if command.target is None else _aim(a, command.target)
    return _each_once([*aim, *_deed(a, command.source, command.word, figure)])


def _attack(_a: Labels, command: Attack) -> list[Place]:
    return [AtFigure(figure=command.target), *_cards([command.weapon] if command.weapon is not None else [])]


def _pick_up(a: Labels, command: PickUp) -> list[Place]:
    room, part = a.state.place_of(a.figure(command.monster))
    return [AtPile(room=room, part=part), *_cards(command.cards)]


TURN: dict[type[Any], Callable[[Labels, Any], list[Place]]] = {
    Move: _move,
    Explore: _explore,
    Cross: _cross,
    Act: _act,
    BreakFree: lambda _a, command: [AtFigure(figure=command.seat)],
    Attack: _attack,
    Trade: lambda _a, command: [AtFigure(figure=command.partner), *_cards([*command.gives, *command.wants])],
    Drop: lambda _a, command: _cards(command.cards),
    PickUp: _pick_up,
    Loot: lambda _a, command: [AtFigure(figure=command.corpse), *_cards([command.card])],
}
"""By type: what a command is about that is not the answer to a question; all others are about nothing on the table."""


# -- answers ------------------------------------------------------------------------------------------------------------


def _reaction(a: Labels, decision: Decision, option: str) -> list[Place]:
    source, _, word = option.partition("#")
    return _deed(a, source, word, a.state.seat_of(decision.seat)) if word else []


def _asked_by(a: Labels, owner: str) -> list[Place]:
    """The card or room whose text asks: `tile/junk-room#on.0`."""
    what, _, name = owner.partition("#")[0].partition("/")
    if what == "card":
        return _on_the_table(a, name)
    return _tile(a, name) if what == "tile" else []


def _chosen(a: Labels, decision: Decision, owner: str, option: str) -> list[Place]:
    """An option of a text, and the card or room whose text it is; in the monsters' turn nobody can tell for whom it is chosen."""
    text = None if a.state.turn.monsters else option_of(a.rules, owner, option)
    figure = a.state.seat_of(decision.seat)
    return [*([] if text is None else _written(a, text, figure, source_of(owner))), *_asked_by(a, owner)]


def _subject(a: Labels, source: str) -> list[Place]:
    """A card or room that a question names in its own text: `card:bite`, `tile:crypt`."""
    what, name = split_id(source)
    return _asked_by(a, f"{what}/{name}")


def _moved_tile(a: Labels, tile: str, option: str) -> list[Place]:
    return [*([] if option == "stay" else [_spot(a, tile, option)]), *_tile(a, tile)]


def _order(a: Labels, deck: str, option: str) -> list[Place]:
    """A stack from the top down, as known to whoever has looked."""
    top = a.state.decks[deck].top
    faces = [top[int(place) - 1].face for place in option.split("-") if int(place) <= len(top)]
    return [AtTile(tile=face) if deck == "tiles" else AtCard(card=face) for face in faces if face]


def _fetch(a: Labels, option: str) -> list[Place]:
    errand, card = split_id(option)
    lying = [pile for pile in a.state.piles if card in pile.cards] if errand == "bring" else []
    return [*_cards([card]), *(AtPile(room=pile.room, part=pile.part) for pile in lying)]


def _agreed(a: Labels, decision: Decision, seat: str) -> list[Place]:
    return [*_figure(a, seat), *_cards(card for cards in decision.offer.values() for card in cards)]


def _unless(word: str, cards: str) -> list[Place]:
    return [] if cards == word else _cards([cards])


OPTIONS: dict[str, Callable[[Labels, Decision, str, str], list[Place]]] = {
    "before-roll": lambda a, decision, _rest, option: _reaction(a, decision, option),
    "after-roll": lambda a, decision, _rest, option: _reaction(a, decision, option),
    "before-harm": lambda a, decision, _rest, option: _reaction(a, decision, option),
    "trade-with": lambda a, decision, seat, _option: _agreed(a, decision, seat),
    "option": _chosen,
    "decline": lambda a, _decision, source, _option: _subject(a, source),
    "ignore": lambda a, _decision, source, _option: _subject(a, source),
    "ignore-damage": lambda a, _decision, source, _option: _subject(a, source),
    "pass-over": lambda a, decision, source, _option: [
        _here(a, a.state.seat_of(decision.seat)),
        *_subject(a, source),
    ],
    "pass-over-symbol": lambda a, decision, _deck, _option: [_here(a, a.state.seat_of(decision.seat))],
    "attack-cost": lambda a, _decision, weapon, _option: _on_the_table(a, weapon),
    "bury-tile": lambda a, _decision, tile, _option: _tile(a, tile),
    "volunteers": lambda a, _decision, _rest, option: _figure(a, option),
    "who": lambda a, _decision, _rest, option: _figure(a, option),
    "must-attack": lambda a, _decision, _rest, option: _figure(a, option),
    "nearest": lambda a, _decision, _rest, option: _figure(a, option),
    "roles": lambda a, _decision, _rest, option: _figure(a, option),
    "tokens": lambda a, _decision, _rest, option: _figure(a, option),
    "haunt-room": lambda a, _decision, _rest, option: _tile(a, option),
    "move-to": lambda a, _decision, _rest, option: _tile(a, option),
    "token": lambda a, _decision, _rest, option: _tile(a, option),
    "monster": lambda a, _decision, _rest, option: _tile(a, option),
    "secret": lambda a, _decision, _rest, option: _tile(a, option),
    "tile": lambda a, _decision, _rest, option: _tile(a, option),
    "move-other": lambda a, _decision, who, option: [*_tile(a, option), *_figure(a, who)],
    "shift": lambda a, _decision, who, option: [*_tile(a, option), *_figure(a, who)],
    "fetch-to": lambda a, decision, _rest, option: (
        _aim(a, a.state.seat_of(decision.seat)) if option == "hand" else _tile(a, option)
    ),
    "place": lambda a, _decision, tile, option: [_spot(a, tile, option)],
    "move-tile": lambda a, _decision, tile, option: _moved_tile(a, tile, option),
    "rearrange": lambda a, _decision, _floor, option: _moved_tile(a, *split_id(option)),
    "doorway": lambda _a, _decision, room, option: [AtDoorway(room=room, door=option)],
    "wall": lambda _a, _decision, room, option: [AtWall(room=room, side=option)],
    "part": lambda a, _decision, room, option: [_room(a, room, int(option))],
    "weapon": lambda _a, _decision, _rest, option: _unless("bare-hands", option),
    "steal": lambda _a, _decision, _rest, option: _unless("damage", option),
    "search": lambda _a, _decision, _deck, option: _cards([option]),
    "lose-card": lambda _a, _decision, _rest, option: _cards([option]),
    "take-card": lambda _a, _decision, _rest, option: _cards([option]),
    "card": lambda _a, _decision, _deck, option: _cards([option]),
    "own-card": lambda _a, _decision, _rest, option: _cards([option]),
    "fetch": lambda a, _decision, _rest, option: _fetch(a, option),
    "look-deck": lambda _a, _decision, _rest, option: [AtDeck(deck=option)],
    "search-deck": lambda _a, _decision, _rest, option: [AtDeck(deck=option)],
    "reorder": lambda a, _decision, deck, option: _order(a, deck, option),
}
"""By the key of a question: what one of its options is about, from what follows the key and the option; all others are about nothing on
the table."""
