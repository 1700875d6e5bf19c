"""Rights by client certificate: who is asked about, when, and what happens to lines meanwhile."""

import pytest
from house import CHANNEL, House, said
from structlog.testing import capture_logs

from gamebot.config import load_config
from gamebot.config.grants import Grants
from gamebot.errors import ConfigError
from gamebot.events import LeftHow, Person, Said
from gamebot.people import certificate_queries as inquiries
from gamebot.people.rights import RightsBook
from gamebot.testing.fakelink import FakeLink

OWNER, ADMIN, OTHER = "0a" * 32, "1b" * 20, "2c" * 64
GRANTS = Grants(owners=("olga_account",), owner_certificates=(OWNER,), admin_certificates=(ADMIN,))
NO_OWNER = "Only an owner of the bot may do that."
NO_ADMIN = "Only an admin of the bot may do that."


@pytest.fixture
async def house(open_house) -> House:
    house = await open_house(grants=GRANTS)
    house.link.certificates = {"carla": (OWNER,), "adam": (ADMIN,), "mallory": (OTHER,)}
    return house


@pytest.fixture
def slow(house: House) -> House:
    """The network takes its time to answer."""
    house.link.tells_certificates = False
    return house


# -- the rights -------------------------------------------------------------------------------


async def test_an_owner_is_known_at_once_and_after_a_nick_change(house: House):
    house.link.join("carla", CHANNEL)
    assert said(await house.says("carla", ".whoami"), "owner of the bot: your client certificate")
    house.link.nick("carla", "carlotta")
    assert said(await house.says("carlotta", ".whoami"), "owner of the bot")
    assert said(await house.asks("carlotta", "!networks"), "net: connected as bot")


async def test_who_takes_the_nick_of_an_owner_who_quit_has_no_rights(house: House):
    house.link.join("carla", CHANNEL)
    await house.says("carla", ".whoami")
    house.link.quit("carla")
    house.link.join("mallory", CHANNEL)
    house.link.nick("mallory", "carla")
    assert await house.asks("carla", "shutdown") == [NO_OWNER]
    assert said(await house.says("carla", ".whoami"), "no rights")


@pytest.mark.parametrize("end", ["part", "kick", "link", "bot"])
async def test_rights_end_where_the_bot_loses_sight(house: House, end):
    """What was believed of carla is asked for anew, and by now somebody else has that nick."""
    house.link.join("carla", CHANNEL)
    assert said(await house.says("carla", ".whoami"), "owner of the bot")
    match end:
        case "part":
            house.link.leave("carla", CHANNEL, LeftHow.PART)
        case "kick":
            house.link.leave("carla", CHANNEL, LeftHow.KICK, by="oskar")
        case "link":
            house.link.disconnect()
            house.link.connect()
        case "bot":
            house.link.kick_bot(CHANNEL)
            house.link.rejoin_bot(CHANNEL)
    house.link.certificates = {}
    assert await house.asks("carla", "shutdown") == [NO_OWNER]


async def test_an_admin_is_no_owner(house: House):
    assert said(await house.says("adam", ".whoami"), "admin of the bot on this network")
    assert await house.asks("adam", "!shutdown") == [NO_OWNER]


async def test_an_account_counts_beside_it(house: House):
    house.link.account("mallory", "olga_account")
    answers = await house.says("mallory", ".whoami")
    assert said(answers, "owner of the bot: your services account is olga_account")


async def test_settings_and_games_know_the_same_rights(house: House):
    """The handler finds out by itself what rights it needs."""
    assert said(await house.says("carla", ".set network language de"), "language")
    await house.says("paula", ".addme")
    await house.says("peter", ".addme")
    assert said(await house.says("adam", ".stop"), "hat das Spiel beendet")


