"""What a role may do: every legal command ready to be posted, and what cannot be listed as families of commands.

Computed from the role's own state alone, like legality itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from domain.engine.rules import Rules
from domain.facts.audience import REFEREE, SPECTATORS, Mask
from domain.facts.chance import DIE_FACES
from domain.facts.commands import (
    Act,
    AnswerChance,
    AnyCommand,
    Attack,
    BreakFree,
    Drop,
    EndTurn,
    Explore,
    Loot,
    Move,
    PickUp,
    Reveal,
    TakeBack,
    Trade,
)
from domain.facts.state import MODERATOR, Decision, State
from domain.past import Passed
from domain.rulebook.cards.belongings import free_cards, partners, tradable
from domain.rulebook.cards.piles import pile_at
from domain.rulebook.desk.disputing import consents
from domain.rulebook.desk.pausing import paused
from domain.rulebook.desk.rulings import consent
from domain.rulebook.desk.taking_back import TAKE_BACK, barred, offered
from domain.rulebook.table.posted_dice import throw
from domain.rulebook.table.sparing import may_reveal
from domain.rulebook.turn.options import LISTED, REVEAL, answers, monster_turn, own_turn, turn_decision
from projections.choices.families import Count, Division, Faces, Family, Field, Labeled, OneOf, Places, Subset, family
from projections.choices.hints import HintView, hints_of
from projections.choices.rolls_asked import asked_roll
from projections.naming.labels import Labels
from projections.naming.places import AtFigure, AtPile, Place, places_of, shared
from projections.shapes import Id, Number, Seat, Shape, Text, Title
from projections.view.entries import EnterView, EntryView, enterable, proposed
from projections.view.waiting import TIMELESS, About, Awaited, Kind, Times, awaited, turn_text

SHOWN = {
    "State": ("game", "commit", "status", "open", "turn", "explorers", "piles", "used", "haunt"),
    "Turn": ("seat", "monsters", "number", "acting"),
    "Explorer": ("held", "cards"),
    "Decision": ("id", "seat", "kind", "about", "options", "total", "caps", "up_to", "offer"),
    "Haunt": ("id", "number", "traitor", "entries", "proposed"),
}
"""The fields of a role's state that are read here, besides what legality and labels read; all others stay hidden."""


class Listed(Shape, frozen=True, omit_defaults=True):
    """A legal command."""

    label: Title
    command: AnyCommand
    """Ready to be posted as it is."""
    at: list[Place] = []
    """What it is about on the table, what it leads to or is done to first; left out if that is nothing. Several commands may be about the same."""


class OfferView(Shape, frozen=True, kw_only=True):
    """A trade that waits for consent."""

    gives: list[Id]
    """Cards that the caller would get."""
    wants: list[Id]
    """Cards that the caller would hand over."""


class OpenDecision(Shape, frozen=True, kw_only=True):
    """A decision that waits for the caller."""

    id: Id
    kind: Kind
    about: About
    text: Text
    """What is asked, in words."""
    offer: OfferView | None = None
    """Of a consent to a trade."""
    entry: EntryView | None = None
    """Of a consent to what somebody enters from a printed haunt book."""
    count: Count
    commands: list[Listed]
    """At most 64. If `count` is greater, the families tell the rest."""
    families: list[Family]
    """Legal commands as constraints: divisions, selections, dice and subsets of cards always; choices where not all are listed."""


class TakeBackView(Shape, frozen=True, kw_only=True):
    """The caller's latest commands, from which nobody has learned anything."""

    label: Title
    command: TakeBack
    """Posted as it is, it takes back the latest one."""
    earliest: Number
    """With this as its `to` it takes back as much as possible."""


class Decisions(Shape, frozen=True, kw_only=True, omit_defaults=True):
    """What the game is waiting for, and what the caller may do about it."""

    game: Id
    version: Number
    """The number of the latest commit."""
    you: Seat | None
    """The caller's seat; null for spectators and the referee (who answers for chance)."""
    waiting: list[Awaited]
    yours: list[OpenDecision]
    enter: EnterView | None
    """In a haunt from the players' own books: what the caller may enter now by the command `enter`."""
    take_back: TakeBackView | None
    """What the caller may take back. It is not among the listed commands, so that nobody does it by accident."""
    hints: list[HintView] | None = None
    """For bots: where the books that the caller's seat has read send it and its monsters now, book by book, the most urgent first. Only with
    `hints=true`."""

    @property
    def asked(self) -> bool:
        """Whether the role has something to answer; what a hidden traitor may do at any time is nothing that is waited for."""
        return any(own.kind != "reveal" for own in self.yours)


