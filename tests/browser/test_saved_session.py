"""Logging in: once, as long as the session lasts, also where nothing else may be sent."""

import pytest
from aiohttp import web

from statecrawl.browser.saved_session import SavedSession, SavedSessions, cookie_settings
from statecrawl.errors import SiteUnreachable
from statecrawl.ports.page import Ending
from tests.browser.stage import Stage, View, document, noted

FORM = "<form action=/enter method=post><input name=user><input name=word type=password><button>enter</button></form>"
STEPS = (
    {"verb": "fill", "selector": "[name=user]", "value": "ann"},
    {"verb": "fill", "selector": "[name=word]", "value": "secret"},
    {"verb": "click", "selector": "button"},
)


def serve_account(stage: Stage) -> None:
    """A site that shows a form to strangers and an account to those who know the word."""

    async def home(request: web.Request) -> web.Response:
        inside = request.cookies.get("in") == "yes"
        html = (
            "<p id=account>account</p><a id=out href=/leave>leave</a>"
            "<button id=b onclick='fetch(`/note`, {method: `POST`})'>b</button>"
            if inside
            else FORM
        )
        return web.Response(text=document(html), content_type="text/html")

    async def enter(request: web.Request) -> web.Response:
        told = await request.post()
        response = web.HTTPFound("/")
        if (told["user"], told["word"]) == ("ann", "secret"):
            response.set_cookie("in", "yes", httponly=True)
        raise response

    async def leave(_: web.Request) -> web.Response:
        response = web.HTTPFound("/")
        response.del_cookie("in")
        raise response

    stage.serve("/", home)
    stage.serve("/enter", enter)
    stage.serve("/leave", leave)


async def test_a_reset_keeps_who_is_logged_in(stage: Stage) -> None:
    serve_account(stage)
    page = stage.page(login=STEPS, agent={"session": "#account"})
    first = await page.reset()
    assert "account" in (await page.describe()).html
    for _ in range(3):
        assert (await page.reset()).state == first.state
    assert stage.stand.paths.count("/enter") == 1


async def test_pages_that_share_a_session_log_in_once(stage: Stage) -> None:
    serve_account(stage)
    logins = SavedSessions()
    pages = [stage.page(login=STEPS, logins=logins) for _ in range(2)]
    landings = [await page.reset() for page in pages]
    assert landings[0].state == landings[1].state
    assert stage.stand.paths.count("/enter") == logins.count == 1


async def test_logging_in_where_nothing_may_be_changed(stage: Stage) -> None:
    serve_account(stage)
    page = stage.page(login=STEPS, agent={"session": "#account"}, read_only=True)
    view = View(page, await page.reset())
    await view.reset()
    await view.walk("click button#b")
    assert [asked.path for asked in stage.stand.asked if asked.method == "POST"] == ["/enter"]


