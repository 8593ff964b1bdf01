"""The pages lead somewhere, name what there is, and stay short."""

import json
import re
import subprocess
import zipfile
from pathlib import Path

import click
import pytest

from service.cli import main
from service.settings import NO_SETTINGS, Settings
from tests.docs.pages import ROOT, anchors, pages, prose, written
from tests.support.compiling import build_wheel
from tests.support.gaps import report

PAGES = written()
LIBRARY = ("omenlog", "projections", "domain", "content")
"""What the library is made of: a type checker reads all of it for whoever uses it."""
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.mark.parametrize("page", sorted(pages()))
def test_every_link_leads_somewhere(page: str) -> None:
    everything = pages()
    dead = []
    for link in LINK.findall(prose(everything[page])):
        if link.startswith(("http://", "https://")):
            continue
        file, _, anchor = link.partition("#")
        target = (ROOT / page).parent / file if file else ROOT / page
        inside = str(target.resolve().relative_to(ROOT))
        if not target.exists() or (anchor and anchor not in anchors(everything[inside])):
            dead.append(link)
    report(f"{page} links to {link}, which is not there: correct the link." for link in dead)


def test_a_dead_link_would_be_seen() -> None:
    assert LINK.findall("[one](docs/nowhere.md#at-all)") == ["docs/nowhere.md#at-all"]
    assert anchors("# A `b` & c\n## A\n## A\n```\n# no\n```") == {"a-b--c", "a", "a-1"}


def test_every_page_is_reached_from_the_readme() -> None:
    reached, ahead = set[str](), ["README.md"]
    while ahead:
        page = ahead.pop()
        reached.add(page)
        for link in LINK.findall(prose(PAGES.get(page, ""))):
            target = ((ROOT / page).parent / link.partition("#")[0]).resolve()
            if target.suffix == ".md" and str(target.relative_to(ROOT)) not in reached:
                ahead.append(str(target.relative_to(ROOT)))
    report(
        f"{page} is not reached from README.md: link to it from a page that is."
        for page in sorted(set(PAGES) - reached - {"content/rules/FORMAT.md"})
    )


def test_every_file_and_folder_that_is_named_is_there() -> None:
    made = {"service/PROOF.md"}  # until now
    path_shown = re.compile(r"`((?:content|domain|omenlog|projections|service|tests|examples|docs|openapi)/[\w./-]+)`")
    report(
        f"{page} names `{path}`, which is not there: correct the path."
        for page, text in PAGES.items()
        for path in path_shown.findall(text)
        if path not in made and not (ROOT / path).exists()
    )


@pytest.mark.parametrize("page, most", [("README.md", 120), ("ARCHITECTURE.md", 150)])
def test_the_first_pages_stay_short(page: str, most: int) -> None:
    assert len(PAGES[page].splitlines()) <= most


def test_every_command_line_that_is_shown_would_be_understood() -> None:
    """Each option exists and takes what is shown; nothing is run."""
    shown = [
        (page, line.partition("  #")[0].rstrip(" &"))
        for page, text in PAGES.items()
        for line in re.findall(
            r"^[ $]*(?:\w+=\S+ )*(?:\./dev omenlog|\./dev(?= demo| serve)|omenlog) (.*)$", text, re.MULTILINE
        )
    ]
    assert len(shown) > 20
    for page, line in shown:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("OMENLOG_TOKEN", "a token")
            patch.setattr(click.Path, "convert", lambda _self, value, *_: value)
            patch.setattr(click.File, "convert", lambda _self, value, *_: value)
            try:
                _parse(main, [word.strip("'\"") for word in line.replace("…", "").split()])
            except click.exceptions.Exit:
                pass
            except click.ClickException as error:
                pytest.fail(f"{page}: omenlog {line}: {error.format_message()}")


def _parse(command: click.Command, words: list[str], parent: click.Context | None = None) -> None:
    ctx = command.make_context(command.name, words, parent=parent)
    if isinstance(command, click.Group):
        _, found, rest = command.resolve_command(ctx, [*ctx._protected_args, *ctx.args])  # noqa: SLF001 -- click's own way down
        assert found is not None
        _parse(found, rest, ctx)


