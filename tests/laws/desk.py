"""The laws of the referee's desk: talk is no play, pauses and take-backs win nobody time, no box speaks where play goes back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from domain.decide import goes_back
from domain.dry_run import try_ruling
from domain.evolve import fold, redact
from domain.facts.audience import REFEREE, seat_bit
from domain.facts.desk_commands import RuleDispute
from domain.facts.events import DisputeClosed, DisputeReopened, Rewound, TakenBack, Told
from domain.facts.state import MODERATOR, State
from domain.rulebook.desk.disputing import FOR_NOTHING, PAUSES, disputes
from domain.rulebook.desk.taking_back import offered
from domain.rulebook.desk.talk import of_play, talk
from projections.trace.boxes import NOWHERE, UNBOXED, decided_again
from service.log.deadlines import Clocks
from tests.laws.going_back import latest, past_until
from tests.laws.playout import Game, copy_of, principals
from tests.laws.tracing import commits_of, trace

BEGIN = datetime(2026, 2, 3, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


def talk_is_talk_to_everybody(game: Game) -> int:
    """What counts as talk everybody knows to be talk, and nothing else seems so to anybody; returns how much talk there was."""
    found = 0
    for number, commit in enumerate(game.commits, 1):
        found += not of_play(commit)
        for who in principals(game.state.seats):
            told = [one.event for one in commit if one.to & who]
            assert talk(told) != of_play(commit), f"{game.name}: {who} at commit {number}"
    return found


def talk_takes_nobodys_take_backs(game: Game) -> None:
    """At every moment everybody may take back what they could if nothing had been said."""
    passed = latest(game, len(game.commits))
    for one in passed:  # only by a claim of a seat its actor is told nothing, and that is how `offered` knows one
        assert one.actor < 0 or any(told.to & seat_bit(one.actor) for told in one.told), f"{game.name}: {one.number}"
    for last in range(len(passed)):
        whole = passed[: last + 1]
        played = [one for one in whole if of_play(one.told)]
        for seat in range(game.state.seats):
            assert list(offered(whole, seat)) == list(offered(played, seat)), f"{game.name}: {seat} at {last}"


def nobody_holds_up_play_for_nothing(game: Game) -> None:
    """More often than the table allows."""
    for seat in range(game.state.seats):
        idle = [one for one in disputes(game.state) if one.by == seat and one.pauses and one.outcome in FOR_NOTHING]
        assert len(idle) <= PAUSES, f"{game.name}: {seat}"


def no_box_speaks_where_play_goes_back(game: Game) -> int:
    """Whatever was done is done again alike from what the referee was told, with its past where it goes back, and then nothing of it stands in a box.

    Returns how many commits went back.
    """
    opening = len(game.commits) - len(game.acts)
    state, found = fold(State(), game.commits[:opening]), 0
    for number, (actor, command) in enumerate(game.acts, start=opening):
        to = goes_back(state, actor, command)
        told = (
            game.commits[number] if to else redact(game.commits[number], REFEREE)
        )  # others' states the referee isn't told
        past = past_until(game, to, number) if to else None
        again = decided_again(game.rules, copy_of(state), actor, command, told, past)
        assert again is not None, f"{game.name}: commit {number + 1} is decided otherwise"
        if to:
            places, _sums = again
            assert set(places) == {NOWHERE}, f"{game.name}: commit {number + 1}"
            found += any(isinstance(one.event, Rewound) for one in told)
        fold(state, [told])
    return found


def what_the_referee_tries_is_what_comes_of_it(game: Game) -> int:
    """A ruling that asks nobody does what its dry run said, event by event, and the dry run changes nothing. Returns how many did."""
    opening = len(game.commits) - len(game.acts)
    state, found = fold(State(), game.commits[:opening]), 0
    for number, (actor, command) in enumerate(game.acts, start=opening):
        if isinstance(command, RuleDispute) and actor == MODERATOR:
            to = goes_back(state, actor, command)
            past = past_until(game, to, number) if to else None
            told, asked, consults = try_ruling(game.rules, copy_of(state), actor, command, past)
            if not asked and not consults:
                assert list(told) == list(game.commits[number]), f"{game.name}: commit {number + 1}"
                found += 1
        fold(
            state, [game.commits[number] if goes_back(state, actor, command) else redact(game.commits[number], REFEREE)]
        )
    return found


def talk_is_traced_to_no_box(game: Game) -> int:
    """Whatever is half-done while people speak, rule or go back; all else is traced as ever. Returns how many boxes spoke."""
    names = {str(kind.__struct_config__.tag) for kind in UNBOXED}
    spoke = 0
    for step in trace(game.rules, list(commits_of(game, REFEREE)), REFEREE):
        spoke += len(step.spoke)
        for one in step.happened:
            assert not (one.box and one.type in names), f"{game.name}: {one.type} in {one.box} at commit {step.number}"
    return spoke


def nobody_wins_time(game: Game) -> int:
    """Every clock shows for how long its decision was awaited, whatever was said, paused or taken back meanwhile.

    It begins anew where play comes to a decision, and for all where a ruling rewinds. Returns how often one went on from where it stood.
    """
    clocks, state, now, resumed = Clocks(), State(), BEGIN, 0
    shown: dict[str, int] = {}
    for number, commit in enumerate(game.commits, 1):
        before, gap = set(clocks.since), timedelta(seconds=7 + number % 5)
        now += gap
        fold(state, [commit])
        clocks.follow(state, commit, _text(now), answers=True)
        for key in before:
            shown[key] = shown.get(key, 0) + gap // MILLISECOND
        back = any(isinstance(one.event, Rewound) for one in commit)
        ruled = back and not any(isinstance(one.event, TakenBack) for one in commit)
        if ruled:
            shown = {key: display for key, display in shown.items() if key.startswith("dispute-")}
        for one in commit:
            if isinstance(one.event, DisputeReopened):
                shown.pop(f"dispute-{one.event.number}", None)
        goes_on = back or not of_play(commit) or _amended(commit)
        for key, display in _displays(clocks, now):
            wanted = shown.get(key, 0) if key in before or goes_on else 0
            assert display == wanted, f"{game.name}: {key} at commit {number}: {display}, not {wanted}"
            resumed += key not in before and display > 0
            shown[key] = display
    return resumed


def _amended(commit: Sequence[Told]) -> bool:
    """Whether something was amended, which ends a pause and lets all clocks go on."""
    return any(isinstance(one.event, DisputeClosed) and one.event.outcome == "amend" for one in commit)


def _displays(clocks: Clocks, now: datetime) -> Iterator[tuple[str, int]]:
    for key, since in clocks.since.items():
        yield key, (now - datetime.fromisoformat(since)) // MILLISECOND


def _text(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
