"""Boxes for what lies beside the house: the haunt, tokens, what lies on the floor, the stacks, and what the signs mean."""

from __future__ import annotations

from collections.abc import Iterator

from domain.facts.ids import is_own_side
from projections.board.boxes import Box, Laid, Piece, heading, signed, space, words
from projections.board.chips import Chip, Chips
from projections.board.ink import BLACK, CARD, WHITE, Sheet
from projections.naming.names import BOOKS, SHARED_BOOK, enumerated, readable
from projections.view.game import GameView
from projections.view.haunts import CounterView, HauntView
from projections.view.stacks import DeckView

PIPS = 20
"""Counters with a higher end are told, but not drawn."""
FLOORS = {"upper": "the upper floor", "ground": "the ground floor", "basement": "the basement"}
STACKS = {"tiles": "Room stack", "event": "Event deck", "item": "Item deck", "omen": "Omen deck"}


def haunt_box(view: GameView) -> Box | None:
    """The haunt: its name, whose traitor it has, its counters."""
    haunt = view.haunt
    if haunt is None:
        return None
    pieces = [*words("Haunt", 10.0), *heading(haunt.title)]
    pieces += words(
        f"Number {haunt.number} on the chart, round {haunt.round}{'' if haunt.started else '; the sides get ready'}"
    )
    if view.scenario is not None:
        pieces += words(f"Scenario: {view.scenario.title}")
    pieces += words(_traitor(view, haunt))
    for counter in haunt.counters:
        pieces += _counter(counter)
    for secret in haunt.secrets:
        rooms = {room.id: room.title for room in view.rooms}
        value = rooms.get(secret.value, readable(secret.value)) if secret.value else "chosen in secret"
        pieces += words(f"{secret.title}: {value}")
    for note in haunt.notes:
        pieces += words(f"{readable(note.name)}: {note.text}")
    return Box("box:haunt", haunt.title, pieces)


def book_boxes(view: GameView) -> Iterator[Box]:
    """The rules in each book that the role reads: its goal, what happens by itself, and its actions."""
    haunt = view.haunt
    if haunt is None:
        return
    for book in haunt.books:
        shared = _alone(view) or (len(haunt.books) == 1 and book.side == "heroes" and bool(haunt.must_know))
        title = SHARED_BOOK if shared else BOOKS[book.side]
        pieces = heading(title)
        for text in dict.fromkeys([book.goal, *book.rules, *(one.rule for one in book.actions)]):
            pieces += [*words(text, 10.0), space(3)] if text else []
        yield Box(f"box:book:{book.side}", title, pieces)


def _traitor(view: GameView, haunt: HauntView) -> str:
    if haunt.traitor is not None:
        return f"Traitor: {view.explorers[haunt.traitor].title}"
    if haunt.hidden:
        return "The traitor is hidden"
    return "Everybody plays alone" if _alone(view) else "Nobody is the traitor"


def _alone(view: GameView) -> bool:
    """Whether each explorer is a side of its own."""
    return any(is_own_side(one.side) for one in view.explorers)


def _counter(counter: CounterView) -> list[Piece]:
    most = f" of {counter.max}" if counter.max is not None else ""
    told = words(f"{counter.title}: {counter.value}{most}")
    if counter.max is None or counter.max > PIPS:
        return told

    def draw(sheet: Sheet, x: float, y: float) -> None:
        for number in range(counter.max or 0):
            fill = BLACK if number < counter.value else WHITE
            sheet.rect(x + number * 13, y + 1, 10, 10, fill=fill, stroke=BLACK, stroke_width=1.0)

    return [*told, lambda _inside: [Laid(16, draw)]]


def tokens_box(view: GameView, chips: Chips) -> Box | None:
    """What the signs of tokens mean, and where they lie."""
    if not view.tokens:
        return None
    rooms = {room.id: room.title for room in view.rooms}
    pieces = heading("Tokens")
    for token in chips.tokens:
        places = [one for one in view.tokens if one.token == token]
        if not places:
            continue
        where = enumerated(
            list(dict.fromkeys(rooms[one.room] + (f" ({one.count})" if one.count > 1 else "") for one in places))
        )
        sign = chips.tokens_of(token, places[0].title, f"kind:{token}")
        pieces.append(signed(sign, f"{places[0].title}: {where}"))
    return Box("box:tokens", "Tokens", pieces)


