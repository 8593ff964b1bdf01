"""A traitor dealt in secret: who knows, who may reveal, what it escapes (rulebook: Hidden Traitors)."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest

from domain.evolve import redact
from domain.facts.audience import REFEREE, SPECTATORS
from domain.facts.commands import Act, AnswerChance, Attack, Choose, EndTurn, Move, Reveal
from domain.facts.events import (
    ChanceAnswered,
    DamageTaken,
    Declined,
    DiceRolled,
    ExplorerAttacked,
    ExplorerDied,
    ExplorerFreed,
    HarmIgnored,
    Moved,
    SideTold,
    Stopped,
    TextTold,
    Told,
    TurnEnded,
    TurnStarted,
)
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, MonsterId
from projections.board import board_of
from projections.choices.decisions import decisions_of
from projections.naming.questions import Asking
from projections.sentences.history import worded
from projections.sentences.wording import capital
from projections.text.picture import house_as_text
from projections.view.game import view_of
from projections.view.haunts import haunt_of
from tests.support.packs import rules_with
from tests.support.table import FIVE, FOUR, Table, events, heard, the

GUEST = "the-hollow-guest"


def dealt(explorers: tuple[str, ...] = FOUR, *, traitor: int = 1, revealer: int = 2) -> Table:
    """A haunt with a hidden traitor begins: an omen, the haunt roll, the tokens dealt."""
    table = Table(explorers, first=revealer, options={"haunt": GUEST})
    table.stack("tiles", "charred-room")
    table.stack("omen", "skull")
    table.explore("east")
    table.picks(f"seat:{traitor}").rolls([0] * 6).end_turn()
    return table


REVEAL_FIRST = "only a revealed traitor is exempt: reveal yourself first"


@contextmanager
def told_why(said: list[str]) -> Iterator[None]:
    """Note what whoever is refused is told."""
    try:
        yield
    except Refused as refused:
        said.append(refused.detail)
        raise


def secret(traitor: int = 1) -> Table:
    """The haunt is on, nobody is revealed, and it is the turn of seat 0."""
    table = Table(FOUR)
    table.haunt(GUEST, traitor=traitor)
    return table


@pytest.mark.rule("2E-HID-001", case=(1, 2))
def test_tokens_are_dealt_one_each_and_everybody_sees_only_the_own() -> None:
    table = dealt(FIVE)

    numbers = [one.token for one in table.roles[REFEREE].explorers]
    assert sorted(numbers) == [1, 2, 3, 4, 5]
    for seat in range(5):
        shown = [one.token for one in view_of(table.rules, table.view(seat), 1 << seat).explorers]
        assert shown == [number if other == seat else None for other, number in enumerate(numbers)]
    assert not any(one.token for one in table.roles[SPECTATORS].explorers)
    for seat in range(5):
        sides = [one.side for one in table.view(seat).explorers]
        assert [bool(side) for side in sides] == [other == seat for other in range(5)]
    assert not any(one.side for one in table.roles[SPECTATORS].explorers)


@pytest.mark.rule("2E-HID-002", case=1, asserts=True)
def test_the_holder_of_number_one_is_the_traitor_and_nobody_else_knows() -> None:
    table = dealt(traitor=1)

    assert [one.seat for one in table.state.explorers if one.token == 1] == [1]
    known = {mask: role.haunt.traitor for mask, role in table.roles.items() if role.haunt is not None}
    assert known == {1: -1, 2: 1, 4: -1, 8: -1, SPECTATORS: -1, REFEREE: 1}


def turns(table: Table, number: int) -> list[int]:
    """Whose turns follow each other, from the one that is being taken."""
    found = []
    for _ in range(number):
        found.append(table.seat)
        table.end_turn()
    return found


@pytest.mark.rule("2E-HID-003", case=1)
def test_play_goes_on_clockwise_from_the_revealers_left() -> None:
    """Seats A B C D, revealer C, token 1 with A: D, A, B, C."""
    table = dealt(traitor=0, revealer=2)
    table.all_ready()

    assert turns(table, 5) == [3, 0, 1, 2, 3]


@pytest.mark.rule("2E-HID-003", case=2)
def test_the_order_stays_when_the_traitor_is_revealed_in_the_second_round() -> None:
    table = dealt(traitor=0, revealer=2)
    table.all_ready()
    turns(table, 5)
    haunt = table.view(1).haunt
    assert haunt is not None
    assert (table.seat, haunt.round) == (0, 2)

    table.reveal(0)

    assert turns(table, 8) == [0, 1, 2, 3, 0, 1, 2, 3]


STIRRED = """
  id: stirred
  title: Stirred
  stage: draft
  kind: hidden-traitor
  story: S
  monsters: {bat: {title: Bat, speed: 2, might: 1}}
  heroes: {story: S, goal: G}
