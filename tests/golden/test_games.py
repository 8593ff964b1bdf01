"""The golden games: each happens as its file says, and shows a role nothing but what that role was told."""

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from domain.evolve import fold, redact
from domain.facts.audience import SPECTATORS, Mask, seat_bit
from domain.facts.state import State
from projections.sentences.history import sentence
from tests.golden import library
from tests.golden.script import Game, Script, covers
from tests.golden.stage import Stage, played
from tests.golden.telling import ASIDE, BOOKKEEPING, RESTORED, roles_of
from tests.golden.told import misdirected, untold
from tests.golden.writing import text_of

FILES = library.files()
BY_HAND = [path for path in FILES if not path.name.startswith("bots-")]


def shown(game: Game, role: Mask, steps: slice = slice(None)) -> Counter[str]:
    """The sentences that a file's steps show to a role, without the rules behind them."""
    return Counter(
        words.rpartition(" (")[0] if words.endswith(")") and game.made_by == "hand" and "-" in words[-12:] else words
        for step in game.steps[steps]
        for label, said in step.saw.items()
        if roles_of(label, len(game.explorers)) & role
        for words in said
    )


def told(stage: Stage, role: Mask) -> Counter[str]:
    """The sentences that a role can make of what it was told in the steps, from its own fold of its own events."""
    brief = stage.script.game.made_by == "bots"
    left_out = (*BOOKKEEPING, *ASIDE) if brief else BOOKKEEPING
    state, found = State(), Counter[str]()
    for number, commit in enumerate(stage.story):
        mine = redact(commit, role)
        fold(state, [mine])
        if number >= stage.opened:
            seen = [one.event for one in mine if not isinstance(one.event, left_out)]
            restored = [event for event in seen if isinstance(event, RESTORED)]
            seen = [event for event in seen if event not in restored[1:]]  # the referee is told of every role's
            found.update(sentence(stage.rules, event, state) for event in seen)
    return found


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem, marks=pytest.mark.rule(*covers(path))) for path in FILES]
)
def test_a_golden_game_happens_as_written_and_each_role_sees_what_it_was_told(path: Path) -> None:
    script = Script(path)

    game, stage = played(script, strict=True)

    assert not library.first_difference(script.text, text_of(game), path), (
        f"{path.name} is not what happens now: if the change is meant, write it anew with `./dev golden {path.name}`"
    )
    for role in stage.roles:
        assert shown(script.game, role) == told(stage, role), f"role {role:b}"
    assert misdirected(stage.story) == []
    assert untold(path.stem, stage) == [], (
        "tests/golden/told.json is not what happens now: `./dev golden` writes it anew"
    )


def test_the_library_has_hand_made_games_and_games_of_bots_of_every_edition() -> None:
    scripts = {path: Script(path) for path in FILES}
    games = [script.game for script in scripts.values()]
    assert len(BY_HAND) >= 40
    assert len({game.title for game in games}) == len(games)
    assert {(game.edition, game.made_by) for game in games} == {
        (edition, by) for edition in ("second", "third", "play-by-post") for by in ("hand", "bots")
    }
    assert {game.chance for game in games} == {"tape", "moderator", "table"}
    done = {str((step.does or {}).get("type")) for game in games for step in game.steps}
    at_the_desk = {
        "take-back",
        "dispute",
        "give-evidence",
        "withdraw-dispute",
        "rule-dispute",
        "reopen-dispute",
        "propose-ruling",
        "fork",
    }
    assert at_the_desk <= done
    ruled = {step.does["outcome"] for game in games for step in game.steps if step.does and "outcome" in step.does}
    assert ruled == {"stands", "amend", "rewind"}
    assert library.LIST.read_text(encoding="utf-8") == library.list_text(scripts), (
        "GAMES.md does not list the games as they are: write it anew with `./dev golden`"
    )


def test_until_the_answer_others_see_the_same_whoever_was_dealt_the_traitor() -> None:
    """Two files that differ in the token of seats 1 and 3 alone, up to what only the addressee could answer."""
    one, other = (Script(library.GAMES / f"hidden-{name}.yaml").game for name in ("innocent", "spared"))
    until = slice(0, 4)
    assert one.steps[until][1].picks != other.steps[until][1].picks
    for role in (seat_bit(0), seat_bit(2), SPECTATORS):
        assert shown(one, role, until) == shown(other, role, until)
    assert shown(one, seat_bit(3), until) != shown(other, seat_bit(3), until)


def test_no_hand_made_file_shows_a_spectator_what_only_a_seat_or_the_referee_sees() -> None:
    """Some files show secrets at all, or this library would prove nothing about them."""
    secret = [
        path for path in BY_HAND if any(label != "everybody" for step in Script(path).game.steps for label in step.saw)
    ]
    assert len(secret) >= 8


def test_an_event_told_to_others_than_its_type_says_is_noticed() -> None:
    """One that is for everybody, one that is for a side, and one that is for the referee alone."""
    path = library.GAMES / "external-haunt.yaml"
    _, stage = played(Script(path))
    for kind in ("Moved", "BookEntered", "TextTold", "ChanceAnswered"):
        story = [
            [msgspec.structs.replace(one, to=SPECTATORS) if type(one.event).__name__ == kind else one for one in commit]
            for commit in stage.story
        ]
        assert misdirected(story) != [], kind
        assert all(wrong.startswith(f"{kind} to 01000000: ") for wrong in misdirected(story)), kind
