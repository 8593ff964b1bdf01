"""The steady bot's own turn, the most important first; the monsters' turn; and the odds of an attack, in floating point."""

from collections.abc import Callable, Iterator
from functools import cache

from domain.facts.chance import DIE_FACES
from domain.facts.commands import Act, AnyCommand, Attack, BreakFree, EndTurn, Explore, Loot, PickUp, Reveal
from domain.facts.ids import is_own_side, split_id, stance
from domain.facts.state import MonsterId, is_explorer
from domain.queries.spread import ways
from projections.view.people import MonsterView
from projections.view.stacks import AttackView
from service.bots.brain import Generator
from service.bots.steady.sight import (
    MENTAL,
    PHYSICAL,
    Fighter,
    Moment,
    Routes,
    SeatSight,
    Spot,
    endurance,
    errands,
    settled,
    value,
    wanted,
    wounds,
)

MOST_DICE = 8
"""Weapons raise an attack to this many dice at most (2E-ITEM-019)."""
WOUNDS = 2
"""Spaces below its start from which an explorer is worth healing."""
SOUND = 4
"""A trait of this value, or this many spaces above the skull, is good enough to take a risk."""
DEATH = 4.0
"""Points that the death of an explorer counts for, besides the wounds."""
LOSS = 0.75
"""Points that a monster killed by damage counts for: such monsters come in swarms."""
STUN = 0.5
"""Points that a stunned monster counts for: it misses a turn."""
BOLD = 0.6
"""How much a traitor's own wounds count: it has to kill, and its monsters go on without it."""
UNARMED = AttackView(trait="might", damage="physical", dice=0, result=0, range="room", safe=False, safe_from_afar=True)

Rule = Callable[[Moment], AnyCommand | None]


@cache
def distribution(dice: int) -> tuple[float, ...]:
    """The chance of each sum of dice, from 0 up."""
    return tuple(number / DIE_FACES ** max(dice, 0) for number in ways(dice))


@cache
def margin(attack: int, defense: int, bonus: int = 0) -> dict[int, float]:
    """The chance of each difference between two rolls, the attacker's minus the defender's."""
    chances: dict[int, float] = {}
    for mine, p in enumerate(distribution(attack)):
        for theirs, q in enumerate(distribution(defense)):
            by = mine + bonus - theirs
            chances[by] = chances.get(by, 0.0) + p * q
    return chances


def chance_above(least: int, attack: int, defense: int, bonus: int = 0) -> float:
    """The chance that the attacker wins by more than `least`."""
    return sum(p for by, p in margin(attack, defense, bonus).items() if by > least)


def chance_below(least: int, attack: int, defense: int, bonus: int = 0) -> float:
    """The chance that the attacker loses by more than `least`."""
    return sum(p for by, p in margin(attack, defense, bonus).items() if -by > least)


def damage_dealt(attack: int, defense: int, bonus: int = 0) -> float:
    """The damage that the attacker deals on average."""
    return sum(by * p for by, p in margin(attack, defense, bonus).items() if by > 0)


def damage_taken(attack: int, defense: int, bonus: int = 0) -> float:
    """The damage that the attacker takes on average."""
    return sum(-by * p for by, p in margin(attack, defense, bonus).items() if by < 0)


def worth(sight: SeatSight, command: Attack) -> float:
    """By how many points an attack is expected to hurt the target more than the attacker; deaths count extra."""
    attacker = sight.figure(command.monster if command.monster is not None else sight.me.seat)
    target = sight.figure(command.target)
    card = sight.view.cards.get(command.weapon) if command.weapon is not None else None
    mode = card.attack if card is not None and card.attack is not None else UNARMED
    mine = value(attacker, mode.trait)
    mine = min(mine + mode.dice, max(mine, MOST_DICE))
    theirs = value(target, mode.trait)
    distant = (attacker.room, attacker.part) != (target.room, target.part)
    harmless = (
        mode.safe or (distant and mode.safe_from_afar) or (isinstance(target, MonsterView) and not target.defends)
    )
    gain = _harm(target, mode, chance_above, damage_dealt, mine, theirs)
    risk = 0.0 if harmless else _harm(attacker, mode, chance_below, damage_taken, mine, theirs)
    return gain - (risk * BOLD if sight.side == "traitor" else risk)


