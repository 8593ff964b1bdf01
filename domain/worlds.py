"""Worlds that agree with all that a role knows: what is hidden from it is invented, so that they give none of the truth away.

A role's state is the fold of what it was told, and chance is lazy: what nobody has looked at is not decided anywhere. So a world is the
role's own state, and little has to be invented:

- *Slots of stacks that others have looked at* are undetermined again, and chance determines them when they are drawn. For shuffled
  stacks that is what the rules make of them; not so for cards that somebody has put back in an order of its own, or searched for.
- *The hidden traitor*: dealt anew among those who could be, each equally likely, as the tokens were dealt (2E-HID-001).
- *Secrets* (`choose-secret`): one of the things that could have been chosen, each equally likely. So the rules deal only what chance chose; what a
  player chose has no distribution.
- *Where a monster hides*: not invented. Each of its steps hides it anew, and what the role was told since says more than can be tried; whoever
  doesn't know where it is gets no world (`unseen`).
- *What a monster's box says* (3E-ANAT-011): as many dice as it was last seen to roll for a trait, else a number that stands for any.
- *What the other side entered of a printed book* is left out. Texts of the haunt are known only to those who have read them as far as the role
  knows.
- *What is half-done* is taken over where it hides nothing (see `half_done`).

Everybody else knows in this world what the public knows, and what their side does. Orders given in secret are not part of a game, so there are none.
"""

from __future__ import annotations

import msgspec

from content.vocabulary.effects import ChooseSecret
from content.vocabulary.pack import Book
from domain.engine.external import EXTERNAL
from domain.engine.parts import BOXES, UNKNOWN
from domain.engine.rules import Rules
from domain.facts.audience import MAX_SEATS, REFEREE, SPECTATORS, Mask, seat_bit
from domain.facts.events import BoxTold, SecretChosen, SideTold
from domain.facts.ids import is_own_side, stance
from domain.facts.state import Haunt, Monster, SavedFrame, State
from domain.rulebook.turn.options import legal


class NoWorld(Exception):
    """No world agrees with what a role knows: a bug, never a player's mistake. The message reveals nothing hidden."""


class Guess(msgspec.Struct, frozen=True, order=True):
    """Invented values of the hidden facts that are fixed for the whole game."""

    traitor: int = -1
    """The seat of the hidden traitor; -1 if there is none, or the role knows."""
    secrets: tuple[tuple[str, str], ...] = ()
    """Names and values of secrets that the role doesn't know."""


class World(msgspec.Struct, frozen=True):
    """A world: what the engine goes on with, and what each role knows of it."""

    engine: State
    roles: dict[Mask, State]
    """By principal: seats and spectators; the referee knows what the engine does."""


def copied(state: State) -> State:
    """A deep copy of a state."""
    return msgspec.json.decode(msgspec.json.encode(state), type=State)


# -- what is hidden -----------------------------------------------------------------------------------------------------------------


def suspects(role: State) -> list[int]:
    """Who could be the hidden traitor, by what the role knows; nobody if it knows, or if there is none."""
    haunt = role.haunt
    if haunt is None or not haunt.hidden or haunt.traitor >= 0:
        return []
    return [one.seat for one in role.explorers if not one.side]


def unknown_secrets(role: State) -> list[str]:
    """Names of secrets that were chosen and not told to the role."""
    return [] if role.haunt is None else [name for name, value in role.haunt.secrets.items() if not value]


def unseen(role: State) -> list[str]:
    """Monsters of which the role doesn't know where they hide."""
    return [name for name, one in role.monsters.items() if one.hides and not one.lair]


def hides(role: State) -> bool:
    """Whether the haunt hides facts from the role on which unfinished steps may depend."""
    haunt = role.haunt
    if haunt is None:
        return False
    return (
        (haunt.hidden and haunt.traitor < 0)
        or bool(unknown_secrets(role))
        or bool(unseen(role))
        or haunt.id == EXTERNAL
    )


def half_done(rules: Rules, role: State) -> bool:
    """Whether something is half-done that may hold what the role doesn't know; a function of the role's own state.

    What waits for an answer lies in saved frames, which only the referee is told. They hold nothing hidden unless the haunt hides something, or
    somebody is offered what others don't see: then those secrets could steer them; so could an amendment, if a dispute was ruled by one,
    and steps of a book that the role has not read.
    """
    if not role.open:
        return False
    if rules.unread(role):
        return True
    amended = role.desk is not None and bool(role.desk.amendments())
    return amended or hides(role) or any(_withheld(role, name) for name in role.open)


def _withheld(role: State, name: str) -> bool:
    decision = role.open[name]
    if decision.kind == "chance":
        return not decision.total and not decision.options
    return decision.kind in ("choice", "reaction", "consent", "ready") and not decision.options


# -- inventing ----------------------------------------------------------------------------------------------------------------------


def world(
    rules: Rules, role: State, public: State, principal: Mask, guess: Guess, frames: list[SavedFrame] | None = None
) -> World:
    """The world in which a guess is true.

    Args:
        rules: of the game.
        role: what the role knows.
        public: what spectators know.
        principal: the role's bit.
        guess: of what the role doesn't know.
        frames: what is half-done, where `half_done` says that it hides nothing.

    Raises:
        NoWorld: the role's knowledge agrees with no world, or it doesn't know where a monster hides.
    """
    if unseen(role):
        raise NoWorld("a monster hides from the role")
    engine = copied(role)
    engine.frames = list(frames or [])
    _pretend(engine, guess)
    check(rules, engine)
    roles = {seat_bit(seat): _told(rules, seat, engine, role, public) for seat in range(engine.seats)}
    roles[SPECTATORS] = copied(public)
    if principal in roles:
        roles[principal] = copied(role)
    if principal not in (SPECTATORS, REFEREE) and role.status == "started":
        seat = principal.bit_length() - 1
        if legal(rules, engine, seat) != legal(rules, role, seat):
            raise NoWorld("the invented world would give the role other commands than it has")
    return World(engine, roles)


