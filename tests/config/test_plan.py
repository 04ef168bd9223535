"""A plan is valid once it exists, and its scope keeps a crawl where it belongs."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.config.fleet import FleetSettings
from statecrawl.config.plan import CrawlLimits, CrawlPlan, Resetting, Scope, check_page_regex, check_regex, origin
from statecrawl.errors import BadInput, UnknownName

OUT = Path("out")


def in_scope(scope: Scope, start: str, url: str) -> bool:
    """As the browser judges an address: in the application, and not denied."""
    inside = any(re.search(expression, url) for expression in scope.url_patterns(start))
    return inside and not any(re.search(expression, url) for expression in scope.deny)


class TestLimits:
    def test_none_is_no_limit(self) -> None:
        assert CrawlLimits() == CrawlLimits(states=None, events=None, seconds=None, depth=None)

    @pytest.mark.parametrize(
        ("limit", "flag"), [("states", "states"), ("events", "events"), ("seconds", "time"), ("depth", "depth")]
    )
    @pytest.mark.parametrize("value", [0, -1, float("nan")])
    def test_they_are_more_than_nothing(self, limit: str, flag: str, value: float) -> None:
        with pytest.raises(BadInput, match=f"a limit must be more than 0: --max-{flag} {value:g}"):
            CrawlLimits(**{limit: value})  # type: ignore[arg-type]


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

    @pytest.mark.parametrize("rule", ["hoover", "hoover .a", ".toolbar button", ""])
    def test_rules_for_events_begin_with_a_kind(self, rule: str) -> None:
        with pytest.raises(UnknownName, match="unknown kind of event in --deny-event"):
            Scope(deny_events=(rule,))

    def test_kinds_of_events_are_known(self) -> None:
        with pytest.raises(UnknownName, match="unknown kind of event in --events 'clik': did you mean click"):
            Scope(events=("clik",))

    def test_selectors_are_what_follows_the_kind(self) -> None:
        scope = Scope(deny_events=("hover", "click .a > b", "* .c", "key .c"))
        assert scope.denied_selectors == (".a > b", ".c")


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
            with pytest.raises(BadInput, match="is not a regular expression: "):
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
            check_page_regex(expression)

    @pytest.mark.parametrize(
        "expression",
        [
            *(r"\(\?i\)", r"\\A", "[(?i)]", r"[\]+(?P]", "[]++]", "(?:a|b)+?", "a{1,3}"),
            *(r"c\++", "(?i:a)", r"\d+\.\w*$", "^https?://", "a|b", ""),
        ],
    )
    def test_what_it_understands(self, expression: str) -> None:
        check_page_regex(expression)

    @pytest.mark.parametrize("expression", ["(?=a)", "(?!a)", "(?<=a)b", r"(a)\1", "a{2000}"])
    def test_what_cannot_be_matched_in_linear_time(self, expression: str) -> None:
        for check in (check_regex, check_page_regex):
            with pytest.raises(BadInput, match=r"cannot be matched in linear time .*: write it without look-around"):
                check(expression)

    @settings(deadline=None)
    @given(st.text())
    def test_any_text_is_an_expression_or_refused(self, text: str) -> None:
        try:
            check_page_regex(text)
        except BadInput:
            return
        re.compile(text)

    @settings(deadline=None)
    @given(st.text())
    def test_whatever_is_escaped_is_understood(self, text: str) -> None:
        check_page_regex(re.escape(text))

    def test_words_of_elements_are_ours_to_judge_and_may_be_anything(self) -> None:
        assert Scope(deny_elements=("(?i)danger",)).deny_elements == ("(?i)danger",)


class TestPlan:
    def test_unknown_names(self) -> None:
        with pytest.raises(UnknownName, match="unknown strategy 'gredy': did you mean greedy"):
            CrawlPlan(url="http://host/", out=OUT, strategy="gredy")
        with pytest.raises(UnknownName, match="unknown equivalence 'exakt': did you mean exact"):
            CrawlPlan(url="http://host/", out=OUT, equivalence="exakt")

    def test_where_the_server_is_reset_must_be_an_address(self) -> None:
        with pytest.raises(BadInput, match="--reset-url '/reset' is not the URL"):
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


class TestModel:
    def test_nodes_that_decide_for_themselves_use_components_on_request(self) -> None:
        peers = FleetSettings(architecture="peer-to-peer")
        assert CrawlPlan(url="http://host/", out=OUT, fleet=peers).model_used == "states"
        assert CrawlPlan(url="http://host/", out=OUT, fleet=peers, model="components").model_used == "components"
        sharing = FleetSettings(architecture="peer-to-peer", share="states")
        assert CrawlPlan(url="http://host/", out=OUT, fleet=sharing).model_used == "states"
        hashed = FleetSettings(architecture="dist-ria", components="handlers")
        with pytest.raises(BadInput, match="--components needs --model components"):
            CrawlPlan(url="http://host/", out=OUT, fleet=hashed)
        with pytest.raises(BadInput, match="with --model components, peers share everything"):
            CrawlPlan(url="http://host/", out=OUT, fleet=sharing, model="components")

    def test_it_is_one_of_three(self) -> None:
        with pytest.raises(UnknownName, match="did you mean components"):
            CrawlPlan(url="http://host/", out=OUT, model="component")

    @pytest.mark.parametrize("confidence", [0.4, 1.0, 2.0, float("nan")])
    def test_confidence_is_a_share_that_claims_something(self, confidence: float) -> None:
        with pytest.raises(BadInput, match=r"--confidence must be at least 0\.5 and less than 1"):
            CrawlPlan(url="http://host/", out=OUT, confidence=confidence)