"""


A, B, C, D = range(4)
PLAYERS = ("Ox Bellows", "Zoe Ingstrom", "Jenny LeClerc", "Vivian Lopez")
ROLES = (*(1 << seat for seat in (A, B, C, D)), SPECTATORS, REFEREE)


def stirred(traitor: int) -> Table:
    """Seats A B C D, revealer C, a bat in play where nobody stands; it is D's turn, the first of a round."""
    table = Table(FOUR, game=rules_with(haunt=STIRRED))
    table.haunt("stirred", traitor=traitor, revealer=C)
    table.monster("bat-1", "upper-landing")
    table.turn(D)
    return table


def whose(table: Table, who: int) -> int | str | None:
    """Whose turn it is by a role's view; of the monsters' turn it tells who plays it."""
    turn = view_of(table.rules, table.roles[who], who).turn
    return f"monsters, played by {turn.seat}" if turn.monsters else turn.seat


def headlines(table: Table, who: int) -> str:
    """What a role reads of whose turn it is: as data, in words, and above the pictures."""
    role, rules = table.roles[who], table.rules
    view = view_of(rules, role, who)
    shown = msgspec.json.encode((view.turn, view.waiting, decisions_of(rules, role, who))).decode()
    return "\n".join([shown, house_as_text(rules, role).splitlines()[0], board_of(view).partition("<desc")[0]])


def history(table: Table, who: int, told: list[Told]) -> str:
    """The events of which a role is told, and their sentences."""
    heard, asking = [one.event for one in redact(told, who)], Asking(table.rules, table.roles[who])
    return "\n".join([msgspec.json.encode(heard).decode(), *[worded(asking, event) for event in heard]])


@pytest.mark.rule("2E-HID-003", case=3)
def test_monsters_act_after_the_last_player_and_nobody_is_named_who_runs_them() -> None:
    """Seats A B C D, revealer C, token 1 with A: D, A, B, C, the monsters, whom A runs unseen, and D again."""
    table = stirred(traitor=A)
    order, begins = [], list[Told]()
    for _ in range(4):
        order.append(whose(table, SPECTATORS))
        begins = table.rolls([1, 1]).end_turn()
    order.append(whose(table, SPECTATORS))
    seen = {who: headlines(table, who) for who in ROLES}
    acting = table.offers(A)
    assert Move(decision=table.now, to="grand-staircase", monster=MonsterId("bat-1")) in acting
    assert not any(table.offers(seat) for seat in (B, C, D))
    with table.refuses("2E-TURN-001"):
        table.play(C, acting[0])

    told = [one for one in begins if not isinstance(one.event, TurnEnded)]
    told += table.move("grand-staircase", "foyer", monster="bat-1")
    told += [one for one in table.end_turn() if one.event != the(table.commits[-1], TurnStarted)]
    order.append(whose(table, SPECTATORS))

    assert order == [D, A, B, C, "monsters, played by None", D]
    for who in ROLES:
        text = f"{seen[who]}\n{history(table, who, told)}"
        knows = who in (1 << A, REFEREE)
        assert {player for player in PLAYERS if player in text} == ({PLAYERS[A]} if knows else set())
        for sentence in ("played by {}.", "{} ends the turn."):
            player = PLAYERS[A] if knows else "the hidden traitor"
            assert capital(sentence.format(player)) in text or sentence.format(player) in text
        assert ('"seat":0' in text) == knows
        assert not any(f'"seat":{seat}' in text for seat in (B, C, D))


