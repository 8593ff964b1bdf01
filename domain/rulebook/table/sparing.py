"""Who is spared: the traitor's choice about events, and the hidden traitor's window before harm.

With a hidden traitor every explorer who is not revealed is asked, and may pass; only the traitor is offered more, and only the
traitor is told so. So an open window reveals nothing.
"""

from __future__ import annotations

from domain.engine.bindings import Sparing, Waiting
from domain.engine.block import Frame
from domain.engine.machine import Glance, Machine
from domain.engine.rules import Rules
from domain.facts.events import Declined, HarmIgnored
from domain.facts.ids import id_name
from domain.facts.state import Figure, State, is_explorer
from domain.queries.characters import is_kind
from domain.rulebook.table.adjustments import spared

IGNORE, BE_SPARED = "ignore", "be-spared"
EXEMPTIONS = (IGNORE, BE_SPARED)
"""Answers by which the revealed traitor, or a monster's controller, escapes harm and events."""


def may_reveal(rules: Rules, state: State, seat: int) -> bool:
    """Whether the seat knows itself to be the hidden traitor, who may reveal at any time unless the haunt bars it (2E-HID-005).

    Where it doesn't reveal itself by the rules, it may while the haunt lets it (3E-HTYPE-004).
    """
    haunt = state.haunt
    if seat < 0 or haunt is None or not haunt.hidden or not haunt.started or state.status != "started":
        return False
    explorer = state.explorers[seat]
    if not explorer.alive or explorer.side != "traitor":
        return False
    holds = rules.pack.reveals.get(haunt.id)
    if holds is None:
        return rules.edition.haunt.reveals_itself
    return holds(Glance(rules, state), Frame(rules.block("act"), {"you": seat, "src": "haunt:heroes"}))


def reveal_window(m: Machine, f: Frame[Waiting], seat: int, source: str) -> bool | None:
    """Ask an unrevealed explorer before harm (2E-HID-006): True if the hidden traitor reveals, None: wait."""
    haunt, explorer = m.state.haunt, m.state.explorers[seat]
    if not m.rules.edition.haunt.reveals_itself:
        return False
    if explorer.revealed and m.withdraw(f):
        return True  # the traitor revealed by command while this window was open
    if haunt is None or (not haunt.hidden and "asked" not in f.vars) or explorer.revealed:
        return False
    options = ["pass", "reveal"] if may_reveal(m.rules, m.state, seat) else ["pass"]
    chosen = m.choose(
        f, seat, f"before-harm:{source}", options, kind="reaction", secret=True, rule=m.rules.cite.harm_window
    )
    if chosen is None:
        return None
    if chosen == "reveal":
        m.call("reveal-traitor", seat=seat)
        return True
    return False


def ignores(m: Machine, f: Frame) -> bool | None:
    """Whether the harmful text of a room (`src`) that befalls `you` is ignored, which everybody is told; None: wait.

    Traitor and monsters may ignore it, and may suffer it where that serves them (2E-TPOW-002, 2E-MON-010); a card may spare
    its holder; a hidden traitor may reveal to be spared.
    """
    you, source, cite = f.vars["you"], f.vars["src"], m.rules.cite
    if not is_explorer(you):
        return _choose_to_ignore(m, f, cite.monster_ignores)
    if is_kind(m.state, you, "revealed-traitor"):
        if "choosing" in f.vars or not m.withdraw(f):
            return _choose_to_ignore(m, f, cite.traitor_ignores)
        rule = cite.reveal_escapes  # revealed by command while the window was open: nothing is left to ask
    elif spared(m, you, id_name(source)):
        rule = cite.card_precedence
    else:
        revealed = reveal_window(m, f, you, source)
        if not revealed:
            return revealed
        rule = cite.reveal_escapes
    m.emit(HarmIgnored(figure=you, source=source, rule=rule))
    return True


def _choose_to_ignore(m: Machine, f: Frame, rule: str) -> bool | None:
    """Ask the one who runs the character; None: wait."""
    f.vars["choosing"] = True
    seat = m.rules.controller(m.state, f.vars["you"])
    chosen = m.choose(f, seat, f"ignore:{f.vars['src']}", [IGNORE, "suffer"], rule=rule)
    if chosen is None:
        return None
    del f.vars["choosing"]
    if chosen == IGNORE:
        m.emit(HarmIgnored(figure=f.vars["you"], source=f.vars["src"], rule=rule))
    return chosen == IGNORE


def declines(m: Machine, f: Frame[Sparing], seat: int, card: str) -> bool | None:
    """Whether the traitor is unaffected by a card: decided after reading, before any roll (2E-TPOW-005, 2E-TPOW-006); None: wait."""
    if m.state.haunt is None or not m.rules.edition.haunt.event_after_read:
        return False
    if is_kind(m.state, seat, "revealed-traitor") and "asked" not in f.vars:
        f.vars["declining"] = True
    if f.vars.get("declining"):
        options = ["be-affected", BE_SPARED]
        chosen = m.choose(f, seat, f"decline:card:{card}", options, rule=m.rules.cite.decline_moment)
        if chosen is None:
            return None
        del f.vars["declining"]
        spared = chosen == BE_SPARED
        if not spared:
            m.apply_rule(f"card:{card}", m.rules.cite.no_going_back)
    else:
        answer = reveal_window(m, f, seat, f"card:{card}")
        if answer is None:
            return None
        spared = answer
    if spared:
        m.emit(Declined(seat=seat, what=f"card:{card}", rule=m.rules.cite.traitor_declines))
    return spared


def may_be_spared(m: Machine, f: Frame, figure: Figure) -> bool | None:
    """Whether somebody whom another's event touches declines it; each is asked once for a card (2E-TPOW-007)."""
    drawer = f.vars.get("drawer")
    card = id_name(str(f.vars.get("src", "")))
    if m.state.haunt is None or drawer is None or not is_explorer(figure):
        return False
    if card not in m.rules.pack.decks["event"]:
        return False
    decided = f.vars.setdefault("decided", {})
    if figure == drawer:
        return bool(decided.get(str(figure), False))
    if str(figure) not in decided:
        spared = declines(m, f, figure, card)
        if spared is None:
            return None
        decided[str(figure)] = spared
    return bool(decided[str(figure)])
