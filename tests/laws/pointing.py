"""What a listed command is about: nobody has to take an id or an option apart to find it on the table."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict

import msgspec

from domain.engine.rules import Rules
from domain.evolve import fold, redact
from domain.facts.audience import REFEREE, Mask, seat_bit
from domain.facts.commands import (
    Act,
    AnyCommand,
    Attack,
    BreakFree,
    Cross,
    Drop,
    Explore,
    Loot,
    Move,
    PickUp,
    Trade,
)
from domain.facts.ids import id_kind
from domain.facts.state import MODERATOR, State
from projections.choices.decisions import OpenDecision, decisions_of
from projections.choices.families import OneOf, Subset
from projections.naming.places import (
    AtCard,
    AtDeck,
    AtDoorway,
    AtFigure,
    AtPile,
    AtRoom,
    AtSpot,
    AtTile,
    AtToken,
    AtWall,
    Place,
)
from projections.view.game import GameView, view_of
from tests.laws.playout import open_table, steps

SPOT = re.compile(r"(?P<floor>[a-z]+):(?P<x>-?\d+):(?P<y>-?\d+)@(?P<turns>[0-3])$")
BESIDE = re.compile(r"(north|east|south|west) of the [^,]+")
"""Where a spot is: whoever clicks on the room beside it means that room, and not the spot."""
VERB = re.compile(r"(?:^|(?<=: ))[A-Z]\w+ (?=the )")
"""A verb with which a deed begins, which may be the title of a card, too: `Bell: Ring the bell`."""
HERE = re.compile(r"\b(this room|your room|here|where you stand)\b")
FROM_A_STACK = frozenset({"card", "own-card", "search", "reorder", "tile", "bury-tile"})
"""Questions about cards and tiles that may be anywhere in a stack."""


def commands_point(rules: Rules, seed: int, *, seats: int = 4, haunt: str = "", every: int = 1) -> Counter[str]:
    """Play a game at random, and look at each `every`-th list.

    Returns:
        By type of command, and by key of question: how many were about something.
    """
    game, roles = open_table(rules, seed, seats=seats, haunt=haunt), dict[Mask, State]()
    pointed = Counter[str]()
    for number, (actor, _) in enumerate(steps(game, random.Random(seed))):
        if number % every:
            continue
        who = REFEREE if actor == MODERATOR else seat_bit(actor)
        known = roles.setdefault(who, State())
        for commit in game.commits[known.commit :]:
            fold(known, [redact(commit, who)])
        pointed += pointing_of(rules, known, who, f"{game.name} {haunt}, commit {known.commit}")
    return pointed


def pointing_of(rules: Rules, known: State, who: Mask, where: str) -> Counter[str]:
    """Check all that a role may do now."""
    pointed = Counter[str]()
    found = decisions_of(rules, known, who, whole=True)
    view = view_of(rules, known, who) if found.yours else None
    for decision in found.yours:
        seen = dict[bytes, set[str]]()
        key = id_kind(decision.about)
        listed = [(one.label, one.command, one.at) for one in decision.commands]
        for label, command, at in listed:
            said = f"{where}: {label!r} ({msgspec.json.encode(command).decode()}) is about {at}"
            names_what_it_is_about(known, command, at, said)
            assert view is not None
            points_at_what_it_names(rules, view, label, command, at, said)
            for place in at:
                is_seen(rules, view, place, said, from_a_stack=key in FROM_A_STACK)
            alike = seen.setdefault(msgspec.json.encode(at), set())
            assert label not in alike, f"{said}, as another of the same label"
            alike.add(label)
            name = key if decision.id in known.open else type(command).__name__
            pointed[name] += bool(at)
        families_point(decision, view, where)
    return pointed


def families_point(decision: OpenDecision, view: GameView | None, where: str) -> None:
    """A value of a family says what the command listed with it says; cards have their titles in the view."""
    listed = {msgspec.json.encode(one.command): (one.label, one.at) for one in decision.commands}
    for family in decision.families:
        for field in family.fields:
            if isinstance(field, Subset):
                assert view is not None
                assert set(field.of) <= set(view.cards), f"{where}: {family.label}"
            if isinstance(field, OneOf):
                for value, one in zip(field.values, field.each, strict=True):
                    command = msgspec.convert({**family.fixed, field.field: value}, AnyCommand)
                    assert listed.get(msgspec.json.encode(command), (one.label, one.at)) == (one.label, one.at), where
                    assert all(place in one.at for place in family.at), f"{where}: {family.label}"


def names_what_it_is_about(known: State, command: AnyCommand, at: list[Place], said: str) -> None:
    """Whatever a command names by an id is among what it is about, and what it names by a direction, too."""
    rooms = {place.room for place in at if isinstance(place, AtRoom)}
    figures = {place.figure for place in at if isinstance(place, AtFigure)}
    cards = {place.card for place in at if isinstance(place, AtCard)}
    monster = getattr(command, "monster", None)
    assert monster is None or monster in figures, said
    match command:
        case Move():
            assert rooms == {command.to}, said
        case Explore():
            assert any(isinstance(place, AtDoorway) and place.door == command.door for place in at), said
        case Cross():
            assert len(rooms) == 1, said
        case Act():
            assert command.target is None or command.target in figures | rooms, said
            kind, _, name = command.source.partition(":")
            assert kind != "card" or name in cards, said
            assert kind != "tile" or any(isinstance(place, AtRoom | AtTile) for place in at), said
            assert kind != "token" or any(isinstance(place, AtToken) and place.token == name for place in at), said
        case BreakFree():
            assert figures == {command.seat}, said
        case Attack():
            assert command.target in figures, said
            assert command.weapon is None or cards == {command.weapon}, said
        case Trade():
            assert command.partner in figures, said
            assert cards == {*command.gives, *command.wants}, said
        case Drop():
            assert cards == set(command.cards), said
        case PickUp():
            assert cards == set(command.cards), said
            assert isinstance(at[0], AtPile), said
        case Loot():
            assert command.corpse in figures, said
            assert cards == {command.card}, said
        case _:
            _option_points(known, str(getattr(command, "option", getattr(command, "pick", ""))), at, said)


def _option_points(known: State, option: str, at: list[Place], said: str) -> None:
    """Whatever somebody could read out of an option stands in `at`."""
    if spot := SPOT.search(option):
        there = {(one.floor, str(one.x), str(one.y), str(one.turns)) for one in at if isinstance(one, AtSpot)}
        assert there == {spot.groups()}, said
    if option.startswith("seat:"):
        assert AtFigure(figure=int(option[5:])) in at, said
    here = {one.room for one in at if isinstance(one, AtRoom)}
    figures = {one.figure for one in at if isinstance(one, AtFigure)}
    cards = {one.card for one in at if isinstance(one, AtCard)}
    for word in re.split("[:#@]", option):
        assert word not in known.rooms or word in here, said
        assert word not in known.monsters or word in figures, said
        assert word not in known.cards_about() or word in cards, said
        assert word not in known.decks or any(isinstance(one, AtDeck) for one in at) or option != word, said


def points_at_what_it_names(
    rules: Rules, view: GameView, label: str, command: AnyCommand, at: list[Place], said: str
) -> None:
    """Whatever room, figure or card somebody reads in a label is among what the command is about, but for the room beside a spot."""
    words = VERB.sub("", BESIDE.sub("", label))
    pointed = {(place.__class__, *msgspec.structs.astuple(place)[:1]) for place in at}
    for title, named in sorted(_titles(rules, view).items(), key=lambda one: -len(one[0])):
        if title in words and (found := re.compile(rf"(?<!\w){re.escape(title)}(?!\w)")).search(words):
            words = found.sub("", words)
            assert pointed & named, f"{said}, and not about {title}"
    if HERE.search(label):
        where = {one.seat: one.room for one in view.explorers} | {one.id: one.room for one in view.monsters}
        figures = (where[place.figure] for place in at if isinstance(place, AtFigure))
        rooms = {place.room for place in at if isinstance(place, AtRoom | AtToken | AtPile)} | {*figures}
        who: int | str | None = getattr(command, "monster", None) or view.you
        assert who is not None, said
        assert where[who] in rooms, said


def _titles(rules: Rules, view: GameView) -> dict[str, set[tuple[object, ...]]]:
    """By what a reader calls it: what may be meant; of monsters by their kind, any of them, and a token may be called as its card is."""
    found = defaultdict[str, set[tuple[object, ...]]](set)
    for tile in rules.pack.tiles.values():
        found[tile.title] |= {(kind, tile.id) for kind in (AtRoom, AtSpot, AtTile, AtDoorway, AtWall, AtPile)}
    for card, title in rules.pack.titles.items():
        found[title].add((AtCard, card))
    for token in view.tokens:
        found[token.title].add((AtToken, token.token))
    for explorer in view.explorers:
        found[explorer.title].add((AtFigure, explorer.seat))
    for monster in view.monsters:
        for title in (monster.title, monster.title.rstrip(" 0123456789")):
            found[title].add((AtFigure, monster.id))
    return found


def is_seen(rules: Rules, view: GameView, place: Place, said: str, *, from_a_stack: bool) -> None:
    """The role's view has what a command is about."""
    rooms = {room.id: room for room in view.rooms}
    match place:
        case AtRoom():
            assert place.room in rooms, said
            divided = bool(rooms[place.room].parts) and not rooms[place.room].open
            assert divided or place.part == 0, said
        case AtDoorway():
            assert getattr(rooms[place.room].doors, place.door) == "free", said
        case AtWall():
            assert place.room in rooms, said
        case AtSpot():
            taken = [room.id for room in view.rooms if (room.floor, room.x, room.y) == (place.floor, place.x, place.y)]
            assert taken in ([], [place.tile]), said
            assert place.title == rules.pack.tiles[place.tile].title, said
        case AtFigure():
            assert place.figure in {*(one.seat for one in view.explorers), *(one.id for one in view.monsters)}, said
        case AtCard():
            assert from_a_stack or place.card in view.cards, said
        case AtTile():
            assert place.tile not in rooms, said
            assert from_a_stack or place.tile in rules.pack.tiles, said
        case AtDeck():
            assert place.deck in view.decks, said
        case AtToken():
            assert any((one.token, one.room, one.part) == (place.token, place.room, place.part) for one in view.tokens)
        case AtPile():
            assert any((one.room, one.part) == (place.room, place.part) for one in view.piles), said
