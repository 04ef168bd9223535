"""Documents that a crawler has seen, as HTML.

For most crawlers this is all that is left of a state, so it is used for all of them, the clicker included: it contains
neither the content of shadow roots nor of frames, nor what was typed or ticked.
"""

import hashlib
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from statecrawl.stores.evidence import EvidenceReader

TEXT = re.compile(r">[^<]+<")
NUMBER = re.compile(r"(?<!<h)(?<!</h)\d+")  # but those of headings
STYLING = re.compile(r'( (?:class|style)="[^"]*")')
NOT_ZERO = re.compile(r"0*\.?0*[1-9][\d.]*")  # of a style: nothing is hidden by being 12 pixels wide instead of 13


class Documents:
    """Distinct documents, of which those that differ only in texts and numbers are kept once."""

    def __init__(self) -> None:
        self._seen: set[bytes] = set()
        self._kept: dict[bytes, tuple[str, bytes]] = {}  # outline -> URL, compressed HTML

    def __len__(self) -> int:
        """Return how many different documents there were."""
        return len(self._seen)

    def add(self, url: str, html: str) -> None:
        """Add a document that a crawler has seen."""
        digest = _digest(url + html)
        if digest in self._seen:
            return
        self._seen.add(digest)
        outline = _digest(NUMBER.sub("0", url) + _outline(html))
        if outline not in self._kept:
            self._kept[outline] = url, zlib.compress(html.encode("utf-8", "replace"), 1)

    def kept(self) -> Iterator[tuple[str, str]]:
        """Yield URL and HTML of the documents that may be different screens."""
        for url, html in self._kept.values():
            yield url, zlib.decompress(html).decode()


def stored_documents(crawl: Path) -> Documents:
    """Return the documents of all states in the directory of a crawl."""
    documents, reader = Documents(), EvidenceReader(crawl)
    for path in sorted((crawl / "states").glob("*.html.gz")):
        state = path.name.removesuffix(".html.gz")
        documents.add(str(reader.about(state)["url"]), reader.html(state))
    return documents


def _outline(html: str) -> str:
    """Return HTML without its texts, and without numbers where they hardly influence what is visible."""
    parts = STYLING.split(TEXT.sub("><", html))
    return "".join(_styling(part) if number % 2 else NUMBER.sub("0", part) for number, part in enumerate(parts))


def _styling(attribute: str) -> str:
    return attribute if attribute.startswith(" class") else NOT_ZERO.sub("1", attribute)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=12).digest()
