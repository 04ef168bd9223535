"""Options that several simulation commands share."""

from typing import Annotated

import typer

from statecrawl.coordination.balance import Balance
from statecrawl.coordination.components import Responsibility
from statecrawl.coordination.partition import PartitionRule
from statecrawl.coordination.shared_facts import SharingExtent
from statecrawl.lab.paces import ARCHITECTURES, PACES
from statecrawl.model.cheapest_paths import Ties
from statecrawl.strategies.registry import STRATEGIES
from statecrawl.strategies.settings import SearchMethod, StatePreference, TieOrder

StrategyNames = Annotated[
    list[str],
    typer.Option("--strategy", "-s", help=f"Strategy to run, or all. Values: {', '.join(STRATEGIES)}. Repeatable."),
]
SomeStrategies = Annotated[
    list[str] | None,
    typer.Option("--strategy", "-s", help=f"Strategy to run, or all. Values: {', '.join(STRATEGIES)}. Repeatable."),
]
Seed = Annotated[int, typer.Option(help="Seed of every random choice. Run r of several uses seed + r.")]
ResetCost = Annotated[
    float | None, typer.Option(help="Cost of a reset, in events. Default: as published for the application.")
]
TieRule = Annotated[Ties, typer.Option(help="What wins if a reset and a walk cost the same.")]
EventOrder = Annotated[TieOrder, typer.Option(help="Which of several equally good events is fired first.")]
Runs = Annotated[int, typer.Option(help="Number of runs, each with its own seed. Needs --order random.")]
Preference = Annotated[
    StatePreference, typer.Option(help="diverse: explore states first that are unlike any seen before.")
]
SearchKind = Annotated[
    SearchMethod,
    typer.Option(help="indexed is fast; reference breaks every tie in one fixed order, as the regression tests do."),
]
Aging = Annotated[
    float, typer.Option(help="For the probability strategy: below 1, older experience with an event counts less.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]

# -- simulated crawls by several nodes --
MANY = "Many nodes"  # panel of the help
NodeCounts = Annotated[
    list[str] | None,
    typer.Option("--nodes", rich_help_panel=MANY, help="Number of nodes: 4, 1..8 or 1,2,4,8. Repeatable."),
]
Architectures = Annotated[
    list[str] | None,
    typer.Option(
        "--architecture",
        rich_help_panel=MANY,
        help=f"Architecture to simulate, or all. Values: {', '.join(ARCHITECTURES)}. Repeatable.",
    ),
]
PartitionChoice = Annotated[
    PartitionRule | None, typer.Option("--partition", rich_help_panel=MANY, help="How events are assigned to nodes.")
]
ShareExtent = Annotated[
    SharingExtent | None,
    typer.Option(
        "--share",
        rich_help_panel=MANY,
        help="Which transitions peers share: those that first reach a state, also those that shorten a path, or all.",
    ),
]
ShareEvery = Annotated[
    int | None,
    typer.Option("--share-every", rich_help_panel=MANY, help="Peers share once this many facts wait. Default: 1."),
]
ShareInterval = Annotated[
    float | None,
    typer.Option(
        "--share-interval", rich_help_panel=MANY, help="Peers share facts that have waited for this many seconds."
    ),
]
BalanceKind = Annotated[
    Balance | None,
    typer.Option(
        "--balance", rich_help_panel=MANY, help="How a Dist-RIA coordinator distributes the events of a new state."
    ),
]
ComponentOwner = Annotated[
    Responsibility | None,
    typer.Option(
        "--components",
        rich_help_panel=MANY,
        help="Crawl part by part, and choose which node crawls a part: the one that claims it first, or the one that a"
        " hash chooses. For widgets:K,M and linked:K,M.",
    ),
]
PaceName = Annotated[
    str | None,
    typer.Option(
        "--pace", rich_help_panel=MANY, help=f"Measured processing times to simulate with: {' or '.join(PACES)}."
    ),
]
