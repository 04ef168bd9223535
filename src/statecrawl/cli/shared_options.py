"""Options that several commands share."""

from typing import Annotated

import typer

from statecrawl.coordination.balance import Balance
from statecrawl.coordination.partition import PartitionRule
from statecrawl.coordination.shared_facts import SharingExtent
from statecrawl.lab.paces import ARCHITECTURES, PACES
from statecrawl.model.cheapest_paths import Ties
from statecrawl.strategies.registry import STRATEGIES
from statecrawl.strategies.settings import SearchMethod, StatePreference, TieOrder

StrategyNames = Annotated[
    list[str],
    typer.Option("--strategy", "-s", help=f"all, or any of {', '.join(STRATEGIES)}; may be repeated."),
]
SomeStrategies = Annotated[
    list[str] | None,
    typer.Option("--strategy", "-s", help=f"all, or any of {', '.join(STRATEGIES)}; may be repeated."),
]
Seed = Annotated[int, typer.Option(help="Fixes every random choice; run r of several uses seed + r.")]
ResetCost = Annotated[
    float | None, typer.Option(help="What a reset costs, in events; default: as published for the application.")
]
TieRule = Annotated[Ties, typer.Option(help="Who wins when a reset and a walk cost the same.")]
EventOrder = Annotated[TieOrder, typer.Option(help="Which of several equally good events is fired first.")]
Runs = Annotated[int, typer.Option(help="How many runs, each with its own seed; needs --order random.")]
Preference = Annotated[StatePreference, typer.Option(help="diverse: states unlike any seen before come first.")]
SearchKind = Annotated[
    SearchMethod,
    typer.Option(help="indexed is fast; reference settles every tie in one fixed order, as the regression tests do."),
]
Aging = Annotated[float, typer.Option(help="probability only: below 1, older experience with an event counts less.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")]
AsJson = Annotated[
    bool,
    typer.Option(
        "--json", help="End with one JSON object on standard output; progress is JSON lines on standard error."
    ),
]

# -- crawls by many nodes, in simulation --
MANY = "Many nodes"  # the heading in the help
NodeCounts = Annotated[
    list[str] | None,
    typer.Option("--nodes", rich_help_panel=MANY, help="How many nodes crawl: 4, 1..8 or 1,2,4,8; may be repeated."),
]
Architectures = Annotated[
    list[str] | None,
    typer.Option(
        "--architecture", rich_help_panel=MANY, help=f"all, or any of {', '.join(ARCHITECTURES)}; may be repeated."
    ),
]
PartitionWay = Annotated[
    PartitionRule | None, typer.Option("--partition", rich_help_panel=MANY, help="Which events of a state are whose.")
]
ShareExtent = Annotated[
    SharingExtent | None,
    typer.Option(
        "--share",
        rich_help_panel=MANY,
        help="Which transitions peers hear of: those that first lead to a state, or shorten a way, or all.",
    ),
]
ShareEvery = Annotated[
    int | None,
    typer.Option("--share-every", rich_help_panel=MANY, help="Peers tell when so many facts wait; default 1."),
]
ShareInterval = Annotated[
    float | None,
    typer.Option("--share-interval", rich_help_panel=MANY, help="Peers tell what has waited for so many seconds."),
]
BalanceKind = Annotated[
    Balance | None, typer.Option("--balance", rich_help_panel=MANY, help="How a Dist-RIA coordinator deals work out.")
]
PaceName = Annotated[
    str | None,
    typer.Option("--pace", rich_help_panel=MANY, help=f"How long machinery takes: {' or '.join(PACES)}, as measured."),
]
