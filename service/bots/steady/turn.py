"""The steady bot's own turn, the most important first, and the monsters' turn: it runs them towards the heroes, and has them attack."""

from collections.abc import Callable

from domain.facts.commands import Act, AnyCommand, Attack, BreakFree, EndTurn, Explore, PickUp, Reveal
from service.bots.brain import Generator
from service.bots.sight import MENTAL, PHYSICAL, Routes, stands, value, wounds
from service.bots.steady.fighting import worth
from service.bots.steady.moment import Moment, errands, wanted


def act_for_monster(moment: Moment) -> AnyCommand:
    """The monster that is acting first, then the others in their order; at last the end of the turn."""
    names = [monster.id for monster in moment.view.monsters]
    for name in sorted(names, key=lambda one: one != moment.view.turn.active):
        command = attack_with_monster(moment, name) or gather(moment, name) or approach(moment, name)
        if command is not None:
            return command
    return EndTurn(decision=moment.decision.id)


def attack_with_monster(moment: Moment, monster: str) -> AnyCommand | None:
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


Rule = Callable[[Moment], AnyCommand | None]

WOUNDS = 2
"""Spaces below its start from which on an explorer is worth healing."""
SOUND = 4
"""A trait of this value, or as many spaces above the skull, is good enough to try one's luck."""


def act(moment: Moment) -> AnyCommand:
    """The first thing that a rule wants; at last the end of the turn, which is always legal."""
    for rule in RULES:
        command = rule(moment)
        if command is not None:
            return command
    return EndTurn(decision=moment.decision.id)


def break_free(moment: Moment) -> AnyCommand | None:
    """Get out of webs and debris, and help others out."""
    return next(moment.listed(BreakFree), None)


def heal(moment: Moment) -> AnyCommand | None:
    """Mend whoever of the own side has suffered."""
    foes = moment.foes()
    for command in moment.listed(Act):
        if command.word == "HEAL" and isinstance(command.target, int):
            patient = moment.view.explorers[command.target]
            if patient not in foes and wounds(patient) >= WOUNDS:
                return command
    return None


def serve_the_haunt(moment: Moment) -> AnyCommand | None:
    """Do what the book offers here for the own side; who hides behind the others' book does not do their work."""
    haunt = moment.view.haunt
    if haunt is None:
        return None
    sides = {word.word: word.side or book.side for book in haunt.books for word in book.actions}
    for command in moment.listed(Act):
        what, _, name = command.source.partition(":")
        if what == "haunt" and sides.get(command.word) == moment.side:
            return command
        if what == "card" and moment.of_haunt([name]):
            return command
    return None


def free_the_monsters(moment: Moment) -> AnyCommand | None:
    """Fetch the stairs for monsters that can't get out of the basement."""
    return next((one for one in moment.listed(Act) if one.word == "FETCH" and one.source.startswith("tile:")), None)


def attack(moment: Moment) -> AnyCommand | None:
    """Attack where it can be expected to hurt more than it costs; never somebody who may be a friend."""
    foes = moment.foes()
    sure = (command for command in moment.listed(Attack) if moment.figure(command.target) in foes)
    chances = [(worth(moment, command), command) for command in sure]
    best = max(chances, key=lambda one: one[0], default=None)
    return best[1] if best is not None and best[0] > 0 else None


def throw(moment: Moment) -> AnyCommand | None:
    """Throw what hits a whole room where only opponents stand."""
    foes = moment.foes()
    friends = [one for one in moment.view.explorers if one.alive and one not in foes]
    for command in moment.listed(Act):
        if command.word == "THROW" and isinstance(command.target, str):
            hit = [one for one in foes if one.room == command.target]
            if hit and all(one.room != command.target for one in friends):
                return command
    return None


def pick_up(moment: Moment) -> AnyCommand | None:
    """Take everything that lies here."""
    return max(moment.listed(PickUp), key=lambda command: len(command.cards), default=None)


def use_items(moment: Moment) -> AnyCommand | None:
    """Open boxes that one carries, empty the pockets of opponents, and as the traitor ring for the heroes."""
    foes = moment.foes()
    for command in moment.listed(Act):
        if command.source.startswith("card:"):
            if command.word == "OPEN":
                return command
            if command.word == "RING" and moment.side == "traitor" and moment.me.revealed:
                return command
            if command.word == "TAKE" and command.target is not None and moment.figure(command.target) in foes:
                return command
    return None


def search(moment: Moment) -> AnyCommand | None:
    """Open and search what stands in the room, if one can afford to fail."""
    able = all(value(moment.me, trait) >= SOUND for trait in MENTAL)
    sound = all(stands(moment.me, traits) >= SOUND for traits in (PHYSICAL, MENTAL))
    if not (able and sound):
        return None
    here = (command for command in moment.listed(Act) if command.source.startswith(("tile:", "token:")))
    return next((command for command in here if command.word in ("OPEN", "SEARCH")), None)


def go_on(moment: Moment) -> AnyCommand | None:
    """Take the next step to the nearest place of the most important kind that can be reached, or explore there."""
    fearless = moment.side == "traitor" and moment.me.revealed
    routes = Routes(moment, moment.here, careful=not fearless)
    for places in wanted(moment):
        goal = routes.nearest(places)
        if goal is not None:
            return routes.step(goal, moment.commands) if goal != moment.here else explore(moment)
    return None


def explore(moment: Moment) -> AnyCommand | None:
    """Go through a doorway of this room, any of them; where the wish is another, there is nothing to do but wait."""
    doors = list(moment.listed(Explore))
    return Generator(moment.memory.seed, moment.view.version).pick(doors) if doors else None


def take_a_chance(moment: Moment) -> AnyCommand | None:
    """Where no way on foot leads to anything wanted, walls that turn and slides lead at least elsewhere."""
    here = (command for command in moment.listed(Act) if command.source.startswith("token:"))
    return next((command for command in here if command.word in ("TURN", "SLIDE")), None)


RULES: tuple[Rule, ...] = (
    break_free,
    heal,
    serve_the_haunt,
    throw,
    free_the_monsters,
    attack,
    pick_up,
    use_items,
    search,
    go_on,
    take_a_chance,
)


def reveal(moment: Moment) -> AnyCommand | None:
    """Show oneself as the hidden traitor on the own turn in company: the haunt gives strength, and somebody is there to be hit."""
    if moment.view.turn.seat != moment.me.seat or moment.view.turn.monsters:
        return None
    others = (one for one in moment.view.explorers if one.alive and one.seat != moment.me.seat)
    company = [one for one in others if (one.room, one.part) == moment.here]
    return next(moment.listed(Reveal), None) if company else None
