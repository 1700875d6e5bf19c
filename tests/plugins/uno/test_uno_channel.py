"""UNO in a channel, where a transcript cannot look: bytes, races, kills between store and answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from gamebot_uno import bots
from gamebot_uno.card_text import cards_text
from gamebot_uno.engine.cards import CARD_FACES, FACE_COLORS, Card
from gamebot_uno.notation import ENGLISH, GERMAN, ITALIAN, Notation
from structlog.testing import capture_logs
from uno_room import CARD, CHANNEL, hands_of, session_with, view_of

from gamebot.config.limits import Limits
from gamebot.irc.formatting import FORMATTING_CODE, strip_formatting
from gamebot.irc.splitting import split_text
from gamebot.people.throttle import Throttle
from gamebot.ports import Transaction
from gamebot.testing.session import Session

LONG_PREFIX = ":gamebot_italiano!~gamebot@" + "a" * 63
"""The longest prefix that networks give: a long nick and a host of 63 bytes."""

OpenSession = Callable[..., Awaitable[Session]]


@pytest.fixture
async def open_session():
    opened: list[Session] = []

    async def open_one(*args: Any, **settings: Any) -> Session:
        session = session_with(*args, **settings)
        opened.append(session)
        await session.start()
        return session

    yield open_one
    for session in opened:
        await session.stop()


async def says(session: Session, nick: str, text: str, channel: str = CHANNEL) -> list[str]:
    """Let *nick* speak; return what the bot said since, as sent."""
    since = len(session.heard)
    session.link().say(nick, text, channel)
    await session.settle()
    return [f"{heard.to}: {heard.text}" for heard in session.heard[since:]]


async def begin(session: Session, *players: str, channel: str = CHANNEL, **fixed: Any) -> None:
    session.fix(channel, starter=players[0], **fixed)
    await says(session, players[0], "!unoon", channel)
    for player in players:
        await says(session, player, "is", channel)
    await says(session, players[0], "!unoon", channel)


def room_for(verb: str, target: str) -> int:
    """Return the bytes left for a text on the wire."""
    return 512 - len(f"{LONG_PREFIX} {verb} {target} :\r\n".encode())


# -- lengths --------------------------------------------------------------------------------


@pytest.mark.parametrize("colors", ["foreground", "background", "off"])
async def test_a_large_hand_is_split_between_cards_only(open_session: OpenSession, colors: str):
    """A hand of 31 cards fits, or is split at a card border."""
    session = await open_session(colors=colors)
    codes = [
        f"{color}{value}" for color in "BVRG" for value in ("1", "2", "5", "9", "S", "C", "D2")
    ]
    hand = (*codes, "J", "JD4", "JD4")
    assert len(hand) == 31
    await begin(session, "aldo", "bea", hands={"aldo": hand})
    line, _tip = [h.text for h in session.heard if h.to == "aldo"]

    pieces = split_text(line, room_for("NOTICE", "n" * 30))

    shown = [word for piece in pieces for word in strip_formatting(piece).split()]
    assert tuple(shown) == ("Le", "tue", "carte:", *hand)
    assert len(pieces) <= 2


@pytest.mark.parametrize("letters", [ITALIAN, ENGLISH, GERMAN])
@pytest.mark.parametrize("mode", ["foreground", "background"])
def test_every_piece_of_a_hand_is_coloured_as_the_whole(letters: Notation, mode: str):
    cards = [Card(number) for number in range(108)]
    whole = cards_text(cards, letters, mode)
    words = [word for piece in split_text(whole, 200) for word in piece.split(" ")]
    assert [strip_formatting(word) for word in words] == [
        letters.show(CARD_FACES[card]) for card in cards
    ]
    for word, card in zip(words, cards, strict=True):
        is_wild = FACE_COLORS[CARD_FACES[card]] is None
        assert word.startswith("\x02" if is_wild else "\x03"), word


async def test_the_turn_line_of_ten_players_is_one_message(open_session: OpenSession):
    """Ten nicks of 16 characters, a Wild Draw Four played and to be answered."""
    session = await open_session(colors="background")
    players = [f"giocatore_{n:06}" for n in range(10)]
    await begin(session, *players, hands={players[0]: ("JD4", "R1", "R2")}, deck=("B1",))
    [line] = [
        said for said in await says(session, players[0], "jd4 v uno") if said.startswith(CHANNEL)
    ]
    text = line.removeprefix(f"{CHANNEL}: ")
    assert all(player in text for player in players)
    assert len(text.encode()) <= room_for("PRIVMSG", "#" + "c" * 31)


@pytest.mark.parametrize(("length", "players"), [(20, 10), (30, 10), (30, 16)])
async def test_long_nicks_are_cut_before_the_turn_line_becomes_two(
    open_session: OpenSession, length: int, players: int
):
    """Who acts, who is to act, the sum and every count stay in one message."""
    session = await open_session(colors="background", rules="cuciolo,hand_size=5,max_players=16")
    nicks = [f"{'giocatore_molto_lungo_e_altro'[: length - 2]}{n:02}" for n in range(players)]
    await begin(session, *nicks, hands={nicks[0]: ("JD4", "R1", "R2")}, deck=("B1",))
    [line] = [
        said for said in await says(session, nicks[0], "jd4 v uno") if said.startswith(CHANNEL)
    ]
    text = strip_formatting(line.removeprefix(f"{CHANNEL}: "))
    assert len(line.removeprefix(f"{CHANNEL}: ").encode()) <= room_for("PRIVMSG", "#" + "c" * 31)
    assert text.startswith(f"{nicks[0]} gioca JD4")
    assert nicks[1] in text
    counts = text.partition("Carte: ")[2].split(", ")
    assert [count.rpartition(" ")[2] for count in counts] == ["2", *["5"] * (players - 1)]
    assert [count.rpartition(" ")[0][-2:] for count in counts] == [nick[-2:] for nick in nicks]


# -- formatting -----------------------------------------------------------------------------


async def test_no_code_is_sent_with_colours_off(open_session: OpenSession):
    """No internal name, no control byte: what a peer printed as `colors.LIGHT_RED[S]`."""
    session = await open_session(colors="off")
    await begin(session, "aldo", "bea", hands={"aldo": ("RS", "J", "VD2", "B1")}, deck=("R9",))
    await says(session, "aldo", "rs")
    await says(session, "aldo", "ca")
    await says(session, "aldo", "j v")
    assert all(heard.text.isprintable() for heard in session.heard)


async def test_a_channel_that_strips_colours_gets_none_and_its_players_do(
    open_session: OpenSession,
):
    session = await open_session()
    session.link().room(CHANNEL).plain = True
    await begin(session, "aldo", "bea", hands={"aldo": ("RS", "J", "VD2", "B1")}, deck=("R9",))
    said = await says(session, "aldo", "rs")
    channel = [line for line in said if line.startswith(CHANNEL)]
    private = [line for line in said if line.startswith("aldo")]
    assert channel
    assert not any(FORMATTING_CODE.search(line) for line in channel)
    assert private
    assert all(FORMATTING_CODE.search(line) for line in private)


async def test_own_cards_in_colour_or_not(open_session: OpenSession):
    session = await open_session()
    await begin(session, "aldo", "bea")
    assert FORMATTING_CODE.search(" ".join(await says(session, "aldo", "ca")))
    await says(session, "aldo", "!unocolors off")
    assert not FORMATTING_CODE.search(" ".join(await says(session, "aldo", "ca")))
    assert FORMATTING_CODE.search(" ".join(await says(session, "bea", "ca")))
    await says(session, "aldo", "!unocolors on")
    assert FORMATTING_CODE.search(" ".join(await says(session, "aldo", "ca")))


# -- the same instant -----------------------------------------------------------------------


async def _nothing() -> None:
    pass


@pytest.mark.parametrize("play_first", [True, False])
async def test_a_play_and_the_clock_in_one_instant(open_session: OpenSession, play_first: bool):
    """Exactly one of them takes effect, whichever comes first."""
    session = await open_session()
    await begin(session, "aldo", "bea", hands={"aldo": ("R5", "V3", "B7")}, deck=("R9", "V4"))
    await session.pass_time(119)

    if play_first:
        session.link().say("aldo", "r5", CHANNEL)
    await session.clock.advance(1, _nothing)
    if not play_first:
        session.link().say("aldo", "r5", CHANNEL)
    await session.settle()

    view = view_of(session)
    assert view["turn"] == "bea"
    assert (view["top"], view["cards"]["aldo"]) == (("R5", 2) if play_first else ("R9", 4))


# -- a bot player that breaks ---------------------------------------------------------------


async def test_a_bot_player_that_raises_stops_nobody(
    open_session: OpenSession, monkeypatch: pytest.MonkeyPatch
):
    """The clock acts for it; other channels and this one go on."""

    def broken(*_args: object) -> None:
        raise RuntimeError("out of ideas")

    monkeypatch.setattr(bots, "PLAYERS", {**bots.PLAYERS, "easy": broken})
    session = await open_session((CHANNEL, "#other"))
    await begin(session, "aldo", "bea", channel="#other")
    await says(session, "aldo", "!unoon")
    await says(session, "aldo", "is")
    await says(session, "aldo", "!isbot facile")
    session.fix(CHANNEL, starter="bot")
    await says(session, "aldo", "!unoon")
    with capture_logs() as logged:
        await session.pass_time(2)
    assert [entry["event"] for entry in logged] == ["handler_failed"]
    assert view_of(session)["turn"] == "bot"
    await says(session, "aldo", "pe", "#other")
    assert view_of(session, "#other")["cards"]["aldo"] == 8

    await session.pass_time(118)

    assert view_of(session)["turn"] == "aldo"
    assert view_of(session)["cards"]["bot"] == 8


# -- killed between store and answer --------------------------------------------------------

SCRIPT: tuple[tuple[str, str], ...] = (
    *(("aldo", "!unoon"), ("aldo", "is"), ("bea", "is"), ("carla", "is"), ("aldo", "!unoon")),
    *(("aldo", "r5"), ("bea", "rc"), ("aldo", "rd2"), ("dino", "!en"), ("carla", "gd2")),
    *(("bea", "pe"), ("aldo", "j"), ("aldo", "g"), ("dino", "pe"), ("dino", "pa")),
    *(("carla", "jd4 b"), ("bea", "sfida"), ("aldo", "pe"), ("", "120"), ("dino", "pe")),
    *(("dino", "pa"), ("carla", "b1 uno"), ("bea", "pe"), ("bea", "pa"), ("aldo", "es")),
    *(("dino", "pe"), ("dino", "pa"), ("carla", "b4")),
)
FIXED = {
    "starter": "aldo",
    "hands": {
        "aldo": ("R5", "RD2", "J", "V1", "V2"),
        "bea": ("RC", "V5", "V6"),
        "carla": ("GD2", "JD4", "B1", "B4"),
    },
    # more than is drawn: a lobby that was lost has another seed the next time
    "deck": (
        *("R9", "V7", "V8", "R1", "R2", "R3", "R4", "R6", "R7", "R8", "G1", "G2", "V9", "G3"),
        *("G4", "G5", "G6", "G7", "G8", "G9", "V3", "V4", "B2", "B3", "B5", "B6", "B7", "B8"),
    ),
}


class Killer:
    """A store in whose way the machine dies, before or after its commit number *at*."""

    def __init__(self, inner: Any, at: int, *, after: bool) -> None:
        self.inner, self.at, self.after = inner, at, after
        self.commits = 0
        self.dead = asyncio.Event()

    async def commit(self, transaction: Transaction) -> None:
        if transaction == Transaction() or self.dead.is_set():
            await self.inner.commit(transaction)
            return
        self.commits += 1
        if self.commits == self.at and not self.after:
            await self._die()
        await self.inner.commit(transaction)
        if self.commits == self.at:
            await self._die()

    async def _die(self) -> None:
        self.dead.set()
        await asyncio.Event().wait()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


async def _do(session: Session, nick: str, text: str) -> None:
    if nick:
        session.link().say(nick, text, CHANNEL)
        await session.settle()
    else:
        await session.pass_time(float(text))


def _state(session: Session) -> tuple[dict[str, Any], dict[str, list[str]]]:
    view = view_of(session)
    view.pop("deadline", None)
    return view, hands_of(session)


async def _alive_or_dead(session: Session, killer: Killer, nick: str, text: str) -> bool:
    """Do one step; tell whether the machine died on the way."""
    doing = asyncio.ensure_future(_do(session, nick, text))
    dying = asyncio.ensure_future(killer.dead.wait())
    await asyncio.wait((doing, dying), return_when=asyncio.FIRST_COMPLETED)
    for task in (doing, dying):
        task.cancel()
    await asyncio.gather(doing, dying, return_exceptions=True)
    return killer.dead.is_set()


async def _uninterrupted() -> tuple[list[Any], int]:
    """Return the state after each step, and how many commits there are."""
    states = []
    async with session_with(seed="kill") as session:
        session.fix(CHANNEL, **FIXED)
        counting = Killer(session.bot.store, 0, after=False)
        session.bot.store = counting
        for nick, text in SCRIPT:
            await _do(session, nick, text)
            states.append(_state(session))
    return states, counting.commits


async def test_killed_at_every_commit():
    """A move that was stored is never lost, one that was not never half there; the game goes on."""
    states, commits = await _uninterrupted()
    assert states[-1][0]["winner"] == "carla"
    assert commits >= len(SCRIPT)
    for at in range(1, commits + 1):
        for after in (False, True):
            async with session_with(seed="kill") as session:
                await _killed(session, states, at, after=after)


async def _killed(session: Session, states: list[Any], at: int, *, after: bool) -> None:
    session.fix(CHANNEL, **FIXED)
    killer = Killer(session.bot.store, at, after=after)
    session.bot.store = killer
    steps = iter(enumerate(SCRIPT))
    for number, (nick, text) in steps:
        if await _alive_or_dead(session, killer, nick, text):
            await _again(session, states, number)
            break
    for nick, text in (step for _, step in steps):
        await _do(session, nick, text)
    assert _state(session) == states[-1], (at, after)
    rows = await session.bot.store.ranking("n", CHANNEL, "uno")
    assert sum(row.wins for row in rows) == 1


async def _again(session: Session, states: list[Any], number: int) -> None:
    """Start the bot anew, and repeat the step it died at if that was lost."""
    await session.restart()
    before = states[number - 1] if number else ({"phase": "idle"}, {})
    assert _state(session) in (before, states[number]), SCRIPT[number]
    if before[0]["phase"] in ("idle", "lobby"):
        session.fix(CHANNEL, **FIXED)  # the test's, not the bot's, to remember
    if _state(session) == before != states[number]:
        await _do(session, *SCRIPT[number])


def test_the_card_pattern_finds_cards():
    assert CARD.findall("aldo gioca JD4 e chiama R. bea, su RD2 B0 GS") == [
        "JD4",
        "RD2",
        "B0",
        "GS",
    ]


# -- talk and floods ------------------------------------------------------------------------


async def test_talk_costs_nothing_and_a_flood_of_words_is_bounded(open_session: OpenSession):
    """Bare words are everyday words: only what means something here counts as a command."""
    session = await open_session()
    session.bot._lines._throttle = Throttle(Limits(burst=5, rate=0.001))
    for text in ("ciao", "uno", "ok", "r5", "tu", "is it raining?", "g", "!unooff?"):
        for _ in range(10):
            assert await says(session, "zoe", text) == []
    session.link().room(CHANNEL).members.clear()
    session.bot._lines._throttle = Throttle(Limits(burst=0))
    await begin(session, "aldo", "bea", hands={"aldo": ("R5", "V3")}, deck=("R9",))
    session.bot._lines._throttle = Throttle(Limits(burst=5, rate=0.001))
    for text in ("ciao", "tu che dici?", "uno momento", "pesca", "ok"):
        for _ in range(10):
            assert await says(session, "bea", text) == []
    # seated, a bare `uno` means something: it is counted, and told once that it is too much
    answers = [await says(session, "bea", "uno") for _ in range(20)]
    assert [len(answer) for answer in answers] == [0] * 5 + [1] + [0] * 14
    assert await says(session, "bea", "ca") == []
    assert await says(session, "aldo", "r5")
