"""Lines in, events out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebot.events import (
    AccountChanged,
    ChannelDown,
    ChannelUp,
    Identified,
    Joined,
    Left,
    LeftHow,
    NickChanged,
    Person,
    Said,
)
from gamebot.irc.isupport import Isupport
from gamebot.irc.parser import parse_message
from gamebot.irc.tracker import Tracker

ANNA = Person("net", "anna", "a", "host.a")
BERT = Person("net", "Bert", "b", "host.b")


class Bench:
    """A tracker in #uno with anna and Bert."""

    def __init__(self, *capabilities, nobody=()):
        self.capabilities = set(capabilities)
        self.events = []
        self.isupport = Isupport("net")
        self.tracker = Tracker(
            "net",
            self.isupport,
            lambda name: name in self.capabilities,
            self.events.append,
            nobody,
        )
        self.feed(
            ":srv 001 bot :Welcome",
            ":bot!g@host.bot JOIN #Uno",
            ":srv 353 bot = #Uno :@bot +anna!a@host.a @+Bert!b@host.b",
            ":srv 366 bot #Uno :End",
        )

    def feed(self, *lines):
        self.events.clear()
        for line in lines:
            self.tracker.handle(parse_message(line))
        return list(self.events)

    def nicks(self, channel="#uno"):
        membership = self.tracker.membership
        return [one.nick for one in membership.people(membership.channel(channel), "bot")]


@pytest.fixture
def bench():
    return Bench()


def test_channel_is_up_when_its_names_have_ended(bench):
    assert bench.feed(":bot!g@host.bot JOIN :#w", ":srv 353 bot = #w :bot carl") == []
    assert bench.feed(":carl!c@h JOIN #w", ":srv 366 bot #w :End") == [
        ChannelUp("net", "#w", (Person("net", "carl", "c", "h"),))
    ]
    assert bench.feed(":srv 366 bot #w :End of another NAMES") == []


def test_said_in_channel_and_in_query(bench):
    assert bench.feed(":anna!a@host.a PRIVMSG #UNO :pe \x02R5") == [Said(ANNA, "#Uno", "pe \x02R5")]
    assert bench.feed(":anna!a@host.a PRIVMSG BOT :help") == [Said(ANNA, None, "help")]


def test_what_is_said_to_operators_alone_is_not_answered_to_everybody():
    bench = Bench()
    bench.feed(":srv 005 bot STATUSMSG=@+ :are supported")
    assert bench.feed(":anna!a@host.a PRIVMSG @#uno :psst") == []


@pytest.mark.parametrize(
    "line",
    [
        ":anna!a@h NOTICE #uno :hi",
        ":anna!a@h PRIVMSG #uno :\x01ACTION deals\x01",
        ":anna!a@h PRIVMSG bot :\x01VERSION\x01",
        ":anna!a@h PRIVMSG bot :\x01DCC SEND a 1 2 3\x01",
        ":bot!g@host.bot PRIVMSG #uno :echo",
        ":BOT!g@host.bot PRIVMSG #uno :echo",
        ":anna!a@h PRIVMSG #other :where the bot is not",
        ":anna!a@h PRIVMSG $$* :everybody",
        ":irc.server.net PRIVMSG bot :a server",
        "PRIVMSG bot :nobody",
        ":anna!a@h PRIVMSG #uno",
        ":anna!a@h PRIVMSG #uno :",
    ],
)
def test_not_said(bench, line):
    assert bench.feed(line) == []


def test_whom_the_operator_calls_nobody_is_not_heard():
    bench = Bench(nobody=("Anna!*@*.a",))
    assert bench.feed(":anna!a@host.a PRIVMSG #uno :hi") == []
    assert len(bench.feed(":anna!a@host.b PRIVMSG #uno :hi")) == 1


def test_bots_are_not_heard_where_tags_are_negotiated():
    line = "@bot :anna!a@host.a PRIVMSG #uno :hi"
    assert Bench("message-tags").feed(line) == []
    assert len(Bench().feed(line)) == 1


