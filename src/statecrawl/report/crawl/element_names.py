"""Names of elements, as a screen reader would read them: from `aria-` attributes, labels, words and titles. Pure."""

from collections.abc import Iterator
from itertools import pairwise

from statecrawl.report.crawl.document import Element, shown_elements, texts_of, tidied, words_of

MOST_IDS = 8  # elements that name one
LEVELS = {f"h{level}": level for level in range(1, 7)}


class NamedDocument:
    """A document, with what is needed to find the name of an element."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.shown = list(shown_elements(root))
        self.marked = [element for element in self.shown if element.attributes]  # all others say only what they contain
        self._by_id = {element.attributes["id"]: element for element in self.marked if "id" in element.attributes}
        self._labels = {each.attributes["for"]: each for each in self.marked if "for" in each.attributes}

    def headings(self) -> Iterator[tuple[int, Element, str]]:
        """Yield level, element and words of each heading."""
        for element in self.shown:
            level = heading_level(element)
            if level and (words := words_of(element)):
                yield level, element, words

    def name(self, element: Element) -> str:
        """Return the name of an element as a screen reader would read it."""
        return self.given_name(element) or words_of(element) or tidied(element.attributes.get("title", ""))

    def field_name(self, element: Element) -> str:
        """Return the name of a field, from its label if it has one."""
        given = self.given_name(element)
        label = self._labels.get(element.attributes.get("id", "")) or _around(element, "label")
        if given or label is not None:
            return given or words_of(label or element)
        attributes = (tidied(element.attributes.get(name, "")) for name in ("title", "placeholder", "value", "name"))
        return words_of(element) or _text_after(element) or next((text for text in attributes if text), "")

    def dialog_name(self, element: Element) -> str:
        """Return the caption of a dialog: its name, its first heading, or its first words."""
        if given := self.given_name(element):
            return given
        for inner in shown_elements(element):
            if (heading_level(inner) or inner.tag in ("caption", "legend")) and (words := words_of(inner)):
                return words
        return next((words for words in map(tidied, texts_of(element)) if any(map(str.isalnum, words))), "")

    def given_name(self, element: Element) -> str:
        """Return the name that the page gives an element for screen readers."""
        ids = element.attributes.get("aria-labelledby", "").split()[:MOST_IDS]
        named = " ".join(words_of(self._by_id[each]) for each in ids if each in self._by_id)
        return tidied(named) or tidied(element.attributes.get("aria-label", ""))


def heading_level(element: Element) -> int:
    """Return the level of a heading; 0 for everything else."""
    if element.role != "heading":
        return LEVELS.get(element.tag, 0)
    return LEVELS.get(f"h{element.attributes.get('aria-level')}", 2)


def _around(element: Element, tag: str) -> Element | None:
    """Return the element with this tag around another one."""
    above = element.parent
    while above is not None and above.tag != tag:
        above = above.parent
    return above


def _text_after(element: Element) -> str:
    """Return the text directly after an element."""
    around = element.parent.children if element.parent is not None else []
    text = next((after for before, after in pairwise(around) if before is element), "")
    return tidied(text) if isinstance(text, str) else ""
