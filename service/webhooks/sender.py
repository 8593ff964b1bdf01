"""Sending to the endpoints of others: resolve, check, connect to the very address that was checked, follow nothing.

A subscriber names a URL and the service goes there, from inside its network. So whatever the name leads to is looked at, as an address, right
before it is used, and only that address is connected to: one of the public internet, unless the operator allows more.
"""

from __future__ import annotations

import asyncio
import contextlib
import email.utils
import ipaddress
import logging
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from importlib import metadata
from typing import Protocol

import httpx
import msgspec


class EndpointRefused(Exception):
    """An endpoint may not be sent to, or did not agree. The message tells its owner why."""


class SendOutcome(msgspec.Struct, frozen=True):
    """What became of a request."""

    status: int = 0
    """Of the answer; 0 where there was none."""
    error: str = ""
    """What went wrong, in words for the endpoint's owner; empty for a success."""
    retry_after: float = 0.0
    """Seconds that the endpoint asks to be left alone."""


class Line(Protocol):
    """A way to one endpoint whose address was found good; it leads there until it is closed."""

    async def send(self, headers: Mapping[str, str], body: bytes) -> SendOutcome:
        """Posts once. Whatever goes wrong outside is an outcome, never an exception."""


class Sender(Protocol):
    """Reaches endpoints."""

    async def ask(self, url: str) -> None:
        """Asks an endpoint whether it agrees. Raises `EndpointRefused` if not, or if its address is not to be used."""

    def line(self, url: str) -> AbstractAsyncContextManager[Line]:
        """Opens a way to an endpoint. Entering raises `EndpointRefused` if its address is not to be used now."""

    async def close(self) -> None: ...


Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Gives the addresses of a host, as text. Raises OSError."""

NOWHERE = "the host has no address that may be used"
"""Alike for a name that leads nowhere and for one that leads into our own network: else subscribers could ask for names in there."""
LONGEST = 2_000  # characters of a URL

NEVER = tuple(
    ipaddress.ip_network(one)
    for one in (
        "0.0.0.0/8",
        "169.254.0.0/16",  # link-local, where clouds answer with credentials
        "100.100.100.200/32",  # the same, elsewhere
        "168.63.129.16/32",
        "192.0.0.192/32",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "::/128",
        "fe80::/10",
        "fd00:ec2::254/128",
        "ff00::/8",
    )
)
"""Nobody's endpoint, whatever is allowed."""

NOT_PUBLIC = tuple(
    ipaddress.ip_network(one)
    for one in (
        "100.64.0.0/10",
        "192.0.0.0/24",
        "192.88.99.0/24",
        "198.18.0.0/15",
        "64:ff9b:1::/48",
        "fec0::/10",
        "3fff::/20",
    )
)
"""What Python's tables, which grew over time, may take for public."""

NAT64 = ipaddress.ip_network("64:ff9b::/96")


def parse(url: str, *, private: bool) -> httpx.URL:
    """Parse a URL, with the parser that will be used to go there; plain HTTP only if `private`. Raises `EndpointRefused`."""
    if len(url) > LONGEST or not url.isascii() or not url.isprintable():
        raise EndpointRefused(f"a URL may have at most {LONGEST} characters, all of them visible ASCII")
    try:
        parsed = httpx.URL(url)
        _ = parsed.host  # which is decoded only here: `xn--` may hold anything, and its decoder raises IndexError, too
    except (httpx.InvalidURL, ValueError, IndexError):
        raise EndpointRefused("invalid URL") from None
    if parsed.scheme not in (("https", "http") if private else ("https",)) or not parsed.host:
        raise EndpointRefused("the URL must begin with https:// and name a host")
    if parsed.port is not None and not 0 < parsed.port < 1 << 16:
        raise EndpointRefused("the port must be from 1 to 65535")
    if parsed.userinfo or parsed.fragment:
        raise EndpointRefused("the URL must have neither a user nor a fragment")
    return parsed


async def resolve(host: str, port: int) -> list[str]:
    """The addresses of a host, by the system's resolver. Raises OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


async def addresses(url: httpx.URL, look_up: Resolve, *, private: bool) -> list[str]:
    """Where a URL leads now. Raises `EndpointRefused` if it leads nowhere, or (also) to an address that is not allowed."""
    try:
        found = await look_up(url.host, url.port or (443 if url.scheme == "https" else 80))
    except (OSError, UnicodeError):
        found = []
    if not found or not all(allowed(one, private=private) for one in found):
        raise EndpointRefused(NOWHERE)
    return found


def allowed(text: str, *, private: bool) -> bool:
    """Whether an address may be connected to."""
    try:
        address = _innermost(ipaddress.ip_address(text.partition("%")[0]))
    except ValueError:
        return False
    if "%" in text or any(address in network for network in NEVER):
        return False
    return private or (address.is_global and not any(address in network for network in NOT_PUBLIC))


def _innermost(address: Address) -> Address:
    """The address itself, or the IPv4 address that an IPv6 one stands for."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in NAT64 or int(address) >> 32 == 0:
        embedded = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        return address if int(address) in (0, 1) else embedded
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else address)


LONGEST_PAUSE = 86_400.0  # seconds that an endpoint can ask for at the most
SHORT = 65_536  # bytes of an answer that are read for the sake of its connection
AT_ONCE = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
"""Headers and body are two writes: the second must not wait for the first to be acknowledged, which takes 40 ms."""
ASKING = 8  # endpoints asked at once; more wait


def _agent() -> str:
    try:
        return f"Omenlog/{metadata.version('omenlog')}"
    except metadata.PackageNotFoundError:
        return "Omenlog"


@cache
def _public() -> ssl.SSLContext:
    """Whose certificates hold for the public; reading them takes as long as opening a service does otherwise."""
    return httpx.create_ssl_context(trust_env=False)


