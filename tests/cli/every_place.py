"""A small site that contains URLs in every place where one can be found."""

import gzip
from collections import Counter

from aiohttp import web

ICON = "<link rel=icon href='data:,'>"
FIRST = f"""<!doctype html><title>First</title>{ICON}
<link rel=stylesheet href=/style.css><link rel=manifest href=/site.webmanifest>
<meta property=og:url content=/in-meta><script src=/static/app.js></script>
<a href=/linked ping=/pinged>linked</a> <a href="http://elsewhere.invalid/x?token=abcdefgh12345678">out</a>
<form action=/formed><input name=q><button formaction=/formed-too type=button>b</button></form>
<img alt="" srcset="/small.png 1x, /large.png 2x"><p data-url=/in-data hx-get=/in-htmx>p</p>
<template><a href=/in-template>t</a></template><!-- <a href="/in-comment">gone</a> -->
<script>window.later = () => fetch("/api/" + id + "/parts");</script>
<iframe hidden srcdoc="<a href='/in-srcdoc'>x</a>"></iframe>
"""
SITEMAP = "<?xml version='1.0'?><{0} xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{1}</{0}>"
LOC = "<url><loc>{}</loc></url>"


class EveryPlace:
    """Counts its requests."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.url = ""

    async def start(self) -> None:
        application = web.Application()
        application.router.add_get("/{path:.*}", self._answer)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/"

    async def close(self) -> None:
        await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.Response:
        self.asked[request.path] += 1
        home = self.url.rstrip("/")
        known: dict[str, tuple[str, bytes | str]] = {
            "/": ("text/html", FIRST),
            "/style.css": ("text/css", "@import '/more.css'; p { background: url(/in-css.png) }"),
            "/more.css": ("text/css", ""),
            "/static/app.js": (
                "text/javascript",
                "const help = '/in-script'; fetch('list.json?page=1').then((got) => got.text())",
            ),
            "/list.json": ("application/json", '{"next": "/in-json"}'),
            "/site.webmanifest": ("application/manifest+json", '{"start_url": "/installed"}'),
            "/robots.txt": ("text/plain", f"User-agent: *\nDisallow: /private\nSitemap: {home}/index.xml\n"),
            "/index.xml": (
                "text/xml",
                SITEMAP.format("sitemapindex", f"<sitemap><loc>{home}/packed.xml.gz</loc></sitemap>"),
            ),
            "/packed.xml.gz": (
                "application/gzip",
                gzip.compress(SITEMAP.format("urlset", LOC.format(f"{home}/in-sitemap")).encode()),
            ),
        }
        page = f"<!doctype html><title>{request.path}</title>{ICON}<p>{request.path}</p>"
        media, body = known.get(request.path, ("text/html", page))
        if request.path.endswith(".png") or request.path == "/sitemap.xml":
            raise web.HTTPNotFound
        headers = {
            "Cache-Control": "no-store",
            "Link": "</in-header>; rel=next",
            "Content-Security-Policy": "report-uri /reports",
        }
        return web.Response(
            body=body if isinstance(body, bytes) else body.encode(), content_type=media, headers=headers
        )
