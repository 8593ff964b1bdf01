"""Sending over real sockets: the address that was checked is the one that is connected to, and no answer does harm."""

from __future__ import annotations

import datetime as dt
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from service.webhooks.sender import EndpointRefused, HttpSender, Resolve, SendOutcome, pause
from tests.support.receiving import Receiver, Reply, receiving


def leading_to(*found: str) -> Resolve:
    async def look_up(_host: str, _port: int) -> list[str]:
        return list(found)

    return look_up


def sender(timeout: float = 2.0, **given: object) -> HttpSender:
    return HttpSender(origin="omenlog", timeout=timeout, private=True, **given)  # type: ignore[arg-type]  # as `HttpSender` takes them


async def send(through: HttpSender, url: str) -> SendOutcome:
    async with through.line(url) as line:
        return await line.send({"webhook-id": "m", "content-type": "application/json"}, b"{}")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


def at_name(receiver: Receiver, name: str) -> str:
    return receiver.url.replace("127.0.0.1", name)


async def test_only_the_address_that_was_checked_is_connected_to(receiver: Receiver) -> None:
    """A name that leads elsewhere the second time (DNS rebinding) is not asked a second time."""
    asked = []

    async def rebinding(host: str, _port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["169.254.169.254"]

    through = sender(look_up=rebinding)
    async with through.line(at_name(receiver, "receiver.test")) as line:
        for _ in range(3):
            assert await line.send({"webhook-id": "m"}, b"{}") == SendOutcome(204)
    assert asked == ["receiver.test"]
    assert {got.headers["host"].partition(":")[0] for got in receiver.got} == {"receiver.test"}
    with pytest.raises(EndpointRefused, match="no address that may be used"):
        await send(through, at_name(receiver, "receiver.test"))


async def test_redirects_are_not_followed(receiver: Receiver) -> None:
    receiver.answering = lambda _: Reply(307, {"Location": receiver.url + "/elsewhere"})
    outcome = await send(sender(), receiver.url)
    assert (outcome.status, outcome.error) == (307, "answered 307; redirects are not followed")
    assert [got.path for got in receiver.got] == ["/hook"]


async def test_proxies_of_the_environment_are_not_used(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert await send(sender(), receiver.url) == SendOutcome(204)


async def test_an_address_that_does_not_answer_is_passed_over_for_the_next(receiver: Receiver) -> None:
    through = sender(look_up=leading_to("::1", "127.0.0.1"))
    assert await send(through, at_name(receiver, "receiver.test")) == SendOutcome(204)


async def test_no_log_tells_an_address(receiver: Receiver, caplog: pytest.LogCaptureFixture) -> None:
    """There may be a secret of the subscriber in it."""
    caplog.set_level(logging.DEBUG)
    assert await send(sender(), receiver.url + "?secret=of-mine") == SendOutcome(204)
    assert receiver.got[0].path == "/hook?secret=of-mine"
    assert "of-mine" not in caplog.text


@pytest.mark.parametrize("wait", [0.0, 5.0])
async def test_nobody_and_somebody_slow_are_failures_and_no_wait(receiver: Receiver, wait: float) -> None:
    receiver.answering = lambda _: Reply(204, wait=wait)
    began = time.monotonic()
    url = receiver.url if wait else "http://127.0.0.1:9/"
    outcome = await send(sender(timeout=0.3), url)
    assert outcome.error == ("no answer within 0.3 s" if wait else "could not connect")
    assert time.monotonic() - began < 2


@contextmanager
def talking(talk: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server that says whatever it likes."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with listening.accept()[0] as connection:
                connection.recv(65_536)
                try:
                    talk(connection)
                except OSError:
                    return

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        thread.join(5)


def without_end(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        connection.sendall(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")


def trickling(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n")
    while True:
        connection.sendall(b"x")
        time.sleep(0.05)


def nonsense(connection: socket.socket) -> None:
    connection.sendall(b"\x00\x01 no HTTP at all\r\n\r\n")


@pytest.mark.parametrize("talk, status", [(without_end, 200), (trickling, 200), (nonsense, 0)])
async def test_what_an_endpoint_says_besides_its_status_is_not_waited_for(
    talk: Callable[[socket.socket], None], status: int
) -> None:
    began = time.monotonic()
    with talking(talk) as url:
        outcome = await send(sender(timeout=5), url)
        assert (outcome.status, outcome.error) == (status, "" if status else "the connection broke")
        assert time.monotonic() - began < 3


@pytest.mark.parametrize(
    "header, seconds",
    [
        ("7", 7),
        ("0", 0),
        ("", 0),
        ("soon", 0),
        ("-5", 0),
        ("99999999999999999999", 86_400),
        ("Sat, 21 Nov 2026 12:00:30 GMT", 30),
        ("Sat, 21 Nov 2026 11:00:00 GMT", 0),
    ],
)
def test_how_long_an_endpoint_wants_to_be_left_alone(header: str, seconds: float) -> None:
    assert pause(header, "Sat, 21 Nov 2026 12:00:00 GMT") == seconds


# -- TLS ----------------------------------------------------------------------------------------------------------------


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate for a name, signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(private)
    return folder / "cert.pem", folder / "key.pem"


async def test_the_certificate_must_be_that_of_the_name_though_an_address_is_connected_to(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path, "receiver.test")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    names: list[str | None] = []
    context.sni_callback = lambda _socket, name, _context: names.append(name)
    trust = ssl.create_default_context(cafile=str(cert))
    with receiving(context) as receiver:
        there = leading_to("127.0.0.1")
        url = at_name(receiver, "receiver.test")
        assert await send(sender(trust=trust, look_up=there), url) == SendOutcome(204)
        assert names == ["receiver.test"]
        assert receiver.got[0].headers["host"] == url.split("/")[2]
        other = at_name(receiver, "other.test")
        assert (await send(sender(trust=trust, look_up=there), other)).error == "its certificate is not valid"
        assert (await send(sender(look_up=there), url)).error == "its certificate is not valid"
