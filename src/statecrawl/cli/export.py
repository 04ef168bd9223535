"""`statecrawl export`: what was found, in a format that other programs read."""

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
            metavar="APP|FILE|DIR", help="A name from `statecrawl apps`, the folder of a crawl, or a model file."
        ),
    ],
    to: Annotated[
        str | None, typer.Option("--format", help=f"{', '.join(EVERY)}; default: by the name of --out, else json.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where to write it, for csv and pytest a folder; default: standard output.")
    ] = None,
) -> None:
    """Write what was found in a format that other programs read.

    The model of an application, a journal or a model file: [bold]json[/], [bold]graphml[/] (Gephi, networkx),
    [bold]dot[/] (Graphviz), [bold]mermaid[/] (Markdown).

    What the folder of a crawl holds beside that: [bold]urls[/], every address found anywhere, one per line;
    [bold]urls-json[/], the same with where, status and whether it was visited; [bold]sitemap[/]; [bold]csv[/], states,
    transitions and addresses; [bold]har[/] and [bold]warc[/], all requests and answers; [bold]openapi[/], a sketch
    of the API that was called; [bold]pytest[/], tests that walk a browser to every state. Secrets are redacted in what
    a crawl keeps, and so in these.

    Examples:
      statecrawl export tiny --format mermaid
      # the format is known by the file's name
      statecrawl export crawl-test-ria --out shop.graphml
      statecrawl export crawl-test-ria --format urls | sort
      statecrawl export crawl-test-ria --format urls-json | grep '"status": 404'
      # opens in the network panel of any browser
      statecrawl export crawl-test-ria --out shop.har
      # opens in ReplayWeb.page and pywb
      statecrawl export crawl-test-ria --out shop.warc.gz
      statecrawl export crawl-test-ria --format openapi --out api.json
      statecrawl export crawl-test-ria --format csv --out tables/
      # then run: pytest tests/
      statecrawl export crawl-test-ria --format pytest --out tests/

    Exit codes: 0 it is written; 2 there is no such source, format or traffic; 3 the journal is damaged.
    """
    if to is not None and to not in EVERY:
        raise UnknownName("format", to, EVERY)
    chosen = to or (crawl_format_of_file(out.name) if out is not None else None)
    if chosen in CRAWL_FORMATS:
        _export_crawl(source, chosen, out)
        return
    model_format = _model_format(to, out)
    if not is_file_name(source) and source.partition(":")[0] not in ENTRIES:
        raise BadInput(f"there is no crawl, file or bundled application {source}: name what --out named.")
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
            f"{out} does not say by its name which format it is: add --format, as in --format urls."
        ) from unknown


def _export_crawl(source: str, chosen: str, out: Path | None) -> None:
    crawled = opened(Path(source), chosen)
    files = CRAWL_FORMATS[chosen].files
    if "" not in files:
        if out is None:
            raise BadInput(f"{chosen} is several files, {', '.join(files)}: name a folder with --out.")
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as trouble:
            raise BadInput(f"cannot write into {out}: {trouble.strerror}; name another folder with --out.") from trouble
    if chosen == "warc" and out is None and sys.stdout.isatty():
        raise BadInput("a terminal cannot show an archive: name a file with --out, as in --out shop.warc.gz.")
    for name, pieces in files.items():
        if out is None:
            for piece in pieces(crawled):
                print_bytes(piece)
        else:
            write(out / name if name else out, partial(pieces, crawled))
            note(f"wrote {out / name if name else out}")
    started = crawled.crawl.started
    if chosen == "pytest" and started is not None and started.configuration.get("login"):
        note("the crawl logged in: the tests fail until Walk.begin in conftest.py does so as well")
