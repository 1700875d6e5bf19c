"""From what is configured to what a connection is told."""

from __future__ import annotations

from gamebot.config.model import NetworkConfig, ServerConfig
from gamebot.irc.options import NetworkOptions, ServerAddress


def network_options(name: str, network: NetworkConfig) -> NetworkOptions:
    """Build the options of the connection to the network called *name*."""
    return NetworkOptions(
        name=name,
        servers=tuple(_address(network, server) for server in network.servers),
        nick=network.nick,
        alternatives=network.alternatives,
        username=network.username,
        realname=network.realname,
        password=network.password,
        channels=tuple((channel, config.key) for channel, config in network.channels.items()),
        sasl=network.sasl,
        sasl_mechanism=network.sasl_mechanism,
        sasl_user=network.sasl_user,
        sasl_password=network.sasl_password,
        tls_verify=network.tls_verify,
        tls_ca_file=network.tls_ca_file,
        tls_pin=network.tls_pin or "",
        client_certificate=network.client_certificate,
        client_key=network.client_key,
        allow_plaintext_password=network.allow_plaintext_password,
        flood_burst=network.flood_burst,
        flood_rate=network.flood_rate,
        ping_interval_s=network.ping_interval_s,
        ping_timeout_s=network.ping_timeout_s,
        connect_timeout_s=network.connect_timeout_s,
        registration_timeout_s=network.registration_timeout_s,
        rejoin_tries=network.rejoin_tries,
        bind_host=network.bind_host,
        nobody=network.nobody,
    )


def _address(network: NetworkConfig, server: ServerConfig) -> ServerAddress:
    tls = network.speaks_tls(server)
    return ServerAddress(host=server.host, port=server.port or (6697 if tls else 6667), tls=tls)
