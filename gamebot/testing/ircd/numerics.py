"""The texts of the error numerics, and the colour codes that channel modes look for."""

from __future__ import annotations

import re

#: Appended by `World.fail` to the numeric's other parameters.
ERROR_TEXTS = {
    "401": "No such nick",
    "402": "No such server",
    "403": "No such channel",
    "404": "Cannot send to channel",
    "405": "You have joined too many channels",
    "406": "There was no such nickname",
    "407": "Too many targets",
    "409": "No origin specified",
    "410": "Invalid CAP subcommand",
    "411": "No recipient given",
    "412": "No text to send",
    "417": "Input line was too long",
    "421": "Unknown command",
    "422": "MOTD file is missing",
    "431": "No nickname given",
    "432": "Erroneous nickname",
    "433": "Nickname is already in use",
    "441": "They are not on that channel",
    "442": "You are not on that channel",
    "443": "is already on channel",
    "451": "You have not registered",
    "461": "Not enough parameters",
    "462": "You may not reregister",
    "464": "Password incorrect",
    "471": "Cannot join channel (+l)",
    "472": "is unknown mode char to me",
    "473": "Cannot join channel (+i)",
    "474": "Cannot join channel (+b)",
    "475": "Cannot join channel (+k)",
    "476": "Invalid channel name",
    "478": "Channel ban list is full",
    "481": "Permission denied: you are not an IRC operator",
    "482": "You are not channel operator",
    "491": "No operators here",
    "501": "Unknown user mode",
    "502": "Cannot change the modes of other users",
    "902": "You must use a nick assigned to you",
    "904": "SASL authentication failed",
    "905": "SASL message too long",
    "906": "SASL authentication aborted",
    "907": "You have already authenticated using SASL",
}

_FORMATTING = re.compile(
    r"\x03(?:\d{1,2}(?:,\d{1,2})?)?|\x04(?:[0-9a-fA-F]{6}(?:,[0-9a-fA-F]{6})?)?|[\x02\x0f\x11\x16\x1d\x1e\x1f]"
)


def has_formatting(text: str) -> bool:
    """Whether *text* holds colour or formatting codes."""
    return _FORMATTING.search(text) is not None


def strip_formatting(text: str) -> str:
    """Return *text* without colour and formatting codes."""
    return _FORMATTING.sub("", text)
