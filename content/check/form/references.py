"""Everything that is named exists: somebody, somewhere, tiles, cards, tokens, monsters, counters, blocks, texts and more."""

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any, Literal, NamedTuple

from content.errors import Finding, Trail, did_you_mean, listed
from content.ledger import PREFIXES, rule_ids
from content.survey import Spot, Survey, written
from content.vocabulary.base import Word
from content.vocabulary.effects import (
    ChooseSecret,
    CounterChange,
    Effect,
    Fetch,
    LoseCard,
    Monsters,
    PlaceMonster,
    PlaceTile,
    RemoveTile,
    RemoveToken,
    TakeCard,
    Tell,
    Token,
)
from content.vocabulary.pack import (
    Action,
    Alternative,
    Attack,
    Ban,
    Bar,
    Barrier,
    Binding,
    Book,
    Card,
    CardSet,
    Chart,
    Explorer,
    Haunt,
    Link,
    PackHead,
    Ruling,
    Scenario,
    Seek,
    Standing,
    Stealing,
    Tile,
    TokenKind,
    TraitorRule,
)
from content.vocabulary.values import Condition, Count, Each, Number, Place, Rooms, SecretIs, Who

Kind = Literal[
    "tile",
    "card",
    "omen",
    "item token",
    "token",
    "monster",
    "counter",
    "secret",
    "block",
    "text",
    "explorer",
    "haunt",
    "alternative",
]

HAUNT_ONLY: frozenset[Kind] = frozenset({"item token", "monster", "counter", "secret", "text"})
"""What only a haunt declares."""


class Reference(NamedTuple):
    """A field that names something of a kind."""

    holder: type[Word]
    field: str
    kind: Kind
    besides: tuple[str, ...] = ()
    """Words that it may say in place of a name."""
    keys: bool = False
    """It is the keys of the field's mapping that name something."""


REFERENCES: tuple[Reference, ...] = (
    Reference(Count, "monsters", "monster", ("any",)),
    Reference(Count, "tokens", "token"),
    Reference(Number, "counter", "counter"),
    Reference(Each, "kind", "monster"),
    Reference(Each, "most", "counter"),
    Reference(Rooms, "one_of", "tile"),
    Reference(Rooms, "with_token", "token"),
    Reference(Rooms, "without_token", "token"),
    Reference(Rooms, "next_to_token", "token"),
    Reference(Condition, "in_house", "tile"),
    Reference(Condition, "any_in_house", "tile"),
    Reference(Condition, "token", "token"),
    Reference(Condition, "token_in_house", "token"),
    Reference(Condition, "carrying", "card"),
    Reference(Condition, "in_play", "card"),
    Reference(Condition, "held", "card"),
    Reference(Condition, "ruling", "alternative"),
    Reference(Barrier, "by_ruling", "alternative", keys=True),
    Reference(Attack, "dice_by_ruling", "alternative", keys=True),
    Reference(Attack, "free_by_ruling", "alternative"),
    Reference(Standing, "items_by_ruling", "alternative"),
    Reference(Barrier, "opened_by", "token"),
    Reference(Tile, "doors_by_ruling", "alternative", keys=True),
    Reference(Condition, "counter", "counter"),
    Reference(Condition, "monsters_gone", "monster", ("any",)),
    Reference(PlaceTile, "tile", "tile"),
    Reference(Token, "token", "token"),
    Reference(RemoveToken, "token", "token"),
    Reference(PlaceMonster, "kind", "monster"),
    Reference(Monsters, "kind", "monster", ("any",)),
    Reference(CounterChange, "counter", "counter"),
    Reference(Tell, "text", "text"),
    Reference(Tell, "secret", "secret"),
    Reference(SecretIs, "name", "secret"),
    Reference(LoseCard, "card", "card", ("this",)),
    Reference(TakeCard, "card", "card"),
    Reference(Fetch, "barred", "tile"),
    Reference(Fetch, "barred_tokens", "token"),
    Reference(CardSet, "with_", "card"),
    Reference(Effect, "run", "block"),
    Reference(Effect, "give", "item token"),
    Reference(RemoveTile, "tile", "tile"),
    Reference(Condition, "came_from", "tile"),
    Reference(Attack, "kills", "monster", ("any",)),
    Reference(Standing, "spared", "tile"),
    Reference(Link, "to", "tile"),
    Reference(Bar, "card", "card"),
    Reference(Bar, "tile", "tile"),
    Reference(Bar, "token", "token"),
    Reference(Stealing, "cards", "card", keys=True),
    Reference(TraitorRule, "explorer", "explorer"),
    Reference(TraitorRule, "holds", "card"),
    Reference(Book, "locations", "tile"),
    Reference(Seek, "room", "tile"),
    Reference(Seek, "token", "token"),
    Reference(Seek, "without_token", "token"),
    Reference(Seek, "monsters", "monster", ("any",)),
    Reference(Explorer, "other_side", "explorer"),
    Reference(Chart, "omens", "omen"),
    Reference(Chart, "rooms", "tile"),
    Reference(Chart, "haunts", "haunt"),
    Reference(Haunt, "begins", "tile", keys=True),
    Reference(Scenario, "haunts", "omen", keys=True),
)
"""Every field of the vocabulary that names something."""


