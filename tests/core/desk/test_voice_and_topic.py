"""What the bot does as an operator while a game is on: voice for the players, the topic, kicks."""

from __future__ import annotations

from typing import Any

import pytest

from gamebot.desk.voice_and_topic import TOPIC_EVERY_S
from gamebot.events import LeftHow
from gamebot.plugin.loading import load_plugins

REGISTRIES = load_plugins().registries
END = {"uno": "!unooff", "kniffel": ".stop"}


class Scene:
    """A channel where one game has voice and topic on, and what the bot sends there."""

    def __init__(self, session: Any, said: Any, plugin: str) -> None:
        self.session, self.said, self.plugin = session, said, plugin
        self.link = session.link()

    def sent(self) -> list[tuple[str, ...]]:
        """Return what was sent since the last time."""
        sent = [command for command in self.link.commands if command[0] != "JOIN"]
        self.link.commands.clear()
        return sent

    @property
    def room(self) -> Any:
        return self.link.room("#k")

    async def says(self, nick: str, text: str) -> list[str]:
        answer: list[str] = await self.said(self.session, nick, text)
        return answer

    async def begin(self, *nicks: str) -> None:
        if self.plugin == "kniffel":
            for nick in nicks:
                await self.says(nick, ".addme")
            await self.says(nicks[0], ".start")
        else:
            await self.says(nicks[0], "!unoon")
            for nick in nicks:
                await self.says(nick, "join")
            await self.session.pass_time(60)
        assert self.session.channel("#k").view(self.plugin)["phase"] == "playing"

    async def settle(self) -> None:
        await self.session.settle()


@pytest.fixture
def scene(opened: Any, said: Any) -> Any:
    async def make(plugin: str, *, op: bool = True, **settings: Any) -> Scene:
        registry = REGISTRIES[plugin]
        given = registry.settings(**{"voice": True, "topic": True, **settings})
        session = await opened(registry, settings={plugin: given})
        made = Scene(session, said, plugin)
        made.room.topic = "Rules: http://example/"
        if op:
            made.link.op("bot", "#k")
        return made

    return make


@pytest.mark.parametrize(("plugin", "title"), [("uno", "UNO"), ("kniffel", "Kniffel")])
async def test_voice_and_topic_come_with_the_game_and_go_with_it(scene, plugin, title):
    room = await scene(plugin)
    await room.begin("anna", "bert")
    assert room.sent() == [
        ("MODE", "#k", "+vv", "anna", "bert"),
        ("TOPIC", "#k", f"{title}: anna, bert"),
    ]
    room.link.op("oper", "#k")
    await room.says("oper", END[plugin])
    assert room.sent() == [
        ("MODE", "#k", "-vv", "anna", "bert"),
        ("TOPIC", "#k", "Rules: http://example/"),
    ]


async def test_five_players_get_voice_in_lines_of_three_or_what_the_server_allows(scene):
    room = await scene("kniffel", topic=False)
    await room.begin("a1", "a2", "a3", "a4", "a5")
    assert room.sent() == [
        ("MODE", "#k", "+vvv", "a1", "a2", "a3"),
        ("MODE", "#k", "+vv", "a4", "a5"),
    ]
    room.link.modes_per_line = 20
    room.link.op("oper", "#k")
    await room.says("oper", ".stop")
    assert room.sent() == [("MODE", "#k", "-vvvvv", "a1", "a2", "a3", "a4", "a5")]


async def test_long_nicks_make_a_line_end_early(scene):
    room = await scene("kniffel", topic=False)
    room.link.modes_per_line = 20
    nicks = ["n" * 90 + str(number) for number in range(5)]
    await room.begin(*nicks)
    assert room.sent() == [
        ("MODE", "#k", "+vvv", *nicks[:3]),
        ("MODE", "#k", "+vv", *nicks[3:]),
    ]


async def test_a_bot_player_and_who_had_voice_before_are_left_alone(scene):
    room = await scene("uno", topic=False)
    room.link.join("anna", "#k")
    room.room.voiced.add("anna")
    room.link.op("oper", "#k")
    await room.says("anna", "!unoon")
    await room.says("anna", "!isbot")
    for nick in ("anna", "oper", "bert"):
        await room.says(nick, "join")
    await room.session.pass_time(60)
    assert room.sent() == [("MODE", "#k", "+v", "bert")]
    await room.says("oper", "!unooff")
    assert room.sent() == [("MODE", "#k", "-v", "bert")]
    assert room.room.voiced == {"anna"}


