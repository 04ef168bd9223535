"""Regions of real pages: where they are, and what their digests distinguish."""

from collections import Counter

import pytest

from statecrawl.model.regions import Region
from statecrawl.report.crawl.document import read_document
from statecrawl.report.crawl.page_parts import parts_of, with_containers
from tests.browser.stage import Stage


async def regions(stage: Stage, body: str) -> dict[str, list[Region]]:
    """The regions of a page by place."""
    view = await stage.show(body, agent={"regions": True})
    found: dict[str, list[Region]] = {}
    for region in (await view.page.describe(lines=True)).regions:
        found.setdefault(region.place, []).append(region)
    return found


async def test_containers_are_regions_and_controls_belong_to_them(stage: Stage) -> None:
    found = await regions(
        stage,
        "<nav><a href='#a'>a</a></nav><main><h1 id=title>t</h1><div id=box><button onclick='1'>b</button></div></main>",
    )
    assert set(found) == {"", "nav", "main", "#box"}
    assert [len(found[place][0].events) for place in ("nav", "main", "#box")] == [1, 0, 1]


async def test_equal_siblings_with_controls_share_a_place(stage: Stage) -> None:
    card = "<div class=card><p>text</p><button onclick='1'>go</button></div>"
    found = await regions(stage, f"<main>{card * 3}</main>")
    assert len(found["main>div.card"]) == 3


async def test_rows_have_no_ids_in_their_places(stage: Stage) -> None:
    rows = "".join(f"<li id=row{number}>text {number}</li>" for number in "abc")
    found = await regions(stage, f"<ul id=list>{rows}</ul>")
    assert len(found["#list>li"]) == 3
    assert len({region.shape for region in found["#list>li"]}) == 1
    assert len({region.content for region in found["#list>li"]}) == 3


async def test_each_of_several_fields_is_a_region(stage: Stage) -> None:
    found = await regions(
        stage, "<form><input name=a><select id=b><option>1</option></select><button>go</button></form>"
    )
    assert {"form>:a", "form>:b"} <= set(found)
    assert len(found["form"][0].events) == 1  # the button


async def test_a_field_alone_belongs_to_what_is_around_it(stage: Stage) -> None:
    found = await regions(stage, "<form><input name=a><button>go</button></form><ul><li><input><input></li></ul>")
    assert not [place for place in found if ":" in place and not place.startswith("html")]


async def test_classes_of_the_page_are_regions(stage: Stage) -> None:
    found = await regions(stage, "<p>text</p><script>document.body.className = 'dark open'</script>")
    assert {"html[.dark]", "html[.open]"} <= set(found)


async def test_what_hangs_below_the_page_is_a_region(stage: Stage) -> None:
    found = await regions(stage, "<main><button>a</button></main><div class=veil></div>")
    assert "div.veil" in found


async def test_hidden_and_covered_parts_are_divided_as_before(stage: Stage) -> None:
    card = "<div class=card><p>text</p><button onclick='1'>go</button></div>"
    shown = await regions(stage, f"<div id=pane>{card * 2}</div>")
    hidden = await regions(stage, f"<div id=pane style='display: none'>{card * 2}</div>")
    covered = await regions(
        stage, f"<div id=pane>{card * 2}</div><dialog id=d>d</dialog><script>d.showModal()</script>"
    )
    for found in (hidden, covered):
        assert [region.content for region in found["#pane>div.card"]] == [
            region.content for region in shown["#pane>div.card"]
        ]


@pytest.mark.parametrize("state", ["aria-expanded=false", "aria-describedby=tip"])
async def test_what_is_off_or_refers_to_a_tooltip_makes_no_difference(stage: Stage, state: str) -> None:
    plain, same = [(await regions(stage, f"<nav {state}>n</nav>"))["nav"][0] for state in ("", state)]
    assert plain.content == same.content


