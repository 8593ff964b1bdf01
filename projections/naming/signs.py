"""Signs for a plan: two letters for an explorer, one or more for a monster, a token, items; and what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domain.engine.rules import Rules
from domain.facts.state import Monster, State
from projections.naming.names import Names

SHOWN = {
    "State": ("explorers", "monsters", "tokens", "piles", "companions", "companion_parts", "turn", "rooms"),
    "Explorer": ("seat", "id", "room", "part", "alive", "died"),
    "Monster": ("id", "kind", "room", "hides", "lair", "lair_part", "part", "stunned"),
    "TokenHere": ("token", "room", "part", "count"),
    "Pile": ("room", "part", "cards"),
    "Turn": ("seat", "monsters", "acting"),
    "Room": ("parts", "opened"),
}
"""The fields of a role's state that are read here; all others stay hidden."""

CROWD = 3
"""As many monsters of a kind in one place as this, or more, are counted instead of listed."""

BARRIER = "¦"
ITEMS = "$"


class Signs:
    """The signs of one picture."""

    def __init__(self, rules: Rules, state: State, among: Sequence[State] = ()) -> None:
        """Name what is in a state; with the same signs in all of the pictures `among` which it stands."""
        names, shown = Names(rules, state), among or [state]
        self._state = state
        self.explorers = initials([names.character(one.id) for one in state.explorers])
        kinds = list(dict.fromkeys(monster.kind for one in shown for monster in one.monsters.values()))
        self.kinds = dict(zip(kinds, codes(kinds), strict=True))
        tokens = list(dict.fromkeys(here.token for one in shown for here in one.tokens))
        self.tokens = {token: f"[{code}]" for token, code in zip(tokens, codes(tokens), strict=True)}

    def within(self, room: str) -> str:
        """What is in a room, as signs; a barrier stands between its parts, the western or northern one first."""
        doors = self._state.rooms[room].parts
        if not self._state.rooms[room].divided:
            return " ".join(self._signs(room, None))
        first = 0 if doors[0] & 0b1001 else 1
        return " ".join([*self._signs(room, first), BARRIER, *self._signs(room, 1 - first)])

    def _signs(self, room: str, part: int | None) -> list[str]:
        state = self._state
        active = state.turn.seat if state.turn.acting and not state.turn.monsters else -1
        found = [
            f"{self.explorers[one.seat]}{'†' if one.died >= 0 else '*' if one.seat == active else ''}"
            for one in state.explorers
            if (one.alive or one.died >= 0) and one.room == room and part in (None, one.part)
        ]
        found += self._monsters([one for one in state.monsters.values() if _is_in(one.known_place(), room, part)])
        for here in state.tokens:
            if here.room == room and part in (None, here.part):
                found.append(f"{here.count if here.count > 1 else ''}{self.tokens[here.token]}")
        lying = sum(len(pile.cards) for pile in state.piles if pile.room == room and part in (None, pile.part))
        sides = state.companion_parts
        lying += sum(at == room and part in (None, sides.get(card, 0)) for card, at in state.companions.items())
        return [*found, f"{ITEMS}{lying}"] if lying else found

    def _monsters(self, here: list[Monster]) -> list[str]:
        """Each monster by its number, or a crowd by its size; stunned ones in brackets."""
        found: list[str] = []
        for kind, sign in self.kinds.items():
            for stunned in (False, True):
                alike = [one.id for one in here if one.kind == kind and one.stunned == stunned]
                words = [f"{sign}{name.rpartition('-')[2]}" for name in alike]
                if len(alike) >= CROWD:
                    words = [f"{len(alike)}{sign}"]
                found += [f"({word})" if stunned else word for word in words]
        return found


def initials(titles: Iterable[str]) -> list[str]:
    """First letters of the first and the last name, with the seat if two explorers share them: `OB`, `DW`."""
    found: list[str] = []
    for seat, title in enumerate(titles):
        words = [word for word in title.partition(",")[0].split() if word[0].isalpha()]
        letters = (words[0][0] + words[-1][0]).upper()
        found.append(letters if letters not in found else f"{letters[0]}{seat}")
    return found


def codes(names: list[str]) -> list[str]:
    """Short codes, all different: the first letter, or that of each word, or as many first letters as it takes."""
    found: list[str] = []
    for name in names:
        initials = "".join(word[0] for word in name.split("-"))
        starts = [name[0], initials, *[name[:size] for size in range(2, len(name) + 1)]]
        found.append(next(code for code in starts if code not in found))
    return found


def _is_in(place: tuple[str, int], room: str, part: int | None) -> bool:
    return place[0] == room and part in (None, place[1])
