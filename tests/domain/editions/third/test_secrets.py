"""What each side of a third-edition haunt knows, and what opens it (rulebook 2022, Starting the Haunt; Anatomy of a Haunt)."""

import msgspec
import pytest

from domain.facts.audience import REFEREE, SPECTATORS
from domain.facts.commands import Act, Attack, Demand
from domain.facts.events import ActionTaken, BoxTold, DiceRolled, MonsterPlaced, PartDisclosed, PartUsed, TraitChanged
from domain.facts.refusal import Refused
from domain.facts.state import MonsterId
from domain.rulebook.turn.options import legal
from domain.rulebook.turn.standing_orders import Orders, Step, proceed
from projections.board import board_of
from projections.books.book import book_of
from projections.books.pages import as_markdown, sections
from projections.choices.odds import odds
from projections.choices.odds_asked import AttackAsked
from projections.choices.throws import Unfit
from projections.sentences.history import sentence
from projections.text.picture import house_as_text
from projections.view.game import view_of
from projections.view.haunts import HauntView
from projections.view.reminders import reminders_of
from tests.support.packs import rules, rules_with
from tests.support.table import Table, events, heard, the
from tests.support.third import FRIENDS, third

HAUNT = """
  id: h
  title: The Lantern
  stage: draft
  kind: one-traitor
  story: It grows dark.
  tokens:
    - {id: oil, title: Oil, text: Oil for the lantern., actions: [{word: DRINK, do: [{lose: {trait: sanity}}]}]}
  monsters:
    ghoul:
      title: Ghoul
      might: 5
      speed: 3
      text: It feeds on lamplight.
      actions: [{word: WAIL, title: Wail, do: [{lose: {trait: sanity}, who: {each: hero}}]}]
    wisp: {title: Wisp, speed: 6, sanity: 2, attack: {trait: speed}}
  heroes:
    story: You still have a lantern.
    goal: Win when the lantern burns.
    actions:
      - {word: LIGHT, title: Light the lantern, do: [{roll: {trait: knowledge, task: true}, outcomes: {0-20: [{gain: {trait: sanity}}]}}]}
      - {word: BURN, do: [{win: {side: heroes, because: It burns.}}]}
      - {word: DAZZLE, do: [{stun: {kind: any}}]}
      - {word: SHADE, title: Shade the lantern, do: [{gain: {trait: speed}}]}
    locations: [library, armory]
    ending: The lantern burns.
  traitor-book:
    story: Put it out.
    goal: Win when nobody is left.
    on:
      - {when: died, for: everyone, do: [{place-token: {token: oil, at: here}}]}
    actions: [{word: SNUFF, title: Snuff it out, do: [{lose: {trait: knowledge}, who: {each: hero}}]}]
    ending: It is dark.
"""

HERO, OTHER, TRAITOR = 0, 2, 1
IGNORANT = (1 << HERO, 1 << OTHER, SPECTATORS)


def lit(**options: object) -> Table:
    """The haunt of the lantern: seat 1 is the traitor, and it is the turn of seat 0."""
    table = Table(FRIENDS, game=rules_with("third-edition", haunt=HAUNT), options=options)
    table.haunt("h", traitor=TRAITOR)
    return table


def haunt(table: Table, who: int) -> HauntView:
    found = view_of(table.rules, table.roles[who], who).haunt
    assert found is not None
    return found


# -- boxes ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-ANAT-011", case=1)
@pytest.mark.rule("3E-ANAT-011")
def test_at_the_start_heroes_see_a_monsters_name_and_place_and_not_its_box() -> None:
    table = lit()
    table.monster("ghoul-1", "entrance-hall")

    told = table.commits[-1]

    for who in IGNORANT:
        placed = the([one for one in told if one.to & who], MonsterPlaced)
        assert (placed.room, placed.traits, placed.has) == ("entrance-hall", {}, ["might", "speed"])
        assert not [one for one in told if one.to & who and isinstance(one.event, BoxTold)]
        (shown,) = view_of(table.rules, table.roles[who], who).monsters
        assert (shown.title, shown.room, shown.traits, shown.dies) == ("Ghoul 1", "entrance-hall", {}, None)
        assert set(shown.has) == {"might", "speed"}
        assert "5" not in str(book_of(table.rules, table.roles[who], who).monsters)  # type: ignore[union-attr]
    for who in (1 << TRAITOR, REFEREE):
        (shown,) = view_of(table.rules, table.roles[who], who).monsters
        assert shown.traits == {"might": 5, "speed": 3}


