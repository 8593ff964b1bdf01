"""Serving: the application under uvicorn, stopped gracefully even while streams are open."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

import uvicorn

from service.app import make_app
from service.bootstrap import open_service
from service.ports.outside import Outside
from service.settings import Settings


def serve(settings: Settings, *, ready: Callable[[str], None] | None = None) -> None:
    """Serve until a signal stops it.

    Args:
        settings: what the operator chose.
        ready: called with the base address once requests are accepted.

    Raises:
        BadSetting: a setting names something unknown.
        StoreError: the store can't be used.
        ContentErrors: a pack has mistakes.
        OSError: the address can't be listened on.
    """
    with asyncio.Runner(loop_factory=_loop) as runner:
        runner.run(run(settings, ready=ready))


async def run(settings: Settings, *, ready: Callable[[str], None] | None = None) -> None:
    """Serve on the running event loop: see `serve`."""
    server = await prepare(settings, ready=ready)
    await server.serve()


async def prepare(
    settings: Settings, *, ready: Callable[[str], None] | None = None, outside: Outside | None = None
) -> Server:
    """Open the service and make a server for it, whose `serve` runs until a signal, or until `should_exit` is set.

    Raises as `serve` does, except that the address isn't looked at yet.
    """
    service = await open_service(settings, outside)
    return Server(
        uvicorn.Config(
            make_app(service),
            host=settings.host,
            port=settings.port,
            log_level=settings.log_level,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=max(1, round(settings.shutdown)),
        ),
        before_shutdown=service.following.end,
        ready=ready,
    )


class Server(uvicorn.Server):
    """Uvicorn, which else would wait for live streams that never end by themselves."""

    def __init__(
        self, config: uvicorn.Config, *, before_shutdown: Callable[[], None], ready: Callable[[str], None] | None
    ) -> None:
        """Call `before_shutdown` before it waits for requests to end, `ready` with the address when it listens."""
        super().__init__(config)
        self._before_shutdown = before_shutdown
        self._ready = ready

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]  # wider than uvicorn's own
        """Listen."""
        await super().startup(sockets)  # type: ignore[arg-type]  # the same list
        if self._ready is not None and self.started:
            port = self.servers[0].sockets[0].getsockname()[1]
            host = f"[{self.config.host}]" if ":" in self.config.host else self.config.host
            self._ready(f"http://{host}:{port}")

    async def shutdown(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]  # as above
        """Let streams end, then stop."""
        self._before_shutdown()
        await super().shutdown(sockets)  # type: ignore[arg-type]  # the same list


def _loop() -> asyncio.AbstractEventLoop:
    with contextlib.suppress(ImportError):
        import uvloop  # noqa: PLC0415 -- not there on every platform

        return uvloop.new_event_loop()
    return asyncio.new_event_loop()
