"""Boxes for explorers and monsters."""

from __future__ import annotations

from collections.abc import Iterator

from content.vocabulary.base import TRAITS
from domain.facts.ids import is_own_side
from projections.board.boxes import TEXT, Box, Laid, Piece, cells, heading, signed, space, tag, words
from projections.board.chips import Chip, Chips, named_card, told_card
from projections.board.ink import BLACK, Sheet
from projections.naming.names import counted, enumerated, readable
from projections.view.game import GameView
from projections.view.people import ExplorerView, MonsterView, TraitView

LABEL = 74.0
CELL = 23.0
ROW = 20.0


def explorer_box(view: GameView, chips: Chips, explorer: ExplorerView) -> Box:
    """An explorer: who plays it, where it is, its traits with their tracks, what it carries."""
    pieces = [signed(chips.explorer(explorer), f"{explorer.title} (seat {explorer.seat})", bold=True, size=12.0)]
    for line in _condition(view, explorer):
        pieces += words(line)
    pieces.append(space(4))
    pieces += [_trait(name, getattr(explorer.traits, name)) for name in TRAITS]
    pieces += words("Carries:" if explorer.cards else "Carries nothing")
    for card in explorer.cards:
        pieces.append(tag(named_card(view, card), told_card(view, card), f"card:{card}"))
    return Box(f"box:seat:{explorer.seat}", explorer.title, pieces)


def _condition(view: GameView, explorer: ExplorerView) -> Iterator[str]:
    rooms = {room.id: room.title for room in view.rooms}
    where = f"in {rooms[explorer.room]}"
    if explorer.escaped:
        where = "has escaped"
    elif explorer.removed:
        where = "has left the house for good"
    elif not explorer.alive:
        where = f"dead, {where}" if explorer.corpse else "dead"
    sides = {"heroes": "hero", "traitor": "TRAITOR"}
    side = "for itself" if is_own_side(explorer.side) else sides.get(explorer.side, "")
    secret = " (not revealed)" if side and not explorer.revealed else ""
    yield ", ".join([where, *([side + secret] if side else [])])
    if view.turn.seat == explorer.seat and not view.turn.monsters and view.status == "started":
        done = [f"{counted(view.turn.spaces_left, 'space')} left"]
        done += ["movement has ended"] if explorer.stopped else []
        done += ["has attacked"] if explorer.attacked else []
        yield f"Its turn: {', '.join(done)}"
    held = explorer.held
    if held is not None:
        tries = counted(held.tries_left, "try", "tries")
        yield f"Held back by {named_card(view, held.card)}: {readable(held.trait)} {held.at_least}+ breaks free; {tries} left"


def _trait(name: str, trait: TraitView) -> Piece:
    def lay(inside: float) -> list[Laid]:
        size = min(CELL, (inside - LABEL) / len(trait.track))
        track = cells([str(value) for value in trait.track], size, now=trait.position, start=trait.start)

        def draw(sheet: Sheet, x: float, y: float) -> None:
            sheet.text(x, y + 12, readable(name), TEXT, fill=BLACK)
            track(sheet, x + LABEL, y)

        return [Laid(ROW, draw)]

    return lay


def monsters_box(view: GameView, chips: Chips) -> Box | None:
    """Monsters by kind, those of equal numbers together."""
    if not view.monsters:
        return None
    groups: dict[tuple[object, ...], list[MonsterView]] = {}
    for one in view.monsters:
        groups.setdefault((one.kind, tuple(one.traits.items()), one.boxed, one.side, one.dies), []).append(one)
    pieces = heading("Monsters")
    for alike in groups.values():
        first = alike[0]
        chip = chips.monster(first)
        sign = Chip("monster", chips.kinds[first.kind], chip.title, f"kind:{first.kind}", fill=chip.fill, ink=chip.ink)
        kind = first.title.removesuffix(f" {_number(first)}")
        numbers = ", ".join(_number(one) for one in alike)
        pieces.append(signed(sign, f"{kind} {numbers}", bold=True))
        for line in _facts(view, alike):
            pieces += words(line)
        pieces.append(space(4))
    return Box("box:monsters", "Monsters", pieces)


def _facts(view: GameView, alike: list[MonsterView]) -> Iterator[str]:
    first = alike[0]
    traits = ", ".join(f"{readable(trait)} {value}" for trait, value in first.traits.items())
    traits = ", ".join(map(readable, first.has)) if first.boxed else traits
    side = {"heroes": "; for the heroes", "traitor": "; for the traitor"}.get(first.side, "")
    if any(is_own_side(one.side) for one in view.explorers):
        side = ""
    harmed = "killed" if first.dies else "unharmed" if first.stuns is False else "stunned"
    harmed = "its box is closed" if first.boxed else f"{harmed} by damage"
    yield f"{traits}{side}; {harmed}"
    for what, some in (
        ("Stunned", [one for one in alike if one.stunned]),
        ("Hidden", [one for one in alike if one.hides]),
        ("Has attacked", [one for one in alike if one.attacked]),
        ("Has acted", [one for one in alike if one.id in view.turn.finished]),
        ("Acts now", [one for one in alike if view.turn.monsters and one.id == view.turn.active]),
    ):
        if some:
            yield f"{what}: {', '.join(_number(one) for one in some)}"
    for one in alike:
        if one.cards:
            yield f"{one.title} carries {enumerated([named_card(view, card) for card in one.cards])}"


def _number(monster: MonsterView) -> str:
    return monster.id.rpartition("-")[2]
