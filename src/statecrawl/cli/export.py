"""`statecrawl export`: a model in a format that other programs read."""

from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.console import note, print_bytes
from statecrawl.cli.files import write
from statecrawl.model.exchange.formats import FORMATS, format_named, format_of_file
from statecrawl.runtime.subjects import is_file_name, load_model, subject


def export(
    source: Annotated[
        str,
        typer.Argument(
            metavar="APP|FILE", help="A name from `statecrawl apps`, the folder of a crawl, or a model file."
        ),
    ],
    to: Annotated[
        str | None, typer.Option("--format", help=f"{', '.join(FORMATS)}; default: by the name of --out, else json.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write it; default: standard output.")] = None,
) -> None:
    """Write the model of an application, a journal or a model file as JSON, GraphML, DOT or Mermaid.

    Example: [bold]statecrawl export tiny --format mermaid[/]

    Example: [bold]statecrawl export crawl.journal --out crawl.graphml[/]
    """
    by_name = FORMATS["json"] if out is None or to is not None else format_of_file(out.name)
    chosen = by_name if to is None else format_named(to)
    graph = load_model(Path(source))[0] if is_file_name(source) else subject(source).truth
    text = chosen.dumps(graph)
    if out is None:
        print_bytes(text.encode())
        return
    write(out, text)
    note(f"wrote {out}: {len(graph):,} states, {graph.explored:,} transitions")
