"""Every route, and what handlers can ask for."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

from litestar import Response, route
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler

from service.http import commands
from service.http.callers import provide_caller, provide_desk, provide_service
from service.http.routes import accounts, content, disputes, events, games, seats, service, sides, subscriptions, views

MODULES = (games, seats, views, commands, sides, disputes, events, subscriptions, accounts, content, service)
"""Whatever they decorate with `@operation` is served."""


def handlers(module: ModuleType) -> Iterator[HTTPRouteHandler]:
    """The operations of a module."""
    return (one for one in vars(module).values() if isinstance(one, HTTPRouteHandler))


def _options(path: str, methods: set[str]) -> HTTPRouteHandler:
    """Say which methods a path has: Litestar's own answer names only those of its first handler."""
    allow = {"Allow": ", ".join(sorted({"OPTIONS", *methods}))}

    @route(path, http_method=["OPTIONS"], include_in_schema=False)
    async def options() -> Response[None]:
        return Response(None, status_code=204, headers=allow)

    return options


def _routes() -> Iterator[HTTPRouteHandler]:
    found = [one for module in MODULES for one in handlers(module)]
    methods: dict[str, set[str]] = {}
    for one in found:
        for path in one.paths:
            methods.setdefault(path, set()).update(map(str, one.http_methods))
    yield from (
        _options(path, several) for path, several in methods.items() if len(several) > 1
    )  # before Litestar's own
    yield from found


ROUTES = tuple(_routes())

DEPENDENCIES = {
    "service": Provide(provide_service, sync_to_thread=False),
    "caller": Provide(provide_caller),
    "desk": Provide(provide_desk),
}
