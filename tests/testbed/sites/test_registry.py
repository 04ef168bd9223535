"""Every site by its name."""

import re

import pytest

from statecrawl.errors import BadInput, UnknownName
from statecrawl.testbed.catalogue import ENTRIES
from statecrawl.testbed.sites.registry import SITES, site_named
from statecrawl.testbed.sites.server import STATIC
from tests.testbed.sites.asking import asked

MODELS_ONLY = {"synthetic"}  # too large to be looked at
SMALL = {
    "hypercube": "hypercube:3",
    "widgets": "widgets:2,3",
    "linked": "linked:2,3",
    "menusite": "menusite:2,1",
    "pager": "pager:3",
}
ASKED_FOR = re.compile(r'<(?:script|link)\b[^>]*(?:src|href)="([^":]+)"')
FOREIGN = re.compile(r"""(?:src|href|action)=["']?(?:https?:)?//|import .*https?://|fetch\(["'`]https?://""")


def test_every_model_has_a_site() -> None:
    assert set(ENTRIES) - set(SITES) == MODELS_ONLY


@pytest.mark.parametrize("name", SITES)
def test_a_site_begins_with_a_page(name: str) -> None:
    (page,) = asked(site_named(SMALL.get(name, name)), "/")
    assert page.status == 200
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert page.text.lower().startswith("<!doctype html>")


@pytest.mark.parametrize("name", SITES)
def test_what_a_page_asks_for_is_there(name: str) -> None:
    site = site_named(SMALL.get(name, name))
    (page,) = asked(site, "/")
    wanted = [f"/{path.lstrip('/')}" for path in ASKED_FOR.findall(page.text)]
    answers = asked(site, *wanted)
    assert [path for path, answer in zip(wanted, answers, strict=True) if answer.status != 200] == []


def test_nothing_is_asked_of_other_machines() -> None:
    written = [path for path in STATIC.rglob("*") if path.suffix in {".html", ".js", ".css"}]
    assert [path for path in written if FOREIGN.search(path.read_text(encoding="utf-8"))] == []


def test_presets_and_numbers_reach_the_site() -> None:
    assert asked(site_named("hypercube:7"), "/board")[0].json == {"buttons": 7}
    assert asked(site_named("widgets: 2, 3"), "/desk")[0].json == {"channels": 2, "levels": 3}
    assert site_named("file-tree:httpd").folder == site_named("file-tree").folder


@pytest.mark.parametrize(
    ("spec", "word"),
    [
        ("hypercube", "it needs one whole number"),
        ("hypercube:17", "between 1 and 16"),
        ("tiny:1", "takes no parameters"),
        ("kinds:1", "takes no parameters, write kinds"),
        ("synthetic:1000", "as a model only"),
    ],
)
def test_what_cannot_be_served(spec: str, word: str) -> None:
    with pytest.raises(BadInput, match=word):
        site_named(spec)


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean hypercube"):
        site_named("hypercub:3")
