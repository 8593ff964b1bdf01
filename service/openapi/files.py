"""The committed file: written, and compared with what the code says."""

from __future__ import annotations

import asyncio
import difflib
import json
from pathlib import Path

from service.app import make_app
from service.bootstrap import open_service
from service.openapi.document import build
from service.openapi.examples import collect
from service.openapi.fixed import Fixed, Nobody
from service.settings import Settings

FILE = Path(__file__).parents[2] / "openapi" / "openapi.json"


class Drift(Exception):
    """The committed document isn't what the code says. The message shows where they part."""


def write(file: Path = FILE) -> None:
    """Write the document anew."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(generate(), encoding="utf-8")


def check(file: Path = FILE) -> None:
    """Compare the committed document with the code.

    Raises:
        Drift: they differ; `omenlog openapi` writes it anew.
    """
    committed = file.read_text(encoding="utf-8") if file.exists() else ""
    if committed != (now := generate()):
        lines = difflib.unified_diff(committed.splitlines(), now.splitlines(), "committed", "code", lineterm="", n=1)
        raise Drift("\n".join(list(lines)[:60]))


def generate() -> str:
    """The document as text: made from the handlers, with examples from a short game that is the same each time."""
    return json.dumps(asyncio.run(_generate()), indent=2, ensure_ascii=False) + "\n"


async def _generate() -> dict[str, object]:
    # One small pack, so that the examples change only with what they show.
    settings = Settings(store="memory:", packs="second-edition")
    service = await open_service(settings, Fixed(), Nobody())
    elsewhere = await open_service(settings, Fixed("elsewhere"), Nobody())
    try:
        return build(await collect(make_app(service), make_app(elsewhere)))
    finally:
        await service.close()
        await elsewhere.close()
