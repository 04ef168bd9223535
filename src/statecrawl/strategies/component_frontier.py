"""Frontier of a crawl by components: pairs that need not be explored, because their task was fired elsewhere.

Theory of operation
    The strategy chooses among the pairs whose task was never fired (`model.components`). All others are *spare*. With
    the model `auto`, no pair is spare until states grow several times faster than what their regions show: at least
    LEAST_STATES were found, and of the last WINDOW of them at most MOST_NEW showed anything new, or at least LEAST_LEFT
    pairs are left, MUCH_MORE times as many as tasks. So an application with few states is crawled state by state, and
    its model is exact.

    When nothing is left to choose, spare pairs are fired as *checks*:

    1. An event that changes other units than its own is fired again where these have another value, at most
       MOST_REPEATED times for each task. That finds most of what depends on more than one unit.
    2. Random spare pairs, one after another, until enough of them agreed with the prediction. With n of them, and no
       deviation, fewer than TOLERATED of all spare pairs deviate, with the wanted confidence, if (1 − TOLERATED)^n is
       at most the permitted error. A deviation starts the count again. That is optional stopping, so the k-th count
       gets the error α / 2^k, and all counts together have at most the error α. The states that a crawl by components
       happens to find are not typical of all combinations. So MOVES spare pairs are fired before each random one,
       which lead to the values seen least often in checks. Only the random ones count.

    Both are at most MOST_STEPS events away from the first page, if there are any. Otherwise, checks would make a list
    that can grow longer and longer, and the walks to them as well.

    A deviation makes tasks needed again, so the strategy has pairs to choose from. Of an event that did different
    things for no visible reason, nothing is predicted, so it is not tested, and the checks say nothing about it. The
    crawl is over when enough random pairs agreed, or when no spare pair is left that can be tested. If none is left at
    all, every event of every state was fired.

    What is a check follows from the facts: a pair that was spare when it was explored, while no untried task was known.
    Earlier ones are ways to untried tasks (`strategies.predicted_walks`). They are chosen for where they lead, so that
    they do what was predicted proves nothing. If untried tasks are left that no way is known to, a limited number of
    spare pairs is fired in search of one. A resumed crawl counts alike.

    Where several nodes share a crawl, some pairs are *foreign*: they belong to other nodes. A node repeats its own
    events under other values, and searches for ways to its own tasks. Random pairs have to be chosen one after another,
    so one node chooses all of them (`is_checker`), among the spare pairs of all nodes.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from math import ceil, exp, log
from random import Random

from statecrawl.model.component_tasks import Task
from statecrawl.model.components import Components
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.model.regions import Region
from statecrawl.strategies.predicted_walks import Choices, Goals, PredictedWalks, Prospect
from statecrawl.strategies.settings import ModelKind
from statecrawl.strategies.task import Pair

LEAST_STATES = 50  # before components are used
WINDOW = 24  # latest states of which few must show anything new
MOST_NEW = 6
LEAST_LEFT = 3_000  # unexplored pairs
MUCH_MORE = 4  # times as many of them as tasks
MOST_REPEATED = 2  # checks of one task with other values of what it changes
MOST_STEPS = 20  # from the first page to a check
BATCH = 16  # such checks that are admitted together
MOVES = 3  # spare pairs fired to get into another context before each random one
TOLERATED = 0.05  # share of deviating pairs that the random checks exclude


@dataclass(slots=True)
class Trust:
    """What the checks say about the independence of components."""

    confidence: float
    checked: int = 0  # random pairs in all
    violated: int = 0  # deviations in all
    counts: int = 1  # how often counting has started
    agreed: int = 0  # random pairs that agreed in this count

    def add(self, *, agrees: bool) -> None:
        self.checked += 1
        self.agreed += agrees
        if not agrees:
            self.start_again()

    def start_again(self) -> None:
        self.violated += 1
        self.counts += 1
        self.agreed = 0

    @property
    def log_error(self) -> float:
        """Logarithm of the permitted error of this count; the error itself is soon too small for a float."""
        return log(1 - self.confidence) - self.counts * log(2)

    @property
    def needed(self) -> int:
        """Random pairs that have to agree in this count."""
        return ceil(self.log_error / log(1 - TOLERATED))

    @property
    def is_enough(self) -> bool:
        return self.agreed >= self.needed

    @property
    def deviating_share(self) -> float:
        """Share of spare pairs below which the deviating ones stay, with the confidence."""
        return 1 - exp(self.log_error / self.agreed) if self.agreed else 1.0


@dataclass(slots=True)
class ComponentFrontier:
    """Spare pairs, and the checks among them."""

    graph: Graph
    model: ModelKind
    random: Random
    trust: Trust
    reset_cost: float
    exhaustive: bool = False  # distinguish all rows and all values
    foreign: Collection[Pair] = ()  # pairs of other nodes
    is_checker: bool = True  # whether this node chooses the random pairs
    components: Components = field(init=False)
    walks: PredictedWalks = field(init=False)
    is_active: bool = False  # whether pairs may be spare
    switched_at: int | None = None  # number of states when components came into use
    checks: int = 0  # pairs explored that were spare
    check_events: int = 0  # events fired for them, with the walks to them
    _fired: int = 0  # events when the latest pair was explored
    _spare: dict[Pair, None] = field(default_factory=dict)  # held back
    _spare_at: dict[int, dict[Pair, None]] = field(default_factory=lambda: defaultdict(dict))  # state -> held back
    _unexamined: dict[Pair, None] = field(default_factory=dict)  # may be worth a check of the first kind
    _admitted: dict[Pair, None] = field(default_factory=dict)  # for checks
    _stranded: dict[Pair, None] = field(default_factory=dict)  # spare, and no way leads there
    _repeated: dict[object, int] = field(default_factory=dict)  # task -> checks of the first kind
    _wandered: int = 0  # pairs fired for random checks, moves included
    _strays: int = 0  # spare pairs fired in a row while tasks were untried
    _visits: Counter[tuple[object, object]] = field(default_factory=Counter)  # unit and value -> states seen with it
    _depths: dict[int, int] = field(default_factory=dict)  # state -> events that lead there, if they are few
    landed: int = -1  # state that the last explored event led to
    _news: deque[bool] = field(default_factory=lambda: deque(maxlen=WINDOW))

    def __post_init__(self) -> None:
        self.components = Components(self.graph, reduces=not self.exhaustive)
        self.walks = PredictedWalks(self.graph, self.components, self.reset_cost)
        self.is_active = self.model is ModelKind.COMPONENTS

    def found(self, state: int, regions: tuple[Region, ...]) -> bool:
        """Learn a new state. Return whether components came into use just now."""
        is_new = self.components.found(state, regions)
        self._news.append(is_new or not regions)  # of a state without regions, nothing is known to be old
        if self.is_active or self.model is not ModelKind.AUTO or len(self.graph) < LEAST_STATES:
            return False
        self.is_active = len(self._news) == WINDOW and (sum(self._news) <= MOST_NEW or self._is_hopeless())
        if self.is_active:
            self.switched_at = len(self.graph)
        return self.is_active

    def _is_hopeless(self) -> bool:
        """Whether many more events are left to fire than there are tasks."""
        left = self.graph.unexplored
        return left >= LEAST_LEFT and left >= MUCH_MORE * sum(map(len, self.components.untried.values()))

    def explored(self, state: int, position: int, target: int, fired: int | None = None) -> list[Pair]:
        """Learn a transition. Return the pairs whose need may have changed. `fired` counts all events so far."""
        spent, self._fired = (0, self._fired) if fired is None else (max(fired - self._fired, 0), fired)
        pair = state, position
        was_spare = self.is_active and not self.components.is_needed(pair)
        task = self.components.task(pair)
        is_directed = was_spare and self._is_directed(pair)
        is_check = was_spare and not self.components.untried
        agrees = self.components.explored(state, position, target)
        self.walks.explored(state, position, target)
        self._strays = self._strays + 1 if was_spare and not is_check else 0
        self._admitted.pop(pair, None)
        self.landed = target
        self._approach(target, self._depth(state) + 1)
        self._float(target)
        if is_directed:
            self._repeated[task] = self._repeated.get(task, 0) + 1
        if is_check:
            self.checks += 1
            self.check_events += spent
        if is_check and not is_directed:
            self._wander(target, agrees)
        elif was_spare and agrees is False:
            self.trust.start_again()
        return self.components.changed_pairs()

    def closed(self, pair: Pair) -> None:
        """Learn that a pair will never be explored."""
        self.components.closed(pair)

    def prospect(
        self,
        position: int | None,
        below: float,
        choices: Choices,
        only: Pair | None,
    ) -> Prospect | None:
        """Return a way to an untried event over what other events are known to do, if one is better than `below`."""
        task = None if only is None else self.components.task(only)
        if only is not None and task is None:
            return None
        goals = self._goals() if task is None else {task[2]: (task,)}
        return self.walks.nearest(position, below, goals, choices)

    def _goals(self) -> Goals:
        """Return the untried tasks of this node by name."""
        untried = self.components.untried
        if not self.foreign:
            return untried
        return {name: filter(self._is_own, tasks) for name, tasks in untried.items()}

    def _wander(self, target: int, agrees: bool | None) -> None:
        """Learn what a random pair did. Moves are chosen for where they lead, so that they agree proves nothing."""
        if agrees is not None and self._is_test:
            self.trust.add(agrees=agrees)
        elif agrees is False:
            self.trust.start_again()
        self._wandered += 1
        self._visits.update(self.components.view(target).items())

    def is_spare(self, pair: Pair) -> bool:
        """Whether a pair need not be explored, and is not to be checked now."""
        return self.is_active and pair not in self._admitted and not self.components.is_needed(pair)

    def holds_back(self, pair: Pair) -> bool:
        """Whether a pair is held back."""
        return pair in self._spare or pair in self._stranded

    def dismiss(self, pair: Pair) -> None:
        """Do not check a pair that was admitted."""
        self._admitted.pop(pair, None)

    def hold_back(self, pair: Pair) -> None:
        self._stranded.pop(pair, None)
        self._spare[pair] = self._unexamined[pair] = self._spare_at[pair[0]][pair] = None

    def remove(self, pair: Pair) -> bool:
        """Remove a pair from those held back. Return whether it was one of them."""
        if pair not in self._spare:
            return self._stranded.pop(pair, self) is None
        del self._spare[pair], self._spare_at[pair[0]][pair]
        return True

    def strand(self, pair: Pair) -> None:
        """Give up a check because no way leads to its state, and with it all others there."""
        self._admitted.pop(pair, None)
        self._stranded[pair] = None
        for other in tuple(self._spare_at[pair[0]]):
            self.remove(other)
            self._stranded[other] = None

    def _float(self, state: int) -> None:
        """Hold stranded checks back again if a way leads to one of them, because it leads to this state."""
        if self._stranded and any((state, position) in self._stranded for position in self.components.tasks(state)):
            for pair in tuple(self._stranded):
                self.hold_back(pair)

    def is_held_back(self, pair: Pair) -> bool:
        return pair in self._spare or pair in self._stranded

    @property
    def admitted(self) -> tuple[Pair, ...]:
        """Pairs to be checked."""
        return tuple(self._admitted)

    def admit(self, *, is_alone: bool = True) -> list[Pair]:
        """Choose spare pairs to check, and return them; none if there is nothing left to check.

        Random ones are chosen one at a time, while no other walker has a task (`is_alone`): which of them is a move
        depends on those before it, and what another walker finds may be needed.
        """
        if not self.is_active or not self._spare:
            return []
        chosen = self._directed()
        if not chosen and is_alone and self._is_worth_more():
            chosen = self._random_pair()
        self._admitted.update(dict.fromkeys(chosen))
        for pair in chosen:
            self.remove(pair)
        return chosen

    def _is_worth_more(self) -> bool:
        """Whether a further random pair may prove something, or lead to an untried task of this node."""
        if not self.components.untried:
            return self.is_checker and not self.trust.is_enough
        if self.foreign and not any(map(self._is_own, self.components.untried_tasks())):
            return False
        return self._strays < (MOVES + 1) * Trust(self.trust.confidence).needed

    def has_checks_in(self, states: Collection[int]) -> bool:
        """Whether random pairs of these states still have to be fired."""
        if not self.is_active or self.components.untried or self.trust.is_enough:
            return False
        return any(pair[0] in states and self.components.is_predicted(pair) for pair in self._spare)

    def _is_own(self, task: Task) -> bool:
        """Whether an untried task belongs to this node. All pairs of a task belong to the same node."""
        return next(iter(self.components.record(task).left)) not in self.foreign

    @property
    def far(self) -> int:
        """Number of spare pairs that are too far from the first page to be checked."""
        return self.spare - sum(len(pairs) for state, pairs in self._spare_at.items() if self._is_near(state))

    @property
    def is_cut(self) -> bool:
        """Whether rows or values without end were cut."""
        return bool(self.components.rows() or self.components.open_ends())

    @property
    def spare(self) -> int:
        """Number of pairs that were never explored, because their task was fired elsewhere."""
        return len(self._spare) + len(self._stranded)

    def _random_pair(self) -> list[Pair]:
        """Choose a spare pair of the state that the last check led to; of any state if there is none.

        There is nothing to test about events without a prediction. When no others are left, none is chosen.
        """
        is_test, is_predicted = self._is_test, self.components.is_predicted
        here = list(self._spare_at[self.landed]) if self._is_near(self.landed) else []
        if here and not is_test:
            return [min(here, key=lambda pair: (self._visits_after(pair), self.random.random()))]
        pairs = [pair for pair in here if is_predicted(pair)]
        if not pairs:
            near = [pair for state in self._spare_at if self._is_near(state) for pair in self._spare_at[state]]
            pairs = [pair for pair in near if not is_test or is_predicted(pair)]
        if not pairs:
            pairs = [pair for pair in self._spare if not is_test or is_predicted(pair)]
        return [self.random.choice(pairs)] if pairs else []

    def _is_near(self, state: int) -> bool:
        """Whether few events lead from the first page to a state. Far away, pages have often grown without end."""
        return self._depth(state) <= MOST_STEPS

    def _depth(self, state: int) -> int:
        """Return how many events lead from the first page to a state; at most one more than MOST_STEPS."""
        return self._depths.get(state, 0 if state == INITIAL else MOST_STEPS + 1)

    def _approach(self, state: int, depth: int) -> None:
        """Learn that so many events lead to a state."""
        pending = [(state, depth)]
        while pending:
            state, depth = pending.pop()
            if depth < self._depth(state):
                self._depths[state] = depth
                pending += [(after, depth + 1) for after in self.graph.links.successors[state]]

    @property
    def _is_test(self) -> bool:
        """Whether the next random pair is one that counts, after the moves before it."""
        return self._wandered % (MOVES + 1) == MOVES

    def _visits_after(self, pair: Pair) -> int:
        """Return how often checks have seen the value that an event is expected to give its unit."""
        task = self.components.task(pair)
        if task is None:
            return 0
        outcomes = self.components.record(task).outcomes
        if not outcomes:
            return 0
        before, after = outcomes[0]
        changed = self.components.changed_units(before, after)
        view = self.components.view(after)
        return min((self._visits[unit, view.get(unit)] for unit in changed), default=1 << 30)

    def _directed(self) -> list[Pair]:
        """Choose pairs whose event changes a unit that has another value there.

        Those of the current state come first, because they cost no walk.
        """
        here = [pair for pair in self._spare_at[self.landed] if pair in self._unexamined]
        return self._directed_among(here) or self._directed_among(list(self._unexamined))

    def _directed_among(self, pairs: Iterable[Pair]) -> list[Pair]:
        chosen: dict[object, Pair] = {}
        for pair in pairs:
            self._unexamined.pop(pair, None)
            task = self.components.task(pair)
            is_ours = pair in self._spare and pair not in self.foreign and self._is_near(pair[0])
            if is_ours and task not in chosen and self._is_directed(pair):
                chosen[task] = pair
                if len(chosen) == BATCH:
                    break
        return list(chosen.values())

    def _is_directed(self, pair: Pair) -> bool:
        task = self.components.task(pair)
        if task is None or self._repeated.get(task, 0) >= MOST_REPEATED:
            return False
        components = self.components
        outcomes = components.record(task).outcomes
        if not outcomes:
            return False
        here = components.view(pair[0])
        changed = components.changed_units(*outcomes[0]) - {task[0]}
        return any(
            all(here.get(unit) != components.view(before).get(unit) for before, _ in outcomes)
            for unit in changed
            if unit in here
        )
