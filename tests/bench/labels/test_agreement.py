"""Precision and recall, against figures counted by hand."""

import pytest

from bench.labels.agreement import Agreement, agreement, total

# Six pairs: ab is the same, ac, ad, bc, bd and cd differ.
LABELS = ("x", "x", "y", "z")


def test_right_decisions_have_full_precision_and_recall() -> None:
    found = agreement(LABELS, (1, 1, 2, 3))
    assert found.distinct == found.near_duplicates == found.model == (1.0, 1.0)
    assert (found.told_apart, found.joined, found.split, found.merged) == (5, 1, 0, 0)


def test_whole_documents_split_and_lose_nothing() -> None:
    found = agreement(LABELS, (1, 2, 3, 4))
    assert found.distinct == (5 / 6, 1.0)
    assert found.near_duplicates == (1.0, 0.0)
    assert found.model == (3 / 4, 1.0)


def test_states_that_are_merged_are_missing_from_the_model() -> None:
    found = agreement(LABELS, (1, 1, 1, 2))
    assert found.distinct == (1.0, 3 / 5)
    assert found.near_duplicates == (1 / 3, 1.0)
    assert found.model == (1.0, 2 / 3)


def test_of_a_class_the_first_state_is_kept() -> None:
    """The second class begins with a y, so z is lost although it has two states."""
    found = agreement(("x", "y", "z", "z"), (1, 2, 2, 2))
    assert (found.kept, found.wanted, found.found) == (2, 3, 2)


def test_a_total_counts_pairs_of_all_applications() -> None:
    both = total([agreement(LABELS, (1, 1, 2, 3)), agreement(LABELS, (1, 2, 3, 4))])
    assert both.distinct == (10 / 11, 1.0)
    assert both.near_duplicates == (1.0, 1 / 2)


@pytest.mark.parametrize("states", [0, 1])
def test_without_pairs_nothing_is_wrong(states: int) -> None:
    found = agreement("x" * states, "1" * states)
    assert found.distinct == found.near_duplicates == (1.0, 1.0)
    assert total([]) == Agreement()
