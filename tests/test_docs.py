"""README and docs show what the commands print, and name only what exists. `make docs` records outputs."""

import inspect
import os
import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from itertools import dropwhile, groupby, islice, takewhile
from pathlib import Path
from typing import Any

import pytest
import typer

import statecrawl
from statecrawl.cli.main import app
from statecrawl.journal.qualifications import QUALIFYING_NOTES, SENTENCES
from statecrawl.model.event import KINDS as EVENT_KINDS
from statecrawl.model.exchange.formats import FORMATS
from statecrawl.model.finding import KINDS as FINDINGS
from statecrawl.results.export import CRAWL_FORMATS
from statecrawl.strategies.registry import STRATEGIES

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "statecrawl"
SCRIPT: dict[str, Any] = runpy.run_path(str(ROOT / "scripts" / "record_docs.py"))
PAGES: tuple[Path, ...] = SCRIPT["PAGES"]
PROSE = (*PAGES, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "deploy").rglob("README.md")))
GENERATED = {"options.md"}
SLOW = "statecrawl compare"  # minutes; its figures are those that other tests and `make docs` see
MOST_README_LINES = 150
MOST_PARAGRAPH_LINES = 6
LINE_WIDTH = 132  # of prose, with the targets of links left out
TIMES = (  # what differs from one machine to the next
    r"[\d,]+ / [\d,]+$",
    r"\"(?:next_task_\w+_us|seconds)\": [\d.]+",
    r"[\d.]+ s in this run, [\d,]+ events/s",
    r"[\d.]+ s in 1 run",
    r"127\.0\.0\.1:\d+",
)
MICROSECONDS = re.compile("|".join(f"(?:{time})" for time in TIMES), re.MULTILINE)
IN_CHROMIUM = "statecrawl crawl"
FENCE = re.compile(
    r"^(?:<!-- (?P<mark>[\w ]+) -->\n)?```(?P<language>\w*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)
RUN, ELSEWHERE = "run", "other machines"  # marks of blocks
SHELL = ("sh", "console")
OTHER_PROGRAMS = {  # in blocks without a mark
    *("cd", "curl", "echo", "export", "grep", "jq", "pip", "pytest", "python", "sort", "source", "umask"),
    *("docker", "journalctl", "kubectl", "sbatch", "sudo"),  # in the recipes
}
ASSIGNMENT = re.compile(r"[A-Z_]+=.*")
FOREIGN_OPTIONS = {  # of other programs
    *(
        "--array",
        "--bind",
        "--export",
        "--list",
        "--mpi",
        "--ntasks",
        "--nodes",
        "--base-url",
        "--shm-size",
        "--volumes",
    ),
}
FILE_SUFFIXES = ("py", "toml", "journal", "csv")  # of files whose stem is also the name of a package
COMMAND = typer.main.get_command(app)


# -- recorded output --


def timeless(text: str) -> str:
    """The text without what differs from one machine to the next, and without the padding that follows from it."""
    lines = (re.sub(r"[ ─]+", " ", MICROSECONDS.sub("#", line)).strip() for line in text.splitlines())
    return "\n".join(lines)


def _pages() -> list[Any]:
    """All pages; those that crawl in Chromium are marked."""
    crawls = {page: any(IN_CHROMIUM in body for body, _ in SCRIPT["blocks"](page.read_text())) for page in PAGES}
    return [
        pytest.param(page, id=page.name, marks=[pytest.mark.browser] if in_chromium else [])
        for page, in_chromium in crawls.items()
    ]


@pytest.mark.parametrize("page", _pages())
def test_recorded_output_is_true(page: Path, tmp_path: Path) -> None:
    recorded: Callable[[str, Path], str] = SCRIPT["recorded"]
    run: Callable[[str, Path], subprocess.CompletedProcess[str]] = SCRIPT["run"]
    for body, is_shown in SCRIPT["blocks"](page.read_text(encoding="utf-8")):
        if is_shown and SLOW not in body:
            assert timeless(body) == timeless(recorded(body, tmp_path))
        for command in () if is_shown else body.splitlines():
            done = run(command, tmp_path)
            assert done.returncode == 0, f"{command}: {done.stdout}"


@pytest.mark.browser
def test_the_example_of_roles_prints_its_matrix(tmp_path: Path) -> None:
    section = (ROOT / "docs" / "results.md").read_text(encoding="utf-8").partition("### Try it")[2]
    login, command, matrix = (match["body"] for match in islice(FENCE.finditer(section), 3))
    (tmp_path / "ada.toml").write_text(login)
    (tmp_path / "bob.toml").write_text(login.replace('"ada"', '"bob"'))
    variable, *words = shlex.split(command)
    environment = {**os.environ, **dict([variable.split("=")]), "COLUMNS": "116"}
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=tmp_path, env=environment, check=True, stdout=-1, text=True
    )
    printed = {line.split()[1]: line.split() for line in done.stdout.splitlines() if " /" in line}
    for line in matrix.splitlines():
        if " /" in line:
            assert printed[line.split()[1]] == line.split()


