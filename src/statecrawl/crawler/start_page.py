"""Checks of the start page: what is wrong with it qualifies the outcome of the crawl."""

from collections.abc import Iterator

from statecrawl.config.plan import CrawlPlan
from statecrawl.journal.qualifications import START
from statecrawl.ports.page import DOCUMENT, Landing, Note, Snapshot, lines_of
from statecrawl.privacy.redaction import BLANK
from statecrawl.urls.tags import asks_for_password

LEAST_ERROR = 400  # the first status of HTTP that reports an error
SILENT = {"script", "style", "title", "noscript", "template"}  # elements whose text is invisible
SEEN = {"img", "svg", "canvas", "video", "audio", "iframe", "frame", "object", "embed", "picture", "math"}
ASKS_WHO = "the start page asks for a password: what lies behind it is crawled with --login"
EMPTY = "the start page is empty: it shows no text, no picture and no control"


def landing_notes(plan: CrawlPlan, landing: Landing) -> Iterator[Note]:
    """Yield a note for each problem of the page that the first URL has led to."""
    if landing.status >= LEAST_ERROR:
        yield Note(START, f"the start page answers with status {landing.status}")
    if landing.blocked_url or not plan.scope.contains(plan.url, landing.url):
        to = BLANK.text(landing.blocked_url or landing.url)
        yield Note(START, f"the start page leads to {to}, which is out of scope")
    for note in landing.notes:
        if note.kind == DOCUMENT:
            yield Note(START, f"the start page is not HTML but {note.what}")


def snapshot_notes(plan: CrawlPlan, snapshot: Snapshot) -> Iterator[Note]:
    """Yield a note for each problem of the first state."""
    if is_empty(snapshot):
        yield Note(START, EMPTY)
    access = plan.access
    known = plan.resetting.logs_in or access.headers or access.basic is not None or access.certificate is not None
    if not known and asks_for_password(snapshot.html):
        yield Note(START, ASKS_WHO)


def is_empty(snapshot: Snapshot) -> bool:
    """Whether a page shows nothing and has no events."""
    if snapshot.events:
        return False
    tags = [""]
    for _, what, value, *_ in lines_of(snapshot.normal):
        if what == "<":
            if value in SEEN:
                return False
            tags.append(str(value))
        elif what == ">":
            tags.pop()
        elif what == '"' and tags and tags[-1] not in SILENT and str(value).strip():
            return False
    return True
