"""Back-off, rejoining, the nick, the watchdog, CTCP VERSION: everything that waits."""

from itertools import pairwise
from random import Random

import pytest
from structlog.testing import capture_logs

from gamebot.clock import VirtualClock
from gamebot.irc.backoff import Backoff, Refusal, read_refusal
from gamebot.irc.ctcp import CtcpReplies
from gamebot.irc.isupport import Isupport
from gamebot.irc.joins import Joiner, batch_joins
from gamebot.irc.nicks import NickKeeper, nick_candidates
from gamebot.irc.parser import parse_message
from gamebot.irc.watchdog import Watchdog


@pytest.fixture
async def clock():
    return VirtualClock()


@pytest.mark.parametrize("seed", range(20))
async def test_at_most_ten_tries_in_ten_minutes(clock, seed):
    backoff = Backoff(clock, Random(seed))
    tries = []
    while clock.monotonic() < 7200:
        await clock.advance(backoff.next_delay())
        tries.append(clock.monotonic())
        if len(tries) % 7 == 0:
            backoff.reset()
    assert tries[0] == 0
    assert all(late - early >= 600 for early, late in zip(tries, tries[10:], strict=False))
    assert max(late - early for early, late in pairwise(tries)) <= 600


async def test_the_wait_is_jittered_and_grows(clock):
    delays = []
    for seed in range(200):
        backoff = Backoff(clock, Random(seed))
        delays.append([backoff.next_delay() for _ in range(7)])
    second, last = [one[1] for one in delays], [one[6] for one in delays]
    assert min(second) < 0.5 < 3.5 < max(second) <= 4
    assert min(last) < 10
    assert 100 < max(last) <= 120


async def test_a_refusal_waits_longer_each_time(clock):
    backoff = Backoff(clock, Random(1))
    backoff.next_delay()
    backoff.refused(Refusal.THROTTLED)
    assert 60 <= backoff.next_delay() <= 94
    backoff.refused(Refusal.THROTTLED)
    assert 120 <= backoff.next_delay() <= 188
    assert backoff.next_delay() <= 16
    backoff.reset()
    backoff.refused(Refusal.BANNED)
    assert 300 <= backoff.next_delay() <= 454
    for _ in range(30):
        backoff.refused(Refusal.BANNED)
    assert backoff.next_delay() <= 3600 * 1.5 + 120


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("Closing Link: bot[1.2.3.4] (Throttled: Reconnecting too fast)", Refusal.THROTTLED),
        ("Trying to reconnect too fast.", Refusal.THROTTLED),
        ("Too many connections from your host", Refusal.THROTTLED),
        ("Closing link: (u@h) [K-Lined: spam]", Refusal.BANNED),
        ("Z:Lined", Refusal.BANNED),
        ("You are banned from this server", Refusal.BANNED),
        ("Closing link: (u@h) [Ping timeout: 120 seconds]", Refusal.NONE),
        ("Server shutting down", Refusal.NONE),
    ],
)
def test_the_server_says_why(text, refusal):
    assert read_refusal(text) is refusal


def test_channels_are_joined_in_batches_with_keys_first():
    channels = [(f"#channel{number}", "") for number in range(60)] + [("#secret", "key")]
    batches = batch_joins(channels)
    assert len(batches) == 4
    assert batches[0][0].startswith("#secret,")
    assert batches[0][1] == "key"
    assert sum(batch[0].count(",") + 1 for batch in batches) == 61
    assert all(len(",".join(batch)) <= 450 for batch in batch_joins([("#" + "é" * 80, "")] * 9))
    assert len(batch_joins(channels, most=1)) == 61
    assert batch_joins([]) == []


class JoinBench:
    def __init__(self, clock):
        self.clock = clock
        self.joins = []
        self.given_up = []
        self.joiner = Joiner(
            "net",
            clock,
            [("#uno", ""), ("#W", "key")],
            3,
            self.joins.append,
            lambda *what: self.given_up.append(what),
        )
        self.joiner.link_up(Isupport("net"))

    async def after(self, seconds):
        self.joins.clear()
        await self.clock.advance(seconds)
        return list(self.joins)


async def test_a_kick_is_answered_later_each_time_and_at_last_not(clock):
    bench = JoinBench(clock)
    assert bench.joins == [("#W,#uno", "key")]
    with capture_logs() as logs:
        for delay in (5, 15, 45):
            bench.joiner.joined("#w")
            bench.joiner.kicked("#w")
            assert await bench.after(delay - 1) == []
            assert await bench.after(1) == [("#W", "key")]
        bench.joiner.joined("#w")
        bench.joiner.kicked("#w")
    assert await bench.after(10_000) == []
    assert logs[-1]["event"] == "channel_given_up"
    assert bench.given_up == [("#W", "kicked")]


async def test_a_long_stay_forgives(clock):
    bench = JoinBench(clock)
    for _ in range(6):
        bench.joiner.joined("#uno")
        await bench.after(600)
        bench.joiner.kicked("#uno")
        assert await bench.after(5) == [("#uno",)]


async def test_a_refused_join_makes_no_loop(clock):
    bench = JoinBench(clock)
    for _ in range(3):
        bench.joiner.refused("#UNO", "474")
        assert len(await bench.after(3000)) == 1
    bench.joiner.refused("#uno", "474")
    assert await bench.after(10_000) == []


