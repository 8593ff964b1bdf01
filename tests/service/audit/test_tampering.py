"""Two hundred ways to alter an export, and some more: each has diverged, at the commit that was touched first."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Iterator
from functools import lru_cache

import pytest

from domain.engine.rules import REVISION
from service.audit.role_chain import WitnessedHead
from service.audit.verdict import Outcome, audit
from service.bootstrap import Service
from service.identity import Caller
from service.log.exported import read_export
from service.log.requests import ClaimSeat, OpenGame, Options, SeatWish
from tests.support.forging import Lines, audited, audited_file, flipped, forged, spots, with_line, written
from tests.support.running import play, referee, seat, service_on

ENTROPY = ("Um9sbA", "", "d2VsbA")


class Games:
    """One finished game, opened; what a seat was told of it; the same while it went on; and another finished game."""

    whole: Lines
    mine: Lines
    early: Lines
    other: Lines
    other_mine: Lines


@lru_cache(maxsize=1)
def games() -> Games:
    return asyncio.run(_played())


async def _played() -> Games:
    service = await service_on(salt="tampering")
    found = Games()
    name, another = await _opened(service), await _opened(service)
    await play(service, name, 12)
    found.early = await _export(service, seat(name, 1))
    for game in (name, another):
        await play(service, game, 29)
    found.mine, found.other_mine = [await _export(service, seat(one, 1)) for one in (name, another)]
    for game in (name, another):
        await service.life.close(Caller(game, "host", "host"), "", b"")
    found.whole, found.other = [await _export(service, referee(one)) for one in (name, another)]
    await service.close()
    return found


async def _opened(service: Service) -> str:
    """A game whose seats were claimed one by one, two of them with entropy."""
    asked = OpenGame(edition="second", seats=[SeatWish(), SeatWish(), SeatWish()], options=Options(turn_limit=400))
    made = await service.opening.open(asked, "", b"")
    game = made.answer.game.id
    for number, invite in enumerate(made.answer.invites.seats):
        await service.life.claim(game, number, ClaimSeat(invite=invite.secret, entropy=ENTROPY[number]), "", b"")
    await service.life.start(Caller(game, "host", "host"), "", b"")
    return game


async def _export(service: Service, caller: Caller) -> Lines:
    return [line.rstrip(b"\n") async for line in service.exporting.lines(caller)]


Altered = Iterator[tuple[str, Lines, int]]
"""What was done, to what it led, and the first commit that differs."""


def bits(lines: Lines, count: int) -> Altered:
    """Single bits of commits, wherever."""
    chooser = random.Random(7)
    for _ in range(count):
        number = chooser.randrange(1, len(lines))
        ((at, bit),) = spots(lines[number], chooser, 1)
        yield (
            f"bit {bit} of byte {at} in commit {number}",
            with_line(lines, number, flipped(lines[number], at, bit)),
            number,
        )


def header_bits(lines: Lines, count: int) -> Altered:
    """Single bits of the header; the number of commits in it has a test of its own."""
    chooser = random.Random(8)
    version = re.search(rb'"version":\d+', lines[0])
    assert version is not None
    done = 0
    while done < count:
        pack = lines[0].find(b'"pack":{')
        beyond = (
            range(lines[0].find(b'"salt_key"'), len(lines[0])) if pack > 0 else range(len(lines[0]) - 60, len(lines[0]))
        )
        at = chooser.choice([chooser.randrange(pack if pack > 0 else len(lines[0])), chooser.choice(beyond)])
        if version.start() <= at < version.end():
            continue
        done += 1
        bit = chooser.randrange(8)
        yield f"bit {bit} of byte {at} in the header", with_line(lines, 0, flipped(lines[0], at, bit)), 1


def moved(lines: Lines, other: Lines) -> Altered:
    """Commits dropped, doubled, exchanged with the next, brought from another game; and ends cut off or put on."""
    last = len(lines) - 1
    for number in range(1, last + 1, 3):
        yield f"commit {number} dropped", [*lines[:number], *lines[number + 1 :]], number
        yield f"commit {number} doubled", [*lines[: number + 1], *lines[number:]], number + 1
        if number < last:
            swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
            yield f"commit {number} after the next", swapped, number
        if number < len(other):
            yield f"commit {number} of another game", with_line(lines, number, other[number]), number
    half = last // 2
    yield "the second half of another game", [*lines[:half], *other[half:]], half
    yield "the last commit cut off", lines[:-1], last
    yield "the second half cut off", lines[:half], half


def counted(lines: Lines) -> Altered:
    """The header speaks of another number of commits than there are."""
    last = len(lines) - 1
    for said, first in ((last - 1, last), (last + 1, last + 1), (0, 1)):
        yield f"{said} commits", with_line(lines, 0, re.sub(rb'"version":\d+', b'"version":%d' % said, lines[0])), first


def rewritten(lines: Lines) -> Altered:
    """The same said in other bytes."""
    for number in (3, 9, 20):
        line = lines[number]
        digest = re.findall(rb'[0-9a-f]{63}[a-f]"|[0-9a-f]{62}[a-f][0-9]"|[a-f][0-9a-f]{63}"', line)[-1]
        yield f"{number}: a digest in capitals", with_line(lines, number, line.replace(digest, digest.upper())), number
        yield f"{number}: a blank more", with_line(lines, number, line.replace(b'":', b'": ', 1)), number
        yield f"{number}: a blank behind", with_line(lines, number, line[:-1] + b" }"), number
        yield f"{number}: a name twice", with_line(lines, number, line[:-1] + b',"hash":"' + line[-66:]), number


def swapped_secrets(lines: Lines, other: Lines) -> Altered:
    """The secrets in the header are another game's, or written otherwise, or missing."""
    for name in (b"salt_key", b"seed", b"salt"):
        mine, theirs = (re.search(rb'"%b":"([0-9a-f]{64})"' % name, one[0]) for one in (lines, other))
        assert mine is not None
        assert theirs is not None
        for what, new in (("another game's", theirs[1]), ("in capitals", mine[1].upper()), ("longer", mine[1] + b"00")):
            yield f"{name.decode()} {what}", with_line(lines, 0, lines[0].replace(mine[1], new)), 1
    both = re.search(rb'"seed":"([0-9a-f]{64})","salt":"([0-9a-f]{64})"', lines[0])
    assert both is not None
    joined = both[2] + both[1]
    border = b'"seed":"%b","salt":"%b"' % (joined[62:], joined[:62])
    yield "the border between salt and seed moved", with_line(lines, 0, lines[0].replace(both[0], border)), 1
    hidden = re.sub(rb',"disclosed":\{[^}]*\}', b"", lines[0])
    assert hidden != lines[0]
    yield "the seed taken out of a game that is over", with_line(lines, 0, hidden), 1


