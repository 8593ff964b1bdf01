"""What an open decision asks, and what each of its options means, in words: by the key at the head of its `about`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import cast

from content.vocabulary.abilities import Action
from content.vocabulary.base import Floor
from content.vocabulary.effects import Option
from domain.engine.external import EXTERNAL
from domain.engine.parts import has_read, part_of_action, part_of_box
from domain.engine.rules import Rules
from domain.facts.grid import DIRECTIONS, STEP, cell, opposite
from domain.facts.ids import split_id
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, Aim, Decision, Figure, State
from domain.house.placing import Spot, laid
from domain.rulebook.desk.disputing import asked_about
from projections.naming.consequences import options_in
from projections.naming.endings import Endings
from projections.naming.names import Names, compass, counted, enumerated, position, readable
from projections.wording.words.english import quoted
from projections.wording.words.titles import FLOOR_NAMES, FLOORS

SHOWN = {
    "State": ("explorers", "rooms", "grid", "haunt", "decks", "rulings", "texts", "desk"),
    "Explorer": ("at", "side"),
    "Haunt": ("id", "disclosed"),
    "Room": ("doors", "parts"),
    "Deck": ("top",),
    "Slot": ("face",),
    "Decision": ("seat", "kind", "about", "options", "total", "caps", "up_to", "offer", "who", "trait", "cause"),
    "Rulings": ("proposed",),
    "Ruling": ("text", "by"),
}
"""The fields of a role's state that are read here, besides names; all others stay hidden."""

VERDICTS = {
    "stands": "what happened stands",
    "amend": "it is corrected",
    "rewind": "play goes back to commit {to}",
}
"""Rulings on disputes in words."""


def in_words(outcome: str, to: int | None, reapply: Sequence[int] = ()) -> str:
    """A ruling: what it is, and of a rewind where it leads, and which amendments it does again."""
    is_ = "are" if len(reapply) > 1 else "is"
    return VERDICTS[outcome].format(to=to) + (f", and {amendments(reapply)} {is_} applied again" if reapply else "")


def amendments(of: Sequence[int]) -> str:
    """What some disputes have amended: `the amendments of disputes 2 and 5`."""
    numbers = enumerated([str(number) for number in of])
    return f"the amendment{'s' if len(of) > 1 else ''} of dispute{'s' if len(of) > 1 else ''} {numbers}"


Naming = Callable[[Names, str], str]

