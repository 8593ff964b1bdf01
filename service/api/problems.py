"""The pages of problems: what each means, and what to do about it. The `type` of a problem is the address of its page."""

from __future__ import annotations

import html
from typing import Annotated

import msgspec
from litestar import MediaType, Response, get
from litestar.params import PathParameter

from content.patterns import whole
from service.api.callers import count_anonymous
from service.api.incoming import accepted
from service.api.outgoing import HARMLESS, AnyRequest, published
from service.api.parameters import FromService, IfNoneMatch
from service.problems import KINDS, PAGES, Kind, ProblemError

JSON, HTML = MediaType.JSON.value, MediaType.HTML.value
Code = Annotated[
    str, PathParameter(pattern=whole(r"^[a-z][a-z-]{0,39}$"), description="The problem's code: `illegal-command`.")
]


class ProblemKind(msgspec.Struct, kw_only=True):
    """A kind of problem."""

    type: str
    code: str
    status: int
    title: str
    meaning: str
    """What has happened."""
    remedy: str
    """What to do about it."""


@get(
    f"{PAGES}{{code:str}}",
    operation_id="getProblem",
    summary="Read what a problem means",
    tags=["content"],
    security=[{}],
)
async def get_problem(
    request: AnyRequest, service: FromService, code: Code, if_none_match: IfNoneMatch = None
) -> Response[ProblemKind]:
    """Read what a kind of problem means and what to do about it, as JSON or, by `Accept`, as a page for people.

    The `type` of every problem leads here.
    """
    count_anonymous(service, request)
    media = accepted(request.headers.get("Accept"), (JSON, HTML))
    kind = KINDS.get(code)
    if kind is None:
        raise ProblemError("not-found", "There is no such problem.")
    if media == HTML:
        answer = published(request, if_none_match, _page(kind), HTML)
        answer.headers.update(HARMLESS)
        return answer
    shown = ProblemKind(
        type=PAGES + code,
        code=code,
        status=kind.status,
        title=kind.title,
        meaning=kind.meaning,
        remedy=kind.remedy,
    )
    return published(request, if_none_match, msgspec.json.encode(shown), JSON)


PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>body {{ max-width: 40rem; margin: 3rem auto; padding: 0 1rem; font: 1.05rem/1.5 system-ui, sans-serif }}</style>
<h1>{title}</h1>
<p><code>{code}</code>, status {status}</p>
<p>{meaning}</p>
<h2>What to do</h2>
<p>{remedy}</p>
</html>
"""


def _page(kind: Kind) -> bytes:
    texts = {name: html.escape(str(value)) for name, value in msgspec.structs.asdict(kind).items()}
    return PAGE.format(**texts).encode()