def dice(lines: Lines) -> Altered:
    """Dice and picks replaced: as they stand, and by a forger who makes the whole chain anew."""
    for number in range(1, len(lines)):
        faces = re.search(rb'"type":"ChanceAnswered"[^}]*"faces":\[(\d)', lines[number])
        if faces is not None:
            at = faces.start(1)
            other = b"%d" % ((int(faces[1]) + 1) % 3)
            yield (
                f"a die of commit {number}",
                with_line(lines, number, lines[number][:at] + other + lines[number][at + 1 :]),
                number,
            )
            new = forged(lines, number, lambda body, at=at, other=other: body[:at] + other + body[at + 1 :])  # type: ignore[misc]  # bound at once
            yield f"a die of commit {number}, the chain made anew", new, number


def forgeries(lines: Lines) -> Altered:
    """Other things that a forger with all salts can do; the chain holds, the rules don't."""

    def replaced(number: int, old: bytes, new: bytes) -> Lines:
        assert old in lines[number], lines[number]
        return forged(lines, number, lambda body: body.replace(old, new, 1))

    opening = len(ENTROPY) + 2
    secret = next(number for number in range(6, len(lines)) if b"[128,{" in lines[number])
    yield "what the referee alone was told, told to all", replaced(secret, b"[128,{", b"[255,{"), secret
    yield "another day", replaced(opening, b'"today":"', b'"today":"12-31","x":"'), opening
    yield "a mark taken away", replaced(1, b'"seats":3', b'"arranged":true,"seats":3'), 1
    yield "another actor", replaced(opening + 1, b'"actor":"seat:', b'"actor":"seat:1'), opening + 1
    yield "another revision", replaced(opening + 2, b'"rules":', b'"rules":9'), opening + 2
    yield "a name twice, the chain made anew", replaced(opening + 1, b'"key":"', b'"key":"a","key":"'), opening + 1
    yield "a blank, the chain made anew", replaced(opening + 1, b'"key":"', b'"key": "'), opening + 1
    yield "another number", forged(lines, 6, lambda body: body.replace(b'"number":6', b'"number":7')), 6


