"""Which addresses may be sent to: those of the public internet, unless the operator allows more.

A subscriber names a URL and the service goes there, from inside its network; so whatever the name leads to is looked at, as an
address, right before it is used, and only that address is connected to.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable

import httpx

from service.ports.sending import EndpointRefused

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Gives the addresses of a host, as text. Raises OSError."""

NOWHERE = "the host's name leads to no address that may be used"
"""Alike for a name that leads nowhere and for one that leads into our own network: else subscribers could ask for names in there."""
LONGEST = 2_000
"""Characters of a URL."""

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
    """Understand a URL, by the parser that will be used to go there.

    Args:
        url: as the subscriber wrote it.
        private: whether plain HTTP is allowed.

    Raises:
        EndpointRefused: it is none that may be used.
    """
    if len(url) > LONGEST or not url.isascii() or not url.isprintable():
        raise EndpointRefused(f"a URL has {LONGEST} visible characters of ASCII at the most")
    try:
        parsed = httpx.URL(url)
        _ = parsed.host  # which is decoded only here: `xn--` may hold anything, and its decoder raises IndexError, too
    except (httpx.InvalidURL, ValueError, IndexError):
        raise EndpointRefused("that is no URL") from None
    if parsed.scheme not in (("https", "http") if private else ("https",)) or not parsed.host:
        raise EndpointRefused("the URL must begin with https:// and name a host")
    if parsed.port is not None and not 0 < parsed.port < 1 << 16:
        raise EndpointRefused("there is no such port")
    if parsed.userinfo or parsed.fragment:
        raise EndpointRefused("the URL must have neither a user nor a fragment")
    return parsed


async def resolve(host: str, port: int) -> list[str]:
    """The addresses of a host, by the system's resolver. Raises OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


async def addresses(url: httpx.URL, look_up: Resolve, *, private: bool) -> list[str]:
    """Where a URL leads now, every address of it good.

    Args:
        url: a URL that was parsed.
        look_up: the resolver.
        private: whether addresses that are not public are allowed.

    Raises:
        EndpointRefused: it leads nowhere, or (also) to an address that is not to be used.
    """
    try:
        found = await look_up(url.host, port_of(url))
    except (OSError, UnicodeError):
        found = []
    if not found:
        raise EndpointRefused(NOWHERE)
    if not all(allowed(one, private=private) for one in found):
        raise EndpointRefused(NOWHERE)
    return found


def port_of(url: httpx.URL) -> int:
    """The port that a URL means."""
    return url.port or (443 if url.scheme == "https" else 80)


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
    """The address of the older kind that one of the newer kind stands for, if it does."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in NAT64 or int(address) >> 32 == 0:
        embedded = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        return address if int(address) in (0, 1) else embedded
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else address)
