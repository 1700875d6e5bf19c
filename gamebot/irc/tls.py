"""TLS as configured: verified by default, with a pin as the way out."""

from __future__ import annotations

import hashlib
import ssl

from gamebot.irc.options import NetworkOptions


def make_context(options: NetworkOptions) -> ssl.SSLContext:
    """Make the context for one connection; it reads files.

    Raises:
        OSError: A certificate or key cannot be read or does not fit.
    """
    context = ssl.create_default_context(cafile=options.tls_ca_file)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if options.tls_pin or not options.tls_verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if options.client_certificate:
        # An empty password: without one OpenSSL would ask on the terminal, and hold the bot.
        context.load_cert_chain(options.client_certificate, options.client_key, password="")
    return context


def check_pin(pin: str, certificate: bytes | None) -> None:
    """Compare the server's *certificate* (DER) with *pin*; nothing was sent yet.

    Raises:
        ssl.SSLCertVerificationError: It is another certificate, or none.
    """
    found = hashlib.sha256(certificate).hexdigest() if certificate else "none"
    if found != pin:
        raise ssl.SSLCertVerificationError(
            f"the server's certificate is not the pinned one (SHA-256 is {found})"
        )
