"""What can happen to a subscription, as plain functions."""

import pytest
from msgspec.structs import replace

from service.webhooks.delivery import Pace
from service.webhooks.sender import SendOutcome
from service.webhooks.subscription import (
    DEAD_IN_ROW,
    LETTERS,
    Key,
    Letter,
    Subscription,
    arrived,
    delivered,
    disabled,
    failed,
    finished,
    lost,
    passed,
    read,
    record,
    redelivered,
    rotated,
)

NEW = Subscription(
    id="s",
    game="g",
    token="seat-0",
    holder=b"\x00\xff",
    url="https://example.com/",
    created="2026-01-01T00:00:00.000Z",
    keys=[Key(id="k", secret=bytes(32))],
    cursor=4,
)


def test_a_record_holds_all_of_it() -> None:
    full = replace(failed(NEW, 5, "no", None), lease="me", leased=9.0, types=["TurnStarted"])
    assert read(record(full, 3)) == full
    assert (record(full, 3).revision, record(full, 3).ready) == (3, 9.0)


def test_the_cursor_moves_when_a_message_is_done_with_and_not_before() -> None:
    waiting = failed(NEW, 6, "no", 70.0)
    assert (waiting.cursor, waiting.attempts, waiting.ready()) == (5, 1, 70.0), "5 was not asked for, 6 is next"
    assert failed(waiting, 6, "no", 80.0).attempts == 2
    there = delivered(waiting, 6)
    assert (there.cursor, there.attempts, there.due, there.error, there.delivered) == (6, 0, 0.0, "", 1)
    assert passed(there, 9).cursor == 9
    assert passed(there, 2).cursor == 6, "never back"


def test_the_last_failure_makes_a_dead_letter_and_so_many_in_a_row_disable() -> None:
    it = NEW
    for number in range(5, 5 + DEAD_IN_ROW - 1):
        it = failed(it, number, "no", None)
        assert (it.state, it.cursor) == ("active", number)
    assert delivered(it, 20).dead_in_row == 0
    it = failed(it, 30, "no", None)
    assert (it.state, it.ready()) == ("disabled", None)
    assert [one.number for one in it.letters] == [5, 6, 30]
    assert it.again(9e9) is None, "a dead letter waits to be asked for"


def test_letters_are_bounded() -> None:
    it = replace(NEW, letters=[Letter(number) for number in range(1, LETTERS)])
    assert failed(it, 500, "no", None).state == "disabled"


def test_redelivery_takes_up_whatever_ended_it() -> None:
    it = disabled(failed(replace(NEW, attempts=2), 5, "no", None), "gone")
    again = redelivered(it, [2, 5, 77], 100.0)
    assert (again.state, again.reason, again.attempts, again.dead_in_row) == ("active", "", 0, 0)
    assert [(one.number, one.due) for one in again.letters] == [(2, 100.0), (5, 100.0)], "what is in line stays in line"
    letter = again.again(100.0)
    assert letter == Letter(2, due=100.0)
    assert again.again(99.0) is None
    assert [one.number for one in arrived(again, letter).letters] == [5]
    later = lost(again, letter, "no", 200.0)
    assert (later.letters[0], later.ready()) == (Letter(2, 1, "no", 200.0), 0.0)
    assert lost(again, letter, "no", None).letters[0].due is None
    assert redelivered(finished(NEW), [1], 0.0).state == "active"


def test_keys_whose_time_is_over_are_forgotten_when_the_next_one_comes() -> None:
    first = rotated(NEW.keys, Key(id="2", secret=bytes(32)), until="b", now="a")
    assert [(key.id, key.until) for key in first] == [("2", ""), ("k", "b")]
    second = rotated(first, Key(id="3", secret=bytes(32)), until="d", now="c")
    assert [(key.id, key.until) for key in second] == [("3", ""), ("2", "d")]


@pytest.mark.parametrize("attempts, least, most", [(1, 5.0, 5.5), (2, 300.0, 330.0)])
def test_attempts_follow_the_schedule_with_a_little_chance(attempts: int, least: float, most: float) -> None:
    pace = Pace(retries=[5.0, 300.0], timeout=15.0)
    found = [pace.due(attempts, SendOutcome(500, "no"), 1_000.0) for _ in range(50)]
    assert all(one is not None and 1_000 + least <= one <= 1_000 + most for one in found)
    assert len(set(found)) > 10
    assert pace.due(3, SendOutcome(500, "no"), 1_000.0) is None
    asked = pace.due(1, SendOutcome(429, "no", retry_after=60.0), 1_000.0)
    assert asked == 1_060.0
    assert pace.lease > pace.timeout