def decisions_of(
    rules: Rules,
    state: State,
    principal: Mask,
    passed: Sequence[Passed] = (),
    times: Times = TIMELESS,
    *,
    hints: bool = False,
    whole: bool = False,
) -> Decisions:
    """What a role may do.

    Args:
        rules: of the game.
        state: the role's own: the fold of what it was told.
        principal: its bit; spectators may do nothing, the referee answers where chance waits for a moderator.
        passed: the latest commits up to this state: for what can be taken back, and what a roll is for; without them neither is told.
        times: of what it waits for.
        hints: whether a bot asks, who is told where its books send it.
        whole: list more than 64 commands where each names one thing at most, so that families are only of those that name several.
    """
    rules = rules.of(state)
    labels = Labels(rules, state)
    seat = None if principal in (SPECTATORS, REFEREE) else principal.bit_length() - 1
    waits = paused(state)
    yours: list[OpenDecision] = []
    if principal != SPECTATORS:
        addressee = MODERATOR if seat is None else seat
        asked = [
            decision for decision in state.open.values() if state.seat_of(decision.seat) == addressee and not waits
        ]
        ruling = consent(state, addressee)
        asked += [ruling] if ruling is not None else []
        asked += consents(state, addressee)
        yours = [_answers(labels, decision, passed, addressee, whole=whole) for decision in asked]
    if seat is not None and not waits:
        yours += _own(rules, state, labels, seat, whole=whole)
    return Decisions(
        game=state.game,
        version=state.commit,
        you=seat,
        waiting=awaited(labels.asking, state, times),
        yours=yours,
        enter=None if waits else enterable(rules, state, principal),
        take_back=_take_back(labels, state, seat, passed) if seat is not None and not waits else None,
        hints=hints_of(rules, state, principal) if hints else None,
    )


def _take_back(labels: Labels, state: State, seat: int, passed: Sequence[Passed]) -> TakeBackView | None:
    """What the seat may take back, from what it was told of these commits."""
    if state.status != "started" or barred(state):
        return None
    found = list(offered(passed, seat))
    if not found:
        return None
    command = TakeBack(decision=TAKE_BACK, to=found[0])
    return TakeBackView(label=labels.of(command), command=command, earliest=found[-1])


# -- answers ----------------------------------------------------------------------------------------------------------------------


def _answers(labels: Labels, decision: Decision, passed: Sequence[Passed], seat: int, *, whole: bool) -> OpenDecision:
    most = len(decision.options) if whole and _names_one(decision) else LISTED
    commands = list(itertools.islice(_postable(labels.rules, decision), max(LISTED, most)))
    text = asked_roll(labels, decision, passed, seat) or labels.asking.question(decision)
    families = (
        [family(text, _example(commands[0]), field, at=_shared(field)) for field in _fields(labels, decision)]
        if commands and most <= LISTED
        else []
    )
    return OpenDecision(
        id=decision.id,
        kind=decision.kind,
        about=decision.about,
        text=text,
        offer=_offer(decision),
        entry=proposed(labels.state) if decision.about.startswith("entry:") else None,
        count=families[0].count if families else len(commands),
        commands=[_listed(labels, command, decision) for command in commands],
        families=families,
    )


def _listed(labels: Labels, command: AnyCommand, decision: Decision | None = None) -> Listed:
    return Listed(labels.of(command, decision), command, places_of(labels, command, decision))


def _names_one(decision: Decision) -> bool:
    """Whether each answer names one of the options."""
    return decision.kind not in ("allocation", "selection")


def _offer(decision: Decision) -> OfferView | None:
    offer = decision.offer
    return OfferView(gives=list(offer["gives"]), wants=list(offer["wants"])) if offer else None


def _postable(rules: Rules, decision: Decision) -> Iterator[AnyCommand]:
    """Answers one by one; every face of every die where a moderator rolls."""
    if decision.kind != "chance" or decision.options:
        yield from answers(rules, decision)
        return
    for faces in itertools.product(range(DIE_FACES), repeat=decision.total):
        yield throw(rules, decision.id, faces)


def _example(command: AnyCommand) -> AnyCommand:
    """The command without the total that a die roller posts: it follows from what was rolled, and may be left out."""
    return msgspec.structs.replace(command, total=None) if isinstance(command, AnswerChance) else command


def _fields(labels: Labels, decision: Decision) -> list[Field]:
    """The constraint on the one member of an answer, where it says more than the list."""
    if decision.kind == "allocation":
        least = 0 if decision.up_to else decision.total
        return [Division(least=least, total=decision.total, caps=dict(decision.caps))]
    if decision.kind == "selection":
        return [Places(of=list(decision.options), most=decision.total)]
    if decision.kind == "chance" and not decision.options:
        rolled = labels.rules.edition.dice.die_roller
        return [Faces(field="rolled", dice=decision.total, least=1) if rolled else Faces(dice=decision.total)]
    if len(decision.options) > LISTED:
        each = [_labeled(labels, command, decision) for command in _postable(labels.rules, decision)]
        field = "pick" if decision.kind == "chance" else "option"
        return [OneOf(field=field, values=list(decision.options), each=each)]
    return []


def _labeled(labels: Labels, command: AnyCommand, decision: Decision | None = None) -> Labeled:
    return Labeled(label=labels.of(command, decision), at=places_of(labels, command, decision))


def _shared(field: Field) -> list[Place]:
    """What all commands are about that differ in this field."""
    return shared([one.at for one in field.each]) if isinstance(field, OneOf) else []


