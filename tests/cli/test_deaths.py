"""Nothing is lost: whoever dies, whatever goes away, the same command goes on, and the model is the true one."""

import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from statecrawl.errors import EXIT_SITE, EXIT_STORE, EXIT_USER
from statecrawl.journal.fold import fold
from statecrawl.testbed.catalogue import application
from statecrawl.testbed.model_match import mismatch
from tests.cli.command import ENVIRONMENT, Running, arguments
from tests.cli.deaths import QUIET, Served, crawling, facts_in, killed_crawl

pytestmark = pytest.mark.product

PAGES = 10
KILLS = 6
MOST_LOST = 30  # events and loads by one death: a quarter of a second of work, what was under way, and the way back


def test_a_crawl_that_is_killed_again_and_again_finds_the_true_model(tmp_path: Path) -> None:
    calm = killed_crawl(PAGES, tmp_path / "calm", seed=0, kills=0)
    assert (calm.wrong, calm.runs, calm.unwritten) == (None, 1, 0), "whatever is fired is seen by the server"
    survived = killed_crawl(PAGES, tmp_path / "killed", seed=4, kills=KILLS)
    assert survived.runs > 1
    assert (survived.wrong, survived.crawl.failures) == (None, {})
    assert survived.crawl.progress().complete
    assert survived.asked - calm.asked <= MOST_LOST * KILLS, f"{survived.kills}: {survived.asked} for {calm.asked}"


@pytest.mark.parametrize("seconds", [pytest.param(1.5, marks=pytest.mark.long), 60.0])
def test_a_server_that_is_restarted_or_vanishes(tmp_path: Path, seconds: float) -> None:
    """A crawl ends when the first page does not come, and not before."""
    folder = tmp_path / "crawl"
    with Served(PAGES) as pager:
        with crawling(pager.url, folder) as running:
            wait_for_states(folder)
            pager.stop()
            ends_within(running, seconds)
            pager.start()
            done = running.ended()
        if done.code:
            done.refused(EXIT_SITE, pager.url, "could not be loaded (net::ERR_CONNECTION_REFUSED): check that the")
        goes_on_to_the_end(pager.url, folder)


@pytest.mark.long
def test_a_network_that_swallows_everything(tmp_path: Path) -> None:
    folder, hurry = tmp_path / "crawl", ("--load-timeout", "2s")
    with Served(PAGES) as pager:
        with crawling(pager.url, folder, *hurry) as running:
            wait_for_states(folder)
            pager.stall()
            done = running.ended()
        done.refused(EXIT_SITE, pager.url, "could not be loaded: ", "check the URL in your own browser")
        pager.mend()
        goes_on_to_the_end(pager.url, folder, *hurry)


def ends_within(running: Running, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while running.is_there() and time.monotonic() < deadline:
        time.sleep(0.05)


def wait_for_states(folder: Path) -> None:
    deadline = time.monotonic() + 60
    while len(list(folder.glob("states/*.json.gz"))) < PAGES // 3:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def goes_on_to_the_end(url: str, folder: Path, *more: str) -> None:
    """The same command, and nothing is missing or wrong that was found before."""
    kept = facts_in(folder)
    with crawling(url, folder, *more) as running:
        (told,) = running.ended().fine().objects
    assert (told["complete"], told["diverged"], told["hung"], told["refused"]) == (True, 0, 0, 0)
    assert facts_in(folder)[: len(kept)] == kept
    assert mismatch(fold(facts_in(folder)).graph, application(f"pager:{PAGES}").truth) is None


# A disk of its own, which nobody else sees: it is full, then it may not be written, then there is room.
DISKS = """
mount -t tmpfs -o size=120k statecrawl "$DISK" || exit 77
begun() { "$@" >>"$LOG" 2>&1; echo "= $?" >>"$LOG"; }
begun "$@"
mount -o remount,ro "$DISK"
begun "$@"
mount -o remount,rw,size=64m "$DISK"
begun "$@"
cp -r "$DISK/crawl" "$KEPT"
"""
NO_DISK = 77
DISK_IS_FULL = (  # whatever meets it first, the evidence or the journal
    "crawl: No space left on device; make room, then run the same command again to resume.",
    "crawl/crawl.journal cannot grow, the disk is full: free some space and resume (database or disk is full).",
)


def test_a_full_disk_and_one_that_may_not_be_written(tmp_path: Path, outside: Callable[..., int]) -> None:
    with Served(PAGES) as pager:
        disk, log, kept = tmp_path / "disk", tmp_path / "log", tmp_path / "kept"
        disk.mkdir()
        command = arguments("crawl", pager.url, "--out", disk / "crawl", *QUIET)
        code = outside(DISKS, command, DISK=str(disk), LOG=str(log), KEPT=str(kept))
    if code == NO_DISK:
        pytest.skip("needs to be root, to make a disk")
    full, told, fine = log.read_text().split("\n= ", 2)
    assert full.rpartition("disk/")[2] in DISK_IS_FULL
    assert told.startswith(f"{EXIT_STORE}\nstatecrawl: cannot write into ")
    assert told.endswith("disk/crawl: Read-only file system; name another directory with --out.")
    assert fine.startswith(f"{EXIT_USER}\n{{")
    assert fine.endswith("\n= 0\n")
    assert mismatch(fold(facts_in(kept)).graph, application(f"pager:{PAGES}").truth) is None


@pytest.fixture
def outside() -> Callable[..., int]:
    """Runs a script that sees mounts of its own."""
    unshare = shutil.which("unshare")

    def run(script: str, command: list[str], **variables: str) -> int:
        if unshare is None:
            return NO_DISK
        words = [unshare, "--mount", "sh", "-c", script, "sh", *command]
        ran = subprocess.run(words, env={**ENVIRONMENT, **variables}, timeout=100, check=False)
        return ran.returncode

    return run
