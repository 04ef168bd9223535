"""`python -m bench.labels.rereading [NAME…]`: bring recordings up to date with a changed `browser/agent/regions.js`.

The present agent reads the regions of all states again, from the normal forms that a crawl has stored. This needs the
directory of the crawl (`bench.labels.crawls`), which is not committed. What the crawl fired stays as it was.
"""

import asyncio
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace

from bench.labels import recording
from bench.labels.crawls import LABELLED, crawl_folder
from statecrawl.browser.agent import AgentSettings, agent_script
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.context_targets import open_page
from statecrawl.browser.devtools import Session
from statecrawl.journal.facts import Fact, StateFound
from statecrawl.model.regions import Region, Regions
from statecrawl.ports.page import lines_of
from statecrawl.stores.evidence import EvidenceReader

END = "})()"  # of the agent's script
# What has events is marked in a normal form. Hidden controls are not, but most of them are native ones.
REREAD = """
    const fields = new Set(['input', 'select', 'textarea']);
    const natives = new Set([...fields, 'a', 'button', 'summary']);
    const isType = (line) => line[1] === '@type' || line[1] === '<';
    const typeAfter = (lines, i) => lines.slice(i + 1, i + 60).find(isType)?.[2];
    const kindOf = (lines, i) => {
        const [, what, tag, mark] = lines[i];
        if (what !== '<' || (mark !== 1 && !natives.has(tag))) return 0;
        return fields.has(tag) && (tag !== 'input' || NO_FIELDS[typeAfter(lines, i)] !== 1) ? 2 : 1;
    };
    globalThis.reread = (lines) => {
        const controls = lines.map((_, i) => kindOf(lines, i));
        return JSON.stringify(regionsOf(lines, controls, null).regions);
    };
"""


async def regions_in(normal_forms: Iterable[str]) -> list[Regions]:
    """Return the regions that the present agent reads from each normal form."""
    chromium = await Chromium.start()
    try:
        session = await open_page(chromium.connection)
        script = agent_script(AgentSettings(name="agent", regions=True)).removesuffix(END)
        await _evaluate(session, f"{script}; {REREAD}; {END}; ''")
        return [await _regions(session, normal) for normal in normal_forms]
    finally:
        await chromium.close()


async def _regions(session: Session, normal: str) -> Regions:
    answer = await _evaluate(session, f"reread({json.dumps(lines_of(normal))})")
    found: list[tuple[str, str, str, str, list[int]]] = json.loads(answer)
    return tuple(Region(place, shape, look, content, tuple(events)) for place, shape, look, content, events in found)


async def _evaluate(session: Session, expression: str) -> str:
    answer = await session.call("Runtime.evaluate", expression=expression, returnByValue=True)
    return str(answer["result"]["value"])


def reread(facts: Sequence[Fact], crawl: Path) -> list[Fact]:
    """Return the facts with the regions that the present agent reads from the evidence of the crawl."""
    evidence = EvidenceReader(crawl)
    states = [fact.state for fact in facts if isinstance(fact, StateFound)]
    found = asyncio.run(regions_in(str(evidence.about(state)["normal"]) for state in states))
    regions = dict(zip(states, found, strict=True))
    return [replace(fact, regions=regions[fact.state]) if isinstance(fact, StateFound) else fact for fact in facts]


def main(names: Sequence[str]) -> None:
    for name in names or LABELLED:
        path = recording.recording_of(name)
        recording.write(reread(recording.read(path), crawl_folder(name)), path)
        print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
