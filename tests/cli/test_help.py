"""Help everywhere, with the default of every option."""

import io
import re
import tomllib
from pathlib import Path

import pytest
from rich.console import Console

from service.cli.common import say
from tests.cli.invoking import omenlog

ROOT = Path(__file__).parents[2]

COMMANDS = (
    "new",
    "invite",
    "join",
    "play",
    "demo",
    "serve",
    "work",
    "webhooks",
    "webhooks list",
    "webhooks add",
    "webhooks remove",
    "webhooks redeliver",
    "webhooks test",
    "webhooks attempts",
    "webhooks rotate",
    "bot",
    "mcp",
    "content",
    "content check",
    "content new-haunt",
    "content schema",
    "content playtest",
    "content reach",
    "content manual",
    "strength",
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
    "completion",
)
OPTIONAL = {
    "--queue",
    "--json",
    "--help",
    "--check",
    "--never",
    "--record",
    "--strict",
    "--temporary",
    "--full",
    "--reload-packs",
    "--all",
    "--precedents",
    "--no-legal",
    "--referee",
    "--sentences",
    "--names",
    "--side-by-side",
    "--told",
}
"""Flags are off unless given; their help needs no default."""
REQUIRED = {"--seat", "--token"}
"""`erase` and `trace` can do without --seat."""
REQUIRED_OF = {("new", "--seats"), ("witness", "--heads"), ("diff", "--from")}
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
            required = (name in REQUIRED and command not in ("erase", "trace")) or (command, name) in REQUIRED_OF
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
        "mcp",
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
    assert "No such command 'sreve'. Did you mean 'serve'?" in result.output
    assert "Did you mean 'playtest'?" in omenlog("content", "platest").output
    assert "Did you mean one of: '--seats', '--seed'?" in omenlog("demo", "--sede", "1").output


def test_the_version_is_told() -> None:
    assert omenlog("--version").output.startswith("omenlog ")


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_no_word_of_the_help_is_broken_on_eighty_columns(command: str) -> None:
    narrow = omenlog(*command.split(), "--help", env={"COLUMNS": "80"}).output
    wide = omenlog(*command.split(), "--help", env={"COLUMNS": "400"}).output

    assert max(map(len, narrow.splitlines())) <= 80
    assert "…" not in narrow.replace(" …", "")
    assert words(narrow) <= words(wide)


def words(text: str) -> set[str]:
    """Words without frames; what stands in brackets may end a line anywhere between words."""
    return set(re.sub(r"[│╭╮╰╯─\[\]()]", " ", text).split())


def test_commands_are_named_as_they_were_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMENLOG_COMMAND", "./dev omenlog")

    assert "Usage: ./dev omenlog audit" in omenlog("audit", "--help").output
    assert "`./dev omenlog work`" in omenlog("audit", "--help").output
    assert "Try './dev omenlog -h'" in omenlog("sreve").output
    assert "`./dev omenlog backup`" in omenlog("restore", "--help").output
    monkeypatch.delenv("OMENLOG_COMMAND")
    assert "`omenlog backup`" in omenlog("restore", "--help").output


def test_files_of_a_checkout_are_written_in_a_checkout_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert omenlog("openapi", "--help").exit_code == 0
    monkeypatch.setattr("service.cli.in_checkout", lambda: False)

    for command in ("openapi", "docs"):
        assert f"No such command '{command}'" in omenlog(command).output
        assert not re.search(rf"^\W+{command}\b", omenlog("--help").output, re.MULTILINE)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_script_and_its_completions(shell: str) -> None:
    script = omenlog("completion", shell)
    assert script.exit_code == 0
    assert "_OMENLOG_COMPLETE" in script.output

    asked = {"_OMENLOG_COMPLETE": f"{shell}_complete", "COMP_WORDS": "omenlog se", "COMP_CWORD": "1"}
    completed = omenlog(env=asked | ({"COMP_CWORD": "se"} if shell == "fish" else {})).output
    assert "serve" in completed
    assert "settings" in completed
    assert "audit" not in completed


@pytest.mark.parametrize(
    "command",
    ["audit", "trace", "view", "board", "diff", "disputes", "erase", "archive", "backup", "restore", "work", "serve"],
)
def test_whoever_looks_at_a_store_finds_the_one_in_a_data_folder(command: str) -> None:
    assert "--data" in omenlog(command, "--help").output


@pytest.mark.parametrize("command", ["bot", "fork", "odds roll", "odds attack", "webhooks list"])
def test_a_token_comes_from_the_environment(command: str) -> None:
    told = omenlog(*command.split(), "--help").output.replace("│", " ")
    assert "[env var: OMENLOG_TOKEN]" in " ".join(told.split())


def test_the_project_is_built_by_any_recent_release_of_its_backend() -> None:
    """`pip install .` takes what the index has, which may lag behind the pinned hatchling by a year."""
    (bounds,) = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    low, high = (tuple(map(int, found.split("."))) for found in re.findall(r"[\d.]+", bounds))
    pinned = re.search(r"^hatchling==([\d.]+)", (ROOT / "requirements" / "uv.txt").read_text(), re.MULTILINE)
    assert pinned is not None
    assert low <= (1, 27) < tuple(map(int, pinned[1].split("."))) < high


@pytest.mark.parametrize("terminal", [True, False])
def test_a_sentence_breaks_between_words_on_a_terminal_and_nowhere_in_a_pipe(*, terminal: bool) -> None:
    out = io.StringIO()
    sentence = "  never reached: " + ", ".join(f"haunt:the-brood-in-the-walls#{number}" for number in range(9))
    say(sentence, screen=Console(file=out, force_terminal=terminal, width=80, color_system=None))

    lines = out.getvalue().splitlines()
    assert " ".join(" ".join(lines).split()) == sentence.strip()
    assert (max(map(len, lines)) <= 80) == terminal
    assert (len(lines) == 1) != terminal
    assert all(line.startswith("  ") for line in lines)
    if terminal:
        say(sentence, screen=Console(file=out, force_terminal=True, width=80, color_system=None), hang=3)
        first, *more = out.getvalue().splitlines()[len(lines) :]
        assert first.startswith("  never")
        assert max(map(len, more)) <= 80
        assert all(re.match(r" {5}\S", line) for line in more)
