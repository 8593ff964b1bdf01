"""Which box of content spoke: of a card, a tile, a token, the haunt.

A role finds boxes in what it was told: an event names what a roll is for, what was used, which action was done. For the referee a
command is decided again on what the referee knows, by a machine that takes note of the step behind each event; so a
step has its exact path although the log holds none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from content.vocabulary.pack import Card
from domain.decide import decide
from domain.engine.machine import Machine
from domain.engine.parts import part_of_block
from domain.engine.rules import Rules
from domain.facts.commands import AnyCommand
from domain.facts.desk_commands import AnyDeskCommand
from domain.facts.events import (
    ActionTaken,
    CardDrawn,
    CoinCalled,
    CoinFlipped,
    Declined,
    DiceRolled,
    Rewound,
    SpanSeen,
    TakenBack,
    Told,
)
from domain.facts.events.base import Event
from domain.facts.ids import split_id
from domain.facts.refusal import Refused
from domain.facts.state import State
from domain.past import Past
from domain.redecide import RecordedChance
from domain.rulebook.desk.talk import BESIDE
from projections.naming.names import Names
from projections.sentences.sums import made_of
from projections.trace.shapes import Spoke
from projections.view.haunts import sides_read, text_open
from projections.view.wording import book_rules, knows_part, rules_of_box, rules_of_part

SHOWN: dict[str, tuple[str, ...]] = {}
"""Only names are read of a role's state here: boxes are found in what the role was told."""

PIECES = ("card", "tile", "token", "haunt")
"""How a source begins that is a piece of content: `card:axe`."""

Place = tuple[str, str]
"""A box and the path of a step within; both empty where the rules speak for themselves."""

NOWHERE: Place = ("", "")

SHARED = "pack#"
"""How the ids of blocks begin that a pack's pieces share."""

BOOKS = {"heroes": "the heroes' book", "traitor": "the traitor's book"}
"""How the boxes of a haunt begin."""
SECTIONS = {"right-now": "right now", "instead-of-death": "what is done in place of dying"}
"""By the part of a book that is neither an action nor a rule that applies by itself."""


UNBOXED = BESIDE | {CoinCalled, CoinFlipped, TakenBack, SpanSeen, Rewound}
"""What people say and rule: if a box is waiting meanwhile, it has nothing to do with this."""


class _Notes:
    """Notes the innermost step of content behind each event of a machine."""

    def __init__(self) -> None:
        self.places: list[Place] = []
        """One for each event that was told."""
        self.sums: list[str] = []
        """For each what its numbers are made of."""

    def watch(self, machine: Machine, event: Event, place: int) -> None:
        between = place < len(self.places)
        self.places.insert(place, NOWHERE if between or type(event) in UNBOXED else _place(machine))
        self.sums.insert(place, "" if between else made_of(machine.rules, machine.state, event))


def _place(machine: Machine) -> Place:
    shared = NOWHERE
    for frame in reversed(machine.stack):
        if "#" in frame.block.id and frame.next:
            path = frame.block.paths[frame.next - 1]
            place = (frame.block.id, path.partition("!")[0].partition("~")[0])
            if not frame.block.id.startswith(SHARED):
                return place  # a block that pieces share speaks for the piece that runs it
            shared = shared if shared != NOWHERE else place
    return shared


def decided_again(
    rules: Rules,
    state: State,
    actor: int,
    command: AnyCommand | AnyDeskCommand,
    told: Sequence[Told],
    past: Past | None = None,
) -> tuple[list[Place], list[str]] | None:
    """Do a command again, and say for each of its events which step of content was behind it, and what its numbers are made of.

    Args:
        rules: of the game.
        state: the referee's, before the commit. It is advanced by the commit, or left unusable.
        actor: the seat, or the moderator.
        command: what was done.
        told: what the log holds of it.
        past: if play went back by the command: what the log says of the commit that it went back to.

    Returns:
        A place and a text for each event; None if today's rules decide differently from those that recorded it: the state is then unusable.
    """
    notes = _Notes()
    try:
        again = decide(rules, state, actor, command, RecordedChance(told), past, watch=[notes.watch])
    except (Refused, LookupError, ValueError, TypeError, AttributeError):
        return None  # an older revision allowed it, or left behind what this one can't go on with
    if again != list(told):
        return None
    return notes.places, notes.sums


