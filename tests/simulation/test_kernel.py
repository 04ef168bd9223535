"""The kernel runs what is due, in order of time and then of scheduling."""

from statecrawl.simulation.kernel import Kernel


def test_actions_run_in_order_of_time() -> None:
    kernel = Kernel()
    seen: list[tuple[float, str]] = []
    for delay, name in ((3.0, "late"), (1.0, "early"), (2.0, "between")):
        kernel.after(delay, lambda name=name: seen.append((kernel.now, name)))  # type: ignore[misc]
    kernel.run()
    assert seen == [(1.0, "early"), (2.0, "between"), (3.0, "late")]


def test_at_the_same_time_the_first_scheduled_goes_first() -> None:
    kernel = Kernel()
    seen: list[int] = []
    for number in range(20):
        kernel.after(1.0, lambda number=number: seen.append(number))  # type: ignore[misc]
    kernel.run()
    assert seen == list(range(20))


def test_an_action_may_schedule_others() -> None:
    kernel = Kernel()
    times: list[float] = []

    def tick() -> None:
        times.append(kernel.now)
        if len(times) < 4:
            kernel.after(0.5, tick)

    kernel.after(0, tick)
    kernel.run()
    assert times == [0, 0.5, 1.0, 1.5]
    assert kernel.now == 1.5


def test_a_run_can_be_stopped_and_resumed() -> None:
    kernel = Kernel()
    seen: list[int] = []
    for number in range(5):
        kernel.after(number, lambda number=number: seen.append(number))  # type: ignore[misc]
    kernel.run(until=lambda: len(seen) == 2)
    assert (seen, kernel.now) == ([0, 1], 1)
    kernel.run()
    assert seen == [0, 1, 2, 3, 4]


def test_nothing_to_do_ends_at_once() -> None:
    kernel = Kernel()
    kernel.run()
    assert kernel.now == 0
