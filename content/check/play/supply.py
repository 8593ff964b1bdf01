"""How often something can happen in a haunt at most: tokens placed, items given, counters raised.

What is done as the haunt begins happens once, what has a limit as often as that allows, and all else without end, unless each time
costs something that there is only so much of: a token that is removed, an item that is given up, a room that bears a token already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from content.check.form.amounts import by_players
from content.check.play.house import fitting
from content.check.play.possible import UNBOUNDED
from content.check.sense.lists import conjuncts
from content.survey import Spot, Survey
from content.vocabulary.effects import Effect, RemoveToken
from content.vocabulary.pack import Action, Book, Card, Haunt, Tile, Trigger
from content.vocabulary.values import Condition, Each, Rooms, Value

Weigh = Callable[[Effect], int]
"""How much of something one step brings."""

Costs = Callable[[Effect], bool]
"""Whether a step uses something up."""


class Root(NamedTuple):
    """A list of steps that something leads to, and how often it does."""

    steps: list[Effect]
    times: int
    asks: Condition | None
    card: str
    """The item whose text it is."""
    effects: list[Effect]
    """Its steps and those inside them."""


class Supply:
    """What one haunt can bring about, at most, with any number of players."""

    def __init__(self, haunt: Spot[Haunt], survey: Survey, players: int) -> None:
        self._haunt = haunt.value
        self._players = players
        self._tiles = [spot.value for spot in survey.of(Tile)]
        self._roots = list(self._find_roots(haunt, survey))
        self._removed = {
            spot.value.token
            for spot in survey.of(RemoveToken)
            if spot.trail[:2] == haunt.trail or spot.trail[0] != "haunts"
        }
        self._under_way: set[tuple[str, ...]] = set()
        self._totals: dict[tuple[str, ...], int] = {}

    def raised(self, counter: str) -> int:
        """Return by how much a counter can be raised in all."""
        return self._total(("up", counter), lambda effect: max(0, _moved(effect, counter, max)))

    def lowered(self, counter: str) -> int:
        """Return by how much a counter can be lowered in all."""
        return self._total(("down", counter), lambda effect: max(0, -_moved(effect, counter, min)))

    def asked_to_stop(self, counter: str) -> int:
        """Return how high a counter can be raised where each step that raises it asks first whether it is low."""
        highest = 0
        for root in self._roots:
            for effect, asked in self._steps(root.steps, [root.asks]):
                step = max(0, _moved(effect, counter, max))
                if step:
                    parts = [part for condition in asked for part in conjuncts(condition) if part.counter == counter]
                    caps = [_most(part.at_most) for part in parts if part.at_most is not None]
                    highest = max(highest, min([UNBOUNDED, *caps]) + step)
        return highest

    def ended(self, counter: str) -> int:
        """Return how high a counter gets before the game is over because of it."""

        def weigh(effect: Effect) -> int:
            return max(0, _moved(effect, counter, max))

        weights = [self._weight(root, weigh) for root in self._roots]
        raising = [root for root, weight in zip(self._roots, weights, strict=True) if weight]
        goals = [goal for book in self._haunt.books.values() for goal in (book.wins_when, book.loses_when)]
        asked = [one for goal in goals if goal is not None for one in (goal.any or [goal])]
        if len(raising) == 1:  # else something may raise it that does not ask at once
            over = [step for step in raising[0].steps if any(one.win is not None for one in (step, *(step.then or ())))]
            asked += [step.if_ for step in over if step.if_ is not None]
        ends = [_most(one.at_least) for one in asked if one.at_least is not None and _asks_only_of(one, counter)]
        return min(min([UNBOUNDED, *ends]) - 1 + max(weights), UNBOUNDED)

    def floors(self, token: str) -> frozenset[str]:
        """Return the floors on which a token can lie, none where that can't be told."""
        tiles = {tile.id: tile for tile in self._tiles}
        found: set[str] = set()
        for root in self._roots:
            for effect, _ in self._steps(root.steps, []):
                placed = effect.place_token
                if placed is None or placed.token != token:
                    continue
                if isinstance(placed.at, Rooms):
                    rooms = [tile.id for tile in fitting(placed.at, self._tiles)]
                else:
                    rooms = [*self._where(root.asks)] if placed.at == "here" else [placed.at]
                if not tiles.keys() >= set(rooms):
                    return frozenset()
                found |= {floor for room in rooms for floor in tiles[room].floors}
        return frozenset(found)

    def tokens(self, name: str) -> int:
        """Return how many such tokens can lie in the house at a time."""
        placed = self._placed(name)
        once_a_room = [rooms for root in self._roots for rooms in self._rooms_for(root, name)]
        if any(rooms is None for rooms in once_a_room):
            return placed
        return min(placed, len({tile for rooms in once_a_room for tile in rooms or ()}))

    def monsters(self, kind: str) -> int:
        """Return how many monsters of a kind can come."""

        def weigh(effect: Effect) -> int:
            found = effect.place_monster
            return _most(found.count) if found is not None and kind in (found.kind, "any") else 0

        return self._total(("monsters", kind), weigh)

    def first_monsters(self) -> set[str]:
        """Return the kinds of monsters of which one may come as the haunt begins."""
        begun = [root.steps for root in self._roots if root.times == 1]
        steps = [effect for root in begun for effect, _ in self._steps(root, [])]
        return {effect.place_monster.kind for effect in steps if effect.place_monster is not None}

    def _placed(self, name: str) -> int:
        def weigh(effect: Effect) -> int:
            found = effect.place_token
            return _most(found.count) if found is not None and found.token == name else 0

        return self._total(("token", name), weigh)

    def _given(self, items: frozenset[str]) -> int:
        return self._total(("items", *sorted(items)), lambda effect: int(effect.give in items))

    def _total(self, what: tuple[str, ...], weigh: Weigh) -> int:
        if self._under_way or what not in self._totals:
            total = self._add_up(what, weigh)
            if self._under_way:
                return total  # of something that is being added up itself, and counts as endless meanwhile
            self._totals[what] = total
        return self._totals[what]

    def _add_up(self, what: tuple[str, ...], weigh: Weigh) -> int:
        """Add up what all roots bring; a root that has no end by what it uses up."""
        if what in self._under_way:
            return UNBOUNDED
        self._under_way.add(what)
        total, by_items, most_by_items = 0, set[str](), 0
        by_token: dict[str, int] = {}
        for root in self._roots:
            weight = self._weight(root, weigh)
            if weight and root.times < UNBOUNDED:
                total += root.times * weight
            elif weight and (items := self._used_items(root, weigh)):
                by_items |= items
                most_by_items = max(most_by_items, weight)
            elif weight and (token := self._used_token(root, weigh)):
                by_token[token] = max(by_token.get(token, 0), weight)
            elif weight:
                total += weight * self._rooms_left(root, weigh)
        total += sum(weight * self._placed(token) for token, weight in by_token.items())
        if by_items:
            total += most_by_items * self._given(frozenset(by_items))
        self._under_way.discard(what)
        return min(total, UNBOUNDED)

    def _root(self, steps: list[Effect], times: int, asks: Condition | None, card: str) -> Root:
        return Root(steps, times, asks, card, [effect for effect, _ in self._steps(steps, [])])

    def _weight(self, root: Root, weigh: Weigh) -> int:
        """Return the most that a root brings each time."""
        if not any(map(weigh, root.effects)):
            return 0
        return self._path(root.steps, weigh) or 0

    def _used_token(self, root: Root, weigh: Weigh) -> str:
        """Return the scarcest token of which each time takes one away, if there is one."""
        own = {token.id for token in self._haunt.tokens}
        used = [
            token
            for token in sorted(own.intersection(_required(root.asks, "token")))
            if not self._path(root.steps, weigh, partial(_removes, token))
        ]
        return min(used, key=self._placed, default="")

    def _rooms_left(self, root: Root, weigh: Weigh) -> int:
        """Return in how many rooms something can be done that leaves a token which bars it there from then on."""
        own = {token.id for token in self._haunt.tokens}
        marked = [
            len(self._where(root.asks))
            for token in (own - self._removed).intersection(_excluded(root.asks))
            if not self._path(root.steps, weigh, partial(_marks, token))
        ]
        return min([UNBOUNDED, *marked])

    def _used_items(self, root: Root, weigh: Weigh) -> set[str]:
        """Return the items of which each time costs one."""
        wanted = {root.card} if root.card else set(_required(root.asks, "carrying"))
        known = {item.id for item in self._haunt.items}

        def costs(item: str, effect: Effect) -> bool:
            lost = effect.lose_card.card if effect.lose_card is not None else None
            return (effect.discard is not None and item == root.card) or lost == item

        return {item for item in wanted & known if not self._path(root.steps, weigh, partial(costs, item))}

    def _rooms_for(self, root: Root, token: str) -> Iterator[set[str] | None]:
        """Return for each way in which a root places a token where it can, if only where none lies yet; None if anywhere."""
        for effect, _ in self._steps(root.steps, []):
            placed = effect.place_token
            if placed is None or placed.token != token:
                continue
            if isinstance(placed.at, Rooms) and placed.at.without_token == token and _most(placed.count) == 1:
                yield {tile.id for tile in fitting(placed.at, self._tiles)}
            elif placed.at == "here" and token in _excluded(root.asks) and _most(placed.count) == 1:
                yield self._where(root.asks)
            else:
                yield None

    def _where(self, asks: Condition | None) -> set[str]:
        """Return the rooms in which a condition can hold."""
        rooms = {tile.id for tile in self._tiles}
        for part in conjuncts(asks):
            rooms &= self._in(part)
            if part.any is not None and all(one.in_ is not None for one in part.any):
                rooms &= {tile for one in part.any for tile in self._in(one)}
        return rooms

    def _in(self, condition: Condition) -> set[str]:
        names = {tile.id for tile in self._tiles}
        if isinstance(condition.in_, str) and condition.in_ in names:
            names = {condition.in_}
        elif isinstance(condition.in_, Rooms):
            names = {tile.id for tile in fitting(condition.in_, self._tiles)}
        on = set(condition.on or ())
        return {tile.id for tile in self._tiles if tile.id in names and (not on or on & set(tile.floors))}

    def _steps(
        self, steps: Iterable[Effect], asked: list[Condition | None]
    ) -> Iterator[tuple[Effect, list[Condition | None]]]:
        """Return steps with all that stand in them and in the blocks that they run, each with what was asked before it."""
        for effect in steps:
            yield effect, [*asked, effect.if_]
            for branch in self._branches(effect):
                yield from self._steps(branch, asked if branch is effect.else_ else [*asked, effect.if_])

    def _branches(self, effect: Effect) -> list[list[Effect]]:
        beside = [effect.then, effect.else_, *(effect.outcomes or {}).values()]
        beside += [option.do for option in effect.choose or ()]
        beside += [
            one.otherwise for one in (effect.place_tile, effect.break_wall, effect.haunt_roll) if one is not None
        ]
        beside += [effect.roll_each.then] if effect.roll_each is not None else []
        beside += [effect.each_room.do] if effect.each_room is not None else []
        beside += [self._haunt.blocks.get(effect.run, [])] if effect.run is not None else []
        return [branch for branch in beside if branch]

    def _path(self, steps: Iterable[Effect], weigh: Weigh, avoid: Costs | None = None) -> int | None:
        """Return the most that one way through steps brings; None if each way meets what is to be avoided."""
        total = 0
        for effect in steps:
            brought = self._through(effect, weigh, avoid)
            if brought is None and effect.if_ is None and effect.may is None:
                return None
            total += brought or 0
        return min(total, UNBOUNDED)

    def _through(self, effect: Effect, weigh: Weigh, avoid: Costs | None) -> int | None:
        """Return the most that one step brings with all that follows from it; it counts as done where it can be."""
        if avoid is not None and avoid(effect):
            return None
        if effect.if_ is not None and effect.verb() is None:
            return self._best([effect.then or [], effect.else_ or []], weigh, avoid)
        parts = [weigh(effect), self._path(effect.then or [], weigh, avoid)]
        if effect.run is not None:
            parts.append(self._path(self._haunt.blocks.get(effect.run, []), weigh, avoid))
        if effect.outcomes:
            rolls = len(effect.roll_each.traits) if effect.roll_each is not None else 1
            best = self._best(effect.outcomes.values(), weigh, avoid)
            parts.append(None if best is None else best * rolls)
        if effect.choose:
            parts.append(self._best([option.do for option in effect.choose], weigh, avoid))
        if effect.roll_each is not None and effect.roll_each.then:
            parts.append(self._path(effect.roll_each.then, weigh, avoid))
        if effect.each_room is not None:  # there may be no such room, so what is to be avoided is met in none
            rooms = len(fitting(effect.each_room.rooms, self._tiles))
            parts.append(rooms * (self._path(effect.each_room.do, weigh, avoid) or 0))
        done = None if None in parts else sum(part or 0 for part in parts) * self._repeats(effect)
        others = [one.otherwise for one in (effect.place_tile, effect.break_wall, effect.haunt_roll) if one is not None]
        otherwise = self._best([branch for branch in [effect.else_, *others] if branch], weigh, avoid)
        return max((found for found in (done, otherwise) if found is not None), default=None)

    def _best(self, branches: Iterable[list[Effect]], weigh: Weigh, avoid: Costs | None) -> int | None:
        found = [self._path(branch, weigh, avoid) for branch in branches]
        return max((one for one in found if one is not None), default=None)

    def _repeats(self, effect: Effect) -> int:
        """Return for how many characters a step is done."""
        who = effect.who
        if not isinstance(who, Each) or who.one or who.first:
            return 1
        return self._players if who.each in {"explorer", "hero", "traitor"} else UNBOUNDED

    def _find_roots(self, haunt: Spot[Haunt], survey: Survey) -> Iterator[Root]:
        """Return every list of steps of the haunt that stands in no other step and is no block."""
        yield self._root(self._haunt.revealed, 1, None, "")
        for book in survey.inside(haunt, Book):
            yield self._root(book.value.right_now, 1, None, "")
            yield self._root(book.value.instead_of_death, UNBOUNDED, None, "")
        deeds: list[Spot[Action] | Spot[Trigger]] = [*survey.inside(haunt, Action), *survey.inside(haunt, Trigger)]
        for deed in deeds:
            item = deed.inside(Card)
            yield self._root(deed.value.do, self._times(deed.value), deed.value.if_, item.value.id if item else "")
        for card in survey.inside(haunt, Card):
            yield self._root([*card.value.do, *card.value.otherwise], UNBOUNDED, None, "")

    def _times(self, deed: Action | Trigger) -> int:
        if deed.once is not None and deed.once.per == "game":
            return 1 if deed.once.each == "source" else self._players
        return 1 if isinstance(deed, Trigger) and deed.when == "haunt-started" else UNBOUNDED


