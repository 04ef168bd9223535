"""Writing output files without ever leaving a partial one behind."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from statecrawl.errors import BadInput

Pieces = Callable[[], Iterable[bytes]]  # yields the whole content each time it is called


def check_writable(out: Path) -> None:
    """Raise BadInput if a file cannot be written, before the work starts. Leaves no trace."""
    try:
        existed = out.exists()
        if existed and _is_special(out):
            return  # opening a pipe would wait for its reader, and closing it would end the reader's input
        with out.open("a"):
            pass
        if not existed:
            out.unlink()
    except OSError as error:
        raise _cannot_write(out, error) from error


def write(out: Path, text: str | Pieces) -> None:
    """Write a file atomically: after an error or a crash, it still has its previous content.

    Symbolic links are followed. Pipes and devices are written directly; so are files in a directory in which files
    cannot be created or replaced. Raises BadInput if the file cannot be written.
    """
    pieces: Pieces = (lambda: [text.encode()]) if isinstance(text, str) else text
    try:
        real = Path(os.path.realpath(out))
        if not os.path.lexists(real):
            _replace(real, pieces)
        elif _is_special(real):
            _overwrite(real, pieces)
        else:
            real.open("a").close()  # a file without write permission must not be replaced either
            try:
                _replace(real, pieces)
            except PermissionError:
                _overwrite(real, pieces)
    except OSError as error:
        raise _cannot_write(out, error) from error


def _overwrite(out: Path, pieces: Pieces) -> None:
    with out.open("wb") as file:
        file.writelines(pieces())


def _replace(out: Path, pieces: Pieces) -> None:
    draft = out.with_name(f".statecrawl-{os.getpid()}.tmp")  # short: adding a suffix could exceed the name limit
    draft.unlink(missing_ok=True)  # left behind by a killed process with the same id
    try:
        with draft.open("xb") as file:
            file.writelines(pieces())
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            draft.chmod(out.stat().st_mode & 0o7777)
        draft.replace(out)
    finally:
        draft.unlink(missing_ok=True)  # still there only after an error


def _is_special(path: Path) -> bool:
    return not (path.is_file() or path.is_dir())


def _cannot_write(out: Path, error: OSError) -> BadInput:
    return BadInput(f"cannot write {out}: {error.strerror}; choose another file with --out.")
