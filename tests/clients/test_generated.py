"""Clients that public generators make of the committed contract, and the games that they play."""

import compileall
import json
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from openapi.writer.write import FILE
from tests.node import installed, node, run

HERE = Path(__file__).parent
PYTHON = HERE / "python"
TYPESCRIPT = HERE / "typescript"


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package `omenlog_client`."""
    folder = tmp_path_factory.mktemp("python")
    generate = (sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none", "--fail-on-warning")
    config, output = PYTHON / "generator.yaml", folder / "omenlog_client"
    run(*generate, "--path", FILE, "--config", config, "--output-path", output, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def typescript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `schema.ts`, `play.js` and `desk.js`, checked and compiled."""
    folder = tmp_path_factory.mktemp("typescript")
    for name in ("tsconfig.json", "play.ts", "desk.ts"):
        shutil.copy(TYPESCRIPT / name, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "node_modules").symlink_to(installed())
    # What has a default may be left out of a request.
    node("openapi-typescript/bin/cli.js", FILE, "--output", "schema.ts", "--default-non-nullable", "false", cwd=folder)
    node("typescript/bin/tsc", cwd=folder)
    return folder


def check(client: httpx.Client, told: dict[str, Any]) -> None:
    """The game is over, and the client was told of all of it."""
    public = client.get(f"/v1/games/{told['game']}").json()
    assert told["status"] == public["status"] == "finished"
    assert told["because"] == public["because"]
    assert told["stale"] == "stale-version"
    assert told["after"] == public["version"] > told["done"] > 20
    assert told["events"] > told["done"]
    assert told["ended"] == 1


def test_the_python_client_plays_a_game_to_the_end(python: Path, address: str, client: httpx.Client) -> None:
    told = run(sys.executable, PYTHON / "play.py", address, "3", cwd=python, PYTHONPATH=str(python))
    check(client, json.loads(told))


def sat_at_the_desk(client: httpx.Client, told: dict[str, Any]) -> None:
    """The client has disputed, was ruled on, and was told of all of it."""
    assert (told["outcome"], told["rewound"], told["legal"]) == ("rewind", 1, False)
    assert (told["refused"], told["refusals"]) == ("decision-closed", 1)
    assert told["again"] == told["version"] == client.get(f"/v1/games/{told['game']}").json()["version"]
    assert told["claim"] == ["That was another room."]
    assert told["steps"] > 3
    assert told["changes"] > 0
    assert told["odds"] == [["10", "27"]], "of 27 ways that three dice fall, these show 4 or more"
    assert told["forks"] == [told["fork"]]
    fork = client.get(f"/v1/games/{told['fork']}").json()["fork"]
    assert fork["of"] == told["game"]


@pytest.mark.prove  # what the generator makes is built and used by the game above
def test_the_python_client_goes_to_the_desk(python: Path, address: str, client: httpx.Client) -> None:
    told = run(sys.executable, PYTHON / "desk.py", address, cwd=python, PYTHONPATH=str(python))
    sat_at_the_desk(client, json.loads(told))


@pytest.mark.prove  # npm takes its time
def test_the_typescript_client_goes_to_the_desk(typescript: Path, address: str, client: httpx.Client) -> None:
    sat_at_the_desk(client, json.loads(run("node", "desk.js", address, cwd=typescript)))


@pytest.mark.prove  # npm takes its time
def test_the_typescript_client_is_type_correct_and_plays_a_game_to_the_end(
    typescript: Path, address: str, client: httpx.Client
) -> None:
    told = run("node", "play.js", address, "3", cwd=typescript)
    check(client, json.loads(told))


@pytest.mark.prove  # npm takes its time
def test_both_clients_have_every_operation_of_the_contract(python: Path, typescript: Path) -> None:
    paths = json.loads(FILE.read_text(encoding="utf-8"))["paths"]
    wanted = {operation["operationId"] for path in paths.values() for operation in path.values()}
    modules = {file.stem for file in python.glob("omenlog_client/api/*/*.py")} - {"__init__"}
    assert modules == {re.sub(r"(?=[A-Z])", "_", name).lower() for name in wanted}
    assert compileall.compile_dir(python / "omenlog_client", quiet=1, workers=1)
    operations = (typescript / "schema.ts").read_text().partition("export interface operations {")[2]
    hooks = {"receiveCommit"}  # what the service asks of its subscribers
    assert set(re.findall(r"^    (\w+): \{", operations, re.MULTILINE)) == wanted | hooks


@pytest.mark.prove
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_both_clients_play_games_of_every_size(
    python: Path, typescript: Path, address: str, client: httpx.Client, seats: int
) -> None:
    programs: Sequence[tuple[Sequence[str | Path], Path]] = [
        ((sys.executable, PYTHON / "play.py"), python),
        (("node", "play.js"), typescript),
    ]
    for program, folder in programs:
        told = run(*program, address, str(seats), cwd=folder, PYTHONPATH=str(folder))
        check(client, json.loads(told))


@pytest.mark.prove
def test_programs_that_use_the_python_client_are_type_correct(python: Path) -> None:
    """The programs alone: some of what the generator writes is right, but not to mypy."""
    for name in ("play.py", "desk.py"):
        shutil.copy(PYTHON / name, python)
    (python / "mypy.ini").write_text("[mypy]\n")
    run(
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--follow-imports=silent",
        "--config-file",
        "mypy.ini",
        "play.py",
        "desk.py",
        cwd=python,
    )
