"""Compiles what content does into blocks of instructions, with their conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from content.survey import Spot, walk
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action, Card, Haunt, Pack, Standing, TokenKind, Trigger
from content.vocabulary.values import Number
from content.vocabulary.verbs import Roll
from domain.engine.block import Block, Frame, NumberOf, Test
from domain.engine.machine import Glance
from domain.engine.tables import Adjustment, Offer
from domain.facts.state import Aim
from domain.queries.conditions import cast, places, test
from domain.queries.numbers import number
from domain.verbs.prospects import prospect
from domain.verbs.table import compile_block

REACTIONS = frozenset({"before-roll", "instead-of-roll", "after-roll", "before-harm"})


class Blocks:
    """Gathers what `Tables` has of blocks and tests, under the names that they have there."""

    def __init__(self) -> None:
        self.blocks: dict[str, Block] = {}
        self.written: dict[str, Sequence[Effect]] = {}
        self.tokens: dict[str, TokenKind] = {}
        self.triggers: dict[tuple[str, str], list[tuple[str, Trigger]]] = {}
        self.trigger_of: dict[str, Trigger] = {}
        self.trigger_tests: dict[str, Test] = {}
        self.bindings: dict[str, list[tuple[Test, str]]] = {}
        self.offers: dict[str, list[Offer]] = {}
        self.reactions: dict[str, list[Offer]] = {}
        self.unplaced: dict[str, list[Offer]] = {}
        self.standing: dict[str, list[Adjustment]] = {}
        self.sets: dict[str, list[tuple[str, frozenset[str]]]] = {}
        self.goals: dict[tuple[str, str], tuple[Test, str]] = {}
        self.goals_by_players: set[tuple[str, str]] = set()
        self.losses: dict[str, tuple[str, Test, str]] = {}
        self.traits: dict[tuple[str, str], dict[str, NumberOf]] = {}
        self.instead: dict[tuple[str, str], str] = {}
        self.plays_on: dict[str, Test] = {}
        self.reveals: dict[str, Test] = {}

    def compile(self, pack: Pack) -> None:
        """Compile all that a pack says."""
        items = [card for haunt in pack.haunts for card in haunt.items]
        for name, effects in pack.head.blocks.items():
            self._block(f"pack#blocks.{name}", effects)
        for tile in pack.tiles:
            self._source(f"tile:{tile.id}", tile.on, tile.actions, tile.always)
            if tile.unplaced:
                self.unplaced[f"tile:{tile.id}"] = self._offers(f"tile/{tile.id}#", tile.unplaced)
        for card in (*pack.cards, *items):
            self._card(card)
        for token in (*pack.tokens, *[token for haunt in pack.haunts for token in haunt.tokens]):
            self._token(token)
        for haunt in pack.haunts:
            self._haunt(haunt)

    def _block(self, block_id: str, effects: Sequence[Effect], *, sparing: bool = False) -> None:
        self.written[block_id] = effects
        self.blocks[block_id] = compile_block(block_id, list(effects), sparing=sparing)

    def _card(self, card: Card) -> None:
        self._source(f"card:{card.id}", card.on, card.actions, card.always)
        effects = card.do
        if card.do_if is not None:
            effects = [Effect(if_=card.do_if, then=card.do, else_=card.otherwise)]
        self._block(f"card/{card.id}#do", effects, sparing=card.deck == "event")
        if card.set is not None:
            self._block(f"card/{card.id}#set.whole", card.set.whole)
            self._block(f"card/{card.id}#set.broken", card.set.broken)
            members = frozenset((card.id, *card.set.with_))
            for member in members:
                self.sets.setdefault(member, []).append((card.id, members))
        if card.attack is not None and card.attack.cost:
            self._block(f"card/{card.id}#attack.cost", card.attack.cost)
        if card.attack is not None and card.attack.before:
            self._block(f"card/{card.id}#attack.before", card.attack.before)
        reactions = [one for one in self.offers.get(f"card:{card.id}", ()) if one.action.when in REACTIONS]
        if reactions:
            self.reactions[card.id] = reactions

    def _token(self, token: TokenKind) -> None:
        self.tokens[token.id] = token
        self._source(f"token:{token.id}", token.on, token.actions, token.always)

    def _source(
        self, source: str, on: Iterable[Trigger], actions: Sequence[Action], always: Sequence[Standing], book: str = ""
    ) -> None:
        """Compile what hangs on one source; a haunt's two books are told apart by `book`."""
        owner = source.replace(":", "/", 1)
        prefix = f"{owner}#{book}." if book else f"{owner}#"
        for place, trigger in enumerate(on):
            block_id = f"{prefix}on.{place}"
            self._block(block_id, trigger.do)
            moment = (source, trigger.when)
            self.triggers.setdefault(moment, []).append((block_id, trigger))
            self.trigger_of[block_id] = trigger
            if trigger.if_ is not None:
                self.trigger_tests[block_id] = test(trigger.if_)
            if trigger.binds:
                self.bindings[block_id] = [(test(one.if_), one.rule) for one in trigger.binds]
        if actions:
            self.offers[f"{source}#{book}" if book else source] = self._offers(prefix, actions)
        if always:
            self.standing[source] = [
                Adjustment(standing, None if standing.if_ is None else test(standing.if_)) for standing in always
            ]

    def _offers(self, prefix: str, actions: Sequence[Action]) -> list[Offer]:
        return [self._offer(prefix, action) for action in actions]

    def _offer(self, prefix: str, action: Action) -> Offer:
        block = f"{prefix}actions.{action.word}"
        self._block(block, action.do)
        rolls = [spot.value for spot in walk(Spot((), action)) if isinstance(spot.value, Roll)]
        tasks = [roll.task_name or action.word for roll in rolls if roll.task and prefix.startswith("haunt/")]
        return Offer(
            action=action,
            block=block,
            aims=_aims(action),
            condition=None if action.if_ is None else test(action.if_),
            bans=[(test(ban.if_), ban.rule) for ban in action.forbidden],
            prospect=prospect(action.do),
            rolls=bool(rolls),
            task=tasks[0] if tasks else "",
        )

    def _haunt(self, haunt: Haunt) -> None:
        source = f"haunt:{haunt.id}"
        for name, effects in haunt.blocks.items():
            self._block(f"haunt/{haunt.id}#blocks.{name}", effects)
        self._block(f"haunt/{haunt.id}#revealed", haunt.revealed)
        if haunt.reveal_if is not None:
            self.reveals[haunt.id] = test(haunt.reveal_if)
        for kind, monster in haunt.monsters.items():
            deeds = [msgspec.structs.replace(one, for_="monsters") for one in monster.actions]
            self._source(source, monster.on, deeds, [], f"monsters.{kind}")
            self.traits[haunt.id, kind] = {trait: number(value) for trait, value in monster.traits.items()}
        for side, book in haunt.books.items():
            self._source(source, book.on, book.actions, [], side)
            self._block(f"haunt/{haunt.id}#{side}.right-now", book.right_now)
            if book.instead_of_death:
                self.instead[haunt.id, side] = f"haunt/{haunt.id}#{side}.instead-of-death"
                self._block(self.instead[haunt.id, side], book.instead_of_death)
            if book.plays_on is not None:
                self.plays_on[haunt.id] = test(book.plays_on)
            if book.wins_when is not None:
                self.goals[haunt.id, side] = (test(book.wins_when), book.because or book.goal)
                if any(isinstance(one.value, Number) and one.value.players for one in walk(Spot((), book.wins_when))):
                    self.goals_by_players.add((haunt.id, side))
            if book.loses_when is not None:
                self.losses[haunt.id] = (side, test(book.loses_when), book.because_lost)


def _aims(action: Action) -> Callable[[Glance, Frame], Sequence[Aim]] | None:
    room = action.room
    if room is not None:
        return lambda m, f: places(m, f, room)
    return None if action.target is None else cast(action.target)
