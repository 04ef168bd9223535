"""A plan is valid once it exists; its scope keeps a crawl where it belongs, and its hands off what is dangerous."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.errors import BadInput, UnknownName
from statecrawl.runtime.plan import (
    DANGEROUS,
    CrawlPlan,
    Limits,
    Resetting,
    Scope,
    check_expression,
    check_page_expression,
    origin,
)

OUT = Path("out")
REFUSED = [re.compile(expression, re.IGNORECASE) for expression in DANGEROUS]


def in_scope(scope: Scope, start: str, url: str) -> bool:
    """As the browser judges an address: in the application, and not denied."""
    inside = any(re.search(expression, url) for expression in scope.addresses(start))
    return inside and not any(re.search(expression, url) for expression in scope.deny)


class TestLimits:
    def test_none_is_no_limit(self) -> None:
        assert Limits() == Limits(states=None, events=None, seconds=None, depth=None)

    @pytest.mark.parametrize(
        ("limit", "flag"), [("states", "states"), ("events", "events"), ("seconds", "time"), ("depth", "depth")]
    )
    @pytest.mark.parametrize("value", [0, -1, float("nan")])
    def test_they_are_more_than_nothing(self, limit: str, flag: str, value: float) -> None:
        with pytest.raises(BadInput, match=f"a limit must be more than 0: --max-{flag} {value:g}"):
            Limits(**{limit: value})  # type: ignore[arg-type]


class TestScope:
    @pytest.mark.parametrize("start", ["http://host:8000", "http://host:8000/", "http://host:8000/app/index.html?a#b"])
    def test_an_application_is_its_origin(self, start: str) -> None:
        inside = ["http://host:8000", "http://host:8000/", "http://host:8000/a?b#c", "http://host:8000?x", start]
        outside = [
            "http://host:80001/",
            "http://host/",
            "https://host:8000/",
            "http://other:8000/",
            "http://host:8000.evil.example/",
            "http://host:8000@evil.example/",
            "http://evil.example/?http://host:8000/",
            "javascript:alert('http://host:8000/')",
        ]
        assert [url for url in inside if not in_scope(Scope(), start, url)] == []
        assert [url for url in outside if in_scope(Scope(), start, url)] == []

    @pytest.mark.parametrize(
        ("start", "said"),
        [
            ("HTTP://LocalHost:8000/App", "http://localhost:8000"),
            ("http://host:80/", "http://host"),
            ("https://host:443/", "https://host"),
            ("https://host:80/", "https://host:80"),
            ("http://ann:secret@host:81/", "http://host:81"),
            ("http://[::1]:8000/", "http://[::1]:8000"),
            ("http://münchen.example/", "http://xn--mnchen-3ya.example"),
        ],
    )
    def test_an_origin_is_written_as_the_browser_writes_it(self, start: str, said: str) -> None:
        assert origin(start) == said
        assert in_scope(Scope(), start, f"{said}/a")

    @settings(deadline=None)
    @given(st.from_regex(r"[a-z0-9.-]{1,20}", fullmatch=True), st.integers(1, 65535))
    def test_no_other_host_and_no_other_port_is_inside(self, host: str, port: int) -> None:
        start = f"http://{host}:{port}/"
        assert in_scope(Scope(), start, f"{origin(start)}/page")
        for other in (
            f"{origin(start)}0/",
            f"http://x{host}:{port}/",
            f"http://{host}x:{port}/",
            f"https://{host}:{port}/",
        ):
            assert not in_scope(Scope(), start, other)
        if "." in host:
            assert not in_scope(Scope(), start, start.replace(".", "x"))  # a dot is a dot

    @pytest.mark.parametrize("prefix", ["/app/", "app/"])
    def test_a_path_narrows_it(self, prefix: str) -> None:
        scope = Scope(prefix=prefix)
        assert in_scope(scope, "http://host/app/", "http://host/app/")
        assert in_scope(scope, "http://host/app/", "http://host/app/a/b?c")
        for url in ("http://host/", "http://host/app", "http://host/application/", "http://host/x/app/"):
            assert not in_scope(scope, "http://host/app/", url), url

    @pytest.mark.parametrize("prefix", ["/app", "app"])
    def test_a_path_without_a_slash_at_its_end_is_a_whole_name(self, prefix: str) -> None:
        scope = Scope(prefix=prefix)
        for url in ("http://host/app", "http://host/app/a", "http://host/app?a", "http://host/app#a"):
            assert in_scope(scope, "http://host/app", url), url
        assert not in_scope(scope, "http://host/app", "http://host/apple")

    def test_a_path_is_compared_as_browsers_write_it(self) -> None:
        assert in_scope(Scope(prefix="/übersicht/"), "http://host/", "http://host/%C3%BCbersicht/a")
        assert in_scope(Scope(prefix="/%C3%BCbersicht/"), "http://host/", "http://host/%C3%BCbersicht/a")
        assert in_scope(Scope(prefix="/~ann/a+b/"), "http://host/", "http://host/~ann/a+b/c")

    def test_expressions_replace_the_origin_and_denial_comes_first(self) -> None:
        scope = Scope(allow=(r"^https?://[a-z]+\.example/",), deny=("/admin", r"\.pdf$"))
        assert in_scope(scope, "http://host/", "https://shop.example/a")
        assert not in_scope(scope, "http://host/", "http://host/a")
        assert not in_scope(scope, "http://host/", "https://shop.example/admin/a")
        assert not in_scope(scope, "http://host/", "https://shop.example/a.pdf")

    def test_what_the_user_denies_is_refused_also_when_danger_is_allowed(self) -> None:
        assert Scope(deny_elements=("Danger",), allow_dangerous=True).refused() == ("Danger",)
        assert Scope(deny_elements=("Danger",)).refused() == ("Danger", *DANGEROUS)


class TestExpressions:
    @pytest.mark.parametrize("expression", ["(", "[", "*a", "a{2,1}", "(?<name>a)", "a{99999999999999999999}"])
    def test_what_is_none(self, expression: str) -> None:
        for make in (
            lambda: Scope(allow=(expression,)),
            lambda: Scope(deny=(expression,)),
            lambda: Scope(deny_elements=(expression,)),
            lambda: CrawlPlan(url="http://host/", out=OUT, ignore_patterns=(expression,)),
            lambda: CrawlPlan(url="http://host/", out=OUT, values=((expression, ("a",)),)),
        ):
            with pytest.raises(BadInput, match="is no regular expression: "):
                make()

    @pytest.mark.parametrize(
        ("expression", "foreign"),
        [
            ("(?i)logout", "(?i)"),
            ("(?P<a>b)", "(?P"),
            (r"\Ahttp", r"\A"),
            (r"pdf\Z", r"\Z"),
            ("a(?#why)b", "(?#"),
            ("a++b", "++"),
            ("(?>ab)", "(?>"),
            ("a{,3}", "{,3}"),
            ("(a)?(?(1)b|c)", "(?("),
            (r"\\\Aa", r"\A"),
        ],
    )
    def test_what_the_page_would_not_understand(self, expression: str, foreign: str) -> None:
        with pytest.raises(BadInput, match=re.escape(f"JavaScript has no '{foreign}', write it without.")):
            check_page_expression(expression)

    @pytest.mark.parametrize(
        "expression",
        [
            *(r"\(\?i\)", r"\\A", "[(?i)]", r"[\]+(?P]", "[]++]", "(?:a|b)+?", "a{1,3}"),
            *(r"c\++", "(?i:a)", r"\d+\.\w*$", "^https?://", "a|b", ""),
        ],
    )
    def test_what_it_understands(self, expression: str) -> None:
        check_page_expression(expression)

    @pytest.mark.parametrize("expression", ["(?=a)", "(?!a)", "(?<=a)b", r"(a)\1", "a{2000}"])
    def test_what_cannot_be_matched_in_linear_time(self, expression: str) -> None:
        for check in (check_expression, check_page_expression):
            with pytest.raises(BadInput, match=r"cannot be matched in linear time .*: write it without look-around"):
                check(expression)

    @settings(deadline=None)
    @given(st.text())
    def test_any_text_is_an_expression_or_refused(self, text: str) -> None:
        try:
            check_page_expression(text)
        except BadInput:
            return
        re.compile(text)

    @settings(deadline=None)
    @given(st.text())
    def test_whatever_is_escaped_is_understood(self, text: str) -> None:
        check_page_expression(re.escape(text))

    def test_words_of_elements_are_ours_to_judge_and_may_be_anything(self) -> None:
        assert Scope(deny_elements=("(?i)danger",)).deny_elements == ("(?i)danger",)


class TestPlan:
    def test_unknown_names(self) -> None:
        with pytest.raises(UnknownName, match="unknown strategy 'gredy': did you mean greedy"):
            CrawlPlan(url="http://host/", out=OUT, strategy="gredy")
        with pytest.raises(UnknownName, match="unknown equivalence 'exakt': did you mean exact"):
            CrawlPlan(url="http://host/", out=OUT, equivalence="exakt")

    def test_where_the_server_is_reset_must_be_an_address(self) -> None:
        with pytest.raises(BadInput, match="--reset-url '/reset' is no address"):
            CrawlPlan(url="http://host/", out=OUT, resetting=Resetting(url="/reset"))

    @settings(deadline=None)
    @given(st.text())
    def test_any_text_is_an_address_or_refused(self, text: str) -> None:
        for url in (text, f"http://{text}", f"https://{text}/"):
            try:
                plan = CrawlPlan(url=url, out=OUT)
            except BadInput:
                continue
            assert in_scope(plan.scope, plan.url, f"{origin(plan.url)}/")


def listed(text: str) -> list[str]:
    return [words.strip() for words in text.replace("\n", ",").split(",") if words.strip()]


def names_of(words: str) -> list[str]:
    """What the agent says of elements with these words: the name of the event, then all there is to read of it."""
    return [
        f'click button "{words}" in form {words}',
        f"click button#go in form#f {words} go",
        f'click a "{words}" /go in nav {words} /go',
        f"click a#go {words} /go go",
    ]


class TestDangers:
    """Judged as a person would: what is lost when it is fired by mistake, and what is missed when it is not."""

    @staticmethod
    def is_refused(said: str) -> bool:
        return any(expression.search(said) for expression in REFUSED)

    @pytest.mark.parametrize(
        "words",
        listed(
            """
            Log out, Logout, LOG OUT, Log-out, log_out, Log off, Sign out, Sign off, Sign me out,
            Log out of all devices, Logout (ann), Ann | Log out, Delete, Delete account, DELETE,
            Permanently delete, Delete 3 files, Erase all, Wipe disk, Purge, Unsubscribe, Deactivate,
            Terminate instance, Destroy, Close account, Close my account, Remove user, Cancel subscription,
            Cancel your order, Cancel booking, Pay, Pay now, Pay 20 €, Pay $5.00, Pay by card,
            Pay with PayPal, Proceed to pay, Pay invoice, Pay order, Buy, Buy now, Buy 2 items,
            Buy it again, Purchase, Confirm purchase, Purchase now, Checkout, Proceed to checkout,
            Place order, Place your order, Submit order, Confirm order, Order now,
            Order with obligation to pay, Complete the order, Shut down, Shutdown, Factory reset,
            Format disk
            """
        ),
    )
    def test_what_is_not_touched(self, words: str) -> None:
        assert [said for said in names_of(words) if not self.is_refused(said)] == []

    @pytest.mark.parametrize(
        "said",
        [
            "click a /account/logout in nav /account/logout",
            "click button#btnLogout btnLogout",
            "click button#logout_link logout_link",
            "click i#signOut signOut",
            "click button#deleteButton deleteButton",
            "click button#btn_delete_2 btn_delete_2",
            "click button#delete-item delete-item",
            "click button#placeOrder placeOrder",
            "click input[pay] pay",
            "key Delete ul#files files",
            "click a /cart/checkout /cart/checkout",
            'click button "Order" in form Order',
            'click button "Order" in form#shop Order #2',
            "click button#go in form#shop Order go",
            'click input[go] "Order" in form Order Order go',
            'click button "Order 2 pizzas" Order 2 pizzas',
        ],
    )
    def test_what_only_its_name_betrays(self, said: str) -> None:
        assert self.is_refused(said)

    @pytest.mark.parametrize(
        "words",
        listed(
            """
            Display, Payment history, Payments, Payment methods, Payroll, Pay slips, Pay stubs, Pay history,
            PayPal, Repay, How to pay, Ways to pay, Buyer, Where to buy, How to buy, Best Buy, Purchases,
            Purchase history, Purchase orders, Purchase date, Order history, Order details, Sort order,
            Order by name, My orders, Orders, Order status, Reorder columns, In order, Border, Order #1234,
            Order number, Tab order, Ascending order, Ordered list, Track order, Recorder, Checkout date,
            Check-out time, Checkout branch, Check out our blog, Check, Log in, Login, Sign in, Sign up,
            Log output, Blog, Blog offers, Catalog, Dialog, Log outages, Sign, Signature, Design off-grid,
            Logs, Open log, Official log, Undelete, Deleted items, Recently deleted, Eraser, Swipe,
            Subscribe, Activate, Terminal, Close, Close menu, Close user menu, Close account menu,
            Close profile panel, Close account settings, Remove filter, Remove user filter, Cancel,
            Cancel editing, Account, User profile, Subscriptions, Reset, Reset filters, Format,
            Format painter, Down, Shutter, Save, Home, Next
            """
        ),
    )
    def test_what_is_harmless(self, words: str) -> None:
        assert [said for said in names_of(words) if self.is_refused(said)] == []

    @pytest.mark.parametrize(
        "said",
        [
            'click th "Name" in table Name',
            'click a "Name" /list in table Name /list?sort=name&order=asc',
            "select select[order] = desc in form order",
            'click a "Details" /orders/17 Details /orders/17',
            'click a "A-17" /order/17 A-17 /order/17',
            'click a "History" /purchase/history History /purchase/history',
            "click div#dialogOuter dialogOuter",
            "click button#blogOutline blogOutline",
            "click button#payloadView payloadView",
            "click button#buyersGuide buyersGuide",
            'hover li "Catalog offers" Catalog offers',
            "back",
            "scroll page",
        ],
    )
    def test_what_only_looks_like_it(self, said: str) -> None:
        assert not self.is_refused(said)

    @pytest.mark.parametrize("words", [" ", "log", "log ", "place ", "close my ", "button in ", "_-"])
    def test_a_page_cannot_keep_it_busy(self, words: str) -> None:
        """Expressions that try again and again would run into the time-out of tests."""
        assert not self.is_refused(f"click button {words * 10_000}")
