"""Effects: what a card, room or haunt does, one verb each, in the imperative and in order.

`Effect` carries exactly one verb key besides its modifiers. `you` is the explorer (or monster) that the effect is about.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from content.vocabulary.base import DamageKind, Deck, Floor, Side, Trait, Word
from content.vocabulary.values import Condition, Place, Rooms, Value, Who


class Steps(Word, frozen=True, kw_only=True):
    """Spaces on trait tracks (2E-TRAIT-003). Exactly one of `trait`, `traits`, `one-of`.

    Example: `{trait: speed}`, `{traits: [might, speed], steps: 2}`, `{one-of: [sanity, knowledge]}`.
    """

    trait: Trait | Literal["rolled"] | None = None
    """One trait; `rolled` is the trait of the latest roll of this block."""
    traits: list[Trait] | None = None
    """Each of these traits."""
    one_of: list[Trait] | None = None
    """One of these traits, chosen by the explorer it happens to."""
    steps: Value = 1
    """How many spaces."""


class Heal(Word, frozen=True, kw_only=True):
    """Raise traits that are below their starting value towards it, never past it.

    Example: `{traits: [might, speed]}`, `{split: [might, speed], steps: 3}`.
    """

    traits: list[Trait] | None = None
    """Each of these traits, right up to its starting value."""
    split: list[Trait] | None = None
    """At most `steps` spaces, divided freely among these traits."""
    steps: Value | None = None
    """With `split`: how many spaces at most, in all."""


class SetTrait(Word, frozen=True, kw_only=True):
    """Move clips to a named space of the track. Example: `{traits: [might], to: lowest}`."""

    trait: Literal["rolled"] | Trait | None = None
    """One trait; `rolled` is the trait of the latest roll of this block."""
    traits: list[Trait] | None = None
    """Each of these traits."""
    to: Literal["lowest", "start"]
    """`lowest`: the last space before the skull; `start`: the starting value."""
    or_another: bool = False
    """If the trait is there already, the explorer chooses another trait that is not."""


class Damage(Word, frozen=True, kw_only=True):
    """Damage, divided by its taker among the traits of its kind (2E-DMG-001, 2E-DMG-003). Exactly one of `dice`, `points`.

    Example: `{kind: physical, dice: 1}`, `{kind: mental, points: 2}`.
    """

    kind: DamageKind
    """Which traits can take it; `general`: all four."""
    dice: Value | None = None
    """Roll so many dice for the amount (2E-ROLL-006)."""
    points: Value | None = None
    """A fixed amount."""


class Roll(Word, frozen=True, kw_only=True):
    """Roll dice; `outcomes` beside it says what follows. Exactly one of `trait`, `one-of`, `dice`.

    Example: `{trait: speed}`, `{one-of: [speed, sanity]}`, `{dice: 2}`, `{dice: 6, against: {count: {omens: drawn}}}`.
    """

    trait: Trait | None = None
    """A trait roll (2E-ROLL-008)."""
    one_of: list[Trait] | None = None
    """A trait roll with a trait chosen by the roller."""
    dice: Value | None = None
    """That many dice (2E-ROLL-004); not a trait roll."""
    extra_dice: int = 0
    """More (or fewer) dice when `extra-if` holds."""
    extra_if: Condition | None = None
    """When `extra-dice` count."""
    against: Value | None = None
    """Compare with this number: the outcomes are `at-least` and `less`."""
    task: bool = False
    """A haunt's task roll: one in a turn, whatever the trait (2E-ROLL-011, 2E-ROLL-012)."""


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


class Draw(Word, frozen=True, kw_only=True):
    """Draw cards, each dealt with before the next. Example: `{deck: item, count: 2}`."""

    deck: Deck
    count: int = 1


class RevealUntil(Word, frozen=True, kw_only=True):
    """Turn up cards of a deck until one of the wanted kind appears, keep it and bury the others. Example: `{deck: item, kind: weapon}`."""

    deck: Deck
    kind: str
    """A kind of card: `weapon` or `companion`."""


