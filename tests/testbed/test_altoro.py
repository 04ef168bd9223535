"""The demo bank: a start page without return, panels linked all to all, and services behind the sign-in."""

from statecrawl.model.graph import INITIAL, Graph
from statecrawl.testbed.altoro import DIALOG, MENU, altoro


def controls(graph: Graph, state: str) -> list[tuple[str, str]]:
    """Event and target of what a panel has beside the menu."""
    number = graph.numbers[state]
    row = [(graph.event(number, at).local, graph.ids[target]) for at, target in enumerate(graph.targets[number])]
    assert row[: len(MENU)] == [(f"menu {panel}", panel) for panel in MENU]
    return row[len(MENU) :]


def test_every_event_of_the_start_page_leaves_it_for_good() -> None:
    graph = altoro().truth
    assert graph.ids[INITIAL] == "start"
    assert len(graph.events[INITIAL]) == 34
    assert not graph.links.predecessors[INITIAL]
    assert INITIAL not in graph.targets[INITIAL]


def test_a_dialog_covers_the_menu() -> None:
    graph = altoro().truth
    dialog = graph.numbers[DIALOG]
    assert [graph.event(dialog, at).local for at in range(3)] == ["confirm", "cancel", "explain"]
    assert [graph.ids[target] for target in graph.targets[dialog]] == [
        "account/transfer/done",
        "account/transfer",
        DIALOG,
    ]


def test_services_lead_out_only() -> None:
    graph = altoro().truth
    assert controls(graph, "sign in") == [
        ("sign in as customer", "account/summary"),
        ("sign in as guest", "sign in/refused"),
    ]
    assert len(controls(graph, "account/summary")) == 8
    assert controls(graph, "account/news") == [("sign off", "sign in")]
    assert controls(graph, "account/transfer") == [("transfer", DIALOG), ("sign off", "sign in")]


def test_lists_products_and_printed_panels() -> None:
    graph = altoro().truth
    assert controls(graph, "inside/press") == [
        ("open award", "inside/press/award"),
        ("open merger", "inside/press/merger"),
        ("print", "inside/press"),
    ]
    assert controls(graph, "inside/press/award") == [("back to list", "inside/press")]
    assert controls(graph, "personal/loans") == [("apply", "sign in")]
    assert controls(graph, "business/overview") == []
