"""Exact odds of a roll or of an attack, from what a role knows: rationals, by convolution."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated

from msgspec import Meta

from content.patterns import whole
from content.vocabulary.outcomes import parse
from domain.engine.machine import Glance
from domain.engine.rules import Rules
from domain.facts.state import Figure, State, is_explorer, is_monster
from domain.queries.characters import has_trait
from domain.queries.spread import Spread, chance_of, expected, margins, spread
from domain.rulebook.fight.spoils import dice_of, mode_of
from domain.rulebook.table.adjustments import reduction
from projections.choices.odds_asked import AnyAsked, AttackAsked, DiceAsked, HauntAsked, RollAsked, TraitAsked
from projections.choices.throws import Throw, Unfit
from projections.shapes import Id, Number, Shape

SHOWN = {
    "State": ("game", "commit", "explorers", "monsters", "turn", "omens_drawn", "decks", "haunt", "status"),
    "Deck": ("top", "unknown", "bottom"),
    "Turn": ("seat",),
    "Explorer": ("cards", "room", "part"),
    "Monster": ("kind", "cards", "stunned", "room", "boxed", "hides", "lair", "lair_part", "part"),
}
"""The fields of a role's state that are read here, besides what counting a roll reads; all others stay hidden."""

Digits = Annotated[str, Meta(pattern=whole(r"^(0|[1-9][0-9]*)$"), max_length=64)]
Result = Annotated[int, Meta(ge=-99, le=99)]


class Ratio(Shape, frozen=True):
    """A rational in lowest terms: `numerator` of `denominator`."""

    numerator: Digits
    denominator: Digits
    decimal: Annotated[float, Meta(ge=0, le=100)]
    """Approximate: rounded to six decimal places."""


class ChanceOfTotal(Shape, frozen=True):
    """The chance of one total."""

    total: Result
    chance: Ratio


class ChanceOfOutcome(Shape, frozen=True):
    """The chance of one outcome."""

    outcome: Annotated[str, Meta(max_length=20)]
    chance: Ratio


class RollOdds(Shape, frozen=True, kw_only=True):
    """One roll."""

    dice: Number
    bonus: Result
    """Points added to the sum. A total is never below 0."""
    named: Number | None
    """The result named in place of rolling."""
    rolled_again: list[Annotated[str, Meta(max_length=20)]]
    """`one`, `any`, `all`, `blanks`: what is rolled again, one after the other."""
    expected: Ratio
    """The mean of the totals."""
    totals: list[ChanceOfTotal]
    """Every total that can come, in ascending order."""
    at_least: Ratio | None
    """The chance of what was asked for by `at_least`."""
    outcomes: list[ChanceOfOutcome]


class FightOdds(Shape, frozen=True, kw_only=True):
    """Two rolls against each other."""

    attack: RollOdds
    defense: RollOdds
    attacker_wins: Ratio
    tie: Ratio
    """The chance of a tie, in which nobody is harmed (2E-ATK-007)."""
    defender_wins: Ratio
    margins: list[ChanceOfTotal]
    """The attacker's total minus the defender's."""
    target_takes: list[ChanceOfTotal] | None
    """Points of damage, reduced by the target's cards; null for a monster, which is stunned or killed."""
    attacker_takes: list[ChanceOfTotal] | None
    """The same for the attacker, who takes none from a distance or from a stunned target."""


class Odds(Shape, frozen=True, kw_only=True):
    """The odds as of a commit."""

    game: Id
    version: Number
    roll: RollOdds | None = None
    """Null for an attack, and if the last omen begins the haunt without a roll."""
    haunt_begins: Ratio | None = None
    fight: FightOdds | None = None
    not_counted: list[Annotated[str, Meta(max_length=200)]] = []
    """Further effects that the numbers leave out: what a card costs its user, or what a weapon demands first."""


