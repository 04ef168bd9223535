"""Progress of a crawl as a live view, as a line of text, and as JSON."""

import json
from collections.abc import Iterator

from rich.text import Text

from statecrawl.cli.summary import counted
from statecrawl.crawler.live_view import CrawlProgress, LimitLeft, NodeProgress
from statecrawl.errors import printable
from statecrawl.report.crawl.event_text import in_words

MOST_NODES = 6  # nodes that are shown
BAR = 28  # characters
BARRED = 90  # columns of a terminal that is wide enough for a bar
MEBI = 1 << 20
SILENT_SECONDS = 5.0  # silence of a node that is shown: heartbeats come every two seconds
NO_NEWS_SECONDS = 10.0  # time without a new state that is shown


def line(at: CrawlProgress) -> str:
    """Return the progress as one line of text."""
    if at.doing:
        return at.doing
    left = "".join(f", {_limit(limit)}" for limit in at.limits)
    nodes = f", {counted(len(at.nodes), 'node')}" if at.nodes else ""
    learning = f", learning {at.learning}" if at.learning else ""
    return (
        f"{counted(at.states, 'state')}, {at.transitions:,} of {at.known:,} transitions, {counted(at.events, 'event')},"
        f" {counted(at.resets, 'reset')}, {at.events_per_second:.0f} events/s, {duration(at.seconds)}"
        f"{nodes}{left}{learning}"
        f"{f'; {at.parts}' if at.parts else ''}{f'; {printable(at.widget)}' if at.widget else ''}"
    )


def machine_line(at: CrawlProgress) -> str:
    """Return the progress as a JSON object."""
    return json.dumps({"kind": "progress", **at.as_json()})


def view(at: CrawlProgress, width: int) -> Text:
    """Return the progress as a few lines, none wider than the terminal."""
    lines = list(_lines(at, width))
    for each in lines:
        each.truncate(width, overflow="ellipsis")
    return Text("\n").join(lines)


def _lines(at: CrawlProgress, width: int) -> Iterator[Text]:
    doing = f"ended: {at.ended}" if at.ended else at.doing or "crawling"
    doing += f", learning {at.learning}" if at.learning else ""
    name = printable(at.application)
    yield Text.assemble((name, "bold"), f"  {printable(doing)}", (f"  {duration(at.seconds)}", "dim"))
    if at.states:
        yield _explored(at, width)
        yield _spent(at)
        yield _health(at)
    if at.parts:
        yield Text.assemble(("  parts     ", "dim"), at.parts)
    if at.widget:
        yield Text(f"  {printable(at.widget)}", style="yellow")
    if at.limits:
        yield Text.assemble(("  limits    ", "dim"), " · ".join(_left(limit, at) for limit in at.limits))
    for node in at.nodes[:MOST_NODES]:
        yield _node(node, max(len(node.name) for node in at.nodes[:MOST_NODES]))
    if len(at.nodes) > MOST_NODES:
        yield Text(f"  and {len(at.nodes) - MOST_NODES:,} more", style="dim")


def _explored(at: CrawlProgress, width: int) -> Text:
    wanted = at.known - at.spare
    share = at.transitions / wanted if wanted else 0.0
    bar = BAR if width >= BARRED else 0
    full = round(share * bar)
    queue = f"{at.queue:,} to explore" if at.queue else "nothing left to explore"
    return Text.assemble(
        ("  found     ", "dim"),
        (f"{at.states:,}", "bold"),
        f" state{'' if at.states == 1 else 's'} · ",
        (f"{at.transitions:,}", "bold"),
        f" of {at.known:,} transitions",
        (f" {'━' * full}" if bar else "", "green"),
        ("━" * (bar - full), "dim"),
        f" {int(100 * share)}% · {queue}" if bar else f" · {queue}",
    )


def _spent(at: CrawlProgress) -> Text:
    work = f"  {counted(at.events, 'event')} · {counted(at.resets, 'reset')} · "
    spent = Text.assemble(("  spent   ", "dim"), work, (f"{at.events_per_second:.0f} events/s", "bold"))
    if at.cost_per_state is not None:
        spent.append(f" · {_amount(at.cost_per_state)} events per new state")
    if at.seconds_without >= NO_NEWS_SECONDS and not at.ended:
        spent.append(f" · none for {duration(at.seconds_without)}", style="yellow")
    return spent


def _health(at: CrawlProgress) -> Text:
    is_here = at.browsers > 0
    parts = [counted(at.pages, "page" if is_here else "node")]
    if is_here:
        parts.append(f"{counted(at.browsers, 'browser')} started")
        parts.append(f"{at.browser_bytes / MEBI:,.0f} MiB")
    health = Text.assemble(("  health    ", "dim"), " · ".join(parts))
    problems = {"hung": at.hung, "crashed": at.crashed, "diverged": at.diverged}
    for name, count in problems.items():
        if count:
            health.append(f" · {count:,} {name}", style="yellow")
    return health


def _node(node: NodeProgress, widest: int) -> Text:
    at = f"  {in_words(node.at)}" if node.at else ""
    text = Text.assemble(
        f"  {printable(node.name):<{widest}}",
        f"  {counted(node.events, 'event'):>14}",
        (f"  {node.events_per_second:>5.1f}/s", "bold"),
        f"  idle {node.idle_share:>4.0%}",
    )
    if node.silent_seconds >= SILENT_SECONDS:
        text.append(f"  silent for {duration(node.silent_seconds)}", style="yellow")
    return text.append(printable(at), style="dim")


def _left(limit: LimitLeft, at: CrawlProgress) -> str:
    """Return what is left of a limit, with the estimated time for events."""
    text = _limit(limit)
    if limit.limit == "max-events" and at.events_per_second > 0 and limit.left:
        return f"{text}, about {duration(limit.left / at.events_per_second)}"
    return text


def _limit(limit: LimitLeft) -> str:
    if limit.limit == "max-time":
        return f"{duration(limit.left)} of {duration(limit.most)} left"
    return f"{limit.left:,.0f} of {limit.most:,.0f} {limit.limit.removeprefix('max-')} left"


def _amount(value: float) -> str:
    return f"{value:,.1f}" if value < 10 else f"{value:,.0f}"


def duration(seconds: float) -> str:
    """Return a duration as text."""
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min" + (f" {whole % 60} s" if whole % 60 else "")
    return f"{whole // 3600} h" + (f" {whole % 3600 // 60} min" if whole % 3600 >= 60 else "")
