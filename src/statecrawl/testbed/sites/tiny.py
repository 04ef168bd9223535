"""The four states to follow by hand, as a web page of the oldest kind: handlers stand in the attributes."""

from statecrawl.testbed.sites.site import Site


def site() -> Site:
    """Two rooms in a menu, a button that changes nothing, and a room behind a room."""
    return Site(folder="tiny")