def places_told(rules: Rules, state: State, events: Iterable[Event]) -> list[Place]:
    """For each event the box that it names itself, if it names one."""
    return [(_named(rules, state, event), "") for event in events]


def _named(rules: Rules, state: State, event: Event) -> str:
    if isinstance(event, DiceRolled):
        return event.about if "#" in event.about else _piece(event.about)
    if isinstance(event, ActionTaken):
        box = rules.pack.action_block(event.source, event.word, state)
        return box if box in rules.blocks else _piece(event.source)
    if isinstance(event, CardDrawn):
        box = f"card/{event.card}#do"
        return box if box in rules.blocks and rules.blocks[box].code else ""
    if isinstance(event, Declined):
        return _piece(event.what)
    for field in ("source", "by"):
        found = getattr(event, field, "")
        if isinstance(found, str):
            return _piece(found)
    return ""


def _piece(source: str) -> str:
    """`card:axe` is the piece `card/axe`; empty for anything else."""
    what, name = split_id(source)
    return f"{what}/{name}" if what in PIECES and name else ""


def spoke(rules: Rules, state: State, places: Iterable[Place]) -> list[Spoke]:
    """The boxes that applied, each once, with the steps that were done; a piece as a whole only if none of its boxes is known."""
    steps: dict[str, list[str]] = {}
    for box, at in places:
        if box:
            known = steps.setdefault(box, [])
            if at and at not in known:
                known.append(at)
    owners = {owner_of(box) for box in steps if "#" in box}
    names = Names(rules, state)
    return [
        Spoke(
            box=box,
            title=title_of(names, box),
            text=text_of(rules, state, box),
            rules=rules_told(rules, state, box),
            steps=done,
        )
        for box, done in steps.items()
        if "#" in box or box not in owners
    ]


def title_of(names: Names, box: str) -> str:
    """What a box is called: `The Gnawing Tide, the traitor's book: WHISTLE`; of a piece its own title."""
    owner, _, path = box.partition("#")
    side, _, section = path.partition(".")
    if owner.startswith("haunt/") and side == "monsters":
        kind, _, deed = section.partition(".")
        return f"{names.heading(owner)}, the box of {names.kind(kind)}: {_part(deed)}"
    if not owner.startswith("haunt/") or side not in BOOKS:
        return names.heading(box)
    return f"{names.heading(owner)}, {BOOKS[side]}: {_part(section)}"


def _part(section: str) -> str:
    """A part of a book or of a monster's box: an action by its word, `WHISTLE`, a rule by its number."""
    head, _, name = section.partition(".")
    return SECTIONS.get(head) or (f"rule {int(name) + 1}" if head == "on" else name.replace("-", " "))


def owner_of(box: str) -> str:
    """The piece to which a box belongs: `card/rotten`."""
    return box.partition("#")[0]


def pieces(spoken: Iterable[Spoke]) -> Iterator[str]:
    """The ids of cards and tiles among what spoke, for which a game may have chosen a ruling."""
    for one in spoken:
        what, _, name = owner_of(one.box).partition("/")
        if what in ("card", "tile"):
            yield name


def text_of(rules: Rules, state: State, box: str) -> str:
    """What people read on a piece; nothing for a haunt, whose books are told apart, and for its tokens before a book is read."""
    what, _, name = owner_of(box).partition("/")
    if what == "card":
        card = _card(rules, name)
        return "" if card is None else card.text
    if what == "tile" and name in rules.pack.tiles:
        return rules.pack.tiles[name].text
    return rules.pack.tokens[name].text if what == "token" and text_open(rules, state, name) else ""


def rules_told(rules: Rules, state: State, box: str) -> list[str]:
    """What a box says, in words; of a haunt only from books that the role has read, and from its tokens once it has read one."""
    owner, _, path = box.partition("#")
    what, _, name = owner.partition("/")
    if what != "haunt":
        return rules_of_box(rules, state, box) if what != "token" or text_open(rules, state, name) else []
    side, _, part = path.partition(".")
    if state.haunt is None or name != state.haunt.id or name not in rules.pack.haunts:
        return []
    if opened := part_of_block(box):
        return rules_of_part(rules, state, opened) if knows_part(rules, state, opened) else []
    if side not in sides_read(state):
        return []
    told = book_rules(rules, state, name, "traitor" if side == "traitor" else "heroes")
    return [told[part]] if part in told else []


def _card(rules: Rules, name: str) -> Card | None:
    try:
        return rules.pack.card(name)
    except KeyError:
        return None
