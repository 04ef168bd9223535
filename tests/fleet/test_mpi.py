"""Peers over MPI: real jobs of mpiexec that lose a rank, have problems, and resume from the journal."""

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from statecrawl.cluster.mpi.log import peer_name, rank_of
from statecrawl.errors import BadInput
from statecrawl.stores.evidence import EvidenceReader
from statecrawl.testbed.catalogue import application
from tests.cli.command import statecrawl
from tests.cluster.sleepers import in_hex
from tests.fleet.test_supervisor import APP, application_served, assert_true, command, explored, known, wait_for

MPIEXEC = Path(sys.executable).with_name("mpiexec")  # of the MPI in the same environment
UNLEARNT = ("--no-screenshots", "--no-report", "--learn-states", "0", "--reset-cost", "3", "--quiet")


def job(ranks: int, *arguments: str) -> list[str]:
    return [str(MPIEXEC) if MPIEXEC.exists() else shutil.which("mpiexec") or "mpiexec", "-n", str(ranks), *arguments]


def ran(ranks: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(job(ranks, *arguments), capture_output=True, text=True, check=False, timeout=60)


def sleepers(out: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return ran(3, sys.executable, "-m", "tests.cluster.rank", str(out), *arguments)


def descendants(parent: int) -> set[int]:
    found = set()
    with suppress(OSError):  # it has ended since
        for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
            found |= {int(child)} | descendants(int(child))
    return found


def is_rank(process: int) -> bool:
    with suppress(OSError):
        said = Path(f"/proc/{process}/cmdline").read_text().split("\0")
        return said[:2] == [sys.executable, "-m"]
    return False


def is_alive(process: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


# -- letters --


def test_letters_of_all_sizes_come_as_they_were_sent() -> None:
    done = ran(3, sys.executable, "-m", "tests.cluster.large_messages")
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(done.stdout.splitlines()) == [f"rank {rank} has all" for rank in range(3)]


# -- in a true model --


@pytest.mark.parametrize(
    ("share", "pages", "members"),
    [("all", 1, "rank-0 rank-1 rank-2"), ("states", 2, "rank-0.1 rank-0.2 rank-1.1 rank-1.2 rank-2.1 rank-2.2")],
)
def test_ranks_find_the_true_model(tmp_path: Path, share: str, pages: int, members: str) -> None:
    done = sleepers(tmp_path / "crawl", share, str(pages))
    assert (done.returncode, done.stdout, done.stderr) == (0, f"complete by {members}\n", "")
    truth = application(APP).truth
    crawl = known(tmp_path / "crawl")
    assert crawl.graph.same_as(truth)
    assert sorted(crawl.members) == members.split()
    assert EvidenceReader(tmp_path / "crawl").html(in_hex(truth.ids[-1])) == f"<p>{truth.ids[-1]}</p>"


def assert_survives(out: Path, asked: list[str], victim: int) -> None:
    """One of two ranks is killed: all processes end, and the same command goes on with what is there."""
    running = subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        wait_for(explored(out, 40))
        everybody = descendants(running.pid)
        ranks = sorted(filter(is_rank, everybody))
        assert len(ranks) == 2
        os.kill(ranks[victim], signal.SIGKILL)
        running.communicate(timeout=20)
    finally:
        running.kill()
        running.communicate()
    assert running.returncode != 0
    wait_for(lambda: not any(map(is_alive, everybody)), seconds=10.0)
    before = known(out)
    assert (before.ended, before.graph.explored >= 40) == (None, True)
    done = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_rank_0_that_is_killed_ends_the_job_and_the_same_command_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    arguments = (sys.executable, "-m", "tests.cluster.rank", str(out), "all", "1", "", "0.005")
    assert_survives(out, job(2, *arguments), victim=0)
    assert known(out).graph.same_as(application(APP).truth)


def test_what_ranks_meet_with_is_said_once_and_ends_the_job(tmp_path: Path) -> None:
    done = sleepers(tmp_path / "crawl", "all", "1", "the shop")
    assert done.returncode == 5  # as without MPI
    said = [line for line in done.stderr.splitlines() if line.startswith("statecrawl: ")]
    assert said in (["statecrawl: rank 1 failed: the shop is away."], ["statecrawl: rank 2 failed: the shop is away."])
    assert "Traceback" not in done.stderr


# -- with browsers --


@pytest.mark.browser
def test_a_crawl_by_ranks_is_true(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    asked = ("crawl", APP, "--engine", "mpi", "--share", "states", "--out", str(out), *UNLEARNT)
    done = ran(2, *command(*asked))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("the model equals the true model of the application") == 1
    assert_true(out)
    crawl = known(out)
    assert crawl.started is not None
    assert (crawl.started.configuration["architecture"], crawl.members) == ("peer-to-peer", ("rank-0", "rank-1"))
    assert len(list((out / "states").glob("*.html.gz"))) >= len(crawl.graph)


@pytest.mark.long
@pytest.mark.browser
def test_a_rank_with_a_browser_that_is_killed_ends_the_job_and_the_same_command_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with application_served() as url:
        assert_survives(out, job(2, *command("crawl", url, "--engine", "mpi", "--out", str(out), *UNLEARNT)), victim=1)
    assert_true(out)


@pytest.mark.browser
def test_ctrl_c_ends_a_job_in_good_order(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with application_served() as url:
        asked = job(2, *command("crawl", url, "--engine", "mpi", "--out", str(out), *UNLEARNT))
        running = subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            wait_for(explored(out, 20))
            everybody = descendants(running.pid)
            running.send_signal(signal.SIGINT)
            began = time.monotonic()
            out_said, said = running.communicate(timeout=30)
        finally:
            running.kill()
            running.communicate()
    assert (running.returncode, said.count("statecrawl: interrupted: the results are in")) == (130, 1)
    assert out_said.count("(interrupted)") == 1
    assert known(out).ended == "interrupted"
    assert time.monotonic() - began < 10
    assert not any(map(is_alive, everybody))


# -- words --


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--engine", "mpi", "--nodes", "2"), "leave out --nodes"),
        (("--engine", "mpi", "--architecture", "dist-ria"), "leave out --architecture"),
        (("--engine", "mpich"), "--engine takes mpi, or a Redis"),
    ],
)
def test_what_does_not_go_together_is_said(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    statecrawl("crawl", "http://127.0.0.1:1/", *arguments, cwd=tmp_path).refused(2, words)
    assert list(tmp_path.iterdir()) == []


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    (tmp_path / "mpi4py.py").write_text("raise ImportError")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    asked = ("crawl", "http://127.0.0.1:1/", "--engine", "mpi")
    statecrawl(*asked, env={"PYTHONPATH": path}).refused(2, "pip install 'statecrawl[mpi]'", "pip install mpich")
    (tmp_path / "mpi4py.py").unlink()
    (tmp_path / "mpi4py").mkdir()
    (tmp_path / "mpi4py" / "__init__.py").write_text("class rc: pass")
    (tmp_path / "mpi4py" / "MPI.py").write_text("raise RuntimeError('cannot load MPI library')")
    statecrawl(*asked, env={"PYTHONPATH": path}).refused(2, "found no MPI")


def test_names_tell_ranks() -> None:
    assert [rank_of(peer_name(rank, page, pages)) for rank, page, pages in [(0, 0, 1), (12, 3, 4)]] == [0, 12]
    with pytest.raises(BadInput, match="node-3"):
        rank_of("node-3")
