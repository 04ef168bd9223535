"""Files that a command writes beside its output."""

from pathlib import Path

from statecrawl.errors import BadInput


def check_writable(out: Path) -> None:
    """Find out before the work, not after it, that a file cannot be written; leaves no trace."""
    try:
        existed = out.exists()
        with out.open("a"):
            pass
        if not existed:
            out.unlink()
    except OSError as trouble:
        raise _refused(out, trouble) from trouble


def write(out: Path, text: str) -> None:
    """Raises BadInput when that is not possible."""
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as trouble:
        raise _refused(out, trouble) from trouble


def _refused(out: Path, trouble: OSError) -> BadInput:
    return BadInput(f"cannot write {out}: {trouble.strerror}; name another file with --out.")
