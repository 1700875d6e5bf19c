"""What is said through the embedded server: messages, tags, away, echo."""

from __future__ import annotations

import pytest
from irc_lines import errors, heard, people

from gamebot.testing import ALL_CAPS


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
