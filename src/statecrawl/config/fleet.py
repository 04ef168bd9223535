"""How several nodes crawl together: which architecture, whose which event is, and what they tell each other."""

import math
from dataclasses import dataclass
from typing import Any

from statecrawl.coordination.balance import Balance
from statecrawl.coordination.partition import Partition, PartitionKey, PartitionRule
from statecrawl.coordination.shared_facts import SharingExtent, SharingRules
from statecrawl.errors import BadInput, UnknownName

CLIENT_SERVER, DIST_RIA, PEER_TO_PEER = "client-server", "dist-ria", "peer-to-peer"
ARCHITECTURES = (CLIENT_SERVER, DIST_RIA, PEER_TO_PEER)
BALANCES = tuple(balance for balance in Balance if balance is not Balance.DYNAMIC)  # that is client and server
MOST_SECONDS = 3600.0
MANY = 1_000_000  # facts that never wait at the same time


def _check(kind: str, name: str | None, known: tuple[str, ...]) -> None:
    if name is not None and name not in known:
        raise UnknownName(kind, name, known)


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetSettings:
    """What all nodes of a crawl have to know of that. None where nobody said: what is usual."""

    architecture: str = CLIENT_SERVER
    partition: str | None = None  # one of `PartitionRule`
    partition_by: str | None = None  # one of `PartitionKey`
    balance: str | None = None  # one of `BALANCES`
    share: str | None = None  # one of `SharingExtent`
    share_every: int | None = None  # facts
    share_seconds: float | None = None

    def __post_init__(self) -> None:
        _check("architecture", self.architecture, ARCHITECTURES)
        _check("partition", self.partition, tuple(PartitionRule))
        _check("key of a partition", self.partition_by, tuple(PartitionKey))
        _check("balance", self.balance, BALANCES)
        _check("kind of sharing", self.share, tuple(SharingExtent))
        dealing: dict[str, object] = {"partition": self.partition, "partition-by": self.partition_by}
        telling: dict[str, object] = {
            "share": self.share,
            "share-every": self.share_every,
            "share-interval": self.share_seconds,
        }
        if self.architecture == CLIENT_SERVER:
            self._refuse({**dealing, "balance": self.balance, **telling}, "the coordinator says which node does what")
        if self.architecture == DIST_RIA:
            self._refuse(telling, "its nodes tell each other of states, as soon as they find them")
        if self.architecture == PEER_TO_PEER:
            self._refuse({"balance": self.balance}, "nobody knows how much work the others have")
        if self.partition in (PartitionRule.RANGE, PartitionRule.STRIDE) and self.partition_by not in (
            None,
            PartitionKey.EVENT,
        ):
            raise BadInput(f"--partition {self.partition} goes by places in a state: leave out --partition-by.")
        if self.share_every is not None and self.share_every < 1:
            raise BadInput(f"--share-every must be 1 or more, not {self.share_every}.")
        if self.share_seconds is not None and not 0 <= self.share_seconds <= MOST_SECONDS:
            raise BadInput(f"--share-interval must be between 0 and {MOST_SECONDS:.0f} s, not {self.share_seconds:g}.")

    def _refuse(self, given: dict[str, object], reason: str) -> None:
        for name, value in given.items():
            if value is not None:
                raise BadInput(f"--{name} means nothing to {self.architecture}, where {reason}: leave it out.")

    @property
    def event_partition(self) -> Partition:
        """How events are dealt out."""
        return Partition(
            PartitionRule(self.partition or PartitionRule.RENDEZVOUS),
            PartitionKey(self.partition_by or PartitionKey.EVENT),
        )

    @property
    def balancing(self) -> Balance:
        """How the work of a new state is given out."""
        return Balance(self.balance or Balance.STATIC)

    @property
    def sharing(self) -> SharingRules:
        """What peers tell each other, and when."""
        usual = 1 if self.share_seconds is None else MANY  # who names a time alone, means that
        return SharingRules(
            extent=SharingExtent(self.share or SharingExtent.ALL),
            count=usual if self.share_every is None else self.share_every,
            seconds=math.inf if self.share_seconds is None else self.share_seconds,
        )

    def recorded_settings(self) -> dict[str, Any]:
        """By the names of the flags, for the journal."""
        said = {"architecture": self.architecture}
        if self.architecture != CLIENT_SERVER:
            said |= {"partition": str(self.event_partition.rule), "partition-by": str(self.event_partition.key)}
        if self.architecture == DIST_RIA:
            said["balance"] = str(self.balancing)
        if self.architecture == PEER_TO_PEER:
            said["share"] = str(self.sharing.extent)
        return said
