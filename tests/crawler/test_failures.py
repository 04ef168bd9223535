"""Failed requests prove nothing while the network is down; a URL that never answers is believed soon."""

import pytest

from statecrawl.crawler.failures import (
    BUSY_SECONDS,
    CALM_SECONDS,
    FEW,
    LOAD,
    MOST_BUSY,
    MOST_REPEATS,
    MOST_WAIT,
    PAUSES,
    Failures,
)
from statecrawl.errors import SiteUnreachable
from statecrawl.ports.page import BACKGROUND, BUSY, FAILED, Note

A, B = "http://host/a", "http://host/b"


class Clock:
    """Time passes when somebody waits, and a little with every look."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


def failed(*addresses: str) -> list[Note]:
    return [Note(FAILED, ["GET", address, "no answer"]) for address in addresses]


def asked(*addresses: str) -> list[Note]:
    return [Note("request", ["GET", address, "fetch"]) for address in addresses]


def hung(*addresses: str) -> list[Note]:
    """Within the scope; of what is not, only the latter is told."""
    return [*failed(*addresses), *(Note(BACKGROUND, address) for address in addresses)]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def failures(clock: Clock) -> Failures:
    return Failures(clock)


def tried(failures: Failures, clock: Clock, address: str, page: int = 0) -> tuple[int, float]:
    """An address that never answers, while the first page does: how often it is doubted, and how long that takes."""
    begun, times = clock.now, 0
    while failures.must_repeat(page, "event", failed(address)):
        times += 1
        clock.now += failures.pause(page)
        failures.loaded(page)
    return times, clock.now - begun


def test_what_never_answers_is_believed_after_a_few_tries(failures: Failures, clock: Clock) -> None:
    times, seconds = tried(failures, clock, A)
    assert times == FEW
    assert seconds == pytest.approx(sum(PAUSES[:FEW]), abs=0.1)
    assert not failures.must_repeat(1, "another event", failed(A))


def test_where_the_network_is_sound_the_next_address_costs_no_time(failures: Failures, clock: Clock) -> None:
    tried(failures, clock, A)
    times, seconds = tried(failures, clock, B)
    assert times == FEW
    assert seconds < 0.1


def test_what_has_answered_before_is_waited_for_longer(failures: Failures, clock: Clock) -> None:
    assert not failures.must_repeat(0, "event", asked(f"{A}?query"))
    times, seconds = tried(failures, clock, A)
    assert times == len(PAUSES)
    assert seconds == pytest.approx(sum(PAUSES), abs=0.1)


def test_what_fails_before_the_first_page_does_not_come_says_nothing(failures: Failures, clock: Clock) -> None:
    for _ in range(20):
        assert failures.must_repeat(0, "event", failed(A))
        failures.unreachable()
        failures.loaded(0)
    assert tried(failures, clock, A)[0] == len(PAUSES), "the network is not to be trusted now"
    clock.now += CALM_SECONDS
    assert tried(failures, clock, B)[0] == FEW


def test_failures_of_several_pages_at_the_same_time_are_one(failures: Failures) -> None:
    for page in range(5):
        assert failures.must_repeat(page, f"event {page}", failed(A))
    for page in range(5):
        failures.loaded(page)
    assert failures.must_repeat(0, "event 0", failed(A))


def test_an_address_that_answers_again_is_not_broken(failures: Failures, clock: Clock) -> None:
    tried(failures, clock, A)
    assert not failures.must_repeat(0, "event", asked(A))
    assert failures.must_repeat(0, "another", failed(A))
    assert failures.pause(0) == PAUSES[0]


def test_an_error_page_is_doubted_by_what_led_to_it(failures: Failures) -> None:
    for _ in range(FEW):
        assert failures.must_repeat(0, "event", (), at_error=True)
        failures.loaded(0)
    assert not failures.must_repeat(0, "event", (), at_error=True)
    assert failures.must_repeat(0, "another", (), at_error=True)


@pytest.mark.parametrize("cause", [LOAD, "event"])
def test_an_application_that_asks_for_other_addresses_each_time_comes_to_an_end(failures: Failures, cause: str) -> None:
    times = 0
    while failures.must_repeat(0, cause, failed(f"{A}/{times}")):
        failures.loaded(0)
        times += 1
    assert times == MOST_REPEATS


# -- what gets no answer in time --


def believed(failures: Failures, cause: str, address: str) -> int:
    """How often an event is doubted that asks for an address which hangs, until it is believed."""
    times = 0
    while failures.must_repeat(0, cause, [*asked(f"{address}?{times}"), *hung(address)]):
        failures.loaded(0)
        times += 1
    return times


def test_a_long_poll_is_believed_after_a_few_tries_and_no_longer_waited_for(failures: Failures) -> None:
    assert believed(failures, "event", A) == FEW
    assert failures.background == {A}
    assert not failures.must_repeat(0, "another", hung(A))
    for number in range(5):
        assert not failures.must_repeat(0, "another", asked(f"{A}?{number}"))
    assert failures.background == {A}, "nobody waited for it: it has not answered"


def test_what_hangs_while_the_first_page_does_not_come_is_never_believed(failures: Failures) -> None:
    for _ in range(20):
        assert failures.must_repeat(0, "event", hung(A))
        failures.unreachable()
    assert not failures.background


def test_what_has_answered_is_doubted_longer_and_waited_for_again(failures: Failures) -> None:
    assert not failures.must_repeat(0, "event", asked(A))
    assert believed(failures, "event", A) == len(PAUSES)
    assert not failures.background


def test_what_hangs_beyond_the_scope_is_believed(failures: Failures) -> None:
    assert not failures.must_repeat(0, "event", [*asked(A), Note(BACKGROUND, A)])
    assert failures.background == {A}


def test_an_address_that_hangs_for_some_events_only_is_doubted_once(failures: Failures) -> None:
    def first_page() -> None:
        failures.loaded(0)
        assert not failures.must_repeat(0, LOAD, asked(A))

    times = 0
    first_page()
    while failures.must_repeat(0, "event", hung(A)):
        first_page()
        times += 1
    assert times == MOST_REPEATS
    first_page()
    assert not failures.must_repeat(0, "another", hung(A))
    assert failures.must_repeat(0, "another", failed(A)), "that is something else"


def test_an_application_that_hangs_at_another_address_each_time_is_believed_in_the_end(failures: Failures) -> None:
    assert not failures.must_repeat(0, "event", asked(A))
    times = 0
    while failures.must_repeat(0, "event", hung(f"{B}/{times}")):
        failures.loaded(0)
        times += 1
    assert times == MOST_REPEATS
    assert not failures.must_repeat(0, "another", hung(f"{B}/another"))
    assert failures.must_repeat(0, "another", hung(A)), "it has answered before"


def test_repeats_that_were_resolved_do_not_add_up(failures: Failures) -> None:
    for number in range(3 * MOST_REPEATS):
        assert failures.must_repeat(0, LOAD, hung(f"{A}/{number}"))
        failures.loaded(0)
        assert not failures.must_repeat(0, LOAD, asked(f"{A}/{number}"))


# -- servers that are busy --


def busy(address: str, seconds: float | None = None) -> list[Note]:
    return [Note(BUSY, [address, seconds])]


def test_everybody_waits_as_long_as_a_server_asks_for(failures: Failures, clock: Clock) -> None:
    assert failures.must_repeat(0, "event", busy(A, 7.0))
    assert failures.pause(0) == pytest.approx(7.0, abs=0.1)
    assert failures.pause(1) == pytest.approx(7.0, abs=0.1)
    clock.now += 7.0
    assert failures.busy_seconds() == 0.0
    assert not failures.must_repeat(0, "event", asked(A))
    assert not failures.broken


def test_without_a_time_it_is_twice_as_long_each_time_until_it_is_believed(failures: Failures, clock: Clock) -> None:
    waits: list[int] = []
    while failures.must_repeat(0, "event", [*busy(A), *failed(A)]) and len(waits) < MOST_BUSY:
        waits.append(round(failures.busy_seconds()))
        clock.now += failures.pause(0)
        failures.loaded(0)
    assert waits == [BUSY_SECONDS * 2**turn for turn in range(MOST_BUSY)]
    assert not failures.must_repeat(0, "another event", busy(A))  # it never says anything else
    assert failures.must_repeat(0, "another event", busy(B))


def test_what_asks_for_too_much_ends_the_crawl(failures: Failures) -> None:
    assert failures.must_repeat(0, LOAD, busy(A, MOST_WAIT + 10))
    with pytest.raises(SiteUnreachable, match="left alone for 130 s"):
        failures.pause(0)


def test_a_server_that_is_well_again_has_all_tries_again(failures: Failures, clock: Clock) -> None:
    for _ in range(3):
        for _ in range(MOST_BUSY - 1):
            assert failures.must_repeat(0, "event", busy(A, 1.0))
            clock.now += 1.0
        assert not failures.must_repeat(0, "event", [])
