"""Looking after the bot over IRC: channels, networks, games, reload, shutdown."""

import gc
import sys
import weakref

import pytest
from attrs import evolve
from house import CHANNEL, GRANTS, House, said
from structlog.testing import capture_logs

from gamebot.bot.reload import reload_plugin
from gamebot.errors import PluginError
from gamebot.events import ChannelGivenUp
from gamebot.table.table import Phase


@pytest.fixture
async def owned(house: House) -> House:
    """Olga owns the bot, Adam looks after it, neither is in a channel; Oskar is its operator."""
    house.link.account("olga", "olga_account")
    house.link.account("adam", "adam_account")
    house.link.op("oskar", CHANNEL)
    return house


# -- who and where --------------------------------------------------------------------------


async def test_an_owner_who_shares_no_channel_is_heard_in_a_query(owned: House):
    answers = await owned.asks("olga", "!networks")
    assert answers == ["net: connected as bot, in 1 of 1 channels, 0 lines wait, accounts known"]
    assert await owned.asks("olga", "networks") == answers
    assert await owned.asks("olga", ".networks") == answers


async def test_an_admin_command_in_a_channel_is_answered_in_private(owned: House):
    await owned.says("olga", ".networks")
    last = owned.session.heard[-1]
    assert (last.to, last.kind) == ("olga", "notice")


async def test_an_admin_command_is_heard_where_a_game_reads_whole_lines_too(open_house):
    house = await open_house(plugins=("uno",))
    house.link.account("olga", "olga_account")
    assert said(await house.says("olga", "!networks"), "connected as bot")
    assert (house.session.heard[-1].to, house.session.heard[-1].kind) == ("olga", "notice")
    assert await house.says("mallory", "!networks") == []
    assert said(await house.says("mallory", "!unoon"), "opens a game")


@pytest.mark.parametrize(
    ("why", "shown"), [("kicked", "kicked out"), ("474", "banned"), ("405", "405")]
)
async def test_a_channel_that_is_given_up_is_told_to_an_owner_and_shown(open_house, why, shown):
    house = await open_house(channels=(CHANNEL, "#other"))
    link, bot = house.link, house.session.bot
    link.account("olga", "olga_account")
    link.join("olga", "#other")
    link.join("oskar", "#other")
    link.kick_bot(CHANNEL)
    bot.feed(ChannelGivenUp("net", CHANNEL, why))
    await house.session.settle()
    text = f"net: I have given up #dice ({shown})."
    assert [(line.to, line.kind, line.plain) for line in house.session.heard] == [
        ("olga", "notice", text)
    ]
    assert (await house.asks("olga", "!networks"))[1:] == [text]
    assert await house.asks("olga", "!join #dice") == ["I go to #dice."]
    assert ("JOIN", CHANNEL) in link.commands
    link.rejoin_bot(CHANNEL)
    assert len(await house.asks("olga", "!networks")) == 1
    assert said(await house.asks("olga", "!join #dice"), "already")


async def test_an_admin_is_told_where_no_owner_is_and_a_new_link_tries_again(open_house):
    house = await open_house(channels=(CHANNEL, "#other"))
    house.link.account("adam", "adam_account")
    house.link.join("adam", "#other")
    house.session.bot.feed(ChannelGivenUp("net", CHANNEL, "471"))
    house.session.bot.feed(ChannelGivenUp("net", "#unknown", "471"))
    text = "net: I have given up #dice (the channel is full)."
    assert [(line.to, line.plain) for line in house.session.heard] == [("adam", text)]
    house.link.disconnect()
    house.link.connect()
    assert len(await house.asks("adam", "!networks")) == 1


@pytest.mark.parametrize("nick", ["oskar", "stranger"])
@pytest.mark.parametrize(
    "text",
    [
        "join #x",
        "part #dice",
        "say #dice hello",
        "networks",
        "sessions",
        "reload kniffel",
        "shutdown",
    ],
)
async def test_nobody_else_may(owned: House, nick, text):
    answers = await owned.asks(nick, f"!{text}")
    assert len(answers) == 1
    assert answers[0].startswith("Only an ")
    assert CHANNEL in owned.link.rooms
    assert not owned.link.commands


@pytest.mark.parametrize("text", ["reload kniffel", "shutdown"])
async def test_what_concerns_all_networks_is_the_owners(owned: House, text):
    assert await owned.asks("adam", f"!{text}") == ["Only an owner of the bot may do that."]


async def test_in_a_channel_the_words_of_the_console_are_silent_for_others(owned: House):
    assert await owned.says("oskar", ".networks") == []
    assert await owned.says("oskar", ".shutdown") == []


