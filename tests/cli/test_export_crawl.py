"""`statecrawl export` of the data of a crawl that go beyond the model."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from statecrawl.cli.main import main
from statecrawl.stores.evidence import EvidenceWriter
from tests.cli.command import Done
from tests.crawler.crawl_folder import ONE, crawl_folder
from tests.exports.made_up import answered

Export = Callable[..., Done]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return crawl_folder(tmp_path / "crawl-host")


@pytest.fixture
def export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Export:
    monkeypatch.chdir(tmp_path)

    def command(*args: str | Path) -> Done:
        monkeypatch.setattr("sys.argv", ["statecrawl", "export", *map(str, args)])
        with pytest.raises(SystemExit) as ended:
            main()
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, *capfd.readouterr())

    return command


def test_urls_and_tables_need_no_traffic(folder: Path, export: Export, tmp_path: Path) -> None:
    assert "http://host/cart\n" in export(folder, "--format", "urls").fine().out
    done = export(folder, "--out", "map.xml").fine()
    assert done.err == "wrote map.xml\n"
    assert "<loc>http://host/cart?n=4</loc>" in (tmp_path / "map.xml").read_text()
    export(folder, "--format", "csv", "--out", "tables").fine()
    assert {path.name for path in (tmp_path / "tables").iterdir()} == {"states.csv", "transitions.csv", "urls.csv"}


def test_missing_data_is_reported_in_a_sentence(folder: Path, export: Export, tmp_path: Path) -> None:
    for name in ("har", "warc", "openapi"):
        export(folder, "--format", name).refused(2, f"{name} needs the traffic", "crawl again without --no-traffic")
    export(folder, "--format", "csv").refused(
        2, "csv consists of several files (states.csv, transitions.csv, urls.csv): choose"
    )
    export("tiny", "--format", "har").refused(2, "needs the directory of a crawl, and tiny is none")
    export(folder, "--format", "hra").refused(2, "unknown format 'hra': did you mean har?")
    (tmp_path / "file").touch()
    export(folder, "--format", "csv", "--out", "file").refused(2, "cannot write to file: File exists")


def test_traffic_is_written_to_the_requested_file(folder: Path, export: Export, tmp_path: Path) -> None:
    with closing(EvidenceWriter(folder)) as evidence:
        evidence.note([answered("http://host/api/1", b"{}")], ONE, None)
        evidence.flush()
    export(folder, "--out", "a.har").fine()
    assert export(folder, "--format", "har").fine().out == (tmp_path / "a.har").read_text()
    export(folder, "--out", "a.warc.gz").fine()
    assert (tmp_path / "a.warc.gz").read_bytes().startswith(b"\x1f\x8b")
    assert '"/api/{apiId}"' in export(folder, "--format", "openapi").fine().out
