"""Paces: the processing times that a simulation uses, from the papers' experiments and from our own measurements.

In both paces, an event takes as long as in the published experiments with the application, and a reset costs as many
events. The paces differ in the processing times of coordinators, nodes and messages.

`papers` is the setting of S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", 2015. Table 5.1 gives
the time to compute a task. Sending a message takes 324 µs for 128 bytes and 369 µs for 256 bytes, including both ends
(§5.3.1); from these follow the times for a call and for each further fact. One figure is not printed: the time the
coordinator spends on a message besides computing the task. It follows from two other figures (§6.2). On Dyna-Table, the
calls of peers become their bottleneck at 434 nodes, so a task takes 434 × 347 µs = 150 ms; the coordinator becomes the
bottleneck at 12 nodes, so it needs 150 / 12 = 12.5 ms for each task.

`ours` is measured on our own implementation, on two cores, with all nodes on the same machine (`make bench
PARTS=fleet`, in docs/benchmarks.md). With 300 nodes, the coordinator in Python spends 145 µs on each task, which is
41 % of a core at 2,828 tasks a second. With 600 nodes it spends 100 µs, because more requests are waiting and are
handled at once. The pace uses the first figure: 100 µs for computing the task and the rest for the message. With 50
nodes, half of the responses arrive within 1.7 ms: 0.6 ms for the round trip, 0.145 ms for the coordinator, and the rest
for the node to wake up. The other figures are the times that a Redis stream takes to append and to read.
"""

from dataclasses import replace

from statecrawl.simulation.service_times import ServiceTimes
from statecrawl.testbed.application import Application
from statecrawl.testbed.published import NEXT_TASK

LONGEST = 10.0**9  # virtual seconds; a crawl without faults ends by itself

# -- the papers --
CALL_SECONDS = 279e-6  # per call, plus
TELL_SECONDS = 45e-6  # per fact: 324 µs for one, 369 µs for two
COORDINATOR_SECONDS = 11.6e-3  # per message, besides 0.9 ms for computing the task: see above
DEFAULT_THINK_SECONDS = NEXT_TASK["greedy"].milliseconds / 1000  # for strategies that table 5.1 does not list

# -- ours --
THINK_SECONDS = 100e-6  # coordinator, per task, plus
HANDLE_SECONDS = 45e-6  # per message
APPEND_SECONDS = 35e-6  # log, per request: about 28,000 atomic appends a second
READ_SECONDS = 4e-6  # log, per fact that is read: 240,000 a second
LEARN_SECONDS = 11e-6  # node, to fold a fact and pass it to its strategy
LATENCY_SECONDS = (250e-6, 350e-6)  # one way: a stream responds after 0.5 to 0.7 ms
WAKE_SECONDS = 1e-3  # node, to wake up

CLIENT_SERVER, DIST_RIA, PEER_TO_PEER = ARCHITECTURES = ("client-server", "dist-ria", "peer-to-peer")
OURS, PAPERS = PACES = ("ours", "papers")


def pace_of(name: str, app: Application, architecture: str, strategy: str) -> ServiceTimes:
    """Return the processing times for an application, an architecture and a strategy."""
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
    think = DEFAULT_THINK_SECONDS if published is None else published.milliseconds / 1000
    never = LONGEST  # no node fails, so there are no heartbeats
    pace = replace(base, think=think, latency=(CALL_SECONDS, CALL_SECONDS + TELL_SECONDS), lease=never, beat=never)
    if architecture == PEER_TO_PEER:
        return replace(pace, call=CALL_SECONDS, tell=TELL_SECONDS)
    return replace(pace, handle=COORDINATOR_SECONDS)


def _ours(base: ServiceTimes, architecture: str) -> ServiceTimes:
    pace = replace(
        base, think=THINK_SECONDS, learn=LEARN_SECONDS, serve=READ_SECONDS, latency=LATENCY_SECONDS, wake=WAKE_SECONDS
    )
    return replace(pace, handle=APPEND_SECONDS if architecture == PEER_TO_PEER else HANDLE_SECONDS)
