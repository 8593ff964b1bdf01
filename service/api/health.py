"""Health: does the process live, and can it keep what it promises to keep."""

from __future__ import annotations

from typing import Literal

import msgspec
from litestar import Response, get

from service.api.callers import count_anonymous
from service.api.outgoing import AnyRequest
from service.api.parameters import FromService

NO_STORE = {"Cache-Control": "no-store"}
PROMETHEUS = "text/plain; version=0.0.4"


class Live(msgspec.Struct, kw_only=True):
    """The process answers."""

    status: Literal["live"] = "live"


class Ready(msgspec.Struct, kw_only=True):
    """The store was written, committed and read back just now."""

    status: Literal["ready"] = "ready"
    store: str
    durable: bool
    """Whether an acknowledged command outlives a crash."""
    journal_mode: str
    synchronous: str


@get("/health/live", operation_id="getLive", summary="Is the process alive?", tags=["health"], security=[{}])
async def get_live() -> Response[Live]:
    """Answer, which is the answer."""
    return Response(Live(), headers=NO_STORE)


@get(
    "/metrics",
    operation_id="getMetrics",
    summary="Figures of the service, for Prometheus",
    tags=["health"],
    security=[{}],
    media_type=PROMETHEUS,
)
async def get_metrics(request: AnyRequest, service: FromService) -> Response[str]:
    """Requests by route and status, their durations, games in memory, streams that are open: sums, and nothing about any game."""
    count_anonymous(service, request)
    return Response(service.metrics.text().decode(), media_type=PROMETHEUS, headers=NO_STORE)


@get("/health/ready", operation_id="getReady", summary="Is the service ready?", tags=["health"], security=[{}])
async def get_ready(request: AnyRequest, service: FromService) -> Response[Ready]:
    """Write, commit and read back a probe in the store; 503 or 507 if that fails."""
    count_anonymous(service, request)
    found = await service.store.check()
    ready = Ready(
        store=found.adapter, durable=found.durable, journal_mode=found.journal_mode, synchronous=found.synchronous
    )
    return Response(ready, headers=NO_STORE)
