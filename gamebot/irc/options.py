"""What one network's connection can be told; no import of pydle here."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from attrs import Attribute, converters, field, frozen, validators

_NICK: Final = re.compile(r"[^\s\0:@!,.*?#&$~%+0-9-][^\s\0@!,*?]*")
_CHANNEL: Final = re.compile(r"[#&+!][^\s\0\a,]+")
_WORD: Final = re.compile(r"[^\s\0]+")
_PIN: Final = re.compile(r"(?:[0-9a-f]{64})?")


def _check(pattern: re.Pattern[str], what: str) -> Any:  # noqa: ANN401  attrs' own validator types
    def validate(_: object, attribute: Attribute[str], value: str) -> None:
        if not pattern.fullmatch(value):
            raise ValueError(f"{attribute.name}: {value!r} is not {what}")

    return validate


def _positive(_: object, attribute: Attribute[float], value: float) -> None:
    if not value > 0:
        raise ValueError(f"{attribute.name}: {value!r} is not above zero")


def _normal_pin(pin: str) -> str:
    return pin.replace(":", "").replace(" ", "").lower()


def _no_break(_: object, attribute: Attribute[str], value: str) -> None:
    if re.search(r"[\r\n\0]", value):
        raise ValueError(f"{attribute.name}: a line break or NUL is not possible here")


@frozen(kw_only=True)
class ServerAddress:
    """One server of a network.

    Attributes:
        host: Host name or address.
        port: TCP port.
        tls: Whether to speak TLS from the first byte.
    """

    host: str = field(validator=_check(_WORD, "a host name"))
    port: int = field(default=6697, validator=[validators.ge(1), validators.le(65535)])
    tls: bool = True

    def __str__(self) -> str:
        return f"{self.host}:{'+' if self.tls else ''}{self.port}"


@frozen(kw_only=True)
class NetworkOptions:
    """One network, as configured.

    Attributes:
        name: Name of the network inside the bot.
        servers: Addresses, tried in turn.
        nick: Nick that the bot wants.
        alternatives: Nicks to try when it is taken; numbered ones follow by themselves.
        username: User name (ident).
        realname: Real name (gecos).
        password: Server password (PASS), "" for none.
        channels: (name, key) of every channel to be in; the key is "" if there is none.
        sasl: "off", "optional" (go on without it) or "required".
        sasl_mechanism: "PLAIN" or "EXTERNAL".
        sasl_user: Services account for PLAIN; for EXTERNAL the identity asked for, "" for the
            certificate's own.
        sasl_password: Its password.
        tls_verify: Whether the server's certificate must be valid for its name.
        tls_ca_file: PEM file of the authorities to trust instead of the system's.
        tls_pin: SHA-256 of the server's certificate in hexadecimal; it replaces tls_verify.
        client_certificate: PEM file of the client certificate (SASL EXTERNAL, CertFP).
        client_key: PEM file of its key, if it is not in the same file.
        allow_plaintext_password: Whether a password may cross a connection without TLS.
        flood_burst: Lines that may leave at once.
        flood_rate: Lines a second after that.
        backlog_lines: Waiting lines above which listings are dropped.
        backlog_bytes: Waiting bytes above which listings are dropped.
        ping_interval_s: Seconds between two questions whether the link lives.
        ping_timeout_s: Seconds that a silent link has to answer one.
        connect_timeout_s: Seconds for TCP and TLS.
        registration_timeout_s: Seconds from there to the end of registration.
        sasl_timeout_s: Seconds after which an optional SASL exchange is given up.
        rejoin_tries: Times that a channel is joined again after a kick or a refusal.
        bind_host: Local address to connect from, "" for any.
        nobody: Masks `nick!user@host` of who is no person beside services and bouncers.
        version: Answer to CTCP VERSION, "" for none.
    """

    name: str = field(validator=_check(_WORD, "a name without spaces"))
    servers: tuple[ServerAddress, ...] = field(validator=validators.min_len(1))
    nick: str = field(validator=_check(_NICK, "a nick"))
    alternatives: tuple[str, ...] = field(
        default=(),
        validator=validators.deep_iterable(_check(_NICK, "a nick")),
    )
    username: str = field(default="gamebot", validator=_check(_WORD, "a user name"))
    realname: str = field(default="gamebot", validator=_no_break)
    password: str = field(default="", repr=False, validator=_no_break)
    channels: tuple[tuple[str, str], ...] = field(default=())
    sasl: str = field(default="off", validator=validators.in_(("off", "optional", "required")))
    sasl_mechanism: str = field(default="PLAIN", validator=validators.in_(("PLAIN", "EXTERNAL")))
    sasl_user: str = field(default="", validator=_no_break)
    sasl_password: str = field(default="", repr=False, validator=_no_break)
    tls_verify: bool = True
    tls_ca_file: Path | None = field(default=None, converter=converters.optional(Path))
    tls_pin: str = field(
        default="",
        converter=_normal_pin,
        validator=_check(_PIN, "a SHA-256 fingerprint (64 hexadecimal digits)"),
    )
    client_certificate: Path | None = field(default=None, converter=converters.optional(Path))
    client_key: Path | None = field(default=None, converter=converters.optional(Path))
    allow_plaintext_password: bool = False
    flood_burst: int = field(default=5, validator=validators.ge(1))
    flood_rate: float = field(default=1.0, validator=_positive)
    backlog_lines: int = field(default=200, validator=validators.ge(1))
    backlog_bytes: int = field(default=32_768, validator=validators.ge(512))
    ping_interval_s: float = field(default=40.0, validator=_positive)
    ping_timeout_s: float = field(default=30.0, validator=_positive)
    connect_timeout_s: float = field(default=20.0, validator=_positive)
    registration_timeout_s: float = field(default=60.0, validator=_positive)
    sasl_timeout_s: float = field(default=15.0, validator=_positive)
    rejoin_tries: int = field(default=5, validator=validators.ge(0))
    bind_host: str = ""
    nobody: tuple[str, ...] = ()
    version: str = field(default="gamebot", validator=_no_break)

    @channels.validator
    def _check_channels(self, _: object, value: tuple[tuple[str, str], ...]) -> None:
        for name, key in value:
            if not _CHANNEL.fullmatch(name):
                raise ValueError(f"channels: {name!r} is not a channel name")
            if key and not re.fullmatch(r"[^\s\0,:][^\s\0,]*", key):
                raise ValueError(f"channels: the key of {name} holds a space, comma or colon")

    def __attrs_post_init__(self) -> None:
        """Check what depends on more than one field."""
        if self.sasl != "off":
            self._check_sasl()
        if self.client_key and not self.client_certificate:
            raise ValueError("client_key: there is no client_certificate to go with it")
        if not self.allow_plaintext_password and self._sends_password:
            for server in self.servers:
                if not server.tls:
                    raise ValueError(
                        f"servers: {server} has no TLS, so that a password would cross it in the"
                        " clear; set allow_plaintext_password if that is meant"
                    )

    @property
    def _sends_password(self) -> bool:
        return bool(self.password) or (self.sasl != "off" and self.sasl_mechanism == "PLAIN")

    def _check_sasl(self) -> None:
        if self.sasl_mechanism == "EXTERNAL" and not self.client_certificate:
            raise ValueError("sasl_mechanism: EXTERNAL needs a client_certificate")
        if self.sasl_mechanism == "PLAIN" and not (self.sasl_user and self.sasl_password):
            raise ValueError("sasl: PLAIN needs sasl_user and sasl_password")
