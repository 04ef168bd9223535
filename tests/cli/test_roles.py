"""`roles` as people run it."""

import json
import shutil
from pathlib import Path

import pytest

from statecrawl.journal.facts import CrawlStarted, Fact, StateFound, TransitionExplored
from statecrawl.testbed.sites.office import LOGIN
from tests.cli.command import Command, Running, statecrawl
from tests.report.folders import snapshot, write_crawl

GO, MORE = 'click a "Go" in nav', 'click a "More" in nav'
PASSWORD = {"OFFICE_PASSWORD": "by-the-book"}
WRONG = [  # what was asked, and what the answer must say
    ("", "name what to crawl and the roles"),
    ("http://app.test/", "name what to crawl and the roles"),
    ("nowhere", "there is no directory nowhere"),
    ("empty", "there is no crawl in empty"),
    ("one/admin", "one/admin is a single crawl: pass two or more"),
    ("one", "there is only one crawl, admin, in one, but at least two are needed"),
    ("one/admin other/admin", "two of these directories are called admin"),
    ("one/admin other/admin/../../third --out login.toml", "login.toml is not a directory"),
    ("one/admin empty", "there is no crawl in empty"),
    ("one/admin other/admin --max-states 3", "--max-states is for new crawls, with --role"),
    ("--role admin=login.toml --role guest", "name what to crawl: a URL"),
    ("http://app.test/ http://other.test/ --role a --role b", "are several: leave out all but one"),
    ("tinny --role a --role b", "did you mean tiny?"),
    ("http://[half/ --role a --role b", "is not the URL of a web application"),
    ("tiny --role a", "a single role cannot be compared"),
    ("tiny --role a --role b --role A", "--role A is given twice"),
    ("tiny --role a= --role b", "--role a= names no file"),
    ("tiny --role ../up --role b", "'../up' is not a valid role name"),
    ("tiny --role . --role b", "'.' is not a valid role name"),
    ("tiny --role =x --role b", "'' is not a valid role name"),
    ("tiny --role a/b --role b", "'a/b' is not a valid role name"),
    ("tiny --role a --role b=missing.toml", "cannot read missing.toml"),
    ("tiny --role a --role b=steps.toml", "needs the environment variable NO_SUCH_PASSWORD"),
    ("tiny --role a --role b --login login.toml", "each role has its own login"),
    ("tiny --role a --role b --config config.toml", "each role has its own login"),
    ("tiny --role a --role b --nodes 99", "--nodes must be between 1 and 64"),
    ("tiny --role a --role b --out one/admin", "one/admin contains a single crawl"),
    ("tiny --role a --role b --out full", "full contains other files but no crawls"),
    ("tiny --role a --role b --out login.toml", "login.toml is not a directory"),
    ("tiny --role admin --role b --out one", "one/admin holds a crawl with application http://app.test/"),
]


