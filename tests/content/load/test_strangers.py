"""Zipped packs of strangers: what is unpacked, and what is refused before it does harm."""

import stat
import struct
import warnings
import zipfile
from pathlib import Path

import pytest

from content.errors import ContentErrors
from content.load import strangers, zipped
from content.load.digest import decode_pack, pack_bytes
from content.load.packs import builtin_packs, load_pack
from content.load.strangers import Judged, judge
from content.load.zipped import unpack
from tests.acceptance.packs.writing import haunt, head
from tests.content.load import zips

PACK = {"pack.yaml": head(), "haunts/bell.yaml": haunt()}


def told(archive: bytes, base: str = "second-edition") -> list[str]:
    """What is said of an archive that is refused."""
    judged = judge(archive, base)
    assert bytes(judged.pack) == b"null"
    return [str(mistake) for mistake in judged.findings]


def taken(judged: Judged) -> str:
    """The id of a pack that is taken."""
    assert not judged.findings
    return decode_pack(bytes(judged.pack)).head.id


# ---- what is taken ----


def test_a_zipped_folder_is_the_pack_in_it(tmp_path: Path) -> None:
    for name, text in PACK.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    judged = judge(zips.zipped(PACK), "second-edition")
    assert bytes(judged.pack) == pack_bytes(load_pack(tmp_path)), "to the byte, so the digest is the same as at home"


def test_a_folder_around_all_is_passed_over() -> None:
    assert taken(judge(zips.zipped({f"ours/{name}": text for name, text in PACK.items()}), "second-edition")) == "ours"


def test_a_haunt_file_alone_is_a_pack_of_the_edition_that_is_asked_for() -> None:
    for base, edition in (("second-edition", "second"), ("third-edition", "third")):
        judged = judge(zips.zipped({"bell.yaml": haunt(base=base)}), base)
        assert taken(judged) == "our-bell"
        assert decode_pack(bytes(judged.pack)).head.edition == edition


def test_notes_and_what_file_managers_add_is_passed_over() -> None:
    beside: dict[str, str | bytes] = {
        "README.md": "# Ours",
        "__MACOSX/._pack.yaml": "x",
        "haunts/.DS_Store": b"\x00\x01",
    }
    assert taken(judge(zips.zipped({**PACK, **beside}), "second-edition")) == "ours"


def test_a_whole_pack_of_another_name_is_taken() -> None:
    folder = builtin_packs()["second-edition"]
    files = {file.relative_to(folder).as_posix(): file.read_text("utf-8") for file in folder.rglob("*.yaml")}
    files["pack.yaml"] = files["pack.yaml"].replace("id: second-edition", "id: a-copy")
    assert taken(judge(zips.zipped(files), "second-edition")) == "a-copy"


# ---- archives that are refused ----


@pytest.mark.parametrize(
    "name, reason",
    [
        ("../evil.yaml", "a path that leaves the pack or goes in circles: name files as seen from the pack"),
        ("haunts/../../evil.yaml", "a path that leaves the pack or goes in circles: name files as seen from the pack"),
        ("haunts//evil.yaml", "a path that leaves the pack or goes in circles: name files as seen from the pack"),
        ("/etc/evil.yaml", "an absolute path: name files as seen from the pack"),
        ("C:/evil.yaml", "an absolute path: name files as seen from the pack"),
        ("c:evil.yaml", "an absolute path: name files as seen from the pack"),
        ("a/b/c/d/evil.yaml", "5 levels deep: a pack has at most 4"),
        ("evil.py", "no file of a pack: packs are made of YAML files"),
        ("inner.zip", "no file of a pack: packs are made of YAML files"),
        ("haunts/evil", "no file of a pack: packs are made of YAML files"),
    ],
)
def test_a_file_that_belongs_nowhere_is_refused_by_name(name: str, reason: str, tmp_path: Path) -> None:
    archive = zips.with_entry(PACK, name, "id: evil")
    assert told(archive) == [f"{name}:1:1: {reason}"]
    inner = tmp_path / "a/b/c"
    inner.mkdir(parents=True)
    with pytest.raises(ContentErrors):
        unpack(archive, inner)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [], "nothing was written anywhere"


@pytest.mark.parametrize(
    "name", ["haunts\\evil.yaml", "haunts/e\x1b[31mvil.yaml", "haunts/e\nvil.yaml", "n" * 300 + ".yaml"]
)
def test_a_name_that_nobody_can_type_is_refused_and_told_in_one_line(name: str) -> None:
    (mistake,) = told(zips.with_entry(PACK, name))
    assert "a path of at most 200 printable characters with `/` between folders is expected" in mistake
    assert mistake.isprintable()


