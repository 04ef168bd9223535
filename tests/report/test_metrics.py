"""Numbers for Prometheus: in its text format, and nothing of the pages in them."""

import re

from statecrawl.report.metrics import FLEET_METRICS, PAGE_METRICS, fleet_metrics, metrics_text, page_metrics

LINE = re.compile(r'[a-z_]+(\{node="(?:[^"\\\n]|\\["\\n])*"\})? [\d.]+')
NASTY = 'a"\\b\n} 1\nfake 7'
STATUS = {
    "application": "http://secret.test/",
    "strategy": "greedy",
    "states": 3,
    "transitions": 5,
    "unexplored": 2,
    "events": 9,
    "resets": 1,
    "repeated": 0,
    "events_per_second": 1.5,
    "nodes": [
        {
            "name": NASTY,
            "tasks": 1,
            "events": 2,
            "resets": 3,
            "idle_seconds": 0.5,
            "silent": 0.1,
            "holds": ["state", "click"],
        }
    ],
}


def is_sound(text: str) -> bool:
    return text.endswith("\n") and all(
        line.startswith(("# HELP statecrawl_", "# TYPE statecrawl_")) or LINE.fullmatch(line)
        for line in text.splitlines()
    )


def test_a_coordinator_tells_numbers_only() -> None:
    text = metrics_text(STATUS)
    assert is_sound(text)
    assert "statecrawl_unexplored 2\n" in text
    assert not re.search("secret|greedy|click", text)


def test_a_process_tells_numbers_only() -> None:
    text = fleet_metrics(dict.fromkeys(FLEET_METRICS, 1)) + page_metrics(
        [{"name": NASTY, **dict.fromkeys(PAGE_METRICS, 2)}]
    )
    assert is_sound(text)
    assert text.count("# TYPE") == len(FLEET_METRICS) + len(PAGE_METRICS)
