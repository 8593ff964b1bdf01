"""Numbers, selections and conditions: the nouns of the vocabulary. They ask the state and change nothing."""

from __future__ import annotations

from typing import Literal

import msgspec

from content.vocabulary.base import Deck, Floor, Side, Trait, Word


class Count(Word, frozen=True, kw_only=True):
    """How many of something there are; exactly one key.

    Example: `{monsters: rat}`, `{explorers: living-heroes}`, `{tokens: seal}`, `{omens: drawn}`, `{cards: of-haunt}`.
    """

    monsters: str | None = None
    """Monsters of this kind in the house (`any` for all kinds), stunned ones included."""
    explorers: Literal["all", "living", "living-heroes", "heroes", "escaped"] | None = None
    """Explorers; `all` and `heroes` include the dead (2E-DEATH-003), `escaped` are those who left the house alive."""
    tokens: str | None = None
    """Tokens of this name in the house."""
    omens: Literal["drawn"] | None = None
    """Omens drawn in this game by all explorers, wherever they are now (2E-HROLL-004)."""
    cards: Literal["any", "item", "omen", "of-haunt"] | None = None
    """Cards that `you` have: of any deck, items alone, omens alone, or the haunt's own item tokens."""


class Number(Word, frozen=True, kw_only=True):
    """A computed number; exactly one key. A plain integer stands for itself.

    Example: `{players: {3: 4, 4: 5, 5: 6, 6: 7}}`, `{counter: seals}`, `{result: roll}`, `{sum: [{counter: seals}, 2]}`.
    """

    players: dict[str, int] | None = None
    """By the number of explorers at the start of the game, the dead included (2E-DEATH-003)."""
    trait: Trait | None = None
    """The current value of this trait of `you`."""
    count: Count | None = None
    """How many of something there are."""
    counter: str | None = None
    """The value of a counter that the haunt declares (2E-COMP-011); where each explorer has one, that of `you`."""
    result: Literal["roll", "attack", "damage", "blanks"] | None = None
    """The total of the latest roll of this block, what the latest damage came to, or the blanks that `reroll` has left."""
    sum: list[Value] | None = None
    """These numbers added up."""
    times: list[Value] | None = None
    """These numbers multiplied."""


Value = int | Number


class Each(Word, frozen=True, kw_only=True):
    """Several characters, picked by a filter; they are dealt with from the current player on, clockwise.

    Example: `{each: explorer, on: [basement]}`, `{each: monster, kind: rat, in: here}`,
    `{each: explorer, if: {has-item: true}, first: true}`, `{each: explorer, in: here, besides-you: true, one: true}`,
    `{each: corpse, in: here}`.
    """

    each: Literal["explorer", "hero", "traitor", "monster", "character", "opponent", "corpse"]
    """What they are; `opponent`: on the other side from `you`; `corpse`: a dead explorer whose figure lies in the house, of any side."""
    kind: str | None = None
    """Monsters of this kind only."""
    in_: Place | None = msgspec.field(name="in", default=None)
    """In one of these rooms only."""
    on: list[Floor] | None = None
    """On one of these floors only."""
    besides_you: bool = False
    """Leave `you` out."""
    having: list[Trait] | None = None
    """Only those who have all of these traits; many monsters lack one."""
    if_: Condition | None = msgspec.field(name="if", default=None)
    """Only those of whom this holds: in it `you` is each of them in turn."""
    lowest: Trait | None = None
    """Of these, only those with the lowest value of this trait."""
    most: str | None = None
    """Of these, only those whose own count of this counter is highest; the counter is one of each explorer."""
    first: bool = False
    """Of explorers, only the first that fits, counted from `you` to the left."""
    one: bool = False
    """Only one of them: `you` choose."""


Who = str | Each
"""`you` (default), `target`, `traitor`, `nearest-explorer`, `holder:<card>`, `left-of-you`, `right-of-you`, or an `Each`."""


class Rooms(Word, frozen=True, kw_only=True):
    """Rooms in the house, picked by a filter; all keys must hold. Where one room is wanted, the chooser picks among them.

    Example: `{on: [upper]}`, `{adjacent: true}`, `{with-token: seal}`, `{next-to-token: seal}`, `{in-sight: true, or-here: true}`,
    `{one-of: [crypt, graveyard]}`.
    """

    one_of: list[str] | None = None
    """One of these rooms."""
    on: list[Floor] | None = None
    """On one of these floors."""
    other_floor: bool = False
    """On a floor other than that of `you`."""
    lower_floor: bool = False
    """On a floor below that of `you`."""
    adjacent: bool = False
    """Sharing a side with the room of `you` (2E-MOVE-007), doors or not."""
    connected: bool = False
    """Reached from the room of `you` through one door or printed connection."""
    next_door: bool = False
    """Reached from where `you` are through one door, not by stairs or passages."""
    or_here: bool = False
    """The room of `you` as well, whatever else is asked."""
    besides_here: bool = False
    """Not the room of `you`."""
    with_: Who | None = msgspec.field(name="with", default=None)
    """Where somebody of these is."""
    with_token: str | None = None
    """With a token of this name."""
    without_token: str | None = None
    """Without a token of this name."""
    next_to_token: str | None = None
    """Behind a door of a room with a token of this name: one door away, not by stairs or passages."""
    symbol: Deck | None = None
    """Bearing this symbol."""
    outside: bool | None = None
    """Outside, or with `false` inside."""
    window: bool | None = None
    """With a window, or with `false` without one."""
    within: int | None = None
    """At most this many spaces of movement from `you` (opponents and stops do not count)."""
    in_sight: bool = False
    """In line of sight from the room of `you`, which is not one of them (but see `or-here`)."""
    discovered_since_haunt: bool | None = None
    """Discovered since the haunt began, or with `false` before."""


