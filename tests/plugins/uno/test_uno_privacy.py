"""A hand reaches its player, whoever has the player's nick by then, and nobody else."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from attrs import evolve
from uno_room import CHANNEL, session_with, table_of

from gamebot import Context
from gamebot.events import Identified, LeftHow, Person
from gamebot.ports import OutLine, Transaction
from gamebot.testing.session import Session

HAND = "Le tue carte: "
SECRET = "anna held B7."
STRANGER = Person("n", "bert", "thief", "elsewhere.example")
NOBODY_KNOWS = Person("n", "bert")


@pytest.fixture
async def session() -> AsyncIterator[Session]:
    """Anna is to act; when she has played, bert is shown his hand."""
    async with session_with() as session:
        link = session.link()
        session.fix(
            CHANNEL, starter="anna", hands={"anna": ["V1", "V2"], "bert": ["R1", "R2"]}, deck=["V9"]
        )
        for nick, text in (("anna", "!unoon"), ("anna", "is"), ("bert", "is"), ("anna", "!unoon")):
            link.say(nick, text, CHANNEL)
            await session.settle()
        assert hands_to(session, "bert") == 1
        session.heard.clear()
        yield session


def hands_to(session: Session, nick: str) -> int:
    return sum(line.startswith(HAND) for line in session.lines(nick))


def replace(session: Session, person: Person) -> None:
    """Let *person* come with the nick of somebody who is gone."""
    session.link().change(person.nick, person)
    session.link().join(person.nick, CHANNEL)


async def test_the_next_one_of_a_nick_gets_no_hand(session):
    """The QUIT is known to the connection while anna's move still waits in the queue."""
    link = session.link()
    link.say("anna", "V1", CHANNEL)
    link.quit("bert")
    replace(session, STRANGER)
    await session.settle()
    assert hands_to(session, "bert") == 0


async def test_who_leaves_the_channel_meanwhile_gets_no_hand(session):
    session.link().say("anna", "V1", CHANNEL)
    session.link().leave("bert", CHANNEL, LeftHow.PART)
    await session.settle()
    assert hands_to(session, "bert") == 0


async def test_a_hand_follows_the_nick_and_its_next_holder_gets_none(session):
    session.link().say("anna", "V1", CHANNEL)
    session.link().nick("bert", "hubert")
    replace(session, STRANGER)
    await session.settle()
    assert (hands_to(session, "bert"), hands_to(session, "hubert")) == (0, 1)


async def test_a_line_that_reaches_nobody_is_not_kept(session):
    session.link().say("anna", "V1", CHANNEL)
    session.link().quit("bert")
    await session.settle()
    session.heard.clear()
    await session.restart()
    assert hands_to(session, "bert") == 0


# -- while the bot is not in the channel ----------------------------------------------------


async def test_a_query_of_another_with_that_nick_shows_no_hand_while_the_bot_is_away(session):
    link = session.link()
    link.kick_bot(CHANNEL)
    await session.settle()
    link.say("bert", "carte", None)
    await session.settle()
    assert hands_to(session, "bert") == 1
    link.quit("bert")
    link.change("bert", STRANGER)
    link.say("bert", "carte", None)
    await session.settle()
    assert hands_to(session, "bert") == 1
    link.say("bert", f"{CHANNEL} carte", None)
    await session.settle()
    assert hands_to(session, "bert") == 1


async def test_nothing_private_goes_to_other_players_while_the_bot_is_away(session):
    channel, link = session.channel(CHANNEL), session.link()
    ctx = Context(channel, channel.registries["uno"], link.person("anna"))
    for here in (True, False):
        ctx.effects.lines.clear()
        ctx.notice("bert", "for bert alone")
        ctx.notice("carla", "for somebody who does not play")
        ctx.tell("for who speaks")
        assert [line.target for line in ctx.effects.lines] == ["bert", "carla", "anna"][not here :]
        link.kick_bot(CHANNEL)
        await session.settle()


# -- after a reconnect whose member list tells no hosts -------------------------------------


async def come_back_without_hosts(session: Session, restart: bool) -> Person:
    """Lose the link when bert is to act; return bert as he was."""
    link = session.link()
    link.say("anna", "V1", CHANNEL)
    await session.settle()
    session.heard.clear()
    bert = link.person("bert")
    for nick in ("anna", "bert"):
        link.change(nick, Person("n", nick))
    if restart:
        await session.restart()
    else:
        link.disconnect()
        link.connect()
        await session.settle()
    return bert


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("by_name", [False, True])
async def test_a_hand_waits_until_the_network_tells_whose_nick_it_is(session, restart, by_name):
    bert = await come_back_without_hosts(session, restart)
    assert hands_to(session, "bert") == 0
    link = session.link()
    link.change("bert", bert)
    if by_name:
        link.say("bert", "tu", CHANNEL)
    else:
        session.bot.feed(Identified(bert))
    await session.settle()
    assert hands_to(session, "bert") == 1
    session.bot.feed(Identified(bert))
    await session.settle()
    assert hands_to(session, "bert") == 1


