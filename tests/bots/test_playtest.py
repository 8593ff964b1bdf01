"""Playtests in process: steady bots finish every game, and what is reported is what happened."""

import msgspec
import pytest

from domain.facts.audience import seat_bit
from domain.facts.chance import Seeded
from domain.facts.events import ChanceAnswered
from domain.facts.ids import stance
from domain.facts.refusal import Refused
from domain.pack.reach import things
from domain.rulebook.turn.options import legal
from projections.text.playtests import TURN_LIMIT, Played, Report
from projections.view.game import view_of
from service.bots.playtest import local_game, play_game, play_out, rehearse
from tests.support.packs import HAUNTS, by_post, rules

FAIR = ("the-bell-below", "the-gnawing-tide", "the-hollow-guest")


def played(seed: str, seats: int, haunt: str = "", bots: tuple[str, ...] = ("steady",)) -> Played:
    options = {"haunt": haunt} if haunt else {}
    return play_game(rules("second-edition"), bots, seed=seed, seats=seats, options=options)


@pytest.mark.parametrize("haunt, seats", [(haunt, 3 + number % 4) for number, haunt in enumerate(HAUNTS)])
def test_steady_bots_bring_every_haunt_to_an_end_with_a_winner(haunt: str, seats: int) -> None:
    _is_won(played("end", seats, haunt), haunt)


@pytest.mark.prove
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("haunt", HAUNTS)
def test_steady_bots_bring_every_haunt_to_an_end_with_any_number_of_players(haunt: str, seats: int) -> None:
    _is_won(played("end", seats, haunt), haunt)


def _is_won(game: Played, haunt: str) -> None:
    assert game.haunt == haunt
    assert game.winner in ("heroes", "traitor", "house"), game
    assert game.turns < TURN_LIMIT


@pytest.mark.parametrize("haunt", FAIR)
def test_each_side_wins_some_games_of_each_haunt(haunt: str) -> None:
    """A haunt that one side always wins is no game; `omenlog content playtest` tells the shares."""
    winners = set[str]()
    for number in range(12):
        winners.add(stance(played(f"balance-{number}", 3 + number % 4, haunt).winner))
        if winners == {"heroes", "traitor"}:
            return
    pytest.fail(f"only {winners} win")


def test_the_same_seed_gives_the_same_game() -> None:
    assert played("again", 4) == played("again", 4)
    assert played("again", 4) != played("another", 4)


def test_steady_and_random_bots_play_together() -> None:
    assert played("mixed", 5, bots=("steady", "random")).because


@pytest.mark.parametrize("haunt", HAUNTS)
def test_steady_bots_play_by_post(haunt: str) -> None:
    game = play_game(by_post(), ["steady"], seed="post", seats=3 + len(haunt) % 4, options={"haunt": haunt})
    assert game.winner in ("heroes", "traitor", "house"), game


def test_the_third_edition_is_played_to_a_winner() -> None:
    game = play_game(rules("third-edition"), ["steady"], seed="three", seats=3)

    assert (bool(game.haunt), bool(game.winner)) == (True, True)


def test_a_bot_at_the_table_sees_what_its_seat_was_told_and_nothing_else() -> None:
    table = local_game(rules("second-edition"), Seeded(b"secret", "g"), 4, {"haunt": "the-hollow-guest"}, "g")
    hidden = False
    for _ in play_out(table, ["steady"] * 4, "secret"):
        haunt = table.state.haunt
        if haunt is not None and haunt.hidden and haunt.traitor >= 0 and not table.over:
            hidden = True
            for seat in range(4):
                known = [
                    one.side
                    for one in view_of(table.rules, table.known(seat_bit(seat)), seat_bit(seat)).explorers
                    if not one.revealed
                ]
                assert sum(bool(side) for side in known) == 1
    assert hidden


def test_an_illegal_command_is_refused_at_the_table() -> None:
    table = local_game(rules("second-edition"), Seeded(b"refuse", "g"), 3, {}, "g")
    seat = table.state.turn.seat
    command = legal(table.rules, table.known(seat_bit(seat)), seat)[0]

    with pytest.raises(Refused):
        table.give((seat + 1) % 3, command)


def test_a_report_counts_winners_reasons_and_what_was_reached() -> None:
    report = Report(rules("second-edition"))
    games = [played(f"count-{number}", 3, "the-bell-below") for number in range(4)]
    for game in games:
        report.add(game)

    tally = report.tallies["the-bell-below", 3]
    assert (tally.games, tally.heroes + tally.traitor) == (4, 4)
    assert tally.commands == sum(game.commands for game in games)
    assert sum(report.reasons()["the-bell-below"].values()) == 4
    assert report.reached["action haunt:the-bell-below:heroes#SEARCH"] == sum(
        game.reached["action haunt:the-bell-below:heroes#SEARCH"] for game in games
    )
    assert set(report.never()) == (
        {
            name
            for topic, names in things(rules("second-edition")).items()
            if topic not in ("step", "verb")
            for name in names
        }
        - set(report.reached)
    )
    assert "action haunt:the-gnawing-tide:heroes#CHANT" in report.never()


def test_a_rehearsal_is_a_tape_of_every_answer_of_chance() -> None:
    """The tape, dealt in the same order, gives the same game: that is what `omenlog demo --seed` relies on."""
    options: dict[str, object] = {"turn_limit": 20}
    rehearsed = rehearse("second", ["steady"] * 3, options, "tape")
    table = local_game(rules("second-edition"), Seeded(b"tape", "rehearsal"), 3, options, "rehearsal")
    list(play_out(table, ["steady"] * 3, "tape"))

    told = [one.event for done in table.log for one in done.told]
    answers = [event for event in told if isinstance(event, ChanceAnswered)]
    assert [answer.get("pick", "") for answer in rehearsed.answers] == [event.pick for event in answers]
    assert [answer.get("faces", []) for answer in rehearsed.answers] == [event.faces for event in answers]
    assert msgspec.json.encode(rehearsed.answers)
