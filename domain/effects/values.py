"""Numbers, conditions and selections of the vocabulary, compiled to functions of a machine and a frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from content.vocabulary.values import Condition, Count, Each, Number, Rooms, Value, Who
from domain.effects.machine import Frame, Glance
from domain.house.grid import neighbor, open_windows
from domain.house.paths import distances
from domain.state import Explorer, Figure, Room, State

NumberOf = Callable[[Glance, Frame], int]
Test = Callable[[Glance, Frame], bool]
Cast = Callable[[Glance, Frame], list[Figure]]


# -- numbers ------------------------------------------------------------------------------------------------------------


def number(value: Value) -> NumberOf:
    """Compile a number."""
    if isinstance(value, int):
        return lambda _m, _f: value
    if value.players is not None:
        table = value.players
        return lambda m, _f: table[str(m.state.seats)]
    if value.trait is not None:
        trait = value.trait
        return lambda m, f: trait_of(m.state, f.vars["you"], trait)
    if value.count is not None:
        counted = value.count
        return lambda m, _f: count(m.state, counted)
    if value.counter is not None:
        name = value.counter
        return lambda m, _f: counter(m.state, name)
    if value.result is not None:
        register = value.result
        return lambda _m, f: int(f.vars.get(register, 0))
    parts = [number(part) for part in (value.sum or value.times or [])]
    if value.times is not None:
        return lambda m, f: _product(part(m, f) for part in parts)
    return lambda m, f: sum(part(m, f) for part in parts)


def _product(numbers: Any) -> int:  # noqa: ANN401 -- an iterable of ints
    result = 1
    for factor in numbers:
        result *= factor
    return result


def trait_of(state: State, figure: Figure, trait: str) -> int:
    """A character's current value in a trait; 0 for what it lacks."""
    if isinstance(figure, int):
        return state.explorers[figure].value(trait)
    monster = state.monsters.get(figure)
    return 0 if monster is None else monster.traits.get(trait, 0)


def counter(state: State, name: str) -> int:
    """A counter of the haunt; 0 where there is none."""
    return 0 if state.haunt is None else state.haunt.counters.get(name, 0)


def count(state: State, counted: Count) -> int:
    """How many there are."""
    if counted.monsters is not None:
        kind = counted.monsters
        return sum(1 for monster in state.monsters.values() if kind in ("any", monster.kind))
    if counted.tokens is not None:
        return sum(here.count for here in state.tokens if here.token == counted.tokens)
    if counted.omens is not None:
        return state.omens_drawn
    if counted.explorers == "all":
        return state.seats
    explorers = state.explorers if counted.explorers == "heroes" else state.living()
    if counted.explorers == "living":
        return len(explorers)
    return sum(1 for explorer in explorers if explorer.side != "traitor")


# -- conditions ---------------------------------------------------------------------------------------------------------


def test(condition: Condition) -> Test:
    """Compile a condition: all its keys must hold."""
    tests = list(_tests(condition))
    if len(tests) == 1:
        return tests[0]
    return lambda m, f: all(one(m, f) for one in tests)


