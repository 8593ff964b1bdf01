"""Effects: what a card, room or haunt does, one verb each, in the imperative and in order.

`Effect` carries exactly one verb key besides its modifiers. `you` is the explorer (or monster) that the effect is about.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from content.vocabulary.base import Floor, Side, Trait, Word
from content.vocabulary.values import Condition, Place, Rooms, Value, Who
from content.vocabulary.verbs import (
    ConvertDamage,
    Damage,
    Draw,
    EventAttack,
    Fetch,
    Heal,
    Look,
    LoseCard,
    ModifyRoll,
    Move,
    MoveTile,
    MustAttack,
    RemoveTile,
    RemoveToken,
    Reroll,
    RevealUntil,
    Roll,
    Search,
    SetResult,
    SetTrait,
    Shift,
    Steps,
    TakeCard,
    Token,
    Trap,
)


class RollEach(Word, frozen=True, kw_only=True):
    """A trait roll for each of these traits in turn; `outcomes` applies to each with `rolled` as its trait.

    Example: `{traits: [might, speed, sanity, knowledge], all-at-least: 2, then: [{gain: {one-of: [might, speed]}}]}`.
    """

    traits: list[Trait]
    """In this order."""
    all_at_least: int | None = None
    """If each of the rolls comes to so much, `then` happens."""
    then: list[Effect] | None = None
    """After all of them."""


class PlaceTile(Word, frozen=True, kw_only=True):
    """Bring a tile into the house. Example: `{floor: basement}`, `{tile: patio}`, `{floor: any}`.

    The next fitting tile of the stack, or a named one searched for (the stack is shuffled then). The chooser picks a free
    doorway and a rotation that seals nothing off; the room is `placed-room` for what follows. `discovered` tells whether
    entering it later in this block counts as discovery (2E-CARD-009).
    """

    floor: Floor | Literal["any"] | None = None
    """The next tile of the stack that is for this floor."""
    tile: str | None = None
    """This tile, wherever in the stack it is."""
    discovered: bool = True
    otherwise: list[Effect] | None = None
    """Where no tile is left or none fits; the rest of the block after `place-tile` is skipped then."""


class BreakWall(Word, frozen=True, kw_only=True):
    """`you` choose a wall without exit of the room and find the room behind it, which is `placed-room` then. Example: `{corners: true}`.

    If no room is behind the wall, the next tile of the stack for this floor comes there, doors or not.
    """

    corners: bool = False
    """A corner will do as well: it leads to the room diagonally behind it."""
    otherwise: list[Effect] | None = None
    """Where no tile is left or none fits; the rest of the block after `break-wall` is skipped then."""


class EachRoom(Word, frozen=True, kw_only=True):
    """Do steps for each of some rooms, in the order in which they came into the house.

    In the steps `that-room` is each of the rooms in turn; `you` stay who you are. Which rooms they are is settled before the first.

    Example: `{rooms: {with-token: seal}, do: [{place-monster: {kind: rat, at: that-room}}]}`.
    """

    rooms: Rooms
    """All rooms that fit; nobody chooses among them."""
    do: list[Effect]


class HauntRoll(Word, frozen=True, kw_only=True):
    """`you` make a haunt roll now. Example: `{number: 7, otherwise: [{gain: {trait: sanity}}]}`."""

    number: int
    """If the haunt begins, it is this one and not the chart's; `you` are its revealer."""
    otherwise: list[Effect] = []
    """If it does not begin."""


class Option(Word, frozen=True, kw_only=True):
    """One option of `choose`."""

    id: str
    """The word by which it is chosen."""
    title: str = ""
    """A label for people."""
    if_: Condition | None = msgspec.field(name="if", default=None)
    """It is offered only where this holds."""
    do: list[Effect] = []
    """What follows; nothing, if it is left out."""


class PlaceMonster(Word, frozen=True, kw_only=True):
    """Put monsters of a kind into the house. Example: `{kind: rat, at: room-of-haunt, count: {players: {3: 3, 4: 4}}}`."""

    kind: str
    at: Place
    count: Value = 1


