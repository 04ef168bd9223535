"""Files that a command writes beside its output."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from statecrawl.errors import BadInput

Pieces = Callable[[], Iterable[bytes]]  # all of it, each time it is called


def check_writable(out: Path) -> None:
    """Find out before the work, not after it, that a file cannot be written; leaves no trace."""
    try:
        existed = out.exists()
        if existed and _is_special(out):
            return  # to open a pipe is to wait for its reader, who would then see it end
        with out.open("a"):
            pass
        if not existed:
            out.unlink()
    except OSError as trouble:
        raise _refused(out, trouble) from trouble


def write(out: Path, text: str | Pieces) -> None:
    """All of the text, or of what is made piece by piece; or, whatever happens meanwhile, what was there before.

    Raises BadInput when that is not possible.

    A symbolic link stays one. What is no file, a pipe or a device, is simply written to; so is a file in a folder where
    none can be made or replaced.
    """
    pieces: Pieces = (lambda: [text.encode()]) if isinstance(text, str) else text
    try:
        real = Path(os.path.realpath(out))
        if not os.path.lexists(real):
            _replace(real, pieces)
        elif _is_special(real):
            _overwrite(real, pieces)
        else:
            real.open("a").close()  # what may not be written must not be replaced either
            try:
                _replace(real, pieces)
            except PermissionError:
                _overwrite(real, pieces)
    except OSError as trouble:
        raise _refused(out, trouble) from trouble


def _overwrite(out: Path, pieces: Pieces) -> None:
    with out.open("wb") as file:
        file.writelines(pieces())


def _replace(out: Path, pieces: Pieces) -> None:
    draft = out.with_name(f".statecrawl-{os.getpid()}.tmp")  # not longer than a name may be, whatever its own
    draft.unlink(missing_ok=True)  # of a process with our number that was killed
    try:
        with draft.open("xb") as file:
            file.writelines(pieces())
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            draft.chmod(out.stat().st_mode & 0o7777)
        draft.replace(out)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _is_special(path: Path) -> bool:
    return not (path.is_file() or path.is_dir())


def _refused(out: Path, trouble: OSError) -> BadInput:
    return BadInput(f"cannot write {out}: {trouble.strerror}; name another file with --out.")
