"""Opening a game in Redis, which no single step can do where there are several slots; and the list of all games.

**The game's slot is authoritative**: one script writes all of it: record, secret, commits, tokens, texts, and the key
under which it was opened. What other slots hold only points there, is written *before*, and is believed only if the game's slot agrees:

- `creation:<key>` names the game that is opened under a creator's key, with the attempt that wrote it. Whoever finds it there looks
  for the game: if it is there, under this key, it is the answer. If it isn't, somebody is about to create it, or has crashed. After
  some waiting the game is made *void*, in its slot and unless it is there, so that it can't come to be later; then the pointer is
  exchanged for one's own.
- `token:<hash>` names the game in whose slot the token is looked up. A pointer that leads to no token counts as none, and may be taken over.
- The list has a slot of its own. A game is written down there as *pending*, then created, then moved to the end of the list. So the
  list has only games that exist, in the order in which they became visible, and a cursor in it misses none. Whoever reads the list
  moves games that are pending and exist; and strikes out, after a minute, those that are not there, when it has made them void.

A sandbox that is *removed* goes from its slot in one step, which leaves the mark of a void game for a day; by that whoever finds it in
the list knows that it is not damage, and takes it off.

A crash at any point thus leaves a game that isn't there, and at most some pointers of a few bytes that lead nowhere; or a game
that is there in full, which the next retry or the next look at the list finishes to list.
"""

import asyncio
import secrets
from collections.abc import Sequence

import msgspec

from service.store.port import (
    AlreadyCreated,
    Created,
    Creation,
    GameExists,
    GameRecord,
    NewGame,
    NoSuchGame,
    Opened,
    RecordChanges,
    StoreDamaged,
    StoreError,
    StoreUnavailable,
    TokenRecord,
)
from service.store.redis.keys import RECORD, Argument, Keys, bounded, changes_arguments, checked, counted, read_record
from service.store.redis.lanes import Way
from service.store.redis.scripts import CREATE, FIND, INTEND, LIST, PENDING, REMOVE, SWAP, UNLIST, VOID

WAITS = (0.005, 0.01, 0.02, 0.04, 0.08, 0.15, 0.3)
"""Seconds between looks for a game that somebody else is opening under the same key."""
ATTEMPTS = 5  # how often an opening begins anew when another one came between
STRUCK_OUT = 60  # seconds after which a game that was to be created and is not there is struck out


class Claim(msgspec.Struct, frozen=True):
    """What is stored under a creator's key: which game is opened under it."""

    game: str
    fingerprint: bytes
    attempt: str
    """Random, so that nobody takes back what another attempt has written."""


_encode = msgspec.json.Encoder().encode
_claims = msgspec.json.Decoder(Claim)


