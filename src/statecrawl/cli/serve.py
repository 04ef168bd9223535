"""`statecrawl serve`: coordinate a crawl whose nodes come from anywhere."""

import asyncio
import os
import secrets
import ssl
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from statecrawl.cli.console import note
from statecrawl.cli.crawl import Done, end_on_signals, finish, served
from statecrawl.cli.crawl_options import with_crawl_options
from statecrawl.cli.watching import Show
from statecrawl.cluster.http_server import Serving
from statecrawl.errors import BadInput
from statecrawl.runtime.fleet import LOOPBACK, Address, Centre, coordinate
from statecrawl.runtime.plan import CrawlPlan
from statecrawl.runtime.supervising import TOKEN_VARIABLE
from statecrawl.runtime.team import Team
from statecrawl.stores.evidence import TOKEN_NAME

PORT = 8765
SHORTEST_TOKEN = 8


@with_crawl_options
def serve(
    given: dict[str, Any],
    url: Annotated[str, typer.Argument(help="Where the application begins, as the nodes see it.")],
    host: Annotated[
        str, typer.Option(help="Address to serve nodes at; 0.0.0.0 is every one of this machine.")
    ] = LOOPBACK,
    port: Annotated[int, typer.Option(help="Port to serve nodes at.")] = PORT,
    token: Annotated[
        str | None,
        typer.Option(envvar=TOKEN_VARIABLE, help="What nodes have to know; default: made up, and shown."),
    ] = None,
    tls_cert: Annotated[Path | None, typer.Option(help="File with a certificate: nodes join by https then.")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="File with its key.")] = None,
    config: Annotated[
        Path | None, typer.Option(help="TOML file with the options below by their names, as in max-states = 500.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="End with one JSON object on standard output.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Coordinate a crawl: nodes on this and other machines join it, and leave when they like.

    This process needs no browser. It decides what each node does, and writes the journal and the evidence.

    Example: [bold]statecrawl serve http://shop.test/ --host 0.0.0.0[/], and what it then says to run on other machines

    Exit codes are those of [bold]statecrawl crawl[/].
    """
    if token is not None and len(token) < SHORTEST_TOKEN:
        raise BadInput(f"--token must have {SHORTEST_TOKEN} characters or more: whoever has it can change the crawl.")
    tls = _tls(tls_cert, tls_key)

    async def run(plan: CrawlPlan) -> Done:
        address = Address(host=host, port=port, token=token or _kept_token(plan.out), tls=tls)

        def begun(coordinating: Centre, serving: Serving) -> None:
            end_on_signals(coordinating.stop)
            told = f"{'http' if address.tls is None else 'https'}://{_shown(serving.host)}:{serving.port}"
            said = address.token if token is None else f"${TOKEN_VARIABLE}"
            note(f"nodes join with: statecrawl node --join {told} --token {said}")
            note(f"to look at it: {told}/ in a browser (any user; the password is the token), or statecrawl status")

        with Show(quiet=quiet) as show:
            plan = replace(plan, team=plan.team or Team())
            outcome, coordinating = await coordinate(plan, address, begun, show.told)
            return outcome, coordinating.crawl.graph

    finish(*asyncio.run(served(url, given, config, run)), as_json=as_json)


def _kept_token(folder: Path) -> str:
    """The token of this crawl, made up the first time: nodes that wait for a coordinator know no other."""
    path = folder / TOKEN_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError), open(path, "x", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(secrets.token_urlsafe(18))
        return path.read_text().strip()
    except OSError as trouble:
        raise BadInput(f"cannot write into {folder}: {trouble.strerror}; name another folder with --out.") from trouble


def _shown(host: str) -> str:
    """How others would call this machine."""
    return os.uname().nodename if host in ("0.0.0.0", "::") else host  # noqa: S104 — only compared


def _tls(certificate: Path | None, key: Path | None) -> ssl.SSLContext | None:
    if certificate is None:
        if key is not None:
            raise BadInput("--tls-key needs a --tls-cert.")
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as trouble:
        raise BadInput(f"cannot use {certificate} as a certificate: {trouble}.") from trouble
    return context
