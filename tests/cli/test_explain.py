"""`statecrawl explain`, on the directories of crawls."""

from collections.abc import Callable
from pathlib import Path

import pytest

from statecrawl.cli.main import main
from tests.cli.command import Done
from tests.crawler.crawl_folder import ONE, THREE, TWO, crawl_folder, element, snapshot, text

Explain = Callable[..., Done]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return crawl_folder(tmp_path / "crawl-host")


@pytest.fixture
def explain(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Explain:
    """The command, run in this process: starting a new one takes most of the time."""

    def command(*args: str | Path, cwd: Path) -> Done:
        monkeypatch.chdir(cwd)
        monkeypatch.setattr("sys.argv", ["statecrawl", "explain", *map(str, args)])
        with pytest.raises(SystemExit) as ended:
            main()
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, *capfd.readouterr())

    return command


def test_ignored_content_is_listed_and_hidden_content_is_mentioned(tmp_path: Path, explain: Explain) -> None:
    pages = [element("#p", "p", ("#p", "-", "hidden"), text("#p", words)) for words in "ab"]
    rules = (("", ".lit"), ("", "@id=row-*"), ("#clock", "text"), ("#menu", ".near"))
    seen = [snapshot(state, lines) for state, lines in zip((ONE, TWO), pages, strict=True)]
    done = explain("0", "1", "--in", crawl_folder(tmp_path / "c", seen, rules=rules), cwd=tmp_path).fine()
    assert "Only hidden content differs. Use --ignore-hidden to ignore it in the next crawl." in done.out.splitlines()
    noted = "everywhere (.lit), everywhere (@id=row-*), #menu (.near)"
    assert done.out.splitlines()[-2:] == [
        "Ignored as dynamic content, because it differs between loads: #clock (text)",
        f"Ignored as marks of pointer and focus, or as counters: {noted}",
    ]


def test_differences_are_printed_by_place(folder: Path, explain: Explain) -> None:
    done = explain("0", "1", "--in", folder, cwd=folder).fine()
    assert done.err == ""
    assert done.out.splitlines() == [
        f"{ONE[:12]}  http://host/cart",
        f"{TWO[:12]}  http://host/cart?n=4",
        "They are different: 4 places differ under the equivalence 'content'.",
        "at #total",
        '  - style="color: red"',
        "  - text '3 items'",
        '  + style="color: green"',
        "  + text '4 items'",
        "at #buy",
        "  - <button>",
        "  - text 'Go'",
        "at events",
        "  - click button#buy",
        "  + click a#empty",
        "at #empty",
        "  + <a>",
        "  + text 'Empty'",
        "Events only in the first: click button#buy",
        "Events only in the second: click a#empty",
        "No dynamic content was found, so nothing is ignored.",
    ]


def test_the_only_crawl_is_the_default_and_its_rules_are_listed(tmp_path: Path, explain: Explain) -> None:
    crawl_folder(tmp_path / "crawl-host", rules=(("#clock", "text"), ("#ad", "node")))
    done = explain("0", "0", cwd=tmp_path).fine()
    assert "They are the same state: equal in everything that counts, and in their events." in done.out
    assert "Ignored as dynamic content, because it differs between loads: #clock (text), #ad (node)\n" in done.out


def test_the_json_object(folder: Path, explain: Explain) -> None:
    (told,) = explain("0", "0f0f", "--in", folder, "--json", cwd=folder).fine().objects
    assert (told["one"], told["other"], told["same"]) == (ONE, THREE, False)
    assert told["events_only_in_one"] == ["click button#buy"]
    assert told["differences"][0] == {
        "place": "#title",
        "one": ["text 'Cart'"],
        "other": ["text '[red]Shop[/] \x1b[31m'"],
    }


def test_text_of_a_page_is_neither_markup_nor_terminal_control(folder: Path, explain: Explain) -> None:
    done = explain("0", "2", "--in", folder, cwd=folder).fine()
    assert "  + text '[red]Shop[/] \\x1b[31m'" in done.out
    assert "\x1b" not in done.out


def test_a_single_place_is_counted_in_the_singular(tmp_path: Path, explain: Explain) -> None:
    seen = [snapshot(state, element("#a", "p", text("#a", words))) for state, words in ((ONE, "1"), (TWO, "2"))]
    done = explain("0", "1", "--in", crawl_folder(tmp_path / "c", seen), cwd=tmp_path).fine()
    assert "They are different: 1 place differs under" in done.out


def test_a_long_list_of_differences_is_cut_with_a_note(tmp_path: Path, explain: Explain) -> None:
    seen = [
        snapshot(state, [line for n in range(40) for line in element(f"#p{n}", "p", text(f"#p{n}", f"{words} {n}"))])
        for state, words in ((ONE, "one"), (TWO, "two"))
    ]
    folder = crawl_folder(tmp_path / "c", seen)
    done = explain("0", "1", "--in", folder, cwd=tmp_path).fine()
    assert "… and 28 more places; --json lists them all." in done.out
    assert done.out.count("at #p") == 12
    (told,) = explain("0", "1", "--in", folder, "--json", cwd=tmp_path).fine().objects
    assert len(told["differences"]) == 40


def test_invalid_requests_are_refused(folder: Path, tmp_path: Path, explain: Explain) -> None:
    explain("0", "9", "--in", folder, cwd=folder).refused(2, "there is no state '9'", "0 to 2")
    explain("0", "1", "--in", tmp_path / "nowhere", cwd=folder).refused(2, "there is no crawl in")
    explain("0", "1", cwd=folder).refused(2, "there is no crawl in this directory: choose")
    crawl_folder(tmp_path / "another")
    explain("0", "1", cwd=tmp_path).refused(2, "there are 2 crawls in this directory: choose")
