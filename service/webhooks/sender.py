"""Sending over the network: resolve, check, connect to the very address that was checked, follow nothing."""

from __future__ import annotations

import asyncio
import contextlib
import email.utils
import logging
import socket
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib import metadata

import httpx

from service.ports.sending import EndpointRefused, Line, Outcome
from service.webhooks.guard import NOWHERE, Resolve, addresses, parse, resolve

LONGEST_PAUSE = 86_400.0
"""Seconds that an endpoint can ask for at the most."""
SHORT = 65_536
"""Bytes of an answer that are read for the sake of its connection."""
AT_ONCE = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
"""Headers and body are two writes: the second must not wait for the first to be acknowledged, which takes 40 ms."""
ASKING = 8
"""Endpoints asked at once; more wait."""


def _agent() -> str:
    try:
        return f"Omenlog/{metadata.version('omenlog')}"
    except metadata.PackageNotFoundError:
        return "Omenlog"


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
        """Prepare to send.

        Args:
            origin: what endpoints are told of who asks.
            timeout: seconds for one request, from the resolver to the answer.
            private: whether plain HTTP and addresses that are not public are allowed.
            trust: whose certificates hold; the usual authorities' by default.
            look_up: the resolver.
        """
        # They tell whole addresses, in which there may be somebody's secret.
        for name in ("httpx", "httpcore"):
            logging.getLogger(name).setLevel(logging.WARNING)
        self._origin = origin
        self._timeout = timeout
        self._private = private
        self._trust = trust or httpx.create_ssl_context(trust_env=False)
        self._look_up = look_up
        self._asking = asyncio.Semaphore(ASKING)

    async def ask(self, url: str) -> None:
        """See `Sender.ask`: by the handshake of CloudEvents' HTTP webhooks (section 4, abuse protection)."""
        asked = {"webhook-request-origin": self._origin}
        async with self._asking, self._open(url) as line:
            outcome, told = await line.request("OPTIONS", asked, b"")
        if outcome.error:
            raise EndpointRefused(f"asked by OPTIONS whether it agrees, the endpoint did not: {outcome.error}")
        if told.get("webhook-allowed-origin", "").strip().lower() not in ("*", self._origin.lower()):
            raise EndpointRefused(
                "asked by OPTIONS whether it agrees, the endpoint did not answer with the header "
                f"`WebHook-Allowed-Origin: {self._origin}` (or `*`)"
            )

    @asynccontextmanager
    async def line(self, url: str) -> AsyncIterator[Line]:
        """See `Sender.line`."""
        async with self._open(url) as line:
            yield line

    async def close(self) -> None:
        """See `Sender.close`: lines close by themselves."""

    @asynccontextmanager
    async def _open(self, url: str) -> AsyncIterator[HttpLine]:
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
        """Use the first address that answers."""
        self._client = client
        self._url = url
        self._found = found
        self._seconds = seconds

    async def send(self, headers: Mapping[str, str], body: bytes) -> Outcome:
        """See `Line.send`."""
        outcome, _ = await self.request("POST", headers, body)
        return outcome

    async def request(self, method: str, headers: Mapping[str, str], body: bytes) -> tuple[Outcome, httpx.Headers]:
        """Send, and give the headers of the answer too."""
        try:
            async with asyncio.timeout(self._seconds):
                return await self._request(method, headers, body)
        except TimeoutError:
            return Outcome(error=f"no answer within {self._seconds:g} s"), httpx.Headers()
        except httpx.TimeoutException:
            return Outcome(error=f"no answer within {self._seconds:g} s"), httpx.Headers()
        except httpx.ConnectError as error:
            return Outcome(error=_connecting(error)), httpx.Headers()
        except (httpx.HTTPError, ssl.SSLError, OSError):
            return Outcome(error="the connection broke"), httpx.Headers()

    async def _request(self, method: str, headers: Mapping[str, str], body: bytes) -> tuple[Outcome, httpx.Headers]:
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


def _outcome(answer: httpx.Response) -> Outcome:
    status = answer.status_code
    if answer.is_success:
        return Outcome(status)
    what = "redirects are not followed" if answer.is_redirect else "only 2xx is a success"
    return Outcome(
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
        return "its certificate does not hold"
    return "it could not be connected to"