QUESTIONS: dict[str, tuple[str, Naming]] = {
    "before-roll": ("Before the roll for {}: use a card, or pass", Names.about),
    "after-roll": ("After the roll for {}: use a card, or pass", Names.about),
    "haunt": ("Get ready for the haunt", Names.plain),
    "trade-with": ("Agree to the trade that {} offers", Names.seat),
    "may": ("{}", Names.plain),
    "option": ("Choose what happens: {}", Names.heading),
    "decline": ("Resolve {}, or decline it", Names.source),
    "ignore": ("Ignore the harm that {} does, or suffer it", Names.source),
    "ignore-damage": ("Ignore the damage that {} deals, or take it", Names.source),
    "known-haunt": ("Your group has played haunt {}: look for another, or play it again", Names.plain),
    "traitor": ("You are to be the traitor: accept, or ask for a volunteer", Names.plain),
    "volunteer": ("Volunteer as the traitor, or pass", Names.plain),
    "volunteers": ("Choose for the table which volunteer becomes the traitor", Names.plain),
    "scenario": ("Choose the scenario that your group plays", Names.plain),
    "haunt-room": ("Choose the room for looking up the haunt", Names.plain),
    "place": ("Choose where to place {}", Names.the_room),
    "rearrange": ("Rearrange the {} floor so that more rooms can be joined to it", Names.plain),
    "doorway": ("Choose the doorway of {} to explore", Names.the_room),
    "move-tile": ("Choose where to move {}", Names.the_room),
    "part": ("Choose a side of {}", Names.the_room),
    "move-to": ("Choose a room to go to", Names.plain),
    "move-other": ("Choose a room for {}", Names.someone),
    "token": ("Choose a room for the {}", Names.token),
    "monster": ("Choose a room for the {}", Names.kind),
    "shift": ("Choose where {} goes", Names.someone),
    "who": ("Choose who", Names.plain),
    "must-attack": ("Choose whom to attack", Names.plain),
    "weapon": ("Choose what to attack with", Names.plain),
    "attack-cost": ("Pay what an attack with {} costs, or attack without what it adds", Names.card),
    "wall": ("Choose a wall of {}", Names.the_room),
    "look-deck": ("Choose a stack to look at", Names.plain),
    "reorder": ("Put them back on the {}, the first one on top", Names.deck),
    "pass-over": ("Draw for the symbol, or skip it with {}", Names.source),
    "pass-over-symbol": ("Draw for the symbol, or skip it", Names.plain),
    "bury-tile": ("Place {}, or put it under the stack and take the next", Names.the_room),
    "fetch": ("Choose what the companion brings or carries", Names.plain),
    "fetch-to": ("Choose where to carry it", Names.plain),
    "steal": ("Deal the damage, or take a card instead", Names.plain),
    "search-deck": ("Choose a deck to search", Names.plain),
    "search": ("Choose a card of the {} to put on top", Names.deck),
    "lose-card": ("Choose a card to lose", Names.plain),
    "take-card": ("Choose a card to take", Names.plain),
    "roll-trait": ("Choose the trait to roll", Names.plain),
    "gain-trait": ("Choose the trait to gain", Names.plain),
    "lose-trait": ("Choose the trait to lose", Names.plain),
    "set-trait": ("Choose the trait to set", Names.plain),
    "name-result": ("Name the result", Names.plain),
    "nearest": ("Choose among the nearest explorers", Names.plain),
    "reroll": ("Choose dice to reroll", Names.plain),
    "reroll-one": ("Choose a die to reroll", Names.plain),
    "card": ("Turn up a card of the {}", Names.deck),
    "tile": ("Turn up the next tile", Names.plain),
    "tile-back": ("Look at the back of the next tile", Names.plain),
    "secret": ("Choose in secret: {}", Names.secret),
    "witness": ("Confirm what was said: {}", Names.witnessed),
    "role": ("Say which token you were dealt, to nobody else", Names.plain),
    "roles": ("Deal the roles in secret", Names.plain),
    "tokens": ("Deal token {} in secret", Names.plain),
    "own-card": ("Pick a card at random", Names.plain),
    "coin": ("Flip a coin", Names.plain),
    "go-on": ("Turns keep ending by themselves: go on?", Names.plain),
    "entry": ("Agree to the entry from the {} book", Names.book),
}
"""By key: the question, and what its rest names."""
UNKNOWN: tuple[str, Naming] = ("Answer what is asked", Names.plain)
"""What an older revision asked, and this one does not."""

FIXED: dict[tuple[str, str], str] = {
    ("haunt", "ready"): "Ready",
    ("known-haunt", "another"): "Look for another haunt",
    ("known-haunt", "keep"): "Play it again",
    ("traitor", "accept"): "Be the traitor",
    ("traitor", "decline"): "Ask for a volunteer",
    ("volunteer", "volunteer"): "Volunteer",
    ("volunteer", "pass"): "Pass",
    ("decline", "be-affected"): "Resolve it",
    ("decline", "be-spared"): "Decline it",
    ("ignore", "ignore"): "Ignore it",
    ("ignore", "suffer"): "Suffer it",
    ("ignore-damage", "ignore"): "Ignore it",
    ("ignore-damage", "suffer"): "Take it",
    ("move-tile", "stay"): "Stay",
    ("shift", "stay"): "Stay",
    ("steal", "damage"): "Deal the damage",
    ("fetch-to", "hand"): "Bring it to you",
    ("weapon", "bare-hands"): "Attack with bare hands",
    ("attack-cost", "pay"): "Pay it",
    ("attack-cost", "keep"): "Keep it, and attack without what the card adds",
    ("pass-over", "draw"): "Draw",
    ("pass-over", "pass-over"): "Skip it",
    ("pass-over-symbol", "draw"): "Draw",
    ("pass-over-symbol", "pass-over"): "Skip it",
    ("go-on", "go-on"): "Go on",
    ("bury-tile", "place"): "Place it",
    ("bury-tile", "bury"): "Put it under the stack",
}
"""By key and option: options that always have the same words."""

