"""Commands, spoken by puppets: no connection is needed for these."""

from __future__ import annotations

import pytest

from gamebot.testing import ALL_CAPS, IrcServer, Puppet, VirtualClock


@pytest.fixture
def server() -> IrcServer:
    return IrcServer(name="alpha", clock=VirtualClock(start=1_000_000.0))


def heard(puppet: Puppet, *commands: str) -> list[str]:
    """Take and forget what *puppet* was told; only *commands* if they are given."""
    lines = [line for line in puppet.lines if not commands or line.split()[1] in commands]
    puppet.lines.clear()
    return lines


def errors(puppet: Puppet) -> list[str]:
    """Take the numerics of the errors that *puppet* got, with their parameters."""
    lines = [line.split(" ", 3) for line in puppet.lines if line.split()[1][0] in "45"]
    puppet.lines.clear()
    return [f"{words[1]} {words[3].split(' :')[0]}" for words in lines]


def people(server: IrcServer, *nicks: str, channel: str = "#x") -> list[Puppet]:
    """Put *nicks* into *channel*; the first one has op."""
    puppets = [server.person(nick) for nick in nicks]
    for puppet in puppets:
        puppet.joins(channel)
    for puppet in puppets:
        puppet.lines.clear()
    return puppets


# JOIN, PART


def test_the_first_one_in_gets_op(server):
    anna, bert = server.person("anna"), server.person("bert")
    anna.joins("#x")
    anna.lines.clear()
    bert.joins("#X")
    assert heard(anna) == [":bert!bert@bert.example JOIN #x"]
    assert heard(bert) == [
        ":bert!bert@bert.example JOIN #x",
        ":irc.alpha.example 353 bert = #x :@anna bert",
        ":irc.alpha.example 366 bert #x :End of /NAMES list.",
    ]
    assert server.channel("#x").nicks() == ["anna", "bert"]


def test_several_channels_are_joined_at_once_with_keys(server):
    anna, bert = server.person("anna"), server.person("bert")
    anna.joins("#a", "#b", "#c")
    anna.does("MODE #b +k sesame")
    bert.does("JOIN #b,#a wrong")
    assert errors(bert) == ["475 #b"]
    assert "bert" in server.channel("#a")
    bert.does("JOIN #b,#c sesame")
    assert "bert" in server.channel("#b")
    bert.does("JOIN 0")
    assert list(bert.user.channels) == []
    bert.does("JOIN #a,,#c")
    assert list(bert.user.channels) == ["#a", "#c"]


def test_joining_again_says_nothing(server):
    (anna,) = people(server, "anna")
    anna.joins("#X")
    assert heard(anna) == []


@pytest.mark.parametrize(
    ("modes", "numeric"),
    [("+i", "473"), ("+l 1", "471"), ("+k key", "475"), ("+b *!*@bert.*", "474")],
)
def test_obstacles_have_their_numerics_and_an_invitation_passes_once(server, modes, numeric):
    (anna,) = people(server, "anna")
    bert = server.person("bert")
    anna.does(f"MODE #x {modes}")
    bert.joins("#x")
    assert errors(bert) == [f"{numeric} #x"]
    anna.does("INVITE bert #x")
    assert heard(anna, "341") == [":irc.alpha.example 341 anna bert #x"]
    assert heard(bert) == [":anna!anna@anna.example INVITE bert #x"]
    bert.joins("#x")
    assert "bert" in server.channel("#x")
    bert.does("PART #x")
    bert.lines.clear()
    bert.joins("#x")
    assert errors(bert) == [f"{numeric} #x"]


def test_channel_names_and_numbers_are_limited(server):
    server.max_channels = 1
    anna = server.person("anna")
    anna.does("JOIN x,#a:b,#" + "y" * 64)
    assert errors(anna) == ["403 x", "476 #a:b", "476 #" + "y" * 64]
    anna.joins("#a", "#b")
    assert errors(anna) == ["405 #b"]


