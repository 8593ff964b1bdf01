"""Settings: every one an environment variable `OMENLOG_…` with a documented default."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Annotated, Literal, get_type_hints
from urllib.parse import urlsplit

import msgspec

from content.errors import did_you_mean


class BadSetting(ValueError):
    """An environment variable says something that it can't. The message names it and what is expected."""


ANY_ORIGIN = "*"

PREFIX = "OMENLOG_"

NO_SETTINGS = frozenset({"OMENLOG_TOKEN", "OMENLOG_COMMAND"})
"""Variables that are the command line's: whose token it sends, and how `./dev` was called. A service ignores them."""

AtLeastOne = Annotated[int, msgspec.Meta(ge=1)]
NotNegative = Annotated[int, msgspec.Meta(ge=0)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=1e9)]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings. The variable of a field is `OMENLOG_` and its name in capitals."""

    store: str = "sqlite:///data/omenlog.db"
    """Where games are kept: `sqlite:///relative/path`, `sqlite:////absolute/path`, `memory:`, or in Redis: `redis://host:port/0`,
    `rediss://` (with TLS), `unix:///path/to/socket`, `redis+cluster://host:port,host:port`; `?prefix=…` sets several apart."""
    store_max_bytes: NotNegative = 0
    """Size to which the SQLite file may grow, in bytes; 0: as much as the disk holds."""
    archive: str = ""
    """Folder to which `omenlog archive` moves finished games, which are then read from there; empty: none is archived."""
    packs: str = ""
    """Ids of the built-in packs to be offered, separated by commas; empty: all."""
    host: str = "127.0.0.1"
    """Address to listen on."""
    port: Annotated[int, msgspec.Meta(ge=0, le=65_535)] = 8000
    """Port to listen on; 0: a free one."""
    origins: str = ""
    """Origins whose pages may use the service from a browser, separated by commas, exactly as browsers send them
    (`https://table.example`, `http://localhost:5173`), or `*` for all; empty: none."""
    trusted_proxies: str = ""
    """Addresses of proxies, separated by commas, whose `X-Forwarded-For` is believed; empty: of none."""
    log_level: str = "info"
    """`critical`, `error`, `warning`, `info` or `debug`."""
    log_format: Literal["text", "json"] = "text"
    """`text` for people, or `json`: an object a line."""
    log_requests: bool = False
    """Whether every request is told in the log: its id, route, status, duration, game and version, nothing secret."""
    traces: str = ""
    """Where OpenTelemetry traces are sent, by OTLP over HTTP: `http://collector:4318/v1/traces`; empty: nowhere."""
    opening_key: str = ""
    """Key without which nobody opens or imports a game here, sent as `Authorization: Bearer …`; empty: anybody may."""
    open_games_per_address: NotNegative = 100
    """Games that have not begun which one address may have opened (of IPv6: a /64 network); 0: no limit."""
    open_games_per_token: NotNegative = 1_000
    """The same for each token or account key that is shown when a game is opened, and for the opening key; 0: no limit."""
    accounts_per_address: NotNegative = 100
    """Accounts that one address may open in a day (of IPv6: a /64 network); 0: no limit."""
    open_lifetime: NotNegative = 1_209_600
    """Seconds after which a game that has not begun is abandoned (14 days); nothing of it is deleted; 0: never."""
    token_lifetime: NotNegative = 0
    """Seconds for which a token or an invite holds; 0: for ever."""
    header_timeout: Seconds = 10.0
    """Seconds that a request's headers may take to arrive; 0: no limit."""
    body_timeout: Seconds = 30.0
    """Seconds that a request's body may take, and one more for each 64 KiB that have come; 0: no limit."""
    body_limit: NotNegative = 65_536
    """Bytes of a request's body."""
    depth_limit: NotNegative = 32
    """Nesting of a request's body."""
    import_limit: NotNegative = 16_777_216
    """Bytes of an export that may be imported; 0: nobody may import."""
    import_packs: str = "known"
    """Packs with which a game may be imported: `known` (offered here now or before) or `any` (the one in the file is kept)."""
    import_seconds: Seconds = 60.0
    """Seconds that the audit of an export may take before it is refused."""
    verification_seconds: Seconds = 600.0
    """Seconds that an audit of a game of one's own may take where no workers do it (`jobs`)."""
    page_limit: AtLeastOne = 1_000
    """Events or games on one page at the most; a page has 100 unless asked."""
    games_in_memory: AtLeastOne = 512
    """Games kept in memory; more are loaded when needed."""
    snapshot_every: AtLeastOne = 100
    """Commits between two snapshots of a game."""
    refusals_per_game: NotNegative = 500
    """Refused attempts that are kept of a game for the referee's traces; the oldest go first; 0: none is."""
    refusals_per_seat: NotNegative = 100
    """Refused attempts that are kept of one seat, or of the referees together, in a game."""
    token_rate: NotNegative = 1_000
    """Requests a second for each token, on average; 0: no limit."""
    token_burst: NotNegative = 2_000
    """Requests that a token may send at once."""
    anonymous_rate: NotNegative = 100
    """Requests a second for each address that shows no token, on average; 0: no limit."""
    anonymous_burst: NotNegative = 500
    """Requests that such an address may send at once."""
    streams_per_token: NotNegative = 8
    """Live streams that one token may hold open."""
    tokens_per_account: NotNegative = 200
    """Tokens that may be bound to one account, those that ended included."""
    heartbeat: Seconds = 15.0
    """Seconds between comments on a quiet stream."""
    stall: Seconds = 30.0
    """Seconds that a stream's reader may take to accept what is sent to it; then the stream ends, and after as many more is cut off."""
    webhooks_per_token: NotNegative = 5
    """Subscriptions that one token or account may have."""
    webhook_origin: str = "omenlog"
    """Who endpoints are told is asking whether they agree: a name of this service in the DNS, if it has one."""
    webhook_private: bool = False
    """Whether webhooks may go by plain HTTP, to loopback, and into private networks: for trying out, and for networks of your own."""
    webhook_timeout: Seconds = 15.0
    """Seconds that an endpoint may take to answer."""
    webhook_retries: str = "5,300,1800,7200,18000,36000,50400,72000,86400"
    """Seconds after which a message that did not arrive is tried again, time after time, before it becomes a dead letter."""
    webhook_overlap: NotNegative = 86_400
    """Seconds for which a key goes on signing beside its successor."""
    webhook_sweep: Seconds = 2.0
    """Seconds between two searches for webhooks that are behind without anybody having said so."""
    jobs: str = ""
    """Redis that carries jobs to `omenlog work`: `redis://host:port/0`, `rediss://` or `unix:///path`, one server and no cluster;
    empty: the service delivers webhooks by itself."""
    forks_per_token: NotNegative = 8
    """Forks that one token may have made of a game at a time."""
    fork_lifetime: NotNegative = 86_400
    """Seconds after which a fork is removed."""
    fork_sweep: Seconds = 60.0
    """Seconds between two searches for forks that are to be removed."""
    ticket_lifetime: NotNegative = 60
    """Seconds for which a ticket opens streams."""
    shutdown: Seconds = 2.0
    """Seconds that open requests and streams are given when the service stops."""

    def __post_init__(self) -> None:
        """Check what is not a matter of types.

        Raises:
            BadSetting: an origin is none.
        """
        self.allowed_origins()

    def allowed_origins(self) -> frozenset[str]:
        """The origins of `origins`, one by one.

        Raises:
            BadSetting: one is no origin as browsers send it, or others stand beside `*`.
        """
        found = [one.strip() for one in self.origins.split(",")] if self.origins.strip() else []
        if ANY_ORIGIN in found and len(found) > 1:
            raise BadSetting(f"OMENLOG_ORIGINS={self.origins}: `*` is every origin; leave the others out, or `*`")
        for one in found:
            if one != ANY_ORIGIN:
                _check_origin(one)
        return frozenset(found)


