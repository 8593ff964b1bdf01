"""`omenlog bot`, which plays one seat, and `omenlog demo`: a whole game of bots over HTTP, replayed and audited from its export."""

import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Self

import msgspec
import rich_click as click
from rich.console import Console

from content.load.packs import builtin_packs, load_pack
from domain.engine.rules import Rules
from domain.facts.audience import SPECTATORS, Mask
from projections.books.book import HauntBook
from projections.books.pages import as_markdown, sections
from projections.choices.decisions import decisions_of
from projections.naming.names import counted
from projections.text.picture import house_as_text
from projections.view.game import view_of
from service.audit.verdict import Outcome, Verdict, audit
from service.bots.brain import Memory
from service.bots.brains import BRAINS
from service.bots.client import Api, Ended, Player, Runner
from service.bots.playtest import builtin_of, rehearse
from service.bots.scenarios import draw_scenario
from service.cli.common import (
    BOTS,
    DATABASE,
    EDITION,
    SCENARIO,
    URL,
    check_edition,
    check_known,
    columns,
    say,
    token_option,
)
from service.cli.play.show import Watcher, play_by_bots
from service.games.lobby.answers import GameOpenedAnswer
from service.log.exported import PRINCIPALS, Export, latest, open_export, replay
from service.log.recorded import rules_of
from service.settings import opening_key

LISTENS = re.compile(r"listens on (http://\S+)")
LOG = "service.log"
GRACE = 10.0
"""Seconds that the process has to stop by itself."""
SAMPLES = 12
"""How many versions each role's answers are compared at, spread evenly over the game."""
TURN_LIMIT = 400


