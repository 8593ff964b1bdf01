"""The laws of forks: at any commit of a table that goes back far, there is a world that agrees with what a role knows, and play goes on in it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from domain.decide import decide
from domain.engine.external import is_external
from domain.engine.rules import Rules
from domain.evolve import fold, redact
from domain.facts.audience import REFEREE, Mask, principal_name, seat_bit
from domain.facts.chance import Answer, Chance, Moderator, Request, Seeded
from domain.facts.commands import Act, AnswerChance, AnyCommand, Reveal, TakeBack
from domain.facts.desk_commands import OpenDispute, RuleDispute
from domain.facts.events import Rewound, SecretChosen
from domain.facts.state import MODERATOR, Sandbox, State
from domain.guesses import Logged, standing
from domain.rulebook.desk.taking_back import MOST, TAKE_BACK, offered
from domain.rulebook.haunt.entering import may_enter
from domain.rulebook.table.posted_dice import throw
from domain.rulebook.turn.options import legal
from domain.sandbox import Begun, begin_fork
from domain.worlds import World, unknown_secrets
from projections.view.game import view_of
from service.bootstrap import Service
from service.games.fork.worlds import sampled_world, true_world
from service.problems import ProblemError
from tests.laws.entering import enter
from tests.laws.going_back import act, latest
from tests.laws.playout import Game, awaited, copy_of, encode, open_table, pick, principals
from tests.support.lamps import SCRIPT

OWN = ("game", "source", "options", "arranged", "sandbox", "setup", "chances", "desk", "commit", "open", "frames")
"""What a fork has of its own, and what is asked anew in it."""
FEW = 20
"""Commands that are played on in most worlds; in some of them it is to the end."""


class Soon:
    """Chance by which the haunt begins with the first omens."""

    def __init__(self, source: Chance) -> None:
        self._source = source

    def ask(self, request: Request) -> Answer | None:
        if request.what == "dice:haunt":
            return Answer(faces=(0,) * request.dice)
        return self._source.ask(request)


def play_far_back(rules: Rules, seed: int, *, seats: int, haunt: str, most: int, source: str = "seeded") -> Game:
    """Play at random, at a table that takes back what it can and is rewound to any commit, behind the haunt's beginning too.

    Args:
        rules: of the game.
        seed: of everything.
        seats: how many.
        haunt: which one it is to be, or the chart's.
        most: commits.
        source: of chance; for `moderator` and `table` somebody answers for it.
    """
    name = f"{rules.edition.id}-{seats}-{seed}"
    chance = Soon(Seeded(b"far %d" % seed, name)) if source == "seeded" else Moderator()
    game = open_table(rules, seed, seats=seats, haunt=haunt, chance=chance, source=source)
    lot, started = random.Random(seed), len(game.commits)
    while len(game.commits) < most and game.state.status == "started":
        seat = lot.randrange(seats)
        back = next(offered(latest(game), seat), 0)
        if back and lot.random() < 0.3 and (game.state.desk is None or game.state.desk.taken < MOST):
            act(game, seat, TakeBack(decision=TAKE_BACK, to=back))
        elif lot.random() < 0.03 and len(game.commits) > started + 10:
            near, far = len(game.commits) - lot.randint(2, 8), lot.randrange(started, len(game.commits) - 2)
            rewind(game, seat, lot.choice([near, far]))
        else:
            _do(game, lot)
    return game


def _do(game: Game, lot: random.Random) -> None:
    """Whoever is awaited does something; what the haunt offers more often, and what shows a hidden traitor less."""
    state, seat = game.state, awaited(game.state)
    if is_external(state) and state.haunt and state.haunt.entered < len(SCRIPT) and may_enter(state):
        act(game, *enter(game, *SCRIPT[state.haunt.entered]))
        return
    commands = legal(game.rules, state, seat)
    if isinstance(commands[0], AnswerChance) and state.open[commands[0].decision].total:
        asked = state.open[commands[0].decision]
        faces = [0 if asked.about == "dice:haunt" else lot.randrange(3) for _ in range(asked.total)]
        act(game, seat, throw(game.rules, asked.id, faces))
        return
    shy: list[AnyCommand] = [
        one for one in commands if not isinstance(one, Reveal) and getattr(one, "option", "") != "reveal"
    ]
    of_haunt: list[AnyCommand] = [one for one in commands if isinstance(one, Act) and one.source.startswith("haunt:")]
    if of_haunt and lot.random() < 0.5:
        commands = of_haunt
    elif shy and lot.random() < 0.97:
        commands = shy
    act(game, seat, pick(lot, commands))


def rewind(game: Game, seat: int, to: int) -> None:
    """A seat disputes, and the referee takes play back, to the start of the game at the furthest."""
    to = max(to, len(game.commits) - len(game.acts))
    act(game, seat, OpenDispute(first=to + 1, last=len(game.commits), claim="ab" * 32))
    assert game.state.desk is not None
    number = len(game.state.desk.disputes)
    act(game, MODERATOR, RuleDispute(number=number, outcome="rewind", to=to, text="So be it."))


@dataclass
class Found:
    """What came of sampling."""

    worlds: int = 0
    half_done: int = 0
    hidden: int = 0
    """Worlds of roles that do not know all of the haunt."""
    otherwise: int = 0
    """Those in which it is other than it truly was."""
    behind: int = 0
    """Those of commits behind one by which play went back."""
    ended: int = 0


async def worlds_at_any_commit(service: Service, game: Game, commits: Sequence[int], lot: random.Random) -> Found:
    """Sample a world for each role as of each of these commits of a game that the service keeps, and hold each to the laws."""
    found = Found()
    live = await service.tables.live(game.name)
    for at in commits:
        truth = fold(State(), game.commits[:at])
        for principal in principals(game.state.seats):
            role = _known(game, principal, at)
            try:
                if principal == REFEREE:
                    world = await true_world(service.tables, game.name, live, at)
                else:
                    chance = Seeded(lot.randbytes(32), "world")
                    world = await sampled_world(service.tables, game.name, live, at, principal, chance)
            except ProblemError as problem:
                if problem.code != "half-done":
                    raise AssertionError(f"{game.name}: commit {at}, {principal_name(principal)}") from problem
                found.half_done += 1
                continue
            found.worlds += 1
            found.behind += any(isinstance(one.event, Rewound) for told in game.commits[:at] for one in told)
            if _facts(role) != _facts(truth):
                found.hidden += 1
                found.otherwise += _facts(world.engine) != _facts(truth)
                _could_be_chosen(game, world, role, principal, at)
            if principal == REFEREE:
                assert encode(world.engine) == encode(truth), f"{game.name}: commit {at}: the referee knows the truth"
            else:
                assert encode(world.roles[principal]) == encode(role), f"{game.name}: commit {at}, {principal}"
                assert encode(world.engine.decks) == encode(role.decks), (
                    "what others have looked at lies anywhere again"
                )
            found.ended += _plays_on(game, world, role, principal, lot)
    return found


def _known(game: Game, principal: Mask, at: int) -> State:
    return fold(State(), [redact(commit, principal) for commit in game.commits[:at]])


def _facts(state: State) -> tuple[object, ...]:
    """The hidden facts that have one value for the whole game."""
    haunt = state.haunt
    if haunt is None:
        return ()
    return tuple(one.side for one in state.explorers), tuple(sorted(haunt.secrets.items()))


def _could_be_chosen(game: Game, world: World, role: State, principal: Mask, at: int) -> None:
    """A room that is invented for a secret is one that the role had seen when the secret was chosen."""
    logged = [Logged(number, told, lambda _: []) for number, told in enumerate(game.commits[:at], 1)]
    for name in unknown_secrets(role):
        chosen = next(
            one.number
            for one in reversed(standing(logged))
            if any(isinstance(it.event, SecretChosen) for it in one.told)
        )
        assert world.engine.haunt is not None
        assert world.engine.haunt.secrets[name] in _known(game, principal, chosen).rooms, f"{game.name}: commit {at}"


def _plays_on(game: Game, world: World, role: State, principal: Mask, lot: random.Random) -> bool:
    """The world is made a fork, in which whoever is awaited does what is legal. Whether it came to its end."""
    source = Seeded(lot.randbytes(32), "fork")
    unread = {} if principal == REFEREE else game.rules.unread(role)
    sandbox = Sandbox(of=game.name, at=role.commit, sampled=principal != REFEREE, unread=unread)
    begun = Begun("fork", sandbox, "seeded", {"turn_limit": 90})
    state, told = begin_fork(game.rules, world, begun, source)
    state.commit = 1
    known = {one: fold(State(), [redact(told, one)]) for one in principals(state.seats)}
    assert encode(known[REFEREE]) == encode(state)
    if not role.open:
        assert _shown(game.rules, known[principal], role, principal) == _shown(game.rules, role, role, principal)
    most = 10_000 if lot.random() < 0.02 else FEW
    while state.status == "started" and most:
        actor, most = awaited(state), most - 1
        commands = legal(game.rules, state, actor)
        assert actor != MODERATOR or principal == REFEREE, f"{game.name}: a referee is awaited where there is none"
        mine = known[REFEREE if actor == MODERATOR else seat_bit(actor)]
        assert commands == legal(game.rules, mine, actor), f"{game.name}: {actor} in a fork of {principal}"
        told = decide(game.rules, state, actor, pick(lot, commands), source)
        state.commit += 1
        for one, mine in known.items():
            fold(mine, [redact(told, one)])
    assert encode(known[REFEREE]) == encode(state)
    return state.status != "started"


def _shown(rules: Rules, state: State, like: State, principal: Mask) -> bytes:
    """What a role sees, with what a fork has of its own as it is in the game."""
    shown = copy_of(state)
    for name in OWN:
        setattr(shown, name, getattr(like, name))
    return msgspec.json.encode(view_of(rules, shown, principal))
