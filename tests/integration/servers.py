"""Start, stop and restart Debian's ngircd, InspIRCd and atheme in a temporary folder.

Flood handling is the one that each server ships with. Every process is started by the test that
needs it, listens on free loopback ports and is ended through its own `Popen`.
"""

from __future__ import annotations

import asyncio
import os
import random
import resource
import shutil
import socket
import string
import subprocess
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from attrs import define, field

from .certificates import Authority

HOST = "127.0.0.1"
OPER = ("root", "oper-secret")
CONF = Path(__file__).parent / "conf"
START_TIMEOUT_S = 20.0
STOP_TIMEOUT_S = 10.0
LOG_LIMIT_BYTES = 256 * 1024
# Below the range from which the system takes client ports: while a server restarts, a client that
# tries again can neither take the server's port nor be connected with itself.
PORTS = range(21000, 32000)


class ServerFailed(Exception):  # noqa: N818 - a test says "server failed"
    """A server that did not start or stop as it should; carries the end of its log."""


def free_ports(count: int) -> list[int]:
    """Find *count* loopback ports on which nothing listens now."""
    found: list[int] = []
    for port in random.sample(PORTS, 500):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
        found.append(port)
        if len(found) == count:
            return found
    pytest.fail(f"found only {len(found)} of {count} free ports in {PORTS}")


def binary(name: str) -> str:
    """Find a server's program; without it skip on a developer's machine and fail in CI."""
    path = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail(f"{name} is not installed, and in CI every server must be there")
        pytest.skip(f"{name} is not installed (Debian package of that name)")
    return path


