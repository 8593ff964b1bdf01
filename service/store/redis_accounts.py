"""Accounts in Redis: all in one slot, `<prefix>:{accounts}:…`, so that a place is given, and kept, in one step.

There are far fewer of them than games, and they are written when somebody makes one or binds a token, so that one slot does.
"""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from service.ports.log import AccountRecord, NoSuchAccount, Place, StoreDamaged, StoreError
from service.store.redis_answers import checked
from service.store.redis_scripts import ENTER_ACCOUNT, NEW_ACCOUNT

Ask = Callable[..., Awaitable[list[Any]]]
"""Sends commands together and gives their answers; raises a `StoreError`."""

_encode = msgspec.json.Encoder().encode
_accounts = msgspec.json.Decoder(AccountRecord)
_places = msgspec.json.Decoder(Place)


class RedisAccounts:
    """The accounts of a store."""

    def __init__(self, prefix: str, where: str, send: Ask, ask: Ask) -> None:
        """Write by `send`, read by `ask`, which may ask twice."""
        self._tag = f"{prefix}:{{accounts}}"
        self._where = where
        self._send = send
        self._ask = ask
        self._ids, self._hashes = f"{self._tag}:ids", f"{self._tag}:hashes"

    async def create(self, account: AccountRecord) -> None:
        """See `LogStore.create_account`."""
        keys = (self._ids, self._hashes)
        (answer,) = await self._send(NEW_ACCOUNT(keys, account.id, account.hash, _encode(account)))
        if checked(answer, account.id) != b"done":
            raise StoreError(f"{self._where}: account {account.id}, or its hash, is taken")

    async def enter(self, account: str, place: Place) -> int:
        """See `LogStore.enter_account`."""
        keys = (self._ids, self._listed(account), f"{self._tag}:numbers:{account}")
        (answer,) = await self._send(ENTER_ACCOUNT(keys, account, _encode(place)))
        if checked(answer, account) != b"done":
            raise NoSuchAccount(account)
        return int(answer[2])

    async def find(self, digest: bytes) -> AccountRecord | None:
        """See `LogStore.find_account`."""
        (name,) = await self._ask(("HGET", self._hashes, digest))
        if name is None:
            return None
        (found,) = await self._ask(("HGET", self._ids, name))
        return None if found is None else self._read(_accounts, found)

    async def all(self) -> list[AccountRecord]:
        """See `LogStore.list_accounts`."""
        (found,) = await self._ask(("HVALS", self._ids))
        return sorted((self._read(_accounts, one) for one in found), key=lambda account: account.id)

    async def places(self, account: str) -> list[Place]:
        """See `LogStore.account_places`."""
        (found,) = await self._ask(("LRANGE", self._listed(account), 0, -1))
        return [self._read(_places, one) for one in found]

    def _listed(self, account: str) -> str:
        return f"{self._tag}:places:{account}"

    def _read(self, decoder: msgspec.json.Decoder[Any], found: bytes) -> Any:  # noqa: ANN401 -- what the decoder reads
        try:
            return decoder.decode(found)
        except msgspec.DecodeError as error:
            raise StoreDamaged(f"{self._where}: an account can't be read: {error}") from error