async def test_every_use_is_logged_with_the_actor(owned: House):
    with capture_logs() as logs:
        await owned.asks("olga", "!join #secret swordfish")
    (entry,) = [entry for entry in logs if entry["event"] == "admin_command"]
    assert entry["actor"] == "olga!olga@olga.example"
    assert (entry["account"], entry["rights"], entry["by"]) == (
        "olga_account",
        "owner",
        "olga_account",
    )
    assert (entry["command"], entry["channel"]) == ("join", "#secret")
    assert "swordfish" not in str(logs)


# -- channels -------------------------------------------------------------------------------


async def test_a_channel_joined_over_irc_comes_back_after_a_restart(owned: House):
    assert await owned.asks("adam", "!join #new") == ["I go to #new."]
    assert owned.link.commands == [("JOIN", "#new")]
    assert said(await owned.says("anna", ".addme", "#new"), "opens a game of Kniffel")
    await owned.restart()
    assert ("JOIN", "#new") in owned.link.commands[1:]
    assert said(await owned.says("bert", ".addme", "#new"), "bert joins")


async def test_a_key_is_kept_for_the_next_join(owned: House):
    await owned.asks("adam", "!join #new swordfish")
    await owned.restart()
    assert owned.link.commands == [("JOIN", "#new", "swordfish")] * 2


async def test_a_channel_that_was_left_stays_left(owned: House):
    assert await owned.asks("adam", f"!part {CHANNEL}") == [f"I leave {CHANNEL}."]
    assert owned.link.commands == [("PART", CHANNEL, "adam")]
    assert await owned.says("anna", ".addme") == []
    await owned.restart()
    assert not owned.link.room(CHANNEL).bot_inside
    assert await owned.says("anna", ".addme") == []
    await owned.asks("adam", f"!join {CHANNEL}")
    assert said(await owned.says("anna", ".addme"), "anna")


async def test_a_game_waits_where_the_bot_left(owned: House):
    await owned.says("anna", ".addme")
    await owned.says("anna", ".start")
    answers = await owned.asks("adam", f"!part {CHANNEL}")
    assert said(answers, "The game there is kept")
    await owned.session.pass_time(1000)
    await owned.asks("adam", f"!join {CHANNEL}")
    assert owned.session.lines(CHANNEL)[-1].startswith("I am back and the game goes on")
    await owned.asks("adam", f"!part {CHANNEL}")
    await owned.restart()
    await owned.asks("adam", f"!join {CHANNEL}")
    assert said(await owned.says("anna", ".roll"), "anna rolls")


async def test_settings_of_a_joined_channel_are_its_own(owned: House):
    await owned.asks("adam", "!join #new")
    owned.link.op("oskar", "#new")
    await owned.says("oskar", ".set language de", "#new")
    await owned.restart()
    assert said(await owned.says("anna", ".einstellungen", "#new"), "Sprache de")
    assert said(await owned.says("anna", ".settings"), "language en")


async def test_a_channel_is_one_however_it_is_spelled(owned: House):
    await owned.asks("adam", "!join #New")
    await owned.asks("adam", "!part #nEW")
    await owned.restart()
    assert owned.session.bot.channel("net", "#new") is None
    await owned.asks("adam", "!join #NEW")
    await owned.restart()
    assert owned.session.bot.channel("net", "#new") is not None


async def test_rows_that_cannot_be_read_keep_nobody_from_starting(owned: House):
    from gamebot.ports import SettingRow, Transaction

    rows = [
        SettingRow("net", "", "channel #x", "1", "adam", 1.0),
        SettingRow("net", "", "channel #y", '{"place": 1}', "adam", 1.0),
        SettingRow("gone", "", "channel #z", '{"name": "#z", "inside": true}', "adam", 1.0),
        SettingRow("net", "", "ignore nobody", "1.0", "adam", 1.0),
        SettingRow("net", "", "ignore a!b@c", '"x"', "adam", 1.0),
    ]
    await owned.session.bot.store.commit(Transaction(settings=tuple(rows)))
    await owned.restart()
    assert said(await owned.asks("olga", "!networks"), "in 1 of 1 channels")
    assert await owned.says("oskar", ".ignores") == ["Nobody is ignored."]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("join dice", "“dice” is no channel."),
        ("join #a,#b", "“#a,#b” is no channel."),
        ("join #dice", "I am in #dice already."),
        ("join #DICE", "I am in #DICE already."),
        ("part #nowhere", "I am not in #nowhere."),
        ("say #nowhere hello", "I am not in #nowhere."),
        ("join", "Something is missing: channel. Write: !join channel [key]"),
        ("say #dice", "Something is missing: text. Write: !say channel text"),
        ("reload nothing", "There is no plugin “nothing”; there are: "),
    ],
)
async def test_what_cannot_be_done_is_said(owned: House, text, answer):
    answers = await owned.asks("olga", f"!{text}")
    assert len(answers) == 1
    assert answer in answers[0]
    assert not owned.link.commands


