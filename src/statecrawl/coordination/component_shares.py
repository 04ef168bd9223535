"""Component shares: the components that one member crawls, and the one that it claims next (see `components`)."""

import itertools
from collections.abc import Mapping, Sequence

from statecrawl.coordination.components import (
    MOST_OPEN,
    Responsibility,
    open_places,
    place_here,
    place_to_claim,
    responsible,
)
from statecrawl.journal.facts import ComponentClaimed
from statecrawl.journal.fold import FoldedCrawl
from statecrawl.strategies.component_frontier import ComponentFrontier
from statecrawl.strategies.task import NoTask, Task


class ComponentShares:
    """Components of one member, according to the record. The frontier learns the record, too."""

    def __init__(
        self,
        name: str,
        responsibility: Responsibility,
        frontier: ComponentFrontier,
        record: FoldedCrawl,
    ) -> None:
        self.are_claimed = responsibility is Responsibility.GATE_KEEPERS
        self._name = name
        self._frontier = frontier
        self._record = record
        self._owned: dict[str, bool] = {}  # place -> whether this member owns it

    def learn_members(self) -> None:
        """React to a change of members: shares change, and the first one chooses the random checks."""
        self._owned.clear()
        self._frontier.is_checker = self._record.members[:1] == (self._name,)

    def learn_claim(self, place: str) -> Sequence[int]:
        """React to a claim. Return the states that show the component."""
        self._owned.pop(place, None)
        return self._frontier.components.holders(place)

    def owned(self, state: int) -> Mapping[int, bool]:
        """Return for each event of a component, by position, whether it belongs to this member."""
        places = self._frontier.components.places(state)
        return {position: self._owns(place) for position, place in places.items()}

    def _owns(self, place: str) -> bool:
        if place not in self._owned:
            record = self._record
            owner = record.claims.get(place) if self.are_claimed else responsible(place, record.members)
            self._owned[place] = owner == self._name
        return self._owned[place]

    def claim(self, state: int | None, task: Task | NoTask) -> ComponentClaimed | None:
        """Claim a component that is nearer than the next task, as seen from a state; None if there is none."""
        components, record = self._frontier.components, self._record
        if not isinstance(task, Task):
            places = open_places(components, record.claims)
            place = place_to_claim(record.graph, components, places, state, self._frontier.reset_cost)
        elif state is None or not (task.path or task.reset) or self._is_busy():
            return None
        else:
            place = place_here(components, open_places(components, record.claims), state)
        return None if place is None else ComponentClaimed(place=place, member=self._name, epoch=record.epoch)

    def _is_busy(self) -> bool:
        """Whether this member has enough tasks that were never fired."""
        claims = self._record.claims
        own = (task for task in self._frontier.components.untried_tasks() if claims.get(task[0][0]) == self._name)
        return sum(1 for _ in itertools.islice(own, MOST_OPEN)) == MOST_OPEN
