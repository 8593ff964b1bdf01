"""A seat of a game as tools for language models: a server of the Model Context Protocol by its official SDK (`omenlog[mcp]`).

The tools keep nothing between two calls: `act` names the version with the number, so neither calls at the same time nor several clients can mix up
the numbers of two briefs. They answer in words alone, for some clients give a model the words and the same once more as data.
"""

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import metadata
from typing import Annotated, Any, TypeVar

import httpx
import msgspec
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from domain.editions import EDITIONS
from projections.books.book import HauntBook
from projections.books.pages import as_markdown, sections
from projections.choices.brief import tokens_at_most
from projections.choices.decisions import Decisions
from projections.naming.names import counted
from projections.view.game import GameView
from service.bots.client import Api, ApiError
from service.games.lobby.answers import GameShown
from service.log.facts import OVER

T = TypeVar("T")

WAIT = 25.0
"""Seconds that `brief` waits for the seat to be asked: less than clients wait for a tool."""
ROUND = 5
"""Seconds of one request that waits. A call that its client gives up holds a place among the token's streams, and this process, no longer."""
LONG = 1_000
"""Tokens of an answer of `rules` or `history`, about; one rule or commit it has at least."""
RULE = re.compile(r"[A-Z0-9]{2,3}-[A-Z0-9]+-[0-9]{3}")
PAGE = 100
LATEST = 20
"""Commits of the history, unless it is said where to begin."""

INSTRUCTIONS = (
    "You play one seat of Betrayal at House on the Hill. Call `brief`: it waits for your turn, tells the situation and numbers your options. "
    "Call `act` with a number and the version of that brief; it does it and answers with the next brief. Go on until the game is over. "
    "Until the haunt begins all explore the house together, for cards and better traits; each omen may begin it, and then somebody may turn "
    "traitor. Read `rules` with `book` then: it is the secret book of your side, which tells how you win. `rules` explains cards and rooms, too, "
    "and `history` tells what the others did."
)


class _Brief(msgspec.Struct):
    version: int
    status: str
    asked: bool
    text: str

    @property
    def ready(self) -> bool:
        """Whether there is nothing to wait for."""
        return self.asked or self.status in OVER


class _Told(msgspec.Struct):
    number: int
    sentences: list[str] = []


class _Commit(msgspec.Struct):
    data: _Told


class _Done(msgspec.Struct):
    commit: _Commit


class _Page(msgspec.Struct):
    events: list[_Commit]
    next: int
    version: int


class _Rule(msgspec.Struct):
    id: str
    title: str
    text: str
    ambiguity: str = ""

    def __str__(self) -> str:
        ruled = f" {self.ambiguity}" if self.ambiguity else ""
        return f"{self.id}, {self.title}: {self.text}{ruled}"


class _Rules(msgspec.Struct):
    rules: list[_Rule]
    next: str | None


class _Refusal(msgspec.Struct):
    code: str
    detail: str
    rule: _Rule | None = None


class _Tried(msgspec.Struct):
    legal: bool
    refusal: _Refusal | None = None


Number = Annotated[int, Field(description="The number of an option in the brief.", ge=1)]
Version = Annotated[
    int, Field(description="The version of the brief that has the option: `Options at version 140`.", ge=1)
]
Chosen = Annotated[
    dict[str, Any] | None,
    Field(description='Only where an option says `[with …]`: what it leaves open, such as {"points": {"might": 2}}.'),
]
About = Annotated[
    str,
    Field(
        description="`book`, the name of a card or room in play, the id of a rule such as 2E-MOVE-001, or words to look for in the rules."
    ),
]
Tried = Annotated[
    dict[str, Any],
    Field(
        description='Such as {"type": "move", "to": "entrance-hall"}, {"type": "explore", "door": "north"} or {"type": "attack", "target": 2} '
        "(a seat). Names are in lower case with hyphens."
    ),
]
Since = Annotated[
    int | None,
    Field(
        description="The version after which to begin, such as that of your last act. By default the latest commits.",
        ge=0,
    ),
]


