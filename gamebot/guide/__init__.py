"""Players' guides: what a game is in one channel, as a page or as plain text.

Everything comes from declarations: commands with their examples, the topics of the game, the
channel's settings, and a sample session that is really played.
"""

from gamebot.guide.build import Edition, build
from gamebot.guide.model import Guide
from gamebot.guide.page import as_html
from gamebot.guide.plain import as_text

__all__ = ["Edition", "Guide", "as_html", "as_text", "build"]
