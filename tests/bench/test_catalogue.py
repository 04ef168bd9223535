"""The catalogue names packages by name and version, and everything that it refers to exists."""

import re
from pathlib import Path

import pytest

from bench.applications import catalogue, variants
from bench.applications.application import Application

HERE = Path(catalogue.__file__).parent
LEAST_APPLICATIONS = 20
LEAST_SERVERS = 5
PINNED = {"npm": r"(@[\w-]+/)?[\w.-]+@\d+\.\d+\.\d+", "pypi": r"[\w.-]+==\d+(\.\d+)+"}


def test_there_are_enough() -> None:
    assert len(catalogue.APPLICATIONS) >= LEAST_APPLICATIONS
    assert len(catalogue.APPLICATIONS) == len(catalogue.LISTED), "no name is used twice"
    assert sum(bool(each.command) for each in catalogue.LISTED) >= LEAST_SERVERS


@pytest.mark.parametrize("application", catalogue.LISTED, ids=lambda each: each.name)
def test_each_is_pinned_and_can_be_started(application: Application) -> None:
    for package in application.packages:
        assert re.fullmatch(PINNED[application.source], package), "a name and a version, and no host"
    for part in application.command:
        if part.startswith("{sites}/"):
            assert (HERE / part.format(sites="sites")).exists()
    has_page = (HERE / "pages" / application.page).exists()
    assert has_page == (application.start == "/" and not application.command)
    assert bool(application.login) == bool(application.session), "a login that failed must not go unnoticed"


def test_all_pages_and_scripts_belong_to_an_application() -> None:
    named = {application.page for application in catalogue.LISTED}
    assert {path.name for path in (HERE / "pages").iterdir()} <= named


def test_every_variant_is_a_crawl_or_the_clicker() -> None:
    assert set(variants.VARIANTS) == {*variants.CRAWLERS, variants.CLICKER}