class Monsters(Word, frozen=True, kw_only=True):
    """Monsters to stun, to kill or to remove. Example: `{kind: rat, in: here}`."""

    kind: str = "any"
    """Of this kind; `any`: of any."""
    in_: Place | None = msgspec.field(name="in", default=None)
    """In these rooms only."""


class CounterChange(Word, frozen=True, kw_only=True):
    """Move a counter of the haunt. Example: `{counter: seals, by: 1}`, `{counter: dread, to: 0}`."""

    counter: str
    by: Value | None = None
    """How much to add."""
    to: Value | None = None
    """Set it to this value."""


class Tell(Word, frozen=True, kw_only=True):
    """Tell one side a text of the haunt, or a secret. Exactly one of `text`, `secret`.

    Example: `{side: heroes, text: the-name}`, `{side: all, secret: hiding-place}`.
    """

    side: Side | Literal["all", "you"]
    text: str | None = None
    """The name of a text in a book of the haunt."""
    secret: str | None = None
    """The name of a secret that was chosen: its room or word is told."""


class ChooseSecret(Word, frozen=True, kw_only=True):
    """`you` choose a room or a word in secret: their side and the referee know which. Exactly one of `rooms`, `words`.

    Everybody is told that it was chosen. Example: `{name: hiding-place, rooms: {besides-here: true}}`,
    `{name: true-name, words: [ash, ember, cinder]}`.
    """

    name: str
    """The name by which conditions and `tell` refer to it."""
    rooms: Rooms | None = None
    """One of these rooms."""
    words: list[str] | None = None
    """One of these words."""
    by: Literal["choice", "chance"] = "choice"
    """`chance`: nobody chooses; the side of `you` is told what chance has picked."""


class Win(Word, frozen=True, kw_only=True):
    """The game ends; this side wins. Example: `{side: heroes, because: The last seal is set.}`."""

    side: Side | Literal["you"]
    """`you`: whichever `you` are on; in a free-for-all that is `you` alone."""
    because: str
    """How it ended, in a sentence for everybody."""