def test_nul_and_cr_are_taken_out(bench):
    assert bench.feed(":anna!a@host.a PRIVMSG #uno :a\0b\rc")[0].text == "abc"


def test_strangers_in_queries_are_not_kept(bench):
    for number in range(50):
        bench.feed(f":s{number}!u@h PRIVMSG bot :hi")
    assert len(bench.tracker.membership._users) == 3


def test_joined_and_parted(bench):
    carl = Person("net", "carl", "c", "h")
    assert bench.feed(":carl!c@h JOIN #uno") == [Joined(carl, "#Uno")]
    assert bench.feed(":carl!c@h PART #uno :bye") == [
        Left(carl, "#Uno", LeftHow.PART, reason="bye")
    ]
    assert bench.feed(":carl!c@h PART #uno") == []


def test_kick_in_another_case(bench):
    assert bench.feed(":ANNA!a@host.a KICK #UNO BERT :out") == [
        Left(BERT, "#Uno", LeftHow.KICK, by="ANNA", reason="out")
    ]


def test_quit_is_one_event_for_each_shared_channel(bench):
    bench.feed(":bot!g@h JOIN #w", ":srv 353 bot = #w :bot anna!a@host.a", ":srv 366 bot #w :End")
    assert bench.feed(":anna!a@host.a QUIT :Ping timeout") == [
        Left(ANNA, "#Uno", LeftHow.QUIT, reason="Ping timeout"),
        Left(ANNA, "#w", LeftHow.QUIT, reason="Ping timeout"),
    ]
    assert bench.feed(":anna!a@host.a QUIT :again") == []


def test_nick_change_keeps_the_rest(bench):
    assert bench.feed(":Bert!b@host.b NICK :Robert") == [NickChanged(BERT, "Robert")]
    assert bench.nicks() == ["anna", "Robert"]
    assert bench.tracker.membership.is_op("#uno", "robert")
    assert not bench.tracker.membership.is_op("#uno", "bert")


def test_nick_change_of_case_only(bench):
    assert bench.feed(":Bert!b@host.b NICK bert") == [NickChanged(BERT, "bert")]
    assert bench.tracker.membership.is_op("#uno", "BERT")


def test_nick_change_onto_a_stale_member(bench):
    bench.feed(":Bert!b@host.b NICK anna")
    assert bench.nicks() == ["anna"]


def test_own_nick_is_tracked(bench):
    assert bench.feed(":bot!g@host.bot NICK :bot2") == []
    assert bench.tracker.own_nick == "bot2"
    assert bench.tracker.own_source == "bot2!g@host.bot"
    assert bench.feed(":anna!a@host.a PRIVMSG bot2 :hi") == [Said(ANNA, None, "hi")]
    assert bench.tracker.membership.is_op("#uno", "bot2")


def test_a_later_welcome_changes_nothing(bench):
    bench.feed(":srv 001 other :Welcome")
    assert bench.tracker.own_nick == "bot"


def test_own_part_and_kick(bench):
    assert bench.feed(":bot!g@h PART #uno :off") == [ChannelDown("net", "#Uno", "off")]
    bench.feed(":bot!g@h JOIN #uno")
    assert bench.feed(":anna!a@h KICK #uno bot :out") == [ChannelDown("net", "#uno", "out")]
    assert bench.tracker.membership._users == {}


def test_own_host_is_followed(bench):
    bench.feed(":srv 396 bot cloak.example :is now your displayed host")
    assert bench.tracker.own_source == "bot!g@cloak.example"
    bench.feed(":bot!g@host.bot CHGHOST ident vhost.example")
    assert bench.tracker.own_source == "bot!ident@vhost.example"


def test_extended_join_tells_the_account():
    bench = Bench("extended-join")
    assert bench.feed(":carl!c@h JOIN #uno carl_acc :Carl")[0].person.account == "carl_acc"
    assert bench.feed(":dora!d@h JOIN #uno * :Dora")[0].person.account is None