def odds(rules: Rules, state: State, asked: AnyAsked) -> Odds:
    """The odds asked for.

    Args:
        rules: of the game.
        state: the role's own: the fold of what it was told.
        asked: what.

    Raises:
        Unfit: it names somebody or something that isn't there, or something that isn't counted here.
    """
    rules = rules.of(state)
    if isinstance(asked, DiceAsked):
        found = spread(asked.dice, asked.bonus)
        return _answer(state, roll=_roll(found, asked.dice, asked.bonus, asked))
    if isinstance(asked, TraitAsked):
        _known(state, asked.who, "/who")
        _read(state, asked.who, "/who")
        throw = Throw(rules, state, asked.who, "trait", trait=asked.trait, event=asked.event)
        throw.use(asked.use, "/use")
        return _answer(state, throw.besides, roll=_thrown(throw, asked))
    if isinstance(asked, HauntAsked):
        return _haunt(rules, state, asked)
    return _attack(rules, state, asked)


def _answer(
    state: State,
    besides: Iterable[str] = (),
    *,
    roll: RollOdds | None = None,
    haunt_begins: Ratio | None = None,
    fight: FightOdds | None = None,
) -> Odds:
    return Odds(
        game=state.game,
        version=state.commit,
        roll=roll,
        haunt_begins=haunt_begins,
        fight=fight,
        not_counted=sorted(set(besides)),
    )


# -- one roll -----------------------------------------------------------------------------------------------------------------------


def _thrown(throw: Throw, asked: RollAsked | None = None) -> RollOdds:
    goal = asked.at_least if asked is not None else None
    found = throw.spread() if goal is None else throw.spread(lambda total: total >= goal)
    return _roll(found, throw.dice, throw.bonus, asked, throw)


def _roll(found: Spread, dice: int, bonus: int, asked: RollAsked | None, throw: Throw | None = None) -> RollOdds:
    goal = asked.at_least if asked is not None else None
    return RollOdds(
        dice=dice,
        bonus=bonus,
        named=throw.named if throw is not None else None,
        rolled_again=list(throw.again) if throw is not None else [],
        expected=ratio(expected(found)),
        totals=_listed(found),
        at_least=None if goal is None else ratio(chance_of(found, lambda total: total >= goal)),
        outcomes=[_outcome(found, key, index) for index, key in enumerate(asked.outcomes if asked is not None else [])],
    )


def _outcome(found: Spread, key: str, index: int) -> ChanceOfOutcome:
    span = parse(key)
    if span is None:
        raise Unfit(f"/outcomes/{index}", f"{key} goes backwards: name the lower total first.")
    return ChanceOfOutcome(key, ratio(chance_of(found, lambda total: total in span)))


def _haunt(rules: Rules, state: State, asked: HauntAsked) -> Odds:
    """The number of dice and what begins the haunt are the edition's (2E-HROLL-002, 3E-HROLL-002); the last omen may (3E-HROLL-005)."""
    if state.haunt is not None or state.status != "started":
        raise Unfit("", "Nobody rolls for the haunt now.")
    seat = asked.seat if asked.seat is not None else state.turn.seat
    _known(state, seat, "/seat")
    omens = asked.omens if asked.omens is not None else state.omens_drawn
    policy = rules.edition.haunt_roll
    if policy.last_omen_begins and state.decks["omen"].size() <= omens - state.omens_drawn:
        if asked.use:
            raise Unfit("/use/0", "The last omen begins the haunt without a roll.")
        return _answer(state, haunt_begins=ratio(Fraction(1)))
    throw = Throw(rules, state, seat, "haunt", dice=policy.number_of_dice(omens))
    throw.use(asked.use, "/use")
    # Nobody wants a haunt for its own sake: dice to roll again are chosen for the highest total.
    begins = chance_of(throw.spread(), lambda total: policy.begins(total, omens))
    return _answer(state, throw.besides, roll=_thrown(throw), haunt_begins=ratio(begins))


# -- two rolls ----------------------------------------------------------------------------------------------------------------------


