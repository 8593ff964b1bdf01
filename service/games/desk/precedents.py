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
from content.patterns import whole
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
CURSOR = whole(r"^(own:)?([a-z2-7]{20}):([0-9]{1,4})$")
"""Whether the page ended among the caller's own games, a game, and the number of a dispute in it."""
OWN = "own:"

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

        Raises `unknown-rule`, or `NoSuchGame` where the cursor's game is neither the caller's nor listed.
        """
        check_rule(rule)
        own = _own(callers)
        place = re.fullmatch(CURSOR, after)
        begin, number = (place[2], int(place[3])) if place else ("", 0)
        listed = place is not None and not place[1]
        games, following = await self._games(own, begin, listed=listed, done=number == END)
        found: list[Precedent] = []
        for caller in games:
            done = number if caller.game == begin else 0
            for one in await self._of(caller):
                if one.number > done and (not rule or rule in one.rules):
                    if len(found) == limit:
                        last = found[-1]
                        phase = OWN if last.game in own else ""
                        return PrecedentList(precedents=found, next=f"{phase}{last.game}:{last.number}")
                    found.append(one)
        return PrecedentList(precedents=found, next=following)

    async def _games(
        self, own: dict[str, Caller], begin: str, *, listed: bool, done: bool
    ) -> tuple[list[Caller], str | None]:
        """The games to be searched for a page, and the cursor of the next one if there are more.

        Args:
            own: the caller's games, which come first, by id: so a page can begin behind one that is the caller's no longer.
            begin: the game with which the page begins.
            listed: it is one of the listed games, which come after them.
            done: the page begins behind it.
        """
        left = [] if listed else [name for name in sorted(own) if name > begin or (name == begin and not done)]
        games = [own[name] for name in left[:LOOKED_AT]]
        if len(left) >= LOOKED_AT:
            return games, f"{OWN}{left[LOOKED_AT - 1]}:{END}"
        records, following = await self._catalogue.page(
            "finished", newest=False, after=begin if listed else None, limit=LOOKED_AT - len(left)
        )
        if listed and not done and (record := await self._tables.store.get_game(begin)) is not None:
            records.insert(0, record)
        games += [_anybody(one.id) for one in records if one.id not in own and _is_public(one)]
        return games, f"{following}:{END}" if following else None

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