@pytest.mark.parametrize("told_by", ["network", "speech", "lobby"])
@pytest.mark.parametrize("restart", [False, True])
async def test_a_player_whose_host_changes_is_known_after_the_bots_absence(
    session, told_by, restart
):
    link = session.link()
    if told_by == "lobby":
        for nick, text in (("anna", "!unooff"), ("anna", "!unoon"), ("bert", "is")):
            link.say(nick, text, CHANNEL)
    link.change("bert", evolve(link.person("bert"), host="cloak.example"))
    if told_by == "speech":
        link.say("bert", "!tu", CHANNEL)
    else:
        session.bot.feed(Identified(link.person("bert")))
    await session.settle()
    if restart:
        await session.restart()
    else:
        link.disconnect()
        link.connect()
        await session.settle()
    chairs = table_of(session).chairs
    assert [chair.present for chair in chairs if chair.nick == "bert"] == [True]
    session.heard.clear()
    link.say("bert", "carte", None)
    await session.settle()
    assert hands_to(session, "bert") == (told_by != "lobby")


async def test_another_person_of_that_nick_is_shown_nothing_and_the_seat_is_kept(session):
    bert = await come_back_without_hosts(session, restart=False)
    link = session.link()
    link.change("bert", STRANGER)
    session.bot.feed(Identified(STRANGER))
    await session.settle()
    assert hands_to(session, "bert") == 0
    table = table_of(session)
    assert [chair.present for chair in table.chairs] == [True, False]
    link.quit("bert")
    replace(session, bert)
    await session.settle()
    assert hands_to(session, "bert") == 1


# -- private lines that are kept over a restart ----------------------------------------------


async def keep_private_line(session: Session) -> None:
    line = OutLine("n", "bert", SECRET, "NOTICE", channel=CHANNEL, keep=True)
    line = evolve(line, id=session.bot.new_line_id())
    await session.bot.store.commit(Transaction(outgoing=(line,)))


def told(session: Session) -> bool:
    return SECRET in session.lines("bert")


@pytest.mark.parametrize(
    ("who", "reached"),
    [
        (Person("n", "bert", "bert", "bert.example"), True),
        (STRANGER, False),
        (evolve(STRANGER, account="bert_account"), True),
        (None, False),
    ],
)
async def test_a_kept_line_reaches_only_the_one_it_was_for(session, who, reached):
    link = session.link()
    link.account("bert", "bert_account")
    await session.settle()
    await keep_private_line(session)
    if who is None:
        link.rooms[link.fold(CHANNEL)].members.pop("bert")
    else:
        link.change("bert", who)
    await session.restart()
    assert told(session) is reached
    session.heard.clear()
    link.change("bert", Person("n", "bert", "bert", "bert.example"))
    await session.restart()
    assert not told(session)


@pytest.mark.parametrize("by_name", [False, True])
async def test_a_kept_line_does_not_reach_another_player_who_has_the_nick_now(session, by_name):
    """Anna and bert, known by their accounts, have swapped nicks while the bot was not there."""
    link = session.link()
    for nick in ("anna", "bert"):
        link.account(nick, f"{nick}_account")
    await session.settle()
    await keep_private_line(session)
    anna, bert = link.person("anna"), link.person("bert")
    now = evolve(anna, nick="bert"), evolve(bert, nick="anna")
    for person in now:
        link.change(person.nick, Person("n", person.nick) if by_name else person)
    await session.restart()
    for person in now if by_name else ():
        link.change(person.nick, person)
        session.bot.feed(Identified(person))
        await session.settle()
    assert not told(session)


@pytest.mark.parametrize("belongs", [False, True])
async def test_a_kept_line_waits_until_the_network_tells_whose_nick_it_is(session, belongs):
    bert = session.link().person("bert")
    await keep_private_line(session)
    session.link().change("bert", NOBODY_KNOWS)
    await session.restart()
    assert not told(session)
    now = bert if belongs else STRANGER
    session.link().change("bert", now)
    session.bot.feed(Identified(now))
    await session.settle()
    assert told(session) is belongs
    session.heard.clear()
    session.link().change("bert", bert)
    await session.restart()
    assert not told(session)
