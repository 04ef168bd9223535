"""Exported tests run as they are: they pass while the application is what it was, and fail when it is not."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.exports.crawl_data import CrawlData
from statecrawl.exports.playwright_tests import tests as written
from statecrawl.journal.facts import Fact, StateFound, TransitionExplored
from statecrawl.journal.fold import fold
from statecrawl.privacy.redaction import MARKER
from tests.cli.command import statecrawl
from tests.cli.deaths import Served, crawling
from tests.cli.serving import serving
from tests.exports.made_up import AWAY, HOME, crawled

PAGES = 4  # of a list; each is a state


GIVEN: dict[str, Any] = {
    "input input[city] = Rome": [["", "Rome"]],
    "select select = 2": [["", "two"]],
    "key Space #x": [["", " "]],
    "drag #x to #y": [["#y", ""]],
    "drag #x to 75 %": [["#y", "0.75"]],
    "drag #x to a shadow": [["", ""]],
    "submit form": [["#q", "test"]],
    "submit form#s": [["", "test"]],
    "click button = ann": [["#name", "ann"]],
    "input input[pin] = …1": [["", None]],
}


def made(events: Mapping[str, str], given: Sequence[Any] = (), **about: Any) -> CrawlData:
    """Two states; these events, by their names, with the selectors of their elements, lead from the first away."""
    facts: list[Fact] = [
        StateFound(state=HOME, events=tuple(events), url="http://host/", title="Home"),
        StateFound(state=AWAY, events=(), url="http://host/away", title="Away"),
        *(TransitionExplored(state=HOME, event=event, target=AWAY) for event in events),
    ]
    home: dict[str, Any] = {"url": "http://host/", "title": "Home", "normal": ""}
    home |= {"events": [*events], "selectors": [*events.values()], "given": [given for _ in events]}
    kept = {HOME: home, AWAY: {**home, "url": "http://host/away", "events": [], "selectors": [], **about}}
    return replace(crawled(facts=facts), about=lambda state: kept[state])


def source(of: CrawlData) -> str:
    return b"".join(written(of)).decode("ascii")


@pytest.mark.parametrize(
    ("event", "selector", "line"),
    [
        ('click a "x"', "#x", "walk.fire('click', '#x')"),
        ('click a "x" (dismissed)', "#x", "walk.fire('click', '#x', agrees=False)"),
        ("input input[city] = Rome", "#x", "walk.fire('input', '#x', 'Rome')"),
        ("select select = 2", "#x", "walk.fire('select', '#x', 'two')"),
        ("key Space #x", "#x", "walk.fire('key', '#x', ' ')"),
        ("drag #x to #y", "#x", "walk.fire('drag', '#x', '#y')"),
        ("drag #x to 75 %", "#x", "walk.fire('drag', '#x', '#y', share=0.75)"),
        ("scroll page", "", "walk.fire('scroll page', 'html')"),
        ("back", "", "walk.fire('back', 'html')"),
        ("open http://host/orders?page=2", "", "walk.fire('open', '/orders?page=2')"),
        ("submit form", "#x", "walk.fire('submit', '#x', fields=[('#q', 'test')])"),
        ("click button = ann", "#x", "walk.fire('click', '#x', fields=[('#name', 'ann')])"),
        ("open http://elsewhere/", "", "which is on another server"),
        (f"open http://host/?token={MARKER}-12345678", "", f"?token={MARKER}', which contains a secret"),
        ("input input[pin] = …1", "#x", "which needs a secret value that was not stored"),
        ("submit form#s", "#x", "with another element that no selector finds"),
        ("drag #x to a shadow", "#x", "with another element that no selector finds"),
        ("click li in a frame", "", "whose element no selector finds"),
        ("click li", f"#{MARKER}", "whose element can be identified only by a secret"),
        ("sing li", "#x", "which a test cannot repeat"),
    ],
)
def test_what_an_event_becomes(event: str, selector: str, line: str) -> None:
    of = made({event: selector}, GIVEN.get(event, ()))
    if event.endswith("(dismissed)"):
        known = of.about
        of = replace(of, about=lambda state: {**known(state), "events": ['click a "x"']})
    assert line in source(of)


def test_what_was_redacted_is_not_looked_for() -> None:
    secret = f"{MARKER}-0123"
    normal = f'/p\x1f"\x1fhello\x1e/p\x1f"\x1ftoken {secret}\x1e'
    told = source(made({"click a": "#x"}, title=secret, url=f"http://host/?token={secret}", normal=normal))
    assert MARKER not in told
    assert "S1 = {'title': None, 'marks': {'\"hello': 1}}" in told


def test_a_state_without_a_path_is_a_skipped_test() -> None:
    last = source(made({})).partition("def test_state_1(walk):")[2]
    assert "pytest.skip(" in last
    assert "walk." not in last


def test_the_url_is_compared_only_at_the_end_of_a_path_that_was_walked() -> None:
    of = made({"click a": "#x"})
    assert "path=" not in source(of), "another walk may have come to the state at another URL"
    home, away = of.found.values()
    walked = [msgspec.structs.replace(home, walk="w"), msgspec.structs.replace(away, walk="w", steps=("click a",))]
    facts: list[Fact] = [*walked, TransitionExplored(state=HOME, event="click a", target=AWAY)]
    told = source(replace(of, crawl=fold(facts)))
    assert "walk.arrives(**S0)\n    walk.fire" in told
    assert told.endswith("walk.ends(**S1, path='/away')\n")


@given(st.text(), st.text(), st.text())
def test_whatever_a_page_says_stays_a_literal(event: str, selector: str, title: str) -> None:
    tree = ast.parse(source(made({f"click {event}": f"#{selector}"}, title=title, normal=f'/\x1f"\x1f{title}\x1e')))
    called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert called <= {"walk.begin", "walk.arrives", "walk.ends", "walk.fire", "pytest.skip"}


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


KINDS = """<!doctype html><title>Kinds</title><link rel=icon href="data:,"><main id=main>
<form id=asks onsubmit="say('asked ' + this.q.value + this.s.value); return false"><input id=q name=q>
<select id=s name=s><option>one<option>two</select></form>
<form onsubmit="say('hello ' + this.who.value); return false"><input id=who name=who><button id=go>Go</button></form>
<input id=key onkeydown="if (event.key === 'Enter') say('pressed')">
<input id=live oninput="say('written ' + this.value)"><select id=choice onchange="say('chose ' + this.value)"><option>a
<option>b</select><p id=twice ondblclick="say('twice')">twice</p>
<p id=menu oncontextmenu="say('menu'); return false">menu</p><input id=blurred onblur="say('blurred')">
<p id=carried draggable=true ondragstart="event.dataTransfer.setData('text/plain', 'x')">carry me</p>
<p id=slot ondragover="event.preventDefault()" ondrop="event.preventDefault(); say('dropped')">a slot</p>
<div id=track style="width: 200px"><div id=knob role=slider style="width: 20px; height: 20px">o</div></div>
<div id=list style="height: 40px; overflow: auto" onscroll="say('scrolled')"><p style="height: 400px">long</p></div>
<input id=file type=file onchange="say('got ' + this.files[0].name)"></main><script>
knob.onmousedown = () => { onmousemove = (e) => { knob.title = e.clientX > 100 ? 'far' : 'near'; };
  onmouseup = () => { onmousemove = onmouseup = null; say('moved ' + knob.title); }; };
