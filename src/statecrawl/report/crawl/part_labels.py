"""Labels of the parts of a page, from documents that show them. Pure.

A label has to be the same in every document and for every part with the same place. A heading that changes, such as the
month of a calendar or the step of a wizard, is what the part shows, and not what it is called. So the sources of labels
are tried in order: what a screen reader would read, a caption, a heading, the heading before it, the first words.
"""

from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from statecrawl.report.crawl.document import Element, shown_elements, texts_of, words_of
from statecrawl.report.crawl.element_names import NamedDocument, heading_level
from statecrawl.report.crawl.page_parts import parts_of
from statecrawl.report.crawl.part_names import AREA, PartLabel, kind_of

CAPTIONS = frozenset(("caption", "legend", "summary"))
# Of the first three there is one each, so they need no label; in the others, headings are those of items
UNLABELLED = frozenset(("footer", "header", "main content", "list", "menu", "menu bar", "tab strip", "toolbar", "tree"))
LANDMARKS = frozenset(("footer", "header", "main content"))
LABELLED_BY_WORDS = frozenset((AREA, "group", "message", "article"))  # kinds that alone say next to nothing
MOST_ELEMENTS = 200  # of a part that are searched for a heading
Candidates = tuple[str, ...]  # labels by source; empty where a source has none


class PartLabels:
    """Collects labels from documents."""

    def __init__(self, places: Collection[str]) -> None:
        """`places` must include those of containers (`page_parts.with_containers`)."""
        self._places = places
        self._kinds: dict[str, str] = {}
        self._candidates: dict[str, Candidates] = {}

    def add(self, document: NamedDocument) -> None:
        """Learn from a document."""
        for (place, _), element in parts_of(document.root, self._places).items():
            self._kinds.setdefault(place, kind_of(element.tag, element.role))
            candidates = tuple(_candidates(document, element, self._kinds[place]))
            known = self._candidates.get(place, candidates)
            self._candidates[place] = tuple(
                one if one == other else "" for one, other in zip(known, candidates, strict=True)
            )

    def labels(self) -> dict[str, PartLabel]:
        """Return the labels of all places that a document has shown."""
        return {
            place: PartLabel(self._kinds[place], next(filter(None, candidates), ""))
            for place, candidates in self._candidates.items()
        }


def labels_in(documents: Iterable[Element], places: Collection[str]) -> dict[str, PartLabel]:
    """Return the labels of places, read from these documents."""
    labels = PartLabels(places)
    for root in documents:
        labels.add(NamedDocument(root))
    return labels.labels()


def _candidates(document: NamedDocument, element: Element, kind: str) -> Iterator[str]:
    """Yield one label for each source."""
    yield document.given_name(element)
    is_landmark = kind in LANDMARKS
    yield "" if is_landmark else _caption(element)
    yield "" if kind in UNLABELLED else _heading(element)
    yield "" if is_landmark or kind == AREA else _heading_before(element)
    yield _first_words(element) if kind in LABELLED_BY_WORDS and "id" not in element.attributes else ""


def _caption(element: Element) -> str:
    inner = (child for child in element.children if isinstance(child, Element) and child.tag in CAPTIONS)
    return next(filter(None, map(words_of, inner)), "")


def _heading(element: Element) -> str:
    """Return the most important heading in a part; none if there are several, which are those of its items."""
    headings = [inner for inner in islice(shown_elements(element), MOST_ELEMENTS) if heading_level(inner)]
    level = min(map(heading_level, headings), default=0)
    highest = [heading for heading in headings if heading_level(heading) == level]
    return words_of(highest[0]) if len(highest) == 1 else ""


def _heading_before(element: Element) -> str:
    """Return the heading directly before a part, except that of the whole page."""
    children = element.parent.children if element.parent is not None else []
    if len(children) > MOST_ELEMENTS:
        return ""
    before: Element | str | None = None
    for child in children:
        if child is element:
            return words_of(before) if isinstance(before, Element) and heading_level(before) > 1 else ""
        if isinstance(child, Element) or child.strip():
            before = child
    return ""


def _first_words(element: Element) -> str:
    return next((words for words in (text.strip() for text in texts_of(element)) if any(map(str.isalpha, words))), "")
