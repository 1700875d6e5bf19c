"""What a plugin declares and gets: registry, commands, dispatch, context, game type, settings."""
