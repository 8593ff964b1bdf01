"""What the service tells of itself: a log on standard error, metrics for Prometheus, traces for OpenTelemetry.

The log has a line for each event, for people or for machines; metrics are sums over all games and tell nothing about any one of them. Traces are
off unless a setting says where to; then there is one span for each request, and below it what a command costs. While they are off nothing of
OpenTelemetry is imported, and a span costs a comparison. A span says no more than a line of the log: no query, no header, no body, where secrets
might be.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

import msgspec
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Tracer


REQUEST: ContextVar[str] = ContextVar("request", default="")
"""The id of the request that is being answered: every line that is logged meanwhile tells it."""


REPEATED = frozenset({"method", "route", "status"})
"""What the message itself says, for people."""


class Json(logging.Formatter):
    """An object a line: `time`, `level`, `logger`, `message`, and what a record carries as `told`."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
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
    """The same for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """One line, and the lines of an exception below it."""
        line, *more = super().format(record).split("\n")
        told = " ".join(f"{name}={value}" for name, value in _told(record).items() if name not in REPEATED)
        return "\n".join([f"{line} {told}".rstrip(), *more])


def _told(record: logging.LogRecord) -> dict[str, object]:
    """What the record carries besides its message, and the request."""
    told: dict[str, object] = getattr(record, "told", {})
    request = REQUEST.get()
    return {"request": request, **told} if request else told


def log_to_stderr(level: str, form: str) -> None:
    """Send everything that is logged in this process to standard error.

    Args:
        level: the least that is told: `critical`, `error`, `warning`, `info` or `debug`.
        form: `text` or `json`.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json() if form == "json" else Text())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)


SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of the classes of durations."""
OTHER = "other"
"""The route, or the method, of a request for which we have none: what people type must not become a time series."""
METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"})


class Metrics:
    """The counters of one service, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._routes: dict[int, dict[tuple[int, ...], dict[tuple[str, ...], str]]] = {}
        """By the number of a path's parts, and by which of these are named: by their names."""
        self._series: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        self._requests = Counter(
            "omenlog_requests", "Requests answered.", ["route", "method", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "omenlog_request_seconds",
            "From a request to the head of its answer.",
            ["route"],
            buckets=SECONDS,
            registry=self._registry,
        )

    def know(self, routes: Iterable[str]) -> None:
        """Learn which routes there are.

        Args:
            routes: templates of paths: `/v1/games/{game}/view`.
        """
        # Those with fewer parts in braces go first: what is named goes before what may be anything.
        for route in sorted(set(routes), key=lambda one: one.count("{")):
            parts = route.split("/")
            named = tuple(number for number, part in enumerate(parts) if not part.startswith("{"))
            alike = self._routes.setdefault(len(parts), {}).setdefault(named, {})
            alike[tuple([parts[number] for number in named])] = route

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request.

        Args:
            route: that it fits, see `route`.
            method: one of `METHODS`, or `other`.
            status: of the answer.
            seconds: until the head of the answer was sent.
        """
        asked = (route, method, status)
        series = self._series.get(asked)
        if series is None:
            # Looking a series up by its labels takes a lock and three times as long as counting.
            series = self._requests.labels(route, method, str(status)), self._seconds.labels(route)
            self._series[asked] = series
        series[0].inc()
        series[1].observe(seconds)

    def route(self, path: str) -> str:
        """The template that a path fits, or `other`."""
        parts = path.rstrip("/").split("/")
        for named, alike in self._routes.get(len(parts), {}).items():
            route = alike.get(tuple([parts[number] for number in named]))
            if route is not None:
                return route
        return OTHER

    def watch(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """Show a value that is looked up whenever somebody asks.

        Args:
            name: of the time series.
            meaning: in a sentence.
            value: gives it.
        """
        Gauge(name, meaning, registry=self._registry).set_function(value)

    def text(self) -> bytes:
        """All of it, in Prometheus' text format, version 0.0.4."""
        return generate_latest(self._registry)


SERVICE = "omenlog"


class Tells(Protocol):
    """Takes down what is told of a span."""

    def __call__(self, told: Mapping[str, str | int | float]) -> None:
        """Tell more of the span."""
        ...


class Traces:
    """Where spans go."""

    def __init__(self, endpoint: str = "") -> None:
        """Send spans to a collector.

        Args:
            endpoint: its address for OTLP over HTTP, such as `http://collector:4318/v1/traces`; empty: no spans are made.
        """
        self._provider: TracerProvider | None = None
        self._tracer: Tracer | None = None
        self.step: Callable[[str], AbstractContextManager[object]] = nullcontext
        """Begins a span of this name within that of the request."""
        if not endpoint:
            return
        # They cost a tenth of a second and ten megabytes, which nobody pays who did not ask for them.
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

        self._provider = TracerProvider(resource=Resource.create({"service.name": SERVICE}))
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint)))
        self._tracer = self._provider.get_tracer(SERVICE)
        self.step = self._tracer.start_as_current_span

    def request(self, name: str, parent: bytes | None) -> AbstractContextManager[Tells | None]:
        """The span of a request, which continues the trace of whoever sent it.

        Args:
            name: of the span: method and route.
            parent: the request's header `traceparent` (W3C Trace Context), if it has one.

        Returns:
            A block; what it gives takes down more, and is None while traces are off.
        """
        return nullcontext() if self._tracer is None else _request(self._tracer, name, parent)

    def close(self) -> None:
        """Send what waits to be sent."""
        if self._provider is not None:
            self._provider.shutdown()


@contextmanager
def _request(tracer: Tracer, name: str, parent: bytes | None) -> Iterator[Tells]:
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
