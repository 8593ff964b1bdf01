"""Movement: going from room to room, and being put somewhere (rulebook: Move).

Every change of room, by foot or by effect, goes through one procedure, so that exit rolls, chutes and elevators never miss.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired

from domain.engine.bindings import Waiting
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.facts.commands import Move
from domain.facts.events import CompanionLeft, Moved
from domain.facts.grid import neighbor, opposite
from domain.facts.refusal import Refused
from domain.facts.state import Explorer, Figure, MonsterId, State, is_explorer
from domain.house.paths import ways
from domain.queries.characters import opposed
from domain.rulebook.table.adjustments import holding, obstacles
from domain.rulebook.table.hiding import goes_unseen, hide, hides
from domain.rulebook.table.triggers import fire, fire_around, reaching


def spaces_left(rules: Rules, state: State, figure: Figure) -> int:
    """Spaces of movement that a character still has this turn (2E-MOVE-001), 0 when its movement is over."""
    if not is_explorer(figure):
        return max(0, state.monsters[figure].left)
    explorer = state.explorers[figure]
    if explorer.stopped or explorer.held is not None:
        return 0
    allowance = explorer.value("speed") if explorer.allowance < 0 else explorer.allowance
    if not rules.pack.limiting.isdisjoint(explorer.cards):
        for _card, standing in holding(rules, state, figure, "card", explorer.cards):
            if standing.move_limit is not None:
                allowance = min(allowance, standing.move_limit)
    return max(0, allowance - explorer.spent)


def leaving_penalty(rules: Rules, state: State, figure: Figure) -> int:
    """Spaces that opponents and obstacles add to leaving the room, by whatever way the character chooses to leave (2E-PAST-001)."""
    opponents, obstacles = slowing(rules, state, figure)
    return rules.edition.movement.penalty(len(opponents), obstacles)


def can_pay(rules: Rules, state: State, figure: Figure, spaces: int, penalty: int) -> bool:
    """Whether the character's movement is enough for so many spaces and the penalty for leaving the room.

    No penalty can take away the first step of a turn (2E-PAST-003).
    """
    left = spaces_left(rules, state, figure)
    if spaces + penalty <= left:
        return True
    return left >= max(1, spaces) and _takes_first_step(rules, state, figure)


def _takes_first_step(rules: Rules, state: State, figure: Figure) -> bool:
    """Whether the character's next step is its first of the turn, which no penalty can take away (2E-PAST-003)."""
    if is_explorer(figure):
        return rules.edition.movement.always_one_step and state.explorers[figure].spent == 0
    return state.monsters[figure].spent == 0


def slowing(rules: Rules, state: State, figure: Figure) -> tuple[Sequence[Figure], int]:
    """Opponents in the room, and spaces that its tokens add."""
    haunt = state.haunt
    if haunt is None and not state.tokens:
        return (), 0
    room, part = state.stands_at(figure)
    opponents: list[Figure] = []
    if haunt is not None:
        # unrevealed explorers do not slow each other, but slow monsters (2E-PAST-002, ruling)
        if not haunt.hidden or not is_explorer(figure):
            opponents += [
                one.seat
                for one in state.explorers
                if one.room == room
                and one.alive
                and _beside(state, one.seat, part)
                and opposed(state, one.seat, figure)
            ]
        if is_explorer(figure):
            opponents += [
                name
                for name, monster in state.monsters.items()
                if monster.room == room
                and not monster.stunned
                and _beside(state, name, part)
                and opposed(state, name, figure)
            ]
    return opponents, obstacles(state, room, part, rules.pack.slows) if state.tokens else 0


def _beside(state: State, other: Figure, part: int) -> bool:
    """Whether a character in the same room is in this part of it (2E-ROOM-010)."""
    return state.place_of(other)[1] == part


def can_step(rules: Rules, state: State, figure: Figure) -> bool:
    """Whether the character's movement allows another step."""
    left = spaces_left(rules, state, figure)
    return left >= 1 and (_takes_first_step(rules, state, figure) or left > leaving_penalty(rules, state, figure))


def goals(state: State, figure: Figure) -> list[tuple[str, int]]:
    """Rooms and parts that a character could enter with its next step."""
    room, part = state.stands_at(figure)
    seen: dict[str, int] = {}
    for there, there_part in ways(state, state.rooms[room], part, monster=not is_explorer(figure)):
        seen.setdefault(there, there_part)
    return list(seen.items())


