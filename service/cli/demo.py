"""`omenlog demo`: a whole game over HTTP, played by bots, then replayed and audited from its export."""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
import rich_click as click
from rich.console import Console

from domain.editions import EDITIONS
from domain.engine.rules import Rules
from domain.facts.audience import SPECTATORS, Mask
from projections.choices.decisions import decisions_of
from projections.naming.names import counted
from projections.text.picture import house_as_text
from projections.view.game import view_of
from service.audit.verdict import Outcome, Verdict, audit
from service.bots.brain import Memory
from service.bots.brains import BRAINS
from service.bots.client import Api
from service.bots.playtest import Rehearsed, rehearse
from service.bots.runner import Ended, Player, Runner
from service.cli.faults import check_known
from service.cli.screen import columns
from service.cli.stores import DATABASE
from service.cli.watching import Watcher
from service.games.lobby.answers import GameOpenedAnswer
from service.log.exported import PRINCIPALS, Export, latest, open_export, replay
from service.log.recorded import rules_of
from service.settings import opening_key

LISTENS = re.compile(r"listens on (http://\S+)")
GRACE = 10.0
"""Seconds that the process is given to stop by itself."""
LOG = "service.log"


class ServiceProcess:
    """`omenlog serve` on a free port, as a context manager."""

    def __init__(self, data: Path, port: int = 0) -> None:
        """Serve games kept in this folder; what the service logs goes to `service.log` in it.

        Args:
            data: the folder.
            port: to listen on; 0: a free one.
        """
        self._data = data
        self._port = port
        self.url = ""

    def __enter__(self) -> Self:
        """Start it, and wait until it listens.

        Raises:
            click.ClickException: it stopped before it did; the end of its log is shown.
            OSError: the folder can't be made or written.
        """
        self._data.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "service.cli", "serve", "--host", "127.0.0.1", "--port", str(self._port)]
        with (self._data / LOG).open("w") as log:
            self._process = subprocess.Popen(  # noqa: S603 -- our own program, with arguments of our own making
                [*command, "--data", str(self._data)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={"OMENLOG_LOG_LEVEL": "warning", **os.environ},
            )
        for line in self._process.stdout or ():
            found = LISTENS.search(line)
            if found:
                self.url = found[1]
                return self
        self._process.wait()
        told = (self._data / LOG).read_text().strip()
        raise click.ClickException(f"the service did not start:\n{told[-2000:]}")

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop it; what it has acknowledged is on the disk."""
        self._process.terminate()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.kill()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def kill(self) -> None:
        """Stop it at once (SIGKILL), as a crash would."""
        self._process.kill()
        self._process.wait()


SAMPLES = 12
"""Versions at which each role's view is compared, spread evenly over the game; the last one is among them."""


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What was found."""

    verdict: Verdict
    roles: int
    compared: int
    """Answers of the API that were made again from the file."""
    differences: list[str]
    """Which of them were other bytes."""
    events: int
    seconds: float

    @property
    def exact(self) -> bool:
        """Everything agrees."""
        return self.verdict.outcome is Outcome.EXACT and not self.differences


def gather(api: Api, export: Export, rules: Rules, tokens: Mapping[str, str]) -> Evidence:
    """Replay an export for every role and audit it.

    Args:
        api: the service that the game was played on.
        export: the whole game.
        rules: those of the game.
        tokens: by role (`seat:0`, `spectators`, `referee`): what it may ask the API with.
    """
    began = time.perf_counter()
    differences: list[str] = []
    compared = 0
    for role, token in tokens.items():
        for at in versions(export.header.version):
            for what, again in _answers(rules, export, PRINCIPALS[role], at):
                compared += 1
                if api.get(f"/v1/games/{export.header.game}/{what}", token, at=at) != again:
                    differences.append(f"{what} of {role} at version {at}")
    verdict = audit(export)
    events = sum(len(msgspec.json.decode(line, type=_Line).events) for line in export.lines)
    return Evidence(
        verdict=verdict,
        roles=len(tokens),
        compared=compared,
        differences=differences,
        events=events,
        seconds=time.perf_counter() - began,
    )


def versions(last: int) -> list[int]:
    """Versions at which to compare: at most `SAMPLES`, evenly spread, the first and the last among them."""
    steps = min(SAMPLES, last)
    return sorted({1 + (last - 1) * step // max(1, steps - 1) for step in range(steps)})


def _answers(rules: Rules, export: Export, principal: Mask, at: int) -> Iterator[tuple[str, bytes]]:
    """The bodies of `view` and `decisions` as they follow from the file alone."""
    state = replay(export, principal, at)
    yield "view", msgspec.json.encode(view_of(rules, state, principal))
    yield "decisions", msgspec.json.encode(decisions_of(rules, state, principal, latest(export, principal, at)))


class _Line(msgspec.Struct):
    """What is counted of a commit."""

    events: list[msgspec.Raw]


TURN_LIMIT = 400


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What game is to be played."""

    edition: str
    seats: int
    bots: list[str]
    """Dealt to the seats in turn."""
    haunt: str
    seed: str
    """Of the dice and the bots; empty: the service draws a secret seed, as it does in earnest."""

    def bot(self, seat: int) -> str:
        """The name of the bot in a seat."""
        return self.bots[seat % len(self.bots)]

    def options(self) -> dict[str, object]:
        """The options of the game."""
        return {"turn_limit": TURN_LIMIT, **({"haunt": self.haunt} if self.haunt else {})}


@click.command()
@click.option("--edition", default="second", type=click.Choice(list(EDITIONS)), help="Third: exploration only.")
@click.option("--seats", default=4, type=click.IntRange(3, 6), help="How many play.")
@click.option("--bots", default="steady", help=f"Bots dealt to the seats in turn, with commas: {', '.join(BRAINS)}.")
@click.option("--haunt", default="", show_default="as the chart says", help="The haunt to play, by its id.")
@click.option(
    "--seed",
    default="",
    show_default="a secret one of the service",
    help="Any word: dice and bots do the same each time.",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("data/demo"),
    help="Folder for the database, the log of the service and the exported game.",
)
@click.option("--temporary", is_flag=True, help="Use a folder that is deleted afterwards instead.")
def demo(
    *,
    edition: str,
    seats: int,
    bots: str,
    haunt: str,
    seed: str,
    data: Path,
    temporary: bool,
) -> None:
    """Play a whole game with bots over HTTP, then replay it for every role and audit it.

    The service is started as a process of its own, on a free port, with its database in a data folder.
    """
    names = bots.split(",")
    for name in names:
        check_known(name, BRAINS, "bot", "--bots")
    wish = Wish(edition=edition, seats=seats, bots=names, haunt=haunt, seed=seed)
    if temporary:
        with tempfile.TemporaryDirectory(prefix="omenlog-demo-") as folder:
            good = show(wish, Path(folder), Console(), kept=False)
    else:
        good = show(wish, data, Console(), kept=True)
    sys.exit(0 if good else 1)


def show(wish: Wish, data: Path, console: Console, *, kept: bool) -> bool:
    """The whole demonstration; what is `kept` outlasts it, so that files are named.

    Returns:
        Whether everything was exact.
    """
    say = Watcher(console).say
    with ServiceProcess(data) as service, Api(service.url) as api:
        where = f", its database is {data}/{DATABASE}" if kept else ""
        say(f"the service listens on {service.url}{where}")
        opened = open_game(api, wish)
        game = opened.game.id
        say(f"game {game}: {wish.edition} edition, {wish.seats} seats, bots {', '.join(wish.bots)}")
        ended = play(api, opened, wish, console)
        file = data / f"{game}.ndjson"
        file.write_bytes(api.get(f"/v1/games/{game}/export", opened.tokens.host.secret))
        export = open_export(file)
        say("")
        say(house_as_text(rules_of(export), replay(export, SPECTATORS), columns(console)))
        say(f"the game is {ended.status}: {f'{ended.winner} won' if ended.winner else 'nobody won'}. {ended.because}")
        if kept:
            say(f"exported to {file}; `omenlog verify {file}` audits it again")
        evidence = gather(api, export, rules_of(export), tokens_of(opened))
    tell(evidence, export, console)
    return evidence.exact


def open_game(api: Api, wish: Wish) -> GameOpenedAnswer:
    """Open the game hotseat, so that all tokens come at once, and start it."""
    body: dict[str, object] = {
        "edition": wish.edition,
        "seats": [{} for _ in range(wish.seats)],
        "options": wish.options(),
        "hotseat": True,
    }
    if wish.seed:
        rehearsed = prepared(wish)
        body["randomness"] = {"source": "tape", "answers": rehearsed.answers}
        body["setup"] = {"first_seat": rehearsed.first_seat}
    opened = msgspec.json.decode(api.post("/v1/games", opening_key(), body), type=GameOpenedAnswer)
    api.post(f"/v1/games/{opened.game.id}/start", opened.tokens.host.secret)
    return opened


def prepared(wish: Wish) -> Rehearsed:
    """A rehearsal of the game in process: its dice are the tape for the real one."""
    return rehearse(wish.edition, [wish.bot(seat) for seat in range(wish.seats)], wish.options(), wish.seed)


def play(api: Api, opened: GameOpenedAnswer, wish: Wish, console: Console) -> Ended:
    """Let the bots play to the end, and show it."""
    seeds = wish.seed or opened.game.id
    players = [
        Player(seat, token.secret, BRAINS[wish.bot(seat)], Memory(seed=f"{seeds}/{seat}"))
        for seat, token in enumerate(opened.tokens.seats)
    ]
    with Watcher(console) as watcher:
        ended = Runner(api, opened.game.id, players, watch=watcher.step).play()
        watcher.seen(api.view(opened.game.id, opened.tokens.seats[0].secret, ended.version))
    return ended


def tokens_of(opened: GameOpenedAnswer) -> dict[str, str]:
    """By role: the token of everybody who looks at the game."""
    tokens = {f"seat:{seat}": token.secret for seat, token in enumerate(opened.tokens.seats)}
    if opened.tokens.spectators:
        tokens["spectators"] = opened.tokens.spectators[0].secret
    if opened.tokens.referee is not None:
        tokens["referee"] = opened.tokens.referee.secret
    return tokens


def tell(evidence: Evidence, export: Export, console: Console) -> None:
    """Say what replay and audit have found."""
    say = Watcher(console).say
    for difference in evidence.differences:
        say(f"the file shows something else: {difference}")
    verdict = evidence.verdict
    say(
        f"replayed from the file alone for {evidence.roles} roles: {evidence.compared - len(evidence.differences)} of "
        f"{evidence.compared} answers of the API are the same bytes"
    )
    how = "the revealed seed" if export.header.disclosed is not None else "the recorded dice"
    outcome = "EXACT" if evidence.exact else verdict.outcome.value if not evidence.differences else "DIVERGED"
    say(
        f"{outcome}: {verdict.commits} of {counted(export.header.version, 'commit')} with {counted(evidence.events, 'event')} stand in the hash "
        f"chain and were decided again from {how} ({evidence.seconds:.1f} s){': ' + verdict.because if verdict.because else ''}"
    )
