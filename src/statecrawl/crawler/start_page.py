"""The start page: whether it is what somebody wanted to have crawled. What is wrong with it qualifies the crawl."""

from collections.abc import Iterator

from statecrawl.config.plan import CrawlPlan
from statecrawl.journal.qualifications import START
from statecrawl.ports.page import DOCUMENT, Landing, Note, Snapshot, lines_of
from statecrawl.privacy.redaction import BLANK
from statecrawl.urls.tags import asks_for_password

LEAST_ERROR = 400  # the first status of HTTP that reports an error
SILENT = {"script", "style", "title", "noscript", "template"}  # elements whose text nobody sees
SEEN = {"img", "svg", "canvas", "video", "audio", "iframe", "frame", "object", "embed", "picture", "math"}
ASKS_WHO = "the start page asks for a password: what lies behind it is crawled with --login"
EMPTY = "the start page is empty: it shows no text, no picture and no control"


def landing_notes(plan: CrawlPlan, landing: Landing) -> Iterator[Note]:
    """What is wrong with where the application began."""
    if landing.status >= LEAST_ERROR:
        yield Note(START, f"the start page answers with status {landing.status}")
    if landing.blocked_url or not plan.scope.holds(plan.url, landing.url):
        to = BLANK.text(landing.blocked_url or landing.url)
        yield Note(START, f"the start page leads to {to}, which is out of scope")
    for note in landing.notes:
        if note.kind == DOCUMENT:
            yield Note(START, f"the start page is not HTML but {note.what}")


def snapshot_notes(plan: CrawlPlan, snapshot: Snapshot) -> Iterator[Note]:
    """The same, once its first state was described."""
    if is_empty(snapshot):
        yield Note(START, EMPTY)
    access = plan.access
    known = plan.resetting.logs_in or access.headers or access.basic is not None or access.certificate is not None
    if not known and asks_for_password(snapshot.html):
        yield Note(START, ASKS_WHO)


def is_empty(snapshot: Snapshot) -> bool:
    """Whether there is nothing to see on a page, and nothing to do."""
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
