"""`omenlog openapi` and `omenlog docs`: files that are generated and committed, and compared with what the code says."""

from __future__ import annotations

import asyncio
import base64
import difflib
import hashlib
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import rich_click as click

from content.commands import docs_command
from service.app import make_app
from service.bootstrap import open_service
from service.cli.examples import collect
from service.cli.screen import as_typed
from service.openapi.asyncapi import build_asyncapi
from service.openapi.document import Examples, build
from service.outside import Purpose
from service.settings import Settings
from service.webhooks.sender import EndpointRefused, Line, SendOutcome, parse


class Fixed:
    """`Outside` without chance: a clock that ticks by itself, ids and secrets that are digests of what they are for."""

    def __init__(self, salt: str = "", seed: str = "") -> None:
        """Begin at a fixed second.

        Args:
            salt: changes all ids and secrets.
            seed: changes seeds alone, so that two games differ in nothing but what chance does.
        """
        self._salt = salt
        self._seed = seed
        self._made: Counter[str] = Counter()

    def restart(self, salt: str) -> None:
        """Begin again with another salt."""
        self._salt = salt
        self._made.clear()

    def leap(self, seconds: int) -> None:
        """Let time pass."""
        self._made["now"] += seconds

    def now(self) -> str:
        """See `Outside.now`: a second later at each call, from the first of January 2026."""
        self._made["now"] += 1
        minutes, second = divmod(self._made["now"], 60)
        hours, minute = divmod(minutes, 60)
        return f"2026-01-{1 + hours // 24:02d}T{hours % 24:02d}:{minute:02d}:{second:02d}.000Z"

    def game_id(self) -> str:
        return base64.b32encode(self._next("game", ""))[:20].decode().lower()

    def secret(self, purpose: Purpose) -> bytes:
        return self._next(purpose, self._seed if purpose == "seed" else "")

    def _next(self, what: str, more: str) -> bytes:
        self._made[what] += 1
        return hashlib.sha256(f"{self._salt}:{what}:{self._made[what]}:{more}".encode()).digest()


class Nobody:
    """`Sender` that reaches nobody and finds everybody willing, but for this machine."""

    async def ask(self, url: str) -> None:
        if parse(url, private=False).host == "localhost":
            raise EndpointRefused("the host's name leads to an address that is not to be used")

    @asynccontextmanager
    async def line(self, url: str) -> AsyncIterator[Line]:  # noqa: ARG002 -- whoever it is for gets nothing
        yield self

    async def send(self, headers: Mapping[str, str], body: bytes) -> SendOutcome:  # noqa: ARG002 -- as above
        return SendOutcome(200)

    async def close(self) -> None:
        """See `Sender.close`."""


FOLDER = Path(__file__).parents[2] / "openapi"
FILE = FOLDER / "openapi.json"
STREAMS = FOLDER / "asyncapi.json"


class Drift(Exception):
    """A committed document isn't what the code says. The message shows where they part."""


def write(folder: Path = FOLDER) -> list[Path]:
    """Write both documents anew; returns their files."""
    folder.mkdir(exist_ok=True)
    files = []
    for name, text in generate().items():
        file = folder / name
        file.write_text(text, encoding="utf-8")
        files.append(file)
    return files


def compare(folder: Path = FOLDER, generated: Mapping[str, str] | None = None) -> None:
    """Compare the committed documents with the code.

    Args:
        folder: where the committed ones are.
        generated: what `generate` gave, by whoever has it already.

    Raises:
        Drift: one differs; `omenlog openapi` writes both anew.
    """
    lines: list[str] = []
    for name, now in (generated or generate()).items():
        file = folder / name
        committed = file.read_text(encoding="utf-8") if file.exists() else ""
        if committed != now:
            found = difflib.unified_diff(
                committed.splitlines(), now.splitlines(), f"{name} committed", f"{name} by the code", lineterm="", n=1
            )
            lines += list(found)[:60]
    if lines:
        raise Drift("\n".join(lines))


def generate() -> dict[str, str]:
    """The documents as text, by file name: made from the handlers, with examples from a short game that is the same each time."""
    examples = asyncio.run(_examples())
    found = {FILE.name: build(examples), STREAMS.name: build_asyncapi(examples)}
    return {name: json.dumps(document, indent=2, ensure_ascii=False) + "\n" for name, document in found.items()}


async def _examples() -> Examples:
    # One small pack, so that the examples change only with what they show.
    settings = Settings(store="memory:", packs="second-edition")
    service = await open_service(settings, Fixed(), Nobody())
    elsewhere = await open_service(settings, Fixed("elsewhere"), Nobody())
    try:
        return await collect(make_app(service), make_app(elsewhere))
    finally:
        await service.close()
        await elsewhere.close()


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; say where a committed file differs, and exit with 1.")
def openapi(*, check: bool) -> None:
    """Write the contract anew, from the handlers, their types and a short game's answers.

    Requests are in openapi/openapi.json; streams (events out, commands in over a WebSocket) and what webhooks send in openapi/asyncapi.json.
    """
    if not check:
        for file in write():
            click.echo(f"wrote {file}")
        return
    try:
        compare()
    except Drift as drift:
        click.echo(str(drift))
        raise click.ClickException(
            as_typed("openapi/ is not what the code says; `omenlog openapi` writes it anew")
        ) from None


@click.command()
def docs() -> None:
    """Write the manual and the schemas of content/ anew, from the vocabulary."""
    sys.exit(docs_command())
