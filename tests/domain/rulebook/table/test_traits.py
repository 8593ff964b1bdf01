"""Trait tracks: spaces and numbers, tops and skulls (rulebook: Explorer Traits)."""

import pytest

from domain.facts.audience import seat_bit
from domain.facts.events import TraitChanged
from projections.sentences.history import sentence
from projections.view.game import view_of
from tests.support.desk import Desk
from tests.support.table import Table, events, the

ZOE, JENNY = 0, 1
EXPLORERS = ("zoe-ingstrom", "jenny-leclerc", "ox-bellows")


class Tracks(Desk):
    """Zoe Ingstrom, Jenny LeClerc, Ox Bellows; the referee's rulings move their clips as texts do."""

    def __init__(self, *, haunt: bool = False) -> None:
        super().__init__(EXPLORERS)
        self.disputes = 0
        if haunt:
            self.haunt("the-bell-below", traitor=2)

    def gains(self, seat: int, trait: str, spaces: int) -> None:
        """A text says: gain so many."""
        self._moves("gain", seat, trait, spaces)

    def loses(self, seat: int, trait: str, spaces: int) -> None:
        """A text says: lose so many."""
        self._moves("lose", seat, trait, spaces)

    def _moves(self, verb: str, seat: int, trait: str, spaces: int) -> None:
        self.disputes += 1
        self.dispute(seat)
        dice = -(-spaces // 2)
        faces = [2] * (dice - spaces % 2) + [1] * (spaces % 2)
        step = {verb: {"trait": trait, "steps": {"result": "roll"}}}
        self.rolls(faces)
        self.rule("amend", number=self.disputes, you=seat, do=[{"roll": {"dice": dice}, "then": [step]}])

    def stands(self, seat: int, trait: str) -> tuple[int, int]:
        """The space from 0, the skull, and the number on it, as everybody sees them."""
        for mask, role in self.roles.items():
            shown = getattr(view_of(self.rules, role, mask).explorers[seat].traits, trait)
            assert (shown.position, shown.value) == (self.explorer(seat).at[TRAITS[trait]], self.value(seat, trait))
        return self.explorer(seat).at[TRAITS[trait]], self.value(seat, trait)


TRAITS = {"might": 0, "speed": 1, "sanity": 2, "knowledge": 3}
"""Where a trait stands among an explorer's tracks."""


def draw_event(table: Table, card: str, *rolls: list[int]) -> None:
    """Seat 0 discovers a room and draws this event."""
    table.stack("tiles", "gardens")
    table.stack("event", card)
    table.rolls(*rolls).explore("east")


# -- 2E-TRAIT-001, 2E-TRAIT-002: the four traits ------------------------------------------------------------------------------


@pytest.mark.rule("2E-TRAIT-001", case=1, asserts=True)
def test_an_explorer_has_four_tracks_each_with_a_clip() -> None:
    table = Table()
    explorer = table.explorer(0)
    assert (len(explorer.tracks), len(explorer.at)) == (4, 4)
    shown = view_of(table.rules, table.view(1), seat_bit(1)).explorers[0].traits
    assert set(shown.__struct_fields__) == set(TRAITS)
    for trait in TRAITS:
        track = getattr(shown, trait)
        assert track.track[track.position] == track.value


@pytest.mark.rule("2E-TRAIT-002", case=1, asserts=True)
def test_physical_damage_lowers_might_and_speed_alone_and_mental_damage_knowledge_and_sanity() -> None:
    for kind, traits, others in (
        ("physical", {"might", "speed"}, {"sanity", "knowledge"}),
        ("mental", {"sanity", "knowledge"}, {"might", "speed"}),
    ):
        table = Table()
        roll = {"physical": [[0, 0], [2, 0]], "mental": [[1, 0], [2]]}[kind]
        draw_event(table, "phone-call", *roll)
        assert table.asked(0).about == f"damage:{kind}"
        assert set(table.asked(0).caps) == traits
        rule = {"physical": "2E-DMG-001", "mental": "2E-DMG-003"}[kind]
        for other in others:
            with table.refuses(rule):
                table.allocate(0, **{other: 2})
        first, second = sorted(traits)
        told = table.allocate(0, **{first: 1, second: 1})
        assert {one.trait for one in events(told, TraitChanged)} == traits


# -- 2E-TRAIT-003: spaces, not points -----------------------------------------------------------------------------------------


@pytest.mark.rule("2E-TRAIT-003", case=1)
def test_zoe_gains_two_spaces_of_might_and_one_point() -> None:
    table = Tracks()
    assert table.value(ZOE, "might") == 3
    table.gains(ZOE, "might", 2)
    assert table.stands(ZOE, "might") == (6, 4)


@pytest.mark.rule("2E-TRAIT-003", case=2)
def test_zoe_loses_two_spaces_of_sanity_and_two_points() -> None:
    table = Tracks()
    assert table.value(ZOE, "sanity") == 5
    table.loses(ZOE, "sanity", 2)
    assert table.stands(ZOE, "sanity") == (1, 3)


@pytest.mark.rule("2E-TRAIT-003", case=3)
def test_jenny_loses_a_space_of_speed_and_no_point() -> None:
    table = Tracks()
    assert table.value(JENNY, "speed") == 4
    table.loses(JENNY, "speed", 1)
    assert table.stands(JENNY, "speed") == (3, 4)


@pytest.mark.rule("2E-TRAIT-003", case=4)
def test_jenny_loses_two_spaces_of_might_and_one_point() -> None:
    table = Tracks()
    assert table.value(JENNY, "might") == 4
    table.loses(JENNY, "might", 2)
    assert table.stands(JENNY, "might") == (1, 3)


@pytest.mark.rule("2E-TRAIT-003", case=5)
def test_zoe_loses_might_space_by_space() -> None:
    table = Tracks()
    table.loses(ZOE, "might", 1)
    assert table.stands(ZOE, "might") == (3, 3)
    table.loses(ZOE, "might", 1)
    assert table.stands(ZOE, "might") == (2, 2)


@pytest.mark.rule("2E-TRAIT-003", case=6)
def test_a_loss_of_might_leaves_speed_alone_and_is_not_divided() -> None:
    table = Tracks()
    before = list(table.explorer(JENNY).at)
    table.loses(JENNY, "might", 2)
    assert not table.state.open
    assert [new - old for new, old in zip(table.explorer(JENNY).at, before, strict=True)] == [-2, 0, 0, 0]


# -- 2E-TRAIT-004: the maximum ------------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-TRAIT-004", case=1)
def test_a_gain_past_the_top_stops_there_and_the_surplus_is_forgotten() -> None:
    table = Tracks()
    table.clips(ZOE, might=7)
    table.gains(ZOE, "might", 3)
    assert table.explorer(ZOE).at[0] == 8
    table.loses(ZOE, "might", 1)
    assert table.explorer(ZOE).at[0] == 7


@pytest.mark.rule("2E-TRAIT-004", case=2)
def test_a_clip_passes_over_all_of_the_highest_numbers() -> None:
    table = Tracks()
    table.clips(ZOE, knowledge=5)  # the second 4 of 1 2 3 4 4 5 5 5
    assert table.stands(ZOE, "knowledge") == (5, 4)
    for spaces, stands in ((1, (6, 5)), (2, (8, 5)), (1, (8, 5))):
        table.gains(ZOE, "knowledge", spaces)
        assert table.stands(ZOE, "knowledge") == stands


@pytest.mark.rule("2E-TRAIT-004", case=3, asserts=True)
def test_a_clip_comes_down_over_all_of_the_highest_numbers() -> None:
    table = Tracks()
    table.clips(ZOE, knowledge=8)
    table.loses(ZOE, "knowledge", 2)
    assert table.stands(ZOE, "knowledge") == (6, 5)
    table.loses(ZOE, "knowledge", 1)
    assert table.stands(ZOE, "knowledge") == (5, 4)


@pytest.mark.rule("2E-TRAIT-004")
def test_a_gain_at_the_top_moves_nothing_and_is_told() -> None:
    table = Table()
    table.clips(0, might=8)
    table.lay("larder", "ground", 1, 0)
    table.put(0, "larder")
    table.turn(0)

    told = table.end_turn()

    assert (the(told, TraitChanged).to, the(told, TraitChanged).by) == (8, 0)
    assert (
        sentence(table.rules, the(told, TraitChanged), table.state)
        == "The might of Ox Bellows stays at its highest number."
    )


# -- 2E-TRAIT-005, 2E-TRAIT-006: the skull, and no death before the haunt -----------------------------------------------------


@pytest.mark.rule("2E-TRAIT-005", case=1, asserts=True)
def test_each_track_has_a_skull_below_its_lowest_number() -> None:
    table = Table(EXPLORERS)
    for explorer in view_of(table.rules, table.view(0), seat_bit(0)).explorers:
        for trait in TRAITS:
            track = getattr(explorer.traits, trait).track
            assert (len(track), track[0]) == (9, 0)
            assert 0 not in track[1:]


@pytest.mark.rule("2E-TRAIT-005", case=2, asserts=True)
def test_in_the_haunt_zoe_stands_on_the_first_two_before_she_falls_to_the_skull() -> None:
    table = Tracks(haunt=True)
    table.clips(ZOE, might=2)  # the second 2 of 2 2 3 3
    table.loses(ZOE, "might", 1)
    assert (table.stands(ZOE, "might"), table.explorer(ZOE).alive) == ((1, 2), True)
    table.loses(ZOE, "might", 1)
    assert (table.stands(ZOE, "might"), table.explorer(ZOE).alive) == ((0, 0), False)


@pytest.mark.rule("2E-TRAIT-005", case=3, asserts=True)
def test_in_the_haunt_zoe_with_sanity_five_survives_a_loss_of_two_and_not_of_three() -> None:
    for spaces, stands, alive in ((2, (1, 3), True), (3, (0, 0), False)):
        table = Tracks(haunt=True)
        assert table.stands(ZOE, "sanity") == (3, 5)
        table.loses(ZOE, "sanity", spaces)
        assert (table.stands(ZOE, "sanity"), table.explorer(ZOE).alive) == (stands, alive)


@pytest.mark.rule("2E-TRAIT-005")
def test_in_the_haunt_a_larger_loss_ends_on_the_skull_by_the_rule_on_the_skull() -> None:
    table = Tracks(haunt=True)
    table.clips(JENNY, sanity=2)
    table.loses(JENNY, "sanity", 3)
    stopped = the(table.commits[-1], TraitChanged)
    assert (stopped.to, stopped.by, stopped.rule) == (0, -2, "2E-TRAIT-005")


@pytest.mark.rule("2E-TRAIT-006", case=1)
def test_before_the_haunt_zoe_with_sanity_five_loses_three_and_lives() -> None:
    table = Tracks()
    table.loses(ZOE, "sanity", 3)
    assert (table.stands(ZOE, "sanity"), table.explorer(ZOE).alive) == ((1, 3), True)


@pytest.mark.rule("2E-TRAIT-006", case=2)
def test_what_a_loss_before_the_haunt_had_too_much_is_forgotten() -> None:
    table = Tracks()
    table.loses(ZOE, "sanity", 10)
    table.gains(ZOE, "sanity", 2)
    assert (table.stands(ZOE, "sanity"), table.explorer(ZOE).alive) == ((3, 5), True)


@pytest.mark.rule("2E-TRAIT-006", case=3)
def test_before_the_haunt_a_loss_stops_on_the_first_of_two_lowest_numbers() -> None:
    table = Tracks()
    table.clips(ZOE, might=2)
    table.loses(ZOE, "might", 10)
    assert table.stands(ZOE, "might") == (1, 2)
    table.gains(ZOE, "might", 1)
    assert table.stands(ZOE, "might") == (2, 2)
    table.gains(ZOE, "might", 1)
    assert table.stands(ZOE, "might") == (3, 3)


@pytest.mark.rule("2E-TRAIT-006", case=4)
def test_whoever_lost_too_much_before_the_haunt_does_not_die_as_it_begins() -> None:
    table = Tracks()
    for trait in TRAITS:
        table.loses(ZOE, trait, 10)
    table.stack("tiles", "charred-room")
    table.stack("omen", "ring")
    table.explore("east")
    table.rolls([0] * 6).end_turn()
    table.fate.pending = True
    table.all_ready()
    assert table.state.haunt is not None
    assert (table.explorer(ZOE).at, table.explorer(ZOE).alive) == ([1, 1, 1, 1], True)