def test_an_empty_channel_is_forgotten(server):
    anna, bert = people(server, "anna", "bert")
    anna.does("PART #x :so long")
    assert heard(anna) == heard(bert) == [":anna!anna@anna.example PART #x :so long"]
    anna.does("PART #x,#none")
    assert errors(anna) == ["442 #x", "403 #none"]
    bert.does("PART #x")
    assert server.world.channels == {}


# KICK, TOPIC, INVITE


def test_kick_needs_op_and_a_member(server):
    anna, bert = people(server, "anna", "bert")
    carl = server.person("carl")
    bert.does("KICK #x anna")
    assert errors(bert) == ["482 #x"]
    carl.does("KICK #x anna")
    assert errors(carl) == ["442 #x"]
    anna.does("KICK #x carl,nobody,BERT :out")
    assert errors(anna) == ["441 carl #x", "401 nobody"]
    assert heard(bert) == [":anna!anna@anna.example KICK #x bert :out"]
    assert server.channel("#x").nicks() == ["anna"]
    anna.does("KICK #none bert")
    assert errors(anna) == ["403 #none"]


def test_kicking_oneself_among_others_ends_well(server):
    anna, bert = people(server, "anna", "bert")
    anna.does("KICK #x anna,bert")
    assert server.channel("#x").nicks() == []
    assert heard(anna) == [":anna!anna@anna.example KICK #x anna :anna"]
    assert heard(bert) == [
        ":anna!anna@anna.example KICK #x anna :anna",
        ":anna!anna@anna.example KICK #x bert :anna",
    ]


def test_topics(server):
    anna, bert = people(server, "anna", "bert")
    bert.does("TOPIC #x")
    assert heard(bert) == [":irc.alpha.example 331 bert #x :No topic is set."]
    bert.does("TOPIC #x :mine")
    assert errors(bert) == ["482 #x"]
    anna.does("TOPIC #x :welcome all")
    assert heard(bert) == [":anna!anna@anna.example TOPIC #x :welcome all"]
    bert.does("TOPIC #x")
    assert heard(bert) == [
        ":irc.alpha.example 332 bert #x :welcome all",
        ":irc.alpha.example 333 bert #x anna!anna@anna.example 1000000",
    ]
    anna.does("MODE #x -t")
    bert.does("TOPIC #x :" + "y" * 400)
    assert server.channel("#x").topic == "y" * 307
    carl = server.person("carl")
    carl.does("TOPIC #x :z")
    carl.does("TOPIC #none")
    assert errors(carl) == ["442 #x", "403 #none"]


def test_invitations_have_their_errors(server):
    anna, bert = people(server, "anna", "bert")
    carl = server.person("carl")
    carl.does("INVITE bert #x")
    assert errors(carl) == ["442 #x"]
    bert.does("INVITE anna #x")
    bert.does("INVITE nobody #x")
    anna.does("MODE #x +i")
    bert.does("INVITE carl #x")
    assert errors(bert) == ["443 anna #x", "401 nobody", "482 #x"]


# MODE


def test_modes_are_shown_and_changed(server):
    anna, bert = people(server, "anna", "bert")
    anna.does("MODE #x")
    assert heard(anna) == [
        ":irc.alpha.example 324 anna #x +nt",
        ":irc.alpha.example 329 anna #x 1000000",
    ]
    anna.does("MODE #x +vkl-n+m BERT key 5")
    assert heard(bert) == [":anna!anna@anna.example MODE #x +vkl-n+m bert key 5"]
    assert server.channel("#x").modes == {"t": "", "k": "key", "l": "5", "m": ""}
    anna.lines.clear()
    anna.does("MODE #x")
    assert heard(anna, "324") == [":irc.alpha.example 324 anna #x +klmt key 5"]
    carl = server.person("carl")
    carl.does("MODE #x")
    assert heard(carl, "324") == [":irc.alpha.example 324 carl #x +klmt * *"]
    anna.does("MODE #x -lk whatever")
    assert heard(bert) == [":anna!anna@anna.example MODE #x -lk key"]