def _asks_only_of(condition: Condition, counter: str) -> bool:
    return condition.counter == counter and condition.stated().keys() == {"counter", "at_least"}


def _required(condition: Condition | None, field: str) -> list[str]:
    return [name for part in conjuncts(condition) if (name := getattr(part, field)) is not None]


def _excluded(condition: Condition | None) -> set[str]:
    """Return the tokens that must not lie where something is done."""
    found = set()
    for part in conjuncts(condition):
        if part.not_ is not None:
            alternatives = part.not_.any if part.not_.any is not None else [part.not_]
            found |= {one.token for one in alternatives if one.token is not None and len(one.stated()) == 1}
    return found


def _removes(token: str, effect: Effect) -> bool:
    gone = effect.remove_token
    return gone is not None and gone.token == token and gone.at in (None, "here")


def _marks(token: str, effect: Effect) -> bool:
    return effect.place_token is not None and effect.place_token.token == token and effect.place_token.at == "here"


def _moved(effect: Effect, counter: str, extreme: Callable[[Iterable[int]], int]) -> int:
    """Return by how much a step moves a counter, in the direction that is asked for."""
    change = effect.count
    if change is None or change.counter != counter or change.by is None:
        return 0
    table = by_players(change.by)
    return extreme(table.values()) if table else UNBOUNDED if extreme is max else -UNBOUNDED


def _most(value: Value) -> int:
    table = by_players(value)
    return max(table.values()) if table else UNBOUNDED
