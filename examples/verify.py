"""A second verifier, written from service/PROOF.md alone: the chain, the header, the seed and every die of an exported game.

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
ENDS = ["prev", "root", "hash"]
COMMIT = [*PUBLIC, "actor", "actor_to", "key", "decision", "command", "command_to", "events", *ENDS]
CLAIMS = ["game", "edition", "pack_id", "pack_digest", "randomness", "commitment"]
SAID = ["game", "edition", "pack", "pack_digest", "source", "commitment"]
HEADER = [
    "omenlog",
    "game",
    "principal",
    "version",
    "edition",
    "rules",
    *CLAIMS[2:],
    "created",
    "pack",
    "salt_key",
    "disclosed",
]


class Diverged(Exception):
    """Something differs from what a true export would say."""


def need(holds: object, why: str) -> None:
    if not holds:
        raise Diverged(why)


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def dump(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def load(line: bytes, names: list[str]) -> dict:
    """An object in its only spelling, its members in their order; some may be left out, none may be null."""
    found = json.loads(line.decode(), parse_float=need)  # no number is a fraction
    need(dump(found) == line, "it is spelt otherwise")
    need([*found] == [name for name in names if name in found] and None not in found.values(), "its members are others")
    return found


def check_digests(*texts: str) -> None:
    need(all(re.fullmatch("[0-9a-f]{64}", text) for text in texts), "a digest is malformed")


def check_header(head: dict) -> None:
    full = head["omenlog"] == "full"
    need(full or (head["omenlog"] == "role" and "disclosed" not in head), "it is neither full nor a role's")
    need(full == (head["principal"] == "referee") == ("salt_key" in head) == ("pack" in head), "it is of somebody else")
    if full:
        check_digests(head["salt_key"])
        need(head["pack_digest"] == "sha256:" + sha(dump(head["pack"])).hex(), "the pack is another")
    if opened := head.get("disclosed"):
        need([*opened] == ["seed", "salt"], "the seed is malformed")
        check_digests(*opened.values())
        need(head["commitment"] == sha(bytes.fromhex(opened["salt"] + opened["seed"])).hex(), "the seed is another")


def check_link(digests: list[bytes], ends: dict, number: int) -> None:
    need(ends["root"] == sha(b"".join(digests)).hex(), "the digests give another root")
    need(ends["hash"] == sha(f"{ends['prev']}{ends['root']}{number}".encode()).hex(), "the root gives another hash")


def check_full(line: bytes, head: dict, number: int) -> tuple[dict, list, dict]:
    """A stored commit, of which all eight digests are made: its public header, its events, and its place in the chain."""
    found = load(line, COMMIT)
    need([*found] == COMMIT and found["v"] == 1 and found["actor_to"] == 255, "its members are others")
    public = {name: found[name] for name in PUBLIC}
    pieces = [(found["actor_to"], found["actor"]), (found["command_to"], found["command"]), *found["events"]]
    salts = hashlib.shake_256(bytes.fromhex(head["salt_key"]) + str(number).encode()).digest(256)
    told = [b"\n".join([dump(public), *(dump(one) for mask, one in pieces if mask >> role & 1)]) for role in range(7)]
    told.append(line[: line.rindex(b',"root":"')])
    check_link([sha(salts[32 * role : 32 * role + 32] + sha(told[role])) for role in range(8)], found, number)
    return public, [event for _, event in found["events"]], found


def check_role(line: bytes, head: dict, number: int) -> tuple[dict, list, dict]:
    """A commit as a role was told it: its own digest is made, the others are taken as they stand."""
    found = load(line, ["header", "actor", "command", "events", "proof"])
    public, events, proof = found["header"], found["events"], found["proof"]
    need([*public] == PUBLIC and [*proof] == ["salt", "digests", *ENDS], "its members are others")
    check_digests(proof["salt"], *proof["digests"], *(proof[name] for name in ENDS))
    need(isinstance(found.get("actor", ""), str), "something else stands in the place of the actor")
    need(found.get("command", {"type": "a"})["type"][:1].islower(), "an event stands in the place of the command")
    need(all(event["type"][:1].isupper() for event in events), "a command stands in the place of an event")
    told = [dump(one) for one in (public, *(found[name] for name in ("actor", "command") if name in found), *events)]
    digests = [bytes.fromhex(digest) for digest in proof["digests"]]
    mine = sha(bytes.fromhex(proof["salt"]) + sha(b"\n".join(told)))
    need(len(digests) == 8 and digests[ROLES.index(head["principal"])] == mine, "what was told gives another digest")
    check_link(digests, proof, number)
    return public, events, proof


def dice(key: bytes, index: int, count: int) -> list[int]:
    """Faces off the blocks of one answer: a byte below 255 is one, 255 is thrown away."""
    found: list[int] = []
    for block in range(count):
        found += [byte % 3 for byte in hmac.digest(key, f"{index}.{block}".encode(), "sha256") if byte < 255]
    return found[:count]


def verify(body: bytes) -> tuple[int, int]:
    """How many commits and dice hold; raises `Diverged`, with the first commit that differs."""
    *lines, rest = body.split(b"\n")
    lines += [rest] if rest else []
    at, prev, opening, entropy, over, rolled = 1, "0" * 64, {}, {}, False, 0
    try:
        head = load(lines[0], HEADER)
        check_header(head)
        seed = head.get("disclosed", {}).get("seed", "")
        for at, line in enumerate(lines[1:], 1):
            public, events, ends = (check_full if head["omenlog"] == "full" else check_role)(line, head, at)
            need(ends["prev"] == prev, "it follows on another commit")
            prev = ends["hash"]
            need([public[name] for name in PUBLIC[:3]] == [1, head["game"], at], "it belongs to another place")
            need((public["rules"], public["pack"]) == (head["rules"], head["pack_digest"]), "it was decided by others")
            if at == 1:
                opening = events[0]
                need(opening["type"] == "GameOpened" and public["at"] == head["created"], "it opens no such game")
                need(
                    [head[name] for name in CLAIMS] == [opening.get(name, "") for name in SAID],
                    "the header claims more",
                )
            for event in events:
                over = over or event["type"] == "GameEnded"
                if event["type"] == "SeatClaimed":
                    entropy[event["seat"]] = event.get("entropy", "")
                if event["type"] == "ChanceAnswered" and "faces" in event and seed:
                    bound = [head["game"], *(entropy.get(seat, "") for seat in range(opening["seats"]))]
                    key = hmac.digest(bytes.fromhex(seed), "\0".join(bound).encode(), "sha256")
                    need(
                        event["faces"] == dice(key, event["index"], len(event["faces"])), "the dice are not the seed's"
                    )
                    rolled += len(event["faces"])
        count, at = len(lines) - 1, min(len(lines) - 1, head["version"]) + 1
        need(
            count == head["version"] and count, f"the header speaks of {head['version']} commits, the file has {count}"
        )
        at = count
        need(not rest, "the line feed behind it is missing")
        at = 1
        kept = head["omenlog"] == "role" or head["randomness"] != "seeded"
        need(seed or kept or not over or opening["options"].get("disclosure", "end") != "end", "the seed was taken out")
        at = count + 1
        need(over or not seed, "the seed is open, but the game isn't over")
    except (Diverged, LookupError, TypeError, ValueError, AttributeError, RecursionError) as why:
        raise Diverged(f"DIVERGED at commit {at}: {why}", at) from None
    return count, rolled


if __name__ == "__main__":
    try:
        print("HOLDS: {} commits, {} dice".format(*verify(Path(sys.argv[1]).read_bytes())))
    except Diverged as found:
        sys.exit(str(found.args[0]))