@pytest.mark.parametrize("where", ["query", "channel"])
async def test_each_way_of_giving_a_command(house: House, where):
    """In a query without the prefix, and words of the bot as a whole said in a channel."""
    house.link.join("carla", CHANNEL)
    if where == "query":
        assert said(await house.asks("carla", "set turn_timeout_s 90"), "90s")
        return
    assert said(await house.says("carla", ".networks"), "net: connected")
    assert await house.says("mallory", ".networks") == []


async def test_whoami_says_what_the_network_tells(house: House):
    answers = await house.says("mallory", ".whoami")
    assert said(answers, "no rights")
    assert said(answers, f"fingerprint {OTHER}")
    answers = await house.says("anna", ".whoami")
    assert said(answers, "This network shows me no client certificate of yours")


async def test_whoami_is_silent_about_certificates_where_they_give_nothing(open_house):
    house = await open_house()
    house.link.certificates = {"anna": (OWNER,)}
    assert not said(await house.says("anna", ".whoami"), "certificate")
    assert house.link.people["anna"].certificates is None


async def test_owners_are_heard_although_they_are_ignored(house: House):
    house.link.op("oskar", CHANNEL)
    house.link.join("carla", CHANNEL)
    await house.says("oskar", ".ignore *!*@carla.example")
    await house.says("oskar", ".ignore *!*@mallory.example")
    assert said(await house.says("carla", ".whoami"), "owner")
    assert await house.says("mallory", ".whoami") == []
    assert said(await house.says("oskar", ".ignore carla"), "cannot be ignored")


async def test_each_use_is_logged_with_the_certificate(house: House):
    with capture_logs() as logs:
        await house.asks("carla", "!join #more")
    used = [entry for entry in logs if entry["event"] == "admin_command"]
    assert [(e["actor"], e["rights"], e["by"]) for e in used] == [
        ("carla!carla@carla.example", "owner", OWNER)
    ]
    assert not [entry for entry in logs if entry["event"] == "command_refused"]


BOSS = """
from gamebot import Context, Registry, Rights, hookimpl


def boss(ctx: Context) -> None:
    \"\"\"Answer an owner.\"\"\"
    ctx.say("at your service")


@hookimpl
def gamebot_register(registry: Registry) -> None:
    registry.command("boss", boss, words="!boss", rights=Rights.OWNER)
"""


async def test_attempts_are_logged_once_and_only_those_without_the_rights(open_house, tmp_path):
    (tmp_path / "boss.py").write_text(BOSS)
    house = await open_house(plugins=("kniffel", "boss"), folders=(tmp_path,), grants=GRANTS)
    house.link.certificates = {"carla": (OWNER,)}
    with capture_logs() as logs:
        assert await house.says("carla", ".boss") == ["at your service"]
        assert await house.says("mallory", ".boss") == [NO_OWNER]
        await house.asks("mallory", "!shutdown")
    refused = [entry["command"] for entry in logs if entry["event"] == "command_refused"]
    assert refused == ["boss.boss", "admin.shutdown"]


def test_a_book_without_certificates_is_never_unsure():
    link = FakeLink("net", "rfc1459", lambda _: None, lambda _: None)
    person = Person("net", "anna", "a", "host.a")
    assert not RightsBook({}).unsure(link, person)
    assert not RightsBook({"net": Grants(owners=("anna",))}).unsure(link, person)
    assert RightsBook({"net": GRANTS}).unsure(link, person)
    assert not RightsBook({"other": GRANTS}).unsure(link, person)


# -- whom the bot asks about ------------------------------------------------------------------


async def test_nobody_is_asked_about_who_needs_no_rights(slow: House):
    slow.link.op("oskar", CHANNEL)
    for line in ("hello", "!hello", ".addme", ".help", ".set", "stop"):
        await slow.says("anna", line)
    await slow.says("oskar", ".set turn_timeout_s 90")
    await slow.asks("anna", "dice")
    assert slow.link.questions == []


