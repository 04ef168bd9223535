"""Resetting the server before each reset of the page: by an address that is asked for, or a command that is run."""

import asyncio
import os
import signal
from contextlib import suppress

from statecrawl.config.plan import Resetting
from statecrawl.crawler.http_client import HttpClient
from statecrawl.errors import SiteUnreachable

SECONDS = 60.0  # that a reset of the server may take
FAILED = 400  # status from which an answer is a refusal


async def reset_server(resetting: Resetting, client: HttpClient) -> None:
    """Do what is configured. Raises SiteUnreachable when it fails: a crawl of a dirty server would not be true."""
    if resetting.url is not None:
        await _ask(resetting.url, client)
    if resetting.command is not None:
        await _run(resetting.command)


async def _ask(url: str, client: HttpClient) -> None:
    try:
        status = (await client.get(url, SECONDS)).status
    except SiteUnreachable as trouble:
        raise SiteUnreachable(f"the server could not be reset by {url}: {trouble}.") from trouble
    if status >= FAILED:
        raise SiteUnreachable(f"the server could not be reset by {url}: it answered {status}.")


async def _run(command: str) -> None:
    process = await asyncio.create_subprocess_shell(
        command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,  # ours is for results; what it complains of is shown
        start_new_session=True,  # Ctrl-C is for the crawl, which lets the reset finish
    )
    try:
        code = await asyncio.wait_for(process.wait(), SECONDS)
    except TimeoutError as late:
        raise SiteUnreachable(f"the server could not be reset: '{command}' took longer than {SECONDS:g} s.") from late
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # the shell, and what it started
            await process.wait()
    if code:
        raise SiteUnreachable(f"the server could not be reset: '{command}' ended with exit code {code}.")
