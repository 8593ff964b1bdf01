"""Laying a tile: the next fitting one or a named one, and where it may go (rulebook: Discover a New Room)."""

from __future__ import annotations

from typing import Any, NotRequired

from domain.engine.bindings import Waiting
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.machine import Machine
from domain.facts.events import (
    Fizzled,
    RuleApplied,
    StackShuffled,
    TileDrawn,
    TilePlaced,
    TileSearched,
    TileSetAside,
    WayOpened,
)
from domain.facts.state import Figure, is_explorer
from domain.house.placing import (
    Placement,
    Spot,
    false_features,
    laid,
)
from domain.rulebook.cards.decks import face_at, see_top
from domain.rulebook.explore.fitting import behind_wall, legal_placements
from domain.rulebook.table.adjustments import card_with
from domain.rulebook.table.limits import note_special


class PlacingTile(Waiting):
    """Bindings of `place-tile`."""

    figure: Figure
    floor: str
    """One of the floors, or `any`."""
    tile: str
    """The tile that is named, empty for the next one that fits."""
    door: NotRequired[list[Any]]
    """Room and direction of the doorway that it has to join."""
    cell: NotRequired[list[Any]]
    """Floor, x and y of the place behind a wall."""
    may_seal: NotRequired[bool]
    renewed: NotRequired[bool]
    """The stack was renewed once already."""
    skipped: NotRequired[int]
    """Tiles that were put away."""
    refused: NotRequired[list[str]]
    face: str
    spots: list[str]
    """The keys of the places where it may go."""
    shown: NotRequired[bool]
    spot: str


def see_back(m: Machine, f: Frame[PlacingTile]) -> bool | None:
    """The back of the top tile is public (2E-DISC-003); an empty stack is renewed from the tiles set aside."""
    if f.vars["tile"]:
        f.goto("search")
        return None
    if not m.rules.edition.exploration.stack:
        f.goto("draw_fitting")
        return None
    deck = m.state.decks["tiles"]
    if deck.size() == 0:
        faces = [*deck.pool, *[slot.face for slot in deck.aside if slot.face]]
        if not deck.aside or f.vars.get("renewed"):
            f.goto("give_up")
            return None
        f.vars["renewed"] = True
        order = m.rules.pack.in_order("tiles", faces)
        m.emit(StackShuffled(deck="tiles", order=order, with_aside=True, rule=m.rules.cite.tiles_renewed))
    return see_top(m, f)


def fits_floor(m: Machine, f: Frame[PlacingTile]) -> None:
    """Tiles for other floors are set aside, or buried (2E-DISC-008, 3E-TILE-006)."""
    deck = m.state.decks["tiles"]
    slot = deck.top[0] if deck.top else deck.bottom[0]
    back = slot.back or m.rules.pack.back_of(slot.face)
    if f.vars["floor"] == "any" or f.vars["floor"] in back.split("+"):
        return
    f.vars["skipped"] = f.vars.get("skipped", 0) + 1
    if f.vars["skipped"] > len(m.rules.pack.decks["tiles"]):
        f.goto("give_up")
        return
    bury = m.rules.edition.exploration.bury
    m.emit(TileSetAside(deck="tiles", back=back, bury=bury, rule=m.rules.cite.set_aside))
    f.goto("see_back")


def turn_up(m: Machine, f: Frame[PlacingTile]) -> bool | None:
    """Chance says which tile it is."""
    face = face_at(m, f, "tiles", 0)
    if face is None:
        return WAIT
    f.vars["face"] = face
    return None


