"""Loads: speeds, backlogs and idle time, derived from the reports of members."""

from statecrawl.coordination.balance import MemberLoad
from statecrawl.coordination.loads import Loads


def report(loads: Loads, done: int, backlog: int, now: float, *, is_idle: bool = False) -> None:
    loads.report("a", done=done, backlog=backlog, is_idle=is_idle, now=now)


def test_an_unknown_member_has_no_load() -> None:
    assert Loads().of("a", 3.0) == MemberLoad(0, 0.0, 0)
    assert Loads().idle(["a"], 3.0) == 0.0


def test_speed_counts_from_the_first_task() -> None:
    loads = Loads()
    report(loads, 0, 0, 1.0, is_idle=True)
    report(loads, 0, 5, 10.0)
    report(loads, 4, 100, 12.0)
    assert loads.of("a", 12.0) == MemberLoad(4, 2.0, 100)
    assert loads.of("a", 13.0) == MemberLoad(4, 2.0, 98)  # it will have done two more by now
    assert loads.of("a", 1000.0) == MemberLoad(4, 2.0, 0)


def test_a_waiting_member_is_idle_and_not_slow() -> None:
    loads = Loads()
    report(loads, 0, 5, 0.0)
    report(loads, 5, 3, 10.0, is_idle=True)  # what is left can not be reached
    assert loads.of("a", 10.0) == MemberLoad(5, 10.0, 0)
    report(loads, 0, 3, 15.0, is_idle=True)
    assert loads.of("a", 15.0) == MemberLoad(5, 10.0, 0)
    assert loads.idle(["a", "b"], 20.0) == 0.5
    loads.assign("a", 2)
    loads.mark_answered("a")
    assert loads.idle(["a"], 20.0) == 0.25  # it has something to do since 15.0
    report(loads, 2, 0, 20.0, is_idle=True)
    assert loads.of("a", 20.0) == MemberLoad(7, 15.0, 0)


def test_dealt_tasks_count_until_the_member_reports_them() -> None:
    loads = Loads()
    loads.assign("a", 2)  # before its first report
    assert loads.of("a", 0.0).backlog == 2
    report(loads, 0, 1, 0.0)
    assert loads.of("a", 0.0).backlog == 3  # it asked before it knew
    loads.assign("a", 4)
    loads.mark_answered("a")
    assert loads.of("a", 0.0).backlog == 7
    loads.assign("a", 1)
    report(loads, 0, 7, 1.0)
    assert loads.of("a", 1.0).backlog == 8


def test_a_returning_member_is_new() -> None:
    loads = Loads()
    report(loads, 0, 5, 0.0)
    report(loads, 4, 1, 2.0)
    loads.remove("a")
    loads.remove("nobody")
    assert loads.of("a", 3.0) == MemberLoad(0, 0.0, 0)