async def test_a_member_is_asked_about_once(slow: House):
    slow.link.join("mallory", CHANNEL)
    await slow.says("mallory", ".ignore anna")
    assert [person.nick for person, _ in slow.link.questions] == ["mallory"]
    slow.link.answer()
    await slow.session.settle()
    await slow.says("mallory", ".ignore anna")
    await slow.asks("mallory", "shutdown")
    assert slow.link.questions == []


async def test_of_a_stranger_nothing_is_kept(slow: House):
    for _ in range(2):
        await slow.asks("carla", "!networks")
        assert len(slow.link.questions) == 1
        slow.link.answer()
        await slow.session.settle()


# -- lines that wait --------------------------------------------------------------------------


async def test_lines_wait_and_come_once_and_in_order(slow: House):
    slow.link.join("carla", CHANNEL)
    assert await slow.says("carla", ".set turn_timeout_s 90") == []
    assert await slow.says("carla", ".addme") == []
    assert await slow.asks("carla", "networks") == []
    assert said(await slow.says("anna", ".addme"), "anna")  # nobody else waits
    since = len(slow.session.heard)
    slow.link.answer()
    await slow.session.settle()
    answers = [heard.plain for heard in slow.session.heard[since:]]
    assert [sum(map(lambda a, p=p: p in a, answers)) for p in ("90s", "net: connected")] == [1, 1]
    assert said(answers, "carla")
    assert [chair.nick for chair in slow.channel.tables["kniffel"].chairs] == ["anna", "carla"]


async def test_lines_wait_although_they_were_queued_before_the_question(slow: House):
    slow.link.say("carla", ".set turn_timeout_s 90", CHANNEL)
    slow.link.say("carla", ".addme", CHANNEL)
    await slow.session.settle()
    assert len(slow.link.questions) == 1
    assert "kniffel" not in slow.channel.tables


@pytest.mark.parametrize("line", [".set turn_timeout_s 90", ".set network turn_timeout_s 90"])
async def test_the_nick_goes_over_to_the_owner_before_the_line_is_handled(house: House, line):
    """The line was mallory's, and the certificate of the next one of that nick is not."""
    house.link.join("carla", CHANNEL)
    house.link.nick("mallory", "anna")
    house.link.say("anna", line, CHANNEL)
    house.link.nick("anna", "mallory")
    house.link.nick("carla", "anna")
    await house.session.settle()
    assert house.channel.profile.settings["kniffel"].turn_timeout_s == 300
    assert house.session.lines("anna") == []
    assert said(house.session.lines("mallory"), "Only an")


async def test_a_line_does_not_wait_behind_one_of_the_next_of_its_nick(slow: House):
    slow.link.join("carla", CHANNEL)
    slow.link.nick("mallory", "anna")
    slow.link.say("anna", ".set turn_timeout_s 90", CHANNEL)
    slow.link.nick("anna", "mallory")
    slow.link.nick("carla", "anna")
    slow.link.say("anna", "networks", None)
    await slow.session.settle()
    slow.link.answer()
    await slow.session.settle()
    assert slow.channel.profile.settings["kniffel"].turn_timeout_s == 300
    assert said(slow.session.lines("anna"), "net: connected")


async def test_who_quit_before_the_line_is_handled_is_not_asked_about(slow: House):
    slow.link.say("carla", ".set turn_timeout_s 90", CHANNEL)
    slow.link.quit("carla")
    await slow.session.settle()
    assert slow.link.questions == []
    assert slow.session.lines("carla") == []


async def test_a_line_that_comes_together_with_the_answer_is_second(slow: House):
    await slow.says("carla", ".set turn_timeout_s 90")
    slow.link.say("carla", ".set turn_timeout_s", CHANNEL)
    slow.link.answer()
    await slow.session.settle()
    assert [("set for this channel" in line) for line in slow.session.lines("carla")][-1]


