"""A second verifier, written from docs/proof.md alone: the chain, the header, the seed and every die of an exported game.

    python examples/verify.py FILE

Needs nothing but Python. It knows no rules, so it can't say that what was done was legal: `omenlog verify` decides every command again.
"""

import hashlib
import hmac
import json
import re
import sys
from pathlib import Path

ROLES = [*(f"seat:{seat}" for seat in range(6)), "spectators", "referee"]
PUBLIC = ["v", "game", "number", "at", "rules", "pack"]
COMMIT = [*PUBLIC, "actor", "actor_to", "key", "decision", "command", "command_to", "events", "prev", "root", "hash"]
CLAIMS = ["game", "edition", "pack_id", "pack_digest", "randomness", "commitment"]
SAID = ["game", "edition", "pack", "pack_digest", "source", "commitment"]
SECRET = ["pack", "salt_key"]
HEADER = ["omenlog", "game", "principal", "version", "edition", "rules", *CLAIMS[2:], "created", *SECRET, "disclosed"]

dump = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


class Diverged(Exception):
    """Something differs from what a true export would say."""


def need(holds: object, why: str) -> None:
    if not holds:
        raise Diverged(why)


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def unhex(text: str) -> bytes:
    need(re.fullmatch("[0-9a-f]{64}", text), "a digest is malformed")
    return bytes.fromhex(text)


def load(line: bytes, names: list[str]) -> dict:
    """An object in its only spelling, its members in their order; some may be left out, none may be null."""
    found = json.loads(line.decode(), parse_float=need)  # no number is a fraction
    need(dump(found) == line.decode(), "it is spelt otherwise")
    need([*found] == [name for name in names if name in found] and None not in found.values(), "its members are others")
    return found


def check_header(head: dict) -> None:
    full = head["omenlog"] == "full"
    need(full or (head["omenlog"] == "role" and "disclosed" not in head), "it is neither full nor a role's")
    need([head["principal"] == "referee", *(name in head for name in SECRET)] == [full] * 3, "it is of somebody else")
    need(type(head["version"]) is type(head["rules"]) is int, "something else stands in the place of a number")
    if full:
        unhex(head["salt_key"])
        need(head["pack_digest"] == "sha256:" + sha(dump(head["pack"]).encode()).hex(), "the pack is another")
    if "disclosed" in head:
        need([*head["disclosed"]] == ["seed", "salt"], "the seed is malformed")
        seed, salt = map(unhex, head["disclosed"].values())
        need(head["commitment"] == sha(salt + seed).hex(), "the seed is another")


def read_full(line: bytes, head: dict, number: int) -> tuple[dict, list, dict, list[bytes]]:
    """A stored commit: its public header, its events, its place in the chain, and all eight digests, made here."""
    found = load(line, COMMIT)
    need([*found] == COMMIT and found["actor_to"] == 255, "its members are others")
    public = {name: found[name] for name in PUBLIC}
    pieces = [(found["actor_to"], found["actor"]), (found["command_to"], found["command"]), *found["events"]]
    told = ([public, *(one for mask, one in pieces if mask >> role & 1)] for role in range(7))
    parts = [*("\n".join(map(dump, one)).encode() for one in told), line[: line.rindex(b',"root":"')]]
    salts = hashlib.shake_256(unhex(head["salt_key"]) + str(number).encode()).digest(256)
    digests = [sha(salts[32 * role : 32 * role + 32] + sha(part)) for role, part in enumerate(parts)]
    return public, [event for _, event in found["events"]], found, digests


