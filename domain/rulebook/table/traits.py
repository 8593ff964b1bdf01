"""Moving clips: gains and losses by spaces, with their ends and the notes of what went over the top."""

from domain.engine.bindings import Waiting
from domain.engine.block import Frame
from domain.engine.machine import Machine
from domain.facts.events import SurplusNoted, TraitChanged
from domain.facts.state import TRAIT_INDEX, Decision
from domain.rulebook.table.triggers import fire

TOP = 8
"""The position of a track's maximum (2E-TRAIT-004)."""
LOWEST = 1
"""The position of the lowest number."""
SKULL = 0
"""The position of the skull (2E-TRAIT-005)."""


def raise_(m: Machine, seat: int, trait: str, spaces: int, cause: str, *, bonus: str = "", undo: bool = False) -> None:
    """Move a clip up; past the top it stops, and what a card gives while it is held is noted as far as it did not fit (2E-ITEM-015).

    A clip that can't move is reported as well, as a move by 0 spaces, so that everybody sees why nothing has changed. With `undo` a card
    gives back what it took, and nothing where it could take nothing.
    """
    explorer = m.state.explorers[seat]
    index = TRAIT_INDEX[trait]
    if undo:
        spaces -= _from_note(m, seat, bonus, trait, -spaces)
        if not spaces:
            return
    old = explorer.at[index]
    new = min(TOP, old + spaces)
    over = old + spaces - new
    notes = over > 0 and not undo and bonus in explorer.cards and m.rules.edition.cards.over_the_top
    if new != old or (spaces and not notes):
        cite = m.rules.cite
        rule = cite.trait_maximum if over else (cite.healing if cause == "heal" else "") or cite.trait_up
        m.emit(TraitChanged(seat=seat, trait=trait, to=new, by=new - old, cause=cause, rule=rule))
        if new != old and m.rules.pack.minds_raises and explorer.cards:
            source = str(m.stack[-1].vars.get("src", "")) if m.stack else ""
            for card in reversed(explorer.cards):
                fire(m, f"card:{card}", "trait-raised", seat, by=source)
    if notes:
        noted = explorer.surplus.get(f"{bonus}/{trait}", 0) + over
        m.emit(SurplusNoted(seat=seat, card=bonus, trait=trait, spaces=noted, rule=m.rules.cite.over_the_top))


def lower(
    m: Machine, seat: int, trait: str, spaces: int, cause: str, *, bonus: str = "", lasting: bool = False
) -> None:
    """Move a clip down: before the haunt not below the lowest number (2E-TRAIT-006), in the haunt to the skull and to death.

    A clip that can't move is reported as well. With `lasting` the spaces that it could not move are noted for the card.
    """
    explorer = m.state.explorers[seat]
    index = TRAIT_INDEX[trait]
    if bonus and not lasting:
        spaces -= _from_note(m, seat, bonus, trait, spaces)
    old = explorer.at[index]
    floor, beyond = (LOWEST, m.rules.cite.trait_floor) if m.state.haunt is None else (SKULL, m.rules.cite.trait_skull)
    new = max(floor, old - spaces)
    if not spaces or (new == old and not explorer.alive):
        return
    cite = m.rules.cite
    rule = beyond if new != old - spaces else (cite.damage_spaces if cause == "damage" else "") or cite.trait_down
    if new == SKULL and new != old:
        rule = cite.to_the_skull or rule
    m.emit(TraitChanged(seat=seat, trait=trait, to=new, by=new - old, cause=cause, rule=rule))
    if lasting and new > old - spaces and bonus in explorer.cards and m.rules.edition.cards.over_the_top:
        short = old - spaces - new
        m.emit(SurplusNoted(seat=seat, card=bonus, trait=trait, spaces=short, rule=m.rules.cite.over_the_top))
    if new == SKULL and new != old and explorer.alive:
        m.call("death", seat=seat, of_trait=True)


def _from_note(m: Machine, seat: int, card: str, trait: str, spaces: int) -> int:
    """Take spaces off what is noted for a card, of a bonus (above 0) or of a loss (below); returns how many of them were noted."""
    noted = m.state.explorers[seat].surplus.get(f"{card}/{trait}", 0)
    if noted * spaces <= 0:
        return 0
    taken = min(abs(noted), abs(spaces))
    rest = noted - taken if noted > 0 else noted + taken
    m.emit(SurplusNoted(seat=seat, card=card, trait=trait, spaces=rest, rule=m.rules.cite.surplus_first))
    return taken


def set_position(m: Machine, seat: int, trait: str, position: int) -> None:
    """Move a clip to a space, in either direction."""
    old = m.state.explorers[seat].at[TRAIT_INDEX[trait]]
    if old < position:
        raise_(m, seat, trait, position - old, "set")
    elif old > position:
        lower(m, seat, trait, old - position, "set")


def divide(
    m: Machine, f: Frame[Waiting], seat: int, about: str, caps: dict[str, int], total: int
) -> dict[str, int] | None:
    """Points divided among traits by a seat, or None: wait. Where only one division is possible nobody is asked."""
    if "asked" not in f.vars:
        if total <= 0:
            return {}
        if sum(caps.values()) <= total:
            return dict(caps)
        if len(caps) == 1:
            return dict.fromkeys(caps, total)
    reply = m.ask(f, allocation(seat, about, caps, total))
    return None if reply is None else points_of(reply)


def allocation(seat: int, about: str, caps: dict[str, int], total: int, *, up_to: bool = False) -> Decision:
    """The question how a seat divides points among traits; `up_to`: these or fewer."""
    return Decision(id="", seat=seat, kind="allocation", about=about, total=total, caps=caps, up_to=up_to)


def points_of(reply: object) -> dict[str, int]:
    """What an Allocate command gives each trait."""
    return {str(trait): int(points) for trait, points in dict(reply).items() if points}  # type: ignore[call-overload]  # an Allocate command's points