async def test_a_line_that_has_waited_does_not_wait_for_the_next_one(slow: House):
    await slow.says("carla", ".set turn_timeout_s 90")
    (_, told), *_ = slow.link.questions
    slow.link.questions.clear()
    told(None)
    slow.link.say("carla", "networks", None)  # asks again
    await slow.session.settle()
    assert len(slow.link.questions) == 1
    assert slow.session.lines("carla") == ["Only an operator of the channel may do that."]


async def test_what_waited_follows_the_nick(slow: House):
    """The answer goes to the person, not to the nick, and nothing is believed by then."""
    slow.link.join("carla", CHANNEL)
    await slow.says("carla", ".set turn_timeout_s 90")
    since = len(slow.session.heard)
    slow.link.nick("carla", "carlotta")
    await slow.session.settle()
    assert [(h.to, h.plain) for h in slow.session.heard[since:]] == [
        ("carlotta", "Only an operator of the channel may do that.")
    ]
    slow.link.tells_certificates = True
    assert said(await slow.says("carlotta", ".set turn_timeout_s 90"), "90s")


@pytest.mark.parametrize("end", ["quit", "part", "link"])
async def test_what_waited_ends_with_its_person(slow: House, end):
    """Whoever has the nick next gets neither the answer nor the command."""
    slow.link.join("carla", CHANNEL)
    assert await slow.says("carla", ".set turn_timeout_s 90") == []
    (_, told), *_ = slow.link.questions
    match end:
        case "quit":
            slow.link.quit("carla")
        case "part":
            slow.link.leave("carla", CHANNEL, LeftHow.PART)
        case "link":
            slow.link.disconnect()
            slow.link.connect()
    slow.link.nick("mallory", "carla")
    slow.link.join("carla", CHANNEL)
    told((OWNER,))
    await slow.session.settle()
    assert slow.session.lines("carla") == []
    assert slow.channel.profile.settings["kniffel"].turn_timeout_s == 300


async def test_a_question_of_before_tells_nothing_of_the_next_one(slow: House):
    slow.link.join("carla", CHANNEL)
    await slow.asks("carla", "shutdown")
    (_, told), *_ = slow.link.questions
    slow.link.quit("carla")
    slow.link.questions.clear()
    slow.link.nick("mallory", "carla")
    slow.link.join("carla", CHANNEL)
    assert await slow.asks("carla", "shutdown") == []
    told((OWNER,))
    slow.link.answer()
    await slow.session.settle()
    assert slow.session.lines("carla") == [NO_OWNER]


async def test_without_an_answer_the_line_is_handled_as_it_would_have_been(slow: House):
    slow.link.join("carla", CHANNEL)
    await slow.asks("carla", "networks")
    (_, told), *_ = slow.link.questions
    slow.link.questions.clear()
    told(None)
    await slow.session.settle()
    assert slow.session.lines("carla") == [NO_ADMIN]


async def test_handlers_hear_a_line_once(slow: House):
    heard = []
    registry = next(iter(slow.channel.registries.values()))
    registry.handlers.setdefault(Said, []).append(lambda _ctx, event: heard.append(event.text))
    slow.link.join("carla", CHANNEL)
    await slow.says("carla", ".set turn_timeout_s 90")
    assert heard == []
    slow.link.answer()
    await slow.session.settle()
    assert heard == [".set turn_timeout_s 90"]


async def test_a_certificate_is_not_for_lines_of_others_who_had_the_nick_meanwhile(slow: House):
    """Nobody sees the nick of somebody without a shared channel go to and fro."""
    carla, thief = slow.link.person("carla"), Person("net", "carla", "m", "mallory.example")
    for person, line in ((carla, "networks"), (thief, "set network language de")):
        slow.session.bot.feed(Said(person, None, line))
    await slow.session.settle()
    assert [person.host for person, _ in slow.link.questions] == [carla.host, thief.host]
    for (_, told), found in zip(slow.link.questions, ((OWNER,), None), strict=True):
        told(found)
    await slow.session.settle()
    assert said(slow.session.lines("carla"), "net: connected")
    assert slow.channel.profile.language == "en"


