"""All Redis keys of a crawl.

The keys of a crawl contain its name in braces, so that they share one slot in a Redis Cluster, and scripts may access
several of them at once.

    statecrawl:crawls                 set     names of the crawls on this server
    statecrawl:{NAME}:plan            string  the crawl plan, for nodes and for later coordinators
    statecrawl:{NAME}:journal         stream  the facts, one group per entry: field f, one JSON object per line; where
                                              peers write, field s: events and resets of all peers until then
    statecrawl:{NAME}:asks            stream  messages of nodes until they are processed: field m, JSON
    statecrawl:{NAME}:mail:NODE       stream  replies or tokens for a node: field m, JSON; expires without new entries
    statecrawl:{NAME}:leader          string  the current coordinator or observer; expires unless it is renewed
    statecrawl:{NAME}:ended           string  why the last run ended; missing while a run is in progress
    statecrawl:{NAME}:evidence        stream  evidence of nodes until a coordinator has stored it: field p, a parcel
    statecrawl:{NAME}:status          string  current status, as JSON
    statecrawl:{NAME}:spent           string  milliseconds for which this run was coordinated, by any process
    statecrawl:{NAME}:spent-at        string  when that was written, in milliseconds of the server's clock

Where peers share the journal as their log:

    statecrawl:{NAME}:log             hash    incarnation: changes after each loss; clock: milliseconds during which the
                                              log was accessible; at: time of the last access by the server's clock;
                                              fired, resets: of all peers; run: number of the latest run, over: whether
                                              it has ended (1 or 0); epoch: of the last change of members
    statecrawl:{NAME}:seen            hash    peer -> time of its last message, by the clock of the log
    statecrawl:{NAME}:peers           hash    peer -> number of its last request, whether that was appended (1 or 0),
                                              clock when it joined, its events, resets, transitions, idle milliseconds
    statecrawl:{NAME}:warnings        set     warnings for the user
"""

import re
from dataclasses import dataclass

from statecrawl.errors import BadInput

CRAWLS = "statecrawl:crawls"
_NAME = re.compile(r"[A-Za-z0-9._-]{1,100}")


@dataclass(frozen=True, slots=True)
class RedisKeys:
    """Keys of one crawl. BadInput when its name is invalid."""

    crawl: str

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.crawl):
            shown = self.crawl[:100].rpartition("@")[2]  # hides the password of a URL that contains a #
            raise BadInput(f"'{shown}' is not a valid crawl name: use letters, digits, dots, dashes and underscores.")

    @property
    def prefix(self) -> str:
        """Common prefix of the keys."""
        return f"statecrawl:{{{self.crawl}}}:"

    def _key(self, what: str) -> str:
        return f"{self.prefix}{what}"

    @property
    def plan(self) -> str:
        return self._key("plan")

    @property
    def journal(self) -> str:
        return self._key("journal")

    @property
    def asks(self) -> str:
        return self._key("asks")

    def mail(self, node: str) -> str:
        return self._key(f"mail:{node}")

    @property
    def leader(self) -> str:
        return self._key("leader")

    @property
    def ended(self) -> str:
        return self._key("ended")

    @property
    def evidence(self) -> str:
        return self._key("evidence")

    @property
    def status(self) -> str:
        return self._key("status")

    @property
    def spent(self) -> str:
        return self._key("spent")

    @property
    def spent_at(self) -> str:
        return self._key("spent-at")

    @property
    def log(self) -> str:
        return self._key("log")

    @property
    def seen(self) -> str:
        return self._key("seen")

    @property
    def peers(self) -> str:
        return self._key("peers")

    @property
    def warnings(self) -> str:
        return self._key("warnings")
