"""Traces for OpenTelemetry: one span for each request, and below it what a command costs. Off unless a setting says where to.

While they are off nothing of OpenTelemetry is imported, and a span costs a comparison. A span says what a line of the log says and
no more: no address with its query, no header, no body, where secrets might be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Tracer

SERVICE = "omenlog"


class Tells(Protocol):
    """Takes down what is told of a span."""

    def __call__(self, told: Mapping[str, str | int | float]) -> None:
        """Tell more of the span."""
        ...


class Traces:
    """Where spans go."""

    def __init__(self) -> None:
        """Nowhere, until `send` is called."""
        self._provider: TracerProvider | None = None
        self._tracer: Tracer | None = None

    def send(self, endpoint: str) -> None:
        """Send spans to a collector.

        Args:
            endpoint: its address for OTLP over HTTP, such as `http://collector:4318/v1/traces`.
        """
        # They cost a tenth of a second and ten megabytes, which nobody pays who did not ask for them.
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

        self._provider = TracerProvider(resource=Resource.create({"service.name": SERVICE}))
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint)))
        self._tracer = self._provider.get_tracer(SERVICE)

    def request(self, name: str, parent: bytes | None) -> AbstractContextManager[Tells | None]:
        """The span of a request, which continues the trace of whoever sent it.

        Args:
            name: of the span: method and route.
            parent: the request's header `traceparent` (W3C Trace Context), if it has one.

        Returns:
            A block; what it gives takes down more, and is None while traces are off.
        """
        return nullcontext() if self._tracer is None else _request(self._tracer, name, parent)

    def step(self, name: str) -> AbstractContextManager[object]:
        """A span within that of the request."""
        return _NOTHING if self._tracer is None else self._tracer.start_as_current_span(name)

    def close(self) -> None:
        """Send what waits to be sent."""
        if self._provider is not None:
            self._provider.shutdown()


_NOTHING = nullcontext()

traces = Traces()
"""Of this process: a library's way of tracing is one for all, as loggers are."""


@contextmanager
def _request(tracer: Tracer, name: str, parent: bytes | None) -> Iterator[Tells]:
    from opentelemetry.trace import SpanKind, Status, StatusCode  # noqa: PLC0415 -- see `Traces.send`
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