def named_things_exist(survey: Survey) -> Iterator[Finding]:
    """Whatever a field names is declared, in the pack or in the haunt where it is named."""
    scope = _Scope(survey)
    for reference in REFERENCES:
        for spot in survey.of(reference.holder):
            for trail, name in names(spot, reference) if getattr(spot.value, reference.field) else ():
                if name not in reference.besides:
                    yield from scope.look_up(reference.kind, name, spot, trail, key=reference.keys)


def places_exist(survey: Survey) -> Iterator[Finding]:
    """The rooms, tokens and cards named by a `Place` or a `Who` are declared."""
    scope = _Scope(survey)
    for spot, trail, text in survey.strings(Place):
        who = text.removeprefix(ROOM_OF)
        if text.startswith(TOKEN):
            yield from scope.look_up("token", text.removeprefix(TOKEN), spot, trail)
        elif who.startswith(HOLDER):
            yield from scope.look_up("card", who.removeprefix(HOLDER), spot, trail)
        elif ":" not in text and text not in PLACE_WORDS:
            yield from scope.look_up("tile", text, spot, trail, words=PLACE_WORDS)
    for spot, trail, text in survey.strings(Who):
        if text.startswith(HOLDER):
            yield from scope.look_up("card", text.removeprefix(HOLDER), spot, trail)


def rules_exist(survey: Survey) -> Iterator[Finding]:
    """A rule that a step applies or a ruling cites is in the ledger of the pack's edition."""
    editions = [head.value.edition for head in survey.of(PackHead)] or PREFIXES.values()  # an entry has no head
    known = {name for name in rule_ids() if PREFIXES[name.partition("-")[0]] in editions}
    citing: tuple[type[Any], ...] = (Effect, Action, Ban, Binding, Link)
    spots = [spot for kind in citing for spot in survey.of(kind)]
    cited = [(spot.at("rule"), spot.value.rule) for spot in spots if spot.value.rule is not None]
    for ruling in survey.of(Ruling):
        cited += [(ruling.at("text"), rule) for rule in _RULE_ID.findall(ruling.value.text)]
    for trail, rule in cited:
        if rule not in known:
            number = rule.rpartition("-")[2]
            alike = [name for name in known if name.endswith(number)]  # a wrong number has no likely right one
            foreign = f"`{rule}` is no rule of this pack's edition" if rule in rule_ids() else ""
            yield Finding(trail, foreign or f"no rule `{rule}` in the ledger", did_you_mean(rule, alike))


_RULE_ID = re.compile(r"\b(?:2E|3E|LEG|PBP)-[A-Z][A-Z0-9]*-\d+\b")


