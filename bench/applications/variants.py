"""Variants of the crawler: names, and what each adds to the command line.

To compare another one, add a line. A variant without arguments in `CLICKERS` is not a crawl of statecrawl.
"""

CRAWLERS: dict[str, tuple[str, ...]] = {
    "default": (),
    "menu": ("--strategy", "menu"),
    "greedy": ("--strategy", "greedy"),
    "breadth-first": ("--strategy", "breadth-first"),
}
CLICKER = "clicker"
BEFORE = "before"  # cells of the default as it was at the commit of the baseline: never measured again
VARIANTS = ("default", CLICKER, "menu", "greedy", "breadth-first")  # in the order in which they are measured
EVERY_CRAWL = ("--coverage", "--no-screenshots", "--no-report", "--json", "--quiet")  # what is measured, and no more
