"""The query of a request: every parameter is one that the contract names for the call, and stands there once."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from urllib.parse import parse_qsl

from litestar import Litestar
from litestar.routes import HTTPRoute

from service.api.outgoing import AnyRequest
from service.problems import FieldError, ProblemError

UNDER = "/v1/"
"""What lies elsewhere are documents and pages for people and machines of all sorts, who may append what they like."""
SHOWN = 40
"""Characters of an unknown name that are told back."""

Known = Mapping[tuple[str, str], frozenset[str]]
"""The names of each call's parameters, by the template of its path and its method."""


def parameters(app: Litestar) -> Known:
    """The parameters of all routes that Litestar knows: those that stand in the contract, as both are made from the handlers."""
    return {
        (route.path_format, str(method)): frozenset(one.field_alias for one in kwargs.expected_query_params)
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method, (_, kwargs) in route.route_handler_map.items()
    }


def check_request(request: AnyRequest) -> None:
    """Check the query of a request that Litestar has routed. Raises as `check_query`."""
    if request.method == "OPTIONS" or not request.scope["path"].startswith(UNDER):
        return
    method = "GET" if request.method == "HEAD" else request.method
    known: Known = request.app.state.parameters
    check_query(request.scope["query_string"], known.get((request.scope["path_template"], method), frozenset()))


def check_query(query: bytes, known: Collection[str]) -> dict[str, str]:
    """Check a query, and read it.

    Args:
        query: as it came.
        known: the names of the call's parameters.

    Raises:
        ProblemError: `invalid-parameter`: the call takes no such parameter; or one comes twice or is `null`, which Litestar
            would take for its last value, or for nothing.
    """
    if not query:
        return {}
    given = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    names = [name for name, _ in given]
    errors = [FieldError(name[:SHOWN], _unknown(name, known)) for name in dict.fromkeys(names) if name not in known]
    twice = (name for name, value in given if name in known and (value == "null" or names.count(name) > 1))
    errors += [FieldError(name, "Once at the most, and not null.") for name in dict.fromkeys(twice)]
    if errors:
        detail = "; ".join(f"{one.pointer}: {one.detail}" for one in errors[:3])
        raise ProblemError("invalid-parameter", detail, errors=errors)
    return dict(given)


def _unknown(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), n=1)
    if near:
        return f"Unknown; did you mean {near[0]}?"
    return f"Unknown; this call takes {', '.join(sorted(known))}." if known else "Unknown; this call takes none."
