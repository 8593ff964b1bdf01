"""Conditions in words, and their opposites: `you have the Spear`, `you do not have the Spear`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from content.vocabulary.values import Condition, Each, Rooms, SecretIs, Who
from projections.wording.words.comparisons import Claim, compared
from projections.wording.words.english import YOU, Person, a, agreed, be, listed, plain, quoted, somebody
from projections.wording.words.selections import place, who
from projections.wording.words.speech import Speech
from projections.wording.words.titles import FLOORS, floors


def clause(s: Speech, condition: Condition, person: Person = YOU, *, negated: bool = False) -> str:
    """A condition as a clause, about somebody."""
    return agreed(claimed(s, condition, negated=negated).words or ("never" if negated else "always"), person)


class Said(NamedTuple):
    """A template, and by which word its parts are joined, if it has several."""

    words: str
    joined: str = ""


def claimed(s: Speech, condition: Condition, *, negated: bool = False) -> Said:
    """A condition, or its opposite, as a template."""
    return _joined(_parts(s, condition, negated=negated), "or" if negated else "and")


_RANKS = {"phase": 0, "all": 2, "any": 2, "not_": 3}
"""What is said before other keys, and what behind them."""


def _parts(s: Speech, condition: Condition, *, negated: bool) -> list[Said]:
    """What a condition asks, key by key; all of them must hold, or, negated, one must fail."""
    parts = []
    for name, told in sorted(condition.stated().items(), key=lambda item: _RANKS.get(item[0], 1)):
        if name in ("all", "any"):
            last = "or" if (name == "any") != negated else "and"
            members = _apart(told) if last == "or" and not negated else told
            parts.append(_joined([claimed(s, one, negated=negated) for one in members], last))
        elif name == "not_":
            parts += _opposites(s, told, negated=negated)
        elif name not in ("at_least", "at_most"):
            claim = compared(s, condition, name) if name in COMPARED else CLAIMS[name](s, told)
            parts.append(Said(claim.fails if negated else claim.holds))
    return parts


def _opposites(s: Speech, condition: Condition, *, negated: bool) -> list[Said]:
    """What `not` asks: of several that must all fail, each by itself."""
    if not negated and set(condition.stated()) == {"any"}:
        return [claimed(s, one, negated=True) for one in condition.any or []]
    return [claimed(s, condition, negated=not negated)]


def _apart(conditions: list[Condition]) -> list[Condition]:
    """Conditions of `any` with named rooms one by one, so that all rooms stand in one list."""
    apart = []
    for one in conditions:
        named = one.in_.one_of if isinstance(one.in_, Rooms) and set(one.stated()) == {"in_"} else None
        if named is not None and one.in_ == Rooms(one_of=named):
            apart += [Condition(in_=room) for room in named]
        else:
            apart.append(one)
    return apart


_LACKING = "[you] [do] not have "
_WITHOUT = "[you] [are] in a room without "
_SHARED = (
    "[you] [have] ",
    _LACKING,
    _WITHOUT,
    "[you] [are] in a room with ",
    "[you] [are] in ",
    "[you] [are] ",
    "[you] ",
)


def _joined(parts: list[Said], last: str) -> Said:
    """Several as one. What all begin with is said once; what is joined by the other word is marked as one."""
    parts = [part for part in dict.fromkeys(parts) if part.words]
    if len(parts) < 2:  # noqa: PLR2004 -- nothing to join
        return parts[0] if parts else Said("")
    if all(part.joined in ("", last) for part in parts):
        words = [part.words for part in parts]
        for beginning in _SHARED:
            lacking = beginning in (_LACKING, _WITHOUT)
            if all(one.startswith(beginning) for one in words) and not (lacking and last == "or"):
                by = "or" if lacking else last
                return Said(beginning + listed([one.removeprefix(beginning) for one in words], by), last)
        return Said(listed(words, last), last)
    words = [
        f"either {part.words}" if (part.joined, last) == ("or", "and") and not _is_list(part) else part.words
        for part in parts
    ]
    return Said(f", {last} ".join(words), last)


def _is_list(part: Said) -> bool:
    """Whether its parts are one list of things in a room."""
    return part.words.startswith("[you] [are] in a room with ") and part.words.count("[you]") == 1


def _of(template: str) -> Claim:
    """A claim with its opposite, made of its first verb."""
    for verb, negative in (
        ("[have] ", "[do] not have "),
        ("[are] ", "[are] not "),
        (" is ", " is not "),
        (" are ", " are not "),
    ):
        if verb in template:
            return Claim(template, template.replace(verb, negative, 1))
    raise ValueError(template)


def _yes(claim: Claim, told: object) -> Claim:
    """The claim, or its opposite where `false` is asked for."""
    return claim if told else Claim(claim.fails, claim.holds)


def _phase(_s: Speech, phase: str) -> Claim:
    return _yes(Claim("the haunt has begun", "the haunt has not begun"), phase == "haunt")


ARE: dict[str, str] = {
    "explorer": "an explorer",
    "hero": "a hero",
    "traitor": "the traitor",
    "revealed-traitor": "the revealed traitor",
    "monster": "a monster",
}

SIDES: dict[str, str] = {"heroes": "the heroes' side", "traitor": "the traitor's side"}


def _you(_s: Speech, kind: str) -> Claim:
    if kind == "drawer":
        return _of("it is [your] turn")
    return _of(f"[you] [are] {ARE[kind]}")


TRAITOR: dict[str, Claim] = {
    "none": Claim("there is no traitor", "there is a traitor"),
    "exists": Claim("there is a traitor", "there is no traitor"),
    "dead": Claim("the traitor is dead", "the traitor is not dead"),
    "revealed": Claim("the traitor is revealed", "the traitor is not revealed"),
    "hidden": Claim("the traitor is hidden", "the traitor is not hidden"),
}

DEAD: dict[str, Claim] = {
    "all-heroes": Claim("all heroes are dead", "a hero is alive"),
    "traitor": Claim("the traitor is dead", "the traitor is not dead"),
    "any-explorer": Claim("an explorer is dead", "no explorer is dead"),
}


def _in(s: Speech, where: Any) -> Claim:  # noqa: ANN401 -- a place of the vocabulary
    return _of(f"[you] [are] in {place(s, where)}")


def _token(s: Speech, token: str) -> Claim:
    said_of = a(s.titles.token(token))
    return Claim(f"[you] [are] in a room with {said_of}", f"[you] [are] in a room without {said_of}")


def _token_in_house(s: Speech, token: str) -> Claim:
    title = s.titles.token(token)
    return Claim(f"{a(title)} is in the house", f"no {title} is in the house")


def _held(s: Speech, card: str) -> Claim:
    return Claim(f"somebody alive has {s.titles.card(card)}", f"nobody alive has {s.titles.card(card)}")


ITEMS: dict[object, str] = {
    True: "an item card",
    False: "no item card",
    "not-weapon": "an item card that is not a weapon",
}


def _has_item(_s: Speech, wanted: object) -> Claim:
    if wanted is False:
        return Claim("[you] [have] no item card", "[you] [have] an item card")
    return Claim(f"[you] [have] {ITEMS[wanted]}", f"[you] [have] no {ITEMS[wanted].removeprefix('an ')}")


def _critical(_s: Speech, wanted: bool) -> Claim:  # noqa: FBT001 -- the vocabulary's value
    return _yes(Claim("[you] [have] a critical trait", "[you] [have] no critical trait"), wanted)


def _ruling(s: Speech, ruling: str) -> Claim:
    said_of = quoted(s.titles.rulings.get(ruling) or plain(ruling))
    return _of(f"the ruling {said_of} is in force")


def _with(s: Speech, whom: Who) -> Claim:
    nobody = who(s, whom, "no")
    fails = f"{nobody} is" if nobody.startswith("no ") else f"{nobody} is not"
    return Claim(f"{who(s, whom, 'a')} is in the room with [them]", f"{fails} in the room with [them]")


def _there_is(s: Speech, whom: Who) -> Claim:
    if whom == "nearest-explorer":
        return Claim("another explorer can be reached", "no other explorer can be reached")
    everybody = _everybody(s, whom)
    return Claim(f"there is {who(s, whom, 'a')}", everybody or f"there is {_nobody(s, whom)}")


_FAILING = ({"not_"}, {"alone"})
"""What is stated by conditions that say how something fails."""


def _everybody(s: Speech, whom: Who) -> str:
    """That nobody fails, as what holds of each: `each hero is alone`; empty where `no hero is …` is the simpler way."""
    if not isinstance(whom, Each) or whom.if_ is None or whom != Each(each=whom.each, kind=whom.kind, if_=whom.if_):
        return ""
    failing = whom.if_.any or [whom.if_]
    if not all(set(one.stated()) in _FAILING and one.alone is not True for one in failing):
        return ""
    each = who(s, msgspec.structs.replace(whom, if_=None), "each")
    words = claimed(s, whom.if_, negated=True).words
    return agreed(words.replace("and [you] ", "and "), somebody(each))


def _nobody(s: Speech, whom: Who) -> str:
    said_of = who(s, whom, "no")
    return said_of if said_of.startswith("no ") else f"not {said_of}"


def _moved(_s: Speech, wanted: bool) -> Claim:  # noqa: FBT001 -- the vocabulary's value
    return _yes(Claim("[you] [have] moved this turn", "[you] [have] not moved this turn"), wanted)


def _alone(_s: Speech, wanted: bool) -> Claim:  # noqa: FBT001 -- the vocabulary's value
    return _yes(_of("[you] [are] the only explorer in [your] room"), wanted)


def _monsters_gone(s: Speech, kind: str) -> Claim:
    title = s.titles.monster(kind)
    return Claim(f"no {title} is left", f"{a(title)} is left")


def _round(_s: Speech, number: int) -> Claim:
    return Claim(f"round {number} of the haunt has begun", f"round {number} of the haunt has not begun")


def _secret(s: Speech, secret: SecretIs) -> Claim:
    where = (
        "[your] room"
        if secret.is_ == "here"
        else s.titles.room(secret.is_)
        if secret.is_ in s.titles.rooms
        else quoted(plain(secret.is_))
    )
    return _of(f"{where} is the secret {quoted(plain(secret.name))}")


def _came_from(s: Speech, room: str) -> Claim:
    return Claim(
        f"[you] [have] come on foot from {s.titles.room(room)}",
        f"[you] [have] not come on foot from {s.titles.room(room)}",
    )


def _discovered_now(_s: Speech, wanted: bool) -> Claim:  # noqa: FBT001 -- the vocabulary's value
    return _yes(
        Claim("[you] [have] discovered this room this turn", "[you] [have] not discovered this room this turn"), wanted
    )


def _by_choice(_s: Speech, wanted: bool) -> Claim:  # noqa: FBT001 -- the vocabulary's value
    return _yes(Claim("[you] [leave] by choice", "[you] [do] not leave by choice"), wanted)


def _stuck(_s: Speech, floor: str) -> Claim:
    return Claim(
        f"a monster of the traitor {FLOORS[floor]} has no way to any hero",
        f"each monster of the traitor {FLOORS[floor]} has a way to a hero",
    )


def _explore(_s: Speech, wanted: bool) -> Claim:  # noqa: FBT001 -- the vocabulary's value
    return _yes(
        Claim("the monsters of this haunt discover rooms", "the monsters of this haunt discover no rooms"), wanted
    )


CLAIMS: dict[str, Callable[[Speech, Any], Claim]] = {
    "phase": _phase,
    "you": _you,
    "traitor": lambda _s, word: TRAITOR[word],
    "on": lambda _s, some: _of(f"[you] [are] {floors(some)}"),
    "in_": _in,
    "in_house": lambda s, room: _of(f"{be(s.titles.room(room))} in the house"),
    "any_in_house": lambda s, rooms: Claim(
        f"{be(s.titles.a_room_of(rooms))} in the house",
        f"neither {be(listed([s.titles.room(room) for room in rooms], 'nor'))} in the house",
    ),
    "token": _token,
    "token_in_house": _token_in_house,
    "carrying": lambda s, card: _of(f"[you] [have] {s.titles.card(card)}"),
    "in_play": lambda s, card: _of(f"{be(s.titles.card(card))} in play"),
    "held": _held,
    "has_item": _has_item,
    "critical": _critical,
    "ruling": _ruling,
    "card_state": lambda _s, state: _of(f"this card is {quoted(plain(state))}"),
    "with_": _with,
    "there_is": _there_is,
    "moved": _moved,
    "alone": _alone,
    "dead": lambda _s, word: DEAD[word],
    "monsters_gone": _monsters_gone,
    "round_at_least": _round,
    "side": lambda _s, side: _of(f"[you] [are] on {SIDES[side]}"),
    "secret": _secret,
    "came_from": _came_from,
    "discovered_now": _discovered_now,
    "by_choice": _by_choice,
    "monsters_stuck": _stuck,
    "monsters_explore": _explore,
}
"""By the vocabulary's field: its claim. `all`, `any`, `not` and comparisons stand apart."""

COMPARED = frozenset({"counter", "count", "number"})


def lead(s: Speech, condition: Condition) -> list[str]:
    """A condition as a rule begins: `in a room with a Lamp token`, `if you have the Spear`."""
    parts = _parts(s, condition, negated=False)
    inside = [part.words.removeprefix(_IN) for part in parts if part.words.startswith(_IN)]
    rest = [part for part in parts if not part.words.startswith(_IN) and part.words != _HAUNT]
    said_of = ["in the haunt"] if Said(_HAUNT) in parts else []
    if inside:
        said_of.append(f"in {_one_room(inside)}")
    if rest:
        said_of.append(f"if {_joined(rest, 'and').words}")
    return [agreed(one, YOU) for one in said_of]


_IN = "[you] [are] in "
_HAUNT = "the haunt has begun"


def _one_room(rooms: list[str]) -> str:
    """What is asked of one room: `a room with a window and without a Shutter token`."""
    rooms = sorted(rooms, key=lambda room: room.startswith("a room without"))
    first, *others = [rooms[0], *(room.removeprefix("a room ") for room in rooms[1:])]
    if not others:
        return first
    mark = " and" if first.startswith("a room with") and " or " not in first else ","
    return f"{first}{mark} {' and '.join(others)}"
