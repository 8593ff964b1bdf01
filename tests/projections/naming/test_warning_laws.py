"""Labels are held against what comes of the commands, in games played at random."""

import pytest

from tests.laws.warning import labels_warn
from tests.support.packs import EVERY_HAUNT, rules


@pytest.mark.parametrize(
    "seed, haunt, least", [(1, "the-honest-child", 50), (2, "the-ripple", 10), (3, "the-same-evening", 10)]
)
def test_nobody_dies_stops_or_uses_a_card_up_by_a_command_whose_label_did_not_say_so(
    seed: int, haunt: str, least: int
) -> None:
    held, amiss = labels_warn(rules("second-edition"), seed, haunt=haunt)
    assert amiss == []
    assert held >= least


@pytest.mark.prove
@pytest.mark.parametrize("pack, haunt", EVERY_HAUNT)
@pytest.mark.parametrize("seats", [3, 6])
def test_in_every_haunt_labels_warn(pack: str, haunt: str, seats: int) -> None:
    for seed in range(4):
        assert labels_warn(rules(pack), seed, seats=seats, haunt=haunt)[1] == []