const say = (text) => { setTimeout(() => { main.textContent = text; }, 0); };
</script>"""


@pytest.mark.product
@pytest.mark.long  # a dozen sessions of a browser
def test_every_kind_of_event_is_fired_again(tmp_path: Path) -> None:
    async def page(_: web.Request) -> web.StreamResponse:
        return web.Response(text=KINDS, content_type="text/html")

    application = web.Application()
    application.add_routes([web.get("/", page)])
    crawl, tests = tmp_path / "crawl", tmp_path / "tests"
    with serving(application) as port:
        url = f"http://127.0.0.1:{port}"
        quick = ("--learn-states", "0", "--reset-cost", "2", "--no-screenshots", "--no-report", "--quiet")
        statecrawl("crawl", url, "--out", crawl, *quick).fine()
        statecrawl("export", crawl, "--format", "pytest", "--out", tests).fine()
        written = (tests / "test_states.py").read_text()
        fired = set(re.findall(r"walk\.fire\('([a-z]+)'", written))
        assert fired >= {
            "submit",
            "click",
            "key",
            "input",
            "select",
            "dblclick",
            "contextmenu",
            "blur",
            "drag",
            "scroll",
        }
        assert "upload" in fired
        assert outcomes(tests, url, "-n", "2") == {"passed": written.count("def test_")}


HARD = """<!doctype html><title>Hard</title><link rel=icon href="data:,"><style>
#box { position: absolute; opacity: 0 } label { position: relative; display: inline-block; background: #eee }
li button { display: none } li:hover button { display: inline }</style>
<open-one></open-one><closed-one></closed-one><label><input type=checkbox id=box><span>A box under words</span></label>
<ul><li>Over me <button id=shy onclick="say('revealed')">x</button></li></ul><iframe srcdoc="<button id=inner
onclick='parent.say(`framed`)'>in a frame</button>"></iframe>
<a href="#top" onclick="say('linked ' + Math.random())">link</a><p id=said></p><p id=today></p><script>
today.textContent = new Date().toDateString();
window.say = (text) => { said.textContent = text.replace(/[0-9.]+/, ''); };
const define = (name, mode) => customElements.define(name, class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode });
    root.innerHTML = '<div><b>first</b></div><div><button>' + mode + '</button></div>';
    root.querySelector('button').onclick = () => { root.querySelector('b').textContent = 'pressed ' + mode; };
  }
});
define('open-one', 'open'); define('closed-one', 'closed');
</script>"""


@pytest.mark.product
def test_shadows_frames_labels_and_what_a_pointer_reveals(tmp_path: Path) -> None:
    async def page(_: web.Request) -> web.StreamResponse:
        return web.Response(text=HARD, content_type="text/html")

    application = web.Application()
    application.add_routes([web.get("/", page)])
    crawl, tests = tmp_path / "crawl", tmp_path / "tests"
    with serving(application) as port:
        url = f"http://127.0.0.1:{port}"
        quick = (
            "--learn-states",
            "0",
            "--reset-cost",
            "2",
            "--no-screenshots",
            "--no-report",
            "--quiet",
            "--max-states",
            "9",
        )
        statecrawl("crawl", url, "--out", crawl, "--strategy", "breadth-first", *quick).fine()
        statecrawl("export", crawl, "--format", "pytest", "--out", tests).fine()
        written = (tests / "test_states.py").read_text()
        for place in (
            "open-one:nth-of-type(1) /shadow/ :host > div",
            "closed-one:nth-of-type(1) /shadow/ ",
            " /frame/ ",
        ):
            assert place in written
        assert "#box" in written
        assert outcomes(tests, url, "-n", "2") == {"passed": written.count("def test_")}


TIMED = """<!doctype html><title>Timed</title><link rel=icon href="data:,"><button id=b>next</button><p id=said></p>
<script>
let clicks = 0, last = Date.now();
b.animate([{ opacity: 1 }, { opacity: 0.9 }], 1000).playbackRate = 0; // which cannot be ended
b.onclick = () => {
  if (clicks === 4) return;
  const waited = Math.round((Date.now() - last) / 1000);
  last = Date.now();
  clicks += 1;
  setTimeout(() => { said.textContent = clicks + ' after ' + waited + ' s'; }, 9000);
  setTimeout(() => { said.textContent = 'too late'; }, 20000);
};</script>"""


@pytest.mark.product
def test_time_is_that_of_the_crawl_and_a_path_that_goes_on_is_not_walked_again(tmp_path: Path) -> None:
    sessions = 0

    async def page(_: web.Request) -> web.StreamResponse:
        nonlocal sessions
        sessions += 1
        return web.Response(text=TIMED, content_type="text/html")

    application = web.Application()
    application.add_routes([web.get("/", page)])
    crawl, tests = tmp_path / "crawl", tmp_path / "tests"
    with serving(application) as port:
        url = f"http://127.0.0.1:{port}"
        quick = ("--learn-states", "0", "--reset-cost", "2", "--no-screenshots", "--no-report", "--quiet")
        statecrawl("crawl", url, "--out", crawl, *quick).fine()
        statecrawl("export", crawl, "--format", "pytest", "--out", tests).fine()
        sessions = 0
        assert outcomes(tests, url) == {"passed": 5}
        assert sessions == 1


def outcomes(tests: Path, url: str, *more: str) -> dict[str, int]:
    """How many tests passed, failed and so on, in a Python that knows nothing of us."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests), "--base-url", url, *more]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    ran = subprocess.run(command, cwd=tests, env=environment, capture_output=True, text=True, timeout=90, check=False)
    last = ran.stdout.splitlines()[-1]
    return {what: int(count) for count, what in re.findall(r"(\d+) (\w+)", last.partition(" in ")[0])}
