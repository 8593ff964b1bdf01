"""Who becomes the traitor: by the chart, by tokens dealt in secret, by volunteering; and how a hidden one is revealed."""

from __future__ import annotations

from collections.abc import Collection

from content.vocabulary.pack import TraitorRule
from domain.editions.citations import Citations
from domain.engine.bindings import Seated
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.machine import Machine
from domain.engine.witness import TABLE
from domain.facts.audience import REFEREE, seat_bit
from domain.facts.events import Disclosed, FiguresSwapped, SideTold, TraitorReplaced
from domain.facts.ids import id_name, own_side
from domain.facts.state import Decision, State
from domain.rulebook.cards.drawing import free_traitor
from domain.rulebook.haunt.known_haunts import BeginningHaunt

ACCEPT, DECLINE = "accept", "decline"
"""What somebody who is named as the traitor answers."""
VOLUNTEER, PASS = "volunteer", "pass"
"""What the others answer where that one is reluctant."""

# -- naming the traitor --------------------------------------------------------------------------------------------------------------


def name_traitor(m: Machine, f: Frame[BeginningHaunt]) -> bool | None:
    """Who is the traitor: by the chart's rule and its ties, or by tokens dealt in secret (2E-HREV-003, 2E-HID-001)."""
    haunt = m.rules.pack.haunts[f.vars["haunt"]]
    state = m.state
    cite = m.rules.cite
    if haunt.kind in ("no-traitor", "free-for-all"):
        alone = haunt.kind == "free-for-all"
        for seat in range(state.seats):
            side = own_side(seat) if alone else "heroes"
            m.emit(SideTold(seat=seat, side=side, revealed=True, rule=cite.own_sides if alone else cite.heroes))
        return None
    if haunt.kind == "hidden-traitor":
        holders = _told_tokens(m, f) if state.source == TABLE else _dealt(m, f)
        if holders is None:
            return WAIT
        for seat in range(state.seats):
            token = holders.index(seat) + 1
            side = "traitor" if token == 1 else "heroes"
            m.emit(SideTold(seat=seat, side=side, token=token, rule=cite.hidden_deal), seat_bit(seat) | REFEREE)
        return None
    rule = _rule_on_traitor(m, f)
    traitor, tie = choose_traitor(state, rule, f.vars["seat"], m.rules.pack.decks["omen"])
    m.apply_rule("haunt", cite.scenario_traitor)
    named_by = {"revealer": cite.tie_revealer, "left": cite.tie_left}.get(tie, "") or _named_by(cite, rule)
    for explorer in state.explorers:
        side = "traitor" if explorer.seat == traitor else "heroes"
        told = named_by if side == "traitor" else cite.heroes
        m.emit(SideTold(seat=explorer.seat, side=side, revealed=True, rule=told))
    return None


def _rule_on_traitor(m: Machine, f: Frame[BeginningHaunt]) -> TraitorRule:
    """Who becomes the traitor: by the chart, or, where that names nobody or the game's options name the haunt, by the haunt."""
    printed = m.rules.pack.chart.traitors[str(f.vars["number"])]
    by_haunt = m.state.options.get("haunt") or nobody_named(printed)
    rule = m.rules.pack.haunts[f.vars["haunt"]].traitor if by_haunt else printed
    return rule or TraitorRule(revealer=True)


def _named_by(cite: Citations, rule: TraitorRule) -> str:
    """The rule on traitors that are named so."""
    by_place = cite.traitor_left if rule.left_of_revealer else cite.traitor_revealer if rule.revealer else ""
    return by_place or cite.traitor_named


def _dealt(m: Machine, f: Frame[BeginningHaunt]) -> list[int] | None:
    """The seats that hold the tokens 1, 2, 3 …, each dealt by chance (2E-HID-001); None: wait."""
    holders: list[int] = f.vars.setdefault("holders", [])
    while len(holders) < m.state.seats:
        left = [f"seat:{seat}" for seat in range(m.state.seats) if seat not in holders]
        dealt = m.pick(f, f"tokens:{len(holders) + 1}" if holders else "roles", left)
        if dealt is None:
            return None
        holders.append(int(id_name(dealt)))
    del f.vars["holders"]
    return holders


