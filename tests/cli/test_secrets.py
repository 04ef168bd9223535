"""No secret of a crawl is written anywhere or said to anybody, and the crawl can be gone on with all the same."""

import gzip
import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from statecrawl.stores.crawl_key import KEY_NAME
from tests.cli import secretive
from tests.cli.command import Command, Done

pytestmark = pytest.mark.product

ASKED = ["--site", "--login", "login.toml", "--values", "values.toml", "--out", "out", "--no-screenshots"]
ASKED += ["--learn-states", "0", "--reset-cost", "2"]  # a test is quick
FORMATS = ("json", "graphml", "dot", "mermaid", "urls", "sitemap", "har", "warc", "openapi", "csv", "pytest")
AFTER = ("status out --json", "status out", "findings out", "explain 0 1 --in out", "report out")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with secretive.served() as found:
        yield found


@pytest.fixture(autouse=True)
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SECRETIVE_USER", secretive.USER)
    monkeypatch.setenv("SECRETIVE_PASSWORD", secretive.TYPED)
    (tmp_path / "login.toml").write_text(secretive.LOGIN)
    (tmp_path / "values.toml").write_text(secretive.VALUES)


def told(folder: Path) -> Iterator[tuple[str, bytes]]:
    """What is in every file, unpacked."""
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "values.toml":
            data = path.read_bytes()
            yield str(path.relative_to(folder)), gzip.decompress(data) if path.suffix == ".gz" else data


def found(folder: Path, *said: Done) -> list[tuple[str, str]]:
    places = [*told(folder), *((f"said {n}", f"{each.out}{each.err}".encode()) for n, each in enumerate(said))]
    return [(secret, place) for secret in secretive.ALL for place, data in places if secret.encode() in data]


def test_nothing_tells_a_secret_and_everything_can_be_done_again(here: Command, url: str, tmp_path: Path) -> None:
    said = [here("crawl", url, *ASKED, "--max-events", "5").fine(), here("crawl", url, *ASKED, "--json").fine()]
    ended = json.loads(said[-1].out)
    assert (ended["ended_because"], ended["states"]) == ("complete", 11)
    assert [each["kind"] for each in ended["qualifications"]] == ["error"], "the page throws one, with a password"
    said += [here(*words.split()).fine() for words in AFTER]
    said += [here("export", "out", "--format", name, "--out", f"exported.{name}").fine() for name in FORMATS]
    said.append(here("verify", "out", "--json").fine())
    assert json.loads(said[-1].out)["agreement"] == 1.0
    assert found(tmp_path, *said) == []
    key = tmp_path / "out" / KEY_NAME
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    key.unlink()
    here("verify", "out").refused(2, "crawl.toml holds a secret", "put it back")
    here("crawl", url, *ASKED).refused(2, "some URLs of this crawl contain secrets", "restore that key")


def test_nodes_open_what_others_have_found(here: Command, url: str, tmp_path: Path) -> None:
    done = here("crawl", url, *ASKED, "--nodes", "2", "--json", "--no-report").fine()
    ended = json.loads(done.out)
    assert (ended["ended_because"], ended["states"]) == ("complete", 11)
    assert found(tmp_path, done) == []


def test_who_wants_to_keep_secrets_keeps_them(here: Command, url: str, tmp_path: Path) -> None:
    done = here("crawl", url, *ASKED, "--keep-secrets", "--no-report").fine()
    assert {secret for secret, _ in found(tmp_path, done)} == set(secretive.ALL)
    assert not (tmp_path / "out" / KEY_NAME).exists()