@pytest.mark.rule("3E-ANAT-012", case=1)
def test_a_monster_attacks_with_as_many_dice_as_its_box_gives_it() -> None:
    table = lit()
    table.monster("ghoul-1", "entrance-hall")
    table.turn(TRAITOR, monsters=True)

    told = table.rolls([2, 2, 2, 2, 2], [0, 0, 0, 0, 0, 0][: table.value(HERO, "might")]).attack(
        HERO, monster="ghoul-1"
    )

    rolled = events(told, DiceRolled)[0]
    assert (rolled.who, len(rolled.faces)) == ("ghoul-1", 5)


@pytest.mark.rule("3E-ANAT-013", case=1, asserts=True)
def test_a_monster_whose_box_says_so_attacks_with_speed() -> None:
    table = lit()
    table.monster("wisp-1", "entrance-hall")
    table.turn(TRAITOR, monsters=True)

    told = table.rolls([0] * 6, [1] * table.value(HERO, "speed")).attack(HERO, monster="wisp-1")

    rolled = events(told, DiceRolled)
    assert [(one.trait, len(one.faces)) for one in rolled] == [("speed", 6), ("speed", table.value(HERO, "speed"))]


@pytest.mark.rule("3E-ANAT-014", case=1)
def test_the_action_of_one_monsters_box_is_refused_to_another_kind() -> None:
    table = lit()
    table.monster("ghoul-1", "entrance-hall")
    table.monster("wisp-1", "entrance-hall")
    table.turn(TRAITOR, monsters=True)
    wail = Act(decision=table.now, source="box:ghoul", word="WAIL", monster=MonsterId("ghoul-1"))
    assert wail in table.offers(TRAITOR)

    with table.refuses("3E-ANAT-014"):
        table.play(TRAITOR, msgspec.structs.replace(wail, monster=MonsterId("wisp-1")))
    told = table.play(TRAITOR, wail)
    assert {one.seat for one in events(told, TraitChanged)} == {HERO, OTHER}


def test_a_special_rule_of_a_box_is_for_its_kind_alone() -> None:
    game = rules_with(
        "third-edition",
        haunt=HAUNT.replace(
            "actions: [{word: WAIL",
            "on: [{when: monster-stunned, for: monsters, do: [{lose: {trait: speed}, who: {each: hero}}]}]\n      actions: [{word: WAIL",
        ),
    )
    for kind, falls in (("ghoul", True), ("wisp", False)):
        table = Table(FRIENDS, game=game)
        table.haunt("h", traitor=TRAITOR)
        table.monster(f"{kind}-1", "entrance-hall")
        told = table.act("haunt:heroes", "DAZZLE")
        assert bool(events(told, TraitChanged)) is falls


def test_a_box_that_nobody_read_is_as_good_a_target_and_has_no_odds() -> None:
    table = lit()
    table.monster("ghoul-1", "entrance-hall")
    table.monster("wisp-1", "entrance-hall")
    assert [one.target for one in table.offers(HERO) if isinstance(one, Attack)] == [TRAITOR, "ghoul-1"], (
        "a wisp has no Might, as everybody sees"
    )
    assert legal(table.rules, table.state, HERO) == legal(table.rules, table.view(HERO), HERO)
    with pytest.raises(Unfit, match="box"):
        odds(table.rules, table.view(HERO), AttackAsked(attacker=HERO, target=MonsterId("ghoul-1")))
    assert odds(table.rules, table.view(TRAITOR), AttackAsked(attacker=HERO, target=MonsterId("ghoul-1"))).fight


