"""The one hot route: a command. Bare ASGI in front of Litestar, whose own handler would cost more than the decision.

(Litestar 2.25 has ASGI handlers of its own, but their paths can't have parameters: its router fails with a KeyError.)
The route keeps every promise of the others: problems, limits, conditions, keys; `post_command` below is its contract.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, cast

import msgspec
from litestar import Response
from litestar.enums import ScopeType
from litestar.params import QueryParameter
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from domain.facts.commands import AnyCommand, EndTurn
from domain.facts.refusal import Refused
from projections.choices.brief import Misfit, command_of, options_of
from service.bootstrap import Service
from service.games.lobby.answers import CommitAnswer
from service.games.play.submit import Done, answer
from service.games.read.reading import Screen, Seen, decisions, every_decision, screen
from service.http.bodies import check_media_type, decode
from service.http.callers import identify, require
from service.http.edge import check_query
from service.http.incoming import (
    GAME,
    HEADERS,
    FromCaller,
    Game,
    IdempotencyKey,
    IfMatch,
    Sentences,
    address,
    idempotency_key,
    if_match,
)
from service.http.operation import SAME, link, operation
from service.http.outgoing import PRIVATE, PROBLEM, REPLAYED, to_problem
from service.identity import Caller
from service.problems import FieldError, ProblemError, cited, problem_of

PATH = re.compile(r"/v1/games/([^/]+)/commands/?")


class Option(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="type",
    tag="option",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """An option of the brief by its number, at the version that `If-Match` names. The log holds the command that it is."""

    number: Annotated[int, msgspec.Meta(ge=1, le=100_000)]
    with_: dict[str, Any] = msgspec.field(name="with", default={})
    """What the option's `fields` leave open: `{"points": {"might": 2}}`."""


AnyPosted = AnyCommand | Option
_posted = msgspec.json.Decoder(AnyPosted)
_encode = msgspec.json.Encoder().encode
_GAME = re.compile(GAME)
_FIXED = [(name.lower().encode(), value.encode()) for name, value in PRIVATE.items()]


class CommandRoute:
    """Answers commands, and passes all else on."""

    def __init__(self, service: Service, app: ASGIApp) -> None:
        self._service = service
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = PATH.fullmatch(scope["path"]) if scope["type"] == ScopeType.HTTP else None
        if found is None:
            await self._app(scope, receive, send)
            return
        status, headers, body = await _answer(self._service, found[1], cast("HTTPScope", scope), receive)
        headers += [*_FIXED, (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})


Answer = tuple[int, list[tuple[bytes, bytes]], bytes]