class Search(Word, frozen=True, kw_only=True):
    """Choose a card from an undrawn stack, shuffle it and put the card on top. Example: `{decks: [item, event]}`."""

    decks: list[Deck]


class Look(Word, frozen=True, kw_only=True):
    """Look in secret at the next slots of a stack. Example: `{stack: tiles, count: 1}`."""

    stack: Deck | Literal["tiles"]
    count: int = 1


class LoseCard(Word, frozen=True, kw_only=True):
    """Choose (or let chance choose) an own card and lose it. Example: `{how: random, to: discard}`."""

    how: Literal["choose", "random"] = "choose"
    """Who chooses the card: its holder, or chance."""
    kind: Literal["item", "any", "not-weapon"] = "item"
    to: Literal["discard", "deck", "bury"] = "discard"
    """`deck`: shuffled into its stack."""


class TakeCard(Word, frozen=True, kw_only=True):
    """Take a card from another character, as a steal. Example: `{from: target}`."""

    from_: Who = msgspec.field(name="from")


class Fetch(Word, frozen=True, kw_only=True):
    """Send a companion to carry one item between here and a room within reach and come back. Example: `{spaces: 6}`."""

    spaces: int


class Move(Word, frozen=True, kw_only=True):
    """Put `you` somewhere, without cost (2E-MOVE-004 does not bar it). Example: `{to: entrance-hall}`, `{to: {on: [upper]}}`."""

    to: Place


class Shift(Word, frozen=True, kw_only=True):
    """Monsters come one space nearer to `you` along a shortest way. Example: `{monsters: any}`.

    `any`: their controller says which of them; `each`: all must.
    """

    monsters: Literal["any", "each"]


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


class MoveTile(Word, frozen=True, kw_only=True):
    """Move the tile of this text, occupants and all, to another free doorway (2E-ROOM-028). Example: `{floor: upper}`, `{floor: any}`."""

    floor: Floor | Literal["any"]


class Token(Word, frozen=True, kw_only=True):
    """A token and a place. Example: `{token: seal, at: here}`."""

    token: str
    at: Place = "here"
    count: Value = 1
    """How many."""


class RemoveToken(Word, frozen=True, kw_only=True):
    """Take tokens of this name away. Example: `{token: safe}`."""

    token: str
    at: Place | None = None
    """Default: here; `everywhere` with `all`."""
    all: bool = False
    """All of them, wherever they lie."""


class EventAttack(Word, frozen=True, kw_only=True):
    """Something without a figure attacks `you`: these dice against yours, the difference is damage. Example: `{trait: might, dice: 4}`."""

    trait: Trait = "might"
    """With what it attacks, and `you` defend."""
    dice: Value
    """How many dice it rolls."""
    damage: DamageKind = "physical"


class Trap(Word, frozen=True, kw_only=True):
    """`you` are held until freed by a trait roll (2E-TPOW-001). Example: `{trait: might, at-least: 4, tries: 3}`."""

    trait: Trait
    at_least: int
    """What a roll to get free has to come to."""
    tries: int
    """After so many failures the explorer is free at the start of its next own turn."""
    first_try_counts: bool = False
    """The roll that was just made is the first of the tries."""
    failing_stops: bool = False
    """Whoever tries in vain stops moving for this turn."""


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


class ModifyRoll(Word, frozen=True, kw_only=True):
    """Change the roll that this reaction answers. Example: `{dice: 2, max-dice: 8}`, `{result: 4}`, `{set: {from: 0, to: 8}}`."""

    dice: int = 0
    """So many more (or fewer) dice."""
    result: int = 0
    """Added to the result."""
    max_dice: int | None = None
    """But never more dice than these in all."""
    set: SetResult | None = None
    """In place of rolling, `you` name a result."""


class SetResult(Word, frozen=True, kw_only=True):
    """The span in which a result may be named."""

    from_: int = msgspec.field(name="from")
    to: int


