"""A failing example is told in one sentence: the operation, where its handler is, what was asked, and what came."""

import asyncio
import inspect
from collections.abc import Sequence

import pytest
from litestar import Litestar, Response
from litestar.handlers import HTTPRouteHandler

from openapi.writer.examples import collect
from openapi.writer.facts import Incomplete
from openapi.writer.lasting import Lasting
from service.http.operation import operation

HERE = "tests/openapi/test_examples.py"


@operation("POST /v1/games", "Open a game", "games", litestar={"status_code": 200})
async def open_game() -> Response[str]:
    """Open a game, with a status that does not fit."""
    return Response("opened")


def told(*operations: HTTPRouteHandler, served: Sequence[HTTPRouteHandler]) -> str:
    app = Litestar(served)
    with pytest.raises(Incomplete) as error:
        asyncio.run(collect(app, app, operations, Lasting([])))
    return str(error.value)


def test_an_answer_with_another_status_is_told_with_what_was_asked() -> None:
    line = inspect.unwrap(open_game.fn).__code__.co_firstlineno
    said = told(open_game, served=[open_game])
    assert said.startswith(
        f"`POST /v1/games` ({HERE}:{line}) should answer 201 to the game in openapi/writer/examples.py:"
    )
    assert '`POST /v1/games` with {"edition": "second",' in said
    assert said.endswith("got 200: opened")


def test_a_call_that_no_operation_serves_is_told() -> None:
    assert told(served=[]) == (
        "No operation serves `POST /v1/games`, which the game in openapi/writer/examples.py asks: correct it there."
    )
