"""Reasons why a crawl ends by itself. Other reasons are names of limits, or given by the caller that ended it."""

COMPLETE = "complete"
MAX_TIME = "max-time"  # the time limit was reached
# Everything is explored except events that lie too deep, or that belong to too many
MAX_DEPTH = "max-depth"
MAX_URLS, MAX_ALIKE = "max-urls", "max-alike"  # URLs, or similar URLs
MAX_STATES_PER_URL = "max-states-per-url"  # states at one URL
UNREACHABLE = "unreachable"  # events are left in states that no reliable path reaches
