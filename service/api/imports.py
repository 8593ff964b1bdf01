"""A game that comes as a file."""

from __future__ import annotations

from litestar import Response, post

from service.api.bodies import arriving, check_media_type
from service.api.callers import check_opening_key, count_anonymous
from service.api.edge import SECRETS
from service.api.games import OPENING
from service.api.incoming import strong_key
from service.api.outgoing import NDJSON, AnyRequest, created
from service.api.parameters import FromService, StrongKey
from service.games.lobby.importing import GameImported
from service.problems import ProblemError


@post(
    "/v1/games/import",
    operation_id="importGame",
    summary="Import a game",
    tags=["proof"],
    security=OPENING,
    request_max_body_size=None,
    opt={SECRETS: True},
)
async def import_game(
    request: AnyRequest, service: FromService, idempotency_key_: StrongKey = None
) -> Response[GameImported]:
    """Import a game that is over and disclosed, from its full export.

    The export is audited first: every link of its chain, every decision, every die. What diverged, what can't be
    verified, what is here already and what a newer revision of the rules decided is refused. An imported game can be
    read and exported by anybody who has one of the tokens in the answer; it does not go on.
    """
    count_anonymous(service, request)
    check_opening_key(service, request)
    key = strong_key(idempotency_key_)
    check_media_type(request.headers.get("Content-Type"), request.headers.get("Content-Encoding"), NDJSON)
    with service.importing.place():
        imported = await service.importing.bring(await _body(request, service.settings.import_limit), key)
    game = imported.answer.game
    return created(imported.answer, game.version, f"/v1/games/{game.id}", replayed=imported.replayed)


async def _body(request: AnyRequest, limit: int) -> bytes:
    """The body, whose limit is another one than that of all other requests.

    Raises:
        ProblemError: `body-too-large` or `request-timeout`.
    """
    parts: list[bytes] = []
    size = 0
    with arriving():
        async for part in request.stream():
            size += len(part)
            if size > limit:
                raise ProblemError("body-too-large", f"An export may have {limit} bytes here (OMENLOG_IMPORT_LIMIT).")
            parts.append(part)
    return b"".join(parts)
