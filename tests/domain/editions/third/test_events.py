"""The 43 events of the third edition: each against what is known of the printed card, and each played, result by result."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from content.vocabulary.cards import Card
from content.vocabulary.effects import Effect
from domain.facts.events import DamageTaken, DiceRolled, ExplorerDied, HauntRolled, TokenPlaced, Told, TraitChanged
from domain.facts.state import State
from domain.house.paths import ways
from tests.support.fate import showing
from tests.support.packs import pack, rules
from tests.support.table import Table, events, the
from tests.support.third import discover, haunted, third

EVENTS = {card.id: card for card in pack("third-edition").cards if card.deck == "event"}

PRINTED = {
    "a-bite": "roll might (4+: nothing; 2-3: physical 1; 0-1: physical 3)",
    "a-cry-for-help": "roll knowledge (4+: to this floor; 0-3: mental 1)",
    "a-full-table": "roll knowledge or sanity (5+: speed up; 0-4: general 1)",
    "a-moment-of-hope": "token blessing here",
    "a-secret-passage": "token secret-passage here, roll knowledge (5+: token secret-passage elsewhere, knowledge up; "
    "3-4: token secret-passage on ground; 0-2: token secret-passage on basement, sanity down)",
    "a-splash-of-crimson": "before the haunt perhaps: haunt 1 or speed up; else physical 1d",
    "a-vial-of-dust": "before the haunt perhaps: haunt 3 or sanity up; else might down, sanity up",
    "alien-geometry": "roll knowledge (4+: sanity up; 0-3: speed down)",
    "an-eerie-feeling": "roll 2d (4: nothing; 3: speed down; 2: sanity down; 1: knowledge down; 0: might down)",
    "bat-out-of-hell": "roll speed (4+: to next door; 0-3: physical 1)",
    "behind-you": "roll speed (4+: sanity up; 0-3: physical 1)",
    "brain-food": "roll might (5+: might or speed up; 1-4: speed up, sanity down; 0: general 2)",
    "burning-figure": "roll sanity (4+: sanity up; 2-3: to entrance-hall; 0-1: physical 1d, mental 1d)",
    "cassette-player": "roll sanity (4+: knowledge up; 0-3: mental 1)",
    "clown-room": "roll sanity (4+: nothing; 0-3: mental 2)",
    "creaking-door": "roll knowledge (6+: to ground and upper; 4-5: to ground; 0-3: to basement-landing)",
    "dark-and-stormy-night": "roll knowledge (4+: sanity up; 0-3: mental 1)",
    "eerie-mirror": "before the haunt perhaps: haunt 7 or sanity up; else draw item",
    "flickering-lights": "roll speed or might (5+: speed up; 0-4: physical 1d)",
    "forbidden-knowledge": "roll sanity (4+: knowledge up; 2-3: knowledge up, sanity down; 0-1: mental 2)",
    "funeral": "roll sanity (4+: sanity up; 2-3: sanity down; "
    "0-1: sanity down, might down, if there is graveyard or catacombs: to graveyard or catacombs)",
    "hanged-man": "roll each of might and speed and sanity and knowledge (2+: nothing; 0-1: rolled down), "
    "all 2+: might or speed or sanity or knowledge up",
    "impossible-architecture": "roll sanity (4+: draw item; 0-3: mental 1d)",
    "jar-of-organs": "roll sanity (4+: draw item; 0-3: might down)",
    "jonahs-turn": "with not-weapon perhaps: give not-weapon, then sanity up; else mental 1d",
    "meat-moss": "perhaps: roll 2d (3-4: might or speed or sanity or knowledge up; 0-2: mental 1d)",
    "mysterious-fluid": "perhaps: roll 3d (6: might and speed and sanity and knowledge up; 5: might and speed up; "
    "4: knowledge and sanity up; 3: knowledge up, might down; 2: knowledge and sanity down; "
    "1: might and speed down; 0: might and speed and sanity and knowledge down)",
    "phone-call": "roll 2d (4: sanity up; 3: knowledge up; 1-2: mental 1d; 0: physical 2d)",
    "poor-yorick": "roll sanity (4+: knowledge up; 0-3: mental 1)",
    "radio-broadcast": "roll 2d (3-4: knowledge up; 0-2: mental 1d)",
    "say-cheese": "before the haunt perhaps: haunt 33 or draw item; else draw item",
    "secret-elevator": "perhaps: to another floor",
    "severed-hand": "either physical 2, draw item, or nothing",
    "spiders": "roll sanity (4+: sanity or speed up, to next door; 2-3: speed up, sanity down; 0-1: speed down)",
    "taxidermy": "roll might (5+: sanity up; 0-4: physical 1, token obstacle here)",
    "technical-difficulties": "from upper: to entrance-hall or hallway or ground-floor-staircase; "
    "else from ground: to basement-landing; else to upper-landing, mental 1",
    "the-deepest-closet": "roll speed (4+: draw item; 1-3: mental 1; 0: physical 1d, to basement-landing)",
    "the-flowering": "general 1, if there is conservatory: to conservatory; else to basement and ground",
    "the-house-is-hungry": "before the haunt perhaps: haunt 12 or might up; else might or speed or sanity or knowledge up",
    "the-oldest-house": "roll speed or might (5+: to basement and ground and upper; 3-4: to ground, general 1; "
    "0-2: to basement, mental 1)",
    "the-stars-at-night": "either "
    + ", or ".join(
        f"roll {trait} (5+: {trait} up; 4: {trait} down; 0-3: {trait} healed)"
        for trait in ("might", "speed", "sanity", "knowledge")
    ),
    "tiny-robot": "roll knowledge (5+: draw item; 0-4: physical 1d)",
    "wandering-ghost": "with item perhaps: give item, then might or speed or sanity or knowledge up; "
    "else roll sanity (4+: draw item; 0-3: general 1)",
}
"""What the printed cards do, from the project's table of facts, in words of this test."""


