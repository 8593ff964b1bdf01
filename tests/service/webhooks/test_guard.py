"""Which URLs and addresses are gone to."""

import httpx
import pytest

from service.webhooks.sender import EndpointRefused, addresses, allowed, parse

PUBLIC = ("93.184.215.14", "1.1.1.1", "2606:4700:4700::1111", "64:ff9b::101:101", "::ffff:8.8.8.8")
PRIVATE = (
    "127.0.0.1",
    "127.255.0.3",
    "10.0.0.1",
    "172.16.5.4",
    "192.168.1.1",
    "100.64.0.1",
    "198.18.0.1",
    "192.0.0.8",
    "::1",
    "fc00::1",
    "fd12:3456::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
    "2002:7f00:1::",
    "2002:c0a8:101::1",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",
    "fec0::1",
)
NEVER = (
    "169.254.169.254",
    "169.254.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::",
    "fd00:ec2::254",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "0.0.0.0",  # noqa: S104 -- an address that nobody may name
    "::",
    "224.0.0.1",
    "255.255.255.255",
    "fe80::1",
    "fe80::1%eth0",
    "ff02::1",
    "localhost",
    "",
)


@pytest.mark.parametrize("address", PUBLIC)
def test_what_is_public_is_gone_to(address: str) -> None:
    assert allowed(address, private=False)


@pytest.mark.parametrize("address", PRIVATE)
def test_what_is_private_is_gone_to_where_a_setting_allows_it(address: str) -> None:
    assert not allowed(address, private=False)
    assert allowed(address, private=True)


@pytest.mark.parametrize("address", NEVER)
def test_link_local_addresses_and_those_that_answer_with_credentials_are_never_gone_to(address: str) -> None:
    assert not allowed(address, private=False)
    assert not allowed(address, private=True)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "https://",
        "https:///path",
        "example.com",
        "https://user@example.com/",
        "https://user:secret@example.com/",
        "https://example.com/#part",
        "https://example.com/\r\nX: y",
        "https://example.com/ä",
        "https://example.com:99999/",
        "https://[::1/",
        "https://example.com/" + "a" * 2_000,
    ],
)
def test_a_url_that_is_none_of_ours_is_refused(url: str) -> None:
    with pytest.raises(EndpointRefused):
        parse(url, private=False)


def test_plain_http_is_for_private_networks_alone() -> None:
    assert parse("http://example.com/", private=True).host == "example.com"
    with pytest.raises(EndpointRefused, match="https://"):
        parse("http://example.com/", private=False)


async def test_one_bad_address_among_good_ones_is_enough() -> None:
    async def look_up(host: str, port: int) -> list[str]:
        assert (host, port) == ("mixed.example", 8443)
        return ["1.1.1.1", "10.0.0.1"]

    url = httpx.URL("https://mixed.example:8443/x")
    with pytest.raises(EndpointRefused, match="no address that may be used"):
        await addresses(url, look_up, private=False)
    assert await addresses(url, look_up, private=True) == ["1.1.1.1", "10.0.0.1"]


async def test_a_name_that_leads_nowhere_is_refused() -> None:
    async def fails(_host: str, _port: int) -> list[str]:
        raise OSError("no such name")

    async def empty(_host: str, _port: int) -> list[str]:
        return []

    for look_up in (fails, empty):
        with pytest.raises(EndpointRefused, match="no address that may be used"):
            await addresses(httpx.URL("https://nowhere.example/"), look_up, private=False)
