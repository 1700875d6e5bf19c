"""Commands, spoken by puppets: no connection is needed for these."""

from __future__ import annotations

import pytest
from irc_lines import errors, heard, people


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
