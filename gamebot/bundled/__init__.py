"""Plugins that come with the framework."""
