from __future__ import annotations

import pytest

from gamebot.config.limits import Limits
from gamebot.people.throttle import Throttle, Verdict
from gamebot.plugin.loading import load_plugins

ALLOW, TELL, IGNORE = Verdict.ALLOW, Verdict.TELL, Verdict.IGNORE


def ask(throttle: Throttle, times: int, now: float = 0.0, nick: str = "anna") -> list[Verdict]:
    return [throttle.ask("n", nick, now) for _ in range(times)]


def test_a_burst_is_allowed_then_told_once_then_ignored():
    throttle = Throttle(Limits(burst=3, rate=1.0, ignore_s=60.0))
    assert ask(throttle, 6) == [ALLOW, ALLOW, ALLOW, TELL, IGNORE, IGNORE]
    assert ask(throttle, 1, 59.9) == [IGNORE]
    assert ask(throttle, 4, 60.0) == [ALLOW, ALLOW, ALLOW, TELL]


def test_a_steady_pace_under_the_rate_is_never_told():
    throttle = Throttle(Limits(burst=2, rate=1.0))
    assert {throttle.ask("n", "anna", float(now)) for now in range(1000)} == {ALLOW}


def test_one_abuser_is_no_other_s_trouble():
    throttle = Throttle(Limits(burst=1, rate=0.1))
    ask(throttle, 50)
    assert ask(throttle, 1, nick="bert") == [ALLOW]
    assert throttle.ask("m", "anna", 0.0) is ALLOW


def test_of_many_offenders_few_are_told():
    throttle = Throttle(Limits(burst=1, rate=0.1, tell_every_s=10.0))
    verdicts = [v for n in range(100) for v in ask(throttle, 3, nick=f"clone{n}")]
    assert verdicts.count(TELL) == 1
    assert [throttle.ask("n", "late", 11.0) for _ in range(2)] == [ALLOW, TELL]


def test_a_nick_change_does_not_empty_the_record():
    throttle = Throttle(Limits(burst=1, rate=0.1))
    ask(throttle, 3)
    throttle.renamed("n", "anna", "anja")
    throttle.renamed("n", "nobody", "else")
    assert ask(throttle, 1, nick="anja") == [IGNORE]
    assert ask(throttle, 1, nick="anna") == [ALLOW]


def test_memory_is_bounded():
    throttle = Throttle(Limits(burst=1, people=10))
    for n in range(1000):
        throttle.ask("n", f"clone{n}", 0.0)
    assert len(throttle._buckets) == 10


def test_a_burst_of_none_switches_it_off():
    assert set(ask(Throttle(Limits(burst=0)), 1000)) == {ALLOW}


@pytest.mark.parametrize("query", [False, True])
async def test_an_abuser_is_told_once_and_talk_costs_nothing(opened, said, query: bool):
    session = await opened(load_plugins().registries["kniffel"])
    session.bot._lines._throttle = Throttle(Limits(burst=2, rate=0.001))
    session.link().join("anna", "#k")
    for _ in range(50):
        assert await said(session, "anna", "just talk") == []
    for _ in range(2):
        assert await said(session, "anna", ".players", query=query)
    assert await said(session, "anna", ".players", query=query) == [
        "anna: Too many commands; I ignore you for a minute."
    ]
    assert await said(session, "anna", ".players", query=query) == []
    assert await said(session, "bert", ".players")
