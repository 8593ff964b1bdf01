"""The parts of an edition's policy: each field is one difference between the rulebooks."""

from typing import Literal

import msgspec

from domain.editions.citations import Citations
from domain.facts.chance import DIE_FACES


class Exploration(msgspec.Struct, frozen=True, kw_only=True):
    """How rooms are found."""

    card_before_text: bool
    """The card for the symbol comes before the tile's text; if false, after it."""
    ends_turn: bool
    """Placing a discovered tile ends the turn."""
    card_stops_movement: bool
    """Drawing a card ends movement."""
    most_doors: bool
    """As many doors as possible must match; if false, only the crossed doorway."""
    bury: bool
    """Unfit tiles go under the stack, not beside it."""
    may_seal_at_last: bool = True
    """Where nothing else is possible, a tile may seal its floor off: the last one for it, or one that no new layout makes room for.

    If false, nothing can be discovered there then (3E-TILE-012, 3E-TILE-014).
    """
    stack: bool = True
    """Tiles are in a stack whose top back everybody sees; if false, each room is drawn at random among those that fit (PBP-DISC-001)."""
    look_through: bool = False
    """In the haunt players may look through the stack of tiles, which is shuffled afterwards (3E-FIND-001)."""


class Movement(msgspec.Struct, frozen=True, kw_only=True):
    """What movement costs."""

    speed_fixed: bool
    """The allowance is the Speed at the start of the turn, whatever happens to it afterwards."""
    flat_obstacle: bool
    """Leaving costs 2 however many obstacles there are; if false, 1 more for each opponent."""
    always_one_step: bool
    """An explorer that has not moved yet makes its step even if it cannot pay for it, and has no movement left then; monsters always do."""

    def penalty(self, opponents: int, obstacles: int) -> int:
        """Spaces that opponents and obstacles add to leaving a room."""
        if self.flat_obstacle:
            return 1 if opponents + obstacles else 0
        return opponents + obstacles


class Cards(msgspec.Struct, frozen=True, kw_only=True):
    """What may be done with cards in hand."""

    new_usable: bool
    """A card can be used in the turn in which it was gained."""
    one_action: bool
    """With each item only one of use, trade, drop, steal, pick up in a turn; if false, only a used card can't be traded."""
    piles: bool
    """Items can be dropped and picked up."""
    steal: bool
    """An attack that would deal 2 or more physical damage may take a card instead."""
    companions: bool
    """Companions wait for a new custodian where theirs died."""
    over_the_top: bool
    """Bonuses past a trait's maximum are noted."""
    bury: bool
    """Followed events and used-up cards go under their deck."""
    trade_any: bool
    """A trade may move any number of cards both ways without giving one first."""
    one_row: bool = False
    """Of an event's table only the row of the result is read (3E-CARD-004); if false, the whole card."""
    own_turn: bool = False
    """Special actions of cards belong to the turn of whoever has them, unless the card says otherwise; if false, to any turn."""
    corpses_keep: bool = False
    """The dead keep their cards, which help nobody; whoever stands by takes one a turn. If false, they fall in a pile."""
    one_action_for_all: bool = False
    """An item's one action of the turn is spent for every holder (PBP-ITEM-001); if false, each explorer has one with it."""


class Fight(msgspec.Struct, frozen=True, kw_only=True):
    """How attacks are made, and damage is taken."""

    trait_rolls: bool = False
    """Attack and defense are trait rolls, so that whatever changes trait rolls changes them as well."""
    distance_safe: bool = True
    """Whoever attacks from afar and is beaten takes no damage; if false, only where the card says so."""
    spare_critical: bool = False
    """Before the haunt a trait at its lowest space can't be chosen while another can drop; points count only as far as traits can drop."""


class HauntRoll(msgspec.Struct, frozen=True, kw_only=True):
    """When the haunt begins."""

    at_turn_end: bool
    """Rolled at the end of the turn in which the omen was drawn; if false, at once."""
    dice: int
    """Dice; 0: one for each omen drawn."""
    at_least: int
    """Begins on this result or more; 0: on less than the number of omens drawn."""
    last_omen_begins: bool
    """Drawing the last omen begins it without a roll."""
    once_a_turn: bool = False
    """One roll for a turn in which omens were drawn, however many and by whom (PBP-HROLL-001); if false, one for each omen."""

    def number_of_dice(self, omens: int) -> int:
        """Dice for this many omens drawn."""
        return self.dice or omens

    def begins(self, total: int, omens: int) -> bool:
        """Whether this result begins the haunt."""
        return total >= self.at_least if self.at_least else total < omens


class Turns(msgspec.Struct, frozen=True, kw_only=True):
    """What a turn allows, and how it ends."""

    actions_once: bool = False
    """Each who may take a special action takes it once in a turn: of a card, tile or token, a book or a monster's box.

    If false, as often as one likes; either way unless the piece says how often.
    """
    texts_first: bool = False
    """What is due at the end of a turn comes before the turn is over; if false, right after it."""