def _attack(rules: Rules, state: State, asked: AttackAsked) -> Odds:
    """Both rolls, each with dice rolled again for the highest total, and what their difference does (2E-ATK-006, 2E-DIST-003)."""
    attacker, target = asked.attacker, asked.target
    for figure, pointer in ((attacker, "/attacker"), (target, "/target")):
        _known(state, figure, pointer)
        _alive(state, figure, pointer)
    if asked.weapon is not None and asked.weapon not in _cards(state, attacker):
        raise Unfit("/weapon", f"{asked.weapon} does not belong to the attacker.")
    mode = mode_of(rules, state, attacker, asked.weapon)
    most = {} if mode.max_dice is None else {"most": mode.max_dice}
    for figure, pointer in ((attacker, "/attacker"), (target, "/target")):
        _read(state, figure, pointer)
    attack = Throw(
        rules, state, attacker, "attack", trait=mode.trait, extra=dice_of(rules, state, mode), bonus=mode.result, **most
    )
    defense = Throw(rules, state, target, "defense", trait=mode.trait)
    if not has_trait(state, target, mode.trait):
        raise Unfit("/target", f"{target} has no {mode.trait} and can't be attacked with it.")
    attack.use(asked.use, "/use")
    defense.use(asked.target_uses, "/target_uses")
    by = margins(attack.spread(), defense.spread())
    far = _place(state, attacker) != _place(state, target)
    stunned = not is_explorer(target) and state.monsters[target].stunned and not rules.edition.monsters.fight_stunned
    besides = [*attack.besides, *defense.besides]
    if asked.weapon is not None and (mode.cost or mode.before):
        besides.append(f"card:{asked.weapon}")
    fight = FightOdds(
        attack=_thrown(attack),
        defense=_thrown(defense),
        attacker_wins=ratio(chance_of(by, lambda margin: margin > 0)),
        tie=ratio(chance_of(by, lambda margin: margin == 0)),
        defender_wins=ratio(chance_of(by, lambda margin: margin < 0)),
        margins=_listed(by),
        target_takes=_taken(rules, state, target, mode.damage, by),
        attacker_takes=_taken(
            rules,
            state,
            attacker,
            mode.damage,
            {0: Fraction(1)}
            if (far and rules.edition.fight.distance_safe) or mode.safe or stunned
            else {-margin: likely for margin, likely in by.items()},
        ),
    )
    return _answer(state, besides, fight=fight)


def _taken(rules: Rules, state: State, victim: Figure, kind: str, by: Spread) -> list[ChanceOfTotal] | None:
    """Points of damage that an explorer takes, given the other one's lead."""
    if not is_explorer(victim):
        return None
    less, _by = reduction(Glance(rules, state), victim, kind)
    found: Spread = {}
    for margin, likely in by.items():
        points = max(0, margin - less) if margin > 0 else 0
        found[points] = found.get(points, Fraction(0)) + likely
    return _listed(dict(sorted(found.items())))


def _cards(state: State, figure: Figure) -> list[str]:
    return state.explorers[figure].cards if is_explorer(figure) else state.monsters[figure].cards


def _place(state: State, figure: Figure) -> tuple[str, int]:
    if is_monster(figure) and state.monsters[figure].hides:
        return state.monsters[figure].known_place()
    return state.place_of(figure)


def _known(state: State, figure: Figure, pointer: str) -> None:
    there = 0 <= figure < len(state.explorers) if is_explorer(figure) else figure in state.monsters
    if not there:
        raise Unfit(pointer, f"There is no {figure} in this game now.")


def _alive(state: State, figure: Figure, pointer: str) -> None:
    if is_explorer(figure) and not state.explorers[figure].alive:
        raise Unfit(pointer, f"Seat {figure} is dead: the dead neither attack nor are attacked.")


def _read(state: State, figure: Figure, pointer: str) -> None:
    if is_monster(figure) and state.monsters[figure].boxed:
        raise Unfit(
            pointer,
            f"The numbers of {figure} are in its box, which you have not read: demand it once it has been used.",
        )


# -- numbers ------------------------------------------------------------------------------------------------------------------------


def ratio(exact: Fraction) -> Ratio:
    """A rational as it is shown."""
    return Ratio(str(exact.numerator), str(exact.denominator), round(float(exact), 6))


def _listed(found: Spread) -> list[ChanceOfTotal]:
    return [ChanceOfTotal(total, ratio(likely)) for total, likely in found.items()]
