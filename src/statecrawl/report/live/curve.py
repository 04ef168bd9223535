"""The discovery curve of a running crawl, with a bounded number of points."""

MOST_POINTS = 400
Point = tuple[float, int, int, int]  # seconds, events, states, transitions


class Curve:
    """Points, each with the version in which it was added. If there are too many, every other one is dropped."""

    def __init__(self, most: int = MOST_POINTS) -> None:
        self._most = most
        self._points: list[tuple[int, Point]] = []
        self._step = 0.25  # seconds between two points
        self._thinned = 0  # the version in which points were dropped last

    def add(self, version: int, point: Point) -> None:
        """Add the present progress, unless the last point is too recent."""
        if self._points and 0 <= point[0] - self._points[-1][1][0] < self._step:
            return
        if self._points and point[0] < self._points[-1][1][0]:  # a new run
            self._points.clear()
            self._thinned = version
        self._points.append((version, point))
        if len(self._points) > self._most:
            del self._points[1:-1:2]
            self._step *= 2
            self._thinned = version

    def since(self, version: int) -> tuple[bool, list[Point]]:
        """Return whether a client with this version must discard its points, and the points to add."""
        is_void = version < self._thinned
        return is_void, [point for drawn, point in self._points if is_void or drawn > version]