# -- the cards as written -------------------------------------------------------------------------------------------


def usual(effect: Effect) -> Effect:
    """A step as it is played where the table has chosen no alternative."""
    condition = effect.if_
    if condition is None or (condition.ruling is None and condition.not_ is None):
        return effect
    if condition.not_ is not None and condition.not_.ruling is not None:
        return msgspec.structs.replace(effect, if_=None)
    if condition.ruling is not None:
        assert effect.else_ is not None
        (other,) = effect.else_
        return other
    return effect


def said(effects: Sequence[Effect]) -> str:
    """Steps in the words of the table."""
    return ", ".join(step(usual(effect)) for effect in effects) or "nothing"


def step(effect: Effect) -> str:
    """One step in the words of the table."""
    words = _deed(effect)
    if effect.may is not None:
        words = f"perhaps: {words}"
    if effect.if_ is not None:
        words = f"{_condition(effect)} {words}" if effect.may is not None else f"{_condition(effect)}: {words}"
    if effect.then is not None and effect.verb() is not None:
        words += f", then {said(effect.then)}"
    return words + (f"; else {said(effect.else_)}" if effect.else_ is not None else "")


def _condition(effect: Effect) -> str:
    asked = effect.if_
    assert asked is not None
    if asked.phase is not None:
        return {"exploration": "before the haunt"}[asked.phase]
    if asked.on is not None:
        return f"from {' and '.join(asked.on)}"
    if asked.has_item is not None:
        return f"with {'item' if asked.has_item is True else asked.has_item}"
    there = asked.any_in_house or [str(asked.in_house)]
    return f"if there is {' or '.join(there)}"


def _deed(effect: Effect) -> str:  # noqa: C901, PLR0911 -- one line a verb
    found = effect.verb()
    if found is None:
        return said(effect.then or [])
    verb, node = found
    rows = sorted((effect.outcomes or {}).items(), key=lambda row: -int(row[0].rstrip("+").partition("-")[0]))
    table = "; ".join(f"{key}: {said(do)}" for key, do in rows)
    match verb:
        case "gain" | "lose":
            return f"{_traits(node)} {'up' if verb == 'gain' else 'down'}" + (
                f" {node.steps}" if node.steps != 1 else ""
            )
        case "damage":
            return f"{node.kind} {node.points}" if node.points is not None else f"{node.kind} {node.dice}d"
        case "roll":
            return f"roll {f'{node.dice}d' if node.dice is not None else _traits(node)} ({table})"
        case "roll_each":
            return f"roll each of {_traits(node)} ({table}), all {node.all_at_least}+: {said(node.then or [])}"
        case "draw":
            return f"draw {node.deck}"
        case "heal":
            return f"{_traits(node)} healed"
        case "place_token":
            return f"token {node.token} {_place(node.at)}"
        case "move":
            return f"to {_place(node.to)}"
        case "haunt_roll":
            return f"haunt {node.number} or {said(node.otherwise)}"
        case "lose_card":
            assert node.to == "bury"
            return f"give {node.kind}"
        case "choose":
            return "either " + ", or ".join(said(option.do) for option in node)
    raise AssertionError(verb)


