"""What the pieces of a pack are called, with their articles."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from content.vocabulary.base import TRAITS, Floor, Trait
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Haunt, Pack
from domain.editions import EDITIONS, Edition
from domain.editions.edition import HauntPlay
from projections.wording.words.english import a, countable, listed, plain, plural, quoted, the

FLOORS: dict[str, str] = {"basement": "in the basement", "ground": "on the ground floor", "upper": "on the upper floor"}

FLOOR_NAMES: dict[Floor, str] = {"basement": "basement", "ground": "ground floor", "upper": "upper floor"}

DECKS: dict[str, str] = {"event": "event deck", "item": "item deck", "omen": "omen deck", "tiles": "room stack"}


class Titles(msgspec.Struct, frozen=True, kw_only=True):
    """Titles by id, and the blocks of steps that pieces share. Inside a haunt its own come first."""

    rooms: Mapping[str, str]
    cards: Mapping[str, str]
    tokens: Mapping[str, str]
    of_haunts: Collection[str]
    """Tokens that stand for a thing of their haunt, and not for the text of a card."""
    monsters: Mapping[str, str]
    counters: Mapping[str, str]
    own_counters: Collection[str]
    """Those of which every explorer has one."""
    explorers: Mapping[str, str]
    haunts: Mapping[str, str]
    rulings: Mapping[str, str]
    """The alternatives that a table may choose, by id: what holds then."""
    blocks: Mapping[str, Sequence[Effect]]
    discard: str
    """What becomes of a card that is used up, as a verb: `discard`, or `bury` where the edition puts it under its deck."""
    foe: str
    """Who wins when the heroes do not."""
    alone: bool
    """Each explorer plays alone: `you win`."""
    survivors_decide: bool
    """The traitor's side wins when no hero is left."""
    rooms_spare: bool
    """Traitor and monsters may ignore the damage that rooms deal, and nothing else of them."""

    @classmethod
    def of(cls, pack: Pack, within: Haunt | None = None, edition: Edition | None = None) -> Titles:
        """The titles of a pack, as one of its haunts says them; of an edition that plays it, if it is not the pack's own."""
        policy = edition or EDITIONS[pack.head.edition]
        haunts = [*pack.haunts, *([within] if within is not None else [])]
        items = [card for haunt in haunts for card in haunt.items]
        tokens = [token for haunt in haunts for token in haunt.tokens]
        return cls(
            rooms={tile.id: tile.title for tile in pack.tiles},
            cards={card.id: card.title for card in (*items, *pack.cards)},
            tokens={token.id: token.title for token in (*tokens, *pack.tokens)},
            of_haunts={token.id for token in tokens} - {token.id for token in pack.tokens},
            monsters={kind: monster.title for haunt in haunts for kind, monster in haunt.monsters.items()},
            counters={name: counter.title for haunt in haunts for name, counter in haunt.counters.items()},
            own_counters={
                name for haunt in haunts for name, counter in haunt.counters.items() if counter.each is not None
            },
            explorers={explorer.id: explorer.title for explorer in pack.explorers},
            haunts={haunt.id: haunt.title for haunt in haunts},
            rulings={
                choice.id: choice.text
                for rulings in (
                    *(card.rulings for card in (*pack.cards, *items)),
                    *(tile.rulings for tile in pack.tiles),
                )
                for ruling in rulings
                for choice in ruling.alternatives
                if not isinstance(choice, str)
            },
            discard="bury" if policy.cards.bury else "discard",
            foe=_foe(policy.haunt, within),
            alone=within is not None and within.kind == "free-for-all",
            survivors_decide=policy.haunt.survivors_decide,
            rooms_spare=policy.haunt.ignores == "damage",
            blocks={**pack.head.blocks, **(within.blocks if within is not None else {})},
        )

    def room(self, room: str) -> str:
        """`the Crypt`."""
        return the(self.rooms.get(room) or plain(room))

    def a_room_of(self, rooms: Sequence[str]) -> str:
        """`the Crypt or the Graveyard`."""
        return listed([self.room(room) for room in rooms], "or")

    def card(self, card: str) -> str:
        """`the Spear`; `this card` is the one whose text it is."""
        return "this card" if card == "this" else the(self.cards.get(card) or plain(card))

    def token(self, token: str) -> str:
        """`Closet token`, without article; what a token of a haunt stands for is called by its name alone: `Hiding Place`."""
        title = self.tokens.get(token) or plain(token)
        alone = title.endswith("token") or (token in self.of_haunts and countable(title))
        return title if alone else f"{title} token"

    def room_with(self, token: str) -> str:
        """The room where a token is: one of them, where a haunt may have several."""
        return (
            f"a room with {a(self.token(token))}"
            if token in self.of_haunts
            else f"the room with the {self.token(token)}"
        )

    def monster(self, kind: str) -> str:
        """`Rat`, without article; `monster` is of any kind."""
        return "monster" if kind == "any" else self.monsters.get(kind) or plain(kind)

    def kinds(self, kind: str) -> str:
        """`Rats`, `monsters`."""
        return plural(self.monster(kind))

    def counter(self, counter: str, *, own: bool = True) -> str:
        """`“Strokes of the bell”`, in quotation marks: what counters are called is no noun of the game.

        One of which every explorer has its own is `[your] “Bid”`, unless `own` says that nobody's is meant.
        """
        title = quoted(self.counters.get(counter) or plain(counter).capitalize())
        return f"[your] {title}" if own and counter in self.own_counters else title


def trait(one: Trait | str) -> str:
    """`Might`; the trait of the latest roll is `that trait`."""
    return "that trait" if one == "rolled" else one.capitalize()


def traits(some: Sequence[Trait | str], last: str = "and") -> str:
    """`Might and Speed`; all four are `all traits`, or `any trait` where one is chosen."""
    if set(some) == set(TRAITS):
        return "all traits" if last == "and" else "any trait"
    return listed([trait(one) for one in some], last)


def floors(some: Sequence[Floor]) -> str:
    """`in the basement or on the upper floor`."""
    return listed([FLOORS[floor] for floor in some], "or")


def card_of(deck: str) -> str:
    """`item card`."""
    return f"{deck} card"


def _foe(play: HauntPlay, within: Haunt | None) -> str:
    if within is not None and within.kind == "free-for-all":
        return "nobody"
    if within is not None and within.kind == "no-traitor":
        return "the house" if play.house_wins else "nobody"
    return "the traitor's side"
