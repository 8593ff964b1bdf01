"""What events leave in a room for others to open, search or crawl through: the Closet, the Safe, the Skeletons, the Secret Passage."""

import pytest

from domain.facts.commands import Act
from domain.facts.events import CardDrawn, DamageTaken, DecisionOpened, DiceRolled, Moved, TokenRemoved, Told
from tests.support.fate import showing
from tests.support.table import Table, events, the


def with_token(token: str, room: str = "foyer") -> Table:
    """Seat 0 stands in a room with this token."""
    table = Table()
    table.token(token, room)
    table.put(0, room)
    table.turn(0)
    return table


def tokens(table: Table) -> list[tuple[str, str]]:
    """All tokens and their rooms, as everybody sees them."""
    return [(here.token, here.room) for here in table.view(2).tokens]


def cards(told: list[Told]) -> list[tuple[str, str]]:
    """The cards that were drawn, and their stacks."""
    return [(one.deck, one.card) for one in events(told, CardDrawn)]


def test_the_closet_stays_in_its_room_until_it_is_found_empty() -> None:
    table = Table()
    table.stack("tiles", "gardens")
    table.stack("event", "closet-door")
    table.explore("east")
    assert tokens(table) == [("closet", "gardens")]
    assert table.view(0).decks["event"].discard == [], "the card lies beside the token"

    table.stack("item", "axe")
    told = table.rolls([2, 2]).act("token:closet", "OPEN")
    assert cards(told) == [("item", "axe")]
    with table.refuses("2E-ROLL-003"):
        table.act("token:closet", "OPEN")

    for shown in ([2, 1], [1, 1]):
        table.turn(0)
        table.stack("event", "smoke")
        told = table.rolls(shown).act("token:closet", "OPEN")
        assert [deck for deck, _ in cards(told)] == ["event"]
        assert ("closet", "gardens") in tokens(table)

    table.turn(0)
    table.stack("event", "drip-drip-drip")
    told = table.rolls([1, 0]).act("token:closet", "OPEN")
    assert cards(told) == [("event", "drip-drip-drip")]
    assert the(told, TokenRemoved).room == "gardens"
    assert ("closet", "gardens") not in tokens(table)
    assert "closet-door" in table.view(0).decks["event"].discard, "its effect lasts no longer"


@pytest.mark.parametrize("event", ["burning-man", "the-walls"])
def test_an_event_from_the_closet_that_takes_its_drawer_away_takes_the_closet_too(event: str) -> None:
    table = with_token("closet")
    table.stack("tiles", "dusty-hallway")
    table.stack("event", event)

    table.rolls([1, 0], [1, 1, 0]).act("token:closet", "OPEN")
    table.lay_anyhow()

    assert table.explorer(0).room != "foyer"
    assert tokens(table) == []


def test_an_event_from_the_closet_that_moves_its_room_takes_the_closet_too() -> None:
    table = Table()
    table.lay("ballroom", "ground", 1, 0)
    table.token("closet", "ballroom")
    table.put(0, "ballroom")
    table.turn(0)
    table.stack("event", "what-the")

    table.rolls([0, 0]).act("token:closet", "OPEN")
    table.choose(0, table.asked(0).options[0])

    assert (table.view(1).rooms["ballroom"].x, table.view(1).rooms["ballroom"].y) != (1, 0)
    assert tokens(table) == []


def test_an_event_from_the_closet_that_kills_its_drawer_takes_the_closet_too() -> None:
    table = with_token("closet")
    table.haunt("the-bell-below", traitor=1)
    table.clips(0, might=1, speed=1)
    table.turn(0)
    table.stack("event", "phone-call")
    table.rolls([1, 0], [0, 0], [1, 0]).act("token:closet", "OPEN")

    table.allocate(0, might=1)

    assert not table.explorer(0).alive
    assert tokens(table) == []


@pytest.mark.parametrize("result, damage", [(5, 0), (4, 1), (2, 1), (1, 2), (0, 2)])
def test_the_safe_opens_for_a_knowledge_of_five(result: int, damage: int) -> None:
    table = with_token("safe")
    table.stack("item", "axe", "armor")
    table.rolls(showing(3, result), [1] * damage)

    told = table.act("token:safe", "OPEN")

    assert cards(told) == ([] if damage else [("item", "axe"), ("item", "armor")])
    assert tokens(table) == ([("safe", "foyer")] if damage else [])
    if damage:
        assert (table.asked(0).about, table.asked(0).total) == ("damage:physical", damage)


@pytest.mark.parametrize("result, found", [(5, True), (4, False), (0, False)])
def test_the_skeletons_give_an_item_for_a_sanity_of_five(result: int, *, found: bool) -> None:
    table = with_token("skeletons")
    table.stack("item", "axe")
    table.rolls(showing(3, result), [2])

    told = table.act("token:skeletons", "SEARCH")

    assert cards(told) == ([("item", "axe")] if found else [])
    assert tokens(table) == ([] if found else [("skeletons", "foyer")])
    if not found:
        assert (table.asked(0).about, table.asked(0).total) == ("damage:mental", 2)


@pytest.mark.parametrize("token, word", [("closet", "OPEN"), ("safe", "OPEN"), ("skeletons", "SEARCH")])
def test_they_are_looked_into_from_their_own_room_only(token: str, word: str) -> None:
    table = with_token(token)
    table.put(0, "entrance-hall")
    table.turn(0)
    assert not table.offers(0, Act)
    with table.refuses("2E-TURN-002"):
        table.act(f"token:{token}", word)


def passage(*faces: int) -> Table:
    """Seat 0 has found a bookcase in the Gardens, and thrown these dice."""
    table = Table()
    table.stack("tiles", "gardens")
    table.stack("event", "secret-passage")
    table.rolls(faces).explore("east")
    return table


@pytest.mark.parametrize(
    "faces, floors",
    [
        ([2, 2, 2], {"basement", "ground", "upper"}),
        ([2, 2, 0], {"upper"}),
        ([1, 1, 0], {"ground"}),
        ([1, 0, 0], {"basement"}),
    ],
)
def test_the_secret_passage_comes_out_on_the_floor_that_the_dice_say(faces: list[int], floors: set[str]) -> None:
    table = passage(*faces)
    if len(floors) == 1 and floors != {"ground"}:  # one room: nothing to choose
        assert tokens(table)[1][1] == {"upper": "upper-landing", "basement": "basement-landing"}[next(iter(floors))]
        return
    assert {table.view(0).rooms[room].floor for room in table.asked(0).options} == floors


def test_whoever_may_crawl_through_the_passage_is_asked_and_pays_nothing() -> None:
    table = passage(1, 1, 0)
    table.choose(0, "foyer")
    assert table.asked(0).about == "may:Crawl through the passage now?"

    told = table.choose(0, "yes")

    assert (the(told, Moved).room, the(told, Moved).spent) == ("foyer", 0)


def test_a_passage_with_both_ends_in_one_room_asks_nothing() -> None:
    table = passage(1, 1, 0)

    told = table.choose(0, "gardens")

    assert not events(told, DecisionOpened)
    assert not table.state.open
    assert [(here.token, here.room, here.count) for here in table.view(2).tokens] == [("secret-passage", "gardens", 2)]
    assert not events(told, DiceRolled)
    assert not events(told, DamageTaken)