async def test_the_number_of_channels_is_bounded(owned: House, monkeypatch):
    from gamebot.bundled import admin

    monkeypatch.setattr(admin, "MOST_CHANNELS", 2)
    await owned.asks("adam", "!join #one")
    assert await owned.asks("adam", "!join #two") == ["I am in 2 channels; that is enough."]


async def test_the_bot_says_what_it_is_told(owned: House):
    assert await owned.asks("olga", f"!say {CHANNEL} good  evening!") == ["good  evening!"]
    assert owned.session.heard[-1].to == CHANNEL
    owned.link.kick_bot(CHANNEL)
    await owned.session.settle()
    assert await owned.asks("olga", f"!say {CHANNEL} hello") == [f"I am not in {CHANNEL}."]


# -- what goes on ---------------------------------------------------------------------------


async def test_games_that_are_on_are_listed(owned: House):
    assert await owned.asks("olga", "!sessions") == ["No game is running."]
    await owned.says("anna", ".addme")
    assert await owned.asks("olga", "!sessions") == ["net/#dice: kniffel, lobby, anna"]
    await owned.says("bert", ".addme")
    await owned.says("anna", ".start")
    answers = await owned.asks("olga", "!sessions")
    assert answers == ["net/#dice: kniffel, game, anna bert, 300 s left"]


async def test_an_admin_sees_the_own_network(owned: House):
    other = owned.session.add_network("elsewhere")
    owned.session.grants["net"] = GRANTS
    await owned.restart()
    other.disconnect()
    assert len(await owned.asks("adam", "!networks")) == 1
    answers = await owned.asks("olga", "!networks")
    assert said(answers, "elsewhere: not connected, in 0 of 0 channels")


async def test_shutdown_ends_the_bot_after_the_answer(owned: House):
    ends: list[int] = []
    owned.session.bot.on_shutdown = lambda: ends.append(len(owned.session.heard))
    answers = await owned.asks("olga", "!shutdown")
    assert answers == ["I end now; games go on when I am started again."]
    assert ends == [len(owned.session.heard)]


# -- the way of a query ---------------------------------------------------------------------


async def test_who_sits_in_several_channels_is_asked_which(open_house):
    house = await open_house(channels=(CHANNEL, "#other"))
    house.link.join("anna", CHANNEL)
    house.link.join("anna", "#other")
    question = ["Name the channel behind the command: #dice, #other."]
    assert await house.asks("anna", "settings") == question
    assert said(await house.asks("anna", "settings #other"), "#other: language en")
    house.link.account("anna", "olga_account")
    assert said(await house.asks("anna", "\x02!networks"), "net: connected")


async def test_who_asks_too_much_is_told_once(open_house, monkeypatch):
    from gamebot.config.limits import Limits

    house = await open_house()
    house.session.bot._lines._throttle.limits = Limits(burst=2, rate=0.1)
    answers = [await house.says("anna", ".whoami") for _ in range(5)]
    assert [len(each) for each in answers] == [1, 1, 1, 0, 0]
    assert said(answers[2], "Too many commands")
    house.link.nick("anna", "annie")
    assert await house.says("annie", ".whoami") == []


# -- reload ---------------------------------------------------------------------------------

GREETER = """
from gamebot import hookimpl

def greet(ctx):
    "Greet."
    ctx.state["n"] = ctx.state.get("n", 0) + 1
    ctx.say("{greeting} " + str(ctx.state["n"]))

@hookimpl
def gamebot_register(registry):
    registry.command("greet", greet, words="{words}")
"""


@pytest.fixture
async def greeter(open_house, tmp_path):
    """A drop-in plugin that a test can rewrite."""

    def write(greeting="hello", words="!greet", text=GREETER):
        source = text.replace("{greeting}", greeting).replace("{words}", words)
        (tmp_path / "greeter.py").write_text(source)

    write()
    house = await open_house(folders=[tmp_path], plugins=("kniffel", "greeter"))
    house.link.account("olga", "olga_account")
    return house, write


