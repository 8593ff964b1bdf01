"""What the service counts of itself, for Prometheus: sums over all games, nothing about any one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of the classes of durations."""
OTHER = "other"
"""The route, or the method, of a request for which we have none: what people type must not become a time series."""
METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"})


class Metrics:
    """The counters of one service, in a registry of its own."""

    def __init__(self) -> None:
        """Begin at nought, and know no route yet."""
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