OPTIONS: dict[str, tuple[str, Naming]] = {
    "move-to": ("Go to {}", Names.the_room),
    "move-other": ("To {}", Names.the_room),
    "who": ("{}", Names.someone),
    "must-attack": ("Attack {}", Names.someone),
    "volunteers": ("{}", Names.someone),
    "scenario": ("{}", Names.scenario),
    "weapon": ("Attack with {}", Names.card),
    "wall": ("Behind the {} side", Names.plain),
    "look-deck": ("Look at the {}", Names.deck),
    "token": ("Put it in {}", Names.the_room),
    "monster": ("Put it in {}", Names.the_room),
    "shift": ("Go to {}", Names.the_room),
    "haunt-room": ("Take {}", Names.the_room),
    "fetch-to": ("Carry it to {}", Names.the_room),
    "steal": ("Take {} instead", Names.card),
    "search-deck": ("Search the {}", Names.deck),
    "search": ("Take {}", Names.card),
    "lose-card": ("Lose {}", Names.card),
    "take-card": ("Take {}", Names.card),
    "roll-trait": ("Roll {}", Names.trait),
    "gain-trait": ("Gain {}", Names.trait),
    "lose-trait": ("Lose {}", Names.trait),
    "set-trait": ("Set {}", Names.trait),
    "name-result": ("Make it {}", Names.plain),
    "nearest": ("Choose {}", Names.seat),
    "card": ("{}", Names.card),
    "own-card": ("{}", Names.card),
    "tile": ("{}", Names.room),
    "secret": ("{}", Names.room),
    "role": ("Number {}", Names.plain),
    "roles": ("{} is the traitor", Names.seat),
    "tokens": ("To {}", Names.seat),
}
"""By key: how an option is worded, and what it names."""

ROLLS = {
    "attack": "the attack",
    "defense": "the defense",
    "trait": "a trait",
    "dice": "a text",
    "haunt": "the haunt",
    "movement": "the monsters' movement",
    "event-attack": "the attack of an event",
    "reroll": "the rerolled dice",
}
"""By the kind of a roll: what its dice are for, if the kind alone does not say it."""


TURNED = ("not turned", "turned by a quarter", "turned by half", "turned by three quarters")
"""How a tile lies, by quarters."""


def in_names(refusal: Refused, rules: Rules, state: State) -> Refused:
    """A refusal with the names that a role knows, by its own state; what it may only have guessed at is called as its command did."""
    return refusal.worded(Asking(rules, state, seen_only=True).named) if refusal.about else refusal


