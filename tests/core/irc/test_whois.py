"""Client certificates: whom an answer of the server is about, and what cannot be forged."""

import pytest

from gamebot.clock import VirtualClock
from gamebot.events import ChannelUp, LinkUp, Person, Said
from gamebot.irc import whois
from gamebot.irc.fingerprints import parse_fingerprint, read_fingerprints, shorten
from gamebot.irc.isupport import Isupport
from gamebot.irc.parser import parse_message
from gamebot.irc.tracker import Tracker
from gamebot.irc.whois import Whois

SHA1, SHA256, SHA512 = "a1" * 20, "b2" * 32, "c3" * 64
ANNA = Person("net", "anna", "a", "host.a")
USER = ":srv 311 bot anna a host.a * :Anna"
CERTIFICATE = f":srv 276 bot anna :has client certificate fingerprint {SHA256}"
END = ":srv 318 bot anna :End of /WHOIS list."


class Bench:
    """Tracker and questions of one connection, with anna and Bert in #uno."""

    def __init__(self):
        self.clock = VirtualClock()
        self.asked = []
        self.isupport = Isupport("net")
        self.tracker = Tracker("net", self.isupport, lambda _: False, lambda _: None)
        membership = self.tracker.membership
        self.whois = Whois("net", self.isupport, membership, self.clock, self.asked.append)
        self.feed(
            ":srv 001 bot :Welcome",
            ":bot!g@host.bot JOIN #uno",
            ":srv 353 bot = #uno :@bot anna!a@host.a Bert!b@host.b",
            ":srv 366 bot #uno :End",
        )

    def feed(self, *lines):
        for line in lines:
            message = parse_message(line)
            self.tracker.handle(message)
            self.whois.handle(message)

    def ask(self, person=ANNA):
        """Ask about *person*; return the list that the answer comes into."""
        told = []
        self.whois.question(person, told.append)
        return told

    def known(self, nick="anna"):
        return self.tracker.membership.user(nick).certificates


@pytest.fixture
def bench():
    return Bench()


def test_the_answer_is_kept_for_the_connection_and_follows_the_nick(bench):
    told = bench.ask()
    bench.feed(USER, CERTIFICATE)
    assert (bench.asked, told) == (["anna"], [])
    bench.feed(END)
    assert told == [(SHA256,)]
    bench.feed(":anna!a@host.a NICK annie")
    assert bench.known("annie") == (SHA256,)
    assert bench.tracker.membership.user("annie").person("net").certificates == (SHA256,)
    assert bench.ask(Person("net", "annie", "a", "host.a")) == [(SHA256,)]
    assert bench.asked == ["anna"]


def test_that_there_is_none_is_kept_too(bench):
    told = bench.ask()
    bench.feed(USER, END)
    assert (told, bench.known()) == ([()], ())
    assert bench.ask() == [()]
    assert bench.asked == ["anna"]


@pytest.mark.parametrize(
    "end",
    [
        ":anna!a@host.a QUIT :bye",
        ":anna!a@host.a PART #uno",
        ":Bert!b@host.b KICK #uno anna :out",
    ],
)
def test_it_ends_with_the_last_shared_channel(bench, end):
    bench.ask()
    bench.feed(USER, CERTIFICATE, END, end, ":anna!a@host.a JOIN #uno")
    assert bench.known() is None


def test_it_ends_where_another_host_shows_that_a_quit_was_lost(bench):
    bench.ask()
    bench.feed(USER, CERTIFICATE, END, ":anna!m@host.m PRIVMSG #uno :hi")
    assert bench.known() is None


def test_several_fingerprints_of_one_person(bench):
    told = bench.ask()
    bench.feed(
        USER,
        f":srv 276 bot anna :has client certificate fingerprint {SHA1.upper()}",
        CERTIFICATE,
        CERTIFICATE,
        END,
    )
    assert told == [(SHA1, SHA256)]


def test_a_server_without_end_of_fingerprints_is_bounded(bench):
    told = bench.ask()
    bench.feed(USER)
    for number in range(50):
        bench.feed(f":srv 276 bot anna :has client certificate fingerprint {number:040x}")
    bench.feed(END)
    assert len(told[0]) == whois.MOST_FINGERPRINTS


