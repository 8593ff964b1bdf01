"""Counting without listing: every shape's count is the number of its members, found by trying all."""

from itertools import chain, combinations, product

from hypothesis import given
from hypothesis import strategies as st

from domain.facts.commands import Allocate, Trade
from projections.choices.families import Division, Faces, OneOf, Places, Subset, family

TRAITS = ("might", "speed", "sanity", "knowledge")

few = st.lists(st.sampled_from("abcdefg"), unique=True, max_size=6)


def subsets(of: list[str]) -> list[tuple[str, ...]]:
    """All subsets, the empty one among them."""
    return list(chain.from_iterable(combinations(of, size) for size in range(len(of) + 1)))


@given(st.dictionaries(st.sampled_from(TRAITS), st.integers(0, 5)), st.integers(0, 12), st.integers(0, 12))
def test_a_division_counts_what_fits_caps_and_total(caps: dict[str, int], total: int, less: int) -> None:
    every = product(*(range(cap + 1) for cap in caps.values()))
    least = max(0, total - less)
    found = Division(least=least, total=total, caps=caps).count()
    assert found == sum(least <= sum(points) <= total for points in every)


@given(few, st.integers(0, 7))
def test_places_count_choices_of_at_most_so_many(of: list[str], most: int) -> None:
    assert Places(of=of, most=most).count() == sum(len(chosen) <= most for chosen in subsets(of))


@given(few, st.integers(0, 7))
def test_a_subset_counts_choices_of_at_least_so_many(of: list[str], least: int) -> None:
    assert Subset(field="cards", of=of, least=least).count() == sum(len(chosen) >= least for chosen in subsets(of))


@given(st.integers(0, 6))
def test_faces_count_what_dice_can_show(dice: int) -> None:
    assert Faces(dice=dice).count() == len(list(product(range(3), repeat=dice)))


def test_large_constraints_are_counted_exactly_and_at_once() -> None:
    caps = dict.fromkeys(TRAITS, 64)
    assert Division(least=64, total=64, caps=caps).count() == 47905
    assert Subset(field="cards", of=[f"c{number}" for number in range(40)], least=1).count() == 2**40 - 1
    assert Faces(dice=40).count() == 3**40


@given(few, few)
def test_fields_of_a_family_vary_independently(gives: list[str], wants: list[str]) -> None:
    example = Trade(decision="turn-1", partner=2, gives=["axe"])
    found = family("Trade", example, Subset(field="gives", of=gives, least=1), Subset(field="wants", of=wants, least=0))
    assert found.fixed == {"type": "trade", "decision": "turn-1", "with": 2}
    assert found.count == (2 ** len(gives) - 1) * 2 ** len(wants)


def test_what_no_field_speaks_of_is_fixed() -> None:
    found = family(
        "Take it", Allocate(decision="d3", points={"might": 2}), Division(least=2, total=2, caps={"might": 2})
    )
    assert found.fixed == {"type": "allocate", "decision": "d3"}
    assert OneOf(field="to", values=["attic", "foyer"]).count() == 2
