"""What a step refers back to has happened: a roll before `rolled`, a placed room before `placed-room`; and blocks come to an end."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from content.errors import Finding, Trail
from content.survey import Spot, Survey, naming, strings
from content.vocabulary.effects import Effect, SetTrait, Steps, Trap
from content.vocabulary.pack import Action, Attack, Haunt, PackHead, Trigger
from content.vocabulary.values import Number, Place, Who

MEANING = {
    "roll": "nothing is rolled before it",
    "rolled": "no trait is rolled before it",
    "attack": "nothing attacks before it",
    "damage": "no damage is dealt before it",
    "placed-room": "no room is placed before it",
    "that-room": "this is no step of `each-room`",
    "target": "nobody is named as the target",
    "target-room": "no room is named as the target",
    "blanks": "no dice are rolled again before it",
}
"""What can be referred to, and what is wrong where it has not happened."""

HINTS = {
    "rolled": "roll a trait first: `roll: {trait: ...}`",
    "placed-room": "place one first: `place-tile`",
    "that-room": "do it in `each-room: {rooms: ..., do: [...]}`",
    "target": "let the action say who may be named: `target: {each: ...}`",
    "target-room": "let the action say which room may be named: `room: {adjacent: true}`",
    "blanks": "roll some again first: `reroll`",
}

ANYTHING = frozenset(MEANING)

_WITHOUT_A_ROOM = (("place-tile", "otherwise"), ("break-wall", "otherwise"))
"""Steps for the case that no room was placed."""

_FOR_EACH_ROOM = ("each-room", "do")

MOST_BLOCKS = 50
"""Blocks that run one another are followed so deep."""

HAPPENED_BEFORE = {
    "before-roll": frozenset({"target"}),
    "instead-of-roll": frozenset({"target"}),
    "after-roll": frozenset({"roll", "rolled", "target"}),
    "before-harm": frozenset({"damage", "target"}),
    "lost": frozenset({"target"}),
    "stolen": frozenset({"attack", "target"}),
    "damaged": frozenset({"attack", "damage", "target"}),
    "dying": frozenset({"attack", "damage", "target"}),
    "died": frozenset({"attack", "damage", "target"}),
    "monster-stunned": frozenset({"attack", "damage", "target"}),
}
"""What has happened already when a reaction or trigger has its moment."""


def referring_back(survey: Survey) -> Iterator[Finding]:
    """A step refers only to what has happened before it; what a roll without outcomes comes to is used after it."""
    follower = _Follower(survey)
    for piece in survey.pieces:
        follower.visit(piece, frozenset())
    yield from follower.findings.values()


class _Follower:
    """Goes through all steps in their order, into the blocks that they run."""

    def __init__(self, survey: Survey) -> None:
        self.findings: dict[tuple[Trail, str], Finding] = {}
        self._children = survey.children
        homes: list[Spot[Any]] = [*survey.of(PackHead), *survey.of(Haunt)]
        self._blocks = {
            trail: list(steps) for home in homes for trail, steps in _lists(self._nested(home)) if _is_block(trail)
        }
        self._running: list[Trail] = []
        # Blocks that run blocks that run blocks: each is gone through once for all that may be known before it.
        self._ran: dict[tuple[Trail, frozenset[str]], tuple[frozenset[str], bool]] = {}
        self._unused: dict[Trail, None] = {}
        self._uses = 0

    def visit(self, spot: Spot[Any], known: frozenset[str]) -> None:
        """Go through a Struct other than a step: a card, a trigger, a condition."""
        known |= _known_at_start(spot)
        self._check(spot, known)
        steps = [child for child in self._children(spot) if isinstance(child.value, Effect)]
        for trail, block in _lists(steps):
            self._unused.clear()
            self._follow(block, ANYTHING if _is_block(trail) else known)
            if not _is_block(trail):
                for roll in self._unused:
                    message = "what this roll comes to is never used"
                    self._add(Finding((*roll, "roll"), message, "give it `outcomes`", key=True))
        for child in self._children(spot):
            if not isinstance(child.value, Effect):
                self.visit(child, known)

    def _follow(self, block: Iterable[Spot[Effect]], known: frozenset[str]) -> frozenset[str]:
        """Go through steps in their order; return what is known after them."""
        for spot in block:
            self._check_own(spot, known)
            before, known = known, known | _sets(spot.value)
            if spot.value.roll is not None and spot.value.outcomes is None:
                self._unused[spot.trail] = None
            after = known
            for trail, nested in _lists(self._nested(spot)):
                if trail[-2:] == _FOR_EACH_ROOM:
                    after |= self._follow(nested, known | {"that-room"}) - ({"that-room"} - known)
                else:
                    after |= self._follow(nested, before if trail[-2:] in _WITHOUT_A_ROOM else known)
            known = after | self._run(spot, known)
        return known

    def _run(self, spot: Spot[Effect], known: frozenset[str]) -> frozenset[str]:
        if spot.value.run is None:
            return known
        trails = [(*home, "blocks", spot.value.run) for home in _homes(spot)]
        trail = next((trail for trail in trails if trail in self._blocks), None)
        if trail is None or trail in self._running or len(self._running) == MOST_BLOCKS:
            return known
        uses = self._uses
        if (trail, known) not in self._ran:
            self._running.append(trail)
            self._ran[trail, known] = (self._follow(self._blocks[trail], known), self._uses > uses)
            self._running.pop()
        known, uses_a_roll = self._ran[trail, known]
        if uses_a_roll:
            self._unused.clear()
        return known

    def _check_own(self, spot: Spot[Any], known: frozenset[str]) -> None:
        """Check a step and its parts, without the steps in it."""
        self._check(spot, known)
        for child in self._children(spot):
            if not isinstance(child.value, Effect):
                self._check_own(child, known)

    def _check(self, spot: Spot[Any], known: frozenset[str]) -> None:
        for trail, needed in _needs(spot):
            if needed in {"roll", "rolled"}:
                self._uses += 1
                self._unused.clear()
            if needed not in known:
                self._add(Finding(trail, MEANING[needed], HINTS.get(needed, "")))

    def _nested(self, spot: Spot[Any]) -> Iterator[Spot[Effect]]:
        """Return the steps directly in a step."""
        for child in self._children(spot):
            if isinstance(child.value, Effect):
                yield child
            else:
                yield from self._nested(child)

    def _add(self, finding: Finding) -> None:
        self.findings[finding.trail, finding.message] = finding


def _lists(steps: Iterable[Spot[Effect]]) -> Iterator[tuple[Trail, Iterator[Spot[Effect]]]]:
    """Group steps of the same list; their places come with the list's own trail."""
    return groupby(steps, key=lambda spot: spot.trail[:-1])