@pytest.mark.parametrize("source", ["anna!a@host.a", "mallory!m@host.m", "Bert", "anna"])
def test_no_user_can_send_an_answer(bench, source):
    told = bench.ask()
    bench.feed(
        USER, f":{source} 276 bot anna :fingerprint {SHA256}", f":{source} 318 bot anna :End"
    )
    assert told == []
    bench.feed(END)
    assert told == [()]


def test_what_nobody_asked_for_is_not_read(bench):
    bench.feed(USER, CERTIFICATE, END)
    assert bench.known() is None
    told = bench.ask()
    bench.feed(":srv 311 bot bert b host.b * :B", f":srv 276 bot bert :fingerprint {SHA256}")
    bench.feed(":srv 318 bot bert :End", USER, END)
    assert (told, bench.known("bert")) == ([()], None)


def test_lines_that_nobody_asked_for_do_not_disturb_an_answer(bench):
    told = bench.ask()
    bench.feed(USER, CERTIFICATE, ":srv 311 bot bert b host.b * :B", END)
    assert told == [(SHA256,)]


def test_an_answer_about_another_one_does_not_count(bench):
    """The certificate of Bert, told between the lines about anna, is not hers."""
    told, other = bench.ask(), bench.ask(Person("net", "Bert", "b", "host.b"))
    bench.feed(USER, END, ":srv 311 bot Bert b host.b * :B")
    bench.feed(f":srv 276 bot Bert :fingerprint {SHA256}", ":srv 318 bot Bert :End")
    assert (told, other) == ([()], [(SHA256,)])


# -- somebody moves while the question is under way -------------------------------------------


def test_who_changes_nick_is_told_nothing_and_may_ask_again(bench):
    """The owner has taken the nick that mallory gave up: the answer is about the owner."""
    told = bench.ask()
    bench.feed(":anna!a@host.a NICK mallory")
    assert told == [None]
    bench.feed(":owner!o@host.o JOIN #uno", ":owner!o@host.o NICK anna")
    bench.feed(":srv 311 bot anna o host.o * :O", CERTIFICATE, END)
    assert told == [None]
    assert (bench.known("mallory"), bench.known("anna")) == (None, (SHA256,))
    bench.ask(Person("net", "mallory", "a", "host.a"))
    assert bench.asked == ["anna", "mallory"]


def test_who_takes_the_nick_of_one_who_quit_inherits_nothing(bench):
    told = bench.ask()
    bench.feed(USER, CERTIFICATE, ":anna!a@host.a QUIT :bye", ":anna!m@host.m JOIN #uno", END)
    assert (told, bench.known()) == ([None], None)


def test_the_answer_about_the_next_one_of_a_nick_is_not_for_the_one_before(bench):
    told = bench.ask()
    bench.feed(":anna!a@host.a QUIT :bye", ":anna!o@host.o JOIN #uno")
    bench.feed(":srv 311 bot anna o host.o * :O", CERTIFICATE, END)
    assert (told, bench.known()) == ([None], (SHA256,))


def test_a_nick_change_in_the_middle_of_an_answer_makes_it_worthless(bench):
    told = bench.ask()
    bench.feed(USER, CERTIFICATE, ":anna!a@host.a NICK x", ":Bert!b@host.b NICK anna", END)
    assert (told, bench.known("x"), bench.known("anna")) == ([None], None, None)


def test_a_line_of_another_one_who_had_the_nick_before(bench):
    assert bench.ask(Person("net", "anna", "m", "host.m")) == [None]
    assert bench.asked == []


def test_nobody_of_that_nick(bench):
    told = bench.ask()
    bench.feed(":srv 401 bot anna :No such nick", END)
    assert (told, bench.known()) == ([None], None)


async def test_an_answer_that_does_not_come_and_one_that_comes_late(bench):
    told = bench.ask()
    await bench.clock.advance(whois.TIMEOUT_S)
    assert told == [None]
    bench.feed(USER, CERTIFICATE, END)
    assert (told, bench.known()) == ([None], None)


async def test_what_came_of_an_answer_that_broke_off_is_not_used_later(bench):
    stranger = Person("net", "olga", "o", "host.o")
    user = ":srv 311 bot olga o host.o * :O"
    told = bench.ask(stranger)
    bench.feed(user, f":srv 276 bot olga :fingerprint {SHA256}")
    await bench.clock.advance(whois.TIMEOUT_S)
    again = bench.ask(stranger)
    bench.feed(user, ":srv 318 bot olga :End")
    assert (told, again) == ([None], [()])


