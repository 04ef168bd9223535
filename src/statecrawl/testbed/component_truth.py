"""True components of an application, counted by hand, and how many of them a crawl has seen.

Many applications have far more states than anybody wants to see, or infinitely many: independent parts multiply them,
and lists grow. What a component-based crawl has to find can still be counted. A *component* is a region of the page
that changes by itself, and its *component states* are the views of that region that people tell apart: rows that
differ only in what was typed into them are one, and of a calendar the first months are enough.

Each component state has a test that needs neither a browser nor JavaScript. It is applied to the HTML that a crawl
stores for each state (`EvidenceReader.html`), to every element that the root selector finds:

    documents = (evidence.html(state) for state in graph.ids)
    missing = truth.all_states() - seen_component_states(truth, documents)
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from statecrawl.testbed.stored_html import Element, parsed_html

ComponentState = tuple[str, str]  # names of the component and of its state
Task = tuple[str, str, str]  # and of an event


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueState:
    """A component state, and the conditions that a region has to meet to show it."""

    name: str  # what distinguishes it from the others
    text: str = ""  # regular expression that occurs in the visible text of the region
    has: tuple[str, ...] = ()  # selectors: each matches the region or a visible element inside it
    lacks: tuple[str, ...] = ()  # selectors that match nothing of that
    is_absent: bool = False  # there is no such region, or it is hidden; no other conditions then
    events: tuple[str, ...] = ()  # what can be done in the region then, in the words of the page: each is a task

    def is_shown_by(self, region: Element) -> bool:
        if self.is_absent or re.search(self.text, region.text) is None:
            return False
        return all(_finds(region, each) for each in self.has) and not any(_finds(region, each) for each in self.lacks)


def _finds(region: Element, selector: str) -> bool:
    return any(element.is_visible for element in region.select(selector))


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueComponent:
    """A component with all its states."""

    name: str
    root: str  # selector of its region; several elements match if there are several regions, such as the rows of a list
    states: tuple[TrueState, ...]

    def shown_in(self, document: Element) -> set[str]:
        """Return the names of the component states that a document shows."""
        regions = [region for region in document.select(self.root) if region.is_visible]
        if not regions:
            return {state.name for state in self.states if state.is_absent}
        return {state.name for state in self.states for region in regions if state.is_shown_by(region)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentTruth:
    """All components of an application."""

    application: str  # as it is asked for
    title: str  # one line for people
    components: tuple[TrueComponent, ...]

    def all_states(self) -> frozenset[ComponentState]:
        return frozenset((component.name, state.name) for component in self.components for state in component.states)

    def all_tasks(self) -> frozenset[Task]:
        """Return all pairs of a component state and one of its events."""
        return frozenset(
            (component.name, state.name, event)
            for component in self.components
            for state in component.states
            for event in state.events
        )


def seen_component_states(truth: ComponentTruth, documents: Iterable[str]) -> frozenset[ComponentState]:
    """Return the true component states that at least one of these documents shows. Documents are stored HTML."""
    seen: set[ComponentState] = set()
    for html in documents:
        document = parsed_html(html)
        seen |= {(component.name, state) for component in truth.components for state in component.shown_in(document)}
    return frozenset(seen)
