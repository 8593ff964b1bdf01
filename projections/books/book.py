"""The books of a haunt as a role reads them: its own side's whole, and of the other side what lies open on the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from content.check.form.references import REFERENCES, Kind, Reference, names
from content.survey import Spot, walk
from content.vocabulary.base import Side as OneSide
from content.vocabulary.base import Word
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Haunt, Monster
from content.vocabulary.values import Condition
from domain.engine.books import one_book, unread, without
from domain.engine.external import EXTERNAL
from domain.engine.parts import side_of_part, unread_boxes
from domain.engine.rules import Rules
from domain.facts.audience import Mask, principal_name
from domain.facts.ids import id_kind
from domain.facts.state import State
from projections.naming.names import Names, enumerated, readable
from projections.shapes import Id, Name, Number, Shape, Side, Text, Title
from projections.view.haunts import AloudView, read_aloud
from projections.view.identification import (
    IdentificationView,
    LocationView,
    NeededView,
    identification,
    is_opened,
    locations,
    needed,
)
from projections.view.wording import book_rules, rules_of_part, wording_of
from projections.wording import GameNumbers, Wording, haunts
from projections.wording.pieces import RuleText, card, token
from projections.wording.words.filled import filled
from projections.wording.words.speech import Numbers
from projections.wording.words.titles import trait

SHOWN = {
    "State": ("game", "commit", "haunt", "monsters", "tokens", "texts"),
    "Haunt": ("id", "number", "counters", "maxima", "notes", "disclosed"),
    "Monster": ("kind",),
    "TokenHere": ("token",),
}
"""The fields of a role's state that are read here; all others stay hidden."""


class ActionText(Shape, frozen=True, kw_only=True):
    """Something that a book lets its side do."""

    word: Name
    title: Text
    side: Side
    """Of a book that everybody reads: the side that may do it; empty: both."""
    text: Text
    """Its rule in words: when, what is rolled, what each result does."""


class PieceText(Shape, frozen=True, kw_only=True):
    """A token or an item of the haunt."""

    id: Id
    title: Title
    text: Text
    """What people read about it; empty for pieces of which no book here tells."""
    rules: list[Text]
    """Its rules in words; empty for the same."""


class MonsterText(Shape, frozen=True, kw_only=True):
    """A kind of monster."""

    kind: Id
    title: Title
    side: Side
    text: Text
    """What people read about it; empty for monsters of which no book here tells."""
    rules: list[Text]
    """Its numbers in this game, what damage does to it, and how it can be fought."""


class CounterText(Shape, frozen=True, kw_only=True):
    """Something that the haunt counts."""

    name: Id
    title: Title
    value: Number
    max: Number | None


class SideBook(Shape, frozen=True, kw_only=True):
    """What one side reads."""

    side: Side
    shared: bool
    """Everybody reads it, because the traitor is hidden."""
    story: Text
    goal: Text
    """When the side wins, as its book tells it."""
    wins: list[Text]
    """The same by the rules, in this game's numbers; in a book that everybody reads for either side."""
    locations: list[LocationView]
    """Rooms that matter to the side, with their regions."""
    right_now: Text
    """What is done as the haunt begins."""
    actions: list[ActionText]
    rules: list[Text]
    """Everything else: what happens by itself, what is done in place of dying."""
    left: list[Text]
    """What happens when nobody is left on a side."""
    monsters: list[MonsterText]
    tokens: list[PieceText]
    items: list[PieceText]


class PartText(Shape, frozen=True, kw_only=True):
    """A part of a book that was read out."""

    part: Name
    title: Title
    text: list[Text]


class HauntBook(Shape, frozen=True, kw_only=True):
    """What a role reads of the haunt in play."""

    game: Id
    version: Number
    role: Name
    id: Id
    number: Number
    """By the chart."""
    title: Title
    story: Text
    """Read aloud to everybody. Where introductions are read aloud it is all of them, as far as they have been read."""
    aloud: list[AloudView]
    """What was read aloud from the books, in this order; empty where everybody reads for themselves."""
    rules: list[Text]
    """What everybody knows: what is barred, what is different about stealing, how a hidden traitor is revealed."""
    identification: IdentificationView
    needed: list[NeededView]
    """Tokens that the haunt needs, where everybody reads the list."""
    setup: list[Text]
    """What was done as the haunt began, as far as the role was told."""
    books: list[SideBook]
    """The book of the role's own side; both for the referee; none for those who read neither."""
    monsters: list[MonsterText]
    """Monsters in the house of which no book here tells."""
    tokens: list[PieceText]
    """The same of tokens."""
    disclosed: list[PartText]
    """Parts of the other side's book that were read out to everybody."""
    counters: list[CounterText]
    """What the role knows to be counted, and where it stands."""
    notes: list[Text]
    """What the role was told later, and notes entered from a printed book."""