def test_a_mode_that_changes_nothing_is_not_told(server):
    anna, bert = people(server, "anna", "bert")
    for modes in ("+nt", "-m", "+o anna", "-v bert", "-k x", "-l", "+l 0", "+l x", "+k a,b", "+l"):
        anna.does(f"MODE #x {modes}")
    assert heard(bert) == []


def test_mode_errors(server):
    anna, bert = people(server, "anna", "bert")
    server.person("carl")
    anna.does("MODE #x +zo nobody")
    anna.does("MODE #x +v carl")
    anna.does("MODE #none +n")
    bert.does("MODE #x +n")
    assert errors(anna) == ["472 z", "401 nobody", "441 carl #x", "403 #none"]
    assert errors(bert) == ["482 #x"]


def test_op_and_voice_come_and_go(server):
    anna, bert = people(server, "anna", "bert")
    anna.does("MODE #x +ov bert bert")
    assert server.channel("#x").members[bert.user] == "ov"
    bert.does("MODE #x -o anna")
    anna.does("MODE #x +o anna")
    assert errors(anna) == ["482 #x"]


def test_bans_are_completed_listed_and_removed_in_any_case(server):
    anna, bert = people(server, "anna", "bert")
    anna.does("MODE #x +bbb carl dora@ *@evil.example")
    assert heard(bert) == [
        ":anna!anna@anna.example MODE #x +bbb carl!*@* *!dora@* *!*@evil.example"
    ]
    bert.does("MODE #x b")
    assert heard(bert) == [
        ":irc.alpha.example 367 bert #x carl!*@* anna!anna@anna.example 1000000",
        ":irc.alpha.example 367 bert #x *!dora@* anna!anna@anna.example 1000000",
        ":irc.alpha.example 367 bert #x *!*@evil.example anna!anna@anna.example 1000000",
        ":irc.alpha.example 368 bert #x :End of channel ban list",
    ]
    anna.does("MODE #x -b CARL!*@*")
    anna.does("MODE #x +b *!DORA@*")
    assert heard(bert) == [":anna!anna@anna.example MODE #x -b carl!*@*"]
    server.max_bans = 2
    anna.lines.clear()
    anna.does("MODE #x +b one.more")
    assert errors(anna) == ["478 #x one.more!*@*"]


def test_own_modes(server):
    anna, _ = people(server, "anna", "bert")
    anna.does("MODE anna +iB-w")
    anna.does("MODE ANNA")
    assert heard(anna) == [
        ":anna!anna@anna.example MODE anna +iB",
        ":irc.alpha.example 221 anna +Bi",
    ]
    anna.does("MODE bert +i")
    anna.does("MODE nobody +i")
    anna.does("MODE anna +o")
    assert [error.split()[0] for error in errors(anna)] == ["502", "401", "501"]


# PRIVMSG, NOTICE, AWAY


def test_messages_reach_the_channel_but_not_the_speaker(server):
    anna, bert, carl = people(server, "anna", "bert", "carl")
    anna.says("#X", "hello you")
    assert heard(bert) == heard(carl) == [":anna!anna@anna.example PRIVMSG #x :hello you"]
    assert heard(anna) == []
    bert.does("NOTICE ANNA :psst")
    assert heard(anna) == [":bert!bert@bert.example NOTICE anna :psst"]


def test_statusmsg_reaches_who_has_that_status_or_more(server):
    anna, bert, carl = people(server, "anna", "bert", "carl")
    anna.does("MODE #x +v bert")
    for puppet in (anna, bert, carl):
        puppet.lines.clear()
    carl.says("+#x", "voices")
    carl.says("@#x", "ops")
    assert [line.split()[2] for line in heard(anna)] == ["+#x", "@#x"]
    assert [line.split()[2] for line in heard(bert)] == ["+#x"]


