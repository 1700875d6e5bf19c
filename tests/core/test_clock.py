from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamebot.clock import VIRTUAL_START, RealClock, VirtualClock
from gamebot.testing import VirtualClock as ReExported


def test_the_test_kit_exports_the_virtual_clock():
    assert ReExported is VirtualClock


async def test_time_stands_still_until_it_is_advanced():
    clock = VirtualClock()
    assert (clock.now(), clock.monotonic()) == (VIRTUAL_START, 0.0)
    await clock.advance(300)
    assert (clock.now(), clock.monotonic()) == (VIRTUAL_START + 300, 300.0)


async def test_timers_fire_by_time_then_by_arming_each_at_its_own_time():
    clock = VirtualClock(start=1000.0)
    fired: list[tuple[str, float]] = []
    for name, when in (("late", 9.0), ("first", 3.0), ("second", 3.0), ("never", 11.0)):
        clock.call_at(when, lambda name=name: fired.append((name, clock.now())))
    await clock.advance(10)
    assert fired == [("first", 1003.0), ("second", 1003.0), ("late", 1009.0)]
    assert clock.monotonic() == 10.0
    assert clock.pending == 1
    assert clock.next_due == 11.0


async def test_settle_is_awaited_after_each_timer():
    clock = VirtualClock()
    log: list[str] = []

    async def settle() -> None:
        await asyncio.sleep(0)
        log.append(f"settled at {clock.monotonic():g}")

    clock.call_at(1, lambda: log.append("one"))
    clock.call_at(2, lambda: log.append("two"))
    await clock.advance(5, settle)
    assert log == [
        "settled at 0",
        "one",
        "settled at 1",
        "two",
        "settled at 2",
        "settled at 5",
    ]


async def test_a_timer_armed_by_a_timer_fires_within_the_same_span():
    clock = VirtualClock()
    ticks: list[float] = []

    def tick() -> None:
        ticks.append(clock.monotonic())
        clock.call_at(clock.monotonic() + 2, tick)

    clock.call_at(2, tick)
    await clock.advance(7)
    assert ticks == [2.0, 4.0, 6.0]


async def test_a_timer_armed_at_the_very_end_for_now_fires_too():
    clock = VirtualClock()
    fired: list[float] = []

    async def settle() -> None:
        if clock.monotonic() == 5 and not fired:
            clock.call_at(5, lambda: fired.append(clock.monotonic()))

    await clock.advance(5, settle)
    assert fired == [5.0]


async def test_a_cancelled_timer_never_fires():
    clock = VirtualClock()
    fired: list[int] = []
    timer = clock.call_at(1, lambda: fired.append(1))
    other = clock.call_at(2, lambda: fired.append(2))
    timer.cancel()
    timer.cancel()
    await clock.advance(3)
    other.cancel()
    assert fired == [2]
    assert (clock.pending, clock.next_due) == (0, None)


async def test_a_timer_may_cancel_another_that_is_due_at_the_same_time():
    clock = VirtualClock()
    fired: list[int] = []
    clock.call_at(1, lambda: second.cancel())
    second = clock.call_at(1, lambda: fired.append(2))
    await clock.advance(1)
    assert fired == []


async def test_an_overdue_timer_fires_in_the_next_pass_of_the_loop():
    clock = VirtualClock()
    await clock.advance(10)
    fired: list[str] = []
    clock.call_at(8, lambda: fired.append("b"))
    clock.call_at(7, lambda: fired.append("a"))
    assert fired == []
    await asyncio.sleep(0)
    assert fired == ["a", "b"]


def test_an_overdue_timer_armed_outside_a_loop_waits_for_advance():
    clock = VirtualClock()
    fired: list[int] = []
    clock.call_at(0, lambda: fired.append(1))
    asyncio.run(clock.advance(0))
    assert fired == [1]


async def test_sleepers_wake_in_order_and_may_sleep_again():
    clock = VirtualClock()
    log: list[tuple[str, float]] = []

    async def sleeper(name: str, seconds: float) -> None:
        for _ in range(2):
            await clock.sleep(seconds)
            log.append((name, clock.monotonic()))

    async with asyncio.TaskGroup() as group:
        group.create_task(sleeper("slow", 5))
        group.create_task(sleeper("fast", 2))
        await clock.advance(10)
    assert log == [("fast", 2.0), ("fast", 4.0), ("slow", 5.0), ("slow", 10.0)]


async def test_a_cancelled_sleeper_leaves_no_timer():
    clock = VirtualClock()
    task = asyncio.create_task(clock.sleep(60))
    await asyncio.sleep(0)
    assert clock.pending == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert clock.pending == 0


async def test_sleeping_no_time_yields_once():
    await VirtualClock().sleep(0)
    await VirtualClock().sleep(-1)


async def test_a_wall_jump_moves_no_timer():
    clock = VirtualClock(start=1000.0)
    fired: list[float] = []
    clock.call_at(60, lambda: fired.append(clock.now()))
    clock.jump_wall(3600)
    assert (clock.now(), clock.monotonic()) == (4600.0, 0.0)
    await clock.advance(59)
    assert fired == []
    await clock.advance(1)
    assert fired == [4660.0]


async def test_a_raising_timer_is_reported_and_the_others_stay_armed():
    clock = VirtualClock()
    fired: list[int] = []
    clock.call_at(1, lambda: 1 / 0)
    clock.call_at(2, lambda: fired.append(2))
    with pytest.raises(ZeroDivisionError):
        await clock.advance(5)
    assert clock.monotonic() == 1.0
    await clock.advance(4)
    assert fired == [2]


async def test_time_neither_goes_back_nor_in_two_directions():
    clock = VirtualClock()
    with pytest.raises(ValueError, match="go back"):
        await clock.advance(-1)

    async def settle() -> None:
        await clock.advance(1)

    with pytest.raises(RuntimeError, match="already"):
        await clock.advance(1, settle)


@given(st.lists(st.floats(min_value=0, max_value=100), max_size=20), st.floats(0, 100))
def test_any_timers_fire_sorted_and_only_when_due(times, span):
    async def run() -> None:
        clock = VirtualClock()
        fired: list[tuple[float, int]] = []
        for number, when in enumerate(times):
            clock.call_at(when, lambda when=when, number=number: fired.append((when, number)))
        await clock.advance(span)
        due = [(when, number) for number, when in enumerate(times) if when <= span]
        assert fired == sorted(due)
        assert clock.pending == len(times) - len(due)

    asyncio.run(run())


async def test_the_real_clock_fires_an_overdue_timer_at_once_and_cancels():
    clock = RealClock()
    fired = asyncio.Event()
    before = clock.monotonic()
    clock.call_at(before - 1, fired.set)
    cancelled = clock.call_at(before + 0.001, lambda: pytest.fail("was cancelled"))
    cancelled.cancel()
    await asyncio.wait_for(fired.wait(), 5)
    later = asyncio.Event()
    clock.call_at(clock.monotonic() + 0.002, later.set)
    await asyncio.wait_for(later.wait(), 5)
    await clock.sleep(0.001)
    assert clock.monotonic() - before >= 0.002
    assert clock.now() > VIRTUAL_START
