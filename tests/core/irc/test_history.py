"""What a server or bouncer plays back is no command and nothing that happens now."""

import pytest

from gamebot.irc.history import History
from gamebot.irc.parser import parse_message


def past(history: History, *lines: str) -> list[bool]:
    return [history.is_past(parse_message(line)) for line in lines]


@pytest.mark.parametrize("kind", ["chathistory", "znc.in/playback"])
def test_a_playback_is_past_and_so_is_a_batch_within_it(kind):
    history = History()
    lines = (
        f":srv BATCH +a {kind} #uno",
        "@batch=a :srv BATCH +b draft/multiline #uno",
        "@batch=b :ann!u@h PRIVMSG #uno :!unoon",
        ":srv BATCH -b",
        "@batch=a :ann!u@h JOIN #uno",
        ":ann!u@h PRIVMSG #uno :now",
        ":srv BATCH -a",
        "@batch=a :ann!u@h PRIVMSG #uno :after",
    )
    assert past(history, *lines) == [False, False, True, False, True, False, False, False]
    assert history.played_back == 2


def test_another_batch_is_not_past():
    history = History()
    assert past(history, ":srv BATCH +a netsplit x y", "@batch=a :ann!u@h QUIT :x y") == [False] * 2


def test_what_is_older_than_the_connection_is_past():
    history = History()
    old, new = "@time=2026-01-01T10:00:00.000Z", "@time=2026-01-01T10:00:02.000Z"
    line = ":ann!u@h PRIVMSG #uno :!unoon"
    assert past(history, f"{old} {line}") == [False]  # nothing to compare with
    history.begins(parse_message("@time=2026-01-01T10:00:01.000Z :srv 001 bot :hi"))
    assert past(history, f"{old} {line}", f"{new} {line}", line) == [True, False, False]


def test_batches_are_bounded():
    history = History()
    for number in range(10_000):
        history.is_past(parse_message(f":srv BATCH +{number} chathistory #uno"))
    assert len(history._batches) <= 64
