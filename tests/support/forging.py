"""Forgers: what can be done to an export, from a flipped bit to a chain that is made anew and holds."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable

from service.audit.verdict import Verdict, audit, damaged
from service.log.chain import FIRST, Salts, digests
from service.log.commits import body_of, cut
from service.log.exported import Damaged, parse_export, read_export

Lines = list[bytes]


def audited(lines: Lines) -> Verdict:
    """What `omenlog verify` says of the lines of a file: one whose first line was damaged has diverged, too."""
    try:
        return audit(read_export(lines))
    except Damaged as damage:
        return damaged(damage)


def written(lines: Lines) -> bytes:
    """The file that these are the lines of."""
    return b"".join([line + b"\n" for line in lines])


def audited_file(body: bytes) -> Verdict:
    """What `omenlog verify` says of a file's bytes."""
    try:
        return audit(parse_export(body))
    except Damaged as damage:
        return damaged(damage)


def flipped(line: bytes, at: int, bit: int) -> bytes:
    """A line with one bit changed."""
    return line[:at] + bytes([line[at] ^ 1 << bit]) + line[at + 1 :]


def with_line(lines: Lines, number: int, line: bytes) -> Lines:
    """Another line in the place of commit `number` (0: the header)."""
    return [*lines[:number], line, *lines[number + 1 :]]


def forged(lines: Lines, number: int, change: Callable[[bytes], bytes], *, on: bool = False) -> Lines:
    """The export of a forger who has the salts: commit `number` is changed, and the chain made anew from there on.

    With `on` every commit after it is changed likewise.
    """
    salts = Salts(bytes.fromhex(read_export(lines).header.salt_key or ""))
    made = list(lines)
    prev = FIRST if number == 1 else cut(lines[number - 1])[0].hash
    for at in range(number, len(lines)):
        old = cut(lines[at])[0].prev
        body = body_of(lines[at]).replace(b'"prev":"%b"' % old.encode(), b'"prev":"%b"' % prev.encode())
        body = change(body) if on or at == number else body
        made[at], prev = sealed(body, prev, at, salts)
    return made


def sealed(body: bytes, prev: str, number: int, salts: Salts) -> tuple[bytes, str]:
    """A body with the root and hash that belong to it; the chain's own functions, as a forger would use them."""
    zeros = b"0" * 64
    parts = cut(b'%b,"root":"%b","hash":"%b"}' % (body, zeros, zeros))[1]
    root = hashlib.sha256(b"".join(digests(body, parts, number, salts))).hexdigest()
    link = hashlib.sha256(f"{prev}{root}{number}".encode()).hexdigest()
    return b'%b,"root":"%b","hash":"%b"}' % (body, root.encode(), link.encode()), link


def spots(line: bytes, chooser: random.Random, count: int) -> list[tuple[int, int]]:
    """Places and bits to flip."""
    return [(chooser.randrange(len(line)), chooser.randrange(8)) for _ in range(count)]
