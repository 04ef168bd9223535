"""New states are described once; what is closed in them, and what may be learned from them."""

import asyncio
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest

from statecrawl.browser.lookalikes import Lookalikes
from statecrawl.config.plan import CrawlLimits, CrawlPlan, Scope
from statecrawl.config.site import SiteSettings
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.content_learner import ContentLearner
from statecrawl.crawler.http_client import HttpClient
from statecrawl.crawler.learning_budget import LearningBudget
from statecrawl.crawler.new_states import NewStates
from statecrawl.crawler.outcome import Outcome
from statecrawl.crawler.politeness import Politeness
from statecrawl.crawler.recorder import CrawlRecorder
from statecrawl.crawler.robots import Robots
from statecrawl.crawler.rule_search import RuleSearch
from statecrawl.crawler.stored_normal_forms import NormalForms
from statecrawl.errors import BadInput
from statecrawl.fleet.evidence_batch import EvidenceBatch
from statecrawl.fleet.outbox import Outbox
from statecrawl.journal.facts import EventAdded, Fact
from statecrawl.journal.fold import FoldedCrawl, fold
from statecrawl.journal.memory_journal import MemoryJournal
from statecrawl.journal.refusal_reasons import is_dangerous
from statecrawl.ports.page import UNREVEALED, Note, Snapshot
from statecrawl.ports.recorder import WorkCount
from statecrawl.strategies.greedy import Greedy
from statecrawl.strategies.settings import StrategySettings
from tests.browser.stage import Stage
from tests.crawler.bundled_crawl import crawled
from tests.crawler.written_page import House, WrittenPage, nothing

HOME = "http://shop.test/"


class SlowRobots(Robots):
    """Takes its time, as a server does that was not asked before."""

    async def allows(self, url: str) -> bool:
        await asyncio.sleep(0.01)
        return True


def test_nothing_that_was_heard_of_is_lost_when_two_pages_follow_at_once(tmp_path: Path) -> None:
    async def run() -> list[Fact]:
        plan = CrawlPlan(url=HOME, out=tmp_path / "crawl", site=SiteSettings(follow=("sitemap",)))
        record, politeness = Outbox(), Politeness(SlowRobots(HttpClient.of(plan)))
        new_states = NewStates(plan, record, EvidenceBatch(None), None, frozenset(), politeness)
        new_states.first_state = "first"
        politeness.offers.update(dict.fromkeys([f"{HOME}a", f"{HOME}b"], True))
        await asyncio.gather(new_states.urls.report_new(), new_states.urls.report_new())
        politeness.offers.update(dict.fromkeys([f"{HOME}c", f"{HOME}d"], True))
        await new_states.urls.report_new()
        return list(record.take())

    assert asyncio.run(run()) == [EventAdded(state="first", event=f"open {HOME}{page}") for page in "abcd"]


@pytest.mark.parametrize(
    ("scope", "refused"),
    [(Scope(events=("click",)), True), (Scope(deny_events=("back",)), True), (Scope(), False)],
)
def test_the_node_that_goes_back_decides_whether_it_may(scope: Scope, *, refused: bool) -> None:
    """A journal may have lost the refusal, and no snapshot shows the event."""
    new_states = NewStates(
        CrawlPlan(url=HOME, out=Path("crawl"), scope=scope), Outbox(), EvidenceBatch(None), None, frozenset()
    )
    asyncio.run(new_states.inspect_by_name([("state", "back")]))
    assert (new_states.inspection.refusal(("state", "back")) is not None) is refused


def test_nothing_is_learnt_from_a_path_that_led_elsewhere_before(tmp_path: Path) -> None:
    def offered(*, surprise: bool) -> bool:
        async def run() -> bool:
            learner = ContentLearner(House(lambda world: WrittenPage(world, "12:00")).make_page, nothing, 20)
            search = RuleSearch(learner, WorkCount, lambda *_: None, LearningBudget(0.0))
            record = Outbox()
            record.describes = True
            plan = CrawlPlan(url=HOME, out=tmp_path / "crawl", screenshots=False)
            new_states = NewStates(plan, record, EvidenceBatch(None), search, frozenset(), forms=NormalForms())
            page = WrittenPage(0, "12:00")
            first = await new_states.record(page)
            working = asyncio.create_task(search.run())
            await search.drain()
            page.more = "another part"
            await new_states.record(page, (first, "go"), surprise=surprise)
            working.cancel()
            return search.is_busy

        return asyncio.run(run())

    assert offered(surprise=False)
    assert not offered(surprise=True)


