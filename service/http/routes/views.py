"""What a role sees and may do, at any moment, and what changed: views, decisions, pictures, differences, books, posts."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from litestar import Response
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from domain.facts.audience import SPECTATORS
from projections.board import board_of, boards_of, phone_board_of
from projections.books.book import HauntBook, book_of
from projections.books.pages import as_html, as_markdown, sections
from projections.choices.brief import Brief
from projections.choices.decisions import decisions_of
from projections.diff.compare import GameDiff, Moment, difference
from projections.diff.markdown import diff_as_markdown, sentences
from projections.text.post import status_post
from projections.view.game import GameView, view_of
from projections.view.reminders import Reminders, reminders_of
from service.games.read.reading import DecisionsShown, Screen, Seen, brief, decisions, is_asked, screen, view
from service.http.bodies import JSON
from service.http.callers import READS, looking_as, require
from service.http.incoming import FROM_ZERO, MOST, As, At, FromCaller, FromService, Game, IfNoneMatch, accepted, shown
from service.http.live import first_news
from service.http.operation import EITHER, SAME, Example, link, operation
from service.http.outgoing import HARMLESS, HTML, MARKDOWN, AnyRequest, versioned
from service.log.facts import OVER
from service.problems import FieldError, ProblemError, cited, unauthorized

FromSeen = NamedDependency[Seen]


@operation(
    "GET /v1/games/{game:str}/view",
    "See the game",
    "play",
    security=EITHER,
    problems="ahead-of-log several-roles",
    links={"board": link("getBoard", SAME), "diff": link("getDiff", SAME | {"query.from": "$response.body#/version"})},
    example=Example("/v1/games/{game}/view"),
    litestar=READS,
)
async def get_view(
    request: AnyRequest, caller: FromCaller, seen: FromSeen, if_none_match: IfNoneMatch = None
) -> Response[GameView]:
    """See the house, the explorers and everything else that the caller's role was told, now or as of a commit.

    The referee may look `as` any role. Once the game is over and disclosed (`disclosed_at` of its facts says since which commit), so may everybody,
    at every commit: whoever has a token can replay the game as each role saw it.
    """
    return versioned(request, if_none_match, seen.version, lambda: view(seen), caller.name, seen.beside)


@operation(
    "GET /v1/games/{game:str}/decisions",
    "List what can be done",
    "play",
    security=EITHER,
    problems="ahead-of-log too-many-streams several-roles",
    links={
        "try": link("dryRun", SAME, body="$response.body#/yours/0/commands/0/command"),
        "command": link(
            "postCommand",
            SAME,
            body="$response.body#/yours/0/commands/0/command",
            says="Every command listed can be posted as it is.",
        ),
    },
    example=Example("/v1/games/{game}/decisions"),
    litestar=READS,
)
async def get_decisions(
    request: AnyRequest,
    caller: FromCaller,
    seen_in_time: FromSeen,
    hints: Annotated[bool, QueryParameter(description="For bots: also answer with `hints`.")] = False,  # noqa: FBT002 -- by its name
    since: Annotated[bool, QueryParameter(description="Also tell since when each is awaited.")] = False,  # noqa: FBT002 -- by its name
    if_none_match: IfNoneMatch = None,
) -> Response[DecisionsShown]:
    """See what the game is waiting for, and every legal command of the caller, ready to post.

    With `wait`, the answer comes once the role has something to answer or the game moves on, and else after so many seconds. It takes one of the
    token's places for streams meanwhile, and comes at once when the service stops.
    """
    seen = seen_in_time

    def listed() -> DecisionsShown:
        return decisions(seen, hints=hints, since=since)

    beside = seen.beside_decisions(since=since)
    return versioned(request, if_none_match, seen.version, listed, caller.name, beside)


@operation(
    "GET /v1/games/{game:str}/screen",
    "See the game, what can be done, and what led there",
    "play",
    security=EITHER,
    problems="ahead-of-log several-roles",
    example=Example("/v1/games/{game}/screen?after=6"),
    litestar=READS,
)
async def get_screen(  # noqa: PLR0913 -- each is a parameter of the request
    *,
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    at: At = None,
    as_: As = None,
    after: Annotated[
        int | None,
        QueryParameter(**FROM_ZERO, le=MOST, description="The latest commit whose step the caller has."),
    ] = None,
    since: Annotated[bool, QueryParameter(description="Also tell since when each is awaited.")] = False,
    if_none_match: IfNoneMatch = None,
) -> Response[Screen]:
    """See all that a screen shows, as of one commit: what `getView`, `getDecisions` and `getTrace` answer, in one request.

    The steps are those behind `after`, told with players' names and without what was legal; without it the latest 40. Of many they are the latest
    200: who has none of those between puts them in the place of all that it has.
    """
    eyes = await looking_as(service, caller, game, as_)
    reading, tracing = service.reading, service.tracing
    found, seen = await screen(reading, tracing, caller, at=at, as_=eyes.principal, after=after, since=since)
    beside = seen.beside_decisions(since=since)
    return versioned(request, if_none_match, seen.version, lambda: found, caller.name, beside, found.steps)


TEXT = "text/plain"


@operation(
    "GET /v1/games/{game:str}/brief",
    "Get situation and options in few words",
    "play",
    security=EITHER,
    problems="ahead-of-log not-acceptable too-many-streams several-roles",
    media=(TEXT, MARKDOWN),
    links={
        "act": link(
            "postCommand",
            SAME,
            body={"type": "option", "number": 1},
            says="With `If-Match`: the brief's version.",
        ),
    },
    example=Example("/v1/games/{game}/brief"),
    litestar=READS,
)
async def get_brief(
    request: AnyRequest,
    caller: FromCaller,
    seen_in_time: FromSeen,
    page: Annotated[int, QueryParameter(ge=1, le=1000, description="The page of the options, if they are many.")] = 1,
    if_none_match: IfNoneMatch = None,
) -> Response[Brief]:
    """Get the situation of the caller's role and all that it may do, numbered, in under 1,200 tokens: made for language models.

    The least important of the situation is left out where it does not fit, and options go on on the next page. `{"type": "option", "number": 3}`,
    posted as a command with the brief's version in `If-Match`, does what stands there. `Accept` chooses the form: JSON, or the text alone as
    `text/plain` or `text/markdown`. The bound is not by anybody's tokenizer: each four letters of a word count as one, a digit, a space before a
    number, a sign, and each byte beyond ASCII. `wait` is as for `getDecisions`.
    """
    seen = seen_in_time
    kind = accepted(request.headers.get("Accept"), (JSON, TEXT, MARKDOWN))

    def written() -> object:
        made = brief(seen, page)
        return made if kind == JSON else Response(made.text, media_type=kind)

    return versioned(request, if_none_match, seen.version, written, caller.name, kind, seen.beside)


async def look(service: FromService, caller: FromCaller, game: Game, at: At = None, as_: As = None) -> Seen:
    """What the caller's role knows, or another role that it may look as. Raises `forbidden` for anybody else's."""
    eyes = await looking_as(service, caller, game, as_)
    return await service.reading.seen(caller, at=at, as_=eyes.principal)


async def look_in_time(
    *,
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    at: At = None,
    as_: As = None,
    wait: Annotated[
        int,
        QueryParameter(ge=0, le=60, description="Seconds to wait while the role has nothing to answer; not with `at`."),
    ] = 0,
) -> Seen:
    """The same, once the role is asked something or the game moves on; after `wait` seconds at the latest. Raises `too-many-streams`, too."""
    eyes = await looking_as(service, caller, game, as_)
    seen = await service.reading.seen(caller, at=at, as_=eyes.principal)
    if not wait or at is not None or seen.state.status in OVER or is_asked(seen):
        return seen
    shown = await service.gate.digest_of(game, caller.token)  # of an account the token by which it reads
    if shown is None:
        raise unauthorized()
    stream = await service.feeds.open(caller, shown, seen.version, eyes)
    try:
        await first_news(stream, wait, request.receive)
        if not await stream.holds():
            raise unauthorized()
    finally:
        stream.close()
    return await service.reading.seen(caller, as_=eyes.principal)


SVG = "image/svg+xml"


@operation(
    "GET /v1/games/{game:str}/board.svg",
    "See the house as a picture",
    "play",
    security=EITHER,
    problems="ahead-of-log several-roles",
    litestar={"media_type": SVG, **READS},
    example=Example("/v1/games/{game}/board.svg", lines=3),
)
async def get_board(
    request: AnyRequest,
    caller: FromCaller,
    seen: FromSeen,
    layout: Annotated[
        Literal["print", "phone"],
        QueryParameter(
            description="`print`: as it prints largest on a sheet of paper; `phone`: one column of 360 pixels, with larger letters."
        ),
    ] = "print",
    if_none_match: IfNoneMatch = None,
) -> Response[str]:
    """See the view of the caller's role as a drawing that can be printed: each floor with its rooms, doors and occupants.

    It is drawn from the view that `getView` answers and shows nothing else. The same view always gives the same bytes.

    Links lead to rooms within the picture, whose elements have the ids `room-…`: from ways that no door shows, and from the phone's maps.
    """

    def drawn() -> Response[str]:
        picture = phone_board_of if layout == "phone" else board_of
        return Response(picture(view(seen)), media_type=SVG, headers=HARMLESS)

    return versioned(request, if_none_match, seen.version, drawn, caller.name, seen.beside)


@operation(
    "GET /v1/games/{game:str}/diff",
    "See what changed between two commits",
    "play",
    security=EITHER,
    problems="ahead-of-log unfit-span several-roles",
    media=(MARKDOWN, SVG),
    example=Example("/v1/games/{game}/diff?from=5&to=6"),
    litestar=READS,
)
async def get_diff(  # noqa: PLR0913 -- as above
    *,
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    from_: Annotated[
        int,
        QueryParameter(
            name="from",
            examples=shown(5),
            ge=1,
            le=MOST,
            description="The earlier commit; changes made after it are shown.",
        ),
    ],
    to: Annotated[
        int | None,
        QueryParameter(ge=1, le=MOST, description="The later commit. Default: the latest that the caller may see."),
    ] = None,
    as_: As = None,
    format_: Annotated[
        Literal["json", "markdown", "svg"],
        QueryParameter(
            name="format",
            description="`json`, `markdown` for pasting, or `svg`: both boards side by side, changes marked.",
        ),
    ] = "json",
    if_none_match: IfNoneMatch = None,
) -> Response[GameDiff]:
    """See what changed for the caller's role between two commits, in its view and in what it could do.

    Both sides show what the role saw at the time; what it was never told is in neither. Each change gives the values before and after, and a
    sentence.
    """
    if to is not None and from_ > to:
        detail = f"`from` ({from_}) comes after `to` ({to}): name the earlier commit first."
        raise ProblemError("unfit-span", detail, errors=[FieldError("from", detail)])
    earlier = _moment(await look(service, caller, game, from_, as_))
    seen = await look(service, caller, game, to, as_)
    later = _moment(seen)

    def compared() -> object:
        found = difference(earlier, later)
        if format_ == "svg":
            picture = boards_of(earlier.view, later.view, sentences(found))
            return Response(picture, media_type=SVG, headers=HARMLESS)
        return Response(diff_as_markdown(found), media_type=MARKDOWN) if format_ == "markdown" else found

    return versioned(request, if_none_match, seen.version, compared, caller.name)


def _moment(seen: Seen) -> Moment:
    """What is made at once, before the role's state goes on with the game."""
    return Moment(
        view_of(seen.rules, seen.state, seen.principal),
        decisions_of(seen.rules, seen.state, seen.principal, seen.passed),
    )


