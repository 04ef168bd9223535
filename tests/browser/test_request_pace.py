"""The pace of pages, without one."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.browser.request_pace import RequestPace, host_of, rest
from statecrawl.ports.page import OutOfTime


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@given(st.lists(st.tuples(st.sampled_from(["http://a/", "https://a/x", "http://b:80/"]), st.floats(0, 3))))
def test_each_host_is_given_the_delay_for_each_request(sent: list[tuple[str, float]]) -> None:
    clock = Clock()
    pace = RequestPace(0.5, clock=clock)
    for url, passes in sent:
        pace.count(url)
        clock.now += passes
    hosts = {host_of(url) for url, _ in sent}
    most = max((sum(host_of(url) == host for url, _ in sent) for host in hosts), default=0)
    assert pace.requests == len(sent)
    assert 0 <= pace.owed() <= 0.5 * most + 1e-6
    took = sum(passes for _, passes in sent) + pace.owed()
    assert took >= 0.5 * most - 1e-6


def test_who_asks_nobody_owes_nothing() -> None:
    pace = RequestPace(1.0)
    for url in ("data:text/plain,x", "blob:http://a/1", "about:blank", "http://[half"):
        pace.count(url)
    assert (pace.requests, pace.owed()) == (0, 0)


@given(st.integers(1, 4), st.lists(st.sampled_from("ab"), max_size=30))
def test_no_more_than_so_many_are_under_way(most: int, hosts: list[str]) -> None:
    pace = RequestPace(concurrent=most)
    went: list[str] = []
    for host in hosts:
        pace.enter(host, lambda host=host: went.append(host))  # type: ignore[misc]
    for host in "ab":
        assert went.count(host) == min(hosts.count(host), most)
    done = 0
    while done < len(went):  # each that is done lets another go, until all have gone
        pace.leave(went[done])
        done += 1
    assert sorted(went) == sorted(hosts)


def test_a_request_that_is_given_up_does_not_wait() -> None:
    pace = RequestPace(concurrent=1)
    went: list[str] = []
    goes = {name: lambda name=name: went.append(name) for name in "abcd"}
    for name, go in goes.items():
        pace.enter("host", go, urgent=name == "d")
    for name in "abb":  # what went already, and what was given up before, change nothing
        pace.give_up("host", goes[name])
    for _ in goes:
        pace.leave("host")
    assert went == ["a", "d", "c"]


def test_who_is_in_a_hurry_does_not_wait() -> None:
    async def run() -> None:
        pace = RequestPace(delay=60.0)
        pace.count("http://host/")
        waiting = asyncio.create_task(pace.wait())
        await asyncio.sleep(0)
        pace.hurry.set()
        with pytest.raises(OutOfTime):
            await waiting
        with pytest.raises(OutOfTime):
            await rest(60.0, pace.hurry)
        await rest(0.0, pace.hurry)
        await rest(0.01, asyncio.Event())

    asyncio.run(run())