async def test_nobody_is_told_after_the_end_of_the_link(bench):
    told = bench.ask()
    bench.whois.close()
    await bench.clock.advance(whois.TIMEOUT_S)
    assert told == []


# -- people outside ---------------------------------------------------------------------------


def test_of_a_stranger_nothing_is_kept_and_the_host_must_be_the_same(bench):
    stranger = Person("net", "olga", "o", "host.o")
    answer = (f":srv 276 bot olga :fingerprint {SHA256}", ":srv 318 bot olga :End")
    told = bench.ask(stranger)
    bench.feed(":srv 311 bot olga o host.o * :O", *answer)
    assert told == [(SHA256,)]
    told = bench.ask(stranger)
    bench.feed(":srv 311 bot olga o elsewhere * :O", *answer)
    assert told == [None]
    told = bench.ask(stranger)
    bench.feed(*answer)  # no word of the host
    assert told == [None]
    assert bench.asked == ["olga"] * 3


# -- floods -----------------------------------------------------------------------------------


async def test_a_flood_of_strangers_makes_few_questions_and_none_of_members_fewer(bench):
    told = [bench.ask(Person("net", f"s{number}", "s", "host.s")) for number in range(500)]
    assert len(bench.asked) == 3
    assert [one for one in told if one] == [[None]] * 497
    bench.ask()
    assert bench.asked[-1] == "anna"
    await bench.clock.advance(60.0)
    for number in range(500):
        bench.ask(Person("net", f"t{number}", "s", "host.s"))
    assert len(bench.asked) == 7


def test_one_question_about_one_nick(bench):
    told = [bench.ask(), bench.ask()]
    bench.feed(USER, CERTIFICATE, END)
    assert bench.asked == ["anna"]
    assert told == [[(SHA256,)]] * 2


def test_open_questions_are_bounded(bench, monkeypatch):
    monkeypatch.setattr(whois, "MOST_OPEN", 1)
    bench.ask()
    assert bench.ask(Person("net", "Bert", "b", "host.b")) == [None]


# -- fingerprints -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"has client certificate fingerprint {SHA256}", (SHA256,)),
        (f"has TLS (SSL) client certificate fingerprint {SHA1.upper()}", (SHA1,)),
        (f"fingerprint {':'.join(['C3'] * 64)}", (SHA512,)),
        (f"SPKI:SHA2-256:{SHA256}", (SHA256,)),
        (f"{SHA1} {SHA256}", (SHA1, SHA256)),
        (f"fingerprint {'d4' * 16}", ("d4" * 16,)),  # MD5 is read, and gives no rights
        (f"fingerprint {SHA256}f", ()),
        ("has no client certificate", ()),
        ("deadbeef", ()),
        ("ab" * 200, ()),
        ("", ()),
    ],
)
def test_fingerprints_in_what_servers_say(text, found):
    assert read_fingerprints(text) == found


def test_a_fingerprint_as_people_write_it():
    written = ":".join(["B2"] * 32)
    assert (
        parse_fingerprint(written) == parse_fingerprint(f"sha256 Fingerprint={written}") == SHA256
    )
    assert shorten(SHA256) == "b2b2b2b2b2b2b2b2…"
    with pytest.raises(ValueError, match="stronger than MD5"):
        parse_fingerprint("d4" * 16)
    for text in ("", "anna", "b2" * 31, "xy" * 32, "b2" * 32 + "0"):
        with pytest.raises(ValueError, match="40, 64 or 128"):
            parse_fingerprint(text)


# -- over a connection ------------------------------------------------------------------------


async def test_whois_over_a_connection(server, start):
    bot = start()
    told = []
    bot.network.ask_certificates(ANNA, told.append)
    assert told == [None]  # there is no link
    session = await server.session()
    await session.register()
    await bot.event(LinkUp)
    await session.answer_joins(names="anna!a@host.a")
    await bot.event(ChannelUp)
    bot.network.ask_certificates(ANNA, told.append)
    assert await session.expect("WHOIS") == "WHOIS anna"
    session.send(USER, CERTIFICATE, END, ":anna!a@host.a PRIVMSG #uno :hi")
    said = await bot.event(Said)
    assert said.person.certificates == (SHA256,)
    assert told == [None, (SHA256,)]