class Asking:
    """Questions and options of one role's decisions."""

    __slots__ = ("_endings", "names", "rules", "state")

    def __init__(self, rules: Rules, state: State, *, seen_only: bool = False) -> None:
        """Bind; `state` is the role's own, `seen_only` as for `Names`."""
        self.rules = rules.of(state)
        self.state = state
        self.names = Names(rules, state, seen_only=seen_only)
        self._endings: Endings | None = None

    @property
    def endings(self) -> Endings:
        """Endings of labels."""
        if self._endings is None:
            self._endings = Endings(self.rules, self.state, self.names)
        return self._endings

    def question(self, decision: Decision) -> str:
        """What is asked: `Divide 2 points of mental damage among Sanity and Knowledge`. The same words for everybody."""
        key, rest = split_id(decision.about)
        if decision.kind == "allocation":
            return _division(decision, rest)
        if key == "dice" and decision.kind == "chance":
            dice = self.rules.edition.dice.written(decision.total) or counted(decision.total, "die", "dice")
            return f"Roll {dice} for {ROLLS.get(rest, rest)}{self._whose(decision)}"
        if key == "before-harm":
            harm = self.names.source(rest) if ":" in rest else f"{rest} damage"
            return f"Before {harm} takes effect: answer it, or pass"
        if decision.offer:
            gives, wants = (self.names.cards(decision.offer[side]) or "nothing" for side in ("gives", "wants"))
            return f"Agree to the trade that {self.names.seat(rest)} offers: {gives} for {wants}"
        if key == "ruling":
            return self._ruling(decision.seat)
        if decision.about == "dispute":
            return self._verdict(decision)
        words, naming = QUESTIONS.get(key, UNKNOWN)
        return words.format(naming(self.names, rest.partition(":seen-by:")[0]))

    def _whose(self, decision: Decision) -> str:
        """Whose dice are asked for, with which trait, and what for."""
        if decision.who is None:
            return ""
        trait = f"{decision.trait.capitalize()} of " if decision.trait else ""
        about = decision.cause.partition("#")[0]
        is_plain = about in ("haunt", "attack") or about.startswith("monster/")
        return f": {trait}{self.names.figure(decision.who)}{'' if is_plain else f', {self.names.about(about)}'}"

    def answers(self, decision: str, options: list[str]) -> list[str]:
        """Options of a decision in words while it is open; after that, as they are in the log."""
        asked = self.state.open.get(decision)
        return list(options) if asked is None else [self.option(asked, option) for option in options]

    def option(self, decision: Decision, option: str) -> str:
        """What an option means: `Idol: Lose 1 Sanity, roll 2 more dice`, `Take Axe instead`."""
        key, rest = split_id(decision.about)
        if (key, option) in FIXED:
            return FIXED[key, option]
        if decision.kind == "reaction":
            return self._reaction(option)
        if key in OPTIONS:
            words, naming = OPTIONS[key]
            end = self.endings.of_losses(decision.seat, {option: 1}) if key == "lose-trait" else ""
            return f"{words.format(naming(self.names, option))}{end}"
        worded = self._worded(key, rest, option)
        return readable(option) if worded is None else worded

    def _worded(self, key: str, rest: str, option: str) -> str | None:
        """An option that needs more than a name; None if it speaks for itself."""
        match key:
            case "place" | "move-tile":
                return f"{'Place it' if key == 'place' else 'Move it'} {self._spot(rest, option)}"
            case "rearrange":
                tile, spot = split_id(option)
                return f"Place {self.names.the_room(tile)} {self._spot(tile, spot)}"
            case "part":
                return self._side(rest, option)
            case "reorder":
                return self._order(rest, option)
            case "option":
                chosen = option_of(self.rules, rest, option)
                title = (chosen.title if chosen is not None else "") or readable(option)
                return self.names.filled(title) if rest.startswith("haunt/") else title
            case "fetch":
                return f"{readable(option.partition(':')[0])} {self.names.card(option.partition(':')[2])}"
            case "tile-back":
                return enumerated(option.split("+"))
        return None

    def deed(self, source: str, word: str, target: str = "") -> str:
        """An action with its source and target: `Vault: Try the dials`; what a haunt offers needs no source.

        An action of a book that the role has not read is called by its word alone, which whoever does it says aloud.
        """
        action = self.action(source, word)
        title = (action.title if action is not None else "") or readable(word.lower())
        title = self.names.filled(title) if source.startswith("haunt:") else title
        on = f" on {target}" if target else ""
        return f"{title}{on}" if source.startswith("haunt:") else f"{self.names.title(source)}{on}: {title}"

    def action(self, source: str, word: str) -> Action | None:
        """An action, if the role knows its text: from the book, or because it was read out."""
        haunt = self.state.haunt
        read_out = haunt is not None and part_of_action(source, word) in haunt.disclosed
        if not read_out and not self.has_read(source):
            return None
        offered = self.rules.pack.offers_of(self.state, source)
        return next((one.action for one in offered if one.action.word == word), None)

    def named(self, about: str) -> str:
        """What a refusal is about, as it is called within a sentence: `the Attic`, `Axe`, `Rat 2`, `“Vault: Try the dials”`.

        Whoever was refused may have guessed at it, so `seen_only` should hold.
        """
        what, name = split_id(about)
        if what == "deed":
            source, _, word = name.rpartition("#")
            return quoted(self.deed(source, word))
        if what == "part":
            return self.names.part(name)
        if what == "floor":
            return f"the {FLOOR_NAMES[cast('Floor', name)]}"
        return self.names.monster(name) if what == "monster" else self.names.source(about)

    def leads_to(self, figure: Figure, source: str, word: str, target: Aim | None = None) -> str:
        """What an action leads to that nobody takes back, as the end of a label: ` (ends your turn)`, or nothing."""
        return self.endings.of_act(figure, source, word, target) if self.has_read(source) else ""

    def option_leads_to(self, decision: Decision, option: str) -> str:
        """The same of an option, for whoever is asked."""
        return self.endings.of_option(decision, option, self.has_read)

    def has_read(self, source: str) -> bool:
        """Whether the role knows the words of a source: of a haunt it must have been told the book, or what was entered of it."""
        haunt, (what, side) = self.state.haunt, split_id(source)
        if side in self.names.unseen:
            return False
        if haunt is None or haunt.id == EXTERNAL:
            return True
        if what == "box":
            return has_read(self.rules.pack.haunts[haunt.id], self.state, part_of_box(side))
        return what != "haunt" or f"{side}.book" in self.state.texts

    def table(self, by: int) -> str:
        """Who speaks at the table: an explorer's player, or the referee."""
        return "The referee" if by == MODERATOR else self.names.figure(by)

    # -- parts ------------------------------------------------------------------------------------------------------

    def _reaction(self, option: str) -> str:
        if option == "reveal":
            return "Reveal yourself as the traitor"
        source, _, word = option.partition("#")
        return self.deed(source, word) if word else readable(option)

    def _ruling(self, seat: int) -> str:
        ruling = self.state.rulings.proposed if self.state.rulings is not None else None
        if ruling is None:
            return "Agree to a ruling"
        if ruling.by == seat:
            return f"All are asked to agree to your ruling: {ruling.text}"
        return f"{self.table(ruling.by)} proposes a ruling: {ruling.text}"

    def _verdict(self, decision: Decision) -> str:
        dispute = asked_about(self.state, decision.id)
        if dispute is None or dispute.proposed is None:
            return "Agree to a ruling on a dispute"
        what = in_words(dispute.proposed.outcome, dispute.proposed.to, dispute.proposed.reapply)
        if dispute.proposed.by == decision.seat:
            return f"All are asked to agree to your ruling on dispute {dispute.number}: {what}"
        return f"{self.table(dispute.proposed.by)} proposes a ruling on dispute {dispute.number}: {what}"

    def _order(self, deck: str, option: str) -> str:
        """An order for the top of a stack, as known to whoever has looked: `Attic, then Vault, then Chapel`."""
        top = self.state.decks[deck].top
        places = [int(place) - 1 for place in option.split("-")]
        return ", then ".join(
            self.names.face(deck, top[place].face) if place < len(top) else f"number {place + 1}" for place in places
        )

    def beside(self, room: str, part: int) -> str:
        """Where somebody is in a room with a barrier: `, on the west side`; empty for other rooms."""
        known = self.state.rooms.get(room)
        parts = [] if known is None else known.parts
        return f", {_side(parts, part)}" if part < len(parts) > 1 else ""

    def _side(self, room: str, part: str) -> str:
        return _side(self.state.rooms[room].parts, int(part)).removeprefix("on ").capitalize()

    def _spot(self, tile: str, option: str) -> str:
        """A place for a tile: `north of the Upper Landing, doors north and south`; and whatever else tells two rotations apart."""
        spot = Spot.of(option)
        laid_so = laid(self.rules.tile(self.state, tile), spot)
        words = [
            self._beside(tile, spot.floor, spot.x, spot.y, laid_so.doors),
            _openings("door", laid_so.doors),
        ]
        if laid_so.windows:
            words.append(_openings("window", laid_so.windows))
        if laid_so.parts:
            words.append(TURNED[spot.turns])
        return ", ".join(words)

    def _beside(self, tile: str, floor: str, x: int, y: int, doors: int) -> str:
        """Which room a tile would be joined to, other than itself at its old place."""
        for direction, (dx, dy) in enumerate(STEP):
            room = self.state.rooms.get(self.state.grid.get(cell(floor, x + dx, y + dy), ""))
            back = opposite(direction)
            if doors >> direction & 1 and room is not None and room.id != tile and room.doors >> back & 1:
                return f"{DIRECTIONS[back]} of {self.names.the_room(room.id)}"
        return f"{FLOORS[floor]}, {position(x, y)}"