def _traits(node: Any) -> str:  # noqa: ANN401 -- the node of any verb that names traits
    one_of, several = getattr(node, "one_of", None), getattr(node, "traits", None)
    return " or ".join(one_of) if one_of else " and ".join(several) if several else str(node.trait)


def _place(place: Any) -> str:  # noqa: ANN401 -- a room, or how to find one
    if isinstance(place, str):
        return place
    if place.one_of is not None:
        return " or ".join(place.one_of)
    for flag, words in (("connected", "next door"), ("other_floor", "another floor"), ("besides_here", "elsewhere")):
        if getattr(place, flag):
            return words
    floors = " and ".join(place.on)
    return f"on {floors}" if len(place.on) == 1 else floors


def _plain(words: str) -> str:
    """Without what is said twice: to which floor a move is, and a floor that is asked for only to name it again."""
    for floor in ("basement", "ground", "upper"):
        words = words.replace(f"to on {floor}", f"to {floor}")
    this = "from basement: to basement; else from ground: to ground; else to upper"
    return words.replace(this, "to this floor")


def test_the_table_has_every_event() -> None:
    assert PRINTED.keys() == EVENTS.keys()


@pytest.mark.parametrize("event", sorted(EVENTS))
def test_an_event_does_what_its_card_does(event: str) -> None:
    assert _plain(said(EVENTS[event].do)) == PRINTED[event]


@pytest.mark.parametrize(
    "event",
    ["alien-geometry", "forbidden-knowledge", "a-full-table", "impossible-architecture", "technical-difficulties"],
)
def test_where_sources_differ_a_table_can_choose(event: str) -> None:
    (ruling,) = EVENTS[event].rulings
    (alternative,) = ruling.alternatives
    assert not isinstance(alternative, str), "it has an id, and steps that ask for it"
    assert rules("third-edition").pack.alternatives[event] == {alternative.id: alternative.text}


# -- the cards played -----------------------------------------------------------------------------------------------


def drawn(table: Table, event: str, *answers: str) -> list[Told]:
    """Seat 0 draws an event, with these answers to what it is asked; damage goes to the first traits that can take it."""
    before = len(table.commits)
    table.draw(0, "event", event)
    left = list(answers)
    while table.is_asked(0):
        asked = table.asked(0)
        if asked.kind == "allocation":
            rest, points = asked.total, {}
            for trait, cap in asked.caps.items():
                points[trait] = min(cap, rest)
                rest -= points[trait]
            table.allocate(0, **{trait: number for trait, number in points.items() if number})
        else:
            table.choose(0, left.pop(0))
    assert not left, "every answer was asked for"
    assert not table.fate.dice, "every roll was made"
    return table.since(before)


def outcome(table: Table, told: Sequence[Told]) -> str:
    """What came of it for seat 0, in a line."""
    found = [f"{one.trait}{one.by:+}" for one in events(told, TraitChanged) if one.cause != "damage" and one.by]
    found += [f"{one.kind} {one.amount}" for one in events(told, DamageTaken)]
    found += [f"{one.token} in {one.room}" for one in events(told, TokenPlaced)]
    explorer = table.explorer(0)
    found += [f"in {explorer.room}"] if explorer.room != "hallway" else []
    found += [f"{len(explorer.cards)} cards"] if explorer.cards else []
    return ", ".join(found)


MIGHT, SPEED, SANITY, KNOWLEDGE = "might", "speed", "sanity", "knowledge"
DRY: list[list[int]] = []

