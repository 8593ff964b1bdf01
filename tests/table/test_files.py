"""The files of the page: how they are served, what they are made of, and that they are checked."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import httpx
import pytest

from service.http.gather import gather
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
    assert plain.text == packed.text


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


def test_files_are_sent_without_what_only_people_read() -> None:
    code = "/** @param {string} path */\nexport function go(path) {\n  // why\n  return `//${path}  /* b */`;\n}\n"
    assert lean(b"text/javascript; charset=utf-8", code) == "export function go(e){return`//${e}  /* b */`}"
    assert lean(b"text/css; charset=utf-8", "/* why */\na {\n  color: #ff0000;\n}\n") == "a{color:red}"


MODULES = {
    "main.js": 'import { h } from "./vendor/h.js";\nimport { a } from "./a.js";\n'
    'h(a, () => import("./parts/x.js"), () => import("./parts/y.js"), () => import("./parts/z.js"));\n',
    "a.js": "export const a = 1;\nexport const unwanted = a;\n",
    "parts/own.js": 'import { a } from "../a.js";\nexport const own = a;\n',
    "parts/two.js": "export function two() {}\n",
    "parts/three.js": "export const three = 3;\n",
    "parts/x.js": 'import {\n  own,\n} from "./own.js";\nimport { two } from "./two.js";\nimport { three } from "./three.js";\n'
    "export const Part = [own, two, three];\n",
    "parts/y.js": 'import { two } from "./two.js";\nimport { three } from "./three.js";\n'
    '/** @typedef {import("./none.js").N} N */\nexport const Part = [two, three];\n',
    "parts/z.js": 'import { three } from "./three.js";\nexport const Part = [three, () => import("./own.js")];\n',
}


def test_modules_that_are_wanted_together_are_sent_together() -> None:
    files = gather(MODULES)
    assert sorted(files) == ["main.js", "parts/x.js", "parts/y.js", "parts/z.js", "shared-1.js"]
    assert files["main.js"].startswith('import { h } from "./vendor/h.js";\nexport const { a } = (() => {\n')
    assert files["parts/x.js"].index("const own = a") < files["parts/x.js"].index("const Part = [own, two, three]")
    assert 'import { a } from "../main.js";' in files["parts/x.js"]
    assert "export const { own, Part } = " in files["parts/x.js"], "what others load comes out"
    assert 'import("./x.js")' in files["parts/z.js"]
    assert "export const { three, two } = " in files["shared-1.js"], "what two need is with what a third needs"
    assert "alone.js" in gather({**MODULES, "alone.js": "export const alone = 1;\n"})


@pytest.mark.parametrize(
    "wrong, why",
    [
        ('import { Part } from "./parts/x.js";\nexport const b = Part;\n', "cycle"),
        ("export default 1;\n", "a.js: export default 1"),
        ("export let a = 1;\n", "a.js: export let a = 1"),
        (
            'import {\n  h as k,\n} from "./vendor/h.js";\nexport const a = k;\n',
            r'a.js: import {\s*h as k,\s*} from "./vendor/h.js"',
        ),
        ("export const a = 1;\nfunction h() {}\n", "a.js and vendor/h.js both have a h, and meet in main.js"),
        ("export const a = 1;\nconst [b, h] = [a, a];\n", "a.js and vendor/h.js both have a h, and meet in main.js"),
    ],
)
def test_modules_are_refused_that_would_not_mean_the_same_in_one_file(wrong: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        gather({**MODULES, "a.js": wrong})


def test_what_is_sent_loads_and_gives_each_part(tmp_path: Path) -> None:
    sent = tmp_path / "sent"
    files = read_files(resources.files("service") / "table")
    for path, file in files.items():
        if path.endswith((".js", ".css")):
            target = sent / path.removeprefix("/table/")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.body)
            if "/vendor/" in path:
                assert file.body == (VENDOR / target.name).read_bytes(), "with its licence"
    names = exports(sent, tmp_path / "lean")
    for path, given in exports(TABLE, tmp_path / "source").items():
        if "Part" in given:
            assert "Part" in names[path], path
    assert set(linked(files["/"].body.decode())) <= {*files}
