"""Who comes, goes, is renamed, killed or split away on the embedded server."""

from __future__ import annotations

import pytest
from irc_lines import errors, heard, people

from gamebot.testing import IrcServer


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
