"""What every strategy is: told what the crawl learns, asked what to do next, for any number of walkers.

Theory of operation
    The model is told first, the strategy second: `found(state)` after a state was added to the graph, `explored(...)`
    after a transition was, `event_added(...)` after an event was that showed itself late. A strategy reads the graph
    and never changes it. Telling it the facts of a journal in their order brings it to the condition it was in (plans
    apart, and which of several equal targets an index names), which is how a crawl is resumed.

    A pair (state, position) is *free* while it is neither explored nor in a walker's hand. `next_task` takes a free
    pair out; `explored` (by whomever) or `release` ends that. So no pair is ever in two hands, and a walker for which
    nothing free can be reached is told to WAIT while others hold something, and DONE when nobody does. DONE is no more
    than that: whoever then tells of a further event or state may ask again.

    Where several crawlers share an application, each with a strategy of its own, a pair that belongs to another one is
    *withheld*: neither free nor explored, until it is explored, closed, or granted. While anything is withheld, a
    walker without a task is told to WAIT. A pair that is in a walker's hand when it is withheld stays there; given back
    unexplored, it is not free.

    A walker that can guess where a task will lead may ask with `foresee` what it would be given there, and do that in
    the same walk. What it is told is in its hand, too, until it is explored or given back. Only a strategy whose choice
    does not depend on what the task brings to light answers: the others must be asked when it is done.

    A *plan* is the rest of what a walker is about to do when a strategy thinks several unexplored events ahead. Each
    task hands out the part up to and including the next unexplored event; when that one leads elsewhere than the plan
    foresaw, or somebody else took it meanwhile, the plan is dropped. Plans reserve nothing.

    Where a whole site is crawled (`StrategySettings.by_url`), URLs are opened before anything else and the other pairs
    become free stage by stage (see `strategies.site_frontier`). A pair that waits for its stage is not in `free`, so
    no strategy needs to know.

    Indexes are brought up to date lazily: whatever changes at a state marks it stale, and the next `next_task` has each
    stale state looked at once (`_refresh`). Between two tasks of a lone walker a state that lost its last event has
    usually gained a link, which makes the update cheaper than it would have been at once.
"""

import itertools
from abc import ABC, abstractmethod
from bisect import insort
from collections.abc import Collection, Iterable
from random import Random
from typing import ClassVar

from statecrawl.model.cheapest_paths import CheapestRoute, cheapest_route
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.model.successors import Successors
from statecrawl.strategies.diversity import Diversity
from statecrawl.strategies.settings import StatePreference, StrategySettings, TieOrder
from statecrawl.strategies.site_frontier import SiteFrontier
from statecrawl.strategies.target_states import Extra, TargetStates, make_targets
from statecrawl.strategies.task import NoTask, Pair, Task

Choice = tuple[CheapestRoute, int]  # how to get to a state, and the position to fire there


