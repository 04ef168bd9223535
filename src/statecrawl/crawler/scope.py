"""Scope of a finished crawl, from the settings in its journal."""

from collections.abc import Callable

from statecrawl.config.plan import Scope, check_url
from statecrawl.errors import BadInput
from statecrawl.journal.fold import FoldedCrawl


def scope_of(crawl: FoldedCrawl) -> Callable[[str], bool]:
    """Return a function that tells whether a URL belongs to the application."""
    settings = crawl.started.configuration if crawl.started else {}
    home = crawl.started.application if crawl.started else ""
    if "://" not in home:  # the name of a bundled application
        home = next(iter(crawl.urls.values()), "")
    try:
        check_url("", home)
        scope = Scope(
            allow=_texts(settings.get("allow")),
            deny=_texts(settings.get("deny")),
            prefix=str(settings.get("scope", "")),
        )
    except BadInput:
        return lambda _: False
    return lambda url: scope.contains(home, url)


def keeps_secrets(crawl: FoldedCrawl) -> bool:
    """Whether a crawl has stored secrets, because the user wanted that."""
    return bool(crawl.started and crawl.started.configuration.get("keep-secrets"))


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()