def test_pictures_and_pages_show_nothing_of_a_closed_box() -> None:
    table = lit()
    table.monster("ghoul-1", "entrance-hall")
    view = view_of(table.rules, table.view(HERO), 1 << HERO)
    book = book_of(table.rules, table.view(HERO), 1 << HERO)
    assert book is not None
    for shown in (board_of(view), house_as_text(table.rules, table.view(HERO)), as_markdown(sections(book))):
        assert "Ghoul" in shown
        assert "Might 5, Speed 3" not in shown
        assert "Wail" not in shown
    assert "Might 5, Speed 3" in house_as_text(table.rules, table.view(TRAITOR))


# -- books ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-ANAT-007", case=1, asserts=True)
def test_the_objective_of_a_side_is_in_its_own_views_only() -> None:
    table = lit()
    for who in (1 << HERO, 1 << OTHER):
        assert [one.goal for one in haunt(table, who).books] == ["Win when the lantern burns."]
    assert [one.goal for one in haunt(table, 1 << TRAITOR).books] == ["Win when nobody is left."]
    assert not haunt(table, SPECTATORS).books


@pytest.mark.rule("3E-ANAT-006", case=1)
def test_two_different_haunt_actions_are_taken_in_one_turn_and_the_same_one_only_once() -> None:
    table = lit()
    table.act("haunt:heroes", "SHADE")
    table.rolls([1] * table.value(HERO, "knowledge")).act("haunt:heroes", "LIGHT")
    with table.refuses("3E-ANAT-006"):
        table.act("haunt:heroes", "SHADE")

    with table.refuses("3E-ANAT-006"):  # whether it is an attempt at something or not
        table.act("haunt:heroes", "LIGHT")


@pytest.mark.rule("3E-ANAT-005", case=1, asserts=True)
def test_a_special_rule_set_off_by_a_death_runs_then_and_at_no_other_time() -> None:
    table = lit()
    for _ in range(3):
        table.end_turn()
    assert not table.state.tokens
    table.die(OTHER)
    assert [here.token for here in table.state.tokens] == ["oil"]


# -- what opens it ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-INFO-002", case=1)
def test_a_request_opens_the_whole_text_of_an_action_that_a_hero_took() -> None:
    table = lit()
    table.rolls([1] * table.value(HERO, "knowledge")).act("haunt:heroes", "LIGHT")
    (before,) = haunt(table, 1 << TRAITOR).parts
    assert (before.part, before.demandable, before.text) == ("heroes.actions.LIGHT", True, [])

    told = table.play(TRAITOR, Demand(decision="parts", part="heroes.actions.LIGHT"))

    assert the(told, PartDisclosed).rule == "3E-INFO-002"
    for who in table.roles:
        (part,) = haunt(table, who).parts
        assert part.disclosed
        assert not part.demandable
        assert "Knowledge" in " ".join(part.text)
    said = sentence(table.rules, the(heard(told, TRAITOR), PartDisclosed), table.view(TRAITOR))
    assert "Knowledge" in said


@pytest.mark.rule("3E-INFO-002")
def test_standing_orders_ask_for_a_part_in_their_turn() -> None:
    table = lit()
    table.rolls([1] * table.value(HERO, "knowledge")).act("haunt:heroes", "LIGHT")
    table.turn(TRAITOR)
    orders = Orders(steps=[Step(command=Demand(decision="turn", part="heroes.actions.LIGHT"))])
    _, command = proceed(orders, table.state, TRAITOR)
    assert command is not None
    assert the(table.play(TRAITOR, command), PartDisclosed).rule == "3E-INFO-002"