def swapped_salts(mine: Lines) -> Altered:
    """In a role's export: the salt, or another's digest, is another one."""
    for number in range(1, len(mine) - 1, 6):
        salts = [re.findall(rb"[0-9a-f]{64}", line.partition(b'"proof"')[2]) for line in mine[number : number + 2]]
        for what, place in (("salt", 0), ("digest of another", 3), ("digest before", 9), ("root", 10), ("hash", 11)):
            if salts[0][place] != salts[1][place]:
                new = mine[number].replace(salts[0][place], salts[1][place])
                yield f"the {what} of commit {number}", with_line(mine, number, new), number


def renamed(mine: Lines) -> Altered:
    """In a role's export: what was commanded is told as what happened, and the other way round; the digest is the same."""
    for number in range(1, len(mine)):
        found = re.search(rb'"command":(\{.*?\}),"events":\[', mine[number])
        if found is not None:
            event = b'"events":[%b,' % found[1] if mine[number][found.end()] != 0x5D else b'"events":[%b' % found[1]
            yield (
                f"command {number} among events",
                with_line(mine, number, mine[number].replace(found[0], event)),
                number,
            )


def every_way() -> list[tuple[str, Lines, int]]:
    found = games()
    ways = [
        *bits(found.whole, 60),
        *header_bits(found.whole, 20),
        *moved(found.whole, found.other),
        *counted(found.whole),
        *rewritten(found.whole),
        *swapped_secrets(found.whole, found.other),
        *dice(found.whole),
        *forgeries(found.whole),
    ]
    role = [
        *bits(found.mine, 50),
        *header_bits(found.mine, 10),
        *moved(found.mine, found.other_mine),
        *counted(found.mine),
        *swapped_salts(found.mine),
        *renamed(found.mine),
    ]
    return ways + [(f"of a role's export: {what}", lines, first) for what, lines, first in role]


def test_untouched_they_hold() -> None:
    found = games()
    whole = audited(found.whole)
    assert whole.outcome is Outcome.EXACT, whole
    assert whole.dice.endswith("with the entropy of 2 of 3 seats")
    assert audited(found.other).outcome is Outcome.EXACT
    for role in (found.mine, found.early):
        assert audited(role).outcome is Outcome.UNVERIFIED


def test_whatever_is_altered_diverges_at_the_commit_that_was_touched_first() -> None:
    ways = every_way()
    assert len(ways) >= 200
    missed = []
    for what, lines, first in ways:
        verdict = audited(lines)
        if (verdict.outcome, verdict.commit) != (Outcome.DIVERGED, first) or not verdict.because:
            missed.append((what, first, verdict))
    assert not missed


def heads(lines: Lines) -> list[WitnessedHead]:
    """The heads of a full export, as somebody who follows the game gets them."""
    export = read_export(lines)
    return [
        WitnessedHead(game=export.header.game, number=number, hash=line[-66:-2].decode())
        for number, line in enumerate(export.lines, 1)
    ]


def test_a_log_that_was_made_anew_and_holds_is_found_by_whoever_kept_a_head() -> None:
    whole = games().whole
    at = re.search(rb'"at":"[^"]*"', whole[9])
    assert at is not None
    anew = forged(whole, 9, lambda body: body.replace(at[0], b'"at":"2026-01-01T09:09:09.000Z"'))
    export = read_export(anew)
    kept = heads(whole)

    assert audit(export).outcome is Outcome.EXACT  # nobody could tell from the file alone
    verdict = audit(export, [kept[4], kept[30]])
    assert (verdict.outcome, verdict.commit, verdict.heads) == (Outcome.DIVERGED, 31, 1)
    assert audit(export, kept).commit == 9
    assert audit(read_export(whole), kept).heads == len(kept)


def test_a_head_behind_the_end_shows_that_the_end_was_cut_off() -> None:
    found = games()
    verdict = audit(read_export(found.early), heads(found.whole))

    assert verdict.outcome is Outcome.DIVERGED
    assert verdict.commit == len(found.early)


def test_what_a_role_was_told_is_found_in_the_opened_log() -> None:
    found = games()
    for mine in (found.early, found.mine):
        verdict = audit(read_export(mine), opened=read_export(found.whole))
        assert (verdict.outcome, verdict.commits) == (Outcome.EXACT, len(mine) - 1), verdict


