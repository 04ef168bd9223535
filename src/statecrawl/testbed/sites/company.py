"""Test-RIA as a web application: the site of a company, a single page whose parts come from the server.

Pages come as pieces of HTML by XMLHttpRequest, what they list comes as JSON by fetch, a request for a service is sent
and answered with a price, photos are drawn. The server remembers nothing: a request is answered from what it says.
"""

from html import escape
from typing import Any, TypeVar

from aiohttp import web

from statecrawl.testbed.sites.site import Site, SiteRoute

Found = TypeVar("Found")

PAGES = {
    "home": ("Nordlicht Ltd", "Computers, phones, and people who explain them."),
    "products": ("Products", "What we build, and what we would buy ourselves."),
    "services": ("Services", "We come to you, on the day that suits you."),
    "about": ("About us", "Eleven people in an old mill, since 1998."),
    "contact": ("Contact", "Nordlicht Ltd, 4 Mill Lane. The door is open on weekdays from nine to five."),
}
SLOGANS = ("It simply works.", "And if not, we come.", "Since 1998.")
PRODUCTS: dict[str, dict[str, dict[str, str]]] = {
    "computers": {
        "desktop": {"processor": "8 cores", "memory": "32 GB", "weight": "6.1 kg", "price": "990"},
        "laptop": {"processor": "6 cores", "memory": "16 GB", "weight": "1.3 kg", "price": "1,190"},
    },
    "phones": {
        "classic": {"keys": "12, with light", "stand-by": "21 days", "weight": "88 g", "price": "59"},
        "smart": {"screen": "6.1 inches", "stand-by": "3 days", "weight": "170 g", "price": "540"},
    },
}
SERVICES = {
    "consulting": {"summary": "Two hours with somebody who has seen it before.", "price": 240, "days": ["Mon", "Thu"]},
    "training": {"summary": "A day for up to eight people, with exercises.", "price": 950, "days": ["Tue", "Fri"]},
}
ABOUT: dict[str, dict[str, Any]] = {
    "team": {
        "people": ["Ada, founder", "Bela, workshop", "Chidi, telephone"],
        "letter": "We began with one soldering iron. It is still in use. Thank you for asking. Ada",
    },
    "jobs": {
        "vacancies": ["engineer"],
        "engineer": ["repairs what others throw away", "likes the telephone", "works four days a week"],
    },
}
SHAPES = {  # width and height of what is in the photo
    "desktop": (90, 110),
    "laptop": (150, 90),
    "classic": (40, 110),
    "smart": (60, 120),
}


def site() -> Site:
    """A menu of five pages, and what can be opened in them."""
    return Site(
        folder="company",
        routes=(
            SiteRoute("GET", "/pages/{page}", _page),
            SiteRoute("GET", "/slogans", _slogans),
            SiteRoute("GET", "/products", _products),
            SiteRoute("GET", "/products/{category}/{model}", _model),
            SiteRoute("GET", "/photos/{model}.svg", _photo),
            SiteRoute("GET", "/services", _services),
            SiteRoute("POST", "/requests", _request),
            SiteRoute("GET", "/about/{part}", _about),
            SiteRoute("POST", "/applications", _apply),
        ),
    )


async def _page(request: web.Request) -> web.Response:
    title, text = _known(PAGES, request.match_info["page"])
    return web.Response(text=f"<h1>{escape(title)}</h1><p>{escape(text)}</p>", content_type="text/html")


async def _slogans(_request: web.Request) -> web.Response:
    return web.json_response(SLOGANS)


async def _products(_request: web.Request) -> web.Response:
    return web.json_response({category: list(models) for category, models in PRODUCTS.items()})


async def _model(request: web.Request) -> web.Response:
    models = _known(PRODUCTS, request.match_info["category"])
    return web.json_response(_known(models, request.match_info["model"]))


async def _photo(request: web.Request) -> web.Response:
    width, height = _known(SHAPES, request.match_info["model"])
    left, top = 100 - width / 2, 75 - height / 2
    drawn = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 150"><rect width="200" height="150" fill="#dbeafe"/>'
        f'<rect x="{left:g}" y="{top:g}" width="{width}" height="{height}" rx="6" fill="#1e3a8a"/></svg>'
    )
    return web.Response(text=drawn, content_type="image/svg+xml")


async def _services(_request: web.Request) -> web.Response:
    return web.json_response(SERVICES)


async def _request(request: web.Request) -> web.Response:
    """Respond with the price of a service, given its name."""
    asked = await request.post()
    service = _known(SERVICES, str(asked.get("service")))
    return web.json_response({"price": service["price"], "days": service["days"]})


async def _about(request: web.Request) -> web.Response:
    return web.json_response(_known(ABOUT, request.match_info["part"]))


async def _apply(_request: web.Request) -> web.Response:
    return web.json_response({"answer": "Thank you. You will hear from us within a week."})


def _known(found: dict[str, Found], name: str) -> Found:
    if name not in found:
        raise web.HTTPNotFound(text=f"There is no {name} here.\n")
    return found[name]
