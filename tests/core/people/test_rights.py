"""Rights come from an account or a literal host, never from a nick, and end when they should."""

import pytest
from house import CHANNEL, House, said
from structlog.testing import capture_logs

from gamebot.config.grants import Grants, Mask, parse_mask, parse_trusted_mask
from gamebot.errors import ConfigError
from gamebot.events import LeftHow, Person, Said
from gamebot.people.rights import RightsBook
from gamebot.plugin.access import Rights
from gamebot.testing.fakelink import FakeLink

SHUTDOWN_REFUSED = "Only an owner of the bot may do that"


def test_more_rights_cover_fewer():
    assert Rights.OWNER.cover(Rights.ADMIN)
    assert Rights.OPERATOR.cover(Rights.PLAYER)
    assert not Rights.PLAYER.cover(Rights.OPERATOR)
    assert all(rights.cover(rights) for rights in Rights)


# -- masks ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "anna",
        "anna@host",
        "anna!user",
        "anna!@host",
        "!user@host",
        "anna!user@",
        "anna!us er@host",
        "anna!user\x02@host",
        "anna!a@b@host",
        "",
    ],
)
def test_what_is_no_mask_is_refused(text):
    with pytest.raises(ValueError, match="no mask"):
        parse_mask(text)


@pytest.mark.parametrize("host", ["*", "*.example", "host.exampl?", "10.0.0.*", "?"])
def test_a_mask_without_a_literal_host_gives_no_rights(host):
    parse_mask(f"anna!user@{host}")
    with pytest.raises(ValueError, match="wildcards"):
        parse_trusted_mask(f"anna!user@{host}")


@pytest.mark.parametrize(
    ("mask", "matches"),
    [
        ("anna!anna@home.example", True),
        ("ANNA!*@HOME.example", True),
        ("*!*@home.example", True),
        ("anna!bert@home.example", False),
        ("bert!*@home.example", False),
        ("*!*@home.exampl", False),
        ("*!*@example", False),
    ],
)
def test_masks_match_part_by_part_and_without_regard_to_case(mask, matches):
    link = FakeLink("net", "rfc1459", lambda _: None, lambda _: None)
    person = Person("net", "Anna", "anna", "home.example")
    assert parse_mask(mask).matches(link, person) is matches


def test_no_part_can_stand_in_for_the_host():
    link = FakeLink("net", "rfc1459", lambda _: None, lambda _: None)
    mask = parse_mask("*!*@home.example")
    assert not mask.matches(link, Person("net", "x!y@home.example", "u", "elsewhere"))
    assert not mask.matches(link, Person("net", "x", "u@home.example", "elsewhere"))
    assert not Mask("*", "*", "").matches(link, Person("net", "x", "u", ""))


def test_the_configuration_refuses_wide_masks(tmp_path):
    from gamebot.config import load_config

    path = tmp_path / "gamebot.toml"
    path.write_text(
        '[networks.net]\nnick = "bot"\nservers = [{ host = "irc.example" }]\n'
        'owner_masks = ["anna!*@home.example", "anna!*@*"]\nadmin_masks = ["anna"]\n'
    )
    with pytest.raises(ConfigError) as error:
        load_config(path)
    assert error.value.faults == (
        "networks.net.owner_masks: expected a mask nick!user@host whose host has no wildcards, "
        'got "anna!*@*"',
        "networks.net.admin_masks: expected a mask nick!user@host whose host has no wildcards, "
        'got "anna"',
    )


@pytest.mark.parametrize(
    ("mask", "why"),
    [
        ("*!*@*", " that is not everybody's"),
        ("*!*@*.*", " that is not everybody's"),
        ("bridge", ""),
    ],
)
def test_nobody_is_never_everybody(tmp_path, mask, why):
    from gamebot.config import load_config

    path = tmp_path / "gamebot.toml"
    path.write_text(
        '[networks.net]\nnick = "bot"\nservers = [{ host = "irc.example" }]\n'
        f'nobody = ["relay!*@*", "{mask}"]\n'
    )
    with pytest.raises(ConfigError) as error:
        load_config(path)
    assert error.value.faults == (
        f'networks.net.nobody: expected a mask nick!user@host{why}, got "{mask}"',
    )


