"""Every key that a crawl has in Redis.

All keys of a crawl bear its name in braces, so that in a Redis Cluster they lie in one slot, and scripts may touch
several of them at once.

    statecrawl:crawls                 set     names of the crawls that are here
    statecrawl:{NAME}:plan            string  what is crawled and how, for nodes and for coordinators to come
    statecrawl:{NAME}:journal         stream  the facts, one group an entry: field f, one JSON object per line; where
                                              peers write, field s: events and resets of all until then
    statecrawl:{NAME}:asks            stream  what nodes say, until it was dealt with: field m, JSON
    statecrawl:{NAME}:mail:NODE       stream  answers to a node, or tokens: field m, JSON; vanishes when nobody writes
    statecrawl:{NAME}:leader          string  who coordinates, or looks after peers; vanishes when it does not say so
                                              again in time
    statecrawl:{NAME}:ended           string  why the last run ended; there is none while one goes on
    statecrawl:{NAME}:evidence        stream  what nodes saw, until a coordinator has it on disk: field p, a parcel
    statecrawl:{NAME}:status          string  what is going on, as JSON
    statecrawl:{NAME}:spent           string  milliseconds for which this run was coordinated, by whomever
    statecrawl:{NAME}:spent-at        string  when that was said, in milliseconds by the server's time

Where peers share the journal, as their log:

    statecrawl:{NAME}:log             hash    incarnation: of the log, another one after each loss; clock: milliseconds
                                              that somebody could be heard; at: when that was, by the server's time;
                                              fired, resets: by all; run: the latest, over: whether it has ended (1 or
                                              0); epoch: of the last change of members
    statecrawl:{NAME}:seen            hash    peer -> when it was heard, by that clock
    statecrawl:{NAME}:peers           hash    peer -> number of its last request, whether that was appended (1 or 0),
                                              clock when it came, its events, resets, transitions, idle milliseconds
    statecrawl:{NAME}:warnings        set     what whoever asked for the crawl should know
"""

import re
from dataclasses import dataclass

from statecrawl.errors import BadInput

CRAWLS = "statecrawl:crawls"
_NAME = re.compile(r"[A-Za-z0-9._-]{1,100}")


@dataclass(frozen=True, slots=True)
class RedisKeys:
    """The keys of one crawl. BadInput when its name is none."""

    crawl: str

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.crawl):
            shown = self.crawl[:100].rpartition("@")[2]  # of an address whose password has a # in it
            raise BadInput(f"'{shown}' is no name for a crawl: use letters, digits, dots and dashes.")

    @property
    def prefix(self) -> str:
        """How all of them begin."""
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
