"""What can be configured: frozen classes, one per table of the TOML file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from attrs import field, frozen, resolve_types

from gamebot.config import checks
from gamebot.config.grants import Grants, parse_trusted_mask
from gamebot.config.limits import Limits
from gamebot.config.structure import SECRET
from gamebot.errors import ConfigError
from gamebot.irc.casemapping import fold
from gamebot.irc.fingerprints import parse_fingerprint


@frozen(kw_only=True)
class ServerConfig:
    """One server of a network: `[[networks.NAME.servers]]`.

    Attributes:
        host: Host name or address.
        port: TCP port, 1 to 65535; by default 6697 with TLS and 6667 without.
        tls: Whether to speak TLS from the first byte; by default what the network says.
    """

    host: str = field(validator=checks.host)
    port: int | None = field(
        default=None, validator=checks.between(1, 65_535, "a port, 1 to 65535")
    )
    tls: bool | None = None


@frozen(kw_only=True)
class PluginsConfig:
    """Which plugins are loaded at all: `[plugins]`.

    Attributes:
        folders: Folders whose modules and packages are plugins too.
        disabled: Names of plugins that are not loaded.
    """

    folders: tuple[Path, ...] = ()
    disabled: tuple[str, ...] = field(default=(), validator=checks.plugin_names)


@frozen(kw_only=True)
class ChannelDefaults:
    """What channels do unless they say otherwise: `[defaults]`, `[networks.NAME.defaults]`.

    Attributes:
        language: Language of answers and command words; "en" if nobody says another.
        prefix: Prefix of commands; None is the game's own.
        plugins: Names of the enabled plugins; ("kniffel",) if nobody says others.
        other_words: Words that other bots of the channel answer, without their prefix; () if
            nobody says any.
        settings: Plugin -> its settings, not validated yet; a sub-table of the plugin's name.
    """

    language: str | None = field(default=None, validator=checks.language)
    prefix: str | None = field(default=None, validator=checks.prefix)
    plugins: tuple[str, ...] | None = field(default=None, validator=checks.plugin_names)
    other_words: tuple[str, ...] | None = None
    settings: Mapping[str, Mapping[str, Any]] = field(factory=dict)


@frozen(kw_only=True)
class ChannelConfig(ChannelDefaults):
    """One channel: `[networks.NAME.channels."#channel"]`.

    Attributes:
        language: Language of answers and command words.
        prefix: Prefix of commands.
        plugins: Names of the enabled plugins.
        other_words: Words that other bots of the channel answer.
        settings: Plugin -> its settings, not validated yet; a sub-table of the plugin's name.
        key: Channel key (password), "" if there is none.
        ops: Services accounts that may do here what channel operators may.
    """

    key: str = field(
        default="",
        repr=False,
        metadata=SECRET,
        validator=checks.matches(re.compile(f"(?:{checks.CHANNEL_KEY.pattern})?"), "a channel key"),
    )
    ops: tuple[str, ...] = field(default=(), validator=checks.accounts)


@frozen(kw_only=True)
class NetworkConfig:
    """One network: `[networks.NAME]`.

    Attributes:
        servers: Servers, tried in turn.
        tls: Whether servers that do not say speak TLS.
        nick: Nick that the bot wants.
        alternatives: Nicks to try when it is taken; numbered ones follow by themselves.
        username: User name (ident).
        realname: Real name, shown by WHOIS.
        password: Server password, "" for none.
        sasl: Log in to services: "off", "optional" (go on without) or "required".
        sasl_mechanism: "PLAIN" (account and password) or "EXTERNAL" (client certificate).
        sasl_user: Services account.
        sasl_password: Its password.
        tls_verify: Whether the server's certificate must be valid for its name.
        tls_ca_file: PEM file of the authorities to trust instead of the system's.
        tls_pin: SHA-256 of the server's certificate, 64 hexadecimal digits; replaces tls_verify.
        client_certificate: PEM file of the client certificate.
        client_key: PEM file of its key, if it is not in the same file.
        allow_plaintext_password: Whether a password may cross a connection without TLS.
        flood_burst: Lines that may leave at once.
        flood_rate: Lines per second after that.
        ping_interval_s: Seconds between two questions whether the link lives.
        ping_timeout_s: Seconds that the answer may take.
        connect_timeout_s: Seconds for TCP and TLS.
        registration_timeout_s: Seconds from there to the end of registration.
        rejoin_tries: Times that a channel is joined again after a kick or a refusal.
        bind_host: Local address to connect from, "" for any.
        nobody: Masks nick!user@host of who is no person beside services and bouncers: no seat, no
            answer.
        owners: Services accounts that own the bot on this network.
        admins: Services accounts that look after the bot on this network.
        owner_masks: Masks nick!user@host that own the bot; the host has no wildcards.
        admin_masks: Masks nick!user@host that look after it; the host has no wildcards.
        owner_certificates: Fingerprints of TLS client certificates that own the bot: SHA-1, SHA-256
            or SHA-512, hexadecimal.
        admin_certificates: Fingerprints that look after it.
        defaults: What this network's channels do unless they say otherwise.
        channels: Channels to be in; a list of names will do.
    """

    servers: tuple[ServerConfig, ...] = field(validator=checks.some)
    tls: bool = True
    nick: str = field(validator=checks.nick)
    alternatives: tuple[str, ...] = field(default=(), validator=checks.each(checks.nick))
    username: str = field(
        default="gamebot", validator=checks.matches(checks.USERNAME, "a user name")
    )
    realname: str = field(default="gamebot", validator=checks.one_line)
    password: str = field(default="", repr=False, metadata=SECRET, validator=checks.one_line)
    sasl: Literal["off", "optional", "required"] = "off"
    sasl_mechanism: Literal["PLAIN", "EXTERNAL"] = "PLAIN"
    sasl_user: str = field(default="", validator=checks.one_line)
    sasl_password: str = field(default="", repr=False, metadata=SECRET, validator=checks.one_line)
    tls_verify: bool = True
    tls_ca_file: Path | None = None
    tls_pin: str | None = field(
        default=None,
        validator=checks.matches(checks.PIN, "a SHA-256 fingerprint, 64 hexadecimal digits"),
    )
    client_certificate: Path | None = None
    client_key: Path | None = None
    allow_plaintext_password: bool = False
    flood_burst: int = field(default=5, validator=checks.between(1, 100, "lines, 1 to 100"))
    flood_rate: float = field(
        default=1.0, validator=checks.between(0.01, 1000.0, "lines per second, 0.01 to 1000")
    )
    ping_interval_s: float = field(default=40.0, validator=checks.seconds)
    ping_timeout_s: float = field(default=30.0, validator=checks.seconds)
    connect_timeout_s: float = field(default=20.0, validator=checks.seconds)
    registration_timeout_s: float = field(default=60.0, validator=checks.seconds)
    rejoin_tries: int = field(default=5, validator=checks.between(0, 1000, "a number, 0 to 1000"))
    bind_host: str = field(default="", validator=checks.bind_host)
    nobody: tuple[str, ...] = field(default=(), validator=checks.each(checks.mask))
    owners: tuple[str, ...] = field(default=(), validator=checks.accounts)
    admins: tuple[str, ...] = field(default=(), validator=checks.accounts)
    owner_masks: tuple[str, ...] = field(default=(), validator=checks.each(checks.trusted_mask))
    admin_masks: tuple[str, ...] = field(default=(), validator=checks.each(checks.trusted_mask))
    owner_certificates: tuple[str, ...] = field(
        default=(), validator=checks.each(checks.fingerprint)
    )
    admin_certificates: tuple[str, ...] = field(
        default=(), validator=checks.each(checks.fingerprint)
    )
    defaults: ChannelDefaults = field(factory=ChannelDefaults)
    channels: Mapping[str, ChannelConfig] = field(
        factory=dict,
        validator=checks.keys(
            checks.CHANNEL, "a channel (#, &, + or ! first, no space or comma)", folded=fold
        ),
    )

    @property
    def grants(self) -> Grants:
        """Who has rights on this network."""
        return Grants(
            owners=self.owners,
            admins=self.admins,
            owner_masks=tuple(map(parse_trusted_mask, self.owner_masks)),
            admin_masks=tuple(map(parse_trusted_mask, self.admin_masks)),
            owner_certificates=tuple(map(parse_fingerprint, self.owner_certificates)),
            admin_certificates=tuple(map(parse_fingerprint, self.admin_certificates)),
        )

    def speaks_tls(self, server: ServerConfig) -> bool:
        """Tell whether the connection to *server* is encrypted."""
        return self.tls if server.tls is None else server.tls

    @property
    def sends_password(self) -> bool:
        """Whether a password crosses the connection."""
        plain = self.sasl != "off" and self.sasl_mechanism == "PLAIN"
        return bool(self.password) or plain

    def __attrs_post_init__(self) -> None:
        """Check what depends on more than one field."""
        faults = [*_sasl_faults(self), *_tls_faults(self)]
        if faults:
            raise ConfigError(faults)


def _sasl_faults(network: NetworkConfig) -> list[str]:
    if network.sasl == "off":
        if network.sasl_password:
            return ['sasl: is "off", but there is a sasl_password; expected "required"']
        return []
    if network.sasl_mechanism == "EXTERNAL":
        return [] if network.client_certificate else ["client_certificate: EXTERNAL needs one"]
    needed = {"sasl_user": network.sasl_user, "sasl_password": network.sasl_password}
    return [f"{name}: PLAIN needs it" for name, value in needed.items() if not value]


def _tls_faults(network: NetworkConfig) -> list[str]:
    faults: list[str] = []
    if network.sasl == "required" and network.sasl_mechanism == "EXTERNAL":
        faults += [
            f"servers[{number}].tls: EXTERNAL shows a certificate, which needs TLS"
            for number, server in enumerate(network.servers)
            if not network.speaks_tls(server)
        ]
    if network.client_key and not network.client_certificate:
        faults.append("client_key: there is no client_certificate to go with it")
    if network.sends_password and not network.allow_plaintext_password:
        faults += [
            f"servers[{number}].tls: a password would cross the connection unencrypted; "
            "use TLS, or set allow_plaintext_password"
            for number, server in enumerate(network.servers)
            if not network.speaks_tls(server)
        ]
    return faults


@frozen(kw_only=True)
class ResolvedChannel:
    """What one channel does, all layers of the configuration put together.

    Attributes:
        network: Network name.
        name: Channel as configured.
        key: Channel key, "" if there is none.
        language: Language of answers and command words.
        prefix: Prefix of commands; None is the game's own.
        plugins: Names of the enabled plugins.
        other_words: Words that other bots of the channel answer.
        ops: Services accounts that may do here what channel operators may.
        settings: Plugin -> its settings, not validated yet.
    """

    network: str
    name: str
    key: str = field(repr=False)
    language: str
    prefix: str | None
    plugins: tuple[str, ...]
    other_words: tuple[str, ...]
    ops: tuple[str, ...]
    settings: Mapping[str, Mapping[str, Any]]


@frozen(kw_only=True)
class Config:
    """The whole configuration.

    Attributes:
        database: SQLite file.
        synchronous: "full" survives a power loss, "normal" only the death of the process.
        log_level: Least severe messages to log.
        log_format: "console" for people, "json" for machines.
        plugins: Which plugins are loaded at all.
        limits: Bounds on what people may ask of the bot: `[limits]`.
        defaults: What channels do unless they or their network say otherwise.
        networks: Networks by name.
    """

    database: Path = Path("gamebot.sqlite3")
    synchronous: Literal["full", "normal"] = "full"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["console", "json"] = "console"
    plugins: PluginsConfig = field(factory=PluginsConfig)
    limits: Limits = field(factory=Limits)
    defaults: ChannelDefaults = field(factory=ChannelDefaults)
    networks: Mapping[str, NetworkConfig] = field(
        validator=checks.both(
            checks.some,
            checks.keys(
                checks.NETWORK, "a name of letters, digits, dots and dashes", folded=str.lower
            ),
        )
    )

    def resolve(self, network: str, channel: str) -> ResolvedChannel:
        """Put the layers together: channel over network over defaults.

        Args:
            network: Name of a configured network.
            channel: Channel in any case; one that is not configured gets the defaults.
        """
        config = self.networks[network]
        known = {fold(name): name for name in config.channels}
        name = known.get(fold(channel), channel)
        own = config.channels.get(name, ChannelConfig())
        layers = (self.defaults, config.defaults, own)
        return ResolvedChannel(
            network=network,
            name=name,
            key=own.key,
            language=_last("en", [layer.language for layer in layers]),
            prefix=_last(None, [layer.prefix for layer in layers]),
            plugins=_last(("kniffel",), [layer.plugins for layer in layers]),
            other_words=_last((), [layer.other_words for layer in layers]),
            ops=own.ops,
            settings=_merged([layer.settings for layer in layers]),
        )


def _last(default: Any, values: list[Any]) -> Any:  # noqa: ANN401 - any field's value
    return next((value for value in reversed(values) if value is not None), default)


def _merged(layers: list[Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    merged: dict[str, dict[str, Any]] = {}
    for layer in layers:
        for plugin, values in layer.items():
            merged.setdefault(plugin, {}).update(values)
    return merged


for _class in (
    ServerConfig,
    PluginsConfig,
    Limits,
    ChannelDefaults,
    ChannelConfig,
    NetworkConfig,
    Config,
):
    resolve_types(_class)  # the reader of environment variables looks at the fields' types