@operation(
    "GET /v1/games/{game:str}/reminders",
    "Read the reference cards",
    "play",
    security=EITHER,
    problems="ahead-of-log several-roles",
    example=Example("/v1/games/{game}/reminders"),
    litestar=READS,
)
async def get_reminders(
    request: AnyRequest, caller: FromCaller, seen: FromSeen, if_none_match: IfNoneMatch = None
) -> Response[Reminders]:
    """Read what reminds of a turn's options, of the traitor's powers and of how monsters act, where the edition has such cards for all."""
    return versioned(
        request,
        if_none_match,
        seen.version,
        lambda: reminders_of(seen.rules.edition, caller.game, seen.version),
        caller.name,
    )


@operation(
    "GET /v1/games/{game:str}/book",
    "Read the haunt book",
    "play",
    security=EITHER,
    problems="ahead-of-log not-found not-acceptable closed-book several-roles",
    media=(MARKDOWN, HTML),
    litestar=READS,
)
async def get_book(
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    seen: FromSeen,
    side: Annotated[
        Literal["heroes", "traitor"] | None,
        QueryParameter(
            description="Only this side's book, refused to those who have not read it. Default: what the caller reads."
        ),
    ] = None,
    if_none_match: IfNoneMatch = None,
) -> Response[HauntBook]:
    """Read the book of the caller's side: the story, what was set up, *Right now*, the goal, each action and monster with its rules in words.

    Numbers are those of this game. Of the other side it tells what lies open on the table. The referee reads both books; before the haunt
    begins there is none. `Accept` chooses the form: JSON, `text/markdown`, or `text/html` as a page that can be printed.
    """
    kind = accepted(request.headers.get("Accept"), (JSON, MARKDOWN, HTML))
    made = book_of(seen.rules, seen.state, seen.principal)
    cite = seen.rules.cite
    if made is None:
        detail = "There is no book to read: the haunt has not begun."
        raise ProblemError("not-found", detail, rule=cited(cite.closed_books))
    if side is not None and side not in (one.side for one in made.books):
        detail = f"You have not read the book of the {side}."
        raise ProblemError("closed-book", detail, rule=cited(cite.books_apart or cite.goals_hidden))
    books = [one for one in made.books if side in (None, one.side)]
    book = msgspec.structs.replace(made, books=books, setup=await service.reading.setup(caller.game, seen))

    def written() -> object:
        if kind == MARKDOWN:
            return Response(as_markdown(sections(book)), media_type=MARKDOWN)
        return (
            Response(as_html(book.title, sections(book)), media_type=HTML, headers=HARMLESS) if kind == HTML else book
        )

    return versioned(request, if_none_match, seen.version, written, caller.name, kind)


@operation(
    "GET /v1/games/{game:str}/post",
    "Write a forum post",
    "play",
    security=EITHER,
    problems="ahead-of-log several-roles",
    litestar={"media_type": TEXT, **READS},
)
async def get_post(
    *,
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    format_: Annotated[
        Literal["markdown", "bbcode"], QueryParameter(name="format", description="The markup of the forum.")
    ] = "markdown",
    at: At = None,
    as_: As = None,
    if_none_match: IfNoneMatch = None,
) -> Response[str]:
    """Write the state of the game as a forum post, ready to be pasted.

    It shows only what is public, whoever asks: whose turn it is, who must answer what by when (and what the moderator rolls), who was
    passed over in the last round, the explorers, monsters and items, the haunt, and a plan of each floor.
    """
    require(caller, game)
    names = await service.reading.names(game)
    version = (await look(service, caller, game, at, as_)).version
    seen = await service.reading.seen(caller, at=version, as_=SPECTATORS)
    players = seen.players(names)

    def written() -> Response[str]:
        text = status_post(seen.rules, seen.state, format_, players, seen.times, seen.passed_over)
        return Response(text, media_type=TEXT)

    return versioned(request, if_none_match, seen.version, written, caller.name, seen.beside, players)