class Reroll(Word, frozen=True, kw_only=True):
    """Roll dice of the roll that this reaction answers again; the new faces stand. Example: `{dice: any}`, `{dice: one}`."""

    dice: Literal["one", "any", "all", "blanks"]


class ConvertDamage(Word, frozen=True, kw_only=True):
    """The damage that this reaction answers becomes another kind. Example: `{to: physical}`."""

    to: DamageKind


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
    """Add so much."""
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
    """By this name conditions and `tell` speak of it."""
    rooms: Rooms | None = None
    """One of these rooms."""
    words: list[str] | None = None
    """One of these words."""
    by: Literal["choice", "chance"] = "choice"
    """`chance`: nobody chooses; the side of `you` is told what chance has picked."""


class Win(Word, frozen=True, kw_only=True):
    """The game ends; this side wins. Example: `{side: heroes, because: The last seal is set.}`."""

    side: Side
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
    """Where it was declined, or `if` fails."""
    outcomes: dict[str, list[Effect]] | None = None
    """Beside `roll` and `roll-each`: `5+`, `2-4`, `0`, without gap or overlap (2E-ROLL-005)."""
    rule: str | None = None
    """The ledger rule that this step applies, where it is not the card's own text."""

    # traits and damage
    gain: Steps | None = None
    """Raise traits."""
    lose: Steps | None = None
    """Lower traits; a loss by name is no damage."""
    heal: Heal | None = None
    set_trait: SetTrait | None = None
    damage: Damage | None = None
    # rolls
    roll: Roll | None = None
    roll_each: RollEach | None = None
    modify_roll: ModifyRoll | None = None
    reroll: Reroll | None = None
    convert_damage: ConvertDamage | None = None
    attacked: EventAttack | None = None
    # cards
    draw: Draw | None = None
    reveal_until: RevealUntil | None = None
    search: Search | None = None
    look: Look | None = None
    discard: Literal["this"] | None = None
    """Lose the card that speaks: it is used up."""
    lose_card: LoseCard | None = None
    take: TakeCard | None = None
    fetch: Fetch | None = None
    set_state: str | None = None
    """The card that speaks changes its state."""
    give: str | None = None
    """`you` get the item token of this name (2E-ITEM-017); a monster only if it carries."""
    # places
    move: Move | None = None
    shift: Shift | None = None
    place_tile: PlaceTile | None = None
    move_tile: MoveTile | None = None
    place_token: Token | None = None
    """Put a token into a room."""
    remove_token: RemoveToken | None = None
    trap: Trap | None = None
    # flow
    choose: list[Option] | None = None
    """`you` choose one of these options."""
    run: str | None = None
    """Do a named block of this pack or haunt."""
    stop: Literal["moving", "attacking", "turn", "block"] | None = None
    """No more movement or attack this turn; end the turn; skip the rest of this block."""
    # haunt
    place_monster: PlaceMonster | None = None
    stun: Monsters | None = None
    """Stun these monsters."""
    kill: Monsters | Literal["you", "target"] | None = None
    """Kill these monsters, or somebody."""
    remove: Literal["you", "target"] | None = None
    """An explorer is taken out of the house without dying: a traitor who is transformed, say, and goes on taking turns (2E-HTURN-004)."""
    change_side: Side | None = None
    """`you` (explorer or monster) are on this side from now on (2E-DEATH-002); an explorer reads its book."""
    count: CounterChange | None = None
    tell: Tell | None = None
    choose_secret: ChooseSecret | None = None
    escape: Literal["you"] | None = None
    """`you` leave the house alive, with all they carry, and have no further part in the game; this is no death."""
    reveal: Literal["traitor"] | None = None
    """The hidden traitor turns up the token (2E-HID-005)."""
    win: Win | None = None


VERBS: tuple[str, ...] = tuple(
    name for name in Effect.__struct_fields__ if name not in {"if_", "who", "may", "then", "else_", "outcomes", "rule"}
)
"""The Struct field names of all verbs, in the order of the manual."""
