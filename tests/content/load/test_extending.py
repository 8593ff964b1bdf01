"""Packs that add to a built-in one: what they need, what they change, and which names they can't take by accident."""

from collections.abc import Callable
from pathlib import Path

import pytest

from content.errors import ContentErrors
from content.load.digest import digest, pack_bytes
from content.load.packs import base_of, builtin_packs, load_pack
from content.vocabulary.pack import Pack
from domain.game import rules_for
from tests.cli.invoking import omenlog
from tests.content.planting import told
from tests.support.packs import pack

BASE = pack("second-edition")
HEAD = "id: ours\ntitle: Ours\nextends: second-edition\n"
BELL = builtin_packs()["second-edition"] / "haunts/the-bell-below.yaml"
HAUNT = (
    BELL.read_text("utf-8").replace("id: the-bell-below", "id: our-bell").replace("stage: playtested", "stage: draft")
)
NIGHT = builtin_packs()["third-edition"] / "haunts/the-night-shift.yaml"
OF_THE_THIRD = (
    NIGHT.read_text("utf-8")
    .replace("id: the-night-shift", "id: our-night")
    .replace("stage: playtested", "stage: draft")
)
CARD = """\
- id: {id}
  deck: item
  title: A bottle of ours
  text: It is empty.
  actions: [{{word: DRINK, title: Drink, do: [{{gain: {{trait: might}}}}]}}]
"""

Write = Callable[..., Path]


@pytest.fixture
def ours(tmp_path: Path) -> Write:
    """Writes a pack: its `pack.yaml`, and other files by name (`haunts__bell` is `haunts/bell.yaml`)."""

    def write(head: str = HEAD, **files: str) -> Path:
        folder = tmp_path / "ours"
        for name, text in {"pack": head, **files}.items():
            path = folder / f"{name.replace('__', '/')}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return folder

    return write


def test_id_title_and_extends_make_a_pack_that_is_the_builtin_one_under_another_name(ours: Write) -> None:
    loaded = load_pack(ours())
    assert (loaded.head.id, loaded.head.title, loaded.head.edition) == ("ours", "Ours", "second")
    assert (loaded.cards, loaded.tiles, loaded.haunts, loaded.chart) == (
        BASE.cards,
        BASE.tiles,
        BASE.haunts,
        BASE.chart,
    )
    assert loaded.head.players == BASE.head.players
    assert rules_for(loaded).pack.haunts.keys() == {haunt.id for haunt in BASE.haunts}


def test_a_haunt_is_added_and_the_rest_stays(ours: Write) -> None:
    loaded = load_pack(ours(haunts__bell=HAUNT))
    assert {haunt.id for haunt in loaded.haunts} - {haunt.id for haunt in BASE.haunts} == {"our-bell"}
    assert len(loaded.haunts) == len(BASE.haunts) + 1


def test_a_file_with_one_haunt_is_a_pack(tmp_path: Path) -> None:
    file = tmp_path / "bell.yaml"
    file.write_text(HAUNT, "utf-8")
    loaded = load_pack(file)
    assert (loaded.head.id, loaded.head.title) == ("our-bell", "The Bell Below")
    assert "our-bell" in {haunt.id for haunt in loaded.haunts}


def test_a_file_with_one_haunt_may_belong_to_another_edition(tmp_path: Path) -> None:
    file = tmp_path / "night.yaml"
    file.write_text(OF_THE_THIRD, "utf-8")
    loaded = load_pack(file, base="third-edition")
    assert loaded.head.edition == "third"
    assert "our-night" in {haunt.id for haunt in loaded.haunts}


@pytest.mark.parametrize("text, edition", [(HAUNT, "second"), (OF_THE_THIRD, "third")])
def test_a_file_with_one_haunt_belongs_to_the_edition_in_which_it_has_fewer_mistakes(
    tmp_path: Path, text: str, edition: str
) -> None:
    file = tmp_path / "alone.yaml"
    file.write_text(text, "utf-8")
    assert load_pack(file).head.edition == edition
    file.write_text(text.replace("title:", "titel:", 1), "utf-8")
    assert base_of(file) == "second-edition", "what can't be read is alike in both"


