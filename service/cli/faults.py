"""What can go wrong in the world, told in one sentence: what was wrong, where, and what to do about it."""

import errno
from collections.abc import Iterable
from pathlib import Path

import httpx
import rich_click as click

from content.errors import ContentErrors, did_you_mean
from service.audit.role_chain import NoHeads
from service.bots.client import Refusal
from service.cli.play.places import NoPlace
from service.jobs import JobsUnavailable
from service.log.exported import NotAnExport
from service.log.recorded import NotRecorded
from service.settings import BadSetting
from service.store.port import StoreError

KNOWN = (
    OSError,
    ContentErrors,
    StoreError,
    BadSetting,
    NotAnExport,
    NotRecorded,
    NoHeads,
    NoPlace,
    Refusal,
    JobsUnavailable,
    httpx.HTTPError,
)
"""Faults that are not ours: they are explained, and the command exits with 1."""

NO_ADDRESS = (httpx.InvalidURL, httpx.UnsupportedProtocol)
"""What was given as the address of a service is none: wrong usage, told with exit code 2."""

REASONS = {
    errno.ENOENT: "no such file or folder",
    errno.EACCES: "no permission",
    errno.EPERM: "no permission",
    errno.EISDIR: "a folder lies there, not a file",
    errno.ENOTDIR: "a part of the path is a file, not a folder",
    errno.ENOSPC: "no space is left on the disk",
    errno.EROFS: "the disk can only be read",
    errno.EADDRINUSE: "something listens there already; choose another --port",
    errno.EADDRNOTAVAIL: "this machine has no such address; choose another --host",
}


def explained(fault: BaseException) -> str:
    """The sentence for a known fault."""
    if isinstance(fault, NO_ADDRESS):
        return f"this is no address of a service, as http://127.0.0.1:8000 is: {fault}"
    if isinstance(fault, httpx.HTTPError):
        return f"{_address(fault)} does not answer: {fault}"
    if isinstance(fault, OSError) and fault.errno in REASONS:
        where = f"{Path(str(fault.filename))}: " if fault.filename is not None else ""
        return f"{where}{REASONS[fault.errno]}"
    if isinstance(fault, Refusal):
        return f"the service refuses: {fault}"
    return str(fault)


def check_known(name: str, known: Iterable[str], what: str, option: str) -> None:
    """Check that something of a name is there.

    Raises:
        click.BadParameter: it isn't; the message says which name was probably meant, and which there are.
    """
    names = list(known)
    if name not in names:
        near = did_you_mean(name, names)
        told = f"no {what} {name!r}{f': {near}' if near else ''}"
        raise click.BadParameter(f"{told}{' There' if near else '; there'} are {', '.join(names)}", param_hint=option)


def _address(fault: httpx.HTTPError) -> str:
    try:
        return str(fault.request.url)
    except RuntimeError:
        # httpx raises it for a fault that came before there was a request
        return "the service"
