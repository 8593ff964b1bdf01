"""Settings: every one an environment variable `OMENLOG_…` with a documented default."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Annotated, Literal, get_args, get_type_hints
from urllib.parse import urlsplit

import msgspec

from content.errors import did_you_mean
from content.patterns import told


class BadSetting(ValueError):
    """An environment variable has an invalid value. The message names the variable and what is expected."""


ANY_ORIGIN = "*"

PREFIX = "OMENLOG_"

NO_SETTINGS = frozenset({"OMENLOG_TOKEN", "OMENLOG_COMMAND", "OMENLOG_COMPILE"})
"""Variables that a service ignores: the command line's token to send, how `./dev` was called, whether to compile a wheel."""

MOST_WORKERS = 64
"""Processes that may serve together."""

AtLeastOne = Annotated[int, msgspec.Meta(ge=1)]
NotNegative = Annotated[int, msgspec.Meta(ge=0)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e9)]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings. A field's variable is `OMENLOG_` and its name in capitals."""

    store: str = "sqlite:///data/omenlog.db"
    """Where games are kept: `sqlite:///relative/path`, `sqlite:////absolute/path`, `memory:`, or in Redis: `redis://host:port/0`,
    `rediss://` (with TLS), `unix:///path/to/socket`, `redis+cluster://host:port,host:port`; `?prefix=…` separates several stores."""
    store_max_bytes: NotNegative = 0
    """Maximum size of the SQLite file in bytes; 0: no limit but the disk."""
    archive: str = ""
    """Folder to which `omenlog archive` moves finished games, and from which they are read; empty: no archive."""
    packs: str = ""
    """Packs to offer, separated by commas: ids of built-in packs, folders, files of haunts; empty: all built-in packs."""
    reload_packs: bool = False
    """Whether to read offered packs anew when their files change; games that run keep theirs."""
    pack_uploads: bool = False
    """Whether whoever may open games may send packs of their own and play them."""
    pack_limit: NotNegative = 1_048_576
    """Maximum bytes of a zipped pack that is sent."""
    pack_seconds: Seconds = 20.0
    """Seconds that checking it may take."""
    packs_per_address: NotNegative = 10
    """Packs that one address (for IPv6, one /64 network) may have sent within `pack_lifetime`; 0: no limit."""
    pack_lifetime: NotNegative = 604_800
    """Seconds after which such a pack is forgotten (7 days), unless a game was opened with it; 0: never."""
    host: str = "127.0.0.1"
    """Address to listen on."""
    port: Annotated[int, msgspec.Meta(ge=0, le=65_535)] = 8000
    """Port to listen on; 0 takes a free one."""
    workers: str = "1"
    """Processes that serve together, or `auto`: one for each core."""
    worker_timeout: Annotated[float, msgspec.Meta(ge=3, le=1e9)] = 30.0
    """Seconds after which a worker that does nothing any more is killed and replaced."""
    origins: str = ""
    """Origins of web pages that may use the service, separated by commas, exactly as browsers send them
    (`https://table.example`, `http://localhost:5173`), or `*` for all; empty: none."""
    trusted_proxies: str = ""
    """Addresses of proxies whose `X-Forwarded-For` is trusted, separated by commas; empty: none."""
    log_level: Literal["critical", "error", "warning", "info", "debug"] = "info"
    """`critical`, `error`, `warning`, `info` or `debug`."""
    log_format: Literal["text", "json"] = "text"
    """`text` for people, or `json`: one object per line."""
    log_requests: bool = False
    """Whether to log every request: its id, route, status, duration, game and version, but no secrets."""
    traces: str = ""
    """Address for OpenTelemetry traces, sent by OTLP over HTTP: `http://collector:4318/v1/traces`; empty: no traces."""
    opening_key: str = ""
    """Key needed to open or import a game, sent as `Authorization: Bearer …`; empty: anybody may."""
    open_games_per_address: NotNegative = 100
    """Games not yet begun that one address (for IPv6, one /64 network) may have open; 0: no limit."""
    open_games_per_token: NotNegative = 1_000
    """The same for each token or account key sent when a game is opened, and for the opening key; 0: no limit."""
    accounts_per_address: NotNegative = 100
    """Accounts that one address (for IPv6, one /64 network) may open per day; 0: no limit."""
    open_lifetime: NotNegative = 1_209_600
    """Seconds until a game that has not begun is abandoned (14 days), but not deleted; 0: never."""
    token_lifetime: NotNegative = 0
    """Seconds for which a token or an invite is valid; 0: forever."""
    header_timeout: Seconds = 10.0
    """Seconds that a request's headers may take to arrive; 0: no limit."""
    body_timeout: Seconds = 30.0
    """Seconds that a request's body may take to arrive, plus one for each 64 KiB received; 0: no limit."""
    body_limit: NotNegative = 65_536
    """Maximum bytes of a request's body."""
    depth_limit: NotNegative = 32
    """Maximum nesting of a request's body."""
    import_limit: NotNegative = 16_777_216
    """Maximum bytes of an imported export; 0: nobody may import."""
    import_packs: str = "known"
    """Packs that imported games may use: `known` (offered here now or before) or `any` (the file's own pack is stored)."""
    import_seconds: Seconds = 60.0
    """Seconds that the audit of an import may take before it is refused."""
    verification_seconds: Seconds = 600.0
    """Seconds that a requested audit of a game may take when there are no workers (`jobs`)."""
    page_limit: AtLeastOne = 1_000
    """Maximum events or games per page; the default is 100."""
    games_in_memory: AtLeastOne = 512
    """Games kept in memory; others are loaded when needed."""
    snapshot_every: AtLeastOne = 100
    """Commits between two snapshots of a game."""
    refusals_per_game: NotNegative = 500
    """Refused attempts kept per game for the referee's traces; the oldest go first; 0: none."""
    refusals_per_seat: NotNegative = 100
    """Refused attempts kept per game for one seat, or for all referees together."""
    token_rate: NotNegative = 1_000
    """Average requests per second for each token; 0: no limit."""
    token_burst: NotNegative = 2_000
    """Requests that a token may send in a burst."""
    anonymous_rate: NotNegative = 100
    """Average requests per second for each address without a token; 0: no limit."""
    anonymous_burst: NotNegative = 500
    """Requests that such an address may send in a burst."""
    streams_per_token: NotNegative = 8
    """Live streams that one token may have open."""
    spectator_streams_per_game: NotNegative = 400
    """Live streams that all spectators of a game may have open together, so that an invite for many can't crowd out the players."""
    tokens_per_account: NotNegative = 200
    """Tokens that may be bound to one account, including those that ended."""
    heartbeat: Seconds = 15.0
    """Seconds between comments on a quiet stream."""
    stall: Seconds = 30.0
    """Seconds that a stream's reader may lag; then the stream ends, and after as many more it is cut off."""
    webhooks_per_token: NotNegative = 5
    """Subscriptions that one token or account may have."""
    webhook_origin: str = "omenlog"
    """Name under which the service asks endpoints to agree: its DNS name, if it has one."""
    webhook_private: bool = False
    """Whether webhooks may use plain HTTP, loopback and private networks: for tests, and for networks of your own."""
    webhook_timeout: Seconds = 15.0
    """Seconds that an endpoint may take to answer."""
    webhook_retries: str = "5,300,1800,7200,18000,36000,50400,72000,86400"
    """Seconds before each retry of an undelivered message; after the last one it becomes a dead letter."""
    webhook_overlap: NotNegative = 86_400
    """Seconds for which an old key keeps signing beside its successor."""
    webhook_sweep: Seconds = 2.0
    """Seconds between two searches for overdue webhooks that no job reported."""
    jobs: str = ""
    """Redis that carries jobs to `omenlog work`: `redis://host:port/0`, `rediss://` or `unix:///path`, a single server, not a cluster;
    empty: the service delivers webhooks itself."""
    forks_per_token: NotNegative = 8
    """Forks of a game that one token may have at a time."""
    fork_lifetime: NotNegative = 86_400
    """Seconds after which a fork is removed."""
    fork_sweep: Seconds = 60.0
    """Seconds between two searches for expired forks."""
    ticket_lifetime: NotNegative = 60
    """Seconds for which a ticket can open streams."""
    shutdown: Seconds = 2.0
    """Seconds that open requests and streams get to finish when the service stops."""

    def __post_init__(self) -> None:
        self.allowed_origins()
        self.processes()

    def processes(self) -> int:
        """How many `workers` are. Raises `BadSetting` unless that is a number from 1 to `MOST_WORKERS`, or `auto`."""
        if self.workers == "auto":
            cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
            return min(cores, MOST_WORKERS)
        if not self.workers.isdecimal() or not 1 <= int(self.workers) <= MOST_WORKERS:
            raise BadSetting(
                f"OMENLOG_WORKERS={self.workers} (--workers): write a number from 1 to {MOST_WORKERS}, or `auto`"
            )
        return int(self.workers)

    def allowed_origins(self) -> frozenset[str]:
        """The origins of `origins`, one by one. Raises `BadSetting` for one that browsers never send, or others beside `*`."""
        found = [one.strip() for one in self.origins.split(",")] if self.origins.strip() else []
        if ANY_ORIGIN in found and len(found) > 1:
            raise BadSetting(f"OMENLOG_ORIGINS={self.origins}: `*` means every origin; remove it, or the others")
        for one in found:
            if one != ANY_ORIGIN:
                _check_origin(one)
        return frozenset(found)


