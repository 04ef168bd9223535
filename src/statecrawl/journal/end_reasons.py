"""Reasons why a crawl ends by itself. Other reasons are names of limits, or given by the caller that ended it."""

COMPLETE = "complete"
COMPONENTS = "components"  # every event of every component state was fired
BOUNDED = "bounded"  # likewise, but rows or values without end were cut
MAX_TIME = "max-time"  # the time limit was reached
# Everything is explored except events that lie too deep, or that belong to too many
MAX_DEPTH = "max-depth"
MAX_URLS, MAX_ALIKE = "max-urls", "max-alike"  # URLs, or similar URLs
MAX_STATES_PER_URL = "max-states-per-url"  # states at one URL
UNREACHABLE = "unreachable"  # events are left in states that no reliable path reaches
LIMITS = frozenset({"max-states", "max-events", "max-requests", MAX_TIME})  # named after their options


def stopped_by(reason: str) -> str:
    """Return a clause that says what stopped a crawl before it was complete."""
    return f"--{reason} stopped the crawl" if reason in LIMITS else f"the crawl was ended by {reason}"
