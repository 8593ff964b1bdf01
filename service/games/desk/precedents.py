"""Precedents of many games, as far as a caller may see them: of its own games, and of listed games whose record is public.

Within a game precedents are public, so any token of it shows them, as late as its role may see. Games of others are searched
only where anybody may have the whole log: they are finished and disclosed, and their makers have listed them and chosen a public record.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Sequence

import msgspec

from content.ledger import PREFIXES, no_rule
from domain.facts.audience import SPECTATORS
from domain.rulebook.desk.disputing import precedents
from projections.shapes import Id
from projections.view.desk import Outcome, PrecedentView, precedent_view
from service.games.horizon import Horizon
from service.games.lobby.catalogue import Catalogue
from service.games.tables import Tables
from service.identity import Caller
from service.log.facts import read_facts
from service.problems import FieldError, ProblemError
from service.store.port import ArchiveMissing, GameRecord, NoSuchGame, StoreDamaged

LOOKED_AT = 50
"""Games that are searched for one page."""
REMEMBERED = 10_000
"""Public records of which the precedents are kept in memory: those games are over."""
END = 9999
"""Behind the last dispute of any game."""
CURSOR = re.compile(r"([a-z2-7]{20}):([0-9]{1,4})")
"""A game, and the number of a dispute in it."""

log = logging.getLogger(__name__)


class Precedent(PrecedentView, frozen=True, kw_only=True):
    """A ruling that holds in its game from then on."""

    game: Id
    edition: Id
    outcome: Outcome


class PrecedentList(msgspec.Struct, frozen=True, kw_only=True):
    """A page of precedents: game by game, the oldest of a game first."""

    precedents: list[Precedent]
    next: str | None
    """The cursor for the next page; null on the last one."""


class Precedents:
    """Finds precedents."""

    def __init__(self, tables: Tables, horizon: Horizon, catalogue: Catalogue) -> None:
        self._tables = tables
        self._horizon = horizon
        self._catalogue = catalogue
        self._over: dict[str, list[Precedent]] = {}

    async def page(self, callers: Iterable[Caller], rule: str, after: str, limit: int) -> PrecedentList:
        """The precedents behind a cursor, of the games of these callers first; with a rule those alone that cite it.

        Raises `unknown-rule` or `invalid-cursor`.
        """
        check_rule(rule)
        begin, number = _place(after)
        found: list[Precedent] = []
        games, following = await self._games(_own(callers), begin, done=number == END)
        for caller in games:
            done = number if caller.game == begin else 0
            for one in await self._of(caller):
                if one.number > done and (not rule or rule in one.rules):
                    if len(found) == limit:
                        return PrecedentList(precedents=found, next=f"{found[-1].game}:{found[-1].number}")
                    found.append(one)
        return PrecedentList(precedents=found, next=f"{following}:{END}" if following else None)

    async def _games(self, own: dict[str, Caller], begin: str, *, done: bool) -> tuple[list[Caller], str | None]:
        """The games to be searched for a page, which begins with or, if that is `done`, behind one of them; and the last one if there are more."""
        names = list(own)
        left = names[names.index(begin) + done :] if begin in own else [] if begin else names
        games = [own[name] for name in left[:LOOKED_AT]]
        if len(left) >= LOOKED_AT:
            return games, left[LOOKED_AT - 1]
        behind = None if begin in own else begin or None
        try:
            records, following = await self._catalogue.page(
                "finished", newest=False, after=behind, limit=LOOKED_AT - len(left)
            )
            if behind is not None and not done and (record := await self._tables.store.get_game(behind)) is not None:
                records.insert(0, record)
        except NoSuchGame:
            raise _unfit_cursor() from None
        return games + [_anybody(one.id) for one in records if one.id not in own and _is_public(one)], following

    async def _of(self, caller: Caller) -> Sequence[Precedent]:
        """The precedents of a game as of the latest commit that the caller may see; of one that is gone none."""
        if caller.token == ANYBODY and caller.game in self._over:
            return self._over[caller.game]
        try:
            live = await self._tables.live(caller.game)
            head = await self._horizon.head(live, caller)
            state = await self._tables.fold_for(caller.game, live, caller.principal, head)
        except NoSuchGame:
            return ()
        except (StoreDamaged, ArchiveMissing) as error:
            if caller.token != ANYBODY:
                raise
            log.warning("game %s is not searched for precedents: %s", caller.game, error)
            return ()
        found = [
            Precedent(
                **msgspec.structs.asdict(precedent_view(state, one)),
                game=caller.game,
                edition=live.facts.edition,
                outcome=one.outcome,
            )
            for one in precedents(state)
        ]
        if caller.token == ANYBODY:
            if len(self._over) >= REMEMBERED:
                self._over.clear()
            self._over[caller.game] = found
        return found


ANYBODY = "public"
"""In place of a token's name: whoever looks at a public record."""


def check_rule(rule: str) -> None:
    """Raise `unknown-rule` for one that no edition has; an empty one is none."""
    if rule and (detail := no_rule(rule, tuple(PREFIXES.values()))):
        raise ProblemError("unknown-rule", detail, errors=[FieldError("rule", detail)])


def _own(callers: Iterable[Caller]) -> dict[str, Caller]:
    """By game, each with the token that sees it soonest."""
    own: dict[str, Caller] = {}
    for caller in callers:
        if caller.game not in own or own[caller.game].principal == SPECTATORS:
            own[caller.game] = caller
    return own


def _anybody(game: str) -> Caller:
    return Caller(game, ANYBODY, "spectator")


def _is_public(record: GameRecord) -> bool:
    facts = read_facts(record.facts)
    return facts.options.listed and facts.options.public_record and record.status == "finished" and facts.disclosed()


def _place(cursor: str) -> tuple[str, int]:
    """The game and the dispute behind which a page begins."""
    found = CURSOR.fullmatch(cursor)
    if cursor and found is None:
        raise _unfit_cursor()
    return (found[1], int(found[2])) if found else ("", 0)


def _unfit_cursor() -> ProblemError:
    detail = "No page ended there: send a cursor as it was given, or none to begin."
    return ProblemError("invalid-cursor", detail, errors=[FieldError("after", detail)])