def check_move(rules: Rules, state: State, command: Move, figure: Figure) -> tuple[str, int, int]:
    """Room and part that the command leads to, and the spaces that the step costs.

    Raises:
        Refused: no such way (2E-DOOR-001), no movement left (2E-MOVE-001, 2E-MOVE-004), or held back.
    """
    room, part = state.stands_at(figure)
    for there, side in ways(state, state.rooms[room], part, monster=not is_explorer(figure)):
        if there == command.to:
            return there, side, check_movement(rules, state, figure)
    rule = no_way(rules, state, figure, command.to)
    raise Refused("there is no way from {} to {}", f"tile:{room}", f"tile:{command.to}", rule=rule)


def no_way(rules: Rules, state: State, figure: Figure, to: str) -> str:
    """Which rule bars the way between two rooms."""
    if to not in rules.pack.tiles:
        return rules.cite.inside or rules.cite.doors
    here, part = state.stands_at(figure)
    room = state.rooms[here]
    if room.divided and any(one == to for one, _ in ways(state, room, 1 - part)):
        return rules.cite.barrier
    if _behind_wall(rules, state, figure, to):
        return rules.cite.turning_wall or rules.cite.doors
    if to not in state.rooms and any(to in (maker, link.to) for maker, link in rules.pack.links_at(here)):
        return rules.cite.undiscovered_stairs
    for link in state.links.get(here, ()) if rules.cite.monsters_way else ():
        if link.to == to and link.monsters_only:
            return rules.pack.link_rule(link.by, to) or rules.cite.monsters_way
    for direction in range(4):
        if to in state.rooms and neighbor(state.grid, room, direction) == to:
            doors = room.doors >> direction & 1, state.rooms[to].doors >> opposite(direction) & 1
            return rules.cite.false_door if any(doors) else rules.cite.doors
    return rules.cite.doors


def _behind_wall(rules: Rules, state: State, figure: Figure, to: str) -> bool:
    """Whether a token here leads to that room, but only to whoever does what it offers (Revolving Wall)."""
    place = state.stands_at(figure)
    here = {one.token for one in state.tokens if (one.room, one.part) == place} & rules.pack.passed_through
    return any(one.room == to and one.token in here for one in state.tokens)


def movement_over(rules: Rules) -> Refused:
    """The refusal of a step or a crossing after whatever ends movement (2E-MOVE-004, 3E-TURN-005)."""
    return Refused("your movement is over for this turn", rule=rules.cite.movement_over)


def held_back(rules: Rules) -> Refused:
    """The refusal of whatever an explorer does while an event holds it."""
    return Refused("an event holds you back", rule=rules.cite.card_precedence)


def check_movement(rules: Rules, state: State, figure: Figure) -> int:
    """The spaces that the next step costs.

    Raises:
        Refused: the character has no movement for it.
    """
    if is_explorer(figure):
        if state.explorers[figure].stopped:
            raise movement_over(rules)
        if state.explorers[figure].held is not None:
            raise held_back(rules)
    penalty = leaving_penalty(rules, state, figure)
    if not can_pay(rules, state, figure, 1, penalty):
        rule = rules.cite.slowed if penalty else _allowance_rule(rules, state, figure)
        if not is_explorer(figure):
            rule = rules.cite.minimum_used or rule
        raise Refused(
            f"the next step costs {1 + penalty} space{'s' if penalty else ''}; {spaces_left(rules, state, figure)} left",
            rule=rule,
        )
    return 1 + penalty


def _allowance_rule(rules: Rules, state: State, figure: Figure) -> str:
    """The rule on how far one may go, or that more Speed than when the turn began gives no more movement in it."""
    faster = is_explorer(figure) and 0 <= state.explorers[figure].allowance < state.explorers[figure].value("speed")
    return (rules.cite.allowance_fixed if faster else "") or rules.cite.allowance


