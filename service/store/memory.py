"""The stores in memory: for tests and playouts. What they acknowledge lives as long as the object.

No method awaits anything, so on one event loop each is one step, and all or nothing.
"""

from collections.abc import Sequence

import msgspec

from service.store.port import (
    STRIPPED,
    AccountRecord,
    AlreadyApplied,
    AlreadyCreated,
    Appended,
    Applied,
    Conflict,
    Created,
    Creation,
    GameExists,
    GameRecord,
    Head,
    Health,
    Heard,
    InviteSpent,
    Loaded,
    NewGame,
    NoSuchAccount,
    NoSuchGame,
    Opened,
    Place,
    Record,
    RecordChanges,
    RefusalRecord,
    Snapshot,
    StoredCommit,
    StoreError,
    StoreUnavailable,
    TokenRecord,
)


class _StoredGame(msgspec.Struct):
    """All that is kept of one game, but its tokens."""

    created: str
    status: str
    facts: bytes
    secret: bytes
    commits: list[bytes]
    creation: Creation | None = None
    revision: int = 0
    keys: dict[str, AlreadyApplied] = {}
    texts: dict[str, str] = {}
    snapshot: Snapshot | None = None


class _Open:
    """What is open until it is closed."""

    _closed = False

    async def close(self) -> None:
        self._closed = True

    def _require_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("memory: the store is closed")


