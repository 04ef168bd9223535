"""From arguments and files to a plan: what is given arrives, and what is wrong is one sentence."""

import json
from math import isfinite
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statecrawl.config.fleet import FleetSettings
from statecrawl.config.options import settings as options_by_name
from statecrawl.config.plan import CrawlLimits, CrawlPlan, Scope
from statecrawl.config.plan_builder import crawl_plan, default_folder
from statecrawl.config.site import SiteSettings
from statecrawl.config.value_types import FLAG, TEXTS, WHOLE_NUMBER, WORDS, parse_seconds
from statecrawl.errors import BadInput, UserError
from statecrawl.ports.access import Access, Proxy
from statecrawl.ports.devices import DEVICES

URL = "http://localhost:8000/app/"


def refused(url: str = URL, config: Path | None = None, given: dict[str, Any] | None = None) -> str:
    """What is said of a request that cannot be granted: one sentence."""
    with pytest.raises(UserError) as caught:
        crawl_plan(url, given or {}, config)
    said = str(caught.value)
    assert said.endswith((".", "?"))
    assert "\n" not in said
    return said


class TestFlags:
    def test_without_any_the_plan_is_the_documented_one(self) -> None:
        assert crawl_plan(URL, {}) == CrawlPlan(url=URL, out=Path("crawl-localhost-8000"))

    def test_each_arrives_where_it_belongs(self) -> None:
        plan = crawl_plan(
            URL,
            {
                "out": "folder",
                "strategy": "menu",
                "pages": 3,
                "equivalence": "structure",
                "seed": 7,
                "max-states": 1,
                "max-events": 2,
                "max-time": "3m",
                "max-depth": 4,
                "scope": "/app/",
                "allow": ["^http://a/"],
                "deny": ["/admin"],
                "deny-element": ["danger"],
                "events": ["click"],
                "deny-event": ["click .a b"],
                "allow-dangerous": True,
                "read-only": True,
                "ignore": [".ad"],
                "ignore-attribute": ["data-x"],
                "ignore-text": ["[0-9]+"],
                "learn-states": 5,
                "container-probes": 0,
                "no-screenshots": True,
                "trusted-input": True,
                "fast-forward": "5s",
                "event-timeout": 6,
                "load-timeout": "1m",
                "reset-cost": 2.5,
                "reset-command": "true",
                "browser": "/bin/chromium",
            },
        )
        assert plan.out == Path("folder")
        assert (plan.strategy, plan.pages, plan.equivalence, plan.seed) == ("menu", 3, "structure", 7)
        assert plan.limits == CrawlLimits(states=1, events=2, seconds=180.0, depth=4)
        assert plan.scope == Scope(
            allow=("^http://a/",),
            deny=("/admin",),
            prefix="/app/",
            deny_elements=("danger",),
            events=("click",),
            deny_events=("click .a b",),
            allow_dangerous=True,
            read_only=True,
        )
        assert (plan.ignore_selectors, plan.ignore_attributes, plan.ignore_patterns) == (
            (".ad",),
            ("data-x",),
            ("[0-9]+",),
        )
        assert (plan.learn_states, plan.screenshots, plan.trusted) == (5, False, True)
        assert plan.container_probes == 0
        assert (plan.horizon_seconds, plan.event_seconds, plan.load_seconds) == (5.0, 6.0, 60.0)
        assert (plan.reset_cost, plan.resetting.command, plan.browser) == (2.5, "true", "/bin/chromium")

    def test_zero_is_given_and_not_forgotten(self, tmp_path: Path) -> None:
        config = tmp_path / "crawl.toml"
        config.write_text("learn-states = 9\nseed = 9\nreset-cost = 9\n")
        plan = crawl_plan(URL, {"learn-states": 0, "seed": 0, "reset-cost": 0.0}, config)
        assert (plan.learn_states, plan.seed, plan.reset_cost) == (0, 0, 0.0)

    @pytest.mark.parametrize("limit", ["max-states", "max-events", "max-depth", "max-time"])
    @pytest.mark.parametrize("value", [0, -1])
    def test_a_limit_of_nothing_is_a_mistake(self, limit: str, value: int) -> None:
        assert f"more than 0: --{limit} {value}" in refused(given={limit: value})

    @pytest.mark.parametrize(
        ("name", "value", "words"),
        [
            ("strategy", "gredy", "did you mean greedy?"),
            ("equivalence", "contents", "did you mean content?"),
            ("pages", 0, "--pages must be between 1 and 64, not 0"),
            ("pages", 65, "between 1 and 64"),
            ("learn-states", -1, "--learn-states must be 0 or more"),
            ("reset-cost", -0.5, "--reset-cost must be between 0 and 1,000,000 events, not -0.5"),
            ("reset-cost", float("nan"), "--reset-cost"),
            ("reset-cost", float("inf"), "--reset-cost"),
            ("fast-forward", "0s", "--fast-forward must be more than 0 and at most 3600 seconds, not 0"),
            ("event-timeout", "2h", "--event-timeout must be"),
            ("load-timeout", "-1", "--load-timeout must be"),
            ("deny", ["(admin"], "'(admin' is not a regular expression: missing )"),
            ("ignore-text", ["(?i)today"], "JavaScript has no '(?i)'"),
            ("reset-url", "ftp://host/reset", "--reset-url 'ftp://host/reset' is not the URL"),
        ],
    )
    def test_a_wrong_value(self, name: str, value: Any, words: str) -> None:
        assert words in refused(given={name: value})

    def test_the_address_that_resets_may_be_relative(self) -> None:
        assert crawl_plan(URL, {"reset-url": "/reset"}).resetting.url == "http://localhost:8000/reset"
        assert crawl_plan(URL, {"reset-url": "http://other/r"}).resetting.url == "http://other/r"


