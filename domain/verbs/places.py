"""Verbs of the house: move, shift, place-tile, move-tile, break-wall, remove-tile, place-token, remove-token."""

from __future__ import annotations

from content.vocabulary.effects import (
    BreakWall,
    Effect,
    Move,
    MoveTile,
    PlaceTile,
    RemoveTile,
    RemoveToken,
    Shift,
    Token,
)
from content.vocabulary.values import Place
from domain.engine.block import WAIT, Frame, Instruction, Test
from domain.engine.machine import Machine
from domain.facts.events import (
    Fizzled,
    StackShuffled,
    TileRemoved,
    TokenPlaced,
    TokenRemoved,
    WayClosed,
    WayOpened,
)
from domain.facts.ids import id_name
from domain.facts.pieces import TokenHere
from domain.facts.state import State
from domain.queries.characters import as_option
from domain.queries.conditions import actor, places
from domain.queries.numbers import number
from domain.queries.whereabouts import your_place
from domain.rulebook.cards.drawing import discard
from domain.rulebook.explore.shifting import heroes_with_a_way, monsters_with_a_way
from domain.rulebook.table.hiding import hides
from domain.verbs.compiler import Compiler, Label


def choose_place(place: Place, about: str, *, by_actor: bool = False, secret: Test | None = None) -> Instruction:
    """An instruction that binds `spot` to one room of a place, chosen by `you` (or whoever acts); to nothing where there is none.

    Others don't see the options where `secret` holds, or `you` hide.
    """

    def choose_place(m: Machine, f: Frame) -> bool | None:
        found = places(m, f, place)
        f.vars["spot"] = ""
        if not found:
            return None
        whose = f.vars["you"]
        asked = about
        if by_actor and actor(f) != whose:
            asked = f"move-other:{as_option(whose)}"
            whose = actor(f)
        unseen = (secret is not None and secret(m, f)) or hides(f.vars["you"], m.state)
        chosen = m.choose(f, m.rules.controller(m.state, whose), asked, found, secret=unseen)
        if chosen is None:
            return WAIT
        f.vars["spot"] = chosen
        return None

    return choose_place


def choose_part(m: Machine, f: Frame) -> bool | None:
    """Bind `part`: here it is that of `you`, in another barrier room `you` choose the side (2E-ROOM-013, 2E-ROOM-014)."""
    f.vars["part"] = 0
    spot = f.vars["spot"]
    if not spot or not m.state.rooms[spot].divided:
        return None
    here, part = your_place(m, f)
    if here == spot:
        f.vars["part"] = part
        return None
    if spot in m.rules.pack.locked:
        return None  # before the door (2E-ROOM-038)
    seat = m.rules.controller(m.state, f.vars["you"])
    chosen = m.choose(f, seat, f"part:{spot}", ["0", "1"], rule=m.rules.cite.arrival_side)
    if chosen is None:
        return WAIT
    f.vars["part"] = int(chosen)
    f.vars["side"] = [spot, int(chosen)]
    return None


def move(c: Compiler, node: Move, _effect: Effect, path: str) -> None:
    """Move `you` to a room."""

    def move(m: Machine, f: Frame) -> None:
        spot = f.vars.pop("spot")
        agreed = f.vars.pop("agreed", False)
        if spot:
            placed = spot == f.vars.get("placed")
            discovered = placed and bool(f.vars.pop("undiscovered", False))
            side = _side(m, f, spot, node.to)
            rule = m.rules.cite.arrival_kept or m.rules.cite.step
            known: dict[str, object] = {} if side is None else {"part": side, "rule": rule}
            if node.chooser == "actor" and f.vars["you"] != actor(f) and m.rules.cite.forced_move:
                known["rule"] = m.rules.cite.forced_move
            if agreed or "toll" in f.vars:
                known["by_choice"] = not placed  # a room for the move has been chosen: it is too late to stay
            if toll := f.vars.pop("toll", 0):
                known["toll"] = toll
            m.call("relocate", figure=f.vars["you"], room=spot, discovered=discovered, **known)

    def stay(_m: Machine, f: Frame) -> None:
        if f.vars.pop("stayed", False):
            f.finish()

    c.add(path, choose_place(node.to, "move-to", by_actor=node.chooser == "actor"))
    c.add(path, move)
    c.add(f"{path}!stay", stay)


def can_move(node: Move) -> Test | None:
    """Whether the token to go to is there."""
    goal = node.to
    if isinstance(goal, str) or goal.with_token is None:
        return None
    return lambda m, f: bool(places(m, f, goal))