class Opener:
    """Opens and lists games."""

    def __init__(self, way: Way, keys: Keys) -> None:
        self._send = way.send
        self._keys = keys
        self._where = way.where

    # ---- opening ----

    async def create(self, game: NewGame, creation: Creation | None) -> Opened:
        for token in game.tokens:
            if token.game != game.id:
                raise StoreError(f"{self._where}: token {token.id} is for another game than {game.id}")
        for _ in range(ATTEMPTS):
            # Not later: who makes it void after this has taken its key for another game.
            await self._send(("DEL", self._keys.of(game.id).void))
            claim = b""
            if creation is not None:
                earlier, claim = await self._claim(game.id, creation)
                if earlier is not None:
                    return earlier
            try:
                answer = await self._create(game, creation)
            except (GameExists, StoreError):
                await self._release(creation, claim)
                raise
            if answer is not None:
                return answer
        raise StoreUnavailable(
            f"{self._where}: others open game {game.id}, or one under its key, again and again. Try again."
        )

    async def _create(self, game: NewGame, creation: Creation | None) -> Created | None:
        """Creates the game; None if somebody has made it void meanwhile."""
        await self.point_to(game.id, game.tokens)
        keys = self._keys.of(game.id)
        await self._send(INTEND(self._keys.listed, game.id))
        fields: list[Argument] = ["created", game.created, "status", game.status, "facts", game.facts]
        if creation is not None:
            fields += ["creator", creation.creator, "key", creation.key, "fingerprint", creation.fingerprint]
        arguments = [
            game.id,
            game.secret,
            *counted(fields),
            *counted(game.commits),
            *changes_arguments(RecordChanges(tokens=game.tokens, texts=game.texts)),
        ]
        (answer,) = await self._send(CREATE((*keys.scripted, keys.secret, keys.void), *arguments))
        word = checked(answer, game.id)
        if word == b"void":
            return None
        if word == b"clash":
            raise StoreError(f"{self._where}: token {answer[2].decode()} has the hash of another one")
        await self._send(LIST(self._keys.listed, game.id))
        if word == b"exists":
            raise GameExists(game.id)
        return Created(int(answer[2]))

    # ---- keys of creators ----

    async def _claim(self, game: str, creation: Creation) -> tuple[AlreadyCreated | None, bytes]:
        """Points from the key to the game; or tells which game was opened under it before."""
        place = self._keys.creation(creation.creator, creation.key)
        mine = _encode(Claim(game, creation.fingerprint, secrets.token_hex(8)))
        for _ in range(ATTEMPTS):
            # Reading alone first: a retry gets its answer even when memory is used up.
            (found,) = await self._send(("GET", place))
            if found is None:
                if (await self._send(("SET", place, mine, "NX")))[0]:
                    return None, mine
                continue
            claim = _claims.decode(found)
            if claim.game != game or await self._opened(claim.game):
                earlier = await self._wait_for(claim, creation)
                if earlier is not None:
                    return earlier, b""
            (swapped,) = await self._send(SWAP((place,), found, mine))
            if swapped:
                return None, mine
        raise StoreUnavailable(f"{self._where}: many open a game under one key at once. Try again.")

    async def find_creation(self, creator: str, key: str) -> AlreadyCreated | None:
        """`LogStore.find_creation`: what the key points to, if it was opened under it; it may be about to be."""
        (found,) = await self._send(("GET", self._keys.creation(creator, key)))
        if not found:
            return None
        claim = _claims.decode(found)
        known = await self._opened(claim.game) == (creator.encode(), key.encode())
        return AlreadyCreated(claim.game, claim.fingerprint) if known else None

    async def _wait_for(self, claim: Claim, creation: Creation) -> AlreadyCreated | None:
        """The answer, if the game that a key points to was opened under it; None if it wasn't and never will be."""
        keys = self._keys.of(claim.game)
        for wait in (*WAITS, None):
            found = await self._opened(claim.game)
            if found is None and wait is None:
                (void,) = await self._send(VOID((keys.game, keys.void)))
                if void:
                    return None
                found = await self._opened(claim.game)
            if found is not None:
                if found != (creation.creator.encode(), creation.key.encode()):
                    return None
                await self._send(LIST(self._keys.listed, claim.game))
                return AlreadyCreated(claim.game, claim.fingerprint)
            await asyncio.sleep(wait or 0)
        return None

    async def _opened(self, game: str) -> tuple[bytes | None, bytes | None] | None:
        (found,) = await self._send(("HMGET", self._keys.of(game).game, "version", "creator", "key"))
        return None if found[0] is None else (found[1], found[2])

    async def _release(self, creation: Creation | None, claim: bytes) -> None:
        """Takes the own pointer back, so that a refused opening doesn't use up its key."""
        if creation is not None:
            place = self._keys.creation(creation.creator, creation.key)
            try:
                await self._send(SWAP((place,), claim, ""))
            except StoreError:
                return  # the next who uses the key finds that it leads nowhere

    # ---- hashes of tokens ----

    async def point_to(self, game: str, tokens: Sequence[TokenRecord]) -> None:
        """Points from the hashes of tokens to their game, before they are in its slot. Raises `StoreError` if another game has one."""
        places = [self._keys.token(token.hash) for token in tokens]
        answers = await self._send(*(step for place in places for step in (("SET", place, game, "NX"), ("GET", place))))
        for token, place, owner in zip(tokens, places, answers[1::2], strict=True):
            if owner is None or owner == game.encode():
                continue
            theirs = self._keys.of(owner.decode())
            (found,) = await self._send(FIND((theirs.tokens, theirs.hashes), owner, token.hash))
            if len(found) > 1 or not (await self._send(SWAP((place,), owner, game)))[0]:
                raise StoreError(f"{self._where}: token {token.id} has the hash of another one")

    # ---- the list ----

    async def list_games(self, after: str | None, limit: int) -> list[GameRecord]:
        _, stream, places = self._keys.listed
        commands = [PENDING(self._keys.listed)] + ([] if after is None else [("HGET", places, after)])
        pending, *place = await self._send(*commands)
        await self._finish(pending)
        if place == [None]:
            # It may just have been listed.
            place = await self._send(("HGET", places, after))
        if place == [None]:
            raise NoSuchGame(after)
        if limit <= 0:
            return []
        first = b"(" + place[0] if place else b"-"
        (entries,) = await self._send(("XRANGE", stream, first, "+", "COUNT", bounded(limit)))
        names = [fields[b"g"].decode() for _, fields in entries]
        answers = await self._send(*(("HMGET", self._keys.of(name).game, *RECORD) for name in names))
        records = [read_record(name, values) for name, values in zip(names, answers, strict=True)]
        for name, record in zip(names, records, strict=True):
            if record is None and not await self._unlist(name):
                raise StoreDamaged(f"{self._where}: game {name} is listed but missing: restore a backup")
        return [record for record in records if record is not None]

    async def _unlist(self, game: str) -> bool:
        """Take a game that was removed off the list; False for one that was not."""
        (removed,) = await self._send(("EXISTS", self._keys.of(game).void))
        if removed:
            await self._send(UNLIST(self._keys.listed, game))
        return bool(removed)

    # ---- removing ----

    async def remove(self, game: str, tokens: Sequence[TokenRecord], creation: Creation | None) -> None:
        """`LogStore.remove`: what holds goes first, in one step. What is left by a crash after it leads nowhere, and lists heal."""
        keys = self._keys.of(game)
        (there,) = await self._send(("EXISTS", keys.game))
        if there:
            await self._send(REMOVE((*keys.scripted, keys.secret, keys.snapshots, keys.void)))
        await self._unlist(game)
        await self._send(*(SWAP((self._keys.token(token.hash),), game, "") for token in tokens))
        if there and creation is not None:
            place = self._keys.creation(creation.creator, creation.key)
            (found,) = await self._send(("GET", place))
            if found is not None and _claims.decode(found).game == game:
                await self._send(SWAP((place,), found, ""))

    async def _finish(self, pending: Sequence[bytes]) -> None:
        """Lists pending games that are there, and strikes out those that will never be."""
        names = [name.decode() for name in pending[::2]]
        found = await self._send(*(("EXISTS", self._keys.of(name).game) for name in names))
        for name, there, seconds in zip(names, found, pending[1::2], strict=True):
            if there:
                await self._send(LIST(self._keys.listed, name))
            elif int(seconds) > STRUCK_OUT:
                keys = self._keys.of(name)
                (void,) = await self._send(VOID((keys.game, keys.void)))
                if void:
                    await self._send(("HDEL", self._keys.listed[0], name))
