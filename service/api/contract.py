"""The contract itself: of requests, and of streams and webhooks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
from litestar import MediaType, Response, get

from service.api.outgoing import AnyRequest, published
from service.api.parameters import IfNoneMatch


class Contract:
    """The documents, each built when somebody asks for the first time."""

    def __init__(self) -> None:
        """Nobody has asked yet."""
        self._bodies: dict[Callable[[], bytes], bytes] = {}
        self._turn = asyncio.Lock()
        """One is built at a time: two threads that parse Python at once make CPython 3.11 fail (`ast.parse`)."""

    async def requests(self) -> bytes:
        """The OpenAPI document as JSON."""
        return await self._body(_openapi)

    async def streams(self) -> bytes:
        """The AsyncAPI document as JSON."""
        return await self._body(_asyncapi)

    async def _body(self, build: Callable[[], bytes]) -> bytes:
        async with self._turn:
            if build not in self._bodies:
                self._bodies[build] = await asyncio.to_thread(build)
            return self._bodies[build]


def _openapi() -> bytes:
    from service.openapi.document import build  # noqa: PLC0415 -- it documents this handler too

    return msgspec.json.encode(build())


def _asyncapi() -> bytes:
    from service.openapi.asyncapi import build_asyncapi  # noqa: PLC0415 -- as above

    return msgspec.json.encode(build_asyncapi())


@get("/openapi.json", operation_id="getContract", summary="Get the contract", tags=["health"], security=[{}])
async def get_contract(request: AnyRequest, if_none_match: IfNoneMatch = None) -> Response[dict[str, Any]]:
    """Get this document, without examples."""
    contract: Contract = request.app.state.contract
    return published(request, if_none_match, await contract.requests(), MediaType.JSON)


@get(
    "/asyncapi.json",
    operation_id="getStreamsContract",
    summary="Get the contract of streams and webhooks",
    tags=["health"],
    security=[{}],
)
async def get_streams_contract(request: AnyRequest, if_none_match: IfNoneMatch = None) -> Response[dict[str, Any]]:
    """Get the AsyncAPI document, without examples: what is told over streams and sockets, and sent to endpoints."""
    contract: Contract = request.app.state.contract
    return published(request, if_none_match, await contract.streams(), MediaType.JSON)
