"""`omenlog openapi`: the contract is generated and committed, and compared with what the code says."""

from __future__ import annotations

import asyncio
import difflib
import json
from collections.abc import Mapping
from pathlib import Path

import rich_click as click

from openapi.writer.document import Examples, build, operations
from openapi.writer.events import build_events, page
from openapi.writer.examples import collect
from openapi.writer.facts import Incomplete, gaps
from openapi.writer.lasting import Lasting
from openapi.writer.outside import Fixed, Nobody
from openapi.writer.streams import build_asyncapi
from service.app import make_app
from service.bootstrap import open_service
from service.cli.common import as_typed
from service.settings import Settings

ROOT = Path(__file__).parents[2]
FILE = ROOT / "openapi" / "openapi.json"
STREAMS = ROOT / "openapi" / "asyncapi.json"
EVENTS = ROOT / "openapi" / "events.json"
PAGE = ROOT / "docs" / "events.md"


class Drift(Exception):
    """A committed document isn't what the code says. The message shows where they part, and ends with the command that repairs it."""


def write(root: Path = ROOT) -> list[Path]:
    """Write all documents anew; returns their files."""
    files = []
    for name, text in generate().items():
        file = root / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        files.append(file)
    return files


def compare(root: Path = ROOT, generated: Mapping[str, str] | None = None) -> None:
    """Compare the committed documents with the code.

    Args:
        root: the folder of the project, or another with the committed ones.
        generated: what `generate` gave, by whoever has it already.

    Raises:
        Drift: one differs; `omenlog openapi` writes all anew.
    """
    lines: list[str] = []
    for name, now in (generated or generate()).items():
        file = root / name
        committed = file.read_text(encoding="utf-8") if file.exists() else ""
        if committed != now:
            found = difflib.unified_diff(
                committed.splitlines(), now.splitlines(), f"{name} committed", f"{name} by the code", lineterm="", n=1
            )
            lines += list(found)[:60]
    if lines:
        lines.append(as_typed("The contract is not what the code says: `omenlog openapi` writes it anew."))
        raise Drift("\n".join(lines))


def generate() -> dict[str, str]:
    """The documents as text, by their place in the project: made from the handlers, with examples from a short game that is the same each time.

    Raises:
        Incomplete: an operation lacks a fact, or its example fails.
    """
    handlers = operations()
    examples = asyncio.run(_examples())
    if missing := gaps(handlers, examples):
        raise Incomplete("\n".join(missing))
    found = {FILE: build(examples), STREAMS: build_asyncapi(examples), EVENTS: build_events()}
    texts = {file: json.dumps(document, indent=2, ensure_ascii=False) + "\n" for file, document in found.items()}
    texts[PAGE] = page()
    return {file.relative_to(ROOT).as_posix(): text for file, text in texts.items()}


async def _examples() -> Examples:
    # The built-in packs alone: what they hold is left out of the examples, which change only with what they show.
    settings = Settings(store="memory:", packs="second-edition,third-edition")
    service = await open_service(settings, Fixed(), Nobody())
    elsewhere = await open_service(settings, Fixed("elsewhere"), Nobody())
    packs = [one.pack for one in service.library.offered.values()]
    try:
        return await collect(make_app(service), make_app(elsewhere), operations(), Lasting(packs))
    finally:
        await service.close()
        await elsewhere.close()


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; say where a committed file differs, and exit with 1.")
def openapi(*, check: bool) -> None:
    """Write the contract anew, from the handlers, their types and a short game's answers.

    Requests are in openapi/openapi.json; streams (events out, commands in over a WebSocket) and what webhooks send in openapi/asyncapi.json;
    each type of event in openapi/events.json, and for people in docs/events.md.
    """
    try:
        if check:
            compare()
            return
        for file in write():
            click.echo(f"wrote {file}")
    except Incomplete as missing:
        raise click.ClickException(str(missing)) from None
    except Drift as drift:
        difference, _, repair = str(drift).rpartition("\n")
        click.echo(difference)
        raise click.ClickException(repair) from None
