"""What a player can check while the game goes on, and the page that says what it is worth."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

from litestar import Response, get

from service.api.callers import count_anonymous, require
from service.api.outgoing import AnyRequest, published, versioned
from service.api.parameters import After, FromCaller, FromService, Game, IfNoneMatch, Limit
from service.games.read.proving import HeadPage, ProofPage

MARKDOWN = "text/markdown"


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