ORIGIN = re.compile(r"(https?)://([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::([1-9][0-9]{0,4}))?")
"""An origin as browsers send it (RFC 6454, section 6.2)."""
DEFAULT_PORTS = {"http": "80", "https": "443"}
HIGHEST_PORT = 65_535


def _check_origin(origin: str) -> None:
    """Raise `BadSetting` unless a browser may send this origin; the message says why, and what it would send."""
    if _is_origin(origin):
        return
    nearest = _nearest_origin(origin)
    standard = nearest != "" and origin.lower().startswith(f"{nearest}:")
    why = "leave the standard port out" if standard else "scheme, host and port alone, in small letters"
    hint = f"; did you mean {nearest}?" if nearest else ""
    raise BadSetting(f"OMENLOG_ORIGINS: `{origin}` is not an origin as browsers send it ({why}){hint}")


def _is_origin(text: str) -> bool:
    found = ORIGIN.fullmatch(text)
    return found is not None and found[3] != DEFAULT_PORTS[found[1]] and int(found[3] or 0) <= HIGHEST_PORT


def _nearest_origin(text: str) -> str:
    """The origin of an address that somebody took for one; empty where there is none."""
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:  # brackets that do not fit, or a port beyond all
        return ""
    shown = f"[{host}]" if ":" in host else host
    standard = port is None or DEFAULT_PORTS.get(parts.scheme) == str(port)
    nearest = f"{parts.scheme}://{shown}" + ("" if standard else f":{port}")
    return nearest if _is_origin(nearest) else ""


