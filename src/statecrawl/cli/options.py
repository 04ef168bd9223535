"""Options that several commands share."""

from typing import Annotated

import typer

from statecrawl.model.paths import Ties
from statecrawl.strategies.registry import STRATEGIES
from statecrawl.strategies.rules import Order, Prefer, Search

StrategyNames = Annotated[
    list[str],
    typer.Option("--strategy", "-s", help=f"all, or any of {', '.join(STRATEGIES)}; may be repeated."),
]
Seed = Annotated[int, typer.Option(help="Fixes every random choice; run r of several uses seed + r.")]
ResetCost = Annotated[
    float | None, typer.Option(help="What a reset costs, in events; default: as published for the application.")
]
TieRule = Annotated[Ties, typer.Option(help="Who wins when a reset and a walk cost the same.")]
EventOrder = Annotated[Order, typer.Option(help="Which of several equally good events is fired first.")]
Runs = Annotated[int, typer.Option(help="How many runs, each with its own seed; needs --order random.")]
Preference = Annotated[Prefer, typer.Option(help="diverse: states unlike any seen before come first.")]
SearchKind = Annotated[
    Search,
    typer.Option(help="indexed is fast; reference settles every tie in one fixed order, as the regression tests do."),
]
Aging = Annotated[float, typer.Option(help="probability only: below 1, older experience with an event counts less.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")]