@pytest.mark.rule("2E-PAST-002", asserts=True)
@pytest.mark.parametrize("revealed", [False, True])
def test_unrevealed_explorers_slow_the_monsters_as_heroes_do(*, revealed: bool) -> None:
    """Two of them beside the bat: 3 spaces, whether or not the token is up."""
    table = stirred(traitor=A)
    for seat in (B, C):
        table.put(seat, "upper-landing")
    table.turn(C)
    table.rolls([2, 2]).end_turn()
    if revealed:
        table.reveal(A)

    assert the(table.move("grand-staircase", monster="bat-1"), Moved).spent == 3


def test_once_the_token_is_up_everybody_reads_who_runs_the_monsters() -> None:
    """A turns it up in the midst of the monsters' turn, and goes on with it under its own name."""
    table = stirred(traitor=A)
    for _ in range(4):
        table.rolls([1, 1]).end_turn()
    assert whose(table, SPECTATORS) == "monsters, played by None"

    table.reveal(A)

    assert {whose(table, who) for who in ROLES} == {"monsters, played by 0"}
    assert the(table.end_turn(), TurnEnded).seat == A
    for _ in range(3):
        table.end_turn()
    begins = table.rolls([1, 1]).end_turn()
    assert the(begins, TurnStarted).seat == A
    assert "the monsters' turn, played by Ox Bellows" in history(table, SPECTATORS, begins)


def test_where_players_tell_the_dice_the_revealer_rolls_for_monsters_run_unseen() -> None:
    """Who rolls is seen, and the neighbor confirms it; so it can't be whoever moves them."""
    table = stirred(traitor=A)
    for _ in range(3):
        table.end_turn()
    table.state.source = "table"
    table.fate.pending = True

    table.end_turn()

    asked = table.asked(C)
    assert (asked.kind, asked.about, asked.total) == ("chance", "dice:movement", 2)
    table.play(C, AnswerChance(decision=asked.id, faces=[1, 1]))
    table.choose(D, "yes")
    assert [one.seat for one in table.view(B).open.values()] == []
    assert Move(decision=table.now, to="grand-staircase", monster=MonsterId("bat-1")) in table.offers(A)


def test_a_haunt_may_have_the_revealer_run_the_monsters_openly() -> None:
    table = Table(FOUR, game=rules_with(haunt=f"{STIRRED}  revealer-runs: true\n"))
    table.haunt("stirred", traitor=A, revealer=C)
    table.monster("bat-1", "upper-landing")
    table.turn(C)

    table.rolls([1, 1]).end_turn()

    assert {whose(table, who) for who in ROLES} == {f"monsters, played by {C}"}
    assert Move(decision=table.now, to="grand-staircase", monster=MonsterId("bat-1")) in table.offers(C)


def test_the_revealer_ends_the_monsters_turn_in_which_the_token_is_turned_up() -> None:
    """C has begun it and names the side of the barrier too; the next one is the traitor's (2E-TPOW-008)."""
    table = Table(FOUR, game=rules_with(haunt=f"{STIRRED}  revealer-runs: true\n"))
    table.lay("chasm", "basement", 1, 0)
    table.haunt("stirred", traitor=A, revealer=C)
    table.monster("bat-1", "basement-landing")
    table.turn(C)
    table.rolls([2, 2]).end_turn()
    table.reveal(A)

    table.play(C, Move(decision=table.now, to="chasm", monster=MonsterId("bat-1")))
    table.play(C, EndTurn(decision=table.now))
    assert table.asked(C).about == "part:chasm"
    table.choose(C, "0")
    for _ in range(4):
        table.rolls([1, 1]).end_turn()

    assert {whose(table, who) for who in ROLES} == {f"monsters, played by {A}"}


@pytest.mark.parametrize("traitor", [A, C])
def test_a_dealt_traitor_shares_one_ride_with_its_monsters_whoever_plays_between(traitor: int) -> None:
    """D, A, B, C, the monsters: the traitor has ridden in its turn, so the bat is not asked (2E-ROOM-033)."""
    table = stirred(traitor)
    table.lay("mystic-elevator", "ground", 1, 0, turns=3)
    table.put(traitor, "entrance-hall")
    table.reveal(traitor)
    while not table.state.turn.monsters:
        if table.seat == traitor:
            table.move("mystic-elevator")
            table.choose(traitor, next(one for one in table.asked(traitor).options if one.startswith("ground:1:1")))
        if table.seat == C:
            table.rolls([2, 2])
        table.end_turn()
    table.happen(Moved(figure=MonsterId("bat-1"), room="foyer"))

    table.move("mystic-elevator", monster="bat-1")

    assert not table.is_asked(traitor)


