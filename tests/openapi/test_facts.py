"""What an operation lacks is said in one sentence, with its place and the repair."""

import inspect
from typing import Any

import pytest
from litestar import Response
from litestar.handlers import HTTPRouteHandler

from content.load.packs import builtin_packs, load_pack
from openapi.writer.document import operations
from openapi.writer.facts import gaps, problems_of
from openapi.writer.lasting import Lasting
from service.http.incoming import FromCaller, Game, IfNoneMatch
from service.http.operation import Example, link, operation
from service.log.requests import Join

HERE = "tests/openapi/test_facts.py"
SHOWN: dict[str, dict[str, Any]] = {"getThing": {"200": {}}, "makeThing": {"201": {}, "request": {}}}


def reading(**facts: Any) -> HTTPRouteHandler:  # noqa: ANN401 -- the facts of an operation
    @operation("GET /v1/things", "Get a thing", **{"tag": "content", **facts})
    async def get_thing() -> Response[None]:
        """Get a thing."""
        return Response(None)

    return get_thing


def line_of(handler: HTTPRouteHandler) -> str:
    return f"`GET /v1/things` ({HERE}:{inspect.unwrap(handler.fn).__code__.co_firstlineno})"


@pytest.mark.parametrize(
    "facts, lack",
    [
        ({"tag": "toys"}, "has the unknown tag `toys`: add it to `TAGS` in openapi/writer/facts.py."),
        ({"problems": "no-such"}, "names the unknown problem `no-such`: add it to service/problems.toml."),
        ({"never": "no-such"}, "names the unknown problem `no-such`: add it to service/problems.toml."),
        ({"links": {"next": link("getNothing", {})}}, "links to `getNothing`, which no operation is called."),
        ({"body": Join}, "lists no example of its body: add a body to the `example=` of its `@operation`."),
    ],
)
def test_a_fact_that_does_not_fit_is_named(facts: dict[str, Any], lack: str) -> None:
    handler = reading(**facts)
    assert gaps([handler], SHOWN) == [f"{line_of(handler)} {lack}"]


def test_an_operation_needs_a_docstring_and_an_example() -> None:
    @operation("GET /v1/things", "Get a thing", "content")
    async def get_thing() -> Response[None]:
        return Response(None)

    assert gaps([get_thing], {}) == [
        f"{line_of(get_thing)} has no description: add a docstring to its handler.",
        f'{line_of(get_thing)} lists no example: add `example=Example("/v1/things")` to its `@operation`.',
    ]
    assert gaps([get_thing], {"getThing": {"404": {}}})[1:] == gaps([get_thing], {})[1:]
    assert gaps([reading(no_example="It is a secret.")], {}) == []
    assert gaps([reading(example=Example("/v1/things"))], SHOWN) == []


def test_problems_of_a_kind_of_call_follow_from_its_signature() -> None:
    @operation(
        "POST /v1/games/{game:str}/things", "Make a thing", "content", body=Join, problems="game-over", never="too-deep"
    )
    async def make_thing(caller: FromCaller, game: Game, if_none_match: IfNoneMatch = None) -> Response[None]:
        """Make a thing."""
        return Response(None)

    found = problems_of(make_thing)
    assert {"invalid-parameter", "invalid-body", "unauthorized", "forbidden", "game-over", "store-full"} <= set(found)
    assert {"damaged-log", "too-many-requests", "invalid-precondition"} <= set(found)
    assert {"too-deep", "key-reused"}.isdisjoint(found)
    assert gaps([make_thing], SHOWN) == []


def test_every_operation_is_called_like_its_handler() -> None:
    for one in operations():
        assert str(one.operation_id).lower() == one.fn.__name__.replace("_", "")


def test_an_example_holds_nothing_that_another_word_of_content_would_change() -> None:
    pack = load_pack(builtin_packs()["second-edition"])
    card, digest = pack.cards[0], "sha256:" + "0a" * 32
    shown = Lasting([pack]).example(
        {
            "text": card.text,
            "page": f"It says:\n{card.text}",
            "digests": [digest, digest, digest[7:], "more"],
            "invite": "omen_abc",
        }
    )
    assert card.text not in str(shown)
    assert digest[7:] not in str(shown)
    assert shown["text"] == f"The text of {card.title}."
    assert shown["page"] == f"It says:\n{shown['text']}"
    assert shown["digests"][0] == shown["digests"][1] == f"sha256:{shown['digests'][2]}"
    assert len(shown["digests"]) == 3
    assert shown["invite"] == "omen_" + "x" * 43