def opening_key(environment: Mapping[str, str] = os.environ) -> str:
    """The key with which the command line opens games elsewhere: the one that a service in the same environment asks for."""
    return environment.get("OMENLOG_OPENING_KEY", "")


def from_environment(environment: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings. Raises `BadSetting` if a variable is unknown or doesn't fit."""
    given = {name: value for name, value in environment.items() if name.startswith(PREFIX) and name not in NO_SETTINGS}
    fields = {f"{PREFIX}{name.upper()}": name for name in Settings.__struct_fields__}
    unknown = sorted(set(given) - set(fields))
    if unknown:
        bare = [name.removeprefix(PREFIX) for name in fields]
        hints = {name: did_you_mean(name.removeprefix(PREFIX), bare).replace("`", f"`{PREFIX}", 1) for name in unknown}
        named = [f"{name}: {hint}" for name, hint in hints.items() if hint]
        strange = [name for name, hint in hints.items() if not hint]
        named += [f"{', '.join(strange)}: known are {', '.join(fields)}"] if strange else []
        raise BadSetting(f"unknown settings: {' '.join(named)}")
    values: dict[str, object] = {}
    kinds = get_type_hints(Settings, include_extras=True)
    for variable, text in given.items():
        kind = kinds[fields[variable]]
        try:
            values[fields[variable]] = msgspec.convert(text, kind, strict=False)
        except msgspec.ValidationError as error:
            words = ", ".join(f"`{one}`" for one in get_args(kind) if isinstance(one, str))
            wanted = f"write one of {words}" if words else told(str(error)).removesuffix(", not text")
            raise BadSetting(f"{variable}={text}: {wanted}") from None
    return Settings(**values)  # type: ignore[arg-type]  # each was converted to its field's type just above