def test_message_errors_and_the_silence_after_a_notice(server):
    (anna,) = people(server, "anna")
    for words in ("", " nobody", " nobody :x", " #none :x", " anna", " a,b,c,d,e :x"):
        anna.does(f"PRIVMSG{words}")
    assert [error.split()[0] for error in errors(anna)] == [
        *("411", "412", "401", "403", "412"),
        *["401"] * 4,
        "407",
    ]
    anna.does("NOTICE nobody :x")
    assert heard(anna) == []


@pytest.mark.parametrize("modes", ["+m", "+b *!*@bert.example"])
def test_who_is_silenced_gets_404_until_voiced(server, modes):
    anna, bert = people(server, "anna", "bert")
    anna.does(f"MODE #x {modes}")
    bert.lines.clear()
    bert.says("#x", "let me")
    assert errors(bert) == ["404 #x"]
    anna.does("MODE #x +v bert")
    anna.lines.clear()
    bert.says("#x", "thanks")
    assert len(heard(anna, "PRIVMSG")) == 1


def test_no_messages_from_outside_with_mode_n(server):
    (anna,) = people(server, "anna")
    bert = server.person("bert")
    bert.says("#x", "hi")
    assert errors(bert) == ["404 #x"]
    anna.does("MODE #x -n")
    bert.says("#x", "hi")
    assert len(heard(anna, "PRIVMSG")) == 1


def test_colours_are_stripped_or_blocked(server):
    anna, bert = people(server, "anna", "bert")
    anna.does("MODE #x +S")
    bert.says("#x", "\x0304,01red\x03 \x02bold\x0f \x01ACTION\x01")
    assert heard(anna, "PRIVMSG") == [":bert!bert@bert.example PRIVMSG #x :red bold \x01ACTION\x01"]
    anna.does("MODE #x -S+c")
    bert.lines.clear()
    bert.says("#x", "\x02bold")
    bert.says("#x", "plain")
    assert errors(bert) == ["404 #x"]
    assert len(heard(anna, "PRIVMSG")) == 1


def test_away_is_told_to_who_writes_and_to_who_asked_for_it(server):
    anna = server.person("anna")
    bert = server.person("bert", caps=ALL_CAPS)
    for puppet in (anna, bert):
        puppet.joins("#x")
    anna.lines.clear()
    bert.lines.clear()
    anna.does("AWAY :lunch")
    assert [line.split(" ", 1)[1] for line in heard(bert)] == [
        ":anna!anna@anna.example AWAY :lunch"
    ]
    bert.says("anna", "hi")
    assert ":irc.alpha.example 301 bert anna :lunch" in heard(bert)[-1]
    anna.does("AWAY")
    assert [line.split()[1] for line in heard(anna)] == ["306", "PRIVMSG", "305"]
    assert heard(bert)[0].endswith(":anna!anna@anna.example AWAY")


def test_an_away_newcomer_is_announced_as_away(server):
    bert = server.person("bert", caps={"away-notify"})
    bert.joins("#x")
    anna = server.person("anna")
    anna.does("AWAY :still asleep")
    bert.lines.clear()
    anna.joins("#x")
    assert [line.split()[1] for line in heard(bert)] == ["JOIN", "AWAY"]


# Capabilities


def test_tags_and_extended_lines_go_only_to_who_negotiated_them(server):
    plain = server.person("plain")
    rich = server.person("rich", caps=ALL_CAPS)
    for puppet in (plain, rich):
        puppet.joins("#x")
    plain.lines.clear()
    rich.lines.clear()
    anna = server.person("anna", account="anna_account")
    anna.joins("#x")
    anna.says("#x", "hi")
    assert heard(plain) == [
        ":anna!anna@anna.example JOIN #x",
        ":anna!anna@anna.example PRIVMSG #x :hi",
    ]
    tags = "@time=1970-01-12T13:46:40.000Z;account=anna_account"
    assert heard(rich) == [
        f"{tags} :anna!anna@anna.example JOIN #x anna_account anna",
        f"{tags} :anna!anna@anna.example PRIVMSG #x :hi",
    ]


