"""The demonstration: an embedded server, the bot and a console to play in."""
