"""What the gate adds to a request, and for whom."""

import asyncio

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.browser.browsers import Browsers
from statecrawl.browser.chromium import find_browser
from statecrawl.browser.page import BrowserPage
from statecrawl.browser.request_gate import is_of_application, with_headers
from statecrawl.browser.request_pace import RequestPace
from statecrawl.ports.access import Access
from statecrawl.ports.page import Ending
from tests.browser.stage import ENOUGH, Stage, document, noted

FIRST = "https://shop.test/app/"
OWN = (r"^https://shop\.test(?:[/?#]|$)",)


@pytest.mark.parametrize("url", ["https://shop.test/", "https://SHOP.test:443/api?x", "https://shop.test"])
def test_the_origin_of_the_application_is_its_own(url: str) -> None:
    assert is_of_application(url, FIRST, ())


@pytest.mark.parametrize(
    "url",
    [
        "http://shop.test/",  # anybody between could read it
        "https://shop.test:8443/",
        "https://shop.test.evil.test/",
        "https://evil.test/?https://shop.test/",
        "https://shop.test@evil.test/",
        "data:text/plain,https://shop.test/",
        "https://[half",
        "",
    ],
)
def test_others_are_not(url: str) -> None:
    assert not is_of_application(url, FIRST, OWN)


def test_a_scope_may_name_other_origins_in_full() -> None:
    allow = (r"^https://api\.shop\.test/v1/",)
    assert is_of_application("https://api.shop.test/v1/x", FIRST, allow)
    assert not is_of_application("https://api.shop.test/v2/x", FIRST, allow)


def test_words_somewhere_in_an_address_name_no_origin() -> None:
    assert not is_of_application("https://evil.test/shop", FIRST, ("shop", "https://"))


NAMES = st.sampled_from(["Accept", "accept", "X-A", "x-a", "X-B"])


@given(st.dictionaries(NAMES, st.text()), st.lists(st.tuples(NAMES, st.text())))
def test_ours_win_and_the_rest_stays(present: dict[str, str], ours: list[tuple[str, str]]) -> None:
    sent = [(each["name"], each["value"]) for each in with_headers(present, ours)]
    names = {name.lower() for name, _ in ours}
    assert sent == [pair for pair in present.items() if pair[0].lower() not in names] + ours


NEVER_SECONDS = 60.0  # longer than the test may take
MANY = 20  # requests, each of which would count for three seconds


async def test_requests_of_a_page_that_is_left_leave_the_queue(stage: Stage) -> None:
    """Otherwise the next page waits for each of them as long as a request counts as one under way."""
    stage.serve_late("/never", "", NEVER_SECONDS)
    stage.serve("/next", "<p>next</p>")
    wants = f"for (let i = 0; i < {MANY}; i += 1) new Image().src = '/never?' + i"
    stage.serve("/", f'<button id=b onclick="{wants}">b</button><a id=a href=/next onclick="{wants}">a</a>')
    browsers = Browsers(find_browser(), ENOUGH, pace=RequestPace(concurrent=1))
    page = BrowserPage(browsers, stage.settings(load_seconds=10))
    try:
        for event in ("click button#b", "click a#a", "click button#b"):
            await page.reset()
            assert (await page.walk(None, [(event, None)])).why is Ending.END
        await page.reset()
    finally:
        await page.close()
        await browsers.close()
    assert len([path for path in stage.stand.paths if path.startswith("/never")]) < MANY / 2


LATE_SECONDS = 0.4  # for a request that should not come
RULES = '{"WHAT":[{"source":"list","urls":["@"],"eagerness":"immediate"}]}'
RULE = f"<script type=speculationrules>{RULES}</script>"
LINKED = '{"prefetch":[{"source":"document","where":{"selector_matches":"a"},"eagerness":"immediate"}]}'
AHEAD = (
    RULE.replace("WHAT", "prefetch"),
    RULE.replace("WHAT", "prerender"),
    f"<a href=@>a</a><script type=speculationrules>{LINKED}</script>",
    "<script>navigator.credentials.get({identity: {providers: [{configURL: '@', clientId: '1'}]}})</script>",
)
"""By which a page has the browser itself fetch something, out of the sight of every gate."""
LINKS = (
    "<link rel=prefetch href=@>",
    "<link rel=prefetch as=document href=@>",
    "<iframe srcdoc='<link rel=prefetch href=@>'></iframe>",
    "<script>document.write('<link rel=prefetch crossorigin href=@>')</script>",
)


def asked_elsewhere(stage: Stage) -> list[tuple[str, str]]:
    """What was requested from the server by its other name, which is out of scope."""
    return [
        (asked.method, asked.path)
        for asked in stage.stand.asked
        if asked.headers["Host"].startswith("localhost") and asked.path != "/frame"
    ]


