"""A haunt from the players' own printed books: what the chart gives, who enters what, who reads it, who consents."""

from typing import Any

import msgspec
import pytest

from domain.facts.audience import REFEREE, SPECTATORS, seat_bit
from domain.facts.commands import Act, Choose, Enter
from domain.facts.events import (
    BookEntered,
    CounterMoved,
    EntryProposed,
    EntryRefused,
    GameEnded,
    HauntBegun,
    MonsterPlaced,
    Rewound,
    SideTold,
    TextTold,
    Told,
    TraitChanged,
    TurnStarted,
)
from domain.facts.refusal import Endless, Refused
from domain.facts.state import MODERATOR, State
from domain.rulebook.haunt.entering import BOOK
from domain.rulebook.turn.options import legal
from projections.choices.decisions import decisions_of
from projections.view.game import view_of
from tests.domain.rulebook.haunt.test_beginning import reveal
from tests.support.lamps import HEROES_GOAL, LIGHT, PIECES, SHADES, WHISPER
from tests.support.packs import rules_with
from tests.support.table import FOUR, Table, events, heard, the

NOTE: dict[str, Any] = {"notes": {"weakness": "It fears the bell."}}
TRAITOR = 3
"""Number 20 on the chart: Vivian Lopez."""


def begun(**options: object) -> Table:
    """A haunt of the players' own book has begun, and nobody is ready yet; seat 3 is the traitor."""
    table = Table(FOUR, options={"haunt": "external", **options})
    reveal(table)
    return table


def started(**options: object) -> Table:
    """The haunt's first turn: seat 0's."""
    table = begun(**options)
    table.all_ready()
    return table


def enter(table: Table, actor: int, entry: dict[str, Any], book: str | None = None) -> list[Told]:
    """Enter something."""
    return table.play(actor, Enter(decision=BOOK, book=book, entry=entry))  # type: ignore[arg-type]  # a wrong book is refused


def agree(table: Table, *, but: int | None = None) -> list[Told]:
    """All who are asked consent, but one."""
    told: list[Told] = []
    for decision in [one for one in table.state.open.values() if one.kind == "consent"]:
        if decision.id in table.state.open:
            answer = "no" if decision.seat == but else "yes"
            told = table.play(decision.seat, Choose(decision=decision.id, option=answer))
    return told


def deeds(table: Table, seat: int) -> list[str]:
    """Words that the haunt's book offers a seat."""
    found = [one for one in table.offers(seat) if isinstance(one, Act)]
    return [one.word for one in found if one.source.startswith("haunt:")]


def mistakes(table: Table, actor: int, entry: dict[str, Any]) -> dict[str, str]:
    """What is wrong in an entry, by its place."""
    with pytest.raises(Refused) as caught:
        enter(table, actor, entry)
    assert caught.value.problem == "unfit-entry"
    return dict(caught.value.errors)


# -- what the chart gives -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-HREV-001", "2E-HREV-003")
def test_the_chart_gives_number_printed_title_and_traitor_and_nothing_else_is_there() -> None:
    table = Table(FOUR, options={"haunt": "external"})

    told = reveal(table)

    assert (the(told, HauntBegun).haunt, the(told, HauntBegun).number) == ("external", 20)
    assert [one.seat for one in events(told, SideTold) if one.side == "traitor"] == [TRAITOR]
    haunt = view_of(table.rules, table.roles[SPECTATORS], SPECTATORS).haunt
    assert haunt is not None
    assert (haunt.title, haunt.traitor_rule) == (
        "Ghost Bride",
        "Vivian Lopez, otherwise the player on the revealer's left",
    )
    assert (haunt.counters, table.state.monsters, table.state.tokens) == ([], {}, [])


@pytest.mark.rule("2E-HID-001", "2E-HID-004")
def test_where_the_chart_hides_the_traitor_it_is_dealt_and_all_read_one_book() -> None:
    table = Table(FOUR, options={"haunt": "external"})
    table.picks("seat:2")
    reveal(table, "skull", "abandoned-room")
    assert (table.state.haunt and table.state.haunt.number, table.view(0).explorers[2].side) == (34, "")

    told = enter(table, 2, NOTE)

    assert [one.to for one in told if isinstance(one.event, BookEntered)] == [255]
    with table.refuses("2E-HID-004", problem="not-your-book"):
        enter(table, 2, NOTE, "traitor")


