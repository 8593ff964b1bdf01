"""What commands are about, so that clients take no option apart."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from domain.facts.audience import seat_bit
from domain.facts.commands import AnswerChance, AnyCommand, Choose
from domain.facts.pieces import Slot
from domain.facts.state import Decision
from projections.choices.decisions import decisions_of
from projections.choices.families import OneOf
from projections.naming.labels import Labels
from projections.naming.places import OPTIONS, places_of
from projections.naming.questions import QUESTIONS
from tests.golden import library
from tests.golden.script import Script
from tests.golden.stage import Stage
from tests.laws.pointing import commands_point, pointing_of
from tests.support.packs import EVERY_HAUNT, rules_of
from tests.support.table import FIVE, Table
from tests.support.third import settle

ABOUT_NOTHING = {
    *("haunt", "known-haunt", "traitor", "volunteer", "role", "scenario", "entry", "witness", "go-on", "may", "coin"),
    *("reroll", "reroll-one", "name-result", "tile-back"),
    *("roll-trait", "gain-trait", "lose-trait", "set-trait"),
}
"""Questions whose options are words, numbers, dice and traits."""


def about(table: Table, about: str, *options: str, seat: int = 0, **asked: Any) -> list[Any]:  # noqa: ANN401 -- a decision's fields
    """What each option of a question is about, as JSON."""
    decision = Decision(id="d1", seat=seat, kind=asked.pop("kind", "choice"), about=about, options=[*options], **asked)
    labels = Labels(table.rules, table.view(max(seat, 0)))
    answers: list[AnyCommand] = [
        AnswerChance(decision="d1", pick=option) if decision.kind == "chance" else Choose(decision="d1", option=option)
        for option in options
    ]
    return [msgspec.to_builtins(places_of(labels, answer, decision)) for answer in answers]


def room(name: str, **part: int) -> dict[str, Any]:
    return {"kind": "room", "room": name, **(part or {"part": 0})}


def figure(who: int | str) -> dict[str, Any]:
    return {"kind": "figure", "figure": who}


def card(name: str) -> dict[str, Any]:
    return {"kind": "card", "card": name}


def test_every_question_says_what_its_options_are_about_or_has_none_that_are_about_anything() -> None:
    assert not ABOUT_NOTHING & set(OPTIONS)
    assert {*QUESTIONS, "before-harm"} == ABOUT_NOTHING | set(OPTIONS)


@pytest.fixture(scope="module")
def table() -> Table:
    """Everybody in the Entrance Hall, a chasm in the basement, cards, a monster, a token and a pile."""
    table = Table(FIVE)
    table.lay("chasm", "basement", 1, 0)
    table.hold(0, "axe", "bell", "idol")
    table.hold(1, "spear")
    table.hold(2, "book")
    table.haunt("the-gnawing-tide", traitor=1)
    table.monster("rat-2", "foyer")
    table.put(0, "chasm", part=0)
    table.drop("bell")
    return table


@pytest.mark.parametrize("key", ["who", "must-attack", "nearest", "volunteers"])
def test_options_that_are_characters(table: Table, key: str) -> None:
    assert about(table, key, "seat:2", "rat-2") == [[figure(2)], [figure("rat-2")]]


@pytest.mark.parametrize("key", ["move-to", "token:safe", "monster:rat", "haunt-room", "secret:den", "fetch-to"])
def test_options_that_are_rooms(table: Table, key: str) -> None:
    assert about(table, key, "foyer", "chasm") == [[room("foyer")], [{"kind": "room", "room": "chasm"}]]


def test_options_that_are_rooms_for_somebody(table: Table) -> None:
    assert about(table, "move-other:seat:2", "foyer") == [[room("foyer"), figure(2)]]
    assert about(table, "shift:rat-2", "foyer", "stay") == [[room("foyer"), figure("rat-2")], [figure("rat-2")]]
    assert about(table, "fetch-to", "hand") == [[figure(0)]]
    assert about(table, "secret:fate", "being late") == [[]]


@pytest.mark.parametrize("key", ["lose-card", "take-card", "search:item"])
def test_options_that_are_cards(table: Table, key: str) -> None:
    assert about(table, key, "axe") == [[card("axe")]]


def test_options_that_are_cards_or_none(table: Table) -> None:
    assert about(table, "weapon", "axe", "bare-hands") == [[card("axe")], []]
    assert about(table, "steal", "damage", "spear") == [[], [card("spear")]]
    assert about(table, "attack-cost:axe", "pay", "keep") == [[card("axe")]] * 2
    assert about(table, "fetch", "bring:bell", "carry:axe") == [
        [card("bell"), {"kind": "pile", "room": "chasm", "part": 0}],
        [card("axe")],
    ]
    offer = {"gives": ["spear"], "wants": ["axe"]}
    assert about(table, "trade-with:1", "yes", offer=offer) == [[figure(1), card("spear"), card("axe")]]


@pytest.mark.parametrize("key", ["before-roll:card:book", "after-roll:tile:chasm", "before-harm:physical"])
def test_reactions_are_about_what_offers_them(table: Table, key: str) -> None:
    options = ["pass", "reveal", "card:idol#ROLL", "tile:chasm#LOOK"]
    assert about(table, key, *options, kind="reaction") == [[], [], [card("idol")], [room("chasm", part=0)]]


def test_questions_of_a_piece_are_about_it(table: Table) -> None:
    assert about(table, "option:tile/chasm#on.0", "a", "b") == [[{"kind": "room", "room": "chasm"}]] * 2
    assert about(table, "option:card/book#do", "a") == [[card("book")]]
    assert about(table, "option:haunt/the-gnawing-tide#heroes.actions.X", "a") == [[]]
    assert about(table, "decline:card:book", "be-affected", "be-spared") == [[card("book")]] * 2
    assert about(table, "ignore:tile:foyer", "suffer") == about(table, "ignore-damage:tile:foyer", "suffer")
    assert about(table, "ignore:tile:foyer", "suffer") == [[room("foyer")]]
    assert about(table, "pass-over:card:idol", "draw") == [[room("chasm", part=0), card("idol")]]
    assert about(table, "pass-over-symbol:event", "draw", "pass-over") == [[room("chasm", part=0)]] * 2
    assert about(table, "option:card/webs#do", "a") == [[]], "a card that nobody sees any more"


def test_places_for_tiles(table: Table) -> None:
    attic = {"kind": "spot", "tile": "attic", "title": "Attic", "floor": "upper", "x": 1, "y": -2, "turns": 1}
    (laid,) = about(table, "place:attic", "upper:1:-2@1")
    assert laid == [{**attic, "doors": ["west"]}]
    chasm = {"kind": "spot", "tile": "chasm", "title": "Chasm", "floor": "basement", "x": 2, "y": 0, "turns": 1}
    chasm |= {"doors": ["north", "south"], "parts": [["south"], ["north"]]}
    there = {"kind": "room", "room": "chasm"}
    assert about(table, "move-tile:chasm", "basement:2:0@1", "stay") == [[chasm, there], [there]]
    assert about(table, "rearrange:basement", "chasm:basement:2:0@1") == [[chasm, there]]
    assert about(table, "bury-tile:attic", "bury") == [[{"kind": "tile", "tile": "attic"}]]


def test_sides_of_a_room(table: Table) -> None:
    assert about(table, "doorway:foyer", "east") == [[{"kind": "doorway", "room": "foyer", "door": "east"}]]
    assert about(table, "wall:foyer", "east", "north-east")[1] == [
        {"kind": "wall", "room": "foyer", "side": "north-east"}
    ]
    assert about(table, "part:chasm", "0", "1") == [[room("chasm", part=0)], [room("chasm", part=1)]]


def test_stacks(table: Table) -> None:
    deck = {"kind": "deck", "deck": "event"}
    assert about(table, "look-deck", "event") == about(table, "search-deck", "event") == [[deck]]
    table.view(0).decks["tiles"].top = [Slot(face="attic"), Slot(face="vault")]
    assert about(table, "reorder:tiles", "2-1-3") == [[{"kind": "tile", "tile": one} for one in ("vault", "attic")]]


def test_what_a_moderator_says_for_chance(table: Table) -> None:
    def picked(key: str, option: str) -> Any:  # noqa: ANN401 -- JSON
        (found,) = about(table, key, option, kind="chance", seat=-1)
        return found

    assert picked("card:item", "adrenaline-shot") == [card("adrenaline-shot")]
    assert picked("own-card", "axe") == [card("axe")]
    assert picked("tile:seen-by:1", "attic") == [{"kind": "tile", "tile": "attic"}]
    assert picked("roles", "seat:3") == picked("tokens:2", "seat:3") == [figure(3)]
    assert picked("coin", "heads") == picked("tile-back", "ground+upper") == []


def shown(table: Table, seat: int) -> dict[str, Any]:
    """By label: what the commands and families of a turn are about, as JSON; None where it is left out."""
    (turn,) = decisions_of(table.rules, table.view(seat), seat_bit(seat)).yours
    listed = {one.label: msgspec.to_builtins(one).get("at") for one in turn.commands}
    return listed | {one.label: msgspec.to_builtins(one).get("at") for one in turn.families}


def test_commands_of_a_turn_are_about_where_they_lead_and_whom_they_meet() -> None:
    table = Table()
    table.hold(0, "axe", "bell")
    table.haunt("the-gnawing-tide", traitor=1)
    table.monster("rat-2", "entrance-hall")
    at = shown(table, 0)
    assert at["Move to the Foyer (3 spaces)"] == [room("foyer")]
    assert at["Explore through the west door (3 spaces)"] == [
        {"kind": "doorway", "room": "entrance-hall", "door": "west"}
    ]
    assert at["Attack Rat 2 with Axe"] == [figure("rat-2"), card("axe")]
    assert at["Attack Zoe Ingstrom"] == [figure(1)]
    assert at["Offer Axe to Jenny LeClerc"] == [figure(2), card("axe")]
    assert at["Trade items"] == [figure(2)]
    assert at["Drop Axe and Bell"] == [card("axe"), card("bell")]
    assert at["Drop items"] is None, "left out"
    assert at["End the turn"] is None, "left out"
    table.drop("bell")
    table.turn(0)
    pile = {"kind": "pile", "room": "entrance-hall", "part": 0}
    at = shown(table, 0)
    assert at["Pick up Bell"] == [pile, card("bell")]
    assert at["Pick up items"] == [pile]


def test_a_barrier_is_crossed_to_its_other_part() -> None:
    table = Table()
    table.lay("chasm", "basement", 1, 0)
    table.put(0, "basement-landing")
    assert shown(table, 0)["Move to the Chasm (1 space)"] == [room("chasm", part=1)]
    table.move("chasm")
    crossing = [at for label, at in shown(table, 0).items() if label.startswith("Cross the Chasm")]
    assert crossing == [[room("chasm", part=0)]]


def test_a_family_says_it_for_all_its_commands_and_for_each() -> None:
    table = Table(FIVE)
    table.haunt("the-gnawing-tide", traitor=0)
    for number in range(1, 30):
        table.monster(f"rat-{number}", "entrance-hall")
    table.turn(0, monsters=True)
    (turn,) = decisions_of(table.rules, table.view(0), seat_bit(0)).yours
    (attacks,) = (one for one in turn.families if one.fixed.get("monster") == "rat-29")
    assert msgspec.to_builtins(attacks)["at"] == [figure("rat-29")]
    (field,) = attacks.fields
    assert isinstance(field, OneOf)
    assert field.values == [1, 2, 3, 4]
    assert msgspec.to_builtins(field.each[0]) == {
        "label": "Rat 29: Attack Zoe Ingstrom",
        "at": [figure(1), figure("rat-29")],
    }


def test_what_a_book_offers_is_about_what_its_text_names() -> None:
    table = settle(rules_of("third-edition"), "the-false-light", traitor=2)
    table.token("cask", "entrance-hall")
    table.turn(0)
    at = shown(table, 0)
    assert at["Take the boathook down from the wall of the Entrance Hall"] == [room("entrance-hall")]
    cask = {"kind": "token", "token": "cask", "room": "entrance-hall", "part": 0}
    assert at["Fill a can at the oil cask in this room"] == [cask]
    table.hold(0, "mask")
    table.turn(0)
    everybody_here = [room("entrance-hall"), figure(1), figure(2), card("mask")]
    assert shown(table, 0)["Mask: Send everybody else here to rooms next door (its use this turn)"] == everybody_here


def test_an_action_of_a_room_is_about_the_room_to_which_it_leads() -> None:
    table = Table()
    table.lay("ballroom", "ground", 1, 0)
    table.lay("gallery", "upper", 1, 0)
    table.put(0, "gallery")
    at = shown(table, 0)
    (drop,) = (label for label in at if label.startswith("Gallery: Drop into the Ballroom"))
    assert at[drop] == [room("ballroom"), room("gallery")]


def test_whatever_is_listed_says_what_it_is_about() -> None:
    pointed = Counter[str]()
    for number, (pack, haunt) in enumerate(EVERY_HAUNT):
        pointed += commands_point(rules_of(pack), number, seats=3 + number % 4, haunt=haunt, every=10)
    assert {"Move", "Explore", "Act"} <= set(pointed)


@pytest.mark.prove
@pytest.mark.parametrize("pack, haunt", [*EVERY_HAUNT, ("play-by-post", "")])
@pytest.mark.parametrize("seats", [3, 6])
def test_whatever_is_listed_in_any_haunt_says_what_it_is_about(pack: str, haunt: str, seats: int) -> None:
    for seed in range(2):
        assert commands_point(rules_of(pack), seed, seats=seats, haunt=haunt)


class Pointed(Stage):
    """A golden game that looks at what everybody may do before each step."""

    found = Counter[str]()

    def _post(self, index: int, actor: int, written: dict[str, Any]) -> None:
        for who, known in self.roles.items():
            self.found += pointing_of(self.rules, known, who, f"{self.script.game.title}, step {index + 1}")
        super()._post(index, actor, written)


@pytest.mark.prove
def test_whatever_is_listed_in_a_golden_game_says_what_it_is_about() -> None:
    for path in library.files():
        stage = Pointed(Script(path))
        for index, step in enumerate(stage.script.game.steps):
            stage.perform(index, step)
    assert len(set(Pointed.found) & set(OPTIONS)) >= 20, "most questions whose options are about something are asked"
