"""What of a haunt can be reached at all: steps, actions, goals, and what has to be in the house for them.

From what is done as the haunt begins, its triggers and actions, everything is followed that can happen: what places a
token, gives an item, brings a monster or moves a counter makes conditions possible, and these lead to further steps,
until nothing is added. What is left over then, nobody ever sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from content.check.form.amounts import SPACES, by_players
from content.check.play.possible import ANY, Facts, Span, already, always, never, vain
from content.check.play.supply import Supply
from content.check.sense.lists import placed_first
from content.errors import Finding, Trail
from content.survey import Spot, Survey
from content.vocabulary.effects import CounterChange, Effect
from content.vocabulary.pack import Book, Card, Counter, Haunt, Monster, PackHead, Tile, TokenKind
from content.vocabulary.values import Condition, Rooms


def reachable(survey: Survey) -> Iterator[Finding]:
    """Conditions can hold, goals can be reached and are not reached at once, and what is declared comes into the game."""
    facts = _pack_facts(survey)
    for spot in survey.of(Condition):
        if spot.inside(Haunt) is None and not _is_part(spot):
            yield from never(spot, facts) or vain(spot, facts)
    yield from _unused(survey, facts)
    placed = {
        name for spot in survey.of(Effect) if spot.inside(Haunt) is None and (name := _token(spot.value)) is not None
    }
    for haunt in survey.of(Haunt):
        supply = Supply(haunt, survey, max((int(players) for players in facts.players), default=0))
        reached = _Reached(haunt, survey, facts, placed, supply)
        wrong = [*reached.impossible.values(), *reached.goals()]
        yield from wrong or reached.certain()
        # What nobody comes to because of a condition told above is not told again.
        if reached.impossible:
            reached = _Reached(haunt, survey, facts, placed, supply, believing=True)
        yield from reached.unused()


def _pack_facts(survey: Survey) -> Facts:
    """Return what can be so outside of haunts, where every step counts as one that happens."""
    placed = {name for spot in survey.of(Effect) if (name := _token(spot.value)) is not None}
    return Facts(
        players=[str(count) for head in survey.of(PackHead) for count in head.value.players],
        begun=frozenset(spot.value.id for spot in survey.of(Tile) if spot.value.start is not None),
        named={f"token {spot.value.id}" for spot in survey.of(TokenKind) if spot.above is None},
        come={f"token {name}" for name in placed},
        omens=sum(spot.value.deck == "omen" for spot in survey.of(Card) if spot.above is None),
        highest_trait=max(SPACES, *(_highest(spot.value) for spot in survey.of(Monster)), 0),
    )


def _highest(monster: Monster) -> int:
    """Return the highest trait of a monster."""
    return max(
        (number for value in monster.traits.values() for number in (by_players(value) or {}).values()), default=0
    )


def _unused(survey: Survey, facts: Facts) -> Iterator[Finding]:
    """Find tokens and blocks of the pack that nothing uses."""
    ran = {spot.value.run for spot in survey.of(Effect)}
    for head in survey.of(PackHead):
        for name in head.value.blocks:
            if name not in ran:
                yield Finding(head.at("blocks", name), f"nothing runs the block `{name}`", key=True)
    for token in survey.of(TokenKind):
        if token.above is None and (reason := facts.lacks("token", token.value.id)):
            yield Finding(token.at("id"), reason)


class _Moves(msgspec.Struct):
    """Where the steps of a haunt move a counter."""

    up: bool = False
    down: bool = False
    to: set[int] = msgspec.field(default_factory=set)

    def note(self, change: CounterChange) -> None:
        """Note a step that happens."""
        by, to = by_players(change.by), by_players(change.to)
        if change.to is not None and to is not None:
            self.to.update(to.values())
        elif by is None:
            self.up = self.down = True
        else:
            self.up |= any(step > 0 for step in by.values())
            self.down |= any(step < 0 for step in by.values())

    def span(self, name: str, counter: Counter, supply: Supply) -> Span:
        """Return between what the counter moves."""
        low, high = min({counter.start, *self.to}), max({counter.start, *self.to})
        if self.up:
            high = max(high, min(high + supply.raised(name), supply.asked_to_stop(name), supply.ended(name)))
        most = by_players(counter.max)
        if most:
            high = max(counter.start, min(high, max(most.values())))
        return (max(0, low - supply.lowered(name)) if self.down else low, high)


class _Reached:
    """One haunt, and what of it can happen."""

    def __init__(
        self,
        haunt: Spot[Haunt],
        survey: Survey,
        pack: Facts,
        placed: Iterable[str],
        supply: Supply,
        *,
        believing: bool = False,
    ) -> None:
        """Follow a haunt through.

        Args:
            haunt: which.
            survey: the pack.
            pack: what can be so outside of haunts.
            placed: tokens that are placed there.
            supply: how often something can happen in the haunt.
            believing: take it that every condition can hold.
        """
        self._believing = believing
        self.haunt = haunt
        self.impossible: dict[tuple[Trail, str], Finding] = {}
        self._survey = survey
        value = haunt.value
        self.books: list[Spot[Book]] = [spot for spot in survey.children(haunt) if isinstance(spot.value, Book)]
        changes_sides = any(
            getattr(spot.value, "change_side", None) is not None for spot in survey.inside(haunt, Effect)
        )
        self.facts = Facts(
            players=pack.players,
            kind="" if changes_sides else value.kind,
            in_haunt=True,
            begun=pack.begun,
            named=pack.named
            | {f"token {token.id}" for token in value.tokens}
            | {f"item {item.id}" for item in value.items}
            | {f"monster {name}" for name in value.monsters},
            come={f"token {name}" for name in placed},
            highest_trait=pack.highest_trait,
            omens=pack.omens,
            staying=int(value.kind == "one-traitor" and not changes_sides and not self._traitor_escapes()),
        )
        self.ran: set[str] = set()
        self.told: set[str] = set()
        self._moves = {name: _Moves() for name in value.counters}
        self._supply = supply
        self.facts.floors = {token.id: supply.floors(token.id) for token in value.tokens}
        self.facts.most |= {f"token {token.id}": supply.tokens(token.id) for token in value.tokens}
        self.facts.most |= {f"monster {name}": supply.monsters(name) for name in (*value.monsters, ANY)}
        self._follow()

    def unused(self) -> Iterator[Finding]:
        """Find what is declared and never comes."""
        haunt = self.haunt.value
        for index, token in enumerate(haunt.tokens):
            if reason := self.facts.lacks("token", token.id):
                yield Finding(self.haunt.at("tokens", index, "id"), reason)
        for index, item in enumerate(haunt.items):
            if reason := self.facts.lacks("item", item.id):
                yield Finding(self.haunt.at("items", index, "id"), reason)
        for name in haunt.monsters:
            if reason := self.facts.lacks("monster", name):
                yield Finding(self.haunt.at("monsters", name), reason, key=True)
        for name, counter in haunt.counters.items():
            low, high = self.facts.counters[name]
            if low == high:
                message = f"nothing moves the counter `{name}` away from {counter.start}"
                yield Finding(self.haunt.at("counters", name), message, key=True)
        for name in haunt.blocks.keys() - self.ran:
            yield Finding(self.haunt.at("blocks", name), f"nothing runs the block `{name}`", key=True)
        for book in self.books:
            for name in book.value.texts.keys() - self.told:
                yield Finding(book.at("texts", name), f"nothing tells the text `{name}`", key=True)

    def certain(self) -> Iterator[Finding]:
        """Find conditions that hold whatever happens; a goal that does is told as one."""
        for spot in self._survey.inside(self.haunt, Condition):
            is_goal = any(word in spot.trail for word in ("wins-when", "loses-when", "plays-on"))
            if not is_goal and always(spot.value, self.facts):
                hint = "leave it out, or ask for what can fail"
                asked = (name for name in ("counter", "count", "number") if getattr(spot.value, name) is not None)
                trail = spot.at(next(asked, "round-at-least"))
                yield Finding(trail, "this always holds, whatever happens", hint, key=True, severity="warning")

    def goals(self) -> Iterator[Finding]:
        """Find what a side can win by with some numbers of players only, or before anything has happened."""
        for book in self.books:
            plays_on = _condition(book, "plays_on", "plays-on")
            for finding in never(plays_on, self.facts) if plays_on is not None else ():
                yield finding
            for field, word, said in (("wins_when", "wins-when", "goal"), ("loses_when", "loses-when", "defeat")):
                decides = _condition(book, field, word)
                if decides is None:
                    continue
                reasons = never(decides, self.facts, for_some=True)
                for finding in reasons or vain(decides, self.facts, for_some=True):
                    yield finding._replace(message=f"nobody can reach this {said}: {finding.message}")
                if already(decides, self._at_the_start()):
                    yield Finding(decides.trail, f"this {said} is reached before anything has happened", key=True)

    def _traitor_escapes(self) -> bool:
        """Tell whether something but the heroes' actions takes explorers out of the house."""
        return any(
            spot.value.escape is not None and spot.trail[2:4] != ("heroes", "actions")
            for spot in self._survey.inside(self.haunt, Effect)
        )

    def _at_the_start(self) -> Facts:
        """Return the facts while every counter has its starting value; those that the beginning moves are unknown."""
        moved = {
            spot.value.counter for spot in self._survey.inside(self.haunt, CounterChange) if "right-now" in spot.trail
        }
        counters = {
            name: (counter.start, counter.start)
            for name, counter in self.haunt.value.counters.items()
            if name not in moved
        }
        first = {f"monster {name}" for name in self._supply.first_monsters()}
        placed = {players: dict(placed_first(self.haunt.value, players)) for players in self.facts.players}
        return Facts(
            players=self.facts.players,
            in_haunt=True,
            counters=counters,
            named=self.facts.named,
            first=first,
            placed=placed,
        )

    def _follow(self) -> None:
        """Go through the haunt until nothing new happens."""
        before: object = None
        counters = self.haunt.value.counters
        while before != (state := (len(self.facts.come), len(self.ran), len(self.told), str(self._moves))):
            before = state
            self.facts.counters = {
                name: moves.span(name, counters[name], self._supply) for name, moves in self._moves.items()
            }
            self.impossible.clear()
            for spot in self._survey.children(self.haunt):
                self._visit(spot)

    def _visit(self, spot: Spot[Any]) -> None:
        if not self._there(spot):
            return
        value = spot.value
        if isinstance(value, Condition):
            return
        condition = _condition(spot, "if_", "if")
        fails = [] if condition is None or self._believing else never(condition, self.facts)
        for finding in fails or ([] if condition is None else vain(condition, self.facts)):
            self.impossible[finding.trail, finding.message] = finding
        if isinstance(value, Effect) and not fails:
            if token := self._missing(value):
                message = f"this never happens: it needs the token `{token}`, and nothing places the first one"
                self.impossible[spot.trail, message] = Finding(spot.trail, message, "lay the first one elsewhere")
            else:
                self._happens(value)
        elif fails and not isinstance(value, Effect):
            return
        depth = len(spot.trail)
        for child in self._survey.children(spot):
            if not fails or child.trail[depth] == "else":
                self._visit(child)

    def _there(self, spot: Spot[Any]) -> bool:
        """Tell whether somebody meets this: a token that is placed, an item that is given, a block that runs."""
        trail = spot.trail
        match spot.value:
            case TokenKind(id=name):
                return not self.facts.lacks("token", name)
            case Card(id=name):
                return not self.facts.lacks("item", name)
            case Monster():
                return not self.facts.lacks("monster", str(trail[3]))
        return trail[2] != "blocks" or str(trail[3]) in self.ran

    def _missing(self, effect: Effect) -> str:
        """Return the token beside which something is placed, if there is none to be found."""
        placed = effect.place_token or effect.place_monster
        where = placed.at if placed is not None else None
        token = where.with_token if isinstance(where, Rooms) else where if isinstance(where, str) else None
        named = isinstance(where, Rooms) or (token or "").startswith("token:")
        token = (token or "").removeprefix("token:")
        return token if named and token and self.facts.lacks("token", token) else ""

    def _happens(self, effect: Effect) -> None:
        """Note what a step brings with it."""
        if (token := _token(effect)) is not None:
            self.facts.come.add(f"token {token}")
        if effect.give is not None:
            self.facts.come.add(f"item {effect.give}")
        if effect.place_monster is not None:
            self.facts.come.add(f"monster {effect.place_monster.kind}")
        if effect.run is not None:
            self.ran.add(effect.run)
        if effect.tell is not None:
            self.told.add(effect.tell.text or "")
        if effect.count is not None and effect.count.counter in self._moves:
            self._moves[effect.count.counter].note(effect.count)


def _token(effect: Effect) -> str | None:
    return None if effect.place_token is None else effect.place_token.token


def _is_part(spot: Spot[Condition]) -> bool:
    """Tell whether a condition is part of another one."""
    return spot.above is not None and isinstance(spot.above.value, Condition)


def _condition(spot: Spot[Any], name: str, field: str) -> Spot[Condition] | None:
    value = getattr(spot.value, name, None)
    return Spot(spot.at(field), value, spot) if isinstance(value, Condition) else None
