"""The curve: about as many points however long it lasts, and whoever adds them up has all of them."""

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.report.live.curve import Curve, Point


@given(st.lists(st.floats(0.01, 3), min_size=1, max_size=200), st.integers(1, 9))
def test_points_added_are_the_points_there_are(steps: list[float], seldom: int) -> None:
    curve, seconds, known = Curve(20), 0.0, 0
    points: list[Point] = []
    for version, step in enumerate(steps, 1):
        seconds += step
        curve.add(version, (seconds, version, version, version))
        if version % seldom == 0:
            is_void, more = curve.since(known)
            points, known = more if is_void else points + more, version
    is_void, more = curve.since(known)
    points = more if is_void else points + more
    assert points == curve.since(0)[1]
    assert len(points) <= 21
    assert points == sorted(points)
    assert points[0] == (steps[0], 1, 1, 1)


def test_another_run_begins_another_curve() -> None:
    curve = Curve()
    curve.add(1, (5.0, 1, 1, 1))
    curve.add(2, (1.0, 2, 2, 2))
    assert curve.since(1) == (True, [(1.0, 2, 2, 2)])
