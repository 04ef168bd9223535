"""Links join distinct states once, in the order of exploration."""

from statecrawl.model.successors import Successors


def links_of(size: int, *pairs: tuple[int, int]) -> Successors:
    links = Successors()
    for _ in range(size):
        links.add_vertex()
    for event, (source, target) in enumerate(pairs):
        links.add(source, target, event)
    return links


def test_a_link_is_seen_from_both_ends() -> None:
    links = links_of(2)
    assert links.add(0, 1, 7)
    assert links.successors == [{1: 7}, {}]
    assert links.predecessors == [{}, {0: None}]


def test_the_event_explored_first_is_kept() -> None:
    links = links_of(2, (0, 1))
    assert not links.add(0, 1, 9)
    assert links.successors[0] == {1: 0}


def test_a_self_loop_is_no_link() -> None:
    links = links_of(1)
    assert not links.add(0, 0, 1)
    assert links.successors == [{}]
    assert links.predecessors == [{}]


def test_successors_stand_in_order_of_exploration() -> None:
    links = links_of(4, (0, 3), (0, 1), (0, 2))
    assert list(links.successors[0]) == [3, 1, 2]


def test_a_removed_link_can_come_back() -> None:
    links = links_of(2, (0, 1))
    links.remove(0, 1)
    assert links.successors == [{}, {}]
    assert links.predecessors == [{}, {}]
    assert links.add(0, 1, 5)
    assert links.successors[0] == {1: 5}
