"""The random bot: any legal command, and the same again."""

import pytest

from domain.facts.commands import Drop, Trade
from service.bots.brain import Memory
from service.bots.playtest import play_game
from tests.bots.seated import sees, would
from tests.support.packs import rules
from tests.support.table import Table


def test_the_same_sight_gives_the_same_command_and_another_seed_others() -> None:
    table = Table()
    commands = {would(table, memory=Memory(seed=str(seed)), brain="random") for seed in range(30)}

    assert would(table, brain="random") == would(table, brain="random")
    assert commands == set(table.offers(0))


def test_it_has_nothing_to_say_out_of_turn() -> None:
    assert would(Table(), seat=1, brain="random") is None


def test_it_also_moves_several_cards_at_once_as_only_families_describe() -> None:
    table = Table()
    table.hold(0, "axe", "bottle", "idol", "armor")
    table.hold(1, "revolver")
    table.turn(0)

    given = [would(table, memory=Memory(seed=str(seed)), brain="random") for seed in range(1500)]

    listed = [one.command for one in sees(table, 0)[1].yours[0].commands]
    made_up = [command for command in given if command is not None and command not in listed]
    assert any(isinstance(command, Drop) and len(command.cards) in (2, 3) for command in made_up)
    assert any(isinstance(command, Trade) and len(command.gives) > 1 and command.wants for command in made_up)
    for command in made_up:
        copy = Table()
        copy.hold(0, "axe", "bottle", "idol", "armor")
        copy.hold(1, "revolver")
        copy.turn(0)
        copy.play(0, command)  # refuses what is not legal


@pytest.mark.parametrize("seats", [3, 6])
def test_a_game_of_random_bots_comes_to_an_end_without_an_illegal_command(seats: int) -> None:
    game = play_game(rules("second-edition"), ["random"], seed="legal", seats=seats)

    assert game.because
    assert game == play_game(rules("second-edition"), ["random"], seed="legal", seats=seats)


def test_a_refused_command_is_not_given_again_at_the_same_version() -> None:
    table = Table()
    table.pile("entrance-hall", "axe")
    view, _ = sees(table, 0)
    memory = Memory(seed="refused")
    for _ in range(3):
        command = would(table, memory=memory, brain="random")
        assert command is not None
        assert command not in memory.refused
        memory = memory.after_refusal(view, command)
