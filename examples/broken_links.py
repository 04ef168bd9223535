"""Find what is broken in any state of an application: links that lead nowhere, and fields without a name.

    python examples/broken_links.py http://localhost:8000/

Crawls the application, asks for every address that any state names, once, and exits with 1 when something is broken.
"""

import sys
import urllib.error
import urllib.request
from collections.abc import Iterator

import statecrawl
from statecrawl import Finding
from statecrawl.ports.page import Snapshot


class Links:
    """Remembers what it asked for already."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def check(self, state: Snapshot) -> Iterator[Finding]:
        for link in state.links:
            address = link.partition("#")[0]
            if not address.startswith("http"):
                continue
            trouble = self._trouble(address)
            if trouble:
                yield Finding(kind="broken-link", message=f"{address}: {trouble}", state=state.state, url=address)

    def _trouble(self, address: str) -> str:
        if address not in self._known:
            self._known[address] = ""
            try:
                urllib.request.urlopen(address, timeout=10).close()  # noqa: S310 — only http and https come here
            except (urllib.error.URLError, OSError, ValueError) as trouble:
                self._known[address] = str(trouble)
        return self._known[address]


def unnamed_fields(state: Snapshot) -> Iterator[Finding]:
    """Fields that a form would send without a name are lost, and nobody can tell what they are for."""
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
