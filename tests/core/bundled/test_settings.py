"""Settings over IRC: layers, types, who may, and what follows at once."""

import pytest
from house import CHANNEL, House, said
from settings_house import start_game
from structlog.testing import capture_logs

from gamebot.ports import SettingRow


def timeout(house: House) -> float:
    return house.channel.profile.settings["kniffel"].turn_timeout_s


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
            "“abcdef” will not do for prefix; allowed: 1 to 5 signs, no letter, digit, space or /.",
        ),
        ("prefix a\u200b", "“a” will not do for prefix; allowed: 1 to 5 signs"),
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
    assert answers[1] == "#dice: language, prefix, plugins, other_words"
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
