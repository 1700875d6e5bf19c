"""Whatever four people, the network and the machine do: hands stay hidden and the game goes on."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from gamebot_uno.engine.cards import DECK, FACE_CODES
from gamebot_uno.engine.rules import PRESETS
from gamebot_uno.rules_text import render_rules
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from uno_chaos import random_rules
from uno_room import CHANNEL, Watch, hands_of, moves_of, session_with, table_of, view_of
from uno_table import all_cards

from gamebot.channel import channel as channel_module
from gamebot.events import LeftHow

NICKS = ("aldo", "bea", "carla", "dino", "Aldo", "ezio", "bot2", "x[", "x{")
OPERATOR = "oppo"
WORDS = (
    *("!unoon", "!unoon", "is", "iscrivi", "!en", "!entro", "es", "g", "gioca", "pe", "pesca"),
    *("pa", "passa", "uno", "ca", "carte", "tu", "ok", "sfida", "b", "v", "r", "g", "j", "jd4"),
    *("!isbot", "!enbot", "!isbot forte", "!unooff", "!unokick bea", "!unokick bot"),
    *("!unotransfer carla", "!unoreplace aldo dino", "!unorules", "!unorules hand_size=3"),
    *("!unotop", "!unostats", "!unonotify", "!unocolors off", "!unosort color", "!unowait"),
    *("!unohint bea", "g 5", "ciao", "uno momento", "!nulla", "!"),
)
TALK = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(FACE_CODES),
    st.builds("g {}".format, st.sampled_from(FACE_CODES)),
    st.builds("{} {}".format, st.sampled_from(("j", "jd4")), st.sampled_from("bvrg")),
)
RULES = (*PRESETS, "cuciolo,hand_size=2", "sterning,challenge=on,jump_in=on", "mattel,target=30")
ANY_RULES = st.one_of(
    st.sampled_from(RULES),
    st.integers(0, 2**32).map(lambda seed: render_rules(random_rules(Random(seed)))),
)
PHASES = ("idle", "lobby", "playing", "color", "challenge", "over")
person = st.integers(0, 3)


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
    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.nicks = list(NICKS[:4])
        self.log, channel_module.log = channel_module.log, Faults()

    @initialize(rules=ANY_RULES, begun=st.booleans())
    def open_channel(self, rules: str, begun: bool) -> None:
        self.session = session_with(seed="any", rules=rules)
        self.watch = Watch(self.session)
        self.run(self.session.start())
        for nick in self.nicks:
            self.link.join(nick, CHANNEL)
        self.link.op(OPERATOR, CHANNEL)
        if begun:
            for nick, text in (("aldo", "!unoon"), *((n, "is") for n in self.nicks)):
                self.link.say(nick, text, CHANNEL)
            self.link.say("aldo", "!unoon", CHANNEL)
        self.settle()

    def teardown(self) -> None:
        self.run(self.session.stop())
        self.loop.close()
        channel_module.log = self.log

    def run(self, coroutine: Any) -> None:
        self.loop.run_until_complete(coroutine)

    def settle(self) -> None:
        self.run(self.session.settle())
        self.watch.begin()

    @property
    def link(self) -> Any:
        return self.session.link()

    @property
    def view(self) -> dict[str, Any]:
        return view_of(self.session)

    @property
    def playing(self) -> bool:
        table = table_of(self.session)
        return table is not None and table.phase.value == "playing"

    @rule(who=person, text=TALK, query=st.sampled_from((False, False, True)))
    def says(self, who: int, text: str, query: bool) -> None:
        self.link.say(self.nicks[who], text, None if query else CHANNEL)
        self.settle()

    @rule(text=TALK)
    def operator_says(self, text: str) -> None:
        self.link.say(OPERATOR, text, CHANNEL)
        self.settle()

    @rule(data=st.data(), times=st.integers(1, 6))
    @precondition(lambda self: self.playing)
    def plays(self, data: st.DataObject, times: int) -> None:
        """The player to act does something that is allowed, so that games get on."""
        for _ in range(times):
            table = table_of(self.session)
            if not self.playing or not self.link.connected:
                return
            chair = table.chair(table.game.to_act)
            if chair.is_bot or not chair.present:
                return
            uno = data.draw(st.sampled_from(("", "", " uno")))
            move = data.draw(st.sampled_from(moves_of(table.game)))
            before = table.game.clock_id
            self.link.say(chair.nick, move + (uno if move[-1].isdigit() else ""), CHANNEL)
            self.settle()
            ended = not self.playing
            assert ended or table_of(self.session).game.clock_id > before, move

    @rule(who=person, new=st.sampled_from(NICKS))
    def changes_nick(self, who: int, new: str) -> None:
        taken = {self.link.fold(nick) for n, nick in enumerate(self.nicks) if n != who}
        if self.link.fold(new) not in taken:
            old, self.nicks[who] = self.nicks[who], new
            self.link.nick(old, new)
            self.settle()

    @rule(who=person, how=st.sampled_from(LeftHow), reason=st.sampled_from(("bye", "a.b c.d")))
    def leaves(self, who: int, how: LeftHow, reason: str) -> None:
        if how is LeftHow.QUIT:
            self.link.quit(self.nicks[who], reason)
        else:
            self.link.leave(self.nicks[who], CHANNEL, how, by=OPERATOR)
        self.settle()

    @rule(who=person)
    def joins(self, who: int) -> None:
        self.link.join(self.nicks[who], CHANNEL)
        self.settle()

    @rule(seconds=st.sampled_from((1, 2, 30, 59, 61, 119, 121, 601)))
    def time_passes(self, seconds: int) -> None:
        self.run(self.session.pass_time(seconds))
        self.watch.begin()

    @rule()
    def link_goes_or_comes(self) -> None:
        if self.link.connected:
            self.link.disconnect()
        else:
            self.link.connect()
        self.settle()

    @rule()
    @precondition(lambda self: self.link.connected)
    def bot_restarts(self) -> None:
        before, hands, aside = self.view, hands_of(self.session), len(self.session.heard)
        self.run(self.session.restart())
        after = self.view
        left = before.pop("deadline", None), after.pop("deadline", None)
        if self.playing:
            assert left[1] == pytest.approx(min(120, max(left[0], 60)))
            lines = [h.plain for h in self.session.heard[aside:] if h.to == CHANNEL]
            assert [line for line in lines if line.startswith("Sono tornato")] == lines[:1]
        assert after == before
        assert hands_of(self.session) == hands
        self.watch.begin()

    @invariant()
    def nothing_went_wrong(self) -> None:
        assert channel_module.log.seen == []
        assert self.watch.faults == []

    @invariant()
    def the_view_is_consistent(self) -> None:
        view = self.view
        assert view["phase"] in PHASES
        players = view.get("players", [])
        assert len({self.link.fold(name) for name in players}) == len(players)
        if self.playing:
            assert view["turn"] in players
            assert view["deadline"] is not None
            assert set(view["cards"]) == set(players)
        else:
            assert view.get("turn") is None

    @invariant()
    def no_card_is_lost(self) -> None:
        table = table_of(self.session)
        if table is not None and table.game is not None:
            assert sorted(all_cards(table.game)) == list(range(DECK * table.game.rules.decks))

    @invariant()
    def engine_and_table_agree(self) -> None:
        table = table_of(self.session)
        if self.playing:
            assert {chair.seat for chair in table.chairs} == set(table.game.seats)
            assert any(table.humans)
            here = [self.link.fold(chair.nick) for chair in table.humans if chair.present]
            assert len(set(here)) == len(here)


TestAnyCourse = AnyCourse.TestCase
TestAnyCourse.settings = settings(
    max_examples=40,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