async def test_who_joins_late_gets_voice_and_who_is_taken_out_loses_it(scene):
    room = await scene("uno")
    await room.begin("anna", "bert")
    room.sent()
    await room.says("carla", "!enter")
    assert room.sent() == [("MODE", "#k", "+v", "carla")]
    await room.says("anna", "!unokick bert")
    assert room.sent() == [("MODE", "#k", "-v", "bert")]
    await room.says("carla", "leave")
    *_, topic = room.sent()
    assert topic == ("TOPIC", "#k", "Rules: http://example/")
    assert room.room.voiced == set()


async def test_a_seat_handed_over_takes_the_voice_along(scene):
    room = await scene("uno", topic=False)
    room.link.op("oper", "#k")
    await room.begin("anna", "bert")
    room.sent()
    room.link.join("dora", "#k")
    await room.says("oper", "!unoreplace bert dora")
    assert room.sent() == [("MODE", "#k", "-v", "bert"), ("MODE", "#k", "+v", "dora")]
    await room.says("oper", "!unotransfer oper")
    assert room.sent() == []


async def test_voice_follows_a_nick_by_itself_and_is_given_again_after_a_netsplit(scene):
    room = await scene("uno", topic=False)
    await room.begin("anna", "bert")
    room.sent()
    room.link.nick("anna", "anja")
    await room.settle()
    assert room.sent() == []
    room.link.quit("anja", "a.example b.example")
    await room.settle()
    assert room.sent() == []
    room.link.join("anja", "#k")
    await room.settle()
    assert room.sent() == [("MODE", "#k", "+v", "anja")]


@pytest.mark.parametrize("how", [LeftHow.PART, LeftHow.KICK])
async def test_nothing_is_taken_from_who_is_not_there(scene, how):
    room = await scene("uno", topic=False)
    await room.begin("anna", "bert", "carla")
    room.sent()
    room.link.leave("anna", "#k", how, by="oper")
    await room.settle()
    await room.session.pass_time(61)
    assert room.sent() == []
    room.link.op("oper", "#k")
    await room.says("oper", "!unooff")
    assert room.sent() == [("MODE", "#k", "-vv", "bert", "carla")]


async def test_without_op_nothing_is_sent_and_with_it_what_was_missing(scene):
    room = await scene("uno", op=False, kick=True, turn_timeout_s=60.0)
    await room.begin("anna", "bert")
    assert room.sent() == []
    room.link.op("bot", "#k")
    await room.says("anna", "cards")
    assert room.sent() == [
        ("MODE", "#k", "+vv", "anna", "bert"),
        ("TOPIC", "#k", "UNO: anna, bert"),
    ]
    room.room.ops.discard("bot")
    room.link.op("oper", "#k")
    await room.says("oper", "!unooff")
    assert room.sent() == []
    room.link.op("bot", "#k")
    await room.says("zoe", "!unoon")
    assert room.sent() == [
        ("MODE", "#k", "-vv", "anna", "bert"),
        ("TOPIC", "#k", "Rules: http://example/"),
    ]


async def test_a_topic_that_could_not_be_restored_is_not_taken_for_somebody_elses(scene):
    room = await scene("uno", voice=False)
    room.link.op("oper", "#k")
    await room.begin("anna", "bert")
    room.room.ops.discard("bot")
    await room.says("oper", "!unooff")
    await room.says("anna", "!unoon")
    room.link.op("bot", "#k")
    for nick in ("anna", "carla"):
        await room.says(nick, "join")
    await room.session.pass_time(60)
    await room.says("oper", "!unooff")
    assert room.sent() == [
        ("TOPIC", "#k", "UNO: anna, bert"),
        ("TOPIC", "#k", "UNO: anna, carla"),
        ("TOPIC", "#k", "Rules: http://example/"),
    ]


