"""The files of the page: how they are served, what they are made of, and that they are checked."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import httpx
import pytest

from service.http.pages import lean, read_files
from tests.acceptance.driving import problem
from tests.node import TABLE, VENDOR, exports, lint, types, vendor


def linked(page: str) -> list[str]:
    return re.findall(r'(?:src|href)="([^"]+)"', page)


def test_the_page_and_all_that_it_names_come_under_a_strict_policy(client: httpx.Client) -> None:
    page = client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert {"/table/main.js", "/table/table.css", "/table/vendor/preact.js"} <= set(linked(page.text))
    for path in ["/", *linked(page.text)]:
        answer = client.get(path)
        assert answer.status_code == 200, path
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        for directive in ("frame-ancestors 'none'", "require-trusted-types-for 'script'", "base-uri 'none'"):
            assert directive in policy
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-cache"


def test_a_file_is_asked_for_again_and_mostly_unchanged(client: httpx.Client) -> None:
    for path, coding in (("/", "gzip"), ("/table/main.js", "gzip"), ("/table/main.js", "identity")):
        first = client.get(path, headers={"Accept-Encoding": coding})
        assert first.headers.get("content-encoding", "identity") == coding
        again = client.get(path, headers={"Accept-Encoding": coding, "If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
    plain = client.get("/table/main.js", headers={"Accept-Encoding": "identity"})
    packed = client.get("/table/main.js", headers={"Accept-Encoding": "gzip"})
    assert plain.headers["etag"] != packed.headers["etag"], "other bytes, another tag"
    assert plain.text == packed.text == lean(b"text/javascript", (TABLE / "main.js").read_text(encoding="utf-8"))


def test_what_is_asked_of_a_file_beside_get(client: httpx.Client) -> None:
    got, head = client.get("/table/main.js"), client.head("/table/main.js")
    assert (head.status_code, head.content) == (200, b"")
    for name in ("etag", "content-length", "content-type", "content-encoding"):
        assert head.headers[name] == got.headers[name]
    offered = client.options("/")
    assert (offered.status_code, offered.headers["allow"]) == (204, "GET, HEAD, OPTIONS")
    refused = client.post("/table/main.js")
    problem(refused, 405, "method-not-allowed")
    assert refused.headers["allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize(
    "path",
    [
        "/table",
        "/table/",
        "/table/index.html",
        "/table/nothing.js",
        "/table/vendor/preact.d.ts",
        "/table/vendor/LICENSES",
        "/table/..%2fsettings.py",
        "/table/%2e%2e/http/pages.py",
        "/table//main.js",
        "/table/main.js/",
        "/table/main.js%00",
        "/table/C:%5Cmain.js",
    ],
)
def test_there_is_nothing_else_below_the_folder(client: httpx.Client, path: str) -> None:
    problem(client.get(path), 404, "not-found")


def test_no_file_has_script_or_style_in_markup_or_makes_markup_of_text() -> None:
    assert not re.search(r"<style|<script(?![^>]* src=)|\son\w+=|style=", (TABLE / "index.html").read_text())
    for file in TABLE.rglob("*.js"):
        if file.parent != VENDOR:
            code = file.read_text(encoding="utf-8")
            found = re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|randomUUID", code)
            assert [one for one in found if one != "randomUUID" or "crypto.randomUUID`" not in code] == [], file.name


def test_vendored_modules_are_what_the_lock_file_makes(tmp_path: Path) -> None:
    vendor(tmp_path)
    made = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert made == {file.name: file.read_bytes() for file in VENDOR.iterdir()}, "./dev vendor writes them anew"
    for name in ("preact", "@preact/signals", "@preact/signals-core", "lean-qr"):
        assert re.search(rf"^{name} \d", made["LICENSES"].decode(), re.MULTILINE)


def test_types_are_right_by_the_contract() -> None:
    types()


def test_code_and_styles_are_formatted_and_free_of_lint() -> None:
    lint()


def test_all_that_the_page_can_load_is_small() -> None:
    sizes = [len(file.packed) for file in read_files(resources.files("service") / "table").values()]
    assert sum(sizes) < 90 * 1024


def test_files_are_sent_without_what_only_people_read_and_export_the_same(tmp_path: Path) -> None:
    code = "/** @param {string} path */\nexport function go(path) {\n  // why\n  return `//${path}  /* b */`;\n}\n"
    assert lean(b"text/javascript; charset=utf-8", code) == "export function go(e){return`//${e}  /* b */`}"
    assert lean(b"text/css; charset=utf-8", "/* why */\na {\n  color: #ff0000;\n}\n") == "a{color:red}"
    sent = tmp_path / "sent"
    for path, file in read_files(resources.files("service") / "table").items():
        if path.endswith((".js", ".css")):
            target = sent / path.removeprefix("/table/")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.body)
            if "/vendor/" in path:
                assert file.body == (VENDOR / target.name).read_bytes(), "with its licence"
    names = exports(TABLE, tmp_path / "source")
    assert "Part" in names["parts/lobby.js"]
    assert exports(sent, tmp_path / "lean") == names