@pytest.mark.parametrize(
    "head, base",
    [
        ("id: ours\ntitle: Ours\nextends: third-edition\n", "third-edition"),
        ((builtin_packs()["third-edition"] / "pack.yaml").read_text("utf-8"), "third-edition"),
        (HEAD, "second-edition"),
    ],
)
def test_what_the_pack_says_in_whose_folder_it_lies_comes_first(ours: Write, head: str, base: str) -> None:
    folder = ours(head, haunts__bell=HAUNT, haunts__night=OF_THE_THIRD)
    assert {base_of(folder / "haunts" / file) for file in ("bell.yaml", "night.yaml")} == {base}


def test_the_command_line_tells_the_edition_of_a_file_or_takes_it_from_its_option(tmp_path: Path) -> None:
    file = tmp_path / "our-night.yaml"
    file.write_text(OF_THE_THIRD, "utf-8")
    assert "5 scenarios" in omenlog("content", "check", str(file)).output
    assert "a haunt needs a `story`" in omenlog("content", "check", "--edition", "second", str(file)).output
    assert omenlog("content", "book", str(file)).output.startswith("# The Night Shift\n")
    assert omenlog("content", "book", "--edition", "second", str(file)).exit_code == 1
    assert omenlog("content", "book", str(NIGHT)).output == omenlog("content", "book", str(file)).output


def test_a_file_that_holds_no_haunt_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "list.yaml"
    file.write_text("- id: bell\n", "utf-8")
    assert told(file) == [f"{file}:1:1: expected a mapping (Haunt), found a list"]


def test_a_loaded_pack_has_a_digest_of_its_own(ours: Write) -> None:
    assert digest(pack_bytes(load_pack(ours(haunts__bell=HAUNT)))) != digest(pack_bytes(BASE))


# ---- names of built-in pieces ----


def test_a_builtin_piece_is_not_replaced_by_accident(ours: Write) -> None:
    (mistake,) = told(ours(cards__ours=CARD.format(id="bottle")))
    assert mistake == (
        "cards/ours.yaml:1:7: `card:bottle` is a piece of second-edition: "
        'take another name, or replace it on purpose: `replaces: ["card:bottle"]` in pack.yaml'
    )


def test_a_builtin_piece_is_replaced_on_purpose(ours: Write) -> None:
    loaded = load_pack(ours(HEAD + 'replaces: ["card:bottle"]\n', cards__ours=CARD.format(id="bottle")))
    assert {card.title for card in loaded.cards if card.id == "bottle"} == {"A bottle of ours"}
    assert len(loaded.cards) == len(BASE.cards)


def test_a_builtin_piece_is_left_out_on_purpose(ours: Write) -> None:
    loaded = load_pack(ours(HEAD + 'without: ["card:bottle"]\n'))
    assert "bottle" not in {card.id for card in loaded.cards}
    assert len(loaded.cards) == len(BASE.cards) - 1


def test_a_builtin_block_is_not_replaced_by_accident(ours: Write) -> None:
    blocks = "blocks:\n  jolt: [{damage: {kind: mental, dice: 1}}]\n"
    assert told(ours(HEAD + blocks))[0].startswith("pack.yaml:5:3: `block:jolt` is a piece of second-edition: ")
    loaded = load_pack(ours(HEAD + 'replaces: ["block:jolt"]\n' + blocks))
    assert loaded.head.blocks["jolt"] != BASE.head.blocks["jolt"]
    assert loaded.head.blocks.keys() == BASE.head.blocks.keys()


