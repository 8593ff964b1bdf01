"""Titles for ids: what rooms, cards, figures, sources and rolls are called in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from content.vocabulary.pack import Haunt
from domain.engine.parts import kind_of_box
from domain.engine.rules import Rules
from domain.facts.grid import DIRECTIONS
from domain.facts.ids import id_kind, is_own_side, split_id
from domain.facts.state import UNNAMED, Aim, State, is_explorer
from projections.wording.words.english import plain, quoted, the
from projections.wording.words.filled import filled
from projections.wording.words.numbers import GameNumbers, Known

SHOWN = {
    "State": ("explorers", "haunt", "monsters", "tokens", "piles", "seats"),
    "Explorer": ("id", "cards"),
    "Haunt": ("id",),
    "Monster": ("kind", "cards"),
    "TokenHere": ("token",),
    "Pile": ("cards",),
}
"""What of a state is read here: who plays whom, which haunt is played, and which of its pieces are in the house."""

DECKS = {"tiles": "room stack", "event": "event deck", "item": "item deck", "omen": "omen deck"}

SIDES = {
    "heroes": "the heroes",
    "traitor": "the traitor",
    "house": "the house",
    "all": "everybody",
    "you": "one explorer",
}
BOOKS = {"heroes": "The heroes' book", "traitor": "The traitor's book"}
SHARED_BOOK = "The book that everybody reads"

SOURCES = {
    "attack": "the attack",
    "event": "the event",
    "haunt": "the haunt",
    "ruling": "the ruling",
    "setup": "the setup",
    "haunt:heroes": "the heroes' book",
    "haunt:traitor": "the traitor's book",
}
"""Sources that are no piece of content."""


class Names:
    """Titles in one game. Anything without a title (an id of an older pack, say) is called by its id, made readable."""

    __slots__ = ("_haunt", "_pack", "_state", "unseen")

    def __init__(self, rules: Rules, state: State | None = None, *, seen_only: bool = False) -> None:
        """Bind.

        Args:
            rules: whose pack has the titles.
            state: tells who plays whom; without it explorers are called by their seats.
            seen_only: call pieces of a haunt that are not in the house by their ids, for callers who can only guess at them (2E-SEC-001).
        """
        self._state = state or State()
        self._pack = rules.of(self._state).pack
        playing = self._state.haunt
        self._haunt = None if playing is None else self._pack.haunts.get(playing.id)
        self.unseen = self._pieces() - _in_the_house(self._state) if seen_only else frozenset()
        """Pieces of haunts that are called by their ids."""

    def room(self, room: str) -> str:
        """A room: `Mystic Elevator`."""
        tile = self._pack.tiles.get(room)
        return tile.title if tile is not None else readable(room)

    def the_room(self, room: str) -> str:
        """A room within a sentence: `the Mystic Elevator`."""
        return the(self.room(room))

    def card(self, card: str) -> str:
        """A card or an item token of a haunt: `Holy Symbol`."""
        return ("" if card in self.unseen else self._pack.titles.get(card)) or readable(card)

    def cards(self, cards: list[str]) -> str:
        """Several cards: `Axe, Bell and Spear`."""
        return enumerated([self.card(card) for card in cards])

    def face(self, deck: str, face: str) -> str:
        """What lies in a stack: a tile, or a card."""
        return self.room(face) if deck == "tiles" else self.card(face)

    def character(self, explorer: str) -> str:
        """An explorer by its own id: `Ox Bellows`."""
        sheet = self._pack.explorers.get(explorer)
        return sheet.title if sheet is not None else readable(explorer)

    def figure(self, figure: Aim) -> str:
        """An explorer by its seat, a monster, or a room that is a target; `Seat 2` where nobody knows yet who plays."""
        if not is_explorer(figure):
            return self.the_room(figure) if figure in self._pack.tiles else self.monster(figure)
        explorers, figure = self._state.explorers, self._state.seat_of(figure)
        if figure == UNNAMED:
            return "the hidden traitor"
        return self.character(explorers[figure].id) if 0 <= figure < len(explorers) else f"Seat {figure}"

    def seat(self, option: str) -> str:
        """An explorer named as an option or by its number: `seat:2`, `2`; or a monster."""
        name = option.rpartition(":")[2]
        return self.figure(int(name) if name.isdecimal() else name)

    def someone(self, option: str) -> str:
        """A character named as an option: `seat:2`, `rat-2`."""
        return self.seat(option) if option.startswith("seat:") else self.monster(option)

    def monster(self, monster: str) -> str:
        """A monster by its id: `Rat 2`."""
        kind, _, number = monster.rpartition("-")
        return f"{self.kind(kind)} {number}" if kind else readable(monster)

    def kind(self, kind: str) -> str:
        """A kind of monster: `Rat`."""
        for haunt in self._haunts() if kind not in self.unseen else ():
            if kind in haunt.monsters:
                return haunt.monsters[kind].title
        return readable(kind)

    def deck(self, deck: str) -> str:
        """A stack: `event deck`, `room stack`."""
        return DECKS.get(deck, readable(deck))

    def token(self, token: str) -> str:
        """A token: `Secret Passage`."""
        kind = self._pack.tokens.get(token)
        return kind.title if kind is not None and token not in self.unseen else readable(token)

    def icon(self, token: str) -> str:
        """The drawing of a token; empty where letters stand for it."""
        kind = self._pack.tokens.get(token)
        return (kind.icon or "") if kind is not None and token not in self.unseen else ""

    def counter(self, counter: str) -> str:
        """A counter of a haunt: `Strokes of the bell`; one of each explorer: `Bid (Ox Bellows)`."""
        name = id_kind(counter)
        for haunt in self._haunts():
            if name in haunt.counters:
                return self.owned(counter, filled(haunt.counters[name].title, haunt, Known(self._state.seats)))
        return readable(counter)

    def owned(self, counter: str, title: str) -> str:
        """A counter's title, with whose it is where every explorer has one."""
        _, seat = split_id(counter)
        return f"{title} ({self.figure(int(seat))})" if seat else title

    def filled(self, text: str) -> str:
        """A text of the haunt in play with the numbers that it names."""
        return filled(text, self._haunt, GameNumbers(self._state))

    def haunt(self, haunt: str) -> str:
        """A haunt: `The Bell Below`."""
        found = self._pack.haunts.get(haunt)
        return found.title if found is not None else readable(haunt)

    def scenario(self, scenario: str) -> str:
        """A scenario: `For Sale`."""
        found = self._pack.scenarios.get(scenario)
        return found.title if found is not None else readable(scenario)

    def secret(self, secret: str) -> str:
        """What is chosen in secret, as a haunt calls it: `“hiding place”`."""
        return quoted(plain(secret))

    def chosen(self, value: str) -> str:
        """What was chosen in secret: a room, or one of the words of a haunt: `the Attic`, `“being late”`."""
        return self.the_room(value) if value in self._pack.tiles else quoted(plain(value))

    def plain(self, words: str) -> str:
        """Words that need no title: traits, numbers, questions."""
        return words

    def witnessed(self, said: str) -> str:
        """What a player says that real dice or cards show (`dice:trait=0+2`): `the dice show 0 2`, `Axe`."""
        what, _, shown = said.partition("=")
        kind, deck = split_id(what)
        if kind == "dice":
            return f"the dice show {shown.replace('+', ' ')}"
        if kind == "tile-back":
            return f"the back of the next tile shows {enumerated(shown.split('+'))}"
        return self.face(deck or "tiles", shown) if kind in ("tile", "card") else enumerated(shown.split("+"))

    def book(self, side: str) -> str:
        """A side's book: `heroes'`, `traitor's`."""
        return "heroes'" if side == "heroes" else "traitor's"

    def part(self, part: str) -> str:
        """A part of a haunt's books, as those call it who have not read it: `LIGHT in the heroes' book`."""
        if kind := kind_of_box(part):
            return f"The box of {self.kind(kind)}"
        side, _, rest = part.partition(".")
        head, _, name = rest.partition(".")
        what = {"actions": name, "on": f"Rule {int(name) + 1}" if name.isdecimal() else name}.get(head)
        return f"{what or 'What is done in place of dying'} in the {self.book(side)} book"

    def side(self, side: str) -> str:
        """A side: `the heroes`, `the traitor`, or the explorer who is one alone."""
        return self.seat(side) if is_own_side(side) else SIDES.get(side, side)

    def winner(self, side: str) -> str:
        """Who has won: `The heroes have won`, `Ox Bellows has won`."""
        who = self.side(side)
        return f"{who[:1].upper()}{who[1:]} {'have' if side == 'heroes' else 'has'} won"

    def trait(self, trait: str) -> str:
        """A trait as the cards write it."""
        return trait.capitalize()

    def source(self, source: str) -> str:
        """What speaks, within a sentence: `Axe`, `the Vault`, `the heroes' book`."""
        title = self.title(source)
        return the(title) if id_kind(source) in ("tile", "token") else title

    def title(self, source: str) -> str:
        """What speaks, alone: `Vault` of `tile:vault`; `card:axe`, `token:safe`, `haunt:heroes`, `attack`."""
        if source in SOURCES:
            return SOURCES[source]
        what, name = split_id(source)
        if what == "card":
            return self.card(name)
        if what == "tile":
            return self.room(name)
        if what == "token":
            return self.token(name)
        if what == "haunt":
            return self.haunt(name)
        if what == "seat":
            return self.seat(source)
        if what == "box":
            return self.kind(name)
        return readable(name or what)

    def about(self, about: str) -> str:
        """What a roll is for: a source (`tile:mystic-elevator`), or the block that asks for it (`card/rotten#do`).

        Logs of older games name blocks that a pack's pieces share, too (`pack#blocks.ride`).
        """
        return self._of(about, self.source)

    def heading(self, about: str) -> str:
        """The same alone, without an article."""
        return self._of(about, self.title)

    def _of(self, about: str, called: Callable[[str], str]) -> str:
        owner = about.partition("#")[0]
        if owner == "pack":
            return "what several pieces say alike"
        what, _, name = owner.partition("/")
        if what == "monster":
            return self.kind(name)
        return called(f"{what}:{name}" if name else owner)

    def _pieces(self) -> frozenset[str]:
        """Monsters, tokens and items that only haunts have."""
        return frozenset(
            name
            for haunt in self._pack.haunts.values()
            for name in (*haunt.monsters, *(token.id for token in haunt.tokens), *(card.id for card in haunt.items))
        )

    def _haunts(self) -> Iterator[Haunt]:
        """The haunt in play first: if two haunts have a thing of the same name, its title counts."""
        if self._haunt is not None:
            yield self._haunt
        yield from self._pack.haunts.values()