class TestAddresses:
    def test_http_goes_without_saying(self) -> None:
        assert crawl_plan("localhost:8000/app", {}).url == "http://localhost:8000/app"

    @pytest.mark.parametrize(
        "url",
        [
            *(
                "",
                "file:///etc/passwd",
                "javascript://x",
                "http://",
                "http://[::1",
                "http://:80/",
                "http://host:99999/",
            ),
            *("http://host:port/", "http://ho st/", "http://host:0/"),
        ],
    )
    def test_what_is_no_address(self, url: str) -> None:
        assert "is not the URL of a web application: write it as http://host:port/path" in refused(url)

    @pytest.mark.parametrize(
        ("url", "name", "folder"),
        [
            ("http://localhost:8000/a/b", "", "crawl-localhost-8000"),
            ("https://shop.example.com", "", "crawl-shop.example.com"),
            ("http://[::1]:80/", "", "crawl----1--80"),
            ("http://ann:secret@host/", "", "crawl-host"),
            ("http://127.0.0.1:1/", "hypercube:3", "crawl-hypercube-3"),
        ],
    )
    def test_the_default_folder(self, url: str, name: str, folder: str) -> None:
        assert default_folder(url, name) == folder

    @settings(deadline=None)
    @given(st.text(), st.text())
    def test_the_default_folder_is_always_one_name_in_this_folder(self, host: str, name: str) -> None:
        try:
            made = default_folder(f"http://{host}", name)
        except ValueError:
            return  # no address at all, which is refused before
        assert Path(made).name == made
        assert made.startswith("crawl-")
        assert "\0" not in made


class TestTimes:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("90s", 90),
            ("10m", 600),
            ("2h", 7200),
            ("500ms", 0.5),
            ("90", 90),
            (90, 90),
            ("1.5h", 5400),
            (" 10 M ", 600),
            (0.25, 0.25),
        ],
    )
    def test_as_people_write_them(self, text: Any, expected: float) -> None:
        assert parse_seconds("max-time", text) == expected

    @pytest.mark.parametrize(
        "text", ["", "s", "ms", "soon", "5us", "1d", "10 minutes", "nan", "inf", "-infh", "1e400", True]
    )
    def test_what_is_no_time(self, text: Any) -> None:
        with pytest.raises(BadInput, match="--max-time is a time, as in 90s, 10m or 2h, not '"):
            parse_seconds("max-time", text)

    @settings(deadline=None)
    @given(st.floats(0.001, 1000), st.sampled_from([("s", 1), ("m", 60), ("h", 3600)]))
    def test_units(self, amount: float, unit: tuple[str, int]) -> None:
        assert parse_seconds("max-time", f"{amount!r}{unit[0]}") == pytest.approx(amount * unit[1])

    @settings(deadline=None)
    @given(st.one_of(st.text(), st.integers(), st.floats(), st.booleans()))
    def test_anything_is_a_finite_time_or_refused(self, value: Any) -> None:
        try:
            found = parse_seconds("max-time", value)
        except BadInput:
            return
        assert isfinite(found)