def crawl(folder: Path, *titles: str, at: float = 1.0, title: str = "", **settings: str) -> Path:
    """A crawl of a start page, and one page for each title."""
    facts: list[Fact] = [
        CrawlStarted(application="http://app.test/", configuration=settings, reset_cost=1.0, at=at),
        StateFound(state=f"aa{len(titles)}", events=(GO, MORE)[: len(titles)], url="http://app.test/", title="Home"),
    ]
    shown = [snapshot(f"aa{len(titles)}", (GO, MORE)[: len(titles)], title or "Home")]
    for number, name in enumerate(titles):
        facts.append(StateFound(state=f"bb{number}", events=(), url="http://app.test/x", title=name))
        facts.append(TransitionExplored(state=f"aa{len(titles)}", event=(GO, MORE)[number], target=f"bb{number}"))
        shown.append(snapshot(f"bb{number}", (), name))
    write_crawl(folder, facts, shown)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two crawls called admin, and what is none."""
    crawl(tmp_path / "one" / "admin", "About")
    crawl(tmp_path / "other" / "admin", "About")
    crawl(tmp_path / "third", "About")
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "index.html").write_text("mine")
    (tmp_path / "login.toml").write_text(LOGIN.format(user="ada"))
    (tmp_path / "steps.toml").write_text(LOGIN.replace("OFFICE_PASSWORD", "NO_SUCH_PASSWORD"))
    (tmp_path / "config.toml").write_text('login = "login.toml"\n')
    return tmp_path


def test_folders_are_called_what_they_are_called(here: Command, tmp_path: Path) -> None:
    first, second = (crawl(tmp_path / f"{'é' * 100}{number}", "About") for number in (1, 2))
    (first / "inside").mkdir()
    said = here("roles", "..", f"../../{second.name}", "--out", "../../m", cwd=first / "inside").fine().out
    assert said.startswith(f"{first.name}: 2 states")
    assert len(list((tmp_path / "m").glob("diff-é*.html"))) == 1


@pytest.mark.parametrize(("line", "word"), WRONG, ids=[line for line, _ in WRONG])
def test_a_wrong_request(line: str, word: str, here: Command, folder: Path) -> None:
    before = sorted(folder.rglob("*.html")) + sorted(folder.iterdir())
    here("roles", *line.split(), cwd=folder).refused(2, word)
    assert sorted(folder.rglob("*.html")) + sorted(folder.iterdir()) == before


def test_help_teaches(here: Command) -> None:
    said = " ".join(here("roles", "--help").fine().out.split())
    assert "statecrawl roles http://shop.test/ --role admin=admin.toml" in said
    assert "Exit codes: 0 done" in said
    assert "--login" not in said


def test_crawls_that_are_there(here: Command, tmp_path: Path) -> None:
    crawl(tmp_path / "all" / "boss", "About", "Users", at=1.0)
    crawl(tmp_path / "all" / "a-clerk", "About", at=2.0)
    done = here("roles", "all", cwd=tmp_path).fine()
    assert done.out.splitlines()[0] == "boss: 3 states, 1 of them not reached by any other role", (
        "who was crawled first"
    )
    assert "\n Users: click “More”" in done.out
    assert "1 state the same for all roles" in done.out
    assert done.out.endswith("the matrix is in all/index.html\n")
    page = (tmp_path / "all" / "index.html").read_text()
    assert 'href="diff-boss-a-clerk.html"' in page
    assert "click “More”" in page
    assert "1 removed, 1 changed" in (tmp_path / "all" / "diff-boss-a-clerk.html").read_text()


def test_crawls_that_were_made_each_by_itself(here: Command, tmp_path: Path) -> None:
    crawl(tmp_path / "boss", "About", "Users")
    crawl(tmp_path / "clerk", "About", ignore="#clock")
    done = here("roles", "boss", "clerk", "--json", cwd=tmp_path).fine()
    (told,) = done.objects
    assert told["page"] is None
    assert not list(tmp_path.glob("*.html")), "nobody said where"
    assert [(row["title"], row["kind"]) for row in told["states"]] == [
        ("Users", "some"),
        ("Home", "other"),
        ("About", "same"),
    ]
    assert any("boss was crawled with --ignore none, clerk with #clock" in remark for remark in told["remarks"])
    assert any("The traffic of boss was not stored" in remark for remark in told["remarks"])
    here("roles", "boss", "clerk", "--out", "new/matrix", cwd=tmp_path).fine()
    assert "../../boss" not in (tmp_path / "new" / "matrix" / "index.html").read_text(), "there is no report yet"
    here("report", "boss", cwd=tmp_path).fine()
    here("roles", "boss", "clerk", "--out", "new/matrix", cwd=tmp_path).fine()
    assert "../../boss/report/index.html#/state/2" in (tmp_path / "new" / "matrix" / "index.html").read_text()


def test_a_role_that_was_never_let_in(here: Command, tmp_path: Path) -> None:
    crawl(tmp_path / "all" / "boss", "About")
    write_crawl(
        tmp_path / "all" / "spy", [CrawlStarted(application="http://app.test/", configuration={}, reset_cost=1.0)]
    )
    (told,) = here("roles", "all", "--json", cwd=tmp_path).fine().objects
    assert {row["kind"] for row in told["states"]} == {"some"}
    assert any(remark.startswith("The crawl of spy is not complete (") for remark in told["remarks"])
    here("roles", "all", cwd=tmp_path).fine()
    assert "not reached yet" in (tmp_path / "all" / "index.html").read_text()


EXPECTED_ENDPOINTS = {
    ("GET", "/api/payroll"): ([200], [403], []),
    ("POST", "/log-in"): ([303], [303], [403]),
    ("GET", "/api/orders"): ([200], [200], []),
    ("GET", "/api/orders/{orderId}"): ([200], [200], []),
    ("GET", "/api/users"): ([200], [], []),
    ("POST", "/api/users/{userId}/lock"): ([200], [], []),
    ("GET", "/"): ([200], [200], [200]),
    ("GET", "/api/me"): ([200], [200], [200]),
    ("GET", "/news.html"): ([200], [200], [200]),
}
EXPECTED_STATES = {  # who finds what there; the first one's title, others' where it is another
    "Office: Users": ("Office: Users", None, None),
    "Office: Locked": ("Office: Locked", None, None),
    "Office: Order 18": ("Office: Order 18", None, None),
    "Office: who are you?": (None, None, "Office: who are you?"),
    "Office: Orders": ("Office: Orders", "Office: Orders", None),
    "Office: Payroll": ("Office: Payroll", "Office: not for you", None),
    "Office: Order 17": ("Office: Order 17", "Office: Order 17", None),
    "Office": ("Office", "Office", "Office"),
    "Office: News": ("Office: News", "Office: News", "Office: News"),
}
NAMES = ("admin", "clerk", "guest")


@pytest.mark.product
def test_three_roles_of_an_office_also_when_killed(tmp_path: Path) -> None:
    (tmp_path / "ada.toml").write_text(LOGIN.format(user="ada"))
    (tmp_path / "bob.toml").write_text(LOGIN.format(user="bob"))
    asked = ["roles", "office", "--role", "admin=ada.toml", "--role", "clerk=bob.toml", "--role", "guest"]
    asked += ["--ignore", "#account", "--learn-states", "0", "--out", "office", "--json"]
    first = Running(*asked, cwd=tmp_path, env=PASSWORD)
    try:
        first.wait_for_note('{"kind": "note", "text": "as clerk:"}')
        first.kill()
    finally:
        first.end()
    assert (tmp_path / "office" / "admin" / "report" / "index.html").is_file()
    assert not (tmp_path / "office" / "index.html").exists()
    done = statecrawl(*asked, cwd=tmp_path, env=PASSWORD).fine()
    assert "as admin" not in done.err, "that was complete"
    (told,) = done.objects
    assert [(each["name"], each["states"], each["refused"]) for each in told["roles"]] == [
        ("admin", 8, 0),
        ("clerk", 5, 1),
        ("guest", 3, 1),
    ]
    assert told["remarks"] == [], "the log-in form that stays in the page was used to log in"
    assert [each["complete"] for each in told["roles"]] == [True, True, True]
    endpoints = {(row["method"], row["path"]): row for row in told["endpoints"]}
    statuses = {
        key: tuple([answer["status"] for answer in row["answers"][name]] for name in NAMES)
        for key, row in endpoints.items()
    }
    assert statuses == EXPECTED_ENDPOINTS
    assert list(endpoints)[:2] == [("GET", "/api/payroll"), ("POST", "/log-in")], "what is refused to some"
    assert endpoints["GET", "/api/orders/{orderId}"]["paths"]["/api/orders/18"]["clerk"] == []
    assert endpoints["POST", "/log-in"]["answers"]["admin"] == [{"status": 303, "to": "/"}]
    states = {
        row["title"]: tuple(row["reached"][name] and row["reached"][name]["title"] for name in NAMES)
        for row in told["states"]
    }
    assert states == EXPECTED_STATES
    news = next(row for row in told["states"] if row["title"] == "Office: News")
    assert (news["kind"], len({news["reached"][name]["id"] for name in NAMES})) == ("same", 1)
    page = (tmp_path / "office" / "index.html").read_text()
    assert 'href="admin/report/index.html#/state/' in page
    assert 'src="admin/states/' in page
    secret = PASSWORD["OFFICE_PASSWORD"]
    assert not [
        path for path in (tmp_path / "office").rglob("*") if path.is_file() and secret.encode() in path.read_bytes()
    ]
    shutil.rmtree(tmp_path / "office" / "clerk" / "report")
    assert statecrawl(*asked, cwd=tmp_path, env=PASSWORD).fine().objects == [told]
    assert (tmp_path / "office" / "clerk" / "report" / "index.html").is_file(), "as if killed before it was written"
    again = statecrawl("diff", "office/admin", "office/clerk", "--json", cwd=tmp_path)
    assert (again.code, len(again.objects[0]["states_gone"])) == (7, 3)
    assert json.loads(statecrawl("roles", "office", "--json", cwd=tmp_path).fine().out) == told


@pytest.mark.product
def test_a_log_in_that_is_refused_says_whose(tmp_path: Path) -> None:
    (tmp_path / "eve.toml").write_text(LOGIN.format(user="eve"))
    line = ["roles", "office", "--role", "spy=eve.toml", "--role", "guest", "--out", "office", "--quiet"]
    statecrawl(*line, cwd=tmp_path, env=PASSWORD).refused(5, "as spy: ", "#menu button, #news")
