"""Symmetric chains: every vertex lies on exactly one, and each level has the right number of starts."""

from math import comb

import pytest

from statecrawl.strategies.symmetric_chains import starts_chain, successor


def mask_of(text: str) -> int:
    """The leftmost character is event 0."""
    return sum(1 << event for event, bit in enumerate(text) if bit == "1")


def chain_from(mask: int, size: int) -> list[int]:
    chain = [mask]
    while (event := successor(chain[-1], size)) is not None:
        chain.append(chain[-1] | 1 << event)
    return chain


def enabled(mask: int, size: int) -> str:
    """The events not executed yet, counted from 1 as in the paper."""
    return "".join(str(event + 1) for event in range(size) if not mask >> event & 1)


def test_the_leftmost_unmatched_zero_comes_next() -> None:
    mask = mask_of("1100110001")
    assert successor(mask, 10) == 6
    assert not starts_chain(mask, 10)


def test_the_ends_of_a_chain() -> None:
    assert successor(0, 0) is None
    assert successor(0, 3) == 0
    assert successor(0b111, 3) is None
    assert starts_chain(0, 0)
    assert starts_chain(0, 5)
    assert not starts_chain(0b1, 1)


def test_the_six_chains_of_four_events() -> None:
    chains = [chain_from(mask, 4) for mask in range(16) if starts_chain(mask, 4)]
    assert {tuple(enabled(mask, 4) for mask in chain) for chain in chains} == {
        ("1234", "234", "34", "4", ""),
        ("134", "14", "1"),
        ("124", "24", "2"),
        ("123", "23", "3"),
        ("13",),
        ("12",),
    }


@pytest.mark.parametrize("size", range(11))
def test_chains_part_the_cube(size: int) -> None:
    starts = [mask for mask in range(1 << size) if starts_chain(mask, size)]
    chains = [chain_from(mask, size) for mask in starts]
    assert sorted(mask for chain in chains for mask in chain) == list(range(1 << size))
    assert all(len(chain) == size - 2 * chain[0].bit_count() + 1 for chain in chains)


@pytest.mark.parametrize("size", range(1, 11))
def test_starts_at_each_level(size: int) -> None:
    levels = [0] * (size // 2 + 1)
    for mask in range(1 << size):
        if starts_chain(mask, size):
            levels[mask.bit_count()] += 1
    assert levels == [comb(size, level) - (comb(size, level - 1) if level else 0) for level in range(len(levels))]


def test_starts_of_ten_events() -> None:
    starts = [mask.bit_count() for mask in range(1 << 10) if starts_chain(mask, 10)]
    assert [starts.count(level) for level in range(6)] == [1, 9, 35, 75, 90, 42]


def test_large_masks_are_as_good_as_small_ones() -> None:
    size = 100
    mask = mask_of("01" * 50)
    assert starts_chain(mask, size)
    assert successor(mask, size) is None
    assert not starts_chain(mask_of("10" * 50), size)