# -- accounts -------------------------------------------------------------------------------


async def test_a_nick_alone_never_gives_rights(house: House):
    """R40: the owner is away, somebody takes that nick."""
    house.link.join("mallory", CHANNEL)
    house.link.nick("mallory", "olga_account")
    answers = await house.asks("olga_account", "!shutdown")
    assert answers == [f"{SHUTDOWN_REFUSED}."]


async def test_rights_by_account_follow_the_nick_and_end_with_logout(house: House):
    house.link.join("olga", CHANNEL)
    house.link.account("olga", "olga_account")
    assert said(await house.says("olga", ".whoami"), "owner of the bot.*olga_account")
    house.link.nick("olga", "olga2")
    assert said(await house.says("olga2", ".whoami"), "owner of the bot")
    house.link.account("olga2", None)
    assert said(await house.says("olga2", ".whoami"), "no rights beyond playing")


async def test_who_takes_the_nick_of_an_owner_who_quit_has_no_rights(house: House):
    """R41: identity ends with QUIT."""
    house.link.join("olga", CHANNEL)
    house.link.account("olga", "olga_account")
    house.link.join("mallory", CHANNEL)
    house.link.quit("olga")
    house.link.nick("mallory", "olga")
    assert await house.asks("olga", "shutdown") == [f"{SHUTDOWN_REFUSED}."]
    assert said(await house.says("olga", ".whoami"), "no rights")


async def test_accounts_are_compared_as_the_network_does(house: House):
    house.link.account("olga", "OLGA_account")
    assert said(await house.says("olga", ".whoami"), "owner of the bot")


async def test_an_admin_is_no_owner(house: House):
    house.link.account("adam", "adam_account")
    assert said(await house.says("adam", ".whoami"), "admin of the bot on this network")
    assert await house.asks("adam", "!shutdown") == [f"{SHUTDOWN_REFUSED}."]
    assert said(await house.asks("adam", "!networks"), "net: connected as bot")


# -- masks over time ------------------------------------------------------------------------


async def test_rights_by_mask_end_with_the_nick_and_come_back_with_it(house: House):
    house.from_host("maria", "m@home.example")
    assert said(await house.says("maria", ".whoami"), r"owner.*maria!\*@home\.example")
    house.link.nick("maria", "mary")
    assert said(await house.says("mary", ".whoami"), "no rights")
    house.link.nick("mary", "maria")
    assert said(await house.says("maria", ".whoami"), "owner")


async def test_a_mask_for_any_nick_ends_with_a_nick_change_until_seen_anew(house: House):
    house.from_host("otto", "o@office.example")
    house.link.join("otto", CHANNEL)
    assert said(await house.says("otto", ".whoami"), "admin")
    house.link.nick("otto", "otto2")
    answers = await house.says("otto2", ".whoami")
    assert said(answers, "no rights")
    assert said(answers, "ended with the change of your nick")
    house.link.nick("otto2", "otto3")
    assert not said(await house.says("otto3", ".whoami"), "admin")
    house.link.leave("otto3", CHANNEL, LeftHow.PART)
    assert said(await house.says("otto3", ".whoami"), "admin")


async def test_the_same_nick_from_another_host_has_no_rights(house: House):
    house.from_host("maria", "m@elsewhere.example")
    assert said(await house.says("maria", ".whoami"), "no rights")


async def test_nick_changes_are_forgotten_with_the_link(house: House):
    house.from_host("otto", "o@office.example")
    house.link.join("otto", CHANNEL)
    house.link.nick("otto", "otto2")
    house.link.disconnect()
    house.link.connect()
    assert said(await house.says("otto2", ".whoami"), "admin")


