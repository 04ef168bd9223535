"""Links: every URL that a page links to is reported, visible or not, wherever the link is."""

import json
from html import unescape

from statecrawl.urls.canonical import canonical
from tests.browser.stage import Stage

SITE = {"agent": {"site": True}}
PAGE = """
<a href=/seen>seen</a> <a href=/hidden style="display: none">hidden</a> <div hidden><a href=/folded>folded</a></div>
<a href=/heard onclick="log('heard')">heard</a> <a href="#here">here</a> <a href="">again</a>
<a href="/#there">there</a>
<my-open></my-open><my-closed></my-closed><iframe src=/inner/page></iframe>
<svg hidden><a href=/drawn><text>drawn</text></a></svg>
<form action=/find><input name=q><button>Find</button></form><button type=button onclick="log('pressed')">Press</button>
<script>
for (const mode of ['open', 'closed']) {
  customElements.define('my-' + mode, class extends HTMLElement {
    constructor() {
      super();
      this.attachShadow({ mode }).innerHTML = `<p style="display: none"><a href="${['/in', mode].join('-')}">x</a></p>`;
    }
  });
}
var target = ['/kept', 'as', 'text'].join('-'), settings = { api: '/in/settings', more: { deep: '/too/deep' } };
Object.defineProperty(window, 'trap', { get() { log('trapped'); return '/trap'; }, enumerable: true });
</script>
"""
INNER = (
    "<!doctype html><title>inner</title><a href=relative>r</a> <a href=#part>p</a> <a href=/page?x=1 target=_top>t</a>"
)


def pathed(base: str, urls: list[str]) -> list[str]:
    return sorted({"/" + url.removeprefix(base) for url in urls if url.startswith(base)})


async def test_links_are_reported_wherever_they_are(stage: Stage) -> None:
    stage.serve("/inner/page", INNER)
    seen = await (await stage.show(PAGE, **SITE)).look()
    base = stage.stand.url
    elsewhere = [
        "/drawn",
        "/folded",
        "/heard",
        "/hidden",
        "/in-closed",
        "/in-open",
        "/inner/relative",
        "/page?x=1",
        "/seen",
    ]
    told = pathed(base, [url for url, _ in seen.addresses])
    assert [path for path in told if path in elsewhere] == elsewhere
    assert not [path for path in told if "#" in path]
    assert {*elsewhere, "/inner/page#part"} <= set(pathed(base, list(seen.links)))
    assert dict(seen.addresses)[f"{base}hidden"].startswith("hidden")


async def test_links_that_are_opened_are_no_events_and_others_come_late(stage: Stage) -> None:
    stage.serve("/inner/page", INNER)
    seen = await (await stage.show(PAGE, **SITE)).look()
    assert sorted(event.split(" in ")[0] for event in seen.events) == [
        *('click a "heard" /heard', 'click a "here" #here', 'click a "p" #part', 'click a "there" /#there'),
        *('click button "Find"', 'click button "Find"', 'click button "Press"'),
    ]
    assert [seen.events[position].split('"')[1] for position in seen.linked] == ["heard", "here", "p"]
    assert [seen.events[position].split('"')[1] for position in seen.submits] == ["Find", "Find"]


async def test_where_a_site_is_crawled_a_listener_around_links_makes_no_events_of_them(stage: Stage) -> None:
    page = """<main style="cursor: pointer"><a href=/a>a</a> <a href=/b>b</a> <b tabindex=0>c</b></main>
    <script>document.querySelector('main').addEventListener('click', () => log('clicked'))</script>"""
    seen = await (await stage.show(page, **SITE)).look()
    assert not [event for event in seen.events if event.startswith("click a")]
    assert [event for event in seen.events if "click b" in event]


async def test_selectors_are_right_where_many_elements_are_alike(stage: Stage) -> None:
    """They are counted once for the whole page, so that thousands of them take no longer than they must."""
    rows = "".join(f"<li><button name=n{number % 400} onclick=log()>x</button><i></i>" for number in range(600))
    view = await stage.show(f"<ul>{rows}</ul><button name=alone onclick=log()>y</button>")
    seen = await view.look()
    assert len(seen.selectors) == len(set(seen.selectors)) == 601
    assert seen.selectors[-1] == "button[name=alone]"
    assert seen.selectors[0].endswith("li:nth-of-type(1) > button:nth-of-type(1)")
    assert seen.selectors[401].endswith("li:nth-of-type(402) > button:nth-of-type(1)")


async def test_texts_in_globals_are_reported_and_no_getter_is_called(stage: Stage) -> None:
    stage.serve("/inner/page", INNER)
    view = await stage.show(PAGE, **SITE)
    assert {"/kept-as-text", "/in/settings"} <= set((await view.look()).strings)
    assert "trapped" not in await view.text()


async def test_without_a_site_links_are_clicked_and_no_global_is_read(stage: Stage) -> None:
    seen = await (await stage.show("<a href=/seen>seen</a><script>var kept = '/kept'</script>")).look()
    assert len(seen.events) == 1
    assert (seen.addresses, seen.strings, seen.linked, seen.submits) == ((), (), (), ())


WRITTEN = (
    *(
        "?2",
        "?",
        "#x",
        "",
        "a;",
        "a//b",
        "//h//x",
        "/\\h\\x",
        "http:y",
        "../..//z",
        "?a\\b",
        "/%7ea/%2e%2E/b",
        "..",
        "./",
    ),
    *("/%%341", "/a b?c d", "?q='|[]{}^`é", "/{}^`|[]é'", "HTTP://HOST:80/x", "https://h:443?x", "http://h./", "/a\tb"),
    "http://münchen.test/",
)


async def test_urls_have_the_form_in_which_the_browser_sends_them(stage: Stage) -> None:
    """What is opened is what a click on the link would have asked for."""
    base = "http://host/d//e;p/f?z=1"
    written = json.dumps(WRITTEN)
    script = f"byId('log').textContent = JSON.stringify({written}.map((each) => new URL(each, '{base}').href))"
    page = await stage.show(f"<script>{script}</script>")
    html = (await page.look()).html
    resolved = json.loads(unescape(html.partition('<pre id="log">')[2].partition("</pre>")[0]))
    ours = {each: canonical(each, base) for each in WRITTEN}
    assert ours == {each: canonical(url) for each, url in zip(WRITTEN, resolved, strict=True)}
