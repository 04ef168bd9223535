"""Servers that are down, and requests without an answer: neither becomes a fact about the application."""

import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest
from aiohttp import web

from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.outcome import Outcome
from statecrawl.errors import SiteUnreachable
from statecrawl.journal.facts import EventHung, EventRefused, StateFound, TransitionDiverged
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceReader
from statecrawl.stores.sqlite_journal import open_reader
from tests.browser.stage import Stand, document
from tests.cli.deaths import browsers_of
from tests.crawler.house import ROOMS, HouseServer, crawled_house

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("status", [0, 503])
@pytest.mark.parametrize("strategy", ["greedy", "probability"])
def test_what_a_server_that_is_down_does_not_answer_is_no_fact(tmp_path: Path, status: int, strategy: str) -> None:
    house = HouseServer(lasts=20, status=status)
    with pytest.raises(SiteUnreachable):
        crawled_house(house, tmp_path / "crawl", strategy=strategy)
    facts = list(open_reader(tmp_path / "crawl" / JOURNAL_NAME).read())
    assert len(facts) > 10
    assert not any(isinstance(fact, TransitionDiverged | EventRefused | EventHung) for fact in facts)
    house.left = 10**9
    outcome = crawled_house(house, tmp_path / "crawl", strategy=strategy).outcome()
    assert (outcome.states, outcome.transitions) == (ROOMS + 1, ROOMS * (ROOMS + 1) + 1)
    assert (outcome.complete, outcome.diverged, outcome.refused) == (True, 0, 0)


def test_what_never_answers_is_how_the_application_is(tmp_path: Path) -> None:
    outcome = crawled_house(HouseServer(walled=3), tmp_path / "crawl").outcome()
    assert (outcome.states, outcome.transitions, outcome.complete) == (ROOMS, (ROOMS - 1) * (ROOMS + 1) + 1, True)
    assert outcome.diverged == 0
    assert outcome.resets <= 4  # it was doubted twice, its address was not any more; once, the hall waited for the gate


@pytest.mark.parametrize(("deaths", "crashed"), [(3, 0), (4, 1)])
def test_an_event_is_blamed_for_the_death_of_its_browser_only_in_the_end(
    tmp_path: Path, deaths: int, crashed: int
) -> None:
    """Somebody kills browsers, and three times running while the same event is fired."""
    house, died = HouseServer(), 0

    async def deadly(request: web.Request) -> web.StreamResponse:
        nonlocal died
        if died < deaths:
            died += 1
            for browser in browsers_of(os.getpid()):
                os.kill(browser, signal.SIGKILL)
        return await house.answer(request)

    house.stand.routes["/room/3"] = deadly
    outcome = crawled_house(house, tmp_path / "crawl").outcome()
    assert (outcome.complete, outcome.crashed, outcome.diverged) == (not crashed, crashed, 0)
    assert outcome.transitions == ROOMS * (ROOMS + 1) + 1 - crashed


SWALLOWED = 5.0  # seconds: longer than a page waits for an answer


class Flaky:
    """A page whose script, style sheet and data come from the server, which drops some of the requests."""

    PAGE = document(
        "<h1>nothing</h1><button id=more>more</button><link rel=stylesheet href=/style.css>"
        "<script src=/app.js></script>"
    )
    APP = (
        "fetch('/data').then((answer) => answer.text()).then((text) => {"
        " document.querySelector('h1').textContent = text; });"
        "byId('more').onclick = () => fetch('/more').then((answer) => answer.text()).then((text) => {"
        " document.querySelector('h1').textContent += text; });"
    )
    KINDS: ClassVar = {
        "/": (PAGE, "text/html"), "/app.js": (APP, "text/javascript"), "/style.css": ("h1 { color: red }", "text/css"),
        "/data": ("data", "text/plain"), "/more": (" and more", "text/plain"),
    }  # fmt: skip

    def __init__(self, path: str, drops: Callable[[int], bool], *, half: bool = False, swallows: bool = False) -> None:
        self.stand = Stand()
        self.asked = 0  # for that path
        self._path, self._drops, self._half, self._swallows = path, drops, half, swallows
        for each in self.KINDS:
            self.stand.routes[each] = self.answer

    async def answer(self, request: web.Request) -> web.StreamResponse:
        text, kind = self.KINDS[request.path]
        dropped = False
        if request.path == self._path:
            self.asked += 1
            dropped = self._drops(self.asked)
        if not dropped:
            return web.Response(text=text, content_type=kind)
        half = web.StreamResponse(headers={"Content-Length": str(len(text)), "Content-Type": kind})
        if self._half:
            await half.prepare(request)
            await half.write(text[:2].encode())
        if self._swallows:
            await asyncio.sleep(SWALLOWED)
        assert request.transport is not None
        request.transport.abort()
        return half


def crawled_flaky(flaky: Flaky, out: Path) -> Outcome:
    async def run() -> Outcome:
        await flaky.stand.open()
        limits = CrawlPlan(url="http://127.0.0.1/", out=out).limits
        plan = CrawlPlan(
            url=flaky.stand.url, out=out, screenshots=False, learn_states=0, reset_cost=5.0, strategy="greedy",
            limits=replace(limits, states=4),
        )  # fmt: skip
        try:
            return await crawl(plan, lambda _: None, lambda _: None)
        finally:
            await flaky.stand.close()

    return asyncio.run(run())


def titles(out: Path) -> list[str]:
    """What the states show that were found."""
    reader = EvidenceReader(out)
    found = [fact.state for fact in open_reader(out / JOURNAL_NAME).read() if isinstance(fact, StateFound)]
    return [(reader.html(state) or "").partition("<h1>")[2].partition("</h1>")[0] for state in found]


def kinds(outcome: Outcome) -> list[str]:
    return [each.kind for each in outcome.qualifications]


@pytest.mark.parametrize("half", [False, True], ids=["not at all", "half of it"])
@pytest.mark.parametrize("path", ["/app.js", "/data", "/more"])
def test_what_does_not_come_once_is_asked_for_again(tmp_path: Path, path: str, half: bool) -> None:
    flaky = Flaky(path, lambda time: time == 2 if path == "/more" else time == 1, half=half)
    outcome = crawled_flaky(flaky, tmp_path / "crawl")
    assert titles(tmp_path / "crawl") == [f"data{' and more' * times}" for times in range(4)]
    assert kinds(outcome) == ["unfinished"], "errors of a page that was cut off say nothing about the application"


@pytest.mark.parametrize("half", [False, True], ids=["not at all", "half of it"])
@pytest.mark.parametrize("path", ["/data", "/more"])
def test_what_is_swallowed_once_is_asked_for_again(tmp_path: Path, path: str, half: bool) -> None:
    first = 2 if path == "/more" else 1
    flaky = Flaky(path, lambda time: time == first, half=half, swallows=True)
    crawled_flaky(flaky, tmp_path / "crawl")
    assert titles(tmp_path / "crawl") == [f"data{' and more' * times}" for times in range(4)]


def test_a_first_page_of_which_a_part_never_comes_is_crawled_as_it_is(tmp_path: Path) -> None:
    outcome = crawled_flaky(Flaky("/data", lambda _: True), tmp_path / "crawl")
    assert titles(tmp_path / "crawl")[0] == "nothing"
    assert outcome.resets <= 4
    assert "error" in kinds(outcome)


def test_what_the_server_says_is_not_there_is_not_asked_for_again(tmp_path: Path) -> None:
    flaky = Flaky("/data", lambda _: False)
    del flaky.stand.routes["/style.css"]
    assert crawled_flaky(flaky, tmp_path / "crawl").resets == 1