def read_role(line: bytes, head: dict, _: int) -> tuple[dict, list, dict, list[bytes]]:
    """A commit as a role was told it: its own digest is made, the others are taken as they stand."""
    found = load(line, ["header", "actor", "command", "events", "proof"])
    public, events, chain = found["header"], found["events"], found["proof"]
    need([*public, *chain] == [*PUBLIC, "salt", "digests", "prev", "root", "hash"], "its members are others")
    need(isinstance(found.get("actor", ""), str), "something else stands in the place of the actor")
    need(found.get("command", {"type": "a"})["type"][:1].islower(), "an event stands in the place of the command")
    need(all(event["type"][:1].isupper() for event in events), "a command stands in the place of an event")
    told = [public, *(found[name] for name in ("actor", "command") if name in found), *events]
    mine = sha(unhex(chain["salt"]) + sha("\n".join(map(dump, told)).encode()))
    digests = [unhex(one) for one in chain["digests"]]
    need(len(digests) == 8 and digests[ROLES.index(head["principal"])] == mine, "what was told gives another digest")
    return public, events, chain, digests


def dice(seed: str, bound: list[str], index: int, count: int) -> list[int]:
    """Faces off the blocks of one answer: a byte below 255 is one, 255 is thrown away."""
    key, found = hmac.digest(unhex(seed), "\0".join(bound).encode(), "sha256"), []
    for block in range(count):
        found += [byte % 3 for byte in hmac.digest(key, f"{index}.{block}".encode(), "sha256") if byte < 255]
    return found[:count]


def verify(body: bytes) -> tuple[int, int]:
    """How many commits and dice hold; raises `Diverged`, with the first commit that differs."""
    lines = body.removesuffix(b"\n").split(b"\n")
    at, prev, opening, entropy, over, rolled = 1, "0" * 64, {}, {}, False, 0
    try:
        head = load(lines[0], HEADER)
        check_header(head)
        read = read_full if head["omenlog"] == "full" else read_role
        seed = head.get("disclosed", {}).get("seed", "")
        for at, line in enumerate(lines[1:], 1):
            public, events, chain, digests = read(line, head, at)
            place = [1, head["game"], at, public["at"], head["rules"], head["pack_digest"]]
            need(dump([*public.values()]) == dump(place), "it belongs to another place")
            need(chain["prev"] == prev, "it follows on another commit")
            need(chain["root"] == sha(b"".join(digests)).hex(), "the digests give another root")
            need(chain["hash"] == sha(f"{prev}{chain['root']}{at}".encode()).hex(), "the root gives another hash")
            prev = chain["hash"]
            if at == 1:
                opening, claimed = events[0], [head[name] for name in CLAIMS]
                need(opening["type"] == "GameOpened" and public["at"] == head["created"], "it opens no such game")
                need(claimed == [opening.get(name, "") for name in SAID], "the header claims more")
            for event in events:
                over = over or event["type"] == "GameEnded"
                if event["type"] == "SeatClaimed":
                    entropy[event["seat"]] = event.get("entropy", "")
                if event["type"] == "ChanceAnswered" and "faces" in event and seed:
                    added = [entropy.get(seat, "") for seat in range(opening["seats"])]
                    faces = dice(seed, [head["game"], *added], event["index"], len(event["faces"]))
                    need(event["faces"] == faces, "the dice are not the seed's")
                    rolled += len(faces)
        count, told = len(lines) - 1, head["version"]
        open_at_end = head["randomness"] == "seeded" and opening.get("options", {}).get("disclosure", "end") == "end"
        for at, holds, why in (  # noqa: B007 -- it is told below
            (min(count, told) + 1, 0 < count == told, f"the header speaks of {told} commits, the file has {count}"),
            (count, body.endswith(b"\n"), "the line feed behind it is missing"),
            (1, seed or not over or head["omenlog"] == "role" or not open_at_end, "the seed was taken out"),
            (count + 1, over or not seed, "the seed is open, but the game isn't over"),
        ):
            need(holds, why)
    except (Diverged, LookupError, TypeError, ValueError, AttributeError, RecursionError) as why:
        raise Diverged(f"DIVERGED at commit {at}: {why}", at) from None
    return count, rolled


if __name__ == "__main__":
    try:
        print("HOLDS: {} commits, {} dice".format(*verify(Path(sys.argv[1]).read_bytes())))
    except Diverged as found:
        sys.exit(str(found.args[0]))