class VeiledPage(WrittenPage):
    """Each room has the same control that is not to be seen, and one of its own."""

    async def describe(self, *, lines: bool = False) -> Snapshot:
        state, hidden = f"room {self.room}", ("click button#menu", f"click button#{self.room}")
        return replace(await super().describe(lines=lines), state=state, hidden=hidden)


def test_each_control_that_is_not_to_be_seen_is_noted_once(tmp_path: Path) -> None:
    record, parcel, page = Outbox(), EvidenceBatch(None), VeiledPage(0, "12:00", room=0)
    record.describes = True

    async def run() -> None:
        plan = CrawlPlan(url=HOME, out=tmp_path / "crawl", screenshots=False)
        new_states = NewStates(plan, record, parcel, None, frozenset())
        for page.room in (0, 1):
            await new_states.record(page)

    asyncio.run(run())
    assert [(note, state) for note, state, _ in parcel.take()[1]] == [
        (Note(UNREVEALED, "click button#menu"), "room 0"),
        (Note(UNREVEALED, "click button#0"), "room 0"),
        (Note(UNREVEALED, "click button#1"), "room 1"),
    ]


@pytest.mark.browser
def test_a_crawl_that_was_cut_off_stays_so_when_it_goes_on(tmp_path: Path) -> None:
    def cut(depth: int | None) -> tuple[int, bool]:
        outcome, _ = crawled(
            "pager:5", tmp_path / "crawl", lambda plan: replace(plan, name="pager:5", limits=CrawlLimits(depth=depth))
        )
        return outcome.states, outcome.complete

    assert cut(2) == (3, False)
    assert cut(2) == (3, False)
    for other in (4, None):
        with pytest.raises(BadInput, match=r"holds a crawl with --max-depth 2: use the same"):
            cut(other)


@pytest.mark.browser
def test_nothing_is_learnt_from_a_page_that_changed_by_itself(tmp_path: Path) -> None:
    """No way leads there that could be gone again, so there is nothing to compare it with."""
    words = "".join(f"<p id=p{number}>words</p>" for number in range(12))

    async def run() -> Outcome:
        stage = Stage()
        await stage.stand.open()
        stage.serve("/w.js", "setTimeout(() => postMessage(1), 900)")
        stage.serve(
            "/",
            f"<p id=told>nothing</p>{words}<button id=a>a</button><script>const told = byId('told');"
            "byId('a').onclick = () => { told.textContent = 'clicked' };"
            "new Worker('/w.js').onmessage = () => { told.textContent = 'a message' };</script>",
        )
        plan = CrawlPlan(url=stage.stand.url, out=tmp_path / "crawl", screenshots=False, limits=CrawlLimits(seconds=5))
        try:
            return await crawl(plan, lambda _: None, lambda _: None)
        finally:
            await stage.close()

    outcome = asyncio.run(run())
    assert outcome.rules == 0
    assert outcome.states >= 2


class Linking(WrittenPage):
    """The first page names a URL, the next one calls it dangerous."""

    async def describe(self, *, lines: bool = False) -> Snapshot:
        words = "Thing 1" if self.room == 0 else "Delete thing 1"
        return replace(
            await super().describe(lines=lines), state=f"room{self.room}", url=HOME, addresses=(("/things/1", words),)
        )


def blank() -> tuple[FoldedCrawl, Greedy]:
    crawl = FoldedCrawl()
    return crawl, Greedy(crawl.graph, StrategySettings(reset_cost=3.0))