def _tests(condition: Condition) -> list[Test]:  # noqa: C901, PLR0912, PLR0915 -- one branch a key; splitting would hide the table
    tests: list[Test] = []
    c = condition
    if c.all is not None:
        parts = [test(part) for part in c.all]
        tests.append(lambda m, f: all(part(m, f) for part in parts))
    if c.any is not None:
        options = [test(part) for part in c.any]
        tests.append(lambda m, f: any(part(m, f) for part in options))
    if c.not_ is not None:
        negated = test(c.not_)
        tests.append(lambda m, f: not negated(m, f))
    if c.phase is not None:
        in_haunt = c.phase == "haunt"
        tests.append(lambda m, _f: (m.state.haunt is not None) == in_haunt)
    if c.you is not None:
        kind = c.you
        tests.append(lambda m, f: is_kind(m.state, f.vars["you"], kind))
    if c.side is not None:
        side = c.side
        tests.append(lambda m, f: side_of(m.state, f.vars["you"]) == side)
    if c.traitor is not None:
        wanted = c.traitor
        tests.append(lambda m, _f: traitor_is(m.state, wanted))
    if c.on is not None:
        floors = c.on
        tests.append(lambda m, f: room_of(m.state, f.vars["you"]).floor in floors)
    if c.in_ is not None:
        place = c.in_
        tests.append(lambda m, f: m.state.place_of(f.vars["you"])[0] in places(m, f, place))
    if c.in_house is not None:
        tile = c.in_house
        tests.append(lambda m, _f: tile in m.state.rooms)
    if c.any_in_house is not None:
        tiles = c.any_in_house
        tests.append(lambda m, _f: any(tile in m.state.rooms for tile in tiles))
    if c.token is not None:
        token = c.token
        tests.append(lambda m, f: token_at(m.state, token, *m.state.place_of(f.vars["you"])))
    if c.token_in_house is not None:
        somewhere = c.token_in_house
        tests.append(lambda m, _f: any(here.token == somewhere for here in m.state.tokens))
    if c.carrying is not None:
        card = c.carrying
        tests.append(lambda m, f: card in cards_of(m.state, f.vars["you"]))
    if c.in_play is not None:
        somewhere_card = c.in_play
        tests.append(lambda m, _f: in_play(m.state, somewhere_card))
    if c.has_item is not None:
        has = c.has_item
        tests.append(lambda m, f: _has_item(m, f.vars["you"]) == has)
    if c.card_state is not None:
        state_name = c.card_state
        tests.append(lambda m, f: m.state.card_states.get(f.vars["src"].partition(":")[2]) == state_name)
    if c.with_ is not None:
        others = cast(c.with_)
        tests.append(lambda m, f: any(together(m.state, f.vars["you"], other) for other in others(m, f)))
    if c.moved is not None:
        moved = c.moved
        tests.append(lambda m, f: m.state.explorers[f.vars["you"]].moved == moved)
    if c.alone is not None:
        alone = c.alone
        tests.append(lambda m, f: (not _company(m.state, f.vars["you"])) == alone)
    if c.dead is not None:
        dead = c.dead
        tests.append(lambda m, _f: _dead(m.state, dead))
    if c.monsters_gone is not None:
        gone = Count(monsters=c.monsters_gone)
        tests.append(lambda m, _f: count(m.state, gone) == 0)
    if c.round_at_least is not None:
        rounds = c.round_at_least
        tests.append(lambda m, _f: m.state.haunt is not None and m.state.haunt.round >= rounds)
    if c.at_least is not None or c.at_most is not None or c.counter is not None or c.count is not None:
        tests.append(_comparison(c))
    return tests


def _comparison(c: Condition) -> Test:
    if c.counter is not None:
        left = number(Number(counter=c.counter))
    elif c.count is not None:
        left = number(Number(count=c.count))
    else:
        left = number(c.number if c.number is not None else 0)
    least = number(c.at_least) if c.at_least is not None else None
    most = number(c.at_most) if c.at_most is not None else None
    if least is None and most is None:
        return lambda m, f: left(m, f) >= 1
    return lambda m, f: (least is None or left(m, f) >= least(m, f)) and (most is None or left(m, f) <= most(m, f))


def is_kind(state: State, figure: Figure, kind: str) -> bool:
    """Whether a character is a `monster`, `hero`, `traitor`, `revealed-traitor`, `drawer`, or an `explorer` at all.

    Before it is revealed a hidden traitor passes for a hero: whom a text touches must not tell who it is.
    """
    if not isinstance(figure, int):
        return kind == "monster"
    if kind == "explorer":
        return True
    if kind == "drawer":
        return not state.turn.monsters and state.turn.seat == figure
    explorer = state.explorers[figure]
    if kind == "hero":
        return not (explorer.side == "traitor" and explorer.revealed)
    if kind == "revealed-traitor":
        return explorer.side == "traitor" and explorer.revealed
    return kind == "traitor" and explorer.side == "traitor"


def side_of(state: State, figure: Figure) -> str:
    """`heroes` or `traitor`; before the haunt every explorer counts as hero."""
    if isinstance(figure, int):
        return "traitor" if state.explorers[figure].side == "traitor" else "heroes"
    monster = state.monsters.get(figure)
    return "traitor" if monster is None else monster.side


