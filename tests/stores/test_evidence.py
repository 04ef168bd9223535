"""Evidence: complete files or none, notes once, and nothing outside of the folder."""

import gzip
import json
import resource
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.errors import BadInput, StoreError
from statecrawl.ports.coverage import Script
from statecrawl.ports.page import Note, Snapshot
from statecrawl.privacy.redaction import Redactor
from statecrawl.stores.evidence import EvidenceReader, EvidenceWriter

ID = "0123456789abcdef01234567"
PICTURE = b"\xff\xd8 a picture"
LONE = "half \ud800 a pair"  # JavaScript's strings may hold what no file can
NO_IDS = ["", "..", "../../etc/passwd", "/etc/passwd", "a/b", "ABC", "0g", "a b", "a\n", "a\0", "con:", "．．", "٣"]


def snapshot(state: str = ID, html: str = "<html></html>", **changed: Any) -> Snapshot:
    usual: dict[str, Any] = {
        "events": ("click a",),
        "labels": ("A",),
        "url": "http://host/",
        "title": "title",
        "normal": "\x1f<\x1fhtml\x1e\x1f>\x1fhtml\x1e",
        "links": ("http://host/a",),
        "forms": ({"action": "/", "fields": [["input", "text", "q"]]},),
        "cut": False,
    }
    return Snapshot(state=state, html=html, **(usual | changed))


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@contextmanager
def no_room() -> Iterator[None]:
    """Prevent files from growing, which has the effect of a full disk."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


def keep(evidence: EvidenceWriter, kept: Snapshot, picture: bytes | None) -> None:
    evidence.keep(kept, picture)
    evidence.flush()


def flush(evidence: EvidenceWriter, notes: list[Note]) -> None:
    evidence.note(notes, "aa", None)
    evidence.flush()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "a" / "crawl"


@pytest.fixture
def evidence(folder: Path) -> Iterator[EvidenceWriter]:
    with closing(EvidenceWriter(folder)) as opened:
        yield opened


def test_what_is_kept_of_a_state_can_be_opened_by_anybody(evidence: EvidenceWriter, folder: Path) -> None:
    kept = snapshot()
    keep(evidence, kept, PICTURE)
    assert files(folder) == {
        "notes.jsonl",
        *(f"states/{ID}{suffix}" for suffix in (".html.gz", ".json.gz", ".jpg")),
    }
    states = folder / "states"
    assert gzip.decompress((states / f"{ID}.html.gz").read_bytes()) == b"<html></html>"
    told = json.loads(gzip.decompress((states / f"{ID}.json.gz").read_bytes()))
    assert told == json.loads(json.dumps({name: value for name, value in asdict(kept).items() if name != "html"}))
    assert (states / f"{ID}.jpg").read_bytes() == PICTURE
    assert EvidenceReader(folder).about(ID) == told
    assert EvidenceReader(folder).html(ID) == "<html></html>"


def test_without_a_picture_there_is_none(evidence: EvidenceWriter, folder: Path) -> None:
    keep(evidence, snapshot(), None)
    assert not list(folder.rglob("*.jpg"))


def test_the_same_state_gives_the_same_bytes_whenever_it_is_kept(evidence: EvidenceWriter, folder: Path) -> None:
    path = folder / "states" / f"{ID}.json.gz"
    keep(evidence, snapshot(), None)
    before = path.read_bytes()
    assert before[4:8] == bytes(4), "no time of day"
    keep(evidence, snapshot(), None)
    assert path.read_bytes() == before


@settings(deadline=None)
@given(st.text(), st.text())
def test_any_text_of_a_page_can_be_kept(tmp_path_factory: pytest.TempPathFactory, html: str, title: str) -> None:
    folder = tmp_path_factory.getbasetemp() / "evidence of any text"
    with closing(EvidenceWriter(folder)) as evidence:
        keep(evidence, snapshot(html=html, title=title, labels=(title,)), None)
    assert EvidenceReader(folder).html(ID) == html
    assert EvidenceReader(folder).about(ID)["title"] == title


def test_half_a_pair_of_surrogates(evidence: EvidenceWriter, folder: Path) -> None:
    keep(evidence, snapshot(html=LONE, title=LONE, events=(LONE,)), None)
    evidence.note([Note("console", LONE)], ID, LONE)
    evidence.flush()
    assert evidence.html(ID) == "half \\ud800 a pair"
    assert evidence.about(ID)["title"] == LONE
    (line,) = (folder / "notes.jsonl").read_text(encoding="ascii").splitlines()
    assert json.loads(line)["what"] == LONE


class TestHostileIds:
    """State ids come from the page; one that is not a hash never becomes a file name."""

    @pytest.mark.parametrize("state", NO_IDS)
    def test_keeping(self, state: str, evidence: EvidenceWriter, folder: Path, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match="it interferes with the crawl"):
            keep(evidence, snapshot(state), PICTURE)
        assert files(tmp_path) == {f"{folder.relative_to(tmp_path)}/notes.jsonl"}

    @pytest.mark.parametrize("state", NO_IDS)
    def test_looking(self, state: str, evidence: EvidenceWriter, folder: Path) -> None:
        for secret in (folder / "x.json.gz", folder.parent / "x.json.gz"):
            secret.write_bytes(gzip.compress(b'{"secret": 1}'))
        for name in (state, f"{state}/../../x", "../x", "../../x"):
            with pytest.raises(BadInput, match="there is no evidence of state"):
                evidence.about(name)
            with pytest.raises(BadInput, match="there is no evidence of state"):
                evidence.html(name)

    def test_a_long_one_is_not_quoted_whole(self, evidence: EvidenceWriter) -> None:
        with pytest.raises(StoreError) as caught:
            keep(evidence, snapshot("x" * 100_000), None)
        assert len(str(caught.value)) < 200


class TestReading:
    def test_an_unknown_state(self, evidence: EvidenceWriter) -> None:
        with pytest.raises(BadInput, match=rf"there is no evidence of state {ID} in {evidence.folder}\.$"):
            evidence.about(ID)
        with pytest.raises(BadInput, match=f"there is no evidence of state {ID}"):
            evidence.html(ID)

    @pytest.mark.parametrize(
        "content",
        [b"", b"no gzip", gzip.compress(b"{")[:-9], gzip.compress(b"{"), gzip.compress(b"\xff")],
        ids=["empty", "no gzip", "cut off", "no JSON", "no text"],
    )
    def test_damaged_files_are_none(self, content: bytes, evidence: EvidenceWriter, folder: Path) -> None:
        (folder / "states" / f"{ID}.json.gz").write_bytes(content)
        with pytest.raises(BadInput, match="there is no evidence of state"):
            evidence.about(ID)

    def test_a_flipped_byte_is_noticed(self, evidence: EvidenceWriter, folder: Path) -> None:
        keep(evidence, snapshot(html="<html>" * 1000), None)
        path = folder / "states" / f"{ID}.html.gz"
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 0x55
        path.write_bytes(content)
        with pytest.raises(BadInput, match="there is no evidence of state"):
            evidence.html(ID)

    def test_looking_changes_nothing(self, tmp_path: Path) -> None:
        with pytest.raises(BadInput):
            EvidenceReader(tmp_path / "nowhere").about(ID)
        assert list(tmp_path.iterdir()) == []


class TestNotes:
    def read(self, folder: Path) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (folder / "notes.jsonl").read_text().splitlines()]

    def test_each_is_told_once_wherever_it_was_made(self, evidence: EvidenceWriter, folder: Path) -> None:
        same = Note("request", ["GET", "http://host/a"])
        evidence.note([same, same], "aa", "click a")
        evidence.note(
            [same, Note("request", ["GET", "http://host/b"]), Note("window", ["GET", "http://host/a"])], "bb", None
        )
        evidence.flush()
        assert self.read(folder) == [
            {"kind": "request", "what": ["GET", "http://host/a"], "state": "aa", "event": "click a"},
            {"kind": "request", "what": ["GET", "http://host/b"], "state": "bb", "event": None},
            {"kind": "window", "what": ["GET", "http://host/a"], "state": "bb", "event": None},
        ]

    def test_also_after_reopening(self, folder: Path) -> None:
        for _ in range(3):
            with closing(EvidenceWriter(folder)) as evidence:
                evidence.note(
                    [Note("error", LONE), Note("error", "ä"), Note("error", {"b": 1, "a": [None, 2.5]})], "aa", None
                )
        assert [note["what"] for note in self.read(folder)] == [LONE, "ä", {"b": 1, "a": [None, 2.5]}]

    @pytest.mark.parametrize(
        "cut", ['{"kind": "er', '{"kind": "error", "what": "a", "state": "aa", "event": null}', "\udcff", "[]"]
    )
    def test_a_line_cut_off_by_a_crash_does_not_spoil_the_next(self, cut: str, folder: Path) -> None:
        folder.mkdir(parents=True)
        path = folder / "notes.jsonl"
        path.write_text(f'{{"kind": "error", "what": 1}}\n{cut}', errors="surrogateescape")
        with closing(EvidenceWriter(folder)) as evidence:
            evidence.note([Note("error", "next"), Note("error", "and next")], "aa", None)
        lines = path.read_text(errors="surrogateescape").splitlines()
        assert lines[1] == cut
        assert [json.loads(line)["what"] for line in lines[2:]] == ["next", "and next"]

    def test_a_line_that_is_no_note_does_not_hide_one(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        (folder / "notes.jsonl").write_text('"error"\n{"kind": "error"}\n\n')
        with closing(EvidenceWriter(folder)) as evidence:
            evidence.note([Note("error", None)], "aa", None)
        assert len((folder / "notes.jsonl").read_text().splitlines()) == 4

    @settings(deadline=None, max_examples=50)
    @given(st.lists(st.tuples(st.text(), st.recursive(st.none() | st.booleans() | st.text(), st.lists, max_leaves=5))))
    def test_any_notes(self, tmp_path_factory: pytest.TempPathFactory, told: list[tuple[str, Any]]) -> None:
        folder = tmp_path_factory.mktemp("notes")
        notes = [Note(kind, what) for kind, what in told]
        for _ in range(2):
            with closing(EvidenceWriter(folder)) as evidence:
                evidence.note(notes, "aa", None)
        kept = [(note["kind"], note["what"]) for note in self.read(folder)]
        assert all(note in told for note in kept)
        assert all(kept.count(note) == 1 for note in told)


class TestTrouble:
    """Every error of the operating system becomes one sentence, and leaves no partial files."""

    def test_a_folder_that_cannot_be_made(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        for folder in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / ("x" * 300), Path("a\0b")):
            with pytest.raises(BadInput, match=r"cannot write into .*; name another directory with --out\.$"):
                EvidenceWriter(folder)

    @pytest.mark.skipif(not Path("/sys/kernel").exists(), reason="needs a folder that even root cannot write into")
    def test_a_folder_that_may_not_be_written(self) -> None:
        with pytest.raises(
            BadInput, match=r"cannot write into /sys/kernel/x: (Operation not permitted|Permission denied|Read-only)"
        ):
            EvidenceWriter(Path("/sys/kernel/x"))

    def test_a_folder_of_somebody_else(self, tmp_path: Path) -> None:
        (tmp_path / "index.html").write_text("mine")
        with pytest.raises(BadInput, match="contains other files but no crawl: name a new directory with --out"):
            EvidenceWriter(tmp_path)
        assert [path.name for path in tmp_path.iterdir()] == ["index.html"]

    def test_a_folder_in_which_a_crawl_was_begun(self, tmp_path: Path) -> None:
        (tmp_path / "notes.jsonl").touch()
        (tmp_path / "report.pdf").touch()
        EvidenceWriter(tmp_path).close()

    @pytest.mark.parametrize("suffix", [".html.gz", ".json.gz", ".jpg"])
    def test_a_disk_that_takes_no_more_leaves_no_half_of_a_state(
        self, suffix: str, evidence: EvidenceWriter, folder: Path
    ) -> None:
        """Writing each file fails: first because a folder has the name of its draft, then because the disk is full."""
        keep(evidence, snapshot(html="before"), PICTURE)
        path = folder / "states" / f"{ID}{suffix}"
        before = path.read_bytes()
        draft = folder / "states" / f".{ID}{suffix}.tmp"
        draft.mkdir()
        with pytest.raises(
            StoreError, match=r"Is a directory; make room, then run the same command again to resume\.$"
        ):
            keep(evidence, snapshot(html="after", title="after"), PICTURE + b"after")
        draft.rmdir()
        with no_room(), pytest.raises(StoreError, match=r"cannot write into .*: File too large; make room"):
            evidence.flush()
        assert path.read_bytes() == before
        assert not list((folder / "states").glob(".*")), "no draft stays"
        evidence.flush()
        assert path.read_bytes() != before, "there is room again, and nothing was forgotten"

    @pytest.mark.parametrize("notes", [1, 10_000])
    def test_a_disk_that_takes_no_more_notes(self, notes: int, evidence: EvidenceWriter) -> None:
        """On flush, or when the buffer is full. Closing works anyway."""
        said = [Note("error", f"{number:0100}") for number in range(notes)]
        with no_room():
            with pytest.raises(StoreError, match=r"cannot write into .*: File too large; make room"):
                flush(evidence, said)
            with suppress(StoreError):
                evidence.close()
        evidence.close()

    def test_a_folder_that_went_away(self, evidence: EvidenceWriter, folder: Path) -> None:
        (folder / "states").rmdir()
        with pytest.raises(StoreError, match=r"cannot write into .*: No such file or directory"):
            keep(evidence, snapshot(), None)

    def test_a_draft_left_by_a_crash_is_overwritten(self, evidence: EvidenceWriter, folder: Path) -> None:
        (folder / "states" / f".{ID}.html.gz.tmp").write_bytes(b"half of a fi")
        keep(evidence, snapshot(), None)
        assert evidence.html(ID) == "<html></html>"
        assert not list((folder / "states").glob(".*"))


def script(url: str, *covered: tuple[int, int]) -> Script:
    return Script(url=url, hash="00", length=9, covered=covered, functions=())


def test_coverage_of_several_runs_is_added_up(tmp_path: Path) -> None:
    for covered in ((0, 3), (5, 9)):
        with closing(EvidenceWriter(tmp_path / "crawl")) as evidence:
            evidence.add_coverage([script("http://a.test/a.js", covered)])
    reader = EvidenceReader(tmp_path / "crawl")
    assert reader.coverage() == [script("http://a.test/a.js", (0, 3), (5, 9))]
    (tmp_path / "crawl" / "coverage.json").write_text('[{"url": 7}]')
    assert reader.coverage() == [], "what is no coverage is none"


def test_secrets_in_addresses_of_scripts_are_taken_out(tmp_path: Path) -> None:
    with closing(EvidenceWriter(tmp_path, Redactor(literals=["hunter2hunter2"]))) as evidence:
        evidence.add_coverage([script("http://a.test/a.js?password=hunter2hunter2", (0, 3))])
    assert "hunter2" not in (tmp_path / "coverage.json").read_text()


def test_pictures_documents_and_notes_are_found_again(tmp_path: Path) -> None:
    with closing(EvidenceWriter(tmp_path)) as evidence:
        evidence.keep(snapshot(html="<p>"), PICTURE)
        evidence.note([Note("error", "boom")], ID, None)
    reader = EvidenceReader(tmp_path)
    assert gzip.decompress(reader.compressed_html(ID) or b"") == b"<p>"
    picture = reader.picture(ID)
    assert picture is not None
    assert picture.read_bytes() == PICTURE
    assert [json.loads(line)["what"] for line in reader.notes()] == ["boom"]
    assert (reader.compressed_html("00"), reader.picture("../x")) == (None, None)