@pytest.mark.parametrize("watcher", [1 << C, 1 << D, SPECTATORS])
def test_the_monsters_turn_is_the_same_whoever_holds_the_token(watcher: int) -> None:
    """Token 1 with A or with B: the same bytes for whoever is neither, and to each the other's game looks like its own innocence."""
    tables = [stirred(traitor=seat) for seat in (A, B)]
    for table in tables:
        for _ in range(4):
            table.rolls([1, 1]).end_turn()
        table.move("grand-staircase", "foyer", monster="bat-1")
        table.rolls([1] * 2, [0] * 4)
        table.end_turn()

    one, other = ([redact(told, watcher) for told in table.commits] for table in tables)
    assert msgspec.json.encode(one) == msgspec.json.encode(other)
    assert msgspec.json.encode(tables[0].roles[watcher]) == msgspec.json.encode(tables[1].roles[watcher])
    assert headlines(tables[0], watcher) == headlines(tables[1], watcher)


@pytest.mark.rule("2E-HID-004", case=1, asserts=True)
def test_all_views_have_both_goals_in_one_text() -> None:
    """The heroes light lamps; the guest wins when all others are dead, or at the fourteenth hour of dusk."""
    table = dealt()
    for role in table.roles.values():
        haunt = haunt_of(table.rules, role)
        assert haunt is not None
        (book,) = haunt.books
        assert "Heroes win when enough lamps burn" in book.goal
        assert "wins when all others are dead" in book.story


@pytest.mark.rule("2E-HID-004", case=2, asserts=True)
def test_nobody_is_handed_a_book_of_the_traitors() -> None:
    table = dealt()
    assert table.rules.pack.haunts[GUEST].traitor_book is None
    for role in table.roles.values():
        assert role.texts == ["story", "heroes.book"]


@pytest.mark.rule("2E-HID-004", asserts=True)
def test_everybody_reads_one_text() -> None:
    table = Table(FOUR, first=2, options={"haunt": GUEST})
    table.stack("tiles", "charred-room")
    table.stack("omen", "skull")
    table.explore("east")
    told = table.picks("seat:1").rolls([0] * 6).end_turn()
    for seat in range(4):
        assert [one.text for one in events(heard(told, seat), TextTold)] == ["story", "heroes.book"]


@pytest.mark.rule("2E-HID-005", case=1)
def test_the_traitor_reveals_in_another_players_turn() -> None:
    table = secret(traitor=1)
    assert table.offers(1) == [Reveal(decision="reveal")]

    table.reveal(1)

    for role in table.roles.values():
        assert [one.side for one in role.explorers] == ["heroes", "traitor", "heroes", "heroes"]


@pytest.mark.rule("2E-HID-005", case=2, asserts=True)
@pytest.mark.rule("2E-HID-008", case=1)
def test_nobody_else_turns_up_a_token() -> None:
    table = secret(traitor=1)
    assert table.view(0).explorers[0].token == 2
    for seat in (0, 2, 3):
        assert Reveal(decision="reveal") not in table.offers(seat)
        with table.refuses("2E-HID-008"):
            table.reveal(seat)


def in_the_furnace(seat: int, *, traitor: int) -> Table:
    """A turn is about to end in the Furnace Room, which hurts."""
    table = Table(FOUR)
    table.lay("furnace-room", "basement", 0, 1)
    table.put(seat, "furnace-room")
    table.haunt(GUEST, traitor=traitor)
    table.turn(seat)
    table.end_turn()
    return table


PIT = """
  id: pit
  title: Pit
  floors: [ground]
  doors: [east, west]
  on: [{when: turn-ended, harmful: true, do: [{damage: {kind: physical, points: 2}}]}]
"""


