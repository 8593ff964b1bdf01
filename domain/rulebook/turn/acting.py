"""Actions that cards, tiles, tokens and the haunt offer on the own turn, and breaking free."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NotRequired

from content.vocabulary.pack import Action
from content.vocabulary.values import Rooms
from domain.engine.bindings import Seated
from domain.engine.block import Frame, procedure
from domain.engine.machine import Glance, Machine
from domain.engine.parts import part_of_action
from domain.engine.rules import Rules
from domain.engine.tables import Offer
from domain.facts.commands import Act, BreakFree
from domain.facts.events import ActionTaken, AttackSpent, ExplorerHeld, MovementSpent, Stopped, Used
from domain.facts.ids import figure_id, id_name, is_own_side, split_id
from domain.facts.refusal import Refused
from domain.facts.state import Aim, Explorer, Figure, Held, State
from domain.queries.characters import is_kind, takes_turns
from domain.rulebook.cards.drawing import free
from domain.rulebook.explore.moving import can_pay, leaving_penalty, no_way
from domain.rulebook.table.limits import exhausted, note_use

OWN_TURN = frozenset({"own-turn", "before-moving", "instead-of-attack", "moving"})


def sources(m: Glance, seat: int) -> Iterator[str]:
    """Everything that may offer an action to the explorer: cards, the room, tokens in it, the haunt's book of its side."""
    state = m.state
    explorer = state.explorers[seat]
    in_own_turn = not state.turn.monsters
    if in_own_turn and not explorer.removed:
        for card in explorer.cards:
            yield f"card:{card}"
        yield f"tile:{explorer.room}"
        room, part = state.place_of(seat)
        for here in state.tokens:
            if here.room == room and here.part == part:
                yield f"token:{here.token}"
    if state.haunt is not None and state.haunt.started:
        side = "heroes" if is_own_side(explorer.side) else explorer.side
        for tile in m.rules.pack.unplaced_for.get(side, ()):
            if tile[5:] not in state.rooms:
                yield tile
        if in_own_turn:
            yield f"haunt:{m.rules.pack.haunts[state.haunt.id].read_by(explorer.side)}"


def _late(m: Glance, seat: int) -> bool:
    """Whether it is too late in the monsters' turn for what belongs to the explorer's own (2E-MON-021, ruling).

    A dead player, who no longer has a turn, may still do it before the first monster acts.
    """
    turn = m.state.turn
    return turn.monsters and (takes_turns(m.state, m.state.explorers[seat]) or bool(turn.active or turn.finished))


def open_actions(m: Glance, seat: int) -> Iterator[tuple[str, str, list[Aim | None]]]:
    """Source, word and possible targets (None: no target) of every action that the explorer may do now."""
    offered = m.rules.pack.offering
    for source in sources(m, seat):
        if source not in offered:
            continue
        for offer in m.rules.pack.offers_of(m.state, source):
            if offer.action.when in OWN_TURN and not barred(m, seat, source, offer):
                found = targets(m, seat, source, offer)
                if found:
                    yield source, offer.action.word, found


def targets(m: Glance, figure: Figure, source: str, offer: Offer) -> list[Aim | None]:
    """Whom, or which room, the command may name: those that it is for and could change something for."""
    found, could = aims(m, figure, source, offer), offer.prospect
    if could is None:
        return found
    act = m.rules.block("act")
    return [one for one in found if could(m, Frame(act, {"you": figure, "src": source, "target": one}))]


def aims(m: Glance, figure: Figure, source: str, offer: Offer) -> list[Aim | None]:
    """Whom, or which room, the action is for; None: neither."""
    if offer.aims is None:
        return [None]
    return [*offer.aims(m, Frame(m.rules.block("act"), {"you": figure, "src": source}))]


