"""SASL PLAIN and EXTERNAL: what to send; the exchange itself is in `client`."""

from __future__ import annotations

import base64
from typing import Final

from gamebot.irc.options import NetworkOptions

_CHUNK: Final = 400
_EMPTY: Final = "+"


def is_offered(mechanism: str, value: str | None) -> bool:
    """Tell whether the capability's *value* allows *mechanism*; without a value it may."""
    return not value or mechanism in value.upper().split(",")


def responses(options: NetworkOptions) -> list[str]:
    """Return the parameters of the AUTHENTICATE lines that answer an empty challenge."""
    if options.sasl_mechanism == "EXTERNAL":
        return encode(options.sasl_user)
    return encode(f"\0{options.sasl_user}\0{options.sasl_password}")


def encode(response: str) -> list[str]:
    """Write *response* in base64 and in the pieces that AUTHENTICATE takes.

    A last piece of exactly 400 characters is followed by an empty one, which is "+".
    """
    text = base64.b64encode(response.encode()).decode()
    pieces = [text[at : at + _CHUNK] for at in range(0, len(text), _CHUNK)]
    if not pieces or len(pieces[-1]) == _CHUNK:
        pieces.append(_EMPTY)
    return pieces
