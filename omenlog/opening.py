"""Opening a table: whether everything exists by which it is opened, and what answers for chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from domain import local
from domain.engine.rules import Rules
from domain.facts import refusal
from domain.facts.chance import Answer, Chance, Continued, Moderator, Request, Seeded, Tape
from omenlog.errors import Invalid, refused, unknown
from omenlog.packs import rules_of

NAME = "table"
"""The id of every game here."""


class Opening(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a table was opened."""

    edition: str
    seats: int
    haunt: str = ""
    scenario: str = ""
    explorers: tuple[str, ...] = ()
    first_seat: int | None = None
    turn_limit: int = 0
    rulings: dict[str, str] = {}
    pack: str = ""
    taped: bool = False


def source_of(seed: str | None, tape: Sequence[Answer] | None) -> Chance:
    """What answers for chance: a tape, then a seed; without a seed nobody after the tape."""
    rolled: Chance = Moderator() if seed is None else Seeded(seed.encode(), NAME)
    return rolled if tape is None else Continued(Tape(tape), rolled)


def opened(opening: Opening, chance: Chance) -> local.LocalGame:
    """A game that has begun. Raises `Invalid` and `Refused` as a table does."""
    try:
        msgspec.convert(msgspec.structs.asdict(opening), Opening)
    except msgspec.ValidationError as error:
        raise Invalid(f"No table can be opened so: {error}") from None
    rules = rules_of(opening.edition, opening.pack)
    _check(rules, opening)
    options: dict[str, object] = {"haunt": opening.haunt, "turn_limit": opening.turn_limit, "rulings": opening.rulings}
    begun = local.Opening(
        name=NAME,
        seats=opening.seats,
        options={name: value for name, value in options.items() if value},
        explorers=opening.explorers,
        first_seat=opening.first_seat,
        scenario=opening.scenario,
        taped=opening.taped,
    )
    try:
        return local.LocalGame.opened(rules, chance, begun)
    except refusal.Refused as error:
        raise refused(error) from None


def answer_of(one: object) -> Answer:
    """An answer of a tape, in any of its forms."""
    if isinstance(one, Answer):
        return one
    if isinstance(one, str):
        return Answer(pick=one)
    shape = one if isinstance(one, Mapping) else {"faces": one}
    try:
        return msgspec.convert(shape, Answer)
    except msgspec.ValidationError:
        raise Invalid(
            f'{one!r} is no answer of chance: write a list of faces, such as [2, 0], or what is picked, such as "attic".'
        ) from None


def drawn_scenario(rules: Rules, seed: str) -> str:
    """The scenario that a seed draws."""
    scenarios = tuple(rules.pack.scenarios)
    return Seeded(seed.encode(), "scenario").ask(Request(0, "scenario", options=scenarios)).pick if scenarios else ""


def _check(rules: Rules, opening: Opening) -> None:
    """Check that everything exists by which a table is opened."""
    pack, seats = rules.pack, opening.seats
    if opening.haunt and opening.haunt not in pack.haunts:
        raise unknown("haunt", opening.haunt, pack.haunts)
    if opening.scenario and opening.scenario not in pack.scenarios:
        raise unknown("scenario", opening.scenario, pack.scenarios)
    for explorer in filter(None, opening.explorers):
        if explorer not in pack.explorers:
            raise unknown("explorer", explorer, pack.explorers)
    if len(opening.explorers) > seats:
        raise Invalid(f"{len(opening.explorers)} explorers for {seats} seats: leave some out.")
    if opening.first_seat is not None and opening.first_seat not in range(seats):
        raise Invalid(f"Seat {opening.first_seat} can't begin: this table has the seats 0 to {seats - 1}.")
    if opening.turn_limit < 0:
        raise Invalid(f"A limit of {opening.turn_limit} turns: 0 stands for none.")
    for piece, ruling in opening.rulings.items():
        if piece not in pack.alternatives:
            raise unknown("piece with rulings to choose from", piece, pack.alternatives)
        if ruling not in pack.alternatives[piece]:
            raise unknown(f"ruling for {piece}", ruling, pack.alternatives[piece])
