"""Base of all strategies: receives what the crawl learns and chooses the next task, for any number of walkers.

Theory of operation
    The graph is updated first, the strategy second: `found(state)` after a state was added to the graph,
    `explored(...)` after a transition, `event_added(...)` after an event was added to a known state. A strategy reads
    the graph and never changes it. Replaying the facts of a journal in order restores its condition (except for plans,
    and the choice of an index among equal targets). This is how a crawl is resumed.

    A pair (state, position) is *free* while it is neither explored nor held by a walker. `next_task` makes a walker
    hold a free pair; `explored` (by any walker) or `release` ends that. So no pair is ever held by two walkers. A
    walker that cannot reach a free pair gets WAIT while other walkers hold pairs, and DONE otherwise. DONE is not
    final: after a further event or state was found, a walker may ask again.

    When several nodes share an application, each with its own strategy, a pair of another node is *withheld*: neither
    free nor explored, until it is explored, closed, or granted. While pairs are withheld, a walker without a task gets
    WAIT. A pair that a walker holds when it is withheld stays held; released unexplored, it is not free. In a crawl by
    components, spare pairs are withheld, too, but any node may fire them on its way, or to check them.

    A walker that can guess where a task will lead may call `look_ahead` to learn which pair it would get there, and
    fire that pair in the same walk. It holds this pair, too, until the pair is explored or released. Only a strategy
    whose choice does not depend on the result of the task supports this; the others must be asked afterwards.

    A *plan* is the rest of a walker's course when a strategy chooses several unexplored events at once. Each task
    contains the part up to and including the next unexplored event. If that event leads to an unexpected state, or
    another walker took it in the meantime, the plan is dropped. Plans reserve nothing.

    In a site crawl (`StrategySettings.by_url`), URLs are opened before anything else, and the other pairs become free
    stage by stage (see `strategies.site_frontier`). A pair that waits for its stage is not in `free`, so strategies
    need no special case.

    Indexes are updated lazily: every change at a state marks it stale, and the next `next_task` refreshes each stale
    state once (`_refresh`). Between two tasks of a single walker, a state that lost its last event has usually gained a
    link, so a late update is cheaper than an immediate one.
"""

import itertools
from abc import ABC, abstractmethod
from bisect import insort
from collections.abc import Collection, Iterable
from math import inf
from random import Random
from typing import TYPE_CHECKING, ClassVar

from statecrawl.journal.crawl_bounds import exhaustion_reason
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.model.cheapest_paths import CheapestRoute, cheapest_route
from statecrawl.model.graph import INITIAL, Graph
from statecrawl.model.regions import Regions
from statecrawl.model.successors import Successors
from statecrawl.strategies.component_frontier import ComponentFrontier, Trust
from statecrawl.strategies.predicted_walks import Choices
from statecrawl.strategies.settings import ModelKind, StatePreference, StrategySettings, TieOrder
from statecrawl.strategies.site_frontier import SiteFrontier
from statecrawl.strategies.target_states import Extra, TargetStates, make_targets
from statecrawl.strategies.task import NoTask, Pair, Task

if TYPE_CHECKING:
    from statecrawl.strategies.diversity import Diversity

Choice = tuple[CheapestRoute, int]  # route to a state, and the position to fire there


