"""Plugins enabled over IRC, and the pieces that settings are made of."""

import pytest
from attrs import field, frozen
from house import CHANNEL, House, said
from settings_house import start_game
from structlog.testing import capture_logs

from gamebot.config.structure import structure_field
from gamebot.config.validators import Between, OneOf
from gamebot.errors import ConfigError
from gamebot.plugin.settings import CORE, CoreSettings, keys_of
from gamebot.ports import SettingRow

WORDS = """
from attrs import frozen
from gamebot import hookimpl

@frozen(kw_only=True)
class WordsSettings:
    greeting: str = "hello"
    turn_timeout_s: float = 5.0

def settings(ctx):
    "Clash."

def greet(ctx):
    "Greet."
    ctx.say(ctx.settings.greeting)

@hookimpl
def gamebot_register(registry):
    registry.configure(WordsSettings)
    registry.command("greet", greet, words="!greet")
    if {clash}:
        registry.command("settings", settings, words="!settings")
"""


@pytest.fixture
async def more(open_house, tmp_path) -> House:
    (tmp_path / "greeter.py").write_text(WORDS.replace("{clash}", "False"))
    (tmp_path / "clasher.py").write_text(WORDS.replace("{clash}", "True"))
    house = await open_house(folders=[tmp_path])
    house.link.op("oskar", CHANNEL)
    house.link.account("adam", "adam_account")
    return house


async def test_a_plugin_is_enabled_and_disabled_in_a_channel(more: House):
    assert await more.says("anna", ".greet") == []
    assert await more.says("oskar", ".enable greeter") == ["plugins is kniffel,greeter."]
    assert await more.says("anna", ".greet") == ["hello"]
    await more.says("oskar", ".set greeting good morning")
    assert await more.says("anna", ".greet") == ["good morning"]
    assert said(
        await more.says("oskar", ".set turn_timeout_s 9"),
        "Several have that: kniffel.turn_timeout_s, greeter.turn_timeout_s",
    )
    await more.restart()
    assert await more.says("anna", ".greet") == ["good morning"]
    assert await more.says("oskar", ".disable greeter") == ["plugins is kniffel."]
    assert await more.says("anna", ".greet") == []
    assert await more.says("oskar", ".unset plugins") == ["plugins is kniffel."]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (".enable kniffel", "enabled already"),
        (".enable nothing", "There is no plugin “nothing”"),
        (".enable admin", "There is no plugin “admin”"),
        (".disable greeter", "is not enabled"),
        (".disable settings", "belongs to every channel"),
        (".set plugins settings", "plugins is –."),
    ],
)
async def test_plugins_that_cannot_be_enabled_or_disabled(more: House, text, answer):
    assert said(await more.says("oskar", text), answer)
    assert said(await more.says("oskar", "!set" if "plugins" in text else ".set"), "NAME VALUE")


async def test_a_clash_of_words_is_refused_and_changes_nothing(more: House):
    answers = await more.says("oskar", ".enable clasher")
    assert said(answers, "cannot be in #dice: “settings” would be both")
    assert said(await more.says("anna", ".settings"), "plugins kniffel.")
    assert not more.session.bot.settings.layers(more.link, CHANNEL)


async def test_a_plugin_whose_game_is_on_stays(more: House):
    await more.says("anna", ".addme")
    answers = await more.says("oskar", ".disable kniffel")
    assert said(answers, "A game of kniffel is on in #dice; it must end first")
    assert said(await more.says("adam", ".disable network kniffel"), "must end first")
    await more.says("oskar", ".stop")
    await more.says("oskar", ".disable kniffel")
    assert "kniffel" not in more.channel.registries
    assert said(await more.says("anna", "!addme"), "I do not know “addme”")


async def test_timers_of_a_disabled_plugin_wait_for_it(open_house, request):
    house = await open_house(
        folders=[request.path.parents[1] / "plugin" / "dropin"], plugins=("tea",)
    )
    house.link.op("oskar", CHANNEL)
    await house.says("anna", "!tea 5m")
    await house.says("oskar", "!disable tea")
    await house.session.pass_time(400)
    await house.restart()
    assert house.session.lines(CHANNEL)[-1] == "plugins is –."
    await house.says("oskar", "!enable tea")
    await house.session.settle()
    assert house.session.lines(CHANNEL)[-1] == "The tea is ready!"


async def test_a_plugin_that_is_not_there_any_more_waits_until_its_game_has_ended(open_house):
    """The setting came from another channel while a game began here."""
    house = await open_house(channels=(CHANNEL, "#other"))
    await start_game(house)
    from gamebot.channel.inputs import Refreshed

    row = SettingRow("net", CORE, "plugins", "[]", "adam", 1.0)
    house.session.bot.settings.take([row])
    house.channel.put(Refreshed())
    await house.session.settle()
    assert said(await house.says("anna", ".roll"), "anna rolls")
    house.link.op("oskar", CHANNEL)
    await house.says("oskar", ".stop")
    assert "kniffel" not in house.channel.registries