@pytest.mark.rule("2E-HID-006", case=1)
def test_two_points_of_damage_are_ignored_by_whoever_reveals_before_they_are_taken() -> None:
    table = Table(FOUR, game=rules_with(tile=PIT))
    table.lay("pit", "ground", 1, 0)
    table.put(1, "pit")
    table.haunt(GUEST, traitor=1)
    table.turn(1)
    table.end_turn()
    before = list(table.explorer(1).at)

    told = table.choose(1, "reveal")

    assert (the(told, HarmIgnored).figure, the(told, HarmIgnored).source) == (1, "tile:pit")
    assert not events(told, DamageTaken)
    assert all(now >= then for now, then in zip(table.explorer(1).at, before, strict=True))


@pytest.mark.rule("2E-HID-006", case=3)
def test_after_the_roll_of_an_event_revealing_changes_no_result() -> None:
    """Debris has come down on the traitor, who has 2 points of damage to take and is buried."""
    table = secret(traitor=0)
    table.draw(0, "event", "debris")
    table.rolls([0] * table.value(0, "speed"), [1, 1])
    told = table.choose(0, "pass")
    assert events(told, DiceRolled)
    assert (table.asked(0).kind, table.asked(0).total) == ("allocation", 2)

    table.reveal(0)

    assert table.explorer(0).side == "traitor"
    told = table.allocate(0, speed=2)
    assert the(told, DamageTaken).amount == 2
    assert table.explorer(0).held is not None


@pytest.mark.rule("2E-HID-006", case=4)
def test_an_unrevealed_traitor_declines_no_event_and_is_alone_told_why() -> None:
    guilty, innocent = secret(traitor=0), secret(traitor=1)
    for table in (guilty, innocent):
        table.draw(0, "event", "debris")
    before = [msgspec.json.encode(role) for role in guilty.roles.values()]

    said: list[str] = []
    for table in (guilty, innocent):
        with table.refuses("2E-HID-006", problem="not-an-option"), told_why(said):
            table.choose(0, "be-spared")

    assert said == [REVEAL_FIRST, "`be-spared` is not an option here: choose one of `pass`"]
    assert [msgspec.json.encode(role) for role in guilty.roles.values()] == before, "only the answer says why"
    for watcher in (2, 3):
        assert guilty.view(watcher) == innocent.view(watcher)


@pytest.mark.rule("2E-HID-006", case=4)
def test_an_unrevealed_traitor_does_not_cross_the_chasm_without_a_roll_and_is_alone_told_why() -> None:
    tables: list[Table] = []
    said: list[str] = []
    for traitor, rule, problem in ((0, "2E-HID-006", "not-an-option"), (1, "", "not-your-decision")):
        table = Table(FOUR, source="moderator")
        table.lay("chasm", "basement", 1, 0)
        table.put(0, "chasm", part=1)
        table.haunt(GUEST, traitor=traitor)
        table.fate.pending = True
        table.cross()
        assert table.explorer(0).part == 1
        assert table.asked(MODERATOR).total == table.value(0, "speed"), "the roll is asked of it as of anybody"
        with table.refuses(rule, problem=problem), told_why(said):
            table.play(0, Choose(decision=table.asked(MODERATOR).id, option="ignore"))
        assert table.explorer(0).part == 1
        tables.append(table)
    assert said[0] == REVEAL_FIRST
    assert said[1] != REVEAL_FIRST
    for watcher in (2, 3):
        assert tables[0].view(watcher) == tables[1].view(watcher)


@pytest.mark.rule("2E-HID-006")
def test_the_traitor_reveals_before_harm_and_escapes_it() -> None:
    table = in_the_furnace(1, traitor=1)
    assert table.view(1).open[table.asked(1).id].options == ["pass", "reveal"]

    told = table.choose(1, "reveal")

    assert the(told, HarmIgnored).figure == 1
    assert events(told, SideTold)[0].revealed


def test_the_traitor_may_pass_and_take_the_harm() -> None:
    table = in_the_furnace(1, traitor=1)
    table.choose(1, "pass")
    assert table.asked(1).kind == "allocation"
    assert not table.explorer(1).revealed


