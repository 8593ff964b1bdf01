"""Two pages of files: the browser table and the contract to be read and tried. They use the published API like anybody else's.

The table is `/` and what is below `/table/`, as `service/table` has it; the contract is `/docs` and what is below it, from `service/docs`.

Each answer carries a policy under which nothing runs but these files: no inline script or style, no other host, no frame around it, and at the
table no text that becomes markup. A browser asks each time whether a file has changed (`no-cache`), and mostly hears that it hasn't.
"""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from service.http.gather import MAIN, gather
from service.http.incoming import header, none_match, takes_gzip
from service.http.outgoing import PROBLEM, to_problem
from service.problems import ProblemError

UNDER = "/table/"
DOCS = "/docs"
KINDS = {
    ".css": b"text/css; charset=utf-8",
    ".html": b"text/html; charset=utf-8",
    ".js": b"text/javascript; charset=utf-8",
    ".svg": b"image/svg+xml",
}
"""Files with other names are not served: types and licences."""
VENDOR = "vendor/"
STYLES = re.compile(r'\s*<link rel="stylesheet" href="([^"]+)">')
PRELOAD = re.compile(r'\s*<link rel="modulepreload" href="([^"]+)">')
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""`connect-src 'self'` allows WebSockets of this host, too."""
DOCS_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""Swagger UI's style sheet has its arrows as `data:`. No Trusted Types: the viewer makes markup of descriptions, which DOMPurify cleans."""
GUARDED = [
    (b"cache-control", b"no-cache"),
    (b"vary", b"Accept-Encoding"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
]


class File(msgspec.Struct, frozen=True):
    """A file as it is sent."""

    kind: bytes
    body: bytes
    packed: bytes
    """The body, compressed by gzip."""
    tag: str
    """The entity tag of the body; that of the compressed one ends in `.gz`."""


def read_files(folder: Traversable, page: str = "/", under: str = UNDER) -> dict[str, File]:
    """All files of a page, by the paths under which they are served: modules and styles gathered and made lean, vendored ones as they are."""
    found = dict(_files_in(folder))
    index = found.pop("index.html")
    modules = {path for path in found if path.endswith(".js") and not path.startswith(VENDOR)}
    if MAIN in modules:
        made = gather({path: found.pop(path) for path in sorted(modules)})
        index, styles = _in_one(index, under, found)
        found |= made | styles
    for path, text in found.items():
        if not path.startswith(VENDOR):
            found[path] = lean(KINDS[_ending(path)], text)
    there = {under + path: _file(path, text) for path, text in found.items()}
    preloads = [one for one in PRELOAD.finditer(index) if one[1] not in there]
    for one in preloads:
        index = index.replace(one[0], "")
    return {page: _file("index.html", index), **there}


def _in_one(index: str, under: str, found: dict[str, str]) -> tuple[str, dict[str, str]]:
    """The index with one style sheet, and that sheet: all that the index names, in their order."""
    first, *more = STYLES.finditer(index)
    sheets = [found.pop(one[1].removeprefix(under)) for one in (first, *more)]
    for one in more:
        index = index.replace(one[0], "")
    return index, {first[1].removeprefix(under): "\n".join(sheets)}


@cache
def table_files() -> Mapping[str, File]:
    """The files of the table, read when somebody looks at it first: to make them lean takes a tenth of a second, in which games go on."""
    return read_files(resources.files("service") / "table")


@cache
def docs_files() -> Mapping[str, File]:
    """The files of `/docs`, read when somebody looks at it first: to compress the viewer takes a tenth of a second."""
    return read_files(resources.files("service") / "docs", DOCS, f"{DOCS}/")


def _files_in(folder: Traversable, before: str = "") -> Iterator[tuple[str, str]]:
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        if one.is_dir():
            yield from _files_in(one, f"{before}{one.name}/")
        elif _ending(one.name) in KINDS:
            yield before + one.name, one.read_text(encoding="utf-8")


def _ending(path: str) -> str:
    return f".{path.rpartition('.')[2]}"


def _file(path: str, text: str) -> File:
    body = text.encode()
    tag = base64.urlsafe_b64encode(hashlib.sha256(body).digest()[:12]).decode()
    return File(KINDS[_ending(path)], body, gzip.compress(body, mtime=0), tag)


def lean(kind: bytes, code: str) -> str:
    """JavaScript, CSS or SVG without what only people read: comments, types, spaces, names inside of functions."""
    import minify  # noqa: PLC0415 -- with the runtime of Go, 12 MB: for those only who serve the page

    return minify.string(kind.decode().partition(";")[0], code)


class PagesRoute:
    """Answers the files of both pages, and passes all else on."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._files: dict[bool, Mapping[str, File]] = {}
        self._reading = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or not (
            scope["path"] in ("/", DOCS) or scope["path"].startswith((UNDER, f"{DOCS}/"))
        ):
            await self._app(scope, receive, send)
            return
        status, headers, body = await self._answer(scope)
        if status not in (204, 304):
            headers = [*headers, (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    async def _answer(self, scope: HTTPScope) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        is_docs = scope["path"].startswith(DOCS)
        async with self._reading:  # a browser asks for many files at once, and the first one reads all
            if is_docs not in self._files:
                self._files[is_docs] = await asyncio.to_thread(docs_files if is_docs else table_files)
        try:
            return _found(scope, self._files[is_docs], DOCS_POLICY if is_docs else POLICY)
        except ProblemError as problem:
            said = [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
            return problem.status, [(b"content-type", PROBLEM.encode()), *said], to_problem(problem).body()


def _found(scope: HTTPScope, files: Mapping[str, File], policy: str) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    file = files.get(scope["path"])
    if file is None:
        raise ProblemError("not-found", "There is nothing here.")
    if scope["method"] == "OPTIONS":
        return 204, [(b"allow", b"GET, OPTIONS")], b""
    if scope["method"] != "GET":  # HEAD has become GET before it comes here
        raise ProblemError("method-not-allowed", "Only GET.", headers={"Allow": "GET, OPTIONS"})
    is_packed = takes_gzip(_text(scope, b"accept-encoding") or "")
    tag = file.tag + ".gz" if is_packed else file.tag
    headers = [(b"etag", f'"{tag}"'.encode()), (b"content-security-policy", policy.encode()), *GUARDED]
    if none_match(_text(scope, b"if-none-match"), tag):
        return 304, headers, b""
    headers.append((b"content-type", file.kind))
    if is_packed:
        headers.append((b"content-encoding", b"gzip"))
    return 200, headers, file.packed if is_packed else file.body


def _text(scope: HTTPScope, name: bytes) -> str | None:
    found = header(scope, name)
    return None if found is None else found.decode("latin-1")
