"""`examples/verify.py`, which shares no code with us, and `omenlog verify` say the same of every file but what only the rules can tell."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from domain.facts.chance import Request, Seeded, commitment
from service.audit.role_chain import read_heads
from service.audit.verdict import Outcome, audit
from service.log.chain import FIRST, Salts, digests, told_to, verify
from service.log.commits import body_of, cut
from service.log.exported import NotAnExport, parse_export
from tests.golden import proving
from tests.service.audit import test_tampering as tampering
from tests.support.examples import example
from tests.support.forging import Lines, audited_file, written

VERIFIER: ModuleType = example("verify")
BY_THE_RULES = ("told to all", "another day", "a mark taken away", "another actor")
"""What a forger with all salts can do, so that only the rules decide otherwise."""


def second(body: bytes) -> int | None:
    """The commit at which the second verifier finds a file to differ; None if it holds."""
    try:
        VERIFIER.verify(body)
    except VERIFIER.Diverged as found:
        return int(found.args[1])
    return None


def first(body: bytes) -> int | None:
    """The same by our own."""
    try:
        verdict = audited_file(body)
    except NotAnExport:
        return 1
    return verdict.commit if verdict.outcome is Outcome.DIVERGED else None


def test_it_imports_nothing_but_what_python_has() -> None:
    lines = Path(VERIFIER.__file__ or "").read_text().splitlines()
    imported = [line.split()[1].partition(".")[0] for line in lines if line.startswith(("import ", "from "))]
    assert imported
    assert set(imported) <= sys.stdlib_module_names


def test_what_is_exact_holds_for_it_too(tmp_path: Path) -> None:
    found = tampering.games()
    for lines in (found.whole, found.other, found.mine, found.early):
        assert VERIFIER.verify(written(lines))[0] == len(lines) - 1
    count, dice = VERIFIER.verify(written(found.whole))
    assert dice > 20
    file = tmp_path / "whole.ndjson"
    for lines, code, said in (
        (found.whole, 0, f"HOLDS: {count} commits"),
        (found.whole[:-1], 1, f"DIVERGED at commit {count}"),
    ):
        file.write_bytes(written(lines))
        run = subprocess.run(
            [sys.executable, str(VERIFIER.__file__), file], capture_output=True, text=True, check=False
        )
        assert (run.returncode, said in run.stdout + run.stderr) == (code, True), run


def test_of_every_way_to_alter_a_file_both_say_the_same() -> None:
    missed = []
    for what, lines, touched in tampering.every_way():
        wanted = None if what.endswith(BY_THE_RULES) else touched
        if second(written(lines)) != wanted:
            missed.append((what, wanted, second(written(lines))))
    assert not missed


@pytest.mark.parametrize(
    "full, rewrite, commit",
    [
        (full, *one)
        for full in (False, True)
        for one in tampering.ANYWHERE + (tampering.WHOLE if full else tampering.ROLES)
    ],
)
def test_of_a_file_that_says_the_same_in_other_bytes_both_say_the_same(
    rewrite: tampering.Rewrite, commit: int, *, full: bool
) -> None:
    lines = tampering.games().whole if full else tampering.games().early
    assert second(rewrite(written(lines))) == (commit if commit > 0 else len(lines) + commit)


@pytest.mark.parametrize("name, value", [("version", b"true"), ("rules", b"true"), ("disclosed", b"{}")])
def test_of_a_header_with_something_else_in_the_place_of_a_value_both_say_the_same(name: str, value: bytes) -> None:
    head, *lines = tampering.games().whole
    found = json.loads(head)
    old = json.dumps(found[name], separators=(",", ":")).encode()
    body = written([head.replace(b'"%b":%b' % (name.encode(), old), b'"%b":%b' % (name.encode(), value)), *lines])
    assert body != written([head, *lines])
    assert second(body) == first(body) == 1


def test_it_is_short_enough_to_be_read_at_one_sitting() -> None:
    lines = Path(VERIFIER.__file__ or "").read_text().splitlines()
    assert len([line for line in lines if line]) <= 125


# -- mutations ------------------------------------------------------------------------------------------------------------------------

BYTES = b' \n\r\t,:"\\{}[]0123456789abcdefnull\x00\xff'


def mutations(lines: Lines, lot: random.Random, count: int) -> Iterator[tuple[str, bytes]]:
    """Seeded changes of all sorts to a file's bytes, most of them behind the pack, which is long and has one digest."""
    body = written(lines)
    pack = body.find(b',"salt_key"')
    for _ in range(count):
        low = max(pack, 0) if lot.random() < 0.8 else 0
        at, to = sorted(lot.randrange(low, len(body)) for _ in range(2))
        to = min(to, at + lot.choice((1, 2, 9, 400)))
        kind = lot.choice(("flip", "put", "set", "drop", "double", "move", "swap", "cut", "line"))
        if kind == "flip":
            yield kind, body[:at] + bytes([body[at] ^ 1 << lot.randrange(8)]) + body[at + 1 :]
        elif kind == "put":
            yield kind, body[:at] + bytes([lot.choice(BYTES)]) + body[at:]
        elif kind == "set":
            yield kind, body[:at] + bytes([lot.choice(BYTES)]) + body[at + 1 :]
        elif kind == "drop":
            yield kind, body[:at] + body[to:]
        elif kind == "double":
            yield kind, body[:to] + body[at:to] + body[to:]
        elif kind == "move":
            rest = body[:at] + body[to:]
            there = lot.randrange(low, len(rest))
            yield kind, rest[:there] + body[at:to] + rest[there:]
        elif kind == "swap":
            found = [line.split(b",") for line in lines]
            row = found[lot.randrange(1, len(found))]
            one, other = (lot.randrange(len(row)) for _ in range(2))
            row[one], row[other] = row[other], row[one]
            yield kind, written([b",".join(one) for one in found])
        elif kind == "cut":
            yield kind, body[:to]
        else:
            moved = list(lines)
            moved.insert(lot.randrange(len(moved)), moved.pop(lot.randrange(len(moved))))
            yield kind, written(moved)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.prove) for seed in range(1, 4))])