def _told_tokens(m: Machine, f: Frame[BeginningHaunt]) -> list[int] | None:
    """Each player says in secret which token it was dealt; all are asked again until each number was given once. None: wait.

    Returns:
        The seats that hold the tokens 1, 2, 3 …
    """
    replies: dict[str, str] = f.vars.get("replies", {})
    numbers = [str(number) for number in range(1, m.state.seats + 1)]
    if "asked" in f.vars and len(replies) < len(f.vars["asked"]):
        return None
    if "asked" in f.vars:
        said = [replies[decision] for decision in f.vars.pop("asked")]
        f.vars.pop("replies")
        if sorted(said) == sorted(numbers):
            return [said.index(number) for number in numbers]
    f.vars["asked"] = [
        m.open(Decision(id="", seat=seat, kind="choice", about="role", options=numbers))
        for seat in range(m.state.seats)
    ]
    return None


def choose_traitor(state: State, rule: TraitorRule, revealer: int, omens: Collection[str]) -> tuple[int, str]:
    """The seat that the rule names, and how a tie was broken; `omens` are all of the pack.

    A tie goes to the `revealer`, else to the nearest on the revealer's `left` (2E-HREV-004, 2E-HREV-005).
    """
    fitting = candidates(state, rule, revealer, omens)
    if not fitting:
        return choose_traitor(state, rule.otherwise, revealer, omens) if rule.otherwise is not None else (revealer, "")
    if len(fitting) == 1:
        return fitting[0], ""
    if revealer in fitting:
        return revealer, "revealer"
    clockwise = [(revealer + 1 + step) % state.seats for step in range(state.seats)]
    return next(seat for seat in clockwise if seat in fitting), "left"


def nobody_named(rule: TraitorRule) -> bool:
    """Whether the chart leaves the traitor to the haunt: it names nobody."""
    return rule.none or rule.hidden or rule.free_for_all


def candidates(state: State, rule: TraitorRule, revealer: int, omens: Collection[str]) -> list[int]:
    """Seats that fit the rule."""
    everybody = [one for one in state.living() if not (rule.besides_revealer and one.seat == revealer)]
    if rule.left_of_revealer:
        return [(revealer + 1) % state.seats]
    if rule.explorer is not None:
        return [one.seat for one in everybody if one.id == rule.explorer]
    if rule.holds is not None:
        return [one.seat for one in everybody if rule.holds in one.cards]
    if rule.most_omens:
        held = {one.seat: sum(card in omens for card in one.cards) for one in everybody}
        return [seat for seat, number in held.items() if number == max(held.values())]
    if rule.highest is not None or rule.lowest is not None:
        trait = rule.highest or rule.lowest or ""
        values = {one.seat: one.value(trait) for one in everybody}
        goal = max(values.values()) if rule.highest is not None else min(values.values())
        return [seat for seat, value in values.items() if value == goal]
    if rule.oldest or rule.youngest:
        ages = {one.seat: one.age for one in everybody}
        goal = max(ages.values()) if rule.oldest else min(ages.values())
        return [seat for seat, age in ages.items() if age == goal]
    return [revealer]


# -- a reluctant traitor ------------------------------------------------------------------------------------------------------------


def ask_traitor(m: Machine, f: Frame[BeginningHaunt]) -> bool | None:
    """Whoever is named may be reluctant, before anybody has read anything (3E-TRAI-001).

    Nobody is asked where there is no traitor, or where it must not be known who is.
    """
    haunt = m.state.haunt
    if haunt is None or haunt.hidden or haunt.traitor < 0 or not _may_volunteer(m, f):
        f.goto("replace_traitor")
        return None
    chosen = m.choose(f, haunt.traitor, "traitor", [ACCEPT, DECLINE], rule=m.rules.cite.volunteer)
    if chosen is None:
        return WAIT
    if chosen == ACCEPT:
        f.goto("replace_traitor")
    return None