def traitor_is(state: State, wanted: str) -> bool:
    """What is publicly so about the traitor."""
    haunt = state.haunt
    if haunt is None:
        return wanted == "none"
    if wanted == "hidden":
        return haunt.hidden
    if wanted == "none":
        return haunt.traitor < 0 and not haunt.hidden
    if wanted == "exists":
        return haunt.traitor >= 0 or haunt.hidden
    if haunt.traitor < 0 or haunt.hidden:
        return False
    alive = state.explorers[haunt.traitor].alive
    return alive if wanted == "revealed" else not alive


def room_of(state: State, figure: Figure) -> Room:
    """The room a character is in."""
    return state.rooms[state.place_of(figure)[0]]


def token_at(state: State, token: str, room: str, part: int) -> bool:
    """Whether a token of this name lies in that part of the room."""
    return any(here.token == token and here.room == room and here.part == part for here in state.tokens)


def cards_of(state: State, figure: Figure) -> list[str]:
    """Cards in a character's possession."""
    return state.explorers[figure].cards if isinstance(figure, int) else []


def together(state: State, figure: Figure, other: Figure) -> bool:
    """Two characters in the same room and part (2E-ROOM-010)."""
    return figure != other and state.place_of(figure) == state.place_of(other)


def in_play(state: State, card: str) -> bool:
    """Whether a card is in somebody's possession or in a pile."""
    return any(card in one.cards for one in state.explorers) or any(card in pile.cards for pile in state.piles)


def _company(state: State, figure: Figure) -> list[Explorer]:
    room = state.place_of(figure)[0]
    return [one for one in state.living() if one.seat != figure and one.room == room]


def _has_item(m: Glance, figure: Figure) -> bool:
    return any(m.rules.pack.is_item_card(card) for card in cards_of(m.state, figure))


def _dead(state: State, who: str) -> bool:
    if who == "any-explorer":
        return any(not explorer.alive for explorer in state.explorers)
    if who == "traitor":
        return any(not explorer.alive and explorer.side == "traitor" for explorer in state.explorers)
    return all(not explorer.alive for explorer in state.explorers if explorer.side != "traitor")


# -- characters ---------------------------------------------------------------------------------------------------------


def cast(who: Who) -> Cast:
    """Compile a selection of characters, in turn order from the current player on."""
    if isinstance(who, Each):
        each = who
        return lambda m, f: _filtered(m, f, each)
    if who == "you":
        return lambda _m, f: [f.vars["you"]]
    if who == "target":
        return lambda _m, f: [f.vars["target"]] if f.vars.get("target") is not None else []
    if who == "traitor":
        return lambda m, _f: [one.seat for one in m.state.living() if one.side == "traitor"]
    if who.startswith("holder:"):
        card = who.partition(":")[2]
        return lambda m, _f: [one.seat for one in m.state.living() if card in one.cards]
    if who == "nearest-explorer":
        return lambda m, f: _nearest(m, f.vars["you"])
    step = 1 if who == "left-of-you" else -1
    return lambda m, f: [_beside(m.state, f.vars["you"], step)]


def _beside(state: State, seat: int, step: int) -> int:
    """The next living explorer to the left (clockwise) or right."""
    other = seat
    for _ in range(state.seats):
        other = (other + step) % state.seats
        if state.explorers[other].alive:
            return other
    return seat


def turn_order(state: State) -> list[int]:
    """All seats, the current player first, then clockwise (2E-SETUP-009)."""
    first = max(state.turn.seat, 0)
    return [(first + step) % state.seats for step in range(state.seats)]


def _filtered(m: Glance, f: Frame, each: Each) -> list[Figure]:
    state, you = m.state, f.vars["you"]
    found: list[Figure] = []
    if each.each != "monster":
        found += [
            seat for seat in turn_order(state) if state.explorers[seat].alive and _fits(state, seat, you, each.each)
        ]
    if each.each in ("monster", "character", "opponent"):
        found += [
            name
            for name, monster in state.monsters.items()
            if each.kind in (None, monster.kind) and (each.each != "opponent" or opposed(state, name, you))
        ]
    if each.on is not None:
        found = [one for one in found if room_of(state, one).floor in each.on]
    if each.in_ is not None:
        if each.in_ == "here":
            here = state.place_of(you)
            found = [one for one in found if state.place_of(one) == here]
        else:
            rooms = places(m, f, each.in_)
            found = [one for one in found if state.place_of(one)[0] in rooms]
    return [one for one in found if one != you] if each.besides_you else found


