"""A network that folds names in another way than before: nothing of a channel is lost."""

from __future__ import annotations

import pytest
from attrs import evolve
from structlog.testing import capture_logs

from gamebot.channel.casemapping_change import exact_key, first_key, moved_settings
from gamebot.channel.channel import RETRY_S
from gamebot.ports import GameRow, OutLine, ResultRow, SettingRow, StateRow, TimerRow, Transaction
from gamebot.store.sqlite import SqliteStore
from gamebot.testing.fakelink import FakeLink

RESULT = ResultRow(
    network="net",
    channel="#k{}",
    plugin="kniffel",
    game_id="g",
    player="anna",
    identity="n:anna",
    account=None,
    points=100,
    won=True,
    forfeited=False,
    is_bot=False,
    with_bots=False,
    ended_at=1.0,
)


def remap(link: FakeLink, mapping: str) -> None:
    """Let the next connection fold by *mapping*."""
    link.disconnect()
    link.mapping = mapping
    for names in (link.people, link.rooms):
        for key, value in list(names.items()):
            names[link.fold(getattr(value, "nick", None) or value.name)] = names.pop(key)
    link.connect()


async def test_settings_results_and_ignored_masks_move_with_the_channel(open_house):
    house = await open_house(channels=("#K[]",))
    link, store = house.link, house.session.bot.store
    link.op("oskar", "#K[]")
    assert await house.says("oskar", ".set joker on", "#K[]") == ["kniffel.joker is on."]
    await house.says("oskar", ".ignore *!*@bad.example 1h", "#K[]")
    await store.commit(Transaction(results=(RESULT,)))
    before = await store.ranking("net", "#k{}", "kniffel")
    assert [row.player for row in before] == ["anna"]
    for mapping, key in (("ascii", "#k[]"), ("rfc1459", "#k{}")):
        remap(link, mapping)
        await house.session.settle()
        for restart in (False, True):
            if restart:
                await house.restart()
            channel = house.session.bot.channel("net", "#K[]")
            assert (channel.key, channel.profile.settings["kniffel"].joker) == (key, True)
            store = house.session.bot.store
            assert await store.ranking("net", key, "kniffel") == before
            house.from_host("bob", "bob@bad.example")
            assert await house.says("bob", ".help", "#K[]") == []
            assert await house.says("anna", ".help", "#K[]") != []
            assert {row.scope for row in house.session.bot.settings.all()} == {f"net/{key}"}
            link.mapping = mapping


async def test_a_channel_joined_over_irc_stays_one_channel(open_house):
    house = await open_house()
    house.link.account("olga", "olga_account")
    await house.asks("olga", "join #New[]")
    remap(house.link, "ascii")
    await house.session.settle()
    [row] = house.session.bot.settings.all()
    assert (row.scope, row.key) == ("net", "channel #new[]")
    await house.asks("olga", "part #new[]")
    [row] = house.session.bot.settings.all()
    assert '"inside": false' in row.value


async def test_a_move_that_cannot_be_stored_leaves_the_settings_and_is_tried_again(
    open_house, flaky
):
    house = await open_house(channels=("#K[]",))
    house.link.op("oskar", "#K[]")
    await house.says("oskar", ".set joker on", "#K[]")
    store = flaky(house.session)
    store.failing = True
    remap(house.link, "ascii")
    await house.session.settle()
    channel = house.session.bot.channel("net", "#K[]")
    assert channel.key == "#k{}"
    store.failing = False
    await house.session.pass_time(RETRY_S)
    assert channel.key == "#k[]"
    assert channel.profile.settings["kniffel"].joker
    [moved] = store.transactions
    assert moved.moved_channels == (("net", "#k{}", "#k[]"),)


async def test_a_mapping_that_came_back_before_the_move_was_stored_leaves_the_old_key(
    open_house, flaky
):
    house = await open_house(channels=("#K[]",))
    store = flaky(house.session)
    store.failing = True
    remap(house.link, "ascii")
    await house.session.settle()
    remap(house.link, "rfc1459")
    store.failing = False
    await house.session.pass_time(2 * RETRY_S)
    assert house.session.bot.channel("net", "#K[]").key == "#k{}"


async def test_two_channels_that_become_one_keep_what_they_have(open_house):
    """What the one without the key has waits for the day when they are two again."""
    house = await open_house(channels=("#k{}",))
    remap(house.link, "ascii")
    house.link.account("olga", "olga_account")
    await house.asks("olga", "join #k[]")
    house.link.op("oskar", "#k[]")
    await house.says("oskar", ".set joker on", "#k[]")
    room = house.link.rooms.pop("#k[]")
    with capture_logs() as logs:
        remap(house.link, "rfc1459")
        await house.session.settle()
    assert [one["channel"] for one in logs if one["event"] == "channels_are_one"] == ["#k[]"]
    assert house.session.bot.channel("net", "#k[]").name == "#k{}"
    house.link.rooms["#k[]"] = room
    remap(house.link, "ascii")
    await house.session.settle()
    settings = [
        house.session.bot.channel("net", name).profile.settings["kniffel"].joker
        for name in ("#k{}", "#k[]")
    ]
    assert settings == [False, True]


