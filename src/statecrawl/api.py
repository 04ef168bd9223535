"""The Python API: crawl an application from a program.

    import statecrawl

    result = statecrawl.crawl("http://localhost:8000/", strategy="probability").run()
    print(len(result.states), "states,", result.outcome.ended_because)

`crawl` creates a crawl without starting it. Run it with `run()`, with `await`, or by iterating over it: `for` and
`async for` yield every fact as soon as it is recorded. Settings are named like the options of `statecrawl crawl`, with
underscores instead of dashes. `out` is the directory of the crawl; if it already contains a crawl, that one is resumed.

Callbacks, checks and custom strategies are passed to `crawl` as objects. There is no global registry, so several crawls
in one program are independent of each other.
"""

import asyncio
import queue
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from statecrawl.config.option_row import plain
from statecrawl.config.plan import CrawlPlan
from statecrawl.config.plan_builder import crawl_plan
from statecrawl.config.secrets import redactor_of
from statecrawl.config.settings import check_setting
from statecrawl.crawler.assembly import crawl as run_crawl
from statecrawl.crawler.hooks import Check, Hooks, StrategyMaker
from statecrawl.crawler.loop import CrawlLoop
from statecrawl.crawler.outcome import Outcome
from statecrawl.errors import BadInput
from statecrawl.journal.facts import Fact, StateFound, TransitionExplored
from statecrawl.journal.fold import FoldedCrawl as Model
from statecrawl.journal.fold import fold
from statecrawl.model.finding import Finding
from statecrawl.model.graph import Graph
from statecrawl.model.shortest_paths import shortest_paths_of
from statecrawl.ports.page import Note, Snapshot
from statecrawl.ports.traffic import Exchange
from statecrawl.stores.evidence import JOURNAL_NAME, EvidenceReader
from statecrawl.stores.findings import add_findings, read_findings
from statecrawl.stores.sqlite_journal import open_reader

STOPPED = "stopped"  # `ended_because` of a crawl that the program stopped


