"""Crawling from a program.

    import statecrawl

    result = statecrawl.crawl("http://localhost:8000/", strategy="probability").run()
    print(len(result.states), "states,", result.outcome.ended_because)

A crawl is made by `crawl` and begins when it is run: by `run()`, by `await`, or by iterating over it, which gives every
fact as soon as it is found, in a plain `for` or in an `async for`. Settings have the names of the flags of `statecrawl
crawl`, with an underscore where those have a dash; `out` is the folder, and a crawl that is there goes on.

Whatever is to be told or decided by the program is passed as an object; see `crawl`. Nothing is registered anywhere:
two crawls in one program know nothing of each other.
"""

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from statecrawl.config.plan import CrawlPlan
from statecrawl.config.secrets import redactor_of
from statecrawl.config.settings import KNOWN, check_kind, crawl_plan
from statecrawl.crawler.assembly import crawl as run_crawl
from statecrawl.crawler.hooks import Check, Hooks, StrategyMaker
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.outcome import Outcome
from statecrawl.errors import BadInput, UnknownName
from statecrawl.journal.facts import Fact, StateFound, TransitionExplored
from statecrawl.journal.fold import FoldedCrawl as Model
from statecrawl.journal.fold import fold
from statecrawl.model.finding import Finding
from statecrawl.model.graph import Graph
from statecrawl.model.shortest_paths import shortest_paths_of
from statecrawl.ports.page import Note, Snapshot
from statecrawl.ports.traffic import Exchange
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceReader
from statecrawl.stores.findings import keep_findings, read_findings
from statecrawl.stores.sqlite_journal import open_reader

STOPPED = "stopped"  # why a crawl ended whose program did not want to hear more


@dataclass(frozen=True, slots=True)
class State:
    """A state that was found, and what is kept of it."""

    id: str
    url: str
    title: str
    events: tuple[str, ...]
    way: tuple[str, ...]  # events from the first page, as few as possible
    _evidence: EvidenceReader

    @property
    def html(self) -> str:
        """The DOM as it was when the state was found. BadInput when nothing was kept."""
        return self._evidence.html(self.id)

    @property
    def about(self) -> dict[str, Any]:
        """Links, forms, labels of events and more. BadInput when nothing was kept."""
        return self._evidence.about(self.id)

    @property
    def picture(self) -> Path | None:
        """A JPEG file with what it looked like, if there is one."""
        path = self._evidence.folder / "states" / f"{self.id}.jpg"
        return path if path.exists() else None


@dataclass(frozen=True, slots=True)
class Result:
    """What a crawl has found."""

    outcome: Outcome
    out: Path
    model: Model
    states: tuple[State, ...]
    findings: tuple[Finding, ...]

    @property
    def graph(self) -> Graph:
        """States, events and transitions."""
        return self.model.graph