def test_an_innocent_is_asked_alike_and_has_nothing_to_reveal() -> None:
    guilty, innocent = in_the_furnace(1, traitor=1), in_the_furnace(1, traitor=2)
    for watcher in (0, 3):
        assert guilty.view(watcher) == innocent.view(watcher)
    assert innocent.view(1).open[innocent.asked(1).id].options == ["pass"]
    with innocent.refuses("2E-HID-006", problem="not-an-option"):
        innocent.choose(1, "reveal")


@pytest.mark.rule("2E-TPOW-005")
@pytest.mark.rule("2E-HID-006", case=2)
def test_the_traitor_reveals_to_be_spared_an_event() -> None:
    table = secret(traitor=0)
    table.stack("tiles", "gardens")
    table.stack("event", "debris")
    table.explore("east")

    told = table.play(0, Choose(decision=table.asked(0).id, option="reveal"))

    assert the(told, Declined).seat == 0
    assert table.explorer(0).held is None
    assert not [one for one in table.fate.asked if one.dice]


@pytest.mark.rule("2E-HID-007", case=1)
def test_a_death_turns_the_token_up_and_no_other() -> None:
    table = dealt(FIVE, traitor=1)
    table.all_ready()
    (third,) = [one.seat for one in table.state.explorers if one.token == 3]

    table.die(third)

    for mask, role in table.roles.items():
        seen = {one.seat: one.token for one in role.explorers if one.token}
        own = {one.seat: one.token for one in table.state.explorers if mask in (1 << one.seat, REFEREE)}
        assert seen == {third: 3} | own
        assert (role.explorers[third].side, role.explorers[third].revealed) == ("heroes", True)


@pytest.mark.rule("2E-HID-007", case=2)
def test_the_death_of_the_traitor_names_it_to_all() -> None:
    table = secret(traitor=1)
    table.die(1)
    told = table.commits[-1]
    assert (the(told, ExplorerDied).seat, events(told, SideTold)[0].token) == (1, 1)
    for role in table.roles.values():
        assert (role.explorers[1].side, role.explorers[1].revealed, role.explorers[1].token) == ("traitor", True, 1)


@pytest.mark.rule("2E-HID-009", case=1)
def test_everybody_may_attack_everybody() -> None:
    table = secret(traitor=1)
    assert {one.target for one in table.offers(0) if isinstance(one, Attack)} == {1, 2, 3}

    told = table.rolls([0] * 5, [0] * 4).attack(2)

    assert the(told, ExplorerAttacked).target == 2


@pytest.mark.rule("2E-HID-009", case=2, asserts=True)
def test_the_attack_needs_the_same_room_as_ever() -> None:
    table = secret(traitor=1)
    table.put(2, "foyer")
    table.turn(0)
    with table.refuses("2E-ATK-003"):
        table.attack(2)


@pytest.mark.rule("2E-HID-009", case=3, asserts=True)
def test_there_is_one_attack_and_it_is_made_in_the_own_turn() -> None:
    table = secret(traitor=1)
    table.rolls([0] * table.value(0, "might"), [0] * table.value(1, "might")).attack(1)
    with table.refuses("2E-ATK-002"):
        table.attack(2)

    table.end_turn()
    assert table.seat == 1
    with table.refuses("2E-TURN-001"):
        table.play(0, Attack(decision=table.now, target=2))


@pytest.mark.rule("2E-HID-009", case=4)
def test_when_the_traitor_is_revealed_heroes_may_still_attack_heroes() -> None:
    table = secret(traitor=1)
    table.reveal(1)
    assert {one.target for one in table.offers(0) if isinstance(one, Attack)} == {1, 2, 3}

    told = table.rolls([0] * table.value(0, "might"), [0] * table.value(2, "might")).attack(2)

    assert (the(told, ExplorerAttacked).figure, the(told, ExplorerAttacked).target) == (0, 2)


def test_revealed_or_not_heroes_do_not_slow_each_other() -> None:
    table = secret(traitor=1)
    table.put(1, "upper-landing")
    table.reveal(1)
    table.turn(0)
    table.move("foyer")
    assert table.explorer(0).spent == 1