class MemoryLogStore(_Open):
    """`LogStore` in the memory of this process."""

    def __init__(self) -> None:
        self._games: dict[str, _StoredGame] = {}
        self._creations: dict[tuple[str, str], AlreadyCreated] = {}
        self._tokens: dict[tuple[str, str], TokenRecord] = {}
        """By game and id."""
        self._by_hash: dict[bytes, TokenRecord] = {}
        self._packs: dict[str, bytes] = {}
        self._accounts: dict[str, AccountRecord] = {}
        self._places: dict[str, list[Place]] = {}

    # ---- writes ----

    async def create(
        self, game: NewGame, *, creator: str = "", key: str | None = None, fingerprint: bytes = b""
    ) -> Opened:
        self._require_open()
        if key is not None and (creator, key) in self._creations:
            return self._creations[creator, key]
        if game.id in self._games:
            raise GameExists(game.id)
        self._require_storable(game.tokens, game.id)
        self._games[game.id] = _StoredGame(game.created, game.status, game.facts, game.secret, list(game.commits))
        self._change(game.id, RecordChanges(tokens=game.tokens, texts=game.texts))
        self._games[game.id].revision = 0
        if key is not None:
            self._creations[creator, key] = AlreadyCreated(game.id, fingerprint)
            self._games[game.id].creation = Creation(creator, key, fingerprint)
        return Created(len(game.commits))

    async def append(
        self,
        game: str,
        expected: int,
        commit: bytes,
        *,
        key: str | None = None,
        fingerprint: bytes = b"",
        spend: Sequence[bytes] = (),
        changes: RecordChanges | None = None,
        revision: int | None = None,
    ) -> Appended:
        kept = self._game(game)
        if key is not None and key in kept.keys:
            return kept.keys[key]
        if expected != len(kept.commits) or revision not in (None, kept.revision):
            return Conflict(len(kept.commits))
        for digest in spend:
            invite = self._by_hash.get(digest)
            if invite is None or invite.game != game or invite.spent or invite.revoked:
                return InviteSpent(digest)
        if changes is not None:
            self._require_storable(changes.tokens, game)
        kept.commits.append(commit)
        if key is not None:
            kept.keys[key] = AlreadyApplied(expected + 1, fingerprint)
        for digest in spend:
            self._keep(msgspec.structs.replace(self._by_hash[digest], spent=True))
        if changes is not None:
            self._change(game, changes)
        return Applied(expected + 1)

    async def update_game(self, game: str, changes: RecordChanges, *, revision: int | None = None) -> bool:
        if revision not in (None, self._game(game).revision):
            return False
        self._require_storable(changes.tokens, game)
        self._change(game, changes)
        return True

    async def strip(self, game: str, upto: int) -> None:
        commits = self._game(game).commits
        commits[: max(upto, 0)] = [STRIPPED] * min(max(upto, 0), len(commits))

    async def remove(self, game: str) -> None:
        self._require_open()
        kept = self._games.pop(game, None)
        if kept is None:
            return
        for place in [place for place in self._tokens if place[0] == game]:
            del self._by_hash[self._tokens.pop(place).hash]
        if kept.creation is not None:
            del self._creations[kept.creation.creator, kept.creation.key]

    async def scrub(self) -> None:
        self._require_open()

    async def put_snapshot(self, game: str, number: int, body: bytes) -> None:
        kept = self._game(game)
        if kept.snapshot is None or kept.snapshot.number <= number:
            kept.snapshot = Snapshot(number, body)

    async def create_account(self, account: AccountRecord) -> None:
        self._require_open()
        if any(account.id == one.id or account.hash == one.hash for one in self._accounts.values()):
            raise StoreError(f"memory: account {account.id}, or its hash, is taken")
        self._accounts[account.id] = account
        self._places[account.id] = []

    async def enter_account(self, account: str, place: Place) -> int:
        self._require_open()
        if account not in self._places:
            raise NoSuchAccount(account)
        places = self._places[account]
        if place not in places:
            places.append(place)
        return places.index(place) + 1

    async def put_pack(self, digest: str, body: bytes) -> None:
        self._require_open()
        self._packs.setdefault(digest, body)

    # ---- reads ----

    async def find_creation(self, creator: str, key: str) -> AlreadyCreated | None:
        self._require_open()
        return self._creations.get((creator, key))

    async def head(self, game: str) -> Head | None:
        kept = self._find(game)
        return None if kept is None else Head(len(kept.commits), kept.revision)

    async def load(self, game: str, texts: Sequence[str]) -> Loaded | None:
        kept = self._find(game)
        if kept is None:
            return None
        return Loaded(
            head=Head(len(kept.commits), kept.revision),
            facts=kept.facts,
            secret=kept.secret,
            snapshot=kept.snapshot,
            texts=await self.find_texts(game, texts),
        )

    async def version(self, game: str) -> int | None:
        kept = self._find(game)
        return None if kept is None else len(kept.commits)

    async def read(self, game: str, after: int, limit: int) -> list[bytes]:
        kept = self._find(game)
        first = max(after, 0)
        return [] if kept is None else kept.commits[first : first + max(limit, 0)]

    async def read_stored(self, game: str, after: int, limit: int) -> list[StoredCommit]:
        kept = self._find(game)
        keys = {} if kept is None else {answer.number: (key, answer.fingerprint) for key, answer in kept.keys.items()}
        bodies = await self.read(game, after, limit)
        return [StoredCommit(body, *keys.get(n, (None, b""))) for n, body in enumerate(bodies, max(after, 0) + 1)]

    async def creation(self, game: str) -> Creation | None:
        kept = self._find(game)
        return None if kept is None else kept.creation

    async def get_game(self, game: str) -> GameRecord | None:
        kept = self._find(game)
        return None if kept is None else _record(game, kept)

    async def list_games(self, after: str | None, limit: int) -> list[GameRecord]:
        self._require_open()
        games = list(self._games)
        if after is not None and after not in self._games:
            raise NoSuchGame(after)
        first = 0 if after is None else games.index(after) + 1
        return [_record(game, self._games[game]) for game in games[first : first + max(limit, 0)]]

    async def secret(self, game: str) -> bytes | None:
        kept = self._find(game)
        return None if kept is None else kept.secret

    async def find_token(self, digest: bytes) -> TokenRecord | None:
        self._require_open()
        return self._by_hash.get(digest)

    async def list_tokens(self, game: str) -> list[TokenRecord]:
        self._require_open()
        return [self._tokens[place] for place in sorted(self._tokens) if place[0] == game]

    async def get_texts(self, game: str, prefix: str = "") -> dict[str, str]:
        kept = self._find(game)
        texts = {} if kept is None else kept.texts
        return {key: texts[key] for key in sorted(texts) if key.startswith(prefix)}

    async def find_texts(self, game: str, keys: Sequence[str]) -> dict[str, str]:
        kept = self._find(game)
        texts = {} if kept is None else kept.texts
        return {key: texts[key] for key in keys if key in texts}

    async def find_account(self, digest: bytes) -> AccountRecord | None:
        self._require_open()
        return next((one for one in self._accounts.values() if one.hash == digest), None)

    async def list_accounts(self) -> list[AccountRecord]:
        self._require_open()
        return sorted(self._accounts.values(), key=lambda account: account.id)

    async def account_places(self, account: str) -> list[Place]:
        self._require_open()
        return list(self._places.get(account, ()))

    async def get_pack(self, digest: str) -> bytes | None:
        self._require_open()
        return self._packs.get(digest)

    async def list_packs(self) -> list[str]:
        self._require_open()
        return sorted(self._packs)

    # ---- news: nobody else can write here ----

    def listen(self, heard: Heard) -> None:
        pass

    def watch(self, game: str) -> None:
        pass

    def unwatch(self, game: str) -> None:
        pass

    # ---- life ----

    async def check(self) -> Health:
        self._require_open()
        return Health(adapter="memory", durable=False, journal_mode="none", synchronous="none")

    def _find(self, game: str) -> _StoredGame | None:
        self._require_open()
        return self._games.get(game)

    def _game(self, game: str) -> _StoredGame:
        kept = self._find(game)
        if kept is None:
            raise NoSuchGame(game)
        return kept

    def _require_storable(self, tokens: Sequence[TokenRecord], game: str) -> None:
        """Refuses what the tables of the SQLite store refuse, before anything is changed."""
        if len({token.hash for token in tokens}) < len({token.id for token in tokens}):
            raise StoreError("memory: two tokens have one hash")
        for token in tokens:
            if token.game != game:
                raise StoreError(f"memory: token {token.id} is for another game")
            twin = self._by_hash.get(token.hash)
            if twin is not None and (twin.game, twin.id) != (token.game, token.id):
                raise StoreError(f"memory: token {token.id} has the hash of another one")

    def _change(self, game: str, changes: RecordChanges) -> None:
        kept = self._games[game]
        kept.revision += 1
        if changes.facts is not None:
            kept.facts = changes.facts
        if changes.status is not None:
            kept.status = changes.status
        for token in changes.tokens:
            self._keep(token)
        for token_id in changes.revoke:
            held = self._tokens.get((game, token_id))
            if held is not None:
                self._keep(msgspec.structs.replace(held, revoked=True))
        for key, text in changes.texts.items():
            if text is None:
                kept.texts.pop(key, None)
            else:
                kept.texts[key] = text

    def _keep(self, token: TokenRecord) -> None:
        before = self._tokens.get((token.game, token.id))
        if before is not None:
            del self._by_hash[before.hash]
        self._tokens[token.game, token.id] = token
        self._by_hash[token.hash] = token


