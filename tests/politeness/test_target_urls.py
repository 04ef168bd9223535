"""Dangers that a URL reveals."""

import pytest

from statecrawl.politeness.lexicon import Danger
from statecrawl.politeness.target_urls import danger_of_target, is_document


@pytest.mark.parametrize(
    ("url", "danger"),
    [
        ("http://host/logout", Danger.LOGOUT),
        ("http://host/account/logOut.do", Danger.LOGOUT),
        ("http://host/users/sign_out", Danger.LOGOUT),
        ("http://host/#/logout", Danger.LOGOUT),
        ("http://host/app?logout", Danger.LOGOUT),
        ("http://host/app?logout=1", Danger.LOGOUT),
        ("http://host/login.php?action=logout&nonce=7", Danger.LOGOUT),
        ("http://host/index.php?route=/user/logout", Danger.LOGOUT),
        ("http://host/users/7/delete/", Danger.DELETE),
        ("http://host/user-delete/7", Danger.DELETE),
        ("http://host/deleteUser?id=7", Danger.DELETE),
        ("http://host/post.php?post=7&action=delete", Danger.DELETE),
        ("http://host/post.php?post=7&action=trash", Danger.DELETE),
        ("http://host/plugins.php?action=deactivate", Danger.ACCESS),
        ("http://host/index.html?processname=web&action=restart", Danger.SYSTEM),
        ("http://host/index.html?action=stopall", Danger.SYSTEM),
        ("http://host/index.html?action=flush_cache", Danger.SYSTEM),
        ("http://host/index.php?r=service/stop", Danger.SYSTEM),
        ("http://host/service?stop", Danger.SYSTEM),
        ("http://host/service?restart=1", Danger.SYSTEM),
        ("http://host/users?delete=1234", Danger.DELETE),
        ("http://host/index.html?processname=web&action=clearlog", Danger.SYSTEM),
        ("http://host/orders/7/pay", Danger.PAY),
        ("http://host/abmelden", Danger.LOGOUT),
        ("/logout", Danger.LOGOUT),
    ],
)
def test_dangerous_ones(url: str, danger: Danger) -> None:
    found = danger_of_target(url)
    assert found is not None
    assert found[0] is danger


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://host/",
            "http://host/list?sort=name&order=asc",
            "http://host/orders/17",
            "http://host/purchase/history",
        ),
        *(
            "http://host/login?next=/logout",
            "http://host/delete-help.html",
            "http://host/docs/delete",
            "http://host/blog",
        ),
        *(
            "http://host/how-to-delete-a-file",
            "http://host/checkout/",
            "http://host/posts?status=trash",
            "http://logout.host/",
        ),
        *(
            "http://host/password_change/",
            "http://host/doku.php?do=subscribe",
            "http://host/#delete",
            "http://host/dialog/out",
        ),
        *("http://host/the-day-they-tried-to-delete-everything-we-had", "http://host/?q=delete", "http://host/cart"),
        "http://host/article/logout-and-other-stories",
        *(
            "http://host/times?stop=1234",
            "http://host/?r=stop/view",
            "http://host/?r=stop-times",
            "http://host/?flush=60",
        ),
    ],
)
def test_harmless_ones(url: str) -> None:
    assert danger_of_target(url) is None


def test_what_is_sent_counts_more() -> None:
    assert danger_of_target("http://host/remove-member/7") is None
    assert danger_of_target("http://host/remove-member/7", sends=True) is not None


def test_documents() -> None:
    assert is_document("http://host/help/delete")
    assert not is_document("http://help.host/delete")


@pytest.mark.parametrize(
    ("url", "danger"),
    [
        ("http://host/blog/post/7/delete", Danger.DELETE),
        ("http://host/wiki/Main/delete", Danger.DELETE),
        ("http://host/orgs/a/people/7/remove", Danger.DELETE),
        ("http://host/cards/3/block", Danger.DELETE),
        ("http://host/api/containers/7/restart", Danger.SYSTEM),
    ],
)
def test_what_is_sent_is_judged_by_its_last_word_and_is_no_document(url: str, danger: Danger) -> None:
    found = danger_of_target(url, sends=True)
    assert found is not None
    assert found[0] is danger


def test_a_record_and_a_verb_are_no_document() -> None:
    assert not is_document("http://host/blog/post/7/delete/")
    assert is_document("http://host/blog/7/how-to-delete")
