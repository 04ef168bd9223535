"""What makes a state, in whole crawls of small pages: as many states as a person sees."""

import asyncio
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from statecrawl.config.plan import CrawlLimits, CrawlPlan, Scope
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.learning_budget import LearningBudget
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.outcome import Outcome
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.model.event import BACK
from statecrawl.results.explanation import explain
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_reader
from tests.browser.stage import Stand, document, let_learn

pytestmark = pytest.mark.browser

MOST_STATES = 30  # the pages have fewer


def crawled(
    out: Path, html: str, begun: Callable[[CrawlLoop], None] = let_learn, **changed: Any
) -> tuple[Outcome, FoldedCrawl]:
    """Crawl a page; what came of it, and the model."""

    async def run() -> Outcome:
        stand = Stand()
        stand.routes["/"] = document(html)
        await stand.open()
        limits = CrawlLimits(states=MOST_STATES)
        plan = CrawlPlan(
            url=stand.url, out=out, learn_states=1, screenshots=False, report=False, reset_cost=5.0, limits=limits
        )
        try:
            return await crawl(replace(plan, **changed), begun, lambda _: None)
        finally:
            await stand.close()

    outcome = asyncio.run(run())
    with closing(open_reader(out / JOURNAL_NAME)) as reader:
        return outcome, fold(reader.read())


ROUTES = """<a href="#/sea">sea</a> <a href="#/land">land</a><h1></h1><script>
const show = () => { document.querySelector('h1').textContent = (location.hash || '#/sea').slice(2); };
addEventListener('hashchange', show); show();</script>"""


@pytest.mark.parametrize("strategy", ["probability", "greedy", "breadth-first"])
def test_going_back_is_recorded_and_makes_no_states(tmp_path: Path, strategy: str) -> None:
    outcome, found = crawled(tmp_path, ROUTES, strategy=strategy)
    graph = found.graph
    assert (outcome.states, outcome.complete, outcome.diverged) == (2, True, 0)
    back = [(state, target) for state, place, target in graph.transitions() if graph.event(state, place).local == BACK]
    assert len(back) == 2, "it was fired in both states, once in each"
    assert (1, 0) in back
    for state, place, _ in graph.transitions():
        assert graph.travels(state, place) == (graph.event(state, place).local != BACK)


# -- what a page notes for itself --

# Pages, and how many states a person sees in each.
NOTED = {
    "a class where the pointer is": (
        """<ul><li>one</li><li>two</li><li>three</li></ul><script>for (const li of document.querySelectorAll('li')) {
        li.onmouseenter = () => li.classList.add('lit'); li.onmouseleave = () => li.classList.remove('lit');
        li.onclick = () => {}; }</script>""",
        1,
    ),
    "a class where the focus is or was": (
        """<input id=a><input id=b><script>for (const id of ['a', 'b']) {
        byId(id).onfocus = () => byId(id).classList.add('near', 'ring');
        byId(id).onblur = () => { byId(id).classList.remove('near', 'ring'); byId(id).classList.add('known'); };
        byId(id).oninput = (event) => { event.target.value = ''; }; }</script>""",
        1,
    ),
    "a class and an attribute where the focus is, beside a clock": (
        """<i></i><input id=a><focus-ring></focus-ring><script>let ticks = 0;
        setInterval(() => { document.querySelector('i').textContent = ++ticks; }, 1000);
        const mark = (on) => { byId('a').classList.toggle('near', on);
        document.querySelector('focus-ring').toggleAttribute('visible', on); };
        byId('a').onfocus = () => mark(true); byId('a').onblur = () => mark(false);
        byId('a').oninput = (event) => { event.target.value = ''; };</script>""",
        1,
    ),
    "an attribute where the pointer is": (
        """<a id=a href=#>one</a> <a id=b href=#>two</a><script>for (const id of ['a', 'b']) {
        byId(id).onmouseenter = () => { byId(id).dataset.hot = 'yes'; };
        byId(id).onmouseleave = () => { delete byId(id).dataset.hot; }; }</script>""",
        1,
    ),
    "links within the page": (
        "<a href=#all>all</a> <a href=#some>some</a> <a href=#>top</a><p id=all>all</p><p id=some>some</p>",
        1,
    ),
    "ids and numbers that count up": (
        """<button id=draw>draw</button><div id=place></div><script>let n = 0; byId('draw').onclick = () => {
        const id = 'field-' + (++n); byId('place').innerHTML = `<label for=${id} data-key=${++n}>name</label>
        <input id=${id} aria-describedby=${id}-help name=${id}><a href=#${id}-help>help</a><i id=${id}-help>help</i>`;
        }; byId('draw').click()</script>""",
        2,  # with and without something in the field
    ),
    "ids that count up while other things change": (
        """<button id=turn>turn</button><p></p><script>let n = 0; byId('turn').onclick = () => { n += 1;
        document.querySelector('p').innerHTML = `<b id=side-${n}>${n % 3}</b>` }; byId('turn').click()</script>""",
        3,
    ),
}

