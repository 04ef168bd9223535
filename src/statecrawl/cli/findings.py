"""`statecrawl findings`: what a crawl saw that is wrong with an application."""

from collections.abc import Container, Sequence
from pathlib import Path
from typing import Annotated

import typer

from statecrawl.cli.console import note, output, print_bytes
from statecrawl.cli.output_files import write
from statecrawl.errors import Disagreement, UnknownName, printable
from statecrawl.exports.findings import ANY, ERROR, KINDS, Key, failing, key, keys
from statecrawl.model.finding import Finding
from statecrawl.results.findings import FORMATS, TEXT, findings_in, written

MOST_SHOWN = 40
FailOn = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-on",
        help=f"End with exit code 7 when there is any: {', '.join(KINDS)}, {ERROR}, {ANY}; new- before it counts only"
        " what --baseline has not; may be repeated.",
    ),
]
Baseline = Annotated[Path | None, typer.Option(help="Folder of an earlier crawl, to tell what is new.")]


def findings(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a crawl.")],
    form: Annotated[str, typer.Option("--format", help=f"{', '.join(FORMATS)}.")] = TEXT,
    out: Annotated[Path | None, typer.Option(help="File to write; default: standard output.")] = None,
    fail_on: FailOn = None,
    baseline: Baseline = None,
) -> None:
    """Say what is wrong with an application: scripts that failed, pages and requests that got no answer, and more.

    Examples:
      statecrawl findings crawl-test-ria
      # for code scanning
      statecrawl findings crawl-test-ria --format sarif --out shop.sarif
      # for a pipeline: a test report, and exit code 7 when links are broken
      statecrawl findings crawl-test-ria --format junit --out shop.xml \\
        --fail-on broken-link
      # what is new since the crawl before is marked, also in sarif, and fails
      statecrawl findings tuesday --fail-on new-error --baseline monday

    Exit codes: 0 said; 2 the request cannot be done as asked; 3 the journal cannot be used; 7 there is what --fail-on
    names.
    """
    if form not in FORMATS:
        raise UnknownName("format", form, FORMATS)
    before = findings_before(fail_on, baseline)
    application, found = findings_in(folder)
    known = None if before is None else keys(before)
    if form != TEXT:
        pieces = written(found, application, form, known)
        if out is None:
            print_bytes(b"".join(pieces))
        else:
            write(out, b"".join(pieces).decode())
            note(f"wrote {out}: {len(found):,} findings")
    else:
        _print(found, known)
    judge_findings(found, fail_on or (), before)


def findings_before(fail_on: Sequence[str] | None, baseline: Path | None) -> list[Finding] | None:
    """What is known of an earlier crawl. Raises BadInput, also when it is asked for what there is not."""
    before = None if baseline is None else findings_in(baseline)[1]
    failing((), fail_on or (), before)
    return before


def judge_findings(found: Sequence[Finding], fail_on: Sequence[str], before: Sequence[Finding] | None) -> None:
    """Raises Disagreement when there is what a pipeline should fail on."""
    bad = failing(found, fail_on, before)
    if bad:
        more = f" and {len(bad) - 1:,} more" if len(bad) > 1 else ""
        raise Disagreement(f"{bad[0].kind}: {bad[0].message}{more}; --fail-on {', '.join(fail_on)} asked for that.")


def _print(found: Sequence[Finding], before: Container[Key] | None) -> None:
    for finding in found[:MOST_SHOWN]:
        place = f" (state {finding.state[:8]})" if finding.state else ""
        new = "new " if before is not None and key(finding) not in before else ""
        said = printable(f"{new}{finding.level}: {finding.kind}: {finding.message}{place}")
        output.print(said, markup=False, soft_wrap=True)
    if len(found) > MOST_SHOWN:
        output.print(f"and {len(found) - MOST_SHOWN:,} more; --format json has them all", markup=False, soft_wrap=True)
    if not found:
        output.print("nothing is wrong, as far as the crawl has seen", markup=False, soft_wrap=True)