async def test_what_a_stranger_said_does_not_follow_the_nick_of_the_next_one(slow: House):
    """Mallory, out of sight, gives up the nick that an operator takes and gives up again."""
    slow.link.op("oskar", CHANNEL)
    thief = Person("net", "mall", "m", "mallory.example")
    for line in ("shutdown", f"set {CHANNEL} kniffel.turn_timeout_s 77"):
        slow.session.bot.feed(Said(thief, None, line))
    (_, told), *_ = slow.link.questions
    slow.link.questions.clear()
    slow.link.nick("oskar", "mall")
    slow.link.nick("mall", "oskar")
    told(None)
    await slow.session.settle()
    assert slow.session.lines("oskar") == []
    assert slow.channel.profile.settings["kniffel"].turn_timeout_s == 300


@pytest.mark.parametrize("how", ["nick", "join"])
async def test_what_a_stranger_said_is_dropped_when_another_one_has_the_nick(slow: House, how):
    thief = Person("net", "anna", "m", "mallory.example")
    slow.link.op("oskar", CHANNEL)
    slow.session.bot.feed(Said(thief, None, f"set {CHANNEL} kniffel.turn_timeout_s 77"))
    await slow.session.settle()
    (_, told), *_ = slow.link.questions
    slow.link.questions.clear()
    if how == "nick":
        slow.link.nick("oskar", "anna")
    else:
        slow.link.op("anna", CHANNEL)
    told(None)
    await slow.session.settle()
    assert slow.session.lines("anna") == []
    assert slow.channel.profile.settings["kniffel"].turn_timeout_s == 300


async def test_what_a_stranger_said_does_not_end_with_their_joining(slow: House):
    await slow.asks("carla", "networks")
    slow.link.join("carla", CHANNEL)
    slow.link.answer()
    await slow.session.settle()
    assert said(slow.session.lines("carla"), "net: connected")


async def test_what_waits_is_bounded(slow: House, monkeypatch):
    monkeypatch.setattr(inquiries, "MOST_PEOPLE", 3)
    monkeypatch.setattr(inquiries, "MOST_LINES", 4)
    for number in range(20):
        await slow.asks(f"stranger{number}", "shutdown")
    assert len(slow.link.questions) == 3
    assert slow.session.lines("stranger19") == [NO_OWNER]
    for _ in range(20):
        assert await slow.asks("stranger0", "shutdown") == []
    slow.link.answer()
    await slow.session.settle()
    assert len(slow.session.lines("stranger0")) == 4


# -- the configuration ------------------------------------------------------------------------

NETWORK = '[networks.net]\nnick = "bot"\nservers = [{ host = "irc.example" }]\n'


def test_fingerprints_in_the_configuration(tmp_path):
    path = tmp_path / "gamebot.toml"
    colons = ":".join(["0A"] * 32)
    path.write_text(
        f'{NETWORK}owner_certificates = ["{colons}"]\nadmin_certificates = ["{ADMIN}"]\n'
    )
    grants = load_config(path).networks["net"].grants
    assert (grants.owner_certificates, grants.admin_certificates) == ((OWNER,), (ADMIN,))


def test_the_configuration_refuses_what_is_no_fingerprint(tmp_path):
    path = tmp_path / "gamebot.toml"
    md5 = "3d" * 16
    path.write_text(f'{NETWORK}owner_certificates = ["{md5}"]\nadmin_certificates = ["anna"]\n')
    with pytest.raises(ConfigError) as error:
        load_config(path)
    assert error.value.faults == (
        "networks.net.owner_certificates: expected a fingerprint stronger than MD5 (SHA-1, SHA-256 "
        f'or SHA-512), got "{md5}"',
        "networks.net.admin_certificates: expected a fingerprint of 40, 64 or 128 hexadecimal "
        'digits (SHA-1, SHA-256 or SHA-512), got "anna"',
    )
