"""What the commands about nodes say when they cannot do what is asked."""

import asyncio
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from statecrawl.cluster.http.link import HttpLink
from statecrawl.coordination.client_node import ClientNode
from statecrawl.coordination.client_server_messages import LearnContent
from statecrawl.fleet.coordinator import FAREWELL_SECONDS
from tests.cli.command import ENVIRONMENT, Command, Done, arguments, statecrawl

pytestmark = pytest.mark.cluster
NOWHERE = "http://127.0.0.1:9"
JOIN = ["node", "--join", NOWHERE, "--token", "some token"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["crawl", "tiny", "--out", "crawl", "--engine"],
        ["node", "--patience", "0.1s", "--join"],
        ["coordinate", "--join"],
        ["status"],
        ["forget", "--yes"],
    ],
    ids=lambda given: given[0],
)
def test_a_redis_that_is_not_there_is_said_alike_by_all(arguments: list[str], tmp_path: Path, here: Command) -> None:
    said = "cannot connect to Redis at redis://127.0.0.1:9/0: connection refused; start the server or use another URL."
    here(*arguments, "redis://127.0.0.1:9/0#shop", cwd=tmp_path).refused(6, said)
    assert not (tmp_path / "crawl").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (
            ["node", "--join", "nonsense"],
            2,
            "--join 'nonsense' is not the URL of a coordinator: write it as http://host:port.",
        ),
        (
            ["node", "--join", NOWHERE],
            2,
            "the token is missing: pass the one that statecrawl serve prints, with --token or",
        ),
        ([*JOIN, "--pages", "0"], 2, "--pages must be between 1 and 64, not 0."),
        ([*JOIN, "--patience", "long"], 2, "--patience is a time, as in 90s, 10m or 2h, not 'long'."),
        ([*JOIN, "-e", "contant"], 2, "unknown equivalence 'contant': did you mean content?"),
        (
            [*JOIN, "--tls-ca", "missing.pem"],
            2,
            "cannot use missing.pem as a certificate: no such file or directory; check its path",
        ),
        ([*JOIN, "--tls-ca", "empty.pem"], 2, "empty.pem as a certificate: it must be a file in PEM format."),
        (
            [*JOIN, "--patience", "0.1s"],
            6,
            f"the coordinator at {NOWHERE} cannot be reached: connection refused; start the node again",
        ),
        (["status", NOWHERE], 2, "the token is missing"),
        (
            ["status", NOWHERE, "--token", "some token"],
            6,
            f"there is no coordinator at {NOWHERE}: connection refused; pass the URL that statecrawl serve prints.",
        ),
        (["status", "127.0.0.1:8765"], 2, "there is no directory 127.0.0.1:8765; write the URL of a coordinator as"),
        (["crawl", "tiny", "--nodes", "0"], 2, "--nodes must be between 1 and 64, not 0."),
        (["crawl", "tiny", "--nodes", "65"], 2, "--nodes must be between 1 and 64, not 65; for more, use"),
        (["crawl", "tiny", "--architecture", "dist-ria"], 2, "--architecture needs --nodes, --engine or statecrawl s"),
        (["crawl", "tiny", "--nodes", "2", "--share", "all"], 2, "--share needs --architecture peer-to-peer."),
        (["serve", "tiny", "--architecture", "peers"], 2, "unknown architecture 'peers'"),
        (["serve", "tiny", "--token", "short"], 2, "--token must have 8 characters or more"),
        (["serve", "tiny", "--tls-cert", "missing.pem"], 2, "cannot use missing.pem as a certificate: no such file"),
        (
            ["serve", "tiny", "--tls-cert", "empty.pem"],
            2,
            "empty.pem as a certificate: it and its key must be files in PEM format without a password.",
        ),
        (["serve", "tiny", "--tls-key", "empty.pem"], 2, "--tls-key needs --tls-cert"),
        (
            ["serve", "tiny", "--host", "203.0.113.1"],
            2,
            "cannot listen on 203.0.113.1:8765: cannot assign requested address; choose another with --host",
        ),
        (
            ["serve", "tiny", "--reset-command", "true"],
            2,
            "--reset-command cannot be used with statecrawl serve: nodes",
        ),
        (
            ["serve", "tiny", "--browser", "chromium"],
            2,
            "--browser cannot be used with statecrawl serve: it opens none",
        ),
        (["serve", "tiny", "--pages", "2"], 2, "--pages cannot be used with statecrawl serve: set it for each node"),
        (["serve", "tiny", "--config", "commands.toml"], 2, "nodes run no commands, so use --reset-url"),
        (["serve", "tiny", "--port", "70000"], 2, "cannot listen on 127.0.0.1:70000: no such port"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)
