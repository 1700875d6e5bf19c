"""The pace, the fairness and the bounds of what goes out."""

import pytest
from structlog.testing import capture_logs

from gamebot.clock import VirtualClock
from gamebot.irc.outbox import Command, Outbox
from gamebot.ports import OutLine, Urgency


class Bench:
    """An open outbox whose lines leave as their text, in pieces at "|"."""

    def __init__(self, **options):
        self.clock = VirtualClock()
        self.out = []
        self.done = []
        self.absent = set()
        self.outbox = Outbox("net", self.clock, **options)
        self.open()

    def open(self):
        self.outbox.open(
            self.out.append,
            lambda line: [piece for piece in line.text.split("|") if piece],
            lambda line: line.target not in self.absent,
        )

    def put(self, text, channel="#a", urgency=Urgency.REPLY, *, keep=False, person="", target=""):
        line = OutLine("net", target or channel, text, urgency=urgency, keep=keep)
        sent = lambda: self.done.append(text)  # noqa: E731  shorter than a function
        self.outbox.put(line, sent, channel=channel, person=person)

    async def after(self, seconds):
        self.out.clear()
        await self.clock.advance(seconds)
        return list(self.out)


@pytest.fixture
async def bench():
    return Bench()


async def test_a_burst_then_one_line_a_second(bench):
    for number in range(8):
        bench.put(str(number))
    assert bench.out == bench.done == list("01234")
    assert await bench.after(0.9) == []
    assert await bench.after(0.1) == ["5"]
    assert await bench.after(2) == ["6", "7"]
    assert bench.outbox.depth == 0
    await bench.after(60)
    for number in range(8):
        bench.put(str(number))
    assert len(bench.out) == 5


async def test_rate_and_burst_can_be_set():
    bench = Bench(burst=2, rate=4.0)
    for number in range(6):
        bench.put(str(number))
    assert bench.out == ["0", "1"]
    assert await bench.after(1) == ["2", "3", "4", "5"]


async def test_round_robin_between_channels(bench):
    for number in range(9):
        bench.put(f"a{number}", "#a")
    bench.put("b0", "#b")
    bench.put("b1", "#b")
    bench.out.clear()
    assert await bench.after(4) == ["a5", "b0", "a6", "b1"]


async def test_urgent_lines_pass_listings_of_their_channel(bench):
    for number in range(7):
        bench.put(f"list{number}", urgency=Urgency.LISTING)
    bench.put("reply")
    bench.put("turn", urgency=Urgency.TURN)
    assert await bench.after(4) == ["turn", "reply", "list5", "list6"]


async def test_pieces_of_a_line_stay_together_within_their_channel(bench):
    for _ in range(4):
        bench.put("x")
    bench.put("1|2|3", urgency=Urgency.LISTING)
    bench.put("turn", urgency=Urgency.TURN)
    bench.put("other", "#b")
    assert bench.done == ["x"] * 4
    assert await bench.after(4) == ["2", "other", "3", "turn"]
    assert bench.done[4:] == ["other", "1|2|3", "turn"]


async def test_many_private_askers_delay_a_channel_by_one_line(bench):
    for number in range(50):
        bench.put(f"q{number}", "", person=f"nick{number}", target=f"nick{number}")
    bench.put("q0 again", "", person="nick0", target="nick0")
    bench.put("channel")
    assert "channel" in await bench.after(2)
    rest = await bench.after(60)
    assert rest.index("q0 again") == len(rest) - 1


async def test_commands_wait_for_chat_but_not_for_ever(bench):
    for number in range(30):
        bench.put(str(number))
    bench.outbox.put_command(Command("MODE #a"))
    out = await bench.after(20)
    assert out.index("MODE #a") == 5
    bench.outbox.put_command(Command("WHO #a", cost=2.0, reserve=2.0))
    assert await bench.after(6) == [str(number) for number in range(24, 30)]
    assert await bench.after(3.9) == []
    assert await bench.after(0.2) == ["WHO #a"]


async def test_a_command_dearer_than_the_bucket_still_goes():
    bench = Bench(burst=1)
    bench.outbox.put_command(Command("JOIN #a", cost=2.0, reserve=3.0))
    bench.outbox.put_command(Command("JOIN #b", cost=2.0))
    assert bench.out == ["JOIN #a"]
    assert await bench.after(1.1) == ["JOIN #b"]


