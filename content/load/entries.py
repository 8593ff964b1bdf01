"""What is entered of a printed haunt book, checked by the same laws as a file; and kept small, for it comes from outside."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from content.check.form import amounts, fields, identity, references, tables
from content.check.pieces import cards, haunts, moments, monsters
from content.check.play import flow
from content.errors import Finding, Trail
from content.load.convert import fit
from content.load.documents import LEAVE_OUT, UNSEEN
from content.patterns import unseen
from content.survey import Check, Spot, Survey, walk, written
from content.vocabulary.base import Word
from content.vocabulary.effects import Effect, PlaceMonster, Roll, Token
from content.vocabulary.entry import Entry
from content.vocabulary.pack import Book, Haunt, Pack
from content.vocabulary.values import Number

CHECKS: tuple[Check, ...] = (
    identity.kebab_case,
    identity.action_words,
    identity.nothing_blank,
    identity.one_line,
    identity.unique_ids,
    fields.one_verb,
    fields.exactly_one,
    fields.at_most_one,
    fields.at_least_one,
    fields.needs,
    amounts.at_least_one,
    amounts.counters_in_bounds,
    amounts.bounds,
    amounts.tables_by_players,
    amounts.comparisons,
    amounts.damage_kinds,
    tables.outcomes,
    tables.players,
    references.who,
    references.place,
    cards.states,
    cards.speakers,
    cards.moments,
    cards.reactions,
    cards.survivals,
    cards.floors_to_lie_on,
    cards.kinds_exist,
    moments.known_moments,
    moments.answers,
    moments.constant,
    moments.again,
    moments.limits,
    moments.said_by_haunts,
    haunts.revealing,
    haunts.endings,
    monsters.equipped,
    monsters.hiding,
    monsters.colors,
    haunts.one_track,
    haunts.secrets,
    references.named_things_exist,
    references.places_exist,
    references.rules_exist,
    flow.referring_back,
)
"""Of a pack's checks those that can find something in a part of a haunt; whether both sides can win is the book's affair."""

MOST = 60
"""No number in an entry is larger, nor smaller than minus this."""
MOST_FIGURES = 20
"""Tokens or monsters placed, and dice rolled, by one step."""
MOST_WORDS = 400
"""Structs in one entry: larger ones are entered in parts."""

LONGEST = 2_000
"""Characters of a text."""
LONGEST_NAME = 40
"""Characters of an id, a name or an action's word."""
LONGEST_TITLE = 80
NAMES = ("id", "word")

PARTS = {"right-now": "do", "texts": "notes"}
"""Fields of a book by which an entry calls them."""


def read(data: object) -> tuple[Entry | None, list[Finding]]:
    """Make an entry from plain data, or say everything that keeps it from fitting."""
    found = fit(data, Entry, ())
    if isinstance(found, list):
        return None, found
    return found, []


def mistakes(pack: Pack, known: Haunt, entry: Entry) -> list[Finding]:
    """Find what is wrong in an entry.

    Args:
        pack: whose rooms and cards it may name.
        known: the haunt as far as it was entered, and as far as the one who enters was told.
        entry: what is entered.

    Returns:
        Mistakes, with trails that begin at the entry.
    """
    found = list(_bounds(entry))
    if found:
        return found
    if not msgspec.to_builtins(msgspec.structs.replace(entry, you=None)):
        return [Finding((), "nothing is entered", "for example `{notes: {first: ...}}`")]
    haunt = _extended(known, entry)
    survey = Survey({("haunts", 0): haunt}, beside=_pieces(pack))
    for check in CHECKS:
        for finding in check(survey):
            trail = _in_entry(finding.trail, haunt, entry)
            if trail is not None:
                found.append(finding._replace(trail=trail))
    return list(dict.fromkeys(found))


def said_by_haunts(entry: Entry) -> list[Finding]:
    """Find what only a haunt can say: before the haunt there is nothing to win (2E-OBJ-002)."""
    return list(moments.said_by_haunts(Survey({(): entry})))


def _pieces(pack: Pack) -> dict[Trail, Word]:
    lists = (("tiles", pack.tiles), ("cards", pack.cards), ("tokens", pack.tokens), ("explorers", pack.explorers))
    found: dict[Trail, Word] = {(name, index): piece for name, pieces in lists for index, piece in enumerate(pieces)}
    return found | {("head",): pack.head}


