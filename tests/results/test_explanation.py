"""Explanations list every difference of two states with its place, and nothing else."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.errors import BadInput, DamagedJournal
from statecrawl.results.explanation import StateDifference, explain
from statecrawl.stores.evidence import JOURNAL_NAME
from tests.crawler.crawl_folder import ONE, SNAPSHOTS, THREE, TWO, crawl_folder, element, snapshot, text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return crawl_folder(tmp_path / "crawl")


def test_every_difference_is_listed_with_its_place(folder: Path) -> None:
    told = explain(folder, "0", "1")
    assert (told.one, told.other, told.same) == (ONE, TWO, False)
    assert told.urls == ("http://host/cart", "http://host/cart?n=4")
    assert told.differences == (
        StateDifference(
            place="#total",
            one=('style="color: red"', "text '3 items'"),
            other=('style="color: green"', "text '4 items'"),
        ),
        StateDifference(place="#buy", one=("<button>", "text 'Go'"), other=()),
        StateDifference(place="events", one=("click button#buy",), other=("click a#empty",)),
        StateDifference(place="#empty", one=(), other=("<a>", "text 'Empty'")),
    )
    assert told.events_only_in_one == ("click button#buy",)
    assert told.events_only_in_other == ("click a#empty",)


def test_a_state_and_itself(folder: Path) -> None:
    told = explain(folder, "0", ONE)
    assert told.same
    assert (told.differences, told.events_only_in_one, told.events_only_in_other) == ((), (), ())


def test_the_equivalence_and_the_rules_are_listed(tmp_path: Path) -> None:
    rules = (("#clock", "text"), ("#ad", "node"))
    told = explain(crawl_folder(tmp_path / "crawl", rules=rules, equivalence="structure"), "0", "1")
    assert (told.equivalence, told.rules) == ("structure", rules)


def test_differences_in_two_places_are_listed_separately(tmp_path: Path) -> None:
    def page(state: str, first: str, second: str) -> list[tuple[str, ...]]:
        return [
            *element("#a", "p", text("#a", first)),
            *element("#b", "p", text("#b", "same")),
            *element("#c", "p", text("#c", second)),
        ]

    seen = [
        snapshot(ONE, page(ONE, "1", "2")),
        snapshot(TWO, page(TWO, "1", "3")),
        snapshot(THREE, page(THREE, "9", "8")),
    ]
    folder = crawl_folder(tmp_path / "crawl", seen)
    assert [difference.place for difference in explain(folder, "0", "1").differences] == ["#c"]
    assert [difference.place for difference in explain(folder, "0", "2").differences] == ["#a", "#c"]


def test_hidden_differences_are_recognised(tmp_path: Path) -> None:
    def page(hidden: str, shown: str, *, hides: bool = True) -> list[tuple[str, ...]]:
        words = element("#box/b", "b", text("#box/b", hidden))
        inside = [("#box", "-", "hidden"), *words] if hides else words
        return [*element("#box", "div", *inside), *element("#p", "p", text("#p", shown))]

    pages = [page("1", "a"), page("2", "a"), page("2", "b"), page("2", "a", hides=False)]
    ids = [f"{number:024x}" for number in range(len(pages))]
    folder = crawl_folder(tmp_path / "crawl", [snapshot(*seen) for seen in zip(ids, pages, strict=True)])
    assert [explain(folder, "0", other).only_hidden for other in "0123"] == [False, True, False, False]
    assert [difference.place for difference in explain(folder, "0", "1").differences] == ["#box/b"]


@settings(deadline=None, max_examples=30)
@given(*(st.lists(st.sampled_from(["a", "b", "c"]), max_size=6) for _ in range(2)))
def test_the_differences_turn_one_state_into_the_other(
    tmp_path_factory: pytest.TempPathFactory, one: list[str], other: list[str]
) -> None:
    """Text listed for one side occurs there and not in the other."""
    seen = [
        snapshot(state, [line for words in listed for line in element("/p", "p", text("/p", words))])
        for state, listed in ((ONE, one), (TWO, other))
    ]
    told = explain(crawl_folder(tmp_path_factory.mktemp("crawl") / "c", seen), "0", "1")
    assert (told.differences == ()) == (one == other)
    taken = [words for difference in told.differences for words in difference.one]
    given_ = [words for difference in told.differences for words in difference.other]
    lines = [[words for listed in side for words in ("<p>", f"text '{listed}'")] for side in (one, other)]
    assert sorted([*lines[0], *given_]) == sorted([*lines[1], *taken])


class TestNamingStates:
    @pytest.mark.parametrize(
        ("name", "state"),
        [
            ("0", ONE),
            ("2", THREE),
            (ONE, ONE),
            ("aaaa1", ONE),
            ("aaaa9", TWO),
            ("0f0f", THREE),
            (THREE, THREE),
            ("002", THREE),
        ],
    )
    def test_by_number_or_by_the_beginning_of_the_id(self, name: str, state: str, folder: Path) -> None:
        assert explain(folder, name, "1").one == state

    def test_an_id_that_looks_like_a_number(self, tmp_path: Path) -> None:
        ids = ["123456789012345678901234", "1234" + "f" * 20]
        folder = crawl_folder(tmp_path / "crawl", [replace(SNAPSHOTS[0], state=state) for state in ids])
        assert explain(folder, ids[0], "1234f").one == ids[0]

    def test_an_ambiguous_prefix(self, folder: Path) -> None:
        with pytest.raises(BadInput, match=r"^the ids of 2 states start with 'aaaa': write more characters\.$"):
            explain(folder, "aaaa", "0")

    @pytest.mark.parametrize("name", ["3", "-1", "", "aaa", "bbbb", "²", "٣", "1.0", "../x", f"{ONE}0", "9" * 5000])
    def test_there_is_no_such_state(self, name: str, folder: Path) -> None:
        with pytest.raises(BadInput) as caught:
            explain(folder, "0", name)
        said = str(caught.value)
        assert said.startswith(f"there is no state '{name}' in {folder}: use a number from 0 to 2,")
        assert said.endswith("or at least 4 characters of the beginning of an id.")


class TestTrouble:
    def test_a_crawl_without_states(self, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match="has no states yet"):
            explain(crawl_folder(tmp_path / "crawl", []), "0", "1")

    def test_no_crawl_and_none_made(self, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match="there is no crawl in"):
            explain(tmp_path / "nowhere", "0", "1")
        with pytest.raises(BadInput, match="there is no crawl in"):
            explain(tmp_path, "0", "1")
        assert list(tmp_path.iterdir()) == []

    def test_evidence_that_was_removed(self, folder: Path) -> None:
        shutil.rmtree(folder / "states")
        with pytest.raises(BadInput, match=rf"there is no evidence of state {ONE} in {folder}\.$"):
            explain(folder, "0", "1")
        assert not (folder / "states").exists()

    def test_an_invalid_journal(self, folder: Path) -> None:
        (folder / JOURNAL_NAME).write_bytes(b"no journal at all" * 100)
        with pytest.raises(DamagedJournal):
            explain(folder, "0", "1")

    def test_reading_changes_nothing(self, folder: Path) -> None:
        """No file is opened for writing, not even the notes: the directory may be an artifact of a CI build."""
        (folder / "notes.jsonl").unlink()
        states = {path.name: path.read_bytes() for path in (folder / "states").iterdir()}
        explain(folder, "0", "1")
        assert not (folder / "notes.jsonl").exists()
        assert {path.name: path.read_bytes() for path in (folder / "states").iterdir()} == states

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_a_read_only_directory(self, folder: Path) -> None:
        folder.chmod(0o555)
        try:
            assert not explain(folder, "0", "1").same
        finally:
            folder.chmod(0o755)
