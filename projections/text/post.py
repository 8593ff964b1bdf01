"""The status post: the game as a moderator pastes it into a forum, in Markdown or BBCode.

Everybody reads a post, so it tells only what is public, whoever asks for it: no book, no card in a stack, no side that is
not revealed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from content.patterns import displayable
from content.vocabulary.base import FLOORS, TRAITS
from domain.engine.rules import Rules
from domain.facts.pieces import Pile, Room
from domain.facts.state import TRAIT_INDEX, Explorer, Monster, State
from domain.queries.characters import LOWEST
from domain.rulebook.table.traits import TOP
from projections.naming.names import Names, counted, readable
from projections.naming.questions import Asking
from projections.naming.signs import ITEMS, Signs
from projections.naming.standings import fate, numbers_of, verdict
from projections.text.picture import FLOOR_NAMES
from projections.text.plan import fitted, plans
from projections.view.identification import is_opened
from projections.view.waiting import TIMELESS, Times, awaited, who_is_awaited
from projections.view.wording import rules_of_cards

SHOWN = {
    "State": (
        "status",
        "turn",
        "explorers",
        "monsters",
        "rooms",
        "tokens",
        "piles",
        "companions",
        "omens_drawn",
        "haunt",
    ),
    "Turn": ("number", "seat", "monsters"),
    "Explorer": (
        "seat",
        "id",
        "alive",
        "died",
        "escaped",
        "removed",
        "side",
        "revealed",
        "cards",
        "tracks",
        "at",
        "room",
    ),
    "Monster": ("id", "kind", "room", "hides", "lair", "lair_part", "stunned", "traits", "cards"),
    "Room": ("id", "floor"),
    "Pile": ("room", "cards"),
    "Haunt": ("id", "number", "round", "counters", "maxima"),
}
"""The fields of a role's state that are read here; all others stay hidden."""

Format = Literal["markdown", "bbcode"]

COLUMNS = 76
"""About as many characters as fit on a line of a forum's code block."""


class _Markdown:
    """Markdown: CommonMark with tables."""

    def heading(self, text: str) -> str:
        return f"## {plain(text)}"

    def strong(self, text: str) -> str:
        return f"**{plain(text)}**"

    def text(self, text: str) -> str:
        return plain(text)

    def items(self, lines: Sequence[str]) -> str:
        return "\n".join(f"- {line}" for line in lines)

    def code(self, text: str) -> str:
        return f"```\n{text}\n```"


class _BBCode:
    """BBCode, with tags that every board knows; a zero-width space keeps brackets in a text from becoming tags."""

    def heading(self, text: str) -> str:
        return f"[size=150][b]{_bare(text)}[/b][/size]"

    def strong(self, text: str) -> str:
        return f"[b]{_bare(text)}[/b]"

    def text(self, text: str) -> str:
        return _bare(text)

    def items(self, lines: Sequence[str]) -> str:
        return "\n".join(["[list]", *[f"[*]{line}" for line in lines], "[/list]"])

    def code(self, text: str) -> str:
        return f"[code]\n{text}\n[/code]"


Style = _Markdown | _BBCode
STYLES: dict[Format, Style] = {"markdown": _Markdown(), "bbcode": _BBCode()}


SIGNIFICANT = re.compile(
    r"[\\`*_\[\]<>#|~$]"
    r"|&(?=#?\w+;)"  # would be shown as another character
    r"|^[-+=](?=[-+= ]|$)"  # would begin a list, or make a heading of the line before
)
"""What Markdown takes for more than a character."""
NUMBER = re.compile(r"^(\d{1,9})(?=[.)])")
"""What would begin a numbered list."""
LINKED = re.compile(r"(?<=[@#])(?=\w)|(?<=\w:)(?=//)|(?<=\bwww)(?=\.)", re.IGNORECASE)
"""Within what forums turn into links to people, topics and other places, whatever is escaped."""


