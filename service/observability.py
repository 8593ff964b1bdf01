"""Observing the service: a log on standard error, metrics for Prometheus, traces for OpenTelemetry.

The log has a line per event, for people or for machines. Metrics are sums over all games and reveal nothing about any one of them. Traces are
off unless a setting names their collector; then each request has a span, with spans for the steps of a command in it. While they are off,
OpenTelemetry is not imported, and a span costs one comparison. A span says no more than a line of the log:
no query, header or body, which may hold secrets.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import msgspec
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, values
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.values import MultiProcessValue

from service.shared import Shared

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Tracer


REQUEST: ContextVar[str] = ContextVar("request", default="")
"""The id of the request being answered; every line logged meanwhile has it."""
IN_MESSAGE = frozenset({"method", "route", "status"})
"""What the message for people says already."""
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of the buckets of durations."""
OTHER = "other"
"""The route, or the method, of a request that matches none of ours: what people type must not become a time series."""
METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"})
COMMAND = "COMMAND"
"""In place of the method: a command that came over a WebSocket."""
SERVICE = "omenlog"


class Json(logging.Formatter):
    """One object per line: `time`, `level`, `logger`, `message`, and the members of the record's `told`."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_told(record),
        }
        if record.exc_info:
            said["exception"] = self.formatException(record.exc_info)
        return msgspec.json.encode(said).decode()


class Text(logging.Formatter):
    """One line per event, for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        line, *more = super().format(record).split("\n")
        told = " ".join(f"{name}={value}" for name, value in _told(record).items() if name not in IN_MESSAGE)
        return "\n".join([f"{line} {told}".rstrip(), *more])


def _told(record: logging.LogRecord) -> dict[str, object]:
    """The request, and what the record carries besides its message."""
    told: dict[str, object] = getattr(record, "told", {})
    request = REQUEST.get()
    return {"request": request, **told} if request else told


def log_to_stderr(level: str, form: str) -> None:
    """Log to standard error in this process, as `text` or `json`."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json() if form == "json" else Text())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)


class Metrics:
    """The counters of one service, in a registry of its own; those of its workers lie in files, and whichever is asked adds them up."""

    def __init__(self, shared: Shared) -> None:
        self._registry = self._whole = CollectorRegistry()
        self._worker = str(shared.number)
        self._watched: list[tuple[Gauge, Callable[[], float]]] = []
        if shared.folder is not None:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(shared.folder)
            # By its number, so that who takes the place of a worker counts on in its files.
            values.ValueClass = MultiProcessValue(lambda: shared.number)  # type: ignore[no-untyped-call]  # theirs
            self._whole = CollectorRegistry()
            MultiProcessCollector(self._whole, str(shared.folder))  # type: ignore[no-untyped-call]  # theirs
        self._routes: dict[int, dict[tuple[int, ...], tuple[itemgetter[Any], dict[Any, str]]]] = {}
        """By the number of parts in the path, and by the positions of the literal parts: what takes these, and routes by them."""
        self._series: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        self._requests = Counter(
            "omenlog_requests", "Requests answered.", ["route", "method", "status", "worker"], registry=self._registry
        )
        self._seconds = Histogram(
            "omenlog_request_seconds",
            "From a request to the head of its answer.",
            ["route"],
            buckets=SECONDS,
            registry=self._registry,
        )

    def know(self, routes: Iterable[str]) -> None:
        """Add routes, given as templates: `/v1/games/{game}/view`."""
        # Those with fewer parameters go first: a literal wins over a parameter.
        for route in sorted(set(routes), key=lambda one: one.count("{")):
            parts = route.split("/")
            named = tuple(number for number, part in enumerate(parts) if not part.startswith("{"))
            literals, alike = self._routes.setdefault(len(parts), {}).setdefault(named, (itemgetter(*named), {}))
            alike[literals(parts)] = route

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request by its route, as `route` gives it, and one of `METHODS` or `other`."""
        asked = (route, method, status)
        series = self._series.get(asked)
        if series is None:
            # Looking a series up by its labels takes a lock and three times as long as counting.
            series = self._requests.labels(route, method, str(status), self._worker), self._seconds.labels(route)
            self._series[asked] = series
        series[0].inc()
        series[1].observe(seconds)

    def route(self, path: str) -> str:
        """The template that a path matches, or `other`."""
        parts = path.rstrip("/").split("/")
        for literals, alike in self._routes.get(len(parts), {}).values():
            route = alike.get(literals(parts))
            if route is not None:
                return route
        return OTHER

    def watch(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """Add a gauge whose value is looked up at each scrape, and by `refresh`."""
        gauge = Gauge(name, meaning, registry=self._registry, multiprocess_mode="livesum")
        self._watched.append((gauge, value))

    def refresh(self) -> None:
        """Tell other workers the values of gauges."""
        for gauge, value in self._watched:
            gauge.set(value())

    def text(self) -> bytes:
        """All metrics in Prometheus' text format, version 0.0.4."""
        self.refresh()
        return generate_latest(self._whole)


SetAttributes = Callable[[Mapping[str, str | int | float]], None]
"""Adds attributes to a span."""


class Traces:
    """The spans of a service, sent to a collector, or dropped if there is none."""

    def __init__(self, endpoint: str = "") -> None:
        """Send spans by OTLP over HTTP to a collector's address; without one they are dropped."""
        self._provider: TracerProvider | None = None
        self.step: Callable[[str], AbstractContextManager[object]] = nullcontext
        """Begins a span of this name within that of the request."""
        self.request: Callable[[str, bytes | None], AbstractContextManager[SetAttributes]] | None = None
        """A request's span, which continues the trace in `traceparent` (W3C); gives a function for attributes. None while traces are off."""
        if not endpoint:
            return
        # They cost a tenth of a second and ten megabytes, which only those pay who asked for traces.
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

        self._provider = TracerProvider(resource=Resource.create({"service.name": SERVICE}))
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint)))
        tracer = self._provider.get_tracer(SERVICE)
        self.step, self.request = tracer.start_as_current_span, partial(_request, tracer)

    def close(self) -> None:
        if self._provider is not None:
            self._provider.shutdown()


@contextmanager
def _request(tracer: Tracer, name: str, parent: bytes | None) -> Iterator[SetAttributes]:
    from opentelemetry.trace import SpanKind, Status, StatusCode  # noqa: PLC0415 -- see `Traces`
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator  # noqa: PLC0415

    context = TraceContextTextMapPropagator().extract(
        {} if parent is None else {"traceparent": parent.decode("latin-1")}
    )
    with tracer.start_as_current_span(name, context, SpanKind.SERVER) as span:

        def tell(told: Mapping[str, str | int | float]) -> None:
            span.set_attributes(dict(told))
            if int(told.get("http.response.status_code", 0)) >= 500:  # noqa: PLR2004 -- the specification's class
                span.set_status(Status(StatusCode.ERROR))

        yield tell
