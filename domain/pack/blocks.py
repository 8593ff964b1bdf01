"""Content as blocks of instructions, with the conditions beside them: compiled once, asked for in play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from content.survey import Spot, walk
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action, Book, Card, Haunt, Pack, Standing, TokenKind, Trigger
from content.vocabulary.verbs import Roll
from domain.barring import bars_of
from domain.effects.compiler import compile_block
from domain.effects.conditions import Test, test
from domain.effects.machine import Block
from domain.effects.prospects import prospect
from domain.pack.pieces import Pieces
from domain.state import State

REACTIONS = frozenset({"before-roll", "instead-of-roll", "after-roll", "before-harm"})


class Blocks(Pieces):
    """Tables of what content does, by the source that says so."""

    def __init__(self, pack: Pack) -> None:
        super().__init__(pack)
        self.blocks: dict[str, Block] = {}
        self.written: dict[str, Sequence[Effect]] = {}
        """What each block was compiled from."""
        self.triggers: dict[tuple[str, str], list[tuple[str, Trigger]]] = {}
        self.trigger_of: dict[str, Trigger] = {}
        self.trigger_tests: dict[str, Test] = {}
        self.actions: dict[str, list[Action]] = {}
        self.action_tests: dict[tuple[str, str], Test] = {}
        self.prospects: dict[tuple[str, str], Test] = {}
        """Of actions that may be in vain: whether they could change anything now."""
        self.rolls: dict[tuple[str, str], str] = {}
        """By action with a roll: the task at which it is an attempt, or empty."""
        self.reactions: dict[str, list[Action]] = {}
        self.standing: dict[str, list[Standing]] = {}
        self.standing_tests: dict[int, Test] = {}
        self.goals: dict[tuple[str, str], tuple[Test, str]] = {}
        self.goals_by_players: set[tuple[str, str]] = set()
        """Goals that ask for as many of something as there are explorers, the dead included (2E-DEATH-003)."""
        self._begin_haunts()
        self.unplaced = {f"tile:{tile.id}": list(tile.unplaced) for tile in pack.tiles if tile.unplaced}
        """What tiles offer while they are not in the house."""
        self.slows: dict[str, int] = {}
        self.opaque: set[str] = set()
        self.linking: set[str] = set()
        self.sets: dict[str, list[tuple[str, frozenset[str]]]] = {}
        """By card: the cards that make a set with it, with the one that says so."""
        self._compile(pack)

    def _begin_haunts(self) -> None:
        """Tables of what some haunts order otherwise than the rulebook."""
        self.instead: dict[tuple[str, str], str] = {}
        """By haunt and side: the block of what happens in place of a death (2E-DEATH-002)."""
        self.plays_on: dict[str, Test] = {}
        """By haunt: whether the monsters can still win without their traitor (2E-HTURN-005)."""
        self.reveals: dict[str, Test] = {}
        """By haunt: when its hidden traitor may be revealed on its own wish, where that is not at any time (2E-HID-005)."""
        self.bans: dict[tuple[str, str], list[tuple[Test, str]]] = {}
        self.bars = bars_of(self.haunts.values(), self.cards.values())
        """By haunt: what it bars of all that cards, rooms and tokens permit, by source (2E-PREC-003)."""

    def _compile(self, pack: Pack) -> None:
        for name, effects in pack.head.blocks.items():
            self._block(f"pack#blocks.{name}", effects)
        for tile in pack.tiles:
            self._source(f"tile:{tile.id}", tile.on, tile.actions, tile.always)
            self._actions(f"tile/{tile.id}#", tile.unplaced)
        for card in (*pack.cards, *self._items.values()):
            self._card(card)
        self.tokens: dict[str, TokenKind] = {}
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
                self.sets[member] = [*self.sets.get(member, ()), (card.id, members)]
        if card.attack is not None and card.attack.cost:
            self._block(f"card/{card.id}#attack.cost", card.attack.cost)
        if card.attack is not None and card.attack.before:
            self._block(f"card/{card.id}#attack.before", card.attack.before)
        reactions = [action for action in card.actions if action.when in REACTIONS]
        if reactions:
            self.reactions[card.id] = reactions

    def _token(self, token: TokenKind) -> None:
        self.tokens[token.id] = token
        self._source(f"token:{token.id}", token.on, token.actions, token.always)
        self.slows[token.id] = sum(one.slows or 0 for one in token.always)
        if any(one.blocks_sight for one in token.always):
            self.opaque.add(token.id)
        if token.links_alike:
            self.linking.add(token.id)

    def _source(
        self, source: str, on: Iterable[Trigger], actions: Sequence[Action], always: Sequence[Standing], book: str = ""
    ) -> None:
        """Compile what hangs on one source; a haunt's two books are told apart by `book`."""
        owner = source.replace(":", "/", 1)
        prefix = f"{owner}#{book}." if book else f"{owner}#"
        for number, trigger in enumerate(on):
            block_id = f"{prefix}on.{number}"
            self._block(block_id, trigger.do)
            moment = (source, trigger.when)
            self.triggers[moment] = [*self.triggers.get(moment, ()), (block_id, trigger)]
            self.trigger_of[block_id] = trigger
            if trigger.if_ is not None:
                self.trigger_tests[block_id] = test(trigger.if_)
        if actions:
            self.actions[f"{source}#{book}" if book else source] = list(actions)
        self._actions(prefix, actions)
        if always:
            self.standing[source] = list(always)
            for standing in always:
                if standing.if_ is not None:
                    self.standing_tests[id(standing)] = test(standing.if_)

    def _actions(self, prefix: str, actions: Sequence[Action]) -> None:
        for action in actions:
            self._block(f"{prefix}actions.{action.word}", action.do)
            rolls = [spot.value for spot in walk(Spot((), action)) if isinstance(spot.value, Roll)]
            if rolls:
                tasks = [roll.task_name or action.word for roll in rolls if roll.task]
                self.rolls[prefix, action.word] = tasks[0] if tasks else ""
            if action.if_ is not None:
                self.action_tests[prefix, action.word] = test(action.if_)
            if (could := prospect(action.do)) is not None:
                self.prospects[prefix, action.word] = could
            if action.forbidden:
                self.bans[prefix, action.word] = [(test(ban.if_), ban.rule) for ban in action.forbidden]

    def _haunt(self, haunt: Haunt) -> None:
        source = f"haunt:{haunt.id}"
        for name, effects in haunt.blocks.items():
            self._block(f"haunt/{haunt.id}#blocks.{name}", effects)
        self._block(f"haunt/{haunt.id}#revealed", haunt.revealed)
        if haunt.reveal_if is not None:
            self.reveals[haunt.id] = test(haunt.reveal_if)
        books: list[tuple[str, Book]] = [("heroes", haunt.heroes)]
        if haunt.traitor_book is not None:
            books.append(("traitor", haunt.traitor_book))
        for side, book in books:
            self._source(source, book.on, book.actions, [], side)
            self._block(f"haunt/{haunt.id}#{side}.right-now", book.right_now)
            if book.instead_of_death:
                self.instead[haunt.id, side] = f"haunt/{haunt.id}#{side}.instead-of-death"
                self._block(self.instead[haunt.id, side], book.instead_of_death)
            if book.plays_on is not None:
                self.plays_on[haunt.id] = test(book.plays_on)
            if book.wins_when is not None:
                self.goals[haunt.id, side] = (test(book.wins_when), book.because or book.goal)
                if b'"players"' in msgspec.json.encode(book.wins_when):
                    self.goals_by_players.add((haunt.id, side))

    # -- questions ------------------------------------------------------------------------------------------------------

    def links_alike(self, token: str) -> bool:
        """Whether rooms with this token are linked with each other."""
        return token in self.linking

    def _action_key(self, state: State | None, source: str) -> str:
        """`haunt:heroes` and `haunt:traitor` mean a book of the haunt in play."""
        if source.startswith("haunt:") and state is not None and state.haunt is not None:
            return f"haunt:{state.haunt.id}#{source.partition(':')[2]}"
        return source

    def actions_of(self, state: State, source: str) -> list[Action]:
        """Actions that a source offers."""
        if source in self.unplaced and source.partition(":")[2] not in state.rooms:
            return self.unplaced[source]
        return self.actions.get(self._action_key(state, source), [])

    def _prefix(self, state: State | None, source: str) -> str:
        owner, _, book = self._action_key(state, source).replace(":", "/", 1).partition("#")
        return f"{owner}#{book}." if book else f"{owner}#"

    def action_block(self, source: str, word: str, state: State | None = None) -> str:
        """The block of an action."""
        return f"{self._prefix(state, source)}actions.{word}"

    def action_test(self, state: State, source: str, word: str) -> Test | None:
        """The condition of an action, if it has one."""
        return self.action_tests.get((self._prefix(state, source), word))

    def prospect(self, state: State, source: str, word: str) -> Test | None:
        """Whether an action could change anything now; None if it always could."""
        return self.prospects.get((self._prefix(state, source), word))

    def bans_on(self, state: State, source: str, word: str) -> list[tuple[Test, str]]:
        """What forbids an action by a rule of its own."""
        return self.bans.get((self._prefix(state, source), word), [])

    def link_rule(self, maker: str, to: str) -> str:
        """The rule that grants a way besides doors to monsters, by its maker (`tile:gallery`) and where it leads."""
        what, _, name = maker.partition(":")
        links = self.tiles[name].links if what == "tile" else self.tokens[name].links
        rules = [link.rule for link in links if link.rule and (what == "tile" or link.to == to)]
        return rules[0] if rules else ""

    def makes_roll(self, source: str, state: State, word: str) -> bool:
        """Whether an action is an attempt at a roll, and not a deed that simply succeeds."""
        return (self._prefix(state, source), word) in self.rolls

    def task_of(self, source: str, state: State, word: str) -> str:
        """The task of the haunt at which an action is an attempt (2E-ROLL-011), or empty."""
        return self.rolls.get((self._prefix(state, source), word), "") if source.startswith("haunt:") else ""

    def test_standing(self, standing: Standing) -> Test:
        """The condition of a standing effect that has one."""
        return self.standing_tests[id(standing)]