async def _answer(service: Service, game: str, scope: HTTPScope, receive: Receive) -> Answer:
    try:
        return await _command(service, game, scope, receive)
    except Exception as error:  # noqa: BLE001 -- whatever it is, the caller gets a problem and the log the rest
        problem = to_problem(error)
        headers = [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
        return problem.status, [(b"content-type", PROBLEM.encode()), *headers], problem.body()


async def _command(service: Service, game: str, scope: HTTPScope, receive: Receive) -> Answer:
    if scope["method"] == "OPTIONS":
        return 204, [(b"allow", b"OPTIONS, POST")], b""
    if scope["method"] != "POST":
        raise ProblemError("method-not-allowed", "Only POST.", headers={"Allow": "OPTIONS, POST"})
    query = check_query(scope["query_string"], ("sentences", "screen"))
    sentences, on_screen = flag(query, "sentences"), flag(query, "screen")
    headers: Mapping[bytes, bytes] = cast("Any", scope)[HEADERS]
    caller = (await identify(service, _text(headers, b"authorization"), address(scope))).caller
    if not _GAME.fullmatch(game):
        raise ProblemError("invalid-parameter", "Invalid game id.")
    require(caller, game)
    check_media_type(_text(headers, b"content-type"), _text(headers, b"content-encoding"))
    expected = if_match(_text(headers, b"if-match"))
    key = idempotency_key(_text(headers, b"idempotency-key"))
    asked = decode_command(service, await _body(receive, service.settings.body_limit))
    done = await handle_command(service, caller, asked, key, expected)
    return 201, _created(caller, done), await told(service, caller, done, sentences=sentences, on_screen=on_screen)


def decode_command(service: Service, body: bytes) -> AnyPosted:
    """Decode a command as it was sent. Raises `body-too-large`, `too-deep` or `invalid-body`."""
    if len(body) > service.settings.body_limit:
        raise _too_large(service.settings.body_limit)
    asked: AnyPosted = decode(body, _posted, service.settings.depth_limit)
    return asked


def _too_large(limit: int) -> ProblemError:
    return ProblemError("body-too-large", f"A body may have {limit} bytes.")


async def handle_command(
    service: Service, caller: Caller, asked: AnyPosted, key: str, expected: Sequence[int] | None
) -> Done:
    """Submit a command that came by HTTP or socket; a refusal tells what the caller could do instead, from its own view."""
    try:
        if isinstance(asked, Option):
            return await _take_option(service, caller, asked, key, expected)
        return await service.play.submit_command(caller, asked, key=key, expected=expected)
    except Refused as refusal:
        seen = await service.reading.seen(caller)
        raise problem_of(refusal, cited(refusal.rule), decisions(seen)) from None


async def _take_option(
    service: Service, caller: Caller, option: Option, key: str, expected: Sequence[int] | None
) -> Done:
    """Submit the command that a number stands for. Raises `version-required`, `no-such-option`, or as `submit_command`."""
    if expected is None:
        raise ProblemError("version-required", "A number means an option of one version: name it by If-Match.")
    require(caller, caller.game, "seat", "referee")
    seen = await service.reading.seen(caller)
    if seen.version in expected and seen.state.status == "started":
        command, expected = _command_of(option, seen), [seen.version]
    else:
        command = EndTurn(decision="stale")  # refused: this finds out why, or whether it is a retry
    asked = (option.number, option.with_, expected)
    try:
        return await service.play.submit_command(caller, command, key=key, asked=asked, expected=expected)
    except ProblemError as problem:
        if problem.code != "stale-version":
            raise
        now = problem.problem.current_version
        detail = f"The game is at version {now}, and its options are numbered anew: read them again, then choose."
        raise ProblemError("stale-version", detail, current_version=now) from None


def _command_of(option: Option, seen: Seen) -> AnyCommand:
    options = options_of(every_decision(seen))
    if option.number > len(options):
        there = f"yours are 1 to {len(options)}" if options else "you have nothing to decide now"
        detail = f"There is no option {option.number} at version {seen.version}: {there}."
        raise ProblemError("no-such-option", detail, errors=[FieldError("/number", detail)])
    try:
        return command_of(options[option.number - 1], option.with_)
    except Misfit as misfit:
        raise ProblemError("no-such-option", str(misfit), errors=[FieldError("/with", str(misfit))]) from None


async def told(service: Service, caller: Caller, done: Done, *, sentences: bool, on_screen: bool = False) -> bytes:
    """The answer to a command, with the words of the caller's own trace and with what is then on its screen, if they are wanted."""
    found, before = await service.reading.facts(caller, done.number), done.number - 1
    add = (await service.tracing.narrator(caller, before)).add if sentences else None
    body = answer(caller, done, found, add)
    if not on_screen:
        return body
    reading, tracing = service.reading, service.tracing
    shown, _ = await screen(reading, tracing, caller, at=done.number, after=before, since=True)
    return b'%b,"screen":%b}' % (body.removesuffix(b"}"), _encode(shown))


def flag(query: Mapping[str, str], name: str, *, default: bool = False) -> bool:
    """A parameter that is true or false. Raises `invalid-parameter`."""
    given = query.get(name, "true" if default else "false")
    if given not in ("true", "false"):
        detail = "Expected true or false."
        raise ProblemError("invalid-parameter", f"{name}: {detail}", errors=[FieldError(name, detail)])
    return given == "true"


def _created(caller: Caller, done: Done) -> list[tuple[bytes, bytes]]:
    headers = [
        (b"content-type", b"application/json"),
        (b"etag", b'"%d"' % done.number),
        (b"location", f"/v1/games/{caller.game}/events?after={done.number - 1}&limit=1".encode()),
    ]
    if done.replayed:
        headers.append((REPLAYED.lower().encode(), b"true"))
    return headers


async def _body(receive: Receive, limit: int) -> bytes:
    """The whole body. Raises `body-too-large` as soon as it is, or `request-timeout`."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ProblemError("request-timeout", "The body did not arrive.")
        body += message["body"]
        if len(body) > limit:
            raise _too_large(limit)
        if not message["more_body"]:
            return body


def _text(headers: Mapping[bytes, bytes], name: bytes) -> str | None:
    value = headers.get(name)
    return None if value is None else value.decode("latin-1")


# -- the contract -------------------------------------------------------------------------------------------------------


class CommandAnswer(CommitAnswer, kw_only=True, omit_defaults=True):
    """A durable commit."""

    screen: Screen | None = None
    """With `?screen=true`: what `getScreen` answers of this commit, with its step alone, and since when each is awaited."""


@operation(
    "POST /v1/games/{game:str}/commands",
    "Post a command",
    "play",
    body=AnyPosted,
    problems="invalid-precondition stale-version version-required no-such-option illegal-command decision-closed "
    "not-your-decision not-an-option wrong-answer-kind chance-misfit ruling-open chance-open table-limit take-back-closed play-paused unfit-span "
    "unfit-amendment nothing-to-enter not-your-book unfit-entry not-started game-over conflict",
    links={"decisions": link("getDecisions", SAME), "events": link("getEvents", SAME)},
)
async def post_command(
    *,
    caller: FromCaller,
    game: Game,
    sentences: Sentences = False,
    screen: Annotated[bool, QueryParameter(description="Also answer with what is then on screen: `screen`.")] = False,
    idempotency_key_: IdempotencyKey = None,
    if_match_: IfMatch = None,
) -> Response[CommandAnswer]:
    """Do what `getDecisions` lists, or anything else that the rules allow.

    The answer comes once the commit is durable. A command is valid as long as the decision that it names is open; with `If-Match`, only at that
    version. Where no rule gives an answer, any seat and the referee may `propose-ruling` and `flip-coin` at any time, with the decision `table`.
    These are never listed, but `getDecisions` tells those who are asked to agree to a ruling. In a haunt from the players' own printed books
    (`options.haunt` is `external`), those whom `getDecisions` names enter parts of it by `enter`; such a command is never listed.

    With `screen=true` the answer has what is on the caller's screen once the command is done, which saves a request. It is as of the commit that the
    command became, for a retry, too, whatever has followed.

    `{"type": "option", "number": 3}` does what `getBrief` lists as number 3, at the version that `If-Match` has to name. The log holds the command
    that it is, and so does the answer.
    """
    raise NotImplementedError  # `CommandRoute` answers before Litestar is asked
