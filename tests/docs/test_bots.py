"""What the pages for authors of bots and learners show is what happens."""

import doctest
import json
import re

import pytest

import omenlog
from service.cli.mcp import mcp
from tests.docs.pages import ROOT, blocks

PAGE = "docs/bots.md"
TEXT = (ROOT / PAGE).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [PAGE, "docs/rl.md"])
def test_every_line_that_is_typed_gives_what_is_shown(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    session = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL)).replace("…", "...")
    test = doctest.DocTestParser().get_doctest(session, {}, page, page, 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)
    assert runner.tries > 20


def test_the_configuration_of_mcp_clients_starts_the_command() -> None:
    """`./dev prove` plays a game by it."""
    (shown,) = blocks(PAGE, "json", "Language models")
    (server,) = json.loads(shown)["mcpServers"].values()
    assert (server["command"], server["args"][0], list(server["env"])) == ("omenlog", "mcp", ["OMENLOG_TOKEN"])
    assert mcp.make_context("mcp", server["args"][1:]).params["game"] == server["args"][1]


def test_everything_that_is_exported_is_listed() -> None:
    listed = TEXT.partition("## What there is")[2]
    table = [name for name in vars(omenlog.Table) if not name.startswith("_")]
    assert [name for name in [*omenlog.__all__, *table] if not re.search(rf"\b{name}\b", listed)] == []