def test_of_files_that_were_mutated_anyhow_both_say_the_same(seed: int) -> None:
    found = tampering.games()
    lot = random.Random(seed)
    differing, diverged = [], 0
    for lines in (found.whole, found.early):
        for kind, body in mutations(lines, lot, 50):
            mine, theirs = second(body), first(body)
            differing += [(kind, mine, theirs)] if mine != theirs else []
            diverged += theirs is not None
            assert (theirs is None) == (body == written(lines)), kind
    assert not differing
    assert diverged > 90


# -- test vectors ---------------------------------------------------------------------------------------------------------------------


def test_the_vectors_hold_for_both() -> None:
    """The decisions of the recorded game are an older revision's as soon as the rules change; its chain, seed and dice stay."""
    whole = proving.WHOLE.read_bytes()
    recorded = json.loads(proving.VECTORS.read_bytes())
    count, dice = VERIFIER.verify(whole)
    assert dice == sum(len(one["faces"]) for one in recorded["dice"]["answers"]) > 0
    previous, salts = FIRST, Salts(bytes.fromhex(recorded["salt_key"]))
    for line in whole.splitlines()[1:]:
        previous = verify(line, previous, salts).hash
    for path in (proving.SEAT, proving.SPECTATORS):
        assert VERIFIER.verify(path.read_bytes())[0] == count - 1
        assert audited_file(path.read_bytes()).outcome is Outcome.UNVERIFIED
    heads = read_heads(proving.HEADS.read_bytes().splitlines(), recorded["game"])
    assert audit(parse_export(proving.SEAT.read_bytes()), heads).heads == len(heads)


def test_every_step_of_the_vectors_is_the_one_that_we_take() -> None:
    whole = proving.WHOLE.read_bytes()
    recorded = json.loads(proving.VECTORS.read_bytes())
    assert proving.vectors(whole) == recorded
    salts = Salts(bytes.fromhex(recorded["salt_key"]))
    for line, steps in zip(whole.splitlines()[1:], recorded["commits"], strict=False):
        _, parts = cut(line)
        assert [one.hex() for one in salts.of(steps["number"])] == steps["salts"]
        assert told_to(parts, 6).decode() == steps["part of the spectators"]
        assert [one.hex() for one in digests(body_of(line), parts, steps["number"], salts)] == steps["digests"]
    seed, salt = (bytes.fromhex(recorded["commitment"][name]) for name in ("seed", "salt"))
    assert commitment(seed, salt) == recorded["commitment"]["commitment"]
    seeded = Seeded(seed, recorded["game"], proving.ENTROPY)
    for one in recorded["dice"]["answers"]:
        assert seeded.ask(Request(one["index"], "dice", dice=len(one["faces"]))).faces == tuple(one["faces"])
