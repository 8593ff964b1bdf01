"""What both books of a haunt say alike: which haunt it is, and which tokens it needs (rulebook 2022, Anatomy of a Haunt)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta

from content.vocabulary.pack import Book, Haunt, Tile, TraitorRule
from domain.engine.external import EXTERNAL, event_of
from domain.engine.rules import Rules
from domain.facts.state import State
from domain.rulebook.haunt.traitor import nobody_named
from projections.naming.names import Names, readable
from projections.shapes import Floor, Id, Name, Number, Shape, Text, Title

SHOWN = {"State": ("haunt", "scenario", "options", "texts"), "Haunt": ("id", "number", "omen", "started")}
"""The fields of a role's state that are read here, besides names; all others stay hidden."""


class IdentificationView(Shape, frozen=True, kw_only=True):
    """Which haunt it is, in the same words for everybody."""

    number: Number
    """Its number; 0 for a haunt that the game's options name and no chart leads to."""
    scenario: Text
    """The scenario by which it came; empty where none leads to haunts."""
    trigger: Text
    """The omen that began it, or the event."""
    traitor: Text
    """Who becomes the traitor."""


class NeededView(Shape, frozen=True, kw_only=True):
    """A token that the haunt needs: both books list the same."""

    id: Name
    kind: Annotated[Literal["token", "item", "monster"], Meta(description="What it is on the table.")]
    title: Title
    text: Text
    """What the list says about it; how it works may stand in one book alone."""


class LocationView(Shape, frozen=True, kw_only=True):
    """A room that matters to a side."""

    tile: Id
    title: Title
    floors: list[Floor]
    """The regions in which it can lie."""


KINDS: dict[str, str] = {
    "no-traitor": "Nobody",
    "hidden-traitor": "One of you, in secret",
    "free-for-all": "Nobody: everybody plays against everybody",
}
"""By kinds of haunts that name no traitor: what is said of it."""


def identification(rules: Rules, state: State) -> IdentificationView:
    """The identification of the haunt in play, from what everybody knows."""
    haunt = state.haunt
    assert haunt is not None  # noqa: S101 -- asked for in a haunt only
    named = bool(state.options.get("haunt"))
    return _identified(rules, haunt.id, haunt.number, haunt.omen, state.scenario, named)


@lru_cache(maxsize=256)
def _identified(rules: Rules, haunt: str, number: int, omen: str, scenario: str, named: bool) -> IdentificationView:  # noqa: FBT001 -- the key of a cache
    sheet, pack = rules.pack.haunts[haunt], rules.pack
    trigger = omen or (_event_of(rules, number) if number else "")
    return IdentificationView(
        number=number,
        scenario=Names(rules).scenario(scenario) if scenario else "",
        trigger=pack.titles.get(trigger) or readable(trigger) if trigger else "",
        traitor=KINDS.get(sheet.kind) or traitor_rule(rules, _named(rules, number, sheet, chosen=named)),
    )


@lru_cache(maxsize=256)
def _event_of(rules: Rules, number: int) -> str:
    return event_of(rules.pack.source, number)


def _named(rules: Rules, number: int, sheet: Haunt, *, chosen: bool) -> TraitorRule:
    """Whom the haunt, or what leads to it, names as the traitor; the haunt itself where an option of the game has chosen it."""
    printed = rules.pack.chart.traitors.get(str(number))
    own = chosen or printed is None or nobody_named(printed)
    return (sheet.traitor if own else printed) or TraitorRule(revealer=True)


def traitor_rule(rules: Rules, rule: TraitorRule) -> str:
    """Whom the chart names: `Highest Might except the revealer`, `Zoe Ingstrom, otherwise highest Knowledge`."""
    names = Names(rules)
    words = next(words for holds, words in _cases(names, rule) if holds)
    words += " except the revealer" if rule.besides_revealer else ""
    if rule.otherwise is None:
        return words
    otherwise = traitor_rule(rules, rule.otherwise)
    return f"{words}, otherwise {otherwise[:1].lower()}{otherwise[1:]}"


def _cases(names: Names, rule: TraitorRule) -> list[tuple[bool, str]]:
    return [
        (rule.hidden, "Dealt in secret"),
        (rule.none, "Nobody, or nobody at first"),
        (rule.free_for_all, KINDS["free-for-all"]),
        (rule.most_omens, "Most omens"),
        (rule.holds is not None, f"Whoever has {names.card(rule.holds or '')}"),
        (rule.left_of_revealer, "The player on the revealer's left"),
        (rule.highest is not None, f"Highest {(rule.highest or '').capitalize()}"),
        (rule.lowest is not None, f"Lowest {(rule.lowest or '').capitalize()}"),
        (rule.oldest, "The oldest explorer"),
        (rule.youngest, "The youngest explorer"),
        (rule.explorer is not None, names.character(rule.explorer or "")),
        (True, "The revealer of the haunt"),
    ]


def is_opened(rules: Rules, state: State) -> bool:
    """Whether anything of the haunt in play has been read; where it is read aloud, that is after the traitor is found (3E-START-003)."""
    haunt = state.haunt
    if haunt is None:
        return False
    silent = not rules.edition.haunt.reads_aloud or haunt.id == EXTERNAL
    return silent or haunt.started or any(text.endswith(".story") for text in state.texts)


def needed(rules: Rules, state: State) -> list[NeededView]:
    """The tokens that the haunt in play needs, where both books list them for all to see."""
    if (
        state.haunt is None
        or state.haunt.id == EXTERNAL
        or not rules.edition.secrets.tokens
        or not is_opened(rules, state)
    ):
        return []
    sheet = rules.pack.haunts[state.haunt.id]
    return [
        *(NeededView(id=one.id, kind="token", title=one.title, text=one.text) for one in sheet.tokens),
        *(NeededView(id=one.id, kind="item", title=one.title, text="") for one in sheet.items),
        *(NeededView(id=kind, kind="monster", title=one.title, text="") for kind, one in sheet.monsters.items()),
    ]


def locations(tiles: Iterable[Tile], book: Book) -> list[LocationView]:
    """The rooms that matter to a book's side, in its order."""
    known = {tile.id: tile for tile in tiles if tile.id in book.locations}
    return [
        LocationView(tile=name, title=known[name].title, floors=list(known[name].floors)) for name in book.locations
    ]
