"""What the walkers of one process share."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from statecrawl.crawler.durations import EventTimes
from statecrawl.crawler.event_retries import EventRetries
from statecrawl.crawler.failures import Failures
from statecrawl.crawler.learning_budget import LearningBudget
from statecrawl.crawler.likely_targets import LikelyTargets
from statecrawl.crawler.new_states import NewStates
from statecrawl.ports.recorder import Recorder


@dataclass(slots=True)
class WalkerContext:
    """Shared parts and knowledge of the walkers of one process."""

    new_states: NewStates
    times: EventTimes
    before_reset: Callable[[], Awaitable[None]]  # resets the server
    likely_targets: LikelyTargets = field(default_factory=LikelyTargets)
    failures: Failures = field(default_factory=Failures)  # of requests
    retries: EventRetries = field(default_factory=EventRetries)
    returned: set[str] = field(default_factory=set)  # states from which a walker went back in the history
    learning_budget: LearningBudget = field(default_factory=lambda: LearningBudget(time.perf_counter()))

    @property
    def recorder(self) -> Recorder:
        return self.new_states.recorder
