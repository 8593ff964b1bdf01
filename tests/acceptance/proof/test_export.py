"""An exported game is audited and replayed offline: what was altered is found, what a role saw comes out the same."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import msgspec
import pytest

from content.load.digest import decode_pack
from domain.decide import decide
from domain.engine.rules import REVISION, Rules
from domain.facts.audience import REFEREE, SPECTATORS, seat_bit
from domain.facts.chance import Chance
from domain.facts.commands import AnyCommand, EndTurn
from domain.facts.events import Told
from domain.facts.refusal import Refused
from domain.facts.state import State
from domain.game import rules_for
from domain.past import Past
from openapi.writer.outside import Fixed
from projections.view.game import view_of
from service.audit.verdict import Outcome, audit
from service.log.exported import NotAnExport, read_export, replay
from tests.acceptance.driving import Table, version_of
from tests.support.forging import audited


def export(table: Table, token: str) -> list[bytes]:
    answer = table.get("export", token)
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert version_of(answer) == table.version()
    return answer.content.splitlines()


@pytest.fixture(scope="module")
def finished(client: httpx.Client, outside: Fixed) -> Table:
    outside.restart("a finished game")
    table = Table.open(client, options={"turn_limit": 14}, seats=[{"name": "Ann"}, {}, {}, {}])
    table.play(2000, seed=3)
    assert client.get(table.path).json()["status"] == "finished"
    return table


@pytest.fixture(scope="module")
def lines(finished: Table) -> list[bytes]:
    return export(finished, finished.seats[0])


def test_a_finished_game_is_exact_for_whoever_exports_it(finished: Table, lines: list[bytes]) -> None:
    for token in (finished.referee, finished.spectator):
        assert export(finished, token) == lines
    verdict = audit(read_export(lines))
    assert (verdict.outcome, verdict.commits) == (Outcome.EXACT, finished.version()), verdict


def test_every_role_is_replayed_to_the_view_that_the_service_shows(finished: Table, lines: list[bytes]) -> None:
    exported = read_export(lines)
    rules = rules_for(decode_pack(bytes(exported.header.pack)))
    roles = [(seat_bit(seat), token) for seat, token in enumerate(finished.seats)]
    for principal, token in [*roles, (SPECTATORS, finished.spectator), (REFEREE, finished.referee)]:
        for at in (None, 9, 20):
            shown = finished.get("view" if at is None else f"view?at={at}", token).json()
            replayed = view_of(rules, replay(exported, principal, at), principal)
            assert json.loads(msgspec.json.encode(replayed)) == shown


def test_a_role_exports_before_the_end_what_it_was_told_with_proofs(table: Table) -> None:
    table.play(12)
    rows = export(table, table.seats[1])
    exported = read_export(rows)
    assert not exported.full
    verdict = audit(exported)
    assert (verdict.outcome, verdict.commits) == (Outcome.UNVERIFIED, table.version())
    told = [json.loads(row)["events"] for row in rows[1:]]
    assert told == [one["data"]["events"] for one in table.get("events", table.seats[1]).json()["events"]]
    assert replay(exported, seat_bit(1)).commit == table.version()
    with pytest.raises(NotAnExport, match="seat:1"):
        replay(exported, seat_bit(0))


def test_what_a_role_hands_over_cannot_be_altered(table: Table) -> None:
    table.play(6)
    rows = export(table, table.seats[1])
    for number, old, new in (
        (2, b'"seat":0', b'"seat":2'),
        (4, b'"salt":"', b'"salt":"00'),
        (5, b'"events":[', b'"events":[{"type":"Stopped","figure":0},'),
    ):
        assert old in rows[number]
        altered = [*rows[:number], rows[number].replace(old, new, 1), *rows[number + 1 :]]
        verdict = audit(read_export(altered))
        assert (verdict.outcome, verdict.commit) == (Outcome.DIVERGED, number), verdict


def test_the_referee_exports_all_in_play_but_the_seed(table: Table) -> None:
    table.play(12)
    exported = read_export(export(table, table.referee))
    assert exported.full
    verdict = audit(exported)
    assert verdict.outcome is Outcome.UNVERIFIED
    assert "seed" in verdict.because


def test_a_moderated_game_is_exact_without_a_seed(client: httpx.Client) -> None:
    table = Table.open(client, randomness={"source": "moderator"})
    table.play(40)
    assert audit(read_export(export(table, table.referee))).outcome is Outcome.EXACT


Change = Callable[[list[bytes]], list[bytes]]


def in_commit(number: int, old: bytes, new: bytes) -> Change:
    def change(rows: list[bytes]) -> list[bytes]:
        assert old in rows[number], rows[number]
        return [*rows[:number], rows[number].replace(old, new, 1), *rows[number + 1 :]]

    return change


@pytest.mark.parametrize(
    "change, commit",
    [
        (in_commit(7, b'"at":"2', b'"at":"3'), 7),
        (in_commit(7, b'"actor":"seat:', b'"actor":"seat:9'), 7),
        (in_commit(2, b'"events":[[255,', b'"events":[[254,'), 2),
        (in_commit(9, b'"root":"', b'"root":"f'), 9),
        (in_commit(3, b'"number":3', b'"number":4'), 3),
        (lambda rows: [*rows[:6], *rows[7:]], 6),
        (lambda rows: [*rows[:6], rows[7], rows[6], *rows[8:]], 6),
        (lambda rows: [*rows[:6], rows[5], *rows[6:]], 6),
        (lambda rows: rows[:-1], None),
        (lambda rows: [*rows, rows[-1]], None),
        (lambda rows: [*rows[:8], b"{}", *rows[9:]], 8),
        (lambda rows: [*rows[:8], b"\xff\x00", *rows[9:]], 8),
        (in_commit(0, b'"seed":"', b'"seed":"00'), 1),
        (in_commit(0, b'"title":"', b'"title":"My '), 1),
        (in_commit(0, b'"salt_key":"', b'"salt_key":"00'), 1),
    ],
)
def test_an_altered_export_has_diverged_at_the_first_commit_that_differs(
    lines: list[bytes], change: Change, commit: int | None
) -> None:
    verdict = audited(change(lines))
    assert verdict.outcome is Outcome.DIVERGED
    assert verdict.commit == (commit or verdict.commits + 1)
    assert verdict.because


@pytest.mark.parametrize("rows", [[], [b"{}"], [b"not json"], [b'{"omenlog":"full"}'], [b"\xff"]])
def test_another_file_is_no_export(rows: list[bytes]) -> None:
    with pytest.raises(NotAnExport):
        read_export(rows)


def test_an_export_of_another_format_or_of_nobody_is_refused(lines: list[bytes]) -> None:
    header: dict[str, Any] = json.loads(lines[0])
    for change in ({"format": 2}, {"omenlog": "half"}, {"principal": "seat:6"}):
        with pytest.raises(NotAnExport):
            read_export([json.dumps({**header, **change}).encode(), *lines[1:]])


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine of a later revision, whose rules let nobody end a turn."""

    def decide_otherwise(
        rules: Rules, state: State, actor: int, command: AnyCommand, chance: Chance, past: Past | None = None
    ) -> list[Told]:
        if isinstance(command, EndTurn):
            raise Refused("turns have no end any more")
        return decide(rules, state, actor, command, chance, past)

    monkeypatch.setattr("service.audit.redecide.REVISION", REVISION + 1)
    monkeypatch.setattr("domain.redecide.decide", decide_otherwise)


@pytest.mark.usefixtures("newer")
def test_what_an_older_revision_decided_otherwise_is_no_forgery(finished: Table, lines: list[bytes]) -> None:
    verdict = audit(read_export(lines))
    assert (verdict.outcome, verdict.commits) == (Outcome.UNVERIFIED, finished.version())
    assert f"revision {REVISION}" in verdict.because
    assert "turns have no end any more" in verdict.because


@pytest.mark.usefixtures("newer")
def test_the_chain_of_a_game_of_an_older_revision_is_checked_to_its_end(lines: list[bytes]) -> None:
    last = len(lines) - 1
    verdict = audited(in_commit(last, b'"at":"2', b'"at":"3')(lines))
    assert (verdict.outcome, verdict.commit) == (Outcome.DIVERGED, last)