def perform_move(m: Machine, command: Move, figure: Figure) -> None:
    """Walk to a room."""
    to, part, cost = check_move(m.rules, m.state, command, figure)
    if goes_unseen(figure, m.rules, m.state):
        hide(m, figure, to, part, spent=cost, rule=step_rule(m.rules, m.state, figure, to, cost))
        return
    here = m.state.place_of(figure)[0]
    pack, state = m.rules.pack, m.state
    rule = step_rule(m.rules, state, figure, to, cost)
    quiet = here in pack.quiet and to in pack.quiet and not state.companions and not (state.tokens and pack.alert)
    if quiet and not reaching(m, "entered", to, part if state.rooms[to].divided else 0):
        m.emit(
            Moved(figure=figure, room=to, part=part, spent=cost, rule=rule)
        )  # nothing can interrupt it: no procedure needed
        return
    m.call("walk", figure=figure, room=to, part=part, spent=cost, rule=rule)


def step_rule(rules: Rules, state: State, figure: Figure, to: str, cost: int) -> str:
    """The rule behind a step: an ordinary space, slowed by opponents, more than it can pay for, or a monster's own way."""
    cite = rules.cite
    if cost > 1:
        return slowed_rule(rules, state, figure, cost)
    if cite.allowance_fixed and is_explorer(figure):
        explorer = state.explorers[figure]
        if 0 <= explorer.value("speed") <= explorer.spent < explorer.allowance:
            return cite.allowance_fixed
    if state.haunt is None and not state.tokens:
        return rules.steps[to]
    if state.rooms[to].parts and is_explorer(figure) and to not in state.rooms[state.place_of(figure)[0]].near:
        return cite.arrival_kept or rules.steps[to]
    if not is_explorer(figure):
        return _monster_step(rules, state, figure, to)
    place = state.place_of(figure)
    if any(one.stunned and state.place_of(one.id) == place for one in state.monsters.values()):
        return cite.stunned_slow_nobody
    return rules.steps[to]


def slowed_rule(rules: Rules, state: State, figure: Figure, cost: int) -> str:
    """The rule behind a step that is slowed: the character pays all of it, or it is the first step, which nothing takes away."""
    cite = rules.cite
    if cost > spaces_left(rules, state, figure):
        return cite.first_space
    opponents, obstacles = slowing(rules, state, figure)
    if len(opponents) + obstacles > 1:
        return cite.several_slow or cite.slowed
    return (cite.opponents_slow if opponents else cite.tokens_slow) or cite.slowed


def _monster_step(rules: Rules, state: State, monster: MonsterId, to: str) -> str:
    """The rule behind a monster's step: through a barrier, along a way of its own, or like anybody's."""
    cite = rules.cite
    here, part = state.stands_at(monster)
    room = state.rooms[here]
    if to in room.near:
        through = room.divided and not room.parts[part] >> room.near.index(to) & 1
        return cite.monster_crosses if through else cite.step
    for link in state.links.get(here, ()):
        if link.to == to and link.monsters_only:
            return rules.pack.link_rule(link.by, to) or cite.step
        if link.to == to and link.by.startswith("token:"):
            return cite.monster_way
    return cite.step


# -- the one procedure of moving ------------------------------------------------------------------------------------------


class Moving(Waiting):
    """Bindings of `walk` and `relocate`."""

    figure: Figure
    room: str
    part: NotRequired[int]
    spent: NotRequired[int]
    """Spaces that it costs: bound where somebody goes on foot."""
    toll: NotRequired[int]
    """Spaces that leaving costs, where an action takes its doer elsewhere."""
    rule: NotRequired[str]
    discovered: NotRequired[bool]
    left: NotRequired[bool]
    """The text of the room behind has been applied."""
    by_choice: NotRequired[bool]
    stays: NotRequired[bool]
    """The text of the room behind keeps the character there."""
    came_from: NotRequired[str]


