"""What journals record of settings must stay as it was: crawls of earlier releases are resumed by comparing it."""

from statecrawl.config.plan_builder import crawl_plan
from statecrawl.config.recorded_settings import configuration_of, recorded_settings

URL = "http://shop.test/"
PLAIN = {  # as the first release recorded it for a crawl without options
    "identity": 2,
    "equivalence": "content",
    "seed": 0,
    "scope": "",
    "allow": [],
    "deny": [],
    "deny-element": [],
    "events": [],
    "deny-event": [],
    "container-probes": 3,
    "allow-dangerous": False,
    "read-only": False,
    "values": "none",
    "login": False,
    "ignore": [],
    "ignore-attribute": [],
    "ignore-text": [],
    "ignore-hidden": False,
    "trusted-input": False,
    "keep-secrets": False,
    "ignore-robots": False,
    "header": [],
    "basic-auth": False,
    "device": "1280x800",
    "user-agent": "",
    "site": False,
}


def test_a_crawl_without_options() -> None:
    plan = crawl_plan(URL, {})
    assert recorded_settings(plan) == PLAIN
    course = {"strategy": "novelty", "pages": 1, "model": "auto", "exhaustive": False, "confidence": 0.95}
    assert configuration_of(plan) == {**course, **PLAIN}


def test_a_whole_site_by_peers() -> None:
    given = {"site": True, "follow": ["link"], "architecture": "peer-to-peer", "deny": ["/x"], "header": ["X-A: 1"]}
    assert recorded_settings(crawl_plan(URL, given)) == PLAIN | {
        "deny": ["/x"],
        "header": ["X-A"],
        "site": True,
        "follow": ["link"],
        "max-urls": None,
        "max-alike": 20,
        "max-states-per-url": 50,
        "architecture": "peer-to-peer",
        "partition": "rendezvous",
        "partition-by": "event",
        "share": "all",
    }


def test_nodes_that_balance_their_load() -> None:
    given = {"architecture": "dist-ria", "partition": "hash", "balance": "hybrid"}
    assert recorded_settings(crawl_plan(URL, given)) == PLAIN | {
        "architecture": "dist-ria",
        "partition": "hash",
        "partition-by": "event",
        "balance": "hybrid",
    }