async def test_who_times_out_is_kicked_if_the_bot_can_and_keeps_no_voice(scene):
    room = await scene("kniffel", topic=False, kick=True)
    await room.begin("anna", "bert")
    room.sent()
    await room.session.pass_time(301)
    assert room.sent() == [("KICK", "#k", "anna", "Time is up.")]
    room.room.ops.discard("bot")
    await room.session.pass_time(301)
    assert room.sent() == []


async def test_a_restart_in_the_middle_changes_nothing_and_the_end_takes_back(scene):
    room = await scene("uno")
    await room.begin("anna", "bert")
    room.sent()
    await room.session.restart()
    assert room.sent() == []
    room.link.op("oper", "#k")
    await room.says("oper", "!unooff")
    assert room.sent() == [
        ("MODE", "#k", "-vv", "anna", "bert"),
        ("TOPIC", "#k", "Rules: http://example/"),
    ]


async def test_what_never_arrived_before_a_restart_is_sent_again(scene):
    room = await scene("uno")
    await room.begin("anna", "bert")
    room.sent()
    room.room.voiced.clear()
    room.room.topic = "Rules: http://example/"
    await room.session.restart()
    assert room.sent() == [
        ("MODE", "#k", "+vv", "anna", "bert"),
        ("TOPIC", "#k", "UNO: anna, bert"),
    ]


async def test_a_game_that_ends_while_the_bot_is_out_is_tidied_up_when_it_is_back(scene, said):
    room = await scene("kniffel")
    await room.begin("anna")
    room.sent()
    room.link.kick_bot("#k")
    room.room.ops.discard("bot")
    await room.settle()
    await said(room.session, "anna", "delme", query=True)
    assert room.sent() == []
    room.link.op("bot", "#k")
    room.link.rejoin_bot("#k")
    await room.settle()
    assert room.sent() == [
        ("MODE", "#k", "-v", "anna"),
        ("TOPIC", "#k", "Rules: http://example/"),
    ]


async def test_the_topic_follows_the_players_not_faster_than_once_a_minute(scene):
    room = await scene("uno", voice=False, turn_timeout_s=600.0)
    await room.begin("anna", "bert")
    await room.says("carla", "!enter")
    await room.says("dora", "!enter")
    assert room.sent() == [("TOPIC", "#k", "UNO: anna, bert")]
    await room.session.pass_time(TOPIC_EVERY_S)
    await room.says("anna", "cards")
    (topic,) = room.sent()
    assert topic[0] == "TOPIC"
    assert {"carla", "dora"} <= set(topic[2].removeprefix("UNO: ").split(", "))


@pytest.mark.parametrize("topic", ["Somebody was here", ""])
async def test_a_topic_that_somebody_else_set_stays(scene, topic):
    room = await scene("uno", voice=False)
    await room.begin("anna", "bert")
    room.room.topic = topic
    room.sent()
    await room.session.pass_time(TOPIC_EVERY_S)
    await room.says("carla", "!enter")
    room.link.op("oper", "#k")
    await room.says("oper", "!unooff")
    assert room.sent() == []


@pytest.mark.parametrize("shown", ["UNO: an", "Rules: http://example/"])
async def test_a_topic_cut_short_or_not_there_yet_is_still_the_bots(scene, shown):
    room = await scene("uno", voice=False)
    await room.begin("anna", "bert")
    room.room.topic = shown
    room.sent()
    room.link.op("oper", "#k")
    await room.says("oper", "!unooff")
    assert room.sent() == [("TOPIC", "#k", "Rules: http://example/")]


async def test_settings_given_in_the_middle_hold_at_once(opened, said):
    registry, settings = REGISTRIES["uno"], load_plugins().registries["settings"]
    session = await opened(registry, settings)
    room = Scene(session, said, "uno")
    for nick in ("bot", "oper"):
        room.link.op(nick, "#k")
    await room.begin("anna", "bert")
    assert room.sent() == []
    await room.says("oper", "!set voice on")
    assert room.sent() == [("MODE", "#k", "+vv", "anna", "bert")]
    await room.says("oper", "!set topic on")
    assert room.sent() == [("TOPIC", "#k", "UNO: anna, bert")]
    await room.says("oper", "!set voice off")
    assert room.sent() == [("MODE", "#k", "-vv", "anna", "bert")]
    await room.says("oper", "!set topic off")
    assert room.sent() == [("TOPIC", "#k", "")]
