"""Standalone pages: HTML files that need no network and no other file.

A page consists of a body template, style sheets and at most one script, all taken from `report/assets`. Its content
security policy allows nothing else: the script is admitted by its hash, so markup that slips through cannot run code.
"""

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files
from string import Template

from statecrawl.report.page.markup import tag

HEAD = """\
<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">{title}<style>{style}</style></head>
<body>
"""


def asset(name: str) -> str:
    """Return the text of a file in `report/assets`."""
    return files("statecrawl.report").joinpath("assets", name).read_text(encoding="utf-8")


def standalone_page(
    body: str, title: str, styles: Sequence[str], *, script: str | None = None, images: str = "data:", **parts: object
) -> str:
    """Return a page whose body is the template named `body`, filled in with `parts`.

    `styles` and `script` name further assets; `images` are the sources from which the policy allows pictures.
    """
    code = "" if script is None else asset(script)
    page = HEAD.format(
        policy="; ".join(
            [
                "default-src 'none'",
                *([f"script-src 'sha256-{_digest(code)}'"] if code else []),
                "style-src 'unsafe-inline'",
                f"img-src {images}",
                "form-action 'none'",
                "base-uri 'none'",
            ]
        ),
        title=tag("title", title),
        style="".join(map(asset, styles)),
    )
    return (
        f"{page}{Template(asset(body)).substitute(parts)}{f'<script>{code}</script>' if code else ''}</body></html>\n"
    )


def _digest(code: str) -> str:
    return base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
