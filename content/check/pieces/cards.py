"""Cards and what speaks through them: states, moments of reactions and triggers, verbs that need a speaker."""

from collections.abc import Iterator

from content.errors import Finding, did_you_mean, listed
from content.survey import Survey
from content.vocabulary.effects import Effect, LoseCard, ModifyRoll, RevealUntil
from content.vocabulary.pack import Action, Attack, Card, Haunt, PackHead, Tile, TokenKind, Trigger
from content.vocabulary.values import Condition

ROLL_MOMENTS = ("before-roll", "instead-of-roll", "after-roll")
HARM_MOMENTS = ("before-harm",)

CARD_KINDS = ("weapon", "companion")
"""Kinds of cards that can be told apart (2E-ITEM-018, 2E-ITEM-022)."""

CARD_MOMENTS = ("drawn", "gained", "lost", "stolen", "trait-raised", "damaged", "dying")
"""Triggers that only a card can have."""

ROOM_MOMENTS = ("entered", "turn-started")
"""Triggers of a card that can reach those in its room."""

SPEAKERS = (Card, Tile, TokenKind, Haunt, PackHead)
"""Pieces whose text may contain a step."""


def states(survey: Survey) -> Iterator[Finding]:
    """A card with states changes between these, and asks for no other."""
    for spot in survey.of(Card):
        if len(spot.value.states) == 1 or len(set(spot.value.states)) < len(spot.value.states):
            yield Finding(spot.at("states"), "a card with states has two or more different ones")
    for effect in survey.of(Effect):
        if effect.value.set_state is not None:
            card = effect.inside(Card)
            yield from _state(effect.at("set-state"), effect.value.set_state, card.value if card else None)
    for condition in survey.of(Condition):
        if condition.value.card_state is not None:
            card = condition.inside(Card)
            yield from _state(condition.at("card-state"), condition.value.card_state, card.value if card else None)


def speakers(survey: Survey) -> Iterator[Finding]:
    """`discard: this`, `store`, `lasting` and `undo` speak of a card, `keep` of an event, `move-tile` of a tile.

    A named block speaks for whatever runs it.
    """
    for spot in survey.of(Effect):
        speaker = spot.inside(*SPEAKERS)
        if speaker is None or "blocks" in spot.trail:
            continue
        if spot.value.discard is not None and not isinstance(speaker.value, Card):
            yield Finding(spot.at("discard"), "no card speaks here that could be discarded", key=True)
        if spot.value.store is not None and not isinstance(speaker.value, Card):
            yield Finding(spot.at("store"), "no card speaks here that could keep a number", key=True)
        for step, verb in ((spot.value.gain, "gain"), (spot.value.lose, "lose")):
            if step is not None and (step.lasting or step.undo) and not isinstance(speaker.value, Card):
                yield Finding(spot.at(verb), "no card speaks here for which anything could be noted")
        if spot.value.keep is not None and not (isinstance(speaker.value, Card) and speaker.value.deck == "event"):
            yield Finding(spot.at("keep"), "no event speaks here that could be kept", key=True)
        moved = spot.value.move_tile
        if moved is not None and moved.tile == "speaker" and not isinstance(speaker.value, Tile):
            yield Finding(spot.at("move-tile"), "no tile speaks here that could move", key=True)


def moments(survey: Survey) -> Iterator[Finding]:
    """A trigger has a moment that its source can have; reactions tell rolls or damage as their moment does."""
    for trigger in survey.of(Trigger):
        moment = trigger.value.when
        if moment in CARD_MOMENTS and trigger.inside(Card) is None:
            yield Finding(trigger.at("when"), f"`{moment}` happens to cards only")
        if trigger.value.reach == "room" and (moment not in ROOM_MOMENTS or trigger.inside(Card) is None):
            yield Finding(trigger.at("reach"), f"only a card reaches its room, at {listed(ROOM_MOMENTS)}")
        if trigger.value.by is not None and moment != "trait-raised":
            yield Finding(trigger.at("by"), "`by` is for `trait-raised`", key=True)
        if trigger.value.kinds is not None and moment != "damaged":
            yield Finding(trigger.at("kinds"), "`kinds` is for `damaged`", key=True)
    for action in survey.of(Action):
        when = action.value.when
        if action.value.rolls is not None and when not in ROLL_MOMENTS:
            yield Finding(action.at("rolls"), f"`rolls` is for reactions to a roll: {listed(ROLL_MOMENTS)}", key=True)
        if action.value.traits is not None and when not in ROLL_MOMENTS:
            yield Finding(action.at("traits"), f"`traits` is for reactions to a roll: {listed(ROLL_MOMENTS)}", key=True)
        if (action.value.room is not None or action.value.spaces) and when in (*ROLL_MOMENTS, *HARM_MOMENTS):
            yield Finding(action.at("when"), "a reaction names no room and costs no movement")
        if action.value.kinds is not None and when not in HARM_MOMENTS:
            yield Finding(action.at("kinds"), f"`kinds` is for reactions to damage: {listed(HARM_MOMENTS)}", key=True)