@define(kw_only=True)
class Daemon:
    """A program that runs in the foreground with its output in a file.

    Attributes:
        name: Program, also the name of its files.
        folder: Its own folder.
        command: How it is started.
        logs: Files that tell what it did; the first one takes its output.
        environment: Its environment, None for this process's own.
        process: The running process, None before `start` and after `stop`.
        log_start: Size of the first log when the process was started.
    """

    name: str
    folder: Path
    command: Sequence[str]
    logs: tuple[Path, ...]
    environment: Mapping[str, str] | None = None
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    log_start: int = field(default=0, init=False)

    @property
    def running(self) -> bool:
        """Whether the process is alive."""
        return self.process is not None and self.process.poll() is None

    async def start(self) -> None:
        """Start and wait until it serves.

        Raises:
            ServerFailed: It ended, or did not serve within `START_TIMEOUT_S`.
        """
        if self.running:
            msg = f"{self.name} runs already"
            raise ServerFailed(msg)
        with self.logs[0].open("ab") as log:
            self.log_start = log.tell()
            self.process = subprocess.Popen(  # noqa: ASYNC220 - returns at once
                self.command,
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        # InspIRCd raises this limit, and can crash while it ends; nobody reads its core files.
        with suppress(ProcessLookupError, PermissionError):  # it is gone, or another user by now
            resource.prlimit(self.process.pid, resource.RLIMIT_CORE, (0, 0))
        try:
            await asyncio.wait_for(self._until_ready(), START_TIMEOUT_S)
        except BaseException as error:
            await self.stop()
            if isinstance(error, TimeoutError):
                raise ServerFailed(f"{self.name} did not start:\n{self.log_tail()}") from error
            raise

    async def stop(self) -> None:
        """End the process (it may be gone already) and cut an overlong log."""
        process, self.process = self.process, None
        if process is not None:
            process.terminate()
            try:
                await asyncio.to_thread(process.wait, STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                await asyncio.to_thread(process.wait, STOP_TIMEOUT_S)
        for log in self.logs:
            _keep_tail(log, LOG_LIMIT_BYTES)

    async def restart(self, *, down_s: float = 0.0) -> None:
        """Stop, stay away for *down_s* seconds, start again on the same ports."""
        await self.stop()
        await asyncio.sleep(down_s)
        await self.start()

    def log_tail(self, lines: int = 60) -> str:
        """Return the last lines of each log file."""
        parts = []
        for log in self.logs:
            if log.exists():
                tail = _tail_bytes(log, 64 * 1024).decode(errors="replace").splitlines()[-lines:]
                parts.append("\n".join([f"--- {log.name}", *tail]))
        return "\n".join(parts)

    async def _until_ready(self) -> None:
        while not await self._ready():
            if not self.running:
                raise ServerFailed(f"{self.name} ended at once:\n{self.log_tail()}")
            await asyncio.sleep(0.05)

    async def _ready(self) -> bool:
        raise NotImplementedError


@define(kw_only=True)
class IrcServer(Daemon):
    """An IRC server.

    Attributes:
        port: Plain port.
        tls_port: TLS port, certificate signed by *authority* for localhost and 127.0.0.1.
        authority: The CA and its certificates.
        bad_tls_ports: TLS ports with certificates to refuse: "self_signed", "wrong_host".
        link_port: Port for services, 0 if there is none.
    """

    port: int
    tls_port: int
    authority: Authority
    bad_tls_ports: dict[str, int] = field(factory=dict)
    link_port: int = 0
    host: str = HOST

    async def _ready(self) -> bool:
        try:
            reader, writer = await asyncio.open_connection(self.host, self.port)
        except OSError:
            return False
        try:
            writer.write(b"NICK probe\r\nUSER probe 0 * :probe\r\n")
            await _read_until(reader, writer, b" 001 ")
            writer.write(b"QUIT\r\n")
            await reader.read()
        except (OSError, EOFError):
            return False
        else:
            return True
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


@define(kw_only=True)
class Services(Daemon):
    """atheme, linked to an InspIRCd that runs."""

    uplink: IrcServer

    async def _ready(self) -> bool:
        return b"finished synching with uplink" in self.logs[0].read_bytes()[self.log_start :]


def make_ngircd(folder: Path, authority: Authority) -> IrcServer:
    """Write ngircd's configuration into *folder*."""
    program = binary("ngircd")
    port, tls_port = free_ports(2)
    # ngircd never runs as root; another user keeps their own identity.
    privileges = "\tServerUID = irc\n\tServerGID = irc" if os.geteuid() == 0 else ""
    conf = _write_conf(
        "ngircd",
        folder,
        certificates=authority.folder,
        port=port,
        tls_port=tls_port,
        privileges=privileges,
    )
    return IrcServer(
        name="ngircd",
        folder=folder,
        command=[program, "--nodaemon", "--config", str(conf)],
        logs=(folder / "ngircd.out",),
        port=port,
        tls_port=tls_port,
        authority=authority,
    )


def make_inspircd(folder: Path, authority: Authority) -> IrcServer:
    """Write InspIRCd's configuration into *folder*."""
    program = binary("inspircd")
    port, tls_port, self_signed_port, wrong_host_port, link_port = free_ports(5)
    conf = _write_conf(
        "inspircd",
        folder,
        certificates=authority.folder,
        port=port,
        tls_port=tls_port,
        self_signed_port=self_signed_port,
        wrong_host_port=wrong_host_port,
        link_port=link_port,
    )
    as_root = ["--runasroot"] if os.geteuid() == 0 else []
    return IrcServer(
        name="inspircd",
        folder=folder,
        command=[program, "--nofork", "--nopid", *as_root, "--config", str(conf)],
        logs=(folder / "inspircd.out", folder / "inspircd.log"),
        port=port,
        tls_port=tls_port,
        authority=authority,
        bad_tls_ports={"self_signed": self_signed_port, "wrong_host": wrong_host_port},
        link_port=link_port,
    )


def make_services(folder: Path, uplink: IrcServer) -> Services:
    """Write atheme's configuration into *folder*, for a link to *uplink*."""
    program = binary("atheme-services")
    conf = _write_conf("atheme", folder, link_port=uplink.link_port)
    log, pid = folder / "atheme.log", folder / "atheme.pid"
    return Services(
        name="atheme-services",
        folder=folder,
        command=[program, "-n", "-c", str(conf), "-D", str(folder), "-l", str(log), "-p", str(pid)],
        logs=(folder / "atheme.out", log),
        uplink=uplink,
    )


@asynccontextmanager
async def running(*daemons: Daemon) -> AsyncIterator[None]:
    """Start *daemons* one after the other; end them all in the reverse order."""
    try:
        for daemon in daemons:
            await daemon.start()
        yield
    finally:
        for daemon in reversed(daemons):
            await daemon.stop()


async def _read_until(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, wanted: bytes
) -> None:
    while wanted not in (line := await reader.readuntil(b"\n")):
        if line.startswith(b"PING "):
            writer.write(b"PONG " + line[5:])


def _write_conf(name: str, folder: Path, **values: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    template = string.Template((CONF / f"{name}.conf.in").read_text(encoding="utf-8"))
    conf = folder / f"{name}.conf"
    conf.write_text(template.substitute(dir=folder, host=HOST, **values), encoding="utf-8")
    return conf


def _tail_bytes(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - size))
        return file.read()


def _keep_tail(path: Path, size: int) -> None:
    # ngircd writes megabytes a second while a killed client's backlog runs down.
    if path.exists() and path.stat().st_size > size:
        path.write_bytes(_tail_bytes(path, size))
