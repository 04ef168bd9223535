"""Output files are written completely or not at all."""

import os
import threading
from pathlib import Path

import pytest

from statecrawl.cli.output_files import check_writable, write
from statecrawl.errors import BadInput


def test_an_interrupted_write_leaves_the_old_page_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.html"
    write(page, "old")

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    for out in (page, tmp_path / "new.html"):
        with pytest.raises(KeyboardInterrupt):
            write(out, "new")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("page.html", "old")]


def test_a_link_stays_a_link_and_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    page, link = tmp_path / "page.html", tmp_path / "link.html"
    page.write_text("old")
    page.chmod(0o640)
    link.symlink_to(page.name)
    write(link, "new – ü")
    assert link.is_symlink()
    assert page.read_text(encoding="utf-8") == "new – ü"
    assert page.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.html", "page.html"]


def test_a_new_file_has_the_usual_permissions_and_may_have_the_longest_name(tmp_path: Path) -> None:
    usual = tmp_path / "usual"
    usual.touch()
    page = tmp_path / ("x" * 255)
    check_writable(page)
    write(page, "new")
    assert page.stat().st_mode == usual.stat().st_mode


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.html"
    os.mkfifo(pipe)
    check_writable(pipe)  # does not wait for a reader
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write(pipe, "new")
    reader.join()
    assert read == ["new"]
    assert pipe.is_fifo()


def test_where_nothing_can_be_replaced_the_file_is_written_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.html"
    page.write_text("old")

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "replace", refuse)
    write(page, "new")
    assert page.read_text() == "new"
    with pytest.raises(BadInput, match=r"cannot write .*new\.html: Operation not permitted; choose another file"):
        write(tmp_path / "new.html", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_a_link_that_leads_to_itself(tmp_path: Path) -> None:
    loop = tmp_path / "loop.html"
    loop.symlink_to(loop)
    with pytest.raises(BadInput, match="symbolic links"):
        write(loop, "new")
    assert loop.is_symlink()