def test_nothing_is_entered_before_the_haunt_or_into_a_haunt_of_the_pack() -> None:
    table = Table(FOUR, options={"haunt": "external"})
    with table.refuses(problem="nothing-to-enter"):
        enter(table, 0, NOTE)
    table = Table(FOUR)
    reveal(table)
    with table.refuses(problem="nothing-to-enter"):
        enter(table, 0, NOTE)


# -- who reads what -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-HSET-003")
def test_a_note_is_read_by_its_side_and_the_referee_alone() -> None:
    table = begun()

    told = enter(table, 1, NOTE)

    assert events(heard(told, 0), BookEntered)[0].entry.notes == NOTE["notes"]
    assert heard(told, TRAITOR) == []
    for mask, reads in ((seat_bit(2), True), (REFEREE, True), (seat_bit(TRAITOR), False), (SPECTATORS, False)):
        haunt = view_of(table.rules, table.roles[mask], mask).haunt
        assert haunt is not None
        words = [note.text for book in haunt.books for note in book.notes]
        assert words == (["It fears the bell."] if reads else [])


@pytest.mark.rule("2E-HSET-006")
def test_what_lies_on_the_table_everybody_learns() -> None:
    table = begun()

    told = enter(table, 0, {**PIECES, **NOTE})

    assert [one.entry.tokens[0].title for one in events(heard(told, TRAITOR), BookEntered)] == ["Lamp"]
    haunt = view_of(table.rules, table.roles[SPECTATORS], SPECTATORS).haunt
    assert haunt is not None
    assert [(one.title, one.value, one.max) for one in haunt.counters] == [("Lamps lit", 0, 3), ("Gloom", 0, None)]


def test_a_side_enters_from_its_own_book_and_the_referee_from_either() -> None:
    table = begun()
    with table.refuses("2E-HSET-003", problem="not-your-book"):
        enter(table, 0, NOTE, "traitor")

    told = enter(table, MODERATOR, NOTE, "traitor")

    assert [one.by for one in events(heard(told, TRAITOR), BookEntered)] == [MODERATOR]
    assert heard(told, 0) == []


@pytest.mark.rule("2E-SEC-003")
def test_a_note_that_is_told_to_others_brings_its_words() -> None:
    table = started()
    enter(table, TRAITOR, {"notes": {"name": "It is called Ash."}})

    told = enter(table, TRAITOR, {"do": [{"tell": {"side": "heroes", "text": "name"}}]})

    assert [one.words for one in events(heard(told, 1), TextTold)] == ["It is called Ash."]
    haunt = view_of(table.rules, table.view(1), seat_bit(1)).haunt
    assert haunt is not None
    assert [note.text for note in haunt.notes] == ["It is called Ash."]


def test_who_is_named_the_traitor_reads_what_was_entered_for_it() -> None:
    table = started()
    enter(table, TRAITOR, NOTE)

    enter(table, 0, {"traitor": 1})
    told = agree(table)

    assert {one.seat: one.side for one in events(told, SideTold)} == {
        0: "heroes",
        1: "traitor",
        2: "heroes",
        3: "heroes",
    }
    assert [one.entry.notes for one in events(heard(told, 1), BookEntered)] == [NOTE["notes"]]
    assert events(heard(told, 2), BookEntered) == []
    assert table.state.haunt is not None
    assert (table.state.haunt.traitor, table.state.haunt.proposed) == (1, None)
    assert len(table.state.haunt.entries) == 1


