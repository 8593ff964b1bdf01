"""Deeds on the house and in the haunt, as templates: `[put] a Closet token in [your] room`, `the heroes win`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from content.vocabulary.effects import (
    BreakWall,
    ChooseSecret,
    CounterChange,
    HauntRoll,
    Monsters,
    PlaceMonster,
    PlaceTile,
    Tell,
    Win,
)
from content.vocabulary.values import Rooms
from content.vocabulary.verbs import Move, MoveTile, RemoveTile, RemoveToken, Shift, Token
from projections.wording.words.conditions import SIDES
from projections.wording.words.english import a, listed, plain, plural, quoted
from projections.wording.words.speech import Speech
from projections.wording.words.titles import FLOOR_NAMES, FLOORS
from projections.wording.words.values import fixed

Template = Callable[[Speech, Any], str]


def move(s: Speech, node: Move) -> str:
    """Somebody is put elsewhere."""
    if node.chooser == "actor":
        return f"[go] to {s.place(node.to)}, which you choose"
    return f"[go] to {s.place(node.to, 'any' if isinstance(node.to, Rooms) else 'a')}"


def shift(_s: Speech, node: Shift) -> str:
    """Figures come one space nearer."""
    if node.monsters == "each":
        return "each monster that is not stunned comes 1 space nearer to [them]"
    if node.monsters == "any":
        return "the monsters' player may bring monsters that are not stunned 1 space nearer to [them]"
    return f"[bring] {'each hero' if node.heroes == 'each' else 'any number of heroes'} free to move 1 space nearer to [them]"


def place_tile(s: Speech, node: PlaceTile) -> str:
    """A new room."""
    if node.tile is not None:
        which = s.titles.room(node.tile)
    elif node.floor == "any" or node.floor is None:
        which = "the next room of the stack"
    else:
        which = f"the next room for the {FLOOR_NAMES[node.floor]}"
    return f"[put] {which} at a free doorway{'' if node.discovered else ' without discovering it'}"


MOVED: dict[str, str] = {
    "any": "on a floor of [your] choice",
    "own-first": "on its own floor, or on another if there is none",
}


def move_tile(_s: Speech, node: MoveTile) -> str:
    """A room goes elsewhere."""
    which = "this room" if node.tile == "speaker" else "[your] room"
    stays = "" if node.tile == "speaker" else "; the rooms of the start never move"
    chosen = ", which you choose" if node.chooser == "actor" else ""
    return f"[move] {which} to a free doorway {MOVED.get(node.floor) or FLOORS[node.floor]}{chosen}{stays}"


def break_wall(_s: Speech, node: BreakWall) -> str:
    """The room behind a wall."""
    corner = " or corner" if node.corners else ""
    return f"[choose] a wall{corner} of [your] room without a door and [find] the room behind it"


def remove_tile(s: Speech, node: RemoveTile) -> str:
    """A room goes."""
    return f"[take] {s.titles.room(node.tile)} out of the house and [shuffle] it into the stack, unless somebody or a card is there"


def place_token(s: Speech, node: Token) -> str:
    """Tokens into a room."""
    title = s.titles.token(node.token)
    which = a(title) if node.count == 1 else s.amount(node.count, title)
    return f"[put] {which} in {s.place(node.at, 'any' if isinstance(node.at, Rooms) else 'a')}"


def remove_token(s: Speech, node: RemoveToken) -> str:
    """Tokens out of a room."""
    title = s.titles.token(node.token)
    if node.at == f"token:{node.token}" and not node.all:
        return f"[remove] the {title}"
    everywhere = "the house" if node.all else "[your] room"
    where = f"from {everywhere if node.at is None else s.place(node.at)}"
    return f"[remove] {f'all {plural(title)}' if node.all else f'the {title}'} {where}"


def haunt_roll(_s: Speech, node: HauntRoll) -> str:
    """A haunt roll, for a haunt of its own."""
    return f"[make] a haunt roll; if the haunt begins, it is haunt {node.number}, revealed by [them]"


def place_monster(s: Speech, node: PlaceMonster) -> str:
    """Monsters into a room."""
    title = s.titles.monster(node.kind)
    which = a(title) if fixed(s, node.count) == 1 else s.amount(node.count, title)
    return f"[put] {which} in {s.place(node.at, 'any' if isinstance(node.at, Rooms) else 'a')}"


def _monsters(s: Speech, some: Monsters) -> str:
    where = f" in {s.place(some.in_)}" if some.in_ is not None else ""
    return f"all {s.titles.kinds(some.kind)}{where}"


def kill(s: Speech, whom: Monsters | str) -> str:
    """Monsters or somebody die."""
    if isinstance(whom, Monsters):
        return f"[kill] {_monsters(s, whom)}"
    return "[you] [die]" if whom == "you" else "[kill] the target"


def remove(_s: Speech, whom: str) -> str:
    """Somebody is taken out of the house alive."""
    said = "[are] taken out of the house without dying"
    return f"[you] {said}" if whom == "you" else f"the target {said.replace('[are]', 'is')}"


def count(s: Speech, node: CounterChange) -> str:
    """A counter moves."""
    title = s.titles.counter(node.counter)
    if node.to is not None:
        return f"[set] {title} to {s.value(node.to)}"
    by = fixed(s, node.by if node.by is not None else 1)
    if by is None:
        return f"[add] {s.value(node.by or 1)} to {title}"
    return f"[add] {by} to {title}" if by >= 0 else f"[take] {-by} from {title}"


TOLD: dict[str, str] = {"heroes": "the heroes", "traitor": "the traitor", "all": "everybody", "you": "[you]"}


def tell(_s: Speech, node: Tell) -> str:
    """Somebody learns a text or a secret."""
    what = (
        f"the text {quoted(plain(node.text))}"
        if node.text is not None
        else f"the secret {quoted(plain(node.secret or ''))}"
    )
    if node.side == "you":
        return f"[you] [learn] {what}"
    return f"[tell] {TOLD[node.side]} {what}"


def choose_secret(s: Speech, node: ChooseSecret) -> str:
    """A room or a word in secret."""
    words = listed([quoted(plain(word)) for word in node.words or []], "or")
    of = s.place(node.rooms) if node.rooms is not None else f"the word {words}"
    if node.by == "chance":
        return f"chance picks the secret {quoted(plain(node.name))}: {of}"
    return f"[choose] the secret {quoted(plain(node.name))}: {of}"


def win(s: Speech, node: Win) -> str:
    """The game ends."""
    if node.side == "you":
        return "[your] side wins" if not s.titles.alone else "[you] [win]"
    return "the heroes win" if node.side == "heroes" else f"{s.titles.foe} wins"


HOUSE: dict[str, Template] = {
    "move": move,
    "shift": shift,
    "place_tile": place_tile,
    "move_tile": move_tile,
    "break_wall": break_wall,
    "remove_tile": remove_tile,
    "place_token": place_token,
    "remove_token": remove_token,
    "haunt_roll": haunt_roll,
    "place_monster": place_monster,
    "stun": lambda s, some: f"[stun] {_monsters(s, some)}",
    "kill": kill,
    "remove": remove,
    "change_side": lambda _s, side: f"[join] {SIDES[side]}",
    "count": count,
    "tell": tell,
    "choose_secret": choose_secret,
    "escape": lambda _s, _you: "[leave] the house alive",
    "reveal": lambda _s, _traitor: "[reveal] the traitor",
    "win": win,
}
"""By the vocabulary's field: the deed."""

NO_ROOM = "none fits"

FALLBACKS: dict[str, str] = {
    "place_tile": NO_ROOM,
    "break_wall": NO_ROOM,
    "haunt_roll": "it does not begin",
}
"""By the verb that may come to nothing: when what it says under `otherwise` happens."""

ENDS_WITH_FALLBACK = frozenset({"place_tile", "break_wall"})
"""Of these, those after which the rest of the block is skipped then."""
