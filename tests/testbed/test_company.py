"""The company site: a menu everywhere, things opened inside things, and no need to reset."""

from statecrawl.model.graph import INITIAL, Graph
from statecrawl.testbed import company  # not the function: its name would make it a test


def row(graph: Graph, state: str) -> list[tuple[str, str]]:
    number = graph.numbers[state]
    return [(graph.event(number, at).local, graph.ids[target]) for at, target in enumerate(graph.targets[number])]


MENU = [(f"menu {page}", page) for page in company.MENU]


def test_home_has_the_menu_only() -> None:
    graph = company.test_ria().truth
    assert graph.ids[INITIAL] == "home"
    assert row(graph, "home") == MENU


def test_a_model_has_everything() -> None:
    assert row(company.test_ria().truth, "products/phones/smart") == [
        *MENU,
        ("open products/phones/smart/specs", "products/phones/smart/specs"),
        ("open products/phones/smart/photo", "products/phones/smart/photo"),
        ("close", "products/phones"),
        ("contact us", "contact"),
        ("other model", "products/phones/classic"),
    ]


def test_a_request_can_be_cancelled_in_its_last_steps() -> None:
    graph = company.test_ria().truth
    leaving = [state for state in graph.ids if ("cancel", "services") in row(graph, state)]
    assert leaving == [
        f"services/{service}/request/{step}"
        for service in ("consulting", "training")
        for step in ("dates", "dates/summary")
    ]


def test_home_is_one_event_away_from_everywhere() -> None:
    graph = company.test_ria().truth
    assert all(graph.targets[state][0] == INITIAL for state in range(len(graph)))