def _may_volunteer(m: Machine, f: Frame[BeginningHaunt]) -> list[int]:
    """Everybody else alive, but not a revealer whom the haunt leaves out (3E-TIE-004, ruling)."""
    haunt = m.state.haunt
    assert haunt is not None  # noqa: S101 -- it has just begun
    rule = _rule_on_traitor(m, f)
    left_out = [haunt.revealer] if rule.left_of_revealer or rule.besides_revealer else []
    out = [haunt.traitor, *left_out]
    return [one.seat for one in m.state.living() if one.seat not in out]


def ask_volunteers(m: Machine, f: Frame[BeginningHaunt]) -> bool | None:
    """All others answer, each by itself and in any order."""
    if "asked" not in f.vars:
        f.vars["willing"] = _may_volunteer(m, f)
        f.vars["asked"] = [
            m.open(
                Decision(id="", seat=seat, kind="choice", about=VOLUNTEER, options=[PASS, VOLUNTEER]),
                rule=m.rules.cite.volunteer,
            )
            for seat in f.vars["willing"]
        ]
        return WAIT
    replies = f.vars.get("replies", {})
    if len(replies) < len(f.vars["asked"]):
        return WAIT
    said = zip(f.vars["willing"], f.vars.pop("asked"), strict=True)
    f.vars["willing"] = [seat for seat, decision in said if replies[decision] == VOLUNTEER]
    f.vars.pop("replies")
    return None


def replace_traitor(m: Machine, f: Frame[BeginningHaunt]) -> bool | None:
    """The volunteer takes over, figures change places, the card that began the haunt changes hands (3E-TRAI-001 to 3E-TRAI-003).

    Of several the table decides, for which the revealer answers. The swap is no movement: nothing is entered or left.
    """
    haunt, willing, cite = m.state.haunt, f.vars.get("willing"), m.rules.cite
    if haunt is None or not willing:
        return None
    options = [f"seat:{seat}" for seat in willing]
    chosen = m.choose(f, haunt.revealer, "volunteers", options, rule=cite.volunteer)
    if chosen is None:
        return WAIT
    traitor, volunteer = haunt.traitor, int(id_name(chosen))
    m.emit(TraitorReplaced(traitor=traitor, volunteer=volunteer, rule=cite.volunteer))
    m.emit(FiguresSwapped(first=traitor, second=volunteer, rule=cite.figures_swapped))
    holder = next((one.seat for one in m.state.explorers if f.vars["omen"] in one.cards), volunteer)
    if holder != volunteer:
        m.apply_rule(f"card:{f.vars['omen']}", cite.trigger_card)
        m.call("gain-card", seat=volunteer, card=f.vars["omen"])
        m.call("lose-card", seat=holder, card=f.vars["omen"], to="nowhere")
    return None


# -- reveal-traitor ---------------------------------------------------------------------------------------------------------------


def turn_token(m: Machine, f: Frame[Seated]) -> None:
    """The traitor turns up the token (2E-HID-005); the traitor is freed of what impedes it (2E-TPOW-001)."""
    haunt, seat = m.state.haunt, f.vars["seat"]
    if haunt is None or not haunt.hidden:
        f.finish()
        return
    token = m.state.explorers[seat].token
    m.emit(SideTold(seat=seat, side="traitor", revealed=True, token=token, rule=m.rules.cite.revealed))
    m.emit(Disclosed(innocents=[one.seat for one in m.state.explorers if one.seat != seat], rule=m.rules.cite.revealed))
    free_traitor(m, seat)


def powers(m: Machine, f: Frame[Seated]) -> None:
    """What the haunt gives the traitor on being revealed."""
    haunt = m.state.haunt
    if haunt is not None and m.state.explorers[f.vars["seat"]].alive:
        m.call(f"haunt/{haunt.id}#revealed", you=f.vars["seat"], src="haunt:heroes")


REVEAL_TRAITOR = procedure("reveal-traitor", turn_token, powers)
