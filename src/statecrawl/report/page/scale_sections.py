"""Charts and tables of the studies of scaling."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from statecrawl.ports.scale_run import ScaleResult
from statecrawl.ports.scale_study import Claim, PartitionBalance, Saturation
from statecrawl.report.page import quantity
from statecrawl.report.page.column_chart import ChartColumn, column_chart
from statecrawl.report.page.line_chart import TIME, TIMES, ChartLine, Point, line_chart
from statecrawl.report.page.markup import Markup, join, tag

ARCHITECTURES = ("client-server", "dist-ria", "peer-to-peer")
NOTHING = tag("td", "–", class_="none")
VERDICTS = {True: ("holds", "yes"), False: ("fails", "no"), None: ("open", "partly")}


def css_of(architecture: str) -> str:
    """Return the CSS class of an architecture, which is the same on the whole page."""
    return f"a{ARCHITECTURES.index(architecture)}"


def label(architecture: str) -> Markup:
    return tag("span", tag("i", class_="swatch"), architecture, class_=f"strategy {css_of(architecture)}")


def figure(caption: str, unit: str, chart: Markup) -> Markup:
    return tag("figure", tag("figcaption", caption, tag("span", unit)), chart)


def table(caption: str, heads: Sequence[str | Markup], rows: Iterable[Markup], css: str = "plain") -> Markup:
    head = tag("thead", tag("tr", *(tag("th", each, scope="col") for each in heads)))
    whole = tag("table", tag("caption", tag("b", caption)), head, tag("tbody", *rows), class_=css)
    return tag("div", whole, class_="scroll", tabindex="0", role="region", aria_label=caption)


def row(head: str | Markup, *cells: str | Markup | None) -> Markup:
    return tag("tr", tag("th", head, scope="row"), *(NOTHING if cell is None else tag("td", cell) for cell in cells))


# -- claims --


def claims_table(claims: Sequence[Claim]) -> Markup:
    def one(claim: Claim) -> Markup:
        css, text = VERDICTS[claim.holds]
        where = tag("small", claim.source)
        verdict = tag("td", tag("span", text, class_=f"verdict {css}"))
        return tag(
            "tr", tag("th", claim.text, where, scope="row"), tag("td", claim.published), tag("td", claim.ours), verdict
        )

    return table(
        "Published and simulated results", ("Claim", "published", "statecrawl", "holds"), map(one, claims), "claims"
    )


# -- limits of scaling --


def speed_up_chart(runs: Sequence[ScaleResult], title: str) -> Markup:
    """Return a chart of the speed-up by number of nodes, one line for each architecture and pace."""
    groups: dict[tuple[str, str], list[ScaleResult]] = {}
    for run in runs:
        if run.complete:
            groups.setdefault((run.setting.architecture, run.setting.pace), []).append(run)
    lines = []
    most = 1.0
    for (architecture, pace), several in groups.items():
        several = sorted(several, key=lambda run: run.setting.nodes)
        alone = several[0].seconds
        points: list[Point] = [(run.setting.nodes, alone / run.seconds) for run in several]
        most = max(most, *(y for _, y in points))
        css = f"{css_of(architecture)} {'dashed' if pace == 'papers' else ''}".strip()
        lines.append(ChartLine(name=f"{architecture}{', papers' if pace == 'papers' else ''}", css=css, points=points))
    return line_chart(lines, TIMES, title=title, named=True, ideal=((1, 1), (most, most)))


def saturation_table(saturations: Sequence[Saturation]) -> Markup:
    def one(each: Saturation) -> Markup:
        nodes = f"{each.nodes:,}" if each.is_found else f"more than {each.nodes:,}"
        shares = (f"{each.coordinator_busy:.0%}", f"{each.overhead:.0%}", f"{each.idle:.0%}")
        return row(
            label(each.architecture), each.pace, tag("code", each.app), nodes, f"{each.speed_up:,.1f}×",
            f"{each.most_speed_up:,.1f}×", each.bottleneck, *shares,
        )  # fmt: skip

    heads = (
        "Architecture",
        "pace",
        "application",
        "saturates at",
        "speed-up there",
        "maximum",
        "bottleneck",
        "coordinator busy",
        "overhead",
        "idle",
    )
    return table("Saturation: beyond it, doubling the nodes gains less than a tenth", heads, map(one, saturations))


# -- architectures --


def application_charts(runs: Sequence[ScaleResult], app: str) -> Markup:
    """Return charts of the time to finish and the time to find all states, by number of nodes."""
    known = [run for run in runs if run.seconds_to_states is not None]
    states = line_chart(
        _lines(known, lambda run: run.seconds_to_states or 0.0), TIME, title=f"Time to find all states of {app}"
    )
    return tag(
        "div",
        figure("Time to finish", "by number of nodes", finish_chart(runs, app)),
        figure("Time to find all states", "by number of nodes", states),
        class_="pair",
    )


def finish_chart(runs: Sequence[ScaleResult], app: str) -> Markup:
    return line_chart(_lines(runs, lambda run: run.seconds), TIME, title=f"Time to crawl {app} by number of nodes")


def _lines(runs: Sequence[ScaleResult], value: Callable[[ScaleResult], float]) -> list[ChartLine]:
    groups: dict[tuple[str, str], list[Point]] = {}
    for run in sorted(runs, key=lambda run: run.setting.nodes):
        if run.complete:
            groups.setdefault((run.setting.architecture, run.setting.strategy), []).append(
                (run.setting.nodes, value(run))
            )
    return [
        ChartLine(name=f"{architecture}, {strategy}", css=f"{css_of(architecture)} d-{strategy}", points=points)
        for (architecture, strategy), points in groups.items()
    ]


def ratio_table(
    runs: Sequence[ScaleResult], published: Mapping[str, Mapping[str, float]], nodes: int, paces: Sequence[str]
) -> Markup:
    """Return the table of speeds of peer-to-peer relative to client-server, published and for each pace."""
    seconds = {
        (r.setting.app, r.setting.strategy, r.setting.architecture, r.setting.pace): r.seconds
        for r in runs
        if r.setting.nodes == nodes and r.complete
    }
    apps = list(dict.fromkeys(run.setting.app for run in runs if run.setting.app in published))
    strategies = ("breadth-first", "greedy")

    def cell(app: str, strategy: str, pace: str) -> str | None:
        peers, clients = (seconds.get((app, strategy, kind, pace)) for kind in ("peer-to-peer", "client-server"))
        return None if peers is None or clients is None else f"{clients / peers:.2f}×"

    def one(app: str) -> Markup:
        cells: list[str | None] = []
        for strategy in strategies:
            cells += [f"{published[app][strategy]:.2f}×", *(cell(app, strategy, pace) for pace in paces)]
        return row(tag("code", app), *cells)

    heads = ["Application", *(f"{strategy}: {which}" for strategy in strategies for which in ("published", *paces))]
    return table(
        f"Speed of peer-to-peer relative to client-server with {nodes} nodes (table 7.3)", heads, map(one, apps)
    )


# -- idle --


def idle_charts(runs: Sequence[ScaleResult], app: str, partition: str) -> Markup:
    """Return charts of how nodes spent their time, by number of nodes, and of the idle time of each node."""
    most = _idle_runs(runs, app, partition)[-1]
    each = [ChartColumn(name=str(place + 1), parts=(("idle", idle),)) for place, idle in enumerate(most.idle_by_node)]
    single = column_chart(each, title=f"Idle time of each of {most.setting.nodes} nodes: {app}", below="node")
    return tag(
        "div",
        figure(app, "firing events, overhead, idle", shares_chart(runs, app, partition)),
        figure(app, f"idle time of each of {most.setting.nodes} nodes", single),
        class_="pair",
    )


def shares_chart(runs: Sequence[ScaleResult], app: str, partition: str) -> Markup:
    """Return a chart of how nodes spent their time, by number of nodes."""
    columns = [
        ChartColumn(
            name=str(run.setting.nodes), parts=(("walking", run.walking), ("labour", run.overhead), ("idle", run.idle))
        )
        for run in _idle_runs(runs, app, partition)
    ]
    return column_chart(columns, title=f"Use of the nodes' time: {app}", below="nodes")


def _idle_runs(runs: Sequence[ScaleResult], app: str, partition: str) -> list[ScaleResult]:
    mine = [run for run in runs if (run.setting.app, run.setting.partition) == (app, partition)]
    return sorted(mine, key=lambda run: run.setting.nodes)


# -- sharing, balance, partitions --


def sharing_table(runs: Sequence[ScaleResult]) -> Markup:
    """Return the table of times by extent and frequency of sharing."""
    batches = sorted({run.setting.share_every for run in runs})
    extents = list(dict.fromkeys(run.setting.share for run in runs))
    by = {(run.setting.share, run.setting.share_every): run for run in runs if run.complete}
    best = min((run.seconds for run in by.values()), default=0.0)

    def cell(run: ScaleResult | None) -> Markup | None:
        if run is None:
            return None
        shown = tag("b", quantity.duration(run.seconds)) if run.seconds == best else quantity.duration(run.seconds)
        return join([shown, tag("small", f"{run.events:,} events, {run.messages:,} messages")])

    def one(extent: str) -> Markup:
        return row(extent, *(cell(by.get((extent, batch))) for batch in batches))

    heads = ["Shared", *("immediately" if batch == 1 else f"in batches of {batch}" for batch in batches)]
    return table("Time to finish, events fired, messages", heads, map(one, extents))


def balance_table(runs: Sequence[ScaleResult]) -> Markup:
    """Return the table of times to finish, by approach and by inequality of the nodes."""
    columns = list(dict.fromkeys(_condition(run) for run in runs))
    by = {(approach(run), _condition(run)): run for run in runs if run.complete}
    best = {
        column: min((run.seconds for (_, its), run in by.items() if its == column), default=0.0) for column in columns
    }

    def cell(name: str, column: str) -> Markup | None:
        run = by.get((name, column))
        if run is None:
            return None
        shown = quantity.duration(run.seconds)
        return join([tag("b", shown) if run.seconds == best[column] else shown, tag("small", f"idle {run.idle:.0%}")])

    def one(name: str) -> Markup:
        return row(name, *(cell(name, column) for column in columns))

    names = dict.fromkeys(approach(run) for run in runs)
    return table("Time to finish with unequal nodes", ["Approach", *columns], map(one, names))


def _condition(run: ScaleResult) -> str:
    setting = run.setting
    if setting.slowdown == 1:
        return f"{setting.app}, equal nodes"
    slower = f"{setting.app}, up to {setting.slowdown:g}× slower"
    return slower if setting.slowdown_period is None else f"{slower}, changing"


def approach(run: ScaleResult) -> str:
    """Return the name of the load-balancing approach, as in appendix A of the thesis."""
    return "dynamic (client-server)" if run.setting.architecture == "client-server" else run.setting.balance


def partition_table(balances: Sequence[PartitionBalance]) -> Markup:
    def one(each: PartitionBalance) -> Markup:
        evenness = f"{each.fewest:.2f} – {each.busiest:.2f}"
        return row(
            each.partition,
            tag("code", each.app),
            f"{each.members}",
            evenness,
            f"{each.moved:.1%}",
            f"{each.microseconds:.2f} µs",
        )

    heads = (
        "Partition",
        "application",
        "members",
        "least and most, relative to the average",
        "moved if one member joins",
        "per event",
    )
    return table("Balance, stability and speed", heads, map(one, balances))
