"""Labels of a person: each state has exactly one, in several readings."""

import pytest

from bench.labels import labels, recording
from bench.labels.crawls import LABELLED
from bench.labels.labels import WrongLabels, grouped, plainly, template, with_fields, without_objects
from statecrawl.journal.facts import StateFound

LEAST_STATES = 30


def test_states_get_their_groups_in_the_order_of_the_sheet() -> None:
    assert list(grouped(["a", "b", "c"], {"one": [1, 3], "two": [2]}).items()) == [
        ("a", "one"),
        ("b", "two"),
        ("c", "one"),
    ]


@pytest.mark.parametrize("groups", [{"one": [1]}, {"one": [1, 2], "two": [2]}, {"one": [1, 3]}, {"one": [0, 1]}])
def test_a_state_without_a_label_or_with_two_is_an_error(groups: dict[str, list[int]]) -> None:
    with pytest.raises(WrongLabels):
        grouped(["a", "b"], groups)


def test_readings_join_more_or_fewer_groups() -> None:
    names = ["item (lamp), about", "item (desk), about", "item (desk), about | typed"]
    assert [len({reading(name) for name in names}) for reading in (with_fields, plainly, without_objects)] == [3, 2, 1]


def test_a_file_begins_without_groups() -> None:
    assert template(["a", "b"]).split() == ["states", "=", "[", '"a",', '"b",', "]", "[groups]"]


@pytest.mark.parametrize("name", LABELLED)
def test_labelled_states_are_states_of_the_recorded_crawl(name: str) -> None:
    labelled = labels.read(labels.labels_of(name))
    found = {fact.state for fact in recording.read(recording.recording_of(name)) if isinstance(fact, StateFound)}
    assert len(labelled) >= LEAST_STATES
    assert labelled.keys() <= found
