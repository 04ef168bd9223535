"""Why crawls end by themselves; other reasons are the names of limits, or what somebody said who ended it."""

COMPLETE = "complete"
MAX_TIME = "max-time"  # the time was over
MAX_DEPTH = "max-depth"  # all is explored but what lies too deep
MAX_URLS, MAX_ALIKE = "max-urls", "max-alike"  # or addresses of which there are too many, or too many that are alike
MAX_STATES_PER_URL = "max-states-per-url"  # or states of which there are too many at one address
UNREACHABLE = "unreachable"  # events are left in states to which no reliable way leads any more
