"""Headers, read as their specifications say."""

import pytest

from service.http.bodies import field_error
from service.http.incoming import accepted, bearer, idempotency_key, if_match, none_match
from service.problems import FieldError, ProblemError

TOKEN = "omen_" + "aB3-_" * 8 + "xyz"
KINDS = ("application/json", "application/x-ndjson", "text/event-stream")


@pytest.mark.parametrize(
    "header, versions",
    [
        (None, None),
        ("*", None),
        ('"5"', [5]),
        (' "5" , "6"', [5, 6]),
        ('W/"5"', []),
        ('W/"5", "6"', [6]),
        ('"abc"', []),
        ('""', []),
        ('"5,6"', []),
        ('"05"', []),
        ('"' + "9" * 40 + '"', []),
        ('"5.aB3-_x"', [5]),
        ('W/"5.x", "6.y", "7"', [6, 7]),
        ('"5."', []),
        ('"5.x.y"', []),
    ],
)
def test_if_match_names_versions_by_strong_tags(header: str | None, versions: list[int] | None) -> None:
    assert if_match(header) == versions


@pytest.mark.parametrize("header", ["", "  "])
def test_an_empty_if_match_is_no_condition_that_holds(header: str) -> None:
    with pytest.raises(ProblemError) as found:
        if_match(header)
    assert found.value.code == "invalid-precondition"
    assert not none_match(header, "5.x")


@pytest.mark.parametrize("header", ["5", '"5', '"5" "6"', "*, *", '5"', 'w/"5"', '"5",,"6"', "W/5", '"5, 6"'])
def test_a_malformed_condition_is_a_problem(header: str) -> None:
    for read in (if_match, lambda given: none_match(given, "5.x")):
        with pytest.raises(ProblemError) as found:
            read(header)
        assert found.value.code == "invalid-precondition"


@pytest.mark.parametrize(
    "header, known",
    [
        (None, False),
        ("", False),
        ("*", True),
        ('"5.x"', True),
        ('W/"5.x"', True),
        ('"4", W/"5.x"', True),
        ('"5"', False),
        ('"5.y"', False),
    ],
)
def test_if_none_match_compares_weakly(header: str | None, known: bool) -> None:  # noqa: FBT001 -- a column of the table
    assert none_match(header, "5.x") is known


@pytest.mark.parametrize(
    "header, kind",
    [
        (None, KINDS[0]),
        ("", KINDS[0]),
        ("*/*", KINDS[0]),
        ("text/event-stream", KINDS[2]),
        ("application/x-ndjson", KINDS[1]),
        ("Application/JSON", KINDS[0]),
        ("text/*", KINDS[2]),
        ("application/*", KINDS[0]),
        ("application/json;q=0.5, text/event-stream", KINDS[2]),
        ("text/event-stream;q=0.1, */*;q=0.2", KINDS[0]),
        ("application/json;q=0, */*", KINDS[1]),
        ("text/html, application/xhtml+xml, */*;q=0.8", KINDS[0]),
        ("text/event-stream;charset=utf-8;q=1.0", KINDS[2]),
        ("application/json;q=none, text/event-stream;q=0.1", KINDS[2]),
    ],
)
def test_the_media_type_that_is_wanted_most_is_answered(header: str | None, kind: str) -> None:
    assert accepted(header, KINDS) == kind


@pytest.mark.parametrize("header", ["image/png", "application/json;q=0", "*/*;q=0"])
def test_a_media_type_that_is_not_offered_is_a_problem(header: str) -> None:
    with pytest.raises(ProblemError) as found:
        accepted(header, KINDS)
    assert found.value.code == "not-acceptable"


@pytest.mark.parametrize("header", [f"Bearer {TOKEN}", f"bearer {TOKEN}", f"Bearer   {TOKEN}"])
def test_a_token_is_taken_from_its_header(header: str) -> None:
    assert bearer(header) == TOKEN


@pytest.mark.parametrize(
    "header", [f"Bearer {TOKEN}x", f"Bearer {TOKEN} ", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN[:-1]}"]
)
def test_another_form_is_no_token(header: str) -> None:
    with pytest.raises(ProblemError) as found:
        bearer(header)
    assert found.value.code == "unauthorized"


def test_a_key_is_the_same_bare_and_quoted() -> None:
    assert idempotency_key("a-key:1/2") == idempotency_key('"a-key:1/2"') == "a-key:1/2"
    assert idempotency_key(None) == ""


@pytest.mark.parametrize("header", ["", '""', " ", "a b", "one-key, another-key", '"one-key', "k" * 256])
def test_what_is_no_key_is_a_problem(header: str) -> None:
    with pytest.raises(ProblemError) as found:
        idempotency_key(header)
    assert found.value.code == "invalid-idempotency-key"


@pytest.mark.parametrize(
    "message, expected",
    [
        (
            "Expected `int`, got `str` - at `$.seats[0].name`",
            FieldError("/seats/0/name", "Expected a whole number, not text"),
        ),
        ("Expected `str` - at `$[...]`", FieldError("/...", "Expected text")),
        ("Object missing required field `edition`", FieldError("", "`edition` is missing")),
    ],
)
def test_a_decoders_message_becomes_a_pointer(message: str, expected: FieldError) -> None:
    assert field_error(message) == expected
