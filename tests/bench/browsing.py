"""Contestants: the browser table in Chromium, at a service in a process of its own.

Clicks are those of planned games. What came of one is painted when a frame has been made after the page shows its commit.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import msgspec
from playwright.sync_api import Browser, BrowserContext, Page

from service.cli.play.demo import ServiceProcess
from service.http.pages import table_files
from tests.bench import node
from tests.bench.folder import FOLDER
from tests.bench.games import SEATS
from tests.bench.plans import Step, plans
from tests.bench.sample import Round, Sample, share
from tests.support.chromium import CHROMIUM, chromium, inaccessible

COMMANDS = 2_000
ROOMS = 40
"""Rooms that the house has when it is looked at."""
CLICKS = 60
"""Clicks in a full round; half as many from a distance."""
DISTANCE_MS = 50
REPLAYED = 500
STEPS = 60
"""Steps of the replay in a full round, and as many jumps."""
STAYED = 1_000
FULL = 200
"""Lines that a log keeps."""
ROUND = 8
"""Commits that are posted before the last of them has to be on screen."""
OF_THE_BROWSER = ("code", "native", "hidden", "synthetic", "object shape")
"""What a snapshot of the heap holds beside the objects of the page: compiled code, layout, timings of slow frames."""
PATIENCE_MS = 30_000

WATCH = """() => {
    const main = document.getElementById("main");
    window.painted = [];
    window.waiting = [];
    new MutationObserver(() => {
        const version = Number(main.dataset.version);
        requestAnimationFrame(() => {
            const frame = new MessageChannel();
            frame.port1.onmessage = () => {
                painted.push([version, performance.timeOrigin + performance.now()]);
                for (const look of waiting) look();
            };
            frame.port2.postMessage(0);
        });
    }).observe(main, { attributes: true, attributeFilter: ["data-version"] });
}"""
"""Notes when which commit was painted."""
CLICK = """(label) => {
    const buttons = [...document.querySelectorAll(".deeds .commands button:enabled")];
    const found = buttons.find((one) => one.textContent === label);
    const now = performance.timeOrigin + performance.now();
    found?.click();
    return found ? now : 0;
}"""
PAINTED = """([version, since]) => new Promise((resolve) => {
    const look = () => {
        const found = painted.findLast(([one, at]) => one === version && at >= since);
        if (!found) return;
        waiting = waiting.filter((one) => one !== look);
        resolve(found[1]);
    };
    waiting.push(look);
    look();
})"""
USABLE = """async () => {
    const main = document.getElementById("main");
    const is = () => main.dataset.link === "live" && document.querySelector(".house [data-key]") && document.querySelector(".log > li");
    while (!is()) await new Promise(requestAnimationFrame);
    return performance.now();
}"""
"""Milliseconds from the beginning of the page's load until the board and the log are there and the link is live."""


def unavailable() -> str:
    """Why the rows of the browser can't be measured here, or nothing if they can."""
    if not CHROMIUM.exists():
        return "there is no Chromium here (Debian: apt-get install chromium)"
    return node.missing()


class Host:
    """A service, and the planned game as often as it is wanted."""

    def __init__(self, folder: Path) -> None:
        os.environ.update(OMENLOG_TOKEN_RATE="0", OMENLOG_ANONYMOUS_RATE="0", OMENLOG_OPEN_GAMES_PER_ADDRESS="0")
        self._folder = folder
        self._process = ServiceProcess(folder).__enter__()
        self.url = self._process.url
        self.client = httpx.Client(base_url=self.url, timeout=30)
        (self.plan,) = plans(1, least=COMMANDS, haunted=False)

    def close(self) -> None:
        self.client.close()
        self._process.__exit__()

    def restart(self) -> None:
        """Begin again, at the same address, after `kill`."""
        self._process = ServiceProcess(self._folder, port=int(self.url.rpartition(":")[2])).__enter__()

    def kill(self) -> None:
        self._process.kill()


