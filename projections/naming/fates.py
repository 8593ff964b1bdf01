"""Whether a choice kills, surely or perhaps, as far as a role knows: by the clips of those whom it concerns.

A box is followed step by step with the lowest and the highest place at which each clip can then be. Where a roll, a choice or a condition
that is not plain to everybody decides, every way is followed, and what holds on all of them is sure. What a step leaves open (a card drawn,
a room entered) can only make a death less sure, never bring one: nobody is warned of what nobody can know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, ClassVar, NamedTuple

import msgspec

from content.vocabulary.effects import Effect, HauntRoll
from content.vocabulary.values import Condition, Each, Value, Who
from content.vocabulary.verbs import Damage, EventAttack, Fetch, Heal, LoseCard, Move, SetTrait, Steps, TakeCard
from domain.engine.bindings import Bound
from domain.engine.block import Frame, Test
from domain.engine.machine import Glance
from domain.engine.rules import Rules
from domain.facts.ids import id_name
from domain.facts.state import TRAIT_INDEX, Aim, Figure, State, is_explorer
from domain.queries.conditions import cast, test
from domain.rulebook.fight.harm import KINDS
from domain.rulebook.table.traits import LOWEST, TOP
from domain.verbs.cards import to_take
from projections.naming.clips import Tracks, nothing
from projections.naming.consequences import FACES, NO_END, block_run, of_losing

SHOWN = {
    "State": ("explorers", "haunt", "rooms"),
    "Explorer": ("at", "starts", "cards", "surplus", "room"),
}
"""The fields of a role's state that are read here, besides what conditions read; all others stay hidden."""

PLAIN = frozenset(
    {"not_", "any", "all", "ruling", "phase", "on", "carrying", "card_state", "moved", "alone", "has_item"}
)
"""Conditions whose answer everybody at the table sees."""
QUIET = frozenset(
    {
        "gain",
        "lose",
        "heal",
        "set_state",
        "stop",
        "count",
        "tell",
        "place_token",
        "remove_token",
        "remove_tile",
        "place_monster",
    }
    | {"modify_roll", "store", "kill", "choose", "run", "damage", "keep", "choose_secret", "set_trait"}
)
"""Verbs that raise no clip except as they say themselves."""


class Scene(NamedTuple):
    """Where a box is followed."""

    owner: str
    """The piece: `card/mask`."""
    you: Figure
    target: Aim | None = None
    bonus: str = ""
    """The card whose coming or going it is."""
    rolled: tuple[str, ...] = tuple(TRAIT_INDEX)
    """The traits that the latest roll may have been of."""
    within: tuple[str, ...] = ()
    """Blocks being followed already."""


_written = msgspec.msgpack.Encoder().encode
"""A condition as bytes: lists in it can't be hashed."""


class PlainTests(dict[bytes, Test | None]):
    """By condition, as written: its test, or None where its answer is not plain."""

    def of(self, condition: Condition) -> Test | None:
        """The test, made once."""
        key = _written(condition)
        if key not in self:
            self[key] = test(condition) if _plain(condition) else None
        return self[key]


@lru_cache(maxsize=32)
def _plain_tests(_rules: Rules) -> PlainTests:
    return PlainTests()


