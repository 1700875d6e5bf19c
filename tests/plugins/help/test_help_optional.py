from structlog.testing import capture_logs

from gamebot.bot.app import profiles
from gamebot.config import load_config
from gamebot.config.profile import ChannelProfile
from gamebot.plugin.loading import load_plugins
from gamebot.testing.session import Session

CONFIG = """
[networks.net]
nick = "bot"
servers = [{host = "irc.example.org"}]
channels = ["#k"]
"""


def channel(tmp_path, registries) -> ChannelProfile:
    path = tmp_path / "gamebot.toml"
    path.write_text(CONFIG)
    return next(profiles(load_config(path), "net", registries))


def test_every_channel_has_it(tmp_path):
    assert channel(tmp_path, load_plugins().registries).plugins[-1] == "help"


async def test_the_bot_runs_without_it(tmp_path):
    registries = load_plugins(disabled=["help"]).registries
    with capture_logs() as logs:
        profile = channel(tmp_path, registries)
    assert not logs
    assert "help" not in profile.plugins
    session = Session(registries)
    link = session.add_network("net")
    session.add_channel("net", profile)
    async with session:
        link.say("anna", ".help", "#k")
        link.say("anna", ".addme", "#k")
        await session.settle()
        assert [line.plain for line in session.heard] == [
            "anna opens a game of Kniffel. Join with .addme, begin with .start."
        ]
