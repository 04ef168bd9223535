"""A crawl fails if its start page has a problem and is all that was found."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from statecrawl.cli.empty_crawl import check_not_empty
from statecrawl.config.plan import CrawlPlan
from statecrawl.crawler.outcome import Outcome
from statecrawl.errors import SiteUnreachable
from statecrawl.journal.facts import CrawlStarted, StateFound
from statecrawl.journal.qualifications import Qualification
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_journal
from tests.cli.test_crawl_words import OUTCOME

MISSING = Qualification(kind="start", count=1, text="the start page answers with status 404")
REFUSED = Qualification(kind="refused", count=1, text="1 event was not fired")


def crawled(folder: Path, *urls: str) -> CrawlPlan:
    """Return the plan of a crawl that found a state at each URL."""
    started = CrawlStarted(application="http://h/", configuration={"scope": "/app/"}, reset_cost=2.0)
    states = [StateFound(state=f"a{number}", events=(), url=url) for number, url in enumerate(urls)]
    with closing(open_journal(folder / JOURNAL_NAME)) as journal:
        journal.append([started, *states])
    return CrawlPlan(url="http://h/", out=folder)


def outcome(states: int, *qualifications: Qualification) -> Outcome:
    return replace(OUTCOME, states=states, complete=False, qualifications=qualifications)


def test_an_error_page_alone_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(SiteUnreachable, match=r"^nothing of the application was crawled: .* status 404\.$"):
        check_not_empty(outcome(1, MISSING), crawled(tmp_path, "http://h/app/"))


def test_an_error_page_that_leads_into_the_application_is_none(tmp_path: Path) -> None:
    check_not_empty(outcome(2, MISSING), crawled(tmp_path, "http://h/", "http://h/app/"))


def test_a_crawl_that_stayed_out_of_scope_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(SiteUnreachable):
        check_not_empty(outcome(2, MISSING), crawled(tmp_path, "http://h/", "http://h/other/"))


def test_a_small_application_is_no_failure(tmp_path: Path) -> None:
    check_not_empty(outcome(1, REFUSED), crawled(tmp_path, "http://h/app/"))