# -- what is entered works ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROLL-011")
def test_an_action_is_offered_to_its_side_and_its_roll_has_the_outcomes_of_the_book() -> None:
    table = started()
    enter(table, 0, PIECES)
    enter(table, 0, LIGHT)
    light = Act(decision=table.now, source="haunt:heroes", word="LIGHT")
    assert light in table.offers(0, Act)

    told = table.rolls([2] * table.value(0, "knowledge")).act("haunt:heroes", "LIGHT")

    assert the(told, CounterMoved).to == 1
    assert [(one.token, one.room) for one in table.state.tokens] == [("lamp", table.explorer(0).room)]
    with table.refuses("2E-ROLL-011"):
        table.act("haunt:heroes", "LIGHT")
    assert light not in table.offers(0, Act)


def test_the_other_side_is_not_offered_the_action() -> None:
    table = started()
    enter(table, TRAITOR, {"actions": [{"word": "GROWL", "do": [{"roll": {"dice": 1}, "outcomes": {"0+": []}}]}]})
    assert deeds(table, 0) == []
    with pytest.raises(Refused):
        table.act("haunt:traitor", "GROWL")
    while table.seat != TRAITOR:
        table.end_turn()
    assert deeds(table, TRAITOR) == ["GROWL"]


@pytest.mark.rule("2E-WIN-001")
def test_the_side_wins_as_soon_as_its_goal_is_reached() -> None:
    table = started()
    enter(table, 0, {**PIECES, "counters": {"lamps": {"title": "Lamps", "start": 2, "max": 3}}})
    enter(table, 0, LIGHT)
    enter(table, 0, HEROES_GOAL)
    agree(table)

    told = table.rolls([2] * table.value(0, "knowledge")).act("haunt:heroes", "LIGHT")

    assert (the(told, GameEnded).winner, the(told, GameEnded).because) == ("heroes", "The third lamp burns.")


def test_monsters_come_in_with_their_traits_and_move_in_the_monsters_turn() -> None:
    table = started()
    enter(table, TRAITOR, SHADES)

    told = agree(table)

    placed = events(told, MonsterPlaced)
    assert [(one.monster, one.room, one.side) for one in placed] == [
        ("shade-1", "charred-room", "traitor"),
        ("shade-2", "charred-room", "traitor"),
    ]
    shown = view_of(table.rules, table.roles[SPECTATORS], SPECTATORS).monsters
    assert [one.title for one in shown] == ["Shade 1", "Shade 2"]
    while not table.state.turn.monsters:
        table.rolls([2] * 3)
        table.end_turn()
    assert [one for one in table.offers(TRAITOR) if getattr(one, "monster", "") == "shade-1"]


PLAYS_ON: dict[str, Any] = {"plays-on": {"count": {"monsters": "shade"}, "at-least": 1}}


@pytest.mark.rule("2E-HTURN-005")
@pytest.mark.parametrize("said", [False, True])
def test_a_dead_traitors_monsters_have_their_turn_if_its_book_says_that_they_can_win(said: bool) -> None:  # noqa: FBT001 -- a parameter of the test
    table = started()
    enter(table, TRAITOR, SHADES | PLAYS_ON if said else SHADES)
    agree(table)
    table.turn(2)
    table.die(TRAITOR)

    begun = the(table.rolls([2] * 3).end_turn(), TurnStarted)

    assert (begun.seat, begun.monsters, begun.rule) == ((TRAITOR if said else 0), said, "2E-HTURN-005")


def test_what_monsters_need_without_their_traitor_is_entered_from_its_book() -> None:
    table = started()
    assert mistakes(table, 0, {"plays-on": {"dead": "traitor"}}) == {
        "/entry/plays-on": "this belongs to the traitor's book"
    }


def test_what_is_entered_again_takes_the_place_of_what_was_entered_before() -> None:
    table = started()
    enter(table, 0, PIECES)
    enter(table, 0, LIGHT)
    easier = {**LIGHT["actions"][0], "do": [{"count": {"counter": "lamps", "by": 2}}]}

    enter(table, 0, {"actions": [easier]})
    told = table.act("haunt:heroes", "LIGHT")

    assert the(told, CounterMoved).to == 2