def test_client_tags_pass_between_those_who_have_message_tags(server):
    anna = server.person("anna", caps={"message-tags"})
    bert = server.person("bert", caps={"message-tags"})
    carl = server.person("carl")
    for puppet in (anna, bert, carl):
        puppet.joins("#x")
    for puppet in (anna, bert, carl):
        puppet.lines.clear()
    anna.does("@+draft/reply=1;other=2 PRIVMSG #x :hi")
    anna.does("@+typing=active TAGMSG #x")
    assert heard(bert) == [
        "@+draft/reply=1 :anna!anna@anna.example PRIVMSG #x :hi",
        "@+typing=active :anna!anna@anna.example TAGMSG #x",
    ]
    assert heard(carl) == [":anna!anna@anna.example PRIVMSG #x :hi"]
    carl.does("TAGMSG #x")
    assert errors(carl) == ["421 TAGMSG"]


def test_echo_message_returns_what_was_said(server):
    anna = server.person("anna", caps={"echo-message"})
    server.person("bert")
    anna.says("bert", "hi")
    assert heard(anna) == [":anna!anna@anna.example PRIVMSG bert :hi"]


def test_accounts_hosts_and_names_change_for_who_can_see_it(server):
    rich = server.person("rich", caps=ALL_CAPS - {"server-time"})
    rich.joins("#x")
    anna = server.person("anna", caps={"setname", "account-notify"})
    anna.joins("#x")
    rich.lines.clear()
    server.login("anna", "acc")
    server.login("anna", None)
    server.change_host("anna", "ann", "cloak.example")
    anna.does("SETNAME :Anna A.")
    assert heard(rich) == [
        "@account=acc :anna!anna@anna.example ACCOUNT acc",
        ":anna!anna@anna.example ACCOUNT *",
        ":anna!anna@anna.example CHGHOST ann cloak.example",
        ":anna!ann@cloak.example SETNAME :Anna A.",
    ]
    assert len(heard(anna, "ACCOUNT")) == 2
    bert = server.person("bert")
    bert.does("SETNAME :x")
    assert errors(bert) == ["421 SETNAME"]


def test_names_show_what_was_negotiated(server):
    anna, bert = people(server, "anna", "bert")
    anna.does("MODE #x +v anna")
    rich = server.person("rich", caps={"multi-prefix", "userhost-in-names"})
    rich.does("NAMES #x")
    bert.lines.clear()
    bert.does("NAMES #x,#none")
    bert.does("NAMES")
    assert heard(rich, "353") == [
        ":irc.alpha.example 353 rich = #x :@+anna!anna@anna.example bert!bert@bert.example"
    ]
    assert [line.split(" ", 3)[3] for line in heard(bert)] == [
        "= #x :@anna bert",
        "#x :End of /NAMES list.",
        "#none :End of /NAMES list.",
        "* :End of /NAMES list.",
    ]


# Questions


def test_who(server):
    anna, bert = people(server, "anna", "bert")
    bert.does("AWAY :x")
    bert.does("MODE bert +B")
    bert.lines.clear()
    anna.does("WHO #x")
    anna.does("WHO bert")
    anna.does("WHO *.example")
    anna.does("WHO #none")
    assert heard(anna) == [
        ":irc.alpha.example 352 anna #x anna anna.example irc.alpha.example anna H@ :0 anna",
        ":irc.alpha.example 352 anna #x bert bert.example irc.alpha.example bert GB :0 bert",
        ":irc.alpha.example 315 anna #x :End of /WHO list.",
        ":irc.alpha.example 352 anna * bert bert.example irc.alpha.example bert GB :0 bert",
        ":irc.alpha.example 315 anna bert :End of /WHO list.",
        ":irc.alpha.example 352 anna * anna anna.example irc.alpha.example anna H :0 anna",
        ":irc.alpha.example 352 anna * bert bert.example irc.alpha.example bert GB :0 bert",
        ":irc.alpha.example 315 anna *.example :End of /WHO list.",
        ":irc.alpha.example 315 anna #none :End of /WHO list.",
    ]


