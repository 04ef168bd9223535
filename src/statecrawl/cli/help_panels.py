"""Under which heading of its help an option of a crawl stands: headings and options that are used most come first.

What is in no panel is shown before all of them: the options of the run itself.
"""

RUN = ("out", "live", "live-at", "config", "quiet", "json")
PANELS = {
    "Where nodes join": ("host", "port", "token", "tls-cert", "tls-key"),
    "What to crawl": (
        "scope", "allow", "deny", "deny-element", "events", "deny-event", "container-probes", "read-only",
        "allow-dangerous", "values", "site", "follow",
    ),
    "Log in and access": ("login", "basic-auth", "header", "proxy", "insecure", "client-cert", "client-key"),
    "Limits": (
        "max-time", "max-states", "max-events", "max-depth", "max-requests", "max-urls", "max-alike",
        "max-states-per-url",
    ),
    "Strategy": ("strategy", "pages", "reset-cost", "seed"),
    "What makes a state": ("equivalence", "ignore", "ignore-attribute", "ignore-text", "ignore-hidden", "learn"),
    "Browser, events and resets": (
        "device", "browser", "trusted-input", "horizon", "event-timeout", "load-timeout", "reset-url", "reset-command",
    ),
    "Politeness": ("delay", "max-concurrent", "ignore-robots", "user-agent"),
    "What is kept": ("keep-secrets", "no-screenshots", "no-traffic", "no-report", "coverage"),
    "Pipelines": ("fail-on", "baseline", "metrics"),
    "Several nodes": (
        "nodes", "engine", "unsafe-persistence", "architecture", "partition", "partition-by", "balance", "share",
        "share-every", "share-interval",
    ),
}  # fmt: skip
_PLACES = {name: (panel, place) for panel, names in PANELS.items() for place, name in enumerate(names)}
_HEADINGS = [None, *PANELS]


def panel_of(option: str) -> str | None:
    """Where an option stands, by the name of its flag; None for one of the run."""
    return _PLACES[option][0] if option in _PLACES else None


def rank(option: str) -> tuple[int, int]:
    """Options in the order of this come in that of the help."""
    panel, place = _PLACES.get(option, (None, RUN.index(option) if option in RUN else len(RUN)))
    return _HEADINGS.index(panel), place