def test_a_name_with_something_behind_its_end_is_refused() -> None:
    archive = zips.zipped({**PACK, "haunts/x.yamlQ.sh": ""}).replace(b"x.yamlQ.sh", b"x.yaml\x00.sh")
    assert "a path of at most 200 printable characters" in told(archive)[0]


@pytest.mark.parametrize("mode", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_links_and_devices_are_refused(mode: int) -> None:
    archive = zips.with_entry(PACK, "haunts/link.yaml", "/etc/passwd", mode=mode)
    assert told(archive) == ["haunts/link.yaml:1:1: a link or a device: only files and folders are unpacked"]


def test_a_file_twice_is_refused_in_either_case() -> None:
    with warnings.catch_warnings(action="ignore"):
        assert told(zips.with_entry(PACK, "pack.yaml", head("other"))) == [
            "pack.yaml:1:1: the archive has it twice, also as `pack.yaml`"
        ]
    assert told(zips.zipped({**PACK, "Haunts/Bell.yaml": ""})) == [
        "Haunts/Bell.yaml:1:1: the archive has it twice, also as `haunts/bell.yaml`"
    ]


def test_a_file_that_is_a_folder_too_is_refused() -> None:
    assert told(zips.zipped({**PACK, "haunts/bell.yaml/more.yaml": ""})) == [
        "haunts/bell.yaml:1:1: both a file and a folder"
    ]


def test_an_archive_with_too_many_files_is_refused() -> None:
    files = {f"haunts/h{number}.yaml": "" for number in range(zipped.MAX_FILES)}
    assert told(zips.zipped({**PACK, **files})) == ["(zip):1:1: 202 entries: a pack has at most 200 files"]


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    archive = zips.zipped({**PACK, "tokens.yaml": "#" * 100_000_000})
    assert len(archive) < 400_000
    assert told(archive) == ["tokens.yaml:1:1: unpacked, the pack has more than 2097152 bytes up to here"]
    with pytest.raises(ContentErrors):
        unpack(archive, tmp_path)
    assert sum(file.stat().st_size for file in tmp_path.rglob("*.yaml")) <= zipped.MAX_BYTES


def test_a_bomb_that_lies_about_its_size_is_refused() -> None:
    archive = zips.zipped({**PACK, "tokens.yaml": "#" * 30_000_000})
    lying = archive.replace(struct.pack("<L", 30_000_000), struct.pack("<L", 100))
    assert lying != archive
    (mistake,) = told(lying)
    assert mistake.startswith(("(zip):1:1: not a zip archive that can be read", "tokens.yaml:1:1: unpacked"))


def test_many_small_files_that_are_large_together_are_refused() -> None:
    files = {f"haunts/h{number}.yaml": "#" * 100_000 for number in range(30)}
    assert told(zips.zipped({**PACK, **files}))[0].endswith("unpacked, the pack has more than 2097152 bytes up to here")


def test_an_encrypted_archive_is_refused() -> None:
    archive = bytearray(zips.zipped(PACK))
    archive[archive.index(b"PK\x01\x02") + 8] |= 1
    assert told(bytes(archive)) == ["pack.yaml:1:1: encrypted: send it without a password"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_only_the_usual_compression_is_read(method: int) -> None:
    mistakes = told(zips.zipped(PACK, method=method))
    assert mistakes[0].endswith("compressed in a way that is not read here: only deflate is, and none at all")


@pytest.mark.parametrize("body", [b"", b"PK", b"not a zip", b"PK\x05\x06" + b"\x00" * 17, b"%PDF-1.7"])
def test_what_is_no_archive_is_refused(body: bytes) -> None:
    assert told(body)[0].startswith("(zip):1:1: not a zip archive that can be read: ")


def test_a_damaged_archive_is_refused() -> None:
    archive = zips.zipped(PACK)
    whole = bytes(judge(archive, "second-edition").pack)
    for at in range(10, len(archive), 97):
        damaged = archive[:at] + bytes([archive[at] ^ 0x5A]) + archive[at + 1 :]
        judged = judge(damaged, "second-edition")
        assert judged.findings or bytes(judged.pack) == whole


# ---- packs that are refused ----


def test_mistakes_of_the_pack_are_told_with_file_line_and_reason() -> None:
    files = {**PACK, "haunts/bell.yaml": haunt().replace("story:", "sotry:", 1)}
    assert "haunts/bell.yaml:8:1: unknown field `sotry` in Haunt: did you mean `story`?" in told(zips.zipped(files))
    around = {f"ours/{name}": text for name, text in files.items()}
    assert told(zips.zipped(around)) == told(zips.zipped(files)), "as seen from the pack"


@pytest.mark.parametrize("name", builtin_packs())
def test_the_name_of_a_built_in_pack_is_refused(name: str) -> None:
    reason = f"pack.yaml:1:5: `{name}` is the name of a built-in pack: take another id"
    assert told(zips.zipped({**PACK, "pack.yaml": head(name)})) == [reason]


def test_a_whole_pack_under_the_name_of_a_built_in_one_is_refused() -> None:
    folder = builtin_packs()["second-edition"]
    files = {file.relative_to(folder).as_posix(): file.read_text("utf-8") for file in folder.rglob("*.yaml")}
    (mistake,) = told(zips.zipped(files))
    assert mistake.endswith("`second-edition` is the name of a built-in pack: take another id")


def test_the_name_of_a_built_in_piece_is_refused() -> None:
    files = {**PACK, "haunts/bell.yaml": haunt(name="the-bell-below")}
    (mistake,) = told(zips.zipped(files))
    assert mistake.startswith("haunts/bell.yaml:2:5: `haunt:the-bell-below` is a piece of second-edition: ")


def test_another_version_of_the_vocabulary_is_refused() -> None:
    (mistake,) = told(zips.zipped({**PACK, "pack.yaml": head("ours", "vocabulary: 2")}))
    assert mistake.startswith("pack.yaml:4:13: written in version 2 of the vocabulary: this Omenlog reads version 1")


def test_a_base_that_is_not_built_in_is_refused() -> None:
    (mistake,) = told(zips.zipped({"bell.yaml": haunt()}), "../../etc")
    assert mistake.startswith("bell.yaml:2:1: there is no built-in pack `../../etc`: ")


def test_an_archive_without_a_pack_is_refused() -> None:
    (mistake,) = told(zips.zipped({"a.md": ""}))
    assert mistake.startswith("pack.yaml:1:1: missing: a pack cannot do without it")
    (mistake,) = told(zips.zipped({}))
    assert mistake.endswith("no file is in the archive: send the folder of a pack, or the file of a haunt")


BOMB = "\n".join(
    ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    + [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 10)]
)


@pytest.mark.parametrize(
    "text, reason",
    [
        (BOMB, "over 100000 nodes with all aliases written out"),
        ("id: &a [*a]", "an alias within what it stands for"),
        ("id: " + "[" * 10_000, "nested more than 60 levels deep"),
        ("id: " + "{a: " * 10_000, "nested more than 60 levels deep"),
        ("id: !!python/object/apply:os.system [ls]", "the tag `tag:yaml.org,2002:python/object/apply:os.system`"),
        ("id: " + "9" * 10_000, "over 9 digits"),
        ("id: \x00", "not YAML"),
    ],
)
def test_yaml_that_does_harm_is_refused(text: str, reason: str) -> None:
    mistakes = told(zips.zipped({**PACK, "haunts/bell.yaml": text}))
    assert any(mistake.startswith("haunts/bell.yaml:") and reason in mistake for mistake in mistakes)


def test_bytes_that_are_no_text_are_refused() -> None:
    assert "haunts/bell.yaml:1:1: a byte that is not UTF-8" in told(zips.zipped({**PACK, "haunts/bell.yaml": b"\xff"}))


def test_steps_that_run_themselves_are_refused() -> None:
    blocks = "blocks:\n  one: [{run: two}]\n  two: [{run: one}]\n"
    mistakes = told(zips.zipped({**PACK, "pack.yaml": head() + blocks}))
    assert any(mistake.startswith("pack.yaml:") and "one" in mistake for mistake in mistakes)


def test_a_pack_that_is_large_once_it_is_put_together_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strangers, "MAX_PACK", 100_000)
    assert told(zips.zipped(PACK))[0].endswith("a pack has at most 100000")


def test_a_pack_that_takes_too_much_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(strangers, "read_pack", exhausted)
    assert told(zips.zipped(PACK)) == [f"(zip):1:1: {strangers.TOO_MUCH}"]
