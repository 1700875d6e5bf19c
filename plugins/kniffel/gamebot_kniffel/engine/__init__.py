"""The game itself, pure: a move goes in, a list of frozen events comes out."""
