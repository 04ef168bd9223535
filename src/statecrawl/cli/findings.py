"""`statecrawl findings`: defects of the application that a crawl found."""

from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from statecrawl.cli.console import note, print_bytes, print_line
from statecrawl.cli.crawl_signature import declared
from statecrawl.cli.output_files import write
from statecrawl.errors import BadInput, Disagreement, UnknownName, printable
from statecrawl.exports.findings import Key, failing, key, keys
from statecrawl.model.finding import BROKEN_LINK, NEW, Finding
from statecrawl.results.findings import FORMATS, TEXT, findings_in, written

MOST_SHOWN = 40
FailOn = Annotated[list[str] | None, declared("fail-on")]
Baseline = Annotated[Path | None, declared("baseline")]


def findings(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Directory of a crawl.")],
    form: Annotated[str, typer.Option("--format", help=f"Output format: {', '.join(FORMATS)}.")] = TEXT,
    out: Annotated[Path | None, typer.Option(help="File to write. Default: standard output.")] = None,
    fail_on: FailOn = None,
    baseline: Baseline = None,
) -> None:
    """List the defects of an application: JavaScript errors, broken links, failed requests and more.

    Examples:
      statecrawl findings crawl-test-ria
      # for code scanning
      statecrawl findings crawl-test-ria --format sarif --out shop.sarif
      # in CI: write a test report, and exit with code 7 if links are broken
      statecrawl findings crawl-test-ria --format junit --out shop.xml \\
        --fail-on broken-link
      # mark the findings that are new since an earlier crawl, and fail on errors
      statecrawl findings tuesday --fail-on new-error --baseline monday

    Exit codes: 0 done; 2 the request is invalid; 3 the journal cannot be used; 7 there are findings that --fail-on
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
    """Return the findings of the baseline, if there is one. Raises BadInput if --fail-on is invalid or requires one."""
    before = None if baseline is None else findings_in(baseline)[1]
    failing((), fail_on or (), before)
    return before


def check_recorded(fail_on: Sequence[str], settings: Mapping[str, Any]) -> None:
    """Raise BadInput if --fail-on names a kind of finding that a crawl with these settings cannot detect."""
    kinds = [name for name in fail_on if name.removeprefix(NEW) == BROKEN_LINK]
    if kinds and settings.get("no-traffic"):
        raise BadInput(
            f"--fail-on {kinds[0]} cannot be combined with --no-traffic: broken links are detected in the recorded"
            " traffic."
        )


def judge_findings(found: Sequence[Finding], fail_on: Sequence[str], before: Sequence[Finding] | None) -> None:
    """Raise Disagreement if there are findings that --fail-on names."""
    bad = failing(found, fail_on, before)
    if bad:
        more = f" and {len(bad) - 1:,} more" if len(bad) > 1 else ""
        raise Disagreement(f"{bad[0].kind}: {bad[0].message}{more} (--fail-on {', '.join(fail_on)}).")


def _print(found: Sequence[Finding], before: Container[Key] | None) -> None:
    for finding in found[:MOST_SHOWN]:
        place = f" (state {finding.state[:8]})" if finding.state else ""
        new = "new " if before is not None and key(finding) not in before else ""
        line = printable(f"{new}{finding.level}: {finding.kind}: {finding.message}{place}")
        print_line(line)
    if len(found) > MOST_SHOWN:
        print_line(f"and {len(found) - MOST_SHOWN:,} more; --format json lists them all")
    if not found:
        print_line("no findings")