class SeatTools:
    """What a model may call, with the token of one seat and no other."""

    def __init__(self, api: Api, game: str) -> None:
        """Speak for the seat whose token `api` sends."""
        self._api = api
        self._path = f"/v1/games/{game}"
        self._ledger: list[_Rule] = []

    async def brief(
        self, page: Annotated[int, Field(description="Of the options, if there are several.", ge=1, le=1000)] = 1
    ) -> str:
        """Wait for your turn; then read your situation and your numbered options. If nothing is asked of you yet, call it again."""
        end = time.monotonic() + WAIT
        found = await _answered(partial(self._brief, page))
        while page == 1 and not found.ready and (left := end - time.monotonic()) > 0:
            found = await _answered(partial(self._brief, wait=min(ROUND, max(1, int(left)))))
        return found.text if found.ready or page > 1 else f"{found.text}Call `brief` again to wait for your turn.\n"

    def _brief(self, page: int = 1, wait: int = 0) -> _Brief:
        return self._api.read(_Brief, f"{self._path}/brief", page=page, wait=wait)

    async def act(self, number: Number, version: Version, chosen: Chosen = None) -> str:
        """Do an option of your latest brief. Answers what came of it, and the next brief unless you have to wait for others."""

        def do() -> str:
            body = {"type": "option", "number": number, "with": chosen or {}}
            done = self._api.post(f"{self._path}/commands?sentences=true", body=body, if_match=version)
            told = "\n".join(msgspec.json.decode(done, type=_Done).commit.data.sentences) or "Done."
            try:
                now = self._brief()
            except (ApiError, httpx.HTTPError):
                return f"{told}\n\nCall `brief` to go on."
            wait = "You have nothing to decide now: call `brief` to wait for your turn."
            return f"{told}\n\n{now.text if now.ready else wait}"

        return await _answered(do)

    async def rules(self, about: About) -> str:
        """Read your side's secret book in the haunt (`book`), what a card or room does, or rules by id or by words."""
        return await _answered(lambda: self._rules(about.strip()))

    def _rules(self, about: str) -> str:
        if about.lower() == "book":
            return as_markdown(sections(self._api.read(HauntBook, f"{self._path}/book")))
        if RULE.fullmatch(about.upper()):
            return str(self._api.read(_Rule, f"/v1/rules/{about.upper()}"))
        words = re.findall(r"\w+", about.lower())
        found = [*self._pieces(words), *(str(rule) for rule in self._ranked(words))] if words else []
        if not found:
            raise ToolError(
                f"Nothing is called or mentions {about!r}: try `book`, the name of a card or room in play, or fewer words."
            )
        shown = list(_first(found))
        more = (
            [f"{counted(len(found) - len(shown), 'more rule')}: say more words, or one id."]
            if len(found) > len(shown)
            else []
        )
        return "\n".join([*shown, *more])

    def _pieces(self, words: list[str]) -> Iterator[str]:
        """Cards and rooms that the seat sees, with such a title."""
        view = self._api.read(GameView, f"{self._path}/view")
        for card in view.cards.values():
            if _has(card.title, words):
                yield f"{card.title} ({card.deck}): {' '.join([card.text, *card.rules])}"
        for room in view.rooms:
            if _has(room.title, words):
                yield f"{room.title} (room): {room.text or 'Nothing special.'}"

    def _ranked(self, words: list[str]) -> list[_Rule]:
        """Rules of the edition, and of the one that it changes, with all these words, those first whose title has them."""
        found = [rule for rule in self._all_rules() if _has(f"{rule.title} {rule.text}", words)]
        return sorted(found, key=lambda rule: not _has(rule.title, words))

    def _all_rules(self) -> list[_Rule]:
        if not self._ledger:
            own = self._api.read(GameShown, self._path).edition
            self._ledger = [rule for edition in EDITIONS[own].rules_of() for rule in self._rules_of(edition)]
        return self._ledger

    def _rules_of(self, edition: str) -> Iterator[_Rule]:
        page = _Rules([], "")
        while page.next is not None:
            after = {"after": page.next} if page.next else {}
            page = self._api.read(_Rules, "/v1/rules", edition=edition, limit=PAGE, **after)
            yield from page.rules

    async def why_not(self, command: Tried) -> str:
        """Ask whether you could do something that is not among your options, and which rule forbids it. Nothing is done."""

        def ask() -> str:
            decisions = self._api.read(Decisions, f"{self._path}/decisions")
            asked = [(own.id, own.kind, own.text) for own in decisions.yours if own.kind != "reveal"]
            waiting = [(one.decision, one.kind, one.text) for one in decisions.waiting]
            decision, kind, text = [*asked, *waiting, ("turn-1", "turn", "")][0]
            body = {"decision": decision, **command}
            found = msgspec.json.decode(self._api.post(f"{self._path}/dry-runs", body=body), type=_Tried)
            if found.legal or found.refusal is None:
                return "It is legal."
            if found.refusal.code == "decision-closed" and kind != "turn":
                return f"Not legal: first this has to be answered, by {'you' if asked else 'somebody else'}: {text}"
            rule = found.refusal.rule
            return f"Not legal: {found.refusal.detail}{f' ({rule})' if rule else ''}"

        return await _answered(ask)

    async def history(self, after: Since = None) -> str:
        """Read what has happened, as far as you were told, commit by commit."""
        return await _answered(lambda: self._history(after))

    def _history(self, after: int | None) -> str:
        if after is None:
            after = max(0, self._brief().version - LATEST)
        page = self._api.read(_Page, f"{self._path}/events", after=after, limit=PAGE, sentences="true")
        told = {one.data.number: " ".join(one.data.sentences) for one in page.events if one.data.sentences}
        shown = list(_first([f"{number}: {words}" for number, words in told.items()]))
        last = page.next if len(shown) == len(told) else list(told)[len(shown) - 1]
        behind = "That is all." if last == page.version else f"There is more: ask with `after` {last}."
        return "\n".join([*shown, f"Up to version {last}. {behind}"])


async def _answered(call: Callable[[], T]) -> T:
    """What a call answers in a thread of its own; a refusal or a service that does not answer is a tool's error, which the model reads."""
    try:
        return await asyncio.to_thread(call)
    except ApiError as error:
        raise ToolError(str(error)) from None
    except httpx.HTTPError as error:
        raise ToolError(f"The service does not answer ({error}). Nothing is lost: call `brief` in a while.") from None


def _has(text: str, words: list[str]) -> bool:
    there = text.lower()
    return all(word in there for word in words)


def _first(texts: list[str]) -> Iterator[str]:
    """As many texts as are not too long together, one at least."""
    left = LONG
    for at, text in enumerate(texts):
        left -= tokens_at_most(text)
        if left < 0 and at:
            return
        yield text


def server_of(api: Api, game: str) -> MCPServer[Any]:
    """A server with the tools of the seat whose token `api` sends."""
    tools = SeatTools(api, game)
    server: MCPServer[Any] = MCPServer(
        "omenlog",
        version=metadata.version("omenlog"),
        instructions=INSTRUCTIONS,
        log_level="ERROR",
        subscriptions=False,
    )
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    acts = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
    server.add_tool(tools.act, annotations=acts, structured_output=False)
    for tool in (tools.brief, tools.rules, tools.why_not, tools.history):
        server.add_tool(tool, annotations=reads, structured_output=False)
    return server