class Crawl:
    """A crawl that has not begun, is going on, or is over. It is run once."""

    def __init__(self, plan: CrawlPlan, hooks: Hooks) -> None:
        self.plan = plan
        self.result: Result | None = None  # once it is over
        self._hooks = hooks
        self._crawling: CrawlLoop | None = None
        self._begun = False
        self._stopped = False

    def run(self) -> Result:
        """Crawl to the end. Also where an event loop runs already; it waits meanwhile, so `await` is better there."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(self._run())
        for _ in self:
            pass
        if self.result is None:
            raise AssertionError  # iterating ends with a result or an error
        return self.result

    def __await__(self) -> Generator[Any, None, Result]:
        return self._run().__await__()

    async def __aiter__(self) -> AsyncIterator[Fact]:
        heard: asyncio.Queue[Fact | None] = asyncio.Queue()
        running = asyncio.create_task(self._run(heard.put_nowait))
        running.add_done_callback(lambda _: heard.put_nowait(None))
        try:
            while (fact := await heard.get()) is not None:
                yield fact
        finally:
            self.stop()
            await running

    def __iter__(self) -> Iterator[Fact]:
        heard: queue.SimpleQueue[Fact | None] = queue.SimpleQueue()
        loop = asyncio.new_event_loop()
        failed: list[BaseException] = []

        def run() -> None:
            asyncio.set_event_loop(loop)
            try:
                loop.run_until_complete(self._run(heard.put))
            except BaseException as trouble:
                failed.append(trouble)
            finally:
                with closing(loop):
                    loop.run_until_complete(loop.shutdown_asyncgens())
                heard.put(None)

        thread = threading.Thread(target=run, name="statecrawl")
        thread.start()
        try:
            while (fact := heard.get()) is not None:
                yield fact
        finally:
            with suppress(RuntimeError):  # it is over already
                loop.call_soon_threadsafe(self.stop)
            thread.join()
            if failed:
                raise failed[0]

    def stop(self) -> None:
        """Have it end after what each page is doing now; what was found is kept, and the next run goes on."""
        self._stopped = True
        if self._crawling is not None:
            self._crawling.stop(STOPPED)

    async def _run(self, heard: Callable[[Fact], None] | None = None) -> Result:
        if self._begun:
            raise BadInput("this crawl was run already: make another one, which goes on where it ended.")
        self._begun = True
        hooks, asked = self._hooks, self._hooks.on_fact

        def on_fact(fact: Fact) -> None:
            for told in (asked, heard):
                if told is not None:
                    told(fact)

        outcome = await run_crawl(self.plan, self._begin, lambda _: None, replace(hooks, on_fact=on_fact))
        keep_findings(self.plan.out, hooks.findings, redactor_of(self.plan))
        self.result = read(self.plan.out, outcome)
        return self.result

    def _begin(self, crawling: CrawlLoop) -> None:
        self._crawling = crawling
        if self._stopped:
            crawling.stop(STOPPED)


def crawl(
    url: str,
    *,
    strategy: str | StrategyMaker | None = None,
    values: Mapping[str, Sequence[str]] | str | Path | None = None,
    equivalence: str | None = None,
    before_reset: Callable[[], Awaitable[None] | None] | None = None,
    on_state: Callable[[Snapshot], None] | None = None,
    on_transition: Callable[[TransitionExplored], None] | None = None,
    on_request: Callable[[Exchange, str, str | None], None] | None = None,
    on_note: Callable[[Note, str, str | None], None] | None = None,
    checks: Sequence[Check] = (),
    config: str | Path | None = None,
    **settings: Any,
) -> Crawl:
    """A crawl of the application at `url`, which begins when it is run.

    `strategy` is a name, or makes one (see `statecrawl.Strategy`). `values` are those put into fields, by expressions
    for what a field is called. `equivalence` is a name (content, structure, exact), or a function in JavaScript, as in
    "() => document.title": what it returns in the page makes the state, together with the events that are there.

    `before_reset` is called before the application is opened anew and may be a coroutine; `on_state`, `on_transition`,
    `on_request` and `on_note` are told what is found (notes are dialogs, errors and the like), requests and notes with
    the state and the event at which they came. Each of the `checks` is given every state that is met, and returns
    findings.

    Raises BadInput and UnknownName with a sentence that says what would be right.
    """
    given = {name.replace("_", "-"): _plain(value) for name, value in settings.items()}
    for name in given.keys() - KNOWN:
        raise UnknownName("setting", name, KNOWN)
    for name, value in given.items():
        if value is not None:
            check_kind(name, value)
    own = None if isinstance(strategy, str) or strategy is None else strategy
    given["strategy"] = strategy if own is None else None
    given["equivalence"] = equivalence
    if isinstance(values, str | Path):
        given["values"] = str(values)
    plan = crawl_plan(url, given, None if config is None else Path(config))
    if isinstance(values, Mapping):
        table = tuple((name, tuple(map(str, listed))) for name, listed in values.items())
        plan = replace(plan, values=table)

    def on_fact(fact: Fact) -> None:
        if on_transition is not None and isinstance(fact, TransitionExplored):
            on_transition(fact)

    hooks = Hooks(
        before_reset=before_reset,
        on_state=on_state,
        on_fact=on_fact,
        on_request=on_request,
        on_note=on_note,
        strategy=own,
        checks=checks,
    )
    return Crawl(plan, hooks)


def read(out: str | Path, outcome: Outcome) -> Result:
    """What is kept of a crawl in a folder."""
    folder = Path(out)
    with closing(open_reader(folder / JOURNAL_NAME)) as journal:
        facts = list(journal.read())
    model = fold(facts)
    told = {fact.state: fact for fact in facts if isinstance(fact, StateFound)}
    graph, evidence = model.graph, EvidenceReader(folder)
    ways = shortest_paths_of(graph)
    states = tuple(
        State(
            id=name,
            url=told[name].url or "",
            title=told[name].title or "",
            events=tuple(graph.event(number, place).local for place in range(len(graph.events[number]))),
            way=tuple(graph.event(*pair).local for pair in ways.to(number)),
            _evidence=evidence,
        )
        for number, name in enumerate(graph.ids)
    )
    return Result(outcome, folder, model, states, tuple(read_findings(folder)))


def _plain(value: Any) -> Any:
    """A setting as the command line would have it."""
    if isinstance(value, Path):
        return str(value)
    return list(value) if isinstance(value, tuple) else value
