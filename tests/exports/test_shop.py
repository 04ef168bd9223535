"""A shop with a log-in, crawled in a real Chromium: its traffic is kept without secrets, and every export opens."""

import asyncio
import gzip
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from warcio.archiveiterator import ArchiveIterator

from statecrawl.config.plan import CrawlPlan
from statecrawl.config.plan_builder import crawl_plan
from statecrawl.crawler.assembly import crawl
from statecrawl.crawler.outcome import Outcome
from statecrawl.errors import BadInput
from statecrawl.journal.fold import fold
from statecrawl.ports.traffic import Exchange
from statecrawl.results.export import CRAWL_FORMATS
from statecrawl.results.export import opened as crawl_in
from statecrawl.stores.evidence import JOURNAL_NAME
from statecrawl.stores.sqlite_journal import open_reader
from statecrawl.stores.traffic import TrafficReader
from tests.exports.har_schema import HAR
from tests.exports.shop import PASSWORD, Shop, opened

pytestmark = pytest.mark.product

LOGIN = """session = "#account"
[[step]]
fill = "#user"
value = "ann"
[[step]]
fill = "#password"
env = "SHOP_PASSWORD"
[[step]]
click = "button"
"""


@pytest.fixture(scope="module")
def crawls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Shop]]:
    """The folder `redacted`, crawled twice, and `kept`, with all secrets, crawled in part."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "login.toml").write_text(LOGIN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SHOP_PASSWORD", PASSWORD)
        shop = Shop()

        async def run(plan: CrawlPlan) -> Outcome:
            return await crawl(plan, lambda _: None, lambda _: None)

        async def run_all() -> None:
            async with opened(shop) as url:
                given = {"login": str(folder / "login.toml"), "out": str(folder / "redacted"), "learn": 0}
                plan = crawl_plan(url, given | {"no-screenshots": True, "reset-cost": 2.0})
                assert (await run(plan)).complete
                before = (folder / "redacted" / "traffic" / "index.jsonl").read_bytes()
                assert (await run(plan)).complete
                assert (folder / "redacted" / "traffic" / "index.jsonl").read_bytes() == before, "nothing is kept twice"
                kept = replace(plan, out=folder / "kept", keep_secrets=True)
                assert (await run(kept)).complete
                with pytest.raises(BadInput, match="holds a crawl with keep-secrets on, not off"):
                    await run(replace(kept, keep_secrets=False))

        asyncio.run(run_all())
        yield folder, shop


def contents(folder: Path) -> Iterator[tuple[Path, bytes]]:
    for path in folder.rglob("*"):
        if path.is_file():
            yield path, gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def states(folder: Path) -> list[str]:
    with closing(open_reader(folder / JOURNAL_NAME)) as reader:
        return sorted(fold(reader.read()).graph.ids)


def exchanges(folder: Path) -> list[tuple[Exchange, str | None]]:
    return [(recorded.exchange, recorded.places[0][1]) for recorded in TrafficReader(folder).read()]


def test_no_secret_is_written_anywhere(crawls: tuple[Path, Shop]) -> None:
    folder, shop = crawls
    secrets = {PASSWORD.encode(), shop.csrf.encode(), *(session.encode() for session in shop.sessions)}
    leaks = [
        (path, secret) for path, content in contents(folder / "redacted") for secret in secrets if secret in content
    ]
    assert leaks == []
    kept = b"".join(content for _, content in contents(folder / "kept"))
    assert PASSWORD.encode() in kept
    assert shop.csrf.encode() in kept
    assert states(folder / "kept") == states(folder / "redacted"), "redaction makes no other states"


def test_everything_that_was_said_is_kept_and_where(crawls: tuple[Path, Shop]) -> None:
    told = {
        (exchange.method, exchange.url.split("/", 3)[3], exchange.status): (exchange, event)
        for exchange, event in exchanges(crawls[0] / "redacted")
    }
    assert told.keys() == {
        ("GET", "", 302),
        ("GET", "login", 200),
        ("POST", "login", 302),
        ("GET", "", 200),
        ("GET", "app.js", 200),
        ("GET", "api/goods/11?currency=EUR", 200),
        ("GET", "api/goods/12?currency=EUR", 200),
        ("POST", "api/cart", 201),
    }
    chair, event = told["GET", "api/goods/11?currency=EUR", 200]
    assert (chair.response_body, event) == (b'{"name": "chair", "price": 5}', "click button#chairs")
    assert chair.kind == "Fetch"
    assert chair.timings.wait >= 0
    cart, event = told["POST", "api/cart", 201]
    assert json.loads(cart.request_body or b"")["item"] == 11
    assert event == "click button#put"
    login, event = told["POST", "login", 302]
    assert event is None
    assert (login.request_body or b"").startswith(b"user=ann&password=REDACTED-")
    assert any(name == "Set-Cookie" and value.startswith("sid=REDACTED-") for name, value in login.response_headers)
    cookies = {value for exchange, _ in told.values() for name, value in exchange.request_headers if name == "Cookie"}
    assert len(cookies) == 1, "equal secrets look equal"


def written(folder: Path, name: str) -> bytes:
    return b"".join(CRAWL_FORMATS[name].files[""](crawl_in(folder, name)))


def test_exports_open(crawls: tuple[Path, Shop]) -> None:
    folder = crawls[0] / "redacted"
    archive = json.loads(written(folder, "har"))
    Draft202012Validator(HAR).validate(archive)
    assert len(archive["log"]["entries"]) == 8
    records = ArchiveIterator(BytesIO(written(folder, "warc")), check_digests="raise")
    assert [record.rec_type for record in records] == ["warcinfo", *(["response", "request", "metadata"] * 8)]
    api = json.loads(written(folder, "openapi"))
    OpenAPIV31SpecValidator(api).validate()
    assert api["paths"].keys() == {"/api/cart", "/api/goods/{goodId}"}
    urls = written(folder, "urls").decode().split()
    assert [url.split("/", 3)[3] for url in urls][:2] == ["", "api/cart"]