def _side(m: Machine, f: Frame, spot: str, to: Place) -> int | None:
    """The part of a barrier room that is fixed already: by the token one goes to, or by one put there just now (2E-ROOM-014)."""
    chosen = f.vars.get("side")
    if chosen is not None and chosen[0] == spot:
        return int(chosen[1])
    token = _goal_token(f, to)
    parts = [here.part for here in m.state.tokens if here.token == token and here.room == spot]
    return parts[0] if len(parts) == 1 else None


def _goal_token(f: Frame, to: Place) -> str:
    """The token that one goes to, or empty."""
    if not isinstance(to, str):
        return to.with_token or ""
    if to == "other-token":
        return str(f.vars.get("token", ""))
    return to.removeprefix("token:") if to.startswith("token:") else ""


def shift(c: Compiler, node: Shift, _effect: Effect, path: str) -> None:
    """Monsters or heroes come one space nearer to `you`."""
    every = "each" in (node.monsters, node.heroes)

    def shift(m: Machine, f: Frame) -> None:
        m.call("shift", toward=f.vars["you"], every=every, heroes=node.heroes is not None)

    c.add(path, shift)


def can_shift(node: Shift) -> Test:
    """Whether a monster or a hero could come nearer; while the traitor is hidden, any explorer may be a hero."""
    found = heroes_with_a_way if node.heroes is not None else monsters_with_a_way
    return lambda m, f: bool(found(m, f.vars["you"]))


def place_tile(c: Compiler, node: PlaceTile, _effect: Effect, path: str) -> None:
    """Bring a tile into the house; where none can come, `otherwise` and nothing more of the block."""
    placed = Label()

    def place_tile(m: Machine, f: Frame) -> None:
        f.vars["placed"] = ""
        f.vars["undiscovered"] = node.discovered
        m.call("place-tile", figure=f.vars["you"], floor=node.floor or "any", tile=node.tile or "")

    def was_placed(m: Machine, f: Frame) -> None:
        tile = f.vars["placed"]
        if tile:
            f.next = placed.at
            if not node.discovered and m.rules.pack.tiles[tile].symbols:
                m.apply_rule(f"tile:{tile}", m.rules.cite.added_room)

    def leave(_m: Machine, f: Frame) -> None:
        f.finish()

    c.add(path, place_tile)
    c.add(path, was_placed)
    c.steps(node.otherwise or [], f"{path}.otherwise")
    c.add(f"{path}!leave", leave)
    c.place(placed)


def break_wall(c: Compiler, node: BreakWall, _effect: Effect, path: str) -> None:
    """Find or bring a room behind a wall; where none can come, `otherwise` and nothing more of the block."""
    found = Label()

    def break_wall(m: Machine, f: Frame) -> None:
        f.vars["placed"] = ""
        f.vars["undiscovered"] = False
        m.call("break-wall", figure=f.vars["you"], corners=node.corners)

    def was_found(_m: Machine, f: Frame) -> None:
        if f.vars["placed"]:
            f.next = found.at

    def leave(_m: Machine, f: Frame) -> None:
        f.finish()

    c.add(path, break_wall)
    c.add(path, was_found)
    c.steps(node.otherwise or [], f"{path}.otherwise")
    c.add(f"{path}!leave", leave)
    c.place(found)


def move_tile(c: Compiler, node: MoveTile, _effect: Effect, path: str) -> None:
    """Move a tile to another free doorway."""
    here = node.tile == "here"

    def move_tile(m: Machine, f: Frame) -> None:
        you = f.vars["you"]
        tile = your_place(m, f)[0] if here else id_name(f.vars["src"])
        bound: dict[str, object] = {"chooser": actor(f)} if node.chooser == "actor" else {}
        m.call("move-tile", figure=you, tile=tile, floor=node.floor, must=here, **bound)

    c.add(path, move_tile)


def remove_tile(c: Compiler, node: RemoveTile, _effect: Effect, path: str) -> None:
    """Take a tile out of the house, with its tokens, and shuffle it into the stack."""

    def remove_tile(m: Machine, _f: Frame) -> None:
        state, tile = m.state, node.tile
        if tile not in state.rooms or _must_stay(state, tile):
            m.emit(Fizzled(what="remove-tile"))
            return
        for here in [one for one in state.tokens if one.room == tile]:
            m.emit(TokenRemoved(token=here.token, room=tile, part=here.part, count=here.count))
            close_token_ways(m, here.token, tile)
        m.emit(TileRemoved(tile=tile, rule=m.rules.cite.card_precedence))
        left = [face for face in m.rules.pack.decks["tiles"] if face not in state.rooms]
        m.emit(StackShuffled(deck="tiles", order=left, with_aside=bool(state.decks["tiles"].aside)))
        m.call("see-top")

    c.add(path, remove_tile)


