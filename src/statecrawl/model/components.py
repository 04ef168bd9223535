"""Components: which parts of a page change independently, and which events therefore need not be fired again.

Sources: A. Moosavi, "Component-based crawling of complex rich internet applications", 2014, as described in S. M. Mir
Taheri, "Distributed Crawling of Rich Internet Applications", 2015, appendix B. R. Yandrapally and A. Mesbah,
"Fragment-based test generation for web apps", 2023, compare parts of pages instead of whole pages. Neither measures how
often independence fails; here, every repeated firing of an event is compared with the prediction.

Theory of operation
    Every state is a set of regions (`model.regions`). A *unit* is a region that is followed from state to state: a
    place, and the ordinal of the region among those with this place. What a unit shows is its *value*. A *task* is an
    event of a unit with a value: (unit, value, event). If units are independent, firing the event once is enough,
    wherever that is, because it has the same effect in every state in which the unit has this value.

    Where there are several fields, each of them is a unit. What a button of the form does may depend on them, so its
    task says how many of them have been changed: none, one or several.

    Values are reduced by what transitions have shown:

    rows        If a transition only adds or only removes regions of one template, and one of them survives, the place
                holds rows, and so do all places inside it. All rows are one unit, whose value is how many of each look
                there are: none, one or several. The events of a row are tasks of its look, and of whether it is alone.
    open ends   If one event has given a unit several values in a row that it never had before, or more in all, each of
                the same shape, then further values of that shape are no longer distinguished, and only a few of the
                earlier ones are (`model.open_ends`). Of events that change another unit than their own, those whose
                names only differ in numbers count as one.
    restless    A unit that changed unexpectedly after several different events, and in a good part of the repetitions,
                changes by itself (`model.restless_units`). It is not compared.

    An event whose repetition does not do what earlier firings did has a *deviation*. One unit is searched for that
    explains all that the event did, or at least the difference: if it is equal, effects must be equal. The coarsest
    aspect of it that does so (`model.dependences`) becomes *context* of the event and part of the task, so what was
    concluded before is open again. If that unit lies inside the unit of the event, or around it, its own events get the
    other unit as context, too: both are one component then, such as the steps of a wizard and the choice in each of
    them. Contexts that explain nothing any more, because less is distinguished, are forgotten. An event that no unit
    explains, or that needed too many guesses, is *unsteady* and makes no further predictions.

    An effect is a new value for each unit that changed. Two firings agree if all that one of them changed shows the
    same after both: a tab may close whichever tab was open. If more than half of all units changed, the page itself
    did, and nothing is predicted for units that were not there. Rows and open ends are not compared, because a row that
    disappears leaves several, one or none. Of an event in a row or in an open end, only the shapes of what it changes
    are predicted, since texts that are not distinguished there may show elsewhere.

    Everything follows from the facts in their order, so every process that folds the same journal concludes the same.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from statecrawl.model.component_tasks import (
    EVERY_ROW,
    EventOfUnit,
    Offer,
    OpenEnd,
    Pair,
    Task,
    TaskRecord,
    Unit,
    Value,
    View,
    adds_rows,
    are_nested,
    form_of,
    relaxed_name,
)
from statecrawl.model.dependences import Context, Dependences, aspects_of
from statecrawl.model.effects import Effects
from statecrawl.model.graph import INITIAL, UNEXPLORED, Graph
from statecrawl.model.page_views import PageViews, Places
from statecrawl.model.regions import Region

MOST_GUESSES = 4  # at what an event depends on before it is unsteady
MOST_COMPARED = 60  # outcomes of other tasks of an event that its dependence should explain, too
MOST_OUTCOMES = 8  # of one task that are kept to search for explanations


class Components:
    """Tasks of a crawl. Receives states and transitions in the order of the journal, after the graph has them."""

    def __init__(self, graph: Graph, *, reduces: bool = True) -> None:
        """Without `reduces`, all rows and all values of open ends are distinguished."""
        self.deviations = 0
        self._graph = graph
        self._reduces = reduces
        self._views = PageViews()
        self._effects = Effects(self._views)
        self._spots: list[dict[int, Unit]] = []  # state -> position -> place and ordinal of its region
        self._filled: list[dict[Unit, int]] = []  # state -> form -> how many fields were changed: none, one or several
        self._blank: dict[Unit, str] = {}  # field -> what it showed at first
        self._names: list[dict[int, str]] = []  # state -> position -> name that the event has in every state
        self._tasks: list[dict[int, Task]] = []  # state -> position -> task
        self._offers: dict[int, frozenset[Offer]] = {}  # state -> what its tasks belong to
        self._active_units: dict[int, frozenset[Unit]] = {}
        self._records: dict[Task, TaskRecord] = defaultdict(TaskRecord)
        self._dependences = Dependences()
        self._pairs_of: dict[EventOfUnit, dict[Pair, None]] = defaultdict(dict)
        self._unsteady: set[EventOfUnit] = set()
        self._guesses: Counter[EventOfUnit] = Counter()  # at what an event depends on
        self._changed: dict[Pair, None] = {}
        self._closed: set[Pair] = set()
        self.untried: dict[str, dict[Task, None]] = defaultdict(dict)  # name -> never fired, with pairs that can be
        self.revisions = 0  # how often values or tasks of earlier states have changed

    # -- what is learnt --

    def found(self, state: int, regions: Sequence[Region]) -> bool:
        """Learn the regions of a new state. Return whether a unit has a value that it never had before."""
        places: Places = {}
        spots: dict[int, Unit] = {}
        filled: dict[Unit, int] = {}
        for region in regions:
            among = places.setdefault(region.place, [])
            spots.update(dict.fromkeys(region.events, (region.place, len(among))))
            unit = region.place, len(among)
            if (form := form_of(region.place)) is not None:
                around = form, max(len(places.get(form, ())) - 1, 0)
                is_changed = region.content != self._blank.setdefault(unit, region.content)
                filled[around] = min(filled.get(around, 0) + is_changed, 2)
            among.append(region)
        self._spots.append(spots)
        self._filled.append(filled)
        self._names.append({})
        self._tasks.append({})
        is_new = self._views.found(places)
        for place in places:
            self._name(state, place)
        self._assign((state, position) for position in spots)
        return is_new

    def explored(self, state: int, position: int, target: int) -> bool | None:
        """Learn a transition. Return whether it did what its task predicted; None without a prediction."""
        task = self._tasks[state].get(position)
        if task is not None:
            self._records[task].left.pop((state, position), None)
            self._record(task, (state, target))
        self._learn_reductions(state, position, target)
        task = self._tasks[state].get(position)
        if task is None:
            return None
        record, outcome = self._records[task], (state, target)
        earlier = [other for other in record.outcomes if other != outcome]
        if record.fired == 1 or (task[0], task[2]) in self._unsteady:
            return None
        if not earlier:
            return True
        usual, restless = self.changed_units(*earlier[0]), self._views.restless
        restless.watch(self.view(target).keys() - usual)
        agrees = self._effects.agrees_with_all(task[0], earlier, outcome)
        if not agrees and restless.blame(self.changed_units(*outcome) - usual - {task[0]}, task[2]):
            agrees = self._effects.agrees_with_all(task[0], earlier, outcome)
        if not agrees:
            self.deviations += 1
            self._explain(task, record, outcome)
        return agrees

    def closed(self, pair: Pair) -> None:
        """Learn that a pair will never be explored."""
        task = self._tasks[pair[0]].get(pair[1])
        self._closed.add(pair)
        if task is not None:
            self._records[task].left.pop(pair, None)
            self._classify(task)

    def changed_pairs(self) -> list[Pair]:
        """Return the unexplored pairs whose need may have changed since the last call."""
        changed, self._changed = list(self._changed), {}
        return changed

    # -- answers --

    def is_needed(self, pair: Pair) -> bool:
        """Whether the task of a pair has never been fired. An event without a region is always needed."""
        task = self._tasks[pair[0]].get(pair[1])
        return task is None or not self._records[task].fired

    def is_predicted(self, pair: Pair) -> bool:
        """Whether it is known what an event will do."""
        task = self._tasks[pair[0]].get(pair[1])
        return task is not None and self._records[task].fired > 0 and (task[0], task[2]) not in self._unsteady

    def task(self, pair: Pair) -> Task | None:
        return self._tasks[pair[0]].get(pair[1])

    def tasks(self, state: int) -> dict[int, Task]:
        """Return the tasks of a state by position."""
        return self._tasks[state]

    def places(self, state: int) -> dict[int, str]:
        """Return the place of the region of each event of a state, by position. Other events have no region."""
        return {position: place for position, (place, _) in self._spots[state].items()}

    def offers(self, state: int) -> frozenset[Offer]:
        """Return the units of a state that have events, with their values."""
        known = self._offers.get(state)
        if known is None:
            known = self._offers[state] = frozenset([task[:2] for task in self._tasks[state].values()])
        return known

    def shown_offers(self, state: int) -> frozenset[Offer]:
        """Return all units of a state with the values that their tasks have, or would have if they were not hidden."""
        return frozenset([(unit, self._offered(state, unit)) for unit in self.view(state)])

    def active_units(self, state: int) -> frozenset[Unit]:
        """Return the units of a state that have events."""
        known = self._active_units.get(state)
        if known is None:
            known = self._active_units[state] = frozenset([unit for unit, _ in self.offers(state)])
        return known

    def untried_tasks(self) -> Iterator[Task]:
        """Yield the tasks that were never fired and can be."""
        return (task for tasks in self.untried.values() for task in tasks)

    def is_untried(self, task: Task) -> bool:
        """Whether a task was never fired and can be."""
        return task in self.untried.get(task[2], ())

    def record(self, task: Task) -> TaskRecord:
        return self._records[task]

    def fired(self) -> Iterator[Task]:
        """Yield the tasks that were fired."""
        return (task for task, record in self._records.items() if record.fired)

    def name(self, pair: Pair) -> str:
        """Return the name that an event has in every state: without numbers, and in rows without texts."""
        return self._names[pair[0]].get(pair[1]) or relaxed_name(self._graph.event(*pair).local, is_loose=False)

    def view(self, state: int) -> View:
        """Return what each unit of a state shows."""
        return self._views.views[state]

    def shape(self, state: int) -> frozenset[tuple[str, str]]:
        """Return the visible structure of a state: its places and their shapes."""
        places = self._views.places[state].values()
        return frozenset((region.place, region.shape) for among in places for region in among)

    def changing(self) -> dict[Unit, frozenset[Value]]:
        """Return the values of all units that have shown more than one."""
        return {unit: frozenset(values) for unit, values in self._views.shown.items() if len(values) > 1}

    def holders(self, place: str) -> Sequence[int]:
        """Return the states that have a region at a place."""
        return self._views.holders.get(place, ())

    def regions(self, state: int, place: str) -> Sequence[Region]:
        """Return the regions of a state with this place."""
        return self._views.regions(state, place)

    def rows(self) -> frozenset[str]:
        """Return the places that hold rows."""
        return frozenset(self._views.rows)

    def open_ends(self) -> list[OpenEnd]:
        """Return the units with more values than are distinguished."""
        return self._views.open_ends.listed()

    def restless(self) -> frozenset[Unit]:
        """Return the units that change by themselves."""
        return frozenset(self._views.restless.units)

    def contexts(self) -> dict[EventOfUnit, tuple[Context, ...]]:
        """Return the units on which events depend besides their own."""
        return self._dependences.all()

    def unsteady(self) -> frozenset[EventOfUnit]:
        """Return the events that did different things for no visible reason."""
        return frozenset(self._unsteady)

    def changed_units(self, before: int, after: int) -> frozenset[Unit]:
        """Return the units that differ between two states."""
        return self._views.changed(before, after)

    # -- names --

    def _name(self, state: int, place: str) -> None:
        """Name the events of a place. Equal names in one region are counted."""
        for ordinal, region in enumerate(self._views.places[state][place]):
            is_loose = self._views.is_reduced(state, (place, ordinal))
            equal: Counter[str] = Counter()
            for position in region.events:
                name = relaxed_name(self._graph.event(state, position).local, is_loose=is_loose)
                equal[name] += 1
                self._names[state][position] = name if equal[name] == 1 else f"{name} #{equal[name]}"

    # -- reductions --

    def _learn_reductions(self, state: int, position: int, target: int) -> None:
        """Look for rows and open ends in what a transition has changed."""
        if state == target or not self._reduces:
            return
        places, rows, revisions = self._views.places, self._views.rows, self.revisions
        for place, there in places[target].items():
            here = places[state].get(place, [])
            if here == there or place in rows:
                continue
            if adds_rows(here, there) or adds_rows(there, here):
                inside = [other for other in self._views.holders if f"{other}>".startswith(f"{place}>")]
                for joined in (other for other in inside if other not in rows):
                    self._join(joined)
                continue
            for ordinal, region in enumerate(there):
                if ordinal >= len(here) or here[ordinal].content != region.content:
                    self._learn_value((place, ordinal), (state, position), region, target)
        if self.revisions != revisions:
            self._forget_dependences()

    def _learn_value(self, unit: Unit, pair: Pair, region: Region, target: int) -> None:
        """Learn that an event has led to a state in which a unit has this content."""
        open_ends, before = self._views.open_ends, self._views.region(unit, pair[0])
        if target == INITIAL or not open_ends.is_first(unit, region, target):
            return
        local, spot = self._graph.event(*pair).local, self._spots[pair[0]].get(pair[1])
        names = [local]
        if spot is not None and spot[0] != unit[0]:  # such as the days of a calendar, each of which opens a dialog
            names.append(relaxed_name(local, is_loose=self._views.is_reduced(pair[0], spot)))
        if open_ends.made(unit, region, "" if before is None else before.content, names, local):
            self._loosen(unit, region.shape)

    def _loosen(self, unit: Unit, shape: str) -> None:
        """Name the events of a new open end again, and distinguish only its first values."""
        affected: dict[Pair, None] = {}
        for state in self._views.cut(unit, shape):
            self._name(state, unit[0])
            region = self._views.places[state][unit[0]][unit[1]]
            affected.update(dict.fromkeys((state, position) for position in region.events))
        for event in self._dependences.on(unit):
            affected.update(self._pairs_of[event])
        self.revisions += 1
        self._assign(affected)

    def _join(self, place: str) -> None:
        """Make a place hold rows, and compute all tasks again that depend on it."""
        self._views.join(place)
        self.revisions += 1
        affected: dict[Pair, None] = {}
        for event in self._dependences.forget(place):  # what it was said to depend on is not compared any more
            affected.update(self._pairs_of[event])
        for state in self._views.holders[place]:
            self._name(state, place)
            for region in self.regions(state, place):
                affected.update(dict.fromkeys((state, position) for position in region.events))
        self._assign(affected)

    # -- tasks --

    def _assign(self, pairs: Iterable[Pair]) -> None:
        """Compute the tasks of these pairs, and move what is known to them."""
        moves = [(pair, self._task_now(pair)) for pair in pairs]
        for pair, task in moves:
            if self._tasks[pair[0]].get(pair[1]) != task:
                self._leave(pair)
                self._enter(pair, task)

    def _task_now(self, pair: Pair) -> Task:
        state, position = pair
        place, ordinal = self._spots[state][position]
        among, name = self._views.places[state][place], self._names[state][position]
        if place in self._views.rows:
            unit: Unit = place, EVERY_ROW
            value: object = among[ordinal].look, min(len(among), 2)
        else:
            unit = place, ordinal
            value = self._offered(state, unit)
        contexts = self._dependences.of((unit, name))
        return unit, value, name, tuple([self._views.aspect(state, context) for context in contexts])

    def _offered(self, state: int, unit: Unit) -> object:
        """Return the value that the tasks of a unit have.

        For forms, it says how many fields do not show what they did at first. So buttons are tried with other contents
        of the fields, but not with all combinations.
        """
        shown, filled = self.view(state)[unit], self._filled[state].get(unit)
        return shown if filled is None else (shown, filled)

    def _leave(self, pair: Pair) -> None:
        """Take a pair, and what it did, out of its task."""
        task = self._tasks[pair[0]].get(pair[1])
        if task is None:
            return
        record, target = self._records[task], self._graph.targets[pair[0]][pair[1]]
        self._pairs_of[task[0], task[2]].pop(pair, None)
        if record.left.pop(pair, self) is self and target != UNEXPLORED:
            record.fired -= 1
            if (pair[0], target) in record.outcomes:
                record.outcomes.remove((pair[0], target))
            if not record.fired:
                self._changed.update(record.left)
        self._classify(task)

    def _enter(self, pair: Pair, task: Task) -> None:
        self._tasks[pair[0]][pair[1]] = task
        self._offers.pop(pair[0], None)
        self._active_units.pop(pair[0], None)
        self._pairs_of[task[0], task[2]][pair] = None
        record, target = self._records[task], self._graph.targets[pair[0]][pair[1]]
        if target != UNEXPLORED:
            self._record(task, (pair[0], target))
        elif pair not in self._closed:
            record.left[pair] = None
            self._changed[pair] = None
            self._classify(task)

    def _record(self, task: Task, outcome: Pair) -> None:
        record = self._records[task]
        record.fired += 1
        if len(record.outcomes) < MOST_OUTCOMES:
            record.outcomes.append(outcome)
        if record.fired == 1:
            self._changed.update(record.left)
        self._classify(task)

    def _classify(self, task: Task) -> None:
        """Note whether a task is still to be fired."""
        record, name = self._records[task], task[2]
        if record.left and not record.fired:
            self.untried[name][task] = None
        elif name in self.untried:
            self.untried[name].pop(task, None)
            if not self.untried[name]:
                del self.untried[name]

    # -- deviations --

    def _explain(self, task: Task, record: TaskRecord, again: Pair) -> None:
        """Find a unit that explains why an event did something else, and make it context of the event.

        Best is one that explains all that the event has done, because earlier guesses were from fewer examples.
        """
        event, outcomes = (task[0], task[2]), [other for other in record.outcomes if other != again]
        self._guesses[event] += 1
        explanation, aspects = self._effects.explanation, partial(self._dependences.aspects, event)
        known = [other for other in self._outcomes(event)[task[1]] if other not in outcomes and other != again]
        everything = explanation(task[0], [*known[:MOST_COMPARED], *outcomes, again], aspects_of)
        context = everything or explanation(task[0], [*outcomes, again], aspects)
        if context is None or self._guesses[event] > MOST_GUESSES:
            self._unsteady.add(event)
            self._depend_only(event)
            return
        if everything:
            self._depend_only(event, everything)
        else:
            self._depend(event, context)
        if are_nested(task[0][0], context.unit[0]):
            around = [other for other in self._pairs_of if other[0] == context.unit and other not in self._unsteady]
            for other in around:
                self._depend(other, Context(task[0], aspects_of(task[0])[-1]))

    def _depend_only(self, event: EventOfUnit, *contexts: Context) -> None:
        """Make these units the only contexts of an event."""
        self._dependences.replace(event, *contexts)
        self.revisions += 1
        self._assign(list(self._pairs_of[event]))

    def _depend(self, event: EventOfUnit, context: Context) -> None:
        """Make a unit context of an event."""
        if self._dependences.add(event, context):
            self.revisions += 1
            self._assign(list(self._pairs_of[event]))

    def _forget_dependences(self) -> None:
        """Forget what events depend on if all that they did agrees, now that less is distinguished."""
        for event in self._dependences.all():
            if all(self._effects.are_consistent(event[0], outcomes) for outcomes in self._outcomes(event).values()):
                self._depend_only(event)
                del self._guesses[event]

    def _outcomes(self, event: EventOfUnit) -> dict[object, list[Pair]]:
        """Return what an event has done by the value of its unit, whatever the context was."""
        found: dict[object, list[Pair]] = defaultdict(list)
        for task in dict.fromkeys(map(self.task, self._pairs_of[event])):
            if task is not None:
                found[task[1]] += self._records[task].outcomes
        return found
