"""Variants: names, and what each adds to the command line of statecrawl. To compare another one, add a line."""

DEFAULT = "default"
CRAWLERS: dict[str, tuple[str, ...]] = {
    DEFAULT: (),
    "menu": ("--strategy", "menu"),
    "greedy": ("--strategy", "greedy"),
    "breadth-first": ("--strategy", "breadth-first"),
}
CLICKER = "clicker"  # no crawl: see `clicker`
BEFORE = "before"  # the default as it was when the baseline was measured: see `baseline`
VARIANTS = (
    DEFAULT,
    CLICKER,
    *(name for name in CRAWLERS if name != DEFAULT),
)  # in the order in which they are measured
EVERY_CRAWL = ("--coverage", "--no-screenshots", "--no-report", "--json", "--quiet")  # what is measured, and no more
