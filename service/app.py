"""The Litestar application around a service: every route, and what handlers can ask for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

from litestar import Litestar, Response, route
from litestar.datastructures import State
from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler

from service.bootstrap import Service
from service.http import commands, socket
from service.http.callers import provide_caller, provide_desk, provide_service
from service.http.commands import CommandRoute
from service.http.edge import Edge, check_request, parameters
from service.http.outgoing import HANDLERS
from service.http.pages import PagesRoute
from service.http.routes import accounts, content, desk, events, games, seats, service, subscriptions, views, what_if
from service.http.socket import SocketRoute

MODULES = (games, seats, views, what_if, commands, desk, events, subscriptions, accounts, content, service)
"""Whatever they decorate with `@operation` is served."""


def _options(path: str, methods: set[str]) -> HTTPRouteHandler:
    """Say which methods a path has: Litestar's own answer names only those of its first handler."""
    allow = {"Allow": ", ".join(sorted({"OPTIONS", *methods}))}

    @route(path, http_method=["OPTIONS"], include_in_schema=False)
    async def options() -> Response[None]:
        return Response(None, status_code=204, headers=allow)

    return options


def _routes() -> Iterator[HTTPRouteHandler]:
    found = [one for module in MODULES for one in vars(module).values() if isinstance(one, HTTPRouteHandler)]
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
    "seen": Provide(views.look),
    "seen_in_time": Provide(views.look_in_time),
}


def make_app(service: Service, make: Callable[..., Litestar] = Litestar) -> Litestar:
    """Build the application around a service, which it closes when it is shut down; `make` may know its routes already."""

    @asynccontextmanager
    async def lifespan(_app: Litestar) -> AsyncIterator[None]:
        service.attendant.start()
        service.forks.start()
        service.dispatcher.start()
        try:
            yield
        finally:
            await service.close()

    app = make(
        route_handlers=ROUTES,
        state=State({"service": service}),
        dependencies=DEPENDENCIES,
        exception_handlers=HANDLERS,
        before_request=check_request,
        request_max_body_size=service.settings.body_limit,
        lifespan=[lifespan],
        openapi_config=None,
        logging_config=None,
    )
    app.state["parameters"] = parameters(app)
    service.metrics.know(
        [
            *(route.path_format for route in app.routes),
            socket.ROUTE,
            "/table/{file}",
            "/table/{folder}/{file}",
            "/docs",
            "/docs/{file}",
            "/docs/{folder}/{file}",
        ]
    )
    routed = CommandRoute(service, PagesRoute(SocketRoute(service, app.asgi_handler)))
    settings = service.settings
    app.asgi_handler = Edge(
        routed,
        service.limits,
        service.metrics,
        service.traces,
        settings.allowed_origins(),
        told=settings.log_requests,
    )
    return app