def test_stepping_to_where_somebody_else_stands_is_leaving_the_room() -> None:
    """The wearer of the face, revealed, has ended its movement by drawing a card; in another turn heroes beside it slow it."""
    table = Table(FOUR)
    table.put(3, "foyer")
    table.haunt("the-borrowed-face", traitor=0)
    table.reveal(0)
    table.happen(Stopped(figure=0))
    assert not table.offers(0, Act)
    with table.refuses("2E-MOVE-004"):
        table.act("haunt:heroes", "EXCHANGE", 3)

    table.turn(0)
    told = table.act("haunt:heroes", "EXCHANGE", 3)

    assert (events(told, Moved)[0].room, table.explorer(0).spent) == ("foyer", 2)


def test_unrevealed_explorers_do_not_slow_each_other() -> None:
    table = secret(traitor=1)
    table.move("foyer")
    table.put(1, "foyer")
    table.put(2, "foyer")
    table.move("entrance-hall")
    assert table.explorer(0).spent == 2


@pytest.mark.rule("2E-TPOW-001")
def test_revealing_frees_from_what_holds_the_traitor_back() -> None:
    table = Table(FOUR)
    table.stack("tiles", "gardens")
    table.stack("event", "webs")
    table.rolls([0, 0, 0, 1, 1]).explore("east")
    table.haunt(GUEST, traitor=0)
    assert table.explorer(0).held is not None

    told = table.reveal(0)

    assert the(told, ExplorerFreed).seat == 0


def test_revealing_answers_no_other_decision() -> None:
    table = secret()
    for seat in range(table.state.seats):
        with pytest.raises(Refused) as refusal:
            table.play(seat, Reveal(decision="d1"))
        assert refusal.value.problem == "decision-closed", "the same for everyone, so that it tells nobody"


RISING = """
  id: rising
  title: Rising
  stage: draft
  kind: hidden-traitor
  story: S
  heroes: {story: S, goal: G}
  traitor-book: {story: S, goal: G}
  revealed:
    - {roll: {dice: 1}, outcomes: {0+: []}}
    - {roll: {dice: 2}, outcomes: {0+: []}}
"""


def answer(table: Table, decision: str, *faces: int) -> list[Told]:
    """Whoever is asked by this decision says what the dice show; where a neighbor has to confirm it, it does."""
    told = table.play(table.state.open[decision].seat, AnswerChance(decision=decision, faces=list(faces)))
    witness = table.state.open.get(f"w{decision[1:]}")
    return told if witness is None else table.play(witness.seat, Choose(decision=witness.id, option="yes"))


@pytest.mark.parametrize("source", ["moderator", "table"])
def test_what_a_reveal_rolls_while_dice_are_awaited_is_asked_apart(source: str) -> None:
    table = Table(FOUR, game=rules_with(haunt=RISING))
    table.haunt("rising", traitor=1)
    table.state.source = source
    table.fate.pending = True
    table.attack(2)
    (awaited,) = table.state.open

    table.reveal(1)
    (first,) = set(table.state.open) - {awaited}
    answer(table, first, 1)
    (second,) = set(table.state.open) - {awaited}
    told = answer(table, second, 2, 2)

    assert len({awaited, first, second}) == 3
    assert the(told, DiceRolled).faces == [2, 2]
    assert list(table.state.open) == [awaited]
    answer(table, awaited, *[0] * table.state.open[awaited].total)
    assert set(table.state.open).isdisjoint({awaited, first, second})
    numbers = [one.index for told in table.commits for one in events(told, ChanceAnswered)]
    assert numbers == list(range(len(numbers)))


@pytest.mark.parametrize("source", ["moderator", "table"])
def test_dice_answered_while_a_reveal_rolls_count_when_their_turn_comes(source: str) -> None:
    table = Table(FOUR, game=rules_with(haunt=RISING))
    table.haunt("rising", traitor=1)
    table.state.source = source
    table.fate.pending = True
    table.attack(2)
    (awaited,) = table.state.open
    table.reveal(1)
    (first,) = set(table.state.open) - {awaited}

    asked = table.state.open[awaited]
    table.play(asked.seat, AnswerChance(decision=awaited, faces=[1] * asked.total))
    assert list(table.state.open) == [first], "the reveal goes before"
    answer(table, first, 1)
    (second,) = table.state.open
    assert second not in (awaited, first)
    answer(table, second, 2, 2)

    assert set(table.state.open).isdisjoint({awaited, first, second})