def _extended(known: Haunt, entry: Entry) -> Haunt:
    """The haunt with the entry's own parts behind what is known, as one haunt of a pack would have them."""
    tokens, items = {one.id for one in entry.tokens}, {one.id for one in entry.items}
    book = Book(
        story="-",
        goal="-",
        right_now=entry.do,
        actions=entry.actions,
        on=entry.on,
        wins_when=entry.wins_when,
        plays_on=entry.plays_on,
        because=entry.because,
        texts={**_texts(known), **entry.notes},
    )
    return Haunt(
        id=known.id,
        title="-",
        stage="draft",
        kind=known.kind,
        story="-",
        counters={**known.counters, **entry.counters},
        tokens=[*[one for one in known.tokens if one.id not in tokens], *entry.tokens],
        items=[*[one for one in known.items if one.id not in items], *entry.items],
        monsters={**known.monsters, **entry.monsters},
        heroes=None if known.kind == "free-for-all" else book,
        traitor_book={"one-traitor": Book(story="-", goal="-"), "free-for-all": book}.get(known.kind),
    )


def _texts(known: Haunt) -> dict[str, str]:
    return {name: text for book in known.books.values() for name, text in book.texts.items()}


def _in_entry(trail: Trail, haunt: Haunt, entry: Entry) -> Trail | None:
    """Where in the entry a place of the haunt is; None: in something that is not of this entry."""
    if trail[:2] != ("haunts", 0):
        return None
    match trail[2:]:
        case ("heroes" | "traitor-book", part, *rest):
            return (PARTS.get(str(part), part), *rest)
        case ("tokens" | "items" as part, int(index), *rest):
            before = len(getattr(haunt, part)) - len(getattr(entry, part))
            return (part, index - before, *rest) if index >= before else None
        case rest:
            return tuple(rest)


def _bounds(entry: Entry) -> Iterator[Finding]:
    spots = walk(Spot((), entry))
    if len(spots) > MOST_WORDS:
        yield Finding((), f"an entry holds at most {MOST_WORDS} parts, this one {len(spots)}", "enter it in parts")
        return
    for spot in spots:
        for name in spot.value.__struct_fields__:
            value = getattr(spot.value, name)
            yield from _fair(spot, name, value)
            numbers = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
            if any(isinstance(one, int) and abs(one) > MOST for one in numbers):
                trail = spot.at(written(type(spot.value), name))
                yield Finding(trail, f"a number in an entry is at most {MOST}")
        yield from _few(spot)


def _fair(spot: Spot[Word], name: str, value: object) -> Iterator[Finding]:
    """Texts are no longer than the place where they are shown allows, and everything in them is seen."""
    trail = spot.at(written(type(spot.value), name))
    most = LONGEST_NAME if name in NAMES else LONGEST_TITLE if name == "title" else LONGEST
    texts = {(*trail, key): text for key, text in value.items()} if isinstance(value, dict) else {trail: value}
    for place, text in texts.items():
        if isinstance(value, dict) and len(str(place[-1])) > LONGEST_NAME:
            yield Finding(place[:-1], f"a name has at most {LONGEST_NAME} characters")
        if isinstance(text, str) and len(text) > most:
            yield Finding(place, f"a text has at most {most} characters here, this one {len(text)}")
        if isinstance(text, str) and (sign := unseen(text)):
            yield Finding(place, f"{UNSEEN} {sign}", LEAVE_OUT)


def _few(spot: Spot[Word]) -> Iterator[Finding]:
    """Amounts that make the service work: plain numbers or tables by players, and few."""
    match spot.value:
        case PlaceMonster(count=amount) | Token(count=amount):
            field = "count"
        case Roll(dice=amount):
            field = "dice"
        case Number(times=list()) if spot.above is not None and spot.above.inside(Number) is not None:
            yield Finding(spot.at("times"), "numbers are multiplied once", key=True)
            return
        case Effect(run=str()):
            yield Finding(spot.at("run"), "an entry has no named blocks", "write the steps themselves", key=True)
            return
        case _:
            return
    table = amount.players if isinstance(amount, Number) else None
    most = max(table.values(), default=0) if table else amount
    if isinstance(amount, Number) and table is None and field == "count":
        yield Finding(spot.at(field), "how many is a number or a table by `players`")
    elif isinstance(most, int) and most > MOST_FIGURES:
        yield Finding(spot.at(field), f"`{field}` is {most}: it is at most {MOST_FIGURES}")
