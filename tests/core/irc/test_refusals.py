"""Lines that the server refuses find their way back to whom they concern."""

import pytest

from gamebot.irc.parser import parse_message
from gamebot.irc.refusals import FOR_GOOD, Refusals
from gamebot.ports import OutLine
from gamebot.testing import VirtualClock


class Desk:
    def __init__(self) -> None:
        self.clock = VirtualClock(start=1_000_000.0)
        self.again: list[str] = []
        self.lost: list[tuple[str, str, str]] = []
        self.refusals = Refusals(
            self.clock,
            str.lower,
            again=lambda line: self.again.append(line.text),
            undelivered=lambda *what: self.lost.append(what),
        )

    def sent(self, target: str, text: str, channel: str = "#uno") -> None:
        self.refusals.sent(OutLine("n", target, text, "NOTICE", channel=channel))

    def told(self, line: str) -> None:
        self.refusals.handle(parse_message(line))


@pytest.mark.parametrize("numeric", sorted(FOR_GOOD))
def test_a_refusal_for_good_names_the_table_that_spoke(numeric):
    desk = Desk()
    desk.sent("Bob", "your hand")
    desk.told(f":srv {numeric} bot bob :no")
    assert desk.lost == [("bob", "#uno", numeric)]
    assert desk.refusals.refused == 1


async def test_too_fast_is_sent_again_after_the_wait_in_order():
    desk = Desk()
    for text in ("one", "two"):
        desk.sent("bob", text)
    for _ in range(2):
        desk.told(":srv 439 bot bob :Target change too fast. Please wait 7 seconds.")
    assert (desk.again, desk.lost) == ([], [])
    await desk.clock.advance(7.9)
    assert desk.again == []
    await desk.clock.advance(0.2)
    assert desk.again == ["one", "two"]


def test_a_numeric_without_a_line_is_an_answer_to_another_question():
    desk = Desk()
    desk.told(":srv 401 bot zoe :No such nick")
    assert desk.lost == []
    desk.told(":srv 716 bot zoe :is in +g mode")  # WHOIS says so too
    assert desk.lost == [("zoe", "", "716")]


async def test_an_old_line_is_not_the_refused_one():
    desk = Desk()
    desk.sent("bob", "long ago")
    await desk.clock.advance(61.0)
    desk.told(":srv 401 bot bob :No such nick")
    assert desk.lost == []