# -- turns ------------------------------------------------------------------------------------------------------------------------


def _own(rules: Rules, state: State, labels: Labels, seat: int, *, whole: bool) -> Iterator[OpenDecision]:
    """The seat's turn, and the choice that a hidden traitor always has."""
    turn = turn_decision(state)
    if turn and state.seat_of(state.turn.seat) == seat:
        if state.turn.monsters:
            yield _turn(labels, turn, monster_turn(rules, state, turn, seat), [], whole=whole)
        else:
            yield _turn(labels, turn, own_turn(rules, state, turn, seat), _hands(rules, state, turn, seat), whole=whole)
    if may_reveal(rules, state, seat):
        reveal = Reveal(decision=REVEAL)
        label = labels.of(reveal)
        yield OpenDecision(
            id="reveal",
            kind="reveal",
            about="reveal",
            text=label,
            count=1,
            commands=[Listed(label, reveal)],
            families=[],
        )


def _turn(labels: Labels, turn: str, legal: Iterable[AnyCommand], hands: list[Family], *, whole: bool) -> OpenDecision:
    found = list(legal)
    single = [command for command in found if type(command) not in HANDED]
    count = len(single) + sum(one.count for one in hands)
    if len(found) > LISTED and not whole:
        hands = [*_gathered(labels, single), *hands]
        found = [*found[: LISTED - 1], EndTurn(decision=turn)]  # without it a list might never end
    return OpenDecision(
        id=turn,
        kind="turn",
        about="turn",
        text=turn_text(labels.asking, labels.state),
        count=count,
        commands=[_listed(labels, command) for command in found],
        families=hands,
    )


def _hands(rules: Rules, state: State, turn: str, seat: int) -> list[Family]:
    """Trades, drops and pick-ups, of any cards that may be moved (2E-ITEM-006, 2E-ITEM-007, 2E-ITEM-009)."""
    if state.explorers[seat].held is not None:
        return []
    found: list[Family] = []
    if "trade" not in state.used and (state.explorers[seat].cards or rules.edition.cards.trade_any):
        for partner in partners(rules, state, seat):
            found += _trades(rules, state, turn, seat, partner)
    if rules.edition.cards.piles and "drop" not in state.used:
        own = free_cards(rules, state, seat, "drop")
        if own:
            example = Drop(decision=turn, cards=own[:1])
            found.append(family("Drop items", example, Subset(field="cards", of=own, least=1)))
    if rules.edition.cards.piles and state.piles and "pick-up" not in state.used:
        lying = [card for card in pile_at(state, *state.place_of(seat)) if f"card:{card}" not in state.used]
        if lying:
            take = PickUp(decision=turn, cards=lying[:1])
            room, part = state.place_of(seat)
            pile = AtPile(room=room, part=part)
            found.append(family("Pick up items", take, Subset(field="cards", of=lying, least=1), at=[pile]))
    return found


def _trades(rules: Rules, state: State, turn: str, seat: int, partner: int) -> Iterator[Family]:
    """Trades with one partner: at least one card given; in some editions one may also ask for cards alone."""
    own, theirs = (tradable(rules, state, seat, partner, whose) for whose in (seat, partner))
    at: list[Place] = [AtFigure(figure=partner)]
    if own:
        offer = Trade(decision=turn, partner=partner, gives=own[:1])
        gives, wants = Subset(field="gives", of=own, least=1), Subset(field="wants", of=theirs, least=0)
        yield family("Trade items", offer, gives, wants, at=at)
    if theirs and rules.edition.cards.trade_any:
        asked = Trade(decision=turn, partner=partner, wants=theirs[:1])
        yield family("Ask for items", asked, Subset(field="wants", of=theirs, least=1), at=at)


HANDED = frozenset({Trade, Drop, PickUp})
"""Types of commands that name several cards at once: families tell of them."""

VARIES: dict[type[msgspec.Struct], str] = {
    Move: "to",
    Explore: "door",
    Act: "target",
    Attack: "target",
    Loot: "card",
    BreakFree: "seat",
}
"""By type: the member in which commands of a family differ."""


def _gathered(labels: Labels, commands: Sequence[AnyCommand]) -> list[Family]:
    """Single commands as families, in the order in which the first of each comes."""
    groups: dict[bytes, list[AnyCommand]] = {}
    for command in commands:
        member = VARIES.get(type(command), "")
        rest = {name: value for name, value in msgspec.to_builtins(command).items() if name != member}
        groups.setdefault(msgspec.json.encode(rest), []).append(command)
    return [_family(labels, group) for group in groups.values()]


def _family(labels: Labels, group: list[AnyCommand]) -> Family:
    first = group[0]
    member = VARIES.get(type(first), "")
    values = [getattr(command, member) for command in group] if member else []
    each = [_labeled(labels, command) for command in group]
    fields = [OneOf(field=member, values=values, each=each)] if values and values[0] is not None else []
    return family(each[0].label, first, *fields, at=shared([one.at for one in each]))