@pytest.mark.rule("3E-INFO-002", case=2)
@pytest.mark.parametrize("part", ["heroes.actions.LIGHT", "heroes.actions.NONE", "monster.ghoul", "traitor.on.0"])
def test_what_nobody_has_used_is_not_read_out(part: str) -> None:
    table = lit()
    for seat in range(3):
        with table.refuses("3E-INFO-002"):
            table.play(seat, Demand(decision="parts", part=part))


@pytest.mark.rule("3E-INFO-002", case=3)
def test_a_part_once_read_out_stays_in_all_views() -> None:
    table = lit()
    table.act("haunt:heroes", "SHADE")
    table.play(TRAITOR, Demand(decision="parts", part="heroes.actions.SHADE"))
    text = haunt(table, SPECTATORS).parts[0].text
    for _ in range(6):
        table.end_turn()
    for who in table.roles:
        assert haunt(table, who).parts[0].text == text != []
    with table.refuses("3E-INFO-002"):
        table.play(TRAITOR, Demand(decision="parts", part="heroes.actions.SHADE"))


@pytest.mark.rule("3E-INFO-002", case=4)
def test_without_a_request_the_others_see_who_did_what_where_with_which_dice_and_what_came_of_it() -> None:
    table = lit()
    told = table.rolls([1] * table.value(HERO, "knowledge")).act("haunt:heroes", "LIGHT")

    mine = heard(told, TRAITOR)
    taken = the(mine, ActionTaken)
    assert (taken.figure, taken.source, taken.word) == (HERO, "haunt:heroes", "LIGHT")
    assert table.view(TRAITOR).explorers[HERO].room == "entrance-hall"
    assert the(mine, DiceRolled).faces == [1] * len(the(mine, DiceRolled).faces)
    assert the(mine, TraitChanged).seat == HERO
    assert the(mine, PartUsed).part == "heroes.actions.LIGHT"
    assert not haunt(table, 1 << TRAITOR).parts[0].text


def test_a_side_does_not_ask_for_its_own_book() -> None:
    table = lit()
    table.act("haunt:heroes", "SHADE")
    for seat in (HERO, OTHER):
        with table.refuses("3E-INFO-002"):
            table.play(seat, Demand(decision="parts", part="heroes.actions.SHADE"))


@pytest.mark.rule("3E-INFO-002")
@pytest.mark.parametrize("kind", ["no-traitor", "hidden-traitor"])
def test_nobody_asks_for_the_one_book_that_everybody_has_read(kind: str) -> None:
    shared = f"""
      id: h
      title: H
      stage: draft
      kind: {kind}
      story: S
      heroes: {{story: S, goal: G, actions: [{{word: SHADE, do: [{{gain: {{trait: speed}}}}]}}]}}
    """
    table = Table(FRIENDS, game=rules_with("third-edition", haunt=shared))
    table.haunt("h", traitor=1 if kind == "hidden-traitor" else -1)
    table.act("haunt:heroes", "SHADE")
    with pytest.raises(Refused, match="everybody has read the one book") as caught:
        table.play(1, Demand(decision="parts", part="heroes.actions.SHADE"))
    assert caught.value.rule == "3E-INFO-002"


def test_a_box_is_open_to_all_once_its_monster_has_rolled_and_somebody_asks() -> None:
    table = lit()
    table.monster("ghoul-1", "entrance-hall")
    table.rolls([0] * table.value(HERO, "might"), [0] * 5).attack("ghoul-1")
    assert table.view(HERO).monsters[MonsterId("ghoul-1")].boxed

    told = table.play(OTHER, Demand(decision="parts", part="monster.ghoul"))

    assert the(heard(told, HERO), BoxTold).traits == {"might": 5, "speed": 3}
    for who in IGNORANT:
        (shown,) = view_of(table.rules, table.roles[who], who).monsters
        assert (shown.traits, shown.dies) == ({"might": 5, "speed": 3}, False)
        assert "Wail" in " ".join(haunt(table, who).parts[0].text) or "WAIL" in " ".join(
            haunt(table, who).parts[0].text
        )
    table.monster("ghoul-2", "hallway")
    assert table.seen(HERO, "ghoul-2").traits == {"might": 5, "speed": 3}, "the box is open for all of its kind"


