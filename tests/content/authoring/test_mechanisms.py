"""The matrix of mechanisms: read off the data, committed with the report of reach, and no two haunts alike."""

import msgspec
import pytest

from content.authoring.mechanisms import LEAST, MECHANISMS, alike, matrix, mechanisms
from content.load.packs import builtin_packs, load_pack
from content.vocabulary.pack import Haunt
from service.cli.content import REASONS
from tests.support.gaps import report

PACK = "second-edition"


@pytest.fixture(scope="module")
def haunts() -> dict[str, Haunt]:
    return {haunt.id: haunt for haunt in load_pack(builtin_packs()[PACK]).haunts}


def test_any_two_haunts_differ_in_three_mechanisms_at_least(haunts: dict[str, Haunt]) -> None:
    report(
        f"{one} and {other} differ in {many} mechanisms only: give one of them something that the other lacks."
        for one, other, many in alike(haunts.values())
    )


def test_a_haunt_with_new_words_and_the_old_play_is_told(haunts: dict[str, Haunt]) -> None:
    bell = haunts["the-bell-below"]
    copy = msgspec.structs.replace(bell, id="the-gong-above", title="The Gong Above", story="It is a gong.")

    assert alike([bell, copy]) == [("The Bell Below", "The Gong Above", 0)]
    assert LEAST > 0


def test_in_half_of_the_haunts_the_traitor_has_actions_of_its_own(haunts: dict[str, Haunt]) -> None:
    acting = [haunt.id for haunt in haunts.values() if "traitor acts" in mechanisms(haunt)]
    assert 2 * len(acting) >= len(haunts)


def test_every_mechanism_tells_some_haunts_from_others(haunts: dict[str, Haunt]) -> None:
    found = [mechanisms(haunt) for haunt in haunts.values()]
    report(
        f"the mechanism `{name}` tells no two haunts apart"
        for name in MECHANISMS
        if len({name in one for one in found}) == 1
    )


def test_mechanisms_are_read_off_the_data(haunts: dict[str, Haunt]) -> None:
    assert {"traitor acts", "tiles move", "harm each round"} <= mechanisms(haunts["the-carousel"])
    assert not {"clock", "traitor healed", "heroes' task rolls"} & mechanisms(haunts["the-carousel"])
    assert {"clock", "traitor healed", "heroes' task rolls", "new rooms"} <= mechanisms(haunts["the-bell-below"])
    assert "traitor acts" not in mechanisms(haunts["the-bell-below"])
    assert {"secrets", "traitor acts"} <= mechanisms(haunts["the-honest-child"])
    assert "choices" in mechanisms(haunts["the-empty-plate"])


def test_the_committed_report_shows_the_matrix_as_it_is(haunts: dict[str, Haunt]) -> None:
    page = (REASONS / f"{PACK}.md").read_text("utf-8")
    assert "\n".join(matrix(haunts.values())) in page, "write the report anew with `omenlog content reach`"
