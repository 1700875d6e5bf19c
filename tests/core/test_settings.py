"""Settings over IRC: layers, types, who may, and what follows at once."""

import pytest
from attrs import field, frozen
from house import CHANNEL, House, said
from structlog.testing import capture_logs

from gamebot.config.structure import structure_field
from gamebot.config.validators import Between, OneOf
from gamebot.errors import ConfigError
from gamebot.plugin.settings import CORE, CoreSettings, keys_of
from gamebot.ports import SettingRow
from gamebot.table.table import Phase

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
async def ops(house: House) -> House:
    house.link.op("oskar", CHANNEL)
    house.link.account("olga", "olga_account")
    house.link.account("adam", "adam_account")
    return house


def timeout(house: House) -> float:
    return house.channel.profile.settings["kniffel"].turn_timeout_s


# -- reading and changing -------------------------------------------------------------------


async def test_a_setting_is_changed_by_the_channels_operator_and_lasts(ops: House):
    answers = await ops.says("oskar", ".set kniffel.turn_timeout_s 90")
    assert answers == ["kniffel.turn_timeout_s is 90s."]
    assert timeout(ops) == 90.0
    await ops.restart()
    assert timeout(ops) == 90.0
    answers = await ops.says("anna", ".set turn_timeout_s")
    assert said(answers, r"^kniffel.turn_timeout_s is 90s, set for this channel by oskar on \d{4}-")
    assert said(answers, r"Default: 5m\. Allowed: a time such as 90s, 5m or 1h, from 1s to 24h\.$")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("turn_timeout_s 90s", "kniffel.turn_timeout_s is 90s."),
        ("turn_timeout_s 2m", "kniffel.turn_timeout_s is 2m."),
        ("TURN_TIMEOUT_S 1h", "kniffel.turn_timeout_s is 1h."),
        ("joker on", "kniffel.joker is on."),
        ("kniffel.joker YES", "kniffel.joker is on."),
        ("max_players 4", "kniffel.max_players is 4."),
        ("rules joker,bonus_once", "kniffel.joker is on, kniffel.bonus_once is on."),
        ("kniffel.rules joker=off", "kniffel.joker is off."),
        ("prefix !", "prefix is “!”."),
    ],
)
async def test_values_are_read_as_people_write_them(ops: House, text, shown):
    assert await ops.says("oskar", f".set {text}") == [shown]


@pytest.mark.parametrize(
    ("language", "command", "on", "off"),
    [("de", "setze", "an", "aus"), ("it", "imposta", "sì", "no"), ("zh_Hant", "設定", "開", "關")],
)
async def test_a_switch_is_typed_and_shown_in_the_channels_language(
    ops: House, language, command, on, off
):
    await ops.says("oskar", f".set language {language}")
    for typed, shown in ((on, on), ("off", off), (on.upper(), on), (off, off), ("yes", on)):
        (answer,) = await ops.says("oskar", f".{command} joker {typed}")
        assert answer.split()[-1].rstrip(".。") == shown
    (refusal,) = await ops.says("oskar", f".{command} joker maybe")
    assert on in refusal.split("joker")[1]
    assert off in refusal.split("joker")[1]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("unset joker max_players", "“max_players” is too much."),
        ("unset network", "Only an admin of the bot may do that."),
        ("unset", "Something is missing: setting. Write: .unset setting"),
        ("enable", "Something is missing: plugin. Write: .enable plugin"),
        ("disable kniffel uno", "“uno” is too much."),
    ],
)
async def test_one_name_at_a_time(ops: House, text, answer):
    assert await ops.says("oskar", f".{text}") == [answer]


