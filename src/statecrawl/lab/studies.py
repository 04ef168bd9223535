"""Studies: the crawls to simulate in order to see how crawling scales.

`all_studies` lists the crawls behind the papers' figures, and some beyond them. A study is a list of settings. The same
setting may occur in several studies, and is run once.
"""

from dataclasses import replace
from enum import StrEnum
from functools import partial

from statecrawl.lab.paces import ARCHITECTURES, CLIENT_SERVER, DIST_RIA, OURS, PAPERS, PEER_TO_PEER
from statecrawl.ports.scale_run import ScaleSetting
from statecrawl.testbed.published_nodes import DIST_RIA_NODES, IDLING, PEERS_OVER_CLIENTS, TABLE_NODES


class Study(StrEnum):
    """The question that a set of simulated crawls answers."""

    ARCHITECTURES = "architectures"  # S. M. Mir Taheri, 2015, figures 7.7 to 7.30 and table 7.3
    IDLE = "idle"  # S. M. Mirtaheri et al., "Dist-RIA Crawler", 2013, figures 3 and 4
    SHARING = "sharing"  # left open in S. M. Mir Taheri, 2015, §8.1.5
    BALANCE = "balance"  # ibid., appendix A
    LARGE = "large"  # where each architecture saturates


Studies = dict[Study, list[ScaleSetting]]

STRATEGIES = ("breadth-first", "greedy")
PEER_STRATEGIES = ("depth-first", "probability")  # figures 7.19 to 7.30 show these for peers only
NODES = (1, 2, 5, 10, 15, TABLE_NODES)
QUICK_APPS = ("test-ria", "altoro", "dyna-table", "clip-marks")  # the other two of table 7.3 take minutes
SHARING_APP = "dyna-table"
EXTENTS = ("states", "shorter", "all")
BATCHES = (1, 4, 16, 64)
BALANCED_NODES, SLOWEST = 8, 4.0
CHANGING_SECONDS = {"test-ria": 1.0, "altoro": 4.0, "dyna-table": 80.0}  # about five times in a crawl
QUICK_BALANCED_APPS = ("test-ria", "altoro")
BALANCES = ("static", "hybrid", "adaptive", "lazy-adaptive")
LARGE_APP, FULL_LARGE_APP = "synthetic:20000", "synthetic:100000"
LARGE_NODES = (1, 3, 10, 30, 100, 300, 1000, 3000)
CLIENT_NODES = (1, 3, 6, 9, 12, 15, 20, 30, 100, 1000)  # more where the papers' coordinator saturates
FULL_LARGE_NODES = (*LARGE_NODES[:-1], 2000, 5000)
BROADCAST_APP = "dyna-table"
BROADCAST_NODES = (1, 20, 100, 200, 434, 1000)


def all_studies(*, full: bool, seed: int = 0) -> Studies:
    """Return all studies; with `full`, also the crawls that take minutes."""
    return {
        study: [replace(setting, seed=seed) for setting in settings] for study, settings in _settings(full=full).items()
    }


def _settings(*, full: bool) -> Studies:
    apps = tuple(PEERS_OVER_CLIENTS) if full else QUICK_APPS
    return {
        Study.ARCHITECTURES: [
            *architectures(apps, pace=PAPERS),
            *_at_table_nodes(apps),
            *(_peers(apps) if full else ()),
        ],
        Study.IDLE: _idle(),
        Study.SHARING: _sharing(),
        Study.BALANCE: _balance(tuple(CHANGING_SECONDS) if full else QUICK_BALANCED_APPS),
        Study.LARGE: _large(full=full),
    }


def architectures(
    apps: tuple[str, ...],
    *,
    pace: str,
    nodes: tuple[int, ...] = NODES,
    chosen: tuple[str, ...] = ARCHITECTURES,
    strategies: tuple[str, ...] = STRATEGIES,
) -> list[ScaleSetting]:
    """Return the settings for each application, architecture and strategy."""
    return [
        ScaleSetting(
            app=app,
            architecture=architecture,
            nodes=count,
            strategy=strategy,
            pace=pace,
            partition="hash" if pace == PAPERS else "rendezvous",  # as published, or by default
        )
        for app in apps
        for architecture in chosen
        for strategy in strategies
        for count in nodes
    ]


def _at_table_nodes(apps: tuple[str, ...]) -> list[ScaleSetting]:
    return architectures(apps, pace=OURS, nodes=(TABLE_NODES,), chosen=(CLIENT_SERVER, PEER_TO_PEER))


def _peers(apps: tuple[str, ...]) -> list[ScaleSetting]:
    return architectures(apps[:3], pace=PAPERS, chosen=(PEER_TO_PEER,), strategies=PEER_STRATEGIES)


def _idle() -> list[ScaleSetting]:
    """As published: breadth-first with reset and replay, and a stride; for comparison, also our own partition."""
    published = partial(ScaleSetting, architecture=DIST_RIA, strategy="breadth-first-default", pace=PAPERS)
    return [
        published(app=app, nodes=nodes, partition=partition)
        for app in IDLING
        for partition in ("stride", "rendezvous")
        for nodes in (range(1, DIST_RIA_NODES + 1) if partition == "stride" else (DIST_RIA_NODES,))
    ]


def _sharing() -> list[ScaleSetting]:
    peers = ScaleSetting(app=SHARING_APP, architecture=PEER_TO_PEER, nodes=TABLE_NODES, pace=PAPERS, partition="hash")
    return [replace(peers, share=extent, share_every=batch) for extent in EXTENTS for batch in BATCHES]


def _balance(apps: tuple[str, ...]) -> list[ScaleSetting]:
    """Return settings with nodes of equal speed, of unequal speed, and of changing speed."""
    setting = partial(ScaleSetting, nodes=BALANCED_NODES, strategy="greedy")
    return [
        setting(app=app, architecture=architecture, balance=balance, slowdown=unequal, slowdown_period=changing)
        for app in apps
        for unequal, changing in ((1.0, None), (SLOWEST, None), (SLOWEST, CHANGING_SECONDS[app]))
        for architecture, balances in ((DIST_RIA, BALANCES), (CLIENT_SERVER, ("static",)))
        for balance in balances
    ]


def _large(*, full: bool) -> list[ScaleSetting]:
    app = FULL_LARGE_APP if full else LARGE_APP
    nodes = FULL_LARGE_NODES if full else LARGE_NODES
    ours = architectures((app,), pace=OURS, nodes=nodes, strategies=("greedy",))
    theirs = [
        *architectures((app,), pace=PAPERS, nodes=CLIENT_NODES, chosen=(CLIENT_SERVER,), strategies=("greedy",)),
        *architectures((app,), pace=PAPERS, nodes=nodes, chosen=(PEER_TO_PEER,), strategies=("greedy",)),
    ]
    broadcast = architectures(
        (BROADCAST_APP,), pace=PAPERS, nodes=BROADCAST_NODES, chosen=(PEER_TO_PEER,), strategies=("greedy",)
    )
    return [*ours, *theirs, *broadcast]
