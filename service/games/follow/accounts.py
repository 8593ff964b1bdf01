"""Accounts: a key to which tokens of many games are bound, so that a player or integrator has one stream over all of them.

A binding is a field of the token. It survives rotation and ends with the token, so nobody inherits the account of a player they replace. The
account's list of places only gives an order.

All processes could agree on an order among commits of different games only by a counter that every append waits for. So the cursor of an
account's stream is a vector: for each place, in the order in which places were given, the number of the last commit that was told. It is exact
in every process, needs only the order of the places from the store, and costs one to three bytes for each game.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import logging
import re
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

import msgspec

from domain.facts.audience import MAX_SEATS, REFEREE, Mask
from service.games.follow.feed import BATCH
from service.games.follow.streams import Cursor, End, Item, News, Quiet, Stream, Streams, Take
from service.games.read.reading import Reading
from service.games.read.tracing import Narrator, narrator
from service.games.tables import Tables
from service.identity import Caller, Gate, derive, digest, principal_named
from service.log.facts import no_sandbox
from service.outside import Outside
from service.problems import FieldError, ProblemError, forbidden, unauthorized
from service.store.port import AccountRecord, Place, RecordChanges, StoreError

log = logging.getLogger(__name__)

NARRATORS = 8
"""How many tokens of an account are told of in sentences without beginning anew; each holds what its role knows."""
CHECK = 9
"""Bytes that tell a cursor of this account from any other text."""
FORM = re.compile(r"[A-Za-z0-9_-]+")


def encode_cursor(key: bytes, positions: Sequence[int]) -> str:
    """Write a cursor; `key` is the digest of the account's key, which only the service and the account's holder know."""
    written = bytearray()
    for position in positions:
        while position > 0x7F:  # noqa: PLR2004 -- seven bits to a byte, the eighth says that more follow
            written.append(position & 0x7F | 0x80)
            position >>= 7  # noqa: PLW2901 -- what is left of it
        written.append(position)
    return base64.urlsafe_b64encode(_check(key, written) + written).decode().rstrip("=")


def decode_cursor(key: bytes, text: str, places: int, where: str) -> list[int]:
    """Read a cursor; an empty text is the beginning, and places that it doesn't know begin.

    Raises `invalid-cursor`, which names `where`: the parameter or header in which it came.
    """
    if not text:
        return [0] * places
    encoded = FORM.fullmatch(text) is not None and len(text) % 4 != 1
    found = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)) if encoded else b""
    written = found[CHECK:]
    positions: list[int] = []
    value = shift = 0
    for byte in written:
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            positions.append(value)
            value = shift = 0
    if not hmac.compare_digest(found[:CHECK], _check(key, written)) or shift or len(positions) > places:
        detail = "This cursor is not this account's: send one as it was given, or none to begin."
        raise ProblemError("invalid-cursor", detail, errors=[FieldError(where, detail)])
    return positions + [0] * (places - len(positions))


def _check(key: bytes, written: bytes | bytearray) -> bytes:
    return hmac.digest(key, b"account-cursor\x00" + written, "sha256")[:CHECK]


class AccountOpened(msgspec.Struct, kw_only=True):
    """An account was opened."""

    id: str
    key: str
    """What the account's holder shows as a bearer token, and names to bind tokens. Shown once."""


class Bound(msgspec.Struct, kw_only=True):
    """A token that is bound to an account."""

    game: str
    token: str
    """Its public name."""
    role: str
    """`seat:1`, `spectator`, `referee` or `host`."""


class AccountShown(msgspec.Struct, kw_only=True):
    """An account, as its holder sees it."""

    id: str
    created: str
    tokens: list[Bound]
    """In the order in which they were first bound, without tokens that have ended."""


class AccountPage(msgspec.Struct, frozen=True):
    """What comes behind a cursor."""

    news: list[News]
    """CloudEvents with `recipient` and `cursor`."""
    positions: list[int]
    more: bool
    """Whether there is more than fits on the page."""


