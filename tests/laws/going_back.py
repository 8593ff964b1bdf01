"""The laws of going back: a table that takes back and is rewound at any moment, and still replays, audits and leaks as any other."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec

from domain.decide import decide, goes_back
from domain.engine.external import is_external
from domain.engine.rules import Rules
from domain.evolve import fold, redact
from domain.facts.audience import REFEREE
from domain.facts.chance import Seeded
from domain.facts.commands import AnyCommand, Choose, TakeBack
from domain.facts.desk import RULED
from domain.facts.desk_commands import (
    AnyDeskCommand,
    GiveEvidence,
    OpenDispute,
    ReopenDispute,
    RuleDispute,
    WithdrawDispute,
)
from domain.facts.events import ChanceAnswered, DisputeClosed, Rewound, Told
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, State
from domain.past import NOBODY, Passed, Past
from domain.rulebook.desk.amending import check_fits_again
from domain.rulebook.desk.disputing import MOST_RULINGS, consents, disputes
from domain.rulebook.desk.pausing import paused
from domain.rulebook.desk.taking_back import MOST, TAKE_BACK, offered
from domain.rulebook.haunt.entering import may_enter
from domain.rulebook.turn.options import legal
from tests.laws.completeness import every_question_has_its_frame, legality_is_the_roles_own
from tests.laws.entering import enter
from tests.laws.playout import Game, awaited, copy_of, encode, open_table, pick, principals
from tests.support.lamps import SCRIPT

DISPUTES = 15
"""Of one seat in such a game."""
EVIDENCE = 10
"""In one dispute of such a game."""
LOOKED = 200
"""Commits among which there is enough play, whatever was said between."""
VAIN = 0.06
"""How often somebody tries to go back who perhaps may not."""
REOPENED = 0.05
"""How often the referee reopens something, when somebody speaks."""
FAR = 15
"""Commits that a ruling takes back at the most."""
AMENDMENTS = (
    [{"lose": {"trait": "speed", "steps": 1}}],
    [{"roll": {"dice": 2}, "outcomes": {"2+": [{"gain": {"trait": "might", "steps": 1}}], "0-1": []}}],
    [{"damage": {"kind": "mental", "points": 2}}],
)
COUNTS = ("commit", "chances", "asked", "rulings", "desk")
"""What a rewind leaves as it is."""


def past_of(game: Game, to: int) -> Past:
    """The past of a game as it stands, read back from the bytes of its log."""
    return past_until(game, to, len(game.commits))


def past_until(game: Game, to: int, last: int) -> Past:
    """The past as it was when a game had so many commits."""
    past = Past(to, game.state.seats)
    opening = len(game.commits) - len(game.acts)
    actors = [NOBODY] * opening + [actor for actor, _ in game.acts]
    for actor, commit in zip(actors[:last], game.commits[:last], strict=True):
        past.add(actor, msgspec.json.decode(msgspec.json.encode(commit), type=list[Told]))
    return past


def latest(game: Game, most: int = LOOKED) -> list[Passed]:
    """The latest commits, as whoever asks what can be taken back looks at them."""
    first = len(game.commits) - len(game.acts)
    there = range(max(first, len(game.commits) - most), len(game.commits))
    return [Passed(number + 1, game.acts[number - first][0], game.commits[number]) for number in there]


def act(game: Game, actor: int, command: AnyCommand | AnyDeskCommand) -> list[Told]:
    """Do any command, those that go back too."""
    to = goes_back(game.state, actor, command, latest(game))
    past = past_of(game, to) if to > 0 else None
    told = decide(game.rules, game.state, actor, command, game.chance, past)
    game.commit(told)
    game.acts.append((actor, command))
    return told


def play_going_back(rules: Rules, seed: int, *, seats: int = 4, haunt: str = "", most: int = 10_000) -> Game:
    """Play a random game, or `most` commits of it, at a table that takes back what it can, disputes what it likes, and is ruled upon."""
    chosen = {"pause": seed % 3 == 0, "consent": seed % 2 == 0}
    game = open_table(rules, seed, seats=seats, haunt=haunt, options={"disputes": chosen})
    legality_is_the_roles_own(game, _steps(game, seed, most), every=7)
    return game


def _steps(game: Game, seed: int, most: int) -> Iterator[None]:
    lot, mind, vain = random.Random(seed), random.Random(seed + 1), random.Random(seed + 2)
    while game.state.status == "started" and len(game.commits) < most:
        actor = awaited(game.state)
        commands = [] if paused(game.state) else legal(game.rules, game.state, actor)
        haunt = game.state.haunt
        if commands and is_external(game.state) and haunt and haunt.entered < len(SCRIPT) and may_enter(game.state):
            act(game, *enter(game, *SCRIPT[haunt.entered]))  # what was taken back is entered again
        elif commands:
            act(game, actor, pick(lot, commands))
        while (
            game.state.status == "started" and len(game.commits) < most and (mind.random() < 0.25 or paused(game.state))
        ):
            _speak(game, mind)
            every_question_has_its_frame(game)
        if game.state.status == "started" and vain.random() < VAIN:
            _attempt(game, vain)
        yield


def _speak(game: Game, mind: random.Random) -> None:
    """Somebody takes back, disputes, gives evidence, withdraws, rules or answers; what may be done is never refused."""
    state, seat = game.state, mind.randrange(game.state.seats)
    to = next(offered(latest(game), seat), 0)
    if to and mind.random() < 0.5 and not paused(state) and (state.desk is None or state.desk.taken < MOST):
        act(game, seat, TakeBack(decision=TAKE_BACK, to=to))
        return
    asked = consents(state, seat)
    if asked:
        option = asked[0].options[0 if mind.random() < 0.8 else -1]
        act(game, seat, Choose(decision=asked[0].id, option=option))
        return
    named = {number for one in disputes(state) if one.proposed is not None for number in one.proposed.reapply}
    closed = [one for one in disputes(state) if one.outcome in RULED and one.number not in named]
    if closed and mind.random() < REOPENED:
        act(game, MODERATOR, ReopenDispute(number=mind.choice(closed).number, text="There is more to it."))
        return
    mine = next((one for one in disputes(state) if one.by == seat and not one.outcome), None)
    if mine is None:
        if sum(one.by == seat for one in disputes(state)) < DISPUTES:
            first = mind.randint(1, state.commit)
            act(game, seat, OpenDispute(first=first, last=state.commit, table=mind.random() < 0.4, claim="ab" * 32))
        return
    if mind.random() < 0.3 and len(mine.evidence) < EVIDENCE:
        act(game, mind.randrange(-1, state.seats), GiveEvidence(number=mine.number, commits=[state.commit]))
    elif mind.random() < 0.1 and not mine.earlier:
        act(game, seat, WithdrawDispute(number=mine.number))
    elif mine.proposed is None and mine.number not in named and mine.proposals < MOST_RULINGS:
        act(game, MODERATOR if not mine.table else seat, _ruling(game, mine.number, mind))


def _ruling(game: Game, number: int, mind: random.Random) -> RuleDispute:
    """Any ruling that may be made now."""
    state = game.state
    said = RuleDispute(number=number, outcome="stands", text="So be it.", precedent=mind.random() < 0.2)
    chosen = mind.random()
    if chosen < 0.6:
        started = len(game.commits) - len(game.acts)
        to = mind.randint(max(started, state.commit - FAR), state.commit - 1)
        return _with_amendments(game, msgspec.structs.replace(said, outcome="rewind", to=to))
    if chosen < 0.8 and not state.open:
        return msgspec.structs.replace(said, outcome="amend", do=mind.choice(AMENDMENTS))
    return said


def _with_amendments(game: Game, ruling: RuleDispute) -> RuleDispute:
    """A rewind that does the amendments again that it undoes, where they fit."""
    state, to = game.state, ruling.to or 0
    undone_ = [] if state.desk is None else [one for one in state.desk.amendments() if not state.desk.holds(one, to)]
    numbers = sorted({one.number for one in undone_ if disputes(state)[one.number - 1].proposed is None})
    again = msgspec.structs.replace(ruling, reapply=numbers)
    try:
        check_fits_again(game.rules, state, MODERATOR, again, past_of(game, to).known[REFEREE])
    except Refused:
        return ruling
    return again


def _attempt(game: Game, lot: random.Random) -> None:
    """Somebody wants to go back who may not, or to where nobody may; or perhaps may."""
    state = game.state
    actor, to = lot.randrange(-1, state.seats), max(1, state.commit - lot.randint(-1, 12))
    if lot.random() < 0.1:
        to = 1
    there = len(disputes(state))
    if lot.random() < 0.4 or not there:
        what_is_refused_needs_no_past(game, actor, TakeBack(decision=lot.choice((TAKE_BACK, "turn-1")), to=to))
        return
    number = lot.randint(max(1, there - 3), there + 1)
    ruling = RuleDispute(number=number, outcome="rewind", to=to, text="Back.")
    what_is_refused_needs_no_past(game, actor, ruling)


def what_is_refused_needs_no_past(game: Game, actor: int, command: TakeBack | RuleDispute) -> bool:
    """A ruling that rewinds, or a take-back, is refused without the past if, and as, it is with it; whether it was."""
    opening = len(game.commits) - len(game.acts)
    try:
        goes_back(game.state, actor, command, latest(game), opening)
        why = None
    except Refused as refusal:
        why = (refusal.problem, refusal.detail)
    to = command.to or 0
    past = past_of(game, to) if 1 <= to < game.state.commit else None
    try:
        decide(game.rules, copy_of(game.state), actor, command, Seeded(b"none", game.name), past)
        found = None
    except Refused as refusal:
        found = (refusal.problem, refusal.detail)
    assert why == found, f"{game.name}: {command} by {actor} at commit {game.state.commit}"
    return why is not None


def redeciding_gives_the_log(game: Game) -> None:
    """Every command decided again, with the state reloaded before each, gives the same bytes."""
    source = Seeded(b"seed %d" % int(game.name.rpartition("-")[2]), game.name)
    opening = len(game.commits) - len(game.acts)
    state = fold(State(), game.commits[:opening])
    for number, (actor, command) in enumerate(game.acts, start=opening):
        state = copy_of(state)
        to = goes_back(state, actor, command)
        past = Past(to, state.seats) if to > 0 else None
        if past is not None:
            actors = [NOBODY] * opening + [one for one, _ in game.acts]
            for earlier in range(number):
                past.add(actors[earlier], game.commits[earlier])
        told = decide(game.rules, state, actor, command, source, past)
        state.commit += 1
        assert msgspec.json.encode(told) == msgspec.json.encode(game.commits[number]), (
            f"{game.name}: commit {number + 1} differs when {command} is decided again"
        )


def everybody_knows_what_they_knew(game: Game) -> int:
    """After each rewind every role knows exactly what it knew then, and counts go on; returns how many rewinds there were."""
    backs = {
        number: next(one.event for one in commit if isinstance(one.event, Rewound))
        for number, commit in enumerate(game.commits, 1)
        if any(isinstance(one.event, Rewound) for one in commit)
    }
    amended = {number for number in backs if _reapplied(game.commits[number - 1])}
    wanted = {back.to for back in backs.values()}
    for who in principals(game.state.seats):
        state, kept = State(), dict[int, bytes]()
        for number, commit in enumerate(game.commits, 1):
            told = redact(commit, who)
            fold(state, [told])
            if number in backs:
                assert sum(isinstance(one.event, Rewound) for one in told) == 1
                before = msgspec.json.decode(kept[backs[number].to], type=State)
                if number in amended:
                    replay_amendments(before, told)
                for name in COUNTS:
                    setattr(before, name, getattr(state, name))
                assert encode(before) == encode(state), f"{game.name}: {who} at commit {number}"
            if number in wanted:
                kept[number] = msgspec.json.encode(state)
        if who == REFEREE:
            assert encode(state) == encode(game.state), f"{game.name}: the referee knows everything"
    return len(backs)


def replay_amendments(state: State, told: list[Told]) -> None:
    """What a role was told behind the rewind of a commit: the amendments that are done again."""
    back = next(index for index, one in enumerate(told) if isinstance(one.event, Rewound))
    for one in told[back + 1 :]:
        one.event.apply(state)


def _reapplied(commit: list[Told]) -> bool:
    return any(isinstance(one.event, DisputeClosed) and one.event.reapplied for one in commit)


def no_die_is_dealt_twice(game: Game) -> None:
    """Every answer of chance has a number of its own, in the order of the log."""
    dealt = [one.event.index for commit in game.commits for one in commit if isinstance(one.event, ChanceAnswered)]
    assert dealt == sorted(set(dealt)), game.name
