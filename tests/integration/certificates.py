"""A private certificate authority, made anew with openssl for each test run."""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path

from attrs import frozen


@frozen
class Authority:
    """A folder with a CA and the certificates that the servers show.

    Attributes:
        folder: Holds `ca.pem`; `server` (signed, for localhost and 127.0.0.1), `self_signed` and
            `wrong_host` (signed, for another name), `person` (a client's, signed by itself), each
            as `.pem` and `.key`; `dh.pem`.
    """

    folder: Path

    @property
    def ca_file(self) -> Path:
        """The certificate that a client has to trust."""
        return self.folder / "ca.pem"

    def client_context(self, *, certified: bool = False) -> ssl.SSLContext:
        """Make a context that trusts this authority alone and checks the host's name.

        Args:
            certified: Show the certificate `person`.
        """
        context = ssl.create_default_context(cafile=str(self.ca_file))
        if certified:
            context.load_cert_chain(self.folder / "person.pem", self.folder / "person.key")
        return context

    def fingerprint(self) -> str:
        """Ask openssl for the SHA-256 fingerprint of `person`, as an operator does."""
        words = "x509 -in person.pem -noout -fingerprint -sha256"
        return _openssl(self.folder, words).strip()


def make_authority(folder: Path) -> Authority:
    """Create every certificate in *folder*, which must be empty or missing."""
    folder.mkdir(parents=True, exist_ok=True)
    localhost = "DNS:localhost,IP:127.0.0.1"
    _self_signed(folder, "ca", "Integration test CA", "basicConstraints=critical,CA:TRUE")
    _signed(folder, "server", localhost)
    _signed(folder, "wrong_host", "DNS:irc.elsewhere.test")
    _self_signed(folder, "self_signed", "localhost", f"subjectAltName={localhost}")
    _self_signed(folder, "person", "a person", "basicConstraints=critical,CA:FALSE")
    _openssl(
        folder,
        "genpkey -genparam -algorithm DH -pkeyopt group:ffdhe2048 -out dh.pem",
    )
    for key in folder.glob("*.key"):
        key.chmod(0o600)
    return Authority(folder)


def _self_signed(folder: Path, name: str, subject: str, extension: str) -> None:
    _openssl(
        folder,
        f"req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -days 2"
        f" -keyout {name}.key -out {name}.pem -addext {extension} -subj",
        f"/CN={subject}",
    )


def _signed(folder: Path, name: str, alternative_names: str) -> None:
    _openssl(
        folder,
        f"req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc"
        f" -keyout {name}.key -out {name}.csr -subj /CN={name}",
    )
    (folder / f"{name}.ext").write_text(f"subjectAltName={alternative_names}\n", encoding="utf-8")
    _openssl(
        folder,
        f"x509 -req -in {name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2"
        f" -extfile {name}.ext -out {name}.pem",
    )


def _openssl(folder: Path, words: str, *more: str) -> str:
    command = ["openssl", *words.split(), *more]
    done = subprocess.run(
        command, cwd=folder, check=True, capture_output=True, timeout=30, encoding="utf-8"
    )
    return done.stdout