class HttpSender:
    """`Sender` over HTTP(S). No proxy of the environment is used: it would connect to what it likes."""

    def __init__(
        self,
        *,
        origin: str,
        timeout: float,
        private: bool,
        trust: ssl.SSLContext | None = None,
        look_up: Resolve = resolve,
    ) -> None:
        """Endpoints are told the `origin` of who asks. One request may take `timeout` seconds, from the resolver to the answer.

        `private` allows plain HTTP and addresses that are not public; `trust` says whose certificates hold.
        """
        # They tell whole addresses, in which there may be somebody's secret.
        for name in ("httpx", "httpcore"):
            logging.getLogger(name).setLevel(logging.WARNING)
        self._origin = origin
        self._timeout = timeout
        self._private = private
        self._trust = trust or _public()
        self._look_up = look_up
        self._asking = asyncio.Semaphore(ASKING)

    async def ask(self, url: str) -> None:
        """See `Sender.ask`: by the handshake of CloudEvents' HTTP webhooks (section 4, abuse protection)."""
        asked = {"webhook-request-origin": self._origin}
        async with self._asking, self.line(url) as line:
            outcome, told = await line.request("OPTIONS", asked, b"")
        if outcome.error:
            raise EndpointRefused(f"the endpoint did not agree when asked by OPTIONS: {outcome.error}")
        if told.get("webhook-allowed-origin", "").strip().lower() not in ("*", self._origin.lower()):
            raise EndpointRefused(
                f"the endpoint did not answer OPTIONS with the header `WebHook-Allowed-Origin: {self._origin}` (or `*`)"
            )

    async def close(self) -> None:
        pass  # lines close by themselves

    @asynccontextmanager
    async def line(self, url: str) -> AsyncIterator[HttpLine]:
        parsed = parse(url, private=self._private)
        try:
            async with asyncio.timeout(self._timeout):
                found = await addresses(parsed, self._look_up, private=self._private)
        except TimeoutError:
            raise EndpointRefused(NOWHERE) from None
        # A client of its own: a connection kept open would else serve another host at the same address, unchecked.
        way = httpx.AsyncHTTPTransport(verify=self._trust, trust_env=False, socket_options=AT_ONCE)
        async with httpx.AsyncClient(transport=way, trust_env=False, timeout=self._timeout) as client:
            yield HttpLine(client, parsed, found, self._timeout)


class HttpLine:
    """`Line` to one of the addresses that were checked."""

    def __init__(self, client: httpx.AsyncClient, url: httpx.URL, found: list[str], seconds: float) -> None:
        self._client = client
        self._url = url
        self._found = found
        self._seconds = seconds

    async def send(self, headers: Mapping[str, str], body: bytes) -> SendOutcome:
        outcome, _ = await self.request("POST", headers, body)
        return outcome

    async def request(self, method: str, headers: Mapping[str, str], body: bytes) -> tuple[SendOutcome, httpx.Headers]:
        try:
            async with asyncio.timeout(self._seconds):
                return await self._request(method, headers, body)
        except (TimeoutError, httpx.TimeoutException):
            return SendOutcome(error=f"no answer within {self._seconds:g} s"), httpx.Headers()
        except httpx.ConnectError as error:
            return SendOutcome(error=_connecting(error)), httpx.Headers()
        except (httpx.HTTPError, ssl.SSLError, OSError):
            return SendOutcome(error="the connection broke"), httpx.Headers()

    async def _request(self, method: str, headers: Mapping[str, str], body: bytes) -> tuple[SendOutcome, httpx.Headers]:
        while True:
            request = self._client.build_request(
                method,
                self._url.copy_with(host=self._found[0]),
                headers={"user-agent": _agent(), **headers, "host": self._url.netloc.decode("ascii")},
                content=body,
                extensions={"sni_hostname": self._url.raw_host.decode("ascii")},
            )
            try:
                # What the answer says nobody reads: it could go on for ever.
                answer = await self._client.send(request, stream=True, follow_redirects=False)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                if len(self._found) == 1:
                    raise
                self._found = self._found[1:]
                continue
            await _put_away(answer)
            return _outcome(answer), answer.headers


async def _put_away(answer: httpx.Response) -> None:
    """Take a short answer off the connection, so that it can be used again; of a long or slow one take nothing more."""
    length = "0" if answer.status_code == httpx.codes.NO_CONTENT else answer.headers.get("content-length", "")
    with contextlib.suppress(TimeoutError, httpx.HTTPError):
        if length.isdecimal() and int(length) <= SHORT:
            async with asyncio.timeout(1):
                async for _ in answer.aiter_raw():  # raw: nothing is unpacked
                    pass
        await answer.aclose()


def _outcome(answer: httpx.Response) -> SendOutcome:
    status = answer.status_code
    if answer.is_success:
        return SendOutcome(status)
    what = "redirects are not followed" if answer.is_redirect else "only 2xx is a success"
    return SendOutcome(
        status,
        f"answered {status}; {what}",
        pause(answer.headers.get("retry-after", ""), answer.headers.get("date", "")),
    )


def pause(header: str, date: str) -> float:
    """Seconds that `Retry-After` asks for: a number, or a date, counted from the answer's own."""
    if header.isdecimal() and header.isascii():
        return min(float(header[:9]), LONGEST_PAUSE)
    try:
        until, now = (email.utils.parsedate_to_datetime(one) for one in (header, date))
        return min(max((until - now).total_seconds(), 0.0), LONGEST_PAUSE)
    except (TypeError, ValueError):
        return 0.0


def _connecting(error: httpx.ConnectError) -> str:
    if "certificate" in str(error).lower():
        return "its certificate is not valid"
    return "could not connect"
