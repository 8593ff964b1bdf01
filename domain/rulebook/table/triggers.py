"""Triggers: content that runs at a moment: a room entered or left, a card gained or lost, a turn ended."""

from __future__ import annotations

from typing import Any

from content.vocabulary.pack import Trigger
from domain.engine.bindings import Bound
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.external import is_external
from domain.engine.machine import Machine
from domain.engine.parts import kind_of_box, part_of_block
from domain.engine.tables import Tables
from domain.facts.events import Fizzled, Used
from domain.facts.ids import id_name, split_id
from domain.facts.state import Explorer, Figure, State, is_explorer
from domain.queries.characters import cards_of, is_kind
from domain.rulebook.table.hiding import show
from domain.rulebook.table.limits import limit_key, too_new
from domain.rulebook.table.sparing import ignores

MOST_NESTED = 50
"""Triggers of a pack that one brings about within another. Further ones come to nothing, so that a pack that goes in circles lets the game go on."""
MOST_TOLD = 2_500
"""Events of one command after which none of them does anything more."""


def fire(m: Machine, source: str, when: str, figure: Figure, **bindings: Any) -> None:  # noqa: ANN401 -- bindings are plain data
    """Call the triggers of one source for one moment, the first one first."""
    found = m.rules.pack.triggers.get((source, when))
    if not found:
        return
    for block_id, trigger in found[::-1]:
        if trigger.reach == "holder" and _concerns(m, trigger, figure) and _in_its_box(m, block_id, figure):
            m.call("trigger", does=block_id, you=figure, src=source, bindings=bindings)


def fire_around(m: Machine, when: str, figure: Figure) -> None:
    """Call the triggers of cards that reach those in their room, in hands or on the floor (Music Box)."""
    for card in reaching(m, when, *m.state.place_of(figure)):
        holds = card in cards_of(m.state, figure)
        if when == "entered" and holds:
            continue  # a carrier brings it along, and so doesn't come into its room
        for block_id, trigger in reversed(m.rules.pack.triggers[f"card:{card}", when]):
            if trigger.reach == "room" and _concerns(m, trigger, figure):
                m.call("trigger", does=block_id, you=figure, src=f"card:{card}", bindings={})


def reaching(m: Machine, when: str, room: str, part: int) -> list[str]:
    """Cards in (a part of) a room whose text reaches everybody there at this moment; none reaches across a barrier (2E-ROOM-010)."""
    here = (room, part)
    return [card for card in m.rules.pack.reaching.get(when, ()) if place_of_card(m.state, m.rules.pack, card) == here]


def place_of_card(state: State, pack: Tables, card: str) -> tuple[str, int]:
    """Room and part in which a card is: with its holder, or on the floor; no room where it is neither."""
    if pack.card(card).states and card not in state.card_states:
        return "", 0  # nobody has ever had it
    for explorer in state.explorers:
        if card in explorer.cards:
            if not explorer.alive and not explorer.removed:
                return "", 0  # a corpse's cards do nothing (3E-DIE-004)
            return state.place_of(explorer.seat)
    for name, monster in state.monsters.items():
        if card in monster.cards:
            return state.place_of(name)
    return next(((pile.room, pile.part) for pile in state.piles if card in pile.cards), ("", 0))


def _in_its_box(m: Machine, block_id: str, figure: Figure) -> bool:
    """Whether a trigger is in no monster's box, or in that of this very kind (3E-ANAT-014)."""
    kind = kind_of_box(part_of_block(block_id) or "")
    return not kind or (
        not is_explorer(figure) and figure in m.state.monsters and m.state.monsters[figure].kind == kind
    )


def _concerns(m: Machine, trigger: Trigger, figure: Figure) -> bool:
    """Whether a trigger is about characters like this one."""
    wanted = trigger.for_
    if wanted == "everyone":
        return True
    if wanted == "monsters":
        return not is_explorer(figure)
    if not is_explorer(figure):
        return False
    if wanted == "explorers":
        return True
    return is_kind(m.state, figure, "traitor" if wanted == "traitor" else "hero")


def _may_concern(explorer: Explorer) -> bool:
    """Whether things can still happen to an explorer: it lives, or is only out of the house."""
    return explorer.alive or explorer.removed


