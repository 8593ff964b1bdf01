"""The ports of the stores: games as streams of commits; beside them subscriptions, their progress, and refused attempts.

A *commit* is opaque bytes to the store. A game's commits are numbered 1, 2, 3 without a gap; its *version* is the number of its last commit, 0 before
the first. What the store acknowledges is durable; what it refuses or fails to do has changed nothing. Every adapter passes `tests/contract`.

A store belongs to the event loop that opened it. Cancelling a task that awaits a write gives up the answer, not the write, which is done or refused
in full. Several processes may have one store open: each read sees every write that any of them got acknowledged before it began.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec

STRIPPED = b"\x00archived"  # replaces a commit that is in an archive; no commit is like it


class StoreError(Exception):
    """The store could not do what was asked. The message says what was wrong, where, and what to do about it."""


class StoreDamaged(StoreError):
    """The stored bytes are not those that were written."""


class StoreFull(StoreError):
    """No room is left. Reads still work, and so do writes as soon as there is room again."""


class StoreUnavailable(StoreError):
    """The store can't be reached or written now, can't promise durability, or is closed."""


class StoreTooNew(StoreError):
    """A newer Omenlog wrote the store."""


class ArchiveMissing(StoreError):
    """The game is archived, and its file is missing or altered. Once put back, it is read as before."""


class NoSuchGame(LookupError):
    """A write names a game that the store doesn't have. The message is its id."""


class NoSuchAccount(LookupError):
    """A write names an account that the store doesn't have. The message is its id."""


class GameExists(ValueError):
    """A game is to be opened under an id that is taken. The message is the id."""


# ---- what is stored ----


class TokenRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A bearer token, known by its digest alone. Whoever looks one up judges whether it still holds."""

    id: str
    """Its public name, unique in its game. Storing a token under an id that is taken replaces the one before."""
    hash: bytes
    """SHA-256 of the token."""
    game: str
    role: str
    """What it is good for, in the caller's words: `host`, `seat`, `referee`, `spectator`, an invite."""
    seat: int | None = None
    expires: str | None = None
    """ISO 8601 text in UTC, or never."""
    revoked: bool = False
    spent: bool = False
    """For an invite: somebody has claimed it (see `LogStore.append`)."""
    account: str = ""
    """The id of the account to which it is bound."""
    good_for: int = 1
    """For an invite: how many may claim it."""
    claims: int = 0
    """For an invite that is good for several: how many have."""


class AccountRecord(msgspec.Struct, frozen=True, kw_only=True):
    """An account, known by the SHA-256 of its key: whoever shows that follows all tokens that are bound to it."""

    id: str
    hash: bytes
    created: str
    """ISO 8601 text in UTC."""


class Place(msgspec.Struct, frozen=True):
    """A token, by its public name, in its place in an account. Whether it is still bound to the account, only the token itself tells."""

    game: str
    token: str


class RecordChanges(msgspec.Struct, frozen=True, kw_only=True):
    """What changes beside the log, all or nothing, alone or in one transaction with a commit."""

    facts: bytes | None = None
    """The game's new public facts; None leaves them as they are."""
    status: str | None = None
    tokens: Sequence[TokenRecord] = ()
    """Of this game: added, or put in the place of those with the same id."""
    revoke: Sequence[str] = ()
    """Ids of this game's tokens to revoke. One that doesn't exist is passed over."""
    texts: Mapping[str, str | None] = {}
    """Erasable texts by key: set, or erased by None."""


class NewGame(msgspec.Struct, frozen=True, kw_only=True):
    """All that comes into being with a game."""

    id: str
    created: str
    """ISO 8601 text in UTC. The store has no clock and sorts by arrival, not by this."""
    status: str
    facts: bytes
    """What everybody may know, in the caller's encoding."""
    secret: bytes = b""
    """What nobody may know yet, such as the seed. No read but `LogStore.secret` and `LogStore.load` shows it."""
    commits: Sequence[bytes] = ()
    tokens: Sequence[TokenRecord] = ()
    texts: Mapping[str, str] = {}


class GameRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A game as its public record tells it."""

    id: str
    created: str
    status: str
    facts: bytes
    version: int
    revision: int
    """Counts the changes of what lies beside the log."""


class Head(msgspec.Struct, frozen=True):
    """How far a game has come; two that are equal mean that nothing has happened in between."""

    version: int
    revision: int
    """How often what is kept beside the log has changed: one more for each `RecordChanges`."""


class StoredCommit(msgspec.Struct, frozen=True):
    """A commit with what was stored beside its bytes."""

    body: bytes
    key: str | None
    fingerprint: bytes


class Creation(msgspec.Struct, frozen=True):
    """Under which key of which creator a game was opened."""

    creator: str
    key: str
    fingerprint: bytes


class Snapshot(msgspec.Struct, frozen=True):
    """A game's state as of one commit: a cache that may be gone at any time."""

    number: int
    body: bytes


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """What brings a game into memory, all but its commits."""

    head: Head
    """No newer than the rest."""
    facts: bytes
    secret: bytes
    snapshot: Snapshot | None
    texts: dict[str, str]
    """Those that were asked for and are there, by key."""


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """What a store that works says of itself, each item read back from the store."""

    adapter: str
    durable: bool
    """Whether an acknowledged commit outlives a crash of the process and of the machine."""
    journal_mode: str
    synchronous: str


# ---- what a write answers ----


class Applied(msgspec.Struct, frozen=True):
    """The commit is stored and durable; `version` is its number."""

    version: int


class AlreadyApplied(msgspec.Struct, frozen=True):
    """An earlier commit carries this key. Its fingerprint tells a retry from a key reused for another request."""

    number: int
    fingerprint: bytes


class Conflict(msgspec.Struct, frozen=True):
    """The game isn't at the expected version and revision; its version is `current`. Nothing was stored."""

    current: int


class InviteSpent(msgspec.Struct, frozen=True):
    """The invite with this hash is spent, revoked or unknown in this game. Nothing was stored."""

    hash: bytes


Appended = Applied | AlreadyApplied | Conflict | InviteSpent


class Created(msgspec.Struct, frozen=True):
    """The game is stored with all its parts; `version` is the number of its last commit."""

    version: int


class AlreadyCreated(msgspec.Struct, frozen=True):
    """This creator has used this key before, for that game."""

    game: str
    fingerprint: bytes


Opened = Created | AlreadyCreated

Heard = Callable[[str, Head | None], None]
"""Called with the id of a game in which something may have happened, and its head, if that is known."""