def _openings(what: str, sides: int) -> str:
    """Doors or windows by their sides: `doors north and south`, `door east`."""
    return f"{what}{'' if sides.bit_count() == 1 else 's'} {enumerated(compass(sides))}"


def _side(parts: Sequence[int], part: int) -> str:
    """A part of a room by its doors: `on the west side`; behind a locked door is a part without any."""
    if all(parts):
        return f"on the {enumerated(compass(parts[part]))} side"
    return "in front of the door" if parts[part] else "behind the door"


def _division(decision: Decision, kind: str) -> str:
    traits = [trait.capitalize() for trait in decision.caps]
    if not kind:
        most = "up to " if decision.up_to else ""
        return f"Raise {enumerated(traits, 'or')} by {most}{counted(decision.total, 'space')} in all"
    return f"Divide {counted(decision.total, 'point')} of {kind} damage among {enumerated(traits)}"


@lru_cache(maxsize=512)
def option_of(rules: Rules, block: str, option: str) -> Option | None:
    """An option of `choose` in the block that asks, or anywhere in its card, tile or haunt if that block is not of the pack.

    Both books of a haunt may have an option of the same id, and nobody may read the other side's. Of several the first that has a title counts.
    """
    what, _, name = block.partition("#")[0].partition("/")
    pack = rules.pack
    pieces: dict[str, object] = {"tile": pack.tiles.get(name), "haunt": pack.haunts.get(name), "pack": pack.head}
    piece = pack.card(name) if what == "card" else pieces.get(what)
    found = [one for one in options_in(pack.written.get(block, piece)) if one.id == option]
    return next((one for one in found if one.title), found[0] if found else None)