class Fates:
    """What becomes of explorers in one state."""

    def __init__(self, rules: Rules, state: State) -> None:
        """Bind; `state` is the role's own."""
        self._m = Glance(rules, state)
        self._tests = _plain_tests(rules)
        self._tracks = Tracks(self._m)
        self._gone: set[str] = set()
        """Cards that were lost."""
        self._fresh = True
        """Nothing has changed yet that a condition may ask for."""

    def of(self, figure: Figure) -> bool | None:
        """Whether an explorer dies; None: perhaps."""
        return self._tracks.dead(figure)

    def steps(self, effects: Sequence[Effect], scene: Scene) -> None:
        """Follow steps in order."""
        for effect in effects:
            if self._tracks.skips:
                return
            if self._tracks.skips is None:
                self._tracks.perhaps(partial(self._step, effect, scene))
            else:
                self._step(effect, scene)

    def perhaps(self, effects: Sequence[Effect], scene: Scene) -> None:
        """Follow steps that may not happen at all."""
        self._tracks.perhaps(partial(self.steps, effects, scene))

    def triggers(self, source: str, when: str, scene: Scene) -> None:
        """Follow what happens by itself at a moment to whom it may concern."""
        for block, trigger in self._m.rules.pack.triggers.get((source, when), ()):
            if block in scene.within or trigger.for_ == "monsters":
                continue
            inside = scene._replace(owner=source.replace(":", "/"), within=(*scene.within, block))
            holds = self._holds(trigger.if_, inside)
            plain = trigger.for_ in ("explorers", "everyone") and trigger.once is None and not trigger.harmful
            if holds and plain and trigger.by is None and trigger.kinds is None:
                self._block(trigger.do, inside)
            elif holds is not False:
                self._tracks.perhaps(partial(self._block, trigger.do, inside))

    def loses(self, card: str, seat: int, *, stolen: bool = False, within: tuple[str, ...] = ()) -> None:
        """Follow the loss of a card."""
        pack, held = self._m.rules.pack, set(self._m.state.explorers[seat].cards) - self._gone
        self._gone.add(card)
        scene = Scene(f"card/{card}", seat, bonus=card, within=within)
        for maker, cards in pack.sets.get(card, ()):
            if cards <= held:
                steps = pack.written.get(f"card/{maker}#set.broken", ())
                self._block(steps, scene._replace(owner=f"card/{maker}", bonus=maker))
        self.triggers(f"card:{card}", "lost", scene)
        if stolen:
            self.triggers(f"card:{card}", "stolen", scene)

    def gains(self, card: str, seat: int) -> None:
        """Follow the coming of a card, and of a set that it may make whole."""
        self.triggers(f"card:{card}", "gained", Scene(f"card/{card}", seat, bonus=card))
        if card in self._m.rules.pack.sets:
            self._tracks.raised(seat)

    def _holds(self, condition: Condition | None, scene: Scene) -> bool | None:
        """Whether a condition holds; None: that is not plain, or may have changed meanwhile."""
        if condition is None:
            return True
        if not self._fresh:
            return None
        holds = self._tests.of(condition)
        if holds is None:
            return None
        bound: dict[str, object] = {"you": scene.you, "src": scene.owner.replace("/", ":")}
        frame: Frame[dict[str, object]] = Frame(self._m.rules.block("act"), bound)
        return holds(self._m, frame)

    # -- one step ---------------------------------------------------------------------------------------------------

    def _block(self, effects: Sequence[Effect], scene: Scene) -> None:
        skipped, self._tracks.skips = self._tracks.skips, False
        self.steps(effects, scene)
        self._tracks.skips = skipped

    def _step(self, effect: Effect, scene: Scene) -> None:
        holds = self._holds(effect.if_, scene)
        declined = effect.else_ or []
        if holds is False:
            self.steps(declined, scene)
        elif holds is None or effect.lose_card is not None or self._may_not_be(effect, scene):
            self._tracks.either([partial(self._happen, effect, scene), partial(self.steps, declined, scene)])
        else:
            self._happen(effect, scene)

    def _may_not_be(self, effect: Effect, scene: Scene) -> bool:
        """Whether somebody may say no to a step, or ignore it."""
        ignored = self._m.rules.edition.haunt.ignores == "damage" and scene.owner.startswith("tile/")
        return effect.may is not None or effect.harmful or (ignored and effect.damage is not None)

    def _happen(self, effect: Effect, scene: Scene) -> None:
        if effect.who in (None, "you"):
            self._verb(effect, scene)
        elif effect.who == "target":
            if scene.target is not None:
                self._verb(effect, scene._replace(you=scene.target))  # type: ignore[arg-type]  # a room is nobody's target
        elif _may_be_you(effect.who):
            self._tracks.perhaps(partial(self._verb, effect, scene))
        rolled = effect.roll
        if rolled is not None:
            one = (rolled.trait,) if rolled.trait is not None else tuple(TRAIT_INDEX)
            scene = scene._replace(rolled=tuple(rolled.one_of) if rolled.one_of is not None else one)
        if effect.outcomes is not None and effect.roll_each is None and not self._unread(scene):
            self._tracks.either([partial(self.steps, do, scene) for do in effect.outcomes.values()])
        self.steps(effect.then or [], scene)

    def _verb(self, effect: Effect, scene: Scene) -> None:
        said = effect.verb()
        if said is None:
            return
        verb, node = said
        if verb == "kill":
            self._kill(node, scene)
        elif verb == "choose":
            ways = [one.do for one in node if self._holds(one.if_, scene) is not False]
            self._tracks.either([partial(self.steps, do, scene) for do in ways])
        elif verb == "run":
            if node not in scene.within:
                self._block(block_run(self._m.rules, scene.owner, node), scene._replace(within=(*scene.within, node)))
        elif verb in ("escape", "remove") or node == "block":
            self._tracks.skips = True
        elif verb == "roll_each":
            self._roll_each(effect, scene)
        elif verb in self._falls and is_explorer(scene.you):
            self._falls[verb](self, node, scene, scene.you)
        if verb not in QUIET:
            self._tracks.raised(scene.you)
        self._fresh = False

    def _discard(self, _node: str, scene: Scene, you: int) -> None:
        card = scene.owner.partition("/")[2]
        if card in self._m.state.explorers[you].cards:
            self.loses(card, you, within=scene.within)

    def _lose_card(self, node: LoseCard, scene: Scene, you: int) -> None:
        self._lose_one(self._to_lose(node, scene, you), you, scene)

    def _fetch(self, _node: Fetch, scene: Scene, you: int) -> None:
        self._tracks.perhaps(partial(self._lose_one, self._m.state.explorers[you].cards, you, scene))

    def _take(self, node: TakeCard, scene: Scene, you: int) -> None:
        """Sure, where it is plain whose cards they are, and nothing has changed before."""
        bound: Bound = {"you": you, "src": scene.owner.replace("/", ":")}
        if scene.target is not None:
            bound["target"] = scene.target
        owners = to_take(self._m, Frame(self._m.rules.block("act"), bound), cast(node.from_), node.card)
        follow = partial(self._lose_any, owners, scene, stolen=node.card is None)
        if self._fresh and not isinstance(node.from_, Each):
            follow()
        else:
            self._tracks.perhaps(follow)

    def _haunt_roll(self, node: HauntRoll, scene: Scene, _you: int) -> None:
        self.perhaps(node.otherwise, scene)

    def _place(self, _node: object, _scene: Scene, _you: int) -> None:
        self._tracks.skips = self._tracks.skips or None

    def _unread(self, scene: Scene) -> bool:
        """Whether nobody knows what comes of a roll: of an event's table only the row of the result is read (3E-CARD-004)."""
        rules = self._m.rules
        return rules.edition.cards.one_row and scene.owner.partition("/")[2] in rules.pack.decks["event"]

    def _roll_each(self, effect: Effect, scene: Scene) -> None:
        each = effect.roll_each
        assert each is not None  # noqa: S101 -- the caller asked
        if self._unread(scene):
            return
        for trait in each.traits:
            inside = scene._replace(rolled=(trait,))
            self._tracks.either([partial(self.steps, do, inside) for do in (effect.outcomes or {}).values()])
        self.perhaps(each.then or [], scene)

    def _kill(self, node: object, scene: Scene) -> None:
        whom = scene.you if node == "you" else scene.target if node == "target" else None
        if is_explorer(whom):
            self._tracks.die(whom)

    def _move(self, node: Move, scene: Scene, you: int) -> None:
        """What the room says that is left, and the one that is entered, if it is known which."""
        here = self._m.state.place_of(you)[0]
        self._tracks.perhaps(partial(self.triggers, f"tile:{here}", "left", scene))
        if isinstance(node.to, str):
            self._tracks.perhaps(partial(self.triggers, f"tile:{node.to}", "entered", scene))
        self._tracks.skips = self._tracks.skips or None  # whoever is kept does not do the rest

    def _lose(self, node: Steps, scene: Scene, seat: int) -> None:
        explorer, clips = self._m.state.explorers[seat], self._tracks.of(seat)
        traits = _named(node, scene)
        most = self._amount(node.steps)
        least = most if isinstance(node.steps, int) else 0
        card = scene.owner.partition("/")[2] if node.lasting or node.undo else scene.bonus

        def one(trait: str) -> None:
            noted = 0 if node.lasting else max(0, explorer.surplus.get(f"{card}/{trait}", 0))
            self._tracks.down(seat, trait, max(0, least - noted), max(0, most - noted))

        if node.only is not None:
            for trait in traits:
                if clips.low[TRAIT_INDEX[trait]] <= LOWEST:
                    self._tracks.perhaps(partial(one, trait))
        elif node.traits is not None:
            for trait in traits:
                one(trait)
        elif len(traits) == 1:
            one(traits[0])
        else:
            self._tracks.either([partial(one, trait) for trait in traits])

    def _gain(self, node: Steps, scene: Scene, seat: int) -> None:
        explorer, clips = self._m.state.explorers[seat], self._tracks.of(seat)
        most = self._amount(node.steps)
        certain = isinstance(node.steps, int) and node.only is None
        least = most if certain and (node.traits is not None or node.trait in TRAIT_INDEX) else 0
        for trait in _named(node, scene):
            index = TRAIT_INDEX[trait]
            owed = 0
            if node.undo:
                owed = max(0, -explorer.surplus.get(f"{scene.owner.partition('/')[2]}/{trait}", 0))
            clips.low[index] = min(TOP, clips.low[index] + max(0, least - owed))
            clips.high[index] = min(TOP, clips.high[index] + most)
        if self._m.rules.pack.minds_raises:
            for card in explorer.cards:
                self._tracks.perhaps(partial(self.triggers, f"card:{card}", "trait-raised", scene))

    def _heal(self, node: Heal, _scene: Scene, seat: int) -> None:
        explorer, clips = self._m.state.explorers[seat], self._tracks.of(seat)
        for index in (TRAIT_INDEX[trait] for trait in node.traits or node.split or ()):
            clips.high[index] = max(clips.high[index], explorer.starts[index])

    def _set_trait(self, node: SetTrait, scene: Scene, seat: int) -> None:
        explorer, clips = self._m.state.explorers[seat], self._tracks.of(seat)
        traits: list[str] = [*node.traits] if node.traits is not None else [node.trait or "rolled"]
        for trait in (one for name in traits for one in (scene.rolled if name == "rolled" else (name,))):
            index = TRAIT_INDEX[trait]
            goal = LOWEST if node.to == "lowest" else explorer.starts[index]
            clips.low[index], clips.high[index] = min(goal, clips.low[index]), max(goal, clips.high[index])
        if node.another_by is not None:
            by = node.another_by
            self._tracks.either([*(partial(self._tracks.down, seat, one, by, by) for one in TRAIT_INDEX)])

    def _damage(self, node: Damage, _scene: Scene, seat: int) -> None:
        points, dice = self._amount(node.points or 0), self._amount(node.dice or 0)
        self._hurt(seat, node.kind, points + FACES * dice)

    def _attacked(self, node: EventAttack, _scene: Scene, seat: int) -> None:
        self._hurt(seat, node.damage, FACES * self._amount(node.dice))

    def _hurt(self, seat: int, kind: str, most: int) -> None:
        """It kills perhaps, where no division of it is sure to spare the taker: cards answer harm, and armor reduces it."""
        clips = self._tracks.of(seat)
        places = [TRAIT_INDEX[trait] for trait in KINDS[kind]]
        if self._m.state.haunt is not None and most > sum(clips.low[index] - LOWEST for index in places):
            self._tracks.die(seat, sure=False)
        for index in places:
            clips.low[index] = max(LOWEST, clips.low[index] - most)

    def _amount(self, value: Value) -> int:
        """At most how many: of what is counted as it is now, of what depends on a roll more than any track has."""
        if isinstance(value, int):
            return value
        if value.players is not None:
            return value.players[str(self._m.state.seats)]
        return NO_END

    def _to_lose(self, node: LoseCard, scene: Scene, you: int) -> list[str]:
        held = self._m.state.explorers[you].cards
        if node.card is None:
            return held
        wanted = scene.owner.partition("/")[2] if node.card == "this" else id_name(node.card)
        return [card for card in held if card == wanted]

    def _lose_one(self, cards: Sequence[str], seat: int, scene: Scene) -> None:
        self._lose_any(dict.fromkeys(cards, seat), scene)

    def _lose_any(self, owners: Mapping[str, int], scene: Scene, *, stolen: bool = False) -> None:
        """Follow the loss of one of these cards, whichever."""

        def one(card: str) -> None:
            gone = set(self._gone)
            self.loses(card, owners[card], stolen=stolen, within=scene.within)
            self._gone = gone

        harming = [card for card in owners if of_losing(self._m.rules, card).harms()]
        ways = [partial(one, card) for card in harming]
        self._tracks.either(ways if len(harming) == len(owners) else [*ways, nothing])

    _falls: ClassVar[dict[str, Callable[[Fates, Any, Scene, int], None]]] = {
        "lose": _lose,
        "gain": _gain,
        "heal": _heal,
        "set_trait": _set_trait,
        "damage": _damage,
        "attacked": _attacked,
        "discard": _discard,
        "lose_card": _lose_card,
        "fetch": _fetch,
        "take": _take,
        "move": _move,
        "haunt_roll": _haunt_roll,
        "place_tile": _place,
        "break_wall": _place,
    }
    """By verb: what it does to the clips of an explorer."""


def _named(node: Steps, scene: Scene) -> Sequence[str]:
    if node.one_of is not None:
        return list(node.one_of)
    if node.traits is not None:
        return list(node.traits)
    return scene.rolled if node.trait == "rolled" else [str(node.trait)]


def _may_be_you(who: Who | None) -> bool:
    if isinstance(who, Each):
        return who.each not in ("monster", "opponent") and not who.besides_you
    return who is None or who in ("you", "traitor", "nearest-explorer") or who.startswith("holder:")


def _plain(condition: Condition) -> bool:
    if any(name not in PLAIN for name in condition.stated()):
        return False
    inner = [*(condition.all or ()), *(condition.any or ()), *([condition.not_] if condition.not_ is not None else [])]
    return all(_plain(one) for one in inner)
