"""The service about itself: health, metrics, its contract, and the pages of problems."""

from __future__ import annotations

import html
from functools import cache
from importlib import resources
from typing import Annotated, Any, Literal

import msgspec
from litestar import MediaType, Response
from litestar.params import PathParameter

from content.errors import did_you_mean
from content.patterns import whole
from service.http.bodies import JSON
from service.http.callers import count_anonymous
from service.http.incoming import FromService, IfNoneMatch, accepted
from service.http.operation import ANYBODY, Example, operation
from service.http.outgoing import HARMLESS, HTML, AnyRequest, published
from service.problems import KINDS, PAGES, Kind, ProblemError

NO_STORE = {"Cache-Control": "no-store"}
PROMETHEUS = "text/plain; version=0.0.4"


class Live(msgspec.Struct, kw_only=True):
    """The process runs."""

    status: Literal["live"] = "live"


class Ready(msgspec.Struct, kw_only=True):
    """A probe was just written to the store, committed and read back."""

    status: Literal["ready"] = "ready"
    store: str
    durable: bool
    """Whether an acknowledged command survives a crash."""
    journal_mode: str
    synchronous: str


@operation("GET /health/live", "Is the process alive?", "health", security=ANYBODY, example=Example("/health/live"))
async def get_live() -> Response[Live]:
    """Answer that the process runs."""
    return Response(Live(), headers=NO_STORE)


@operation(
    "GET /metrics",
    "Get metrics for Prometheus",
    "health",
    security=ANYBODY,
    litestar={"media_type": PROMETHEUS},
    no_example="It is never the same twice.",
)
async def get_metrics(request: AnyRequest, service: FromService) -> Response[str]:
    """Requests by route and status, their durations, games in memory, open streams. These are totals and reveal nothing about any game."""
    count_anonymous(service, request)
    return Response(service.metrics.text().decode(), media_type=PROMETHEUS, headers=NO_STORE)


@operation(
    "GET /health/ready",
    "Is the service ready?",
    "health",
    security=ANYBODY,
    problems="store-full",
    example=Example("/health/ready"),
)
async def get_ready(request: AnyRequest, service: FromService) -> Response[Ready]:
    """Write a probe to the store, commit it and read it back. Answers 503 or 507 if that fails."""
    count_anonymous(service, request)
    found = await service.store.check()
    ready = Ready(
        store=found.adapter, durable=found.durable, journal_mode=found.journal_mode, synchronous=found.synchronous
    )
    return Response(ready, headers=NO_STORE)


@operation("GET /openapi.json", "Get the contract", "health", security=ANYBODY, no_example="It is this document.")
async def get_contract(request: AnyRequest, if_none_match: IfNoneMatch = None) -> Response[dict[str, Any]]:
    """Get this document, without examples of answers."""
    return published(request, if_none_match, _contract("openapi.json"), MediaType.JSON)


@operation(
    "GET /asyncapi.json",
    "Get the contract of streams and webhooks",
    "health",
    security=ANYBODY,
    no_example="It is a whole document.",
)
async def get_streams_contract(request: AnyRequest, if_none_match: IfNoneMatch = None) -> Response[dict[str, Any]]:
    """Get the AsyncAPI document, without examples: streams, sockets and webhooks."""
    return published(request, if_none_match, _contract("asyncapi.json"), MediaType.JSON)


@cache
def _contract(name: str) -> bytes:
    """A generated document without its examples of answers, which are half of it. Those of requests are small, and `/docs` offers them to be sent."""
    written = resources.files("openapi").joinpath(name).read_bytes()
    return msgspec.json.encode(_without_examples(msgspec.json.decode(written)))