class _Scope:
    """What can be named where."""

    def __init__(self, survey: Survey) -> None:
        cards = [spot.value for spot in survey.of(Card) if spot.above is None]
        self._pack: dict[Kind, AbstractSet[str]] = {
            "tile": {spot.value.id for spot in survey.of(Tile)},
            "card": {card.id for card in cards},
            "omen": {card.id for card in cards if card.deck == "omen"},
            "token": {spot.value.id for spot in survey.of(TokenKind) if spot.above is None},
            "explorer": {spot.value.id for spot in survey.of(Explorer)},
            "haunt": {spot.value.id for spot in survey.of(Haunt)},
            "alternative": {spot.value.id for spot in survey.of(Alternative)},
            "block": {name for spot in survey.of(PackHead) for name in spot.value.blocks},
        }

        self._secrets: dict[Trail, set[str]] = {}
        for spot in survey.of(ChooseSecret):
            haunt = spot.inside(Haunt)
            if haunt is not None:
                self._secrets.setdefault(haunt.trail, set()).add(spot.value.name)

    def look_up(
        self, kind: Kind, name: str, spot: Spot[Any], trail: Trail, *, words: Iterable[str] = (), key: bool = False
    ) -> Iterator[Finding]:
        """Yield a finding if a name of this kind is unknown where it is used."""
        haunt = spot.inside(Haunt)
        known = self._pack.get(kind, frozenset())
        if kind == "secret" and haunt is not None:
            known = self._secrets.get(haunt.trail, frozenset())
        if haunt is not None:
            known = known | _declared(haunt.value, kind)
        if name in known or not name:
            return
        if haunt is None and kind in HAUNT_ONLY:
            yield Finding(trail, f"{kind} `{name}`: only a haunt has such", key=key)
        else:
            yield Finding(trail, f"no {kind} `{name}`", did_you_mean(name, {*known, *words}), key=key)


def _declared(haunt: Haunt, kind: Kind) -> AbstractSet[str]:
    """Return what a haunt declares of a kind."""
    match kind:
        case "card" | "item token":
            return {card.id for card in haunt.items}
        case "token":
            return {token.id for token in haunt.tokens}
        case "monster":
            return haunt.monsters.keys()
        case "counter":
            return haunt.counters.keys()
        case "block":
            return haunt.blocks.keys()
        case "text":
            return {text for book in haunt.books.values() for text in book.texts}
    return frozenset()


def names(spot: Spot[Any], reference: Reference) -> Iterator[tuple[Trail, str]]:
    """Return each name in a field, with its place."""
    trail = spot.at(written(reference.holder, reference.field))
    match getattr(spot.value, reference.field):
        case str(name):
            yield trail, name
        case list(names):
            yield from (((*trail, index), name) for index, name in enumerate(names))
        case dict(mapping):
            yield from (((*trail, key), key if reference.keys else name) for key, name in mapping.items())


WHO_WORDS = ("you", "target", "traitor", "nearest-explorer", "left-of-you", "right-of-you")
HOLDER = "holder:"

PLACE_WORDS = ("here", "target-room", "placed-room", "that-room", "other-token", "room-of-haunt")
TOKEN = "token:"  # noqa: S105 - a counter of cardboard, no secret
ROOM_OF = "room-of:"


def is_who(text: str) -> bool:
    """Tell whether a text names somebody: a known word, or the holder of a card."""
    return text in WHO_WORDS or (text.startswith(HOLDER) and text != HOLDER)


def who(survey: Survey) -> Iterator[Finding]:
    """Somebody is named by a known word, by the card held, or by an `Each`."""
    for _, trail, text in survey.strings(Who):
        if not is_who(text):
            yield _nobody(trail, text)


def place(survey: Survey) -> Iterator[Finding]:
    """A place with a colon is `token:<name>` or `room-of:<who>`; one without is a known word or a room."""
    for _, trail, text in survey.strings(Place):
        prefix, colon, rest = text.partition(":")
        if colon and f"{prefix}:" not in {TOKEN, ROOM_OF}:
            yield Finding(trail, f"`{text}` is no place", did_you_mean(f"{prefix}:", (TOKEN, ROOM_OF)))
        elif colon and not rest:
            yield Finding(trail, f"`{text}` lacks what comes after the colon")
        elif prefix == ROOM_OF.removesuffix(":") and not is_who(rest):
            yield _nobody(trail, rest)


def _nobody(trail: tuple[str | int, ...], text: str) -> Finding:
    known = (*WHO_WORDS, HOLDER)
    hint = did_you_mean(text, known) or f"known are {listed(WHO_WORDS)} and `{HOLDER}<card>`"
    return Finding(trail, f"`{text}` is nobody", hint)