def test_whox_sends_the_fields_in_its_own_order(server):
    anna, _ = people(server, "anna", "bert")
    server.login("bert", "acc")
    anna.does("WHO #x %ctnuahfr,42")
    assert heard(anna, "354") == [
        ":irc.alpha.example 354 anna 42 #x anna anna.example anna H@ 0 anna",
        ":irc.alpha.example 354 anna 42 #x bert bert.example bert H acc bert",
    ]
    anna.does("WHO bert %idslo")
    assert heard(anna, "354") == [
        ":irc.alpha.example 354 anna 255.255.255.255 irc.alpha.example 0 0 n/a"
    ]
    server.whox = False
    anna.does("WHO bert %na")
    assert [line.split()[1] for line in heard(anna)] == ["352", "315"]


def test_whois(server):
    anna, bert = people(server, "anna", "bert")
    server.login("bert", "acc")
    bert.does("AWAY :lunch")
    bert.does("MODE bert +B")
    anna.does("WHOIS bert bert")
    assert [line.split(" ", 3)[1::2] for line in heard(anna)] == [
        ["311", "bert bert bert.example * bert"],
        ["319", "bert :#x"],
        ["312", "bert irc.alpha.example :a server for tests"],
        ["301", "bert :lunch"],
        ["330", "bert acc :is logged in as"],
        ["335", "bert :is a bot"],
        ["317", "bert 0 1000000 :seconds idle, signon time"],
        ["318", "bert :End of /WHOIS list."],
    ]
    anna.does("WHOIS nobody")
    anna.does("WHOIS")
    anna.does("WHOWAS bert")
    assert [error.split()[0] for error in errors(anna)] == ["401", "431", "406"]


def test_whois_tells_a_certificate(server):
    """To everybody as InspIRCd does, or to its owner alone as ngircd does."""
    anna, bert = server.person("anna"), server.person("bert")
    server.certify("bert", "0a" * 32)
    told = f"276 {{}} bert :has client certificate fingerprint {'0a' * 32}"

    def tells(puppet) -> bool:
        puppet.lines.clear()
        puppet.does("WHOIS bert")
        return any(told.format(puppet.user.nick) in line for line in puppet.lines)

    assert tells(anna)
    assert tells(bert)
    server.whois_certificates = False
    assert not tells(anna)
    assert tells(bert)


def test_small_questions(server):
    anna, bert = people(server, "anna", "bert")
    bert.does("AWAY :x")
    anna.does("ISON bert nobody :ANNA")
    anna.does("USERHOST bert anna nobody")
    anna.does("TIME")
    anna.does("LIST")
    anna.does("LIST #y*")
    assert [line.split(" ", 3)[1::2] for line in heard(anna)] == [
        ["303", ":bert anna"],
        ["302", ":bert=-bert@bert.example anna=+anna@anna.example"],
        ["391", "irc.alpha.example :1970-01-12 13:46:40 UTC"],
        ["321", "Channel :Users  Name"],
        ["322", "#x 2 :"],
        ["323", ":End of /LIST"],
        ["321", "Channel :Users  Name"],
        ["323", ":End of /LIST"],
    ]
    anna.does("VERSION")
    anna.does("LUSERS")
    anna.does("MOTD")
    numerics = [line.split()[1] for line in heard(anna)]
    assert numerics == ["351", "005", "005", "251", "254", "255", "265", "266", "375", "372", "376"]
    server.motd = ()
    anna.does("MOTD")
    assert errors(anna)[0].startswith("422")