class ServiceProcess:
    """`omenlog serve` as a process on this machine, and a context manager."""

    def __init__(self, data: Path, port: int = 0, packs: str = "") -> None:
        """Serve the games in a data folder, and log to `service.log` in it; port 0 takes a free one. Packs are as OMENLOG_PACKS names them."""
        self._data = data
        self._packs = {"OMENLOG_PACKS": packs} if packs else {}
        self._port = port
        self.url = ""

    def __enter__(self) -> Self:
        """Wait until it listens; if it stops early, the exception has the end of its log."""
        self._data.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "service.cli", "serve", "--host", "127.0.0.1", "--port", str(self._port)]
        with (self._data / LOG).open("w") as log:
            self._process = subprocess.Popen(  # noqa: S603 -- our own program, with arguments of our own making
                [*command, "--data", str(self._data)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={"OMENLOG_LOG_LEVEL": "warning", **os.environ, **self._packs},
            )
        for line in self._process.stdout or ():
            found = LISTENS.search(line)
            if found:
                self.url = found[1]
                return self
        self._process.wait()
        told = (self._data / LOG).read_text().strip()
        raise click.ClickException(f"the service did not start:\n{told[-2000:]}")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.kill()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


class GameWish(msgspec.Struct, frozen=True, kw_only=True):
    """The game to play."""

    edition: str
    seats: int
    bots: list[str]
    """Assigned to the seats in turn."""
    haunt: str
    scenario: str = ""
    """Empty where the edition has none."""
    file: Path | None = None
    """The file of the haunt, if it is not built in."""
    seed: str
    """Of dice and bots; empty: the service draws a secret one, as in a real game."""

    def bot(self, seat: int) -> str:
        return self.bots[seat % len(self.bots)]

    def options(self) -> dict[str, object]:
        named = {"haunt": self.haunt, "scenario": self.scenario}
        return {"turn_limit": TURN_LIMIT, **{name: value for name, value in named.items() if value}}

    def packs(self) -> str:
        """What the service is to offer, as OMENLOG_PACKS names it; empty: what it is told elsewhere."""
        base = builtin_of(self.edition)
        return f"{base},{self.file.absolute()}@{base}" if self.file else ""


@click.command()
@EDITION
@click.option("--seats", default=4, type=click.IntRange(3, 6), help="Number of players.")
@BOTS
@click.option(
    "--haunt", default="", show_default="by the chart", help="The haunt to play: its id, or a file (`my-haunt.yaml`)."
)
@SCENARIO
@click.option("--seed", default="", show_default="a secret one", help="Any word; the same word gives the same game.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("data/demo"),
    help="Folder for the database, the service's log and the exported game.",
)
@click.option("--temporary", is_flag=True, help="Use a temporary folder instead.")
def demo(
    *, edition: str, seats: int, bots: str, haunt: str, scenario: str, seed: str, data: Path, temporary: bool
) -> None:
    """Play a whole game with bots over HTTP, then replay it for every role and audit it.

    The service runs as a process of its own on a free port, with its database in a data folder.
    """
    names = bots.split(",")
    check_known(names, BRAINS, "bot", "--bots")
    file = Path(haunt) if haunt.endswith((".yaml", ".yml")) else None
    base = builtin_of(edition)
    pack = load_pack(file or builtin_packs()[base], base=base, taken=builtin_packs() if file else ())
    if file is not None or (haunt and "OMENLOG_PACKS" not in os.environ):
        check_edition(edition, pack)
        haunt = pack.head.id if file else haunt  # the one haunt's
        check_known([haunt], [one.id for one in pack.haunts], "haunt", "--haunt")
    scenarios = [one.id for one in pack.scenarios]
    if scenario:
        check_known([scenario], scenarios, "scenario", "--scenario")
    scenario = scenario or draw_scenario(scenarios, seed or secrets.token_hex())
    wish = GameWish(edition=edition, seats=seats, bots=names, haunt=haunt, scenario=scenario, file=file, seed=seed)
    if temporary:
        with tempfile.TemporaryDirectory(prefix="omenlog-demo-") as folder:
            exact = demonstrate(wish, Path(folder), Console(), kept=False)
    else:
        exact = demonstrate(wish, data, Console(), kept=True)
    sys.exit(0 if exact else 1)


def demonstrate(wish: GameWish, data: Path, console: Console, *, kept: bool) -> bool:
    """Run the demonstration, mentioning files if they are `kept`; returns whether everything was exact."""
    with ServiceProcess(data, packs=wish.packs()) as service, Api(service.url) as api:
        where = f", its database is {data}/{DATABASE}" if kept else ""
        say(f"the service listens on {service.url}{where}", screen=console)
        opened = open_game(api, wish)
        game = opened.game.id
        bots = ", ".join(wish.bots)
        scenario = f", scenario {wish.scenario}" if wish.scenario else ""
        say(f"game {game}: {wish.edition} edition, {wish.seats} seats, bots {bots}{scenario}", screen=console)
        ended = play(api, opened, wish, console)
        file = data / f"{game}.ndjson"
        file.write_bytes(api.get(f"/v1/games/{game}/export", opened.tokens.host.secret))
        export = open_export(file)
        say(screen=console)
        say(house_as_text(rules_of(export), replay(export, SPECTATORS), columns(console)), screen=console)
        say(f"the game is {ended}", screen=console)
        if kept:
            say(f"exported to {file}; `omenlog verify {file}` audits it again", screen=console)
        evidence = gather(api, export, tokens_of(opened))
    tell(evidence, export, console)
    return evidence.exact


def open_game(api: Api, wish: GameWish) -> GameOpenedAnswer:
    """Open the game hotseat, which returns all tokens at once, and start it."""
    body: dict[str, object] = {
        "edition": wish.edition,
        "seats": [{} for _ in range(wish.seats)],
        "options": wish.options(),
        "hotseat": True,
        **({"pack": wish.haunt} if wish.file else {}),
    }
    if wish.seed:
        bots = [wish.bot(seat) for seat in range(wish.seats)]
        rehearsed = rehearse(wish.edition, bots, wish.options(), wish.seed, wish.file)
        body["randomness"] = {"source": "tape", "answers": rehearsed.answers}
        body["setup"] = {"first_seat": rehearsed.first_seat}
    opened = api.send(GameOpenedAnswer, "/v1/games", opening_key(), body)
    api.post(f"/v1/games/{opened.game.id}/start", opened.tokens.host.secret)
    return opened


def play(api: Api, opened: GameOpenedAnswer, wish: GameWish, console: Console) -> Ended:
    """Let the bots play to the end, and show it."""
    seed = wish.seed or opened.game.id
    players = [
        Player(seat, token.secret, BRAINS[wish.bot(seat)], Memory(seed=f"{seed}/{seat}"))
        for seat, token in enumerate(opened.tokens.seats)
    ]
    with Watcher(console, lambda at: _books(api, opened, at)) as watcher:
        ended = Runner(api, opened.game.id, players, watch=watcher.accepted).play()
        watcher.seen(api.view(opened.game.id, opened.tokens.seats[0].secret, ended.version))
    return ended


def _books(api: Api, opened: GameOpenedAnswer, at: int) -> str:
    """The books as the referee reads them, in Markdown."""
    assert opened.tokens.referee is not None  # noqa: S101 -- every hotseat game has one
    book = api.read(HauntBook, f"/v1/games/{opened.game.id}/book", opened.tokens.referee.secret, at=at)
    return as_markdown(sections(book))


def tokens_of(opened: GameOpenedAnswer) -> dict[str, str]:
    tokens = {f"seat:{seat}": token.secret for seat, token in enumerate(opened.tokens.seats)}
    if opened.tokens.spectators:
        tokens["spectators"] = opened.tokens.spectators[0].secret
    if opened.tokens.referee is not None:
        tokens["referee"] = opened.tokens.referee.secret
    return tokens


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What replay and audit found."""

    verdict: Verdict
    roles: int
    compared: int
    """Answers of the API that were made again from the file."""
    differences: list[str]
    """Which of them had other bytes."""
    events: int
    seconds: float

    @property
    def exact(self) -> bool:
        return self.verdict.outcome is Outcome.EXACT and not self.differences


class _Line(msgspec.Struct):
    events: list[msgspec.Raw]


def gather(api: Api, export: Export, tokens: Mapping[str, str]) -> Evidence:
    """Replay a full export for every role (`seat:0`, `spectators`, `referee`), compare the answers with the API's, and audit it."""
    began, rules = time.perf_counter(), rules_of(export)
    differences: list[str] = []
    compared = 0
    for role, token in tokens.items():
        for at in versions(export.header.version):
            for what, again in _answers(rules, export, PRINCIPALS[role], at):
                compared += 1
                if api.get(f"/v1/games/{export.header.game}/{what}", token, at=at) != again:
                    differences.append(f"{what} of {role} at version {at}")
    return Evidence(
        verdict=audit(export),
        roles=len(tokens),
        compared=compared,
        differences=differences,
        events=sum(len(msgspec.json.decode(line, type=_Line).events) for line in export.lines),
        seconds=time.perf_counter() - began,
    )


def versions(last: int) -> list[int]:
    """At most `SAMPLES` versions, evenly spread, the first and the last among them."""
    steps = min(SAMPLES, last)
    return sorted({1 + (last - 1) * step // max(1, steps - 1) for step in range(steps)})


def _answers(rules: Rules, export: Export, principal: Mask, at: int) -> Iterator[tuple[str, bytes]]:
    """The bodies of `view` and `decisions`, made from the file alone."""
    state = replay(export, principal, at)
    yield "view", msgspec.json.encode(view_of(rules, state, principal))
    yield "decisions", msgspec.json.encode(decisions_of(rules, state, principal, latest(export, principal, at)))


def tell(evidence: Evidence, export: Export, console: Console) -> None:
    for difference in evidence.differences:
        say(f"the file differs from the API: {difference}", screen=console)
    verdict = evidence.verdict
    say(
        f"replayed from the file alone for {evidence.roles} roles: {evidence.compared - len(evidence.differences)} of "
        f"{evidence.compared} answers of the API are the same bytes",
        screen=console,
    )
    how = "the revealed seed" if export.header.disclosed is not None else "the recorded dice"
    outcome = "EXACT" if evidence.exact else verdict.outcome.value if not evidence.differences else "DIVERGED"
    because = f": {verdict.because}" if verdict.because else ""
    say(
        f"{outcome}: {verdict.commits} of {counted(export.header.version, 'commit')} with {counted(evidence.events, 'event')} "
        f"are in the hash chain and were decided again from {how} ({evidence.seconds:.1f} s){because}",
        screen=console,
    )


@click.command()
@click.argument("game")
@URL
@click.option("--seat", required=True, type=click.IntRange(0, 5), help="The seat to play.")
@token_option("The seat's token.")
@click.option("--brain", default="steady", type=click.Choice(list(BRAINS)), help="The kind of bot.")
@click.option("--seed", default="bot", help="Distinguishes this bot from others of its kind.")
@click.option(
    "--patience",
    default=60.0,
    type=click.FloatRange(0),
    help="Seconds to keep retrying while the service does not answer.",
)
def bot(*, game: str, url: str, seat: int, token: str, brain: str, seed: str, patience: float) -> None:
    """Play a seat of GAME until the game is over.

    You may stop and restart the bot, and the service, at any time: a bot holds nothing that matters.
    """
    console = Console()
    with Api(url, patience=patience) as api:
        ended = play_by_bots(api, game, [Player(seat, token, BRAINS[brain], Memory(seed=seed))], console)
    say(str(ended), screen=console)