# Where an application may keep who is logged in, and how to find it there.
PLACES = {
    "local storage": ("localStorage.token = '1'", "localStorage.token"),
    "session storage": ("sessionStorage.token = '1'", "sessionStorage.token"),
    "cookie of a script": ("document.cookie = 'token=1'", "document.cookie"),
    "nowhere": ("window.token = '1'", "window.token"),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("session", ["", "#account"])
async def test_where_an_application_keeps_who_is_logged_in(stage: Stage, place: str, session: str) -> None:
    """The log-in is made by a script; if nothing keeps it, every reset logs in."""
    put, get = PLACES[place]
    stage.serve_late("/enter", "", 0)
    page = stage.page(login=STEPS, agent={"session": session})
    stage.serve(
        "/",
        f"""<main></main><script>
        const show = () => {{
          document.querySelector('main').innerHTML = {get} ? '<p id=account>account</p>'
            : '<input name=user><input name=word type=password><button>enter</button>';
          const button = document.querySelector('button');
          if (button) button.onclick = async () => {{ await fetch('/enter', {{ method: 'POST' }}); {put}; show(); }};
        }};
        show();
        </script>""",
    )
    first = await page.reset()
    assert '<p id="account">' in (await page.describe()).html
    assert (await page.reset()).state == first.state
    log_ins = 3 if place == "nowhere" else 1  # to see that it is not kept, to begin, and after the reset
    assert stage.stand.paths.count("/enter") == log_ins


async def test_who_is_not_logged_in_any_more_logs_in_again(stage: Stage) -> None:
    valid = serve_expiring(stage)
    for session in ("#account", ""):
        page = stage.page(login=STEPS, agent={"session": session})
        first = await page.reset()
        before = stage.stand.paths.count("/enter")
        valid.clear()
        assert (await page.reset()).state == first.state
        assert stage.stand.paths.count("/enter") == before + 1


@pytest.mark.parametrize("session", ["#account", ""])
async def test_a_session_that_expires_during_a_walk_is_restored(stage: Stage, session: str) -> None:
    valid = serve_expiring(stage)
    page = stage.page(login=STEPS, agent={"session": session})
    view = View(page, await page.reset())
    valid.clear()
    walked = await view.walk("click a#again")
    assert (walked.why, walked.logged_out) == (Ending.STRAYED, True)
    assert (await view.reset()).state == view.landing.state
    assert (await view.walk("click a#again")).why is Ending.END


async def test_an_event_that_leads_to_the_form_leads_there(stage: Stage) -> None:
    """Without a selector it looks like an expired session, until it happens again."""
    serve_expiring(stage)
    page = stage.page(login=STEPS)
    view = View(page, await page.reset())
    assert (await view.walk("click a#out")).logged_out
    await view.reset()
    walked = await view.walk("click a#out")
    assert (walked.why, walked.logged_out) == (Ending.END, False)


async def test_what_the_server_keeps_in_a_session_is_left_behind(stage: Stage) -> None:
    """A counter in the session: a reset that shows another number logs in again."""
    serve_expiring(stage, counts=True)
    page = stage.page(login=STEPS)
    view = View(page, await page.reset())
    await view.fire("click a#again")
    assert (await view.reset()).state == view.landing.state
    assert view.page.settings.logins.count == 2


def serve_expiring(stage: Stage, *, counts: bool = False) -> dict[str, int]:
    """A site with sessions that a test can end; the first page after the log-in shows a greeting."""
    valid: dict[str, int] = {}

    async def home(request: web.Request) -> web.Response:
        token = request.cookies.get("token", "")
        if token not in valid:
            raise web.HTTPFound("/form")
        valid[token] += 1
        visits = f"<p>{valid[token]}</p>" if counts else "<p>welcome</p>" * (valid[token] == 1)
        html = f"<p id=account>account</p>{visits}<a id=again href=/>again</a><a id=out href=/leave>leave</a>"
        return web.Response(text=document(html), content_type="text/html")

    async def enter(_: web.Request) -> web.Response:
        token = f"t{len(stage.stand.asked)}"
        valid[token] = 0
        response = web.HTTPFound("/")
        response.set_cookie("token", token, httponly=True)
        raise response

    async def leave(request: web.Request) -> web.Response:
        valid.pop(request.cookies.get("token", ""), None)
        raise web.HTTPFound("/form")

    stage.serve("/", home)
    stage.serve("/form", FORM)
    stage.serve("/enter", enter)
    stage.serve("/leave", leave)
    return valid


@pytest.mark.parametrize(
    "step",
    [
        {"goto": ""},
        {"verb": "submit", "selector": "form"},
        {"verb": "press", "selector": "[name=word]", "value": "Enter"},
    ],
)
async def test_other_steps_of_a_log_in(stage: Stage, step: dict[str, str]) -> None:
    serve_account(stage)
    steps = ({"goto": stage.stand.url}, *STEPS) if "goto" in step else (*STEPS[:2], step)
    page = stage.page(login=steps, agent={"session": "#account"})
    await page.reset()
    assert "account" in (await page.describe()).html


async def test_a_log_in_that_fails_says_why(stage: Stage) -> None:
    serve_account(stage)
    page = stage.page(login=(*STEPS[:1], STEPS[2]), agent={"session": "#account"})
    with pytest.raises(SiteUnreachable, match=r"not logged in.*#account"):
        await page.reset()
    page = stage.page(login=({"verb": "click", "selector": "#none"},))
    with pytest.raises(SiteUnreachable, match="there is no element '#none' to click"):
        await page.reset()


def serve_apart(stage: Stage, *, after: str = "/app/") -> None:
    """An application whose log-in is elsewhere on its server."""

    async def app(request: web.Request) -> web.Response:
        if request.cookies.get("in") != "yes":
            raise web.HTTPFound("/login")
        html = "<p id=account>account</p><a id=out href=/other>other</a>"
        return web.Response(text=document(html), content_type="text/html")

    async def enter(request: web.Request) -> web.Response:
        response = web.HTTPFound(after)
        if (await request.post())["word"] == "secret":
            response.set_cookie("in", "yes", httponly=True)
        raise response

    stage.serve("/app/", app)
    stage.serve("/login", FORM)
    stage.serve("/enter", enter)
    stage.serve("/home", "<p id=account>home</p>")
    stage.serve("/other", "<p>other</p>")


@pytest.mark.parametrize("after", ["/app/", "/home"])
@pytest.mark.parametrize("session", ["#account", ""])
@pytest.mark.parametrize("more", [(), ({"verb": "click", "selector": "#account"},)])
async def test_a_log_in_out_of_scope(stage: Stage, after: str, session: str, more: tuple[dict[str, str], ...]) -> None:
    """It is sent once, and the crawl keeps to its scope afterwards."""
    serve_apart(stage, after=after)
    start = f"{stage.stand.url}app/"
    page = stage.page(url=start, login=(*STEPS, *more), agent={"session": session, "allow": (f"^{start}",)})
    view = View(page, await page.reset())
    for _ in range(2):
        assert view.landing.url == start
        assert noted(await view.walk("click a#out"), "boundary") == [f"{stage.stand.url}other"]
        await view.reset()
    assert stage.stand.paths.count("/enter") == 1
    assert "/other" not in stage.stand.paths


async def test_an_application_that_keeps_no_session_keeps_to_its_scope(stage: Stage) -> None:
    """After a log-in out of scope that is repeated at every reset."""
    stage.serve("/app/", "<a id=in href=/login>log in</a>")
    shown = "<p id=account>account</p><a id=out href=/other>other</a>"

    async def enter(request: web.Request) -> web.Response:
        html = shown if request.method == "POST" else ""
        return web.Response(text=document(html), content_type="text/html")

    stage.serve("/app/enter", enter)
    stage.serve("/login", FORM.replace("/enter", "/app/enter"))
    start = f"{stage.stand.url}app/"
    steps = ({"verb": "click", "selector": "#in"}, *STEPS)
    page = stage.page(url=start, login=steps, agent={"session": "#account", "allow": (f"^{start}",)})
    view = View(page, await page.reset())
    for _ in range(2):
        assert noted(await view.walk("click a#out"), "boundary") == [f"{stage.stand.url}other"]
        await view.reset()
    assert [asked.method for asked in stage.stand.asked if asked.path == "/app/enter"].count("POST") == 4
    assert "/other" not in stage.stand.paths


async def test_a_log_in_out_of_scope_that_fails_says_why(stage: Stage) -> None:
    serve_apart(stage)
    start = f"{stage.stand.url}app/"
    wrong = (STEPS[0], {**STEPS[1], "value": "wrong"}, STEPS[2])
    page = stage.page(url=start, login=wrong, agent={"session": "#account", "allow": (f"^{start}",)})
    with pytest.raises(SiteUnreachable, match="check user name, password"):
        await page.reset()
    assert stage.stand.paths.count("/enter") == 1


async def test_a_session_that_is_lost_strays(stage: Stage) -> None:
    serve_account(stage)
    page = stage.page(login=STEPS, agent={"session": "#account"})
    view = View(page, await page.reset())
    walked = await view.walk("click a#out")
    assert (walked.why, walked.landed) == (Ending.STRAYED, None)
    assert walked.reason == "it led to a page without '#account': the user seems to be logged out"
    assert (await view.reset()).state == view.landing.state


@pytest.mark.parametrize(("status", "says_so"), [(200, True), (401, True), (403, True), (404, False), (500, False)])
async def test_an_error_page_says_nothing_about_the_session(stage: Stage, status: int, says_so: bool) -> None:
    async def leave(_: web.Request) -> web.Response:
        html = document("<button id=more onclick='log(1)'>more</button>")
        return web.Response(text=html, status=status, content_type="text/html")

    serve_account(stage)
    stage.serve("/leave", leave)
    page = stage.page(login=STEPS, agent={"session": "#account"})
    view = View(page, await page.reset())
    walked = await view.walk("click a#out")
    assert (walked.why, walked.logged_out) == (Ending.STRAYED if says_so else Ending.END, says_so)
    if not says_so:
        assert (await page.walk(walked.landed, [("click button#more", None)])).why is Ending.END


async def test_a_saved_session_is_there_after_every_reset(stage: Stage) -> None:
    async def home(request: web.Request) -> web.Response:
        html = f"<p>{request.cookies.get('in', 'stranger')}</p><script>log(localStorage.token || 'none')</script>"
        html += "<button id=b onclick='localStorage.clear(); document.cookie = \"in=used\"'>b</button>"
        return web.Response(text=document(html), content_type="text/html")

    stage.serve("/", home)
    origin = stage.stand.url.rstrip("/")
    cookie = {"name": "in", "value": "ann", "domain": "127.0.0.1", "path": "/", "httpOnly": False}
    page = stage.page(cookies=(cookie,), storage=((origin, "token", "t1"), ("http://other.example", "token", "t2")))
    view = View(page, await page.reset())
    for _ in range(2):
        assert "<p>ann</p>" in (await view.look()).html
        assert await view.text() == "t1"
        await view.fire("click button#b")
        await view.reset()


async def test_a_saved_session_leads_to_where_the_page_goes_with_it(stage: Stage) -> None:
    """Although the page may load no other document at first."""
    stage.serve("/", "<p>welcome</p><script>if (localStorage.token) location.replace('/app')</script>")
    stage.serve("/app", "<p>inside</p>")
    page = stage.page(storage=((stage.stand.url.rstrip("/"), "token", "t1"),), holds=True)
    for _ in range(2):
        assert (await page.reset()).url == f"{stage.stand.url}app"


def test_cookies_are_put_back_as_they_were() -> None:
    told = {"name": "a", "value": "b", "path": "/x", "size": 2, "httpOnly": True, "secure": True, "sameParty": False}
    host, domain = {**told, "domain": "app.test", "session": True, "expires": -1}, {**told, "domain": ".app.test"}
    kept = {"name": "a", "value": "b", "path": "/x", "httpOnly": True, "secure": True}
    assert cookie_settings([host, {**domain, "session": False, "expires": 99.5}]) == (
        {**kept, "url": "https://app.test/x"},
        {**kept, "domain": ".app.test", "expires": 99.5},
    )


def test_when_a_session_has_ended() -> None:
    def saved(url: str, *, shows_form: bool = False) -> SavedSession:
        return SavedSession(url=url, cookies=(), storage=(), form_url="http://a/login?next=1", shows_form=shows_form)

    inside = saved("http://a/home")
    assert not inside.is_ended("http://a/home", 200, form=False)
    assert inside.is_ended("http://a/home", 401, form=False)
    assert inside.is_ended("http://a/home", 200, form=True)
    assert inside.is_ended("http://a/login", 200, form=False)
    assert not saved("http://a/login", shows_form=True).is_ended("http://a/login", 200, form=True)