class TestConfigurationFiles:
    def test_every_setting_can_be_written(self, tmp_path: Path) -> None:
        """All flags that --help lists, with TOML values of their kind."""
        (tmp_path / "values.toml").write_text('city = ["Rome"]')
        (tmp_path / "login.toml").write_text('[[step]]\nclick = "#in"')
        special: dict[str, Any] = {
            "strategy": "greedy",
            "equivalence": "exact",
            "values": str(tmp_path / "values.toml"),
            "login": str(tmp_path / "login.toml"),
            "max-time": "10m",
            "fast-forward": 5,
            "event-timeout": 2.5,
            "load-timeout": "1m",
            "reset-cost": 3,
            "model": "auto",
            "confidence": 0.9,
            "follow": ["link", "comment"],
            "events": ["click", "input"],
            "deny-event": ["hover", "* .ads"],
            "header": ["X-Tenant: acme"],
            "basic-auth": "ann:secret",
            "proxy": "socks5://localhost:1080",
            "device": "ipad",
            "delay": "250ms",
            "architecture": "peer-to-peer",
            "partition": "hash",
            "partition-by": "type",
            "share": "states",
            "share-interval": "500ms",
        }
        config = tmp_path / "crawl.toml"
        lines = []
        usual: dict[str, Any] = {FLAG.label: True, WHOLE_NUMBER.label: 3, TEXTS.label: ["x"], WORDS.label: ["x"]}
        for name, row in options_by_name().items():
            # for another architecture, with components, without a proxy
            if name not in ("balance", "components", "client-cert", "client-key"):
                lines.append(f"{name} = {json.dumps(special.get(name, usual.get(row.type.label, 'x')))}")
        config.write_text("\n".join(lines))
        plan = crawl_plan(URL, {}, config)
        assert plan.limits == CrawlLimits(states=3, events=3, seconds=600, requests=3, depth=3)
        assert (plan.delay_seconds, plan.max_concurrent, plan.ignore_robots) == (0.25, 3, True)
        assert plan.fleet == FleetSettings(
            architecture="peer-to-peer",
            partition="hash",
            partition_by="type",
            share="states",
            share_every=3,
            share_seconds=0.5,
        )
        assert plan.site == SiteSettings(follow=("link", "comment"), urls=3, urls_alike=3, states_at_url=3)
        assert plan.access == Access(
            proxy=Proxy(server="socks5://localhost:1080"),
            headers=(("X-Tenant", "acme"),),
            basic=("ann", "secret"),
            insecure=True,
            device=DEVICES["ipad"],
            user_agent="x",
        )
        assert plan.values == (("city", ("Rome",)),)
        assert plan.resetting.login == ({"verb": "click", "selector": "#in", "value": ""},)
        assert (plan.reset_cost, plan.horizon_seconds, plan.event_seconds, plan.out) == (3, 5, 2.5, Path("x"))

    def test_what_is_given_on_the_command_line_wins(self, tmp_path: Path) -> None:
        config = tmp_path / "crawl.toml"
        config.write_text('strategy = "menu"\npages = 4\ndeny = ["/a"]\nread-only = true\n')
        given = {"strategy": "greedy", "deny": ["/b"], "pages": None, "read-only": False, "allow": []}
        plan = crawl_plan(URL, given, config)
        assert (plan.strategy, plan.pages, plan.scope) == ("greedy", 4, Scope(deny=("/b",), read_only=True))

    def test_a_mark_at_its_beginning_is_no_trouble(self, tmp_path: Path) -> None:
        config = tmp_path / "crawl.toml"
        config.write_bytes(b"\xef\xbb\xbfpages = 2\r\n")
        assert crawl_plan(URL, {}, config).pages == 2

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("pages 2", "crawl.toml is not TOML: "),
            ("pages = ", "crawl.toml is not TOML: "),
            ("pages = 2\npages = 3", "crawl.toml is not TOML: "),
            ("max_states = 5", "unknown setting in crawl.toml, line 1 'max_states': did you mean max-states"),
            ("[crawl]\npages = 2", "unknown setting in crawl.toml 'crawl'"),
            ('pages = "2"', "crawl.toml, line 1: 'pages' is a whole number, not '2'."),
            ("pages = true", "'pages' is a whole number, not True."),
            ("pages = 2.0", "'pages' is a whole number, not 2.0."),
            ('deny = "/admin"', "'deny' is a list of texts, as in [\"a\", \"b\"], not '/admin'."),
            ("deny = [1]", '\'deny\' is a list of texts, as in ["a", "b"], not [1].'),
            ("read-only = 1", "'read-only' is true or false, not 1."),
            ("strategy = 3", "'strategy' is a text in quotation marks, not 3."),
            ('reset-cost = "cheap"', "'reset-cost' is a number, not 'cheap'."),
            ("reset-cost = true", "'reset-cost' is a number, not True."),
            ("max-time = true", '\'max-time\' is a time, as in "90s", "10m" or "2h", not True.'),
            ("max-time = [1]", '\'max-time\' is a time, as in "90s", "10m" or "2h", not [1].'),
            ('max-time = "soon"', "--max-time is a time, as in 90s, 10m or 2h, not 'soon'"),
            ("max-time = nan", "--max-time is a time"),
            ('strategy = "gredy"', "did you mean greedy"),
            ('login = "missing.toml"', "cannot read missing.toml: No such file or directory"),
            ('values = "missing.toml"', "cannot read missing.toml: No such file or directory"),
            ('values = "a\\u0000b"', "no file has such a name"),
        ],
    )
    def test_a_wrong_one(self, text: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        Path("crawl.toml").write_text(text)
        assert words in refused(config=Path("crawl.toml"))

    def test_one_that_cannot_be_read(self, tmp_path: Path) -> None:
        assert "No such file" in refused(config=tmp_path / "missing.toml")
        assert "Is a directory" in refused(config=tmp_path)
        (tmp_path / "binary.toml").write_bytes(bytes(range(256)))
        assert "it is not UTF-8 text" in refused(config=tmp_path / "binary.toml")

    @settings(deadline=None)
    @given(
        st.dictionaries(
            st.sampled_from(sorted(options_by_name())), st.integers() | st.text() | st.booleans(), min_size=1
        )
    )
    def test_any_mixture_of_names_and_values_is_a_plan_or_one_sentence(
        self, tmp_path_factory: pytest.TempPathFactory, told: dict[str, Any]
    ) -> None:
        config = tmp_path_factory.getbasetemp() / "mixture.json"
        config.write_text(json.dumps(told))
        try:
            plan = crawl_plan(URL, {}, config)
        except UserError as refusal:
            said = str(refusal)
        else:
            said = f"{plan.url}."
        assert said.endswith((".", "?"))


class TestValues:
    @pytest.mark.parametrize(
        ("name", "text"),
        [("v.toml", '"city|town" = ["Rome", 7]\nq = [1.5]'), ("v.json", '{"city|town": ["Rome", 7], "q": [1.5]}')],
    )
    def test_by_expression(self, name: str, text: str, tmp_path: Path) -> None:
        (tmp_path / name).write_text(text)
        plan = crawl_plan(URL, {"values": str(tmp_path / name)})
        assert plan.values == (("city|town", ("Rome", "7")), ("q", ("1.5",)))

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ('city = "Rome"', 'write a list of values for each field, as in city = ["Berlin", "Rome"]'),
            ("city = []", "write a list of values"),
            ("city = [true]", "write a list of values"),
            ('address.city = ["Rome"]', "write a list of values"),
            ('["Rome"]', "write a list of values"),
            ('["Rome", 7]', "is not TOML: "),
            ('{"city": ["Rome"', "is not JSON: "),
            ("city: Rome", "is not TOML: "),
            ('"(city" = ["Rome"]', "'(city' is not a regular expression"),
            ('"(?P<x>city)" = ["Rome"]', "JavaScript has no '(?P'"),
        ],
    )
    def test_a_wrong_file(self, text: str, words: str, tmp_path: Path) -> None:
        path = tmp_path / "values"
        path.write_text(text)
        assert words in refused(given={"values": str(path)})


def test_a_file_may_turn_flags_off(tmp_path: Path) -> None:
    config = tmp_path / "crawl.toml"
    flags = [row.name for row in options_by_name().values() if row.type is FLAG]
    config.write_text("".join(f"{name} = false\n" for name in flags))
    assert crawl_plan(URL, {}, config) == crawl_plan(URL, {})


def test_what_is_about_a_whole_site_needs_one() -> None:
    for name, value in {"follow": ["link"], "max-urls": 3}.items():
        with pytest.raises(BadInput, match=rf"--{name} needs --site\."):
            crawl_plan(URL, {name: value})
