"""Run pytest; run what failed once more, alone; and name every test that needed that.

A browser on a busy machine may fail to answer in time, so a failure is given a second chance. It is never hidden: the
names go to the terminal and to a file, which `make test` prints at its end.

    scripts/run_tests.py -n 2 -m "browser and not long"    run tests; all arguments are pytest's
    scripts/run_tests.py --begin                           forget the second runs of earlier commands
    scripts/run_tests.py --summary                         name the tests that needed a second run since then
"""

import json
import subprocess
import sys
from pathlib import Path

PLACE = Path(__file__).parent.parent / ".venv"
CACHE, SECOND_RUNS = PLACE / "pytest-cache", PLACE / "second-runs.txt"
OPTIONS = (
    *("-o", "addopts=--strict-markers --strict-config --import-mode=importlib"),
    *("-o", f"cache_dir={CACHE}"),
)  # those of pyproject.toml, with a cache
TESTS_FAILED = 1  # exit code of pytest


def main(arguments: list[str]) -> int:
    match arguments:
        case ["--begin"]:
            SECOND_RUNS.unlink(missing_ok=True)
            return 0
        case ["--summary"]:
            say(summary(second_runs()))
            return 0
        case _:
            return run(arguments)


def run(arguments: list[str]) -> int:
    """Run tests, and those that failed again; the exit code of the last run."""
    (CACHE / "v" / "cache" / "lastfailed").unlink(missing_ok=True)  # of other tests, of an earlier command
    code = pytest(*arguments)
    failed = last_failed()
    if code != TESTS_FAILED or not failed:
        return code
    code = pytest("-p", "no:xdist", *failed)
    lost = set(last_failed()) if code else set()
    with SECOND_RUNS.open("a", encoding="utf-8") as file:
        file.writelines(f"{'failed again' if test in lost else 'passed then'}: {test}\n" for test in failed)
    say(summary([line for line in second_runs() if line.partition(": ")[2] in failed]))
    return code


def pytest(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *OPTIONS, *arguments], check=False).returncode


def last_failed() -> list[str]:
    """The tests that failed in the last run, as pytest keeps them."""
    try:
        return sorted(json.loads((CACHE / "v" / "cache" / "lastfailed").read_text(encoding="utf-8")))
    except FileNotFoundError:
        return []


def second_runs() -> list[str]:
    return SECOND_RUNS.read_text(encoding="utf-8").splitlines() if SECOND_RUNS.exists() else []


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def summary(lines: list[str]) -> str:
    if not lines:
        return "No test needed a second run."
    rule = "=" * 100
    many = "1 test" if len(lines) == 1 else f"{len(lines)} tests"
    return "\n".join([rule, f"{many} failed and needed a second run:", *(f"  {line}" for line in lines), rule])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