class LogStore(Protocol):
    """Where games are kept. Every method may raise a `StoreError`; further exceptions are named where they occur."""

    async def create(
        self, game: NewGame, *, creator: str = "", key: str | None = None, fingerprint: bytes = b""
    ) -> Opened:
        """Opens a game: its record, secret, first commits, tokens and texts in one transaction. Raises `GameExists`.

        `key` is an idempotency key of the principal `creator`, kept for ever. A known one answers `AlreadyCreated` with its request's fingerprint.
        """

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
        """Appends one commit, durable once this answers `Applied`. The key is checked first, then version and revision, then the invites.

        The commit's number is one above `expected`, the version that the caller has seen. The key, already scoped to its principal, is unique in the
        game and kept for ever; `AlreadyApplied` hands back its fingerprint. `spend` holds hashes of single-use tokens of this game. `changes` belong
        to the same transaction. If `revision` is given, what is kept beside the log must not have changed since. Raises `NoSuchGame`.
        """

    async def head(self, game: str) -> Head | None:
        """How far a game has come, None if there is no such game. The cheapest question there is."""

    async def load(self, game: str, texts: Sequence[str]) -> Loaded | None:
        """In one question what would be five; None if there is no such game. `texts` are keys of erasable texts, one or more."""

    async def version(self, game: str) -> int | None:
        """The number of the game's last commit, 0 before the first, None if there is no such game."""

    async def read(self, game: str, after: int, limit: int) -> list[bytes]:
        """At most `limit` commits with numbers above `after`, in order; none of an unknown game."""

    async def read_stored(self, game: str, after: int, limit: int) -> list[StoredCommit]:
        """As `read`, with the keys and fingerprints: for copying a game into another store."""

    async def strip(self, game: str, upto: int) -> None:
        """Drops the bytes of the commits 1 to `upto`, which are kept elsewhere, in one step: from then on they are read as `STRIPPED`.

        Their numbers, keys and fingerprints stay. Raises `NoSuchGame`.
        """

    async def remove(self, game: str) -> None:
        """Removes a sandbox, if it is there, with all that is kept of it, in one step; the key that it was opened under is free again."""

    async def creation(self, game: str) -> Creation | None: ...

    async def find_creation(self, creator: str, key: str) -> AlreadyCreated | None:
        """The game that was opened under a key, as `create` would answer."""

    async def get_game(self, game: str) -> GameRecord | None: ...

    async def list_games(self, after: str | None, limit: int) -> list[GameRecord]:
        """At most `limit` records in the order of creation, beginning behind the game `after` (raises `NoSuchGame`), or with the first."""

    async def update_game(self, game: str, changes: RecordChanges, *, revision: int | None = None) -> bool:
        """Changes what is kept beside the log, without a commit. False: it has changed since the `revision`, if given. Raises `NoSuchGame`."""

    async def scrub(self) -> None:
        """Removes erased texts from the store's own files too. Raises `StoreUnavailable` if it can't be done now, or not by this user."""

    async def secret(self, game: str) -> bytes | None: ...

    async def find_token(self, digest: bytes) -> TokenRecord | None:
        """The token with this hash, whether it still holds or not."""

    async def list_tokens(self, game: str) -> list[TokenRecord]:
        """All tokens of a game, ordered by their ids."""

    async def get_texts(self, game: str, prefix: str = "") -> dict[str, str]:
        """The erasable texts of a game whose keys begin with `prefix`, by key, ordered by key."""

    async def find_texts(self, game: str, keys: Sequence[str]) -> dict[str, str]:
        """Those of these erasable texts that are there, by key: for a few of many."""

    async def put_snapshot(self, game: str, number: int, body: bytes) -> None:
        """Keeps a state as of commit `number`, unless there is one of a later commit: only the newest is kept. Raises `NoSuchGame`."""

    async def create_account(self, account: AccountRecord) -> None:
        """Keeps a new account. Raises `StoreError` if its id or its hash is taken."""

    async def find_account(self, digest: bytes) -> AccountRecord | None: ...

    async def enter_account(self, account: str, place: Place) -> int:
        """Gives a token, bound yet or not, a place in an account for ever: 1, 2, 3 without a gap. Raises `NoSuchAccount`."""

    async def list_accounts(self) -> list[AccountRecord]:
        """All accounts, ordered by their ids: for copying them into another store."""

    async def account_places(self, account: str) -> list[Place]:
        """All places of an account in their order; none of an unknown one."""

    async def put_pack(self, digest: str, body: bytes) -> None:
        """Keeps a content pack under its digest. A digest that is known stays as it is."""

    async def get_pack(self, digest: str) -> bytes | None: ...

    async def list_packs(self) -> list[str]:
        """The digests of all content packs, sorted."""

    def listen(self, heard: Heard) -> None:
        """Calls `heard` from now on when something may have happened in a watched game: late, twice, for nothing, or not at all."""

    def watch(self, game: str) -> None:
        """Listen to this game, known to the store or not."""

    def unwatch(self, game: str) -> None: ...

    async def check(self) -> Health:
        """Writes and reads back a probe, so that readiness means a store that works."""

    async def close(self) -> None:
        """Finishes writes that were asked for and closes; closing twice is harmless. Every later call raises `StoreUnavailable`."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A small record beside the log, replaced as a whole. The body is in the caller's encoding."""

    id: str
    owner: str
    """A game's id, or `account:` and the id of an account."""
    body: bytes
    ready: float | None
    """Unix time from which somebody should look after it; None: never."""
    revision: int = 0
    """How often it was written before: 0 for a new one."""


class RefusalRecord(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt that was refused. The body is in the caller's encoding."""

    game: str
    number: int
    """The commit after which it was tried."""
    seat: int
    """In whose name it was tried; -1: a referee's."""
    body: bytes


class RecordStore(Protocol):
    """Where records are kept. It is opened after the log store of the same address, which makes sure that the address is safe."""

    async def add(self, record: Record) -> bool:
        """Keeps a new record, whose revision must be 0. False: the id is taken, and nothing has changed."""

    async def get(self, name: str) -> Record | None: ...

    async def of_owners(self, *owners: str) -> list[Record]:
        """All records of these owners, ordered by their ids."""

    async def ready(self, now: float) -> list[Record]:
        """All records that are ready at this time, those that wait longest first."""

    async def put(self, record: Record) -> bool:
        """Replaces a record that is still at the revision of this one; it is then at the next. False: it isn't, and nothing has changed."""

    async def remove(self, name: str) -> bool:
        """Removes a record. False: there was none."""

    async def add_refusal(self, refusal: RefusalRecord, *, per_game: int, per_seat: int) -> None:
        """Keeps a refusal, and drops the oldest beyond a number for its game, and for its seat in it (1 or more). A power cut may lose it."""

    async def refusals(self, game: str, first: int, last: int) -> list[RefusalRecord]:
        """Those after the commits `first` to `last`, in the order in which they came."""

    async def erase_refusals(self, game: str, seat: int | None = None) -> int:
        """Erases all of a game, or of one seat in it. Returns how many there were."""

    async def close(self) -> None:
        """Finishes what was begun and lets go of everything. Closing twice is harmless."""