PLAYS: list[tuple[str, str | int, int, list[list[int]], list[str], str]] = [
    # event, trait or dice, result, further rolls, answers, outcome
    ("a-bite", MIGHT, 4, DRY, [], ""),
    ("a-bite", MIGHT, 3, DRY, [], "physical 1"),
    ("a-bite", MIGHT, 2, DRY, [], "physical 1"),
    ("a-bite", MIGHT, 1, DRY, [], "physical 3"),
    ("a-bite", MIGHT, 0, DRY, [], "physical 3"),
    ("a-cry-for-help", KNOWLEDGE, 4, DRY, ["entrance-hall"], "in entrance-hall"),
    ("a-cry-for-help", KNOWLEDGE, 3, DRY, [], "mental 1"),
    ("a-full-table", KNOWLEDGE, 5, DRY, ["knowledge"], "speed+1"),
    ("a-full-table", SANITY, 4, DRY, ["sanity"], "general 1"),
    (
        "a-secret-passage",
        KNOWLEDGE,
        5,
        DRY,
        ["upper-landing"],
        "knowledge+1, secret-passage in hallway, secret-passage in upper-landing",
    ),
    (
        "a-secret-passage",
        KNOWLEDGE,
        4,
        DRY,
        ["entrance-hall"],
        "secret-passage in hallway, secret-passage in entrance-hall",
    ),
    (
        "a-secret-passage",
        KNOWLEDGE,
        2,
        DRY,
        [],
        "sanity-1, secret-passage in hallway, secret-passage in basement-landing",
    ),
    ("alien-geometry", KNOWLEDGE, 4, DRY, [], "sanity+1"),
    ("alien-geometry", KNOWLEDGE, 3, DRY, [], "speed-1"),
    ("an-eerie-feeling", 2, 4, DRY, [], ""),
    ("an-eerie-feeling", 2, 3, DRY, [], "speed-1"),
    ("an-eerie-feeling", 2, 2, DRY, [], "sanity-1"),
    ("an-eerie-feeling", 2, 1, DRY, [], "knowledge-1"),
    ("an-eerie-feeling", 2, 0, DRY, [], "might-1"),
    ("bat-out-of-hell", SPEED, 4, DRY, ["entrance-hall"], "in entrance-hall"),
    ("bat-out-of-hell", SPEED, 3, DRY, [], "physical 1"),
    ("behind-you", SPEED, 4, DRY, [], "sanity+1"),
    ("behind-you", SPEED, 3, DRY, [], "physical 1"),
    ("brain-food", MIGHT, 5, DRY, ["speed"], "speed+1"),
    ("brain-food", MIGHT, 4, DRY, [], "speed+1, sanity-1"),
    ("brain-food", MIGHT, 1, DRY, [], "speed+1, sanity-1"),
    ("brain-food", MIGHT, 0, DRY, [], "general 2"),
    ("burning-figure", SANITY, 4, DRY, [], "sanity+1"),
    ("burning-figure", SANITY, 3, DRY, [], "in entrance-hall"),
    ("burning-figure", SANITY, 1, [[2], [1]], [], "physical 2, mental 1"),
    ("cassette-player", SANITY, 4, DRY, [], "knowledge+1"),
    ("cassette-player", SANITY, 3, DRY, [], "mental 1"),
    ("clown-room", SANITY, 4, DRY, [], ""),
    ("clown-room", SANITY, 3, DRY, [], "mental 2"),
    ("creaking-door", KNOWLEDGE, 6, DRY, ["upper-landing"], "in upper-landing"),
    ("creaking-door", KNOWLEDGE, 5, DRY, ["entrance-hall"], "in entrance-hall"),
    ("creaking-door", KNOWLEDGE, 3, DRY, [], "in basement-landing"),
    ("dark-and-stormy-night", KNOWLEDGE, 4, DRY, [], "sanity+1"),
    ("dark-and-stormy-night", KNOWLEDGE, 3, DRY, [], "mental 1"),
    ("flickering-lights", MIGHT, 5, DRY, ["might"], "speed+1"),
    ("flickering-lights", SPEED, 4, [[2]], ["speed"], "physical 2"),
    ("forbidden-knowledge", SANITY, 4, DRY, [], "knowledge+1"),
    ("forbidden-knowledge", SANITY, 3, DRY, [], "knowledge+1, sanity-1"),
    ("forbidden-knowledge", SANITY, 1, DRY, [], "mental 2"),
    ("funeral", SANITY, 4, DRY, [], "sanity+1"),
    ("funeral", SANITY, 3, DRY, [], "sanity-1"),
    ("funeral", SANITY, 1, DRY, [], "sanity-1, might-1"),
    ("impossible-architecture", SANITY, 4, DRY, [], "1 cards"),
    ("impossible-architecture", SANITY, 3, [[1]], [], "mental 1"),
    ("jar-of-organs", SANITY, 4, DRY, [], "1 cards"),
    ("jar-of-organs", SANITY, 3, DRY, [], "might-1"),
    ("meat-moss", 2, 3, DRY, ["yes", "might"], "might+1"),
    ("meat-moss", 2, 2, [[1]], ["yes"], "mental 1"),
    ("mysterious-fluid", 3, 6, DRY, ["yes"], "might+1, speed+1, sanity+1, knowledge+1"),
    ("mysterious-fluid", 3, 5, DRY, ["yes"], "might+1, speed+1"),
    ("mysterious-fluid", 3, 4, DRY, ["yes"], "knowledge+1, sanity+1"),
    ("mysterious-fluid", 3, 3, DRY, ["yes"], "knowledge+1, might-1"),
    ("mysterious-fluid", 3, 2, DRY, ["yes"], "knowledge-1, sanity-1"),
    ("mysterious-fluid", 3, 1, DRY, ["yes"], "might-1, speed-1"),
    ("mysterious-fluid", 3, 0, DRY, ["yes"], "might-1, speed-1, sanity-1, knowledge-1"),
    ("phone-call", 2, 4, DRY, [], "sanity+1"),
    ("phone-call", 2, 3, DRY, [], "knowledge+1"),
    ("phone-call", 2, 1, [[2]], [], "mental 2"),
    ("phone-call", 2, 0, [[1, 2]], [], "physical 3"),
    ("poor-yorick", SANITY, 4, DRY, [], "knowledge+1"),
    ("poor-yorick", SANITY, 3, DRY, [], "mental 1"),
    ("radio-broadcast", 2, 3, DRY, [], "knowledge+1"),
    ("radio-broadcast", 2, 2, [[1]], [], "mental 1"),
    ("spiders", SANITY, 4, DRY, ["speed", "entrance-hall"], "speed+1, in entrance-hall"),
    ("spiders", SANITY, 3, DRY, [], "speed+1, sanity-1"),
    ("spiders", SANITY, 1, DRY, [], "speed-1"),
    ("taxidermy", MIGHT, 5, DRY, [], "sanity+1"),
    ("taxidermy", MIGHT, 4, DRY, [], "physical 1, obstacle in hallway"),
    ("the-deepest-closet", SPEED, 4, DRY, [], "1 cards"),
    ("the-deepest-closet", SPEED, 1, DRY, [], "mental 1"),
    ("the-deepest-closet", SPEED, 0, [[2]], [], "physical 2, in basement-landing"),
    ("the-oldest-house", SPEED, 5, DRY, ["speed", "upper-landing"], "in upper-landing"),
    ("the-oldest-house", MIGHT, 4, DRY, ["might", "entrance-hall"], "general 1, in entrance-hall"),
    ("the-oldest-house", MIGHT, 2, DRY, ["might"], "mental 1, in basement-landing"),
    ("the-stars-at-night", SPEED, 5, DRY, ["speed"], "speed+1"),
    ("the-stars-at-night", KNOWLEDGE, 4, DRY, ["knowledge"], "knowledge-1"),
    ("the-stars-at-night", MIGHT, 3, DRY, ["might"], ""),
    ("tiny-robot", KNOWLEDGE, 5, DRY, [], "1 cards"),
    ("tiny-robot", KNOWLEDGE, 4, [[1]], [], "physical 1"),
    ("wandering-ghost", SANITY, 4, DRY, [], "1 cards"),
    ("wandering-ghost", SANITY, 3, DRY, [], "general 1"),
]


