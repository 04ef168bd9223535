"""Partitions: all nodes compute the same owners, every event has one, and few events move when members change."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.coordination.partition import Partition, PartitionKey, PartitionRule, shuffled
from statecrawl.model.event import Event

WAYS = [
    Partition(way, by)
    for way in PartitionRule
    for by in PartitionKey
    if by is PartitionKey.EVENT or way in (PartitionRule.HASH, PartitionRule.RENDEZVOUS)
]
every_way = pytest.mark.parametrize("partition", WAYS, ids=lambda rule: f"{rule.rule} by {rule.key}")

names = st.lists(st.text(min_size=1, max_size=8), unique=True, min_size=1, max_size=12).map(sorted)
listings = st.lists(st.text(max_size=12), unique=True, max_size=60).map(lambda ids: [Event.named(name) for name in ids])


def members(count: int) -> list[str]:
    return [f"node{number:03}" for number in range(count)]


def events(count: int) -> list[Event]:
    return [Event.named(f"click #{number}") for number in range(count)]


@every_way
@given(state=st.text(max_size=24), listed=listings, ring=names, url=st.text(max_size=20))
def test_every_event_has_one_owner_on_all_nodes(
    partition: Partition, state: str, listed: list[Event], ring: list[str], url: str
) -> None:
    owners = partition.owners(state, listed, ring, url)
    assert len(owners) == len(listed)
    assert all(0 <= owner < len(ring) for owner in owners)
    assert owners == Partition(partition.rule, partition.key, partition.seed).owners(
        state, tuple(listed), tuple(ring), url
    )


@pytest.mark.parametrize("way", [PartitionRule.RANGE, PartitionRule.STRIDE])
@given(count=st.integers(0, 100), nodes=st.integers(1, 12))
def test_range_and_stride_are_as_even_as_can_be(way: PartitionRule, count: int, nodes: int) -> None:
    sizes = Counter(Partition(way).owners("s", events(count), members(nodes)))
    assert max(sizes.values(), default=0) - min((sizes[node] for node in range(nodes)), default=0) <= 1


@pytest.mark.parametrize("way", [PartitionRule.HASH, PartitionRule.RENDEZVOUS])
def test_hashes_are_even_in_the_long_run(way: PartitionRule) -> None:
    sizes: Counter[int] = Counter()
    for state in range(100):
        sizes.update(Partition(way).owners(f"s{state}", events(100), members(8)))
    assert all(1250 * 0.9 < sizes[node] < 1250 * 1.1 for node in range(8))


def test_the_published_hash() -> None:
    """SHA-1 of "0\\0s\\0click #1" begins with a byte that says which of 256 members it is."""
    (owner,) = Partition(PartitionRule.HASH).owners("s", [Event.named("click #1")], members(256))
    assert owner == 0xFA


@given(state=st.text(max_size=8), listed=listings, ring=names, gone=st.data())
def test_only_the_events_of_a_leaving_member_move(
    state: str, listed: list[Event], ring: list[str], gone: st.DataObject
) -> None:
    leaver = gone.draw(st.sampled_from(ring))
    left = [name for name in ring if name != leaver]
    if not left:
        return
    before = [ring[owner] for owner in Partition().owners(state, listed, ring)]
    after = [left[owner] for owner in Partition().owners(state, listed, left)]
    assert all(now == then for then, now in zip(before, after, strict=True) if then != leaver)


def test_a_member_that_joins_takes_its_share_and_no_more() -> None:
    few, many = members(9), members(10)
    moved = 0
    for state in range(100):
        before = Partition().owners(f"s{state}", events(50), few)
        after = Partition().owners(f"s{state}", events(50), many)
        assert all(now in (then, 9) for then, now in zip(before, after, strict=True))
        moved += sum(then != now for then, now in zip(before, after, strict=True))
    assert 5000 / 10 * 0.85 < moved < 5000 / 10 * 1.15


def test_events_of_one_type_have_one_owner() -> None:
    partition = Partition(PartitionRule.RENDEZVOUS, PartitionKey.TYPE)
    owners = {
        partition.owners(f"s{n}", [Event(f"click #{n}", "click menu")], members(20), f"/{n}")[0] for n in range(50)
    }
    assert len(owners) == 1


def test_with_url_keys_the_url_decides_and_not_the_state() -> None:
    partition = Partition(PartitionRule.HASH, PartitionKey.URL)
    event = [Event("click #1", "click menu")]
    assert partition.owners("a", event, members(20), "/x") == partition.owners("b", event, members(20), "/x")
    assert len({partition.owners("a", event, members(20), f"/{n}")[0] for n in range(50)}) > 10


def test_another_seed_gives_another_partition() -> None:
    for way in PartitionRule:
        assert Partition(way, seed=1).owners("s", events(50), members(8)) != Partition(way).owners(
            "s", events(50), members(8)
        )


@pytest.mark.parametrize("way", [PartitionRule.RANGE, PartitionRule.STRIDE])
@pytest.mark.parametrize("by", [PartitionKey.TYPE, PartitionKey.URL])
def test_position_rules_refuse_keys_beyond_a_state(way: PartitionRule, by: PartitionKey) -> None:
    with pytest.raises(ValueError, match="by their positions"):
        Partition(way, by)


@every_way
def test_a_partition_needs_a_member(partition: Partition) -> None:
    with pytest.raises(ValueError, match="at least one member"):
        partition.owners("s", events(1), [])


@given(count=st.integers(0, 200), seed=st.text())
def test_a_shuffle_keeps_everything(count: int, seed: str) -> None:
    assert sorted(shuffled(count, seed)) == list(range(count))


def test_a_shuffle_favours_no_place() -> None:
    firsts = Counter(shuffled(10, f"{seed}").index(0) for seed in range(5000))
    assert all(400 < firsts[place] < 600 for place in range(10))