MODERATED: dict[str, Any] = {
    "edition": "play-by-post",
    "seats": [{}] * 3,
    "randomness": {"source": "moderator"},
    "setup": {"first_seat": 0},
    "hotseat": True,
}


class Game:
    """A planned game on its way, or another one."""

    def __init__(self, host: Host, asked: object = None) -> None:
        opening = msgspec.json.encode(asked or host.plan.asked)
        opened = host.client.post("/v1/games", content=opening, headers={"Content-Type": "application/json"}).json()
        self.id: str = opened["game"]["id"]
        self.tokens: Sequence[str] = [one["secret"] for one in opened["tokens"]["seats"]]
        self.referee: str = opened["tokens"]["referee"]["secret"]
        self._host = host
        self._left: Iterator[Step] = iter(host.plan.steps)
        self.version = 0
        self.act("start", opened["tokens"]["host"]["secret"], None)

    def act(self, what: str, token: str, body: object) -> None:
        answer = self._host.client.post(f"/v1/games/{self.id}/{what}", json=body, headers=_bearer(token))
        answer.raise_for_status()
        self.version = answer.json()["version"]

    def get(self, what: str, seat: int | None = 0) -> Any:  # noqa: ANN401 -- whatever the operation answers
        answer = self._host.client.get(f"/v1/games/{self.id}/{what}", headers=_bearer(self.token(seat)))
        return answer.raise_for_status().json()

    def next(self) -> Step:
        return next(self._left)

    def post(self, step: Step) -> None:
        self.act("commands", self.tokens[step.seat], msgspec.to_builtins(step.command))

    def play(self, commands: int) -> None:
        for _ in range(commands):
            self.post(self.next())

    def grow(self) -> None:
        """Play until the house has its rooms."""
        while len(self.get("view")["rooms"]) < ROOMS:
            self.play(20)

    def label(self, step: Step) -> str:
        """The button of a command, if it has one."""
        wanted = msgspec.to_builtins(step.command)
        listed = [one for decision in self.get("decisions", step.seat)["yours"] for one in decision["commands"]]
        return next((one["label"] for one in listed if one["command"] == wanted), "")

    def token(self, seat: int | None) -> str:
        """A seat's, or the referee's."""
        return self.referee if seat is None else self.tokens[seat]

    def place(self, seat: int | None) -> str:
        """Where a seat comes in, or the referee."""
        return f"{self._host.url}/#/g/{self.id}/as/{self.token(seat)}"


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@contextmanager
def _hosted() -> Iterator[tuple[Host, Browser]]:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder, chromium() as browser:
        host = Host(Path(folder))
        try:
            yield host, browser
        finally:
            host.close()


@contextmanager
def _pages(browser: Browser, number: int) -> Iterator[list[Page]]:
    """Pages on devices of their own."""
    with ExitStack() as stack:
        made: list[Page] = []
        for _ in range(number):
            context: BrowserContext = browser.new_context(viewport={"width": 1280, "height": 800})
            stack.callback(context.close)
            context.set_default_timeout(PATIENCE_MS)
            made.append(context.new_page())
        yield made