# -- commands --


def fences(page: Path, *languages: str) -> Iterator[tuple[str, str]]:
    """Yield mark and body of every code block in one of these languages."""
    for match in FENCE.finditer(page.read_text(encoding="utf-8")):
        if match["language"] in languages:
            yield match["mark"] or "", match["body"]


def commands(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the mark of its block and the words of every command line."""
    for mark, body in fences(page, *SHELL):
        is_recorded = body.startswith(SCRIPT["PROMPT"])
        for line in body.replace("\\\n", "").splitlines():
            if is_recorded and not line.startswith(SCRIPT["PROMPT"]):
                continue
            words = shlex.split(line.removeprefix(SCRIPT["PROMPT"]).strip("()"), comments=True)
            for is_command, part in groupby(words, lambda word: word not in ("|", "&&", ";", "&")):
                if is_command:
                    yield mark, [*dropwhile(ASSIGNMENT.fullmatch, takewhile(lambda word: word != ">", part))]


def accept(words: list[str]) -> None:
    """Raise a usage error if the command line does not accept these words."""
    if words[-1:] == ["--help"]:
        words = words[:-1] or ["apps"]
    words = [re.sub(r"…|\$\w+", "x", word) for word in words]
    context = COMMAND.make_context("statecrawl", words)
    name, command, rest = COMMAND.resolve_command(context, [*context._protected_args, *context.args])  # type: ignore[attr-defined]
    if hasattr(command, "resolve_command") and rest:
        context = command.make_context(name, rest, parent=context)
        name, command, rest = command.resolve_command(context, [*context._protected_args, *context.args])
    command.make_context(name, rest, parent=context)


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@pytest.mark.parametrize("page", PROSE, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_exist(page: Path) -> None:
    targets = make_targets()
    for mark, words in commands(page):
        if not words:
            continue
        program = words[0].rpartition("/")[2]
        if program == "make":
            assert {word for word in words[1:] if "=" not in word} <= targets, words
        elif "statecrawl" in words and (mark == ELSEWHERE or program == "statecrawl"):
            accept(words[words.index("statecrawl") + 1 :])
        elif program == "statecrawl":
            accept(words[1:])
        elif mark != ELSEWHERE:
            assert program in OTHER_PROGRAMS or (ROOT / words[0]).exists(), words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_for_other_machines_are_marked(page: Path) -> None:
    for mark, words in commands(page):
        is_foreign = any(re.search(r"192\.0\.2\.|coordinator:8765|^mpiexec$|^srun$", word) for word in words)
        assert not is_foreign or mark == ELSEWHERE or words[0] == "statecrawl" == page.stem, words


def test_commands_that_do_not_exist_are_noticed() -> None:
    for words in (["crawl", "--no-such-option"], ["nonsense"], ["crawl", "http://host/", "--max-states", "many"]):
        with pytest.raises(Exception, match=r"No such|Input should be"):
            accept(words)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_and_targets_in_prose_exist(page: Path) -> None:
    names = [COMMAND, *(COMMAND.get_command(None, name) for name in COMMAND.list_commands(None))]  # type: ignore[attr-defined]
    every = [*names, *(below for group in names for below in getattr(group, "commands", {}).values())]
    known = {flag for command in every for parameter in command.params for flag in parameter.opts}
    for code in re.findall(r"`([^`\n]+)`", FENCE.sub("", page.read_text(encoding="utf-8"))):
        for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", code):
            assert option in known | FOREIGN_OPTIONS | {"--help"}, option
        if code.startswith("make ") and "…" not in code:
            assert {word for word in shlex.split(code)[1:] if "=" not in word} <= make_targets(), code


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_other_blocks_can_be_parsed(page: Path) -> None:
    for _, body in fences(page, "toml"):
        tomllib.loads(body)
    for _, body in fences(page, "python"):
        compile(body, page.name, "exec")


# -- links and names --


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub derives them."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    headings = (re.sub(r"[^\w\- ]", "", title.lower()) for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE))
    return {heading.strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PROSE, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for target, _, anchor in re.findall(r"\]\(([^)#:]*)(#([^)]*))?\)", text):
        path = (page.parent / target) if target else page
        assert path.exists(), f"{page.name} links to {target}"
        if anchor and path.suffix == ".md":
            assert anchor in anchors(path), f"{page.name} links to {target}#{anchor}"


def test_the_files_of_the_ten_changes_exist() -> None:
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    section = text.partition("## Where do I change X?")[2].partition("\n## ")[0]
    rows = [row for row in section.splitlines() if row.startswith(("| a ", "| an "))]
    assert len(rows) == 10
    for row in rows:
        paths = re.findall(r"`([\w/]+/(?:[\w-]+\.\w+)?)`", row)
        assert paths, row
        for path in paths:
            assert (SOURCE / path).exists() or (ROOT / path).exists(), path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_modules_in_prose_exist(page: Path) -> None:
    packages = {path.name for path in SOURCE.iterdir() if path.is_dir()}
    for name in re.findall(r"`(?:statecrawl\.)?((?:\w+\.)+\w+)`", FENCE.sub("", page.read_text(encoding="utf-8"))):
        first, second, *_ = name.split(".")
        if first in packages and second not in FILE_SUFFIXES:
            path = SOURCE / first / second
            assert path.with_suffix(".py").exists() or path.is_dir(), name


def test_lists_of_names_are_complete() -> None:
    """Kinds of findings, qualifications and events, strategies and export formats are all in the page about them."""
    pages = {
        "ci.md": FINDINGS,
        "crawling.md": (*QUALIFYING_NOTES, *SENTENCES, *EVENT_KINDS),
        "safety.md": EVENT_KINDS,
        "strategies.md": STRATEGIES,
        "results.md": (*FORMATS, *CRAWL_FORMATS),
    }
    for page, names in pages.items():
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        assert [name for name in names if f"`{name}`" not in text] == [], page


def test_the_python_api_is_documented() -> None:
    """The page names every public name, every argument of `crawl`, and every attribute of what it returns."""
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(?:statecrawl\.)?(\w+)[`(]", text)) | set(re.findall(r"`(\w+)=", text))
    arguments = {name for name in inspect.signature(statecrawl.crawl).parameters if name not in ("url", "settings")}
    attributes = {name for each in (statecrawl.State, statecrawl.Result) for name in dir(each) if name[0] != "_"}
    assert {*statecrawl.__all__, *arguments, *attributes} <= named


def test_pages_that_the_code_names_exist() -> None:
    for path in [*SOURCE.rglob("*.py"), *(ROOT / "scripts").glob("*.py"), *(ROOT / "bench").glob("*.py")]:
        for page in re.findall(r"docs/[\w-]+\.md", path.read_text(encoding="utf-8")):
            assert (ROOT / page).exists(), f"{path} names {page}"


# -- form --


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= MOST_README_LINES


def paragraphs(page: Path) -> Iterator[list[str]]:
    """Yield paragraphs and list items of a page, each as its lines."""
    lines: list[str] = []
    for line in [*FENCE.sub("", page.read_text(encoding="utf-8")).splitlines(), ""]:
        is_item = re.match(r"\s*(?:[-*]|\d+\.) ", line)
        if lines and (not line.strip() or is_item):
            yield lines
            lines = []
        if line.strip() and not line.startswith(("|", "#", "<!--", "![")):
            lines.append(re.sub(r"\]\([^)]*\)", "]", line))


@pytest.mark.parametrize("page", PROSE, ids=lambda page: str(page.relative_to(ROOT)))
def test_paragraphs_are_short(page: Path) -> None:
    for lines in paragraphs(page) if page.name not in GENERATED else ():
        assert len(lines) <= MOST_PARAGRAPH_LINES, lines[0]
        assert max(map(len, lines)) <= LINE_WIDTH, lines
