"""`python -m tests.golden.proving`: write the test vectors of docs/proof.md anew.

They stay as they are for as long as the format does: whoever has written a verifier holds it against them.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

from service.bootstrap import Service
from service.identity import Caller
from service.log.requests import ClaimSeat, OpenGame, SeatWish
from tests.support.running import play, referee, seat, service_on, spectator

FOLDER = Path(__file__).parent / "proof"
WHOLE, SEAT, SPECTATORS, HEADS, VECTORS = (
    FOLDER / name for name in ("whole.ndjson", "seat-1.ndjson", "spectators.ndjson", "heads.ndjson", "vectors.json")
)
ENTROPY = ("Um9sbA", "", "d2VsbA")
SHOWN = 8
"""Commits of which every step is written down."""


async def _export(service: Service, caller: Caller) -> bytes:
    return b"".join([line async for line in service.exporting.lines(caller)])


async def _played() -> dict[Path, bytes]:
    """A game with names, entropy and secrets: what two roles were told while it went on, and all of it when it was over."""
    service = await service_on(salt="proof")
    asked = OpenGame(edition="second", seats=[SeatWish(name="Ann"), SeatWish(), SeatWish(name="Zoë")])
    made = await service.opening.open(asked, "", b"")
    game = made.answer.game.id
    for number, invite in enumerate(made.answer.invites.seats):
        await service.life.claim(game, number, ClaimSeat(invite=invite.secret, entropy=ENTROPY[number]), "", b"")
    await service.life.start(Caller(game, "host", "host"), "", b"")
    await play(service, game, 24)
    found = {SEAT: await _export(service, seat(game, 1)), SPECTATORS: await _export(service, spectator(game))}
    await service.life.close(Caller(game, "host", "host"), "", b"")
    found[WHOLE] = await _export(service, referee(game))
    await service.close()
    return found


def _dump(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def _steps(line: bytes, salt_key: bytes) -> dict[str, Any]:
    """A commit's way into the chain, as the specification goes it."""
    commit = json.loads(line)
    salts = hashlib.shake_256(salt_key + b"%d" % commit["number"]).digest(256)
    public = {name: commit[name] for name in ("v", "game", "number", "at", "rules", "pack")}
    pieces = [(commit["actor_to"], commit["actor"]), (commit["command_to"], commit["command"]), *commit["events"]]
    parts = [b"\n".join([_dump(public), *(_dump(one) for to, one in pieces if to >> role & 1)]) for role in range(7)]
    parts.append(line[: line.rindex(b',"root":"')])
    inner = [hashlib.sha256(part).digest() for part in parts]
    digests = [hashlib.sha256(salts[32 * role : 32 * role + 32] + inner[role]).hexdigest() for role in range(8)]
    return {
        "number": commit["number"],
        "prev": commit["prev"],
        "salts": [salts[32 * role : 32 * role + 32].hex() for role in range(8)],
        "part of the spectators": parts[6].decode(),
        "sha256 of the parts": [one.hex() for one in inner],
        "digests": digests,
        "root": commit["root"],
        "hash": commit["hash"],
    }


def _dice(head: dict[str, Any], lines: list[bytes]) -> dict[str, Any]:
    events = [event for line in lines for _, event in json.loads(line)["events"]]
    bound = "\0".join([head["game"], *ENTROPY]).encode()
    key = hmac.digest(bytes.fromhex(head["disclosed"]["seed"]), bound, "sha256")
    rolled = [one for one in events if one["type"] == "ChanceAnswered" and one.get("faces")]
    return {
        "bound": bound.hex(),
        "key": key.hex(),
        "answers": [
            {
                "index": one["index"],
                "block 0": hmac.digest(key, f"{one['index']}.0".encode(), "sha256").hex(),
                "faces": one["faces"],
            }
            for one in rolled
        ],
    }


def vectors(whole: bytes) -> dict[str, Any]:
    """Every value on the way to the digests and dice of a full export."""
    header, *lines = whole.splitlines()
    head = json.loads(header)
    return {
        "game": head["game"],
        "salt_key": head["salt_key"],
        "pack_digest": head["pack_digest"],
        "commitment": {**head["disclosed"], "commitment": head["commitment"]},
        "commits": [_steps(line, bytes.fromhex(head["salt_key"])) for line in lines[:SHOWN]],
        "dice": _dice(head, lines),
    }


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    found = asyncio.run(_played())
    whole = found[WHOLE]
    rows = [json.loads(line) for line in whole.splitlines()[1:]]
    heads = [{"game": one["game"], "number": one["number"], "hash": one["hash"]} for one in rows[4::7]]
    found[HEADS] = b"".join([_dump(one) + b"\n" for one in heads])
    found[VECTORS] = json.dumps(vectors(whole), indent=1, ensure_ascii=False).encode() + b"\n"
    for path, body in found.items():
        path.write_bytes(body)


if __name__ == "__main__":
    main()