@frozen(kw_only=True)
class Pair:
    low: int = field(default=1, validator=Between(0, 10))
    high: int = 5
    word: str = field(default="a", validator=OneOf(("a", "b")))
    secret: str = field(default="", metadata={"secret": True})
    nested: CoreSettings = field(factory=CoreSettings)
    words: tuple[str, ...] = ()

    def __attrs_post_init__(self):
        if self.low > self.high:
            raise ConfigError(["low: more than high"])


def test_secrets_and_nested_values_cannot_be_set():
    assert [key.name for key in keys_of("p", Pair)] == ["low", "high", "word", "words"]


def test_one_field_is_read_without_looking_at_the_others():
    assert structure_field(Pair, "low", "9", text=True) == 9
    assert structure_field(Pair, "words", "x, y", text=True) == ("x", "y")
    with pytest.raises(ConfigError, match="expected 0 to 10, got 11"):
        structure_field(Pair, "low", "11", text=True)
    with pytest.raises(ConfigError, match='expected "a" or "b", got "c"'):
        structure_field(Pair, "word", "c", text=True)
    with pytest.raises(ConfigError, match="expected an integer"):
        structure_field(Pair, "low", "9", text=False)


def test_choices_are_named_as_people_write_them():
    from enum import Enum
    from typing import Literal

    class Mood(Enum):
        GOOD = "good"
        BAD = "bad"

    @frozen(kw_only=True)
    class Choices:
        mood: Mood = Mood.GOOD
        size: Literal["big", "small"] = "big"
        name: str = ""
        ratio: float = 0.5
        pause_s: float = 1.5
        hint: str = field(default="", metadata={"allowed": "a colour"})

    # As a plugin's module would: the classes of this test have no module of their own.
    Choices.__annotations__.update(mood=Mood, size=Literal["big", "small"])
    keys = {key.name: key for key in keys_of("p", Choices)}
    assert keys["mood"].allowed() == ("one of {values}", {"values": ["good", "bad"]})
    assert keys["size"].allowed() == ("one of {values}", {"values": ["big", "small"]})
    assert keys["name"].allowed() == ("a text", {})
    assert keys["ratio"].allowed() == ("a number", {})
    assert keys["pause_s"].allowed() == ("a time such as 90s, 5m or 1h", {})
    assert keys["hint"].allowed() == ("a colour", {})
    assert keys["mood"].show(keys["mood"].read("BAD")) == "bad"
    assert keys["pause_s"].show(1.5) == "1.5s"
    assert keys["ratio"].show(None) == "–"


async def test_plugins_that_clash_in_the_configuration_are_told_apart(open_house, tmp_path):
    (tmp_path / "clasher.py").write_text(WORDS.replace("{clash}", "True"))
    with capture_logs() as logs:
        house = await open_house(folders=[tmp_path], plugins=("kniffel", "clasher"))
    assert {e["plugin"] for e in logs if e["event"] == "plugin_clash"} == {"settings"}
    assert said(await house.says("anna", ".greet"), "hello")


async def test_values_that_do_not_fit_together_are_refused(open_house, tmp_path):
    (tmp_path / "pair.py").write_text(
        "from attrs import frozen\n"
        "from gamebot import ConfigError, hookimpl\n"
        "@frozen(kw_only=True)\n"
        "class Pair:\n"
        "    low: int = 1\n"
        "    high: int = 5\n"
        "    def __attrs_post_init__(self):\n"
        "        if self.low > self.high:\n"
        "            raise ConfigError(['low: more than high'])\n"
        "@hookimpl\n"
        "def gamebot_register(registry):\n"
        "    registry.configure(Pair)\n"
        "    registry.command('x', lambda ctx: None, words='!x', help='X.')\n"
    )
    house = await open_house(folders=[tmp_path], plugins=("pair",))
    house.link.op("oskar", CHANNEL)
    assert said(await house.says("oskar", "!set low 9"), "does not fit together: pair: low: more")
    assert await house.says("oskar", "!set high 9") == ["pair.high is 9."]
    assert await house.says("oskar", "!set low 9") == ["pair.low is 9."]
    await house.restart()
    assert house.channel.profile.settings["pair"].low == 9


async def test_settings_follow_the_channels_folded_name(ops: House):
    """A row that was stored under another casemapping is found, replaced and removed."""
    old = SettingRow("net/#DICE", "kniffel", "joker", "true", "oskar", 1.0)
    ops.session.bot.settings.take([old])
    assert said(await ops.says("oskar", ".set joker"), "joker is on")
    await ops.says("oskar", ".set joker off")
    rows = ops.session.bot.settings.layers(ops.link, CHANNEL)
    assert [(row.scope, row.value) for _, row in rows] == [("net/#dice", "false")]
