"""Help everywhere, with the default of every option."""

import pytest

from tests.cli.invoking import omenlog

COMMANDS = (
    "demo",
    "serve",
    "work",
    "webhooks",
    "webhooks list",
    "webhooks add",
    "webhooks remove",
    "webhooks redeliver",
    "webhooks rotate",
    "bot",
    "content",
    "content check",
    "content playtest",
    "content reach",
    "content manual",
    "verify",
    "audit",
    "replay",
    "trace",
    "view",
    "board",
    "diff",
    "fork",
    "odds",
    "odds dice",
    "odds roll",
    "odds attack",
    "witness",
    "import",
    "openapi",
    "docs",
    "backup",
    "restore",
    "archive",
    "disputes",
    "erase",
    "settings",
)
OPTIONAL = {"--queue", "--json", "--help", "--check", "--never", "--record", "--temporary", "--full"}
"""Flags are off unless given; their help needs no default."""
REQUIRED = {"--seat", "--token"}
"""`erase` can do without --seat."""
REQUIRED_OF = {("witness", "--heads"), ("diff", "--from")}
"""Others can do without."""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    result = omenlog(*command.split(), "--help")

    assert result.exit_code == 0, result.output
    assert f"Usage: omenlog {command}" in result.output
    panel = " ".join(result.output.partition("Options")[2].replace("│", " ").split())
    for option in panel.split(" --")[1:]:
        name = f"--{option.split()[0]}"
        if name not in OPTIONAL:
            required = (name in REQUIRED and command != "erase") or (command, name) in REQUIRED_OF
            assert ("[required]" if required else "[default: ") in option, option


def test_omenlog_lists_its_commands_with_a_sentence_each() -> None:
    result = omenlog("--help")

    assert result.exit_code == 0
    for command in (
        "demo",
        "serve",
        "work",
        "webhooks",
        "bot",
        "content",
        "verify",
        "replay",
        "view",
        "board",
        "diff",
        "openapi",
        "docs",
        "settings",
    ):
        assert any(line.split()[1:2] == [command] and len(line.split()) > 4 for line in result.output.splitlines())


def test_an_unknown_command_is_named() -> None:
    result = omenlog("sreve")

    assert result.exit_code == 2
    assert "No such command 'sreve'" in result.output


def test_the_version_is_told() -> None:
    assert omenlog("--version").output.startswith("omenlog ")