def test_the_option_reads_parts_out_at_once() -> None:
    table = lit(reading_out="at-once")
    told = table.act("haunt:heroes", "SHADE")
    assert the(heard(told, TRAITOR), PartDisclosed).by == -1
    assert haunt(table, 1 << TRAITOR).parts[0].text


def test_a_rule_that_runs_by_itself_is_a_part_once_it_shows() -> None:
    table = lit()
    table.die(OTHER)
    assert [one.part for one in haunt(table, 1 << HERO).parts] == ["traitor.on.0"]
    table.play(HERO, Demand(decision="parts", part="traitor.on.0"))
    assert "Oil" in " ".join(haunt(table, 1 << HERO).parts[0].text)


def test_the_second_edition_reads_nothing_out() -> None:
    table = Table(game=rules_with(haunt=HAUNT))
    table.haunt("h", traitor=TRAITOR)
    told = table.act("haunt:heroes", "SHADE")
    assert not events(told, PartUsed)
    with table.refuses("2E-SEC-001"):
        table.play(TRAITOR, Demand(decision="parts", part="heroes.actions.SHADE"))


# -- what is the same for both, and what comes last --------------------------------------------------------------------


@pytest.mark.rule("3E-ANAT-002", case=1, asserts=True)
def test_both_sides_see_the_same_identification() -> None:
    table = lit(scenario="for-sale")
    shown = [haunt(table, who).identification for who in table.roles]
    assert all(one == shown[0] for one in shown)
    assert shown[0].scenario
    assert shown[0].traitor == "The revealer of the haunt"


@pytest.mark.rule("3E-ANAT-008", case=(1, 2), asserts=True)
def test_the_tokens_needed_are_the_same_word_for_word_and_their_rules_are_in_one_book() -> None:
    table = lit()
    lists = [msgspec.json.encode(haunt(table, who).needed) for who in table.roles]
    assert len(set(lists)) == 1
    assert b"Oil for the lantern." in lists[0]
    hero, traitor = (book_of(table.rules, table.view(seat), 1 << seat) for seat in (HERO, TRAITOR))
    assert hero is not None
    assert traitor is not None
    assert [one.rules for one in traitor.books[0].tokens] != [[]]
    assert "DRINK" not in msgspec.json.encode(hero).decode()
    assert "DRINK" in msgspec.json.encode(traitor).decode()


@pytest.mark.rule("3E-ANAT-009", case=1, asserts=True)
def test_important_locations_are_tiles_with_the_regions_in_which_they_can_lie() -> None:
    table = lit()
    tiles = table.rules.pack.tiles
    (mine,) = haunt(table, 1 << HERO).books
    assert [(one.tile, one.floors) for one in mine.locations] == [
        ("library", tiles["library"].floors),
        ("armory", tiles["armory"].floors),
    ]
    (theirs,) = haunt(table, 1 << TRAITOR).books
    assert not theirs.locations
    book = book_of(table.rules, table.view(TRAITOR), 1 << TRAITOR)
    assert book is not None
    assert "armory" not in msgspec.json.encode(book).decode().lower()


@pytest.mark.rule("3E-ANAT-010", case=1, asserts=True)
def test_nobody_sees_a_closing_text_before_the_end_and_then_everybody_the_winners() -> None:
    table = lit()
    for who in table.roles:
        view = view_of(table.rules, table.roles[who], who)
        book = book_of(table.rules, table.roles[who], who)
        for shown in (msgspec.json.encode(view).decode(), msgspec.json.encode(book).decode()):
            assert "The lantern burns." not in shown
            assert "It is dark." not in shown
    table.act("haunt:heroes", "BURN")
    for who in table.roles:
        assert haunt(table, who).ending == "The lantern burns."


