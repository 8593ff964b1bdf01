"""What can go wrong in the world is told in a sentence, without a traceback."""

import io
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from rich.console import Console
from rich.text import Text

from service.bots.client import Api, ApiError
from service.cli import explained
from service.cli.common import say
from tests.cli.invoking import omenlog


def fails(*arguments: str, code: int = 1) -> str:
    result = omenlog(*arguments)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return " ".join(result.output.split())


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert f"{tmp_path}/nothing: no such file or folder" in fails("verify", f"{tmp_path}/nothing")
    assert "no such file or folder" in fails("replay", f"{tmp_path}/nothing")


def test_a_book_in_an_edition_that_does_not_play_its_pack() -> None:
    assert "with second or play-by-post, not with third" in fails(
        *("content", "book", "the-three-keys", "--pack", "second-edition", "--edition", "third"), code=2
    ).replace("│ ", "")


def test_a_file_that_is_no_export(tmp_path: Path) -> None:
    file = tmp_path / "list.json"
    file.write_text("[1, 2]\n")

    assert "not an export: its first line is not a header" in fails("verify", str(file))


def test_a_folder_in_place_of_a_file(tmp_path: Path) -> None:
    assert "this is a folder, not a file" in fails("verify", str(tmp_path))


def test_a_file_in_place_of_the_data_folder(tmp_path: Path) -> None:
    file = tmp_path / "data"
    file.write_text("")

    assert "is a file" in fails("serve", "--data", str(file), code=2)
    assert "part of the path is a file, not a folder" in fails("serve", "--data", str(file / "deeper"), code=2)


def test_no_permission_for_the_data_folder() -> None:
    fault = PermissionError(13, "Permission denied", "/root/data")

    assert explained(fault) == "/root/data: permission denied"


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"127.0.0.1:{port}: already in use" in fails("serve", "--data", str(tmp_path), "--port", port, code=2)


def test_a_setting_that_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMENLOG_PROT", "8000")

    assert "unknown settings: OMENLOG_PROT" in fails("settings")


@pytest.mark.parametrize(
    "arguments,complaint",
    [
        (("demo", "--bots", "clever"), "no bot 'clever'; there are steady, curious, random"),
        (("demo", "--bots", "stedy"), "no bot 'stedy': did you mean `steady`? There are steady, curious, random"),
        (("content", "playtest", "--haunt", "the-bel-below"), "did you mean `the-bell-below`?"),
        (("content", "reach", "--pack", "second-editon"), "did you mean `second-edition`?"),
        (("demo", "--seats", "7"), "7 is not in the range"),
        (("content", "playtest", "--pack", "fifth"), "no pack 'fifth'; there are second-edition, third-edition"),
        (("content", "playtest", "--haunt", "xyzzy"), "no haunt 'xyzzy'; there are the-bell-below"),
        (("content", "playtest", "--seats", "4..2"), "neither a number of seats nor a range"),
        (("content", "playtest", "--seats", "2"), "this pack seats 3 to 6"),
        (("content", "check", ""), "a path is empty; for the current folder write ."),
        (("demo", "--scenario", "for-sale"), "no scenario 'for-sale'; there are none in this pack"),
        (("demo", "--haunt", "the-bel-below"), "no haunt 'the-bel-below': did you mean `the-bell-below`?"),
    ],
)
def test_options_that_name_nothing(arguments: tuple[str, ...], complaint: str) -> None:
    assert complaint in fails(*arguments, code=2)


def test_what_is_said_cannot_steer_the_terminal() -> None:
    heard = io.StringIO()
    evil = "My \x1b[31mred \u202ehaunt"
    for text in (evil, Text(evil)):
        say(text, screen=Console(file=heard, width=60, force_terminal=True))
    assert heard.getvalue() == "My \u241b[31mred \ufffdhaunt\n" * 2


def test_a_service_that_refuses() -> None:
    told = explained(ApiError(401, "unauthorized", "Send a token that holds."))

    assert told == "the service refused: 401 unauthorized: Send a token that holds."


def test_a_refusal_is_told_with_its_rule() -> None:
    refused = {"code": "unfit-options", "detail": "There is no scenario for-sail.", "rule": {"id": "3E-SETUP-012"}}
    answers = httpx.MockTransport(lambda _: httpx.Response(422, json=refused))
    with Api("http://here", transport=answers) as api, pytest.raises(ApiError) as caught:
        api.post("/v1/games", body={})

    told = "the service refused: 422 unfit-options: There is no scenario for-sail. (3E-SETUP-012)"
    assert explained(caught.value) == told


@pytest.mark.parametrize("command", [("audit",), ("trace", "a" * 20), ("disputes", "a" * 20), ("erase", "a" * 20)])
def test_a_store_that_is_not_there_is_not_made(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMENLOG_STORE", f"sqlite:///{tmp_path}/mistyped/log.db")

    assert f"no such file: {tmp_path}/mistyped/log.db" in fails(*command, code=2)
    assert not (tmp_path / "mistyped").exists()


@pytest.mark.parametrize("url", ["http://[::1", "127.0.0.1:8000", "ftp://example.com"])
def test_what_is_no_address_of_a_service(url: str) -> None:
    assert "--url: invalid service address" in fails("fork", "a" * 20, "--token", "t", "--url", url, code=2)


@pytest.mark.parametrize("token", ["é", "two words", "a\nline"])
def test_what_can_be_no_token(token: str) -> None:
    assert "--token: a token consists of ASCII letters" in fails("fork", "a" * 20, "--token", token, code=2)


def test_a_tape_that_is_no_text(tmp_path: Path) -> None:
    tape = tmp_path / "tape.json"
    tape.write_bytes(b'[{"pick": "\xff"}]')

    assert "Invalid value for --tape" in fails("fork", "a" * 20, "--token", "t", "--tape", str(tape), code=2)


def test_ctrl_c_is_how_serving_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMENLOG_PACKS", "second-edition")
    arguments = [sys.executable, "-m", "service.cli", "serve", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as service:
        assert service.stdout is not None
        assert "Omenlog listens on http://127.0.0.1:" in service.stdout.readline()
        service.send_signal(signal.SIGINT)
        assert service.wait(20) == 0
    assert (tmp_path / "omenlog.db").exists()


def test_a_reader_that_has_seen_enough_is_no_fault() -> None:
    """As in `omenlog content playtest --help | head -1`."""
    command = f"{sys.executable} -m service.cli content playtest --help | (read line)"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)

    assert done.stderr == ""


@pytest.mark.parametrize(
    "answer, said",
    [
        (
            httpx.Response(403, json={"code": "forbidden", "title": "Not yours", "detail": "Only the host."}),
            "Only the host.",
        ),
        (httpx.Response(403, json={"code": "forbidden", "title": "Not yours", "detail": ""}), "Not yours"),
        (httpx.Response(403, json={"code": "forbidden", "title": "Not yours"}), "Not yours"),
        (httpx.Response(404), "HTTP 404 Not Found"),
        (httpx.Response(404, text="no such page"), "no such page"),
    ],
)
def test_a_refusal_without_words_of_its_own_is_told_by_its_title(answer: httpx.Response, said: str) -> None:
    with (
        Api("http://service.test", transport=httpx.MockTransport(lambda _: answer)) as api,
        pytest.raises(ApiError) as refused,
    ):
        api.get("/v1/games")
    assert refused.value.detail == said
