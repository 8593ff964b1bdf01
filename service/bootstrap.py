"""The composition root: the one place where adapters are chosen and parts are put together."""

from __future__ import annotations

from pathlib import Path

import msgspec

from content.load import builtin_packs
from service.games.accounts import Accounts
from service.games.acting import Acting
from service.games.attendant import Attendant
from service.games.export import Exporting
from service.games.following import Following
from service.games.gate import Gate
from service.games.life import Life
from service.games.opening import Opening
from service.games.places import Places
from service.games.play import Play
from service.games.reading import Reading
from service.games.side import Side
from service.games.sight import Sight
from service.games.stream_tickets import StreamTickets
from service.games.tables import Tables
from service.games.tickets import Tickets
from service.limits import Limits
from service.outside import Machine
from service.packs import Library, open_library
from service.ports.log import LogStore, StoreUnavailable
from service.ports.outside import Outside
from service.settings import BadSetting, Settings
from service.store.memory import MemoryLogStore
from service.store.sqlite import SqliteLogStore

SQLITE = "sqlite:///"
MEMORY = "memory:"


class Service(msgspec.Struct, frozen=True, kw_only=True):
    """Omenlog without HTTP: everything that the handlers call."""

    settings: Settings
    store: LogStore
    library: Library
    gate: Gate
    limits: Limits
    tables: Tables
    opening: Opening
    life: Life
    places: Places
    play: Play
    reading: Reading
    following: Following
    stream_tickets: StreamTickets
    accounts: Accounts
    exporting: Exporting
    side: Side
    attendant: Attendant

    async def close(self) -> None:
        """Finish what is on its way and let go of the store."""
        self.following.end()
        await self.attendant.close()
        await self.tables.close()
        await self.store.close()


async def open_service(settings: Settings, outside: Outside | None = None) -> Service:
    """Open the store, load the packs, put everything together.

    Args:
        settings: what the operator chose.
        outside: clock and secrets; the machine's own unless a test brings others.

    Raises:
        BadSetting: a setting names something unknown.
        StoreError: the store can't be used.
        ContentErrors: a pack has mistakes.
    """
    folders = pack_folders(settings)
    store = await open_store(settings)
    try:
        library = await open_library(store, folders)
    except BaseException:
        await store.close()
        raise
    outside = outside or Machine()
    gate = Gate(store, outside)
    tickets = Tickets(outside, settings.token_lifetime)
    tables = Tables(store, library, most=settings.games_in_memory, snapshot_every=settings.snapshot_every)
    acting = Acting(tables, outside, gate)
    sight = Sight(tables, outside)
    reading = Reading(tables, sight)
    following = Following(tables, reading, gate, settings)
    attendant = Attendant(tables, acting, outside)
    return Service(
        settings=settings,
        store=store,
        library=library,
        gate=gate,
        limits=Limits(settings),
        tables=tables,
        opening=Opening(store, library, outside, tickets),
        life=Life(tables, acting, gate, outside, tickets),
        places=Places(tables, gate, tickets, sight),
        play=Play(acting),
        reading=reading,
        following=following,
        stream_tickets=StreamTickets(tables, gate, outside, settings.ticket_lifetime),
        accounts=Accounts(tables, following, gate, outside),
        exporting=Exporting(tables, sight),
        side=Side(tables, outside, attendant),
        attendant=attendant,
    )


def pack_folders(settings: Settings) -> list[Path]:
    """The folders of the packs to be offered.

    Raises:
        BadSetting: a pack isn't there.
    """
    packs = builtin_packs()
    wanted = [name.strip() for name in settings.packs.split(",") if name.strip()] or list(packs)
    unknown = [name for name in wanted if name not in packs]
    if unknown:
        raise BadSetting(f"OMENLOG_PACKS: no pack {', '.join(unknown)}; there are {', '.join(packs)}")
    return [packs[name] for name in wanted]


async def open_store(settings: Settings) -> LogStore:
    """The store that the settings name.

    Raises:
        BadSetting: they name none.
        StoreError: it can't be used.
    """
    if settings.store == MEMORY:
        return MemoryLogStore()
    if settings.store.startswith(SQLITE):
        path = Path(settings.store.removeprefix(SQLITE))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnavailable(f"{path}: its folder can't be made: {error}") from error
        return await SqliteLogStore.open(path, max_bytes=settings.store_max_bytes or None)
    raise BadSetting(f"OMENLOG_STORE={settings.store}: neither `{SQLITE}path` nor `{MEMORY}`")