OTHERS_KEY = """
  id: keys
  title: Keys
  stage: draft
  kind: one-traitor
  story: S
  items:
    - id: brass-key
      deck: item
      title: Brass Key
      text: T
      attack: {before: [{stop: attacking}], cost: [{lose: {trait: might}}]}
      always: [{modify: {rolls: [attack], dice: 3}}]
      on: [{when: turn-ended, if: {in-play: axe}, do: [{gain: {trait: might}}]}]
      actions:
        - {word: TURN, if: {in-play: axe}, do: [{gain: {trait: might}}]}
        - {word: SHOW, forbidden: [{if: {phase: haunt}, rule: 2E-PREC-002}], do: [{gain: {trait: might}}]}
  heroes: {story: S, goal: G}
  traitor-book: {story: S, goal: G}
"""


def test_an_item_called_like_one_of_another_haunt_does_what_was_entered_and_nothing_else() -> None:
    """The other's conditions, bans, costs and bonuses are gone with it, also where the same words are used again."""
    table = Table(FOUR, options={"haunt": "external"}, game=rules_with(haunt=OTHERS_KEY))
    reveal(table)
    table.all_ready()
    enter(table, 0, PIECES)
    step: list[dict[str, Any]] = [{"count": {"counter": "lamps", "by": 1}}]
    key = {
        "id": "brass-key",
        "deck": "item",
        "title": "Key",
        "text": "Ours.",
        "actions": [{"word": "TURN", "do": step}, {"word": "SHOW", "do": step}],
        "on": [{"when": "turn-ended", "do": step}],
    }
    enter(table, 0, {"items": [key]})
    table.hold(0, "brass-key")
    table.turn(0)

    told = table.act("card:brass-key", "TURN")
    table.turn(0)
    told += table.act("card:brass-key", "SHOW")
    told += table.end_turn()

    assert [one.to for one in events(told, CounterMoved)] == [1, 2, 3]
    assert not events(told, TraitChanged)
    tables = table.rules.of(table.state).pack
    assert not [name for name in tables.blocks if name.startswith("card/brass-key#attack")]
    assert "card:brass-key" not in tables.standing


def test_the_referee_declares_the_winner() -> None:
    table = started()
    told = enter(table, MODERATOR, {"do": [{"win": {"side": "traitor", "because": "The bride is wed."}}]}, "traitor")
    assert (the(told, GameEnded).winner, table.state.status) == ("traitor", "finished")


# -- consent ------------------------------------------------------------------------------------------------------------------------

HURT: dict[str, Any] = {"you": 1, "do": [{"lose": {"trait": "might"}}]}


@pytest.mark.parametrize(
    "entry",
    [
        {"traitor": 2},
        HURT,
        HEROES_GOAL | PIECES,
        {"do": [{"kill": "you"}]},
        {"do": [{"move": {"to": "entrance-hall"}}]},
        {"do": [{"win": {"side": "heroes", "because": "So it is."}}]},
        {"actions": [{"word": "FALL", "do": [{"move": {"to": "entrance-hall"}}]}]},
        {"monsters": SHADES["monsters"]},
        {"tokens": [{"id": "fog", "title": "Fog", "always": [{"slows": 1}]}]},
        PIECES | {"do": [{"count": {"counter": "lamps", "by": 1}}]},
    ],
)
def test_winning_deaths_traits_and_positions_wait_for_all_other_seats(entry: dict[str, Any]) -> None:
    table = started()
    before = table.state.explorers[1].at

    enter(table, 0, entry)

    asked = [one for one in table.state.open.values() if one.kind == "consent"]
    assert [one.seat for one in asked] == [1, 2, 3]
    assert table.state.haunt is not None
    assert (table.state.haunt.entries, table.state.explorers[1].at) == ([], before)


@pytest.mark.parametrize("entry", [NOTE, PIECES, PIECES | LIGHT, {"goal": "Be gone."}])
def test_notes_pieces_and_rolls_that_only_count_need_nobodys_consent(entry: dict[str, Any]) -> None:
    table = started()
    assert events(enter(table, 0, entry), BookEntered)


def test_all_others_agree_and_it_holds() -> None:
    table = started()
    enter(table, 0, HURT)
    assert the(agree(table), TraitChanged).seat == 1
    for mask, role in table.roles.items():
        assert role.haunt is not None
        assert role.haunt.proposed is None, f"role {mask} still sees it proposed"


