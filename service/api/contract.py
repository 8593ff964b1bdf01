"""The contract itself."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import MediaType, Response, get

from service.api.outgoing import AnyRequest


class Contract:
    """The document, built when somebody asks for the first time."""

    def __init__(self) -> None:
        """Nobody has asked yet."""
        self._body = b""

    async def body(self) -> bytes:
        """The document as JSON."""
        if not self._body:
            self._body = await asyncio.to_thread(_build)
        return self._body


def _build() -> bytes:
    from service.openapi.document import build  # noqa: PLC0415 -- it documents this handler too

    return msgspec.json.encode(build())


@get("/openapi.json", operation_id="getContract", summary="Get the contract", tags=["health"], security=[{}])
async def get_contract(request: AnyRequest) -> Response[dict[str, Any]]:
    """Get this document, without examples."""
    contract: Contract = request.app.state.contract
    return Response(await contract.body(), media_type=MediaType.JSON)  # type: ignore[arg-type]  # encoded already