def serve_ways_out(stage: Stage) -> str:
    out = f"{stage.stand.other}out"

    async def found(_: web.Request) -> web.Response:
        raise web.HTTPFound(out)

    async def temporary(_: web.Request) -> web.Response:
        raise web.HTTPTemporaryRedirect(out)

    stage.serve("/found", found)
    stage.serve("/temporary", temporary)
    return out


async def test_nothing_out_of_scope_is_fetched_ahead(stage: Stage) -> None:
    out = f"{stage.stand.other}out"

    async def ruled(_: web.Request) -> web.Response:
        headers = {"Speculation-Rules": '"/rules.json"', "Link": f"<{stage.stand.other}>; rel=preconnect"}
        return web.Response(text="<p>ruled", content_type="text/html", headers=headers)

    async def rules(_: web.Request) -> web.Response:
        text = RULES.replace("WHAT", "prefetch").replace("@", out)
        return web.Response(text=text, content_type="application/speculationrules+json")

    stage.serve("/ruled", ruled)
    stage.serve("/rules.json", rules)
    html = "".join(AHEAD).replace("@", out)
    view = await stage.show_alone(f"{html}<a id=r href=/ruled>r</a>")
    await asyncio.sleep(LATE_SECONDS)
    await view.fire("click a#r")
    await asyncio.sleep(LATE_SECONDS)
    assert "/rules.json" in stage.stand.paths
    assert asked_elsewhere(stage) == []


async def test_what_was_to_be_fetched_ahead_can_be_opened(stage: Stage) -> None:
    stage.serve("/next", "<p>next")
    rule = RULE.replace("WHAT", "prefetch").replace("@", "/next")
    view = await stage.show_alone(f"{rule}<a id=n href=/next>n</a>")
    assert (await view.fire("click a#n")).why is Ending.END
    assert stage.stand.paths.count("/next") == 1


async def test_a_gate_lets_nothing_out_of_scope_be_linked_ahead(stage: Stage) -> None:
    out = f"{stage.stand.other}out"
    for settings in ({"read_only": True}, {"holds": True}):
        view = await stage.show_alone("".join(LINKS).replace("@", out), **settings)
        await asyncio.sleep(LATE_SECONDS)
        assert out in noted(await view.walk(), "boundary") + noted(view.landing, "boundary")
        await view.reset()
        await asyncio.sleep(LATE_SECONDS)
        assert asked_elsewhere(stage) == []


AHEAD_IN_FRAMES = (
    "<iframe src=/inside></iframe>",  # whose markup has the link
    "<div><template shadowrootmode=open><link rel=prefetch href=@></template></div>",
)


@pytest.mark.parametrize("html", AHEAD_IN_FRAMES)
async def test_markup_that_is_no_part_of_the_page_links_nothing_out_of_scope_ahead(stage: Stage, html: str) -> None:
    out = f"{stage.stand.other}out"
    stage.serve("/inside", f"<link rel=prefetch href={out}>")
    view = await stage.show_alone(html.replace("@", out), holds=True)
    for _ in range(2):
        await asyncio.sleep(LATE_SECONDS)
        await view.reset()
    assert asked_elsewhere(stage) == []


DOES = "const l = document.createElement('link'); l.rel = 'prefetch'; l.href = '@'; document.head.append(l)"


async def test_what_a_script_or_a_header_links_ahead_passes_the_gate(stage: Stage) -> None:
    out = f"{stage.stand.other}out"

    async def headed(_: web.Request) -> web.Response:
        return web.Response(text="<p>headed", content_type="text/html", headers={"Link": f"<{out}>; rel=prefetch"})

    stage.serve("/headed", headed)
    does = DOES.replace("@", out)
    written = f'<button id=b onclick="{does}">b</button>'
    quoted = "<button id=b onclick='" + does.replace("'", '"') + "'>b</button>"
    marked_up = f'"<link rel=\\"prefetch\\" href={out}>"'
    script = (
        f"<button id=b>b</button><script>byId('b').onclick = () => {{ byId('log').innerHTML = {marked_up} }}</script>"
    )
    event = ["click button#b"]
    for url, html, events in (("headed", "", []), ("", written, event), ("", quoted, event), ("", script, event)):
        view = await stage.show_alone(html, url=stage.stand.url + url, holds=True)
        await view.reset()
        await view.fire(*events)
        await asyncio.sleep(LATE_SECONDS)
        assert asked_elsewhere(stage) == [], html


async def test_the_first_way_to_another_document_waits_for_the_gate(stage: Stage) -> None:
    out = serve_ways_out(stage)
    stage.serve("/next", "<p>next")
    view = await stage.show_alone("<a id=f href=/found>f</a><a id=n href=/next>n</a>", holds=True)
    walked = await view.walk("click a#f")
    assert walked.held
    assert "/found" not in stage.stand.paths
    await view.reset()
    walked = await view.fire("click a#f")
    assert (walked.held, walked.landed) == (False, view.landing.state)
    assert noted(walked, "boundary") == [out]
    assert (await view.fire("click a#n")).landed != view.landing.state
    assert asked_elsewhere(stage) == []


