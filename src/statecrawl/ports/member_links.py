"""The seam between a peer and the log that all peers share, wherever that is.

Implemented by `cluster.http.link.HttpLink`, `cluster.mpi.log.MpiLogLink` and `cluster.redis.log.RedisLog`. What is sent
may arrive twice, and an answer may never come: the machine of `coordination.peer_to_peer` is made for that. What a log
has to keep to is told in `coordination.peer_log`.
"""

from typing import Protocol

from statecrawl.coordination import dist_ria
from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest, PassedToken


class PeerLogLink(Protocol):
    """How a peer speaks to the log, and by way of it to its neighbour in the ring.

    Whatever waits raises LineLost when the log is not to be reached for too long, and NodeRefused when it does not want
    this peer.
    """

    async def exchange(self, request: LogRequest) -> LogEntries:
        """Append and read."""

    async def listen(self, peer: str, incarnation: int, position: int) -> PassedToken | None:
        """Wait until there is something to read behind a position, or a token has come, or a few seconds have passed.

        The token, if one has come; each is given out once. A peer that listens is heard of.
        """

    async def pass_on(self, peer: str, passed: PassedToken) -> None:
        """Have another peer find the token when it listens. It may get lost: whoever sends it sends it again."""


class DistRiaLink(Protocol):
    """How a node of Dist-RIA speaks to its coordinator. Raises what `PeerLogLink` raises."""

    async def report(self, ask: dist_ria.StatusReport) -> dist_ria.DistRiaReply:
        """The answer. To a node that is done, one that says nothing new may take a few seconds."""
