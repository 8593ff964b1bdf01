"""Odds as a role is told them, held against what the engine makes of every throw."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import pytest

from domain.decide import decide
from domain.evolve import fold, redact
from domain.facts.audience import SPECTATORS, seat_bit
from domain.facts.commands import AnyCommand, Attack, Choose
from domain.facts.events import AttackDecided, CardDrawn, DecisionOpened, Told
from domain.facts.pieces import TokenHere
from domain.facts.state import MonsterId, State
from domain.queries.spread import Spread
from projections.choices.odds import ChanceOfTotal, FightOdds, Odds, Ratio, RollOdds, odds
from projections.choices.odds_asked import AnyAsked, AttackAsked, DiceAsked, HauntAsked, TraitAsked, Use
from projections.choices.throws import Unfit
from tests.laws.playout import copy_of
from tests.support.fate import Fate
from tests.support.table import Table, events, the
from tests.support.third import third


def duel() -> Table:
    """Zoe and Zostra, with the least Might there is, face each other; Zostra is the traitor. So all throws can be tried."""
    table = Table(("zoe-ingstrom", "madame-zostra", "ox-bellows"))
    table.put(2, "upper-landing")
    table.haunt("the-bell-below", traitor=1)
    table.clips(0, might=1)
    table.clips(1, might=1)
    return table


def exact(shown: Ratio) -> Fraction:
    return Fraction(int(shown.numerator), int(shown.denominator))


def listed(shown: list[ChanceOfTotal] | None) -> Spread:
    assert shown is not None
    return {one.total: exact(one.chance) for one in shown}


def told_of(table: Table, question: AnyAsked, seat: int = 0) -> Odds:
    return odds(table.rules, table.roles[seat_bit(seat)], question)


def fight(table: Table, question: AttackAsked) -> FightOdds:
    found = told_of(table, question).fight
    assert found is not None
    return found


def roll(table: Table, question: AnyAsked) -> RollOdds:
    found = told_of(table, question).roll
    assert found is not None
    return found


def every(table: Table, command: AnyCommand, dice: Sequence[int], *answers: str) -> list[list[Told]]:
    """What comes of a command with each throw of these rolls: the engine's own dice, told by a tape with all faces.

    Reactions are answered as given, and passed on after that; whatever else is asked stays open.
    """
    found = []
    for faces in product(range(3), repeat=sum(dice)):
        state, fate, left, options = copy_of(table.state), Fate(), list(faces), list(answers)
        fate.dice = [tuple(left.pop() for _ in range(number)) for number in dice]
        told = decide(table.rules, state, 0, command, fate)
        while (asked := next((one for one in state.open.values() if one.kind == "reaction"), None)) is not None:
            option = options.pop(0) if options else "pass"
            told += decide(table.rules, state, asked.seat, Choose(decision=asked.id, option=option), fate)
        found.append(told)
    return found


def counted(commits: list[list[Told]], read: Callable[[list[Told]], int]) -> Spread:
    """How often something came out, in proportion."""
    seen = Counter(read(told) for told in commits)
    return {value: Fraction(seen[value], len(commits)) for value in sorted(seen)}


def margin(told: list[Told]) -> int:
    decided = the(told, AttackDecided)
    return decided.attack - decided.defense


def hurt(seat: int) -> Callable[[list[Told]], int]:
    """How many points somebody has to divide."""

    def points(told: list[Told]) -> int:
        asked = [one.decision for one in events(told, DecisionOpened) if one.decision.about.startswith("damage:")]
        return sum(one.total for one in asked if one.seat == seat)

    return points


# -- attacks ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cards, weapon, bonus", [((), None, 0), (("axe",), "axe", 1), (("axe", "spear"), "spear", 2)])
def test_the_odds_of_an_attack_are_what_the_engine_makes_of_every_throw(
    cards: tuple[str, ...], weapon: str | None, bonus: int
) -> None:
    table = duel()
    table.hold(0, *cards)
    table.hold(1, "armor")
    dice = (table.value(0, "might") + bonus, table.value(1, "might"))
    told = fight(table, AttackAsked(attacker=0, target=1, weapon=weapon))

    commits = every(table, Attack(decision=table.now, target=1, weapon=weapon), dice)

    assert (told.attack.dice, told.defense.dice) == dice
    assert listed(told.margins) == counted(commits, margin)
    assert listed(told.target_takes) == counted(commits, hurt(1)), "armor takes a point off"
    assert listed(told.attacker_takes) == counted(commits, hurt(0))
    assert exact(told.attacker_wins) == sum(chance for by, chance in listed(told.margins).items() if by > 0)
    assert exact(told.attacker_wins) + exact(told.tie) + exact(told.defender_wins) == 1


def test_a_card_that_adds_dice_before_the_roll_is_counted_and_what_it_costs_is_named() -> None:
    table = duel()
    table.hold(0, "idol")
    asked = AttackAsked(attacker=0, target=1, use=[Use(reaction="card:idol#PRAY")])
    dice = (table.value(0, "might") + 2, table.value(1, "might"))

    commits = every(table, Attack(decision=table.now, target=1), dice, "card:idol#PRAY")

    assert listed(fight(table, asked).margins) == counted(commits, margin)
    assert told_of(table, asked).not_counted == ["card:idol"]


def test_a_token_is_counted_for_those_alone_who_have_read_what_it_does() -> None:
    """Spectators read neither book: what a haunt's token takes away is no concern of theirs yet."""
    table = Table()
    table.haunt("the-scaffold", traitor=1)
    for who, fewer in ((1, 1), (SPECTATORS, 0)):
        state = fold(State(), [redact(commit, who) for commit in table.commits])
        state.tokens.append(TokenHere(token="cage", room=state.explorers[0].room))
        found = odds(table.rules, state, TraitAsked(who=0, trait="might")).roll
        assert found is not None
        assert found.dice == table.value(0, "might") - fewer


