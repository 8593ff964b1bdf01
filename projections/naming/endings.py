"""How a label ends: with what the choice leads to, for whoever makes it and whomever it names, as one role knows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from domain.engine.rules import Rules
from domain.engine.tables import source_in_play
from domain.facts.ids import split_id
from domain.facts.state import TRAIT_INDEX, Aim, Decision, Figure, State, is_explorer
from projections.naming.clips import threatens
from projections.naming.consequences import (
    HARMLESS,
    NOTHING,
    Box,
    Leads,
    Worst,
    ending,
    of_action,
    of_asking,
    of_choosing,
    of_drawing,
    of_losing,
    of_trigger,
    of_weapon,
    owner_of,
    together,
)
from projections.naming.fates import Fates, Scene
from projections.naming.names import Names
from projections.naming.surroundings import LEFT, around_of, at_the_end

SHOWN = {
    "State": ("explorers", "haunt", "turn"),
    "Turn": ("seat", "monsters"),
    "Explorer": ("at", "alive", "cards", "side", "stopped", "held"),
    "Haunt": ("id",),
    "Decision": ("seat", "kind", "about", "offer"),
    "Held": ("failing_stops",),
}
"""The fields of a role's state that are read here; all others stay hidden."""

ALL_MOMENTS = ("entered", "left", "discovered", "turn-started", "turn-ended")
"""Moments at which a room's text may do harm."""

NOTHING_ELSE: Mapping[str, bool] = MappingProxyType({})

Follow = Callable[[Fates], None]


