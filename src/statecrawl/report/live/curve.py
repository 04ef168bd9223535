"""The discovery curve while it grows: a point now and then, and always about as many."""

MOST_POINTS = 400
Point = tuple[float, int, int, int]  # seconds, events, states, transitions


class Curve:
    """Points, each with the version in which it was drawn. When there are too many, every other one is forgotten."""

    def __init__(self, most: int = MOST_POINTS) -> None:
        self._most = most
        self._points: list[tuple[int, Point]] = []
        self._step = 0.25  # seconds between two points
        self._thinned = 0  # the version in which that was done last

    def add(self, version: int, point: Point) -> None:
        """How far the crawl is now; it is drawn if it is time for that."""
        if self._points and 0 <= point[0] - self._points[-1][1][0] < self._step:
            return
        if self._points and point[0] < self._points[-1][1][0]:  # another run
            self._points.clear()
            self._thinned = version
        self._points.append((version, point))
        if len(self._points) > self._most:
            del self._points[1:-1:2]
            self._step *= 2
            self._thinned = version

    def since(self, version: int) -> tuple[bool, list[Point]]:
        """Whether what somebody has who knows a version is void, and the points to be added."""
        is_void = version < self._thinned
        return is_void, [point for drawn, point in self._points if is_void or drawn > version]