async def test_what_is_hopeless_is_given_up_at_once(clock):
    bench = JoinBench(clock)
    bench.joiner.refused("#uno", "405")
    bench.joiner.refused("#elsewhere", "474")
    assert await bench.after(10_000) == []
    assert bench.given_up == [("#uno", "405")]


async def test_invitations_count_for_our_channels_only(clock):
    bench = JoinBench(clock)
    bench.joins.clear()
    bench.joiner.refused("#uno", "473")
    bench.joiner.invited("#uno")
    bench.joiner.invited("#stranger")
    assert bench.joins == [("#uno",)]
    assert await bench.after(10_000) == []


async def test_wanted_and_unwanted_channels(clock):
    bench = JoinBench(clock)
    bench.joiner.want("#new", "k")
    bench.joiner.want("#New")
    bench.joiner.unwant("#W")
    bench.joins.clear()
    bench.joiner.kicked("#uno")
    bench.joiner.link_down()
    assert await bench.after(100) == []
    bench.joiner.link_up(Isupport("net"))
    assert bench.joins == [("#new,#uno", "k")]


def test_nicks_to_try_stay_within_the_limit():
    tried = list(nick_candidates("gamebot", ("gb",)))
    assert tried[:5] == ["gamebot", "gb", "gamebot_", "gamebot1", "gamebot2"]
    tried = list(nick_candidates("averylongbot", (), nicklen=10))
    assert tried[:3] == ["averylongb", "averylong_", "averylong1"]
    tried = list(nick_candidates("averylongbot", ()))
    assert tried[1] == "averylongbo_"
    assert all(len(nick) <= 9 for nick in tried[-10:])
    assert len(tried) < 40


async def test_the_nick_is_asked_for_with_growing_patience(clock):
    asked, taken = [], []
    keeper = NickKeeper(
        clock,
        "uno",
        ask=lambda: asked.append(clock.monotonic()),
        take=lambda: taken.append(clock.monotonic()),
    )
    isupport = Isupport("net")
    keeper.check("uno_", isupport)
    await clock.advance(1500)
    assert asked == [30, 90, 210, 450, 930]
    keeper.answered("UNO ", isupport)
    assert taken == []
    keeper.answered("", isupport)
    keeper.freed()
    assert len(taken) == 2
    keeper.check("UNO", isupport)
    keeper.freed()
    await clock.advance(5000)
    assert len(taken) == 2
    assert len(asked) == 5


async def test_a_nick_that_the_server_cut_is_the_wanted_one(clock):
    isupport = Isupport("net")
    isupport.update(["NICKLEN=5"])
    keeper = NickKeeper(clock, "gamebot", ask=pytest.fail, take=pytest.fail)
    keeper.check("gameb", isupport)
    await clock.advance(1000)


@pytest.mark.parametrize("silent_from", [0.0, 1.0, 39.0, 41.0, 100.0, 119.5])
async def test_a_silent_link_is_seen_within_90_seconds(clock, silent_from):
    heard = [0.0]
    dead = []

    def ask(_token):
        if clock.monotonic() < silent_from:
            heard[0] = clock.monotonic()

    watchdog = Watchdog(
        clock,
        40.0,
        30.0,
        heard_at=lambda: heard[0],
        ask=ask,
        dead=lambda: dead.append(clock.monotonic()),
    )
    watchdog.start()
    await clock.advance(400)
    assert len(dead) == 1
    assert dead[0] - silent_from <= 90


async def test_a_stopped_watchdog_is_still(clock):
    watchdog = Watchdog(
        clock, 40.0, 30.0, heard_at=lambda: 0.0, ask=lambda _: None, dead=pytest.fail
    )
    watchdog.start()
    await clock.advance(50)
    watchdog.stop()
    await clock.advance(500)


async def test_version_is_answered_three_times_a_minute(clock):
    reply = CtcpReplies(clock, "gamebot 1")
    question = parse_message(":anna!a@h PRIVMSG bot :\x01VERSION\x01")
    answers = [reply.answer(question) for _ in range(5)]
    assert answers[:3] == ["NOTICE anna :\x01VERSION gamebot 1\x01"] * 3
    assert answers[3:] == ["", ""]
    await clock.advance(60)
    assert reply.answer(question)
    for text in ("VERSION", "\x01DCC SEND x\x01", "\x01\x01", "\x01PING\x01"):
        assert not reply.answer(parse_message(f":anna!a@h PRIVMSG bot :{text}"))
    assert not CtcpReplies(clock, "").answer(question)


async def test_the_usual_questions_of_ctcp_are_answered(clock):
    reply = CtcpReplies(clock, "gamebot 1")

    def answer(text: str) -> str:
        line = reply.answer(parse_message(f":anna!a@h PRIVMSG bot :\x01{text}\x01"))
        return line.removeprefix("NOTICE anna :\x01").removesuffix("\x01")

    assert answer("PING 123 456") == "PING 123 456"
    assert answer("clientinfo") == "CLIENTINFO CLIENTINFO PING SOURCE TIME VERSION"
    assert answer("TIME").startswith("TIME ")
    await clock.advance(60)
    assert answer("SOURCE") == "SOURCE gamebot 1"
    assert len(answer("PING " + "x" * 400)) < 80