async def test_a_look_is_without_texts_and_with_conditions(stage: Stage) -> None:
    plain, other, done = (await regions(stage, "<ul><li>one</li><li>another</li><li class=done>one</li></ul>"))["ul>li"]
    assert plain.look == other.look != done.look
    assert plain.shape == other.shape == done.shape


async def test_a_shape_does_not_count(stage: Stage) -> None:
    few = (await regions(stage, "<section><p>1</p><p>2</p></section>"))["section"][0]
    many = (await regions(stage, "<section><p>1</p><p>2</p><p>3</p></section>"))["section"][0]
    assert few.shape == many.shape
    assert few.content != many.content


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<p class='a'>x</p>", "<p class='a is-focused ng-dirty'>x</p>"),
        ("<p>x</p>", "<p tabindex=-1 data-focus-visible=1>x</p>"),
        ("<p data-id=':r1:'>x</p>", "<p data-id=':r2:'>x</p>"),
        ("<p data-id='h4VJJc0='>x</p>", "<p data-id='ZTBo/+8='>x</p>"),
        ("<p>x</p>", "<p aria-hidden=true inert>x</p>"),
    ],
)
async def test_marks_of_focus_and_generated_identifiers_do_not_count(stage: Stage, one: str, other: str) -> None:
    first = (await regions(stage, f"<section>{one}</section>"))["section"][0]
    second = (await regions(stage, f"<section>{other}</section>"))["section"][0]
    assert first.content == second.content


async def test_random_ids_make_no_places_of_their_own(stage: Stage) -> None:
    panel = "<ul><li><button id='{}'>a</button></li></ul><div id='{}' role=tabpanel>text</div>"
    first, second = [
        await regions(stage, panel.format(*ids)) for ids in (("BRwAUBU=", "tTIyJoY="), ("7HFgmo8=", "PU/BX+o="))
    ]
    assert first == second
    assert "div[tabpanel]" in first


async def test_a_modal_dialog_takes_events_away_and_changes_nothing_else(stage: Stage) -> None:
    page = "<section><button onclick='1'>b</button></section><dialog id=d><button onclick='1'>x</button></dialog>"
    closed = await regions(stage, page)
    opened = await regions(stage, f"{page}<script>document.querySelector('dialog').showModal()</script>")
    assert (len(closed["section"][0].events), len(opened["section"][0].events)) == (1, 0)
    assert closed["section"][0].content == opened["section"][0].content
    assert len(opened["#d"][0].events) == 1


async def test_what_is_inside_of_an_element_belongs_to_its_innermost_region(stage: Stage) -> None:
    outer = (await regions(stage, "<section>a<form>one</form></section>"))["section"][0]
    changed = (await regions(stage, "<section>a<form>two</form></section>"))["section"][0]
    assert outer == changed


async def test_regions_are_only_read_when_they_are_wanted(stage: Stage) -> None:
    view = await stage.show("<nav>n</nav>", agent={"regions": False})
    assert (await view.page.describe(lines=True)).regions == ()


async def test_places_are_short_whatever_the_page_says(stage: Stage) -> None:
    """They are recorded with every state."""
    name = "long-name-" * 19
    nested = f"<section class='{name}'>" * 100 + "<button onclick='1'>b</button>" + "</section>" * 100
    found = await regions(stage, nested + f"<div role='{'r' * 50_000}'><button onclick='1'>c</button></div>")
    assert max(map(len, found)) <= 1_000
    assert sum(len(region.events) for places in found.values() for region in places) == 2


