"""An IRC server inside the process, for tests and demonstrations, that can misbehave on demand.

It listens on the loopback interface and speaks enough of the protocol for any client:

    async with IrcServer(name="alpha", accounts={"anna": "secret"}) as server:
        anna = server.person("anna")
        anna.joins("#uno")
        ...                       # connect a client to server.port
        await server.wait_until(lambda: "bot" in server.channel("#uno"))
        anna.says("#uno", "!deal")
        server.silence("bot")     # from here on the link is dead, but TCP does not know it

Most settings may be changed while it runs (`server.whox = False`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import define

from gamebot.testing.ircd import channels, modes, registration, split
from gamebot.testing.ircd.host import Host, Received
from gamebot.testing.ircd.puppet import Puppet
from gamebot.testing.ircd.settings import (
    ALL_CAPS,
    INSPIRCD_FLOOD,
    NGIRCD_FLOOD,
    FloodLimit,
    LongLine,
    Sasl,
)
from gamebot.testing.ircd.wire import Message
from gamebot.testing.ircd.world import Channel, User

__all__ = [
    "ALL_CAPS",
    "INSPIRCD_FLOOD",
    "NGIRCD_FLOOD",
    "Channel",
    "FloodLimit",
    "IrcServer",
    "LongLine",
    "Puppet",
    "Received",
    "Sasl",
    "User",
]


@define(eq=False, kw_only=True)
class IrcServer(Host):
    """An IRC server in the running event loop; see `ServerSettings` for its arguments."""

    @classmethod
    def like_ngircd(cls, name: str = "alpha") -> IrcServer:
        """Return a server with the habits of a stock ngircd: no accounts, no WHOX."""
        return cls(
            name=name,
            casemapping="ascii",
            caps={"multi-prefix"},
            whox=False,
            whois_certificates=False,
            nick_length=9,
            default_modes="",
            flood=NGIRCD_FLOOD,
            long_lines=LongLine.CLOSE,
        )

    @classmethod
    def like_inspircd(cls, name: str = "alpha") -> IrcServer:
        """Return a server with the habits of a stock InspIRCd: who floods it is killed."""
        return cls(name=name, flood=INSPIRCD_FLOOD, ping_cookie=True, multiline_cap_ls=True)

    # People without a connection

    def person(
        self,
        nick: str,
        *,
        user: str = "",
        host: str = "",
        account: str | None = None,
        caps: Iterable[str] = (),
    ) -> Puppet:
        """Put somebody on the network who does what the test says.

        Args:
            nick: Nick, which must be free.
            user: User name; the nick in lower case by default.
            host: Host; `<nick>.example` by default.
            account: Services account.
            caps: Capabilities, for what its `lines` show.

        Raises:
            ValueError: The nick is taken or cannot be one.
        """
        if not self.world.is_nick(nick) or self.world.user(nick) is not None:
            raise ValueError(f"nick {nick!r} cannot be used")
        name = "".join(char for char in nick.lower() if char.isalnum())
        somebody = User(
            nick=nick,
            user=user or name,
            host=host or f"{name}.example",
            realname=nick,
            account=account,
            caps=frozenset(caps),
            connected_at=self.world.now(),
            spoke_at=self.world.now(),
        )
        puppet = Puppet(self.world, somebody)
        somebody.link = puppet
        self.world.enter(somebody)
        return puppet

    def add_phantoms(self, channel: str, count: int, prefix: str = "phantom") -> None:
        """Fill *channel* with *count* members who neither hear nor speak; nobody is told."""
        place = self.world.open_channel(channel)
        for number in range(count):
            name = f"{prefix}{number}"
            user = User(nick=name, user=prefix, host=f"{name}.example", realname=name)
            self.world.enter(user)
            user.channels[self.world.fold(place.name)] = place
            place.add(user)
        self.touch()

    # What operators, services and other servers do

    def login(self, nick: str, account: str | None) -> None:
        """Log *nick* in to services, or (None) out."""
        self.world.set_account(self.user(nick), account)

    def certify(self, nick: str, fingerprint: str) -> None:
        """Let WHOIS tell *fingerprint* as that of the client certificate of *nick*."""
        self.user(nick).fingerprint = fingerprint

    def rename(self, nick: str, new_nick: str) -> None:
        """Change somebody's nick without being asked."""
        self.world.rename(self.user(nick), new_nick)

    def change_host(self, nick: str, user: str, host: str) -> None:
        """Give *nick* another user name and host (CHGHOST)."""
        self.world.set_host(self.user(nick), user, host)

    def kick(self, channel: str, nick: str, reason: str = "", by: str | None = None) -> None:
        """Kick *nick*; *by* is a nick or a server, by default this server."""
        source = self.world.user(by) if by else None
        params = (self.channel(channel).name, self.user(nick).nick, reason)
        if source is not None:
            channels.kick(self.world, self.world.message(source, "KICK", *params))
        else:
            channels.kick(self.world, Message("KICK", params, by or self.server_name))

    def set_modes(self, channel: str, *words: str) -> None:
        """Let the server set modes: `set_modes("#x", "+ob", "anna", "*!*@evil.example")`."""
        modes.change_modes(self.world, self.channel(channel), None, words)

    def kill(self, nick: str, reason: str = "Killed") -> None:
        """Throw *nick* off the network with KILL and ERROR."""
        user = self.user(nick)
        self.world.send(user, self.world.server_message("KILL", user.nick, reason))
        registration.disconnect(self.world, user, f"Killed ({self.server_name} ({reason}))")

    def netsplit(self, nicks: Iterable[str], servers: str = "hub.example leaf.example") -> None:
        """Cut *nicks* off: each side sees the other quit with the names of two servers.

        Until `heal` nothing that those say arrives anywhere; their PING is answered.
        """
        split.cut_off(self.world, [self.user(nick) for nick in nicks], servers)

    def heal(self) -> None:
        """End every netsplit: those who were cut off rejoin and get their modes back."""
        split.rejoin(self.world)

    def reserve(self, nick: str) -> None:
        """Answer 433 to everybody who wants *nick* from now on, also after a restart."""
        self.world.reserved.add(self.world.fold(nick))

    def release(self, nick: str) -> None:
        """End `reserve`."""
        self.world.reserved.discard(self.world.fold(nick))

    def add_caps(self, *caps: str) -> None:
        """Offer more capabilities; cap-notify tells the clients (CAP NEW)."""
        self.caps |= set(caps)
        values = self.cap_values()
        words = [f"{cap}={values[cap]}" if values[cap] else cap for cap in caps]
        self._announce_caps("NEW", words)

    def remove_caps(self, *caps: str) -> None:
        """Take capabilities away; cap-notify tells the clients (CAP DEL)."""
        self.caps -= set(caps)
        self._announce_caps("DEL", caps)
        for connection in self.connections:
            connection.user.caps -= set(caps)

    def drop_sasl(self) -> None:
        """Lose services: the sasl capability is withdrawn."""
        self.remove_caps("sasl")

    # Faults of the link

    def raw(self, nick: str, data: bytes) -> None:
        """Send *data* to a client as it is; put the line end in yourself."""
        self.connection(nick).deliver(data)

    def silence(self, nick: str) -> None:
        """Read and answer nothing more of this client, but keep its TCP connection open."""
        self.connection(nick).silence()

    def resume(self, nick: str) -> None:
        """End `silence`; what was held back on both sides arrives."""
        self.connection(nick).resume()

    def reset(self, nick: str) -> None:
        """End this client's connection with a TCP reset."""
        self.connection(nick).reset()

    def delay(self, nick: str, seconds: float) -> None:
        """Hold every line to this client back for *seconds* (of the clock)."""
        self.connection(nick).delay_s = seconds

    def close_link(self, nick: str, reason: str) -> None:
        """Close this client's link: `ERROR :Closing link: (user@host) [reason]`."""
        registration.disconnect(self.world, self.connection(nick).user, reason)

    def refuse(self, reason: str = "Throttled", *, numeric: str = "") -> None:
        """Answer each new connection with ERROR and close it, until `accept`.

        Args:
            reason: Why: `ERROR :Closing link: (unknown@127.0.0.1) [reason]`.
            numeric: Sent before it with the same text, such as "465" (banned).
        """
        self._refusal = (numeric, reason)

    def mute(self) -> None:
        """Take each new connection but never say or read a word, until `accept`."""
        self._mute = True

    def accept(self) -> None:
        """End `refuse` and `mute`."""
        self._refusal = None
        self._mute = False

    def _announce_caps(self, subcommand: str, words: Sequence[str]) -> None:
        for connection in self.connections:
            user = connection.user
            message = self.world.server_message("CAP", user.nick, subcommand, " ".join(words))
            self.world.broadcast((user,), message, cap="cap-notify")