def test_an_opened_log_that_is_not_the_one_a_role_was_told_of_has_diverged() -> None:
    found = games()
    anew = forged(found.whole, 9, lambda body: body.replace(b'"at":"2026-01-01T00', b'"at":"2026-01-01T01'))
    assert audit(read_export(anew)).outcome is Outcome.EXACT

    verdict = audit(read_export(found.mine), opened=read_export(anew))
    assert (verdict.outcome, verdict.commit) == (Outcome.DIVERGED, 9)
    assert audit(read_export(found.mine), opened=read_export(found.other)).outcome is Outcome.DIVERGED
    cut_off = with_line(found.whole[:20], 0, re.sub(rb'"version":\d+', b'"version":19', found.whole[0]))
    assert audit(read_export(found.mine), opened=read_export(cut_off)).commit == 20


@pytest.mark.parametrize("number", [2, 4])
def test_entropy_that_was_exchanged_gives_other_dice(number: int) -> None:
    whole = games().whole
    given = re.search(rb'"entropy":"[^"]*"', whole[number])
    assert given is not None
    verdict = audit(read_export(forged(whole, number, lambda body: body.replace(given[0], b'"entropy":"b3RoZXI"'))))

    assert verdict.outcome is Outcome.DIVERGED
    assert b"ChanceAnswered" in whole[verdict.commit or 0]


def test_what_an_older_revision_read_and_this_one_would_not_ends_the_decisions_and_not_the_chain() -> None:
    whole = games().whole
    now, before = (b'"rules":%d,' % revision for revision in (REVISION, REVISION - 1))
    older = forged([whole[0].replace(now, before), *whole[1:]], 1, lambda body: body.replace(now, before, 1), on=True)
    number = next(at for at in range(6, len(whole)) if b'"command":{"type":"move","decision":"turn-' in whole[at])
    command = re.search(rb'"command":\{"type":"move","decision":"turn-\d+', whole[number])
    assert command is not None

    def ended(lines: Lines) -> Lines:
        return forged(lines, number, lambda body: body.replace(command[0], command[0] + rb"\n", 1))

    verdict = audited(ended(older))
    assert (verdict.outcome, verdict.commits) == (Outcome.UNVERIFIED, len(whole) - 1), verdict
    assert f"commit {number} holds no command of today" in verdict.because
    assert audited(ended(whole)).commit == number


def test_several_processes_find_what_one_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.audit.verdict.LONG", 1)
    found = games()
    ways = [*bits(found.whole, 8), *dice(found.whole), *moved(found.whole, found.other)]
    for what, lines, first in ways[::4]:
        verdict = audit(read_export(lines), processes=3)
        assert (verdict.outcome, verdict.commit) == (Outcome.DIVERGED, first), what
    whole = read_export(found.whole)
    assert audit(whole, processes=3) == audit(whole)


# -- every byte counts ------------------------------------------------------------------------------------------------------------


Rewrite = Callable[[bytes], bytes]
"""Another way to write down the same file."""


def in_line(number: int, old: bytes, new: bytes) -> Rewrite:
    """In the line of a commit (0: the header), which holds `old`."""

    def rewrite(body: bytes) -> bytes:
        lines = body.split(b"\n")
        assert old in lines[number], old
        return b"\n".join(with_line(lines, number, lines[number].replace(old, new, 1)))

    return rewrite


def behind_line(number: int, more: bytes) -> Rewrite:
    """Behind the line of a commit, before its line feed."""

    def rewrite(body: bytes) -> bytes:
        lines = body.split(b"\n")
        return b"\n".join(with_line(lines, number, lines[number] + more))

    return rewrite


def exchanged(body: bytes) -> bytes:
    """Two members of the header the other way round."""
    found = re.search(rb'("game":"[^"]*"),("principal":"[^"]*")', body)
    assert found is not None
    return body.replace(found[0], found[2] + b"," + found[1], 1)


LAST = -2
"""The line of the last commit, behind which there is a line feed."""