async def test_regions_have_boxes_for_pictures_of_them(stage: Stage) -> None:
    body = (
        "<style>body { margin: 0 } nav, #host { position: absolute; left: 10px; top: 20px; width: 300px; height: 40px }"
        "</style><div id=host></div><nav>n</nav><iframe srcdoc='<form>f</form>'></iframe>"
        "<script>host.attachShadow({ mode: 'open' }).innerHTML = '<p>shadow</p>'</script>"
    )
    view = await stage.show(body, agent={"regions": True, "boxes": True})
    snapshot = await view.page.describe(lines=True)
    boxes = dict(zip((region.place for region in snapshot.regions), snapshot.boxes, strict=True))
    assert boxes["nav"] == boxes["#host"] == (10, 20, 300, 40)
    assert boxes[""][:2] == (0, 0)
    assert boxes[""][2] > 300
    assert boxes["iframe>form"] == (0, 0, 0, 0)  # where it is in the page is not known


async def test_nobody_measures_regions_without_pictures(stage: Stage) -> None:
    view = await stage.show("<nav>n</nav>", agent={"regions": True, "boxes": False})
    snapshot = await view.page.describe(lines=True)
    assert snapshot.regions
    assert snapshot.boxes == ()


async def test_the_report_finds_the_same_regions_in_the_normal_form(stage: Stage) -> None:
    """By their places alone; see `report.crawl.page_parts`."""
    card = "<div class='card wide'><p>text</p><button onclick='1'>go</button></div>"
    body = (
        f"<header>h</header><main id=m><ul class=list><li>a<ul><li>b</li></ul></li><li>c</li></ul>{card * 2}</main>"
        f"<section id=ui-id-7>{card * 2}</section><div role=tabpanel>p</div><div role=tabpanel>q</div>"
        "<svg class=one></svg><svg class=one><a onclick='1'>x</a></svg><x-chart></x-chart>"
        "<x-chart><button>b</button></x-chart>"
        "<table><tr><td>1</td></tr><tr><td><form>f</form></td></tr></table><iframe srcdoc='<nav>n</nav>'></iframe>"
        "<p><input name=q><select><option>1</option></select></p><div role=alert class=note>n</div>"
        "<div class=veil></div><div id=host></div><script>document.body.className = 'dark';"
        "host.attachShadow({ mode: 'open' }).innerHTML = '<nav>shadow</nav>'</script>"
    )
    view = await stage.show(body, agent={"regions": True})
    snapshot = await view.page.describe(lines=True)
    places = Counter(region.place for region in snapshot.regions if region.place and "html[" not in region.place)
    found = parts_of(read_document(snapshot.normal), with_containers(places))
    assert sorted(found) == sorted((place, ordinal) for place, count in places.items() for ordinal in range(count))
    assert len(found) > 20


async def test_a_state_has_one_id_with_and_without_its_lines(stage: Stage) -> None:
    """Although controls behind a dialog are looked at only for the lines."""
    view = await stage.show(
        "<div id=app><dialog id=d><span style='cursor: pointer'>close</span></dialog></div>"
        "<script>app.addEventListener('click', () => {}); d.showModal()</script>",
        agent={"regions": True},
    )
    plain, detailed = await view.page.describe(lines=False), await view.page.describe(lines=True)
    assert plain.state == detailed.state
    assert plain.events == detailed.events


async def test_buttons_are_no_fields(stage: Stage) -> None:
    found = await regions(stage, "<form><input name=q><input type=submit value=go></form>")
    assert found["form"][0].events
    assert not [place for place in found if ":" in place]


async def test_what_opens_by_a_double_click_divides_the_page(stage: Stage) -> None:
    files = "<div class=file ondblclick='1'><b>name</b></div>" * 3
    found = await regions(stage, f"<main><p>files</p><div>{files}</div></main>")
    assert len(found["main>div.file"]) == 3


async def test_a_page_with_many_classes_keeps_its_parts(stage: Stage) -> None:
    names = "Array.from({ length: 90 }, (_, i) => 'c' + 'x'.repeat(i)).join(' ')"
    script = f"<script>document.body.className = {names}</script>"
    found = await regions(stage, f"<nav><a href='#a'>a</a></nav>{'<div></div>' * 1500}{script}")
    assert len(found["nav"][0].events) == 1
    assert sum(map(len, found.values())) < 100
