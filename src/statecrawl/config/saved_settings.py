"""The settings of a crawl, kept in its folder as the configuration file that they would be: `crawl.toml`.

So a state can be walked to again by whoever has the folder, and `statecrawl crawl --config DIR/crawl.toml` does the
same crawl elsewhere. Files that it names are named in full. It holds no secrets: passwords are in the files that it
names, or in the environment, and what was written out on the command line is not kept. Only what nothing can be opened
again without, addresses and commands, keeps what is secret in it: sealed, and opened by the key in the folder.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from statecrawl.config.access import without_secrets
from statecrawl.errors import BadInput
from statecrawl.privacy.redaction import BLANK
from statecrawl.privacy.seals import Sealer, is_sealed
from statecrawl.stores.crawl_key import KEY_NAME, key_of_crawl, read_key
from statecrawl.stores.evidence import check_folder

SETTINGS_NAME = "crawl.toml"
FILES = frozenset({"login", "values", "client-cert", "client-key"})
HERE = frozenset({"out", "browser"})  # of this machine, and of no use elsewhere


def keep(folder: Path, url: str, known: Mapping[str, Any]) -> None:
    """Write the settings of a crawl into its folder. Raises BadInput."""
    kept = {name: value for name, value in without_secrets(known).items() if name not in HERE}
    draft = folder / f".{SETTINGS_NAME}.tmp"
    try:
        check_folder(folder)
        settings = {"url": url, **kept}
        if not known.get("keep-secrets"):
            settings = {name: _sealed(folder, value) for name, value in settings.items()}
        folder.mkdir(parents=True, exist_ok=True)
        draft.write_text(as_toml(settings), encoding="utf-8")
        draft.replace(folder / SETTINGS_NAME)
    except (OSError, ValueError) as trouble:
        reason = trouble.strerror if isinstance(trouble, OSError) else "this is not a valid folder name"
        raise BadInput(f"cannot write into {folder}: {reason}; name another folder with --out.") from trouble


def drop(folder: Path) -> None:
    """Take away what `keep` wrote, and the folder if there is nothing else in it."""
    with suppress(OSError):
        (folder / SETTINGS_NAME).unlink()
        (folder / KEY_NAME).unlink(missing_ok=True)
        folder.rmdir()


def unsealed(path: Path, value: Any) -> Any:
    """What a file of settings says, with the secrets in it. Raises BadInput where their key is not."""
    if not isinstance(value, str) or not is_sealed(value):
        return value
    opened = Sealer(bytes.fromhex(read_key(path.parent))).opened(value)
    if is_sealed(opened):
        raise BadInput(
            f"{path} holds a secret, and {path.with_name(KEY_NAME)}, which opens it, is not there or another one: put"
            " it back, or give the address on the command line."
        )
    return opened


def _sealed(folder: Path, value: Any) -> Any:
    if not isinstance(value, str) or BLANK.text(value) == value:
        return value
    return Sealer(bytes.fromhex(key_of_crawl(folder))).text(value)


def as_toml(settings: Mapping[str, Any]) -> str:
    """Settings as lines of TOML, whose texts and lists are written like those of JSON."""
    lines = []
    for name, value in settings.items():
        if name in FILES:
            value = str(Path(value).absolute())
        if value is not None:
            lines.append(f"{name} = {_written(value)}\n")
    return "".join(lines)


def _written(value: Any) -> str:
    # DEL is the one character that JSON leaves as it is and TOML does not take.
    return json.dumps(str(value) if isinstance(value, Path) else value, ensure_ascii=False).replace("\x7f", "\\u007f")
