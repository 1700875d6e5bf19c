"""Whatever four people, the network and the machine do: the table stays a table."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from gamebot.channel import channel as channel_module
from gamebot.config.profile import ChannelProfile
from gamebot.events import LeftHow
from gamebot.plugin.loading import load_plugins
from gamebot.testing.session import Session

COMMANDS = (
    *(".addme", ".addme Egon", ".addme anna", ".addbot", ".addbot easy", ".start", ".stop"),
    *(".roll", ".roll 1 2", ".roll 9", ".list", ".list CH", ".list FH", ".list 1", ".list XX"),
    *(".delme", ".callme Egon", ".callme bert", ".stats", ".stats Egon", ".allstats", ".dice"),
    *(".players", ".top", ".records", "hello", ".nothing", "."),
)
NICKS = ("anna", "bert", "clara", "dora", "Anna", "egon", "bot2", "x[", "x{")
PHASES = ("idle", "lobby", "playing", "over")
person = st.integers(0, 3)


@cache
def kniffel() -> Any:
    return load_plugins().registries["kniffel"]


class Faults:
    """Stands in for the channel's log and remembers what must not be there."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def exception(self, event: str, **_more: object) -> None:
        self.seen.append(event)

    error = exception

    def warning(self, *_args: object, **_more: object) -> None:
        pass


class AnyCourse(RuleBasedStateMachine):
    options: ClassVar[dict[str, Any]] = {}

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.nicks = list(NICKS[:4])
        self.log, channel_module.log = channel_module.log, Faults()
        self.session = Session({"kniffel": kniffel()}, seed="any")
        self.session.add_network("n")
        chosen = {"kniffel": kniffel().settings(**self.options)}
        self.session.add_channel(
            "n", ChannelProfile(name="#k", plugins=("kniffel",), settings=chosen)
        )
        self.run(self.session.start())
        for nick in self.nicks:
            self.link.join(nick, "#k")
        self.link.op("dora", "#k")

    def teardown(self) -> None:
        self.run(self.session.stop())
        self.loop.close()
        channel_module.log = self.log

    def run(self, coroutine: Any) -> None:
        self.loop.run_until_complete(coroutine)

    def settle(self) -> None:
        self.run(self.session.settle())

    @property
    def link(self) -> Any:
        return self.session.link()

    @property
    def view(self) -> dict[str, Any]:
        return self.session.channel("#k").view("kniffel")

    @rule(who=person, text=st.sampled_from(COMMANDS), query=st.booleans())
    def says(self, who: int, text: str, query: bool) -> None:
        self.link.say(self.nicks[who], text, None if query else "#k")
        self.settle()

    @rule(data=st.data())
    @precondition(lambda self: self.view["phase"] == "playing")
    def plays(self, data: st.DataObject) -> None:
        """The player to act does something that is allowed, so that games get on."""
        table = self.session.channel("#k").tables["kniffel"]
        chair = table.chair(table.game.to_act)
        if chair.is_bot or not chair.present or not self.link.connected:
            return
        if table.game.dice is None:
            self.link.say(chair.nick, ".roll", "#k")
        else:
            box = data.draw(st.sampled_from(table.game.cards[chair.seat].open))
            self.link.say(chair.nick, f".list {box.value}", "#k")
        self.settle()

    @rule(who=person, new=st.sampled_from(NICKS))
    def changes_nick(self, who: int, new: str) -> None:
        taken = {self.link.fold(nick) for n, nick in enumerate(self.nicks) if n != who}
        if self.link.fold(new) not in taken:
            old, self.nicks[who] = self.nicks[who], new
            self.link.nick(old, new)
            self.settle()

    @rule(who=person, how=st.sampled_from(LeftHow))
    def leaves(self, who: int, how: LeftHow) -> None:
        if how is LeftHow.QUIT:
            self.link.quit(self.nicks[who], "Ping timeout")
        else:
            self.link.leave(self.nicks[who], "#k", how, by="dora")
        self.settle()

    @rule(who=person)
    def joins(self, who: int) -> None:
        self.link.join(self.nicks[who], "#k")
        self.settle()

    @rule(seconds=st.sampled_from((1, 30, 61, 239, 299, 301, 601)))
    def time_passes(self, seconds: int) -> None:
        self.run(self.session.pass_time(seconds))

    @rule()
    def link_goes_or_comes(self) -> None:
        if self.link.connected:
            self.link.disconnect()
        else:
            self.link.connect()
        self.settle()

    @rule()
    def bot_is_kicked_and_returns(self) -> None:
        self.link.kick_bot("#k")
        self.settle()
        self.link.rejoin_bot("#k")
        self.settle()

    @rule()
    @precondition(lambda self: self.link.connected)
    def bot_restarts(self) -> None:
        before = self.view
        self.run(self.session.restart())
        after = self.view
        if after["phase"] == "playing":
            left = before.pop("deadline"), after.pop("deadline")
            assert left[1] == pytest.approx(min(300, max(left[0], 60)))
        assert after == before

    @invariant()
    def nothing_went_wrong(self) -> None:
        assert channel_module.log.seen == []
        assert not any("An error happened" in line.text for line in self.session.heard)

    @invariant()
    def the_view_is_consistent(self) -> None:
        view = self.view
        assert view["phase"] in PHASES
        players = view.get("players", [])
        assert len({self.link.fold(name) for name in players}) == len(players)
        if view["phase"] == "playing":
            assert view["turn"] in players
            assert view["winner"] == []
            assert 0 <= view["deadline"] <= 300
        else:
            assert view.get("turn") is None
            assert view.get("deadline") is None
        if view["phase"] == "lobby":
            assert players

    @invariant()
    def the_sums_are_right(self) -> None:
        view = self.view
        for name, total in view.get("total", {}).items():
            assert name in view["players"]
            extra = view["bonus"][name]
            assert total == sum(view["score"][name].values()) + extra["upper"] + extra["kniffel"]

    @invariant()
    def nobody_sits_twice(self) -> None:
        table = self.session.channel("#k").tables.get("kniffel")
        if table is not None and table.phase.value != "over":
            here = [self.link.fold(chair.nick) for chair in table.humans if chair.present]
            assert len(set(here)) == len(here)


class WithGrace(AnyCourse):
    options: ClassVar[dict[str, Any]] = {"return_grace_s": 45.0, "max_players": 3}


TestAnyCourse = AnyCourse.TestCase
TestWithGrace = WithGrace.TestCase
TestAnyCourse.settings = settings(
    max_examples=20,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestWithGrace.settings = settings(TestAnyCourse.settings, max_examples=10)
