"""Valid and invalid grids of simulated crawls."""

from typing import Any

import pytest

from statecrawl.coordination.balance import Balance
from statecrawl.coordination.components import Responsibility
from statecrawl.coordination.partition import PartitionRule
from statecrawl.coordination.shared_facts import SharingExtent
from statecrawl.errors import BadInput, UnknownName
from statecrawl.lab.grid import MOST_NODES, NodeGrid, node_counts


def grid(**more: Any) -> NodeGrid:
    return NodeGrid(**{"apps": ("tiny",), "nodes": (1, 2), **more})


@pytest.mark.parametrize(
    ("written", "counts"),
    [
        (["4"], (4,)),
        (["1..4"], (1, 2, 3, 4)),
        (["1,2,4,8"], (1, 2, 4, 8)),
        (["8", "1..2, 2"], (1, 2, 8)),
        ([str(MOST_NODES)], (MOST_NODES,)),
    ],
)
def test_numbers_of_nodes(written: list[str], counts: tuple[int, ...]) -> None:
    assert node_counts(written) == counts


@pytest.mark.parametrize("written", ["", "0", "8..1", "1..", "-1", "1.5", "two", "1,,2", str(MOST_NODES + 1), "²"])
def test_invalid_numbers_of_nodes_are_refused(written: str) -> None:
    with pytest.raises(BadInput, match=r"^--nodes"):
        node_counts([written])


def test_settings_are_every_combination() -> None:
    settings = grid(architectures=("all",), strategies=("greedy", "menu"), seed=3).settings()
    assert len(settings) == len(set(settings)) == 2 * 3 * 2
    assert {setting.architecture for setting in settings} == {"client-server", "dist-ria", "peer-to-peer"}
    assert {setting.seed for setting in settings} == {3}


@pytest.mark.parametrize(
    ("more", "word"),
    [
        ({"share": SharingExtent.ALL}, "--share "),
        ({"share_every": 2}, "--share-every"),
        ({"share_every": 0, "architectures": ("peer-to-peer",)}, "--share-every"),
        ({"share_interval": -1.0, "architectures": ("peer-to-peer",)}, "--share-interval"),
        ({"share_interval": float("nan"), "architectures": ("peer-to-peer",)}, "--share-interval"),
        ({"partition": PartitionRule.HASH}, "--partition"),
        ({"balance": Balance.ADAPTIVE}, "--balance"),
        ({"components": Responsibility.HANDLERS}, "--components sets which node crawls a component"),
        ({"components": Responsibility.HANDLERS, "architectures": ("dist-ria",)}, "the components of '"),
        (
            {"components": Responsibility.HANDLERS, "architectures": ("peer-to-peer",), "share_every": 2},
            "leave out --share-every",
        ),
        ({"balance": Balance.DYNAMIC, "architectures": ("dist-ria",)}, "client-server"),
        ({"nodes": (100,), "architectures": ("all",), "strategies": ("menu",)}, "menu"),
        ({"nodes": (100,), "architectures": ("peer-to-peer",), "share": SharingExtent.SHORTER}, "shorter"),
        ({"nodes": (100,), "architectures": ("dist-ria",), "partition": PartitionRule.RANGE}, "--partition"),
    ],
)
def test_contradictory_options_are_refused(more: dict[str, Any], word: str) -> None:
    with pytest.raises(BadInput, match=r"\.$") as refused:
        grid(**more)
    assert word in str(refused.value)


@pytest.mark.parametrize("more", [{"architectures": ("star",)}, {"strategies": ("best",)}, {"pace": "slow"}])
def test_unknown_names_are_refused(more: dict[str, Any]) -> None:
    with pytest.raises(UnknownName):
        grid(**more)
