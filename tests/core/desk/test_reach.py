"""Lines that the server refuses: who cannot be reached, and a channel where the bot is silent."""

from __future__ import annotations

from typing import Any

from gamebot.events import Undelivered


async def refuse(session: Any, target: str, channel: str = "#k") -> None:
    session.bot.feed(Undelivered("n", target, channel, "404"))
    await session.settle()


async def begin(session: Any, said: Any) -> None:
    for nick, text in (("anna", ".addme"), ("bert", ".addme"), ("anna", ".start")):
        await said(session, nick, text)


def heard(session: Any) -> list[str]:
    return [line.plain for line in session.heard]


async def test_a_player_who_cannot_be_reached_is_named_once_and_gets_time(opened, said, kniffel):
    session = await opened(kniffel)
    await begin(session, said)
    await refuse(session, "anna")
    await refuse(session, "anna")
    told = [line for line in heard(session) if "does not get my private lines" in line]
    assert len(told) == 1
    assert "anna" in told[0]
    await session.pass_time(330)
    assert not any("out of the game" in line for line in heard(session))


async def test_in_a_channel_that_refuses_lines_the_clocks_stand_still(opened, said, kniffel):
    session = await opened(kniffel)
    await begin(session, said)
    await refuse(session, "#k")
    await session.pass_time(3600)
    assert not any("out of the game" in line for line in heard(session))
    assert any("I cannot speak in #k now" in line for line in heard(session))


async def test_the_next_command_lets_the_clocks_run_again(opened, said, kniffel):
    session = await opened(kniffel)
    await begin(session, said)
    await refuse(session, "#k")
    await session.pass_time(3600)
    await said(session, "bert", ".players")
    await session.pass_time(301)
    assert any("anna" in line and "out of the game" in line for line in heard(session))


async def test_owners_are_told_once_of_a_channel_that_refuses_lines(ops):
    await ops.says("olga", "hello")
    for _ in range(2):
        ops.session.bot.feed(Undelivered("net", "#dice", "#dice", "404"))
        await ops.session.settle()
    told = [line for line in heard(ops.session) if "an operator has to give me voice" in line]
    assert told == ["net: I cannot speak in #dice now: an operator has to give me voice."]