async def test_a_dear_command_after_ten_lines_does_not_spin(bench):
    for number in range(40):
        bench.put(str(number))
    bench.outbox.put_command(Command("WHO", cost=3.0))
    assert "WHO" in await bench.after(12)


async def test_backlog_drops_the_oldest_listings_and_never_a_turn():
    bench = Bench(max_lines=5)
    for number in range(5):
        bench.put(f"first{number}")
    with capture_logs() as logs:
        for number in range(6):
            bench.put(f"list{number}", urgency=Urgency.LISTING)
        for number in range(6):
            bench.put(f"turn{number}", urgency=Urgency.TURN)
    assert [one for one in bench.done if one.startswith("list")] == [f"list{n}" for n in range(6)]
    assert await bench.after(20) == [f"turn{number}" for number in range(6)]
    assert bench.outbox.dropped == 6
    assert [one["event"] for one in logs] == ["backlog_full"]


async def test_backlog_is_bounded_in_bytes():
    bench = Bench(max_bytes=1000)
    for number in range(20):
        bench.put("x" * 100 + str(number), urgency=Urgency.LISTING)
    assert bench.outbox.depth_bytes <= 1000
    assert bench.outbox.dropped == 6


async def test_four_times_the_bound_ends_even_turns_and_says_so():
    bench = Bench(max_lines=2)
    with capture_logs() as logs:
        for number in range(20):
            bench.put(f"t{number}", urgency=Urgency.TURN, keep=True)
    assert bench.outbox.depth == 8
    assert {one["event"] for one in logs if one["log_level"] == "error"} == {"turn_line_dropped"}


async def test_a_lost_link_keeps_only_kept_lines_and_sends_them_whole(bench):
    for _ in range(4):
        bench.put("x")
    bench.put("1|2", keep=True)
    bench.put("turn", "#b", Urgency.TURN)
    bench.put("result", "#c", keep=True)
    bench.outbox.put_command(Command("MODE #a"))
    assert bench.out[4:] == ["1"]
    bench.outbox.close()
    assert bench.done == ["x"] * 4 + ["turn"]
    bench.outbox.put_command(Command("WHO #a"))
    assert await bench.after(60) == []
    bench.open()
    assert sorted(bench.out) == ["1", "2", "result"]


async def test_no_private_line_waits_for_the_next_link(bench):
    """Who has the nick by then may be another."""
    for _ in range(5):
        bench.put("x")
    bench.put("secret", keep=True, target="anna")
    bench.put("result", keep=True, target="@#a")
    bench.outbox.close()
    assert bench.done[5:] == ["secret"]
    bench.open()
    assert await bench.after(60) == ["result"]


async def test_lines_wait_for_their_channel_without_delaying_others(bench):
    bench.absent.add("#a")
    bench.put("held", keep=True)
    bench.put("b", "#b")
    assert bench.out == ["b"]
    bench.absent.clear()
    bench.outbox.wake()
    assert bench.out == ["b", "held"]


async def test_an_empty_line_is_done_at_once_and_costs_nothing(bench):
    for number in range(20):
        bench.put("|" * number)
    assert len(bench.done) == 20
    assert bench.out == []


async def test_sent_may_send_again(bench):
    line = OutLine("net", "#a", "one")
    bench.outbox.put(line, lambda: bench.put("two"), channel="#a", person="")
    assert bench.out == ["one", "two"]


async def test_commands_are_bounded(bench):
    with capture_logs():
        for number in range(1000):
            bench.outbox.put_command(Command(str(number)))
    assert bench.outbox.depth == 500


async def test_a_waiting_line_goes_to_another_target_from_its_beginning(bench):
    for number in range(4):
        bench.put(str(number))
    bench.put("one|two", "", person="anna", target="anna")
    assert bench.out[-1] == "one"
    bench.outbox.readdress(lambda line: line.target == "anna", "anja")
    bench.absent.add("anna")
    assert await bench.after(2) == ["one", "two"]
    assert bench.done[-1] == "one|two"
