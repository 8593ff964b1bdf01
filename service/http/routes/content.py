"""Packs and the rule ledger, as far as they are public: neither what a haunt's books say nor rules that are still sealed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Literal, TypeVar

import msgspec
from litestar import MediaType, Response
from litestar.params import PathParameter, QueryParameter

from content.ledger import Rule, ledger
from content.patterns import whole
from content.vocabulary.pack import Alternative, Card, Explorer, Tile
from service.http.callers import count_anonymous
from service.http.incoming import FromService, IfNoneMatch, Limit, shown
from service.http.operation import ANYBODY, Example, link, operation
from service.http.outgoing import AnyRequest, published
from service.log.packs import Offered
from service.problems import ProblemError

Shown = TypeVar("Shown", bound=msgspec.Struct)
PackName = Annotated[
    str,
    PathParameter(
        examples=shown("second-edition"), pattern=whole(r"^[a-z][a-z0-9-]{0,39}$"), description="The pack's id."
    ),
]


class PackShown(msgspec.Struct, kw_only=True):
    """A pack that games can be opened with."""

    id: str
    title: str
    version: str
    edition: str
    stage: str
    """`draft`, `playtested` or `stable`."""
    digest: str
    """Of the canonical pack. A game pins it."""
    players: list[int]
    """The lowest and highest number of seats."""
    credits: str
    note: str


class PackList(msgspec.Struct, kw_only=True):
    """All packs."""

    packs: list[PackShown]


class CharacterShown(msgspec.Struct, kw_only=True):
    """An explorer that a seat can take."""

    id: str
    title: str
    color: str
    other_side: str
    """The explorer on the other side of the card; a game has at most one of the two."""
    age: int
    birthday: str
    traits: dict[str, list[int]]
    """By trait: its values in ascending order, without the skull."""
    starts: dict[str, int]
    """By trait: the index of its starting value, counted from 0."""


class TileShown(msgspec.Struct, kw_only=True):
    """A room."""

    id: str
    title: str
    text: str
    floors: list[str]
    doors: list[str]
    """As printed, before it is turned."""
    symbols: list[str]


class CardShown(msgspec.Struct, kw_only=True):
    """A card of the decks."""

    id: str
    deck: str
    title: str
    text: str


class PlaytestShown(msgspec.Struct, kw_only=True):
    """Results of games between bots."""

    games: int
    """Games played for each number of seats."""
    heroes: dict[str, int]
    """By number of seats: how many of 100 games the heroes won."""
    rounds: dict[str, int]
    """By number of seats: the average number of rounds of the haunt."""


class HauntShown(msgspec.Struct, kw_only=True):
    """A haunt. Nothing else is shown before it begins."""

    id: str
    title: str
    stage: str
    playtest: PlaytestShown | None
    """Null if it has not been tested yet."""


class AlternativeShown(msgspec.Struct, kw_only=True):
    """What a table may choose in place of a ruling, with the game option `rulings`."""

    id: str
    text: str


class RulingShown(msgspec.Struct, kw_only=True):
    """How a question about a room or card was settled, and the alternatives."""

    piece: str
    """The id of the room or card."""
    by: str
    """In play by post the first alternative holds, unless the game chooses `official`."""
    text: str
    alternatives: list[AlternativeShown]


class PackDetails(PackShown, kw_only=True):
    """A pack and its contents."""

    characters: list[CharacterShown]
    tiles: list[TileShown]
    cards: list[CardShown]
    haunts: list[HauntShown]
    rulings: list[RulingShown]
    """Only those with alternatives."""


@operation(
    "GET /v1/packs",
    "List packs",
    "content",
    security=ANYBODY,
    links={"pack": link("getPack", {"pack": "$response.body#/packs/0/id"})},
    example=Example("/v1/packs"),
)
async def list_packs(
    request: AnyRequest, service: FromService, if_none_match: IfNoneMatch = None
) -> Response[PackList]:
    """List the packs that a game can be opened with."""
    count_anonymous(service, request)
    found = PackList(packs=[_pack(one) for one in service.library.offered.values()])
    return published(request, if_none_match, msgspec.json.encode(found), MediaType.JSON)


@operation(
    "GET /v1/packs/{pack:str}",
    "Get a pack",
    "content",
    security=ANYBODY,
    problems="not-found",
    example=Example("/v1/packs/second-edition"),
)
async def get_pack(
    request: AnyRequest, service: FromService, pack: PackName, if_none_match: IfNoneMatch = None
) -> Response[PackDetails]:
    """Get a pack's explorers, rooms and cards, and the names of its haunts."""
    count_anonymous(service, request)
    found = service.library.offered.get(pack)
    if found is None:
        raise ProblemError("not-found", "There is no such pack.")
    return published(request, if_none_match, msgspec.json.encode(_details(found)), MediaType.JSON)


def _pack(one: Offered) -> PackShown:
    head = one.pack.head
    return _shown(PackShown, head, digest=one.digest, players=[head.players[0], head.players[-1]])