ANYWHERE: list[tuple[Rewrite, int]] = [
    (in_line(0, b'{"omenlog"', b'{ "omenlog"'), 1),
    (in_line(0, b',"game":', b', "game":'), 1),
    (in_line(0, b'"version":', b'"version": '), 1),
    (in_line(0, b'"game":', b'"\\u0067ame":'), 1),
    (in_line(0, b'"edition":"second"', b'"edition":"\\u0073econd"'), 1),
    (in_line(0, b'{"omenlog":', b'{"format":1,"omenlog":'), 1),
    (in_line(0, b'"edition":"second"', b'"edition":"third","edition":"second"'), 1),
    (in_line(0, b'"game":', b'"game":"aaaaaaaaaaaaaaaaaaaa","game":'), 1),
    (in_line(0, b'"created":', b'"fork":null,"created":'), 1),
    (exchanged, 1),
    (lambda body: b"\xef\xbb\xbf" + body, 1),
    (lambda body: b"\n" + body, 1),
    (lambda body: b" " + body, 1),
    (behind_line(0, b" "), 1),
    (behind_line(0, b"\r"), 1),
    (behind_line(7, b"\r"), 7),
    (behind_line(7, b" "), 7),
    (behind_line(7, b"\n"), 8),
    (behind_line(LAST, b"\r"), -1),
    (lambda body: body.replace(b"\n", b"\r\n"), 1),
    (lambda body: body[:-1], -1),
    (lambda body: body + b"\n", 0),
    (lambda body: body + b" ", 0),
    (lambda body: body + b"\r\n", 0),
    (lambda body: re.sub(rb'"version":\d+', b'"version":0', body.split(b"\n")[0]) + b"\n", 1),
]
"""What can be done to every file, and the commit at which it has diverged; one that is not positive is counted from behind the last."""

ROLES: list[tuple[Rewrite, int]] = [
    (in_line(7, b'"events":[', b'"events": ['), 7),
    (in_line(7, b'{"header":', b'{ "header":'), 7),
    (in_line(7, b',"proof":', b' ,"proof":'), 7),
    (in_line(7, b'"proof":{', b'"proof":{ '), 7),
    (in_line(7, b'"digests":[', b'"digests":[ '), 7),
    (in_line(7, b'"salt":', b'"s\\u0061lt":'), 7),
    (in_line(7, b'"events":', b'"events":[],"events":'), 7),
    (in_line(6, b'"events":', b'"command":null,"events":'), 6),
    (in_line(0, b'"created":', b'"pack":{},"created":'), 1),
    (lambda body: re.sub(rb'("created":"[^"]*")', rb'\1,"pack":null', body, count=1), 1),
    (lambda body: re.sub(rb'("created":"[^"]*")', rb'\1,"pack":{}', body, count=1), 1),
    (
        lambda body: re.sub(
            rb'("created":"[^"]*")',
            rb'\1,"disclosed":{"seed":"%b","salt":"%b"}' % (b"0" * 64, b"0" * 64),
            body,
            count=1,
        ),
        1,
    ),
    (
        lambda body: re.sub(
            rb'("created":"[^"]*")', rb'\1,"fork":{"of":"x","at":1,"sampled":true,"expires":""}', body, count=1
        ),
        1,
    ),
]
WHOLE: list[tuple[Rewrite, int]] = [
    (in_line(0, b'"pack":{', b'"pack": {'), 1),
    (in_line(0, b'"pack":{', b'"pack":{ '), 1),
    (in_line(0, b'"disclosed":{"seed"', b'"disclosed":{ "seed"'), 1),
    (in_line(0, b'"disclosed":{', b'"fork":{"of":"x","at":1,"sampled":true,"expires":""},"disclosed":{'), 1),
    (
        lambda body: body.replace(b'"}}\n', b'"},"fork":{"of":"x","at":1,"sampled":true,"expires":""}}\n', 1),
        1,
    ),
    (in_line(7, b'"events":[', b'"events": ['), 7),
    (in_line(7, b'"hash":', b'"hash": '), 7),
]


@pytest.mark.parametrize(
    "full, rewrite, commit",
    [(full, *one) for full in (False, True) for one in ANYWHERE + (WHOLE if full else ROLES)],
)
def test_a_file_that_says_the_same_in_other_bytes_has_diverged(rewrite: Rewrite, commit: int, *, full: bool) -> None:
    lines = games().whole if full else games().early
    body = written(lines)
    assert audited_file(body).outcome is (Outcome.EXACT if full else Outcome.UNVERIFIED)
    altered = rewrite(body)
    assert altered != body
    verdict = audited_file(altered)
    assert verdict.outcome is Outcome.DIVERGED
    assert verdict.commit == (commit if commit > 0 else len(lines) + commit), verdict
    assert verdict.because


def test_where_a_file_is_written_otherwise_is_told_by_the_byte() -> None:
    body = written(games().whole)
    because = audited_file(body.replace(b'{"omenlog":"full"', b'{"omenlog": "full"', 1)).because
    assert because.startswith("its first line differs from an export's from byte 12 on: ' \"full\",")
