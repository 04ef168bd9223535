"""The company's server offers what the true model says can be opened."""

from statecrawl.testbed.company import LADDERS, MENU, OTHER_MODEL
from statecrawl.testbed.sites.company import PAGES, site
from tests.testbed.sites.asking import asked, sent


def inside(place: str) -> list[str]:
    """What the model opens there."""
    depth = place.count("/") + 1
    opened = (ladder.split("/")[depth] for ladder in LADDERS if ladder.startswith(f"{place}/"))
    return list(dict.fromkeys(opened))


def test_the_menu() -> None:
    (page,) = asked(site(), "/")
    places = [page.text.index(f'href="#{name}"') for name in MENU]
    assert places == sorted(places)
    assert tuple(PAGES) == MENU
    assert all(answer.text.startswith("<h1>") for answer in asked(site(), *(f"/pages/{name}" for name in MENU)))


def test_products() -> None:
    (answer,) = asked(site(), "/products")
    offered = answer.json
    assert list(offered) == inside("products")
    for category, models in offered.items():
        assert models == inside(f"products/{category}")
        assert [OTHER_MODEL[model] for model in models] == models[::-1]
        for model in models:
            facts, photo = asked(site(), f"/products/{category}/{model}", f"/photos/{model}.svg")
            assert facts.json["price"]
            assert photo.headers["Content-Type"].startswith("image/svg+xml")


def test_services() -> None:
    (answer,) = asked(site(), "/services")
    assert list(answer.json) == inside("services")
    for name, service in answer.json.items():
        offer = sent(site(), "/requests", {"service": name}).json
        assert offer == {"price": service["price"], "days": service["days"]}
    assert sent(site(), "/requests", {"service": "gardening"}).status == 404


def test_about() -> None:
    team, jobs = (answer.json for answer in asked(site(), *(f"/about/{part}" for part in inside("about"))))
    assert team["letter"]
    assert jobs["vacancies"] == inside("about/jobs")
    assert all(jobs[job] for job in jobs["vacancies"])
    assert sent(site(), "/applications", {"job": "engineer"}).json["answer"].startswith("Thank you")


def test_what_the_company_does_not_have() -> None:
    wanted = ("/pages/jobs", "/products/cars/fast", "/products/phones/laptop", "/photos/car.svg", "/about/boss")
    assert [answer.status for answer in asked(site(), *wanted)] == [404] * len(wanted)
