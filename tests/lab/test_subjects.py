"""Subjects: applications by name, and models in files of every kind."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from statecrawl.errors import BadInput, DamagedJournal, NewerFormat, UnknownName
from statecrawl.journal.facts import CrawlStarted, Fact, StateFound, TransitionDiverged, TransitionExplored
from statecrawl.lab import subjects
from statecrawl.lab.measurement import measure
from statecrawl.lab.subjects import DEFAULT_RESET_COST, is_file_name, load_model, subject
from statecrawl.model.event import Event
from statecrawl.model.exchange import json_format
from statecrawl.model.exchange.formats import FORMATS
from statecrawl.model.graph import Graph
from statecrawl.simulation.crawl import SimulatedCrawl
from statecrawl.stores.sqlite_journal import open_journal
from statecrawl.strategies.registry import make_strategy
from statecrawl.strategies.settings import StrategySettings
from statecrawl.testbed.generated import hypercube, tiny


def journal_of(path: Path, *facts: Fact) -> Path:
    with closing(open_journal(path)) as journal:
        journal.append(facts)
    return path


def model(path: Path, graph: Graph) -> str:
    path.write_text(json_format.dumps(graph))
    return str(path)


def simulates(truth: Graph) -> bool:
    """Whether a crawl of this model ends and finds all of it."""
    crawl = SimulatedCrawl(truth, make_strategy("greedy", Graph(), StrategySettings()))
    crawl.run()
    return crawl.finished and crawl.graph.same_as(truth)


def test_an_application_by_name() -> None:
    assert subject("hypercube:3").truth.same_as(hypercube(3).truth)
    with pytest.raises(UnknownName, match="did you mean tiny"):
        subject("tyni")


@pytest.mark.parametrize(
    "name", ["a/tiny", "./tiny", "tiny.json", "X.JSON", "x.graphml", "x.dot", "x.mmd", "x.journal"]
)
def test_names_that_mean_a_file(name: str) -> None:
    assert is_file_name(name)


@pytest.mark.parametrize("name", ["tiny", "hypercube:3", "no-such-thing", "", "x" * 5000, "json"])
def test_names_that_mean_an_application(name: str) -> None:
    assert not is_file_name(name)


def test_a_file_is_a_file_unless_an_application_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("mine", "tiny"):
        Path(name).touch()
    assert is_file_name("mine")
    assert not is_file_name("tiny")


@pytest.mark.parametrize("name", FORMATS)
def test_a_model_in_every_format(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"model{FORMATS[name].suffix}"
    path.write_text(FORMATS[name].dumps(tiny().truth), encoding="utf-8")
    app = subject(str(path))
    assert app.truth.same_as(tiny().truth)
    assert (app.name, app.title, app.reset_cost) == (
        path.name,
        "recorded model, assuming a reset cost of 2",
        DEFAULT_RESET_COST,
    )


@pytest.mark.parametrize("name", ["crawl.journal", "CRAWL.JOURNAL", "crawl.db", "crawl.json"])
def test_a_journal_under_any_name_contains_the_reset_cost(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    with closing(open_journal(path)) as journal:
        measure(hypercube(3), "menu", StrategySettings(reset_cost=3.5), journal=journal)
    app = subject(str(path))
    assert app.truth.same_as(hypercube(3).truth)
    assert app.reset_cost == 3.5


def test_the_folder_of_a_crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "crawl-host").mkdir()
    assert not is_file_name("crawl-host")
    journal_of(tmp_path / "crawl-host" / "crawl.journal", StateFound.of("a", [Event.named("go")]))
    assert is_file_name("crawl-host")
    assert load_model(Path("crawl-host"))[0].ids == ["a"]


def test_a_journal_without_a_reset_cost(tmp_path: Path) -> None:
    states = StateFound(state="A", events=("a",)), TransitionExplored(state="A", event="a", target="A")
    assert subject(str(journal_of(tmp_path / "a.journal", *states))).reset_cost == DEFAULT_RESET_COST


@pytest.mark.parametrize(("cost", "shown"), [(-5.0, "-5.0"), (1e300, r"1e\+300"), (1_000_001.0, "1000001.0")])
def test_a_journal_with_an_impossible_reset_cost(cost: float, shown: str, tmp_path: Path) -> None:
    started = CrawlStarted(application="x", configuration={}, reset_cost=cost)
    states = StateFound(state="A", events=("a",)), TransitionExplored(state="A", event="a", target="A")
    path = journal_of(tmp_path / "a.journal", started, *states)
    with pytest.raises(BadInput, match=rf"a\.journal is {shown} events, but only 0 to 1,000,000"):
        subject(str(path))
    assert load_model(path)[0].explored == 1  # it can still be exported


@pytest.mark.parametrize("cost", ["NaN", "1e999", "-Infinity", "null"])
def test_a_journal_whose_reset_cost_is_not_a_number(cost: str, tmp_path: Path) -> None:
    line = f'{{"kind":"started","v":1,"application":"x","configuration":{{}},"reset_cost":{cost}}}\n'
    path = tmp_path / "a.journal"
    with closing(open_journal(path)) as journal:
        journal._chain.add(line.encode())
    with pytest.raises(DamagedJournal, match="line 1 of the journal is "):
        subject(str(path))


@pytest.mark.parametrize("cost", [0.0, 1e6])
def test_the_least_and_the_most_that_a_reset_may_cost(cost: float, tmp_path: Path) -> None:
    started = CrawlStarted(application="x", configuration={}, reset_cost=cost)
    states = StateFound(state="A", events=("a",)), TransitionExplored(state="A", event="a", target="A")
    assert subject(str(journal_of(tmp_path / "a.journal", started, *states))).reset_cost == cost


@pytest.mark.parametrize("name", ["pipe.json", "pipe.journal", "pipe"])
def test_a_pipe_is_no_model_even_behind_a_link(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / name).symlink_to("fifo")
    with pytest.raises(BadInput, match="is a pipe or a device: copy the model into a file and pass that"):
        load_model(tmp_path / name)


def test_a_link_to_a_model_is_a_model(tmp_path: Path) -> None:
    model(tmp_path / "real.json", tiny().truth)
    (tmp_path / "link.json").symlink_to("real.json")
    assert load_model(tmp_path / "link.json")[0].same_as(tiny().truth)


def test_only_the_explored_part_is_simulated(tmp_path: Path) -> None:
    graph = Graph()
    for state, names in (("A", "abc"), ("B", "ab"), ("unreachable", "a")):
        graph.add_state(state, [Event.named(name) for name in names])
    graph.explore(0, 1, 1)
    graph.explore(1, 1, 0)
    graph.explore(2, 0, 0)
    app = subject(model(tmp_path / "part.json", graph))
    assert app.truth.facts() == {"A": {Event.named("b"): "B"}, "B": {Event.named("b"): "A"}}
    assert app.title == "recorded model, 3 unexplored events left out, assuming a reset cost of 2"
    assert simulates(app.truth)


def test_the_first_target_of_a_nondeterministic_event_counts(tmp_path: Path) -> None:
    facts: list[Fact] = [
        CrawlStarted(application="x", configuration={}, reset_cost=2.0),
        StateFound(state="A", events=("a",)),
        StateFound(state="B", events=("b",)),
        TransitionExplored(state="A", event="a", target="B"),
        TransitionExplored(state="B", event="b", target="A"),
        *(TransitionDiverged(state="A", event="a", expected="B", landed="A", incident=time) for time in (1, 2, 3)),
    ]
    app = subject(str(journal_of(tmp_path / "a.journal", *facts)))
    assert len(app.truth) == 2
    assert simulates(app.truth)


def test_nothing_to_simulate(tmp_path: Path) -> None:
    lonely = Graph()
    lonely.add_state("A", [Event.named("a")])
    for number, graph in enumerate((Graph(), lonely)):
        with pytest.raises(BadInput, match="nothing to simulate"):
            subject(model(tmp_path / f"{number}.json", graph))
    with pytest.raises(BadInput, match="nothing to simulate"):
        subject(str(journal_of(tmp_path / "empty.journal")))


def test_a_name_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "caf\udce9.json"  # a byte of another encoding
    path.write_text(json_format.dumps(tiny().truth))
    assert subject(str(path)).name == "caf\\udce9.json"


def test_a_name_with_control_characters(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2Jb.json"
    assert subject(model(path, tiny().truth)).name == "a\\x1b[2Jb.json"


def test_a_model_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subjects, "MAX_MODEL_BYTES", 10)
    path = tmp_path / "large.json"
    model(path, tiny().truth)
    with pytest.raises(BadInput, match="record such a model as a journal"):
        load_model(path)


def test_errors_name_the_file(tmp_path: Path) -> None:
    for name, text, error in (
        ("cut.json", '{"format"', BadInput),
        ("newer.json", '{"format": "statecrawl-model", "version": 2, "states": []}', NewerFormat),
        ("none.txt", "", BadInput),
        ("text.journal", "text", DamagedJournal),
    ):
        path = tmp_path / name
        path.write_text(text)
        with pytest.raises(error, match=name):
            load_model(path)