def reactions(survey: Survey) -> Iterator[Finding]:
    """A roll or damage is changed by a reaction to it only, at the moment when that can be done."""
    for spot in survey.of(Effect):
        action = spot.inside(Action)
        if "blocks" in spot.trail:
            continue
        when = action.value.when if action is not None else ""
        for verb, allowed in _reaction_verbs(spot.value):
            if when not in allowed:
                here = f"`{when}`" if when else "no roll or damage that is answered"
                message = f"`{verb}` belongs to {listed(allowed)}, here is {here}"
                yield Finding(spot.at(verb), message, key=True)


def survivals(survey: Survey) -> Iterator[Finding]:
    """Somebody survives only what kills: `survive` belongs to a trigger at `dying`."""
    for spot in survey.of(Effect):
        trigger = spot.inside(Trigger)
        dying = trigger is not None and trigger.value.when == "dying"
        if spot.value.survive is not None and not dying and "blocks" not in spot.trail:
            yield Finding(spot.at("survive"), "nobody is dying here", "say it in a trigger at `dying`", key=True)


def floors_to_lie_on(survey: Survey) -> Iterator[Finding]:
    """A card is lost into a room only where it is lost to the floor."""
    for spot in survey.of(LoseCard):
        if spot.value.at is not None and spot.value.to != "floor":
            yield Finding(
                spot.at("at"), f"a card lost to `{spot.value.to}` lies in no room", "say `to: floor`", key=True
            )


def kinds_exist(survey: Survey) -> Iterator[Finding]:
    """Cards are turned up until one of a kind appears that cards have."""
    for spot in survey.of(RevealUntil):
        if spot.value.kind not in CARD_KINDS:
            hint = did_you_mean(spot.value.kind, CARD_KINDS)
            yield Finding(spot.at("kind"), f"`{spot.value.kind}` is not one of {listed(CARD_KINDS)}", hint)


def events_do_something(survey: Survey) -> Iterator[Finding]:
    """An event card does something when it is drawn."""
    for spot in survey.of(Card):
        card = spot.value
        if card.deck == "event" and not (card.do or card.otherwise or card.on or card.actions or card.always):
            yield Finding(spot.at("text"), "the event does nothing", "give it `do`", key=True)


def decks(survey: Survey) -> Iterator[Finding]:
    """An event is not held, so it is not a weapon and cannot be stolen; only an event lasts (2E-CARD-005)."""
    for spot in survey.of(Card):
        card = spot.value
        if card.deck == "event":
            held: dict[str, object] = {
                "attack": card.attack,
                "kinds": card.kinds,
                "barred": card.barred,
                "no-item": card.no_item,
            }
            for field in (name for name, value in held.items() if value):
                yield Finding(spot.at(field), f"an event is not held: `{field}` is for items and omens", key=True)
        elif card.lasting:
            yield Finding(spot.at("lasting"), f"an {card.deck} is held: `lasting` is for events", key=True)
        if card.declinable and not (card.deck == "omen" and card.do):
            message = "`declinable` is for omens that do something when they are drawn: any event may be declined"
            yield Finding(spot.at("declinable"), message, key=True)


def _state(trail: tuple[str | int, ...], state: str, card: Card | None) -> Iterator[Finding]:
    if card is None:
        if "blocks" not in trail:
            yield Finding(trail, "no card speaks here that could have a state")
    elif state not in card.states:
        hint = did_you_mean(state, card.states) or (f"its states are {listed(card.states)}" if card.states else "")
        yield Finding(trail, f"the card has no state `{state}`", hint)


def _reaction_verbs(effect: Effect) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return the reaction verbs in a step, with the moments at which each can be done."""
    if effect.modify_roll is not None:
        yield "modify-roll", _modify_moments(effect.modify_roll)
    if effect.reroll is not None:
        yield "reroll", ("after-roll",)
    if effect.convert_damage is not None:
        yield "convert-damage", HARM_MOMENTS


def _modify_moments(change: ModifyRoll) -> tuple[str, ...]:
    if change.set is not None or change.stored:
        return ("instead-of-roll",)
    return ("before-roll",) if change.dice or change.trait is not None else ("before-roll", "after-roll")


def attacks(survey: Survey) -> Iterator[Finding]:
    """Where a ruling's alternative names the dice of a weapon, it changes them."""
    for spot in survey.of(Attack):
        for name, dice in spot.value.dice_by_ruling.items():
            if dice == spot.value.dice:
                yield Finding(spot.at("dice-by-ruling", name), f"it gives {dice} more dice even without `{name}`")
