"""Paces: what is known of how long things take, in the papers' experiments and here.

Two of them have a name. In both an event takes what it took in the published experiments with the application, and a
reset as many events as there; they differ in the machinery.

`papers` is the setting of S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015. What it takes
to work out a task is table 5.1. To send a message takes 324 µs for 128 bytes and 369 µs for 256, both ends included
(§5.3.1): so much for a call, so much for each further fact. One figure is not printed, how long the coordinator is at a
message besides thinking, but it follows from two that are (§6.2): on Dyna-Table peers are held up by their calls from
434 nodes on, so a task takes 434 × 347 µs = 150 ms, and the coordinator is the bottleneck from 12 nodes on, so it needs
150 / 12 = 12.5 ms for each.

`ours` is what was measured of the engines, on two cores, with the processes of nodes on the same machine (`make bench
PARTS=fleet`, in docs/benchmarks.md). The coordinator in Python is at each task for 145 µs with 300 nodes, which is 41 %
of a core at 2,828 tasks a second, and for 100 µs with 600, where more questions wait and are dealt with at once: the
first is taken, 100 µs for thinking and the rest for the message. With 50 nodes half of the answers are there after
1.7 ms: 0.6 ms are the way there and back, 0.145 ms the coordinator, and what is left is a node that has to wake up. The
rest is what a Redis stream takes to append and to read.
"""

from dataclasses import replace

from statecrawl.simulation.service_times import ServiceTimes
from statecrawl.testbed.application import Application
from statecrawl.testbed.published import NEXT_TASK

LONGEST = 10.0**9  # virtual seconds: a crawl without faults ends by itself

# -- the papers --
CALL_SECONDS = 279e-6  # and
TELL_SECONDS = 45e-6  # for each fact: 324 µs for one, 369 µs for two
COORDINATOR_SECONDS = 11.6e-3  # for each message, besides 0.9 ms of thinking: see above
USUAL_THINKING_SECONDS = NEXT_TASK["greedy"].milliseconds / 1000  # where table 5.1 has nothing

# -- ours --
THINK_SECONDS = 100e-6  # of a coordinator in Python for each task, and
HANDLE_SECONDS = 45e-6  # for each message
APPEND_SECONDS = 35e-6  # of the log for each request: some 28,000 atomic appends a second
READ_SECONDS = 4e-6  # of the log for each fact that is read: 240,000 a second
LEARN_SECONDS = 11e-6  # of a node in Python to fold a fact and tell its strategy
LATENCY_SECONDS = (250e-6, 350e-6)  # one way: a stream answers after 0.5 to 0.7 ms
WAKE_SECONDS = 1e-3  # of a node

CLIENT_SERVER, DIST_RIA, PEER_TO_PEER = ARCHITECTURES = ("client-server", "dist-ria", "peer-to-peer")
OURS, PAPERS = PACES = ("ours", "papers")


def pace_of(name: str, app: Application, architecture: str, strategy: str) -> ServiceTimes:
    """How long things take when this application is crawled in this way."""
    base = ServiceTimes(
        event=app.event_seconds,
        reset=app.event_seconds * app.reset_cost,
        handle=0.0,
        lease=60.0,
        beat=2.0,
        latest=LONGEST,
    )
    return _papers(base, architecture, strategy) if name == PAPERS else _ours(base, architecture)


def _papers(base: ServiceTimes, architecture: str, strategy: str) -> ServiceTimes:
    published = NEXT_TASK.get(strategy)
    think = USUAL_THINKING_SECONDS if published is None else published.milliseconds / 1000
    never = LONGEST  # nobody fails, so nobody says that it is alive
    pace = replace(base, think=think, latency=(CALL_SECONDS, CALL_SECONDS + TELL_SECONDS), lease=never, beat=never)
    if architecture == PEER_TO_PEER:
        return replace(pace, call=CALL_SECONDS, tell=TELL_SECONDS)
    return replace(pace, handle=COORDINATOR_SECONDS)


def _ours(base: ServiceTimes, architecture: str) -> ServiceTimes:
    pace = replace(
        base, think=THINK_SECONDS, learn=LEARN_SECONDS, serve=READ_SECONDS, latency=LATENCY_SECONDS, wake=WAKE_SECONDS
    )
    return replace(pace, handle=APPEND_SECONDS if architecture == PEER_TO_PEER else HANDLE_SECONDS)
