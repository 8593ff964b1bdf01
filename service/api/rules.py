"""The rule ledger: what refusals and events cite. Sealed rules are not there outside their stage."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Literal

import msgspec
from litestar import MediaType, Response, get
from litestar.params import PathParameter, QueryParameter

from content.ledger import Rule, ledger
from content.patterns import whole
from service.api.callers import count_anonymous
from service.api.outgoing import AnyRequest, published
from service.api.parameters import FromService, IfNoneMatch, Limit
from service.problems import ProblemError

RULE = whole(r"^[A-Z0-9]{2,3}-[A-Z0-9]+-[0-9]{3}$")
RuleId = Annotated[str, PathParameter(pattern=RULE, description="The rule's id: 2E-MOVE-003.")]


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
    """Ids of rules that this one replaces or is an exception to."""
    ambiguity: str
    """What the rulebook leaves open, and the ruling taken."""
    manual: bool
    """No program can enforce it."""


class RuleList(msgspec.Struct, kw_only=True):
    """A page of rules, in the ledger's order."""

    rules: list[RuleShown]
    next: str | None
    """Pass it as `after` for the next page; null on the last one."""


@get("/v1/rules", operation_id="listRules", summary="List rules", tags=["content"], security=[{}])
async def list_rules(
    request: AnyRequest,
    service: FromService,
    edition: Annotated[
        Literal["second", "third", "legacy", "play-by-post"] | None, QueryParameter(description="Only this edition's.")
    ] = None,
    after: Annotated[str | None, QueryParameter(pattern=RULE, description="The last rule of the page before.")] = None,
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


@get("/v1/rules/{rule:str}", operation_id="getRule", summary="Get a rule", tags=["content"], security=[{}])
async def get_rule(
    request: AnyRequest, service: FromService, rule: RuleId, if_none_match: IfNoneMatch = None
) -> Response[RuleShown]:
    """Get one rule: what it says, where it comes from, how its open questions were settled."""
    count_anonymous(service, request)
    found = ledger().get(rule)
    if found is None or found.sealed:
        raise _unknown()
    return published(request, if_none_match, msgspec.json.encode(_show(found)), MediaType.JSON)


def _unknown() -> ProblemError:
    """The same for a rule that doesn't exist and for one that is sealed."""
    return ProblemError("not-found", "There is no such rule.")


def _show(rule: Rule) -> RuleShown:
    return RuleShown(
        id=rule.id,
        edition=rule.edition,
        title=rule.title,
        text=rule.text,
        source=rule.source,
        phase=rule.phase,
        kind=rule.kind,
        actors=list(rule.actors),
        visibility=rule.visibility,
        overrides=rule.overrides,
        ambiguity="" if rule.sealed_ambiguity else rule.ambiguity,
        manual=rule.manual,
    )
