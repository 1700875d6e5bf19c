"""The socket under pydle's client: our TLS, reads in chunks, writes that never wait."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from pydle.connection import Connection as PydleConnection

from gamebot.irc.options import NetworkOptions, ServerAddress
from gamebot.irc.tls import check_pin, make_context

_CHUNK_BYTES: Final = 16_384
_UNREAD_LIMIT_BYTES: Final = 262_144
_CLOSE_TIMEOUT_S: Final = 2.0


class Connection(PydleConnection):  # type: ignore[misc]  # pydle has no types
    """One TCP or TLS connection to *server*."""

    def __init__(self, options: NetworkOptions, server: ServerAddress) -> None:
        super().__init__(server.host, server.port, tls=server.tls, tls_verify=options.tls_verify)
        self._options = options
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def connect(self) -> None:
        """Connect, and check the server's certificate.

        Raises:
            OSError: It did not work; a timeout and a bad certificate are kinds of it.
        """
        options = self._options
        context = await asyncio.to_thread(make_context, options) if self.tls else None
        async with asyncio.timeout(options.connect_timeout_s):
            self.reader, self.writer = await asyncio.open_connection(
                self.hostname,
                self.port,
                ssl=context,
                local_addr=(options.bind_host, 0) if options.bind_host else None,
            )
        if context and options.tls_pin:
            check_pin(
                options.tls_pin,
                self.writer.get_extra_info("ssl_object").getpeercert(binary_form=True),
            )

    async def recv(self, *, timeout: float | None = None) -> bytes:  # noqa: ASYNC109, ARG002  pydle's signature; our watchdog keeps the time
        """Return what has come, b"" at the end."""
        return await self.reader.read(_CHUNK_BYTES) if self.reader else b""

    def write(self, data: bytes) -> None:
        """Hand *data* to the socket without waiting.

        Raises:
            OSError: The connection is gone, or the server has stopped reading.
        """
        if self.writer is None:
            raise ConnectionResetError("not connected")
        if self.writer.transport.get_write_buffer_size() > _UNREAD_LIMIT_BYTES:
            raise ConnectionAbortedError("the server does not read what is sent")
        self.writer.write(data)

    async def send(self, data: bytes) -> None:
        """Do the same for pydle's own code."""
        self.write(data)

    async def disconnect(self) -> None:
        """Close the connection, by force if the other side does not answer."""
        writer, self.reader, self.writer = self.writer, None, None
        if writer is None:
            return
        writer.close()
        try:
            with contextlib.suppress(OSError):
                async with asyncio.timeout(_CLOSE_TIMEOUT_S):
                    await writer.wait_closed()
        finally:
            writer.transport.abort()