async def test_a_scope_alone_names_nothing(ops: House):
    assert await ops.says("adam", ".unset network") == ["Something is missing: setting."]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            "turn_timeout_s soon",
            "“soon” will not do for kniffel.turn_timeout_s; allowed: a time such as 90s, 5m or 1h, "
            "from 1s to 24h.",
        ),
        (
            "turn_timeout_s 0",
            "“0” will not do for kniffel.turn_timeout_s; allowed: a time such as 90s, 5m or 1h, "
            "from 1s to 24h.",
        ),
        ("joker maybe", "“maybe” will not do for kniffel.joker; allowed: on or off."),
        (
            "max_players 2.5",
            "“2.5” will not do for kniffel.max_players; allowed: a whole number from 1 to 100.",
        ),
        ("language fr", "“fr” will not do for language; allowed: one of de, en, it, zh_Hant."),
        (
            "prefix abcdef",
            "“abcdef” will not do for prefix; allowed: 1 to 5 characters without spaces.",
        ),
        ("prefix a\u200b", "“a\u200b” will not do for prefix; allowed: 1 to 5 characters without"),
        ("turn_timout 9", "no setting “turn_timout”. Do you mean kniffel.turn_timeout_s?"),
        ("kniffel.jocker on", "no setting “kniffel.jocker”. Do you mean kniffel.joker?"),
        ("xyzzy 9", "There is no setting “xyzzy”."),
        ("rules jocker", "no setting “jocker”. Do you mean kniffel.joker?"),
        ("plugins kniffel,chess", "There is no plugin “chess”; there are: kniffel"),
    ],
)
async def test_what_will_not_do_is_answered_with_what_will(ops: House, text, answer):
    answers = await ops.says("oskar", f".set {text}")
    assert len(answers) == 1
    assert answer in answers[0]
    assert not ops.session.bot.settings.layers(ops.link, CHANNEL)


async def test_what_can_be_set_takes_few_lines(ops: House):
    answers = await ops.says("anna", ".set")
    assert answers[0] == ".set NAME VALUE changes a setting, .set NAME explains it."
    assert answers[1] == "#dice: language, prefix, plugins"
    assert answers[2].startswith("kniffel: turn_timeout_s, warn_before_s, ")
    assert len(answers) == 3


async def test_only_what_differs_is_shown(ops: House):
    assert await ops.says("anna", ".settings") == [
        "#dice: language en, prefix ., plugins kniffel.",
        "Everything else is as it is by default.",
    ]
    await ops.says("oskar", ".set joker on")
    await ops.says("adam", ".set network turn_timeout_s 2m")
    assert (await ops.says("anna", ".settings"))[1] == (
        "kniffel.turn_timeout_s=2m (network), kniffel.joker=on (channel)"
    )


async def test_a_query_names_the_channel(ops: House):
    await ops.asks("oskar", "set #dice joker on")
    assert said(await ops.asks("oskar", "set joker"), "kniffel.joker is on")
    assert said(await ops.says("oskar", ".set rules"), "kniffel.rules: joker=on, bonus_once=off")


# -- layers and rights ----------------------------------------------------------------------


async def test_the_nearest_layer_counts(open_house):
    house = await open_house(channels=(CHANNEL, "#other"))
    house.link.account("olga", "olga_account")
    other = house.session.channel("#other").profile

    def other_timeout():
        return house.session.channel("#other").profile.settings["kniffel"].turn_timeout_s

    assert other.settings == {"kniffel": other.settings["kniffel"]}
    await house.says("olga", ".set global turn_timeout_s 100")
    assert (timeout(house), other_timeout()) == (100, 100)
    await house.says("olga", ".set network turn_timeout_s 200")
    assert (timeout(house), other_timeout()) == (200, 200)
    await house.says("olga", ".set turn_timeout_s 300s")
    assert (timeout(house), other_timeout()) == (300, 200)
    assert await house.says("olga", ".unset turn_timeout_s") == ["kniffel.turn_timeout_s is 200s."]
    answers = await house.says("olga", ".unset network kniffel.turn_timeout_s")
    assert answers == ["kniffel.turn_timeout_s is 100s (the network net)."]
    await house.says("olga", ".unset global turn_timeout_s")
    assert (timeout(house), other_timeout()) == (300, 300)
    assert said(await house.says("olga", ".unset turn_timeout_s"), "is not set for #dice")


@pytest.mark.parametrize(
    ("nick", "text", "refusal"),
    [
        ("anna", "set joker on", "Only an operator"),
        ("anna", "unset joker", "Only an operator"),
        ("anna", "enable kniffel", "Only an operator"),
        ("oskar", "set network joker on", "Only an admin"),
        ("oskar", "disable network kniffel", "Only an admin"),
        ("adam", "set global joker on", "Only an owner"),
    ],
)
async def test_each_layer_needs_its_rights(ops: House, nick, text, refusal):
    assert said(await ops.says(nick, f".{text}"), refusal)
    assert not ops.session.bot.settings.layers(ops.link, CHANNEL)


async def test_the_scope_may_be_said_in_the_channels_language(open_house):
    house = await open_house(language="de")
    house.link.account("adam", "adam_account")
    answers = await house.says("adam", ".setze netz turn_timeout_s 90")
    assert answers == ["kniffel.turn_timeout_s ist 90s (das Netz net)."]
    assert said(await house.says("adam", ".einstellungen"), r"turn_timeout_s=90s \(Netz\)")


