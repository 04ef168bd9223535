"""Which roles were answered what."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statecrawl.report.roles.endpoints import AccessVerdict, EndpointAnswer, EndpointKind, RoleRequests, endpoint_rows

ANSWERS = st.builds(EndpointAnswer, status=st.sampled_from([0, 200, 204, 302, 304, 401, 403, 404, 500]))
ASKED = st.builds(
    lambda method, number, answer: RoleRequests(method=method, path=f"/a/{number}", route="/a/{id}", answer=answer),
    st.sampled_from(["GET", "POST"]),
    st.integers(1, 3),
    ANSWERS,
)
ROLES = st.lists(st.none() | st.lists(ASKED, max_size=6), min_size=2, max_size=4)


def asked(path: str, status: int, to: str = "", route: str = "") -> RoleRequests:
    return RoleRequests(method="GET", path=path, route=route or path, answer=EndpointAnswer(status=status, to=to))


def kinds(*roles: list[RoleRequests] | None) -> list[EndpointKind]:
    return [row.kind for row in endpoint_rows(roles)]


@given(ROLES)
def test_nothing_that_was_answered_is_lost_or_made_up(roles: list[list[RoleRequests] | None]) -> None:
    rows = {(row.route, row.method): row for row in endpoint_rows(roles)}
    for role, requests in enumerate(roles):
        for (_, method), row in rows.items():
            told = row.cells[role]
            if requests is None:
                assert told is None
            else:
                known = {
                    200 if each.answer.status == 304 else each.answer.status
                    for each in requests
                    if each.method == method
                }
                assert [answer.status for answer in told or ()] == sorted(known)


@given(ROLES)
def test_what_matters_comes_first_and_who_is_named_first_does_not(roles: list[list[RoleRequests] | None]) -> None:
    rows = endpoint_rows(roles)
    assert [row.kind for row in rows] == sorted(row.kind for row in rows)
    turned = {(row.route, row.method): row for row in endpoint_rows(roles[::-1])}
    for row in rows:
        assert turned[row.route, row.method].cells == row.cells[::-1]
        assert turned[row.route, row.method].kind is row.kind


def test_the_kinds() -> None:
    assert kinds([asked("/a", 200)], [asked("/a", 403)]) == [EndpointKind.REFUSED]
    assert kinds([asked("/a", 200)], []) == [EndpointKind.OTHER]
    assert kinds([asked("/a", 302, "/home")], [asked("/a", 302, "/login")]) == [EndpointKind.OTHER]
    assert kinds([asked("/a", 200)], [asked("/a", 304)]) == [EndpointKind.SAME]
    assert kinds([asked("/a", 403)], [asked("/a", 403)]) == [EndpointKind.SAME]
    assert kinds([asked("/a", 403)], []) == [EndpointKind.OTHER], "nobody has it"
    assert kinds([asked("/a", 200)], None) == [EndpointKind.SAME], "as far as anybody knows"


def test_things_of_each_other() -> None:
    def about(first: int, second: int) -> list[RoleRequests]:
        return [asked("/a/1", first, route="/a/{id}"), asked("/a/2", second, route="/a/{id}")]

    assert kinds(about(200, 403), about(200, 403)) == [EndpointKind.SAME]
    (row,) = endpoint_rows([about(200, 403), about(403, 200)])
    assert row.kind is EndpointKind.REFUSED
    assert row.cells[0] == row.cells[1]
    assert [path.cells for path in row.paths] == [
        ((EndpointAnswer(status=200),), (EndpointAnswer(status=403),)),
        ((EndpointAnswer(status=403),), (EndpointAnswer(status=200),)),
    ]


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        (0, AccessVerdict.SILENT),
        (200, AccessVerdict.REACHED),
        (204, AccessVerdict.REACHED),
        (303, AccessVerdict.SENT),
        (401, AccessVerdict.REFUSED),
        (403, AccessVerdict.REFUSED),
        (404, AccessVerdict.FAILED),
        (500, AccessVerdict.FAILED),
    ],
)
def test_what_an_answer_says(status: int, verdict: AccessVerdict) -> None:
    assert EndpointAnswer(status=status).verdict is verdict