@contextmanager
def table(scale: int) -> Iterator[Round]:
    """Four screens, from one seat each."""
    with _hosted() as (host, browser):

        def play_round() -> Sample:
            game = Game(host)
            game.grow()
            begun = time.perf_counter()
            usable = _usable(browser, game)
            with _pages(browser, SEATS) as pages:
                for seat, page in enumerate(pages):
                    page.goto(game.place(seat))
                    page.evaluate(USABLE)
                    page.evaluate(WATCH)
                own, others = _clicked(game, pages, share(CLICKS, scale))
                for page in pages:
                    network = page.context.new_cdp_session(page)
                    network.send("Network.enable")
                    speed = {"downloadThroughput": -1, "uploadThroughput": -1}
                    network.send(
                        "Network.emulateNetworkConditions", {"offline": False, "latency": DISTANCE_MS, **speed}
                    )
                distant, _ = _clicked(game, pages, share(CLICKS // 2, scale))
            files = table_files().values()
            return Sample(
                count=len(own) + len(distant),
                seconds=time.perf_counter() - begun,
                notes={
                    "KiB of files": sum(len(file.packed) for file in files) / 1024,
                    "usable ms": usable,
                    "own p95 ms": _p95(own),
                    "own median ms": _median(own),
                    "others p95 ms": _p95(others),
                    "distant p95 ms": _p95(distant),
                    "distant median ms": _median(distant),
                },
            )

        yield play_round


def _usable(browser: Browser, game: Game) -> float:
    """A device that has never been here, and computes at a quarter of its speed."""
    with _pages(browser, 1) as (page,):
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
        page.goto(game.place(0))
        found: float = page.evaluate(USABLE)
        return found


def _clicked(game: Game, pages: Sequence[Page], clicks: int) -> tuple[list[float], list[float]]:
    """Milliseconds until a click's commit was painted where it was clicked, and elsewhere."""
    own: list[float] = []
    others: list[float] = []
    while len(own) < clicks:
        step = game.next()
        page, label = pages[step.seat], game.label(step)
        clicked: float = page.evaluate(CLICK, label) if label else 0
        if not clicked:  # it is in a form, among many of its kind
            game.post(step)
        else:
            game.version += 1
        painted = [page.evaluate(PAINTED, [game.version, 0]) for page in pages]
        if clicked:
            own.append(painted[step.seat] - clicked)
            others += [at - clicked for seat, at in enumerate(painted) if seat != step.seat]
    return own, others


@contextmanager
def replay(scale: int) -> Iterator[Round]:
    """One screen, which looks back."""
    with _hosted() as (host, browser):
        game = Game(host)
        game.play(REPLAYED - game.version)

        def play_round() -> Sample:
            begun, steps, lot = time.perf_counter(), share(STEPS, scale), random.Random(scale)
            with _pages(browser, 1) as (page,):
                page.goto(game.place(0))
                page.evaluate(USABLE)
                page.goto("about:blank")
                opened = -time.perf_counter()
                page.goto(f"{host.url}/#/g/{game.id}/at/{REPLAYED // 2}")
                page.locator('main[data-part="replay"] .marks [aria-label]').first.wait_for()
                page.locator(".house [data-key]").first.wait_for()
                opened += time.perf_counter()
                page.evaluate(WATCH)
                page.locator(".line input[type=range]").focus()
                to = REPLAYED // 2
                stepped = []
                for _ in range(steps):
                    to += 1
                    stepped.append(_until_painted(page, to, lambda: page.keyboard.press("ArrowRight")))
                field = page.locator('.line input[name="at"]')
                jumped = []
                for _ in range(steps):
                    to = lot.choice([one for one in range(2, REPLAYED) if abs(one - to) > 20])
                    field.fill(str(to))
                    jumped.append(_until_painted(page, to, lambda: field.press("Enter")))
            return Sample(
                count=2 * steps,
                seconds=time.perf_counter() - begun,
                notes={
                    "opened ms": 1000 * opened,
                    "step p95 ms": _p95(stepped),
                    "step median ms": _median(stepped),
                    "jump p95 ms": _p95(jumped),
                    "jump median ms": _median(jumped),
                },
            )

        yield play_round


def _until_painted(page: Page, version: int, do: Callable[[], None]) -> float:
    """Milliseconds from when a key comes to the page until a moment is painted."""
    page.evaluate(
        "() => addEventListener('keydown', () => { window.pressed = performance.timeOrigin + performance.now(); }, "
        "{ capture: true, once: true })"
    )
    do()
    pressed: float = page.evaluate("pressed")
    found: float = page.evaluate(PAINTED, [version, pressed])
    return found - pressed


@contextmanager
def endurance(scale: int) -> Iterator[Round]:
    """One screen that stays while much happens to it, compared with one that came for the end of it."""
    with _hosted() as (host, browser):

        def play_round() -> Sample:
            game, commits = Game(host), max(FULL, share(STAYED, scale))
            game.grow()
            begun = time.perf_counter()
            with _pages(browser, 2) as (page, fresh):
                page.goto(game.place(0))
                page.evaluate(USABLE)
                _follow(page, game, commits)
                fresh.goto(game.place(0))
                fresh.evaluate(USABLE)
                _follow(fresh, game, FULL)  # by then both have heard all lines of their logs one by one
                page.locator(f'main[data-version="{game.version}"]').wait_for()
                kept, needed = _heap(page), _heap(fresh)
                host.kill()
                page.locator('main[data-link="lost"]').wait_for()
                host.restart()
                back = -time.perf_counter()
                page.locator('main[data-link="live"]').wait_for()
                back += time.perf_counter()
                wrong = _violations(page, host, game)
            return Sample(
                count=commits,
                seconds=time.perf_counter() - begun,
                notes={"KiB grown": kept - needed, "KiB needed": needed, "back s": back, "violations": wrong},
            )

        yield play_round


def _follow(page: Page, game: Game, commits: int) -> None:
    """Play so many commits before a page, which shows at least every eighth of them."""
    end = game.version + commits
    while game.version < end:
        game.play(min(ROUND, end - game.version))
        page.locator(f'main[data-version="{game.version}"]').wait_for()


def _heap(page: Page) -> float:
    """KiB of the objects that a page holds on to: garbage is collected before the snapshot."""
    debugger = page.context.new_cdp_session(page)
    chunks: list[str] = []
    debugger.on("HeapProfiler.addHeapSnapshotChunk", lambda told: chunks.append(told["chunk"]))
    debugger.send("HeapProfiler.collectGarbage")
    debugger.send("HeapProfiler.takeHeapSnapshot")
    debugger.detach()
    found = msgspec.json.decode("".join(chunks))
    fields, kinds = (found["snapshot"]["meta"][name] for name in ("node_fields", "node_types"))
    own = {number for number, kind in enumerate(kinds[0]) if kind not in OF_THE_BROWSER}
    kind, size = (found["nodes"][fields.index(name) :: len(fields)] for name in ("type", "self_size"))
    bytes_kept: int = sum(each for one, each in zip(kind, size, strict=True) if one in own)
    return bytes_kept / 1024


def _violations(page: Page, host: Host, game: Game) -> int:
    """What is wrong with each part for those who see, hear or move otherwise."""
    last = game.version
    game.act("disputes", game.tokens[1], {"from": last - 1, "to": last, "claim": "That door was locked."})
    moderated = Game(host, MODERATED)
    moderated.act("commands", moderated.tokens[0], {"type": "explore", "decision": "turn-1", "door": "east"})
    for pick in ("chapel", "bloody-vision"):  # whoever turns up that card has to roll
        decision = moderated.get("decisions", None)["yours"][0]["id"]
        moderated.act("commands", moderated.referee, {"type": "answer-chance", "decision": decision, "pick": pick})
    parts = (
        ("lobby", f"{host.url}/#/"),
        ("table", game.place(0)),
        ("replay", f"{host.url}/#/g/{game.id}/at/{last // 2}"),
        ("desk", f"{host.url}/#/g/{game.id}/desk"),
        ("moderator", moderated.place(None)),
    )
    found = 0
    for part, place in parts:
        if part == "desk":
            page.goto(game.place(None))
            page.locator('main[data-part="table"] h1').wait_for()
        page.goto("about:blank")
        page.goto(place)
        page.locator(f'main[data-part="{part}"] h1').first.wait_for()
        if part == "moderator":
            page.locator(".taps").wait_for()
            for summary in page.locator(".deeds > details > summary").all():
                summary.click()
        found += len(inaccessible(page))
    return found


def _p95(costs: Sequence[float]) -> float:
    return sorted(costs)[len(costs) * 95 // 100]


def _median(costs: Sequence[float]) -> float:
    return sorted(costs)[len(costs) // 2]