def test_extended_join_is_read_only_when_negotiated(bench):
    assert bench.feed(":carl!c@h JOIN #uno carl_acc :Carl")[0].person.account is None


def test_account_tag_is_trusted_only_when_negotiated(bench):
    line = "@account=root :anna!a@host.a PRIVMSG #uno :hi"
    assert bench.feed(line)[0].person.account is None
    bench.capabilities.add("account-tag")
    changed, said = bench.feed(line)
    assert changed == AccountChanged(said.person)
    assert said.person.account == "root"
    assert bench.feed(":anna!a@host.a PRIVMSG #uno :no tag")[0].person.account == "root"
    assert bench.feed("@account=x :stranger!s@h PRIVMSG bot :hi")[0].person.account == "x"


def test_account_notify():
    bench = Bench("account-notify")
    assert [one.person.account for one in bench.feed(":anna!a@host.a ACCOUNT acc")] == ["acc"]
    assert bench.feed(":anna!a@host.a ACCOUNT acc") == []
    assert [one.person.account for one in bench.feed(":anna!a@host.a ACCOUNT *")] == [None]
    assert bench.feed(":stranger!s@h ACCOUNT acc") == []


def test_another_connection_does_not_inherit_the_account():
    bench = Bench("account-notify", "chghost")
    bench.feed(":anna!a@host.a ACCOUNT acc", ":anna!a@host.a CHGHOST a cloak")
    assert bench.feed(":anna!a@cloak PRIVMSG #uno :hi")[0].person.account == "acc"
    assert bench.feed(":anna!evil@elsewhere PRIVMSG #uno :hi")[0].person.account is None


def test_account_follows_nick():
    bench = Bench("account-notify")
    bench.feed(":anna!a@host.a ACCOUNT acc", ":anna!a@host.a NICK annie")
    assert bench.feed(":annie!a@host.a PRIVMSG #uno :hi")[0].person.account == "acc"


def test_whox_tells_accounts_and_hosts(bench):
    assert bench.feed(":srv 354 bot 417 #uno u2 h2 anna H@ acc")[0] == AccountChanged(
        Person("net", "anna", "u2", "h2", "acc")
    )
    assert bench.feed(":srv 354 bot 417 #uno b host.b bert H 0") == []
    assert bench.feed(":srv 354 bot 417 #uno g host.bot bot H own") == []
    assert bench.feed(":srv 354 bot 999 #uno x y bert H other") == []


def test_who_and_whox_tell_whose_nick_it_is_once(bench):
    bench.feed(":srv 353 bot = #uno :carl dora")
    dora = Person("net", "dora", "d", "h", "acc")
    assert bench.feed(":srv 354 bot 417 #uno d h dora H acc") == [
        AccountChanged(dora),
        Identified(dora),
    ]
    carl = [Identified(Person("net", "carl", "c", "h"))]
    assert bench.feed(":srv 352 bot #uno c h srv carl H :0 Carl") == carl
    assert bench.feed(":srv 352 bot #uno c h srv carl H :0 Carl") == []


def test_who_and_speech_tell_the_host():
    bench = Bench()
    bench.feed(":srv 353 bot = #uno :carl dora")
    bench.feed(":srv 352 bot #uno c carl.host srv carl H :0 Carl")
    assert bench.tracker.membership.user("carl").host == "carl.host"
    bench.feed(":dora!d@dora.host PRIVMSG #uno :hi")
    assert bench.tracker.membership.user("dora").host == "dora.host"


def test_chghost(bench):
    anna = Person("net", "anna", "a2", "cloak")
    assert bench.feed(":anna!a@host.a CHGHOST a2 cloak") == [Identified(anna)]
    assert bench.feed(":bot!g@host.bot CHGHOST g cloak") == []
    assert bench.tracker.membership.user("anna").person("net").userhost == "a2@cloak"