class Strategy(ABC):
    """Base of all strategies; see the module's theory of operation for the contract."""

    name: ClassVar[str]

    def __init__(self, graph: Graph, rules: StrategySettings) -> None:
        """`graph` is empty: what it holds later must have been told."""
        self.graph = graph
        self.rules = rules
        self.random = Random(rules.seed)
        self.free: list[list[int]] = []  # state -> free positions, ascending
        self.held: dict[int, Pair] = {}  # walker -> the pair in its hand
        self._foreseen: dict[int, list[Pair]] = {}  # walker -> what else was in its hand since it was given a task
        self._holders: dict[Pair, int] = {}  # of all of these
        self._withheld: set[Pair] = set()  # somebody else's
        self._stale: dict[int, None] = {}
        self._indexes: list[TargetStates] = []
        self._diversity = Diversity(graph) if rules.prefer is StatePreference.DIVERSE else None
        self._front = SiteFrontier(graph) if rules.by_url else None

    # -- what the crawl tells --

    def found(self, state: int, *, url: str = "", links: Collection[int] = (), forms: Collection[int] = ()) -> None:
        """A state was added to the graph. States are told in the order of their numbers.

        Where a site is crawled: at this URL, and these positions are links that name a URL, and forms.
        """
        self.free.append(list(range(len(self.graph.events[state]))))
        for index in self._indexes:
            index.add_vertex()
        if self._diversity is not None:
            self._diversity.found(state)
        self._stale[state] = None
        self._learn_state(state)
        if self._front is not None:
            self._front.found(state, url, links, forms)
            for position in tuple(self.free[state]):
                self._hold_back((state, position))

    def event_added(self, state: int, position: int) -> None:
        """A state that was told has one more event, free like any other. Told in the order of their positions."""
        self.free[state].append(position)
        self._stale[state] = None
        self._learn_event(state, position)
        if self._front is not None:
            self._front.event_added((state, position))
            self._hold_back((state, position))

    def explored(self, state: int, position: int, target: int, *, is_new: bool) -> None:
        """A pair was explored for the first time; `is_new` when that found the target."""
        self._decided((state, position))
        if target in self.graph.links.successors[state]:
            self._linked(state, target)
        if self._diversity is not None:
            self._diversity.explored(self.graph.logical(state, position))
        self._learn(state, position, target, is_new=is_new)

    def closed(self, state: int, position: int) -> None:
        """A pair will never be explored: its event was refused, hung, or crashed the page."""
        self._decided((state, position))

    def link_lost(self, state: int, target: int) -> None:
        """The graph no longer travels from one state to the other: that way proved unreliable."""
        for index in self._indexes:
            index.links_removed([(state, target)])

    def withhold(self, pair: Pair) -> None:
        """A pair is somebody else's. Saying so twice changes nothing, nor of a pair that is explored or closed."""
        if pair in self._holders or self._unkept(pair):
            self._withheld.add(pair)
        elif pair[1] in self.free[pair[0]]:
            self._withheld.add(pair)
            self._take_out(pair)

    def grant(self, pair: Pair) -> None:
        """A pair that was withheld is ours. Of any other, this changes nothing."""
        if pair in self._withheld:
            self._withheld.remove(pair)
            if pair not in self._holders:
                self._give_back(pair)

    @property
    def withheld(self) -> int:
        """How many pairs are somebody else's, and neither explored nor closed."""
        return len(self._withheld)

    # -- what walkers ask --

    def next_task(self, walker: int, position: int | None) -> Task | NoTask:
        """What this walker should do, being in the state `position` (None: it has no page yet)."""
        self.release(walker)
        self._catch_up()
        choice = self._opening(position) or self._choose(walker, position)
        while choice is None and self._admit():
            choice = self._choose(walker, position)
        if choice is None:
            return NoTask.WAIT if self._holders or self._withheld else NoTask.DONE
        route, event = choice
        pair = (route.way[-1], event)
        self._hold(walker, pair)
        self.held[walker] = pair
        return Task(walker, position, route.reset, self._steps(route.way), pair)

    def foresee(self, walker: int, state: int) -> Pair | None:
        """The pair that the walker would be given if its task led to this state; it holds that one, too, from now on.

        None where nobody can say, or where it would have to go elsewhere.
        """
        pair = None if self._front is not None and self._front.opens() else self._would_choose(state)
        if pair is not None:
            self._hold(walker, pair)
            self._foreseen.setdefault(walker, []).append(pair)
        return pair

    def take(self, walker: int, pair: Pair) -> bool:
        """The walker has this pair in its hand already; False when it is not free."""
        if self._unkept(pair):
            self._give_out(pair)
        if pair[1] not in self.free[pair[0]]:
            return False
        self.release(walker)
        self._hold(walker, pair)
        self.held[walker] = pair
        return True

    def release(self, walker: int) -> None:
        """The walker gives back what it holds, unexplored."""
        task = self.held.pop(walker, None)
        for pair in (*self._foreseen.pop(walker, ()), *(() if task is None else (task,))):
            if self._holders.get(pair) == walker:
                del self._holders[pair]
                if pair not in self._withheld:
                    self._give_back(pair)

    # -- what a strategy adds --

    @abstractmethod
    def _choose(self, walker: int, position: int | None) -> Choice | None:
        """A route over explored links and a free position at its end; None when nothing can be reached."""

    def _would_choose(self, state: int) -> Pair | None:
        """What `_choose` will answer to a walker in this state, whatever is explored till then."""

    def _refresh(self, state: int) -> None:
        """Bring indexes up to date with `free[state]`."""

    def _learn_state(self, state: int) -> None:
        """A state was found."""

    def _learn_event(self, state: int, position: int) -> None:
        """A known state has one more event; it is free already."""
        self._put_back(state, position)

    def _learn(self, state: int, position: int, target: int, *, is_new: bool) -> None:
        """A pair was explored."""

    def _taken(self, state: int, position: int) -> None:
        """A pair is no longer free."""

    def _put_back(self, state: int, position: int) -> None:
        """A pair is free again."""

    # -- what strategies use --

    def _index(self, links: Successors | None = None, extra: Extra | None = None) -> TargetStates:
        index = make_targets(self.graph, self.rules, links, extra)
        self._indexes.append(index)
        return index

    def _tier(self, state: int) -> int:
        """The rank that puts states like earlier ones last when diversity is preferred, else 0."""
        return 0 if self._diversity is None else self._diversity.rank(state)

    def _pick(self, positions: list[int], state: int) -> int:
        """One of several equally good positions, by the rules."""
        if self._diversity is not None and len(positions) > 1:
            positions = self._diversity.freshest(state, positions)
        return positions[0] if self.rules.order is TieOrder.FIXED else self.random.choice(positions)

    def _steps(self, way: list[int]) -> tuple[Pair, ...]:
        successors = self.graph.links.successors
        return tuple([(state, successors[state][after]) for state, after in itertools.pairwise(way)])

    def _linked(self, source: int, target: int) -> None:
        """One may travel from the one state to the other."""
        for index in self._indexes:
            index.link_added(source, target)

    def _catch_up(self) -> None:
        while self._stale:
            stale, self._stale = self._stale, {}
            for state in stale:
                self._refresh(state)

    def _hold(self, walker: int, pair: Pair) -> None:
        self._take_out(pair)
        self._holders[pair] = walker

    def _decided(self, pair: Pair) -> None:
        """A pair was explored or closed: it is in nobody's hand any more, nor withheld, and not free."""
        self._withheld.discard(pair)
        walker = self._holders.pop(pair, None)
        if walker is not None:
            if self.held.get(walker) == pair:
                del self.held[walker]
        elif not self._unkept(pair) and pair[1] in self.free[pair[0]]:
            self._take_out(pair)

    def _take_out(self, pair: Pair) -> None:
        state, position = pair
        self.free[state].remove(position)
        self._stale[state] = None
        self._taken(state, position)

    def _give_back(self, pair: Pair) -> None:
        if self._front is None or not self._front.holds_back(pair):
            self._give_out(pair)

    def _give_out(self, pair: Pair) -> None:
        """A pair is the strategies' to choose."""
        state, position = pair
        insort(self.free[state], position)
        self._stale[state] = None
        self._put_back(state, position)

    # -- where a site is crawled --

    def _opening(self, position: int | None) -> Choice | None:
        """The next URL to open, if there is one."""
        for pair in () if self._front is None else self._front.opens():
            route = self._route_to(position, pair[0])
            if route is not None:
                self._unkept(pair)
                self._give_out(pair)
                return route, pair[1]
        return None

    def _route_to(self, position: int | None, state: int) -> CheapestRoute | None:
        """From the state in which the application begins, URLs are opened after a reset: it is the same every time."""
        if position == state:
            return here(state)
        if state == INITIAL:
            return CheapestRoute(True, [INITIAL], self.rules.reset_cost)
        return cheapest_route(self.graph, position, state, self.rules.reset_cost, self.rules.ties)

    def _hold_back(self, pair: Pair) -> None:
        if self._front is not None and self._front.holds_back(pair):
            self._take_out(pair)

    def _unkept(self, pair: Pair) -> bool:
        """Take a pair from those that are held back; whether it was one of them."""
        return self._front is not None and self._front.remove(pair)

    def _admit(self) -> bool:
        """Let the strategy choose among the pairs of the next stage; whether there are any."""
        admitted = [] if self._front is None else self._front.admit()
        for pair in admitted:
            self._give_out(pair)
        self._catch_up()
        return bool(admitted)

    def _mark_stale(self, states: Iterable[int]) -> None:
        self._stale.update(dict.fromkeys(states))


def here(state: int) -> CheapestRoute:
    """The route of a walker that need not move."""
    return CheapestRoute(False, [state], 0.0)
