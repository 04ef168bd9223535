"""The settings of a crawl, saved in its folder as the settings file that they would be: `crawl.toml`.

With it, `statecrawl replay` and `verify` need only the folder, and `statecrawl crawl --config DIR/crawl.toml` does the
same crawl elsewhere. Paths of files are absolute. The file holds no secrets: passwords are in the files that it names,
or in the environment, and secrets that were written out on the command line are not saved. Only URLs and commands,
without which nothing could be opened again, keep the secrets in them: sealed with the key in the folder.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from statecrawl.config.options import settings as options_by_name
from statecrawl.config.value_types import FILE
from statecrawl.errors import BadInput
from statecrawl.privacy.redaction import BLANK
from statecrawl.privacy.seals import Sealer, is_sealed
from statecrawl.stores.crawl_key import KEY_NAME, key_of_crawl, read_key
from statecrawl.stores.evidence import check_folder

SETTINGS_NAME = "crawl.toml"


def save_settings(folder: Path, url: str, settings: Mapping[str, Any]) -> None:
    """Write the typed settings of a crawl into its folder. Raises BadInput."""
    draft = folder / f".{SETTINGS_NAME}.tmp"
    try:
        check_folder(folder)
        saved = {"url": url, **to_file(settings)}
        if not settings.get("keep-secrets"):
            saved = {name: _sealed(folder, value) for name, value in saved.items()}
        folder.mkdir(parents=True, exist_ok=True)
        draft.write_text(as_toml(saved), encoding="utf-8")
        draft.replace(folder / SETTINGS_NAME)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "this is not a valid folder name"
        raise BadInput(f"cannot write into {folder}: {reason}; name another directory with --out.") from error


def delete_settings(folder: Path) -> None:
    """Delete what `save_settings` wrote, and the folder if it is empty then."""
    with suppress(OSError):
        (folder / SETTINGS_NAME).unlink()
        (folder / KEY_NAME).unlink(missing_ok=True)
        folder.rmdir()


def to_file(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return typed settings as a settings file has them: without secrets, and without those of this machine."""
    saved: dict[str, Any] = {}
    rows = options_by_name()
    for name, value in settings.items():
        row = rows[name]
        if row.is_local or value is None:
            continue
        public = value if row.without_secrets is None else row.without_secrets(value)
        if public is None or (public == [] and value != []):
            continue
        saved[name] = str(Path(public).absolute()) if row.type is FILE else row.type.to_file(public)
    return saved


def as_toml(settings: Mapping[str, Any]) -> str:
    """Return settings as lines of TOML. Texts and lists are written as in JSON."""
    return "".join(f"{name} = {_toml(value)}\n" for name, value in settings.items())


def unsealed(path: Path, value: Any) -> Any:
    """Return a value of a settings file with the secrets in it. Raises BadInput if their key is missing."""
    if not isinstance(value, str) or not is_sealed(value):
        return value
    opened = Sealer(bytes.fromhex(read_key(path.parent))).opened(value)
    if is_sealed(opened):
        raise BadInput(
            f"{path} holds a secret, and {path.with_name(KEY_NAME)}, which opens it, is missing or another one: put it"
            " back, or give the URL on the command line."
        )
    return opened


def _sealed(folder: Path, value: Any) -> Any:
    if not isinstance(value, str) or BLANK.text(value) == value:
        return value
    return Sealer(bytes.fromhex(key_of_crawl(folder))).text(value)


def _toml(value: Any) -> str:
    # DEL is the one character that JSON leaves as it is and TOML does not accept.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