def check_target(m: Glance, figure: Figure, command: Act, offer: Offer) -> None:
    """Whether the action can be done to what the command names.

    Raises:
        Refused: the action can't be done to that, or everybody can see that it would change nothing.
    """
    if command.target in targets(m, figure, command.source, offer):
        return
    if command.target in aims(m, figure, command.source, offer):
        raise Refused("{} would change nothing", deed_id(command), rule=m.rules.cite.action_condition)
    rule = no_target(m, figure, offer.action, command.target)
    if command.target is None:
        raise Refused("{} needs a target", deed_id(command), rule=rule)
    named = f"tile:{command.target}" if command.target in m.rules.pack.tiles else figure_id(command.target)
    raise Refused("{} is not a valid target", named, rule=rule)


def deed_id(command: Act) -> str:
    """The id of what a command does, for a refusal."""
    return f"deed:{command.source}#{command.word}"


def no_target(m: Glance, figure: Figure, action: Action, target: Aim | None) -> str:
    """The rule that bars a target from an action: it may be beyond a barrier of the room (2E-ROOM-010) or a wall (2E-DOOR-001)."""
    state, cite = m.state, m.rules.cite
    if (
        isinstance(action.room, Rooms)
        and action.room.next_door
        and isinstance(target, str)
        and target in m.rules.pack.tiles
    ):
        return no_way(m.rules, state, figure, target)
    character = state.character(target)
    if character is None:
        return cite.action_condition
    (room, part), (there, side) = state.stands_at(figure), state.place_of(character)
    return cite.across_barrier if there == room and side != part else cite.action_condition


def barred(m: Glance, seat: int, source: str, offer: Offer) -> str:
    """The rule that forbids the action now, or empty."""
    rules, state, action = m.rules, m.state, offer.action
    explorer, cite = state.explorers[seat], rules.cite
    if explorer.held is not None:
        return cite.card_precedence
    if action.for_ == "monsters":
        wall = cite.turning_wall if id_name(source) in rules.pack.passed_through else ""
        return wall or cite.action_condition
    if _late(m, seat):
        return action.rule or cite.action_condition
    if action.when == "before-moving" and explorer.spent:
        return cite.item_once
    if action.when == "instead-of-attack" and (explorer.attacked or state.haunt is None or not state.haunt.started):
        return (cite.no_attack_yet if state.haunt is None else cite.one_attack) or cite.action_condition
    if offer.task and f"task:{offer.task}@{seat}" in state.used:
        rule = cite.one_task if f"{source}#{action.word}@{seat}" in state.used else cite.other_trait_task
        return rule or cite.action_condition
    if action.side is not None and action.side != ("traitor" if is_kind(state, seat, "revealed-traitor") else "heroes"):
        return action.rule or cite.action_condition
    return (
        exhausted(rules, state, seat, source, offer)
        or _too_far(rules, state, seat, action)
        or unmet(m, seat, source, offer)
    )


def unmet(m: Glance, figure: Figure, source: str, offer: Offer) -> str:
    """The rule behind a condition of the action that does not hold, or empty."""
    if offer.condition is None and not offer.bans:
        return ""
    frame = Frame(m.rules.block("act"), {"you": figure, "src": source, "drawer": figure})
    for forbids, rule in offer.bans:
        if forbids(m, frame):
            return rule
    if offer.condition is None or offer.condition(m, frame):
        return ""
    return offer.action.rule or m.rules.cite.action_condition


def _too_far(rules: Rules, state: State, seat: int, action: Action) -> str:
    """The rule that forbids an action for which too little movement is left, or empty."""
    if not action.spaces and not action.leaves:
        return ""
    if state.explorers[seat].stopped:
        return rules.cite.movement_over
    return price_barred(rules, state, seat, action)


def price_barred(rules: Rules, state: State, figure: Figure, action: Action) -> str:
    """The rule behind a price of movement that the explorer can't pay, or empty."""
    penalty = leaving_penalty(rules, state, figure) if action.leaves else 0
    if not action.spaces + penalty or can_pay(rules, state, figure, action.spaces, penalty):
        return ""
    return rules.cite.slowed if penalty else rules.cite.allowance