class Triggering(Bound):
    """Bindings of `trigger`, other than `you` and `src`."""

    does: str
    """The block of its steps, called with `bindings` in addition."""


def applies(m: Machine, f: Frame[Triggering]) -> None:
    """Skip the trigger where its condition fails or its limit is reached; else count it."""
    trigger = m.rules.pack.trigger_of[f.vars["does"]]
    you = f.vars["you"]
    if trigger.for_ != "everyone" and is_explorer(you) and not _may_concern(m.state.explorers[you]):
        f.finish()
        return
    if trigger.special and is_explorer(you) and too_new(m.rules, m.state, you, id_name(f.vars["src"])):
        m.apply_rule(f.vars["src"], m.rules.cite.new_card)
        f.finish()
        return
    if not _brought_about(m, trigger, f.vars["bindings"]):
        f.finish()
        return
    holds = m.rules.pack.trigger_tests.get(f.vars["does"])
    if holds is not None and not holds(m, f):
        f.finish()
        return
    if _goes_in_circles(m):
        m.emit(Fizzled(what=f"cascade:{f.vars['src']}"))
        f.finish()
        return
    limit = trigger.once
    if limit is None:
        return
    alike = not is_explorer(you) and (m.rules.edition.monsters.shares_tiles or limit.per != "turn")
    key = limit_key(m.rules, f.vars["src"], trigger.when, limit, 99 if alike else you)
    if key in (m.state.ever if limit.per == "game" else m.state.used):
        _rode_already(m, f.vars["src"], you)
        f.finish()
        return
    m.emit(Used(key=key, per="game" if limit.per == "game" else "turn", seat=you if is_explorer(you) else -1))


def _goes_in_circles(m: Machine) -> bool:
    """Whether triggers set each other off; what people entered of a book is refused instead (`Endless`), for they can enter it anew."""
    if is_external(m.state):
        return False
    return len(m.told) > MOST_TOLD or sum(frame.block is TRIGGER for frame in m.stack) > MOST_NESTED


def _brought_about(m: Machine, trigger: Trigger, bindings: dict[str, Any]) -> bool:
    """Whether what has happened is what the trigger waits for: damage of its kind, a trait raised by an item."""
    if trigger.kinds is not None and bindings.get("kind") not in trigger.kinds:
        return False
    if trigger.by is None:
        return True
    what, card = split_id(str(bindings.get("by", "")))
    return what == "card" and m.rules.pack.is_item(card)


def _rode_already(m: Machine, source: str, figure: Figure) -> None:
    """A tile that moves does so once a turn (2E-ROOM-031), and once for traitor and monsters together (2E-ROOM-033)."""
    if source in m.rules.pack.moving:
        cite = m.rules.cite
        shared = not is_explorer(figure) or is_kind(m.state, figure, "revealed-traitor")
        m.apply_rule(source, cite.moves_once_for_traitor if shared else cite.moves_once)


def spare(m: Machine, f: Frame[Triggering]) -> bool | None:
    """Harmful text spares those whom `ignores` names."""
    if not m.rules.pack.trigger_of[f.vars["does"]].harmful:
        return None
    ignored = ignores(m, f)
    if ignored is None:
        return WAIT
    if ignored:
        f.finish()
    return None


def happen(m: Machine, f: Frame[Triggering]) -> None:
    """Do what the trigger says; a room's text works every time, not only when it is discovered (2E-ROOM-002)."""
    room = m.state.rooms.get(f.vars["src"].removeprefix("tile:"))
    due = m.rules.cite.end_of_turn and m.rules.pack.trigger_of[f.vars["does"]].when == "turn-ended"
    if room is not None and room.placed_in_turn != m.state.turn.number and not due:
        m.apply_rule(f.vars["src"], m.rules.cite.room_text)
    for holds, rule in m.rules.pack.bindings.get(f.vars["does"], ()):
        if holds(m, f):
            m.apply_rule(f.vars["src"], rule)
    show(m, f.vars["you"])
    m.call(f.vars["does"], you=f.vars["you"], src=f.vars["src"], **f.vars["bindings"])


TRIGGER = procedure("trigger", applies, spare, happen)
