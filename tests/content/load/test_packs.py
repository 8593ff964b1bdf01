"""Loading packs: all mistakes at once, whatever the files are called, the same pack by every way."""

import gc
import shutil
import time
from pathlib import Path

import msgspec
import pytest
import yaml

from content.errors import ContentErrors
from content.load.digest import decode_pack, digest, pack_bytes
from content.load.layout import LAYOUT
from content.load.offers import find_packs
from content.load.packs import builtin_packs, load_pack
from content.vocabulary.pack import Pack
from tests.content.planting import Plant, told
from tests.support.gaps import report

BUILTIN = builtin_packs()


@pytest.mark.parametrize("name", BUILTIN)
def test_a_builtin_pack_loads(name: str) -> None:
    pack = load_pack(BUILTIN[name])
    assert pack.head.id == name


@pytest.mark.parametrize("name", BUILTIN)
def test_a_builtin_pack_loads_quickly(name: str) -> None:
    """Positions, types and digest included it takes at most six times what libyaml takes to read the files; about 0.2 s.

    Measured alone, on an AMD EPYC: 4.7 to 5.1 times; beside other tests it is more.
    """
    gc.collect()
    gc.freeze()  # what earlier tests have left in memory isn't the loader's to walk through
    assert any(_times_libyaml(BUILTIN[name]) < 6 for _ in range(20))  # once undisturbed is enough
    gc.unfreeze()


def _times_libyaml(folder: Path) -> float:
    """How many times longer a pack takes to load than libyaml takes to read its files."""
    start = time.process_time()
    for path in folder.rglob("*.yaml"):
        yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
    read = time.process_time()
    load_pack(folder)
    return (time.process_time() - read) / (read - start)


def test_the_builtin_packs_are_both_editions() -> None:
    assert {load_pack(path).head.edition for path in BUILTIN.values()} == {"second", "third"}


def test_pieces_are_ordered_by_id_and_mappings_by_key(small: Path) -> None:
    pack = load_pack(small)
    assert [tile.id for tile in pack.tiles] == ["attic", "gap", "hall", "landing", "stairs"]
    assert [card.id for card in pack.cards] == ["cold-stair", "feather", "mask", "new-door", "skull", "two-dice"]
    outcomes = pack.cards[0].do[0].outcomes
    assert outcomes is not None
    assert list(outcomes) == ["0", "1-3", "4+"]


def test_how_pieces_are_spread_over_files_changes_nothing(small: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(small, other)
    first, second = (other / "tiles/rooms.yaml").read_text().split("\n- id: landing\n")
    (other / "tiles/rooms.yaml").write_text(first + "\n")
    (other / "tiles/a-first.yaml").write_text("- id: landing\n" + second)
    (other / "cards/deck.yaml").rename(other / "cards/all-of-them.yaml")
    assert pack_bytes(load_pack(other)) == pack_bytes(load_pack(small))


def test_a_loaded_pack_and_a_decoded_one_are_the_same_to_the_order_of_keys(small: Path) -> None:
    pack = load_pack(small)
    again = decode_pack(pack_bytes(pack))
    assert again == pack
    assert msgspec.json.encode(again) == msgspec.json.encode(pack), "in the order in which they are walked"


def test_all_mistakes_come_at_once_and_sorted(plant: Plant) -> None:
    plant("tiles/rooms.yaml", "id: attic", "id: Attic")
    plant("cards/deck.yaml", "gain: {trait: rolled}", "gian: {trait: rolled}")
    folder = plant("cards/deck.yaml", "word: HEAL", "word: heal")
    with pytest.raises(ContentErrors) as error:
        load_pack(folder)
    assert error.value.mistakes == sorted(error.value.mistakes)
    assert [str(mistake).removeprefix(f"{folder}/") for mistake in error.value.mistakes] == [
        "cards/deck.yaml:8:15: unknown field `gian` in Effect: did you mean `gain`?",
        "cards/deck.yaml:70:13: the word `heal` is not in capitals: write `HEAL`",
        "tiles/rooms.yaml:22:7: the id `Attic` is not in kebab-case: write `attic`",
    ]


def test_what_only_a_whole_pack_shows_waits_until_it_can_be_read(plant: Plant) -> None:
    plant("cards/deck.yaml", "in-house: attic", "in-house: atic")
    assert len(told(plant("tiles/rooms.yaml", "title: Gap", "name: Gap"))) == 2
    folder = plant("tiles/rooms.yaml", "name: Gap", "title: Gap")
    assert told(folder) == ["cards/deck.yaml:16:27: no tile `atic`: did you mean `attic`?"]


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    for name in ("none", "none.yaml"):
        with pytest.raises(ContentErrors, match=f"{name}:1:1: no such file or folder: a pack is a folder, or the file"):
            load_pack(tmp_path / name)
    (tmp_path / "link.yaml").symlink_to("none.yaml")
    with pytest.raises(ContentErrors, match="this is neither a file nor a folder"):
        load_pack(tmp_path / "link.yaml")


def test_a_folder_with_nothing_of_a_pack_lacks_its_head_alone(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("id: a\n")
    (tmp_path / "b.yaml").write_text("id: b\n")
    (mistake,) = told(tmp_path)
    assert mistake.startswith(
        "pack.yaml:1:1: missing: a pack cannot do without it: `id`, `title` and `extends` make one"
    )


@pytest.mark.parametrize(
    "wanted, says",
    [
        ("second-edition,second-edition", "second-edition is named twice; name each pack once"),
        (" , ", "names no pack; leave it empty for all built-in ones: second-edition, third-edition"),
    ],
)
def test_packs_are_named_once_each(wanted: str, says: str) -> None:
    with pytest.raises(LookupError, match=says):
        find_packs(wanted)
    assert [one.path.name for one in find_packs("third-edition,")] == ["third-edition"]


def test_missing_and_misplaced_files_are_told(small: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    shutil.copytree(small, folder)
    (folder / "characters/all.yaml").unlink()
    (folder / "tokens.yaml").rename(folder / "token.yaml")
    (folder / "chart.yaml").rename(folder / "chart.yml")
    (folder / "README.md").write_text("Not content.")
    assert told(folder) == [
        "characters/*.yaml:1:1: missing: a pack cannot do without it",
        "chart.yml:1:1: no file of a pack lies here, so nothing reads it: did you mean `chart.yaml`?",
        "token.yaml:1:1: no file of a pack lies here, so nothing reads it: did you mean `tokens.yaml`?",
    ]


def test_a_file_of_one_thing_is_no_list(plant: Plant) -> None:
    folder = plant("haunts/the-stranger.yaml", "id: the-stranger", "id: the-changeling")
    (folder / "haunts/the-stranger.yaml").write_text("[]")
    assert told(folder) == ["haunts/the-stranger.yaml:1:1: expected a mapping (Haunt), found a list"]


def test_a_digest_names_its_algorithm() -> None:
    assert digest(b"") == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_bytes_that_are_no_pack_are_refused(small: Path) -> None:
    for data in (b"", b"{}", b"[]", pack_bytes(load_pack(small))[:-1], b'{"head": 1}'):
        with pytest.raises(msgspec.DecodeError):
            decode_pack(data)


def test_a_pack_holds_every_field_of_the_layout() -> None:
    filled = {kind.field for kind in LAYOUT}
    report(
        f"No file of a pack fills the field `{name}` of Pack: enter a `FileKind` for it in LAYOUT in content/load/layout.py."
        for name in Pack.__struct_fields__
        if name not in filled
    )
    assert filled <= set(Pack.__struct_fields__)
