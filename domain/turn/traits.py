"""Moving clips: gains and losses by spaces, with their ends and the notes of what went over the top."""

from domain.effects.machine import Machine
from domain.events import SurplusNoted, TraitChanged
from domain.state import TRAIT_INDEX
from domain.turn.triggers import fire

TOP = 8
"""The position of a track's maximum (2E-TRAIT-004); 0 is the skull (2E-TRAIT-005)."""
LOWEST = 1
"""The position of the lowest number."""


def raise_(m: Machine, seat: int, trait: str, spaces: int, cause: str, *, bonus: str = "") -> None:
    """Move a clip up; past the top it stops, and what a card gives while it is held is noted as far as it did not fit (2E-ITEM-015)."""
    explorer = m.state.explorers[seat]
    index = TRAIT_INDEX[trait]
    old = explorer.at[index]
    new = min(TOP, old + spaces)
    if new != old:
        rule = m.rules.cite.trait_up if new == old + spaces else m.rules.cite.trait_maximum
        m.emit(TraitChanged(seat=seat, trait=trait, to=new, by=new - old, cause=cause, rule=rule))
        if m.rules.pack.minds_raises and explorer.cards:
            source = str(m.stack[-1].vars.get("src", "")) if m.stack else ""
            for card in reversed(explorer.cards):
                fire(m, f"card:{card}", "trait-raised", seat, by=source)
    over = old + spaces - new
    if over and bonus in explorer.cards and m.rules.edition.cards.over_the_top:
        noted = explorer.surplus.get(f"{bonus}/{trait}", 0) + over
        m.emit(SurplusNoted(seat=seat, card=bonus, trait=trait, spaces=noted, rule=m.rules.cite.over_the_top))


def lower(m: Machine, seat: int, trait: str, spaces: int, cause: str, *, bonus: str = "") -> None:
    """Move a clip down: before the haunt not below the lowest number (2E-TRAIT-006), in the haunt to the skull and to death."""
    explorer = m.state.explorers[seat]
    index = TRAIT_INDEX[trait]
    if bonus:
        noted = explorer.surplus.get(f"{bonus}/{trait}", 0)
        if noted:
            rest = max(0, noted - spaces)
            m.emit(SurplusNoted(seat=seat, card=bonus, trait=trait, spaces=rest, rule=m.rules.cite.surplus_first))
            spaces -= noted - rest
    old = explorer.at[index]
    floor = LOWEST if m.state.haunt is None else 0
    new = max(floor, old - spaces)
    if new == old:
        return
    rule = m.rules.cite.trait_down if new == old - spaces else m.rules.cite.trait_floor
    m.emit(TraitChanged(seat=seat, trait=trait, to=new, by=new - old, cause=cause, rule=rule))
    if new == 0 and explorer.alive:
        m.call("death", seat=seat, of_trait=True)


def set_position(m: Machine, seat: int, trait: str, position: int) -> None:
    """Move a clip to a space, in either direction."""
    old = m.state.explorers[seat].at[TRAIT_INDEX[trait]]
    if old < position:
        raise_(m, seat, trait, position - old, "set")
    elif old > position:
        lower(m, seat, trait, old - position, "set")
