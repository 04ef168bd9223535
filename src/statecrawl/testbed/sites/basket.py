"""The shopping basket; see `statecrawl.testbed.basket`."""

from statecrawl.testbed.sites.site import Site


def site() -> Site:
    """Everything happens in the page."""
    return Site(folder="basket")
