"""How nodes crawl together: what goes together, and what is said when it does not."""

import math
from typing import Any

import pytest

from statecrawl.config.fleet import ARCHITECTURES, DIST_RIA, NEVER_COUNT, PEER_TO_PEER, FleetSettings
from statecrawl.coordination.balance import Balance
from statecrawl.coordination.components import Responsibility
from statecrawl.coordination.partition import Partition, PartitionKey, PartitionRule
from statecrawl.coordination.shared_facts import SharingExtent, SharingRules
from statecrawl.errors import UserError


def test_what_is_usual() -> None:
    assert (FleetSettings().event_partition, FleetSettings().sharing, FleetSettings().balancing) == (
        Partition(),
        SharingRules(),
        Balance.STATIC,
    )
    assert FleetSettings().recorded_settings() == {"architecture": "client-server"}


def test_what_was_asked_for() -> None:
    fleet = FleetSettings(
        architecture=PEER_TO_PEER, partition="hash", partition_by="type", share="shorter", share_every=9
    )
    assert fleet.event_partition == Partition(PartitionRule.HASH, PartitionKey.TYPE)
    assert fleet.sharing == SharingRules(extent=SharingExtent.SHORTER, count=9, seconds=math.inf)
    assert fleet.recorded_settings() == {
        "architecture": "peer-to-peer",
        "partition": "hash",
        "partition-by": "type",
        "share": "shorter",
    }
    star = FleetSettings(architecture=DIST_RIA, balance="hybrid")
    assert (star.balancing, star.recorded_settings()["balance"]) == (Balance.HYBRID, "hybrid")


@pytest.mark.parametrize(
    ("every", "seconds", "count"), [(None, None, 1), (None, 2.0, NEVER_COUNT), (5, 2.0, 5), (5, None, 5)]
)
def test_a_time_alone_means_that_time(every: int | None, seconds: float | None, count: int) -> None:
    sharing = FleetSettings(architecture=PEER_TO_PEER, share_every=every, share_seconds=seconds).sharing
    assert (sharing.count, sharing.seconds) == (count, math.inf if seconds is None else seconds)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"architecture": "star"}, "unknown architecture 'star'"),
        ({"architecture": DIST_RIA, "partition": "fair"}, "unknown partition 'fair'"),
        ({"architecture": DIST_RIA, "balance": "dynamic"}, "unknown balance 'dynamic'"),
        ({"partition": "hash"}, "--partition needs --architecture dist-ria or peer-to-peer: client-server does not"),
        ({"share": "all"}, "--share needs --architecture peer-to-peer"),
        ({"balance": "static"}, "--balance needs --architecture dist-ria"),
        (
            {"architecture": DIST_RIA, "share_every": 3},
            "--share-every needs --architecture peer-to-peer: dist-ria does not",
        ),
        ({"architecture": PEER_TO_PEER, "balance": "hybrid"}, "--balance needs --architecture dist-ria: peer"),
        (
            {"architecture": DIST_RIA, "partition": "range", "partition_by": "url"},
            "--partition range goes by position in the state: leave out --partition-by.",
        ),
        ({"architecture": DIST_RIA, "components": "hash"}, "unknown responsibility for components 'hash'"),
        ({"components": "handlers"}, "--components needs --architecture dist-ria or peer-to-peer"),
        ({"architecture": PEER_TO_PEER, "share_every": 0}, "--share-every must be 1 or more, not 0."),
        ({"architecture": PEER_TO_PEER, "share_seconds": -1.0}, "--share-interval must be between 0 and 3600 s"),
    ],
)
def test_what_does_not_go_together_is_said(given: dict[str, object], said: str) -> None:
    with pytest.raises(UserError) as refused:
        FleetSettings(**given)  # type: ignore[arg-type]
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"architecture": DIST_RIA, "balance": "adaptive"}, "leave it out with --model components"),
        ({"architecture": PEER_TO_PEER, "share": "states"}, "leave out --share, --share-every and --share-interval"),
        ({"architecture": PEER_TO_PEER, "share_every": 5}, "peers share everything at once"),
    ],
)
def test_what_a_crawl_by_components_cannot_have_is_said(given: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError) as refused:
        FleetSettings(**given).check_components()
    assert said in str(refused.value)


def test_a_component_belongs_to_the_node_that_claims_it_unless_a_hash_is_asked_for() -> None:
    assert FleetSettings(architecture=DIST_RIA).responsibility is Responsibility.GATE_KEEPERS
    hashed = FleetSettings(architecture=PEER_TO_PEER, components="handlers")
    assert hashed.responsibility is Responsibility.HANDLERS


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_architecture_crawls_by_components(architecture: str) -> None:
    FleetSettings(architecture=architecture).check_components()
