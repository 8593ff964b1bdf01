"""The query of a request: every parameter is one that the contract names for the call, and stands there once.

Whole numbers are digits alone, in the path too: Litestar would read `1e2`, `1.0` and `+1` as numbers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from urllib.parse import parse_qsl

from litestar import Litestar
from litestar.routes import HTTPRoute
from litestar.typing import FieldDefinition

from content.errors import did_you_mean
from service.api.outgoing import AnyRequest
from service.api.parameters import MOST
from service.problems import FieldError, ProblemError

UNDER = "/v1/"
"""What lies elsewhere are documents and pages for people and machines of all sorts, who may append what they like."""
SHOWN = 40
"""Characters of an unknown name that are told back."""

NUMBER = re.compile(r"0|[1-9][0-9]*")

Known = Mapping[tuple[str, str], Mapping[str, bool]]
"""The names of each call's parameters, and whether each is a number; by the template of its path and its method."""


def parameters(app: Litestar) -> Known:
    """The parameters of all routes that Litestar knows: those that stand in the contract, as both are made from the handlers."""
    return {
        (route.path_format, str(method)): {
            one.field_alias: _is_number(handler.parsed_fn_signature.parameters[one.field_name])
            for one in kwargs.expected_query_params
        }
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method, (handler, kwargs) in route.route_handler_map.items()
    }


def _is_number(field: FieldDefinition) -> bool:
    return field.is_subclass_of(int) or field.has_inner_subclass_of(int)


def check_request(request: AnyRequest) -> None:
    """Check the query of a request that Litestar has routed, and the numbers in its path.

    Raises:
        ProblemError: `not-found` for a number in the path that is written otherwise; or as `check_query`.
    """
    if request.method == "OPTIONS" or not request.scope["path"].startswith(UNDER):
        return
    parts = request.scope["path"].split("/")
    if any(isinstance(one, int) and str(one) not in parts for one in request.path_params.values()):
        raise ProblemError("not-found", "Numbers in a path are digits alone.")
    method = "GET" if request.method == "HEAD" else request.method
    known: Known = request.app.state.parameters
    named = known.get((request.scope["path_template"], method), {})
    check_query(request.scope["query_string"], named, [name for name, number in named.items() if number])


def check_query(query: bytes, known: Collection[str], numbers: Collection[str] = ()) -> dict[str, str]:
    """Check a query, and read it.

    Args:
        query: as it came.
        known: the names of the call's parameters.
        numbers: those that are whole numbers.

    Raises:
        ProblemError: `invalid-parameter`: the call takes no such parameter; one is no number; or one comes twice or is `null`,
            which Litestar would take for its last value, or for nothing.
    """
    if not query:
        return {}
    given = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    names = [name for name, _ in given]
    errors = [FieldError(name[:SHOWN], _unknown(name, known)) for name in dict.fromkeys(names) if name not in known]
    twice = dict.fromkeys(name for name, value in given if name in known and (value == "null" or names.count(name) > 1))
    errors += [FieldError(name, "Once at the most, and not null.") for name in twice]
    strange = (name for name, value in given if name in numbers and name not in twice and not NUMBER.fullmatch(value))
    errors += [FieldError(name, "A whole number, in digits alone and without a zero before it.") for name in strange]
    if errors:
        detail = "; ".join(f"{one.pointer}: {one.detail}" for one in errors[:3])
        raise ProblemError("invalid-parameter", detail, errors=errors)
    return dict(given)


def cursor(text: str, where: str) -> int:
    """The cursor of a game's stream, where its form is not Litestar's to check.

    Args:
        text: as it came.
        where: the name of the parameter or header.

    Raises:
        ProblemError: `invalid-cursor`.
    """
    if not NUMBER.fullmatch(text) or int(text[:10]) > MOST:
        detail = "The cursor of a game is a commit's number."
        raise ProblemError("invalid-cursor", detail, errors=[FieldError(where, detail)])
    return int(text)


def _unknown(name: str, known: Iterable[str]) -> str:
    if near := did_you_mean(name, known):
        return f"Unknown; {near}"
    return f"Unknown; this call takes {', '.join(sorted(known))}." if known else "Unknown; this call takes none."