ORIGIN = re.compile(r"(https?)://([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::([1-9][0-9]{0,4}))?")
"""An origin as browsers send it (RFC 6454, section 6.2)."""
DEFAULT_PORTS = {"http": "80", "https": "443"}
HIGHEST_PORT = 65_535


def _check_origin(origin: str) -> None:
    """Check that a browser may send this origin.

    Raises:
        BadSetting: it never would; the message says why, and what it would send.
    """
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
    """Read the settings.

    Raises:
        BadSetting: a variable is unknown or doesn't fit.
    """
    given = {name: value for name, value in environment.items() if name.startswith(PREFIX) and name not in NO_SETTINGS}
    fields = {f"{PREFIX}{name.upper()}": name for name in Settings.__struct_fields__}
    unknown = sorted(set(given) - set(fields))
    if unknown:
        bare = [name.removeprefix(PREFIX) for name in fields]
        hints = {name: did_you_mean(name.removeprefix(PREFIX), bare).replace("`", f"`{PREFIX}", 1) for name in unknown}
        told = [f"{name}: {hint}" for name, hint in hints.items() if hint]
        strange = [name for name, hint in hints.items() if not hint]
        told += [f"{', '.join(strange)}: known are {', '.join(fields)}"] if strange else []
        raise BadSetting(f"unknown settings: {' '.join(told)}")
    values: dict[str, object] = {}
    kinds = get_type_hints(Settings, include_extras=True)
    for variable, text in given.items():
        kind = kinds[fields[variable]]
        try:
            values[fields[variable]] = msgspec.convert(text, kind, strict=False)
        except msgspec.ValidationError as error:
            raise BadSetting(f"{variable}={text}: {error}") from None
    return Settings(**values)  # type: ignore[arg-type]  # each was converted to its field's type just above
