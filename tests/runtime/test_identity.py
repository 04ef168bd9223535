"""What makes a state, in whole crawls of small pages: as many states as a person sees."""

import asyncio
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from statecrawl.journal.fold import Crawl, fold
from statecrawl.model.event import BACK
from statecrawl.runtime.assemble import crawl
from statecrawl.runtime.outcome import Outcome
from statecrawl.runtime.plan import CrawlPlan, Limits
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite import open_reader
from tests.browser.stage import Stand, document

pytestmark = pytest.mark.browser

MOST_STATES = 30  # the pages have fewer


def crawled(out: Path, html: str, **changed: Any) -> tuple[Outcome, Crawl]:
    """Crawl a page; what came of it, and the model."""

    async def run() -> Outcome:
        stand = Stand()
        stand.routes["/"] = document(html)
        await stand.open()
        limits = Limits(states=MOST_STATES)
        plan = CrawlPlan(url=stand.url, out=out, screenshots=False, report=False, reset_cost=5.0, limits=limits)
        try:
            return await crawl(replace(plan, **changed), lambda _: None, lambda _: None)
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