def _pretend(engine: State, guess: Guess) -> None:
    if guess.traitor >= 0:
        tokens = _unseen(engine)
        for explorer in engine.explorers:
            if not explorer.side:
                traitor = explorer.seat == guess.traitor
                token = tokens.pop(0 if traitor else -1)
                SideTold(seat=explorer.seat, side="traitor" if traitor else "heroes", token=token).apply(engine)
    elif engine.haunt is not None and engine.haunt.hidden:
        for explorer in engine.explorers:  # the role is the traitor itself: all others are heroes
            explorer.side = explorer.side or "heroes"
        tokens = _unseen(engine)
        for explorer in engine.explorers:
            if explorer.seat != engine.haunt.traitor:
                explorer.token = explorer.token or tokens.pop()
    for name, value in guess.secrets:
        SecretChosen(name=name, value=value).apply(engine)
    for monster in engine.monsters.values():
        if monster.boxed:
            BoxTold(monster=monster.id, traits=_supposed(monster)).apply(engine)


def _supposed(monster: Monster) -> dict[str, int]:
    """Numbers that agree with what was seen of a monster whose box is unread."""
    return {trait: monster.rolled.get(trait, UNKNOWN) for trait in monster.has}


def _unseen(engine: State) -> list[int]:
    """The numbers of the tokens that the role hasn't seen, from the lowest: beyond the 1 they tell nothing."""
    seen = {one.token for one in engine.explorers}
    return [number for number in range(1, engine.seats + 1) if number not in seen]


def _told(rules: Rules, seat: int, engine: State, role: State, public: State) -> State:
    """What a seat knows in the world: what the public does, its own side, and what its side knows."""
    known = copied(public)
    haunt, theirs = engine.haunt, known.haunt
    if haunt is None or theirs is None or not engine.explorers:
        return known
    mine = engine.explorers[seat].side
    if haunt.hidden:
        SideTold(seat=seat, side=mine, token=engine.explorers[seat].token).apply(known)
    for name, value in haunt.secrets.items():
        if _knows(rules, haunt, name, mine):
            SecretChosen(name=name, value=value).apply(known)
    for name, one in engine.monsters.items():
        if one.hides and one.side == mine:
            known.monsters[name] = msgspec.structs.replace(one)
        if mine == BOXES and name in known.monsters and known.monsters[name].boxed:
            BoxTold(monster=name, traits=dict(one.traits), attacks=one.attacks).apply(known)
    if not haunt.hidden and stance(mine) in _sides_of(role):
        known.texts = list(role.texts)
        theirs.counters, theirs.maxima = dict(haunt.counters), dict(haunt.maxima)
        theirs.notes = dict(role.haunt.notes) if role.haunt is not None else {}
        theirs.entries = list(role.haunt.entries) if role.haunt is not None else []
    return known


def _sides_of(role: State) -> set[str]:
    """Sides whose books the role has read."""
    books = {"heroes.book": "heroes", "traitor.book": "traitor"}
    return {side for book, side in books.items() if book in role.texts}


def _knows(rules: Rules, haunt: Haunt, name: str, side: str) -> bool:
    """Whether a side knows a secret: the one in whose book it is chosen. Who plays alone knows only its own."""
    if is_own_side(side):
        return False
    sheet = rules.pack.haunts[haunt.id]
    theirs = sheet.traitor_book is not None and choosing(sheet.traitor_book, name) is not None
    return (side == "traitor") == theirs


def choosing(book: Book, name: str) -> ChooseSecret | None:
    """The step of a book by which a secret is chosen."""
    return _found(book, name)


def _found(node: object, name: str) -> ChooseSecret | None:
    if isinstance(node, ChooseSecret):
        return node if node.name == name else None
    parts: list[object] = []
    if isinstance(node, msgspec.Struct):
        parts = list(msgspec.structs.astuple(node))
    elif isinstance(node, list | tuple):
        parts = list(node)
    elif isinstance(node, dict):
        parts = list(node.values())
    return next((one for one in (_found(part, name) for part in parts) if one is not None), None)


# -- whether it can be --------------------------------------------------------------------------------------------------------------


def check(rules: Rules, engine: State) -> None:
    """Check that a state can be one of a game: every stack has a face for each of its places.

    Raises:
        NoWorld: it can't.
    """
    for name, deck in engine.decks.items():
        undetermined = [slot for slot in (*deck.top, *deck.bottom, *deck.aside) if not slot.face]
        if deck.unknown < 0 or len(deck.pool) != deck.unknown + len(undetermined):
            raise NoWorld(
                f"the stack {name} has {len(deck.pool)} faces left for {deck.unknown + len(undetermined)} places"
            )
        if len(set(deck.pool)) != len(deck.pool):
            raise NoWorld(f"the stack {name} has the same face twice")
        for back in {slot.back for slot in undetermined if slot.back}:
            bearing = sum(rules.pack.tile_backs[face] == back for face in deck.pool)
            if bearing < sum(slot.back == back for slot in undetermined):
                raise NoWorld(f"the stack {name} has too few faces with one of its backs")
    haunt = engine.haunt
    if haunt is not None and haunt.hidden and sum(one.side == "traitor" for one in engine.explorers) != 1:
        raise NoWorld("nobody can be the hidden traitor")
    if len(engine.explorers) > MAX_SEATS or any(one.room not in engine.rooms for one in engine.living()):
        raise NoWorld("an explorer is in no room")