def test_the_builtin_chart_is_not_replaced_by_accident(ours: Write) -> None:
    chart = (builtin_packs()["second-edition"] / "chart.yaml").read_text("utf-8")
    assert told(ours(chart=chart))[0].startswith("chart.yaml:4:1: `chart` is a piece of second-edition: ")
    assert load_pack(ours(HEAD + "replaces: [chart]\n", chart=chart)).chart == BASE.chart


@pytest.mark.parametrize(
    "line, mistake",
    [
        (
            'replaces: ["card:botle"]',
            "pack.yaml:4:12: second-edition has no `card:botle`: did you mean `card:bottle`?",
        ),
        (
            "replaces: [bottle]",
            "pack.yaml:4:12: second-edition has no `bottle`: did you mean `card:bottle`?",
        ),
        (
            'replaces: ["card:bottle"]',
            "pack.yaml:4:12: nothing here replaces `card:bottle`: to leave it out, list it under `without`",
        ),
    ],
)
def test_what_is_replaced_is_there_before_and_after(ours: Write, line: str, mistake: str) -> None:
    assert told(ours(f"{HEAD}{line}\n")) == [mistake]


def test_a_piece_is_not_left_out_and_given(ours: Write) -> None:
    folder = ours(HEAD + 'without: ["card:bottle"]\n', cards__ours=CARD.format(id="bottle"))
    assert told(folder) == [
        "pack.yaml:4:11: `card:bottle` is left out and given: to replace it, list it under `replaces`"
    ]


def test_the_name_of_a_builtin_pack_is_not_taken(ours: Write) -> None:
    assert told(ours(HEAD.replace("ours", "second-edition"))) == [
        "pack.yaml:1:5: `second-edition` is the name of a built-in pack: take another id"
    ]


@pytest.mark.parametrize("name", ["ours", "second-editon", "../ours", "https://example.org/pack"])
def test_only_a_builtin_pack_is_extended_so_no_pack_extends_itself(ours: Write, name: str) -> None:
    (mistake,) = told(ours(HEAD.replace("second-edition", name)))
    assert mistake.startswith(f"pack.yaml:3:10: there is no built-in pack `{name}`: ")
    assert "second-edition" in mistake


def test_another_version_of_the_vocabulary_is_all_that_is_told(ours: Write) -> None:
    folder = ours(HEAD + "vocabulary: 2\nsomething-new: 1\n", haunts__bell="a-new-word: 1\n")
    (mistake,) = told(folder)
    assert mistake == (
        "pack.yaml:4:13: written in version 2 of the vocabulary: this Omenlog reads version 1: "
        "write `vocabulary: 1`, and what the manual has for it"
    )


def test_a_mistake_in_an_added_haunt_stands_in_its_own_file(ours: Write) -> None:
    (mistake, *_) = told(ours(haunts__bell=HAUNT.replace("strokes:", "stroks:", 1)))
    assert mistake.startswith("haunts/bell.yaml:")


def test_a_block_of_the_builtin_pack_that_nothing_runs_any_more_is_told_where_it_stands(ours: Write) -> None:
    vault = HEAD + 'without: ["block:slide-anywhere"]\n'
    mistakes = told(ours(vault))
    assert mistakes
    assert all("second-edition/pack.yaml:" in mistake for mistake in mistakes)


# ---- where a haunt begins ----


def begun(ours: Write, begins: str, haunt: str = HAUNT) -> Pack:
    return load_pack(ours(haunts__bell=haunt.replace("\nstory:", f"\nbegins: {begins}\nstory:", 1)))


def test_a_haunt_begins_by_an_omen_in_a_room(ours: Write) -> None:
    chart = begun(ours, "{gallery: [girl, skull], kitchen: [mask]}").chart
    assert chart is not None
    assert BASE.chart is not None
    changed = {
        (room, omen)
        for room, row in chart.cells.items()
        for omen, number, before in zip(chart.omens, row, BASE.chart.cells[room], strict=True)
        if number != before
    }
    assert changed == {("gallery", "girl"), ("gallery", "skull"), ("kitchen", "mask")}
    assert chart.cells["gallery"][chart.omens.index("girl")] == 51
    assert chart.haunts["51"] == "our-bell"
    assert chart.traitors["51"].revealer