def test_one_refusal_is_enough_and_nothing_was_entered() -> None:
    table = started()
    enter(table, 0, HURT)

    told = agree(table, but=2)

    assert the(told, EntryRefused).by == 2
    assert table.state.haunt is not None
    assert (table.state.haunt.entries, table.state.haunt.proposed, table.state.open) == ([], None, {})
    assert table.now in [one.decision for one in table.offers(0)]


def test_those_who_are_asked_see_what_they_consent_to_and_others_do_not() -> None:
    table = started(consent="referee")

    told = enter(table, TRAITOR, WHISPER)

    assert [one.seat for one in table.state.open.values()] == [MODERATOR]
    assert events(heard(told, 0), EntryProposed) == []
    (asked,) = decisions_of(table.rules, table.roles[REFEREE], REFEREE).yours
    assert asked.text == "Agree to the entry from the traitor's book"
    assert asked.entry is not None
    assert asked.entry.entry["actions"][0]["word"] == "WHISPER"
    assert decisions_of(table.rules, table.view(0), 1).yours == []
    with table.refuses(problem="not-your-decision"):
        table.play(0, Choose(decision=asked.id, option="yes"))

    told = table.choose(MODERATOR, "yes")

    assert events(heard(told, 0), BookEntered) == []
    assert events(heard(told, TRAITOR), BookEntered)


def test_a_moderator_who_answers_chance_is_asked() -> None:
    table = started()
    table.state.source = "moderator"
    enter(table, 0, HURT)
    assert [one.seat for one in table.state.open.values()] == [MODERATOR]


def test_nothing_is_entered_while_something_is_half_done() -> None:
    table = started()
    enter(table, 0, HURT)
    with table.refuses(problem="decision-closed"):
        enter(table, 1, NOTE)
    assert decisions_of(table.rules, table.view(1), seat_bit(1)).enter is None
    agree(table)
    shown = decisions_of(table.rules, table.view(1), seat_bit(1)).enter
    assert shown is not None
    enter(table, 1, shown.example["entry"])


def test_a_rewind_takes_back_what_was_entered() -> None:
    table = started()
    enter(table, 0, PIECES)
    then = msgspec.json.decode(msgspec.json.encode(table.state), type=State)
    enter(table, 0, LIGHT)
    assert deeds(table, 0) == ["LIGHT"]

    Rewound(to=then.commit, state=then).apply(table.state)

    assert not [one for one in legal(table.rules, table.state, 0) if isinstance(one, Act)]
    assert table.state.haunt is not None
    assert [one.entry.tokens[0].id for one in table.state.haunt.entries] == ["lamp"]