async def test_a_plugin_is_loaded_anew(greeter):
    house, write = greeter
    assert await house.says("anna", ".greet") == ["hello 1"]
    write("hallo", "!gruss")
    assert await house.asks("olga", "!reload greeter") == ["greeter is loaded anew."]
    assert await house.says("anna", ".greet") == []
    assert await house.says("anna", ".gruss") == ["hallo 2"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"text": "1 / 0"}, "ZeroDivisionError: division by zero"),
        ({"text": "raise SystemExit(3)"}, "SystemExit: 3"),
        ({"text": "def broken("}, "SyntaxError"),
        ({"words": "!addme"}, "the word 'addme' of greeter.greet is already that of kniffel.join"),
        ({"words": "(greet"}, "must look like"),
    ],
)
async def test_an_error_leaves_everything_as_it_was(greeter, change, why):
    house, write = greeter
    before = sys.modules["gamebot_dropin.greeter"]
    write(**change)
    answers = await house.asks("olga", "!reload greeter")
    assert said(answers, "^greeter stays as it was: ")
    assert why in answers[0]
    assert sys.modules["gamebot_dropin.greeter"] is before
    assert await house.says("anna", ".greet") == ["hello 1"]


async def test_nothing_of_the_old_plugin_is_left(greeter):
    house, write = greeter
    await house.says("anna", ".greet")
    old = house.session.bot.registries["greeter"]
    handler = weakref.ref(old.commands[0].handler)
    module = weakref.ref(sys.modules["gamebot_dropin.greeter"])
    write("hallo")
    await house.asks("olga", "!reload greeter")
    assert old.empty
    assert not old.settings
    assert house.channel.registries["greeter"] is not old
    del old
    gc.collect()
    assert handler() is None
    assert module() is None


async def test_a_game_goes_on_in_the_new_code(house: House):
    """Its table is read anew: the engine's class is another one, the state is the same."""
    house.link.account("olga", "olga_account")
    await house.says("anna", ".addme")
    await house.says("anna", ".start")
    await house.says("anna", ".roll")
    view, old = house.channel.view("kniffel"), house.channel.tables["kniffel"].game
    assert await house.asks("olga", "!reload kniffel") == ["kniffel is loaded anew."]
    assert type(house.channel.tables["kniffel"].game) is not type(old)
    assert house.channel.view("kniffel") == view
    assert said(await house.says("anna", ".roll 1 2"), "anna rolls")
    await house.session.pass_time(301)
    assert house.channel.tables["kniffel"].phase is Phase.OVER


async def test_a_game_goes_on_when_the_new_code_cannot_read_it(house: House, monkeypatch):
    await house.says("anna", ".addme")
    await house.says("anna", ".start")
    kind = type(house.channel.registries["kniffel"].games[0])
    monkeypatch.setattr(kind, "version", property(lambda _: 99))
    with pytest.raises(PluginError, match="older than the games that are kept"):
        reload_plugin(house.session.bot, "kniffel")
    assert said(await house.says("anna", ".roll"), "anna rolls")


async def test_settings_given_over_irc_outlive_a_reload(house: House):
    house.link.op("oskar", CHANNEL)
    house.link.account("olga", "olga_account")
    await house.says("oskar", ".set turn_timeout_s 90")
    base = house.channel.base
    house.channel.base = evolve(base, settings=dict(house.channel.profile.settings))
    await house.asks("olga", "!reload kniffel")
    settings = house.channel.profile.settings["kniffel"]
    assert type(settings) is house.session.bot.registries["kniffel"].settings
    assert settings.turn_timeout_s == 90


async def test_an_error_in_a_bundled_plugin_brings_its_module_back(house: House, monkeypatch):
    import gamebot.bundled
    from gamebot.bundled import admin

    old = house.session.bot.registries["admin"]
    monkeypatch.setattr("gamebot.bot.reload.register", lambda *_: 1 / 0)
    with pytest.raises(PluginError, match="ZeroDivisionError"):
        reload_plugin(house.session.bot, "admin")
    assert gamebot.bundled.admin is admin
    assert sys.modules["gamebot.bundled.admin"] is admin
    assert house.session.bot.registries["admin"] is old


@pytest.mark.parametrize("name", ["admin", "settings", "rights"])
async def test_the_bots_own_plugins_can_be_loaded_anew(house: House, name):
    house.link.account("olga", "olga_account")
    assert await house.asks("olga", f"!reload {name}") == [f"{name} is loaded anew."]
    assert said(await house.asks("olga", "!networks"), "net: connected")
    assert said(await house.says("anna", ".settings"), "language en")


async def test_a_plugin_that_could_not_be_loaded_gets_another_try(open_house, tmp_path):
    (tmp_path / "late.py").write_text("1 / 0")
    house = await open_house(folders=[tmp_path], plugins=("late",))
    house.link.account("olga", "olga_account")
    text = GREETER.replace("{greeting}", "hello").replace("{words}", "!greet")
    (tmp_path / "late.py").write_text(text)
    assert await house.asks("olga", "!reload late") == ["late is loaded anew."]
    assert await house.says("anna", "!greet") == ["hello 1"]