def test_modes_move_ops_and_parameters_are_counted(bench):
    membership = bench.tracker.membership
    bench.feed(":srv 005 bot CHANMODES=beI,k,lH,cimnpstS PREFIX=(qaohv)~&@%+ :are supported")
    bench.feed(":anna!a@h MODE #uno -o+bkov-l+o BERT *!*@spam key ANNA Bert anna")
    assert membership.is_op("#uno", "anna")
    assert not membership.is_op("#uno", "bert")
    bench.feed(":anna!a@h MODE #uno +q-o bert anna")
    assert membership.is_op("#uno", "bert")
    bench.feed(":anna!a@h MODE #uno -q+h bert bert")
    assert not membership.is_op("#uno", "bert")


def test_voice_and_higher_count_as_voice(bench):
    membership = bench.tracker.membership
    bench.feed(":srv MODE #uno -ov anna anna")
    assert not membership.has_status("#uno", "anna")
    bench.feed(":srv MODE #uno +v ANNA")
    assert membership.has_status("#uno", "anna")
    bench.feed(":srv MODE #uno -v+o anna anna")
    assert membership.has_status("#uno", "anna")
    assert not membership.has_status("#uno", "nobody")
    assert not membership.has_status("#elsewhere", "anna")


def test_the_topic_is_told_on_joining_and_changed_by_anybody(bench):
    channel = bench.tracker.membership.channel("#uno")
    assert channel.topic == ""
    bench.feed(":srv 332 bot #UNO :Play nicely")
    assert channel.topic == "Play nicely"
    bench.feed(":anna!a@h TOPIC #uno :Play: nicely")
    assert channel.topic == "Play: nicely"
    bench.feed(":anna!a@h TOPIC #uno :", ":srv 332 bot #w :elsewhere", ":anna!a@h TOPIC #w :x")
    assert channel.topic == ""
    bench.feed(":anna!a@h TOPIC #uno :x", ":srv 331 bot #uno :No topic is set", ":srv 331 bot #w :")
    assert channel.topic == ""


def test_color_modes(bench):
    membership = bench.tracker.membership
    bench.feed(":anna!a@h MODE #uno +lc 5")
    assert membership.strips_colors("#UNO")
    bench.feed(":anna!a@h MODE #uno -c")
    assert not membership.strips_colors("#uno")
    bench.feed(":srv 324 bot #uno +nStk key")
    assert membership.strips_colors("#uno")
    bench.feed(":srv 324 bot #uno +nt")
    assert not membership.strips_colors("#uno")
    assert not membership.strips_colors("#nowhere")


def test_a_mode_without_its_parameter_changes_nothing_more(bench):
    bench.feed(":anna!a@h MODE #uno +o-o", ":anna!a@h MODE #uno", ":anna!a@h MODE")
    assert bench.tracker.membership.is_op("#uno", "bert")


def test_a_new_casemapping_keys_anew(bench):
    bench.feed(":bot!g@h JOIN #[w]", ":srv 353 bot = #[w] :bot x[y]!u@h", ":srv 366 bot #[w] :End")
    assert bench.tracker.membership.user("x{y}")
    bench.feed(":srv 005 bot CASEMAPPING=ascii :are supported")
    assert bench.tracker.membership.user("x{y}") is None
    assert bench.feed(":X[Y]!u@h PART #[W]")[0].channel == "#[w]"


def test_nicks_that_become_one_do_no_harm(bench):
    bench.feed(":srv 005 bot CASEMAPPING=ascii :ok", ":x[!u@h JOIN #uno", ":x{!u@h JOIN #uno")
    bench.feed(":srv 005 bot CASEMAPPING=rfc1459 :ok")
    assert len(bench.nicks()) == 3
    bench.feed(":x[!u@h QUIT", ":x{!u@h QUIT", ":bot!g@h PART #uno")
    assert bench.tracker.membership._users == {}


