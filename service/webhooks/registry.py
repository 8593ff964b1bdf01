"""Subscriptions as they are asked for: by whoever shows a token of a game, or the key of an account."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from service.games.follow.accounts import Accounts
from service.games.read.reading import Reading
from service.identity import Caller
from service.store.port import AccountRecord, LogStore, Place
from service.store.records import Record, RecordStore
from service.webhooks.desk import Desk, Issuing
from service.webhooks.desks import AccountDesk, TokenDesk
from service.webhooks.holding import rewrite
from service.webhooks.subscription import read, record, woken
from service.webhooks.whole import make_parts, owner, part_name, read_whole


class Webhooks:
    """Registers subscriptions, shows and changes them. What is sent of them is `service.webhooks.delivery`'s business."""

    def __init__(
        self, store: RecordStore, games: LogStore, reading: Reading, accounts: Accounts, issuing: Issuing
    ) -> None:
        """Prepare.

        Args:
            store: where subscriptions are kept.
            games: where games and accounts are.
            reading: says how far a caller sees.
            accounts: knows which tokens are bound to an account.
            issuing: asks endpoints, makes keys.
        """
        self._store = store
        self._games = games
        self._reading = reading
        self._accounts = accounts
        self._issuing = issuing
        self.hint: Callable[[str], None] = _nobody
        """Told of games of which there is something to send now."""

    def of_token(self, caller: Caller, holder: bytes) -> Desk:
        """The subscriptions of a caller who shows the token with the digest `holder`."""
        return TokenDesk(self._store, self._reading, self._issuing, self.hint, caller, holder)

    def of_account(self, account: AccountRecord) -> Desk:
        """The subscriptions of an account."""
        return AccountDesk(self._store, self._games, self._accounts, self._issuing, self.hint, account)

    async def pass_on(self, game: str, token: str, old: bytes, new: bytes) -> None:
        """A token is about to be rotated: what it has asked for is its heir's as well.

        Nobody else ever gets that digest. If the rotation is lost, the subscriptions go on as they were.
        """

        def inherited(found: Record) -> Record:
            it = read(found)
            return record(replace(it, holder=old, heir=new), found.revision) if it.belongs(old) else found

        for found in await self._store.of_owners(game):
            it = read(found)
            if it.token == token and it.belongs(old):
                await rewrite(self._store, it.id, inherited)

    async def bound(self, account: str, place: Place) -> None:
        """A token was bound to an account: its game is sent to whom the account has subscribed. If this is lost, sweeps find it out."""
        for found in await self._store.of_owners(owner(account)):
            whole = read_whole(found)
            await make_parts(self._store, self._games, whole)
            await rewrite(self._store, part_name(whole, place), lambda part: record(woken(read(part)), part.revision))
        self.hint(place.game)


def _nobody(_game: str) -> None:
    """Nobody delivers."""
