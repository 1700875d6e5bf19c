"""Words to a move: the commands of the game."""