async def test_a_page_that_may_load_others_is_not_held_whatever_is_said(stage: Stage) -> None:
    """Or a walk might be repeated without end."""
    view = await stage.show_alone("<a id=n href=/next>n</a>", holds=True)
    view.page._held = False
    walked = await view.walk("click a#n")
    assert noted(walked, "held")
    assert not walked.held


async def test_a_start_page_that_goes_elsewhere_by_itself_is_kept_from_it(stage: Stage) -> None:
    out = serve_ways_out(stage)
    view = await stage.show_alone("<p>here<script>location = '/found'</script>", holds=True)
    assert view.landing.blocked_url == out
    assert asked_elsewhere(stage) == []


async def test_a_start_page_with_a_refresh_that_goes_elsewhere_before_it(stage: Stage) -> None:
    """What it was kept from is not forgotten while the refresh is waited for."""

    async def start(_: web.Request) -> web.Response:
        html = document("<p>here<script>location = '/next'</script>")
        return web.Response(text=html, content_type="text/html", headers={"Refresh": "1000; url=/late"})

    stage.serve("/start", start)
    stage.serve("/next", "<p>next")
    page = stage.page(url=f"{stage.stand.url}start", holds=True)
    assert (await page.reset()).url == f"{stage.stand.url}next"


@pytest.mark.parametrize(
    ("event", "way"),
    [
        ("click a#b", "<a id=b href=/found>b</a>"),
        ("click button#b in form", "<form action=/found><button id=b>b</button></form>"),
        ("click button#b", "<button id=b onclick=\"location = '/found'\">b</button>"),
        ("click button#b", "<iframe></iframe><button id=b onclick=\"frames[0].open('/found', '_top')\">b</button>"),
    ],
)
async def test_no_redirect_leads_out_of_scope(stage: Stage, event: str, way: str) -> None:
    out = serve_ways_out(stage)
    view = await stage.show_alone(way)
    walked = await view.fire(event)
    assert (walked.why, walked.landed) == (Ending.END, view.landing.state), "the page stays where it is"
    assert noted(walked, "boundary") == [out]
    assert asked_elsewhere(stage) == []


async def test_a_form_is_not_sent_on_to_another_server(stage: Stage) -> None:
    serve_ways_out(stage)
    access = Access(headers=(("X-Ours", "1"),))
    view = await stage.show_alone("<form action=/temporary method=post><button id=b>b</button></form>", access=access)
    assert (await view.fire("click button#b in form")).why is Ending.END
    assert asked_elsewhere(stage) == []


async def test_a_url_that_is_redirected_out_of_scope_is_no_download(stage: Stage) -> None:
    out = serve_ways_out(stage)
    view = await stage.show_alone("<p>here", read_only=True)
    walked = await view.fire(f"open {stage.stand.url}found")
    assert (noted(walked, "boundary"), noted(walked, "download")) == ([out], [])
    assert asked_elsewhere(stage) == []


FRAME = "<script>onmessage = (e) => { top.location = e.data }</script>"
ELSEWHERE = (
    f"<iframe id=f sandbox='allow-scripts allow-top-navigation' srcdoc='{FRAME}'></iframe>",
    "<iframe id=f src=@frame></iframe>",
)


@pytest.mark.parametrize("frame", ELSEWHERE)
async def test_frames_of_others_do_not_send_the_page_out_of_scope(stage: Stage, frame: str) -> None:
    stage.serve("/frame", FRAME)
    out = f"{stage.stand.other}out"
    does = f"byId('f').contentWindow.postMessage('{out}', '*')"
    html = f'{frame.replace("@", stage.stand.other)}<button id=b onclick="{does}">b</button>'
    view = await stage.show_alone(html, trusted=True)  # a frame of another server may do that after a real click
    await view.fire("click button#b")
    await asyncio.sleep(LATE_SECONDS)
    assert asked_elsewhere(stage) == []


async def test_service_workers_do_not_send_the_page_out_of_scope(stage: Stage) -> None:
    out = f"{stage.stand.other}out"
    stage.serve(
        "/sw.js",
        f"""onactivate = (e) => e.waitUntil(clients.claim());
        onmessage = async (e) => {{ for (const c of await clients.matchAll()) c.navigate('{out}').catch(() => 0); }};
        onfetch = (e) => {{ if (e.request.url.endsWith('/through')) e.respondWith(Response.redirect('{out}')); }};""",
    )
    does = "navigator.serviceWorker.controller.postMessage(1)"
    html = (
        "<script>navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)</script>"
        f'<button id=b onclick="{does}">b</button><a id=a href=/through>a</a>'
    )
    view = await stage.show_alone(html)
    await asyncio.sleep(LATE_SECONDS)
    await view.fire("click a#a")
    await view.fire("click button#b")
    await asyncio.sleep(LATE_SECONDS)
    assert "/through" not in stage.stand.paths, "the worker has answered"
    assert asked_elsewhere(stage) == []
