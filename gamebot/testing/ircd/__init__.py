"""The parts of the IRC server of `gamebot.testing.server`: state, commands, connections."""