def _record(game: str, kept: _StoredGame) -> GameRecord:
    return GameRecord(
        id=game,
        created=kept.created,
        status=kept.status,
        facts=kept.facts,
        version=len(kept.commits),
        revision=kept.revision,
    )


class MemoryRecordStore(_Open):
    """`RecordStore` in dicts."""

    def __init__(self) -> None:
        self._records: dict[str, Record] = {}
        self._refusals: dict[str, list[RefusalRecord]] = {}

    async def add(self, record: Record) -> bool:
        self._require_open()
        if record.id in self._records:
            return False
        self._records[record.id] = msgspec.structs.replace(record, revision=1)
        return True

    async def get(self, name: str) -> Record | None:
        self._require_open()
        return self._records.get(name)

    async def of_owners(self, *owners: str) -> list[Record]:
        self._require_open()
        return sorted((one for one in self._records.values() if one.owner in owners), key=lambda one: one.id)

    async def ready(self, now: float) -> list[Record]:
        self._require_open()
        found = [
            (one.ready, one.id, one) for one in self._records.values() if one.ready is not None and one.ready <= now
        ]
        return [one for _, _, one in sorted(found, key=lambda entry: entry[:2])]

    async def put(self, record: Record) -> bool:
        self._require_open()
        known = self._records.get(record.id)
        if known is None or known.revision != record.revision:
            return False
        self._records[record.id] = msgspec.structs.replace(record, revision=record.revision + 1)
        return True

    async def remove(self, name: str) -> bool:
        self._require_open()
        return self._records.pop(name, None) is not None

    async def add_refusal(self, refusal: RefusalRecord, *, per_game: int, per_seat: int) -> None:
        self._require_open()
        kept = self._refusals.setdefault(refusal.game, [])
        kept.append(refusal)
        mine = [one for one in kept if one.seat == refusal.seat]
        for oldest in mine[:-per_seat]:
            kept.remove(oldest)
        del kept[:-per_game]

    async def refusals(self, game: str, first: int, last: int) -> list[RefusalRecord]:
        self._require_open()
        return [one for one in self._refusals.get(game, ()) if first <= one.number <= last]

    async def erase_refusals(self, game: str, seat: int | None = None) -> int:
        self._require_open()
        kept = self._refusals.pop(game, [])
        left = [] if seat is None else [one for one in kept if one.seat != seat]
        if left:
            self._refusals[game] = left
        return len(kept) - len(left)
