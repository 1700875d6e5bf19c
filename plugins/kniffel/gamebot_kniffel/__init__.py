"""Kniffel for gamebot: a pure engine, and the adapter that gives it a channel."""

from __future__ import annotations

from pathlib import Path

from gamebot import Registry, hookimpl


@hookimpl
def gamebot_register(registry: Registry) -> None:
    """Register the game, its commands and its catalogs."""
    from gamebot_kniffel.commands import advice, play

    registry.catalogs("gamebot_kniffel", Path(__file__).parent / "locale")
    play.register(registry)
    advice.register(registry)
