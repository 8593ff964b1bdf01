"""The first haunt that an author gets: found right by the checker, checked by an editor, won by both sides, never written over another."""

import io
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from content.authoring.commands import check_command
from content.authoring.first import FIRST, KINDS, Kind, write_first_haunt
from content.load.documents import Document
from content.load.packs import load_pack
from projections.wording.manual import manual
from service.bots.playtest import GamePlan, play_all
from tests.cli.invoking import omenlog

GAMES = 8
"""In which each side wins one."""


@pytest.mark.parametrize("kind", KINDS)
def test_the_checker_finds_nothing_in_it_not_even_a_warning(kind: Kind, tmp_path: Path) -> None:
    file, _ = write_first_haunt("the-cold-lamp", tmp_path / "the-cold-lamp.yaml", kind)
    out = io.StringIO()

    assert check_command([file], out, manual=manual, strict=True) == 0, out.getvalue()
    assert "mistake" not in out.getvalue()
    assert "warning" not in out.getvalue()
    (haunt,) = (one for one in load_pack(file).haunts if one.id == "the-cold-lamp")
    assert (haunt.title, haunt.kind) == ("The Cold Lamp", kind)


def test_all_of_them_fit_the_third_edition_too(tmp_path: Path) -> None:
    (tmp_path / "ours" / "haunts").mkdir(parents=True)
    (tmp_path / "ours" / "pack.yaml").write_text("id: ours\ntitle: Ours\nextends: third-edition\n", "utf-8")
    for kind in KINDS:
        write_first_haunt(f"ours-{kind}", tmp_path / "ours" / "haunts" / f"ours-{kind}.yaml", kind)
    out = io.StringIO()

    assert check_command([tmp_path / "ours"], out, manual=manual) == 0, out.getvalue()


@pytest.mark.parametrize("kind", KINDS)
def test_both_sides_win_it(kind: Kind, tmp_path: Path) -> None:
    file, _ = write_first_haunt("first", tmp_path / "first.yaml", kind)
    plans = [GamePlan(f"first-{number}", 3 + number % 4, ("steady",), "first") for number in range(GAMES)]
    enough = 3 if kind == "free-for-all" else 2
    winners = set[str]()
    for game in play_all(plans, file):
        winners |= {game.winner} - {""}
        if len(winners) == enough:
            break

    if kind == "free-for-all":
        assert len(winners) == enough, "no seat has it for itself"
    else:
        assert winners == {"heroes", "house" if kind == "no-traitor" else "traitor"}


@pytest.mark.parametrize("kind", KINDS)
def test_its_first_line_leads_an_editor_to_a_schema_that_needs_no_other_file(kind: Kind, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    file, schema = write_first_haunt("first", tmp_path / "deep" / "first.yaml", kind)
    named = file.read_text("utf-8").partition("\n")[0].removeprefix("# yaml-language-server: $schema=")
    validator = Draft202012Validator(msgspec.json.decode((file.parent / named).read_bytes(), type=dict[str, Any]))

    assert file.parent / named == schema
    assert list(validator.iter_errors(Document.read(file).data)) == []
    slip = Document(str(file), file.read_text("utf-8").replace("place-token:", "plaec-token:", 1)).data
    assert ["'plaec-token'" in error.message for error in validator.iter_errors(slip)] == [True]


@pytest.mark.parametrize("kind", KINDS)
def test_it_lies_here_as_a_haunt_that_names_the_schema_of_the_others(kind: Kind) -> None:
    first = (FIRST / f"{kind}.yaml").read_text("utf-8").partition("\n")[0]
    assert (FIRST / first.partition("=")[2]).resolve() == FIRST.parents[1] / "schema" / "haunt.json"


def test_a_title_becomes_an_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = omenlog("content", "new-haunt", "The Third Uncle", "--kind", "no-traitor")

    assert told.exit_code == 0, told.output
    assert "wrote the-third-uncle.yaml, and omenlog-haunt.json for editors" in told.output
    assert "`omenlog content check the-third-uncle.yaml`" in told.output
    assert load_pack(Path("the-third-uncle.yaml")).head.title == "The Third Uncle"


def test_a_file_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "first.yaml"
    file.write_text("# mine\n", encoding="utf-8")
    told = omenlog("content", "new-haunt", "first", "--output", str(file))

    assert told.exit_code == 1
    assert "is there already; name another file by `--output`" in told.output
    assert file.read_text("utf-8") == "# mine\n"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    "name,file,says",
    [
        ("the_lamp", "a.yaml", "'the_lamp' is no name for a haunt: take letters from a to z and digits"),
        ("日本", "a.yaml", "'日本' is no name for a haunt: take letters from a to z and digits"),
        ("lamp", "none/lamp.yaml", "make it first, or name another file by `--output`"),
        ("", "a.yaml", "'' is no name for a haunt"),
        ("../lamp", "a.yaml", "'../lamp' is no name for a haunt"),
        ("lamp", "lamp.txt", "lamp.txt would not be known as a haunt: end its name in `.yaml`"),
        ("the-bell-below", "a.yaml", "`haunt:the-bell-below` is a piece of second-edition: take another name"),
        ("third-edition", "a.yaml", "`third-edition` is the name of a built-in pack: take another id"),
        ("a" * 300, "a.yaml", "the name has 300 characters, where 40 are the most"),
    ],
)
def test_a_name_that_no_haunt_can_have_is_refused_and_nothing_is_written(
    name: str, file: str, says: str, tmp_path: Path
) -> None:
    told = omenlog("content", "new-haunt", name, "--output", str(tmp_path / file))

    assert told.exit_code == 1
    assert says in " ".join(told.output.replace("│", " ").split())
    assert list(tmp_path.iterdir()) == []


def test_the_schema_of_any_file_is_printed_in_one_piece() -> None:
    told = omenlog("content", "schema", "cards")

    schema = msgspec.json.decode(told.output, type=dict[str, Any])
    assert schema["title"] == "Omenlog: cards/*.yaml"
    assert "vocabulary.json" not in told.output
    Draft202012Validator(schema).validate([])