class Strategy(ABC):
    """Base of all strategies; the module docstring describes the contract."""

    name: ClassVar[str]
    _takes_nearest: ClassVar[bool] = False  # whether any event will do, as long as it is near

    def __init__(self, graph: Graph, settings: StrategySettings) -> None:
        """Create a strategy. `graph` must be empty; every later change to it must be reported."""
        self.graph = graph
        self.settings = settings
        self.random = Random(settings.seed)
        self.free: list[list[int]] = []  # state -> free positions, ascending
        self.held: dict[int, Pair] = {}  # walker -> the pair of its task
        self._looked_ahead: dict[int, list[Pair]] = {}  # walker -> further pairs it got since its task
        self._holders: dict[Pair, int] = {}  # pair of a task or look-ahead -> walker
        self._withheld: set[Pair] = set()  # pairs of other nodes
        self._stale: dict[int, None] = {}
        self._indexes: list[TargetStates] = []
        self._diversity = _diversity(graph) if settings.prefer is StatePreference.DIVERSE else None
        self._frontier = SiteFrontier(graph) if settings.by_url else None
        self.component_frontier = _component_frontier(graph, settings, self._withheld)

    # -- called by the crawl --

    def found(
        self,
        state: int,
        *,
        url: str = "",
        links: Collection[int] = (),
        forms: Collection[int] = (),
        regions: Regions = (),
    ) -> None:
        """Report that a state was added to the graph. States are reported in the order of their numbers.

        Site crawls also pass the URL of the state, and the positions of its links with a URL and of its forms; crawls
        by components pass its regions.
        """
        self.free.append(list(range(len(self.graph.events[state]))))
        for index in self._indexes:
            index.add_vertex()
        if self._diversity is not None:
            self._diversity.found(state)
        self._stale[state] = None
        self._learn_state(state)
        if self._frontier is not None:
            self._frontier.found(state, url, links, forms)
            for position in tuple(self.free[state]):
                self._hold_back((state, position))
        if self.component_frontier is not None:
            has_switched = self.component_frontier.found(state, regions)
            for other in range(len(self.free)) if has_switched else (state,):
                self._spare((other, position) for position in tuple(self.free[other]))

    def event_added(self, state: int, position: int) -> None:
        """Report that an event was added to a known state. Events are reported in the order of their positions."""
        self.free[state].append(position)
        self._stale[state] = None
        self._learn_event(state, position)
        if self._frontier is not None:
            self._frontier.event_added((state, position))
            self._hold_back((state, position))

    def explored(self, state: int, position: int, target: int, *, is_new: bool, fired: int | None = None) -> None:
        """Report that a pair was explored for the first time. `is_new`: its target was found by it.

        `fired` is the number of events fired by the crawl so far, if known.
        """
        self._decided((state, position))
        if target in self.graph.links.successors[state]:
            self._linked(state, target)
        if self._diversity is not None:
            self._diversity.explored(self.graph.logical(state, position))
        self._learn(state, position, target, is_new=is_new)
        if self.component_frontier is not None:
            self._revise_needs(self.component_frontier.explored(state, position, target, fired))

    def closed(self, state: int, position: int) -> None:
        """Report that a pair will never be explored: its event was refused, hung, or crashed the page."""
        self._decided((state, position))
        if self.component_frontier is not None:
            self.component_frontier.closed((state, position))

    def link_lost(self, state: int, target: int) -> None:
        """Report that the graph dropped the link between two states as unreliable."""
        for index in self._indexes:
            index.links_removed([(state, target)])

    def withhold(self, pair: Pair) -> None:
        """Assign a pair to another node. This changes nothing for pairs that are withheld, explored or closed."""
        frontier = self.component_frontier
        if pair in self._holders or (frontier is not None and frontier.holds_back(pair)):
            self._withheld.add(pair)
        elif self._frontier is not None and self._frontier.remove(pair):
            self._withheld.add(pair)
            self._give_back(pair)
        elif pair[1] in self.free[pair[0]]:
            self._withheld.add(pair)
            self._take_out(pair)
            self._give_back(pair)

    def grant(self, pair: Pair) -> None:
        """Take a withheld pair over. This changes nothing for other pairs."""
        if pair in self._withheld:
            self._withheld.remove(pair)
            if pair not in self._holders and pair[1] not in self.free[pair[0]]:
                self._give_back(pair)

    def exhaustion_reason(self, crawl: FoldedCrawl) -> str:
        """Return the end reason of a crawl in which this strategy has nothing left to choose."""
        frontier = self.component_frontier
        if frontier is None:
            return exhaustion_reason(crawl)
        return exhaustion_reason(crawl, frontier.spare, is_cut=frontier.is_cut)

    def is_spare(self, pair: Pair) -> bool:
        """Whether an event need not be fired, because of components."""
        return self.component_frontier is not None and self.component_frontier.is_spare(pair)

    @property
    def withheld(self) -> int:
        """Number of pairs of other nodes that are neither explored nor closed."""
        return len(self._withheld)

    # -- called by walkers --

    def next_task(self, walker: int, position: int | None, *, checks: bool = True) -> Task | NoTask:
        """Choose the next task of a walker in the state `position` (None: it has no page yet).

        Without `checks`, nothing is chosen that was held back.
        """
        self.release(walker)
        self._catch_up()
        choice = self._opening(position) or self._shortened(position, self._choose(walker, position))
        while choice is None and checks and self._admit():
            choice = self._choose(walker, position)
        if choice is None:
            return NoTask.WAIT if self._holders or self._withheld else NoTask.DONE
        route, event = self._straight(position, choice[0]), choice[1]
        pair = (route.states[-1], event)
        self._hold(walker, pair)
        self.held[walker] = pair
        return Task(walker, position, route.reset, self._steps(route.states), pair)

    def look_ahead(self, walker: int, state: int) -> Pair | None:
        """Return the pair that the walker would get if its task led to this state. The walker then holds it, too.

        None if the strategy cannot predict it, or if the walker would have to leave the state.
        """
        pair = None if self._frontier is not None and self._frontier.opens() else self._would_choose(state)
        if pair is not None:
            self._hold(walker, pair)
            self._looked_ahead.setdefault(walker, []).append(pair)
        return pair

    def take(self, walker: int, pair: Pair) -> bool:
        """Make a walker hold this pair. Return False if the pair is not free."""
        if self._take_held_back(pair):
            self._give_out(pair)
        if pair[1] not in self.free[pair[0]]:
            return False
        self.release(walker)
        self._hold(walker, pair)
        self.held[walker] = pair
        return True

    def release(self, walker: int) -> None:
        """Release the pairs that a walker holds, unexplored."""
        task = self.held.pop(walker, None)
        for pair in (*self._looked_ahead.pop(walker, ()), *(() if task is None else (task,))):
            if self._holders.get(pair) == walker:
                del self._holders[pair]
                self._give_back(pair)

    # -- implemented by strategies --

    @abstractmethod
    def _choose(self, walker: int, position: int | None) -> Choice | None:
        """Return a route over explored links and a free position at its end; None if no free pair can be reached."""

    def _penalty(self, name: str) -> float:
        """Return how many events farther away than they are the events of a name count."""
        return 0.0

    def _would_choose(self, state: int) -> Pair | None:
        """Return what `_choose` will return to a walker in this state, whatever is explored until then."""

    def _refresh(self, state: int) -> None:
        """Update the indexes for `free[state]`."""

    def _learn_state(self, state: int) -> None:
        """React to a new state."""

    def _learn_event(self, state: int, position: int) -> None:
        """React to a new event of a known state, which is already free."""
        self._put_back(state, position)

    def _learn(self, state: int, position: int, target: int, *, is_new: bool) -> None:
        """React to an explored pair."""

    def _taken(self, state: int, position: int) -> None:
        """React to a pair that is no longer free."""

    def _put_back(self, state: int, position: int) -> None:
        """React to a pair that is free again."""

    # -- used by strategies --

    def _index(self, links: Successors | None = None, extra: Extra | None = None) -> TargetStates:
        index = make_targets(self.graph, self.settings, links, extra)
        self._indexes.append(index)
        return index

    def _tier(self, state: int) -> int:
        """Return the rank that puts similar states last if diversity is preferred; otherwise 0."""
        return 0 if self._diversity is None else self._diversity.rank(state)

    def _pick(self, positions: list[int], state: int) -> int:
        """Choose one of several equally good positions, as the settings say."""
        if self._diversity is not None and len(positions) > 1:
            positions = self._diversity.freshest(state, positions)
        return positions[0] if self.settings.order is TieOrder.FIXED else self.random.choice(positions)

    def _steps(self, states: list[int]) -> tuple[Pair, ...]:
        successors = self.graph.links.successors
        return tuple([(state, successors[state][after]) for state, after in itertools.pairwise(states)])

    def _straight(self, position: int | None, route: CheapestRoute) -> CheapestRoute:
        """Replace a walk over doubtful links by one that starts with a reset.

        An application may remember more than its pages show: a filter, for instance. Then an event leads elsewhere on
        other paths than the one on which it was explored.
        """
        graph = self.graph
        if route.reset or not any(itertools.starmap(graph.is_doubtful, itertools.pairwise(route.states))):
            return route
        return cheapest_route(graph, None, route.goal, self.settings.reset_cost, self.settings.ties) or route

    def _linked(self, source: int, target: int) -> None:
        """React to a new link between two states."""
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
        """Make a pair that was explored or closed neither held, nor withheld, nor free."""
        self._withheld.discard(pair)
        walker = self._holders.pop(pair, None)
        if walker is not None:
            if self.held.get(walker) == pair:
                del self.held[walker]
        elif not self._take_held_back(pair) and pair[1] in self.free[pair[0]]:
            self._take_out(pair)

    def _take_out(self, pair: Pair) -> None:
        state, position = pair
        self.free[state].remove(position)
        self._stale[state] = None
        self._taken(state, position)

    def _give_back(self, pair: Pair) -> None:
        """Put a pair that no walker holds where it belongs."""
        frontier, is_withheld = self.component_frontier, pair in self._withheld
        if frontier is not None and is_withheld:
            frontier.dismiss(pair)
        if frontier is not None and frontier.is_spare(pair):
            frontier.hold_back(pair)
        elif not is_withheld and (self._frontier is None or not self._frontier.holds_back(pair)):
            self._give_out(pair)

    def _give_out(self, pair: Pair) -> None:
        """Make a pair free for the strategy to choose."""
        state, position = pair
        insort(self.free[state], position)
        self._stale[state] = None
        self._put_back(state, position)

    # -- site crawls --

    def _opening(self, position: int | None) -> Choice | None:
        """Choose the next URL to open, if there is one."""
        for pair in () if self._frontier is None else self._frontier.opens():
            route = self._route_to(position, pair[0])
            if route is not None:
                self._take_held_back(pair)
                self._give_out(pair)
                return route, pair[1]
        return None

    def _route_to(self, position: int | None, state: int) -> CheapestRoute | None:
        """Find a route to a state. The initial state is reached by a reset: URLs are opened from equal sessions."""
        if position == state:
            return here(state)
        if state == INITIAL:
            return CheapestRoute(True, [INITIAL], self.settings.reset_cost)
        return cheapest_route(self.graph, position, state, self.settings.reset_cost, self.settings.ties)

    def _hold_back(self, pair: Pair) -> None:
        if self._frontier is not None and self._frontier.holds_back(pair):
            self._take_out(pair)

    def _take_held_back(self, pair: Pair) -> bool:
        """Take a pair from those held back. Return whether it was one of them."""
        return any(frontier.remove(pair) for frontier in self._frontiers())

    def _admit(self) -> bool:
        """Admit the pairs of the next stage. Return whether there are any."""
        admitted = [] if self._frontier is None else self._frontier.admit()
        if not admitted and self.component_frontier is not None:
            self._strand_checks(self.component_frontier)
            admitted = self.component_frontier.admit(is_alone=not self._holders)
        for pair in admitted:
            self._give_out(pair)
        self._spare(admitted)
        self._catch_up()
        return bool(admitted)

    def _frontiers(self) -> list[SiteFrontier | ComponentFrontier]:
        """Return what holds pairs back."""
        return [frontier for frontier in (self._frontier, self.component_frontier) if frontier is not None]

    # -- crawls by components --

    def _spare(self, pairs: Iterable[Pair]) -> None:
        """Hold back those of these free pairs that need not be explored."""
        frontier = self.component_frontier
        for pair in pairs:
            if frontier is not None and frontier.is_spare(pair):
                self._take_out(pair)
                frontier.hold_back(pair)

    def _strand_checks(self, frontier: ComponentFrontier) -> None:
        """Give up the checks that no way leads to."""
        for pair in frontier.admitted:
            if pair[1] in self.free[pair[0]]:
                self._take_out(pair)
                frontier.strand(pair)

    def _revise_needs(self, pairs: Iterable[Pair]) -> None:
        """Hold back or give out pairs, after it has become known which of them are needed."""
        frontier = self.component_frontier
        for pair in pairs:
            if frontier is None or pair[1] in self.free[pair[0]]:
                self._spare([pair])
            elif frontier.holds_back(pair):
                if not frontier.is_spare(pair):
                    frontier.remove(pair)
                    self._give_back(pair)
            elif pair in self._withheld and pair not in self._holders:
                self._give_back(pair)

    def _shortened(self, position: int | None, choice: Choice | None) -> Choice | None:
        """Replace a choice if what events are known to do elsewhere promises a shorter way.

        A strategy that takes the nearest event may get another event instead; for the others, only the way is another.
        """
        frontier = self.component_frontier
        if frontier is None:
            return choice
        worth, only = inf, None
        if choice is not None:
            route, event = choice
            only = route.goal, event
            worth = route.cost + self._penalty(frontier.components.name(only))
            if worth <= 1 or (route.cost == 0 and not self._takes_nearest):
                return choice

        def is_free(pair: Pair) -> bool:
            return pair[1] in self.free[pair[0]]

        def is_available(pair: Pair) -> bool:
            return is_free(pair) or frontier.is_held_back(pair)

        choices = Choices(self._penalty, is_free, is_available)
        prospect = frontier.prospect(position, worth, choices, None if self._takes_nearest else only)
        if prospect is None:
            return choice
        pair = prospect.route.goal, prospect.position
        if frontier.remove(pair):
            self._give_out(pair)
        return prospect.route, prospect.position

    def _mark_stale(self, states: Iterable[int]) -> None:
        self._stale.update(dict.fromkeys(states))


def here(state: int) -> CheapestRoute:
    """Return the route of a walker that stays in its state."""
    return CheapestRoute(False, [state], 0.0)


def _component_frontier(
    graph: Graph, settings: StrategySettings, withheld: Collection[Pair]
) -> ComponentFrontier | None:
    if settings.model is ModelKind.STATES:
        return None
    trust, random = Trust(settings.confidence), Random(settings.seed)
    return ComponentFrontier(graph, settings.model, random, trust, settings.reset_cost, settings.exhaustive, withheld)


def _diversity(graph: Graph) -> "Diversity":
    """Create the ranking by diversity. Imported on demand: it needs numpy, which takes long to load."""
    from statecrawl.strategies.diversity import Diversity  # noqa: PLC0415

    return Diversity(graph)
