"""The matrix of roles: what it says of each, and what has to be minded."""

import json
from collections.abc import Sequence
from dataclasses import replace

from statecrawl.journal.facts import StateFound, TransitionExplored
from statecrawl.journal.qualifications import Qualification
from statecrawl.report.difference.state_match import match
from statecrawl.report.roles.endpoints import EndpointAnswer, RoleRequests
from statecrawl.report.roles.matrix import Role, RoleMatrix, as_object, matrix_of
from tests.report.roles.test_states import ADMIN, CLERK, GO, side


def asked(path: str, status: int) -> RoleRequests:
    return RoleRequests(method="GET", path=path, route=path, answer=EndpointAnswer(status=status))


ONE = Role(
    name="admin",
    application="http://app.test/",
    side=ADMIN,
    asked=(asked("/", 200), asked("/users", 200)),
    is_explored=True,
    qualifications=(),
    settings={"equivalence": "content", "ignore": [], "strategy": "greedy", "login": True},
    rules=frozenset(),
)
OTHER = replace(
    ONE,
    name="clerk",
    side=CLERK,
    asked=(asked("/", 200), asked("/users", 403)),
    settings={**ONE.settings, "login": False},
)


def matrix(*roles: Role) -> RoleMatrix:
    pairs = [(one, other) for one in range(len(roles)) for other in range(one + 1, len(roles))]
    return matrix_of(roles, {(one, other): match(roles[one].side, roles[other].side) for one, other in pairs})


def remarks(*roles: Role) -> Sequence[str]:
    return matrix(*roles).remarks


def test_figures_of_each_role() -> None:
    admin, clerk = matrix(ONE, OTHER).columns
    assert (admin.states, admin.alone, admin.endpoints, admin.refused) == (3, 1, 2, 0)
    assert (clerk.states, clerk.alone, clerk.endpoints, clerk.refused) == (2, 0, 2, 1)


def test_there_is_nothing_to_mind_where_crawls_fit() -> None:
    assert remarks(ONE, OTHER) == ()


def test_what_has_to_be_minded() -> None:
    limit = Qualification(kind="unfinished", count=3, text="--max-time stopped the crawl with 3 events left")
    error = Qualification(kind="error", count=1, text="the application threw 1 uncaught error")
    clerk = replace(OTHER, qualifications=(limit, error))
    (unfinished,) = remarks(ONE, clerk)
    assert unfinished == (
        "The crawl of clerk is not complete (--max-time stopped the crawl with 3 events left, and 1 other reason):"
        " the role may reach more than is shown here."
    )
    assert [each["complete"] for each in as_object(matrix(ONE, clerk))["roles"]] == [True, False]
    (deaf,) = remarks(ONE, replace(OTHER, asked=None))
    assert deaf.startswith("The traffic of clerk was not stored")
    (settings,) = remarks(ONE, replace(OTHER, settings={**OTHER.settings, "ignore": ["#clock"]}))
    assert settings.startswith("admin was crawled with --ignore none, clerk with #clock")
    (rules,) = remarks(ONE, replace(OTHER, rules=frozenset({("#ad", "text")})))
    assert rules.startswith("admin and clerk learned different rules for dynamic content")
    (elsewhere,) = remarks(ONE, replace(OTHER, application="http://other.test/"))
    assert elsewhere == "admin crawled http://app.test/, but clerk crawled http://other.test/."


def test_a_page_that_shows_who_is_logged_in_everywhere_is_noticed() -> None:
    named = side(
        StateFound(state="c0", events=(GO,), url="http://app.test/", title="Home"),
        StateFound(state="c1", events=(), url="http://app.test/about", title="About"),
        TransitionExplored(state="c0", event=GO, target="c1"),
    )
    (stranger,) = remarks(ONE, replace(OTHER, side=named))
    assert stranger.startswith("admin and clerk have no state in common. If every page shows who is logged in")


def test_the_same_for_machines() -> None:
    told = json.loads(json.dumps(as_object(matrix(ONE, replace(OTHER, asked=None)))))
    assert [each["name"] for each in told["roles"]] == ["admin", "clerk"]
    assert told["states"][0]["reached"]["clerk"] is None
    assert told["states"][0]["reached"]["admin"]["id"] == "a2"
    assert told["states"][0]["kind"] == "some"
    assert told["endpoints"][0] == {
        "method": "GET",
        "path": "/",
        "kind": "same",
        "answers": {"admin": [{"status": 200, "to": ""}], "clerk": None},
        "paths": {},
    }
