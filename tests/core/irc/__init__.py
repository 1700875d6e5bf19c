"""The IRC connection."""