@pytest.mark.parametrize("event, rolls, result, further, answers, came", PLAYS)
def test_an_event_played_comes_to_this(
    event: str, rolls: str | int, result: int, further: list[list[int]], answers: list[str], came: str
) -> None:
    table = third()
    table.put(0, "hallway")
    table.turn(0)
    dice = rolls if isinstance(rolls, int) else table.value(0, rolls)
    table.rolls(showing(dice, result), *further)
    assert outcome(table, drawn(table, event, *answers)) == came


def test_every_row_of_every_event_is_played() -> None:
    played: dict[str, set[int]] = {}
    for event, _, result, *_ in PLAYS:
        played.setdefault(event, set()).add(result)
    for event, card in EVENTS.items():
        for key in rows_of(card):
            low, _, high = key.rstrip("+").partition("-")
            hits = range(int(low), 99 if key.endswith("+") else int(high or low) + 1)
            assert event == "hanged-man" or played.get(event, set()) & set(hits), f"{event}: {key}"


def rows_of(card: Card) -> list[str]:
    """The rows of the first table of a card."""

    def rows(effects: Sequence[Effect]) -> list[str]:
        for effect in effects:
            if effect.outcomes is not None:
                return list(effect.outcomes)
            inner = [
                *(effect.then or []),
                *(effect.else_ or []),
                *(one for way in effect.choose or [] for one in way.do),
            ]
            if found := rows(inner):
                return found
        return []

    return rows(card.do)


