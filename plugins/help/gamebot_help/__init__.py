"""Help for gamebot: what can be typed here and now, what a command does, how the games go.

Nothing is explained here: every answer is put together from what commands and games declare.
"""

from __future__ import annotations

from pathlib import Path

from gamebot import Context, Registry, Rest, hookimpl
from gamebot_help.answers import answer
from gamebot_help.pages import Pages


@hookimpl
def gamebot_register(registry: Registry) -> None:
    """Register the two commands; what a person has not read yet belongs to this registration."""
    pages = Pages()

    def show_help(ctx: Context, command_or_topic: Rest = Rest("")) -> None:  # noqa: B008  a str
        """Say what you can do here now; explain a command or a topic."""
        pages.tell(ctx, answer(ctx, command_or_topic))

    def show_more(ctx: Context) -> None:
        """Go on with the last answer that was too long."""
        pages.more(ctx)

    registry.catalogs("gamebot_help", Path(__file__).parent / "locale")
    registry.command("help", show_help, words="!help !commands", example="rules")
    registry.command("more", show_more, words="!more more")
