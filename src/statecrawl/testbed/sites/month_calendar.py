"""The calendar without end; see `statecrawl.testbed.month_calendar`."""

from statecrawl.testbed.sites.site import Site


def site() -> Site:
    """Everything happens in the page."""
    return Site(folder="calendar")
