"""`decide`: the one place where a command becomes events, or is refused.

Check first, emit after: a refusal is only possible before the first event, so a state is never left half-changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.machine import Machine, Watcher
from domain.engine.rules import Rules
from domain.facts.chance import Chance
from domain.facts.commands import (
    Act,
    AnswerCommand,
    AnyCommand,
    Attack,
    BreakFree,
    ByCharacter,
    Choose,
    Cross,
    Demand,
    Drop,
    EndTurn,
    Enter,
    Explore,
    FlipCoin,
    LookThrough,
    Loot,
    Move,
    PickUp,
    ProposeRuling,
    Reveal,
    TableCommand,
    TakeBack,
    Trade,
)
from domain.facts.desk_commands import AnyDeskCommand, DeskCommand, RuleDispute
from domain.facts.events import MonsterChosen, Told
from domain.facts.ids import figure_id
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, UNNAMED, Figure, MonsterId, State, is_explorer
from domain.past import Passed, Past
from domain.rulebook.cards.belongings import perform_drop, perform_loot, perform_pick_up, perform_trade
from domain.rulebook.cards.looking import perform_look_through
from domain.rulebook.desk.disputing import (
    asked_about,
    check_answer,
    check_ruling,
    lapse,
    perform_at_desk,
    perform_verdict,
)
from domain.rulebook.desk.pausing import paused
from domain.rulebook.desk.rewinding import check_number
from domain.rulebook.desk.rulings import perform_at_table, perform_consent, proposal
from domain.rulebook.desk.taking_back import check_take_back, perform_take_back
from domain.rulebook.explore.crossing import perform_cross
from domain.rulebook.explore.discovering import perform_explore
from domain.rulebook.explore.moving import held_back, perform_move
from domain.rulebook.fight.attacking import perform_attack
from domain.rulebook.haunt.demanding import perform_demand
from domain.rulebook.haunt.entering import perform_enter
from domain.rulebook.table.sparing import may_reveal
from domain.rulebook.turn.acting import perform_act, perform_free
from domain.rulebook.turn.answering import no_card_instead, perform_answer, what_comes_first
from domain.rulebook.turn.monster_deeds import check_carrier, perform_deed
from domain.rulebook.turn.options import REVEAL, turn_decision


def decide(
    rules: Rules,
    state: State,
    actor: int,
    command: AnyCommand | AnyDeskCommand,
    chance: Chance,
    past: Past | None = None,
    *,
    watch: Sequence[Watcher] = (),
) -> list[Told]:
    """The events of a command by a seat (0 to 5) or the moderator (-1).

    Where `goes_back` names a commit for the command, `past` is what the log says of it; no other command looks at it.

    The state is advanced in place by exactly the events returned (see `domain.evolve`), so that afterwards it equals the fold
    of the log. Deterministic in its arguments. `watch` is shown each event before it is applied, for a trace.

    Raises:
        Refused: with the id of the rule that forbids, or the name of a problem; nothing has changed then.
    """
    machine = Machine(rules.of(state), state, chance, actor, watch)
    if isinstance(command, DeskCommand):
        perform_at_desk(machine, actor, command, past)
        return machine.told
    if isinstance(command, AnswerCommand):
        disputed = asked_about(state, command.decision)
        if disputed is not None:
            perform_verdict(machine, actor, disputed, command, past)
            return machine.told
    _check_pause(state, command)
    if isinstance(command, TakeBack):
        perform_take_back(machine, actor, command, past)
        return machine.told  # what was half-done fell away
    if isinstance(command, Reveal):
        _reveal(machine, actor, command)
    elif isinstance(command, AnswerCommand):
        if state.rulings is not None and command.decision == proposal(state.rulings):
            perform_consent(machine, actor, command)
            return machine.told  # what is half-done has nothing to do with it
        perform_answer(machine, actor, command)
    elif isinstance(command, TableCommand):
        _say(machine, actor, command)
        if not isinstance(command, FlipCoin):
            return machine.told  # it leaves nothing half-done, and has not touched what was
    elif isinstance(command, Enter):
        perform_enter(machine, actor, command)
    else:
        _act(machine, actor, command)
    machine.run()
    if state.desk is not None:
        lapse(machine)
    return machine.told


def _say(m: Machine, actor: int, command: TableCommand) -> None:
    """What players say at the table."""
    if isinstance(command, Demand):
        perform_demand(m, actor, command)
    else:
        perform_at_table(m, actor, command)


def goes_back(
    state: State, actor: int, command: object, latest: Sequence[Passed] | None = None, started: int = 1
) -> int:
    """The commit to which a command takes play back, whose past `decide` must be given; 0 for nearly all commands.

    Whatever can be refused without the past is refused here, by the checks of `decide`: so nobody makes a service read a whole log for
    a command that comes to nothing.

    Args:
        state: of the game.
        actor: a seat, or the moderator.
        command: any.
        latest: the latest commits, if available, for what can be taken back.
        started: the commit that started the game, if it is known.

    Raises:
        Refused: as `decide` does.
    """
    to = 0
    if isinstance(command, RuleDispute):
        check_ruling(state, actor, command)
        to = command.to or 0 if command.outcome == "rewind" else 0
    elif isinstance(command, TakeBack):
        _check_pause(state, command)
        check_take_back(state, actor, command, latest)
        to = command.to
    elif isinstance(command, AnswerCommand):
        disputed = asked_about(state, command.decision)
        holds = None if disputed is None else check_answer(state, actor, disputed, command)
        to = 0 if holds is None else holds.to
    if to:
        check_number(state, to, started)
    return to


def _check_pause(state: State, command: AnyCommand) -> None:
    """While play is paused people may still talk."""
    if not paused(state) or isinstance(command, ProposeRuling):
        return
    if isinstance(command, Choose) and state.rulings is not None and command.decision == proposal(state.rulings):
        return
    raise Refused("play is paused until the ruling, by the game's option `disputes`", problem="play-paused")


def _reveal(m: Machine, actor: int, command: Reveal) -> None:
    if command.decision != REVEAL:
        raise Refused(f"the decision `{command.decision}` is not open", problem="decision-closed")
    if not may_reveal(m.rules, m.state, actor):
        haunt, mine = m.state.haunt, 0 <= actor < m.state.seats and m.state.explorers[actor].side == "traitor"
        if haunt is not None and haunt.hidden and haunt.started and mine:
            raise Refused("the haunt does not let you reveal yourself yet", rule=m.rules.cite.revealed)
        raise Refused(
            "only the hidden traitor can reveal itself", rule=m.rules.cite.no_reveal, problem="no-hidden-traitor"
        )
    m.call("reveal-traitor", seat=actor)


# -- turn commands ------------------------------------------------------------------------------------------------------------------


def _act(m: Machine, actor: int, command: AnyCommand) -> None:
    state = m.state
    turn = turn_decision(state)
    if not turn or command.decision != turn:
        if command.decision.startswith("turn-") and state.turn.acting and state.seat_of(state.turn.seat) != actor:
            raise _not_your_turn(m, command)
        rule = _rule_of_closed_turn(m) or no_card_instead(m, command)
        raise Refused(f"the decision `{command.decision}` is not open", rule=rule, problem="decision-closed")
    if state.seat_of(state.turn.seat) != actor or actor == MODERATOR:
        raise _not_your_turn(m, command)
    if isinstance(command, EndTurn):
        m.call("end-turn")
        return
    figure = _figure(m, actor, command)
    if is_explorer(figure) and state.explorers[figure].removed and not isinstance(command, Act):
        raise Refused("your explorer has left the house", rule=m.rules.cite.without_figure)
    if is_explorer(figure) and state.explorers[figure].held is not None and not isinstance(command, BreakFree):
        raise held_back(m.rules)
    _perform(m, command, figure)


def _rule_of_closed_turn(m: Machine) -> str:
    """The rule by which nobody acts now: before the start, before a haunt roll is made, before the haunt is set up; or empty."""
    if m.state.status == "open":
        return m.rules.cite.not_started
    setting_up = m.state.haunt is not None and not m.state.haunt.started
    return (m.rules.cite.before_first_turn if setting_up else "") or what_comes_first(m)


def _not_your_turn(m: Machine, command: AnyCommand) -> Refused:
    rule = m.rules.cite.own_turn_act if isinstance(command, Act) else m.rules.cite.own_turn
    seat = m.state.turn.seat
    if seat == UNNAMED:
        return Refused("it is the monsters' turn", rule=rule)
    return Refused("it is the turn of {}", figure_id(seat), rule=rule)


def _figure(m: Machine, actor: int, command: AnyCommand) -> Figure:
    """Whom the command is about: the explorer in its turn, a monster in the monsters' turn."""
    monster = command.monster if isinstance(command, ByCharacter) else None
    turn = m.state.turn
    if not turn.monsters:
        if monster is not None:
            raise Refused(
                "monsters act only in the monsters' turn",
                rule=m.rules.cite.monsters_turn,
                problem="not-a-monsters-turn",
            )
        return actor
    if isinstance(command, Act) and monster is None and command.source in m.rules.pack.unplaced and turn.seat == actor:
        return actor  # everybody would see whose explorer acts; so not while nobody may say who runs the monsters
    if isinstance(command, Drop | PickUp | Loot | Trade):
        check_carrier(m.rules, m.state, monster)
    if monster is None:
        raise Refused("name a monster: it is the monsters' turn", rule=m.rules.cite.monsters_turn)
    if monster not in m.state.monsters:
        raise Refused("{} is not in the house", figure_id(monster), rule=m.rules.cite.monsters_turn)
    if m.state.monsters[monster].stunned:
        rule = m.rules.cite.no_stunned_pick_up if isinstance(command, PickUp) else m.rules.cite.stunned_waits
        raise Refused("{} is stunned", figure_id(monster), rule=rule)
    if monster in turn.recovered:
        raise Refused(
            "{} spent this turn recovering: it acts again in the next one",
            figure_id(monster),
            rule=m.rules.cite.recovery,
        )
    if monster in turn.finished:
        raise Refused("{} has finished its turn", figure_id(monster), rule=m.rules.cite.one_monster)
    return monster


