"""What is particular to some haunts of the second edition, as each side sees it."""

from tests.support.table import FOUR, Table

TRAITOR = 1


def begun(haunt: str, explorers: tuple[str, ...] = FOUR) -> Table:
    """A haunt whose traitor is seat 1, all explorers in the Entrance Hall."""
    table = Table(explorers)
    table.haunt(haunt, traitor=TRAITOR)
    return table


def counter(table: Table, name: str) -> int:
    assert table.state.haunt is not None
    return table.state.haunt.counters[name]


def secret(table: Table, seat: int, name: str) -> str:
    """What a seat knows of a secret: empty if nothing."""
    haunt = table.view(seat).haunt
    assert haunt is not None
    return haunt.secrets.get(name, "")


def test_a_whisper_is_heard_by_one_hero_and_may_be_a_lie() -> None:
    table = begun("the-honest-child")
    table.turn(TRAITOR)

    table.act("haunt:traitor", "WHISPER", 2)
    table.choose(TRAITOR, "soot")

    assert secret(table, 2, "whisper") == "soot"
    assert [secret(table, seat, "whisper") for seat in (0, 3)] == ["", ""]
    assert secret(table, 2, "hiding") == ""


def test_heroes_do_not_see_where_the_ripple_lies_until_it_bites() -> None:
    table = begun("the-ripple")
    table.put(2, "foyer")
    table.turn(TRAITOR)
    table.act("haunt:traitor", "SEND")
    table.choose(TRAITOR, "foyer")
    assert secret(table, TRAITOR, "ripple") == "foyer"
    assert secret(table, 2, "ripple") == ""

    table.turn(2)
    table.rolls([2, 2]).end_turn()

    assert secret(table, 0, "ripple") == "foyer"
    assert counter(table, "bites") == 1
    assert table.is_asked(2)


def test_a_vigil_counts_only_while_each_hero_watches_alone() -> None:
    table = begun("the-long-watch")
    for seat, room, wick in (
        (0, "entrance-hall", "blue"),
        (2, "grand-staircase", "green"),
        (3, "upper-landing", "red"),
    ):
        table.put(seat, room)
        table.token(f"{wick}-wick", room)
    table.put(TRAITOR, "foyer")

    table.begin_turn(2)
    assert (counter(table, "vigils"), counter(table, "company")) == (1, 0)

    table.put(TRAITOR, "entrance-hall")
    table.begin_turn(2)
    assert (counter(table, "vigils"), counter(table, "company")) == (1, 1)


def test_the_mirror_drops_if_its_two_ends_are_apart_as_a_round_begins() -> None:
    table = begun("the-tall-mirror")
    table.token("tall-mirror", "entrance-hall")
    table.turn(0)
    table.act("haunt:heroes", "LIFT", 2)
    assert "upper-end" in table.explorer(0).cards
    assert "lower-end" in table.explorer(2).cards

    table.move("foyer")
    table.begin_turn(2)

    assert counter(table, "nights") == 1
    assert not {"upper-end", "lower-end"} & {*table.explorer(0).cards, *table.explorer(2).cards}
    assert [here.room for here in table.state.tokens if here.token == "tall-mirror"] == ["foyer"]


def test_who_would_die_on_the_first_evening_starts_anew() -> None:
    table = begun("the-same-evening")
    table.put(2, "upper-landing")
    table.counter("memories", 3)

    table.die(2)

    assert table.explorer(2).alive
    assert table.explorer(2).room == "entrance-hall"
    assert counter(table, "memories") == 2


def test_who_would_die_on_the_second_evening_is_gone() -> None:
    table = begun("the-same-evening")
    table.counter("evening", 2)

    table.die(2)

    assert not table.explorer(2).alive


def test_a_life_fills_the_plate_by_six() -> None:
    table = Table(FOUR)
    table.haunt("the-empty-plate")
    table.token("empty-plate", "entrance-hall")
    table.turn(0)

    table.act("haunt:heroes", "GIVE")
    table.choose(0, "life")

    assert counter(table, "given") == 6
    assert not table.explorer(0).alive