def test_isupport_can_be_added_to_replaced_and_left_out(server):
    server.isupport = {"NICKLEN": "9", "WHOX": None, "EXCEPTS": "e", "SAFELIST": ""}
    tokens = [token for line in server.isupport_lines() for token in line]
    assert "NICKLEN=9" in tokens
    assert "EXCEPTS=e" in tokens
    assert "SAFELIST" in tokens
    assert not [token for token in tokens if token.startswith("WHOX")]
    assert all(len(line) <= 12 for line in server.isupport_lines())


# NICK and QUIT


def test_a_nick_change_is_told_once_to_everybody_who_shares_a_channel(server):
    anna, bert = people(server, "anna", "bert")
    for puppet in (anna, bert):
        puppet.joins("#y")
        puppet.lines.clear()
    anna.does("NICK Anna")
    anna.does("NICK Anna")
    anna.does("NICK dora")
    assert heard(bert) == [
        ":anna!anna@anna.example NICK :Anna",
        ":Anna!anna@anna.example NICK :dora",
    ]
    assert server.user("DORA") is anna.user
    with pytest.raises(LookupError, match="anna"):
        server.user("anna")


def test_nick_errors(server):
    anna, _ = people(server, "anna", "bert")
    server.reserve("[bot]")
    for nick in ("", "BERT", "{BOT}", "1st", "a b"[:1] + "!", "x" * 31):
        anna.does(f"NICK {nick}")
    assert [error.split()[0] for error in errors(anna)] == [
        *("431", "433", "433", "432", "432", "432")
    ]
    server.release("[BOT]")
    anna.does("NICK [bot]")
    assert anna.user.nick == "[bot]"


def test_quitting_is_told_once_and_frees_the_nick(server):
    anna, bert = people(server, "anna", "bert")
    for puppet in (anna, bert):
        puppet.joins("#y")
    bert.lines.clear()
    anna.does("QUIT :good night")
    assert heard(bert) == [":anna!anna@anna.example QUIT :Quit: good night"]
    assert anna.gone == "Closing link: (anna@anna.example) [Quit: good night]"
    server.person("ANNA")
    with pytest.raises(RuntimeError, match="gone"):
        anna.says("#x", "boo")


def test_unknown_and_incomplete_commands(server):
    anna = server.person("anna")
    for line in ("BOGUS", "JOIN", "KICK #x", "USER a b c d", "PASS x", "PING"):
        anna.does(line)
    assert [error.split()[0] for error in errors(anna)] == [
        *("421", "461", "461", "462", "462", "409")
    ]
    with pytest.raises(ValueError, match="command"):
        anna.does(":x")


def test_a_nick_for_a_puppet_must_be_free_and_well_formed(server):
    server.person("anna")
    for nick in ("ANNA", "a b", ""):
        with pytest.raises(ValueError, match="cannot be used"):
            server.person(nick)


# What the network does


def test_services_kick_rename_and_set_modes(server):
    anna, bert = people(server, "anna", "bert")
    server.set_modes("#x", "+vb", "bert", "*!*@evil.example")
    server.rename("bert", "Guest1")
    server.kick("#x", "Guest1", "bye", by="anna")
    assert heard(bert) == [
        ":irc.alpha.example MODE #x +vb bert *!*@evil.example",
        ":bert!bert@bert.example NICK :Guest1",
        ":anna!anna@anna.example KICK #x Guest1 :bye",
    ]
    bert.joins("#x")
    anna.lines.clear()
    server.kick("#x", "Guest1", by="ChanServ")
    server.set_modes("#x", "+b")
    server.set_modes("#x", "+v", "nobody")
    assert heard(anna) == [":ChanServ KICK #x Guest1 :"]


