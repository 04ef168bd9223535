"""Crawls and exchanges that nobody made, for exports that must cope with whatever a server says."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from statecrawl.exports.crawl_data import CrawlData
from statecrawl.journal.facts import CrawlStarted, Fact, StateFound
from statecrawl.journal.fold import fold
from statecrawl.ports.traffic import CUT, GONE, Exchange, RecordedExchange, Timings

HOME, AWAY = "aa" * 12, "bb" * 12
STARTED = CrawlStarted(application="http://host/", configuration={}, reset_cost=2.0)
TOKENS = st.text("abcdefghijklmnopqrstuvwxyzABCDEFXYZ0123456789-", min_size=1, max_size=12)
WORDS = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FFF), max_size=20)
TIMES = st.floats(0, 1000) | st.just(-1.0)
HEADERS = st.lists(st.tuples(TOKENS, WORDS), max_size=4).map(tuple)
EXCHANGES = st.builds(
    Exchange,
    method=st.sampled_from(["GET", "POST", "PUT", "HEAD"]),
    url=st.builds("http://host/{}?{}={}".format, TOKENS, TOKENS, TOKENS),
    status=st.sampled_from([0, 200, 201, 302, 404, 500]),
    reason=WORDS,
    failure=WORDS,
    kind=st.sampled_from(["Document", "Fetch", "Script"]),
    protocol=st.sampled_from(["", "http/1.1", "h2"]),
    address=st.sampled_from(["", "127.0.0.1:80", "[::1]:443"]),
    started=st.floats(0, 4e9),
    timings=st.builds(Timings, blocked=TIMES, dns=TIMES, connect=TIMES, ssl=TIMES),
    request_headers=HEADERS,
    request_body=st.none() | st.binary(max_size=30),
    response_headers=HEADERS,
    response_body=st.none() | st.binary(max_size=200),
    missing=st.sampled_from(["", GONE, CUT]),
)


def crawled(*exchanges: Exchange, facts: Sequence[Fact] = (), links: Sequence[str] = ()) -> CrawlData:
    """A crawl of two states, or of what these facts say, with this traffic."""
    told = list(facts) or [
        StateFound(state=HOME, events=("click a",), url="http://host/", title="Home"),
        StateFound(state=AWAY, events=(), url="http://host/away#top", title="Away"),
    ]
    recorded = [
        RecordedExchange(id=f"{number:032x}", exchange=exchange, places=((HOME, None), (AWAY, "click a")))
        for number, exchange in enumerate(exchanges)
    ]
    return CrawlData(
        crawl=fold([STARTED, *told]),
        found={fact.state: fact for fact in told if isinstance(fact, StateFound)},
        links=lambda _: links,
        traffic=lambda: iter(recorded),
    )


def answered(url: str, body: bytes = b"", media: str = "application/json", **changed: Any) -> Exchange:
    """What a script asked for and got."""
    usual: dict[str, Any] = {"method": "GET", "status": 200, "kind": "Fetch", "reason": "OK"}
    return Exchange(url=url, response_body=body, **(usual | {"response_headers": (("Content-Type", media),)} | changed))
