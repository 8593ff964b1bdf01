"""The referee's desk in views, decisions and words."""

from __future__ import annotations

import jsonschema
import msgspec

from domain.evolve import redact
from domain.facts.audience import REFEREE, SPECTATORS, seat_bit
from domain.facts.events import Told
from domain.rulebook.desk.disputing import disputes
from projections.choices.decisions import Decisions, decisions_of
from projections.sentences.history import sentence
from projections.view.desk import SpanView, dispute_view
from projections.view.game import GameView, view_of
from tests.support.desk import Desk

VALIDATORS = {shape: jsonschema.Draft202012Validator(msgspec.json.schema(shape)) for shape in (GameView, Decisions)}


def words(table: Desk, told: list[Told], mask: int) -> list[str]:
    """What a role reads of a commit."""
    return [sentence(table.rules, one.event, table.roles[mask]) for one in redact(told, mask)]


def check(table: Desk) -> None:
    """Every role's view and decisions are as the schema says."""
    for mask, known in table.roles.items():
        for shape in (view_of(table.rules, known, mask), decisions_of(table.rules, known, mask)):
            VALIDATORS[type(shape)].validate(msgspec.json.decode(msgspec.json.encode(shape)))


def test_open_disputes_precedents_and_pauses_are_shown() -> None:
    table = Desk(options={"disputes": {"pause": True, "seconds": 31_536_000}})
    table.dispute(1, 2, 4)
    table.evidence(1, [3], ["2E-MOVE-001"])
    check(table)
    shown = view_of(table.rules, table.roles[SPECTATORS], SPECTATORS)
    assert (shown.desk.paused, shown.desk.disputes[0].span, shown.waiting) == (True, None, [])
    assert view_of(table.rules, table.roles[REFEREE], REFEREE).desk.disputes[0].span == SpanView(first=2, last=4)

    table.rule("rewind", to=table.now_at - 2, precedent=True, rules=["2E-TURN-001"])

    check(table)
    shown = view_of(table.rules, table.roles[SPECTATORS], SPECTATORS)
    assert (shown.desk.paused, shown.desk.disputes, len(shown.desk.precedents)) == (False, [], 1)


def test_consents_are_listed_with_what_they_are_about() -> None:
    table = Desk()
    table.dispute(1, table=True)
    table.rule("rewind", actor=2, to=table.now_at - 1)
    check(table)

    (asked,) = [one for one in decisions_of(table.rules, table.roles[1], 1).yours if one.id == "dispute-1-1"]

    assert asked.text == f"Jenny LeClerc proposes a ruling on dispute 1: play goes back to commit {table.now_at - 2}"
    assert [one.label for one in asked.commands] == ["Agree", "Refuse"]


def test_who_is_taken_back_twice_has_learned_nothing_by_the_first_time() -> None:
    table = Desk()
    to = table.now_at
    table.dispute(1)
    table.rule("rewind", to=to)
    table.dispute(1)
    table.rule("rewind", to=to, number=2)
    dispute = disputes(table.roles[REFEREE])[-1]
    assert [one.events for one in dispute.seen if one.seat == 0] == [["Rewound"]], "as the log has it"
    assert dispute_view(table.roles[REFEREE], dispute).seen == []


def test_what_is_told_is_told_in_words() -> None:
    table = Desk()
    table.stack("tiles", "bloody-room")
    table.turn(0)
    before = table.now_at
    table.picks("bottle").explore("east")
    opened = table.dispute(1, before + 1, before + 1)
    given = table.evidence(1, [before + 1], ["2E-MOVE-001"])
    ruled = table.rule("rewind", to=before)

    assert words(table, opened, seat_bit(1)) == [
        "Zoe Ingstrom opens dispute 1, for the referee to decide.",
        f"Dispute 1 is about commit {before + 1}.",
    ]
    assert words(table, given, seat_bit(1)) == [
        "Zoe Ingstrom gives evidence in dispute 1.",
        f"Zoe Ingstrom gives evidence in dispute 1: commit {before + 1} and rule 2E-MOVE-001.",
    ]
    assert words(table, ruled, SPECTATORS) == [
        f"The referee rules on dispute 1: play goes back to commit {before}.",
        f"Play goes back to commit {before}.",
    ]
    told = words(table, ruled, REFEREE)
    assert told[0] == 'Reasons for the ruling on dispute 1: "So it is."'
    everybody = "Ox Bellows, Zoe Ingstrom and Jenny LeClerc"
    assert told[2] == f"What was taken back is still known to {everybody} (from commit {before + 1})."
