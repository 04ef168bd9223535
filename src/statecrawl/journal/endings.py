"""Why crawls end by themselves; other reasons are the names of limits, or what somebody said who ended it."""

COMPLETE = "complete"
MAX_DEPTH = "max-depth"  # all is explored but what lies too deep
UNREACHABLE = "unreachable"  # events are left in states to which no reliable way leads any more
