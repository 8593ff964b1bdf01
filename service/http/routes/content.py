"""Packs and the rule ledger, as far as they are public: neither what a haunt's books say nor rules that are still sealed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Annotated, Literal, TypeVar

import msgspec
from litestar import MediaType, Response
from litestar.params import PathParameter, QueryParameter

from content.errors import Mistake
from content.ledger import Rule, ledger
from content.load.offers import BASE, Offered
from content.patterns import whole
from content.vocabulary.pack import Alternative, Card, Explorer, Tile
from domain.engine.rules import Rules
from projections.wording import rules_in_words
from service.http.bodies import check_media_type, read_bytes
from service.http.callers import check_opening_key, count_anonymous, opener_behind
from service.http.incoming import FromService, IfNoneMatch, Limit, shown
from service.http.operation import ANYBODY, OPENING_KEY, Example, link, operation
from service.http.outgoing import AnyRequest, created, published
from service.log.packs import COMPILED
from service.problems import ProblemError

Shown = TypeVar("Shown", bound=msgspec.Struct)
PACK = whole(r"^[a-z][a-z0-9-]{0,39}$")
PackName = Annotated[str, PathParameter(examples=shown("second-edition"), pattern=PACK, description="The pack's id.")]


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
    rules: list[str]
    """What it says and does, in words."""


class CardShown(msgspec.Struct, kw_only=True):
    """A card of the decks."""

    id: str
    deck: str
    title: str
    text: str
    rules: list[str]
    """What it does, in words; by rulings as the pack has them."""


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
    found = PackList(packs=[_pack(one) for one in (await service.uploads.offers()).values()])
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
    found = (await service.uploads.offers(pack)).get(pack)
    if found is None:
        raise ProblemError("not-found", "There is no such pack.")
    details = await asyncio.to_thread(_details, found, service.library.rules_of(found))
    return published(request, if_none_match, msgspec.json.encode(details), MediaType.JSON)


class PackUploaded(msgspec.Struct, kw_only=True):
    """A pack was taken."""

    pack: PackShown
    findings: list[Mistake]
    """What the check has to say of it, though it can be played: file, line, column and reason."""


ZIP = "application/zip"


@operation(
    "POST /v1/packs",
    "Send a pack",
    "content",
    security=OPENING_KEY,
    body=ZIP,
    problems="unsupported-media-type request-timeout body-too-large uploads-off unfit-pack too-many-packs",
    headers={"Location": True},
    links={
        "pack": link("getPack", {"pack": "$response.body#/pack/id"}),
        "game": link("openGame", {}, says="With the pack's id as `pack`."),
    },
    litestar={"request_max_body_size": None},
    no_example="Its body is an archive.",
)
async def send_pack(
    request: AnyRequest,
    service: FromService,
    extends: Annotated[
        str, QueryParameter(pattern=PACK, description="The built-in pack to which a haunt file alone is added.")
    ] = BASE,
) -> Response[PackUploaded]:
    """Send a zipped pack, or a zipped haunt file, to play it here.

    The operator may allow this (`OMENLOG_PACK_UPLOADS`) to whoever may open games. The pack is checked as `omenlog content check` does, named by
    its digest, and shown to nobody who does not know its id. It is forgotten after a while, unless a game was opened with it.
    """
    count_anonymous(service, request)
    check_opening_key(service, request)
    check_media_type(request.headers.get("Content-Type"), request.headers.get("Content-Encoding"), ZIP)
    with service.importing.place():
        archive = await read_bytes(request, service.settings.pack_limit, "OMENLOG_PACK_LIMIT")
        taken, findings = await service.uploads.take(archive, extends, await opener_behind(service, request))
    return created(PackUploaded(pack=_pack(taken), findings=findings), None, f"/v1/packs/{taken.name}")


def _pack(one: Offered) -> PackShown:
    head = one.pack.head
    return _shown(PackShown, head, id=one.name, digest=one.digest, players=[head.players[0], head.players[-1]])


@lru_cache(maxsize=COMPILED)
def _words(rules: Rules) -> Mapping[str, list[str]]:
    """The rules of a pack's rooms and cards; to word them takes a tenth of a second."""
    return rules_in_words(rules.pack.source)


def _details(one: Offered, rules: Rules) -> PackDetails:
    pack, words = one.pack, _words(rules)
    return PackDetails(
        **msgspec.structs.asdict(_pack(one)),
        characters=[_character(who) for who in pack.explorers],
        tiles=[_shown(TileShown, tile, rules=words[f"tile:{tile.id}"]) for tile in pack.tiles],
        cards=[_shown(CardShown, card, rules=words[f"card:{card.id}"]) for card in pack.cards],
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
