"""The numbers of bots: the same everywhere, and fair."""

from collections import Counter

from service.bots.brain import Generator

GOLDEN = [12, 28, 86, 26, 64, 83, 22, 29]


def test_the_same_seed_and_context_give_the_same_numbers_on_every_machine() -> None:
    generator = Generator("seed", 12, "turn-3")

    assert [generator.below(100) for _ in range(8)] == GOLDEN


def test_another_context_gives_other_numbers() -> None:
    rows = {tuple(Generator("seed", version).below(1000) for _ in range(1)) for version in range(50)}

    assert len(rows) > 40


def test_every_number_below_the_bound_comes_about_equally_often() -> None:
    generator = Generator("fair")
    counts = Counter(generator.below(6) for _ in range(6000))

    assert set(counts) == set(range(6))
    assert all(850 < count < 1150 for count in counts.values())


def test_some_things_are_a_subset_in_their_order_with_as_many_as_asked_for() -> None:
    generator = Generator("some")
    drawn = [generator.some("abcd", at_least=2) for _ in range(200)]

    assert all(sorted(set(found)) == found and len(found) >= 2 for found in drawn)
    assert {len(found) for found in drawn} == {2, 3, 4}
