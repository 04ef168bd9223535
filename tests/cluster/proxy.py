"""TCP proxy that can be interrupted, to simulate a network failure."""

import asyncio
from contextlib import suppress

PIECE = 1 << 16


class Proxy:
    """Forwards connections to a port of this machine."""

    def __init__(self, target: int) -> None:
        self.cuts = 0  # connections that were broken or refused
        self._target = target
        self.held = 0  # pieces that had to wait
        self._is_cut = False
        self._flows = asyncio.Event()
        self._flows.set()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def port(self) -> int:
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        self._flows.set()
        self.cut()

    def cut(self) -> None:
        """Break all connections, in the middle of whatever they say, and take no others."""
        self._is_cut = True
        self.cuts += len(self._writers)
        for writer in self._writers:
            writer.transport.abort()

    def stall(self) -> None:
        """Hand on nothing, and say nothing about it."""
        self._flows.clear()

    def mend(self) -> None:
        self._is_cut = False
        self._flows.set()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            self.cuts += 1
            writer.transport.abort()
            return
        await self._flows.wait()
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._target)
        both = {writer, there_writer}
        self._writers |= both
        try:
            await asyncio.gather(self._hand_on(reader, there_writer), self._hand_on(there_reader, writer))
        finally:
            self._writers -= both
            for each in both:
                each.close()

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(PIECE):
                self.held += not self._flows.is_set()
                await self._flows.wait()
                writer.write(piece)
                await writer.drain()
            writer.close()