def find(m: Glance, seat: int, command: Act) -> Offer:
    """The action that a command names.

    Raises:
        Refused: nothing here offers it, a rule bars it, or the target does not fit.
    """
    if command.source not in tuple(sources(m, seat)):
        raise Refused("{} can't be used here", command.source, rule=_offered_to_others(m, command))
    for offer in m.rules.pack.offers_of(m.state, command.source):
        if offer.action.word == command.word and offer.action.when in OWN_TURN:
            rule = barred(m, seat, command.source, offer)
            if rule:
                raise Refused("{} can't be done now", deed_id(command), rule=rule)
            check_target(m, seat, command, offer)
            return offer
    raise Refused(f"{{}} has no action `{command.word}`", command.source, rule=_offered_to_others(m, command))


def _offered_to_others(m: Glance, command: Act) -> str:
    """The rule behind an offer that is not made to this explorer, or not yet."""
    cite = m.rules.cite
    if command.source.startswith("haunt:"):
        return (cite.closed_books if m.state.haunt is None else cite.task_and_attack) or cite.action_condition
    what, name = split_id(command.source)
    if what == "card" and name in m.rules.pack.titles and m.rules.pack.is_weapon(name):
        return cite.weapons or cite.action_condition
    elsewhere = m.rules.pack.unplaced.get(command.source, ())
    rules = [one.action.rule for one in elsewhere if one.action.word == command.word and one.action.rule]
    return rules[0] if rules else cite.action_condition


def perform_act(m: Machine, command: Act, seat: int) -> None:
    """Do it; what is done is public (2E-SEC-002)."""
    offer = find(m, seat, command)
    action, cite = offer.action, m.rules.cite
    always_on = cite.always_on if action.constant else ""  # it is no special action (3E-CARD-008)
    rule = action.rule or always_on or _rule(m, seat, command.source)
    m.emit(ActionTaken(figure=seat, source=command.source, word=command.word, target=command.target, rule=rule))
    m.use_part(part_of_action(command.source, command.word))
    note_use(m, seat, command.source, offer)
    if offer.task:
        m.emit(Used(key=f"task:{offer.task}@{seat}", per="turn", seat=seat, rule=cite.one_task))
        m.emit(Used(key=f"{command.source}#{command.word}@{seat}", per="turn", seat=seat, rule=cite.one_task))
    if action.spaces:
        m.emit(MovementSpent(seat=seat, spaces=action.spaces, rule=cite.step))
    if action.when == "instead-of-attack":
        m.emit(AttackSpent(figure=seat, rule=cite.one_attack))
    bindings = {"you": seat, "src": command.source, "owner": seat}
    if command.target is not None:
        bindings["target"] = command.target
    if action.leaves:
        bindings["toll"] = leaving_penalty(m.rules, m.state, seat)
    m.call(offer.block, **bindings)


def _rule(m: Machine, seat: int, source: str) -> str:
    """The rule that allows the action."""
    cite, explorer = m.rules.cite, m.state.explorers[seat]
    if source.startswith("card:"):
        return _using(m, explorer, id_name(source))
    return cite.task_and_attack if source.startswith("haunt:") and explorer.attacked else cite.action_taken


def _using(m: Machine, explorer: Explorer, card: str) -> str:
    """The rule that allows the use of a card: a new one, after a discovery's card, between two moves, or as ever."""
    cite, room = m.rules.cite, m.state.rooms[explorer.room]
    if card in explorer.gained:
        return cite.new_item
    if explorer.stopped and room.placed_in_turn == m.state.turn.number and m.rules.pack.tiles[room.id].symbols:
        return cite.other_acts_go_on or cite.item_use
    if cite.several_uses and _has_used_another(m, explorer, card):
        return cite.several_uses
    return (cite.between_moves if explorer.spent and not explorer.stopped else "") or cite.item_use


