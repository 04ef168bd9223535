"""Trials without faults: every architecture and setting with several nodes must end with the true model.

No node fails and no message is lost, so the crawl must end without heartbeats: the pace of the papers has none.
"""

from collections.abc import Iterator
from functools import cache

from statecrawl.config.fleet import BALANCES
from statecrawl.coordination.shared_facts import SharingExtent
from statecrawl.lab.paces import CLIENT_SERVER, DIST_RIA, PACES, PEER_TO_PEER
from statecrawl.lab.scale_run import cluster_of
from statecrawl.ports.scale_run import ScaleSetting
from statecrawl.simulation.faults import judge
from statecrawl.testbed.application import Application
from statecrawl.testbed.catalogue import application

APP = "test-ria"
NODES = 5
MOST_SECONDS = 600.0  # virtual; the longest of these crawls takes less than ten


def settings() -> Iterator[ScaleSetting]:
    """Yield every architecture, balance and sharing mode, at every pace."""
    for pace in PACES:
        yield ScaleSetting(app=APP, architecture=CLIENT_SERVER, nodes=NODES, pace=pace)
        for balance in BALANCES:
            yield ScaleSetting(app=APP, architecture=DIST_RIA, nodes=NODES, pace=pace, balance=balance)
        for share in SharingExtent:
            yield ScaleSetting(app=APP, architecture=PEER_TO_PEER, nodes=NODES, pace=pace, share=share)


def name_of(setting: ScaleSetting) -> str:
    """Return a name that distinguishes a setting from the others."""
    kind = {DIST_RIA: setting.balance, PEER_TO_PEER: setting.share}.get(setting.architecture, "")
    return f"{setting.architecture} {kind} at the pace {setting.pace}".replace("  ", " ")


def calm_trial(setting: ScaleSetting) -> tuple[str | None, float]:
    """Run a trial. Return what is wrong with its end, None if nothing is, and its duration in virtual seconds."""
    cluster = cluster_of(_application(setting.app), setting)
    model = cluster.run(lambda: cluster.kernel.now > MOST_SECONDS)
    return judge(cluster, model), cluster.kernel.now


@cache
def _application(name: str) -> Application:
    return application(name)
