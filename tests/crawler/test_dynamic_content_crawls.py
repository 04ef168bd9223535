"""Dynamic content in a real Chromium: it makes no states, and `explain` lists rejected candidates."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from aiohttp import web

from statecrawl.config.plan import CrawlLimits, CrawlPlan
from statecrawl.crawler import state_rules, stored_normal_forms
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.outcome import Outcome
from statecrawl.errors import StoreError
from statecrawl.journal.facts import EquivalenceRevised, Fact, StateFound, TransitionExplored
from statecrawl.journal.fold import fold
from statecrawl.results.explanation import explain
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceReader
from statecrawl.stores.sqlite_journal import SqliteJournal, open_reader
from tests.browser.stage import Handler, Stand, document, let_learn

pytestmark = pytest.mark.browser

FILLING = "".join(f"<p>paragraph {n}</p>" for n in "abcdefghijkl")
# A framework that listens everywhere: to the card around the counter, and to the counter itself.
DESK = document("""<section><div class=card><b>Desk</b> <i></i></div><div class=queue></div></section><h1></h1>
FILLING<button id=day>day</button><button id=night>night</button><script>
  const show = async (when) => {
    const ticket = await (await fetch('/ticket')).text();
    document.querySelector('i').textContent = 'ticket ' + ticket;
    document.querySelector('.queue').textContent = ticket + ' waiting';
    document.querySelector('h1').textContent = when;
  };
  for (const element of document.querySelectorAll('.card, .queue')) element.addEventListener('click', () => {});
  byId('day').onclick = () => show('day');
  byId('night').onclick = () => show('night');
  show('day');
</script>""").replace("FILLING", FILLING)


def crawled(
    tmp_path: Path, page: str | Handler, change: Callable[[CrawlPlan], CrawlPlan] = lambda plan: plan
) -> Outcome:
    """Crawl a page that can ask for the number of the next ticket."""
    numbers = count(100)

    async def ticket(request: web.Request) -> web.StreamResponse:
        return web.Response(text=str(next(numbers)))

    async def run() -> Outcome:
        stand = Stand()
        stand.routes.update({"/": page, "/ticket": ticket})
        await stand.open()
        plan = CrawlPlan(
            url=stand.url, out=tmp_path / "crawl", screenshots=False, reset_cost=5.0, limits=CrawlLimits(states=20)
        )
        try:
            return await crawl(change(plan), let_learn, lambda _: None)
        finally:
            await stand.close()

    return asyncio.run(run())


def test_a_counter_on_or_below_an_element_with_a_listener_makes_no_states(tmp_path: Path) -> None:
    outcome = crawled(tmp_path, DESK)
    assert (outcome.states, outcome.complete) == (2, True)


def test_the_same_counter_makes_states_when_nothing_is_learned(tmp_path: Path) -> None:
    """The test above would prove nothing if the page were stable by itself."""
    outcome = crawled(tmp_path, DESK, lambda plan: replace(plan, learn_states=0))
    assert outcome.states == 20


@pytest.mark.parametrize(
    "time",
    [
        "let ticks = 0; setInterval(() => tell(++ticks), 1000);",
        "let ticks = 0; const tick = () => { tell(++ticks); setTimeout(tick, 10); }; tick();",
        "byId('save').onclick = () => tell('saved at ' + new Date().toLocaleTimeString());",
    ],
    ids=["interval", "time-outs", "time of day after an event"],
)
def test_a_time_that_passes_or_shows_only_later_makes_no_states(tmp_path: Path, time: str) -> None:
    page = document("""<h1></h1><i>ready</i>FILLING<script>
      for (const id of ['on', 'off', 'save']) document.body.appendChild(document.createElement('button')).id = id;
      const tell = (text) => { document.querySelector('i').textContent = text; };
      for (const name of ['on', 'off']) byId(name).onclick = () => { document.querySelector('h1').textContent = name; };
      TIME
    </script>""")
    outcome = crawled(tmp_path, page.replace("FILLING", FILLING).replace("TIME", time))
    assert (outcome.states, outcome.complete) == (3, True)


def test_explain_tells_what_was_not_taken_for_dynamic_content(tmp_path: Path) -> None:
    """Whether there is a banner depends on the time; most of the time there is none."""
    page = document("""<h1></h1><button id=on>on</button><button id=off>off</button><script>
      const even = Math.floor(Date.now() / 1000) % 2 === 0;
      if (!even) document.body.append(Object.assign(document.createElement('q'), { textContent: 'odd' }));
      for (const name of ['on', 'off']) byId(name).onclick = () => { document.querySelector('h1').textContent = name; };
    </script>""")
    crawled(tmp_path, page)
    told = explain(tmp_path / "crawl", "0", "1")
    assert [(place.rpartition("/")[2], what) for place, what, _ in told.rejected] == [("q", "node")]
    assert told.rejected[0][2] == "only one of three loads differs"


# The counter is in no name of an event, so nothing that was found has to be found again.
ROOMS = document("""<h1>hall</h1><i></i>FILLING<script>
  const names = ['attic', 'bath', 'cellar', 'hall'];
  const show = async () => { document.querySelector('i').textContent = await (await fetch('/ticket')).text(); };
  for (const name of names) {
    const button = document.body.appendChild(document.createElement('button'));
    button.id = name;
    button.onclick = async () => { await show(); document.querySelector('h1').textContent = name; };
  }
  show();
