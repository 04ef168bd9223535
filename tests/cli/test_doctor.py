"""`statecrawl doctor`: what works, and what to do about what does not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from statecrawl.cli.main import main
from tests.cli.command import Done

pytestmark = pytest.mark.browser

Command = Callable[..., Done]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """The command, run in this process."""

    def command(*args: str | Path) -> Done:
        monkeypatch.setattr("sys.argv", ["statecrawl", "doctor", *map(str, args)])
        with pytest.raises(SystemExit) as ended:
            main()
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, *capfd.readouterr())

    return command


def test_all_checks_pass(here: Command) -> None:
    (told,) = here("--json").fine().objects
    assert list(told) == ["python", "browser", "starts", "sandbox", "works"]
    assert all(finding["ok"] for finding in told.values())
    assert Path(told["browser"]["detail"]).is_file()
    assert told["starts"]["detail"].startswith(("Chrome/", "HeadlessChrome/"))
    assert told["works"]["detail"] == "a page was opened and an event fired"


@pytest.mark.parametrize("program", ["/nonexistent", "/no\x1b[31msuch"])
def test_a_missing_browser(program: str, here: Command) -> None:
    done = here("--browser", program)
    assert (done.code, done.err) == (4, "")
    good, bad = done.out.splitlines()
    assert good.startswith("ok     python     3.")
    assert bad.startswith("FAILED browser    there is no program /no")
    assert "apt-get install chromium-headless-shell" in bad
    assert "\x1b" not in done.out


def test_a_program_that_is_not_a_browser(here: Command) -> None:
    done = here("--browser", "/bin/false", "--json")
    (told,) = done.objects
    assert done.code == 4
    assert told["browser"]["ok"]
    assert not told["works"]["ok"]
    assert "/bin/false did not start" in told["works"]["detail"]


def test_a_file_that_cannot_be_run(here: Command, tmp_path: Path) -> None:
    program = tmp_path / "chromium"
    program.write_bytes(b"\x7fELF no program")
    program.chmod(0o755)
    done = here("--browser", program)
    assert done.code == 4
    assert f"FAILED works      cannot start {program}: " in done.out


def test_the_browser_is_named_by_the_environment(here: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATECRAWL_BROWSER", "/nonexistent/chrome")
    done = here()
    assert done.code == 4
    assert "there is no program /nonexistent/chrome" in done.out