def test_a_haunt_with_all_cells_of_a_number_takes_the_number(ours: Write) -> None:
    chart = begun(ours, "{gallery: [girl, crystal-ball, dog]}").chart
    assert chart is not None
    assert chart.haunts["19"] == "our-bell"
    assert chart.cells == (BASE.chart and BASE.chart.cells)


@pytest.mark.parametrize(
    "begins, mistake",
    [
        ("{galery: [girl]}", "the chart has no room `galery`: did you mean `gallery`?"),
        ("{gallery: [gril]}", "the chart has no omen `gril`: did you mean `girl`?"),
        (
            "{dining-room: [book], gallery: [book, girl, crystal-ball, dog], kitchen: [book]}",
            "it leaves no cell to the number 19 of the chart (`the-three-keys`): begin elsewhere in one of them",
        ),
        ("{gallery: []}", "no omen begins it there: name one, or leave the room out"),
        ("{gallery: [girl, girl]}", "there `our-bell` begins already"),
    ],
)
def test_a_haunt_begins_where_the_chart_leads_somewhere(ours: Write, begins: str, mistake: str) -> None:
    with pytest.raises(ContentErrors) as refused:
        begun(ours, begins)
    assert mistake in str(refused.value)
    assert "bell.yaml:" in str(refused.value)


def test_two_haunts_do_not_begin_at_the_same_place(ours: Write) -> None:
    one = HAUNT.replace("\nstory:", "\nbegins: {gallery: [girl]}\nstory:", 1)
    folder = ours(haunts__bell=one, haunts__bell2=one.replace("our-bell", "our-bell-2"))
    (mistake,) = told(folder)
    assert mistake.endswith("there `our-bell` begins already")
    assert mistake.startswith("haunts/bell2.yaml:")


def test_a_haunt_that_begins_by_itself_names_its_traitor(ours: Write) -> None:
    haunt = HAUNT.replace("traitor: {revealer: true}\n", "", 1)
    with pytest.raises(ContentErrors, match="a haunt that begins by itself says who is the traitor: add `traitor`"):
        begun(ours, "{gallery: [girl]}", haunt)


def test_the_third_edition_has_no_chart_to_begin_on(ours: Write) -> None:
    haunt = OF_THE_THIRD.replace("\nnumbers:", "\nbegins: {gallery: [girl]}\nnumbers:", 1)
    folder = ours(HEAD.replace("second-edition", "third-edition"), haunts__night=haunt)
    assert [one.rpartition(": ")[2] for one in told(folder)] == ["this pack has no chart on which it could begin"]


def test_no_two_pieces_of_a_pack_that_extends_share_an_id(ours: Write) -> None:
    card = CARD.format(id="flask")
    folder = ours(haunts__a=HAUNT, haunts__b=f"# another\n{HAUNT}", cards__items=card, cards__others=card)
    line = HAUNT[: HAUNT.index("id: our-bell")].count("\n") + 1
    hint = "give each an id of its own"
    assert told(folder) == [
        f"cards/items.yaml:1:7: the id `flask` is taken by another Card: {hint}",
        f"cards/others.yaml:1:7: the id `flask` is taken by another Card: {hint}",
        f"haunts/a.yaml:{line}:5: the id `our-bell` is taken by another Haunt: {hint}",
        f"haunts/b.yaml:{line + 1}:5: the id `our-bell` is taken by another Haunt: {hint}",
    ]


def test_a_card_and_a_room_may_share_an_id(ours: Write) -> None:
    tile = "- id: flask\n  title: Flask\n  text: Round.\n  floors: [ground]\n  doors: [north]\n"
    assert told(ours(cards__items=CARD.format(id="flask"), tiles__all=tile)) == []
