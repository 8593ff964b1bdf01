"""Who is spared: the traitor's choice about events, and the hidden traitor's window before harm.

With a hidden traitor every explorer who is not revealed is asked, and may pass; only the traitor is offered more, and only the
traitor is told so. So an open window reveals nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from content.vocabulary.pack import Powers
from domain.engine.bindings import Sparing, Waiting
from domain.engine.block import Frame
from domain.engine.machine import Glance, Machine
from domain.engine.rules import Rules
from domain.facts.events import Declined, HarmIgnored
from domain.facts.ids import id_name
from domain.facts.state import Figure, State, is_explorer
from domain.queries.characters import is_kind
from domain.rulebook.table.adjustments import spared

IGNORE, BE_SPARED, PASS_OVER = "ignore", "be-spared", "pass-over"
EXEMPTIONS = (IGNORE, BE_SPARED, PASS_OVER)
"""Answers by which the traitor, or a monster's controller, escapes harm and events."""

USUAL = Powers()
"""What most haunts say about the traitor's powers: nothing."""

OPENLY, SECRETLY = "openly", "secretly"
"""How a traitor is asked whether to use a power: a hidden one as everybody is who might be it, so that the question tells nothing."""


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


def powers(rules: Rules, state: State) -> Powers:
    """What the haunt in play says about the traitor's powers."""
    said = None if state.haunt is None else rules.pack.haunts[state.haunt.id].traitor_powers
    return said or USUAL


def power(state: State, seat: int, *, given: bool | None) -> str:
    """How an explorer's player is asked about a power of the traitor's: `OPENLY`, `SECRETLY`, or not at all (3E-TRAI-009).

    `given` is what the haunt says about the power.

    It is the same in every fold: while the traitor is hidden all who may be it are asked, and only the traitor is offered the power.
    """
    haunt = state.haunt
    if haunt is None or not haunt.started or given is False:
        return ""
    if is_kind(state, seat, "revealed-traitor") or (given and haunt.traitor < 0 and not haunt.hidden):
        return OPENLY
    return SECRETLY if haunt.hidden and not state.explorers[seat].revealed else ""


class _Offer(NamedTuple):
    """What a traitor, or a monster's controller, is asked about a power."""

    about: str
    without: str
    """The answer that everybody gives who has no such power."""
    use: str
    rule: str
    use_first: bool = False
    """An open question names the use of the power first: it is what an absent player does."""


def _use_power(m: Machine, f: Frame[Any], seat: int, how: str, offer: _Offer) -> bool | None:
    """Ask whether the power is used; None: wait."""
    how = f.vars.setdefault("power", how)
    secret = how == SECRETLY
    offered = [offer.without, offer.use] if not secret or _is_traitor(m, seat) else [offer.without]
    if offer.use_first and not secret:
        offered.reverse()
    kind = "reaction" if secret else "choice"
    chosen = m.choose(f, seat, offer.about, offered, kind=kind, secret=secret, rule=offer.rule)
    if chosen is None:
        return None
    del f.vars["power"]
    if secret and chosen == offer.use:
        m.apply_rule("haunt:heroes", m.rules.cite.powers)  # all see now who it is, and it can't be taken back
    return chosen == offer.use


def _is_traitor(m: Machine, seat: int) -> bool:
    return m.state.explorers[seat].side == "traitor"


def ignores_damage(m: Machine, f: Frame[Any]) -> bool | None:
    """Whether `you`, the traitor or a monster, ignore damage that a tile (`src`) would deal (3E-TRAI-004, 3E-MON-014); None: wait."""
    you, source, cite = f.vars["you"], str(f.vars.get("src", "")), m.rules.cite
    if m.rules.edition.haunt.ignores != "damage" or not source.startswith("tile:"):
        return False
    if is_explorer(you):
        how = f.vars.get("power") or power(m.state, you, given=powers(m.rules, m.state).tiles)
        seat, rule = you, cite.traitor_ignores
    else:
        how = OPENLY if m.state.haunt is not None else ""
        seat, rule = m.rules.controller(m.state, you), cite.monster_ignores
    if not how or (is_explorer(you) and not m.state.explorers[you].alive):
        return False
    used = _use_power(m, f, seat, how, _Offer(f"ignore-damage:{source}", "suffer", IGNORE, rule, use_first=True))
    if used:
        m.emit(HarmIgnored(figure=you, source=source, rule=rule))
    return used


def passes_over(m: Machine, f: Frame[Any], seat: int, deck: str) -> bool | None:
    """Whether the traitor draws no event for the symbol of a room just discovered (3E-TRAI-007); None: wait."""
    if m.rules.edition.haunt.event_after_read or deck != "event":
        return False
    how = f.vars.get("power") or power(m.state, seat, given=powers(m.rules, m.state).events)
    if not how:
        return False
    rule = m.rules.cite.traitor_declines
    used = _use_power(m, f, seat, how, _Offer(f"pass-over-symbol:{deck}", "draw", PASS_OVER, rule))
    if used:
        m.emit(Declined(seat=seat, what=f"draw:{deck}", rule=rule))
    elif used is False and how == OPENLY:
        m.apply_rule("draw:event", m.rules.cite.drawn_binds)
    return used


def claimed(rules: Rules, state: State, option: str) -> str:
    """The rule behind the refusal of an exemption that is not offered: there is none such, or the haunt has withdrawn it."""
    cite, said = rules.cite, powers(rules, state)
    if (said.tiles if option == IGNORE else said.events) is False and cite.powers:
        return cite.powers
    return {IGNORE: cite.only_damage, BE_SPARED: cite.drawn_binds, PASS_OVER: cite.only_events}[option]


def ignores(m: Machine, f: Frame) -> bool | None:
    """Whether the harmful text of a room (`src`) that befalls `you` is ignored, which everybody is told; None: wait.

    Traitor and monsters may ignore it, and may suffer it where that serves them (2E-TPOW-002, 2E-MON-010); a card may spare
    its holder; a hidden traitor may reveal to be spared.
    """
    you, source, cite = f.vars["you"], f.vars["src"], m.rules.cite
    whole = m.rules.edition.haunt.ignores == "harm"
    if not is_explorer(you):
        return _choose_to_ignore(m, f, cite.monster_ignores) if whole else False
    may = whole and powers(m.rules, m.state).tiles is not False
    if may and is_kind(m.state, you, "revealed-traitor"):
        if "choosing" in f.vars or not m.withdraw(f):
            return _choose_to_ignore(m, f, cite.traitor_ignores)
        rule = cite.reveal_escapes  # revealed by command while the window was open: nothing is left to ask
    elif spared(m, you, id_name(source)):
        rule = cite.card_precedence
    elif not may:
        return False
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
    if powers(m.rules, m.state).events is False:
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
