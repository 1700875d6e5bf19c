"""Nothing grows with the people who come and go: months of strangers fit into the same memory."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter, deque
from contextlib import closing
from random import Random

import pytest

from gamebot.bot.bot import Bot
from gamebot.clock import RealClock
from gamebot.config.grants import Grants, parse_trusted_mask
from gamebot.config.limits import Limits
from gamebot.config.profile import ALWAYS_ENABLED, ChannelProfile
from gamebot.irc import Network, NetworkOptions, ServerAddress
from gamebot.plugin.loading import load_plugins
from gamebot.store.sqlite import SqliteStore

STRANGERS, CAP = 150, 50
"""People in each round, and how many of them bounded memories hold here."""

WAITING = 210
"""Lines that wait at most: the backlog of a network, and what is being answered."""

CONTAINERS = dict | list | tuple | set | frozenset | deque
OURS = ("gamebot", "pydle", "asyncio.queues")


def sizes(root: object) -> Counter[str]:
    """Count the elements of every container that hangs on *root*, by the way to it."""
    found, seen = Counter[str](), set[int]()
    waiting: list[tuple[str, object]] = [("", root)]
    while waiting:
        path, thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, CONTAINERS):
            found[path] += len(thing)
            children = thing.values() if isinstance(thing, dict) else thing
            waiting += [(f"{path}[]", child) for child in children]
        elif type(thing).__module__.startswith(OURS):
            slots = [
                slot for kind in type(thing).__mro__ for slot in getattr(kind, "__slots__", ())
            ]
            names = {*getattr(thing, "__dict__", ()), *slots} - {"__weakref__", "__dict__"}
            waiting += [
                (f"{path}.{n}", getattr(thing, n)) for n in sorted(names) if hasattr(thing, n)
            ]
    return found


def life(number: int) -> list[str]:
    """What one stranger does: comes, talks, plays, asks, changes nick and goes in some way."""
    nick, new = f"s{number}", f"t{number}"
    source, later = f":{nick}!u{number}@h{number}", f":{new}!u{number}@h{number}"
    end = (f"{later} QUIT :bye", f"{later} PART #uno :bye", f":op!o@h KICK #uno {new} :out")
    return [
        f"{source} PRIVMSG bot :help",
        f"{source} JOIN #uno",
        f":{nick}!u{number}@h{number} PRIVMSG #uno :good morning",
        f"{source} PRIVMSG #uno :.addme",
        f":op!o@h MODE #uno +v {nick}",
        f"{source} NICK {new}",
        f"{later} PRIVMSG #uno :.nonsense",
        f"{later} PRIVMSG bot :whoami",
        f":srv 352 bot #uno u{number} h{number} srv {new} H :0 somebody",
        end[number % 3],
    ]


@pytest.fixture
async def running(server, tmp_path, monkeypatch):
    monkeypatch.setattr("gamebot.people.rights.REMEMBERED", CAP)
    monkeypatch.setattr("gamebot.people.nick_history.REMEMBERED", CAP)
    loaded = load_plugins()
    grants = Grants(admin_masks=(parse_trusted_mask("*!u7@h7"), parse_trusted_mask("*!u8@h8")))
    bot = Bot(
        store=SqliteStore(tmp_path / "db", "NORMAL"),
        clock=RealClock(),
        registries=loaded.registries,
        grants={"net": grants},
        limits=Limits(people=CAP),
    )
    options = NetworkOptions(
        name="net",
        nick="bot",
        servers=(ServerAddress(host="127.0.0.1", port=server.port, tls=False),),
        channels=(("#uno", ""),),
    )
    network = Network(options, bot.feed, bot.clock, Random(1))
    settings = {"kniffel": loaded.registries["kniffel"].settings()}
    plugins = ("kniffel", *ALWAYS_ENABLED)
    bot.add_network(network, [ChannelProfile(name="#uno", plugins=plugins, settings=settings)])
    await bot.start()
    task = asyncio.create_task(network.run())
    yield bot
    server.writers[0].close()
    await network.close("end")
    await task
    await bot.stop()


async def test_strangers_leave_nothing_behind(server, running, tmp_path):
    session = await server.session()
    await session.register(caps="message-tags account-tag")
    await session.answer_joins(names="op!o@h")
    seen = []
    for round_ in range(3):
        for number in range(STRANGERS * round_, STRANGERS * (round_ + 1)):
            session.send(*life(number))
        session.send(f"PING :end{round_}")
        while f"end{round_}" not in await session.expect("PONG"):
            pass
        await running.settle()
        seen.append(sizes(running))
    grown = {path: n - seen[1][path] for path, n in seen[2].items() if n > seen[1][path] + 3}
    for path in [path for path in grown if "._refusals._sent" in path]:
        del grown[path]  # the last 128 lines
    assert not grown
    for looked_at in ("._buckets", ".users.storage", "._users"):
        assert any(path.endswith(looked_at) for path in seen[2]), "whichever way leads there first"
    assert sum(seen[2].values()) < sum(seen[0].values()) + 100
    with closing(sqlite3.connect(tmp_path / "db")) as connection:
        rows = {
            name: connection.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0]  # noqa: S608  our own tables
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
    assert rows.pop("outbox") <= WAITING, rows
    assert sum(rows.values()) < 20, rows