class Endings:
    """Endings of labels for one role, in one state."""

    __slots__ = ("_around", "_leaving", "_names", "_rules", "_state")

    def __init__(self, rules: Rules, state: State, names: Names) -> None:
        """Bind; `state` is the role's own, `names` made of it."""
        self._rules = rules
        self._state = state
        self._names = names
        self._around: Mapping[str, tuple[str, ...]] | None = None
        self._leaving: str | None = None

    # -- commands of the turn ----------------------------------------------------------------------------------------

    def of_act(self, figure: Figure, source: str, word: str, target: Aim | None = None) -> str:
        """Of an action or a reaction, of a source that the role has read."""
        key = source_in_play(self._state, source)
        leads = of_action(self._rules, key, word)
        if leads is NOTHING:
            return ""
        said = self._said(leads, figure)

        def follow(fates: Fates) -> None:
            block = self._rules.pack.action_block(source, word, self._state)
            fates.steps(self._rules.pack.written.get(block, ()), Scene(owner_of(key), figure, target))

        self._deaths(said, leads.worst, figure, target, follow)
        return self._ending(said, target)

    def of_move(self, seat: int, to: str) -> str:
        """Of a step into a room: what the one says that is left, and the one that is entered with all that is in it."""
        around = self._around
        if around is None:
            around = self._around = around_of(self._rules, self._state, seat)
        if to in around:
            moments = [
                *((source, "left") for source in around.get(LEFT, ())),
                *((one, "entered") for one in around[to]),
            ]
            return self._of_moments(seat, moments)
        if LEFT not in around:
            return ""
        if self._leaving is None:
            self._leaving = self._of_moments(seat, [(source, "left") for source in around[LEFT]])
        return self._leaving

    def of_end_turn(self) -> str:
        """Of the end of one's own turn: what the room, tokens there and cards say about it."""
        turn = self._state.turn
        if turn.monsters or self._state.haunt is None:
            return ""
        moments = at_the_end(self._rules, self._state, turn.seat)
        if not moments:
            return ""
        return self._of_moments(turn.seat, [(source, "turn-ended") for source in moments], deaths_only=True)

    def of_attack(self, figure: Figure, target: Aim, weapon: str | None) -> str:
        """Of an attack: what its weapon costs."""
        box = of_weapon(self._rules, weapon) if weapon is not None else None
        if box is None or not box.effects:
            return ""
        said = self._said(box.leads, figure)

        def follow(fates: Fates) -> None:
            fates.steps(box.effects, Scene(box.owner, figure, target))

        self._deaths(said, box.leads.worst, figure, target, follow)
        return self._ending(said, target)

    def of_drop(self, figure: Figure, cards: Sequence[str]) -> str:
        """Of putting cards down."""
        return self._of_loss_of_cards(figure, cards)

    def of_trade(self, figure: Figure, partner: int, gives: Sequence[str], wants: Sequence[str]) -> str:
        """Of an offer, which the partner may decline."""
        return self._of_exchange(figure, figure, partner, gives, wants, sure=False)

    def of_break_free(self, captive: int) -> str:
        """Of an attempt to free somebody, which may end the movement of whoever fails."""
        held = self._state.explorers[captive].held
        if held is None or not held.failing_stops:
            return ""
        return self._ending(self._said(Leads(possible=("moving",)), self._state.turn.seat), None)

    def of_crossing(self, figure: Figure, needs: str) -> str:
        """Of an attempt to cross a barrier: what it needs, and that failing ends movement."""
        if not is_explorer(figure):
            return f" ({needs})"
        room = self._state.explorers[figure].room
        others = [
            one for one in around_of(self._rules, self._state, figure).get(room, ()) if not one.startswith("tile:")
        ]
        said = self._said(Leads(possible=("moving",)), figure)
        end = self._of_moments(figure, [(one, "entered") for one in others], besides=said)
        return f" ({needs}, {end[2:]}" if end else f" ({needs})"

    # -- answers -----------------------------------------------------------------------------------------------------

    def of_losses(self, seat: int, losses: Mapping[str, int]) -> str:
        """Of traits that fall by so many spaces: ` (deadly)`, or nothing."""
        state = self._state
        if state.haunt is None or seat < 0:
            return ""
        explorer = state.explorers[seat]
        if all(explorer.at[TRAIT_INDEX[trait]] > loss for trait, loss in losses.items()):
            return ""
        return self._ending({"you": not _saved(self._rules, explorer.cards)}, None, seat)

    def of_option(self, decision: Decision, option: str, has_read: Callable[[str], bool]) -> str:
        """Of an option, for whoever is asked."""
        key, rest = split_id(decision.about)
        if decision.kind == "reaction":
            source, _, word = option.partition("#")
            return self.of_act(decision.seat, source, word) if word and has_read(source) else ""
        seat = decision.seat
        if seat < 0:
            return ""
        if key == "option":
            return self._of_chosen(seat, rest, option)
        if key in ("lose-card", "steal", "take-card") or (key == "fetch" and option.startswith("carry:")):
            return self._of_card(seat, key, option.removeprefix("carry:"))
        if key == "trade-with" and option == "yes" and decision.offer:
            giver: Figure = int(rest) if rest.isdecimal() else rest  # type: ignore[assignment]  # a monster's name
            return self._of_exchange(seat, giver, seat, decision.offer["gives"], decision.offer["wants"], sure=True)
        return self._of_consent(seat, key, rest, option, has_read)

    def _of_consent(self, seat: int, key: str, rest: str, option: str, has_read: Callable[[str], bool]) -> str:
        """Of agreeing to what a text offers or does, or to go to a room; what comes of it is not looked at closely."""
        match key, option:
            case (("ignore" | "ignore-damage"), "suffer"):
                return self._of_moments(seat, [(rest, when) for when in ALL_MOMENTS])
            case "decline", "be-affected":
                return self._of_perhaps(seat, [of_drawing(self._rules, rest.partition(":")[2])])
            case "may", "yes":
                asking = of_asking(self._rules, rest)
                return self._of_perhaps(seat, [box for source, box in asking if has_read(source)])
            case "move-to", _:
                return self._of_moments(seat, [(f"tile:{option}", "entered")])
        return ""

    def _of_chosen(self, seat: int, block: str, option: str) -> str:
        """Of an option of `choose`, in the card, tile or haunt that asks."""
        box = of_choosing(self._rules, block, option)
        if box is None:
            return ""
        owner, effects, leads = box
        said = self._said(leads, seat)
        asks = self._rules.pack.decks["event"]
        # the traitor may be spared what an event does; in the monsters' turn one of them may be meant
        sure = not self._state.turn.monsters and (
            owner.partition("/")[2] not in asks or self._state.explorers[seat].side != "traitor"
        )

        def follow(fates: Fates) -> None:
            steps = fates.steps if sure else fates.perhaps
            steps(effects, Scene(owner, seat))

        self._deaths(said, leads.worst, seat, None, follow)
        return self._ending(said, None, seat)

    def _of_card(self, seat: int, key: str, card: str) -> str:
        """Of a card that is chosen to be lost, or to be taken from somebody."""
        if key in ("lose-card", "fetch"):
            return self._of_loss_of_cards(seat, [card])
        holder = next((one.seat for one in self._state.explorers if card in one.cards), None)
        if holder is None:
            return ""
        said: dict[str, bool] = {}
        worst = of_losing(self._rules, card)
        self._deaths(said, worst, None, holder, lambda fates: fates.loses(card, holder, stolen=True))
        return self._ending(said, holder)

    # -- parts -------------------------------------------------------------------------------------------------------

    def _of_loss_of_cards(self, figure: Figure, cards: Sequence[str]) -> str:
        if self._state.haunt is None or not is_explorer(figure):
            return ""
        explorer = self._state.explorers[figure]
        held = [card for card in cards if card in explorer.cards]
        said: dict[str, bool] = {}

        def follow(fates: Fates) -> None:
            for card in held:
                fates.loses(card, figure)

        self._deaths(said, self._worst_of(held), figure, None, follow)
        return self._ending(said, None, figure)

    def _of_exchange(
        self, speaker: Figure, giver: Figure, partner: int, gives: Sequence[str], wants: Sequence[str], *, sure: bool
    ) -> str:
        """Of a trade, for the one who proposes it or the one who agrees."""
        if self._state.haunt is None:
            return ""

        def follow(fates: Fates) -> None:
            if is_explorer(giver):
                for card in gives:
                    fates.loses(card, giver)
            for card in gives:
                fates.gains(card, partner)
            for card in wants:
                fates.loses(card, partner)

        other = partner if speaker == giver else giver
        said: dict[str, bool] = {}
        self._deaths(said, self._worst_of([*gives, *wants]), speaker, other, follow)
        return self._ending({what: always and sure for what, always in said.items()}, other, speaker)

    def _worst_of(self, cards: Sequence[str]) -> Worst:
        found = [loss for card in cards if (loss := of_losing(self._rules, card)) is not HARMLESS]
        return together(found) if found else HARMLESS

    def _of_moments(
        self,
        seat: int,
        moments: Sequence[tuple[str, str]],
        *,
        deaths_only: bool = False,
        besides: Mapping[str, bool] = NOTHING_ELSE,
    ) -> str:
        said = dict(besides)
        for source, when in moments:
            leads = of_trigger(self._rules, source, when)
            if not deaths_only:
                said.update(self._said(leads, seat))

            def follow(fates: Fates, source: str = source, when: str = when) -> None:
                fates.triggers(source, when, Scene(owner_of(source), seat))

            self._deaths(said, leads.worst, seat, None, follow)
        return self._ending(dict.fromkeys(said, False), None, seat)

    def _of_perhaps(self, seat: int, boxes: Sequence[Box]) -> str:
        said: dict[str, bool] = {}
        for box in boxes:
            said.update(self._said(box.leads, seat))

            def follow(fates: Fates, box: Box = box) -> None:
                fates.perhaps(box.effects, Scene(box.owner, seat))

            self._deaths(said, box.leads.worst, seat, None, follow)
        return self._ending(dict.fromkeys(said, False), None, seat)

    def _said(self, leads: Leads, figure: Figure) -> dict[str, bool]:
        """What a box leads to besides deaths; whose movement or turn is over cannot end it again."""
        said = leads.said()
        if is_explorer(figure):
            turn = self._state.turn
            if turn.monsters or turn.seat != figure:
                said.pop("turn", None)
                said.pop("moving", None)
            elif "moving" in said and self._state.explorers[figure].stopped:
                said.pop("moving")
        return said

    def _deaths(
        self, said: dict[str, bool], worst: Worst, figure: Figure | None, target: Aim | None, follow: Follow
    ) -> None:
        """Add whom it kills, surely or perhaps."""
        state = self._state
        if state.haunt is None or worst == HARMLESS:
            return
        threatened = is_explorer(figure) and threatens(self._rules, state, figure, worst)
        if not threatened and not (is_explorer(target) and threatens(self._rules, state, target, worst)):
            return
        fates = Fates(self._rules, state)
        follow(fates)
        for what, one in (("you", figure), ("target", target)):
            dead = fates.of(one) if is_explorer(one) and (what == "you" or one != figure) else False
            if dead is not False:
                said[what] = bool(dead)

    def _ending(self, said: dict[str, bool], target: Aim | None, figure: Figure | None = None) -> str:
        """The words; a death that the haunt replaces (2E-DEATH-002) is said to be the skull's."""
        if not said:
            return ""
        whom = self._state.turn.seat if figure is None else figure
        if "you" in said and self._replaced(whom):
            said["skull"] = said.pop("you")
        if "target" in said and self._replaced(target):
            del said["target"]
        return ending(said, self._names.figure(target) if is_explorer(target) else "the target")

    def _replaced(self, figure: Aim | None) -> bool:
        haunt = self._state.haunt
        if haunt is None or not is_explorer(figure):
            return False
        return (haunt.id, self._state.explorers[figure].side) in self._rules.pack.instead


def _saved(rules: Rules, cards: Sequence[str]) -> bool:
    """Whether one of these cards may keep its holder alive."""
    return any((f"card:{card}", "dying") in rules.pack.triggers for card in cards)
