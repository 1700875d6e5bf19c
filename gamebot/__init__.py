"""Chat games on several IRC networks at once."""
