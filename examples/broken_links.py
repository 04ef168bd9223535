"""Find broken links and fields without a name in all states of an application.

    python examples/broken_links.py http://localhost:8000/

Crawls the application, requests every URL that a state links to once, and exits with 1 if something is broken.
"""

import sys
import urllib.error
import urllib.request
from collections.abc import Iterator

import statecrawl
from statecrawl import Finding
from statecrawl.ports.page import Snapshot


class Links:
    """Checks links, and remembers the URLs that were requested already."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def check(self, state: Snapshot) -> Iterator[Finding]:
        for link in state.links:
            url = link.partition("#")[0]
            if not url.startswith("http"):
                continue
            problem = self._problem(url)
            if problem:
                yield Finding(kind="broken-link", message=f"{url}: {problem}", state=state.state, url=url)

    def _problem(self, url: str) -> str:
        if url not in self._known:
            self._known[url] = ""
            try:
                urllib.request.urlopen(url, timeout=10).close()  # noqa: S310 — only http and https come here
            except (urllib.error.URLError, OSError, ValueError) as problem:
                self._known[url] = str(problem)
        return self._known[url]


def unnamed_fields(state: Snapshot) -> Iterator[Finding]:
    """Yield fields without a name: a form does not send them."""
    for form in state.forms:
        for tag, kind, name in form["fields"]:
            if (
                tag in ("input", "select", "textarea")
                and kind not in ("submit", "button", "reset", "image")
                and not name
            ):
                yield Finding(kind="unnamed-field", message=f"a {tag} has no name", state=state.state, url=state.url)


def main(url: str, out: str = "crawl-broken-links") -> int:
    result = statecrawl.crawl(url, out=out, checks=[Links().check, unnamed_fields]).run()
    print(f"{len(result.states)} states, {len(result.findings)} findings")
    for finding in result.findings:
        print(f"{finding.kind}: {finding.message} (state {finding.state[:8]})")
    return 1 if result.findings else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