def _without_examples(node: Any) -> Any:  # noqa: ANN401 -- any JSON
    if isinstance(node, list):
        return [_without_examples(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {
        key: value if key == "requestBody" else _without_examples(value)
        for key, value in node.items()
        if key != "examples"
    }


SCHEMAS = "/v1/schemas/events"
BESIDE = ("commit", "committed", "test")
"""The names under which the schemas of data are, beside those of the types: of a commit, a thin message and a test."""
EventType = Annotated[
    str,
    PathParameter(
        pattern=whole(r"^[A-Za-z][A-Za-z0-9.]{0,59}$"),
        description="A type of event: `Moved`; or `commit`, `committed`, `test`.",
    ),
]


class EventKind(msgspec.Struct, kw_only=True):
    """A type of event."""

    type: str
    summary: str
    """What has happened."""
    audience: str
    """Who is told."""
    informs: Literal["no", "chance", "secret"]
    """What it lets somebody know: nothing new, what chance has shown, or a secret. Such a command can't be taken back."""
    rules: list[str]
    """Rules that it names or that are cited with it, as far as known."""
    since: str
    """The version that brought it; `unreleased` for one that comes with the next."""
    schema: str
    """Where its JSON Schema is."""


class EventKinds(msgspec.Struct, kw_only=True):
    """All types of events."""

    commit: str
    """Where the JSON Schema of a commit's data is, which holds all of theirs."""
    committed: str
    """Where that of a webhook's thin message is."""
    test: str
    """Where that of a webhook's test message is."""
    types: list[EventKind]


@cache
def _event_schemas() -> dict[str, dict[str, Any]]:
    """By name: the schema of each type, and of a commit's data."""
    found: dict[str, dict[str, Any]] = msgspec.json.decode(
        resources.files("openapi").joinpath("events.json").read_bytes()
    )
    return found


@operation(
    f"GET {SCHEMAS}", "List the types of events", "content", security=ANYBODY, problems="", example=Example(SCHEMAS)
)
async def list_event_schemas(
    request: AnyRequest, service: FromService, if_none_match: IfNoneMatch = None
) -> Response[EventKinds]:
    """List all types of events: what each tells, to whom, and where its schema is. More may come at any time."""
    count_anonymous(service, request)
    kinds = [
        EventKind(
            type=name,
            summary=schema["description"],
            audience=schema["x-audience"],
            informs=schema["x-informs"],
            rules=schema["x-rules"],
            since=schema["x-since"],
            schema=f"{SCHEMAS}/{name}",
        )
        for name, schema in _event_schemas().items()
        if name not in BESIDE
    ]
    beside = {name: f"{SCHEMAS}/{name}" for name in BESIDE}
    return published(request, if_none_match, msgspec.json.encode(EventKinds(**beside, types=kinds)), JSON)


@operation(
    f"GET {SCHEMAS}/{{type:str}}",
    "Get the schema of an event",
    "content",
    security=ANYBODY,
    problems="not-found",
    example=Example(f"{SCHEMAS}/Moved"),
)
async def get_event_schema(
    request: AnyRequest,
    service: FromService,
    type: EventType,  # noqa: A002 -- the parameter of the path
    if_none_match: IfNoneMatch = None,
) -> Response[dict[str, Any]]:
    """Get the JSON Schema (2020-12) of a type of event, with an example, its audience and its rules.

    `commit` is the schema of a commit's `data`, with those of all types in it. Its `$id` is the `dataschema` of every commit. `committed` and `test`
    are those of a webhook's thin messages and of its tests.
    """
    count_anonymous(service, request)
    schemas = _event_schemas()
    if type not in schemas:
        raise ProblemError(
            "not-found", f"There is no such type of event: {did_you_mean(type, schemas) or f'{SCHEMAS} lists all'}"
        )
    return published(request, if_none_match, msgspec.json.encode(schemas[type]), JSON)


Code = Annotated[
    str, PathParameter(pattern=whole(r"^[a-z][a-z-]{0,39}$"), description="The problem's code: `illegal-command`.")
]


class ProblemKind(msgspec.Struct, kw_only=True):
    """A kind of problem."""

    type: str
    code: str
    status: int
    title: str
    meaning: str
    """What happened."""
    remedy: str
    """What to do about it."""


@operation(
    f"GET {PAGES}{{code:str}}",
    "Read what a problem means",
    "content",
    security=ANYBODY,
    problems="not-found not-acceptable",
    media=(HTML,),
    example=Example("/v1/problems/illegal-command"),
)
async def get_problem(
    request: AnyRequest, service: FromService, code: Code, if_none_match: IfNoneMatch = None
) -> Response[ProblemKind]:
    """Read what a kind of problem means and what to do about it, as JSON or, by `Accept`, as a web page.

    The `type` of every problem is the address of this page.
    """
    count_anonymous(service, request)
    media = accepted(request.headers.get("Accept"), (JSON, HTML))
    kind = KINDS.get(code)
    if kind is None:
        raise ProblemError("not-found", "There is no such problem.")
    if media == HTML:
        answer = published(request, if_none_match, _page(kind), HTML)
        answer.headers.update(HARMLESS)
        return answer
    shown = ProblemKind(
        type=PAGES + code, code=code, status=kind.status, title=kind.title, meaning=kind.meaning, remedy=kind.remedy
    )
    return published(request, if_none_match, msgspec.json.encode(shown), JSON)


PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>body {{ max-width: 40rem; margin: 3rem auto; padding: 0 1rem; font: 1.05rem/1.5 system-ui, sans-serif }}</style>
<h1>{title}</h1>
<p><code>{code}</code>, status {status}</p>
<p>{meaning}</p>
<h2>What to do</h2>
<p>{remedy}</p>
</html>
"""


def _page(kind: Kind) -> bytes:
    texts = {name: html.escape(str(value)) for name, value in msgspec.structs.asdict(kind).items()}
    return PAGE.format(**texts).encode()