# -- bad input ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "entry,place,says",
    [
        ({}, "/entry", "nothing is entered"),
        ({"monster": {}}, "/entry/monster", "did you mean `monsters`?"),
        ({"do": [{"dammage": {}}]}, "/entry/do/0/dammage", "did you mean `damage`?"),
        ({"do": {"kill": "you"}}, "/entry/do", "put it into a list"),
        ({"do": [{"kill": "you", "tell": {"side": "all", "text": "x"}}]}, "/entry/do/0/tell", "one verb, not 2"),
        ({"do": [{"move": {"to": "cript"}}]}, "/entry/do/0/move/to", "did you mean `crypt`?"),
        ({"do": [{"count": {"counter": "seal", "by": 1}}]}, "/entry/do/0/count/counter", "no counter `seal`"),
        (
            {"do": [{"place-monster": {"kind": "rat", "at": "here"}}]},
            "/entry/do/0/place-monster/kind",
            "no monster `rat`",
        ),
        (
            {"actions": [{"word": "TRY", "do": [{"roll": {"trait": "might"}, "outcomes": {"4+": [], "0-2": []}}]}]},
            "/entry/actions/0/do/0/outcomes/4+",
            "no outcome for 3",
        ),
        ({"actions": [{"word": "try", "do": []}]}, "/entry/actions/0/word", "write `TRY`"),
        ({"do": [{"lose": {"trait": "might"}, "who": "hero"}]}, "/entry/do/0/who", "is nobody"),
        ({"wins-when": {"phase": "haunt"}}, "/entry/wins-when", "needs `because`"),
        ({"monsters": {"Rat": {"title": "Rat", "speed": 2, "might": 1}}}, "/entry/monsters/Rat", "write `rat`"),
        (
            {"monsters": {"rat": {"title": "Rat", "speed": 2}}},
            "/entry/monsters/rat",
            "attacks with might, but has none",
        ),
        ({"tokens": [{"id": "safe", "title": "Safe"}]}, "/entry/tokens/0/id", "is taken"),
        (
            {"counters": {"doom": {"title": "Doom", "start": 5, "max": 4}}},
            "/entry/counters/doom/start",
            "outside its bounds",
        ),
        ({"traitor": 6}, "/entry/traitor", "the explorer of seat 6 is not alive"),
        ({"you": 4, "do": [{"kill": "you"}]}, "/entry/you", "no seat 4: the last one is 3"),
        ({"you": "ghost-1", "do": [{"kill": "you"}]}, "/entry/you", "expected "),
        ({"do": [{"run": "fall"}]}, "/entry/do/0/run", "no named blocks"),
        ({"do": [{"roll": {"dice": 21}, "outcomes": {"0+": []}}]}, "/entry/do/0/roll/dice", "at most 20"),
        ({"do": [{"lose": {"trait": "might", "steps": 10**12}}]}, "/entry/do/0/lose/steps", "at most 60"),
        ({"notes": {"a": "x" * 2001}}, "/entry/notes/a", "at most 2000 characters"),
        ({"notes": {"a": "x\x07"}}, "/entry/notes/a", "U+0007 (a control character)"),
        ({"do": [{"reveal": "traitor"}]}, "/entry/do/0/reveal", "nobody is hidden"),
        ({"do": [{"roll": {"trait": "might"}}]}, "/entry/do/0/roll", "never used"),
        ({"do": [{"lose": {"trait": "might"}, "who": "target"}]}, "/entry/do/0/who", "nobody is named as the target"),
        ({"monsters": {"imp": {"title": "Imp", "speed": -1, "might": 2}}}, "/entry/monsters/imp/speed", "from 0 to 12"),
        ({"monsters": {"imp": {"title": "Imp", "speed": 2, "might": 0}}}, "/entry/monsters/imp/might", "from 1 to 12"),
        ({"on": [{"when": "left", "do": [{"gain": {"trait": "might"}}]}]}, "/entry/on/0/when", "never happens"),
    ],
)
def test_a_mistake_is_told_with_its_place_and_what_would_be_right(entry: dict[str, Any], place: str, says: str) -> None:
    table = started()
    found = mistakes(table, 0, entry)
    assert place in found, found
    assert says in found[place]
    assert table.state.haunt is not None
    assert table.state.haunt.entries == []


def test_a_mistake_in_one_side_tells_nothing_of_what_the_other_entered() -> None:
    table = started()
    enter(table, TRAITOR, NOTE)
    entry = {"do": [{"tell": {"side": "all", "text": "weakness"}}]}
    assert "no text `weakness`" in mistakes(table, 0, entry)["/entry/do/0/tell/text"]
    enter(table, TRAITOR, entry)


def test_what_sets_itself_off_without_an_end_is_stopped() -> None:
    table = started()
    swap = [{"move": {"to": "entrance-hall"}, "if": {"in": "foyer"}}, {"move": {"to": "foyer"}}]
    fog = {"id": "fog", "title": "Fog", "on": [{"when": "entered", "do": [{"place-token": {"token": "fog"}}, *swap]}]}
    places = [{"place-token": {"token": "fog", "at": room}} for room in ("entrance-hall", "foyer")]
    enter(table, 0, {"tokens": [fog], "do": places})
    agree(table)
    enter(table, 0, {"do": [{"move": {"to": "foyer"}}]})
    with pytest.raises(Endless):
        agree(table)