def may_lie(m: Machine, f: Frame[PlacingTile]) -> None:
    """How it may be placed: joined to the doorway, sealing nothing off, with most doors matched (2E-DISC-006, 2E-DISC-009)."""
    face = f.vars["face"]
    found, thinned = _where(m, f, face)
    if thinned:
        m.emit(RuleApplied(source=f"tile:{face}", rule=m.rules.cite.no_sealing))
    if found:
        f.vars["spots"] = [placement.spot.key() for placement in found]
        return
    # every placement seals the floor off: it is turned up, put away, and the next one tried (2E-DISC-010)
    f.vars["skipped"] = f.vars.get("skipped", 0) + 1
    back = m.rules.pack.back_of(face)
    bury = m.rules.edition.exploration.bury
    m.emit(TileSetAside(deck="tiles", back=back, face=face, bury=bury, rule=m.rules.cite.would_seal))
    f.goto("give_up" if f.vars["skipped"] > 2 * len(m.rules.pack.decks["tiles"]) else "see_back")


def _where(m: Machine, f: Frame[PlacingTile], face: str) -> tuple[list[Placement], bool]:
    """The legal placements of a tile that was turned up, and whether others were left out (2E-DISC-009)."""
    if "cell" in f.vars:
        return behind_wall(m, face, f.vars["cell"])
    may_seal = f.vars.get("may_seal", False)
    return legal_placements(m, face, f.vars["floor"], f.vars.get("door"), may_seal=may_seal)


def bury_it(m: Machine, f: Frame[PlacingTile]) -> bool | None:
    """Some cards let their holder put the tile found on foot under the stack and take the next (Holy Symbol, third edition)."""
    figure = f.vars["figure"]
    if "door" not in f.vars or not is_explorer(figure) or f.vars["tile"]:
        return None
    card = card_with(m, figure, lambda standing: standing.may_bury_tile)
    if not card or f.vars.get("skipped", 0) >= len(m.rules.pack.decks["tiles"]):
        return None
    face = f.vars["face"]
    chosen = m.choose(f, figure, f"bury-tile:{face}", ["place", "bury"])
    if chosen is None:
        return WAIT
    if chosen == "bury":
        f.vars["skipped"] = f.vars.get("skipped", 0) + 1
        back = m.rules.pack.back_of(face)
        note_special(m, figure, card)
        m.emit(TileSetAside(deck="tiles", back=back, face=face, bury=True, rule=m.rules.cite.card_precedence))
        f.goto("see_back")
    return None


def choose_spot(m: Machine, f: Frame[PlacingTile]) -> bool | None:
    """Between equally good placements the player chooses; the tile has been turned up for all to see."""
    if "shown" not in f.vars:
        f.vars["shown"] = True
        seat = m.rules.controller(m.state, f.vars["figure"])
        if not f.vars["tile"]:
            loose = not m.rules.edition.exploration.stack
            m.emit(TileDrawn(deck="tiles", tile=f.vars["face"], seat=seat, loose=loose, rule=_turned_up(m, f)))
    chosen = m.choose(f, m.rules.controller(m.state, f.vars["figure"]), f"place:{f.vars['face']}", f.vars["spots"])
    if chosen is None:
        return WAIT
    f.vars["spot"] = chosen
    return None


def _turned_up(m: Machine, f: Frame[PlacingTile]) -> str:
    """Why it is this tile: it fits the floor where others did not, fits several floors, or is simply the next."""
    cite = m.rules.cite
    if f.vars.get("skipped"):
        return cite.tile_fits or cite.tile_turned
    floors = m.rules.pack.tiles[f.vars["face"]].floors
    return (cite.several_floors if len(floors) > 1 else "") or cite.tile_turned


def lay(m: Machine, f: Frame[PlacingTile]) -> None:
    """It is in the house now, and the ways that it opens are open."""
    face = f.vars["face"]
    spot = Spot.of(f.vars["spot"])
    placement = laid(m.rules.tile(m.state, face), spot)
    cite = m.rules.cite
    m.emit(
        TilePlaced(
            tile=face,
            floor=spot.floor,
            x=spot.x,
            y=spot.y,
            turns=spot.turns,
            doors=placement.doors,
            windows=placement.windows,
            parts=placement.parts,
            in_haunt=m.state.haunt is not None,
            rule=cite.false_feature if false_features(m.state, placement) else cite.tile_placed,
        )
    )
    open_ways(m, face)
    m.give("placed", face)