def test_one_sentence_and_a_code(arguments: list[str], code: int, said: str, tmp_path: Path, here: Command) -> None:
    (tmp_path / "empty.pem").touch()
    (tmp_path / "commands.toml").write_text('reset-command = "true"')
    before = set(tmp_path.iterdir())
    here(*arguments, cwd=tmp_path).refused(code, said)
    assert set(tmp_path.iterdir()) == before, "what is refused leaves nothing behind"


def test_serving_hides_what_only_nodes_can_do(here: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    serving, crawling = (here(command, "--help").fine().out for command in ("serve", "crawl"))
    assert "--reset-url" in serving
    for option in ("--reset-command", "--browser", "--pages"):
        assert option not in serving
        assert option in crawling


def test_a_folder_of_somebody_elses_is_left_alone(tmp_path: Path, here: Command) -> None:
    (tmp_path / "letter.txt").touch()
    here("serve", "tiny", "--port", "0", "--out", tmp_path).refused(2, "contains other files but no crawl")
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


class Serving:
    """`statecrawl serve` as a process, and nodes without browsers that this test plays."""

    def __init__(self, out: Path, *more: str) -> None:
        self.process = subprocess.Popen(
            arguments("serve", "http://127.0.0.1:9/", "--port", "0", "--out", out, *more),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT,
        )  # fmt: skip
        words = self.said("nodes join with").split()
        self.url, self.token = words[words.index("--join") + 1], words[-1]

    def said(self, beginning: str) -> str:
        """Wait until it says something that begins like this."""
        assert self.process.stderr is not None
        return next(line for line in self.process.stderr if line.startswith(beginning)).strip()

    def status(self, *more: str) -> Done:
        return statecrawl("status", self.url, "--token", self.token, *more).fine()


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    running = Serving(tmp_path / "crawl")
    try:
        yield running
    finally:
        running.process.kill()
        running.process.communicate()


def test_it_says_how_to_look_at_it_and_what_it_waits_for(serving: Serving) -> None:
    hint = serving.said("status: ")
    assert hint == f"status: statecrawl status {serving.url} --token {serving.token}"
    assert "waiting for nodes" in serving.status().out
    assert serving.status("--json").objects[0]["phase"] == "waiting"
    assert serving.said("waiting for nodes")


def test_it_says_when_its_last_node_has_gone(serving: Serving) -> None:
    async def come_and_go(name: str) -> None:
        line, node = HttpLink(serving.url, serving.token), ClientNode(name)
        assert isinstance(node.handle_reply(await line.ask(node.next_request(None))), LearnContent)
        beating = asyncio.create_task(beat(line, node))
        if name == "one":
            assert (await asyncio.to_thread(serving.status, "--json")).objects[0]["phase"] == "learning"
            assert f"learning dynamic content (node {name}, " in (await asyncio.to_thread(serving.status)).out
        beating.cancel()
        await asyncio.wait({beating})
        await line.leave(name)
        await line.close()

    async def beat(line: HttpLink, node: ClientNode) -> None:
        while True:
            await line.beat(node.heartbeat())
            await asyncio.sleep(0.5)

    for name in ("one", "another"):
        asyncio.run(come_and_go(name))
        assert serving.said("the last node has left") == "the last node has left: waiting for nodes"


def test_ctrl_c_while_a_node_learns_is_heard_at_once_and_twice_ends_it(serving: Serving) -> None:
    async def learn() -> None:
        line, node = HttpLink(serving.url, serving.token), ClientNode("n")
        assert isinstance(await line.ask(node.next_request(None)), LearnContent)
        assert not await line.beat(node.heartbeat())
        begun = time.monotonic()
        serving.process.send_signal(signal.SIGINT)
        serving.said("waiting for the nodes to end")
        while not await line.beat(node.heartbeat()):
            await asyncio.sleep(0.05)
        serving.process.send_signal(signal.SIGINT)
        out, err = await asyncio.to_thread(serving.process.communicate)
        assert time.monotonic() - begun < FAREWELL_SECONDS
        assert serving.process.returncode == 130
        assert "0 states, 0 transitions: nothing was crawled yet" in out
        assert "the crawl was interrupted" in out
        assert "nothing was found yet" in err
        await line.close()

    asyncio.run(learn())