# The same differences, where a person sees them or they stay.
SHOWN = {
    "a class where the pointer was last": (
        """<ul><li>one</li><li>two</li></ul><script>const all = document.querySelectorAll('li'); for (const li of all)
        li.onclick = () => { for (const other of all) other.className = other === li ? 'chosen' : ''; }</script>""",
        3,
    ),
    "a class that shows a text where the pointer is": (
        """<style>.tip { display: none } .lit .tip { display: block }</style><p id=a>word <b class=tip>meaning</b></p>
        <script>byId('a').onmouseenter = () => byId('a').classList.add('lit');
        byId('a').onmouseleave = () => byId('a').classList.remove('lit')</script>""",
        2,
    ),
    "a class for the pointer and for more": (
        """<ul><li>one</li><li>two</li></ul><script>const all = document.querySelectorAll('li'); let at = all[0];
        const show = (over) => { for (const li of all) li.className = li === at || li === over ? 'lit' : ''; };
        for (const li of all) { li.onmouseenter = () => show(li); li.onmouseleave = () => show(null);
        li.onclick = () => { at = li; show(li); }; } show(null)</script>""",
        3,  # the first is lit, the second, or both
    ),
    "a number that a style shows": (
        """<style>#stars::after { content: attr(data-stars) }</style><button id=more>more</button><p id=stars
        data-stars=0></p><script>byId('more').onclick = () => { const shown = byId('stars').dataset;
        shown.stars = (+shown.stars + 1) % 5; }</script>""",
        5,
    ),
    "a number that goes up and down": (
        """<button id=turn>turn</button><p id=p data-side=0>text</p><script>byId('turn').onclick = () => {
        const told = byId('p').dataset; told.side = told.side === '0' ? 1 : 0; }</script>""",
        2,
    ),
}


TURNS = """<button id=turn>turn</button><p id=p hidden>0</p><script>let n = 0; byId('turn').onclick = () => {
n = (n + 1) % 3; byId('p').textContent = n; }</script>"""


def test_hidden_content_counts_unless_it_is_ignored(tmp_path: Path) -> None:
    assert crawled(tmp_path / "all", TURNS)[0].states == 3
    told = explain(tmp_path / "all", "0", "1")
    assert told.only_hidden
    assert crawled(tmp_path / "shown", TURNS, ignore_hidden=True)[0].states == 1


def test_going_back_can_be_left_out(tmp_path: Path) -> None:
    outcome, found = crawled(tmp_path, ROUTES, scope=Scope(deny_events=(BACK,)))
    assert (outcome.states, outcome.transitions) == (2, 4)
    assert list(found.refusals.values()) == [2], "it is counted where it could have been fired"


@pytest.mark.parametrize("what", [*NOTED, *SHOWN])
def test_as_many_states_as_a_person_sees(tmp_path: Path, what: str) -> None:
    html, states = (NOTED | SHOWN)[what]
    outcome, found = crawled(tmp_path, html)
    assert (outcome.states, outcome.complete, outcome.diverged) == (states, True, 0), found.rules


def test_what_there_was_no_time_for_is_compared_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("statecrawl.crawler.learning_budget.FREE_SECONDS", 0.0)
    html, states = NOTED["an attribute where the pointer is"]
    outcome, found = crawled(tmp_path, html, lambda _: None)
    assert (outcome.states, outcome.complete) == (states, True), found.rules


@pytest.mark.parametrize("what", ["ids and numbers that count up", "ids that count up while other things change"])
def test_counters_do_not_wait_for_the_share_of_learning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """They would make states without end, and cost no more than a question about styles."""
    monkeypatch.setattr(LearningBudget, "missing", property(lambda _: 60.0))
    html, states = NOTED[what]
    outcome, found = crawled(tmp_path, html)
    assert (outcome.states, outcome.complete) == (states, True), found.rules


NOTING = """<style>%s</style><form><label><input type=checkbox class=pristine> tick</label></form><script>
document.querySelector('input').addEventListener('change', (e) => { e.target.className = 'dirty'; });</script>"""


@pytest.mark.parametrize(("style", "states"), [("p { color: red }", 2), (".dirty { outline: 1px solid }", 3)])
def test_what_fields_note_makes_states_only_where_it_can_be_seen(tmp_path: Path, style: str, states: int) -> None:
    outcome, _ = crawled(tmp_path, NOTING % style)
    assert (outcome.states, outcome.complete) == (states, True)
