"""`omenlog trace`: from a store while people play, and from an exported file."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest

from domain.facts.commands import Move
from domain.facts.refusal import Refused
from service.bootstrap import Service
from service.games.read.tracing import PIECE
from tests.cli.invoking import omenlog
from tests.support.running import awaited, open_game, play, referee, seat, service_on

REFUSED = re.compile(r"^- \*refused after it\*.*\n", re.MULTILINE)


async def run(*arguments: str) -> str:
    result = await asyncio.to_thread(omenlog, "trace", *arguments)
    assert result.exit_code == 0, result.output
    return result.output


async def played(service: Service) -> str:
    """A game of some commands, in which something was refused after the last."""
    game = await open_game(service)
    await play(service, game, 40)
    with pytest.raises(Refused):
        await service.play.submit_command(await awaited(service, game), Move(decision="turn-99", to="attic"))
    return game


async def text(service: Service, game: str, number: int | None = None, first: int = 1) -> str:
    """The Markdown of the API, for a seat or the referee."""
    caller = referee(game) if number is None else seat(game, number)
    span = await service.tracing.span(caller, first, None, None)
    return b"".join([piece async for piece in service.tracing.markdown(span)]).decode()


async def test_a_store_and_its_exports_tell_the_same_but_for_what_was_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = f"sqlite:///{tmp_path / 'log.db'}"
    monkeypatch.setenv("OMENLOG_STORE", store)
    monkeypatch.setenv("OMENLOG_PACKS", "second-edition")
    service = await service_on(store)
    game = await played(service)
    whole = await text(service, game)
    assert len(REFUSED.findall(whole)) == 1
    assert await run(game) == whole
    assert await run(game, "--as", "seat:1", "--from", "7") == await text(service, game, 1, first=7)

    for caller, role in ((referee(game), "referee"), (seat(game, 1), "seat:1")):
        file = tmp_path / f"{role[:4]}.ndjson"
        file.write_bytes(b"".join([line async for line in service.exporting.lines(caller)]))
        expected = await text(service, game, None if role == "referee" else 1)
        assert await run(str(file), "--as", role) == await run(str(file)) == REFUSED.sub("", expected)
    full, own = tmp_path / "refe.ndjson", tmp_path / "seat.ndjson"
    assert await run(str(full), "--as", "seat:1") == await run(str(own))
    filters = ("--turn", "2", "--no-legal", "--grep", "end")
    found = await run(str(full), *filters)
    assert found == REFUSED.sub("", await run(game, *filters)), "the same is found in a file"
    assert "\n## " in found
    assert "*legal then*" not in found
    assert "\nNo step has turn 999.\n" in await run(str(full), "--turn", "999")
    nothing = await asyncio.to_thread(omenlog, "trace", game, "--turn", "999", "--format", "ndjson")
    assert (nothing.exit_code, nothing.stdout, nothing.stderr) == (0, "", "No step has turn 999.\n")
    lines = await run(str(full), "--from", "5", "--to", "9", "--format", "ndjson")
    assert [json.loads(line)["number"] for line in lines.splitlines()] == [5, 6, 7, 8, 9]
    await service.close()


async def test_what_makes_no_sense_is_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = f"sqlite:///{tmp_path / 'log.db'}"
    monkeypatch.setenv("OMENLOG_STORE", store)
    monkeypatch.setenv("OMENLOG_PACKS", "second-edition")
    service = await service_on(store)
    game = await open_game(service)
    file = tmp_path / "seat.ndjson"
    file.write_bytes(b"".join([line async for line in service.exporting.lines(seat(game, 1))]))
    for arguments, said in (
        ((game, "--from", "4", "--to", "3"), "--to 3 is before --from 4"),
        ((game, "--to", "9"), "The game is at version 5."),
        ((game, "--as", "seat:4"), "the game has seats 0 to 2"),
        ((str(file), "--told"), "does not say who was told"),
        (("a" * 20,), f"no game {'a' * 20} in the store"),
        ((str(tmp_path / "none.ndjson"),), "no such file"),
        ((str(file), "--from", "9"), "the game has 5 commits"),
        ((str(file), "--as", "referee"), "this export shows what seat:1 saw, not referee"),
        ((str(file), "--as", "seat:4"), "the game has seats 0 to 2"),
        ((game, "--seat", "3"), "There is no seat 3: the game has seats 0 to 2."),
        ((str(file), "--seat", "3"), "There is no seat 3: the game has seats 0 to 2."),
        ((game, "--rule", "2E-MOVE-999"), "2E-MOVE-999 is not a rule of this edition"),
        ((str(file), "--room", "atic"), "There is no room 'atic' in this game: did you mean `attic`?"),
        ((game, "--card", "atic"), "There is no card 'atic' in this game"),
        ((str(file), "--names"), "an export holds no players' names"),
    ):
        result = await asyncio.to_thread(omenlog, "trace", *arguments)
        assert result.exit_code == 2, result.output
        assert said in " ".join(result.output.replace("│", " ").split())
    await service.close()


async def test_however_long_a_trace_is_a_few_steps_are_in_memory_at_once() -> None:
    service = await service_on()
    game = await open_game(service)
    await play(service, game, 90)
    span = await service.tracing.span(referee(game), None, None, None)
    parts = [[step.number for step in part.steps] async for part in service.tracing.parts(span, 1, span.last)]
    assert max(map(len, parts)) == PIECE
    assert [number for part in parts for number in part] == list(range(1, span.last + 1))
    await service.close()


async def test_a_file_from_which_something_was_cut_is_told_in_a_line(tmp_path: Path) -> None:
    service = await service_on()
    game = await open_game(service)
    await play(service, game, 6)
    whole = b"".join([line async for line in service.exporting.lines(referee(game))]).splitlines(keepends=True)
    await service.close()
    cut, deep = tmp_path / "cut.ndjson", tmp_path / "deep.ndjson"
    cut.write_bytes(b"".join([*whole[:5], *whole[6:]]))  # without the commit by which the game started
    deep.write_bytes(whole[0][:-2] + b',"more":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n" + b"".join(whole[1:]))

    for file, told in (
        (cut, "commit 5 doesn't follow on what is before it"),
        (deep, "first line is no longer a header"),
    ):
        for command in (("trace",), ("replay",), ("view",), ("board",), ("diff", "--from", "2")):
            result = await asyncio.to_thread(omenlog, command[0], str(file), *command[1:])
            assert result.exit_code in (1, 2), result.output
            assert told in " ".join(result.output.split()), result.output
    result = await asyncio.to_thread(omenlog, "verify", str(deep))
    assert (result.exit_code, result.output[:8]) == (1, "DIVERGED")


async def test_a_seat_that_a_game_does_not_have_has_seen_nothing(tmp_path: Path) -> None:
    service = await service_on()
    game = await open_game(service)
    file = tmp_path / "whole.ndjson"
    file.write_bytes(b"".join([line async for line in service.exporting.lines(referee(game))]))
    await service.close()
    result = await asyncio.to_thread(omenlog, "replay", str(file), "--as", "seat:5")
    assert (result.exit_code, "there is no seat:5: the game has 3 seats" in result.output) == (2, True), result.output
