"""How the reasons of refused events begin, so that readers can tell whose decision it was and what would change it."""

DANGEROUS = "dangerous: "
EXCLUDED = "excluded by "
OUT_OF_SCOPE = "the scope of the crawl excludes its URL"
ROBOTS = "robots.txt asks crawlers not to open it"
NO_PAGE = "its URL was only guessed, and there is no page: the server answers with status "
DENIED = "denied: "  # what the first release wrote for all of these
OLD_OTHERS = (DENIED + ROBOTS, DENIED + OUT_OF_SCOPE)


def is_dangerous(reason: str) -> bool:
    """Whether an event was left out because it looked dangerous, and nobody had said to fire it all the same."""
    return reason.startswith((DANGEROUS, DENIED)) and reason not in OLD_OTHERS


def is_forbidden(reason: str) -> bool:
    """Whether the plan keeps an event from being fired, whoever comes to it and by whatever path."""
    return is_dangerous(reason) or reason.startswith(EXCLUDED)


def is_disallowed_by_robots(reason: str) -> bool:
    """Whether a server asked not to open it."""
    return reason.removeprefix(DENIED) == ROBOTS


def danger_of(reason: str) -> str:
    """What the danger was."""
    return reason.removeprefix(DANGEROUS).removeprefix(DENIED)
