"""Reset of the server before each reset of a page, by a request or by a command."""

import asyncio
import os
import signal
from contextlib import suppress

from statecrawl.config.plan import Resetting
from statecrawl.crawler.http_client import HttpClient
from statecrawl.errors import SiteUnreachable

SECONDS = 60.0  # that a reset of the server may take
FAILED = 400  # first HTTP status that reports a failure


async def reset_server(resetting: Resetting, client: HttpClient) -> None:
    """Reset the server as configured. Raises SiteUnreachable if that fails: the model would be wrong."""
    if resetting.url is not None:
        await _request(resetting.url, client)
    if resetting.command is not None:
        await _run(resetting.command)


async def _request(url: str, client: HttpClient) -> None:
    try:
        status = (await client.get(url, SECONDS)).status
    except SiteUnreachable as error:
        raise SiteUnreachable(f"the server could not be reset by {url}: {error}.") from error
    if status >= FAILED:
        raise SiteUnreachable(f"the server could not be reset by {url}: it answered {status}.")


async def _run(command: str) -> None:
    process = await asyncio.create_subprocess_shell(
        command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,  # our own output is for results; the errors of the command are shown
        start_new_session=True,  # Ctrl-C is for the crawl, which lets the reset finish
    )
    try:
        code = await asyncio.wait_for(process.wait(), SECONDS)
    except TimeoutError as late:
        raise SiteUnreachable(f"the server could not be reset: '{command}' took longer than {SECONDS:g} s.") from late
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # the shell and its children
            await process.wait()
    if code:
        raise SiteUnreachable(f"the server could not be reset: '{command}' ended with exit code {code}.")