def book_of(rules: Rules, state: State, principal: Mask, setup: Sequence[str] = ()) -> HauntBook | None:
    """What a role reads of the haunt in play; None before one has begun.

    Args:
        rules: of the game.
        state: the role's own: the fold of what it was told.
        principal: its bit.
        setup: what was done as the haunt began, in words.
    """
    if state.haunt is None:
        return None
    rules = rules.of(state)
    whole = rules.pack.haunts[state.haunt.id]
    closed = unread(whole, state)
    haunt = without(whole, closed)
    w, numbers, called = wording_of(rules, state), GameNumbers(state), Names(rules, state)
    aloud, opened = read_aloud(rules, state), is_opened(rules, state)
    books = [_counted(rules, state, haunt.id, side) for side in _sides(haunt, closed, state)]
    told = {one.kind for book in books for one in book.monsters}
    known = {one.id for book in books for one in book.tokens}
    shut = unread_boxes(whole, state) if rules.edition.secrets.boxes else []
    kinds = dict.fromkeys(monster.kind for monster in state.monsters.values())
    lying = {here.token for here in state.tokens}
    return HauntBook(
        game=state.game,
        version=state.commit,
        role=principal_name(principal),
        id=haunt.id,
        number=state.haunt.number,
        title=haunt.title,
        story="\n\n".join([one.story for one in aloud]) or filled(haunt.story, haunt, numbers),
        aloud=aloud,
        rules=public_rules(w, haunt) if opened else [],
        identification=identification(rules, state),
        needed=needed(rules, state),
        setup=list(setup),
        books=books,
        monsters=[_stranger(w, kind, haunt.monsters[kind], boxed=kind in shut) for kind in kinds if kind not in told],
        tokens=[
            PieceText(id=one.id, title=one.title, text="", rules=[])
            for one in haunt.tokens
            if one.id in lying and one.id not in known
        ],
        disclosed=_disclosed(rules, state),
        counters=[
            CounterText(
                name=name,
                title=called.owned(name, w.titles.counters[id_kind(name)]),
                value=value,
                max=state.haunt.maxima.get(name),
            )
            for name, value in state.haunt.counters.items()
            if opened
        ],
        notes=[f"{readable(name)}: {text}" for name, text in _notes(haunt, state.haunt.notes)],
    )


def _disclosed(rules: Rules, state: State) -> list[PartText]:
    """What was read out of books that the role has not read."""
    if state.haunt is None:
        return []
    names = Names(rules, state)
    return [
        PartText(part=part, title=names.part(part), text=rules_of_part(rules, state, part))
        for part in state.haunt.disclosed
        if f"{side_of_part(part)}.book" not in state.texts
    ]


def _counted(rules: Rules, state: State, haunt: str, side: OneSide) -> SideBook:
    """A side's book, with how far its goal has come."""
    book = told_in(
        _uncounted(rules, haunt, side, wording_of(rules, state)), rules.pack.haunts[haunt], GameNumbers(state)
    )
    goal = book_rules(rules, state, haunt, side).get("wins-when")
    return book if goal is None else msgspec.structs.replace(book, wins=[goal, *book.wins[1:]])


def told_in(book: SideBook, haunt: Haunt, numbers: Numbers | None) -> SideBook:
    """A side's book with the numbers that its texts name."""
    return msgspec.structs.replace(
        book,
        story=filled(book.story, haunt, numbers),
        goal=filled(book.goal, haunt, numbers),
        actions=[msgspec.structs.replace(one, title=filled(one.title, haunt, numbers)) for one in book.actions],
    )


@lru_cache(maxsize=256)
def _uncounted(rules: Rules, haunt: str, side: OneSide, w: Wording) -> SideBook:
    """What of a side's book stays the same while the game goes on."""
    return side_book(w, rules.pack.haunts[haunt], side)