@pytest.mark.parametrize("resumed", [False, True], ids=["in one run", "in two runs"])
def test_a_url_that_a_later_link_calls_dangerous_is_refused_in_the_journal(tmp_path: Path, *, resumed: bool) -> None:
    async def run() -> FoldedCrawl:
        plan = CrawlPlan(url=HOME, out=tmp_path / "crawl", screenshots=False, learn_states=0, site=SiteSettings())
        journal, page = MemoryJournal(), Linking(0, "12:00", room=0)
        for page.room in (0, 1):
            if page.room == 0 or resumed:
                record = CrawlRecorder(*blank(), journal, lambda: 0.0)
                record.restart(*blank(), list(journal.read()))
                new_states = NewStates(plan, record, EvidenceBatch(None), None, frozenset(), forms=NormalForms())
            new_states.first_state = "room0"
            await new_states.record(page, None if page.room == 0 else ("room0", "go"))
            record.write()
        return fold(journal.read())

    crawl = asyncio.run(run())
    opens = crawl.pair("room0", f"open {HOME}things/1")
    assert opens in crawl.closed
    assert is_dangerous(crawl.failures[opens][0].reason)


def test_nothing_is_learnt_by_opening_a_url_that_a_link_calls_dangerous(tmp_path: Path) -> None:
    async def run() -> dict[str, tuple[str, ...]]:
        plan = CrawlPlan(url=HOME, out=tmp_path / "crawl", screenshots=False, site=SiteSettings())
        learner = ContentLearner(House(lambda world: WrittenPage(world, "12:00")).make_page, nothing, 20)
        search, record, forms = (
            RuleSearch(learner, WorkCount, lambda *_: None, LearningBudget(0.0)),
            Outbox(),
            NormalForms(),
        )
        record.describes, page = True, Linking(0, "12:00", room=0)
        new_states = NewStates(plan, record, EvidenceBatch(None), search, frozenset(), forms=forms)
        new_states.first_state = "room0"
        await new_states.record(page)
        for page.room in (1, 2):
            await new_states.record(page, ("room0" if page.room == 1 else "room1", f"open {HOME}things/1"))
        return forms.paths

    assert asyncio.run(run()) == {"room0": ()}


def marked(word: str, number: int = 0) -> str:
    return f"#p\x1f<\x1fp\x1e#p\x1f@class\x1f{word}\x1e#p\x1f@id\x1frow-{number}\x1e#p\x1f>\x1fp"


def compared_with(tmp_path: Path, *others: str) -> NewStates:
    """Whoever meets states that look alike, each by an event of its own."""
    plan = CrawlPlan(url=HOME, out=tmp_path / "crawl", screenshots=False)
    new_states = NewStates(
        plan, Outbox(), EvidenceBatch(None), None, frozenset(), forms=NormalForms(), lookalikes=Lookalikes()
    )
    for number, normal in enumerate(others):
        assert new_states.forms is not None
        new_states.forms.paths[f"s{number}"] = (f"go {number}",)
        new_states.comparison.add(f"s{number}", normal)
    return new_states


def test_a_look_alike_from_which_nothing_can_follow_is_not_compared_late(tmp_path: Path) -> None:
    new_states = compared_with(tmp_path, marked("off", 1), marked("off", 3), marked("off", 2))
    assert list(new_states.comparison.waiting) == ["s1", "s2"]
    assert new_states.comparison.next_left() is None
    assert compared_with(tmp_path, marked("off"), marked("on")).comparison.next_left() == ("s1", ("go 1",))


class Resting(WrittenPage):
    async def rest(self) -> bool:
        self.log.append("rest")
        return False

    async def styled(self, attributes: Collection[str]) -> frozenset[str]:
        self.log.append("styled")
        return frozenset(attributes)


def test_a_rest_is_put_off_while_there_is_no_time_for_it(tmp_path: Path) -> None:
    async def run() -> list[bool]:
        new_states, page = compared_with(tmp_path, marked("off"), marked("on")), Resting(0, "12:00")
        put_off = []
        for rests in (False, False, True):
            await new_states.comparison.compare(page, "s1", (), may_rest=rests)
            put_off.append("rest" not in page.log and new_states.comparison.next_left() is not None)
        assert new_states.lookalikes is not None
        assert (new_states.lookalikes.notes, new_states.lookalikes.rests) == (1, 1), "what is cheap is done once"
        return put_off

    assert asyncio.run(run()) == [True, True, False]