class Words:
    """Tells in sentences, too, what an account's tokens are told: a narrator for each token, who goes on from page to page."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._narrators: OrderedDict[Place, tuple[Narrator, Mask, int]] = OrderedDict()
        """By token, the least used first: also whose words they are, and behind which commit they go on."""

    async def add_all(self, place: Place, caller: Caller, after: int, events: Sequence[bytes]) -> list[bytes]:
        """What a token was told behind a commit, each with its sentences. Raises `StoreDamaged`."""
        held = self._narrators.pop(place, None)
        if held is None or held[1:] != (caller.principal, after):
            held = (await narrator(self._tables, caller, after), caller.principal, after)
        told = await held[0].add_all(events)
        self._narrators[place] = (held[0], caller.principal, after + len(events))
        if len(self._narrators) > NARRATORS:
            self._narrators.popitem(last=False)
        return told


BoundTo = Callable[[str, Place], Awaitable[None]]
"""Told of each binding: the account's id, and what is bound to it."""


class Accounts:
    """Opens accounts, binds tokens, reads what the account's tokens are told."""

    def __init__(
        self, tables: Tables, reading: Reading, streams: Streams, gate: Gate, outside: Outside, bound_to: BoundTo
    ) -> None:
        self._streams = streams
        self._tables = tables
        self._store = tables.store
        self._reading = reading
        self._gate = gate
        self._outside = outside
        self._most = streams.settings.tokens_per_account
        self._bound_to = bound_to

    # -- accounts and bindings ----------------------------------------------------------------------------------------

    async def open(self) -> AccountOpened:
        name = self._outside.game_id()
        key = derive(self._outside.secret("token"), "account", name)
        record = AccountRecord(id=name, hash=digest(key), created=self._outside.now())
        await self._store.create_account(record)
        return AccountOpened(id=name, key=key)

    async def holder(self, secret: str) -> AccountRecord:
        """The account behind a key. Raises `unauthorized`."""
        found = await self._store.find_account(digest(secret))
        if found is None:
            raise unauthorized()
        return found

    async def bind(self, caller: Caller, shown: bytes, key: str) -> Bound:
        """Bind a token, whose digest is `shown`, to the account with this key; it leaves the account that it was bound to.

        Raises `forbidden` for an unknown key, `account-full` or `is-fork`.
        """
        no_sandbox((await self._tables.live(caller.game)).facts)
        account = await self._store.find_account(digest(key))
        if account is None:
            raise forbidden()
        place = Place(caller.game, caller.token)
        places = await self._store.account_places(account.id)
        if place not in places and len(places) >= self._most:
            raise ProblemError("account-full", f"An account may follow {self._most} tokens.")
        await self._store.enter_account(account.id, place)
        await self._tie(caller, shown, account.id)
        await self._bound_to(account.id, place)
        self._streams.wake(("", account.id))
        return Bound(game=caller.game, token=caller.token, role=caller.name)

    async def with_room(self, key: str, tokens: int) -> AccountRecord:
        """The account with this key, if it may follow so many tokens more. Raises `unknown-account` or `account-full`."""
        account = await self._store.find_account(digest(key))
        if account is None:
            detail = "No account has this key: send it as it was shown when the account was opened."
            raise ProblemError("unknown-account", detail, errors=[FieldError("/account", detail)])
        held = len(await self._store.account_places(account.id))
        if held + tokens > self._most:
            detail = f"An account may follow {self._most} tokens; this one has followed {held}, and the game has {tokens} for it."
            raise ProblemError("account-full", detail, errors=[FieldError("/account", detail)])
        return account

    async def follow(self, account: str, place: Place) -> None:
        """Give a token that is bound to an account its place in it, unless it has one."""
        await self._store.enter_account(account, place)
        await self._bound_to(account, place)
        self._streams.wake(("", account))

    async def unbind(self, caller: Caller, shown: bytes) -> None:
        await self._tie(caller, shown, "")

    async def _tie(self, caller: Caller, shown: bytes, account: str) -> None:
        table = self._tables.table(caller.game)
        async with table.lock:
            record = await self._store.find_token(shown)
            if record is None or record.revoked:
                raise unauthorized()
            await self._store.update_game(
                caller.game, RecordChanges(tokens=[msgspec.structs.replace(record, account=account)])
            )

    async def show(self, account: AccountRecord) -> AccountShown:
        callers = [await self.bound(account, place) for place in await self._store.account_places(account.id)]
        tokens = [Bound(game=one.game, token=one.token, role=one.name) for one in callers if one is not None]
        return AccountShown(id=account.id, created=account.created, tokens=tokens)

    async def bound(self, account: AccountRecord, place: Place) -> Caller | None:
        """Who is at a place: the holder of the token, if it holds and is bound to this account now."""
        records = await self._store.list_tokens(place.game)
        record = next((one for one in records if one.id == place.token and one.account == account.id), None)
        return None if record is None else await self._gate.holding(record.hash)

    async def reader(self, account: AccountRecord, game: str, as_: str | None) -> Caller:
        """The token by which an account reads a game: the one with the role that `as_` names, else one that may look as anybody.

        That is a referee's, or any once the game is disclosed. Without `as_` it is the only one.
        Raises `forbidden`, or `several-roles` where there is a choice.
        """
        records = await self._store.list_tokens(game)
        callers = [await self._gate.holding(one.hash) for one in records if one.account == account.id]
        held: dict[Mask, Caller] = {}
        for caller in callers:
            if caller is not None:
                held.setdefault(caller.principal, caller)
        if as_ is None and len(held) == 1:
            return next(iter(held.values()))
        if not held:
            raise ProblemError("forbidden", "No token of this game is bound to the account.")
        named = ", ".join(sorted(_eyes(caller) for caller in held.values()))
        if as_ is None:
            detail = f"Several roles of this game are bound to the account: add ?as= with one of {named}."
            raise ProblemError("several-roles", detail, errors=[FieldError("as", f"One of {named}.")])
        found = held.get(principal_named(as_, MAX_SEATS) or 0) or held.get(REFEREE)
        if found is None and (await self._tables.live(game)).facts.disclosed():
            found = next(iter(held.values()))
        if found is None:
            raise ProblemError("forbidden", f"No token of {as_} is bound to the account; of this game it has {named}.")
        return found

    # -- reading ------------------------------------------------------------------------------------------------------

    async def places(self, account: AccountRecord) -> list[Place]:
        return await self._store.account_places(account.id)

    async def positions(self, account: AccountRecord, cursor: str, where: str) -> list[int]:
        """What a cursor says. Raises `invalid-cursor`."""
        return decode_cursor(account.hash, cursor, len(await self.places(account)), where)

    async def heads(self, account: AccountRecord) -> list[int]:
        """The positions behind all that has happened, each as its token's role may see it: what is held back for a while comes later."""
        found = []
        for place in await self.places(account):
            caller = await self.bound(account, place)
            known = await (self._store.version(place.game) if caller is None else self._reading.version(caller))
            found.append(known or 0)
        return found

    def cursor(self, account: AccountRecord, positions: list[int]) -> str:
        return encode_cursor(account.hash, positions)

    async def page(
        self,
        account: AccountRecord,
        positions: list[int],
        limit: int,
        only: set[str] | None = None,
        words: Words | None = None,
    ) -> AccountPage:
        """What the account's tokens were told behind these positions: each game in its order, the games one after another.

        With `words` each event is told in a sentence, too. Positions of new places are added. Raises `ahead-of-log` where the log of a game is
        shorter than the position in it.
        """
        places = await self.places(account)
        now = positions + [0] * (len(places) - len(positions))
        news: list[News] = []
        more = False
        # Begun at another place each time, so that no busy game can keep the others waiting.
        for turn in range(len(places)):
            index = (turn + sum(positions)) % len(places)
            place = places[index]
            if only is not None and place.game not in only:
                continue
            known = await self._store.version(place.game) or 0
            if known == now[index]:
                continue
            caller = await self.bound(account, place)
            if caller is None:
                continue
            if len(news) == limit:
                more = True
                break
            if await self._reading.version(caller) < now[index] <= known:
                continue  # shown less for a while, as the machine's clock was set back
            page = await self._reading.page(caller, now[index], limit - len(news))
            events = page.events if words is None else await words.add_all(place, caller, now[index], page.events)
            if await self.bound(account, place) != caller:
                continue  # the page was read after the token had ended
            for event in events:
                now[index] += 1
                cursor = self.cursor(account, now)
                told = b'{"recipient":"%b","cursor":"%b",%b' % (place.token.encode(), cursor.encode(), event[1:])
                news.append(News(cursor, told))
            more = more or page.next < page.version
        return AccountPage(news, now, more)

    async def due(self, account: AccountRecord) -> float | None:
        """Seconds until one of the tokens may see more although nothing happens; None if that can't be."""
        late = [place for place in await self.places(account) if place.token.startswith(LATE)]
        found = [await self.bound(account, place) for place in late]
        due = [await self._reading.due(caller) for caller in found if caller is not None]
        return min((one for one in due if one is not None), default=None)