def _notes(haunt: Haunt, told: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if haunt.id == EXTERNAL:
        for book in haunt.books.values():
            yield from book.texts.items()
    yield from told.items()


def _sides(haunt: Haunt, closed: Sequence[str], state: State) -> list[OneSide]:
    """Whose books the role has read."""
    if one_book(haunt):
        return [side for side in haunt.books if f"{side}.book" in state.texts]
    return [side for side in haunt.books if side not in closed]


PUBLIC = ("kind", "bars", "stealing", "revealed", "reveal-if", "truce", "revealer-runs", "traitor-first")
"""Parts of a haunt that everybody reads. Its monsters, tokens and counters are told in the books."""


def public_rules(w: Wording, haunt: Haunt) -> list[str]:
    """What everybody knows of a haunt by its rules."""
    return [rule.text for rule in haunts.haunt(w, haunt) if rule.part.partition(".")[0] in PUBLIC]


def side_book(w: Wording, haunt: Haunt, side: OneSide) -> SideBook:
    """What one side reads; `w` speaks inside the haunt."""
    shared = haunt.kind in ("hidden-traitor", "free-for-all")
    book = haunt.book(side)
    texts = {rule.part: rule.text for rule in haunts.book(w, book, side, shared=shared)}
    found = _named(haunt, side)
    own = [kind for kind, one in haunt.monsters.items() if shared or (one.side == side and kind in found["monster"])]
    actions = [
        ActionText(word=one.word, title=one.title, side=one.side or "", text=texts.pop(f"actions.{one.word}", ""))
        for one in book.actions
    ]
    return SideBook(
        side=side,
        shared=shared,
        story=book.story,
        goal=book.goal,
        wins=[text for part in ("wins-when", "loses-when", "traitor-wins") if (text := texts.pop(part, ""))],
        locations=locations(w.pack.tiles, book),
        right_now=texts.pop("right-now", ""),
        actions=actions,
        left=_left(w, haunt, side, texts.pop("plays-on", "")),
        rules=list(texts.values()),
        monsters=[_own(w, kind, haunt.monsters[kind]) for kind in own],
        tokens=[_piece(one.id, one.title, one.text, token(w, one)) for one in haunt.tokens if one.id in found["token"]],
        items=[
            _piece(one.id, one.title, one.text, card(w, one)) for one in haunt.items if one.id in found["item token"]
        ],
    )


def _piece(name: str, title: str, text: str, rules: Sequence[RuleText]) -> PieceText:
    return PieceText(id=name, title=title, text=text, rules=[rule.text for rule in rules])


LOST = "The traitor's side wins as soon as no hero is left."


def _left(w: Wording, haunt: Haunt, side: OneSide, plays_on: str) -> list[str]:
    """What happens when nobody is left on a side (2E-WIN-003, 2E-HTURN-005); where no rule says it, the book does."""
    if not w.titles.survivors_decide:
        return [plays_on] if plays_on else []
    if haunt.kind == "no-traitor":
        return ["The heroes lose as soon as none of them is left."]
    if side == "traitor":
        return [LOST, plays_on or "Once the traitor is dead, the monsters have no more turns."]
    if haunt.heroes is not None and _suffices(haunt.heroes.wins_when):
        return [LOST]
    return [LOST, "The death of the traitor wins nothing by itself: the heroes still have to reach their goal."]


def _suffices(goal: Condition | None) -> bool:
    """Whether the traitor's death reaches a goal on its own."""
    if goal is None:
        return False
    stated = goal.stated()
    if goal.dead == "traitor" and len(stated) == 1:
        return True
    parts = [_suffices(one) for one in (goal.any or goal.all or [])]
    return len(stated) == 1 and (any(parts) if goal.any else bool(parts) and all(parts))


# -- monsters -----------------------------------------------------------------------------------------------------------


def _own(w: Wording, kind: str, monster: Monster) -> MonsterText:
    rules = [*haunts.box(w, kind, monster), *_fights(w, monster)]
    return MonsterText(kind=kind, title=monster.title, side=monster.side, text=monster.text, rules=rules)


def _stranger(w: Wording, kind: str, monster: Monster, *, boxed: bool) -> MonsterText:
    """A monster of which no book here tells: what its token and the dice tell everybody, and not its text (2E-SEC-001)."""
    if boxed:
        named = [trait(one) for one in monster.traits]
        rules = [
            f"It has {enumerated(named)}. The rest is in its box, which you may demand once it has been used.",
            *_fights(w, monster),
        ]
        return MonsterText(kind=kind, title=monster.title, side=monster.side, text="", rules=rules)
    numbers = enumerated([f"{trait(one)} {w.value(value)}" for one, value in monster.traits.items()])
    damage = f"{haunts.by_damage(monster).capitalize()}."
    rules = [f"{numbers}. {damage}", *_fights(w, monster)]
    return MonsterText(kind=kind, title=monster.title, side=monster.side, text="", rules=rules)


def _fights(w: Wording, monster: Monster) -> list[str]:
    """Who can't be fought with Might, and what can (2E-ATK-011)."""
    if monster.might is not None:
        return []
    ways = [
        f"{one.title} ({trait(one.attack.trait)})"
        for one in w.pack.cards
        if one.attack is not None and one.attack.trait in monster.traits
    ]
    return [
        "It has no Might, so nobody can attack it with Might." + (f" What can: {enumerated(ways)}." if ways else "")
    ]


# -- what a book names --------------------------------------------------------------------------------------------------


ITEM: Kind = "item token"
NAMING: dict[type[Word], list[Reference]] = {}
for _one in REFERENCES:
    if _one.kind in ("monster", "token", "card", ITEM):
        NAMING.setdefault(_one.holder, []).append(_one)


def _named(haunt: Haunt, side: OneSide) -> dict[Kind, frozenset[str]]:
    """The haunt's own pieces that a side's book names, itself or in blocks that it runs or pieces that it brings."""
    found: dict[Kind, set[str]] = {"monster": set(), "token": set(), ITEM: set()}
    waiting: list[Word | None] = [haunt.books.get(side)]
    blocks: set[str] = set()
    while waiting:
        piece = waiting.pop()
        for spot in walk(Spot((), piece)) if piece is not None else ():
            for reference in NAMING.get(type(spot.value), ()):
                found[ITEM if reference.kind == "card" else reference.kind].update(
                    dict(names(spot, reference)).values()
                )
            if isinstance(spot.value, Effect) and spot.value.run in haunt.blocks and spot.value.run not in blocks:
                blocks.add(spot.value.run)
                waiting += haunt.blocks[spot.value.run]
    return {kind: frozenset(some) for kind, some in found.items()}
