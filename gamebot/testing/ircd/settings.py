"""What an `IrcServer` can be told, at the start or while it runs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import Enum
from ssl import SSLContext

from attrs import Factory, define, field, frozen

from gamebot.clock import RealClock
from gamebot.ports import Clock
from gamebot.testing.ircd.wire import LINE_LIMIT_BYTES, folder

_CAPS = (
    "account-notify account-tag away-notify cap-notify chghost echo-message extended-join "
    "message-tags multi-prefix sasl server-time setname userhost-in-names"
)
#: Every capability that the server knows.
ALL_CAPS = frozenset(_CAPS.split())

LIST_MODES = "b"
KEY_MODES = "k"
LIMIT_MODES = "l"
FLAG_MODES = "Scimnt"
STATUS_MODES = {"o": "@", "v": "+"}
USER_MODES = "Biw"
MAX_TARGETS = 4

_ISUPPORT_PER_LINE = 12


class LongLine(Enum):
    """What happens to a line of a client that is over 512 bytes without its tags."""

    TRUNCATE = "truncate"
    REFUSE = "refuse"  # answered with 417
    CLOSE = "close"  # the link is closed: ERROR :Request too long


class Sasl(Enum):
    """How AUTHENTICATE is answered."""

    WORKS = "works"
    FAILS = "fails"  # 904 whatever the password
    SILENT = "silent"  # services are away and nobody answers


@frozen
class FloodLimit:
    """A limit on what one client may send, in the manner of InspIRCd and ngircd.

    Attributes:
        burst_lines: Lines that are handled at once.
        lines_per_s: Lines handled each second after that; the others wait.
        recvq_bytes: How much may wait.
        kills: Whether a client with more than that waiting is disconnected ("RecvQ exceeded");
            otherwise the server just reads no further.
    """

    burst_lines: int = 9
    lines_per_s: float = 1.0
    recvq_bytes: int = 8192
    kills: bool = True


#: The stock limits that were measured.
INSPIRCD_FLOOD = FloodLimit()
NGIRCD_FLOOD = FloodLimit(burst_lines=3, lines_per_s=2.5, recvq_bytes=2048, kills=False)


def _caps(caps: Iterable[str]) -> frozenset[str]:
    return frozenset(caps)


@define(eq=False, kw_only=True)
class ServerSettings:
    """Everything that can be chosen; most of it may be changed while the server runs.

    Attributes:
        name: Name of the network (NETWORK=); the server calls itself `irc.<name>.example`, or
            just *name* if that holds a dot.
        casemapping: "ascii", "rfc1459" or "strict-rfc1459".
        accounts: Services accounts and their passwords (SASL PLAIN).
        certificates: SHA-256 fingerprints of client certificates (lower-case hexadecimal) and
            their accounts (SASL EXTERNAL); needs a TLS context that asks for certificates.
        whois_certificates: Whether WHOIS tells everybody a client certificate's fingerprint (276),
            or only its owner.
        caps: Capabilities offered.
        multiline_cap_ls: Spread the answer to `CAP LS 302` over several lines.
        whox: Whether WHO takes fields (WHOX).
        sasl: How AUTHENTICATE is answered.
        password: What PASS must give, None if anybody may connect.
        motd: Lines of the message of the day; none: 422.
        nick_length: NICKLEN; a longer nick is refused with 432.
        channel_length: CHANNELLEN.
        topic_length: TOPICLEN, in characters.
        max_channels: Channels that one user may be in.
        max_bans: Entries of one ban list.
        default_modes: Modes of a new channel.
        hosts: Host shown for a nick, decided when it registers; otherwise its address.
        isupport: Tokens that are added to 005, or replaced, or (value None) left out.
        long_lines: What happens to lines over the limit.
        flood: Limit of what a client may send, None for none.
        sendq_bytes: Unsent bytes after which a client that does not read is dropped.
        ping_interval_s: Silence after which a client is sent PING; dropped after as long again.
            None: never.
        ping_cookie: Ask for PONG with a cookie before registration is complete.
        clock: Time for `server-time`, flood limits, delays and pings.
        ssl_context: TLS is spoken if this is given.
        host: Address to listen on.
        port: Port to listen on; 0 takes a free one, which is kept over restarts.
    """

    name: str = "alpha"
    casemapping: str = "rfc1459"
    accounts: dict[str, str] = field(factory=dict, repr=False)
    certificates: dict[str, str] = Factory(dict)
    whois_certificates: bool = True
    caps: frozenset[str] = field(default=ALL_CAPS, converter=_caps)
    multiline_cap_ls: bool = False
    whox: bool = True
    sasl: Sasl = Sasl.WORKS
    password: str | None = field(default=None, repr=False)
    motd: Collection[str] = ("Welcome.",)
    nick_length: int = 30
    channel_length: int = 64
    topic_length: int = 307
    max_channels: int = 120
    max_bans: int = 100
    default_modes: str = "nt"
    hosts: dict[str, str] = Factory(dict)
    isupport: dict[str, str | None] = Factory(dict)
    long_lines: LongLine = LongLine.TRUNCATE
    flood: FloodLimit | None = None
    sendq_bytes: int = 16 * 1024 * 1024
    ping_interval_s: float | None = None
    ping_cookie: bool = False
    clock: Clock = Factory(RealClock)
    ssl_context: SSLContext | None = None
    host: str = "127.0.0.1"
    port: int = 0

    @property
    def server_name(self) -> str:
        """The name that the server gives itself."""
        return self.name if "." in self.name else f"irc.{self.name}.example"

    @property
    def fold(self) -> Callable[[str], str]:
        """The function that folds names by `casemapping`."""
        return folder(self.casemapping)

    def cap_values(self) -> dict[str, str]:
        """Return the offered capabilities with their values for `CAP LS 302`."""
        mechanisms = "EXTERNAL,PLAIN" if self.certificates else "PLAIN"
        return {cap: mechanisms if cap == "sasl" else "" for cap in sorted(self.caps)}

    def isupport_lines(self) -> list[list[str]]:
        """Return the tokens of each 005 line."""
        tokens: Mapping[str, str | None] = {**self._own_isupport(), **self.isupport}
        items = [f"{k}={v}" if v else k for k, v in tokens.items() if v is not None]
        return [
            items[start : start + _ISUPPORT_PER_LINE]
            for start in range(0, len(items), _ISUPPORT_PER_LINE)
        ]

    def _own_isupport(self) -> dict[str, str | None]:
        return {
            "CASEMAPPING": self.casemapping,
            "CHANTYPES": "#",
            "CHANMODES": ",".join((LIST_MODES, KEY_MODES, LIMIT_MODES, FLAG_MODES)),
            "PREFIX": f"({''.join(STATUS_MODES)}){''.join(STATUS_MODES.values())}",
            "STATUSMSG": "".join(STATUS_MODES.values()),
            "NETWORK": self.name,
            "NICKLEN": str(self.nick_length),
            "CHANNELLEN": str(self.channel_length),
            "TOPICLEN": str(self.topic_length),
            "LINELEN": str(LINE_LIMIT_BYTES),
            "CHANLIMIT": f"#:{self.max_channels}",
            "MAXLIST": f"b:{self.max_bans}",
            "MAXTARGETS": str(MAX_TARGETS),
            "MODES": "20",
            "AWAYLEN": "200",
            "KICKLEN": "255",
            "WHOX": "" if self.whox else None,
        }
