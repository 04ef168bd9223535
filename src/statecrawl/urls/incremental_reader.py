"""Incremental extraction from similar pages: only the differences to the previous page are parsed.

Theory of operation
    An application has thousands of states that differ little. A tag, with the text up to the next one, is parsed
    independently of what precedes it. So where the new page continues like the old one at one of its tags, it contains
    the same URLs, up to the last tag that starts in the common part. That tag may end in a different way, so it is
    parsed. Which tag of the old page to compare with is a guess. A wrong guess only costs time: the result is the same
    as if each page were parsed separately.
"""

from bisect import bisect_left
from collections import defaultdict

from statecrawl.urls.markup import MOST_FOUND, named_by, shown
from statecrawl.urls.scripts import LONGEST_TEXT
from statecrawl.urls.sources import WrittenUrl
from statecrawl.urls.tags import next_tag, tag_at

ANCHOR = 32  # common characters that two tags need to be compared


class IncrementalReader:
    """Reader that remembers the previous page."""

    def __init__(self) -> None:
        self._text = ""
        self._starts: list[int] = []  # start of each tag
        self._named: list[tuple[WrittenUrl, ...]] = []  # URLs in each tag
        self._anchors: dict[str, list[int]] = {}  # start of a tag -> numbers of the tags; filled on demand

    def read(self, text: str) -> list[WrittenUrl]:
        """Return the URLs in a page, like `markup.named_in_html`."""
        text = text[:LONGEST_TEXT]
        starts: list[int] = []
        named: list[tuple[WrittenUrl, ...]] = []
        at = expected = 0
        begin = next_tag(text, 0)
        before = tuple(shown(text[: begin if begin >= 0 else len(text)]))
        self._anchors = {}
        while (at := next_tag(text, at)) >= 0:
            first = self._like(text, at, expected)
            last = first if first is None else self._alike_until(first, text, at)
            if first is not None and last is not None and last > first:
                shift = at - self._starts[first]
                starts += [start + shift for start in self._starts[first:last]]
                named += self._named[first:last]
                if last == len(self._starts):
                    break
                at, expected = self._starts[last] + shift, last
                continue
            tag, given, inside, end = tag_at(text, at)
            after = next_tag(text, end)
            starts.append(at)
            named.append((*named_by(tag, given, inside), *shown(text[end : after if after >= 0 else len(text)])))
            at, expected = after if after >= 0 else len(text), expected + 1
        self._text, self._starts, self._named = text, starts, named
        return [each for every in (before, *named) for each in every][:MOST_FOUND]

    def _like(self, text: str, at: int, expected: int) -> int | None:
        """Return the number of the previous page's tag that may equal the one at this position."""
        beginning, starts = text[at : at + ANCHOR], self._starts
        if expected < len(starts) and self._text.startswith(beginning, starts[expected]):
            return expected
        if not self._anchors:
            self._anchors = defaultdict(list)
            for number, start in enumerate(starts):
                self._anchors[self._text[start : start + ANCHOR]].append(number)
        known = self._anchors.get(beginning)
        if not known:
            return None
        return known[min(bisect_left(known, expected), len(known) - 1)]

    def _alike_until(self, first: int, text: str, at: int) -> int:
        """Return the number of the first tag after `first` that is not known to be equal."""
        begin = self._starts[first]
        common = _alike(self._text, begin, text, at)
        if begin + common == len(self._text) and at + common == len(text):
            return len(self._starts)
        return bisect_left(self._starts, begin + common) - 1


def _alike(one: str, here: int, other: str, there: int) -> int:
    """Return the number of equal characters of two texts from these positions on."""
    most = min(len(one) - here, len(other) - there)
    step = ANCHOR
    while step < most and one[here : here + step] == other[there : there + step]:
        step *= 2
    low, high = 0, min(step, most)
    while low < high:
        middle = (low + high + 1) // 2
        if one[here + low : here + middle] == other[there + low : there + middle]:
            low = middle
        else:
            high = middle - 1
    return low