def test_every_command_that_is_named_exists() -> None:
    for page, text in PAGES.items():
        for named in re.findall(r"`(?:\./dev )?omenlog ([a-z]+(?:[ -][a-z]+)*)", text):
            group: click.Command = main
            for word in named.split():
                if not isinstance(group, click.Group):
                    break
                found = group.get_command(click.Context(group), word)
                assert found is not None, f"{page}: omenlog {named}"
                group = found


def test_every_setting_that_is_named_exists() -> None:
    known = {f"OMENLOG_{name.upper()}" for name in Settings.__struct_fields__} | NO_SETTINGS
    report(
        f"{page} names {name}, which is not a setting: correct it, or add it to Settings in service/settings.py."
        for page, text in PAGES.items()
        for name in sorted({*re.findall(r"\bOMENLOG_[A-Z_]+\b", text)} - known)
    )


def test_every_task_of_dev_that_is_named_exists() -> None:
    usage = subprocess.run([ROOT / "dev", "--help"], capture_output=True, text=True, check=True).stdout
    report(
        f"{page} names `./dev {name}`, which `./dev --help` does not list: correct it, or add it to usage() in dev."
        for page, text in PAGES.items()
        for name in sorted({*re.findall(r"\./dev ([a-z]+)", text)})
        if f"./dev {name}" not in usage
    )


def test_every_operation_that_is_named_exists() -> None:
    paths = json.loads((ROOT / "openapi" / "openapi.json").read_text(encoding="utf-8"))["paths"]
    known = {(method.upper(), re.sub(r"\{[^}]+\}", "*", path)) for path, item in paths.items() for method in item}
    known.add(("GET", "/v1/games/*/socket"))  # a WebSocket: in asyncapi.json
    known.add(("GET", "/v1/games/*/tally"))  # CONTRIBUTING shows how it would be added
    for page, text in PAGES.items():
        for method, shown in re.findall(r"\b(GET|PUT|POST|DELETE|PATCH) +(\$game\S*|/[\w{}/.:-]+)", text):
            path = shown.partition("?")[0].rstrip("`.,:;)(").replace("$game", "/v1/games/*")
            path = re.sub(r"\{[^}]+\}|(?<=/)\d+(?=/|$)|second-edition", "*", path)
            if path.startswith(("/v1", "/health")):
                assert (method, path) in known, (
                    f"{page} names `{method} {shown}`, which no operation serves: correct it."
                )


def test_blocks_of_code_say_their_language() -> None:
    """So that a reader's page colors them, and a test finds them."""
    known = {"sh", "bash", "json", "text", "http", "python", "yaml", "markdown", "js", "sql"}
    for page, text in PAGES.items():
        assert set(re.findall(r"^```(.*)$", text, re.MULTILINE)[::2]) <= known, page


def test_the_page_that_is_served_needs_no_other_page() -> None:
    """`GET /v1/proof` answers with this one alone."""
    assert [link for link in LINK.findall(PAGES["docs/proof.md"]) if not link.startswith("https://")] == []


def test_the_wheel_has_the_page_that_is_served_and_the_library_needs_little(tmp_path: Path) -> None:
    build_wheel(tmp_path, "never")
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as built:
        assert built.read("service/http/proof.md") == (ROOT / "docs" / "proof.md").read_bytes()
        assert {f"{ours}/py.typed" for ours in LIBRARY} <= set(built.namelist())
        table = [
            file.relative_to(ROOT).as_posix() for file in (ROOT / "service" / "table").rglob("*") if file.is_file()
        ]
        assert set(table) <= set(built.namelist())
        (facts,) = [name for name in built.namelist() if name.endswith(".dist-info/METADATA")]
        needs = re.findall(r"^Requires-Dist: (.*)$", built.read(facts).decode(), re.MULTILINE)
    assert [re.split("[<>]", need)[0] for need in needs if "extra ==" not in need] == ["msgspec", "pyyaml"]
    assert {need.partition("; ")[2] for need in needs[2:]} == {f"extra == '{one}'" for one in ("service", "mcp", "rl")}


def test_the_image_is_made_of_what_the_wheel_needs() -> None:
    """The page that is served is a link into docs."""
    copied = re.findall(r"^COPY (\w+)/ \1/$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert {"docs", "content", "domain", "omenlog", "openapi", "projections", "service"} == set(copied)
    report(
        f"Dockerfile copies {folder}, but .dockerignore leaves it out: add the line `!{folder}` there."
        for folder in copied
        if f"!{folder}" not in ignored
    )