def _details(one: Offered) -> PackDetails:
    pack = one.pack
    return PackDetails(
        **msgspec.structs.asdict(_pack(one)),
        characters=[_character(who) for who in pack.explorers],
        tiles=[_shown(TileShown, tile) for tile in pack.tiles],
        cards=[_shown(CardShown, card) for card in pack.cards],
        haunts=[_shown(HauntShown, haunt) for haunt in pack.haunts],
        rulings=list(_rulings(one)),
    )


def _character(who: Explorer) -> CharacterShown:
    tracks = {trait: getattr(who, trait) for trait in ("might", "speed", "sanity", "knowledge")}
    traits = {trait: track.values for trait, track in tracks.items()}
    return _shown(CharacterShown, who, traits=traits, starts={trait: track.start for trait, track in tracks.items()})


def _shown(kind: type[Shown], piece: object, **others: object) -> Shown:
    """What is shown of a piece: the fields with the same names here, and those that differ."""
    found = {name: getattr(piece, name) for name in kind.__struct_fields__ if name not in others}
    return msgspec.convert(found | others, kind, from_attributes=True)


def _rulings(one: Offered) -> Iterator[RulingShown]:
    """Rulings of rooms and cards for which a table may choose something else."""
    pieces: list[Tile | Card] = [*one.pack.tiles, *one.pack.cards]
    for piece in pieces:
        for ruling in piece.rulings:
            offered = [each for each in ruling.alternatives if isinstance(each, Alternative)]
            if offered:
                yield RulingShown(
                    piece=piece.id,
                    by=ruling.by,
                    text=ruling.text,
                    alternatives=[_shown(AlternativeShown, each) for each in offered],
                )


RULE = whole(r"^[A-Z0-9]{2,3}-[A-Z0-9]+-[0-9]{3}$")
RuleId = Annotated[
    str, PathParameter(examples=shown("2E-MOVE-001"), pattern=RULE, description="The rule's id: `2E-MOVE-003`.")
]


class RuleShown(msgspec.Struct, kw_only=True):
    """A rule, in our own words."""

    id: str
    edition: str
    title: str
    text: str
    source: str
    """The section and page of the rulebook."""
    phase: str
    kind: str
    actors: list[str]
    visibility: str
    overrides: list[str]
    """Ids of the rules that this one replaces, or is an exception to."""
    ambiguity: str
    """What the rulebook leaves open, and how it was ruled."""
    manual: bool
    """Only people can enforce it."""


class RuleList(msgspec.Struct, kw_only=True):
    """A page of rules, in the order of the ledger."""

    rules: list[RuleShown]
    next: str | None
    """Pass it as `after` to get the next page; null on the last page."""


@operation(
    "GET /v1/rules",
    "List rules",
    "content",
    security=ANYBODY,
    problems="not-found",
    links={"rule": link("getRule", {"rule": "$response.body#/rules/0/id"})},
    example=Example("/v1/rules?edition=second&limit=2"),
)
async def list_rules(
    request: AnyRequest,
    service: FromService,
    edition: Annotated[
        Literal["second", "third", "legacy", "play-by-post"] | None,
        QueryParameter(description="Only rules of this edition."),
    ] = None,
    after: Annotated[
        str | None, QueryParameter(pattern=RULE, description="The last rule of the previous page.")
    ] = None,
    limit: Limit = 100,
    if_none_match: IfNoneMatch = None,
) -> Response[RuleList]:
    """List the rules of the ledger."""
    count_anonymous(service, request)
    rules = iter(rule for rule in ledger().values() if not rule.sealed and edition in (None, rule.edition))
    if after is not None and not any(rule.id == after for rule in rules):
        raise _unknown()
    most = min(limit, service.settings.page_limit)
    found = list(islice(rules, most + 1))
    last = found[most - 1].id if len(found) > most else None
    page = RuleList(rules=[_show(rule) for rule in found[:most]], next=last)
    return published(request, if_none_match, msgspec.json.encode(page), MediaType.JSON)


@operation(
    "GET /v1/rules/{rule:str}",
    "Get a rule",
    "content",
    security=ANYBODY,
    problems="not-found",
    example=Example("/v1/rules/2E-MOVE-001"),
)
async def get_rule(
    request: AnyRequest, service: FromService, rule: RuleId, if_none_match: IfNoneMatch = None
) -> Response[RuleShown]:
    """Get one rule: what it says, where it comes from, and how its open questions were settled."""
    count_anonymous(service, request)
    found = ledger().get(rule)
    if found is None or found.sealed:
        raise _unknown()
    return published(request, if_none_match, msgspec.json.encode(_show(found)), MediaType.JSON)


def _unknown() -> ProblemError:
    """The same for a rule that doesn't exist and for one that is sealed."""
    return ProblemError("not-found", "There is no such rule.")


def _show(rule: Rule) -> RuleShown:
    return _shown(RuleShown, rule, ambiguity="" if rule.sealed_ambiguity else rule.ambiguity)
