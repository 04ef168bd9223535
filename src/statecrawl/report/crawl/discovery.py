"""Discovery: number of states and transitions known after each event, and over time.

Facts of simulations and of older releases have no times. A crawl may be resumed days later, so pauses between runs do
not count. The clocks of machines differ, so a time that precedes the last one is raised to it.

After a revision of the rules, the journal records again what is still known, with the times at which it was found. So
the curve starts again, too: it shows when the states were found that are known today, and never falls.
"""

from dataclasses import dataclass

from statecrawl.journal.facts import CrawlEnded, CrawlStarted, EquivalenceRevised, Fact, StateFound, TransitionExplored

MOST_POINTS = 600  # of a curve: finer than a pixel
MOST_KEPT = 20 * MOST_POINTS  # before every other one is dropped


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoveryPoint:
    """Progress of the crawl at one moment."""

    events: int
    seconds: float | None
    states: int
    transitions: int


@dataclass(slots=True, kw_only=True)
class DiscoveryRun:
    """One run of a crawl."""

    number: int
    began: float | None  # seconds since 1970
    ended: str = ""  # reason; empty if the run was killed or is still running
    seconds: float = 0.0


class Discovery:
    """Receives every fact of a crawl in order."""

    def __init__(self) -> None:
        self.runs: list[DiscoveryRun] = []
        self.is_timed = False
        self._points: list[DiscoveryPoint] = []
        self._events = self._states = self._transitions = 0
        self._known: set[str] = set()
        self._at_events = 0  # where the curve is: recorded again after a revision, facts are about the past
        self._at_seconds = 0.0
        self._began: list[tuple[float, float]] = []  # beginning of each run, and seconds of all runs before
        self._is_fresh = False  # the last point is a new state, and the transition to it is not known yet
        self._before = 0.0  # seconds of all previous runs

    @property
    def seconds(self) -> float | None:
        """Duration of all runs; None if the journal records no times."""
        return self._before + (self.runs[-1].seconds if self.runs else 0.0) if self.is_timed else None

    def apply(self, fact: Fact) -> None:
        match fact:
            case CrawlStarted():
                self._before += self.runs[-1].seconds if self.runs else 0.0
                self.runs.append(DiscoveryRun(number=fact.run, began=fact.at))
                if fact.at is not None:
                    self._began.append((fact.at, self._before))
            case CrawlEnded():
                self._at(fact.at)
                if self.runs:
                    self.runs[-1].ended = fact.reason
                self._point()
            case StateFound() if fact.state not in self._known:
                self._known.add(fact.state)
                self._at(fact.at)
                self._states += 1
                self._point()
                self._is_fresh = True
            case TransitionExplored():
                self._events = max(self._events, fact.fired or 0)
                self._at_events = max(self._at_events, fact.fired or 0)
                self._transitions += 1
                if self._is_fresh and self._states > 1:
                    self._points.pop()  # the event that led to the newest state belongs to its point
                self._point()
            case EquivalenceRevised():
                self._known.clear()
                self._points.clear()
                self._states = self._transitions = self._at_events = 0
                self._at_seconds = 0.0
                self._is_fresh = False
            case _:
                pass

    def curve(self) -> list[DiscoveryPoint]:
        """Return the points, thinned out if there are many. The first and the last always remain."""
        points = [*self._points]
        end = DiscoveryPoint(
            events=self._events, seconds=self.seconds, states=self._states, transitions=self._transitions
        )
        if not points or points[-1] != end:
            points.append(end)
        if len(points) <= MOST_POINTS:
            return points
        return [points[round(i * (len(points) - 1) / (MOST_POINTS - 1))] for i in range(MOST_POINTS)]

    def _at(self, at: float | None) -> None:
        run = self.runs[-1] if self.runs else None
        if at is None or run is None:
            return
        self.is_timed = True
        if run.began is None:
            run.began = at
            self._began.append((at, self._before))
        run.seconds = max(run.seconds, at - run.began)
        began, before = next((each for each in reversed(self._began) if each[0] <= at), self._began[0])
        self._at_seconds = min(max(self._at_seconds, before + at - began), self._before + run.seconds)

    def _point(self) -> None:
        self._is_fresh = False
        if len(self._points) > MOST_KEPT:
            del self._points[1:-1:2]
        self._points.append(
            DiscoveryPoint(
                events=self._at_events,
                seconds=self._at_seconds if self.is_timed else None,
                states=self._states,
                transitions=self._transitions,
            )
        )