class Dice(msgspec.Struct, frozen=True, kw_only=True):
    """How dice are thrown and written down."""

    pool: int = 8
    """Dice in the box: a roll of more is thrown in turns."""
    die_roller: bool = False
    """A die roller throws each as `1d3-1` (PBP-DICE-002); if false, real dice show their faces."""

    def written(self, number: int) -> str:
        """A number of dice as a die roller takes them: `4d3-4`; empty if none is used."""
        return f"{number}d{DIE_FACES}-{number}" if self.die_roller else ""


class HauntPlay(msgspec.Struct, frozen=True, kw_only=True):
    """How the haunt is played."""

    beginning: tuple[str, ...]
    """The steps in which a haunt begins, by name (`domain.rulebook.haunt.beginning`)."""
    heroes_then_traitor: bool
    """A round is all heroes, the traitor, the monsters; if false, clockwise as before."""
    event_after_read: bool
    """The traitor may decline an event after reading it; if false, only to draw one for the symbol of a room."""
    ignores: Literal["harm", "damage"]
    """What traitor and monsters may ignore of a tile: `harm`, the texts that are marked as harmful; `damage`, damage and nothing else."""
    survivors_decide: bool
    """Without a hero left the traitor has won; if false, the haunt says what follows when nobody is left on a side."""
    one_moment: bool
    """What one effect does to several is one moment: goals are looked at when it has come to all (3E-END-002).

    If false, as soon as one is reached. What several triggers do is never one moment: whoever wins by the first has won.
    """
    house_wins: bool
    """A haunt without a traitor that is lost is won by the house; if false, by nobody."""
    heroes_set_up: bool
    """The heroes' setup is carried out by the revealer or, if that is the traitor, by the next hero; if false, by the revealer in any case."""
    reveals_itself: bool
    """A hidden traitor may reveal itself at any time, to escape harm too, and dying reveals; if false, only as the haunt says."""

    @property
    def reads_aloud(self) -> bool:
        """Whether what a book tells first, and what is set up by it, is read to everybody."""
        return "heroes_introduction" in self.beginning


class Secrets(msgspec.Struct, frozen=True, kw_only=True):
    """What the sides of a haunt keep from each other, and for how long."""

    boxes: bool = False
    """A monster's numbers, and its rules, are known to those alone who have read its box; if false, everybody sees its numbers."""
    parts: bool = False
    """A part of a book that was used is read out to whoever asks for it; if false, the books stay closed to the other side."""
    tokens: bool = False
    """Everybody reads from the beginning which tokens the haunt needs; if false, they become known as they come into the house."""


class Monsters(msgspec.Struct, frozen=True, kw_only=True):
    """When monsters act, and what being stunned means for them."""

    after_traitor: bool
    """Their turn comes right after the traitor's, wherever that lies in the round; if false, when the round ends.

    Without a known traitor the haunt revealer takes the traitor's place, unless the haunt names somebody else.
    """
    shares_tiles: bool
    """What a tile allows once a turn it allows once in the traitor's turn and theirs together (2E-ROOM-033).

    If false, once to each monster, which has a turn of its own: one is done before the next moves (3E-MON-002, ruling).
    """
    recover_first: bool
    """Stunned ones recover as their turn starts, which is over for them; if false, at the end of a turn that they have missed."""
    fight_stunned: bool
    """Stunned ones can be attacked at any time, and hurt an attacker whom they beat.

    If false, only where something is to be gained by it, and they hurt nobody.
    """


class Reminders(msgspec.Struct, frozen=True, kw_only=True):
    """Which areas of the ledger the reference cards remind of."""

    player: tuple[str, ...] = ()
    """What a turn offers."""
    traitor: tuple[str, ...] = ()
    monster: tuple[str, ...] = ()
    shared: bool = False
    """The cards lie where everybody sees them; if false, only readers of the traitor's book are told what they have to know."""

    def cards(self) -> dict[str, tuple[str, ...]]:
        """By card, in the order in which they are dealt out."""
        return {"player": self.player, "traitor": self.traitor, "monster": self.monster}


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """One rulebook as policy."""

    id: str
    title: str
    """What people choose it by."""
    ledger: str
    """The prefix of its rules in the ledger."""
    start_room: str
    exploration: Exploration
    movement: Movement
    cards: Cards
    haunt_roll: HauntRoll
    haunt: HauntPlay
    monsters: Monsters
    cite: Citations
    turns: Turns = Turns()
    dice: Dice = Dice()
    secrets: Secrets = Secrets()
    reminders: Reminders = Reminders(traitor=("TPOW",), monster=("MON",))
    fight: Fight = Fight()
    moderated: bool = False
    """A moderator runs the game, whoever rolls the dice (PBP-BASE-001)."""
    official_rulings: bool = True
    """Official rulings on cards and rooms bind; if false, they hold where the table chooses them (PBP-BASE-002)."""
    content: str = ""
    """The edition whose packs it is played with, where that is another (PBP-BASE-001)."""
    restated: dict[str, str] = {}
    """From rules of the base edition to its own that restate or change them: content cites the former."""

    def plays(self, edition: str) -> bool:
        """Whether a pack written for that edition is played by this one."""
        return edition == (self.content or self.id)

    def rules_of(self) -> tuple[str, ...]:
        """The editions in the ledger whose rules hold: its own, and the base's where its own are silent."""
        return (self.id, self.content) if self.content else (self.id,)