def _harm(
    sufferer: Fighter,
    mode: AttackView,
    chance: Callable[[int, int, int, int], float],
    damage: Callable[[int, int, int], float],
    mine: int,
    theirs: int,
) -> float:
    """Points that an attack is expected to cost one of the two: by the chance that it loses, and the damage that it takes then."""
    if isinstance(sufferer, MonsterView):
        if not sufferer.dies and (sufferer.stuns is False or (sufferer.stunned and sufferer.defends)):
            return 0.0  # nothing comes of it
        return chance(0, mine, theirs, mode.result) * (LOSS if sufferer.dies else STUN)
    hurt = PHYSICAL if mode.damage == "physical" else MENTAL
    return damage(mine, theirs, mode.result) + DEATH * chance(endurance(sufferer, hurt), mine, theirs, mode.result)


def _best_attack(moment: Moment, attacks: Iterator[Attack]) -> AnyCommand | None:
    chances = [(worth(moment, command), command) for command in attacks]
    best = max(chances, key=lambda one: one[0], default=None)
    return best[1] if best is not None and best[0] > 0 else None


def act_for_monster(moment: Moment) -> AnyCommand:
    """The acting monster first, then the others in order; in the end, end the turn."""
    names = [MonsterId(monster.id) for monster in moment.view.monsters]
    for name in sorted(names, key=lambda one: one != moment.view.turn.active):
        attacks = (command for command in moment.listed(Attack) if command.monster == name)
        command = _best_attack(moment, attacks) or gather(moment, name) or approach(moment, name)
        if command is not None:
            return command
    return EndTurn(decision=moment.decision.id)


def gather(moment: Moment, monster: MonsterId) -> AnyCommand | None:
    """Pick up everything here, and take the actions that the haunt gives the monster."""
    actions = (command for command in moment.listed(Act) if command.monster == monster)
    return pick_up(moment, monster) or next((one for one in actions if one.source.startswith(("haunt:", "box:"))), None)


def approach(moment: Moment, monster: MonsterId) -> AnyCommand | None:
    """Step towards the monster's errand, or the nearest prey; explore where that is the errand; None to stay."""
    figure = moment.figure(monster)
    here = (figure.room, figure.part)
    routes = Routes(moment, here, monster=True)
    goals = (routes.nearest(spots) for spots in errands(moment, monster))
    goal = next((one for one in goals if one is not None), here)
    explores = any(hint.explore for hint in moment.hints if monster in hint.by)
    return explore(moment, monster) if explores and goal == here else routes.step(goal, moment.commands, monster)


def act(moment: Moment) -> AnyCommand:
    """The command of the first rule that has one; in the end, end the turn, which is always legal."""
    for rule in RULES:
        command = rule(moment)
        if command is not None:
            return command
    return EndTurn(decision=moment.decision.id)


def break_free(moment: Moment) -> AnyCommand | None:
    """Get out of webs and debris, and help others out."""
    return next(moment.listed(BreakFree), None)


def heal(moment: Moment) -> AnyCommand | None:
    """Heal somebody wounded on the bot's side."""
    foes = moment.foes()
    for command in moment.listed(Act):
        if command.word == "HEAL" and is_explorer(command.target):
            patient = moment.view.explorers[command.target]
            if patient not in foes and wounds(patient) >= WOUNDS:
                return command
    return None


def serve_the_haunt(moment: Moment) -> AnyCommand | None:
    """Take an action that the book offers the bot's side; a hidden traitor does not do the heroes' work."""
    haunt = moment.view.haunt
    if haunt is None:
        return None
    sides = {word.word: word.side or book.side for book in haunt.books for word in book.actions}
    for command in moment.listed(Act):
        what, name = split_id(command.source)
        if what == "haunt" and sides.get(command.word) == stance(moment.side):
            return command
        if what == "card" and moment.of_haunt([name]):
            return command
    return None


def free_the_monsters(moment: Moment) -> AnyCommand | None:
    """Fetch the stairs for monsters stuck in the basement."""
    return next((one for one in moment.listed(Act) if one.word == "FETCH" and one.source.startswith("tile:")), None)


def attack(moment: Moment) -> AnyCommand | None:
    """Attack if that is expected to hurt more than it costs; never somebody who may be a friend."""
    foes = moment.foes()
    return _best_attack(moment, (one for one in moment.listed(Attack) if moment.figure(one.target) in foes))


def strike_first(moment: Moment) -> AnyCommand | None:
    """Among none but opponents an attack is weighed before anything that would take its place."""
    return attack(moment) if is_own_side(moment.side) else None