def test_isupport_keeps_what_it_has_when_a_value_makes_no_sense():
    isupport = Isupport("net")
    changed = isupport.update(["PREFIX=(ov)@", "PREFIX=x", "CHANMODES=b", "NICKLEN=many", "=", ""])
    assert not changed
    assert isupport.casemapping == "rfc1459"
    assert isupport.prefixes == {"@": "o", "+": "v"}
    assert isupport.takes_param("b", adding=False)
    assert isupport.takes_param("l", adding=True)
    assert not isupport.takes_param("l", adding=False)
    assert isupport.nicklen == 0


@pytest.mark.parametrize("mapping", ["rfc7613", "precis", "utf-8"])
def test_a_casemapping_that_is_not_known_makes_no_two_people_one(mapping):
    isupport = Isupport("net")
    assert isupport.update([f"CASEMAPPING={mapping}"])
    assert isupport.fold("X[") == "x["
    assert isupport.fold("x[") != isupport.fold("x{")


def test_strict_has_two_spellings():
    for spelling in ("strict-rfc1459", "rfc1459-strict"):
        isupport = Isupport("net")
        isupport.update([f"CASEMAPPING={spelling}"])
        assert isupport.fold("x[^") == "x{^"


def test_a_token_can_be_taken_back():
    isupport = Isupport("net")
    isupport.update(["WHOX", "NICKLEN=30", "STATUSMSG=@", "CALLERID=g"])
    assert (isupport.whox, isupport.callerid) == (True, True)
    isupport.update(["-WHOX", "-NICKLEN", "-STATUSMSG", "-CALLERID", "-CASEMAPPING", "-NOVELTY"])
    assert (isupport.whox, isupport.nicklen, isupport.statusmsg) == (False, 0, "")
    assert not isupport.callerid


def test_isupport_reads_limits():
    isupport = Isupport("net")
    isupport.update(
        ["NICKLEN=30", "LINELEN=2048", "WHOX", "TARGMAX=KICK:1,JOIN:4,X", "CHANTYPES=+"]
    )
    assert (isupport.nicklen, isupport.line_limit_bytes, isupport.whox) == (30, 512, True)
    assert isupport.max_join_targets == 4
    assert isupport.modes_per_line == 3
    assert isupport.is_channel("+x")
    assert not isupport.is_channel("#x")
    isupport.update(["PREFIX=", "CHANTYPES="])
    assert isupport.operator_modes == frozenset()
    assert not isupport.is_channel("+x")


@pytest.mark.parametrize(
    ("token", "most"),
    [("MODES=6", 6), ("MODES", 20), ("MODES=100", 20), ("MODES=0", 3), ("MODES=x", 3)],
)
def test_isupport_reads_how_many_modes_fit_one_line(token, most):
    isupport = Isupport("net")
    isupport.update([token])
    assert isupport.modes_per_line == most


WORDS = st.sampled_from(
    ["bot", "anna", "#uno", "#w", "", "@", ":", "+o-b", "=", "*", "a!b@c", "417", "0", "@#uno", ","]
)
VERBS = st.sampled_from(
    [
        "001",
        "005",
        "324",
        "331",
        "332",
        "352",
        "353",
        "354",
        "366",
        "396",
        "ACCOUNT",
        "CHGHOST",
        "JOIN",
        "KICK",
        "MODE",
        "NICK",
        "PART",
        "PRIVMSG",
        "QUIT",
        "TOPIC",
        "X",
    ]
)


@given(st.lists(st.tuples(WORDS, VERBS, st.lists(WORDS, max_size=7)), max_size=40))
def test_no_sequence_of_lines_breaks_it(lines):
    bench = Bench("extended-join", "account-tag", "account-notify", "message-tags")
    for source, verb, params in lines:
        message = parse_message(" ".join([f":{source}", verb, *params]))
        if message:
            bench.tracker.handle(message)
    membership = bench.tracker.membership
    for channel in membership.channels:
        assert list(membership.people(channel, "nobody")) is not None