def open_ways(m: Machine, tile: str) -> None:
    """Links of the new tile, and links of others that lead to it."""
    for maker, link in m.rules.pack.links_at(tile):
        other = link.to if maker == tile else maker
        if other not in m.state.rooms or any(
            one.by == f"tile:{maker}" and one.to in (tile, other) for one in m.state.links.get(maker, ())
        ):
            continue
        if any(one.to == link.to for one in m.state.links.get(maker, ())):
            continue
        m.emit(
            WayOpened(
                room=maker,
                to=link.to,
                by=f"tile:{maker}",
                both_ways=link.both_ways,
                monsters_only=link.monsters_only,
                rule=m.rules.cite.way_opened,
            )
        )


def finish(m: Machine, f: Frame[PlacingTile]) -> None:
    """Finish the procedure; the next tile shows its back."""
    f.finish()
    m.call("see-top")


def search(m: Machine, f: Frame[PlacingTile]) -> None:
    """Take a named tile out of the stack (or from beside it) and shuffle; where there is no stack, nothing (PBP-MON-013)."""
    tile = f.vars["tile"]
    if tile in m.state.rooms:
        f.goto("give_up")
        return
    deck = m.state.decks["tiles"]
    found, _ = legal_placements(m, tile, f.vars["floor"], f.vars.get("door"))
    if not found:
        f.goto("give_up")
        return
    rule, stack = m.rules.cite.tile_searched, m.rules.edition.exploration.stack
    m.emit(TileSearched(deck="tiles", tile=tile, loose=not stack, rule=rule))
    if stack:
        rest = [face for face in m.rules.pack.decks["tiles"] if face != tile and face not in m.state.rooms]
        m.emit(StackShuffled(deck="tiles", order=rest, with_aside=bool(deck.aside), rule=rule))
    f.vars["face"] = tile
    f.vars["spots"] = [placement.spot.key() for placement in found]
    f.goto("choose_spot")


def draw_fitting(m: Machine, f: Frame[PlacingTile]) -> bool | None:
    """Where there is no stack: any room for the floor that is not in the house yet (PBP-DISC-001).

    One that would seal the floor off is shown, and another drawn; the odds are those of searching a shuffled stack.
    """
    deck, floor = m.state.decks["tiles"], f.vars["floor"]
    refused: list[str] = f.vars.setdefault("refused", [])
    fits = set(m.rules.pack.decks["tiles"] if floor == "any" else m.rules.pack.tiles_for[floor]).difference(refused)
    arranged = [slot.face for slot in deck.top if slot.face in fits]
    loose = [face for face in deck.pool if face in fits]
    if not arranged and not loose:
        f.goto("give_up")
        return None
    face = arranged[0] if arranged else m.pick(f, "tile", loose)
    if face is None:
        return WAIT
    found, thinned = _where(m, f, face)
    if not found:
        refused.append(face)
        m.emit(RuleApplied(source=f"tile:{face}", rule=m.rules.cite.would_seal))
        f.goto("draw_fitting")
        return None
    if thinned:
        m.emit(RuleApplied(source=f"tile:{face}", rule=m.rules.cite.no_sealing))
    f.vars["face"] = face
    f.vars["spots"] = [placement.spot.key() for placement in found]
    f.goto("choose_spot")
    return None


def give_up(m: Machine, _f: Frame[PlacingTile]) -> None:
    """Tell the caller that no tile could be placed."""
    m.emit(Fizzled(what="place-tile", rule=m.rules.cite.no_tiles))
    m.give("placed", "")
    m.call("see-top")


PLACE_TILE = procedure(
    "place-tile",
    see_back,
    fits_floor,
    turn_up,
    may_lie,
    bury_it,
    choose_spot,
    lay,
    finish,
    search,
    draw_fitting,
    give_up,
)
