"""Decisions: what is listed can be posted, what is described can be posted, what lies outside cannot."""

from collections.abc import Iterator
from itertools import product

import msgspec
import pytest

from domain.decide import decide
from domain.facts.audience import REFEREE, SPECTATORS, seat_bit
from domain.facts.chance import Moderator
from domain.facts.commands import AnswerChance, AnyCommand, Choose, EndTurn, Reveal
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, State
from domain.rulebook.turn.options import legal
from projections.choices.decisions import Decisions, OpenDecision, decisions_of
from tests.projections.driver import Game, play
from tests.projections.members import members, neighbors
from tests.support.fate import showing
from tests.support.menagerie import MENAGERIE
from tests.support.packs import by_post, rules, rules_with
from tests.support.table import FIVE, THREE, Table

GAMES = [
    ("second-edition", 1, ""),
    ("second-edition", 2, "the-hollow-guest"),
    ("second-edition", 3, "the-bell-below"),
    ("third-edition", 4, ""),
]


def key(command: AnyCommand) -> bytes:
    return msgspec.json.encode(command)


def theirs(game: Game) -> Decisions:
    return decisions_of(game.rules, game.roles[game.mask], game.mask)


def every_decision() -> Iterator[tuple[Game, OpenDecision]]:
    for pack, seed, haunt in GAMES:
        for game in play(pack, seed, haunt):
            for decision in theirs(game).yours:
                yield game, decision


def mine(table: Table, seat: int) -> list[OpenDecision]:
    return decisions_of(table.rules, table.view(seat), seat_bit(seat)).yours


def accepts(table: Table, seat: int, command: AnyCommand) -> bool:
    copy = msgspec.json.decode(msgspec.json.encode(table.state), type=State)
    try:
        decide(table.rules, copy, seat, command, Moderator())
    except Refused:
        return False
    return True


@pytest.mark.parametrize("pack,seed,haunt", GAMES)
def test_what_is_listed_is_what_is_legal_and_each_is_accepted(pack: str, seed: int, haunt: str) -> None:
    for game in play(pack, seed, haunt):
        listed = [one.command for decision in theirs(game).yours for one in decision.commands]
        if len(listed) < 64:
            assert sorted(map(key, listed)) == sorted(map(key, legal(game.rules, game.state, game.actor)))
        if game.steps % 3 == 0:
            for command in listed:
                assert game.try_on_a_copy(game.actor, command)


def test_families_hold_what_is_accepted_and_their_neighbors_are_refused() -> None:
    seen = set()
    for game, decision in every_decision():
        for family in decision.families:
            seen.add(family.fixed["type"])
            every = members(family) if family.count <= 64 else [family.example]
            assert len({key(command) for command in every}) == min(family.count, len(every))
            for command in every:
                assert game.try_on_a_copy(game.actor, command)
            for command in neighbors(family):
                with pytest.raises(Refused) as refused:
                    game.try_on_a_copy(game.actor, command)
                assert refused.value.rule or refused.value.problem != "illegal-command"
    assert {"trade", "drop", "pick-up", "allocate"} <= seen


def test_counts_are_exact_and_labels_tell_commands_apart() -> None:
    for _game, decision in every_decision():
        labels = [one.label for one in decision.commands]
        assert len(set(labels)) == len(labels), labels
        assert all(label and len(label) <= 120 and "_" not in label and "#" not in label for label in labels)
        every = {key(one.command) for one in decision.commands}
        if all(family.count <= 500 for family in decision.families):
            every |= {key(command) for family in decision.families for command in members(family)}
            assert decision.count == len(every), decision


def test_labels_say_what_a_command_does() -> None:
    table = Table()
    table.hold(0, "axe", "healing-salve")
    table.haunt("the-gnawing-tide", traitor=1)
    table.monster("rat-2", "entrance-hall")
    table.clips(0, might=1)
    table.traits(0, speed=3)
    labels = [one.label for one in mine(table, 0)[0].commands]
    assert "Move to the Foyer (3 spaces)" in labels
    assert "Explore through the west door (3 spaces)" in labels
    assert "Attack Rat 2 with Axe" in labels
    assert "Attack Zoe Ingstrom" in labels
    assert "Healing Salve on yourself: Restore Might and Speed (uses the card up)" in labels
    assert "Offer Axe to Jenny LeClerc" in labels
    assert labels[-1] == "End the turn"
    table.traits(0, speed=2)
    assert "Move to the Foyer (all movement left)" in [one.label for one in mine(table, 0)[0].commands]


def test_damage_is_divided_by_a_constraint_with_labels() -> None:
    table = Table()
    table.hold(1, "blood-dagger")
    table.haunt("the-gnawing-tide", traitor=1)
    table.rolls((2, 2, 2, 2, 0), (0, 0, 0))
    table.attack(1)
    table.choose(0, "damage")
    decision = mine(table, 1)[0]
    assert decision.text == "Divide 8 points of physical damage among Might and Speed"
    assert decision.count == len(decision.commands) == 9
    assert decision.commands[3].label == "Take 3 from Might, 5 from Speed (deadly)"
    assert msgspec.to_builtins(decision.families[0].fields) == [
        {"shape": "division", "field": "points", "least": 8, "total": 8, "caps": {"might": 8, "speed": 8}}
    ]


