"""What help and guides say of the game, from the rules and settings of the channel."""