def test_nick_changes_take_bounded_memory(monkeypatch):
    from gamebot.events import NickChanged
    from gamebot.people import rights

    monkeypatch.setattr(rights, "REMEMBERED", 10)
    grants = Grants(admin_masks=(parse_trusted_mask("*!*@office.example"),))
    book = RightsBook({"net": grants})
    link = FakeLink("net", "rfc1459", lambda _: None, lambda _: None)
    for n in range(50):
        person = Person("net", f"a{n}", "u", "office.example")
        book.renamed(link, NickChanged(person, f"b{n}"))
    assert len(book._ended) == 10


# -- what the bot believes ------------------------------------------------------------------


async def test_whoami_names_operators_and_players(house: House):
    house.link.op("oskar", CHANNEL)
    assert said(
        await house.says("oskar", ".whoami"), f"operator of {CHANNEL}: you have that status"
    )
    await house.says("paula", ".addme")
    assert said(await house.says("paula", ".whoami"), f"You play in {CHANNEL}")


async def test_operator_status_is_that_of_who_spoke(house: House):
    """The nick goes over to an operator before the line is handled."""
    house.link.op("oskar", CHANNEL)
    house.link.op("olga", CHANNEL)
    house.link.join("mallory", CHANNEL)
    house.link.say("mallory", ".set turn_timeout_s 77", CHANNEL)
    house.link.say("olga", ".set lobby_timeout_s 99", CHANNEL)
    house.link.nick("mallory", "mall")
    house.link.nick("oskar", "mallory")
    house.link.nick("olga", "olga_")
    await house.session.settle()
    settings = house.channel.profile.settings["kniffel"]
    assert (settings.turn_timeout_s, settings.lobby_timeout_s) == (300, 99)


async def test_operator_status_is_not_a_strangers_who_had_the_nick(house: House):
    """Mallory gave the nick up unseen; an operator came with it and changed it again."""
    mallory = Person("net", "oskar", "m", "mallory.example")
    house.session.bot.feed(Said(mallory, None, f"set {CHANNEL} kniffel.turn_timeout_s 77"))
    house.link.op("oskar", CHANNEL)
    house.link.nick("oskar", "oskar_")
    await house.session.settle()
    assert house.channel.profile.settings["kniffel"].turn_timeout_s == 300


async def test_a_channel_account_is_an_operator(open_house):
    house = await open_house(ops=("otto_account",))
    house.link.account("otto", "otto_account")
    answers = await house.says("otto", ".whoami")
    assert said(answers, "operator of #dice: your services account is otto_account")


async def test_without_accounts_the_bot_says_so_and_masks_work(open_house):
    """R60: a network without WHOX and account-notify."""
    house = await open_house(accounts=False)
    house.from_host("maria", "m@home.example")
    answers = await house.says("maria", ".whoami")
    assert said(answers, "account features are off")
    assert said(answers, "owner of the bot: you match the mask")
    assert said(await house.says("maria", ".settings"), "account features are off")


async def test_german_channels_answer_in_german(open_house):
    house = await open_house(language="de")
    assert said(await house.says("anna", ".werbinich"), "Du bist anna .*nicht.*angemeldet")


async def test_a_stranger_may_ask_who_they_are(house: House):
    assert said(await house.asks("stranger", "!whoami"), "You are stranger")


async def test_refused_admin_commands_are_logged(house: House):
    house.link.join("mallory", CHANNEL)
    with capture_logs() as logs:
        await house.asks("mallory", "!shutdown")
    refused = [entry for entry in logs if entry["event"] == "command_refused"]
    assert [(e["command"], e["actor"]) for e in refused] == [
        ("admin.shutdown", "mallory!mallory@mallory.example")
    ]


# -- ignoring -------------------------------------------------------------------------------


@pytest.fixture
def ops(house: House) -> House:
    house.link.op("oskar", CHANNEL)
    house.link.join("mallory", CHANNEL)
    return house