def test_a_turn_with_more_than_64_commands_keeps_its_end_and_describes_the_rest() -> None:
    table = Table(FIVE)
    table.haunt("the-gnawing-tide", traitor=0)
    for number in range(1, 30):
        table.monster(f"rat-{number}", "entrance-hall")
    table.turn(0, monsters=True)
    decision = mine(table, 0)[0]
    every = legal(table.rules, table.view(0), 0)
    assert decision.count == len(every) > 64
    assert len(decision.commands) == 64
    assert decision.commands[-1].command == EndTurn(decision=table.now)
    described = [command for family in decision.families for command in members(family)]
    assert sorted(map(key, described)) == sorted(map(key, every))
    assert all(accepts(table, 0, family.example) for family in decision.families)


def test_the_referee_answers_where_chance_waits_for_a_moderator() -> None:
    table = Table()
    table.fate.pending = True
    table.lay("attic", "upper", 0, 1)
    table.put(0, "attic")
    table.turn(0)
    table.move("upper-landing")
    known = table.roles[REFEREE]
    decision = decisions_of(table.rules, known, REFEREE).yours[0]
    dice = decision.families[0].fields[0]
    assert decision.kind == "chance"
    assert decision.text == "Roll 4 dice for a trait: Speed of Ox Bellows, the Attic"
    assert decision.count == 3**4
    assert len(decision.commands) == 64
    assert msgspec.to_builtins(dice) == {"shape": "faces", "field": "faces", "dice": 4, "least": 0}
    assert decisions_of(table.rules, table.view(0), seat_bit(0)).yours == []
    for role in (seat_bit(0), seat_bit(1), SPECTATORS):  # the dice lie before everybody
        assert [one.text for one in decisions_of(table.rules, table.roles[role], role).waiting] == [decision.text]


def test_by_post_the_moderator_is_offered_what_a_die_roller_shows_and_nothing_else() -> None:
    table = Table(game=by_post())
    table.fate.pending = True
    table.lay("attic", "upper", 0, 1)
    table.put(0, "attic")
    table.turn(0)
    table.traits(0, speed=3)
    table.move("upper-landing")
    (decision,) = decisions_of(table.rules, table.roles[REFEREE], REFEREE).yours
    listed = [one.command for one in decision.commands]
    family = decision.families[0]

    assert decision.text == "Roll 3d3-3 for a trait: Speed of Ox Bellows, the Attic"
    assert decision.count == len(listed) == 3**3
    assert msgspec.to_builtins(family.fields[0]) == {"shape": "faces", "field": "rolled", "dice": 3, "least": 1}
    assert all(isinstance(one, AnswerChance) and not one.faces for one in listed)
    assert decision.commands[0].label == "Rolled 1 1 1: 0"
    assert {(tuple(one.rolled), one.total) for one in listed if isinstance(one, AnswerChance)} == {
        (rolled, sum(rolled) - 3) for rolled in product((1, 2, 3), repeat=3)
    }
    for command in (*listed, family.example, *members(family)):
        assert accepts(table, MODERATOR, command)


def deals(table: Table, points: int) -> None:
    """Seat 1 attacks seat 0 and wins by so many points."""
    table.turn(1)
    table.rolls(showing(table.value(1, "might"), points), [0] * table.value(0, "might")).attack(0)


def labels_of(table: Table, seat: int) -> list[str]:
    (decision,) = mine(table, seat)
    return [one.label for one in decision.commands]


def test_a_division_of_damage_that_kills_says_so() -> None:
    table = Table(THREE)
    table.haunt("the-bell-below", traitor=1)
    table.clips(0, might=2, speed=1)
    deals(table, 2)

    assert labels_of(table, 0) == [
        "Take 2 from Speed (deadly)",
        "Take 1 from Might, 1 from Speed (deadly)",
        "Take 2 from Might (deadly)",
    ]
    hurt = Table(THREE)
    hurt.haunt("the-bell-below", traitor=1)
    hurt.clips(0, might=3, speed=2)
    deals(hurt, 2)
    assert labels_of(hurt, 0) == [
        "Take 2 from Speed (deadly)",
        "Take 1 from Might, 1 from Speed",
        "Take 2 from Might",
    ]


def test_before_the_haunt_no_division_is_deadly() -> None:
    table = Table(THREE)
    table.clips(0, might=1, speed=1)
    table.stack("tiles", "gardens")
    table.stack("event", "debris")
    table.rolls([0] * table.value(0, "speed"), [1, 1]).explore("east")
    assert labels_of(table, 0) == ["Take 2 from Speed", "Take 1 from Might, 1 from Speed", "Take 2 from Might"]


