"""Reasons of refused events: their prefixes tell readers which rule refused the event and what would change that."""

import re

DANGEROUS = "dangerous: "
EXCLUDED = "excluded by "
OUT_OF_SCOPE = "the scope of the crawl excludes its URL"
ROBOTS = "robots.txt asks crawlers not to open it"
FIRST_PAGE_CHANGED = "the first page is not what it was"  # also the prefix of longer reasons; journals contain it
NO_PAGE = "its URL was only guessed, and there is no page: the server answers with status "
DENIED = "denied: "  # prefix of all of these in the first release
_TRIED = re.compile(r" in \d+ states?$")  # how often an event was tried before it was refused
OLD_NOT_DANGEROUS = (DENIED + ROBOTS, DENIED + OUT_OF_SCOPE)


def is_dangerous(reason: str) -> bool:
    """Whether an event was refused because it looks dangerous and the user has not allowed it."""
    return reason.startswith((DANGEROUS, DENIED)) and reason not in OLD_NOT_DANGEROUS


def is_forbidden(reason: str) -> bool:
    """Whether the plan forbids an event in every state and on every path."""
    return is_dangerous(reason) or reason.startswith(EXCLUDED)


def is_disallowed_by_robots(reason: str) -> bool:
    """Whether an event was refused because of robots.txt."""
    return reason.removeprefix(DENIED) == ROBOTS


def common_reason(reason: str) -> str:
    """Return a reason without what differs from event to event, such as in how many states it was tried."""
    return _TRIED.sub("", reason)


def reason_without_prefix(reason: str) -> str:
    """Describe the danger without the prefix of the reason."""
    return reason.removeprefix(DANGEROUS).removeprefix(DENIED)