def _fits(state: State, seat: int, you: Figure, each: str) -> bool:
    if each == "hero":
        return is_kind(state, seat, "hero")
    if each == "traitor":
        return state.explorers[seat].side == "traitor"
    if each == "opponent":
        return seat != you and opposed(state, seat, you)
    return True


def opposed(state: State, figure: Figure, other: Figure) -> bool:
    """Whether two characters are opponents (2E-ATK-004); with a hidden traitor every explorer may be (2E-HID-009)."""
    if state.haunt is None:
        return False
    if state.haunt.hidden and (isinstance(figure, int) or isinstance(other, int)):
        return figure != other  # nobody claims the traitor's friends unrevealed (2E-HID-006)
    return side_of(state, figure) != side_of(state, other)


def _nearest(m: Glance, you: Figure) -> list[Figure]:
    """The other explorers that are nearest to `you` by movement; several if they are equally near."""
    reach = distances(m.state, m.state.place_of(you)[0])
    others = [one for one in m.state.living() if one.seat != you and one.room in reach]
    if not others:
        return []
    least = min(reach[one.room] for one in others)
    return [one.seat for one in others if reach[one.room] == least]


# -- places -------------------------------------------------------------------------------------------------------------


def places(m: Glance, f: Frame, place: str | Rooms) -> list[str]:
    """Room ids that a place can mean now, in the order in which they came into the house."""
    state = m.state
    if isinstance(place, Rooms):
        return _rooms(m, f, place)
    if place == "here":
        return [state.place_of(f.vars["you"])[0]]
    if place == "placed-room":
        return [f.vars["placed"]] if f.vars.get("placed") else []
    if place == "other-token":
        here = state.place_of(f.vars["you"])[0]
        token = f.vars.get("token", "")
        return [lies.room for lies in state.tokens if lies.token == token and lies.room != here]
    if place == "room-of-haunt":
        return [state.haunt.room] if state.haunt is not None else []
    if place.startswith("token:"):
        name = place.partition(":")[2]
        return [lies.room for lies in state.tokens if lies.token == name]
    if place.startswith("room-of:"):
        return [state.place_of(one)[0] for one in cast(place.partition(":")[2])(m, f)]
    return [place] if place in state.rooms else []


def _rooms(m: Glance, f: Frame, wanted: Rooms) -> list[str]:  # noqa: C901, PLR0912 -- one branch a key
    state = m.state
    here = room_of(state, f.vars["you"])
    found = list(state.rooms.values())
    if wanted.one_of is not None:
        found = [room for room in found if room.id in wanted.one_of]
    if wanted.on is not None:
        found = [room for room in found if room.floor in wanted.on]
    if wanted.other_floor:
        found = [room for room in found if room.floor != here.floor]
    if wanted.lower_floor:
        order = ("basement", "ground", "upper")
        found = [room for room in found if order.index(room.floor) < order.index(here.floor)]
    if wanted.adjacent:
        beside = {neighbor(state.grid, here, direction) for direction in range(4)}
        found = [room for room in found if room.id in beside]
    if wanted.connected:
        linked = {*here.near, *(link.to for link in state.links.get(here.id, ()))}
        found = [room for room in found if room.id in linked]
    if wanted.besides_here:
        found = [room for room in found if room.id != here.id]
    if wanted.with_token is not None:
        having = {lies.room for lies in state.tokens if lies.token == wanted.with_token}
        found = [room for room in found if room.id in having]
    if wanted.without_token is not None:
        having = {lies.room for lies in state.tokens if lies.token == wanted.without_token}
        found = [room for room in found if room.id not in having]
    tiles = m.rules.pack.tiles
    if wanted.symbol is not None:
        found = [room for room in found if wanted.symbol in tiles[room.id].symbols]
    if wanted.outside is not None:
        found = [room for room in found if tiles[room.id].outside == wanted.outside]
    if wanted.window is not None:
        found = [room for room in found if bool(open_windows(state.grid, room)) == wanted.window]
    if wanted.within is not None:
        reach = distances(state, here.id)
        found = [room for room in found if reach.get(room.id, 99) <= wanted.within]
    if wanted.discovered_since_haunt is not None:
        found = [room for room in found if room.in_haunt == wanted.discovered_since_haunt]
    return [room.id for room in found]
