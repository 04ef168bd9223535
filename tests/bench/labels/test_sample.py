"""A sample is spread over the whole crawl."""

from bench.labels.sample import sample

STATES = [str(number) for number in range(100)]


def test_each_part_of_the_crawl_gives_one_state() -> None:
    assert [int(state) // 10 for state in sample(STATES, 10)] == list(range(10))


def test_a_seed_fixes_the_sample() -> None:
    assert sample(STATES, 10, seed=1) == sample(STATES, 10, seed=1) != sample(STATES, 10, seed=2)


def test_a_small_crawl_is_taken_whole() -> None:
    assert sample(STATES[:5], 10) == STATES[:5]
