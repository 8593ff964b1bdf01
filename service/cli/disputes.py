"""`omenlog disputes`: what was disputed in a game, or in all games of a store, and how it was ruled."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import msgspec
import rich_click as click

from domain.evolve import fold_commit
from domain.facts.audience import Mask
from domain.facts.desk import Dispute
from domain.facts.state import State
from domain.rulebook.desk.disputing import disputes as disputes_of
from projections.naming.names import commits_between, counted, enumerated
from projections.naming.questions import Asking, amendments, in_words
from projections.sentences.history import amended
from projections.view.desk import DisputeView, EvidenceView, RuledView, VerdictView
from service.cli.common import DATA, Ticker, check_seat, principal_asked, role_option, say, settings_of_store
from service.cli.history import tables_of
from service.games.desk.disputes import CLAIM, DisputeShown, known, shown
from service.games.desk.precedents import check_rule
from service.games.desk.ruling_pages import RulingPages
from service.games.read.reading import Reading
from service.identity import Caller
from service.log.commits import read_folded
from service.log.facts import is_fork, read_facts
from service.log.packs import Library
from service.log.reader import PAGE, commits
from service.problems import ProblemError
from service.settings import Settings
from service.store.open import opened
from service.store.port import ArchiveMissing, GameRecord, LogStore, NoSuchGame, StoreDamaged

EVERY = 5.0
"""Seconds between two reports on how far a long search has come."""


@click.command()
@click.argument("game", required=False)
@click.argument("number", required=False, type=click.IntRange(1))
@click.option("--all", "everywhere", is_flag=True, help="Search all games of the store, in place of one.")
@click.option("--precedents", is_flag=True, help="Only rulings that are precedents.")
@click.option(
    "--rule",
    default="",
    show_default="any",
    metavar="ID",
    help="Only disputes whose ruling or evidence cites this rule.",
)
@role_option("the referee")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown"]),
    default="text",
    help="`markdown`: the dispute NUMBER of GAME as a page to paste into a forum.",
)
@DATA
def disputes(
    *,
    game: str | None,
    number: int | None,
    everywhere: bool,
    precedents: bool,
    rule: str,
    role: str | None,
    form: str,
    data: Path | None,
) -> None:
    """List the disputes of a GAME in the store that OMENLOG_STORE names, or only NUMBER; with --all those of all games.

    Shows for each who disputes which commits, the claim, the evidence and the ruling, without erased texts, as the referee or another role knows
    them. As Markdown a dispute is told with what happened, the texts of the rules, and what the ruling changed. Changes nothing. Sandboxes are
    not searched. Exit code: 1 if a game could not be read.
    """
    if (game is None) is not everywhere:
        raise click.UsageError("name a GAME, or search all of them by --all")
    if form == "markdown" and (game is None or number is None):
        raise click.UsageError("--format markdown writes one dispute: name a GAME and its NUMBER")
    if number is not None and (precedents or rule):
        raise click.UsageError("NUMBER is one dispute: leave out --precedents and --rule")
    if everywhere and role is not None:
        raise click.UsageError("--as is for one GAME: leave out --all")
    principal = principal_asked(role or "referee")
    if form == "markdown":
        assert game is not None and number is not None  # noqa: PT018, S101 -- as asked for above
        click.echo(asyncio.run(_ruling_page(settings_of_store(data), game, number, principal)), nl=False)
        return
    try:
        check_rule(rule)
    except ProblemError as problem:
        raise click.BadParameter(str(problem), param_hint="--rule") from None
    wanted = f"{'precedents' if precedents else 'disputes'}{f' about {rule}' if rule else ''}"
    searching = _Searching(precedents, rule, number, principal)
    asyncio.run(searching.search(settings_of_store(data), game))
    if not searching.found and number is not None:
        raise click.UsageError(f"{game} has no dispute {number}")
    if not searching.found:
        say(f"{game or counted(searching.games, 'game')}: no {wanted}")
    if searching.unread:
        sys.exit(1)


async def _ruling_page(settings: Settings, game: str, number: int, role: Mask) -> str:
    async with tables_of(settings) as (tables, horizon, tracing):
        try:
            check_seat(role, len((await tables.live(game)).facts.seats))
            pages = RulingPages(Reading(tables, horizon), tracing, tables.store)
            return (await pages.page(Caller(game, "referee", "referee"), number, role))[0]
        except NoSuchGame:
            raise click.UsageError(f"no game {game} in the store") from None
        except ProblemError as problem:
            raise click.UsageError(str(problem)) from None


class _Searching:
    """Prints the disputes that are wanted, game by game."""

    def __init__(self, precedents: bool, rule: str, number: int | None, role: Mask) -> None:  # noqa: FBT001 -- as the options
        self.games = self.found = self.unread = 0
        self._precedents = precedents
        self._rule = rule
        self._number = number
        self._role = role

    async def search(self, settings: Settings, game: str | None) -> None:
        """Search one game, or all."""
        async with opened(settings) as stores:
            self._library = Library(stores.games)
            if game is not None:
                record = await stores.games.get_game(game)
                if record is None:
                    raise click.UsageError(f"no game {game} in the store")
                check_seat(self._role, len(read_facts(record.facts).seats))
                await self._look(stores.games, record, "")
                return
            ticker = Ticker(EVERY)
            async for record in _all_games(stores.games):
                self.games += 1
                try:
                    await self._look(stores.games, record, f"{record.id}, ")
                except (StoreDamaged, ArchiveMissing) as fault:
                    self.unread += 1
                    click.echo(f"{record.id} could not be read: {fault}", err=True)
                ticker.tick(lambda: f"{counted(self.games, 'game')} searched so far, {self.found} found")

    async def _look(self, store: LogStore, record: GameRecord, before: str) -> None:
        state = State()
        async for number, body in commits(store, record.id, record.version):
            try:
                fold_commit(state, number, read_folded(body).events, self._role)
            except (msgspec.DecodeError, ValueError) as error:
                raise StoreDamaged(f"commit {number} can't be read: {error}") from error
        wanted = [one for one in disputes_of(state) if self._wants(one)]
        texts = await store.get_texts(record.id, CLAIM) if wanted else {}
        asking = await self._asking(record, state, wanted)
        for one in wanted:
            self.found += 1
            words = [] if asking is None else amended(asking, one)
            first, *others = _lines(shown(*known(state, one), texts, words))
            for line in (f"{before}{first}", *others):
                say(line)

    async def _asking(self, record: GameRecord, state: State, wanted: Sequence[Dispute]) -> Asking | None:
        """What words amendments, if there are any. Raises `StoreDamaged`."""
        if not any(one.amendment or any(ruling.amendment for ruling in one.earlier) for one in wanted):
            return None
        facts = read_facts(record.facts)
        return Asking(await self._library.rules(facts.pack_digest, facts.edition), state)

    def _wants(self, one: Dispute) -> bool:
        """Whether it is one: by the ruling that holds, while it is open again by the one before."""
        rulings = one.rulings()[-1:]
        cited = {rule for found in (*rulings, *one.evidence) for rule in found.rules}
        precedent = any(ruling.precedent for ruling in rulings)
        named = self._number in (None, one.number)
        return named and (precedent or not self._precedents) and (not self._rule or self._rule in cited)


async def _all_games(store: LogStore) -> AsyncIterator[GameRecord]:
    """All games but sandboxes, which repeat what was disputed in the games that they come from."""
    last, page = None, await store.list_games(None, PAGE)
    while page:
        for record in page:
            if not is_fork(record.facts):
                yield record
                last = record.id
        try:
            page = await store.list_games(page[-1].id, PAGE)
        except NoSuchGame:  # a sandbox that was removed meanwhile
            page = await store.list_games(last, PAGE)


def _lines(one: DisputeShown) -> Iterator[str]:
    dispute, texts = one.dispute, {note.digest: note.text for note in one.texts}
    span = f", {commits_between(dispute.span.first, dispute.span.last)}" if dispute.span else ""
    yield f"dispute {dispute.number}: seat {dispute.by} to the {dispute.addressed}{span}; {_state(dispute)}"
    if dispute.claim in texts:
        yield f'  "{texts[dispute.claim]}"'
    for given in dispute.evidence:
        yield f"  evidence by {_who(given.by)}: {_cited(given, texts)}"
    words = one.amended or [""] * (len(dispute.earlier) + 1)
    for earlier, amendment in zip(dispute.earlier, words, strict=False):
        yield f"  before that {_ruled(earlier)}"
        yield from _reasons(earlier, amendment)
    if dispute.reopened is not None:
        yield f'  reopened in commit {dispute.reopened.commit}: "{dispute.reopened.reasons}"'
    if dispute.proposed is not None:
        yield from _proposed(dispute.proposed, words[-1])
    yield from _reasons(dispute, words[-1] if dispute.outcome == "amend" else "")
    if dispute.would_undo:
        yield f"  a rewind to before that would undo {amendments(dispute.would_undo)}"
    seen: dict[int, list[str]] = {}
    for sight in dispute.seen:
        seen.setdefault(sight.seat, []).append(str(sight.commit))
    alike: dict[tuple[str, ...], list[str]] = {}
    for seat, numbers in seen.items():
        alike.setdefault(tuple(numbers), []).append(str(seat))
    for commits_, seats in alike.items():
        who = (
            f"seat {seats[0]} knows what it saw" if len(seats) == 1 else f"seats {enumerated(seats)} know what they saw"
        )
        yield f"  {who} in {'commit' if len(commits_) == 1 else 'commits'} {enumerated([*commits_])}"


def _reasons(ruling: RuledView | DisputeView, amendment: str) -> Iterator[str]:
    if amendment:
        yield f"  {amendment}"
    if ruling.reasons:
        rules = f" ({', '.join(ruling.rules)})" if ruling.rules else ""
        yield f'  reasons: "{ruling.reasons}"{rules}'
    if ruling.undone_by is not None:
        by = ruling.undone_by
        what = "a take-back" if by.dispute is None else f"the ruling on dispute {by.dispute}"
        yield f"  undone by {what}, in commit {by.commit}"


def _state(dispute: DisputeView) -> str:
    if not dispute.outcome:
        left = dispute.turns_left
        until = f"within {dispute.seconds} s" if left is None else f"within {counted(left, 'new turn')}"
        return f"open, to be decided {until}" + (", play is paused" if dispute.pauses else "")
    stands = "what was ruled stands" if dispute.earlier else "what happened stands"
    ended = {"withdrawn": "withdrawn", "lapsed": f"lapsed, so {stands}", "over": "open when the game ended"}
    if dispute.outcome in ended:
        return ended[dispute.outcome]
    return _ruled(dispute)


def _ruled(ruling: RuledView | DisputeView) -> str:
    precedent = ", a precedent" if ruling.precedent else ""
    return f"{_who(ruling.judge)} ruled in commit {ruling.closed}: {in_words(ruling.outcome, ruling.to, ruling.reapplied)}{precedent}"


def _proposed(ruling: VerdictView, amendment: str) -> Iterator[str]:
    precedent = ", a precedent" if ruling.precedent else ""
    seats = f"{'seat' if len(ruling.awaited) == 1 else 'seats'} {enumerated([str(seat) for seat in ruling.awaited])}"
    proposed = in_words(ruling.outcome, ruling.to, ruling.reapplies)
    yield f"  {_who(ruling.by)} proposes: {proposed}{precedent}; {seats} must agree"
    if amendment:
        yield f"  {amendment}"


def _cited(given: EvidenceView, texts: dict[str, str]) -> str:
    cited = [f"commit {number}" for number in given.commits] + list(given.rules)
    cited += [f'"{texts[given.note]}"'] if given.note in texts else []
    return enumerated(cited) or "a note that was erased"


def _who(seat: int | None) -> str:
    return "the referee" if seat is None else f"seat {seat}"