@dataclass(frozen=True, slots=True)
class State:
    """A state of the application, with the evidence that the crawl stored.

    `id` identifies the state in this crawl. `url` and `title` are those of the page, `events` the ids of its events in
    document order, and `path` the shortest sequence of events that leads from the first page to the state.
    """

    id: str
    url: str
    title: str
    events: tuple[str, ...]
    path: tuple[str, ...]
    _evidence: EvidenceReader

    @property
    def way(self) -> tuple[str, ...]:
        """Alias of `path`."""
        return self.path

    @property
    def html(self) -> str:
        """The DOM at the time the state was found. Raises BadInput if it was not stored."""
        return self._evidence.html(self.id)

    @property
    def about(self) -> dict[str, Any]:
        """Links, forms, event labels and more, as stored in the evidence. Raises BadInput if it was not stored."""
        return self._evidence.about(self.id)

    @property
    def picture(self) -> Path | None:
        """Path of the screenshot (JPEG), or None if there is none."""
        path = self._evidence.folder / "states" / f"{self.id}.jpg"
        return path if path.exists() else None


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a crawl.

    `outcome` holds the figures that `--json` prints, `out` the directory of the crawl, `model` everything that the
    journal says, `states` the states in the order in which they were found, and `findings` the findings of the checks.
    """

    outcome: Outcome
    out: Path
    model: Model
    states: tuple[State, ...]
    findings: tuple[Finding, ...]

    @property
    def graph(self) -> Graph:
        """The graph of states, events and transitions."""
        return self.model.graph


class Crawl:
    """A crawl, which can be run once.

    `plan` is the validated configuration. `result` is None until the crawl has ended.
    """

    def __init__(self, plan: CrawlPlan, hooks: Hooks) -> None:
        self.plan = plan
        self.result: Result | None = None
        self._hooks = hooks
        self._loop: CrawlLoop | None = None
        self._started = False
        self._stopped = False

    def run(self) -> Result:
        """Run the crawl to its end and return the result.

        This also works inside a running event loop, but blocks it; use `await` there.
        """
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(self._run())
        for _ in self:
            pass
        if self.result is None:
            raise AssertionError  # iterating ends with a result or raises
        return self.result

    def __await__(self) -> Generator[Any, None, Result]:
        return self._run().__await__()

    async def __aiter__(self) -> AsyncIterator[Fact]:
        facts: asyncio.Queue[Fact | None] = asyncio.Queue()
        running = asyncio.create_task(self._run(facts.put_nowait))
        running.add_done_callback(lambda _: facts.put_nowait(None))
        try:
            while (fact := await facts.get()) is not None:
                yield fact
        finally:
            self.stop()
            await running

    def __iter__(self) -> Iterator[Fact]:
        facts: queue.SimpleQueue[Fact | None] = queue.SimpleQueue()
        loop = asyncio.new_event_loop()

        def run() -> None:
            asyncio.set_event_loop(loop)
            try:
                loop.run_until_complete(self._run(facts.put))
            finally:
                with closing(loop):
                    loop.run_until_complete(loop.shutdown_asyncgens())
                facts.put(None)

        with ThreadPoolExecutor(1, thread_name_prefix="statecrawl") as thread:
            running = thread.submit(run)
            try:
                while (fact := facts.get()) is not None:
                    yield fact
            finally:
                with suppress(RuntimeError):  # the loop is closed: the crawl has ended
                    loop.call_soon_threadsafe(self.stop)
                running.result()

    def stop(self) -> None:
        """Stop the crawl as soon as each page has finished its current task.

        Everything found so far is stored, and a later crawl into the same directory resumes it.
        """
        self._stopped = True
        if self._loop is not None:
            self._loop.stop(STOPPED)

    async def _run(self, on_next_fact: Callable[[Fact], None] | None = None) -> Result:
        if self._started:
            raise BadInput("this crawl was run already: create another one to resume it.")
        self._started = True
        hooks = self._hooks
        callbacks = [callback for callback in (hooks.on_fact, on_next_fact) if callback is not None]

        def on_fact(fact: Fact) -> None:
            for callback in callbacks:
                callback(fact)

        outcome = await run_crawl(self.plan, self._on_start, lambda _: None, replace(hooks, on_fact=on_fact))
        add_findings(self.plan.out, hooks.findings, redactor_of(self.plan))
        self.result = read(self.plan.out, outcome)
        return self.result

    def _on_start(self, loop: CrawlLoop) -> None:
        self._loop = loop
        if self._stopped:
            loop.stop(STOPPED)


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
    """Create a crawl of the application at `url` without starting it.

    Parameters:
        strategy: the name of a strategy, a subclass of `statecrawl.Strategy`, or a function that takes the graph and
            the strategy settings and returns a strategy.
        values: values for form fields: a mapping from regular expressions for field names to values, or the path of a
            TOML or JSON file.
        equivalence: `content`, `structure`, `exact`, or a JavaScript function such as "() => document.title". The
            value that the function returns identifies the state, together with the events of the page.
        before_reset: called before each reset of the application; may be a coroutine function.
        on_state: called with each state when it is found, including DOM, links and forms (`ports.page.Snapshot`).
        on_transition: called with each transition when it is recorded.
        on_request: called with each request and its response (`ports.traffic.Exchange`), the state in which it was
            sent, and the event that caused it, if any.
        on_note: called with each page note (errors, dialogs, new windows), its state, and the event, if any.
        checks: functions that take a state (`ports.page.Snapshot`) and return findings (`statecrawl.Finding`).
        config: a TOML file with further settings.
        settings: the options of `statecrawl crawl`, with underscores instead of dashes, such as `max_states=500`.

    Raises BadInput or UnknownName if a setting is invalid; the message says what is valid.
    """
    given = {name.replace("_", "-"): plain(value) for name, value in settings.items()}
    for name, value in given.items():
        check_setting(name, value)
    maker = None if isinstance(strategy, str) or strategy is None else strategy
    given["strategy"] = strategy if maker is None else None
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
        strategy=maker,
        checks=checks,
    )
    return Crawl(plan, hooks)


def read(out: str | Path, outcome: Outcome) -> Result:
    """Read the result of a crawl from its directory."""
    folder = Path(out)
    with closing(open_reader(folder / JOURNAL_NAME)) as journal:
        facts = list(journal.read())
    model = fold(facts)
    found = {fact.state: fact for fact in facts if isinstance(fact, StateFound)}
    graph, evidence = model.graph, EvidenceReader(folder)
    ways = shortest_paths_of(graph)
    states = tuple(
        State(
            name,
            url=found[name].url or "",
            title=found[name].title or "",
            events=tuple(graph.event(number, place).local for place in range(len(graph.events[number]))),
            path=tuple(graph.event(*pair).local for pair in ways.to(number)),
            _evidence=evidence,
        )
        for number, name in enumerate(graph.ids)
    )
    return Result(outcome, folder, model, states, tuple(read_findings(folder)))
