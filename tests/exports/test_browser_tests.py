"""Exported tests run as they are: they pass while the application is what it was, and fail when it is not."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.exports.browser_tests import tests as written
from statecrawl.exports.crawled import Crawled
from statecrawl.journal.facts import Fact, StateFound, TransitionExplored
from statecrawl.model.redaction import MARKER
from tests.cli.command import statecrawl
from tests.cli.deaths import Served, crawling
from tests.exports.made_up import AWAY, HOME, crawled

PAGES = 4  # of a list; each is a state


def made(events: Mapping[str, str], **about: Any) -> Crawled:
    """Two states; these events, by their names, with the selectors of their elements, lead from the first away."""
    facts: list[Fact] = [
        StateFound(state=HOME, events=tuple(events), url="http://host/", title="Home"),
        StateFound(state=AWAY, events=(), url="http://host/away", title="Away"),
        *(TransitionExplored(state=HOME, event=event, target=AWAY) for event in events),
    ]
    home = {"url": "http://host/", "title": "Home", "events": [*events], "selectors": [*events.values()], "normal": ""}
    kept = {HOME: home, AWAY: {**home, "url": "http://host/away", "events": [], "selectors": [], **about}}
    return replace(crawled(facts=facts), about=lambda state: kept[state])


def source(of: Crawled) -> str:
    return b"".join(written(of)).decode("ascii")


@pytest.mark.parametrize(
    ("event", "selector", "line"),
    [
        ('click a "x"', "#x", "walk.fire('click', '#x')"),
        ('click a "x" (dismissed)', "#x", "walk.fire('click', '#x', agrees=False)"),
        ("input input[city] = Rome", "#x", "walk.fire('input', '#x', 'Rome')"),
        ("back", "", "walk.fire('back', 'html')"),
        ("submit form", "#x", "pytest.skip('the way needs submit form')"),
        ("input input[pin] = …1", "#x", "pytest.skip('the way needs input input[pin] = \\u20261')"),
        ("click li in a frame", "", "pytest.skip('the way needs click li in a frame')"),
    ],
)
def test_what_an_event_becomes(event: str, selector: str, line: str) -> None:
    of = made({event: selector})
    if event.endswith("(dismissed)"):
        known = of.about
        of = replace(of, about=lambda state: {**known(state), "events": ['click a "x"']})
    assert f"    {line}\n" in source(of)


def test_what_was_redacted_is_not_looked_for() -> None:
    secret = f"{MARKER}-0123"
    normal = f'/p\x1f"\x1fhello\x1e/p\x1f"\x1ftoken {secret}\x1e'
    told = source(made({"click a": "#x"}, title=secret, url=f"http://host/?token={secret}", normal=normal))
    assert MARKER not in told
    assert "S1 = {'title': None, 'path': None, 'there': [], 'texts': ['hello'], 'gone': []}" in told


@given(st.text(), st.text(), st.text())
def test_whatever_a_page_says_stays_a_literal(event: str, selector: str, title: str) -> None:
    tree = ast.parse(source(made({f"click {event}": f"#{selector}"}, title=title, normal=f'/\x1f"\x1f{title}\x1e')))
    called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert called <= {"walk.begin", "walk.arrives", "walk.fire", "pytest.skip"}


@pytest.mark.product
def test_they_pass_and_fail_with_the_application(tmp_path: Path) -> None:
    crawl, tests = tmp_path / "crawl", tmp_path / "tests"
    with Served(PAGES, latency=0.0) as pager:
        with crawling(pager.url, crawl) as running:
            running.ended().fine()
        statecrawl("export", crawl, "--format", "pytest", "--out", tests).fine()
        assert outcomes(tests, pager.url) == {"passed": PAGES}
    with Served(PAGES + 1, latency=0.0) as changed:
        assert outcomes(tests, changed.url, "--maxfail", "1") == {"failed": 1}


def outcomes(tests: Path, url: str, *more: str) -> dict[str, int]:
    """How many tests passed, failed and so on, in a Python that knows nothing of us."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests), "--base-url", url, *more]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    ran = subprocess.run(command, cwd=tests, env=environment, capture_output=True, text=True, timeout=90, check=False)
    last = ran.stdout.splitlines()[-1]
    return {what: int(count) for count, what in re.findall(r"(\d+) (\w+)", last.partition(" in ")[0])}
