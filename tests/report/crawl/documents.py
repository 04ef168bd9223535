"""Normal forms of documents written as HTML, for tests of what is read from them."""

from html.parser import HTMLParser

from statecrawl.report.crawl.document import Element, read_document

VOID = frozenset(("br", "hr", "img", "input", "link", "meta", "wbr"))


class _Writer(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.lines.append(("<", tag))
        hidden = dict(attrs).get("style") == "display:none"
        self.lines += [("-", "hidden")] * hidden
        self.lines += [(f"@{name}", value or "") for name, value in sorted(attrs, key=lambda pair: pair[0])]
        if tag in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        self.lines.append((">", ""))

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.lines.append(('"', data.strip()))


def normal_of(html: str) -> str:
    """The normal form of a document; elements with `style="display:none"` are hidden."""
    writer = _Writer()
    writer.feed(f"<html><body>{html}</body></html>")
    writer.close()
    return "".join(f"/x\x1f{what}\x1f{value}\x1e" for what, value in writer.lines)


def document_of(html: str) -> Element:
    """The document that is read from its normal form."""
    return read_document(normal_of(html))