def _has_used_another(m: Machine, explorer: Explorer, card: str) -> bool:
    """Whether the explorer has used another card in this turn; what was only traded is with somebody else, or new."""
    others = {id_name(key) for key in m.state.used if key.startswith("card:") and "#" not in key} - {card}
    elsewhere = {held for one in m.state.explorers if one is not explorer for held in one.cards}
    return bool(others - elsewhere - set(explorer.gained))


def act(_m: Machine, f: Frame) -> None:
    """Nothing to run: its name is for frames in which conditions of actions are tested."""
    f.finish()


ACT = procedure("act", act)


# -- breaking free --------------------------------------------------------------------------------------------------------------


def captives(state: State, seat: int) -> list[int]:
    """Held explorers whom this one may try to free this turn: itself, or others in its room."""
    held = [one for one in state.explorers if one.held is not None]
    if not held:
        return []
    me = state.explorers[seat]
    here = state.place_of(seat)
    found = []
    for one in held:
        if me.held is not None and one.seat != seat:
            continue
        reached = state.place_of(one.seat) == here or (one.held is not None and one.held.far)
        if reached and f"free:{one.seat}@{seat}" not in state.used:
            found.append(one.seat)
    return found


def check_free(rules: Rules, state: State, command: BreakFree, seat: int) -> None:
    """One try in a turn (2E-ROLL-003), by those whom the holding card lets try.

    Raises:
        Refused: nobody held is here, or tried already.
    """
    if command.seat not in captives(state, seat):
        tried = f"free:{command.seat}@{seat}" in state.used
        rule = rules.cite.same_roll if tried else rules.cite.card_precedence
        raise Refused("you can't free {} now", figure_id(command.seat), rule=rule)


def perform_free(m: Machine, command: BreakFree, seat: int) -> None:
    """Try."""
    check_free(m.rules, m.state, command, seat)
    m.call("break-free", seat=seat, captive=command.seat)


class BreakingFree(Seated):
    """Bindings of `break-free`."""

    captive: int
    """The seat of the one who is held; `seat` itself in trying to free oneself."""
    roll: NotRequired[int]


def try_free(m: Machine, f: Frame[BreakingFree]) -> None:
    """The trait roll of the one who tries; the event asks for it only from the one it holds, not from helpers."""
    seat, captive = f.vars["seat"], f.vars["captive"]
    held = m.state.explorers[captive].held
    if held is None:
        f.finish()
        return
    m.emit(Used(key=f"free:{captive}@{seat}", per="turn", seat=seat, rule=m.rules.cite.same_roll))
    own = {"event": True} if seat == captive and held.card in m.rules.pack.decks["event"] else {}
    m.call("roll", who=seat, kind="trait", trait=held.trait, about=f"card/{held.card}#free", **own)


def freed(m: Machine, f: Frame[BreakingFree]) -> None:
    """Free on a success; a failure brings release nearer."""
    captive = f.vars["captive"]
    held = m.state.explorers[captive].held
    if held is None:
        return
    if f.vars["roll"] >= held.at_least:
        free(m, captive, m.rules.cite.target_number or m.rules.cite.card_precedence)
        return
    seat = f.vars["seat"]
    _hold(m, captive, held, max(0, held.tries_left - 1))
    if held.catches and seat != captive:
        _hold(m, seat, held, held.catches)
    if held.failing_stops:
        m.emit(Stopped(figure=seat, rule=m.rules.cite.movement_over))


def _hold(m: Machine, seat: int, held: Held, tries_left: int) -> None:
    m.emit(
        ExplorerHeld(
            seat=seat,
            card=held.card,
            trait=held.trait,
            at_least=held.at_least,
            tries_left=tries_left,
            failing_stops=held.failing_stops,
            far=bool(held.far),
            catches=held.catches or 0,
            rule=m.rules.cite.target_number,
        )
    )


BREAK_FREE = procedure("break-free", try_free, freed)
