"""Whether what a configuration names on this machine is there and will do; nothing is changed."""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterator
from pathlib import Path

from gamebot.config.model import Config, NetworkConfig
from gamebot.config.structure import show_path
from gamebot.errors import StoreError

_CERTIFICATE, _KEY = b"-----BEGIN CERTIFICATE-----", b"PRIVATE KEY-----"


def file_faults(config: Config) -> Iterator[str]:
    """Name the files and folders that cannot be used, each with the full path of its key."""
    if reason := _database_fault(config.database):
        yield f"database: {reason}"
    for number, folder in enumerate(config.plugins.folders):
        if not folder.is_dir():
            yield f"plugins.folders[{number}]: {folder} is no folder"
    for name, network in config.networks.items():
        for key, reason in _certificate_faults(network):
            yield f"{show_path(['networks', name, key])}: {reason}"


def _database_fault(path: Path) -> str:
    from gamebot.store.peek import is_ours  # late: sqlite3 is for who needs it

    if not path.exists():
        return _no_place(path)
    if not path.is_file():
        return f"{path} is no file"
    try:
        if not is_ours(path):
            return f"{path}: this is a database of another program"
    except StoreError as error:
        return str(error)
    return "" if _writable(path) and _writable(path.parent) else f"{path} may not be written"


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK | os.X_OK if path.is_dir() else os.W_OK)


def _no_place(path: Path) -> str:
    """Say why a database that is not there yet cannot be made, "" if it can."""
    above = next(folder for folder in path.parents if folder.exists())
    if not above.is_dir():
        return f"{path} cannot be made, {above} is no folder"
    return "" if _writable(above) else f"{path} cannot be made, {above} may not be written"


def _certificate_faults(network: NetworkConfig) -> Iterator[tuple[str, str]]:
    """Pair keys with what is wrong with their files."""
    faults = {
        key: reason
        for key, file, wanted in (
            ("tls_ca_file", network.tls_ca_file, _CERTIFICATE),
            ("client_certificate", network.client_certificate, _CERTIFICATE),
            ("client_key", network.client_key, _KEY),
        )
        if file is not None and (reason := _pem_fault(file, wanted))
    }
    if network.tls_ca_file and "tls_ca_file" not in faults:
        try:
            ssl.create_default_context(cafile=network.tls_ca_file)
        except OSError as error:
            faults["tls_ca_file"] = f"{network.tls_ca_file} cannot be used ({_why(error)})"
    if network.client_certificate and faults.keys().isdisjoint(
        ("client_certificate", "client_key")
    ):
        try:
            # An empty password, so that nobody is asked for one on the terminal.
            ssl.create_default_context().load_cert_chain(
                network.client_certificate, network.client_key, password=""
            )
        except OSError as error:
            pair = " and ".join(map(str, filter(None, _client_files(network))))
            faults["client_certificate"] = f"{pair} cannot be used together ({_why(error)})"
    yield from faults.items()


def _client_files(network: NetworkConfig) -> tuple[Path | None, Path | None]:
    return network.client_certificate, network.client_key


def _pem_fault(file: Path, wanted: bytes) -> str:
    try:
        text = file.read_bytes()
    except OSError as error:
        return f"{file} cannot be read ({error.strerror or 'unknown reason'})"
    if wanted in text:
        return ""
    what = "certificate" if wanted is _CERTIFICATE else "private key"
    return f"{file} holds no {what} in PEM form"


def _why(error: OSError) -> str:
    reason = getattr(error, "reason", None)  # OpenSSL's own name of it
    return str(reason or error.strerror or error).replace("_", " ").lower()
