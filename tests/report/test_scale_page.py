"""The page about many nodes: safe, whole by itself, and right about what it shows."""

import re
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from statecrawl.ports.scale_run import ScaleResult, ScaleSetting
from statecrawl.ports.scale_study import Claim, PartitionBalance, Saturation
from statecrawl.report.page.line_chart import APART, BOTTOM, TIME, TOP, ChartLine, line_chart
from statecrawl.report.scale_page import ScalingFacts, pictures, render

SVG = "{http://www.w3.org/2000/svg}"
NASTY = "</script><script>alert(1)</script>\"'&<b>\x00"
VOID = {"meta", "link", "wbr"}


def crawl(app: str = "demo", architecture: str = "client-server", nodes: int = 1, **more: object) -> ScaleResult:
    setting = ScaleSetting(app=app, architecture=architecture, nodes=nodes, **more)  # type: ignore[arg-type]
    return ScaleResult(
        setting=setting,
        complete=True,
        states=3,
        transitions=9,
        seconds=120 / nodes,
        seconds_to_states=60 / nodes,
        discovery=(1.0, 2.0, 3.0, 60 / nodes),
        events=20,
        resets=2,
        messages=30,
        repeated=0,
        walking=0.7,
        overhead=0.1,
        coordinator_busy=0.4,
        idle_by_node=(0.2,) * nodes,
    )


def facts(app: str = "demo") -> ScalingFacts:
    kinds = ("client-server", "dist-ria", "peer-to-peer")
    saturation = Saturation(
        architecture="client-server",
        strategy="greedy",
        pace="ours",
        app=app,
        nodes=300,
        is_found=True,
        speed_up=150.0,
        most_speed_up=160.0,
        most_nodes=1000,
        bottleneck=app,
        coordinator_busy=0.95,
        overhead=0.0,
        idle=0.4,
    )
    return ScalingFacts(
        architectures=[
            crawl(app, kind, nodes, pace=pace) for kind in kinds for nodes in (1, 2, 20) for pace in ("papers", "ours")
        ],
        idle=[crawl(app, "dist-ria", nodes, partition="stride") for nodes in (1, 2, 3)],
        sharing=[
            crawl(app, "peer-to-peer", 20, share=share, share_every=batch)
            for share in ("states", "all")
            for batch in (1, 4)
        ],
        balance=[crawl(app, "dist-ria", 8, balance="adaptive", slowdown=unequal) for unequal in (1.0, 4.0)],
        large=[crawl(app, kind, nodes) for kind in kinds for nodes in (1, 100, 1000)],
        saturations=[saturation],
        dealings=[
            PartitionBalance(
                partition="hash", app=app, members=20, busiest=1.2, fewest=0.8, moved=0.5, microseconds=1.5
            )
        ],
        claims=[Claim(text=app, source=app, published=app, ours=app, holds=holds) for holds in (True, False, None)],
        published={app: {"breadth-first": 1.3, "greedy": 3.2}},
    )


class Elements(HTMLParser):
    """Every element must be closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, _: object) -> None:
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_has_every_section() -> None:
    page = render(facts(), command="statecrawl scale", finished=True)
    elements = Elements()
    elements.feed(page)
    assert elements.open == []
    assert "script" not in elements.seen
    for name in ("claims", "large", "architectures", "idle", "sharing", "balance", "partitions"):
        assert f'id="{name}"' in page
    assert set(re.findall(r"[a-z]+://[^\s\"'<>]*", page)) == {"http://www.w3.org/2000/svg"}
    assert "$" not in page
    assert "Interrupted" not in page
    assert "1,000 nodes, 160 times as fast as one." in page
    assert "3.20×" in page


def test_names_from_outside_are_only_text() -> None:
    page = render(facts(NASTY), command=NASTY, finished=False)
    assert "<script" not in page
    assert "<b>" not in re.sub(r"<b>(Interrupted\. |2 min|[0-9.]+ s|Published and here|[A-Z])", "", page)
    assert "Interrupted" in page
    for name, drawn in pictures(facts("demo:<b>")).items():
        assert re.fullmatch(r"scaling-[^/]+\.svg", name)
        ElementTree.fromstring(drawn)  # noqa: S314 - ours


def test_without_crawls_there_is_a_page_that_says_so() -> None:
    page = render(ScalingFacts(), command="statecrawl scale", finished=False)
    assert "No crawl ended" in page
    assert 'id="large"' not in page
    assert pictures(ScalingFacts()) == {}


@given(
    st.lists(
        st.lists(st.tuples(st.integers(1, 5000), st.floats(1e-3, 1e6)), min_size=1, max_size=6), min_size=1, max_size=7
    )
)
def test_every_point_is_in_the_drawing_and_no_name_on_another(lines: list[list[tuple[float, float]]]) -> None:
    named = [ChartLine(name=f"line {place}", css="a0", points=sorted(points)) for place, points in enumerate(lines)]
    drawn = ElementTree.fromstring(line_chart(named, TIME, title="demo", named=True))  # noqa: S314 - ours
    circles = drawn.findall(f".//{SVG}circle")
    assert len(circles) == sum(map(len, lines))
    assert all(TOP - 0.1 <= float(circle.get("cy", "")) <= BOTTOM + 0.1 for circle in circles)
    heights = sorted(float(text.get("y", "")) for text in drawn.iterfind(f".//{SVG}text[@class='line-name']"))
    assert len(heights) == len(lines)
    assert all(below - above >= APART - 0.2 for above, below in pairwise(heights))