def plain(text: str) -> str:
    """A text on one line, escaped so that Markdown shows it as it is; a zero-width space keeps names and addresses from becoming links."""
    words = LINKED.sub("\u200b", " ".join(displayable(text).split()))
    return NUMBER.sub(r"\1\\", SIGNIFICANT.sub(r"\\\g<0>", words))


def _bare(text: str) -> str:
    """A text that BBCode shows as it is."""
    return " ".join(displayable(text).split()).replace("[", "[\u200b")


class PassedOver(NamedTuple):
    """A seat whose deadline ran out."""

    seat: int
    """`UNNAMED` where nobody may say whose it was."""
    turn: int
    at: str


def status_post(
    rules: Rules,
    state: State,
    style: Format,
    players: Sequence[str] = (),
    times: Times = TIMELESS,
    passed_over: Sequence[PassedOver] = (),
) -> str:
    """The post, ending with a line break.

    Args:
        rules: of the game.
        state: the spectators'. Other roles also know their own book's counters, and the numbers in boxes that they have read.
        style: the forum's.
        players: names by seat, where they are known; others are called by their explorers.
        times: of what it waits for.
        passed_over: whose deadlines ran out, the oldest first.
    """
    if state.haunt is not None and state.haunt.hidden:  # the hidden traitor must not give itself away, whoever posts it
        state = msgspec.structs.replace(state, haunt=msgspec.structs.replace(state.haunt, traitor=-1))
    write, names = STYLES[style], Names(rules, state)
    blocks = [write.heading(_headline(rules, state, names))]
    waiting = list(_waiting(rules, state, names, players, times))
    if waiting:
        blocks.append(f"{write.strong('Waiting for')}\n\n{write.items([write.text(line) for line in waiting])}")
    missed = [f"{_called(names, one.seat, players)}: turn {one.turn}, at {_clock(one.at)}" for one in passed_over]
    if missed:
        blocks.append(f"{write.strong('Passed over')}\n\n{write.items([write.text(line) for line in missed])}")
    if state.haunt is not None:
        blocks.append(_haunt(rules, state, names, write))
    people = list(_people(state, names, players, write))
    if people:
        blocks.append(f"{write.strong('Explorers')}\n\n{write.items(people)}")
    foes = list(_monsters(state, names))
    if foes:
        blocks.append(f"{write.strong('Monsters')}\n\n{write.items([write.text(line) for line in foes])}")
    lying = [f"{names.room(pile.room)}: {names.cards(pile.cards)}" for pile in state.piles]
    lying += [f"{names.room(room)}: {names.card(card)}" for card, room in state.companions.items()]
    if lying:
        blocks.append(f"{write.strong('On the floor')}\n\n{write.items([write.text(line) for line in lying])}")
    rules_open = [f"{names.card(card)}: {' '.join(told)}" for card, told in _open(rules, state) if told]
    if rules_open:
        blocks.append(f"{write.strong('What lies open')}\n\n{write.items([write.text(line) for line in rules_open])}")
    if state.rooms:
        blocks.append(f"{write.strong('The house')}\n\n{write.code(_house(rules, state, names))}")
    return "\n\n".join(blocks) + "\n"


