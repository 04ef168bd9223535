"""Blocked URLs: if one event that opens a URL is forbidden, all events that open it are refused.

Whether a URL is dangerous may depend on the text of a link to it, and each process judges only the links it has seen.
One process may record the event `open URL` before another finds a link labelled "Delete" and records `unopened URL`,
or the other way round, perhaps in an earlier run. A process that folds the journal knows both events. When one of them
is refused as forbidden, it refuses the others, including those added later.
"""

from collections.abc import Iterable

from statecrawl.journal.facts import EventAdded, EventRefused, Fact, StateFound
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.journal.refusal_reasons import is_forbidden
from statecrawl.model.event import UNOPENED, opened_url


class BlockedUrls:
    """Receives every fact of a crawl in order, after it was folded."""

    def __init__(self, crawl: FoldedCrawl) -> None:
        self._events: dict[str, set[tuple[str, str]]] = {}  # URL -> (state, event) pairs that open it
        self._reasons: dict[str, str] = {}  # URL -> why it must not be opened
        graph = crawl.graph
        opening = {number for number, event in enumerate(graph.vocabulary) if _url(event.local) is not None}
        for state, events in enumerate(graph.events) if opening else ():
            self._add(graph.ids[state], (graph.vocabulary[event].local for event in events if event in opening))
        for failures in crawl.failures.values() if opening else ():
            for failure in failures:
                if isinstance(failure, EventRefused):
                    self._forbid(failure)

    def refusals_after(self, fact: Fact) -> list[EventRefused]:
        """Return the refusals that follow from a fact that has just been folded."""
        match fact:
            case EventRefused():
                return self._forbid(fact)
            case EventAdded():
                return self._add(fact.state, [fact.event if isinstance(fact.event, str) else fact.event[0]])
            case StateFound():
                return self._add(fact.state, [name if isinstance(name, str) else name[0] for name in fact.events])
            case _:
                return []

    def _forbid(self, refused: EventRefused) -> list[EventRefused]:
        url = _url(refused.event)
        if url is None or url in self._reasons or not is_forbidden(refused.reason):
            return []
        self._reasons[url] = refused.reason
        others = self._events.get(url, set()) - {(refused.state, refused.event)}
        return [EventRefused(state=state, event=event, reason=refused.reason) for state, event in sorted(others)]

    def _add(self, state: str, events: Iterable[str]) -> list[EventRefused]:
        refused: list[EventRefused] = []
        for event in events:
            url = _url(event)
            if url is None:
                continue
            self._events.setdefault(url, set()).add((state, event))
            if url in self._reasons:
                refused.append(EventRefused(state=state, event=event, reason=self._reasons[url]))
        return refused


def _url(event: str) -> str | None:
    """Return the URL of an event that opens one, or that records one as not opened."""
    return event.removeprefix(UNOPENED) if event.startswith(UNOPENED) else opened_url(event)
