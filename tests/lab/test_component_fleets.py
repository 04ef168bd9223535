"""What handlers and gate-keepers spend, in simulation."""

import pytest

from statecrawl.coordination.components import Responsibility
from statecrawl.lab.component_fleets import ARCHITECTURES, average, rows, spending
from statecrawl.testbed.compositions import panels_composition, widgets_composition

RUNS = 3


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_gate_keepers_save_events_where_components_are_hidden(architecture: str) -> None:
    known = panels_composition(5, 4)
    handlers, keepers = (
        average(spending(known, architecture, kind, 5, seed) for seed in range(RUNS)) for kind in Responsibility
    )
    assert keepers.events < 0.8 * handlers.events
    assert keepers.seconds < handlers.seconds
    assert handlers.claims == 0
    assert keepers.claims == len({place for place, _ in known.component_states()})


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_handlers_save_messages_where_all_components_are_visible(architecture: str) -> None:
    known = widgets_composition(5, 4)
    handlers, keepers = (
        average(spending(known, architecture, kind, 5, seed) for seed in range(RUNS)) for kind in Responsibility
    )
    assert handlers.reports < keepers.reports
    assert handlers.events == pytest.approx(keepers.events, rel=0.1)
    assert max(handlers.repeated, keepers.repeated) < 1


def test_the_table_has_a_row_for_each_kind() -> None:
    table = list(rows("dist-ria", nodes=2, runs=1))
    assert len({line.count("|") for line in table}) == 1
    assert sum("gate-keepers" in line for line in table) == sum("handlers" in line for line in table) == 4
