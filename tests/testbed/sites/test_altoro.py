"""The pages of the demo bank link to the panels that the model says, in the same order."""

import re
from urllib.parse import unquote

import pytest

from statecrawl.testbed.altoro import DIALOG, LISTS, MENU, PRINTED, SERVICES, TEASERS, altoro
from statecrawl.testbed.sites.altoro import REFUSED, SUMMARY, TEXTS, USERS, fragment, site
from tests.testbed.sites.asking import asked, sent

LINK = re.compile(r'(?:href="/panel/|data-panel=")([^"]+)"')
SHOWN = re.compile(r'data-shown="([^"]+)"')


def linked(html: str) -> list[str]:
    """Panels that a piece of HTML leads to, in order."""
    return [unquote(found) for found in LINK.findall(html)]


def test_the_start_page_links_to_the_menu_and_the_teasers() -> None:
    (answer,) = asked(site(), "/")
    assert linked(answer.text) == [*MENU, *TEASERS]


def test_there_is_a_panel_for_every_state_but_the_start() -> None:
    assert {"start", *TEXTS} == set(altoro().truth.ids)


def test_every_panel_can_be_asked_for_and_says_which_it_is() -> None:
    answers = asked(site(), *(f"/panel/{panel}" for panel in TEXTS))
    assert [SHOWN.findall(answer.text) for answer in answers] == [[panel] for panel in TEXTS]
    assert [answer.text for answer in answers] == [fragment(panel) for panel in TEXTS]
    assert all(answer.headers["Content-Type"].startswith("text/html") for answer in answers)


def test_panels_differ() -> None:
    assert len({fragment(panel) for panel in TEXTS}) == len(TEXTS)


def test_every_link_leads_to_a_panel() -> None:
    assert {target for panel in TEXTS for target in linked(fragment(panel))} <= set(TEXTS)


def test_the_summary_links_to_the_services_and_out() -> None:
    assert linked(fragment(SUMMARY)) == [*(f"account/{service}" for service in SERVICES), "sign in"]


@pytest.mark.parametrize("panel", LISTS)
def test_lists_link_to_their_details_and_back(panel: str) -> None:
    details = [f"{panel}/{detail}" for detail in LISTS[panel]]
    assert linked(fragment(panel)) == details
    assert [linked(fragment(detail)) for detail in details] == [[panel]] * len(details)


def test_the_panels_that_print() -> None:
    assert {panel for panel in TEXTS if 'class="print"' in fragment(panel)} == set(PRINTED)


def test_the_dialog_has_three_buttons_and_no_link() -> None:
    assert re.findall(r"<button[^>]*>(\w+)<", fragment(DIALOG)) == ["Confirm", "Cancel", "Explain"]
    assert not linked(fragment(DIALOG))


@pytest.mark.parametrize("panel", ["sign in", REFUSED])
def test_the_form_offers_the_users_in_the_order_of_the_model(panel: str) -> None:
    assert re.findall("<option>([^<]+)</option>", fragment(panel)) == list(USERS)
    assert [f"sign in as {user}" for user in USERS] == _controls(panel)


@pytest.mark.parametrize(("user", "panel"), [*USERS.items(), ("nobody", REFUSED)])
def test_signing_in(user: str, panel: str) -> None:
    assert sent(site(), "/sign-in", {"user": user}).text == fragment(panel)


def test_signing_in_as_nobody_at_all() -> None:
    assert sent(site(), "/sign-in", {}).text == fragment(REFUSED)


def test_there_is_no_other_panel() -> None:
    (answer,) = asked(site(), "/panel/vault")
    assert answer.status == 404


def _controls(panel: str) -> list[str]:
    """What the model has on a panel beside the menu."""
    graph = altoro().truth
    state = graph.numbers[panel]
    return [graph.event(state, at).local for at in range(len(MENU), len(graph.events[state]))]
