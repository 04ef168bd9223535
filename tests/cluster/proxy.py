"""A network that can be taken away: a proxy for TCP that hands on what it gets, as long as nobody cuts it."""

import asyncio
from contextlib import suppress

PIECE = 1 << 16


class Proxy:
    """Between whoever connects and a port of this machine."""

    def __init__(self, target: int) -> None:
        self.cuts = 0  # connections that were broken or refused
        self._target = target
        self._is_cut = False
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
        self.cut()

    def cut(self) -> None:
        """Break all connections, in the middle of whatever they say, and take no others."""
        self._is_cut = True
        self.cuts += len(self._writers)
        for writer in self._writers:
            writer.transport.abort()

    def mend(self) -> None:
        self._is_cut = False

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            self.cuts += 1
            writer.transport.abort()
            return
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._target)
        both = {writer, there_writer}
        self._writers |= both
        try:
            await asyncio.gather(_hand_on(reader, there_writer), _hand_on(there_reader, writer))
        finally:
            self._writers -= both
            for each in both:
                each.close()


async def _hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await reader.read(PIECE):
            writer.write(piece)
            await writer.drain()
        writer.close()