def _must_stay(state: State, tile: str) -> bool:
    """Whether a tile is one of the start, somebody is on it or has left the house from there, or a card lies on it."""
    rooms = [explorer.room for explorer in state.explorers]
    rooms += [state.stands_at(name)[0] for name in state.monsters]
    rooms += [*(pile.room for pile in state.piles), *state.companions.values()]
    return state.rooms[tile].start or tile in rooms


def place_token(c: Compiler, node: Token, _effect: Effect, path: str) -> None:
    """Put tokens into a room; tokens of a kind that links rooms link it with the others."""
    amount = number(node.count)

    def place_token(m: Machine, f: Frame) -> None:
        room = f.vars["spot"]
        if not room:
            return
        rooms = [here.room for here in m.state.tokens if here.token == node.token]
        opens = opens_barrier(m, node.token, room)
        m.emit(TokenPlaced(token=node.token, room=room, part=f.vars["part"], count=amount(m, f), opens=opens))
        f.vars["token"] = node.token
        if room not in rooms:
            open_token_ways(m, node.token, room, rooms)

    c.add(path, choose_place(node.at, f"token:{node.token}"))
    c.add(path, choose_part)
    c.add(path, place_token)


def opens_barrier(m: Machine, token: str, room: str) -> bool:
    """Whether the barrier of a room is open as soon as this token is there (2E-ROOM-039)."""
    barrier = m.rules.pack.tiles[room].barrier
    return barrier is not None and barrier.opened_by == token


def open_token_ways(m: Machine, token: str, room: str, others: list[str]) -> None:
    """The ways from the room where a token was put: those that it makes, and those to `others` with tokens of the kind."""
    for link in m.rules.pack.tokens[token].links:
        m.emit(
            WayOpened(
                room=room,
                to=link.to,
                by=f"token:{token}",
                both_ways=link.both_ways,
                monsters_only=link.monsters_only,
                rule=link.rule or m.rules.cite.way_opened,
            )
        )
    if token in m.rules.pack.linking:
        only = m.rules.pack.tokens[token].explorers_only
        rule = m.rules.cite.way_opened
        for other in dict.fromkeys(others):
            m.emit(WayOpened(room=room, to=other, by=f"token:{token}", explorers_only=only, rule=rule))


def close_token_ways(m: Machine, token: str, room: str) -> None:
    """The ways that a token made are there until the last of its kind is taken from the room."""
    if any(here.token == token and here.room == room for here in m.state.tokens):
        return
    if token in m.rules.pack.linking or m.rules.pack.tokens[token].links:
        m.emit(WayClosed(by=f"token:{token}", room=room))


def remove_token(c: Compiler, node: RemoveToken, _effect: Effect, path: str) -> None:
    """Take tokens away."""

    def remove_token(m: Machine, f: Frame) -> None:
        for here in [one for one in m.state.tokens if one.token == node.token and _is_meant(m, f, node, one)]:
            count = here.count if node.all else 1
            m.emit(TokenRemoved(token=node.token, room=here.room, part=here.part, count=count))
            close_token_ways(m, node.token, here.room)
            if not node.all:
                break
        discard_spent(m, node.token)

    c.add(path, remove_token)


def discard_spent(m: Machine, token: str) -> None:
    """An event whose last token is gone ends: its card, which lay beside the token, is discarded (2E-CARD-005)."""
    events = m.state.decks.get("event")
    if events is None:
        return
    lying = {one.token for one in m.state.tokens}
    there = {*events.pool, *events.discard, *(slot.face for slot in events.top)}
    for card, tokens in m.rules.pack.left_by.items():
        if token in tokens and card not in there and not tokens & lying:
            discard(m, "event", card)


def _is_meant(m: Machine, f: Frame, node: RemoveToken, here: TokenHere) -> bool:
    """Whether a token is one of those to take; `here` is this side of a barrier (2E-ROOM-004)."""
    if node.all:
        return True
    if node.at in (None, "here"):
        return (here.room, here.part) == your_place(m, f)
    return here.room in places(m, f, node.at)
