"""One client's TCP (or TLS) connection: lines in, lines out, and the faults of a link."""

from __future__ import annotations

import asyncio
import hashlib
import socket
import struct
from collections import deque
from typing import Protocol, cast

from gamebot.ports import TimerHandle
from gamebot.testing.ircd.settings import LongLine, ServerSettings
from gamebot.testing.ircd.throttle import Throttle
from gamebot.testing.ircd.wire import CLIENT_TAGS_LIMIT_BYTES, ENCODING, ERRORS, LINE_LIMIT_BYTES
from gamebot.testing.ircd.world import User

#: Bytes without a line end after which the rest of a line is thrown away.
_BUFFER_LIMIT_BYTES = 64 * 1024
#: How long a client that was sent ERROR may take to close its end.
_LINGER_S = 2.0


class Owner(Protocol):
    """What a connection tells the server."""

    def connection_opened(self, connection: Connection) -> None:
        """Greet a new connection."""

    def line_received(self, connection: Connection, line: str) -> None:
        """Handle a line."""

    def line_refused(self, connection: Connection, reason: str) -> None:
        """Answer a line that was too long with 417 (*reason* ""), or close the link."""

    def connection_closed(self, connection: Connection, error: Exception | None) -> None:
        """Forget the connection."""


class Connection(asyncio.Protocol):
    """A client's end of the line, as the server holds it.

    Attributes:
        user: Who is connected.
        closed: Done when the socket is closed.
        close_reason: Why the server closed it, "" if it did not.
        heard_at: Monotonic time of the last line.
        delay_s: How long each line to the client is held back.
    """

    def __init__(self, owner: Owner, settings: ServerSettings) -> None:
        self.user = User(link=self)
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.close_reason = ""
        self.heard_at = settings.clock.monotonic()
        self.delay_s = 0.0
        self._owner = owner
        self._settings = settings
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._in = bytearray()
        self._discarding = False
        self._throttle = Throttle(settings.clock, self._handle)
        self._out = bytearray()
        self._flush_planned = False
        self._delayed: deque[tuple[float, bytes]] = deque()
        self._delay_timer: TimerHandle | None = None
        self._silent = False
        self._closing = False
        self._linger_timer: asyncio.TimerHandle | None = None

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        self.user.host = peer[0] if peer else self.user.host
        self._owner.connection_opened(self)

    def data_received(self, data: bytes) -> None:
        """Split into lines and handle them."""
        if self.is_closing:
            return
        self._in += data
        *lines, rest = self._in.split(b"\n")
        self._in = rest
        for line in lines:
            if self._discarding:
                self._discarding = False
                self._refuse()
            else:
                self._take(bytes(line.rstrip(b"\r")))
        if len(rest) > _BUFFER_LIMIT_BYTES:
            self._in.clear()
            self._discarding = True

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._throttle.stop()
        for timer in (self._delay_timer, self._linger_timer):
            if timer is not None:
                timer.cancel()
        if not self.closed.done():
            self.closed.set_result(None)
        self._owner.connection_closed(self, exc)

    # Link

    def deliver(self, data: bytes) -> None:
        """Queue one line for the client."""
        if self.is_closing:
            return
        if self.delay_s or self._delayed:
            self._deliver_later(data)
            return
        self._out += data
        self._plan_flush()

    def close(self, error: str) -> None:
        """Send `ERROR :error`, then close once all is written."""
        if self.is_closing:
            return
        self.close_reason = error
        self._out += b"".join(data for _, data in self._delayed)
        self._delayed.clear()
        self._out += f"ERROR :{error}\r\n".encode(ENCODING, ERRORS)
        self._throttle.stop()
        if self._silent:
            self.abort()
        else:
            self._flush()
            self._closing = True
            self._close_gently()

    def _close_gently(self) -> None:
        # A socket that is closed with unread bytes in it sends a reset, and the client may lose
        # the ERROR. So: end only our half, and read on until the client has closed its own.
        if self._transport is None:
            return
        if not self._transport.can_write_eof():  # TLS has no half-closed state
            self._transport.close()
            return
        self._transport.resume_reading()
        self._transport.write_eof()
        self._linger_timer = self._loop.call_later(_LINGER_S, self.abort)

    @property
    def fingerprint(self) -> str:
        """SHA-256 fingerprint of the client's certificate, "" if it has none."""
        tls = self._transport.get_extra_info("ssl_object") if self._transport else None
        certificate = tls.getpeercert(binary_form=True) if tls is not None else None
        return hashlib.sha256(certificate).hexdigest() if certificate else ""

    @property
    def is_closing(self) -> bool:
        """Whether nothing more can be sent."""
        return self._closing or self._transport is None or self._transport.is_closing()

    # Faults

    def silence(self) -> None:
        """Read and write nothing more, but keep the TCP connection."""
        self._silent = True
        self._throttle.pause()
        if self._transport is not None:
            self._transport.pause_reading()

    def resume(self) -> None:
        """End `silence`: everything that was held back arrives now."""
        self._silent = False
        if not self.is_closing and self._transport is not None:
            self._transport.resume_reading()
            self._throttle.resume()
            self._plan_flush()

    def abort(self) -> None:
        """Close the socket without another word."""
        if self._transport is not None:
            self._transport.abort()

    def reset(self) -> None:
        """Close with a TCP reset, as a crashed machine or a firewall does."""
        sock = self._transport.get_extra_info("socket") if self._transport else None
        if sock is not None:
            # Linger for 0 seconds: the kernel throws away what is unsent and sends RST.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.abort()

    # Lines in

    def _take(self, data: bytes) -> None:
        if self.is_closing:
            return
        data = data.replace(b"\0", b"")
        if not data.strip(b" "):
            return
        tags, rest = b"", data
        if data.startswith(b"@"):
            tags, _, rest = data.partition(b" ")
        if len(tags) >= CLIENT_TAGS_LIMIT_BYTES:
            self._owner.line_refused(self, "")
            return
        if len(rest) > LINE_LIMIT_BYTES - 2:
            if self._settings.long_lines is not LongLine.TRUNCATE:
                self._refuse()
                return
            rest = rest[: LINE_LIMIT_BYTES - 2]
        self._admit(tags + b" " + rest if tags else rest)

    def _refuse(self) -> None:
        closes = self._settings.long_lines is LongLine.CLOSE
        self._owner.line_refused(self, "Request too long" if closes else "")

    def _admit(self, data: bytes) -> None:
        limit = self._settings.flood
        if limit is None:
            self._handle(data)
            return
        over = self._throttle.put(data, limit)
        if over and limit.kills:
            self._owner.line_refused(self, "RecvQ exceeded")
        elif over and self._transport is not None:
            self._transport.pause_reading()

    def _handle(self, data: bytes) -> None:
        if self.is_closing:
            return
        self.heard_at = self._settings.clock.monotonic()
        self._owner.line_received(self, data.decode(ENCODING, ERRORS))
        if not self._silent and not self._throttle.is_full and self._transport is not None:
            self._transport.resume_reading()

    # Lines out

    def _deliver_later(self, data: bytes) -> None:
        clock = self._settings.clock
        due = clock.monotonic() + self.delay_s
        if self._delayed:
            due = max(due, self._delayed[-1][0])  # no line overtakes another
        self._delayed.append((due, data))
        if self._delay_timer is None:
            self._delay_timer = clock.call_at(due, self._deliver_due)

    def _deliver_due(self) -> None:
        self._delay_timer = None
        clock = self._settings.clock
        while self._delayed and self._delayed[0][0] <= clock.monotonic():
            self._out += self._delayed.popleft()[1]
        self._plan_flush()
        if self._delayed:
            self._delay_timer = clock.call_at(self._delayed[0][0], self._deliver_due)

    def _plan_flush(self) -> None:
        # One write for all the lines of a pass of the loop: a busy channel costs one system
        # call for each member instead of one for each line.
        if not self._flush_planned:
            self._flush_planned = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._flush_planned = False
        if self._transport is None or self.is_closing:
            return
        waiting = len(self._out) + self._transport.get_write_buffer_size()
        if waiting > self._settings.sendq_bytes:
            self.close_reason = "SendQ exceeded"
            self.abort()
        elif self._out and not self._silent:
            self._transport.write(bytes(self._out))
            self._out.clear()