def throw(moment: Moment) -> AnyCommand | None:
    """Throw what hits a whole room if only opponents stand there."""
    foes = moment.foes()
    friends = [one for one in moment.view.explorers if one.alive and one not in foes]
    for command in moment.listed(Act):
        if command.word == "THROW" and isinstance(command.target, str):
            hit = [one for one in foes if one.room == command.target]
            if hit and all(one.room != command.target for one in friends):
                return command
    return None


def pick_up(moment: Moment, monster: MonsterId | None = None) -> AnyCommand | None:
    taken = (command for command in moment.listed(PickUp) if command.monster == monster)
    return max(taken, key=lambda command: len(command.cards), default=None)


def loot(moment: Moment) -> AnyCommand | None:
    """Take from a corpse what the haunt is about, else a weapon, else whatever is there."""

    def wanted_first(command: Loot) -> tuple[bool, bool]:
        card = moment.view.cards[command.card]
        return card.of_haunt, card.attack is not None

    taken = (command for command in moment.listed(Loot) if command.monster is None)
    return max(taken, key=wanted_first, default=None)


def use_items(moment: Moment) -> AnyCommand | None:
    """Open carried boxes, pick opponents' pockets, and as the traitor ring for the heroes."""
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
    """Open and search things in the room, if the explorer can afford to fail."""
    able = all(value(moment.me, trait) >= SOUND for trait in MENTAL)
    sound = all(endurance(moment.me, traits) >= SOUND for traits in (PHYSICAL, MENTAL))
    if not (able and sound):
        return None
    here = (command for command in moment.listed(Act) if command.source.startswith(("tile:", "token:")))
    return next((command for command in here if command.word in ("OPEN", "SEARCH")), None)


def go_on(moment: Moment) -> AnyCommand | None:
    """Step towards the nearest spot of the most important kind that can be reached, or explore there."""
    fearless = moment.side == "traitor" and moment.me.revealed
    routes = Routes(moment, moment.here, careful=not fearless)
    for spots in wanted(moment):
        goal = routes.nearest(spots)
        if goal is not None and goal != moment.here:
            return routes.step(goal, moment.commands)
        if goal is not None:
            return EndTurn(decision=moment.decision.id) if settled(moment) else explore(moment)
    return None


def hunt(moment: Moment) -> AnyCommand | None:
    """Step towards the nearest opponent."""
    goal = Routes(moment, moment.here).nearest([(foe.room, foe.part) for foe in moment.foes()])
    return step_to(moment, goal) if goal is not None else None


def step_to(moment: Moment, goal: Spot, monster: MonsterId | None = None) -> AnyCommand | None:
    """The first step of the cheapest route to a spot, of the explorer or of a monster; None on arrival, or where there is no way."""
    if monster is not None:
        found = next((one for one in moment.view.monsters if one.id == monster), None)
        if found is None:
            return None
        return Routes(moment, (found.room, found.part), monster=True).step(goal, moment.commands, monster)
    return Routes(moment, moment.here).step(goal, moment.commands)


def explore(moment: Moment, monster: MonsterId | None = None) -> AnyCommand | None:
    """Go through any unexplored doorway of this room."""
    doors = [command for command in moment.listed(Explore) if command.monster == monster]
    return Generator(moment.memory.seed, moment.view.version).pick(doors) if doors else None


def take_a_chance(moment: Moment) -> AnyCommand | None:
    """If no way on foot leads anywhere useful, use turning walls and slides, which lead at least elsewhere."""
    here = (command for command in moment.listed(Act) if command.source.startswith("token:"))
    return next((command for command in here if command.word in ("TURN", "SLIDE")), None)


RULES: tuple[Rule, ...] = (
    break_free,
    heal,
    strike_first,
    serve_the_haunt,
    throw,
    free_the_monsters,
    attack,
    pick_up,
    loot,
    use_items,
    search,
    go_on,
    take_a_chance,
)


def reveal(moment: Moment) -> AnyCommand | None:
    """Reveal the hidden traitor on its own turn next to others: the haunt gives it strength, and there is somebody to hit."""
    if moment.view.turn.seat != moment.me.seat or moment.view.turn.monsters:
        return None
    others = (one for one in moment.view.explorers if one.alive and one.seat != moment.me.seat)
    company = [one for one in others if (one.room, one.part) == moment.here]
    return next(moment.listed(Reveal), None) if company else None
