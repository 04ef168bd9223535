"""`statecrawl export`: write the results of a crawl in a format for other programs."""

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.console import note, print_bytes
from statecrawl.cli.output_files import write
from statecrawl.errors import BadInput, UnknownName
from statecrawl.lab.subjects import is_file_name, load_model, subject
from statecrawl.model.exchange.formats import FORMATS, Format, format_named, format_of_file
from statecrawl.results.export import CRAWL_FORMATS, crawl_format_of_file, opened
from statecrawl.testbed.catalogue import ENTRIES

EVERY = (*FORMATS, *CRAWL_FORMATS)


def export(
    source: Annotated[
        str,
        typer.Argument(
            metavar="APP|FILE|DIR", help="A name from `statecrawl apps`, the directory of a crawl, or a model file."
        ),
    ],
    to: Annotated[
        str | None,
        typer.Option("--format", help=f"{', '.join(EVERY)}. Default: by the file name of --out, otherwise json."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="File to write, or directory for csv and pytest. Default: standard output.")
    ] = None,
) -> None:
    """Export the results of a crawl in a format for other programs.

    Model formats, for applications, crawls and model files: [bold]json[/], [bold]graphml[/] (Gephi, networkx),
    [bold]dot[/] (Graphviz), [bold]mermaid[/] (Markdown).

    Formats for crawls only: [bold]urls[/], all URLs found, one per line; [bold]urls-json[/], the same with source,
    status and whether the crawl visited them; [bold]sitemap[/]; [bold]csv[/], tables of states, transitions and URLs;
    [bold]har[/] and [bold]warc[/], all requests and responses; [bold]openapi[/], a draft of the API that the
    application called; [bold]pytest[/], tests that lead a browser to every state. Secrets stay redacted, as in the
    crawl directory.

    Examples:
      statecrawl export tiny --format mermaid
      # the file name determines the format
      statecrawl export crawl-test-ria --out shop.graphml
      statecrawl export crawl-test-ria --format urls | sort
      statecrawl export crawl-test-ria --format urls-json | grep '"status": 404'
      # for the network panel of any browser
      statecrawl export crawl-test-ria --out shop.har
      # for ReplayWeb.page and pywb
      statecrawl export crawl-test-ria --out shop.warc.gz
      statecrawl export crawl-test-ria --format openapi --out api.json
      statecrawl export crawl-test-ria --format csv --out tables/
      # then run: pytest tests/
      statecrawl export crawl-test-ria --format pytest --out tests/

    Exit codes: 0 done; 2 there is no such source or format, or no traffic was stored; 3 the journal is damaged.
    """
    if to is not None and to not in EVERY:
        raise UnknownName("format", to, EVERY)
    chosen = to or (crawl_format_of_file(out.name) if out is not None else None)
    if chosen in CRAWL_FORMATS:
        _export_crawl(source, chosen, out)
        return
    model_format = _model_format(to, out)
    if not is_file_name(source) and source.partition(":")[0] not in ENTRIES:
        raise BadInput(f"there is no crawl directory, file or bundled application named {source}.")
    graph = load_model(Path(source))[0] if is_file_name(source) else subject(source).truth
    text = model_format.dumps(graph)
    if out is None:
        print_bytes(text.encode())
        return
    write(out, text)
    note(f"wrote {out}: {len(graph):,} states, {graph.explored:,} transitions")


def _model_format(to: str | None, out: Path | None) -> Format:
    if to is not None or out is None:
        return format_named(to or "json")
    try:
        return format_of_file(out.name)
    except UnknownName as unknown:
        raise BadInput(
            f"cannot tell the format from the file name {out}: add --format, for example --format urls."
        ) from unknown


def _export_crawl(source: str, chosen: str, out: Path | None) -> None:
    crawled = opened(Path(source), chosen)
    files = CRAWL_FORMATS[chosen].files
    if "" not in files:
        if out is None:
            raise BadInput(f"{chosen} consists of several files ({', '.join(files)}): choose a directory with --out.")
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"cannot write to {out}: {error.strerror}; choose another directory with --out.") from error
    if chosen == "warc" and out is None and sys.stdout.isatty():
        raise BadInput("a terminal cannot show an archive: choose a file with --out, such as --out shop.warc.gz.")
    for name, pieces in files.items():
        if out is None:
            for piece in pieces(crawled):
                print_bytes(piece)
        else:
            write(out / name if name else out, partial(pieces, crawled))
            note(f"wrote {out / name if name else out}")
    started = crawled.crawl.started
    if chosen == "pytest" and started is not None and started.configuration.get("login"):
        note("the crawl logged in: the tests fail until Walk.begin in conftest.py logs in, too")