class Effect(Word, frozen=True, kw_only=True):
    """One step: exactly one verb, with modifiers.

    Example: `{damage: {kind: mental, dice: 1}, who: {each: explorer, on: [basement]}}`.
    """

    # modifiers
    if_: Condition | None = msgspec.field(name="if", default=None)
    """Skip the step unless this holds; with no verb beside it, `then` and `else` are the two branches."""
    who: Who | None = None
    """Who `you` are for this step; with several, the step is done for each of them in turn order."""
    may: str | None = None
    """The one it happens to may decline; the text is the question."""
    then: list[Effect] | None = None
    """After a step that happened (or the branch of a bare `if`)."""
    else_: list[Effect] | None = msgspec.field(name="else", default=None)
    """Where it was declined or, being harmful, ignored, or `if` fails."""
    outcomes: dict[str, list[Effect]] | None = None
    """Beside `roll` and `roll-each`: `5+`, `2-4`, `0`, without gap or overlap (2E-ROLL-005)."""
    rule: str | None = None
    """The ledger rule that this step applies, where it is not the card's own text."""
    harmful: bool = False
    """Rooms: the harmful part of a text that also helps; traitor and monsters may ignore it (2E-TPOW-002), a hidden traitor by revealing itself.

    Example: `{damage: {kind: physical, dice: 1}, harmful: true}`. If all that a trigger does is harmful, say so on the trigger.
    """

    # traits and damage
    gain: Steps | None = None
    """Raise traits."""
    lose: Steps | None = None
    """Lower traits; a loss by name is not damage."""
    heal: Heal | None = None
    set_trait: SetTrait | None = None
    damage: Damage | None = None
    # rolls
    roll: Roll | None = None
    roll_each: RollEach | None = None
    modify_roll: ModifyRoll | None = None
    reroll: Reroll | None = None
    next_roll: Trait | None = None
    """The next trait roll that `you` make this turn, unless it is an attack, is made with this trait whatever was asked for."""
    convert_damage: ConvertDamage | None = None
    attacked: EventAttack | None = None
    must_attack: MustAttack | None = None
    # cards
    draw: Draw | None = None
    reveal_until: RevealUntil | None = None
    search: Search | None = None
    look: Look | None = None
    discard: Literal["this"] | None = None
    """Lose this card: it is used up."""
    lose_card: LoseCard | None = None
    take: TakeCard | None = None
    fetch: Fetch | None = None
    keep: Literal["this"] | None = None
    """`you` keep this event, and its effect lasts until it is discarded."""
    store: Literal["roll"] | None = None
    """This card keeps the result of the latest roll, for `modify-roll: {stored: true}`."""
    set_state: str | None = None
    """This card changes its state."""
    give: str | None = None
    """`you` get the item token of this name (2E-ITEM-017) unless it is in play already; a monster only if it carries."""
    # places
    move: Move | None = None
    shift: Shift | None = None
    place_tile: PlaceTile | None = None
    move_tile: MoveTile | None = None
    break_wall: BreakWall | None = None
    remove_tile: RemoveTile | None = None
    place_token: Token | None = None
    """Put a token into a room."""
    remove_token: RemoveToken | None = None
    trap: Trap | None = None
    # flow
    choose: list[Option] | None = None
    """`you` choose one of these options."""
    run: str | None = None
    """Do a named block of this pack or haunt."""
    stop: Literal["moving", "attacking", "leaving", "turn", "block"] | None = None
    """No more movement or attack this turn; stay in the room that `you` were about to leave, and move no further this turn;
    end the turn, once all that is under way is done; skip the rest of this block."""
    extra_turn: Literal["you"] | None = None
    """When the current turn is over, `you` have one more."""
    survive: Literal["you"] | None = None
    """`you` do not die of what just put a trait on the skull (in a `dying` trigger); say where the traits are then."""
    each_room: EachRoom | None = None
    # haunt
    haunt_roll: HauntRoll | None = None
    place_monster: PlaceMonster | None = None
    stun: Monsters | None = None
    """Stun these monsters."""
    kill: Monsters | Literal["you", "target"] | None = None
    """Kill these monsters, or somebody."""
    remove: Literal["you", "target"] | None = None
    """An explorer is taken out of the house without dying: a traitor who is transformed, say, and goes on taking turns (2E-HTURN-004).

    Of a corpse: it is gone, and nobody can take its cards any more (3E-DIE-005).
    """
    change_side: Side | None = None
    """`you` (explorer or monster) are on this side from now on (2E-DEATH-002); an explorer reads its book."""
    count: CounterChange | None = None
    tell: Tell | None = None
    choose_secret: ChooseSecret | None = None
    escape: Literal["you"] | None = None
    """`you` leave the house alive, with all they carry, and have no further part in the game; this is not a death."""
    reveal: Literal["traitor"] | None = None
    """The hidden traitor turns up the token (2E-HID-005)."""
    win: Win | None = None

    def verb(self) -> tuple[str, Any] | None:
        """Its verb and the verb's value, None for a bare `if`."""
        for name in VERBS:
            value = getattr(self, name)
            if value is not None:
                return name, value
        return None


VERBS: tuple[str, ...] = tuple(
    name
    for name in Effect.__struct_fields__
    if name not in {"if_", "who", "may", "then", "else_", "outcomes", "rule", "harmful"}
)
"""The Struct field names of all verbs, in the order of the manual."""

__all__ = [
    "VERBS",
    "BreakWall",
    "ConvertDamage",
    "CounterChange",
    "Damage",
    "Draw",
    "EachRoom",
    "Effect",
    "EventAttack",
    "Fetch",
    "HauntRoll",
    "Heal",
    "Look",
    "LoseCard",
    "ModifyRoll",
    "Monsters",
    "Move",
    "MoveTile",
    "MustAttack",
    "Option",
    "PlaceMonster",
    "PlaceTile",
    "RemoveTile",
    "RemoveToken",
    "Reroll",
    "RevealUntil",
    "Roll",
    "RollEach",
    "Search",
    "SetResult",
    "SetTrait",
    "Shift",
    "Steps",
    "TakeCard",
    "Tell",
    "Token",
    "Trap",
    "Win",
]
