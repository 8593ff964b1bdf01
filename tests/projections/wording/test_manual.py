"""The manual: current, whole, and its examples are right."""

import re

import msgspec
import pytest

from content.authoring.commands import MANUAL
from content.check.laws import ACROSS_PIECES, WITHIN_A_PIECE
from content.describe import examples, meaning
from content.load.documents import Document
from content.load.layout import LAYOUT
from content.vocabulary.base import Word
from content.vocabulary.effects import VERBS, Effect
from content.vocabulary.entry import Entry
from content.vocabulary.extension import Extension
from content.vocabulary.pack import Pack
from projections.wording.manual import SAID, SECTIONS, manual, title, uses
from tests.support.gaps import place, report

TEXT = MANUAL.read_text(encoding="utf-8")
HEADINGS = re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
STRUCTS = [struct for struct in Word.__subclasses__() if struct.__module__.startswith("content.vocabulary.")]


def test_the_committed_manual_is_current() -> None:
    assert manual() == TEXT, "content/MANUAL.md is not what the vocabulary says: `./dev docs` writes it anew"


def test_every_link_leads_to_a_heading() -> None:
    anchors = {heading.lower().replace(" ", "-") for heading in HEADINGS}
    report(
        f"content/MANUAL.md links to `#{link}`, but has no such heading: correct projections/wording/manual.py, which writes it."
        for link in sorted({*re.findall(r"\]\(#([^)]*)\)", TEXT)} - anchors)
    )


def test_every_verb_has_its_chapter_with_an_example() -> None:
    for name in VERBS:
        verb = Effect.__struct_encode_fields__[Effect.__struct_fields__.index(name)]
        chapter = TEXT.partition(f"\n### {verb}\n")[2].partition("\n#")[0]
        blocks = [line for line in chapter.split("\n") if line.startswith("    ")]
        assert any(re.search(rf"(^    |[{{ ]){verb}:", line) for line in blocks), (
            f"The manual has no example of `{verb}`: write one into the docstring of its Struct in content/vocabulary/."
        )


def test_most_examples_are_from_packs() -> None:
    assert len(uses()) > len(VERBS) * 3 // 4


def test_every_kind_of_file_and_every_check_is_told() -> None:
    report(
        f"The manual does not tell of `{kind.pattern}`, which LAYOUT has: correct projections/wording/manual.py."
        for kind in LAYOUT
        if f"`{kind.pattern}`" not in TEXT
    )
    report(
        f"The manual does not tell what {check.__module__}.{check.__name__} checks: give it a docstring of one line."
        for check in (*WITHIN_A_PIECE, *ACROSS_PIECES)
        if f"- {check.__doc__}\n" not in TEXT
    )


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_a_struct_says_what_it_is_and_its_examples_fit(struct: type[Word]) -> None:
    assert meaning(struct)
    for example in examples(struct):
        msgspec.convert(Document(struct.__name__, example).data, struct)


def test_a_use_names_a_piece_that_has_it_and_says_how_it_reads() -> None:
    use = uses()["place_tile"]
    assert use.source == "{place-tile: {floor: any}}"
    assert use.where == "second-edition, card `the-walls`"
    assert use.words == "Put the next room of the stack at a free doorway."


UNSAID = {
    "Binding": "names a rule, and says nothing of its own",
    "Alternative": "a ruling says itself in words",
    "CardSet": "reads only with the card that has it",
    "Barrier": "reads only with its room",
    "Start": "reads only with its room",
    "Track": "reads only with its explorer",
    "Components": "counts what is in the box",
    "Entry": "its parts come from a printed book",
    "HauntForm": "says what authors have to write",
    "Extension": "names a pack",
    "Playtest": "figures, no rule",
    "Seek": "a hint for bots, which no player reads",
}
"""Structs whose examples are no rule by themselves, with the reason."""


def test_below_every_example_that_is_a_rule_stands_how_players_read_it() -> None:
    for struct in (one for section in SECTIONS for one in section.structs if examples(one)):
        assert (struct in SAID) != (struct.__name__ in UNSAID), (
            f"{struct.__name__}: say it in SAID, or why not in UNSAID"
        )
        chapter = TEXT.partition(f"\n### {title(struct)}\n")[2].partition("\n#")[0]
        blocks = re.findall(r"^    .*\n\n(.*)", f"{chapter}\n\n", re.MULTILINE)
        assert all(words.startswith("*") for words in blocks) or struct not in SAID, f"{struct.__name__}: {blocks}"
    for verb, use in uses().items():
        assert use.words, f"the example of `{verb}` in {use.where} has no words"


def test_the_whole_vocabulary_is_reached_from_a_pack() -> None:
    reached = msgspec.json.schema_components([Pack, Entry, Extension])[1].keys()
    report(
        f"{struct.__name__} ({place(struct)}) is not part of any pack: let a field of the vocabulary hold it, or remove it."
        for struct in STRUCTS
        if struct.__name__ not in reached
    )