def _in_the_house(state: State) -> set[str]:
    return {
        *state.cards_about(),
        *(one.kind for one in state.monsters.values()),
        *(here.token for here in state.tokens),
    }


def readable(name: str) -> str:
    """An id as a title: `secret-passage` is `Secret Passage`."""
    return " ".join(word[:1].upper() + word[1:] for word in name.replace("_", "-").split("-"))


def closed(words: str) -> str:
    """Words as a sentence, with a full stop unless a name or quotation at their end has closed it: `Dan Nguyen, M.D.`, `Whoops!`."""
    return words if words.endswith((".", "!", "?", "…", '."', '!"', '?"')) else f"{words}."


def enumerated(words: list[str], last: str = "and") -> str:
    """Words listed as in a sentence: `Axe, Bell and Spear`."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def counted(number: int, thing: str, things: str = "") -> str:
    """A number of things: `1 space`, `2 spaces`."""
    return f"{number} {thing}" if number == 1 else f"{number:,} {things or thing + 's'}"


def commits_between(first: int, last: int) -> str:
    """A span of commits, both ends among them: `commit 5`, `commits 5 to 9`."""
    return f"commit {last}" if first == last else f"commits {first} to {last}"


def compass(mask: int) -> list[str]:
    """A mask of sides as words, clockwise from north."""
    return [word for direction, word in enumerate(DIRECTIONS) if mask >> direction & 1]


def position(x: int, y: int) -> str:
    """Where a room lies, relative to the middle of its floor: `2 east, 1 south`."""
    across = f"{abs(x)} {'east' if x > 0 else 'west'}" if x else ""
    along = f"{abs(y)} {'north' if y > 0 else 'south'}" if y else ""
    return ", ".join(word for word in (across, along) if word) or "in the middle"
