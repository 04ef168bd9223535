"""The page of the matrix: whatever pages said is text on it."""

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.journal.facts import StateFound
from statecrawl.journal.qualifications import Qualification
from statecrawl.report.difference.difference import difference_of
from statecrawl.report.difference.state_match import match
from statecrawl.report.roles.endpoints import EndpointAnswer, RoleRequests
from statecrawl.report.roles.matrix import matrix_of
from statecrawl.report.roles.page import ReportLinks, roles_page
from tests.report.roles.test_matrix import ONE, OTHER, matrix
from tests.report.roles.test_states import side


class Elements(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.texts: list[str] = []
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def links() -> ReportLinks:
    between = difference_of(match(ONE.side, OTHER.side), lambda *_: ())
    return ReportLinks(
        reports=("admin/report/index.html", None),
        picture=lambda role, state: f"{role}/{state}.jpg" if role == 0 else None,
        differences=(("diff.html", "admin → clerk", between),),
    )


def test_what_is_on_it() -> None:
    page = Elements(roles_page(matrix(ONE, OTHER), links()))
    text = " ".join(" ".join(page.texts).split())
    assert "1 endpoint and 2 states are not the same for all roles." in text
    assert "Refused to some 1 GET /users 200 403 refused" in text
    assert "Not reached by all 1 Users click “More”" in text
    assert "◐ state 0, 50 % similar" in text
    assert "admin → clerk 1 removed, 1 changed" in text
    assert {"admin/report/index.html#/state/2", "0/a2.jpg", "diff.html"} <= set(page.links)
    assert text.index("Refused to some") < text.index("The same for all")


def test_roles_that_reach_the_same() -> None:
    text = "".join(Elements(roles_page(matrix(ONE, ONE), links())).texts)
    assert "All roles reach the same." in text


@given(st.text(max_size=30))
def test_nothing_that_a_page_says_becomes_markup(text: str) -> None:
    known = Elements(roles_page(matrix(ONE, OTHER), links())).tags
    said = f"<script>{text}</script><img src=x onerror='{text}'>\"'{text}"
    ours = side(StateFound(state="a0", events=(said,), url=f"javascript:{said}", title=said))
    asked = [RoleRequests(method=said, path=said, route=said, answer=EndpointAnswer(status=302, to=said))]
    asked += [RoleRequests(method=said, path=f"{said}/2", route=said, answer=EndpointAnswer(status=200))]
    one = type(ONE)(
        name=said,
        application=said,
        side=ours,
        asked=asked,
        is_explored=False,
        qualifications=(Qualification(kind="error", count=1, text=said, examples=(said,)),),
        settings={},
        rules=frozenset(),
    )
    page = Elements(roles_page(matrix_of([one, OTHER], {(0, 1): match(ours, OTHER.side)}), links()))
    assert page.tags <= known | {"details", "summary"}
    assert {link.partition(":")[0] for link in page.links if ":" in link} <= {"data"}