def _eyes(caller: Caller) -> str:
    """The role whose view a caller has, as `?as=` names it: a host's is a spectator's."""
    if caller.role == "seat":
        return caller.name
    return "referee" if caller.principal == REFEREE else "spectator"


LATE = ("spectator", "host")
"""What the names of tokens begin with that may have to lag behind."""


class _Bell(asyncio.Event):
    """Rung by a game's news: tells the stream which game it was."""

    def __init__(self, game: str, stream: AccountStream) -> None:
        super().__init__()
        self._game = game
        self._stream = stream

    def set(self) -> None:
        self._stream.rung.add(self._game)
        self._stream.news.set()


class AccountStream(Stream):
    """One stream over all games of an account, each of which wakes it by its own news; it goes on for ever."""

    def __init__(
        self,
        streams: Streams,
        tables: Tables,
        accounts: Accounts,
        account: AccountRecord,
        positions: list[int],
        words: Words | None = None,
    ) -> None:
        """Begin behind these positions. It must be closed in the end. Raises `too-many-streams`."""
        super().__init__(streams, ("", account.id))
        self.rung: set[str] = set()
        self._tables = tables
        self._accounts = accounts
        self._account = account
        self._positions = positions
        self._words = words
        self._bells: dict[str, _Bell] = {}
        streams.enter(self)

    def close(self) -> None:
        if self._streams.leave(self):
            for game, bell in self._bells.items():
                self._tables.table(game).waiting.discard(bell)

    @property
    def cursor(self) -> Cursor:
        return self._accounts.cursor(self._account, self._positions)

    async def items(self, take: Take | None = None) -> AsyncGenerator[Item, None]:  # noqa: ARG002 -- its news are too few to be sent so
        told = self.cursor
        try:
            async for item in self._items():
                yield item
                told = item.cursor
        except StoreError as error:
            log.error("account %s: a stream ends, as the store failed: %s", self._account.id, error)  # noqa: TRY400 -- the store's message says all
            yield End(told, "unavailable")
        except ProblemError as problem:
            log.warning("account %s: a stream ends: %s", self._account.id, problem)
            yield End(told, "ahead-of-log")  # nothing else is refused behind a cursor that held

    async def _items(self) -> AsyncGenerator[News | Quiet | End, None]:
        streams = self._streams
        clock = asyncio.get_running_loop().time
        said = clock()
        only: set[str] | None = None
        while not streams.ended:
            if await self._hang_bells():
                only = None
            self.news.clear()
            self.rung = set()
            due = await self._accounts.due(self._account)  # first, as in a game's stream
            look = clock() + (max(due, 0) + 0.001 if due is not None else streams.settings.heartbeat)
            page = await self._accounts.page(self._account, self._positions, BATCH, only, self._words)
            for news in page.news:
                yield news
                said = clock()
            self._positions = page.positions
            if page.more:
                only = None
                continue
            until = min(look, said + streams.settings.heartbeat)
            try:
                async with asyncio.timeout(max(until - clock(), 0)):
                    await self.news.wait()
                # What another process did may come without a bell: now and then all games are looked at.
                only = self.rung
            except TimeoutError:
                only = None
                if clock() >= said + streams.settings.heartbeat:
                    yield Quiet(self.cursor)
                    said = clock()
        yield End(self.cursor, "stopping")

    async def _hang_bells(self) -> bool:
        """Hear of every game; whether there are new ones."""
        before = len(self._bells)
        for place in await self._accounts.places(self._account):
            if place.game not in self._bells:
                self._bells[place.game] = bell = _Bell(place.game, self)
                self._tables.table(place.game).waiting.add(bell)
        return len(self._bells) > before