def _open(rules: Rules, state: State) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The cards that everybody sees, with their rules in words."""
    holders: list[Explorer | Monster | Pile] = [*state.explorers, *state.monsters.values(), *state.piles]
    held = [card for one in holders for card in one.cards]
    yield from rules_of_cards(rules, state, dict.fromkeys([*held, *state.companions])).items()


def _headline(rules: Rules, state: State, names: Names) -> str:
    if state.status in ("finished", "abandoned"):
        return verdict(rules, state)
    if not state.explorers:
        return "The game has not started yet"
    player = names.figure(state.turn.seat)
    whose = f"the monsters, played by {player}" if state.turn.monsters else player
    return f"Turn {state.turn.number}: {whose} · {counted(state.omens_drawn, 'omen')} drawn"


def _waiting(rules: Rules, state: State, names: Names, players: Sequence[str], times: Times) -> Iterator[str]:
    """Who has to post by when, and for the moderator the dice as the die roller takes them."""
    if state.status != "started":
        return
    for one in awaited(Asking(rules, state), state, times):
        who = who_is_awaited(one, lambda seat: _called(names, seat, players))
        yield f"{who}: {one.text}" + (f" (until {_clock(one.due)})" if one.due else "")


def _clock(moment: str) -> str:
    """A time for people: `2026-02-04 00:00 UTC`."""
    return f"{moment[:10]} {moment[11:16]} UTC"


def _called(names: Names, seat: int, players: Sequence[str]) -> str:
    player = players[seat] if 0 <= seat < len(players) else ""
    return f"{player} ({names.figure(seat)})" if player else names.figure(seat)


def _haunt(rules: Rules, state: State, names: Names, write: Style) -> str:
    haunt = state.haunt
    assert haunt is not None  # noqa: S101 -- the caller has looked
    marks = [
        f"{names.counter(name)}: {value}" + (f" of {haunt.maxima[name]}" if name in haunt.maxima else "")
        for name, value in (haunt.counters.items() if is_opened(rules, state) else ())
    ]
    facts = ", ".join([f"number {haunt.number}", f"round {haunt.round}", *marks])
    return f"{write.strong('Haunt')} {write.text(f'{names.haunt(haunt.id)} ({facts})')}"


def _people(state: State, names: Names, players: Sequence[str], write: Style) -> Iterator[str]:
    for explorer in state.explorers:
        who = _called(names, explorer.seat, players)
        active = explorer.seat == state.turn.seat and state.status == "started"
        traitor = " (TRAITOR)" if explorer.side == "traitor" and explorer.revealed else ""
        condition = write.text(_condition(names, explorer))
        yield f"{write.strong(who) if active else write.text(who)}{traitor}: {condition}"


def _condition(names: Names, explorer: Explorer) -> str:
    if not explorer.alive:
        lies = f"; {names.room(explorer.room)}{f'; {names.cards(explorer.cards)}' if explorer.cards else ''}"
        return f"{fate(explorer)}{lies if explorer.died >= 0 else ''}"
    traits = ", ".join(f"{readable(trait)} {explorer.value(trait)} ({_place(explorer, trait)})" for trait in TRAITS)
    cards = f"; {names.cards(explorer.cards)}" if explorer.cards else ""
    return f"{names.room(explorer.room)}; {traits}{cards}"


def _place(explorer: Explorer, trait: str) -> str:
    """Where a trait's clip stands on its track: `3/8`."""
    position = explorer.at[TRAIT_INDEX[trait]]
    return f"{position}/{TOP}" + (", last before the skull" if position == LOWEST else "")


def _monsters(state: State, names: Names) -> Iterator[str]:
    for monster in state.monsters.values():
        traits = numbers_of(monster)
        stunned = ", stunned" if monster.stunned else ""
        room, _part = monster.known_place()
        where = f"{names.room(room)}{', hidden' if monster.hides else ''}" if room else "hidden"
        yield f"{names.monster(monster.id)}: {where}; {traits}{stunned}"


def _house(rules: Rules, state: State, names: Names) -> str:
    """A plan of each floor, and what its signs mean."""
    signs = Signs(rules, state)

    def fill(room: Room, width: int) -> list[str]:
        return [*fitted(names.room(room.id), width), *fitted(signs.within(room.id), width)]

    blocks = []
    for floor in reversed(FLOORS):
        if any(room.floor == floor for room in state.rooms.values()):
            blocks += [f"{FLOOR_NAMES[floor]}\n{plan}" for plan in plans(state, floor, COLUMNS, fill)]
    meanings = [f"{sign} {names.figure(seat)}" for seat, sign in enumerate(signs.explorers)]
    meanings += [f"{sign} {names.kind(kind)}" for kind, sign in signs.kinds.items()]
    meanings += [f"{sign} {names.token(token)}" for token, sign in signs.tokens.items()]
    if state.piles or state.companions:
        meanings.append(f"{ITEMS} cards on the floor")
    return displayable("\n\n".join([*blocks, "\n".join(meanings)]))
