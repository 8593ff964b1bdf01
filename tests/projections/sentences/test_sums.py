"""What the numbers in a sentence are made of, for each role as far as it knows."""

from domain.evolve import fold, redact
from domain.facts.audience import EVERYBODY, REFEREE, SPECTATORS, seats_mask
from domain.facts.commands import Attack
from domain.facts.events import DiceRolled, Moved
from domain.facts.pieces import TokenHere
from domain.facts.state import State
from projections.sentences.sums import made_of
from projections.sentences.wording import audience
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