</script>""").replace("FILLING", FILLING)


def halves(facts: list[Fact], at: int) -> tuple[list[Fact], list[Fact]]:
    return facts[:at], facts[at:]


def test_what_was_found_is_kept_when_a_rule_is_learnt(tmp_path: Path) -> None:
    """The search gets its pages only when the crawl has fired some events."""
    tickets, loads, enough = count(), count(), asyncio.Event()

    async def ticket(request: web.Request) -> web.StreamResponse:
        number = next(tickets)
        if number == 6:
            enough.set()
        return web.Response(text=str(number))

    async def home(request: web.Request) -> web.StreamResponse:
        if next(loads):
            await enough.wait()
        return web.Response(text=ROOMS, content_type="text/html")

    async def run() -> Outcome:
        stand = Stand()
        stand.routes.update({"/": home, "/ticket": ticket})
        await stand.open()
        plan = CrawlPlan(
            url=stand.url, out=tmp_path / "crawl", screenshots=False, reset_cost=5.0, strategy="greedy",
            limits=CrawlLimits(events=200),
        )  # fmt: skip
        try:
            return await crawl(plan, let_learn, lambda _: None)
        finally:
            await stand.close()

    outcome = asyncio.run(run())
    assert (outcome.states, outcome.transitions, outcome.complete) == (4, 16, True)
    facts = list(open_reader(tmp_path / "crawl" / JOURNAL_NAME).read())
    (revised,) = [place for place, fact in enumerate(facts) if isinstance(fact, EquivalenceRevised)]
    parts = [[fact.fired for fact in part if isinstance(fact, TransitionExplored)] for part in halves(facts, revised)]
    assert parts[1][0] == parts[0][0], "what is known is told again"
    evidence = EvidenceReader(tmp_path / "crawl")
    for state in fold(facts).graph.ids:
        assert evidence.about(state)["state"] == state
        assert "paragraph" in evidence.html(state)
        assert 'i\x1f"' not in evidence.about(state)["normal"]
    assert explain(tmp_path / "crawl", "0", "1").rules


# Only one room has a field, and a class that notes the focus.
HOUSE = document("""<h1>hall</h1>FILLING<div id=more></div><script>
  const enter = (name) => {
    document.querySelector('h1').textContent = name;
    byId('more').innerHTML = name === 'cellar' ? '<div id=box><input id=field></div>' : '';
    if (name !== 'cellar') return;
    byId('field').onfocus = () => { byId('box').className = 'on'; };
    byId('field').onblur = () => { byId('box').className = ''; };
  };
  for (const name of ['attic', 'bath', 'cellar', 'hall']) {
    const button = document.body.appendChild(document.createElement('button'));
    button.id = name;
    button.onclick = () => enter(name);
  }
</script>""").replace("FILLING", FILLING)


def test_what_an_earlier_run_found_is_kept_when_a_rule_is_learnt(tmp_path: Path) -> None:
    def change(plan: CrawlPlan, states: int | None) -> CrawlPlan:
        return replace(plan, name="house", strategy="breadth-first", limits=CrawlLimits(states=states))

    assert crawled(tmp_path, HOUSE, lambda plan: change(plan, 3)).ended_because == "max-states"
    outcome = crawled(tmp_path, HOUSE, lambda plan: change(plan, None))
    assert (outcome.states, outcome.rules, outcome.complete) == (5, 1, True)
    found = [fact for fact in open_reader(tmp_path / "crawl" / JOURNAL_NAME).read() if isinstance(fact, StateFound)]
    assert len({fact.at for fact in found if fact.state == found[0].state}) == 1, "the first state was met once"


@pytest.mark.parametrize(("most", "runs"), [(1, [None]), (3, [3, None])], ids=["in one run", "in two runs"])
def test_no_rule_is_learnt_that_would_cost_what_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, runs: list[int | None]
) -> None:
    for module in (stored_normal_forms, state_rules):
        monkeypatch.setattr(module, "MOST_FORMS", most)
    for states in runs:

        def change(plan: CrawlPlan, states: int | None = states) -> CrawlPlan:
            return replace(plan, name="house", strategy="greedy", limits=CrawlLimits(states=states))

        outcome = crawled(tmp_path, HOUSE, change)
    assert (outcome.rules, outcome.ended_because) == (0, "complete")
    assert outcome.states > 5, "the rule would have made one of two"


def test_evidence_is_kept_under_old_ids_until_the_journal_has_the_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = SqliteJournal.append

    def full(journal: SqliteJournal, facts: Sequence[Fact]) -> int:
        if any(isinstance(fact, EquivalenceRevised) for fact in facts):
            raise StoreError("no space")
        return append(journal, facts)

    monkeypatch.setattr(SqliteJournal, "append", full)
    with pytest.raises(StoreError):
        crawled(tmp_path, ROOMS)
    states = fold(open_reader(tmp_path / "crawl" / JOURNAL_NAME).read()).graph.ids
    assert states
    assert EvidenceReader(tmp_path / "crawl").states_without_evidence(states) == []
    monkeypatch.undo()
    assert crawled(tmp_path / "again", ROOMS).rules > 0
    kept = {path.name.partition(".")[0] for path in (tmp_path / "again" / "crawl" / "states").glob("*.html.gz")}
    assert kept <= set(fold(open_reader(tmp_path / "again" / "crawl" / JOURNAL_NAME).read()).graph.ids)


def test_the_clock_of_a_server_is_found_although_loads_may_share_a_second(tmp_path: Path) -> None:
    async def page(_: web.Request) -> web.StreamResponse:
        more = "<button id=more onclick='this.nextElementSibling.hidden = false'>more</button><p hidden>text</p>"
        return web.Response(text=document(f"{FILLING}{more}<i>{int(time.time())}</i>"), content_type="text/html")

    outcome = crawled(tmp_path, page)
    assert (outcome.states, outcome.ended_because) == (2, "complete")
