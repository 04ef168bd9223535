"""How crawling scales, as one standalone page and as single charts.

`page.scale_sections` makes charts and tables of the facts (`ScalingFacts`). Template and styles are in `assets/`.
Studies without crawls are left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from statecrawl.ports.scale_run import ScaleResult
from statecrawl.ports.scale_study import Claim, PartitionBalance, Saturation
from statecrawl.report.page import quantity, scale_sections
from statecrawl.report.page.markup import Markup, join, tag
from statecrawl.report.page.standalone import asset, standalone_page

PACES = ("papers", "ours")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalingFacts:
    """All facts on the page."""

    architectures: Sequence[ScaleResult] = ()
    idle: Sequence[ScaleResult] = ()
    sharing: Sequence[ScaleResult] = ()
    balance: Sequence[ScaleResult] = ()
    large: Sequence[ScaleResult] = ()
    saturations: Sequence[Saturation] = ()  # of the large crawls
    dealings: Sequence[PartitionBalance] = ()
    claims: Sequence[Claim] = ()
    published: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # table 7.3
    published_nodes: int = 20

    @property
    def runs(self) -> list[ScaleResult]:
        return [*self.architectures, *self.idle, *self.sharing, *self.balance, *self.large]


def render(facts: ScalingFacts, *, command: str, finished: bool) -> str:
    """Return the page. `command` generates it again; `finished` is False after Ctrl-C."""
    return standalone_page(
        "scaling.html",
        "statecrawl: scaling",
        ["palette.css", "comparison.css", "scaling.css"],
        headline=_headline(facts),
        lead=_lead(facts),
        banner="" if finished else _banner(),
        tiles=_tiles(facts),
        legend=join(tag("li", scale_sections.label(name)) for name in scale_sections.ARCHITECTURES),
        sections=join(section for section in _sections(facts) if section is not None),
        command=tag("code", command),
    )


def pictures(facts: ScalingFacts) -> dict[str, str]:
    """Return file name -> standalone chart, for documents."""
    drawn: dict[str, Markup] = {}
    if main := _main_large(facts):
        drawn["scaling-large"] = scale_sections.speed_up_chart(main, "Speed-up by number of nodes")
    for app in _apps(facts):
        runs = [run for run in facts.architectures if run.setting.app == app and run.setting.pace == _pace(facts)]
        drawn[f"scaling-{app.partition(':')[0]}"] = scale_sections.finish_chart(runs, app)
    for app in dict.fromkeys(run.setting.app for run in facts.idle):
        drawn[f"scaling-idle-{app.rpartition(':')[2]}"] = scale_sections.shares_chart(facts.idle, app, "stride")
    style = asset("picture.css")
    return {f"{name}.svg": _alone(chart, style) for name, chart in drawn.items()}


def _alone(chart: str, style: str) -> str:
    """Return a chart with its style inside, which follows the reader's light or dark mode."""
    begin = chart.index(">") + 1
    return f"{chart[:begin]}<style>{style}</style>{chart[begin:]}\n"


def _headline(facts: ScalingFacts) -> Markup:
    ours = {each.architecture: each for each in facts.saturations if each.pace == "ours"}
    best = max(ours.values(), key=lambda each: each.most_speed_up, default=None)
    if best is None:
        fastest = min((run for run in facts.architectures if run.complete), key=lambda run: run.seconds, default=None)
        if fastest is None:
            return tag("h1", "No crawl ended before the run was interrupted.")
        name = tag("em", fastest.setting.architecture, class_=scale_sections.css_of(fastest.setting.architecture))
        return tag("h1", name, f" with {fastest.setting.nodes:,} nodes is the fastest.")
    name = tag("em", best.architecture, class_=scale_sections.css_of(best.architecture))
    return tag("h1", name, f" scales best: {best.most_nodes:,} nodes, {best.most_speed_up:,.0f} times as fast as one.")


def _lead(facts: ScalingFacts) -> Markup:
    what = "Simulated crawls of rich internet applications with many nodes: the published architectures,"
    return tag("p", what, " with the timings of the papers and with timings measured on statecrawl.", class_="lead")


def _banner() -> Markup:
    return tag("p", tag("b", "Interrupted. "), "This page shows what was simulated until then.", class_="banner")


def _tiles(facts: ScalingFacts) -> Markup:
    runs = facts.runs
    figures = {
        "crawls": quantity.count(len(runs)),
        "applications": quantity.count(len({run.setting.app for run in runs})),
        "maximum nodes": quantity.count(max((run.setting.nodes for run in runs), default=0)),
        "events fired": quantity.short(sum(run.events for run in runs)),
        "virtual time": quantity.duration(sum(run.seconds for run in runs)),
    }
    return join(tag("div", tag("dt", name), tag("dd", value)) for name, value in figures.items())


