"""Where, when and by whom a command may be given: plain declarations."""

from __future__ import annotations

from enum import Enum, Flag, auto

from attrs import frozen


class Where(Flag):
    """Where a command may be given."""

    CHANNEL = auto()
    QUERY = auto()
    ANY = CHANNEL | QUERY


class When(Enum):
    """The phase in which a command exists; checked against the channel's table."""

    ALWAYS = "always"
    NO_GAME = "no game"  # idle, over, or a lobby is open
    LOBBY = "lobby"
    GAME = "game"
    SEATED = "seated"  # in a lobby or a game
    PLAYING = "playing"  # seated in a running game
    MY_TURN = "my turn"


class Rights(Enum):
    """Who may give a command; whoever is further down may do all that those above may."""

    ANYBODY = "anybody"
    PLAYER = "player"  # seated in the channel's lobby or game
    OPERATOR = "operator"  # of the channel
    ADMIN = "admin"  # of the bot on a network
    OWNER = "owner"  # of the bot

    def cover(self, needed: Rights) -> bool:
        """Whether somebody with these rights may do what *needed* asks for."""
        order = list(Rights)
        return order.index(self) >= order.index(needed)


class Why(Enum):
    """Where somebody's rights come from."""

    ACCOUNT = "account"
    CERTIFICATE = "certificate"
    MASK = "mask"
    STATUS = "status"  # operator status in the channel
    SEAT = "seat"
    NOTHING = "nothing"


@frozen
class Standing:
    """What somebody may do, and why.

    Attributes:
        rights: The most that this person has.
        why: Where that comes from.
        by: The account, the fingerprint or the mask.
    """

    rights: Rights = Rights.ANYBODY
    why: Why = Why.NOTHING
    by: str = ""


NOBODY = Standing()