def test_a_monster_is_not_harmed_by_points_and_an_attacker_at_a_distance_by_none() -> None:
    table = duel()
    table.monster("sexton-1", "entrance-hall")
    table.stun("sexton-1")
    told = fight(table, AttackAsked(attacker=0, target=MonsterId("sexton-1")))
    assert told.target_takes is None
    assert listed(told.attacker_takes) == {0: 1}, "the stunned harm nobody"


# -- single rolls -------------------------------------------------------------------------------------------------------------------


def test_a_trait_roll_counts_what_the_cards_in_hand_adjust() -> None:
    table = Table()
    table.hold(0, "lucky-stone", "adrenaline-shot")
    table.clips(0, speed=1)
    speed = table.value(0, "speed")
    bare = roll(table, TraitAsked(who=0, trait="speed", outcomes=["3+", "1-2", "0"]))
    helped = roll(table, TraitAsked(who=0, trait="speed", use=[Use(reaction="card:adrenaline-shot#INJECT")]))
    assert (bare.dice, bare.bonus) == (speed, 0)
    assert sum(exact(one.chance) for one in bare.outcomes) == 1
    assert {total - 4: chance for total, chance in listed(helped.totals).items()} == listed(bare.totals)


def test_dice_rolled_again_serve_the_goal_that_is_asked_for() -> None:
    table = Table()
    table.hold(0, "rabbits-foot")
    table.clips(0, speed=1)
    again = [Use(reaction="card:rabbits-foot#REROLL")]
    sure = roll(table, TraitAsked(who=0, trait="speed", at_least=1))
    helped = roll(table, TraitAsked(who=0, trait="speed", at_least=1, use=again))
    dice = sure.dice
    assert sure.at_least is not None
    assert helped.at_least is not None
    assert exact(sure.at_least) == 1 - Fraction(1, 3) ** dice
    assert exact(helped.at_least) == 1 - Fraction(1, 3) ** (dice + 1), "one blank more has to come"


def test_a_result_that_is_named_is_certain_within_what_the_card_allows() -> None:
    table = Table()
    table.hold(0, "angel-feather")
    named = TraitAsked(who=0, trait="speed", use=[Use(reaction="card:angel-feather#NAME", result=6)])
    assert listed(roll(table, named).totals) == {6: 1}
    with pytest.raises(Unfit, match="0 to 8"):
        told_of(table, TraitAsked(who=0, trait="speed", use=[Use(reaction="card:angel-feather#NAME", result=9)]))


def test_to_a_result_that_is_named_is_added_what_the_card_leaves_to_others() -> None:
    table = third()
    table.hold(0, "angels-feather", "mask")
    table.turn(0)
    named = TraitAsked(who=0, trait="speed", use=[Use(reaction="card:angels-feather#NAME", result=6)])
    assert listed(roll(table, named).totals) == {7: 1}


def test_the_haunt_begins_as_likely_as_the_edition_says() -> None:
    """Second edition: six dice below the number of omens drawn."""
    table = Table()
    asked = told_of(table, HauntAsked(omens=3)).haunt_begins
    below = sum(sum(faces) < 3 for faces in product(range(3), repeat=6))
    assert asked is not None
    assert exact(asked) == Fraction(below, 3**6)


def with_omens_left(*omens_left: str) -> Table:
    """The third edition with these omens still in their stack."""
    table = third()
    drawn = [card for card in table.rules.pack.decks["omen"] if card not in omens_left]
    table.happen(*[CardDrawn(deck="omen", card=card, seat=0) for card in drawn])
    return table


def test_the_last_omen_of_the_third_edition_begins_the_haunt_without_a_roll() -> None:
    table = with_omens_left("mask", "skull")
    drawn = table.state.omens_drawn
    now, last_but_one, last = (told_of(table, HauntAsked(omens=drawn + more)) for more in range(3))

    assert now.roll is not None
    assert last_but_one.roll is not None
    assert last_but_one.haunt_begins != Ratio("1", "1", 1.0)
    assert (last.roll, last.haunt_begins) == (None, Ratio("1", "1", 1.0))

    drawn_out = told_of(with_omens_left(), HauntAsked())
    assert (drawn_out.roll, drawn_out.haunt_begins) == (None, Ratio("1", "1", 1.0))


def test_plain_dice_are_told_to_six_places() -> None:
    found = roll(Table(), DiceAsked(dice=4, at_least=5))
    assert found.at_least == Ratio("31", "81", 0.382716)


# -- what doesn't fit ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question, pointer",
    [
        (TraitAsked(who=5, trait="might"), "/who"),
        (TraitAsked(who=MonsterId("rat-9"), trait="might"), "/who"),
        (TraitAsked(who=0, trait="might", use=[Use(reaction="card:idol#PRAY")]), "/use/0/reaction"),
        (TraitAsked(who=0, trait="might", outcomes=["3-2"]), "/outcomes/0"),
        (AttackAsked(attacker=0, target=1, weapon="axe"), "/weapon"),
        (HauntAsked(seat=4), "/seat"),
    ],
)
def test_what_is_not_there_is_told_with_its_place(question: AnyAsked, pointer: str) -> None:
    with pytest.raises(Unfit) as refused:
        told_of(Table(), question)
    assert refused.value.pointer == pointer
