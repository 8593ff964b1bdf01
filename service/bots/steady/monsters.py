"""The steady bot in the monsters' turn: it runs them towards the heroes, and has them attack."""

from domain.commands import Act, AnyCommand, Attack, EndTurn, PickUp
from service.bots.routes import Routes
from service.bots.steady.fighting import worth
from service.bots.steady.goals import errands
from service.bots.steady.moment import Moment


def act(moment: Moment) -> AnyCommand:
    """The monster that is acting first, then the others in their order; at last the end of the turn."""
    names = [monster.id for monster in moment.view.monsters]
    for name in sorted(names, key=lambda one: one != moment.view.turn.active):
        command = attack(moment, name) or gather(moment, name) or approach(moment, name)
        if command is not None:
            return command
    return EndTurn(decision=moment.decision.id)


def attack(moment: Moment, monster: str) -> AnyCommand | None:
    """Attack whoever within reach can be hurt most, unless that hurts the monster more."""
    mine = (command for command in moment.listed(Attack) if command.monster == monster)
    chances = [(worth(moment, command), command) for command in mine]
    best = max(chances, key=lambda one: one[0], default=None)
    return best[1] if best is not None and best[0] > 0 else None


def gather(moment: Moment, monster: str) -> AnyCommand | None:
    """Take up all that lies here, and do what its haunt offers it."""
    taken = [command for command in moment.listed(PickUp) if command.monster == monster]
    if taken:
        return max(taken, key=lambda command: len(command.cards))
    deeds = (command for command in moment.listed(Act) if command.monster == monster)
    return next((command for command in deeds if command.source.startswith("haunt:")), None)


def approach(moment: Moment, monster: str) -> AnyCommand | None:
    """Take a step towards what its book sends it for, or the next hero to be hunted; stay where one is."""
    figure = moment.figure(monster)
    here = (figure.room, figure.part)
    routes = Routes(moment, here, monster=True)
    goals = (routes.nearest(places) for places in errands(moment, monster))
    goal = next((one for one in goals if one is not None), here)
    return routes.step(goal, moment.commands, monster)