def test_a_kill_is_seen_as_a_quit(server):
    anna, bert = people(server, "anna", "bert")
    server.kill("anna", "spam")
    assert anna.gone == "Closing link: (anna@anna.example) [Killed (irc.alpha.example (spam))]"
    assert heard(anna) == [":irc.alpha.example KILL anna :spam"]
    assert heard(bert) == [":anna!anna@anna.example QUIT :Killed (irc.alpha.example (spam))"]


def test_a_netsplit_is_seen_from_both_sides_and_heals_with_modes(server):
    anna, bert, carl, dora = people(server, "anna", "bert", "carl", "dora")
    server.set_modes("#x", "+ov", "carl", "bert")
    for puppet in (anna, bert, carl, dora):
        puppet.lines.clear()
    server.netsplit(["carl", "dora"], "a.example b.example")
    assert (
        heard(anna)
        == heard(bert)
        == [
            ":carl!carl@carl.example QUIT :a.example b.example",
            ":dora!dora@dora.example QUIT :a.example b.example",
        ]
    )
    assert (
        sorted(heard(carl))
        == sorted(heard(dora))
        == [
            ":anna!anna@anna.example QUIT :a.example b.example",
            ":bert!bert@bert.example QUIT :a.example b.example",
        ]
    )
    carl.says("#x", "anybody?")
    anna.says("#x", "they are gone")
    assert heard(anna) == heard(carl) == []
    bert.lines.clear()
    server.heal()
    assert (
        heard(anna)
        == heard(bert)
        == [
            ":carl!carl@carl.example JOIN #x",
            ":dora!dora@dora.example JOIN #x",
            ":irc.alpha.example MODE #x +o carl",
        ]
    )
    assert (
        heard(carl)
        == heard(dora)
        == [
            ":anna!anna@anna.example JOIN #x",
            ":bert!bert@bert.example JOIN #x",
            ":irc.alpha.example MODE #x +ov anna bert",
        ]
    )
    carl.says("#x", "back")
    assert len(heard(anna)) == 1


def test_who_lost_the_nick_in_a_netsplit_is_killed(server):
    _, carl = people(server, "anna", "carl")
    server.netsplit(["carl"])
    usurper = server.person("carl")
    server.heal()
    assert carl.gone is not None
    assert "Nick collision" in carl.gone
    assert server.user("carl") is usurper.user
    assert server.channel("#x").nicks() == ["anna"]


def test_who_quits_during_a_netsplit_does_not_come_back(server):
    anna, carl = people(server, "anna", "carl")
    server.netsplit(["carl"])
    carl.does("QUIT :x")
    anna.lines.clear()
    server.heal()
    assert heard(anna) == []


def test_ten_thousand_phantoms_fit_in_a_channel(server):
    server.add_phantoms("#big", 10_000)
    anna = server.person("anna")
    anna.joins("#big")
    names = [name for line in heard(anna, "353") for name in line.split(" :", 1)[1].split()]
    assert len(names) == 10_001
    anna.does("WHO #big")
    assert len(heard(anna, "352")) == 10_001
    server.netsplit([f"phantom{number}" for number in range(2000)])
    assert len(heard(anna, "QUIT")) == 2000


def test_every_line_is_within_512_bytes(server):
    anna, bert = people(server, "anna", "bert")
    anna.says("#x", "字" * 300)
    (line,) = bert.lines
    assert len(line.encode("utf-8", "surrogateescape")) == 510


@pytest.mark.parametrize(
    ("casemapping", "same"), [("ascii", False), ("rfc1459", True), ("strict-rfc1459", True)]
)
def test_names_are_folded_by_the_casemapping(casemapping, same):
    server = IrcServer(casemapping=casemapping)
    anna = server.person("[anna]")
    anna.joins("#[x]")
    assert (server.world.user("{ANNA}") is not None) is same
    assert (server.world.channel("#{X}") is not None) is same
