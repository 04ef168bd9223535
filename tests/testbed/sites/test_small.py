"""The servers of the small sites say what their models say."""

import re
from itertools import pairwise

from statecrawl.testbed import generated
from statecrawl.testbed.application import Application
from statecrawl.testbed.sites import desk, hypercube, linked, menusite, pager, tiny, viol8, widgets
from tests.testbed.sites.asking import asked

LINK = re.compile(r'<a href="([^"]+)">([^<]+)</a>')


def events(app: Application, state: str) -> list[str]:
    truth = app.truth
    return [truth.vocabulary[event].logical for event in truth.events[truth.numbers[state]]]


def test_the_hypercube_has_as_many_buttons_as_the_model_has_events() -> None:
    (board,) = asked(hypercube.site(6), "/board")
    assert board.json["buttons"] == len(generated.hypercube(6).truth.events[0])


def test_the_desk_has_all_settings_but_the_present_ones() -> None:
    (desk,) = asked(widgets.site(3, 4), "/desk")
    assert desk.json["channels"] * (desk.json["levels"] - 1) == len(generated.widgets(3, 4).truth.events[0])


def test_the_linked_widgets_are_as_many_as_in_the_model() -> None:
    (plan,) = asked(linked.site(3, 4), "/plan")
    assert plan.json["widgets"] * (plan.json["values"] - 1) == len(generated.linked(3, 4).truth.events[0])


def test_the_folders_of_the_desk_lead_to_each_other() -> None:
    folders = {name: asked(desk.site(), f"/folders/{name}")[0].json for name in desk.FOLDERS}
    inner = [entry["folder"] for entries in folders.values() for entry in entries if entry["folder"]]
    assert {"root", *inner} == set(folders)
    assert asked(desk.site(), "/folders/attic")[0].status == 404


def test_the_list_goes_on_from_page_to_page_and_ends() -> None:
    pages = [answer.json for answer in asked(pager.site(3), *(f"/rows/{page}" for page in (1, 2, 3)))]
    assert [page["page"] for page in pages] == [1, 2, 3]
    assert {page["pages"] for page in pages} == {len(generated.pager(3).truth)}
    assert all(set(one["rows"]).isdisjoint(other["rows"]) for one, other in pairwise(pages))
    assert [answer.status for answer in asked(pager.site(3), "/rows/0", "/rows/4", "/rows/x", "/rows/-1")] == [404] * 4


def test_the_pages_of_the_menu_are_written_with_their_links_in_the_order_of_the_model() -> None:
    app = generated.menusite(3, 2)
    addresses = {"home": "/"}
    addresses |= {f"page {page}": f"/page/{page}" for page in (1, 2, 3)}
    addresses |= {f"detail {page}.{detail}": f"/page/{page}/detail/{detail}" for page in (1, 2, 3) for detail in (1, 2)}
    assert set(addresses) == set(app.truth.numbers)
    answers = asked(menusite.site(3, 2), *addresses.values())
    for state, page in zip(addresses, answers, strict=True):
        named = [
            f"menu {text[5:]}" if text.startswith("Page ") else f"open {text[7:]}"
            for _, text in LINK.findall(page.text)
        ]
        assert named == [event for event in events(app, state) if event != "x"]
        assert page.text.count("<button") == 1
        assert {address for address, _ in LINK.findall(page.text)} <= set(addresses.values())
    assert len({answer.text for answer in answers}) == len(app.truth)


def test_the_menu_has_no_other_pages() -> None:
    wanted = ("/page/0", "/page/4", "/page/x", "/page/1/detail/3", "/page/4/detail/1", "/page/1/detail/")
    assert [answer.status for answer in asked(menusite.site(3, 2), *wanted)] == [404] * len(wanted)


def test_those_without_a_server_of_their_own_are_files_only() -> None:
    assert tiny.site().routes == viol8.site().routes == ()
    (script,) = asked(viol8.site(), "/app.js")
    assert script.headers["Content-Type"] == "text/javascript; charset=utf-8"
