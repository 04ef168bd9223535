"""Documents are counted as they are, and kept when they may be another screen."""

from bench.applications.documents import Documents

URL = "http://127.0.0.1:1/"


def seen(*pages: tuple[str, str]) -> Documents:
    documents = Documents()
    for url, html in pages:
        documents.add(url, html)
    return documents


def test_equal_documents_count_once() -> None:
    assert len(seen((URL, "<p>a</p>"), (URL, "<p>a</p>"))) == 1
    assert len(seen((URL, "<p>a</p>"), (URL, "<p>b</p>"), (f"{URL}x", "<p>a</p>"))) == 3


def test_texts_and_numbers_need_not_be_rendered_twice() -> None:
    documents = seen((URL, '<p id="p1">a</p>'), (URL, '<p id="p2">b</p>'))
    assert list(documents.kept()) == [(URL, '<p id="p1">a</p>')]
    documents = seen((URL, '<p style="left: 0.5px; top: 0px"></p>'), (URL, '<p style="left: 12.75px; top: 0px"></p>'))
    assert len(list(documents.kept())) == 1


def test_whatever_may_hide_something_is_rendered() -> None:
    pages = ['<p class="m-1"></p>', '<p class="m-2"></p>', '<p style="height: 0px"></p>', '<p style="height: 9px"></p>']
    pages += ["<h1>a</h1>", "<h2>a</h2>", '<p style="left: -9px"></p>', '<p style="left: 9px"></p>']
    assert [html for _, html in seen(*((URL, html) for html in pages)).kept()] == pages
    assert len(list(seen((URL, "<p>a</p>"), (f"{URL}x", "<p>a</p>")).kept())) == 2