async def test_a_stored_value_that_no_longer_validates_is_ignored_and_kept(ops: House):
    scope = f"net/{CHANNEL}"
    rows = [
        SettingRow(scope, "kniffel", "turn_timeout_s", '"soon"', "oskar", 1.0),
        SettingRow(scope, "kniffel", "joker", "true", "oskar", 1.0),
        SettingRow(scope, "kniffel", "gone", "1", "oskar", 1.0),
        SettingRow(scope, "absent", "x", "1", "oskar", 1.0),
    ]
    from gamebot.ports import Transaction

    await ops.session.bot.store.commit(Transaction(settings=tuple(rows)))
    with capture_logs() as logs:
        await ops.restart()
    assert timeout(ops) == 300
    assert ops.channel.profile.settings["kniffel"].joker
    ignored = [entry["why"] for entry in logs if entry["event"] == "stored_setting_ignored"]
    assert ignored == ['net/#dice kniffel.turn_timeout_s: expected a number, got "soon"']
    assert len(ops.session.bot.settings.layers(ops.link, CHANNEL)) == 4
    assert said(await ops.says("anna", ".set turn_timeout_s"), "is 5m, the default")


async def test_nothing_changes_when_it_cannot_be_stored(ops: House, monkeypatch):
    from gamebot.errors import StoreError

    async def full(_transaction):
        raise StoreError("the disk is full")

    monkeypatch.setattr(ops.session.bot.store, "commit", full)
    assert said(await ops.says("oskar", ".set joker on"), "could not be saved")
    assert not ops.channel.profile.settings["kniffel"].joker


# -- what follows at once -------------------------------------------------------------------


async def test_another_language_speaks_at_once(ops: House):
    assert await ops.says("oskar", ".set language de") == ["language ist de."]
    assert said(await ops.says("anna", ".einstellungen"), "Sprache de")
    assert await ops.says("anna", ".settings") != []
    await ops.restart()
    assert said(await ops.says("anna", ".einstellungen"), "Sprache de")


async def test_another_prefix_holds_at_once(ops: House):
    assert await ops.says("oskar", ".set prefix !!") == ["prefix is “!!”."]
    assert await ops.says("anna", ".settings") == []
    assert said(await ops.says("anna", "!!settings"), "prefix !!")
    assert await ops.says("oskar", "!!unset prefix") == ["prefix is “.”."]


async def start_game(house: House) -> None:
    await house.says("anna", ".addme")
    await house.says("anna", ".start")
    assert house.channel.tables["kniffel"].phase is Phase.PLAYING


async def test_rules_wait_for_the_next_game_and_the_answer_says_so(ops: House):
    await start_game(ops)
    answers = await ops.says("oskar", ".set joker on")
    assert answers == [
        "kniffel.joker is on. A game is on: it keeps its rules, the next one has the new ones."
    ]
    assert not ops.channel.tables["kniffel"].game.rules.joker
    await ops.says("oskar", ".stop")
    await start_game(ops)
    assert ops.channel.tables["kniffel"].game.rules.joker


async def test_a_running_game_goes_on_through_language_and_prefix(ops: House):
    await start_game(ops)
    await ops.says("oskar", ".set language de")
    await ops.says("oskar", ".setze prefix !")
    assert said(await ops.says("anna", "!wurf"), r"anna würfelt|anna wirft")


async def test_a_running_clock_follows_its_setting(ops: House):
    await start_game(ops)
    await ops.session.pass_time(100)
    assert await ops.says("oskar", ".set turn_timeout_s 3m") == ["kniffel.turn_timeout_s is 3m."]
    assert ops.channel.view("kniffel")["deadline"] == 80
    await ops.says("oskar", ".set turn_timeout_s 10s")
    assert ops.channel.view("kniffel")["deadline"] == 10
    await ops.session.pass_time(10.5)
    assert ops.channel.view("kniffel")["phase"] == "over"


# -- plugins --------------------------------------------------------------------------------


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
    assert await more.says("anna", "!addme") == []


async def test_timers_of_a_disabled_plugin_wait_for_it(open_house, request):
    house = await open_house(folders=[request.path.parent / "dropin"], plugins=("tea",))
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


# -- the pieces -----------------------------------------------------------------------------


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