async def test_who_is_ignored_gets_no_answer_until_it_ends(ops: House):
    assert said(
        await ops.says("oskar", ".ignore mallory 1h"), r"\*!\*@mallory\.example for 1 hour\.$"
    )
    assert await ops.says("mallory", ".whoami") == []
    assert await ops.asks("mallory", "whoami") == []
    ops.link.nick("mallory", "malory")
    assert await ops.says("malory", ".whoami") == []
    await ops.session.pass_time(3601)
    assert await ops.says("malory", ".whoami") != []


async def test_ignoring_survives_a_restart_and_ends_by_command(ops: House):
    await ops.says("oskar", ".ignore mallory 1d")
    await ops.restart()
    assert await ops.says("mallory", ".whoami") == []
    assert said(await ops.says("oskar", ".ignores"), r"@mallory\.example for 24 hours \(oskar\)")
    assert said(await ops.says("oskar", ".unignore mallory"), "I hear")
    assert await ops.says("mallory", ".whoami") != []
    await ops.restart()
    assert await ops.says("mallory", ".whoami") != []


async def test_an_operator_ignores_in_the_own_channel_only(open_house):
    house = await open_house(channels=(CHANNEL, "#other"))
    house.link.op("oskar", CHANNEL)
    house.link.join("mallory", CHANNEL)
    await house.says("oskar", ".ignore mallory")
    assert await house.says("mallory", ".whoami") == []
    assert await house.says("mallory", ".whoami", "#other") != []
    assert said(await house.says("oskar", ".ignore network mallory"), "Only an admin")
    house.link.account("adam", "adam_account")
    await house.says("adam", ".ignore network mallory 10m")
    assert await house.says("mallory", ".whoami", "#other") == []


@pytest.mark.parametrize(
    ("duration", "told"),
    [
        ("1m", "1 minute"),
        ("90s", "2 minutes"),
        ("119m", "119 minutes"),
        ("125m", "2 hours"),
        ("47h", "47 hours"),
        ("48h", "2 days"),
        ("366d", "366 days"),
    ],
)
async def test_how_long_is_told_in_words(ops: House, duration, told):
    answers = await ops.says("oskar", f".ignore *!*@one.example {duration}")
    assert answers == [f"I do not hear *!*@one.example for {told}."]


async def test_owners_cannot_be_ignored(ops: House):
    ops.link.account("olga", "olga_account")
    ops.link.join("olga", CHANNEL)
    assert said(await ops.says("oskar", ".ignore olga"), "cannot be ignored")
    await ops.says("oskar", ".ignore *!*@olga.example")
    assert said(await ops.says("olga", ".whoami"), "owner")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (".ignore *!*@*", "That would be everybody"),
        (".ignore *", "no mask"),
        (".ignore a!b", "no mask"),
        (".ignore mallory soon", "is not a time"),
        (".ignore mallory 999d", "up to 366 days"),
        (".ignore mallory 0s", "up to 366 days"),
        (".ignore", "Something is missing"),
        (".ignore network", "Only an admin"),
        (".ignore mallory 5m please", "“please” is too much"),
        (".unignore mallory", "mallory is not ignored"),
        (".unignore mallory zoe", "“zoe” is too much"),
        (".unignore network", "Only an admin"),
        (".ignores", "Nobody is ignored"),
    ],
)
async def test_what_cannot_be_ignored_is_said(ops: House, text, answer):
    assert said(await ops.says("oskar", text), answer)


async def test_the_list_is_bounded_and_forgets_what_has_ended(ops: House):
    for n in range(100):
        await ops.says("oskar", f".ignore *!*@host{n}.example 1m")
    assert said(await ops.says("oskar", ".ignore *!*@one.example"), "The list is full: 100")
    assert said(await ops.says("oskar", ".ignores"), "90 more")
    await ops.session.pass_time(61)
    assert said(await ops.says("oskar", ".ignore *!*@one.example"), "I do not hear")
    await ops.restart()
    assert said(await ops.says("oskar", ".ignores"), r"Ignored: \*!\*@one\.example for 1 hour ")


async def test_only_operators_may_ignore(ops: House):
    assert said(await ops.says("mallory", ".ignore oskar"), "Only an operator of the channel")
