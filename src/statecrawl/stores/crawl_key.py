"""The key of a crawl, in its folder: it opens the secrets that names of events and the address hold (`privacy.seals`).

Only its owner may read the file. A folder that is handed on without it is complete, but for going on with the crawl and
for walking to states behind such an address.
"""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from statecrawl.errors import BadInput

KEY_NAME = "crawl.key"
KEY_BYTES = 32


def kept_key(folder: Path) -> str:
    """The key of the crawl in a folder, made up the first time; in hexadecimal digits. Raises BadInput."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            _write(folder, secrets.token_hex(KEY_BYTES), "x")
        return read_key(folder)
    except (OSError, ValueError) as trouble:
        reason = trouble.strerror if isinstance(trouble, OSError) else "no folder has such a name"
        raise BadInput(f"cannot write into {folder}: {reason}; name another folder with --out.") from trouble


def read_key(folder: Path) -> str:
    """The same, or nothing where there is none. Raises BadInput for a file that is no key."""
    try:
        key = (folder / KEY_NAME).read_text(encoding="ascii").strip()
        if len(bytes.fromhex(key)) == KEY_BYTES:
            return key
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except ValueError:
        pass
    except OSError as trouble:
        raise BadInput(f"cannot read {folder / KEY_NAME}: {trouble.strerror}.") from trouble
    raise BadInput(f"{folder / KEY_NAME} is no key: put back the one that the crawl was begun with.")


def keep_key(folder: Path, key: str) -> None:
    """Have the folder keep the key of a crawl that was begun elsewhere. Raises BadInput."""
    if key and read_key(folder) != key:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):
                (folder / KEY_NAME).unlink()
            _write(folder, key, "x")
        except OSError as trouble:
            raise BadInput(f"cannot write into {folder}: {trouble.strerror}.") from trouble


def _write(folder: Path, key: str, mode: str) -> None:
    with open(folder / KEY_NAME, mode, opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(f"{key}\n")