def test_a_trait_whose_loss_kills_says_so_too() -> None:
    table = Table(THREE)
    table.hold(0, "sacrificial-dagger")
    table.haunt("the-bell-below", traitor=1)
    table.clips(0, sanity=1, knowledge=2)
    table.turn(0)
    table.rolls(showing(table.value(0, "knowledge"), 3)).attack(1, "sacrificial-dagger")
    assert labels_of(table, 0) == ["Lose Sanity (deadly)", "Lose Knowledge"]


def test_where_a_book_spares_the_dying_nothing_is_called_deadly() -> None:
    table = Table(THREE, game=rules_with(haunt=MENAGERIE))
    table.haunt("menagerie", traitor=1)
    table.clips(0, might=1, speed=1)
    deals(table, 2)
    assert labels_of(table, 0)[0] == "Take 2 from Speed (to the skull)"


def test_spectators_see_who_is_awaited_and_may_do_nothing() -> None:
    table = Table()
    seen = decisions_of(table.rules, table.roles[SPECTATORS], SPECTATORS)
    assert seen.yours == []
    assert seen.you is None
    assert [(one.seat, one.kind, one.text) for one in seen.waiting] == [(0, "turn", "The turn of Ox Bellows")]


def test_only_the_hidden_traitor_is_offered_to_reveal() -> None:
    table = Table()
    table.haunt("the-hollow-guest", traitor=1)
    assert [one.id for one in mine(table, 1)] == ["reveal"]
    assert mine(table, 1)[0].commands[0].command == Reveal(decision="reveal")
    assert mine(table, 2) == []
    known = decisions_of(table.rules, table.roles[SPECTATORS], SPECTATORS)
    assert [one.decision for one in known.waiting] == [table.now]


def test_a_trade_that_waits_says_what_is_offered() -> None:
    table = Table()
    table.hold(0, "axe")
    table.hold(1, "spear")
    table.trade(1, ["axe"], ["spear"])
    decision = mine(table, 1)[0]
    assert decision.offer is not None
    assert (decision.offer.gives, decision.offer.wants) == (["axe"], ["spear"])
    assert decision.text == "Agree to the trade that Ox Bellows offers: Axe for Spear"
    assert [(one.label, one.command) for one in decision.commands] == [
        ("Yes", Choose(decision=decision.id, option="yes")),
        ("No", Choose(decision=decision.id, option="no")),
    ]


def test_in_the_third_edition_one_may_ask_without_giving() -> None:
    table = Table(("oliver-swift", "sammy-angler", "isa-valencia"), game=rules("third-edition"))
    table.hold(1, "map")
    table.turn(0)
    family = mine(table, 0)[0].families[0]
    assert msgspec.to_builtins(family.example) == {"type": "trade", "decision": table.now, "with": 1, "wants": ["map"]}
    assert accepts(table, 0, family.example)


# -- words for what newer cards ask ---------------------------------------------------------------------------------------


def labels(table: Table, seat: int) -> list[str]:
    return [one.label for decision in mine(table, seat) for one in decision.commands]


def drawn(card: str, **options: object) -> Table:
    """Seat 0 has drawn this event."""
    table = Table(options=options)
    table.draw(0, "event", card)
    return table


def test_an_order_is_told_by_what_lies_there_and_to_nobody_else() -> None:
    table = Table()
    table.stack("item", "axe", "bell")
    table.stack("event", "it-is-meant-to-be")
    for face in table.state.decks["item"].pool[2:]:
        assert face not in ("axe", "bell")
    table.draw(0, "event")
    table.choose(0, "look")
    assert "Look at the item deck" in labels(table, 0)
    table.choose(0, "item")

    assert labels(table, 0)[0].startswith("Axe, then Bell, then ")
    assert labels(table, 1) == []


def test_a_wall_is_named_by_its_side() -> None:
    assert "Behind the north-east side" in labels(drawn("revolving-wall"), 0)


def test_dynamite_is_labeled_with_the_room_at_which_it_is_thrown() -> None:
    table = Table()
    table.hold(0, "dynamite")
    table.haunt("the-bell-below", traitor=1)
    table.turn(0)
    assert "Dynamite on the Foyer: Throw it into the next room (uses the card up)" in labels(table, 0)


def test_whom_a_vision_makes_attack_and_with_what_is_named() -> None:
    table = Table()
    table.hold(0, "axe")
    table.clips(1, might=1)
    table.clips(2, might=1)
    table.rolls([0] * table.value(0, "sanity"))
    table.draw(0, "event", "bloody-vision")
    if len(labels(table, 0)) == 2 and "Attack with bare hands" not in labels(table, 0):
        assert labels(table, 0)[0].startswith("Attack ")
        table.choose(0, "seat:1")
    assert labels(table, 0) == ["Attack with bare hands", "Attack with Axe"]