def test_a_hanged_man_takes_each_trait_that_fails_and_rewards_who_fails_nothing() -> None:
    table = third()
    table.rolls(showing(4, 2), showing(5, 1), showing(3, 0), showing(4, 6))
    told = drawn(table, "hanged-man")
    assert outcome(table, told) == "speed-1, sanity-1, in entrance-hall"
    table = third()
    table.rolls(showing(4, 2), showing(5, 2), showing(3, 3), showing(4, 6))
    assert outcome(table, drawn(table, "hanged-man", "knowledge")) == "knowledge+1, in entrance-hall"


@pytest.mark.parametrize(
    "there, goal",
    [(["graveyard"], "graveyard"), (["catacombs"], "catacombs"), (["graveyard", "catacombs"], "catacombs")],
)
def test_a_funeral_ends_in_a_graveyard_or_in_catacombs(there: list[str], goal: str) -> None:
    table = third()
    if "graveyard" in there:
        table.lay("graveyard", "ground", 1, 0, turns=2)
    if "catacombs" in there:
        table.lay("catacombs", "basement", 1, 0)
    table.turn(0)
    table.rolls(showing(3, 0))
    drawn(table, "funeral", *([goal] if len(there) > 1 else []))
    assert table.explorer(0).room == goal


@pytest.mark.parametrize("there", [True, False])
def test_the_flowering_ends_among_leaves_if_there_are_any(there: bool) -> None:  # noqa: FBT001 -- parametrized
    table = third()
    if there:
        table.lay("conservatory", "ground", 1, 0, turns=1)
    table.turn(0)
    told = drawn(table, "the-flowering", *([] if there else ["basement-landing"]))
    assert [(one.kind, one.amount) for one in events(told, DamageTaken)] == [("general", 1)]
    assert table.explorer(0).room == ("conservatory" if there else "basement-landing")


@pytest.mark.parametrize(
    "start, answers, came",
    [
        ("upper-landing", ["ground-floor-staircase"], "in ground-floor-staircase"),
        ("entrance-hall", [], "in basement-landing"),
        ("basement-landing", [], "mental 1, in upper-landing"),
    ],
)
def test_technical_difficulties_lead_a_floor_down_and_from_the_lowest_to_the_top(
    start: str, answers: list[str], came: str
) -> None:
    table = third()
    table.put(0, start)
    table.turn(0)
    assert outcome(table, drawn(table, "technical-difficulties", *answers)) == came


def test_a_secret_elevator_goes_to_another_floor_if_one_likes() -> None:
    table = third()
    table.draw(0, "event", "secret-elevator")
    table.choose(0, "yes")
    assert set(table.asked(0).options) == {"basement-landing", "upper-landing"}
    table.choose(0, "upper-landing")
    assert table.explorer(0).room == "upper-landing"
    assert outcome(table, drawn(table, "secret-elevator", "no")) == "in upper-landing"


def test_a_severed_hand_costs_two_points_for_an_item_if_one_likes() -> None:
    table = third()
    assert outcome(table, drawn(table, "severed-hand", "leave-it")) == "in entrance-hall"
    assert outcome(table, drawn(table, "severed-hand", "take")) == "physical 2, in entrance-hall, 1 cards"


@pytest.mark.parametrize("event, further, came", [("meat-moss", [], ""), ("mysterious-fluid", [], "")])
def test_what_looks_edible_may_be_left_alone(event: str, further: list[list[int]], came: str) -> None:
    table = third()
    table.put(0, "hallway")
    table.turn(0)
    assert outcome(table.rolls(*further), drawn(table, event, "no")) == came


