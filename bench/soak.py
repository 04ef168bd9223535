"""The two largest applications, each crawled completely in Chromium by the probability strategy."""

import sys

from bench.table import print_table
from bench.truth import row

APPS = ("elfinder", "bebop")


def main() -> int:
    rows = [row(app, "probability") for app in APPS]
    print_table(
        "Complete crawls of the largest applications",
        ("application", "strategy", "states", "transitions", "events", "resets", "seconds", "events/s", "true"),
        rows,
    )
    return 0 if all(found[-1] == "yes" for found in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
