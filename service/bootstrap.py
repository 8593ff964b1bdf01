"""The composition root: the one place where adapters are chosen and parts are put together."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from content.load.offers import Source, find_packs
from service.audit.jobs import Auditor, Audits, AuditsHere, QueuedAudits
from service.games.desk.disputes import Disputing
from service.games.desk.precedents import Precedents
from service.games.desk.ruling_pages import RulingPages
from service.games.desk.side import Side
from service.games.follow.accounts import Accounts
from service.games.follow.feed import Feeds
from service.games.follow.presence import Presence
from service.games.follow.streams import Streams, StreamTickets
from service.games.fork.forks import Forks
from service.games.fork.maker import ForkMaker
from service.games.horizon import Horizon
from service.games.lobby.catalogue import Openers
from service.games.lobby.importing import Importing
from service.games.lobby.lifecycle import Lifecycle
from service.games.lobby.new_games import Tickets
from service.games.lobby.opening import Opening
from service.games.lobby.uploads import Uploads
from service.games.play.attendant import Attendant
from service.games.play.submit import Play
from service.games.read.proof import Exporting, Proving, Verifying
from service.games.read.reading import Reading
from service.games.read.tracing import Tracing
from service.games.read.what_if import WhatIf
from service.games.refusals import Refusals
from service.games.tables import Hints, Tables
from service.identity import Gate
from service.jobs import Jobs
from service.limits import POLICIES, Limits
from service.log.packs import Library, Loaded, open_library
from service.observability import Metrics, Traces
from service.outside import Machine, Outside
from service.settings import BadSetting, Settings
from service.shared import Shared
from service.store.open import MEMORY, open_records, open_store
from service.store.port import LogStore, RecordStore
from service.webhooks.delivery import Delivery, pace
from service.webhooks.desk import Issuer, Webhooks
from service.webhooks.finder import Dispatcher
from service.webhooks.owners import Granting, TokenChanges
from service.webhooks.sender import HttpSender, Sender


class Service(msgspec.Struct, frozen=True, kw_only=True):
    """Omenlog without HTTP: everything that the handlers call."""

    settings: Settings
    store: LogStore
    records: RecordStore
    library: Library
    uploads: Uploads
    gate: Gate
    limits: Limits
    tables: Tables
    opening: Opening
    life: Lifecycle
    play: Play
    disputing: Disputing
    precedents: Precedents
    ruling_pages: RulingPages
    reading: Reading
    refusals: Refusals
    tracing: Tracing
    streams: Streams
    feeds: Feeds
    presence: Presence
    stream_tickets: StreamTickets
    accounts: Accounts
    exporting: Exporting
    proving: Proving
    verifying: Verifying
    importing: Importing
    side: Side
    what_if: WhatIf
    fork_maker: ForkMaker
    forks: Forks
    attendant: Attendant
    metrics: Metrics
    traces: Traces
    webhooks: Webhooks
    dispatcher: Dispatcher

    async def close(self) -> None:
        self.streams.end()
        await self.presence.close()
        await self.attendant.close()
        await self.forks.close()
        await self.verifying.close()
        await self.dispatcher.close()
        await self.tables.close()
        await self.records.close()
        await self.store.close()
        await asyncio.to_thread(self.traces.close)  # it may wait for the collector


async def open_service(
    settings: Settings,
    outside: Outside | None = None,
    sender: Sender | None = None,
    *,
    opening: bool = True,
    shared: Shared | None = None,
    loaded: Mapping[Source, Loaded] = MappingProxyType({}),
) -> Service:
    """Open the store, load the packs, put everything together. Raises `BadSetting`, `StoreError` or `ContentErrors`.

    Where no games are to be opened, no packs are loaded but those that games have pinned. A worker is given what it shares with others, and
    the packs that its parent has `loaded`.
    """
    shared = shared or Shared(len(POLICIES))
    sources, any_pack = list(loaded) or pack_sources(settings), _any_pack(settings)
    outside = outside or Machine()
    tempo = pace(settings)
    _check_opening_key(settings)
    jobs = queue_of_jobs(settings)
    store = await open_store(settings)
    try:
        library = await open_library(store, sources if opening else (), reload=settings.reload_packs, loaded=loaded)
        records = await open_records(settings)
    except BaseException:
        await store.close()
        raise
    due = Hints()
    tables = Tables(store, library, most=settings.games_in_memory, snapshot_every=settings.snapshot_every, due=due)
    gate = Gate(store, outside, tables.hear)
    horizon = Horizon(tables, outside)
    reading = Reading(tables, horizon)
    tickets = Tickets(outside, settings.token_lifetime)
    refusals = Refusals(records, outside, per_game=settings.refusals_per_game, per_seat=settings.refusals_per_seat)
    tracing = Tracing(tables, horizon, refusals)
    sender = sender or HttpSender(
        origin=settings.webhook_origin, timeout=settings.webhook_timeout, private=settings.webhook_private
    )
    granting = Granting(records, store, outside, time.time)
    delivery = Delivery(records, reading, tables, sender, outside, granting, pace=tempo)
    dispatcher = Dispatcher(records, store, sender, delivery, jobs, settings)
    hint = dispatcher.finder.hint
    changes = TokenChanges(records, store, hint)
    traces = Traces(settings.traces)
    play = Play(tables, outside, gate, refusals, tell=hint, span=traces.step)
    exporting = Exporting(tables, horizon)
    streams = Streams(settings, shared)
    presence = Presence(tables, records, secrets.token_hex(8), settings.heartbeat)
    accounts = Accounts(tables, reading, streams, gate, outside, changes.bound)
    issuer = Issuer(
        sender,
        outside,
        most=settings.webhooks_per_token,
        overlap=settings.webhook_overlap,
        timeout=settings.webhook_timeout,
        clock=time.time,
    )
    forks = Forks(
        tables,
        play,
        gate,
        refusals,
        outside,
        most=settings.forks_per_token,
        lifetime=settings.fork_lifetime,
        sweep=settings.fork_sweep,
    )
    openers = Openers(store, per_address=settings.open_games_per_address, per_token=settings.open_games_per_token)
    uploads = Uploads(records, store, library, settings)
    metrics = Metrics(shared)
    metrics.watch("omenlog_games_in_memory", "Games that are held in memory.", lambda: len(tables))
    metrics.watch("omenlog_streams_open", "Live streams that somebody reads.", lambda: len(streams))
    return Service(
        settings=settings,
        store=store,
        records=records,
        library=library,
        uploads=uploads,
        gate=gate,
        limits=Limits(settings, shared),
        tables=tables,
        opening=Opening(store, library, uploads, outside, tickets, openers, accounts=accounts),
        life=Lifecycle(tables, play, gate, outside, tickets, horizon, pass_on=changes.pass_on),
        play=play,
        disputing=Disputing(play, reading, tables, outside),
        precedents=Precedents(tables, horizon, reading.catalogue),
        ruling_pages=RulingPages(reading, tracing, store),
        reading=reading,
        refusals=refusals,
        tracing=tracing,
        streams=streams,
        feeds=Feeds(tables, horizon, gate, streams, presence),
        presence=presence,
        stream_tickets=StreamTickets(tables, gate, outside, settings.ticket_lifetime),
        accounts=accounts,
        exporting=exporting,
        proving=Proving(tables, reading),
        verifying=Verifying(tables, _audits(settings, jobs, exporting, shared)),
        importing=Importing(store, library, outside, tickets, Auditor(settings.import_seconds), any_pack=any_pack),
        side=Side(tables, horizon, play, outside, due),
        what_if=WhatIf(tables, reading),
        fork_maker=ForkMaker(tables, horizon, forks, outside, settings.fork_lifetime),
        forks=forks,
        attendant=Attendant(tables, play, outside, refusals, due, open_lifetime=settings.open_lifetime),
        metrics=metrics,
        traces=traces,
        webhooks=Webhooks(records, store, reading, accounts, issuer, hint),
        dispatcher=dispatcher,
    )


def _audits(settings: Settings, jobs: Jobs | None, exporting: Exporting, shared: Shared) -> Audits:
    """Who audits games: workers where there are any, else a process beside this one."""
    if jobs is None:
        return AuditsHere(Auditor(settings.verification_seconds), exporting.whole, shared.folder)
    return QueuedAudits(jobs)


def _check_opening_key(settings: Settings) -> None:
    """Raise `BadSetting` unless the opening key can be sent in a header."""
    if not all("!" <= sign <= "~" for sign in settings.opening_key):
        raise BadSetting("OMENLOG_OPENING_KEY: letters, digits and signs of ASCII, and no blanks")


def _any_pack(settings: Settings) -> bool:
    """Whether games with packs that aren't known may be imported."""
    if settings.import_packs not in ("any", "known"):
        raise BadSetting(f"OMENLOG_IMPORT_PACKS={settings.import_packs}: neither `known` nor `any`")
    return settings.import_packs == "any"


def pack_sources(settings: Settings) -> list[Source]:
    """Where the packs lie that are to be offered. Raises `BadSetting` if one isn't there."""
    try:
        return find_packs(settings.packs)
    except LookupError as error:
        raise BadSetting(f"OMENLOG_PACKS: {error}") from None


def queue_of_jobs(settings: Settings) -> Jobs | None:
    """The queue of jobs, if there is to be one; it is not connected yet. Raises `BadSetting`."""
    if not settings.jobs:
        return None
    if settings.store == MEMORY:
        raise BadSetting(f"OMENLOG_JOBS needs a store that workers can open, and OMENLOG_STORE={MEMORY} is none")
    return Jobs(settings.jobs)
