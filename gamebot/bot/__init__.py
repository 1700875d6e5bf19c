"""Assembly of the bot: networks, the way of an event to its channel, reload, and those who look after it."""