def _is_block(trail: Trail) -> bool:
    """Tell whether a list of steps (or a step of it) is a named block of a haunt or of the pack."""
    return "blocks" in trail[1:4]


def _homes(spot: Spot[Any]) -> Iterator[Trail]:
    """Return where the blocks are that a step can run: in its haunt, in the pack."""
    haunt = spot.inside(Haunt)
    if haunt is not None:
        yield haunt.trail
    yield ("head",)


def _known_at_start(spot: Spot[Any]) -> frozenset[str]:
    match spot.value:
        case Action(target=target, room=room, when=when):
            named = {name for name, given in (("target", target), ("target-room", room)) if given is not None}
            return HAPPENED_BEFORE.get(when, frozenset()) | named
        case Trigger(when=when):
            return HAPPENED_BEFORE.get(when, frozenset())
        case Attack():
            return frozenset({"target"})
    return frozenset()


def _sets(effect: Effect) -> frozenset[str]:
    """Return what can be referred to once a step is done."""
    if effect.roll is not None:
        return frozenset({"roll"}) if effect.roll.dice is not None else frozenset({"roll", "rolled"})
    if effect.roll_each is not None:
        return frozenset({"roll", "rolled"})
    if effect.damage is not None:
        return frozenset({"damage"})
    if effect.attacked is not None:
        return frozenset({"roll", "attack", "damage"})
    if effect.reroll is not None:
        return frozenset({"blanks"})
    brings_a_room = effect.place_tile is not None or effect.break_wall is not None
    return frozenset({"placed-room"}) if brings_a_room else frozenset()


_WORDS_IN = naming(Who, Place)


def _needs(spot: Spot[Any]) -> Iterator[tuple[Trail, str]]:
    """Return what a Struct by itself refers back to, and where."""
    match spot.value:
        case Number(result=result) if result is not None:
            yield spot.at("result"), result
        case Steps() | SetTrait() if spot.value.trait == "rolled":
            yield spot.at("trait"), "rolled"
        case Effect(kill="target"):
            yield spot.at("kill"), "target"
        case Effect(remove="target"):
            yield spot.at("remove"), "target"
        case Effect(store=store) if store is not None:
            yield spot.at("store"), store
        case Trap(first_try_counts=True):
            yield spot.at("first-try-counts"), "roll"
    for trail, text in strings(spot, _WORDS_IN):
        word = text.removeprefix("room-of:")
        if word in {"target", "target-room", "placed-room", "that-room"}:
            yield trail, word


Block = tuple[Trail, str]
"""Where it is at home (a haunt or the pack), and its name."""

PACK: Trail = ("head",)


def circles(survey: Survey) -> Iterator[Finding]:
    """No block runs itself, not by way of others either."""
    runs: dict[Block, dict[Block, Spot[Effect]]] = {}
    for spot in survey.of(Effect):
        home = _home(spot)
        if home is not None:
            runs.setdefault(home, {})
    for spot in survey.of(Effect):
        home = _home(spot)
        if home is not None and spot.value.run is not None:
            inner = (home[0], spot.value.run)
            target = inner if inner in runs else (PACK, spot.value.run)
            runs[home].setdefault(target, spot)
    reach = {block: _reach(block, runs) for block in runs}
    for block, targets in runs.items():
        for target, spot in targets.items():
            if block == target or block in reach.get(target, ()):
                way = "runs itself" if block == target else f"runs `{target[1]}`, which leads back to it"
                yield Finding(spot.at("run"), f"the block `{block[1]}` {way}: this would never end")


def _home(spot: Spot[Effect]) -> Block | None:
    """Return the block that contains a step."""
    trail = spot.trail
    depth = 1 if trail[0] == "head" else 2
    if len(trail) > depth + 1 and trail[depth] == "blocks":
        return trail[:depth], str(trail[depth + 1])
    return None


def _reach(block: Block, runs: dict[Block, dict[Block, Spot[Effect]]]) -> set[Block]:
    """Return every block that one leads to."""
    found: set[Block] = set()
    waiting = list(runs[block])
    while waiting:
        following = waiting.pop()
        if following not in found:
            found.add(following)
            waiting += runs.get(following, ())
    return found
