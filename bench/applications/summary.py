"""Tables of the comparison, as Markdown, and whether its limits hold.

The default has to execute at least as many functions as every alternative, within 2 %, on at least 80 % of the
applications, and may not be more than 5 % behind on the others. It has to find at least 95 % of the screens that any
strategy of statecrawl finds, on every application.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from bench.applications.catalogue import APPLICATIONS
from bench.applications.cells import Cell
from bench.applications.variants import BEFORE, CLICKER, CRAWLERS, DEFAULT, VARIANTS
from bench.table import print_table

NEARLY = 0.98  # of the functions of an alternative: as many, given that runs differ
LEAST = 0.95  # of the functions of an alternative, on any application
LEAST_SHARE = 0.8  # of the applications on which the default executes nearly as many functions
LEAST_SCREENS = 0.95  # of those that a strategy finds


@dataclass(frozen=True, slots=True, kw_only=True)
class Medians:
    """The medians of the runs of one variant on one application."""

    functions: float
    screens: float
    places: float
    states: float
    speed: float
    ended: str
    runs: int


Figures = dict[tuple[str, str], Medians]  # application, variant


def print_summary(cells: Iterable[Cell], seconds: float) -> bool:
    """Print the tables. Return whether the limits hold for what has been measured."""
    figures = medians([cell for cell in cells if cell.seconds == seconds])
    if not figures:
        print("applications: nothing has been measured.")
        return False
    names = [name for name in APPLICATIONS if any(application == name for application, _ in figures)]
    variants = [name for name in (BEFORE, *VARIANTS) if any(variant == name for _, variant in figures)]
    variants += sorted({variant for _, variant in figures} - set(variants))
    _print_figure("JavaScript functions executed beyond page load", "functions", names, variants, figures)
    _print_figure("Distinct screens", "screens", names, variants, figures)
    _print_figure("Distinct places", "places", names, variants, figures)
    _print_details(names, variants, figures)
    return _print_verdict(names, variants, figures)


def medians(cells: Sequence[Cell]) -> Figures:
    """Return the medians of the runs of each cell."""
    runs: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        runs.setdefault((cell.application, cell.variant), []).append(cell)
    return {
        key: Medians(
            functions=median(cell.functions for cell in measured),
            screens=median(len(cell.screens) for cell in measured),
            places=median(cell.places for cell in measured),
            states=median(cell.states for cell in measured),
            speed=median(cell.events_per_second for cell in measured),
            ended=", ".join(sorted({cell.ended for cell in measured})),
            runs=len(measured),
        )
        for key, measured in runs.items()
    }


def _print_figure(title: str, figure: str, names: Sequence[str], variants: Sequence[str], figures: Figures) -> None:
    """Print one figure of all variants, with the best of each application in bold."""
    rows = []
    for name in names:
        values = [
            getattr(figures[name, variant], figure, None) if (name, variant) in figures else None
            for variant in variants
        ]
        best = max(value for value in values if value is not None)
        rows.append((name, *(_shown(value, is_best=value == best) for value in values)))
    print_table(title, ("application", *variants), rows)


def _shown(value: float | None, *, is_best: bool) -> str:
    if value is None:
        return ""
    return f"**{value:,.0f}**" if is_best else f"{value:,.0f}"


def _print_details(names: Sequence[str], variants: Sequence[str], figures: Figures) -> None:
    rows = [
        (name, variant, f"{found.states:,.0f}", f"{found.speed:.1f}", found.ended, found.runs)
        for name in names
        for variant in variants
        if (found := figures.get((name, variant))) is not None
    ]
    print_table("How it went", ("application", "variant", "states", "events/s", "ended", "runs"), rows)


def _print_verdict(names: Sequence[str], variants: Sequence[str], figures: Figures) -> bool:
    """Compare the default with every alternative, and say so in sentences."""
    ratios = {name: ratio for name in names if (ratio := _ratio(name, variants, figures)) is not None}
    screens = {name: share for name in names if (share := _screen_share(name, variants, figures)) is not None}
    if not ratios:
        print("The default has not been compared with an alternative.")
        return False
    nearly = sum(ratio >= NEARLY for ratio in ratios.values())
    behind = {name: ratio for name, ratio in ratios.items() if ratio < LEAST}
    fewer = {name: share for name, share in screens.items() if share < LEAST_SCREENS}
    print(
        f"The default executes {NEARLY:.0%} or more of the functions of every alternative on {nearly} of {len(ratios)}."
    )
    print(f"It executes less than {LEAST:.0%} on {_listed(behind)}.")
    print(f"It finds less than {LEAST_SCREENS:.0%} of the screens of another strategy on {_listed(fewer)}.", flush=True)
    return nearly >= LEAST_SHARE * len(ratios) and not behind and not fewer


def _listed(shares: dict[str, float]) -> str:
    return ", ".join(f"{name} ({share:.0%})" for name, share in shares.items()) or "none"


def _ratio(name: str, variants: Sequence[str], figures: Figures) -> float | None:
    """Return the functions of the default relative to the best alternative; None if one of them is missing."""
    own = figures.get((name, DEFAULT))
    others = [figures[name, variant].functions for variant in _alternatives(variants) if (name, variant) in figures]
    return None if own is None or not others else own.functions / max(1.0, *others)


def _screen_share(name: str, variants: Sequence[str], figures: Figures) -> float | None:
    """Return the screens of the default relative to the best strategy; None if one of them is missing."""
    own = figures.get((name, DEFAULT))
    others = [
        figures[name, variant].screens
        for variant in _alternatives(variants)
        if variant != CLICKER and (name, variant) in figures
    ]
    return None if own is None or not others else own.screens / max(1.0, *others)


def _alternatives(variants: Sequence[str]) -> list[str]:
    return [
        variant for variant in variants if variant != DEFAULT and (variant in CRAWLERS or variant in (CLICKER, BEFORE))
    ]
