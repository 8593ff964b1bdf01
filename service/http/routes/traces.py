"""A stretch of a game step by step: a JSON page, all of it as NDJSON, or as Markdown to be pasted."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Annotated, Any

from litestar import Response, get
from litestar.params import QueryParameter
from litestar.response import Stream

from projections.trace.shapes import TracePage
from service.games.read.proving import HeadPage, ProofPage
from service.http.callers import count_anonymous, looking_as, require
from service.http.incoming import MOST, After, As, FromCaller, FromService, Game, IfNoneMatch, Limit, accepted
from service.http.outgoing import NDJSON, AnyRequest, behind, published, versioned

JSON = "application/json"
MARKDOWN = "text/markdown"

From = Annotated[
    int | None, QueryParameter(name="from", ge=1, le=MOST, description="The first commit; by default commit 1.")
]
To = Annotated[
    int | None,
    QueryParameter(
        name="to", ge=1, le=MOST, description="The last commit; by default the latest that the caller may see."
    ),
]


@get("/v1/games/{game:str}/trace", operation_id="getTrace", summary="Trace a stretch of the game", tags=["referee"])
async def get_trace(  # noqa: PLR0913 -- each is a parameter of the request
    *,
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    from_: From = None,
    to: To = None,
    as_: As = None,
    after: After = 0,
    limit: Limit = 100,
    if_none_match: IfNoneMatch = None,
) -> Response[TracePage]:
    """Trace a span of commits: who did what, what was rolled or drawn, what changed, and by which rule.

    Of each commit it also tells which card, tile, token or haunt box spoke, what was legal at that moment, which rulings of this game
    had a part in it, and what was refused after it. All of it is computed from what the role knew and was told; the referee, who
    may look `as` any role, also learns the steps within boxes, everybody's legal commands and everybody's refused attempts.

    By `Accept`: `application/json` is a page, `application/x-ndjson` is the whole span, one step a line, and `text/markdown` the same to be
    pasted into a forum.
    """
    eyes = await looking_as(service, caller, game, as_)
    kind = accepted(request.headers.get("Accept"), (JSON, NDJSON, MARKDOWN))
    span = await service.tracing.span(caller, from_, to, eyes.principal)
    refused = await service.tracing.refused(span)
    if kind == JSON:
        page = await service.tracing.page(span, after, min(limit, service.settings.page_limit))
        return versioned(request, if_none_match, span.version, lambda: page, caller.name, kind, refused)
    pieces = service.tracing.lines(span, after) if kind == NDJSON else service.tracing.markdown(span, after)
    # The first piece is made before anything is said: what goes wrong is then told as a problem, not by a stream that breaks off.
    first = await anext(pieces, b"")

    def written() -> Response[Any]:
        return Stream(behind(first, pieces), media_type=kind)

    return versioned(request, if_none_match, span.version, written, caller.name, kind, refused)


@get(
    "/v1/games/{game:str}/heads",
    operation_id="getHeads",
    summary="Get heads of the chain",
    tags=["proof"],
    security=[{}],
)
async def get_heads(
    *,
    request: AnyRequest,
    service: FromService,
    game: Game,
    after: After = 0,
    limit: Limit = 100,
    if_none_match: IfNoneMatch = None,
) -> Response[HeadPage]:
    """Get the hashes of commits behind a cursor, for whoever wants to show later that this was the log.

    A hash stands for its commit and all before it, and tells nothing of them. Keep some where the service can't reach
    them (`omenlog witness` does); `omenlog verify --heads` holds an exported game against them.
    """
    count_anonymous(service, request)
    page = await service.proving.heads(game, after, min(limit, service.settings.page_limit))
    return versioned(request, if_none_match, page.version, lambda: page)


@get("/v1/games/{game:str}/proofs", operation_id="getProofs", summary="Get proofs of the caller's part", tags=["proof"])
async def get_proofs(
    *,
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    after: After = 0,
    limit: Limit = 100,
    if_none_match: IfNoneMatch = None,
) -> Response[ProofPage]:
    """Get what the caller's role was told behind a cursor, each commit with the digests of what was hidden from it.

    They are the lines of the role's export: the digest of what was told, salted, is one of eight, the eight give the
    root, and the root gives the hash that everybody gets as the head. The referee, who sees all, exports the game.
    """
    require(caller, game, "host", "seat", "spectator")
    body, version = await service.proving.proofs(caller, after, min(limit, service.settings.page_limit))
    return versioned(request, if_none_match, version, lambda: body, caller.name)


@get(
    "/v1/proof",
    operation_id="getProofPage",
    summary="Read how a game is proved",
    tags=["proof"],
    security=[{}],
    media_type=MARKDOWN,
)
async def get_proof_page(request: AnyRequest, if_none_match: IfNoneMatch = None) -> Response[str]:
    """Read, as Markdown, how a player can check that nothing was altered and no die chosen, and what that doesn't stop."""
    return published(request, if_none_match, _page(), MARKDOWN)


@lru_cache(maxsize=1)
def _page() -> bytes:
    return resources.files("service").joinpath("PROOF.md").read_bytes()
