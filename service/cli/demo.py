"""`omenlog demo`: a whole game over HTTP, played by bots, then replayed and audited from its export."""

import sys
import tempfile
from pathlib import Path

import msgspec
import rich_click as click
from rich.console import Console

from domain.audience import SPECTATORS
from domain.editions import EDITIONS
from projections.names import counted
from projections.picture import house_as_text
from service.bots.brain import Memory
from service.bots.brains import BRAINS
from service.bots.client import Api
from service.bots.playtest import Rehearsed, rehearse
from service.bots.runner import Ended, Player, Runner
from service.cli.evidence import Evidence, gather
from service.cli.faults import check_known
from service.cli.lasting import DATABASE
from service.cli.process import ServiceProcess
from service.cli.screen import columns
from service.cli.watching import Watcher
from service.games.lobby.answers import GameOpenedAnswer
from service.log.exported import Export, open_export, replay
from service.log.recorded import rules_of
from service.settings import opening_key

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
