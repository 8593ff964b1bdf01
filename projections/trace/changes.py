"""What a commit changed, as numbers and places before and after it, from one role's own state."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from content.vocabulary.base import TRAITS
from domain.facts.state import Explorer, State
from projections.naming.names import Names, readable
from projections.naming.standings import fate
from projections.trace.shapes import TraceChange
from projections.wording.words.english import plain

SHOWN = {
    "State": ("explorers", "monsters", "haunt", "omens_drawn", "turn", "tokens", "piles", "companions", "card_states"),
    "Explorer": ("seat", "tracks", "at", "room", "alive", "removed", "escaped", "side", "cards", "spent"),
    "Monster": ("id", "room", "hides", "lair", "lair_part", "stunned", "cards", "side"),
    "Haunt": ("counters", "round"),
    "Turn": ("number",),
    "TokenHere": ("token", "room", "count"),
    "Pile": ("room", "cards"),
}
"""The fields of a role's state that are read here; all others stay hidden."""

Key = tuple[str, int | str, str]
"""What kind of figure, of whom or of what, and which one."""
Figures = dict[Key, object]

NOTHING = "none"


def figures(state: State) -> Figures:
    """All that is compared."""
    found: Figures = {("game", "", "turn"): state.turn.number, ("game", "", "omens"): state.omens_drawn}
    for explorer in state.explorers:
        _explorer(found, explorer)
    for monster in state.monsters.values():
        found["room", monster.id, ""] = monster.known_place()[0]
        found["stunned", monster.id, ""] = monster.stunned
        found["side", monster.id, ""] = monster.side
        found["cards", monster.id, ""] = tuple(monster.cards)
    if state.haunt is not None:
        found["game", "", "round"] = state.haunt.round
        found |= {("counter", "", name): value for name, value in state.haunt.counters.items()}
    for here in state.tokens:
        key = ("token", here.token, here.room)
        found[key] = here.count + int(str(found.get(key, 0)))
    for pile in state.piles:
        lying = found.get(("pile", "", pile.room), ())
        found["pile", "", pile.room] = (*(lying if isinstance(lying, tuple) else ()), *pile.cards)
    found |= {("companion", card, ""): room for card, room in state.companions.items()}
    found |= {("state", card, ""): how for card, how in state.card_states.items()}
    return found


def _explorer(found: Figures, explorer: Explorer) -> None:
    seat = explorer.seat
    for index, trait in enumerate(TRAITS):
        found["trait", seat, trait] = explorer.tracks[index][explorer.at[index]]
    found["room", seat, ""] = explorer.room
    found["spent", seat, ""] = explorer.spent
    found["cards", seat, ""] = tuple(explorer.cards)
    found["fate", seat, ""] = fate(explorer)
    found["side", seat, ""] = explorer.side


def changes(names: Names, before: Mapping[Key, object], after: Mapping[Key, object]) -> list[TraceChange]:
    """What differs, in the order of the state after."""
    keys = [key for key, value in after.items() if before.get(key) != value]
    keys += [key for key in before if key not in after]
    return [
        TraceChange(what=_what(names, key), before=_worded(names, key, before), after=_worded(names, key, after))
        for key in keys
        if not _empty(before, after, key)
    ]


def _empty(before: Mapping[Key, object], after: Mapping[Key, object], key: Key) -> bool:
    """Whether it goes without saying: somebody comes into the game, alive, with no card and no space spent."""
    return not before.get(key) and after.get(key) in (None, "", (), 0, "alive")


WHAT: dict[str, Callable[[Names, int | str, str], str]] = {
    "trait": lambda names, who, trait: f"{names.figure(who)}: {readable(trait)}",
    "room": lambda names, who, _: f"{names.figure(who)}: room",
    "spent": lambda names, who, _: f"{names.figure(who)}: spaces spent",
    "cards": lambda names, who, _: f"{names.figure(who)}: cards",
    "fate": lambda names, who, _: names.figure(who),
    "side": lambda names, who, _: f"{names.figure(who)}: side",
    "stunned": lambda names, who, _: f"{names.figure(who)}: stunned",
    "counter": lambda names, _, counter: names.counter(counter),
    "token": lambda names, token, room: f"{names.token(str(token))} in {names.the_room(room)}",
    "pile": lambda names, _, room: f"On the floor of {names.the_room(room)}",
    "companion": lambda names, card, _: f"{names.card(str(card))} waits in",
    "state": lambda names, card, _: names.card(str(card)),
}
"""By kind: what a figure is called."""
OF_THE_GAME = {"turn": "Turn", "omens": "Omens drawn", "round": "Round of the haunt"}


def _what(names: Names, key: Key) -> str:
    kind, who, which = key
    return OF_THE_GAME[which] if kind == "game" else WHAT[kind](names, who, which)


def _worded(names: Names, key: Key, figures_: Mapping[Key, object]) -> str:
    value = figures_.get(key)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return names.cards(list(value)) or NOTHING
    if value is None or value == "":
        return "0" if key[0] == "token" else NOTHING
    said = WORDED.get(key[0])
    return str(value) if said is None else said(names, str(value))


WORDED: dict[str, Callable[[Names, str], str]] = {
    "room": Names.room,
    "companion": Names.the_room,
    "side": Names.side,
    "state": lambda _, state: plain(state),
}
"""By kind: how a value is called that is neither a number nor words already."""