def _sections(facts: ScalingFacts) -> list[Markup | None]:
    return [
        _claims(facts),
        _large(facts),
        _architectures(facts),
        _idle(facts),
        _sharing(facts),
        _balance(facts),
        _partitions(facts),
    ]


def _section(name: str, title: str, words: str, *parts: Markup) -> Markup:
    return tag("section", tag("h2", title), tag("p", words, class_="explain"), *parts, id=name, class_="study")


def _claims(facts: ScalingFacts) -> Markup | None:
    if not facts.claims:
        return None
    words = "Claims of the papers about crawling with many nodes, and the results of the simulation."
    return _section("claims", "Published claims", words, scale_sections.claims_table(facts.claims))


def _main_large(facts: ScalingFacts) -> list[ScaleResult]:
    """Return the large crawls of the application that has most of them."""
    apps = [run.setting.app for run in facts.large]
    return (
        [run for run in facts.large if run.setting.app == max(set(apps), key=lambda app: (apps.count(app), app))]
        if apps
        else []
    )


def _large(facts: ScalingFacts) -> Markup | None:
    runs = _main_large(facts)
    if not runs:
        return None
    app = runs[0].setting.app
    words = (
        "Speed-up over one node with the greedy strategy. Solid: timings measured on statecrawl; dashed: those of the"
        " papers."
        " The thin line is the ideal, linear speed-up. Beyond 64 nodes, the simulated peers and Dist-RIA nodes share"
        " one view of the application, which changes the results little."
    )
    chart = scale_sections.figure(
        "Speed-up", f"{app}, by number of nodes", scale_sections.speed_up_chart(runs, f"Speed-up on {app}")
    )
    return _section(
        "large",
        "Limits of scaling",
        words,
        tag("div", chart, class_="single"),
        scale_sections.saturation_table(facts.saturations),
    )


def _apps(facts: ScalingFacts) -> list[str]:
    return list(dict.fromkeys(run.setting.app for run in facts.architectures))


def _pace(facts: ScalingFacts) -> str:
    """Return the pace of the charts of architectures: the papers' if there are crawls with it."""
    paces = {run.setting.pace for run in facts.architectures}
    return PACES[0] if PACES[0] in paces else PACES[1]


def _architectures(facts: ScalingFacts) -> Markup | None:
    if not facts.architectures:
        return None
    pace = _pace(facts)
    parts = []
    for app in _apps(facts):
        runs = [run for run in facts.architectures if (run.setting.app, run.setting.pace) == (app, pace)]
        if any(run.complete for run in runs):
            parts.append(
                tag("div", tag("h3", tag("code", app)), scale_sections.application_charts(runs, app), class_="app")
            )
    if any(app in facts.published for app in _apps(facts)):
        parts.append(scale_sections.ratio_table(facts.architectures, facts.published, facts.published_nodes, PACES))
    setting = "with the timings of the papers" if pace == PACES[0] else "with timings measured on statecrawl"
    words = (
        f"Each architecture by number of nodes, {setting}."
        " Solid: greedy; dashed: breadth-first; dotted: depth-first; dash-dotted: probability."
    )
    return _section("architectures", "Architectures and strategies", words, *parts)


def _idle(facts: ScalingFacts) -> Markup | None:
    if not facts.idle:
        return None
    words = (
        "Dist-RIA on the two file browsers of its paper, breadth-first with reset and replay, events partitioned by"
        " stride (figures 3 and 4). Filled: firing events; dark: computing and communicating; pale: idle."
    )
    apps = dict.fromkeys(run.setting.app for run in facts.idle)
    return _section(
        "idle", "Idle times", words, *(scale_sections.idle_charts(facts.idle, app, "stride") for app in apps)
    )


def _sharing(facts: ScalingFacts) -> Markup | None:
    if not facts.sharing:
        return None
    first = facts.sharing[0].setting
    words = (
        f"{first.nodes} peers on {first.app}, greedy, with the timings of the papers, where each message takes time."
        " Peers share one path to each state, also paths that shorten others, or all transitions."
    )
    return _section("sharing", "Extent and frequency of sharing", words, scale_sections.sharing_table(facts.sharing))


def _balance(facts: ScalingFacts) -> Markup | None:
    if not facts.balance:
        return None
    words = (
        f"{facts.balance[0].setting.nodes} nodes: the fastest as in the other studies, the others slower by factors"
        " that increase evenly to the one given. If changing, nodes swap speeds about five times per crawl. The best"
        " time is bold."
    )
    return _section("balance", "Unequal nodes", words, scale_sections.balance_table(facts.balance))


def _partitions(facts: ScalingFacts) -> Markup | None:
    if not facts.dealings:
        return None
    words = "Each partition over all events of an application, and again with one more member."
    return _section("partitions", "Partitions of events", words, scale_sections.partition_table(facts.dealings))
