"""What the numbers in a sentence are made of, for each role as far as it knows."""

import pytest

from domain.evolve import fold, redact
from domain.facts.audience import EVERYBODY, REFEREE, SPECTATORS, seats_mask
from domain.facts.commands import Attack
from domain.facts.events import AttackDecided, DamageReduced, DiceRolled, Moved, Told
from domain.facts.pieces import TokenHere
from domain.facts.state import State
from projections.naming.names import counted
from projections.sentences.sums import made_of
from projections.sentences.wording import audience
from tests.laws import summing
from tests.laws.playout import open_table, play, principals
from tests.support.packs import EVERY_HAUNT, rules
from tests.support.table import Table


def sums(table: Table, who: int, kind: type) -> list[str]:
    """Of all events of a type that a role was told, in the order in which they happened."""
    state, found = State(), []
    for commit in table.commits:
        for one in redact(commit, who):
            found += [made_of(table.rules, state, one.event)] if isinstance(one.event, kind) else []
            fold(state, [[one]])
    return found


def test_an_attack_names_the_trait_and_the_weapon_and_a_defense_the_trait_alone() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.hold(0, "axe")
    table.turn(0)
    might = table.state.explorers[0].value("might")
    table.rolls([0] * (might + 1), [0] * table.state.explorers[1].value("might"))
    table.play(0, Attack(decision=table.now, target=1, weapon="axe"))
    for who in (1, SPECTATORS, REFEREE):
        attack, defense = sums(table, who, DiceRolled)[-2:]
        assert attack == f"{might + 1} dice: Might {might}, Axe 1."
        assert defense.endswith(f"dice: Might {table.state.explorers[1].value('might')}.")


def test_damage_is_the_difference_less_what_a_card_takes_off() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.hold(1, "armor")
    table.turn(0)
    might, theirs = (table.state.explorers[seat].value("might") for seat in (0, 1))
    table.rolls([1] * might, [0] * theirs)
    table.play(0, Attack(decision=table.now, target=1))
    for who in (1, SPECTATORS, REFEREE):
        assert sums(table, who, AttackDecided) == [f"{might} - 0 = {counted(might, 'point')}."]
        assert sums(table, who, DamageReduced) == [f"{might} - 1 = {counted(might - 1, 'point')}."]


def test_dice_that_a_text_counts_are_told_to_whoever_has_read_it() -> None:
    game = play(rules("third-edition"), 0, seats=4, haunt="the-music-stops")
    told = [(one.event, one.to) for commit in game.commits for one in commit]
    state, found = State(), []
    for event, _ in told:
        if isinstance(event, DiceRolled) and event.kind == "damage" and "haunt/" in event.about:
            found.append(made_of(game.rules, state, event))
            stops = state.haunt.counters["stops"] if state.haunt is not None else 0
            assert len(event.faces) == stops + 3
        fold(state, [[Told(REFEREE, event)]])
    assert found
    assert all(one.endswith("dice: “Times the music has stopped” plus 3.") for one in found)


def test_what_a_card_has_cost_since_the_dice_were_counted_is_counted_still() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.hold(0, "idol")
    table.turn(0)
    sanity = table.state.explorers[0].value("sanity")
    known = State()
    for commit in table.commits:
        fold(known, [redact(commit, REFEREE)])
    known.explorers[0].at[2] -= 1
    known.used.append("card:idol")
    rolled = DiceRolled(
        who=0, kind="trait", about="card/bell#actions.RING", trait="sanity", faces=[1] * (sanity + 2), total=sanity + 2
    )
    assert made_of(table.rules, known, rolled) == f"{sanity + 2} dice: Sanity {sanity}, Idol 2."


def test_a_step_names_who_slows_it() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.turn(0)
    speed = table.state.explorers[0].value("speed")
    table.move("foyer")
    for who in (1, SPECTATORS, REFEREE):
        assert sums(table, who, Moved)[-1] == f"2 of {speed} spaces, 1 for Zoe Ingstrom."


def test_a_token_is_counted_for_those_alone_who_have_read_what_it_does() -> None:
    """Spectators read neither book: to them one die fewer is one die fewer."""
    table = Table()
    table.haunt("the-scaffold", traitor=1)
    might = table.value(0, "might")
    rolled = DiceRolled(who=0, kind="trait", trait="might", about="haunt:heroes", faces=[0] * (might - 1), total=0)
    for who, said in ((1, f"Might {might}, Cage -1"), (SPECTATORS, f"Might {might}, 1 fewer")):
        state = fold(State(), [redact(commit, who) for commit in table.commits])
        state.tokens.append(TokenHere(token="cage", room=state.explorers[0].room))
        assert made_of(table.rules, state, rolled) == f"{might - 1} dice: {said}."


def test_an_audience_is_told_in_words() -> None:
    assert audience(EVERYBODY, 3) == "everybody"
    assert audience(seats_mask([1]), 3) == "seat 1 and the referee"
    assert audience(REFEREE, 3) == "the referee"
    assert audience(seats_mask([0, 2]) | SPECTATORS, 3) == "seats 0, 2, the spectators and the referee"


SAMPLE = [(pack, seed, 3 + seed % 4, haunt) for seed, (pack, haunt) in enumerate(EVERY_HAUNT)]


@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE[::12])
def test_sums_are_what_the_engine_counts(pack: str, seed: int, seats: int, haunt: str) -> None:
    game = open_table(rules(pack), seed, seats=seats, haunt=haunt)
    found = summing.hold_sums(game, seed)
    assert min(found["DiceRolled"], found["Moved"]) > 5
    for who in (1, SPECTATORS):
        assert summing.sums_add_up(game, who) > 10


@pytest.mark.prove
@pytest.mark.parametrize("pack,seed,seats,haunt", SAMPLE)
@pytest.mark.parametrize("again", range(4))
def test_all_sums_are_what_the_engine_counts(pack: str, seed: int, seats: int, haunt: str, again: int) -> None:
    game = open_table(rules(pack), seed + 100 * again, seats=3 + (seats + again) % 4, haunt=haunt)
    summing.hold_sums(game, seed)
    for who in principals(game.state.seats):
        summing.sums_add_up(game, who)
