"""What a room brings to its discoverer: the card of its symbol and its text (rulebook: Discover a New Room)."""

from __future__ import annotations

from domain.engine.bindings import Waiting
from domain.engine.block import Frame, procedure
from domain.engine.machine import Machine
from domain.facts.events import RuleApplied
from domain.facts.state import Figure, is_explorer
from domain.rulebook.explore.moving import gone
from domain.rulebook.table.triggers import fire


class Discovering(Waiting):
    """Bindings of `discovered`."""

    figure: Figure
    room: str
    by_effect: bool
    """An effect rather than a step took the discoverer there."""


def first(m: Machine, f: Frame[Discovering]) -> None:
    """The symbol's card before the tile's text, or after it (2E-ROOM-003, 3E-TILE-008)."""
    if m.rules.edition.exploration.card_before_text:
        draw_symbols(m, f)
    else:
        tile_text(m, f)


def second(m: Machine, f: Frame[Discovering]) -> None:
    """The other one of text and symbol."""
    if m.rules.edition.exploration.card_before_text:
        tile_text(m, f)
    else:
        draw_symbols(m, f)


def draw_symbols(m: Machine, f: Frame[Discovering]) -> None:
    """Whoever discovers a room with a symbol draws a card of that kind (2E-CARD-002); monsters draw nothing."""
    figure, source = f.vars["figure"], f"tile:{f.vars['room']}"
    if is_explorer(figure):
        symbols, cite = m.rules.pack.tiles[f.vars["room"]].symbols, m.rules.cite
        if f.vars["by_effect"] and symbols:
            m.emit(RuleApplied(source=source, rule=cite.effect_discovery))
        texts = m.rules.pack.triggers
        both = (source, "discovered") in texts or (source, "entered") in texts
        if both and symbols:
            m.apply_rule(source, cite.text_first)
        for symbol in reversed(symbols):
            m.call("draw-card", seat=figure, deck=symbol, symbol=(both and cite.card_first) or cite.symbol)


def tile_text(m: Machine, f: Frame[Discovering]) -> None:
    """The tile's text for its discoverer and for whoever enters, if the explorer is still there."""
    figure, room = f.vars["figure"], f.vars["room"]
    if gone(m.state, figure) or m.state.stands_at(figure)[0] != room:
        return
    fire(m, f"tile:{room}", "entered", figure)
    fire(m, f"tile:{room}", "discovered", figure)
    if m.state.haunt is not None:
        fire(m, f"haunt:{m.state.haunt.id}", "discovered", figure)


def turn_over(m: Machine, f: Frame[Discovering]) -> None:
    """In the third edition placing a discovered tile ends the turn (3E-TURN-005)."""
    turn, cite, room = m.state.turn, m.rules.cite, f.vars["room"]
    if not m.rules.edition.exploration.ends_turn or not turn.acting or turn.seat != f.vars["figure"]:
        return
    if m.nearest("end-turn") is None:
        m.apply_rule(f"tile:{room}", cite.resolved_first)
        m.call("end-turn", rule=cite.discovery_ends)


DISCOVERED = procedure("discovered", first, second, turn_over)
