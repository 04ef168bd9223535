"""Screens are told apart by what a person sees of the structure, as a real Chromium renders it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bench.applications.screens import paths, seen_in, template
from bench.applications.servers import served
from tests.bench.own_application import install

BEGINNING = "<html><head><link rel=stylesheet href=style.css></head><body>"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:1/", "/?#"),
        ("http://127.0.0.1:1/item/12/edit", "/item/*/edit?#"),
        ("http://127.0.0.1:1/item/3f2b8c1e-77aa", "/item/*?#"),
        ("http://127.0.0.1:1/list?page=2&order=name", "/list?order&page#"),
        ("http://127.0.0.1:1/app#/users/7?tab=1", "/app?#/users/*"),
        ("http://127.0.0.1:1/app#!/users", "/app?#!/users"),
        ("http://127.0.0.1:1/app#section-2", "/app?#"),
    ],
)
def test_the_template_of_a_url(url: str, expected: str) -> None:
    assert template(url) == expected


def test_places_add_up_where_screens_multiply() -> None:
    assert paths("") == set()
    assert paths("h1,main(form(button,input:text),ul(li))") == {
        *("h1", "main", "main > form", "main > form > button", "main > form > input:text"),
        *("main > ul", "main > ul > li"),
    }
    combinations = ("a,b", "a(x),b", "a,b(y)", "a(x),b(y)")
    assert set.union(*map(paths, combinations)) == {"a", "b", "a > x", "b > y"}


@contextmanager
def styled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An application with a style sheet that hides some of its elements."""
    application = install(folder, "", monkeypatch)
    next(folder.glob("npm/*/node_modules/own")).joinpath("style.css").write_text(".off { display: none }")
    with served(application) as url:
        yield url


def count(url: str, *bodies: str) -> int:
    return len(asyncio.run(seen_in((url, f"{BEGINNING}{body}") for body in bodies)).screens)


@pytest.mark.browser
def test_texts_values_and_more_of_the_same_make_no_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with styled(tmp_path, monkeypatch) as url:
        one = "<ul><li><input type=checkbox>a</li></ul>"
        assert count(url, one, one.replace(">a<", ">b<"), one.replace("checkbox", "checkbox checked")) == 1
        assert count(url, one, "<ul><li><input type=checkbox>a</li><li><input type=checkbox>b</li></ul>") == 1
        assert count(url, one, f"<div><div>{one}</div></div>") == 1, "wrappers are no structure"


@pytest.mark.browser
def test_what_can_be_seen_makes_a_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with styled(tmp_path, monkeypatch) as url:
        assert (
            count(url, "<h1>a</h1>", "<h1>a</h1><button>b</button>", "<h1>a</h1><form><button>b</button></form>") == 3
        )
        dialog = "<h1>a</h1><div role=dialog {}><button>b</button></div>"
        hidden = ["hidden", "class=off", "style='visibility: hidden'", "style='height: 0; overflow: hidden'"]
        assert count(url, "<h1>a</h1>", *(dialog.format(how) for how in hidden)) == 1, "by a style sheet, too"
        assert count(url, "<h1>a</h1>", dialog.format("")) == 2
        assert count(url, "<h1>a</h1>", "<h1>a</h1><script>document.write('<button>b</button>')</script>") == 1


@pytest.mark.browser
def test_the_same_structure_at_another_url_is_another_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with styled(tmp_path, monkeypatch) as url:
        places = [f"{url}a", f"{url}b", f"{url}c/1", f"{url}c/2"]
        seen = asyncio.run(seen_in((place, f"{BEGINNING}<h1>x</h1>") for place in places))
        assert (len(seen.screens), len(seen.places)) == (3, 3)