def test_a_gift_for_jonah_is_no_weapon_and_no_omen() -> None:
    table = third()
    table.hold(0, "machete", "book")
    table.turn(0)
    table.rolls([1])
    told = drawn(table, "jonahs-turn")
    assert [(one.kind, one.amount) for one in events(told, DamageTaken)] == [("mental", 1)]
    assert table.explorer(0).cards == ["machete", "book"]

    table = third()
    table.hold(0, "machete", "map")
    table.turn(0)
    sanity = table.explorer(0).at[2]
    drawn(table, "jonahs-turn", "yes")
    assert (table.explorer(0).cards, table.explorer(0).at[2]) == (["machete"], sanity + 1)
    assert table.view(1).decks["item"].bottom[-1].face == "map"


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_wandering_ghost_takes_an_item_or_is_faced(answer: str) -> None:
    table = third()
    table.hold(0, "machete", "mask")
    table.turn(0)
    table.rolls(*([] if answer == "yes" else [showing(3, 3)]))
    told = drawn(table, "wandering-ghost", answer, *(["speed"] if answer == "yes" else []))
    if answer == "yes":
        assert outcome(table, told) == "speed+1, in entrance-hall, 1 cards"
        assert table.explorer(0).cards == ["mask"], "an omen is no item"
    else:
        assert outcome(table, told) == "general 1, in entrance-hall, 2 cards"


DARES = [
    # event, number, what a low roll brings, what comes of declining, rolls and answers then
    ("a-splash-of-crimson", 1, "speed+1", "physical 1", [[1]], []),
    ("a-vial-of-dust", 3, "sanity+1", "might-1, sanity+1", [], []),
    ("eerie-mirror", 7, "sanity+1", "1 cards", [], []),
    ("the-house-is-hungry", 12, "might+1", "speed+1", [], ["speed"]),
    ("say-cheese", 33, "1 cards", "1 cards", [], []),
]


@pytest.mark.parametrize("event, number, low, declined, rolls, answers", DARES)
def test_an_event_that_can_begin_a_haunt_is_followed_either_way(
    event: str, number: int, low: str, declined: str, rolls: list[list[int]], answers: list[str]
) -> None:
    def ready() -> Table:
        table = third()
        table.hold(1, "mask", "ring")
        table.put(0, "hallway")
        table.turn(0)
        return table

    table = ready()
    told = drawn(table.rolls([2, 2]), event, "yes")
    assert [(one.number, one.total, one.begins) for one in events(told, HauntRolled)] == [(number, 4, False)]
    assert outcome(table, told) == low
    table = ready()
    told = drawn(table.rolls(*rolls), event, "no", *answers)
    assert not events(told, HauntRolled)
    assert outcome(table, told) == declined


# -- tokens that stay -----------------------------------------------------------------------------------------------


def goals(state: State, room: str, *, monster: bool) -> set[str]:
    """Rooms a step away from a room."""
    return {there for there, _ in ways(state, state.rooms[room], 0, monster=monster)}


def test_a_secret_passage_is_for_explorers_and_not_for_monsters() -> None:
    table = third()
    table.rolls(showing(4, 2))
    drawn(table, "a-secret-passage")
    told = table.move("basement-landing")
    assert len(told) == 1
    assert table.explorer(0).spent == 1
    assert "entrance-hall" in goals(table.state, "basement-landing", monster=False)
    assert "entrance-hall" not in goals(table.state, "basement-landing", monster=True)
    assert "basement-landing" not in goals(table.state, "entrance-hall", monster=True)


def test_a_moment_of_hope_adds_a_die_to_trait_rolls_in_its_room() -> None:
    table = third()
    drawn(table, "a-moment-of-hope")
    assert [one.token for one in table.view(1).tokens] == ["blessing"]
    table.rolls(showing(table.value(0, "speed") + 1, 4))
    drawn(table, "behind-you")
    table.move("hallway")
    table.rolls(showing(table.value(0, "speed"), 4))
    drawn(table, "behind-you")
    table.rolls([2, 1])
    drawn(table, "radio-broadcast")


def test_taxidermy_leaves_an_obstacle() -> None:
    table = third()
    table.rolls(showing(4, 0))
    drawn(table, "taxidermy")
    table.move("hallway")
    assert table.explorer(0).spent == 2


@pytest.mark.rule("3E-DIE-002")
def test_the_hanged_man_asks_the_dead_no_further_question() -> None:
    table = haunted()
    table.clips(0, might=1)
    table.rolls(showing(table.value(0, "might"), 0))
    told = discover(table, "kitchen", event="hanged-man")
    assert [one.trait for one in events(told, DiceRolled)] == ["might"]
    assert the(told, ExplorerDied).seat == 0
    assert table.seat == 1
