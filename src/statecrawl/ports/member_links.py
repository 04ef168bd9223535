"""Interfaces between a member and the log that all peers share, or the coordinator of Dist-RIA.

Implemented by `cluster.http.link.HttpLink`, `cluster.mpi.log.MpiLogLink` and `cluster.redis.log.RedisLog`. A message
may arrive twice and a reply may never arrive; the state machine in `coordination.peer_to_peer` tolerates both. See
`coordination.peer_log` for the guarantees of a log.
"""

from typing import Protocol

from statecrawl.coordination import dist_ria
from statecrawl.coordination.peer_to_peer import LogEntries, LogRequest, PassedToken


class PeerLogLink(Protocol):
    """Connection of a peer to the log and, through it, to its neighbor in the ring.

    A method that waits raises LineLost when the log cannot be reached for too long, and NodeRefused when the log
    rejects this peer.
    """

    async def exchange(self, request: LogRequest) -> LogEntries:
        """Append facts to the log and read the entries of the other peers."""

    async def listen(self, peer: str, incarnation: int, position: int) -> PassedToken | None:
        """Wait for entries after a position, for the token, or for a few seconds.

        Return the token if it has arrived; each token is returned once. Listening also counts as a heartbeat.
        """

    async def pass_on(self, peer: str, passed: PassedToken) -> None:
        """Pass the token to another peer, which receives it when it listens. It may get lost; the sender repeats it."""


class DistRiaLink(Protocol):
    """Connection of a Dist-RIA node to its coordinator. Raises the same errors as `PeerLogLink`."""

    async def report(self, ask: dist_ria.StatusReport) -> dist_ria.DistRiaReply:
        """Send a report and return the reply. For an idle node without news, the reply may take a few seconds."""
