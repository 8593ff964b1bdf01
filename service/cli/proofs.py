"""`omenlog witness` and `omenlog import`: keeping heads of a game's chain, and bringing an exported game to a service."""

import sys
import time
from pathlib import Path

import msgspec
import rich_click as click

from projections.names import counted
from service.audit.role_chain import Head, open_heads
from service.bots.client import Api
from service.cli.screen import say
from service.games.lobby.importing import GameImported
from service.games.read.proving import HeadPage
from service.log.exported import open_export
from service.settings import opening_key

URL = click.option("--url", default="http://127.0.0.1:8000", help="The service.")
PAGE = 1000
NDJSON = "application/x-ndjson"

_encode = msgspec.json.Encoder().encode


@click.command()
@click.argument("game")
@URL
@click.option(
    "--heads",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The file in which heads are kept; it is made if missing.",
)
@click.option("--every", default=0.0, type=click.FloatRange(0), help="Seconds between two looks; 0: look once.")
def witness(*, game: str, url: str, heads: Path, every: float) -> None:
    """Keep the heads of GAME's hash chain in a file of your own, and check that those kept before still hold.

    No token is needed. Exits with 1 when the service tells another hash of a commit than it told before: then it has
    replaced the log. `omenlog verify --heads` holds an exported game against the file.
    """
    with Api(url) as api:
        while True:
            status = _look(api, game, heads)
            if not every or status in ("finished", "abandoned"):
                return
            time.sleep(every)


def _look(api: Api, game: str, file: Path) -> str:
    """Fetch all heads, hold those that are known against them, keep the others; returns the game's status."""
    known = {one.number: one.hash for one in open_heads(file, game)} if file.exists() else {}
    # The status first: what it says to be over has no later heads.
    status = msgspec.json.decode(api.get(f"/v1/games/{game}"), type=_Game).status
    told = _fetched(api, game)
    for number, hash_ in known.items():
        if told.get(number) != hash_:
            now = told.get(number, "none any more")
            say(f"DIVERGED at commit {number}: its hash was {hash_}, now the service tells {now}")
            sys.exit(1)
    news = [Head(game=game, number=number, hash=one) for number, one in told.items() if number not in known]
    with file.open("ab") as out:
        out.writelines(_encode(head) + b"\n" for head in news)
    last = max(told, default=0)
    agree = "head agrees" if len(known) == 1 else "heads agree"
    say(f"{len(known)} {agree}, {len(news)} new, up to commit {last} ({status}): {told.get(last, '')}")
    return status


class _Game(msgspec.Struct):
    """What is read of a game."""

    status: str


def _fetched(api: Api, game: str) -> dict[int, str]:
    """All heads that the service shows, by number."""
    found: dict[int, str] = {}
    after, version = 0, 1
    while after < version:
        page = msgspec.json.decode(api.get(f"/v1/games/{game}/heads", after=after, limit=PAGE), type=HeadPage)
        found |= {head.number: head.hash for head in page.heads}
        after, version = page.next, page.version
        if not page.heads:
            break
    return found


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@URL
def import_game(file: Path, url: str) -> None:
    """Bring the game in FILE, a full export, to a service, where it can be read and doesn't go on.

    The service audits it first and refuses what doesn't verify, what it has already, and what a newer revision of the
    rules decided. Tokens for every role are printed once. Where the service has an opening key, OMENLOG_OPENING_KEY holds it.
    """
    open_export(file)  # so that a wrong file is told before anything is sent
    with Api(url) as api:
        sent = api.upload("/v1/games/import", file.read_bytes(), NDJSON, opening_key())
        answer = msgspec.json.decode(sent, type=GameImported)
    because = f" ({answer.because})" if answer.because else ""
    say(f"imported game {answer.game.id}, {counted(answer.game.version, 'commit')}: {answer.outcome}{because}")
    tokens = answer.tokens
    for one in (tokens.referee, *tokens.seats, *tokens.spectators):
        if one is not None:
            say(f"  {one.id:12} {one.secret}")