def choose_side(m: Machine, f: Frame[Moving]) -> bool | None:
    """Whoever is put into a barrier room chooses the side of arrival (2E-ROOM-013); for a monster the traitor does (2E-ROOM-012).

    Before a locked door there is nothing to choose (2E-ROOM-038). A monster that hides is put there in secret, and nothing else happens.
    """
    figure = f.vars["figure"]
    if hides(figure, m.state):
        if f.vars["room"] in m.state.rooms:
            hide(m, figure, f.vars["room"], f.vars.get("part", 0))
        f.finish()
        return None
    room = m.state.rooms.get(f.vars["room"])
    if f.vars["room"] in m.rules.pack.locked and (room is None or not room.opened):
        f.vars["part"] = 0
        f.vars["rule"] = m.rules.cite.before_door
        return None
    if "part" in f.vars:
        return None
    if room is None or not room.parts:
        f.vars["part"] = 0
        return None
    cite = m.rules.cite
    rule = cite.arrival_side if is_explorer(figure) else cite.monster_side
    chosen = m.choose(f, m.rules.controller(m.state, figure), f"part:{f.vars['room']}", ["0", "1"], rule=rule)
    if chosen is None:
        return WAIT
    f.vars["part"] = int(chosen)
    f.vars["rule"] = rule
    return None


def leave(m: Machine, f: Frame[Moving]) -> None:
    """Apply the text of the room that is left. It may keep a character that leaves by choice, on foot or by an action."""
    figure = f.vars["figure"]
    room = m.state.place_of(figure)[0]
    if "spent" in f.vars:
        f.vars["came_from"] = room
    if room != f.vars["room"] and not f.vars.get("left"):
        fire(m, f"tile:{room}", "left", figure, by_choice="spent" in f.vars or f.vars.get("by_choice", False))


def go(m: Machine, f: Frame[Moving]) -> None:
    """Arrive in the new room."""
    figure = f.vars["figure"]
    if f.vars.get("stays"):
        m.give("stayed", True)  # noqa: FBT003 -- a binding
        f.finish()
        return
    if gone(m.state, figure) or f.vars["room"] not in m.state.rooms:
        f.finish()
        return
    cite, toll = m.rules.cite, f.vars.get("toll", 0)
    spent = f.vars.get("spent", toll)
    # A move by a text is not a step.
    rule = cite.slowed if toll else f.vars.get("rule", cite.step if spent else "")
    slowed = rule in (cite.slowed, cite.several_slow, cite.tokens_slow, cite.opponents_slow, cite.first_space)
    if is_explorer(figure) and spent and not slowed and _out_of_speed(m.state.explorers[figure], spent):
        rule = cite.never_traps or rule
    discovers = bool(f.vars.get("discovered"))
    there, part = f.vars["room"], f.vars["part"]
    m.emit(Moved(figure=figure, room=there, part=part, spent=spent, discovers=discovers, rule=rule))


def _out_of_speed(explorer: Explorer, spent: int) -> bool:
    """Whether leaving has cost the explorer the Speed that the step under way needs."""
    return explorer.allowance < 0 and explorer.value("speed") < explorer.spent + spent


def arrive(m: Machine, f: Frame[Moving]) -> None:
    """Apply the text of the room that is entered; waiting companions find a new custodian (2E-DEATH-005)."""
    figure, room = f.vars["figure"], f.vars["room"]
    if f.vars.get("discovered"):
        m.call("discovered", figure=figure, room=room, by_effect="spent" not in f.vars)
    else:
        fire(m, f"tile:{room}", "entered", figure, **_origin(f))
    come_to(m, figure)


def come_to(m: Machine, figure: Figure) -> None:
    """What waits where a character has come to: in the room, or on its side of a barrier (2E-ROOM-010)."""
    room, part = m.state.place_of(figure)
    for here in list(m.state.tokens):
        if here.room == room and here.part == part:
            fire(m, f"token:{here.token}", "entered", figure)
    if m.rules.pack.reaching:
        fire_around(m, "entered", figure)
    if is_explorer(figure):
        side = m.state.companion_parts
        for companion in [card for card, at in m.state.companions.items() if at == room and side.get(card, 0) == part]:
            m.emit(CompanionLeft(card=companion, rule=m.rules.cite.new_custody))
            m.call("gain-card", seat=figure, card=companion)


def _origin(f: Frame[Moving]) -> dict[str, str]:
    """Where somebody came from on foot; whoever is put into a room came from nowhere."""
    return {"came_from": f.vars["came_from"]} if "came_from" in f.vars else {}


WALK = procedure("walk", leave, go, arrive)
RELOCATE = procedure("relocate", choose_side, leave, go, arrive)


def gone(state: State, figure: Figure) -> bool:
    """Whether a character is dead or out of the game."""
    return not state.explorers[figure].alive if is_explorer(figure) else figure not in state.monsters
