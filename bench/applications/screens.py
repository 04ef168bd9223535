"""Screens: how many structurally different pages a crawler has seen. Independent of how statecrawl tells states apart.

A screen is a distinct pair of
    URL template     the path, and the fragment if it is a route (`#/…`), with numbers and ids replaced, and the names
                     of the query's parameters
    skeleton         the visible landmarks, headings, forms, controls, tables, lists and dialogs, as a tree without
                     texts, values and states; of siblings with the same skeleton only one counts, and their order does
                     not

Independent parts of a page multiply screens, as they multiply states: ten sections that open and close make a thousand.
So there is a second figure that only adds them up. A place is a distinct pair of URL template and path through the
skeleton, from its root to an element ("main > form > button").

Visibility is judged by rendering the HTML that was seen, with the style sheets of the application but without its
scripts. So what a script styles without changing the document (`insertRule`, adopted style sheets) is not considered.
"""

import asyncio
import base64
import hashlib
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from bench.applications.offline_browser import NO_OTHER_HOSTS
from statecrawl.browser.chromium import Chromium
from statecrawl.browser.context_targets import open_page
from statecrawl.browser.devtools import Session, ignore
from statecrawl.errors import BrowserError

SKELETON = (Path(__file__).parent / "skeleton.js").read_text(encoding="utf-8")
IDENTIFIER = re.compile(r"(?=[^/]*\d)[\w-]{8,}|\d+")
TOKEN = re.compile(r"[(),]|[^(),]+")  # of a skeleton
ROUTE = re.compile(r"!?/")
RENDER_SECONDS = 5.0  # for one document, style sheets included; later ones are skipped
HASH_CHARACTERS = 8


@dataclass(frozen=True, slots=True)
class Seen:
    """Screens and places of a crawl, as hashes."""

    screens: frozenset[str]
    places: frozenset[str]


async def seen_in(documents: Iterable[tuple[str, str]]) -> Seen:
    """Return the screens and places of documents. The server of the application must run."""
    chromium = await Chromium.start(flags=(NO_OTHER_HOSTS,))
    try:
        renderer = _Renderer(await open_page(chromium.connection))
        await renderer.start()
        found = [(template(url), await renderer.skeleton(url, html)) for url, html in documents]
    finally:
        await chromium.close()
    shown = {(address, skeleton) for address, skeleton in found if skeleton is not None}
    return Seen(
        frozenset(_hash(f"{address} {skeleton}") for address, skeleton in shown),
        frozenset(_hash(f"{address} {path}") for address, skeleton in shown for path in paths(skeleton)),
    )


def paths(skeleton: str) -> set[str]:
    """Return the paths from the root of a skeleton to each of its elements: of "a(b,c)", "a", "a > b" and "a > c"."""
    found, outer, last = set(), [""], ""
    for part in TOKEN.findall(skeleton):
        if part == "(":
            outer.append(f"{last} > ")
        elif part == ")":
            outer.pop()
        elif part != ",":
            last = outer[-1] + part
            found.add(last)
    return found


def template(url: str) -> str:
    """Return the URL without its origin, numbers, ids and values."""
    parts = urlsplit(url)
    names = sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)})
    route = parts.fragment.partition("?")[0] if ROUTE.match(parts.fragment) else ""
    return f"{_without_ids(parts.path)}?{'&'.join(names)}#{_without_ids(route)}"


def _without_ids(path: str) -> str:
    return IDENTIFIER.sub("*", path)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:HASH_CHARACTERS]


class _Renderer:
    """A page that shows one document after the other at the URL where it was seen, without scripts."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._html = ""
        self._frame = ""

    async def start(self) -> None:
        session = self._session
        session.on("Fetch.requestPaused", self._answer)
        await session.call("Page.enable")
        await session.call("Emulation.setScriptExecutionDisabled", value=True)
        tree = await session.call("Page.getFrameTree")
        self._frame = tree["frameTree"]["frame"]["id"]
        await session.call("Fetch.enable", patterns=[{"urlPattern": "*", "resourceType": "Document"}])

    async def skeleton(self, url: str, html: str) -> str | None:
        """Return the visible structure of a document; None if it cannot be rendered."""
        self._html = html
        loaded = asyncio.Event()
        forget = self._session.on("Page.loadEventFired", lambda _: loaded.set())
        try:
            with suppress(BrowserError, TimeoutError):
                async with asyncio.timeout(2 * RENDER_SECONDS):
                    await self._session.call("Page.navigate", url=url.partition("#")[0])
                    with suppress(TimeoutError):
                        await asyncio.wait_for(loaded.wait(), RENDER_SECONDS)
                    answer = await self._session.call("Runtime.evaluate", expression=SKELETON, returnByValue=True)
                    return str(answer["result"]["value"]) if "value" in answer["result"] else None
        finally:
            forget()
        return None

    def _answer(self, paused: dict[str, Any]) -> None:
        """Answer a request for a document; frames stay empty."""
        html = f"<!doctype html>{self._html}" if paused["frameId"] == self._frame else ""
        body = base64.b64encode(html.encode("utf-8", "replace")).decode()
        headers = [{"name": "Content-Type", "value": "text/html; charset=utf-8"}]
        ignore(
            self._session.post(
                "Fetch.fulfillRequest",
                requestId=paused["requestId"],
                responseCode=200,
                responseHeaders=headers,
                body=body,
            )
        )
