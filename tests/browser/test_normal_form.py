"""Normal forms under further rules: computed from what was stored, they give the id that the page itself gives."""

from statecrawl.browser.dynamic_content import Rule
from statecrawl.browser.normal_form import reduced
from tests.browser.stage import Stage
from tests.crawler.crawl_folder import Line, element, joined, text

PAGE = """<title>t</title><h1 class="b a" style="color:red">Tea  &amp; <b>cake</b></h1>
<ul id=list><li>one</li><li title=x>two</li></ul><p class=clock>12:00</p><p class=clock>12:01</p>
<form><input name=q value=v><input type=checkbox checked><select><option>1<option selected>2</select>
<textarea>long</textarea><button>send \U0001f600</button></form>
<div id=card onclick=log(1)><i>inside</i></div><a href=/x>words</a><x-y></x-y><iframe srcdoc="<p>framed</p>"></iframe>
<iframe src="data:text/html,foreign"></iframe><p hidden>hidden</p><u style="color:red;margin:1px 2px 3px">u</u>
<script>
document.querySelector('x-y').attachShadow({ mode: 'open' }).innerHTML = '<s>shadow</s><em>deep</em>';</script>"""
RULES: tuple[Rule, ...] = (
    ("#list/li", "text"),
    ("#list/li", "@title"),
    ("/html/body/p.clock", "node"),
    ("/html/body/form/input", "@value"),
    ("/html/body/form/input", "@checked"),
    ("/html/body/form/select/option", "@selected"),
    ("/html/body/x-y/~/em", "text"),
    ("/html/body/iframe/~/html/body/p", "text"),
    ("#card/i", "text"),
    ("/html/body/h1.b", ".a"),
    ("", ".clock"),
)


async def test_the_id_comes_out_of_the_form(stage: Stage) -> None:
    view = await stage.show(PAGE)
    seen = await view.look()
    assert await view.page.rehash([("", seen.normal), ("", "")]) != [seen.state] * 2
    assert (await view.page.rehash([("", seen.normal), ("", "")]))[0] == seen.state


async def test_the_form_under_rules_gives_the_id_under_rules(stage: Stage) -> None:
    plain = await (await stage.show(PAGE)).look()
    for rules in (*((rule,) for rule in RULES), RULES):
        view = await stage.show(PAGE, agent={"rules": rules})
        left = reduced(plain.normal, rules)
        assert left is not None
        seen = await view.look()
        assert seen.state != plain.state, rules
        assert left == seen.normal, rules
        assert await view.page.rehash([("", left)]) == [seen.state]


async def test_where_a_page_is_belongs_to_a_state_of_a_site(stage: Stage) -> None:
    view = await stage.show("<p>x</p>", agent={"site": True})
    seen = await view.look()
    assert await view.page.rehash([(f"{seen.url}#part", seen.normal)]) == [seen.state]
    assert await view.page.rehash([(f"{seen.url}other", seen.normal)]) != [seen.state]


async def test_a_folder_and_its_index_are_one_place(stage: Stage) -> None:
    view = await stage.show("<p>x</p>", agent={"site": True})
    seen = await view.look()
    folder, index, query, other = await view.page.rehash(
        [
            (f"{seen.url.partition('?')[0]}docs/{name}", seen.normal)
            for name in ("", "index.html#a", "index.html?a", "my-index.html")
        ]
    )
    assert folder == index
    assert len({folder, query, other}) == 3


def form(*parts: list[Line]) -> str:
    return joined(element("/html", "html", *(line for part in parts for line in part)))


def test_a_rule_that_changes_the_name_of_an_event_has_no_form() -> None:
    inner = element("/html/a/i", "i", text("/html/a/i", "12:00"))
    worded = form(element("/html/a", "a", *inner, event='click a "now 12:00"', title="t"))
    named = form(element("/html/a", "a", *inner, event="click a#now", title="t"))
    for rule in (("/html/a/i", "text"), ("/html/a/i", "node"), ("/html/a", "text"), ("/html/a", "@title")):
        assert reduced(worded, {rule}) is None, rule
        assert reduced(named, {rule}) is not None
    assert reduced(named, {("/html/a", "@id")}) is None
    assert reduced(named, {("", "@id=row-*")}) is None
    assert reduced(worded, {("/html/a", "@class"), ("/html/p", "text")}) == worded


def test_an_event_of_the_whole_page_may_be_named_after_what_is_left_out() -> None:
    dragged = form(element("/html/b", "b", text("/html/b", "x"))) + joined([("", "!", 'drag b "x" to b "y"')])
    assert reduced(dragged, {("/html/b", "text")}) is None
    assert reduced(dragged, {("/html/c", "text")}) == dragged


def test_what_is_no_normal_form_has_none() -> None:
    assert reduced(joined([("/html", ">", "")] * 3), set()) is None