def _perform(m: Machine, command: AnyCommand, figure: Figure) -> None:
    if not is_explorer(figure):
        _perform_monster(m, command, figure)
    elif isinstance(command, Move):
        perform_move(m, command, figure)
    elif isinstance(command, Explore):
        perform_explore(m, command, figure)
    elif isinstance(command, Act):
        perform_act(m, command, figure)
    elif isinstance(command, Attack):
        perform_attack(m, command, figure)
    elif isinstance(command, Cross):
        perform_cross(m, command, figure)
    elif isinstance(command, BreakFree):
        perform_free(m, command, figure)
    elif isinstance(command, LookThrough):
        perform_look_through(m, figure)
    elif isinstance(command, Drop | PickUp | Loot | Trade):
        _perform_with_cards(m, command, figure)


def _perform_with_cards(m: Machine, command: Drop | PickUp | Loot | Trade, figure: Figure) -> None:
    if isinstance(command, Drop):
        perform_drop(m, command, figure)
    elif isinstance(command, PickUp):
        perform_pick_up(m, command, figure)
    elif isinstance(command, Loot):
        perform_loot(m, command, figure)
    else:
        perform_trade(m, command, figure)


def _perform_monster(m: Machine, command: AnyCommand, monster: MonsterId) -> None:
    """A monster moves, attacks or does what its haunt lets it; the one that acted before is finished (2E-MON-001)."""
    told = len(m.told)
    if isinstance(command, Move):
        perform_move(m, command, monster)
    elif isinstance(command, Cross):
        perform_cross(m, command, monster)
    elif isinstance(command, Attack):
        perform_attack(m, command, monster)
    else:
        _perform_deed(m, command, monster)
    if m.state.turn.active != monster:
        m.emit_at(told, MonsterChosen(monster=monster, rule=m.rules.cite.one_monster))


def _perform_deed(m: Machine, command: AnyCommand, monster: MonsterId) -> None:
    """What only some haunts let monsters do."""
    if isinstance(command, Explore):
        if not m.rules.pack.monster(m.state, m.state.monsters[monster].kind).explores:
            raise Refused("monsters can't discover rooms", rule=m.rules.cite.no_exploring)
        perform_explore(m, command, monster)
    elif isinstance(command, Act):
        perform_deed(m, command, monster)
    elif isinstance(command, Drop | PickUp | Loot | Trade):
        _perform_with_cards(m, command, monster)
    else:
        raise Refused("monsters can't do that", rule=m.rules.cite.monsters_turn)
