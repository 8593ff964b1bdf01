"""The Litestar application around a service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar
from litestar.datastructures import State

from service.bootstrap import Service
from service.http.commands import CommandRoute
from service.http.edge import Edge, check_request, parameters
from service.http.observed import Observed
from service.http.outgoing import HANDLERS
from service.http.routes.table import DEPENDENCIES, ROUTES
from service.http.socket import SocketRoute


def make_app(service: Service) -> Litestar:
    """Build the application.

    Args:
        service: what the handlers call; the application closes it when it is shut down.
    """

    @asynccontextmanager
    async def lifespan(_app: Litestar) -> AsyncIterator[None]:
        service.attendant.start()
        service.forks.start()
        service.dispatcher.start()
        try:
            yield
        finally:
            await service.close()

    app = Litestar(
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
    service.metrics.know(route.path_format for route in app.routes)
    routed = SocketRoute(service, CommandRoute(service, app.asgi_handler))
    edge = Edge(routed, service.limits, service.settings.allowed_origins())
    app.asgi_handler = Observed(edge, service.metrics, service.traces, told=service.settings.log_requests)
    return app
