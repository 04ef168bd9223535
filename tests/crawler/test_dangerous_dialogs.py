"""Dialogs that name a dangerous action are answered with no, and that is counted."""

import asyncio
import json
import re
from pathlib import Path

import pytest
from aiohttp import web

from statecrawl.config.plan import CrawlPlan, Scope
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.dangerous_dialogs import answered, declining, reason_of, spoken
from statecrawl.crawler.outcome import Outcome
from statecrawl.journal.facts import CrawlEnded, EventAdded, EventRefused
from statecrawl.politeness import lexicon
from statecrawl.politeness.phrases import entries
from statecrawl.ports.page import Note
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_reader
from tests.browser.stage import Stand, document
from tests.crawler.test_lost_refusals import rewrite

ASKS = document(
    "<button id=b onclick=\"if (confirm('Really delete your account?')) fetch('/post', {method: 'POST'})\">"
    "Options</button>"
)
EVENT = "click button#b"
REASON = "dangerous: it deletes data: its dialog says 'delete'"


def is_declined(message: str) -> bool:
    text = spoken(message)
    return any(all(re.search(each, text) for each in group) for group in declining())


def test_every_phrase_of_the_lexicon_is_declined() -> None:
    tables = (*lexicon.STRONG.values(), *lexicon.LEADING.values())
    missed = [phrase for text in tables for phrase in entries(text) if not is_declined(f"... {phrase.upper()}?")]
    assert missed == ["空"]  # stands in too many words


def test_reasons_name_the_danger_and_the_phrase() -> None:
    assert reason_of("Really delete your account?") == REASON
    assert reason_of("Neues Passwort?").startswith("dangerous: it changes a password or another credential: its dialog")
    assert reason_of("...") == "dangerous: its dialog names a dangerous action"


def test_the_expressions_are_small() -> None:
    assert len(json.dumps(declining())) < 40_000  # the agent itself has 300,000 characters


def test_only_the_last_dialogs_are_those_of_the_last_event() -> None:
    before, plain = Note("dialog", ["confirm", "Delete?", False, "declined"]), Note("dialog", ["confirm", "Hm?", True])
    assert answered([before, plain], 1) == (True, [])
    assert answered([plain, Note("dialog", ["alert", "a", True]), before], 1) == (False, ["Delete?"])
    assert answered([plain, before], 2) == (True, ["Delete?"])
    assert answered([], 1) == (True, [])  # a page that tells too much is cut short
    forged: tuple[object, ...] = (5, None, "confirm", {}, [], ["confirm"])
    assert answered([Note("dialog", what) for what in forged], 1) == (True, [])


class Asking(Stand):
    """Counts what is sent when the question is answered with yes."""

    def __init__(self) -> None:
        super().__init__()
        self.posts = 0
        self.routes |= {"/": ASKS, "/post": self._post}

    async def _post(self, _: web.Request) -> web.Response:
        self.posts += 1
        return web.Response(text="")


def crawled(out: Path, *, allow_dangerous: bool = False) -> tuple[Outcome, int]:
    async def run() -> tuple[Outcome, int]:
        stand = Asking()
        await stand.open()
        plan = CrawlPlan(
            url=stand.url,
            out=out,
            name="asking",
            screenshots=False,
            learn_states=0,
            reset_cost=3.0,
            scope=Scope(allow_dangerous=allow_dangerous),
        )
        try:
            return await crawl(plan, lambda _: None, lambda _: None), stand.posts
        finally:
            await stand.close()

    return asyncio.run(run())


def added(out: Path) -> list[EventAdded | EventRefused]:
    return [fact for fact in open_reader(out / JOURNAL_NAME).read() if isinstance(fact, EventAdded | EventRefused)]


@pytest.mark.browser
def test_a_crawl_does_not_agree_to_what_is_dangerous(tmp_path: Path) -> None:
    outcome, posts = crawled(tmp_path)
    assert (posts, outcome.transitions, outcome.unexplored, outcome.complete) == (0, 1, 1, False)
    assert [(type(fact), fact.event) for fact in added(tmp_path)] == [
        (EventAdded, f"{EVENT} (accepted)"),
        (EventRefused, f"{EVENT} (accepted)"),
    ]
    assert list(outcome.refusals) == [REASON]


@pytest.mark.browser
def test_dangerous_dialogs_are_declined_when_the_journal_has_lost_the_refusal(tmp_path: Path) -> None:
    crawled(tmp_path)
    rewrite(tmp_path, lambda facts: [fact for fact in facts if not isinstance(fact, EventRefused | CrawlEnded)])
    outcome, posts = crawled(tmp_path)
    assert (posts, outcome.transitions, outcome.unexplored, outcome.complete) == (0, 1, 1, False)


@pytest.mark.browser
def test_a_crawl_accepts_dangerous_dialogs_if_the_user_allows_it(tmp_path: Path) -> None:
    outcome, posts = crawled(tmp_path, allow_dangerous=True)
    assert (posts, outcome.transitions, outcome.complete) == (1, 2, True)
