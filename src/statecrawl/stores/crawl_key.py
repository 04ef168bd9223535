"""Key of a crawl, stored in its directory: it opens the secrets sealed in event ids and URLs (`privacy.seals`).

Only the owner may read the file. A directory without it is complete, except that the crawl cannot be resumed and states
behind URLs with secrets cannot be reached.
"""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from statecrawl.errors import BadInput

KEY_NAME = "crawl.key"
KEY_BYTES = 32


def key_of_crawl(folder: Path) -> str:
    """Return the key of the crawl in a folder, in hexadecimal digits. Creates it if missing. Raises BadInput."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            _write(folder, secrets.token_hex(KEY_BYTES), "x")
        return read_key(folder)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "this is not a valid directory name"
        raise BadInput(f"cannot write into {folder}: {reason}; name another directory with --out.") from error


def read_key(folder: Path) -> str:
    """Return the key of the crawl in a folder, or "" if there is none. Raises BadInput if the file is not a key."""
    try:
        key = (folder / KEY_NAME).read_text(encoding="ascii").strip()
        if len(bytes.fromhex(key)) == KEY_BYTES:
            return key
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except ValueError:
        pass
    except OSError as error:
        raise BadInput(f"cannot read {folder / KEY_NAME}: {error.strerror}.") from error
    raise BadInput(f"{folder / KEY_NAME} is not a valid key: restore the one that the crawl was started with.")


def store_key(folder: Path, key: str) -> None:
    """Store the key of a crawl that was started elsewhere. Raises BadInput."""
    if key and read_key(folder) != key:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):
                (folder / KEY_NAME).unlink()
            _write(folder, key, "x")
        except OSError as error:
            raise BadInput(f"cannot write into {folder}: {error.strerror}.") from error


def _write(folder: Path, key: str, mode: str) -> None:
    with open(folder / KEY_NAME, mode, opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(f"{key}\n")
