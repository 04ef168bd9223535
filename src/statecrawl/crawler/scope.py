"""What belonged to an application, by what the journal of its crawl says."""

from collections.abc import Callable

from statecrawl.config.plan import Scope, check_address
from statecrawl.errors import BadInput
from statecrawl.journal.fold import FoldedCrawl


def scope_of(crawl: FoldedCrawl) -> Callable[[str], bool]:
    """Says of an address whether it belongs to the application."""
    told = crawl.started.configuration if crawl.started else {}
    home = crawl.started.application if crawl.started else ""
    if "://" not in home:  # the name of one that is bundled
        home = next(iter(crawl.urls.values()), "")
    try:
        check_address("", home)
        scope = Scope(allow=_texts(told.get("allow")), deny=_texts(told.get("deny")), prefix=str(told.get("scope", "")))
    except BadInput:
        return lambda _: False
    return lambda address: scope.holds(home, address)


def keeps_secrets(crawl: FoldedCrawl) -> bool:
    """Whether secrets are in what a crawl has written, because somebody wanted that."""
    return bool(crawl.started and crawl.started.configuration.get("keep-secrets"))


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()