def floor_box(view: GameView, chips: Chips) -> Box | None:
    """What lies on the floor, and companions who wait, by room."""
    if not view.piles and not view.companions:
        return None
    rooms = {room.id: room.title for room in view.rooms}
    pieces = heading("On the floor")
    for pile in view.piles:
        pieces.append(signed(chips.items(pile.room, pile.cards), f"{rooms[pile.room]}: {_cards(view, pile.cards)}"))
    for card, room in view.companions.items():
        pieces.append(
            signed(chips.items(room, [card]), f"{rooms[room]}: {_cards(view, [card])} waits for a new custodian")
        )
    return Box("box:floor", "On the floor", pieces)


def _cards(view: GameView, cards: list[str]) -> str:
    return enumerated([view.cards[card].title for card in cards])


def stacks_box(view: GameView) -> Box:
    """The stacks: how many are left, and what this role knows of them."""
    pieces = heading("Stacks")
    for name, deck in view.decks.items():
        pieces += words(f"{STACKS.get(name, readable(name))}: {'; '.join(_stack(deck))}")
    pieces += words(f"Omens drawn: {view.omens_drawn}")
    return Box("box:stacks", "Stacks", pieces)


def _stack(deck: DeckView) -> Iterator[str]:
    yield f"{deck.size} left"
    if deck.top_back:
        yield f"the next is for {enumerated([FLOORS[floor] for floor in deck.top_back.split('+')], 'or')}"
    known = [f"{deck.titles[slot.face]} ({_place(slot.index)})" for slot in deck.known if slot.face]
    if known:
        yield f"known: {enumerated(known)}"
    if deck.aside:
        faces = [deck.titles[slot.face] for slot in deck.aside if slot.face]
        yield f"{len(deck.aside)} set aside{f', among them {enumerated(faces)}' if faces else ''}"
    if deck.discard:
        yield f"{len(deck.discard)} discarded, the latest: {deck.titles[deck.discard[-1]]}"


def _place(index: int) -> str:
    """Where a card lies in its stack: `on top`, `number 3 from the top`."""
    return "on top" if index == 0 else f"number {index + 1} from the top"


def rulings_box(view: GameView) -> Box | None:
    """What the players have agreed upon, and what they are asked."""
    rulings = view.rulings
    if not rulings.agreed and rulings.proposed is None:
        return None
    pieces = heading("Rulings of the table")
    for ruling in rulings.agreed:
        pieces += words(f"{ruling.number}. {ruling.text}")
    if rulings.proposed is not None:
        pieces += words(f"Proposed: {rulings.proposed.text}")
    return Box("box:rulings", "Rulings of the table", pieces)


SIGNS = (
    (Chip("explorer", "AB", "An explorer", "sign:explorer"), "explorer, by initials"),
    (Chip("explorer", "AB", "Whose turn it is", "sign:active", ringed=True), "whose turn it is"),
    (Chip("explorer", "AB", "The traitor", "sign:traitor", fill=BLACK, ink=WHITE), "the traitor"),
    (Chip("monster", "m1", "A monster", "sign:monster", fill="#333333", ink=WHITE), "monster, by kind and number"),
    (Chip("monster", "m2", "A stunned monster", "sign:stunned", dashed=True), "stunned monster"),
    (Chip("token", "2", "Tokens", "sign:token", icon="crate"), "tokens, and how many"),
    (Chip("items", "2", "Items", "sign:items", fill=CARD), "cards on the floor, and how many"),
)


CORPSE = (Chip("explorer", "AB", "A corpse", "sign:corpse", dashed=True), "corpse")
"""Shown where one lies."""


LINES = (
    "Gap in a wall: an open door. ?: a doorway into the unknown; without the question mark, no tiles are left for its floor. "
    "Crossed out: a door that leads nowhere. Two white panes: a window. Jagged line: a barrier. Triangle: a way that no door shows."
)


def signs_box(view: GameView, lines: str = LINES) -> Box:
    """What signs mean, and the `lines` around rooms."""
    signs = [*SIGNS, CORPSE] if any(one.corpse for one in view.explorers) else SIGNS
    pieces = [*heading("Signs"), *[signed(chip, text) for chip, text in signs]]
    for text in (
        lines,
        "The arrow in a room's corner points to the tile's printed top. North is up.",
        "Traits: the current number is white on black, the starting number is underlined; 0 is the skull.",
    ):
        pieces += words(text, 10.0)
    return Box("box:signs", "Signs", pieces)