async def test_two_channels_that_one_mapping_makes_one_are_two_after_a_restart(open_house):
    """How a network folds is known only once it has told so; until then both names are one."""
    house = await open_house(channels=("#k[]", "#k{}"))
    link = house.link
    connect = link.connect

    def told_late() -> None:
        link.mapping = "ascii"
        for name in ("#k[]", "#k{}"):
            link.room(name)
        connect()

    link.connect = told_late
    remap(link, "ascii")
    await house.session.settle()
    for name, players, seconds in (("#k[]", ("anna", "bert"), 90), ("#k{}", ("carla",), 80)):
        link.op("oskar", name)
        await house.says("oskar", f".set turn_timeout_s {seconds}", name)
        for player in players:
            await house.says(player, ".addme", name)
    for _ in range(2):
        link.mapping = "rfc1459"
        await house.restart()
        assert sorted(key for _, key in house.session.bot.channels) == ["#k[]", "#k{}"]
        found = [house.session.bot.channel("net", name) for name in ("#k[]", "#k{}")]
        assert [c.view("kniffel")["players"] for c in found] == [["anna", "bert"], ["carla"]]
        assert [c.profile.settings["kniffel"].turn_timeout_s for c in found] == [90, 80]


@pytest.mark.parametrize(
    ("name", "stored", "others", "key"),
    [
        ("#K[]", (), (), "#k{}"),
        ("#K[]", ("#k[]",), (), "#k[]"),
        ("#K[]", ("#k{}",), (), "#k{}"),
        ("#K[]", ("#k{}",), ("#K{}",), "#k[]"),
        ("#K{}", ("#k[]",), ("#k[]",), "#k{}"),
        ("#K[^", ("#k{^",), (), "#k{^"),
    ],
)
def test_a_channel_takes_what_is_stored_for_it_and_not_anothers(name, stored, others, key):
    link = FakeLink("net", "rfc1459", lambda _event: None, lambda _line: None)
    assert first_key(link, name, stored, set(map(exact_key, others))) == key


@pytest.mark.parametrize(("at", "stays"), [(1.0, "new"), (2.0, "old"), (3.0, "old")])
def test_of_two_settings_for_one_thing_the_newer_stays(at: float, stays: str):
    there = SettingRow("net/#b", "p", "x", "new", "anna", 2.0)
    old = SettingRow("net/#a", "p", "x", "old", "bert", at)
    other = SettingRow("net2/#a", "p", "x", "other", "bert", at)
    rows = moved_settings([there, old, other], "net", "#a", "#b")
    assert rows[0] == evolve(old, value=None)
    assert ([row.value for row in rows[1:]] or ["new"]) == [stays]


async def test_rows_of_both_keys_are_kept(tmp_path):
    """Results add up; a row that is there already stays, and so does the one it is there for."""
    store = SqliteStore(tmp_path / "db")
    await store.open()
    game = GameRow("net", "#a", "uno", "g1", 1, "{}")
    timer = TimerRow("net", "#a", "uno", "turn", 0, 1.0, 1.0)
    state = StateRow("net", "#a", "uno", "k", "1")
    line = OutLine("net", "#a", "x", channel="#a", id=1)
    here = Transaction(
        games=(game,),
        timers=(timer,),
        states=(state,),
        outgoing=(line,),
        results=(evolve(RESULT, channel="#a"), evolve(RESULT, channel="#a", network="other")),
    )
    there = evolve(game, channel="#b", game_id="g2"), evolve(RESULT, channel="#b")
    await store.commit(here)
    await store.commit(Transaction(games=there[:1], results=there[1:]))
    await store.commit(Transaction(moved_channels=(("net", "#a", "#b"),)))
    [row] = await store.ranking("net", "#b", "kniffel")
    assert (row.games, row.points) == (2, 200)
    assert await store.ranking("net", "#a", "kniffel") == []
    assert len(await store.ranking("other", "#a", "kniffel")) == 1
    await store.close()
    snapshot = await store.open()
    assert {(row.channel, row.game_id) for row in snapshot.games} == {("#a", "g1"), ("#b", "g2")}
    assert [row.channel for row in (*snapshot.timers, *snapshot.states)] == ["#b", "#b"]
    assert [row.channel for row in snapshot.outgoing] == ["#b"]
    await store.close()
