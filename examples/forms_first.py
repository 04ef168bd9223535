"""A custom strategy: forms first, then whatever is nearest.

    python examples/forms_first.py http://localhost:8000/

The base class tracks free events, which walker holds which event, and paths. A strategy decides which state is next
(`_choose`) and which of its events (`_pick`).
"""

import sys

import statecrawl
from statecrawl.strategies.greedy import Greedy


class FormsFirst(Greedy):
    """Greedy, but forms of the current state come first."""

    name = "forms-first"

    def _pick(self, positions: list[int], state: int) -> int:
        forms = [place for place in positions if self.graph.event(state, place).local.startswith("submit")]
        return super()._pick(forms or positions, state)


def main(url: str, out: str = "crawl-forms-first") -> int:
    for fact in (crawl := statecrawl.crawl(url, out=out, strategy=FormsFirst)):
        print(fact.__class__.__name__)
    if crawl.result is not None:
        print(f"{len(crawl.result.states)} states with {crawl.result.outcome.events} events")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
