"""Packs and the rule ledger, as far as they are public: neither what a haunt's books say nor rules that are still sealed."""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import Annotated, TypeVar

import msgspec
from litestar import MediaType, Response
from litestar.params import PathParameter, QueryParameter

from content.errors import Mistake
from content.ledger import Edition, Rule, ledger
from content.load.offers import BASE
from content.patterns import whole
from projections.view.packs import PackDetails, PackList, PackShown, pack_details, pack_shown, shown_of
from service.http.bodies import check_media_type, read_bytes
from service.http.callers import check_opening_key, count_anonymous, opener_behind
from service.http.incoming import FromService, IfNoneMatch, Limit, shown
from service.http.operation import ANYBODY, OPENING_KEY, Example, link, operation
from service.http.outgoing import AnyRequest, created, published
from service.problems import ProblemError

Shown = TypeVar("Shown", bound=msgspec.Struct)
PACK = whole(r"^[a-z][a-z0-9-]{0,39}$")
PackName = Annotated[str, PathParameter(examples=shown("second-edition"), pattern=PACK, description="The pack's id.")]


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
    found = PackList(packs=[pack_shown(one) for one in (await service.uploads.offers()).values()])
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
    details = await asyncio.to_thread(pack_details, found, service.library.rules_of(found))
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
    return created(PackUploaded(pack=pack_shown(taken), findings=findings), None, f"/v1/packs/{taken.name}")


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
        Edition | None,
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
    return shown_of(RuleShown, rule, ambiguity="" if rule.sealed_ambiguity else rule.ambiguity)