@pytest.mark.rule("3E-ANAT-003", case=1, asserts=True)
def test_another_introduction_changes_no_command_and_no_outcome() -> None:
    other = HAUNT.replace("You still have a lantern.", "Run! Attack everybody now.")
    tables = [lit(), Table(FRIENDS, game=rules_with("third-edition", haunt=other))]
    tables[1].haunt("h", traitor=TRAITOR)
    for table in tables:
        table.monster("ghoul-1", "entrance-hall")
    assert tables[0].offers(HERO) == tables[1].offers(HERO)
    for table in tables:
        table.act("haunt:heroes", "DAZZLE")
        table.end_turn()
    assert msgspec.json.encode(tables[0].commits) == msgspec.json.encode(tables[1].commits)


@pytest.mark.rule("3E-COMP-001", case=1, asserts=True)
@pytest.mark.rule("3E-SETUP-002", case=1)
def test_nobody_opens_either_book_in_exploration() -> None:
    table = Table(FRIENDS, game=rules_with("third-edition", haunt=HAUNT), options={"haunt": "h"})
    (sheet,) = [one for one in table.rules.pack.source.haunts if one.id == "h"]
    assert [one is not None for one in (sheet.heroes, sheet.traitor_book)] == [True, True], "two books"
    for who in table.roles:
        assert book_of(table.rules, table.roles[who], who) is None
        assert view_of(table.rules, table.roles[who], who).haunt is None
    for seat in range(3):
        with table.refuses("3E-SETUP-002"):
            table.play(seat, Demand(decision="parts", part="heroes.actions.LIGHT"))
    with table.refuses("3E-SETUP-002"):
        table.act("haunt:heroes", "LIGHT")


@pytest.mark.rule("3E-INFO-001", case=1, asserts=True)
def test_at_the_first_turn_each_side_has_nothing_of_the_others_book_but_what_is_the_same_or_read_aloud() -> None:
    table = lit()
    table.monster("ghoul-1", "entrance-hall")
    secret = {
        HERO: ("until nobody is left", "Snuff", "SNUFF", "Wail", "WAIL", "lamplight", "It is dark"),
        TRAITOR: ("when the lantern burns", "Light the lantern", "LIGHT", "SHADE", "BURN", "The lantern burns"),
    }
    for seat, kept in secret.items():
        view, book = (
            view_of(table.rules, table.view(seat), 1 << seat),
            book_of(table.rules, table.view(seat), 1 << seat),
        )
        told = [one.event for commit in table.commits for one in heard(commit, seat)]
        for shown in (view, book, told, table.view(seat)):
            text = msgspec.json.encode(shown).decode()
            assert not [words for words in kept if words in text]
        assert view.haunt is not None
        assert view.haunt.identification.traitor
        assert [one.title for one in view.haunt.needed] == ["Oil", "Ghoul", "Wisp"]


# -- reference cards, numbers, symbols, tokens --------------------------------------------------------------------------


@pytest.mark.rule("3E-COMP-007", case=1, asserts=True)
def test_the_reminders_of_all_three_cards_are_for_everybody() -> None:
    table = third()
    cards = reminders_of(table.rules.edition, "g", 1).cards
    assert [one.card for one in cards] == ["player", "traitor", "monster"]
    assert all(line.text for one in cards for line in one.rules)
    assert {line.rule for line in cards[2].rules} >= {"3E-MON-002", "3E-MON-006"}


@pytest.mark.rule("3E-SETUP-007", case=1)
def test_both_shared_cards_are_in_the_public_view_from_the_start() -> None:
    table = third()
    shown = view_of(table.rules, table.roles[SPECTATORS], SPECTATORS).reminders
    assert shown["traitor"]
    assert shown["monster"]


@pytest.mark.rule("3E-SETUP-008", case=1)
def test_every_players_view_offers_the_reminder_of_the_turn() -> None:
    table = third()
    for seat in range(table.state.seats):
        assert "3E-TURN-002" in view_of(table.rules, table.view(seat), 1 << seat).reminders["player"]
    assert not view_of(rules("second-edition"), Table().view(0), 1).reminders
