"""Crawls that saw nothing of the application: the exit code says so, because pipelines may look at nothing else.

The summary of a crawl is printed in any case. Then the command fails if the start page has a problem (an error status,
out of scope, empty, not HTML, a log-in form) and is all that was found: either there is no other state, or no state is
in scope. An error page with links into the application is no failure, because the crawl follows them.
"""

from contextlib import closing

from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.outcome import Outcome
from statecrawl.crawler.scope import scope_of
from statecrawl.errors import SiteUnreachable
from statecrawl.journal.fold import fold
from statecrawl.journal.qualifications import START
from statecrawl.stores.evidence import journal_of
from statecrawl.stores.sqlite_journal import open_reader


def check_not_empty(outcome: Outcome, plan: CrawlPlan) -> None:
    """Raise SiteUnreachable if a crawl saw nothing of the application."""
    problems = [each.text for each in outcome.qualifications if each.kind == START]
    if problems and (outcome.states <= 1 or _is_out_of_scope(plan)):
        raise SiteUnreachable(f"nothing of the application was crawled: {problems[0]}.")


def _is_out_of_scope(plan: CrawlPlan) -> bool:
    """Whether no state of the crawl has a URL in scope."""
    with closing(open_reader(journal_of(plan.out))) as reader:
        crawl = fold(reader.read())
    return not any(map(scope_of(crawl), crawl.urls.values()))
