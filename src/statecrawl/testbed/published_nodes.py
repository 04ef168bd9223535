"""Published figures of crawls with many nodes, as printed, for comparison with our measurements.

S. M. Mir Taheri, "Distributed Crawling of Rich Internet Applications", PhD thesis, University of Ottawa, 2015, and
S. M. Mirtaheri, D. Zou, G. V. Bochmann, G.-V. Jourdan, I. V. Onut, "Dist-RIA Crawler: A Distributed Crawler for Rich
Internet Applications", 2013. Nothing is corrected. What the figures of the thesis show as curves is not printed as
numbers, and so is not here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

PEERS_OVER_CLIENTS: Mapping[str, Mapping[str, float]] = MappingProxyType(  # table 7.3, with 20 nodes
    {
        "test-ria": {"breadth-first": 1.36, "greedy": 1.56},
        "altoro": {"breadth-first": 4.90, "greedy": 6.58},
        "dyna-table": {"breadth-first": 1.30, "greedy": 3.20},
        "periodic-table": {"breadth-first": 1.18, "greedy": 8.28},
        "clip-marks": {"breadth-first": 1.15, "greedy": 1.42},
        "elfinder": {"breadth-first": 1.14, "greedy": 1.38},
    }
)
TABLE_NODES = 20  # in table 7.3
COORDINATOR_BOTTLENECK = (11, 15)  # nodes, §7.3.3
BROADCAST_BOTTLENECK = 434  # nodes on Dyna-Table, §6.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Idling:
    """Dist-RIA on a file browser: table I, and the averages that §VI-B gives for 1 to 15 nodes."""

    events: int  # fired in all
    walking: float  # share of the time spent firing events
    idle: float


DIST_RIA_NODES = 15
IDLING: Mapping[str, Idling] = MappingProxyType(
    {
        "file-tree:httpd": Idling(events=7_461, walking=0.7638, idle=0.1977),
        "file-tree:cassandra": Idling(events=27_149, walking=0.8531, idle=0.1134),
    }
)