Place = str | Rooms
"""A room id, `here`, `target-room`, `placed-room`, `that-room` (in `each-room`), `other-token`, `token:<name>`, `room-of:<who>`,
`room-of-haunt`, or `Rooms` to choose from."""


class SecretIs(Word, frozen=True, kw_only=True):
    """Whether a secret is this room or word. Example: `{name: hiding-place, is: here}`, `{name: true-name, is: ember}`."""

    name: str
    """A secret that some step of the haunt chooses."""
    is_: str = msgspec.field(name="is")
    """`here` (the room of `you`), a room, or a word."""


class Condition(Word, frozen=True, kw_only=True):
    """Something that is true or not; every key given must hold.

    Example: `{phase: haunt, you: hero}`, `{carrying: candle}`, `{not: {on: [basement]}}`, `{counter: seals, at-least: 3}`.
    """

    all: list[Condition] | None = None
    """Each of these holds."""
    any: list[Condition] | None = None
    """At least one of these holds."""
    not_: Condition | None = msgspec.field(name="not", default=None)
    """This does not hold."""
    phase: Literal["exploration", "haunt"] | None = None
    you: Literal["explorer", "hero", "traitor", "revealed-traitor", "monster", "drawer"] | None = None
    """What `you` are; before the haunt every explorer counts as hero. `drawer`: it is your own turn."""
    traitor: Literal["none", "exists", "dead", "revealed", "hidden"] | None = None
    on: list[Floor] | None = None
    """The room of `you` is on one of these floors."""
    in_: Place | None = msgspec.field(name="in", default=None)
    """`you` are in (one of) these rooms."""
    in_house: str | None = None
    """This tile is in the house."""
    any_in_house: list[str] | None = None
    """One of these tiles is in the house."""
    token: str | None = None
    """A token of this name is in the room of `you`."""
    token_in_house: str | None = None
    """A token of this name is in the house."""
    carrying: str | None = None
    """`you` have this card (or item token)."""
    in_play: str | None = None
    """Somebody has this card (or item token), or it is in a pile."""
    held: str | None = None
    """Somebody alive has this card (or item token)."""
    has_item: bool | Literal["not-weapon"] | None = None
    """`you` have at least one item card (omens not counted), or one that is not a weapon."""
    critical: bool | None = None
    """A trait of `you` is critical: on the last space before the skull."""
    ruling: str | None = None
    """The game was opened with this alternative of a ruling; see `Alternative`."""
    card_state: str | None = None
    """This card is in this state."""
    with_: Who | None = msgspec.field(name="with", default=None)
    """Such a character shares your room and part."""
    there_is: Who | None = None
    """There is such a character."""
    moved: bool | None = None
    """The explorer `you` has changed rooms in its current turn."""
    alone: bool | None = None
    """No other explorer is in your room."""
    counter: str | None = None
    """With `at-least` or `at-most`: the value of this counter."""
    count: Count | None = None
    """With `at-least` or `at-most`: how many there are."""
    number: Value | None = None
    """With `at-least`/`at-most`: any number."""
    at_least: Value | None = None
    """Compared with `counter`, `count` or `number`."""
    at_most: Value | None = None
    """Compared in the same way."""
    dead: Literal["all-heroes", "traitor", "any-explorer"] | None = None
    """Who has died."""
    monsters_gone: str | None = None
    """No monster of this kind is left (`any`: of no kind)."""
    round_at_least: int | None = None
    """Rounds of the haunt begun, the first is 1."""
    side: Side | None = None
    """`you` are on this side (the truth, known or not)."""
    secret: SecretIs | None = None
    """What was chosen in secret is this. Only in steps: players must know what they may do."""
    came_from: str | None = None
    """Triggers for `entered`: `you` came on foot from this room."""
    discovered_now: bool | None = None
    """`you` have discovered the room of `you` in this turn."""
    by_choice: bool | None = None
    """Triggers for `left`: `you` leave by choice and can still stay (`stop: leaving`); not when an effect takes `you` away."""
    monsters_stuck: Floor | None = None
    """A monster of the traitor on this floor has no way to any hero (2E-MON-021)."""
    monsters_explore: bool | None = None
    """The haunt in play has monsters that discover rooms, or with `false` none (2E-MON-022)."""
